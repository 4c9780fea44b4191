// Rules that make one convolution or pool of several, and rules about groups.
//
// Entries 5 to 13 and 15 of rules/README.md. Siblings of more than two are
// merged two at a time: the result of one firing is a sibling of the next.
// Windows, strides, pads and dilations are any, and the same for both siblings
// where nothing else is said.

!boHW = tensor<?x?x?x?xf32, #graph.dims<b, o, (h + e + i - d * (r - 1) - 1) floordiv s + 1, (w + f + j - l * (t - 1) - 1) floordiv u + 1>>
!bpHW = tensor<?x?x?x?xf32, #graph.dims<b, p, (h + e + i - d * (r - 1) - 1) floordiv s + 1, (w + f + j - l * (t - 1) - 1) floordiv u + 1>>
!ocrt = tensor<?x?x?x?xf32, #graph.dims<o, c, r, t>>
!b_o_H1_W1 = tensor<?x?x?x?xf32, #graph.dims<b, o, (h + e + i - r) floordiv s + 1, (w + f + j - t) floordiv u + 1>>
!b_p_H2_W2 = tensor<?x?x?x?xf32, #graph.dims<b, p, (h + m + k - q) floordiv s + 1, (w + n + a - y) floordiv u + 1>>
!ocqy = tensor<?x?x?x?xf32, #graph.dims<o, c, q, y>>
!poHW = tensor<?x?x?x?xf32, #graph.dims<p, o, (h + e + i - d * (r - 1) - 1) floordiv s + 1, (w + f + j - l * (t - 1) - 1) floordiv u + 1>>
!b_2o_H_W = tensor<?x?x?x?xf32, #graph.dims<b, 2 * o, (h + e + i - d * (r - 1) - 1) floordiv s + 1, (w + f + j - l * (t - 1) - 1) floordiv u + 1>>
!O4_2c_r_t = tensor<?x?x?x?xf32, #graph.dims<o floordiv 4, 2 * c, r, t>>
!o_2c_r_t = tensor<?x?x?x?xf32, #graph.dims<o, 2 * c, r, t>>
!O2_2c_r_t = tensor<?x?x?x?xf32, #graph.dims<o floordiv 2, 2 * c, r, t>>
!O3_3c_r_t = tensor<?x?x?x?xf32, #graph.dims<o floordiv 3, 3 * c, r, t>>
!o_3c_r_t = tensor<?x?x?x?xf32, #graph.dims<o, 3 * c, r, t>>
!b_oq_H_W = tensor<?x?x?x?xf32, #graph.dims<b, o + q, (h + e + i - d * (r - 1) - 1) floordiv s + 1, (w + f + j - l * (t - 1) - 1) floordiv u + 1>>
!bcHW = tensor<?x?x?x?xf32, #graph.dims<b, c, (h + e + i - d * (r - 1) - 1) floordiv s + 1, (w + f + j - l * (t - 1) - 1) floordiv u + 1>>
!pcHW = tensor<?x?x?x?xf32, #graph.dims<p, c, (h + e + i - d * (r - 1) - 1) floordiv s + 1, (w + f + j - l * (t - 1) - 1) floordiv u + 1>>

// 5. Convolutions that share their input: their weights are joined along the
// output channels. One group: several would interleave the outputs.
rule.rule @merge_convs_sharing_input(%x: [b, c, h, w], %v: [o, c, r, t], %z: [p, c, r, t]) -> (!boHW, !bpHW)
  source {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first
    %1 = graph.conv %x, %z strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first
    rule.yield %0, %1
  }
  target {
    %vz = graph.concat %v, %z axis = 0
    %y = graph.conv %x, %vz strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first
    %0, %1 = graph.split %y axis = 1 sizes = [o, p]
    rule.yield %0, %1
  }

