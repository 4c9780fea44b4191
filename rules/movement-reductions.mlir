// Reductions: of transposes, concatenations, reductions, reshapes, broadcasts and
// sums (entries 59 and 63).
//
// `tenon-rules prove rules/movement-reductions.mlir` proves them for all sizes.

// 59. Through reductions: what is left of the permutation is an order of two axes
// or nothing.

!ab = tensor<?x?xf32, #graph.dims<a, b>>
!ba = tensor<?x?xf32, #graph.dims<b, a>>
!a = tensor<?xf32, #graph.dims<a>>
rule.rule @sum_of_transposed_10_along_0(%x: [a, b]) -> [a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!ab) -> !ba
    %1 = graph.reduce_sum %0 axes = [0] : (!ba) -> !a
    rule.yield %1 : [a]
  }
  target {
    %0 = graph.reduce_sum %x axes = [1] : (!ab) -> !a
    rule.yield %0 : [a]
  }

!b = tensor<?xf32, #graph.dims<b>>
rule.rule @sum_of_transposed_10_along_1(%x: [a, b]) -> [b]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!ab) -> !ba
    %1 = graph.reduce_sum %0 axes = [1] : (!ba) -> !b
    rule.yield %1 : [b]
  }
  target {
    %0 = graph.reduce_sum %x axes = [0] : (!ab) -> !b
    rule.yield %0 : [b]
  }

!abc = tensor<?x?x?xf32, #graph.dims<a, b, c>>
!bac = tensor<?x?x?xf32, #graph.dims<b, a, c>>
!ac = tensor<?x?xf32, #graph.dims<a, c>>
rule.rule @sum_of_transposed_102_along_0(%x: [a, b, c]) -> [a, c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!abc) -> !bac
    %1 = graph.reduce_sum %0 axes = [0] : (!bac) -> !ac
    rule.yield %1 : [a, c]
  }
  target {
    %0 = graph.reduce_sum %x axes = [1] : (!abc) -> !ac
    rule.yield %0 : [a, c]
  }

!bc = tensor<?x?xf32, #graph.dims<b, c>>
rule.rule @sum_of_transposed_102_along_1(%x: [a, b, c]) -> [b, c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!abc) -> !bac
    %1 = graph.reduce_sum %0 axes = [1] : (!bac) -> !bc
    rule.yield %1 : [b, c]
  }
  target {
    %0 = graph.reduce_sum %x axes = [0] : (!abc) -> !bc
    rule.yield %0 : [b, c]
  }

rule.rule @sum_of_transposed_102_along_2(%x: [a, b, c]) -> [b, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!abc) -> !bac
    %1 = graph.reduce_sum %0 axes = [2] : (!bac) -> !ba
    rule.yield %1 : [b, a]
  }
  target {
    %0 = graph.reduce_sum %x axes = [2] : (!abc) -> !ab
    %1 = graph.transpose %0 perm = [1, 0] : (!ab) -> !ba
    rule.yield %1 : [b, a]
  }

!bca = tensor<?x?x?xf32, #graph.dims<b, c, a>>
!ca = tensor<?x?xf32, #graph.dims<c, a>>
rule.rule @sum_of_transposed_120_along_0(%x: [a, b, c]) -> [c, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!abc) -> !bca
    %1 = graph.reduce_sum %0 axes = [0] : (!bca) -> !ca
    rule.yield %1 : [c, a]
  }
  target {
    %0 = graph.reduce_sum %x axes = [1] : (!abc) -> !ac
    %1 = graph.transpose %0 perm = [1, 0] : (!ac) -> !ca
    rule.yield %1 : [c, a]
  }

rule.rule @sum_of_transposed_120_along_1(%x: [a, b, c]) -> [b, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!abc) -> !bca
    %1 = graph.reduce_sum %0 axes = [1] : (!bca) -> !ba
    rule.yield %1 : [b, a]
  }
  target {
    %0 = graph.reduce_sum %x axes = [2] : (!abc) -> !ab
    %1 = graph.transpose %0 perm = [1, 0] : (!ab) -> !ba
    rule.yield %1 : [b, a]
  }

rule.rule @sum_of_transposed_120_along_2(%x: [a, b, c]) -> [b, c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!abc) -> !bca
    %1 = graph.reduce_sum %0 axes = [2] : (!bca) -> !bc
    rule.yield %1 : [b, c]
  }
  target {
    %0 = graph.reduce_sum %x axes = [0] : (!abc) -> !bc
    rule.yield %0 : [b, c]
  }

!cab = tensor<?x?x?xf32, #graph.dims<c, a, b>>
rule.rule @sum_of_transposed_201_along_0(%x: [a, b, c]) -> [a, b]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!abc) -> !cab
    %1 = graph.reduce_sum %0 axes = [0] : (!cab) -> !ab
    rule.yield %1 : [a, b]
  }
  target {
    %0 = graph.reduce_sum %x axes = [2] : (!abc) -> !ab
    rule.yield %0 : [a, b]
  }

!cb = tensor<?x?xf32, #graph.dims<c, b>>
rule.rule @sum_of_transposed_201_along_1(%x: [a, b, c]) -> [c, b]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!abc) -> !cab
    %1 = graph.reduce_sum %0 axes = [1] : (!cab) -> !cb
    rule.yield %1 : [c, b]
  }
  target {
    %0 = graph.reduce_sum %x axes = [0] : (!abc) -> !bc
    %1 = graph.transpose %0 perm = [1, 0] : (!bc) -> !cb
    rule.yield %1 : [c, b]
  }

