// Negative tests for rules/convolution-layout.mlir: a condition dropped, two things
// swapped. Each is refuted.
// RUN: not tenon-rules prove %s 2>&1 | FileCheck %s
// The proofs themselves find none of them, without trying small sizes first.
// RUN: not tenon-rules prove --without-refuting --rlimit 100000 %s 2>&1 | FileCheck %s --check-prefix=PROOF
// PROOF: 0 proved, 21 unknown
// REQUIRES: z3
// REQUIRES: full

!x = tensor<?x?x?x?xf32, #graph.dims<n, c, h, w>>
!k = tensor<?x?x?x?xf32, #graph.dims<o, c, r, s>>
!y = tensor<?x?x?x?xf32, #graph.dims<n, o, (h + t + b - d * (r - 1) - 1) floordiv u + 1, (w + l + e - f * (s - 1) - 1) floordiv v + 1>>
!ph = tensor<?x?x?x?xf32, #graph.dims<n, o, h - d * (r - 1), (w + l + e - f * (s - 1) - 1) floordiv v + 1>>
!ph_x5 = tensor<?x?x?x?x?xf32, #graph.dims<n, c, h floordiv d, d, w>>
!ph_xt = tensor<?x?x?x?x?xf32, #graph.dims<d, n, c, h floordiv d, w>>
!ph_xb = tensor<?x?x?x?xf32, #graph.dims<d * n, c, h floordiv d, w>>
!ph_yb = tensor<?x?x?x?xf32, #graph.dims<d * n, o, h floordiv d - r + 1, (w + l + e - f * (s - 1) - 1) floordiv v + 1>>
!ph_yt = tensor<?x?x?x?x?xf32, #graph.dims<d, n, o, h floordiv d - r + 1, (w + l + e - f * (s - 1) - 1) floordiv v + 1>>
!ph_y5 = tensor<?x?x?x?x?xf32, #graph.dims<n, o, h floordiv d - r + 1, d, (w + l + e - f * (s - 1) - 1) floordiv v + 1>>
!pw = tensor<?x?x?x?xf32, #graph.dims<n, o, (h + t + b - d * (r - 1) - 1) floordiv u + 1, w - f * (s - 1)>>
!pw_x5 = tensor<?x?x?x?x?xf32, #graph.dims<n, c, h, w floordiv f, f>>
!pw_xt = tensor<?x?x?x?x?xf32, #graph.dims<f, n, c, h, w floordiv f>>
!pw_xb = tensor<?x?x?x?xf32, #graph.dims<f * n, c, h, w floordiv f>>
!pw_yb = tensor<?x?x?x?xf32, #graph.dims<f * n, o, (h + t + b - d * (r - 1) - 1) floordiv u + 1, w floordiv f - s + 1>>
!pw_yt = tensor<?x?x?x?x?xf32, #graph.dims<f, n, o, (h + t + b - d * (r - 1) - 1) floordiv u + 1, w floordiv f - s + 1>>
!pw_y5 = tensor<?x?x?x?x?xf32, #graph.dims<n, o, (h + t + b - d * (r - 1) - 1) floordiv u + 1, w floordiv f - s + 1, f>>
!th = tensor<?x?x?x?xf32, #graph.dims<n, o, (h - r) floordiv u + 1, (w + l + e - f * (s - 1) - 1) floordiv v + 1>>
!th_x = tensor<?x?x?x?xf32, #graph.dims<n, c, u * (((h - r) floordiv u + 1) floordiv 2 - 1) + r, w>>
!th_xx = tensor<?x?x?x?xf32, #graph.dims<2 * n, c, u * (((h - r) floordiv u + 1) floordiv 2 - 1) + r, w>>
!th_y = tensor<?x?x?x?xf32, #graph.dims<n, o, ((h - r) floordiv u + 1) floordiv 2, (w + l + e - f * (s - 1) - 1) floordiv v + 1>>
!th_yy = tensor<?x?x?x?xf32, #graph.dims<2 * n, o, ((h - r) floordiv u + 1) floordiv 2, (w + l + e - f * (s - 1) - 1) floordiv v + 1>>
!dk = tensor<?x1x?x?xf32, #graph.dims<c, 1, r, s>>
!dy = tensor<?x?x?x?xf32, #graph.dims<n, c, (h + t + b - d * (r - 1) - 1) floordiv u + 1, (w + l + e - f * (s - 1) - 1) floordiv v + 1>>
!bc_x = tensor<1x?x?x?xf32, #graph.dims<1, n * c, h, w>>
!bc_k = tensor<?x1x?x?xf32, #graph.dims<n * c, 1, r, s>>
!bc_y = tensor<1x?x?x?xf32, #graph.dims<1, n * c, (h + t + b - d * (r - 1) - 1) floordiv u + 1, (w + l + e - f * (s - 1) - 1) floordiv v + 1>>
!sk = tensor<1x1x?x?xf32, #graph.dims<1, 1, r, s>>
!cb_x = tensor<?x1x?x?xf32, #graph.dims<n * c, 1, h, w>>
!cb_y = tensor<?x1x?x?xf32, #graph.dims<n * c, 1, (h + t + b - d * (r - 1) - 1) floordiv u + 1, (w + l + e - f * (s - 1) - 1) floordiv v + 1>>
!sr = tensor<1x1x1x?xf32, #graph.dims<1, 1, 1, s>>
!dr = tensor<?x1x1x?xf32, #graph.dims<c, 1, 1, s>>
!ry = tensor<?x?x?x?xf32, #graph.dims<n, c, h, (w + l + e - f * (s - 1) - 1) floordiv v + 1>>
!cr_x = tensor<?x1x?x?xf32, #graph.dims<n, 1, c * h, w>>
!cr_y = tensor<?x1x?x?xf32, #graph.dims<n, 1, c * h, (w + l + e - f * (s - 1) - 1) floordiv v + 1>>
!wx = tensor<?x?x?x?xf32, #graph.dims<n, c, w, h>>
!wk = tensor<?x?x?x?xf32, #graph.dims<o, c, s, r>>
!wy = tensor<?x?x?x?xf32, #graph.dims<n, o, (w + l + e - f * (s - 1) - 1) floordiv v + 1, (h + t + b - d * (r - 1) - 1) floordiv u + 1>>
!px = tensor<?x?x?x?xf32, #graph.dims<n, c, h + pt + pb, w + pl + pe>>
!py = tensor<?x?x?x?xf32, #graph.dims<n, o, (h + pt + pb + t + b - d * (r - 1) - 1) floordiv u + 1, (w + pl + pe + l + e - f * (s - 1) - 1) floordiv v + 1>>
!sv = tensor<?x?x?x?xf32, #graph.dims<n, o, (h - d * (r - 1) - 1) floordiv u + 1, (w - f * (s - 1) - 1) floordiv v + 1>>
!sy = tensor<?x?x?x?xf32, #graph.dims<n, o, p, q>>
!sx = tensor<?x?x?x?xf32, #graph.dims<n, c, u * y * (p - 1) + d * (r - 1) + 1, v * z * (q - 1) + f * (s - 1) + 1>>
!cy = tensor<?x?x?x?xf32, #graph.dims<m, p, (h + t + b - d * (r - 1) - 1) floordiv u + 1, (w + l + e - f * (s - 1) - 1) floordiv v + 1>>
!cx = tensor<?x?x?x?xf32, #graph.dims<m, c, h, w>>
!ck = tensor<?x?x?x?xf32, #graph.dims<p, c, r, s>>
!ph_xw = tensor<?x?x?x?x?xf32, #graph.dims<n, c, d, h floordiv d, w>>
!ph_yw = tensor<?x?x?x?x?xf32, #graph.dims<n, o, d, h floordiv d - r + 1, (w + l + e - f * (s - 1) - 1) floordiv v + 1>>
!pw_yw = tensor<?x?x?x?x?xf32, #graph.dims<n, f, o, (h + t + b - d * (r - 1) - 1) floordiv u + 1, w floordiv f - s + 1>>
!bc_t = tensor<?x?x?x?xf32, #graph.dims<c, n, h, w>>
!cr_t = tensor<?x?x?x?xf32, #graph.dims<n, h, c, w>>

