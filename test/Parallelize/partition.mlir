// Models become stages with channels, schedules and a mesh; ops without samples are in each stage
// that reads them. The plan is checked, and inlining gives the model again.
// RUN: rm -rf %t && split-file %s %t
// RUN: tenon-opt %t/chain.mlir --pipe-partition="devices=2 mini-batch=4 planner=sequential" -o %t/plan.mlir
// RUN: FileCheck %s --input-file=%t/plan.mlir
// RUN: tenon-opt %t/plan.mlir --pipe-to-program="train='loss=mean-squared'" --program-plan-arena --pipe-check \
// RUN:   | FileCheck %s --check-prefix=PROGRAM
// RUN: tenon-opt %t/plan.mlir --pipe-inline | FileCheck %s --check-prefix=INLINE
// RUN: tenon-opt %t/chain.mlir --pipe-partition="devices=2 mini-batch=4 planner=sequential forward-only" \
// RUN:   | FileCheck %s --check-prefix=FORWARD
// RUN: tenon-opt %t/merged.mlir --pipe-partition="devices=2 mini-batch=4 planner=sequential" \
// RUN:   | FileCheck %s --check-prefix=ROWS
// RUN: tenon-opt %t/rows.mlir --pipe-partition=mini-batch=4 | FileCheck %s --check-prefix=EQUAL
// RUN: tenon-opt %t/tied.mlir --pipe-partition="devices=2 mini-batch=4 planner=sequential" \
// RUN:   | FileCheck %s --check-prefix=TIED
// RUN: tenon-opt %t/returned.mlir --pipe-partition="devices=2 mini-batch=4 planner=sequential" \
// RUN:   --pipe-to-program="train='loss=mean-squared'" --program-plan-arena --pipe-check \
// RUN:   | FileCheck %s --check-prefix=RETURNED

// CHECK: pipe.program @main({{.*}}) -> {{.*}} inputs ["x"] outputs ["output.0"] ranks 2 attributes {devices = array<i64: 0, 1>, mesh = #pipe.mesh<"device" = 2, memory_bytes = [17179869184], link_seconds = [5.000000e-06], link_bytes_per_second = [5.000000e+10]>, mini_batch = 4 : i64, model = "{{[0-9a-f]+}}", state_factor = 3.000000e+00 : f64, training}
// CHECK:      %[[A:.*]] = pipe.stage @s0 on 0 (%[[X:.*]] = %{{.*}})
// CHECK-NEXT:   %[[B:.*]] = graph.parameter @b
// CHECK-NEXT:   %[[R:.*]] = graph.broadcast %[[B]]
// CHECK-NEXT:   graph.parameter @w
// CHECK-NEXT:   %[[M:.*]] = graph.matmul %[[X]]
// CHECK-NEXT:   graph.add %[[M]], %[[R]]
// CHECK:      %[[C:.*]] = pipe.channel %[[A]] axis 0 from [[SIZE:[0-9]+]] to [[SIZE]]
// CHECK-NEXT: %[[E:.*]] = pipe.stage @s1 on 1 (%{{.*}} = %[[C]]
// CHECK-NOT:    graph.parameter @w
// CHECK:        graph.parameter @v
// CHECK:      pipe.schedule on [0] "F0
// CHECK-NEXT: pipe.schedule on [1] "F0
// CHECK-NEXT: pipe.yield %[[E]]
// CHECK-NOT:  func.func

// PROGRAM: graph.state @b : tensor<8xf32> = @b
// PROGRAM: graph.state @w : tensor<8x8xf32> = @w
// PROGRAM: graph.state transient @optimizer.gradient.b : tensor<8xf32>
// PROGRAM: func.func @s0.forward
// PROGRAM: program.ranks @train_step
// PROGRAM: program.rank 0
// PROGRAM: program.rank 1

// INLINE: func.func @main(%{{.*}} {graph.name = "x"})
// INLINE-NOT: pipe.
// INLINE: graph.matmul {{.*}}
// INLINE: graph.matmul {{.*}}

// FORWARD: pipe.program
// FORWARD-NOT: training
// FORWARD: pipe.schedule on [0] "F0{{[F0-9 ]*}}"
// FORWARD-NOT: program.state

// ROWS: pipe.channel %{{.*}} axis 0 rows 3 from

// EQUAL: graph.gather

// Both stages have w.
// TIED: pipe.stage @s0
// TIED: graph.parameter @w
// TIED: pipe.stage @s1
// TIED: graph.parameter @w

// The stage that has v returns what is made of v only.
// RETURNED:     pipe.stage @s0
// RETURNED-NOT: graph.parameter @v
// RETURNED:     %[[S:.*]]:2 = pipe.stage @s1
// RETURNED:       graph.parameter @v
// RETURNED:     pipe.yield %[[S]]#1, %[[S]]#0

