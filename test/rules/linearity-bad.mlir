// Negative tests for rules/linearity.mlir: each must be refuted.
// RUN: not tenon-rules prove %s 2>&1 | FileCheck %s
// The proofs themselves find none of them, without trying small sizes first.
// RUN: not tenon-rules prove --without-refuting %s 2>&1 | FileCheck %s --check-prefix=PROOF
// PROOF: 0 proved, 23 unknown
// REQUIRES: z3

!mn = tensor<?x?xf32, #graph.dims<m, n>>
!mk = tensor<?x?xf32, #graph.dims<m, k>>
!kn = tensor<?x?xf32, #graph.dims<k, n>>
!ml = tensor<?x?xf32, #graph.dims<m, l>>
!ln = tensor<?x?xf32, #graph.dims<l, n>>
!m_kl = tensor<?x?xf32, #graph.dims<m, k + l>>
!kl_n = tensor<?x?xf32, #graph.dims<k + l, n>>
!boHW = tensor<?x?x?x?xf32, #graph.dims<b, o, (h + e + i - d * (r - 1) - 1) floordiv s + 1, (w + f + j - l * (t - 1) - 1) floordiv u + 1>>
!bchw = tensor<?x?x?x?xf32, #graph.dims<b, c, h, w>>
!ocrt = tensor<?x?x?x?xf32, #graph.dims<o, c, r, t>>
!bphw = tensor<?x?x?x?xf32, #graph.dims<b, p, h, w>>
!oprt = tensor<?x?x?x?xf32, #graph.dims<o, p, r, t>>
!b_cp_h_w = tensor<?x?x?x?xf32, #graph.dims<b, c + p, h, w>>
!o_cp_r_t = tensor<?x?x?x?xf32, #graph.dims<o, c + p, r, t>>
!b_gc_h_w = tensor<?x?x?x?xf32, #graph.dims<b, g * c, h, w>>
!nn = tensor<?x?xf32, #graph.dims<n, n>>
!qn = tensor<?x?xf32, #graph.dims<q, n>>
!qk = tensor<?x?xf32, #graph.dims<q, k>>
!mq = tensor<?x?xf32, #graph.dims<m, q>>
!m_kq = tensor<?x?xf32, #graph.dims<m, k + q>>
!kq_n = tensor<?x?xf32, #graph.dims<k + q, n>>
!kq = tensor<?x?xf32, #graph.dims<k, q>>
!n = tensor<?xf32, #graph.dims<n>>

// The rows of the right operand in the other order than the columns of the left.
// CHECK: refuted rows_in_other_order
rule.rule @rows_in_other_order(%a: [m, k], %b: [k, n], %c: [m, l], %d: [l, n]) -> [m, n]
  lifts [%a, %c]
  source {
    %0 = graph.matmul %a, %b : (!mk, !kn) -> !mn
    %1 = graph.matmul %c, %d : (!ml, !ln) -> !mn
    %2 = graph.add %0, %1 : !mn
    rule.yield %2 : [m, n]
  }
  target {
    %ac = graph.concat %a, %c axis = 1 : (!mk, !ml) -> !m_kl
    %bd = graph.concat %d, %b axis = 0 : (!ln, !kn) -> !kl_n
    %0 = graph.matmul %ac, %bd : (!m_kl, !kl_n) -> !mn
    rule.yield %0 : [m, n]
  }

// The channels of the weights in the other order than those of the inputs.
// CHECK: refuted channels_in_other_order
rule.rule @channels_in_other_order(%x: [b, c, h, w], %y: [b, p, h, w], %v: [o, c, r, t], %z: [o, p, r, t]) -> !boHW
  source {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first : (!bchw, !ocrt) -> !boHW
    %1 = graph.conv %y, %z strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first : (!bphw, !oprt) -> !boHW
    %2 = graph.add %0, %1 : !boHW
    rule.yield %2 : !boHW
  }
  target {
    %xy = graph.concat %x, %y axis = 1 : (!bchw, !bphw) -> !b_cp_h_w
    %vz = graph.concat %z, %v axis = 1 : (!oprt, !ocrt) -> !o_cp_r_t
    %0 = graph.conv %xy, %vz strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first : (!b_cp_h_w, !o_cp_r_t) -> !boHW
    rule.yield %0 : !boHW
  }

