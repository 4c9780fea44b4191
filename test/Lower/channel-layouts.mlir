// Resizes and norms of groups, which take the layout of the convolutions beside
// them, compute what they mean.
// REQUIRES: avx2
// REQUIRES: slow
// RUN: split-file %s %t

// DEFINE: %{name} =
// DEFINE: %{inputs} = --input random:1
// DEFINE: %{check} = tenon-interpret %t/%{name}.mlir --params random:3 %{inputs} --output @%t/y.npy && \
// DEFINE:   tenon-compile %t/%{name}.mlir -o %t/%{name}.so && \
// DEFINE:   tenon-run %t/%{name}.so --params random:3 %{inputs} --atol 1e-5 --rtol 1e-5 --expect @%t/y.npy --threads 3

// REDEFINE: %{name} = linear
// RUN: %{check}
// REDEFINE: %{name} = cubic
// RUN: %{check}
// REDEFINE: %{name} = nearest
// RUN: %{check}
// Positions are not computed for each channel.
// RUN: tenon-compile %t/%{name}.mlir --stop-after=place -o - | FileCheck %s
// CHECK: kernel.call "cpu" "sigmoid+transpose+resize"
// CHECK: kernel.call "cpu" "transpose"
// REDEFINE: %{name} = volume
// RUN: %{check}
// REDEFINE: %{name} = outside
// RUN: %{check}
// The resize of rows does not read across its input.
// REDEFINE: %{name} = rows
// RUN: %{check}
// RUN: tenon-compile %t/rows.mlir --stop-after=place -o - | FileCheck %s --check-prefix=ROWS
// ROWS: kernel.call "cpu" "{{.*}}transpose"(
// ROWS: kernel.call "cpu" "resize"(
// REDEFINE: %{name} = channel
// RUN: %{check}
// REDEFINE: %{name} = shrinks
// RUN: %{check}
// REDEFINE: %{name} = norms
// RUN: %{check}
// REDEFINE: %{name} = dynamic
// REDEFINE: %{inputs} = --input random:1:3x12x5x7
// RUN: %{check}
// REDEFINE: %{inputs} = --input random:1:1x12x1x1
// RUN: %{check}