rule.rule @sum_of_transposed_201_along_2(%x: [a, b, c]) -> [c, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!abc) -> !cab
    %1 = graph.reduce_sum %0 axes = [2] : (!cab) -> !ca
    rule.yield %1 : [c, a]
  }
  target {
    %0 = graph.reduce_sum %x axes = [1] : (!abc) -> !ac
    %1 = graph.transpose %0 perm = [1, 0] : (!ac) -> !ca
    rule.yield %1 : [c, a]
  }

rule.rule @max_of_transposed_10_along_0(%x: [a, b]) -> [a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!ab) -> !ba
    %1 = graph.reduce_max %0 axes = [0] : (!ba) -> !a
    rule.yield %1 : [a]
  }
  target {
    %0 = graph.reduce_max %x axes = [1] : (!ab) -> !a
    rule.yield %0 : [a]
  }

rule.rule @max_of_transposed_10_along_1(%x: [a, b]) -> [b]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!ab) -> !ba
    %1 = graph.reduce_max %0 axes = [1] : (!ba) -> !b
    rule.yield %1 : [b]
  }
  target {
    %0 = graph.reduce_max %x axes = [0] : (!ab) -> !b
    rule.yield %0 : [b]
  }

rule.rule @mean_of_transposed_10_along_0(%x: [a, b]) -> [a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!ab) -> !ba
    %1 = graph.reduce_mean %0 axes = [0] : (!ba) -> !a
    rule.yield %1 : [a]
  }
  target {
    %0 = graph.reduce_mean %x axes = [1] : (!ab) -> !a
    rule.yield %0 : [a]
  }

rule.rule @mean_of_transposed_10_along_1(%x: [a, b]) -> [b]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!ab) -> !ba
    %1 = graph.reduce_mean %0 axes = [1] : (!ba) -> !b
    rule.yield %1 : [b]
  }
  target {
    %0 = graph.reduce_mean %x axes = [0] : (!ab) -> !b
    rule.yield %0 : [b]
  }

rule.rule @mean_of_transposed_102_along_0(%x: [a, b, c]) -> [a, c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!abc) -> !bac
    %1 = graph.reduce_mean %0 axes = [0] : (!bac) -> !ac
    rule.yield %1 : [a, c]
  }
  target {
    %0 = graph.reduce_mean %x axes = [1] : (!abc) -> !ac
    rule.yield %0 : [a, c]
  }

rule.rule @mean_of_transposed_102_along_1(%x: [a, b, c]) -> [b, c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!abc) -> !bac
    %1 = graph.reduce_mean %0 axes = [1] : (!bac) -> !bc
    rule.yield %1 : [b, c]
  }
  target {
    %0 = graph.reduce_mean %x axes = [0] : (!abc) -> !bc
    rule.yield %0 : [b, c]
  }

rule.rule @mean_of_transposed_102_along_2(%x: [a, b, c]) -> [b, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!abc) -> !bac
    %1 = graph.reduce_mean %0 axes = [2] : (!bac) -> !ba
    rule.yield %1 : [b, a]
  }
  target {
    %0 = graph.reduce_mean %x axes = [2] : (!abc) -> !ab
    %1 = graph.transpose %0 perm = [1, 0] : (!ab) -> !ba
    rule.yield %1 : [b, a]
  }

rule.rule @mean_of_transposed_120_along_0(%x: [a, b, c]) -> [c, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!abc) -> !bca
    %1 = graph.reduce_mean %0 axes = [0] : (!bca) -> !ca
    rule.yield %1 : [c, a]
  }
  target {
    %0 = graph.reduce_mean %x axes = [1] : (!abc) -> !ac
    %1 = graph.transpose %0 perm = [1, 0] : (!ac) -> !ca
    rule.yield %1 : [c, a]
  }

rule.rule @mean_of_transposed_120_along_1(%x: [a, b, c]) -> [b, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!abc) -> !bca
    %1 = graph.reduce_mean %0 axes = [1] : (!bca) -> !ba
    rule.yield %1 : [b, a]
  }
  target {
    %0 = graph.reduce_mean %x axes = [2] : (!abc) -> !ab
    %1 = graph.transpose %0 perm = [1, 0] : (!ab) -> !ba
    rule.yield %1 : [b, a]
  }

rule.rule @mean_of_transposed_120_along_2(%x: [a, b, c]) -> [b, c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!abc) -> !bca
    %1 = graph.reduce_mean %0 axes = [2] : (!bca) -> !bc
    rule.yield %1 : [b, c]
  }
  target {
    %0 = graph.reduce_mean %x axes = [0] : (!abc) -> !bc
    rule.yield %0 : [b, c]
  }

rule.rule @mean_of_transposed_201_along_0(%x: [a, b, c]) -> [a, b]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!abc) -> !cab
    %1 = graph.reduce_mean %0 axes = [0] : (!cab) -> !ab
    rule.yield %1 : [a, b]
  }
  target {
    %0 = graph.reduce_mean %x axes = [2] : (!abc) -> !ab
    rule.yield %0 : [a, b]
  }

rule.rule @mean_of_transposed_201_along_1(%x: [a, b, c]) -> [c, b]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!abc) -> !cab
    %1 = graph.reduce_mean %0 axes = [1] : (!cab) -> !cb
    rule.yield %1 : [c, b]
  }
  target {
    %0 = graph.reduce_mean %x axes = [0] : (!abc) -> !bc
    %1 = graph.transpose %0 perm = [1, 0] : (!bc) -> !cb
    rule.yield %1 : [c, b]
  }