//--- chain.mlir
func.func @main(%x: tensor<?x8xf32, #graph.dims<n, 8>> {graph.name = "x"}) -> tensor<?x8xf32, #graph.dims<n, 8>> {
  %b = graph.parameter @b : tensor<8xf32>
  %r = graph.broadcast %b shape = [n, 8] : (tensor<8xf32>) -> tensor<?x8xf32, #graph.dims<n, 8>>
  %w = graph.parameter @w : tensor<8x8xf32>
  %0 = graph.matmul %x, %w : (tensor<?x8xf32, #graph.dims<n, 8>>, tensor<8x8xf32>) -> tensor<?x8xf32, #graph.dims<n, 8>>
  %1 = graph.add %0, %r : tensor<?x8xf32, #graph.dims<n, 8>>
  %v = graph.parameter @v : tensor<8x8xf32>
  %2 = graph.matmul %1, %v : (tensor<?x8xf32, #graph.dims<n, 8>>, tensor<8x8xf32>) -> tensor<?x8xf32, #graph.dims<n, 8>>
  return %2 : tensor<?x8xf32, #graph.dims<n, 8>>
}

//--- merged.mlir
func.func @main(%x: tensor<?x3x8xf32, #graph.dims<n, 3, 8>>) -> tensor<?x8xf32, #graph.dims<3 * n, 8>> {
  %r = graph.reshape %x shape = [3 * n, 8] : (tensor<?x3x8xf32, #graph.dims<n, 3, 8>>) -> tensor<?x8xf32, #graph.dims<3 * n, 8>>
  %w = graph.parameter @w : tensor<8x8xf32>
  %0 = graph.matmul %r, %w : (tensor<?x8xf32, #graph.dims<3 * n, 8>>, tensor<8x8xf32>) -> tensor<?x8xf32, #graph.dims<3 * n, 8>>
  %v = graph.parameter @v : tensor<8x8xf32>
  %1 = graph.matmul %0, %v : (tensor<?x8xf32, #graph.dims<3 * n, 8>>, tensor<8x8xf32>) -> tensor<?x8xf32, #graph.dims<3 * n, 8>>
  return %1 : tensor<?x8xf32, #graph.dims<3 * n, 8>>
}

//--- rows.mlir
// Each sample reads its own row of a table whose rows are equal, and is merged with a size that has
// a symbol.
func.func @main(%x: tensor<?x4x2xf32, #graph.dims<n, 4, 2>>, %t: tensor<2xf32>) -> tensor<?x2xf32, #graph.dims<4 * n, 2>> {
  %table = graph.broadcast %t shape = [n, 2] : (tensor<2xf32>) -> tensor<?x2xf32, #graph.dims<n, 2>>
  %i = graph.iota shape = [n] axis = 0 of i64 : () -> tensor<?xi64, #graph.dims<n>>
  %rows = graph.gather %table, %i axis = 0 : (tensor<?x2xf32, #graph.dims<n, 2>>, tensor<?xi64, #graph.dims<n>>) -> tensor<?x2xf32, #graph.dims<n, 2>>
  %r = graph.reshape %rows shape = [n, 1, 2] : (tensor<?x2xf32, #graph.dims<n, 2>>) -> tensor<?x1x2xf32, #graph.dims<n, 1, 2>>
  %b = graph.broadcast %r shape = [n, 4, 2] : (tensor<?x1x2xf32, #graph.dims<n, 1, 2>>) -> tensor<?x4x2xf32, #graph.dims<n, 4, 2>>
  %0 = graph.add %x, %b : tensor<?x4x2xf32, #graph.dims<n, 4, 2>>
  %1 = graph.reshape %0 shape = [4 * n, 2] : (tensor<?x4x2xf32, #graph.dims<n, 4, 2>>) -> tensor<?x2xf32, #graph.dims<4 * n, 2>>
  return %1 : tensor<?x2xf32, #graph.dims<4 * n, 2>>
}

//--- tied.mlir
func.func @main(%x: tensor<?x8xf32, #graph.dims<n, 8>>) -> tensor<?x8xf32, #graph.dims<n, 8>> {
  %w = graph.parameter @w : tensor<8x8xf32>
  %0 = graph.matmul %x, %w : (tensor<?x8xf32, #graph.dims<n, 8>>, tensor<8x8xf32>) -> tensor<?x8xf32, #graph.dims<n, 8>>
  %1 = graph.relu %0 : tensor<?x8xf32, #graph.dims<n, 8>>
  %2 = graph.matmul %1, %w : (tensor<?x8xf32, #graph.dims<n, 8>>, tensor<8x8xf32>) -> tensor<?x8xf32, #graph.dims<n, 8>>
  return %2 : tensor<?x8xf32, #graph.dims<n, 8>>
}

//--- returned.mlir
func.func @main(%x: tensor<?x8xf32, #graph.dims<n, 8>>) -> (tensor<?x8xf32, #graph.dims<n, 8>>, tensor<8x8xf32>) {
  %w = graph.parameter @w : tensor<8x8xf32>
  %v = graph.parameter @v : tensor<8x8xf32>
  %t = graph.transpose %v perm = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %0 = graph.matmul %x, %w : (tensor<?x8xf32, #graph.dims<n, 8>>, tensor<8x8xf32>) -> tensor<?x8xf32, #graph.dims<n, 8>>
  %1 = graph.matmul %0, %v : (tensor<?x8xf32, #graph.dims<n, 8>>, tensor<8x8xf32>) -> tensor<?x8xf32, #graph.dims<n, 8>>
  return %1, %t : tensor<?x8xf32, #graph.dims<n, 8>>, tensor<8x8xf32>
}
