// Truth values, order, maxima, remainders: the laws O1 to O3, D1, D2, R1 to R3.
// RUN: tenon-rules prove --without-refuting %s 2>&1 | FileCheck %s
// REQUIRES: z3

!n = tensor<?xf32, #graph.dims<n>>
!i = tensor<?xi32, #graph.dims<n>>
!b = tensor<?xi1, #graph.dims<n>>

// CHECK: proved not_of_and ({{.*}}elements
rule.rule @not_of_and(%a: [n] of i1, %b: [n] of i1) -> [n] of i1
  source {
    %0 = graph.and %a, %b : !b
    %1 = graph.not %0 : !b
    rule.yield %1 : [n] of i1
  }
  target {
    %0 = graph.not %a : !b
    %1 = graph.not %b : !b
    %2 = graph.or %1, %0 : !b
    rule.yield %2 : [n] of i1
  }

// CHECK: proved xor_of_ors
rule.rule @xor_of_ors(%a: [n] of i1, %b: [n] of i1) -> [n] of i1
  source {
    %0 = graph.xor %a, %b : !b
    rule.yield %0 : [n] of i1
  }
  target {
    %0 = graph.or %a, %b : !b
    %1 = graph.and %a, %b : !b
    %2 = graph.not %1 : !b
    %3 = graph.and %0, %2 : !b
    rule.yield %3 : [n] of i1
  }

// Wrapping integers are in one order.
// CHECK: proved less_or_equal
rule.rule @less_or_equal(%a: [n] of i32, %b: [n] of i32) -> [n] of i1
  source {
    %0 = graph.less_equal %a, %b : !i
    rule.yield %0 : [n] of i1
  }
  target {
    %0 = graph.less %a, %b : !i
    %1 = graph.equal %a, %b : !i
    %2 = graph.or %0, %1 : !b
    rule.yield %2 : [n] of i1
  }

// CHECK: proved below_both
rule.rule @below_both(%a: [n] of i32, %b: [n] of i32, %c: [n] of i32) -> [n] of i1
  source {
    %0 = graph.less %a, %b : !i
    %1 = graph.less %a, %c : !i
    %2 = graph.and %0, %1 : !b
    rule.yield %2 : [n] of i1
  }
  target {
    %0 = graph.minimum %b, %c : !i
    %1 = graph.less %a, %0 : !i
    rule.yield %1 : [n] of i1
  }

// NaN is in none: the rule for floating-point types is about numbers only.
// CHECK: proved not_above ({{.*}}needs-finite; elements: real;
rule.rule @not_above(%a: [n], %b: [n], %x: [n], %y: [n]) -> [n]
  source {
    %0 = graph.less_equal %a, %b : !n
    %1 = graph.where %0, %x, %y : !b, !n, !n
    rule.yield %1 : [n]
  }
  target {
    %0 = graph.less %b, %a : !n
    %1 = graph.where %0, %y, %x : !b, !n, !n
    rule.yield %1 : [n]
  }

// An index in i64 is one.
// CHECK: proved triangle
rule.rule @triangle(%x: [n, n], %y: [n, n]) -> [n, n]
  source {
    %0 = graph.iota shape = [n, n] axis = 1 of i64 : () -> tensor<?x?xi64, #graph.dims<n, n>>
    %1 = graph.iota shape = [n, n] axis = 0 of i64 : () -> tensor<?x?xi64, #graph.dims<n, n>>
    %2 = graph.less_equal %0, %1 : tensor<?x?xi64, #graph.dims<n, n>>
    %3 = graph.where %2, %x, %y : tensor<?x?xi1, #graph.dims<n, n>>, tensor<?x?xf32, #graph.dims<n, n>>, tensor<?x?xf32, #graph.dims<n, n>>
    rule.yield %3 : [n, n]
  }
  target {
    %0 = graph.iota shape = [n, n] axis = 1 of i64 : () -> tensor<?x?xi64, #graph.dims<n, n>>
    %1 = graph.iota shape = [n, n] axis = 0 of i64 : () -> tensor<?x?xi64, #graph.dims<n, n>>
    %2 = graph.less %1, %0 : tensor<?x?xi64, #graph.dims<n, n>>
    %3 = graph.where %2, %y, %x : tensor<?x?xi1, #graph.dims<n, n>>, tensor<?x?xf32, #graph.dims<n, n>>, tensor<?x?xf32, #graph.dims<n, n>>
    rule.yield %3 : [n, n]
  }

// CHECK: proved clamp_twice ({{.*}}needs-finite
rule.rule @clamp_twice(%x: [n], %a: [n], %b: [n]) -> [n]
  source {
    %0 = graph.maximum %x, %a : !n
    %1 = graph.minimum %0, %b : !n
    %2 = graph.maximum %1, %a : !n
    %3 = graph.minimum %2, %b : !n
    rule.yield %3 : [n]
  }
  target {
    %0 = graph.maximum %x, %a : !n
    %1 = graph.minimum %0, %b : !n
    rule.yield %1 : [n]
  }

// CHECK: proved absorbed_integer ({{.*}}elements
rule.rule @absorbed_integer(%x: [n] of i32, %a: [n] of i32) -> [n] of i32
  source {
    %0 = graph.minimum %x, %a : !i
    %1 = graph.maximum %0, %x : !i
    rule.yield %1 : [n] of i32
  }
  target {
    rule.yield %x : [n] of i32
  }

// CHECK: proved remainder_twice
rule.rule @remainder_twice(%x: [n] of i32, %a: [n] of i32) -> [n] of i32
  source {
    %0 = graph.mod %x, %a : !i
    %1 = graph.mod %0, %a : !i
    rule.yield %1 : [n] of i32
  }
  target {
    %0 = graph.mod %x, %a : !i
    rule.yield %0 : [n] of i32
  }

// CHECK: proved divided_by_one
rule.rule @divided_by_one(%x: [n] of i32) -> ([n] of i32, [n] of i32)
  source {
    %0 = graph.constant dense<1> : tensor<i32>
    %1 = graph.broadcast %0 shape = [n] : (tensor<i32>) -> !i
    %2 = graph.div %x, %1 : !i
    %3 = graph.fmod %x, %1 : !i
    rule.yield %2, %3 : [n] of i32, [n] of i32
  }
  target {
    %0 = graph.constant dense<0> : tensor<i32>
    %1 = graph.broadcast %0 shape = [n] : (tensor<i32>) -> !i
    rule.yield %x, %1 : [n] of i32, [n] of i32
  }

// CHECK: proved squared_magnitude
rule.rule @squared_magnitude(%x: [n]) -> [n]
  source {
    %0 = graph.abs %x : !n
    %1 = graph.mul %0, %0 : !n
    rule.yield %1 : [n]
  }
  target {
    %0 = graph.mul %x, %x : !n
    rule.yield %0 : [n]
  }
