// Transposes and reshapes: pairs of them, and transposes through concatenations,
// splits, slices, reductions, paddings and softmax (entries 57, 58 and 59).
//
// A transpose moves towards the results, so that two meet and cancel, and past a
// slice or a reduction, which leave it less to move. Permutations are numbers,
// not symbols: the rules have [1, 0], [1, 0, 2], [1, 2, 0] and [2, 0, 1], which
// with leading axes are also [0, 2, 1], [0, 2, 1, 3] (the heads of attention),
// [0, 2, 3, 1] and [0, 3, 1, 2] (channels last and back).
//
// `tenon-rules prove rules/movement.mlir` proves them for all sizes.

// 57. Transposes that cancel, merge or do nothing.

// A transpose that leaves all axes in place does nothing.
rule.rule @transpose_in_place(%x: [a]) -> [a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [0]
    rule.yield %0
  }
  target {
    rule.yield %x
  }

// One undoes the other.
rule.rule @transposes_cancel_10_10(%x: [a, b]) -> [a, b]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0]
    %1 = graph.transpose %0 perm = [1, 0]
    rule.yield %1
  }
  target {
    rule.yield %x
  }

rule.rule @transposes_cancel_102_102(%x: [a, b, c]) -> [a, b, c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2]
    %1 = graph.transpose %0 perm = [1, 0, 2]
    rule.yield %1
  }
  target {
    rule.yield %x
  }

rule.rule @transposes_cancel_120_201(%x: [a, b, c]) -> [a, b, c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0]
    %1 = graph.transpose %0 perm = [2, 0, 1]
    rule.yield %1
  }
  target {
    rule.yield %x
  }

rule.rule @transposes_cancel_201_120(%x: [a, b, c]) -> [a, b, c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1]
    %1 = graph.transpose %0 perm = [1, 2, 0]
    rule.yield %1
  }
  target {
    rule.yield %x
  }

rule.rule @transposes_cancel_210_210(%x: [a, b, c]) -> [a, b, c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 1, 0]
    %1 = graph.transpose %0 perm = [2, 1, 0]
    rule.yield %1
  }
  target {
    rule.yield %x
  }

// Two are one: the second picks from the axes that the first gives.
rule.rule @transposes_merge_102_120(%x: [a, b, c]) -> [a, c, b]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2]
    %1 = graph.transpose %0 perm = [1, 2, 0]
    rule.yield %1
  }
  target {
    %0 = graph.transpose %x perm = [0, 2, 1]
    rule.yield %0
  }

rule.rule @transposes_merge_102_201(%x: [a, b, c]) -> [c, b, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2]
    %1 = graph.transpose %0 perm = [2, 0, 1]
    rule.yield %1
  }
  target {
    %0 = graph.transpose %x perm = [2, 1, 0]
    rule.yield %0
  }

rule.rule @transposes_merge_102_210(%x: [a, b, c]) -> [c, a, b]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2]
    %1 = graph.transpose %0 perm = [2, 1, 0]
    rule.yield %1
  }
  target {
    %0 = graph.transpose %x perm = [2, 0, 1]
    rule.yield %0
  }

rule.rule @transposes_merge_102_021(%x: [a, b, c]) -> [b, c, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2]
    %1 = graph.transpose %0 perm = [0, 2, 1]
    rule.yield %1
  }
  target {
    %0 = graph.transpose %x perm = [1, 2, 0]
    rule.yield %0
  }

rule.rule @transposes_merge_120_102(%x: [a, b, c]) -> [c, b, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0]
    %1 = graph.transpose %0 perm = [1, 0, 2]
    rule.yield %1
  }
  target {
    %0 = graph.transpose %x perm = [2, 1, 0]
    rule.yield %0
  }

rule.rule @transposes_merge_120_120(%x: [a, b, c]) -> [c, a, b]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0]
    %1 = graph.transpose %0 perm = [1, 2, 0]
    rule.yield %1
  }
  target {
    %0 = graph.transpose %x perm = [2, 0, 1]
    rule.yield %0
  }

