// Slices, concatenations, splits and paddings (entries 60, 61, 62 and 64).
//
// A slice moves towards the operands, so that no more is computed than is read;
// slices of slices, paddings of paddings and concatenations of concatenations
// become one. The axis that is joined stands first; leading axes make it any
// other. A slice may cut further axes at the same time.
//
// `tenon-rules prove rules/movement-slices.mlir` proves them for all sizes.

// 60. A slice of a concatenation: in the first part, in the second, or in both.

rule.rule @slice_of_concat_in_first_1(%a: [m], %b: [p]) -> [s]
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0
    %1 = graph.slice %0 starts = [t] sizes = [s] steps = [1]
    rule.yield %1
  }
  target {
    %0 = graph.slice %a starts = [t] sizes = [s] steps = [1]
    rule.yield %0
  }
  where [t + s <= m]

rule.rule @slice_of_concat_in_second_1(%a: [m], %b: [p]) -> [s]
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0
    %1 = graph.slice %0 starts = [t] sizes = [s] steps = [1]
    rule.yield %1
  }
  target {
    %0 = graph.slice %b starts = [t - m] sizes = [s] steps = [1]
    rule.yield %0
  }
  where [t >= m]

rule.rule @slice_of_concat_in_both_1(%a: [m], %b: [p]) -> [s]
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0
    %1 = graph.slice %0 starts = [t] sizes = [s] steps = [1]
    rule.yield %1
  }
  target {
    %0 = graph.slice %a starts = [t] sizes = [m - t] steps = [1]
    %1 = graph.slice %b starts = [0] sizes = [t + s - m] steps = [1]
    %2 = graph.concat %0, %1 axis = 0
    rule.yield %2
  }
  where [t <= m, t + s >= m]

rule.rule @slice_of_concat_in_first_2(%a: [m, k], %b: [p, k]) -> [s, d]
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0
    %1 = graph.slice %0 starts = [t, u] sizes = [s, d] steps = [1, 1]
    rule.yield %1
  }
  target {
    %0 = graph.slice %a starts = [t, u] sizes = [s, d] steps = [1, 1]
    rule.yield %0
  }
  where [t + s <= m]

rule.rule @slice_of_concat_in_second_2(%a: [m, k], %b: [p, k]) -> [s, d]
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0
    %1 = graph.slice %0 starts = [t, u] sizes = [s, d] steps = [1, 1]
    rule.yield %1
  }
  target {
    %0 = graph.slice %b starts = [t - m, u] sizes = [s, d] steps = [1, 1]
    rule.yield %0
  }
  where [t >= m]

rule.rule @slice_of_concat_in_both_2(%a: [m, k], %b: [p, k]) -> [s, d]
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0
    %1 = graph.slice %0 starts = [t, u] sizes = [s, d] steps = [1, 1]
    rule.yield %1
  }
  target {
    %0 = graph.slice %a starts = [t, u] sizes = [m - t, d] steps = [1, 1]
    %1 = graph.slice %b starts = [0, u] sizes = [t + s - m, d] steps = [1, 1]
    %2 = graph.concat %0, %1 axis = 0
    rule.yield %2
  }
  where [t <= m, t + s >= m]

rule.rule @slice_of_concat_in_first_3(%a: [m, k, l], %b: [p, k, l]) -> [s, d, e]
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0
    %1 = graph.slice %0 starts = [t, u, v] sizes = [s, d, e] steps = [1, 1, 1]
    rule.yield %1
  }
  target {
    %0 = graph.slice %a starts = [t, u, v] sizes = [s, d, e] steps = [1, 1, 1]
    rule.yield %0
  }
  where [t + s <= m]

rule.rule @slice_of_concat_in_second_3(%a: [m, k, l], %b: [p, k, l]) -> [s, d, e]
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0
    %1 = graph.slice %0 starts = [t, u, v] sizes = [s, d, e] steps = [1, 1, 1]
    rule.yield %1
  }
  target {
    %0 = graph.slice %b starts = [t - m, u, v] sizes = [s, d, e] steps = [1, 1, 1]
    rule.yield %0
  }
  where [t >= m]

rule.rule @slice_of_concat_in_both_3(%a: [m, k, l], %b: [p, k, l]) -> [s, d, e]
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0
    %1 = graph.slice %0 starts = [t, u, v] sizes = [s, d, e] steps = [1, 1, 1]
    rule.yield %1
  }
  target {
    %0 = graph.slice %a starts = [t, u, v] sizes = [m - t, d, e] steps = [1, 1, 1]
    %1 = graph.slice %b starts = [0, u, v] sizes = [t + s - m, d, e] steps = [1, 1, 1]
    %2 = graph.concat %0, %1 axis = 0
    rule.yield %2
  }
  where [t <= m, t + s >= m]

