// RUN: not tenon-opt %s "--graph-train=tasks loss=mean-squared readers=1" 2>&1 | FileCheck %s --check-prefix=READERS
// RUN: not tenon-opt %s "--graph-train=tasks loss=mean-squared gradients=7" 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// RUN: not tenon-opt %s "--graph-train=tasks loss=mean-squared" 2>&1 | FileCheck %s --check-prefix=DROPOUT
// RUN: not tenon-opt %s "--graph-train=tasks loss=mean-squared share=0" 2>&1 | FileCheck %s --check-prefix=SHARE
// RUN: not tenon-opt %s "--graph-train=tasks loss=mean-squared readers=-1,0" 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not tenon-opt %s "--graph-train=tasks loss=mean-squared recompute=100" 2>&1 | FileCheck %s --check-prefix=BYTES
// RUN: not tenon-opt %s "--graph-train=loss=mean-squared share=0.5" 2>&1 | FileCheck %s --check-prefix=TASKS
// RUN: not tenon-opt %s "--graph-train=tasks loss=mean-squared loss-scale=2" 2>&1 | FileCheck %s --check-prefix=SCALE

// READERS: train-tasks-errors.mlir:[[#@LINE+8]]:1: error: graph-train: readers: expected a number for each of 2 results, but got 1
// ARGUMENT: train-tasks-errors.mlir:[[#@LINE+7]]:1: error: graph-train: gradients: there is no argument 7
// DROPOUT: train-tasks-errors.mlir:[[#@LINE+9]]:8: error: 'graph.dropout' op can't be in a task: it draws by the position in the mini-batch
// SHARE: error: graph-train: share: expected a number above 0, but got 0
// COUNT: error: graph-train: readers: expected numbers from 0 to 65536, but got -1
// BYTES: error: graph-train: recompute: of a task, expected none or sqrt
// TASKS: error: graph-train: tasks: split-backward, judged, share, readers, gradients and shared need it
// SCALE: error: graph-train: loss-scale: a stage does not see whether all gradients are finite
func.func @main(%x: tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
  %w = graph.parameter @w : tensor<4x2xf32>
  %0 = graph.mul %x, %w : tensor<4x2xf32>
  %1 = graph.dropout %0 ratio = 0.5 stream = "d" : tensor<4x2xf32>
  return %1, %0 : tensor<4x2xf32>, tensor<4x2xf32>
}
