// relu(x * scale + shift) for rows of four elements.
func.func @main(%x: tensor<?x4xf32, #graph.dims<rows, 4>> {graph.name = "x"})
    -> (tensor<?x4xf32, #graph.dims<rows, 4>> {graph.name = "y"}) {
  %scale = graph.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %shift = graph.constant dense<[0.5, 0.0, -0.5, -1.0]> : tensor<4xf32>
  %0 = graph.broadcast %scale shape = [rows, 4] : (tensor<4xf32>) -> tensor<?x4xf32, #graph.dims<rows, 4>>
  %1 = graph.mul %x, %0 : tensor<?x4xf32, #graph.dims<rows, 4>>
  %2 = graph.broadcast %shift shape = [rows, 4] : (tensor<4xf32>) -> tensor<?x4xf32, #graph.dims<rows, 4>>
  %3 = graph.add %2, %1 : tensor<?x4xf32, #graph.dims<rows, 4>>
  %4 = graph.relu %3 : tensor<?x4xf32, #graph.dims<rows, 4>>
  return %4 : tensor<?x4xf32, #graph.dims<rows, 4>>
}
