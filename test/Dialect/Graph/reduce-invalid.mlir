// RUN: tenon-opt %s --split-input-file --verify-diagnostics

func.func @axis_range(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected an axis from 0 to 1, but got 2}}
  %0 = graph.reduce_sum %x axes = [2] : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @axis_negative(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected an axis from 0 to 1, but got -1}}
  %0 = graph.reduce_mean %x axes = [-1] : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @axes_order(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{axes: expected ascending, but got 0 after 1}}
  %0 = graph.reduce_max %x axes = [1, 0] : (tensor<2x3xf32>) -> tensor<f32>
  return
}

// -----

func.func @axes_twice(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{axes: expected ascending, but got 1 after 1}}
  %0 = graph.reduce_l2 %x axes = [1, 1] : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @axes_count(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{axes: expected at most 2, but got 3}}
  %0 = graph.reduce_l2 %x axes = [a, b, c] : (tensor<2x3xf32>) -> tensor<f32>
  return
}

// -----

func.func @result(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{inferred type(s) 'tensor<2x1xf32>' are incompatible with return type(s) of operation 'tensor<2xf32>'}}
  %0 = graph.reduce_sum %x axes = [1] keepdims : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @sum_of_bool(%x: tensor<2xi1>) {
  // expected-error@+1 {{operand #0 must be ranked tensor}}
  %0 = graph.reduce_sum %x axes = [0] : (tensor<2xi1>) -> tensor<i1>
  return
}

// -----

func.func @arg_axis(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{expected an axis from 0 to 1, but got 2}}
  %0 = graph.argmax %x axis = 2 : (tensor<2x3xf32>) -> tensor<2xi64>
  return
}

// -----

func.func @arg_empty(%x: tensor<2x0xf32>) {
  // expected-error@+1 {{axis 1: expected at least 1 element, but got 0}}
  %0 = graph.argmin %x axis = 1 : (tensor<2x0xf32>) -> tensor<2xi64>
  return
}

// -----

func.func @k_range(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{k: expected at most the size 3 of axis 1, but got 4}}
  %0:2 = graph.top_k %x axis = 1 k = 4 : (tensor<2x3xf32>) -> (tensor<2x4xf32>, tensor<2x4xi64>)
  return
}

// -----

func.func @k_symbol(%x: tensor<?xf32, #graph.dims<n>>) {
  // expected-error@+1 {{k: expected at most the size n of axis 0, but got n + 1}}
  %0:2 = graph.top_k %x axis = 0 k = n + 1 : (tensor<?xf32, #graph.dims<n>>) -> (tensor<?xf32, #graph.dims<n + 1>>, tensor<?xi64, #graph.dims<n + 1>>)
  return
}

// -----

func.func @k_negative(%x: tensor<3xf32>) {
  // expected-error@+1 {{k: expected 0 or more, but got -1}}
  %0:2 = graph.top_k %x axis = 0 k = -1 : (tensor<3xf32>) -> (tensor<?xf32>, tensor<?xi64>)
  return
}

// -----

func.func @k_list(%x: tensor<3xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{k: expected 1 number, but got 2}}
  %0:2 = "graph.top_k"(%x) <{axis = 0 : i64, k = #graph.dims<1, 2>}> : (tensor<3xf32>) -> (tensor<1xf32>, tensor<1xi64>)
  return
}

// -----

func.func @scan_axis(%x: tensor<3xf32>) {
  // expected-error@+1 {{expected an axis from 0 to 0, but got 1}}
  %0 = graph.cumsum %x axis = 1 : tensor<3xf32>
  return
}

// -----

func.func @scan_of_scalar(%x: tensor<f32>) {
  // expected-error@+1 {{axis}}
  %0 = graph.cumprod %x axis = 0 : tensor<f32>
  return
}

// -----

func.func @k_nothing(%x: tensor<3xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{k: expected 1 number, but got 0}}
  %0:2 = "graph.top_k"(%x) <{axis = 0 : i64, k = #graph.dims<>}> : (tensor<3xf32>) -> (tensor<1xf32>, tensor<1xi64>)
  return
}
