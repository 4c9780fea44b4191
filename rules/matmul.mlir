// Rules that make one product of matrices of several that share an operand.
//
// Entries 1 to 4 of rules/README.md. More than three are merged a few at a time:
// the result of one firing shares its operand with the next.
//
// `tenon-rules prove rules/matmul.mlir` proves them for all sizes.

!mk = tensor<?x?xf32, #graph.dims<m, k>>
!kn = tensor<?x?xf32, #graph.dims<k, n>>
!kp = tensor<?x?xf32, #graph.dims<k, p>>
!kq = tensor<?x?xf32, #graph.dims<k, q>>
!mn = tensor<?x?xf32, #graph.dims<m, n>>
!mp = tensor<?x?xf32, #graph.dims<m, p>>
!mq = tensor<?x?xf32, #graph.dims<m, q>>
!k_np = tensor<?x?xf32, #graph.dims<k, n + p>>
!m_np = tensor<?x?xf32, #graph.dims<m, n + p>>
!k_npq = tensor<?x?xf32, #graph.dims<k, n + p + q>>
!m_npq = tensor<?x?xf32, #graph.dims<m, n + p + q>>

// Three matmuls that share their left operand are one with three times the
// columns: the query, key and value projections of attention.
rule.rule @merge_three_matmuls_sharing_lhs(%x: [m, k], %a: [k, n], %b: [k, p], %c: [k, q]) -> ([m, n], [m, p], [m, q])
  lifts [%x]
  source {
    %0 = graph.matmul %x, %a : (!mk, !kn) -> !mn
    %1 = graph.matmul %x, %b : (!mk, !kp) -> !mp
    %2 = graph.matmul %x, %c : (!mk, !kq) -> !mq
    rule.yield %0, %1, %2 : [m, n], [m, p], [m, q]
  }
  target {
    %abc = graph.concat %a, %b, %c axis = 1 : (!kn, !kp, !kq) -> !k_npq
    %y = graph.matmul %x, %abc : (!mk, !k_npq) -> !m_npq
    %0, %1, %2 = graph.split %y axis = 1 sizes = [n, p, q] : (!m_npq) -> (!mn, !mp, !mq)
    rule.yield %0, %1, %2 : [m, n], [m, p], [m, q]
  }

// Two matmuls that share their left operand.
rule.rule @merge_matmuls_sharing_lhs(%x: [m, k], %a: [k, n], %b: [k, p]) -> ([m, n], [m, p])
  lifts [%x]
  source {
    %0 = graph.matmul %x, %a : (!mk, !kn) -> !mn
    %1 = graph.matmul %x, %b : (!mk, !kp) -> !mp
    rule.yield %0, %1 : [m, n], [m, p]
  }
  target {
    %ab = graph.concat %a, %b axis = 1 : (!kn, !kp) -> !k_np
    %y = graph.matmul %x, %ab : (!mk, !k_np) -> !m_np
    %0, %1 = graph.split %y axis = 1 sizes = [n, p] : (!m_np) -> (!mn, !mp)
    rule.yield %0, %1 : [m, n], [m, p]
  }

// The same for weights that are held transposed, as PyTorch holds them.
!nk = tensor<?x?xf32, #graph.dims<n, k>>
!pk = tensor<?x?xf32, #graph.dims<p, k>>
!qk = tensor<?x?xf32, #graph.dims<q, k>>
!np_k = tensor<?x?xf32, #graph.dims<n + p, k>>
!npq_k = tensor<?x?xf32, #graph.dims<n + p + q, k>>

rule.rule @merge_three_transposed_matmuls_sharing_lhs(%x: [m, k], %a: [n, k], %b: [p, k], %c: [q, k]) -> ([m, n], [m, p], [m, q])
  lifts [%x]
  source {
    %0 = graph.matmul %x, %a transpose_b : (!mk, !nk) -> !mn
    %1 = graph.matmul %x, %b transpose_b : (!mk, !pk) -> !mp
    %2 = graph.matmul %x, %c transpose_b : (!mk, !qk) -> !mq
    rule.yield %0, %1, %2 : [m, n], [m, p], [m, q]
  }
  target {
    %abc = graph.concat %a, %b, %c axis = 0 : (!nk, !pk, !qk) -> !npq_k
    %y = graph.matmul %x, %abc transpose_b : (!mk, !npq_k) -> !m_npq
    %0, %1, %2 = graph.split %y axis = 1 sizes = [n, p, q] : (!m_npq) -> (!mn, !mp, !mq)
    rule.yield %0, %1, %2 : [m, n], [m, p], [m, q]
  }

rule.rule @merge_transposed_matmuls_sharing_lhs(%x: [m, k], %a: [n, k], %b: [p, k]) -> ([m, n], [m, p])
  lifts [%x]
  source {
    %0 = graph.matmul %x, %a transpose_b : (!mk, !nk) -> !mn
    %1 = graph.matmul %x, %b transpose_b : (!mk, !pk) -> !mp
    rule.yield %0, %1 : [m, n], [m, p]
  }
  target {
    %ab = graph.concat %a, %b axis = 0 : (!nk, !pk) -> !np_k
    %y = graph.matmul %x, %ab transpose_b : (!mk, !np_k) -> !m_np
    %0, %1 = graph.split %y axis = 1 sizes = [n, p] : (!m_np) -> (!mn, !mp)
    rule.yield %0, %1 : [m, n], [m, p]
  }

