// The 133 substitutions of the library that TASO ships (Jia et al., TASO, SOSP
// 2019; graph_subst.pb of its repository, under the Apache License 2.0) as rules.
// A comment before each rule says what that file says; taso_N is its rule N.
//
// The file has no shapes, and numbers for strides and kernels. The rules are as
// general as their ops allow:
// - A size is a symbol of its own, unless an op of either side, or that both sides
//   have one shape, forces it to equal others. A split has the sizes of the
//   concatenation that it undoes.
// - Strides and "same" padding are symbols, one for each value and axis, which the
//   convolutions of a rule share. "Valid" padding is 0. Kernels have the sizes of
//   the weights.
// - Ranks are as in the file. Rules that have only elementwise ops lift all operands.
// - A convolution of a source has one group, and one of a target as many as its
//   channels say, which `where` requires to divide them.
// - A fused relu (a2) is an op of its own.

//   0  matmul(matmul(i1,i4),i5) = matmul(i1,matmul(i4,i5))
!m_k = tensor<?x?xf32, #graph.dims<m, k>>
!k_n = tensor<?x?xf32, #graph.dims<k, n>>
!m_n = tensor<?x?xf32, #graph.dims<m, n>>
!n_n2 = tensor<?x?xf32, #graph.dims<n, n2>>
!m_n2 = tensor<?x?xf32, #graph.dims<m, n2>>
!k_n2 = tensor<?x?xf32, #graph.dims<k, n2>>
rule.rule @taso_0(%i1: [m, k], %i4: [k, n], %i5: [n, n2]) -> [m, n2]
  source {
    %0 = graph.matmul %i1, %i4 : (!m_k, !k_n) -> !m_n
    %1 = graph.matmul %0, %i5 : (!m_n, !n_n2) -> !m_n2
    rule.yield %1 : [m, n2]
  }
  target {
    %0 = graph.matmul %i4, %i5 : (!k_n, !n_n2) -> !k_n2
    %1 = graph.matmul %i1, %0 : (!m_k, !k_n2) -> !m_n2
    rule.yield %1 : [m, n2]
  }

//   1  matmul(matmul(i1,i4),matmul(i5,i6)) = matmul(matmul(i1,matmul(i4,i5)),i6)
!n_k2 = tensor<?x?xf32, #graph.dims<n, k2>>
!k2_n2 = tensor<?x?xf32, #graph.dims<k2, n2>>
!k_k2 = tensor<?x?xf32, #graph.dims<k, k2>>
!m_k2 = tensor<?x?xf32, #graph.dims<m, k2>>
rule.rule @taso_1(%i1: [m, k], %i4: [k, n], %i5: [n, k2], %i6: [k2, n2]) -> [m, n2]
  source {
    %0 = graph.matmul %i1, %i4 : (!m_k, !k_n) -> !m_n
    %1 = graph.matmul %i5, %i6 : (!n_k2, !k2_n2) -> !n_n2
    %2 = graph.matmul %0, %1 : (!m_n, !n_n2) -> !m_n2
    rule.yield %2 : [m, n2]
  }
  target {
    %0 = graph.matmul %i4, %i5 : (!k_n, !n_k2) -> !k_k2
    %1 = graph.matmul %i1, %0 : (!m_k, !k_k2) -> !m_k2
    %2 = graph.matmul %1, %i6 : (!m_k2, !k2_n2) -> !m_n2
    rule.yield %2 : [m, n2]
  }

//   2  matmul(concat@0(i4,matmul(i1,i4)),i5) = concat@0(matmul(i4,i5),matmul(i1,matmul(i4,i5)))
!km_k2 = tensor<?x?xf32, #graph.dims<k + m, k2>>
!k2_n = tensor<?x?xf32, #graph.dims<k2, n>>
!km_n = tensor<?x?xf32, #graph.dims<k + m, n>>
rule.rule @taso_2(%i1: [m, k], %i4: [k, k2], %i5: [k2, n]) -> [k + m, n]
  source {
    %0 = graph.matmul %i1, %i4 : (!m_k, !k_k2) -> !m_k2
    %1 = graph.concat %i4, %0 axis = 0 : (!k_k2, !m_k2) -> !km_k2
    %2 = graph.matmul %1, %i5 : (!km_k2, !k2_n) -> !km_n
    rule.yield %2 : [k + m, n]
  }
  target {
    %0 = graph.matmul %i4, %i5 : (!k_k2, !k2_n) -> !k_n
    %1 = graph.matmul %i1, %0 : (!m_k, !k_n) -> !m_n
    %2 = graph.concat %0, %1 axis = 0 : (!k_n, !m_n) -> !km_n
    rule.yield %2 : [k + m, n]
  }

//   3  matmul(matmul(matmul(i1,i4),i5),i5) = matmul(i1,matmul(matmul(i4,i5),i5))
!n_n = tensor<?x?xf32, #graph.dims<n, n>>
rule.rule @taso_3(%i1: [m, k], %i4: [k, n], %i5: [n, n]) -> [m, n]
  source {
    %0 = graph.matmul %i1, %i4 : (!m_k, !k_n) -> !m_n
    %1 = graph.matmul %0, %i5 : (!m_n, !n_n) -> !m_n
    %2 = graph.matmul %1, %i5 : (!m_n, !n_n) -> !m_n
    rule.yield %2 : [m, n]
  }
  target {
    %0 = graph.matmul %i4, %i5 : (!k_n, !n_n) -> !k_n
    %1 = graph.matmul %0, %i5 : (!k_n, !n_n) -> !k_n
    %2 = graph.matmul %i1, %1 : (!m_k, !k_n) -> !m_n
    rule.yield %2 : [m, n]
  }

//   4  matmul(matmul(i1,i4),matmul(i5,i6)) = matmul(i1,matmul(matmul(i4,i5),i6))
rule.rule @taso_4(%i1: [m, k], %i4: [k, n], %i5: [n, k2], %i6: [k2, n2]) -> [m, n2]
  source {
    %0 = graph.matmul %i1, %i4 : (!m_k, !k_n) -> !m_n
    %1 = graph.matmul %i5, %i6 : (!n_k2, !k2_n2) -> !n_n2
    %2 = graph.matmul %0, %1 : (!m_n, !n_n2) -> !m_n2
    rule.yield %2 : [m, n2]
  }
  target {
    %0 = graph.matmul %i4, %i5 : (!k_n, !n_k2) -> !k_k2
    %1 = graph.matmul %0, %i6 : (!k_k2, !k2_n2) -> !k_n2
    %2 = graph.matmul %i1, %1 : (!m_k, !k_n2) -> !m_n2
    rule.yield %2 : [m, n2]
  }

//   5  ewadd(matmul(i1,i4),matmul(matmul(i1,i4),i5)) = matmul(i1,ewadd(i4,matmul(i4,i5)))
rule.rule @taso_5(%i1: [m, k], %i4: [k, n], %i5: [n, n]) -> [m, n]
  source {
    %0 = graph.matmul %i1, %i4 : (!m_k, !k_n) -> !m_n
    %1 = graph.matmul %0, %i5 : (!m_n, !n_n) -> !m_n
    %2 = graph.add %0, %1 : !m_n
    rule.yield %2 : [m, n]
  }
  target {
    %0 = graph.matmul %i4, %i5 : (!k_n, !n_n) -> !k_n
    %1 = graph.add %i4, %0 : !k_n
    %2 = graph.matmul %i1, %1 : (!m_k, !k_n) -> !m_n
    rule.yield %2 : [m, n]
  }

//   6  matmul(ewadd(i1,matmul(i1,i4)),i5) = matmul(i1,ewadd(i5,matmul(i4,i5)))
!k_k = tensor<?x?xf32, #graph.dims<k, k>>
rule.rule @taso_6(%i1: [m, k], %i4: [k, k], %i5: [k, n]) -> [m, n]
  source {
    %0 = graph.matmul %i1, %i4 : (!m_k, !k_k) -> !m_k
    %1 = graph.add %i1, %0 : !m_k
    %2 = graph.matmul %1, %i5 : (!m_k, !k_n) -> !m_n
    rule.yield %2 : [m, n]
  }
  target {
    %0 = graph.matmul %i4, %i5 : (!k_k, !k_n) -> !k_n
    %1 = graph.add %i5, %0 : !k_n
    %2 = graph.matmul %i1, %1 : (!m_k, !k_n) -> !m_n
    rule.yield %2 : [m, n]
  }

//   7  concat@1(matmul(i1,i4),matmul(matmul(i1,i4),i5)) = matmul(i1,concat@1(i4,matmul(i4,i5)))
!m_nn2 = tensor<?x?xf32, #graph.dims<m, n + n2>>
!k_nn2 = tensor<?x?xf32, #graph.dims<k, n + n2>>
rule.rule @taso_7(%i1: [m, k], %i4: [k, n], %i5: [n, n2]) -> [m, n + n2]
  source {
    %0 = graph.matmul %i1, %i4 : (!m_k, !k_n) -> !m_n
    %1 = graph.matmul %0, %i5 : (!m_n, !n_n2) -> !m_n2
    %2 = graph.concat %0, %1 axis = 1 : (!m_n, !m_n2) -> !m_nn2
    rule.yield %2 : [m, n + n2]
  }
  target {
    %0 = graph.matmul %i4, %i5 : (!k_n, !n_n2) -> !k_n2
    %1 = graph.concat %i4, %0 axis = 1 : (!k_n, !k_n2) -> !k_nn2
    %2 = graph.matmul %i1, %1 : (!m_k, !k_nn2) -> !m_nn2
    rule.yield %2 : [m, n + n2]
  }

//   8  matmul(matmul(i6,matmul(i4,i5)),i4) = matmul(i6,matmul(i4,matmul(i5,i4)))
!n_k = tensor<?x?xf32, #graph.dims<n, k>>
rule.rule @taso_8(%i4: [k, n], %i5: [n, k], %i6: [m, k]) -> [m, n]
  source {
    %0 = graph.matmul %i4, %i5 : (!k_n, !n_k) -> !k_k
    %1 = graph.matmul %i6, %0 : (!m_k, !k_k) -> !m_k
    %2 = graph.matmul %1, %i4 : (!m_k, !k_n) -> !m_n
    rule.yield %2 : [m, n]
  }
  target {
    %0 = graph.matmul %i5, %i4 : (!n_k, !k_n) -> !n_n
    %1 = graph.matmul %i4, %0 : (!k_n, !n_n) -> !k_n
    %2 = graph.matmul %i6, %1 : (!m_k, !k_n) -> !m_n
    rule.yield %2 : [m, n]
  }

//   9  matmul(matmul(i4,i5),i4) = matmul(i4,matmul(i5,i4)) ; matmul(i5,matmul(i4,i5)) = matmul(matmul(i5,i4),i5)
rule.rule @taso_9(%i4: [k, n], %i5: [n, k]) -> ([k, n], [n, k])
  source {
    %0 = graph.matmul %i4, %i5 : (!k_n, !n_k) -> !k_k
    %1 = graph.matmul %0, %i4 : (!k_k, !k_n) -> !k_n
    %2 = graph.matmul %i5, %0 : (!n_k, !k_k) -> !n_k
    rule.yield %1, %2 : [k, n], [n, k]
  }
  target {
    %0 = graph.matmul %i5, %i4 : (!n_k, !k_n) -> !n_n
    %1 = graph.matmul %i4, %0 : (!k_n, !n_n) -> !k_n
    %2 = graph.matmul %0, %i5 : (!n_n, !n_k) -> !n_k
    rule.yield %1, %2 : [k, n], [n, k]
  }

//  10  matmul(matmul(i4,i5),matmul(matmul(i4,i5),i4)) = matmul(matmul(i4,matmul(i5,i4)),matmul(i5,i4))
rule.rule @taso_10(%i4: [k, n], %i5: [n, k]) -> [k, n]
  source {
    %0 = graph.matmul %i4, %i5 : (!k_n, !n_k) -> !k_k
    %1 = graph.matmul %0, %i4 : (!k_k, !k_n) -> !k_n
    %2 = graph.matmul %0, %1 : (!k_k, !k_n) -> !k_n
    rule.yield %2 : [k, n]
  }
  target {
    %0 = graph.matmul %i5, %i4 : (!n_k, !k_n) -> !n_n
    %1 = graph.matmul %i4, %0 : (!k_n, !n_n) -> !k_n
    %2 = graph.matmul %1, %0 : (!k_n, !n_n) -> !k_n
    rule.yield %2 : [k, n]
  }

//  11  matmul(matmul(i6,matmul(i4,i5)),i4) = matmul(matmul(i6,i4),matmul(i5,i4))
rule.rule @taso_11(%i4: [k, n], %i5: [n, k], %i6: [m, k]) -> [m, n]
  source {
    %0 = graph.matmul %i4, %i5 : (!k_n, !n_k) -> !k_k
    %1 = graph.matmul %i6, %0 : (!m_k, !k_k) -> !m_k
    %2 = graph.matmul %1, %i4 : (!m_k, !k_n) -> !m_n
    rule.yield %2 : [m, n]
  }
  target {
    %0 = graph.matmul %i5, %i4 : (!n_k, !k_n) -> !n_n
    %1 = graph.matmul %i6, %i4 : (!m_k, !k_n) -> !m_n
    %2 = graph.matmul %1, %0 : (!m_n, !n_n) -> !m_n
    rule.yield %2 : [m, n]
  }

//  12  matmul(matmul(i4,matmul(i4,i5)),i6) = matmul(i4,matmul(i4,matmul(i5,i6)))
!m_m = tensor<?x?xf32, #graph.dims<m, m>>
rule.rule @taso_12(%i4: [m, m], %i5: [m, n], %i6: [n, n2]) -> [m, n2]
  source {
    %0 = graph.matmul %i4, %i5 : (!m_m, !m_n) -> !m_n
    %1 = graph.matmul %i4, %0 : (!m_m, !m_n) -> !m_n
    %2 = graph.matmul %1, %i6 : (!m_n, !n_n2) -> !m_n2
    rule.yield %2 : [m, n2]
  }
  target {
    %0 = graph.matmul %i5, %i6 : (!m_n, !n_n2) -> !m_n2
    %1 = graph.matmul %i4, %0 : (!m_m, !m_n2) -> !m_n2
    %2 = graph.matmul %i4, %1 : (!m_m, !m_n2) -> !m_n2
    rule.yield %2 : [m, n2]
  }

//  13  matmul(matmul(i5,matmul(i4,i5)),i6) = matmul(i5,matmul(i4,matmul(i5,i6)))
!k_m = tensor<?x?xf32, #graph.dims<k, m>>
rule.rule @taso_13(%i4: [m, k], %i5: [k, m], %i6: [m, n]) -> [k, n]
  source {
    %0 = graph.matmul %i4, %i5 : (!m_k, !k_m) -> !m_m
    %1 = graph.matmul %i5, %0 : (!k_m, !m_m) -> !k_m
    %2 = graph.matmul %1, %i6 : (!k_m, !m_n) -> !k_n
    rule.yield %2 : [k, n]
  }
  target {
    %0 = graph.matmul %i5, %i6 : (!k_m, !m_n) -> !k_n
    %1 = graph.matmul %i4, %0 : (!m_k, !k_n) -> !m_n
    %2 = graph.matmul %i5, %1 : (!k_m, !m_n) -> !k_n
    rule.yield %2 : [k, n]
  }

//  14  matmul(matmul(i6,matmul(i4,i5)),i6) = matmul(i6,matmul(i4,matmul(i5,i6)))
!n_m = tensor<?x?xf32, #graph.dims<n, m>>
rule.rule @taso_14(%i4: [m, k], %i5: [k, n], %i6: [n, m]) -> [n, m]
  source {
    %0 = graph.matmul %i4, %i5 : (!m_k, !k_n) -> !m_n
    %1 = graph.matmul %i6, %0 : (!n_m, !m_n) -> !n_n
    %2 = graph.matmul %1, %i6 : (!n_n, !n_m) -> !n_m
    rule.yield %2 : [n, m]
  }
  target {
    %0 = graph.matmul %i5, %i6 : (!k_n, !n_m) -> !k_m
    %1 = graph.matmul %i4, %0 : (!m_k, !k_m) -> !m_m
    %2 = graph.matmul %i6, %1 : (!n_m, !m_m) -> !n_m
    rule.yield %2 : [n, m]
  }

//  15  matmul(ewadd(i5,matmul(i4,i5)),i6) = ewadd(matmul(i5,i6),matmul(i4,matmul(i5,i6)))
rule.rule @taso_15(%i4: [m, m], %i5: [m, k], %i6: [k, n]) -> [m, n]
  source {
    %0 = graph.matmul %i4, %i5 : (!m_m, !m_k) -> !m_k
    %1 = graph.add %i5, %0 : !m_k
    %2 = graph.matmul %1, %i6 : (!m_k, !k_n) -> !m_n
    rule.yield %2 : [m, n]
  }
  target {
    %0 = graph.matmul %i5, %i6 : (!m_k, !k_n) -> !m_n
    %1 = graph.matmul %i4, %0 : (!m_m, !m_n) -> !m_n
    %2 = graph.add %0, %1 : !m_n
    rule.yield %2 : [m, n]
  }

