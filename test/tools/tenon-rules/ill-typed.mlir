// Types that do not fit are reported where they stand.
// RUN: not tenon-rules prove %s 2>&1 | FileCheck %s
// RUN: sed 's/exp %i : tensor<3xi64>/exp %i : tensor<4xi64>/' %s > %t.mlir
// RUN: not tenon-rules prove %t.mlir 2>&1 | FileCheck %s --check-prefix=OPERAND
rule.rule @exp_of_integers(%i: [3] of i64) -> [3] of i64
  source {
    %0 = graph.neg %i : tensor<3xi64>
    rule.yield %0 : [3] of i64
  }
  target {
    // CHECK: ill-typed.mlir:[[@LINE+2]]:10: error: 'graph.exp' op
    // OPERAND: {{.*}}:[[@LINE+1]]:20: error: use of value '%i' expects different type
    %0 = graph.exp %i : tensor<3xi64>
    rule.yield %0 : [3] of i64
  }
// CHECK: 0 proved
