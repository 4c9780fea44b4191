// Negative tests for rules/convolution-kernels.mlir: a condition dropped, two things
// swapped, a padding on the wrong side. Each is refuted.
// RUN: not tenon-rules prove %s 2>&1 | FileCheck %s
// The proofs themselves find none of them, without trying small sizes first.
// RUN: not tenon-rules prove --without-refuting --rlimit 60000 %s 2>&1 | FileCheck %s --check-prefix=PROOF
// PROOF: 0 proved, 21 unknown
// REQUIRES: z3
// REQUIRES: full

!x = tensor<?x?x?x?xf32, #graph.dims<n, c, h, w>>
!gx = tensor<?x?x?x?xf32, #graph.dims<n, g * k, h, w>>
!gk = tensor<?x?x?x?xf32, #graph.dims<o, k, r, s>>
!gz = tensor<?x?x?x?xf32, #graph.dims<o, k, r + 2, s + 2>>
!gy = tensor<?x?x?x?xf32, #graph.dims<n, o, (h + t + b - r) floordiv u + 1, (w + l + e - s) floordiv v + 1>>
!ek = tensor<?x?x?x?xf32, #graph.dims<o, c, r, s>>
!el = tensor<?x?x?x?xf32, #graph.dims<m, c, p, q>>
!ez = tensor<?x?x?x?xf32, #graph.dims<o, c, p, q>>
!ey = tensor<?x?x?x?xf32, #graph.dims<n, o, (h + t + b - r) floordiv u + 1, (w + l + e - s) floordiv v + 1>>
!em = tensor<?x?x?x?xf32, #graph.dims<n, m, (h + T + B - p) floordiv u + 1, (w + L + E - q) floordiv v + 1>>
!ka = tensor<?x?x?x?xf32, #graph.dims<m, c, r, s>>
!kb = tensor<?x?x?x?xf32, #graph.dims<o, m, p, q>>
!kat = tensor<?x?x?x?xf32, #graph.dims<c, m, r, s>>
!kct = tensor<?x?x?x?xf32, #graph.dims<c, o, r + p - 1, s + q - 1>>
!kc = tensor<?x?x?x?xf32, #graph.dims<o, c, r + p - 1, s + q - 1>>
!xm = tensor<?x?x?x?xf32, #graph.dims<n, m, h + t + b - r + 1, w + l + e - s + 1>>
!yc = tensor<?x?x?x?xf32, #graph.dims<n, o, (h + t + b - r - p + 1) floordiv u + 1, (w + l + e - s - q + 1) floordiv v + 1>>
!k5 = tensor<?x?x5x5xf32, #graph.dims<o, c, 5, 5>>
!k6 = tensor<?x?x6x6xf32, #graph.dims<o, c, 6, 6>>
!k3 = tensor<?x?x3x3xf32, #graph.dims<o, c, 3, 3>>
!k34 = tensor<?x?x3x3xf32, #graph.dims<4 * o, c, 3, 3>>
!y5 = tensor<?x?x?x?xf32, #graph.dims<n, o, h + t + b - 4, w + l + e - 4>>
!y34 = tensor<?x?x?x?xf32, #graph.dims<n, 4 * o, h + t + b - 1, w + l + e - 1>>
!ra = tensor<?x?x?x1xf32, #graph.dims<m, c, r, 1>>
!rb = tensor<?x?x1x?xf32, #graph.dims<o, m, 1, s>>
!ra2 = tensor<?x?xf32, #graph.dims<m, c * r>>
!rb3 = tensor<?x?x?xf32, #graph.dims<o, m, s>>
!rbt = tensor<?x?x?xf32, #graph.dims<o, s, m>>
!rc3 = tensor<?x?x?xf32, #graph.dims<o, s, c * r>>
!rc = tensor<?x?x?x?xf32, #graph.dims<o, c, r, s>>
!rx = tensor<?x?x?x?xf32, #graph.dims<n, m, (h + t + b - d * (r - 1) - 1) floordiv u + 1, w>>
!ry = tensor<?x?x?x?xf32, #graph.dims<n, o, (h + t + b - d * (r - 1) - 1) floordiv u + 1, (w + l + e - f * (s - 1) - 1) floordiv v + 1>>
!da = tensor<?x1x?x1xf32, #graph.dims<c, 1, r, 1>>
!db = tensor<?x1x1x?xf32, #graph.dims<c, 1, 1, s>>
!dk = tensor<?x1x?x?xf32, #graph.dims<c, 1, r, s>>
!dx = tensor<?x?x?x?xf32, #graph.dims<n, c, (h + t + b - d * (r - 1) - 1) floordiv u + 1, w>>
!dy = tensor<?x?x?x?xf32, #graph.dims<n, c, (h + t + b - d * (r - 1) - 1) floordiv u + 1, (w + l + e - f * (s - 1) - 1) floordiv v + 1>>
!i3 = tensor<1x1x3x3xf32>
!ik = tensor<?x1x3x3xf32, #graph.dims<c, 1, 3, 3>>
!i1 = tensor<?x1x1x1xf32, #graph.dims<c, 1, 1, 1>>
!cc = tensor<?x?xf32, #graph.dims<c, c>>
!cc11 = tensor<?x?x1x1xf32, #graph.dims<c, c, 1, 1>>
!i = tensor<f32>
!pp = tensor<?x1x?x?xf32, #graph.dims<c, 1, r + T - t + B - b, s + L - l + E - e>>
!py = tensor<?x?x?x?xf32, #graph.dims<n, c, (h + t + b - r) floordiv u + 1, (w + l + e - s) floordiv v + 1>>
!yt = tensor<?x?x?x?xf32, #graph.dims<n, c, (h + t - d * (r - 1) - 1) floordiv u + 1, (w - f * (s - 1) - 1) floordiv v + 1>>
!yp = tensor<?x?x?x?xf32, #graph.dims<n, o, (h + t + b - r - p + 3) floordiv u + 1, (w + l + e - s - q + 1) floordiv v + 1>>
!rc5 = tensor<?x?x?x?xf32, #graph.dims<o, s, r, c>>

