// Negative tests for rules/merge-convs.mlir: each must be refuted.
// RUN: not tenon-rules prove %s 2>&1 | FileCheck %s
// The proofs themselves find none of them, without trying small sizes first.
// RUN: not tenon-rules prove --without-refuting --rlimit 100000 %s 2>&1 | FileCheck %s --check-prefix=PROOF
// PROOF: 0 proved, 27 unknown
// REQUIRES: z3
// REQUIRES: full

!boHW = tensor<?x?x?x?xf32, #graph.dims<b, o, (h + e + i - d * (r - 1) - 1) floordiv s + 1, (w + f + j - l * (t - 1) - 1) floordiv u + 1>>
!bpHW = tensor<?x?x?x?xf32, #graph.dims<b, p, (h + e + i - d * (r - 1) - 1) floordiv s + 1, (w + f + j - l * (t - 1) - 1) floordiv u + 1>>
!bchw = tensor<?x?x?x?xf32, #graph.dims<b, c, h, w>>
!ocrt = tensor<?x?x?x?xf32, #graph.dims<o, c, r, t>>
!pcrt = tensor<?x?x?x?xf32, #graph.dims<p, c, r, t>>
!op_c_r_t = tensor<?x?x?x?xf32, #graph.dims<o + p, c, r, t>>
!b_op_H_W = tensor<?x?x?x?xf32, #graph.dims<b, o + p, (h + e + i - d * (r - 1) - 1) floordiv s + 1, (w + f + j - l * (t - 1) - 1) floordiv u + 1>>
!b_2c_h_w = tensor<?x?x?x?xf32, #graph.dims<b, 2 * c, h, w>>
!b_o_H1_W1 = tensor<?x?x?x?xf32, #graph.dims<b, o, (h + e + i - r) floordiv s + 1, (w + f + j - t) floordiv u + 1>>
!b_p_H2_W2 = tensor<?x?x?x?xf32, #graph.dims<b, p, (h + m + k - q) floordiv s + 1, (w + n + a - y) floordiv u + 1>>
!pcqy = tensor<?x?x?x?xf32, #graph.dims<p, c, q, y>>
!ocqy = tensor<?x?x?x?xf32, #graph.dims<o, c, q, y>>
!op_c_q_y = tensor<?x?x?x?xf32, #graph.dims<o + p, c, q, y>>
!b_op_H2_W2 = tensor<?x?x?x?xf32, #graph.dims<b, o + p, (h + m + k - q) floordiv s + 1, (w + n + a - y) floordiv u + 1>>
!poHW = tensor<?x?x?x?xf32, #graph.dims<p, o, (h + e + i - d * (r - 1) - 1) floordiv s + 1, (w + f + j - l * (t - 1) - 1) floordiv u + 1>>
!b_gc_h_w = tensor<?x?x?x?xf32, #graph.dims<b, g * c, h, w>>
!p_gc_h_w = tensor<?x?x?x?xf32, #graph.dims<p, g * c, h, w>>
!bp_gc_h_w = tensor<?x?x?x?xf32, #graph.dims<b + p, g * c, h, w>>
!bp_o_H_W = tensor<?x?x?x?xf32, #graph.dims<b + p, o, (h + e + i - d * (r - 1) - 1) floordiv s + 1, (w + f + j - l * (t - 1) - 1) floordiv u + 1>>
!t2o_c_r_t = tensor<?x?x?x?xf32, #graph.dims<2 * o, c, r, t>>
!b_2o_H_W = tensor<?x?x?x?xf32, #graph.dims<b, 2 * o, (h + e + i - d * (r - 1) - 1) floordiv s + 1, (w + f + j - l * (t - 1) - 1) floordiv u + 1>>
!b_3c_h_w = tensor<?x?x?x?xf32, #graph.dims<b, 3 * c, h, w>>
!t3o_c_r_t = tensor<?x?x?x?xf32, #graph.dims<3 * o, c, r, t>>
!b_3o_H_W = tensor<?x?x?x?xf32, #graph.dims<b, 3 * o, (h + e + i - d * (r - 1) - 1) floordiv s + 1, (w + f + j - l * (t - 1) - 1) floordiv u + 1>>
!t2p_c_r_t = tensor<?x?x?x?xf32, #graph.dims<2 * p, c, r, t>>
!b_2p_H_W = tensor<?x?x?x?xf32, #graph.dims<b, 2 * p, (h + e + i - d * (r - 1) - 1) floordiv s + 1, (w + f + j - l * (t - 1) - 1) floordiv u + 1>>
!b_p_less_o_H_W = tensor<?x?x?x?xf32, #graph.dims<b, p - o, (h + e + i - d * (r - 1) - 1) floordiv s + 1, (w + f + j - l * (t - 1) - 1) floordiv u + 1>>
!b_4c_h_w = tensor<?x?x?x?xf32, #graph.dims<b, 4 * c, h, w>>
!O4_c_r_t = tensor<?x?x?x?xf32, #graph.dims<o floordiv 4, c, r, t>>
!O4_2c_r_t = tensor<?x?x?x?xf32, #graph.dims<o floordiv 4, 2 * c, r, t>>
!o_2c_r_t = tensor<?x?x?x?xf32, #graph.dims<o, 2 * c, r, t>>
!O2_c_r_t = tensor<?x?x?x?xf32, #graph.dims<o floordiv 2, c, r, t>>
!O2_2c_r_t = tensor<?x?x?x?xf32, #graph.dims<o floordiv 2, 2 * c, r, t>>
!O3_c_r_t = tensor<?x?x?x?xf32, #graph.dims<o floordiv 3, c, r, t>>
!O3_3c_r_t = tensor<?x?x?x?xf32, #graph.dims<o floordiv 3, 3 * c, r, t>>
!o_3c_r_t = tensor<?x?x?x?xf32, #graph.dims<o, 3 * c, r, t>>
!b_oq_H_W = tensor<?x?x?x?xf32, #graph.dims<b, o + q, (h + e + i - d * (r - 1) - 1) floordiv s + 1, (w + f + j - l * (t - 1) - 1) floordiv u + 1>>
!o_cp_r_t = tensor<?x?x?x?xf32, #graph.dims<o, c + p, r, t>>
!oprt = tensor<?x?x?x?xf32, #graph.dims<o, p, r, t>>
!q_cp_r_t = tensor<?x?x?x?xf32, #graph.dims<q, c + p, r, t>>
!qcrt = tensor<?x?x?x?xf32, #graph.dims<q, c, r, t>>
!qprt = tensor<?x?x?x?xf32, #graph.dims<q, p, r, t>>
!oq_cp_r_t = tensor<?x?x?x?xf32, #graph.dims<o + q, c + p, r, t>>
!b_cp_h_w = tensor<?x?x?x?xf32, #graph.dims<b, c + p, h, w>>
!bphw = tensor<?x?x?x?xf32, #graph.dims<b, p, h, w>>
!bqHW = tensor<?x?x?x?xf32, #graph.dims<b, q, (h + e + i - d * (r - 1) - 1) floordiv s + 1, (w + f + j - l * (t - 1) - 1) floordiv u + 1>>
!t2o_2c_r_t = tensor<?x?x?x?xf32, #graph.dims<2 * o, 2 * c, r, t>>
!bcHW = tensor<?x?x?x?xf32, #graph.dims<b, c, (h + e + i - d * (r - 1) - 1) floordiv s + 1, (w + f + j - l * (t - 1) - 1) floordiv u + 1>>
!pcHW = tensor<?x?x?x?xf32, #graph.dims<p, c, (h + e + i - d * (r - 1) - 1) floordiv s + 1, (w + f + j - l * (t - 1) - 1) floordiv u + 1>>
!pchw = tensor<?x?x?x?xf32, #graph.dims<p, c, h, w>>
!bp_c_h_w = tensor<?x?x?x?xf32, #graph.dims<b + p, c, h, w>>
!bp_c_H_W = tensor<?x?x?x?xf32, #graph.dims<b + p, c, (h + e + i - d * (r - 1) - 1) floordiv s + 1, (w + f + j - l * (t - 1) - 1) floordiv u + 1>>
!b_cp_H_W = tensor<?x?x?x?xf32, #graph.dims<b, c + p, (h + e + i - d * (r - 1) - 1) floordiv s + 1, (w + f + j - l * (t - 1) - 1) floordiv u + 1>>