rule.rule @mean_of_transposed_201_along_2(%x: [a, b, c]) -> [c, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!abc) -> !cab
    %1 = graph.reduce_mean %0 axes = [2] : (!cab) -> !ca
    rule.yield %1 : [c, a]
  }
  target {
    %0 = graph.reduce_mean %x axes = [1] : (!abc) -> !ac
    %1 = graph.transpose %0 perm = [1, 0] : (!ac) -> !ca
    rule.yield %1 : [c, a]
  }

!of1a = tensor<1x?xf32, #graph.dims<1, a>>
!a1 = tensor<?x1xf32, #graph.dims<a, 1>>
// Axes that are kept with size 1.
rule.rule @sum_of_transposed_10_keeping_0(%x: [a, b]) -> [1, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!ab) -> !ba
    %1 = graph.reduce_sum %0 axes = [0] keepdims : (!ba) -> !of1a
    rule.yield %1 : [1, a]
  }
  target {
    %0 = graph.reduce_sum %x axes = [1] keepdims : (!ab) -> !a1
    %1 = graph.transpose %0 perm = [1, 0] : (!a1) -> !of1a
    rule.yield %1 : [1, a]
  }

!b1 = tensor<?x1xf32, #graph.dims<b, 1>>
!of1b = tensor<1x?xf32, #graph.dims<1, b>>
rule.rule @sum_of_transposed_10_keeping_1(%x: [a, b]) -> [b, 1]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!ab) -> !ba
    %1 = graph.reduce_sum %0 axes = [1] keepdims : (!ba) -> !b1
    rule.yield %1 : [b, 1]
  }
  target {
    %0 = graph.reduce_sum %x axes = [0] keepdims : (!ab) -> !of1b
    %1 = graph.transpose %0 perm = [1, 0] : (!of1b) -> !b1
    rule.yield %1 : [b, 1]
  }

rule.rule @max_of_transposed_10_keeping_0(%x: [a, b]) -> [1, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!ab) -> !ba
    %1 = graph.reduce_max %0 axes = [0] keepdims : (!ba) -> !of1a
    rule.yield %1 : [1, a]
  }
  target {
    %0 = graph.reduce_max %x axes = [1] keepdims : (!ab) -> !a1
    %1 = graph.transpose %0 perm = [1, 0] : (!a1) -> !of1a
    rule.yield %1 : [1, a]
  }

rule.rule @max_of_transposed_10_keeping_1(%x: [a, b]) -> [b, 1]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!ab) -> !ba
    %1 = graph.reduce_max %0 axes = [1] keepdims : (!ba) -> !b1
    rule.yield %1 : [b, 1]
  }
  target {
    %0 = graph.reduce_max %x axes = [0] keepdims : (!ab) -> !of1b
    %1 = graph.transpose %0 perm = [1, 0] : (!of1b) -> !b1
    rule.yield %1 : [b, 1]
  }

rule.rule @mean_of_transposed_10_keeping_0(%x: [a, b]) -> [1, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!ab) -> !ba
    %1 = graph.reduce_mean %0 axes = [0] keepdims : (!ba) -> !of1a
    rule.yield %1 : [1, a]
  }
  target {
    %0 = graph.reduce_mean %x axes = [1] keepdims : (!ab) -> !a1
    %1 = graph.transpose %0 perm = [1, 0] : (!a1) -> !of1a
    rule.yield %1 : [1, a]
  }

rule.rule @mean_of_transposed_10_keeping_1(%x: [a, b]) -> [b, 1]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!ab) -> !ba
    %1 = graph.reduce_mean %0 axes = [1] keepdims : (!ba) -> !b1
    rule.yield %1 : [b, 1]
  }
  target {
    %0 = graph.reduce_mean %x axes = [0] keepdims : (!ab) -> !of1b
    %1 = graph.transpose %0 perm = [1, 0] : (!of1b) -> !b1
    rule.yield %1 : [b, 1]
  }

// Two axes at once, as pooling over a whole image does.
rule.rule @sum_of_transposed_120_along_0_1(%x: [a, b, c]) -> [a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!abc) -> !bca
    %1 = graph.reduce_sum %0 axes = [0, 1] : (!bca) -> !a
    rule.yield %1 : [a]
  }
  target {
    %0 = graph.reduce_sum %x axes = [1, 2] : (!abc) -> !a
    rule.yield %0 : [a]
  }

!c = tensor<?xf32, #graph.dims<c>>
rule.rule @sum_of_transposed_201_along_1_2(%x: [a, b, c]) -> [c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!abc) -> !cab
    %1 = graph.reduce_sum %0 axes = [1, 2] : (!cab) -> !c
    rule.yield %1 : [c]
  }
  target {
    %0 = graph.reduce_sum %x axes = [0, 1] : (!abc) -> !c
    rule.yield %0 : [c]
  }

rule.rule @max_of_transposed_120_along_0_1(%x: [a, b, c]) -> [a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!abc) -> !bca
    %1 = graph.reduce_max %0 axes = [0, 1] : (!bca) -> !a
    rule.yield %1 : [a]
  }
  target {
    %0 = graph.reduce_max %x axes = [1, 2] : (!abc) -> !a
    rule.yield %0 : [a]
  }

rule.rule @max_of_transposed_201_along_1_2(%x: [a, b, c]) -> [c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!abc) -> !cab
    %1 = graph.reduce_max %0 axes = [1, 2] : (!cab) -> !c
    rule.yield %1 : [c]
  }
  target {
    %0 = graph.reduce_max %x axes = [0, 1] : (!abc) -> !c
    rule.yield %0 : [c]
  }

