// RUN: tenon-opt %s --pipe-schedule=schedule=1f1b --pipe-to-program="train='loss=mean-squared'" --program-plan-arena --pipe-check \
// RUN:   | FileCheck %s

// A stage on two ranks gives a value to two stages, of which one uses it twice. So what this one sends back
// is a sum of two of the three gradients of the value, which the model adds at once; each rank gets the
// samples that it has of it.
// CHECK: program.ranks @train_step
!b = tensor<?x4xf32, #graph.dims<n, 4>>
pipe.program @main(%x: !b) -> !b inputs ["x"] outputs ["y"] ranks 5
    attributes {mini_batch = 8 : i64, training, state_factor = 1.0 : f64,
                mesh = #pipe.mesh<"device" = 5, memory_bytes = [65536], link_seconds = [1.0e-6], link_bytes_per_second = [1.0e9]>} {
  %0 = pipe.stage @s0 on [0, 1] (%a = %x : !b) -> !b
      attributes {micro_batch = 2 : i64, seconds = array<f64: 1.0, 1.0, 1.0>} {
    %w = graph.parameter @w0 : tensor<4x4xf32>
    %v = graph.matmul %a, %w : (!b, tensor<4x4xf32>) -> !b
    pipe.yield %v : !b
  }
  %1 = pipe.channel %0 axis 0 from 2 to 2 : !b
  %2 = pipe.channel %0 axis 0 from 2 to 2 : !b
  %3 = pipe.stage @s1 on 2 (%a = %1 : !b) -> !b
      attributes {micro_batch = 2 : i64, seconds = array<f64: 1.0, 1.0, 1.0>} {
    %w = graph.parameter @w1 : tensor<4x4xf32>
    %u = graph.matmul %a, %w : (!b, tensor<4x4xf32>) -> !b
    %v = graph.mul %a, %u : !b
    pipe.yield %v : !b
  }
  %4 = pipe.stage @s2 on 3 (%a = %2 : !b) -> !b
      attributes {micro_batch = 2 : i64, seconds = array<f64: 1.0, 1.0, 1.0>} {
    %w = graph.parameter @w2 : tensor<4x4xf32>
    %v = graph.matmul %a, %w : (!b, tensor<4x4xf32>) -> !b
    pipe.yield %v : !b
  }
  %5 = pipe.channel %3 axis 0 from 2 to 2 : !b
  %6 = pipe.channel %4 axis 0 from 2 to 2 : !b
  %7 = pipe.stage @s3 on 4 (%a = %5 : !b, %c = %6 : !b) -> !b
      attributes {micro_batch = 2 : i64, seconds = array<f64: 1.0, 1.0, 1.0>} {
    %v = graph.mul %a, %c : !b
    pipe.yield %v : !b
  }
  pipe.yield %7 : !b
}
