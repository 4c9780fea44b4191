// A module becomes an ONNX model, which reads back as the same graph; what ONNX
// lacks is decomposed, and broadcasts are left to the operators.
//
// RUN: split-file %s %t
// RUN: tenon-import %t/same.mlir --emit=onnx -o %t/same.onnx
// RUN: tenon-import %t/same.onnx -o - | FileCheck %s --check-prefix=SAME
// RUN: tenon-import %t/foreign.mlir --emit=onnx -o %t/foreign.onnx
// RUN: tenon-import %t/foreign.onnx -o - | FileCheck %s --check-prefix=FOREIGN
// RUN: tenon-import %t/dynamic.mlir --emit=onnx -o %t/dynamic.onnx
// RUN: tenon-import %t/dynamic.onnx -o - | FileCheck %s --check-prefix=DYNAMIC
// RUN: not tenon-import %t/none.mlir --emit=onnx -o %t/none.onnx 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not tenon-import %t/weights.mlir --emit=onnx -o %t/w.onnx 2>&1 | FileCheck %s --check-prefix=WEIGHTS
// RUN: not tenon-import %t/state.mlir --emit=onnx -o %t/state.onnx 2>&1 | FileCheck %s --check-prefix=STATE
// RUN: not tenon-import %t/entries.mlir --emit=onnx -o %t/entries.onnx 2>&1 | FileCheck %s --check-prefix=ENTRIES
// RUN: not tenon-import %t/same.mlir --emit=onnx -o %t/no/such.onnx 2>&1 | FileCheck %s --check-prefix=FOLDER

//--- same.mlir
// SAME: func.func @main(%{{.*}}: tensor<1x3x8x8xf32> {graph.name = "image"}
// SAME-SAME: -> (tensor<1x8x4x4xf32> {graph.name = "y"}, tensor<1x8xf32> {graph.name = "top"}
// SAME: graph.conv {{.*}} strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1
// SAME: graph.add
// SAME: graph.clip {{.*}} low = 0.000000e+00, high = 6.000000e+00
// SAME: graph.max_pool {{.*}} kernel = [2, 2] strides = [2, 2]
// SAME: graph.reduce_max {{.*}} axes = [2, 3]
func.func @main(%x: tensor<1x3x8x8xf32> {graph.name = "image"}, %w: tensor<8x3x3x3xf32>, %b: tensor<8x1x1xf32>) -> (tensor<1x8x4x4xf32> {graph.name = "y"}, tensor<1x8xf32> {graph.name = "top"}) {
  %0 = graph.conv %x, %w strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_first : (tensor<1x3x8x8xf32>, tensor<8x3x3x3xf32>) -> tensor<1x8x8x8xf32>
  %1 = graph.broadcast %b shape = [1, 8, 8, 8] : (tensor<8x1x1xf32>) -> tensor<1x8x8x8xf32>
  %2 = graph.add %0, %1 : tensor<1x8x8x8xf32>
  %3 = graph.clip %2 low = 0.0, high = 6.0 : tensor<1x8x8x8xf32>
  %4 = graph.max_pool %3 kernel = [2, 2] strides = [2, 2] pads = [0, 0, 0, 0] dilations = [1, 1] channels_first : (tensor<1x8x8x8xf32>) -> tensor<1x8x4x4xf32>
  %5 = graph.reduce_max %4 axes = [2, 3] : (tensor<1x8x4x4xf32>) -> tensor<1x8xf32>
  return %4, %5 : tensor<1x8x4x4xf32>, tensor<1x8xf32>
}

//--- foreign.mlir
// FOREIGN-NOT: graph.rms_norm
// FOREIGN: graph.reduce_mean
// FOREIGN: graph.conv {{.*}} channels_first
func.func @main(%x: tensor<2x8x8x3xf32>, %s: tensor<3xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<2x6x6x4xf32> {
  %0 = graph.rms_norm %x, %s axis = 3 epsilon = 1.0e-5 : (tensor<2x8x8x3xf32>, tensor<3xf32>) -> tensor<2x8x8x3xf32>
  %1 = graph.conv %0, %w strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] groups = 1 channels_last : (tensor<2x8x8x3xf32>, tensor<4x3x3x3xf32>) -> tensor<2x6x6x4xf32>
  return %1 : tensor<2x6x6x4xf32>
}

//--- dynamic.mlir
// DYNAMIC: graph.reshape {{.*}} shape = [n * s, 8]
// DYNAMIC: graph.slice {{.*}} sizes = [((n * s) floordiv (2)), 8]
func.func @main(%x: tensor<?x?x8xf32, #graph.dims<n, s, 8>>) -> tensor<?x8xf32, #graph.dims<(n * s) floordiv 2, 8>> {
  %0 = graph.reshape %x shape = [n * s, 8] : (tensor<?x?x8xf32, #graph.dims<n, s, 8>>) -> tensor<?x8xf32, #graph.dims<n * s, 8>>
  %1 = graph.slice %0 starts = [0, 0] sizes = [(n * s) floordiv 2, 8] steps = [1, 1] : (tensor<?x8xf32, #graph.dims<n * s, 8>>) -> tensor<?x8xf32, #graph.dims<(n * s) floordiv 2, 8>>
  return %1 : tensor<?x8xf32, #graph.dims<(n * s) floordiv 2, 8>>
}

//--- none.mlir
// NONE: error: 'graph.cumprod' op has no ONNX operator
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = graph.cumprod %x axis = 0 : tensor<8xf32>
  return %0 : tensor<8xf32>
}

//--- state.mlir
// STATE: state.mlir:2:1: error: 'graph.state' op 's' can't be expressed in ONNX
graph.state @s : tensor<8xf32>
func.func @main(%s: tensor<8xf32> {graph.state = @s}) -> tensor<8xf32> {
  return %s : tensor<8xf32>
}

//--- entries.mlir
// ENTRIES: error: expected one entry, which an ONNX model has, but got @other besides @main
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}
func.func private @helper(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}
func.func @other(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}

//--- weights.mlir
// WEIGHTS: error: {{.*}}weights.safetensors
module attributes {graph.params = "weights.safetensors"} {
  func.func @main() -> tensor<8xf32> {
    %0 = graph.parameter @w : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// FOLDER: error: can't write '{{.*}}such.onnx': No such file or directory
