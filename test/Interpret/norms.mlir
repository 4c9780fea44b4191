// Results worked out by hand.
// RUN: tenon-interpret %s | FileCheck %s
// RUN: tenon-interpret %s --naive | FileCheck %s

func.func @main() -> (tensor<1x2xf32> {graph.name = "softmax"},
                      tensor<1x2xf32> {graph.name = "layer"},
                      tensor<1x2x1xf32> {graph.name = "batch"},
                      tensor<1x1x2xf32> {graph.name = "attention"},
                      tensor<2x2xf32> {graph.name = "embedding"},
                      tensor<f32> {graph.name = "mse"}) {
  // ln 3: probabilities 1/4 and 3/4.
  %x = graph.constant dense<[[0.0, 1.0986122886681098]]> : tensor<1x2xf32>
  %0 = graph.softmax %x axis = 1 : tensor<1x2xf32>
  %y = graph.constant dense<[[1.0, 3.0]]> : tensor<1x2xf32>
  %s = graph.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %b = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = graph.layer_norm %y, %s, %b axis = 1 epsilon = 0.0 : (tensor<1x2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  %z = graph.constant dense<[[[5.0], [7.0]]]> : tensor<1x2x1xf32>
  %m = graph.constant dense<[1.0, 3.0]> : tensor<2xf32>
  %v = graph.constant dense<[4.0, 16.0]> : tensor<2xf32>
  %2 = graph.batch_norm %z, %s, %b, %m, %v axis = 1 epsilon = 0.0
    : (tensor<1x2x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x1xf32>
  %q = graph.constant dense<[[[1.0]]]> : tensor<1x1x1xf32>
  %k = graph.constant dense<[[[0.0], [1.0986122886681098]]]> : tensor<1x2x1xf32>
  %w = graph.constant dense<[[[4.0, 0.0], [0.0, 4.0]]]> : tensor<1x2x2xf32>
  %3 = graph.attention %q, %k, %w scale = 1.0 : (tensor<1x1x1xf32>, tensor<1x2x1xf32>, tensor<1x2x2xf32>) -> tensor<1x1x2xf32>
  %t = graph.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %i = graph.constant dense<[2, 0]> : tensor<2xi64>
  %4 = graph.embedding %t, %i : (tensor<3x2xf32>, tensor<2xi64>) -> tensor<2x2xf32>
  %5 = graph.mse_loss %y, %x mean : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<f32>
  return %0, %1, %2, %3, %4, %5
    : tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2x1xf32>, tensor<1x1x2xf32>, tensor<2x2xf32>, tensor<f32>
}

// CHECK: softmax = f32 1x2 [0.25, 0.75]
// CHECK: layer = f32 1x2 [-9, 22]
// CHECK: batch = f32 1x2x1 [21, 22]
// CHECK: attention = f32 1x1x2 [1, 3]
// CHECK: embedding = f32 2x2 [5, 6, 1, 2]
// (1 + (3 - ln 3)^2) / 2
// CHECK: mse = f32 scalar [2.30763{{.*}}]