// Blocks of rows in place of phases.
// CHECK: refuted split_row_blocks
rule.rule @split_row_blocks(%x: !x, %k: !k) -> !ph
  source {
    %0 = graph.conv %x, %k strides = [1, v] pads = [0, l, 0, e] dilations = [d, f] groups = 1 channels_first : (!x, !k) -> !ph
    rule.yield %0 : !ph
  }
  target {
    %0 = graph.reshape %x shape = [n, c, d, h floordiv d, w] : (!x) -> !ph_xw
    %1 = graph.transpose %0 perm = [2, 0, 1, 3, 4] : (!ph_xw) -> !ph_xt
    %2 = graph.reshape %1 shape = [d * n, c, h floordiv d, w] : (!ph_xt) -> !ph_xb
    %3 = graph.conv %2, %k strides = [1, v] pads = [0, l, 0, e] dilations = [1, f] groups = 1 channels_first : (!ph_xb, !k) -> !ph_yb
    %4 = graph.reshape %3 shape = [d, n, o, h floordiv d - r + 1, (w + l + e - f * (s - 1) - 1) floordiv v + 1] : (!ph_yb) -> !ph_yt
    %5 = graph.transpose %4 perm = [1, 2, 3, 0, 4] : (!ph_yt) -> !ph_y5
    %6 = graph.reshape %5 shape = [n, o, h - d * (r - 1), (w + l + e - f * (s - 1) - 1) floordiv v + 1] : (!ph_y5) -> !ph
    rule.yield %6 : !ph
  }
  where [r >= 1, s >= 1, d divides h]

