// RUN: tenon-opt %s --graph-functionalize-state --split-input-file --verify-diagnostics

graph.state @s : tensor<2xf32>
func.func @both(%s: tensor<2xf32> {graph.state = @s}) -> tensor<2xf32> {
  // expected-error@+1 {{expected a function without arguments of states, but got @both}}
  %0 = graph.read_state @s : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

graph.state @s : tensor<2xf32>
func.func @blocks(%x: tensor<2xf32>) {
  return
^bb1:
  // expected-error@+1 {{expected a function of one block, but got 2 blocks}}
  graph.write_state @s, %x : tensor<2xf32>
  return
}
