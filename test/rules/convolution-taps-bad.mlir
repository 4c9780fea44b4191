// Negative tests for rules/convolution-taps.mlir: taps, phases or ends swapped. Each is
// refuted.
// RUN: not tenon-rules prove %s 2>&1 | FileCheck %s
// The proofs themselves find none of them, without trying small sizes first.
// RUN: not tenon-rules prove --without-refuting --rlimit 100000 %s 2>&1 | FileCheck %s --check-prefix=PROOF
// PROOF: 0 proved, 11 unknown
// REQUIRES: z3
// REQUIRES: slow

!kx = tensor<?x?x?x?xf32, #graph.dims<n, h, w, c>>
!ka = tensor<?x?x3x3xf32, #graph.dims<o, c, 3, 3>>
!ky = tensor<?x?x?x?xf32, #graph.dims<n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, o>>
!kz = tensor<?x?x?x?xf32, #graph.dims<n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c>>
!kxp = tensor<?x?x?x?xf32, #graph.dims<n, h + t + b, w + l + e, c>>
!ka1 = tensor<?x?x1x1xf32, #graph.dims<o, c, 1, 1>>
!koc = tensor<?x?xf32, #graph.dims<o, c>>
!kz9 = tensor<?x?x?x?xf32, #graph.dims<n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, 9 * c>>
!koc9 = tensor<?x?xf32, #graph.dims<o, 9 * c>>
!tx = tensor<?x?x?x?xf32, #graph.dims<n, c, h, w>>
!ta = tensor<?x?x?x?xf32, #graph.dims<c, o, r, s>>
!ty = tensor<?x?x?x?xf32, #graph.dims<n, o, 2 * h + r + g - t - b - 2, 2 * w + s + k - l - e - 2>>
!tae = tensor<?x?x?x?xf32, #graph.dims<c, o, 2 * ((r + 1) floordiv 2), 2 * ((s + 1) floordiv 2)>>
!tap = tensor<?x?x?x?xf32, #graph.dims<c, o, (r + 1) floordiv 2, (s + 1) floordiv 2>>
!tat = tensor<?x?x?x?xf32, #graph.dims<o, c, (r + 1) floordiv 2, (s + 1) floordiv 2>>
!tz = tensor<?x?x?x?xf32, #graph.dims<n, o, h + (r + 1) floordiv 2 - 1, w + (s + 1) floordiv 2 - 1>>
!tz1 = tensor<?x?x?x1x?x1xf32, #graph.dims<n, o, h + (r + 1) floordiv 2 - 1, 1, w + (s + 1) floordiv 2 - 1, 1>>
!tz2 = tensor<?x?x?x1x?x2xf32, #graph.dims<n, o, h + (r + 1) floordiv 2 - 1, 1, w + (s + 1) floordiv 2 - 1, 2>>
!tz4 = tensor<?x?x?x2x?x2xf32, #graph.dims<n, o, h + (r + 1) floordiv 2 - 1, 2, w + (s + 1) floordiv 2 - 1, 2>>
!tzf = tensor<?x?x?x?xf32, #graph.dims<n, o, 2 * (h + (r + 1) floordiv 2 - 1), 2 * (w + (s + 1) floordiv 2 - 1)>>
!sx = tensor<?x?x?x?xf32, #graph.dims<n, c, h, w>>
!sa = tensor<?x?x3x3xf32, #graph.dims<o, c, 3, 3>>
!sy = tensor<?x?x?x?xf32, #graph.dims<n, o, (h + t + b - 3) floordiv 2 + 1, (w + l + e - 3) floordiv 2 + 1>>
!sxp = tensor<?x?x?x?xf32, #graph.dims<n, c, 2 * ((h + t + b + 1) floordiv 2), 2 * ((w + l + e + 1) floordiv 2)>>
!sx2 = tensor<?x?x?x?xf32, #graph.dims<n, c, (h + t + b + 1) floordiv 2, (w + l + e + 1) floordiv 2>>
!sx4 = tensor<?x?x?x?xf32, #graph.dims<n, 4 * c, (h + t + b + 1) floordiv 2, (w + l + e + 1) floordiv 2>>
!sa4 = tensor<?x?x4x4xf32, #graph.dims<o, c, 4, 4>>
!sa2 = tensor<?x?x2x2xf32, #graph.dims<o, c, 2, 2>>
!sac = tensor<?x?x2x2xf32, #graph.dims<o, 4 * c, 2, 2>>
!dx = tensor<?x?x?x?xf32, #graph.dims<n, c, h, w>>
!da = tensor<?x?x?x?xf32, #graph.dims<o, c, r, s>>
!dy = tensor<?x?x?x?xf32, #graph.dims<n, o, (h + t + b - d * (r - 1) - 1) floordiv u + 1, (w + l + e - f * (s - 1) - 1) floordiv v + 1>>
!da6 = tensor<?x?x?x1x?x1xf32, #graph.dims<o, c, r, 1, s, 1>>
!dap = tensor<?x?x?x?x?x?xf32, #graph.dims<o, c, r, d, s, f>>
!dar = tensor<?x?x?x?xf32, #graph.dims<o, c, d * r, f * s>>
!daz = tensor<?x?x?x?xf32, #graph.dims<o, c, d * (r - 1) + 1, f * (s - 1) + 1>>

