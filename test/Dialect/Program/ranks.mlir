// Programs of ranks, as text and as bytecode.
// RUN: tenon-opt %s > %t.mlir
// RUN: tenon-opt %t.mlir | diff - %t.mlir
// RUN: tenon-opt %s --emit-bytecode -o %t.mlirbc
// RUN: tenon-opt %t.mlirbc | diff - %t.mlir
// RUN: FileCheck %s < %t.mlir

// Buffers of ranks are placed, and parts live as long as their wholes.
// RUN: tenon-opt %s --program-plan-arena | FileCheck %s --check-prefix=PLACED
// PLACED: program.rank 0
// PLACED: program.arena : tensor<2x3xf32> live 0 to 3 at 0
// PLACED: program.arena : tensor<2x3xf32> live 4 to 6 at 0

// CHECK: graph.state transient @g : tensor<3xf32>
graph.state transient @g : tensor<3xf32>
graph.state @m : tensor<3xf32>
func.func @twice(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = graph.add %x, %x : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
func.func @number(%x: tensor<2x3xf32>) -> tensor<f32> {
  %0 = graph.constant dense<1.0> : tensor<f32>
  return %0 : tensor<f32>
}
func.func @update() {
  return
}
// CHECK: program.ranks @train_step {
program.ranks @train_step {
  // CHECK-NEXT: %[[X:.*]] = program.input "x" : tensor<4x3xf32>
  %x = program.input "x" : tensor<4x3xf32>
  %y = program.output "y" : tensor<4x3xf32>
  %l = program.output "loss" : tensor<f32>
  // CHECK: program.rank 0 {
  program.rank 0 {
    // CHECK-NEXT: %[[P:.*]] = program.part %[[X]] axis 0 at 2 : tensor<2x3xf32>
    %p = program.part %x axis 0 at 2 : tensor<2x3xf32>
    %a = program.arena : tensor<2x3xf32> live 0 to 3
    %b = program.arena : tensor<2x3xf32> live 4 to 6
    %n = program.arena : tensor<f32> live 7 to 8
    %q = program.part %y axis 0 at 0 : tensor<2x3xf32>
    program.run {
      // CHECK: program.task @twice(%[[P]]) to(%[[A:.*]]) of 0 kind "forward" samples [2, 4] seconds 5.000000e-01
      program.task @twice(%p) to (%a) of 0 kind "forward" samples [2, 4] seconds 0.5
      // CHECK-NEXT: %[[T:.*]] = program.send %[[A]] to 1 tag 0 group 0
      %t = program.send %a to 1 tag 0 group 0
      // CHECK-NEXT: %[[R:.*]] = program.all_reduce mean ["m"] among [0, 1] tag 4 group 1
      %r = program.all_reduce mean ["m"] among [0, 1] tag 4 group 1
      // CHECK-NEXT: program.wait %[[T]], %[[R]]
      program.wait %t, %r
      // CHECK-NEXT: %[[U:.*]] = program.receive %[[B:.*]] from 1 tag 1 group 2
      %u = program.receive %b from 1 tag 1 group 2
      program.wait %u
      // CHECK: program.copy "output" %[[B]] to %{{.*}}
      program.copy "output" %b to %q
      program.task @number(%p) to (%n)
      // CHECK: program.add %{{.*}} to %{{.*}} samples [2, 4] times 2.500000e-01
      program.add %n to %l samples [2, 4] times 0.25
      %g = program.all_reduce ["g"] among [0, 1] tag 6 group 3 of 0
      program.wait %g
      // CHECK: program.barrier
      program.barrier
      // CHECK-NEXT: program.task @update()
      program.task @update()
    }
  }
  program.rank 1 {
    %a = program.arena : tensor<2x3xf32> live 0 to 6
    program.run {
      %t = program.receive %a from 0 tag 0 group 0
      %r = program.all_reduce mean ["m"] among [0, 1] tag 4 group 1
      program.wait %t
      program.wait %r
      %u = program.send %a to 0 tag 1 group 2
      %g = program.all_reduce ["g"] among [0, 1] tag 6 group 3 of 0
      program.wait %g, %u
      program.barrier
    }
  }
}