// 6. The same where one kernel is larger by as much as its pads are: the smaller
// kernel gets zeros around. (3 x 3 with pads of 1 beside 1 x 1 without pads.)
rule.rule @merge_convs_of_unequal_kernels(%x: [b, c, h, w], %v: [o, c, r, t], %z: [p, c, q, y]) -> (!b_o_H1_W1, !b_p_H2_W2)
  source {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [1, 1] groups = 1 channels_first
    %1 = graph.conv %x, %z strides = [s, u] pads = [m, n, k, a] dilations = [1, 1] groups = 1 channels_first
    rule.yield %0, %1
  }
  target {
    %enlarged = graph.pad %v low = [0, 0, m - e, n - f] high = [0, 0, k - i, a - j] constant value = 0.0 : (!ocrt) -> !ocqy
    %vz = graph.concat %enlarged, %z axis = 0
    %2 = graph.conv %x, %vz strides = [s, u] pads = [m, n, k, a] dilations = [1, 1] groups = 1 channels_first
    %0 = graph.slice %2 starts = [0, 0, 0, 0] sizes = [b, o, (h + e + i - r) floordiv s + 1, (w + f + j - t) floordiv u + 1] steps = [1, 1, 1, 1]
    %1 = graph.slice %2 starts = [0, o, 0, 0] sizes = [b, p, (h + m + k - q) floordiv s + 1, (w + n + a - y) floordiv u + 1] steps = [1, 1, 1, 1]
    rule.yield %0, %1
  }
  where [q == r + m - e + k - i, y == t + n - f + a - j, m >= e, n >= f, k >= i,
         a >= j]

// 7. Convolutions that share their weight: inputs are joined along the batch.
rule.rule @merge_convs_sharing_weight(%x: [b, g * c, h, w], %y: [p, g * c, h, w], %v: [o, c, r, t]) -> (!boHW, !poHW)
  source {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = g channels_first
    %1 = graph.conv %y, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = g channels_first
    rule.yield %0, %1
  }
  target {
    %xy = graph.concat %x, %y axis = 0
    %z = graph.conv %xy, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = g channels_first
    %0, %1 = graph.split %z axis = 0 sizes = [b, p]
    rule.yield %0, %1
  }

// 8. Convolutions of different inputs are the groups of one. All groups of a
// convolution have equally many inputs and equally many outputs, so both must
// have the same input channels and the same output channels.
rule.rule @merge_convs_to_group_conv(%x: [b, c, h, w], %y: [b, c, h, w], %v: [o, c, r, t], %z: [o, c, r, t]) -> (!boHW, !boHW)
  source {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first
    %1 = graph.conv %y, %z strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first
    rule.yield %0, %1
  }
  target {
    %xy = graph.concat %x, %y axis = 1
    %vz = graph.concat %v, %z axis = 0
    %2 = graph.conv %xy, %vz strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 2 channels_first
    %0, %1 = graph.split %2 axis = 1 sizes = [o, o]
    rule.yield %0, %1
  }

// The same for three, since the result is no sibling of a third convolution,
// and for the form in which the results are joined.
rule.rule @merge_three_convs_to_group_conv(%x: [b, c, h, w], %y: [b, c, h, w], %q: [b, c, h, w], %v: [o, c, r, t], %z: [o, c, r, t], %k: [o, c, r, t])
    -> (!boHW, !boHW, !boHW)
  source {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first
    %1 = graph.conv %y, %z strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first
    %2 = graph.conv %q, %k strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first
    rule.yield %0, %1, %2
  }
  target {
    %xyq = graph.concat %x, %y, %q axis = 1
    %vzk = graph.concat %v, %z, %k axis = 0
    %3 = graph.conv %xyq, %vzk strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 3 channels_first
    %0, %1, %2 = graph.split %3 axis = 1 sizes = [o, o, o]
    rule.yield %0, %1, %2
  }

rule.rule @concat_of_convs_to_group_conv(%x: [b, c, h, w], %y: [b, c, h, w], %v: [o, c, r, t], %z: [o, c, r, t]) -> !b_2o_H_W
  source {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first
    %1 = graph.conv %y, %z strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first
    %2 = graph.concat %0, %1 axis = 1
    rule.yield %2
  }
  target {
    %xy = graph.concat %x, %y axis = 1
    %vz = graph.concat %v, %z axis = 0
    %2 = graph.conv %xy, %vz strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 2 channels_first
    rule.yield %2
  }

