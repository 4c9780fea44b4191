// Reductions: of transposes, concatenations, reductions, reshapes, broadcasts and
// sums (entries 59 and 63).
//
// `tenon-rules prove rules/movement-reductions.mlir` proves them for all sizes.

// 59. Through reductions: what is left of the permutation is an order of two axes
// or nothing.

rule.rule @sum_of_transposed_10_along_0(%x: [a, b]) -> [a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0]
    %1 = graph.reduce_sum %0 axes = [0]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_sum %x axes = [1]
    rule.yield %0
  }

rule.rule @sum_of_transposed_10_along_1(%x: [a, b]) -> [b]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0]
    %1 = graph.reduce_sum %0 axes = [1]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_sum %x axes = [0]
    rule.yield %0
  }

rule.rule @sum_of_transposed_102_along_0(%x: [a, b, c]) -> [a, c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2]
    %1 = graph.reduce_sum %0 axes = [0]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_sum %x axes = [1]
    rule.yield %0
  }

rule.rule @sum_of_transposed_102_along_1(%x: [a, b, c]) -> [b, c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2]
    %1 = graph.reduce_sum %0 axes = [1]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_sum %x axes = [0]
    rule.yield %0
  }

rule.rule @sum_of_transposed_102_along_2(%x: [a, b, c]) -> [b, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2]
    %1 = graph.reduce_sum %0 axes = [2]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_sum %x axes = [2]
    %1 = graph.transpose %0 perm = [1, 0]
    rule.yield %1
  }

rule.rule @sum_of_transposed_120_along_0(%x: [a, b, c]) -> [c, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0]
    %1 = graph.reduce_sum %0 axes = [0]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_sum %x axes = [1]
    %1 = graph.transpose %0 perm = [1, 0]
    rule.yield %1
  }

rule.rule @sum_of_transposed_120_along_1(%x: [a, b, c]) -> [b, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0]
    %1 = graph.reduce_sum %0 axes = [1]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_sum %x axes = [2]
    %1 = graph.transpose %0 perm = [1, 0]
    rule.yield %1
  }

rule.rule @sum_of_transposed_120_along_2(%x: [a, b, c]) -> [b, c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0]
    %1 = graph.reduce_sum %0 axes = [2]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_sum %x axes = [0]
    rule.yield %0
  }

rule.rule @sum_of_transposed_201_along_0(%x: [a, b, c]) -> [a, b]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1]
    %1 = graph.reduce_sum %0 axes = [0]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_sum %x axes = [2]
    rule.yield %0
  }

rule.rule @sum_of_transposed_201_along_1(%x: [a, b, c]) -> [c, b]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1]
    %1 = graph.reduce_sum %0 axes = [1]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_sum %x axes = [0]
    %1 = graph.transpose %0 perm = [1, 0]
    rule.yield %1
  }

rule.rule @sum_of_transposed_201_along_2(%x: [a, b, c]) -> [c, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1]
    %1 = graph.reduce_sum %0 axes = [2]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_sum %x axes = [1]
    %1 = graph.transpose %0 perm = [1, 0]
    rule.yield %1
  }

rule.rule @max_of_transposed_10_along_0(%x: [a, b]) -> [a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0]
    %1 = graph.reduce_max %0 axes = [0]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_max %x axes = [1]
    rule.yield %0
  }

rule.rule @max_of_transposed_10_along_1(%x: [a, b]) -> [b]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0]
    %1 = graph.reduce_max %0 axes = [1]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_max %x axes = [0]
    rule.yield %0
  }

rule.rule @mean_of_transposed_10_along_0(%x: [a, b]) -> [a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0]
    %1 = graph.reduce_mean %0 axes = [0]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_mean %x axes = [1]
    rule.yield %0
  }

rule.rule @mean_of_transposed_10_along_1(%x: [a, b]) -> [b]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0]
    %1 = graph.reduce_mean %0 axes = [1]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_mean %x axes = [0]
    rule.yield %0
  }

