// RUN: tenon-opt %s --graph-set-precision=precision=bf16 --split-input-file | FileCheck %s --check-prefixes=CHECK,BF16
// RUN: tenon-opt %s --graph-set-precision=precision=f16 --split-input-file | FileCheck %s --check-prefixes=CHECK,F16
// RUN: tenon-opt %s --split-input-file | FileCheck %s --check-prefix=BEFORE

// BEFORE-LABEL: func.func @layer
// BEFORE-NOT: {{f16}}

// Products, and what follows them, in 16 bits; norms and softmax in f32, whose
// results are stored in 16 bits where a product takes them. The bias is rounded
// before it is repeated; scale and shift of the norm are not rounded.
// CHECK-LABEL: func.func @layer(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<?x8xf32, #graph.dims<n, 8>>) -> tensor<?x4xf32, #graph.dims<n, 4>>
// CHECK-DAG:     %[[XH:.*]] = graph.cast %[[X]] to [[H:b?f16]]
// CHECK-DAG:     %[[W:.*]] = graph.parameter @w : tensor<8x4xf32>
// CHECK-DAG:     %[[WH:.*]] = graph.cast %[[W]] to [[H]]
// CHECK-DAG:     %[[B:.*]] = graph.parameter @b : tensor<4xf32>
// CHECK-DAG:     %[[BH:.*]] = graph.cast %[[B]] to [[H]]
// CHECK:         %[[Y:.*]] = graph.matmul %[[XH]], %[[WH]] : {{.*}} -> tensor<?x4x[[H]], #graph.dims<n, 4>>
// CHECK:         %[[BB:.*]] = graph.broadcast %[[BH]] shape = [n, 4] : (tensor<4x[[H]]>)
// CHECK:         %[[Z:.*]] = graph.add %[[Y]], %[[BB]] : tensor<?x4x[[H]]
// CHECK:         %[[R:.*]] = graph.relu %[[Z]] : tensor<?x4x[[H]]
// CHECK:         %[[RF:.*]] = graph.cast %[[R]] to f32
// CHECK:         %[[S:.*]] = graph.softmax %[[RF]] axis = 1 : tensor<?x4xf32
// CHECK:         %[[SH:.*]] = graph.cast %[[S]] to [[H]]
// CHECK:         %[[P:.*]] = graph.mul %[[SH]], %[[R]] : tensor<?x4x[[H]]
// CHECK:         %[[PF:.*]] = graph.cast %[[P]] to f32
// CHECK:         %[[N:.*]] = graph.layer_norm %[[PF]], %[[B]], %[[B]] {{.*}} -> tensor<?x4xf32
// CHECK:         return %[[N]]
func.func @layer(%x: tensor<?x8xf32, #graph.dims<n, 8>>) -> tensor<?x4xf32, #graph.dims<n, 4>> {
  %w = graph.parameter @w : tensor<8x4xf32>
  %b = graph.parameter @b : tensor<4xf32>
  %0 = graph.matmul %x, %w : (tensor<?x8xf32, #graph.dims<n, 8>>, tensor<8x4xf32>) -> tensor<?x4xf32, #graph.dims<n, 4>>
  %1 = graph.broadcast %b shape = [n, 4] : (tensor<4xf32>) -> tensor<?x4xf32, #graph.dims<n, 4>>
  %2 = graph.add %0, %1 : tensor<?x4xf32, #graph.dims<n, 4>>
  %3 = graph.relu %2 : tensor<?x4xf32, #graph.dims<n, 4>>
  %4 = graph.softmax %3 axis = 1 : tensor<?x4xf32, #graph.dims<n, 4>>
  %5 = graph.mul %4, %3 : tensor<?x4xf32, #graph.dims<n, 4>>
  %6 = graph.layer_norm %5, %b, %b axis = 1 epsilon = 1.0e-5 : (tensor<?x4xf32, #graph.dims<n, 4>>, tensor<4xf32>, tensor<4xf32>) -> tensor<?x4xf32, #graph.dims<n, 4>>
  return %6 : tensor<?x4xf32, #graph.dims<n, 4>>
}

// -----

// A norm between convolutions; what is made of weights is rounded once.
// CHECK-LABEL: func.func @norm_between(
// CHECK-DAG:     %[[W:.*]] = graph.parameter @w : tensor<3x3x1x1xf32>
// CHECK-DAG:     %[[WW:.*]] = graph.mul %[[W]], %[[W]] : tensor<3x3x1x1xf32>
// CHECK-DAG:     %[[WH:.*]] = graph.cast %[[WW]] to [[H:b?f16]]
// CHECK:         graph.conv %{{.*}}, %[[WH]] {{.*}} -> tensor<1x3x8x8x[[H]]>
// CHECK:         %[[N:.*]] = graph.batch_norm {{.*}} -> tensor<1x3x8x8xf32>
// CHECK:         %[[NH:.*]] = graph.cast %[[N]] to [[H]]
// CHECK:         %[[R:.*]] = graph.relu %[[NH]] : tensor<1x3x8x8x[[H]]>
// CHECK:         graph.conv %[[R]], %[[WH]]
// A mean is a sum.
// CHECK:         %[[F:.*]] = graph.cast %{{.*}} to f32
// CHECK:         graph.reduce_mean %[[F]] axes = [2, 3] : (tensor<1x3x8x8xf32>)
func.func @norm_between(%x: tensor<1x3x8x8xf32>) -> tensor<1x3xf32> {
  %w = graph.parameter @w : tensor<3x3x1x1xf32>
  %s = graph.parameter @s : tensor<3xf32>
  %ww = graph.mul %w, %w : tensor<3x3x1x1xf32>
  %0 = graph.conv %x, %ww strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] groups = 1 channels_first : (tensor<1x3x8x8xf32>, tensor<3x3x1x1xf32>) -> tensor<1x3x8x8xf32>
  %1 = graph.batch_norm %0, %s, %s, %s, %s axis = 1 epsilon = 1.0e-5 : (tensor<1x3x8x8xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x8x8xf32>
  %2 = graph.relu %1 : tensor<1x3x8x8xf32>
  %3 = graph.conv %2, %ww strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] groups = 1 channels_first : (tensor<1x3x8x8xf32>, tensor<3x3x1x1xf32>) -> tensor<1x3x8x8xf32>
  %4 = graph.reduce_mean %3 axes = [2, 3] : (tensor<1x3x8x8xf32>) -> tensor<1x3xf32>
  return %4 : tensor<1x3xf32>
}

// -----

// A cache is updated in f32, in its place, and read in 16 bits.
// CHECK-LABEL: func.func @cache(
// CHECK-SAME:    %[[C:[a-z0-9]+]]: tensor<4x8xf32> {graph.donate = 0 : i64}
// CHECK:         %[[K:.*]] = graph.matmul {{.*}} -> tensor<1x8x[[H:b?f16]]>
// CHECK:         %[[KF:.*]] = graph.cast %[[K]] to f32
// CHECK:         %[[N:.*]] = graph.scatter_nd %[[C]], %{{.*}}, %[[KF]] none {{.*}} -> tensor<4x8xf32>
// CHECK:         %[[NH:.*]] = graph.cast %[[N]] to [[H]]
// CHECK:         graph.matmul %{{.*}}, %[[NH]] transpose_b
// CHECK:         return %[[N]],
func.func @cache(%cache: tensor<4x8xf32> {graph.donate = 0 : i64}, %at: tensor<1x1xi64>, %x: tensor<1x8xf32>, %w: tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<1x4xf32>) {
  %0 = graph.matmul %x, %w : (tensor<1x8xf32>, tensor<8x8xf32>) -> tensor<1x8xf32>
  %1 = graph.scatter_nd %cache, %at, %0 none : (tensor<4x8xf32>, tensor<1x1xi64>, tensor<1x8xf32>) -> tensor<4x8xf32>
  %2 = graph.matmul %0, %1 transpose_b : (tensor<1x8xf32>, tensor<4x8xf32>) -> tensor<1x4xf32>
  return %1, %2 : tensor<4x8xf32>, tensor<1x4xf32>
}

// -----

// So is a state.
graph.state @cache : tensor<4x8xf32>
// CHECK-LABEL: func.func @state(
// CHECK-SAME:    %[[C:[a-z0-9]+]]: tensor<4x8xf32> {graph.state = @cache}
// CHECK:         %[[KF:.*]] = graph.cast %{{.*}} to f32
// CHECK:         %[[N:.*]] = graph.scatter_nd %[[C]], %{{.*}}, %[[KF]] none {{.*}} -> tensor<4x8xf32>
// CHECK:         return %{{.*}}, %[[N]]
func.func @state(%at: tensor<1x1xi64>, %x: tensor<1x8xf32>, %w: tensor<8x8xf32>, %cache: tensor<4x8xf32> {graph.state = @cache}) -> (tensor<1x4xf32>, tensor<4x8xf32> {graph.state = @cache}) {
  %0 = graph.matmul %x, %w : (tensor<1x8xf32>, tensor<8x8xf32>) -> tensor<1x8xf32>
  %1 = graph.scatter_nd %cache, %at, %0 none : (tensor<4x8xf32>, tensor<1x1xi64>, tensor<1x8xf32>) -> tensor<4x8xf32>
  %2 = graph.matmul %0, %1 transpose_b : (tensor<1x8xf32>, tensor<4x8xf32>) -> tensor<1x4xf32>
  return %2, %1 : tensor<1x4xf32>, tensor<4x8xf32>
}

// -----

// A number that the format can't hold: what is added to is f32, so that a row
// which is hidden as a whole gives no NaN. -3.4028235e38 is beyond bf16, too.
// CHECK-LABEL: func.func @mask(
// CHECK:         %[[M:.*]] = graph.constant dense<-3.40282347E+38> : tensor<f32>
// CHECK:         %[[B:.*]] = graph.broadcast %[[M]] {{.*}} -> tensor<4x4xf32>
// CHECK:         %[[Y:.*]] = graph.matmul {{.*}} -> tensor<4x4x[[H:b?f16]]>
// CHECK:         %[[F:.*]] = graph.cast %[[Y]] to f32
// CHECK:         %[[S:.*]] = graph.where %{{.*}}, %[[F]], %[[B]] : tensor<4x4xi1>, tensor<4x4xf32>
// CHECK:         graph.softmax %[[S]]
func.func @mask(%x: tensor<4x4xf32>, %seen: tensor<4x4xi1>) -> tensor<4x4xf32> {
  %m = graph.constant dense<-3.40282347E+38> : tensor<f32>
  %b = graph.broadcast %m shape = [4, 4] : (tensor<f32>) -> tensor<4x4xf32>
  %0 = graph.matmul %x, %x : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = graph.where %seen, %0, %b : tensor<4x4xi1>, tensor<4x4xf32>, tensor<4x4xf32>
  %2 = graph.softmax %1 axis = 1 : tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}

// -----

// 70000 is beyond f16 alone, and 1e-12 vanishes in it.
// CHECK-LABEL: func.func @ranges(
// BF16:          graph.mul {{.*}} : tensor<4x4xbf16>
// BF16:          graph.add {{.*}} : tensor<4x4xbf16>
// BF16:          graph.pad {{.*}} -> tensor<5x4xbf16>
// F16:           graph.mul {{.*}} : tensor<4x4xf32>
// F16:           graph.add {{.*}} : tensor<4x4xf32>
// F16:           graph.pad {{.*}} -> tensor<5x4xf32>
func.func @ranges(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<5x4xf32>) {
  %large = graph.constant dense<70000.0> : tensor<4x4xf32>
  %small = graph.constant dense<1.0e-12> : tensor<4x4xf32>
  %0 = graph.matmul %x, %x : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = graph.mul %0, %large : tensor<4x4xf32>
  %2 = graph.add %0, %small : tensor<4x4xf32>
  %3 = graph.pad %0 low = [1, 0] high = [0, 0] constant value = -7.0e4 : (tensor<4x4xf32>) -> tensor<5x4xf32>
  return %1, %2, %3 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<5x4xf32>
}

// -----

// Where it must be 16 bits, it is the largest finite number; infinity stays,
// and so do the masks that are known only when the model runs.
// CHECK-LABEL: func.func @attention(
// CHECK-SAME:    %[[Q:[a-z0-9]+]]: tensor<1x2x4x8xf32>, %[[A:[a-z0-9]+]]: tensor<4x4xf32>
// CHECK:         %[[INF:.*]] = graph.is_inf %[[A]]
// CHECK:         %[[WITH:.*]] = graph.where %[[INF]], %[[A]], %[[CLIP:.*]] :
// CHECK:         %[[MASK:.*]] = graph.cast %[[WITH]]
// F16:           graph.constant dense<[-6.550400e+04, 0xFC00, 0.000000e+00, 0.000000e+00]> : tensor<4xf16>
// BF16:          graph.constant dense<[-3.389530e+38, 0xFF80, 0.000000e+00, 0.000000e+00]> : tensor<4xbf16>
// CHECK:         graph.attention {{.*}} tensor<4x[[H:b?f16]]>) -> tensor<1x2x4x8x[[H]]>
// CHECK:         graph.attention {{.*}}, %[[MASK]] scale {{.*}} -> tensor<1x2x4x8x[[H]]>
func.func @attention(%q: tensor<1x2x4x8xf32>, %a: tensor<4x4xf32>) -> (tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>) {
  %m = graph.constant dense<[-3.40282347E+38, 0xFF800000, 0.0, 0.0]> : tensor<4xf32>
  %0 = graph.attention %q, %q, %q, %m scale = 1.0 : (tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<4xf32>) -> tensor<1x2x4x8xf32>
  %1 = graph.attention %q, %q, %q, %a scale = 1.0 : (tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<4x4xf32>) -> tensor<1x2x4x8xf32>
  return %0, %1 : tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>
}

// -----

// Tables are stored in 16 bits; integers, f64 and what floats decide are left.
// CHECK-LABEL: func.func @lookup(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<3xf32>, %[[D:[a-z0-9]+]]: tensor<3xf64>
// CHECK:         %[[T:.*]] = graph.parameter @t : tensor<9x4xf32>
// CHECK:         %[[TH:.*]] = graph.cast %[[T]] to [[H:b?f16]]
// CHECK:         %[[I:.*]] = graph.cast %[[X]] to i64 : tensor<3xf32>
// CHECK:         %[[E:.*]] = graph.embedding %[[TH]], %[[I]] : {{.*}} -> tensor<3x4x[[H]]>
// CHECK:         graph.cast %[[E]] to f32
// CHECK:         graph.cast %[[I]] to f32
// CHECK:         graph.sin %{{.*}} : tensor<3xf32>
// CHECK:         graph.less %[[X]], %{{.*}} : tensor<3xf32>
// CHECK:         graph.mul %[[D]], %[[D]] : tensor<3xf64>
// CHECK:         graph.gather %{{.*}} : (tensor<4xi64>, tensor<3xi64>)
func.func @lookup(%x: tensor<3xf32>, %d: tensor<3xf64>, %n: tensor<4xi64>) -> (tensor<3x4xf32>, tensor<3xf32>, tensor<3xi1>, tensor<3xf64>, tensor<3xi64>) {
  %t = graph.parameter @t : tensor<9x4xf32>
  %i = graph.cast %x to i64 : tensor<3xf32>
  %0 = graph.embedding %t, %i : (tensor<9x4xf32>, tensor<3xi64>) -> tensor<3x4xf32>
  // Positions are no whole numbers any more in 16 bits.
  %p = graph.cast %i to f32 : tensor<3xi64>
  %1 = graph.sin %p : tensor<3xf32>
  %2 = graph.less %x, %p : tensor<3xf32>
  %3 = graph.mul %d, %d : tensor<3xf64>
  %4 = graph.gather %n, %i axis = 0 : (tensor<4xi64>, tensor<3xi64>) -> tensor<3xi64>
  return %0, %1, %2, %3, %4 : tensor<3x4xf32>, tensor<3xf32>, tensor<3xi1>, tensor<3xf64>, tensor<3xi64>
}

// -----

// What is only moved has no type of its own: neither is the argument rounded on
// its way to the norm, nor is more converted than must be moved.
// CHECK-LABEL: func.func @moves(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<4x4xf32>)
// CHECK:         %[[XH:.*]] = graph.cast %[[X]] to [[H:b?f16]]
// CHECK:         %[[T:.*]] = graph.transpose %[[X]] {{.*}} -> tensor<4x4xf32>
// CHECK:         %[[TH:.*]] = graph.transpose %[[XH]] {{.*}} -> tensor<4x4x[[H]]>
// CHECK:         graph.rms_norm %[[T]], %{{.*}} -> tensor<4x4xf32>
// CHECK:         graph.matmul %[[XH]], %[[TH]]
// CHECK-NOT:     graph.transpose
// CHECK:         return
func.func @moves(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %s = graph.parameter @s : tensor<4xf32>
  %0 = graph.transpose %x perm = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = graph.rms_norm %0, %s axis = 1 epsilon = 1.0e-5 : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
  %2 = graph.matmul %x, %0 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1, %2 : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// Exponentials, powers, sums, scans and sums of updates in f32.
// CHECK-LABEL: func.func @sensitive(
// CHECK-NOT:     graph.{{(exp|log|pow|reduce_sum|cumsum|scatter_elements|mse_loss) .*: .*b?f16}}
// CHECK:         return
func.func @sensitive(%x: tensor<4x4xf32>, %i: tensor<4x4xi64>) -> (tensor<f32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<f32>) {
  %0 = graph.matmul %x, %x : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = graph.exp %0 : tensor<4x4xf32>
  %2 = graph.log %0 : tensor<4x4xf32>
  %3 = graph.pow %0, %0 : tensor<4x4xf32>
  %4 = graph.reduce_sum %0 axes = [0, 1] : (tensor<4x4xf32>) -> tensor<f32>
  %5 = graph.cumsum %0 axis = 0 : tensor<4x4xf32>
  %6 = graph.scatter_elements %0, %i, %0 axis = 0 add : (tensor<4x4xf32>, tensor<4x4xi64>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %7 = graph.mse_loss %0, %x mean : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<f32>
  %8 = graph.add %1, %2 : tensor<4x4xf32>
  %9 = graph.add %3, %5 : tensor<4x4xf32>
  %10 = graph.add %8, %9 : tensor<4x4xf32>
  return %4, %10, %6, %7 : tensor<f32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<f32>
}

// -----

// Empty tensors, scalars, and a function that only hands on.
// CHECK-LABEL: func.func @edges(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: tensor<0x4xf32>, %[[B:[a-z0-9]+]]: tensor<f32>)
// CHECK:         graph.matmul {{.*}} : (tensor<0x4x[[H:b?f16]]>, tensor<0x4x[[H]]>) -> tensor<4x4x[[H]]>
// CHECK:         graph.tanh %{{.*}} : tensor<[[H]]>
// CHECK:         return %[[A]], %{{.*}}, %{{.*}}, %[[B]]
func.func @edges(%a: tensor<0x4xf32>, %b: tensor<f32>) -> (tensor<0x4xf32>, tensor<4x4xf32>, tensor<f32>, tensor<f32>) {
  %0 = graph.matmul %a, %a transpose_a : (tensor<0x4xf32>, tensor<0x4xf32>) -> tensor<4x4xf32>
  %1 = graph.tanh %b : tensor<f32>
  return %a, %0, %1, %b : tensor<0x4xf32>, tensor<4x4xf32>, tensor<f32>, tensor<f32>
}
