// Negative tests for laws.mlir. Many hold where a law's side condition does, so that
// a law applied without it would prove them.
// RUN: not tenon-rules prove %s 2>&1 | FileCheck %s
// The proofs themselves find none of them, without trying small sizes first.
// RUN: not tenon-rules prove --without-refuting %s 2>&1 | FileCheck %s --check-prefix=PROOF
// PROOF: 0 proved, 22 unknown
// REQUIRES: z3

!n = tensor<?xf32, #graph.dims<n>>
!mk = tensor<?x?xf32, #graph.dims<m, k>>
!mp = tensor<?x?xf32, #graph.dims<m, p>>
!m_kp = tensor<?x?xf32, #graph.dims<m, k + p>>
!kn = tensor<?x?xf32, #graph.dims<k, n>>
!mn = tensor<?x?xf32, #graph.dims<m, n>>
!k = tensor<?xf32, #graph.dims<k>>
!m1 = tensor<?x1xf32, #graph.dims<m, 1>>
!row = tensor<1x?xf32, #graph.dims<1, k>>

// E1 is about sums.
// CHECK: refuted exp_of_product
rule.rule @exp_of_product(%a: [n], %b: [n]) -> [n]
  source {
    %0 = graph.exp %a : !n
    %1 = graph.exp %b : !n
    %2 = graph.mul %0, %1 : !n
    rule.yield %2 : [n]
  }
  target {
    %0 = graph.mul %a, %b : !n
    %1 = graph.exp %0 : !n
    rule.yield %1 : [n]
  }

// CHECK: refuted sum_of_exps
rule.rule @sum_of_exps(%a: [n], %b: [n]) -> [n]
  source {
    %0 = graph.exp %a : !n
    %1 = graph.exp %b : !n
    %2 = graph.add %0, %1 : !n
    rule.yield %2 : [n]
  }
  target {
    %0 = graph.add %a, %b : !n
    %1 = graph.exp %0 : !n
    rule.yield %1 : [n]
  }

// CHECK: refuted exp_of_difference
rule.rule @exp_of_difference(%a: [n], %b: [n]) -> [n]
  source {
    %0 = graph.exp %a : !n
    %1 = graph.exp %b : !n
    %2 = graph.div %0, %1 : !n
    rule.yield %2 : [n]
  }
  target {
    %0 = graph.sub %b, %a : !n
    %1 = graph.exp %0 : !n
    rule.yield %1 : [n]
  }

// E1 cancels real numbers only: the maximum over nothing is none.
// CHECK: refuted cancel_maximum_of_nothing
rule.rule @cancel_maximum_of_nothing(%x: [m, k]) -> [m, 1]
  source {
    %0 = graph.reduce_max %x axes = [1] keepdims : (!mk) -> !m1
    %1 = graph.exp %0 : !m1
    %2 = graph.neg %0 : !m1
    %3 = graph.exp %2 : !m1
    %4 = graph.mul %1, %3 : !m1
    rule.yield %4 : [m, 1]
  }
  target {
    %c = graph.constant dense<1.0> : tensor<f32>
    %0 = graph.broadcast %c shape = [m, 1] : (tensor<f32>) -> !m1
    rule.yield %0 : [m, 1]
  }

// E2 is about positive numbers.
// CHECK: refuted exp_of_log
rule.rule @exp_of_log(%a: [n]) -> [n]
  source {
    %n = graph.neg %a : !n
    rule.yield %n : [n]
  }
  target {
    %0 = graph.log %a : !n
    %1 = graph.exp %0 : !n
    %n = graph.neg %1 : !n
    rule.yield %n : [n]
  }

// CHECK: refuted exp_of_log_of_difference
rule.rule @exp_of_log_of_difference(%a: [n], %b: [n]) -> [n]
  source {
    %0 = graph.exp %a : !n
    %1 = graph.exp %b : !n
    %2 = graph.sub %0, %1 : !n
    rule.yield %2 : [n]
  }
  target {
    %0 = graph.exp %a : !n
    %1 = graph.exp %b : !n
    %2 = graph.sub %0, %1 : !n
    %3 = graph.log %2 : !n
    %4 = graph.exp %3 : !n
    rule.yield %4 : [n]
  }

// A sum that may be empty is not positive.
// CHECK: refuted cancel_sum_of_nothing
rule.rule @cancel_sum_of_nothing(%x: [m, k]) -> [m, 1]
  source {
    %0 = graph.exp %x : !mk
    %1 = graph.reduce_sum %0 axes = [1] keepdims : (!mk) -> !m1
    %2 = graph.div %1, %1 : !m1
    rule.yield %2 : [m, 1]
  }
  target {
    %c = graph.constant dense<1.0> : tensor<f32>
    %0 = graph.broadcast %c shape = [m, 1] : (tensor<f32>) -> !m1
    rule.yield %0 : [m, 1]
  }