// The weights are joined in the other order than the result is split.
// CHECK: refuted merge_weights_in_other_order
rule.rule @merge_weights_in_other_order(%x: [b, c, h, w], %v: [o, c, r, t], %z: [p, c, r, t]) -> (!boHW, !bpHW)
  source {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first : (!bchw, !ocrt) -> !boHW
    %1 = graph.conv %x, %z strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first : (!bchw, !pcrt) -> !bpHW
    rule.yield %0, %1 : !boHW, !bpHW
  }
  target {
    %vz = graph.concat %z, %v axis = 0 : (!pcrt, !ocrt) -> !op_c_r_t
    %y = graph.conv %x, %vz strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first : (!bchw, !op_c_r_t) -> !b_op_H_W
    %0, %1 = graph.split %y axis = 1 sizes = [o, p] : (!b_op_H_W) -> (!boHW, !bpHW)
    rule.yield %0, %1 : !boHW, !bpHW
  }

// 6. The same where one kernel is larger by as much as its pads are: the smaller
// kernel gets zeros around. (3 x 3 with pads of 1 beside 1 x 1 without pads.)

// With more than one group, the outputs of both are interleaved.
// CHECK: refuted merge_convs_of_two_groups
rule.rule @merge_convs_of_two_groups(%x: [b, 2 * c, h, w], %v: [o, c, r, t], %z: [p, c, r, t]) -> (!boHW, !bpHW)
  source {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 2 channels_first : (!b_2c_h_w, !ocrt) -> !boHW
    %1 = graph.conv %x, %z strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 2 channels_first : (!b_2c_h_w, !pcrt) -> !bpHW
    rule.yield %0, %1 : !boHW, !bpHW
  }
  target {
    %vz = graph.concat %v, %z axis = 0 : (!ocrt, !pcrt) -> !op_c_r_t
    %y = graph.conv %x, %vz strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 2 channels_first : (!b_2c_h_w, !op_c_r_t) -> !b_op_H_W
    %0, %1 = graph.split %y axis = 1 sizes = [o, p] : (!b_op_H_W) -> (!boHW, !bpHW)
    rule.yield %0, %1 : !boHW, !bpHW
  }
  where [2 divides p]

// 6. The same where one kernel is larger by as much as its pads are: the smaller
// kernel gets zeros around. (3 x 3 with pads of 1 beside 1 x 1 without pads.)

