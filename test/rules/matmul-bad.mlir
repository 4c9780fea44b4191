// Negative tests for rules/matmul.mlir: each must be refuted with a place where the
// two sides differ.
// RUN: not tenon-rules prove %s --json %t.json 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// The proofs themselves find none of them, without trying small sizes first.
// RUN: not tenon-rules prove --without-refuting %s 2>&1 | FileCheck %s --check-prefix=PROOF
// PROOF: 0 proved, 8 unknown
// REQUIRES: z3

!mk = tensor<?x?xf32, #graph.dims<m, k>>
!kn = tensor<?x?xf32, #graph.dims<k, n>>
!kp = tensor<?x?xf32, #graph.dims<k, p>>
!mn = tensor<?x?xf32, #graph.dims<m, n>>
!mp = tensor<?x?xf32, #graph.dims<m, p>>
!k_np = tensor<?x?xf32, #graph.dims<k, n + p>>
!m_np = tensor<?x?xf32, #graph.dims<m, n + p>>

// The weights are joined in the other order than the result is split.
// CHECK: refuted merge_in_wrong_order
// CHECK: matmul-bad.mlir:[[@LINE+1]]:1: error: rule 'merge_in_wrong_order' is false: with m = {{[0-9]+}}, k = {{[0-9]+}}, n = {{[0-9]+}}, p = {{[0-9]+}}, result 0 at [{{[0-9, ]+}}] is {{[0-9]+}} in the source, but {{[0-9]+}} in the target, where %x = [{{[0-9, ]+}}], %a =
rule.rule @merge_in_wrong_order(%x: [m, k], %a: [k, n], %b: [k, p]) -> ([m, n], [m, p])
  source {
    %0 = graph.matmul %x, %a : (!mk, !kn) -> !mn
    %1 = graph.matmul %x, %b : (!mk, !kp) -> !mp
    rule.yield %0, %1 : [m, n], [m, p]
  }
  target {
    %ba = graph.concat %b, %a axis = 1 : (!kp, !kn) -> !k_np
    %y = graph.matmul %x, %ba : (!mk, !k_np) -> !m_np
    %0, %1 = graph.split %y axis = 1 sizes = [n, p] : (!m_np) -> (!mn, !mp)
    rule.yield %0, %1 : [m, n], [m, p]
  }

