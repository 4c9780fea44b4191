// What couples samples is named; a model that can't be planned for is refused.
// RUN: tenon-opt %s --split-input-file --verify-diagnostics --pipe-partition="devices=2 mini-batch=4"

func.func @main(%x: tensor<?x8xf32, #graph.dims<n, 8>>) -> tensor<1x8xf32> {
  // expected-error @+1 {{'graph.reduce_sum' op couples the samples of a batch: no axis of result #0 depends on one sample only}}
  %0 = graph.reduce_sum %x axes = [0] keepdims : (tensor<?x8xf32, #graph.dims<n, 8>>) -> tensor<1x8xf32>
  return %0 : tensor<1x8xf32>
}

// -----

func.func @main(%x: tensor<?x8xf32, #graph.dims<n, 8>>) -> tensor<?x8xf32, #graph.dims<n, 8>> {
  // expected-error @+1 {{'graph.softmax' op couples the samples of a batch: }}
  %0 = graph.softmax %x axis = 0 : tensor<?x8xf32, #graph.dims<n, 8>>
  return %0 : tensor<?x8xf32, #graph.dims<n, 8>>
}

// -----

// The same position of each sample, but in reverse order.
func.func @main(%x: tensor<?x8xf32, #graph.dims<n, 8>>) -> tensor<?x8xf32, #graph.dims<n, 8>> {
  // expected-error @+1 {{'graph.reverse' op couples the samples of a batch: no axis of result #0 depends on one sample only}}
  %0 = graph.reverse %x axes = [0] : tensor<?x8xf32, #graph.dims<n, 8>>
  return %0 : tensor<?x8xf32, #graph.dims<n, 8>>
}

// -----

func.func @main(%x: tensor<?x2x8xf32, #graph.dims<n, 2, 8>>) -> tensor<?x8xf32, #graph.dims<2 * n, 8>> {
  %0 = graph.transpose %x perm = [1, 0, 2] : (tensor<?x2x8xf32, #graph.dims<n, 2, 8>>) -> tensor<2x?x8xf32, #graph.dims<2, n, 8>>
  // expected-error @+1 {{'graph.reshape' op couples the samples of a batch: it merges them with an axis before them, or splits them}}
  %1 = graph.reshape %0 shape = [2 * n, 8] : (tensor<2x?x8xf32, #graph.dims<2, n, 8>>) -> tensor<?x8xf32, #graph.dims<2 * n, 8>>
  return %1 : tensor<?x8xf32, #graph.dims<2 * n, 8>>
}

// -----

// A position in the batch is added to each sample.
func.func @main(%x: tensor<?x8xf32, #graph.dims<n, 8>>) -> tensor<?x8xf32, #graph.dims<n, 8>> {
  %i = graph.iota shape = [n, 8] axis = 0 of f32 : () -> tensor<?x8xf32, #graph.dims<n, 8>>
  // expected-error @+1 {{'graph.add' op couples the samples of a batch: it reads other values for each sample of operand #1, which has none}}
  %0 = graph.add %x, %i : tensor<?x8xf32, #graph.dims<n, 8>>
  return %0 : tensor<?x8xf32, #graph.dims<n, 8>>
}

// -----

// expected-error @+1 {{expected 4 samples, the mini-batch, or a symbol, but axis 0 of the first argument has 5}}
func.func @main(%x: tensor<5x8xf32>) -> tensor<5x8xf32> {
  %0 = graph.relu %x : tensor<5x8xf32>
  return %0 : tensor<5x8xf32>
}

// -----

// expected-error @+1 {{the size 's' has no value: bind it to a number}}
func.func @main(%x: tensor<?x?xf32, #graph.dims<n, s>>) -> tensor<?x?xf32, #graph.dims<n, s>> {
  %0 = graph.relu %x : tensor<?x?xf32, #graph.dims<n, s>>
  return %0 : tensor<?x?xf32, #graph.dims<n, s>>
}

// -----

// expected-error @+1 {{expected a first argument whose axis 0 has the samples}}
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = graph.relu %x : tensor<f32>
  return %0 : tensor<f32>
}

// -----

// expected-error @+1 {{expected an op that depends on samples}}
func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  return %x : tensor<4x8xf32>
}

// -----

func.func @main(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = graph.relu %x : tensor<4x8xf32>
  // expected-error @+1 {{'func.return' op can't be cut: it returns an argument}}
  return %0, %x : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// 60 GiB of parameters, and three times as much of states, for two devices of 16 GiB.
// expected-error @+1 {{no plan was found whose stages fit into 17179869184 bytes of each device}}
func.func @main(%x: tensor<4x131072xf32>) -> tensor<4x131072xf32> {
  %w = graph.parameter @w : tensor<131072x131072xf32>
  %0 = graph.matmul %x, %w : (tensor<4x131072xf32>, tensor<131072x131072xf32>) -> tensor<4x131072xf32>
  return %0 : tensor<4x131072xf32>
}

// -----

// expected-error @+1 {{expected a function 'main'}}
module {
}

// -----

// The number of samples, computed: it is another one for a part of them.
func.func @main(%x: tensor<?x8xf32, #graph.dims<n, 8>>) -> tensor<?x8xf32, #graph.dims<n, 8>> {
  %one = graph.constant dense<1.0> : tensor<f32>
  %ones = graph.broadcast %one shape = [n] : (tensor<f32>) -> tensor<?xf32, #graph.dims<n>>
  %sum = graph.reduce_sum %ones axes = [0] : (tensor<?xf32, #graph.dims<n>>) -> tensor<f32>
  %all = graph.broadcast %sum shape = [n, 8] : (tensor<f32>) -> tensor<?x8xf32, #graph.dims<n, 8>>
  // expected-error @+1 {{'graph.div' op couples the samples of a batch: it reads other values for each sample of operand #1, which has none}}
  %0 = graph.div %x, %all : tensor<?x8xf32, #graph.dims<n, 8>>
  return %0 : tensor<?x8xf32, #graph.dims<n, 8>>
}

// -----

// A position that follows from the number of samples.
func.func @main(%x: tensor<?x8xf32, #graph.dims<n, 8>>, %i: tensor<8xi64>) -> tensor<?x8xf32, #graph.dims<n, 8>> {
  %one = graph.constant dense<1.0> : tensor<f32>
  %ones = graph.broadcast %one shape = [n, 8] : (tensor<f32>) -> tensor<?x8xf32, #graph.dims<n, 8>>
  %sum = graph.reduce_sum %ones axes = [0] : (tensor<?x8xf32, #graph.dims<n, 8>>) -> tensor<8xf32>
  %w = graph.parameter @w : tensor<8x8xf32>
  %row = graph.reshape %sum shape = [1, 8] : (tensor<8xf32>) -> tensor<1x8xf32>
  %m = graph.concat %w, %row axis = 0 : (tensor<8x8xf32>, tensor<1x8xf32>) -> tensor<9x8xf32>
  // expected-error @+1 {{'graph.matmul' op couples the samples of a batch: operand #1 depends on their number}}
  %0 = graph.matmul %x, %m transpose_b : (tensor<?x8xf32, #graph.dims<n, 8>>, tensor<9x8xf32>) -> tensor<?x9xf32, #graph.dims<n, 9>>
  %1 = graph.slice %0 starts = [0, 0] sizes = [n, 8] steps = [1, 1] : (tensor<?x9xf32, #graph.dims<n, 9>>) -> tensor<?x8xf32, #graph.dims<n, 8>>
  return %1 : tensor<?x8xf32, #graph.dims<n, 8>>
}
