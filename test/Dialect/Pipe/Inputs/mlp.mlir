// The zoo's MLP, cut by hand into two stages.
module attributes {} {
  pipe.program @main(%x: tensor<?x784xf32, #graph.dims<n, 784>>) -> tensor<?x10xf32, #graph.dims<n, 10>>
      inputs ["input"] outputs ["output"] ranks 2 {
    %0 = pipe.stage @first on 0 (%a = %x : tensor<?x784xf32, #graph.dims<n, 784>>) -> tensor<?x512xf32, #graph.dims<n, 512>> {
      %w = graph.parameter @fc1.weight : tensor<512x784xf32>
      %1 = graph.matmul %a, %w transpose_b : (tensor<?x784xf32, #graph.dims<n, 784>>, tensor<512x784xf32>) -> tensor<?x512xf32, #graph.dims<n, 512>>
      %b = graph.parameter @fc1.bias : tensor<512xf32>
      %2 = graph.broadcast %b shape = [n, 512] : (tensor<512xf32>) -> tensor<?x512xf32, #graph.dims<n, 512>>
      %3 = graph.add %1, %2 : tensor<?x512xf32, #graph.dims<n, 512>>
      %4 = graph.relu %3 : tensor<?x512xf32, #graph.dims<n, 512>>
      pipe.yield %4 : tensor<?x512xf32, #graph.dims<n, 512>>
    }
    %1 = pipe.stage @second on 1 (%a = %0 : tensor<?x512xf32, #graph.dims<n, 512>>) -> tensor<?x10xf32, #graph.dims<n, 10>> {
      %w = graph.parameter @fc2.weight : tensor<256x512xf32>
      %1 = graph.matmul %a, %w transpose_b : (tensor<?x512xf32, #graph.dims<n, 512>>, tensor<256x512xf32>) -> tensor<?x256xf32, #graph.dims<n, 256>>
      %b = graph.parameter @fc2.bias : tensor<256xf32>
      %2 = graph.broadcast %b shape = [n, 256] : (tensor<256xf32>) -> tensor<?x256xf32, #graph.dims<n, 256>>
      %3 = graph.add %1, %2 : tensor<?x256xf32, #graph.dims<n, 256>>
      %4 = graph.relu %3 : tensor<?x256xf32, #graph.dims<n, 256>>
      %v = graph.parameter @fc3.weight : tensor<10x256xf32>
      %5 = graph.matmul %4, %v transpose_b : (tensor<?x256xf32, #graph.dims<n, 256>>, tensor<10x256xf32>) -> tensor<?x10xf32, #graph.dims<n, 10>>
      %c = graph.parameter @fc3.bias : tensor<10xf32>
      %6 = graph.broadcast %c shape = [n, 10] : (tensor<10xf32>) -> tensor<?x10xf32, #graph.dims<n, 10>>
      %7 = graph.add %5, %6 : tensor<?x10xf32, #graph.dims<n, 10>>
      pipe.yield %7 : tensor<?x10xf32, #graph.dims<n, 10>>
    }
    pipe.yield %1 : tensor<?x10xf32, #graph.dims<n, 10>>
  }
}
