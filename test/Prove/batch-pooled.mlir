// Losses that are a sum or a mean over samples are what their parts make together; the theorem is about two parts.
// RUN: tenon-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(graph-prove-batch))' -o /dev/null
// RUN: tenon-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(graph-prove-batch{rules}))' -o /dev/null | FileCheck %s

// CHECK: rule.rule @reduce_sum_
// CHECK:        source {
// CHECK-NEXT:     %0 = graph.reduce_sum %x0 axes = [0, 1] : (tensor<?x4xf32, #graph.dims<n, 4>>)
// CHECK:        target {
// CHECK-NEXT:     %0 = graph.slice %x0 starts = [0, 0] sizes = [batch_first, 4]
// CHECK-NEXT:     %1 = graph.slice %x0 starts = [batch_first, 0] sizes = [batch_second, 4]
// CHECK:        where [n == batch_first + batch_second, batch_first >= 1, batch_second >= 1]
func.func @mean(%x: tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<f32> {
  %0 = graph.mul %x, %x : tensor<?x4xf32, #graph.dims<n, 4>>
  %1 = graph.reduce_mean %0 axes = [0, 1] : (tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<f32>
  return %1 : tensor<f32>
}

// -----

// In steps, with a penalty.
func.func @main(%x: tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<f32> {
  %w = graph.parameter @w : tensor<4xf32>
  %0 = graph.reduce_mean %x axes = [0] : (tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<4xf32>
  %1 = graph.mul %0, %w : tensor<4xf32>
  %2 = graph.reduce_sum %1 axes = [0] : (tensor<4xf32>) -> tensor<f32>
  %3 = graph.reduce_sum %w axes = [0] : (tensor<4xf32>) -> tensor<f32>
  %4 = graph.sub %2, %3 : tensor<f32>
  return %4 : tensor<f32>
}

// -----

// Cross-entropy of labels, of several rows for each sample.
func.func @main(%x: tensor<?x3x4xf32, #graph.dims<n, 3, 4>>, %y: tensor<?x3xi64, #graph.dims<n, 3>>) -> tensor<f32> {
  %0 = graph.reshape %x shape = [3 * n, 4] : (tensor<?x3x4xf32, #graph.dims<n, 3, 4>>) -> tensor<?x4xf32, #graph.dims<3 * n, 4>>
  %1 = graph.reshape %y shape = [3 * n] : (tensor<?x3xi64, #graph.dims<n, 3>>) -> tensor<?xi64, #graph.dims<3 * n>>
  %2 = graph.softmax_cross_entropy %0, %1 mean : (tensor<?x4xf32, #graph.dims<3 * n, 4>>, tensor<?xi64, #graph.dims<3 * n>>) -> tensor<f32>
  return %2 : tensor<f32>
}

// -----

// The same as a sum, of labels that count.
func.func @main(%x: tensor<?x4xf32, #graph.dims<n, 4>>, %y: tensor<?xi64, #graph.dims<n>>) -> tensor<f32> {
  %0 = graph.softmax_cross_entropy %x, %y sum ignore_index = -100 : (tensor<?x4xf32, #graph.dims<n, 4>>, tensor<?xi64, #graph.dims<n>>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// A squared error of a sequence that comes first, and a product over all samples.
func.func @main(%x: tensor<?x3x4xf32, #graph.dims<n, 3, 4>>) -> (tensor<f32>, tensor<f32>) {
  %0 = graph.transpose %x perm = [1, 0, 2] : (tensor<?x3x4xf32, #graph.dims<n, 3, 4>>) -> tensor<3x?x4xf32, #graph.dims<3, n, 4>>
  %1 = graph.reshape %0 shape = [3 * n, 4] : (tensor<3x?x4xf32, #graph.dims<3, n, 4>>) -> tensor<?x4xf32, #graph.dims<3 * n, 4>>
  %2 = graph.tanh %1 : tensor<?x4xf32, #graph.dims<3 * n, 4>>
  %3 = graph.mse_loss %1, %2 mean : (tensor<?x4xf32, #graph.dims<3 * n, 4>>, tensor<?x4xf32, #graph.dims<3 * n, 4>>) -> tensor<f32>
  %4 = graph.matmul %1, %2 transpose_a : (tensor<?x4xf32, #graph.dims<3 * n, 4>>, tensor<?x4xf32, #graph.dims<3 * n, 4>>) -> tensor<4x4xf32>
  %5 = graph.reduce_mean %4 axes = [0, 1] : (tensor<4x4xf32>) -> tensor<f32>
  return %3, %5 : tensor<f32>, tensor<f32>
}

// -----

// Over a size that has another name.
// CHECK: rule.rule @div_
// CHECK: where [n == batch_first + batch_second, batch_first >= 1, batch_second >= 1, s >= 1]
func.func @main(%x: tensor<?x?xf32, #graph.dims<n, s>>) -> tensor<f32> {
  %0 = graph.reduce_mean %x axes = [0, 1] : (tensor<?x?xf32, #graph.dims<n, s>>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// A sum, divided by the number of labels, as exporters count them.
func.func @main(%x: tensor<?x6xf32, #graph.dims<n, 6>>) -> tensor<f32> {
  %0 = graph.reduce_sum %x axes = [0, 1] : (tensor<?x6xf32, #graph.dims<n, 6>>) -> tensor<f32>
  %1 = graph.iota shape = [n + 1] axis = 0 of i64 : () -> tensor<?xi64, #graph.dims<n + 1>>
  %2 = graph.slice %1 starts = [n] sizes = [1] steps = [1] : (tensor<?xi64, #graph.dims<n + 1>>) -> tensor<1xi64>
  %3 = graph.reshape %2 shape = [] : (tensor<1xi64>) -> tensor<i64>
  %4 = graph.constant dense<6> : tensor<i64>
  %5 = graph.mul %3, %4 : tensor<i64>
  %6 = graph.cast %5 to f32 : tensor<i64>
  %7 = graph.div %0, %6 : tensor<f32>
  return %7 : tensor<f32>
}

// -----

// Times an inverse of their number, beside 0; and how many of them are equal to a label.
func.func @main(%x: tensor<?x4xf32, #graph.dims<n, 4>>, %y: tensor<?xi64, #graph.dims<n>>) -> (tensor<f32>, tensor<f32>) {
  %z = graph.constant dense<0.0> : tensor<f32>
  %one = graph.constant dense<1.0> : tensor<f32>
  %0 = graph.reduce_sum %x axes = [0, 1] : (tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<f32>
  %1 = graph.add %z, %0 : tensor<f32>
  %2 = graph.iota shape = [n + 1] axis = 0 of i64 : () -> tensor<?xi64, #graph.dims<n + 1>>
  %3 = graph.slice %2 starts = [n] sizes = [1] steps = [1] : (tensor<?xi64, #graph.dims<n + 1>>) -> tensor<1xi64>
  %4 = graph.reshape %3 shape = [] : (tensor<1xi64>) -> tensor<i64>
  %5 = graph.cast %4 to f32 : tensor<i64>
  %6 = graph.div %one, %5 : tensor<f32>
  %7 = graph.mul %1, %6 : tensor<f32>
  %8 = graph.argmax %x axis = 1 : (tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<?xi64, #graph.dims<n>>
  %9 = graph.equal %8, %y : tensor<?xi64, #graph.dims<n>>
  %10 = graph.cast %9 to i64 : tensor<?xi1, #graph.dims<n>>
  %11 = graph.reduce_sum %10 axes = [0] : (tensor<?xi64, #graph.dims<n>>) -> tensor<i64>
  %12 = graph.cast %11 to f32 : tensor<i64>
  return %7, %12 : tensor<f32>, tensor<f32>
}
