// Convolutions with other kernels: enlarged, taken apart, multiplied out, and
// kernels that are poolings or nothing (entries 30, 43, 44 and 47 to 50).
//
// Inputs are [n, c, h, w] and kernels [o, c, r, s], with strides [u, v],
// dilations [d, f] and pads [t, l, b, e]: top, left, bottom, end.
//
// `tenon-rules prove rules/convolution-kernels.mlir` proves them for all sizes.

!x = tensor<?x?x?x?xf32, #graph.dims<n, c, h, w>>

// 30. A ring of zeros around the kernel, and as much more padding. (More rings:
// again.)
!gx = tensor<?x?x?x?xf32, #graph.dims<n, g * k, h, w>>
!gk = tensor<?x?x?x?xf32, #graph.dims<o, k, r, s>>
!gy = tensor<?x?x?x?xf32, #graph.dims<n, o, (h + t + b - r) floordiv u + 1, (w + l + e - s) floordiv v + 1>>
rule.rule @enlarge_kernel(%x: !gx, %k: !gk) -> !gy
  source {
    %0 = graph.conv %x, %k strides = [u, v] pads = [t, l, b, e] dilations = [1, 1] groups = g channels_first
    rule.yield %0
  }
  target {
    %0 = graph.pad %k low = [0, 0, 1, 1] high = [0, 0, 1, 1] constant value = 0.0
    %1 = graph.conv %x, %0 strides = [u, v] pads = [t + 1, l + 1, b + 1, e + 1] dilations = [1, 1] groups = g channels_first
    rule.yield %1
  }

// 30. The same by any number of zeros on each side, so that the convolution has
// the kernel size and the padding of a sibling, with which it can be merged.
!ek = tensor<?x?x?x?xf32, #graph.dims<o, c, r, s>>
!el = tensor<?x?x?x?xf32, #graph.dims<m, c, p, q>>
!ez = tensor<?x?x?x?xf32, #graph.dims<o, c, p, q>>
!ey = tensor<?x?x?x?xf32, #graph.dims<n, o, (h + t + b - r) floordiv u + 1, (w + l + e - s) floordiv v + 1>>
!em = tensor<?x?x?x?xf32, #graph.dims<n, m, (h + T + B - p) floordiv u + 1, (w + L + E - q) floordiv v + 1>>
rule.rule @enlarge_kernel_as_sibling(%x: !x, %k: !ek, %sibling: !el) -> (!ey, !em)
  source {
    %0 = graph.conv %x, %k strides = [u, v] pads = [t, l, b, e] dilations = [1, 1] groups = 1 channels_first
    %1 = graph.conv %x, %sibling strides = [u, v] pads = [T, L, B, E] dilations = [1, 1] groups = 1 channels_first
    rule.yield %0, %1
  }
  target {
    %z = graph.pad %k low = [0, 0, T - t, L - l] high = [0, 0, B - b, E - e] constant value = 0.0 : (!ek) -> !ez
    %0 = graph.conv %x, %z strides = [u, v] pads = [T, L, B, E] dilations = [1, 1] groups = 1 channels_first : (!x, !ez) -> !ey
    %1 = graph.conv %x, %sibling strides = [u, v] pads = [T, L, B, E] dilations = [1, 1] groups = 1 channels_first
    rule.yield %0, %1
  }
  where [T >= t, L >= l, B >= b, E >= e, p == r + T - t + B - b,
         q == s + L - l + E - e]

