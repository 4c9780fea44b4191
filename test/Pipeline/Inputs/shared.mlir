!i = tensor<?xi64, #graph.dims<n>>
!b = tensor<?x4xf32, #graph.dims<n, 4>>
pipe.program @main(%x: !i) -> !b inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 4 : i64, training, state_factor = 1.0 : f64,
                mesh = #pipe.mesh<"device" = 2, memory_bytes = [65536], link_seconds = [1.0e-6], link_bytes_per_second = [1.0e9]>} {
  %0 = pipe.stage @s0 on [0, 1] (%a = %x : !i) -> !b
      attributes {micro_batch = 2 : i64, seconds = array<f64: 1.0, 1.0, 1.0>} {
    %e = graph.parameter @e : tensor<4x4xf32>
    %w = graph.parameter @w : tensor<4x4xf32>
    %1 = graph.gather %e, %a axis = 0 : (tensor<4x4xf32>, !i) -> !b
    %2 = graph.matmul %1, %w : (!b, tensor<4x4xf32>) -> !b
    pipe.yield %2 : !b
  }
  pipe.schedule on [0, 1] "F0 F1 B0 B1 U"
  pipe.yield %0 : !b
}
