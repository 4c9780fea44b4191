// RUN: tenon-opt %s --split-input-file --verify-diagnostics

// A flag is one truth value.
program.target cpu {
  %w = program.parameter "w" : tensor<8xf32>
  program.entry @main {
    %x = program.input "x" : tensor<8xf32>
    %y = program.output "y" : tensor<8xf32>
    program.run {
      // expected-error @+1 {{'program.if' op expected the flag to be one element of i1, but got 'tensor<8xf32>'}}
      program.if %x {
        program.copy "copy" %x to %y
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
    %c = program.input "c" : tensor<1xi32>
    program.run {
      // expected-error @+1 {{'program.loop' op expected the count to be one element of i64, but got 'tensor<1xi32>'}}
      program.loop %c most 4 {
        program.copy "copy" %x to %y
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
    %c = program.input "c" : tensor<1xi64>
    program.run {
      // expected-error @+1 {{'program.loop' op can't run -1 times}}
      program.loop %c most -1 {
        program.copy "copy" %x to %y
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
    %c = program.input "c" : tensor<1xi64>
    program.run {
      // expected-error @+1 {{'program.loop' op expected the condition to be one element of i1, but got 'tensor<1xi64>'}}
      program.loop %c most 4 while %c {
        program.copy "copy" %x to %y
      }
    }
  }
}

// -----

// Steps inside of others use what lives then.
program.target cpu {
  %w = program.parameter "w" : tensor<8xf32>
  program.entry @main {
    %x = program.input "x" : tensor<8xf32>
    %y = program.output "y" : tensor<8xf32>
    %f = program.input "f" : tensor<1xi1>
    %a = program.arena : tensor<8xf32> live 1 to 1
    program.run {
      program.if %f {
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
    %f = program.input "f" : tensor<1xi1>
    program.run {
      // expected-error @+1 {{'program.send' op expected 'program.wait' in the same list of steps}}
      %t = program.send %x to 1 tag 0
      program.if %f {
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