rule.rule @mean_of_transposed_120_along_0_1(%x: [a, b, c]) -> [a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!abc) -> !bca
    %1 = graph.reduce_mean %0 axes = [0, 1] : (!bca) -> !a
    rule.yield %1 : [a]
  }
  target {
    %0 = graph.reduce_mean %x axes = [1, 2] : (!abc) -> !a
    rule.yield %0 : [a]
  }

rule.rule @mean_of_transposed_201_along_1_2(%x: [a, b, c]) -> [c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!abc) -> !cab
    %1 = graph.reduce_mean %0 axes = [1, 2] : (!cab) -> !c
    rule.yield %1 : [c]
  }
  target {
    %0 = graph.reduce_mean %x axes = [0, 1] : (!abc) -> !c
    rule.yield %0 : [c]
  }

// 63. A reduction of a concatenation combines those of the parts.

!m = tensor<?xf32, #graph.dims<m>>
!p = tensor<?xf32, #graph.dims<p>>
!mp = tensor<?xf32, #graph.dims<m + p>>
!scalar = tensor<f32>
rule.rule @sum_of_concat(%a: [m], %b: [p]) -> []
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!m, !p) -> !mp
    %1 = graph.reduce_sum %0 axes = [0] : (!mp) -> !scalar
    rule.yield %1 : []
  }
  target {
    %0 = graph.reduce_sum %a axes = [0] : (!m) -> !scalar
    %1 = graph.reduce_sum %b axes = [0] : (!p) -> !scalar
    %2 = graph.add %0, %1 : !scalar
    rule.yield %2 : []
  }

!mk = tensor<?x?xf32, #graph.dims<m, k>>
!pk = tensor<?x?xf32, #graph.dims<p, k>>
!mp_k = tensor<?x?xf32, #graph.dims<m + p, k>>
!k = tensor<?xf32, #graph.dims<k>>
rule.rule @sum_of_concat_of_rows(%a: [m, k], %b: [p, k]) -> [k]
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mk, !pk) -> !mp_k
    %1 = graph.reduce_sum %0 axes = [0] : (!mp_k) -> !k
    rule.yield %1 : [k]
  }
  target {
    %0 = graph.reduce_sum %a axes = [0] : (!mk) -> !k
    %1 = graph.reduce_sum %b axes = [0] : (!pk) -> !k
    %2 = graph.add %0, %1 : !k
    rule.yield %2 : [k]
  }

rule.rule @max_of_concat(%a: [m], %b: [p]) -> []
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!m, !p) -> !mp
    %1 = graph.reduce_max %0 axes = [0] : (!mp) -> !scalar
    rule.yield %1 : []
  }
  target {
    %0 = graph.reduce_max %a axes = [0] : (!m) -> !scalar
    %1 = graph.reduce_max %b axes = [0] : (!p) -> !scalar
    %2 = graph.maximum %0, %1 : !scalar
    rule.yield %2 : []
  }

rule.rule @max_of_concat_of_rows(%a: [m, k], %b: [p, k]) -> [k]
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mk, !pk) -> !mp_k
    %1 = graph.reduce_max %0 axes = [0] : (!mp_k) -> !k
    rule.yield %1 : [k]
  }
  target {
    %0 = graph.reduce_max %a axes = [0] : (!mk) -> !k
    %1 = graph.reduce_max %b axes = [0] : (!pk) -> !k
    %2 = graph.maximum %0, %1 : !k
    rule.yield %2 : [k]
  }

rule.rule @min_of_concat(%a: [m], %b: [p]) -> []
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!m, !p) -> !mp
    %1 = graph.reduce_min %0 axes = [0] : (!mp) -> !scalar
    rule.yield %1 : []
  }
  target {
    %0 = graph.reduce_min %a axes = [0] : (!m) -> !scalar
    %1 = graph.reduce_min %b axes = [0] : (!p) -> !scalar
    %2 = graph.minimum %0, %1 : !scalar
    rule.yield %2 : []
  }

rule.rule @min_of_concat_of_rows(%a: [m, k], %b: [p, k]) -> [k]
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mk, !pk) -> !mp_k
    %1 = graph.reduce_min %0 axes = [0] : (!mp_k) -> !k
    rule.yield %1 : [k]
  }
  target {
    %0 = graph.reduce_min %a axes = [0] : (!mk) -> !k
    %1 = graph.reduce_min %b axes = [0] : (!pk) -> !k
    %2 = graph.minimum %0, %1 : !k
    rule.yield %2 : [k]
  }

// Across the joined axis: of each part for itself.
rule.rule @sum_across_concat(%a: [m, k], %b: [p, k]) -> [m + p]
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mk, !pk) -> !mp_k
    %1 = graph.reduce_sum %0 axes = [1] : (!mp_k) -> !mp
    rule.yield %1 : [m + p]
  }
  target {
    %0 = graph.reduce_sum %a axes = [1] : (!mk) -> !m
    %1 = graph.reduce_sum %b axes = [1] : (!pk) -> !p
    %2 = graph.concat %0, %1 axis = 0 : (!m, !p) -> !mp
    rule.yield %2 : [m + p]
  }

rule.rule @max_across_concat(%a: [m, k], %b: [p, k]) -> [m + p]
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mk, !pk) -> !mp_k
    %1 = graph.reduce_max %0 axes = [1] : (!mp_k) -> !mp
    rule.yield %1 : [m + p]
  }
  target {
    %0 = graph.reduce_max %a axes = [1] : (!mk) -> !m
    %1 = graph.reduce_max %b axes = [1] : (!pk) -> !p
    %2 = graph.concat %0, %1 axis = 0 : (!m, !p) -> !mp
    rule.yield %2 : [m + p]
  }

