// The adjoints of convolutions and pools by averages, as movement.mlir explains.
//
// Images are [n, c, h, w] and kernels [o, i, r, s], with strides [u, v], dilations
// [d, f] and pads [t, l, b, e]: top, left, bottom, end.
//
// `tenon-rules prove rules/adjoints/convolution.mlir` proves them for all sizes.

// Of the input: the transposed convolution, with an output padding of what the
// strides leave over.
rule.rule @adjoint_of_conv_input(%x: [n, c, h, w], %k: [o, c, r, s], %y: [n, o, (h + t + b - d * (r - 1) - 1) floordiv u + 1, (w + l + e - f * (s - 1) - 1) floordiv v + 1]) -> []
  source {
    %a = graph.conv %x, %k strides = [u, v] pads = [t, l, b, e] dilations = [d, f] groups = 1 channels_first
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2, 3]
    rule.yield %s
  }
  target {
    %g = graph.conv_transpose %y, %k strides = [u, v] pads = [t, l, b, e] dilations = [d, f] output_padding = [(h + t + b - d * (r - 1) - 1) mod u, (w + l + e - f * (s - 1) - 1) mod v] groups = 1 : (tensor<?x?x?x?xf32, #graph.dims<n, o, (h + t + b - d * (r - 1) - 1) floordiv u + 1, (w + l + e - f * (s - 1) - 1) floordiv v + 1>>, tensor<?x?x?x?xf32, #graph.dims<o, c, r, s>>) -> tensor<?x?x?x?xf32, #graph.dims<n, c, h, w>>
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1, 2, 3]
    rule.yield %s
  }