// 20. conv(X, V) + conv(X, Z) = conv(X, V + Z). Where the weights are
// constants, their sum is one too.

// CHECK: refuted difference_of_weights
rule.rule @difference_of_weights(%x: [b, g * c, h, w], %v: [o, c, r, t], %z: [o, c, r, t]) -> !boHW
  source {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = g channels_first : (!b_gc_h_w, !ocrt) -> !boHW
    %1 = graph.conv %x, %z strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = g channels_first : (!b_gc_h_w, !ocrt) -> !boHW
    %2 = graph.add %0, %1 : !boHW
    rule.yield %2 : !boHW
  }
  target {
    %vz = graph.sub %v, %z : !ocrt
    %0 = graph.conv %x, %vz strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = g channels_first : (!b_gc_h_w, !ocrt) -> !boHW
    rule.yield %0 : !boHW
  }

// 21. conv(X, V) + conv(Y, V) = conv(X + Y, V).

// The pads above and below have changed places.
// CHECK: refuted pads_swapped
rule.rule @pads_swapped(%x: [b, g * c, h, w], %y: [b, g * c, h, w], %v: [o, c, r, t]) -> !boHW
  source {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = g channels_first : (!b_gc_h_w, !ocrt) -> !boHW
    %1 = graph.conv %y, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = g channels_first : (!b_gc_h_w, !ocrt) -> !boHW
    %2 = graph.add %0, %1 : !boHW
    rule.yield %2 : !boHW
  }
  target {
    %xy = graph.add %x, %y : !b_gc_h_w
    %0 = graph.conv %xy, %v strides = [s, u] pads = [i, f, e, j] dilations = [d, l] groups = g channels_first : (!b_gc_h_w, !ocrt) -> !boHW
    rule.yield %0 : !boHW
  }

// 22. A B + A C = A (B + C).

// CHECK: refuted product_of_operands
rule.rule @product_of_operands(%a: [m, k], %b: [k, n], %c: [k, n]) -> [m, n]
  lifts [%a]
  source {
    %0 = graph.matmul %a, %b : (!mk, !kn) -> !mn
    %1 = graph.matmul %a, %c : (!mk, !kn) -> !mn
    %2 = graph.add %0, %1 : !mn
    rule.yield %2 : [m, n]
  }
  target {
    %bc = graph.mul %b, %c : !kn
    %0 = graph.matmul %a, %bc : (!mk, !kn) -> !mn
    rule.yield %0 : [m, n]
  }

// CHECK: refuted difference_of_matmuls
rule.rule @difference_of_matmuls(%a: [m, k], %b: [m, k], %c: [k, n]) -> [m, n]
  lifts [%a, %b]
  source {
    %0 = graph.matmul %a, %c : (!mk, !kn) -> !mn
    %1 = graph.matmul %b, %c : (!mk, !kn) -> !mn
    %2 = graph.sub %0, %1 : !mn
    rule.yield %2 : [m, n]
  }
  target {
    %ab = graph.add %a, %b : !mk
    %0 = graph.matmul %ab, %c : (!mk, !kn) -> !mn
    rule.yield %0 : [m, n]
  }

// Matrices do not commute.
// CHECK: refuted associate_to_right_and_commute
rule.rule @associate_to_right_and_commute(%a: [n, n], %b: [n, n], %c: [n, n]) -> [n, n]
  lifts [%a]
  source {
    %0 = graph.matmul %a, %b : (!nn, !nn) -> !nn
    %1 = graph.matmul %0, %c : (!nn, !nn) -> !nn
    rule.yield %1 : [n, n]
  }
  target {
    %0 = graph.matmul %c, %b : (!nn, !nn) -> !nn
    %1 = graph.matmul %a, %0 : (!nn, !nn) -> !nn
    rule.yield %1 : [n, n]
  }

