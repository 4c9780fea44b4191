// Conditions over the elements of operands. Each rule is refuted without them.
// RUN: tenon-rules prove %s | FileCheck %s
// REQUIRES: z3

// They are part of the statement, which its hash stands for.
// RUN: tenon-rules prove --json %t.json %s
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// JSON: "is_zero(%w)"

!n = tensor<?xf32, #graph.dims<n>>
!mk = tensor<?x?xf32, #graph.dims<m, k>>
!kn = tensor<?x?xf32, #graph.dims<k, n>>
!mn = tensor<?x?xf32, #graph.dims<m, n>>
!kk = tensor<?x?xf32, #graph.dims<k, k>>

// CHECK: proved add_zero
rule.rule @add_zero(%x: [n], %w: [n]) -> [n]
  source {
    %0 = graph.add %x, %w : !n
    rule.yield %0 : [n]
  }
  target {
    rule.yield %x : [n]
  }
  where [is_zero(%w)]

// CHECK: proved multiply_by_ones
rule.rule @multiply_by_ones(%x: [n], %w: [n]) -> [n]
  source {
    %0 = graph.mul %x, %w : !n
    rule.yield %0 : [n]
  }
  target {
    rule.yield %x : [n]
  }
  where [is_ones(%w)]

// CHECK: proved multiply_by_identity
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

// CHECK: proved identity_on_the_left
rule.rule @identity_on_the_left(%w: [k, k], %x: [k, n]) -> [k, n]
  source {
    %0 = graph.matmul %w, %x : (!kk, !kn) -> !kn
    rule.yield %0 : [k, n]
  }
  target {
    rule.yield %x : [k, n]
  }
  where [is_identity(%w)]

// CHECK: proved product_with_zero
rule.rule @product_with_zero(%x: [m, k], %w: [k, n], %y: [m, n]) -> [m, n]
  source {
    %0 = graph.matmul %x, %w : (!mk, !kn) -> !mn
    %1 = graph.add %0, %y : !mn
    rule.yield %1 : [m, n]
  }
  target {
    rule.yield %y : [m, n]
  }
  where [is_zero(%w)]

// CHECK: proved divide_by_itself
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

// CHECK: proved exp_of_log
rule.rule @exp_of_log(%v: [n]) -> [n]
  source {
    %0 = graph.log %v : !n
    %1 = graph.exp %0 : !n
    rule.yield %1 : [n]
  }
  target {
    rule.yield %v : [n]
  }
  where [is_positive(%v)]

// CHECK: proved log_of_product
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
  where [n >= 1, is_positive(%a), is_positive(%b)]
