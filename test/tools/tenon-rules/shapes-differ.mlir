// The two sides of a rule have the same types.
// RUN: not tenon-rules prove %s 2>&1 | FileCheck %s
!mk = tensor<?x?xf32, #graph.dims<m, k>>
!km = tensor<?x?xf32, #graph.dims<k, m>>
rule.rule @transposed(%a: [m, k]) -> [m, k]
  source {
    %0 = graph.neg %a : !mk
    rule.yield %0 : [m, k]
  }
  target {
    %0 = graph.transpose %a perm = [1, 0] : (!mk) -> !km
    // CHECK: shapes-differ.mlir:[[@LINE+1]]:5: error: 'rule.yield' op result 0 of the rule has type 'tensor<?x?xf32, #graph.dims<m, k>>', but target yields 'tensor<?x?xf32, #graph.dims<k, m>>'
    rule.yield %0 : [k, m]
  }
// CHECK: 0 proved