!pn = tensor<?x?xf32, #graph.dims<p, n>>
!mp_k = tensor<?x?xf32, #graph.dims<m + p, k>>
!mp_n = tensor<?x?xf32, #graph.dims<m + p, n>>
!n = tensor<?xf32, #graph.dims<n>>
!p = tensor<?xf32, #graph.dims<p>>
!np = tensor<?xf32, #graph.dims<n + p>>
!qmn = tensor<?x?x?xf32, #graph.dims<q, m, n>>
!qmk = tensor<?x?x?xf32, #graph.dims<q, m, k>>
!qmp = tensor<?x?x?xf32, #graph.dims<q, m, p>>
!q_m_np = tensor<?x?x?xf32, #graph.dims<q, m, n + p>>

// Two matmuls that share their right operand: their left operands are joined
// along the rows.
rule.rule @merge_matmuls_sharing_rhs(%x: [m, k], %y: [p, k], %w: [k, n]) -> ([m, n], [p, n])
  lifts [%x, %y]
  source {
    %0 = graph.matmul %x, %w : (!mk, !kn) -> !mn
    %1 = graph.matmul %y, %w : (!pk, !kn) -> !pn
    rule.yield %0, %1 : [m, n], [p, n]
  }
  target {
    %xy = graph.concat %x, %y axis = 0 : (!mk, !pk) -> !mp_k
    %z = graph.matmul %xy, %w : (!mp_k, !kn) -> !mp_n
    %0, %1 = graph.split %z axis = 0 sizes = [m, p] : (!mp_n) -> (!mn, !pn)
    rule.yield %0, %1 : [m, n], [p, n]
  }

rule.rule @merge_transposed_matmuls_sharing_rhs(%x: [m, k], %y: [p, k], %w: [n, k]) -> ([m, n], [p, n])
  lifts [%x, %y]
  source {
    %0 = graph.matmul %x, %w transpose_b : (!mk, !nk) -> !mn
    %1 = graph.matmul %y, %w transpose_b : (!pk, !nk) -> !pn
    rule.yield %0, %1 : [m, n], [p, n]
  }
  target {
    %xy = graph.concat %x, %y axis = 0 : (!mk, !pk) -> !mp_k
    %z = graph.matmul %xy, %w transpose_b : (!mp_k, !nk) -> !mp_n
    %0, %1 = graph.split %z axis = 0 sizes = [m, p] : (!mp_n) -> (!mn, !pn)
    rule.yield %0, %1 : [m, n], [p, n]
  }

// Matmuls with biases that share their left operand: the biases are joined too.
// Without and with one axis for batches.
rule.rule @merge_biased_matmuls_sharing_lhs(%x: [m, k], %a: [k, n], %u: [n], %b: [k, p], %v: [p]) -> ([m, n], [m, p])
  source {
    %xa = graph.matmul %x, %a : (!mk, !kn) -> !mn
    %us = graph.broadcast %u shape = [m, n] : (!n) -> !mn
    %0 = graph.add %xa, %us : !mn
    %xb = graph.matmul %x, %b : (!mk, !kp) -> !mp
    %vs = graph.broadcast %v shape = [m, p] : (!p) -> !mp
    %1 = graph.add %xb, %vs : !mp
    rule.yield %0, %1 : [m, n], [m, p]
  }
  target {
    %ab = graph.concat %a, %b axis = 1 : (!kn, !kp) -> !k_np
    %uv = graph.concat %u, %v axis = 0 : (!n, !p) -> !np
    %xab = graph.matmul %x, %ab : (!mk, !k_np) -> !m_np
    %uvs = graph.broadcast %uv shape = [m, n + p] : (!np) -> !m_np
    %y = graph.add %xab, %uvs : !m_np
    %0, %1 = graph.split %y axis = 1 sizes = [n, p] : (!m_np) -> (!mn, !mp)
    rule.yield %0, %1 : [m, n], [m, p]
  }

rule.rule @merge_biased_batched_matmuls_sharing_lhs(%x: [q, m, k], %a: [k, n], %u: [n], %b: [k, p], %v: [p]) -> ([q, m, n], [q, m, p])
  source {
    %xa = graph.matmul %x, %a : (!qmk, !kn) -> !qmn
    %us = graph.broadcast %u shape = [q, m, n] : (!n) -> !qmn
    %0 = graph.add %xa, %us : !qmn
    %xb = graph.matmul %x, %b : (!qmk, !kp) -> !qmp
    %vs = graph.broadcast %v shape = [q, m, p] : (!p) -> !qmp
    %1 = graph.add %xb, %vs : !qmp
    rule.yield %0, %1 : [q, m, n], [q, m, p]
  }
  target {
    %ab = graph.concat %a, %b axis = 1 : (!kn, !kp) -> !k_np
    %uv = graph.concat %u, %v axis = 0 : (!n, !p) -> !np
    %xab = graph.matmul %x, %ab : (!qmk, !k_np) -> !q_m_np
    %uvs = graph.broadcast %uv shape = [q, m, n + p] : (!np) -> !q_m_np
    %y = graph.add %xab, %uvs : !q_m_np
    %0, %1 = graph.split %y axis = 2 sizes = [n, p] : (!q_m_np) -> (!qmn, !qmp)
    rule.yield %0, %1 : [q, m, n], [q, m, p]
  }