// A kernel that is not larger by as much as the pads are.
// CHECK: refuted enlarge_without_fitting_rows
rule.rule @enlarge_without_fitting_rows(%x: [b, c, h, w], %v: [o, c, r, t], %z: [p, c, q, y]) -> (!b_o_H1_W1, !b_p_H2_W2)
  source {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [1, 1] groups = 1 channels_first : (!bchw, !ocrt) -> !b_o_H1_W1
    %1 = graph.conv %x, %z strides = [s, u] pads = [m, n, k, a] dilations = [1, 1] groups = 1 channels_first : (!bchw, !pcqy) -> !b_p_H2_W2
    rule.yield %0, %1 : !b_o_H1_W1, !b_p_H2_W2
  }
  target {
    %enlarged = graph.pad %v low = [0, 0, m - e, n - f] high = [0, 0, k - i, a - j] constant value = 0.0 : (!ocrt) -> !ocqy
    %vz = graph.concat %enlarged, %z axis = 0 : (!ocqy, !pcqy) -> !op_c_q_y
    %2 = graph.conv %x, %vz strides = [s, u] pads = [m, n, k, a] dilations = [1, 1] groups = 1 channels_first : (!bchw, !op_c_q_y) -> !b_op_H2_W2
    %0 = graph.slice %2 starts = [0, 0, 0, 0] sizes = [b, o, (h + e + i - r) floordiv s + 1, (w + f + j - t) floordiv u + 1] steps = [1, 1, 1, 1] : (!b_op_H2_W2) -> !b_o_H1_W1
    %1 = graph.slice %2 starts = [0, o, 0, 0] sizes = [b, p, (h + m + k - q) floordiv s + 1, (w + n + a - y) floordiv u + 1] steps = [1, 1, 1, 1] : (!b_op_H2_W2) -> !b_p_H2_W2
    rule.yield %0, %1 : !b_o_H1_W1, !b_p_H2_W2
  }
  where [y == t + n - f + a - j, m >= e, n >= f, k >= i, a >= j]

// 7. Convolutions that share their weight: inputs are joined along the batch.

// Zeros above for the pads below.
// CHECK: refuted enlarge_on_the_wrong_side
rule.rule @enlarge_on_the_wrong_side(%x: [b, c, h, w], %v: [o, c, r, t], %z: [p, c, q, y]) -> (!b_o_H1_W1, !b_p_H2_W2)
  source {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [1, 1] groups = 1 channels_first : (!bchw, !ocrt) -> !b_o_H1_W1
    %1 = graph.conv %x, %z strides = [s, u] pads = [m, n, k, a] dilations = [1, 1] groups = 1 channels_first : (!bchw, !pcqy) -> !b_p_H2_W2
    rule.yield %0, %1 : !b_o_H1_W1, !b_p_H2_W2
  }
  target {
    %enlarged = graph.pad %v low = [0, 0, k - i, n - f] high = [0, 0, m - e, a - j] constant value = 0.0 : (!ocrt) -> !ocqy
    %vz = graph.concat %enlarged, %z axis = 0 : (!ocqy, !pcqy) -> !op_c_q_y
    %2 = graph.conv %x, %vz strides = [s, u] pads = [m, n, k, a] dilations = [1, 1] groups = 1 channels_first : (!bchw, !op_c_q_y) -> !b_op_H2_W2
    %0 = graph.slice %2 starts = [0, 0, 0, 0] sizes = [b, o, (h + e + i - r) floordiv s + 1, (w + f + j - t) floordiv u + 1] steps = [1, 1, 1, 1] : (!b_op_H2_W2) -> !b_o_H1_W1
    %1 = graph.slice %2 starts = [0, o, 0, 0] sizes = [b, p, (h + m + k - q) floordiv s + 1, (w + n + a - y) floordiv u + 1] steps = [1, 1, 1, 1] : (!b_op_H2_W2) -> !b_p_H2_W2
    rule.yield %0, %1 : !b_o_H1_W1, !b_p_H2_W2
  }
  where [q == r + m - e + k - i, y == t + n - f + a - j, m >= e, n >= f, k >= i,
         a >= j]

// 7. Convolutions that share their weight: inputs are joined along the batch.

// CHECK: refuted merge_batches_in_other_order
rule.rule @merge_batches_in_other_order(%x: [b, g * c, h, w], %y: [p, g * c, h, w], %v: [o, c, r, t]) -> (!boHW, !poHW)
  source {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = g channels_first : (!b_gc_h_w, !ocrt) -> !boHW
    %1 = graph.conv %y, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = g channels_first : (!p_gc_h_w, !ocrt) -> !poHW
    rule.yield %0, %1 : !boHW, !poHW
  }
  target {
    %xy = graph.concat %y, %x axis = 0 : (!p_gc_h_w, !b_gc_h_w) -> !bp_gc_h_w
    %z = graph.conv %xy, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = g channels_first : (!bp_gc_h_w, !ocrt) -> !bp_o_H_W
    %0, %1 = graph.split %z axis = 0 sizes = [b, p] : (!bp_o_H_W) -> (!boHW, !poHW)
    rule.yield %0, %1 : !boHW, !poHW
  }

// 8. Convolutions of different inputs are the groups of one. All groups of a
// convolution have equally many inputs and equally many outputs, so both must
// have the same input channels and the same output channels.

// The inputs and the weights of the groups in different orders.
// CHECK: refuted merge_inputs_in_other_order
rule.rule @merge_inputs_in_other_order(%x: [b, c, h, w], %y: [b, c, h, w], %v: [o, c, r, t], %z: [o, c, r, t]) -> (!boHW, !boHW)
  source {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first : (!bchw, !ocrt) -> !boHW
    %1 = graph.conv %y, %z strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first : (!bchw, !ocrt) -> !boHW
    rule.yield %0, %1 : !boHW, !boHW
  }
  target {
    %xy = graph.concat %y, %x axis = 1 : (!bchw, !bchw) -> !b_2c_h_w
    %vz = graph.concat %v, %z axis = 0 : (!ocrt, !ocrt) -> !t2o_c_r_t
    %2 = graph.conv %xy, %vz strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 2 channels_first : (!b_2c_h_w, !t2o_c_r_t) -> !b_2o_H_W
    %0, %1 = graph.split %2 axis = 1 sizes = [o, o] : (!b_2o_H_W) -> (!boHW, !boHW)
    rule.yield %0, %1 : !boHW, !boHW
  }

