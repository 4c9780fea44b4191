// Negative tests for rules/movement-reductions.mlir: each must be refuted.
// RUN: not tenon-rules prove %s 2>/dev/null | FileCheck %s
// The proofs themselves find none of them, without trying small sizes first.
// RUN: not tenon-rules prove --without-refuting %s 2>/dev/null | FileCheck %s --check-prefix=PROOF
// PROOF: 0 proved, 74 unknown
// REQUIRES: z3

!aa = tensor<?x?xf32, #graph.dims<a, a>>
!a = tensor<?xf32, #graph.dims<a>>
// CHECK: refuted sum_of_transposed_10_along_0_along_other_axis
rule.rule @sum_of_transposed_10_along_0_along_other_axis(%x: [a, a]) -> [a]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!aa) -> !aa
    %1 = graph.reduce_sum %0 axes = [0] : (!aa) -> !a
    rule.yield %1 : [a]
  }
  target {
    %0 = graph.reduce_sum %x axes = [0] : (!aa) -> !a
    rule.yield %0 : [a]
  }

// CHECK: refuted sum_of_transposed_10_along_1_along_other_axis
rule.rule @sum_of_transposed_10_along_1_along_other_axis(%x: [a, a]) -> [a]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!aa) -> !aa
    %1 = graph.reduce_sum %0 axes = [1] : (!aa) -> !a
    rule.yield %1 : [a]
  }
  target {
    %0 = graph.reduce_sum %x axes = [1] : (!aa) -> !a
    rule.yield %0 : [a]
  }

!aaa = tensor<?x?x?xf32, #graph.dims<a, a, a>>
// CHECK: refuted sum_of_transposed_102_along_0_along_other_axis
rule.rule @sum_of_transposed_102_along_0_along_other_axis(%x: [a, a, a]) -> [a, a]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!aaa) -> !aaa
    %1 = graph.reduce_sum %0 axes = [0] : (!aaa) -> !aa
    rule.yield %1 : [a, a]
  }
  target {
    %0 = graph.reduce_sum %x axes = [2] : (!aaa) -> !aa
    rule.yield %0 : [a, a]
  }

// CHECK: refuted sum_of_transposed_102_along_1_along_other_axis
rule.rule @sum_of_transposed_102_along_1_along_other_axis(%x: [a, a, a]) -> [a, a]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!aaa) -> !aaa
    %1 = graph.reduce_sum %0 axes = [1] : (!aaa) -> !aa
    rule.yield %1 : [a, a]
  }
  target {
    %0 = graph.reduce_sum %x axes = [1] : (!aaa) -> !aa
    rule.yield %0 : [a, a]
  }

// CHECK: refuted sum_of_transposed_102_along_2_along_other_axis
rule.rule @sum_of_transposed_102_along_2_along_other_axis(%x: [a, a, a]) -> [a, a]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!aaa) -> !aaa
    %1 = graph.reduce_sum %0 axes = [2] : (!aaa) -> !aa
    rule.yield %1 : [a, a]
  }
  target {
    %0 = graph.reduce_sum %x axes = [0] : (!aaa) -> !aa
    %1 = graph.transpose %0 perm = [1, 0] : (!aa) -> !aa
    rule.yield %1 : [a, a]
  }

// CHECK: refuted sum_of_transposed_120_along_0_along_other_axis
rule.rule @sum_of_transposed_120_along_0_along_other_axis(%x: [a, a, a]) -> [a, a]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!aaa) -> !aaa
    %1 = graph.reduce_sum %0 axes = [0] : (!aaa) -> !aa
    rule.yield %1 : [a, a]
  }
  target {
    %0 = graph.reduce_sum %x axes = [2] : (!aaa) -> !aa
    %1 = graph.transpose %0 perm = [1, 0] : (!aa) -> !aa
    rule.yield %1 : [a, a]
  }

// CHECK: refuted sum_of_transposed_120_along_1_along_other_axis
rule.rule @sum_of_transposed_120_along_1_along_other_axis(%x: [a, a, a]) -> [a, a]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!aaa) -> !aaa
    %1 = graph.reduce_sum %0 axes = [1] : (!aaa) -> !aa
    rule.yield %1 : [a, a]
  }
  target {
    %0 = graph.reduce_sum %x axes = [0] : (!aaa) -> !aa
    %1 = graph.transpose %0 perm = [1, 0] : (!aa) -> !aa
    rule.yield %1 : [a, a]
  }

// CHECK: refuted sum_of_transposed_120_along_2_along_other_axis
rule.rule @sum_of_transposed_120_along_2_along_other_axis(%x: [a, a, a]) -> [a, a]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!aaa) -> !aaa
    %1 = graph.reduce_sum %0 axes = [2] : (!aaa) -> !aa
    rule.yield %1 : [a, a]
  }
  target {
    %0 = graph.reduce_sum %x axes = [1] : (!aaa) -> !aa
    rule.yield %0 : [a, a]
  }

// CHECK: refuted sum_of_transposed_201_along_0_along_other_axis
rule.rule @sum_of_transposed_201_along_0_along_other_axis(%x: [a, a, a]) -> [a, a]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!aaa) -> !aaa
    %1 = graph.reduce_sum %0 axes = [0] : (!aaa) -> !aa
    rule.yield %1 : [a, a]
  }
  target {
    %0 = graph.reduce_sum %x axes = [0] : (!aaa) -> !aa
    rule.yield %0 : [a, a]
  }