// The same in two groups, along one axis. (With their number as a symbol, the proof takes
// seconds instead of milliseconds.)
rule.rule @adjoint_of_conv_input_groups(%x: [n, 2 * i, h], %k: [o, i, r], %y: [n, o, (h + t + b - d * (r - 1) - 1) floordiv u + 1]) -> []
  source {
    %a = graph.conv %x, %k strides = [u] pads = [t, b] dilations = [d] groups = 2 channels_first
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  target {
    %g = graph.conv_transpose %y, %k strides = [u] pads = [t, b] dilations = [d] output_padding = [(h + t + b - d * (r - 1) - 1) mod u] groups = 2 : (tensor<?x?x?xf32, #graph.dims<n, o, (h + t + b - d * (r - 1) - 1) floordiv u + 1>>, tensor<?x?x?xf32, #graph.dims<o, i, r>>) -> tensor<?x?x?xf32, #graph.dims<n, 2 * i, h>>
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  where [2 divides o, o >= 1, i >= 1]

// Of the input, with the channels last.
rule.rule @adjoint_of_conv_input_last(%x: [n, h, c], %k: [o, c, r], %y: [n, (h + t + b - d * (r - 1) - 1) floordiv u + 1, o]) -> []
  source {
    %a = graph.conv %x, %k strides = [u] pads = [t, b] dilations = [d] groups = 1 channels_last
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  target {
    %g = graph.conv_transpose %y, %k strides = [u] pads = [t, b] dilations = [d] output_padding = [-((b + d - d * r + h + t - 1) floordiv (u)) * u + b + d - d * r + h + t - 1] groups = 1 channels_last
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }

// Of the weight: the correlation of the input and the cotangent. The padding at the end follows
// from the sizes.
rule.rule @adjoint_of_conv_weight(%x: [o, i, r, s], %z: [n, i, h, w], %y: [n, o, (h + t + b - d * (r - 1) - 1) floordiv u + 1, (w + l + e - f * (s - 1) - 1) floordiv v + 1]) -> []
  source {
    %a = graph.conv %z, %x strides = [u, v] pads = [t, l, b, e] dilations = [d, f] groups = 1 channels_first
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2, 3]
    rule.yield %s
  }
  target {
    %g = graph.conv_backward_weight %z, %y kernel = [r, s] strides = [u, v] pads = [t, l] dilations = [d, f] groups = 1
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1, 2, 3]
    rule.yield %s
  }

// The same in two groups, along one axis.
rule.rule @adjoint_of_conv_weight_groups(%x: [o, i, r], %z: [n, 2 * i, h], %y: [n, o, (h + t + b - d * (r - 1) - 1) floordiv u + 1]) -> []
  source {
    %a = graph.conv %z, %x strides = [u] pads = [t, b] dilations = [d] groups = 2 channels_first
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  target {
    %g = graph.conv_backward_weight %z, %y kernel = [r] strides = [u] pads = [t] dilations = [d] groups = 2
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  where [2 divides o]

// Of the weight, with the channels last.
rule.rule @adjoint_of_conv_weight_last(%x: [o, i, r], %z: [n, h, i], %y: [n, (h + t + b - d * (r - 1) - 1) floordiv u + 1, o]) -> []
  source {
    %a = graph.conv %z, %x strides = [u] pads = [t, b] dilations = [d] groups = 1 channels_last
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  target {
    %g = graph.conv_backward_weight %z, %y kernel = [r] strides = [u] pads = [t] dilations = [d] groups = 1 channels_last
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }

// The gradient of a weight is linear in the input, too. What the padding at the end would cut
// off if it were negative is an output padding.
rule.rule @adjoint_of_conv_backward_weight_input(%x: [n, i, h], %z: [n, o, m], %y: [o, i, r]) -> []
  source {
    %a = graph.conv_backward_weight %x, %z kernel = [r] strides = [u] pads = [t] dilations = [d] groups = 1
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  target {
    %g = graph.conv_transpose %z, %y strides = [u] pads = [t, max(u * (m - 1) + d * (r - 1) + 1 - h - t, 0)] dilations = [d] output_padding = [max(u * (m - 1) + d * (r - 1) + 1 - h - t, 0) - u * (m - 1) - d * (r - 1) - 1 + h + t] groups = 1
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  where [m >= 1]

// And in the cotangent.
rule.rule @adjoint_of_conv_backward_weight_cotangent(%x: [n, o, m], %z: [n, i, h], %y: [o, i, r]) -> []
  source {
    %a = graph.conv_backward_weight %z, %x kernel = [r] strides = [u] pads = [t] dilations = [d] groups = 1
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  target {
    %0 = graph.conv %z, %y strides = [u] pads = [t, max(u * (m - 1) + d * (r - 1) + 1 - h - t, 0)] dilations = [d] groups = 1 channels_first
    %g = graph.slice %0 starts = [0, 0, 0] sizes = [n, o, m] steps = [1, 1, 1]
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  where [m >= 1]

// A convolution. An output padding of a stride or more is room for more elements.
rule.rule @adjoint_of_conv_transpose_input(%x: [n, c, h, w], %k: [c, o, r, s], %y: [n, o, u * (h - 1) + p + d * (r - 1) + 1 - t - b, v * (w - 1) + q + f * (s - 1) + 1 - l - e]) -> []
  source {
    %a = graph.conv_transpose %x, %k strides = [u, v] pads = [t, l, b, e] dilations = [d, f] output_padding = [p, q] groups = 1
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2, 3]
    rule.yield %s
  }
  target {
    %0 = graph.conv %y, %k strides = [u, v] pads = [t, l, b, e] dilations = [d, f] groups = 1 channels_first
    %g = graph.slice %0 starts = [0, 0, 0, 0] sizes = [n, c, h, w] steps = [1, 1, 1, 1]
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1, 2, 3]
    rule.yield %s
  }
  where [h >= 1, w >= 1]

// That of a convolution, with the roles of input and result exchanged.
rule.rule @adjoint_of_conv_transpose_weight(%x: [c, o, r, s], %z: [n, c, h, w], %y: [n, o, u * (h - 1) + p + d * (r - 1) + 1 - t - b, v * (w - 1) + q + f * (s - 1) + 1 - l - e]) -> []
  source {
    %a = graph.conv_transpose %z, %x strides = [u, v] pads = [t, l, b, e] dilations = [d, f] output_padding = [p, q] groups = 1
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2, 3]
    rule.yield %s
  }
  target {
    %g = graph.conv_backward_weight %y, %z kernel = [r, s] strides = [u, v] pads = [t, l] dilations = [d, f] groups = 1
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1, 2, 3]
    rule.yield %s
  }
  where [h >= 1, w >= 1]

// A depthwise transposed convolution with ones of the cotangent divided by the number of
// elements of a window.
rule.rule @adjoint_of_avg_pool(%x: [n, c, h, w], %y: [n, c, (h + t + b - d * (r - 1) - 1) floordiv u + 1, (w + l + e - f * (s - 1) - 1) floordiv v + 1]) -> []
  source {
    %a = graph.avg_pool %x kernel = [r, s] strides = [u, v] pads = [t, l, b, e] dilations = [d, f] channels_first count_include_pad
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2, 3]
    rule.yield %s
  }
  target {
    %1 = graph.constant dense<1.0> : tensor<f32>
    %k = graph.broadcast %1 shape = [c, 1, r, s]
    %z = graph.broadcast %1 shape = [r, s]
    %q = graph.reduce_sum %z axes = [0, 1]
    %qb = graph.broadcast %q shape = [n, c, (h + t + b - d * (r - 1) - 1) floordiv u + 1, (w + l + e - f * (s - 1) - 1) floordiv v + 1]
    %d = graph.div %y, %qb
    %g = graph.conv_transpose %d, %k strides = [u, v] pads = [t, l, b, e] dilations = [d, f] output_padding = [(h + t + b - d * (r - 1) - 1) mod u, (w + l + e - f * (s - 1) - 1) mod v] groups = c : (tensor<?x?x?x?xf32, #graph.dims<n, c, (h + t + b - d * (r - 1) - 1) floordiv u + 1, (w + l + e - f * (s - 1) - 1) floordiv v + 1>>, tensor<?x1x?x?xf32, #graph.dims<c, 1, r, s>>) -> tensor<?x?x?x?xf32, #graph.dims<n, c, h, w>>
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1, 2, 3]
    rule.yield %s
  }
  where [r >= 1, s >= 1, c >= 1]

// With the channels last.
rule.rule @adjoint_of_avg_pool_last(%x: [n, h, c], %y: [n, (h + t + b - r) floordiv u + 1, c]) -> []
  source {
    %a = graph.avg_pool %x kernel = [r] strides = [u] pads = [t, b] dilations = [1] channels_last count_include_pad
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  target {
    %0 = graph.transpose %y perm = [0, 2, 1]
    %1 = graph.constant dense<1.0> : tensor<f32>
    %2 = graph.broadcast %1 shape = [r]
    %3 = graph.reduce_sum %2 axes = [0]
    %4 = graph.broadcast %3 shape = [n, c, ((b + h - r + t) floordiv (u)) + 1]
    %5 = graph.div %0, %4
    %6 = graph.constant dense<1.0> : tensor<f32>
    %7 = graph.broadcast %6 shape = [c, 1, r]
    %8 = graph.conv_transpose %5, %7 strides = [u] pads = [t, b] dilations = [1] output_padding = [-((b + h - r + t) floordiv (u)) * u + b + h - r + t] groups = c
    %g = graph.transpose %8 perm = [0, 2, 1]
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  where [r >= 1, c >= 1]

// Without padding.
rule.rule @adjoint_of_avg_pool_valid(%x: [n, c, h], %y: [n, c, (h - r) floordiv u + 1]) -> []
  source {
    %a = graph.avg_pool %x kernel = [r] strides = [u] pads = [0, 0] dilations = [1] channels_first
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  target {
    %0 = graph.constant dense<1.0> : tensor<f32>
    %1 = graph.broadcast %0 shape = [r]
    %2 = graph.reduce_sum %1 axes = [0]
    %3 = graph.broadcast %2 shape = [n, c, ((h - r) floordiv (u)) + 1]
    %4 = graph.div %y, %3
    %5 = graph.constant dense<1.0> : tensor<f32>
    %6 = graph.broadcast %5 shape = [c, 1, r]
    %g = graph.conv_transpose %4, %6 strides = [u] pads = [0, 0] dilations = [1] output_padding = [-((h - r) floordiv (u)) * u + h - r] groups = c
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  where [c >= 1, r >= 1]
