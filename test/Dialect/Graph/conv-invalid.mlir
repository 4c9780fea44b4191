// RUN: tenon-opt %s --split-input-file --verify-diagnostics

func.func @rank(%x: tensor<8x9xf32>, %w: tensor<6x8xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected an input of rank 3 to 5 (1 to 3 spatial axes), but got rank 2}}
  %0 = graph.conv %x, %w strides = [] pads = [] dilations = [] groups = 1 channels_first : (tensor<8x9xf32>, tensor<6x8xf32>) -> tensor<8x6xf32>
  return
}

// -----

func.func @weight_rank(%x: tensor<1x8x9x9xf32>, %w: tensor<6x8x3xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected a weight of rank 4, but got rank 3}}
  %0 = graph.conv %x, %w strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] groups = 1 channels_first : (tensor<1x8x9x9xf32>, tensor<6x8x3xf32>) -> tensor<1x6x7x7xf32>
  return
}

// -----

func.func @strides(%x: tensor<1x8x9x9xf32>, %w: tensor<6x4x3x3xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected 2 strides, but got 1}}
  %0 = graph.conv %x, %w strides = [1] pads = [0, 0, 0, 0] dilations = [1, 1] groups = 2 channels_first : (tensor<1x8x9x9xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x7x7xf32>
  return
}

// -----

func.func @stride_unknown(%x: tensor<1x8x9x9xf32>, %w: tensor<6x4x3x3xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected known strides, but got ?}}
  %0 = graph.conv %x, %w strides = [1, ?] pads = [0, 0, 0, 0] dilations = [1, 1] groups = 2 channels_first : (tensor<1x8x9x9xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x7x7xf32>
  return
}

// -----

func.func @stride_zero(%x: tensor<1x8x9x9xf32>, %w: tensor<6x4x3x3xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected strides of at least 1, but got 0}}
  %0 = graph.conv %x, %w strides = [1, 0] pads = [0, 0, 0, 0] dilations = [1, 1] groups = 2 channels_first : (tensor<1x8x9x9xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x7x7xf32>
  return
}

// -----

func.func @pads(%x: tensor<1x8x9x9xf32>, %w: tensor<6x4x3x3xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected 4 pads, but got 2}}
  %0 = graph.conv %x, %w strides = [1, 1] pads = [0, 0] dilations = [1, 1] groups = 2 channels_first : (tensor<1x8x9x9xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x7x7xf32>
  return
}

// -----

func.func @pad_negative(%x: tensor<1x8x9x9xf32>, %w: tensor<6x4x3x3xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected pads of at least 0, but got -1}}
  %0 = graph.conv %x, %w strides = [1, 1] pads = [0, -1, 0, 0] dilations = [1, 1] groups = 2 channels_first : (tensor<1x8x9x9xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x7x7xf32>
  return
}

// -----

func.func @dilations(%x: tensor<1x8x9x9xf32>, %w: tensor<6x4x3x3xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected 2 dilations, but got 3}}
  %0 = graph.conv %x, %w strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1, 1] groups = 2 channels_first : (tensor<1x8x9x9xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x7x7xf32>
  return
}

// -----

func.func @dilation_zero(%x: tensor<1x8x9x9xf32>, %w: tensor<6x4x3x3xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected dilations of at least 1, but got 0}}
  %0 = graph.conv %x, %w strides = [1, 1] pads = [0, 0, 0, 0] dilations = [0, 1] groups = 2 channels_first : (tensor<1x8x9x9xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x7x7xf32>
  return
}

// -----

func.func @groups_zero(%x: tensor<1x8x9x9xf32>, %w: tensor<6x4x3x3xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected groups of at least 1, but got 0}}
  %0 = graph.conv %x, %w strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] groups = 0 channels_first : (tensor<1x8x9x9xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x7x7xf32>
  return
}

// -----

func.func @channels(%x: tensor<1x8x9x9xf32>, %w: tensor<6x4x3x3xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{input channels (weight axis 1 times groups): expected 4, but got 8}}
  %0 = graph.conv %x, %w strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] groups = 1 channels_first : (tensor<1x8x9x9xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x7x7xf32>
  return
}

// -----

func.func @output_channels(%x: tensor<1x16x9x9xf32>, %w: tensor<6x4x3x3xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected output channels in 4 equal groups, but got 6}}
  %0 = graph.conv %x, %w strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] groups = 4 channels_first : (tensor<1x16x9x9xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x7x7xf32>
  return
}

// -----

func.func @kernel_beyond_input(%x: tensor<1x8x9x9xf32>, %w: tensor<6x4x3x3xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{kernel on spatial axis 0: expected at most 10 elements, the padded input, but got 11}}
  %0 = graph.conv %x, %w strides = [1, 1] pads = [1, 0, 0, 0] dilations = [5, 1] groups = 2 channels_first : (tensor<1x8x9x9xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x7x7xf32>
  return
}

// -----

func.func @elements(%x: tensor<1x8x9x9xf32>, %w: tensor<6x4x3x3xf16>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected weight of the element type of input, 'f32', but got 'f16'}}
  %0 = graph.conv %x, %w strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] groups = 2 channels_first : (tensor<1x8x9x9xf32>, tensor<6x4x3x3xf16>) -> tensor<1x6x7x7xf32>
  return
}

// -----

func.func @result(%x: tensor<1x8x9x9xf32>, %w: tensor<6x4x3x3xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{inferred type(s) 'tensor<1x6x7x7xf32>' are incompatible with return type(s) of operation 'tensor<1x6x9x9xf32>'}}
  %0 = graph.conv %x, %w strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] groups = 2 channels_first : (tensor<1x8x9x9xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x9x9xf32>
  return
}

