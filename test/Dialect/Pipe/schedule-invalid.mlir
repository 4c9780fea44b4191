// What is no schedule of its ranks.
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
