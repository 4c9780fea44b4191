// Convolutions over inputs that are moved: axes exchanged, phases and tiles and
// channels laid into other axes, paddings and slices taken through (entries 37
// to 42, 45 and 46).
//
// Inputs are [n, c, h, w] and kernels [o, c, r, s], with strides [u, v],
// dilations [d, f] and pads [t, l, b, e]: top, left, bottom, end. Rules that move
// only rows have all parameters along the columns; where no twin for columns
// stands beside one, @swap_spatial_axes makes columns rows.
//
// Entry 39 (batches laid into rows) holds for all rows but those at the seams:
// partial/convolution.mlir states it, optional/corrected.mlir adds what is missing.
//
// `tenon-rules prove rules/convolution-layout.mlir` proves them for all sizes.

!x = tensor<?x?x?x?xf32, #graph.dims<n, c, h, w>>
!k = tensor<?x?x?x?xf32, #graph.dims<o, c, r, s>>
!y = tensor<?x?x?x?xf32, #graph.dims<n, o, (h + t + b - d * (r - 1) - 1) floordiv u + 1, (w + l + e - f * (s - 1) - 1) floordiv v + 1>>

// 37. A convolution whose kernel is dilated by d along the rows reads, for each
// output row, only input rows of one phase mod d: the d phases are d batches of a
// convolution without dilation, and pads of multiples of d rows are rows of each
// phase. Columns keep theirs; @split_column_phases goes on.
!ph = tensor<?x?x?x?xf32, #graph.dims<n, o, h + t + b - d * (r - 1), (w + l + e - f * (s - 1) - 1) floordiv v + 1>>
rule.rule @split_row_phases(%x: !x, %k: !k) -> !ph
  source {
    %0 = graph.conv %x, %k strides = [1, v] pads = [t, l, b, e] dilations = [d, f] groups = 1 channels_first
    rule.yield %0
  }
  target {
    %0 = graph.reshape %x shape = [n, c, h floordiv d, d, w]
    %1 = graph.transpose %0 perm = [3, 0, 1, 2, 4]
    %2 = graph.reshape %1 shape = [d * n, c, h floordiv d, w]
    %3 = graph.conv %2, %k strides = [1, v] pads = [t floordiv d, l, b floordiv d, e] dilations = [1, f] groups = 1 channels_first
    %4 = graph.reshape %3 shape = [d, n, o, h floordiv d + t floordiv d + b floordiv d - r + 1, (w + l + e - f * (s - 1) - 1) floordiv v + 1]
    %5 = graph.transpose %4 perm = [1, 2, 3, 0, 4]
    %6 = graph.reshape %5 shape = [n, o, h + t + b - d * (r - 1), (w + l + e - f * (s - 1) - 1) floordiv v + 1]
    rule.yield %6
  }
  where [d >= 2, d divides h, d divides t, d divides b]

// 37. The same along the columns.
!pw = tensor<?x?x?x?xf32, #graph.dims<n, o, (h + t + b - d * (r - 1) - 1) floordiv u + 1, w + l + e - f * (s - 1)>>
rule.rule @split_column_phases(%x: !x, %k: !k) -> !pw
  source {
    %0 = graph.conv %x, %k strides = [u, 1] pads = [t, l, b, e] dilations = [d, f] groups = 1 channels_first
    rule.yield %0
  }
  target {
    %0 = graph.reshape %x shape = [n, c, h, w floordiv f, f]
    %1 = graph.transpose %0 perm = [4, 0, 1, 2, 3]
    %2 = graph.reshape %1 shape = [f * n, c, h, w floordiv f]
    %3 = graph.conv %2, %k strides = [u, 1] pads = [t, l floordiv f, b, e floordiv f] dilations = [d, 1] groups = 1 channels_first
    %4 = graph.reshape %3 shape = [f, n, o, (h + t + b - d * (r - 1) - 1) floordiv u + 1, w floordiv f + l floordiv f + e floordiv f - s + 1]
    %5 = graph.transpose %4 perm = [1, 2, 3, 4, 0]
    %6 = graph.reshape %5 shape = [n, o, (h + t + b - d * (r - 1) - 1) floordiv u + 1, w + l + e - f * (s - 1)]
    rule.yield %6
  }
  where [f >= 2, f divides w, f divides l, f divides e]

