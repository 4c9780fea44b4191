// Slices, concatenations, splits and paddings (entries 60, 61, 62 and 64).
//
// A slice moves towards the operands, so that no more is computed than is read;
// slices of slices, paddings of paddings and concatenations of concatenations
// become one. The axis that is joined stands first; leading axes make it any
// other. A slice may cut further axes at the same time.
//
// `tenon-rules prove rules/movement-slices.mlir` proves them for all sizes.

// 60. A slice of a concatenation: in the first part, in the second, or in both.

!m = tensor<?xf32, #graph.dims<m>>
!p = tensor<?xf32, #graph.dims<p>>
!mp = tensor<?xf32, #graph.dims<m + p>>
!s = tensor<?xf32, #graph.dims<s>>
rule.rule @slice_of_concat_in_first_1(%a: [m], %b: [p]) -> [s]
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!m, !p) -> !mp
    %1 = graph.slice %0 starts = [t] sizes = [s] steps = [1] : (!mp) -> !s
    rule.yield %1 : [s]
  }
  target {
    %0 = graph.slice %a starts = [t] sizes = [s] steps = [1] : (!m) -> !s
    rule.yield %0 : [s]
  }
  where [t + s <= m]

rule.rule @slice_of_concat_in_second_1(%a: [m], %b: [p]) -> [s]
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!m, !p) -> !mp
    %1 = graph.slice %0 starts = [t] sizes = [s] steps = [1] : (!mp) -> !s
    rule.yield %1 : [s]
  }
  target {
    %0 = graph.slice %b starts = [t - m] sizes = [s] steps = [1] : (!p) -> !s
    rule.yield %0 : [s]
  }
  where [t >= m]

!m_less_t = tensor<?xf32, #graph.dims<m - t>>
!ts_less_m = tensor<?xf32, #graph.dims<t + s - m>>
rule.rule @slice_of_concat_in_both_1(%a: [m], %b: [p]) -> [s]
  lifts [%a, %b]
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
  where [t <= m, t + s >= m]

!mk = tensor<?x?xf32, #graph.dims<m, k>>
!pk = tensor<?x?xf32, #graph.dims<p, k>>
!mp_k = tensor<?x?xf32, #graph.dims<m + p, k>>
!sd = tensor<?x?xf32, #graph.dims<s, d>>
rule.rule @slice_of_concat_in_first_2(%a: [m, k], %b: [p, k]) -> [s, d]
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mk, !pk) -> !mp_k
    %1 = graph.slice %0 starts = [t, u] sizes = [s, d] steps = [1, 1] : (!mp_k) -> !sd
    rule.yield %1 : [s, d]
  }
  target {
    %0 = graph.slice %a starts = [t, u] sizes = [s, d] steps = [1, 1] : (!mk) -> !sd
    rule.yield %0 : [s, d]
  }
  where [t + s <= m]

rule.rule @slice_of_concat_in_second_2(%a: [m, k], %b: [p, k]) -> [s, d]
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mk, !pk) -> !mp_k
    %1 = graph.slice %0 starts = [t, u] sizes = [s, d] steps = [1, 1] : (!mp_k) -> !sd
    rule.yield %1 : [s, d]
  }
  target {
    %0 = graph.slice %b starts = [t - m, u] sizes = [s, d] steps = [1, 1] : (!pk) -> !sd
    rule.yield %0 : [s, d]
  }
  where [t >= m]

!m_less_t_d = tensor<?x?xf32, #graph.dims<m - t, d>>
!ts_less_m_d = tensor<?x?xf32, #graph.dims<t + s - m, d>>
rule.rule @slice_of_concat_in_both_2(%a: [m, k], %b: [p, k]) -> [s, d]
  lifts [%a, %b]
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
  where [t <= m, t + s >= m]

!mkl = tensor<?x?x?xf32, #graph.dims<m, k, l>>
!pkl = tensor<?x?x?xf32, #graph.dims<p, k, l>>
!mp_k_l = tensor<?x?x?xf32, #graph.dims<m + p, k, l>>
!sde = tensor<?x?x?xf32, #graph.dims<s, d, e>>
rule.rule @slice_of_concat_in_first_3(%a: [m, k, l], %b: [p, k, l]) -> [s, d, e]
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mkl, !pkl) -> !mp_k_l
    %1 = graph.slice %0 starts = [t, u, v] sizes = [s, d, e] steps = [1, 1, 1] : (!mp_k_l) -> !sde
    rule.yield %1 : [s, d, e]
  }
  target {
    %0 = graph.slice %a starts = [t, u, v] sizes = [s, d, e] steps = [1, 1, 1] : (!mkl) -> !sde
    rule.yield %0 : [s, d, e]
  }
  where [t + s <= m]

rule.rule @slice_of_concat_in_second_3(%a: [m, k, l], %b: [p, k, l]) -> [s, d, e]
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mkl, !pkl) -> !mp_k_l
    %1 = graph.slice %0 starts = [t, u, v] sizes = [s, d, e] steps = [1, 1, 1] : (!mp_k_l) -> !sde
    rule.yield %1 : [s, d, e]
  }
  target {
    %0 = graph.slice %b starts = [t - m, u, v] sizes = [s, d, e] steps = [1, 1, 1] : (!pkl) -> !sde
    rule.yield %0 : [s, d, e]
  }
  where [t >= m]

!m_less_t_d_e = tensor<?x?x?xf32, #graph.dims<m - t, d, e>>
!ts_less_m_d_e = tensor<?x?x?xf32, #graph.dims<t + s - m, d, e>>
rule.rule @slice_of_concat_in_both_3(%a: [m, k, l], %b: [p, k, l]) -> [s, d, e]
  lifts [%a, %b]
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
  where [t <= m, t + s >= m]

// With a step.
rule.rule @strided_slice_of_concat_in_first(%a: [m], %b: [p]) -> [s]
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!m, !p) -> !mp
    %1 = graph.slice %0 starts = [t] sizes = [s] steps = [v] : (!mp) -> !s
    rule.yield %1 : [s]
  }
  target {
    %0 = graph.slice %a starts = [t] sizes = [s] steps = [v] : (!m) -> !s
    rule.yield %0 : [s]
  }
  where [t + v * s - v + 1 <= m]

