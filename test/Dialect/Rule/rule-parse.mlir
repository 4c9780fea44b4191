// RUN: tenon-opt %s | FileCheck %s
// RUN: tenon-opt %s | tenon-opt | FileCheck %s
// RUN: tenon-opt --mlir-print-op-generic %s | tenon-opt | FileCheck %s
// RUN: tenon-opt --emit-bytecode %s | tenon-opt | FileCheck %s

// CHECK-LABEL: rule.rule @merge(%x: [m, k], %a: [k, n], %b: [k, p]) -> ([m, n], [m, p]) lifts [%x]
// CHECK-NEXT:    source {
// CHECK-NEXT:      %0 = graph.matmul %x, %a
// CHECK-NEXT:      %1 = graph.matmul %x, %b
// CHECK-NEXT:      rule.yield %0, %1 : [m, n], [m, p]
// CHECK-NEXT:    }
// CHECK-NEXT:    target {
// CHECK-NEXT:      %0 = graph.concat %a, %b axis = 1
// CHECK-NEXT:      %1 = graph.matmul %x, %0
// CHECK-NEXT:      %2:2 = graph.split %1 axis = 1 sizes = [n, p]
// CHECK-NEXT:      rule.yield %2#0, %2#1 : [m, n], [m, p]
// CHECK-NEXT:    }
// CHECK-NEXT:    where [k >= 1, m + 1 >= n, n divides p, 4 * m - p >= m + 1, n == m]
rule.rule @merge(%x: [m, k], %a: [k, n], %b: [k, p]) -> ([m, n], [m, p])
  lifts [%x]
  source {
    %0 = graph.matmul %x, %a : (tensor<?x?xf32, #graph.dims<m, k>>, tensor<?x?xf32, #graph.dims<k, n>>) -> tensor<?x?xf32, #graph.dims<m, n>>
    %1 = graph.matmul %x, %b : (tensor<?x?xf32, #graph.dims<m, k>>, tensor<?x?xf32, #graph.dims<k, p>>) -> tensor<?x?xf32, #graph.dims<m, p>>
    rule.yield %0, %1 : [m, n], [m, p]
  }
  target {
    %ab = graph.concat %a, %b axis = 1 : (tensor<?x?xf32, #graph.dims<k, n>>, tensor<?x?xf32, #graph.dims<k, p>>) -> tensor<?x?xf32, #graph.dims<k, n + p>>
    %y = graph.matmul %x, %ab : (tensor<?x?xf32, #graph.dims<m, k>>, tensor<?x?xf32, #graph.dims<k, n + p>>) -> tensor<?x?xf32, #graph.dims<m, n + p>>
    %0, %1 = graph.split %y axis = 1 sizes = [n, p] : (tensor<?x?xf32, #graph.dims<m, n + p>>) -> (tensor<?x?xf32, #graph.dims<m, n>>, tensor<?x?xf32, #graph.dims<m, p>>)
    rule.yield %0, %1 : [m, n], [m, p]
  }
  where [k > 0, n <= m + 1, n divides p, m < 4 * m - p, n == m]

// Other element types and constant sizes; one result, no conditions.
// CHECK-LABEL: rule.rule @twice(%x: [3, n] of i64) -> [3, n] of i64
// CHECK:         rule.yield %x : [3, n] of i64
// CHECK-NEXT:    }{{$}}
rule.rule @twice(%x: [3, n] of i64) -> [3, n] of i64
  source {
    %0 = graph.neg %x : tensor<3x?xi64, #graph.dims<3, n>>
    %1 = graph.neg %0 : tensor<3x?xi64, #graph.dims<3, n>>
    rule.yield %1 : [3, n] of i64
  }
  target {
    rule.yield %x : [3, n] of i64
  }

// Conditions over elements come last.
// CHECK-LABEL: rule.rule @values(
// CHECK:         where [n >= 1, is_zero(%a), is_ones(%b), is_identity(%w), is_positive(%v)]
rule.rule @values(%a: [m, n], %b: [m, n], %w: [n, n], %v: [m, n]) -> [m, n]
  source {
    %0 = graph.add %a, %b : tensor<?x?xf32, #graph.dims<m, n>>
    %1 = graph.matmul %0, %w : (tensor<?x?xf32, #graph.dims<m, n>>, tensor<?x?xf32, #graph.dims<n, n>>) -> tensor<?x?xf32, #graph.dims<m, n>>
    %2 = graph.div %1, %v : tensor<?x?xf32, #graph.dims<m, n>>
    rule.yield %2 : [m, n]
  }
  target {
    %0 = graph.div %b, %v : tensor<?x?xf32, #graph.dims<m, n>>
    rule.yield %0 : [m, n]
  }
  where [is_zero(%a), is_ones(%b), n >= 1, is_identity(%w), is_positive(%v)]

// As an attribute of its own.
// CHECK: #rule.value_condition<is_identity 2>
func.func private @attribute() attributes {condition = #rule.value_condition<is_identity 2>}
