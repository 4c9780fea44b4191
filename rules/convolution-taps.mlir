// Convolutions taken apart by the taps of their kernels: as matmuls, and as other
// convolutions (entries 32, 34, 35, 36 and 38).
//
// Kernels are [o, c, r, s], with strides [u, v], dilations [d, f] and pads
// [t, l, b, e]: top, left, bottom, end. Where the number of ops depends on the
// kernel's size or the stride, it is 3 x 3 or 2 here.
//
// `tenon-rules prove rules/convolution-taps.mlir` proves them for all sizes.

// 34. A 3 x 3 convolution is the sum of nine matmuls, one for each tap, of the
// input shifted by it. (k x k: k^2 of them.)
!kx = tensor<?x?x?x?xf32, #graph.dims<n, h, w, c>>
!ka = tensor<?x?x3x3xf32, #graph.dims<o, c, 3, 3>>
!ky = tensor<?x?x?x?xf32, #graph.dims<n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, o>>
rule.rule @conv3x3_to_shifted_matmuls(%x: !kx, %a: !ka) -> !ky
  source {
    %0 = graph.conv %x, %a strides = [u, v] pads = [t, l, b, e] dilations = [1, 1] groups = 1 channels_last
    rule.yield %0
  }
  target {
    %p = graph.pad %x low = [0, t, l, 0] high = [0, b, e, 0] constant value = 0.0
    %x00 = graph.slice %p starts = [0, 0, 0, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1]
    %a00 = graph.slice %a starts = [0, 0, 0, 0] sizes = [o, c, 1, 1] steps = [1, 1, 1, 1]
    %w00 = graph.reshape %a00 shape = [o, c]
    %y00 = graph.matmul %x00, %w00 transpose_b
    %x01 = graph.slice %p starts = [0, 0, 1, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1]
    %a01 = graph.slice %a starts = [0, 0, 0, 1] sizes = [o, c, 1, 1] steps = [1, 1, 1, 1]
    %w01 = graph.reshape %a01 shape = [o, c]
    %y01 = graph.matmul %x01, %w01 transpose_b
    %s01 = graph.add %y00, %y01
    %x02 = graph.slice %p starts = [0, 0, 2, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1]
    %a02 = graph.slice %a starts = [0, 0, 0, 2] sizes = [o, c, 1, 1] steps = [1, 1, 1, 1]
    %w02 = graph.reshape %a02 shape = [o, c]
    %y02 = graph.matmul %x02, %w02 transpose_b
    %s02 = graph.add %s01, %y02
    %x10 = graph.slice %p starts = [0, 1, 0, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1]
    %a10 = graph.slice %a starts = [0, 0, 1, 0] sizes = [o, c, 1, 1] steps = [1, 1, 1, 1]
    %w10 = graph.reshape %a10 shape = [o, c]
    %y10 = graph.matmul %x10, %w10 transpose_b
    %s10 = graph.add %s02, %y10
    %x11 = graph.slice %p starts = [0, 1, 1, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1]
    %a11 = graph.slice %a starts = [0, 0, 1, 1] sizes = [o, c, 1, 1] steps = [1, 1, 1, 1]
    %w11 = graph.reshape %a11 shape = [o, c]
    %y11 = graph.matmul %x11, %w11 transpose_b
    %s11 = graph.add %s10, %y11
    %x12 = graph.slice %p starts = [0, 1, 2, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1]
    %a12 = graph.slice %a starts = [0, 0, 1, 2] sizes = [o, c, 1, 1] steps = [1, 1, 1, 1]
    %w12 = graph.reshape %a12 shape = [o, c]
    %y12 = graph.matmul %x12, %w12 transpose_b
    %s12 = graph.add %s11, %y12
    %x20 = graph.slice %p starts = [0, 2, 0, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1]
    %a20 = graph.slice %a starts = [0, 0, 2, 0] sizes = [o, c, 1, 1] steps = [1, 1, 1, 1]
    %w20 = graph.reshape %a20 shape = [o, c]
    %y20 = graph.matmul %x20, %w20 transpose_b
    %s20 = graph.add %s12, %y20
    %x21 = graph.slice %p starts = [0, 2, 1, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1]
    %a21 = graph.slice %a starts = [0, 0, 2, 1] sizes = [o, c, 1, 1] steps = [1, 1, 1, 1]
    %w21 = graph.reshape %a21 shape = [o, c]
    %y21 = graph.matmul %x21, %w21 transpose_b
    %s21 = graph.add %s20, %y21
    %x22 = graph.slice %p starts = [0, 2, 2, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1]
    %a22 = graph.slice %a starts = [0, 0, 2, 2] sizes = [o, c, 1, 1] steps = [1, 1, 1, 1]
    %w22 = graph.reshape %a22 shape = [o, c]
    %y22 = graph.matmul %x22, %w22 transpose_b
    %s22 = graph.add %s21, %y22
    rule.yield %s22
  }