rule.rule @mean_of_transposed_102_along_0(%x: [a, b, c]) -> [a, c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2]
    %1 = graph.reduce_mean %0 axes = [0]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_mean %x axes = [1]
    rule.yield %0
  }

rule.rule @mean_of_transposed_102_along_1(%x: [a, b, c]) -> [b, c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2]
    %1 = graph.reduce_mean %0 axes = [1]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_mean %x axes = [0]
    rule.yield %0
  }

rule.rule @mean_of_transposed_102_along_2(%x: [a, b, c]) -> [b, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2]
    %1 = graph.reduce_mean %0 axes = [2]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_mean %x axes = [2]
    %1 = graph.transpose %0 perm = [1, 0]
    rule.yield %1
  }

rule.rule @mean_of_transposed_120_along_0(%x: [a, b, c]) -> [c, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0]
    %1 = graph.reduce_mean %0 axes = [0]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_mean %x axes = [1]
    %1 = graph.transpose %0 perm = [1, 0]
    rule.yield %1
  }

rule.rule @mean_of_transposed_120_along_1(%x: [a, b, c]) -> [b, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0]
    %1 = graph.reduce_mean %0 axes = [1]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_mean %x axes = [2]
    %1 = graph.transpose %0 perm = [1, 0]
    rule.yield %1
  }

rule.rule @mean_of_transposed_120_along_2(%x: [a, b, c]) -> [b, c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0]
    %1 = graph.reduce_mean %0 axes = [2]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_mean %x axes = [0]
    rule.yield %0
  }

rule.rule @mean_of_transposed_201_along_0(%x: [a, b, c]) -> [a, b]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1]
    %1 = graph.reduce_mean %0 axes = [0]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_mean %x axes = [2]
    rule.yield %0
  }

rule.rule @mean_of_transposed_201_along_1(%x: [a, b, c]) -> [c, b]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1]
    %1 = graph.reduce_mean %0 axes = [1]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_mean %x axes = [0]
    %1 = graph.transpose %0 perm = [1, 0]
    rule.yield %1
  }

rule.rule @mean_of_transposed_201_along_2(%x: [a, b, c]) -> [c, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1]
    %1 = graph.reduce_mean %0 axes = [2]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_mean %x axes = [1]
    %1 = graph.transpose %0 perm = [1, 0]
    rule.yield %1
  }

// Axes that are kept with size 1.
rule.rule @sum_of_transposed_10_keeping_0(%x: [a, b]) -> [1, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0]
    %1 = graph.reduce_sum %0 axes = [0] keepdims
    rule.yield %1
  }
  target {
    %0 = graph.reduce_sum %x axes = [1] keepdims
    %1 = graph.transpose %0 perm = [1, 0]
    rule.yield %1
  }

rule.rule @sum_of_transposed_10_keeping_1(%x: [a, b]) -> [b, 1]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0]
    %1 = graph.reduce_sum %0 axes = [1] keepdims
    rule.yield %1
  }
  target {
    %0 = graph.reduce_sum %x axes = [0] keepdims
    %1 = graph.transpose %0 perm = [1, 0]
    rule.yield %1
  }

rule.rule @max_of_transposed_10_keeping_0(%x: [a, b]) -> [1, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0]
    %1 = graph.reduce_max %0 axes = [0] keepdims
    rule.yield %1
  }
  target {
    %0 = graph.reduce_max %x axes = [1] keepdims
    %1 = graph.transpose %0 perm = [1, 0]
    rule.yield %1
  }

rule.rule @max_of_transposed_10_keeping_1(%x: [a, b]) -> [b, 1]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0]
    %1 = graph.reduce_max %0 axes = [1] keepdims
    rule.yield %1
  }
  target {
    %0 = graph.reduce_max %x axes = [0] keepdims
    %1 = graph.transpose %0 perm = [1, 0]
    rule.yield %1
  }

