// The adjoints of reductions, scans, products, convolutions and pools, as
// movement.mlir explains.
//
// Images are [n, c, h, w] and kernels [o, i, r, s], with strides [u, v], dilations
// [d, f] and pads [t, l, b, e]: top, left, bottom, end.
//
// `tenon-rules prove rules/adjoints/linear.mlir` proves them for all sizes.

// Every element counts once.
rule.rule @adjoint_of_reduce_sum(%x: [m, n], %y: [m]) -> []
  source {
    %a = graph.reduce_sum %x axes = [1]
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0]
    rule.yield %s
  }
  target {
    %r = graph.reshape %y shape = [m, 1]
    %g = graph.broadcast %r shape = [m, n]
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }

// A running sum from the other end.
rule.rule @adjoint_of_cumsum(%x: [m, n], %y: [m, n]) -> []
  source {
    %a = graph.cumsum %x axis = 1 
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %g = graph.cumsum %y axis = 1 reverse
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }

// The same the other way round.
rule.rule @adjoint_of_cumsum_reverse(%x: [m, n], %y: [m, n]) -> []
  source {
    %a = graph.cumsum %x axis = 1 reverse
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %g = graph.cumsum %y axis = 1 
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }

// The same without the element itself.
rule.rule @adjoint_of_cumsum_exclusive(%x: [m, n], %y: [m, n]) -> []
  source {
    %a = graph.cumsum %x axis = 1 exclusive 
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %g = graph.cumsum %y axis = 1 exclusive reverse
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }

// The same without the element itself, the other way round.
rule.rule @adjoint_of_cumsum_exclusive_reverse(%x: [m, n], %y: [m, n]) -> []
  source {
    %a = graph.cumsum %x axis = 1 exclusive reverse
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %g = graph.cumsum %y axis = 1 exclusive 
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }

// A scale.
rule.rule @adjoint_of_mul(%x: [n], %c: [n], %y: [n]) -> []
  source {
    %a = graph.mul %x, %c
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0]
    rule.yield %s
  }
  target {
    %g = graph.mul %y, %c
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0]
    rule.yield %s
  }

// A change of sign.
rule.rule @adjoint_of_neg(%x: [n], %y: [n]) -> []
  source {
    %a = graph.neg %x
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0]
    rule.yield %s
  }
  target {
    %g = graph.neg %y
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0]
    rule.yield %s
  }

// Of the left operand: the cotangent times the transposed right operand.
rule.rule @adjoint_of_matmul_lhs(%x: [b, m, k], %w: [b, k, n], %y: [b, m, n]) -> []
  source {
    %a = graph.matmul %x, %w
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  target {
    %g = graph.matmul %y, %w transpose_b
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }

// The same where the left operand is given transposed.
rule.rule @adjoint_of_matmul_lhs_transposed(%x: [k, m], %w: [k, n], %y: [m, n]) -> []
  source {
    %a = graph.matmul %x, %w transpose_a
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %g = graph.matmul %w, %y transpose_b
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }

// The same where the right operand is given transposed.
rule.rule @adjoint_of_matmul_lhs_rhs_transposed(%x: [b, m, k], %w: [b, n, k], %y: [b, m, n]) -> []
  source {
    %a = graph.matmul %x, %w transpose_b
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  target {
    %g = graph.matmul %y, %w
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }

// The same where one matrix serves all batches.
rule.rule @adjoint_of_matmul_lhs_broadcast(%x: [m, k], %w: [b, k, n], %y: [b, m, n]) -> []
  source {
    %a = graph.matmul %x, %w
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  target {
    %0 = graph.matmul %y, %w transpose_b
    %g = graph.reduce_sum %0 axes = [0]
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }

// Of the right operand: the transposed left operand times the cotangent.
rule.rule @adjoint_of_matmul_rhs(%x: [b, k, n], %w: [b, m, k], %y: [b, m, n]) -> []
  source {
    %a = graph.matmul %w, %x
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  target {
    %g = graph.matmul %w, %y transpose_a
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }

// The same where the right operand is given transposed.
rule.rule @adjoint_of_matmul_rhs_transposed(%x: [b, n, k], %w: [b, m, k], %y: [b, m, n]) -> []
  source {
    %a = graph.matmul %w, %x transpose_b
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  target {
    %g = graph.matmul %y, %w transpose_a
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }

// The same where one matrix serves all batches: the batches become rows, and one
// product sums over them.
rule.rule @adjoint_of_matmul_rhs_shared(%x: [k, n], %l: [b, m, k], %y: [b, m, n]) -> []
  source {
    %a = graph.matmul %l, %x
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  target {
    %0 = graph.reshape %l shape = [b * m, k]
    %1 = graph.reshape %y shape = [b * m, n]
    %g = graph.matmul %0, %1 transpose_a
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  where [m >= 1]

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
