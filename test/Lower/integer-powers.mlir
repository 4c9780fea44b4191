// Powers of integers wrap; a negative exponent gives the truncated reciprocal,
// of 0 it gives 0; an unsigned exponent is never negative. On a CPU and by a GPU's
// kernels, as the interpreter has them.
// RUN: split-file %s %t
// RUN: tenon-interpret %t/values.mlir --output a=@%t/a.npy --output b=@%t/b.npy --output c=@%t/c.npy --output d=@%t/d.npy
// DEFINE: %{inputs} = --input a=@%t/a.npy --input b=@%t/b.npy --input c=@%t/c.npy --input d=@%t/d.npy
// RUN: tenon-interpret %t/main.mlir %{inputs} --output u=@%t/u.npy --output s=@%t/s.npy
// RUN: tenon-interpret %t/main.mlir %{inputs} | FileCheck %s
// CHECK: u = u8 5 [161, 255, 1, 128, 0]
// CHECK: s = i32 6 [0, -1, 1, 0, 1, -27]
// DEFINE: %{expected} = --expect u=@%t/u.npy --expect s=@%t/s.npy --rtol 0
// RUN: tenon-compile %t/main.mlir --optimize=off -o %t/main.so
// RUN: tenon-run %t/main.so %{inputs} %{expected}
// RUN: tenon-compile %t/main.mlir --optimize=off --target=cuda:sm_80 --stop-after=place -o %t/placed.mlir
// RUN: tenon-interpret %t/placed.mlir --emulate %{inputs} %{expected}

//--- main.mlir
func.func @main(%a: tensor<5xui8> {graph.name = "a"}, %b: tensor<5xui8> {graph.name = "b"},
                %c: tensor<6xi32> {graph.name = "c"}, %d: tensor<6xi32> {graph.name = "d"})
    -> (tensor<5xui8> {graph.name = "u"}, tensor<6xi32> {graph.name = "s"}) {
  %u = graph.pow %a, %b : tensor<5xui8>
  %s = graph.pow %c, %d : tensor<6xi32>
  return %u, %s : tensor<5xui8>, tensor<6xi32>
}
//--- values.mlir
func.func @main() -> (tensor<5xui8> {graph.name = "a"}, tensor<5xui8> {graph.name = "b"},
                      tensor<6xi32> {graph.name = "c"}, tensor<6xi32> {graph.name = "d"}) {
  %a = graph.constant dense<[3, 255, 1, 2, 0]> : tensor<5xui8>
  %b = graph.constant dense<[200, 129, 130, 7, 3]> : tensor<5xui8>
  %c = graph.constant dense<[0, -1, 1, 2, 0, -3]> : tensor<6xi32>
  %d = graph.constant dense<[-1, -3, -5, -2, 0, 3]> : tensor<6xi32>
  return %a, %b, %c, %d : tensor<5xui8>, tensor<5xui8>, tensor<6xi32>, tensor<6xi32>
}
