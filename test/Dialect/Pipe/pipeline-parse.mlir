// A pipeline: micro-batches, channels, schedules, and a mesh.
// RUN: tenon-opt %s | FileCheck %s
// RUN: tenon-opt %s | tenon-opt | FileCheck %s
// RUN: tenon-opt --mlir-print-op-generic %s | tenon-opt | FileCheck %s
// RUN: tenon-opt --emit-bytecode %s | tenon-opt | FileCheck %s
// RUN: tenon-opt %s --pipe-inline | FileCheck %s --check-prefix=INLINE

// CHECK: pipe.program @main
// CHECK-SAME: ranks 3 attributes {devices = array<i64: 0, 1, 3>, mesh = #pipe.mesh<"node" = 2, "device" = 2, memory_bytes = [4096], link_seconds = [1.000000e-05, 0.000000e+00], link_bytes_per_second = [1.000000e+09, 5.000000e+10]>, mini_batch = 8 : i64, state_factor = 1.000000e+00 : f64, training}
// CHECK: %[[A:.*]] = pipe.stage @first on [0, 1] (%{{.*}} = %{{.*}} : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {eager, k = 2 : i64, micro_batch = 4 : i64, recompute, saved_bytes = 16 : i64, seconds = array<f64: 1.000000e+00, 2.000000e+00, 3.000000e+00>}
// CHECK: %[[C:.*]] = pipe.channel %[[A]] axis 0 from 4 to 2 : tensor<8x4xf32>
// CHECK: pipe.stage @second on 2 (%{{.*}} = %[[C]] : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {micro_batch = 2 : i64, offload}
// CHECK: pipe.schedule on [0, 1] "F0 F1 B0 B1 U"
// CHECK: pipe.schedule on [2] "F0 I0 W0 F1 I1 F2 W1 I2 W2 F3 B3 U"
// INLINE: func.func @main
// INLINE: graph.relu
// INLINE-NEXT: graph.neg
// INLINE-NOT: pipe.
pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> inputs ["x"] outputs ["y"] ranks 3
    attributes {mini_batch = 8 : i64, training, state_factor = 1.0 : f64,
                devices = array<i64: 0, 1, 3>, mesh = #pipe.mesh<"node" = 2, "device" = 2, memory_bytes = [4096], link_seconds = [1.0e-5, 0.0], link_bytes_per_second = [1.0e9, 5.0e10]>} {
  %0 = pipe.stage @first on [0, 1] (%a = %x : tensor<8x4xf32>) -> tensor<8x4xf32>
      attributes {micro_batch = 4 : i64, k = 2 : i64, recompute, eager, saved_bytes = 16 : i64,
                  seconds = array<f64: 1.0, 2.0, 3.0>} {
    %r = graph.relu %a : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  %1 = pipe.channel %0 axis 0 from 4 to 2 : tensor<8x4xf32>
  %2 = pipe.stage @second on 2 (%a = %1 : tensor<8x4xf32>) -> tensor<8x4xf32>
      attributes {micro_batch = 2 : i64, offload} {
    %r = graph.neg %a : tensor<8x4xf32>
    pipe.yield %r : tensor<8x4xf32>
  }
  pipe.schedule on [0, 1] "F0 F1 B0 B1 U"
  pipe.schedule on [2] "F0 I0 W0 F1 I1 F2 W1 I2 W2 F3 B3 U"
  pipe.yield %2 : tensor<8x4xf32>
}
