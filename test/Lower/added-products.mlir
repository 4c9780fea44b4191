// A matrix product of oneDNN that is added to a value is added where the value
// is, if the result has its memory. The numbers are the same if the caller
// shares the memory (--donate) and if not, for one thread and two.
// RUN: split-file %s %t
// DEFINE: %{name} =
// DEFINE: %{inputs} =
// DEFINE: %{check} = tenon-compile %t/%{name}.mlir --place=all:onednn -o %t/%{name}.so && \
// DEFINE:   tenon-interpret %t/%{name}.mlir %{inputs} --output @%t/y.npy && \
// DEFINE:   tenon-run %t/%{name}.so %{inputs} --expect @%t/y.npy && \
// DEFINE:   tenon-run %t/%{name}.so %{inputs} --expect @%t/y.npy --donate --threads 2 && \
// DEFINE:   tenon-run %t/%{name}.so %{inputs} --expect @%t/y.npy --donate --threads 1 --trace %t/trace.json

// REDEFINE: %{name} = plain
// REDEFINE: %{inputs} = --input random:1:9x7 --input random:2:7x33 --input random:3:9x33
// RUN: %{check}
// RUN: FileCheck %s --check-prefix=INPLACE < %t/trace.json
// INPLACE: "copy for
// INPLACE: "implementation": "{{[a-z]*gemm|jit|gemm|brg}}
// INPLACE-NOT: "copy to y"
// Sums of no products, and no elements.
// REDEFINE: %{inputs} = --input random:1:9x0 --input random:2:0x33 --input random:3:9x33
// RUN: %{check}
// REDEFINE: %{inputs} = --input random:1:0x7 --input random:2:7x33 --input random:3:0x33
// RUN: %{check}

// The gradient of a weight: the left operand is transposed. Large enough for
// sums in blocks and for threads.
// REDEFINE: %{name} = transposed
// REDEFINE: %{inputs} = --input random:1:300x70 --input random:2:300x90 --input random:3:70x90
// RUN: %{check}
// RUN: FileCheck %s --check-prefix=INPLACE < %t/trace.json

// REDEFINE: %{name} = batches
// REDEFINE: %{inputs} = --input random:1:5x9x7 --input random:2:5x7x33 --input random:3:5x9x33
// RUN: %{check}
// RUN: FileCheck %s --check-prefix=INPLACE < %t/trace.json

// These read what they would overwrite, or do more than add.
// REDEFINE: %{name} = square
// REDEFINE: %{inputs} = --input random:1:9x9
// RUN: %{check}
// RUN: FileCheck %s --check-prefix=COPIED < %t/trace.json
// COPIED: "copy to y"
// REDEFINE: %{name} = relu
// REDEFINE: %{inputs} = --input random:1:9x7 --input random:2:7x33 --input random:3:9x33
// RUN: %{check}
// RUN: FileCheck %s --check-prefix=COPIED < %t/trace.json
// REDEFINE: %{name} = row
// REDEFINE: %{inputs} = --input random:1:1x7 --input random:2:7x33 --input random:3:33
// RUN: %{check}

//--- plain.mlir
!a = tensor<?x?xf32, #graph.dims<m, k>>
!b = tensor<?x?xf32, #graph.dims<k, n>>
!c = tensor<?x?xf32, #graph.dims<m, n>>
func.func @main(%a: !a, %b: !b, %c: !c {graph.donate = 0 : i64}) -> (!c {graph.name = "y"}) {
  %0 = graph.matmul %a, %b : (!a, !b) -> !c
  %1 = graph.add %c, %0 : !c
  return %1 : !c
}
//--- transposed.mlir
!a = tensor<?x?xf32, #graph.dims<k, m>>
!t = tensor<?x?xf32, #graph.dims<m, k>>
!b = tensor<?x?xf32, #graph.dims<k, n>>
!c = tensor<?x?xf32, #graph.dims<m, n>>
func.func @main(%a: !a, %b: !b, %c: !c {graph.donate = 0 : i64}) -> (!c {graph.name = "y"}) {
  %t = graph.transpose %a perm = [1, 0] : (!a) -> !t
  %0 = graph.matmul %t, %b : (!t, !b) -> !c
  %1 = graph.add %0, %c : !c
  return %1 : !c
}
//--- batches.mlir
!a = tensor<?x?x?xf32, #graph.dims<b, m, k>>
!b = tensor<?x?x?xf32, #graph.dims<b, k, n>>
!c = tensor<?x?x?xf32, #graph.dims<b, m, n>>
func.func @main(%a: !a, %b: !b, %c: !c {graph.donate = 0 : i64}) -> (!c {graph.name = "y"}) {
  %0 = graph.matmul %a, %b : (!a, !b) -> !c
  %1 = graph.add %c, %0 : !c
  return %1 : !c
}
//--- square.mlir
!c = tensor<?x?xf32, #graph.dims<m, m>>
func.func @main(%c: !c {graph.donate = 0 : i64}) -> (!c {graph.name = "y"}) {
  %0 = graph.matmul %c, %c : (!c, !c) -> !c
  %1 = graph.add %c, %0 : !c
  return %1 : !c
}
//--- relu.mlir
!a = tensor<?x?xf32, #graph.dims<m, k>>
!b = tensor<?x?xf32, #graph.dims<k, n>>
!c = tensor<?x?xf32, #graph.dims<m, n>>
func.func @main(%a: !a, %b: !b, %c: !c {graph.donate = 0 : i64}) -> (!c {graph.name = "y"}) {
  %0 = graph.matmul %a, %b : (!a, !b) -> !c
  %1 = graph.add %c, %0 : !c
  %2 = graph.relu %1 : !c
  return %2 : !c
}
//--- row.mlir
!a = tensor<1x?xf32, #graph.dims<1, k>>
!b = tensor<?x?xf32, #graph.dims<k, n>>
!r = tensor<1x?xf32, #graph.dims<1, n>>
!c = tensor<?xf32, #graph.dims<n>>
func.func @main(%a: !a, %b: !b, %c: !c {graph.donate = 0 : i64}) -> (!c {graph.name = "y"}) {
  %0 = graph.matmul %a, %b : (!a, !b) -> !r
  %r = graph.reshape %0 shape = [n] : (!r) -> !c
  %1 = graph.add %r, %c : !c
  return %1 : !c
}