// Two taps change places.
// CHECK: refuted conv3x3_to_swapped_matmuls
rule.rule @conv3x3_to_swapped_matmuls(%x: !kx, %a: !ka) -> !ky
  source {
    %0 = graph.conv %x, %a strides = [u, v] pads = [t, l, b, e] dilations = [1, 1] groups = 1 channels_last : (!kx, !ka) -> !ky
    rule.yield %0 : !ky
  }
  target {
    %p = graph.pad %x low = [0, t, l, 0] high = [0, b, e, 0] constant value = 0.0 : (!kx) -> !kxp
    %x00 = graph.slice %p starts = [0, 0, 0, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1] : (!kxp) -> !kz
    %a00 = graph.slice %a starts = [0, 0, 0, 0] sizes = [o, c, 1, 1] steps = [1, 1, 1, 1] : (!ka) -> !ka1
    %w00 = graph.reshape %a00 shape = [o, c] : (!ka1) -> !koc
    %y00 = graph.matmul %x00, %w00 transpose_b : (!kz, !koc) -> !ky
    %x01 = graph.slice %p starts = [0, 0, 1, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1] : (!kxp) -> !kz
    %a01 = graph.slice %a starts = [0, 0, 1, 0] sizes = [o, c, 1, 1] steps = [1, 1, 1, 1] : (!ka) -> !ka1
    %w01 = graph.reshape %a01 shape = [o, c] : (!ka1) -> !koc
    %y01 = graph.matmul %x01, %w01 transpose_b : (!kz, !koc) -> !ky
    %s01 = graph.add %y00, %y01 : !ky
    %x02 = graph.slice %p starts = [0, 0, 2, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1] : (!kxp) -> !kz
    %a02 = graph.slice %a starts = [0, 0, 0, 2] sizes = [o, c, 1, 1] steps = [1, 1, 1, 1] : (!ka) -> !ka1
    %w02 = graph.reshape %a02 shape = [o, c] : (!ka1) -> !koc
    %y02 = graph.matmul %x02, %w02 transpose_b : (!kz, !koc) -> !ky
    %s02 = graph.add %s01, %y02 : !ky
    %x10 = graph.slice %p starts = [0, 1, 0, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1] : (!kxp) -> !kz
    %a10 = graph.slice %a starts = [0, 0, 1, 0] sizes = [o, c, 1, 1] steps = [1, 1, 1, 1] : (!ka) -> !ka1
    %w10 = graph.reshape %a10 shape = [o, c] : (!ka1) -> !koc
    %y10 = graph.matmul %x10, %w10 transpose_b : (!kz, !koc) -> !ky
    %s10 = graph.add %s02, %y10 : !ky
    %x11 = graph.slice %p starts = [0, 1, 1, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1] : (!kxp) -> !kz
    %a11 = graph.slice %a starts = [0, 0, 1, 1] sizes = [o, c, 1, 1] steps = [1, 1, 1, 1] : (!ka) -> !ka1
    %w11 = graph.reshape %a11 shape = [o, c] : (!ka1) -> !koc
    %y11 = graph.matmul %x11, %w11 transpose_b : (!kz, !koc) -> !ky
    %s11 = graph.add %s10, %y11 : !ky
    %x12 = graph.slice %p starts = [0, 1, 2, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1] : (!kxp) -> !kz
    %a12 = graph.slice %a starts = [0, 0, 1, 2] sizes = [o, c, 1, 1] steps = [1, 1, 1, 1] : (!ka) -> !ka1
    %w12 = graph.reshape %a12 shape = [o, c] : (!ka1) -> !koc
    %y12 = graph.matmul %x12, %w12 transpose_b : (!kz, !koc) -> !ky
    %s12 = graph.add %s11, %y12 : !ky
    %x20 = graph.slice %p starts = [0, 2, 0, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1] : (!kxp) -> !kz
    %a20 = graph.slice %a starts = [0, 0, 2, 0] sizes = [o, c, 1, 1] steps = [1, 1, 1, 1] : (!ka) -> !ka1
    %w20 = graph.reshape %a20 shape = [o, c] : (!ka1) -> !koc
    %y20 = graph.matmul %x20, %w20 transpose_b : (!kz, !koc) -> !ky
    %s20 = graph.add %s12, %y20 : !ky
    %x21 = graph.slice %p starts = [0, 2, 1, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1] : (!kxp) -> !kz
    %a21 = graph.slice %a starts = [0, 0, 2, 1] sizes = [o, c, 1, 1] steps = [1, 1, 1, 1] : (!ka) -> !ka1
    %w21 = graph.reshape %a21 shape = [o, c] : (!ka1) -> !koc
    %y21 = graph.matmul %x21, %w21 transpose_b : (!kz, !koc) -> !ky
    %s21 = graph.add %s20, %y21 : !ky
    %x22 = graph.slice %p starts = [0, 2, 2, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1] : (!kxp) -> !kz
    %a22 = graph.slice %a starts = [0, 0, 2, 2] sizes = [o, c, 1, 1] steps = [1, 1, 1, 1] : (!ka) -> !ka1
    %w22 = graph.reshape %a22 shape = [o, c] : (!ka1) -> !koc
    %y22 = graph.matmul %x22, %w22 transpose_b : (!kz, !koc) -> !ky
    %s22 = graph.add %s21, %y22 : !ky
    rule.yield %s22 : !ky
  }