//  16  matmul(matmul(i5,matmul(i4,i5)),i6) = matmul(matmul(i5,i4),matmul(i5,i6))
rule.rule @taso_16(%i4: [m, k], %i5: [k, m], %i6: [m, n]) -> [k, n]
  source {
    %0 = graph.matmul %i4, %i5 : (!m_k, !k_m) -> !m_m
    %1 = graph.matmul %i5, %0 : (!k_m, !m_m) -> !k_m
    %2 = graph.matmul %1, %i6 : (!k_m, !m_n) -> !k_n
    rule.yield %2 : [k, n]
  }
  target {
    %0 = graph.matmul %i5, %i6 : (!k_m, !m_n) -> !k_n
    %1 = graph.matmul %i5, %i4 : (!k_m, !m_k) -> !k_k
    %2 = graph.matmul %1, %0 : (!k_k, !k_n) -> !k_n
    rule.yield %2 : [k, n]
  }

//  17  matmul(matmul(i6,matmul(i4,i5)),i6) = matmul(matmul(i6,i4),matmul(i5,i6))
rule.rule @taso_17(%i4: [m, k], %i5: [k, n], %i6: [n, m]) -> [n, m]
  source {
    %0 = graph.matmul %i4, %i5 : (!m_k, !k_n) -> !m_n
    %1 = graph.matmul %i6, %0 : (!n_m, !m_n) -> !n_n
    %2 = graph.matmul %1, %i6 : (!n_n, !n_m) -> !n_m
    rule.yield %2 : [n, m]
  }
  target {
    %0 = graph.matmul %i5, %i6 : (!k_n, !n_m) -> !k_m
    %1 = graph.matmul %i6, %i4 : (!n_m, !m_k) -> !n_k
    %2 = graph.matmul %1, %0 : (!n_k, !k_m) -> !n_m
    rule.yield %2 : [n, m]
  }

//  18  matmul(i6,matmul(i4,matmul(i4,i5))) = matmul(matmul(matmul(i6,i4),i4),i5)
!m2_m = tensor<?x?xf32, #graph.dims<m2, m>>
!m2_n = tensor<?x?xf32, #graph.dims<m2, n>>
rule.rule @taso_18(%i4: [m, m], %i5: [m, n], %i6: [m2, m]) -> [m2, n]
  source {
    %0 = graph.matmul %i4, %i5 : (!m_m, !m_n) -> !m_n
    %1 = graph.matmul %i4, %0 : (!m_m, !m_n) -> !m_n
    %2 = graph.matmul %i6, %1 : (!m2_m, !m_n) -> !m2_n
    rule.yield %2 : [m2, n]
  }
  target {
    %0 = graph.matmul %i6, %i4 : (!m2_m, !m_m) -> !m2_m
    %1 = graph.matmul %0, %i4 : (!m2_m, !m_m) -> !m2_m
    %2 = graph.matmul %1, %i5 : (!m2_m, !m_n) -> !m2_n
    rule.yield %2 : [m2, n]
  }

//  19  matmul(matmul(i4,i6),matmul(i4,i5)) = matmul(i4,matmul(matmul(i6,i4),i5))
rule.rule @taso_19(%i4: [m, k], %i5: [k, n], %i6: [k, m]) -> [m, n]
  source {
    %0 = graph.matmul %i4, %i5 : (!m_k, !k_n) -> !m_n
    %1 = graph.matmul %i4, %i6 : (!m_k, !k_m) -> !m_m
    %2 = graph.matmul %1, %0 : (!m_m, !m_n) -> !m_n
    rule.yield %2 : [m, n]
  }
  target {
    %0 = graph.matmul %i6, %i4 : (!k_m, !m_k) -> !k_k
    %1 = graph.matmul %0, %i5 : (!k_k, !k_n) -> !k_n
    %2 = graph.matmul %i4, %1 : (!m_k, !k_n) -> !m_n
    rule.yield %2 : [m, n]
  }

//  20  matmul(matmul(i5,i6),matmul(i4,i5)) = matmul(i5,matmul(matmul(i6,i4),i5))
!k2_m = tensor<?x?xf32, #graph.dims<k2, m>>
!k2_k = tensor<?x?xf32, #graph.dims<k2, k>>
!k2_k2 = tensor<?x?xf32, #graph.dims<k2, k2>>
rule.rule @taso_20(%i4: [m, k], %i5: [k, k2], %i6: [k2, m]) -> [k, k2]
  source {
    %0 = graph.matmul %i4, %i5 : (!m_k, !k_k2) -> !m_k2
    %1 = graph.matmul %i5, %i6 : (!k_k2, !k2_m) -> !k_m
    %2 = graph.matmul %1, %0 : (!k_m, !m_k2) -> !k_k2
    rule.yield %2 : [k, k2]
  }
  target {
    %0 = graph.matmul %i6, %i4 : (!k2_m, !m_k) -> !k2_k
    %1 = graph.matmul %0, %i5 : (!k2_k, !k_k2) -> !k2_k2
    %2 = graph.matmul %i5, %1 : (!k_k2, !k2_k2) -> !k_k2
    rule.yield %2 : [k, k2]
  }

//  21  matmul(i6,matmul(i5,matmul(i4,i5))) = matmul(matmul(matmul(i6,i5),i4),i5)
!m2_k = tensor<?x?xf32, #graph.dims<m2, k>>
rule.rule @taso_21(%i4: [m, k], %i5: [k, m], %i6: [m2, k]) -> [m2, m]
  source {
    %0 = graph.matmul %i4, %i5 : (!m_k, !k_m) -> !m_m
    %1 = graph.matmul %i5, %0 : (!k_m, !m_m) -> !k_m
    %2 = graph.matmul %i6, %1 : (!m2_k, !k_m) -> !m2_m
    rule.yield %2 : [m2, m]
  }
  target {
    %0 = graph.matmul %i6, %i5 : (!m2_k, !k_m) -> !m2_m
    %1 = graph.matmul %0, %i4 : (!m2_m, !m_k) -> !m2_k
    %2 = graph.matmul %1, %i5 : (!m2_k, !k_m) -> !m2_m
    rule.yield %2 : [m2, m]
  }

//  22  ewadd(matmul(i1,i4),matmul(i2,i4)) = matmul(ewadd(i1,i2),i4)
rule.rule @taso_22(%i1: [m, k], %i2: [m, k], %i4: [k, n]) -> [m, n]
  source {
    %0 = graph.matmul %i1, %i4 : (!m_k, !k_n) -> !m_n
    %1 = graph.matmul %i2, %i4 : (!m_k, !k_n) -> !m_n
    %2 = graph.add %0, %1 : !m_n
    rule.yield %2 : [m, n]
  }
  target {
    %0 = graph.add %i1, %i2 : !m_k
    %1 = graph.matmul %0, %i4 : (!m_k, !k_n) -> !m_n
    rule.yield %1 : [m, n]
  }

//  23  ewadd(i3,ewadd(i3,ewadd(i1,i2))) = ewadd(ewadd(i1,i3),ewadd(i2,i3))
!n = tensor<?xf32, #graph.dims<n>>
rule.rule @taso_23(%i1: [n], %i2: [n], %i3: [n]) -> [n]
  lifts [%i1, %i2, %i3]
  source {
    %0 = graph.add %i1, %i2 : !n
    %1 = graph.add %i3, %0 : !n
    %2 = graph.add %i3, %1 : !n
    rule.yield %2 : [n]
  }
  target {
    %0 = graph.add %i1, %i3 : !n
    %1 = graph.add %i2, %i3 : !n
    %2 = graph.add %0, %1 : !n
    rule.yield %2 : [n]
  }

//  24  ewadd(i3,ewadd(i1,i2)) = ewadd(i2,ewadd(i1,i3))
rule.rule @taso_24(%i1: [n], %i2: [n], %i3: [n]) -> [n]
  lifts [%i1, %i2, %i3]
  source {
    %0 = graph.add %i1, %i2 : !n
    %1 = graph.add %i3, %0 : !n
    rule.yield %1 : [n]
  }
  target {
    %0 = graph.add %i1, %i3 : !n
    %1 = graph.add %i2, %0 : !n
    rule.yield %1 : [n]
  }

//  25  ewadd(ewadd(i1,i2),ewadd(i2,i3)) = ewadd(i2,ewadd(i2,ewadd(i1,i3)))
rule.rule @taso_25(%i1: [n], %i2: [n], %i3: [n]) -> [n]
  lifts [%i1, %i2, %i3]
  source {
    %0 = graph.add %i1, %i2 : !n
    %1 = graph.add %i2, %i3 : !n
    %2 = graph.add %0, %1 : !n
    rule.yield %2 : [n]
  }
  target {
    %0 = graph.add %i1, %i3 : !n
    %1 = graph.add %i2, %0 : !n
    %2 = graph.add %i2, %1 : !n
    rule.yield %2 : [n]
  }

//  26  ewadd(i3,ewadd(i3,ewadd(i1,i2))) = ewadd(i2,ewadd(i3,ewadd(i1,i3)))
rule.rule @taso_26(%i1: [n], %i2: [n], %i3: [n]) -> [n]
  lifts [%i1, %i2, %i3]
  source {
    %0 = graph.add %i1, %i2 : !n
    %1 = graph.add %i3, %0 : !n
    %2 = graph.add %i3, %1 : !n
    rule.yield %2 : [n]
  }
  target {
    %0 = graph.add %i1, %i3 : !n
    %1 = graph.add %i3, %0 : !n
    %2 = graph.add %i2, %1 : !n
    rule.yield %2 : [n]
  }

//  27  ewadd(i3,ewadd(i3,ewadd(i1,i2))) = ewadd(ewadd(i2,i3),ewadd(i1,i3))
rule.rule @taso_27(%i1: [n], %i2: [n], %i3: [n]) -> [n]
  lifts [%i1, %i2, %i3]
  source {
    %0 = graph.add %i1, %i2 : !n
    %1 = graph.add %i3, %0 : !n
    %2 = graph.add %i3, %1 : !n
    rule.yield %2 : [n]
  }
  target {
    %0 = graph.add %i2, %i3 : !n
    %1 = graph.add %i1, %i3 : !n
    %2 = graph.add %0, %1 : !n
    rule.yield %2 : [n]
  }

//  28  ewadd(i3,ewadd(i1,i2)) = ewadd(i1,ewadd(i2,i3))
rule.rule @taso_28(%i1: [n], %i2: [n], %i3: [n]) -> [n]
  lifts [%i1, %i2, %i3]
  source {
    %0 = graph.add %i1, %i2 : !n
    %1 = graph.add %i3, %0 : !n
    rule.yield %1 : [n]
  }
  target {
    %0 = graph.add %i2, %i3 : !n
    %1 = graph.add %i1, %0 : !n
    rule.yield %1 : [n]
  }

//  29  ewadd(ewadd(i1,i2),ewadd(i1,i3)) = ewadd(i1,ewadd(i1,ewadd(i2,i3)))
rule.rule @taso_29(%i1: [n], %i2: [n], %i3: [n]) -> [n]
  lifts [%i1, %i2, %i3]
  source {
    %0 = graph.add %i1, %i2 : !n
    %1 = graph.add %i1, %i3 : !n
    %2 = graph.add %0, %1 : !n
    rule.yield %2 : [n]
  }
  target {
    %0 = graph.add %i2, %i3 : !n
    %1 = graph.add %i1, %0 : !n
    %2 = graph.add %i1, %1 : !n
    rule.yield %2 : [n]
  }

//  30  ewadd(i3,ewadd(i3,ewadd(i1,i2))) = ewadd(i1,ewadd(i3,ewadd(i2,i3)))
rule.rule @taso_30(%i1: [n], %i2: [n], %i3: [n]) -> [n]
  lifts [%i1, %i2, %i3]
  source {
    %0 = graph.add %i1, %i2 : !n
    %1 = graph.add %i3, %0 : !n
    %2 = graph.add %i3, %1 : !n
    rule.yield %2 : [n]
  }
  target {
    %0 = graph.add %i2, %i3 : !n
    %1 = graph.add %i3, %0 : !n
    %2 = graph.add %i1, %1 : !n
    rule.yield %2 : [n]
  }

//  31  ewadd(matmul(i1,i4),matmul(i1,i5)) = matmul(i1,ewadd(i4,i5))
rule.rule @taso_31(%i1: [m, k], %i4: [k, n], %i5: [k, n]) -> [m, n]
  source {
    %0 = graph.matmul %i1, %i4 : (!m_k, !k_n) -> !m_n
    %1 = graph.matmul %i1, %i5 : (!m_k, !k_n) -> !m_n
    %2 = graph.add %0, %1 : !m_n
    rule.yield %2 : [m, n]
  }
  target {
    %0 = graph.add %i4, %i5 : !k_n
    %1 = graph.matmul %i1, %0 : (!m_k, !k_n) -> !m_n
    rule.yield %1 : [m, n]
  }

//  32  conv2d[s11 p0 a0](ewadd(i12,ewadd(i10,i11)),ewadd(i12,ewadd(i10,i11))) = conv2d[s11 p0 a0](ewadd(i11,ewadd(i10,i12)),ewadd(i11,ewadd(i10,i12)))
!n_n_y_y = tensor<?x?x?x?xf32, #graph.dims<n, n, ((pb + pt) floordiv (sh)) + 1, ((pl + pr) floordiv (sw)) + 1>>
!n_c_h_w = tensor<?x?x?x?xf32, #graph.dims<n, c, h, w>>
rule.rule @taso_32(%i10: [n, c, h, w], %i11: [n, c, h, w], %i12: [n, c, h, w]) -> !n_n_y_y
  source {
    %0 = graph.add %i10, %i11 : !n_c_h_w
    %1 = graph.add %i12, %0 : !n_c_h_w
    %2 = graph.conv %1, %1 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !n_c_h_w) -> !n_n_y_y
    rule.yield %2 : !n_n_y_y
  }
  target {
    %0 = graph.add %i10, %i12 : !n_c_h_w
    %1 = graph.add %i11, %0 : !n_c_h_w
    %2 = graph.conv %1, %1 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !n_c_h_w) -> !n_n_y_y
    rule.yield %2 : !n_n_y_y
  }

//  33  conv2d[s11 p0 a2](ewadd(i12,ewadd(i10,i11)),ewadd(i12,ewadd(i10,i11))) = conv2d[s11 p0 a2](ewadd(i11,ewadd(i10,i12)),ewadd(i11,ewadd(i10,i12)))
rule.rule @taso_33(%i10: [n, c, h, w], %i11: [n, c, h, w], %i12: [n, c, h, w]) -> !n_n_y_y
  source {
    %0 = graph.add %i10, %i11 : !n_c_h_w
    %1 = graph.add %i12, %0 : !n_c_h_w
    %2 = graph.conv %1, %1 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !n_c_h_w) -> !n_n_y_y
    %3 = graph.relu %2 : !n_n_y_y
    rule.yield %3 : !n_n_y_y
  }
  target {
    %0 = graph.add %i10, %i12 : !n_c_h_w
    %1 = graph.add %i11, %0 : !n_c_h_w
    %2 = graph.conv %1, %1 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !n_c_h_w) -> !n_n_y_y
    %3 = graph.relu %2 : !n_n_y_y
    rule.yield %3 : !n_n_y_y
  }

//  34  conv2d[s11 p0 a0](ewadd(i12,ewadd(i10,i11)),ewadd(i12,ewadd(i10,i11))) = conv2d[s11 p0 a0](ewadd(i10,ewadd(i11,i12)),ewadd(i10,ewadd(i11,i12)))
rule.rule @taso_34(%i10: [n, c, h, w], %i11: [n, c, h, w], %i12: [n, c, h, w]) -> !n_n_y_y
  source {
    %0 = graph.add %i10, %i11 : !n_c_h_w
    %1 = graph.add %i12, %0 : !n_c_h_w
    %2 = graph.conv %1, %1 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !n_c_h_w) -> !n_n_y_y
    rule.yield %2 : !n_n_y_y
  }
  target {
    %0 = graph.add %i11, %i12 : !n_c_h_w
    %1 = graph.add %i10, %0 : !n_c_h_w
    %2 = graph.conv %1, %1 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !n_c_h_w) -> !n_n_y_y
    rule.yield %2 : !n_n_y_y
  }

//  35  conv2d[s11 p0 a2](ewadd(i12,ewadd(i10,i11)),ewadd(i12,ewadd(i10,i11))) = conv2d[s11 p0 a2](ewadd(i10,ewadd(i11,i12)),ewadd(i10,ewadd(i11,i12)))
rule.rule @taso_35(%i10: [n, c, h, w], %i11: [n, c, h, w], %i12: [n, c, h, w]) -> !n_n_y_y
  source {
    %0 = graph.add %i10, %i11 : !n_c_h_w
    %1 = graph.add %i12, %0 : !n_c_h_w
    %2 = graph.conv %1, %1 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !n_c_h_w) -> !n_n_y_y
    %3 = graph.relu %2 : !n_n_y_y
    rule.yield %3 : !n_n_y_y
  }
  target {
    %0 = graph.add %i11, %i12 : !n_c_h_w
    %1 = graph.add %i10, %0 : !n_c_h_w
    %2 = graph.conv %1, %1 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !n_c_h_w) -> !n_n_y_y
    %3 = graph.relu %2 : !n_n_y_y
    rule.yield %3 : !n_n_y_y
  }

//  36  ewmul(i1,ewadd(i2,i3)) = ewadd(ewmul(i1,i2),ewmul(i1,i3))
rule.rule @taso_36(%i1: [n], %i2: [n], %i3: [n]) -> [n]
  lifts [%i1, %i2, %i3]
  source {
    %0 = graph.add %i2, %i3 : !n
    %1 = graph.mul %i1, %0 : !n
    rule.yield %1 : [n]
  }
  target {
    %0 = graph.mul %i1, %i2 : !n
    %1 = graph.mul %i1, %i3 : !n
    %2 = graph.add %0, %1 : !n
    rule.yield %2 : [n]
  }