// CHECK: refuted sum_of_transposed_201_along_1_along_other_axis
rule.rule @sum_of_transposed_201_along_1_along_other_axis(%x: [a, a, a]) -> [a, a]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!aaa) -> !aaa
    %1 = graph.reduce_sum %0 axes = [1] : (!aaa) -> !aa
    rule.yield %1 : [a, a]
  }
  target {
    %0 = graph.reduce_sum %x axes = [1] : (!aaa) -> !aa
    %1 = graph.transpose %0 perm = [1, 0] : (!aa) -> !aa
    rule.yield %1 : [a, a]
  }

// CHECK: refuted sum_of_transposed_201_along_2_along_other_axis
rule.rule @sum_of_transposed_201_along_2_along_other_axis(%x: [a, a, a]) -> [a, a]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!aaa) -> !aaa
    %1 = graph.reduce_sum %0 axes = [2] : (!aaa) -> !aa
    rule.yield %1 : [a, a]
  }
  target {
    %0 = graph.reduce_sum %x axes = [2] : (!aaa) -> !aa
    %1 = graph.transpose %0 perm = [1, 0] : (!aa) -> !aa
    rule.yield %1 : [a, a]
  }

// CHECK: refuted max_of_transposed_10_along_0_along_other_axis
rule.rule @max_of_transposed_10_along_0_along_other_axis(%x: [a, a]) -> [a]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!aa) -> !aa
    %1 = graph.reduce_max %0 axes = [0] : (!aa) -> !a
    rule.yield %1 : [a]
  }
  target {
    %0 = graph.reduce_max %x axes = [0] : (!aa) -> !a
    rule.yield %0 : [a]
  }

// CHECK: refuted max_of_transposed_10_along_1_along_other_axis
rule.rule @max_of_transposed_10_along_1_along_other_axis(%x: [a, a]) -> [a]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!aa) -> !aa
    %1 = graph.reduce_max %0 axes = [1] : (!aa) -> !a
    rule.yield %1 : [a]
  }
  target {
    %0 = graph.reduce_max %x axes = [1] : (!aa) -> !a
    rule.yield %0 : [a]
  }

// CHECK: refuted mean_of_transposed_10_along_0_along_other_axis
rule.rule @mean_of_transposed_10_along_0_along_other_axis(%x: [a, a]) -> [a]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!aa) -> !aa
    %1 = graph.reduce_mean %0 axes = [0] : (!aa) -> !a
    rule.yield %1 : [a]
  }
  target {
    %0 = graph.reduce_mean %x axes = [0] : (!aa) -> !a
    rule.yield %0 : [a]
  }

// CHECK: refuted mean_of_transposed_10_along_1_along_other_axis
rule.rule @mean_of_transposed_10_along_1_along_other_axis(%x: [a, a]) -> [a]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!aa) -> !aa
    %1 = graph.reduce_mean %0 axes = [1] : (!aa) -> !a
    rule.yield %1 : [a]
  }
  target {
    %0 = graph.reduce_mean %x axes = [1] : (!aa) -> !a
    rule.yield %0 : [a]
  }

// CHECK: refuted mean_of_transposed_102_along_0_along_other_axis
rule.rule @mean_of_transposed_102_along_0_along_other_axis(%x: [a, a, a]) -> [a, a]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!aaa) -> !aaa
    %1 = graph.reduce_mean %0 axes = [0] : (!aaa) -> !aa
    rule.yield %1 : [a, a]
  }
  target {
    %0 = graph.reduce_mean %x axes = [2] : (!aaa) -> !aa
    rule.yield %0 : [a, a]
  }

// CHECK: refuted mean_of_transposed_102_along_1_along_other_axis
rule.rule @mean_of_transposed_102_along_1_along_other_axis(%x: [a, a, a]) -> [a, a]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!aaa) -> !aaa
    %1 = graph.reduce_mean %0 axes = [1] : (!aaa) -> !aa
    rule.yield %1 : [a, a]
  }
  target {
    %0 = graph.reduce_mean %x axes = [1] : (!aaa) -> !aa
    rule.yield %0 : [a, a]
  }

// CHECK: refuted mean_of_transposed_102_along_2_along_other_axis
rule.rule @mean_of_transposed_102_along_2_along_other_axis(%x: [a, a, a]) -> [a, a]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!aaa) -> !aaa
    %1 = graph.reduce_mean %0 axes = [2] : (!aaa) -> !aa
    rule.yield %1 : [a, a]
  }
  target {
    %0 = graph.reduce_mean %x axes = [0] : (!aaa) -> !aa
    %1 = graph.transpose %0 perm = [1, 0] : (!aa) -> !aa
    rule.yield %1 : [a, a]
  }

// CHECK: refuted mean_of_transposed_120_along_0_along_other_axis
rule.rule @mean_of_transposed_120_along_0_along_other_axis(%x: [a, a, a]) -> [a, a]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!aaa) -> !aaa
    %1 = graph.reduce_mean %0 axes = [0] : (!aaa) -> !aa
    rule.yield %1 : [a, a]
  }
  target {
    %0 = graph.reduce_mean %x axes = [2] : (!aaa) -> !aa
    %1 = graph.transpose %0 perm = [1, 0] : (!aa) -> !aa
    rule.yield %1 : [a, a]
  }

// CHECK: refuted mean_of_transposed_120_along_1_along_other_axis
rule.rule @mean_of_transposed_120_along_1_along_other_axis(%x: [a, a, a]) -> [a, a]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!aaa) -> !aaa
    %1 = graph.reduce_mean %0 axes = [1] : (!aaa) -> !aa
    rule.yield %1 : [a, a]
  }
  target {
    %0 = graph.reduce_mean %x axes = [0] : (!aaa) -> !aa
    %1 = graph.transpose %0 perm = [1, 0] : (!aa) -> !aa
    rule.yield %1 : [a, a]
  }

