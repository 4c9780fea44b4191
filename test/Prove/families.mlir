// Families of rules that the prover decides for all sizes. The numbers are
// those of docs/rules.md.
// RUN: tenon-rules prove %s | FileCheck %s
// REQUIRES: z3

!mk = tensor<?x?xf32, #graph.dims<m, k>>
!kn = tensor<?x?xf32, #graph.dims<k, n>>
!mn = tensor<?x?xf32, #graph.dims<m, n>>
!nm = tensor<?x?xf32, #graph.dims<n, m>>
!km = tensor<?x?xf32, #graph.dims<k, m>>
!nk = tensor<?x?xf32, #graph.dims<n, k>>
!pk = tensor<?x?xf32, #graph.dims<p, k>>
!pn = tensor<?x?xf32, #graph.dims<p, n>>
!mp_k = tensor<?x?xf32, #graph.dims<m + p, k>>
!mp_n = tensor<?x?xf32, #graph.dims<m + p, n>>
!ml = tensor<?x?xf32, #graph.dims<m, l>>
!ln = tensor<?x?xf32, #graph.dims<l, n>>
!kl = tensor<?x?xf32, #graph.dims<k, l>>
!m_kl = tensor<?x?xf32, #graph.dims<m, k + l>>
!kl_n = tensor<?x?xf32, #graph.dims<k + l, n>>

// 2. Matmuls that share their right operand.
// CHECK: proved merge_matmuls_sharing_rhs (exact;
rule.rule @merge_matmuls_sharing_rhs(%x: [m, k], %y: [p, k], %w: [k, n]) -> ([m, n], [p, n])
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

// 14. The same function of siblings.
// CHECK: proved merge_exps (exact;
rule.rule @merge_exps(%x: [m, k], %y: [p, k]) -> ([m, k], [p, k])
  source {
    %0 = graph.exp %x : !mk
    %1 = graph.exp %y : !pk
    rule.yield %0, %1 : [m, k], [p, k]
  }
  target {
    %xy = graph.concat %x, %y axis = 0 : (!mk, !pk) -> !mp_k
    %z = graph.exp %xy : !mp_k
    %0, %1 = graph.split %z axis = 0 sizes = [m, p] : (!mp_k) -> (!mk, !pk)
    rule.yield %0, %1 : [m, k], [p, k]
  }

// 18. A sum of products is one product of concatenations.
// CHECK: proved sum_of_products (reassociates; elements: ring;
rule.rule @sum_of_products(%a: [m, k], %b: [k, n], %c: [m, l], %d: [l, n]) -> [m, n]
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

// 22. Distributivity of matmul.
// CHECK: proved distribute_matmul (reassociates; elements: ring;
rule.rule @distribute_matmul(%a: [m, k], %b: [k, n], %c: [k, n]) -> [m, n]
  source {
    %0 = graph.matmul %a, %b : (!mk, !kn) -> !mn
    %1 = graph.matmul %a, %c : (!mk, !kn) -> !mn
    %2 = graph.add %0, %1 : !mn
    rule.yield %2 : [m, n]
  }
  target {
    %0 = graph.add %b, %c : !kn
    %1 = graph.matmul %a, %0 : (!mk, !kn) -> !mn
    rule.yield %1 : [m, n]
  }

// 24. Associativity of matmul.
// CHECK: proved associate_matmul (reassociates; elements: ring;
rule.rule @associate_matmul(%a: [m, k], %b: [k, l], %c: [l, n]) -> [m, n]
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

// 28. Factoring of elementwise products.
// CHECK: proved factor (reassociates; elements: ring;
rule.rule @factor(%a: [n], %b: [n], %c: [n]) -> [n]
  source {
    %0 = graph.mul %a, %b : tensor<?xf32, #graph.dims<n>>
    %1 = graph.mul %a, %c : tensor<?xf32, #graph.dims<n>>
    %2 = graph.add %0, %1 : tensor<?xf32, #graph.dims<n>>
    rule.yield %2 : [n]
  }
  target {
    %0 = graph.add %b, %c : tensor<?xf32, #graph.dims<n>>
    %1 = graph.mul %a, %0 : tensor<?xf32, #graph.dims<n>>
    rule.yield %1 : [n]
  }

// 29. The transpose of a product.
// CHECK: proved transpose_of_product (exact;
rule.rule @transpose_of_product(%a: [m, k], %b: [k, n]) -> [n, m]
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

// 57. Transposes cancel.
// CHECK: proved transposes_cancel (exact;
rule.rule @transposes_cancel(%a: [m, k]) -> [m, k]
  source {
    %0 = graph.transpose %a perm = [1, 0] : (!mk) -> !km
    %1 = graph.transpose %0 perm = [1, 0] : (!km) -> !mk
    rule.yield %1 : [m, k]
  }
  target {
    rule.yield %a : [m, k]
  }