//  37  ewmul(i2,ewadd(i1,i3)) = ewadd(ewmul(i1,i2),ewmul(i2,i3))
rule.rule @taso_37(%i1: [n], %i2: [n], %i3: [n]) -> [n]
  lifts [%i1, %i2, %i3]
  source {
    %0 = graph.add %i1, %i3 : !n
    %1 = graph.mul %i2, %0 : !n
    rule.yield %1 : [n]
  }
  target {
    %0 = graph.mul %i1, %i2 : !n
    %1 = graph.mul %i2, %i3 : !n
    %2 = graph.add %0, %1 : !n
    rule.yield %2 : [n]
  }

//  38  ewadd(ewmul(i1,i2),ewmul(i3,ewmul(i1,i2))) = ewmul(i2,ewadd(i1,ewmul(i1,i3)))
rule.rule @taso_38(%i1: [n], %i2: [n], %i3: [n]) -> [n]
  lifts [%i1, %i2, %i3]
  source {
    %0 = graph.mul %i1, %i2 : !n
    %1 = graph.mul %i3, %0 : !n
    %2 = graph.add %0, %1 : !n
    rule.yield %2 : [n]
  }
  target {
    %0 = graph.mul %i1, %i3 : !n
    %1 = graph.add %i1, %0 : !n
    %2 = graph.mul %i2, %1 : !n
    rule.yield %2 : [n]
  }

//  39  ewmul(i3,ewadd(i2,ewmul(i1,i2))) = ewmul(i2,ewadd(i3,ewmul(i1,i3)))
rule.rule @taso_39(%i1: [n], %i2: [n], %i3: [n]) -> [n]
  lifts [%i1, %i2, %i3]
  source {
    %0 = graph.mul %i1, %i2 : !n
    %1 = graph.add %i2, %0 : !n
    %2 = graph.mul %i3, %1 : !n
    rule.yield %2 : [n]
  }
  target {
    %0 = graph.mul %i1, %i3 : !n
    %1 = graph.add %i3, %0 : !n
    %2 = graph.mul %i2, %1 : !n
    rule.yield %2 : [n]
  }

//  40  ewmul(i3,ewadd(i1,i2)) = ewadd(ewmul(i1,i3),ewmul(i2,i3))
rule.rule @taso_40(%i1: [n], %i2: [n], %i3: [n]) -> [n]
  lifts [%i1, %i2, %i3]
  source {
    %0 = graph.add %i1, %i2 : !n
    %1 = graph.mul %i3, %0 : !n
    rule.yield %1 : [n]
  }
  target {
    %0 = graph.mul %i1, %i3 : !n
    %1 = graph.mul %i2, %i3 : !n
    %2 = graph.add %0, %1 : !n
    rule.yield %2 : [n]
  }

//  41  ewmul(i3,ewmul(i3,ewmul(i1,i2))) = ewmul(ewmul(i1,i3),ewmul(i2,i3))
rule.rule @taso_41(%i1: [n], %i2: [n], %i3: [n]) -> [n]
  lifts [%i1, %i2, %i3]
  source {
    %0 = graph.mul %i1, %i2 : !n
    %1 = graph.mul %i3, %0 : !n
    %2 = graph.mul %i3, %1 : !n
    rule.yield %2 : [n]
  }
  target {
    %0 = graph.mul %i1, %i3 : !n
    %1 = graph.mul %i2, %i3 : !n
    %2 = graph.mul %0, %1 : !n
    rule.yield %2 : [n]
  }

//  42  ewmul(i3,ewmul(i1,i2)) = ewmul(i2,ewmul(i1,i3))
rule.rule @taso_42(%i1: [n], %i2: [n], %i3: [n]) -> [n]
  lifts [%i1, %i2, %i3]
  source {
    %0 = graph.mul %i1, %i2 : !n
    %1 = graph.mul %i3, %0 : !n
    rule.yield %1 : [n]
  }
  target {
    %0 = graph.mul %i1, %i3 : !n
    %1 = graph.mul %i2, %0 : !n
    rule.yield %1 : [n]
  }

//  43  ewmul(ewmul(i1,i2),ewmul(i2,i3)) = ewmul(i2,ewmul(i2,ewmul(i1,i3)))
rule.rule @taso_43(%i1: [n], %i2: [n], %i3: [n]) -> [n]
  lifts [%i1, %i2, %i3]
  source {
    %0 = graph.mul %i1, %i2 : !n
    %1 = graph.mul %i2, %i3 : !n
    %2 = graph.mul %0, %1 : !n
    rule.yield %2 : [n]
  }
  target {
    %0 = graph.mul %i1, %i3 : !n
    %1 = graph.mul %i2, %0 : !n
    %2 = graph.mul %i2, %1 : !n
    rule.yield %2 : [n]
  }

//  44  ewmul(i3,ewmul(i3,ewmul(i1,i2))) = ewmul(i2,ewmul(i3,ewmul(i1,i3)))
rule.rule @taso_44(%i1: [n], %i2: [n], %i3: [n]) -> [n]
  lifts [%i1, %i2, %i3]
  source {
    %0 = graph.mul %i1, %i2 : !n
    %1 = graph.mul %i3, %0 : !n
    %2 = graph.mul %i3, %1 : !n
    rule.yield %2 : [n]
  }
  target {
    %0 = graph.mul %i1, %i3 : !n
    %1 = graph.mul %i3, %0 : !n
    %2 = graph.mul %i2, %1 : !n
    rule.yield %2 : [n]
  }

//  45  ewadd(ewmul(i1,i2),ewmul(i3,ewmul(i1,i2))) = ewmul(i1,ewadd(i2,ewmul(i2,i3)))
rule.rule @taso_45(%i1: [n], %i2: [n], %i3: [n]) -> [n]
  lifts [%i1, %i2, %i3]
  source {
    %0 = graph.mul %i1, %i2 : !n
    %1 = graph.mul %i3, %0 : !n
    %2 = graph.add %0, %1 : !n
    rule.yield %2 : [n]
  }
  target {
    %0 = graph.mul %i2, %i3 : !n
    %1 = graph.add %i2, %0 : !n
    %2 = graph.mul %i1, %1 : !n
    rule.yield %2 : [n]
  }

//  46  ewmul(i3,ewadd(i1,ewmul(i1,i2))) = ewmul(i1,ewadd(i3,ewmul(i2,i3)))
rule.rule @taso_46(%i1: [n], %i2: [n], %i3: [n]) -> [n]
  lifts [%i1, %i2, %i3]
  source {
    %0 = graph.mul %i1, %i2 : !n
    %1 = graph.add %i1, %0 : !n
    %2 = graph.mul %i3, %1 : !n
    rule.yield %2 : [n]
  }
  target {
    %0 = graph.mul %i2, %i3 : !n
    %1 = graph.add %i3, %0 : !n
    %2 = graph.mul %i1, %1 : !n
    rule.yield %2 : [n]
  }

//  47  ewmul(i3,ewadd(i1,i2)) = ewadd(ewmul(i2,i3),ewmul(i1,i3))
rule.rule @taso_47(%i1: [n], %i2: [n], %i3: [n]) -> [n]
  lifts [%i1, %i2, %i3]
  source {
    %0 = graph.add %i1, %i2 : !n
    %1 = graph.mul %i3, %0 : !n
    rule.yield %1 : [n]
  }
  target {
    %0 = graph.mul %i2, %i3 : !n
    %1 = graph.mul %i1, %i3 : !n
    %2 = graph.add %0, %1 : !n
    rule.yield %2 : [n]
  }

//  48  ewmul(i3,ewmul(i3,ewmul(i1,i2))) = ewmul(ewmul(i2,i3),ewmul(i1,i3))
rule.rule @taso_48(%i1: [n], %i2: [n], %i3: [n]) -> [n]
  lifts [%i1, %i2, %i3]
  source {
    %0 = graph.mul %i1, %i2 : !n
    %1 = graph.mul %i3, %0 : !n
    %2 = graph.mul %i3, %1 : !n
    rule.yield %2 : [n]
  }
  target {
    %0 = graph.mul %i2, %i3 : !n
    %1 = graph.mul %i1, %i3 : !n
    %2 = graph.mul %0, %1 : !n
    rule.yield %2 : [n]
  }

//  49  ewmul(i3,ewmul(i1,i2)) = ewmul(i1,ewmul(i2,i3))
rule.rule @taso_49(%i1: [n], %i2: [n], %i3: [n]) -> [n]
  lifts [%i1, %i2, %i3]
  source {
    %0 = graph.mul %i1, %i2 : !n
    %1 = graph.mul %i3, %0 : !n
    rule.yield %1 : [n]
  }
  target {
    %0 = graph.mul %i2, %i3 : !n
    %1 = graph.mul %i1, %0 : !n
    rule.yield %1 : [n]
  }

//  50  ewmul(i3,ewadd(i2,ewmul(i1,i2))) = ewadd(ewmul(i2,i3),ewmul(i1,ewmul(i2,i3)))
rule.rule @taso_50(%i1: [n], %i2: [n], %i3: [n]) -> [n]
  lifts [%i1, %i2, %i3]
  source {
    %0 = graph.mul %i1, %i2 : !n
    %1 = graph.add %i2, %0 : !n
    %2 = graph.mul %i3, %1 : !n
    rule.yield %2 : [n]
  }
  target {
    %0 = graph.mul %i2, %i3 : !n
    %1 = graph.mul %i1, %0 : !n
    %2 = graph.add %0, %1 : !n
    rule.yield %2 : [n]
  }

//  51  ewmul(ewmul(i1,i2),ewmul(i1,i3)) = ewmul(i1,ewmul(i1,ewmul(i2,i3)))
rule.rule @taso_51(%i1: [n], %i2: [n], %i3: [n]) -> [n]
  lifts [%i1, %i2, %i3]
  source {
    %0 = graph.mul %i1, %i2 : !n
    %1 = graph.mul %i1, %i3 : !n
    %2 = graph.mul %0, %1 : !n
    rule.yield %2 : [n]
  }
  target {
    %0 = graph.mul %i2, %i3 : !n
    %1 = graph.mul %i1, %0 : !n
    %2 = graph.mul %i1, %1 : !n
    rule.yield %2 : [n]
  }

//  52  ewmul(i3,ewmul(i3,ewmul(i1,i2))) = ewmul(i1,ewmul(i3,ewmul(i2,i3)))
rule.rule @taso_52(%i1: [n], %i2: [n], %i3: [n]) -> [n]
  lifts [%i1, %i2, %i3]
  source {
    %0 = graph.mul %i1, %i2 : !n
    %1 = graph.mul %i3, %0 : !n
    %2 = graph.mul %i3, %1 : !n
    rule.yield %2 : [n]
  }
  target {
    %0 = graph.mul %i2, %i3 : !n
    %1 = graph.mul %i3, %0 : !n
    %2 = graph.mul %i1, %1 : !n
    rule.yield %2 : [n]
  }

//  53  conv2d[s11 p0 a0](ewmul(i12,ewmul(i10,i11)),ewmul(i12,ewmul(i10,i11))) = conv2d[s11 p0 a0](ewmul(i11,ewmul(i10,i12)),ewmul(i11,ewmul(i10,i12)))
rule.rule @taso_53(%i10: [n, c, h, w], %i11: [n, c, h, w], %i12: [n, c, h, w]) -> !n_n_y_y
  source {
    %0 = graph.mul %i10, %i11 : !n_c_h_w
    %1 = graph.mul %i12, %0 : !n_c_h_w
    %2 = graph.conv %1, %1 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !n_c_h_w) -> !n_n_y_y
    rule.yield %2 : !n_n_y_y
  }
  target {
    %0 = graph.mul %i10, %i12 : !n_c_h_w
    %1 = graph.mul %i11, %0 : !n_c_h_w
    %2 = graph.conv %1, %1 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !n_c_h_w) -> !n_n_y_y
    rule.yield %2 : !n_n_y_y
  }

//  54  conv2d[s11 p0 a2](ewmul(i12,ewmul(i10,i11)),ewmul(i12,ewmul(i10,i11))) = conv2d[s11 p0 a2](ewmul(i11,ewmul(i10,i12)),ewmul(i11,ewmul(i10,i12)))
rule.rule @taso_54(%i10: [n, c, h, w], %i11: [n, c, h, w], %i12: [n, c, h, w]) -> !n_n_y_y
  source {
    %0 = graph.mul %i10, %i11 : !n_c_h_w
    %1 = graph.mul %i12, %0 : !n_c_h_w
    %2 = graph.conv %1, %1 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !n_c_h_w) -> !n_n_y_y
    %3 = graph.relu %2 : !n_n_y_y
    rule.yield %3 : !n_n_y_y
  }
  target {
    %0 = graph.mul %i10, %i12 : !n_c_h_w
    %1 = graph.mul %i11, %0 : !n_c_h_w
    %2 = graph.conv %1, %1 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !n_c_h_w) -> !n_n_y_y
    %3 = graph.relu %2 : !n_n_y_y
    rule.yield %3 : !n_n_y_y
  }

//  55  conv2d[s11 p0 a0](ewmul(i12,ewmul(i10,i11)),ewmul(i12,ewmul(i10,i11))) = conv2d[s11 p0 a0](ewmul(i10,ewmul(i11,i12)),ewmul(i10,ewmul(i11,i12)))
rule.rule @taso_55(%i10: [n, c, h, w], %i11: [n, c, h, w], %i12: [n, c, h, w]) -> !n_n_y_y
  source {
    %0 = graph.mul %i10, %i11 : !n_c_h_w
    %1 = graph.mul %i12, %0 : !n_c_h_w
    %2 = graph.conv %1, %1 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !n_c_h_w) -> !n_n_y_y
    rule.yield %2 : !n_n_y_y
  }
  target {
    %0 = graph.mul %i11, %i12 : !n_c_h_w
    %1 = graph.mul %i10, %0 : !n_c_h_w
    %2 = graph.conv %1, %1 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !n_c_h_w) -> !n_n_y_y
    rule.yield %2 : !n_n_y_y
  }

//  56  conv2d[s11 p0 a2](ewmul(i12,ewmul(i10,i11)),ewmul(i12,ewmul(i10,i11))) = conv2d[s11 p0 a2](ewmul(i10,ewmul(i11,i12)),ewmul(i10,ewmul(i11,i12)))
rule.rule @taso_56(%i10: [n, c, h, w], %i11: [n, c, h, w], %i12: [n, c, h, w]) -> !n_n_y_y
  source {
    %0 = graph.mul %i10, %i11 : !n_c_h_w
    %1 = graph.mul %i12, %0 : !n_c_h_w
    %2 = graph.conv %1, %1 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !n_c_h_w) -> !n_n_y_y
    %3 = graph.relu %2 : !n_n_y_y
    rule.yield %3 : !n_n_y_y
  }
  target {
    %0 = graph.mul %i11, %i12 : !n_c_h_w
    %1 = graph.mul %i10, %0 : !n_c_h_w
    %2 = graph.conv %1, %1 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !n_c_h_w) -> !n_n_y_y
    %3 = graph.relu %2 : !n_n_y_y
    rule.yield %3 : !n_n_y_y
  }

//  57  ewmul(i13,ewadd(i14,i15)) = ewadd(ewmul(i13,i15),ewmul(i13,i14))
rule.rule @taso_57(%i13: [n], %i14: [n], %i15: [n]) -> [n]
  lifts [%i13, %i14, %i15]
  source {
    %0 = graph.add %i14, %i15 : !n
    %1 = graph.mul %i13, %0 : !n
    rule.yield %1 : [n]
  }
  target {
    %0 = graph.mul %i13, %i15 : !n
    %1 = graph.mul %i13, %i14 : !n
    %2 = graph.add %0, %1 : !n
    rule.yield %2 : [n]
  }

//  58  ewmul(i14,ewadd(i13,i15)) = ewadd(ewmul(i14,i15),ewmul(i13,i14))
rule.rule @taso_58(%i13: [n], %i14: [n], %i15: [n]) -> [n]
  lifts [%i13, %i14, %i15]
  source {
    %0 = graph.add %i13, %i15 : !n
    %1 = graph.mul %i14, %0 : !n
    rule.yield %1 : [n]
  }
  target {
    %0 = graph.mul %i14, %i15 : !n
    %1 = graph.mul %i13, %i14 : !n
    %2 = graph.add %0, %1 : !n
    rule.yield %2 : [n]
  }

//  59  conv2d[s11 p0 a0](i7,ewadd(i10,i11)) = ewadd(conv2d[s11 p0 a0](i7,i10),conv2d[s11 p0 a0](i7,i11))
!n_o_y_y = tensor<?x?x?x?xf32, #graph.dims<n, o, ((h + pb + pt - r) floordiv (sh)) + 1, ((pl + pr - s + w) floordiv (sw)) + 1>>
!o_c_r_s = tensor<?x?x?x?xf32, #graph.dims<o, c, r, s>>
rule.rule @taso_59(%i7: [n, c, h, w], %i10: [o, c, r, s], %i11: [o, c, r, s]) -> !n_o_y_y
  source {
    %0 = graph.add %i10, %i11 : !o_c_r_s
    %1 = graph.conv %i7, %0 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o_c_r_s) -> !n_o_y_y
    rule.yield %1 : !n_o_y_y
  }
  target {
    %0 = graph.conv %i7, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o_c_r_s) -> !n_o_y_y
    %1 = graph.conv %i7, %i11 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o_c_r_s) -> !n_o_y_y
    %2 = graph.add %0, %1 : !n_o_y_y
    rule.yield %2 : !n_o_y_y
  }

