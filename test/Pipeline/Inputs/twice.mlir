pipe.program @main(%x: tensor<4x3xf32>) -> tensor<4x3xf32> inputs ["x"] outputs ["y"] ranks 2 {
  %0 = pipe.stage @first on 0 (%a = %x : tensor<4x3xf32>) -> (tensor<4x3xf32>) {
    %1 = graph.relu %a : tensor<4x3xf32>
    pipe.yield %1 : tensor<4x3xf32>
  }
  %1 = pipe.stage @second on 1 (%a = %0 : tensor<4x3xf32>, %b = %0 : tensor<4x3xf32>) -> (tensor<4x3xf32>) {
    %2 = graph.mul %a, %b : tensor<4x3xf32>
    pipe.yield %2 : tensor<4x3xf32>
  }
  pipe.yield %1 : tensor<4x3xf32>
}