rule.rule @min_across_concat(%a: [m, k], %b: [p, k]) -> [m + p]
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mk, !pk) -> !mp_k
    %1 = graph.reduce_min %0 axes = [1] : (!mp_k) -> !mp
    rule.yield %1 : [m + p]
  }
  target {
    %0 = graph.reduce_min %a axes = [1] : (!mk) -> !m
    %1 = graph.reduce_min %b axes = [1] : (!pk) -> !p
    %2 = graph.concat %0, %1 axis = 0 : (!m, !p) -> !mp
    rule.yield %2 : [m + p]
  }

rule.rule @prod_across_concat(%a: [m, k], %b: [p, k]) -> [m + p]
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mk, !pk) -> !mp_k
    %1 = graph.reduce_prod %0 axes = [1] : (!mp_k) -> !mp
    rule.yield %1 : [m + p]
  }
  target {
    %0 = graph.reduce_prod %a axes = [1] : (!mk) -> !m
    %1 = graph.reduce_prod %b axes = [1] : (!pk) -> !p
    %2 = graph.concat %0, %1 axis = 0 : (!m, !p) -> !mp
    rule.yield %2 : [m + p]
  }

rule.rule @mean_across_concat(%a: [m, k], %b: [p, k]) -> [m + p]
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mk, !pk) -> !mp_k
    %1 = graph.reduce_mean %0 axes = [1] : (!mp_k) -> !mp
    rule.yield %1 : [m + p]
  }
  target {
    %0 = graph.reduce_mean %a axes = [1] : (!mk) -> !m
    %1 = graph.reduce_mean %b axes = [1] : (!pk) -> !p
    %2 = graph.concat %0, %1 axis = 0 : (!m, !p) -> !mp
    rule.yield %2 : [m + p]
  }

// 63. A reduction of a reduction is one over both axes.

rule.rule @sum_of_sum_last_first(%x: [a, b]) -> []
  lifts [%x]
  source {
    %0 = graph.reduce_sum %x axes = [1] : (!ab) -> !a
    %1 = graph.reduce_sum %0 axes = [0] : (!a) -> !scalar
    rule.yield %1 : []
  }
  target {
    %0 = graph.reduce_sum %x axes = [0, 1] : (!ab) -> !scalar
    rule.yield %0 : []
  }

rule.rule @sum_of_sum_first_first(%x: [a, b]) -> []
  lifts [%x]
  source {
    %0 = graph.reduce_sum %x axes = [0] : (!ab) -> !b
    %1 = graph.reduce_sum %0 axes = [0] : (!b) -> !scalar
    rule.yield %1 : []
  }
  target {
    %0 = graph.reduce_sum %x axes = [0, 1] : (!ab) -> !scalar
    rule.yield %0 : []
  }

!of11 = tensor<1x1xf32>
rule.rule @sum_of_sum_keeping_axes(%x: [a, b]) -> [1, 1]
  lifts [%x]
  source {
    %0 = graph.reduce_sum %x axes = [1] keepdims : (!ab) -> !a1
    %1 = graph.reduce_sum %0 axes = [0] keepdims : (!a1) -> !of11
    rule.yield %1 : [1, 1]
  }
  target {
    %0 = graph.reduce_sum %x axes = [0, 1] keepdims : (!ab) -> !of11
    rule.yield %0 : [1, 1]
  }

rule.rule @max_of_max_last_first(%x: [a, b]) -> []
  lifts [%x]
  source {
    %0 = graph.reduce_max %x axes = [1] : (!ab) -> !a
    %1 = graph.reduce_max %0 axes = [0] : (!a) -> !scalar
    rule.yield %1 : []
  }
  target {
    %0 = graph.reduce_max %x axes = [0, 1] : (!ab) -> !scalar
    rule.yield %0 : []
  }

rule.rule @max_of_max_first_first(%x: [a, b]) -> []
  lifts [%x]
  source {
    %0 = graph.reduce_max %x axes = [0] : (!ab) -> !b
    %1 = graph.reduce_max %0 axes = [0] : (!b) -> !scalar
    rule.yield %1 : []
  }
  target {
    %0 = graph.reduce_max %x axes = [0, 1] : (!ab) -> !scalar
    rule.yield %0 : []
  }

rule.rule @max_of_max_keeping_axes(%x: [a, b]) -> [1, 1]
  lifts [%x]
  source {
    %0 = graph.reduce_max %x axes = [1] keepdims : (!ab) -> !a1
    %1 = graph.reduce_max %0 axes = [0] keepdims : (!a1) -> !of11
    rule.yield %1 : [1, 1]
  }
  target {
    %0 = graph.reduce_max %x axes = [0, 1] keepdims : (!ab) -> !of11
    rule.yield %0 : [1, 1]
  }

rule.rule @min_of_min_last_first(%x: [a, b]) -> []
  lifts [%x]
  source {
    %0 = graph.reduce_min %x axes = [1] : (!ab) -> !a
    %1 = graph.reduce_min %0 axes = [0] : (!a) -> !scalar
    rule.yield %1 : []
  }
  target {
    %0 = graph.reduce_min %x axes = [0, 1] : (!ab) -> !scalar
    rule.yield %0 : []
  }

rule.rule @min_of_min_first_first(%x: [a, b]) -> []
  lifts [%x]
  source {
    %0 = graph.reduce_min %x axes = [0] : (!ab) -> !b
    %1 = graph.reduce_min %0 axes = [0] : (!b) -> !scalar
    rule.yield %1 : []
  }
  target {
    %0 = graph.reduce_min %x axes = [0, 1] : (!ab) -> !scalar
    rule.yield %0 : []
  }

