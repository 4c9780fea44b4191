// RUN: tenon-opt %s --split-input-file --verify-diagnostics

func.func @axis(%x: tensor<4xf32>, %i: tensor<2xi64>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected an axis from 0 to 0, but got -1}}
  %0 = graph.gather %x, %i axis = -1 : (tensor<4xf32>, tensor<2xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @empty(%x: tensor<0xf32>, %i: tensor<2xi64>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{axis 0 of x: expected elements to gather, but got size 0}}
  %0 = graph.gather %x, %i axis = 0 : (tensor<0xf32>, tensor<2xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @embedding_empty(%x: tensor<0x4xf32>, %i: tensor<2xi64>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{axis 0 of table: expected elements to gather, but got size 0}}
  %0 = graph.embedding %x, %i : (tensor<0x4xf32>, tensor<2xi64>) -> tensor<2x4xf32>
  return
}

// -----

func.func @nll_empty(%x: tensor<2x0xf32>, %i: tensor<2xi64>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{axis 1 of scores: expected elements to gather, but got size 0}}
  %0 = graph.nll_loss %x, %i mean : (tensor<2x0xf32>, tensor<2xi64>) -> tensor<f32>
  return
}

// -----

func.func @elements_rank(%x: tensor<4x5xf32>, %i: tensor<2xi64>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected indices of rank 2, but got rank 1}}
  %0 = graph.gather_elements %x, %i axis = 0 : (tensor<4x5xf32>, tensor<2xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @elements_sizes(%x: tensor<4x5xf32>, %i: tensor<9x6xi64>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{axis 1 of indices: expected at most 5, but got 6}}
  %0 = graph.gather_elements %x, %i axis = 0 : (tensor<4x5xf32>, tensor<9x6xi64>) -> tensor<9x6xf32>
  return
}

// -----

func.func @nd_length(%x: tensor<4x5xf32>, %i: tensor<2x3xi64>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{last axis of indices: expected a constant size from 1 to 2, but got 3}}
  %0 = graph.gather_nd %x, %i batch_dims = 0 : (tensor<4x5xf32>, tensor<2x3xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @nd_symbolic_length(%x: tensor<4x5xf32>, %i: tensor<2x?xi64, #graph.dims<2, k>>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{last axis of indices: expected a constant size from 1 to 2, but got k}}
  %0 = graph.gather_nd %x, %i batch_dims = 0 : (tensor<4x5xf32>, tensor<2x?xi64, #graph.dims<2, k>>) -> tensor<2xf32>
  return
}

// -----

func.func @nd_batch_dims(%x: tensor<4x5xf32>, %i: tensor<2xi64>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected batch_dims from 0 to 0, but got 1}}
  %0 = graph.gather_nd %x, %i batch_dims = 1 : (tensor<4x5xf32>, tensor<2xi64>) -> tensor<f32>
  return
}

// -----

func.func @nd_batch_sizes(%x: tensor<4x5xf32>, %i: tensor<3x1xi64>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{batch axis 0 of indices: expected 4, but got 3}}
  %0 = graph.gather_nd %x, %i batch_dims = 1 : (tensor<4x5xf32>, tensor<3x1xi64>) -> tensor<3xf32>
  return
}

// -----

func.func @scatter_updates(%x: tensor<4x5xf32>, %i: tensor<4x2xi64>, %u: tensor<4x3xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{axis 1 of updates: expected 2, but got 3}}
  %0 = graph.scatter_elements %x, %i, %u axis = 1 none : (tensor<4x5xf32>, tensor<4x2xi64>, tensor<4x3xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_rank(%x: tensor<4x5xf32>, %i: tensor<4xi64>, %u: tensor<4xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected indices and updates of rank 2, but got ranks 1 and 1}}
  %0 = graph.scatter_elements %x, %i, %u axis = 1 none : (tensor<4x5xf32>, tensor<4xi64>, tensor<4xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_sizes(%x: tensor<4x5xf32>, %i: tensor<5x2xi64>, %u: tensor<5x2xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{axis 0 of indices: expected at most 4, but got 5}}
  %0 = graph.scatter_elements %x, %i, %u axis = 1 none : (tensor<4x5xf32>, tensor<5x2xi64>, tensor<5x2xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_bool(%x: tensor<4xi1>, %i: tensor<2xi64>, %u: tensor<2xi1>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected reduction none for i1 elements, but got add}}
  %0 = graph.scatter_elements %x, %i, %u axis = 0 add : (tensor<4xi1>, tensor<2xi64>, tensor<2xi1>) -> tensor<4xi1>
  return
}

// -----

func.func @scatter_nd_updates(%x: tensor<4x5xf32>, %i: tensor<3x1xi64>, %u: tensor<3x4xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{axis 1 of updates: expected 5, but got 4}}
  %0 = graph.scatter_nd %x, %i, %u none : (tensor<4x5xf32>, tensor<3x1xi64>, tensor<3x4xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_nd_rank(%x: tensor<4x5xf32>, %i: tensor<3x2xi64>, %u: tensor<3x5xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected updates of rank 1, but got rank 2}}
  %0 = graph.scatter_nd %x, %i, %u none : (tensor<4x5xf32>, tensor<3x2xi64>, tensor<3x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_nd_scalar(%x: tensor<f32>, %i: tensor<1xi64>, %u: tensor<f32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected x and indices of rank 1 or more, but got ranks 0 and 1}}
  %0 = graph.scatter_nd %x, %i, %u none : (tensor<f32>, tensor<1xi64>, tensor<f32>) -> tensor<f32>
  return
}
