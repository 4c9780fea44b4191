// RUN: tenon-opt %s --split-input-file --verify-diagnostics

// Steps inside of others use what lives then.
program.target cpu {
  %w = program.parameter "w" : tensor<8xf32>
  program.entry @main {
    %x = program.input "x" : tensor<8xf32>
    %y = program.output "y" : tensor<8xf32>
    %a = program.arena : tensor<8xf32> live 1 to 1
    program.run {
      program.task "t" {
        // expected-error @+1 {{'program.copy' op is step 0, but uses a buffer that is live from step 1 to 1}}
        program.copy "copy" %x to %a
      }
      program.copy "copy" %a to %y
    }
  }
}

// -----

// A transfer uses its buffer until it is waited for.
program.target cpu {
  %w = program.parameter "w" : tensor<8xf32>
  program.entry @main {
    %x = program.input "x" : tensor<8xf32>
    %y = program.output "y" : tensor<8xf32>
    %a = program.arena : tensor<8xf32> live 0 to 1
    program.run {
      program.copy "copy" %x to %a
      %t = program.send %a to 1 tag 0
      // expected-error @+1 {{'program.wait' op is step 2, but uses a buffer that is live from step 0 to 1}}
      program.wait %t
    }
  }
}

// -----

// Every transfer is waited for, once, where it began.
program.target cpu {
  %w = program.parameter "w" : tensor<8xf32>
  program.entry @main {
    %x = program.input "x" : tensor<8xf32>
    %y = program.output "y" : tensor<8xf32>
    program.run {
      // expected-error @+1 {{'program.send' op expected one 'program.wait' for this transfer, but got 0}}
      %t = program.send %x to 1 tag 0
    }
  }
}

// -----

program.target cpu {
  %w = program.parameter "w" : tensor<8xf32>
  program.entry @main {
    %x = program.input "x" : tensor<8xf32>
    %y = program.output "y" : tensor<8xf32>
    program.run {
      // expected-error @+1 {{'program.receive' op expected one 'program.wait' for this transfer, but got 2}}
      %t = program.receive %y from 1 tag 0
      program.wait %t
      program.wait %t
    }
  }
}

// -----

program.target cpu {
  %w = program.parameter "w" : tensor<8xf32>
  program.entry @main {
    %x = program.input "x" : tensor<8xf32>
    %y = program.output "y" : tensor<8xf32>
    program.run {
      // expected-error @+1 {{'program.send' op expected 'program.wait' in the same list of steps}}
      %t = program.send %x to 1 tag 0
      program.task "t" {
        program.wait %t
      }
    }
  }
}

// -----

program.target cpu {
  %w = program.parameter "w" : tensor<8xf32>
  program.entry @main {
    %x = program.input "x" : tensor<8xf32>
    %y = program.output "y" : tensor<8xf32>
    program.run {
      // expected-error @+1 {{'program.send' op expected a rank and a tag of at least 0, but got -1 and 0}}
      %t = program.send %x to -1 tag 0
      program.wait %t
    }
  }
}

// -----

// What a caller or a file gives is not received.
program.target cpu {
  %w = program.parameter "w" : tensor<8xf32>
  program.entry @main {
    %x = program.input "x" : tensor<8xf32>
    %y = program.output "y" : tensor<8xf32>
    program.run {
      // expected-error @+1 {{'program.receive' op can't write 'program.parameter'}}
      %t = program.receive %w from 1 tag 0
      program.wait %t
    }
  }
}

// -----

program.target cpu {
  %w = program.parameter "w" : tensor<8xf32>
  program.entry @main {
    %x = program.input "x" : tensor<8xf32>
    %y = program.output "y" : tensor<8xf32>
    program.run {
      // expected-error @+1 {{'program.all_reduce' op expected at least two distinct ranks of at least 0}}
      %t = program.all_reduce %y among [1, 1]
      program.wait %t
    }
  }
}

// -----

program.target cpu {
  %w = program.parameter "w" : tensor<8xf32>
  program.entry @main {
    %x = program.input "x" : tensor<8xf32>
    %y = program.output "y" : tensor<8xf32>
    program.run {
      // expected-error @+1 {{'program.wait' op expected a transfer to wait for}}
      program.wait
    }
  }
}