// A shift of two rows in place of one.
// CHECK: refuted conv3x3_to_strided_matmuls
rule.rule @conv3x3_to_strided_matmuls(%x: !kx, %a: !ka) -> !ky
  source {
    %0 = graph.conv %x, %a strides = [u, v] pads = [t, l, b, e] dilations = [1, 1] groups = 1 channels_last : (!kx, !ka) -> !ky
    rule.yield %0 : !ky
  }
  target {
    %p = graph.pad %x low = [0, t, l, 0] high = [0, b, e, 0] constant value = 0.0 : (!kx) -> !kxp
    %x00 = graph.slice %p starts = [0, 0, 0, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1] : (!kxp) -> !kz
    %a00 = graph.slice %a starts = [0, 0, 0, 0] sizes = [o, c, 1, 1] steps = [1, 1, 1, 1] : (!ka) -> !ka1
    %w00 = graph.reshape %a00 shape = [o, c] : (!ka1) -> !koc
    %y00 = graph.matmul %x00, %w00 transpose_b : (!kz, !koc) -> !ky
    %x01 = graph.slice %p starts = [0, 0, 1, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1] : (!kxp) -> !kz
    %a01 = graph.slice %a starts = [0, 0, 0, 1] sizes = [o, c, 1, 1] steps = [1, 1, 1, 1] : (!ka) -> !ka1
    %w01 = graph.reshape %a01 shape = [o, c] : (!ka1) -> !koc
    %y01 = graph.matmul %x01, %w01 transpose_b : (!kz, !koc) -> !ky
    %s01 = graph.add %y00, %y01 : !ky
    %x02 = graph.slice %p starts = [0, 0, 2, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1] : (!kxp) -> !kz
    %a02 = graph.slice %a starts = [0, 0, 0, 2] sizes = [o, c, 1, 1] steps = [1, 1, 1, 1] : (!ka) -> !ka1
    %w02 = graph.reshape %a02 shape = [o, c] : (!ka1) -> !koc
    %y02 = graph.matmul %x02, %w02 transpose_b : (!kz, !koc) -> !ky
    %s02 = graph.add %s01, %y02 : !ky
    %x10 = graph.slice %p starts = [0, 2, 0, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1] : (!kxp) -> !kz
    %a10 = graph.slice %a starts = [0, 0, 1, 0] sizes = [o, c, 1, 1] steps = [1, 1, 1, 1] : (!ka) -> !ka1
    %w10 = graph.reshape %a10 shape = [o, c] : (!ka1) -> !koc
    %y10 = graph.matmul %x10, %w10 transpose_b : (!kz, !koc) -> !ky
    %s10 = graph.add %s02, %y10 : !ky
    %x11 = graph.slice %p starts = [0, 1, 1, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1] : (!kxp) -> !kz
    %a11 = graph.slice %a starts = [0, 0, 1, 1] sizes = [o, c, 1, 1] steps = [1, 1, 1, 1] : (!ka) -> !ka1
    %w11 = graph.reshape %a11 shape = [o, c] : (!ka1) -> !koc
    %y11 = graph.matmul %x11, %w11 transpose_b : (!kz, !koc) -> !ky
    %s11 = graph.add %s10, %y11 : !ky
    %x12 = graph.slice %p starts = [0, 1, 2, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1] : (!kxp) -> !kz
    %a12 = graph.slice %a starts = [0, 0, 1, 2] sizes = [o, c, 1, 1] steps = [1, 1, 1, 1] : (!ka) -> !ka1
    %w12 = graph.reshape %a12 shape = [o, c] : (!ka1) -> !koc
    %y12 = graph.matmul %x12, %w12 transpose_b : (!kz, !koc) -> !ky
    %s12 = graph.add %s11, %y12 : !ky
    %x20 = graph.slice %p starts = [0, 2, 0, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1] : (!kxp) -> !kz
    %a20 = graph.slice %a starts = [0, 0, 2, 0] sizes = [o, c, 1, 1] steps = [1, 1, 1, 1] : (!ka) -> !ka1
    %w20 = graph.reshape %a20 shape = [o, c] : (!ka1) -> !koc
    %y20 = graph.matmul %x20, %w20 transpose_b : (!kz, !koc) -> !ky
    %s20 = graph.add %s12, %y20 : !ky
    %x21 = graph.slice %p starts = [0, 2, 1, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1] : (!kxp) -> !kz
    %a21 = graph.slice %a starts = [0, 0, 2, 1] sizes = [o, c, 1, 1] steps = [1, 1, 1, 1] : (!ka) -> !ka1
    %w21 = graph.reshape %a21 shape = [o, c] : (!ka1) -> !koc
    %y21 = graph.matmul %x21, %w21 transpose_b : (!kz, !koc) -> !ky
    %s21 = graph.add %s20, %y21 : !ky
    %x22 = graph.slice %p starts = [0, 2, 2, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1] : (!kxp) -> !kz
    %a22 = graph.slice %a starts = [0, 0, 2, 2] sizes = [o, c, 1, 1] steps = [1, 1, 1, 1] : (!ka) -> !ka1
    %w22 = graph.reshape %a22 shape = [o, c] : (!ka1) -> !koc
    %y22 = graph.matmul %x22, %w22 transpose_b : (!kz, !koc) -> !ky
    %s22 = graph.add %s21, %y22 : !ky
    rule.yield %s22 : !ky
  }

// The kernel is a matrix with the taps inside of the channels, the input has them outside.
// CHECK: refuted conv3x3_to_im2col_by_channels
rule.rule @conv3x3_to_im2col_by_channels(%x: !kx, %a: !ka) -> !ky
  source {
    %0 = graph.conv %x, %a strides = [u, v] pads = [t, l, b, e] dilations = [1, 1] groups = 1 channels_last : (!kx, !ka) -> !ky
    rule.yield %0 : !ky
  }
  target {
    %p = graph.pad %x low = [0, t, l, 0] high = [0, b, e, 0] constant value = 0.0 : (!kx) -> !kxp
    %x00 = graph.slice %p starts = [0, 0, 0, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1] : (!kxp) -> !kz
    %x01 = graph.slice %p starts = [0, 0, 1, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1] : (!kxp) -> !kz
    %x02 = graph.slice %p starts = [0, 0, 2, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1] : (!kxp) -> !kz
    %x10 = graph.slice %p starts = [0, 1, 0, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1] : (!kxp) -> !kz
    %x11 = graph.slice %p starts = [0, 1, 1, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1] : (!kxp) -> !kz
    %x12 = graph.slice %p starts = [0, 1, 2, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1] : (!kxp) -> !kz
    %x20 = graph.slice %p starts = [0, 2, 0, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1] : (!kxp) -> !kz
    %x21 = graph.slice %p starts = [0, 2, 1, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1] : (!kxp) -> !kz
    %x22 = graph.slice %p starts = [0, 2, 2, 0] sizes = [n, (h + t + b - 3) floordiv u + 1, (w + l + e - 3) floordiv v + 1, c] steps = [1, u, v, 1] : (!kxp) -> !kz
    %cols = graph.concat %x00, %x01, %x02, %x10, %x11, %x12, %x20, %x21, %x22 axis = 3 : (!kz, !kz, !kz, !kz, !kz, !kz, !kz, !kz, !kz) -> !kz9
    %w = graph.reshape %a shape = [o, 9 * c] : (!ka) -> !koc9
    %y = graph.matmul %cols, %w transpose_b : (!kz9, !koc9) -> !ky
    rule.yield %y : !ky
  }