// The same for three, since the result is no sibling of a third convolution,
// and for the form in which the results are joined.

// A group convolution shares out its outputs evenly to the groups, whatever
// number each convolution had. (Rules 99, 100, 130 and 131 of TASO's file.)
// CHECK: refuted merge_unequal_outputs_to_groups
rule.rule @merge_unequal_outputs_to_groups(%x: [b, c, h, w], %y: [b, c, h, w], %v: [o, c, r, t], %z: [p, c, r, t]) -> (!boHW, !bpHW)
  source {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first : (!bchw, !ocrt) -> !boHW
    %1 = graph.conv %y, %z strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first : (!bchw, !pcrt) -> !bpHW
    rule.yield %0, %1 : !boHW, !bpHW
  }
  target {
    %xy = graph.concat %x, %y axis = 1 : (!bchw, !bchw) -> !b_2c_h_w
    %vz = graph.concat %v, %z axis = 0 : (!ocrt, !pcrt) -> !op_c_r_t
    %2 = graph.conv %xy, %vz strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 2 channels_first : (!b_2c_h_w, !op_c_r_t) -> !b_op_H_W
    %0, %1 = graph.split %2 axis = 1 sizes = [o, p] : (!b_op_H_W) -> (!boHW, !bpHW)
    rule.yield %0, %1 : !boHW, !bpHW
  }
  where [2 divides o + p]

// The same for three, since the result is no sibling of a third convolution,
// and for the form in which the results are joined.

// CHECK: refuted merge_three_with_two_swapped
rule.rule @merge_three_with_two_swapped(%x: [b, c, h, w], %y: [b, c, h, w], %q: [b, c, h, w], %v: [o, c, r, t], %z: [o, c, r, t], %k: [o, c, r, t])
    -> (!boHW, !boHW, !boHW)
  source {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first : (!bchw, !ocrt) -> !boHW
    %1 = graph.conv %y, %z strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first : (!bchw, !ocrt) -> !boHW
    %2 = graph.conv %q, %k strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first : (!bchw, !ocrt) -> !boHW
    rule.yield %0, %1, %2 : !boHW, !boHW, !boHW
  }
  target {
    %xyq = graph.concat %x, %y, %q axis = 1 : (!bchw, !bchw, !bchw) -> !b_3c_h_w
    %vzk = graph.concat %v, %k, %z axis = 0 : (!ocrt, !ocrt, !ocrt) -> !t3o_c_r_t
    %3 = graph.conv %xyq, %vzk strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 3 channels_first : (!b_3c_h_w, !t3o_c_r_t) -> !b_3o_H_W
    %0, %1, %2 = graph.split %3 axis = 1 sizes = [o, o, o] : (!b_3o_H_W) -> (!boHW, !boHW, !boHW)
    rule.yield %0, %1, %2 : !boHW, !boHW, !boHW
  }

// CHECK: refuted concat_of_convs_swapped
rule.rule @concat_of_convs_swapped(%x: [b, c, h, w], %y: [b, c, h, w], %v: [o, c, r, t], %z: [o, c, r, t]) -> !b_2o_H_W
  source {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first : (!bchw, !ocrt) -> !boHW
    %1 = graph.conv %y, %z strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first : (!bchw, !ocrt) -> !boHW
    %2 = graph.concat %0, %1 axis = 1 : (!boHW, !boHW) -> !b_2o_H_W
    rule.yield %2 : !b_2o_H_W
  }
  target {
    %xy = graph.concat %x, %y axis = 1 : (!bchw, !bchw) -> !b_2c_h_w
    %vz = graph.concat %z, %v axis = 0 : (!ocrt, !ocrt) -> !t2o_c_r_t
    %2 = graph.conv %xy, %vz strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 2 channels_first : (!b_2c_h_w, !t2o_c_r_t) -> !b_2o_H_W
    rule.yield %2 : !b_2o_H_W
  }

// 9. Unequal output channels: the smaller weight gets outputs of zero, which are
// cut off again.

// The outputs of zero stand in front of the others.
// CHECK: refuted fill_outputs_in_front
rule.rule @fill_outputs_in_front(%x: [b, c, h, w], %y: [b, c, h, w], %v: [o, c, r, t], %z: [p, c, r, t]) -> (!boHW, !bpHW)
  source {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first : (!bchw, !ocrt) -> !boHW
    %1 = graph.conv %y, %z strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first : (!bchw, !pcrt) -> !bpHW
    rule.yield %0, %1 : !boHW, !bpHW
  }
  target {
    %xy = graph.concat %x, %y axis = 1 : (!bchw, !bchw) -> !b_2c_h_w
    %filled = graph.pad %v low = [p - o, 0, 0, 0] high = [0, 0, 0, 0] constant value = 0.0 : (!ocrt) -> !pcrt
    %vz = graph.concat %filled, %z axis = 0 : (!pcrt, !pcrt) -> !t2p_c_r_t
    %2 = graph.conv %xy, %vz strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 2 channels_first : (!b_2c_h_w, !t2p_c_r_t) -> !b_2p_H_W
    %0, %zeros, %1 = graph.split %2 axis = 1 sizes = [o, p - o, p] : (!b_2p_H_W) -> (!boHW, !b_p_less_o_H_W, !bpHW)
    rule.yield %0, %1 : !boHW, !bpHW
  }
  where [o <= p]

// 10. A shared input, read once by each group.

