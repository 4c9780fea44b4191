// Negative tests for rules/movement-slices.mlir: each must be refuted.
// RUN: not tenon-rules prove %s 2>/dev/null | FileCheck %s
// The proofs themselves find none of them, without trying small sizes first.
// RUN: not tenon-rules prove --without-refuting %s 2>/dev/null | FileCheck %s --check-prefix=PROOF
// PROOF: 0 proved, 89 unknown
// REQUIRES: z3
// REQUIRES: full

!m = tensor<?xf32, #graph.dims<m>>
!mm = tensor<?xf32, #graph.dims<m + m>>
!s = tensor<?xf32, #graph.dims<s>>
// CHECK: refuted slice_of_concat_in_first_1_of_second
rule.rule @slice_of_concat_in_first_1_of_second(%a: [m], %b: [m]) -> [s]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!m, !m) -> !mm
    %1 = graph.slice %0 starts = [t] sizes = [s] steps = [1] : (!mm) -> !s
    rule.yield %1 : [s]
  }
  target {
    %0 = graph.slice %b starts = [t] sizes = [s] steps = [1] : (!m) -> !s
    rule.yield %0 : [s]
  }
  where [t + s <= m]

!p = tensor<?xf32, #graph.dims<p>>
!mp = tensor<?xf32, #graph.dims<m + p>>
// CHECK: refuted slice_of_concat_in_first_1_beyond
rule.rule @slice_of_concat_in_first_1_beyond(%a: [m], %b: [p]) -> [s]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!m, !p) -> !mp
    %1 = graph.slice %0 starts = [t] sizes = [s] steps = [1] : (!mp) -> !s
    rule.yield %1 : [s]
  }
  target {
    %0 = graph.slice %a starts = [t] sizes = [s] steps = [1] : (!m) -> !s
    rule.yield %0 : [s]
  }

// CHECK: refuted slice_of_concat_in_second_1_unshifted
rule.rule @slice_of_concat_in_second_1_unshifted(%a: [m], %b: [p]) -> [s]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!m, !p) -> !mp
    %1 = graph.slice %0 starts = [t] sizes = [s] steps = [1] : (!mp) -> !s
    rule.yield %1 : [s]
  }
  target {
    %0 = graph.slice %b starts = [t] sizes = [s] steps = [1] : (!p) -> !s
    rule.yield %0 : [s]
  }
  where [t >= m, t + s <= p]

// CHECK: refuted slice_of_concat_in_second_1_before
rule.rule @slice_of_concat_in_second_1_before(%a: [m], %b: [p]) -> [s]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!m, !p) -> !mp
    %1 = graph.slice %0 starts = [t] sizes = [s] steps = [1] : (!mp) -> !s
    rule.yield %1 : [s]
  }
  target {
    %0 = graph.slice %b starts = [t - m] sizes = [s] steps = [1] : (!p) -> !s
    rule.yield %0 : [s]
  }

!m_less_t = tensor<?xf32, #graph.dims<m - t>>
!ts_less_m = tensor<?xf32, #graph.dims<t + s - m>>
// CHECK: refuted slice_of_concat_in_both_1_from_start
rule.rule @slice_of_concat_in_both_1_from_start(%a: [m], %b: [p]) -> [s]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!m, !p) -> !mp
    %1 = graph.slice %0 starts = [t] sizes = [s] steps = [1] : (!mp) -> !s
    rule.yield %1 : [s]
  }
  target {
    %0 = graph.slice %a starts = [0] sizes = [m - t] steps = [1] : (!m) -> !m_less_t
    %1 = graph.slice %b starts = [0] sizes = [t + s - m] steps = [1] : (!p) -> !ts_less_m
    %2 = graph.concat %0, %1 axis = 0 : (!m_less_t, !ts_less_m) -> !s
    rule.yield %2 : [s]
  }
  where [t <= m, t + s >= m]

// CHECK: refuted slice_of_concat_in_both_1_before
rule.rule @slice_of_concat_in_both_1_before(%a: [m], %b: [p]) -> [s]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!m, !p) -> !mp
    %1 = graph.slice %0 starts = [t] sizes = [s] steps = [1] : (!mp) -> !s
    rule.yield %1 : [s]
  }
  target {
    %0 = graph.slice %a starts = [t] sizes = [m - t] steps = [1] : (!m) -> !m_less_t
    %1 = graph.slice %b starts = [0] sizes = [t + s - m] steps = [1] : (!p) -> !ts_less_m
    %2 = graph.concat %0, %1 axis = 0 : (!m_less_t, !ts_less_m) -> !s
    rule.yield %2 : [s]
  }
  where [t <= m]

// CHECK: refuted slice_of_concat_in_both_1_behind
rule.rule @slice_of_concat_in_both_1_behind(%a: [m], %b: [p]) -> [s]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!m, !p) -> !mp
    %1 = graph.slice %0 starts = [t] sizes = [s] steps = [1] : (!mp) -> !s
    rule.yield %1 : [s]
  }
  target {
    %0 = graph.slice %a starts = [t] sizes = [m - t] steps = [1] : (!m) -> !m_less_t
    %1 = graph.slice %b starts = [0] sizes = [t + s - m] steps = [1] : (!p) -> !ts_less_m
    %2 = graph.concat %0, %1 axis = 0 : (!m_less_t, !ts_less_m) -> !s
    rule.yield %2 : [s]
  }
  where [t + s >= m]

!mk = tensor<?x?xf32, #graph.dims<m, k>>
!mm_k = tensor<?x?xf32, #graph.dims<m + m, k>>
!sd = tensor<?x?xf32, #graph.dims<s, d>>
// CHECK: refuted slice_of_concat_in_first_2_of_second
rule.rule @slice_of_concat_in_first_2_of_second(%a: [m, k], %b: [m, k]) -> [s, d]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mk, !mk) -> !mm_k
    %1 = graph.slice %0 starts = [t, u] sizes = [s, d] steps = [1, 1] : (!mm_k) -> !sd
    rule.yield %1 : [s, d]
  }
  target {
    %0 = graph.slice %b starts = [t, u] sizes = [s, d] steps = [1, 1] : (!mk) -> !sd
    rule.yield %0 : [s, d]
  }
  where [t + s <= m]

!pk = tensor<?x?xf32, #graph.dims<p, k>>
!mp_k = tensor<?x?xf32, #graph.dims<m + p, k>>
// CHECK: refuted slice_of_concat_in_first_2_beyond
rule.rule @slice_of_concat_in_first_2_beyond(%a: [m, k], %b: [p, k]) -> [s, d]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mk, !pk) -> !mp_k
    %1 = graph.slice %0 starts = [t, u] sizes = [s, d] steps = [1, 1] : (!mp_k) -> !sd
    rule.yield %1 : [s, d]
  }
  target {
    %0 = graph.slice %a starts = [t, u] sizes = [s, d] steps = [1, 1] : (!mk) -> !sd
    rule.yield %0 : [s, d]
  }

// CHECK: refuted slice_of_concat_in_second_2_unshifted
rule.rule @slice_of_concat_in_second_2_unshifted(%a: [m, k], %b: [p, k]) -> [s, d]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mk, !pk) -> !mp_k
    %1 = graph.slice %0 starts = [t, u] sizes = [s, d] steps = [1, 1] : (!mp_k) -> !sd
    rule.yield %1 : [s, d]
  }
  target {
    %0 = graph.slice %b starts = [t, u] sizes = [s, d] steps = [1, 1] : (!pk) -> !sd
    rule.yield %0 : [s, d]
  }
  where [t >= m, t + s <= p]

// CHECK: refuted slice_of_concat_in_second_2_before
rule.rule @slice_of_concat_in_second_2_before(%a: [m, k], %b: [p, k]) -> [s, d]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mk, !pk) -> !mp_k
    %1 = graph.slice %0 starts = [t, u] sizes = [s, d] steps = [1, 1] : (!mp_k) -> !sd
    rule.yield %1 : [s, d]
  }
  target {
    %0 = graph.slice %b starts = [t - m, u] sizes = [s, d] steps = [1, 1] : (!pk) -> !sd
    rule.yield %0 : [s, d]
  }

!m_less_t_d = tensor<?x?xf32, #graph.dims<m - t, d>>
!ts_less_m_d = tensor<?x?xf32, #graph.dims<t + s - m, d>>
// CHECK: refuted slice_of_concat_in_both_2_from_start
rule.rule @slice_of_concat_in_both_2_from_start(%a: [m, k], %b: [p, k]) -> [s, d]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mk, !pk) -> !mp_k
    %1 = graph.slice %0 starts = [t, u] sizes = [s, d] steps = [1, 1] : (!mp_k) -> !sd
    rule.yield %1 : [s, d]
  }
  target {
    %0 = graph.slice %a starts = [0, u] sizes = [m - t, d] steps = [1, 1] : (!mk) -> !m_less_t_d
    %1 = graph.slice %b starts = [0, u] sizes = [t + s - m, d] steps = [1, 1] : (!pk) -> !ts_less_m_d
    %2 = graph.concat %0, %1 axis = 0 : (!m_less_t_d, !ts_less_m_d) -> !sd
    rule.yield %2 : [s, d]
  }
  where [t <= m, t + s >= m]