// The taps are not reversed.
// CHECK: refuted conv_transpose_unreversed
rule.rule @conv_transpose_unreversed(%x: !tx, %a: !ta) -> !ty
  source {
    %0 = graph.conv_transpose %x, %a strides = [2, 2] pads = [t, l, b, e] dilations = [1, 1] output_padding = [g, k] groups = 1 : (!tx, !ta) -> !ty
    rule.yield %0 : !ty
  }
  target {
    %ae = graph.pad %a low = [0, 0, 0, 0] high = [0, 0, 2 * ((r + 1) floordiv 2) - r, 2 * ((s + 1) floordiv 2) - s] constant value = 0.0 : (!ta) -> !tae
    %a00 = graph.slice %ae starts = [0, 0, 0, 0] sizes = [c, o, (r + 1) floordiv 2, (s + 1) floordiv 2] steps = [1, 1, 2, 2] : (!tae) -> !tap
    %r00 = graph.reverse %a00 axes = [2, 3] : !tap
    %w00 = graph.transpose %r00 perm = [1, 0, 2, 3] : (!tap) -> !tat
    %y00 = graph.conv %x, %w00 strides = [1, 1] pads = [(r + 1) floordiv 2 - 1, (s + 1) floordiv 2 - 1, (r + 1) floordiv 2 - 1, (s + 1) floordiv 2 - 1] dilations = [1, 1] groups = 1 channels_first : (!tx, !tat) -> !tz
    %z00 = graph.reshape %y00 shape = [n, o, h + (r + 1) floordiv 2 - 1, 1, w + (s + 1) floordiv 2 - 1, 1] : (!tz) -> !tz1
    %a01 = graph.slice %ae starts = [0, 0, 0, 1] sizes = [c, o, (r + 1) floordiv 2, (s + 1) floordiv 2] steps = [1, 1, 2, 2] : (!tae) -> !tap
    %r01 = graph.reverse %a01 axes = [2] : !tap
    %w01 = graph.transpose %r01 perm = [1, 0, 2, 3] : (!tap) -> !tat
    %y01 = graph.conv %x, %w01 strides = [1, 1] pads = [(r + 1) floordiv 2 - 1, (s + 1) floordiv 2 - 1, (r + 1) floordiv 2 - 1, (s + 1) floordiv 2 - 1] dilations = [1, 1] groups = 1 channels_first : (!tx, !tat) -> !tz
    %z01 = graph.reshape %y01 shape = [n, o, h + (r + 1) floordiv 2 - 1, 1, w + (s + 1) floordiv 2 - 1, 1] : (!tz) -> !tz1
    %a10 = graph.slice %ae starts = [0, 0, 1, 0] sizes = [c, o, (r + 1) floordiv 2, (s + 1) floordiv 2] steps = [1, 1, 2, 2] : (!tae) -> !tap
    %r10 = graph.reverse %a10 axes = [2, 3] : !tap
    %w10 = graph.transpose %r10 perm = [1, 0, 2, 3] : (!tap) -> !tat
    %y10 = graph.conv %x, %w10 strides = [1, 1] pads = [(r + 1) floordiv 2 - 1, (s + 1) floordiv 2 - 1, (r + 1) floordiv 2 - 1, (s + 1) floordiv 2 - 1] dilations = [1, 1] groups = 1 channels_first : (!tx, !tat) -> !tz
    %z10 = graph.reshape %y10 shape = [n, o, h + (r + 1) floordiv 2 - 1, 1, w + (s + 1) floordiv 2 - 1, 1] : (!tz) -> !tz1
    %a11 = graph.slice %ae starts = [0, 0, 1, 1] sizes = [c, o, (r + 1) floordiv 2, (s + 1) floordiv 2] steps = [1, 1, 2, 2] : (!tae) -> !tap
    %r11 = graph.reverse %a11 axes = [2, 3] : !tap
    %w11 = graph.transpose %r11 perm = [1, 0, 2, 3] : (!tap) -> !tat
    %y11 = graph.conv %x, %w11 strides = [1, 1] pads = [(r + 1) floordiv 2 - 1, (s + 1) floordiv 2 - 1, (r + 1) floordiv 2 - 1, (s + 1) floordiv 2 - 1] dilations = [1, 1] groups = 1 channels_first : (!tx, !tat) -> !tz
    %z11 = graph.reshape %y11 shape = [n, o, h + (r + 1) floordiv 2 - 1, 1, w + (s + 1) floordiv 2 - 1, 1] : (!tz) -> !tz1
    %z0 = graph.concat %z00, %z01 axis = 5 : (!tz1, !tz1) -> !tz2
    %z1 = graph.concat %z10, %z11 axis = 5 : (!tz1, !tz1) -> !tz2
    %z = graph.concat %z0, %z1 axis = 3 : (!tz2, !tz2) -> !tz4
    %f = graph.reshape %z shape = [n, o, 2 * (h + (r + 1) floordiv 2 - 1), 2 * (w + (s + 1) floordiv 2 - 1)] : (!tz4) -> !tzf
    %y = graph.slice %f starts = [0, 0, t, l] sizes = [n, o, 2 * h + r + g - t - b - 2, 2 * w + s + k - l - e - 2] steps = [1, 1, 1, 1] : (!tzf) -> !ty
    rule.yield %y : !ty
  }
  where [r >= 1, s >= 1, r + g <= 2 * ((r + 1) floordiv 2) + b,
         s + k <= 2 * ((s + 1) floordiv 2) + e]