// The padding grows on one side only, by as much.
// CHECK: refuted enlarge_kernel_without_padding
rule.rule @enlarge_kernel_without_padding(%x: !gx, %k: !gk) -> !gy
  source {
    %0 = graph.conv %x, %k strides = [u, v] pads = [t, l, b, e] dilations = [1, 1] groups = g channels_first : (!gx, !gk) -> !gy
    rule.yield %0 : !gy
  }
  target {
    %0 = graph.pad %k low = [0, 0, 1, 1] high = [0, 0, 1, 1] constant value = 0.0 : (!gk) -> !gz
    %1 = graph.conv %x, %0 strides = [u, v] pads = [t + 2, l + 1, b, e + 1] dilations = [1, 1] groups = g channels_first : (!gx, !gz) -> !gy
    rule.yield %1 : !gy
  }
  where [r >= 1, s >= 1]

// The ring is of ones.
// CHECK: refuted enlarge_kernel_with_ones
rule.rule @enlarge_kernel_with_ones(%x: !gx, %k: !gk) -> !gy
  source {
    %0 = graph.conv %x, %k strides = [u, v] pads = [t, l, b, e] dilations = [1, 1] groups = g channels_first : (!gx, !gk) -> !gy
    rule.yield %0 : !gy
  }
  target {
    %0 = graph.pad %k low = [0, 0, 1, 1] high = [0, 0, 1, 1] constant value = 1.0 : (!gk) -> !gz
    %1 = graph.conv %x, %0 strides = [u, v] pads = [t + 1, l + 1, b + 1, e + 1] dilations = [1, 1] groups = g channels_first : (!gx, !gz) -> !gy
    rule.yield %1 : !gy
  }
  where [r >= 1, s >= 1]

