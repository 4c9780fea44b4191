// RUN: tenon-opt %s --split-input-file --verify-diagnostics

// Tasks exist.
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
program.ranks @main {
  %x = program.input "x" : tensor<4xf32>
  %y = program.output "y" : tensor<4xf32>
  program.rank 0 {
    %a = program.arena : tensor<4xf32> live 0 to 0
    program.run {
      // expected-error @+1 {{expected a task, but there is no @g}}
      program.task @g(%x) to (%a)
    }
  }
  program.rank 1 {
    program.run {
    }
  }
}

// -----

// Tasks have their inputs.
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
program.ranks @main {
  %x = program.input "x" : tensor<4xf32>
  %y = program.output "y" : tensor<4xf32>
  program.rank 0 {
    %a = program.arena : tensor<4xf32> live 0 to 0
    program.run {
      // expected-error @+1 {{expected 1 inputs, but got 0}}
      program.task @f() to (%a)
    }
  }
  program.rank 1 {
    program.run {
    }
  }
}

// -----

// Tasks have their outputs.
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
program.ranks @main {
  %x = program.input "x" : tensor<4xf32>
  %y = program.output "y" : tensor<4xf32>
  program.rank 0 {
    %a = program.arena : tensor<4xf32> live 0 to 0
    program.run {
      // expected-error @+1 {{expected 1 outputs, but got 2}}
      program.task @f(%x) to (%a, %y)
    }
  }
  program.rank 1 {
    program.run {
    }
  }
}

// -----

// Tasks are called with their types.
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
program.ranks @main {
  %x = program.input "x" : tensor<4xf32>
  %y = program.output "y" : tensor<4xf32>
  program.rank 0 {
    %a = program.arena : tensor<4xf32> live 0 to 0
    %p = program.part %x axis 0 at 0 : tensor<2xf32>
    program.run {
      // expected-error @+1 {{inputs: number 0 has type 'tensor<2xf32>', but @f has 'tensor<4xf32>'}}
      program.task @f(%p) to (%a)
    }
  }
  program.rank 1 {
    program.run {
    }
  }
}

// -----

// Inputs are not written.
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
program.ranks @main {
  %x = program.input "x" : tensor<4xf32>
  %y = program.output "y" : tensor<4xf32>
  program.rank 0 {
    %a = program.arena : tensor<4xf32> live 0 to 0
    program.run {
      // expected-error @+1 {{expected outputs of the arena or the caller}}
      program.task @f(%a) to (%x)
    }
  }
  program.rank 1 {
    program.run {
    }
  }
}

// -----

// Outputs are not read by tasks.
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
program.ranks @main {
  %x = program.input "x" : tensor<4xf32>
  %y = program.output "y" : tensor<4xf32>
  program.rank 0 {
    %a = program.arena : tensor<4xf32> live 0 to 0
    program.run {
      // expected-error @+1 {{expected inputs of the arena or the caller}}
      program.task @f(%y) to (%a)
    }
  }
  program.rank 1 {
    program.run {
    }
  }
}

// -----

// A time is no number below 0.
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
program.ranks @main {
  %x = program.input "x" : tensor<4xf32>
  %y = program.output "y" : tensor<4xf32>
  program.rank 0 {
    %a = program.arena : tensor<4xf32> live 0 to 0
    program.run {
      // expected-error @+1 {{expected seconds of at least 0}}
      program.task @f(%x) to (%a) seconds -1.0
    }
  }
  program.rank 1 {
    program.run {
    }
  }
}

// -----

// Samples are two numbers.
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
program.ranks @main {
  %x = program.input "x" : tensor<4xf32>
  %y = program.output "y" : tensor<4xf32>
  program.rank 0 {
    %a = program.arena : tensor<4xf32> live 0 to 0
    program.run {
      // expected-error @+1 {{expected two numbers as samples}}
      program.task @f(%x) to (%a) samples [1]
    }
  }
  program.rank 1 {
    program.run {
    }
  }
}