// 43. Two convolutions with nothing between, the second without padding, are one
// with the kernels convolved: 3 x 3 and 3 x 3 make 5 x 5. (The new kernel's input
// channels are batches while it is made.)
!ka = tensor<?x?x?x?xf32, #graph.dims<m, c, r, s>>
!kb = tensor<?x?x?x?xf32, #graph.dims<o, m, p, q>>
!yc = tensor<?x?x?x?xf32, #graph.dims<n, o, (h + t + b - r - p + 1) floordiv u + 1, (w + l + e - s - q + 1) floordiv v + 1>>
rule.rule @merge_stacked_convs(%x: !x, %a: !ka, %b: !kb) -> !yc
  source {
    %0 = graph.conv %x, %a strides = [1, 1] pads = [t, l, b, e] dilations = [1, 1] groups = 1 channels_first
    %1 = graph.conv %0, %b strides = [u, v] pads = [0, 0, 0, 0] dilations = [1, 1] groups = 1 channels_first
    rule.yield %1
  }
  target {
    %0 = graph.transpose %a perm = [1, 0, 2, 3]
    %1 = graph.reverse %b axes = [2, 3]
    %2 = graph.conv %0, %1 strides = [1, 1] pads = [p - 1, q - 1, p - 1, q - 1] dilations = [1, 1] groups = 1 channels_first
    %3 = graph.transpose %2 perm = [1, 0, 2, 3]
    %4 = graph.conv %x, %3 strides = [u, v] pads = [t, l, b, e] dilations = [1, 1] groups = 1 channels_first
    rule.yield %4
  }

// 44. A 5 x 5 convolution is a 3 x 3 one with four times the channels, one for
// each quarter of the 6 x 6 kernel with zeros at its end, and a sum of its
// results, shifted. (Kernels of k + 2 j rows: as many parts as ceil(k / 3) in
// each direction.)
!k5 = tensor<?x?x5x5xf32, #graph.dims<o, c, 5, 5>>
!y5 = tensor<?x?x?x?xf32, #graph.dims<n, o, h + t + b - 4, w + l + e - 4>>
rule.rule @conv5x5_to_conv3x3(%x: !x, %k: !k5) -> !y5
  source {
    %0 = graph.conv %x, %k strides = [1, 1] pads = [t, l, b, e] dilations = [1, 1] groups = 1 channels_first
    rule.yield %0
  }
  target {
    %k6 = graph.pad %k low = [0, 0, 0, 0] high = [0, 0, 1, 1] constant value = 0.0
    %k00 = graph.slice %k6 starts = [0, 0, 0, 0] sizes = [o, c, 3, 3] steps = [1, 1, 1, 1]
    %k01 = graph.slice %k6 starts = [0, 0, 0, 3] sizes = [o, c, 3, 3] steps = [1, 1, 1, 1]
    %k10 = graph.slice %k6 starts = [0, 0, 3, 0] sizes = [o, c, 3, 3] steps = [1, 1, 1, 1]
    %k11 = graph.slice %k6 starts = [0, 0, 3, 3] sizes = [o, c, 3, 3] steps = [1, 1, 1, 1]
    %parts = graph.concat %k00, %k01, %k10, %k11 axis = 0
    %y = graph.conv %x, %parts strides = [1, 1] pads = [t, l, b + 1, e + 1] dilations = [1, 1] groups = 1 channels_first
    %y00 = graph.slice %y starts = [0, 0, 0, 0] sizes = [n, o, h + t + b - 4, w + l + e - 4] steps = [1, 1, 1, 1]
    %y01 = graph.slice %y starts = [0, o, 0, 3] sizes = [n, o, h + t + b - 4, w + l + e - 4] steps = [1, 1, 1, 1]
    %y10 = graph.slice %y starts = [0, 2 * o, 3, 0] sizes = [n, o, h + t + b - 4, w + l + e - 4] steps = [1, 1, 1, 1]
    %y11 = graph.slice %y starts = [0, 3 * o, 3, 3] sizes = [n, o, h + t + b - 4, w + l + e - 4] steps = [1, 1, 1, 1]
    %y0 = graph.add %y00, %y01
    %y1 = graph.add %y10, %y11
    %sum = graph.add %y0, %y1
    rule.yield %sum
  }