// Equal sizes hide the slip: the same weight twice.
// CHECK: refuted merge_same_twice
// CHECK: rule 'merge_same_twice' is false: with {{.*}}, result 1 at
rule.rule @merge_same_twice(%x: [m, k], %a: [k, n], %b: [k, n]) -> ([m, n], [m, n])
  lifts [%x]
  source {
    %0 = graph.matmul %x, %a : (!mk, !kn) -> !mn
    %1 = graph.matmul %x, %b : (!mk, !kn) -> !mn
    rule.yield %0, %1 : [m, n], [m, n]
  }
  target {
    %aa = graph.concat %a, %a axis = 1 : (!kn, !kn) -> tensor<?x?xf32, #graph.dims<k, 2 * n>>
    %y = graph.matmul %x, %aa : (!mk, tensor<?x?xf32, #graph.dims<k, 2 * n>>) -> tensor<?x?xf32, #graph.dims<m, 2 * n>>
    %0, %1 = graph.split %y axis = 1 sizes = [n, n] : (tensor<?x?xf32, #graph.dims<m, 2 * n>>) -> (!mn, !mn)
    rule.yield %0, %1 : [m, n], [m, n]
  }

// The results change places.
// CHECK: refuted merge_swapped_results
// CHECK: rule 'merge_swapped_results' is false: with
rule.rule @merge_swapped_results(%x: [m, k], %a: [k, n], %b: [k, n]) -> ([m, n], [m, n])
  source {
    %0 = graph.matmul %x, %a : (!mk, !kn) -> !mn
    %1 = graph.matmul %x, %b : (!mk, !kn) -> !mn
    rule.yield %0, %1 : [m, n], [m, n]
  }
  target {
    %ab = graph.concat %a, %b axis = 1 : (!kn, !kn) -> tensor<?x?xf32, #graph.dims<k, 2 * n>>
    %y = graph.matmul %x, %ab : (!mk, tensor<?x?xf32, #graph.dims<k, 2 * n>>) -> tensor<?x?xf32, #graph.dims<m, 2 * n>>
    %0, %1 = graph.split %y axis = 1 sizes = [n, n] : (tensor<?x?xf32, #graph.dims<m, 2 * n>>) -> (!mn, !mn)
    rule.yield %1, %0 : [m, n], [m, n]
  }

// Joined along the rows: that needs k == 2 * k.
// CHECK: refuted merge_square_along_rows
rule.rule @merge_square_along_rows(%x: [m, k], %a: [k, k], %b: [k, k]) -> ([m, k], [m, k])
  source {
    %0 = graph.matmul %x, %a : (!mk, tensor<?x?xf32, #graph.dims<k, k>>) -> !mk
    %1 = graph.matmul %x, %b : (!mk, tensor<?x?xf32, #graph.dims<k, k>>) -> !mk
    rule.yield %0, %1 : [m, k], [m, k]
  }
  target {
    %ab = graph.concat %a, %b axis = 1 : (tensor<?x?xf32, #graph.dims<k, k>>, tensor<?x?xf32, #graph.dims<k, k>>) -> tensor<?x?xf32, #graph.dims<k, 2 * k>>
    %t = graph.transpose %ab perm = [1, 0] : (tensor<?x?xf32, #graph.dims<k, 2 * k>>) -> tensor<?x?xf32, #graph.dims<2 * k, k>>
    %y = graph.matmul %x, %t transpose_b : (!mk, tensor<?x?xf32, #graph.dims<2 * k, k>>) -> tensor<?x?xf32, #graph.dims<m, 2 * k>>
    %0, %1 = graph.split %y axis = 1 sizes = [k, k] : (tensor<?x?xf32, #graph.dims<m, 2 * k>>) -> (!mk, !mk)
    rule.yield %0, %0 : [m, k], [m, k]
  }

!pn = tensor<?x?xf32, #graph.dims<p, n>>
!pk = tensor<?x?xf32, #graph.dims<p, k>>
!mp_k = tensor<?x?xf32, #graph.dims<m + p, k>>
!mp_n = tensor<?x?xf32, #graph.dims<m + p, n>>
!nn = tensor<?x?xf32, #graph.dims<n, n>>
!n = tensor<?xf32, #graph.dims<n>>
!p = tensor<?xf32, #graph.dims<p>>
!np = tensor<?xf32, #graph.dims<n + p>>
!qmn = tensor<?x?x?xf32, #graph.dims<q, m, n>>
!qmk = tensor<?x?x?xf32, #graph.dims<q, m, k>>
!qmp = tensor<?x?x?xf32, #graph.dims<q, m, p>>
!q_m_np = tensor<?x?x?xf32, #graph.dims<q, m, n + p>>

// CHECK: refuted merge_rows_in_other_order
rule.rule @merge_rows_in_other_order(%x: [m, k], %y: [p, k], %w: [k, n]) -> ([m, n], [p, n])
  lifts [%x, %y]
  source {
    %0 = graph.matmul %x, %w : (!mk, !kn) -> !mn
    %1 = graph.matmul %y, %w : (!pk, !kn) -> !pn
    rule.yield %0, %1 : [m, n], [p, n]
  }
  target {
    %xy = graph.concat %y, %x axis = 0 : (!pk, !mk) -> !mp_k
    %z = graph.matmul %xy, %w : (!mp_k, !kn) -> !mp_n
    %0, %1 = graph.split %z axis = 0 sizes = [m, p] : (!mp_n) -> (!mn, !pn)
    rule.yield %0, %1 : [m, n], [p, n]
  }

// The weight is read as it lies.
// CHECK: refuted merge_rows_without_transpose
rule.rule @merge_rows_without_transpose(%x: [m, n], %y: [p, n], %w: [n, n]) -> ([m, n], [p, n])
  lifts [%x, %y]
  source {
    %0 = graph.matmul %x, %w transpose_b : (!mn, !nn) -> !mn
    %1 = graph.matmul %y, %w transpose_b : (!pn, !nn) -> !pn
    rule.yield %0, %1 : [m, n], [p, n]
  }
  target {
    %xy = graph.concat %x, %y axis = 0 : (!mn, !pn) -> !mp_n
    %z = graph.matmul %xy, %w : (!mp_n, !nn) -> !mp_n
    %0, %1 = graph.split %z axis = 0 sizes = [m, p] : (!mp_n) -> (!mn, !pn)
    rule.yield %0, %1 : [m, n], [p, n]
  }

// CHECK: refuted merge_biases_in_other_order
rule.rule @merge_biases_in_other_order(%x: [m, k], %a: [k, n], %u: [n], %b: [k, p], %v: [p]) -> ([m, n], [m, p])
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
    %uv = graph.concat %v, %u axis = 0 : (!p, !n) -> !np
    %xab = graph.matmul %x, %ab : (!mk, !k_np) -> !m_np
    %uvs = graph.broadcast %uv shape = [m, n + p] : (!np) -> !m_np
    %y = graph.add %xab, %uvs : !m_np
    %0, %1 = graph.split %y axis = 1 sizes = [n, p] : (!m_np) -> (!mn, !mp)
    rule.yield %0, %1 : [m, n], [m, p]
  }

// CHECK: refuted merge_batched_biases_in_other_order
rule.rule @merge_batched_biases_in_other_order(%x: [q, m, k], %a: [k, n], %u: [n], %b: [k, p], %v: [p]) -> ([q, m, n], [q, m, p])
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
    %uv = graph.concat %v, %u axis = 0 : (!p, !n) -> !np
    %xab = graph.matmul %x, %ab : (!qmk, !k_np) -> !q_m_np
    %uvs = graph.broadcast %uv shape = [q, m, n + p] : (!np) -> !q_m_np
    %y = graph.add %xab, %uvs : !q_m_np
    %0, %1 = graph.split %y axis = 2 sizes = [n, p] : (!q_m_np) -> (!qmn, !qmp)
    rule.yield %0, %1 : [q, m, n], [q, m, p]
  }

// CHECK: 0 proved, 8 refuted

// JSON: "counterexample": {
// JSON: "text": "with m =
// JSON: "status": "refuted"
// JSON: "schema_version": 1
