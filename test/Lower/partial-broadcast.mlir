// What follows a matmul may have some of its leading axes only: then they are not
// joined to one.
// RUN: tenon-compile %s -o %t.so
// RUN: tenon-interpret %s --params random:1 --input x=random:1:2x6x3 --input s=random:2 --output y=@%t.y.npy --output z=@%t.z.npy
// RUN: tenon-run %t.so --params random:1 --input x=random:1:2x6x3 --input s=random:2 --expect y=@%t.y.npy --expect z=@%t.z.npy
// REQUIRES: avx2

func.func @main(%x: tensor<?x6x3xf32, #graph.dims<n, 6, 3>> {graph.name = "x"}, %s: tensor<6x1xf32> {graph.name = "s"}) -> (tensor<?x6x9xf32, #graph.dims<n, 6, 9>> {graph.name = "y"}, tensor<?x6x9xf32, #graph.dims<n, 6, 9>> {graph.name = "z"}) {
  %w = graph.parameter @w : tensor<3x9xf32>
  %v = graph.parameter @v : tensor<3x9xf32>
  %b = graph.broadcast %s shape = [n, 6, 9] : (tensor<6x1xf32>) -> tensor<?x6x9xf32, #graph.dims<n, 6, 9>>
  %0 = graph.matmul %x, %w : (tensor<?x6x3xf32, #graph.dims<n, 6, 3>>, tensor<3x9xf32>) -> tensor<?x6x9xf32, #graph.dims<n, 6, 9>>
  %1 = graph.mul %0, %b : tensor<?x6x9xf32, #graph.dims<n, 6, 9>>
  %2 = graph.matmul %x, %v : (tensor<?x6x3xf32, #graph.dims<n, 6, 3>>, tensor<3x9xf32>) -> tensor<?x6x9xf32, #graph.dims<n, 6, 9>>
  %3 = graph.sub %2, %b : tensor<?x6x9xf32, #graph.dims<n, 6, 9>>
  %4 = graph.relu %3 : tensor<?x6x9xf32, #graph.dims<n, 6, 9>>
  return %1, %4 : tensor<?x6x9xf32, #graph.dims<n, 6, 9>>, tensor<?x6x9xf32, #graph.dims<n, 6, 9>>
}
