// Negative tests for order.mlir: refuted, and not proved without trials.
// RUN: not tenon-rules prove %s 2>&1 | FileCheck %s
// RUN: not tenon-rules prove --without-refuting %s 2>&1 | FileCheck %s --check-prefix=PROOF
// What could not be reconciled, and the laws of functions that one side lacks:
// PROOF: rule 'product_of_magnitudes' is not proved: '1 abs<f32>(1 %x[%0]) * abs<f32>(1 %y[%0])' of the source and '1 %x[%0] * %y[%0]' of the target could not be reconciled; the laws of 'abs' are A1 to A4 and R3{{$}}
// PROOF: 0 proved, 7 unknown
// REQUIRES: z3

!n = tensor<?xf32, #graph.dims<n>>
!i = tensor<?xi32, #graph.dims<n>>
!b = tensor<?xi1, #graph.dims<n>>

// CHECK: refuted not_of_and
rule.rule @not_of_and(%a: [n] of i1, %b: [n] of i1) -> [n] of i1
  source {
    %0 = graph.and %a, %b : !b
    %1 = graph.not %0 : !b
    rule.yield %1 : [n] of i1
  }
  target {
    %0 = graph.not %a : !b
    %1 = graph.not %b : !b
    %2 = graph.and %1, %0 : !b
    rule.yield %2 : [n] of i1
  }

// CHECK: refuted not_less
rule.rule @not_less(%a: [n] of i32, %b: [n] of i32) -> [n] of i1
  source {
    %0 = graph.less %a, %b : !i
    %1 = graph.not %0 : !b
    rule.yield %1 : [n] of i1
  }
  target {
    %0 = graph.less %b, %a : !i
    rule.yield %0 : [n] of i1
  }

// CHECK: refuted below_either
rule.rule @below_either(%a: [n] of i32, %b: [n] of i32, %c: [n] of i32) -> [n] of i1
  source {
    %0 = graph.less %a, %b : !i
    %1 = graph.less %a, %c : !i
    %2 = graph.or %0, %1 : !b
    rule.yield %2 : [n] of i1
  }
  target {
    %0 = graph.minimum %b, %c : !i
    %1 = graph.less %a, %0 : !i
    rule.yield %1 : [n] of i1
  }

// Adding 1 to the largest integer gives the lowest.
// CHECK: refuted shifted_order
rule.rule @shifted_order(%a: [n] of i32, %b: [n] of i32) -> [n] of i1
  source {
    %0 = graph.constant dense<1> : tensor<i32>
    %1 = graph.broadcast %0 shape = [n] : (tensor<i32>) -> !i
    %2 = graph.add %a, %1 : !i
    %3 = graph.add %b, %1 : !i
    %4 = graph.less %2, %3 : !i
    rule.yield %4 : [n] of i1
  }
  target {
    %0 = graph.less %a, %b : !i
    rule.yield %0 : [n] of i1
  }

// CHECK: refuted clamp_in_other_order
rule.rule @clamp_in_other_order(%x: [n], %a: [n], %b: [n]) -> [n]
  source {
    %0 = graph.maximum %x, %a : !n
    %1 = graph.minimum %0, %b : !n
    rule.yield %1 : [n]
  }
  target {
    %0 = graph.minimum %x, %b : !n
    %1 = graph.maximum %0, %a : !n
    rule.yield %1 : [n]
  }

// The remainder of a quotient's divisor, and of another.
// CHECK: refuted remainders
rule.rule @remainders(%x: [n] of i32, %a: [n] of i32, %b: [n] of i32) -> [n] of i32
  source {
    %0 = graph.mod %x, %a : !i
    %1 = graph.mod %0, %b : !i
    rule.yield %1 : [n] of i32
  }
  target {
    %0 = graph.mod %x, %a : !i
    rule.yield %0 : [n] of i32
  }

// CHECK: refuted product_of_magnitudes
rule.rule @product_of_magnitudes(%x: [n], %y: [n]) -> [n]
  source {
    %0 = graph.abs %x : !n
    %1 = graph.abs %y : !n
    %2 = graph.mul %0, %1 : !n
    rule.yield %2 : [n]
  }
  target {
    %0 = graph.mul %x, %y : !n
    rule.yield %0 : [n]
  }
