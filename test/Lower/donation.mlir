// Outputs that take over the storage of an input. Each model gives the same
// whether the caller shares the memory (--donate) or not; what is written in
// place is not copied afterwards.
// REQUIRES: avx2
// REQUIRES: slow
// RUN: split-file %s %t

// One position of a cache is written in place, and read after that.
// DEFINE: %{name} =
// DEFINE: %{inputs} = --input random:3
// DEFINE: %{check} = tenon-compile %t/%{name}.mlir -o %t/%{name}.so && \
// DEFINE:   tenon-interpret %t/%{name}.mlir %{inputs} --output @%t/y.npy --output @%t/z.npy && \
// DEFINE:   tenon-run %t/%{name}.so %{inputs} --expect @%t/y.npy --expect @%t/z.npy && \
// DEFINE:   tenon-run %t/%{name}.so %{inputs} --expect @%t/y.npy --expect @%t/z.npy --donate --repeat 3 --trace %t/trace.json

// REDEFINE: %{name} = cache
// REDEFINE: %{inputs} = --input random:1 --input random:2 --input random:0:int\(5,6\)
// RUN: %{check}
// RUN: FileCheck %s --check-prefix=INPLACE < %t/trace.json
// INPLACE: "copy for
// INPLACE-NOT: "copy to y"

// REDEFINE: %{name} = dynamic
// REDEFINE: %{inputs} = --input random:1:3x9x4 --input random:2:3x1x4 --input random:0:int\(5,6\)
// RUN: %{check}
// RUN: FileCheck %s --check-prefix=INPLACE < %t/trace.json

// A condition on indices says which columns change.
// REDEFINE: %{name} = update
// REDEFINE: %{inputs} = --input random:1 --input random:2
// RUN: %{check}
// RUN: FileCheck %s --check-prefix=INPLACE < %t/trace.json

// A kernel loop reads the whole row before another writes it.
// REDEFINE: %{name} = row
// REDEFINE: %{inputs} = --input random:1
// RUN: %{check}
// RUN: FileCheck %s --check-prefix=INPLACE < %t/trace.json

// Everything moves to another place: not in place.
// REDEFINE: %{name} = shift
// REDEFINE: %{inputs} = --input random:1 --input random:2
// RUN: %{check}
// RUN: FileCheck %s --check-prefix=COPIED < %t/trace.json
// COPIED-NOT: "copy for
// COPIED: "copy to y"

// One kernel reads the old contents twice, once through a reshape.
// REDEFINE: %{name} = twice
// REDEFINE: %{inputs} = --input random:1 --input random:2
// RUN: %{check}
// RUN: FileCheck %s --check-prefix=COPIED < %t/trace.json

// The old contents are read later, through a reshape.
// REDEFINE: %{name} = later
// REDEFINE: %{inputs} = --input random:1 --input random:2
// RUN: %{check}
// RUN: FileCheck %s --check-prefix=COPIED < %t/trace.json

// A whole column is read for each of its elements: rows would miss it.
// REDEFINE: %{name} = column
// REDEFINE: %{inputs} = --input random:1
// RUN: %{check}
// RUN: FileCheck %s --check-prefix=COPIED < %t/trace.json

// Each takes over the other's storage.
// REDEFINE: %{name} = swap
// REDEFINE: %{inputs} = --input random:1 --input random:2
// RUN: %{check}

// The input, of which the memory goes to one output, is another.
// REDEFINE: %{name} = returned
// REDEFINE: %{inputs} = --input random:1
// RUN: %{check}