// CHECK: refuted slice_of_concat_in_both_2_before
rule.rule @slice_of_concat_in_both_2_before(%a: [m, k], %b: [p, k]) -> [s, d]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mk, !pk) -> !mp_k
    %1 = graph.slice %0 starts = [t, u] sizes = [s, d] steps = [1, 1] : (!mp_k) -> !sd
    rule.yield %1 : [s, d]
  }
  target {
    %0 = graph.slice %a starts = [t, u] sizes = [m - t, d] steps = [1, 1] : (!mk) -> !m_less_t_d
    %1 = graph.slice %b starts = [0, u] sizes = [t + s - m, d] steps = [1, 1] : (!pk) -> !ts_less_m_d
    %2 = graph.concat %0, %1 axis = 0 : (!m_less_t_d, !ts_less_m_d) -> !sd
    rule.yield %2 : [s, d]
  }
  where [t <= m]

// CHECK: refuted slice_of_concat_in_both_2_behind
rule.rule @slice_of_concat_in_both_2_behind(%a: [m, k], %b: [p, k]) -> [s, d]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mk, !pk) -> !mp_k
    %1 = graph.slice %0 starts = [t, u] sizes = [s, d] steps = [1, 1] : (!mp_k) -> !sd
    rule.yield %1 : [s, d]
  }
  target {
    %0 = graph.slice %a starts = [t, u] sizes = [m - t, d] steps = [1, 1] : (!mk) -> !m_less_t_d
    %1 = graph.slice %b starts = [0, u] sizes = [t + s - m, d] steps = [1, 1] : (!pk) -> !ts_less_m_d
    %2 = graph.concat %0, %1 axis = 0 : (!m_less_t_d, !ts_less_m_d) -> !sd
    rule.yield %2 : [s, d]
  }
  where [t + s >= m]

!mkl = tensor<?x?x?xf32, #graph.dims<m, k, l>>
!mm_k_l = tensor<?x?x?xf32, #graph.dims<m + m, k, l>>
!sde = tensor<?x?x?xf32, #graph.dims<s, d, e>>
// CHECK: refuted slice_of_concat_in_first_3_of_second
rule.rule @slice_of_concat_in_first_3_of_second(%a: [m, k, l], %b: [m, k, l]) -> [s, d, e]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mkl, !mkl) -> !mm_k_l
    %1 = graph.slice %0 starts = [t, u, v] sizes = [s, d, e] steps = [1, 1, 1] : (!mm_k_l) -> !sde
    rule.yield %1 : [s, d, e]
  }
  target {
    %0 = graph.slice %b starts = [t, u, v] sizes = [s, d, e] steps = [1, 1, 1] : (!mkl) -> !sde
    rule.yield %0 : [s, d, e]
  }
  where [t + s <= m]

!pkl = tensor<?x?x?xf32, #graph.dims<p, k, l>>
!mp_k_l = tensor<?x?x?xf32, #graph.dims<m + p, k, l>>
// CHECK: refuted slice_of_concat_in_first_3_beyond
rule.rule @slice_of_concat_in_first_3_beyond(%a: [m, k, l], %b: [p, k, l]) -> [s, d, e]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mkl, !pkl) -> !mp_k_l
    %1 = graph.slice %0 starts = [t, u, v] sizes = [s, d, e] steps = [1, 1, 1] : (!mp_k_l) -> !sde
    rule.yield %1 : [s, d, e]
  }
  target {
    %0 = graph.slice %a starts = [t, u, v] sizes = [s, d, e] steps = [1, 1, 1] : (!mkl) -> !sde
    rule.yield %0 : [s, d, e]
  }

// CHECK: refuted slice_of_concat_in_second_3_unshifted
rule.rule @slice_of_concat_in_second_3_unshifted(%a: [m, k, l], %b: [p, k, l]) -> [s, d, e]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mkl, !pkl) -> !mp_k_l
    %1 = graph.slice %0 starts = [t, u, v] sizes = [s, d, e] steps = [1, 1, 1] : (!mp_k_l) -> !sde
    rule.yield %1 : [s, d, e]
  }
  target {
    %0 = graph.slice %b starts = [t, u, v] sizes = [s, d, e] steps = [1, 1, 1] : (!pkl) -> !sde
    rule.yield %0 : [s, d, e]
  }
  where [t >= m, t + s <= p]

// CHECK: refuted slice_of_concat_in_second_3_before
rule.rule @slice_of_concat_in_second_3_before(%a: [m, k, l], %b: [p, k, l]) -> [s, d, e]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mkl, !pkl) -> !mp_k_l
    %1 = graph.slice %0 starts = [t, u, v] sizes = [s, d, e] steps = [1, 1, 1] : (!mp_k_l) -> !sde
    rule.yield %1 : [s, d, e]
  }
  target {
    %0 = graph.slice %b starts = [t - m, u, v] sizes = [s, d, e] steps = [1, 1, 1] : (!pkl) -> !sde
    rule.yield %0 : [s, d, e]
  }

!m_less_t_d_e = tensor<?x?x?xf32, #graph.dims<m - t, d, e>>
!ts_less_m_d_e = tensor<?x?x?xf32, #graph.dims<t + s - m, d, e>>
// CHECK: refuted slice_of_concat_in_both_3_from_start
rule.rule @slice_of_concat_in_both_3_from_start(%a: [m, k, l], %b: [p, k, l]) -> [s, d, e]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mkl, !pkl) -> !mp_k_l
    %1 = graph.slice %0 starts = [t, u, v] sizes = [s, d, e] steps = [1, 1, 1] : (!mp_k_l) -> !sde
    rule.yield %1 : [s, d, e]
  }
  target {
    %0 = graph.slice %a starts = [0, u, v] sizes = [m - t, d, e] steps = [1, 1, 1] : (!mkl) -> !m_less_t_d_e
    %1 = graph.slice %b starts = [0, u, v] sizes = [t + s - m, d, e] steps = [1, 1, 1] : (!pkl) -> !ts_less_m_d_e
    %2 = graph.concat %0, %1 axis = 0 : (!m_less_t_d_e, !ts_less_m_d_e) -> !sde
    rule.yield %2 : [s, d, e]
  }
  where [t <= m, t + s >= m]

// CHECK: refuted slice_of_concat_in_both_3_before
rule.rule @slice_of_concat_in_both_3_before(%a: [m, k, l], %b: [p, k, l]) -> [s, d, e]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mkl, !pkl) -> !mp_k_l
    %1 = graph.slice %0 starts = [t, u, v] sizes = [s, d, e] steps = [1, 1, 1] : (!mp_k_l) -> !sde
    rule.yield %1 : [s, d, e]
  }
  target {
    %0 = graph.slice %a starts = [t, u, v] sizes = [m - t, d, e] steps = [1, 1, 1] : (!mkl) -> !m_less_t_d_e
    %1 = graph.slice %b starts = [0, u, v] sizes = [t + s - m, d, e] steps = [1, 1, 1] : (!pkl) -> !ts_less_m_d_e
    %2 = graph.concat %0, %1 axis = 0 : (!m_less_t_d_e, !ts_less_m_d_e) -> !sde
    rule.yield %2 : [s, d, e]
  }
  where [t <= m]

// CHECK: refuted slice_of_concat_in_both_3_behind
rule.rule @slice_of_concat_in_both_3_behind(%a: [m, k, l], %b: [p, k, l]) -> [s, d, e]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mkl, !pkl) -> !mp_k_l
    %1 = graph.slice %0 starts = [t, u, v] sizes = [s, d, e] steps = [1, 1, 1] : (!mp_k_l) -> !sde
    rule.yield %1 : [s, d, e]
  }
  target {
    %0 = graph.slice %a starts = [t, u, v] sizes = [m - t, d, e] steps = [1, 1, 1] : (!mkl) -> !m_less_t_d_e
    %1 = graph.slice %b starts = [0, u, v] sizes = [t + s - m, d, e] steps = [1, 1, 1] : (!pkl) -> !ts_less_m_d_e
    %2 = graph.concat %0, %1 axis = 0 : (!m_less_t_d_e, !ts_less_m_d_e) -> !sde
    rule.yield %2 : [s, d, e]
  }
  where [t + s >= m]

