// Generated code looks through all updates for each element, so that the library is
// faster except for few of them.
// RUN: tenon-compile %s --stop-after=place | FileCheck %s
// CHECK: kernel.call "scatter" "scatter_nd"
// CHECK: kernel.call "cpu" "{{.*}}scatter_nd
func.func @main(%x: tensor<3000x64xf32>, %i: tensor<500x1xi64>, %u: tensor<500x64xf32>, %y: tensor<4xf32>, %j: tensor<2x1xi64>, %v: tensor<2xf32>) -> (tensor<3000x64xf32>, tensor<4xf32>) {
  %0 = graph.scatter_nd %x, %i, %u add : (tensor<3000x64xf32>, tensor<500x1xi64>, tensor<500x64xf32>) -> tensor<3000x64xf32>
  %1 = graph.scatter_nd %y, %j, %v add : (tensor<4xf32>, tensor<2x1xi64>, tensor<2xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<3000x64xf32>, tensor<4xf32>
}