// With a step.
rule.rule @strided_slice_of_concat_in_first(%a: [m], %b: [p]) -> [s]
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0
    %1 = graph.slice %0 starts = [t] sizes = [s] steps = [v]
    rule.yield %1
  }
  target {
    %0 = graph.slice %a starts = [t] sizes = [s] steps = [v]
    rule.yield %0
  }
  where [t + v * s - v + 1 <= m]

rule.rule @strided_slice_of_concat_in_second(%a: [m], %b: [p]) -> [s]
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0
    %1 = graph.slice %0 starts = [t] sizes = [s] steps = [v]
    rule.yield %1
  }
  target {
    %0 = graph.slice %b starts = [t - m] sizes = [s] steps = [v]
    rule.yield %0
  }
  where [t >= m]

// A concatenation along one axis, cut along another.
rule.rule @slice_across_concat(%a: [m, k], %b: [p, k]) -> [m + p, d]
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0
    %1 = graph.slice %0 starts = [0, u] sizes = [m + p, d] steps = [1, 1]
    rule.yield %1
  }
  target {
    %0 = graph.slice %a starts = [0, u] sizes = [m, d] steps = [1, 1]
    %1 = graph.slice %b starts = [0, u] sizes = [p, d] steps = [1, 1]
    %2 = graph.concat %0, %1 axis = 0
    rule.yield %2
  }

// 60 and 64. Concatenations and splits undo each other.
rule.rule @split_of_concat_1(%a: [m], %b: [p]) -> ([m], [p])
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0
    %1, %2 = graph.split %0 axis = 0 sizes = [m, p]
    rule.yield %1, %2
  }
  target {
    rule.yield %a, %b
  }

rule.rule @concat_of_split_1(%x: [m + p]) -> [m + p]
  lifts [%x]
  source {
    %0, %1 = graph.split %x axis = 0 sizes = [m, p]
    %2 = graph.concat %0, %1 axis = 0
    rule.yield %2
  }
  target {
    rule.yield %x
  }

rule.rule @split_of_concat_2(%a: [m, k], %b: [p, k]) -> ([m, k], [p, k])
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0
    %1, %2 = graph.split %0 axis = 0 sizes = [m, p]
    rule.yield %1, %2
  }
  target {
    rule.yield %a, %b
  }

rule.rule @concat_of_split_2(%x: [m + p, k]) -> [m + p, k]
  lifts [%x]
  source {
    %0, %1 = graph.split %x axis = 0 sizes = [m, p]
    %2 = graph.concat %0, %1 axis = 0
    rule.yield %2
  }
  target {
    rule.yield %x
  }

// One of the parts is cut again.
rule.rule @split_of_split(%x: [p + q + r]) -> ([p], [q], [r])
  lifts [%x]
  source {
    %0, %1 = graph.split %x axis = 0 sizes = [p + q, r]
    %2, %3 = graph.split %0 axis = 0 sizes = [p, q]
    rule.yield %2, %3, %1
  }
  target {
    %0, %1, %2 = graph.split %x axis = 0 sizes = [p, q, r]
    rule.yield %0, %1, %2
  }

// A concatenation in a concatenation.
rule.rule @concat_of_concat_first(%a: [m], %b: [p], %c: [q]) -> [m + p + q]
  lifts [%a, %b, %c]
  source {
    %0 = graph.concat %a, %b axis = 0
    %1 = graph.concat %0, %c axis = 0
    rule.yield %1
  }
  target {
    %0 = graph.concat %a, %b, %c axis = 0
    rule.yield %0
  }

rule.rule @concat_of_concat_second(%a: [m], %b: [p], %c: [q]) -> [m + p + q]
  lifts [%a, %b, %c]
  source {
    %0 = graph.concat %b, %c axis = 0
    %1 = graph.concat %a, %0 axis = 0
    rule.yield %1
  }
  target {
    %0 = graph.concat %a, %b, %c axis = 0
    rule.yield %0
  }

// The same on an axis with 1 behind it.
rule.rule @concat_of_concat_first_2(%a: [m, k], %b: [p, k], %c: [q, k]) -> [m + p + q, k]
  lifts [%a, %b, %c]
  source {
    %0 = graph.concat %a, %b axis = 0
    %1 = graph.concat %0, %c axis = 0
    rule.yield %1
  }
  target {
    %0 = graph.concat %a, %b, %c axis = 0
    rule.yield %0
  }