// 47. A convolution along the columns of one along the rows is one of both,
// whose kernel is a matmul over the channels between.
!ra = tensor<?x?x?x1xf32, #graph.dims<m, c, r, 1>>
!rb = tensor<?x?x1x?xf32, #graph.dims<o, m, 1, s>>
!ry = tensor<?x?x?x?xf32, #graph.dims<n, o, (h + t + b - d * (r - 1) - 1) floordiv u + 1, (w + l + e - f * (s - 1) - 1) floordiv v + 1>>
rule.rule @merge_row_and_column_convs(%x: !x, %a: !ra, %b: !rb) -> !ry
  source {
    %0 = graph.conv %x, %a strides = [u, 1] pads = [t, 0, b, 0] dilations = [d, 1] groups = 1 channels_first
    %1 = graph.conv %0, %b strides = [1, v] pads = [0, l, 0, e] dilations = [1, f] groups = 1 channels_first
    rule.yield %1
  }
  target {
    %0 = graph.reshape %a shape = [m, c * r]
    %1 = graph.reshape %b shape = [o, m, s]
    %2 = graph.transpose %1 perm = [0, 2, 1]
    %3 = graph.matmul %2, %0
    %4 = graph.reshape %3 shape = [o, s, c, r]
    %5 = graph.transpose %4 perm = [0, 2, 3, 1]
    %6 = graph.conv %x, %5 strides = [u, v] pads = [t, l, b, e] dilations = [d, f] groups = 1 channels_first
    rule.yield %6
  }

// 47. The same per channel: the kernels are outer products.
!da = tensor<?x1x?x1xf32, #graph.dims<c, 1, r, 1>>
!db = tensor<?x1x1x?xf32, #graph.dims<c, 1, 1, s>>
!dy = tensor<?x?x?x?xf32, #graph.dims<n, c, (h + t + b - d * (r - 1) - 1) floordiv u + 1, (w + l + e - f * (s - 1) - 1) floordiv v + 1>>
rule.rule @merge_row_and_column_depthwise(%x: !x, %a: !da, %b: !db) -> !dy
  source {
    %0 = graph.conv %x, %a strides = [u, 1] pads = [t, 0, b, 0] dilations = [d, 1] groups = c channels_first
    %1 = graph.conv %0, %b strides = [1, v] pads = [0, l, 0, e] dilations = [1, f] groups = c channels_first
    rule.yield %1
  }
  target {
    %0 = graph.matmul %a, %b
    %1 = graph.conv %x, %0 strides = [u, v] pads = [t, l, b, e] dilations = [d, f] groups = c channels_first
    rule.yield %1
  }

// 47. And back: a kernel that is an outer product, so of rank 1 exactly.
rule.rule @split_outer_product_depthwise(%x: !x, %a: !da, %b: !db) -> !dy
  source {
    %0 = graph.matmul %a, %b
    %1 = graph.conv %x, %0 strides = [u, v] pads = [t, l, b, e] dilations = [d, f] groups = c channels_first
    rule.yield %1
  }
  target {
    %0 = graph.conv %x, %a strides = [u, 1] pads = [t, 0, b, 0] dilations = [d, 1] groups = c channels_first
    %1 = graph.conv %0, %b strides = [1, v] pads = [0, l, 0, e] dilations = [1, f] groups = c channels_first
    rule.yield %1
  }
  where [w >= 1]