//  60  conv2d[s11 p0 a0](ewadd(i7,i8),i10) = ewadd(conv2d[s11 p0 a0](i7,i10),conv2d[s11 p0 a0](i8,i10))
rule.rule @taso_60(%i7: [n, c, h, w], %i8: [n, c, h, w], %i10: [o, c, r, s]) -> !n_o_y_y
  source {
    %0 = graph.add %i7, %i8 : !n_c_h_w
    %1 = graph.conv %0, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o_c_r_s) -> !n_o_y_y
    rule.yield %1 : !n_o_y_y
  }
  target {
    %0 = graph.conv %i7, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o_c_r_s) -> !n_o_y_y
    %1 = graph.conv %i8, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o_c_r_s) -> !n_o_y_y
    %2 = graph.add %0, %1 : !n_o_y_y
    rule.yield %2 : !n_o_y_y
  }

//  61  conv2d[s11 p0 a0](i7,ewadd(i10,i11)) = ewadd(conv2d[s11 p0 a0](i7,i11),conv2d[s11 p0 a0](i7,i10))
rule.rule @taso_61(%i7: [n, c, h, w], %i10: [o, c, r, s], %i11: [o, c, r, s]) -> !n_o_y_y
  source {
    %0 = graph.add %i10, %i11 : !o_c_r_s
    %1 = graph.conv %i7, %0 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o_c_r_s) -> !n_o_y_y
    rule.yield %1 : !n_o_y_y
  }
  target {
    %0 = graph.conv %i7, %i11 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o_c_r_s) -> !n_o_y_y
    %1 = graph.conv %i7, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o_c_r_s) -> !n_o_y_y
    %2 = graph.add %0, %1 : !n_o_y_y
    rule.yield %2 : !n_o_y_y
  }

//  62  conv2d[s11 p0 a0](ewadd(i7,i8),i10) = ewadd(conv2d[s11 p0 a0](i8,i10),conv2d[s11 p0 a0](i7,i10))
rule.rule @taso_62(%i7: [n, c, h, w], %i8: [n, c, h, w], %i10: [o, c, r, s]) -> !n_o_y_y
  source {
    %0 = graph.add %i7, %i8 : !n_c_h_w
    %1 = graph.conv %0, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o_c_r_s) -> !n_o_y_y
    rule.yield %1 : !n_o_y_y
  }
  target {
    %0 = graph.conv %i8, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o_c_r_s) -> !n_o_y_y
    %1 = graph.conv %i7, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o_c_r_s) -> !n_o_y_y
    %2 = graph.add %0, %1 : !n_o_y_y
    rule.yield %2 : !n_o_y_y
  }

//  63  relu(conv2d[s11 p0 a0](i7,i19)) = conv2d[s11 p0 a2](i7,i19) ; conv2d[s11 p0 a2](i8,i10) = relu(conv2d[s11 p0 a0](i8,i10))
!n_o2_y_y = tensor<?x?x?x?xf32, #graph.dims<n, o2, ((h + pb + pt - r2) floordiv (sh)) + 1, ((pl + pr - s2 + w) floordiv (sw)) + 1>>
!n2_o_y_y = tensor<?x?x?x?xf32, #graph.dims<n2, o, ((h2 + pb + pt - r) floordiv (sh)) + 1, ((pl + pr - s + w2) floordiv (sw)) + 1>>
!o2_c_r2_s2 = tensor<?x?x?x?xf32, #graph.dims<o2, c, r2, s2>>
!n2_c2_h2_w2 = tensor<?x?x?x?xf32, #graph.dims<n2, c2, h2, w2>>
!o_c2_r_s = tensor<?x?x?x?xf32, #graph.dims<o, c2, r, s>>
rule.rule @taso_63(%i7: [n, c, h, w], %i8: [n2, c2, h2, w2], %i10: [o, c2, r, s], %i19: [o2, c, r2, s2]) -> (!n_o2_y_y, !n2_o_y_y)
  source {
    %0 = graph.conv %i7, %i19 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o2_c_r2_s2) -> !n_o2_y_y
    %1 = graph.relu %0 : !n_o2_y_y
    %2 = graph.conv %i8, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n2_c2_h2_w2, !o_c2_r_s) -> !n2_o_y_y
    %3 = graph.relu %2 : !n2_o_y_y
    rule.yield %1, %3 : !n_o2_y_y, !n2_o_y_y
  }
  target {
    %0 = graph.conv %i8, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n2_c2_h2_w2, !o_c2_r_s) -> !n2_o_y_y
    %1 = graph.conv %i7, %i19 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o2_c_r2_s2) -> !n_o2_y_y
    %2 = graph.relu %1 : !n_o2_y_y
    %3 = graph.relu %0 : !n2_o_y_y
    rule.yield %2, %3 : !n_o2_y_y, !n2_o_y_y
  }

//  64  relu(conv2d[s11 p0 a0](i7,i10)) = conv2d[s11 p0 a2](i7,i10)
rule.rule @taso_64(%i7: [n, c, h, w], %i10: [o, c, r, s]) -> !n_o_y_y
  source {
    %0 = graph.conv %i7, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o_c_r_s) -> !n_o_y_y
    %1 = graph.relu %0 : !n_o_y_y
    rule.yield %1 : !n_o_y_y
  }
  target {
    %0 = graph.conv %i7, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o_c_r_s) -> !n_o_y_y
    %1 = graph.relu %0 : !n_o_y_y
    rule.yield %1 : !n_o_y_y
  }

//  65  relu(conv2d[s11 p0 a0](i7,i10)) = conv2d[s11 p0 a2](i7,i10) ; conv2d[s11 p0 a2](i8,i11) = relu(conv2d[s11 p0 a0](i8,i11))
!n2_o2_y_y = tensor<?x?x?x?xf32, #graph.dims<n2, o2, ((h2 + pb + pt - r2) floordiv (sh)) + 1, ((pl + pr - s2 + w2) floordiv (sw)) + 1>>
!o2_c2_r2_s2 = tensor<?x?x?x?xf32, #graph.dims<o2, c2, r2, s2>>
rule.rule @taso_65(%i7: [n, c, h, w], %i8: [n2, c2, h2, w2], %i10: [o, c, r, s], %i11: [o2, c2, r2, s2]) -> (!n_o_y_y, !n2_o2_y_y)
  source {
    %0 = graph.conv %i7, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o_c_r_s) -> !n_o_y_y
    %1 = graph.relu %0 : !n_o_y_y
    %2 = graph.conv %i8, %i11 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n2_c2_h2_w2, !o2_c2_r2_s2) -> !n2_o2_y_y
    %3 = graph.relu %2 : !n2_o2_y_y
    rule.yield %1, %3 : !n_o_y_y, !n2_o2_y_y
  }
  target {
    %0 = graph.conv %i7, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o_c_r_s) -> !n_o_y_y
    %1 = graph.relu %0 : !n_o_y_y
    %2 = graph.conv %i8, %i11 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n2_c2_h2_w2, !o2_c2_r2_s2) -> !n2_o2_y_y
    %3 = graph.relu %2 : !n2_o2_y_y
    rule.yield %1, %3 : !n_o_y_y, !n2_o2_y_y
  }

//  66  conv2d[s11 p0 a2](relu(conv2d[s11 p0 a0](i7,i10)),i11) = relu(conv2d[s11 p0 a0](conv2d[s11 p0 a2](i7,i10),i11))
!n_o2_y_y_2 = tensor<?x?x?x?xf32, #graph.dims<n, o2, ((((h + pb + pt - r) floordiv (sh)) + pb + pt - r2 + 1) floordiv (sh)) + 1, ((((pl + pr - s + w) floordiv (sw)) + pl + pr - s2 + 1) floordiv (sw)) + 1>>
!o2_o_r2_s2 = tensor<?x?x?x?xf32, #graph.dims<o2, o, r2, s2>>
rule.rule @taso_66(%i7: [n, c, h, w], %i10: [o, c, r, s], %i11: [o2, o, r2, s2]) -> !n_o2_y_y_2
  source {
    %0 = graph.conv %i7, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o_c_r_s) -> !n_o_y_y
    %1 = graph.relu %0 : !n_o_y_y
    %2 = graph.conv %1, %i11 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_o_y_y, !o2_o_r2_s2) -> !n_o2_y_y_2
    %3 = graph.relu %2 : !n_o2_y_y_2
    rule.yield %3 : !n_o2_y_y_2
  }
  target {
    %0 = graph.conv %i7, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o_c_r_s) -> !n_o_y_y
    %1 = graph.relu %0 : !n_o_y_y
    %2 = graph.conv %1, %i11 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_o_y_y, !o2_o_r2_s2) -> !n_o2_y_y_2
    %3 = graph.relu %2 : !n_o2_y_y_2
    rule.yield %3 : !n_o2_y_y_2
  }

//  67  relu(concat@1(i7,conv2d[s11 p0 a0](i8,i10))) = concat@1(relu(i7),conv2d[s11 p0 a2](i8,i10))
!n_c_y_y = tensor<?x?x?x?xf32, #graph.dims<n, c, ((h + pb + pt - r) floordiv (sh)) + 1, ((pl + pr - s + w) floordiv (sw)) + 1>>
!n_co_y_y = tensor<?x?x?x?xf32, #graph.dims<n, c + o, ((h + pb + pt - r) floordiv (sh)) + 1, ((pl + pr - s + w) floordiv (sw)) + 1>>
!n_c2_h_w = tensor<?x?x?x?xf32, #graph.dims<n, c2, h, w>>
rule.rule @taso_67(%i7: !n_c_y_y, %i8: [n, c2, h, w], %i10: [o, c2, r, s]) -> !n_co_y_y
  source {
    %0 = graph.conv %i8, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c2_h_w, !o_c2_r_s) -> !n_o_y_y
    %1 = graph.concat %i7, %0 axis = 1 : (!n_c_y_y, !n_o_y_y) -> !n_co_y_y
    %2 = graph.relu %1 : !n_co_y_y
    rule.yield %2 : !n_co_y_y
  }
  target {
    %0 = graph.relu %i7 : !n_c_y_y
    %1 = graph.conv %i8, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c2_h_w, !o_c2_r_s) -> !n_o_y_y
    %2 = graph.relu %1 : !n_o_y_y
    %3 = graph.concat %0, %2 axis = 1 : (!n_c_y_y, !n_o_y_y) -> !n_co_y_y
    rule.yield %3 : !n_co_y_y
  }

//  68  relu(concat@0(i7,conv2d[s11 p0 a0](i8,i10))) = concat@0(relu(i7),conv2d[s11 p0 a2](i8,i10))
!nn2_c_y_y = tensor<?x?x?x?xf32, #graph.dims<n + n2, c, ((h + pb + pt - r) floordiv (sh)) + 1, ((pl + pr - s + w) floordiv (sw)) + 1>>
!n2_c2_h_w = tensor<?x?x?x?xf32, #graph.dims<n2, c2, h, w>>
!c_c2_r_s = tensor<?x?x?x?xf32, #graph.dims<c, c2, r, s>>
!n2_c_y_y = tensor<?x?x?x?xf32, #graph.dims<n2, c, ((h + pb + pt - r) floordiv (sh)) + 1, ((pl + pr - s + w) floordiv (sw)) + 1>>
rule.rule @taso_68(%i7: !n_c_y_y, %i8: [n2, c2, h, w], %i10: [c, c2, r, s]) -> !nn2_c_y_y
  source {
    %0 = graph.conv %i8, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n2_c2_h_w, !c_c2_r_s) -> !n2_c_y_y
    %1 = graph.concat %i7, %0 axis = 0 : (!n_c_y_y, !n2_c_y_y) -> !nn2_c_y_y
    %2 = graph.relu %1 : !nn2_c_y_y
    rule.yield %2 : !nn2_c_y_y
  }
  target {
    %0 = graph.relu %i7 : !n_c_y_y
    %1 = graph.conv %i8, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n2_c2_h_w, !c_c2_r_s) -> !n2_c_y_y
    %2 = graph.relu %1 : !n2_c_y_y
    %3 = graph.concat %0, %2 axis = 0 : (!n_c_y_y, !n2_c_y_y) -> !nn2_c_y_y
    rule.yield %3 : !nn2_c_y_y
  }

//  69  concat@1(relu(i1),relu(i2)) = relu(concat@1(i1,i2))
rule.rule @taso_69(%i1: [m, n], %i2: [m, n2]) -> [m, n + n2]
  source {
    %0 = graph.relu %i1 : !m_n
    %1 = graph.relu %i2 : !m_n2
    %2 = graph.concat %0, %1 axis = 1 : (!m_n, !m_n2) -> !m_nn2
    rule.yield %2 : [m, n + n2]
  }
  target {
    %0 = graph.concat %i1, %i2 axis = 1 : (!m_n, !m_n2) -> !m_nn2
    %1 = graph.relu %0 : !m_nn2
    rule.yield %1 : [m, n + n2]
  }

//  70  relu(i1) = split@1(relu(concat@1(i1,i2)))#0 ; relu(i2) = split@1(relu(concat@1(i1,i2)))#1
rule.rule @taso_70(%i1: [m, n], %i2: [m, n2]) -> ([m, n], [m, n2])
  source {
    %0 = graph.relu %i1 : !m_n
    %1 = graph.relu %i2 : !m_n2
    rule.yield %0, %1 : [m, n], [m, n2]
  }
  target {
    %0 = graph.concat %i1, %i2 axis = 1 : (!m_n, !m_n2) -> !m_nn2
    %1 = graph.relu %0 : !m_nn2
    %2, %3 = graph.split %1 axis = 1 sizes = [n, n2] : (!m_nn2) -> (!m_n, !m_n2)
    rule.yield %2, %3 : [m, n], [m, n2]
  }

//  71  concat@1(ewadd(i1,i2),ewadd(i2,i3)) = ewadd(concat@1(i1,i2),concat@1(i2,i3))
!m_2n = tensor<?x?xf32, #graph.dims<m, 2 * n>>
rule.rule @taso_71(%i1: [m, n], %i2: [m, n], %i3: [m, n]) -> [m, 2 * n]
  source {
    %0 = graph.add %i1, %i2 : !m_n
    %1 = graph.add %i2, %i3 : !m_n
    %2 = graph.concat %0, %1 axis = 1 : (!m_n, !m_n) -> !m_2n
    rule.yield %2 : [m, 2 * n]
  }
  target {
    %0 = graph.concat %i1, %i2 axis = 1 : (!m_n, !m_n) -> !m_2n
    %1 = graph.concat %i2, %i3 axis = 1 : (!m_n, !m_n) -> !m_2n
    %2 = graph.add %0, %1 : !m_2n
    rule.yield %2 : [m, 2 * n]
  }

//  72  concat@1(ewmul(i1,i2),ewmul(i2,i3)) = ewmul(concat@1(i1,i2),concat@1(i2,i3))
rule.rule @taso_72(%i1: [m, n], %i2: [m, n], %i3: [m, n]) -> [m, 2 * n]
  source {
    %0 = graph.mul %i1, %i2 : !m_n
    %1 = graph.mul %i2, %i3 : !m_n
    %2 = graph.concat %0, %1 axis = 1 : (!m_n, !m_n) -> !m_2n
    rule.yield %2 : [m, 2 * n]
  }
  target {
    %0 = graph.concat %i1, %i2 axis = 1 : (!m_n, !m_n) -> !m_2n
    %1 = graph.concat %i2, %i3 axis = 1 : (!m_n, !m_n) -> !m_2n
    %2 = graph.mul %0, %1 : !m_2n
    rule.yield %2 : [m, 2 * n]
  }

//  73  ewadd(matmul(i1,i4),matmul(i2,i5)) = matmul(concat@1(i1,i2),concat@0(i4,i5))
!m_kk2 = tensor<?x?xf32, #graph.dims<m, k + k2>>
!kk2_n = tensor<?x?xf32, #graph.dims<k + k2, n>>
rule.rule @taso_73(%i1: [m, k], %i2: [m, k2], %i4: [k, n], %i5: [k2, n]) -> [m, n]
  source {
    %0 = graph.matmul %i1, %i4 : (!m_k, !k_n) -> !m_n
    %1 = graph.matmul %i2, %i5 : (!m_k2, !k2_n) -> !m_n
    %2 = graph.add %0, %1 : !m_n
    rule.yield %2 : [m, n]
  }
  target {
    %0 = graph.concat %i1, %i2 axis = 1 : (!m_k, !m_k2) -> !m_kk2
    %1 = graph.concat %i4, %i5 axis = 0 : (!k_n, !k2_n) -> !kk2_n
    %2 = graph.matmul %0, %1 : (!m_kk2, !kk2_n) -> !m_n
    rule.yield %2 : [m, n]
  }

