// RUN: tenon-opt %s | tenon-opt | FileCheck %s
// RUN: tenon-opt --emit-bytecode %s | tenon-opt | FileCheck %s

// CHECK: module attributes {graph.params = "weights.safetensors"}
module attributes {graph.params = "weights.safetensors"} {

// Sizes are written in their normal form.
// CHECK-LABEL: func.func private @sizes
// CHECK-SAME: tensor<?xf32, #graph.dims<2 * n + 1>>
// CHECK-SAME: tensor<?x4xf32, #graph.dims<m * n, 4>>
// CHECK-SAME: tensor<?xf32, #graph.dims<((n + 1) floordiv (2)) + 1>>
// CHECK-SAME: tensor<?xf32, #graph.dims<max(1, n)>>
// CHECK-SAME: tensor<?x?xf32, #graph.dims<?, n>>
// CHECK-SAME: tensor<?xf32, #graph.dims<batch.size>>
func.func private @sizes(tensor<?xf32, #graph.dims<n + 1 + n>>,
                         tensor<?x4xf32, #graph.dims<n * m, 4>>,
                         tensor<?xf32, #graph.dims<(n + 3) floordiv 2>>,
                         tensor<?xf32, #graph.dims<max(n, 1)>>,
                         tensor<?x?xf32, #graph.dims<?, n>>,
                         tensor<?xf32, #graph.dims<batch.size>>)

// CHECK-LABEL: func.func @main
// CHECK-SAME: %{{.*}}: tensor<2xf32> {graph.donate = 1 : i64, graph.name = "cache"}
// CHECK-SAME: -> (tensor<2xf32> {graph.name = "y"}, tensor<2xf32>)
func.func @main(%x: tensor<2xf32> {graph.name = "cache", graph.donate = 1 : i64})
    -> (tensor<2xf32> {graph.name = "y"}, tensor<2xf32>) {
  return %x, %x : tensor<2xf32>, tensor<2xf32>
}
}
