!batch = tensor<?x3xf32, #graph.dims<n, 3>>
!turned = tensor<3x?xf32, #graph.dims<3, n>>
!rows = tensor<?xf32, #graph.dims<3 * n>>
!places = tensor<?xi64, #graph.dims<n>>
pipe.program @main(%x: !batch) -> (!batch, !places) inputs ["x"] outputs ["y", "i"] ranks 4
    attributes {mini_batch = 12 : i64,
                mesh = #pipe.mesh<"device" = 4, memory_bytes = [65536], link_seconds = [1.0e-6], link_bytes_per_second = [1.0e9]>} {
  %0:3 = pipe.stage @s0 on 0 (%a = %x : !batch) -> (!turned, !rows, !places)
      attributes {micro_batch = 4 : i64, seconds = array<f64: 1.0, 1.0, 1.0>} {
    %1 = graph.relu %a : !batch
    %2 = graph.transpose %1 perm = [1, 0] : (!batch) -> !turned
    %3 = graph.reshape %1 shape = [3 * n] : (!batch) -> !rows
    %4 = graph.argmax %1 axis = 1 : (!batch) -> !places
    pipe.yield %2, %3, %4 : !turned, !rows, !places
  }
  %5 = pipe.channel %0#0 axis 1 from 4 to 6 : !turned
  %6 = pipe.channel %0#1 axis 0 rows 3 from 4 to 6 : !rows
  %7 = pipe.channel %0#2 axis 0 from 4 to 12 : !places
  %8 = pipe.stage @s1 on [1, 2] (%a = %5 : !turned, %b = %6 : !rows) -> !batch
      attributes {micro_batch = 6 : i64, seconds = array<f64: 1.0, 1.0, 1.0>} {
    %1 = graph.transpose %a perm = [1, 0] : (!turned) -> !batch
    %2 = graph.reshape %b shape = [n, 3] : (!rows) -> !batch
    %3 = graph.add %1, %2 : !batch
    pipe.yield %3 : !batch
  }
  %9 = pipe.stage @s2 on 3 (%a = %7 : !places) -> !places
      attributes {micro_batch = 12 : i64, seconds = array<f64: 1.0, 1.0, 1.0>} {
    %1 = graph.add %a, %a : !places
    pipe.yield %1 : !places
  }
  pipe.schedule on [0] "F0 F1 F2"
  pipe.schedule on [1, 2] "F0 F1"
  pipe.schedule on [3] "F0"
  pipe.yield %8, %9 : !batch, !places
}