// The zeros of top and bottom change places.
// CHECK: refuted enlarge_kernel_upside_down
rule.rule @enlarge_kernel_upside_down(%x: !x, %k: !ek, %sibling: !el) -> (!ey, !em)
  source {
    %0 = graph.conv %x, %k strides = [u, v] pads = [t, l, b, e] dilations = [1, 1] groups = 1 channels_first : (!x, !ek) -> !ey
    %1 = graph.conv %x, %sibling strides = [u, v] pads = [T, L, B, E] dilations = [1, 1] groups = 1 channels_first : (!x, !el) -> !em
    rule.yield %0, %1 : !ey, !em
  }
  target {
    %z = graph.pad %k low = [0, 0, B - b, L - l] high = [0, 0, T - t, E - e] constant value = 0.0 : (!ek) -> !ez
    %0 = graph.conv %x, %z strides = [u, v] pads = [T, L, B, E] dilations = [1, 1] groups = 1 channels_first : (!x, !ez) -> !ey
    %1 = graph.conv %x, %sibling strides = [u, v] pads = [T, L, B, E] dilations = [1, 1] groups = 1 channels_first : (!x, !el) -> !em
    rule.yield %0, %1 : !ey, !em
  }
  where [r >= 1, s >= 1, T >= t, L >= l, B >= b, E >= e, p == r + T - t + B - b,
         q == s + L - l + E - e]

// A sibling with less padding.
// CHECK: refuted enlarge_kernel_as_smaller_sibling
rule.rule @enlarge_kernel_as_smaller_sibling(%x: !x, %k: !ek, %sibling: !el) -> (!ey, !em)
  source {
    %0 = graph.conv %x, %k strides = [u, v] pads = [t, l, b, e] dilations = [1, 1] groups = 1 channels_first : (!x, !ek) -> !ey
    %1 = graph.conv %x, %sibling strides = [u, v] pads = [T, L, B, E] dilations = [1, 1] groups = 1 channels_first : (!x, !el) -> !em
    rule.yield %0, %1 : !ey, !em
  }
  target {
    %z = graph.pad %k low = [0, 0, T - t, L - l] high = [0, 0, B - b, E - e] constant value = 0.0 : (!ek) -> !ez
    %0 = graph.conv %x, %z strides = [u, v] pads = [T, L, B, E] dilations = [1, 1] groups = 1 channels_first : (!x, !ez) -> !ey
    %1 = graph.conv %x, %sibling strides = [u, v] pads = [T, L, B, E] dilations = [1, 1] groups = 1 channels_first : (!x, !el) -> !em
    rule.yield %0, %1 : !ey, !em
  }
  where [r >= 1, s >= 1, L >= l, B >= b, E >= e, p == r + T - t + B - b,
         q == s + L - l + E - e]

// The sibling has rows that its padding does not make up for. A match infers another
// size of the padded kernel than the rule states, so that no instance differs.
// CHECK: unknown enlarge_kernel_as_uneven_sibling
rule.rule @enlarge_kernel_as_uneven_sibling(%x: !x, %k: !ek, %sibling: !el) -> (!ey, !em)
  source {
    %0 = graph.conv %x, %k strides = [u, v] pads = [t, l, b, e] dilations = [1, 1] groups = 1 channels_first : (!x, !ek) -> !ey
    %1 = graph.conv %x, %sibling strides = [u, v] pads = [T, L, B, E] dilations = [1, 1] groups = 1 channels_first : (!x, !el) -> !em
    rule.yield %0, %1 : !ey, !em
  }
  target {
    %z = graph.pad %k low = [0, 0, T - t, L - l] high = [0, 0, B - b, E - e] constant value = 0.0 : (!ek) -> !ez
    %0 = graph.conv %x, %z strides = [u, v] pads = [T, L, B, E] dilations = [1, 1] groups = 1 channels_first : (!x, !ez) -> !ey
    %1 = graph.conv %x, %sibling strides = [u, v] pads = [T, L, B, E] dilations = [1, 1] groups = 1 channels_first : (!x, !el) -> !em
    rule.yield %0, %1 : !ey, !em
  }
  where [r >= 1, s >= 1, T >= t, L >= l, B >= b, E >= e, p >= r + T - t + B - b,
         h + T + B >= p, q == s + L - l + E - e]

