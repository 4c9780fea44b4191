// RUN: tenon-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{expected a static shape without an encoding, but got 'tensor<?xf32>'}}
graph.state @s : tensor<?xf32>

// -----

// expected-error@+1 {{expected a static shape without an encoding, but got}}
graph.state @s : tensor<2xf32, #graph.dims<2>>

// -----

// expected-error@+1 {{expected a ranked tensor, but got 'tensor<*xf32>'}}
graph.state @s : tensor<*xf32> = dense<0.0>

// -----

// expected-error@+1 {{failed to satisfy constraint: type attribute of}}
graph.state @s : tensor<2xi16>

// -----

// expected-error@+1 {{failed to satisfy constraint: type attribute of}}
graph.state @s : f32

// -----

// expected-error@+1 {{expected a name in UTF-8 without NUL other than '__metadata__', but got ''}}
graph.state @"" : tensor<2xf32>

// -----

// expected-error@+1 {{but got '__metadata__'}}
graph.state @__metadata__ : tensor<2xf32>

// -----

// expected-error@+1 {{expected a name in UTF-8}}
graph.state @"a\FF" : tensor<2xf32>

// -----

// expected-error@+1 {{expected a name in UTF-8 without NUL}}
graph.state @"a\00b" : tensor<2xf32>

// -----

// expected-error@+1 {{expected a value of type 'tensor<2xf32>', but got 'tensor<3xf32>'}}
"graph.state"() {sym_name = "s", type = tensor<2xf32>, value = dense<0.0> : tensor<3xf32>} : () -> ()

// -----

// expected-error@+1 {{expected dense elements as its value, but got sparse}}
graph.state @s : tensor<2xf32> = sparse<0, 1.0>

// -----

// expected-note@+1 {{see existing symbol definition here}}
graph.state @s : tensor<2xf32>
// expected-error@+1 {{redefinition of symbol named 's'}}
graph.state @s : tensor<2xf32>

// -----

func.func @main() {
  // expected-error@+1 {{expects parent op 'builtin.module'}}
  graph.state @s : tensor<2xf32>
  return
}

// -----

func.func @main() -> tensor<2xf32> {
  // expected-error@+1 {{expected the name of a graph.state, but got @s}}
  %0 = graph.read_state @s : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @main(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected the name of a graph.state, but got @main}}
  graph.write_state @main, %x : tensor<2xf32>
  return
}

// -----

graph.state @s : tensor<3xf32>
func.func @main() -> tensor<2xf32> {
  // expected-error@+1 {{state @s has type 'tensor<3xf32>', but got 'tensor<2xf32>'}}
  %0 = graph.read_state @s : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

graph.state @s : tensor<3xf32>
func.func @main(%x: tensor<?xf32>) {
  // expected-error@+1 {{state @s has type 'tensor<3xf32>', but got 'tensor<?xf32>'}}
  graph.write_state @s, %x : tensor<?xf32>
  return
}

// -----

graph.state @s : tensor<3xf32>
func.func private @main(%x: tensor<3xf32>) {
  // expected-error@+1 {{expected to be in the body of a public function}}
  graph.write_state @s, %x : tensor<3xf32>
  return
}

// -----

graph.state @s : tensor<3xf32>
// expected-error@+1 {{expected to be in the body of a public function}}
%0 = graph.read_state @s : tensor<3xf32>

// -----

// expected-error@+1 {{'graph.state' of argument 0 must be the symbol of a state, but got "s"}}
func.func private @kind(tensor<2xf32> {graph.state = "s"})

// -----

// expected-error@+1 {{'graph.state' of argument 0: expected the name of a graph.state, but got @s}}
func.func private @missing(tensor<2xf32> {graph.state = @s})

// -----

graph.state @s : tensor<3xf32>
// expected-error@+1 {{'graph.state' of argument 0: state @s has type 'tensor<3xf32>', but got 'tensor<2xf32>'}}
func.func private @type(tensor<2xf32> {graph.state = @s})

// -----

graph.state @s : tensor<2xf32>
// expected-error@+1 {{'graph.state' of argument 0: expected it after all arguments without the attribute}}
func.func private @order(tensor<2xf32> {graph.state = @s}, tensor<2xf32>)

// -----

graph.state @s : tensor<2xf32>
// expected-error@+1 {{arguments 0 and 1 are both state @s}}
func.func private @twice(tensor<2xf32> {graph.state = @s}, tensor<2xf32> {graph.state = @s})

// -----

// expected-error@+1 {{'graph.state' of result 0 must be the symbol of a state, but got 1 : i64}}
func.func private @result_kind() -> (tensor<2xf32> {graph.state = 1 : i64})

// -----

graph.state @s : tensor<2xf32>
// expected-error@+1 {{'graph.state' of result 0: expected an argument of state @s as well}}
func.func private @result_alone() -> (tensor<2xf32> {graph.state = @s})

// -----

graph.state @s : tensor<2xf32>
// expected-error@+1 {{'graph.state' of result 0: state @s has type 'tensor<2xf32>', but got 'tensor<3xf32>'}}
func.func private @result_type(tensor<2xf32> {graph.state = @s}) -> (tensor<3xf32> {graph.state = @s})

// -----

graph.state @s : tensor<2xf32>
// expected-error@+1 {{'graph.state' of result 0: expected it after all results without the attribute}}
func.func private @result_order(tensor<2xf32> {graph.state = @s}) -> (tensor<2xf32> {graph.state = @s}, tensor<2xf32>)

// -----

graph.state @s : tensor<2xf32>
// expected-error@+1 {{results 0 and 1 are both state @s}}
func.func private @result_twice(tensor<2xf32> {graph.state = @s}) -> (tensor<2xf32> {graph.state = @s}, tensor<2xf32> {graph.state = @s})

// -----

// expected-error @+1 {{'graph.state' op expected at most 2^48 bytes, but got 'tensor<1152921504606846976x8xf32>'}}
graph.state @a : tensor<1152921504606846976x8xf32>

// -----

// expected-error @+1 {{'graph.state' op expected a value or the name of a weight, but got both}}
"graph.state"() {sym_name = "s", type = tensor<2xf32>, value = dense<0.0> : tensor<2xf32>, parameter = @w} : () -> ()

// -----

// expected-error @+1 {{'graph.state' op expected the name of a weight, but got none}}
graph.state @s : tensor<2xf32> = @""