rule.rule @strided_slice_of_concat_in_second(%a: [m], %b: [p]) -> [s]
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!m, !p) -> !mp
    %1 = graph.slice %0 starts = [t] sizes = [s] steps = [v] : (!mp) -> !s
    rule.yield %1 : [s]
  }
  target {
    %0 = graph.slice %b starts = [t - m] sizes = [s] steps = [v] : (!p) -> !s
    rule.yield %0 : [s]
  }
  where [t >= m]

!mp_d = tensor<?x?xf32, #graph.dims<m + p, d>>
!md = tensor<?x?xf32, #graph.dims<m, d>>
!pd = tensor<?x?xf32, #graph.dims<p, d>>
// A concatenation along one axis, cut along another.
rule.rule @slice_across_concat(%a: [m, k], %b: [p, k]) -> [m + p, d]
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mk, !pk) -> !mp_k
    %1 = graph.slice %0 starts = [0, u] sizes = [m + p, d] steps = [1, 1] : (!mp_k) -> !mp_d
    rule.yield %1 : [m + p, d]
  }
  target {
    %0 = graph.slice %a starts = [0, u] sizes = [m, d] steps = [1, 1] : (!mk) -> !md
    %1 = graph.slice %b starts = [0, u] sizes = [p, d] steps = [1, 1] : (!pk) -> !pd
    %2 = graph.concat %0, %1 axis = 0 : (!md, !pd) -> !mp_d
    rule.yield %2 : [m + p, d]
  }

// 60 and 64. Concatenations and splits undo each other.

rule.rule @split_of_concat_1(%a: [m], %b: [p]) -> ([m], [p])
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!m, !p) -> !mp
    %1, %2 = graph.split %0 axis = 0 sizes = [m, p] : (!mp) -> (!m, !p)
    rule.yield %1, %2 : [m], [p]
  }
  target {
    rule.yield %a, %b : [m], [p]
  }

rule.rule @concat_of_split_1(%x: [m + p]) -> [m + p]
  lifts [%x]
  source {
    %0, %1 = graph.split %x axis = 0 sizes = [m, p] : (!mp) -> (!m, !p)
    %2 = graph.concat %0, %1 axis = 0 : (!m, !p) -> !mp
    rule.yield %2 : [m + p]
  }
  target {
    rule.yield %x : [m + p]
  }

rule.rule @split_of_concat_2(%a: [m, k], %b: [p, k]) -> ([m, k], [p, k])
  lifts [%a, %b]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mk, !pk) -> !mp_k
    %1, %2 = graph.split %0 axis = 0 sizes = [m, p] : (!mp_k) -> (!mk, !pk)
    rule.yield %1, %2 : [m, k], [p, k]
  }
  target {
    rule.yield %a, %b : [m, k], [p, k]
  }

rule.rule @concat_of_split_2(%x: [m + p, k]) -> [m + p, k]
  lifts [%x]
  source {
    %0, %1 = graph.split %x axis = 0 sizes = [m, p] : (!mp_k) -> (!mk, !pk)
    %2 = graph.concat %0, %1 axis = 0 : (!mk, !pk) -> !mp_k
    rule.yield %2 : [m + p, k]
  }
  target {
    rule.yield %x : [m + p, k]
  }

!pqr = tensor<?xf32, #graph.dims<p + q + r>>
!pq = tensor<?xf32, #graph.dims<p + q>>
!r = tensor<?xf32, #graph.dims<r>>
!q = tensor<?xf32, #graph.dims<q>>
// One of the parts is cut again.
rule.rule @split_of_split(%x: [p + q + r]) -> ([p], [q], [r])
  lifts [%x]
  source {
    %0, %1 = graph.split %x axis = 0 sizes = [p + q, r] : (!pqr) -> (!pq, !r)
    %2, %3 = graph.split %0 axis = 0 sizes = [p, q] : (!pq) -> (!p, !q)
    rule.yield %2, %3, %1 : [p], [q], [r]
  }
  target {
    %0, %1, %2 = graph.split %x axis = 0 sizes = [p, q, r] : (!pqr) -> (!p, !q, !r)
    rule.yield %0, %1, %2 : [p], [q], [r]
  }

!mpq = tensor<?xf32, #graph.dims<m + p + q>>
// A concatenation in a concatenation.
rule.rule @concat_of_concat_first(%a: [m], %b: [p], %c: [q]) -> [m + p + q]
  lifts [%a, %b, %c]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!m, !p) -> !mp
    %1 = graph.concat %0, %c axis = 0 : (!mp, !q) -> !mpq
    rule.yield %1 : [m + p + q]
  }
  target {
    %0 = graph.concat %a, %b, %c axis = 0 : (!m, !p, !q) -> !mpq
    rule.yield %0 : [m + p + q]
  }

rule.rule @concat_of_concat_second(%a: [m], %b: [p], %c: [q]) -> [m + p + q]
  lifts [%a, %b, %c]
  source {
    %0 = graph.concat %b, %c axis = 0 : (!p, !q) -> !pq
    %1 = graph.concat %a, %0 axis = 0 : (!m, !pq) -> !mpq
    rule.yield %1 : [m + p + q]
  }
  target {
    %0 = graph.concat %a, %b, %c axis = 0 : (!m, !p, !q) -> !mpq
    rule.yield %0 : [m + p + q]
  }

!qk = tensor<?x?xf32, #graph.dims<q, k>>
!mpq_k = tensor<?x?xf32, #graph.dims<m + p + q, k>>
// The same on an axis with 1 behind it.
rule.rule @concat_of_concat_first_2(%a: [m, k], %b: [p, k], %c: [q, k]) -> [m + p + q, k]
  lifts [%a, %b, %c]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mk, !pk) -> !mp_k
    %1 = graph.concat %0, %c axis = 0 : (!mp_k, !qk) -> !mpq_k
    rule.yield %1 : [m + p + q, k]
  }
  target {
    %0 = graph.concat %a, %b, %c axis = 0 : (!mk, !pk, !qk) -> !mpq_k
    rule.yield %0 : [m + p + q, k]
  }

!pq_k = tensor<?x?xf32, #graph.dims<p + q, k>>
rule.rule @concat_of_concat_second_2(%a: [m, k], %b: [p, k], %c: [q, k]) -> [m + p + q, k]
  lifts [%a, %b, %c]
  source {
    %0 = graph.concat %b, %c axis = 0 : (!pk, !qk) -> !pq_k
    %1 = graph.concat %a, %0 axis = 0 : (!mk, !pq_k) -> !mpq_k
    rule.yield %1 : [m + p + q, k]
  }
  target {
    %0 = graph.concat %a, %b, %c axis = 0 : (!mk, !pk, !qk) -> !mpq_k
    rule.yield %0 : [m + p + q, k]
  }

