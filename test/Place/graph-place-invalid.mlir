// RUN: tenon-opt %s --graph-place --split-input-file --verify-diagnostics
// RUN: not tenon-opt %S/Inputs/pins.mlir --graph-place=pins=matmul=gpu 2>&1 | FileCheck %s --check-prefix=BACKEND
// RUN: not tenon-opt %S/Inputs/pins.mlir --graph-place=pins=conv=cpu 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not tenon-opt %S/Inputs/pins.mlir --graph-place=pins=relu=onednn 2>&1 | FileCheck %s --check-prefix=ABLE
// RUN: tenon-opt %S/Inputs/pins.mlir --graph-place=pins=matmul=cpu | FileCheck %s --check-prefix=CPU
// RUN: tenon-opt %S/Inputs/pins.mlir --graph-place | FileCheck %s --check-prefix=FREE

// BACKEND: unknown backend 'gpu' in pin 'matmul=gpu'
// NAME: pin 'conv=cpu' names no op of the model
// ABLE: pin 'relu=onednn': onednn can't run this op
// CPU-NOT: onednn
// FREE: onednn

func.func @composite(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{'graph.softmax' op is a composite: run --graph-decompose first}}
  %0 = graph.softmax %x axis = 1 : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