// 32. The nine shifted inputs side by side (im2col), times the kernel as a
// matrix. (k x k: k^2 of them.)
rule.rule @conv3x3_to_im2col(%x: !kx, %a: !ka) -> !ky
  source {
    %0 = graph.conv %x, %a strides = [u, v] pads = [t, l, b, e] dilations = [1, 1] groups = 1 channels_last
    rule.yield %0
  }
  target {
    %p = graph.pad %x low = [0, t, l, 0] high = [0, b, e, 0] constant value = 0.0
    %x00 = graph.slice %p starts = [0, 0, 0, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1]
    %x01 = graph.slice %p starts = [0, 0, 1, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1]
    %x02 = graph.slice %p starts = [0, 0, 2, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1]
    %x10 = graph.slice %p starts = [0, 1, 0, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1]
    %x11 = graph.slice %p starts = [0, 1, 1, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1]
    %x12 = graph.slice %p starts = [0, 1, 2, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1]
    %x20 = graph.slice %p starts = [0, 2, 0, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1]
    %x21 = graph.slice %p starts = [0, 2, 1, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1]
    %x22 = graph.slice %p starts = [0, 2, 2, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1]
    %cols = graph.concat %x00, %x01, %x02, %x10, %x11, %x12, %x20, %x21, %x22 axis = 3
    %at = graph.transpose %a perm = [0, 2, 3, 1]
    %w = graph.reshape %at shape = [o, 9 * c]
    %y = graph.matmul %cols, %w transpose_b
    rule.yield %y
  }