// E3 is about real numbers: the minimum over nothing is +inf.
// CHECK: refuted exp_of_infinities
rule.rule @exp_of_infinities(%x: [m, k]) -> [m, 1]
  source {
    %c = graph.constant dense<0xFF800000> : tensor<f32>
    %0 = graph.broadcast %c shape = [m, 1] : (tensor<f32>) -> !m1
    %1 = graph.reduce_min %x axes = [1] keepdims : (!mk) -> !m1
    %2 = graph.add %0, %1 : !m1
    %3 = graph.exp %2 : !m1
    rule.yield %3 : [m, 1]
  }
  target {
    %c = graph.constant dense<0.0> : tensor<f32>
    %0 = graph.broadcast %c shape = [m, 1] : (tensor<f32>) -> !m1
    rule.yield %0 : [m, 1]
  }

// L1 is about positive numbers.
// CHECK: refuted log_of_product
rule.rule @log_of_product(%a: [n], %b: [n]) -> [n]
  source {
    %0 = graph.mul %a, %b : !n
    %1 = graph.log %0 : !n
    rule.yield %1 : [n]
  }
  target {
    %0 = graph.log %a : !n
    %1 = graph.log %b : !n
    %2 = graph.add %0, %1 : !n
    rule.yield %2 : [n]
  }

// CHECK: refuted log_of_quotient
rule.rule @log_of_quotient(%a: [n], %b: [n]) -> [n]
  source {
    %0 = graph.exp %a : !n
    %1 = graph.div %0, %b : !n
    %2 = graph.log %1 : !n
    rule.yield %2 : [n]
  }
  target {
    %0 = graph.log %b : !n
    %1 = graph.sub %0, %a : !n
    rule.yield %1 : [n]
  }

// L1 on the exponential of what is no real number.
// CHECK: refuted log_of_exp_of_sum
rule.rule @log_of_exp_of_sum(%a: [n], %b: [n]) -> [n]
  source {
    %0 = graph.exp %a : !n
    %1 = graph.add %0, %b : !n
    %2 = graph.log %1 : !n
    rule.yield %2 : [n]
  }
  target {
    %0 = graph.add %a, %b : !n
    rule.yield %0 : [n]
  }

// Q1 is about products.
// CHECK: refuted reciprocal_of_sum
rule.rule @reciprocal_of_sum(%a: [n], %b: [n], %c: [n]) -> [n]
  source {
    %0 = graph.add %b, %c : !n
    %1 = graph.div %a, %0 : !n
    rule.yield %1 : [n]
  }
  target {
    %0 = graph.div %a, %b : !n
    %1 = graph.div %a, %c : !n
    %2 = graph.add %0, %1 : !n
    rule.yield %2 : [n]
  }

// What depends on the variable of a sum does not leave it.
// CHECK: refuted factor_out_of_sum
rule.rule @factor_out_of_sum(%x: [m, k], %y: [m, k]) -> [m, k]
  source {
    %0 = graph.mul %x, %x : !mk
    %1 = graph.reduce_sum %0 axes = [1] keepdims : (!mk) -> !m1
    %2 = graph.broadcast %1 shape = [m, k] : (!m1) -> !mk
    %3 = graph.div %y, %2 : !mk
    rule.yield %3 : [m, k]
  }
  target {
    %1 = graph.reduce_sum %x axes = [1] keepdims : (!mk) -> !m1
    %2 = graph.broadcast %1 shape = [m, k] : (!m1) -> !mk
    %3 = graph.mul %2, %x : !mk
    %4 = graph.div %y, %3 : !mk
    rule.yield %4 : [m, k]
  }

// Q3 is about exponentials.
// CHECK: refuted reciprocal_of_exp
rule.rule @reciprocal_of_exp(%a: [n]) -> [n]
  source {
    %c = graph.constant dense<1.0> : tensor<f32>
    %1 = graph.broadcast %c shape = [n] : (tensor<f32>) -> !n
    %e = graph.exp %a : !n
    %2 = graph.add %e, %1 : !n
    %3 = graph.div %1, %2 : !n
    rule.yield %3 : [n]
  }
  target {
    %c = graph.constant dense<1.0> : tensor<f32>
    %1 = graph.broadcast %c shape = [n] : (tensor<f32>) -> !n
    %0 = graph.neg %a : !n
    %e = graph.exp %0 : !n
    %2 = graph.add %e, %1 : !n
    rule.yield %2 : [n]
  }

