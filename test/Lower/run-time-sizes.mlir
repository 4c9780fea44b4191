// What depends on the sizes of the inputs is computed in each run, even where
// it reads no input.
// REQUIRES: avx2
// RUN: tenon-compile %s -o %t.so
// RUN: tenon-interpret %s --input random:1:3x4 --output mean=@%t.mean.npy --output count=@%t.count.npy --output positions=@%t.positions.npy
// RUN: tenon-run %t.so --input random:1:3x4 --expect mean=@%t.mean.npy --expect count=@%t.count.npy --expect positions=@%t.positions.npy
// RUN: tenon-interpret %s --input random:1:5x4 --output mean=@%t.mean.npy --output count=@%t.count.npy --output positions=@%t.positions.npy
// RUN: tenon-run %t.so --input random:1:5x4 --expect mean=@%t.mean.npy --expect count=@%t.count.npy --expect positions=@%t.positions.npy

!x = tensor<?x4xf32, #graph.dims<n, 4>>

func.func @main(%x: !x {graph.name = "x"})
    -> (tensor<4xf32> {graph.name = "mean"}, tensor<f32> {graph.name = "count"},
        tensor<?xi64, #graph.dims<n>> {graph.name = "positions"}) {
  %0 = graph.reduce_mean %x axes = [0] : (!x) -> tensor<4xf32>
  %1 = graph.constant dense<1.0> : tensor<f32>
  %2 = graph.broadcast %1 shape = [n, n] : (tensor<f32>) -> tensor<?x?xf32, #graph.dims<n, n>>
  %3 = graph.reduce_sum %2 axes = [0, 1] : (tensor<?x?xf32, #graph.dims<n, n>>) -> tensor<f32>
  %4 = graph.iota shape = [n] axis = 0 of i64 : () -> tensor<?xi64, #graph.dims<n>>
  return %0, %3, %4 : tensor<4xf32>, tensor<f32>, tensor<?xi64, #graph.dims<n>>
}
