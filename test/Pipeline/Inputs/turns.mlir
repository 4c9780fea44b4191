!batch = tensor<?x4xf32, #graph.dims<n, 4>>
pipe.program @main(%x: !batch) -> !batch inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 8 : i64, training, state_factor = 3.0 : f64,
                mesh = #pipe.mesh<"device" = 2, memory_bytes = [65536], link_seconds = [1.0e-6], link_bytes_per_second = [1.0e9]>} {
  %0 = pipe.stage @s0 on 0 (%a = %x : !batch) -> !batch
      attributes {micro_batch = 2 : i64, seconds = array<f64: 1.0, 1.0, 1.0>} {
    %w = graph.parameter @w0 : tensor<4x4xf32>
    %v = graph.matmul %a, %w : (!batch, tensor<4x4xf32>) -> !batch
    pipe.yield %v : !batch
  }
  %1 = pipe.channel %0 axis 0 from 2 to 2 : !batch
  %2 = pipe.stage @s1 on 1 (%a = %1 : !batch) -> !batch
      attributes {micro_batch = 2 : i64, seconds = array<f64: 1.0, 1.0, 1.0>} {
    %w = graph.parameter @w1 : tensor<4x4xf32>
    %v = graph.matmul %a, %w : (!batch, tensor<4x4xf32>) -> !batch
    pipe.yield %v : !batch
  }
  %3 = pipe.channel %2 axis 0 from 2 to 2 : !batch
  %4 = pipe.stage @s2 on 0 (%a = %3 : !batch) -> !batch
      attributes {micro_batch = 2 : i64, seconds = array<f64: 1.0, 1.0, 1.0>} {
    %w = graph.parameter @w2 : tensor<4x4xf32>
    %v = graph.matmul %a, %w : (!batch, tensor<4x4xf32>) -> !batch
    pipe.yield %v : !batch
  }
  %5 = pipe.channel %4 axis 0 from 2 to 2 : !batch
  %6 = pipe.channel %0 axis 0 from 2 to 2 : !batch
  %7 = pipe.stage @s3 on 1 (%a = %5 : !batch, %b = %6 : !batch) -> !batch
      attributes {micro_batch = 2 : i64, seconds = array<f64: 1.0, 1.0, 1.0>} {
    %w = graph.parameter @w3 : tensor<4x4xf32>
    %v = graph.matmul %a, %w : (!batch, tensor<4x4xf32>) -> !batch
    %s = graph.add %v, %b : !batch
    pipe.yield %s : !batch
  }
  pipe.yield %7 : !batch
}
