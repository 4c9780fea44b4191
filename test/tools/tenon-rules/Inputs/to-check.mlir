!n = tensor<?xf32, #graph.dims<n>>
!mk = tensor<?x?xf32, #graph.dims<m, k>>
!km = tensor<?x?xf32, #graph.dims<k, m>>
!kn = tensor<?x?xf32, #graph.dims<k, n>>
!kp = tensor<?x?xf32, #graph.dims<k, p>>
!mn = tensor<?x?xf32, #graph.dims<m, n>>
!mp = tensor<?x?xf32, #graph.dims<m, p>>
!k_np = tensor<?x?xf32, #graph.dims<k, n + p>>
!m_np = tensor<?x?xf32, #graph.dims<m, n + p>>

rule.rule @merge_matmuls(%x: [m, k], %a: [k, n], %b: [k, p]) -> ([m, n], [m, p])
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

rule.rule @regroup(%a: [n], %b: [n], %c: [n]) -> [n]
  source {
    %0 = graph.add %a, %b : !n
    %1 = graph.add %0, %c : !n
    rule.yield %1 : [n]
  }
  target {
    %0 = graph.add %b, %c : !n
    %1 = graph.add %a, %0 : !n
    rule.yield %1 : [n]
  }

rule.rule @mean_of_gelu(%x: [m, k]) -> [k]
  source {
    %0 = graph.gelu %x : !mk
    %1 = graph.reduce_sum %0 axes = [0] : (!mk) -> tensor<?xf32, #graph.dims<k>>
    %2 = graph.add %1, %1 : tensor<?xf32, #graph.dims<k>>
    rule.yield %2 : [k]
  }
  target {
    %t = graph.transpose %x perm = [1, 0] : (!mk) -> !km
    %0 = graph.gelu %t : !km
    %1 = graph.add %0, %0 : !km
    %2 = graph.reduce_sum %1 axes = [1] : (!km) -> tensor<?xf32, #graph.dims<k>>
    rule.yield %2 : [k]
  }
