// Convolutions of inputs that are moved, which are right in a part of the result
// (PET, OSDI'21): batches laid into rows and columns, tiles laid into batches,
// and phases of a dilated kernel whose padding is of no whole phases.
//
// None of these rules is true, and none fires. `tenon-rules correct` finds where
// both sides differ, proves that they are equal elsewhere, and adds what makes
// them true: rules/optional/corrected.mlir is
//
//   tenon-rules correct rules/partial -o rules/optional/corrected.mlir
//
// Inputs are [n, c, h, w] and kernels [o, c, r, s], with strides [u, v],
// dilations [d, f] and pads [t, l, b, e].

!x = tensor<?x?x?x?xf32, #graph.dims<n, c, h, w>>
!k = tensor<?x?x?x?xf32, #graph.dims<o, c, r, s>>
!rows = tensor<?x?x?x?xf32, #graph.dims<n, o, h, (w + l + e - f * (s - 1) - 1) floordiv v + 1>>
!columns = tensor<?x?x?x?xf32, #graph.dims<n, o, (h + t + b - d * (r - 1) - 1) floordiv u + 1, w>>

// Batches, one below the other: rows at the seams read the neighbour's in place
// of padding.
rule.rule @fold_batch_into_image_rows(%x: !x, %k: !k) -> !rows
  source {
    %0 = graph.conv %x, %k strides = [1, v] pads = [t, l, d * (r - 1) - t, e] dilations = [d, f] groups = 1 channels_first
    rule.yield %0
  }
  target {
    %0 = graph.transpose %x perm = [1, 0, 2, 3]
    %1 = graph.reshape %0 shape = [1, c, n * h, w]
    %2 = graph.conv %1, %k strides = [1, v] pads = [t, l, d * (r - 1) - t, e] dilations = [d, f] groups = 1 channels_first
    %3 = graph.reshape %2 shape = [o, n, h, (w + l + e - f * (s - 1) - 1) floordiv v + 1]
    %4 = graph.transpose %3 perm = [1, 0, 2, 3]
    rule.yield %4
  }
  where [n >= 2]

// Batches, side by side.
rule.rule @fold_batch_into_image_columns(%x: !x, %k: !k) -> !columns
  source {
    %0 = graph.conv %x, %k strides = [u, 1] pads = [t, l, b, f * (s - 1) - l] dilations = [d, f] groups = 1 channels_first
    rule.yield %0
  }
  target {
    %0 = graph.transpose %x perm = [1, 2, 0, 3]
    %1 = graph.reshape %0 shape = [1, c, h, n * w]
    %2 = graph.conv %1, %k strides = [u, 1] pads = [t, l, b, f * (s - 1) - l] dilations = [d, f] groups = 1 channels_first
    %3 = graph.reshape %2 shape = [o, (h + t + b - d * (r - 1) - 1) floordiv u + 1, n, w]
    %4 = graph.transpose %3 perm = [2, 0, 1, 3]
    rule.yield %4
  }
  where [n >= 2]

// The upper and the lower half as two batches: rows beside the cut read padding
// in place of the other half's.
rule.rule @tile_padded_rows_into_batch(%x: !x, %k: !k) -> !rows
  source {
    %0 = graph.conv %x, %k strides = [1, v] pads = [t, l, d * (r - 1) - t, e] dilations = [d, f] groups = 1 channels_first
    rule.yield %0
  }
  target {
    %0 = graph.reshape %x shape = [n, c, 2, h floordiv 2, w]
    %1 = graph.transpose %0 perm = [2, 0, 1, 3, 4]
    %2 = graph.reshape %1 shape = [2 * n, c, h floordiv 2, w]
    %3 = graph.conv %2, %k strides = [1, v] pads = [t, l, d * (r - 1) - t, e] dilations = [d, f] groups = 1 channels_first
    %4 = graph.reshape %3 shape = [2, n, o, h floordiv 2, (w + l + e - f * (s - 1) - 1) floordiv v + 1]
    %5 = graph.transpose %4 perm = [1, 2, 0, 3, 4]
    %6 = graph.reshape %5 shape = [n, o, h, (w + l + e - f * (s - 1) - 1) floordiv v + 1]
    rule.yield %6
  }
  where [2 divides h]

