// Negative tests for rules/axioms.mlir: each must be refuted.
// RUN: not tenon-rules prove %s 2>&1 | FileCheck %s
// The proofs themselves find none of them, without trying small sizes first.
// RUN: not tenon-rules prove --without-refuting --rlimit 100000 %s 2>&1 | FileCheck %s --check-prefix=PROOF
// PROOF: 0 proved, 27 unknown
// REQUIRES: z3

!n = tensor<?xf32, #graph.dims<n>>
!mn = tensor<?x?xf32, #graph.dims<m, n>>
!nn = tensor<?x?xf32, #graph.dims<n, n>>
!pn = tensor<?x?xf32, #graph.dims<p, n>>
!mp_n = tensor<?x?xf32, #graph.dims<m + p, n>>
!bp_o_H_W = tensor<?x?x?x?xf32, #graph.dims<b + p, o, (h + e + i - d * (r - 1) - 1) floordiv s + 1, (w + f + j - l * (t - 1) - 1) floordiv u + 1>>
!bp_c_h_w = tensor<?x?x?x?xf32, #graph.dims<b + p, c, h, w>>
!bchw = tensor<?x?x?x?xf32, #graph.dims<b, c, h, w>>
!pchw = tensor<?x?x?x?xf32, #graph.dims<p, c, h, w>>
!ocrt = tensor<?x?x?x?xf32, #graph.dims<o, c, r, t>>
!boHW = tensor<?x?x?x?xf32, #graph.dims<b, o, (h + e + i - d * (r - 1) - 1) floordiv s + 1, (w + f + j - l * (t - 1) - 1) floordiv u + 1>>
!poHW = tensor<?x?x?x?xf32, #graph.dims<p, o, (h + e + i - d * (r - 1) - 1) floordiv s + 1, (w + f + j - l * (t - 1) - 1) floordiv u + 1>>
!b_op_H_W = tensor<?x?x?x?xf32, #graph.dims<b, o + p, (h + e + i - d * (r - 1) - 1) floordiv s + 1, (w + f + j - l * (t - 1) - 1) floordiv u + 1>>
!op_c_r_t = tensor<?x?x?x?xf32, #graph.dims<o + p, c, r, t>>
!pcrt = tensor<?x?x?x?xf32, #graph.dims<p, c, r, t>>
!bpHW = tensor<?x?x?x?xf32, #graph.dims<b, p, (h + e + i - d * (r - 1) - 1) floordiv s + 1, (w + f + j - l * (t - 1) - 1) floordiv u + 1>>
!k_np = tensor<?x?xf32, #graph.dims<k, n + p>>
!kn = tensor<?x?xf32, #graph.dims<k, n>>
!kp = tensor<?x?xf32, #graph.dims<k, p>>
!m_np = tensor<?x?xf32, #graph.dims<m, n + p>>
!mk = tensor<?x?xf32, #graph.dims<m, k>>
!mp = tensor<?x?xf32, #graph.dims<m, p>>
!m_nn = tensor<?x?xf32, #graph.dims<m, n + n>>
!mm_nn = tensor<?x?xf32, #graph.dims<m + m, n + n>>
!mm_n = tensor<?x?xf32, #graph.dims<m + m, n>>
!cc = tensor<?x?xf32, #graph.dims<c, c>>
!cc11 = tensor<?x?x1x1xf32, #graph.dims<c, c, 1, 1>>
!cc33 = tensor<?x?x3x3xf32, #graph.dims<c, c, 3, 3>>
!mm = tensor<?x?xf32, #graph.dims<m, m>>
!b_o_H1_W1 = tensor<?x?x?x?xf32, #graph.dims<b, o, (h + e + i - r) floordiv s + 1, (w + f + j - t) floordiv u + 1>>
!o_c_r2_t2 = tensor<?x?x?x?xf32, #graph.dims<o, c, r + 2, t + 2>>