// -----

// Copies are of one type.
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
program.ranks @main {
  %x = program.input "x" : tensor<4xf32>
  %y = program.output "y" : tensor<4xf32>
  program.rank 0 {
    %a = program.arena : tensor<4xf32> live 0 to 0
    %p = program.part %y axis 0 at 0 : tensor<2xf32>
    program.run {
      // expected-error @+1 {{can't copy 'tensor<4xf32>' to 'tensor<2xf32>'}}
      program.copy "c" %x to %p
    }
  }
  program.rank 1 {
    program.run {
    }
  }
}

// -----

// Copies do not write inputs.
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
program.ranks @main {
  %x = program.input "x" : tensor<4xf32>
  %y = program.output "y" : tensor<4xf32>
  program.rank 0 {
    %a = program.arena : tensor<4xf32> live 0 to 0
    program.run {
      // expected-error @+1 {{can't copy 'tensor<4xf32>' to 'tensor<4xf32>'}}
      program.copy "c" %a to %x
    }
  }
  program.rank 1 {
    program.run {
    }
  }
}

// -----

// Numbers are added.
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
program.ranks @main {
  %x = program.input "x" : tensor<4xf32>
  %y = program.output "y" : tensor<4xf32>
  program.rank 0 {
    %a = program.arena : tensor<4xf32> live 0 to 0
    program.run {
      // expected-error @+1 {{expected a floating-point number, and an output of its type}}
      program.add %x to %y samples [0, 4]
    }
  }
  program.rank 1 {
    program.run {
    }
  }
}

// -----

// A transfer is awaited.
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
program.ranks @main {
  %x = program.input "x" : tensor<4xf32>
  %y = program.output "y" : tensor<4xf32>
  program.rank 0 {
    %a = program.arena : tensor<4xf32> live 0 to 0
    program.run {
      // expected-error @+1 {{expected one 'program.wait' for this transfer, but got 0}}
      %t = program.send %a to 1 tag 0 group 0
    }
  }
  program.rank 1 {
    program.run {
    }
  }
}

// -----

// Messages are of the arena.
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
program.ranks @main {
  %x = program.input "x" : tensor<4xf32>
  %y = program.output "y" : tensor<4xf32>
  program.rank 0 {
    %a = program.arena : tensor<4xf32> live 0 to 1
    program.run {
      // expected-error @+1 {{expected a buffer of the arena}}
      %t = program.send %x to 1 tag 0 group 0
      program.wait %t
    }
  }
  program.rank 1 {
    program.run {
    }
  }
}

// -----

// Tags are not negative.
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
program.ranks @main {
  %x = program.input "x" : tensor<4xf32>
  %y = program.output "y" : tensor<4xf32>
  program.rank 0 {
    %a = program.arena : tensor<4xf32> live 0 to 1
    program.run {
      // expected-error @+1 {{expected a tag from 0 to 1073741823, but got -1}}
      %t = program.send %a to 1 tag -1 group 0
      program.wait %t
    }
  }
  program.rank 1 {
    program.run {
    }
  }
}

// -----

// The other rank exists.
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
program.ranks @main {
  %x = program.input "x" : tensor<4xf32>
  %y = program.output "y" : tensor<4xf32>
  program.rank 0 {
    %a = program.arena : tensor<4xf32> live 0 to 1
    program.run {
      // expected-error @+1 {{expected another of 2 ranks, but got 2}}
      %t = program.receive %a from 2 tag 0 group 0
      program.wait %t
    }
  }
  program.rank 1 {
    program.run {
    }
  }
}

// -----

// The other rank is another one.
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
program.ranks @main {
  %x = program.input "x" : tensor<4xf32>
  %y = program.output "y" : tensor<4xf32>
  program.rank 0 {
    %a = program.arena : tensor<4xf32> live 0 to 1
    program.run {
      // expected-error @+1 {{expected another of 2 ranks, but got 0}}
      %t = program.receive %a from 0 tag 0 group 0
      program.wait %t
    }
  }
  program.rank 1 {
    program.run {
    }
  }
}