// CHECK: refuted mean_of_transposed_120_along_2_along_other_axis
rule.rule @mean_of_transposed_120_along_2_along_other_axis(%x: [a, a, a]) -> [a, a]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!aaa) -> !aaa
    %1 = graph.reduce_mean %0 axes = [2] : (!aaa) -> !aa
    rule.yield %1 : [a, a]
  }
  target {
    %0 = graph.reduce_mean %x axes = [1] : (!aaa) -> !aa
    rule.yield %0 : [a, a]
  }

// CHECK: refuted mean_of_transposed_201_along_0_along_other_axis
rule.rule @mean_of_transposed_201_along_0_along_other_axis(%x: [a, a, a]) -> [a, a]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!aaa) -> !aaa
    %1 = graph.reduce_mean %0 axes = [0] : (!aaa) -> !aa
    rule.yield %1 : [a, a]
  }
  target {
    %0 = graph.reduce_mean %x axes = [0] : (!aaa) -> !aa
    rule.yield %0 : [a, a]
  }

// CHECK: refuted mean_of_transposed_201_along_1_along_other_axis
rule.rule @mean_of_transposed_201_along_1_along_other_axis(%x: [a, a, a]) -> [a, a]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!aaa) -> !aaa
    %1 = graph.reduce_mean %0 axes = [1] : (!aaa) -> !aa
    rule.yield %1 : [a, a]
  }
  target {
    %0 = graph.reduce_mean %x axes = [1] : (!aaa) -> !aa
    %1 = graph.transpose %0 perm = [1, 0] : (!aa) -> !aa
    rule.yield %1 : [a, a]
  }

// CHECK: refuted mean_of_transposed_201_along_2_along_other_axis
rule.rule @mean_of_transposed_201_along_2_along_other_axis(%x: [a, a, a]) -> [a, a]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!aaa) -> !aaa
    %1 = graph.reduce_mean %0 axes = [2] : (!aaa) -> !aa
    rule.yield %1 : [a, a]
  }
  target {
    %0 = graph.reduce_mean %x axes = [2] : (!aaa) -> !aa
    %1 = graph.transpose %0 perm = [1, 0] : (!aa) -> !aa
    rule.yield %1 : [a, a]
  }

!of1a = tensor<1x?xf32, #graph.dims<1, a>>
// CHECK: refuted sum_of_transposed_10_keeping_0_along_other_axis
rule.rule @sum_of_transposed_10_keeping_0_along_other_axis(%x: [a, a]) -> [1, a]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!aa) -> !aa
    %1 = graph.reduce_sum %0 axes = [0] keepdims : (!aa) -> !of1a
    rule.yield %1 : [1, a]
  }
  target {
    %0 = graph.reduce_sum %x axes = [0] keepdims : (!aa) -> !of1a
    rule.yield %0 : [1, a]
  }

!a1 = tensor<?x1xf32, #graph.dims<a, 1>>
// CHECK: refuted sum_of_transposed_10_keeping_1_along_other_axis
rule.rule @sum_of_transposed_10_keeping_1_along_other_axis(%x: [a, a]) -> [a, 1]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!aa) -> !aa
    %1 = graph.reduce_sum %0 axes = [1] keepdims : (!aa) -> !a1
    rule.yield %1 : [a, 1]
  }
  target {
    %0 = graph.reduce_sum %x axes = [1] keepdims : (!aa) -> !a1
    rule.yield %0 : [a, 1]
  }

// CHECK: refuted max_of_transposed_10_keeping_0_along_other_axis
rule.rule @max_of_transposed_10_keeping_0_along_other_axis(%x: [a, a]) -> [1, a]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!aa) -> !aa
    %1 = graph.reduce_max %0 axes = [0] keepdims : (!aa) -> !of1a
    rule.yield %1 : [1, a]
  }
  target {
    %0 = graph.reduce_max %x axes = [0] keepdims : (!aa) -> !of1a
    rule.yield %0 : [1, a]
  }

// CHECK: refuted max_of_transposed_10_keeping_1_along_other_axis
rule.rule @max_of_transposed_10_keeping_1_along_other_axis(%x: [a, a]) -> [a, 1]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!aa) -> !aa
    %1 = graph.reduce_max %0 axes = [1] keepdims : (!aa) -> !a1
    rule.yield %1 : [a, 1]
  }
  target {
    %0 = graph.reduce_max %x axes = [1] keepdims : (!aa) -> !a1
    rule.yield %0 : [a, 1]
  }

// CHECK: refuted mean_of_transposed_10_keeping_0_along_other_axis
rule.rule @mean_of_transposed_10_keeping_0_along_other_axis(%x: [a, a]) -> [1, a]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!aa) -> !aa
    %1 = graph.reduce_mean %0 axes = [0] keepdims : (!aa) -> !of1a
    rule.yield %1 : [1, a]
  }
  target {
    %0 = graph.reduce_mean %x axes = [0] keepdims : (!aa) -> !of1a
    rule.yield %0 : [1, a]
  }