// CHECK: refuted associate_sums_twice
rule.rule @associate_sums_twice(%a: [n], %b: [n], %c: [n]) -> [n]
  lifts [%a, %b, %c]
  source {
    %0 = graph.add %b, %c : !n
    %1 = graph.add %a, %0 : !n
    rule.yield %1 : [n]
  }
  target {
    %0 = graph.add %a, %b : !n
    %1 = graph.add %0, %b : !n
    rule.yield %1 : [n]
  }

// CHECK: refuted commute_difference
rule.rule @commute_difference(%a: [n], %b: [n]) -> [n]
  lifts [%a, %b]
  source {
    %0 = graph.sub %a, %b : !n
    rule.yield %0 : [n]
  }
  target {
    %0 = graph.sub %b, %a : !n
    rule.yield %0 : [n]
  }

// CHECK: refuted associate_quotients
rule.rule @associate_quotients(%a: [n], %b: [n], %c: [n]) -> [n]
  lifts [%a, %b, %c]
  source {
    %0 = graph.div %b, %c : !n
    %1 = graph.div %a, %0 : !n
    rule.yield %1 : [n]
  }
  target {
    %0 = graph.div %a, %b : !n
    %1 = graph.div %0, %c : !n
    rule.yield %1 : [n]
  }

// CHECK: refuted commute_quotient
rule.rule @commute_quotient(%a: [n], %b: [n]) -> [n]
  lifts [%a, %b]
  source {
    %0 = graph.div %a, %b : !n
    rule.yield %0 : [n]
  }
  target {
    %0 = graph.div %b, %a : !n
    rule.yield %0 : [n]
  }

// CHECK: refuted sum_of_scales
rule.rule @sum_of_scales(%a: [m, n], %s: [], %t: []) -> [m, n]
  source {
    %ss = graph.broadcast %s shape = [m, n] : (tensor<f32>) -> !mn
    %0 = graph.mul %a, %ss : !mn
    %ts = graph.broadcast %t shape = [m, n] : (tensor<f32>) -> !mn
    %1 = graph.mul %0, %ts : !mn
    rule.yield %1 : [m, n]
  }
  target {
    %st = graph.add %s, %t : tensor<f32>
    %sts = graph.broadcast %st shape = [m, n] : (tensor<f32>) -> !mn
    %0 = graph.mul %a, %sts : !mn
    rule.yield %0 : [m, n]
  }

// CHECK: refuted scale_of_one_term
rule.rule @scale_of_one_term(%a: [m, n], %b: [m, n], %s: []) -> [m, n]
  source {
    %0 = graph.add %a, %b : !mn
    %ss = graph.broadcast %s shape = [m, n] : (tensor<f32>) -> !mn
    %1 = graph.mul %0, %ss : !mn
    rule.yield %1 : [m, n]
  }
  target {
    %ss = graph.broadcast %s shape = [m, n] : (tensor<f32>) -> !mn
    %0 = graph.mul %a, %ss : !mn
    %1 = graph.mul %b, %ss : !mn
    %2 = graph.add %0, %b : !mn
    rule.yield %2 : [m, n]
  }

// CHECK: refuted scale_of_both_factors
rule.rule @scale_of_both_factors(%a: [m, n], %b: [m, n], %s: []) -> [m, n]
  source {
    %0 = graph.mul %a, %b : !mn
    %ss = graph.broadcast %s shape = [m, n] : (tensor<f32>) -> !mn
    %1 = graph.mul %0, %ss : !mn
    rule.yield %1 : [m, n]
  }
  target {
    %ss = graph.broadcast %s shape = [m, n] : (tensor<f32>) -> !mn
    %0 = graph.mul %b, %ss : !mn
    %2 = graph.mul %a, %ss : !mn
    %1 = graph.mul %2, %0 : !mn
    rule.yield %1 : [m, n]
  }