rule.rule @mean_of_transposed_10_keeping_0(%x: [a, b]) -> [1, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0]
    %1 = graph.reduce_mean %0 axes = [0] keepdims
    rule.yield %1
  }
  target {
    %0 = graph.reduce_mean %x axes = [1] keepdims
    %1 = graph.transpose %0 perm = [1, 0]
    rule.yield %1
  }

rule.rule @mean_of_transposed_10_keeping_1(%x: [a, b]) -> [b, 1]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0]
    %1 = graph.reduce_mean %0 axes = [1] keepdims
    rule.yield %1
  }
  target {
    %0 = graph.reduce_mean %x axes = [0] keepdims
    %1 = graph.transpose %0 perm = [1, 0]
    rule.yield %1
  }

// Two axes at once, as pooling over a whole image does.
rule.rule @sum_of_transposed_120_along_0_1(%x: [a, b, c]) -> [a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0]
    %1 = graph.reduce_sum %0 axes = [0, 1]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_sum %x axes = [1, 2]
    rule.yield %0
  }

rule.rule @sum_of_transposed_201_along_1_2(%x: [a, b, c]) -> [c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1]
    %1 = graph.reduce_sum %0 axes = [1, 2]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_sum %x axes = [0, 1]
    rule.yield %0
  }

rule.rule @max_of_transposed_120_along_0_1(%x: [a, b, c]) -> [a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0]
    %1 = graph.reduce_max %0 axes = [0, 1]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_max %x axes = [1, 2]
    rule.yield %0
  }

rule.rule @max_of_transposed_201_along_1_2(%x: [a, b, c]) -> [c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1]
    %1 = graph.reduce_max %0 axes = [1, 2]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_max %x axes = [0, 1]
    rule.yield %0
  }

rule.rule @mean_of_transposed_120_along_0_1(%x: [a, b, c]) -> [a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0]
    %1 = graph.reduce_mean %0 axes = [0, 1]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_mean %x axes = [1, 2]
    rule.yield %0
  }

rule.rule @mean_of_transposed_201_along_1_2(%x: [a, b, c]) -> [c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1]
    %1 = graph.reduce_mean %0 axes = [1, 2]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_mean %x axes = [0, 1]
    rule.yield %0
  }

// 63. A reduction of a concatenation combines those of the parts.
rule.rule @sum_of_concat(%a: [m], %b: [p]) -> []
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0
    %1 = graph.reduce_sum %0 axes = [0]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_sum %a axes = [0]
    %1 = graph.reduce_sum %b axes = [0]
    %2 = graph.add %0, %1
    rule.yield %2
  }

rule.rule @sum_of_concat_of_rows(%a: [m, k], %b: [p, k]) -> [k]
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0
    %1 = graph.reduce_sum %0 axes = [0]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_sum %a axes = [0]
    %1 = graph.reduce_sum %b axes = [0]
    %2 = graph.add %0, %1
    rule.yield %2
  }

rule.rule @max_of_concat(%a: [m], %b: [p]) -> []
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0
    %1 = graph.reduce_max %0 axes = [0]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_max %a axes = [0]
    %1 = graph.reduce_max %b axes = [0]
    %2 = graph.maximum %0, %1
    rule.yield %2
  }

rule.rule @max_of_concat_of_rows(%a: [m, k], %b: [p, k]) -> [k]
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0
    %1 = graph.reduce_max %0 axes = [0]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_max %a axes = [0]
    %1 = graph.reduce_max %b axes = [0]
    %2 = graph.maximum %0, %1
    rule.yield %2
  }

rule.rule @min_of_concat(%a: [m], %b: [p]) -> []
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0
    %1 = graph.reduce_min %0 axes = [0]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_min %a axes = [0]
    %1 = graph.reduce_min %b axes = [0]
    %2 = graph.minimum %0, %1
    rule.yield %2
  }