!qkl = tensor<?x?x?xf32, #graph.dims<q, k, l>>
!mpq_k_l = tensor<?x?x?xf32, #graph.dims<m + p + q, k, l>>
// The same on an axis with 2 behind it.
rule.rule @concat_of_concat_first_3(%a: [m, k, l], %b: [p, k, l], %c: [q, k, l]) -> [m + p + q, k, l]
  lifts [%a, %b, %c]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mkl, !pkl) -> !mp_k_l
    %1 = graph.concat %0, %c axis = 0 : (!mp_k_l, !qkl) -> !mpq_k_l
    rule.yield %1 : [m + p + q, k, l]
  }
  target {
    %0 = graph.concat %a, %b, %c axis = 0 : (!mkl, !pkl, !qkl) -> !mpq_k_l
    rule.yield %0 : [m + p + q, k, l]
  }

!pq_k_l = tensor<?x?x?xf32, #graph.dims<p + q, k, l>>
rule.rule @concat_of_concat_second_3(%a: [m, k, l], %b: [p, k, l], %c: [q, k, l]) -> [m + p + q, k, l]
  lifts [%a, %b, %c]
  source {
    %0 = graph.concat %b, %c axis = 0 : (!pkl, !qkl) -> !pq_k_l
    %1 = graph.concat %a, %0 axis = 0 : (!mkl, !pq_k_l) -> !mpq_k_l
    rule.yield %1 : [m + p + q, k, l]
  }
  target {
    %0 = graph.concat %a, %b, %c axis = 0 : (!mkl, !pkl, !qkl) -> !mpq_k_l
    rule.yield %0 : [m + p + q, k, l]
  }

// 61. A slice of a slice: starts add, steps multiply.

!n = tensor<?xf32, #graph.dims<n>>
rule.rule @slice_of_all(%x: [n]) -> [n]
  lifts [%x]
  source {
    %0 = graph.slice %x starts = [0] sizes = [n] steps = [1] : (!n) -> !n
    rule.yield %0 : [n]
  }
  target {
    rule.yield %x : [n]
  }

!a = tensor<?xf32, #graph.dims<a>>
!p0 = tensor<?xf32, #graph.dims<p0>>
!q0 = tensor<?xf32, #graph.dims<q0>>
rule.rule @slice_of_slice_1(%x: [a]) -> [q0]
  lifts [%x]
  source {
    %0 = graph.slice %x starts = [s0] sizes = [p0] steps = [1] : (!a) -> !p0
    %1 = graph.slice %0 starts = [t0] sizes = [q0] steps = [1] : (!p0) -> !q0
    rule.yield %1 : [q0]
  }
  target {
    %0 = graph.slice %x starts = [s0 + t0] sizes = [q0] steps = [1] : (!a) -> !q0
    rule.yield %0 : [q0]
  }

!ab = tensor<?x?xf32, #graph.dims<a, b>>
!p0_p1 = tensor<?x?xf32, #graph.dims<p0, p1>>
!q0_q1 = tensor<?x?xf32, #graph.dims<q0, q1>>
rule.rule @slice_of_slice_2(%x: [a, b]) -> [q0, q1]
  lifts [%x]
  source {
    %0 = graph.slice %x starts = [s0, s1] sizes = [p0, p1] steps = [1, 1] : (!ab) -> !p0_p1
    %1 = graph.slice %0 starts = [t0, t1] sizes = [q0, q1] steps = [1, 1] : (!p0_p1) -> !q0_q1
    rule.yield %1 : [q0, q1]
  }
  target {
    %0 = graph.slice %x starts = [s0 + t0, s1 + t1] sizes = [q0, q1] steps = [1, 1] : (!ab) -> !q0_q1
    rule.yield %0 : [q0, q1]
  }

// With steps.
rule.rule @strided_slice_of_slice_1(%x: [a]) -> [q0]
  lifts [%x]
  source {
    %0 = graph.slice %x starts = [s0] sizes = [p0] steps = [u0] : (!a) -> !p0
    %1 = graph.slice %0 starts = [t0] sizes = [q0] steps = [v0] : (!p0) -> !q0
    rule.yield %1 : [q0]
  }
  target {
    %0 = graph.slice %x starts = [s0 + u0 * t0] sizes = [q0] steps = [u0 * v0] : (!a) -> !q0
    rule.yield %0 : [q0]
  }

// Reversing twice.
rule.rule @reverse_of_reverse(%x: [n]) -> [n]
  lifts [%x]
  source {
    %0 = graph.reverse %x axes = [0] : !n
    %1 = graph.reverse %0 axes = [0] : !n
    rule.yield %1 : [n]
  }
  target {
    rule.yield %x : [n]
  }

// 64. Slices that lie side by side are one, and all of a tensor is the tensor.

rule.rule @concat_of_slices_1(%x: [m]) -> [p + q]
  lifts [%x]
  source {
    %0 = graph.slice %x starts = [s] sizes = [p] steps = [1] : (!m) -> !p
    %1 = graph.slice %x starts = [s + p] sizes = [q] steps = [1] : (!m) -> !q
    %2 = graph.concat %0, %1 axis = 0 : (!p, !q) -> !pq
    rule.yield %2 : [p + q]
  }
  target {
    %0 = graph.slice %x starts = [s] sizes = [p + q] steps = [1] : (!m) -> !pq
    rule.yield %0 : [p + q]
  }

!qd = tensor<?x?xf32, #graph.dims<q, d>>
!pq_d = tensor<?x?xf32, #graph.dims<p + q, d>>
rule.rule @concat_of_slices_2(%x: [m, k]) -> [p + q, d]
  lifts [%x]
  source {
    %0 = graph.slice %x starts = [s, u] sizes = [p, d] steps = [1, 1] : (!mk) -> !pd
    %1 = graph.slice %x starts = [s + p, u] sizes = [q, d] steps = [1, 1] : (!mk) -> !qd
    %2 = graph.concat %0, %1 axis = 0 : (!pd, !qd) -> !pq_d
    rule.yield %2 : [p + q, d]
  }
  target {
    %0 = graph.slice %x starts = [s, u] sizes = [p + q, d] steps = [1, 1] : (!mk) -> !pq_d
    rule.yield %0 : [p + q, d]
  }