rule.rule @transposes_merge_120_210(%x: [a, b, c]) -> [a, c, b]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0]
    %1 = graph.transpose %0 perm = [2, 1, 0]
    rule.yield %1
  }
  target {
    %0 = graph.transpose %x perm = [0, 2, 1]
    rule.yield %0
  }

rule.rule @transposes_merge_120_021(%x: [a, b, c]) -> [b, a, c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0]
    %1 = graph.transpose %0 perm = [0, 2, 1]
    rule.yield %1
  }
  target {
    %0 = graph.transpose %x perm = [1, 0, 2]
    rule.yield %0
  }

rule.rule @transposes_merge_201_102(%x: [a, b, c]) -> [a, c, b]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1]
    %1 = graph.transpose %0 perm = [1, 0, 2]
    rule.yield %1
  }
  target {
    %0 = graph.transpose %x perm = [0, 2, 1]
    rule.yield %0
  }

rule.rule @transposes_merge_201_201(%x: [a, b, c]) -> [b, c, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1]
    %1 = graph.transpose %0 perm = [2, 0, 1]
    rule.yield %1
  }
  target {
    %0 = graph.transpose %x perm = [1, 2, 0]
    rule.yield %0
  }

rule.rule @transposes_merge_201_210(%x: [a, b, c]) -> [b, a, c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1]
    %1 = graph.transpose %0 perm = [2, 1, 0]
    rule.yield %1
  }
  target {
    %0 = graph.transpose %x perm = [1, 0, 2]
    rule.yield %0
  }

rule.rule @transposes_merge_201_021(%x: [a, b, c]) -> [c, b, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1]
    %1 = graph.transpose %0 perm = [0, 2, 1]
    rule.yield %1
  }
  target {
    %0 = graph.transpose %x perm = [2, 1, 0]
    rule.yield %0
  }

rule.rule @transposes_merge_210_102(%x: [a, b, c]) -> [b, c, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 1, 0]
    %1 = graph.transpose %0 perm = [1, 0, 2]
    rule.yield %1
  }
  target {
    %0 = graph.transpose %x perm = [1, 2, 0]
    rule.yield %0
  }

rule.rule @transposes_merge_210_120(%x: [a, b, c]) -> [b, a, c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 1, 0]
    %1 = graph.transpose %0 perm = [1, 2, 0]
    rule.yield %1
  }
  target {
    %0 = graph.transpose %x perm = [1, 0, 2]
    rule.yield %0
  }

rule.rule @transposes_merge_210_201(%x: [a, b, c]) -> [a, c, b]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 1, 0]
    %1 = graph.transpose %0 perm = [2, 0, 1]
    rule.yield %1
  }
  target {
    %0 = graph.transpose %x perm = [0, 2, 1]
    rule.yield %0
  }

rule.rule @transposes_merge_210_021(%x: [a, b, c]) -> [c, a, b]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 1, 0]
    %1 = graph.transpose %0 perm = [0, 2, 1]
    rule.yield %1
  }
  target {
    %0 = graph.transpose %x perm = [2, 0, 1]
    rule.yield %0
  }

rule.rule @transposes_merge_021_102(%x: [a, b, c]) -> [c, a, b]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [0, 2, 1]
    %1 = graph.transpose %0 perm = [1, 0, 2]
    rule.yield %1
  }
  target {
    %0 = graph.transpose %x perm = [2, 0, 1]
    rule.yield %0
  }

rule.rule @transposes_merge_021_120(%x: [a, b, c]) -> [c, b, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [0, 2, 1]
    %1 = graph.transpose %0 perm = [1, 2, 0]
    rule.yield %1
  }
  target {
    %0 = graph.transpose %x perm = [2, 1, 0]
    rule.yield %0
  }

rule.rule @transposes_merge_021_201(%x: [a, b, c]) -> [b, a, c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [0, 2, 1]
    %1 = graph.transpose %0 perm = [2, 0, 1]
    rule.yield %1
  }
  target {
    %0 = graph.transpose %x perm = [1, 0, 2]
    rule.yield %0
  }

