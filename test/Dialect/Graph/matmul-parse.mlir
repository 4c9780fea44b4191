// RUN: tenon-opt %s | tenon-opt | FileCheck %s
// RUN: tenon-opt --mlir-print-op-generic %s | tenon-opt | FileCheck %s
// RUN: tenon-opt --emit-bytecode %s | tenon-opt | FileCheck %s

// CHECK-LABEL: func.func @plain
func.func @plain(%a: tensor<4x5xf32>, %b: tensor<5x6xf32>) {
  // CHECK: graph.matmul %{{.*}}, %{{.*}} : (tensor<4x5xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  %0 = graph.matmul %a, %b : (tensor<4x5xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// CHECK-LABEL: func.func @transposed
func.func @transposed(%a: tensor<5x4xf16>, %b: tensor<6x5xf16>) {
  // CHECK: graph.matmul %{{.*}}, %{{.*}} transpose_a transpose_b : (tensor<5x4xf16>, tensor<6x5xf16>) -> tensor<4x6xf16>
  %0 = graph.matmul %a, %b transpose_a transpose_b : (tensor<5x4xf16>, tensor<6x5xf16>) -> tensor<4x6xf16>
  return
}

// CHECK-LABEL: func.func @batches
func.func @batches(%a: tensor<?x1x4x5xf32, #graph.dims<n, 1, 4, 5>>, %b: tensor<3x5x6xf32>) {
  // CHECK: graph.matmul %{{.*}}, %{{.*}} : (tensor<?x1x4x5xf32, #graph.dims<n, 1, 4, 5>>, tensor<3x5x6xf32>) -> tensor<?x3x4x6xf32, #graph.dims<n, 3, 4, 6>>
  %0 = graph.matmul %a, %b : (tensor<?x1x4x5xf32, #graph.dims<n, 1, 4, 5>>, tensor<3x5x6xf32>) -> tensor<?x3x4x6xf32, #graph.dims<n, 3, 4, 6>>
  return
}

// CHECK-LABEL: func.func @integers
func.func @integers(%a: tensor<4x5xi8>, %b: tensor<5x6xi8>) {
  // CHECK: graph.matmul %{{.*}}, %{{.*}} : (tensor<4x5xi8>, tensor<5x6xi8>) -> tensor<4x6xi8>
  %0 = graph.matmul %a, %b : (tensor<4x5xi8>, tensor<5x6xi8>) -> tensor<4x6xi8>
  return
}

// CHECK-LABEL: func.func @states_more_than_inferred
func.func @states_more_than_inferred(%a: tensor<?x5xf32>, %b: tensor<5x6xf32>) {
  // CHECK: graph.matmul %{{.*}}, %{{.*}} : (tensor<?x5xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  %0 = graph.matmul %a, %b : (tensor<?x5xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}