// CHECK: refuted strided_slice_of_concat_in_first_dense
rule.rule @strided_slice_of_concat_in_first_dense(%a: [m], %b: [p]) -> [s]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!m, !p) -> !mp
    %1 = graph.slice %0 starts = [t] sizes = [s] steps = [v] : (!mp) -> !s
    rule.yield %1 : [s]
  }
  target {
    %0 = graph.slice %a starts = [t] sizes = [s] steps = [1] : (!m) -> !s
    rule.yield %0 : [s]
  }
  where [t + v * s - v + 1 <= m]

// CHECK: refuted strided_slice_of_concat_in_second_unshifted
rule.rule @strided_slice_of_concat_in_second_unshifted(%a: [m], %b: [p]) -> [s]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!m, !p) -> !mp
    %1 = graph.slice %0 starts = [t] sizes = [s] steps = [v] : (!mp) -> !s
    rule.yield %1 : [s]
  }
  target {
    %0 = graph.slice %b starts = [t] sizes = [s] steps = [v] : (!p) -> !s
    rule.yield %0 : [s]
  }
  where [t >= m, t + v * s - v + 1 <= p]

!mp_d = tensor<?x?xf32, #graph.dims<m + p, d>>
!md = tensor<?x?xf32, #graph.dims<m, d>>
!pd = tensor<?x?xf32, #graph.dims<p, d>>
// CHECK: refuted slice_across_concat_from_start
rule.rule @slice_across_concat_from_start(%a: [m, k], %b: [p, k]) -> [m + p, d]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mk, !pk) -> !mp_k
    %1 = graph.slice %0 starts = [0, u] sizes = [m + p, d] steps = [1, 1] : (!mp_k) -> !mp_d
    rule.yield %1 : [m + p, d]
  }
  target {
    %0 = graph.slice %a starts = [0, u] sizes = [m, d] steps = [1, 1] : (!mk) -> !md
    %1 = graph.slice %b starts = [0, 0] sizes = [p, d] steps = [1, 1] : (!pk) -> !pd
    %2 = graph.concat %0, %1 axis = 0 : (!md, !pd) -> !mp_d
    rule.yield %2 : [m + p, d]
  }

// CHECK: refuted split_of_concat_1_swapped
rule.rule @split_of_concat_1_swapped(%a: [m], %b: [m]) -> ([m], [m])
  source {
    %0 = graph.concat %a, %b axis = 0 : (!m, !m) -> !mm
    %1, %2 = graph.split %0 axis = 0 sizes = [m, m] : (!mm) -> (!m, !m)
    rule.yield %1, %2 : [m], [m]
  }
  target {
    rule.yield %b, %a : [m], [m]
  }

// CHECK: refuted concat_of_split_1_swapped
rule.rule @concat_of_split_1_swapped(%x: [m + p]) -> [m + p]
  source {
    %0, %1 = graph.split %x axis = 0 sizes = [m, p] : (!mp) -> (!m, !p)
    %2 = graph.concat %1, %0 axis = 0 : (!p, !m) -> !mp
    rule.yield %2 : [m + p]
  }
  target {
    rule.yield %x : [m + p]
  }

// CHECK: refuted split_of_concat_2_swapped
rule.rule @split_of_concat_2_swapped(%a: [m, k], %b: [m, k]) -> ([m, k], [m, k])
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mk, !mk) -> !mm_k
    %1, %2 = graph.split %0 axis = 0 sizes = [m, m] : (!mm_k) -> (!mk, !mk)
    rule.yield %1, %2 : [m, k], [m, k]
  }
  target {
    rule.yield %b, %a : [m, k], [m, k]
  }

// CHECK: refuted concat_of_split_2_swapped
rule.rule @concat_of_split_2_swapped(%x: [m + p, k]) -> [m + p, k]
  source {
    %0, %1 = graph.split %x axis = 0 sizes = [m, p] : (!mp_k) -> (!mk, !pk)
    %2 = graph.concat %1, %0 axis = 0 : (!pk, !mk) -> !mp_k
    rule.yield %2 : [m + p, k]
  }
  target {
    rule.yield %x : [m + p, k]
  }

!of3xp = tensor<?xf32, #graph.dims<3 * p>>
!of2xp = tensor<?xf32, #graph.dims<2 * p>>
// CHECK: refuted split_of_split_swapped
rule.rule @split_of_split_swapped(%x: [3 * p]) -> ([p], [p], [p])
  source {
    %0, %1 = graph.split %x axis = 0 sizes = [2 * p, p] : (!of3xp) -> (!of2xp, !p)
    %2, %3 = graph.split %0 axis = 0 sizes = [p, p] : (!of2xp) -> (!p, !p)
    rule.yield %2, %3, %1 : [p], [p], [p]
  }
  target {
    %0, %1, %2 = graph.split %x axis = 0 sizes = [p, p, p] : (!of3xp) -> (!p, !p, !p)
    rule.yield %1, %0, %2 : [p], [p], [p]
  }

!q = tensor<?xf32, #graph.dims<q>>
!mpq = tensor<?xf32, #graph.dims<m + p + q>>
// CHECK: refuted concat_of_concat_first_swapped
rule.rule @concat_of_concat_first_swapped(%a: [m], %b: [p], %c: [q]) -> [m + p + q]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!m, !p) -> !mp
    %1 = graph.concat %0, %c axis = 0 : (!mp, !q) -> !mpq
    rule.yield %1 : [m + p + q]
  }
  target {
    %0 = graph.concat %b, %a, %c axis = 0 : (!p, !m, !q) -> !mpq
    rule.yield %0 : [m + p + q]
  }

!pq = tensor<?xf32, #graph.dims<p + q>>
// CHECK: refuted concat_of_concat_second_swapped
rule.rule @concat_of_concat_second_swapped(%a: [m], %b: [p], %c: [q]) -> [m + p + q]
  source {
    %0 = graph.concat %b, %c axis = 0 : (!p, !q) -> !pq
    %1 = graph.concat %a, %0 axis = 0 : (!m, !pq) -> !mpq
    rule.yield %1 : [m + p + q]
  }
  target {
    %0 = graph.concat %a, %c, %b axis = 0 : (!m, !q, !p) -> !mpq
    rule.yield %0 : [m + p + q]
  }

!qk = tensor<?x?xf32, #graph.dims<q, k>>
!mpq_k = tensor<?x?xf32, #graph.dims<m + p + q, k>>
// CHECK: refuted concat_of_concat_first_2_swapped
rule.rule @concat_of_concat_first_2_swapped(%a: [m, k], %b: [p, k], %c: [q, k]) -> [m + p + q, k]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mk, !pk) -> !mp_k
    %1 = graph.concat %0, %c axis = 0 : (!mp_k, !qk) -> !mpq_k
    rule.yield %1 : [m + p + q, k]
  }
  target {
    %0 = graph.concat %b, %a, %c axis = 0 : (!pk, !mk, !qk) -> !mpq_k
    rule.yield %0 : [m + p + q, k]
  }

!pq_k = tensor<?x?xf32, #graph.dims<p + q, k>>
// CHECK: refuted concat_of_concat_second_2_swapped
rule.rule @concat_of_concat_second_2_swapped(%a: [m, k], %b: [p, k], %c: [q, k]) -> [m + p + q, k]
  source {
    %0 = graph.concat %b, %c axis = 0 : (!pk, !qk) -> !pq_k
    %1 = graph.concat %a, %0 axis = 0 : (!mk, !pq_k) -> !mpq_k
    rule.yield %1 : [m + p + q, k]
  }
  target {
    %0 = graph.concat %a, %c, %b axis = 0 : (!mk, !qk, !pk) -> !mpq_k
    rule.yield %0 : [m + p + q, k]
  }

!qkl = tensor<?x?x?xf32, #graph.dims<q, k, l>>
!mpq_k_l = tensor<?x?x?xf32, #graph.dims<m + p + q, k, l>>
// CHECK: refuted concat_of_concat_first_3_swapped
rule.rule @concat_of_concat_first_3_swapped(%a: [m, k, l], %b: [p, k, l], %c: [q, k, l]) -> [m + p + q, k, l]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mkl, !pkl) -> !mp_k_l
    %1 = graph.concat %0, %c axis = 0 : (!mp_k_l, !qkl) -> !mpq_k_l
    rule.yield %1 : [m + p + q, k, l]
  }
  target {
    %0 = graph.concat %b, %a, %c axis = 0 : (!pkl, !mkl, !qkl) -> !mpq_k_l
    rule.yield %0 : [m + p + q, k, l]
  }

!pq_k_l = tensor<?x?x?xf32, #graph.dims<p + q, k, l>>
// CHECK: refuted concat_of_concat_second_3_swapped
rule.rule @concat_of_concat_second_3_swapped(%a: [m, k, l], %b: [p, k, l], %c: [q, k, l]) -> [m + p + q, k, l]
  source {
    %0 = graph.concat %b, %c axis = 0 : (!pkl, !qkl) -> !pq_k_l
    %1 = graph.concat %a, %0 axis = 0 : (!mkl, !pq_k_l) -> !mpq_k_l
    rule.yield %1 : [m + p + q, k, l]
  }
  target {
    %0 = graph.concat %a, %c, %b axis = 0 : (!mkl, !qkl, !pkl) -> !mpq_k_l
    rule.yield %0 : [m + p + q, k, l]
  }

