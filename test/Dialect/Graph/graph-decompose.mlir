// RUN: tenon-opt %s --graph-decompose | FileCheck %s
// RUN: tenon-opt %s --graph-decompose=ops=graph.softmax,hardmax | FileCheck %s --check-prefix=SOME

!x = tensor<?x4xf32, #graph.dims<n, 4>>

// CHECK-LABEL: func.func @softmax
// CHECK-SAME: (%[[X:.*]]: tensor<?x4xf32, #graph.dims<n, 4>>)
// CHECK: %[[MAX:.*]] = graph.reduce_max %[[X]] axes = [1] keepdims
// CHECK: %[[MAXES:.*]] = graph.broadcast %[[MAX]] shape = [n, 4]
// CHECK: %[[SHIFTED:.*]] = graph.sub %[[X]], %[[MAXES]]
// CHECK: %[[EXPS:.*]] = graph.exp %[[SHIFTED]]
// CHECK: %[[SUM:.*]] = graph.reduce_sum %[[EXPS]] axes = [1] keepdims
// CHECK: %[[SUMS:.*]] = graph.broadcast %[[SUM]] shape = [n, 4]
// CHECK: %[[Y:.*]] = graph.div %[[EXPS]], %[[SUMS]]
// CHECK: return %[[Y]]
func.func @softmax(%x: !x) -> !x {
  %0 = graph.softmax %x axis = 1 : !x
  return %0 : !x
}

// f16 is computed with in f32.
// CHECK-LABEL: func.func @half
// CHECK: graph.cast %{{.*}} to f32 : tensor<2x4xf16>
// CHECK-NOT: f16
// CHECK: graph.cast %{{.*}} to f16 : tensor<2x4xf32>
func.func @half(%x: tensor<2x4xf16>) -> tensor<2x4xf16> {
  %0 = graph.softmax %x axis = 1 : tensor<2x4xf16>
  return %0 : tensor<2x4xf16>
}

// The number of elements is an element of an iota where it is not constant.
// CHECK-LABEL: func.func @mean
// CHECK: %[[SUM:.*]] = graph.reduce_sum %{{.*}} axes = [0, 1]
// CHECK: %[[IOTA:.*]] = graph.iota shape = [4 * n + 1] axis = 0 of i64
// CHECK: %[[SLICE:.*]] = graph.slice %[[IOTA]] starts = [4 * n] sizes = [1] steps = [1]
// CHECK: %[[SCALAR:.*]] = graph.reshape %[[SLICE]] shape = []
// CHECK: %[[COUNT:.*]] = graph.cast %[[SCALAR]] to f32
// CHECK: graph.div %[[SUM]], %[[COUNT]] : tensor<f32>
// CHECK-LABEL: func.func @mean_static
// CHECK: %[[COUNT:.*]] = graph.constant dense<4> : tensor<i32>
// CHECK: %[[COUNTS:.*]] = graph.broadcast %[[COUNT]] shape = [2]
// CHECK: graph.div %{{.*}}, %[[COUNTS]] : tensor<2xi32>
func.func @mean(%x: !x) -> tensor<f32> {
  %0 = graph.reduce_mean %x axes = [0, 1] : (!x) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @mean_static(%x: tensor<2x4xi32>) -> tensor<2xi32> {
  %0 = graph.reduce_mean %x axes = [1] : (tensor<2x4xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// Composites inside decompositions go too, unless they are not asked for.
// CHECK-LABEL: func.func @nested
// CHECK-NOT: graph.hardmax
// CHECK-NOT: graph.argmax
// CHECK: graph.reduce_max
// CHECK: graph.reduce_min
// SOME-LABEL: func.func @nested
// SOME-NOT: graph.hardmax
// SOME: graph.argmax
// SOME: graph.layer_norm
func.func @nested(%x: !x, %s: tensor<4xf32>) -> !x {
  %0 = graph.hardmax %x axis = 1 : !x
  %1 = graph.layer_norm %0, %s axis = 1 epsilon = 0.0 : (!x, tensor<4xf32>) -> !x
  return %1 : !x
}

// The result keeps the type that the op stated.
// CHECK-LABEL: func.func @stated
// CHECK: %[[Y:.*]] = graph.reshape %{{.*}} shape = [m, 4] : (tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<?x4xf32, #graph.dims<m, 4>>
// CHECK: return %[[Y]]
func.func @stated(%x: !x) -> tensor<?x4xf32, #graph.dims<m, 4>> {
  %0 = "graph.softmax"(%x) <{axis = 1 : i64}> : (!x) -> tensor<?x4xf32, #graph.dims<m, 4>>
  return %0 : tensor<?x4xf32, #graph.dims<m, 4>>
}

!k = tensor<?x2x?x8xf32, #graph.dims<n, 2, t, 8>>
!q = tensor<?x6x?x8xf32, #graph.dims<n, 6, s, 8>>

// Three heads of queries read one head of keys: their rows are one matrix.
// CHECK-LABEL: func.func @attention
// CHECK: %[[Q:.*]] = graph.reshape %{{.*}} shape = [n, 2, 3 * s, 8]
// CHECK: %[[SCORES:.*]] = graph.matmul %[[Q]], %{{.*}} transpose_b
// CHECK: graph.reshape %{{.*}} shape = [n, 6, s, t]
// CHECK: graph.iota shape = [s, t] axis = 0
// CHECK: graph.reduce_max
// CHECK: %[[WEIGHTS:.*]] = graph.reshape %{{.*}} shape = [n, 2, 3 * s, t]
// CHECK: %[[RESULT:.*]] = graph.matmul %[[WEIGHTS]], %{{.*}} : ({{.*}}) -> tensor<?x2x?x8xf32, #graph.dims<n, 2, 3 * s, 8>>
// CHECK: graph.reshape %[[RESULT]] shape = [n, 6, s, 8]
func.func @attention(%q: !q, %k: !k, %v: !k) -> !q {
  %0 = graph.attention %q, %k, %v scale = 0.5 causal : (!q, !k, !k) -> !q
  return %0 : !q
}