// 59. A transpose goes through a function.
// CHECK: proved transpose_through_relu (exact;
rule.rule @transpose_through_relu(%a: [m, k]) -> [k, m]
  source {
    %0 = graph.relu %a : !mk
    %1 = graph.transpose %0 perm = [1, 0] : (!mk) -> !km
    rule.yield %1 : [k, m]
  }
  target {
    %0 = graph.transpose %a perm = [1, 0] : (!mk) -> !km
    %1 = graph.relu %0 : !km
    rule.yield %1 : [k, m]
  }

// 60. A slice of a concatenation that lies in one part.
// CHECK: proved slice_of_concat (exact;
rule.rule @slice_of_concat(%a: [m, k], %b: [p, k]) -> [s, k]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mk, !pk) -> !mp_k
    %1 = graph.slice %0 starts = [t, 0] sizes = [s, k] steps = [1, 1] : (!mp_k) -> tensor<?x?xf32, #graph.dims<s, k>>
    rule.yield %1 : [s, k]
  }
  target {
    %1 = graph.slice %b starts = [t - m, 0] sizes = [s, k] steps = [1, 1] : (!pk) -> tensor<?x?xf32, #graph.dims<s, k>>
    rule.yield %1 : [s, k]
  }
  where [t >= m, t + s <= m + p]

// 61. A slice of a slice: steps multiply.
// CHECK: proved slice_of_slice (exact;
rule.rule @slice_of_slice(%a: [n]) -> [q]
  source {
    %0 = graph.slice %a starts = [s] sizes = [p] steps = [u] : (tensor<?xf32, #graph.dims<n>>) -> tensor<?xf32, #graph.dims<p>>
    %1 = graph.slice %0 starts = [t] sizes = [q] steps = [v] : (tensor<?xf32, #graph.dims<p>>) -> tensor<?xf32, #graph.dims<q>>
    rule.yield %1 : [q]
  }
  target {
    %1 = graph.slice %a starts = [s + u * t] sizes = [q] steps = [u * v] : (tensor<?xf32, #graph.dims<n>>) -> tensor<?xf32, #graph.dims<q>>
    rule.yield %1 : [q]
  }
  where [u >= 1, v >= 1, p >= 1, q >= 1, s + u * p - u + 1 <= n, t + v * q - v + 1 <= p]

// 63. A sum over a concatenation.
// CHECK: proved sum_of_concat (reassociates; elements: ring;
rule.rule @sum_of_concat(%a: [m, k], %b: [p, k]) -> [k]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mk, !pk) -> !mp_k
    %1 = graph.reduce_sum %0 axes = [0] : (!mp_k) -> tensor<?xf32, #graph.dims<k>>
    rule.yield %1 : [k]
  }
  target {
    %0 = graph.reduce_sum %a axes = [0] : (!mk) -> tensor<?xf32, #graph.dims<k>>
    %1 = graph.reduce_sum %b axes = [0] : (!pk) -> tensor<?xf32, #graph.dims<k>>
    %2 = graph.add %0, %1 : tensor<?xf32, #graph.dims<k>>
    rule.yield %2 : [k]
  }

// 63. Sums in two steps, in either order.
// CHECK: proved sum_in_steps (reassociates; elements: ring;
rule.rule @sum_in_steps(%a: [m, k]) -> []
  source {
    %0 = graph.reduce_sum %a axes = [0, 1] : (!mk) -> tensor<f32>
    rule.yield %0 : []
  }
  target {
    %0 = graph.reduce_sum %a axes = [0] : (!mk) -> tensor<?xf32, #graph.dims<k>>
    %1 = graph.reduce_sum %0 axes = [0] : (tensor<?xf32, #graph.dims<k>>) -> tensor<f32>
    rule.yield %1 : []
  }

// 64. Adjacent slices joined again.
// CHECK: proved concat_of_slices (exact;
rule.rule @concat_of_slices(%a: [n, k]) -> [n, k]
  source {
    %0 = graph.slice %a starts = [0, 0] sizes = [s, k] steps = [1, 1] : (!nk) -> tensor<?x?xf32, #graph.dims<s, k>>
    %1 = graph.slice %a starts = [s, 0] sizes = [n - s, k] steps = [1, 1] : (!nk) -> tensor<?x?xf32, #graph.dims<n - s, k>>
    %2 = graph.concat %0, %1 axis = 0 : (tensor<?x?xf32, #graph.dims<s, k>>, tensor<?x?xf32, #graph.dims<n - s, k>>) -> !nk
    rule.yield %2 : [n, k]
  }
  target {
    rule.yield %a : [n, k]
  }
  where [s <= n]
