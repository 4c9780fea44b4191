// More families: reshapes, scales, normalization, pooling, group convolutions.
// RUN: tenon-rules prove %s | FileCheck %s
// REQUIRES: z3

!mk = tensor<?x?xf32, #graph.dims<m, k>>
!kn = tensor<?x?xf32, #graph.dims<k, n>>
!mn = tensor<?x?xf32, #graph.dims<m, n>>
!pk = tensor<?x?xf32, #graph.dims<p, k>>
!mp_k = tensor<?x?xf32, #graph.dims<m + p, k>>
!k = tensor<?xf32, #graph.dims<k>>
!m1 = tensor<?x1xf32, #graph.dims<m, 1>>

// CHECK: proved max_of_concat (reassociates; elements: real;
rule.rule @max_of_concat(%a: [m, k], %b: [p, k]) -> [k]
  source {
    %0 = graph.concat %a, %b axis = 0 : (!mk, !pk) -> !mp_k
    %1 = graph.reduce_max %0 axes = [0] : (!mp_k) -> !k
    rule.yield %1 : [k]
  }
  target {
    %0 = graph.reduce_max %a axes = [0] : (!mk) -> !k
    %1 = graph.reduce_max %b axes = [0] : (!pk) -> !k
    %2 = graph.maximum %0, %1 : !k
    rule.yield %2 : [k]
  }

// A maximum over two axes, one at a time, and of parts.
// CHECK: proved max_in_steps (reassociates; elements: real;
rule.rule @max_in_steps(%a: [m, k]) -> []
  source {
    %0 = graph.reduce_max %a axes = [0, 1] : (!mk) -> tensor<f32>
    rule.yield %0 : []
  }
  target {
    %0 = graph.reduce_max %a axes = [0] : (!mk) -> !k
    %1 = graph.reduce_max %0 axes = [0] : (!k) -> tensor<f32>
    rule.yield %1 : []
  }