// The second kernel is not reversed.
// CHECK: refuted merge_stacked_convs_unreversed
rule.rule @merge_stacked_convs_unreversed(%x: !x, %a: !ka, %b: !kb) -> !yc
  source {
    %0 = graph.conv %x, %a strides = [1, 1] pads = [t, l, b, e] dilations = [1, 1] groups = 1 channels_first : (!x, !ka) -> !xm
    %1 = graph.conv %0, %b strides = [u, v] pads = [0, 0, 0, 0] dilations = [1, 1] groups = 1 channels_first : (!xm, !kb) -> !yc
    rule.yield %1 : !yc
  }
  target {
    %0 = graph.transpose %a perm = [1, 0, 2, 3] : (!ka) -> !kat
    %2 = graph.conv %0, %b strides = [1, 1] pads = [p - 1, q - 1, p - 1, q - 1] dilations = [1, 1] groups = 1 channels_first : (!kat, !kb) -> !kct
    %3 = graph.transpose %2 perm = [1, 0, 2, 3] : (!kct) -> !kc
    %4 = graph.conv %x, %3 strides = [u, v] pads = [t, l, b, e] dilations = [1, 1] groups = 1 channels_first : (!x, !kc) -> !yc
    rule.yield %4 : !yc
  }
  where [r >= 1, s >= 1, p >= 1, q >= 1]

// The second convolution has padding, too: at the edge it reads zeros, where the first has values.
// CHECK: refuted merge_padded_stacked_convs
rule.rule @merge_padded_stacked_convs(%x: !x, %a: !ka, %b: !kb) -> !yp
  source {
    %0 = graph.conv %x, %a strides = [1, 1] pads = [t, l, b, e] dilations = [1, 1] groups = 1 channels_first : (!x, !ka) -> !xm
    %1 = graph.conv %0, %b strides = [u, v] pads = [1, 0, 1, 0] dilations = [1, 1] groups = 1 channels_first : (!xm, !kb) -> !yp
    rule.yield %1 : !yp
  }
  target {
    %0 = graph.transpose %a perm = [1, 0, 2, 3] : (!ka) -> !kat
    %1 = graph.reverse %b axes = [2, 3] : !kb
    %2 = graph.conv %0, %1 strides = [1, 1] pads = [p - 1, q - 1, p - 1, q - 1] dilations = [1, 1] groups = 1 channels_first : (!kat, !kb) -> !kct
    %3 = graph.transpose %2 perm = [1, 0, 2, 3] : (!kct) -> !kc
    %4 = graph.conv %x, %3 strides = [u, v] pads = [t + 1, l, b + 1, e] dilations = [1, 1] groups = 1 channels_first : (!x, !kc) -> !yp
    rule.yield %4 : !yp
  }
  where [r >= 1, s >= 1, p >= 1, q >= 1]

// Two parts change places.
// CHECK: refuted conv5x5_to_swapped_conv3x3
rule.rule @conv5x5_to_swapped_conv3x3(%x: !x, %k: !k5) -> !y5
  source {
    %0 = graph.conv %x, %k strides = [1, 1] pads = [t, l, b, e] dilations = [1, 1] groups = 1 channels_first : (!x, !k5) -> !y5
    rule.yield %0 : !y5
  }
  target {
    %k6 = graph.pad %k low = [0, 0, 0, 0] high = [0, 0, 1, 1] constant value = 0.0 : (!k5) -> !k6
    %k00 = graph.slice %k6 starts = [0, 0, 0, 0] sizes = [o, c, 3, 3] steps = [1, 1, 1, 1] : (!k6) -> !k3
    %k01 = graph.slice %k6 starts = [0, 0, 0, 3] sizes = [o, c, 3, 3] steps = [1, 1, 1, 1] : (!k6) -> !k3
    %k10 = graph.slice %k6 starts = [0, 0, 3, 0] sizes = [o, c, 3, 3] steps = [1, 1, 1, 1] : (!k6) -> !k3
    %k11 = graph.slice %k6 starts = [0, 0, 3, 3] sizes = [o, c, 3, 3] steps = [1, 1, 1, 1] : (!k6) -> !k3
    %parts = graph.concat %k00, %k10, %k01, %k11 axis = 0 : (!k3, !k3, !k3, !k3) -> !k34
    %y = graph.conv %x, %parts strides = [1, 1] pads = [t, l, b + 1, e + 1] dilations = [1, 1] groups = 1 channels_first : (!x, !k34) -> !y34
    %y00 = graph.slice %y starts = [0, 0, 0, 0] sizes = [n, o, h + t + b - 4, w + l + e - 4] steps = [1, 1, 1, 1] : (!y34) -> !y5
    %y01 = graph.slice %y starts = [0, o, 0, 3] sizes = [n, o, h + t + b - 4, w + l + e - 4] steps = [1, 1, 1, 1] : (!y34) -> !y5
    %y10 = graph.slice %y starts = [0, 2 * o, 3, 0] sizes = [n, o, h + t + b - 4, w + l + e - 4] steps = [1, 1, 1, 1] : (!y34) -> !y5
    %y11 = graph.slice %y starts = [0, 3 * o, 3, 3] sizes = [n, o, h + t + b - 4, w + l + e - 4] steps = [1, 1, 1, 1] : (!y34) -> !y5
    %y0 = graph.add %y00, %y01 : !y5
    %y1 = graph.add %y10, %y11 : !y5
    %sum = graph.add %y0, %y1 : !y5
    rule.yield %sum : !y5
  }

