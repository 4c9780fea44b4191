// What is no channel.
// RUN: tenon-opt %s --split-input-file --verify-diagnostics

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

pipe.program @main(%x: tensor<8x4xindex>) -> tensor<8x4xindex> inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 8 : i64, training} {
  %0 = pipe.stage @a on 0 (%v = %x : tensor<8x4xindex>) -> tensor<8x4xindex> attributes {micro_batch = 4 : i64} {
    pipe.yield %v : tensor<8x4xindex>
  }
  // expected-error @+1 {{'pipe.channel' op expected integers or floats, but got 'tensor<8x4xindex>'}}
  %1 = pipe.channel %0 axis 0 from 4 to 4 : tensor<8x4xindex>
  %2 = pipe.stage @b on 1 (%v = %1 : tensor<8x4xindex>) -> tensor<8x4xindex> attributes {micro_batch = 4 : i64} {
    pipe.yield %v : tensor<8x4xindex>
  }
  pipe.yield %2 : tensor<8x4xindex>
}

// -----

pipe.program @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 8 : i64, training} {
  %0 = pipe.stage @a on 0 (%v = %x : tensor<?x4xf32>) -> tensor<?x4xf32> attributes {micro_batch = 4 : i64} {
    %r = graph.relu %v : tensor<?x4xf32>
    pipe.yield %r : tensor<?x4xf32>
  }
  // expected-error @+1 {{'pipe.channel' op expected fewer than 4611686018427387904 rows for each of 8 samples}}
  %1 = pipe.channel %0 axis 0 rows 4611686018427387904 from 4 to 4 : tensor<?x4xf32>
  %2 = pipe.stage @b on 1 (%v = %1 : tensor<?x4xf32>) -> tensor<?x4xf32> attributes {micro_batch = 4 : i64} {
    %r = graph.neg %v : tensor<?x4xf32>
    pipe.yield %r : tensor<?x4xf32>
  }
  pipe.yield %2 : tensor<?x4xf32>
}