// CHECK: refuted associate_to_left_and_commute
rule.rule @associate_to_left_and_commute(%a: [n, n], %b: [n, n], %c: [n, n]) -> [n, n]
  lifts [%a]
  source {
    %0 = graph.matmul %b, %c : (!nn, !nn) -> !nn
    %1 = graph.matmul %a, %0 : (!nn, !nn) -> !nn
    rule.yield %1 : [n, n]
  }
  target {
    %0 = graph.matmul %b, %a : (!nn, !nn) -> !nn
    %1 = graph.matmul %0, %c : (!nn, !nn) -> !nn
    rule.yield %1 : [n, n]
  }

// CHECK: refuted balance_and_commute
rule.rule @balance_and_commute(%a: [n, n], %b: [n, n], %c: [n, n], %d: [n, n]) -> [n, n]
  lifts [%a]
  source {
    %0 = graph.matmul %a, %b : (!nn, !nn) -> !nn
    %1 = graph.matmul %0, %c : (!nn, !nn) -> !nn
    %2 = graph.matmul %1, %d : (!nn, !nn) -> !nn
    rule.yield %2 : [n, n]
  }
  target {
    %0 = graph.matmul %a, %b : (!nn, !nn) -> !nn
    %1 = graph.matmul %d, %c : (!nn, !nn) -> !nn
    %2 = graph.matmul %0, %1 : (!nn, !nn) -> !nn
    rule.yield %2 : [n, n]
  }

// CHECK: refuted update_before_weight
rule.rule @update_before_weight(%w: [m, k], %x: [k, n], %a: [q, k], %b: [m, q]) -> [m, n]
  source {
    %0 = graph.matmul %w, %x : (!mk, !kn) -> !mn
    %ax = graph.matmul %a, %x : (!qk, !kn) -> !qn
    %1 = graph.matmul %b, %ax : (!mq, !qn) -> !mn
    %2 = graph.add %0, %1 : !mn
    rule.yield %2 : [m, n]
  }
  target {
    %wb = graph.concat %b, %w axis = 1 : (!mq, !mk) -> !m_kq
    %ax = graph.matmul %a, %x : (!qk, !kn) -> !qn
    %xax = graph.concat %x, %ax axis = 0 : (!kn, !qn) -> !kq_n
    %0 = graph.matmul %wb, %xax : (!m_kq, !kq_n) -> !mn
    rule.yield %0 : [m, n]
  }

// CHECK: refuted update_before_activation
rule.rule @update_before_activation(%x: [m, k], %w: [k, n], %a: [k, q], %b: [q, n]) -> [m, n]
  lifts [%x]
  source {
    %0 = graph.matmul %x, %w : (!mk, !kn) -> !mn
    %xa = graph.matmul %x, %a : (!mk, !kq) -> !mq
    %1 = graph.matmul %xa, %b : (!mq, !qn) -> !mn
    %2 = graph.add %0, %1 : !mn
    rule.yield %2 : [m, n]
  }
  target {
    %xa = graph.matmul %x, %a : (!mk, !kq) -> !mq
    %xxa = graph.concat %xa, %x axis = 1 : (!mq, !mk) -> !m_kq
    %wb = graph.concat %w, %b axis = 0 : (!kn, !qn) -> !kq_n
    %0 = graph.matmul %xxa, %wb : (!m_kq, !kq_n) -> !mn
    rule.yield %0 : [m, n]
  }

// CHECK: refuted scale_added
rule.rule @scale_added(%s: [], %a: [m, k], %b: [k, n]) -> [m, n]
  source {
    %0 = graph.broadcast %s shape = [m, k] : (tensor<f32>) -> !mk
    %1 = graph.mul %a, %0 : !mk
    %2 = graph.matmul %1, %b : (!mk, !kn) -> !mn
    rule.yield %2 : [m, n]
  }
  target {
    %0 = graph.matmul %a, %b : (!mk, !kn) -> !mn
    %1 = graph.broadcast %s shape = [m, n] : (tensor<f32>) -> !mn
    %2 = graph.add %0, %1 : !mn
    rule.yield %2 : [m, n]
  }