// A part of the result is shifted by one row less.
// CHECK: refuted conv5x5_to_conv3x3_shifted_by_2
rule.rule @conv5x5_to_conv3x3_shifted_by_2(%x: !x, %k: !k5) -> !y5
  source {
    %0 = graph.conv %x, %k strides = [1, 1] pads = [t, l, b, e] dilations = [1, 1] groups = 1 channels_first : (!x, !k5) -> !y5
    rule.yield %0 : !y5
  }
  target {
    %k6 = graph.pad %k low = [0, 0, 0, 0] high = [0, 0, 1, 1] constant value = 0.0 : (!k5) -> !k6
    %k00 = graph.slice %k6 starts = [0, 0, 0, 0] sizes = [o, c, 3, 3] steps = [1, 1, 1, 1] : (!k6) -> !k3
    %k01 = graph.slice %k6 starts = [0, 0, 0, 3] sizes = [o, c, 3, 3] steps = [1, 1, 1, 1] : (!k6) -> !k3
    %k10 = graph.slice %k6 starts = [0, 0, 3, 0] sizes = [o, c, 3, 3] steps = [1, 1, 1, 1] : (!k6) -> !k3
    %k11 = graph.slice %k6 starts = [0, 0, 3, 3] sizes = [o, c, 3, 3] steps = [1, 1, 1, 1] : (!k6) -> !k3
    %parts = graph.concat %k00, %k01, %k10, %k11 axis = 0 : (!k3, !k3, !k3, !k3) -> !k34
    %y = graph.conv %x, %parts strides = [1, 1] pads = [t, l, b + 1, e + 1] dilations = [1, 1] groups = 1 channels_first : (!x, !k34) -> !y34
    %y00 = graph.slice %y starts = [0, 0, 0, 0] sizes = [n, o, h + t + b - 4, w + l + e - 4] steps = [1, 1, 1, 1] : (!y34) -> !y5
    %y01 = graph.slice %y starts = [0, o, 0, 3] sizes = [n, o, h + t + b - 4, w + l + e - 4] steps = [1, 1, 1, 1] : (!y34) -> !y5
    %y10 = graph.slice %y starts = [0, 2 * o, 2, 0] sizes = [n, o, h + t + b - 4, w + l + e - 4] steps = [1, 1, 1, 1] : (!y34) -> !y5
    %y11 = graph.slice %y starts = [0, 3 * o, 3, 3] sizes = [n, o, h + t + b - 4, w + l + e - 4] steps = [1, 1, 1, 1] : (!y34) -> !y5
    %y0 = graph.add %y00, %y01 : !y5
    %y1 = graph.add %y10, %y11 : !y5
    %sum = graph.add %y0, %y1 : !y5
    rule.yield %sum : !y5
  }

