// Buffers that live at the same time lie side by side; others share their place.
// RUN: tenon-opt %s --split-input-file --program-plan-arena > %t.mlir
// RUN: FileCheck %s < %t.mlir
// What is placed stays where it is.
// RUN: tenon-opt %t.mlir --split-input-file --program-plan-arena | diff %t.mlir -

// CHECK-LABEL: program.entry @chain
program.target cpu {
  program.entry @chain {
    %x = program.input "x" : tensor<16xf32>
    // CHECK: program.arena : tensor<16xf32> live 0 to 1 at 0 holds "a"
    %a = program.arena : tensor<16xf32> live 0 to 1 holds "a"
    // CHECK: program.arena : tensor<3xi8> live 1 to 2 at 64 holds "b"
    %b = program.arena : tensor<3xi8> live 1 to 2 holds "b"
    // CHECK: program.arena : tensor<8xf64> live 2 to 3 at 0 holds "c"
    %c = program.arena : tensor<8xf64> live 2 to 3 holds "c"
    %y = program.output "y" : tensor<16xf32>
    program.run {
      program.copy "0" %x to %a
      program.copy "1" %a to %b
      program.copy "2" %b to %c
      program.copy "3" %c to %y
    }
  }
}

// -----

// Sizes that depend on inputs are the runtime's affair, for the whole entry,
// but for no other one, and not for the load.
// CHECK-LABEL: program.prepare
program.target cpu {
  %w = program.parameter "w" : tensor<4xf32>
  %p = program.prepared : tensor<4xf32>
  program.prepare {
    // CHECK: program.arena : tensor<4xf32> live 0 to 1 at 0{{$}}
    %a = program.arena : tensor<4xf32> live 0 to 1
    // CHECK: program.arena : tensor<4xf32> live 0 to 1 at 64{{$}}
    %b = program.arena : tensor<4xf32> live 0 to 1
    program.launch "k" @kernels::@k(%w, %a, %b) extent(1)
    program.launch "k" @kernels::@k(%a, %b, %p) extent(1)
  }
  // CHECK-LABEL: program.entry @dynamic
  program.entry @dynamic symbols ["n"] {
    %x = program.input "x" : tensor<?xf32, #graph.dims<n>>
    // CHECK: program.arena : tensor<4xf32> live 0 to 0{{$}}
    %a = program.arena : tensor<4xf32> live 0 to 0
    // CHECK: program.arena : tensor<?xf32, #graph.dims<n>> live 0 to 0{{$}}
    %b = program.arena : tensor<?xf32, #graph.dims<n>> live 0 to 0
    program.run {
      program.launch "k" @kernels::@k(%x, %a, %b) extent(n)
    }
  }
  // CHECK-LABEL: program.entry @static
  program.entry @static {
    %x = program.input "x" : tensor<4xf32>
    // CHECK: program.arena : tensor<4xf32> live 0 to 0 at 0{{$}}
    %a = program.arena : tensor<4xf32> live 0 to 0
    program.run {
      program.launch "k" @kernels::@k(%x, %a, %p) extent(4)
    }
  }
  builtin.module @kernels {
    llvm.func @k(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
  }
}

// -----

// An unnecessary place is chosen again, empty tensors do not conflict, and an
// entry without buffers does not change.
// CHECK-LABEL: program.entry @anew
program.target cuda {
  program.entry @anew {
    %x = program.input "x" : tensor<16xf32>
    // CHECK: program.arena : tensor<16xf32> live 0 to 0 at 0{{$}}
    %a = program.arena : tensor<16xf32> live 0 to 0 at 4096
    // CHECK: program.arena : tensor<0x4xf32> live 0 to 0 at 0{{$}}
    %b = program.arena : tensor<0x4xf32> live 0 to 0
    program.run {
      program.copy "c" %x to %a
    }
  }
  program.entry @none {
    program.run {
    }
  }
}
