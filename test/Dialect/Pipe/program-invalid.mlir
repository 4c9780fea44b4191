// RUN: tenon-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{'pipe.program' op expected 1 names of inputs, but got 2}}
pipe.program @main(%x: tensor<4xf32>) -> tensor<4xf32> inputs ["x", "y"] outputs ["a"] ranks 1 {
  %0 = pipe.stage @s on 0 (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %r = graph.relu %a : tensor<4xf32>
    pipe.yield %r : tensor<4xf32>
  }
  pipe.yield %0 : tensor<4xf32>
}

// -----

pipe.program @main(%x: tensor<4xf32>) -> tensor<4xf32> inputs ["x"] outputs ["a"] ranks 2 {
  // expected-error @+1 {{'pipe.stage' op expected a rank from 0 to 1, but got 2}}
  %0 = pipe.stage @s on 2 (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %r = graph.relu %a : tensor<4xf32>
    pipe.yield %r : tensor<4xf32>
  }
  pipe.yield %0 : tensor<4xf32>
}

// -----

pipe.program @main(%x: tensor<4xf32>) -> tensor<4xf32> inputs ["x"] outputs ["a"] ranks 1 {
  %0 = pipe.stage @s on 0 (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %r = graph.relu %a : tensor<4xf32>
    pipe.yield %r : tensor<4xf32>
  }
  // expected-error @+1 {{'pipe.stage' op expected a unique nonempty name, but got 's'}}
  %1 = pipe.stage @s on 0 (%a = %0 : tensor<4xf32>) -> tensor<4xf32> {
    %r = graph.relu %a : tensor<4xf32>
    pipe.yield %r : tensor<4xf32>
  }
  pipe.yield %1 : tensor<4xf32>
}

// -----

pipe.program @main(%x: tensor<4xf32>) -> tensor<4xf32> inputs ["x"] outputs ["a"] ranks 1 {
  // expected-error @+1 {{'graph.relu' op must be inside a 'pipe.stage'}}
  %0 = graph.relu %x : tensor<4xf32>
  pipe.yield %0 : tensor<4xf32>
}

// -----

pipe.program @main(%x: tensor<4xf32>) -> tensor<4xf32> inputs ["x"] outputs ["a"] ranks 1 {
  // expected-error @+1 {{'pipe.yield' op expected results of stages, but got an input}}
  pipe.yield %x : tensor<4xf32>
}

// -----

pipe.program @main(%x: tensor<4xf32>) -> tensor<4xf32> inputs ["x"] outputs ["a"] ranks 1 {
  %0 = pipe.stage @s on 0 (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    // expected-error @+1 {{'pipe.yield' op expected values of types ('tensor<4xf32>'), but got ()}}
    pipe.yield
  }
  pipe.yield %0 : tensor<4xf32>
}

// -----

// A stage sees its own operands only.
pipe.program @main(%x: tensor<4xf32>) -> tensor<4xf32> inputs ["x"] outputs ["a"] ranks 1 {
  %0 = pipe.stage @s on 0 (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    // expected-error @+1 {{use of undeclared SSA value name}}
    %r = graph.add %a, %x : tensor<4xf32>
    pipe.yield %r : tensor<4xf32>
  }
  pipe.yield %0 : tensor<4xf32>
}