//  74  concat@1(ewadd(i1,i2),ewadd(i2,i3)) = ewadd(concat@1(i2,i3),concat@1(i1,i2))
rule.rule @taso_74(%i1: [m, n], %i2: [m, n], %i3: [m, n]) -> [m, 2 * n]
  source {
    %0 = graph.add %i1, %i2 : !m_n
    %1 = graph.add %i2, %i3 : !m_n
    %2 = graph.concat %0, %1 axis = 1 : (!m_n, !m_n) -> !m_2n
    rule.yield %2 : [m, 2 * n]
  }
  target {
    %0 = graph.concat %i2, %i3 axis = 1 : (!m_n, !m_n) -> !m_2n
    %1 = graph.concat %i1, %i2 axis = 1 : (!m_n, !m_n) -> !m_2n
    %2 = graph.add %0, %1 : !m_2n
    rule.yield %2 : [m, 2 * n]
  }

//  75  concat@1(ewmul(i1,i2),ewmul(i2,i3)) = ewmul(concat@1(i2,i3),concat@1(i1,i2))
rule.rule @taso_75(%i1: [m, n], %i2: [m, n], %i3: [m, n]) -> [m, 2 * n]
  source {
    %0 = graph.mul %i1, %i2 : !m_n
    %1 = graph.mul %i2, %i3 : !m_n
    %2 = graph.concat %0, %1 axis = 1 : (!m_n, !m_n) -> !m_2n
    rule.yield %2 : [m, 2 * n]
  }
  target {
    %0 = graph.concat %i2, %i3 axis = 1 : (!m_n, !m_n) -> !m_2n
    %1 = graph.concat %i1, %i2 axis = 1 : (!m_n, !m_n) -> !m_2n
    %2 = graph.mul %0, %1 : !m_2n
    rule.yield %2 : [m, 2 * n]
  }

//  76  concat@1(matmul(i1,i4),matmul(i1,i5)) = matmul(i1,concat@1(i4,i5))
rule.rule @taso_76(%i1: [m, k], %i4: [k, n], %i5: [k, n2]) -> [m, n + n2]
  source {
    %0 = graph.matmul %i1, %i4 : (!m_k, !k_n) -> !m_n
    %1 = graph.matmul %i1, %i5 : (!m_k, !k_n2) -> !m_n2
    %2 = graph.concat %0, %1 axis = 1 : (!m_n, !m_n2) -> !m_nn2
    rule.yield %2 : [m, n + n2]
  }
  target {
    %0 = graph.concat %i4, %i5 axis = 1 : (!k_n, !k_n2) -> !k_nn2
    %1 = graph.matmul %i1, %0 : (!m_k, !k_nn2) -> !m_nn2
    rule.yield %1 : [m, n + n2]
  }

//  77  matmul(i1,i4) = split@1(matmul(i1,concat@1(i4,i5)))#0 ; matmul(i1,i5) = split@1(matmul(i1,concat@1(i4,i5)))#1
rule.rule @taso_77(%i1: [m, k], %i4: [k, n], %i5: [k, n2]) -> ([m, n], [m, n2])
  source {
    %0 = graph.matmul %i1, %i4 : (!m_k, !k_n) -> !m_n
    %1 = graph.matmul %i1, %i5 : (!m_k, !k_n2) -> !m_n2
    rule.yield %0, %1 : [m, n], [m, n2]
  }
  target {
    %0 = graph.concat %i4, %i5 axis = 1 : (!k_n, !k_n2) -> !k_nn2
    %1 = graph.matmul %i1, %0 : (!m_k, !k_nn2) -> !m_nn2
    %2, %3 = graph.split %1 axis = 1 sizes = [n, n2] : (!m_nn2) -> (!m_n, !m_n2)
    rule.yield %2, %3 : [m, n], [m, n2]
  }

//  78  concat@0(matmul(i1,i4),matmul(i2,i4)) = matmul(concat@0(i1,i2),i4)
!mm2_n = tensor<?x?xf32, #graph.dims<m + m2, n>>
!mm2_k = tensor<?x?xf32, #graph.dims<m + m2, k>>
rule.rule @taso_78(%i1: [m, k], %i2: [m2, k], %i4: [k, n]) -> [m + m2, n]
  source {
    %0 = graph.matmul %i1, %i4 : (!m_k, !k_n) -> !m_n
    %1 = graph.matmul %i2, %i4 : (!m2_k, !k_n) -> !m2_n
    %2 = graph.concat %0, %1 axis = 0 : (!m_n, !m2_n) -> !mm2_n
    rule.yield %2 : [m + m2, n]
  }
  target {
    %0 = graph.concat %i1, %i2 axis = 0 : (!m_k, !m2_k) -> !mm2_k
    %1 = graph.matmul %0, %i4 : (!mm2_k, !k_n) -> !mm2_n
    rule.yield %1 : [m + m2, n]
  }

//  79  matmul(i1,i4) = split@0(matmul(concat@0(i1,i2),i4))#0 ; matmul(i2,i4) = split@0(matmul(concat@0(i1,i2),i4))#1
rule.rule @taso_79(%i1: [m, k], %i2: [m2, k], %i4: [k, n]) -> ([m, n], [m2, n])
  source {
    %0 = graph.matmul %i1, %i4 : (!m_k, !k_n) -> !m_n
    %1 = graph.matmul %i2, %i4 : (!m2_k, !k_n) -> !m2_n
    rule.yield %0, %1 : [m, n], [m2, n]
  }
  target {
    %0 = graph.concat %i1, %i2 axis = 0 : (!m_k, !m2_k) -> !mm2_k
    %1 = graph.matmul %0, %i4 : (!mm2_k, !k_n) -> !mm2_n
    %2, %3 = graph.split %1 axis = 0 sizes = [m, m2] : (!mm2_n) -> (!m_n, !m2_n)
    rule.yield %2, %3 : [m, n], [m2, n]
  }

//  80  concat@0(relu(i1),relu(i2)) = relu(concat@0(i1,i2))
rule.rule @taso_80(%i1: [m, n], %i2: [m2, n]) -> [m + m2, n]
  source {
    %0 = graph.relu %i1 : !m_n
    %1 = graph.relu %i2 : !m2_n
    %2 = graph.concat %0, %1 axis = 0 : (!m_n, !m2_n) -> !mm2_n
    rule.yield %2 : [m + m2, n]
  }
  target {
    %0 = graph.concat %i1, %i2 axis = 0 : (!m_n, !m2_n) -> !mm2_n
    %1 = graph.relu %0 : !mm2_n
    rule.yield %1 : [m + m2, n]
  }

//  81  relu(i1) = split@0(relu(concat@0(i1,i2)))#0 ; relu(i2) = split@0(relu(concat@0(i1,i2)))#1
rule.rule @taso_81(%i1: [m, n], %i2: [m2, n]) -> ([m, n], [m2, n])
  source {
    %0 = graph.relu %i1 : !m_n
    %1 = graph.relu %i2 : !m2_n
    rule.yield %0, %1 : [m, n], [m2, n]
  }
  target {
    %0 = graph.concat %i1, %i2 axis = 0 : (!m_n, !m2_n) -> !mm2_n
    %1 = graph.relu %0 : !mm2_n
    %2, %3 = graph.split %1 axis = 0 sizes = [m, m2] : (!mm2_n) -> (!m_n, !m2_n)
    rule.yield %2, %3 : [m, n], [m2, n]
  }

//  82  concat@0(ewadd(i1,i2),ewadd(i4,i5)) = ewadd(concat@0(i1,i4),concat@0(i2,i5))
rule.rule @taso_82(%i1: [m, n], %i2: [m, n], %i4: [m2, n], %i5: [m2, n]) -> [m + m2, n]
  source {
    %0 = graph.add %i1, %i2 : !m_n
    %1 = graph.add %i4, %i5 : !m2_n
    %2 = graph.concat %0, %1 axis = 0 : (!m_n, !m2_n) -> !mm2_n
    rule.yield %2 : [m + m2, n]
  }
  target {
    %0 = graph.concat %i1, %i4 axis = 0 : (!m_n, !m2_n) -> !mm2_n
    %1 = graph.concat %i2, %i5 axis = 0 : (!m_n, !m2_n) -> !mm2_n
    %2 = graph.add %0, %1 : !mm2_n
    rule.yield %2 : [m + m2, n]
  }

//  83  concat@0(ewmul(i1,i2),ewmul(i4,i5)) = ewmul(concat@0(i1,i4),concat@0(i2,i5))
rule.rule @taso_83(%i1: [m, n], %i2: [m, n], %i4: [m2, n], %i5: [m2, n]) -> [m + m2, n]
  source {
    %0 = graph.mul %i1, %i2 : !m_n
    %1 = graph.mul %i4, %i5 : !m2_n
    %2 = graph.concat %0, %1 axis = 0 : (!m_n, !m2_n) -> !mm2_n
    rule.yield %2 : [m + m2, n]
  }
  target {
    %0 = graph.concat %i1, %i4 axis = 0 : (!m_n, !m2_n) -> !mm2_n
    %1 = graph.concat %i2, %i5 axis = 0 : (!m_n, !m2_n) -> !mm2_n
    %2 = graph.mul %0, %1 : !mm2_n
    rule.yield %2 : [m + m2, n]
  }

//  84  concat@0(concat@1(i1,i2),concat@1(i4,i5)) = concat@1(concat@0(i1,i4),concat@0(i2,i5))
!m2_n2 = tensor<?x?xf32, #graph.dims<m2, n2>>
!m2_nn2 = tensor<?x?xf32, #graph.dims<m2, n + n2>>
!mm2_nn2 = tensor<?x?xf32, #graph.dims<m + m2, n + n2>>
!mm2_n2 = tensor<?x?xf32, #graph.dims<m + m2, n2>>
rule.rule @taso_84(%i1: [m, n], %i2: [m, n2], %i4: [m2, n], %i5: [m2, n2]) -> [m + m2, n + n2]
  source {
    %0 = graph.concat %i1, %i2 axis = 1 : (!m_n, !m_n2) -> !m_nn2
    %1 = graph.concat %i4, %i5 axis = 1 : (!m2_n, !m2_n2) -> !m2_nn2
    %2 = graph.concat %0, %1 axis = 0 : (!m_nn2, !m2_nn2) -> !mm2_nn2
    rule.yield %2 : [m + m2, n + n2]
  }
  target {
    %0 = graph.concat %i1, %i4 axis = 0 : (!m_n, !m2_n) -> !mm2_n
    %1 = graph.concat %i2, %i5 axis = 0 : (!m_n2, !m2_n2) -> !mm2_n2
    %2 = graph.concat %0, %1 axis = 1 : (!mm2_n, !mm2_n2) -> !mm2_nn2
    rule.yield %2 : [m + m2, n + n2]
  }

//  85  concat@0(ewadd(i1,i2),ewadd(i4,i5)) = ewadd(concat@0(i1,i5),concat@0(i2,i4))
rule.rule @taso_85(%i1: [m, n], %i2: [m, n], %i4: [m2, n], %i5: [m2, n]) -> [m + m2, n]
  source {
    %0 = graph.add %i1, %i2 : !m_n
    %1 = graph.add %i4, %i5 : !m2_n
    %2 = graph.concat %0, %1 axis = 0 : (!m_n, !m2_n) -> !mm2_n
    rule.yield %2 : [m + m2, n]
  }
  target {
    %0 = graph.concat %i1, %i5 axis = 0 : (!m_n, !m2_n) -> !mm2_n
    %1 = graph.concat %i2, %i4 axis = 0 : (!m_n, !m2_n) -> !mm2_n
    %2 = graph.add %0, %1 : !mm2_n
    rule.yield %2 : [m + m2, n]
  }

//  86  concat@0(ewmul(i1,i2),ewmul(i4,i5)) = ewmul(concat@0(i1,i5),concat@0(i2,i4))
rule.rule @taso_86(%i1: [m, n], %i2: [m, n], %i4: [m2, n], %i5: [m2, n]) -> [m + m2, n]
  source {
    %0 = graph.mul %i1, %i2 : !m_n
    %1 = graph.mul %i4, %i5 : !m2_n
    %2 = graph.concat %0, %1 axis = 0 : (!m_n, !m2_n) -> !mm2_n
    rule.yield %2 : [m + m2, n]
  }
  target {
    %0 = graph.concat %i1, %i5 axis = 0 : (!m_n, !m2_n) -> !mm2_n
    %1 = graph.concat %i2, %i4 axis = 0 : (!m_n, !m2_n) -> !mm2_n
    %2 = graph.mul %0, %1 : !mm2_n
    rule.yield %2 : [m + m2, n]
  }

//  87  concat@0(ewadd(i1,i2),ewadd(i4,i5)) = ewadd(concat@0(i2,i4),concat@0(i1,i5))
rule.rule @taso_87(%i1: [m, n], %i2: [m, n], %i4: [m2, n], %i5: [m2, n]) -> [m + m2, n]
  source {
    %0 = graph.add %i1, %i2 : !m_n
    %1 = graph.add %i4, %i5 : !m2_n
    %2 = graph.concat %0, %1 axis = 0 : (!m_n, !m2_n) -> !mm2_n
    rule.yield %2 : [m + m2, n]
  }
  target {
    %0 = graph.concat %i2, %i4 axis = 0 : (!m_n, !m2_n) -> !mm2_n
    %1 = graph.concat %i1, %i5 axis = 0 : (!m_n, !m2_n) -> !mm2_n
    %2 = graph.add %0, %1 : !mm2_n
    rule.yield %2 : [m + m2, n]
  }

//  88  concat@0(ewmul(i1,i2),ewmul(i4,i5)) = ewmul(concat@0(i2,i4),concat@0(i1,i5))
rule.rule @taso_88(%i1: [m, n], %i2: [m, n], %i4: [m2, n], %i5: [m2, n]) -> [m + m2, n]
  source {
    %0 = graph.mul %i1, %i2 : !m_n
    %1 = graph.mul %i4, %i5 : !m2_n
    %2 = graph.concat %0, %1 axis = 0 : (!m_n, !m2_n) -> !mm2_n
    rule.yield %2 : [m + m2, n]
  }
  target {
    %0 = graph.concat %i2, %i4 axis = 0 : (!m_n, !m2_n) -> !mm2_n
    %1 = graph.concat %i1, %i5 axis = 0 : (!m_n, !m2_n) -> !mm2_n
    %2 = graph.mul %0, %1 : !mm2_n
    rule.yield %2 : [m + m2, n]
  }

//  89  concat@0(ewadd(i1,i2),ewadd(i4,i5)) = ewadd(concat@0(i2,i5),concat@0(i1,i4))
rule.rule @taso_89(%i1: [m, n], %i2: [m, n], %i4: [m2, n], %i5: [m2, n]) -> [m + m2, n]
  source {
    %0 = graph.add %i1, %i2 : !m_n
    %1 = graph.add %i4, %i5 : !m2_n
    %2 = graph.concat %0, %1 axis = 0 : (!m_n, !m2_n) -> !mm2_n
    rule.yield %2 : [m + m2, n]
  }
  target {
    %0 = graph.concat %i2, %i5 axis = 0 : (!m_n, !m2_n) -> !mm2_n
    %1 = graph.concat %i1, %i4 axis = 0 : (!m_n, !m2_n) -> !mm2_n
    %2 = graph.add %0, %1 : !mm2_n
    rule.yield %2 : [m + m2, n]
  }

//  90  concat@0(ewmul(i1,i2),ewmul(i4,i5)) = ewmul(concat@0(i2,i5),concat@0(i1,i4))
rule.rule @taso_90(%i1: [m, n], %i2: [m, n], %i4: [m2, n], %i5: [m2, n]) -> [m + m2, n]
  source {
    %0 = graph.mul %i1, %i2 : !m_n
    %1 = graph.mul %i4, %i5 : !m2_n
    %2 = graph.concat %0, %1 axis = 0 : (!m_n, !m2_n) -> !mm2_n
    rule.yield %2 : [m + m2, n]
  }
  target {
    %0 = graph.concat %i2, %i5 axis = 0 : (!m_n, !m2_n) -> !mm2_n
    %1 = graph.concat %i1, %i4 axis = 0 : (!m_n, !m2_n) -> !mm2_n
    %2 = graph.mul %0, %1 : !mm2_n
    rule.yield %2 : [m + m2, n]
  }

//  91  ewadd(matmul(i1,i4),matmul(i2,i5)) = matmul(concat@1(i1,i2),concat@0(i4,i5))
rule.rule @taso_91(%i1: [m, k], %i2: [m, k2], %i4: [k, n], %i5: [k2, n]) -> [m, n]
  source {
    %0 = graph.matmul %i1, %i4 : (!m_k, !k_n) -> !m_n
    %1 = graph.matmul %i2, %i5 : (!m_k2, !k2_n) -> !m_n
    %2 = graph.add %0, %1 : !m_n
    rule.yield %2 : [m, n]
  }
  target {
    %0 = graph.concat %i4, %i5 axis = 0 : (!k_n, !k2_n) -> !kk2_n
    %1 = graph.concat %i1, %i2 axis = 1 : (!m_k, !m_k2) -> !m_kk2
    %2 = graph.matmul %1, %0 : (!m_kk2, !kk2_n) -> !m_n
    rule.yield %2 : [m, n]
  }

