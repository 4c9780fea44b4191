// Integers, booleans, NaN, infinities and tensors without elements.
func.func @main(%i: tensor<4xi64> {graph.name = "i"},
                %f: tensor<4xf32> {graph.name = "f"},
                %e: tensor<0x3xf32> {graph.name = "e"})
    -> (tensor<4xi64>, tensor<4xi1>, tensor<4xf32>, tensor<0x3xf32>) {
  %zero = graph.constant dense<0.0> : tensor<4xf32>
  %0 = graph.mul %i, %i : tensor<4xi64>
  %1 = graph.less %f, %zero : tensor<4xf32>
  %2 = graph.div %f, %zero : tensor<4xf32>
  %3 = graph.sqrt %2 : tensor<4xf32>
  %4 = graph.relu %e : tensor<0x3xf32>
  return %0, %1, %3, %4 : tensor<4xi64>, tensor<4xi1>, tensor<4xf32>, tensor<0x3xf32>
}
