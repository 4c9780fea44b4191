// Models at the edge: nothing to compute, no input, no axis, donated storage.
// REQUIRES: avx2
// RUN: split-file %s %t

// RUN: tenon-compile %t/identity.mlir -o %t/identity.so
// RUN: tenon-run %t/identity.so --input random:0:3x4:int\(5,6\) \
// RUN:   | FileCheck %s --check-prefix=IDENTITY
// IDENTITY: output 'y': f32 3x4, min 5, max 5
// IDENTITY: output 'z': f32 3x4, min 5, max 5

// RUN: tenon-compile %t/constant.mlir -o %t/constant.so
// RUN: tenon-run %t/constant.so | FileCheck %s --check-prefix=CONSTANT
// CONSTANT: output 'y': f32 3, min 1, max 3, mean 2

// RUN: tenon-compile %t/scalar.mlir -o %t/scalar.so
// RUN: tenon-run %t/scalar.so --input x=random:0:int\(4,5\) \
// RUN:   --input b=random:0:int\(0,1\) | FileCheck %s --check-prefix=SCALAR
// SCALAR: output 'y': f32 scalar, min 8, max 8
// SCALAR: output 'nb': bool scalar, min 1, max 1

// RUN: tenon-compile %t/donated.mlir -o %t/donated.so
// RUN: tenon-run %t/donated.so --input random:0:int\(2,3\) \
// RUN:   | FileCheck %s --check-prefix=DONATED
// DONATED: output 'y': f32 4, min 4, max 4

//--- identity.mlir
!t = tensor<?x4xf32, #graph.dims<n, 4>>
func.func @main(%x: !t {graph.name = "x"})
    -> (!t {graph.name = "y"}, !t {graph.name = "z"}) {
  return %x, %x : !t, !t
}
//--- constant.mlir
func.func @main() -> (tensor<3xf32> {graph.name = "y"}) {
  %0 = graph.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  return %0 : tensor<3xf32>
}
//--- scalar.mlir
func.func @main(%x: tensor<f32> {graph.name = "x"},
                %b: tensor<i1> {graph.name = "b"})
    -> (tensor<f32> {graph.name = "y"}, tensor<i1> {graph.name = "nb"}) {
  %0 = graph.add %x, %x : tensor<f32>
  %1 = graph.not %b : tensor<i1>
  return %0, %1 : tensor<f32>, tensor<i1>
}
//--- donated.mlir
func.func @main(%x: tensor<4xf32> {graph.name = "x", graph.donate = 0 : i64})
    -> (tensor<4xf32> {graph.name = "y"}) {
  %0 = graph.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