rule.rule @concat_of_concat_second_2(%a: [m, k], %b: [p, k], %c: [q, k]) -> [m + p + q, k]
  lifts [%a, %b, %c]
  source {
    %0 = graph.concat %b, %c axis = 0
    %1 = graph.concat %a, %0 axis = 0
    rule.yield %1
  }
  target {
    %0 = graph.concat %a, %b, %c axis = 0
    rule.yield %0
  }

// The same on an axis with 2 behind it.
rule.rule @concat_of_concat_first_3(%a: [m, k, l], %b: [p, k, l], %c: [q, k, l]) -> [m + p + q, k, l]
  lifts [%a, %b, %c]
  source {
    %0 = graph.concat %a, %b axis = 0
    %1 = graph.concat %0, %c axis = 0
    rule.yield %1
  }
  target {
    %0 = graph.concat %a, %b, %c axis = 0
    rule.yield %0
  }

rule.rule @concat_of_concat_second_3(%a: [m, k, l], %b: [p, k, l], %c: [q, k, l]) -> [m + p + q, k, l]
  lifts [%a, %b, %c]
  source {
    %0 = graph.concat %b, %c axis = 0
    %1 = graph.concat %a, %0 axis = 0
    rule.yield %1
  }
  target {
    %0 = graph.concat %a, %b, %c axis = 0
    rule.yield %0
  }

// 61. A slice of a slice: starts add, steps multiply.
rule.rule @slice_of_all(%x: [n]) -> [n]
  lifts [%x]
  source {
    %0 = graph.slice %x starts = [0] sizes = [n] steps = [1]
    rule.yield %0
  }
  target {
    rule.yield %x
  }

rule.rule @slice_of_slice_1(%x: [a]) -> [q0]
  lifts [%x]
  source {
    %0 = graph.slice %x starts = [s0] sizes = [p0] steps = [1]
    %1 = graph.slice %0 starts = [t0] sizes = [q0] steps = [1]
    rule.yield %1
  }
  target {
    %0 = graph.slice %x starts = [s0 + t0] sizes = [q0] steps = [1]
    rule.yield %0
  }

rule.rule @slice_of_slice_2(%x: [a, b]) -> [q0, q1]
  lifts [%x]
  source {
    %0 = graph.slice %x starts = [s0, s1] sizes = [p0, p1] steps = [1, 1]
    %1 = graph.slice %0 starts = [t0, t1] sizes = [q0, q1] steps = [1, 1]
    rule.yield %1
  }
  target {
    %0 = graph.slice %x starts = [s0 + t0, s1 + t1] sizes = [q0, q1] steps = [1, 1]
    rule.yield %0
  }

// With steps.
rule.rule @strided_slice_of_slice_1(%x: [a]) -> [q0]
  lifts [%x]
  source {
    %0 = graph.slice %x starts = [s0] sizes = [p0] steps = [u0]
    %1 = graph.slice %0 starts = [t0] sizes = [q0] steps = [v0]
    rule.yield %1
  }
  target {
    %0 = graph.slice %x starts = [s0 + u0 * t0] sizes = [q0] steps = [u0 * v0]
    rule.yield %0
  }

// Reversing twice.
rule.rule @reverse_of_reverse(%x: [n]) -> [n]
  lifts [%x]
  source {
    %0 = graph.reverse %x axes = [0]
    %1 = graph.reverse %0 axes = [0]
    rule.yield %1
  }
  target {
    rule.yield %x
  }

// 64. Slices that lie side by side are one, and all of a tensor is the tensor.
rule.rule @concat_of_slices_1(%x: [m]) -> [p + q]
  lifts [%x]
  source {
    %0 = graph.slice %x starts = [s] sizes = [p] steps = [1]
    %1 = graph.slice %x starts = [s + p] sizes = [q] steps = [1]
    %2 = graph.concat %0, %1 axis = 0
    rule.yield %2
  }
  target {
    %0 = graph.slice %x starts = [s] sizes = [p + q] steps = [1]
    rule.yield %0
  }

rule.rule @concat_of_slices_2(%x: [m, k]) -> [p + q, d]
  lifts [%x]
  source {
    %0 = graph.slice %x starts = [s, u] sizes = [p, d] steps = [1, 1]
    %1 = graph.slice %x starts = [s + p, u] sizes = [q, d] steps = [1, 1]
    %2 = graph.concat %0, %1 axis = 0
    rule.yield %2
  }
  target {
    %0 = graph.slice %x starts = [s, u] sizes = [p + q, d] steps = [1, 1]
    rule.yield %0
  }