// 9. Unequal output channels: the smaller weight gets outputs of zero, which are
// cut off again.
rule.rule @merge_convs_of_unequal_outputs_to_group_conv(%x: [b, c, h, w], %y: [b, c, h, w], %v: [o, c, r, t], %z: [p, c, r, t]) -> (!boHW, !bpHW)
  source {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first
    %1 = graph.conv %y, %z strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first
    rule.yield %0, %1
  }
  target {
    %xy = graph.concat %x, %y axis = 1
    %filled = graph.pad %v low = [0, 0, 0, 0] high = [p - o, 0, 0, 0] constant value = 0.0
    %vz = graph.concat %filled, %z axis = 0
    %2 = graph.conv %xy, %vz strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 2 channels_first
    %0, %zeros, %1 = graph.split %2 axis = 1 sizes = [o, p - o, p]
    rule.yield %0, %1
  }
  where [o <= p]

// 10. A shared input, read once by each group.
rule.rule @merge_convs_sharing_input_to_group_conv(%x: [b, c, h, w], %v: [o, c, r, t], %z: [o, c, r, t]) -> (!boHW, !boHW)
  source {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first
    %1 = graph.conv %x, %z strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first
    rule.yield %0, %1
  }
  target {
    %xx = graph.concat %x, %x axis = 1
    %vz = graph.concat %v, %z axis = 0
    %2 = graph.conv %xx, %vz strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 2 channels_first
    %0, %1 = graph.split %2 axis = 1 sizes = [o, o]
    rule.yield %0, %1
  }

// 11. g groups are g / k groups (k divides g) with block-diagonal weights: each
// run of k weights is shifted along the input channels, with zeros elsewhere.
// Instance: four groups as two.
rule.rule @four_groups_to_two(%x: [b, 4 * c, h, w], %v: [o, c, r, t]) -> !boHW
  source {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 4 channels_first
    rule.yield %0
  }
  target {
    %v0, %v1, %v2, %v3 = graph.split %v axis = 0 sizes = [o floordiv 4, o floordiv 4, o floordiv 4, o floordiv 4]
    %p0 = graph.pad %v0 low = [0, 0, 0, 0] high = [0, c, 0, 0] constant value = 0.0
    %p1 = graph.pad %v1 low = [0, c, 0, 0] high = [0, 0, 0, 0] constant value = 0.0
    %p2 = graph.pad %v2 low = [0, 0, 0, 0] high = [0, c, 0, 0] constant value = 0.0
    %p3 = graph.pad %v3 low = [0, c, 0, 0] high = [0, 0, 0, 0] constant value = 0.0
    %vv = graph.concat %p0, %p1, %p2, %p3 axis = 0 : (!O4_2c_r_t, !O4_2c_r_t, !O4_2c_r_t, !O4_2c_r_t) -> !o_2c_r_t
    %0 = graph.conv %x, %vv strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 2 channels_first
    rule.yield %0
  }

// 12. The same with k = g: a dense convolution. Instances: g = 2 and g = 3.
rule.rule @two_groups_to_one(%x: [b, 2 * c, h, w], %v: [o, c, r, t]) -> !boHW
  source {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 2 channels_first
    rule.yield %0
  }
  target {
    %v0, %v1 = graph.split %v axis = 0 sizes = [o floordiv 2, o floordiv 2]
    %p0 = graph.pad %v0 low = [0, 0, 0, 0] high = [0, c, 0, 0] constant value = 0.0
    %p1 = graph.pad %v1 low = [0, c, 0, 0] high = [0, 0, 0, 0] constant value = 0.0
    %vv = graph.concat %p0, %p1 axis = 0 : (!O2_2c_r_t, !O2_2c_r_t) -> !o_2c_r_t
    %0 = graph.conv %x, %vv strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first
    rule.yield %0
  }