rule.rule @min_of_min_keeping_axes(%x: [a, b]) -> [1, 1]
  lifts [%x]
  source {
    %0 = graph.reduce_min %x axes = [1] keepdims : (!ab) -> !a1
    %1 = graph.reduce_min %0 axes = [0] keepdims : (!a1) -> !of11
    rule.yield %1 : [1, 1]
  }
  target {
    %0 = graph.reduce_min %x axes = [0, 1] keepdims : (!ab) -> !of11
    rule.yield %0 : [1, 1]
  }

// Axes of size 1: a reduction over one does nothing, and a kept one is a reshape.

rule.rule @sum_over_one(%x: [a, 1]) -> [a]
  lifts [%x]
  source {
    %0 = graph.reduce_sum %x axes = [1] : (!a1) -> !a
    rule.yield %0 : [a]
  }
  target {
    %0 = graph.reshape %x shape = [a] : (!a1) -> !a
    rule.yield %0 : [a]
  }

rule.rule @sum_then_kept(%x: [a, b]) -> [a, 1]
  lifts [%x]
  source {
    %0 = graph.reduce_sum %x axes = [1] : (!ab) -> !a
    %1 = graph.reshape %0 shape = [a, 1] : (!a) -> !a1
    rule.yield %1 : [a, 1]
  }
  target {
    %0 = graph.reduce_sum %x axes = [1] keepdims : (!ab) -> !a1
    rule.yield %0 : [a, 1]
  }

rule.rule @sum_kept_then_not(%x: [a, b]) -> [a]
  lifts [%x]
  source {
    %0 = graph.reduce_sum %x axes = [1] keepdims : (!ab) -> !a1
    %1 = graph.reshape %0 shape = [a] : (!a1) -> !a
    rule.yield %1 : [a]
  }
  target {
    %0 = graph.reduce_sum %x axes = [1] : (!ab) -> !a
    rule.yield %0 : [a]
  }

rule.rule @max_then_kept(%x: [a, b]) -> [a, 1]
  lifts [%x]
  source {
    %0 = graph.reduce_max %x axes = [1] : (!ab) -> !a
    %1 = graph.reshape %0 shape = [a, 1] : (!a) -> !a1
    rule.yield %1 : [a, 1]
  }
  target {
    %0 = graph.reduce_max %x axes = [1] keepdims : (!ab) -> !a1
    rule.yield %0 : [a, 1]
  }

rule.rule @max_kept_then_not(%x: [a, b]) -> [a]
  lifts [%x]
  source {
    %0 = graph.reduce_max %x axes = [1] keepdims : (!ab) -> !a1
    %1 = graph.reshape %0 shape = [a] : (!a1) -> !a
    rule.yield %1 : [a]
  }
  target {
    %0 = graph.reduce_max %x axes = [1] : (!ab) -> !a
    rule.yield %0 : [a]
  }

rule.rule @min_then_kept(%x: [a, b]) -> [a, 1]
  lifts [%x]
  source {
    %0 = graph.reduce_min %x axes = [1] : (!ab) -> !a
    %1 = graph.reshape %0 shape = [a, 1] : (!a) -> !a1
    rule.yield %1 : [a, 1]
  }
  target {
    %0 = graph.reduce_min %x axes = [1] keepdims : (!ab) -> !a1
    rule.yield %0 : [a, 1]
  }

rule.rule @min_kept_then_not(%x: [a, b]) -> [a]
  lifts [%x]
  source {
    %0 = graph.reduce_min %x axes = [1] keepdims : (!ab) -> !a1
    %1 = graph.reshape %0 shape = [a] : (!a1) -> !a
    rule.yield %1 : [a]
  }
  target {
    %0 = graph.reduce_min %x axes = [1] : (!ab) -> !a
    rule.yield %0 : [a]
  }

rule.rule @prod_then_kept(%x: [a, b]) -> [a, 1]
  lifts [%x]
  source {
    %0 = graph.reduce_prod %x axes = [1] : (!ab) -> !a
    %1 = graph.reshape %0 shape = [a, 1] : (!a) -> !a1
    rule.yield %1 : [a, 1]
  }
  target {
    %0 = graph.reduce_prod %x axes = [1] keepdims : (!ab) -> !a1
    rule.yield %0 : [a, 1]
  }

rule.rule @prod_kept_then_not(%x: [a, b]) -> [a]
  lifts [%x]
  source {
    %0 = graph.reduce_prod %x axes = [1] keepdims : (!ab) -> !a1
    %1 = graph.reshape %0 shape = [a] : (!a1) -> !a
    rule.yield %1 : [a]
  }
  target {
    %0 = graph.reduce_prod %x axes = [1] : (!ab) -> !a
    rule.yield %0 : [a]
  }

rule.rule @mean_over_one(%x: [a, 1]) -> [a]
  lifts [%x]
  source {
    %0 = graph.reduce_mean %x axes = [1] : (!a1) -> !a
    rule.yield %0 : [a]
  }
  target {
    %0 = graph.reshape %x shape = [a] : (!a1) -> !a
    rule.yield %0 : [a]
  }

rule.rule @mean_then_kept(%x: [a, b]) -> [a, 1]
  lifts [%x]
  source {
    %0 = graph.reduce_mean %x axes = [1] : (!ab) -> !a
    %1 = graph.reshape %0 shape = [a, 1] : (!a) -> !a1
    rule.yield %1 : [a, 1]
  }
  target {
    %0 = graph.reduce_mean %x axes = [1] keepdims : (!ab) -> !a1
    rule.yield %0 : [a, 1]
  }

