// Rules with corrections, as `tenon-rules correct` adds them.

rule.rule @fold_batch_into_image_rows(%x: [n, c, h, w], %k: [o, c, r, s]) -> [n, o, h, ((e + f - f * s + l + w - 1) floordiv (v)) + 1]
  source {
    %0 = graph.conv %x, %k strides = [1, v] pads = [t, l, -d + d * r - t, e] dilations = [d, f] groups = 1  channels_first
    rule.yield %0
  }
  target {
    %0 = graph.transpose %x perm = [1, 0, 2, 3]
    %1 = graph.reshape %0 shape = [1, c, h * n, w]
    %2 = graph.conv %1, %k strides = [1, v] pads = [t, l, -d + d * r - t, e] dilations = [d, f] groups = 1  channels_first
    %3 = graph.reshape %2 shape = [o, n, h, ((e + f - f * s + l + w - 1) floordiv (v)) + 1]
    %4 = graph.transpose %3 perm = [1, 0, 2, 3]
    %5 = graph.slice %4 starts = [0, 0, 0, 0] sizes = [1, o, t, ((e + f - f * s + l + w - 1) floordiv (v)) + 1] steps = [1, 1, 1, 1]
    %6 = graph.slice %x starts = [1, 0, 0, 0] sizes = [n - 1, c, -d + d * r, w] steps = [1, 1, 1, 1]
    %7 = graph.conv %6, %k strides = [1, v] pads = [t, l, 0, e] dilations = [d, f] groups = 1  channels_first
    %8 = graph.concat %5, %7 axis = 0
    %9 = graph.slice %4 starts = [0, 0, t, 0] sizes = [n, o, d - d * r + h, ((e + f - f * s + l + w - 1) floordiv (v)) + 1] steps = [1, 1, 1, 1]
    %10 = graph.concat %8, %9 axis = 2
    %11 = graph.slice %x starts = [0, 0, d - d * r + h, 0] sizes = [n - 1, c, -d + d * r, w] steps = [1, 1, 1, 1]
    %12 = graph.conv %11, %k strides = [1, v] pads = [0, l, -d + d * r - t, e] dilations = [d, f] groups = 1  channels_first
    %13 = graph.slice %4 starts = [n - 1, 0, d - d * r + h + t, 0] sizes = [1, o, -d + d * r - t, ((e + f - f * s + l + w - 1) floordiv (v)) + 1] steps = [1, 1, 1, 1]
    %14 = graph.concat %12, %13 axis = 0
    %15 = graph.concat %10, %14 axis = 2
    rule.yield %15
  }
  where [n >= 2, t >= 1, d + h >= d * r, d * r >= d + t + 1]


rule.rule @fold_batch_into_image_rows_along_axis_0(%x: [n, c, h, w], %k: [o, c, r, s]) -> [n, o, h, ((e + f - f * s + l + w - 1) floordiv (v)) + 1]
  source {
    %0 = graph.conv %x, %k strides = [1, v] pads = [t, l, -d + d * r - t, e] dilations = [d, f] groups = 1  channels_first
    rule.yield %0
  }
  target {
    %0 = graph.transpose %x perm = [1, 0, 2, 3]
    %1 = graph.reshape %0 shape = [1, c, h * n, w]
    %2 = graph.conv %1, %k strides = [1, v] pads = [t, l, -d + d * r - t, e] dilations = [d, f] groups = 1  channels_first
    %3 = graph.reshape %2 shape = [o, n, h, ((e + f - f * s + l + w - 1) floordiv (v)) + 1]
    %4 = graph.transpose %3 perm = [1, 0, 2, 3]
    %5 = graph.slice %x starts = [0, 0, 0, 0] sizes = [n, c, -d + d * r, w] steps = [1, 1, 1, 1]
    %6 = graph.conv %5, %k strides = [1, v] pads = [t, l, 0, e] dilations = [d, f] groups = 1  channels_first
    %7 = graph.slice %4 starts = [0, 0, t, 0] sizes = [n, o, d - d * r + h, ((e + f - f * s + l + w - 1) floordiv (v)) + 1] steps = [1, 1, 1, 1]
    %8 = graph.concat %6, %7 axis = 2
    %9 = graph.slice %x starts = [0, 0, d - d * r + h, 0] sizes = [n, c, -d + d * r, w] steps = [1, 1, 1, 1]
    %10 = graph.conv %9, %k strides = [1, v] pads = [0, l, -d + d * r - t, e] dilations = [d, f] groups = 1  channels_first
    %11 = graph.concat %8, %10 axis = 2
    rule.yield %11
  }
  where [n >= 2, t >= 1, d + h >= d * r, d * r >= d + t + 1]


