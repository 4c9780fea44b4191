// What is no pipeline. The first one is right.
// RUN: tenon-opt %s --split-input-file --verify-diagnostics

pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 8 : i64, training} {
  %0 = pipe.stage @a on 0 (%v = %x : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 4 : i64} {
    %r = graph.relu %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  %1 = pipe.channel %0 axis 0 from 4 to 2 : tensor<8x4xf32>
  %2 = pipe.stage @b on 1 (%v = %1 : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 2 : i64} {
    %r = graph.neg %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  pipe.schedule on [0] "F0 B0 F1 B1 U"
  pipe.schedule on [1] "F0 B0 F1 B1 F2 B2 F3 B3 U"
  pipe.yield %2 : tensor<8x4xf32>
}

// -----

// expected-error @+1 {{'pipe.program' op expected a mini-batch of at least 1, but got 0}}
pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 1
    attributes {mini_batch = 0 : i64} {
  %0 = pipe.stage @a on 0 (%v = %x : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 4 : i64} {
    %r = graph.relu %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  pipe.yield %0 : tensor<8x4xf32>
}

// -----

// expected-error @+1 {{'pipe.program' op expected a mini-batch for training}}
pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 2
    attributes {training} {
  %0 = pipe.stage @a on 0 (%v = %x : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 4 : i64} {
    %r = graph.relu %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  %1 = pipe.channel %0 axis 0 from 4 to 2 : tensor<8x4xf32>
  %2 = pipe.stage @b on 1 (%v = %1 : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 2 : i64} {
    %r = graph.neg %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  pipe.schedule on [0] "F0 B0 F1 B1 U"
  pipe.schedule on [1] "F0 B0 F1 B1 F2 B2 F3 B3 U"
  pipe.yield %2 : tensor<8x4xf32>
}

// -----

// expected-error @+1 {{'pipe.program' op expected a mesh of at least 2 positions, but got 1}}
pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 8 : i64, training, mesh = #pipe.mesh<"device" = 1, memory_bytes = [64], link_seconds = [0.0], link_bytes_per_second = [1.0]>} {
  %0 = pipe.stage @a on 0 (%v = %x : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 4 : i64} {
    %r = graph.relu %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  %1 = pipe.channel %0 axis 0 from 4 to 2 : tensor<8x4xf32>
  %2 = pipe.stage @b on 1 (%v = %1 : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 2 : i64} {
    %r = graph.neg %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  pipe.schedule on [0] "F0 B0 F1 B1 U"
  pipe.schedule on [1] "F0 B0 F1 B1 F2 B2 F3 B3 U"
  pipe.yield %2 : tensor<8x4xf32>
}

// -----

// expected-error @+1 {{'pipe.program' op expected a mesh with 'memory_bytes', 'link_seconds' and 'link_bytes_per_second'}}
pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 8 : i64, training, mesh = #pipe.mesh<"device" = 2, memory_bytes = [64]>} {
  %0 = pipe.stage @a on 0 (%v = %x : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 4 : i64} {
    %r = graph.relu %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  %1 = pipe.channel %0 axis 0 from 4 to 2 : tensor<8x4xf32>
  %2 = pipe.stage @b on 1 (%v = %1 : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 2 : i64} {
    %r = graph.neg %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  pipe.schedule on [0] "F0 B0 F1 B1 U"
  pipe.schedule on [1] "F0 B0 F1 B1 F2 B2 F3 B3 U"
  pipe.yield %2 : tensor<8x4xf32>
}

// -----

// expected-error @+1 {{'pipe.program' op expected a mesh with 'memory_bytes', 'link_seconds' and 'link_bytes_per_second'}}
pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 8 : i64, training, mesh = #pipe.mesh<"device" = 2, link_seconds = [0.0], link_bytes_per_second = [1.0]>} {
  %0 = pipe.stage @a on 0 (%v = %x : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 4 : i64} {
    %r = graph.relu %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  %1 = pipe.channel %0 axis 0 from 4 to 2 : tensor<8x4xf32>
  %2 = pipe.stage @b on 1 (%v = %1 : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 2 : i64} {
    %r = graph.neg %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  pipe.schedule on [0] "F0 B0 F1 B1 U"
  pipe.schedule on [1] "F0 B0 F1 B1 F2 B2 F3 B3 U"
  pipe.yield %2 : tensor<8x4xf32>
}

// -----

// expected-error @+1 {{'pipe.program' op expected 'devices' that are positions of the mesh, a different one for each rank}}
pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 8 : i64, training, devices = array<i64: 0, 0>, mesh = #pipe.mesh<"device" = 2, memory_bytes = [64], link_seconds = [0.0], link_bytes_per_second = [1.0]>} {
  %0 = pipe.stage @a on 0 (%v = %x : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 4 : i64} {
    %r = graph.relu %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  %1 = pipe.channel %0 axis 0 from 4 to 2 : tensor<8x4xf32>
  %2 = pipe.stage @b on 1 (%v = %1 : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 2 : i64} {
    %r = graph.neg %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  pipe.schedule on [0] "F0 B0 F1 B1 U"
  pipe.schedule on [1] "F0 B0 F1 B1 F2 B2 F3 B3 U"
  pipe.yield %2 : tensor<8x4xf32>
}

// -----

// expected-error @+1 {{'pipe.program' op has 'devices', but no mesh}}
pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 8 : i64, training, devices = array<i64: 0, 1>} {
  %0 = pipe.stage @a on 0 (%v = %x : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 4 : i64} {
    %r = graph.relu %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  %1 = pipe.channel %0 axis 0 from 4 to 2 : tensor<8x4xf32>
  %2 = pipe.stage @b on 1 (%v = %1 : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 2 : i64} {
    %r = graph.neg %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  pipe.schedule on [0] "F0 B0 F1 B1 U"
  pipe.schedule on [1] "F0 B0 F1 B1 F2 B2 F3 B3 U"
  pipe.yield %2 : tensor<8x4xf32>
}

// -----

// expected-error @+1 {{'pipe.program' op expected a state factor from 0 to 1024}}
pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 8 : i64, training, state_factor = -1.0 : f64} {
  %0 = pipe.stage @a on 0 (%v = %x : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 4 : i64} {
    %r = graph.relu %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  %1 = pipe.channel %0 axis 0 from 4 to 4 : tensor<8x4xf32>
  %2 = pipe.stage @b on 1 (%v = %1 : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 4 : i64} {
    %r = graph.neg %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  pipe.yield %2 : tensor<8x4xf32>
}

// -----

// expected-error @+1 {{'pipe.program' op expected a state factor from 0 to 1024}}
pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 8 : i64, training, state_factor = 1025.0 : f64} {
  %0 = pipe.stage @a on 0 (%v = %x : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 4 : i64} {
    %r = graph.relu %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  %1 = pipe.channel %0 axis 0 from 4 to 4 : tensor<8x4xf32>
  %2 = pipe.stage @b on 1 (%v = %1 : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 4 : i64} {
    %r = graph.neg %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  pipe.yield %2 : tensor<8x4xf32>
}

// -----

// expected-error @+1 {{'pipe.program' op expected a state factor from 0 to 1024}}
pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 8 : i64, training, state_factor = 0x7FF8000000000000 : f64} {
  %0 = pipe.stage @a on 0 (%v = %x : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 4 : i64} {
    %r = graph.relu %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  %1 = pipe.channel %0 axis 0 from 4 to 4 : tensor<8x4xf32>
  %2 = pipe.stage @b on 1 (%v = %1 : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 4 : i64} {
    %r = graph.neg %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  pipe.yield %2 : tensor<8x4xf32>
}

// -----

pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 8 : i64, training} {
  %0 = pipe.stage @a on 0 (%v = %x : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 4 : i64} {
    %w = graph.parameter @w : tensor<4xf32>
    %r = graph.relu %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  %1 = pipe.channel %0 axis 0 from 4 to 4 : tensor<8x4xf32>
  %2 = pipe.stage @b on 1 (%v = %1 : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 4 : i64} {
    // expected-error @+1 {{'graph.parameter' op differs from that of its name in stage 'a'}}
    %w = graph.parameter @w : tensor<8xf32>
    %r = graph.relu %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  pipe.yield %2 : tensor<8x4xf32>
}

// -----

// Statistics of batch norms are those of one stage.
pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 8 : i64, training} {
  %0 = pipe.stage @a on 0 (%v = %x : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 4 : i64} {
    %s = graph.parameter @s : tensor<4xf32>
    %m = graph.parameter @m : tensor<4xf32>
    %r = graph.batch_norm %v, %s, %s, %m, %s axis = 1 epsilon = 1.0e-05 : (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  %1 = pipe.channel %0 axis 0 from 4 to 4 : tensor<8x4xf32>
  %2 = pipe.stage @b on 1 (%v = %1 : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 4 : i64} {
    %t = graph.parameter @t : tensor<4xf32>
    // expected-error @+1 {{'graph.parameter' op is a statistic of batch norms of stage 'a', too}}
    %m = graph.parameter @m : tensor<4xf32>
    %r = graph.batch_norm %v, %t, %t, %m, %t axis = 1 epsilon = 1.0e-05 : (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  pipe.yield %2 : tensor<8x4xf32>
}

// -----

// Stages may share parameters.
pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 8 : i64} {
  %0 = pipe.stage @a on 0 (%v = %x : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 4 : i64} {
    %w = graph.parameter @w : tensor<4xf32>
    %r = graph.relu %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  %1 = pipe.channel %0 axis 0 from 4 to 4 : tensor<8x4xf32>
  %2 = pipe.stage @b on 1 (%v = %1 : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 4 : i64} {
    %w = graph.parameter @w : tensor<4xf32>
    %r = graph.relu %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  pipe.yield %2 : tensor<8x4xf32>
}
