// What canonicalization does to ops that move elements: patterns of
// lib/Dialect/Graph/IR/MovementPatterns.cpp, and folds of the op that is named.
//
// Each rule names the C++ function whose theorem it is. The function does the same
// for any rank and any number of operands; the rules state it for small ones, with
// leading axes where axes may stand before the others. More of them are rules of the
// library: transposes and reshapes of each other in ../movement.mlir, slices,
// splits, concatenations and paddings in ../movement-slices.mlir.
//
// `tenon-rules prove rules/passes/movement.mlir` proves them for all sizes.

// transposeToReshape: only axes of size 1 change places.
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

rule.rule @transpose_of_axis_of_one(%x: [a, 1, b]) -> [1, a, b]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2]
    rule.yield %0
  }
  target {
    %0 = graph.reshape %x shape = [1, a, b]
    rule.yield %0
  }

rule.rule @transpose_of_axes_of_one(%x: [1, a, 1, b]) -> [a, b, 1, 1]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 3, 2, 0]
    rule.yield %0
  }
  target {
    %0 = graph.reshape %x shape = [a, b, 1, 1]
    rule.yield %0
  }

// mergeBroadcasts.
rule.rule @broadcasts_merge(%x: [1, a]) -> [c, b, a]
  source {
    %0 = graph.broadcast %x shape = [b, a]
    %1 = graph.broadcast %0 shape = [c, b, a]
    rule.yield %1
  }
  target {
    %0 = graph.broadcast %x shape = [c, b, a]
    rule.yield %0
  }

rule.rule @broadcasts_merge_axes(%x: [a, 1, 1]) -> [a, b, c]
  source {
    %0 = graph.broadcast %x shape = [a, b, 1]
    %1 = graph.broadcast %0 shape = [a, b, c]
    rule.yield %1
  }
  target {
    %0 = graph.broadcast %x shape = [a, b, c]
    rule.yield %0
  }

// dropLeadingOnes.
rule.rule @broadcast_adds_leading_ones(%x: [a, b]) -> [c, d, a, b]
  source {
    %0 = graph.reshape %x shape = [1, 1, a, b]
    %1 = graph.broadcast %0 shape = [c, d, a, b]
    rule.yield %1
  }
  target {
    %0 = graph.broadcast %x shape = [c, d, a, b]
    rule.yield %0
  }

// BroadcastOp::fold.
rule.rule @broadcast_to_own_shape(%x: [a, b]) -> [a, b]
  source {
    %0 = graph.broadcast %x shape = [a, b]
    rule.yield %0
  }
  target {
    rule.yield %x
  }

// mergeSlices, with any steps.
rule.rule @slices_merge(%x: [a]) -> [n]
  lifts [%x]
  source {
    %0 = graph.slice %x starts = [s] sizes = [m] steps = [p]
    %1 = graph.slice %0 starts = [t] sizes = [n] steps = [q]
    rule.yield %1
  }
  target {
    %0 = graph.slice %x starts = [s + t * p] sizes = [n] steps = [p * q]
    rule.yield %0
  }

// Steps below 0 are numbers, since symbols are not below 0.
rule.rule @slices_merge_backwards(%x: [a]) -> [n]
  lifts [%x]
  source {
    %0 = graph.slice %x starts = [s] sizes = [m] steps = [-2]
    %1 = graph.slice %0 starts = [t] sizes = [n] steps = [q]
    rule.yield %1
  }
  target {
    %0 = graph.slice %x starts = [s - 2 * t] sizes = [n] steps = [-2 * q]
    rule.yield %0
  }

rule.rule @slices_merge_backwards_last(%x: [a]) -> [n]
  lifts [%x]
  source {
    %0 = graph.slice %x starts = [s] sizes = [m] steps = [p]
    %1 = graph.slice %0 starts = [t] sizes = [n] steps = [-2]
    rule.yield %1
  }
  target {
    %0 = graph.slice %x starts = [s + t * p] sizes = [n] steps = [-2 * p]
    rule.yield %0
  }

// dropSplitOfOne.
rule.rule @split_into_one(%x: [a, b]) -> [a, b]
  lifts [%x]
  source {
    %0 = graph.split %x axis = 0 sizes = [a]
    rule.yield %0
  }
  target {
    rule.yield %x
  }

// splitAtSeams.
rule.rule @split_at_seams(%x: [a, c], %y: [b, c]) -> ([a, c], [b, c])
  lifts [%x, %y]
  source {
    %0 = graph.concat %x, %y axis = 0
    %1, %2 = graph.split %0 axis = 0 sizes = [a, b]
    rule.yield %1, %2
  }
  target {
    rule.yield %x, %y
  }

rule.rule @split_at_three_seams(%x: [a, d], %y: [b, d], %z: [c, d]) -> ([a, d], [b, d], [c, d])
  lifts [%x, %y, %z]
  source {
    %0 = graph.concat %x, %y, %z axis = 0
    %1, %2, %3 = graph.split %0 axis = 0 sizes = [a, b, c]
    rule.yield %1, %2, %3
  }
  target {
    rule.yield %x, %y, %z
  }

// flattenConcat.
rule.rule @concats_merge(%x: [a, d], %y: [b, d], %z: [c, d]) -> [a + b + c, d]
  lifts [%x, %y, %z]
  source {
    %0 = graph.concat %x, %y axis = 0
    %1 = graph.concat %0, %z axis = 0
    rule.yield %1
  }
  target {
    %0 = graph.concat %x, %y, %z axis = 0
    rule.yield %0
  }