//  92  conv2d[s11 p0 a0](concat@1(i5,concat@1(i4,i19)),concat@1(i5,concat@1(i4,i19))) = conv2d[s11 p0 a0](concat@1(i4,concat@1(i5,i19)),concat@1(i4,concat@1(i5,i19)))
!n_c3_h_w = tensor<?x?x?x?xf32, #graph.dims<n, c3, h, w>>
!n_cc3_h_w = tensor<?x?x?x?xf32, #graph.dims<n, c + c3, h, w>>
!n_cc2c3_h_w = tensor<?x?x?x?xf32, #graph.dims<n, c + c2 + c3, h, w>>
!n_c2c3_h_w = tensor<?x?x?x?xf32, #graph.dims<n, c2 + c3, h, w>>
rule.rule @taso_92(%i4: [n, c, h, w], %i5: [n, c2, h, w], %i19: [n, c3, h, w]) -> !n_n_y_y
  source {
    %0 = graph.concat %i4, %i19 axis = 1 : (!n_c_h_w, !n_c3_h_w) -> !n_cc3_h_w
    %1 = graph.concat %i5, %0 axis = 1 : (!n_c2_h_w, !n_cc3_h_w) -> !n_cc2c3_h_w
    %2 = graph.conv %1, %1 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_cc2c3_h_w, !n_cc2c3_h_w) -> !n_n_y_y
    rule.yield %2 : !n_n_y_y
  }
  target {
    %0 = graph.concat %i5, %i19 axis = 1 : (!n_c2_h_w, !n_c3_h_w) -> !n_c2c3_h_w
    %1 = graph.concat %i4, %0 axis = 1 : (!n_c_h_w, !n_c2c3_h_w) -> !n_cc2c3_h_w
    %2 = graph.conv %1, %1 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_cc2c3_h_w, !n_cc2c3_h_w) -> !n_n_y_y
    rule.yield %2 : !n_n_y_y
  }

//  93  conv2d[s11 p0 a2](concat@1(i5,concat@1(i4,i19)),concat@1(i5,concat@1(i4,i19))) = conv2d[s11 p0 a2](concat@1(i4,concat@1(i5,i19)),concat@1(i4,concat@1(i5,i19)))
rule.rule @taso_93(%i4: [n, c, h, w], %i5: [n, c2, h, w], %i19: [n, c3, h, w]) -> !n_n_y_y
  source {
    %0 = graph.concat %i4, %i19 axis = 1 : (!n_c_h_w, !n_c3_h_w) -> !n_cc3_h_w
    %1 = graph.concat %i5, %0 axis = 1 : (!n_c2_h_w, !n_cc3_h_w) -> !n_cc2c3_h_w
    %2 = graph.conv %1, %1 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_cc2c3_h_w, !n_cc2c3_h_w) -> !n_n_y_y
    %3 = graph.relu %2 : !n_n_y_y
    rule.yield %3 : !n_n_y_y
  }
  target {
    %0 = graph.concat %i5, %i19 axis = 1 : (!n_c2_h_w, !n_c3_h_w) -> !n_c2c3_h_w
    %1 = graph.concat %i4, %0 axis = 1 : (!n_c_h_w, !n_c2c3_h_w) -> !n_cc2c3_h_w
    %2 = graph.conv %1, %1 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_cc2c3_h_w, !n_cc2c3_h_w) -> !n_n_y_y
    %3 = graph.relu %2 : !n_n_y_y
    rule.yield %3 : !n_n_y_y
  }

//  94  concat@1(relu(i7),relu(i8)) = relu(concat@1(i7,i8))
!n_cc2_h_w = tensor<?x?x?x?xf32, #graph.dims<n, c + c2, h, w>>
rule.rule @taso_94(%i7: [n, c, h, w], %i8: [n, c2, h, w]) -> [n, c + c2, h, w]
  source {
    %0 = graph.relu %i7 : !n_c_h_w
    %1 = graph.relu %i8 : !n_c2_h_w
    %2 = graph.concat %0, %1 axis = 1 : (!n_c_h_w, !n_c2_h_w) -> !n_cc2_h_w
    rule.yield %2 : [n, c + c2, h, w]
  }
  target {
    %0 = graph.concat %i7, %i8 axis = 1 : (!n_c_h_w, !n_c2_h_w) -> !n_cc2_h_w
    %1 = graph.relu %0 : !n_cc2_h_w
    rule.yield %1 : [n, c + c2, h, w]
  }

//  95  relu(i7) = split@1(relu(concat@1(i7,i8)))#0 ; relu(i8) = split@1(relu(concat@1(i7,i8)))#1
rule.rule @taso_95(%i7: [n, c, h, w], %i8: [n, c2, h, w]) -> ([n, c, h, w], [n, c2, h, w])
  source {
    %0 = graph.relu %i7 : !n_c_h_w
    %1 = graph.relu %i8 : !n_c2_h_w
    rule.yield %0, %1 : [n, c, h, w], [n, c2, h, w]
  }
  target {
    %0 = graph.concat %i7, %i8 axis = 1 : (!n_c_h_w, !n_c2_h_w) -> !n_cc2_h_w
    %1 = graph.relu %0 : !n_cc2_h_w
    %2, %3 = graph.split %1 axis = 1 sizes = [c, c2] : (!n_cc2_h_w) -> (!n_c_h_w, !n_c2_h_w)
    rule.yield %2, %3 : [n, c, h, w], [n, c2, h, w]
  }

//  96  concat@1(ewadd(i7,i8),ewadd(i8,i9)) = ewadd(concat@1(i7,i8),concat@1(i8,i9))
!n_2c_h_w = tensor<?x?x?x?xf32, #graph.dims<n, 2 * c, h, w>>
rule.rule @taso_96(%i7: [n, c, h, w], %i8: [n, c, h, w], %i9: [n, c, h, w]) -> [n, 2 * c, h, w]
  source {
    %0 = graph.add %i7, %i8 : !n_c_h_w
    %1 = graph.add %i8, %i9 : !n_c_h_w
    %2 = graph.concat %0, %1 axis = 1 : (!n_c_h_w, !n_c_h_w) -> !n_2c_h_w
    rule.yield %2 : [n, 2 * c, h, w]
  }
  target {
    %0 = graph.concat %i7, %i8 axis = 1 : (!n_c_h_w, !n_c_h_w) -> !n_2c_h_w
    %1 = graph.concat %i8, %i9 axis = 1 : (!n_c_h_w, !n_c_h_w) -> !n_2c_h_w
    %2 = graph.add %0, %1 : !n_2c_h_w
    rule.yield %2 : [n, 2 * c, h, w]
  }

//  97  concat@1(ewmul(i7,i8),ewmul(i8,i9)) = ewmul(concat@1(i7,i8),concat@1(i8,i9))
rule.rule @taso_97(%i7: [n, c, h, w], %i8: [n, c, h, w], %i9: [n, c, h, w]) -> [n, 2 * c, h, w]
  source {
    %0 = graph.mul %i7, %i8 : !n_c_h_w
    %1 = graph.mul %i8, %i9 : !n_c_h_w
    %2 = graph.concat %0, %1 axis = 1 : (!n_c_h_w, !n_c_h_w) -> !n_2c_h_w
    rule.yield %2 : [n, 2 * c, h, w]
  }
  target {
    %0 = graph.concat %i7, %i8 axis = 1 : (!n_c_h_w, !n_c_h_w) -> !n_2c_h_w
    %1 = graph.concat %i8, %i9 axis = 1 : (!n_c_h_w, !n_c_h_w) -> !n_2c_h_w
    %2 = graph.mul %0, %1 : !n_2c_h_w
    rule.yield %2 : [n, 2 * c, h, w]
  }

//  98  ewadd(conv2d[s11 p0 a0](i7,i10),conv2d[s11 p0 a0](i8,i11)) = conv2d[s11 p0 a0](concat@1(i7,i8),concat@1(i10,i11))
!o_cc2_r_s = tensor<?x?x?x?xf32, #graph.dims<o, c + c2, r, s>>
rule.rule @taso_98(%i7: [n, c, h, w], %i8: [n, c2, h, w], %i10: [o, c, r, s], %i11: [o, c2, r, s]) -> !n_o_y_y
  source {
    %0 = graph.conv %i7, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o_c_r_s) -> !n_o_y_y
    %1 = graph.conv %i8, %i11 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c2_h_w, !o_c2_r_s) -> !n_o_y_y
    %2 = graph.add %0, %1 : !n_o_y_y
    rule.yield %2 : !n_o_y_y
  }
  target {
    %0 = graph.concat %i7, %i8 axis = 1 : (!n_c_h_w, !n_c2_h_w) -> !n_cc2_h_w
    %1 = graph.concat %i10, %i11 axis = 1 : (!o_c_r_s, !o_c2_r_s) -> !o_cc2_r_s
    %2 = graph.conv %0, %1 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_cc2_h_w, !o_cc2_r_s) -> !n_o_y_y
    rule.yield %2 : !n_o_y_y
  }

//  99  concat@1(conv2d[s11 p0 a0](i7,i10),conv2d[s11 p0 a0](i8,i11)) = conv2d[s11 p0 a0](concat@1(i7,i8),concat@0(i10,i11))
!n_oo2_y_y = tensor<?x?x?x?xf32, #graph.dims<n, o + o2, ((h + pb + pt - r) floordiv (sh)) + 1, ((pl + pr - s + w) floordiv (sw)) + 1>>
!o2_c_r_s = tensor<?x?x?x?xf32, #graph.dims<o2, c, r, s>>
!n_o2_y_y_3 = tensor<?x?x?x?xf32, #graph.dims<n, o2, ((h + pb + pt - r) floordiv (sh)) + 1, ((pl + pr - s + w) floordiv (sw)) + 1>>
!oo2_c_r_s = tensor<?x?x?x?xf32, #graph.dims<o + o2, c, r, s>>
rule.rule @taso_99(%i7: [n, c, h, w], %i8: [n, c, h, w], %i10: [o, c, r, s], %i11: [o2, c, r, s]) -> !n_oo2_y_y
  source {
    %0 = graph.conv %i7, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o_c_r_s) -> !n_o_y_y
    %1 = graph.conv %i8, %i11 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o2_c_r_s) -> !n_o2_y_y_3
    %2 = graph.concat %0, %1 axis = 1 : (!n_o_y_y, !n_o2_y_y_3) -> !n_oo2_y_y
    rule.yield %2 : !n_oo2_y_y
  }
  target {
    %0 = graph.concat %i7, %i8 axis = 1 : (!n_c_h_w, !n_c_h_w) -> !n_2c_h_w
    %1 = graph.concat %i10, %i11 axis = 0 : (!o_c_r_s, !o2_c_r_s) -> !oo2_c_r_s
    %2 = graph.conv %0, %1 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 2 channels_first : (!n_2c_h_w, !oo2_c_r_s) -> !n_oo2_y_y
    rule.yield %2 : !n_oo2_y_y
  }
  where [2 divides o + o2]

// 100  concat@1(conv2d[s11 p0 a2](i7,i10),conv2d[s11 p0 a2](i8,i11)) = conv2d[s11 p0 a2](concat@1(i7,i8),concat@0(i10,i11))
rule.rule @taso_100(%i7: [n, c, h, w], %i8: [n, c, h, w], %i10: [o, c, r, s], %i11: [o2, c, r, s]) -> !n_oo2_y_y
  source {
    %0 = graph.conv %i7, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o_c_r_s) -> !n_o_y_y
    %1 = graph.relu %0 : !n_o_y_y
    %2 = graph.conv %i8, %i11 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o2_c_r_s) -> !n_o2_y_y_3
    %3 = graph.relu %2 : !n_o2_y_y_3
    %4 = graph.concat %1, %3 axis = 1 : (!n_o_y_y, !n_o2_y_y_3) -> !n_oo2_y_y
    rule.yield %4 : !n_oo2_y_y
  }
  target {
    %0 = graph.concat %i7, %i8 axis = 1 : (!n_c_h_w, !n_c_h_w) -> !n_2c_h_w
    %1 = graph.concat %i10, %i11 axis = 0 : (!o_c_r_s, !o2_c_r_s) -> !oo2_c_r_s
    %2 = graph.conv %0, %1 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 2 channels_first : (!n_2c_h_w, !oo2_c_r_s) -> !n_oo2_y_y
    %3 = graph.relu %2 : !n_oo2_y_y
    rule.yield %3 : !n_oo2_y_y
  }
  where [2 divides o + o2]

// 101  concat@1(ewadd(i7,i8),ewadd(i8,i9)) = ewadd(concat@1(i8,i9),concat@1(i7,i8))
rule.rule @taso_101(%i7: [n, c, h, w], %i8: [n, c, h, w], %i9: [n, c, h, w]) -> [n, 2 * c, h, w]
  source {
    %0 = graph.add %i7, %i8 : !n_c_h_w
    %1 = graph.add %i8, %i9 : !n_c_h_w
    %2 = graph.concat %0, %1 axis = 1 : (!n_c_h_w, !n_c_h_w) -> !n_2c_h_w
    rule.yield %2 : [n, 2 * c, h, w]
  }
  target {
    %0 = graph.concat %i8, %i9 axis = 1 : (!n_c_h_w, !n_c_h_w) -> !n_2c_h_w
    %1 = graph.concat %i7, %i8 axis = 1 : (!n_c_h_w, !n_c_h_w) -> !n_2c_h_w
    %2 = graph.add %0, %1 : !n_2c_h_w
    rule.yield %2 : [n, 2 * c, h, w]
  }

// 102  concat@1(ewmul(i7,i8),ewmul(i8,i9)) = ewmul(concat@1(i8,i9),concat@1(i7,i8))
rule.rule @taso_102(%i7: [n, c, h, w], %i8: [n, c, h, w], %i9: [n, c, h, w]) -> [n, 2 * c, h, w]
  source {
    %0 = graph.mul %i7, %i8 : !n_c_h_w
    %1 = graph.mul %i8, %i9 : !n_c_h_w
    %2 = graph.concat %0, %1 axis = 1 : (!n_c_h_w, !n_c_h_w) -> !n_2c_h_w
    rule.yield %2 : [n, 2 * c, h, w]
  }
  target {
    %0 = graph.concat %i8, %i9 axis = 1 : (!n_c_h_w, !n_c_h_w) -> !n_2c_h_w
    %1 = graph.concat %i7, %i8 axis = 1 : (!n_c_h_w, !n_c_h_w) -> !n_2c_h_w
    %2 = graph.mul %0, %1 : !n_2c_h_w
    rule.yield %2 : [n, 2 * c, h, w]
  }

// 103  ewadd(concat@1(i4,i11),concat@1(i10,i12)) = ewadd(concat@1(i10,i11),concat@1(i4,i12))
rule.rule @taso_103(%i4: [n, c, h, w], %i10: [n, c, h, w], %i11: [n, c2, h, w], %i12: [n, c2, h, w]) -> [n, c + c2, h, w]
  source {
    %0 = graph.concat %i4, %i11 axis = 1 : (!n_c_h_w, !n_c2_h_w) -> !n_cc2_h_w
    %1 = graph.concat %i10, %i12 axis = 1 : (!n_c_h_w, !n_c2_h_w) -> !n_cc2_h_w
    %2 = graph.add %0, %1 : !n_cc2_h_w
    rule.yield %2 : [n, c + c2, h, w]
  }
  target {
    %0 = graph.concat %i10, %i11 axis = 1 : (!n_c_h_w, !n_c2_h_w) -> !n_cc2_h_w
    %1 = graph.concat %i4, %i12 axis = 1 : (!n_c_h_w, !n_c2_h_w) -> !n_cc2_h_w
    %2 = graph.add %0, %1 : !n_cc2_h_w
    rule.yield %2 : [n, c + c2, h, w]
  }

// 104  ewmul(concat@1(i4,i11),concat@1(i10,i12)) = ewmul(concat@1(i10,i11),concat@1(i4,i12))
rule.rule @taso_104(%i4: [n, c, h, w], %i10: [n, c, h, w], %i11: [n, c2, h, w], %i12: [n, c2, h, w]) -> [n, c + c2, h, w]
  source {
    %0 = graph.concat %i4, %i11 axis = 1 : (!n_c_h_w, !n_c2_h_w) -> !n_cc2_h_w
    %1 = graph.concat %i10, %i12 axis = 1 : (!n_c_h_w, !n_c2_h_w) -> !n_cc2_h_w
    %2 = graph.mul %0, %1 : !n_cc2_h_w
    rule.yield %2 : [n, c + c2, h, w]
  }
  target {
    %0 = graph.concat %i10, %i11 axis = 1 : (!n_c_h_w, !n_c2_h_w) -> !n_cc2_h_w
    %1 = graph.concat %i4, %i12 axis = 1 : (!n_c_h_w, !n_c2_h_w) -> !n_cc2_h_w
    %2 = graph.mul %0, %1 : !n_cc2_h_w
    rule.yield %2 : [n, c + c2, h, w]
  }

// 105  ewadd(conv2d[s11 p0 a0](i7,i10),conv2d[s11 p0 a0](i8,i11)) = conv2d[s11 p0 a0](concat@1(i7,i8),concat@1(i10,i11))
rule.rule @taso_105(%i7: [n, c, h, w], %i8: [n, c2, h, w], %i10: [o, c, r, s], %i11: [o, c2, r, s]) -> !n_o_y_y
  source {
    %0 = graph.conv %i7, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o_c_r_s) -> !n_o_y_y
    %1 = graph.conv %i8, %i11 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c2_h_w, !o_c2_r_s) -> !n_o_y_y
    %2 = graph.add %0, %1 : !n_o_y_y
    rule.yield %2 : !n_o_y_y
  }
  target {
    %0 = graph.concat %i10, %i11 axis = 1 : (!o_c_r_s, !o_c2_r_s) -> !o_cc2_r_s
    %1 = graph.concat %i7, %i8 axis = 1 : (!n_c_h_w, !n_c2_h_w) -> !n_cc2_h_w
    %2 = graph.conv %1, %0 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_cc2_h_w, !o_cc2_r_s) -> !n_o_y_y
    rule.yield %2 : !n_o_y_y
  }

