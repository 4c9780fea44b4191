// Tasks and channels, as text and as bytecode.
// RUN: tenon-opt %s > %t.mlir
// RUN: tenon-opt %t.mlir | diff - %t.mlir
// RUN: tenon-opt %s --emit-bytecode -o %t.mlirbc
// RUN: tenon-opt %t.mlirbc | diff - %t.mlir
// RUN: FileCheck %s < %t.mlir

// The runtime has none of them yet.
// RUN: not tenon-compile %s -o %t.so 2>&1 | FileCheck %s --check-prefix=COMPILE
// COMPILE: error: the runtime does not support the step 'program.task' yet

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
    // CHECK: %[[A:.*]] = program.arena : tensor<8xf32> live 0 to 4
    %a = program.arena : tensor<8xf32> live 0 to 4
    program.run {
      // CHECK: program.copy "copy" %[[X]] to %[[A]]
      program.copy "copy" %x to %a
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
}
