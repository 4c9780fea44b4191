// RUN: tenon-opt %s | tenon-opt | FileCheck %s
// RUN: tenon-opt --mlir-print-op-generic %s | tenon-opt | FileCheck %s
// RUN: tenon-opt --emit-bytecode %s | tenon-opt | FileCheck %s

!x = tensor<?x6x4xf32, #graph.dims<n, 6, 4>>

// CHECK-LABEL: func.func @softmax
func.func @softmax(%x: !x) {
  // CHECK: graph.softmax %{{.*}} axis = 2 : tensor<?x6x4xf32, #graph.dims<n, 6, 4>>
  %0 = graph.softmax %x axis = 2 : !x
  // CHECK: graph.log_softmax %{{.*}} axis = 1 :
  %1 = graph.log_softmax %x axis = 1 : !x
  // CHECK: graph.hardmax %{{.*}} axis = 0 :
  %2 = graph.hardmax %x axis = 0 : !x
  return
}

// CHECK-LABEL: func.func @norms
func.func @norms(%x: !x, %d: tensor<4xf32>, %c: tensor<6xf32>) {
  // CHECK: graph.layer_norm %{{.*}}, %{{.*}}, %{{.*}} axis = 2 epsilon = 1.000000e-05 :
  %0 = graph.layer_norm %x, %d, %d axis = 2 epsilon = 1.0e-5 : (!x, tensor<4xf32>, tensor<4xf32>) -> !x
  // CHECK: graph.layer_norm %{{.*}}, %{{.*}} axis = 1 epsilon = 0.000000e+00 :
  %1 = graph.layer_norm %x, %d axis = 1 epsilon = 0.0 : (!x, tensor<4xf32>) -> !x
  // CHECK: graph.rms_norm
  %2 = graph.rms_norm %x, %d axis = 2 epsilon = 1.0e-5 : (!x, tensor<4xf32>) -> !x
  // CHECK: graph.batch_norm %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} axis = 1 epsilon = 1.000000e-05 :
  %3 = graph.batch_norm %x, %c, %c, %c, %c axis = 1 epsilon = 1.0e-5 : (!x, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) -> !x
  // CHECK: graph.group_norm %{{.*}}, %{{.*}}, %{{.*}} groups = 3 epsilon = 1.000000e-05 :
  %4 = graph.group_norm %x, %c, %c groups = 3 epsilon = 1.0e-5 : (!x, tensor<6xf32>, tensor<6xf32>) -> !x
  // CHECK: graph.instance_norm %{{.*}}, %{{.*}}, %{{.*}} epsilon = 1.000000e-05 :
  %5 = graph.instance_norm %x, %c, %c epsilon = 1.0e-5 : (!x, tensor<6xf32>, tensor<6xf32>) -> !x
  return
}

!q = tensor<?x8x?x64xf32, #graph.dims<n, 8, s, 64>>
!k = tensor<?x2x?x64xf32, #graph.dims<n, 2, t, 64>>
!v = tensor<?x2x?x32xf32, #graph.dims<n, 2, t, 32>>
!o = tensor<?x8x?x32xf32, #graph.dims<n, 8, s, 32>>