rule.rule @concat_of_slices_3(%x: [m, k, l]) -> [p + q, d, e]
  lifts [%x]
  source {
    %0 = graph.slice %x starts = [s, u, v] sizes = [p, d, e] steps = [1, 1, 1]
    %1 = graph.slice %x starts = [s + p, u, v] sizes = [q, d, e] steps = [1, 1, 1]
    %2 = graph.concat %0, %1 axis = 0
    rule.yield %2
  }
  target {
    %0 = graph.slice %x starts = [s, u, v] sizes = [p + q, d, e] steps = [1, 1, 1]
    rule.yield %0
  }

// Slices of products and sums.

// The rows of a batch with one weight, such as those of the last token.
rule.rule @slice_of_rows_of_matmul(%a: [m, k], %b: [k, n]) -> [p, n]
  lifts [%a]
  source {
    %0 = graph.matmul %a, %b
    %1 = graph.slice %0 starts = [s, 0] sizes = [p, n] steps = [1, 1]
    rule.yield %1
  }
  target {
    %0 = graph.slice %a starts = [s, 0] sizes = [p, k] steps = [1, 1]
    %1 = graph.matmul %0, %b
    rule.yield %1
  }

rule.rule @slice_of_matmul(%a: [m, k], %b: [k, n]) -> [p, q]
  lifts [%a, %b]
  source {
    %0 = graph.matmul %a, %b
    %1 = graph.slice %0 starts = [s, t] sizes = [p, q] steps = [1, 1]
    rule.yield %1
  }
  target {
    %0 = graph.slice %a starts = [s, 0] sizes = [p, k] steps = [1, 1]
    %1 = graph.slice %b starts = [0, t] sizes = [k, q] steps = [1, 1]
    %2 = graph.matmul %0, %1
    rule.yield %2
  }

rule.rule @slice_of_sum(%x: [m, k]) -> [p]
  lifts [%x]
  source {
    %0 = graph.reduce_sum %x axes = [1]
    %1 = graph.slice %0 starts = [s] sizes = [p] steps = [1]
    rule.yield %1
  }
  target {
    %0 = graph.slice %x starts = [s, 0] sizes = [p, k] steps = [1, 1]
    %1 = graph.reduce_sum %0 axes = [1]
    rule.yield %1
  }

rule.rule @slice_of_max(%x: [m, k]) -> [p]
  lifts [%x]
  source {
    %0 = graph.reduce_max %x axes = [1]
    %1 = graph.slice %0 starts = [s] sizes = [p] steps = [1]
    rule.yield %1
  }
  target {
    %0 = graph.slice %x starts = [s, 0] sizes = [p, k] steps = [1, 1]
    %1 = graph.reduce_max %0 axes = [1]
    rule.yield %1
  }

rule.rule @slice_of_mean(%x: [m, k]) -> [p]
  lifts [%x]
  source {
    %0 = graph.reduce_mean %x axes = [1]
    %1 = graph.slice %0 starts = [s] sizes = [p] steps = [1]
    rule.yield %1
  }
  target {
    %0 = graph.slice %x starts = [s, 0] sizes = [p, k] steps = [1, 1]
    %1 = graph.reduce_mean %0 axes = [1]
    rule.yield %1
  }

// Slices of what is repeated.
rule.rule @slice_of_repeated_number(%x: []) -> [p, q]
  source {
    %0 = graph.broadcast %x shape = [m, n]
    %1 = graph.slice %0 starts = [s, t] sizes = [p, q] steps = [1, 1]
    rule.yield %1
  }
  target {
    %0 = graph.broadcast %x shape = [p, q]
    rule.yield %0
  }

rule.rule @slice_of_repeated_row(%x: [n]) -> [p, q]
  source {
    %0 = graph.broadcast %x shape = [m, n]
    %1 = graph.slice %0 starts = [s, t] sizes = [p, q] steps = [1, 1]
    rule.yield %1
  }
  target {
    %0 = graph.slice %x starts = [t] sizes = [q] steps = [1]
    %1 = graph.broadcast %0 shape = [p, q]
    rule.yield %1
  }

