// Both rules are false: they lack what reads padding.

!x = tensor<?x?x?x?xf32, #graph.dims<n, c, h, w>>
!k = tensor<?x?x?x?xf32, #graph.dims<o, c, r, s>>
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