rule.rule @transposes_merge_021_210(%x: [a, b, c]) -> [b, c, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [0, 2, 1]
    %1 = graph.transpose %0 perm = [2, 1, 0]
    rule.yield %1
  }
  target {
    %0 = graph.transpose %x perm = [1, 2, 0]
    rule.yield %0
  }

// A number that is repeated looks the same from all sides.
rule.rule @transpose_of_repeated_number(%x: []) -> [b, a]
  source {
    %0 = graph.broadcast %x shape = [a, b]
    %1 = graph.transpose %0 perm = [1, 0]
    rule.yield %1
  }
  target {
    %0 = graph.broadcast %x shape = [b, a]
    rule.yield %0
  }

// Where one of two axes has size 1, transposing them moves no element.
rule.rule @transpose_of_column(%x: [a, 1]) -> [1, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0]
    rule.yield %0
  }
  target {
    %0 = graph.reshape %x shape = [1, a]
    rule.yield %0
  }

rule.rule @transpose_of_row(%x: [1, a]) -> [a, 1]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0]
    rule.yield %0
  }
  target {
    %0 = graph.reshape %x shape = [a, 1]
    rule.yield %0
  }

// 59. Through concatenations: the joined axis is the one that the permutation names.
rule.rule @concat_of_transposed_10_along_0(%x: [a, b], %y: [a, e]) -> [b + e, a]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 0]
    %1 = graph.transpose %y perm = [1, 0]
    %2 = graph.concat %0, %1 axis = 0
    rule.yield %2
  }
  target {
    %0 = graph.concat %x, %y axis = 1
    %1 = graph.transpose %0 perm = [1, 0]
    rule.yield %1
  }

rule.rule @concat_of_transposed_10_along_1(%x: [a, b], %y: [e, b]) -> [b, a + e]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 0]
    %1 = graph.transpose %y perm = [1, 0]
    %2 = graph.concat %0, %1 axis = 1
    rule.yield %2
  }
  target {
    %0 = graph.concat %x, %y axis = 0
    %1 = graph.transpose %0 perm = [1, 0]
    rule.yield %1
  }

rule.rule @concat_of_transposed_102_along_0(%x: [a, b, c], %y: [a, e, c]) -> [b + e, a, c]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2]
    %1 = graph.transpose %y perm = [1, 0, 2]
    %2 = graph.concat %0, %1 axis = 0
    rule.yield %2
  }
  target {
    %0 = graph.concat %x, %y axis = 1
    %1 = graph.transpose %0 perm = [1, 0, 2]
    rule.yield %1
  }

rule.rule @concat_of_transposed_102_along_1(%x: [a, b, c], %y: [e, b, c]) -> [b, a + e, c]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2]
    %1 = graph.transpose %y perm = [1, 0, 2]
    %2 = graph.concat %0, %1 axis = 1
    rule.yield %2
  }
  target {
    %0 = graph.concat %x, %y axis = 0
    %1 = graph.transpose %0 perm = [1, 0, 2]
    rule.yield %1
  }

rule.rule @concat_of_transposed_102_along_2(%x: [a, b, c], %y: [a, b, e]) -> [b, a, c + e]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2]
    %1 = graph.transpose %y perm = [1, 0, 2]
    %2 = graph.concat %0, %1 axis = 2
    rule.yield %2
  }
  target {
    %0 = graph.concat %x, %y axis = 2
    %1 = graph.transpose %0 perm = [1, 0, 2]
    rule.yield %1
  }

rule.rule @concat_of_transposed_120_along_0(%x: [a, b, c], %y: [a, e, c]) -> [b + e, c, a]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0]
    %1 = graph.transpose %y perm = [1, 2, 0]
    %2 = graph.concat %0, %1 axis = 0
    rule.yield %2
  }
  target {
    %0 = graph.concat %x, %y axis = 1
    %1 = graph.transpose %0 perm = [1, 2, 0]
    rule.yield %1
  }

