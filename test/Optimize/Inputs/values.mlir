// Rules of test/Prove/values.mlir for value-conditions.mlir.
!n = tensor<?xf32, #graph.dims<n>>
!mk = tensor<?x?xf32, #graph.dims<m, k>>
!kn = tensor<?x?xf32, #graph.dims<k, n>>
!mn = tensor<?x?xf32, #graph.dims<m, n>>
!kk = tensor<?x?xf32, #graph.dims<k, k>>

rule.rule @add_zero(%x: [n], %w: [n]) -> [n]
  source {
    %0 = graph.add %x, %w : !n
    rule.yield %0 : [n]
  }
  target {
    rule.yield %x : [n]
  }
  where [is_zero(%w)]

rule.rule @multiply_by_ones(%x: [n], %w: [n]) -> [n]
  source {
    %0 = graph.mul %x, %w : !n
    rule.yield %0 : [n]
  }
  target {
    rule.yield %x : [n]
  }
  where [is_ones(%w)]

rule.rule @multiply_by_identity(%x: [m, k], %w: [k, k]) -> [m, k]
  lifts [%x]
  source {
    %0 = graph.matmul %x, %w : (!mk, !kk) -> !mk
    rule.yield %0 : [m, k]
  }
  target {
    rule.yield %x : [m, k]
  }
  where [is_identity(%w)]

rule.rule @divide_by_itself(%x: [n], %v: [n]) -> [n]
  source {
    %0 = graph.mul %x, %v : !n
    %1 = graph.div %0, %v : !n
    rule.yield %1 : [n]
  }
  target {
    rule.yield %x : [n]
  }
  where [is_positive(%v)]