rule.rule @fold_batch_into_image_columns(%x: [n, c, h, w], %k: [o, c, r, s]) -> [n, o, ((b + d - d * r + h + t - 1) floordiv (u)) + 1, w]
  source {
    %0 = graph.conv %x, %k strides = [u, 1] pads = [t, l, b, -f + f * s - l] dilations = [d, f] groups = 1  channels_first
    rule.yield %0
  }
  target {
    %0 = graph.transpose %x perm = [1, 2, 0, 3]
    %1 = graph.reshape %0 shape = [1, c, h, n * w]
    %2 = graph.conv %1, %k strides = [u, 1] pads = [t, l, b, -f + f * s - l] dilations = [d, f] groups = 1  channels_first
    %3 = graph.reshape %2 shape = [o, ((b + d - d * r + h + t - 1) floordiv (u)) + 1, n, w]
    %4 = graph.transpose %3 perm = [2, 0, 1, 3]
    %5 = graph.slice %4 starts = [0, 0, 0, 0] sizes = [1, o, ((b + d - d * r + h + t - 1) floordiv (u)) + 1, l] steps = [1, 1, 1, 1]
    %6 = graph.slice %x starts = [1, 0, 0, 0] sizes = [n - 1, c, h, -f + f * s] steps = [1, 1, 1, 1]
    %7 = graph.conv %6, %k strides = [u, 1] pads = [t, l, b, 0] dilations = [d, f] groups = 1  channels_first
    %8 = graph.concat %5, %7 axis = 0
    %9 = graph.slice %4 starts = [0, 0, 0, l] sizes = [n, o, ((b + d - d * r + h + t - 1) floordiv (u)) + 1, f - f * s + w] steps = [1, 1, 1, 1]
    %10 = graph.concat %8, %9 axis = 3
    %11 = graph.slice %x starts = [0, 0, 0, f - f * s + w] sizes = [n - 1, c, h, -f + f * s] steps = [1, 1, 1, 1]
    %12 = graph.conv %11, %k strides = [u, 1] pads = [t, 0, b, -f + f * s - l] dilations = [d, f] groups = 1  channels_first
    %13 = graph.slice %4 starts = [n - 1, 0, 0, f - f * s + l + w] sizes = [1, o, ((b + d - d * r + h + t - 1) floordiv (u)) + 1, -f + f * s - l] steps = [1, 1, 1, 1]
    %14 = graph.concat %12, %13 axis = 0
    %15 = graph.concat %10, %14 axis = 3
    rule.yield %15
  }
  where [n >= 2, l >= 1, f + w >= f * s, f * s >= f + l + 1]


rule.rule @fold_batch_into_image_columns_along_axis_0(%x: [n, c, h, w], %k: [o, c, r, s]) -> [n, o, ((b + d - d * r + h + t - 1) floordiv (u)) + 1, w]
  source {
    %0 = graph.conv %x, %k strides = [u, 1] pads = [t, l, b, -f + f * s - l] dilations = [d, f] groups = 1  channels_first
    rule.yield %0
  }
  target {
    %0 = graph.transpose %x perm = [1, 2, 0, 3]
    %1 = graph.reshape %0 shape = [1, c, h, n * w]
    %2 = graph.conv %1, %k strides = [u, 1] pads = [t, l, b, -f + f * s - l] dilations = [d, f] groups = 1  channels_first
    %3 = graph.reshape %2 shape = [o, ((b + d - d * r + h + t - 1) floordiv (u)) + 1, n, w]
    %4 = graph.transpose %3 perm = [2, 0, 1, 3]
    %5 = graph.slice %x starts = [0, 0, 0, 0] sizes = [n, c, h, -f + f * s] steps = [1, 1, 1, 1]
    %6 = graph.conv %5, %k strides = [u, 1] pads = [t, l, b, 0] dilations = [d, f] groups = 1  channels_first
    %7 = graph.slice %4 starts = [0, 0, 0, l] sizes = [n, o, ((b + d - d * r + h + t - 1) floordiv (u)) + 1, f - f * s + w] steps = [1, 1, 1, 1]
    %8 = graph.concat %6, %7 axis = 3
    %9 = graph.slice %x starts = [0, 0, 0, f - f * s + w] sizes = [n, c, h, -f + f * s] steps = [1, 1, 1, 1]
    %10 = graph.conv %9, %k strides = [u, 1] pads = [t, 0, b, -f + f * s - l] dilations = [d, f] groups = 1  channels_first
    %11 = graph.concat %8, %10 axis = 3
    rule.yield %11
  }
  where [n >= 2, l >= 1, f + w >= f * s, f * s >= f + l + 1]


