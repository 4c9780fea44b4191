// Models that couple samples are refused at the op that does.
// RUN: tenon-opt %s --split-input-file --verify-diagnostics --pipe-partition="devices=2 mini-batch=4"

// Statistics of the batch.
func.func @main(%x: tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<?x4xf32, #graph.dims<n, 4>> {
  %s = graph.parameter @s : tensor<4xf32>
  %b = graph.parameter @b : tensor<4xf32>
  %m = graph.parameter @m : tensor<4xf32>
  %v = graph.parameter @v : tensor<4xf32>
  %0 = graph.relu %x : tensor<?x4xf32, #graph.dims<n, 4>>
  // expected-error @+1 {{'graph.batch_norm' op couples the samples of a batch: in training, it uses the statistics of the batch}}
  %1 = graph.batch_norm %0, %s, %b, %m, %v axis = 1 epsilon = 1.0e-05 : (tensor<?x4xf32, #graph.dims<n, 4>>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<?x4xf32, #graph.dims<n, 4>>
  return %1 : tensor<?x4xf32, #graph.dims<n, 4>>
}

// -----

// The same, spelled out.
func.func @main(%x: tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<?x4xf32, #graph.dims<n, 4>> {
  // expected-error @+1 {{'graph.reduce_mean' op couples the samples of a batch: it computes results from all samples, along axis 0 of operand #0}}
  %0 = graph.reduce_mean %x axes = [0] keepdims : (tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<1x4xf32>
  %1 = graph.broadcast %0 shape = [n, 4] : (tensor<1x4xf32>) -> tensor<?x4xf32, #graph.dims<n, 4>>
  %2 = graph.sub %x, %1 : tensor<?x4xf32, #graph.dims<n, 4>>
  return %2 : tensor<?x4xf32, #graph.dims<n, 4>>
}

// -----

// A softmax over the batch, between others that are not.
func.func @main(%x: tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<?x4xf32, #graph.dims<n, 4>> {
  %0 = graph.softmax %x axis = 1 : tensor<?x4xf32, #graph.dims<n, 4>>
  %1 = graph.transpose %0 perm = [1, 0] : (tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<4x?xf32, #graph.dims<4, n>>
  // expected-error @+1 {{'graph.softmax' op couples the samples of a batch: it computes results from all samples, along axis 1 of operand #0}}
  %2 = graph.softmax %1 axis = 1 : tensor<4x?xf32, #graph.dims<4, n>>
  %3 = graph.transpose %2 perm = [1, 0] : (tensor<4x?xf32, #graph.dims<4, n>>) -> tensor<?x4xf32, #graph.dims<n, 4>>
  return %3 : tensor<?x4xf32, #graph.dims<n, 4>>
}

// -----

// Similarities of all pairs of samples, as of a contrastive loss.
func.func @main(%x: tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<?x?xf32, #graph.dims<n, n>> {
  // expected-error @+1 {{'graph.matmul' op couples the samples of a batch: it combines each sample with all, along axes 0 and 1 of result #0}}
  %0 = graph.matmul %x, %x transpose_b : (tensor<?x4xf32, #graph.dims<n, 4>>, tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<?x?xf32, #graph.dims<n, n>>
  return %0 : tensor<?x?xf32, #graph.dims<n, n>>
}

// -----

// A product that sums over the samples.
func.func @main(%x: tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<4x4xf32> {
  %0 = graph.transpose %x perm = [1, 0] : (tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<4x?xf32, #graph.dims<4, n>>
  // expected-error @+1 {{'graph.matmul' op couples the samples of a batch: it computes results from all samples, along axis 1 of operand #0}}
  %1 = graph.matmul %0, %x : (tensor<4x?xf32, #graph.dims<4, n>>, tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// -----

// A running sum over the samples.
func.func @main(%x: tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<?x4xf32, #graph.dims<n, 4>> {
  // expected-error @+1 {{'graph.cumsum' op couples the samples of a batch: it computes results from all samples, along axis 0 of operand #0}}
  %0 = graph.cumsum %x axis = 0 : tensor<?x4xf32, #graph.dims<n, 4>>
  return %0 : tensor<?x4xf32, #graph.dims<n, 4>>
}

// -----

// Attention over a sequence-first tensor that was meant to be batch-first: each sample attends to the others.
func.func @main(%x: tensor<?x6x4xf32, #graph.dims<n, 6, 4>>) -> tensor<?x6x4xf32, #graph.dims<n, 6, 4>> {
  %0 = graph.transpose %x perm = [1, 0, 2] : (tensor<?x6x4xf32, #graph.dims<n, 6, 4>>) -> tensor<6x?x4xf32, #graph.dims<6, n, 4>>
  // expected-error @+1 {{'graph.matmul' op couples the samples of a batch: it combines each sample with all, along axes 1 and 2 of result #0}}
  %1 = graph.matmul %0, %0 transpose_b : (tensor<6x?x4xf32, #graph.dims<6, n, 4>>, tensor<6x?x4xf32, #graph.dims<6, n, 4>>) -> tensor<6x?x?xf32, #graph.dims<6, n, n>>
  %2 = graph.softmax %1 axis = 2 : tensor<6x?x?xf32, #graph.dims<6, n, n>>
  %3 = graph.matmul %2, %0 : (tensor<6x?x?xf32, #graph.dims<6, n, n>>, tensor<6x?x4xf32, #graph.dims<6, n, 4>>) -> tensor<6x?x4xf32, #graph.dims<6, n, 4>>
  %4 = graph.transpose %3 perm = [1, 0, 2] : (tensor<6x?x4xf32, #graph.dims<6, n, 4>>) -> tensor<?x6x4xf32, #graph.dims<n, 6, 4>>
  return %4 : tensor<?x6x4xf32, #graph.dims<n, 6, 4>>
}

// -----

// Negatives for each sample: those of the sample after it.
func.func @main(%x: tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<?x4xf32, #graph.dims<n, 4>> {
  %0 = graph.slice %x starts = [1, 0] sizes = [n - 1, 4] steps = [1, 1] : (tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<?x4xf32, #graph.dims<n - 1, 4>>
  %1 = graph.slice %x starts = [0, 0] sizes = [1, 4] steps = [1, 1] : (tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<1x4xf32>
  // expected-error @-2 {{'graph.slice' op couples the samples of a batch: it moves samples to other places, along axis 0 of operand #0}}
  %2 = graph.concat %0, %1 axis = 0 : (tensor<?x4xf32, #graph.dims<n - 1, 4>>, tensor<1x4xf32>) -> tensor<?x4xf32, #graph.dims<n, 4>>
  return %2 : tensor<?x4xf32, #graph.dims<n, 4>>
}

// -----

// The sample's number in the batch, as a feature.
func.func @main(%x: tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<?x4xf32, #graph.dims<n, 4>> {
  %0 = graph.iota shape = [n, 4] axis = 0 of f32 : () -> tensor<?x4xf32, #graph.dims<n, 4>>
  // expected-error @+1 {{'graph.mul' op is not proved to treat each sample of a batch by itself: it reads other values for each sample of operand #1, which has none: it should be the same for all of them, or an input that has them}}
  %1 = graph.mul %x, %0 : tensor<?x4xf32, #graph.dims<n, 4>>
  return %1 : tensor<?x4xf32, #graph.dims<n, 4>>
}

// -----

// The best sample of the batch.
func.func @main(%x: tensor<?xf32, #graph.dims<n>>) -> tensor<?xf32, #graph.dims<n>> {
  // expected-error @+1 {{'graph.reduce_max' op couples the samples of a batch: it computes results from all samples, along axis 0 of operand #0}}
  %0 = graph.reduce_max %x axes = [0] keepdims : (tensor<?xf32, #graph.dims<n>>) -> tensor<1xf32>
  %1 = graph.broadcast %0 shape = [n] : (tensor<1xf32>) -> tensor<?xf32, #graph.dims<n>>
  %2 = graph.div %x, %1 : tensor<?xf32, #graph.dims<n>>
  return %2 : tensor<?xf32, #graph.dims<n>>
}

// -----

// A gather from the batch at indices that are an input, as of a shuffled batch.
func.func @main(%x: tensor<?x4xf32, #graph.dims<n, 4>>, %i: tensor<?xi64, #graph.dims<n>>) -> tensor<?x4xf32, #graph.dims<n, 4>> {
  // expected-error @+1 {{'graph.gather' op is not proved to treat each sample of a batch by itself: operand #1 has indices, and which are valid depends on their number: an axis for the samples, as of gather_nd with batch_dims, would do}}
  %0 = graph.gather %x, %i axis = 0 : (tensor<?x4xf32, #graph.dims<n, 4>>, tensor<?xi64, #graph.dims<n>>) -> tensor<?x4xf32, #graph.dims<n, 4>>
  return %0 : tensor<?x4xf32, #graph.dims<n, 4>>
}

// -----

// A mask that is true of samples whose number, times 2^20 and by 3, again and again, is beyond 64 bits.
func.func @main(%x: tensor<?x3xf32, #graph.dims<n, 3>>) -> tensor<?x3xf32, #graph.dims<n, 3>> {
  %kc = graph.constant dense<1048576> : tensor<i64>
  %k = graph.broadcast %kc shape = [n] : (tensor<i64>) -> tensor<?xi64, #graph.dims<n>>
  %tc = graph.constant dense<3> : tensor<i64>
  %t = graph.broadcast %tc shape = [n] : (tensor<i64>) -> tensor<?xi64, #graph.dims<n>>
  %zc = graph.constant dense<0> : tensor<i64>
  %z = graph.broadcast %zc shape = [n] : (tensor<i64>) -> tensor<?xi64, #graph.dims<n>>
  %i = graph.iota shape = [n] axis = 0 of i64 : () -> tensor<?xi64, #graph.dims<n>>
  %a = graph.mul %i, %k : tensor<?xi64, #graph.dims<n>>
  %b = graph.div %a, %t : tensor<?xi64, #graph.dims<n>>
  %c = graph.mul %b, %k : tensor<?xi64, #graph.dims<n>>
  %d = graph.div %c, %t : tensor<?xi64, #graph.dims<n>>
  %e = graph.mul %d, %k : tensor<?xi64, #graph.dims<n>>
  %f = graph.div %e, %t : tensor<?xi64, #graph.dims<n>>
  %g = graph.mul %f, %k : tensor<?xi64, #graph.dims<n>>
  %m = graph.less %g, %z : tensor<?xi64, #graph.dims<n>>
  %m1 = graph.reshape %m shape = [n, 1] : (tensor<?xi1, #graph.dims<n>>) -> tensor<?x1xi1, #graph.dims<n, 1>>
  %m2 = graph.broadcast %m1 shape = [n, 3] : (tensor<?x1xi1, #graph.dims<n, 1>>) -> tensor<?x3xi1, #graph.dims<n, 3>>
  %nx = graph.neg %x : tensor<?x3xf32, #graph.dims<n, 3>>
  // expected-error @+1 {{'graph.where' op is not proved to treat each sample of a batch by itself: it reads other values for each sample of operand #0}}
  %y = graph.where %m2, %x, %nx : tensor<?x3xi1, #graph.dims<n, 3>>, tensor<?x3xf32, #graph.dims<n, 3>>, tensor<?x3xf32, #graph.dims<n, 3>>
  return %y : tensor<?x3xf32, #graph.dims<n, 3>>
}

// -----

// A loss that is no mean of losses of samples: the root of one.
func.func @main(%x: tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<f32> {
  %0 = graph.relu %x : tensor<?x4xf32, #graph.dims<n, 4>>
  %1 = graph.reduce_mean %0 axes = [0, 1] : (tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<f32>
  // expected-error @+1 {{'graph.sqrt' op couples the samples of a batch: it is not linear in operand #0, a mean over samples}}
  %2 = graph.sqrt %1 : tensor<f32>
  return %2 : tensor<f32>
}

// -----

// A sum, to which each part would add a constant.
func.func @main(%x: tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<f32> {
  %c = graph.parameter @c : tensor<f32>
  %0 = graph.reduce_sum %x axes = [0, 1] : (tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<f32>
  // expected-error @+1 {{'graph.add' op couples the samples of a batch: it adds to operand #0, a sum over samples, what each part would add again}}
  %1 = graph.add %0, %c : tensor<f32>
  return %1 : tensor<f32>
}

// -----

// The mean of a maximum over the batch.
func.func @main(%x: tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<f32> {
  // expected-error @+1 {{'graph.reduce_max' op couples the samples of a batch: it computes results from all samples, along axis 0 of operand #0}}
  %0 = graph.reduce_max %x axes = [0] : (tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<4xf32>
  %1 = graph.reduce_mean %0 axes = [0] : (tensor<4xf32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// -----

// A mean over the labels that count, of which each part has its own number.
func.func @main(%x: tensor<?x4xf32, #graph.dims<n, 4>>, %y: tensor<?xi64, #graph.dims<n>>) -> tensor<f32> {
  // expected-error @+1 {{'graph.softmax_cross_entropy' op couples the samples of a batch: it divides by a sum or a mean over samples, such as how many labels count}}
  %0 = graph.softmax_cross_entropy %x, %y mean ignore_index = -100 : (tensor<?x4xf32, #graph.dims<n, 4>>, tensor<?xi64, #graph.dims<n>>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// A product of two means.
func.func @main(%x: tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<f32> {
  %0 = graph.reduce_mean %x axes = [0, 1] : (tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<f32>
  // expected-error @+1 {{'graph.mul' op couples the samples of a batch: it is not linear in operand #0, a mean over samples}}
  %1 = graph.mul %0, %0 : tensor<f32>
  return %1 : tensor<f32>
}

// -----

// A number of the type i64, which no rank can weight.
func.func @main(%x: tensor<?x4xi64, #graph.dims<n, 4>>) -> tensor<i64> {
  // expected-error @+1 {{'graph.reduce_sum' op couples the samples of a batch: it computes results from all samples, along axis 0 of operand #0}}
  %0 = graph.reduce_sum %x axes = [0, 1] : (tensor<?x4xi64, #graph.dims<n, 4>>) -> tensor<i64>
  return %0 : tensor<i64>
}

// -----

// A count that wraps in 8 bits.
func.func @main(%x: tensor<?x4xi8, #graph.dims<n, 4>>) -> tensor<f32> {
  // expected-error @+1 {{'graph.reduce_sum' op couples the samples of a batch: it computes results from all samples, along axis 0 of operand #0}}
  %0 = graph.reduce_sum %x axes = [0, 1] : (tensor<?x4xi8, #graph.dims<n, 4>>) -> tensor<i8>
  %1 = graph.cast %0 to f32 : tensor<i8>
  return %1 : tensor<f32>
}

// -----

// The same, of a sum that does not.
func.func @main(%x: tensor<?x4xi64, #graph.dims<n, 4>>) -> tensor<f32> {
  %0 = graph.reduce_sum %x axes = [0, 1] : (tensor<?x4xi64, #graph.dims<n, 4>>) -> tensor<i64>
  // expected-error @+1 {{'graph.cast' op couples the samples of a batch: it is not linear in operand #0, a sum over samples}}
  %1 = graph.cast %0 to i8 : tensor<i64>
  %2 = graph.cast %1 to f32 : tensor<i8>
  return %2 : tensor<f32>
}

// -----

// The number of samples in a float of 16 bits, which may be infinite.
func.func @main(%x: tensor<?xf16, #graph.dims<n>>) -> tensor<f16> {
  %0 = graph.reduce_sum %x axes = [0] : (tensor<?xf16, #graph.dims<n>>) -> tensor<f16>
  %1 = graph.iota shape = [n + 1] axis = 0 of f16 : () -> tensor<?xf16, #graph.dims<n + 1>>
  %2 = graph.slice %1 starts = [n] sizes = [1] steps = [1] : (tensor<?xf16, #graph.dims<n + 1>>) -> tensor<1xf16>
  %3 = graph.reshape %2 shape = [] : (tensor<1xf16>) -> tensor<f16>
  // expected-error @+1 {{'graph.div' op couples the samples of a batch: it divides by a sum or a mean over samples}}
  %4 = graph.div %0, %3 : tensor<f16>
  return %4 : tensor<f16>
}

// -----

// A sum and a mean.
func.func @main(%x: tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<f32> {
  %0 = graph.reduce_sum %x axes = [0, 1] : (tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<f32>
  %1 = graph.reduce_mean %x axes = [0, 1] : (tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<f32>
  // expected-error @+1 {{'graph.add' op couples the samples of a batch: it adds a sum over samples and a mean}}
  %2 = graph.add %0, %1 : tensor<f32>
  return %2 : tensor<f32>
}
