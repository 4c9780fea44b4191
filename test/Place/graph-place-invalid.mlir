// RUN: tenon-opt %s --graph-place --split-input-file --verify-diagnostics
// RUN: not tenon-opt %S/Inputs/pins.mlir --graph-place=pins=matmul=gpu 2>&1 | FileCheck %s --check-prefix=BACKEND
// RUN: not tenon-opt %S/Inputs/pins.mlir --graph-place=pins=conv=cpu 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not tenon-opt %S/Inputs/pins.mlir --graph-place=pins=exp=onednn 2>&1 | FileCheck %s --check-prefix=ABLE
// RUN: not tenon-opt %S/Inputs/pins.mlir --graph-place=without=gpu 2>&1 | FileCheck %s --check-prefix=WITHOUT
// RUN: not tenon-opt %S/Inputs/pins.mlir --graph-place=without=cpu 2>&1 | FileCheck %s --check-prefix=CPU-NEEDED
// RUN: not tenon-opt %S/Inputs/pins.mlir --graph-place=plan=all:gpu 2>&1 | FileCheck %s --check-prefix=PLAN
// RUN: not tenon-opt %S/Inputs/pins.mlir --graph-place=costs=none.json 2>&1 | FileCheck %s --check-prefix=COSTS
// RUN: not tenon-opt %S/Inputs/pins.mlir --graph-place=profile=none 2>&1 | FileCheck %s --check-prefix=PROFILE
// RUN: tenon-opt %S/Inputs/pins.mlir --graph-place=pins=matmul=cpu | FileCheck %s --check-prefix=CPU
// RUN: tenon-opt %S/Inputs/pins.mlir --graph-place | FileCheck %s --check-prefix=FREE

// BACKEND: unknown backend 'gpu' in pin 'matmul=gpu'
// NAME: pin 'conv=cpu' names no op of the model
// ABLE: pin 'exp=onednn': onednn can't run this op
// WITHOUT: unknown backend 'gpu' to be left out; expected one of cpu, onednn
// CPU-NEEDED: 'cpu' can't be left out: it runs what no library takes
// PLAN: expected the plan 'mixed', or 'all:' and one of cpu, onednn{{.*}}, but got 'all:gpu'
// COSTS: graph-place: {{.*}}none.json
// PROFILE: graph-place: no device profile 'none'
// CPU-NOT: onednn
// FREE: onednn

func.func @composite(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{'graph.softmax' op is a composite: run --graph-decompose first}}
  %0 = graph.softmax %x axis = 1 : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

graph.state @s : tensor<4xf32>
func.func @effects(%x: tensor<4xf32>) {
  // expected-error @+1 {{accesses a state: run --graph-functionalize-state first}}
  graph.write_state @s, %x : tensor<4xf32>
  return
}
