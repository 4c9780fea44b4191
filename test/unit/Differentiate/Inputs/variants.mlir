// Variants of ops whose derivatives depend on their attributes, sizes or types,
// for DerivativeTest.cpp.

!x2 = tensor<?x?xf32, #graph.dims<m, n>>

func.func @matmuls(%a: tensor<3x2x4xf32>, %b: tensor<4x5xf32>, %bt: tensor<5x4xf32>,
    %at: tensor<3x4x2xf32>, %c: tensor<1x4x5xf32>, %d: tensor<6x1x2x4xf32>,
    %e: tensor<3x4x5xf32>, %s: tensor<2x4xf32>) {
  %0 = graph.matmul %a, %b : (tensor<3x2x4xf32>, tensor<4x5xf32>) -> tensor<3x2x5xf32>
  %1 = graph.matmul %a, %bt transpose_b : (tensor<3x2x4xf32>, tensor<5x4xf32>) -> tensor<3x2x5xf32>
  %2 = graph.matmul %at, %b transpose_a : (tensor<3x4x2xf32>, tensor<4x5xf32>) -> tensor<3x2x5xf32>
  %3 = graph.matmul %at, %bt transpose_a transpose_b : (tensor<3x4x2xf32>, tensor<5x4xf32>) -> tensor<3x2x5xf32>
  %4 = graph.matmul %a, %c : (tensor<3x2x4xf32>, tensor<1x4x5xf32>) -> tensor<3x2x5xf32>
  %5 = graph.matmul %d, %e : (tensor<6x1x2x4xf32>, tensor<3x4x5xf32>) -> tensor<6x3x2x5xf32>
  %6 = graph.matmul %s, %e : (tensor<2x4xf32>, tensor<3x4x5xf32>) -> tensor<3x2x5xf32>
  %7 = graph.matmul %c, %bt transpose_a transpose_b : (tensor<1x4x5xf32>, tensor<5x4xf32>) -> tensor<1x5x5xf32>
  return
}