rule.rule @min_of_concat_of_rows(%a: [m, k], %b: [p, k]) -> [k]
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0
    %1 = graph.reduce_min %0 axes = [0]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_min %a axes = [0]
    %1 = graph.reduce_min %b axes = [0]
    %2 = graph.minimum %0, %1
    rule.yield %2
  }

// Across the joined axis: of each part for itself.
rule.rule @sum_across_concat(%a: [m, k], %b: [p, k]) -> [m + p]
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0
    %1 = graph.reduce_sum %0 axes = [1]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_sum %a axes = [1]
    %1 = graph.reduce_sum %b axes = [1]
    %2 = graph.concat %0, %1 axis = 0
    rule.yield %2
  }

rule.rule @max_across_concat(%a: [m, k], %b: [p, k]) -> [m + p]
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0
    %1 = graph.reduce_max %0 axes = [1]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_max %a axes = [1]
    %1 = graph.reduce_max %b axes = [1]
    %2 = graph.concat %0, %1 axis = 0
    rule.yield %2
  }

rule.rule @min_across_concat(%a: [m, k], %b: [p, k]) -> [m + p]
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0
    %1 = graph.reduce_min %0 axes = [1]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_min %a axes = [1]
    %1 = graph.reduce_min %b axes = [1]
    %2 = graph.concat %0, %1 axis = 0
    rule.yield %2
  }

rule.rule @prod_across_concat(%a: [m, k], %b: [p, k]) -> [m + p]
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0
    %1 = graph.reduce_prod %0 axes = [1]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_prod %a axes = [1]
    %1 = graph.reduce_prod %b axes = [1]
    %2 = graph.concat %0, %1 axis = 0
    rule.yield %2
  }

rule.rule @mean_across_concat(%a: [m, k], %b: [p, k]) -> [m + p]
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0
    %1 = graph.reduce_mean %0 axes = [1]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_mean %a axes = [1]
    %1 = graph.reduce_mean %b axes = [1]
    %2 = graph.concat %0, %1 axis = 0
    rule.yield %2
  }

// 63. A reduction of a reduction is one over both axes.
rule.rule @sum_of_sum_last_first(%x: [a, b]) -> []
  lifts [%x]
  source {
    %0 = graph.reduce_sum %x axes = [1]
    %1 = graph.reduce_sum %0 axes = [0]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_sum %x axes = [0, 1]
    rule.yield %0
  }

rule.rule @sum_of_sum_first_first(%x: [a, b]) -> []
  lifts [%x]
  source {
    %0 = graph.reduce_sum %x axes = [0]
    %1 = graph.reduce_sum %0 axes = [0]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_sum %x axes = [0, 1]
    rule.yield %0
  }

rule.rule @sum_of_sum_keeping_axes(%x: [a, b]) -> [1, 1]
  lifts [%x]
  source {
    %0 = graph.reduce_sum %x axes = [1] keepdims
    %1 = graph.reduce_sum %0 axes = [0] keepdims
    rule.yield %1
  }
  target {
    %0 = graph.reduce_sum %x axes = [0, 1] keepdims
    rule.yield %0
  }

rule.rule @max_of_max_last_first(%x: [a, b]) -> []
  lifts [%x]
  source {
    %0 = graph.reduce_max %x axes = [1]
    %1 = graph.reduce_max %0 axes = [0]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_max %x axes = [0, 1]
    rule.yield %0
  }

rule.rule @max_of_max_first_first(%x: [a, b]) -> []
  lifts [%x]
  source {
    %0 = graph.reduce_max %x axes = [0]
    %1 = graph.reduce_max %0 axes = [0]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_max %x axes = [0, 1]
    rule.yield %0
  }

rule.rule @max_of_max_keeping_axes(%x: [a, b]) -> [1, 1]
  lifts [%x]
  source {
    %0 = graph.reduce_max %x axes = [1] keepdims
    %1 = graph.reduce_max %0 axes = [0] keepdims
    rule.yield %1
  }
  target {
    %0 = graph.reduce_max %x axes = [0, 1] keepdims
    rule.yield %0
  }

