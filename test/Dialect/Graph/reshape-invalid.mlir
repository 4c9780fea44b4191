// RUN: tenon-opt %s --split-input-file --verify-diagnostics

func.func @transpose_count(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected 2 entries in perm, but got 1}}
  %0 = graph.transpose %x perm = [0] : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @transpose_twice(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected distinct perm, but got 1 twice}}
  %0 = graph.transpose %x perm = [1, 1] : (tensor<2x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @transpose_range(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected an axis from 0 to 1, but got 2}}
  %0 = graph.transpose %x perm = [0, 2] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @transpose_symbolic(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected constant perm, but got #graph.dims<0, p>}}
  %0 = graph.transpose %x perm = [0, p] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @reshape_elements(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected a shape of 6 elements, but got 8}}
  %0 = graph.reshape %x shape = [4, 2] : (tensor<2x3xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @reshape_negative(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected sizes in shape of at least 0, but got -1}}
  %0 = graph.reshape %x shape = [-1, 2] : (tensor<2x3xf32>) -> tensor<?x2xf32>
  return
}

// -----

func.func @reshape_open_size(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected the other sizes to divide 6 elements, but got 4}}
  %0 = graph.reshape %x shape = [4, ?] : (tensor<2x3xf32>) -> tensor<4x?xf32>
  return
}

// -----

func.func @broadcast_rank(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected a shape of rank 2 or more, but got rank 1}}
  %0 = graph.broadcast %x shape = [3] : (tensor<2x3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @broadcast_size(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{axis 2 of the result: expected 3, the size of axis 1 of x, but got 4}}
  %0 = graph.broadcast %x shape = [5, 2, 4] : (tensor<2x3xf32>) -> tensor<5x2x4xf32>
  return
}

// -----

func.func @tile_count(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected 2 repeats, but got 1}}
  %0 = graph.tile %x repeats = [2] : (tensor<2x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @iota_axis() {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected an axis from 0 to 0, but got 1}}
  %0 = graph.iota shape = [2] axis = 1 of i32 : () -> tensor<2xi32>
  return
}

// -----

func.func @iota_element() {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected a number type, but got 'i16'}}
  %0 = graph.iota shape = [2] axis = 0 of i16 : () -> tensor<2xi32>
  return
}
