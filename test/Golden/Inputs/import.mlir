module attributes {graph.version = #graph.version<1>, kernel.target = #kernel.target<[#kernel.cpu<"x86-64-v3">, #kernel.cpu<"x86-64-v4">], #kernel.numerics<fp = reassociate, precision = f32>>} {
  func.func @main(%arg0: tensor<?x8xf32, #graph.dims<n, 8>> {graph.name = "x"}) -> (tensor<?x4xf32, #graph.dims<n, 4>> {graph.name = "y"}, tensor<?xi64, #graph.dims<n>> {graph.name = "best"}) {
    %0 = graph.constant dense<[[1.000000e+00, -1.000000e+00, 5.000000e-01, 2.500000e-01], [2.000000e+00, 0.000000e+00, -5.000000e-01, 1.000000e+00], [0.000000e+00, 1.000000e+00, 1.500000e+00, -1.000000e+00], [1.000000e+00, 1.000000e+00, 0.000000e+00, 5.000000e-01], [-1.000000e+00, 5.000000e-01, 2.000000e+00, 0.000000e+00], [5.000000e-01, 5.000000e-01, -1.000000e+00, 1.000000e+00], [3.000000e+00, -2.000000e+00, 1.000000e+00, 0.000000e+00], [0.000000e+00, 2.500000e-01, 5.000000e-01, 2.000000e+00]]> : tensor<8x4xf32>
    %1 = graph.constant dense<[5.000000e-01, -5.000000e-01, 2.500000e-01, 0.000000e+00]> : tensor<4xf32>
    %2 = graph.matmul %arg0, %0 : (tensor<?x8xf32, #graph.dims<n, 8>>, tensor<8x4xf32>) -> tensor<?x4xf32, #graph.dims<n, 4>>
    %3 = graph.broadcast %1 shape = [n, 4] : (tensor<4xf32>) -> tensor<?x4xf32, #graph.dims<n, 4>>
    %4 = graph.add %2, %3 : tensor<?x4xf32, #graph.dims<n, 4>>
    %5 = graph.softmax %4 axis = 1 : tensor<?x4xf32, #graph.dims<n, 4>>
    %6 = graph.argmax %5 axis = 1 : (tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<?xi64, #graph.dims<n>>
    return %5, %6 : tensor<?x4xf32, #graph.dims<n, 4>>, tensor<?xi64, #graph.dims<n>>
  }
}