// The phases come back as blocks of rows.
// CHECK: refuted join_row_blocks
rule.rule @join_row_blocks(%x: !x, %k: !k) -> !ph
  source {
    %0 = graph.conv %x, %k strides = [1, v] pads = [0, l, 0, e] dilations = [d, f] groups = 1 channels_first : (!x, !k) -> !ph
    rule.yield %0 : !ph
  }
  target {
    %0 = graph.reshape %x shape = [n, c, h floordiv d, d, w] : (!x) -> !ph_x5
    %1 = graph.transpose %0 perm = [3, 0, 1, 2, 4] : (!ph_x5) -> !ph_xt
    %2 = graph.reshape %1 shape = [d * n, c, h floordiv d, w] : (!ph_xt) -> !ph_xb
    %3 = graph.conv %2, %k strides = [1, v] pads = [0, l, 0, e] dilations = [1, f] groups = 1 channels_first : (!ph_xb, !k) -> !ph_yb
    %4 = graph.reshape %3 shape = [d, n, o, h floordiv d - r + 1, (w + l + e - f * (s - 1) - 1) floordiv v + 1] : (!ph_yb) -> !ph_yt
    %5 = graph.transpose %4 perm = [1, 2, 0, 3, 4] : (!ph_yt) -> !ph_yw
    %6 = graph.reshape %5 shape = [n, o, h - d * (r - 1), (w + l + e - f * (s - 1) - 1) floordiv v + 1] : (!ph_yw) -> !ph
    rule.yield %6 : !ph
  }
  where [r >= 1, s >= 1, d divides h]

// The height is no multiple of the dilation.
// CHECK: refuted split_row_phases_of_any_height
rule.rule @split_row_phases_of_any_height(%x: !x, %k: !k) -> !ph
  source {
    %0 = graph.conv %x, %k strides = [1, v] pads = [0, l, 0, e] dilations = [d, f] groups = 1 channels_first : (!x, !k) -> !ph
    rule.yield %0 : !ph
  }
  target {
    %0 = graph.reshape %x shape = [n, c, h floordiv d, d, w] : (!x) -> !ph_x5
    %1 = graph.transpose %0 perm = [3, 0, 1, 2, 4] : (!ph_x5) -> !ph_xt
    %2 = graph.reshape %1 shape = [d * n, c, h floordiv d, w] : (!ph_xt) -> !ph_xb
    %3 = graph.conv %2, %k strides = [1, v] pads = [0, l, 0, e] dilations = [1, f] groups = 1 channels_first : (!ph_xb, !k) -> !ph_yb
    %4 = graph.reshape %3 shape = [d, n, o, h floordiv d - r + 1, (w + l + e - f * (s - 1) - 1) floordiv v + 1] : (!ph_yb) -> !ph_yt
    %5 = graph.transpose %4 perm = [1, 2, 3, 0, 4] : (!ph_yt) -> !ph_y5
    %6 = graph.reshape %5 shape = [n, o, h - d * (r - 1), (w + l + e - f * (s - 1) - 1) floordiv v + 1] : (!ph_y5) -> !ph
    rule.yield %6 : !ph
  }
  where [r >= 1, s >= 1]