rule.rule @tile_padded_rows_into_batch(%x: [n, c, h, w], %k: [o, c, r, s]) -> [n, o, h, ((e + f - f * s + l + w - 1) floordiv (v)) + 1]
  source {
    %0 = graph.conv %x, %k strides = [1, v] pads = [t, l, -d + d * r - t, e] dilations = [d, f] groups = 1  channels_first
    rule.yield %0
  }
  target {
    %0 = graph.reshape %x shape = [n, c, 2, ((h) floordiv (2)), w]
    %1 = graph.transpose %0 perm = [2, 0, 1, 3, 4]
    %2 = graph.reshape %1 shape = [2 * n, c, ((h) floordiv (2)), w]
    %3 = graph.conv %2, %k strides = [1, v] pads = [t, l, -d + d * r - t, e] dilations = [d, f] groups = 1  channels_first
    %4 = graph.reshape %3 shape = [2, n, o, ((h) floordiv (2)), ((e + f - f * s + l + w - 1) floordiv (v)) + 1]
    %5 = graph.transpose %4 perm = [1, 2, 0, 3, 4]
    %6 = graph.reshape %5 shape = [n, o, h, ((e + f - f * s + l + w - 1) floordiv (v)) + 1]
    %7 = graph.slice %6 starts = [0, 0, 0, 0] sizes = [n, o, ((h) floordiv (2)) + d - d * r + t, ((e + f - f * s + l + w - 1) floordiv (v)) + 1] steps = [1, 1, 1, 1]
    %8 = graph.slice %x starts = [0, 0, ((h) floordiv (2)) + d - d * r, 0] sizes = [n, c, -2 * d + 2 * d * r, w] steps = [1, 1, 1, 1]
    %9 = graph.conv %8, %k strides = [1, v] pads = [0, l, 0, e] dilations = [d, f] groups = 1  channels_first
    %10 = graph.concat %7, %9 axis = 2
    %11 = graph.slice %6 starts = [0, 0, ((h) floordiv (2)) + t, 0] sizes = [n, o, -((h) floordiv (2)) + h - t, ((e + f - f * s + l + w - 1) floordiv (v)) + 1] steps = [1, 1, 1, 1]
    %12 = graph.concat %10, %11 axis = 2
    rule.yield %12
  }
  where [2 divides h, d * r >= d + 1, d + h >= ((h) floordiv (2)) + d * r]


rule.rule @tile_padded_columns_into_batch(%x: [n, c, h, w], %k: [o, c, r, s]) -> [n, o, ((b + d - d * r + h + t - 1) floordiv (u)) + 1, w]
  source {
    %0 = graph.conv %x, %k strides = [u, 1] pads = [t, l, b, -f + f * s - l] dilations = [d, f] groups = 1  channels_first
    rule.yield %0
  }
  target {
    %0 = graph.reshape %x shape = [n, c, h, 2, ((w) floordiv (2))]
    %1 = graph.transpose %0 perm = [3, 0, 1, 2, 4]
    %2 = graph.reshape %1 shape = [2 * n, c, h, ((w) floordiv (2))]
    %3 = graph.conv %2, %k strides = [u, 1] pads = [t, l, b, -f + f * s - l] dilations = [d, f] groups = 1  channels_first
    %4 = graph.reshape %3 shape = [2, n, o, ((b + d - d * r + h + t - 1) floordiv (u)) + 1, ((w) floordiv (2))]
    %5 = graph.transpose %4 perm = [1, 2, 3, 0, 4]
    %6 = graph.reshape %5 shape = [n, o, ((b + d - d * r + h + t - 1) floordiv (u)) + 1, w]
    %7 = graph.slice %6 starts = [0, 0, 0, 0] sizes = [n, o, ((b + d - d * r + h + t - 1) floordiv (u)) + 1, ((w) floordiv (2)) + f - f * s + l] steps = [1, 1, 1, 1]
    %8 = graph.slice %x starts = [0, 0, 0, ((w) floordiv (2)) + f - f * s] sizes = [n, c, h, -2 * f + 2 * f * s] steps = [1, 1, 1, 1]
    %9 = graph.conv %8, %k strides = [u, 1] pads = [t, 0, b, 0] dilations = [d, f] groups = 1  channels_first
    %10 = graph.concat %7, %9 axis = 3
    %11 = graph.slice %6 starts = [0, 0, 0, ((w) floordiv (2)) + l] sizes = [n, o, ((b + d - d * r + h + t - 1) floordiv (u)) + 1, -((w) floordiv (2)) - l + w] steps = [1, 1, 1, 1]
    %12 = graph.concat %10, %11 axis = 3
    rule.yield %12
  }
  where [2 divides w, f * s >= f + 1, f + w >= ((w) floordiv (2)) + f * s]


