// RUN: tenon-opt %s --split-input-file --verify-diagnostics

func.func @shape(%x: tensor<4xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected 1 sizes in shape, but got 2}}
  %0 = graph.resize %x shape = [8, 8] scales = [2.0] linear half_pixel floor cubic_coeff = 0.0 : (tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @scales(%x: tensor<4xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected 1 scales, but got 2}}
  %0 = graph.resize %x shape = [8] scales = [2.0, 1.0] linear half_pixel floor cubic_coeff = 0.0 : (tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @scale_zero(%x: tensor<4xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{axis 0: expected a positive scale, but got 0.000000}}
  %0 = graph.resize %x shape = [8] scales = [0.0] linear half_pixel floor cubic_coeff = 0.0 : (tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @scale_one(%x: tensor<4xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{size of axis 0, whose scale is 1: expected 4, but got 8}}
  %0 = graph.resize %x shape = [8] scales = [1.0] linear half_pixel floor cubic_coeff = 0.0 : (tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @empty(%x: tensor<0xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{axis 0: expected elements to sample, but got size 0}}
  %0 = graph.resize %x shape = [8] scales = [2.0] linear half_pixel floor cubic_coeff = 0.0 : (tensor<0xf32>) -> tensor<8xf32>
  return
}