!pde = tensor<?x?x?xf32, #graph.dims<p, d, e>>
!qde = tensor<?x?x?xf32, #graph.dims<q, d, e>>
!pq_d_e = tensor<?x?x?xf32, #graph.dims<p + q, d, e>>
rule.rule @concat_of_slices_3(%x: [m, k, l]) -> [p + q, d, e]
  lifts [%x]
  source {
    %0 = graph.slice %x starts = [s, u, v] sizes = [p, d, e] steps = [1, 1, 1] : (!mkl) -> !pde
    %1 = graph.slice %x starts = [s + p, u, v] sizes = [q, d, e] steps = [1, 1, 1] : (!mkl) -> !qde
    %2 = graph.concat %0, %1 axis = 0 : (!pde, !qde) -> !pq_d_e
    rule.yield %2 : [p + q, d, e]
  }
  target {
    %0 = graph.slice %x starts = [s, u, v] sizes = [p + q, d, e] steps = [1, 1, 1] : (!mkl) -> !pq_d_e
    rule.yield %0 : [p + q, d, e]
  }

// Slices of products and sums.

!kn = tensor<?x?xf32, #graph.dims<k, n>>
!mn = tensor<?x?xf32, #graph.dims<m, n>>
!pn = tensor<?x?xf32, #graph.dims<p, n>>
// The rows of a batch with one weight, such as those of the last token.
rule.rule @slice_of_rows_of_matmul(%a: [m, k], %b: [k, n]) -> [p, n]
  lifts [%a]
  source {
    %0 = graph.matmul %a, %b : (!mk, !kn) -> !mn
    %1 = graph.slice %0 starts = [s, 0] sizes = [p, n] steps = [1, 1] : (!mn) -> !pn
    rule.yield %1 : [p, n]
  }
  target {
    %0 = graph.slice %a starts = [s, 0] sizes = [p, k] steps = [1, 1] : (!mk) -> !pk
    %1 = graph.matmul %0, %b : (!pk, !kn) -> !pn
    rule.yield %1 : [p, n]
  }

!pq_v2 = tensor<?x?xf32, #graph.dims<p, q>>
!kq = tensor<?x?xf32, #graph.dims<k, q>>
rule.rule @slice_of_matmul(%a: [m, k], %b: [k, n]) -> [p, q]
  lifts [%a, %b]
  source {
    %0 = graph.matmul %a, %b : (!mk, !kn) -> !mn
    %1 = graph.slice %0 starts = [s, t] sizes = [p, q] steps = [1, 1] : (!mn) -> !pq_v2
    rule.yield %1 : [p, q]
  }
  target {
    %0 = graph.slice %a starts = [s, 0] sizes = [p, k] steps = [1, 1] : (!mk) -> !pk
    %1 = graph.slice %b starts = [0, t] sizes = [k, q] steps = [1, 1] : (!kn) -> !kq
    %2 = graph.matmul %0, %1 : (!pk, !kq) -> !pq_v2
    rule.yield %2 : [p, q]
  }

rule.rule @slice_of_sum(%x: [m, k]) -> [p]
  lifts [%x]
  source {
    %0 = graph.reduce_sum %x axes = [1] : (!mk) -> !m
    %1 = graph.slice %0 starts = [s] sizes = [p] steps = [1] : (!m) -> !p
    rule.yield %1 : [p]
  }
  target {
    %0 = graph.slice %x starts = [s, 0] sizes = [p, k] steps = [1, 1] : (!mk) -> !pk
    %1 = graph.reduce_sum %0 axes = [1] : (!pk) -> !p
    rule.yield %1 : [p]
  }

rule.rule @slice_of_max(%x: [m, k]) -> [p]
  lifts [%x]
  source {
    %0 = graph.reduce_max %x axes = [1] : (!mk) -> !m
    %1 = graph.slice %0 starts = [s] sizes = [p] steps = [1] : (!m) -> !p
    rule.yield %1 : [p]
  }
  target {
    %0 = graph.slice %x starts = [s, 0] sizes = [p, k] steps = [1, 1] : (!mk) -> !pk
    %1 = graph.reduce_max %0 axes = [1] : (!pk) -> !p
    rule.yield %1 : [p]
  }

rule.rule @slice_of_mean(%x: [m, k]) -> [p]
  lifts [%x]
  source {
    %0 = graph.reduce_mean %x axes = [1] : (!mk) -> !m
    %1 = graph.slice %0 starts = [s] sizes = [p] steps = [1] : (!m) -> !p
    rule.yield %1 : [p]
  }
  target {
    %0 = graph.slice %x starts = [s, 0] sizes = [p, k] steps = [1, 1] : (!mk) -> !pk
    %1 = graph.reduce_mean %0 axes = [1] : (!pk) -> !p
    rule.yield %1 : [p]
  }

// Slices of what is repeated.

!scalar = tensor<f32>
rule.rule @slice_of_repeated_number(%x: []) -> [p, q]
  source {
    %0 = graph.broadcast %x shape = [m, n] : (!scalar) -> !mn
    %1 = graph.slice %0 starts = [s, t] sizes = [p, q] steps = [1, 1] : (!mn) -> !pq_v2
    rule.yield %1 : [p, q]
  }
  target {
    %0 = graph.broadcast %x shape = [p, q] : (!scalar) -> !pq_v2
    rule.yield %0 : [p, q]
  }

rule.rule @slice_of_repeated_row(%x: [n]) -> [p, q]
  source {
    %0 = graph.broadcast %x shape = [m, n] : (!n) -> !mn
    %1 = graph.slice %0 starts = [s, t] sizes = [p, q] steps = [1, 1] : (!mn) -> !pq_v2
    rule.yield %1 : [p, q]
  }
  target {
    %0 = graph.slice %x starts = [t] sizes = [q] steps = [1] : (!n) -> !q
    %1 = graph.broadcast %0 shape = [p, q] : (!q) -> !pq_v2
    rule.yield %1 : [p, q]
  }