// CHECK: refuted scale_without_transpose
rule.rule @scale_without_transpose(%a: [n, n], %s: []) -> [n, n]
  source {
    %0 = graph.transpose %a perm = [1, 0] : (!nn) -> !nn
    %ss = graph.broadcast %s shape = [n, n] : (tensor<f32>) -> !nn
    %1 = graph.mul %0, %ss : !nn
    rule.yield %1 : [n, n]
  }
  target {
    %ss = graph.broadcast %s shape = [n, n] : (tensor<f32>) -> !nn
    %0 = graph.mul %a, %ss : !nn
    %1 = graph.transpose %0 perm = [0, 1] : (!nn) -> !nn
    rule.yield %1 : [n, n]
  }

// CHECK: refuted concat_of_scales_swapped
rule.rule @concat_of_scales_swapped(%a: [m, n], %b: [p, n], %s: []) -> [m + p, n]
  source {
    %as = graph.broadcast %s shape = [m, n] : (tensor<f32>) -> !mn
    %0 = graph.mul %a, %as : !mn
    %bs = graph.broadcast %s shape = [p, n] : (tensor<f32>) -> !pn
    %1 = graph.mul %b, %bs : !pn
    %2 = graph.concat %0, %1 axis = 0 : (!mn, !pn) -> !mp_n
    rule.yield %2 : [m + p, n]
  }
  target {
    %ab = graph.concat %b, %a axis = 0 : (!pn, !mn) -> !mp_n
    %ss = graph.broadcast %s shape = [m + p, n] : (tensor<f32>) -> !mp_n
    %0 = graph.mul %ab, %ss : !mp_n
    rule.yield %0 : [m + p, n]
  }

// CHECK: refuted concat_of_relus_swapped
rule.rule @concat_of_relus_swapped(%a: [m, n], %b: [p, n]) -> [m + p, n]
  lifts [%a, %b]
  source {
    %0 = graph.relu %a : !mn
    %1 = graph.relu %b : !pn
    %2 = graph.concat %0, %1 axis = 0 : (!mn, !pn) -> !mp_n
    rule.yield %2 : [m + p, n]
  }
  target {
    %ab = graph.concat %b, %a axis = 0 : (!pn, !mn) -> !mp_n
    %0 = graph.relu %ab : !mp_n
    rule.yield %0 : [m + p, n]
  }

// CHECK: refuted concat_of_sums_swapped
rule.rule @concat_of_sums_swapped(%a: [m, n], %b: [m, n], %c: [p, n], %d: [p, n]) -> [m + p, n]
  lifts [%a, %b, %c, %d]
  source {
    %0 = graph.add %a, %b : !mn
    %1 = graph.add %c, %d : !pn
    %2 = graph.concat %0, %1 axis = 0 : (!mn, !pn) -> !mp_n
    rule.yield %2 : [m + p, n]
  }
  target {
    %ac = graph.concat %a, %c axis = 0 : (!mn, !pn) -> !mp_n
    %bd = graph.concat %d, %b axis = 0 : (!pn, !mn) -> !mp_n
    %0 = graph.add %ac, %bd : !mp_n
    rule.yield %0 : [m + p, n]
  }

// CHECK: refuted concat_of_products_swapped
rule.rule @concat_of_products_swapped(%a: [m, n], %b: [m, n], %c: [p, n], %d: [p, n]) -> [m + p, n]
  lifts [%a, %b, %c, %d]
  source {
    %0 = graph.mul %a, %b : !mn
    %1 = graph.mul %c, %d : !pn
    %2 = graph.concat %0, %1 axis = 0 : (!mn, !pn) -> !mp_n
    rule.yield %2 : [m + p, n]
  }
  target {
    %ac = graph.concat %a, %c axis = 0 : (!mn, !pn) -> !mp_n
    %bd = graph.concat %d, %b axis = 0 : (!pn, !mn) -> !mp_n
    %0 = graph.mul %ac, %bd : !mp_n
    rule.yield %0 : [m + p, n]
  }