!of2xn = tensor<?xf32, #graph.dims<2 * n>>
!n = tensor<?xf32, #graph.dims<n>>
// CHECK: refuted slice_of_all_with_step
rule.rule @slice_of_all_with_step(%x: [2 * n]) -> [n]
  source {
    %0 = graph.slice %x starts = [0] sizes = [n] steps = [2] : (!of2xn) -> !n
    rule.yield %0 : [n]
  }
  target {
    %0 = graph.slice %x starts = [0] sizes = [n] steps = [1] : (!of2xn) -> !n
    rule.yield %0 : [n]
  }

!a = tensor<?xf32, #graph.dims<a>>
!p0 = tensor<?xf32, #graph.dims<p0>>
!q0 = tensor<?xf32, #graph.dims<q0>>
// CHECK: refuted slice_of_slice_1_from_inner_start
rule.rule @slice_of_slice_1_from_inner_start(%x: [a]) -> [q0]
  source {
    %0 = graph.slice %x starts = [s0] sizes = [p0] steps = [1] : (!a) -> !p0
    %1 = graph.slice %0 starts = [t0] sizes = [q0] steps = [1] : (!p0) -> !q0
    rule.yield %1 : [q0]
  }
  target {
    %0 = graph.slice %x starts = [t0] sizes = [q0] steps = [1] : (!a) -> !q0
    rule.yield %0 : [q0]
  }

!ab = tensor<?x?xf32, #graph.dims<a, b>>
!p0_p1 = tensor<?x?xf32, #graph.dims<p0, p1>>
!q0_q1 = tensor<?x?xf32, #graph.dims<q0, q1>>
// CHECK: refuted slice_of_slice_2_from_inner_start
rule.rule @slice_of_slice_2_from_inner_start(%x: [a, b]) -> [q0, q1]
  source {
    %0 = graph.slice %x starts = [s0, s1] sizes = [p0, p1] steps = [1, 1] : (!ab) -> !p0_p1
    %1 = graph.slice %0 starts = [t0, t1] sizes = [q0, q1] steps = [1, 1] : (!p0_p1) -> !q0_q1
    rule.yield %1 : [q0, q1]
  }
  target {
    %0 = graph.slice %x starts = [t0, s1 + t1] sizes = [q0, q1] steps = [1, 1] : (!ab) -> !q0_q1
    rule.yield %0 : [q0, q1]
  }

// CHECK: refuted strided_slice_of_slice_1_unscaled_start
rule.rule @strided_slice_of_slice_1_unscaled_start(%x: [a]) -> [q0]
  source {
    %0 = graph.slice %x starts = [s0] sizes = [p0] steps = [u0] : (!a) -> !p0
    %1 = graph.slice %0 starts = [t0] sizes = [q0] steps = [v0] : (!p0) -> !q0
    rule.yield %1 : [q0]
  }
  target {
    %0 = graph.slice %x starts = [s0 + t0] sizes = [q0] steps = [u0 * v0] : (!a) -> !q0
    rule.yield %0 : [q0]
  }

// CHECK: refuted strided_slice_of_slice_1_outer_step
rule.rule @strided_slice_of_slice_1_outer_step(%x: [a]) -> [q0]
  source {
    %0 = graph.slice %x starts = [s0] sizes = [p0] steps = [2] : (!a) -> !p0
    %1 = graph.slice %0 starts = [t0] sizes = [q0] steps = [1] : (!p0) -> !q0
    rule.yield %1 : [q0]
  }
  target {
    %0 = graph.slice %x starts = [s0 + 2 * t0] sizes = [q0] steps = [1] : (!a) -> !q0
    rule.yield %0 : [q0]
  }
  where [s0 + 2 * p0 - 1 <= a, q0 >= 2]

// CHECK: refuted reverse_of_reverse_once
rule.rule @reverse_of_reverse_once(%x: [n]) -> [n]
  source {
    %0 = graph.reverse %x axes = [0] : !n
    rule.yield %0 : [n]
  }
  target {
    rule.yield %x : [n]
  }

// CHECK: refuted concat_of_slices_1_apart
rule.rule @concat_of_slices_1_apart(%x: [m]) -> [p + q]
  source {
    %0 = graph.slice %x starts = [s] sizes = [p] steps = [1] : (!m) -> !p
    %1 = graph.slice %x starts = [s + p + 1] sizes = [q] steps = [1] : (!m) -> !q
    %2 = graph.concat %0, %1 axis = 0 : (!p, !q) -> !pq
    rule.yield %2 : [p + q]
  }
  target {
    %0 = graph.slice %x starts = [s] sizes = [p + q] steps = [1] : (!m) -> !pq
    rule.yield %0 : [p + q]
  }
  where [s + p + q + 1 <= m]

// CHECK: refuted concat_of_slices_1_swapped
rule.rule @concat_of_slices_1_swapped(%x: [m]) -> [p + q]
  source {
    %0 = graph.slice %x starts = [s] sizes = [p] steps = [1] : (!m) -> !p
    %1 = graph.slice %x starts = [s + p] sizes = [q] steps = [1] : (!m) -> !q
    %2 = graph.concat %1, %0 axis = 0 : (!q, !p) -> !pq
    rule.yield %2 : [p + q]
  }
  target {
    %0 = graph.slice %x starts = [s] sizes = [p + q] steps = [1] : (!m) -> !pq
    rule.yield %0 : [p + q]
  }

!qd = tensor<?x?xf32, #graph.dims<q, d>>
!pq_d = tensor<?x?xf32, #graph.dims<p + q, d>>
// CHECK: refuted concat_of_slices_2_apart
rule.rule @concat_of_slices_2_apart(%x: [m, k]) -> [p + q, d]
  source {
    %0 = graph.slice %x starts = [s, u] sizes = [p, d] steps = [1, 1] : (!mk) -> !pd
    %1 = graph.slice %x starts = [s + p + 1, u] sizes = [q, d] steps = [1, 1] : (!mk) -> !qd
    %2 = graph.concat %0, %1 axis = 0 : (!pd, !qd) -> !pq_d
    rule.yield %2 : [p + q, d]
  }
  target {
    %0 = graph.slice %x starts = [s, u] sizes = [p + q, d] steps = [1, 1] : (!mk) -> !pq_d
    rule.yield %0 : [p + q, d]
  }
  where [s + p + q + 1 <= m]

// CHECK: refuted concat_of_slices_2_swapped
rule.rule @concat_of_slices_2_swapped(%x: [m, k]) -> [p + q, d]
  source {
    %0 = graph.slice %x starts = [s, u] sizes = [p, d] steps = [1, 1] : (!mk) -> !pd
    %1 = graph.slice %x starts = [s + p, u] sizes = [q, d] steps = [1, 1] : (!mk) -> !qd
    %2 = graph.concat %1, %0 axis = 0 : (!qd, !pd) -> !pq_d
    rule.yield %2 : [p + q, d]
  }
  target {
    %0 = graph.slice %x starts = [s, u] sizes = [p + q, d] steps = [1, 1] : (!mk) -> !pq_d
    rule.yield %0 : [p + q, d]
  }

!pde = tensor<?x?x?xf32, #graph.dims<p, d, e>>
!qde = tensor<?x?x?xf32, #graph.dims<q, d, e>>
!pq_d_e = tensor<?x?x?xf32, #graph.dims<p + q, d, e>>
// CHECK: refuted concat_of_slices_3_apart
rule.rule @concat_of_slices_3_apart(%x: [m, k, l]) -> [p + q, d, e]
  source {
    %0 = graph.slice %x starts = [s, u, v] sizes = [p, d, e] steps = [1, 1, 1] : (!mkl) -> !pde
    %1 = graph.slice %x starts = [s + p + 1, u, v] sizes = [q, d, e] steps = [1, 1, 1] : (!mkl) -> !qde
    %2 = graph.concat %0, %1 axis = 0 : (!pde, !qde) -> !pq_d_e
    rule.yield %2 : [p + q, d, e]
  }
  target {
    %0 = graph.slice %x starts = [s, u, v] sizes = [p + q, d, e] steps = [1, 1, 1] : (!mkl) -> !pq_d_e
    rule.yield %0 : [p + q, d, e]
  }
  where [s + p + q + 1 <= m]

