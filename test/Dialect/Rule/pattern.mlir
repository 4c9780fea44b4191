// RUN: tenon-opt %s | FileCheck %s
// RUN: tenon-opt %s | tenon-opt | FileCheck %s
// RUN: tenon-opt --mlir-print-op-generic %s | tenon-opt | FileCheck %s
// RUN: tenon-opt --emit-bytecode %s | tenon-opt | FileCheck %s

!mk = tensor<?x?xf32, #graph.dims<m, k>>
!kn = tensor<?x?xf32, #graph.dims<k, n>>
!mn = tensor<?x?xf32, #graph.dims<m, n>>
!n = tensor<?xf32, #graph.dims<n>>

// CHECK-LABEL: rule.pattern @matmul(%a: [m, k], %b: [k, n]) -> [m, n] lifts [%a, %b]
// CHECK-NEXT:    source {
// CHECK-NEXT:      %0 = graph.matmul %a, %b
// CHECK-NEXT:      rule.yield %0 : [m, n]
// CHECK-NEXT:    }
// CHECK-NEXT:    where [k >= 1, n divides k, is_positive(%b)]
rule.pattern @matmul(%a: [m, k], %b: [k, n]) -> [m, n]
  lifts [%a, %b]
  source {
    %0 = graph.matmul %a, %b : (!mk, !kn) -> !mn
    rule.yield %0 : [m, n]
  }
  where [k > 0, n divides k, is_positive(%b)]

// Two results, composites, other element types.
// CHECK-LABEL: rule.pattern @both(%x: [n] of f64, %i: [n] of i64) -> ([n] of f64, [n] of i64)
// CHECK-NEXT:    source {
// CHECK:           rule.yield %0, %1 : [n] of f64, [n] of i64
// CHECK-NEXT:    }{{$}}
rule.pattern @both(%x: [n] of f64, %i: [n] of i64) -> ([n] of f64, [n] of i64)
  source {
    %0 = graph.gelu %x : tensor<?xf64, #graph.dims<n>>
    %1 = graph.neg %i : tensor<?xi64, #graph.dims<n>>
    rule.yield %0, %1 : [n] of f64, [n] of i64
  }