// CHECK: refuted scale_added_to_rhs
rule.rule @scale_added_to_rhs(%s: [], %a: [m, k], %b: [k, n]) -> [m, n]
  source {
    %0 = graph.matmul %a, %b : (!mk, !kn) -> !mn
    %1 = graph.broadcast %s shape = [m, n] : (tensor<f32>) -> !mn
    %2 = graph.mul %0, %1 : !mn
    rule.yield %2 : [m, n]
  }
  target {
    %0 = graph.broadcast %s shape = [k, n] : (tensor<f32>) -> !kn
    %1 = graph.add %b, %0 : !kn
    %2 = graph.matmul %a, %1 : (!mk, !kn) -> !mn
    rule.yield %2 : [m, n]
  }

// A shift is no scale: at the border, pads are not shifted.
// CHECK: refuted shift_of_input
rule.rule @shift_of_input(%q: [], %x: [b, g * c, h, w], %v: [o, c, r, t]) -> !boHW
  source {
    %0 = graph.broadcast %q shape = [b, g * c, h, w] : (tensor<f32>) -> !b_gc_h_w
    %1 = graph.add %x, %0 : !b_gc_h_w
    %2 = graph.conv %1, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = g channels_first : (!b_gc_h_w, !ocrt) -> !boHW
    rule.yield %2 : !boHW
  }
  target {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = g channels_first : (!b_gc_h_w, !ocrt) -> !boHW
    %1 = graph.broadcast %q shape = [b, o, (h + e + i - d * (r - 1) - 1) floordiv s + 1, (w + f + j - l * (t - 1) - 1) floordiv u + 1] : (tensor<f32>) -> !boHW
    %2 = graph.mul %0, %1 : !boHW
    rule.yield %2 : !boHW
  }

// CHECK: refuted scale_squared
rule.rule @scale_squared(%q: [], %x: [b, g * c, h, w], %v: [o, c, r, t]) -> !boHW
  source {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = g channels_first : (!b_gc_h_w, !ocrt) -> !boHW
    %1 = graph.broadcast %q shape = [b, o, (h + e + i - d * (r - 1) - 1) floordiv s + 1, (w + f + j - l * (t - 1) - 1) floordiv u + 1] : (tensor<f32>) -> !boHW
    %2 = graph.mul %0, %1 : !boHW
    rule.yield %2 : !boHW
  }
  target {
    %0 = graph.broadcast %q shape = [o, c, r, t] : (tensor<f32>) -> !ocrt
    %3 = graph.mul %v, %0 : !ocrt
    %1 = graph.mul %3, %0 : !ocrt
    %2 = graph.conv %x, %1 strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = g channels_first : (!b_gc_h_w, !ocrt) -> !boHW
    rule.yield %2 : !boHW
  }

// 28. A common factor.

// CHECK: refuted factor_of_difference
rule.rule @factor_of_difference(%a: [n], %b: [n], %c: [n]) -> [n]
  lifts [%a, %b, %c]
  source {
    %0 = graph.mul %a, %b : !n
    %1 = graph.mul %a, %c : !n
    %2 = graph.sub %0, %1 : !n
    rule.yield %2 : [n]
  }
  target {
    %0 = graph.add %b, %c : !n
    %1 = graph.mul %a, %0 : !n
    rule.yield %1 : [n]
  }

// CHECK: refuted transpose_without_swap
rule.rule @transpose_without_swap(%a: [n, n], %b: [n, n]) -> [n, n]
  source {
    %0 = graph.matmul %a, %b : (!nn, !nn) -> !nn
    %1 = graph.transpose %0 perm = [1, 0] : (!nn) -> !nn
    rule.yield %1 : [n, n]
  }
  target {
    %0 = graph.transpose %b perm = [1, 0] : (!nn) -> !nn
    %1 = graph.transpose %a perm = [1, 0] : (!nn) -> !nn
    %2 = graph.matmul %1, %0 : (!nn, !nn) -> !nn
    rule.yield %2 : [n, n]
  }

// CHECK: refuted matmul_of_transposes_without_swap
rule.rule @matmul_of_transposes_without_swap(%a: [n, n], %b: [n, n]) -> [n, n]
  source {
    %0 = graph.transpose %a perm = [1, 0] : (!nn) -> !nn
    %1 = graph.transpose %b perm = [1, 0] : (!nn) -> !nn
    %2 = graph.matmul %0, %1 : (!nn, !nn) -> !nn
    rule.yield %2 : [n, n]
  }
  target {
    %0 = graph.matmul %a, %b : (!nn, !nn) -> !nn
    %1 = graph.transpose %0 perm = [1, 0] : (!nn) -> !nn
    rule.yield %1 : [n, n]
  }