rule.rule @mean_kept_then_not(%x: [a, b]) -> [a]
  lifts [%x]
  source {
    %0 = graph.reduce_mean %x axes = [1] keepdims : (!ab) -> !a1
    %1 = graph.reshape %0 shape = [a] : (!a1) -> !a
    rule.yield %1 : [a]
  }
  target {
    %0 = graph.reduce_mean %x axes = [1] : (!ab) -> !a
    rule.yield %0 : [a]
  }

// 63. A reduction of what is repeated: the element itself for maxima and means, the
// element times the number of repetitions for sums. That number is a sum of ones, a
// constant where the size is known.

rule.rule @mean_of_repeated_column(%x: [a, 1]) -> [a]
  source {
    %0 = graph.broadcast %x shape = [a, b] : (!a1) -> !ab
    %1 = graph.reduce_mean %0 axes = [1] : (!ab) -> !a
    rule.yield %1 : [a]
  }
  target {
    %0 = graph.reshape %x shape = [a] : (!a1) -> !a
    rule.yield %0 : [a]
  }
  where [b >= 1]

rule.rule @mean_of_repeated_row(%x: [b]) -> [b]
  source {
    %0 = graph.broadcast %x shape = [a, b] : (!b) -> !ab
    %1 = graph.reduce_mean %0 axes = [0] : (!ab) -> !b
    rule.yield %1 : [b]
  }
  target {
    rule.yield %x : [b]
  }
  where [a >= 1]

rule.rule @mean_of_repeated_number(%x: []) -> []
  source {
    %0 = graph.broadcast %x shape = [b] : (!scalar) -> !b
    %1 = graph.reduce_mean %0 axes = [0] : (!b) -> !scalar
    rule.yield %1 : []
  }
  target {
    rule.yield %x : []
  }
  where [b >= 1]

!c11 = tensor<?x1x1xf32, #graph.dims<c, 1, 1>>
!nchw = tensor<?x?x?x?xf32, #graph.dims<n, c, h, w>>
!nc = tensor<?x?xf32, #graph.dims<n, c>>
rule.rule @mean_of_repeated_channels(%x: [c, 1, 1]) -> [n, c]
  source {
    %0 = graph.broadcast %x shape = [n, c, h, w] : (!c11) -> !nchw
    %1 = graph.reduce_mean %0 axes = [2, 3] : (!nchw) -> !nc
    rule.yield %1 : [n, c]
  }
  target {
    %0 = graph.reshape %x shape = [c] : (!c11) -> !c
    %1 = graph.broadcast %0 shape = [n, c] : (!c) -> !nc
    rule.yield %1 : [n, c]
  }
  where [h >= 1, w >= 1]

rule.rule @sum_of_repeated_number(%x: []) -> []
  source {
    %0 = graph.broadcast %x shape = [b] : (!scalar) -> !b
    %1 = graph.reduce_sum %0 axes = [0] : (!b) -> !scalar
    rule.yield %1 : []
  }
  target {
    %c = graph.constant dense<1.0> : tensor<f32>
    %0 = graph.broadcast %c shape = [b] : (!scalar) -> !b
    %1 = graph.reduce_sum_square %0 axes = [0] : (!b) -> !scalar
    %2 = graph.mul %x, %1 : !scalar
    rule.yield %2 : []
  }

rule.rule @sum_of_repeated_column(%x: [a, 1]) -> [a, 1]
  source {
    %0 = graph.broadcast %x shape = [a, b] : (!a1) -> !ab
    %1 = graph.reduce_sum %0 axes = [1] keepdims : (!ab) -> !a1
    rule.yield %1 : [a, 1]
  }
  target {
    %c = graph.constant dense<1.0> : tensor<f32>
    %0 = graph.broadcast %c shape = [b] : (!scalar) -> !b
    %1 = graph.reduce_sum_square %0 axes = [0] : (!b) -> !scalar
    %2 = graph.broadcast %1 shape = [a, 1] : (!scalar) -> !a1
    %3 = graph.mul %x, %2 : !a1
    rule.yield %3 : [a, 1]
  }

rule.rule @sum_of_repeated_row(%x: [b]) -> [b]
  source {
    %0 = graph.broadcast %x shape = [a, b] : (!b) -> !ab
    %1 = graph.reduce_sum %0 axes = [0] : (!ab) -> !b
    rule.yield %1 : [b]
  }
  target {
    %c = graph.constant dense<1.0> : tensor<f32>
    %0 = graph.broadcast %c shape = [a] : (!scalar) -> !a
    %1 = graph.reduce_sum_square %0 axes = [0] : (!a) -> !scalar
    %2 = graph.broadcast %1 shape = [b] : (!scalar) -> !b
    %3 = graph.mul %x, %2 : !b
    rule.yield %3 : [b]
  }

// Linearity of sums and means.

rule.rule @sum_of_add(%x: [a], %y: [a]) -> []
  lifts [%x, %y]
  source {
    %0 = graph.add %x, %y : !a
    %1 = graph.reduce_sum %0 axes = [0] : (!a) -> !scalar
    rule.yield %1 : []
  }
  target {
    %0 = graph.reduce_sum %x axes = [0] : (!a) -> !scalar
    %1 = graph.reduce_sum %y axes = [0] : (!a) -> !scalar
    %2 = graph.add %0, %1 : !scalar
    rule.yield %2 : []
  }