//--- linear.mlir
func.func @main(%x: tensor<2x9x13x11xf32> {graph.name = "x"}) -> (tensor<2x9x26x19xf32> {graph.name = "y"}) {
  %0 = graph.sigmoid %x : tensor<2x9x13x11xf32>
  %1 = graph.resize %0 shape = [2, 9, 26, 19] scales = [1.0, 1.0, 2.0, 1.75] linear half_pixel floor cubic_coeff = -7.5e-01 : (tensor<2x9x13x11xf32>) -> tensor<2x9x26x19xf32>
  return %1 : tensor<2x9x26x19xf32>
}
//--- cubic.mlir
func.func @main(%x: tensor<1x9x7x11xf32> {graph.name = "x"}) -> (tensor<1x9x26x5xf32> {graph.name = "y"}) {
  %1 = graph.resize %x shape = [1, 9, 26, 5] scales = [1.0, 1.0, 3.75, 0.5] cubic align_corners floor cubic_coeff = -7.5e-01 : (tensor<1x9x7x11xf32>) -> tensor<1x9x26x5xf32>
  return %1 : tensor<1x9x26x5xf32>
}
//--- nearest.mlir
func.func @main(%x: tensor<1x9x7x11xf32> {graph.name = "x"}) -> (tensor<1x9x14x27xf32> {graph.name = "y"}) {
  %0 = graph.sigmoid %x : tensor<1x9x7x11xf32>
  %1 = graph.resize %0 shape = [1, 9, 14, 27] scales = [1.0, 1.0, 2.0, 2.5] nearest half_pixel round_prefer_floor cubic_coeff = -7.5e-01 : (tensor<1x9x7x11xf32>) -> tensor<1x9x14x27xf32>
  return %1 : tensor<1x9x14x27xf32>
}
//--- volume.mlir
func.func @main(%x: tensor<1x3x4x5x6xf32> {graph.name = "x"}) -> (tensor<1x3x8x5x9xf32> {graph.name = "y"}) {
  %1 = graph.resize %x shape = [1, 3, 8, 5, 9] scales = [1.0, 1.0, 2.0, 1.0, 1.5] linear pytorch_half_pixel floor cubic_coeff = -7.5e-01 : (tensor<1x3x4x5x6xf32>) -> tensor<1x3x8x5x9xf32>
  return %1 : tensor<1x3x8x5x9xf32>
}
//--- outside.mlir
func.func @main(%x: tensor<1x5x7x11xf32> {graph.name = "x"}) -> (tensor<1x5x14x22xf32> {graph.name = "y"}) {
  %1 = graph.resize %x shape = [1, 5, 14, 22] scales = [1.0, 1.0, 2.0, 2.0] cubic half_pixel floor cubic_coeff = -5.0e-01 exclude_outside : (tensor<1x5x7x11xf32>) -> tensor<1x5x14x22xf32>
  return %1 : tensor<1x5x14x22xf32>
}
//--- rows.mlir
func.func @main(%x: tensor<2x21x7x9xf32> {graph.name = "x"}) -> (tensor<2x21x56x72xf32> {graph.name = "y"}) {
  %1 = graph.resize %x shape = [2, 21, 56, 72] scales = [1.0, 1.0, 8.0, 8.0] linear half_pixel floor cubic_coeff = -7.5e-01 : (tensor<2x21x7x9xf32>) -> tensor<2x21x56x72xf32>
  return %1 : tensor<2x21x56x72xf32>
}
//--- channel.mlir
func.func @main(%x: tensor<2x1x7x9x5xf32> {graph.name = "x"}) -> (tensor<2x1x9x31x5xf32> {graph.name = "y"}) {
  %0 = graph.exp %x : tensor<2x1x7x9x5xf32>
  %1 = graph.resize %0 shape = [2, 1, 9, 31, 5] scales = [1.0, 1.0, 1.3, 3.5, 1.0] cubic half_pixel_symmetric floor cubic_coeff = -5.0e-01 exclude_outside : (tensor<2x1x7x9x5xf32>) -> tensor<2x1x9x31x5xf32>
  return %1 : tensor<2x1x9x31x5xf32>
}
//--- shrinks.mlir
func.func @main(%x: tensor<1x1x7x64xf32> {graph.name = "x"}) -> (tensor<1x1x21x16xf32> {graph.name = "y"}) {
  %1 = graph.resize %x shape = [1, 1, 21, 16] scales = [1.0, 1.0, 3.0, 0.25] linear asymmetric floor cubic_coeff = -7.5e-01 : (tensor<1x1x7x64xf32>) -> tensor<1x1x21x16xf32>
  return %1 : tensor<1x1x21x16xf32>
}
//--- norms.mlir
!x = tensor<2x12x5x7xf32>
func.func @main(%x: !x {graph.name = "x"}) -> (!x {graph.name = "y"}) {
  %v = graph.parameter @v : tensor<12x12x1x1xf32>
  %s = graph.parameter @s : tensor<12xf32>
  %b = graph.parameter @b : tensor<12xf32>
  %0 = graph.conv %x, %v strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] groups = 1 channels_first : (!x, tensor<12x12x1x1xf32>) -> !x
  %1 = graph.group_norm %0, %s, %b groups = 3 epsilon = 1.0e-5 : (!x, tensor<12xf32>, tensor<12xf32>) -> !x
  %2 = graph.conv %1, %v strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] groups = 1 channels_first : (!x, tensor<12x12x1x1xf32>) -> !x
  %3 = graph.instance_norm %2, %s, %b epsilon = 1.0e-3 : (!x, tensor<12xf32>, tensor<12xf32>) -> !x
  %4 = graph.conv %3, %v strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] groups = 1 channels_first : (!x, tensor<12x12x1x1xf32>) -> !x
  %5 = graph.group_norm %4, %s, %b groups = 1 epsilon = 1.0e-5 : (!x, tensor<12xf32>, tensor<12xf32>) -> !x
  return %5 : !x
}
//--- dynamic.mlir
!x = tensor<?x12x?x?xf32, #graph.dims<n, 12, h, w>>
!g = tensor<?x4x?xf32, #graph.dims<n, 4, 3 * h * w>>
func.func @main(%x: !x {graph.name = "x"}) -> (!x {graph.name = "y"}) {
  %v = graph.parameter @v : tensor<12x12x1x1xf32>
  %one = graph.constant dense<1.0> : tensor<4xf32>
  %zero = graph.constant dense<0.0> : tensor<4xf32>
  %0 = graph.conv %x, %v strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] groups = 1 channels_first : (!x, tensor<12x12x1x1xf32>) -> !x
  %1 = graph.reshape %0 shape = [n, 4, 3 * h * w] : (!x) -> !g
  %2 = graph.instance_norm %1, %one, %zero epsilon = 1.0e-2 : (!g, tensor<4xf32>, tensor<4xf32>) -> !g
  %3 = graph.reshape %2 shape = [n, 12, h, w] : (!g) -> !x
  return %3 : !x
}
