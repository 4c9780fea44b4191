// Rules about sums: products and convolutions are linear in either operand,
// and products of matrices associate.
//
// Entries 18 to 29 of rules/README.md. They hold for real numbers and for
// wrapping integers; in floating point most regroup sums (class
// `reassociates`). Sums and products of more than two are brought into these
// forms by firing on two of them, and then on the result and the next.

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
!kl = tensor<?x?xf32, #graph.dims<k, l>>
!mp = tensor<?x?xf32, #graph.dims<m, p>>
!lp = tensor<?x?xf32, #graph.dims<l, p>>
!pn = tensor<?x?xf32, #graph.dims<p, n>>
!qn = tensor<?x?xf32, #graph.dims<q, n>>
!qk = tensor<?x?xf32, #graph.dims<q, k>>
!mq = tensor<?x?xf32, #graph.dims<m, q>>
!m_kq = tensor<?x?xf32, #graph.dims<m, k + q>>
!kq_n = tensor<?x?xf32, #graph.dims<k + q, n>>
!kq = tensor<?x?xf32, #graph.dims<k, q>>
!n = tensor<?xf32, #graph.dims<n>>
!nm = tensor<?x?xf32, #graph.dims<n, m>>
!nk = tensor<?x?xf32, #graph.dims<n, k>>
!km = tensor<?x?xf32, #graph.dims<k, m>>

// 18. A B + C D = [A C] [B; D].
rule.rule @add_of_matmuls_to_matmul_of_concats(%a: [m, k], %b: [k, n], %c: [m, l], %d: [l, n]) -> [m, n]
  lifts [%a, %c]
  source {
    %0 = graph.matmul %a, %b : (!mk, !kn) -> !mn
    %1 = graph.matmul %c, %d : (!ml, !ln) -> !mn
    %2 = graph.add %0, %1 : !mn
    rule.yield %2 : [m, n]
  }
  target {
    %ac = graph.concat %a, %c axis = 1 : (!mk, !ml) -> !m_kl
    %bd = graph.concat %b, %d axis = 0 : (!kn, !ln) -> !kl_n
    %0 = graph.matmul %ac, %bd : (!m_kl, !kl_n) -> !mn
    rule.yield %0 : [m, n]
  }

// 19. conv(X, V) + conv(Y, Z) = conv([X Y], [V Z]), joined along the input
// channels. One group: several would share out the joined channels otherwise.
rule.rule @add_of_convs_to_conv_of_concats(%x: [b, c, h, w], %y: [b, p, h, w], %v: [o, c, r, t], %z: [o, p, r, t]) -> !boHW
  source {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first : (!bchw, !ocrt) -> !boHW
    %1 = graph.conv %y, %z strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first : (!bphw, !oprt) -> !boHW
    %2 = graph.add %0, %1 : !boHW
    rule.yield %2 : !boHW
  }
  target {
    %xy = graph.concat %x, %y axis = 1 : (!bchw, !bphw) -> !b_cp_h_w
    %vz = graph.concat %v, %z axis = 1 : (!ocrt, !oprt) -> !o_cp_r_t
    %0 = graph.conv %xy, %vz strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first : (!b_cp_h_w, !o_cp_r_t) -> !boHW
    rule.yield %0 : !boHW
  }

// 20. conv(X, V) + conv(X, Z) = conv(X, V + Z). Where the weights are
// constants, their sum is one too.
rule.rule @add_of_convs_sharing_input(%x: [b, g * c, h, w], %v: [o, c, r, t], %z: [o, c, r, t]) -> !boHW
  source {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = g channels_first : (!b_gc_h_w, !ocrt) -> !boHW
    %1 = graph.conv %x, %z strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = g channels_first : (!b_gc_h_w, !ocrt) -> !boHW
    %2 = graph.add %0, %1 : !boHW
    rule.yield %2 : !boHW
  }
  target {
    %vz = graph.add %v, %z : !ocrt
    %0 = graph.conv %x, %vz strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = g channels_first : (!b_gc_h_w, !ocrt) -> !boHW
    rule.yield %0 : !boHW
  }