// A weight can't be filled up to fewer outputs.
// CHECK: refuted fill_the_larger_weight
rule.rule @fill_the_larger_weight(%x: [b, c, h, w], %y: [b, c, h, w], %v: [o, c, r, t], %z: [p, c, r, t]) -> (!boHW, !bpHW)
  source {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first : (!bchw, !ocrt) -> !boHW
    %1 = graph.conv %y, %z strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first : (!bchw, !pcrt) -> !bpHW
    rule.yield %0, %1 : !boHW, !bpHW
  }
  target {
    %xy = graph.concat %x, %y axis = 1 : (!bchw, !bchw) -> !b_2c_h_w
    %filled = graph.pad %v low = [0, 0, 0, 0] high = [p - o, 0, 0, 0] constant value = 0.0 : (!ocrt) -> !pcrt
    %vz = graph.concat %filled, %z axis = 0 : (!pcrt, !pcrt) -> !t2p_c_r_t
    %2 = graph.conv %xy, %vz strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 2 channels_first : (!b_2c_h_w, !t2p_c_r_t) -> !b_2p_H_W
    %0, %zeros, %1 = graph.split %2 axis = 1 sizes = [o, p - o, p] : (!b_2p_H_W) -> (!boHW, !b_p_less_o_H_W, !bpHW)
    rule.yield %0, %1 : !boHW, !bpHW
  }

// 10. A shared input, read once by each group.

// CHECK: refuted share_input_with_weights_swapped
rule.rule @share_input_with_weights_swapped(%x: [b, c, h, w], %v: [o, c, r, t], %z: [o, c, r, t]) -> (!boHW, !boHW)
  source {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first : (!bchw, !ocrt) -> !boHW
    %1 = graph.conv %x, %z strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first : (!bchw, !ocrt) -> !boHW
    rule.yield %0, %1 : !boHW, !boHW
  }
  target {
    %xx = graph.concat %x, %x axis = 1 : (!bchw, !bchw) -> !b_2c_h_w
    %vz = graph.concat %z, %v axis = 0 : (!ocrt, !ocrt) -> !t2o_c_r_t
    %2 = graph.conv %xx, %vz strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 2 channels_first : (!b_2c_h_w, !t2o_c_r_t) -> !b_2o_H_W
    %0, %1 = graph.split %2 axis = 1 sizes = [o, o] : (!b_2o_H_W) -> (!boHW, !boHW)
    rule.yield %0, %1 : !boHW, !boHW
  }

// 11. g groups are g / k groups (k divides g) with block-diagonal weights: each
// run of k weights is shifted along the input channels, with zeros elsewhere.
// Instance: four groups as two.

// Every second run of weights must be shifted.
// CHECK: refuted four_groups_to_two_unshifted
rule.rule @four_groups_to_two_unshifted(%x: [b, 4 * c, h, w], %v: [o, c, r, t]) -> !boHW
  source {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 4 channels_first : (!b_4c_h_w, !ocrt) -> !boHW
    rule.yield %0 : !boHW
  }
  target {
    %v0, %v1, %v2, %v3 = graph.split %v axis = 0 sizes = [o floordiv 4, o floordiv 4, o floordiv 4, o floordiv 4] : (!ocrt) -> (!O4_c_r_t, !O4_c_r_t, !O4_c_r_t, !O4_c_r_t)
    %p0 = graph.pad %v0 low = [0, 0, 0, 0] high = [0, c, 0, 0] constant value = 0.0 : (!O4_c_r_t) -> !O4_2c_r_t
    %p1 = graph.pad %v1 low = [0, 0, 0, 0] high = [0, c, 0, 0] constant value = 0.0 : (!O4_c_r_t) -> !O4_2c_r_t
    %p2 = graph.pad %v2 low = [0, 0, 0, 0] high = [0, c, 0, 0] constant value = 0.0 : (!O4_c_r_t) -> !O4_2c_r_t
    %p3 = graph.pad %v3 low = [0, c, 0, 0] high = [0, 0, 0, 0] constant value = 0.0 : (!O4_c_r_t) -> !O4_2c_r_t
    %vv = graph.concat %p0, %p1, %p2, %p3 axis = 0 : (!O4_2c_r_t, !O4_2c_r_t, !O4_2c_r_t, !O4_2c_r_t) -> !o_2c_r_t
    %0 = graph.conv %x, %vv strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 2 channels_first : (!b_4c_h_w, !o_2c_r_t) -> !boHW
    rule.yield %0 : !boHW
  }

// 12. The same with k = g: a dense convolution. Instances: g = 2 and g = 3.

// CHECK: refuted two_groups_to_one_swapped
rule.rule @two_groups_to_one_swapped(%x: [b, 2 * c, h, w], %v: [o, c, r, t]) -> !boHW
  source {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 2 channels_first : (!b_2c_h_w, !ocrt) -> !boHW
    rule.yield %0 : !boHW
  }
  target {
    %v0, %v1 = graph.split %v axis = 0 sizes = [o floordiv 2, o floordiv 2] : (!ocrt) -> (!O2_c_r_t, !O2_c_r_t)
    %p0 = graph.pad %v0 low = [0, 0, 0, 0] high = [0, c, 0, 0] constant value = 0.0 : (!O2_c_r_t) -> !O2_2c_r_t
    %p1 = graph.pad %v1 low = [0, c, 0, 0] high = [0, 0, 0, 0] constant value = 0.0 : (!O2_c_r_t) -> !O2_2c_r_t
    %vv = graph.concat %p1, %p0 axis = 0 : (!O2_2c_r_t, !O2_2c_r_t) -> !o_2c_r_t
    %0 = graph.conv %x, %vv strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first : (!b_2c_h_w, !o_2c_r_t) -> !boHW
    rule.yield %0 : !boHW
  }

