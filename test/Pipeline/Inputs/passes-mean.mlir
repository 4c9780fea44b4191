// A mean over the samples of a micro-batch is none of all of them.
!x = tensor<?x4xf32, #graph.dims<n, 4>>
pipe.program @main(%x: !x) -> tensor<f32> inputs ["x"] outputs ["y"] ranks 1
    attributes {mini_batch = 4 : i64, mesh = #pipe.mesh<"device" = 1, memory_bytes = [65536],
                link_seconds = [1.0e-6], link_bytes_per_second = [1.0e9]>} {
  %0 = pipe.stage @a on 0 (%v = %x : !x) -> tensor<f32>
      attributes {micro_batch = 2 : i64, seconds = array<f64: 1.0, 0.0, 0.0>} {
    %m = graph.reduce_mean %v axes = [0, 1] : (!x) -> tensor<f32>
    pipe.yield %m : tensor<f32>
  }
  %1 = pipe.stage @b on 0 (%v = %0 : tensor<f32>) -> tensor<f32>
      attributes {micro_batch = 2 : i64, seconds = array<f64: 1.0, 0.0, 0.0>} {
    %r = graph.exp %v : tensor<f32>
    pipe.yield %r : tensor<f32>
  }
  pipe.yield %1 : tensor<f32>
}
program.ranks @main {
  %x = program.input "x" : tensor<4x4xf32>
  %y = program.output "y" : tensor<f32>
  program.rank 0 {
    %a = program.arena : tensor<f32> live 0 to 1
    program.run {
      program.task @a.predict(%x) to (%a)
      program.copy "output" %a to %y
    }
  }
}
func.func private @a.predict(%x: tensor<4x4xf32>) -> tensor<f32> {
  %m = graph.reduce_mean %x axes = [0, 1] : (tensor<4x4xf32>) -> tensor<f32>
  return %m : tensor<f32>
}