// CHECK-LABEL: func.func @attention
func.func @attention(%q: !q, %k: !k, %v: !v, %m: tensor<?x?xf32, #graph.dims<s, t>>) {
  // CHECK: graph.attention %{{.*}}, %{{.*}}, %{{.*}} scale = 1.250000e-01 causal :
  %0 = graph.attention %q, %k, %v scale = 0.125 causal : (!q, !k, !v) -> !o
  // CHECK: graph.attention %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} scale = 1.250000e-01 :
  %1 = graph.attention %q, %k, %v, %m scale = 0.125 : (!q, !k, !v, tensor<?x?xf32, #graph.dims<s, t>>) -> !o
  return
}

!p = tensor<2x8x5x64xf32>
// CHECK-LABEL: func.func @attention_parts
func.func @attention_parts(%q: !p, %k: !p) {
  // CHECK: graph.attention_partial %{{.*}}, %{{.*}}, %{{.*}} scale = 1.000000e+00 : ({{.*}}) -> (tensor<2x8x5x64xf32>, tensor<2x8x5xf32>)
  %0:2 = graph.attention_partial %q, %k, %k scale = 1.0 : (!p, !p, !p) -> (!p, tensor<2x8x5xf32>)
  // CHECK: graph.attention_merge
  %1:2 = graph.attention_merge %0#0, %0#1, %0#0, %0#1 : (!p, tensor<2x8x5xf32>, !p, tensor<2x8x5xf32>) -> (!p, tensor<2x8x5xf32>)
  return
}

// CHECK-LABEL: func.func @embeddings
func.func @embeddings(%t: tensor<100x8xf32>, %i: tensor<?x5xi64, #graph.dims<n, 5>>) {
  // CHECK: graph.embedding
  %0 = graph.embedding %t, %i : (tensor<100x8xf32>, tensor<?x5xi64, #graph.dims<n, 5>>) -> tensor<?x5x8xf32, #graph.dims<n, 5, 8>>
  // CHECK: graph.embedding_bag %{{.*}}, %{{.*}} mean :
  %1 = graph.embedding_bag %t, %i mean : (tensor<100x8xf32>, tensor<?x5xi64, #graph.dims<n, 5>>) -> tensor<?x8xf32, #graph.dims<n, 8>>
  return
}

// CHECK-LABEL: func.func @losses
func.func @losses(%x: !x, %l: tensor<?x4xi64, #graph.dims<n, 4>>, %w: tensor<6xf32>) {
  // CHECK: graph.mse_loss %{{.*}}, %{{.*}} none :
  %0 = graph.mse_loss %x, %x none : (!x, !x) -> !x
  // CHECK: graph.nll_loss %{{.*}}, %{{.*}} mean :
  %1 = graph.nll_loss %x, %l mean : (!x, tensor<?x4xi64, #graph.dims<n, 4>>) -> tensor<f32>
  // CHECK: graph.nll_loss %{{.*}}, %{{.*}}, %{{.*}} none ignore_index = -1 :
  %2 = graph.nll_loss %x, %l, %w none ignore_index = -1 : (!x, tensor<?x4xi64, #graph.dims<n, 4>>, tensor<6xf32>) -> tensor<?x4xf32, #graph.dims<n, 4>>
  // CHECK: graph.softmax_cross_entropy %{{.*}}, %{{.*}} sum :
  %3 = graph.softmax_cross_entropy %x, %l sum : (!x, tensor<?x4xi64, #graph.dims<n, 4>>) -> tensor<f32>
  return
}

// CHECK-LABEL: func.func @constants
func.func @constants() {
  // CHECK: graph.constant dense<[1, 2]> : tensor<2xui8>
  %0 = graph.constant dense<[1, 2]> : tensor<2xui8>
  // CHECK: graph.parameter @conv1.weight : tensor<64x3x7x7xf32>
  %1 = graph.parameter @conv1.weight : tensor<64x3x7x7xf32>
  // CHECK: graph.parameter @"a/b:0" : tensor<bf16>
  %2 = graph.parameter @"a/b:0" : tensor<bf16>
  return
}

// CHECK-LABEL: func.func @dropout
func.func @dropout(%x: tensor<?xf16, #graph.dims<n>>) -> tensor<?xf16, #graph.dims<n>> {
  // CHECK: graph.dropout %{{.*}} ratio = 1.000000e-01 stream = "a.b" : tensor<?xf16, #graph.dims<n>>
  %0 = graph.dropout %x ratio = 0.1 stream = "a.b" : tensor<?xf16, #graph.dims<n>>
  return %0 : tensor<?xf16, #graph.dims<n>>
}
