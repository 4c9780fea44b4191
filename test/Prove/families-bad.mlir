// Negative tests for families.mlir and conv.mlir, by a condition left out or two
// things swapped: each is refuted.
// RUN: not tenon-rules prove %s 2>&1 | FileCheck %s
// The proofs themselves find none of them, without trying small sizes first.
// RUN: not tenon-rules prove --without-refuting %s 2>&1 | FileCheck %s --check-prefix=PROOF
// PROOF: 0 proved, 11 unknown
// REQUIRES: z3
// REQUIRES: slow

!mk = tensor<?x?xf32, #graph.dims<m, k>>
!kn = tensor<?x?xf32, #graph.dims<k, n>>
!mn = tensor<?x?xf32, #graph.dims<m, n>>
!pk = tensor<?x?xf32, #graph.dims<p, k>>
!mp_k = tensor<?x?xf32, #graph.dims<m + p, k>>
!n = tensor<?xf32, #graph.dims<n>>
!kk = tensor<?x?xf32, #graph.dims<k, k>>
!nk = tensor<?x?xf32, #graph.dims<n, k>>

// The factors of a product of square matrices do not commute.
// CHECK: refuted commute
rule.rule @commute(%a: [k, k], %b: [k, k]) -> [k, k]
  source {
    %0 = graph.matmul %a, %b : (!kk, !kk) -> !kk
    rule.yield %0 : [k, k]
  }
  target {
    %0 = graph.matmul %b, %a : (!kk, !kk) -> !kk
    rule.yield %0 : [k, k]
  }

// CHECK: refuted transpose_without_swap
rule.rule @transpose_without_swap(%a: [k, k], %b: [k, k]) -> [k, k]
  source {
    %0 = graph.matmul %a, %b : (!kk, !kk) -> !kk
    %1 = graph.transpose %0 perm = [1, 0] : (!kk) -> !kk
    rule.yield %1 : [k, k]
  }
  target {
    %0 = graph.transpose %a perm = [1, 0] : (!kk) -> !kk
    %1 = graph.transpose %b perm = [1, 0] : (!kk) -> !kk
    %2 = graph.matmul %0, %1 : (!kk, !kk) -> !kk
    rule.yield %2 : [k, k]
  }

// A product does not distribute over a maximum.
// CHECK: refuted distribute_over_maximum
rule.rule @distribute_over_maximum(%a: [m, k], %b: [k, n], %c: [k, n]) -> [m, n]
  source {
    %0 = graph.matmul %a, %b : (!mk, !kn) -> !mn
    %1 = graph.matmul %a, %c : (!mk, !kn) -> !mn
    %2 = graph.maximum %0, %1 : !mn
    rule.yield %2 : [m, n]
  }
  target {
    %0 = graph.maximum %b, %c : !kn
    %1 = graph.matmul %a, %0 : (!mk, !kn) -> !mn
    rule.yield %1 : [m, n]
  }

// CHECK: refuted factor_wrong
rule.rule @factor_wrong(%a: [n], %b: [n], %c: [n]) -> [n]
  source {
    %0 = graph.mul %a, %b : !n
    %1 = graph.mul %a, %c : !n
    %2 = graph.add %0, %1 : !n
    rule.yield %2 : [n]
  }
  target {
    %0 = graph.mul %b, %c : !n
    %1 = graph.mul %a, %0 : !n
    rule.yield %1 : [n]
  }

// The second start counts steps of the first slice.
// CHECK: refuted slice_of_slice_wrong_start
rule.rule @slice_of_slice_wrong_start(%a: [n]) -> [q]
  source {
    %0 = graph.slice %a starts = [s] sizes = [p] steps = [u] : (!n) -> tensor<?xf32, #graph.dims<p>>
    %1 = graph.slice %0 starts = [t] sizes = [q] steps = [v] : (tensor<?xf32, #graph.dims<p>>) -> tensor<?xf32, #graph.dims<q>>
    rule.yield %1 : [q]
  }
  target {
    %1 = graph.slice %a starts = [s + t] sizes = [q] steps = [u * v] : (!n) -> tensor<?xf32, #graph.dims<q>>
    rule.yield %1 : [q]
  }
  where [u >= 1, v >= 1, p >= 1, q >= 1, s + u * p - u + 1 <= n, t + v * q - v + 1 <= p]

// A slice of the first part is taken of the second.
// CHECK: refuted slice_of_concat_without_condition
// CHECK-SAME: {{$}}
rule.rule @slice_of_concat_without_condition(%a: [m, k], %b: [p, k]) -> [s, k]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mk, !pk) -> !mp_k
    %1 = graph.slice %0 starts = [t, 0] sizes = [s, k] steps = [1, 1] : (!mp_k) -> tensor<?x?xf32, #graph.dims<s, k>>
    rule.yield %1 : [s, k]
  }
  target {
    %1 = graph.slice %b starts = [t, 0] sizes = [s, k] steps = [1, 1] : (!pk) -> tensor<?x?xf32, #graph.dims<s, k>>
    rule.yield %1 : [s, k]
  }
  where [t + s <= m + p, t + s <= p]