// 35. A transposed convolution of stride 2 is four convolutions, one for each
// parity of the row and the column of the output, with every other tap of the
// kernel, and their results interleaved. (Stride s: s^2 of them.)
!tx = tensor<?x?x?x?xf32, #graph.dims<n, c, h, w>>
!ta = tensor<?x?x?x?xf32, #graph.dims<c, o, r, s>>
!ty = tensor<?x?x?x?xf32, #graph.dims<n, o, 2 * h + r + g - t - b - 2, 2 * w + s + k - l - e - 2>>
rule.rule @conv_transpose_to_convs(%x: !tx, %a: !ta) -> !ty
  source {
    %0 = graph.conv_transpose %x, %a strides = [2, 2] pads = [t, l, b, e] dilations = [1, 1] output_padding = [g, k] groups = 1
    rule.yield %0
  }
  target {
    %ae = graph.pad %a low = [0, 0, 0, 0] high = [0, 0, 2 * ((r + 1) floordiv 2) - r, 2 * ((s + 1) floordiv 2) - s] constant value = 0.0
    %a00 = graph.slice %ae starts = [0, 0, 0, 0] sizes = [c, o, (r + 1) floordiv 2, (s + 1) floordiv 2] steps = [1, 1, 2, 2]
    %r00 = graph.reverse %a00 axes = [2, 3]
    %w00 = graph.transpose %r00 perm = [1, 0, 2, 3]
    %y00 = graph.conv %x, %w00 strides = [1, 1] pads = [(r + 1) floordiv 2 - 1, (s + 1) floordiv 2 - 1, (r + 1) floordiv 2 - 1, (s + 1) floordiv 2 - 1] dilations = [1, 1] groups = 1 channels_first
    %z00 = graph.reshape %y00 shape = [n, o, h + (r + 1) floordiv 2 - 1, 1, w + (s + 1) floordiv 2 - 1, 1]
    %a01 = graph.slice %ae starts = [0, 0, 0, 1] sizes = [c, o, (r + 1) floordiv 2, (s + 1) floordiv 2] steps = [1, 1, 2, 2]
    %r01 = graph.reverse %a01 axes = [2, 3]
    %w01 = graph.transpose %r01 perm = [1, 0, 2, 3]
    %y01 = graph.conv %x, %w01 strides = [1, 1] pads = [(r + 1) floordiv 2 - 1, (s + 1) floordiv 2 - 1, (r + 1) floordiv 2 - 1, (s + 1) floordiv 2 - 1] dilations = [1, 1] groups = 1 channels_first
    %z01 = graph.reshape %y01 shape = [n, o, h + (r + 1) floordiv 2 - 1, 1, w + (s + 1) floordiv 2 - 1, 1]
    %a10 = graph.slice %ae starts = [0, 0, 1, 0] sizes = [c, o, (r + 1) floordiv 2, (s + 1) floordiv 2] steps = [1, 1, 2, 2]
    %r10 = graph.reverse %a10 axes = [2, 3]
    %w10 = graph.transpose %r10 perm = [1, 0, 2, 3]
    %y10 = graph.conv %x, %w10 strides = [1, 1] pads = [(r + 1) floordiv 2 - 1, (s + 1) floordiv 2 - 1, (r + 1) floordiv 2 - 1, (s + 1) floordiv 2 - 1] dilations = [1, 1] groups = 1 channels_first
    %z10 = graph.reshape %y10 shape = [n, o, h + (r + 1) floordiv 2 - 1, 1, w + (s + 1) floordiv 2 - 1, 1]
    %a11 = graph.slice %ae starts = [0, 0, 1, 1] sizes = [c, o, (r + 1) floordiv 2, (s + 1) floordiv 2] steps = [1, 1, 2, 2]
    %r11 = graph.reverse %a11 axes = [2, 3]
    %w11 = graph.transpose %r11 perm = [1, 0, 2, 3]
    %y11 = graph.conv %x, %w11 strides = [1, 1] pads = [(r + 1) floordiv 2 - 1, (s + 1) floordiv 2 - 1, (r + 1) floordiv 2 - 1, (s + 1) floordiv 2 - 1] dilations = [1, 1] groups = 1 channels_first
    %z11 = graph.reshape %y11 shape = [n, o, h + (r + 1) floordiv 2 - 1, 1, w + (s + 1) floordiv 2 - 1, 1]
    %z0 = graph.concat %z00, %z01 axis = 5
    %z1 = graph.concat %z10, %z11 axis = 5
    %z = graph.concat %z0, %z1 axis = 3
    %f = graph.reshape %z shape = [n, o, 2 * (h + (r + 1) floordiv 2 - 1), 2 * (w + (s + 1) floordiv 2 - 1)]
    %y = graph.slice %f starts = [0, 0, t, l] sizes = [n, o, 2 * h + r + g - t - b - 2, 2 * w + s + k - l - e - 2] steps = [1, 1, 1, 1]
    rule.yield %y
  }
  where [h >= 1, w >= 1, r + g <= 2 * ((r + 1) floordiv 2) + b,
         s + k <= 2 * ((s + 1) floordiv 2) + e]

