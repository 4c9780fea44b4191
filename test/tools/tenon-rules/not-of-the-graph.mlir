// Rules are about ops of the graph dialect; others are refused with their
// location, and so is an unknown op.
// RUN: not tenon-rules prove %s 2>&1 | FileCheck %s
// RUN: sed 's/"tosa.negate"/"graph.no_such_op"/' %s > %t.mlir
// RUN: not tenon-rules prove %t.mlir 2>&1 | FileCheck %s --check-prefix=UNKNOWN
!n = tensor<?xf32, #graph.dims<n>>
rule.rule @foreign(%a: [n]) -> [n]
  source {
    // CHECK: not-of-the-graph.mlir:[[@LINE+2]]:10: error: 'tosa.
    // UNKNOWN: error: {{.*}}graph.no_such_op
    %0 = "tosa.negate"(%a) : (!n) -> !n
    rule.yield %0 : [n]
  }
  target {
    %0 = graph.neg %a : !n
    rule.yield %0 : [n]
  }