// Rows of one parity are put where the other belongs.
// CHECK: refuted conv_transpose_in_other_phase
rule.rule @conv_transpose_in_other_phase(%x: !tx, %a: !ta) -> !ty
  source {
    %0 = graph.conv_transpose %x, %a strides = [2, 2] pads = [t, l, b, e] dilations = [1, 1] output_padding = [g, k] groups = 1 : (!tx, !ta) -> !ty
    rule.yield %0 : !ty
  }
  target {
    %ae = graph.pad %a low = [0, 0, 0, 0] high = [0, 0, 2 * ((r + 1) floordiv 2) - r, 2 * ((s + 1) floordiv 2) - s] constant value = 0.0 : (!ta) -> !tae
    %a00 = graph.slice %ae starts = [0, 0, 0, 0] sizes = [c, o, (r + 1) floordiv 2, (s + 1) floordiv 2] steps = [1, 1, 2, 2] : (!tae) -> !tap
    %r00 = graph.reverse %a00 axes = [2, 3] : !tap
    %w00 = graph.transpose %r00 perm = [1, 0, 2, 3] : (!tap) -> !tat
    %y00 = graph.conv %x, %w00 strides = [1, 1] pads = [(r + 1) floordiv 2 - 1, (s + 1) floordiv 2 - 1, (r + 1) floordiv 2 - 1, (s + 1) floordiv 2 - 1] dilations = [1, 1] groups = 1 channels_first : (!tx, !tat) -> !tz
    %z00 = graph.reshape %y00 shape = [n, o, h + (r + 1) floordiv 2 - 1, 1, w + (s + 1) floordiv 2 - 1, 1] : (!tz) -> !tz1
    %a01 = graph.slice %ae starts = [0, 0, 0, 1] sizes = [c, o, (r + 1) floordiv 2, (s + 1) floordiv 2] steps = [1, 1, 2, 2] : (!tae) -> !tap
    %r01 = graph.reverse %a01 axes = [2, 3] : !tap
    %w01 = graph.transpose %r01 perm = [1, 0, 2, 3] : (!tap) -> !tat
    %y01 = graph.conv %x, %w01 strides = [1, 1] pads = [(r + 1) floordiv 2 - 1, (s + 1) floordiv 2 - 1, (r + 1) floordiv 2 - 1, (s + 1) floordiv 2 - 1] dilations = [1, 1] groups = 1 channels_first : (!tx, !tat) -> !tz
    %z01 = graph.reshape %y01 shape = [n, o, h + (r + 1) floordiv 2 - 1, 1, w + (s + 1) floordiv 2 - 1, 1] : (!tz) -> !tz1
    %a10 = graph.slice %ae starts = [0, 0, 1, 0] sizes = [c, o, (r + 1) floordiv 2, (s + 1) floordiv 2] steps = [1, 1, 2, 2] : (!tae) -> !tap
    %r10 = graph.reverse %a10 axes = [2, 3] : !tap
    %w10 = graph.transpose %r10 perm = [1, 0, 2, 3] : (!tap) -> !tat
    %y10 = graph.conv %x, %w10 strides = [1, 1] pads = [(r + 1) floordiv 2 - 1, (s + 1) floordiv 2 - 1, (r + 1) floordiv 2 - 1, (s + 1) floordiv 2 - 1] dilations = [1, 1] groups = 1 channels_first : (!tx, !tat) -> !tz
    %z10 = graph.reshape %y10 shape = [n, o, h + (r + 1) floordiv 2 - 1, 1, w + (s + 1) floordiv 2 - 1, 1] : (!tz) -> !tz1
    %a11 = graph.slice %ae starts = [0, 0, 1, 1] sizes = [c, o, (r + 1) floordiv 2, (s + 1) floordiv 2] steps = [1, 1, 2, 2] : (!tae) -> !tap
    %r11 = graph.reverse %a11 axes = [2, 3] : !tap
    %w11 = graph.transpose %r11 perm = [1, 0, 2, 3] : (!tap) -> !tat
    %y11 = graph.conv %x, %w11 strides = [1, 1] pads = [(r + 1) floordiv 2 - 1, (s + 1) floordiv 2 - 1, (r + 1) floordiv 2 - 1, (s + 1) floordiv 2 - 1] dilations = [1, 1] groups = 1 channels_first : (!tx, !tat) -> !tz
    %z11 = graph.reshape %y11 shape = [n, o, h + (r + 1) floordiv 2 - 1, 1, w + (s + 1) floordiv 2 - 1, 1] : (!tz) -> !tz1
    %z0 = graph.concat %z00, %z01 axis = 5 : (!tz1, !tz1) -> !tz2
    %z1 = graph.concat %z10, %z11 axis = 5 : (!tz1, !tz1) -> !tz2
    %z = graph.concat %z1, %z0 axis = 3 : (!tz2, !tz2) -> !tz4
    %f = graph.reshape %z shape = [n, o, 2 * (h + (r + 1) floordiv 2 - 1), 2 * (w + (s + 1) floordiv 2 - 1)] : (!tz4) -> !tzf
    %y = graph.slice %f starts = [0, 0, t, l] sizes = [n, o, 2 * h + r + g - t - b - 2, 2 * w + s + k - l - e - 2] steps = [1, 1, 1, 1] : (!tzf) -> !ty
    rule.yield %y : !ty
  }
  where [r >= 1, s >= 1, r + g <= 2 * ((r + 1) floordiv 2) + b,
         s + k <= 2 * ((s + 1) floordiv 2) + e]

