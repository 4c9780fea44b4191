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

pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 2
    attributes {} {
  // expected-error @+1 {{'pipe.stage' op expected a micro-batch if and only if the program has a mini-batch}}
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

pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 1
    attributes {mini_batch = 8 : i64} {
  // expected-error @+1 {{'pipe.stage' op expected a micro-batch if and only if the program has a mini-batch}}
  %0 = pipe.stage @a on 0 (%v = %x : tensor<8x4xf32>) -> tensor<8x4xf32> {
    %r = graph.relu %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  pipe.yield %0 : tensor<8x4xf32>
}

// -----

pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 8 : i64, training} {
  // expected-error @+1 {{'pipe.stage' op expected a micro-batch that divides 8, but got 3}}
  %0 = pipe.stage @a on 0 (%v = %x : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 3 : i64} {
    %r = graph.relu %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  %1 = pipe.channel %0 axis 0 from 3 to 2 : tensor<8x4xf32>
  %2 = pipe.stage @b on 1 (%v = %1 : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 2 : i64} {
    %r = graph.neg %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  pipe.schedule on [0] "F0 B0 F1 B1 U"
  pipe.schedule on [1] "F0 B0 F1 B1 F2 B2 F3 B3 U"
  pipe.yield %2 : tensor<8x4xf32>
}

// -----

pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 8 : i64, training} {
  // expected-error @+1 {{'pipe.stage' op expected a micro-batch that 2 ranks share evenly, but got 1}}
  %0 = pipe.stage @a on [0, 1] (%v = %x : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 1 : i64} {
    %r = graph.relu %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  %1 = pipe.channel %0 axis 0 from 1 to 2 : tensor<8x4xf32>
  %2 = pipe.stage @b on 1 (%v = %1 : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 2 : i64} {
    %r = graph.neg %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  pipe.schedule on [0] "F0 B0 F1 B1 U"
  pipe.schedule on [1] "F0 B0 F1 B1 F2 B2 F3 B3 U"
  pipe.yield %2 : tensor<8x4xf32>
}

// -----

pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 8 : i64, training} {
  // expected-error @+1 {{'pipe.stage' op expected distinct ranks, but got 0 twice}}
  %0 = pipe.stage @a on [0, 0] (%v = %x : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 4 : i64} {
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

pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 8 : i64, training} {
  // expected-error @+1 {{'pipe.stage' op expected a rank}}
  %0 = pipe.stage @a on [] (%v = %x : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 4 : i64} {
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

pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 8 : i64, training} {
  %0 = pipe.stage @a on 0 (%v = %x : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 4 : i64} {
    %r = graph.relu %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  %1 = pipe.channel %0 axis 0 from 4 to 2 : tensor<8x4xf32>
  // expected-error @+1 {{'pipe.stage' op shares rank 0 with 'a', which has other ranks, too}}
  %2 = pipe.stage @b on [0, 1] (%v = %1 : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 2 : i64} {
    %r = graph.neg %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  pipe.schedule on [0] "F0 B0 F1 B1 U"
  pipe.schedule on [1] "F0 B0 F1 B1 F2 B2 F3 B3 U"
  pipe.yield %2 : tensor<8x4xf32>
}

// -----

pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 8 : i64, training} {
  // expected-error @+1 {{'pipe.stage' op expected a k of at least 1, but got 0}}
  %0 = pipe.stage @a on 0 (%v = %x : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 4 : i64, k = 0 : i64} {
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

pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 8 : i64, training} {
  // expected-error @+1 {{'pipe.stage' op can't both offload and recompute}}
  %0 = pipe.stage @a on 0 (%v = %x : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 4 : i64, recompute, offload} {
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

pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 8 : i64, training} {
  // expected-error @+1 {{'pipe.stage' op expected saved bytes of at least 0, but got -1}}
  %0 = pipe.stage @a on 0 (%v = %x : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 4 : i64, saved_bytes = -1 : i64} {
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

pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 8 : i64, training} {
  // expected-error @+1 {{'pipe.stage' op expected three 'seconds' of at least 0}}
  %0 = pipe.stage @a on 0 (%v = %x : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 4 : i64, seconds = array<f64: 1.0, 1.0>} {
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

pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 8 : i64, training} {
  // expected-error @+1 {{'pipe.stage' op expected three 'seconds' of at least 0}}
  %0 = pipe.stage @a on 0 (%v = %x : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 4 : i64, seconds = array<f64: 1.0, -1.0, 1.0>} {
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

// expected-error @+1 {{'pipe.program' op expected a mesh with 'devices', an i64 of at least 2}}
pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 8 : i64, training, mesh = {devices = 1 : i64, per_node = 2 : i64, memory_bytes = 64 : i64, inside = [0.0, 1.0], between = [0.0, 1.0]}} {
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

// expected-error @+1 {{'pipe.program' op expected a mesh with 'per_node', an i64 of at least 1}}
pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 8 : i64, training, mesh = {devices = 2 : i64, per_node = 2 : i32, memory_bytes = 64 : i64, inside = [0.0, 1.0], between = [0.0, 1.0]}} {
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

// expected-error @+1 {{'pipe.program' op expected a mesh with 'memory_bytes', an i64 of at least 1}}
pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 8 : i64, training, mesh = {devices = 2 : i64, per_node = 2 : i64, inside = [0.0, 1.0], between = [0.0, 1.0]}} {
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

// expected-error @+1 {{'pipe.program' op expected a mesh with 'inside', seconds of at least 0 and bytes per second above 0}}
pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 8 : i64, training, mesh = {devices = 2 : i64, per_node = 2 : i64, memory_bytes = 64 : i64, inside = [0.0, 0.0], between = [0.0, 1.0]}} {
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

// expected-error @+1 {{'pipe.program' op expected a mesh with 'between', seconds of at least 0 and bytes per second above 0}}
pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 8 : i64, training, mesh = {devices = 2 : i64, per_node = 2 : i64, memory_bytes = 64 : i64, inside = [0.0, 1.0], between = [0.0]}} {
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

// expected-error @+1 {{'pipe.program' op expected a mesh whose 'ranks' are devices, a different one for each rank}}
pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 8 : i64, training, mesh = {devices = 2 : i64, ranks = array<i64: 0, 0>, per_node = 2 : i64, memory_bytes = 64 : i64, inside = [0.0, 1.0], between = [0.0, 1.0]}} {
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

// expected-error @+1 {{'pipe.program' op expected a mesh with 'devices', 'per_node', 'memory_bytes', 'inside', 'between' and perhaps 'ranks' alone}}
pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 8 : i64, training, mesh = {devices = 2 : i64, cost = 1 : i64, per_node = 2 : i64, memory_bytes = 64 : i64, inside = [0.0, 1.0], between = [0.0, 1.0]}} {
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

pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 8 : i64, training} {
  %0 = pipe.stage @a on 0 (%v = %x : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 4 : i64} {
    %r = graph.relu %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  // expected-error @+1 {{'pipe.channel' op expected a result of a stage}}
  %1 = pipe.channel %x axis 0 from 4 to 2 : tensor<8x4xf32>
  %2 = pipe.stage @b on 1 (%v = %1 : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 2 : i64} {
    %r = graph.neg %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  pipe.schedule on [0] "F0 B0 F1 B1 U"
  pipe.schedule on [1] "F0 B0 F1 B1 F2 B2 F3 B3 U"
  pipe.yield %2 : tensor<8x4xf32>
}

// -----

pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 8 : i64, training} {
  %0 = pipe.stage @a on 0 (%v = %x : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 4 : i64} {
    %r = graph.relu %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  // expected-error @+1 {{'pipe.channel' op expected one stage that reads it}}
  %1 = pipe.channel %0 axis 0 from 4 to 2 : tensor<8x4xf32>
  %2 = pipe.stage @b on 1 (%v = %0 : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 2 : i64} {
    %r = graph.neg %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  pipe.schedule on [0] "F0 B0 F1 B1 U"
  pipe.schedule on [1] "F0 B0 F1 B1 F2 B2 F3 B3 U"
  pipe.yield %2 : tensor<8x4xf32>
}

// -----

pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 8 : i64, training} {
  %0 = pipe.stage @a on 0 (%v = %x : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 4 : i64} {
    %r = graph.relu %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  // expected-error @+1 {{'pipe.channel' op expected stages of different ranks}}
  %1 = pipe.channel %0 axis 0 from 4 to 2 : tensor<8x4xf32>
  %2 = pipe.stage @b on 0 (%v = %1 : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 2 : i64} {
    %r = graph.neg %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  pipe.schedule on [0] "F0 B0 F1 B1 U"
  pipe.schedule on [1] "F0 B0 F1 B1 F2 B2 F3 B3 U"
  pipe.yield %2 : tensor<8x4xf32>
}

// -----

pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 8 : i64, training} {
  %0 = pipe.stage @a on 0 (%v = %x : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 4 : i64} {
    %r = graph.relu %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  // expected-error @+1 {{'pipe.channel' op expected the micro-batch of stage 'a', but got 2}}
  %1 = pipe.channel %0 axis 0 from 2 to 2 : tensor<8x4xf32>
  %2 = pipe.stage @b on 1 (%v = %1 : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 2 : i64} {
    %r = graph.neg %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  pipe.schedule on [0] "F0 B0 F1 B1 U"
  pipe.schedule on [1] "F0 B0 F1 B1 F2 B2 F3 B3 U"
  pipe.yield %2 : tensor<8x4xf32>
}

// -----

pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 8 : i64, training} {
  %0 = pipe.stage @a on 0 (%v = %x : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 4 : i64} {
    %r = graph.relu %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  // expected-error @+1 {{'pipe.channel' op expected the micro-batch of stage 'b', but got 4}}
  %1 = pipe.channel %0 axis 0 from 4 to 4 : tensor<8x4xf32>
  %2 = pipe.stage @b on 1 (%v = %1 : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 2 : i64} {
    %r = graph.neg %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  pipe.schedule on [0] "F0 B0 F1 B1 U"
  pipe.schedule on [1] "F0 B0 F1 B1 F2 B2 F3 B3 U"
  pipe.yield %2 : tensor<8x4xf32>
}

// -----

pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 8 : i64, training} {
  %0 = pipe.stage @a on 0 (%v = %x : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 4 : i64} {
    %r = graph.relu %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  // expected-error @+1 {{'pipe.channel' op expected an axis of 'tensor<8x4xf32>', but got 2}}
  %1 = pipe.channel %0 axis 2 from 4 to 2 : tensor<8x4xf32>
  %2 = pipe.stage @b on 1 (%v = %1 : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 2 : i64} {
    %r = graph.neg %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  pipe.schedule on [0] "F0 B0 F1 B1 U"
  pipe.schedule on [1] "F0 B0 F1 B1 F2 B2 F3 B3 U"
  pipe.yield %2 : tensor<8x4xf32>
}

// -----

pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 8 : i64, training} {
  %0 = pipe.stage @a on 0 (%v = %x : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 4 : i64} {
    %r = graph.relu %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  // expected-error @+1 {{'pipe.channel' op expected axis 1 of 'tensor<8x4xf32>' to have 1 rows for each of 8 samples}}
  %1 = pipe.channel %0 axis 1 from 4 to 2 : tensor<8x4xf32>
  %2 = pipe.stage @b on 1 (%v = %1 : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 2 : i64} {
    %r = graph.neg %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  pipe.schedule on [0] "F0 B0 F1 B1 U"
  pipe.schedule on [1] "F0 B0 F1 B1 F2 B2 F3 B3 U"
  pipe.yield %2 : tensor<8x4xf32>
}

// -----

pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 8 : i64, training} {
  %0 = pipe.stage @a on 0 (%v = %x : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 4 : i64} {
    %r = graph.relu %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  // expected-error @+1 {{'pipe.channel' op expected rows of at least 1, but got 0}}
  %1 = pipe.channel %0 axis 0 rows 0 from 4 to 2 : tensor<8x4xf32>
  %2 = pipe.stage @b on 1 (%v = %1 : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 2 : i64} {
    %r = graph.neg %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  pipe.schedule on [0] "F0 B0 F1 B1 U"
  pipe.schedule on [1] "F0 B0 F1 B1 F2 B2 F3 B3 U"
  pipe.yield %2 : tensor<8x4xf32>
}

// -----

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
  // expected-error @+1 {{'pipe.schedule' op expected the ranks of a stage}}
  pipe.schedule on [0, 1] "F0 B0 F1 B1 U"
  pipe.schedule on [1] "F0 B0 F1 B1 F2 B2 F3 B3 U"
  pipe.yield %2 : tensor<8x4xf32>
}

// -----

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
  // expected-error @+1 {{'pipe.schedule' op 'X1' is no task}}
  pipe.schedule on [0] "F0 B0 X1"
  pipe.schedule on [1] "F0 B0 F1 B1 F2 B2 F3 B3 U"
  pipe.yield %2 : tensor<8x4xf32>
}

// -----

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
  // expected-error @+1 {{'pipe.schedule' op 'B0/1': there are 1 stages on these ranks}}
  pipe.schedule on [0] "F0 B0/1"
  pipe.schedule on [1] "F0 B0 F1 B1 F2 B2 F3 B3 U"
  pipe.yield %2 : tensor<8x4xf32>
}

// -----

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
  // expected-error @+1 {{'pipe.schedule' op stage 'a': 'F2' does not exist: it has 2 micro-batches}}
  pipe.schedule on [0] "F0 F2"
  pipe.schedule on [1] "F0 B0 F1 B1 F2 B2 F3 B3 U"
  pipe.yield %2 : tensor<8x4xf32>
}

// -----

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
  // expected-error @+1 {{'pipe.schedule' op stage 'a': 'F0' occurs twice}}
  pipe.schedule on [0] "F0 F0"
  pipe.schedule on [1] "F0 B0 F1 B1 F2 B2 F3 B3 U"
  pipe.yield %2 : tensor<8x4xf32>
}

// -----

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
  // expected-error @+1 {{'pipe.schedule' op stage 'a': 'B0' comes before its forward task}}
  pipe.schedule on [0] "B0 F0"
  pipe.schedule on [1] "F0 B0 F1 B1 F2 B2 F3 B3 U"
  pipe.yield %2 : tensor<8x4xf32>
}

// -----

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
  // expected-error @+1 {{'pipe.schedule' op stage 'a': 'W0' comes before the gradients of the inputs}}
  pipe.schedule on [0] "F0 W0"
  pipe.schedule on [1] "F0 B0 F1 B1 F2 B2 F3 B3 U"
  pipe.yield %2 : tensor<8x4xf32>
}

// -----

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
  // expected-error @+1 {{'pipe.schedule' op stage 'a': 'B0' is a part of another task}}
  pipe.schedule on [0] "F0 I0 B0"
  pipe.schedule on [1] "F0 B0 F1 B1 F2 B2 F3 B3 U"
  pipe.yield %2 : tensor<8x4xf32>
}

// -----

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
  // expected-error @+1 {{'pipe.schedule' op stage 'a': 'U' comes before a backward task}}
  pipe.schedule on [0] "F0 B0 F1 U B1"
  pipe.schedule on [1] "F0 B0 F1 B1 F2 B2 F3 B3 U"
  pipe.yield %2 : tensor<8x4xf32>
}

// -----

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
  // expected-error @+1 {{'pipe.schedule' op stage 'a': 'U' comes before a backward task}}
  pipe.schedule on [0] "F0 B0 F1 I1 U"
  pipe.schedule on [1] "F0 B0 F1 B1 F2 B2 F3 B3 U"
  pipe.yield %2 : tensor<8x4xf32>
}

// -----

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
  // expected-error @+1 {{'pipe.schedule' op stage 'a': expected 2 forward and backward tasks, but got 1 and 1}}
  pipe.schedule on [0] "F0 B0"
  pipe.schedule on [1] "F0 B0 F1 B1 F2 B2 F3 B3 U"
  pipe.yield %2 : tensor<8x4xf32>
}

// -----

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
  // expected-error @+1 {{'pipe.schedule' op stage 'a': expected a task 'U'}}
  pipe.schedule on [0] "F0 B0 F1 B1"
  pipe.schedule on [1] "F0 B0 F1 B1 F2 B2 F3 B3 U"
  pipe.yield %2 : tensor<8x4xf32>
}

// -----

pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 8 : i64} {
  %0 = pipe.stage @a on 0 (%v = %x : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 4 : i64} {
    %r = graph.relu %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  %1 = pipe.channel %0 axis 0 from 4 to 2 : tensor<8x4xf32>
  %2 = pipe.stage @b on 1 (%v = %1 : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 2 : i64} {
    %r = graph.neg %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  // expected-error @+1 {{'pipe.schedule' op stage 'a': 'B0' is a task of training}}
  pipe.schedule on [0] "F0 B0 F1 B1 U"
  pipe.schedule on [1] "F0 B0 F1 B1 F2 B2 F3 B3 U"
  pipe.yield %2 : tensor<8x4xf32>
}

// -----

pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 8 : i64, training} {
  %0 = pipe.stage @a on 0 (%v = %x : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 4 : i64} {
    %r = graph.relu %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  %1 = pipe.channel %0 axis 0 from 4 to 2 : tensor<8x4xf32>
  // expected-error @+1 {{'pipe.stage' op expected a schedule of its ranks}}
  %2 = pipe.stage @b on 1 (%v = %1 : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 2 : i64} {
    %r = graph.neg %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  pipe.schedule on [0] "F0 B0 F1 B1 U"
  pipe.yield %2 : tensor<8x4xf32>
}

// -----

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
  // expected-error @+1 {{'pipe.schedule' op expected one schedule of these ranks}}
  pipe.schedule on [0] "F0 B0 F1 B1 U"
  pipe.schedule on [1] "F0 B0 F1 B1 F2 B2 F3 B3 U"
  pipe.yield %2 : tensor<8x4xf32>
}
