// RUN: tenon-opt %s --graph-recognize-activations --canonicalize --split-input-file | FileCheck %s
// RUN: tenon-opt %s --graph-recognize-activations=reassociate=false --canonicalize --split-input-file | FileCheck %s --check-prefix=STRICT

// CHECK-LABEL: func.func @silu
// CHECK-NEXT: graph.silu
// CHECK-NEXT: return
// STRICT-LABEL: func.func @silu
// STRICT-NEXT: graph.silu
func.func @silu(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.sigmoid %x : tensor<4xf32>
  %1 = graph.mul %0, %x : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @mish
// CHECK-NEXT: graph.mish
// STRICT-LABEL: func.func @mish
// STRICT-NEXT: graph.mish
func.func @mish(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.softplus %x : tensor<4xf32>
  %1 = graph.tanh %0 : tensor<4xf32>
  %2 = graph.mul %x, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

// Each in another order.
// CHECK-LABEL: func.func @hard_swish
// CHECK-COUNT-3: graph.hard_swish
// CHECK-NEXT: return
// STRICT-LABEL: func.func @hard_swish
// STRICT-NOT: graph.hard_swish
func.func @hard_swish(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %three = graph.constant dense<3.0> : tensor<f32>
  %threes = graph.broadcast %three shape = [4] : (tensor<f32>) -> tensor<4xf32>
  %six = graph.constant dense<6.0> : tensor<4xf32>
  %0 = graph.add %x, %threes : tensor<4xf32>
  %1 = graph.clip %0 low = 0.0, high = 6.0 : tensor<4xf32>
  %2 = graph.mul %x, %1 : tensor<4xf32>
  %3 = graph.div %2, %six : tensor<4xf32>
  %4 = graph.add %threes, %x : tensor<4xf32>
  %5 = graph.clip %4 low = 0.0, high = 6.0 : tensor<4xf32>
  %6 = graph.div %5, %six : tensor<4xf32>
  %7 = graph.mul %6, %x : tensor<4xf32>
  %8 = graph.hard_sigmoid %x alpha = 0.166666672, beta = 0.5 : tensor<4xf32>
  %9 = graph.mul %x, %8 : tensor<4xf32>
  return %3, %7, %9 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @gelu
// CHECK-NEXT: %[[A:.*]] = graph.gelu %{{[a-z0-9]+}} : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = graph.gelu %{{[a-z0-9]+}} tanh : tensor<4xf32>
// CHECK-NEXT: return %[[A]], %[[B]]
// STRICT-LABEL: func.func @gelu
// STRICT-NOT: graph.gelu
func.func @gelu(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %root = graph.constant dense<1.41421354> : tensor<4xf32>
  %one = graph.constant dense<1.0> : tensor<4xf32>
  %half = graph.constant dense<0.5> : tensor<4xf32>
  %0 = graph.div %x, %root : tensor<4xf32>
  %1 = graph.erf %0 : tensor<4xf32>
  %2 = graph.add %1, %one : tensor<4xf32>
  %3 = graph.mul %x, %2 : tensor<4xf32>
  %4 = graph.mul %3, %half : tensor<4xf32>
  %cube = graph.constant dense<3.0> : tensor<4xf32>
  %small = graph.constant dense<0.044715> : tensor<4xf32>
  %scale = graph.constant dense<0.797884583> : tensor<4xf32>
  %5 = graph.pow %y, %cube : tensor<4xf32>
  %6 = graph.mul %5, %small : tensor<4xf32>
  %7 = graph.add %y, %6 : tensor<4xf32>
  %8 = graph.mul %7, %scale : tensor<4xf32>
  %9 = graph.tanh %8 : tensor<4xf32>
  %10 = graph.add %9, %one : tensor<4xf32>
  %11 = graph.mul %y, %half : tensor<4xf32>
  %12 = graph.mul %11, %10 : tensor<4xf32>
  return %4, %12 : tensor<4xf32>, tensor<4xf32>
}

// -----

// Near misses stay: another operand, another number, a sigmoid that others
// read, integers' products.
// CHECK-LABEL: func.func @others
// CHECK-NOT: graph.silu
// CHECK-NOT: graph.gelu
// CHECK-NOT: graph.hard_swish
// CHECK: return
func.func @others(%x: tensor<4xf32>, %y: tensor<4xf32>, %i: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi32>) {
  %0 = graph.sigmoid %x : tensor<4xf32>
  %1 = graph.mul %0, %y : tensor<4xf32>
  %2 = graph.sigmoid %y : tensor<4xf32>
  %3 = graph.mul %2, %y : tensor<4xf32>
  %root = graph.constant dense<1.5> : tensor<4xf32>
  %one = graph.constant dense<1.0> : tensor<4xf32>
  %half = graph.constant dense<0.5> : tensor<4xf32>
  %4 = graph.div %x, %root : tensor<4xf32>
  %5 = graph.erf %4 : tensor<4xf32>
  %6 = graph.add %5, %one : tensor<4xf32>
  %7 = graph.mul %x, %6 : tensor<4xf32>
  %8 = graph.mul %7, %half : tensor<4xf32>
  %9 = graph.hard_sigmoid %x alpha = 2.0e-01, beta = 0.5 : tensor<4xf32>
  %10 = graph.mul %x, %9 : tensor<4xf32>
  %11 = graph.mul %i, %i : tensor<4xi32>
  return %1, %2, %3, %8, %10, %11 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi32>
}

// -----

// A sigmoid of f16 is rounded to f16.
// CHECK-LABEL: func.func @half
// CHECK-NEXT: graph.silu
// STRICT-LABEL: func.func @half
// STRICT-NEXT: graph.sigmoid
func.func @half(%x: tensor<4xf16>) -> tensor<4xf16> {
  %0 = graph.sigmoid %x : tensor<4xf16>
  %1 = graph.mul %0, %x : tensor<4xf16>
  return %1 : tensor<4xf16>
}
