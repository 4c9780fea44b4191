// Two products of one operand, which one of them reads by way of two reshapes.
func.func @main(%x: tensor<4x16xf32> {graph.name = "x"}) -> (tensor<4x8xf32> {graph.name = "a"}, tensor<4x8xf32> {graph.name = "b"}) {
  %u = graph.parameter @u : tensor<16x8xf32>
  %v = graph.parameter @v : tensor<16x8xf32>
  %y = graph.relu %x : tensor<4x16xf32>
  %0 = graph.reshape %y shape = [1, 4, 1, 16] : (tensor<4x16xf32>) -> tensor<1x4x1x16xf32>
  %1 = graph.reshape %0 shape = [4, 16] : (tensor<1x4x1x16xf32>) -> tensor<4x16xf32>
  %2 = graph.matmul %1, %u : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
  %3 = graph.matmul %y, %v : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
  return %2, %3 : tensor<4x8xf32>, tensor<4x8xf32>
}