// CHECK: refuted concat_of_slices_3_swapped
rule.rule @concat_of_slices_3_swapped(%x: [m, k, l]) -> [p + q, d, e]
  source {
    %0 = graph.slice %x starts = [s, u, v] sizes = [p, d, e] steps = [1, 1, 1] : (!mkl) -> !pde
    %1 = graph.slice %x starts = [s + p, u, v] sizes = [q, d, e] steps = [1, 1, 1] : (!mkl) -> !qde
    %2 = graph.concat %1, %0 axis = 0 : (!qde, !pde) -> !pq_d_e
    rule.yield %2 : [p + q, d, e]
  }
  target {
    %0 = graph.slice %x starts = [s, u, v] sizes = [p + q, d, e] steps = [1, 1, 1] : (!mkl) -> !pq_d_e
    rule.yield %0 : [p + q, d, e]
  }

!kn = tensor<?x?xf32, #graph.dims<k, n>>
!mn = tensor<?x?xf32, #graph.dims<m, n>>
!pn = tensor<?x?xf32, #graph.dims<p, n>>
// CHECK: refuted slice_of_rows_of_matmul_from_start
rule.rule @slice_of_rows_of_matmul_from_start(%a: [m, k], %b: [k, n]) -> [p, n]
  source {
    %0 = graph.matmul %a, %b : (!mk, !kn) -> !mn
    %1 = graph.slice %0 starts = [s, 0] sizes = [p, n] steps = [1, 1] : (!mn) -> !pn
    rule.yield %1 : [p, n]
  }
  target {
    %0 = graph.slice %a starts = [0, 0] sizes = [p, k] steps = [1, 1] : (!mk) -> !pk
    %1 = graph.matmul %0, %b : (!pk, !kn) -> !pn
    rule.yield %1 : [p, n]
  }

!mm_v2 = tensor<?x?xf32, #graph.dims<m, m>>
!pq_v2 = tensor<?x?xf32, #graph.dims<p, q>>
!pm = tensor<?x?xf32, #graph.dims<p, m>>
!mq = tensor<?x?xf32, #graph.dims<m, q>>
// CHECK: refuted slice_of_matmul_swapped
rule.rule @slice_of_matmul_swapped(%a: [m, m], %b: [m, m]) -> [p, q]
  source {
    %0 = graph.matmul %a, %b : (!mm_v2, !mm_v2) -> !mm_v2
    %1 = graph.slice %0 starts = [s, t] sizes = [p, q] steps = [1, 1] : (!mm_v2) -> !pq_v2
    rule.yield %1 : [p, q]
  }
  target {
    %0 = graph.slice %a starts = [t, 0] sizes = [p, m] steps = [1, 1] : (!mm_v2) -> !pm
    %1 = graph.slice %b starts = [0, s] sizes = [m, q] steps = [1, 1] : (!mm_v2) -> !mq
    %2 = graph.matmul %0, %1 : (!pm, !mq) -> !pq_v2
    rule.yield %2 : [p, q]
  }
  where [t + q <= m, t + p <= m, s + q <= m]

// CHECK: refuted slice_of_sum_from_start
rule.rule @slice_of_sum_from_start(%x: [m, k]) -> [p]
  source {
    %0 = graph.reduce_sum %x axes = [1] : (!mk) -> !m
    %1 = graph.slice %0 starts = [s] sizes = [p] steps = [1] : (!m) -> !p
    rule.yield %1 : [p]
  }
  target {
    %0 = graph.slice %x starts = [0, 0] sizes = [p, k] steps = [1, 1] : (!mk) -> !pk
    %1 = graph.reduce_sum %0 axes = [1] : (!pk) -> !p
    rule.yield %1 : [p]
  }

// CHECK: refuted slice_of_max_from_start
rule.rule @slice_of_max_from_start(%x: [m, k]) -> [p]
  source {
    %0 = graph.reduce_max %x axes = [1] : (!mk) -> !m
    %1 = graph.slice %0 starts = [s] sizes = [p] steps = [1] : (!m) -> !p
    rule.yield %1 : [p]
  }
  target {
    %0 = graph.slice %x starts = [0, 0] sizes = [p, k] steps = [1, 1] : (!mk) -> !pk
    %1 = graph.reduce_max %0 axes = [1] : (!pk) -> !p
    rule.yield %1 : [p]
  }

// CHECK: refuted slice_of_mean_from_start
rule.rule @slice_of_mean_from_start(%x: [m, k]) -> [p]
  source {
    %0 = graph.reduce_mean %x axes = [1] : (!mk) -> !m
    %1 = graph.slice %0 starts = [s] sizes = [p] steps = [1] : (!m) -> !p
    rule.yield %1 : [p]
  }
  target {
    %0 = graph.slice %x starts = [0, 0] sizes = [p, k] steps = [1, 1] : (!mk) -> !pk
    %1 = graph.reduce_mean %0 axes = [1] : (!pk) -> !p
    rule.yield %1 : [p]
  }

// CHECK: refuted slice_of_repeated_row_at_row
rule.rule @slice_of_repeated_row_at_row(%x: [n]) -> [p, q]
  source {
    %0 = graph.broadcast %x shape = [m, n] : (!n) -> !mn
    %1 = graph.slice %0 starts = [s, t] sizes = [p, q] steps = [1, 1] : (!mn) -> !pq_v2
    rule.yield %1 : [p, q]
  }
  target {
    %0 = graph.slice %x starts = [s] sizes = [q] steps = [1] : (!n) -> !q
    %1 = graph.broadcast %0 shape = [p, q] : (!q) -> !pq_v2
    rule.yield %1 : [p, q]
  }
  where [s + q <= n]

!m1 = tensor<?x1xf32, #graph.dims<m, 1>>
!p1 = tensor<?x1xf32, #graph.dims<p, 1>>
// CHECK: refuted slice_of_repeated_column_at_column
rule.rule @slice_of_repeated_column_at_column(%x: [m, 1]) -> [p, q]
  source {
    %0 = graph.broadcast %x shape = [m, n] : (!m1) -> !mn
    %1 = graph.slice %0 starts = [s, t] sizes = [p, q] steps = [1, 1] : (!mn) -> !pq_v2
    rule.yield %1 : [p, q]
  }
  target {
    %0 = graph.slice %x starts = [t, 0] sizes = [p, 1] steps = [1, 1] : (!m1) -> !p1
    %1 = graph.broadcast %0 shape = [p, q] : (!p1) -> !pq_v2
    rule.yield %1 : [p, q]
  }
  where [t + p <= m]

!n1 = tensor<?xf32, #graph.dims<n + 1>>
// CHECK: refuted pad_by_nothing_but_shifted
rule.rule @pad_by_nothing_but_shifted(%x: [n]) -> [n + 1]
  source {
    %0 = graph.pad %x low = [1] high = [0] constant value = 0.0 : (!n) -> !n1
    rule.yield %0 : [n + 1]
  }
  target {
    %0 = graph.pad %x low = [0] high = [1] constant value = 0.0 : (!n) -> !n1
    rule.yield %0 : [n + 1]
  }

!l0ah0 = tensor<?xf32, #graph.dims<l0 + a + h0>>
!l0i0ah0j0 = tensor<?xf32, #graph.dims<l0 + i0 + a + h0 + j0>>
// CHECK: refuted pad_of_pad_1_crosswise
rule.rule @pad_of_pad_1_crosswise(%x: [a]) -> [l0 + i0 + a + h0 + j0]
  source {
    %0 = graph.pad %x low = [l0] high = [h0] constant value = 0.0 : (!a) -> !l0ah0
    %1 = graph.pad %0 low = [i0] high = [j0] constant value = 0.0 : (!l0ah0) -> !l0i0ah0j0
    rule.yield %1 : [l0 + i0 + a + h0 + j0]
  }
  target {
    %0 = graph.pad %x low = [l0 + j0] high = [h0 + i0] constant value = 0.0 : (!a) -> !l0i0ah0j0
    rule.yield %0 : [l0 + i0 + a + h0 + j0]
  }

!l0ah0_l1bh1 = tensor<?x?xf32, #graph.dims<l0 + a + h0, l1 + b + h1>>
!l0i0ah0j0_l1i1bh1j1 = tensor<?x?xf32, #graph.dims<l0 + i0 + a + h0 + j0, l1 + i1 + b + h1 + j1>>
// CHECK: refuted pad_of_pad_2_crosswise
rule.rule @pad_of_pad_2_crosswise(%x: [a, b]) -> [l0 + i0 + a + h0 + j0, l1 + i1 + b + h1 + j1]
  source {
    %0 = graph.pad %x low = [l0, l1] high = [h0, h1] constant value = 0.0 : (!ab) -> !l0ah0_l1bh1
    %1 = graph.pad %0 low = [i0, i1] high = [j0, j1] constant value = 0.0 : (!l0ah0_l1bh1) -> !l0i0ah0j0_l1i1bh1j1
    rule.yield %1 : [l0 + i0 + a + h0 + j0, l1 + i1 + b + h1 + j1]
  }
  target {
    %0 = graph.pad %x low = [l0 + j0, l1 + i1] high = [h0 + i0, h1 + j1] constant value = 0.0 : (!ab) -> !l0i0ah0j0_l1i1bh1j1
    rule.yield %0 : [l0 + i0 + a + h0 + j0, l1 + i1 + b + h1 + j1]
  }