// CHECK: refuted mean_of_transposed_10_keeping_1_along_other_axis
rule.rule @mean_of_transposed_10_keeping_1_along_other_axis(%x: [a, a]) -> [a, 1]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!aa) -> !aa
    %1 = graph.reduce_mean %0 axes = [1] keepdims : (!aa) -> !a1
    rule.yield %1 : [a, 1]
  }
  target {
    %0 = graph.reduce_mean %x axes = [1] keepdims : (!aa) -> !a1
    rule.yield %0 : [a, 1]
  }

// CHECK: refuted sum_of_transposed_120_along_0_1_along_other_axes
rule.rule @sum_of_transposed_120_along_0_1_along_other_axes(%x: [a, a, a]) -> [a]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!aaa) -> !aaa
    %1 = graph.reduce_sum %0 axes = [0, 1] : (!aaa) -> !a
    rule.yield %1 : [a]
  }
  target {
    %0 = graph.reduce_sum %x axes = [0, 2] : (!aaa) -> !a
    rule.yield %0 : [a]
  }

// CHECK: refuted sum_of_transposed_201_along_1_2_along_other_axes
rule.rule @sum_of_transposed_201_along_1_2_along_other_axes(%x: [a, a, a]) -> [a]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!aaa) -> !aaa
    %1 = graph.reduce_sum %0 axes = [1, 2] : (!aaa) -> !a
    rule.yield %1 : [a]
  }
  target {
    %0 = graph.reduce_sum %x axes = [0, 2] : (!aaa) -> !a
    rule.yield %0 : [a]
  }

// CHECK: refuted max_of_transposed_120_along_0_1_along_other_axes
rule.rule @max_of_transposed_120_along_0_1_along_other_axes(%x: [a, a, a]) -> [a]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!aaa) -> !aaa
    %1 = graph.reduce_max %0 axes = [0, 1] : (!aaa) -> !a
    rule.yield %1 : [a]
  }
  target {
    %0 = graph.reduce_max %x axes = [0, 2] : (!aaa) -> !a
    rule.yield %0 : [a]
  }

// CHECK: refuted max_of_transposed_201_along_1_2_along_other_axes
rule.rule @max_of_transposed_201_along_1_2_along_other_axes(%x: [a, a, a]) -> [a]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!aaa) -> !aaa
    %1 = graph.reduce_max %0 axes = [1, 2] : (!aaa) -> !a
    rule.yield %1 : [a]
  }
  target {
    %0 = graph.reduce_max %x axes = [0, 2] : (!aaa) -> !a
    rule.yield %0 : [a]
  }

// CHECK: refuted mean_of_transposed_120_along_0_1_along_other_axes
rule.rule @mean_of_transposed_120_along_0_1_along_other_axes(%x: [a, a, a]) -> [a]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!aaa) -> !aaa
    %1 = graph.reduce_mean %0 axes = [0, 1] : (!aaa) -> !a
    rule.yield %1 : [a]
  }
  target {
    %0 = graph.reduce_mean %x axes = [0, 2] : (!aaa) -> !a
    rule.yield %0 : [a]
  }

// CHECK: refuted mean_of_transposed_201_along_1_2_along_other_axes
rule.rule @mean_of_transposed_201_along_1_2_along_other_axes(%x: [a, a, a]) -> [a]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!aaa) -> !aaa
    %1 = graph.reduce_mean %0 axes = [1, 2] : (!aaa) -> !a
    rule.yield %1 : [a]
  }
  target {
    %0 = graph.reduce_mean %x axes = [0, 2] : (!aaa) -> !a
    rule.yield %0 : [a]
  }

!m = tensor<?xf32, #graph.dims<m>>
!p = tensor<?xf32, #graph.dims<p>>
!mp = tensor<?xf32, #graph.dims<m + p>>
!scalar = tensor<f32>
// CHECK: refuted sum_of_concat_wrongly
rule.rule @sum_of_concat_wrongly(%a: [m], %b: [p]) -> []
  source {
    %0 = graph.concat %a, %b axis = 0 : (!m, !p) -> !mp
    %1 = graph.reduce_sum %0 axes = [0] : (!mp) -> !scalar
    rule.yield %1 : []
  }
  target {
    %0 = graph.reduce_sum %a axes = [0] : (!m) -> !scalar
    %1 = graph.reduce_sum %b axes = [0] : (!p) -> !scalar
    %2 = graph.maximum %0, %1 : !scalar
    rule.yield %2 : []
  }

!mk = tensor<?x?xf32, #graph.dims<m, k>>
!pk = tensor<?x?xf32, #graph.dims<p, k>>
!mp_k = tensor<?x?xf32, #graph.dims<m + p, k>>
!k = tensor<?xf32, #graph.dims<k>>
// CHECK: refuted sum_of_concat_of_rows_of_one
rule.rule @sum_of_concat_of_rows_of_one(%a: [m, k], %b: [p, k]) -> [k]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mk, !pk) -> !mp_k
    %1 = graph.reduce_sum %0 axes = [0] : (!mp_k) -> !k
    rule.yield %1 : [k]
  }
  target {
    %0 = graph.reduce_sum %a axes = [0] : (!mk) -> !k
    %1 = graph.reduce_sum %b axes = [0] : (!pk) -> !k
    %2 = graph.add %0, %0 : !k
    rule.yield %2 : [k]
  }

// CHECK: refuted max_of_concat_wrongly
rule.rule @max_of_concat_wrongly(%a: [m], %b: [p]) -> []
  source {
    %0 = graph.concat %a, %b axis = 0 : (!m, !p) -> !mp
    %1 = graph.reduce_max %0 axes = [0] : (!mp) -> !scalar
    rule.yield %1 : []
  }
  target {
    %0 = graph.reduce_max %a axes = [0] : (!m) -> !scalar
    %1 = graph.reduce_max %b axes = [0] : (!p) -> !scalar
    %2 = graph.minimum %0, %1 : !scalar
    rule.yield %2 : []
  }

