// Conditions over elements: a rule fires where an operand is a constant that
// satisfies them.
// RUN: tenon-opt %s --graph-apply-rules="rules=%S/Inputs/values.mlir fp=finite" | FileCheck %s
// REQUIRES: z3

// CHECK-LABEL: func.func @zeros(
// CHECK-SAME:    rule.log = [{{.*}}add_zero
// CHECK-NOT:     graph.add
// CHECK:         return %arg0
func.func @zeros(%x: tensor<3xf32>) -> tensor<3xf32> {
  %w = graph.constant dense<0.0> : tensor<3xf32>
  %0 = graph.add %x, %w : tensor<3xf32>
  return %0 : tensor<3xf32>
}

// A constant that is moved.
// CHECK-LABEL: func.func @moved(
// CHECK-NOT:     graph.add
// CHECK:         return %arg0
func.func @moved(%x: tensor<3xf32>) -> tensor<3xf32> {
  %c = graph.constant dense<0.0> : tensor<f32>
  %w = graph.broadcast %c shape = [3] : (tensor<f32>) -> tensor<3xf32>
  %0 = graph.add %x, %w : tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @other_number(
// CHECK:         graph.add
func.func @other_number(%x: tensor<3xf32>) -> tensor<3xf32> {
  %w = graph.constant dense<[0.0, 1.0, 0.0]> : tensor<3xf32>
  %0 = graph.add %x, %w : tensor<3xf32>
  return %0 : tensor<3xf32>
}

// x - 0 is x, but -0 + 0 is 0.
// CHECK-LABEL: func.func @negative_zero(
// CHECK:         graph.add
func.func @negative_zero(%x: tensor<3xf32>) -> tensor<3xf32> {
  %w = graph.constant dense<[0.0, -0.0, 0.0]> : tensor<3xf32>
  %0 = graph.add %x, %w : tensor<3xf32>
  return %0 : tensor<3xf32>
}

// The values of parameters are not in the module.
// CHECK-LABEL: func.func @parameter(
// CHECK:         graph.add
func.func @parameter(%x: tensor<3xf32>) -> tensor<3xf32> {
  %w = graph.parameter @w : tensor<3xf32>
  %0 = graph.add %x, %w : tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @operand(
// CHECK:         graph.add
func.func @operand(%x: tensor<3xf32>, %w: tensor<3xf32>) -> tensor<3xf32> {
  %0 = graph.add %x, %w : tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @identity(
// CHECK-NOT:     graph.matmul
// CHECK:         return %arg0
func.func @identity(%x: tensor<5x2xf32>) -> tensor<5x2xf32> {
  %w = graph.constant dense<[[1.0, 0.0], [0.0, 1.0]]> : tensor<2x2xf32>
  %0 = graph.matmul %x, %w : (tensor<5x2xf32>, tensor<2x2xf32>) -> tensor<5x2xf32>
  return %0 : tensor<5x2xf32>
}

// CHECK-LABEL: func.func @permutation(
// CHECK:         graph.matmul
func.func @permutation(%x: tensor<5x2xf32>) -> tensor<5x2xf32> {
  %w = graph.constant dense<[[0.0, 1.0], [1.0, 0.0]]> : tensor<2x2xf32>
  %0 = graph.matmul %x, %w : (tensor<5x2xf32>, tensor<2x2xf32>) -> tensor<5x2xf32>
  return %0 : tensor<5x2xf32>
}

// CHECK-LABEL: func.func @ones(
// CHECK-NOT:     graph.mul
// CHECK:         return %arg0
func.func @ones(%x: tensor<3xf32>) -> tensor<3xf32> {
  %w = graph.constant dense<1.0> : tensor<3xf32>
  %0 = graph.mul %x, %w : tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @positive(
// CHECK-NOT:     graph.div
// CHECK:         return %arg0
func.func @positive(%x: tensor<3xf32>) -> tensor<3xf32> {
  %v = graph.constant dense<[0.5, 3.0, 2.0]> : tensor<3xf32>
  %0 = graph.mul %x, %v : tensor<3xf32>
  %1 = graph.div %0, %v : tensor<3xf32>
  return %1 : tensor<3xf32>
}

// CHECK-LABEL: func.func @not_positive(
// CHECK:         graph.div
func.func @not_positive(%x: tensor<3xf32>) -> tensor<3xf32> {
  %v = graph.constant dense<[0.5, 0.0, 2.0]> : tensor<3xf32>
  %0 = graph.mul %x, %v : tensor<3xf32>
  %1 = graph.div %0, %v : tensor<3xf32>
  return %1 : tensor<3xf32>
}

// CHECK-LABEL: func.func @infinite(
// CHECK:         graph.div
func.func @infinite(%x: tensor<3xf32>) -> tensor<3xf32> {
  %v = graph.constant dense<0x7F800000> : tensor<3xf32>
  %0 = graph.mul %x, %v : tensor<3xf32>
  %1 = graph.div %0, %v : tensor<3xf32>
  return %1 : tensor<3xf32>
}
