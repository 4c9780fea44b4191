// RUN: tenon-opt %s --split-input-file --verify-diagnostics

func.func @rank(%a: tensor<5xf32>, %b: tensor<5x6xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected operands of rank 2 or more, but got ranks 1 and 2}}
  %0 = graph.matmul %a, %b : (tensor<5xf32>, tensor<5x6xf32>) -> tensor<6xf32>
  return
}

// -----

func.func @contracted(%a: tensor<4x5xf32>, %b: tensor<6x5xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{contracted size of rhs: expected 5, but got 6}}
  %0 = graph.matmul %a, %b : (tensor<4x5xf32>, tensor<6x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @contracted_transposed(%a: tensor<4x5xf32>, %b: tensor<5x6xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{contracted size of rhs: expected 5, but got 6}}
  %0 = graph.matmul %a, %b transpose_b : (tensor<4x5xf32>, tensor<5x6xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @batches(%a: tensor<2x4x5xf32>, %b: tensor<3x5x6xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{size of rhs's batch axis 0: expected 2, but got 3}}
  %0 = graph.matmul %a, %b : (tensor<2x4x5xf32>, tensor<3x5x6xf32>) -> tensor<3x4x6xf32>
  return
}

// -----

func.func @elements(%a: tensor<4x5xf32>, %b: tensor<5x6xf64>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected rhs of the element type of lhs, 'f32', but got 'f64'}}
  %0 = graph.matmul %a, %b : (tensor<4x5xf32>, tensor<5x6xf64>) -> tensor<4x6xf32>
  return
}

// -----

func.func @result(%a: tensor<4x5xf32>, %b: tensor<5x6xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{inferred type(s) 'tensor<4x6xf32>' are incompatible with return type(s) of operation 'tensor<4x7xf32>'}}
  %0 = graph.matmul %a, %b : (tensor<4x5xf32>, tensor<5x6xf32>) -> tensor<4x7xf32>
  return
}
