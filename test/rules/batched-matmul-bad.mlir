// Negative tests for rules/batched-matmul.mlir: each must be refuted.
// RUN: not tenon-rules prove %s 2>&1 | FileCheck %s
// The proofs themselves find none of them, without trying small sizes first.
// RUN: not tenon-rules prove --without-refuting %s 2>&1 | FileCheck %s --check-prefix=PROOF
// PROOF: 0 proved, 4 unknown
// REQUIRES: z3

!mn = tensor<?x?xf32, #graph.dims<m, n>>
!mk = tensor<?x?xf32, #graph.dims<m, k>>
!kn = tensor<?x?xf32, #graph.dims<k, n>>
!t1mk = tensor<1x?x?xf32, #graph.dims<1, m, k>>
!t1kn = tensor<1x?x?xf32, #graph.dims<1, k, n>>
!t2mk = tensor<2x?x?xf32, #graph.dims<2, m, k>>
!t2kn = tensor<2x?x?xf32, #graph.dims<2, k, n>>
!t2mn = tensor<2x?x?xf32, #graph.dims<2, m, n>>
!t1mn = tensor<1x?x?xf32, #graph.dims<1, m, n>>
!pmn = tensor<?x?x?xf32, #graph.dims<p, m, n>>
!pmk = tensor<?x?x?xf32, #graph.dims<p, m, k>>
!pkn = tensor<?x?x?xf32, #graph.dims<p, k, n>>
!qmn = tensor<?x?x?xf32, #graph.dims<q, m, n>>
!qmk = tensor<?x?x?xf32, #graph.dims<q, m, k>>
!qkn = tensor<?x?x?xf32, #graph.dims<q, k, n>>
!pq_m_k = tensor<?x?x?xf32, #graph.dims<p + q, m, k>>
!pq_k_n = tensor<?x?x?xf32, #graph.dims<p + q, k, n>>
!pq_m_n = tensor<?x?x?xf32, #graph.dims<p + q, m, n>>
!bmn = tensor<?x?x?xf32, #graph.dims<b, m, n>>
!bmk = tensor<?x?x?xf32, #graph.dims<b, m, k>>
!bm_k = tensor<?x?xf32, #graph.dims<b * m, k>>
!bm_n = tensor<?x?xf32, #graph.dims<b * m, n>>
!mbn = tensor<?x?x?xf32, #graph.dims<m, b, n>>
!bkn = tensor<?x?x?xf32, #graph.dims<b, k, n>>

// CHECK: refuted stack_matmuls_swapped
rule.rule @stack_matmuls_swapped(%a: [m, k], %b: [k, n], %c: [m, k], %d: [k, n]) -> ([m, n], [m, n])
  lifts [%a, %b, %c, %d]
  source {
    %0 = graph.matmul %a, %b : (!mk, !kn) -> !mn
    %1 = graph.matmul %c, %d : (!mk, !kn) -> !mn
    rule.yield %0, %1 : [m, n], [m, n]
  }
  target {
    %a1 = graph.reshape %a shape = [1, m, k] : (!mk) -> !t1mk
    %b1 = graph.reshape %b shape = [1, k, n] : (!kn) -> !t1kn
    %c1 = graph.reshape %c shape = [1, m, k] : (!mk) -> !t1mk
    %d1 = graph.reshape %d shape = [1, k, n] : (!kn) -> !t1kn
    %ac = graph.concat %c1, %a1 axis = 0 : (!t1mk, !t1mk) -> !t2mk
    %bd = graph.concat %b1, %d1 axis = 0 : (!t1kn, !t1kn) -> !t2kn
    %y = graph.matmul %ac, %bd : (!t2mk, !t2kn) -> !t2mn
    %y0, %y1 = graph.split %y axis = 0 sizes = [1, 1] : (!t2mn) -> (!t1mn, !t1mn)
    %0 = graph.reshape %y0 shape = [m, n] : (!t1mn) -> !mn
    %1 = graph.reshape %y1 shape = [m, n] : (!t1mn) -> !mn
    rule.yield %0, %1 : [m, n], [m, n]
  }

// CHECK: refuted join_batched_matmuls_swapped
rule.rule @join_batched_matmuls_swapped(%a: [p, m, k], %b: [p, k, n], %c: [q, m, k], %d: [q, k, n]) -> ([p, m, n], [q, m, n])
  lifts [%a, %b, %c, %d]
  source {
    %0 = graph.matmul %a, %b : (!pmk, !pkn) -> !pmn
    %1 = graph.matmul %c, %d : (!qmk, !qkn) -> !qmn
    rule.yield %0, %1 : [p, m, n], [q, m, n]
  }
  target {
    %ac = graph.concat %a, %c axis = 0 : (!pmk, !qmk) -> !pq_m_k
    %bd = graph.concat %d, %b axis = 0 : (!qkn, !pkn) -> !pq_k_n
    %y = graph.matmul %ac, %bd : (!pq_m_k, !pq_k_n) -> !pq_m_n
    %0, %1 = graph.split %y axis = 0 sizes = [p, q] : (!pq_m_n) -> (!pmn, !qmn)
    rule.yield %0, %1 : [p, m, n], [q, m, n]
  }

// The batch is folded in front of the rows, not behind them.
// CHECK: refuted fold_batch_behind_rows
rule.rule @fold_batch_behind_rows(%a: [b, m, k], %w: [k, n]) -> [b, m, n]
  lifts [%a]
  source {
    %0 = graph.matmul %a, %w : (!bmk, !kn) -> !bmn
    rule.yield %0 : [b, m, n]
  }
  target {
    %rows = graph.reshape %a shape = [b * m, k] : (!bmk) -> !bm_k
    %y = graph.matmul %rows, %w : (!bm_k, !kn) -> !bm_n
    %0 = graph.reshape %y shape = [m, b, n] : (!bm_n) -> !mbn
    %1 = graph.transpose %0 perm = [1, 0, 2] : (!mbn) -> !bmn
    rule.yield %1 : [b, m, n]
  }

// CHECK: refuted fold_repeated_operand_behind_rows
rule.rule @fold_repeated_operand_behind_rows(%a: [b, m, k], %w: [k, n]) -> [b, m, n]
  source {
    %ww = graph.broadcast %w shape = [b, k, n] : (!kn) -> !bkn
    %0 = graph.matmul %a, %ww : (!bmk, !bkn) -> !bmn
    rule.yield %0 : [b, m, n]
  }
  target {
    %rows = graph.reshape %a shape = [b * m, k] : (!bmk) -> !bm_k
    %y = graph.matmul %rows, %w : (!bm_k, !kn) -> !bm_n
    %0 = graph.reshape %y shape = [m, b, n] : (!bm_n) -> !mbn
    %1 = graph.transpose %0 perm = [1, 0, 2] : (!mbn) -> !bmn
    rule.yield %1 : [b, m, n]
  }

// CHECK: 0 proved, 4 refuted