rule.rule @concat_of_transposed_120_along_1(%x: [a, b, c], %y: [a, b, e]) -> [b, c + e, a]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0]
    %1 = graph.transpose %y perm = [1, 2, 0]
    %2 = graph.concat %0, %1 axis = 1
    rule.yield %2
  }
  target {
    %0 = graph.concat %x, %y axis = 2
    %1 = graph.transpose %0 perm = [1, 2, 0]
    rule.yield %1
  }

rule.rule @concat_of_transposed_120_along_2(%x: [a, b, c], %y: [e, b, c]) -> [b, c, a + e]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0]
    %1 = graph.transpose %y perm = [1, 2, 0]
    %2 = graph.concat %0, %1 axis = 2
    rule.yield %2
  }
  target {
    %0 = graph.concat %x, %y axis = 0
    %1 = graph.transpose %0 perm = [1, 2, 0]
    rule.yield %1
  }

rule.rule @concat_of_transposed_201_along_0(%x: [a, b, c], %y: [a, b, e]) -> [c + e, a, b]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1]
    %1 = graph.transpose %y perm = [2, 0, 1]
    %2 = graph.concat %0, %1 axis = 0
    rule.yield %2
  }
  target {
    %0 = graph.concat %x, %y axis = 2
    %1 = graph.transpose %0 perm = [2, 0, 1]
    rule.yield %1
  }

rule.rule @concat_of_transposed_201_along_1(%x: [a, b, c], %y: [e, b, c]) -> [c, a + e, b]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1]
    %1 = graph.transpose %y perm = [2, 0, 1]
    %2 = graph.concat %0, %1 axis = 1
    rule.yield %2
  }
  target {
    %0 = graph.concat %x, %y axis = 0
    %1 = graph.transpose %0 perm = [2, 0, 1]
    rule.yield %1
  }

rule.rule @concat_of_transposed_201_along_2(%x: [a, b, c], %y: [a, e, c]) -> [c, a, b + e]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1]
    %1 = graph.transpose %y perm = [2, 0, 1]
    %2 = graph.concat %0, %1 axis = 2
    rule.yield %2
  }
  target {
    %0 = graph.concat %x, %y axis = 1
    %1 = graph.transpose %0 perm = [2, 0, 1]
    rule.yield %1
  }

// 59. Through splits.
rule.rule @split_of_transposed_10_along_0(%x: [a, e + f]) -> ([e, a], [f, a])
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0]
    %1, %2 = graph.split %0 axis = 0 sizes = [e, f]
    rule.yield %1, %2
  }
  target {
    %0, %1 = graph.split %x axis = 1 sizes = [e, f]
    %2 = graph.transpose %0 perm = [1, 0]
    %3 = graph.transpose %1 perm = [1, 0]
    rule.yield %2, %3
  }

rule.rule @split_of_transposed_10_along_1(%x: [e + f, b]) -> ([b, e], [b, f])
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0]
    %1, %2 = graph.split %0 axis = 1 sizes = [e, f]
    rule.yield %1, %2
  }
  target {
    %0, %1 = graph.split %x axis = 0 sizes = [e, f]
    %2 = graph.transpose %0 perm = [1, 0]
    %3 = graph.transpose %1 perm = [1, 0]
    rule.yield %2, %3
  }

rule.rule @split_of_transposed_120_along_2(%x: [e + f, b, c]) -> ([b, c, e], [b, c, f])
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0]
    %1, %2 = graph.split %0 axis = 2 sizes = [e, f]
    rule.yield %1, %2
  }
  target {
    %0, %1 = graph.split %x axis = 0 sizes = [e, f]
    %2 = graph.transpose %0 perm = [1, 2, 0]
    %3 = graph.transpose %1 perm = [1, 2, 0]
    rule.yield %2, %3
  }

rule.rule @split_of_transposed_201_along_0(%x: [a, b, e + f]) -> ([e, a, b], [f, a, b])
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1]
    %1, %2 = graph.split %0 axis = 0 sizes = [e, f]
    rule.yield %1, %2
  }
  target {
    %0, %1 = graph.split %x axis = 2 sizes = [e, f]
    %2 = graph.transpose %0 perm = [2, 0, 1]
    %3 = graph.transpose %1 perm = [2, 0, 1]
    rule.yield %2, %3
  }