// -----

// A sum is of states.
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
program.ranks @main {
  %x = program.input "x" : tensor<4xf32>
  %y = program.output "y" : tensor<4xf32>
  program.rank 0 {
    %a = program.arena : tensor<4xf32> live 0 to 1
    program.run {
      // expected-error @+1 {{there is no state 's'}}
      %t = program.all_reduce ["s"] among [0, 1] tag 0 group 0
      program.wait %t
    }
  }
  program.rank 1 {
    program.run {
    }
  }
}

// -----

// A sum is of numbers.
graph.state @s : tensor<2xi64>
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
program.ranks @main {
  %x = program.input "x" : tensor<4xf32>
  %y = program.output "y" : tensor<4xf32>
  program.rank 0 {
    %a = program.arena : tensor<4xf32> live 0 to 1
    program.run {
      // expected-error @+1 {{can't sum the state 's' of type 'tensor<2xi64>'}}
      %t = program.all_reduce ["s"] among [0, 1] tag 0 group 0
      program.wait %t
    }
  }
  program.rank 1 {
    program.run {
    }
  }
}

// -----

// A sum is of something.
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
program.ranks @main {
  %x = program.input "x" : tensor<4xf32>
  %y = program.output "y" : tensor<4xf32>
  program.rank 0 {
    %a = program.arena : tensor<4xf32> live 0 to 1
    program.run {
      // expected-error @+1 {{expected states or buffers to sum, each of them once}}
      %t = program.all_reduce [] among [0, 1] tag 0 group 0
      program.wait %t
    }
  }
  program.rank 1 {
    program.run {
    }
  }
}

// -----

// A sum is of two ranks.
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
program.ranks @main {
  %x = program.input "x" : tensor<4xf32>
  %y = program.output "y" : tensor<4xf32>
  program.rank 0 {
    %a = program.arena : tensor<4xf32> live 0 to 1
    program.run {
      // expected-error @+1 {{expected two ranks or more, at least 0 and ascending}}
      %t = program.all_reduce ["s"] among [1, 0] tag 0 group 0
      program.wait %t
    }
  }
  program.rank 1 {
    program.run {
    }
  }
}

// -----

// A sum is of ranks that exist.
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
program.ranks @main {
  %x = program.input "x" : tensor<4xf32>
  %y = program.output "y" : tensor<4xf32>
  program.rank 0 {
    %a = program.arena : tensor<4xf32> live 0 to 1
    program.run {
      // expected-error @+1 {{expected some of 2 ranks, rank 0 among them}}
      %t = program.all_reduce ["s"] among [0, 2] tag 0 group 0
      program.wait %t
    }
  }
  program.rank 1 {
    program.run {
    }
  }
}

// -----

// A wait waits.
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
program.ranks @main {
  %x = program.input "x" : tensor<4xf32>
  %y = program.output "y" : tensor<4xf32>
  program.rank 0 {
    %a = program.arena : tensor<4xf32> live 0 to 0
    program.run {
      // expected-error @+1 {{expected a transfer to wait for}}
      program.wait
    }
  }
  program.rank 1 {
    program.run {
    }
  }
}

// -----

// Nothing is on its way at a barrier.
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
program.ranks @main {
  %x = program.input "x" : tensor<4xf32>
  %y = program.output "y" : tensor<4xf32>
  program.rank 0 {
    %a = program.arena : tensor<4xf32> live 0 to 2
    program.run {
      %t = program.send %a to 1 tag 0 group 0
      // expected-error @+1 {{expected no transfer on its way}}
      program.barrier
      program.wait %t
    }
  }
  program.rank 1 {
    program.run {
    }
  }
}

// -----