rule.rule @split_row_phases_inside(%x: [n, c, h, w], %k: [o, c, r, s]) -> [n, o, b + d - d * r + h + t, ((e + f - f * s + l + w - 1) floordiv (v)) + 1]
  source {
    %0 = graph.conv %x, %k strides = [1, v] pads = [t, l, b, e] dilations = [d, f] groups = 1  channels_first
    rule.yield %0
  }
  target {
    %0 = graph.reshape %x shape = [n, c, ((h) floordiv (d)), d, w]
    %1 = graph.transpose %0 perm = [3, 0, 1, 2, 4]
    %2 = graph.reshape %1 shape = [d * n, c, ((h) floordiv (d)), w]
    %3 = graph.conv %2, %k strides = [1, v] pads = [0, l, 0, e] dilations = [1, f] groups = 1  channels_first
    %4 = graph.reshape %3 shape = [d, n, o, ((h) floordiv (d)) - r + 1, ((e + f - f * s + l + w - 1) floordiv (v)) + 1]
    %5 = graph.transpose %4 perm = [1, 2, 3, 0, 4]
    %6 = graph.reshape %5 shape = [n, o, d - d * r + h, ((e + f - f * s + l + w - 1) floordiv (v)) + 1]
    %7 = graph.pad %6 low = [0, 0, t, 0] high = [0, 0, b, 0]  constant value = 0.000000e+00
    %8 = graph.slice %x starts = [0, 0, 0, 0] sizes = [n, c, -d + d * r, w] steps = [1, 1, 1, 1]
    %9 = graph.conv %8, %k strides = [1, v] pads = [t, l, 0, e] dilations = [d, f] groups = 1  channels_first
    %10 = graph.slice %7 starts = [0, 0, t, 0] sizes = [n, o, d - d * r + h, ((e + f - f * s + l + w - 1) floordiv (v)) + 1] steps = [1, 1, 1, 1]
    %11 = graph.concat %9, %10 axis = 2
    %12 = graph.slice %x starts = [0, 0, d - d * r + h, 0] sizes = [n, c, -d + d * r, w] steps = [1, 1, 1, 1]
    %13 = graph.conv %12, %k strides = [1, v] pads = [0, l, b, e] dilations = [d, f] groups = 1  channels_first
    %14 = graph.concat %11, %13 axis = 2
    rule.yield %14
  }
  where [d >= 2, d divides h, ((h) floordiv (d)) >= r, -d + d * r >= t, -d + d * r >= b, t >= 1, b >= 1]


rule.rule @split_column_phases_inside(%x: [n, c, h, w], %k: [o, c, r, s]) -> [n, o, ((b + d - d * r + h + t - 1) floordiv (u)) + 1, e + f - f * s + l + w]
  source {
    %0 = graph.conv %x, %k strides = [u, 1] pads = [t, l, b, e] dilations = [d, f] groups = 1  channels_first
    rule.yield %0
  }
  target {
    %0 = graph.reshape %x shape = [n, c, h, ((w) floordiv (f)), f]
    %1 = graph.transpose %0 perm = [4, 0, 1, 2, 3]
    %2 = graph.reshape %1 shape = [f * n, c, h, ((w) floordiv (f))]
    %3 = graph.conv %2, %k strides = [u, 1] pads = [t, 0, b, 0] dilations = [d, 1] groups = 1  channels_first
    %4 = graph.reshape %3 shape = [f, n, o, ((b + d - d * r + h + t - 1) floordiv (u)) + 1, ((w) floordiv (f)) - s + 1]
    %5 = graph.transpose %4 perm = [1, 2, 3, 4, 0]
    %6 = graph.reshape %5 shape = [n, o, ((b + d - d * r + h + t - 1) floordiv (u)) + 1, f - f * s + w]
    %7 = graph.pad %6 low = [0, 0, 0, l] high = [0, 0, 0, e]  constant value = 0.000000e+00
    %8 = graph.slice %x starts = [0, 0, 0, 0] sizes = [n, c, h, -f + f * s] steps = [1, 1, 1, 1]
    %9 = graph.conv %8, %k strides = [u, 1] pads = [t, l, b, 0] dilations = [d, f] groups = 1  channels_first
    %10 = graph.slice %7 starts = [0, 0, 0, l] sizes = [n, o, ((b + d - d * r + h + t - 1) floordiv (u)) + 1, f - f * s + w] steps = [1, 1, 1, 1]
    %11 = graph.concat %9, %10 axis = 3
    %12 = graph.slice %x starts = [0, 0, 0, f - f * s + w] sizes = [n, c, h, -f + f * s] steps = [1, 1, 1, 1]
    %13 = graph.conv %12, %k strides = [u, 1] pads = [t, 0, b, e] dilations = [d, f] groups = 1  channels_first
    %14 = graph.concat %11, %13 axis = 3
    rule.yield %14
  }
  where [f >= 2, f divides w, ((w) floordiv (f)) >= s, -f + f * s >= l, -f + f * s >= e, l >= 1, e >= 1]