rule.rule @concats_merge_second(%x: [a, d], %y: [b, d], %z: [c, d]) -> [a + b + c, d]
  lifts [%x, %y, %z]
  source {
    %0 = graph.concat %y, %z axis = 0
    %1 = graph.concat %x, %0 axis = 0
    rule.yield %1
  }
  target {
    %0 = graph.concat %x, %y, %z axis = 0
    rule.yield %0
  }

rule.rule @concat_drops_empty(%x: [a, c], %y: [0, c], %z: [b, c]) -> [a + b, c]
  lifts [%x, %y, %z]
  source {
    %0 = graph.concat %x, %y, %z axis = 0
    rule.yield %0
  }
  target {
    %0 = graph.concat %x, %z axis = 0
    rule.yield %0
  }

// ConcatOp::fold.
rule.rule @concat_with_empty(%x: [a, c], %y: [0, c]) -> [a, c]
  lifts [%x, %y]
  source {
    %0 = graph.concat %x, %y axis = 0
    rule.yield %0
  }
  target {
    rule.yield %x
  }

// concatOfSplit.
rule.rule @concat_of_split(%x: [a + b, c]) -> [a + b, c]
  lifts [%x]
  source {
    %0, %1 = graph.split %x axis = 0 sizes = [a, b]
    %2 = graph.concat %0, %1 axis = 0
    rule.yield %2
  }
  target {
    rule.yield %x
  }

// mergePads.
rule.rule @pads_merge(%x: [a, b]) -> [a + l + h + m + k, b]
  source {
    %0 = graph.pad %x low = [l, 0] high = [h, 0] constant value = 0.0
    %1 = graph.pad %0 low = [m, 0] high = [k, 0] constant value = 0.0
    rule.yield %1
  }
  target {
    %0 = graph.pad %x low = [l + m, 0] high = [h + k, 0] constant value = 0.0
    rule.yield %0
  }

rule.rule @edge_pads_merge(%x: [a, b]) -> [a + l + h + m + k, b]
  source {
    %0 = graph.pad %x low = [l, 0] high = [h, 0] edge value = 0.0
    %1 = graph.pad %0 low = [m, 0] high = [k, 0] edge value = 0.0
    rule.yield %1
  }
  target {
    %0 = graph.pad %x low = [l + m, 0] high = [h + k, 0] edge value = 0.0
    rule.yield %0
  }

// PadOp::fold.
rule.rule @pad_of_nothing(%x: [a, b]) -> [a, b]
  source {
    %0 = graph.pad %x low = [0, 0] high = [0, 0] constant value = 0.0
    rule.yield %0
  }
  target {
    rule.yield %x
  }

// TileOp::fold, ReverseOp::fold.
rule.rule @tile_once(%x: [a, b]) -> [a, b]
  source {
    %0 = graph.tile %x repeats = [1, 1]
    rule.yield %0
  }
  target {
    rule.yield %x
  }

rule.rule @reverse_no_axes(%x: [a, b]) -> [a, b]
  source {
    %0 = graph.reverse %x axes = []
    rule.yield %0
  }
  target {
    rule.yield %x
  }

// gatherToSlice, of one index. (Of several, the kernel does not decide which of the
// constant indices stands at a position.)
rule.rule @gather_of_one(%x: [6, b]) -> [b]
  source {
    %i = graph.constant dense<4> : tensor<i64>
    %0 = graph.gather %x, %i axis = 0
    rule.yield %0
  }
  target {
    %0 = graph.slice %x starts = [4, 0] sizes = [1, b] steps = [1, 1]
    %1 = graph.reshape %0 shape = [b]
    rule.yield %1
  }

// absorbTransposes.
rule.rule @matmul_of_transposed_lhs(%x: [k, m], %y: [k, n]) -> [m, n]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 0]
    %1 = graph.matmul %0, %y
    rule.yield %1
  }
  target {
    %0 = graph.matmul %x, %y transpose_a
    rule.yield %0
  }

rule.rule @matmul_of_transposed_rhs(%x: [m, k], %y: [n, k]) -> [m, n]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %y perm = [1, 0]
    %1 = graph.matmul %x, %0
    rule.yield %1
  }
  target {
    %0 = graph.matmul %x, %y transpose_b
    rule.yield %0
  }

rule.rule @matmul_of_transposed_twice(%x: [m, k], %y: [k, n]) -> [m, n]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 0]
    %1 = graph.transpose %y perm = [1, 0]
    %2 = graph.matmul %0, %1 transpose_a transpose_b
    rule.yield %2
  }
  target {
    %0 = graph.matmul %x, %y
    rule.yield %0
  }

// absorbBroadcasts.
rule.rule @matmul_of_repeated_lhs(%x: [m, k], %y: [b, k, n]) -> [b, m, n]
  source {
    %0 = graph.broadcast %x shape = [b, m, k]
    %1 = graph.matmul %0, %y
    rule.yield %1
  }
  target {
    %0 = graph.matmul %x, %y
    rule.yield %0
  }

rule.rule @matmul_of_repeated_rhs(%x: [b, m, k], %y: [1, k, n]) -> [b, m, n]
  source {
    %0 = graph.broadcast %y shape = [b, k, n]
    %1 = graph.matmul %x, %0
    rule.yield %1
  }
  target {
    %0 = graph.matmul %x, %y
    rule.yield %0
  }

rule.rule @matmul_of_repeated_heads(%x: [a, b, m, k], %y: [a, 1, k, n]) -> [a, b, m, n]
  source {
    %0 = graph.broadcast %y shape = [a, b, k, n]
    %1 = graph.matmul %x, %0
    rule.yield %1
  }
  target {
    %0 = graph.matmul %x, %y
    rule.yield %0
  }

// TransposeOp::fold, ReshapeOp::fold and SliceOp::fold are @transpose_in_place,
// @reshape_to_own_shape and @slice_of_all of the library.