rule.rule @min_of_min_last_first(%x: [a, b]) -> []
  lifts [%x]
  source {
    %0 = graph.reduce_min %x axes = [1]
    %1 = graph.reduce_min %0 axes = [0]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_min %x axes = [0, 1]
    rule.yield %0
  }

rule.rule @min_of_min_first_first(%x: [a, b]) -> []
  lifts [%x]
  source {
    %0 = graph.reduce_min %x axes = [0]
    %1 = graph.reduce_min %0 axes = [0]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_min %x axes = [0, 1]
    rule.yield %0
  }

rule.rule @min_of_min_keeping_axes(%x: [a, b]) -> [1, 1]
  lifts [%x]
  source {
    %0 = graph.reduce_min %x axes = [1] keepdims
    %1 = graph.reduce_min %0 axes = [0] keepdims
    rule.yield %1
  }
  target {
    %0 = graph.reduce_min %x axes = [0, 1] keepdims
    rule.yield %0
  }

// Axes of size 1: a reduction over one does nothing, and a kept one is a reshape.
rule.rule @sum_over_one(%x: [a, 1]) -> [a]
  lifts [%x]
  source {
    %0 = graph.reduce_sum %x axes = [1]
    rule.yield %0
  }
  target {
    %0 = graph.reshape %x shape = [a]
    rule.yield %0
  }

rule.rule @sum_then_kept(%x: [a, b]) -> [a, 1]
  lifts [%x]
  source {
    %0 = graph.reduce_sum %x axes = [1]
    %1 = graph.reshape %0 shape = [a, 1]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_sum %x axes = [1] keepdims
    rule.yield %0
  }

rule.rule @sum_kept_then_not(%x: [a, b]) -> [a]
  lifts [%x]
  source {
    %0 = graph.reduce_sum %x axes = [1] keepdims
    %1 = graph.reshape %0 shape = [a]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_sum %x axes = [1]
    rule.yield %0
  }

rule.rule @max_then_kept(%x: [a, b]) -> [a, 1]
  lifts [%x]
  source {
    %0 = graph.reduce_max %x axes = [1]
    %1 = graph.reshape %0 shape = [a, 1]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_max %x axes = [1] keepdims
    rule.yield %0
  }

rule.rule @max_kept_then_not(%x: [a, b]) -> [a]
  lifts [%x]
  source {
    %0 = graph.reduce_max %x axes = [1] keepdims
    %1 = graph.reshape %0 shape = [a]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_max %x axes = [1]
    rule.yield %0
  }

rule.rule @min_then_kept(%x: [a, b]) -> [a, 1]
  lifts [%x]
  source {
    %0 = graph.reduce_min %x axes = [1]
    %1 = graph.reshape %0 shape = [a, 1]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_min %x axes = [1] keepdims
    rule.yield %0
  }

rule.rule @min_kept_then_not(%x: [a, b]) -> [a]
  lifts [%x]
  source {
    %0 = graph.reduce_min %x axes = [1] keepdims
    %1 = graph.reshape %0 shape = [a]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_min %x axes = [1]
    rule.yield %0
  }

rule.rule @prod_then_kept(%x: [a, b]) -> [a, 1]
  lifts [%x]
  source {
    %0 = graph.reduce_prod %x axes = [1]
    %1 = graph.reshape %0 shape = [a, 1]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_prod %x axes = [1] keepdims
    rule.yield %0
  }

rule.rule @prod_kept_then_not(%x: [a, b]) -> [a]
  lifts [%x]
  source {
    %0 = graph.reduce_prod %x axes = [1] keepdims
    %1 = graph.reshape %0 shape = [a]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_prod %x axes = [1]
    rule.yield %0
  }

rule.rule @mean_over_one(%x: [a, 1]) -> [a]
  lifts [%x]
  source {
    %0 = graph.reduce_mean %x axes = [1]
    rule.yield %0
  }
  target {
    %0 = graph.reshape %x shape = [a]
    rule.yield %0
  }

