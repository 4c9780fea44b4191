// RUN: tenon-opt %s | FileCheck %s
// RUN: tenon-opt %s | tenon-opt | FileCheck %s
// RUN: tenon-opt --mlir-print-op-generic %s | tenon-opt | FileCheck %s
// RUN: tenon-opt --emit-bytecode %s | tenon-opt | FileCheck %s

// CHECK-LABEL: pipe.program @main(%{{.*}}: tensor<4x8xf32>, %{{.*}}: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) inputs ["x", "y"] outputs ["a", "b"] ranks 2 {
// CHECK:         %[[R:.*]]:2 = pipe.stage @first on 0 (%[[A:.*]] = %{{.*}} : tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
// CHECK-NEXT:      graph.relu %[[A]]
// CHECK:           pipe.yield %{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<4x8xf32>
// CHECK:         pipe.stage @second on 1 (%{{.*}} = %[[R]]#1 : tensor<4x8xf32>, %{{.*}} = %{{.*}} : tensor<4x8xf32>) -> tensor<4x8xf32> {
// CHECK:         pipe.yield %[[R]]#0, %{{.*}} : tensor<4x8xf32>, tensor<4x8xf32>
pipe.program @main(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
    inputs ["x", "y"] outputs ["a", "b"] ranks 2 {
  %0, %1 = pipe.stage @first on 0 (%a = %x : tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
    %r = graph.relu %a : tensor<4x8xf32>
    %n = graph.neg %r : tensor<4x8xf32>
    pipe.yield %r, %n : tensor<4x8xf32>, tensor<4x8xf32>
  }
  %2 = pipe.stage @second on 1 (%a = %1 : tensor<4x8xf32>, %b = %y : tensor<4x8xf32>) -> tensor<4x8xf32> {
    %s = graph.add %a, %b : tensor<4x8xf32>
    pipe.yield %s : tensor<4x8xf32>
  }
  pipe.yield %0, %2 : tensor<4x8xf32>, tensor<4x8xf32>
}