// CHECK: refuted three_groups_to_one_shifted_twice
rule.rule @three_groups_to_one_shifted_twice(%x: [b, 3 * c, h, w], %v: [o, c, r, t]) -> !boHW
  source {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 3 channels_first : (!b_3c_h_w, !ocrt) -> !boHW
    rule.yield %0 : !boHW
  }
  target {
    %v0, %v1, %v2 = graph.split %v axis = 0 sizes = [o floordiv 3, o floordiv 3, o floordiv 3] : (!ocrt) -> (!O3_c_r_t, !O3_c_r_t, !O3_c_r_t)
    %p0 = graph.pad %v0 low = [0, 0, 0, 0] high = [0, 2 * c, 0, 0] constant value = 0.0 : (!O3_c_r_t) -> !O3_3c_r_t
    %p1 = graph.pad %v1 low = [0, 2 * c, 0, 0] high = [0, 0, 0, 0] constant value = 0.0 : (!O3_c_r_t) -> !O3_3c_r_t
    %p2 = graph.pad %v2 low = [0, 2 * c, 0, 0] high = [0, 0, 0, 0] constant value = 0.0 : (!O3_c_r_t) -> !O3_3c_r_t
    %vv = graph.concat %p0, %p1, %p2 axis = 0 : (!O3_3c_r_t, !O3_3c_r_t, !O3_3c_r_t) -> !o_3c_r_t
    %0 = graph.conv %x, %vv strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first : (!b_3c_h_w, !o_3c_r_t) -> !boHW
    rule.yield %0 : !boHW
  }

// 13. The inverse of 12: a convolution whose weight has blocks of zeros is two,
// each of a part of the channels; where the blocks are equally large, it is one of
// two groups.

// A block that is not zero.
// CHECK: refuted split_conv_with_a_block_on_the_right
rule.rule @split_conv_with_a_block_on_the_right(%x: [b, c + p, h, w], %v: [o, c, r, t], %right: [o, p, r, t], %left: [q, c, r, t], %z: [q, p, r, t])
    -> !b_oq_H_W
  source {
    %upper = graph.concat %v, %right axis = 1 : (!ocrt, !oprt) -> !o_cp_r_t
    %lower = graph.concat %left, %z axis = 1 : (!qcrt, !qprt) -> !q_cp_r_t
    %weight = graph.concat %upper, %lower axis = 0 : (!o_cp_r_t, !q_cp_r_t) -> !oq_cp_r_t
    %0 = graph.conv %x, %weight strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first : (!b_cp_h_w, !oq_cp_r_t) -> !b_oq_H_W
    rule.yield %0 : !b_oq_H_W
  }
  target {
    %x0, %x1 = graph.split %x axis = 1 sizes = [c, p] : (!b_cp_h_w) -> (!bchw, !bphw)
    %0 = graph.conv %x0, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first : (!bchw, !ocrt) -> !boHW
    %1 = graph.conv %x1, %z strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first : (!bphw, !qprt) -> !bqHW
    %2 = graph.concat %0, %1 axis = 1 : (!boHW, !bqHW) -> !b_oq_H_W
    rule.yield %2 : !b_oq_H_W
  }
  where [is_zero(%left)]

// CHECK: refuted split_conv_with_a_block_on_the_left
rule.rule @split_conv_with_a_block_on_the_left(%x: [b, c + p, h, w], %v: [o, c, r, t], %right: [o, p, r, t], %left: [q, c, r, t], %z: [q, p, r, t]) -> !b_oq_H_W
  source {
    %upper = graph.concat %v, %right axis = 1 : (!ocrt, !oprt) -> !o_cp_r_t
    %lower = graph.concat %left, %z axis = 1 : (!qcrt, !qprt) -> !q_cp_r_t
    %weight = graph.concat %upper, %lower axis = 0 : (!o_cp_r_t, !q_cp_r_t) -> !oq_cp_r_t
    %0 = graph.conv %x, %weight strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first : (!b_cp_h_w, !oq_cp_r_t) -> !b_oq_H_W
    rule.yield %0 : !b_oq_H_W
  }
  target {
    %x0, %x1 = graph.split %x axis = 1 sizes = [c, p] : (!b_cp_h_w) -> (!bchw, !bphw)
    %0 = graph.conv %x0, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first : (!bchw, !ocrt) -> !boHW
    %1 = graph.conv %x1, %z strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first : (!bphw, !qprt) -> !bqHW
    %2 = graph.concat %0, %1 axis = 1 : (!boHW, !bqHW) -> !b_oq_H_W
    rule.yield %2 : !b_oq_H_W
  }
  where [is_zero(%right)]

// CHECK: refuted split_conv_swapped
rule.rule @split_conv_swapped(%x: [b, c + p, h, w], %v: [o, c, r, t], %right: [o, p, r, t], %left: [q, c, r, t], %z: [q, p, r, t]) -> !b_oq_H_W
  source {
    %upper = graph.concat %v, %right axis = 1 : (!ocrt, !oprt) -> !o_cp_r_t
    %lower = graph.concat %left, %z axis = 1 : (!qcrt, !qprt) -> !q_cp_r_t
    %weight = graph.concat %upper, %lower axis = 0 : (!o_cp_r_t, !q_cp_r_t) -> !oq_cp_r_t
    %0 = graph.conv %x, %weight strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first : (!b_cp_h_w, !oq_cp_r_t) -> !b_oq_H_W
    rule.yield %0 : !b_oq_H_W
  }
  target {
    %x0, %x1 = graph.split %x axis = 1 sizes = [c, p] : (!b_cp_h_w) -> (!bchw, !bphw)
    %0 = graph.conv %x0, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first : (!bchw, !ocrt) -> !boHW
    %1 = graph.conv %x1, %z strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first : (!bphw, !qprt) -> !bqHW
    %2 = graph.concat %1, %0 axis = 1 : (!bqHW, !boHW) -> !b_oq_H_W
    rule.yield %2 : !b_oq_H_W
  }
  where [is_zero(%right), is_zero(%left)]