// The rows of the first kernel are taken as its channels.
// CHECK: refuted merge_row_and_column_convs_reshaped
rule.rule @merge_row_and_column_convs_reshaped(%x: !x, %a: !ra, %b: !rb) -> !ry
  source {
    %0 = graph.conv %x, %a strides = [u, 1] pads = [t, 0, b, 0] dilations = [d, 1] groups = 1 channels_first : (!x, !ra) -> !rx
    %1 = graph.conv %0, %b strides = [1, v] pads = [0, l, 0, e] dilations = [1, f] groups = 1 channels_first : (!rx, !rb) -> !ry
    rule.yield %1 : !ry
  }
  target {
    %0 = graph.reshape %a shape = [m, c * r] : (!ra) -> !ra2
    %1 = graph.reshape %b shape = [o, m, s] : (!rb) -> !rb3
    %2 = graph.transpose %1 perm = [0, 2, 1] : (!rb3) -> !rbt
    %3 = graph.matmul %2, %0 : (!rbt, !ra2) -> !rc3
    %4 = graph.reshape %3 shape = [o, s, r, c] : (!rc3) -> !rc5
    %5 = graph.transpose %4 perm = [0, 3, 2, 1] : (!rc5) -> !rc
    %6 = graph.conv %x, %5 strides = [u, v] pads = [t, l, b, e] dilations = [d, f] groups = 1 channels_first : (!x, !rc) -> !ry
    rule.yield %6 : !ry
  }
  where [r >= 1, s >= 1]

// The rows of the kernel change order.
// CHECK: refuted merge_row_and_column_depthwise_reversed
rule.rule @merge_row_and_column_depthwise_reversed(%x: !x, %a: !da, %b: !db) -> !dy
  source {
    %0 = graph.conv %x, %a strides = [u, 1] pads = [t, 0, b, 0] dilations = [d, 1] groups = c channels_first : (!x, !da) -> !dx
    %1 = graph.conv %0, %b strides = [1, v] pads = [0, l, 0, e] dilations = [1, f] groups = c channels_first : (!dx, !db) -> !dy
    rule.yield %1 : !dy
  }
  target {
    %p = graph.matmul %a, %b : (!da, !db) -> !dk
    %0 = graph.reverse %p axes = [2] : !dk
    %1 = graph.conv %x, %0 strides = [u, v] pads = [t, l, b, e] dilations = [d, f] groups = c channels_first : (!x, !dk) -> !dy
    rule.yield %1 : !dy
  }
  where [c >= 1, r >= 1, s >= 1]

// Top and bottom change places.
// CHECK: refuted split_outer_product_upside_down
rule.rule @split_outer_product_upside_down(%x: !x, %a: !da, %b: !db) -> !dy
  source {
    %0 = graph.matmul %a, %b : (!da, !db) -> !dk
    %1 = graph.conv %x, %0 strides = [u, v] pads = [t, l, b, e] dilations = [d, f] groups = c channels_first : (!x, !dk) -> !dy
    rule.yield %1 : !dy
  }
  target {
    %0 = graph.conv %x, %a strides = [u, 1] pads = [b, 0, t, 0] dilations = [d, 1] groups = c channels_first : (!x, !da) -> !dx
    %1 = graph.conv %0, %b strides = [1, v] pads = [0, l, 0, e] dilations = [1, f] groups = c channels_first : (!dx, !db) -> !dy
    rule.yield %1 : !dy
  }
  where [c >= 1, w >= 1, r >= 1, s >= 1]