// 40. The two halves of the output rows are two batches: each tile of the input
// carries with it the rows that both halves read. (More tiles: again. Dilated rows:
// their phases first.)
!th = tensor<?x?x?x?xf32, #graph.dims<n, o, (h - r) floordiv u + 1, (w + l + e - f * (s - 1) - 1) floordiv v + 1>>
!th_y = tensor<?x?x?x?xf32, #graph.dims<n, o, ((h - r) floordiv u + 1) floordiv 2, (w + l + e - f * (s - 1) - 1) floordiv v + 1>>
rule.rule @tile_rows_into_batch(%x: !x, %k: !k) -> !th
  source {
    %0 = graph.conv %x, %k strides = [u, v] pads = [0, l, 0, e] dilations = [1, f] groups = 1 channels_first
    rule.yield %0
  }
  target {
    %0 = graph.slice %x starts = [0, 0, 0, 0] sizes = [n, c, u * (((h - r) floordiv u + 1) floordiv 2 - 1) + r, w] steps = [1, 1, 1, 1]
    %1 = graph.slice %x starts = [0, 0, u * (((h - r) floordiv u + 1) floordiv 2), 0] sizes = [n, c, u * (((h - r) floordiv u + 1) floordiv 2 - 1) + r, w] steps = [1, 1, 1, 1]
    %2 = graph.concat %0, %1 axis = 0
    %3 = graph.conv %2, %k strides = [u, v] pads = [0, l, 0, e] dilations = [1, f] groups = 1 channels_first
    %4, %5 = graph.split %3 axis = 0 sizes = [n, n]
    %6 = graph.concat %4, %5 axis = 2 : (!th_y, !th_y) -> !th
    rule.yield %6
  }
  where [2 divides (h - r) floordiv u + 1]

// 41. A depthwise convolution of n batches is one of n times the channels, with
// each batch's channels under the same kernels.
!dk = tensor<?x1x?x?xf32, #graph.dims<c, 1, r, s>>
!dy = tensor<?x?x?x?xf32, #graph.dims<n, c, (h + t + b - d * (r - 1) - 1) floordiv u + 1, (w + l + e - f * (s - 1) - 1) floordiv v + 1>>
rule.rule @fold_batch_into_depthwise(%x: !x, %k: !dk) -> !dy
  source {
    %0 = graph.conv %x, %k strides = [u, v] pads = [t, l, b, e] dilations = [d, f] groups = c channels_first
    rule.yield %0
  }
  target {
    %0 = graph.reshape %x shape = [1, n * c, h, w]
    %1 = graph.tile %k repeats = [n, 1, 1, 1]
    %2 = graph.conv %0, %1 strides = [u, v] pads = [t, l, b, e] dilations = [d, f] groups = n * c channels_first
    %3 = graph.reshape %2 shape = [n, c, (h + t + b - d * (r - 1) - 1) floordiv u + 1, (w + l + e - f * (s - 1) - 1) floordiv v + 1]
    rule.yield %3
  }
  where [n >= 1]

// 41. Where one kernel serves all channels, the channels of a depthwise
// convolution are batches of a convolution of one channel.
!sk = tensor<1x1x?x?xf32, #graph.dims<1, 1, r, s>>
rule.rule @fold_shared_depthwise_into_batch(%x: !x, %k: !sk) -> !dy
  source {
    %0 = graph.broadcast %k shape = [c, 1, r, s]
    %1 = graph.conv %x, %0 strides = [u, v] pads = [t, l, b, e] dilations = [d, f] groups = c channels_first
    rule.yield %1
  }
  target {
    %0 = graph.reshape %x shape = [n * c, 1, h, w]
    %1 = graph.conv %0, %k strides = [u, v] pads = [t, l, b, e] dilations = [d, f] groups = 1 channels_first
    %2 = graph.reshape %1 shape = [n, c, (h + t + b - d * (r - 1) - 1) floordiv u + 1, (w + l + e - f * (s - 1) - 1) floordiv v + 1]
    rule.yield %2
  }

// 41. Where, further, the kernel has one row, the channels are more rows.
!sr = tensor<1x1x1x?xf32, #graph.dims<1, 1, 1, s>>
!ry = tensor<?x?x?x?xf32, #graph.dims<n, c, h, (w + l + e - f * (s - 1) - 1) floordiv v + 1>>
rule.rule @fold_shared_depthwise_into_rows(%x: !x, %k: !sr) -> !ry
  source {
    %0 = graph.broadcast %k shape = [c, 1, 1, s]
    %1 = graph.conv %x, %0 strides = [1, v] pads = [0, l, 0, e] dilations = [1, f] groups = c channels_first
    rule.yield %1
  }
  target {
    %0 = graph.reshape %x shape = [n, 1, c * h, w]
    %1 = graph.conv %0, %k strides = [1, v] pads = [0, l, 0, e] dilations = [1, f] groups = 1 channels_first
    %2 = graph.reshape %1 shape = [n, c, h, (w + l + e - f * (s - 1) - 1) floordiv v + 1]
    rule.yield %2
  }

