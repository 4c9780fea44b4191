// Loops within loops: variables that the two sides happen to name alike are not
// each other's.
// RUN: not tenon-rules prove --without-refuting %s 2>&1 | FileCheck %s
// REQUIRES: z3

!s = tensor<f32>
!n = tensor<?xf32, #graph.dims<n>>
!nn = tensor<?x?xf32, #graph.dims<n, n>>

// n sums of products, each of one index; and products of sums.
// CHECK: unknown products_of_sums
rule.rule @products_of_sums(%x: [n], %y: [n]) -> []
  source {
    %0 = graph.mul %x, %y : !n
    %1 = graph.reduce_sum %0 axes = [0] : (!n) -> !s
    %2 = graph.broadcast %1 shape = [n] : (!s) -> !n
    %3 = graph.reduce_sum %2 axes = [0] : (!n) -> !s
    %4 = graph.tanh %3 : !s
    rule.yield %4 : []
  }
  target {
    %0 = graph.reshape %x shape = [n, 1] : (!n) -> tensor<?x1xf32, #graph.dims<n, 1>>
    %1 = graph.broadcast %0 shape = [n, n] : (tensor<?x1xf32, #graph.dims<n, 1>>) -> !nn
    %2 = graph.broadcast %y shape = [n, n] : (!n) -> !nn
    %3 = graph.mul %1, %2 : !nn
    %4 = graph.reduce_sum %3 axes = [1] : (!nn) -> !n
    %5 = graph.reduce_sum %4 axes = [0] : (!n) -> !s
    %6 = graph.tanh %5 : !s
    rule.yield %6 : []
  }

// CHECK: unknown largest_of_rows
rule.rule @largest_of_rows(%x: [n], %y: [n]) -> []
  source {
    %0 = graph.mul %x, %y : !n
    %1 = graph.reduce_max %0 axes = [0] : (!n) -> !s
    %2 = graph.broadcast %1 shape = [n] : (!s) -> !n
    %3 = graph.reduce_prod %2 axes = [0] : (!n) -> !s
    rule.yield %3 : []
  }
  target {
    %0 = graph.reshape %x shape = [n, 1] : (!n) -> tensor<?x1xf32, #graph.dims<n, 1>>
    %1 = graph.broadcast %0 shape = [n, n] : (tensor<?x1xf32, #graph.dims<n, 1>>) -> !nn
    %2 = graph.broadcast %y shape = [n, n] : (!n) -> !nn
    %3 = graph.mul %1, %2 : !nn
    %4 = graph.reduce_max %3 axes = [1] : (!nn) -> !n
    %5 = graph.reduce_prod %4 axes = [0] : (!n) -> !s
    rule.yield %5 : []
  }

// The same loops in the same order.
// CHECK: proved same_loops (exact;
rule.rule @same_loops(%x: [n], %y: [n]) -> []
  source {
    %0 = graph.mul %x, %y : !n
    %1 = graph.reduce_sum %0 axes = [0] : (!n) -> !s
    %2 = graph.broadcast %1 shape = [n] : (!s) -> !n
    %3 = graph.reduce_sum %2 axes = [0] : (!n) -> !s
    rule.yield %3 : []
  }
  target {
    %0 = graph.mul %y, %x : !n
    %1 = graph.broadcast %0 shape = [n, n] : (!n) -> !nn
    %2 = graph.reduce_sum %1 axes = [1] : (!nn) -> !n
    %3 = graph.reduce_sum %2 axes = [0] : (!n) -> !s
    rule.yield %3 : []
  }