// 106  conv2d[s11 p0 a0](concat@1(i12,concat@1(i10,i11)),concat@1(i12,concat@1(i10,i11))) = conv2d[s11 p0 a0](concat@1(i11,concat@1(i10,i12)),concat@1(i11,concat@1(i10,i12)))
rule.rule @taso_106(%i10: [n, c, h, w], %i11: [n, c2, h, w], %i12: [n, c3, h, w]) -> !n_n_y_y
  source {
    %0 = graph.concat %i10, %i11 axis = 1 : (!n_c_h_w, !n_c2_h_w) -> !n_cc2_h_w
    %1 = graph.concat %i12, %0 axis = 1 : (!n_c3_h_w, !n_cc2_h_w) -> !n_cc2c3_h_w
    %2 = graph.conv %1, %1 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_cc2c3_h_w, !n_cc2c3_h_w) -> !n_n_y_y
    rule.yield %2 : !n_n_y_y
  }
  target {
    %0 = graph.concat %i10, %i12 axis = 1 : (!n_c_h_w, !n_c3_h_w) -> !n_cc3_h_w
    %1 = graph.concat %i11, %0 axis = 1 : (!n_c2_h_w, !n_cc3_h_w) -> !n_cc2c3_h_w
    %2 = graph.conv %1, %1 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_cc2c3_h_w, !n_cc2c3_h_w) -> !n_n_y_y
    rule.yield %2 : !n_n_y_y
  }

// 107  conv2d[s11 p0 a2](concat@1(i12,concat@1(i10,i11)),concat@1(i12,concat@1(i10,i11))) = conv2d[s11 p0 a2](concat@1(i11,concat@1(i10,i12)),concat@1(i11,concat@1(i10,i12)))
rule.rule @taso_107(%i10: [n, c, h, w], %i11: [n, c2, h, w], %i12: [n, c3, h, w]) -> !n_n_y_y
  source {
    %0 = graph.concat %i10, %i11 axis = 1 : (!n_c_h_w, !n_c2_h_w) -> !n_cc2_h_w
    %1 = graph.concat %i12, %0 axis = 1 : (!n_c3_h_w, !n_cc2_h_w) -> !n_cc2c3_h_w
    %2 = graph.conv %1, %1 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_cc2c3_h_w, !n_cc2c3_h_w) -> !n_n_y_y
    %3 = graph.relu %2 : !n_n_y_y
    rule.yield %3 : !n_n_y_y
  }
  target {
    %0 = graph.concat %i10, %i12 axis = 1 : (!n_c_h_w, !n_c3_h_w) -> !n_cc3_h_w
    %1 = graph.concat %i11, %0 axis = 1 : (!n_c2_h_w, !n_cc3_h_w) -> !n_cc2c3_h_w
    %2 = graph.conv %1, %1 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_cc2c3_h_w, !n_cc2c3_h_w) -> !n_n_y_y
    %3 = graph.relu %2 : !n_n_y_y
    rule.yield %3 : !n_n_y_y
  }

// 108  conv2d[s11 p0 a0](concat@1(i12,concat@1(i10,i11)),concat@1(i12,concat@1(i10,i11))) = conv2d[s11 p0 a0](concat@1(i10,concat@1(i11,i12)),concat@1(i10,concat@1(i11,i12)))
rule.rule @taso_108(%i10: [n, c, h, w], %i11: [n, c2, h, w], %i12: [n, c3, h, w]) -> !n_n_y_y
  source {
    %0 = graph.concat %i10, %i11 axis = 1 : (!n_c_h_w, !n_c2_h_w) -> !n_cc2_h_w
    %1 = graph.concat %i12, %0 axis = 1 : (!n_c3_h_w, !n_cc2_h_w) -> !n_cc2c3_h_w
    %2 = graph.conv %1, %1 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_cc2c3_h_w, !n_cc2c3_h_w) -> !n_n_y_y
    rule.yield %2 : !n_n_y_y
  }
  target {
    %0 = graph.concat %i11, %i12 axis = 1 : (!n_c2_h_w, !n_c3_h_w) -> !n_c2c3_h_w
    %1 = graph.concat %i10, %0 axis = 1 : (!n_c_h_w, !n_c2c3_h_w) -> !n_cc2c3_h_w
    %2 = graph.conv %1, %1 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_cc2c3_h_w, !n_cc2c3_h_w) -> !n_n_y_y
    rule.yield %2 : !n_n_y_y
  }

// 109  conv2d[s11 p0 a2](concat@1(i12,concat@1(i10,i11)),concat@1(i12,concat@1(i10,i11))) = conv2d[s11 p0 a2](concat@1(i10,concat@1(i11,i12)),concat@1(i10,concat@1(i11,i12)))
rule.rule @taso_109(%i10: [n, c, h, w], %i11: [n, c2, h, w], %i12: [n, c3, h, w]) -> !n_n_y_y
  source {
    %0 = graph.concat %i10, %i11 axis = 1 : (!n_c_h_w, !n_c2_h_w) -> !n_cc2_h_w
    %1 = graph.concat %i12, %0 axis = 1 : (!n_c3_h_w, !n_cc2_h_w) -> !n_cc2c3_h_w
    %2 = graph.conv %1, %1 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_cc2c3_h_w, !n_cc2c3_h_w) -> !n_n_y_y
    %3 = graph.relu %2 : !n_n_y_y
    rule.yield %3 : !n_n_y_y
  }
  target {
    %0 = graph.concat %i11, %i12 axis = 1 : (!n_c2_h_w, !n_c3_h_w) -> !n_c2c3_h_w
    %1 = graph.concat %i10, %0 axis = 1 : (!n_c_h_w, !n_c2c3_h_w) -> !n_cc2c3_h_w
    %2 = graph.conv %1, %1 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_cc2c3_h_w, !n_cc2c3_h_w) -> !n_n_y_y
    %3 = graph.relu %2 : !n_n_y_y
    rule.yield %3 : !n_n_y_y
  }

// 110  ewadd(concat@0(i4,i10),concat@0(i5,i11)) = ewadd(concat@0(i4,i11),concat@0(i5,i10))
!n2_c_h_w = tensor<?x?x?x?xf32, #graph.dims<n2, c, h, w>>
!nn2_c_h_w = tensor<?x?x?x?xf32, #graph.dims<n + n2, c, h, w>>
rule.rule @taso_110(%i4: [n, c, h, w], %i5: [n, c, h, w], %i10: [n2, c, h, w], %i11: [n2, c, h, w]) -> [n + n2, c, h, w]
  source {
    %0 = graph.concat %i4, %i10 axis = 0 : (!n_c_h_w, !n2_c_h_w) -> !nn2_c_h_w
    %1 = graph.concat %i5, %i11 axis = 0 : (!n_c_h_w, !n2_c_h_w) -> !nn2_c_h_w
    %2 = graph.add %0, %1 : !nn2_c_h_w
    rule.yield %2 : [n + n2, c, h, w]
  }
  target {
    %0 = graph.concat %i4, %i11 axis = 0 : (!n_c_h_w, !n2_c_h_w) -> !nn2_c_h_w
    %1 = graph.concat %i5, %i10 axis = 0 : (!n_c_h_w, !n2_c_h_w) -> !nn2_c_h_w
    %2 = graph.add %0, %1 : !nn2_c_h_w
    rule.yield %2 : [n + n2, c, h, w]
  }

// 111  ewmul(concat@0(i4,i10),concat@0(i5,i11)) = ewmul(concat@0(i4,i11),concat@0(i5,i10))
rule.rule @taso_111(%i4: [n, c, h, w], %i5: [n, c, h, w], %i10: [n2, c, h, w], %i11: [n2, c, h, w]) -> [n + n2, c, h, w]
  source {
    %0 = graph.concat %i4, %i10 axis = 0 : (!n_c_h_w, !n2_c_h_w) -> !nn2_c_h_w
    %1 = graph.concat %i5, %i11 axis = 0 : (!n_c_h_w, !n2_c_h_w) -> !nn2_c_h_w
    %2 = graph.mul %0, %1 : !nn2_c_h_w
    rule.yield %2 : [n + n2, c, h, w]
  }
  target {
    %0 = graph.concat %i4, %i11 axis = 0 : (!n_c_h_w, !n2_c_h_w) -> !nn2_c_h_w
    %1 = graph.concat %i5, %i10 axis = 0 : (!n_c_h_w, !n2_c_h_w) -> !nn2_c_h_w
    %2 = graph.mul %0, %1 : !nn2_c_h_w
    rule.yield %2 : [n + n2, c, h, w]
  }

// 112  ewadd(concat@0(i4,i10),concat@0(i5,i11)) = ewadd(concat@0(i5,i10),concat@0(i4,i11))
rule.rule @taso_112(%i4: [n, c, h, w], %i5: [n, c, h, w], %i10: [n2, c, h, w], %i11: [n2, c, h, w]) -> [n + n2, c, h, w]
  source {
    %0 = graph.concat %i4, %i10 axis = 0 : (!n_c_h_w, !n2_c_h_w) -> !nn2_c_h_w
    %1 = graph.concat %i5, %i11 axis = 0 : (!n_c_h_w, !n2_c_h_w) -> !nn2_c_h_w
    %2 = graph.add %0, %1 : !nn2_c_h_w
    rule.yield %2 : [n + n2, c, h, w]
  }
  target {
    %0 = graph.concat %i5, %i10 axis = 0 : (!n_c_h_w, !n2_c_h_w) -> !nn2_c_h_w
    %1 = graph.concat %i4, %i11 axis = 0 : (!n_c_h_w, !n2_c_h_w) -> !nn2_c_h_w
    %2 = graph.add %0, %1 : !nn2_c_h_w
    rule.yield %2 : [n + n2, c, h, w]
  }

// 113  ewmul(concat@0(i4,i10),concat@0(i5,i11)) = ewmul(concat@0(i5,i10),concat@0(i4,i11))
rule.rule @taso_113(%i4: [n, c, h, w], %i5: [n, c, h, w], %i10: [n2, c, h, w], %i11: [n2, c, h, w]) -> [n + n2, c, h, w]
  source {
    %0 = graph.concat %i4, %i10 axis = 0 : (!n_c_h_w, !n2_c_h_w) -> !nn2_c_h_w
    %1 = graph.concat %i5, %i11 axis = 0 : (!n_c_h_w, !n2_c_h_w) -> !nn2_c_h_w
    %2 = graph.mul %0, %1 : !nn2_c_h_w
    rule.yield %2 : [n + n2, c, h, w]
  }
  target {
    %0 = graph.concat %i5, %i10 axis = 0 : (!n_c_h_w, !n2_c_h_w) -> !nn2_c_h_w
    %1 = graph.concat %i4, %i11 axis = 0 : (!n_c_h_w, !n2_c_h_w) -> !nn2_c_h_w
    %2 = graph.mul %0, %1 : !nn2_c_h_w
    rule.yield %2 : [n + n2, c, h, w]
  }

// 114  concat@0(conv2d[s11 p0 a0](i7,i10),conv2d[s11 p0 a0](i8,i10)) = conv2d[s11 p0 a0](concat@0(i7,i8),i10)
!nn2_o_y_y = tensor<?x?x?x?xf32, #graph.dims<n + n2, o, ((h + pb + pt - r) floordiv (sh)) + 1, ((pl + pr - s + w) floordiv (sw)) + 1>>
!n2_o_y_y_2 = tensor<?x?x?x?xf32, #graph.dims<n2, o, ((h + pb + pt - r) floordiv (sh)) + 1, ((pl + pr - s + w) floordiv (sw)) + 1>>
rule.rule @taso_114(%i7: [n, c, h, w], %i8: [n2, c, h, w], %i10: [o, c, r, s]) -> !nn2_o_y_y
  source {
    %0 = graph.conv %i7, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o_c_r_s) -> !n_o_y_y
    %1 = graph.conv %i8, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n2_c_h_w, !o_c_r_s) -> !n2_o_y_y_2
    %2 = graph.concat %0, %1 axis = 0 : (!n_o_y_y, !n2_o_y_y_2) -> !nn2_o_y_y
    rule.yield %2 : !nn2_o_y_y
  }
  target {
    %0 = graph.concat %i7, %i8 axis = 0 : (!n_c_h_w, !n2_c_h_w) -> !nn2_c_h_w
    %1 = graph.conv %0, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!nn2_c_h_w, !o_c_r_s) -> !nn2_o_y_y
    rule.yield %1 : !nn2_o_y_y
  }

// 115  concat@0(conv2d[s11 p0 a2](i7,i10),conv2d[s11 p0 a2](i8,i10)) = relu(conv2d[s11 p0 a0](concat@0(i7,i8),i10))
rule.rule @taso_115(%i7: [n, c, h, w], %i8: [n2, c, h, w], %i10: [o, c, r, s]) -> !nn2_o_y_y
  source {
    %0 = graph.conv %i7, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o_c_r_s) -> !n_o_y_y
    %1 = graph.relu %0 : !n_o_y_y
    %2 = graph.conv %i8, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n2_c_h_w, !o_c_r_s) -> !n2_o_y_y_2
    %3 = graph.relu %2 : !n2_o_y_y_2
    %4 = graph.concat %1, %3 axis = 0 : (!n_o_y_y, !n2_o_y_y_2) -> !nn2_o_y_y
    rule.yield %4 : !nn2_o_y_y
  }
  target {
    %0 = graph.concat %i7, %i8 axis = 0 : (!n_c_h_w, !n2_c_h_w) -> !nn2_c_h_w
    %1 = graph.conv %0, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!nn2_c_h_w, !o_c_r_s) -> !nn2_o_y_y
    %2 = graph.relu %1 : !nn2_o_y_y
    rule.yield %2 : !nn2_o_y_y
  }

// 116  conv2d[s11 p0 a0](i7,i10) = split@0(conv2d[s11 p0 a0](concat@0(i7,i8),i10))#0 ; conv2d[s11 p0 a0](i8,i10) = split@0(conv2d[s11 p0 a0](concat@0(i7,i8),i10))#1
rule.rule @taso_116(%i7: [n, c, h, w], %i8: [n2, c, h, w], %i10: [o, c, r, s]) -> (!n_o_y_y, !n2_o_y_y_2)
  source {
    %0 = graph.conv %i7, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o_c_r_s) -> !n_o_y_y
    %1 = graph.conv %i8, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n2_c_h_w, !o_c_r_s) -> !n2_o_y_y_2
    rule.yield %0, %1 : !n_o_y_y, !n2_o_y_y_2
  }
  target {
    %0 = graph.concat %i7, %i8 axis = 0 : (!n_c_h_w, !n2_c_h_w) -> !nn2_c_h_w
    %1 = graph.conv %0, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!nn2_c_h_w, !o_c_r_s) -> !nn2_o_y_y
    %2, %3 = graph.split %1 axis = 0 sizes = [n, n2] : (!nn2_o_y_y) -> (!n_o_y_y, !n2_o_y_y_2)
    rule.yield %2, %3 : !n_o_y_y, !n2_o_y_y_2
  }

// 117  concat@0(conv2d[s11 p0 a2](i7,i10),conv2d[s11 p0 a2](i8,i10)) = conv2d[s11 p0 a2](concat@0(i7,i8),i10)
rule.rule @taso_117(%i7: [n, c, h, w], %i8: [n2, c, h, w], %i10: [o, c, r, s]) -> !nn2_o_y_y
  source {
    %0 = graph.conv %i7, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o_c_r_s) -> !n_o_y_y
    %1 = graph.relu %0 : !n_o_y_y
    %2 = graph.conv %i8, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n2_c_h_w, !o_c_r_s) -> !n2_o_y_y_2
    %3 = graph.relu %2 : !n2_o_y_y_2
    %4 = graph.concat %1, %3 axis = 0 : (!n_o_y_y, !n2_o_y_y_2) -> !nn2_o_y_y
    rule.yield %4 : !nn2_o_y_y
  }
  target {
    %0 = graph.concat %i7, %i8 axis = 0 : (!n_c_h_w, !n2_c_h_w) -> !nn2_c_h_w
    %1 = graph.conv %0, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!nn2_c_h_w, !o_c_r_s) -> !nn2_o_y_y
    %2 = graph.relu %1 : !nn2_o_y_y
    rule.yield %2 : !nn2_o_y_y
  }

// 118  relu(conv2d[s11 p0 a0](i7,i10)) = split@0(conv2d[s11 p0 a2](concat@0(i7,i8),i10))#0 ; conv2d[s11 p0 a2](i8,i10) = split@0(conv2d[s11 p0 a2](concat@0(i7,i8),i10))#1
rule.rule @taso_118(%i7: [n, c, h, w], %i8: [n2, c, h, w], %i10: [o, c, r, s]) -> (!n_o_y_y, !n2_o_y_y_2)
  source {
    %0 = graph.conv %i7, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o_c_r_s) -> !n_o_y_y
    %1 = graph.relu %0 : !n_o_y_y
    %2 = graph.conv %i8, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n2_c_h_w, !o_c_r_s) -> !n2_o_y_y_2
    %3 = graph.relu %2 : !n2_o_y_y_2
    rule.yield %1, %3 : !n_o_y_y, !n2_o_y_y_2
  }
  target {
    %0 = graph.concat %i7, %i8 axis = 0 : (!n_c_h_w, !n2_c_h_w) -> !nn2_c_h_w
    %1 = graph.conv %0, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!nn2_c_h_w, !o_c_r_s) -> !nn2_o_y_y
    %2 = graph.relu %1 : !nn2_o_y_y
    %3, %4 = graph.split %2 axis = 0 sizes = [n, n2] : (!nn2_o_y_y) -> (!n_o_y_y, !n2_o_y_y_2)
    rule.yield %3, %4 : !n_o_y_y, !n2_o_y_y_2
  }

