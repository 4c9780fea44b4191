// Arithmetic of indices decides which element is taken: no step of it is fused
// with another, where arithmetic of elements may be.
// RUN: tenon-compile %s --stop-after=lower -o - | FileCheck %s
// CHECK: llvm.fadd %{{[0-9]+}}, %{{[0-9]+}} : f64
// CHECK: llvm.fdiv %{{[0-9]+}}, %{{[0-9]+}} : f64
// CHECK: llvm.fsub %{{[0-9]+}}, %{{[0-9]+}} : f64
// CHECK-NOT: contract{{.*}} : f64
// CHECK: llvm.fmul {{.*}}contract{{.*}} : f32

func.func @main(%x: tensor<1x5xf32> {graph.name = "x"}) -> (tensor<1x8xf32> {graph.name = "y"}) {
  %0 = graph.resize %x shape = [1, 8] scales = [1.0, 1.6] nearest half_pixel round_prefer_floor cubic_coeff = -0.75 : (tensor<1x5xf32>) -> tensor<1x8xf32>
  %1 = graph.mul %0, %0 : tensor<1x8xf32>
  return %1 : tensor<1x8xf32>
}
