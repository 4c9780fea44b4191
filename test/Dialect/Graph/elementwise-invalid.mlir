// RUN: tenon-opt %s --split-input-file --verify-diagnostics

func.func @not_a_tensor(%x: f32) {
  // expected-error@+1 {{operand #0: expected a ranked tensor of an element type of the graph dialect, but got 'f32'}}
  %0 = graph.neg %x : f32
  return
}

// -----

func.func @unranked(%x: tensor<*xf32>) {
  // expected-error@+1 {{operand #0: expected a ranked tensor of an element type of the graph dialect, but got 'tensor<*xf32>'}}
  %0 = graph.neg %x : tensor<*xf32>
  return
}

// -----

func.func @element_type(%x: tensor<4xi16>) {
  // expected-error@+1 {{but got 'tensor<4xi16>'}}
  %0 = graph.add %x, %x : tensor<4xi16>
  return
}

// -----

func.func @float_op_of_integers(%x: tensor<4xi32>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type values, but got 'tensor<4xi32>'}}
  %0 = graph.exp %x : tensor<4xi32>
  return
}

// -----

func.func @erfinv_of_integers(%x: tensor<4xi32>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type values, but got 'tensor<4xi32>'}}
  %0 = graph.erfinv %x : tensor<4xi32>
  return
}

// -----

func.func @two_types(%x: tensor<4xf32>, %y: tensor<5xf32>) {
  // expected-error@+1 {{operands have one type}}
  %0 = "graph.add"(%x, %y) : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @result_type(%x: tensor<4xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<5xf32>'}}
  %0 = "graph.neg"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @predicate_type(%x: tensor<4xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{inferred type(s) 'tensor<4xi1>' are incompatible with return type(s) of operation 'tensor<4xf32>'}}
  %0 = "graph.less"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @cast_to(%x: tensor<4xf32>) {
  // expected-error@+1 {{to: expected one of f64, f32, f16, bf16, i64, i32, i8, ui8, i1, but got 'i16'}}
  %0 = graph.cast %x to i16 : tensor<4xf32>
  return
}

// -----

func.func @cast_to_nothing(%x: tensor<4xf32>) {
  // expected-error@+1 {{to: expected one of f64, f32, f16, bf16, i64, i32, i8, ui8, i1, but got '() -> ()'}}
  %0 = graph.cast %x to () -> () : tensor<4xf32>
  return
}

// -----

func.func @where_shapes(%c: tensor<4xi1>, %x: tensor<5xf32>) {
  // expected-error@+1 {{operand: expected shape [4] like the first operand, but got [5]}}
  %0 = graph.where %c, %x, %x : tensor<4xi1>, tensor<5xf32>, tensor<5xf32>
  return
}

// -----

func.func @where_symbols(%c: tensor<?xi1, #graph.dims<n>>, %x: tensor<?xf32, #graph.dims<n + 1>>) {
  // expected-error@+1 {{operand: expected shape [n] like the first operand, but got [n + 1]}}
  %0 = graph.where %c, %x, %x : tensor<?xi1, #graph.dims<n>>, tensor<?xf32, #graph.dims<n + 1>>, tensor<?xf32, #graph.dims<n + 1>>
  return
}

// -----

func.func @where_elements(%c: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf64>) {
  // expected-error@+1 {{otherwise: expected elements of type 'f32', but got 'f64'}}
  %0 = graph.where %c, %x, %y : tensor<4xi1>, tensor<4xf32>, tensor<4xf64>
  return
}

// -----

func.func @clip_without_high(%x: tensor<4xf32>) {
  // expected-error@+1 {{requires attribute 'high'}}
  %0 = "graph.clip"(%x) <{low = 0.0 : f64}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @random_bits(%x: tensor<4xi32>) {
  // expected-error@+1 {{'lhs' must be ranked tensor of 64-bit signless integer values, but got 'tensor<4xi32>'}}
  %0 = graph.random_bits %x, %x : tensor<4xi32>
  return
}