// CHECK: refuted conv_of_concat_along_batch_swapped
rule.rule @conv_of_concat_along_batch_swapped(%x: [b, c, h, w], %y: [p, c, h, w], %v: [o, c, r, t]) -> !bp_o_H_W
  source {
    %xy = graph.concat %x, %y axis = 0 : (!bchw, !pchw) -> !bp_c_h_w
    %0 = graph.conv %xy, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first : (!bp_c_h_w, !ocrt) -> !bp_o_H_W
    rule.yield %0 : !bp_o_H_W
  }
  target {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first : (!bchw, !ocrt) -> !boHW
    %1 = graph.conv %y, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first : (!pchw, !ocrt) -> !poHW
    %2 = graph.concat %1, %0 axis = 0 : (!poHW, !boHW) -> !bp_o_H_W
    rule.yield %2 : !bp_o_H_W
  }

// A convolution with weights joined along the output channels.

// CHECK: refuted conv_with_concat_of_weights_swapped
rule.rule @conv_with_concat_of_weights_swapped(%x: [b, c, h, w], %v: [o, c, r, t], %z: [p, c, r, t]) -> !b_op_H_W
  source {
    %vz = graph.concat %v, %z axis = 0 : (!ocrt, !pcrt) -> !op_c_r_t
    %0 = graph.conv %x, %vz strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first : (!bchw, !op_c_r_t) -> !b_op_H_W
    rule.yield %0 : !b_op_H_W
  }
  target {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first : (!bchw, !ocrt) -> !boHW
    %1 = graph.conv %x, %z strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first : (!bchw, !pcrt) -> !bpHW
    %2 = graph.concat %1, %0 axis = 1 : (!bpHW, !boHW) -> !b_op_H_W
    rule.yield %2 : !b_op_H_W
  }

// A matmul with a right operand joined along the columns.

// CHECK: refuted matmul_with_concat_of_columns_swapped
rule.rule @matmul_with_concat_of_columns_swapped(%a: [m, k], %b: [k, n], %c: [k, p]) -> [m, n + p]
  lifts [%a]
  source {
    %bc = graph.concat %b, %c axis = 1 : (!kn, !kp) -> !k_np
    %0 = graph.matmul %a, %bc : (!mk, !k_np) -> !m_np
    rule.yield %0 : [m, n + p]
  }
  target {
    %0 = graph.matmul %a, %b : (!mk, !kn) -> !mn
    %1 = graph.matmul %a, %c : (!mk, !kp) -> !mp
    %2 = graph.concat %1, %0 axis = 1 : (!mp, !mn) -> !m_np
    rule.yield %2 : [m, n + p]
  }

// CHECK: refuted concat_of_concats_crosswise
rule.rule @concat_of_concats_crosswise(%a: [m, n], %b: [m, n], %c: [m, n], %d: [m, n]) -> [m + m, n + n]
  lifts [%a, %b, %c, %d]
  source {
    %ab = graph.concat %a, %b axis = 1 : (!mn, !mn) -> !m_nn
    %cd = graph.concat %c, %d axis = 1 : (!mn, !mn) -> !m_nn
    %0 = graph.concat %ab, %cd axis = 0 : (!m_nn, !m_nn) -> !mm_nn
    rule.yield %0 : [m + m, n + n]
  }
  target {
    %ac = graph.concat %a, %b axis = 0 : (!mn, !mn) -> !mm_n
    %bd = graph.concat %c, %d axis = 0 : (!mn, !mn) -> !mm_n
    %0 = graph.concat %ac, %bd axis = 1 : (!mm_n, !mm_n) -> !mm_nn
    rule.yield %0 : [m + m, n + n]
  }

// CHECK: refuted conv_with_pool_kernel_of_eighths
rule.rule @conv_with_pool_kernel_of_eighths(%x: [b, c, h, w], %same: [c, c]) -> [b, c, h, w]
  source {
    %nine = graph.constant dense<8.0> : tensor<f32>
    %nines = graph.broadcast %nine shape = [c, c] : (tensor<f32>) -> !cc
    %ninth = graph.div %same, %nines : !cc
    %middle = graph.reshape %ninth shape = [c, c, 1, 1] : (!cc) -> !cc11
    %kernel = graph.broadcast %middle shape = [c, c, 3, 3] : (!cc11) -> !cc33
    %0 = graph.conv %x, %kernel strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_first : (!bchw, !cc33) -> !bchw
    rule.yield %0 : [b, c, h, w]
  }
  target {
    %0 = graph.avg_pool %x kernel = [3, 3] strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] channels_first count_include_pad : (!bchw) -> !bchw
    rule.yield %0 : [b, c, h, w]
  }
  where [is_identity(%same)]