// CHECK: refuted conv_with_a_block_to_groups
rule.rule @conv_with_a_block_to_groups(%x: [b, 2 * c, h, w], %v: [o, c, r, t], %right: [o, c, r, t], %left: [o, c, r, t], %z: [o, c, r, t]) -> !b_2o_H_W
  source {
    %upper = graph.concat %v, %right axis = 1 : (!ocrt, !ocrt) -> !o_2c_r_t
    %lower = graph.concat %left, %z axis = 1 : (!ocrt, !ocrt) -> !o_2c_r_t
    %weight = graph.concat %upper, %lower axis = 0 : (!o_2c_r_t, !o_2c_r_t) -> !t2o_2c_r_t
    %0 = graph.conv %x, %weight strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first : (!b_2c_h_w, !t2o_2c_r_t) -> !b_2o_H_W
    rule.yield %0 : !b_2o_H_W
  }
  target {
    %vz = graph.concat %v, %z axis = 0 : (!ocrt, !ocrt) -> !t2o_c_r_t
    %0 = graph.conv %x, %vz strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 2 channels_first : (!b_2c_h_w, !t2o_c_r_t) -> !b_2o_H_W
    rule.yield %0 : !b_2o_H_W
  }
  where [is_zero(%left)]

// 15. Pools of siblings: inputs joined along the batch or along the channels,
// which a pool keeps apart.

// The blocks off the diagonal are kept, those on it are zero.
// CHECK: refuted conv_with_blocks_off_the_diagonal_to_groups
rule.rule @conv_with_blocks_off_the_diagonal_to_groups(%x: [b, 2 * c, h, w], %v: [o, c, r, t], %right: [o, c, r, t], %left: [o, c, r, t], %z: [o, c, r, t])
    -> !b_2o_H_W
  source {
    %upper = graph.concat %v, %right axis = 1 : (!ocrt, !ocrt) -> !o_2c_r_t
    %lower = graph.concat %left, %z axis = 1 : (!ocrt, !ocrt) -> !o_2c_r_t
    %weight = graph.concat %upper, %lower axis = 0 : (!o_2c_r_t, !o_2c_r_t) -> !t2o_2c_r_t
    %0 = graph.conv %x, %weight strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first : (!b_2c_h_w, !t2o_2c_r_t) -> !b_2o_H_W
    rule.yield %0 : !b_2o_H_W
  }
  target {
    %vz = graph.concat %right, %left axis = 0 : (!ocrt, !ocrt) -> !t2o_c_r_t
    %0 = graph.conv %x, %vz strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 2 channels_first : (!b_2c_h_w, !t2o_c_r_t) -> !b_2o_H_W
    rule.yield %0 : !b_2o_H_W
  }
  where [is_zero(%v), is_zero(%z)]

// 15. Pools of siblings: inputs joined along the batch or along the channels,
// which a pool keeps apart.

// CHECK: refuted max_pools_along_batch_swapped
rule.rule @max_pools_along_batch_swapped(%x: [b, c, h, w], %y: [p, c, h, w]) -> (!bcHW, !pcHW)
  source {
    %0 = graph.max_pool %x kernel = [r, t] strides = [s, u] pads = [e, f, i, j] dilations = [d, l] channels_first : (!bchw) -> !bcHW
    %1 = graph.max_pool %y kernel = [r, t] strides = [s, u] pads = [e, f, i, j] dilations = [d, l] channels_first : (!pchw) -> !pcHW
    rule.yield %0, %1 : !bcHW, !pcHW
  }
  target {
    %xy = graph.concat %y, %x axis = 0 : (!pchw, !bchw) -> !bp_c_h_w
    %2 = graph.max_pool %xy kernel = [r, t] strides = [s, u] pads = [e, f, i, j] dilations = [d, l] channels_first : (!bp_c_h_w) -> !bp_c_H_W
    %0, %1 = graph.split %2 axis = 0 sizes = [b, p] : (!bp_c_H_W) -> (!bcHW, !pcHW)
    rule.yield %0, %1 : !bcHW, !pcHW
  }

// CHECK: refuted max_pools_along_channels_swapped
rule.rule @max_pools_along_channels_swapped(%x: [b, c, h, w], %y: [b, p, h, w]) -> (!bcHW, !bpHW)
  source {
    %0 = graph.max_pool %x kernel = [r, t] strides = [s, u] pads = [e, f, i, j] dilations = [d, l] channels_first : (!bchw) -> !bcHW
    %1 = graph.max_pool %y kernel = [r, t] strides = [s, u] pads = [e, f, i, j] dilations = [d, l] channels_first : (!bphw) -> !bpHW
    rule.yield %0, %1 : !bcHW, !bpHW
  }
  target {
    %xy = graph.concat %y, %x axis = 1 : (!bphw, !bchw) -> !b_cp_h_w
    %2 = graph.max_pool %xy kernel = [r, t] strides = [s, u] pads = [e, f, i, j] dilations = [d, l] channels_first : (!b_cp_h_w) -> !b_cp_H_W
    %0, %1 = graph.split %2 axis = 1 sizes = [c, p] : (!b_cp_H_W) -> (!bcHW, !bpHW)
    rule.yield %0, %1 : !bcHW, !bpHW
  }