!m1 = tensor<?x1xf32, #graph.dims<m, 1>>
!p1 = tensor<?x1xf32, #graph.dims<p, 1>>
rule.rule @slice_of_repeated_column(%x: [m, 1]) -> [p, q]
  source {
    %0 = graph.broadcast %x shape = [m, n] : (!m1) -> !mn
    %1 = graph.slice %0 starts = [s, t] sizes = [p, q] steps = [1, 1] : (!mn) -> !pq_v2
    rule.yield %1 : [p, q]
  }
  target {
    %0 = graph.slice %x starts = [s, 0] sizes = [p, 1] steps = [1, 1] : (!m1) -> !p1
    %1 = graph.broadcast %0 shape = [p, q] : (!p1) -> !pq_v2
    rule.yield %1 : [p, q]
  }

// 62. Paddings.

rule.rule @pad_by_nothing(%x: [n]) -> [n]
  lifts [%x]
  source {
    %0 = graph.pad %x low = [0] high = [0] constant value = 0.0 : (!n) -> !n
    rule.yield %0 : [n]
  }
  target {
    rule.yield %x : [n]
  }

!l0ah0 = tensor<?xf32, #graph.dims<l0 + a + h0>>
!l0i0ah0j0 = tensor<?xf32, #graph.dims<l0 + i0 + a + h0 + j0>>
rule.rule @pad_of_pad_1(%x: [a]) -> [l0 + i0 + a + h0 + j0]
  lifts [%x]
  source {
    %0 = graph.pad %x low = [l0] high = [h0] constant value = 0.0 : (!a) -> !l0ah0
    %1 = graph.pad %0 low = [i0] high = [j0] constant value = 0.0 : (!l0ah0) -> !l0i0ah0j0
    rule.yield %1 : [l0 + i0 + a + h0 + j0]
  }
  target {
    %0 = graph.pad %x low = [l0 + i0] high = [h0 + j0] constant value = 0.0 : (!a) -> !l0i0ah0j0
    rule.yield %0 : [l0 + i0 + a + h0 + j0]
  }

!l0ah0_l1bh1 = tensor<?x?xf32, #graph.dims<l0 + a + h0, l1 + b + h1>>
!l0i0ah0j0_l1i1bh1j1 = tensor<?x?xf32, #graph.dims<l0 + i0 + a + h0 + j0, l1 + i1 + b + h1 + j1>>
rule.rule @pad_of_pad_2(%x: [a, b]) -> [l0 + i0 + a + h0 + j0, l1 + i1 + b + h1 + j1]
  lifts [%x]
  source {
    %0 = graph.pad %x low = [l0, l1] high = [h0, h1] constant value = 0.0 : (!ab) -> !l0ah0_l1bh1
    %1 = graph.pad %0 low = [i0, i1] high = [j0, j1] constant value = 0.0 : (!l0ah0_l1bh1) -> !l0i0ah0j0_l1i1bh1j1
    rule.yield %1 : [l0 + i0 + a + h0 + j0, l1 + i1 + b + h1 + j1]
  }
  target {
    %0 = graph.pad %x low = [l0 + i0, l1 + i1] high = [h0 + j0, h1 + j1] constant value = 0.0 : (!ab) -> !l0i0ah0j0_l1i1bh1j1
    rule.yield %0 : [l0 + i0 + a + h0 + j0, l1 + i1 + b + h1 + j1]
  }

!abc = tensor<?x?x?xf32, #graph.dims<a, b, c>>
!l0ah0_l1bh1_l2ch2 = tensor<?x?x?xf32, #graph.dims<l0 + a + h0, l1 + b + h1, l2 + c + h2>>
!l0i0ah0j0_l1i1bh1j1_l2i2ch2j2 = tensor<?x?x?xf32, #graph.dims<l0 + i0 + a + h0 + j0, l1 + i1 + b + h1 + j1, l2 + i2 + c + h2 + j2>>
rule.rule @pad_of_pad_3(%x: [a, b, c]) -> [l0 + i0 + a + h0 + j0, l1 + i1 + b + h1 + j1, l2 + i2 + c + h2 + j2]
  lifts [%x]
  source {
    %0 = graph.pad %x low = [l0, l1, l2] high = [h0, h1, h2] constant value = 0.0 : (!abc) -> !l0ah0_l1bh1_l2ch2
    %1 = graph.pad %0 low = [i0, i1, i2] high = [j0, j1, j2] constant value = 0.0 : (!l0ah0_l1bh1_l2ch2) -> !l0i0ah0j0_l1i1bh1j1_l2i2ch2j2
    rule.yield %1 : [l0 + i0 + a + h0 + j0, l1 + i1 + b + h1 + j1, l2 + i2 + c + h2 + j2]
  }
  target {
    %0 = graph.pad %x low = [l0 + i0, l1 + i1, l2 + i2] high = [h0 + j0, h1 + j1, h2 + j2] constant value = 0.0 : (!abc) -> !l0i0ah0j0_l1i1bh1j1_l2i2ch2j2
    rule.yield %0 : [l0 + i0 + a + h0 + j0, l1 + i1 + b + h1 + j1, l2 + i2 + c + h2 + j2]
  }

// Paddings that repeat the edge.
rule.rule @edge_pad_of_edge_pad_1(%x: [a]) -> [l0 + i0 + a + h0 + j0]
  source {
    %0 = graph.pad %x low = [l0] high = [h0] edge value = 0.0 : (!a) -> !l0ah0
    %1 = graph.pad %0 low = [i0] high = [j0] edge value = 0.0 : (!l0ah0) -> !l0i0ah0j0
    rule.yield %1 : [l0 + i0 + a + h0 + j0]
  }
  target {
    %0 = graph.pad %x low = [l0 + i0] high = [h0 + j0] edge value = 0.0 : (!a) -> !l0i0ah0j0
    rule.yield %0 : [l0 + i0 + a + h0 + j0]
  }

rule.rule @edge_pad_of_edge_pad_2(%x: [a, b]) -> [l0 + i0 + a + h0 + j0, l1 + i1 + b + h1 + j1]
  source {
    %0 = graph.pad %x low = [l0, l1] high = [h0, h1] edge value = 0.0 : (!ab) -> !l0ah0_l1bh1
    %1 = graph.pad %0 low = [i0, i1] high = [j0, j1] edge value = 0.0 : (!l0ah0_l1bh1) -> !l0i0ah0j0_l1i1bh1j1
    rule.yield %1 : [l0 + i0 + a + h0 + j0, l1 + i1 + b + h1 + j1]
  }
  target {
    %0 = graph.pad %x low = [l0 + i0, l1 + i1] high = [h0 + j0, h1 + j1] edge value = 0.0 : (!ab) -> !l0i0ah0j0_l1i1bh1j1
    rule.yield %0 : [l0 + i0 + a + h0 + j0, l1 + i1 + b + h1 + j1]
  }