// CHECK: proved reshape_pair (exact;
rule.rule @reshape_pair(%a: [m, k]) -> [m, k]
  source {
    %0 = graph.reshape %a shape = [m * k] : (!mk) -> tensor<?xf32, #graph.dims<m * k>>
    %1 = graph.reshape %0 shape = [m, k] : (tensor<?xf32, #graph.dims<m * k>>) -> !mk
    rule.yield %1 : [m, k]
  }
  target {
    rule.yield %a : [m, k]
  }

// CHECK: proved reshape_pair2 (exact;
rule.rule @reshape_pair2(%a: [m, k]) -> [k, m]
  source {
    %0 = graph.reshape %a shape = [m * k] : (!mk) -> tensor<?xf32, #graph.dims<m * k>>
    %1 = graph.reshape %0 shape = [k, m] : (tensor<?xf32, #graph.dims<m * k>>) -> tensor<?x?xf32, #graph.dims<k, m>>
    rule.yield %1 : [k, m]
  }
  target {
    %1 = graph.reshape %a shape = [k, m] : (!mk) -> tensor<?x?xf32, #graph.dims<k, m>>
    rule.yield %1 : [k, m]
  }

// CHECK: proved rows_scale (reassociates; elements: ring;
rule.rule @rows_scale(%a: [m, k], %s: [m, 1], %b: [k, n]) -> [m, n]
  source {
    %0 = graph.broadcast %s shape = [m, k] : (!m1) -> !mk
    %1 = graph.mul %a, %0 : !mk
    %2 = graph.matmul %1, %b : (!mk, !kn) -> !mn
    rule.yield %2 : [m, n]
  }
  target {
    %0 = graph.matmul %a, %b : (!mk, !kn) -> !mn
    %1 = graph.broadcast %s shape = [m, n] : (!m1) -> !mn
    %2 = graph.mul %0, %1 : !mn
    rule.yield %2 : [m, n]
  }

// A row of zeros is divided by 0, and the sums of such quotients are not those
// of the quotients of sums.
// CHECK: proved rmsnorm_like (reassociates, needs-finite; elements: real;
rule.rule @rmsnorm_like(%a: [m, k], %b: [k, n]) -> [m, n]
  source {
    %q = graph.mul %a, %a : !mk
    %s = graph.reduce_sum %q axes = [1] keepdims : (!mk) -> !m1
    %r = graph.sqrt %s : !m1
    %0 = graph.broadcast %r shape = [m, k] : (!m1) -> !mk
    %1 = graph.div %a, %0 : !mk
    %2 = graph.matmul %1, %b : (!mk, !kn) -> !mn
    rule.yield %2 : [m, n]
  }
  target {
    %q = graph.mul %a, %a : !mk
    %s = graph.reduce_sum %q axes = [1] keepdims : (!mk) -> !m1
    %r = graph.sqrt %s : !m1
    %0 = graph.matmul %a, %b : (!mk, !kn) -> !mn
    %1 = graph.broadcast %r shape = [m, n] : (!m1) -> !mn
    %2 = graph.div %0, %1 : !mn
    rule.yield %2 : [m, n]
  }
  where [k >= 1]

// CHECK: proved reduce_of_broadcast (reassociates; elements: ring;
rule.rule @reduce_of_broadcast(%s: [m, 1]) -> [m, 1]
  source {
    %0 = graph.broadcast %s shape = [m, 7] : (!m1) -> tensor<?x7xf32, #graph.dims<m, 7>>
    %1 = graph.reduce_sum %0 axes = [1] keepdims : (tensor<?x7xf32, #graph.dims<m, 7>>) -> !m1
    rule.yield %1 : [m, 1]
  }
  target {
    %c = graph.constant dense<7.0> : tensor<f32>
    %0 = graph.broadcast %c shape = [m, 1] : (tensor<f32>) -> !m1
    %1 = graph.mul %s, %0 : !m1
    rule.yield %1 : [m, 1]
  }

// CHECK: proved softmax_transpose (exact;
rule.rule @softmax_transpose(%a: [m, k]) -> [k, m]
  source {
    %0 = graph.softmax %a axis = 1 : !mk
    %1 = graph.transpose %0 perm = [1, 0] : (!mk) -> tensor<?x?xf32, #graph.dims<k, m>>
    rule.yield %1 : [k, m]
  }
  target {
    %0 = graph.transpose %a perm = [1, 0] : (!mk) -> tensor<?x?xf32, #graph.dims<k, m>>
    %1 = graph.softmax %0 axis = 0 : tensor<?x?xf32, #graph.dims<k, m>>
    rule.yield %1 : [k, m]
  }
  where [k >= 1]

!x = tensor<?x?x?x?xf32, #graph.dims<b, c, h, w>>
!wo = tensor<?x?x1x1xf32, #graph.dims<o, c, 1, 1>>
!y = tensor<?x?x?x?xf32, #graph.dims<b, o, h, w>>
// CHECK: proved conv1x1_is_matmul (reassociates; elements: ring;
rule.rule @conv1x1_is_matmul(%x: [b, c, h, w], %a: [o, c, 1, 1]) -> [b, o, h, w]
  source {
    %0 = graph.conv %x, %a strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] groups = 1 channels_first : (!x, !wo) -> !y
    rule.yield %0 : [b, o, h, w]
  }
  target {
    %0 = graph.reshape %x shape = [b, c, h * w] : (!x) -> tensor<?x?x?xf32, #graph.dims<b, c, h * w>>
    %1 = graph.reshape %a shape = [o, c] : (!wo) -> tensor<?x?xf32, #graph.dims<o, c>>
    %2 = graph.matmul %1, %0 : (tensor<?x?xf32, #graph.dims<o, c>>, tensor<?x?x?xf32, #graph.dims<b, c, h * w>>) -> tensor<?x?x?xf32, #graph.dims<b, o, h * w>>
    %3 = graph.reshape %2 shape = [b, o, h, w] : (tensor<?x?x?xf32, #graph.dims<b, o, h * w>>) -> !y
    rule.yield %3 : [b, o, h, w]
  }

!x1 = tensor<?x?x?x?xf32, #graph.dims<b, c, h, w>>
!x2 = tensor<?x?x?x?xf32, #graph.dims<b, e, h, w>>
!xx = tensor<?x?x?x?xf32, #graph.dims<b, c + e, h, w>>
!w1 = tensor<?x?x3x3xf32, #graph.dims<o, c, 3, 3>>
!w2 = tensor<?x?x3x3xf32, #graph.dims<o, e, 3, 3>>
!ww = tensor<?x?x3x3xf32, #graph.dims<o, c + e, 3, 3>>
!yy = tensor<?x?x?x?xf32, #graph.dims<b, o, h, w>>
// CHECK: proved sum_of_convs (reassociates; elements: ring;
rule.rule @sum_of_convs(%x: [b, c, h, w], %y: [b, e, h, w], %u: !w1, %v: !w2) -> !yy
  source {
    %0 = graph.conv %x, %u strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_first : (!x1, !w1) -> !yy
    %1 = graph.conv %y, %v strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_first : (!x2, !w2) -> !yy
    %2 = graph.add %0, %1 : !yy
    rule.yield %2 : !yy
  }
  target {
    %0 = graph.concat %x, %y axis = 1 : (!x1, !x2) -> !xx
    %1 = graph.concat %u, %v axis = 1 : (!w1, !w2) -> !ww
    %2 = graph.conv %0, %1 strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_first : (!xx, !ww) -> !yy
    rule.yield %2 : !yy
  }

!ue = tensor<?x?x3x3xf32, #graph.dims<o, c, 3, 3>>
!uue = tensor<?x?x3x3xf32, #graph.dims<2 * o, c, 3, 3>>
!ye = tensor<?x?x?x?xf32, #graph.dims<b, o, h, w>>
!yye = tensor<?x?x?x?xf32, #graph.dims<b, 2 * o, h, w>>
!xxe = tensor<?x?x?x?xf32, #graph.dims<b, 2 * c, h, w>>
// CHECK: proved group_convs (exact;
rule.rule @group_convs(%x: [b, c, h, w], %y: [b, c, h, w], %u: !ue, %v: !ue) -> !yye
  source {
    %0 = graph.conv %x, %u strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_first : (!x1, !ue) -> !ye
    %1 = graph.conv %y, %v strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_first : (!x1, !ue) -> !ye
    %2 = graph.concat %0, %1 axis = 1 : (!ye, !ye) -> !yye
    rule.yield %2 : !yye
  }
  target {
    %0 = graph.concat %x, %y axis = 1 : (!x1, !x1) -> !xxe
    %1 = graph.concat %u, %v axis = 0 : (!ue, !ue) -> !uue
    %2 = graph.conv %0, %1 strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 2 channels_first : (!xxe, !uue) -> !yye
    rule.yield %2 : !yye
  }

// CHECK: proved pool_siblings (exact;
rule.rule @pool_siblings(%x: [b, c, h, w], %y: [b, e, h, w]) -> [b, c + e, h, w]
  source {
    %0 = graph.max_pool %x kernel = [3, 3] strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] channels_first : (!x1) -> !x1
    %1 = graph.max_pool %y kernel = [3, 3] strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] channels_first : (!x2) -> !x2
    %2 = graph.concat %0, %1 axis = 1 : (!x1, !x2) -> !xx
    rule.yield %2 : [b, c + e, h, w]
  }
  target {
    %0 = graph.concat %x, %y axis = 1 : (!x1, !x2) -> !xx
    %1 = graph.max_pool %0 kernel = [3, 3] strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] channels_first : (!xx) -> !xx
    rule.yield %1 : [b, c + e, h, w]
  }

// A choice the other way round.
!bn = tensor<?xi1, #graph.dims<n>>
!n = tensor<?xf32, #graph.dims<n>>
// CHECK: proved where_swap
rule.rule @where_swap(%c: [n] of i1, %a: [n], %b: [n]) -> [n]
  source {
    %0 = graph.where %c, %a, %b : !bn, !n, !n
    rule.yield %0 : [n]
  }
  target {
    %0 = graph.not %c : !bn
    %1 = graph.where %0, %b, %a : !bn, !n, !n
    rule.yield %1 : [n]
  }

// Attention with its keys transposed first.
!sd = tensor<?x?xf32, #graph.dims<s, d>>
!td = tensor<?x?xf32, #graph.dims<t, d>>
!dt = tensor<?x?xf32, #graph.dims<d, t>>
!st = tensor<?x?xf32, #graph.dims<s, t>>
!te = tensor<?x?xf32, #graph.dims<t, e>>
!se = tensor<?x?xf32, #graph.dims<s, e>>
// CHECK: proved attention_of_transposed_keys (exact;
rule.rule @attention_of_transposed_keys(%q: [s, d], %k: [t, d], %v: [t, e]) -> [s, e]
  source {
    %0 = graph.matmul %q, %k transpose_b : (!sd, !td) -> !st
    %1 = graph.softmax %0 axis = 1 : !st
    %2 = graph.matmul %1, %v : (!st, !te) -> !se
    rule.yield %2 : [s, e]
  }
  target {
    %0 = graph.transpose %k perm = [1, 0] : (!td) -> !dt
    %1 = graph.matmul %q, %0 : (!sd, !dt) -> !st
    %2 = graph.softmax %1 axis = 1 : !st
    %3 = graph.matmul %2, %v : (!st, !te) -> !se
    rule.yield %3 : [s, e]
  }

// A mean of a negated tensor.
!mk2 = tensor<?x?xf32, #graph.dims<m, k>>
!m = tensor<?xf32, #graph.dims<m>>
// CHECK: proved mean_of_negated
rule.rule @mean_of_negated(%a: [m, k]) -> [m]
  source {
    %0 = graph.neg %a : !mk2
    %1 = graph.reduce_mean %0 axes = [1] : (!mk2) -> !m
    rule.yield %1 : [m]
  }
  target {
    %0 = graph.reduce_mean %a axes = [1] : (!mk2) -> !m
    %1 = graph.neg %0 : !m
    rule.yield %1 : [m]
  }
  where [k >= 1]
