// RUN: tenon-opt %s --split-input-file --verify-diagnostics

func.func @pad(%x: tensor<5xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{size of axis 0: expected a size below 2^63, but got one computed from 5, 4611686018427387904, 4611686018427387904}}
  %0 = graph.pad %x low = [4611686018427387904] high = [4611686018427387904] constant value = 0.0 : (tensor<5xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @tile(%x: tensor<5xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{size of axis 0: expected a size below 2^63, but got one computed from 5, 4611686018427387904}}
  %0 = graph.tile %x repeats = [4611686018427387904] : (tensor<5xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @slice(%x: tensor<5xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{last position on axis 0: expected a size below 2^63, but got one computed from 0, 4, 4611686018427387904}}
  %0 = graph.slice %x starts = [0] sizes = [4] steps = [4611686018427387904] : (tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @conv(%x: tensor<1x1x5xf32>, %w: tensor<1x1x3xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{spatial axis 0: expected a size below 2^63, but got one computed from 5, 3, 4611686018427387904, 0, 0}}
  %0 = graph.conv %x, %w strides = [1] pads = [0, 0] dilations = [4611686018427387904] groups = 1 channels_first : (tensor<1x1x5xf32>, tensor<1x1x3xf32>) -> tensor<1x1x5xf32>
  return
}

// -----

func.func @conv_transpose(%x: tensor<1x1x5xf32>, %w: tensor<1x1x3xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{spatial axis 0: expected a size below 2^63, but got one computed from 5, 3, 4611686018427387904, 1, 0, 0, 0}}
  %0 = graph.conv_transpose %x, %w strides = [4611686018427387904] pads = [0, 0] dilations = [1] output_padding = [0] groups = 1 : (tensor<1x1x5xf32>, tensor<1x1x3xf32>) -> tensor<1x1x5xf32>
  return
}

// -----

func.func @reshape(%x: tensor<5xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{number of elements: expected a size below 2^63, but got one computed from 4611686018427387904, 4611686018427387904}}
  %0 = graph.reshape %x shape = [4611686018427387904, 4611686018427387904] : (tensor<5xf32>) -> tensor<5x1xf32>
  return
}

// -----

func.func @split(%x: tensor<5xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{sum of sizes: expected a size below 2^63, but got one computed from 4611686018427387904, 4611686018427387904}}
  %0:2 = graph.split %x axis = 0 sizes = [4611686018427387904, 4611686018427387904] : (tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>)
  return
}