// The phases were put before the batches, but are taken from behind them.
// CHECK: refuted join_column_phases_within_batch
rule.rule @join_column_phases_within_batch(%x: !x, %k: !k) -> !pw
  source {
    %0 = graph.conv %x, %k strides = [u, 1] pads = [t, 0, b, 0] dilations = [d, f] groups = 1 channels_first : (!x, !k) -> !pw
    rule.yield %0 : !pw
  }
  target {
    %0 = graph.reshape %x shape = [n, c, h, w floordiv f, f] : (!x) -> !pw_x5
    %1 = graph.transpose %0 perm = [4, 0, 1, 2, 3] : (!pw_x5) -> !pw_xt
    %2 = graph.reshape %1 shape = [f * n, c, h, w floordiv f] : (!pw_xt) -> !pw_xb
    %3 = graph.conv %2, %k strides = [u, 1] pads = [t, 0, b, 0] dilations = [d, 1] groups = 1 channels_first : (!pw_xb, !k) -> !pw_yb
    %4 = graph.reshape %3 shape = [n, f, o, (h + t + b - d * (r - 1) - 1) floordiv u + 1, w floordiv f - s + 1] : (!pw_yb) -> !pw_yw
    %5 = graph.transpose %4 perm = [0, 2, 3, 4, 1] : (!pw_yw) -> !pw_y5
    %6 = graph.reshape %5 shape = [n, o, (h + t + b - d * (r - 1) - 1) floordiv u + 1, w - f * (s - 1)] : (!pw_y5) -> !pw
    rule.yield %6 : !pw
  }
  where [r >= 1, s >= 1, f divides w]

// The width is no multiple of the dilation.
// CHECK: refuted split_column_phases_of_any_width
rule.rule @split_column_phases_of_any_width(%x: !x, %k: !k) -> !pw
  source {
    %0 = graph.conv %x, %k strides = [u, 1] pads = [t, 0, b, 0] dilations = [d, f] groups = 1 channels_first : (!x, !k) -> !pw
    rule.yield %0 : !pw
  }
  target {
    %0 = graph.reshape %x shape = [n, c, h, w floordiv f, f] : (!x) -> !pw_x5
    %1 = graph.transpose %0 perm = [4, 0, 1, 2, 3] : (!pw_x5) -> !pw_xt
    %2 = graph.reshape %1 shape = [f * n, c, h, w floordiv f] : (!pw_xt) -> !pw_xb
    %3 = graph.conv %2, %k strides = [u, 1] pads = [t, 0, b, 0] dilations = [d, 1] groups = 1 channels_first : (!pw_xb, !k) -> !pw_yb
    %4 = graph.reshape %3 shape = [f, n, o, (h + t + b - d * (r - 1) - 1) floordiv u + 1, w floordiv f - s + 1] : (!pw_yb) -> !pw_yt
    %5 = graph.transpose %4 perm = [1, 2, 3, 4, 0] : (!pw_yt) -> !pw_y5
    %6 = graph.reshape %5 shape = [n, o, (h + t + b - d * (r - 1) - 1) floordiv u + 1, w - f * (s - 1)] : (!pw_y5) -> !pw
    rule.yield %6 : !pw
  }
  where [r >= 1, s >= 1]

// The second tile starts at the number of its output row.
// CHECK: refuted tile_rows_without_stride
rule.rule @tile_rows_without_stride(%x: !x, %k: !k) -> !th
  source {
    %0 = graph.conv %x, %k strides = [u, v] pads = [0, l, 0, e] dilations = [1, f] groups = 1 channels_first : (!x, !k) -> !th
    rule.yield %0 : !th
  }
  target {
    %0 = graph.slice %x starts = [0, 0, 0, 0] sizes = [n, c, u * (((h - r) floordiv u + 1) floordiv 2 - 1) + r, w] steps = [1, 1, 1, 1] : (!x) -> !th_x
    %1 = graph.slice %x starts = [0, 0, ((h - r) floordiv u + 1) floordiv 2, 0] sizes = [n, c, u * (((h - r) floordiv u + 1) floordiv 2 - 1) + r, w] steps = [1, 1, 1, 1] : (!x) -> !th_x
    %2 = graph.concat %0, %1 axis = 0 : (!th_x, !th_x) -> !th_xx
    %3 = graph.conv %2, %k strides = [u, v] pads = [0, l, 0, e] dilations = [1, f] groups = 1 channels_first : (!th_xx, !k) -> !th_yy
    %4, %5 = graph.split %3 axis = 0 sizes = [n, n] : (!th_yy) -> (!th_y, !th_y)
    %6 = graph.concat %4, %5 axis = 2 : (!th_y, !th_y) -> !th
    rule.yield %6 : !th
  }
  where [r >= 1, s >= 1, 2 divides (h - r) floordiv u + 1]

