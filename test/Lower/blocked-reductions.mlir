// Generated convolutions, poolings and matmuls, whose results stay in
// registers: every way in which a load serves a vector of results, rows and
// pixels at the border, columns that fill no vector, sizes known at run time.
// REQUIRES: avx2
// REQUIRES: slow
// RUN: split-file %s %t

// DEFINE: %{name} =
// DEFINE: %{inputs} = --input random:1
// DEFINE: %{own} = --pin conv=cpu
// DEFINE: %{check} = tenon-interpret %t/%{name}.mlir --params random:3 %{inputs} --output @%t/y.npy && \
// DEFINE:   tenon-compile %t/%{name}.mlir %{own} -o %t/%{name}.so && \
// DEFINE:   tenon-run %t/%{name}.so --params random:3 %{inputs} --atol 1e-5 --rtol 1e-5 --expect @%t/y.npy --threads 3 && \
// DEFINE:   tenon-compile %t/%{name}.mlir %{own} --target=cpu:native -o %t/%{name}.so && \
// DEFINE:   tenon-run %t/%{name}.so --params random:3 %{inputs} --atol 1e-5 --rtol 1e-5 --expect @%t/y.npy

// The elements of a group come with one load and are permuted; the weights lie
// with their results side by side.
// REDEFINE: %{name} = groups-of-4
// RUN: %{check}
// RUN: tenon-compile %t/%{name}.mlir %{own} --stop-after=lower -o - | FileCheck %s
// CHECK-LABEL: llvm.func @k{{[0-9]+}}.rows
// CHECK: llvm.shufflevector %{{.*}}, %{{.*}} [0, 0, 0, 0, 4, 4, 4, 4] : vector<8xf32>
// CHECK: llvm.shufflevector %{{.*}}, %{{.*}} [3, 3, 3, 3, 7, 7, 7, 7] : vector<8xf32>

// REDEFINE: %{name} = groups-of-2-from-1
// RUN: %{check}
// REDEFINE: %{name} = groups-of-16
// RUN: %{check}
// REDEFINE: %{name} = groups-of-12
// RUN: %{check}
// REDEFINE: %{name} = depthwise
// RUN: %{check}
// REDEFINE: %{name} = dense
// RUN: %{check}
// REDEFINE: %{name} = average
// REDEFINE: %{own} = --pin avg_pool=cpu
// RUN: %{check}
// REDEFINE: %{name} = maximum
// REDEFINE: %{own} = --pin max_pool=cpu
// RUN: %{check}

// What a factor is bounded by stays in vectors, at the border too, and NaN goes
// through.
// REDEFINE: %{own} = --place=all:cpu --optimize=off
// REDEFINE: %{name} = bounded-rows
// RUN: %{check}
// REDEFINE: %{name} = bounded-point
// RUN: %{check}
// REDEFINE: %{name} = bounded-depthwise
// RUN: %{check}
// RUN: tenon-compile %t/%{name}.mlir %{own} --stop-after=place -o - | FileCheck %s --check-prefix=BOUNDED
// BOUNDED: kernel.call "cpu" "clip+conv"
// RUN: tenon-compile %t/%{name}.mlir %{own} --stop-after=lower -o - | FileCheck %s --check-prefix=MINIMUM
// MINIMUM: llvm.intr.minimum({{.*}}vector<8xf32>

// What a window reads of a concatenation is known by column: every part has
// loops of its own, in registers where it fills a vector, and none branches.
// REDEFINE: %{name} = joined
// REDEFINE: %{own} = --pin max_pool=cpu --optimize=off
// RUN: %{check}
// RUN: tenon-compile %t/%{name}.mlir --pin max_pool=cpu --optimize=off --stop-after=place -o - | FileCheck %s --check-prefix=JOINED
// JOINED: kernel.call "cpu" "slice+neg+concat+max_pool"
// RUN: tenon-compile %t/%{name}.mlir --pin max_pool=cpu --optimize=off --stop-after=lower -o - | FileCheck %s --check-prefix=VECTORS
// VECTORS: llvm.func @k{{[0-9]+}}.rows
// VECTORS: llvm.intr.maximum({{.*}}vector<8xf32>
// REDEFINE: %{name} = joined-averages
// REDEFINE: %{own} = --pin avg_pool=cpu --optimize=off
// RUN: %{check}
// REDEFINE: %{name} = joined-dynamic
// REDEFINE: %{own} = --pin max_pool=cpu --optimize=off
// REDEFINE: %{inputs} = --input random:1:1x9x5x16 --input random:2:1x9x5x19
// RUN: %{check}
// REDEFINE: %{inputs} = --input random:1
// REDEFINE: %{name} = joined-many
// RUN: %{check}
// Rows are not cut.
// REDEFINE: %{name} = joined-rows
// REDEFINE: %{own} = --optimize=off
// RUN: %{check}
// REDEFINE: %{name} = matmul
// REDEFINE: %{own} = --pin matmul=cpu
// REDEFINE: %{inputs} = --input random:1:5x7x9 --input random:2
// RUN: %{check}
// REDEFINE: %{name} = dynamic
// REDEFINE: %{own} = --pin conv=cpu
// REDEFINE: %{inputs} = --input random:1:2x16x11x13
// RUN: %{check}
// A single row: threads share its columns.
// REDEFINE: %{name} = vector
// REDEFINE: %{own} = --pin matmul=cpu
// REDEFINE: %{inputs} = --input random:1
// RUN: %{check}
// REDEFINE: %{name} = vector-nt
// RUN: %{check}