!abc = tensor<?x?x?xf32, #graph.dims<a, b, c>>
!l0ah0_l1bh1_l2ch2 = tensor<?x?x?xf32, #graph.dims<l0 + a + h0, l1 + b + h1, l2 + c + h2>>
!l0i0ah0j0_l1i1bh1j1_l2i2ch2j2 = tensor<?x?x?xf32, #graph.dims<l0 + i0 + a + h0 + j0, l1 + i1 + b + h1 + j1, l2 + i2 + c + h2 + j2>>
// CHECK: refuted pad_of_pad_3_crosswise
rule.rule @pad_of_pad_3_crosswise(%x: [a, b, c]) -> [l0 + i0 + a + h0 + j0, l1 + i1 + b + h1 + j1, l2 + i2 + c + h2 + j2]
  source {
    %0 = graph.pad %x low = [l0, l1, l2] high = [h0, h1, h2] constant value = 0.0 : (!abc) -> !l0ah0_l1bh1_l2ch2
    %1 = graph.pad %0 low = [i0, i1, i2] high = [j0, j1, j2] constant value = 0.0 : (!l0ah0_l1bh1_l2ch2) -> !l0i0ah0j0_l1i1bh1j1_l2i2ch2j2
    rule.yield %1 : [l0 + i0 + a + h0 + j0, l1 + i1 + b + h1 + j1, l2 + i2 + c + h2 + j2]
  }
  target {
    %0 = graph.pad %x low = [l0 + j0, l1 + i1, l2 + i2] high = [h0 + i0, h1 + j1, h2 + j2] constant value = 0.0 : (!abc) -> !l0i0ah0j0_l1i1bh1j1_l2i2ch2j2
    rule.yield %0 : [l0 + i0 + a + h0 + j0, l1 + i1 + b + h1 + j1, l2 + i2 + c + h2 + j2]
  }

// CHECK: refuted edge_pad_of_edge_pad_1_of_zeros
rule.rule @edge_pad_of_edge_pad_1_of_zeros(%x: [a]) -> [l0 + i0 + a + h0 + j0]
  source {
    %0 = graph.pad %x low = [l0] high = [h0] constant value = 0.0 : (!a) -> !l0ah0
    %1 = graph.pad %0 low = [i0] high = [j0] edge value = 0.0 : (!l0ah0) -> !l0i0ah0j0
    rule.yield %1 : [l0 + i0 + a + h0 + j0]
  }
  target {
    %0 = graph.pad %x low = [l0 + i0] high = [h0 + j0] edge value = 0.0 : (!a) -> !l0i0ah0j0
    rule.yield %0 : [l0 + i0 + a + h0 + j0]
  }

// CHECK: refuted slice_inside_pad_1_unshifted
rule.rule @slice_inside_pad_1_unshifted(%x: [a]) -> [p0]
  source {
    %0 = graph.pad %x low = [l0] high = [h0] constant value = 0.0 : (!a) -> !l0ah0
    %1 = graph.slice %0 starts = [s0] sizes = [p0] steps = [1] : (!l0ah0) -> !p0
    rule.yield %1 : [p0]
  }
  target {
    %0 = graph.slice %x starts = [s0] sizes = [p0] steps = [1] : (!a) -> !p0
    rule.yield %0 : [p0]
  }
  where [s0 >= l0, s0 + p0 <= l0 + a]

// CHECK: refuted slice_around_padded_1_crosswise
rule.rule @slice_around_padded_1_crosswise(%x: [a]) -> [p0]
  source {
    %0 = graph.pad %x low = [l0] high = [h0] constant value = 0.0 : (!a) -> !l0ah0
    %1 = graph.slice %0 starts = [s0] sizes = [p0] steps = [1] : (!l0ah0) -> !p0
    rule.yield %1 : [p0]
  }
  target {
    %0 = graph.pad %x low = [s0 + p0 - l0 - a] high = [l0 - s0] constant value = 0.0 : (!a) -> !p0
    rule.yield %0 : [p0]
  }
  where [s0 <= l0, s0 + p0 >= l0 + a]

// CHECK: refuted slice_inside_pad_2_unshifted
rule.rule @slice_inside_pad_2_unshifted(%x: [a, b]) -> [p0, p1]
  source {
    %0 = graph.pad %x low = [l0, l1] high = [h0, h1] constant value = 0.0 : (!ab) -> !l0ah0_l1bh1
    %1 = graph.slice %0 starts = [s0, s1] sizes = [p0, p1] steps = [1, 1] : (!l0ah0_l1bh1) -> !p0_p1
    rule.yield %1 : [p0, p1]
  }
  target {
    %0 = graph.slice %x starts = [s0, s1 - l1] sizes = [p0, p1] steps = [1, 1] : (!ab) -> !p0_p1
    rule.yield %0 : [p0, p1]
  }
  where [s0 >= l0, s0 + p0 <= l0 + a, s1 >= l1, s1 + p1 <= l1 + b]

// CHECK: refuted slice_around_padded_2_crosswise
rule.rule @slice_around_padded_2_crosswise(%x: [a, b]) -> [p0, p1]
  source {
    %0 = graph.pad %x low = [l0, l1] high = [h0, h1] constant value = 0.0 : (!ab) -> !l0ah0_l1bh1
    %1 = graph.slice %0 starts = [s0, s1] sizes = [p0, p1] steps = [1, 1] : (!l0ah0_l1bh1) -> !p0_p1
    rule.yield %1 : [p0, p1]
  }
  target {
    %0 = graph.pad %x low = [s0 + p0 - l0 - a, l1 - s1] high = [l0 - s0, s1 + p1 - l1 - b] constant value = 0.0 : (!ab) -> !p0_p1
    rule.yield %0 : [p0, p1]
  }
  where [s0 <= l0, s0 + p0 >= l0 + a, s1 <= l1, s1 + p1 >= l1 + b]

!p0_p1_p2 = tensor<?x?x?xf32, #graph.dims<p0, p1, p2>>
// CHECK: refuted slice_inside_pad_3_unshifted
rule.rule @slice_inside_pad_3_unshifted(%x: [a, b, c]) -> [p0, p1, p2]
  source {
    %0 = graph.pad %x low = [l0, l1, l2] high = [h0, h1, h2] constant value = 0.0 : (!abc) -> !l0ah0_l1bh1_l2ch2
    %1 = graph.slice %0 starts = [s0, s1, s2] sizes = [p0, p1, p2] steps = [1, 1, 1] : (!l0ah0_l1bh1_l2ch2) -> !p0_p1_p2
    rule.yield %1 : [p0, p1, p2]
  }
  target {
    %0 = graph.slice %x starts = [s0, s1 - l1, s2 - l2] sizes = [p0, p1, p2] steps = [1, 1, 1] : (!abc) -> !p0_p1_p2
    rule.yield %0 : [p0, p1, p2]
  }
  where [s0 >= l0, s0 + p0 <= l0 + a, s1 >= l1, s1 + p1 <= l1 + b, s2 >= l2,
         s2 + p2 <= l2 + c]

// CHECK: refuted slice_around_padded_3_crosswise
rule.rule @slice_around_padded_3_crosswise(%x: [a, b, c]) -> [p0, p1, p2]
  source {
    %0 = graph.pad %x low = [l0, l1, l2] high = [h0, h1, h2] constant value = 0.0 : (!abc) -> !l0ah0_l1bh1_l2ch2
    %1 = graph.slice %0 starts = [s0, s1, s2] sizes = [p0, p1, p2] steps = [1, 1, 1] : (!l0ah0_l1bh1_l2ch2) -> !p0_p1_p2
    rule.yield %1 : [p0, p1, p2]
  }
  target {
    %0 = graph.pad %x low = [s0 + p0 - l0 - a, l1 - s1, l2 - s2] high = [l0 - s0, s1 + p1 - l1 - b, s2 + p2 - l2 - c] constant value = 0.0 : (!abc) -> !p0_p1_p2
    rule.yield %0 : [p0, p1, p2]
  }
  where [s0 <= l0, s0 + p0 >= l0 + a, s1 <= l1, s1 + p1 >= l1 + b, s2 <= l2,
         s2 + p2 >= l2 + c]

