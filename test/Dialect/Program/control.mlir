// Branches, bounded loops, tasks and channels, as text and as bytecode.
// RUN: tenon-opt %s > %t.mlir
// RUN: tenon-opt %t.mlir | diff - %t.mlir
// RUN: tenon-opt %s --emit-bytecode -o %t.mlirbc
// RUN: tenon-opt %t.mlirbc | diff - %t.mlir
// RUN: FileCheck %s < %t.mlir

// The runtime has none of them yet.
// RUN: not tenon-compile %s -o %t.so 2>&1 | FileCheck %s --check-prefix=COMPILE
// COMPILE: error: the runtime does not support the step 'program.if' yet

program.target cpu {
  // CHECK: %[[W:.*]] = program.parameter "w" : tensor<8xf32>
  %w = program.parameter "w" : tensor<8xf32>
  // CHECK: %[[S:.*]] = program.state "s" : tensor<8xf32>
  %s = program.state "s" : tensor<8xf32>
  program.entry @main {
    // CHECK: %[[X:.*]] = program.input "x" : tensor<8xf32>
    %x = program.input "x" : tensor<8xf32>
    // CHECK: %[[Y:.*]] = program.output "y" : tensor<8xf32>
    %y = program.output "y" : tensor<8xf32>
    // CHECK: %[[FLAG:.*]] = program.arena : tensor<i1> live 0 to 2
    %flag = program.arena : tensor<i1> live 0 to 2
    // CHECK: %[[COUNT:.*]] = program.arena : tensor<1xi64> live 0 to 2
    %count = program.arena : tensor<1xi64> live 0 to 2
    // CHECK: %[[A:.*]] = program.arena : tensor<8xf32> live 1 to 6
    %a = program.arena : tensor<8xf32> live 1 to 6
    program.run {
      program.launch "decide" @kernels::@k(%x, %flag, %count) extent(1)
      // CHECK: program.if %[[FLAG]] {
      // CHECK-NEXT: program.launch "k" @kernels::@k(%[[X]], %[[A]]) extent(8)
      // CHECK-NEXT: } else {
      // CHECK-NEXT: program.copy "copy" %[[X]] to %[[A]]
      // CHECK-NEXT: }
      program.if %flag {
        program.launch "k" @kernels::@k(%x, %a) extent(8)
      } else {
        program.copy "copy" %x to %a
      }
      // CHECK-NEXT: program.loop %[[COUNT]] most 16 while %[[FLAG]] {
      program.loop %count most 16 while %flag {
        program.launch "k" @kernels::@k(%a, %a, %count) extent(8)
        // CHECK: program.if %[[FLAG]] {
        // CHECK-NEXT: program.copy
        // CHECK-NEXT: }
        // CHECK-NEXT: }
        program.if %flag {
          program.copy "copy" %x to %a
        }
      }
      // CHECK-NEXT: program.task "forward 0" {
      // CHECK-NEXT: %[[T:.*]] = program.send %[[A]] to 1 tag 3
      // CHECK-NEXT: %[[U:.*]] = program.receive %[[Y]] from 2 tag 0
      // CHECK-NEXT: program.wait %[[T]], %[[U]]
      // CHECK-NEXT: }
      program.task "forward 0" {
        %t = program.send %a to 1 tag 3
        %u = program.receive %y from 2 tag 0
        program.wait %t, %u
      }
      // CHECK-NEXT: %[[R:.*]] = program.all_reduce %[[A]] among [0, 1, 5]
      %r = program.all_reduce %a among [0, 1, 5]
      program.copy "meanwhile" %x to %y
      // CHECK: program.wait %[[R]]
      program.wait %r
    }
  }
  builtin.module @kernels {
    llvm.func @k(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
  }
}
