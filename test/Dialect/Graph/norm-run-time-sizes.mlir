// Norms whose sizes are known to be equal at run time only. Each decomposition
// broadcasts parameters of the one size over an axis of the other.
// RUN: tenon-opt %s --graph-decompose | FileCheck %s
// RUN: tenon-compile %s -o %t.so
// DEFINE: %{inputs} = --input x=random:1:2x5x6 --input l=random:2:2x5x6 --input five=random:3:5:uniform(1,2) --input six=random:4:6:uniform(1,2) --input n=random:5:2 --input m=random:6:3
// RUN: tenon-interpret %s %{inputs} --output a=@%t.a.npy --output b=@%t.b.npy --output c=@%t.c.npy --output d=@%t.d.npy --output e=@%t.e.npy
// RUN: tenon-run %t.so %{inputs} --expect a=@%t.a.npy --expect b=@%t.b.npy --expect c=@%t.c.npy --expect d=@%t.d.npy --expect e=@%t.e.npy --rtol 1e-5
// RUN: not tenon-run %t.so --input x=random:1:2x4x6 --input l=random:2:2x5x4 --input n=random:5:2 --input m=random:6:2 2>&1 | FileCheck %s --check-prefix=SIZE
// SIZE: graph.batch_norm: expected size 5, but got m + n, where n = 2, m = 2

// CHECK-NOT: _norm
func.func @main(%x: tensor<2x?x6xf32, #graph.dims<2, n + m, 6>> {graph.name = "x"}, %l: tensor<2x5x?xf32, #graph.dims<2, 5, m * n>> {graph.name = "l"},
                %five: tensor<5xf32> {graph.name = "five"}, %six: tensor<6xf32> {graph.name = "six"},
                %n: tensor<?xf32, #graph.dims<n>> {graph.name = "n"}, %m: tensor<?xf32, #graph.dims<m>> {graph.name = "m"})
    -> (tensor<2x?x6xf32, #graph.dims<2, n + m, 6>> {graph.name = "a"}, tensor<2x?x6xf32, #graph.dims<2, n + m, 6>> {graph.name = "b"},
        tensor<2x?x6xf32, #graph.dims<2, n + m, 6>> {graph.name = "c"}, tensor<2x5x?xf32, #graph.dims<2, 5, m * n>> {graph.name = "d"}, tensor<2x5x?xf32, #graph.dims<2, 5, m * n>> {graph.name = "e"}) {
  %a = graph.batch_norm %x, %five, %five, %five, %five axis = 1 epsilon = 1.0e-5 : (tensor<2x?x6xf32, #graph.dims<2, n + m, 6>>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) -> tensor<2x?x6xf32, #graph.dims<2, n + m, 6>>
  %b = graph.instance_norm %x, %five, %five epsilon = 1.0e-5 : (tensor<2x?x6xf32, #graph.dims<2, n + m, 6>>, tensor<5xf32>, tensor<5xf32>) -> tensor<2x?x6xf32, #graph.dims<2, n + m, 6>>
  %c = graph.group_norm %x, %five, %five groups = 1 epsilon = 1.0e-5 : (tensor<2x?x6xf32, #graph.dims<2, n + m, 6>>, tensor<5xf32>, tensor<5xf32>) -> tensor<2x?x6xf32, #graph.dims<2, n + m, 6>>
  %d = graph.layer_norm %l, %six, %six axis = 2 epsilon = 1.0e-5 : (tensor<2x5x?xf32, #graph.dims<2, 5, m * n>>, tensor<6xf32>, tensor<6xf32>) -> tensor<2x5x?xf32, #graph.dims<2, 5, m * n>>
  %e = graph.rms_norm %l, %six axis = 2 epsilon = 1.0e-5 : (tensor<2x5x?xf32, #graph.dims<2, 5, m * n>>, tensor<6xf32>) -> tensor<2x5x?xf32, #graph.dims<2, 5, m * n>>
  return %a, %b, %c, %d, %e : tensor<2x?x6xf32, #graph.dims<2, n + m, 6>>, tensor<2x?x6xf32, #graph.dims<2, n + m, 6>>, tensor<2x?x6xf32, #graph.dims<2, n + m, 6>>, tensor<2x5x?xf32, #graph.dims<2, 5, m * n>>, tensor<2x5x?xf32, #graph.dims<2, 5, m * n>>
}