// CHECK: refuted transpose_into_the_other_operand
rule.rule @transpose_into_the_other_operand(%a: [n, n], %b: [n, n]) -> [n, n]
  source {
    %0 = graph.transpose %a perm = [1, 0] : (!nn) -> !nn
    %1 = graph.matmul %0, %b : (!nn, !nn) -> !nn
    rule.yield %1 : [n, n]
  }
  target {
    %0 = graph.matmul %a, %b transpose_b : (!nn, !nn) -> !nn
    rule.yield %0 : [n, n]
  }

// CHECK: refuted transpose_lost
rule.rule @transpose_lost(%a: [n, n], %b: [n, n]) -> [n, n]
  lifts [%a]
  source {
    %0 = graph.transpose %b perm = [1, 0] : (!nn) -> !nn
    %1 = graph.matmul %a, %0 : (!nn, !nn) -> !nn
    rule.yield %1 : [n, n]
  }
  target {
    %0 = graph.matmul %a, %b : (!nn, !nn) -> !nn
    rule.yield %0 : [n, n]
  }

// The operand is read backwards.
// CHECK: refuted transpose_of_lhs_into_matmul_backwards
rule.rule @transpose_of_lhs_into_matmul_backwards(%a: [k, m], %b: [k, n]) -> [m, n]
  source {
    %0 = graph.transpose %a perm = [1, 0] : (tensor<?x?xf32, #graph.dims<k, m>>) -> !mk
    %1 = graph.matmul %0, %b : (!mk, !kn) -> !mn
    rule.yield %1 : [m, n]
  }
  target {
    %back = graph.reverse %a axes = [0] : tensor<?x?xf32, #graph.dims<k, m>>
    %0 = graph.matmul %back, %b transpose_a : (tensor<?x?xf32, #graph.dims<k, m>>, !kn) -> !mn
    rule.yield %0 : [m, n]
  }

// The operand is read backwards.
// CHECK: refuted transpose_of_matmul_backwards
rule.rule @transpose_of_matmul_backwards(%a: [m, k], %b: [k, n]) -> [n, m]
  source {
    %0 = graph.matmul %a, %b : (!mk, !kn) -> !mn
    %1 = graph.transpose %0 perm = [1, 0] : (!mn) -> tensor<?x?xf32, #graph.dims<n, m>>
    rule.yield %1 : [n, m]
  }
  target {
    %back = graph.reverse %a axes = [0] : tensor<?x?xf32, #graph.dims<m, k>>
    %0 = graph.transpose %b perm = [1, 0] : (!kn) -> tensor<?x?xf32, #graph.dims<n, k>>
    %1 = graph.transpose %back perm = [1, 0] : (!mk) -> tensor<?x?xf32, #graph.dims<k, m>>
    %2 = graph.matmul %0, %1 : (tensor<?x?xf32, #graph.dims<n, k>>, tensor<?x?xf32, #graph.dims<k, m>>) -> tensor<?x?xf32, #graph.dims<n, m>>
    rule.yield %2 : [n, m]
  }

// The operand is read backwards.
// CHECK: refuted transpose_of_rhs_into_matmul_backwards
rule.rule @transpose_of_rhs_into_matmul_backwards(%a: [m, k], %b: [n, k]) -> [m, n]
  lifts [%a]
  source {
    %0 = graph.transpose %b perm = [1, 0] : (tensor<?x?xf32, #graph.dims<n, k>>) -> !kn
    %1 = graph.matmul %a, %0 : (!mk, !kn) -> !mn
    rule.yield %1 : [m, n]
  }
  target {
    %back = graph.reverse %a axes = [0] : tensor<?x?xf32, #graph.dims<m, k>>
    %0 = graph.matmul %back, %b transpose_b : (!mk, tensor<?x?xf32, #graph.dims<n, k>>) -> !mn
    rule.yield %0 : [m, n]
  }

// CHECK: 0 proved, 23 refuted