// The padding on top is cut off at the bottom.
// CHECK: refuted conv_transpose_cut_at_end
rule.rule @conv_transpose_cut_at_end(%x: !tx, %a: !ta) -> !ty
  source {
    %0 = graph.conv_transpose %x, %a strides = [2, 2] pads = [t, l, b, e] dilations = [1, 1] output_padding = [g, k] groups = 1 : (!tx, !ta) -> !ty
    rule.yield %0 : !ty
  }
  target {
    %ae = graph.pad %a low = [0, 0, 0, 0] high = [0, 0, 2 * ((r + 1) floordiv 2) - r, 2 * ((s + 1) floordiv 2) - s] constant value = 0.0 : (!ta) -> !tae
    %a00 = graph.slice %ae starts = [0, 0, 0, 0] sizes = [c, o, (r + 1) floordiv 2, (s + 1) floordiv 2] steps = [1, 1, 2, 2] : (!tae) -> !tap
    %r00 = graph.reverse %a00 axes = [2, 3] : !tap
    %w00 = graph.transpose %r00 perm = [1, 0, 2, 3] : (!tap) -> !tat
    %y00 = graph.conv %x, %w00 strides = [1, 1] pads = [(r + 1) floordiv 2 - 1, (s + 1) floordiv 2 - 1, (r + 1) floordiv 2 - 1, (s + 1) floordiv 2 - 1] dilations = [1, 1] groups = 1 channels_first : (!tx, !tat) -> !tz
    %z00 = graph.reshape %y00 shape = [n, o, h + (r + 1) floordiv 2 - 1, 1, w + (s + 1) floordiv 2 - 1, 1] : (!tz) -> !tz1
    %a01 = graph.slice %ae starts = [0, 0, 0, 1] sizes = [c, o, (r + 1) floordiv 2, (s + 1) floordiv 2] steps = [1, 1, 2, 2] : (!tae) -> !tap
    %r01 = graph.reverse %a01 axes = [2, 3] : !tap
    %w01 = graph.transpose %r01 perm = [1, 0, 2, 3] : (!tap) -> !tat
    %y01 = graph.conv %x, %w01 strides = [1, 1] pads = [(r + 1) floordiv 2 - 1, (s + 1) floordiv 2 - 1, (r + 1) floordiv 2 - 1, (s + 1) floordiv 2 - 1] dilations = [1, 1] groups = 1 channels_first : (!tx, !tat) -> !tz
    %z01 = graph.reshape %y01 shape = [n, o, h + (r + 1) floordiv 2 - 1, 1, w + (s + 1) floordiv 2 - 1, 1] : (!tz) -> !tz1
    %a10 = graph.slice %ae starts = [0, 0, 1, 0] sizes = [c, o, (r + 1) floordiv 2, (s + 1) floordiv 2] steps = [1, 1, 2, 2] : (!tae) -> !tap
    %r10 = graph.reverse %a10 axes = [2, 3] : !tap
    %w10 = graph.transpose %r10 perm = [1, 0, 2, 3] : (!tap) -> !tat
    %y10 = graph.conv %x, %w10 strides = [1, 1] pads = [(r + 1) floordiv 2 - 1, (s + 1) floordiv 2 - 1, (r + 1) floordiv 2 - 1, (s + 1) floordiv 2 - 1] dilations = [1, 1] groups = 1 channels_first : (!tx, !tat) -> !tz
    %z10 = graph.reshape %y10 shape = [n, o, h + (r + 1) floordiv 2 - 1, 1, w + (s + 1) floordiv 2 - 1, 1] : (!tz) -> !tz1
    %a11 = graph.slice %ae starts = [0, 0, 1, 1] sizes = [c, o, (r + 1) floordiv 2, (s + 1) floordiv 2] steps = [1, 1, 2, 2] : (!tae) -> !tap
    %r11 = graph.reverse %a11 axes = [2, 3] : !tap
    %w11 = graph.transpose %r11 perm = [1, 0, 2, 3] : (!tap) -> !tat
    %y11 = graph.conv %x, %w11 strides = [1, 1] pads = [(r + 1) floordiv 2 - 1, (s + 1) floordiv 2 - 1, (r + 1) floordiv 2 - 1, (s + 1) floordiv 2 - 1] dilations = [1, 1] groups = 1 channels_first : (!tx, !tat) -> !tz
    %z11 = graph.reshape %y11 shape = [n, o, h + (r + 1) floordiv 2 - 1, 1, w + (s + 1) floordiv 2 - 1, 1] : (!tz) -> !tz1
    %z0 = graph.concat %z00, %z01 axis = 5 : (!tz1, !tz1) -> !tz2
    %z1 = graph.concat %z10, %z11 axis = 5 : (!tz1, !tz1) -> !tz2
    %z = graph.concat %z0, %z1 axis = 3 : (!tz2, !tz2) -> !tz4
    %f = graph.reshape %z shape = [n, o, 2 * (h + (r + 1) floordiv 2 - 1), 2 * (w + (s + 1) floordiv 2 - 1)] : (!tz4) -> !tzf
    %y = graph.slice %f starts = [0, 0, b, l] sizes = [n, o, 2 * h + r + g - t - b - 2, 2 * w + s + k - l - e - 2] steps = [1, 1, 1, 1] : (!tzf) -> !ty
    rule.yield %y : !ty
  }
  where [r >= 1, s >= 1, r + g <= 2 * ((r + 1) floordiv 2) + b,
         s + k <= 2 * ((s + 1) floordiv 2) + e]