// The left and the right half.
rule.rule @tile_padded_columns_into_batch(%x: !x, %k: !k) -> !columns
  source {
    %0 = graph.conv %x, %k strides = [u, 1] pads = [t, l, b, f * (s - 1) - l] dilations = [d, f] groups = 1 channels_first
    rule.yield %0
  }
  target {
    %0 = graph.reshape %x shape = [n, c, h, 2, w floordiv 2]
    %1 = graph.transpose %0 perm = [3, 0, 1, 2, 4]
    %2 = graph.reshape %1 shape = [2 * n, c, h, w floordiv 2]
    %3 = graph.conv %2, %k strides = [u, 1] pads = [t, l, b, f * (s - 1) - l] dilations = [d, f] groups = 1 channels_first
    %4 = graph.reshape %3 shape = [2, n, o, (h + t + b - d * (r - 1) - 1) floordiv u + 1, w floordiv 2]
    %5 = graph.transpose %4 perm = [1, 2, 3, 0, 4]
    %6 = graph.reshape %5 shape = [n, o, (h + t + b - d * (r - 1) - 1) floordiv u + 1, w]
    rule.yield %6
  }
  where [2 divides w]

!phases = tensor<?x?x?x?xf32, #graph.dims<n, o, h + t + b - d * (r - 1), (w + l + e - f * (s - 1) - 1) floordiv v + 1>>
// Phases of a dilated kernel, where the padding is of no whole phases: the rows
// that read none of it.
rule.rule @split_row_phases_inside(%x: !x, %k: !k) -> !phases
  source {
    %0 = graph.conv %x, %k strides = [1, v] pads = [t, l, b, e] dilations = [d, f] groups = 1 channels_first
    rule.yield %0
  }
  target {
    %0 = graph.reshape %x shape = [n, c, h floordiv d, d, w]
    %1 = graph.transpose %0 perm = [3, 0, 1, 2, 4]
    %2 = graph.reshape %1 shape = [d * n, c, h floordiv d, w]
    %3 = graph.conv %2, %k strides = [1, v] pads = [0, l, 0, e] dilations = [1, f] groups = 1 channels_first
    %4 = graph.reshape %3 shape = [d, n, o, h floordiv d - r + 1, (w + l + e - f * (s - 1) - 1) floordiv v + 1]
    %5 = graph.transpose %4 perm = [1, 2, 3, 0, 4]
    %6 = graph.reshape %5 shape = [n, o, h - d * (r - 1), (w + l + e - f * (s - 1) - 1) floordiv v + 1]
    %7 = graph.pad %6 low = [0, 0, t, 0] high = [0, 0, b, 0] constant value = 0.0
    rule.yield %7
  }
  where [d >= 2, d divides h, h floordiv d >= r, t <= d * (r - 1), b <= d * (r - 1)]

!column_phases = tensor<?x?x?x?xf32, #graph.dims<n, o, (h + t + b - d * (r - 1) - 1) floordiv u + 1, w + l + e - f * (s - 1)>>
// The same of columns.
rule.rule @split_column_phases_inside(%x: !x, %k: !k) -> !column_phases
  source {
    %0 = graph.conv %x, %k strides = [u, 1] pads = [t, l, b, e] dilations = [d, f] groups = 1 channels_first
    rule.yield %0
  }
  target {
    %0 = graph.reshape %x shape = [n, c, h, w floordiv f, f]
    %1 = graph.transpose %0 perm = [4, 0, 1, 2, 3]
    %2 = graph.reshape %1 shape = [f * n, c, h, w floordiv f]
    %3 = graph.conv %2, %k strides = [u, 1] pads = [t, 0, b, 0] dilations = [d, 1] groups = 1 channels_first
    %4 = graph.reshape %3 shape = [f, n, o, (h + t + b - d * (r - 1) - 1) floordiv u + 1, w floordiv f - s + 1]
    %5 = graph.transpose %4 perm = [1, 2, 3, 4, 0]
    %6 = graph.reshape %5 shape = [n, o, (h + t + b - d * (r - 1) - 1) floordiv u + 1, w - f * (s - 1)]
    %7 = graph.pad %6 low = [0, 0, 0, l] high = [0, 0, 0, e] constant value = 0.0
    rule.yield %7
  }
  where [f >= 2, f divides w, w floordiv f >= s, l <= f * (s - 1), e <= f * (s - 1)]