!ncab = tensor<?x?x?x?xf32, #graph.dims<n, c, a, b>>
!n_c_l0ah0_l1bh1 = tensor<?x?x?x?xf32, #graph.dims<n, c, l0 + a + h0, l1 + b + h1>>
!n_c_l0i0ah0j0_l1i1bh1j1 = tensor<?x?x?x?xf32, #graph.dims<n, c, l0 + i0 + a + h0 + j0, l1 + i1 + b + h1 + j1>>
// Those of images.
rule.rule @edge_pad_of_edge_pad_2_of_images(%x: [n, c, a, b]) -> [n, c, l0 + i0 + a + h0 + j0, l1 + i1 + b + h1 + j1]
  source {
    %0 = graph.pad %x low = [0, 0, l0, l1] high = [0, 0, h0, h1] edge value = 0.0 : (!ncab) -> !n_c_l0ah0_l1bh1
    %1 = graph.pad %0 low = [0, 0, i0, i1] high = [0, 0, j0, j1] edge value = 0.0 : (!n_c_l0ah0_l1bh1) -> !n_c_l0i0ah0j0_l1i1bh1j1
    rule.yield %1 : [n, c, l0 + i0 + a + h0 + j0, l1 + i1 + b + h1 + j1]
  }
  target {
    %0 = graph.pad %x low = [0, 0, l0 + i0, l1 + i1] high = [0, 0, h0 + j0, h1 + j1] edge value = 0.0 : (!ncab) -> !n_c_l0i0ah0j0_l1i1bh1j1
    rule.yield %0 : [n, c, l0 + i0 + a + h0 + j0, l1 + i1 + b + h1 + j1]
  }

// 62. A slice of a padded tensor: of the tensor alone, of all of it with less
// padding, or of a part with padding on one side.

rule.rule @slice_inside_pad_1(%x: [a]) -> [p0]
  lifts [%x]
  source {
    %0 = graph.pad %x low = [l0] high = [h0] constant value = 0.0 : (!a) -> !l0ah0
    %1 = graph.slice %0 starts = [s0] sizes = [p0] steps = [1] : (!l0ah0) -> !p0
    rule.yield %1 : [p0]
  }
  target {
    %0 = graph.slice %x starts = [s0 - l0] sizes = [p0] steps = [1] : (!a) -> !p0
    rule.yield %0 : [p0]
  }
  where [s0 >= l0, s0 + p0 <= l0 + a]

rule.rule @slice_around_padded_1(%x: [a]) -> [p0]
  lifts [%x]
  source {
    %0 = graph.pad %x low = [l0] high = [h0] constant value = 0.0 : (!a) -> !l0ah0
    %1 = graph.slice %0 starts = [s0] sizes = [p0] steps = [1] : (!l0ah0) -> !p0
    rule.yield %1 : [p0]
  }
  target {
    %0 = graph.pad %x low = [l0 - s0] high = [s0 + p0 - l0 - a] constant value = 0.0 : (!a) -> !p0
    rule.yield %0 : [p0]
  }
  where [s0 <= l0, s0 + p0 >= l0 + a]

rule.rule @slice_inside_pad_2(%x: [a, b]) -> [p0, p1]
  lifts [%x]
  source {
    %0 = graph.pad %x low = [l0, l1] high = [h0, h1] constant value = 0.0 : (!ab) -> !l0ah0_l1bh1
    %1 = graph.slice %0 starts = [s0, s1] sizes = [p0, p1] steps = [1, 1] : (!l0ah0_l1bh1) -> !p0_p1
    rule.yield %1 : [p0, p1]
  }
  target {
    %0 = graph.slice %x starts = [s0 - l0, s1 - l1] sizes = [p0, p1] steps = [1, 1] : (!ab) -> !p0_p1
    rule.yield %0 : [p0, p1]
  }
  where [s0 >= l0, s0 + p0 <= l0 + a, s1 >= l1, s1 + p1 <= l1 + b]

rule.rule @slice_around_padded_2(%x: [a, b]) -> [p0, p1]
  lifts [%x]
  source {
    %0 = graph.pad %x low = [l0, l1] high = [h0, h1] constant value = 0.0 : (!ab) -> !l0ah0_l1bh1
    %1 = graph.slice %0 starts = [s0, s1] sizes = [p0, p1] steps = [1, 1] : (!l0ah0_l1bh1) -> !p0_p1
    rule.yield %1 : [p0, p1]
  }
  target {
    %0 = graph.pad %x low = [l0 - s0, l1 - s1] high = [s0 + p0 - l0 - a, s1 + p1 - l1 - b] constant value = 0.0 : (!ab) -> !p0_p1
    rule.yield %0 : [p0, p1]
  }
  where [s0 <= l0, s0 + p0 >= l0 + a, s1 <= l1, s1 + p1 >= l1 + b]

!p0_p1_p2 = tensor<?x?x?xf32, #graph.dims<p0, p1, p2>>
rule.rule @slice_inside_pad_3(%x: [a, b, c]) -> [p0, p1, p2]
  lifts [%x]
  source {
    %0 = graph.pad %x low = [l0, l1, l2] high = [h0, h1, h2] constant value = 0.0 : (!abc) -> !l0ah0_l1bh1_l2ch2
    %1 = graph.slice %0 starts = [s0, s1, s2] sizes = [p0, p1, p2] steps = [1, 1, 1] : (!l0ah0_l1bh1_l2ch2) -> !p0_p1_p2
    rule.yield %1 : [p0, p1, p2]
  }
  target {
    %0 = graph.slice %x starts = [s0 - l0, s1 - l1, s2 - l2] sizes = [p0, p1, p2] steps = [1, 1, 1] : (!abc) -> !p0_p1_p2
    rule.yield %0 : [p0, p1, p2]
  }
  where [s0 >= l0, s0 + p0 <= l0 + a, s1 >= l1, s1 + p1 <= l1 + b, s2 >= l2, s2 + p2 <= l2 + c]

