// Weights: drawn from a seed as the run time does, or missing.
// RUN: tenon-interpret %s --params random:7 --input random:1:2x3 | FileCheck %s
// RUN: not tenon-interpret %s --input random:1:2x3 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not tenon-interpret %s --params @%t.missing.safetensors --input random:1:2x3 2>&1 | FileCheck %s --check-prefix=MISSING

func.func @main(%x: tensor<2x3xf32> {graph.name = "x"}) -> (tensor<2x3xf32> {graph.name = "y"}) {
  %w = graph.parameter @w : tensor<2x3xf32>
  %0 = graph.add %x, %w : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK: y = f32 2x3 [
// NONE: params.mlir:7:8: error: {{.*}}expected weights for 'w', but no weights were given
// MISSING: error: {{.*}}missing.safetensors