//===----------------------------------------------------------------------===//
// Constants (4, and two lemmas)
//===----------------------------------------------------------------------===//

// A convolution with the identity kernel, which has 1 in the middle where the
// channels are the same, is the identity.

// Without the identity, channels are mixed.
// CHECK: refuted conv_with_pool_kernel_between_channels
rule.rule @conv_with_pool_kernel_between_channels(%x: [b, c, h, w], %same: [c, c]) -> [b, c, h, w]
  source {
    %nine = graph.constant dense<9.0> : tensor<f32>
    %nines = graph.broadcast %nine shape = [c, c] : (tensor<f32>) -> !cc
    %ninth = graph.div %same, %nines : !cc
    %middle = graph.reshape %ninth shape = [c, c, 1, 1] : (!cc) -> !cc11
    %kernel = graph.broadcast %middle shape = [c, c, 3, 3] : (!cc11) -> !cc33
    %0 = graph.conv %x, %kernel strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_first : (!bchw, !cc33) -> !bchw
    rule.yield %0 : [b, c, h, w]
  }
  target {
    %0 = graph.avg_pool %x kernel = [3, 3] strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] channels_first count_include_pad : (!bchw) -> !bchw
    rule.yield %0 : [b, c, h, w]
  }

//===----------------------------------------------------------------------===//
// Constants (4, and two lemmas)
//===----------------------------------------------------------------------===//

// A convolution with the identity kernel, which has 1 in the middle where the
// channels are the same, is the identity.

// The one is not in the middle.
// CHECK: refuted conv_with_shifted_identity_kernel
rule.rule @conv_with_shifted_identity_kernel(%x: [b, c, h, w], %same: [c, c]) -> [b, c, h, w]
  source {
    %middle = graph.reshape %same shape = [c, c, 1, 1] : (!cc) -> !cc11
    %kernel = graph.pad %middle low = [0, 0, 2, 1] high = [0, 0, 0, 1] constant value = 0.0 : (!cc11) -> !cc33
    %0 = graph.conv %x, %kernel strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_first : (!bchw, !cc33) -> !bchw
    rule.yield %0 : [b, c, h, w]
  }
  target {
    rule.yield %x : [b, c, h, w]
  }
  where [is_identity(%same)]

// A matmul with the identity matrix, on the right and (a lemma) on the left.

// CHECK: refuted conv_with_kernel_of_one_element
rule.rule @conv_with_kernel_of_one_element(%x: [b, c, h, w], %same: [c, c]) -> [b, c, h, w]
  source {
    %middle = graph.reshape %same shape = [c, c, 1, 1] : (!cc) -> !cc11
    %kernel = graph.pad %middle low = [0, 0, 1, 1] high = [0, 0, 1, 1] constant value = 0.0 : (!cc11) -> !cc33
    %0 = graph.conv %x, %kernel strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_first : (!bchw, !cc33) -> !bchw
    rule.yield %0 : [b, c, h, w]
  }
  target {
    rule.yield %x : [b, c, h, w]
  }

// A matmul with the identity matrix, on the right and (a lemma) on the left.

// CHECK: refuted matmul_with_ones
rule.rule @matmul_with_ones(%a: [m, n], %identity: [n, n]) -> [m, n]
  lifts [%a]
  source {
    %0 = graph.matmul %a, %identity : (!mn, !nn) -> !mn
    rule.yield %0 : [m, n]
  }
  target {
    rule.yield %a : [m, n]
  }
  where [is_ones(%identity)]