rule.rule @slice_of_repeated_column(%x: [m, 1]) -> [p, q]
  source {
    %0 = graph.broadcast %x shape = [m, n]
    %1 = graph.slice %0 starts = [s, t] sizes = [p, q] steps = [1, 1]
    rule.yield %1
  }
  target {
    %0 = graph.slice %x starts = [s, 0] sizes = [p, 1] steps = [1, 1]
    %1 = graph.broadcast %0 shape = [p, q]
    rule.yield %1
  }

// 62. Paddings.
rule.rule @pad_by_nothing(%x: [n]) -> [n]
  lifts [%x]
  source {
    %0 = graph.pad %x low = [0] high = [0] constant value = 0.0
    rule.yield %0
  }
  target {
    rule.yield %x
  }

rule.rule @pad_of_pad_1(%x: [a]) -> [l0 + i0 + a + h0 + j0]
  lifts [%x]
  source {
    %0 = graph.pad %x low = [l0] high = [h0] constant value = 0.0
    %1 = graph.pad %0 low = [i0] high = [j0] constant value = 0.0
    rule.yield %1
  }
  target {
    %0 = graph.pad %x low = [l0 + i0] high = [h0 + j0] constant value = 0.0
    rule.yield %0
  }

rule.rule @pad_of_pad_2(%x: [a, b]) -> [l0 + i0 + a + h0 + j0, l1 + i1 + b + h1 + j1]
  lifts [%x]
  source {
    %0 = graph.pad %x low = [l0, l1] high = [h0, h1] constant value = 0.0
    %1 = graph.pad %0 low = [i0, i1] high = [j0, j1] constant value = 0.0
    rule.yield %1
  }
  target {
    %0 = graph.pad %x low = [l0 + i0, l1 + i1] high = [h0 + j0, h1 + j1] constant value = 0.0
    rule.yield %0
  }

rule.rule @pad_of_pad_3(%x: [a, b, c]) -> [l0 + i0 + a + h0 + j0, l1 + i1 + b + h1 + j1, l2 + i2 + c + h2 + j2]
  lifts [%x]
  source {
    %0 = graph.pad %x low = [l0, l1, l2] high = [h0, h1, h2] constant value = 0.0
    %1 = graph.pad %0 low = [i0, i1, i2] high = [j0, j1, j2] constant value = 0.0
    rule.yield %1
  }
  target {
    %0 = graph.pad %x low = [l0 + i0, l1 + i1, l2 + i2] high = [h0 + j0, h1 + j1, h2 + j2] constant value = 0.0
    rule.yield %0
  }

// Paddings that repeat the edge.
rule.rule @edge_pad_of_edge_pad_1(%x: [a]) -> [l0 + i0 + a + h0 + j0]
  source {
    %0 = graph.pad %x low = [l0] high = [h0] edge value = 0.0
    %1 = graph.pad %0 low = [i0] high = [j0] edge value = 0.0
    rule.yield %1
  }
  target {
    %0 = graph.pad %x low = [l0 + i0] high = [h0 + j0] edge value = 0.0
    rule.yield %0
  }

rule.rule @edge_pad_of_edge_pad_2(%x: [a, b]) -> [l0 + i0 + a + h0 + j0, l1 + i1 + b + h1 + j1]
  source {
    %0 = graph.pad %x low = [l0, l1] high = [h0, h1] edge value = 0.0
    %1 = graph.pad %0 low = [i0, i1] high = [j0, j1] edge value = 0.0
    rule.yield %1
  }
  target {
    %0 = graph.pad %x low = [l0 + i0, l1 + i1] high = [h0 + j0, h1 + j1] edge value = 0.0
    rule.yield %0
  }

// Those of images.
rule.rule @edge_pad_of_edge_pad_2_of_images(%x: [n, c, a, b]) -> [n, c, l0 + i0 + a + h0 + j0, l1 + i1 + b + h1 + j1]
  source {
    %0 = graph.pad %x low = [0, 0, l0, l1] high = [0, 0, h0, h1] edge value = 0.0
    %1 = graph.pad %0 low = [0, 0, i0, i1] high = [0, 0, j0, j1] edge value = 0.0
    rule.yield %1
  }
  target {
    %0 = graph.pad %x low = [0, 0, l0 + i0, l1 + i1] high = [0, 0, h0 + j0, h1 + j1] edge value = 0.0
    rule.yield %0
  }