// CHECK: refuted max_of_concat_of_rows_of_one
rule.rule @max_of_concat_of_rows_of_one(%a: [m, k], %b: [p, k]) -> [k]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mk, !pk) -> !mp_k
    %1 = graph.reduce_max %0 axes = [0] : (!mp_k) -> !k
    rule.yield %1 : [k]
  }
  target {
    %0 = graph.reduce_max %a axes = [0] : (!mk) -> !k
    %1 = graph.reduce_max %b axes = [0] : (!pk) -> !k
    %2 = graph.maximum %0, %0 : !k
    rule.yield %2 : [k]
  }

// CHECK: refuted min_of_concat_wrongly
rule.rule @min_of_concat_wrongly(%a: [m], %b: [p]) -> []
  source {
    %0 = graph.concat %a, %b axis = 0 : (!m, !p) -> !mp
    %1 = graph.reduce_min %0 axes = [0] : (!mp) -> !scalar
    rule.yield %1 : []
  }
  target {
    %0 = graph.reduce_min %a axes = [0] : (!m) -> !scalar
    %1 = graph.reduce_min %b axes = [0] : (!p) -> !scalar
    %2 = graph.maximum %0, %1 : !scalar
    rule.yield %2 : []
  }

// CHECK: refuted min_of_concat_of_rows_of_one
rule.rule @min_of_concat_of_rows_of_one(%a: [m, k], %b: [p, k]) -> [k]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mk, !pk) -> !mp_k
    %1 = graph.reduce_min %0 axes = [0] : (!mp_k) -> !k
    rule.yield %1 : [k]
  }
  target {
    %0 = graph.reduce_min %a axes = [0] : (!mk) -> !k
    %1 = graph.reduce_min %b axes = [0] : (!pk) -> !k
    %2 = graph.minimum %0, %0 : !k
    rule.yield %2 : [k]
  }

// CHECK: refuted sum_across_concat_swapped
rule.rule @sum_across_concat_swapped(%a: [m, k], %b: [p, k]) -> [m + p]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mk, !pk) -> !mp_k
    %1 = graph.reduce_sum %0 axes = [1] : (!mp_k) -> !mp
    rule.yield %1 : [m + p]
  }
  target {
    %0 = graph.reduce_sum %a axes = [1] : (!mk) -> !m
    %1 = graph.reduce_sum %b axes = [1] : (!pk) -> !p
    %2 = graph.concat %1, %0 axis = 0 : (!p, !m) -> !mp
    rule.yield %2 : [m + p]
  }

// CHECK: refuted max_across_concat_swapped
rule.rule @max_across_concat_swapped(%a: [m, k], %b: [p, k]) -> [m + p]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mk, !pk) -> !mp_k
    %1 = graph.reduce_max %0 axes = [1] : (!mp_k) -> !mp
    rule.yield %1 : [m + p]
  }
  target {
    %0 = graph.reduce_max %a axes = [1] : (!mk) -> !m
    %1 = graph.reduce_max %b axes = [1] : (!pk) -> !p
    %2 = graph.concat %1, %0 axis = 0 : (!p, !m) -> !mp
    rule.yield %2 : [m + p]
  }

// CHECK: refuted min_across_concat_swapped
rule.rule @min_across_concat_swapped(%a: [m, k], %b: [p, k]) -> [m + p]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mk, !pk) -> !mp_k
    %1 = graph.reduce_min %0 axes = [1] : (!mp_k) -> !mp
    rule.yield %1 : [m + p]
  }
  target {
    %0 = graph.reduce_min %a axes = [1] : (!mk) -> !m
    %1 = graph.reduce_min %b axes = [1] : (!pk) -> !p
    %2 = graph.concat %1, %0 axis = 0 : (!p, !m) -> !mp
    rule.yield %2 : [m + p]
  }

// CHECK: refuted prod_across_concat_swapped
rule.rule @prod_across_concat_swapped(%a: [m, k], %b: [p, k]) -> [m + p]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mk, !pk) -> !mp_k
    %1 = graph.reduce_prod %0 axes = [1] : (!mp_k) -> !mp
    rule.yield %1 : [m + p]
  }
  target {
    %0 = graph.reduce_prod %a axes = [1] : (!mk) -> !m
    %1 = graph.reduce_prod %b axes = [1] : (!pk) -> !p
    %2 = graph.concat %1, %0 axis = 0 : (!p, !m) -> !mp
    rule.yield %2 : [m + p]
  }

// CHECK: refuted mean_across_concat_swapped
rule.rule @mean_across_concat_swapped(%a: [m, k], %b: [p, k]) -> [m + p]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mk, !pk) -> !mp_k
    %1 = graph.reduce_mean %0 axes = [1] : (!mp_k) -> !mp
    rule.yield %1 : [m + p]
  }
  target {
    %0 = graph.reduce_mean %a axes = [1] : (!mk) -> !m
    %1 = graph.reduce_mean %b axes = [1] : (!pk) -> !p
    %2 = graph.concat %1, %0 axis = 0 : (!p, !m) -> !mp
    rule.yield %2 : [m + p]
  }