rule.rule @three_groups_to_one(%x: [b, 3 * c, h, w], %v: [o, c, r, t]) -> !boHW
  source {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 3 channels_first
    rule.yield %0
  }
  target {
    %v0, %v1, %v2 = graph.split %v axis = 0 sizes = [o floordiv 3, o floordiv 3, o floordiv 3]
    %p0 = graph.pad %v0 low = [0, 0, 0, 0] high = [0, 2 * c, 0, 0] constant value = 0.0
    %p1 = graph.pad %v1 low = [0, c, 0, 0] high = [0, c, 0, 0] constant value = 0.0
    %p2 = graph.pad %v2 low = [0, 2 * c, 0, 0] high = [0, 0, 0, 0] constant value = 0.0
    %vv = graph.concat %p0, %p1, %p2 axis = 0 : (!O3_3c_r_t, !O3_3c_r_t, !O3_3c_r_t) -> !o_3c_r_t
    %0 = graph.conv %x, %vv strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first
    rule.yield %0
  }

// 13. The inverse of 12: a convolution whose weight has blocks of zeros is two,
// each of a part of the channels; where the blocks are equally large, it is one of
// two groups.
rule.rule @split_conv_with_zero_blocks(%x: [b, c + p, h, w], %v: [o, c, r, t], %right: [o, p, r, t], %left: [q, c, r, t], %z: [q, p, r, t]) -> !b_oq_H_W
  source {
    %upper = graph.concat %v, %right axis = 1
    %lower = graph.concat %left, %z axis = 1
    %weight = graph.concat %upper, %lower axis = 0
    %0 = graph.conv %x, %weight strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first
    rule.yield %0
  }
  target {
    %x0, %x1 = graph.split %x axis = 1 sizes = [c, p]
    %0 = graph.conv %x0, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first
    %1 = graph.conv %x1, %z strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first
    %2 = graph.concat %0, %1 axis = 1
    rule.yield %2
  }
  where [is_zero(%right), is_zero(%left)]

rule.rule @conv_with_zero_blocks_to_groups(%x: [b, 2 * c, h, w], %v: [o, c, r, t], %right: [o, c, r, t], %left: [o, c, r, t], %z: [o, c, r, t]) -> !b_2o_H_W
  source {
    %upper = graph.concat %v, %right axis = 1
    %lower = graph.concat %left, %z axis = 1
    %weight = graph.concat %upper, %lower axis = 0
    %0 = graph.conv %x, %weight strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first
    rule.yield %0
  }
  target {
    %vz = graph.concat %v, %z axis = 0
    %0 = graph.conv %x, %vz strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 2 channels_first
    rule.yield %0
  }
  where [is_zero(%right), is_zero(%left)]

// 15. Pools of siblings: inputs joined along the batch or along the channels,
// which a pool keeps apart.
rule.rule @merge_max_pools_along_batch(%x: [b, c, h, w], %y: [p, c, h, w]) -> (!bcHW, !pcHW)
  source {
    %0 = graph.max_pool %x kernel = [r, t] strides = [s, u] pads = [e, f, i, j] dilations = [d, l] channels_first
    %1 = graph.max_pool %y kernel = [r, t] strides = [s, u] pads = [e, f, i, j] dilations = [d, l] channels_first
    rule.yield %0, %1
  }
  target {
    %xy = graph.concat %x, %y axis = 0
    %2 = graph.max_pool %xy kernel = [r, t] strides = [s, u] pads = [e, f, i, j] dilations = [d, l] channels_first
    %0, %1 = graph.split %2 axis = 0 sizes = [b, p]
    rule.yield %0, %1
  }

