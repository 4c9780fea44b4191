// RUN: not tenon-opt --graph-differentiate=function=none %s 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not tenon-opt --graph-differentiate=of=3 %s 2>&1 | FileCheck %s --check-prefix=OF
// RUN: not tenon-opt --graph-differentiate=of=1 %s 2>&1 | FileCheck %s --check-prefix=INTEGER
// RUN: not tenon-opt --graph-differentiate=wrt=x,v %s 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not tenon-opt --graph-differentiate=wrt=unused %s 2>&1 | FileCheck %s --check-prefix=UNUSED
// RUN: not tenon-opt --graph-differentiate=function=path %s 2>&1 | FileCheck %s --check-prefix=PATH
// RUN: not tenon-opt --graph-differentiate=function=unnamed %s 2>&1 | FileCheck %s --check-prefix=UNNAMED
// RUN: not tenon-opt --graph-differentiate=function=taken %s 2>&1 | FileCheck %s --check-prefix=TAKEN

// RUN: not tenon-opt --graph-differentiate=wrt=x,w,x %s 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not tenon-opt --graph-differentiate=function=through_state %s 2>&1 | FileCheck %s --check-prefix=STATE
// RUN: not tenon-opt "--graph-differentiate=function=through_state split" %s 2>&1 | FileCheck %s --check-prefix=SPLIT

// FUNCTION: error: graph-differentiate: function: expected the name of a function with a body, but got 'none'
// OF: errors.mlir:[[#@LINE+5]]:1: error: graph-differentiate: of: expected the number of a result of 'main', below 2, but got 3
// INTEGER: errors.mlir:[[#@LINE+4]]:1: error: graph-differentiate: of: expected a result of a floating-point type, but result #1 is of type 'tensor<2xi64>'
// NAME: errors.mlir:[[#@LINE+3]]:1: error: graph-differentiate: wrt: expected the name of a floating-point argument or parameter of 'main' (x, unused, w), but got 'v'
// TWICE: errors.mlir:[[#@LINE+2]]:1: error: graph-differentiate: wrt: 'x' is listed twice
// UNUSED: errors.mlir:[[#@LINE+1]]:1: error: graph-differentiate: result #0 does not depend on 'unused' in a differentiable way
func.func @main(%x: tensor<2xf32> {graph.name = "x"}, %y: tensor<2xf32> {graph.name = "unused"}, %i: tensor<2xi64>) -> (tensor<2xf32>, tensor<2xi64>) {
  %w = graph.parameter @w : tensor<2xf32>
  %0 = graph.mul %x, %w : tensor<2xf32>
  return %0, %i : tensor<2xf32>, tensor<2xi64>
}

func.func @path(%x: tensor<2xf32>, %i: tensor<2xi64>, %u: tensor<2xf32>) -> tensor<2xf32> {
  // PATH: errors.mlir:[[#@LINE+1]]:8: error: 'graph.scatter_elements' op has no derivative with respect to updates that are multiplied
  %0 = graph.scatter_elements %x, %i, %u axis = 0 mul : (tensor<2xf32>, tensor<2xi64>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

func.func @unnamed(%x: tensor<?xf32>) -> tensor<?xf32> {
  // UNNAMED: errors.mlir:[[#@LINE+1]]:8: error: 'graph.exp' op can't be differentiated: expected sizes that are numbers or have names
  %0 = graph.exp %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// TAKEN: errors.mlir:[[#@LINE+1]]:1: error: graph-differentiate: 'taken_gradient' exists already
func.func @taken(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
func.func @taken_gradient(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}

// The state carries the dependence.
graph.state @s : tensor<2xf32>
func.func @through_state(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = graph.exp %x : tensor<2xf32>
  // SPLIT: errors.mlir:[[#@LINE+1]]:3: error: 'graph.write_state' op can't be in a function that is split: its backward passes would run it again
  graph.write_state @s, %0 : tensor<2xf32>
  // STATE: errors.mlir:[[#@LINE+1]]:8: error: 'graph.read_state' op can't be differentiated: the state was written before by a value that depends on an argument or parameter
  %1 = graph.read_state @s : tensor<2xf32>
  return %1 : tensor<2xf32>
}

// An argument and a parameter of one name: the number names the argument.
// RUN: not tenon-opt "--graph-differentiate=function=both wrt=w" %s 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not tenon-opt "--graph-differentiate=function=both wrt=#0,x,#1" %s 2>&1 | FileCheck %s --check-prefix=AGAIN
// BOTH: errors.mlir:[[#@LINE+2]]:1: error: graph-differentiate: wrt: 'w' of 'both' is an argument and a parameter; the argument is also '#0'
// AGAIN: errors.mlir:[[#@LINE+1]]:1: error: graph-differentiate: wrt: '#1' is listed twice
func.func @both(%w: tensor<2xf32> {graph.name = "w"}, %x: tensor<2xf32> {graph.name = "x"}) -> tensor<2xf32> {
  %p = graph.parameter @w : tensor<2xf32>
  %0 = graph.mul %w, %p : tensor<2xf32>
  %1 = graph.mul %0, %x : tensor<2xf32>
  return %1 : tensor<2xf32>
}