// CHECK: refuted matmul_of_any
rule.rule @matmul_of_any(%identity: [m, m], %a: [m, n]) -> [m, n]
  source {
    %0 = graph.matmul %identity, %a : (!mm, !mn) -> !mn
    rule.yield %0 : [m, n]
  }
  target {
    rule.yield %a : [m, n]
  }

// The identity matrix is its transpose (a lemma).

// CHECK: refuted transpose_of_any
rule.rule @transpose_of_any(%identity: [n, n]) -> [n, n]
  source {
    %0 = graph.transpose %identity perm = [1, 0] : (!nn) -> !nn
    rule.yield %0 : [n, n]
  }
  target {
    rule.yield %identity : [n, n]
  }

// An elementwise product with ones.

// CHECK: refuted product_with_zeros
rule.rule @product_with_zeros(%a: [n], %ones: [n]) -> [n]
  source {
    %0 = graph.mul %a, %ones : !n
    rule.yield %0 : [n]
  }
  target {
    rule.yield %a : [n]
  }
  where [is_zero(%ones)]

// The average pool of the identity kernel is the pool kernel. (It is so for any
// matrix in place of the identity.)

// CHECK: refuted avg_pool_of_identity_kernel_without_padding
rule.rule @avg_pool_of_identity_kernel_without_padding(%same: [c, c]) -> [c, c, 3, 3]
  source {
    %middle = graph.reshape %same shape = [c, c, 1, 1] : (!cc) -> !cc11
    %kernel = graph.pad %middle low = [0, 0, 1, 1] high = [0, 0, 1, 1] constant value = 0.0 : (!cc11) -> !cc33
    %0 = graph.avg_pool %kernel kernel = [3, 3] strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] channels_first : (!cc33) -> !cc33
    rule.yield %0 : [c, c, 3, 3]
  }
  target {
    %nine = graph.constant dense<9.0> : tensor<f32>
    %nines = graph.broadcast %nine shape = [c, c] : (tensor<f32>) -> !cc
    %ninth = graph.div %same, %nines : !cc
    %middle = graph.reshape %ninth shape = [c, c, 1, 1] : (!cc) -> !cc11
    %kernel = graph.broadcast %middle shape = [c, c, 3, 3] : (!cc11) -> !cc33
    rule.yield %kernel : [c, c, 3, 3]
  }

// CHECK: refuted enlarge_kernel_on_one_side
rule.rule @enlarge_kernel_on_one_side(%x: [b, c, h, w], %v: [o, c, r, t]) -> !b_o_H1_W1
  source {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [1, 1] groups = 1 channels_first : (!bchw, !ocrt) -> !b_o_H1_W1
    rule.yield %0 : !b_o_H1_W1
  }
  target {
    %larger = graph.pad %v low = [0, 0, 2, 1] high = [0, 0, 0, 1] constant value = 0.0 : (!ocrt) -> !o_c_r2_t2
    %0 = graph.conv %x, %larger strides = [s, u] pads = [e + 1, f + 1, i + 1, j + 1] dilations = [1, 1] groups = 1 channels_first : (!bchw, !o_c_r2_t2) -> !b_o_H1_W1
    rule.yield %0 : !b_o_H1_W1
  }

// CHECK: refuted enlarge_kernel_without_pads
rule.rule @enlarge_kernel_without_pads(%x: [b, c, h, w], %v: [o, c, r, t]) -> !b_o_H1_W1
  source {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [1, 1] groups = 1 channels_first : (!bchw, !ocrt) -> !b_o_H1_W1
    rule.yield %0 : !b_o_H1_W1
  }
  target {
    %larger = graph.pad %v low = [0, 0, 1, 1] high = [0, 0, 1, 1] constant value = 0.0 : (!ocrt) -> !o_c_r2_t2
    %0 = graph.conv %x, %larger strides = [s, u] pads = [e + 2, f + 1, i, j + 1] dilations = [1, 1] groups = 1 channels_first : (!bchw, !o_c_r2_t2) -> !b_o_H1_W1
    rule.yield %0 : !b_o_H1_W1
  }

// CHECK: 0 proved, 27 refuted