!ab = tensor<?x?xf32, #graph.dims<a, b>>
// CHECK: refuted sum_of_sum_last_first_mixed
rule.rule @sum_of_sum_last_first_mixed(%x: [a, b]) -> []
  source {
    %0 = graph.reduce_sum %x axes = [1] : (!ab) -> !a
    %1 = graph.reduce_max %0 axes = [0] : (!a) -> !scalar
    rule.yield %1 : []
  }
  target {
    %0 = graph.reduce_sum %x axes = [0, 1] : (!ab) -> !scalar
    rule.yield %0 : []
  }

!b = tensor<?xf32, #graph.dims<b>>
// CHECK: refuted sum_of_sum_first_first_mixed
rule.rule @sum_of_sum_first_first_mixed(%x: [a, b]) -> []
  source {
    %0 = graph.reduce_max %x axes = [0] : (!ab) -> !b
    %1 = graph.reduce_sum %0 axes = [0] : (!b) -> !scalar
    rule.yield %1 : []
  }
  target {
    %0 = graph.reduce_sum %x axes = [0, 1] : (!ab) -> !scalar
    rule.yield %0 : []
  }

// CHECK: refuted max_of_max_last_first_mixed
rule.rule @max_of_max_last_first_mixed(%x: [a, b]) -> []
  source {
    %0 = graph.reduce_max %x axes = [1] : (!ab) -> !a
    %1 = graph.reduce_min %0 axes = [0] : (!a) -> !scalar
    rule.yield %1 : []
  }
  target {
    %0 = graph.reduce_max %x axes = [0, 1] : (!ab) -> !scalar
    rule.yield %0 : []
  }

// CHECK: refuted max_of_max_first_first_mixed
rule.rule @max_of_max_first_first_mixed(%x: [a, b]) -> []
  source {
    %0 = graph.reduce_min %x axes = [0] : (!ab) -> !b
    %1 = graph.reduce_max %0 axes = [0] : (!b) -> !scalar
    rule.yield %1 : []
  }
  target {
    %0 = graph.reduce_max %x axes = [0, 1] : (!ab) -> !scalar
    rule.yield %0 : []
  }

// CHECK: refuted min_of_min_last_first_mixed
rule.rule @min_of_min_last_first_mixed(%x: [a, b]) -> []
  source {
    %0 = graph.reduce_min %x axes = [1] : (!ab) -> !a
    %1 = graph.reduce_max %0 axes = [0] : (!a) -> !scalar
    rule.yield %1 : []
  }
  target {
    %0 = graph.reduce_min %x axes = [0, 1] : (!ab) -> !scalar
    rule.yield %0 : []
  }

// CHECK: refuted min_of_min_first_first_mixed
rule.rule @min_of_min_first_first_mixed(%x: [a, b]) -> []
  source {
    %0 = graph.reduce_max %x axes = [0] : (!ab) -> !b
    %1 = graph.reduce_min %0 axes = [0] : (!b) -> !scalar
    rule.yield %1 : []
  }
  target {
    %0 = graph.reduce_min %x axes = [0, 1] : (!ab) -> !scalar
    rule.yield %0 : []
  }

!a2 = tensor<?x2xf32, #graph.dims<a, 2>>
// CHECK: refuted sum_over_one_of_two
rule.rule @sum_over_one_of_two(%x: [a, 2]) -> [a]
  source {
    %0 = graph.reduce_sum %x axes = [1] : (!a2) -> !a
    rule.yield %0 : [a]
  }
  target {
    %0, %1 = graph.split %x axis = 1 sizes = [1, 1] : (!a2) -> (!a1, !a1)
    %2 = graph.reshape %0 shape = [a] : (!a1) -> !a
    rule.yield %2 : [a]
  }

// CHECK: refuted mean_over_one_of_two
rule.rule @mean_over_one_of_two(%x: [a, 2]) -> [a]
  source {
    %0 = graph.reduce_mean %x axes = [1] : (!a2) -> !a
    rule.yield %0 : [a]
  }
  target {
    %0, %1 = graph.split %x axis = 1 sizes = [1, 1] : (!a2) -> (!a1, !a1)
    %2 = graph.reshape %0 shape = [a] : (!a1) -> !a
    rule.yield %2 : [a]
  }

// CHECK: refuted mean_of_repeated_column_sum
rule.rule @mean_of_repeated_column_sum(%x: [a, 1]) -> [a]
  source {
    %0 = graph.broadcast %x shape = [a, b] : (!a1) -> !ab
    %1 = graph.reduce_sum %0 axes = [1] : (!ab) -> !a
    rule.yield %1 : [a]
  }
  target {
    %0 = graph.reshape %x shape = [a] : (!a1) -> !a
    rule.yield %0 : [a]
  }
  where [b >= 1]

// CHECK: refuted mean_of_repeated_row_sum
rule.rule @mean_of_repeated_row_sum(%x: [b]) -> [b]
  source {
    %0 = graph.broadcast %x shape = [a, b] : (!b) -> !ab
    %1 = graph.reduce_sum %0 axes = [0] : (!ab) -> !b
    rule.yield %1 : [b]
  }
  target {
    rule.yield %x : [b]
  }
  where [a >= 1]

// CHECK: refuted mean_of_repeated_number_sum
rule.rule @mean_of_repeated_number_sum(%x: []) -> []
  source {
    %0 = graph.broadcast %x shape = [b] : (!scalar) -> !b
    %1 = graph.reduce_sum %0 axes = [0] : (!b) -> !scalar
    rule.yield %1 : []
  }
  target {
    rule.yield %x : []
  }
  where [b >= 1]