// -----

func.func @transposed_channels(%x: tensor<1x4x5xf32>, %w: tensor<3x3x3xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{input channels (weight axis 0): expected 3, but got 4}}
  %0 = graph.conv_transpose %x, %w strides = [2] pads = [0, 0] dilations = [1] output_padding = [0] groups = 1 : (tensor<1x4x5xf32>, tensor<3x3x3xf32>) -> tensor<1x3x11xf32>
  return
}

// -----

func.func @transposed_groups(%x: tensor<1x4x5xf32>, %w: tensor<4x3x3xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected input channels in 3 equal groups, but got 4}}
  %0 = graph.conv_transpose %x, %w strides = [2] pads = [0, 0] dilations = [1] output_padding = [0] groups = 3 : (tensor<1x4x5xf32>, tensor<4x3x3xf32>) -> tensor<1x9x11xf32>
  return
}

// -----

func.func @transposed_pads(%x: tensor<1x4x1xf32>, %w: tensor<4x3x3xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{pads on spatial axis 0: expected a total of at most 3, but got 4}}
  %0 = graph.conv_transpose %x, %w strides = [2] pads = [2, 2] dilations = [1] output_padding = [0] groups = 1 : (tensor<1x4x1xf32>, tensor<4x3x3xf32>) -> tensor<1x3x0xf32>
  return
}

// -----

func.func @backward_weight_rank(%x: tensor<2x4xf32>, %y: tensor<2x6xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected an input of rank 3 to 5 (1 to 3 spatial axes), but got rank 2}}
  %0 = graph.conv_backward_weight %x, %y kernel = [3] strides = [2] pads = [1] dilations = [1] groups = 1 : (tensor<2x4xf32>, tensor<2x6xf32>) -> tensor<6x4x3xf32>
  return
}

// -----

func.func @backward_weight_ranks(%x: tensor<2x4x9xf32>, %y: tensor<2x6x4x4xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected a cotangent of rank 3, but got rank 4}}
  %0 = graph.conv_backward_weight %x, %y kernel = [3] strides = [2] pads = [1] dilations = [1] groups = 1 : (tensor<2x4x9xf32>, tensor<2x6x4x4xf32>) -> tensor<6x4x3xf32>
  return
}

// -----

func.func @backward_weight_batch(%x: tensor<2x4x9xf32>, %y: tensor<3x6x4xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{batch: expected 2, but got 3}}
  %0 = graph.conv_backward_weight %x, %y kernel = [3] strides = [2] pads = [1] dilations = [1] groups = 1 : (tensor<2x4x9xf32>, tensor<3x6x4xf32>) -> tensor<6x4x3xf32>
  return
}

// -----

func.func @backward_weight_groups(%x: tensor<2x4x9xf32>, %y: tensor<2x6x4xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected input channels in 3 equal groups, but got 4}}
  %0 = graph.conv_backward_weight %x, %y kernel = [3] strides = [2] pads = [1] dilations = [1] groups = 3 : (tensor<2x4x9xf32>, tensor<2x6x4xf32>) -> tensor<6x4x3xf32>
  return
}

// -----

func.func @backward_weight_outputs(%x: tensor<2x4x9xf32>, %y: tensor<2x6x4xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected output channels in 4 equal groups, but got 6}}
  %0 = graph.conv_backward_weight %x, %y kernel = [3] strides = [2] pads = [1] dilations = [1] groups = 4 : (tensor<2x4x9xf32>, tensor<2x6x4xf32>) -> tensor<6x4x3xf32>
  return
}

// -----

func.func @backward_weight_kernel(%x: tensor<2x4x9xf32>, %y: tensor<2x6x4xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected 1 kernel sizes, but got 2}}
  %0 = graph.conv_backward_weight %x, %y kernel = [3, 3] strides = [2] pads = [1] dilations = [1] groups = 1 : (tensor<2x4x9xf32>, tensor<2x6x4xf32>) -> tensor<6x4x3xf32>
  return
}

// -----

func.func @backward_weight_no_kernel(%x: tensor<2x4x9xf32>, %y: tensor<2x6x4xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected kernel of at least 1, but got 0}}
  %0 = graph.conv_backward_weight %x, %y kernel = [0] strides = [2] pads = [1] dilations = [1] groups = 1 : (tensor<2x4x9xf32>, tensor<2x6x4xf32>) -> tensor<6x4x3xf32>
  return
}

// -----

func.func @backward_weight_strides(%x: tensor<2x4x9xf32>, %y: tensor<2x6x4xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected strides of at least 1, but got 0}}
  %0 = graph.conv_backward_weight %x, %y kernel = [3] strides = [0] pads = [1] dilations = [1] groups = 1 : (tensor<2x4x9xf32>, tensor<2x6x4xf32>) -> tensor<6x4x3xf32>
  return
}

// -----

func.func @backward_weight_pads(%x: tensor<2x4x9xf32>, %y: tensor<2x6x4xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected 1 pads, but got 2}}
  %0 = graph.conv_backward_weight %x, %y kernel = [3] strides = [2] pads = [1, 1] dilations = [1] groups = 1 : (tensor<2x4x9xf32>, tensor<2x6x4xf32>) -> tensor<6x4x3xf32>
  return
}

// -----

func.func @backward_weight_dilations(%x: tensor<2x4x9xf32>, %y: tensor<2x6x4xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected dilations of at least 1, but got 0}}
  %0 = graph.conv_backward_weight %x, %y kernel = [3] strides = [2] pads = [1] dilations = [0] groups = 1 : (tensor<2x4x9xf32>, tensor<2x6x4xf32>) -> tensor<6x4x3xf32>
  return
}
