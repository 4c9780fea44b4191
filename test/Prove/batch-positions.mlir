// Where the samples are is decided by what ops mean, also together: samples in the middle of an axis, or in
// several blocks of it, and gathers and masks at positions of the batch. Each cut is proved.
// RUN: tenon-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(graph-prove-batch))' -o /dev/null
// RUN: tenon-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(graph-prove-batch{rules}))' -o /dev/null | FileCheck %s

// The sequence comes first, and is merged with the batch for a linear layer.
// CHECK: rule.rule @matmul_3(%x0: [12 * n, 8], %x1: [8, 4], %x2: [n] of i1) -> ([12 * batch_count, 4], [batch_count] of i1)
// CHECK:   graph.reshape %0 shape = [12, n, 4]
func.func @sequence_first(%x: tensor<?x12x8xf32, #graph.dims<n, 12, 8>>, %w: tensor<8x4xf32>) -> tensor<?x12x4xf32, #graph.dims<n, 12, 4>> {
  %0 = graph.transpose %x perm = [1, 0, 2] : (tensor<?x12x8xf32, #graph.dims<n, 12, 8>>) -> tensor<12x?x8xf32, #graph.dims<12, n, 8>>
  %1 = graph.reshape %0 shape = [12 * n, 8] : (tensor<12x?x8xf32, #graph.dims<12, n, 8>>) -> tensor<?x8xf32, #graph.dims<12 * n, 8>>
  %2 = graph.matmul %1, %w : (tensor<?x8xf32, #graph.dims<12 * n, 8>>, tensor<8x4xf32>) -> tensor<?x4xf32, #graph.dims<12 * n, 4>>
  %3 = graph.reshape %2 shape = [12, n, 4] : (tensor<?x4xf32, #graph.dims<12 * n, 4>>) -> tensor<12x?x4xf32, #graph.dims<12, n, 4>>
  %4 = graph.transpose %3 perm = [1, 0, 2] : (tensor<12x?x4xf32, #graph.dims<12, n, 4>>) -> tensor<?x12x4xf32, #graph.dims<n, 12, 4>>
  return %4 : tensor<?x12x4xf32, #graph.dims<n, 12, 4>>
}

// -----

// Rows of each sample between other axes: [3, n, 2, 4] in one axis.
func.func @around(%x: tensor<3x?x2x4xf32, #graph.dims<3, n, 2, 4>>, %y: tensor<?xf32, #graph.dims<n>>) -> tensor<3x?x8xf32, #graph.dims<3, n, 8>> {
  %0 = graph.reshape %x shape = [24 * n] : (tensor<3x?x2x4xf32, #graph.dims<3, n, 2, 4>>) -> tensor<?xf32, #graph.dims<24 * n>>
  %1 = graph.tanh %0 : tensor<?xf32, #graph.dims<24 * n>>
  %2 = graph.reshape %1 shape = [3, n, 8] : (tensor<?xf32, #graph.dims<24 * n>>) -> tensor<3x?x8xf32, #graph.dims<3, n, 8>>
  return %2 : tensor<3x?x8xf32, #graph.dims<3, n, 8>>
}

// -----

// A batch twice, as for guidance without a classifier, and as one of six.
func.func @blocks(%x: tensor<?x8xf32, #graph.dims<n, 8>>, %u: tensor<1x8xf32>) -> tensor<?x8xf32, #graph.dims<n, 8>> {
  %0 = graph.broadcast %u shape = [n, 8] : (tensor<1x8xf32>) -> tensor<?x8xf32, #graph.dims<n, 8>>
  %1 = graph.concat %x, %0 axis = 0 : (tensor<?x8xf32, #graph.dims<n, 8>>, tensor<?x8xf32, #graph.dims<n, 8>>) -> tensor<?x8xf32, #graph.dims<2 * n, 8>>
  %2 = graph.tile %1 repeats = [3, 1] : (tensor<?x8xf32, #graph.dims<2 * n, 8>>) -> tensor<?x8xf32, #graph.dims<6 * n, 8>>
  %3 = graph.exp %2 : tensor<?x8xf32, #graph.dims<6 * n, 8>>
  %4 = graph.slice %3 starts = [n, 0] sizes = [n, 8] steps = [1, 1] : (tensor<?x8xf32, #graph.dims<6 * n, 8>>) -> tensor<?x8xf32, #graph.dims<n, 8>>
  %5 = graph.slice %3 starts = [4 * n, 0] sizes = [n, 8] steps = [1, 1] : (tensor<?x8xf32, #graph.dims<6 * n, 8>>) -> tensor<?x8xf32, #graph.dims<n, 8>>
  %6 = graph.sub %5, %4 : tensor<?x8xf32, #graph.dims<n, 8>>
  return %6 : tensor<?x8xf32, #graph.dims<n, 8>>
}

// -----

// mask[b, k] by index tuples.
func.func @gather_nd(%mask: tensor<?x12xi1, #graph.dims<n, 12>>) -> tensor<?x1x12xi1, #graph.dims<n, 1, 12>> {
  %k = graph.constant dense<[[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]]]> : tensor<1x1x12xi64>
  %0 = graph.iota shape = [n] axis = 0 of i64 : () -> tensor<?xi64, #graph.dims<n>>
  %1 = graph.reshape %0 shape = [n, 1, 1] : (tensor<?xi64, #graph.dims<n>>) -> tensor<?x1x1xi64, #graph.dims<n, 1, 1>>
  %2 = graph.broadcast %1 shape = [n, 1, 12] : (tensor<?x1x1xi64, #graph.dims<n, 1, 1>>) -> tensor<?x1x12xi64, #graph.dims<n, 1, 12>>
  %3 = graph.reshape %2 shape = [n, 1, 12, 1] : (tensor<?x1x12xi64, #graph.dims<n, 1, 12>>) -> tensor<?x1x12x1xi64, #graph.dims<n, 1, 12, 1>>
  %4 = graph.broadcast %k shape = [n, 1, 12] : (tensor<1x1x12xi64>) -> tensor<?x1x12xi64, #graph.dims<n, 1, 12>>
  %5 = graph.reshape %4 shape = [n, 1, 12, 1] : (tensor<?x1x12xi64, #graph.dims<n, 1, 12>>) -> tensor<?x1x12x1xi64, #graph.dims<n, 1, 12, 1>>
  %6 = graph.concat %3, %5 axis = 3 : (tensor<?x1x12x1xi64, #graph.dims<n, 1, 12, 1>>, tensor<?x1x12x1xi64, #graph.dims<n, 1, 12, 1>>) -> tensor<?x1x12x2xi64, #graph.dims<n, 1, 12, 2>>
  %7 = graph.gather_nd %mask, %6 batch_dims = 0 : (tensor<?x12xi1, #graph.dims<n, 12>>, tensor<?x1x12x2xi64, #graph.dims<n, 1, 12, 2>>) -> tensor<?x1x12xi1, #graph.dims<n, 1, 12>>
  return %7 : tensor<?x1x12xi1, #graph.dims<n, 1, 12>>
}

// -----

// x[b, end[b]]: the tuples have a position of the batch, and data of the sample.
func.func @pick(%x: tensor<?x12x4xf32, #graph.dims<n, 12, 4>>, %end: tensor<?xi64, #graph.dims<n>>) -> tensor<?x4xf32, #graph.dims<n, 4>> {
  %0 = graph.iota shape = [n, 1] axis = 0 of i64 : () -> tensor<?x1xi64, #graph.dims<n, 1>>
  %1 = graph.reshape %end shape = [n, 1] : (tensor<?xi64, #graph.dims<n>>) -> tensor<?x1xi64, #graph.dims<n, 1>>
  %2 = graph.concat %0, %1 axis = 1 : (tensor<?x1xi64, #graph.dims<n, 1>>, tensor<?x1xi64, #graph.dims<n, 1>>) -> tensor<?x2xi64, #graph.dims<n, 2>>
  %3 = graph.gather_nd %x, %2 batch_dims = 0 : (tensor<?x12x4xf32, #graph.dims<n, 12, 4>>, tensor<?x2xi64, #graph.dims<n, 2>>) -> tensor<?x4xf32, #graph.dims<n, 4>>
  return %3 : tensor<?x4xf32, #graph.dims<n, 4>>
}

// -----

// The same in the flattened batch, where the row is between bounds.
func.func @flat(%x: tensor<?x4x2xf32, #graph.dims<n, 4, 2>>, %row: tensor<?xi64, #graph.dims<n>>) -> tensor<?x2xf32, #graph.dims<n, 2>> {
  %c0 = graph.constant dense<0> : tensor<i64>
  %c3 = graph.constant dense<3> : tensor<i64>
  %c4 = graph.constant dense<4> : tensor<i64>
  %low = graph.broadcast %c0 shape = [n] : (tensor<i64>) -> tensor<?xi64, #graph.dims<n>>
  %high = graph.broadcast %c3 shape = [n] : (tensor<i64>) -> tensor<?xi64, #graph.dims<n>>
  %rows = graph.broadcast %c4 shape = [n] : (tensor<i64>) -> tensor<?xi64, #graph.dims<n>>
  %0 = graph.reshape %x shape = [4 * n, 2] : (tensor<?x4x2xf32, #graph.dims<n, 4, 2>>) -> tensor<?x2xf32, #graph.dims<4 * n, 2>>
  %1 = graph.maximum %row, %low : tensor<?xi64, #graph.dims<n>>
  %2 = graph.minimum %1, %high : tensor<?xi64, #graph.dims<n>>
  %3 = graph.iota shape = [n] axis = 0 of i64 : () -> tensor<?xi64, #graph.dims<n>>
  %4 = graph.mul %3, %rows : tensor<?xi64, #graph.dims<n>>
  %5 = graph.add %4, %2 : tensor<?xi64, #graph.dims<n>>
  %6 = graph.gather %0, %5 axis = 0 : (tensor<?x2xf32, #graph.dims<4 * n, 2>>, tensor<?xi64, #graph.dims<n>>) -> tensor<?x2xf32, #graph.dims<n, 2>>
  return %6 : tensor<?x2xf32, #graph.dims<n, 2>>
}

// -----

// A mask that compares positions of the batch with themselves, counted in two ways, is the same for all.
func.func @same(%x: tensor<?x4xf32, #graph.dims<n, 4>>, %y: tensor<4xf32>) -> tensor<?x4xf32, #graph.dims<n, 4>> {
  %c1 = graph.constant dense<1> : tensor<i64>
  %ones = graph.broadcast %c1 shape = [n] : (tensor<i64>) -> tensor<?xi64, #graph.dims<n>>
  %0 = graph.cumsum %ones axis = 0 : tensor<?xi64, #graph.dims<n>>
  %1 = graph.sub %0, %ones : tensor<?xi64, #graph.dims<n>>
  %2 = graph.iota shape = [n] axis = 0 of i64 : () -> tensor<?xi64, #graph.dims<n>>
  %3 = graph.equal %1, %2 : tensor<?xi64, #graph.dims<n>>
  %4 = graph.reshape %3 shape = [n, 1] : (tensor<?xi1, #graph.dims<n>>) -> tensor<?x1xi1, #graph.dims<n, 1>>
  %5 = graph.broadcast %4 shape = [n, 4] : (tensor<?x1xi1, #graph.dims<n, 1>>) -> tensor<?x4xi1, #graph.dims<n, 4>>
  %6 = graph.broadcast %y shape = [n, 4] : (tensor<4xf32>) -> tensor<?x4xf32, #graph.dims<n, 4>>
  %7 = graph.where %5, %x, %6 : tensor<?x4xi1, #graph.dims<n, 4>>, tensor<?x4xf32, #graph.dims<n, 4>>, tensor<?x4xf32, #graph.dims<n, 4>>
  return %7 : tensor<?x4xf32, #graph.dims<n, 4>>
}

// -----

// Inputs with symbols of their own: b is axis 0 of an input, and an op demands that k is n.
func.func @symbols(%x: tensor<?x4xf32, #graph.dims<n, 4>>, %y: tensor<?x4xf32, #graph.dims<b, 4>>, %z: tensor<2x?xf32, #graph.dims<2, k>>) -> (tensor<?x8xf32, #graph.dims<n, 8>>, tensor<4x?xf32, #graph.dims<4, n>>) {
  %0 = graph.broadcast %y shape = [n, 4] : (tensor<?x4xf32, #graph.dims<b, 4>>) -> tensor<?x4xf32, #graph.dims<n, 4>>
  %1 = graph.concat %x, %0 axis = 1 : (tensor<?x4xf32, #graph.dims<n, 4>>, tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<?x8xf32, #graph.dims<n, 8>>
  %2 = graph.transpose %x perm = [1, 0] : (tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<4x?xf32, #graph.dims<4, n>>
  %3 = graph.slice %2 starts = [0, 0] sizes = [2, n] steps = [1, 1] : (tensor<4x?xf32, #graph.dims<4, n>>) -> tensor<2x?xf32, #graph.dims<2, n>>
  %4 = graph.concat %3, %z axis = 0 : (tensor<2x?xf32, #graph.dims<2, n>>, tensor<2x?xf32, #graph.dims<2, k>>) -> tensor<4x?xf32, #graph.dims<4, n>>
  return %1, %4 : tensor<?x8xf32, #graph.dims<n, 8>>, tensor<4x?xf32, #graph.dims<4, n>>
}

// -----

// The updates of a scatter, at indices of data, have the samples in another axis.
func.func @scatter(%x: tensor<?x5x3xf32, #graph.dims<n, 5, 3>>, %i: tensor<2x1xi64>, %u: tensor<2x3xf32>) -> tensor<5x3x?xf32, #graph.dims<5, 3, n>> {
  %0 = graph.transpose %x perm = [1, 2, 0] : (tensor<?x5x3xf32, #graph.dims<n, 5, 3>>) -> tensor<5x3x?xf32, #graph.dims<5, 3, n>>
  %1 = graph.reshape %u shape = [2, 3, 1] : (tensor<2x3xf32>) -> tensor<2x3x1xf32>
  %2 = graph.broadcast %1 shape = [2, 3, n] : (tensor<2x3x1xf32>) -> tensor<2x3x?xf32, #graph.dims<2, 3, n>>
  %3 = graph.scatter_nd %0, %i, %2 none : (tensor<5x3x?xf32, #graph.dims<5, 3, n>>, tensor<2x1xi64>, tensor<2x3x?xf32, #graph.dims<2, 3, n>>) -> tensor<5x3x?xf32, #graph.dims<5, 3, n>>
  return %3 : tensor<5x3x?xf32, #graph.dims<5, 3, n>>
}

// -----

// Weights of every sample, and a batch more often than the cut looks at blocks of one kind.
func.func @repeats(%x: tensor<?x3xf32, #graph.dims<n, 3>>, %p: tensor<3x3xf32>) -> (tensor<?x3x3xf32, #graph.dims<n, 3, 3>>, tensor<?x3xf32, #graph.dims<5 * n, 3>>) {
  %0 = graph.tile %p repeats = [n, 1] : (tensor<3x3xf32>) -> tensor<?x3xf32, #graph.dims<3 * n, 3>>
  %1 = graph.reshape %0 shape = [n, 3, 3] : (tensor<?x3xf32, #graph.dims<3 * n, 3>>) -> tensor<?x3x3xf32, #graph.dims<n, 3, 3>>
  %2 = graph.reshape %x shape = [n, 1, 3] : (tensor<?x3xf32, #graph.dims<n, 3>>) -> tensor<?x1x3xf32, #graph.dims<n, 1, 3>>
  %3 = graph.broadcast %2 shape = [n, 3, 3] : (tensor<?x1x3xf32, #graph.dims<n, 1, 3>>) -> tensor<?x3x3xf32, #graph.dims<n, 3, 3>>
  %4 = graph.add %1, %3 : tensor<?x3x3xf32, #graph.dims<n, 3, 3>>
  %5 = graph.tile %x repeats = [5, 1] : (tensor<?x3xf32, #graph.dims<n, 3>>) -> tensor<?x3xf32, #graph.dims<5 * n, 3>>
  return %4, %5 : tensor<?x3x3xf32, #graph.dims<n, 3, 3>>, tensor<?x3xf32, #graph.dims<5 * n, 3>>
}

// -----

// A row of the flattened batch at a running count of the samples, and data between bounds.
func.func @counted(%x: tensor<?x3x2xf32, #graph.dims<n, 3, 2>>, %d: tensor<?xi64, #graph.dims<n>>) -> tensor<?x2xf32, #graph.dims<n, 2>> {
  %c0 = graph.constant dense<0> : tensor<i64>
  %c1 = graph.constant dense<1> : tensor<i64>
  %c2 = graph.constant dense<2> : tensor<i64>
  %c3 = graph.constant dense<3> : tensor<i64>
  %low = graph.broadcast %c0 shape = [n] : (tensor<i64>) -> tensor<?xi64, #graph.dims<n>>
  %ones = graph.broadcast %c1 shape = [n] : (tensor<i64>) -> tensor<?xi64, #graph.dims<n>>
  %high = graph.broadcast %c2 shape = [n] : (tensor<i64>) -> tensor<?xi64, #graph.dims<n>>
  %rows = graph.broadcast %c3 shape = [n] : (tensor<i64>) -> tensor<?xi64, #graph.dims<n>>
  %0 = graph.reshape %x shape = [3 * n, 2] : (tensor<?x3x2xf32, #graph.dims<n, 3, 2>>) -> tensor<?x2xf32, #graph.dims<3 * n, 2>>
  %1 = graph.cumsum %ones axis = 0 : tensor<?xi64, #graph.dims<n>>
  %2 = graph.sub %1, %ones : tensor<?xi64, #graph.dims<n>>
  %3 = graph.mul %2, %rows : tensor<?xi64, #graph.dims<n>>
  %4 = graph.minimum %d, %high : tensor<?xi64, #graph.dims<n>>
  %5 = graph.maximum %4, %low : tensor<?xi64, #graph.dims<n>>
  %6 = graph.add %3, %5 : tensor<?xi64, #graph.dims<n>>
  %7 = graph.gather %0, %6 axis = 0 : (tensor<?x2xf32, #graph.dims<3 * n, 2>>, tensor<?xi64, #graph.dims<n>>) -> tensor<?x2xf32, #graph.dims<n, 2>>
  return %7 : tensor<?x2xf32, #graph.dims<n, 2>>
}