// The tiles change places.
// CHECK: refuted tile_rows_swapped
rule.rule @tile_rows_swapped(%x: !x, %k: !k) -> !th
  source {
    %0 = graph.conv %x, %k strides = [u, v] pads = [0, l, 0, e] dilations = [1, f] groups = 1 channels_first : (!x, !k) -> !th
    rule.yield %0 : !th
  }
  target {
    %0 = graph.slice %x starts = [0, 0, 0, 0] sizes = [n, c, u * (((h - r) floordiv u + 1) floordiv 2 - 1) + r, w] steps = [1, 1, 1, 1] : (!x) -> !th_x
    %1 = graph.slice %x starts = [0, 0, u * (((h - r) floordiv u + 1) floordiv 2), 0] sizes = [n, c, u * (((h - r) floordiv u + 1) floordiv 2 - 1) + r, w] steps = [1, 1, 1, 1] : (!x) -> !th_x
    %2 = graph.concat %0, %1 axis = 0 : (!th_x, !th_x) -> !th_xx
    %3 = graph.conv %2, %k strides = [u, v] pads = [0, l, 0, e] dilations = [1, f] groups = 1 channels_first : (!th_xx, !k) -> !th_yy
    %4, %5 = graph.split %3 axis = 0 sizes = [n, n] : (!th_yy) -> (!th_y, !th_y)
    %6 = graph.concat %5, %4 axis = 2 : (!th_y, !th_y) -> !th
    rule.yield %6 : !th
  }
  where [r >= 1, s >= 1, 2 divides (h - r) floordiv u + 1]

// An odd number of rows has no halves.
// CHECK: refuted tile_odd_rows
rule.rule @tile_odd_rows(%x: !x, %k: !k) -> !th
  source {
    %0 = graph.conv %x, %k strides = [u, v] pads = [0, l, 0, e] dilations = [1, f] groups = 1 channels_first : (!x, !k) -> !th
    rule.yield %0 : !th
  }
  target {
    %0 = graph.slice %x starts = [0, 0, 0, 0] sizes = [n, c, u * (((h - r) floordiv u + 1) floordiv 2 - 1) + r, w] steps = [1, 1, 1, 1] : (!x) -> !th_x
    %1 = graph.slice %x starts = [0, 0, u * (((h - r) floordiv u + 1) floordiv 2), 0] sizes = [n, c, u * (((h - r) floordiv u + 1) floordiv 2 - 1) + r, w] steps = [1, 1, 1, 1] : (!x) -> !th_x
    %2 = graph.concat %0, %1 axis = 0 : (!th_x, !th_x) -> !th_xx
    %3 = graph.conv %2, %k strides = [u, v] pads = [0, l, 0, e] dilations = [1, f] groups = 1 channels_first : (!th_xx, !k) -> !th_yy
    %4, %5 = graph.split %3 axis = 0 sizes = [n, n] : (!th_yy) -> (!th_y, !th_y)
    %6 = graph.concat %4, %5 axis = 2 : (!th_y, !th_y) -> !th
    rule.yield %6 : !th
  }
  where [r >= 1, s >= 1]

// The batches are put behind the channels, the kernels are not.
// CHECK: refuted fold_batch_behind_channels
rule.rule @fold_batch_behind_channels(%x: !x, %k: !dk) -> !dy
  source {
    %0 = graph.conv %x, %k strides = [u, v] pads = [t, l, b, e] dilations = [d, f] groups = c channels_first : (!x, !dk) -> !dy
    rule.yield %0 : !dy
  }
  target {
    %xt = graph.transpose %x perm = [1, 0, 2, 3] : (!x) -> !bc_t
    %0 = graph.reshape %xt shape = [1, n * c, h, w] : (!bc_t) -> !bc_x
    %1 = graph.tile %k repeats = [n, 1, 1, 1] : (!dk) -> !bc_k
    %2 = graph.conv %0, %1 strides = [u, v] pads = [t, l, b, e] dilations = [d, f] groups = n * c channels_first : (!bc_x, !bc_k) -> !bc_y
    %3 = graph.reshape %2 shape = [n, c, (h + t + b - d * (r - 1) - 1) floordiv u + 1, (w + l + e - f * (s - 1) - 1) floordiv v + 1] : (!bc_y) -> !dy
    rule.yield %3 : !dy
  }
  where [n >= 1, r >= 1, s >= 1]

