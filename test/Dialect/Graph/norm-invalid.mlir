// RUN: tenon-opt %s --split-input-file --verify-diagnostics

func.func @softmax_axis(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{expected an axis from 0 to 1, but got 2}}
  %0 = graph.softmax %x axis = 2 : tensor<2x3xf32>
  return
}

// -----

func.func @softmax_of_integers(%x: tensor<2x3xi32>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of 64-bit float}}
  %0 = graph.softmax %x axis = 1 : tensor<2x3xi32>
  return
}

// -----

func.func @layer_norm_scale(%x: tensor<2x3xf32>, %s: tensor<2xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{scale: expected a shape that broadcasts to [2, 3], but got [2]}}
  %0 = graph.layer_norm %x, %s axis = 1 epsilon = 0.0 : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @layer_norm_bias(%x: tensor<2x3xf32>, %s: tensor<3xf32>, %b: tensor<1x2x3xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{bias: expected a shape that broadcasts to [2, 3], but got [1, 2, 3]}}
  %0 = graph.layer_norm %x, %s, %b axis = 1 epsilon = 0.0 : (tensor<2x3xf32>, tensor<3xf32>, tensor<1x2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @layer_norm_elements(%x: tensor<2x3xf32>, %s: tensor<3xf64>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{operand #1: expected elements of type 'f32', but got 'f64'}}
  %0 = graph.layer_norm %x, %s axis = 1 epsilon = 0.0 : (tensor<2x3xf32>, tensor<3xf64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @epsilon_negative(%x: tensor<2x3xf32>, %s: tensor<3xf32>) {
  // expected-error@+1 {{epsilon: expected a finite number not below 0, but got -1.0}}
  %0 = graph.rms_norm %x, %s axis = 1 epsilon = -1.0 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @epsilon_nan(%x: tensor<2x3xf32>, %s: tensor<3xf32>) {
  // expected-error@+1 {{epsilon: expected a finite number not below 0, but got}}
  %0 = graph.rms_norm %x, %s axis = 1 epsilon = 0x7FF8000000000000 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @batch_norm_mean(%x: tensor<2x3xf32>, %s: tensor<3xf32>, %m: tensor<4xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{mean: expected shape [3], but got [4]}}
  %0 = graph.batch_norm %x, %s, %s, %m, %s axis = 1 epsilon = 0.0 : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @group_norm_groups(%x: tensor<2x6x4xf32>, %s: tensor<6xf32>) {
  // expected-error@+1 {{groups: expected a divisor of the 6 channels, but got 4}}
  %0 = graph.group_norm %x, %s, %s groups = 4 epsilon = 0.0 : (tensor<2x6x4xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<2x6x4xf32>
  return
}

// -----

func.func @group_norm_zero(%x: tensor<2x6x4xf32>, %s: tensor<6xf32>) {
  // expected-error@+1 {{groups: expected 1 or more, but got 0}}
  %0 = graph.group_norm %x, %s, %s groups = 0 epsilon = 0.0 : (tensor<2x6x4xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<2x6x4xf32>
  return
}

// -----

func.func @group_norm_rank(%x: tensor<6xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{x: expected rank 2 or more, but got 'tensor<6xf32>'}}
  %0 = graph.group_norm %x, %x, %x groups = 2 epsilon = 0.0 : (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
  return
}

// -----

func.func @attention_rank(%q: tensor<5x4xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{q: expected rank 3 or more, but got 'tensor<5x4xf32>'}}
  %0 = graph.attention %q, %q, %q scale = 1.0 : (tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>) -> tensor<5x4xf32>
  return
}

// -----

func.func @attention_heads(%q: tensor<8x5x4xf32>, %k: tensor<3x5x4xf32>) {
  // expected-error@+1 {{heads of q: expected a multiple of the 3 heads of k, but got 8}}
  %0 = graph.attention %q, %k, %k scale = 1.0 : (tensor<8x5x4xf32>, tensor<3x5x4xf32>, tensor<3x5x4xf32>) -> tensor<8x5x4xf32>
  return
}

// -----

func.func @attention_no_heads(%q: tensor<8x5x4xf32>, %k: tensor<0x5x4xf32>) {
  // expected-error@+1 {{heads of q: expected a multiple of the 0 heads of k, but got 8}}
  %0 = graph.attention %q, %k, %k scale = 1.0 : (tensor<8x5x4xf32>, tensor<0x5x4xf32>, tensor<0x5x4xf32>) -> tensor<8x5x4xf32>
  return
}

// -----

func.func @attention_depth(%q: tensor<8x5x4xf32>, %k: tensor<8x5x3xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{depth of k: expected 4, but got 3}}
  %0 = graph.attention %q, %k, %k scale = 1.0 : (tensor<8x5x4xf32>, tensor<8x5x3xf32>, tensor<8x5x3xf32>) -> tensor<8x5x3xf32>
  return
}

// -----

func.func @attention_mask(%q: tensor<8x5x4xf32>, %m: tensor<4x5xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{mask: expected a shape that broadcasts to [8, 5, 5], but got [4, 5]}}
  %0 = graph.attention %q, %q, %q, %m scale = 1.0 : (tensor<8x5x4xf32>, tensor<8x5x4xf32>, tensor<8x5x4xf32>, tensor<4x5xf32>) -> tensor<8x5x4xf32>
  return
}

// -----

func.func @attention_partial_heads(%q: tensor<8x5x4xf32>, %k: tensor<2x5x4xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{heads of k: expected 8 like q, but got 2}}
  %0:2 = graph.attention_partial %q, %k, %k scale = 1.0 : (tensor<8x5x4xf32>, tensor<2x5x4xf32>, tensor<2x5x4xf32>) -> (tensor<8x5x4xf32>, tensor<8x5xf32>)
  return
}

// -----

func.func @attention_merge(%o: tensor<8x5x4xf32>, %l: tensor<8x4xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{lse_a: expected shape [8, 5] like out_a without its last axis, but got [8, 4]}}
  %0:2 = graph.attention_merge %o, %l, %o, %l : (tensor<8x5x4xf32>, tensor<8x4xf32>, tensor<8x5x4xf32>, tensor<8x4xf32>) -> (tensor<8x5x4xf32>, tensor<8x4xf32>)
  return
}

// -----

func.func @table_rank(%t: tensor<8x5x4xf32>, %i: tensor<2xi64>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{table: expected rank 2, but got 'tensor<8x5x4xf32>'}}
  %0 = graph.embedding %t, %i : (tensor<8x5x4xf32>, tensor<2xi64>) -> tensor<2x4xf32>
  return
}

// -----

func.func @bag_of_scalar(%t: tensor<8x5xf32>, %i: tensor<i64>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{indices: expected rank 1 or more, but got 'tensor<i64>'}}
  %0 = graph.embedding_bag %t, %i sum : (tensor<8x5xf32>, tensor<i64>) -> tensor<5xf32>
  return
}

// -----

func.func @mse_shapes(%p: tensor<8x5xf32>, %t: tensor<8x4xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{target: expected shape [8, 5] like prediction, but got [8, 4]}}
  %0 = graph.mse_loss %p, %t mean : (tensor<8x5xf32>, tensor<8x4xf32>) -> tensor<f32>
  return
}