!c11 = tensor<?x1x1xf32, #graph.dims<c, 1, 1>>
!nchw = tensor<?x?x?x?xf32, #graph.dims<n, c, h, w>>
!nc = tensor<?x?xf32, #graph.dims<n, c>>
!c = tensor<?xf32, #graph.dims<c>>
// CHECK: refuted mean_of_repeated_channels_sum
rule.rule @mean_of_repeated_channels_sum(%x: [c, 1, 1]) -> [n, c]
  source {
    %0 = graph.broadcast %x shape = [n, c, h, w] : (!c11) -> !nchw
    %1 = graph.reduce_sum %0 axes = [2, 3] : (!nchw) -> !nc
    rule.yield %1 : [n, c]
  }
  target {
    %0 = graph.reshape %x shape = [c] : (!c11) -> !c
    %1 = graph.broadcast %0 shape = [n, c] : (!c) -> !nc
    rule.yield %1 : [n, c]
  }
  where [h >= 1, w >= 1]

// CHECK: refuted sum_of_repeated_number_unscaled
rule.rule @sum_of_repeated_number_unscaled(%x: []) -> []
  source {
    %0 = graph.broadcast %x shape = [b] : (!scalar) -> !b
    %1 = graph.reduce_sum %0 axes = [0] : (!b) -> !scalar
    rule.yield %1 : []
  }
  target {
    rule.yield %x : []
  }

// CHECK: refuted sum_of_repeated_column_by_other_size
rule.rule @sum_of_repeated_column_by_other_size(%x: [a, 1]) -> [a, 1]
  source {
    %0 = graph.broadcast %x shape = [a, b] : (!a1) -> !ab
    %1 = graph.reduce_sum %0 axes = [1] keepdims : (!ab) -> !a1
    rule.yield %1 : [a, 1]
  }
  target {
    %c = graph.constant dense<1.0> : tensor<f32>
    %0 = graph.broadcast %c shape = [a] : (!scalar) -> !a
    %1 = graph.reduce_sum_square %0 axes = [0] : (!a) -> !scalar
    %2 = graph.broadcast %1 shape = [a, 1] : (!scalar) -> !a1
    %3 = graph.mul %x, %2 : !a1
    rule.yield %3 : [a, 1]
  }

// CHECK: refuted sum_of_repeated_row_by_other_size
rule.rule @sum_of_repeated_row_by_other_size(%x: [b]) -> [b]
  source {
    %0 = graph.broadcast %x shape = [a, b] : (!b) -> !ab
    %1 = graph.reduce_sum %0 axes = [0] : (!ab) -> !b
    rule.yield %1 : [b]
  }
  target {
    %c = graph.constant dense<1.0> : tensor<f32>
    %0 = graph.broadcast %c shape = [b] : (!scalar) -> !b
    %1 = graph.reduce_sum_square %0 axes = [0] : (!b) -> !scalar
    %2 = graph.broadcast %1 shape = [b] : (!scalar) -> !b
    %3 = graph.mul %x, %2 : !b
    rule.yield %3 : [b]
  }

// CHECK: refuted sum_of_add_for_mul
rule.rule @sum_of_add_for_mul(%x: [a], %y: [a]) -> []
  source {
    %0 = graph.mul %x, %y : !a
    %1 = graph.reduce_sum %0 axes = [0] : (!a) -> !scalar
    rule.yield %1 : []
  }
  target {
    %0 = graph.reduce_sum %x axes = [0] : (!a) -> !scalar
    %1 = graph.reduce_sum %y axes = [0] : (!a) -> !scalar
    %2 = graph.mul %0, %1 : !scalar
    rule.yield %2 : []
  }

// CHECK: refuted sum_of_sub_for_mul
rule.rule @sum_of_sub_for_mul(%x: [a], %y: [a]) -> []
  source {
    %0 = graph.mul %x, %y : !a
    %1 = graph.reduce_sum %0 axes = [0] : (!a) -> !scalar
    rule.yield %1 : []
  }
  target {
    %0 = graph.reduce_sum %x axes = [0] : (!a) -> !scalar
    %1 = graph.reduce_sum %y axes = [0] : (!a) -> !scalar
    %2 = graph.mul %0, %1 : !scalar
    rule.yield %2 : []
  }

// CHECK: refuted sum_of_neg_for_max
rule.rule @sum_of_neg_for_max(%x: [a]) -> []
  source {
    %0 = graph.neg %x : !a
    %1 = graph.reduce_max %0 axes = [0] : (!a) -> !scalar
    rule.yield %1 : []
  }
  target {
    %0 = graph.reduce_max %x axes = [0] : (!a) -> !scalar
    %1 = graph.neg %0 : !scalar
    rule.yield %1 : []
  }

// CHECK: refuted sum_of_scaled_by_row
rule.rule @sum_of_scaled_by_row(%x: [a, a], %s: [a]) -> [a, 1]
  source {
    %0 = graph.broadcast %s shape = [a, a] : (!a) -> !aa
    %1 = graph.mul %x, %0 : !aa
    %2 = graph.reduce_sum %1 axes = [1] keepdims : (!aa) -> !a1
    rule.yield %2 : [a, 1]
  }
  target {
    %0 = graph.reduce_sum %x axes = [1] keepdims : (!aa) -> !a1
    %1 = graph.reshape %s shape = [a, 1] : (!a) -> !a1
    %2 = graph.mul %0, %1 : !a1
    rule.yield %2 : [a, 1]
  }

