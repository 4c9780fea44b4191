// Sizes of an operand that are no lone symbols are compared with the model's.
// RUN: split-file %s %t
// RUN: tenon-rules prove --cached %t/rules.mlir
// RUN: tenon-opt %t/model.mlir --graph-apply-rules="rules=%t/rules.mlir" | FileCheck %t/model.mlir
// REQUIRES: z3

//--- rules.mlir
rule.rule @negate_twice(%x: [2 * m, 1], %y: [m]) -> [2 * m, 1]
  source {
    %0 = graph.neg %x : tensor<?x1xf32, #graph.dims<2 * m, 1>>
    %1 = graph.neg %0 : tensor<?x1xf32, #graph.dims<2 * m, 1>>
    %2 = graph.concat %y, %y axis = 0 : (tensor<?xf32, #graph.dims<m>>, tensor<?xf32, #graph.dims<m>>) -> tensor<?xf32, #graph.dims<2 * m>>
    %3 = graph.reshape %2 shape = [2 * m, 1] : (tensor<?xf32, #graph.dims<2 * m>>) -> tensor<?x1xf32, #graph.dims<2 * m, 1>>
    %4 = graph.add %1, %3 : tensor<?x1xf32, #graph.dims<2 * m, 1>>
    rule.yield %4 : [2 * m, 1]
  }
  target {
    %2 = graph.concat %y, %y axis = 0 : (tensor<?xf32, #graph.dims<m>>, tensor<?xf32, #graph.dims<m>>) -> tensor<?xf32, #graph.dims<2 * m>>
    %3 = graph.reshape %2 shape = [2 * m, 1] : (tensor<?xf32, #graph.dims<2 * m>>) -> tensor<?x1xf32, #graph.dims<2 * m, 1>>
    %4 = graph.add %x, %3 : tensor<?x1xf32, #graph.dims<2 * m, 1>>
    rule.yield %4 : [2 * m, 1]
  }

//--- model.mlir
// CHECK-LABEL: func.func @fits
// CHECK-NOT: graph.neg
func.func @fits(%x: tensor<6x1xf32>, %y: tensor<3xf32>) -> tensor<6x1xf32> {
  %0 = graph.neg %x : tensor<6x1xf32>
  %1 = graph.neg %0 : tensor<6x1xf32>
  %2 = graph.concat %y, %y axis = 0 : (tensor<3xf32>, tensor<3xf32>) -> tensor<6xf32>
  %3 = graph.reshape %2 shape = [6, 1] : (tensor<6xf32>) -> tensor<6x1xf32>
  %4 = graph.add %1, %3 : tensor<6x1xf32>
  return %4 : tensor<6x1xf32>
}