!lah = tensor<?xf32, #graph.dims<l + a + h>>
!sp_less_l = tensor<?xf32, #graph.dims<s + p - l>>
// CHECK: refuted slice_before_padded_end_padded_behind
rule.rule @slice_before_padded_end_padded_behind(%x: [a]) -> [p]
  source {
    %0 = graph.pad %x low = [l] high = [h] constant value = 0.0 : (!a) -> !lah
    %1 = graph.slice %0 starts = [s] sizes = [p] steps = [1] : (!lah) -> !p
    rule.yield %1 : [p]
  }
  target {
    %0 = graph.slice %x starts = [0] sizes = [s + p - l] steps = [1] : (!a) -> !sp_less_l
    %1 = graph.pad %0 low = [0] high = [l - s] constant value = 0.0 : (!sp_less_l) -> !p
    rule.yield %1 : [p]
  }
  where [s <= l, s + p >= l, s + p <= l + a]

!la_less_s = tensor<?xf32, #graph.dims<l + a - s>>
// CHECK: refuted slice_behind_padded_start_padded_before
rule.rule @slice_behind_padded_start_padded_before(%x: [a]) -> [p]
  source {
    %0 = graph.pad %x low = [l] high = [h] constant value = 0.0 : (!a) -> !lah
    %1 = graph.slice %0 starts = [s] sizes = [p] steps = [1] : (!lah) -> !p
    rule.yield %1 : [p]
  }
  target {
    %0 = graph.slice %x starts = [s - l] sizes = [l + a - s] steps = [1] : (!a) -> !la_less_s
    %1 = graph.pad %0 low = [s + p - l - a] high = [0] constant value = 0.0 : (!la_less_s) -> !p
    rule.yield %1 : [p]
  }
  where [s >= l, s <= l + a, s + p >= l + a]

!scalar = tensor<f32>
// CHECK: refuted slice_before_padded_and_more
rule.rule @slice_before_padded_and_more(%x: [a]) -> [p]
  source {
    %0 = graph.pad %x low = [l] high = [h] constant value = 0.0 : (!a) -> !lah
    %1 = graph.slice %0 starts = [s] sizes = [p] steps = [1] : (!lah) -> !p
    rule.yield %1 : [p]
  }
  target {
    %0 = graph.constant dense<0.0> : tensor<f32>
    %1 = graph.broadcast %0 shape = [p] : (!scalar) -> !p
    rule.yield %1 : [p]
  }

!lnh = tensor<?xf32, #graph.dims<l + n + h>>
// CHECK: refuted relu_of_padded_for_exp
rule.rule @relu_of_padded_for_exp(%x: [n]) -> [l + n + h]
  source {
    %0 = graph.pad %x low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    %1 = graph.exp %0 : !lnh
    rule.yield %1 : [l + n + h]
  }
  target {
    %0 = graph.exp %x : !n
    %1 = graph.pad %0 low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    rule.yield %1 : [l + n + h]
  }

// CHECK: refuted neg_of_padded_crosswise
rule.rule @neg_of_padded_crosswise(%x: [n]) -> [l + n + h]
  source {
    %0 = graph.pad %x low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    %1 = graph.neg %0 : !lnh
    rule.yield %1 : [l + n + h]
  }
  target {
    %0 = graph.neg %x : !n
    %1 = graph.pad %0 low = [h] high = [l] constant value = 0.0 : (!n) -> !lnh
    rule.yield %1 : [l + n + h]
  }

// CHECK: refuted gelu_of_padded_crosswise
rule.rule @gelu_of_padded_crosswise(%x: [n]) -> [l + n + h]
  source {
    %0 = graph.pad %x low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    %1 = graph.gelu %0 : !lnh
    rule.yield %1 : [l + n + h]
  }
  target {
    %0 = graph.gelu %x : !n
    %1 = graph.pad %0 low = [h] high = [l] constant value = 0.0 : (!n) -> !lnh
    rule.yield %1 : [l + n + h]
  }

// CHECK: refuted silu_of_padded_crosswise
rule.rule @silu_of_padded_crosswise(%x: [n]) -> [l + n + h]
  source {
    %0 = graph.pad %x low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    %1 = graph.silu %0 : !lnh
    rule.yield %1 : [l + n + h]
  }
  target {
    %0 = graph.silu %x : !n
    %1 = graph.pad %0 low = [h] high = [l] constant value = 0.0 : (!n) -> !lnh
    rule.yield %1 : [l + n + h]
  }

// CHECK: refuted add_of_padded_differently
rule.rule @add_of_padded_differently(%x: [n], %y: [n]) -> [l + n + h]
  source {
    %0 = graph.pad %x low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    %1 = graph.pad %y low = [h] high = [l] constant value = 0.0 : (!n) -> !lnh
    %2 = graph.add %0, %1 : !lnh
    rule.yield %2 : [l + n + h]
  }
  target {
    %0 = graph.add %x, %y : !n
    %1 = graph.pad %0 low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    rule.yield %1 : [l + n + h]
  }

// CHECK: refuted sub_of_padded_differently
rule.rule @sub_of_padded_differently(%x: [n], %y: [n]) -> [l + n + h]
  source {
    %0 = graph.pad %x low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    %1 = graph.pad %y low = [h] high = [l] constant value = 0.0 : (!n) -> !lnh
    %2 = graph.sub %0, %1 : !lnh
    rule.yield %2 : [l + n + h]
  }
  target {
    %0 = graph.sub %x, %y : !n
    %1 = graph.pad %0 low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    rule.yield %1 : [l + n + h]
  }

// CHECK: refuted mul_of_padded_differently
rule.rule @mul_of_padded_differently(%x: [n], %y: [n]) -> [l + n + h]
  source {
    %0 = graph.pad %x low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    %1 = graph.pad %y low = [h] high = [l] constant value = 0.0 : (!n) -> !lnh
    %2 = graph.mul %0, %1 : !lnh
    rule.yield %2 : [l + n + h]
  }
  target {
    %0 = graph.mul %x, %y : !n
    %1 = graph.pad %0 low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    rule.yield %1 : [l + n + h]
  }

// CHECK: refuted maximum_of_padded_differently
rule.rule @maximum_of_padded_differently(%x: [n], %y: [n]) -> [l + n + h]
  source {
    %0 = graph.pad %x low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    %1 = graph.pad %y low = [h] high = [l] constant value = 0.0 : (!n) -> !lnh
    %2 = graph.maximum %0, %1 : !lnh
    rule.yield %2 : [l + n + h]
  }
  target {
    %0 = graph.maximum %x, %y : !n
    %1 = graph.pad %0 low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    rule.yield %1 : [l + n + h]
  }

// CHECK: refuted minimum_of_padded_differently
rule.rule @minimum_of_padded_differently(%x: [n], %y: [n]) -> [l + n + h]
  source {
    %0 = graph.pad %x low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    %1 = graph.pad %y low = [h] high = [l] constant value = 0.0 : (!n) -> !lnh
    %2 = graph.minimum %0, %1 : !lnh
    rule.yield %2 : [l + n + h]
  }
  target {
    %0 = graph.minimum %x, %y : !n
    %1 = graph.pad %0 low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    rule.yield %1 : [l + n + h]
  }

// CHECK: refuted mul_by_padded_from_start
rule.rule @mul_by_padded_from_start(%x: [n], %y: [l + n + h]) -> [l + n + h]
  source {
    %0 = graph.pad %x low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    %1 = graph.mul %0, %y : !lnh
    rule.yield %1 : [l + n + h]
  }
  target {
    %0 = graph.slice %y starts = [0] sizes = [n] steps = [1] : (!lnh) -> !n
    %1 = graph.mul %x, %0 : !n
    %2 = graph.pad %1 low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    rule.yield %2 : [l + n + h]
  }

// CHECK: refuted mul_by_padded_but_added
rule.rule @mul_by_padded_but_added(%x: [n], %y: [l + n + h]) -> [l + n + h]
  source {
    %0 = graph.pad %x low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    %1 = graph.add %0, %y : !lnh
    rule.yield %1 : [l + n + h]
  }
  target {
    %0 = graph.slice %y starts = [l] sizes = [n] steps = [1] : (!lnh) -> !n
    %1 = graph.add %x, %0 : !n
    %2 = graph.pad %1 low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    rule.yield %2 : [l + n + h]
  }

!m_lkh = tensor<?x?xf32, #graph.dims<m, l + k + h>>
!p_lkh = tensor<?x?xf32, #graph.dims<p, l + k + h>>
!mp_lkh = tensor<?x?xf32, #graph.dims<m + p, l + k + h>>
// CHECK: refuted concat_of_padded_differently
rule.rule @concat_of_padded_differently(%a: [m, k], %b: [p, k]) -> [m + p, l + k + h]
  source {
    %0 = graph.pad %a low = [0, l] high = [0, h] constant value = 0.0 : (!mk) -> !m_lkh
    %1 = graph.pad %b low = [0, h] high = [0, l] constant value = 0.0 : (!pk) -> !p_lkh
    %2 = graph.concat %0, %1 axis = 0 : (!m_lkh, !p_lkh) -> !mp_lkh
    rule.yield %2 : [m + p, l + k + h]
  }
  target {
    %0 = graph.concat %a, %b axis = 0 : (!mk, !pk) -> !mp_k
    %1 = graph.pad %0 low = [0, l] high = [0, h] constant value = 0.0 : (!mp_k) -> !mp_lkh
    rule.yield %1 : [m + p, l + k + h]
  }