// 62. A slice of a padded tensor: of the tensor alone, of all of it with less
// padding, or of a part with padding on one side.
rule.rule @slice_inside_pad_1(%x: [a]) -> [p0]
  lifts [%x]
  source {
    %0 = graph.pad %x low = [l0] high = [h0] constant value = 0.0
    %1 = graph.slice %0 starts = [s0] sizes = [p0] steps = [1]
    rule.yield %1
  }
  target {
    %0 = graph.slice %x starts = [s0 - l0] sizes = [p0] steps = [1]
    rule.yield %0
  }
  where [s0 >= l0, s0 + p0 <= l0 + a]

rule.rule @slice_around_padded_1(%x: [a]) -> [p0]
  lifts [%x]
  source {
    %0 = graph.pad %x low = [l0] high = [h0] constant value = 0.0
    %1 = graph.slice %0 starts = [s0] sizes = [p0] steps = [1]
    rule.yield %1
  }
  target {
    %0 = graph.pad %x low = [l0 - s0] high = [s0 + p0 - l0 - a] constant value = 0.0
    rule.yield %0
  }
  where [s0 <= l0, s0 + p0 >= l0 + a]

rule.rule @slice_inside_pad_2(%x: [a, b]) -> [p0, p1]
  lifts [%x]
  source {
    %0 = graph.pad %x low = [l0, l1] high = [h0, h1] constant value = 0.0
    %1 = graph.slice %0 starts = [s0, s1] sizes = [p0, p1] steps = [1, 1]
    rule.yield %1
  }
  target {
    %0 = graph.slice %x starts = [s0 - l0, s1 - l1] sizes = [p0, p1] steps = [1, 1]
    rule.yield %0
  }
  where [s0 >= l0, s0 + p0 <= l0 + a, s1 >= l1, s1 + p1 <= l1 + b]

rule.rule @slice_around_padded_2(%x: [a, b]) -> [p0, p1]
  lifts [%x]
  source {
    %0 = graph.pad %x low = [l0, l1] high = [h0, h1] constant value = 0.0
    %1 = graph.slice %0 starts = [s0, s1] sizes = [p0, p1] steps = [1, 1]
    rule.yield %1
  }
  target {
    %0 = graph.pad %x low = [l0 - s0, l1 - s1] high = [s0 + p0 - l0 - a, s1 + p1 - l1 - b] constant value = 0.0
    rule.yield %0
  }
  where [s0 <= l0, s0 + p0 >= l0 + a, s1 <= l1, s1 + p1 >= l1 + b]

rule.rule @slice_inside_pad_3(%x: [a, b, c]) -> [p0, p1, p2]
  lifts [%x]
  source {
    %0 = graph.pad %x low = [l0, l1, l2] high = [h0, h1, h2] constant value = 0.0
    %1 = graph.slice %0 starts = [s0, s1, s2] sizes = [p0, p1, p2] steps = [1, 1, 1]
    rule.yield %1
  }
  target {
    %0 = graph.slice %x starts = [s0 - l0, s1 - l1, s2 - l2] sizes = [p0, p1, p2] steps = [1, 1, 1]
    rule.yield %0
  }
  where [s0 >= l0, s0 + p0 <= l0 + a, s1 >= l1, s1 + p1 <= l1 + b, s2 >= l2, s2 + p2 <= l2 + c]

rule.rule @slice_around_padded_3(%x: [a, b, c]) -> [p0, p1, p2]
  lifts [%x]
  source {
    %0 = graph.pad %x low = [l0, l1, l2] high = [h0, h1, h2] constant value = 0.0
    %1 = graph.slice %0 starts = [s0, s1, s2] sizes = [p0, p1, p2] steps = [1, 1, 1]
    rule.yield %1
  }
  target {
    %0 = graph.pad %x low = [l0 - s0, l1 - s1, l2 - s2] high = [s0 + p0 - l0 - a, s1 + p1 - l1 - b, s2 + p2 - l2 - c] constant value = 0.0
    rule.yield %0
  }
  where [s0 <= l0, s0 + p0 >= l0 + a, s1 <= l1, s1 + p1 >= l1 + b, s2 <= l2,
         s2 + p2 >= l2 + c]

rule.rule @slice_before_padded_end(%x: [a]) -> [p]
  lifts [%x]
  source {
    %0 = graph.pad %x low = [l] high = [h] constant value = 0.0
    %1 = graph.slice %0 starts = [s] sizes = [p] steps = [1]
    rule.yield %1
  }
  target {
    %0 = graph.slice %x starts = [0] sizes = [s + p - l] steps = [1]
    %1 = graph.pad %0 low = [l - s] high = [0] constant value = 0.0
    rule.yield %1
  }
  where [s <= l, s + p >= l, s + p <= l + a]