// Each channel has a kernel of its own, but the first is taken for all.
// CHECK: refuted fold_depthwise_into_batch
rule.rule @fold_depthwise_into_batch(%x: !x, %k: !dk) -> !dy
  source {
    %0 = graph.conv %x, %k strides = [u, v] pads = [t, l, b, e] dilations = [d, f] groups = c channels_first : (!x, !dk) -> !dy
    rule.yield %0 : !dy
  }
  target {
    %k0 = graph.slice %k starts = [0, 0, 0, 0] sizes = [1, 1, r, s] steps = [1, 1, 1, 1] : (!dk) -> !sk
    %0 = graph.reshape %x shape = [n * c, 1, h, w] : (!x) -> !cb_x
    %1 = graph.conv %0, %k0 strides = [u, v] pads = [t, l, b, e] dilations = [d, f] groups = 1 channels_first : (!cb_x, !sk) -> !cb_y
    %2 = graph.reshape %1 shape = [n, c, (h + t + b - d * (r - 1) - 1) floordiv u + 1, (w + l + e - f * (s - 1) - 1) floordiv v + 1] : (!cb_y) -> !dy
    rule.yield %2 : !dy
  }
  where [r >= 1, s >= 1]

// The rows of the channels take turns.
// CHECK: refuted fold_channels_between_rows
rule.rule @fold_channels_between_rows(%x: !x, %k: !sr) -> !ry
  source {
    %0 = graph.broadcast %k shape = [c, 1, 1, s] : (!sr) -> !dr
    %1 = graph.conv %x, %0 strides = [1, v] pads = [0, l, 0, e] dilations = [1, f] groups = c channels_first : (!x, !dr) -> !ry
    rule.yield %1 : !ry
  }
  target {
    %xt = graph.transpose %x perm = [0, 2, 1, 3] : (!x) -> !cr_t
    %0 = graph.reshape %xt shape = [n, 1, c * h, w] : (!cr_t) -> !cr_x
    %1 = graph.conv %0, %k strides = [1, v] pads = [0, l, 0, e] dilations = [1, f] groups = 1 channels_first : (!cr_x, !sr) -> !cr_y
    %2 = graph.reshape %1 shape = [n, c, h, (w + l + e - f * (s - 1) - 1) floordiv v + 1] : (!cr_y) -> !ry
    rule.yield %2 : !ry
  }
  where [s >= 1]

// Begins and ends of the padding change places too.
// CHECK: refuted swap_spatial_axes_and_ends
rule.rule @swap_spatial_axes_and_ends(%x: !x, %k: !k) -> !y
  source {
    %0 = graph.conv %x, %k strides = [u, v] pads = [t, l, b, e] dilations = [d, f] groups = 1 channels_first : (!x, !k) -> !y
    rule.yield %0 : !y
  }
  target {
    %0 = graph.transpose %x perm = [0, 1, 3, 2] : (!x) -> !wx
    %1 = graph.transpose %k perm = [0, 1, 3, 2] : (!k) -> !wk
    %2 = graph.conv %0, %1 strides = [v, u] pads = [e, b, l, t] dilations = [f, d] groups = 1 channels_first : (!wx, !wk) -> !wy
    %3 = graph.transpose %2 perm = [0, 1, 3, 2] : (!wy) -> !y
    rule.yield %3 : !y
  }
  where [r >= 1, s >= 1]

// The kernel gets its new shape, but not its new order.
// CHECK: refuted swap_spatial_axes_but_kernel
rule.rule @swap_spatial_axes_but_kernel(%x: !x, %k: !k) -> !y
  source {
    %0 = graph.conv %x, %k strides = [u, v] pads = [t, l, b, e] dilations = [d, f] groups = 1 channels_first : (!x, !k) -> !y
    rule.yield %0 : !y
  }
  target {
    %0 = graph.transpose %x perm = [0, 1, 3, 2] : (!x) -> !wx
    %1 = graph.reshape %k shape = [o, c, s, r] : (!k) -> !wk
    %2 = graph.conv %0, %1 strides = [v, u] pads = [l, t, e, b] dilations = [f, d] groups = 1 channels_first : (!wx, !wk) -> !wy
    %3 = graph.transpose %2 perm = [0, 1, 3, 2] : (!wy) -> !y
    rule.yield %3 : !y
  }
  where [r >= 1, s >= 1]