// CHECK: refuted concat_with_zeros_before
rule.rule @concat_with_zeros_before(%x: [m, k]) -> [m + p, k]
  source {
    %z = graph.constant dense<0.0> : tensor<f32>
    %0 = graph.broadcast %z shape = [p, k] : (!scalar) -> !pk
    %1 = graph.concat %x, %0 axis = 0 : (!mk, !pk) -> !mp_k
    rule.yield %1 : [m + p, k]
  }
  target {
    %0 = graph.pad %x low = [p, 0] high = [0, 0] constant value = 0.0 : (!mk) -> !mp_k
    rule.yield %0 : [m + p, k]
  }

!pm_k = tensor<?x?xf32, #graph.dims<p + m, k>>
// CHECK: refuted concat_of_zeros_behind
rule.rule @concat_of_zeros_behind(%x: [m, k]) -> [p + m, k]
  source {
    %z = graph.constant dense<0.0> : tensor<f32>
    %0 = graph.broadcast %z shape = [p, k] : (!scalar) -> !pk
    %1 = graph.concat %0, %x axis = 0 : (!pk, !mk) -> !pm_k
    rule.yield %1 : [p + m, k]
  }
  target {
    %0 = graph.pad %x low = [0, 0] high = [p, 0] constant value = 0.0 : (!mk) -> !pm_k
    rule.yield %0 : [p + m, k]
  }

// CHECK: refuted sum_of_padded_for_max
rule.rule @sum_of_padded_for_max(%x: [m, k]) -> [m]
  source {
    %0 = graph.pad %x low = [0, l] high = [0, h] constant value = 0.0 : (!mk) -> !m_lkh
    %1 = graph.reduce_max %0 axes = [1] : (!m_lkh) -> !m
    rule.yield %1 : [m]
  }
  target {
    %0 = graph.reduce_max %x axes = [1] : (!mk) -> !m
    rule.yield %0 : [m]
  }
  where [k >= 1]

!lkh_n = tensor<?x?xf32, #graph.dims<l + k + h, n>>
// CHECK: refuted matmul_of_padded_differently
rule.rule @matmul_of_padded_differently(%a: [m, k], %b: [k, n]) -> [m, n]
  source {
    %0 = graph.pad %a low = [0, l] high = [0, h] constant value = 0.0 : (!mk) -> !m_lkh
    %1 = graph.pad %b low = [h, 0] high = [l, 0] constant value = 0.0 : (!kn) -> !lkh_n
    %2 = graph.matmul %0, %1 : (!m_lkh, !lkh_n) -> !mn
    rule.yield %2 : [m, n]
  }
  target {
    %0 = graph.matmul %a, %b : (!mk, !kn) -> !mn
    rule.yield %0 : [m, n]
  }

// CHECK: refuted matmul_by_padded_from_start
rule.rule @matmul_by_padded_from_start(%a: [m, k], %b: [l + k + h, n]) -> [m, n]
  source {
    %0 = graph.pad %a low = [0, l] high = [0, h] constant value = 0.0 : (!mk) -> !m_lkh
    %1 = graph.matmul %0, %b : (!m_lkh, !lkh_n) -> !mn
    rule.yield %1 : [m, n]
  }
  target {
    %0 = graph.slice %b starts = [0, 0] sizes = [k, n] steps = [1, 1] : (!lkh_n) -> !kn
    %1 = graph.matmul %a, %0 : (!mk, !kn) -> !mn
    rule.yield %1 : [m, n]
  }

!lmh_k = tensor<?x?xf32, #graph.dims<l + m + h, k>>
!lmh_n = tensor<?x?xf32, #graph.dims<l + m + h, n>>
// CHECK: refuted matmul_of_padded_rows_crosswise
rule.rule @matmul_of_padded_rows_crosswise(%a: [m, k], %b: [k, n]) -> [l + m + h, n]
  source {
    %0 = graph.pad %a low = [l, 0] high = [h, 0] constant value = 0.0 : (!mk) -> !lmh_k
    %1 = graph.matmul %0, %b : (!lmh_k, !kn) -> !lmh_n
    rule.yield %1 : [l + m + h, n]
  }
  target {
    %0 = graph.matmul %a, %b : (!mk, !kn) -> !mn
    %1 = graph.pad %0 low = [h, 0] high = [l, 0] constant value = 0.0 : (!mn) -> !lmh_n
    rule.yield %1 : [l + m + h, n]
  }

// The operand is read backwards.
// CHECK: refuted edge_pad_of_edge_pad_2_backwards
rule.rule @edge_pad_of_edge_pad_2_backwards(%x: [a, b]) -> [l0 + i0 + a + h0 + j0, l1 + i1 + b + h1 + j1]
  source {
    %0 = graph.pad %x low = [l0, l1] high = [h0, h1] edge value = 0.0 : (!ab) -> !l0ah0_l1bh1
    %1 = graph.pad %0 low = [i0, i1] high = [j0, j1] edge value = 0.0 : (!l0ah0_l1bh1) -> !l0i0ah0j0_l1i1bh1j1
    rule.yield %1 : [l0 + i0 + a + h0 + j0, l1 + i1 + b + h1 + j1]
  }
  target {
    %back = graph.reverse %x axes = [0] : tensor<?x?xf32, #graph.dims<a, b>>
    %0 = graph.pad %back low = [l0 + i0, l1 + i1] high = [h0 + j0, h1 + j1] edge value = 0.0 : (!ab) -> !l0i0ah0j0_l1i1bh1j1
    rule.yield %0 : [l0 + i0 + a + h0 + j0, l1 + i1 + b + h1 + j1]
  }

// The operand is read backwards.
// CHECK: refuted edge_pad_of_edge_pad_2_of_images_backwards
rule.rule @edge_pad_of_edge_pad_2_of_images_backwards(%x: [n, c, a, b]) -> [n, c, l0 + i0 + a + h0 + j0, l1 + i1 + b + h1 + j1]
  source {
    %0 = graph.pad %x low = [0, 0, l0, l1] high = [0, 0, h0, h1] edge value = 0.0 : (tensor<?x?x?x?xf32, #graph.dims<n, c, a, b>>) -> tensor<?x?x?x?xf32, #graph.dims<n, c, l0 + a + h0, l1 + b + h1>>
    %1 = graph.pad %0 low = [0, 0, i0, i1] high = [0, 0, j0, j1] edge value = 0.0 : (tensor<?x?x?x?xf32, #graph.dims<n, c, l0 + a + h0, l1 + b + h1>>) -> tensor<?x?x?x?xf32, #graph.dims<n, c, l0 + i0 + a + h0 + j0, l1 + i1 + b + h1 + j1>>
    rule.yield %1 : [n, c, l0 + i0 + a + h0 + j0, l1 + i1 + b + h1 + j1]
  }
  target {
    %back = graph.reverse %x axes = [0] : tensor<?x?x?x?xf32, #graph.dims<n, c, a, b>>
    %0 = graph.pad %back low = [0, 0, l0 + i0, l1 + i1] high = [0, 0, h0 + j0, h1 + j1] edge value = 0.0 : (tensor<?x?x?x?xf32, #graph.dims<n, c, a, b>>) -> tensor<?x?x?x?xf32, #graph.dims<n, c, l0 + i0 + a + h0 + j0, l1 + i1 + b + h1 + j1>>
    rule.yield %0 : [n, c, l0 + i0 + a + h0 + j0, l1 + i1 + b + h1 + j1]
  }

// The number is doubled.
// CHECK: refuted slice_of_repeated_number_doubled
rule.rule @slice_of_repeated_number_doubled(%x: []) -> [p, q]
  source {
    %0 = graph.broadcast %x shape = [m, n] : (tensor<f32>) -> tensor<?x?xf32, #graph.dims<m, n>>
    %1 = graph.slice %0 starts = [s, t] sizes = [p, q] steps = [1, 1] : (tensor<?x?xf32, #graph.dims<m, n>>) -> tensor<?x?xf32, #graph.dims<p, q>>
    rule.yield %1 : [p, q]
  }
  target {
    %d = graph.add %x, %x : tensor<f32>
    %0 = graph.broadcast %d shape = [p, q] : (tensor<f32>) -> tensor<?x?xf32, #graph.dims<p, q>>
    rule.yield %0 : [p, q]
  }

// CHECK: 0 proved, 89 refuted{{$}}