// CHECK: refuted mean_of_add_for_mul
rule.rule @mean_of_add_for_mul(%x: [a], %y: [a]) -> []
  source {
    %0 = graph.mul %x, %y : !a
    %1 = graph.reduce_mean %0 axes = [0] : (!a) -> !scalar
    rule.yield %1 : []
  }
  target {
    %0 = graph.reduce_mean %x axes = [0] : (!a) -> !scalar
    %1 = graph.reduce_mean %y axes = [0] : (!a) -> !scalar
    %2 = graph.mul %0, %1 : !scalar
    rule.yield %2 : []
  }

// CHECK: refuted mean_of_sub_for_mul
rule.rule @mean_of_sub_for_mul(%x: [a], %y: [a]) -> []
  source {
    %0 = graph.mul %x, %y : !a
    %1 = graph.reduce_mean %0 axes = [0] : (!a) -> !scalar
    rule.yield %1 : []
  }
  target {
    %0 = graph.reduce_mean %x axes = [0] : (!a) -> !scalar
    %1 = graph.reduce_mean %y axes = [0] : (!a) -> !scalar
    %2 = graph.mul %0, %1 : !scalar
    rule.yield %2 : []
  }

// CHECK: refuted mean_of_neg_for_max
rule.rule @mean_of_neg_for_max(%x: [a]) -> []
  source {
    %0 = graph.neg %x : !a
    %1 = graph.reduce_max %0 axes = [0] : (!a) -> !scalar
    rule.yield %1 : []
  }
  target {
    %0 = graph.reduce_max %x axes = [0] : (!a) -> !scalar
    %1 = graph.neg %0 : !scalar
    rule.yield %1 : []
  }

// CHECK: refuted mean_of_scaled_by_row
rule.rule @mean_of_scaled_by_row(%x: [a, a], %s: [a]) -> [a, 1]
  source {
    %0 = graph.broadcast %s shape = [a, a] : (!a) -> !aa
    %1 = graph.mul %x, %0 : !aa
    %2 = graph.reduce_mean %1 axes = [1] keepdims : (!aa) -> !a1
    rule.yield %2 : [a, 1]
  }
  target {
    %0 = graph.reduce_mean %x axes = [1] keepdims : (!aa) -> !a1
    %1 = graph.reshape %s shape = [a, 1] : (!a) -> !a1
    %2 = graph.mul %0, %1 : !a1
    rule.yield %2 : [a, 1]
  }

!kn = tensor<?x?xf32, #graph.dims<k, n>>
!mn = tensor<?x?xf32, #graph.dims<m, n>>
!of1n = tensor<1x?xf32, #graph.dims<1, n>>
!of1k = tensor<1x?xf32, #graph.dims<1, k>>
// CHECK: refuted sum_of_rows_of_matmul_for_max
rule.rule @sum_of_rows_of_matmul_for_max(%a: [m, k], %b: [k, n]) -> [1, n]
  source {
    %0 = graph.matmul %a, %b : (!mk, !kn) -> !mn
    %1 = graph.reduce_max %0 axes = [0] keepdims : (!mn) -> !of1n
    rule.yield %1 : [1, n]
  }
  target {
    %0 = graph.reduce_max %a axes = [0] keepdims : (!mk) -> !of1k
    %1 = graph.matmul %0, %b : (!of1k, !kn) -> !of1n
    rule.yield %1 : [1, n]
  }
  where [m >= 1]

!mm = tensor<?x?xf32, #graph.dims<m, m>>
!m1 = tensor<?x1xf32, #graph.dims<m, 1>>
// CHECK: refuted sum_of_columns_of_matmul_of_left
rule.rule @sum_of_columns_of_matmul_of_left(%a: [m, m], %b: [m, m]) -> [m, 1]
  source {
    %0 = graph.matmul %a, %b : (!mm, !mm) -> !mm
    %1 = graph.reduce_sum %0 axes = [1] keepdims : (!mm) -> !m1
    rule.yield %1 : [m, 1]
  }
  target {
    %0 = graph.reduce_sum %a axes = [1] keepdims : (!mm) -> !m1
    %1 = graph.matmul %b, %0 : (!mm, !m1) -> !m1
    rule.yield %1 : [m, 1]
  }

// The operand is read backwards.
// CHECK: refuted prod_kept_then_not_backwards
rule.rule @prod_kept_then_not_backwards(%x: [a, b]) -> [a]
  lifts [%x]
  source {
    %0 = graph.reduce_prod %x axes = [1] keepdims : (!ab) -> !a1
    %1 = graph.reshape %0 shape = [a] : (!a1) -> !a
    rule.yield %1 : [a]
  }
  target {
    %back = graph.reverse %x axes = [0] : tensor<?x?xf32, #graph.dims<a, b>>
    %0 = graph.reduce_prod %back axes = [1] : (!ab) -> !a
    rule.yield %0 : [a]
  }

// The operand is read backwards.
// CHECK: refuted prod_then_kept_backwards
rule.rule @prod_then_kept_backwards(%x: [a, b]) -> [a, 1]
  lifts [%x]
  source {
    %0 = graph.reduce_prod %x axes = [1] : (!ab) -> !a
    %1 = graph.reshape %0 shape = [a, 1] : (!a) -> !a1
    rule.yield %1 : [a, 1]
  }
  target {
    %back = graph.reverse %x axes = [0] : tensor<?x?xf32, #graph.dims<a, b>>
    %0 = graph.reduce_prod %back axes = [1] keepdims : (!ab) -> !a1
    rule.yield %0 : [a, 1]
  }

// CHECK: 0 proved, 74 refuted{{$}}