// The padding is not zero.
// CHECK: refuted pad_of_ones_into_conv
rule.rule @pad_of_ones_into_conv(%x: !x, %k: !k) -> !py
  source {
    %0 = graph.pad %x low = [0, 0, pt, pl] high = [0, 0, pb, pe] constant value = 1.0 : (!x) -> !px
    %1 = graph.conv %0, %k strides = [u, v] pads = [t, l, b, e] dilations = [d, f] groups = 1 channels_first : (!px, !k) -> !py
    rule.yield %1 : !py
  }
  target {
    %0 = graph.conv %x, %k strides = [u, v] pads = [t + pt, l + pl, b + pb, e + pe] dilations = [d, f] groups = 1 channels_first : (!x, !k) -> !py
    rule.yield %0 : !py
  }
  where [r >= 1, s >= 1]

// Top and bottom change places.
// CHECK: refuted pad_into_conv_upside_down
rule.rule @pad_into_conv_upside_down(%x: !x, %k: !k) -> !py
  source {
    %0 = graph.pad %x low = [0, 0, pt, pl] high = [0, 0, pb, pe] constant value = 0.0 : (!x) -> !px
    %1 = graph.conv %0, %k strides = [u, v] pads = [t, l, b, e] dilations = [d, f] groups = 1 channels_first : (!px, !k) -> !py
    rule.yield %1 : !py
  }
  target {
    %0 = graph.conv %x, %k strides = [u, v] pads = [t + pb, l + pl, b + pt, e + pe] dilations = [d, f] groups = 1 channels_first : (!x, !k) -> !py
    rule.yield %0 : !py
  }
  where [r >= 1, s >= 1]

// The start is a row of the output.
// CHECK: refuted slice_of_conv_without_stride
rule.rule @slice_of_conv_without_stride(%x: !x, %k: !k) -> !sy
  source {
    %0 = graph.conv %x, %k strides = [u, v] pads = [0, 0, 0, 0] dilations = [d, f] groups = 1 channels_first : (!x, !k) -> !sv
    %1 = graph.slice %0 starts = [0, 0, i, j] sizes = [n, o, p, q] steps = [1, 1, y, z] : (!sv) -> !sy
    rule.yield %1 : !sy
  }
  target {
    %0 = graph.slice %x starts = [0, 0, i, v * j] sizes = [n, c, u * y * (p - 1) + d * (r - 1) + 1, v * z * (q - 1) + f * (s - 1) + 1] steps = [1, 1, 1, 1] : (!x) -> !sx
    %1 = graph.conv %0, %k strides = [u * y, v * z] pads = [0, 0, 0, 0] dilations = [d, f] groups = 1 channels_first : (!sx, !k) -> !sy
    rule.yield %1 : !sy
  }
  where [r >= 1, s >= 1, p >= 1, q >= 1, y >= 1, z >= 1]

// Rows are taken where columns are.
// CHECK: refuted slice_of_conv_turned
rule.rule @slice_of_conv_turned(%x: !x, %k: !k) -> !sy
  source {
    %0 = graph.conv %x, %k strides = [u, v] pads = [0, 0, 0, 0] dilations = [d, f] groups = 1 channels_first : (!x, !k) -> !sv
    %1 = graph.slice %0 starts = [0, 0, i, j] sizes = [n, o, p, q] steps = [1, 1, y, z] : (!sv) -> !sy
    rule.yield %1 : !sy
  }
  target {
    %0 = graph.slice %x starts = [0, 0, u * j, v * i] sizes = [n, c, u * y * (p - 1) + d * (r - 1) + 1, v * z * (q - 1) + f * (s - 1) + 1] steps = [1, 1, 1, 1] : (!x) -> !sx
    %1 = graph.conv %0, %k strides = [u * y, v * z] pads = [0, 0, 0, 0] dilations = [d, f] groups = 1 channels_first : (!sx, !k) -> !sy
    rule.yield %1 : !sy
  }
  where [r >= 1, s >= 1, p >= 1, q >= 1, y >= 1, z >= 1]

