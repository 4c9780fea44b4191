// A multi-layer perceptron that computes exclusive or, with weights chosen by
// hand: y = relu(x W1 + b1) W2. The batch size is the symbol n.

func.func @main(%x: tensor<?x2xf32, #graph.dims<n, 2>> {graph.name = "x"})
    -> (tensor<?x1xf32, #graph.dims<n, 1>> {graph.name = "y"}) {
  %w1 = graph.constant dense<1.0> : tensor<2x2xf32>
  %b1 = graph.constant dense<[0.0, -1.0]> : tensor<2xf32>
  %w2 = graph.constant dense<[[1.0], [-2.0]]> : tensor<2x1xf32>

  %0 = graph.matmul %x, %w1
      : (tensor<?x2xf32, #graph.dims<n, 2>>, tensor<2x2xf32>)
      -> tensor<?x2xf32, #graph.dims<n, 2>>
  %1 = graph.broadcast %b1 shape = [n, 2]
      : (tensor<2xf32>) -> tensor<?x2xf32, #graph.dims<n, 2>>
  %2 = graph.add %0, %1 : tensor<?x2xf32, #graph.dims<n, 2>>
  %3 = graph.relu %2 : tensor<?x2xf32, #graph.dims<n, 2>>
  %4 = graph.matmul %3, %w2
      : (tensor<?x2xf32, #graph.dims<n, 2>>, tensor<2x1xf32>)
      -> tensor<?x1xf32, #graph.dims<n, 1>>
  return %4 : tensor<?x1xf32, #graph.dims<n, 1>>
}