rule.rule @slice_around_padded_3(%x: [a, b, c]) -> [p0, p1, p2]
  lifts [%x]
  source {
    %0 = graph.pad %x low = [l0, l1, l2] high = [h0, h1, h2] constant value = 0.0 : (!abc) -> !l0ah0_l1bh1_l2ch2
    %1 = graph.slice %0 starts = [s0, s1, s2] sizes = [p0, p1, p2] steps = [1, 1, 1] : (!l0ah0_l1bh1_l2ch2) -> !p0_p1_p2
    rule.yield %1 : [p0, p1, p2]
  }
  target {
    %0 = graph.pad %x low = [l0 - s0, l1 - s1, l2 - s2] high = [s0 + p0 - l0 - a, s1 + p1 - l1 - b, s2 + p2 - l2 - c] constant value = 0.0 : (!abc) -> !p0_p1_p2
    rule.yield %0 : [p0, p1, p2]
  }
  where [s0 <= l0, s0 + p0 >= l0 + a, s1 <= l1, s1 + p1 >= l1 + b, s2 <= l2,
         s2 + p2 >= l2 + c]

!lah = tensor<?xf32, #graph.dims<l + a + h>>
!sp_less_l = tensor<?xf32, #graph.dims<s + p - l>>
rule.rule @slice_before_padded_end(%x: [a]) -> [p]
  lifts [%x]
  source {
    %0 = graph.pad %x low = [l] high = [h] constant value = 0.0 : (!a) -> !lah
    %1 = graph.slice %0 starts = [s] sizes = [p] steps = [1] : (!lah) -> !p
    rule.yield %1 : [p]
  }
  target {
    %0 = graph.slice %x starts = [0] sizes = [s + p - l] steps = [1] : (!a) -> !sp_less_l
    %1 = graph.pad %0 low = [l - s] high = [0] constant value = 0.0 : (!sp_less_l) -> !p
    rule.yield %1 : [p]
  }
  where [s <= l, s + p >= l, s + p <= l + a]

!la_less_s = tensor<?xf32, #graph.dims<l + a - s>>
rule.rule @slice_behind_padded_start(%x: [a]) -> [p]
  lifts [%x]
  source {
    %0 = graph.pad %x low = [l] high = [h] constant value = 0.0 : (!a) -> !lah
    %1 = graph.slice %0 starts = [s] sizes = [p] steps = [1] : (!lah) -> !p
    rule.yield %1 : [p]
  }
  target {
    %0 = graph.slice %x starts = [s - l] sizes = [l + a - s] steps = [1] : (!a) -> !la_less_s
    %1 = graph.pad %0 low = [0] high = [s + p - l - a] constant value = 0.0 : (!la_less_s) -> !p
    rule.yield %1 : [p]
  }
  where [s >= l, s <= l + a, s + p >= l + a]

// Nothing but padding.
rule.rule @slice_before_padded(%x: [a]) -> [p]
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
  where [s + p <= l]

// 62. Functions that keep zero, of what is padded with zeros.

!lnh = tensor<?xf32, #graph.dims<l + n + h>>
rule.rule @relu_of_padded(%x: [n]) -> [l + n + h]
  lifts [%x]
  source {
    %0 = graph.pad %x low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    %1 = graph.relu %0 : !lnh
    rule.yield %1 : [l + n + h]
  }
  target {
    %0 = graph.relu %x : !n
    %1 = graph.pad %0 low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    rule.yield %1 : [l + n + h]
  }

rule.rule @neg_of_padded(%x: [n]) -> [l + n + h]
  lifts [%x]
  source {
    %0 = graph.pad %x low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    %1 = graph.neg %0 : !lnh
    rule.yield %1 : [l + n + h]
  }
  target {
    %0 = graph.neg %x : !n
    %1 = graph.pad %0 low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    rule.yield %1 : [l + n + h]
  }

rule.rule @gelu_of_padded(%x: [n]) -> [l + n + h]
  lifts [%x]
  source {
    %0 = graph.pad %x low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    %1 = graph.gelu %0 : !lnh
    rule.yield %1 : [l + n + h]
  }
  target {
    %0 = graph.gelu %x : !n
    %1 = graph.pad %0 low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    rule.yield %1 : [l + n + h]
  }

rule.rule @silu_of_padded(%x: [n]) -> [l + n + h]
  lifts [%x]
  source {
    %0 = graph.pad %x low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    %1 = graph.silu %0 : !lnh
    rule.yield %1 : [l + n + h]
  }
  target {
    %0 = graph.silu %x : !n
    %1 = graph.pad %0 low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    rule.yield %1 : [l + n + h]
  }

rule.rule @add_of_padded(%x: [n], %y: [n]) -> [l + n + h]
  lifts [%x, %y]
  source {
    %0 = graph.pad %x low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    %1 = graph.pad %y low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    %2 = graph.add %0, %1 : !lnh
    rule.yield %2 : [l + n + h]
  }
  target {
    %0 = graph.add %x, %y : !n
    %1 = graph.pad %0 low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    rule.yield %1 : [l + n + h]
  }

rule.rule @sub_of_padded(%x: [n], %y: [n]) -> [l + n + h]
  lifts [%x, %y]
  source {
    %0 = graph.pad %x low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    %1 = graph.pad %y low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    %2 = graph.sub %0, %1 : !lnh
    rule.yield %2 : [l + n + h]
  }
  target {
    %0 = graph.sub %x, %y : !n
    %1 = graph.pad %0 low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    rule.yield %1 : [l + n + h]
  }

rule.rule @mul_of_padded(%x: [n], %y: [n]) -> [l + n + h]
  lifts [%x, %y]
  source {
    %0 = graph.pad %x low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    %1 = graph.pad %y low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    %2 = graph.mul %0, %1 : !lnh
    rule.yield %2 : [l + n + h]
  }
  target {
    %0 = graph.mul %x, %y : !n
    %1 = graph.pad %0 low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    rule.yield %1 : [l + n + h]
  }

rule.rule @maximum_of_padded(%x: [n], %y: [n]) -> [l + n + h]
  lifts [%x, %y]
  source {
    %0 = graph.pad %x low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    %1 = graph.pad %y low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    %2 = graph.maximum %0, %1 : !lnh
    rule.yield %2 : [l + n + h]
  }
  target {
    %0 = graph.maximum %x, %y : !n
    %1 = graph.pad %0 low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    rule.yield %1 : [l + n + h]
  }