// -----

func.func @nll_labels(%p: tensor<8x5x2xf32>, %l: tensor<8x5xi64>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{labels: expected shape [8, 2] like the scores without axis 1, but got [8, 5]}}
  %0 = graph.nll_loss %p, %l mean : (tensor<8x5x2xf32>, tensor<8x5xi64>) -> tensor<f32>
  return
}

// -----

func.func @nll_weight(%p: tensor<8x5xf32>, %l: tensor<8xi64>, %w: tensor<4xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{weight: expected 'tensor<5xf32>', but got 'tensor<4xf32>'}}
  %0 = graph.nll_loss %p, %l, %w mean : (tensor<8x5xf32>, tensor<8xi64>, tensor<4xf32>) -> tensor<f32>
  return
}

// -----

func.func @loss_rank(%p: tensor<8xf32>, %l: tensor<i64>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{scores: expected rank 2 or more, but got 'tensor<8xf32>'}}
  %0 = graph.softmax_cross_entropy %p, %l mean : (tensor<8xf32>, tensor<i64>) -> tensor<f32>
  return
}

// -----

func.func @constant_kind() {
  // expected-error@+1 {{value: expected a ranked tensor of an element type of the graph dialect, but got 'vector<2xf32>'}}
  %0 = graph.constant dense<0.0> : vector<2xf32>
  return
}

// -----

func.func @constant_element() {
  // expected-error@+1 {{value: expected a ranked tensor of an element type of the graph dialect, but got 'tensor<2xi4>'}}
  %0 = graph.constant dense<0> : tensor<2xi4>
  return
}

// -----

func.func @parameter_dynamic() {
  // expected-error@+1 {{expected a static shape, but got 'tensor<?xf32>'}}
  %0 = graph.parameter @w : tensor<?xf32>
  return
}

// -----

func.func @parameter_name() {
  // expected-error@+1 {{expected a name}}
  %0 = graph.parameter @"" : tensor<2xf32>
  return
}

// -----

func.func @dropout(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected a ratio in [0, 1), but got 1.0}}
  %0 = graph.dropout %x ratio = 1.0 stream = "a" : tensor<4xf32>
  return
}

// -----

func.func @dropout_nan(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected a ratio in [0, 1), but got nan}}
  %0 = graph.dropout %x ratio = 0x7FF8000000000000 stream = "a" : tensor<4xf32>
  return
}