rule.rule @slice_behind_padded_start(%x: [a]) -> [p]
  lifts [%x]
  source {
    %0 = graph.pad %x low = [l] high = [h] constant value = 0.0
    %1 = graph.slice %0 starts = [s] sizes = [p] steps = [1]
    rule.yield %1
  }
  target {
    %0 = graph.slice %x starts = [s - l] sizes = [l + a - s] steps = [1]
    %1 = graph.pad %0 low = [0] high = [s + p - l - a] constant value = 0.0
    rule.yield %1
  }
  where [s >= l, s <= l + a, s + p >= l + a]

// Nothing but padding.
rule.rule @slice_before_padded(%x: [a]) -> [p]
  source {
    %0 = graph.pad %x low = [l] high = [h] constant value = 0.0
    %1 = graph.slice %0 starts = [s] sizes = [p] steps = [1]
    rule.yield %1
  }
  target {
    %0 = graph.constant dense<0.0> : tensor<f32>
    %1 = graph.broadcast %0 shape = [p]
    rule.yield %1
  }
  where [s + p <= l]

// 62. Functions that keep zero, of what is padded with zeros.
rule.rule @relu_of_padded(%x: [n]) -> [l + n + h]
  lifts [%x]
  source {
    %0 = graph.pad %x low = [l] high = [h] constant value = 0.0
    %1 = graph.relu %0
    rule.yield %1
  }
  target {
    %0 = graph.relu %x
    %1 = graph.pad %0 low = [l] high = [h] constant value = 0.0
    rule.yield %1
  }

rule.rule @neg_of_padded(%x: [n]) -> [l + n + h]
  lifts [%x]
  source {
    %0 = graph.pad %x low = [l] high = [h] constant value = 0.0
    %1 = graph.neg %0
    rule.yield %1
  }
  target {
    %0 = graph.neg %x
    %1 = graph.pad %0 low = [l] high = [h] constant value = 0.0
    rule.yield %1
  }

rule.rule @gelu_of_padded(%x: [n]) -> [l + n + h]
  lifts [%x]
  source {
    %0 = graph.pad %x low = [l] high = [h] constant value = 0.0
    %1 = graph.gelu %0
    rule.yield %1
  }
  target {
    %0 = graph.gelu %x
    %1 = graph.pad %0 low = [l] high = [h] constant value = 0.0
    rule.yield %1
  }

rule.rule @silu_of_padded(%x: [n]) -> [l + n + h]
  lifts [%x]
  source {
    %0 = graph.pad %x low = [l] high = [h] constant value = 0.0
    %1 = graph.silu %0
    rule.yield %1
  }
  target {
    %0 = graph.silu %x
    %1 = graph.pad %0 low = [l] high = [h] constant value = 0.0
    rule.yield %1
  }

rule.rule @add_of_padded(%x: [n], %y: [n]) -> [l + n + h]
  lifts [%x, %y]
  source {
    %0 = graph.pad %x low = [l] high = [h] constant value = 0.0
    %1 = graph.pad %y low = [l] high = [h] constant value = 0.0
    %2 = graph.add %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.add %x, %y
    %1 = graph.pad %0 low = [l] high = [h] constant value = 0.0
    rule.yield %1
  }

rule.rule @sub_of_padded(%x: [n], %y: [n]) -> [l + n + h]
  lifts [%x, %y]
  source {
    %0 = graph.pad %x low = [l] high = [h] constant value = 0.0
    %1 = graph.pad %y low = [l] high = [h] constant value = 0.0
    %2 = graph.sub %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.sub %x, %y
    %1 = graph.pad %0 low = [l] high = [h] constant value = 0.0
    rule.yield %1
  }

rule.rule @mul_of_padded(%x: [n], %y: [n]) -> [l + n + h]
  lifts [%x, %y]
  source {
    %0 = graph.pad %x low = [l] high = [h] constant value = 0.0
    %1 = graph.pad %y low = [l] high = [h] constant value = 0.0
    %2 = graph.mul %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.mul %x, %y
    %1 = graph.pad %0 low = [l] high = [h] constant value = 0.0
    rule.yield %1
  }

rule.rule @maximum_of_padded(%x: [n], %y: [n]) -> [l + n + h]
  lifts [%x, %y]
  source {
    %0 = graph.pad %x low = [l] high = [h] constant value = 0.0
    %1 = graph.pad %y low = [l] high = [h] constant value = 0.0
    %2 = graph.maximum %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.maximum %x, %y
    %1 = graph.pad %0 low = [l] high = [h] constant value = 0.0
    rule.yield %1
  }

