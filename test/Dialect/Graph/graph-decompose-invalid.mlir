// RUN: not tenon-opt %s --graph-decompose=ops=softmax,add 2>&1 | FileCheck %s --check-prefix=ADD
// RUN: not tenon-opt %s --graph-decompose=ops=nothing 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: tenon-opt %s --graph-decompose --split-input-file --verify-diagnostics

// ADD: graph-decompose: expected names of composite ops, but got 'add'
// NOTHING: graph-decompose: expected names of composite ops, but got 'nothing'

func.func @no_name(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // expected-error@+1 {{can't be decomposed: expected named sizes and constant axes}}
  %0 = graph.softmax %x axis = 1 : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

func.func @open_axis(%x: tensor<2x4xf32>) -> tensor<?xf32> {
  // expected-error@+1 {{can't be decomposed: expected named sizes and constant axes}}
  %0 = graph.reduce_mean %x axes = [a] : (tensor<2x4xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
