// What couples samples is named; a model that can't be planned for is refused.
// RUN: tenon-opt %s --split-input-file --verify-diagnostics --pipe-partition="devices=2 mini-batch=4"

func.func @main(%x: tensor<?x8xf32, #graph.dims<n, 8>>) -> tensor<1x8xf32> {
  // expected-error @+1 {{'graph.reduce_sum' op couples the samples of a batch: it computes results from all samples, along axis 0 of operand #0}}
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
  // expected-error @+1 {{'graph.reverse' op couples the samples of a batch: it moves samples to other places, along axis 0 of operand #0}}
  %0 = graph.reverse %x axes = [0] : tensor<?x8xf32, #graph.dims<n, 8>>
  return %0 : tensor<?x8xf32, #graph.dims<n, 8>>
}

// -----

func.func @main(%x: tensor<?x6xf32, #graph.dims<n, 6>>) -> tensor<6x?xf32, #graph.dims<6, n>> {
  // expected-error @+1 {{'graph.reshape' op is not proved to treat each sample of a batch by itself: it makes axes in which a sample has parts}}
  %0 = graph.reshape %x shape = [6, n] : (tensor<?x6xf32, #graph.dims<n, 6>>) -> tensor<6x?xf32, #graph.dims<6, n>>
  return %0 : tensor<6x?xf32, #graph.dims<6, n>>
}

// -----

// A position in the batch is added to each sample.
func.func @main(%x: tensor<?x8xf32, #graph.dims<n, 8>>) -> tensor<?x8xf32, #graph.dims<n, 8>> {
  %i = graph.iota shape = [n, 8] axis = 0 of f32 : () -> tensor<?x8xf32, #graph.dims<n, 8>>
  // expected-error @+1 {{'graph.add' op is not proved to treat each sample of a batch by itself: it reads other values for each sample of operand #1, which has none: it should be the same for all of them, or an input that has them}}
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
  // expected-error @+1 {{'graph.div' op is not proved to treat each sample of a batch by itself: it reads other values for each sample of operand #1, which has none}}
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
  // expected-error @+1 {{'graph.matmul' op is not proved to treat each sample of a batch by itself: operand #1 depends on their number, of which it should know nothing}}
  %0 = graph.matmul %x, %m transpose_b : (tensor<?x8xf32, #graph.dims<n, 8>>, tensor<9x8xf32>) -> tensor<?x9xf32, #graph.dims<n, 9>>
  %1 = graph.slice %0 starts = [0, 0] sizes = [n, 8] steps = [1, 1] : (tensor<?x9xf32, #graph.dims<n, 9>>) -> tensor<?x8xf32, #graph.dims<n, 8>>
  return %1 : tensor<?x8xf32, #graph.dims<n, 8>>
}

// -----

// Two parts have fewer columns than the whole.
func.func @main(%x: tensor<?x3xf32, #graph.dims<n, 3>>) -> tensor<?x?xf32, #graph.dims<3 * n, n>> {
  %0 = graph.reshape %x shape = [3 * n, 1] : (tensor<?x3xf32, #graph.dims<n, 3>>) -> tensor<?x1xf32, #graph.dims<3 * n, 1>>
  // expected-error @+1 {{'graph.broadcast' op couples the samples of a batch: axis 1 of result #0 has size n, which contains their number}}
  %1 = graph.broadcast %0 shape = [3 * n, n] : (tensor<?x1xf32, #graph.dims<3 * n, 1>>) -> tensor<?x?xf32, #graph.dims<3 * n, n>>
  return %1 : tensor<?x?xf32, #graph.dims<3 * n, n>>
}

// -----

// The same, although no result has such an axis: the sum is n times x.
func.func @main(%x: tensor<?x3xf32, #graph.dims<n, 3>>) -> tensor<?x3xf32, #graph.dims<n, 3>> {
  // expected-error @+1 {{'graph.broadcast' op couples the samples of a batch: axis 0 of result #0 has size max(2, n), which contains their number}}
  %0 = graph.broadcast %x shape = [max(2, n), n, 3] : (tensor<?x3xf32, #graph.dims<n, 3>>) -> tensor<?x?x3xf32, #graph.dims<max(2, n), n, 3>>
  %1 = graph.reduce_sum %0 axes = [0] : (tensor<?x?x3xf32, #graph.dims<max(2, n), n, 3>>) -> tensor<?x3xf32, #graph.dims<n, 3>>
  return %1 : tensor<?x3xf32, #graph.dims<n, 3>>
}

// -----

// An axis that is said to have another size has the number of samples.
// expected-remark @+1 {{'m' was taken to be the number of samples, n, too; if it is not, bind it}}
func.func @main(%x: tensor<?x1xf32, #graph.dims<n, 1>>, %y: tensor<?xf32, #graph.dims<m>>) -> tensor<?x?xf32, #graph.dims<n, m>> {
  // expected-error @+1 {{'graph.broadcast' op couples the samples of a batch: axis 1 of result #0 has size n, which contains their number}}
  %0 = graph.broadcast %x shape = [n, n] : (tensor<?x1xf32, #graph.dims<n, 1>>) -> tensor<?x?xf32, #graph.dims<n, m>>
  return %0 : tensor<?x?xf32, #graph.dims<n, m>>
}

// -----

func.func @main(%x: tensor<?x?xf32, #graph.dims<n, ?>>) -> tensor<?x?xf32, #graph.dims<n, ?>> {
  // expected-error @+1 {{'graph.tile' op is not proved to treat each sample of a batch by itself: axis 1 of result #0 has an unknown size, which may contain their number}}
  %0 = graph.tile %x repeats = [1, n] : (tensor<?x?xf32, #graph.dims<n, ?>>) -> tensor<?x?xf32, #graph.dims<n, ?>>
  return %0 : tensor<?x?xf32, #graph.dims<n, ?>>
}

// -----

// expected-error @+1 {{argument #0 can't be cut into samples: axis 2 has size n + 1, which contains their number}}
func.func @main(%x: tensor<?x2x?xf32, #graph.dims<n, 2, n + 1>>) -> tensor<?x2xf32, #graph.dims<n, 2>> {
  %0 = graph.reduce_max %x axes = [2] : (tensor<?x2x?xf32, #graph.dims<n, 2, n + 1>>) -> tensor<?x2xf32, #graph.dims<n, 2>>
  return %0 : tensor<?x2xf32, #graph.dims<n, 2>>
}

// -----

// Nothing reads the argument, but a part has no argument of this size.
// expected-error @+1 {{argument #1 can't be cut into samples: axis 0 has size 2 * n, which contains their number}}
func.func @main(%x: tensor<?x8xf32, #graph.dims<n, 8>>, %y: tensor<?xf32, #graph.dims<2 * n>>) -> tensor<?x8xf32, #graph.dims<n, 8>> {
  %0 = graph.relu %x : tensor<?x8xf32, #graph.dims<n, 8>>
  return %0 : tensor<?x8xf32, #graph.dims<n, 8>>
}

// -----

// The number of samples is the scale of a norm.
func.func @main(%x: tensor<?x3xf32, #graph.dims<n, 3>>) -> tensor<?x3xf32, #graph.dims<n, 3>> {
  %one = graph.constant dense<1.0> : tensor<f32>
  %ones = graph.broadcast %one shape = [n, 3] : (tensor<f32>) -> tensor<?x3xf32, #graph.dims<n, 3>>
  %sum = graph.reduce_sum %ones axes = [0] : (tensor<?x3xf32, #graph.dims<n, 3>>) -> tensor<3xf32>
  // expected-error @+1 {{'graph.rms_norm' op is not proved to treat each sample of a batch by itself: it reads other values for each sample of operand #1, which has none}}
  %0 = graph.rms_norm %x, %sum axis = 1 epsilon = 1.0e-05 : (tensor<?x3xf32, #graph.dims<n, 3>>, tensor<3xf32>) -> tensor<?x3xf32, #graph.dims<n, 3>>
  return %0 : tensor<?x3xf32, #graph.dims<n, 3>>
}

// -----

// Each sample has the same two rows, but from the last row on, the first of them is another one
// for another number of samples.
func.func @main(%x: tensor<?x3xf32, #graph.dims<n, 3>>, %t: tensor<2x3xf32>) -> tensor<?x3xf32, #graph.dims<n, 3>> {
  %pairs = graph.broadcast %t shape = [n, 2, 3] : (tensor<2x3xf32>) -> tensor<?x2x3xf32, #graph.dims<n, 2, 3>>
  %table = graph.reshape %pairs shape = [2 * n, 3] : (tensor<?x2x3xf32, #graph.dims<n, 2, 3>>) -> tensor<?x3xf32, #graph.dims<2 * n, 3>>
  %i = graph.iota shape = [n] axis = 0 of i64 : () -> tensor<?xi64, #graph.dims<n>>
  %last = graph.reverse %i axes = [0] : tensor<?xi64, #graph.dims<n>>
  %rows = graph.gather %table, %last axis = 0 : (tensor<?x3xf32, #graph.dims<2 * n, 3>>, tensor<?xi64, #graph.dims<n>>) -> tensor<?x3xf32, #graph.dims<n, 3>>
  // expected-error @+1 {{'graph.add' op is not proved to treat each sample of a batch by itself: it reads other values for each sample of operand #1, which has none: it should be the same for all of them, or an input that has them}}
  %0 = graph.add %x, %rows : tensor<?x3xf32, #graph.dims<n, 3>>
  return %0 : tensor<?x3xf32, #graph.dims<n, 3>>
}

// -----

// Which of the equal rows is read does not matter, but there are fewer of them for a part.
func.func @main(%x: tensor<?xi64, #graph.dims<n>>, %t: tensor<3xf32>) -> tensor<?x3xf32, #graph.dims<n, 3>> {
  %table = graph.broadcast %t shape = [n, 3] : (tensor<3xf32>) -> tensor<?x3xf32, #graph.dims<n, 3>>
  // expected-error @+1 {{'graph.gather' op is not proved to treat each sample of a batch by itself: operand #1 has indices, and which are valid depends on their number: an axis for the samples, as of gather_nd with batch_dims, would do}}
  %0 = graph.gather %table, %x axis = 0 : (tensor<?x3xf32, #graph.dims<n, 3>>, tensor<?xi64, #graph.dims<n>>) -> tensor<?x3xf32, #graph.dims<n, 3>>
  return %0 : tensor<?x3xf32, #graph.dims<n, 3>>
}

// -----

// A part of one sample has no row 1.
func.func @main(%x: tensor<?x3xf32, #graph.dims<n, 3>>, %t: tensor<3xf32>) -> tensor<?x3xf32, #graph.dims<n, 3>> {
  %table = graph.broadcast %t shape = [n, 3] : (tensor<3xf32>) -> tensor<?x3xf32, #graph.dims<n, 3>>
  %one = graph.constant dense<1> : tensor<i64>
  %i = graph.broadcast %one shape = [n] : (tensor<i64>) -> tensor<?xi64, #graph.dims<n>>
  %rows = graph.gather %table, %i axis = 0 : (tensor<?x3xf32, #graph.dims<n, 3>>, tensor<?xi64, #graph.dims<n>>) -> tensor<?x3xf32, #graph.dims<n, 3>>
  // expected-error @+1 {{'graph.add' op is not proved to treat each sample of a batch by itself: it reads other values for each sample of operand #1, which has none: it should be the same for all of them, or an input that has them}}
  %0 = graph.add %x, %rows : tensor<?x3xf32, #graph.dims<n, 3>>
  return %0 : tensor<?x3xf32, #graph.dims<n, 3>>
}

// -----

// A result that is their number.
func.func @main(%x: tensor<?x3xf32, #graph.dims<n, 3>>) -> (tensor<?x3xf32, #graph.dims<n, 3>>, tensor<f32>) {
  %one = graph.constant dense<1.0> : tensor<f32>
  %ones = graph.broadcast %one shape = [n] : (tensor<f32>) -> tensor<?xf32, #graph.dims<n>>
  // expected-error @+1 {{'graph.reduce_sum' op is not proved to treat each sample of a batch by itself: it computes output #1, which depends on their number}}
  %sum = graph.reduce_sum %ones axes = [0] : (tensor<?xf32, #graph.dims<n>>) -> tensor<f32>
  %0 = graph.relu %x : tensor<?x3xf32, #graph.dims<n, 3>>
  return %0, %sum : tensor<?x3xf32, #graph.dims<n, 3>>, tensor<f32>
}

// -----

// As many rows of a part are not there.
func.func @main(%x: tensor<?x3xf32, #graph.dims<n, 3>>) -> tensor<?x3xf32, #graph.dims<n, 3>> {
  // expected-error @+1 {{'graph.slice' op is not proved to treat each sample of a batch by itself: no axis of result #0 has each sample where operands have it}}
  %0 = graph.slice %x starts = [0, 0] sizes = [4, 3] steps = [1, 1] : (tensor<?x3xf32, #graph.dims<n, 3>>) -> tensor<?x3xf32, #graph.dims<n, 3>>
  return %0 : tensor<?x3xf32, #graph.dims<n, 3>>
}

// -----

// A bias of n columns, which are said to be m: an op demands that m is n.
// expected-remark @+2 {{'m' was taken to be the number of samples, n, too; if it is not, bind it}}
// expected-error @+1 {{argument #0 can't be cut into samples: axis 1 has size n, which contains their number}}
func.func @main(%x: tensor<?x?xf32, #graph.dims<n, m>>, %b: tensor<f32>) -> tensor<?x?xf32, #graph.dims<n, m>> {
  %r = graph.broadcast %b shape = [n, n] : (tensor<f32>) -> tensor<?x?xf32, #graph.dims<n, m>>
  %0 = graph.add %x, %r : tensor<?x?xf32, #graph.dims<n, m>>
  return %0 : tensor<?x?xf32, #graph.dims<n, m>>
}