//--- bounded-depthwise.mlir
func.func @main(%x: tensor<1x5x7x24xf32>) -> tensor<1x5x7x24xf32> {
  %w = graph.parameter @w : tensor<24x1x3x3xf32>
  %l = graph.log %x : tensor<1x5x7x24xf32>
  %g = graph.optimization_barrier %l after %l : tensor<1x5x7x24xf32>, tensor<1x5x7x24xf32>
  %c = graph.clip %g low = -0.5, high = 0.25 : tensor<1x5x7x24xf32>
  %y = graph.conv %c, %w strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 24 channels_last : (tensor<1x5x7x24xf32>, tensor<24x1x3x3xf32>) -> tensor<1x5x7x24xf32>
  return %y : tensor<1x5x7x24xf32>
}

//--- bounded-point.mlir
func.func @main(%x: tensor<1x5x7x24xf32>) -> tensor<1x5x7x16xf32> {
  %v = graph.parameter @v : tensor<16x24x1x1xf32>
  %d = graph.clip %x low = 0.0, high = 0.5 : tensor<1x5x7x24xf32>
  %u = graph.conv %d, %v strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] groups = 1 channels_last : (tensor<1x5x7x24xf32>, tensor<16x24x1x1xf32>) -> tensor<1x5x7x16xf32>
  return %u : tensor<1x5x7x16xf32>
}

//--- bounded-rows.mlir
func.func @main(%z: tensor<9x20xf32>) -> tensor<9x19xf32> {
  %p = graph.parameter @p : tensor<20x19xf32>
  %r = graph.relu %z : tensor<9x20xf32>
  %m = graph.matmul %r, %p : (tensor<9x20xf32>, tensor<20x19xf32>) -> tensor<9x19xf32>
  return %m : tensor<9x19xf32>
}

