// Rules about products of matrices.
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