rule.rule @sum_of_sub(%x: [a], %y: [a]) -> []
  lifts [%x, %y]
  source {
    %0 = graph.sub %x, %y : !a
    %1 = graph.reduce_sum %0 axes = [0] : (!a) -> !scalar
    rule.yield %1 : []
  }
  target {
    %0 = graph.reduce_sum %x axes = [0] : (!a) -> !scalar
    %1 = graph.reduce_sum %y axes = [0] : (!a) -> !scalar
    %2 = graph.sub %0, %1 : !scalar
    rule.yield %2 : []
  }

rule.rule @sum_of_neg(%x: [a]) -> []
  lifts [%x]
  source {
    %0 = graph.neg %x : !a
    %1 = graph.reduce_sum %0 axes = [0] : (!a) -> !scalar
    rule.yield %1 : []
  }
  target {
    %0 = graph.reduce_sum %x axes = [0] : (!a) -> !scalar
    %1 = graph.neg %0 : !scalar
    rule.yield %1 : []
  }

// A factor of all elements.
rule.rule @sum_of_scaled(%x: [a, b], %s: [a, 1]) -> [a, 1]
  source {
    %0 = graph.broadcast %s shape = [a, b] : (!a1) -> !ab
    %1 = graph.mul %x, %0 : !ab
    %2 = graph.reduce_sum %1 axes = [1] keepdims : (!ab) -> !a1
    rule.yield %2 : [a, 1]
  }
  target {
    %0 = graph.reduce_sum %x axes = [1] keepdims : (!ab) -> !a1
    %1 = graph.mul %0, %s : !a1
    rule.yield %1 : [a, 1]
  }

rule.rule @mean_of_add(%x: [a], %y: [a]) -> []
  lifts [%x, %y]
  source {
    %0 = graph.add %x, %y : !a
    %1 = graph.reduce_mean %0 axes = [0] : (!a) -> !scalar
    rule.yield %1 : []
  }
  target {
    %0 = graph.reduce_mean %x axes = [0] : (!a) -> !scalar
    %1 = graph.reduce_mean %y axes = [0] : (!a) -> !scalar
    %2 = graph.add %0, %1 : !scalar
    rule.yield %2 : []
  }
  where [a >= 1]

rule.rule @mean_of_sub(%x: [a], %y: [a]) -> []
  lifts [%x, %y]
  source {
    %0 = graph.sub %x, %y : !a
    %1 = graph.reduce_mean %0 axes = [0] : (!a) -> !scalar
    rule.yield %1 : []
  }
  target {
    %0 = graph.reduce_mean %x axes = [0] : (!a) -> !scalar
    %1 = graph.reduce_mean %y axes = [0] : (!a) -> !scalar
    %2 = graph.sub %0, %1 : !scalar
    rule.yield %2 : []
  }
  where [a >= 1]

rule.rule @mean_of_neg(%x: [a]) -> []
  lifts [%x]
  source {
    %0 = graph.neg %x : !a
    %1 = graph.reduce_mean %0 axes = [0] : (!a) -> !scalar
    rule.yield %1 : []
  }
  target {
    %0 = graph.reduce_mean %x axes = [0] : (!a) -> !scalar
    %1 = graph.neg %0 : !scalar
    rule.yield %1 : []
  }
  where [a >= 1]

rule.rule @mean_of_scaled(%x: [a, b], %s: [a, 1]) -> [a, 1]
  source {
    %0 = graph.broadcast %s shape = [a, b] : (!a1) -> !ab
    %1 = graph.mul %x, %0 : !ab
    %2 = graph.reduce_mean %1 axes = [1] keepdims : (!ab) -> !a1
    rule.yield %2 : [a, 1]
  }
  target {
    %0 = graph.reduce_mean %x axes = [1] keepdims : (!ab) -> !a1
    %1 = graph.mul %0, %s : !a1
    rule.yield %1 : [a, 1]
  }
  where [b >= 1]

// Sums of products of matrices: one factor is summed first.

!kn = tensor<?x?xf32, #graph.dims<k, n>>
!mn = tensor<?x?xf32, #graph.dims<m, n>>
!of1n = tensor<1x?xf32, #graph.dims<1, n>>
!of1k = tensor<1x?xf32, #graph.dims<1, k>>
rule.rule @sum_of_rows_of_matmul(%a: [m, k], %b: [k, n]) -> [1, n]
  lifts [%a, %b]
  source {
    %0 = graph.matmul %a, %b : (!mk, !kn) -> !mn
    %1 = graph.reduce_sum %0 axes = [0] keepdims : (!mn) -> !of1n
    rule.yield %1 : [1, n]
  }
  target {
    %0 = graph.reduce_sum %a axes = [0] keepdims : (!mk) -> !of1k
    %1 = graph.matmul %0, %b : (!of1k, !kn) -> !of1n
    rule.yield %1 : [1, n]
  }

!m1 = tensor<?x1xf32, #graph.dims<m, 1>>
!k1 = tensor<?x1xf32, #graph.dims<k, 1>>
rule.rule @sum_of_columns_of_matmul(%a: [m, k], %b: [k, n]) -> [m, 1]
  lifts [%a, %b]
  source {
    %0 = graph.matmul %a, %b : (!mk, !kn) -> !mn
    %1 = graph.reduce_sum %0 axes = [1] keepdims : (!mn) -> !m1
    rule.yield %1 : [m, 1]
  }
  target {
    %0 = graph.reduce_sum %b axes = [1] keepdims : (!kn) -> !k1
    %1 = graph.matmul %a, %0 : (!mk, !k1) -> !m1
    rule.yield %1 : [m, 1]
  }