//--- cache.mlir
func.func @main(%cache: tensor<3x8x16xf32> {graph.name = "cache", graph.donate = 0 : i64},
                %new: tensor<3x1x16xf32> {graph.name = "new"},
                %position: tensor<1xi64> {graph.name = "position"})
    -> (tensor<3x8x16xf32> {graph.name = "y"}, tensor<3x8xf32> {graph.name = "z"}) {
  %0 = graph.iota shape = [1, 8, 1] axis = 1 of i64 : () -> tensor<1x8x1xi64>
  %1 = graph.reshape %position shape = [1, 1, 1] : (tensor<1xi64>) -> tensor<1x1x1xi64>
  %2 = graph.broadcast %1 shape = [1, 8, 1] : (tensor<1x1x1xi64>) -> tensor<1x8x1xi64>
  %3 = graph.equal %0, %2 : tensor<1x8x1xi64>
  %4 = graph.broadcast %3 shape = [3, 8, 16] : (tensor<1x8x1xi1>) -> tensor<3x8x16xi1>
  %5 = graph.broadcast %new shape = [3, 8, 16] : (tensor<3x1x16xf32>) -> tensor<3x8x16xf32>
  %6 = graph.where %4, %5, %cache : tensor<3x8x16xi1>, tensor<3x8x16xf32>, tensor<3x8x16xf32>
  %7 = graph.reduce_sum %6 axes = [2] : (tensor<3x8x16xf32>) -> tensor<3x8xf32>
  return %6, %7 : tensor<3x8x16xf32>, tensor<3x8xf32>
}
//--- dynamic.mlir
!c = tensor<?x?x4xf32, #graph.dims<b, n, 4>>
!m = tensor<?x?x4xi1, #graph.dims<b, n, 4>>
func.func @main(%cache: !c {graph.name = "cache", graph.donate = 0 : i64},
                %new: tensor<?x1x4xf32, #graph.dims<b, 1, 4>> {graph.name = "new"},
                %position: tensor<1xi64> {graph.name = "position"})
    -> (!c {graph.name = "y"}, tensor<?x?xf32, #graph.dims<b, n>> {graph.name = "z"}) {
  %0 = graph.iota shape = [1, n, 1] axis = 1 of i64 : () -> tensor<1x?x1xi64, #graph.dims<1, n, 1>>
  %1 = graph.reshape %position shape = [1, 1, 1] : (tensor<1xi64>) -> tensor<1x1x1xi64>
  %2 = graph.broadcast %1 shape = [1, n, 1] : (tensor<1x1x1xi64>) -> tensor<1x?x1xi64, #graph.dims<1, n, 1>>
  %3 = graph.equal %0, %2 : tensor<1x?x1xi64, #graph.dims<1, n, 1>>
  %4 = graph.broadcast %3 shape = [b, n, 4] : (tensor<1x?x1xi1, #graph.dims<1, n, 1>>) -> !m
  %5 = graph.broadcast %new shape = [b, n, 4] : (tensor<?x1x4xf32, #graph.dims<b, 1, 4>>) -> !c
  %6 = graph.where %4, %5, %cache : !m, !c, !c
  %7 = graph.reduce_sum %6 axes = [2] : (!c) -> tensor<?x?xf32, #graph.dims<b, n>>
  return %6, %7 : !c, tensor<?x?xf32, #graph.dims<b, n>>
}
//--- update.mlir
func.func @main(%x: tensor<5x9xf32> {graph.name = "x", graph.donate = 0 : i64},
                %new: tensor<5x2xf32> {graph.name = "new"})
    -> (tensor<5x9xf32> {graph.name = "y"}, tensor<5xf32> {graph.name = "z"}) {
  %0 = graph.slice %x starts = [0, 0] sizes = [5, 3] steps = [1, 1] : (tensor<5x9xf32>) -> tensor<5x3xf32>
  %1 = graph.slice %x starts = [0, 5] sizes = [5, 4] steps = [1, 1] : (tensor<5x9xf32>) -> tensor<5x4xf32>
  %2 = graph.concat %0, %new, %1 axis = 1 : (tensor<5x3xf32>, tensor<5x2xf32>, tensor<5x4xf32>) -> tensor<5x9xf32>
  %3 = graph.reduce_sum %2 axes = [1] : (tensor<5x9xf32>) -> tensor<5xf32>
  return %2, %3 : tensor<5x9xf32>, tensor<5xf32>
}
//--- row.mlir
func.func @main(%x: tensor<5x33xf32> {graph.name = "x", graph.donate = 0 : i64})
    -> (tensor<5x33xf32> {graph.name = "y"}, tensor<5xf32> {graph.name = "z"}) {
  %0 = graph.reduce_max %x axes = [1] keepdims : (tensor<5x33xf32>) -> tensor<5x1xf32>
  %1 = graph.broadcast %0 shape = [5, 33] : (tensor<5x1xf32>) -> tensor<5x33xf32>
  %2 = graph.sub %x, %1 : tensor<5x33xf32>
  %3 = graph.reduce_sum %2 axes = [1] : (tensor<5x33xf32>) -> tensor<5xf32>
  return %2, %3 : tensor<5x33xf32>, tensor<5xf32>
}
//--- shift.mlir
func.func @main(%x: tensor<5x9xf32> {graph.name = "x", graph.donate = 0 : i64},
                %new: tensor<5x1xf32> {graph.name = "new"})
    -> (tensor<5x9xf32> {graph.name = "y"}, tensor<5xf32> {graph.name = "z"}) {
  %0 = graph.slice %x starts = [0, 1] sizes = [5, 8] steps = [1, 1] : (tensor<5x9xf32>) -> tensor<5x8xf32>
  %1 = graph.concat %0, %new axis = 1 : (tensor<5x8xf32>, tensor<5x1xf32>) -> tensor<5x9xf32>
  %2 = graph.reduce_sum %1 axes = [1] : (tensor<5x9xf32>) -> tensor<5xf32>
  return %1, %2 : tensor<5x9xf32>, tensor<5xf32>
}
//--- twice.mlir
func.func @main(%x: tensor<4x4xf32> {graph.name = "x", graph.donate = 0 : i64},
                %v: tensor<16x512xf32> {graph.name = "v"})
    -> (tensor<4x4xf32> {graph.name = "y"}, tensor<1x512xf32> {graph.name = "z"}) {
  %0 = graph.reshape %x shape = [1, 16] : (tensor<4x4xf32>) -> tensor<1x16xf32>
  %1 = graph.exp %x : tensor<4x4xf32>
  %2 = graph.reduce_sum %1 axes = [0, 1] : (tensor<4x4xf32>) -> tensor<f32>
  %3 = graph.matmul %0, %v : (tensor<1x16xf32>, tensor<16x512xf32>) -> tensor<1x512xf32>
  %4 = graph.broadcast %2 shape = [1, 512] : (tensor<f32>) -> tensor<1x512xf32>
  %5 = graph.add %3, %4 : tensor<1x512xf32>
  return %1, %5 : tensor<4x4xf32>, tensor<1x512xf32>
}
//--- later.mlir
func.func @main(%x: tensor<16x64xf32> {graph.name = "x", graph.donate = 0 : i64},
                %v: tensor<1024x512xf32> {graph.name = "v"})
    -> (tensor<16x64xf32> {graph.name = "y"}, tensor<1x512xf32> {graph.name = "z"}) {
  %0 = graph.reshape %x shape = [1, 1024] : (tensor<16x64xf32>) -> tensor<1x1024xf32>
  %1 = graph.exp %x : tensor<16x64xf32>
  %2 = graph.reduce_mean %1 axes = [0, 1] : (tensor<16x64xf32>) -> tensor<f32>
  %3 = graph.broadcast %2 shape = [1024, 512] : (tensor<f32>) -> tensor<1024x512xf32>
  %4 = graph.add %v, %3 : tensor<1024x512xf32>
  %5 = graph.matmul %0, %4 : (tensor<1x1024xf32>, tensor<1024x512xf32>) -> tensor<1x512xf32>
  return %1, %5 : tensor<16x64xf32>, tensor<1x512xf32>
}
//--- column.mlir
func.func @main(%x: tensor<16x6xf32> {graph.name = "x", graph.donate = 0 : i64})
    -> (tensor<16x6xf32> {graph.name = "y"}, tensor<16xf32> {graph.name = "z"}) {
  %0 = graph.cumsum %x axis = 0 : tensor<16x6xf32>
  %1 = graph.add %x, %0 : tensor<16x6xf32>
  %2 = graph.reduce_sum %1 axes = [1] : (tensor<16x6xf32>) -> tensor<16xf32>
  return %1, %2 : tensor<16x6xf32>, tensor<16xf32>
}
//--- swap.mlir
func.func @main(%a: tensor<7xf32> {graph.name = "a", graph.donate = 0 : i64},
                %b: tensor<7xf32> {graph.name = "b", graph.donate = 1 : i64})
    -> (tensor<7xf32> {graph.name = "y"}, tensor<7xf32> {graph.name = "z"}) {
  return %b, %a : tensor<7xf32>, tensor<7xf32>
}
//--- returned.mlir
func.func @main(%x: tensor<7xf32> {graph.name = "x", graph.donate = 0 : i64})
    -> (tensor<7xf32> {graph.name = "y"}, tensor<7xf32> {graph.name = "z"}) {
  %0 = graph.exp %x : tensor<7xf32>
  return %0, %x : tensor<7xf32>, tensor<7xf32>
}