rule.rule @split_of_transposed_102_along_0(%x: [a, e + f, c]) -> ([e, a, c], [f, a, c])
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2]
    %1, %2 = graph.split %0 axis = 0 sizes = [e, f]
    rule.yield %1, %2
  }
  target {
    %0, %1 = graph.split %x axis = 1 sizes = [e, f]
    %2 = graph.transpose %0 perm = [1, 0, 2]
    %3 = graph.transpose %1 perm = [1, 0, 2]
    rule.yield %2, %3
  }

rule.rule @split_of_transposed_102_along_1(%x: [e + f, b, c]) -> ([b, e, c], [b, f, c])
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2]
    %1, %2 = graph.split %0 axis = 1 sizes = [e, f]
    rule.yield %1, %2
  }
  target {
    %0, %1 = graph.split %x axis = 0 sizes = [e, f]
    %2 = graph.transpose %0 perm = [1, 0, 2]
    %3 = graph.transpose %1 perm = [1, 0, 2]
    rule.yield %2, %3
  }

// 59. Through slices: starts, sizes and steps are permuted too.
rule.rule @slice_of_transposed_10(%x: [a, b]) -> [p, q]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0]
    %1 = graph.slice %0 starts = [s, t] sizes = [p, q] steps = [1, 1]
    rule.yield %1
  }
  target {
    %0 = graph.slice %x starts = [t, s] sizes = [q, p] steps = [1, 1]
    %1 = graph.transpose %0 perm = [1, 0]
    rule.yield %1
  }

rule.rule @slice_of_transposed_102(%x: [a, b, c]) -> [p, q, r]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2]
    %1 = graph.slice %0 starts = [s, t, u] sizes = [p, q, r] steps = [1, 1, 1]
    rule.yield %1
  }
  target {
    %0 = graph.slice %x starts = [t, s, u] sizes = [q, p, r] steps = [1, 1, 1]
    %1 = graph.transpose %0 perm = [1, 0, 2]
    rule.yield %1
  }

rule.rule @slice_of_transposed_120(%x: [a, b, c]) -> [p, q, r]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0]
    %1 = graph.slice %0 starts = [s, t, u] sizes = [p, q, r] steps = [1, 1, 1]
    rule.yield %1
  }
  target {
    %0 = graph.slice %x starts = [u, s, t] sizes = [r, p, q] steps = [1, 1, 1]
    %1 = graph.transpose %0 perm = [1, 2, 0]
    rule.yield %1
  }

rule.rule @slice_of_transposed_201(%x: [a, b, c]) -> [p, q, r]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1]
    %1 = graph.slice %0 starts = [s, t, u] sizes = [p, q, r] steps = [1, 1, 1]
    rule.yield %1
  }
  target {
    %0 = graph.slice %x starts = [t, u, s] sizes = [q, r, p] steps = [1, 1, 1]
    %1 = graph.transpose %0 perm = [2, 0, 1]
    rule.yield %1
  }

// With steps.
rule.rule @strided_slice_of_transposed_10(%x: [a, b]) -> [p, q]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0]
    %1 = graph.slice %0 starts = [s, t] sizes = [p, q] steps = [v, w]
    rule.yield %1
  }
  target {
    %0 = graph.slice %x starts = [t, s] sizes = [q, p] steps = [w, v]
    %1 = graph.transpose %0 perm = [1, 0]
    rule.yield %1
  }

// 59. Through paddings.
rule.rule @pad_of_transposed_10(%x: [a, b]) -> [l0 + b + h0, l1 + a + h1]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0]
    %1 = graph.pad %0 low = [l0, l1] high = [h0, h1] constant value = 0.0
    rule.yield %1
  }
  target {
    %0 = graph.pad %x low = [l1, l0] high = [h1, h0] constant value = 0.0
    %1 = graph.transpose %0 perm = [1, 0]
    rule.yield %1
  }