// Steps of entries are none of ranks.
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
program.ranks @main {
  %x = program.input "x" : tensor<4xf32>
  %y = program.output "y" : tensor<4xf32>
  program.rank 0 {
    %a = program.arena : tensor<4xf32> live 0 to 0
    program.run {
      // expected-error @+1 {{is no step of a rank}}
      program.launch "k" @kernels::@k(%a) extent(1)
    }
  }
  program.rank 1 {
    program.run {
    }
  }
}

// -----

// A part lies within.
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
program.ranks @main {
  %x = program.input "x" : tensor<4xf32>
  %y = program.output "y" : tensor<4xf32>
  program.rank 0 {
    %a = program.arena : tensor<4xf32> live 0 to 0
    // expected-error @+1 {{expected a part along axis 0 from 3 on of 'tensor<4xf32>', but got 'tensor<2xf32>'}}
    %p = program.part %x axis 0 at 3 : tensor<2xf32>
    program.run {
      program.copy "c" %x to %y
    }
  }
  program.rank 1 {
    program.run {
    }
  }
}

// -----

// A part is of no part.
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
program.ranks @main {
  %x = program.input "x" : tensor<4xf32>
  %y = program.output "y" : tensor<4xf32>
  program.rank 0 {
    %a = program.arena : tensor<4xf32> live 0 to 0
    %p = program.part %x axis 0 at 2 : tensor<2xf32>
    // expected-error @+1 {{expected a part of an input, an output or a buffer of the arena}}
    %q = program.part %p axis 0 at 0 : tensor<1xf32>
    program.run {
      program.copy "c" %x to %y
    }
  }
  program.rank 1 {
    program.run {
    }
  }
}

// -----

// Parts live as long as their wholes.
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
program.ranks @main {
  %x = program.input "x" : tensor<4xf32>
  %y = program.output "y" : tensor<4xf32>
  program.rank 0 {
    %a = program.arena : tensor<4xf32> live 1 to 1
    %p = program.part %a axis 0 at 0 : tensor<4xf32>
    program.run {
      // expected-error @+1 {{is step 0, but uses a buffer that is live from step 1 to 1}}
      program.copy "c" %x to %p
      program.copy "c" %p to %y
    }
  }
  program.rank 1 {
    program.run {
    }
  }
}

// -----

// A message uses its buffer until it is awaited.
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
program.ranks @main {
  %x = program.input "x" : tensor<4xf32>
  %y = program.output "y" : tensor<4xf32>
  program.rank 0 {
    %a = program.arena : tensor<4xf32> live 0 to 0
    program.run {
      %t = program.send %a to 1 tag 0 group 0
      // expected-error @+1 {{is step 1, but uses a buffer that is live from step 0 to 0}}
      program.wait %t
    }
  }
  program.rank 1 {
    program.run {
    }
  }
}

// -----

// Ranks are numbered.
program.ranks @main {
  // expected-error @+1 {{expected rank 0, but got 1}}
  program.rank 1 {
    program.run {
    }
  }
}

// -----

// There is a rank.
// expected-error @+1 {{expected at least one rank}}
program.ranks @main {
}

// -----

// Sizes are numbers.
program.ranks @main {
  // expected-error @+1 {{expected constant sizes}}
  %x = program.input "x" : tensor<?xf32, #graph.dims<n>>
  program.rank 0 {
    program.run {
    }
  }
}

// -----

// Names are distinct.
program.ranks @main {
  %x = program.input "x" : tensor<1xf32>
  // expected-error @+1 {{has the duplicate name 'x'}}
  %y = program.input "x" : tensor<1xf32>
  program.rank 0 {
    program.run {
    }
  }
}

// -----

// Memory is not donated.
program.ranks @main {
  // expected-error @+1 {{can't donate its memory}}
  %x = program.input "x" : tensor<1xf32> donates 0
  program.rank 0 {
    program.run {
    }
  }
}

// -----

// Inputs stand before ranks.
program.ranks @main {
  program.rank 0 {
    program.run {
    }
  }
  // expected-error @+1 {{is not allowed here in 'program.ranks'}}
  %x = program.input "x" : tensor<1xf32>
}