// 21. conv(X, V) + conv(Y, V) = conv(X + Y, V).
rule.rule @add_of_convs_sharing_weight(%x: [b, g * c, h, w], %y: [b, g * c, h, w], %v: [o, c, r, t]) -> !boHW
  source {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = g channels_first : (!b_gc_h_w, !ocrt) -> !boHW
    %1 = graph.conv %y, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = g channels_first : (!b_gc_h_w, !ocrt) -> !boHW
    %2 = graph.add %0, %1 : !boHW
    rule.yield %2 : !boHW
  }
  target {
    %xy = graph.add %x, %y : !b_gc_h_w
    %0 = graph.conv %xy, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = g channels_first : (!b_gc_h_w, !ocrt) -> !boHW
    rule.yield %0 : !boHW
  }

// 22. A B + A C = A (B + C).
rule.rule @add_of_matmuls_sharing_lhs(%a: [m, k], %b: [k, n], %c: [k, n]) -> [m, n]
  lifts [%a]
  source {
    %0 = graph.matmul %a, %b : (!mk, !kn) -> !mn
    %1 = graph.matmul %a, %c : (!mk, !kn) -> !mn
    %2 = graph.add %0, %1 : !mn
    rule.yield %2 : [m, n]
  }
  target {
    %bc = graph.add %b, %c : !kn
    %0 = graph.matmul %a, %bc : (!mk, !kn) -> !mn
    rule.yield %0 : [m, n]
  }

// 23. A C + B C = (A + B) C.
rule.rule @add_of_matmuls_sharing_rhs(%a: [m, k], %b: [m, k], %c: [k, n]) -> [m, n]
  lifts [%a, %b]
  source {
    %0 = graph.matmul %a, %c : (!mk, !kn) -> !mn
    %1 = graph.matmul %b, %c : (!mk, !kn) -> !mn
    %2 = graph.add %0, %1 : !mn
    rule.yield %2 : [m, n]
  }
  target {
    %ab = graph.add %a, %b : !mk
    %0 = graph.matmul %ab, %c : (!mk, !kn) -> !mn
    rule.yield %0 : [m, n]
  }

// 24. (A B) C = A (B C). Which is cheaper follows from the sizes; the two
// directions undo each other.
rule.rule @associate_matmuls_to_right(%a: [m, k], %b: [k, l], %c: [l, n]) -> [m, n]
  lifts [%a]
  source {
    %0 = graph.matmul %a, %b : (!mk, !kl) -> !ml
    %1 = graph.matmul %0, %c : (!ml, !ln) -> !mn
    rule.yield %1 : [m, n]
  }
  target {
    %0 = graph.matmul %b, %c : (!kl, !ln) -> !kn
    %1 = graph.matmul %a, %0 : (!mk, !kn) -> !mn
    rule.yield %1 : [m, n]
  }

rule.rule @associate_matmuls_to_left(%a: [m, k], %b: [k, l], %c: [l, n]) -> [m, n]
  lifts [%a]
  source {
    %0 = graph.matmul %b, %c : (!kl, !ln) -> !kn
    %1 = graph.matmul %a, %0 : (!mk, !kn) -> !mn
    rule.yield %1 : [m, n]
  }
  target {
    %0 = graph.matmul %a, %b : (!mk, !kl) -> !ml
    %1 = graph.matmul %0, %c : (!ml, !ln) -> !mn
    rule.yield %1 : [m, n]
  }

// 25. A product of any number of matrices, in any order of evaluation: the two
// rules above lead from every order to every other. One instance for four, in
// one step.
rule.rule @balance_matmul_chain(%a: [m, k], %b: [k, l], %c: [l, p], %d: [p, n]) -> [m, n]
  lifts [%a]
  source {
    %0 = graph.matmul %a, %b : (!mk, !kl) -> !ml
    %1 = graph.matmul %0, %c : (!ml, !lp) -> !mp
    %2 = graph.matmul %1, %d : (!mp, !pn) -> !mn
    rule.yield %2 : [m, n]
  }
  target {
    %0 = graph.matmul %a, %b : (!mk, !kl) -> !ml
    %1 = graph.matmul %c, %d : (!lp, !pn) -> !ln
    %2 = graph.matmul %0, %1 : (!ml, !ln) -> !mn
    rule.yield %2 : [m, n]
  }

