pipe.program @main(%x: tensor<?x1x2xf32, #graph.dims<n, 1, 2>>) -> tensor<?x1x2xf32, #graph.dims<n, 1, 2>>
    inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 2 : i64, training, state_factor = 1.0 : f64,
                mesh = #pipe.mesh<"device" = 2, memory_bytes = [65536], link_seconds = [1.0e-6], link_bytes_per_second = [1.0e9]>} {
  %0 = pipe.stage @s0 on [0, 1] (%a = %x : tensor<?x1x2xf32, #graph.dims<n, 1, 2>>) -> tensor<?x1x2xf32, #graph.dims<n, 1, 2>>
      attributes {micro_batch = 2 : i64, seconds = array<f64: 1.0, 1.0, 1.0>} {
    %s = graph.parameter @scale : tensor<1xf32>
    %b = graph.parameter @shift : tensor<1xf32>
    %m = graph.parameter @mean : tensor<1xf32>
    %v = graph.parameter @variance : tensor<1xf32>
    %1 = graph.batch_norm %a, %s, %b, %m, %v axis = 1 epsilon = 1.0e-5 : (tensor<?x1x2xf32, #graph.dims<n, 1, 2>>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x1x2xf32, #graph.dims<n, 1, 2>>
    pipe.yield %1 : tensor<?x1x2xf32, #graph.dims<n, 1, 2>>
  }
  pipe.schedule on [0, 1] "F0 B0 U"
  pipe.yield %0 : tensor<?x1x2xf32, #graph.dims<n, 1, 2>>
}