// Another pool.
// CHECK: refuted max_pool_to_mean
rule.rule @max_pool_to_mean(%x: [b, c, h, w], %y: [b, p, h, w]) -> (!bcHW, !bpHW)
  source {
    %0 = graph.max_pool %x kernel = [r, t] strides = [s, u] pads = [e, f, i, j] dilations = [d, l] channels_first : (!bchw) -> !bcHW
    %1 = graph.max_pool %y kernel = [r, t] strides = [s, u] pads = [e, f, i, j] dilations = [d, l] channels_first : (!bphw) -> !bpHW
    rule.yield %0, %1 : !bcHW, !bpHW
  }
  target {
    %xy = graph.concat %x, %y axis = 1 : (!bchw, !bphw) -> !b_cp_h_w
    %2 = graph.avg_pool %xy kernel = [r, t] strides = [s, u] pads = [e, f, i, j] dilations = [d, l] channels_first : (!b_cp_h_w) -> !b_cp_H_W
    %0, %1 = graph.split %2 axis = 1 sizes = [c, p] : (!b_cp_H_W) -> (!bcHW, !bpHW)
    rule.yield %0, %1 : !bcHW, !bpHW
  }

// The mean of all elements of a window, and of those that are no padding.
// CHECK: refuted avg_pools_along_batch_that_count_padding
rule.rule @avg_pools_along_batch_that_count_padding(%x: [b, c, h, w], %y: [p, c, h, w]) -> (!bcHW, !pcHW)
  source {
    %0 = graph.avg_pool %x kernel = [r, t] strides = [s, u] pads = [e, f, i, j] dilations = [d, l] channels_first : (!bchw) -> !bcHW
    %1 = graph.avg_pool %y kernel = [r, t] strides = [s, u] pads = [e, f, i, j] dilations = [d, l] channels_first : (!pchw) -> !pcHW
    rule.yield %0, %1 : !bcHW, !pcHW
  }
  target {
    %xy = graph.concat %x, %y axis = 0 : (!bchw, !pchw) -> !bp_c_h_w
    %2 = graph.avg_pool %xy kernel = [r, t] strides = [s, u] pads = [e, f, i, j] dilations = [d, l] channels_first count_include_pad : (!bp_c_h_w) -> !bp_c_H_W
    %0, %1 = graph.split %2 axis = 0 sizes = [b, p] : (!bp_c_H_W) -> (!bcHW, !pcHW)
    rule.yield %0, %1 : !bcHW, !pcHW
  }

// CHECK: refuted avg_pools_along_channels_to_maxima
rule.rule @avg_pools_along_channels_to_maxima(%x: [b, c, h, w], %y: [b, p, h, w]) -> (!bcHW, !bpHW)
  source {
    %0 = graph.avg_pool %x kernel = [r, t] strides = [s, u] pads = [e, f, i, j] dilations = [d, l] channels_first : (!bchw) -> !bcHW
    %1 = graph.avg_pool %y kernel = [r, t] strides = [s, u] pads = [e, f, i, j] dilations = [d, l] channels_first : (!bphw) -> !bpHW
    rule.yield %0, %1 : !bcHW, !bpHW
  }
  target {
    %xy = graph.concat %x, %y axis = 1 : (!bchw, !bphw) -> !b_cp_h_w
    %2 = graph.max_pool %xy kernel = [r, t] strides = [s, u] pads = [e, f, i, j] dilations = [d, l] channels_first : (!b_cp_h_w) -> !b_cp_H_W
    %0, %1 = graph.split %2 axis = 1 sizes = [c, p] : (!b_cp_H_W) -> (!bcHW, !bpHW)
    rule.yield %0, %1 : !bcHW, !bpHW
  }

// Means that count the padding too.

// CHECK: refuted padded_avg_pools_along_batch_swapped
rule.rule @padded_avg_pools_along_batch_swapped(%x: [b, c, h, w], %y: [p, c, h, w]) -> (!bcHW, !pcHW)
  source {
    %0 = graph.avg_pool %x kernel = [r, t] strides = [s, u] pads = [e, f, i, j] dilations = [d, l] channels_first count_include_pad : (!bchw) -> !bcHW
    %1 = graph.avg_pool %y kernel = [r, t] strides = [s, u] pads = [e, f, i, j] dilations = [d, l] channels_first count_include_pad : (!pchw) -> !pcHW
    rule.yield %0, %1 : !bcHW, !pcHW
  }
  target {
    %xy = graph.concat %y, %x axis = 0 : (!pchw, !bchw) -> !bp_c_h_w
    %2 = graph.avg_pool %xy kernel = [r, t] strides = [s, u] pads = [e, f, i, j] dilations = [d, l] channels_first count_include_pad : (!bp_c_h_w) -> !bp_c_H_W
    %0, %1 = graph.split %2 axis = 0 sizes = [b, p] : (!bp_c_H_W) -> (!bcHW, !pcHW)
    rule.yield %0, %1 : !bcHW, !pcHW
  }

// CHECK: refuted padded_avg_pools_along_channels_that_do_not_count_padding
rule.rule @padded_avg_pools_along_channels_that_do_not_count_padding(%x: [b, c, h, w], %y: [b, p, h, w]) -> (!bcHW, !bpHW)
  source {
    %0 = graph.avg_pool %x kernel = [r, t] strides = [s, u] pads = [e, f, i, j] dilations = [d, l] channels_first count_include_pad : (!bchw) -> !bcHW
    %1 = graph.avg_pool %y kernel = [r, t] strides = [s, u] pads = [e, f, i, j] dilations = [d, l] channels_first count_include_pad : (!bphw) -> !bpHW
    rule.yield %0, %1 : !bcHW, !bpHW
  }
  target {
    %xy = graph.concat %x, %y axis = 1 : (!bchw, !bphw) -> !b_cp_h_w
    %2 = graph.avg_pool %xy kernel = [r, t] strides = [s, u] pads = [e, f, i, j] dilations = [d, l] channels_first : (!b_cp_h_w) -> !b_cp_H_W
    %0, %1 = graph.split %2 axis = 1 sizes = [c, p] : (!b_cp_H_W) -> (!bcHW, !bpHW)
    rule.yield %0, %1 : !bcHW, !bpHW
  }

// CHECK: 0 proved, 27 refuted
