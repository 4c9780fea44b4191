// RUN: tenon-opt %s --split-input-file --verify-diagnostics

func.func @kernel(%x: tensor<1x2x7xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected 1 kernel sizes, but got 2}}
  %0 = graph.max_pool %x kernel = [3, 3] strides = [1] pads = [0, 0] dilations = [1] channels_first : (tensor<1x2x7xf32>) -> tensor<1x2x5xf32>
  return
}

// -----

func.func @kernel_zero(%x: tensor<1x2x7xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected a kernel size of at least 1 on spatial axis 0, but got 0}}
  %0 = graph.max_pool %x kernel = [0] strides = [1] pads = [0, 0] dilations = [1] channels_first : (tensor<1x2x7xf32>) -> tensor<1x2x5xf32>
  return
}

// -----

func.func @kernel_beyond_input(%x: tensor<1x2x7xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{kernel on spatial axis 0: expected at most 7 elements, the padded input, but got 8}}
  %0 = graph.max_pool %x kernel = [8] strides = [1] pads = [0, 0] dilations = [1] channels_first : (tensor<1x2x7xf32>) -> tensor<1x2x5xf32>
  return
}

// -----

func.func @strides(%x: tensor<1x2x7xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected 1 strides, but got 0}}
  %0 = graph.max_pool %x kernel = [3] strides = [] pads = [0, 0] dilations = [1] channels_first : (tensor<1x2x7xf32>) -> tensor<1x2x5xf32>
  return
}

// -----

func.func @pads_cover_a_window(%x: tensor<1x2x7xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{pads on spatial axis 0: expected less than 3, the kernel, but got 3}}
  %0 = graph.max_pool %x kernel = [3] strides = [1] pads = [0, 3] dilations = [1] channels_first : (tensor<1x2x7xf32>) -> tensor<1x2x5xf32>
  return
}

// -----

func.func @p(%x: tensor<1x2x7xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected p of at least 1, but got 0}}
  %0 = graph.lp_pool %x kernel = [3] strides = [1] pads = [0, 0] dilations = [1] channels_first p = 0 : (tensor<1x2x7xf32>) -> tensor<1x2x5xf32>
  return
}

// -----

func.func @rank(%x: tensor<7x7xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected an input of rank 3 to 5 (1 to 3 spatial axes), but got rank 2}}
  %0 = graph.max_pool %x kernel = [3] strides = [1] pads = [0, 0] dilations = [1] channels_first : (tensor<7x7xf32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @lrn_size(%x: tensor<1x2x7xf32>) {
  // expected-error@+1 {{expected size of at least 1, but got 0}}
  %0 = graph.lrn %x size = 0 alpha = 1.0 beta = 1.0 bias = 1.0 : tensor<1x2x7xf32>
  return
}
