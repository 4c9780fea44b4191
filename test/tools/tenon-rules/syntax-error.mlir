// RUN: not tenon-rules prove %s 2>&1 | FileCheck %s
// CHECK: syntax-error.mlir:[[@LINE+2]]:33: error: expected ']'
// CHECK-NEXT: rule.rule @negate
rule.rule @negate(%x: [n]) -> [n
  source {
  }
// CHECK: 0 proved