// 42. Rows and columns change places in the input, the kernel and all
// parameters.
rule.rule @swap_spatial_axes(%x: !x, %k: !k) -> !y
  source {
    %0 = graph.conv %x, %k strides = [u, v] pads = [t, l, b, e] dilations = [d, f] groups = 1 channels_first
    rule.yield %0
  }
  target {
    %0 = graph.transpose %x perm = [0, 1, 3, 2]
    %1 = graph.transpose %k perm = [0, 1, 3, 2]
    %2 = graph.conv %0, %1 strides = [v, u] pads = [l, t, e, b] dilations = [f, d] groups = 1 channels_first
    %3 = graph.transpose %2 perm = [0, 1, 3, 2]
    rule.yield %3
  }

// 45. Zeros padded around rows and columns are the convolution's own.
!py = tensor<?x?x?x?xf32, #graph.dims<n, o, (h + pt + pb + t + b - d * (r - 1) - 1) floordiv u + 1, (w + pl + pe + l + e - f * (s - 1) - 1) floordiv v + 1>>
rule.rule @pad_into_conv(%x: !x, %k: !k) -> !py
  source {
    %0 = graph.pad %x low = [0, 0, pt, pl] high = [0, 0, pb, pe] constant value = 0.0
    %1 = graph.conv %0, %k strides = [u, v] pads = [t, l, b, e] dilations = [d, f] groups = 1 channels_first
    rule.yield %1
  }
  target {
    %0 = graph.conv %x, %k strides = [u, v] pads = [t + pt, l + pl, b + pb, e + pe] dilations = [d, f] groups = 1 channels_first
    rule.yield %0
  }

// 46. Some rows and columns of the output, also with steps, are those of the
// rows and columns of the input that they read: no padding.
!sy = tensor<?x?x?x?xf32, #graph.dims<n, o, p, q>>
rule.rule @slice_of_conv(%x: !x, %k: !k) -> !sy
  source {
    %0 = graph.conv %x, %k strides = [u, v] pads = [0, 0, 0, 0] dilations = [d, f] groups = 1 channels_first
    %1 = graph.slice %0 starts = [0, 0, i, j] sizes = [n, o, p, q] steps = [1, 1, y, z]
    rule.yield %1
  }
  target {
    %0 = graph.slice %x starts = [0, 0, u * i, v * j] sizes = [n, c, u * y * (p - 1) + d * (r - 1) + 1, v * z * (q - 1) + f * (s - 1) + 1] steps = [1, 1, 1, 1]
    %1 = graph.conv %0, %k strides = [u * y, v * z] pads = [0, 0, 0, 0] dilations = [d, f] groups = 1 channels_first
    rule.yield %1
  }
  where [p >= 1, q >= 1]

// 46. Some batches and channels of the output are those of the same batches of
// the input and the same rows of the kernel, with any padding.
!cy = tensor<?x?x?x?xf32, #graph.dims<m, p, (h + t + b - d * (r - 1) - 1) floordiv u + 1, (w + l + e - f * (s - 1) - 1) floordiv v + 1>>
rule.rule @channel_slice_of_conv(%x: !x, %k: !k) -> !cy
  source {
    %0 = graph.conv %x, %k strides = [u, v] pads = [t, l, b, e] dilations = [d, f] groups = 1 channels_first
    %1 = graph.slice %0 starts = [i, j, 0, 0] sizes = [m, p, (h + t + b - d * (r - 1) - 1) floordiv u + 1, (w + l + e - f * (s - 1) - 1) floordiv v + 1] steps = [1, 1, 1, 1]
    rule.yield %1
  }
  target {
    %0 = graph.slice %x starts = [i, 0, 0, 0] sizes = [m, c, h, w] steps = [1, 1, 1, 1]
    %1 = graph.slice %k starts = [j, 0, 0, 0] sizes = [p, c, r, s] steps = [1, 1, 1, 1]
    %2 = graph.conv %0, %1 strides = [u, v] pads = [t, l, b, e] dilations = [d, f] groups = 1 channels_first
    rule.yield %2
  }