rule.rule @merge_max_pools_along_channels(%x: [b, c, h, w], %y: [b, p, h, w]) -> (!bcHW, !bpHW)
  source {
    %0 = graph.max_pool %x kernel = [r, t] strides = [s, u] pads = [e, f, i, j] dilations = [d, l] channels_first
    %1 = graph.max_pool %y kernel = [r, t] strides = [s, u] pads = [e, f, i, j] dilations = [d, l] channels_first
    rule.yield %0, %1
  }
  target {
    %xy = graph.concat %x, %y axis = 1
    %2 = graph.max_pool %xy kernel = [r, t] strides = [s, u] pads = [e, f, i, j] dilations = [d, l] channels_first
    %0, %1 = graph.split %2 axis = 1 sizes = [c, p]
    rule.yield %0, %1
  }

rule.rule @merge_avg_pools_along_batch(%x: [b, c, h, w], %y: [p, c, h, w]) -> (!bcHW, !pcHW)
  source {
    %0 = graph.avg_pool %x kernel = [r, t] strides = [s, u] pads = [e, f, i, j] dilations = [d, l] channels_first
    %1 = graph.avg_pool %y kernel = [r, t] strides = [s, u] pads = [e, f, i, j] dilations = [d, l] channels_first
    rule.yield %0, %1
  }
  target {
    %xy = graph.concat %x, %y axis = 0
    %2 = graph.avg_pool %xy kernel = [r, t] strides = [s, u] pads = [e, f, i, j] dilations = [d, l] channels_first
    %0, %1 = graph.split %2 axis = 0 sizes = [b, p]
    rule.yield %0, %1
  }

rule.rule @merge_avg_pools_along_channels(%x: [b, c, h, w], %y: [b, p, h, w]) -> (!bcHW, !bpHW)
  source {
    %0 = graph.avg_pool %x kernel = [r, t] strides = [s, u] pads = [e, f, i, j] dilations = [d, l] channels_first
    %1 = graph.avg_pool %y kernel = [r, t] strides = [s, u] pads = [e, f, i, j] dilations = [d, l] channels_first
    rule.yield %0, %1
  }
  target {
    %xy = graph.concat %x, %y axis = 1
    %2 = graph.avg_pool %xy kernel = [r, t] strides = [s, u] pads = [e, f, i, j] dilations = [d, l] channels_first
    %0, %1 = graph.split %2 axis = 1 sizes = [c, p]
    rule.yield %0, %1
  }

// Means that count the padding too.
rule.rule @merge_padded_avg_pools_along_batch(%x: [b, c, h, w], %y: [p, c, h, w]) -> (!bcHW, !pcHW)
  source {
    %0 = graph.avg_pool %x kernel = [r, t] strides = [s, u] pads = [e, f, i, j] dilations = [d, l] channels_first count_include_pad
    %1 = graph.avg_pool %y kernel = [r, t] strides = [s, u] pads = [e, f, i, j] dilations = [d, l] channels_first count_include_pad
    rule.yield %0, %1
  }
  target {
    %xy = graph.concat %x, %y axis = 0
    %2 = graph.avg_pool %xy kernel = [r, t] strides = [s, u] pads = [e, f, i, j] dilations = [d, l] channels_first count_include_pad
    %0, %1 = graph.split %2 axis = 0 sizes = [b, p]
    rule.yield %0, %1
  }

rule.rule @merge_padded_avg_pools_along_channels(%x: [b, c, h, w], %y: [b, p, h, w]) -> (!bcHW, !bpHW)
  source {
    %0 = graph.avg_pool %x kernel = [r, t] strides = [s, u] pads = [e, f, i, j] dilations = [d, l] channels_first count_include_pad
    %1 = graph.avg_pool %y kernel = [r, t] strides = [s, u] pads = [e, f, i, j] dilations = [d, l] channels_first count_include_pad
    rule.yield %0, %1
  }
  target {
    %xy = graph.concat %x, %y axis = 1
    %2 = graph.avg_pool %xy kernel = [r, t] strides = [s, u] pads = [e, f, i, j] dilations = [d, l] channels_first count_include_pad
    %0, %1 = graph.split %2 axis = 1 sizes = [c, p]
    rule.yield %0, %1
  }