// The 1 is not in the middle.
// CHECK: refuted depthwise_corner3x3
rule.rule @depthwise_corner3x3(%x: !x) -> !x
  source {
    %0 = graph.constant dense<[[[[0.0, 1.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]]]> : !i3
    %1 = graph.broadcast %0 shape = [c, 1, 3, 3] : (!i3) -> !ik
    %2 = graph.conv %x, %1 strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = c channels_first : (!x, !ik) -> !x
    rule.yield %2 : !x
  }
  target {
    rule.yield %x : !x
  }
  where [c >= 1]

// The kernels are any.
// CHECK: refuted depthwise_anything1x1
rule.rule @depthwise_anything1x1(%x: !x, %k: !i1) -> !x
  source {
    %0 = graph.conv %x, %k strides = [1, 1] pads = [0, 0, 0, 0] dilations = [d, f] groups = c channels_first : (!x, !i1) -> !x
    rule.yield %0 : !x
  }
  target {
    rule.yield %x : !x
  }
  where [c >= 1]

// A kernel of ones sums the channels.
// CHECK: refuted ones_conv1x1
rule.rule @ones_conv1x1(%x: !x, %i: !cc) -> !x
  source {
    %0 = graph.reshape %i shape = [c, c, 1, 1] : (!cc) -> !cc11
    %1 = graph.conv %x, %0 strides = [1, 1] pads = [0, 0, 0, 0] dilations = [d, f] groups = 1 channels_first : (!x, !cc11) -> !x
    rule.yield %1 : !x
  }
  target {
    rule.yield %x : !x
  }
  where [is_ones(%i)]

// The padding does not count.
// CHECK: refuted avg_pool_without_padding_to_depthwise
rule.rule @avg_pool_without_padding_to_depthwise(%x: !x) -> !yt
  source {
    %0 = graph.avg_pool %x kernel = [r, s] strides = [u, v] pads = [t, 0, 0, 0] dilations = [d, f] channels_first : (!x) -> !yt
    rule.yield %0 : !yt
  }
  target {
    %one = graph.constant dense<1.0> : !i
    %ones = graph.broadcast %one shape = [c, 1, r, s] : (!i) -> !dk
    %count = graph.reduce_sum %ones axes = [2, 3] keepdims : (!dk) -> !i1
    %counts = graph.broadcast %count shape = [c, 1, r, s] : (!i1) -> !dk
    %k = graph.div %ones, %counts : !dk
    %0 = graph.conv %x, %k strides = [u, v] pads = [t, 0, 0, 0] dilations = [d, f] groups = c channels_first : (!x, !dk) -> !yt
    rule.yield %0 : !yt
  }
  where [c >= 1, r >= 1, s >= 1, h + t >= d * (r - 1) + 1, w >= f * (s - 1) + 1]

// Nothing is divided.
// CHECK: refuted avg_pool_to_sum
rule.rule @avg_pool_to_sum(%x: !x) -> !dy
  source {
    %0 = graph.avg_pool %x kernel = [r, s] strides = [u, v] pads = [t, l, b, e] dilations = [d, f] channels_first count_include_pad : (!x) -> !dy
    rule.yield %0 : !dy
  }
  target {
    %one = graph.constant dense<1.0> : !i
    %ones = graph.broadcast %one shape = [c, 1, r, s] : (!i) -> !dk
    %count = graph.reduce_sum %ones axes = [2, 3] keepdims : (!dk) -> !i1
    %counts = graph.broadcast %count shape = [c, 1, r, s] : (!i1) -> !dk
    %k = graph.mul %ones, %ones : !dk
    %0 = graph.conv %x, %k strides = [u, v] pads = [t, l, b, e] dilations = [d, f] groups = c channels_first : (!x, !dk) -> !dy
    rule.yield %0 : !dy
  }
  where [c >= 1, r >= 1, s >= 1]

// The smaller window lies at the wrong end of the larger.
// CHECK: refuted add_shifted_avg_pools
rule.rule @add_shifted_avg_pools(%x: !x) -> !py
  source {
    %0 = graph.avg_pool %x kernel = [r, s] strides = [u, v] pads = [t, l, b, e] dilations = [1, 1] channels_first count_include_pad : (!x) -> !py
    %1 = graph.avg_pool %x kernel = [r + T - t + B - b, s + L - l + E - e] strides = [u, v] pads = [T, L, B, E] dilations = [1, 1] channels_first count_include_pad : (!x) -> !py
    %2 = graph.add %0, %1 : !py
    rule.yield %2 : !py
  }
  target {
    %one = graph.constant dense<1.0> : !i
    %small = graph.broadcast %one shape = [c, 1, r, s] : (!i) -> !dk
    %scount = graph.reduce_sum %small axes = [2, 3] keepdims : (!dk) -> !i1
    %scounts = graph.broadcast %scount shape = [c, 1, r, s] : (!i1) -> !dk
    %smean = graph.div %small, %scounts : !dk
    %spadded = graph.pad %smean low = [0, 0, B - b, L - l] high = [0, 0, T - t, E - e] constant value = 0.0 : (!dk) -> !pp
    %large = graph.broadcast %one shape = [c, 1, r + T - t + B - b, s + L - l + E - e] : (!i) -> !pp
    %lcount = graph.reduce_sum %large axes = [2, 3] keepdims : (!pp) -> !i1
    %lcounts = graph.broadcast %lcount shape = [c, 1, r + T - t + B - b, s + L - l + E - e] : (!i1) -> !pp
    %lmean = graph.div %large, %lcounts : !pp
    %k = graph.add %spadded, %lmean : !pp
    %0 = graph.conv %x, %k strides = [u, v] pads = [T, L, B, E] dilations = [1, 1] groups = c channels_first : (!x, !pp) -> !py
    rule.yield %0 : !py
  }
  where [c >= 1, r >= 1, s >= 1, T >= t, L >= l, B >= b, E >= e]

// One divisor for both windows.
// CHECK: refuted add_avg_pools_by_sum_of_windows
rule.rule @add_avg_pools_by_sum_of_windows(%x: !x) -> !py
  source {
    %0 = graph.avg_pool %x kernel = [r, s] strides = [u, v] pads = [t, l, b, e] dilations = [1, 1] channels_first count_include_pad : (!x) -> !py
    %1 = graph.avg_pool %x kernel = [r + T - t + B - b, s + L - l + E - e] strides = [u, v] pads = [T, L, B, E] dilations = [1, 1] channels_first count_include_pad : (!x) -> !py
    %2 = graph.add %0, %1 : !py
    rule.yield %2 : !py
  }
  target {
    %one = graph.constant dense<1.0> : !i
    %small = graph.broadcast %one shape = [c, 1, r, s] : (!i) -> !dk
    %scount = graph.reduce_sum %small axes = [2, 3] keepdims : (!dk) -> !i1
    %scounts = graph.broadcast %scount shape = [c, 1, r, s] : (!i1) -> !dk
    %smean = graph.div %small, %scounts : !dk
    %spadded = graph.pad %smean low = [0, 0, T - t, L - l] high = [0, 0, B - b, E - e] constant value = 0.0 : (!dk) -> !pp
    %large = graph.broadcast %one shape = [c, 1, r + T - t + B - b, s + L - l + E - e] : (!i) -> !pp
    %lcount = graph.reduce_sum %large axes = [2, 3] keepdims : (!pp) -> !i1
    %lcounts = graph.broadcast %lcount shape = [c, 1, r + T - t + B - b, s + L - l + E - e] : (!i1) -> !pp
    %lmean = graph.mul %large, %lcounts : !pp
    %k = graph.add %spadded, %lmean : !pp
    %0 = graph.conv %x, %k strides = [u, v] pads = [T, L, B, E] dilations = [1, 1] groups = c channels_first : (!x, !pp) -> !py
    rule.yield %0 : !py
  }
  where [c >= 1, r >= 1, s >= 1, T >= t, L >= l, B >= b, E >= e]

// A maximum, in place of a sum.
// CHECK: refuted maximum_of_avg_pools
rule.rule @maximum_of_avg_pools(%x: !x, %y: !x) -> !dy
  source {
    %0 = graph.avg_pool %x kernel = [r, s] strides = [u, v] pads = [t, l, b, e] dilations = [d, f] channels_first count_include_pad : (!x) -> !dy
    %1 = graph.avg_pool %y kernel = [r, s] strides = [u, v] pads = [t, l, b, e] dilations = [d, f] channels_first count_include_pad : (!x) -> !dy
    %2 = graph.maximum %0, %1 : !dy
    rule.yield %2 : !dy
  }
  target {
    %0 = graph.maximum %x, %y : !x
    %1 = graph.avg_pool %0 kernel = [r, s] strides = [u, v] pads = [t, l, b, e] dilations = [d, f] channels_first count_include_pad : (!x) -> !dy
    rule.yield %1 : !dy
  }
  where [r >= 1, s >= 1]

// The operand is read backwards.
// CHECK: refuted depthwise_identity3x3_backwards
rule.rule @depthwise_identity3x3_backwards(%x: !x) -> !x
  source {
    %0 = graph.constant dense<[[[[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]]]> : !i3
    %1 = graph.broadcast %0 shape = [c, 1, 3, 3] : (!i3) -> !ik
    %2 = graph.conv %x, %1 strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = c channels_first : (!x, !ik) -> !x
    rule.yield %2 : !x
  }
  target {
    %back = graph.reverse %x axes = [0] : !x
    rule.yield %back : !x
  }

// CHECK: 0 proved, 20 refuted, 1 unknown
