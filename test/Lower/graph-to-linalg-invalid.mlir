// RUN: tenon-opt %s --graph-to-linalg --split-input-file --verify-diagnostics

func.func @composite(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{'graph.softmax' op is a composite: run --graph-decompose first}}
  %0 = graph.softmax %x axis = 1 : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @opaque(%x: tensor<4xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{'graph.top_k' op has no index form, so that linalg can't express it}}
  %0, %1 = graph.top_k %x axis = 0 k = 2 : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi64>)
  return %0 : tensor<2xf32>
}

// -----

func.func @unbound(%x: tensor<?xf32, #graph.dims<2 * n>>) -> tensor<?xf32, #graph.dims<2 * n>> {
  // expected-error @+1 {{has a size, '2 * n', that no argument's shape gives}}
  %0 = graph.relu %x : tensor<?xf32, #graph.dims<2 * n>>
  return %0 : tensor<?xf32, #graph.dims<2 * n>>
}
