// In the bodies of rules, ops may leave out their types and so may yields; they
// are printed in full.
// RUN: tenon-opt %s | FileCheck %s
// RUN: tenon-opt %s | tenon-opt | FileCheck %s

// CHECK-LABEL: rule.rule @elementwise
// CHECK: graph.neg %x : tensor<?x?xf32, #graph.dims<n, m>>
// CHECK: graph.add %0, %y : tensor<?x?xf32, #graph.dims<n, m>>
// CHECK: graph.less %1, %x : tensor<?x?xf32, #graph.dims<n, m>>
// CHECK: graph.where %2, %x, %y : tensor<?x?xi1, #graph.dims<n, m>>, tensor<?x?xf32, #graph.dims<n, m>>, tensor<?x?xf32, #graph.dims<n, m>>
// CHECK: graph.cast %3 to i64 : tensor<?x?xf32, #graph.dims<n, m>>
// CHECK: rule.yield %4 : [n, m] of i64
// CHECK: graph.iota shape = [n, m] axis = 1 of i64 : () -> tensor<?x?xi64, #graph.dims<n, m>>
// CHECK: graph.is_inf %x only_positive : tensor
// CHECK: graph.clip %x low = {{.*}}, high = {{.*}} : tensor
rule.rule @elementwise(%x: [n, m], %y: [n, m]) -> [n, m] of i64
  source {
    %0 = graph.neg %x
    %1 = graph.add %0, %y
    %2 = graph.less %1, %x
    %3 = graph.where %2, %x, %y
    %4 = graph.cast %3 to i64
    rule.yield %4
  }
  target {
    %0 = graph.iota shape = [n, m] axis = 1 of i64
    %1 = graph.is_inf %x only_positive
    %2 = graph.clip %x low = 0.0, high = 1.0
    rule.yield %0
  }

// CHECK-LABEL: rule.rule @products
// CHECK: graph.matmul %a, %b transpose_b : (tensor<?x?xf32, #graph.dims<m, k>>, tensor<?x?xf32, #graph.dims<n, k>>) -> tensor<?x?xf32, #graph.dims<m, n>>
// CHECK: graph.transpose %0 perm = [1, 0] : (tensor<?x?xf32, #graph.dims<m, n>>) -> tensor<?x?xf32, #graph.dims<n, m>>
// CHECK: graph.concat %1, %1 axis = 0 : ({{.*}}) -> tensor<?x?xf32, #graph.dims<2 * n, m>>
// CHECK: graph.reduce_sum %2 axes = [1] : ({{.*}}) -> tensor<?xf32, #graph.dims<2 * n>>
rule.rule @products(%a: [m, k], %b: [n, k]) -> [2 * n]
  source {
    %0 = graph.matmul %a, %b transpose_b
    %1 = graph.transpose %0 perm = [1, 0]
    %2 = graph.concat %1, %1 axis = 0
    %3 = graph.reduce_sum %2 axes = [1]
    rule.yield %3
  }
  // Types that are stated stand beside those that are not.
  target {
    %0 = graph.matmul %b, %a transpose_b : (tensor<?x?xf32, #graph.dims<n, k>>, tensor<?x?xf32, #graph.dims<m, k>>) -> tensor<?x?xf32, #graph.dims<n, m>>
    %1 = graph.reduce_sum %0 axes = [1]
    %2 = graph.concat %1, %1 axis = 0
    rule.yield %2 : [2 * n]
  }

// Several results, in both ways to name them; ops with operands that may be
// absent; constants.
// CHECK-LABEL: rule.rule @results
// CHECK: graph.split %x axis = 0 sizes = [n, m] : (tensor<?x8xf32, #graph.dims<m + n, 8>>) -> (tensor<?x8xf32, #graph.dims<n, 8>>, tensor<?x8xf32, #graph.dims<m, 8>>)
// CHECK: graph.layer_norm %{{.*}}#0, %s axis = 1
// CHECK-SAME: -> tensor<?x8xf32, #graph.dims<n, 8>>
// CHECK: graph.layer_norm %{{.*}}#1, %s, %s axis = 1
// CHECK-SAME: -> tensor<?x8xf32, #graph.dims<m, 8>>
// CHECK: graph.top_k
// CHECK-SAME: -> (tensor<?x2xf32, #graph.dims<n, 2>>, tensor<?x2xi64, #graph.dims<n, 2>>)
// CHECK: graph.broadcast
// CHECK-SAME: -> tensor<?x8xf32, #graph.dims<n, 8>>
// CHECK: rule.yield %{{.*}}, %{{.*}}, %{{.*}} : [n, 8], [m, 8], [n, 2]
rule.rule @results(%x: tensor<?x8xf32, #graph.dims<n + m, 8>>, %s: [8]) -> ([n, 8], [m, 8], [n, 2])
  source {
    %parts:2 = graph.split %x axis = 0 sizes = [n, m]
    %0 = graph.layer_norm %parts#0, %s axis = 1 epsilon = 0.0
    %1 = graph.layer_norm %parts#1, %s, %s axis = 1 epsilon = 0.0
    %2, %3 = graph.top_k %0 axis = 1 k = 2
    %one = graph.constant dense<1.0> : tensor<f32>
    %4 = graph.broadcast %one shape = [n, 8]
    %5 = graph.mul %0, %4
    rule.yield %5, %1, %2
  }
  target {
    %0, %1 = graph.split %x axis = 0 sizes = [n, m]
    %2 = graph.layer_norm %0, %s axis = 1 epsilon = 0.0
    %3 = graph.layer_norm %1, %s, %s axis = 1 epsilon = 0.0
    %4:2 = graph.top_k %2 axis = 1 k = 2
    rule.yield %2, %3, %4#0
  }

// Windows and attention.
// CHECK-LABEL: rule.rule @windows
// CHECK: graph.conv %x, %w
// CHECK-SAME: -> tensor<?x?x?x?xf32, #graph.dims<n, o, h, w>>
// CHECK: graph.max_pool
// CHECK-SAME: -> tensor<?x?x?x?xf32, #graph.dims<n, o, h, w>>
// CHECK: graph.attention %{{.*}}, %{{.*}}, %{{.*}} scale
rule.rule @windows(%x: [n, c, h, w], %w: [o, c, 1, 1]) -> [n, o, h, w]
  source {
    %0 = graph.conv %x, %w strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] groups = 1 channels_first
    %1 = graph.max_pool %0 kernel = [1, 1] strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] channels_first
    %2 = graph.attention %1, %1, %1 scale = 1.0
    rule.yield %2
  }
  target {
    %0 = graph.conv %x, %w strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] groups = 1 channels_first
    %1 = graph.attention %0, %0, %0 scale = 1.0
    rule.yield %1
  }

// Patterns, too.
// CHECK-LABEL: rule.pattern @pattern
// CHECK: graph.relu %x : tensor<?xf32, #graph.dims<n>>
rule.pattern @pattern(%x: [n]) -> [n]
  source {
    %0 = graph.relu %x
    rule.yield %0
  }
