// RUN: tenon-opt %s --graph-set-precision=precision=f16 -split-input-file -verify-diagnostics
// RUN: not tenon-opt %s --graph-set-precision=precision=f8 -split-input-file 2>&1 | FileCheck %s
// RUN: not tenon-opt %s --graph-set-precision=precision=f32 -split-input-file 2>&1 | FileCheck %s --check-prefix=WIDE

// CHECK: for the --precision option: expected f32, tf32, f16 or bf16, but got 'f8'
// WIDE: error: graph-set-precision: expected the precision f16 or bf16, but got 'f32'

func.func @foreign(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'arith.addf' op can't be given a precision: expected an op of the graph dialect without regions}}
  %0 = arith.addf %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @placed(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'kernel.call' op can't be given a precision}}
  %0 = kernel.call "cpu" "relu" (%x) {
  ^bb0(%a: tensor<4xf32>):
    %1 = graph.relu %a : tensor<4xf32>
    kernel.yield %1 : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

graph.state @s : tensor<4xf32>
func.func @effects() -> tensor<4xf32> {
  // expected-error @+1 {{'graph.read_state' op can't be given a precision: run --graph-functionalize-state first}}
  %0 = graph.read_state @s : tensor<4xf32>
  return %0 : tensor<4xf32>
}