// 119  concat@0(relu(i7),relu(i8)) = relu(concat@0(i7,i8))
rule.rule @taso_119(%i7: [n, c, h, w], %i8: [n2, c, h, w]) -> [n + n2, c, h, w]
  source {
    %0 = graph.relu %i7 : !n_c_h_w
    %1 = graph.relu %i8 : !n2_c_h_w
    %2 = graph.concat %0, %1 axis = 0 : (!n_c_h_w, !n2_c_h_w) -> !nn2_c_h_w
    rule.yield %2 : [n + n2, c, h, w]
  }
  target {
    %0 = graph.concat %i7, %i8 axis = 0 : (!n_c_h_w, !n2_c_h_w) -> !nn2_c_h_w
    %1 = graph.relu %0 : !nn2_c_h_w
    rule.yield %1 : [n + n2, c, h, w]
  }

// 120  relu(i7) = split@0(relu(concat@0(i7,i8)))#0 ; relu(i8) = split@0(relu(concat@0(i7,i8)))#1
rule.rule @taso_120(%i7: [n, c, h, w], %i8: [n2, c, h, w]) -> ([n, c, h, w], [n2, c, h, w])
  source {
    %0 = graph.relu %i7 : !n_c_h_w
    %1 = graph.relu %i8 : !n2_c_h_w
    rule.yield %0, %1 : [n, c, h, w], [n2, c, h, w]
  }
  target {
    %0 = graph.concat %i7, %i8 axis = 0 : (!n_c_h_w, !n2_c_h_w) -> !nn2_c_h_w
    %1 = graph.relu %0 : !nn2_c_h_w
    %2, %3 = graph.split %1 axis = 0 sizes = [n, n2] : (!nn2_c_h_w) -> (!n_c_h_w, !n2_c_h_w)
    rule.yield %2, %3 : [n, c, h, w], [n2, c, h, w]
  }

// 121  concat@0(ewadd(i7,i8),ewadd(i8,i9)) = ewadd(concat@0(i7,i8),concat@0(i8,i9))
!x2n_c_h_w = tensor<?x?x?x?xf32, #graph.dims<2 * n, c, h, w>>
rule.rule @taso_121(%i7: [n, c, h, w], %i8: [n, c, h, w], %i9: [n, c, h, w]) -> [2 * n, c, h, w]
  source {
    %0 = graph.add %i7, %i8 : !n_c_h_w
    %1 = graph.add %i8, %i9 : !n_c_h_w
    %2 = graph.concat %0, %1 axis = 0 : (!n_c_h_w, !n_c_h_w) -> !x2n_c_h_w
    rule.yield %2 : [2 * n, c, h, w]
  }
  target {
    %0 = graph.concat %i7, %i8 axis = 0 : (!n_c_h_w, !n_c_h_w) -> !x2n_c_h_w
    %1 = graph.concat %i8, %i9 axis = 0 : (!n_c_h_w, !n_c_h_w) -> !x2n_c_h_w
    %2 = graph.add %0, %1 : !x2n_c_h_w
    rule.yield %2 : [2 * n, c, h, w]
  }

// 122  concat@0(ewmul(i7,i8),ewmul(i8,i9)) = ewmul(concat@0(i7,i8),concat@0(i8,i9))
rule.rule @taso_122(%i7: [n, c, h, w], %i8: [n, c, h, w], %i9: [n, c, h, w]) -> [2 * n, c, h, w]
  source {
    %0 = graph.mul %i7, %i8 : !n_c_h_w
    %1 = graph.mul %i8, %i9 : !n_c_h_w
    %2 = graph.concat %0, %1 axis = 0 : (!n_c_h_w, !n_c_h_w) -> !x2n_c_h_w
    rule.yield %2 : [2 * n, c, h, w]
  }
  target {
    %0 = graph.concat %i7, %i8 axis = 0 : (!n_c_h_w, !n_c_h_w) -> !x2n_c_h_w
    %1 = graph.concat %i8, %i9 axis = 0 : (!n_c_h_w, !n_c_h_w) -> !x2n_c_h_w
    %2 = graph.mul %0, %1 : !x2n_c_h_w
    rule.yield %2 : [2 * n, c, h, w]
  }

// 123  concat@0(ewadd(i7,i8),ewadd(i8,i9)) = ewadd(concat@0(i8,i9),concat@0(i7,i8))
rule.rule @taso_123(%i7: [n, c, h, w], %i8: [n, c, h, w], %i9: [n, c, h, w]) -> [2 * n, c, h, w]
  source {
    %0 = graph.add %i7, %i8 : !n_c_h_w
    %1 = graph.add %i8, %i9 : !n_c_h_w
    %2 = graph.concat %0, %1 axis = 0 : (!n_c_h_w, !n_c_h_w) -> !x2n_c_h_w
    rule.yield %2 : [2 * n, c, h, w]
  }
  target {
    %0 = graph.concat %i8, %i9 axis = 0 : (!n_c_h_w, !n_c_h_w) -> !x2n_c_h_w
    %1 = graph.concat %i7, %i8 axis = 0 : (!n_c_h_w, !n_c_h_w) -> !x2n_c_h_w
    %2 = graph.add %0, %1 : !x2n_c_h_w
    rule.yield %2 : [2 * n, c, h, w]
  }

// 124  concat@0(ewmul(i7,i8),ewmul(i8,i9)) = ewmul(concat@0(i8,i9),concat@0(i7,i8))
rule.rule @taso_124(%i7: [n, c, h, w], %i8: [n, c, h, w], %i9: [n, c, h, w]) -> [2 * n, c, h, w]
  source {
    %0 = graph.mul %i7, %i8 : !n_c_h_w
    %1 = graph.mul %i8, %i9 : !n_c_h_w
    %2 = graph.concat %0, %1 axis = 0 : (!n_c_h_w, !n_c_h_w) -> !x2n_c_h_w
    rule.yield %2 : [2 * n, c, h, w]
  }
  target {
    %0 = graph.concat %i8, %i9 axis = 0 : (!n_c_h_w, !n_c_h_w) -> !x2n_c_h_w
    %1 = graph.concat %i7, %i8 axis = 0 : (!n_c_h_w, !n_c_h_w) -> !x2n_c_h_w
    %2 = graph.mul %0, %1 : !x2n_c_h_w
    rule.yield %2 : [2 * n, c, h, w]
  }

// 125  concat@1(conv2d[s11 p0 a0](i7,i10),conv2d[s11 p0 a0](i7,i11)) = conv2d[s11 p0 a0](i7,concat@0(i10,i11))
rule.rule @taso_125(%i7: [n, c, h, w], %i10: [o, c, r, s], %i11: [o2, c, r, s]) -> !n_oo2_y_y
  source {
    %0 = graph.conv %i7, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o_c_r_s) -> !n_o_y_y
    %1 = graph.conv %i7, %i11 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o2_c_r_s) -> !n_o2_y_y_3
    %2 = graph.concat %0, %1 axis = 1 : (!n_o_y_y, !n_o2_y_y_3) -> !n_oo2_y_y
    rule.yield %2 : !n_oo2_y_y
  }
  target {
    %0 = graph.concat %i10, %i11 axis = 0 : (!o_c_r_s, !o2_c_r_s) -> !oo2_c_r_s
    %1 = graph.conv %i7, %0 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !oo2_c_r_s) -> !n_oo2_y_y
    rule.yield %1 : !n_oo2_y_y
  }

// 126  concat@1(conv2d[s11 p0 a2](i7,i10),conv2d[s11 p0 a2](i7,i11)) = relu(conv2d[s11 p0 a0](i7,concat@0(i10,i11)))
rule.rule @taso_126(%i7: [n, c, h, w], %i10: [o, c, r, s], %i11: [o2, c, r, s]) -> !n_oo2_y_y
  source {
    %0 = graph.conv %i7, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o_c_r_s) -> !n_o_y_y
    %1 = graph.relu %0 : !n_o_y_y
    %2 = graph.conv %i7, %i11 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o2_c_r_s) -> !n_o2_y_y_3
    %3 = graph.relu %2 : !n_o2_y_y_3
    %4 = graph.concat %1, %3 axis = 1 : (!n_o_y_y, !n_o2_y_y_3) -> !n_oo2_y_y
    rule.yield %4 : !n_oo2_y_y
  }
  target {
    %0 = graph.concat %i10, %i11 axis = 0 : (!o_c_r_s, !o2_c_r_s) -> !oo2_c_r_s
    %1 = graph.conv %i7, %0 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !oo2_c_r_s) -> !n_oo2_y_y
    %2 = graph.relu %1 : !n_oo2_y_y
    rule.yield %2 : !n_oo2_y_y
  }

// 127  conv2d[s11 p0 a0](i7,i10) = split@1(conv2d[s11 p0 a0](i7,concat@0(i10,i11)))#0 ; conv2d[s11 p0 a0](i7,i11) = split@1(conv2d[s11 p0 a0](i7,concat@0(i10,i11)))#1
rule.rule @taso_127(%i7: [n, c, h, w], %i10: [o, c, r, s], %i11: [o2, c, r, s]) -> (!n_o_y_y, !n_o2_y_y_3)
  source {
    %0 = graph.conv %i7, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o_c_r_s) -> !n_o_y_y
    %1 = graph.conv %i7, %i11 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o2_c_r_s) -> !n_o2_y_y_3
    rule.yield %0, %1 : !n_o_y_y, !n_o2_y_y_3
  }
  target {
    %0 = graph.concat %i10, %i11 axis = 0 : (!o_c_r_s, !o2_c_r_s) -> !oo2_c_r_s
    %1 = graph.conv %i7, %0 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !oo2_c_r_s) -> !n_oo2_y_y
    %2, %3 = graph.split %1 axis = 1 sizes = [o, o2] : (!n_oo2_y_y) -> (!n_o_y_y, !n_o2_y_y_3)
    rule.yield %2, %3 : !n_o_y_y, !n_o2_y_y_3
  }

// 128  concat@1(conv2d[s11 p0 a2](i7,i10),conv2d[s11 p0 a2](i7,i11)) = conv2d[s11 p0 a2](i7,concat@0(i10,i11))
rule.rule @taso_128(%i7: [n, c, h, w], %i10: [o, c, r, s], %i11: [o2, c, r, s]) -> !n_oo2_y_y
  source {
    %0 = graph.conv %i7, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o_c_r_s) -> !n_o_y_y
    %1 = graph.relu %0 : !n_o_y_y
    %2 = graph.conv %i7, %i11 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o2_c_r_s) -> !n_o2_y_y_3
    %3 = graph.relu %2 : !n_o2_y_y_3
    %4 = graph.concat %1, %3 axis = 1 : (!n_o_y_y, !n_o2_y_y_3) -> !n_oo2_y_y
    rule.yield %4 : !n_oo2_y_y
  }
  target {
    %0 = graph.concat %i10, %i11 axis = 0 : (!o_c_r_s, !o2_c_r_s) -> !oo2_c_r_s
    %1 = graph.conv %i7, %0 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !oo2_c_r_s) -> !n_oo2_y_y
    %2 = graph.relu %1 : !n_oo2_y_y
    rule.yield %2 : !n_oo2_y_y
  }

// 129  relu(conv2d[s11 p0 a0](i7,i10)) = split@1(conv2d[s11 p0 a2](i7,concat@0(i10,i11)))#0 ; conv2d[s11 p0 a2](i7,i11) = split@1(conv2d[s11 p0 a2](i7,concat@0(i10,i11)))#1
rule.rule @taso_129(%i7: [n, c, h, w], %i10: [o, c, r, s], %i11: [o2, c, r, s]) -> (!n_o_y_y, !n_o2_y_y_3)
  source {
    %0 = graph.conv %i7, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o_c_r_s) -> !n_o_y_y
    %1 = graph.relu %0 : !n_o_y_y
    %2 = graph.conv %i7, %i11 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o2_c_r_s) -> !n_o2_y_y_3
    %3 = graph.relu %2 : !n_o2_y_y_3
    rule.yield %1, %3 : !n_o_y_y, !n_o2_y_y_3
  }
  target {
    %0 = graph.concat %i10, %i11 axis = 0 : (!o_c_r_s, !o2_c_r_s) -> !oo2_c_r_s
    %1 = graph.conv %i7, %0 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !oo2_c_r_s) -> !n_oo2_y_y
    %2 = graph.relu %1 : !n_oo2_y_y
    %3, %4 = graph.split %2 axis = 1 sizes = [o, o2] : (!n_oo2_y_y) -> (!n_o_y_y, !n_o2_y_y_3)
    rule.yield %3, %4 : !n_o_y_y, !n_o2_y_y_3
  }

// 130  concat@1(conv2d[s11 p0 a0](i7,i10),conv2d[s11 p0 a0](i8,i11)) = conv2d[s11 p0 a0](concat@1(i7,i8),concat@0(i10,i11))
rule.rule @taso_130(%i7: [n, c, h, w], %i8: [n, c, h, w], %i10: [o, c, r, s], %i11: [o2, c, r, s]) -> !n_oo2_y_y
  source {
    %0 = graph.conv %i7, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o_c_r_s) -> !n_o_y_y
    %1 = graph.conv %i8, %i11 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o2_c_r_s) -> !n_o2_y_y_3
    %2 = graph.concat %0, %1 axis = 1 : (!n_o_y_y, !n_o2_y_y_3) -> !n_oo2_y_y
    rule.yield %2 : !n_oo2_y_y
  }
  target {
    %0 = graph.concat %i10, %i11 axis = 0 : (!o_c_r_s, !o2_c_r_s) -> !oo2_c_r_s
    %1 = graph.concat %i7, %i8 axis = 1 : (!n_c_h_w, !n_c_h_w) -> !n_2c_h_w
    %2 = graph.conv %1, %0 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 2 channels_first : (!n_2c_h_w, !oo2_c_r_s) -> !n_oo2_y_y
    rule.yield %2 : !n_oo2_y_y
  }
  where [2 divides o + o2]

// 131  concat@1(conv2d[s11 p0 a2](i7,i10),conv2d[s11 p0 a2](i8,i11)) = conv2d[s11 p0 a2](concat@1(i7,i8),concat@0(i10,i11))
rule.rule @taso_131(%i7: [n, c, h, w], %i8: [n, c, h, w], %i10: [o, c, r, s], %i11: [o2, c, r, s]) -> !n_oo2_y_y
  source {
    %0 = graph.conv %i7, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o_c_r_s) -> !n_o_y_y
    %1 = graph.relu %0 : !n_o_y_y
    %2 = graph.conv %i8, %i11 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o2_c_r_s) -> !n_o2_y_y_3
    %3 = graph.relu %2 : !n_o2_y_y_3
    %4 = graph.concat %1, %3 axis = 1 : (!n_o_y_y, !n_o2_y_y_3) -> !n_oo2_y_y
    rule.yield %4 : !n_oo2_y_y
  }
  target {
    %0 = graph.concat %i10, %i11 axis = 0 : (!o_c_r_s, !o2_c_r_s) -> !oo2_c_r_s
    %1 = graph.concat %i7, %i8 axis = 1 : (!n_c_h_w, !n_c_h_w) -> !n_2c_h_w
    %2 = graph.conv %1, %0 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 2 channels_first : (!n_2c_h_w, !oo2_c_r_s) -> !n_oo2_y_y
    %3 = graph.relu %2 : !n_oo2_y_y
    rule.yield %3 : !n_oo2_y_y
  }
  where [2 divides o + o2]

// 132  concat@0(concat@1(i13,i14),concat@1(i14,i15)) = concat@1(concat@0(i13,i14),concat@0(i14,i15))
!x2n_2c_h_w = tensor<?x?x?x?xf32, #graph.dims<2 * n, 2 * c, h, w>>
rule.rule @taso_132(%i13: [n, c, h, w], %i14: [n, c, h, w], %i15: [n, c, h, w]) -> [2 * n, 2 * c, h, w]
  source {
    %0 = graph.concat %i13, %i14 axis = 1 : (!n_c_h_w, !n_c_h_w) -> !n_2c_h_w
    %1 = graph.concat %i14, %i15 axis = 1 : (!n_c_h_w, !n_c_h_w) -> !n_2c_h_w
    %2 = graph.concat %0, %1 axis = 0 : (!n_2c_h_w, !n_2c_h_w) -> !x2n_2c_h_w
    rule.yield %2 : [2 * n, 2 * c, h, w]
  }
  target {
    %0 = graph.concat %i13, %i14 axis = 0 : (!n_c_h_w, !n_c_h_w) -> !x2n_c_h_w
    %1 = graph.concat %i14, %i15 axis = 0 : (!n_c_h_w, !n_c_h_w) -> !x2n_c_h_w
    %2 = graph.concat %0, %1 axis = 1 : (!x2n_c_h_w, !x2n_c_h_w) -> !x2n_2c_h_w
    rule.yield %2 : [2 * n, 2 * c, h, w]
  }
