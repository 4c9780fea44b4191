// What a backward pass computes again.
// RUN: tenon-opt %S/Inputs/recompute-two.mlir --mlir-print-op-on-diagnostic=false --graph-train=recompute=sqrt 2>&1 | FileCheck %s --check-prefix=TWO
// Ops of a result that is not the loss are gone; the last op of the forward pass is another one.
// TWO: remark: recompute: keeps
// TWO-LABEL: func.func @train_step
// TWO-NOT: graph.exp
// TWO: graph.optimization_barrier
// RUN: tenon-opt %s --mlir-print-op-on-diagnostic=false "--graph-train=loss=mean-squared recompute=sqrt" 2>&1 | FileCheck %s
// RUN: tenon-opt %s --mlir-print-op-on-diagnostic=false "--graph-differentiate=recompute=sqrt split" 2>&1 | FileCheck %s --check-prefix=SPLIT
// RUN: tenon-opt %s "--graph-train=loss=mean-squared recompute=none" 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: tenon-opt %s "--graph-train=loss=mean-squared recompute=163840" 2>&1 | FileCheck %s --check-prefix=ENOUGH
// RUN: not tenon-opt %s "--graph-train=loss=mean-squared recompute=1000" 2>&1 | FileCheck %s --check-prefix=LITTLE
// RUN: not tenon-opt %s "--graph-train=loss=mean-squared recompute=-1" 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not tenon-opt %s "--graph-differentiate=recompute=half" 2>&1 | FileCheck %s --check-prefix=OPTION

// The values of tanh are kept but the first, which is computed again from the
// argument once the gradient behind it is known.
// CHECK: remark: recompute: keeps 0.0 MB of 0.1 MB for the backward pass, and computes 2 of 9 ops twice, {{.*}} % more work
// CHECK-LABEL: func.func @train_step(%arg0
// CHECK: graph.mse_loss
// CHECK: %[[G:.*]] = graph.mul
// CHECK: %[[X:.*]] = graph.optimization_barrier %arg0 after %[[G:.*]] : tensor<64x64xf32>, tensor<64x64xf32>
// CHECK-NEXT: %[[M:.*]] = graph.matmul %[[X]], %{{.*}}
// CHECK-NEXT: %[[T:.*]] = graph.tanh %[[M]]
// CHECK-NEXT: graph.matmul %[[T]], %[[G]] transpose_a
// CHECK-NOT: graph.optimization_barrier
// A parameter changes as soon as no op before needs it.
// CHECK: graph.write_state @w0
// CHECK: graph.write_state @optimizer.step
// CHECK-LABEL: func.func @evaluate
// CHECK-NOT: graph.optimization_barrier

// A stage's backward passes do without the values of its forward pass, too.
// SPLIT-LABEL: func.func @main_backward_inputs
// SPLIT: graph.optimization_barrier
// SPLIT-LABEL: func.func @main_backward_weights
// SPLIT: graph.optimization_barrier

// NONE-NOT: remark
// NONE-NOT: graph.optimization_barrier
// ENOUGH: remark: recompute: keeps {{.*}}, and computes 0 of 9 ops twice, 0.0 % more work
// ENOUGH-NOT: graph.optimization_barrier
// LITTLE: recompute.mlir:[[#]]:1: error: recompute: expected at least {{[0-9]+}} bytes, which the backward pass needs with every op computed twice, but got 1000
// OPTION: error: {{.*}}recompute: expected none, sqrt or a number of bytes, but got '{{-1|half}}'
func.func @main(%x: tensor<64x64xf32> {graph.name = "x"}) -> (tensor<64x64xf32> {graph.name = "y"}) {
  %w0 = graph.parameter @w0 : tensor<64x64xf32>
  %w1 = graph.parameter @w1 : tensor<64x64xf32>
  %w2 = graph.parameter @w2 : tensor<64x64xf32>
  %w3 = graph.parameter @w3 : tensor<64x64xf32>
  %0 = graph.matmul %x, %w0 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = graph.tanh %0 : tensor<64x64xf32>
  %2 = graph.matmul %1, %w1 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %3 = graph.tanh %2 : tensor<64x64xf32>
  %4 = graph.matmul %3, %w2 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %5 = graph.tanh %4 : tensor<64x64xf32>
  %6 = graph.matmul %5, %w3 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %7 = graph.tanh %6 : tensor<64x64xf32>
  return %7 : tensor<64x64xf32>
}