// Q4 is about what is not 0.
// CHECK: refuted cancel
// CHECK: result 0 at [0] is not a number in the source, but 1 in the target
rule.rule @cancel(%a: [n], %b: [n]) -> [n]
  source {
    %0 = graph.mul %a, %b : !n
    %1 = graph.div %0, %b : !n
    rule.yield %1 : [n]
  }
  target {
    rule.yield %a : [n]
  }

// CHECK: refuted cancel_sum
rule.rule @cancel_sum(%a: [n], %b: [n], %c: [n]) -> [n]
  source {
    %0 = graph.add %b, %c : !n
    %1 = graph.mul %a, %0 : !n
    %2 = graph.div %1, %0 : !n
    rule.yield %2 : [n]
  }
  target {
    rule.yield %a : [n]
  }

// A square may be 0.
// CHECK: refuted cancel_square
rule.rule @cancel_square(%a: [n], %b: [n]) -> [n]
  source {
    %0 = graph.mul %b, %b : !n
    %1 = graph.mul %a, %0 : !n
    %2 = graph.div %1, %0 : !n
    rule.yield %2 : [n]
  }
  target {
    rule.yield %a : [n]
  }

// The sum over nothing is 0, not 1.
// CHECK: refuted softmax_adds_up
rule.rule @softmax_adds_up(%x: [m, k]) -> [m, 1]
  source {
    %0 = graph.softmax %x axis = 1 : !mk
    %1 = graph.reduce_sum %0 axes = [1] keepdims : (!mk) -> !m1
    rule.yield %1 : [m, 1]
  }
  target {
    %c = graph.constant dense<1.0> : tensor<f32>
    %0 = graph.broadcast %c shape = [m, 1] : (tensor<f32>) -> !m1
    rule.yield %0 : [m, 1]
  }

// M1: 0 is not below everything.
// CHECK: refuted maximum_with_zero
rule.rule @maximum_with_zero(%a: [n]) -> [n]
  source {
    %c = graph.constant dense<0.0> : tensor<f32>
    %0 = graph.broadcast %c shape = [n] : (tensor<f32>) -> !n
    %1 = graph.maximum %a, %0 : !n
    rule.yield %1 : [n]
  }
  target {
    rule.yield %a : [n]
  }

// C1: the maximum over nothing is infinite.
// CHECK: refuted maximum_is_real
rule.rule @maximum_is_real(%x: [m, k], %a: [m, 1], %b: [m, 1]) -> [m, 1]
  source {
    %c = graph.constant dense<0xFF800000> : tensor<f32>
    %0 = graph.broadcast %c shape = [m, 1] : (tensor<f32>) -> !m1
    %1 = graph.reduce_max %x axes = [1] keepdims : (!mk) -> !m1
    %2 = graph.equal %1, %0 : !m1
    %3 = graph.where %2, %a, %b : tensor<?x1xi1, #graph.dims<m, 1>>, !m1, !m1
    rule.yield %3 : [m, 1]
  }
  target {
    rule.yield %b : [m, 1]
  }

// A shift that differs along the axis.
// CHECK: refuted softmax_of_shifted
rule.rule @softmax_of_shifted(%x: [m, k], %c: [1, k]) -> [m, k]
  source {
    %0 = graph.broadcast %c shape = [m, k] : (!row) -> !mk
    %1 = graph.add %x, %0 : !mk
    %2 = graph.softmax %1 axis = 1 : !mk
    rule.yield %2 : [m, k]
  }
  target {
    %0 = graph.softmax %x axis = 1 : !mk
    rule.yield %0 : [m, k]
  }

// The division by the wrong sum.
// CHECK: refuted divide_after_values
rule.rule @divide_after_values(%x: [m, k], %v: [k, n]) -> [m, n]
  source {
    %0 = graph.softmax %x axis = 1 : !mk
    %1 = graph.matmul %0, %v : (!mk, !kn) -> !mn
    rule.yield %1 : [m, n]
  }
  target {
    %0 = graph.reduce_max %x axes = [1] keepdims : (!mk) -> !m1
    %1 = graph.broadcast %0 shape = [m, k] : (!m1) -> !mk
    %2 = graph.sub %x, %1 : !mk
    %3 = graph.exp %2 : !mk
    %4 = graph.matmul %3, %v : (!mk, !kn) -> !mn
    %5 = graph.reduce_sum %2 axes = [1] keepdims : (!mk) -> !m1
    %6 = graph.broadcast %5 shape = [m, n] : (!m1) -> !mn
    %7 = graph.div %4, %6 : !mn
    rule.yield %7 : [m, n]
  }
  where [k >= 1]
// CHECK: 0 proved, 22 refuted