rule.rule @mean_then_kept(%x: [a, b]) -> [a, 1]
  lifts [%x]
  source {
    %0 = graph.reduce_mean %x axes = [1]
    %1 = graph.reshape %0 shape = [a, 1]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_mean %x axes = [1] keepdims
    rule.yield %0
  }

rule.rule @mean_kept_then_not(%x: [a, b]) -> [a]
  lifts [%x]
  source {
    %0 = graph.reduce_mean %x axes = [1] keepdims
    %1 = graph.reshape %0 shape = [a]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_mean %x axes = [1]
    rule.yield %0
  }

// 63. A reduction of what is repeated: the element itself for maxima and means, the
// element times the number of repetitions for sums. That number is a sum of ones, a
// constant where the size is known.
rule.rule @mean_of_repeated_column(%x: [a, 1]) -> [a]
  source {
    %0 = graph.broadcast %x shape = [a, b]
    %1 = graph.reduce_mean %0 axes = [1]
    rule.yield %1
  }
  target {
    %0 = graph.reshape %x shape = [a]
    rule.yield %0
  }
  where [b >= 1]

rule.rule @mean_of_repeated_row(%x: [b]) -> [b]
  source {
    %0 = graph.broadcast %x shape = [a, b]
    %1 = graph.reduce_mean %0 axes = [0]
    rule.yield %1
  }
  target {
    rule.yield %x
  }
  where [a >= 1]

rule.rule @mean_of_repeated_number(%x: []) -> []
  source {
    %0 = graph.broadcast %x shape = [b]
    %1 = graph.reduce_mean %0 axes = [0]
    rule.yield %1
  }
  target {
    rule.yield %x
  }
  where [b >= 1]

rule.rule @mean_of_repeated_channels(%x: [c, 1, 1]) -> [n, c]
  source {
    %0 = graph.broadcast %x shape = [n, c, h, w]
    %1 = graph.reduce_mean %0 axes = [2, 3]
    rule.yield %1
  }
  target {
    %0 = graph.reshape %x shape = [c]
    %1 = graph.broadcast %0 shape = [n, c]
    rule.yield %1
  }
  where [h >= 1, w >= 1]

rule.rule @sum_of_repeated_number(%x: []) -> []
  source {
    %0 = graph.broadcast %x shape = [b]
    %1 = graph.reduce_sum %0 axes = [0]
    rule.yield %1
  }
  target {
    %c = graph.constant dense<1.0> : tensor<f32>
    %0 = graph.broadcast %c shape = [b]
    %1 = graph.reduce_sum_square %0 axes = [0]
    %2 = graph.mul %x, %1
    rule.yield %2
  }

rule.rule @sum_of_repeated_column(%x: [a, 1]) -> [a, 1]
  source {
    %0 = graph.broadcast %x shape = [a, b]
    %1 = graph.reduce_sum %0 axes = [1] keepdims
    rule.yield %1
  }
  target {
    %c = graph.constant dense<1.0> : tensor<f32>
    %0 = graph.broadcast %c shape = [b]
    %1 = graph.reduce_sum_square %0 axes = [0]
    %2 = graph.broadcast %1 shape = [a, 1]
    %3 = graph.mul %x, %2
    rule.yield %3
  }

rule.rule @sum_of_repeated_row(%x: [b]) -> [b]
  source {
    %0 = graph.broadcast %x shape = [a, b]
    %1 = graph.reduce_sum %0 axes = [0]
    rule.yield %1
  }
  target {
    %c = graph.constant dense<1.0> : tensor<f32>
    %0 = graph.broadcast %c shape = [a]
    %1 = graph.reduce_sum_square %0 axes = [0]
    %2 = graph.broadcast %1 shape = [b]
    %3 = graph.mul %x, %2
    rule.yield %3
  }

