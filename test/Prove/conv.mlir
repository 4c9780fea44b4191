// Rules about convolutions, for all sizes, strides, pads and dilations.
// RUN: tenon-rules prove %s | FileCheck %s
// REQUIRES: z3

!x = tensor<?x?x?x?xf32, #graph.dims<b, c, h, w>>
!wo = tensor<?x?x?x?xf32, #graph.dims<o, c, r, t>>
!wp = tensor<?x?x?x?xf32, #graph.dims<p, c, r, t>>
!wop = tensor<?x?x?x?xf32, #graph.dims<o + p, c, r, t>>
!yo = tensor<?x?x?x?xf32, #graph.dims<b, o, (h + 2 * e - d * (r - 1) - 1) floordiv s + 1, (w + 2 * e - d * (t - 1) - 1) floordiv s + 1>>
!yp = tensor<?x?x?x?xf32, #graph.dims<b, p, (h + 2 * e - d * (r - 1) - 1) floordiv s + 1, (w + 2 * e - d * (t - 1) - 1) floordiv s + 1>>
!yop = tensor<?x?x?x?xf32, #graph.dims<b, o + p, (h + 2 * e - d * (r - 1) - 1) floordiv s + 1, (w + 2 * e - d * (t - 1) - 1) floordiv s + 1>>

// 5. Convolutions that share their input.
// CHECK: proved merge_convs_sharing_input (exact;
rule.rule @merge_convs_sharing_input(%x: [b, c, h, w], %a: [o, c, r, t], %b: [p, c, r, t])
    -> (!yo, !yp)
  source {
    %0 = graph.conv %x, %a strides = [s, s] pads = [e, e, e, e] dilations = [d, d] groups = 1 channels_first : (!x, !wo) -> !yo
    %1 = graph.conv %x, %b strides = [s, s] pads = [e, e, e, e] dilations = [d, d] groups = 1 channels_first : (!x, !wp) -> !yp
    rule.yield %0, %1 : !yo, !yp
  }
  target {
    %ab = graph.concat %a, %b axis = 0 : (!wo, !wp) -> !wop
    %y = graph.conv %x, %ab strides = [s, s] pads = [e, e, e, e] dilations = [d, d] groups = 1 channels_first : (!x, !wop) -> !yop
    %0, %1 = graph.split %y axis = 1 sizes = [o, p] : (!yop) -> (!yo, !yp)
    rule.yield %0, %1 : !yo, !yp
  }
  where [s >= 1, d >= 1, r >= 1, t >= 1, h + 2 * e >= d * (r - 1) + 1, w + 2 * e >= d * (t - 1) + 1]

// 20. A sum of convolutions of one input.
// CHECK: proved add_conv_weights (reassociates; elements: ring;
rule.rule @add_conv_weights(%x: [b, c, h, w], %a: [o, c, r, t], %b: [o, c, r, t]) -> !yo
  source {
    %0 = graph.conv %x, %a strides = [s, s] pads = [e, e, e, e] dilations = [d, d] groups = 1 channels_first : (!x, !wo) -> !yo
    %1 = graph.conv %x, %b strides = [s, s] pads = [e, e, e, e] dilations = [d, d] groups = 1 channels_first : (!x, !wo) -> !yo
    %2 = graph.add %0, %1 : !yo
    rule.yield %2 : !yo
  }
  target {
    %ab = graph.add %a, %b : !wo
    %y = graph.conv %x, %ab strides = [s, s] pads = [e, e, e, e] dilations = [d, d] groups = 1 channels_first : (!x, !wo) -> !yo
    rule.yield %y : !yo
  }
  where [s >= 1, d >= 1, r >= 1, t >= 1, h + 2 * e >= d * (r - 1) + 1, w + 2 * e >= d * (t - 1) + 1]

// 30. A larger kernel with zeros around, and as much more padding.
!yk = tensor<?x?x?x?xf32, #graph.dims<b, o, (h + 2 * e - r) floordiv s + 1, (w + 2 * e - t) floordiv s + 1>>
!wk = tensor<?x?x?x?xf32, #graph.dims<o, c, r + 2 * z, t + 2 * z>>
// CHECK: proved enlarge_kernel (reassociates, needs-finite; elements: ring;
rule.rule @enlarge_kernel(%x: [b, c, h, w], %a: [o, c, r, t], %zero: [z]) -> (!yk, [z])
  source {
    %0 = graph.conv %x, %a strides = [s, s] pads = [e, e, e, e] dilations = [1, 1] groups = 1 channels_first : (!x, !wo) -> !yk
    %1 = graph.neg %zero : tensor<?xf32, #graph.dims<z>>
    rule.yield %0, %1 : !yk, [z]
  }
  target {
    %p = graph.pad %a low = [0, 0, z, z] high = [0, 0, z, z] constant value = 0.0 : (!wo) -> !wk
    %0 = graph.conv %x, %p strides = [s, s] pads = [e + z, e + z, e + z, e + z] dilations = [1, 1] groups = 1 channels_first : (!x, !wk) -> !yk
    %1 = graph.neg %zero : tensor<?xf32, #graph.dims<z>>
    rule.yield %0, %1 : !yk, [z]
  }
  where [s >= 1, r >= 1, t >= 1, h + 2 * e >= r, w + 2 * e >= t]