// 48. A depthwise convolution whose 3 x 3 kernels are 1 in the middle and 0
// around does nothing.
!i3 = tensor<1x1x3x3xf32>
rule.rule @depthwise_identity3x3(%x: !x) -> !x
  source {
    %0 = graph.constant dense<[[[[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]]]> : !i3
    %1 = graph.broadcast %0 shape = [c, 1, 3, 3]
    %2 = graph.conv %x, %1 strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = c channels_first
    rule.yield %2
  }
  target {
    rule.yield %x
  }

// 48. So does one whose 1 x 1 kernels are 1.
!i1 = tensor<?x1x1x1xf32, #graph.dims<c, 1, 1, 1>>
rule.rule @depthwise_ones1x1(%x: !x, %k: !i1) -> !x
  source {
    %0 = graph.conv %x, %k strides = [1, 1] pads = [0, 0, 0, 0] dilations = [d, f] groups = c channels_first
    rule.yield %0
  }
  target {
    rule.yield %x
  }
  where [is_ones(%k)]

// 48. So does a 1 x 1 convolution whose kernel is the identity matrix.
!cc = tensor<?x?xf32, #graph.dims<c, c>>
rule.rule @identity_conv1x1(%x: !x, %i: !cc) -> !x
  source {
    %0 = graph.reshape %i shape = [c, c, 1, 1]
    %1 = graph.conv %x, %0 strides = [1, 1] pads = [0, 0, 0, 0] dilations = [d, f] groups = 1 channels_first
    rule.yield %1
  }
  target {
    rule.yield %x
  }
  where [is_identity(%i)]

// 49. An average pooling that counts its padding is a depthwise convolution with
// 1 / (r * s) at every tap, that is 1 over the sum of as many ones.
!i = tensor<f32>
rule.rule @avg_pool_to_depthwise(%x: !x) -> !dy
  source {
    %0 = graph.avg_pool %x kernel = [r, s] strides = [u, v] pads = [t, l, b, e] dilations = [d, f] channels_first count_include_pad
    rule.yield %0
  }
  target {
    %one = graph.constant dense<1.0> : !i
    %ones = graph.broadcast %one shape = [c, 1, r, s]
    %count = graph.reduce_sum %ones axes = [2, 3] keepdims
    %counts = graph.broadcast %count shape = [c, 1, r, s]
    %k = graph.div %ones, %counts
    %0 = graph.conv %x, %k strides = [u, v] pads = [t, l, b, e] dilations = [d, f] groups = c channels_first
    rule.yield %0
  }
  where [c >= 1]

// 50. The sum of two average poolings of one input, windows and paddings of
// which may differ as in 30, is one depthwise convolution. (Of equal poolings:
// 2 / (r * s) at every tap.)
!py = tensor<?x?x?x?xf32, #graph.dims<n, c, (h + t + b - r) floordiv u + 1, (w + l + e - s) floordiv v + 1>>
rule.rule @add_avg_pools_to_depthwise(%x: !x) -> !py
  source {
    %0 = graph.avg_pool %x kernel = [r, s] strides = [u, v] pads = [t, l, b, e] dilations = [1, 1] channels_first count_include_pad
    %1 = graph.avg_pool %x kernel = [r + T - t + B - b, s + L - l + E - e] strides = [u, v] pads = [T, L, B, E] dilations = [1, 1] channels_first count_include_pad
    %2 = graph.add %0, %1
    rule.yield %2
  }
  target {
    %one = graph.constant dense<1.0> : !i
    %small = graph.broadcast %one shape = [c, 1, r, s]
    %scount = graph.reduce_sum %small axes = [2, 3] keepdims
    %scounts = graph.broadcast %scount shape = [c, 1, r, s]
    %smean = graph.div %small, %scounts
    %spadded = graph.pad %smean low = [0, 0, T - t, L - l] high = [0, 0, B - b, E - e] constant value = 0.0
    %large = graph.broadcast %one shape = [c, 1, r + T - t + B - b, s + L - l + E - e]
    %lcount = graph.reduce_sum %large axes = [2, 3] keepdims
    %lcounts = graph.broadcast %lcount shape = [c, 1, r + T - t + B - b, s + L - l + E - e]
    %lmean = graph.div %large, %lcounts
    %k = graph.add %spadded, %lmean
    %0 = graph.conv %x, %k strides = [u, v] pads = [T, L, B, E] dilations = [1, 1] groups = c channels_first
    rule.yield %0
  }
  where [c >= 1, T >= t, L >= l, B >= b, E >= e]

// 50. The same average pooling of two inputs, added, is one of the sum of the
// inputs.
rule.rule @add_inputs_of_avg_pools(%x: !x, %y: !x) -> !dy
  source {
    %0 = graph.avg_pool %x kernel = [r, s] strides = [u, v] pads = [t, l, b, e] dilations = [d, f] channels_first count_include_pad
    %1 = graph.avg_pool %y kernel = [r, s] strides = [u, v] pads = [t, l, b, e] dilations = [d, f] channels_first count_include_pad
    %2 = graph.add %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.add %x, %y
    %1 = graph.avg_pool %0 kernel = [r, s] strides = [u, v] pads = [t, l, b, e] dilations = [d, f] channels_first count_include_pad
    rule.yield %1
  }