rule.rule @minimum_of_padded(%x: [n], %y: [n]) -> [l + n + h]
  lifts [%x, %y]
  source {
    %0 = graph.pad %x low = [l] high = [h] constant value = 0.0
    %1 = graph.pad %y low = [l] high = [h] constant value = 0.0
    %2 = graph.minimum %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.minimum %x, %y
    %1 = graph.pad %0 low = [l] high = [h] constant value = 0.0
    rule.yield %1
  }

// A product with a padded factor is zero where that is.
rule.rule @mul_by_padded(%x: [n], %y: [l + n + h]) -> [l + n + h]
  lifts [%x, %y]
  source {
    %0 = graph.pad %x low = [l] high = [h] constant value = 0.0
    %1 = graph.mul %0, %y
    rule.yield %1
  }
  target {
    %0 = graph.slice %y starts = [l] sizes = [n] steps = [1]
    %1 = graph.mul %x, %0
    %2 = graph.pad %1 low = [l] high = [h] constant value = 0.0
    rule.yield %2
  }

// 62. Paddings, concatenations, sums and products.
rule.rule @concat_of_padded(%a: [m, k], %b: [p, k]) -> [m + p, l + k + h]
  lifts [%a, %b]
  source {
    %0 = graph.pad %a low = [0, l] high = [0, h] constant value = 0.0
    %1 = graph.pad %b low = [0, l] high = [0, h] constant value = 0.0
    %2 = graph.concat %0, %1 axis = 0
    rule.yield %2
  }
  target {
    %0 = graph.concat %a, %b axis = 0
    %1 = graph.pad %0 low = [0, l] high = [0, h] constant value = 0.0
    rule.yield %1
  }

// Zeros that are joined on are padding.
rule.rule @concat_with_zeros(%x: [m, k]) -> [m + p, k]
  source {
    %z = graph.constant dense<0.0> : tensor<f32>
    %0 = graph.broadcast %z shape = [p, k]
    %1 = graph.concat %x, %0 axis = 0
    rule.yield %1
  }
  target {
    %0 = graph.pad %x low = [0, 0] high = [p, 0] constant value = 0.0
    rule.yield %0
  }

rule.rule @concat_of_zeros(%x: [m, k]) -> [p + m, k]
  source {
    %z = graph.constant dense<0.0> : tensor<f32>
    %0 = graph.broadcast %z shape = [p, k]
    %1 = graph.concat %0, %x axis = 0
    rule.yield %1
  }
  target {
    %0 = graph.pad %x low = [p, 0] high = [0, 0] constant value = 0.0
    rule.yield %0
  }

// Zeros add nothing.
rule.rule @sum_of_padded(%x: [m, k]) -> [m]
  lifts [%x]
  source {
    %0 = graph.pad %x low = [0, l] high = [0, h] constant value = 0.0
    %1 = graph.reduce_sum %0 axes = [1]
    rule.yield %1
  }
  target {
    %0 = graph.reduce_sum %x axes = [1]
    rule.yield %0
  }

rule.rule @matmul_of_padded(%a: [m, k], %b: [k, n]) -> [m, n]
  lifts [%a, %b]
  source {
    %0 = graph.pad %a low = [0, l] high = [0, h] constant value = 0.0
    %1 = graph.pad %b low = [l, 0] high = [h, 0] constant value = 0.0
    %2 = graph.matmul %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.matmul %a, %b
    rule.yield %0
  }

// A padded factor of a product needs but a part of the other one.
rule.rule @matmul_by_padded(%a: [m, k], %b: [l + k + h, n]) -> [m, n]
  lifts [%a, %b]
  source {
    %0 = graph.pad %a low = [0, l] high = [0, h] constant value = 0.0
    %1 = graph.matmul %0, %b
    rule.yield %1
  }
  target {
    %0 = graph.slice %b starts = [l, 0] sizes = [k, n] steps = [1, 1]
    %1 = graph.matmul %a, %0
    rule.yield %1
  }

rule.rule @matmul_of_padded_rows(%a: [m, k], %b: [k, n]) -> [l + m + h, n]
  lifts [%a]
  source {
    %0 = graph.pad %a low = [l, 0] high = [h, 0] constant value = 0.0
    %1 = graph.matmul %0, %b
    rule.yield %1
  }
  target {
    %0 = graph.matmul %a, %b
    %1 = graph.pad %0 low = [l, 0] high = [h, 0] constant value = 0.0
    rule.yield %1
  }
