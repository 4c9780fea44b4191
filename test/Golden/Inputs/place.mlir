module attributes {graph.version = #graph.version<1>, kernel.target = #kernel.target<[#kernel.cpu<"x86-64-v3">, #kernel.cpu<"x86-64-v4">], #kernel.numerics<fp = reassociate, precision = f32>>} {
  func.func @main(%arg0: tensor<?x8xf32, #graph.dims<n, 8>> {graph.name = "x"}) -> (tensor<?x4xf32, #graph.dims<n, 4>> {graph.name = "y"}, tensor<?xi64, #graph.dims<n>> {graph.name = "best"}) attributes {place.graph = "90e293586fb82e13", place.kernels = "1aa53d83903d3eb6", place.plan = "mixed", place.seconds = 1.8084266666666665E-6 : f64, place.sums = {"all:cpu" = 1.8084266666666665E-6 : f64, "all:onednn" = 3.0084266666666664E-6 : f64, mixed = 1.8084266666666665E-6 : f64}} {
    %0 = graph.constant dense<[[1.000000e+00, -1.000000e+00, 5.000000e-01, 2.500000e-01], [2.000000e+00, 0.000000e+00, -5.000000e-01, 1.000000e+00], [0.000000e+00, 1.000000e+00, 1.500000e+00, -1.000000e+00], [1.000000e+00, 1.000000e+00, 0.000000e+00, 5.000000e-01], [-1.000000e+00, 5.000000e-01, 2.000000e+00, 0.000000e+00], [5.000000e-01, 5.000000e-01, -1.000000e+00, 1.000000e+00], [3.000000e+00, -2.000000e+00, 1.000000e+00, 0.000000e+00], [0.000000e+00, 2.500000e-01, 5.000000e-01, 2.000000e+00]]> : tensor<8x4xf32>
    %1 = graph.constant dense<[5.000000e-01, -5.000000e-01, 2.500000e-01, 0.000000e+00]> : tensor<4xf32>
    %2 = kernel.call "onednn" "matmul+add"(%arg0, %0, %1) {
    ^bb0(%arg1: tensor<?x8xf32, #graph.dims<n, 8>>, %arg2: tensor<8x4xf32>, %arg3: tensor<4xf32>):
      %4 = graph.matmul %arg1, %arg2 : (tensor<?x8xf32, #graph.dims<n, 8>>, tensor<8x4xf32>) -> tensor<?x4xf32, #graph.dims<n, 4>>
      %5 = graph.broadcast %arg3 shape = [n, 4] : (tensor<4xf32>) -> tensor<?x4xf32, #graph.dims<n, 4>>
      %6 = graph.add %4, %5 : tensor<?x4xf32, #graph.dims<n, 4>>
      kernel.yield %6 : tensor<?x4xf32, #graph.dims<n, 4>>
    } {place.extra_seconds = 2.099252955082742E-7 : f64, place.instead = "onednn matmul, cpu broadcast+add", place.seconds = 1.5422933333333332E-6 : f64} : (tensor<?x8xf32, #graph.dims<n, 8>>, tensor<8x4xf32>, tensor<4xf32>) -> tensor<?x4xf32, #graph.dims<n, 4>>
    %3:2 = kernel.call "cpu" "reduce_max+broadcast+sub+exp+reduce_sum+broadcast+div+reduce_max"(%2) {
    ^bb0(%arg1: tensor<?x4xf32, #graph.dims<n, 4>>):
      %4 = graph.constant dense<9223372036854775807> : tensor<i64>
      %5 = graph.reduce_max %arg1 axes = [1] keepdims : (tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<?x1xf32, #graph.dims<n, 1>>
      %6 = graph.broadcast %5 shape = [n, 4] : (tensor<?x1xf32, #graph.dims<n, 1>>) -> tensor<?x4xf32, #graph.dims<n, 4>>
      %7 = graph.sub %arg1, %6 : tensor<?x4xf32, #graph.dims<n, 4>>
      %8 = graph.exp %7 : tensor<?x4xf32, #graph.dims<n, 4>>
      %9 = graph.reduce_sum %8 axes = [1] keepdims : (tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<?x1xf32, #graph.dims<n, 1>>
      %10 = graph.broadcast %9 shape = [n, 4] : (tensor<?x1xf32, #graph.dims<n, 1>>) -> tensor<?x4xf32, #graph.dims<n, 4>>
      %11 = graph.div %8, %10 : tensor<?x4xf32, #graph.dims<n, 4>>
      %12 = graph.reduce_max %11 axes = [1] keepdims : (tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<?x1xf32, #graph.dims<n, 1>>
      %13 = graph.broadcast %12 shape = [n, 4] : (tensor<?x1xf32, #graph.dims<n, 1>>) -> tensor<?x4xf32, #graph.dims<n, 4>>
      %14 = graph.equal %11, %13 : tensor<?x4xf32, #graph.dims<n, 4>>
      %15 = graph.is_nan %11 : tensor<?x4xf32, #graph.dims<n, 4>>
      %16 = graph.or %14, %15 : tensor<?x4xi1, #graph.dims<n, 4>>
      %17 = graph.iota shape = [n, 4] axis = 1 of i64 : () -> tensor<?x4xi64, #graph.dims<n, 4>>
      %18 = graph.broadcast %4 shape = [n, 4] : (tensor<i64>) -> tensor<?x4xi64, #graph.dims<n, 4>>
      %19 = graph.where %16, %17, %18 : tensor<?x4xi1, #graph.dims<n, 4>>, tensor<?x4xi64, #graph.dims<n, 4>>, tensor<?x4xi64, #graph.dims<n, 4>>
      %20 = graph.reduce_min %19 axes = [1] : (tensor<?x4xi64, #graph.dims<n, 4>>) -> tensor<?xi64, #graph.dims<n>>
      kernel.yield %11, %20 : tensor<?x4xf32, #graph.dims<n, 4>>, tensor<?xi64, #graph.dims<n>>
    } {place.extra_seconds = 1.200000e-06 : f64, place.instead = "onednn softmax, cpu reduce_max+broadcast+equal+is_nan+or+iota+broadcast+where+reduce_min", place.seconds = 2.6613333333333333E-7 : f64} : (tensor<?x4xf32, #graph.dims<n, 4>>) -> (tensor<?x4xf32, #graph.dims<n, 4>>, tensor<?xi64, #graph.dims<n>>)
    return %3#0, %3#1 : tensor<?x4xf32, #graph.dims<n, 4>>, tensor<?xi64, #graph.dims<n>>
  }
}