// More output padding than the kernel reaches.
// CHECK: refuted conv_transpose_beyond_kernel
rule.rule @conv_transpose_beyond_kernel(%x: !tx, %a: !ta) -> !ty
  source {
    %0 = graph.conv_transpose %x, %a strides = [2, 2] pads = [t, l, b, e] dilations = [1, 1] output_padding = [g, k] groups = 1 : (!tx, !ta) -> !ty
    rule.yield %0 : !ty
  }
  target {
    %ae = graph.pad %a low = [0, 0, 0, 0] high = [0, 0, 2 * ((r + 1) floordiv 2) - r, 2 * ((s + 1) floordiv 2) - s] constant value = 0.0 : (!ta) -> !tae
    %a00 = graph.slice %ae starts = [0, 0, 0, 0] sizes = [c, o, (r + 1) floordiv 2, (s + 1) floordiv 2] steps = [1, 1, 2, 2] : (!tae) -> !tap
    %r00 = graph.reverse %a00 axes = [2, 3] : !tap
    %w00 = graph.transpose %r00 perm = [1, 0, 2, 3] : (!tap) -> !tat
    %y00 = graph.conv %x, %w00 strides = [1, 1] pads = [(r + 1) floordiv 2 - 1, (s + 1) floordiv 2 - 1, (r + 1) floordiv 2 - 1, (s + 1) floordiv 2 - 1] dilations = [1, 1] groups = 1 channels_first : (!tx, !tat) -> !tz
    %z00 = graph.reshape %y00 shape = [n, o, h + (r + 1) floordiv 2 - 1, 1, w + (s + 1) floordiv 2 - 1, 1] : (!tz) -> !tz1
    %a01 = graph.slice %ae starts = [0, 0, 0, 1] sizes = [c, o, (r + 1) floordiv 2, (s + 1) floordiv 2] steps = [1, 1, 2, 2] : (!tae) -> !tap
    %r01 = graph.reverse %a01 axes = [2, 3] : !tap
    %w01 = graph.transpose %r01 perm = [1, 0, 2, 3] : (!tap) -> !tat
    %y01 = graph.conv %x, %w01 strides = [1, 1] pads = [(r + 1) floordiv 2 - 1, (s + 1) floordiv 2 - 1, (r + 1) floordiv 2 - 1, (s + 1) floordiv 2 - 1] dilations = [1, 1] groups = 1 channels_first : (!tx, !tat) -> !tz
    %z01 = graph.reshape %y01 shape = [n, o, h + (r + 1) floordiv 2 - 1, 1, w + (s + 1) floordiv 2 - 1, 1] : (!tz) -> !tz1
    %a10 = graph.slice %ae starts = [0, 0, 1, 0] sizes = [c, o, (r + 1) floordiv 2, (s + 1) floordiv 2] steps = [1, 1, 2, 2] : (!tae) -> !tap
    %r10 = graph.reverse %a10 axes = [2, 3] : !tap
    %w10 = graph.transpose %r10 perm = [1, 0, 2, 3] : (!tap) -> !tat
    %y10 = graph.conv %x, %w10 strides = [1, 1] pads = [(r + 1) floordiv 2 - 1, (s + 1) floordiv 2 - 1, (r + 1) floordiv 2 - 1, (s + 1) floordiv 2 - 1] dilations = [1, 1] groups = 1 channels_first : (!tx, !tat) -> !tz
    %z10 = graph.reshape %y10 shape = [n, o, h + (r + 1) floordiv 2 - 1, 1, w + (s + 1) floordiv 2 - 1, 1] : (!tz) -> !tz1
    %a11 = graph.slice %ae starts = [0, 0, 1, 1] sizes = [c, o, (r + 1) floordiv 2, (s + 1) floordiv 2] steps = [1, 1, 2, 2] : (!tae) -> !tap
    %r11 = graph.reverse %a11 axes = [2, 3] : !tap
    %w11 = graph.transpose %r11 perm = [1, 0, 2, 3] : (!tap) -> !tat
    %y11 = graph.conv %x, %w11 strides = [1, 1] pads = [(r + 1) floordiv 2 - 1, (s + 1) floordiv 2 - 1, (r + 1) floordiv 2 - 1, (s + 1) floordiv 2 - 1] dilations = [1, 1] groups = 1 channels_first : (!tx, !tat) -> !tz
    %z11 = graph.reshape %y11 shape = [n, o, h + (r + 1) floordiv 2 - 1, 1, w + (s + 1) floordiv 2 - 1, 1] : (!tz) -> !tz1
    %z0 = graph.concat %z00, %z01 axis = 5 : (!tz1, !tz1) -> !tz2
    %z1 = graph.concat %z10, %z11 axis = 5 : (!tz1, !tz1) -> !tz2
    %z = graph.concat %z0, %z1 axis = 3 : (!tz2, !tz2) -> !tz4
    %f = graph.reshape %z shape = [n, o, 2 * (h + (r + 1) floordiv 2 - 1), 2 * (w + (s + 1) floordiv 2 - 1)] : (!tz4) -> !tzf
    %y = graph.slice %f starts = [0, 0, t, l] sizes = [n, o, 2 * h + r + g - t - b - 2, 2 * w + s + k - l - e - 2] steps = [1, 1, 1, 1] : (!tzf) -> !ty
    rule.yield %y : !ty
  }
  where [r >= 1, s >= 1, g >= 0, s + k <= 2 * ((s + 1) floordiv 2) + e]

// Two phases of the input change places.
// CHECK: refuted strided_conv_to_swapped_depth
rule.rule @strided_conv_to_swapped_depth(%x: !sx, %a: !sa) -> !sy
  source {
    %0 = graph.conv %x, %a strides = [2, 2] pads = [t, l, b, e] dilations = [1, 1] groups = 1 channels_first : (!sx, !sa) -> !sy
    rule.yield %0 : !sy
  }
  target {
    %p = graph.pad %x low = [0, 0, t, l] high = [0, 0, 2 * ((h + t + b + 1) floordiv 2) - h - t, 2 * ((w + l + e + 1) floordiv 2) - w - l] constant value = 0.0 : (!sx) -> !sxp
    %q = graph.pad %a low = [0, 0, 0, 0] high = [0, 0, 1, 1] constant value = 0.0 : (!sa) -> !sa4
    %x00 = graph.slice %p starts = [0, 0, 0, 0] sizes = [n, c, (h + t + b + 1) floordiv 2, (w + l + e + 1) floordiv 2] steps = [1, 1, 2, 2] : (!sxp) -> !sx2
    %a00 = graph.slice %q starts = [0, 0, 0, 0] sizes = [o, c, 2, 2] steps = [1, 1, 2, 2] : (!sa4) -> !sa2
    %x01 = graph.slice %p starts = [0, 0, 0, 1] sizes = [n, c, (h + t + b + 1) floordiv 2, (w + l + e + 1) floordiv 2] steps = [1, 1, 2, 2] : (!sxp) -> !sx2
    %a01 = graph.slice %q starts = [0, 0, 0, 1] sizes = [o, c, 2, 2] steps = [1, 1, 2, 2] : (!sa4) -> !sa2
    %x10 = graph.slice %p starts = [0, 0, 1, 0] sizes = [n, c, (h + t + b + 1) floordiv 2, (w + l + e + 1) floordiv 2] steps = [1, 1, 2, 2] : (!sxp) -> !sx2
    %a10 = graph.slice %q starts = [0, 0, 1, 0] sizes = [o, c, 2, 2] steps = [1, 1, 2, 2] : (!sa4) -> !sa2
    %x11 = graph.slice %p starts = [0, 0, 1, 1] sizes = [n, c, (h + t + b + 1) floordiv 2, (w + l + e + 1) floordiv 2] steps = [1, 1, 2, 2] : (!sxp) -> !sx2
    %a11 = graph.slice %q starts = [0, 0, 1, 1] sizes = [o, c, 2, 2] steps = [1, 1, 2, 2] : (!sa4) -> !sa2
    %x4 = graph.concat %x00, %x10, %x01, %x11 axis = 1 : (!sx2, !sx2, !sx2, !sx2) -> !sx4
    %ac = graph.concat %a00, %a01, %a10, %a11 axis = 1 : (!sa2, !sa2, !sa2, !sa2) -> !sac
    %y = graph.conv %x4, %ac strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] groups = 1 channels_first : (!sx4, !sac) -> !sy
    rule.yield %y : !sy
  }