func.func @dynamic(%x: !x2, %y: tensor<?x?xf32, #graph.dims<n, k>>,
    %i: tensor<?xi64, #graph.dims<q>>, %v: tensor<?xf32, #graph.dims<n>>,
    %l: tensor<?xi64, #graph.dims<m>>) {
  %0 = graph.matmul %x, %y : (!x2, tensor<?x?xf32, #graph.dims<n, k>>) -> tensor<?x?xf32, #graph.dims<m, k>>
  %1 = graph.gather %x, %i axis = 1 : (!x2, tensor<?xi64, #graph.dims<q>>) -> tensor<?x?xf32, #graph.dims<m, q>>
  %2 = graph.softmax %x axis = 0 : !x2
  %3 = graph.layer_norm %x, %v, %v axis = 1 epsilon = 1.0e-03 : (!x2, tensor<?xf32, #graph.dims<n>>, tensor<?xf32, #graph.dims<n>>) -> !x2
  %4 = graph.softmax_cross_entropy %x, %l mean : (!x2, tensor<?xi64, #graph.dims<m>>) -> tensor<f32>
  %5 = graph.reduce_mean %x axes = [0] keepdims : (!x2) -> tensor<1x?xf32, #graph.dims<1, n>>
  %6 = graph.concat %x, %x axis = 1 : (!x2, !x2) -> tensor<?x?xf32, #graph.dims<m, 2 * n>>
  %7 = graph.reshape %x shape = [m * n] : (!x2) -> tensor<?xf32, #graph.dims<m * n>>
  %8 = graph.tile %x repeats = [3, m] : (!x2) -> tensor<?x?xf32, #graph.dims<3 * m, m * n>>
  %9 = graph.slice %x starts = [1, n - 1] sizes = [m - 1, n] steps = [1, -1] : (!x2) -> tensor<?x?xf32, #graph.dims<m - 1, n>>
  %10 = graph.pad %x low = [0, n - 1] high = [1, 1] reflect value = 0.0 : (!x2) -> tensor<?x?xf32, #graph.dims<m + 1, 2 * n>>
  %11 = graph.pad %x low = [2, n + 1] high = [m, 1] wrap value = 0.0 : (!x2) -> tensor<?x?xf32, #graph.dims<2 * m + 2, 2 * n + 2>>
  %12 = graph.broadcast %v shape = [m, n] : (tensor<?xf32, #graph.dims<n>>) -> !x2
  return
}

func.func @convs(%x: tensor<2x4x7x8xf32>, %w: tensor<6x4x3x2xf32>, %g: tensor<6x2x2x3xf32>,
    %d: tensor<8x1x3x3xf32>, %l: tensor<2x7x8x4xf32>, %x1: tensor<1x2x9xf32>,
    %w1: tensor<3x2x4xf32>, %x3: tensor<1x2x4x3x5xf32>, %w3: tensor<2x2x2x2x2xf32>) {
  %0 = graph.conv %x, %w strides = [2, 3] pads = [1, 0, 2, 1] dilations = [2, 1] groups = 1 channels_first : (tensor<2x4x7x8xf32>, tensor<6x4x3x2xf32>) -> tensor<2x6x3x3xf32>
  %1 = graph.conv %x, %g strides = [1, 2] pads = [0, 2, 0, 1] dilations = [1, 2] groups = 2 channels_first : (tensor<2x4x7x8xf32>, tensor<6x2x2x3xf32>) -> tensor<2x6x6x4xf32>
  %2 = graph.conv %x, %d strides = [3, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 4 channels_first : (tensor<2x4x7x8xf32>, tensor<8x1x3x3xf32>) -> tensor<2x8x3x8xf32>
  %3 = graph.conv %l, %g strides = [2, 2] pads = [1, 0, 0, 1] dilations = [1, 1] groups = 2 channels_last : (tensor<2x7x8x4xf32>, tensor<6x2x2x3xf32>) -> tensor<2x4x4x6xf32>
  %4 = graph.conv %x1, %w1 strides = [4] pads = [0, 1] dilations = [1] groups = 1 channels_first : (tensor<1x2x9xf32>, tensor<3x2x4xf32>) -> tensor<1x3x2xf32>
  %5 = graph.conv %x3, %w3 strides = [1, 2, 1] pads = [0, 1, 0, 1, 0, 0] dilations = [2, 1, 3] groups = 1 channels_first : (tensor<1x2x4x3x5xf32>, tensor<2x2x2x2x2xf32>) -> tensor<1x2x3x2x2xf32>
  return
}

func.func @convs_last(%x: tensor<2x3x5x4xf32>, %w: tensor<4x3x2x3xf32>, %y: tensor<2x3x2x6xf32>, %z: tensor<2x6x3x2xf32>,
    %a: tensor<2x4x7x8xf32>, %short: tensor<2x6x1x1xf32>) {
  %0 = graph.conv_transpose %x, %w strides = [2, 3] pads = [0, 1, 1, 0] dilations = [1, 2] output_padding = [1, 0] groups = 2 channels_last : (tensor<2x3x5x4xf32>, tensor<4x3x2x3xf32>) -> tensor<2x6x16x6xf32>
  %1 = graph.conv_backward_weight %x, %y kernel = [2, 3] strides = [1, 2] pads = [1, 0] dilations = [1, 1] groups = 2 channels_last : (tensor<2x3x5x4xf32>, tensor<2x3x2x6xf32>) -> tensor<6x2x2x3xf32>
  %2 = graph.conv_backward_weight %a, %z kernel = [3, 2] strides = [3, 4] pads = [1, 0] dilations = [1, 3] groups = 1 : (tensor<2x4x7x8xf32>, tensor<2x6x3x2xf32>) -> tensor<6x4x3x2xf32>
  %3 = graph.conv_backward_weight %a, %short kernel = [2, 3] strides = [1, 1] pads = [2, 0] dilations = [1, 1] groups = 1 : (tensor<2x4x7x8xf32>, tensor<2x6x1x1xf32>) -> tensor<6x4x2x3xf32>
  return
}

func.func @transposed_convs(%x: tensor<2x4x3x4xf32>, %w: tensor<4x5x2x3xf32>, %g: tensor<4x3x3x2xf32>,
    %x1: tensor<1x2x4xf32>, %w1: tensor<2x3x3xf32>) {
  %0 = graph.conv_transpose %x, %w strides = [2, 1] pads = [0, 1, 1, 0] dilations = [1, 2] output_padding = [1, 0] groups = 1 : (tensor<2x4x3x4xf32>, tensor<4x5x2x3xf32>) -> tensor<2x5x6x7xf32>
  %1 = graph.conv_transpose %x, %g strides = [3, 2] pads = [1, 0, 1, 1] dilations = [2, 1] output_padding = [2, 1] groups = 2 : (tensor<2x4x3x4xf32>, tensor<4x3x3x2xf32>) -> tensor<2x6x11x8xf32>
  %2 = graph.conv_transpose %x1, %w1 strides = [2] pads = [0, 0] dilations = [1] output_padding = [5] groups = 1 : (tensor<1x2x4xf32>, tensor<2x3x3xf32>) -> tensor<1x3x14xf32>
  return
}

func.func @pools(%x: tensor<2x3x8x7xf32>, %l: tensor<2x8x7x3xf32>) {
  %0 = graph.max_pool %x kernel = [3, 2] strides = [2, 2] pads = [1, 0, 1, 0] dilations = [1, 1] ceil channels_first : (tensor<2x3x8x7xf32>) -> tensor<2x3x5x4xf32>
  %1 = graph.max_pool %l kernel = [3, 2] strides = [2, 1] pads = [0, 1, 0, 0] dilations = [1, 2] channels_last : (tensor<2x8x7x3xf32>) -> tensor<2x3x6x3xf32>
  %2 = graph.avg_pool %x kernel = [3, 3] strides = [2, 2] pads = [1, 1, 1, 1] dilations = [1, 1] channels_first : (tensor<2x3x8x7xf32>) -> tensor<2x3x4x4xf32>
  %3 = graph.avg_pool %x kernel = [3, 3] strides = [2, 2] pads = [1, 1, 0, 1] dilations = [1, 1] ceil channels_first count_include_pad : (tensor<2x3x8x7xf32>) -> tensor<2x3x4x4xf32>
  %4 = graph.avg_pool %x kernel = [3, 2] strides = [3, 3] pads = [0, 0, 1, 0] dilations = [2, 1] ceil channels_first : (tensor<2x3x8x7xf32>) -> tensor<2x3x3x3xf32>
  %5 = graph.avg_pool %l kernel = [2, 2] strides = [2, 2] pads = [0, 0, 0, 0] dilations = [1, 1] channels_last : (tensor<2x8x7x3xf32>) -> tensor<2x4x3x3xf32>
  %6 = graph.lp_pool %x kernel = [2, 3] strides = [2, 1] pads = [1, 0, 0, 1] dilations = [1, 1] channels_first p = 1 : (tensor<2x3x8x7xf32>) -> tensor<2x3x4x6xf32>
  %7 = graph.lp_pool %x kernel = [2, 3] strides = [2, 1] pads = [1, 0, 0, 1] dilations = [1, 1] channels_first p = 3 : (tensor<2x3x8x7xf32>) -> tensor<2x3x4x6xf32>
  %8 = graph.lp_pool %l kernel = [2, 3] strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] channels_last p = 2 : (tensor<2x8x7x3xf32>) -> tensor<2x7x5x3xf32>
  %9 = graph.lrn %x size = 2 alpha = 0.3 beta = 0.75 bias = 1.5 : tensor<2x3x8x7xf32>
  return
}

func.func @moves(%x: tensor<4x6xf32>, %y: tensor<4x3xf32>, %e: tensor<0x6xf32>) {
  %0 = graph.slice %x starts = [3, 0] sizes = [2, 2] steps = [-3, 4] : (tensor<4x6xf32>) -> tensor<2x2xf32>
  %1 = graph.slice %x starts = [9, 1] sizes = [0, 3] steps = [1, 2] : (tensor<4x6xf32>) -> tensor<0x3xf32>
  %2 = graph.slice %x starts = [0, 5] sizes = [4, 3] steps = [1, -2] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %3 = graph.pad %x low = [1, 2] high = [3, 0] edge value = 0.0 : (tensor<4x6xf32>) -> tensor<8x8xf32>
  %4 = graph.pad %x low = [3, 5] high = [0, 4] reflect value = 0.0 : (tensor<4x6xf32>) -> tensor<7x15xf32>
  %5 = graph.pad %x low = [9, 1] high = [2, 13] wrap value = 0.0 : (tensor<4x6xf32>) -> tensor<15x20xf32>
  %6 = graph.pad %x low = [1, 0] high = [0, 2] constant value = 3.0 : (tensor<4x6xf32>) -> tensor<5x8xf32>
  %7 = graph.concat %y, %x, %y axis = 1 : (tensor<4x3xf32>, tensor<4x6xf32>, tensor<4x3xf32>) -> tensor<4x12xf32>
  %8 = graph.concat %e, %x axis = 0 : (tensor<0x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %9 = graph.tile %x repeats = [2, 3] : (tensor<4x6xf32>) -> tensor<8x18xf32>
  %10 = graph.broadcast %x shape = [2, 4, 6] : (tensor<4x6xf32>) -> tensor<2x4x6xf32>
  %11 = graph.reverse %x axes = [0, 1] : tensor<4x6xf32>
  return
}

// Without elements, all derivatives are 0.
func.func @empty(%x: tensor<1x2x0xf32>, %w: tensor<2x3x3xf32>, %n: tensor<0x2x5xf32>, %a: tensor<3x0xf32>, %b: tensor<0x4xf32>) {
  %0 = graph.conv_transpose %x, %w strides = [2] pads = [0, 0] dilations = [1] output_padding = [3] groups = 1 : (tensor<1x2x0xf32>, tensor<2x3x3xf32>) -> tensor<1x3x4xf32>
  %1 = graph.conv_transpose %n, %w strides = [2] pads = [1, 1] dilations = [1] output_padding = [0] groups = 1 : (tensor<0x2x5xf32>, tensor<2x3x3xf32>) -> tensor<0x3x9xf32>
  %2 = graph.matmul %a, %b : (tensor<3x0xf32>, tensor<0x4xf32>) -> tensor<3x4xf32>
  %3 = graph.max_pool %n kernel = [2] strides = [1] pads = [0, 0] dilations = [1] channels_first : (tensor<0x2x5xf32>) -> tensor<0x2x4xf32>
  %4 = graph.softmax %a axis = 1 : tensor<3x0xf32>
  return
}

func.func @reductions(%x: tensor<2x3x4xf32>, %e: tensor<2x0xf32>) {
  %0 = graph.reduce_prod %x axes = [0, 2] : (tensor<2x3x4xf32>) -> tensor<3xf32>
  %1 = graph.reduce_prod %x axes = [1] keepdims : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
  %2 = graph.reduce_max %x axes = [0, 1] : (tensor<2x3x4xf32>) -> tensor<4xf32>
  %3 = graph.reduce_min %x axes = [2] keepdims : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  %4 = graph.reduce_l1 %x axes = [0, 2] : (tensor<2x3x4xf32>) -> tensor<3xf32>
  %5 = graph.reduce_l2 %x axes = [0, 2] keepdims : (tensor<2x3x4xf32>) -> tensor<1x3x1xf32>
  %6 = graph.reduce_log_sum_exp %x axes = [1, 2] : (tensor<2x3x4xf32>) -> tensor<2xf32>
  %7 = graph.reduce_sum_square %x axes = [] : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %8 = graph.reduce_sum %e axes = [1] : (tensor<2x0xf32>) -> tensor<2xf32>
  %9 = graph.cumsum %x axis = 1 exclusive reverse : tensor<2x3x4xf32>
  %10 = graph.cumprod %x axis = 1 : tensor<2x3x4xf32>
  %11 = graph.cumprod %x axis = 0 exclusive : tensor<2x3x4xf32>
  %12 = graph.cumprod %x axis = 2 reverse : tensor<2x3x4xf32>
  %13 = graph.cumprod %x axis = 2 exclusive reverse : tensor<2x3x4xf32>
  %14, %15 = graph.top_k %x axis = 1 k = 2 smallest : (tensor<2x3x4xf32>) -> (tensor<2x2x4xf32>, tensor<2x2x4xi64>)
  return
}

func.func @gathers(%x: tensor<4x5x3xf32>, %i: tensor<2x6xi64>, %s: tensor<i64>,
    %e: tensor<4x7x3xi64>, %b: tensor<4x6x1xi32>, %p: tensor<6x2xi64>,
    %u: tensor<4x7x3xf32>, %v: tensor<6x3xf32>) {
  %0 = graph.gather %x, %i axis = 1 : (tensor<4x5x3xf32>, tensor<2x6xi64>) -> tensor<4x2x6x3xf32>
  %1 = graph.gather %x, %i axis = 2 : (tensor<4x5x3xf32>, tensor<2x6xi64>) -> tensor<4x5x2x6xf32>
  %2 = graph.gather %x, %s axis = 1 : (tensor<4x5x3xf32>, tensor<i64>) -> tensor<4x3xf32>
  %3 = graph.gather_elements %x, %e axis = 1 : (tensor<4x5x3xf32>, tensor<4x7x3xi64>) -> tensor<4x7x3xf32>
  %4 = graph.gather_nd %x, %b batch_dims = 1 : (tensor<4x5x3xf32>, tensor<4x6x1xi32>) -> tensor<4x6x3xf32>
  %5 = graph.gather_nd %x, %p batch_dims = 0 : (tensor<4x5x3xf32>, tensor<6x2xi64>) -> tensor<6x3xf32>
  %6 = graph.scatter_elements %x, %e, %u axis = 1 none : (tensor<4x5x3xf32>, tensor<4x7x3xi64>, tensor<4x7x3xf32>) -> tensor<4x5x3xf32>
  %7 = graph.scatter_elements %x, %e, %u axis = 1 add : (tensor<4x5x3xf32>, tensor<4x7x3xi64>, tensor<4x7x3xf32>) -> tensor<4x5x3xf32>
  %8 = graph.scatter_elements %x, %e, %u axis = 1 max : (tensor<4x5x3xf32>, tensor<4x7x3xi64>, tensor<4x7x3xf32>) -> tensor<4x5x3xf32>
  %9 = graph.scatter_nd %x, %p, %v none : (tensor<4x5x3xf32>, tensor<6x2xi64>, tensor<6x3xf32>) -> tensor<4x5x3xf32>
  %10 = graph.scatter_nd %x, %p, %v add : (tensor<4x5x3xf32>, tensor<6x2xi64>, tensor<6x3xf32>) -> tensor<4x5x3xf32>
  %11 = graph.scatter_nd %x, %p, %v min : (tensor<4x5x3xf32>, tensor<6x2xi64>, tensor<6x3xf32>) -> tensor<4x5x3xf32>
  return
}

func.func @resizes(%x: tensor<1x2x4x5xf32>, %v: tensor<5xf32>) {
  %0 = graph.resize %x shape = [1, 2, 8, 5] scales = [1.0, 1.0, 2.0, 1.0] nearest asymmetric floor cubic_coeff = -7.5e-01 : (tensor<1x2x4x5xf32>) -> tensor<1x2x8x5xf32>
  %1 = graph.resize %x shape = [1, 2, 6, 3] scales = [1.0, 1.0, 1.5, 0.6] linear half_pixel round_prefer_floor cubic_coeff = -7.5e-01 : (tensor<1x2x4x5xf32>) -> tensor<1x2x6x3xf32>
  %2 = graph.resize %x shape = [1, 2, 7, 9] scales = [1.0, 1.0, 1.75, 1.8] cubic half_pixel round_prefer_floor cubic_coeff = -7.5e-01 exclude_outside : (tensor<1x2x4x5xf32>) -> tensor<1x2x7x9xf32>
  %3 = graph.resize %x shape = [1, 2, 7, 9] scales = [1.0, 1.0, 1.75, 1.8] linear align_corners round_prefer_floor cubic_coeff = -7.5e-01 : (tensor<1x2x4x5xf32>) -> tensor<1x2x7x9xf32>
  %4 = graph.resize %v shape = [12] scales = [2.4] cubic asymmetric round_prefer_floor cubic_coeff = -0.5 : (tensor<5xf32>) -> tensor<12xf32>
  return
}

func.func @losses(%x: tensor<4x5x2xf32>, %l: tensor<4x2xi64>, %w: tensor<5xf32>, %y: tensor<4x5x2xf32>) {
  %0 = graph.softmax_cross_entropy %x, %l none : (tensor<4x5x2xf32>, tensor<4x2xi64>) -> tensor<4x2xf32>
  %1 = graph.softmax_cross_entropy %x, %l, %w sum ignore_index = 1 : (tensor<4x5x2xf32>, tensor<4x2xi64>, tensor<5xf32>) -> tensor<f32>
  %2 = graph.softmax_cross_entropy %x, %l mean ignore_index = 0 : (tensor<4x5x2xf32>, tensor<4x2xi64>) -> tensor<f32>
  %3 = graph.nll_loss %x, %l none : (tensor<4x5x2xf32>, tensor<4x2xi64>) -> tensor<4x2xf32>
  %4 = graph.nll_loss %x, %l mean : (tensor<4x5x2xf32>, tensor<4x2xi64>) -> tensor<f32>
  %5 = graph.mse_loss %x, %y none : (tensor<4x5x2xf32>, tensor<4x5x2xf32>) -> tensor<4x5x2xf32>
  %6 = graph.mse_loss %x, %y sum : (tensor<4x5x2xf32>, tensor<4x5x2xf32>) -> tensor<f32>
  return
}

func.func @norms(%x: tensor<2x4x3x2xf32>, %c: tensor<4xf32>, %s: tensor<4x1x1xf32>, %p: tensor<3x2xf32>) {
  %0 = graph.layer_norm %x, %p axis = 2 epsilon = 1.0e-02 : (tensor<2x4x3x2xf32>, tensor<3x2xf32>) -> tensor<2x4x3x2xf32>
  %1 = graph.layer_norm %x, %s, %p axis = 1 epsilon = 1.0e-02 : (tensor<2x4x3x2xf32>, tensor<4x1x1xf32>, tensor<3x2xf32>) -> tensor<2x4x3x2xf32>
  %2 = graph.rms_norm %x, %s axis = 2 epsilon = 1.0e-02 : (tensor<2x4x3x2xf32>, tensor<4x1x1xf32>) -> tensor<2x4x3x2xf32>
  %3 = graph.group_norm %x, %c, %c groups = 2 epsilon = 1.0e-02 : (tensor<2x4x3x2xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4x3x2xf32>
  %4 = graph.batch_norm %x, %c, %c, %c, %c axis = 1 epsilon = 1.0e-02 : (tensor<2x4x3x2xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4x3x2xf32>
  return
}

func.func @attentions(%q: tensor<2x4x3x4xf32>, %k: tensor<2x2x5x4xf32>, %v: tensor<2x2x5x3xf32>, %m: tensor<3x5xf32>) {
  %0 = graph.attention %q, %k, %v scale = 0.5 : (tensor<2x4x3x4xf32>, tensor<2x2x5x4xf32>, tensor<2x2x5x3xf32>) -> tensor<2x4x3x3xf32>
  %1 = graph.attention %q, %k, %v, %m scale = 0.5 causal : (tensor<2x4x3x4xf32>, tensor<2x2x5x4xf32>, tensor<2x2x5x3xf32>, tensor<3x5xf32>) -> tensor<2x4x3x3xf32>
  return
}

// In the narrow types, the types of all values between must agree.
func.func @narrow(%x: tensor<2x3xf16>, %y: tensor<2x3xbf16>, %l: tensor<2xi64>, %v: tensor<3xf16>,
    %i: tensor<1x2x4x4xbf16>, %w: tensor<3x2x2x2xbf16>) {
  %0 = graph.softmax %x axis = 1 : tensor<2x3xf16>
  %1 = graph.silu %y : tensor<2x3xbf16>
  %2 = graph.gelu %x : tensor<2x3xf16>
  %3 = graph.softmax_cross_entropy %x, %l mean : (tensor<2x3xf16>, tensor<2xi64>) -> tensor<f16>
  %4 = graph.layer_norm %x, %v, %v axis = 1 epsilon = 1.0e-03 : (tensor<2x3xf16>, tensor<3xf16>, tensor<3xf16>) -> tensor<2x3xf16>
  %5 = graph.conv %i, %w strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] groups = 1 channels_first : (tensor<1x2x4x4xbf16>, tensor<3x2x2x2xbf16>) -> tensor<1x3x3x3xbf16>
  %6 = graph.reduce_max %y axes = [1] : (tensor<2x3xbf16>) -> tensor<2xbf16>
  %7 = graph.reduce_prod %y axes = [1] : (tensor<2x3xbf16>) -> tensor<2xbf16>
  %8 = graph.avg_pool %i kernel = [2, 2] strides = [1, 1] pads = [1, 0, 0, 0] dilations = [1, 1] channels_first : (tensor<1x2x4x4xbf16>) -> tensor<1x2x4x3xbf16>
  %9 = graph.cast %x to f32 : tensor<2x3xf16>
  %10 = graph.mish %y : tensor<2x3xbf16>
  %11 = graph.reduce_l2 %x axes = [0] : (tensor<2x3xf16>) -> tensor<3xf16>
  %12 = graph.lrn %i size = 3 alpha = 0.3 beta = 0.75 bias = 1.5 : tensor<1x2x4x4xbf16>
  %13 = graph.cumprod %x axis = 1 : tensor<2x3xf16>
  %14 = graph.resize %i shape = [1, 2, 8, 4] scales = [1.0, 1.0, 2.0, 1.0] linear half_pixel round_prefer_floor cubic_coeff = -7.5e-01 : (tensor<1x2x4x4xbf16>) -> tensor<1x2x8x4xbf16>
  return
}
