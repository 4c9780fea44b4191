// RUN: tenon-compile %s --stop-after=import | FileCheck %s --check-prefix=IMPORT
// RUN: tenon-compile %s --emit=mlir | FileCheck %s --check-prefix=IMPORT
// RUN: tenon-compile %s --stop-after=place --verify-each \
// RUN:   | FileCheck %s --check-prefix=PLACE
// RUN: tenon-compile %s --stop-after=lower | FileCheck %s --check-prefix=LOWER
// RUN: tenon-compile %s --stop-after=import --bind n=3 \
// RUN:   | FileCheck %s --check-prefix=BIND
// RUN: tenon-compile %s --stop-after=place --without=onednn \
// RUN:   | FileCheck %s --check-prefix=OWN

// Bytecode is a form of its own.
// RUN: tenon-compile %s --stop-after=import -o %t.mlirbc
// RUN: tenon-compile %t.mlirbc --stop-after=import \
// RUN:   | FileCheck %s --check-prefix=IMPORT

// IMPORT-LABEL: func.func @main
// IMPORT: graph.matmul
// IMPORT: graph.softmax
// PLACE-LABEL: func.func @main
// PLACE: kernel.call "onednn"
// PLACE: kernel.call "cpu"
// LOWER: module @phases
// LOWER: program.target cpu {
// LOWER-NEXT: program.parameter "w" : tensor<64x128xf32>
// LOWER-NEXT: program.entry @main symbols ["n"]
// LOWER: program.run {
// LOWER: llvm.func @
// BIND: tensor<3x64xf32>
// BIND-NOT: graph.dims
// OWN-NOT: kernel.call "onednn"
// OWN: kernel.call "cpu"
func.func @main(
    %x: tensor<?x64xf32, #graph.dims<n, 64>> {graph.name = "x"})
    -> (tensor<?x128xf32, #graph.dims<n, 128>> {graph.name = "y"}) {
  %w = graph.parameter @w : tensor<64x128xf32>
  %0 = graph.matmul %x, %w
    : (tensor<?x64xf32, #graph.dims<n, 64>>, tensor<64x128xf32>)
    -> tensor<?x128xf32, #graph.dims<n, 128>>
  %1 = graph.softmax %0 axis = 1 : tensor<?x128xf32, #graph.dims<n, 128>>
  return %1 : tensor<?x128xf32, #graph.dims<n, 128>>
}