// The kernel is padded at its begin.
// CHECK: refuted strided_conv_to_depth_padded_low
rule.rule @strided_conv_to_depth_padded_low(%x: !sx, %a: !sa) -> !sy
  source {
    %0 = graph.conv %x, %a strides = [2, 2] pads = [t, l, b, e] dilations = [1, 1] groups = 1 channels_first : (!sx, !sa) -> !sy
    rule.yield %0 : !sy
  }
  target {
    %p = graph.pad %x low = [0, 0, t, l] high = [0, 0, 2 * ((h + t + b + 1) floordiv 2) - h - t, 2 * ((w + l + e + 1) floordiv 2) - w - l] constant value = 0.0 : (!sx) -> !sxp
    %q = graph.pad %a low = [0, 0, 1, 1] high = [0, 0, 0, 0] constant value = 0.0 : (!sa) -> !sa4
    %x00 = graph.slice %p starts = [0, 0, 0, 0] sizes = [n, c, (h + t + b + 1) floordiv 2, (w + l + e + 1) floordiv 2] steps = [1, 1, 2, 2] : (!sxp) -> !sx2
    %a00 = graph.slice %q starts = [0, 0, 0, 0] sizes = [o, c, 2, 2] steps = [1, 1, 2, 2] : (!sa4) -> !sa2
    %x01 = graph.slice %p starts = [0, 0, 0, 1] sizes = [n, c, (h + t + b + 1) floordiv 2, (w + l + e + 1) floordiv 2] steps = [1, 1, 2, 2] : (!sxp) -> !sx2
    %a01 = graph.slice %q starts = [0, 0, 0, 1] sizes = [o, c, 2, 2] steps = [1, 1, 2, 2] : (!sa4) -> !sa2
    %x10 = graph.slice %p starts = [0, 0, 1, 0] sizes = [n, c, (h + t + b + 1) floordiv 2, (w + l + e + 1) floordiv 2] steps = [1, 1, 2, 2] : (!sxp) -> !sx2
    %a10 = graph.slice %q starts = [0, 0, 1, 0] sizes = [o, c, 2, 2] steps = [1, 1, 2, 2] : (!sa4) -> !sa2
    %x11 = graph.slice %p starts = [0, 0, 1, 1] sizes = [n, c, (h + t + b + 1) floordiv 2, (w + l + e + 1) floordiv 2] steps = [1, 1, 2, 2] : (!sxp) -> !sx2
    %a11 = graph.slice %q starts = [0, 0, 1, 1] sizes = [o, c, 2, 2] steps = [1, 1, 2, 2] : (!sa4) -> !sa2
    %x4 = graph.concat %x00, %x01, %x10, %x11 axis = 1 : (!sx2, !sx2, !sx2, !sx2) -> !sx4
    %ac = graph.concat %a00, %a01, %a10, %a11 axis = 1 : (!sa2, !sa2, !sa2, !sa2) -> !sac
    %y = graph.conv %x4, %ac strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] groups = 1 channels_first : (!sx4, !sac) -> !sy
    rule.yield %y : !sy
  }

// The zeros stand before the taps.
// CHECK: refuted dilated_to_dense_shifted
rule.rule @dilated_to_dense_shifted(%x: !dx, %a: !da) -> !dy
  source {
    %0 = graph.conv %x, %a strides = [u, v] pads = [t, l, b, e] dilations = [d, f] groups = 1 channels_first : (!dx, !da) -> !dy
    rule.yield %0 : !dy
  }
  target {
    %0 = graph.reshape %a shape = [o, c, r, 1, s, 1] : (!da) -> !da6
    %1 = graph.pad %0 low = [0, 0, 0, d - 1, 0, 0] high = [0, 0, 0, 0, 0, f - 1] constant value = 0.0 : (!da6) -> !dap
    %2 = graph.reshape %1 shape = [o, c, d * r, f * s] : (!dap) -> !dar
    %3 = graph.slice %2 starts = [0, 0, 0, 0] sizes = [o, c, d * (r - 1) + 1, f * (s - 1) + 1] steps = [1, 1, 1, 1] : (!dar) -> !daz
    %4 = graph.conv %x, %3 strides = [u, v] pads = [t, l, b, e] dilations = [1, 1] groups = 1 channels_first : (!dx, !daz) -> !dy
    rule.yield %4 : !dy
  }
  where [r >= 1, s >= 1]

// Ones stand between the taps.
// CHECK: refuted dilated_to_dense_of_ones
rule.rule @dilated_to_dense_of_ones(%x: !dx, %a: !da) -> !dy
  source {
    %0 = graph.conv %x, %a strides = [u, v] pads = [t, l, b, e] dilations = [d, f] groups = 1 channels_first : (!dx, !da) -> !dy
    rule.yield %0 : !dy
  }
  target {
    %0 = graph.reshape %a shape = [o, c, r, 1, s, 1] : (!da) -> !da6
    %1 = graph.pad %0 low = [0, 0, 0, 0, 0, 0] high = [0, 0, 0, d - 1, 0, f - 1] constant value = 1.0 : (!da6) -> !dap
    %2 = graph.reshape %1 shape = [o, c, d * r, f * s] : (!dap) -> !dar
    %3 = graph.slice %2 starts = [0, 0, 0, 0] sizes = [o, c, d * (r - 1) + 1, f * (s - 1) + 1] steps = [1, 1, 1, 1] : (!dar) -> !daz
    %4 = graph.conv %x, %3 strides = [u, v] pads = [t, l, b, e] dilations = [1, 1] groups = 1 channels_first : (!dx, !daz) -> !dy
    rule.yield %4 : !dy
  }
  where [r >= 1, s >= 1]

// CHECK: 0 proved, 11 refuted