// Linearity of sums and means.
rule.rule @sum_of_add(%x: [a], %y: [a]) -> []
  lifts [%x, %y]
  source {
    %0 = graph.add %x, %y
    %1 = graph.reduce_sum %0 axes = [0]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_sum %x axes = [0]
    %1 = graph.reduce_sum %y axes = [0]
    %2 = graph.add %0, %1
    rule.yield %2
  }

rule.rule @sum_of_sub(%x: [a], %y: [a]) -> []
  lifts [%x, %y]
  source {
    %0 = graph.sub %x, %y
    %1 = graph.reduce_sum %0 axes = [0]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_sum %x axes = [0]
    %1 = graph.reduce_sum %y axes = [0]
    %2 = graph.sub %0, %1
    rule.yield %2
  }

rule.rule @sum_of_neg(%x: [a]) -> []
  lifts [%x]
  source {
    %0 = graph.neg %x
    %1 = graph.reduce_sum %0 axes = [0]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_sum %x axes = [0]
    %1 = graph.neg %0
    rule.yield %1
  }

// A factor of all elements.
rule.rule @sum_of_scaled(%x: [a, b], %s: [a, 1]) -> [a, 1]
  source {
    %0 = graph.broadcast %s shape = [a, b]
    %1 = graph.mul %x, %0
    %2 = graph.reduce_sum %1 axes = [1] keepdims
    rule.yield %2
  }
  target {
    %0 = graph.reduce_sum %x axes = [1] keepdims
    %1 = graph.mul %0, %s
    rule.yield %1
  }

rule.rule @mean_of_add(%x: [a], %y: [a]) -> []
  lifts [%x, %y]
  source {
    %0 = graph.add %x, %y
    %1 = graph.reduce_mean %0 axes = [0]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_mean %x axes = [0]
    %1 = graph.reduce_mean %y axes = [0]
    %2 = graph.add %0, %1
    rule.yield %2
  }
  where [a >= 1]

rule.rule @mean_of_sub(%x: [a], %y: [a]) -> []
  lifts [%x, %y]
  source {
    %0 = graph.sub %x, %y
    %1 = graph.reduce_mean %0 axes = [0]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_mean %x axes = [0]
    %1 = graph.reduce_mean %y axes = [0]
    %2 = graph.sub %0, %1
    rule.yield %2
  }
  where [a >= 1]

rule.rule @mean_of_neg(%x: [a]) -> []
  lifts [%x]
  source {
    %0 = graph.neg %x
    %1 = graph.reduce_mean %0 axes = [0]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_mean %x axes = [0]
    %1 = graph.neg %0
    rule.yield %1
  }
  where [a >= 1]

rule.rule @mean_of_scaled(%x: [a, b], %s: [a, 1]) -> [a, 1]
  source {
    %0 = graph.broadcast %s shape = [a, b]
    %1 = graph.mul %x, %0
    %2 = graph.reduce_mean %1 axes = [1] keepdims
    rule.yield %2
  }
  target {
    %0 = graph.reduce_mean %x axes = [1] keepdims
    %1 = graph.mul %0, %s
    rule.yield %1
  }
  where [b >= 1]

// Sums of products of matrices: one factor is summed first.
rule.rule @sum_of_rows_of_matmul(%a: [m, k], %b: [k, n]) -> [1, n]
  lifts [%a, %b]
  source {
    %0 = graph.matmul %a, %b
    %1 = graph.reduce_sum %0 axes = [0] keepdims
    rule.yield %1
  }
  target {
    %0 = graph.reduce_sum %a axes = [0] keepdims
    %1 = graph.matmul %0, %b
    rule.yield %1
  }

rule.rule @sum_of_columns_of_matmul(%a: [m, k], %b: [k, n]) -> [m, 1]
  lifts [%a, %b]
  source {
    %0 = graph.matmul %a, %b
    %1 = graph.reduce_sum %0 axes = [1] keepdims
    rule.yield %1
  }
  target {
    %0 = graph.reduce_sum %b axes = [1] keepdims
    %1 = graph.matmul %a, %0
    rule.yield %1
  }
