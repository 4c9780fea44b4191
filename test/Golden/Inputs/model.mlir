// Written by hand: what the golden files were made of.
func.func @main(%x: tensor<?x8xf32, #graph.dims<n, 8>> {graph.name = "x"}) -> (tensor<?x4xf32, #graph.dims<n, 4>> {graph.name = "y"}, tensor<?xi64, #graph.dims<n>> {graph.name = "best"}) {
  %w = graph.constant dense<[[1.0, -1.0, 0.5, 0.25], [2.0, 0.0, -0.5, 1.0], [0.0, 1.0, 1.5, -1.0], [1.0, 1.0, 0.0, 0.5],
                             [-1.0, 0.5, 2.0, 0.0], [0.5, 0.5, -1.0, 1.0], [3.0, -2.0, 1.0, 0.0], [0.0, 0.25, 0.5, 2.0]]> : tensor<8x4xf32>
  %b = graph.constant dense<[0.5, -0.5, 0.25, 0.0]> : tensor<4xf32>
  %0 = graph.matmul %x, %w : (tensor<?x8xf32, #graph.dims<n, 8>>, tensor<8x4xf32>) -> tensor<?x4xf32, #graph.dims<n, 4>>
  %1 = graph.broadcast %b shape = [n, 4] : (tensor<4xf32>) -> tensor<?x4xf32, #graph.dims<n, 4>>
  %2 = graph.add %0, %1 : tensor<?x4xf32, #graph.dims<n, 4>>
  %3 = graph.softmax %2 axis = 1 : tensor<?x4xf32, #graph.dims<n, 4>>
  %4 = graph.argmax %3 axis = 1 : (tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<?xi64, #graph.dims<n>>
  return %3, %4 : tensor<?x4xf32, #graph.dims<n, 4>>, tensor<?xi64, #graph.dims<n>>
}
