// The tasks of a stage: what each is given, gives, and does to states.
// RUN: tenon-opt %s "--graph-train=tasks judged=false readers=2,0 gradients=0 optimizer=adam" | FileCheck %s
// RUN: tenon-opt %s "--graph-train=tasks judged=false readers=2,0 gradients=0 split-backward" | FileCheck %s --check-prefix=SPLIT
// RUN: tenon-opt %s "--graph-train=tasks judged=false readers=2,0 gradients=0 recompute=sqrt" | FileCheck %s --check-prefix=AGAIN
// RUN: tenon-opt %s "--graph-train=tasks judged=false readers=2,0 freeze=w,v split-backward" | FileCheck %s --check-prefix=FIRST
// RUN: tenon-opt %s "--graph-train=tasks loss=mean-squared of=z share=0.25 readers=1,0" | FileCheck %s --check-prefix=LAST
// RUN: tenon-opt %s "--graph-train=tasks loss=mean-squared of=z freeze=unknown" | FileCheck %s --check-prefix=FREEZE

// RUN: tenon-opt %s "--graph-train=tasks judged=false readers=1,0 shared=v clip=1 accumulate=2" | FileCheck %s --check-prefix=CLIP

// CHECK-DAG:   graph.state @w
// CHECK-DAG:   graph.state transient @optimizer.gradient.w
// CHECK-DAG:   graph.state @optimizer.step
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    {graph.name = "x"}, {{.*}} {graph.name = "i"}) ->
// CHECK-SAME:    {graph.name = "y"}, {{.*}} {graph.name = "z"}, {{.*}} {graph.name = "saved.0"}
// CHECK-NOT:     write_state
// CHECK-LABEL: func.func @backward(
// CHECK-SAME:    {graph.name = "x"}, {{.*}} {graph.name = "gradient.y.0"}, {{.*}} {graph.name = "gradient.y.1"}
// CHECK-SAME:    -> ({{.*}} {graph.name = "gradient.x"})
// CHECK:         graph.add %{{.*}}, %{{.*}} : tensor<4x2xf32>
// CHECK:         graph.write_state @optimizer.gradient.w
// CHECK:         graph.write_state @optimizer.gradient.v
// CHECK-LABEL: func.func @update()
// CHECK-NOT:     write_state @optimizer.step
// CHECK:         graph.write_state @w
// CHECK:         graph.write_state @optimizer.gradient.w
// CHECK-LABEL: func.func @advance()
// CHECK:         graph.write_state @optimizer.step
// CHECK-NOT:   @evaluate
// CHECK-LABEL: func.func @predict(

// What the gradient of x needs comes first; products for weights are in the second task alone.
// SPLIT-LABEL: func.func @backward_input(
// SPLIT-SAME:    -> ({{.*}} {graph.name = "gradient.x"}, {{.*}} {graph.name = "kept.0"}
// SPLIT-NOT:     transpose_a
// SPLIT-NOT:     write_state
// SPLIT-LABEL: func.func @backward_weight(
// SPLIT-SAME:    {graph.name = "kept.0"}
// SPLIT-NOT:     transpose_b
// SPLIT-COUNT-2: graph.matmul {{.*}} transpose_a

// Nothing is saved where it is computed again.
// AGAIN-LABEL: func.func @forward(
// AGAIN-NOT:     saved
// AGAIN-LABEL: func.func @backward(
// AGAIN-NOT:     saved
// AGAIN:         graph.relu

// A stage for which no stage waits and that has nothing to train has no backward task, and no update.
// FIRST-NOT:   func.func @backward
// FIRST-NOT:   func.func @update
// FIRST-LABEL: func.func @advance()

// LAST-LABEL: func.func @forward(
// LAST-SAME:    {graph.name = "target"}) ->
// LAST-SAME:    {graph.name = "y"}, {{.*}} {graph.name = "z"}, {{.*}} {graph.name = "task.loss"}
// LAST:         %[[LOSS:.*]] = graph.mse_loss
// LAST:         %[[SHARE:.*]] = graph.constant dense<2.500000e-01>
// LAST:         %[[PART:.*]] = graph.mul %[[LOSS]], %[[SHARE]]
// LAST:         return {{.*}}, {{.*}}, %[[PART]]
// LAST-LABEL: func.func @backward(
// LAST-NOT:     "gradient.z
// LAST-SAME:    {graph.name = "gradient.y.0"}
// LAST-LABEL: func.func @evaluate(
// LAST:         %[[WHOLE:.*]] = graph.mse_loss
// LAST:         return {{.*}}, {{.*}}, %[[WHOLE]]

// Squares of complete gradients are a task, and what another stage has, too, has tasks of its own. Over
// several runs, states of train_step add up what the tasks of one run do.
// CLIP-DAG:   graph.state transient @optimizer.squares : tensor<f64>
// CLIP-DAG:   graph.state transient @optimizer.run_gradient.w
// CLIP-DAG:   graph.state @optimizer.gradient.w
// CLIP-LABEL: func.func @norm.v()
// CLIP:         graph.read_state @optimizer.gradient.v
// CLIP:         graph.reduce_sum_square
// CLIP:         graph.write_state @optimizer.squares
// CLIP-LABEL: func.func @update.v()
// CLIP:         graph.read_state @optimizer.squares
// CLIP:         graph.write_state @v
// CLIP:         graph.write_state @optimizer.run_gradient.v
// CLIP:         graph.write_state @optimizer.gradient.v
// CLIP-LABEL: func.func @norm()
// CLIP-NOT:     @optimizer.run_gradient.v
// CLIP-LABEL: func.func @update()
// CLIP-NOT:     @optimizer.run_gradient.v
// CLIP-LABEL: func.func @advance()
// CLIP:         graph.write_state @optimizer.updates
// CLIP:         graph.write_state @optimizer.squares

// A pattern may be meant for the parameters of another stage.
// FREEZE: func.func @forward(
func.func @main(%x: tensor<4x8xf32> {graph.name = "x"}, %i: tensor<4x3xi64> {graph.name = "i"})
    -> (tensor<4x2xf32> {graph.name = "y"}, tensor<4x2xf32> {graph.name = "z"}) {
  %w = graph.parameter @w : tensor<8x3xf32>
  %v = graph.parameter @v : tensor<3x2xf32>
  %0 = graph.matmul %x, %w : (tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
  %c = graph.cast %i to f32 : tensor<4x3xi64>
  %1 = graph.add %0, %c : tensor<4x3xf32>
  %2 = graph.relu %1 : tensor<4x3xf32>
  %3 = graph.matmul %2, %v : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  %4 = graph.tanh %3 : tensor<4x2xf32>
  return %3, %4 : tensor<4x2xf32>, tensor<4x2xf32>
}