// 26. A low-rank update beside a weight: W X + B (A X) = [W B] [X; A X].
rule.rule @low_rank_update_to_matmul(%w: [m, k], %x: [k, n], %a: [q, k], %b: [m, q]) -> [m, n]
  source {
    %0 = graph.matmul %w, %x : (!mk, !kn) -> !mn
    %ax = graph.matmul %a, %x : (!qk, !kn) -> !qn
    %1 = graph.matmul %b, %ax : (!mq, !qn) -> !mn
    %2 = graph.add %0, %1 : !mn
    rule.yield %2 : [m, n]
  }
  target {
    %wb = graph.concat %w, %b axis = 1 : (!mk, !mq) -> !m_kq
    %ax = graph.matmul %a, %x : (!qk, !kn) -> !qn
    %xax = graph.concat %x, %ax axis = 0 : (!kn, !qn) -> !kq_n
    %0 = graph.matmul %wb, %xax : (!m_kq, !kq_n) -> !mn
    rule.yield %0 : [m, n]
  }

// The same with the weights on the right: X W + (X A) B = [X X A] [W; B].
rule.rule @low_rank_update_on_right_to_matmul(%x: [m, k], %w: [k, n], %a: [k, q], %b: [q, n]) -> [m, n]
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
    %xxa = graph.concat %x, %xa axis = 1 : (!mk, !mq) -> !m_kq
    %wb = graph.concat %w, %b axis = 0 : (!kn, !qn) -> !kq_n
    %0 = graph.matmul %xxa, %wb : (!m_kq, !kq_n) -> !mn
    rule.yield %0 : [m, n]
  }

// 27. A scale moves across a product: (s A) B = s (A B) = A (s B).
rule.rule @scale_of_lhs_to_matmul(%s: [], %a: [m, k], %b: [k, n]) -> [m, n]
  source {
    %0 = graph.broadcast %s shape = [m, k] : (tensor<f32>) -> !mk
    %1 = graph.mul %a, %0 : !mk
    %2 = graph.matmul %1, %b : (!mk, !kn) -> !mn
    rule.yield %2 : [m, n]
  }
  target {
    %0 = graph.matmul %a, %b : (!mk, !kn) -> !mn
    %1 = graph.broadcast %s shape = [m, n] : (tensor<f32>) -> !mn
    %2 = graph.mul %0, %1 : !mn
    rule.yield %2 : [m, n]
  }

rule.rule @scale_of_matmul_to_rhs(%s: [], %a: [m, k], %b: [k, n]) -> [m, n]
  source {
    %0 = graph.matmul %a, %b : (!mk, !kn) -> !mn
    %1 = graph.broadcast %s shape = [m, n] : (tensor<f32>) -> !mn
    %2 = graph.mul %0, %1 : !mn
    rule.yield %2 : [m, n]
  }
  target {
    %0 = graph.broadcast %s shape = [k, n] : (tensor<f32>) -> !kn
    %1 = graph.mul %b, %0 : !kn
    %2 = graph.matmul %a, %1 : (!mk, !kn) -> !mn
    rule.yield %2 : [m, n]
  }

// The same for convolutions.
rule.rule @scale_of_input_to_conv(%q: [], %x: [b, g * c, h, w], %v: [o, c, r, t]) -> !boHW
  source {
    %0 = graph.broadcast %q shape = [b, g * c, h, w] : (tensor<f32>) -> !b_gc_h_w
    %1 = graph.mul %x, %0 : !b_gc_h_w
    %2 = graph.conv %1, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = g channels_first : (!b_gc_h_w, !ocrt) -> !boHW
    rule.yield %2 : !boHW
  }
  target {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = g channels_first : (!b_gc_h_w, !ocrt) -> !boHW
    %1 = graph.broadcast %q shape = [b, o, (h + e + i - d * (r - 1) - 1) floordiv s + 1, (w + f + j - l * (t - 1) - 1) floordiv u + 1] : (tensor<f32>) -> !boHW
    %2 = graph.mul %0, %1 : !boHW
    rule.yield %2 : !boHW
  }