rule.rule @minimum_of_padded(%x: [n], %y: [n]) -> [l + n + h]
  lifts [%x, %y]
  source {
    %0 = graph.pad %x low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    %1 = graph.pad %y low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    %2 = graph.minimum %0, %1 : !lnh
    rule.yield %2 : [l + n + h]
  }
  target {
    %0 = graph.minimum %x, %y : !n
    %1 = graph.pad %0 low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    rule.yield %1 : [l + n + h]
  }

// A product with a padded factor is zero where that is.
rule.rule @mul_by_padded(%x: [n], %y: [l + n + h]) -> [l + n + h]
  lifts [%x, %y]
  source {
    %0 = graph.pad %x low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    %1 = graph.mul %0, %y : !lnh
    rule.yield %1 : [l + n + h]
  }
  target {
    %0 = graph.slice %y starts = [l] sizes = [n] steps = [1] : (!lnh) -> !n
    %1 = graph.mul %x, %0 : !n
    %2 = graph.pad %1 low = [l] high = [h] constant value = 0.0 : (!n) -> !lnh
    rule.yield %2 : [l + n + h]
  }

// 62. Paddings, concatenations, sums and products.

!m_lkh = tensor<?x?xf32, #graph.dims<m, l + k + h>>
!p_lkh = tensor<?x?xf32, #graph.dims<p, l + k + h>>
!mp_lkh = tensor<?x?xf32, #graph.dims<m + p, l + k + h>>
rule.rule @concat_of_padded(%a: [m, k], %b: [p, k]) -> [m + p, l + k + h]
  lifts [%a, %b]
  source {
    %0 = graph.pad %a low = [0, l] high = [0, h] constant value = 0.0 : (!mk) -> !m_lkh
    %1 = graph.pad %b low = [0, l] high = [0, h] constant value = 0.0 : (!pk) -> !p_lkh
    %2 = graph.concat %0, %1 axis = 0 : (!m_lkh, !p_lkh) -> !mp_lkh
    rule.yield %2 : [m + p, l + k + h]
  }
  target {
    %0 = graph.concat %a, %b axis = 0 : (!mk, !pk) -> !mp_k
    %1 = graph.pad %0 low = [0, l] high = [0, h] constant value = 0.0 : (!mp_k) -> !mp_lkh
    rule.yield %1 : [m + p, l + k + h]
  }

// Zeros that are joined on are padding.
rule.rule @concat_with_zeros(%x: [m, k]) -> [m + p, k]
  source {
    %z = graph.constant dense<0.0> : tensor<f32>
    %0 = graph.broadcast %z shape = [p, k] : (!scalar) -> !pk
    %1 = graph.concat %x, %0 axis = 0 : (!mk, !pk) -> !mp_k
    rule.yield %1 : [m + p, k]
  }
  target {
    %0 = graph.pad %x low = [0, 0] high = [p, 0] constant value = 0.0 : (!mk) -> !mp_k
    rule.yield %0 : [m + p, k]
  }

!pm_k = tensor<?x?xf32, #graph.dims<p + m, k>>
rule.rule @concat_of_zeros(%x: [m, k]) -> [p + m, k]
  source {
    %z = graph.constant dense<0.0> : tensor<f32>
    %0 = graph.broadcast %z shape = [p, k] : (!scalar) -> !pk
    %1 = graph.concat %0, %x axis = 0 : (!pk, !mk) -> !pm_k
    rule.yield %1 : [p + m, k]
  }
  target {
    %0 = graph.pad %x low = [p, 0] high = [0, 0] constant value = 0.0 : (!mk) -> !pm_k
    rule.yield %0 : [p + m, k]
  }

// Zeros add nothing.
rule.rule @sum_of_padded(%x: [m, k]) -> [m]
  lifts [%x]
  source {
    %0 = graph.pad %x low = [0, l] high = [0, h] constant value = 0.0 : (!mk) -> !m_lkh
    %1 = graph.reduce_sum %0 axes = [1] : (!m_lkh) -> !m
    rule.yield %1 : [m]
  }
  target {
    %0 = graph.reduce_sum %x axes = [1] : (!mk) -> !m
    rule.yield %0 : [m]
  }

!lkh_n = tensor<?x?xf32, #graph.dims<l + k + h, n>>
rule.rule @matmul_of_padded(%a: [m, k], %b: [k, n]) -> [m, n]
  lifts [%a, %b]
  source {
    %0 = graph.pad %a low = [0, l] high = [0, h] constant value = 0.0 : (!mk) -> !m_lkh
    %1 = graph.pad %b low = [l, 0] high = [h, 0] constant value = 0.0 : (!kn) -> !lkh_n
    %2 = graph.matmul %0, %1 : (!m_lkh, !lkh_n) -> !mn
    rule.yield %2 : [m, n]
  }
  target {
    %0 = graph.matmul %a, %b : (!mk, !kn) -> !mn
    rule.yield %0 : [m, n]
  }

// A padded factor of a product needs but a part of the other one.
rule.rule @matmul_by_padded(%a: [m, k], %b: [l + k + h, n]) -> [m, n]
  lifts [%a, %b]
  source {
    %0 = graph.pad %a low = [0, l] high = [0, h] constant value = 0.0 : (!mk) -> !m_lkh
    %1 = graph.matmul %0, %b : (!m_lkh, !lkh_n) -> !mn
    rule.yield %1 : [m, n]
  }
  target {
    %0 = graph.slice %b starts = [l, 0] sizes = [k, n] steps = [1, 1] : (!lkh_n) -> !kn
    %1 = graph.matmul %a, %0 : (!mk, !kn) -> !mn
    rule.yield %1 : [m, n]
  }

!lmh_k = tensor<?x?xf32, #graph.dims<l + m + h, k>>
!lmh_n = tensor<?x?xf32, #graph.dims<l + m + h, n>>
rule.rule @matmul_of_padded_rows(%a: [m, k], %b: [k, n]) -> [l + m + h, n]
  lifts [%a]
  source {
    %0 = graph.pad %a low = [l, 0] high = [h, 0] constant value = 0.0 : (!mk) -> !lmh_k
    %1 = graph.matmul %0, %b : (!lmh_k, !kn) -> !lmh_n
    rule.yield %1 : [l + m + h, n]
  }
  target {
    %0 = graph.matmul %a, %b : (!mk, !kn) -> !mn
    %1 = graph.pad %0 low = [l, 0] high = [h, 0] constant value = 0.0 : (!mn) -> !lmh_n
    rule.yield %1 : [l + m + h, n]
  }
