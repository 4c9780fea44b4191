// RUN: tenon-interpret %s | FileCheck %s

// What the ONNX standard's tests do not reach. Numbers are easy to check by
// hand: where all scores are equal, attention is the mean of the values seen.
func.func @main() -> (tensor<1x2x1xf32>, tensor<2x2x1xf32>, tensor<1x1x1xf32>, tensor<1x1xf32>,
                      tensor<1x1x1xf32>, tensor<1x1xf32>, tensor<1x1x1xf32>, tensor<1x1xf32>,
                      tensor<1x1x1xf32>, tensor<1x1xf32>,
                      tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>,
                      tensor<f32>, tensor<f32>, tensor<2xf32>, tensor<f32>, tensor<2x2xf32>) {
  // Query i of 2 sees keys up to i + 3 - 2.
  // CHECK: result0 = f32 1x2x1 [1.5, 3]
  %q = graph.constant dense<0.0> : tensor<1x2x4xf32>
  %k = graph.constant dense<1.0> : tensor<1x3x4xf32>
  %v = graph.constant dense<[[[1.0], [2.0], [6.0]]]> : tensor<1x3x1xf32>
  %0 = graph.attention %q, %k, %v scale = 0.5 causal : (tensor<1x2x4xf32>, tensor<1x3x4xf32>, tensor<1x3x1xf32>) -> tensor<1x2x1xf32>
  // Two heads share the keys of one.
  // CHECK: result1 = f32 2x2x1 [3, 3, 3, 3]
  %q2 = graph.constant dense<0.0> : tensor<2x2x4xf32>
  %1 = graph.attention %q2, %k, %v scale = 0.5 : (tensor<2x2x4xf32>, tensor<1x3x4xf32>, tensor<1x3x1xf32>) -> tensor<2x2x1xf32>

  // A part over keys that are all hidden gives 0 and -inf, and weighs nothing.
  %q1 = graph.constant dense<0.0> : tensor<1x1x4xf32>
  %hidden = graph.constant dense<0xFF800000> : tensor<1x3xf32>
  // CHECK: result2 = f32 1x1x1 [0]
  // CHECK: result3 = f32 1x1 [-inf]
  %2:2 = graph.attention_partial %q1, %k, %v, %hidden scale = 0.5 : (tensor<1x1x4xf32>, tensor<1x3x4xf32>, tensor<1x3x1xf32>, tensor<1x3xf32>) -> (tensor<1x1x1xf32>, tensor<1x1xf32>)
  // CHECK: result4 = f32 1x1x1 [3]
  // CHECK: result5 = f32 1x1 [1.0986
  %3:2 = graph.attention_partial %q1, %k, %v scale = 0.5 : (tensor<1x1x4xf32>, tensor<1x3x4xf32>, tensor<1x3x1xf32>) -> (tensor<1x1x1xf32>, tensor<1x1xf32>)
  // CHECK: result6 = f32 1x1x1 [3]
  // CHECK: result7 = f32 1x1 [1.0986
  %4:2 = graph.attention_merge %2#0, %2#1, %3#0, %3#1 : (tensor<1x1x1xf32>, tensor<1x1xf32>, tensor<1x1x1xf32>, tensor<1x1xf32>) -> (tensor<1x1x1xf32>, tensor<1x1xf32>)
  // CHECK: result8 = f32 1x1x1 [0]
  // CHECK: result9 = f32 1x1 [-inf]
  %5:2 = graph.attention_merge %2#0, %2#1, %2#0, %2#1 : (tensor<1x1x1xf32>, tensor<1x1xf32>, tensor<1x1x1xf32>, tensor<1x1xf32>) -> (tensor<1x1x1xf32>, tensor<1x1xf32>)

  %table = graph.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]]> : tensor<3x2xf32>
  %bags = graph.constant dense<[[0, 2], [1, -1]]> : tensor<2x2xi64>
  // CHECK: result10 = f32 2x2 [6, 9, 8, 11]
  %6 = graph.embedding_bag %table, %bags sum : (tensor<3x2xf32>, tensor<2x2xi64>) -> tensor<2x2xf32>
  // CHECK: result11 = f32 2x2 [3, 4.5, 4, 5.5]
  %7 = graph.embedding_bag %table, %bags mean : (tensor<3x2xf32>, tensor<2x2xi64>) -> tensor<2x2xf32>
  // CHECK: result12 = f32 2x2 [5, 7, 5, 7]
  %8 = graph.embedding_bag %table, %bags max : (tensor<3x2xf32>, tensor<2x2xi64>) -> tensor<2x2xf32>

  // Items with the ignored label, here -1, count nowhere.
  %logs = graph.constant dense<[[-1.0, -2.0], [-4.0, 0xFF800000]]> : tensor<2x2xf32>
  %labels = graph.constant dense<[1, -1]> : tensor<2xi64>
  // CHECK: result13 = f32 scalar [2]
  %9 = graph.nll_loss %logs, %labels mean ignore_index = -1 : (tensor<2x2xf32>, tensor<2xi64>) -> tensor<f32>
  // The mean divides by the weights that count.
  // CHECK: result14 = f32 scalar [2]
  %weight = graph.constant dense<[1.0, 0.25]> : tensor<2xf32>
  %10 = graph.nll_loss %logs, %labels, %weight mean ignore_index = -1 : (tensor<2x2xf32>, tensor<2xi64>, tensor<2xf32>) -> tensor<f32>
  // CHECK: result15 = f32 2 [0.5, 0]
  %11 = graph.nll_loss %logs, %labels, %weight none ignore_index = -1 : (tensor<2x2xf32>, tensor<2xi64>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK: result16 = f32 scalar [1.5]
  %target = graph.constant dense<[[0.0, -1.0], [-6.0, 3.0]]> : tensor<2x2xf32>
  %prediction = graph.constant dense<[[1.0, -3.0], [-6.0, 4.0]]> : tensor<2x2xf32>
  %12 = graph.mse_loss %prediction, %target mean : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<f32>
  // CHECK: result17 = f32 2x2 [1, 0, 0, 1]
  %13 = graph.hardmax %target axis = 0 : tensor<2x2xf32>
  return %0, %1, %2#0, %2#1, %3#0, %3#1, %4#0, %4#1, %5#0, %5#1, %6, %7, %8, %9, %10, %11, %12, %13
      : tensor<1x2x1xf32>, tensor<2x2x1xf32>, tensor<1x1x1xf32>, tensor<1x1xf32>,
        tensor<1x1x1xf32>, tensor<1x1xf32>, tensor<1x1x1xf32>, tensor<1x1xf32>,
        tensor<1x1x1xf32>, tensor<1x1xf32>,
        tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>,
        tensor<f32>, tensor<f32>, tensor<2xf32>, tensor<f32>, tensor<2x2xf32>
}
