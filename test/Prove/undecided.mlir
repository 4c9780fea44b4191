// What the prover does not decide, it says, with a reason; none of it is a
// success.
// RUN: not tenon-rules prove %s 2>&1 | FileCheck %s
// REQUIRES: z3

!n = tensor<?xf32, #graph.dims<n>>

// Where the last of several updates wins, its position is taken apart.
// CHECK: unsupported scatter
// CHECK: error: rule 'scatter' is not proved: {{.*}}an index depends on data
rule.rule @scatter(%x: [m, l], %i: [n, k] of i64, %u: [n, k, l]) -> [m, l]
  source {
    %0 = graph.reshape %i shape = [n, k, 1]
    %1 = graph.scatter_nd %x, %0, %u none
    %2 = graph.neg %1
    rule.yield %2
  }
  target {
    %0 = graph.reshape %i shape = [n, k, 1]
    %1 = graph.neg %x
    %2 = graph.neg %u
    %3 = graph.scatter_nd %1, %0, %2 none
    rule.yield %3
  }

// CHECK: unsupported top_k
// CHECK: 'graph.top_k' has no index form
rule.rule @top_k(%x: [n]) -> ([3], [3] of i64)
  source {
    %0, %1 = graph.top_k %x axis = 0 k = 3 : (!n) -> (tensor<3xf32>, tensor<3xi64>)
    rule.yield %0, %1 : [3], [3] of i64
  }
  target {
    %0, %1 = graph.top_k %x axis = 0 k = 3 : (!n) -> (tensor<3xf32>, tensor<3xi64>)
    rule.yield %0, %1 : [3], [3] of i64
  }
  where [n >= 3]

// Of sines no more is known than that they are odd.
// CHECK: unknown sine_of_twice
rule.rule @sine_of_twice(%a: [n]) -> [n]
  source {
    %0 = graph.add %a, %a : !n
    %1 = graph.sin %0 : !n
    rule.yield %1 : [n]
  }
  target {
    %0 = graph.sin %a : !n
    %1 = graph.cos %a : !n
    %2 = graph.mul %0, %1 : !n
    %3 = graph.add %2, %2 : !n
    rule.yield %3 : [n]
  }

// Conditions that nothing satisfies prove everything, and so nothing.
// CHECK: unknown vacuous
// CHECK: no small sizes were found that satisfy the conditions
rule.rule @vacuous(%a: [n]) -> [n]
  source {
    %0 = graph.neg %a : !n
    rule.yield %0 : [n]
  }
  target {
    rule.yield %a : [n]
  }
  where [n >= 5, n <= 3]

// CHECK: 0 proved, 2 unknown, 2 unsupported