rule.rule @pad_of_transposed_102(%x: [a, b, c]) -> [l0 + b + h0, l1 + a + h1, l2 + c + h2]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2]
    %1 = graph.pad %0 low = [l0, l1, l2] high = [h0, h1, h2] constant value = 0.0
    rule.yield %1
  }
  target {
    %0 = graph.pad %x low = [l1, l0, l2] high = [h1, h0, h2] constant value = 0.0
    %1 = graph.transpose %0 perm = [1, 0, 2]
    rule.yield %1
  }

rule.rule @pad_of_transposed_120(%x: [a, b, c]) -> [l0 + b + h0, l1 + c + h1, l2 + a + h2]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0]
    %1 = graph.pad %0 low = [l0, l1, l2] high = [h0, h1, h2] constant value = 0.0
    rule.yield %1
  }
  target {
    %0 = graph.pad %x low = [l2, l0, l1] high = [h2, h0, h1] constant value = 0.0
    %1 = graph.transpose %0 perm = [1, 2, 0]
    rule.yield %1
  }

rule.rule @pad_of_transposed_201(%x: [a, b, c]) -> [l0 + c + h0, l1 + a + h1, l2 + b + h2]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1]
    %1 = graph.pad %0 low = [l0, l1, l2] high = [h0, h1, h2] constant value = 0.0
    rule.yield %1
  }
  target {
    %0 = graph.pad %x low = [l1, l2, l0] high = [h1, h2, h0] constant value = 0.0
    %1 = graph.transpose %0 perm = [2, 0, 1]
    rule.yield %1
  }

// 59. Through softmax.
rule.rule @softmax_of_transposed_10_along_0(%x: [a, b]) -> [b, a]
  source {
    %0 = graph.transpose %x perm = [1, 0]
    %1 = graph.softmax %0 axis = 0
    rule.yield %1
  }
  target {
    %0 = graph.softmax %x axis = 1
    %1 = graph.transpose %0 perm = [1, 0]
    rule.yield %1
  }

rule.rule @softmax_of_transposed_10_along_1(%x: [a, b]) -> [b, a]
  source {
    %0 = graph.transpose %x perm = [1, 0]
    %1 = graph.softmax %0 axis = 1
    rule.yield %1
  }
  target {
    %0 = graph.softmax %x axis = 0
    %1 = graph.transpose %0 perm = [1, 0]
    rule.yield %1
  }

rule.rule @log_softmax_of_transposed_10_along_0(%x: [a, b]) -> [b, a]
  source {
    %0 = graph.transpose %x perm = [1, 0]
    %1 = graph.log_softmax %0 axis = 0
    rule.yield %1
  }
  target {
    %0 = graph.log_softmax %x axis = 1
    %1 = graph.transpose %0 perm = [1, 0]
    rule.yield %1
  }

rule.rule @log_softmax_of_transposed_10_along_1(%x: [a, b]) -> [b, a]
  source {
    %0 = graph.transpose %x perm = [1, 0]
    %1 = graph.log_softmax %0 axis = 1
    rule.yield %1
  }
  target {
    %0 = graph.log_softmax %x axis = 0
    %1 = graph.transpose %0 perm = [1, 0]
    rule.yield %1
  }

// 58. Reshapes. The second of two decides alone; one to the same shape does
// nothing. The shape between has at most two axes behind the leading ones.
rule.rule @reshape_to_own_shape(%x: [a]) -> [a]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [a]
    rule.yield %0
  }
  target {
    rule.yield %x
  }

rule.rule @reshapes_merge_2_1_1(%x: [a, b]) -> [a * b]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [a * b]
    %1 = graph.reshape %0 shape = [a * b]
    rule.yield %1
  }
  target {
    %0 = graph.reshape %x shape = [a * b]
    rule.yield %0
  }

rule.rule @reshapes_merge_2_1_2(%x: [a, b]) -> [p, q]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [a * b]
    %1 = graph.reshape %0 shape = [p, q]
    rule.yield %1
  }
  target {
    %0 = graph.reshape %x shape = [p, q]
    rule.yield %0
  }

