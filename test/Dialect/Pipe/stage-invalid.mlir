// What is no stage of a pipeline.
// RUN: tenon-opt %s --split-input-file --verify-diagnostics

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
  // expected-error @+1 {{'pipe.stage' op expected a micro-batch of at most 8, but got 9}}
  %0 = pipe.stage @a on 0 (%v = %x : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 9 : i64} {
    %r = graph.relu %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  %1 = pipe.channel %0 axis 0 from 9 to 2 : tensor<8x4xf32>
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
  // expected-error @+1 {{'pipe.stage' op expected a micro-batch of a sample or more for each of 2 ranks, but got 1}}
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
  // expected-error @+1 {{'pipe.stage' op expected three or six 'seconds' of at least 0}}
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
  // expected-error @+1 {{'pipe.stage' op expected three or six 'seconds' of at least 0}}
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
  // expected-error @+1 {{'pipe.stage' op expected saved bytes of less than 2^63 for 8 samples}}
  %0 = pipe.stage @a on 0 (%v = %x : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 4 : i64, saved_bytes = 1152921504606846976 : i64} {
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
    %r = graph.relu %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  // expected-error @+1 {{'pipe.stage' op expected a channel from stage 'a'}}
  %2 = pipe.stage @b on 1 (%v = %0 : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 4 : i64} {
    %r = graph.neg %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  pipe.yield %2 : tensor<8x4xf32>
}

// -----

// The largest number is a rank like another one, that the program does not have.
pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 8 : i64} {
  // expected-error @+1 {{'pipe.stage' op expected a rank from 0 to 1, but got 9223372036854775807}}
  %0 = pipe.stage @a on [0, 9223372036854775807] (%v = %x : tensor<8x4xf32>) -> tensor<8x4xf32>
      attributes {micro_batch = 4 : i64} {
    %r = graph.relu %v : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  pipe.yield %0 : tensor<8x4xf32>
}
