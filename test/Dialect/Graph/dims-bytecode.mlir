// Sizes in bytecode: constants, symbols and expressions.
// RUN: tenon-opt %s -o %t.mlir && tenon-opt %s --emit-bytecode -o %t.mlirbc && tenon-opt %t.mlirbc | diff - %t.mlir
// RUN: tenon-opt %t.mlirbc | FileCheck %s

// CHECK: tensor<?x3x?x?x?xf32, #graph.dims<aaaa, 3, max(aaaa, m.1), aaaa * m.1 + 2 * m.1 - 1, ((aaaa) floordiv (2))>>
func.func @sizes(%x: tensor<?x3x?x?x?xf32, #graph.dims<aaaa, 3, max(aaaa, m.1), aaaa * m.1 + 2 * m.1 - 1, aaaa floordiv 2>>) {
  return
}
func.func @constants(%x: tensor<0x1x7xf32>) {
  return
}
func.func @scalar(%x: tensor<f32>) {
  return
}

// Texts that are no size, or not in the form that is printed.
// RUN: sed 's/aaaa\x00/a+*a\x00/' %t.mlirbc > %t.bad && not tenon-opt %t.bad 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: expected a size, but got 'a+*a'
// RUN: sed 's/aaaa\x00/0007\x00/' %t.mlirbc > %t.bad && not tenon-opt %t.bad 2>&1 | FileCheck %s --check-prefix=CONSTANT
// CONSTANT: error: expected a size, but got '0007'
// RUN: sed 's/max(aaaa, m.1)/max(m.1, aaaa)/' %t.mlirbc > %t.bad && not tenon-opt %t.bad 2>&1 | FileCheck %s --check-prefix=ORDER
// ORDER: error: expected a size, but got 'max(m.1, aaaa)'