rule.rule @scale_of_conv_to_weight(%q: [], %x: [b, g * c, h, w], %v: [o, c, r, t]) -> !boHW
  source {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = g channels_first : (!b_gc_h_w, !ocrt) -> !boHW
    %1 = graph.broadcast %q shape = [b, o, (h + e + i - d * (r - 1) - 1) floordiv s + 1, (w + f + j - l * (t - 1) - 1) floordiv u + 1] : (tensor<f32>) -> !boHW
    %2 = graph.mul %0, %1 : !boHW
    rule.yield %2 : !boHW
  }
  target {
    %0 = graph.broadcast %q shape = [o, c, r, t] : (tensor<f32>) -> !ocrt
    %1 = graph.mul %v, %0 : !ocrt
    %2 = graph.conv %x, %1 strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = g channels_first : (!b_gc_h_w, !ocrt) -> !boHW
    rule.yield %2 : !boHW
  }

// 28. A common factor.
rule.rule @factor_sum_of_products(%a: [n], %b: [n], %c: [n]) -> [n]
  lifts [%a, %b, %c]
  source {
    %0 = graph.mul %a, %b : !n
    %1 = graph.mul %a, %c : !n
    %2 = graph.add %0, %1 : !n
    rule.yield %2 : [n]
  }
  target {
    %0 = graph.add %b, %c : !n
    %1 = graph.mul %a, %0 : !n
    rule.yield %1 : [n]
  }

// 29. The transpose of a product is the product of the transposes in the other
// order, in both directions.
rule.rule @transpose_of_matmul(%a: [m, k], %b: [k, n]) -> [n, m]
  source {
    %0 = graph.matmul %a, %b : (!mk, !kn) -> !mn
    %1 = graph.transpose %0 perm = [1, 0] : (!mn) -> !nm
    rule.yield %1 : [n, m]
  }
  target {
    %0 = graph.transpose %b perm = [1, 0] : (!kn) -> !nk
    %1 = graph.transpose %a perm = [1, 0] : (!mk) -> !km
    %2 = graph.matmul %0, %1 : (!nk, !km) -> !nm
    rule.yield %2 : [n, m]
  }

rule.rule @matmul_of_transposes(%a: [k, m], %b: [n, k]) -> [m, n]
  source {
    %0 = graph.transpose %a perm = [1, 0] : (!km) -> !mk
    %1 = graph.transpose %b perm = [1, 0] : (!nk) -> !kn
    %2 = graph.matmul %0, %1 : (!mk, !kn) -> !mn
    rule.yield %2 : [m, n]
  }
  target {
    %0 = graph.matmul %b, %a : (!nk, !km) -> !nm
    %1 = graph.transpose %0 perm = [1, 0] : (!nm) -> !mn
    rule.yield %1 : [m, n]
  }

// Transposes of one operand go into the matmul, which reads either layout.
rule.rule @transpose_of_lhs_into_matmul(%a: [k, m], %b: [k, n]) -> [m, n]
  source {
    %0 = graph.transpose %a perm = [1, 0] : (!km) -> !mk
    %1 = graph.matmul %0, %b : (!mk, !kn) -> !mn
    rule.yield %1 : [m, n]
  }
  target {
    %0 = graph.matmul %a, %b transpose_a : (!km, !kn) -> !mn
    rule.yield %0 : [m, n]
  }

rule.rule @transpose_of_rhs_into_matmul(%a: [m, k], %b: [n, k]) -> [m, n]
  lifts [%a]
  source {
    %0 = graph.transpose %b perm = [1, 0] : (!nk) -> !kn
    %1 = graph.matmul %a, %0 : (!mk, !kn) -> !mn
    rule.yield %1 : [m, n]
  }
  target {
    %0 = graph.matmul %a, %b transpose_b : (!mk, !nk) -> !mn
    rule.yield %0 : [m, n]
  }