// -----

// A rank runs.
program.ranks @main {
  // expected-error @+1 {{has no 'program.run'}}
  program.rank 0 {
  }
}

// -----

// A rank runs once.
program.ranks @main {
  program.rank 0 {
    program.run {
    }
    // expected-error @+1 {{must occur once in a rank}}
    program.run {
    }
  }
}

// -----

// Ranks have as many barriers.
program.ranks @main {
  program.rank 0 {
    program.run {
      program.barrier
    }
  }
  // expected-error @+1 {{expected as many barriers as rank 0 has}}
  program.rank 1 {
    program.run {
    }
  }
}

// -----

// Entries are tasks behind the programs of ranks.
program.target cpu {
  program.entry @f {
    program.run {
    }
  }
  // expected-error @+1 {{must precede the entries, which are its tasks}}
  program.ranks @main {
    program.rank 0 {
      program.run {
        program.task @f()
      }
    }
  }
}

// -----

// Tasks are entries of the target.
program.target cpu {
  program.ranks @main {
    %x = program.input "x" : tensor<1xf32>
    program.rank 0 {
      program.run {
        // expected-error @+1 {{inputs: number 0 has type 'tensor<1xf32>', but @f has 'tensor<2xf32>'}}
        program.task @f(%x)
      }
    }
  }
  program.entry @f {
    %x = program.input "x" : tensor<2xf32>
    program.run {
    }
  }
}

// -----

// A transient state is zero.
// expected-error @+1 {{is transient; expected zeros as its initial value}}
graph.state transient @s : tensor<1xf32> = dense<1.0>

// -----

// A transient state of a program is zero, too.
program.target cpu {
  // expected-error @+1 {{is transient; expected zeros as its initial value}}
  %s = program.state transient "s" : tensor<1xf32> = dense<1.0> : tensor<1xf32>
}

// -----

// A sum has each buffer once.
program.ranks @main {
  %x = program.input "x" : tensor<4xf32>
  %y = program.output "y" : tensor<4xf32>
  program.rank 0 {
    %a = program.arena : tensor<4xf32> live 0 to 1
    program.run {
      // expected-error @+1 {{expected states or buffers to sum, each of them once}}
      %t = program.all_reduce(%a, %a) among [0, 1] tag 0 group 0
      program.wait %t
    }
  }
  program.rank 1 {
    program.run {
    }
  }
}

// -----

// A sum has each state once.
program.ranks @main {
  %x = program.input "x" : tensor<4xf32>
  %y = program.output "y" : tensor<4xf32>
  program.rank 0 {
    %a = program.arena : tensor<4xf32> live 0 to 1
    program.run {
      // expected-error @+1 {{expected states or buffers to sum, each of them once}}
      %t = program.all_reduce ["s", "s"] among [0, 1] tag 0 group 0
      program.wait %t
    }
  }
  program.rank 1 {
    program.run {
    }
  }
}

// -----

// A sum of integers.
program.ranks @main {
  %x = program.input "x" : tensor<4xf32>
  %y = program.output "y" : tensor<4xf32>
  program.rank 0 {
    %a = program.arena : tensor<4xi32> live 0 to 1
    program.run {
      // expected-error @+1 {{expected buffers of the arena, of f32 or f64}}
      %t = program.all_reduce(%a) among [0, 1] tag 0 group 0
      program.wait %t
    }
  }
  program.rank 1 {
    program.run {
    }
  }
}

// -----

// A sum of an input.
program.ranks @main {
  %x = program.input "x" : tensor<4xf32>
  %y = program.output "y" : tensor<4xf32>
  program.rank 0 {
    %a = program.arena : tensor<4xf32> live 0 to 1
    program.run {
      // expected-error @+1 {{expected buffers of the arena, of f32 or f64}}
      %t = program.all_reduce(%x) among [0, 1] tag 0 group 0
      program.wait %t
    }
  }
  program.rank 1 {
    program.run {
    }
  }
}
