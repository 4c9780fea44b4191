// Negative tests for rules/convolution.mlir: a stride, an order or a padding lost. Each
// is refuted.
// RUN: not tenon-rules prove %s 2>&1 | FileCheck %s
// The proofs themselves find none of them, without trying small sizes first.
// RUN: not tenon-rules prove --without-refuting --rlimit 100000 %s 2>&1 | FileCheck %s --check-prefix=PROOF
// PROOF: 0 proved, 6 unknown
// REQUIRES: z3

!k = tensor<?x?x1x1xf32, #graph.dims<o, c, 1, 1>>
!oc = tensor<?x?xf32, #graph.dims<o, c>>
!x = tensor<?x?x?x?xf32, #graph.dims<n, h, w, c>>
!y = tensor<?x?x?x?xf32, #graph.dims<n, h, w, o>>
!xf = tensor<?x?x?x?xf32, #graph.dims<n, c, h, w>>
!yf = tensor<?x?x?x?xf32, #graph.dims<n, o, h, w>>
!xp = tensor<?x?x?xf32, #graph.dims<n, c, h * w>>
!yp = tensor<?x?x?xf32, #graph.dims<n, o, h * w>>
!xs = tensor<?x?x?x?xf32, #graph.dims<n, (h - 1) floordiv u + 1, (w - 1) floordiv v + 1, c>>
!ys = tensor<?x?x?x?xf32, #graph.dims<n, (h - 1) floordiv u + 1, (w - 1) floordiv v + 1, o>>
!mc = tensor<?x?xf32, #graph.dims<m, c>>
!co = tensor<?x?xf32, #graph.dims<c, o>>
!mo = tensor<?x?xf32, #graph.dims<m, o>>
!m11c = tensor<?x1x1x?xf32, #graph.dims<m, 1, 1, c>>
!m11o = tensor<?x1x1x?xf32, #graph.dims<m, 1, 1, o>>
!xt = tensor<?x?x?x?xf32, #graph.dims<n, c, w, h>>
!yq = tensor<?x?x?x?xf32, #graph.dims<n, o, h + 1, w>>

// A square kernel, not transposed.
// CHECK: refuted conv1x1_to_matmul_turned
rule.rule @conv1x1_to_matmul_turned(%x: !x, %k: !k) -> !y
  source {
    %0 = graph.conv %x, %k strides = [1, 1] pads = [0, 0, 0, 0] dilations = [d, f] groups = 1 channels_last : (!x, !k) -> !y
    rule.yield %0 : !y
  }
  target {
    %0 = graph.reshape %k shape = [o, c] : (!k) -> !oc
    %1 = graph.reshape %0 shape = [c, o] : (!oc) -> !co
    %2 = graph.matmul %x, %1 : (!x, !co) -> !y
    rule.yield %2 : !y
  }

// The columns are joined, in place of the rows.
// CHECK: refuted conv1x1_to_matmul_of_columns
rule.rule @conv1x1_to_matmul_of_columns(%x: !xf, %k: !k) -> !yf
  source {
    %0 = graph.conv %x, %k strides = [1, 1] pads = [0, 0, 0, 0] dilations = [d, f] groups = 1 channels_first : (!xf, !k) -> !yf
    rule.yield %0 : !yf
  }
  target {
    %t = graph.transpose %x perm = [0, 1, 3, 2] : (!xf) -> !xt
    %0 = graph.reshape %t shape = [n, c, h * w] : (!xt) -> !xp
    %1 = graph.reshape %k shape = [o, c] : (!k) -> !oc
    %2 = graph.matmul %1, %0 : (!oc, !xp) -> !yp
    %3 = graph.reshape %2 shape = [n, o, h, w] : (!yp) -> !yf
    rule.yield %3 : !yf
  }

// The padding is lost.
// CHECK: refuted padded_conv1x1_to_matmul
rule.rule @padded_conv1x1_to_matmul(%x: !xf, %k: !k) -> !yf
  source {
    %0 = graph.conv %x, %k strides = [1, 1] pads = [1, 0, 0, 0] dilations = [d, f] groups = 1 channels_first : (!xf, !k) -> !yq
    %1 = graph.slice %0 starts = [0, 0, 0, 0] sizes = [n, o, h, w] steps = [1, 1, 1, 1] : (!yq) -> !yf
    rule.yield %1 : !yf
  }
  target {
    %0 = graph.reshape %x shape = [n, c, h * w] : (!xf) -> !xp
    %1 = graph.reshape %k shape = [o, c] : (!k) -> !oc
    %2 = graph.matmul %1, %0 : (!oc, !xp) -> !yp
    %3 = graph.reshape %2 shape = [n, o, h, w] : (!yp) -> !yf
    rule.yield %3 : !yf
  }

// The strides change places.
// CHECK: refuted strided_conv1x1_to_swapped_matmul
rule.rule @strided_conv1x1_to_swapped_matmul(%x: !x, %k: !k) -> !ys
  source {
    %0 = graph.conv %x, %k strides = [u, v] pads = [0, 0, 0, 0] dilations = [d, f] groups = 1 channels_last : (!x, !k) -> !ys
    rule.yield %0 : !ys
  }
  target {
    %0 = graph.slice %x starts = [0, 0, 0, 0] sizes = [n, (h - 1) floordiv u + 1, (w - 1) floordiv v + 1, c] steps = [1, v, u, 1] : (!x) -> !xs
    %1 = graph.reshape %k shape = [o, c] : (!k) -> !oc
    %2 = graph.matmul %0, %1 transpose_b : (!xs, !oc) -> !ys
    rule.yield %2 : !ys
  }

// The first pixels are taken, not those that the strides leave.
// CHECK: refuted strided_conv1x1_to_shifted_matmul
rule.rule @strided_conv1x1_to_shifted_matmul(%x: !x, %k: !k) -> !ys
  source {
    %0 = graph.conv %x, %k strides = [u, v] pads = [0, 0, 0, 0] dilations = [d, f] groups = 1 channels_last : (!x, !k) -> !ys
    rule.yield %0 : !ys
  }
  target {
    %0 = graph.slice %x starts = [0, 0, 0, 0] sizes = [n, (h - 1) floordiv u + 1, (w - 1) floordiv v + 1, c] steps = [1, 1, 1, 1] : (!x) -> !xs
    %1 = graph.reshape %k shape = [o, c] : (!k) -> !oc
    %2 = graph.matmul %0, %1 transpose_b : (!xs, !oc) -> !ys
    rule.yield %2 : !ys
  }

// The kernel gets its new shape, but not its new order.
// CHECK: refuted matmul_to_conv1x1_turned
rule.rule @matmul_to_conv1x1_turned(%x: !mc, %k: !co) -> !mo
  source {
    %0 = graph.matmul %x, %k : (!mc, !co) -> !mo
    rule.yield %0 : !mo
  }
  target {
    %0 = graph.reshape %k shape = [o, c] : (!co) -> !oc
    %1 = graph.reshape %0 shape = [o, c, 1, 1] : (!oc) -> !k
    %2 = graph.reshape %x shape = [m, 1, 1, c] : (!mc) -> !m11c
    %3 = graph.conv %2, %1 strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] groups = 1 channels_last : (!m11c, !k) -> !m11o
    %4 = graph.reshape %3 shape = [m, o] : (!m11o) -> !mo
    rule.yield %4 : !mo
  }

// CHECK: 0 proved, 6 refuted
