// RUN: tenon-opt %s --graph-to-gpu --split-input-file --verify-diagnostics

func.func @matmul(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{expected an elementwise op of the result's shape, but got 'graph.matmul'}}
  %0 = graph.matmul %x, %x : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// expected-error @+1 {{expected argument 1 of the result's shape, but got 'tensor<4xf32>' for 'tensor<4x4xf32>'}}
func.func @shape(%x: tensor<4x4xf32>, %y: tensor<4xf32>) -> tensor<4x4xf32> {
  %0 = graph.neg %x : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// expected-error @+1 {{expected one block and one result, but got 1 and 2}}
func.func @results(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  return %x, %x : tensor<4xf32>, tensor<4xf32>
}
