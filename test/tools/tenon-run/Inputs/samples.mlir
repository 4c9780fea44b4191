// Samples for classifier.mlir: the class is the largest of the first three
// features.
func.func @main(%x: tensor<500x4xf32> {graph.name = "x"}) -> (tensor<500x4xf32> {graph.name = "samples"}, tensor<500xi64> {graph.name = "labels"}) {
  %0 = graph.slice %x starts = [0, 0] sizes = [500, 3] steps = [1, 1] : (tensor<500x4xf32>) -> tensor<500x3xf32>
  %1 = graph.argmax %0 axis = 1 : (tensor<500x3xf32>) -> tensor<500xi64>
  return %x, %1 : tensor<500x4xf32>, tensor<500xi64>
}