// The channels are taken from the start.
// CHECK: refuted channel_slice_from_start
rule.rule @channel_slice_from_start(%x: !x, %k: !k) -> !cy
  source {
    %0 = graph.conv %x, %k strides = [u, v] pads = [t, l, b, e] dilations = [d, f] groups = 1 channels_first : (!x, !k) -> !y
    %1 = graph.slice %0 starts = [i, j, 0, 0] sizes = [m, p, (h + t + b - d * (r - 1) - 1) floordiv u + 1, (w + l + e - f * (s - 1) - 1) floordiv v + 1] steps = [1, 1, 1, 1] : (!y) -> !cy
    rule.yield %1 : !cy
  }
  target {
    %0 = graph.slice %x starts = [i, 0, 0, 0] sizes = [m, c, h, w] steps = [1, 1, 1, 1] : (!x) -> !cx
    %1 = graph.slice %k starts = [0, 0, 0, 0] sizes = [p, c, r, s] steps = [1, 1, 1, 1] : (!k) -> !ck
    %2 = graph.conv %0, %1 strides = [u, v] pads = [t, l, b, e] dilations = [d, f] groups = 1 channels_first : (!cx, !ck) -> !cy
    rule.yield %2 : !cy
  }
  where [r >= 1, s >= 1]

// The batches are taken where the channels are.
// CHECK: refuted channel_slice_of_batch
rule.rule @channel_slice_of_batch(%x: !x, %k: !k) -> !cy
  source {
    %0 = graph.conv %x, %k strides = [u, v] pads = [t, l, b, e] dilations = [d, f] groups = 1 channels_first : (!x, !k) -> !y
    %1 = graph.slice %0 starts = [i, j, 0, 0] sizes = [m, p, (h + t + b - d * (r - 1) - 1) floordiv u + 1, (w + l + e - f * (s - 1) - 1) floordiv v + 1] steps = [1, 1, 1, 1] : (!y) -> !cy
    rule.yield %1 : !cy
  }
  target {
    %0 = graph.slice %x starts = [j, 0, 0, 0] sizes = [m, c, h, w] steps = [1, 1, 1, 1] : (!x) -> !cx
    %1 = graph.slice %k starts = [j, 0, 0, 0] sizes = [p, c, r, s] steps = [1, 1, 1, 1] : (!k) -> !ck
    %2 = graph.conv %0, %1 strides = [u, v] pads = [t, l, b, e] dilations = [d, f] groups = 1 channels_first : (!cx, !ck) -> !cy
    rule.yield %2 : !cy
  }
  where [r >= 1, s >= 1]


// The padding has to be of whole phases.
// CHECK: error: rule 'row_phases_of_other_padding' is false
!php = tensor<?x?x?x?xf32, #graph.dims<n, o, h + t + b - d * (r - 1), (w + l + e - f * (s - 1) - 1) floordiv v + 1>>
rule.rule @row_phases_of_other_padding(%x: !x, %k: !k) -> !php
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
  where [d >= 2, d divides h, d divides b]

// Each phase gets a share of the padding.
// CHECK: error: rule 'column_phases_with_pads_unshared' is false
!pwp = tensor<?x?x?x?xf32, #graph.dims<n, o, (h + t + b - d * (r - 1) - 1) floordiv u + 1, w + l + e - f * (s - 1)>>
rule.rule @column_phases_with_pads_unshared(%x: !x, %k: !k) -> !pwp
  source {
    %0 = graph.conv %x, %k strides = [u, 1] pads = [t, l, b, e] dilations = [d, f] groups = 1 channels_first
    rule.yield %0
  }
  target {
    %0 = graph.reshape %x shape = [n, c, h, w floordiv f, f]
    %1 = graph.transpose %0 perm = [4, 0, 1, 2, 3]
    %2 = graph.reshape %1 shape = [f * n, c, h, w floordiv f]
    %3 = graph.conv %2, %k strides = [u, 1] pads = [t, l, b, e floordiv f] dilations = [d, 1] groups = 1 channels_first
    %4 = graph.reshape %3 shape = [f, n, o, (h + t + b - d * (r - 1) - 1) floordiv u + 1, w floordiv f + l floordiv f + e floordiv f - s + 1]
    %5 = graph.transpose %4 perm = [1, 2, 3, 4, 0]
    %6 = graph.reshape %5 shape = [n, o, (h + t + b - d * (r - 1) - 1) floordiv u + 1, w + l + e - f * (s - 1)]
    rule.yield %6
  }
  where [f >= 2, f divides w, f divides l, f divides e]

// CHECK: 0 proved, 21 refuted