rule.rule @reshapes_merge_2_1_3(%x: [a, b]) -> [p, q, r]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [a * b]
    %1 = graph.reshape %0 shape = [p, q, r]
    rule.yield %1
  }
  target {
    %0 = graph.reshape %x shape = [p, q, r]
    rule.yield %0
  }

rule.rule @reshapes_merge_3_1_1(%x: [a, b, c]) -> [a * b * c]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [a * b * c]
    %1 = graph.reshape %0 shape = [a * b * c]
    rule.yield %1
  }
  target {
    %0 = graph.reshape %x shape = [a * b * c]
    rule.yield %0
  }

rule.rule @reshapes_merge_3_1_2(%x: [a, b, c]) -> [p, q]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [a * b * c]
    %1 = graph.reshape %0 shape = [p, q]
    rule.yield %1
  }
  target {
    %0 = graph.reshape %x shape = [p, q]
    rule.yield %0
  }

rule.rule @reshapes_merge_3_1_3(%x: [a, b, c]) -> [p, q, r]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [a * b * c]
    %1 = graph.reshape %0 shape = [p, q, r]
    rule.yield %1
  }
  target {
    %0 = graph.reshape %x shape = [p, q, r]
    rule.yield %0
  }

rule.rule @reshapes_merge_1_2_1(%x: [m * k]) -> [m * k]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [m, k]
    %1 = graph.reshape %0 shape = [m * k]
    rule.yield %1
  }
  target {
    %0 = graph.reshape %x shape = [m * k]
    rule.yield %0
  }

rule.rule @reshapes_merge_1_2_2(%x: [m * k]) -> [p, q]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [m, k]
    %1 = graph.reshape %0 shape = [p, q]
    rule.yield %1
  }
  target {
    %0 = graph.reshape %x shape = [p, q]
    rule.yield %0
  }

rule.rule @reshapes_merge_1_2_3(%x: [m * k]) -> [p, q, r]
  source {
    %0 = graph.reshape %x shape = [m, k]
    %1 = graph.reshape %0 shape = [p, q, r]
    rule.yield %1
  }
  target {
    %0 = graph.reshape %x shape = [p, q, r]
    rule.yield %0
  }

rule.rule @reshapes_merge_2_2_1(%x: [a, b]) -> [a * b]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [m, k]
    %1 = graph.reshape %0 shape = [a * b]
    rule.yield %1
  }
  target {
    %0 = graph.reshape %x shape = [a * b]
    rule.yield %0
  }

rule.rule @reshapes_merge_2_2_2(%x: [a, b]) -> [p, q]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [m, k]
    %1 = graph.reshape %0 shape = [p, q]
    rule.yield %1
  }
  target {
    %0 = graph.reshape %x shape = [p, q]
    rule.yield %0
  }

rule.rule @reshapes_merge_2_2_3(%x: [a, b]) -> [p, q, r]
  source {
    %0 = graph.reshape %x shape = [m, k]
    %1 = graph.reshape %0 shape = [p, q, r]
    rule.yield %1
  }
  target {
    %0 = graph.reshape %x shape = [p, q, r]
    rule.yield %0
  }

rule.rule @reshapes_merge_3_2_1(%x: [a, b, c]) -> [a * b * c]
  source {
    %0 = graph.reshape %x shape = [m, k]
    %1 = graph.reshape %0 shape = [a * b * c]
    rule.yield %1
  }
  target {
    %0 = graph.reshape %x shape = [a * b * c]
    rule.yield %0
  }

rule.rule @reshapes_merge_3_2_2(%x: [a, b, c]) -> [p, q]
  source {
    %0 = graph.reshape %x shape = [m, k]
    %1 = graph.reshape %0 shape = [p, q]
    rule.yield %1
  }
  target {
    %0 = graph.reshape %x shape = [p, q]
    rule.yield %0
  }

rule.rule @reshapes_merge_3_2_3(%x: [a, b, c]) -> [p, q, r]
  source {
    %0 = graph.reshape %x shape = [m, k]
    %1 = graph.reshape %0 shape = [p, q, r]
    rule.yield %1
  }
  target {
    %0 = graph.reshape %x shape = [p, q, r]
    rule.yield %0
  }