// CHECK: refuted sum_of_concat_wrong
rule.rule @sum_of_concat_wrong(%a: [m, k], %b: [p, k]) -> [k]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mk, !pk) -> !mp_k
    %1 = graph.reduce_sum %0 axes = [0] : (!mp_k) -> tensor<?xf32, #graph.dims<k>>
    rule.yield %1 : [k]
  }
  target {
    %0 = graph.reduce_sum %a axes = [0] : (!mk) -> tensor<?xf32, #graph.dims<k>>
    %1 = graph.reduce_sum %b axes = [0] : (!pk) -> tensor<?xf32, #graph.dims<k>>
    %2 = graph.sub %0, %1 : tensor<?xf32, #graph.dims<k>>
    rule.yield %2 : [k]
  }

// CHECK: refuted concat_of_slices_with_gap
rule.rule @concat_of_slices_with_gap(%a: [n, k]) -> [n, k]
  source {
    %0 = graph.slice %a starts = [0, 0] sizes = [s, k] steps = [1, 1] : (!nk) -> tensor<?x?xf32, #graph.dims<s, k>>
    %1 = graph.slice %a starts = [1, 0] sizes = [n - s, k] steps = [1, 1] : (!nk) -> tensor<?x?xf32, #graph.dims<n - s, k>>
    %2 = graph.concat %0, %1 axis = 0 : (tensor<?x?xf32, #graph.dims<s, k>>, tensor<?x?xf32, #graph.dims<n - s, k>>) -> !nk
    rule.yield %2 : [n, k]
  }
  target {
    rule.yield %a : [n, k]
  }
  where [s <= n, s >= 1]

// TASO's rule 99 in short: a group convolution gives its outputs evenly to the
// groups, whatever number each convolution had.
!x = tensor<?x?x?x?xf32, #graph.dims<b, c, h, w>>
!u = tensor<?x?x3x3xf32, #graph.dims<o, c, 3, 3>>
!v = tensor<?x?x3x3xf32, #graph.dims<p, c, 3, 3>>
!uv = tensor<?x?x3x3xf32, #graph.dims<o + p, c, 3, 3>>
!xx = tensor<?x?x?x?xf32, #graph.dims<b, 2 * c, h, w>>
!yo = tensor<?x?x?x?xf32, #graph.dims<b, o, h, w>>
!yp = tensor<?x?x?x?xf32, #graph.dims<b, p, h, w>>
!yop = tensor<?x?x?x?xf32, #graph.dims<b, o + p, h, w>>
// CHECK: refuted group_convs_of_unequal_outputs
rule.rule @group_convs_of_unequal_outputs(%x: [b, c, h, w], %y: [b, c, h, w], %u: !u, %v: !v) -> !yop
  source {
    %0 = graph.conv %x, %u strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_first : (!x, !u) -> !yo
    %1 = graph.conv %y, %v strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_first : (!x, !v) -> !yp
    %2 = graph.concat %0, %1 axis = 1 : (!yo, !yp) -> !yop
    rule.yield %2 : !yop
  }
  target {
    %0 = graph.concat %x, %y axis = 1 : (!x, !x) -> !xx
    %1 = graph.concat %u, %v axis = 0 : (!u, !v) -> !uv
    %2 = graph.conv %0, %1 strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 2 channels_first : (!xx, !uv) -> !yop
    rule.yield %2 : !yop
  }
  where [2 divides o + p]

// A larger kernel with zeros on one side only.
!yk = tensor<?x?x?x?xf32, #graph.dims<b, o, h, w>>
!w5 = tensor<?x?x5x5xf32, #graph.dims<o, c, 5, 5>>
// CHECK: refuted enlarge_on_one_side
rule.rule @enlarge_on_one_side(%x: [b, c, h, w], %a: !u) -> !yk
  source {
    %0 = graph.conv %x, %a strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_first : (!x, !u) -> !yk
    rule.yield %0 : !yk
  }
  target {
    %p = graph.pad %a low = [0, 0, 2, 2] high = [0, 0, 0, 0] constant value = 0.0 : (!u) -> !w5
    %0 = graph.conv %x, %p strides = [1, 1] pads = [2, 2, 2, 2] dilations = [1, 1] groups = 1 channels_first : (!x, !w5) -> !yk
    rule.yield %0 : !yk
  }

!k = tensor<?xf32, #graph.dims<k>>
// CHECK: refuted max_of_concat_once
rule.rule @max_of_concat_once(%a: [m, k], %b: [p, k]) -> [k]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mk, !pk) -> !mp_k
    %1 = graph.reduce_max %0 axes = [0] : (!mp_k) -> !k
    rule.yield %1 : [k]
  }
  target {
    %0 = graph.reduce_max %a axes = [0] : (!mk) -> !k
    %1 = graph.reduce_max %a axes = [0] : (!mk) -> !k
    %2 = graph.maximum %0, %1 : !k
    rule.yield %2 : [k]
  }

// CHECK: 0 proved, 11 refuted