//--- groups-of-4.mlir
func.func @main(%x: tensor<1x11x13x32xf32> {graph.name = "x"}) -> (tensor<1x11x13x32xf32> {graph.name = "y"}) {
  %w = graph.parameter @w : tensor<32x4x3x3xf32>
  %0 = graph.conv %x, %w strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 8 channels_last : (tensor<1x11x13x32xf32>, tensor<32x4x3x3xf32>) -> tensor<1x11x13x32xf32>
  %1 = graph.relu %0 : tensor<1x11x13x32xf32>
  return %1 : tensor<1x11x13x32xf32>
}
//--- groups-of-2-from-1.mlir
func.func @main(%x: tensor<2x20x9x9xf32> {graph.name = "x"}) -> (tensor<2x40x5x5xf32> {graph.name = "y"}) {
  %w = graph.parameter @w : tensor<40x1x3x3xf32>
  %0 = graph.conv %x, %w strides = [2, 2] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 20 channels_first : (tensor<2x20x9x9xf32>, tensor<40x1x3x3xf32>) -> tensor<2x40x5x5xf32>
  return %0 : tensor<2x40x5x5xf32>
}
//--- groups-of-16.mlir
func.func @main(%x: tensor<1x48x7x20xf32> {graph.name = "x"}) -> (tensor<1x48x7x18xf32> {graph.name = "y"}) {
  %w = graph.parameter @w : tensor<48x16x3x3xf32>
  %0 = graph.conv %x, %w strides = [1, 1] pads = [2, 1, 2, 1] dilations = [2, 2] groups = 3 channels_first : (tensor<1x48x7x20xf32>, tensor<48x16x3x3xf32>) -> tensor<1x48x7x18xf32>
  return %0 : tensor<1x48x7x18xf32>
}
//--- groups-of-12.mlir
func.func @main(%x: tensor<1x24x7x9xf32> {graph.name = "x"}) -> (tensor<1x24x7x9xf32> {graph.name = "y"}) {
  %w = graph.parameter @w : tensor<24x12x3x3xf32>
  %0 = graph.conv %x, %w strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 2 channels_first : (tensor<1x24x7x9xf32>, tensor<24x12x3x3xf32>) -> tensor<1x24x7x9xf32>
  return %0 : tensor<1x24x7x9xf32>
}
//--- depthwise.mlir
func.func @main(%x: tensor<1x70x9x21xf32> {graph.name = "x"}) -> (tensor<1x70x5x11xf32> {graph.name = "y"}) {
  %w = graph.parameter @w : tensor<70x1x5x5xf32>
  %0 = graph.conv %x, %w strides = [2, 2] pads = [2, 2, 2, 2] dilations = [1, 1] groups = 70 channels_first : (tensor<1x70x9x21xf32>, tensor<70x1x5x5xf32>) -> tensor<1x70x5x11xf32>
  return %0 : tensor<1x70x5x11xf32>
}
//--- dense.mlir
func.func @main(%x: tensor<1x3x12x12xf32> {graph.name = "x"}) -> (tensor<1x28x12x12xf32> {graph.name = "y"}) {
  %w = graph.parameter @w : tensor<28x3x3x3xf32>
  %0 = graph.conv %x, %w strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_first : (tensor<1x3x12x12xf32>, tensor<28x3x3x3xf32>) -> tensor<1x28x12x12xf32>
  return %0 : tensor<1x28x12x12xf32>
}
//--- average.mlir
func.func @main(%x: tensor<1x9x14x36xf32> {graph.name = "x"}) -> (tensor<1x9x14x36xf32> {graph.name = "y"}) {
  %0 = graph.avg_pool %x kernel = [3, 3] strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] channels_last : (tensor<1x9x14x36xf32>) -> tensor<1x9x14x36xf32>
  return %0 : tensor<1x9x14x36xf32>
}
//--- maximum.mlir
func.func @main(%x: tensor<1x9x14x36xf32> {graph.name = "x"}) -> (tensor<1x9x14x36xf32> {graph.name = "y"}) {
  %0 = graph.max_pool %x kernel = [3, 3] strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] channels_last : (tensor<1x9x14x36xf32>) -> tensor<1x9x14x36xf32>
  return %0 : tensor<1x9x14x36xf32>
}
//--- matmul.mlir
func.func @main(%x: tensor<?x7x9xf64, #graph.dims<n, 7, 9>> {graph.name = "x"}, %z: tensor<9x21xf64> {graph.name = "z"}) -> (tensor<?x7x21xf64, #graph.dims<n, 7, 21>> {graph.name = "y"}) {
  %0 = graph.matmul %x, %z : (tensor<?x7x9xf64, #graph.dims<n, 7, 9>>, tensor<9x21xf64>) -> tensor<?x7x21xf64, #graph.dims<n, 7, 21>>
  return %0 : tensor<?x7x21xf64, #graph.dims<n, 7, 21>>
}
//--- dynamic.mlir
!x = tensor<?x16x?x?xf32, #graph.dims<n, 16, h, w>>
func.func @main(%x: !x {graph.name = "x"}) -> (!x {graph.name = "y"}) {
  %w = graph.parameter @w : tensor<16x4x3x3xf32>
  %0 = graph.conv %x, %w strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 4 channels_first : (!x, tensor<16x4x3x3xf32>) -> !x
  return %0 : !x
}
//--- vector.mlir
func.func @main(%x: tensor<1x700xf32> {graph.name = "x"}) -> (tensor<1x1030xf32> {graph.name = "y"}) {
  %w = graph.parameter @w : tensor<700x1030xf32>
  %0 = graph.matmul %x, %w : (tensor<1x700xf32>, tensor<700x1030xf32>) -> tensor<1x1030xf32>
  return %0 : tensor<1x1030xf32>
}
//--- vector-nt.mlir
func.func @main(%x: tensor<1x700xf32> {graph.name = "x"}) -> (tensor<1x1030xf32> {graph.name = "y"}) {
  %w = graph.parameter @w : tensor<1030x700xf32>
  %t = graph.transpose %w perm = [1, 0] : (tensor<1030x700xf32>) -> tensor<700x1030xf32>
  %0 = graph.matmul %x, %t : (tensor<1x700xf32>, tensor<700x1030xf32>) -> tensor<1x1030xf32>
  return %0 : tensor<1x1030xf32>
}
//--- joined.mlir
func.func @main(%x: tensor<1x9x14x32xf32> {graph.name = "x"}) -> (tensor<1x5x7x51xf32> {graph.name = "y"}) {
  %0 = graph.slice %x starts = [0, 0, 0, 3] sizes = [1, 9, 14, 19] steps = [1, 1, 1, 1] : (tensor<1x9x14x32xf32>) -> tensor<1x9x14x19xf32>
  %1 = graph.neg %0 : tensor<1x9x14x19xf32>
  %2 = graph.concat %x, %1 axis = 3 : (tensor<1x9x14x32xf32>, tensor<1x9x14x19xf32>) -> tensor<1x9x14x51xf32>
  %3 = graph.max_pool %2 kernel = [3, 3] strides = [2, 2] pads = [1, 1, 1, 0] dilations = [1, 1] channels_last : (tensor<1x9x14x51xf32>) -> tensor<1x5x7x51xf32>
  return %3 : tensor<1x5x7x51xf32>
}
//--- joined-averages.mlir
func.func @main(%x: tensor<2x9x14x12xf32> {graph.name = "x"}) -> (tensor<2x9x14x31xf32> {graph.name = "y"}) {
  %0 = graph.slice %x starts = [0, 0, 0, 3] sizes = [2, 9, 14, 7] steps = [1, 1, 1, 1] : (tensor<2x9x14x12xf32>) -> tensor<2x9x14x7xf32>
  %1 = graph.concat %0, %x, %x axis = 3 : (tensor<2x9x14x7xf32>, tensor<2x9x14x12xf32>, tensor<2x9x14x12xf32>) -> tensor<2x9x14x31xf32>
  %2 = graph.avg_pool %1 kernel = [3, 3] strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] channels_last : (tensor<2x9x14x31xf32>) -> tensor<2x9x14x31xf32>
  return %2 : tensor<2x9x14x31xf32>
}
//--- joined-dynamic.mlir
func.func @main(%x: tensor<?x?x?x16xf32, #graph.dims<n, h, w, 16>> {graph.name = "x"}, %z: tensor<?x?x?x19xf32, #graph.dims<n, h, w, 19>> {graph.name = "z"}) -> (tensor<?x?x?x35xf32, #graph.dims<n, h, w, 35>> {graph.name = "y"}) {
  %0 = graph.concat %x, %z axis = 3 : (tensor<?x?x?x16xf32, #graph.dims<n, h, w, 16>>, tensor<?x?x?x19xf32, #graph.dims<n, h, w, 19>>) -> tensor<?x?x?x35xf32, #graph.dims<n, h, w, 35>>
  %1 = graph.max_pool %0 kernel = [3, 3] strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] channels_last : (tensor<?x?x?x35xf32, #graph.dims<n, h, w, 35>>) -> tensor<?x?x?x35xf32, #graph.dims<n, h, w, 35>>
  return %1 : tensor<?x?x?x35xf32, #graph.dims<n, h, w, 35>>
}
//--- joined-many.mlir
func.func @main(%x: tensor<1x6x6x9xf32> {graph.name = "x"}) -> (tensor<1x4x4x90xf32> {graph.name = "y"}) {
  %0 = graph.concat %x, %x, %x, %x, %x, %x, %x, %x, %x, %x axis = 3 : (tensor<1x6x6x9xf32>, tensor<1x6x6x9xf32>, tensor<1x6x6x9xf32>, tensor<1x6x6x9xf32>, tensor<1x6x6x9xf32>, tensor<1x6x6x9xf32>, tensor<1x6x6x9xf32>, tensor<1x6x6x9xf32>, tensor<1x6x6x9xf32>, tensor<1x6x6x9xf32>) -> tensor<1x6x6x90xf32>
  %1 = graph.max_pool %0 kernel = [3, 3] strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] channels_last : (tensor<1x6x6x90xf32>) -> tensor<1x4x4x90xf32>
  return %1 : tensor<1x4x4x90xf32>
}
//--- joined-rows.mlir
func.func @main(%x: tensor<5x40xf32> {graph.name = "x"}) -> (tensor<13xf32> {graph.name = "y"}) {
  %0 = graph.slice %x starts = [1, 0] sizes = [3, 40] steps = [1, 1] : (tensor<5x40xf32>) -> tensor<3x40xf32>
  %1 = graph.concat %0, %x, %x axis = 0 : (tensor<3x40xf32>, tensor<5x40xf32>, tensor<5x40xf32>) -> tensor<13x40xf32>
  %2 = graph.reduce_sum %1 axes = [1] : (tensor<13x40xf32>) -> tensor<13xf32>
  return %2 : tensor<13xf32>
}