// 36. A 3 x 3 convolution of stride 2 is one of stride 1 over four times the
// channels: those of the even and the odd rows and columns. (Stride s: s^2 times;
// the kernel is padded to a multiple of s.)
!sx = tensor<?x?x?x?xf32, #graph.dims<n, c, h, w>>
!sa = tensor<?x?x3x3xf32, #graph.dims<o, c, 3, 3>>
!sy = tensor<?x?x?x?xf32, #graph.dims<n, o, (h + t + b - 3) floordiv 2 + 1, (w + l + e - 3) floordiv 2 + 1>>
rule.rule @strided_conv_to_space_to_depth(%x: !sx, %a: !sa) -> !sy
  source {
    %0 = graph.conv %x, %a strides = [2, 2] pads = [t, l, b, e] dilations = [1, 1] groups = 1 channels_first
    rule.yield %0
  }
  target {
    %p = graph.pad %x low = [0, 0, t, l] high = [0, 0, 2 * ((h + t + b + 1) floordiv 2) - h - t, 2 * ((w + l + e + 1) floordiv 2) - w - l] constant value = 0.0
    %q = graph.pad %a low = [0, 0, 0, 0] high = [0, 0, 1, 1] constant value = 0.0
    %x00 = graph.slice %p starts = [0, 0, 0, 0] sizes = [n, c, (h + t + b + 1) floordiv 2, (w + l + e + 1) floordiv 2] steps = [1, 1, 2, 2]
    %a00 = graph.slice %q starts = [0, 0, 0, 0] sizes = [o, c, 2, 2] steps = [1, 1, 2, 2]
    %x01 = graph.slice %p starts = [0, 0, 0, 1] sizes = [n, c, (h + t + b + 1) floordiv 2, (w + l + e + 1) floordiv 2] steps = [1, 1, 2, 2]
    %a01 = graph.slice %q starts = [0, 0, 0, 1] sizes = [o, c, 2, 2] steps = [1, 1, 2, 2]
    %x10 = graph.slice %p starts = [0, 0, 1, 0] sizes = [n, c, (h + t + b + 1) floordiv 2, (w + l + e + 1) floordiv 2] steps = [1, 1, 2, 2]
    %a10 = graph.slice %q starts = [0, 0, 1, 0] sizes = [o, c, 2, 2] steps = [1, 1, 2, 2]
    %x11 = graph.slice %p starts = [0, 0, 1, 1] sizes = [n, c, (h + t + b + 1) floordiv 2, (w + l + e + 1) floordiv 2] steps = [1, 1, 2, 2]
    %a11 = graph.slice %q starts = [0, 0, 1, 1] sizes = [o, c, 2, 2] steps = [1, 1, 2, 2]
    %x4 = graph.concat %x00, %x01, %x10, %x11 axis = 1
    %ac = graph.concat %a00, %a01, %a10, %a11 axis = 1
    %y = graph.conv %x4, %ac strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] groups = 1 channels_first
    rule.yield %y
  }

// 38. A dilated kernel is a larger one with zeros between its taps.
!dx = tensor<?x?x?x?xf32, #graph.dims<n, c, h, w>>
!da = tensor<?x?x?x?xf32, #graph.dims<o, c, r, s>>
!dy = tensor<?x?x?x?xf32, #graph.dims<n, o, (h + t + b - d * (r - 1) - 1) floordiv u + 1, (w + l + e - f * (s - 1) - 1) floordiv v + 1>>
rule.rule @dilated_to_dense(%x: !dx, %a: !da) -> !dy
  source {
    %0 = graph.conv %x, %a strides = [u, v] pads = [t, l, b, e] dilations = [d, f] groups = 1 channels_first
    rule.yield %0
  }
  target {
    %0 = graph.reshape %a shape = [o, c, r, 1, s, 1]
    %1 = graph.pad %0 low = [0, 0, 0, 0, 0, 0] high = [0, 0, 0, d - 1, 0, f - 1] constant value = 0.0
    %2 = graph.reshape %1 shape = [o, c, d * r, f * s]
    %3 = graph.slice %2 starts = [0, 0, 0, 0] sizes = [o, c, d * (r - 1) + 1, f * (s - 1) + 1] steps = [1, 1, 1, 1]
    %4 = graph.conv %x, %3 strides = [u, v] pads = [t, l, b, e] dilations = [1, 1] groups = 1 channels_first
    rule.yield %4
  }
