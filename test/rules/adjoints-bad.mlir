// Negative tests for the rules of rules/adjoints: each must be refuted.
// RUN: not tenon-rules prove %s 2>&1 | FileCheck %s
// The proofs themselves find none of them, without trying small sizes first.
// RUN: not tenon-rules prove --without-refuting %s 2>&1 | FileCheck %s --check-prefix=PROOF
// PROOF: {{^}}0 proved, 44 unknown
// REQUIRES: z3
// REQUIRES: slow

// The permutation itself, on a cube.
// CHECK: {{^}}refuted wrong_adjoint_of_transpose{{$}}
rule.rule @wrong_adjoint_of_transpose(%x: [m, m, m], %y: [m, m, m]) -> []
  source {
    %a = graph.transpose %x perm = [2, 0, 1]
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  target {
    %g = graph.transpose %y perm = [2, 0, 1]
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }

// The axes are joined in the wrong order.
// CHECK: {{^}}refuted wrong_adjoint_of_reshape_split{{$}}
rule.rule @wrong_adjoint_of_reshape_split(%x: [m, k * n], %y: [m, k, n]) -> []
  source {
    %a = graph.reshape %x shape = [m, k, n]
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  target {
    %t = graph.transpose %y perm = [0, 2, 1]
    %g = graph.reshape %t shape = [m, k * n]
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  where [n >= 1]

// The axis is split in the wrong order.
// CHECK: {{^}}refuted wrong_adjoint_of_reshape_join{{$}}
rule.rule @wrong_adjoint_of_reshape_join(%x: [m, k, n], %y: [m, k * n]) -> []
  source {
    %a = graph.reshape %x shape = [m, k * n]
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %t = graph.reshape %y shape = [m, n, k]
    %g = graph.transpose %t perm = [0, 2, 1]
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  where [n >= 1]

// The largest instead of the sum.
// CHECK: {{^}}refuted wrong_adjoint_of_broadcast_axis{{$}}
rule.rule @wrong_adjoint_of_broadcast_axis(%x: [n], %y: [m, n]) -> []
  source {
    %a = graph.broadcast %x shape = [m, n]
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %g = graph.reduce_max %y axes = [0]
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0]
    rule.yield %s
  }

// The largest instead of the sum.
// CHECK: {{^}}refuted wrong_adjoint_of_broadcast_one{{$}}
rule.rule @wrong_adjoint_of_broadcast_one(%x: [m, 1], %y: [m, n]) -> []
  source {
    %a = graph.broadcast %x shape = [m, n]
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %r = graph.reduce_max %y axes = [1]
    %g = graph.reshape %r shape = [m, 1]
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }

// Elements are repeated one by one.
// CHECK: {{^}}refuted wrong_adjoint_of_tile{{$}}
rule.rule @wrong_adjoint_of_tile(%x: [m, n], %y: [r * m, q * n]) -> []
  source {
    %a = graph.tile %x repeats = [r, q]
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %0 = graph.reshape %y shape = [m, r, q, n]
    %g = graph.reduce_sum %0 axes = [1, 2]
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  where [m >= 1, n >= 1]

// Another axis.
// CHECK: {{^}}refuted wrong_adjoint_of_reverse{{$}}
rule.rule @wrong_adjoint_of_reverse(%x: [m, n], %y: [m, n]) -> []
  source {
    %a = graph.reverse %x axes = [1]
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %g = graph.reverse %y axes = [0]
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }

// The zeros on the other side.
// CHECK: {{^}}refuted wrong_adjoint_of_slice{{$}}
rule.rule @wrong_adjoint_of_slice(%x: [m, n], %y: [k, p]) -> []
  source {
    %a = graph.slice %x starts = [b, c] sizes = [k, p] steps = [1, 1]
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %0 = graph.pad %y low = [m - b - k, 0] high = [b, 0] constant value = 0.0 : (tensor<?x?xf32, #graph.dims<k, p>>) -> tensor<?x?xf32, #graph.dims<m, p>>
    %g = graph.pad %0 low = [0, c] high = [0, n - c - p] constant value = 0.0 : (tensor<?x?xf32, #graph.dims<m, p>>) -> tensor<?x?xf32, #graph.dims<m, n>>
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  where [k >= 1, p >= 1]

// Not backwards.
// CHECK: {{^}}refuted wrong_adjoint_of_slice_back{{$}}
rule.rule @wrong_adjoint_of_slice_back(%x: [m], %y: [k]) -> []
  source {
    %a = graph.slice %x starts = [b] sizes = [k] steps = [-1]
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0]
    rule.yield %s
  }
  target {
    %g = graph.pad %y low = [b - k + 1] high = [m - b - 1] constant value = 0.0 : (tensor<?xf32, #graph.dims<k>>) -> tensor<?xf32, #graph.dims<m>>
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0]
    rule.yield %s
  }
  where [k >= 1]

// Zeros before the elements.
// CHECK: {{^}}refuted wrong_adjoint_of_slice_strided{{$}}
rule.rule @wrong_adjoint_of_slice_strided(%x: [m], %y: [k]) -> []
  source {
    %a = graph.slice %x starts = [b] sizes = [k] steps = [3]
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0]
    rule.yield %s
  }
  target {
    %c = graph.reshape %y shape = [k, 1]
    %0 = graph.pad %c low = [0, 2] high = [0, 0] constant value = 0.0
    %1 = graph.reshape %0 shape = [3 * k]
    %2 = graph.slice %1 starts = [0] sizes = [max(3 * k - 2, 0)] steps = [1]
    %g = graph.pad %2 low = [b] high = [m - b - max(3 * k - 2, 0)] constant value = 0.0 : (tensor<?xf32, #graph.dims<max(3 * k - 2, 0)>>) -> tensor<?xf32, #graph.dims<m>>
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0]
    rule.yield %s
  }
  where [k >= 1]

// The other part.
// CHECK: {{^}}refuted wrong_adjoint_of_split{{$}}
rule.rule @wrong_adjoint_of_split(%x: [m, n + k], %y: [m, n]) -> []
  source {
    %a, %b = graph.split %x axis = 1 sizes = [n, k]
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %c = graph.constant dense<0.0> : tensor<f32>
    %z = graph.broadcast %c shape = [m, k]
    %g = graph.concat %z, %y axis = 1
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }

// The same slice for both, as far as it goes.
// CHECK: {{^}}refuted wrong_adjoint_of_concat{{$}}
rule.rule @wrong_adjoint_of_concat(%x: [m, n], %z: [m, k], %y: [m, n + k]) -> []
  source {
    %a = graph.concat %x, %z axis = 1
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %g = graph.slice %y starts = [0, 0] sizes = [m, n] steps = [1, 1]
    %h = graph.slice %y starts = [0, 0] sizes = [m, k] steps = [1, 1]
    %p = graph.mul %x, %g
    %q = graph.mul %z, %h
    %s = graph.reduce_sum %p axes = [0, 1]
    %t = graph.reduce_sum %q axes = [0, 1]
    %u = graph.add %s, %t
    rule.yield %u
  }

// The padding of the other side.
// CHECK: {{^}}refuted wrong_adjoint_of_pad_constant{{$}}
rule.rule @wrong_adjoint_of_pad_constant(%x: [m, n], %y: [m + a + b, n + c + d]) -> []
  source {
    %a = graph.pad %x low = [a, c] high = [b, d] constant value = 0.0
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %0 = graph.slice %y starts = [b, 0] sizes = [m, n + c + d] steps = [1, 1]
    %g = graph.slice %0 starts = [0, c] sizes = [m, n] steps = [1, 1]
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }

// Not backwards.
// CHECK: {{^}}refuted wrong_adjoint_of_pad_reflect{{$}}
rule.rule @wrong_adjoint_of_pad_reflect(%x: [n], %y: [n + a + b]) -> []
  source {
    %a = graph.pad %x low = [a] high = [b] reflect value = 0.0
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0]
    rule.yield %s
  }
  target {
    %i = graph.slice %y starts = [a] sizes = [n] steps = [1]
    %l = graph.slice %y starts = [0] sizes = [a] steps = [1]
    %h = graph.slice %y starts = [a + n] sizes = [b] steps = [1]
    %ls = graph.reverse %l axes = [0]
    %lp = graph.pad %ls low = [1] high = [n - a - 1] constant value = 0.0 : (tensor<?xf32, #graph.dims<a>>) -> tensor<?xf32, #graph.dims<n>>
    %j = graph.add %i, %lp
    %hp = graph.pad %h low = [n - b - 1] high = [1] constant value = 0.0 : (tensor<?xf32, #graph.dims<b>>) -> tensor<?xf32, #graph.dims<n>>
    %g = graph.add %j, %hp
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0]
    rule.yield %s
  }
  where [a < n, b < n]

// The first element itself is left out.
// CHECK: {{^}}refuted wrong_adjoint_of_pad_edge{{$}}
rule.rule @wrong_adjoint_of_pad_edge(%x: [n], %y: [n + a + b]) -> []
  source {
    %a = graph.pad %x low = [a] high = [b] edge value = 0.0
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0]
    rule.yield %s
  }
  target {
    %i = graph.slice %y starts = [a + 1] sizes = [n - 1] steps = [1]
    %ip = graph.pad %i low = [1] high = [0] constant value = 0.0 : (tensor<?xf32, #graph.dims<n - 1>>) -> tensor<?xf32, #graph.dims<n>>
    %l = graph.slice %y starts = [0] sizes = [a] steps = [1]
    %ls = graph.reduce_sum %l axes = [0] keepdims
    %lp = graph.pad %ls low = [0] high = [n - 1] constant value = 0.0 : (tensor<1xf32>) -> tensor<?xf32, #graph.dims<n>>
    %j = graph.add %ip, %lp
    %h = graph.slice %y starts = [a + n] sizes = [b] steps = [1]
    %hs = graph.reduce_sum %h axes = [0] keepdims
    %hp = graph.pad %hs low = [n - 1] high = [0] constant value = 0.0 : (tensor<1xf32>) -> tensor<?xf32, #graph.dims<n>>
    %g = graph.add %j, %hp
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0]
    rule.yield %s
  }
  where [n >= 1]

// The zeros on the other sides.
// CHECK: {{^}}refuted wrong_adjoint_of_pad_wrap{{$}}
rule.rule @wrong_adjoint_of_pad_wrap(%x: [n], %y: [n + a + b]) -> []
  source {
    %a = graph.pad %x low = [a] high = [b] wrap value = 0.0
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0]
    rule.yield %s
  }
  target {
    %o = graph.pad %y low = [(-((-a) mod n) - n - a - b) mod n] high = [(-a) mod n] constant value = 0.0
    %r = graph.reshape %o shape = [((-a) mod n + n + a + b + (-((-a) mod n) - n - a - b) mod n) floordiv n, n]
    %g = graph.reduce_sum %r axes = [0]
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0]
    rule.yield %s
  }
  where [n >= 1]

// What was not chosen.
// CHECK: {{^}}refuted wrong_adjoint_of_where{{$}}
rule.rule @wrong_adjoint_of_where(%x: [n], %c: [n] of i1, %y: [n]) -> []
  source {
    %0 = graph.constant dense<0.0> : tensor<f32>
    %z = graph.broadcast %0 shape = [n]
    %a = graph.where %c, %x, %z
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0]
    rule.yield %s
  }
  target {
    %0 = graph.constant dense<0.0> : tensor<f32>
    %z = graph.broadcast %0 shape = [n]
    %g = graph.where %c, %z, %y
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0]
    rule.yield %s
  }

// Twice.
// CHECK: {{^}}refuted wrong_adjoint_of_reduce_sum{{$}}
rule.rule @wrong_adjoint_of_reduce_sum(%x: [m, n], %y: [m]) -> []
  source {
    %a = graph.reduce_sum %x axes = [1]
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0]
    rule.yield %s
  }
  target {
    %r = graph.reshape %y shape = [m, 1]
    %h = graph.broadcast %r shape = [m, n]
    %g = graph.add %h, %h
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }

// From the same end.
// CHECK: {{^}}refuted wrong_adjoint_of_cumsum{{$}}
rule.rule @wrong_adjoint_of_cumsum(%x: [m, n], %y: [m, n]) -> []
  source {
    %a = graph.cumsum %x axis = 1 
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %g = graph.cumsum %y axis = 1
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }

// From the same end.
// CHECK: {{^}}refuted wrong_adjoint_of_cumsum_reverse{{$}}
rule.rule @wrong_adjoint_of_cumsum_reverse(%x: [m, n], %y: [m, n]) -> []
  source {
    %a = graph.cumsum %x axis = 1 reverse
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %g = graph.cumsum %y axis = 1 reverse
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }

// With the element itself.
// CHECK: {{^}}refuted wrong_adjoint_of_cumsum_exclusive{{$}}
rule.rule @wrong_adjoint_of_cumsum_exclusive(%x: [m, n], %y: [m, n]) -> []
  source {
    %a = graph.cumsum %x axis = 1 exclusive 
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %g = graph.cumsum %y axis = 1 reverse
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }

// With the element itself.
// CHECK: {{^}}refuted wrong_adjoint_of_cumsum_exclusive_reverse{{$}}
rule.rule @wrong_adjoint_of_cumsum_exclusive_reverse(%x: [m, n], %y: [m, n]) -> []
  source {
    %a = graph.cumsum %x axis = 1 exclusive reverse
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %g = graph.cumsum %y axis = 1
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }

// The scale is lost.
// CHECK: {{^}}refuted wrong_adjoint_of_mul{{$}}
rule.rule @wrong_adjoint_of_mul(%x: [n], %c: [n], %y: [n]) -> []
  source {
    %a = graph.mul %x, %c
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0]
    rule.yield %s
  }
  target {
    %g = graph.mul %y, %y
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0]
    rule.yield %s
  }

// The sign is lost.
// CHECK: {{^}}refuted wrong_adjoint_of_neg{{$}}
rule.rule @wrong_adjoint_of_neg(%x: [n], %y: [n]) -> []
  source {
    %a = graph.neg %x
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0]
    rule.yield %s
  }
  target {
    %h = graph.neg %y
    %g = graph.neg %h
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0]
    rule.yield %s
  }

// Not transposed, with square matrices.
// CHECK: {{^}}refuted wrong_adjoint_of_matmul_lhs{{$}}
rule.rule @wrong_adjoint_of_matmul_lhs(%x: [b, m, m], %w: [b, m, m], %y: [b, m, m]) -> []
  source {
    %a = graph.matmul %x, %w
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  target {
    %g = graph.matmul %y, %w
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }

// In the other order, with square matrices.
// CHECK: {{^}}refuted wrong_adjoint_of_matmul_lhs_transposed{{$}}
rule.rule @wrong_adjoint_of_matmul_lhs_transposed(%x: [m, m], %w: [m, m], %y: [m, m]) -> []
  source {
    %a = graph.matmul %x, %w transpose_a
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %g = graph.matmul %y, %w transpose_b
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }

// Transposed once more, with square matrices.
// CHECK: {{^}}refuted wrong_adjoint_of_matmul_lhs_rhs_transposed{{$}}
rule.rule @wrong_adjoint_of_matmul_lhs_rhs_transposed(%x: [b, m, m], %w: [b, m, m], %y: [b, m, m]) -> []
  source {
    %a = graph.matmul %x, %w transpose_b
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  target {
    %g = graph.matmul %y, %w transpose_b
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }

// The largest of the batches.
// CHECK: {{^}}refuted wrong_adjoint_of_matmul_lhs_broadcast{{$}}
rule.rule @wrong_adjoint_of_matmul_lhs_broadcast(%x: [m, k], %w: [b, k, n], %y: [b, m, n]) -> []
  source {
    %a = graph.matmul %x, %w
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  target {
    %0 = graph.matmul %y, %w transpose_b
    %g = graph.reduce_max %0 axes = [0]
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }

// Not transposed, with square matrices.
// CHECK: {{^}}refuted wrong_adjoint_of_matmul_rhs{{$}}
rule.rule @wrong_adjoint_of_matmul_rhs(%x: [b, m, m], %w: [b, m, m], %y: [b, m, m]) -> []
  source {
    %a = graph.matmul %w, %x
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  target {
    %g = graph.matmul %w, %y
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }

// In the other order, with square matrices.
// CHECK: {{^}}refuted wrong_adjoint_of_matmul_rhs_transposed{{$}}
rule.rule @wrong_adjoint_of_matmul_rhs_transposed(%x: [b, m, m], %w: [b, m, m], %y: [b, m, m]) -> []
  source {
    %a = graph.matmul %w, %x transpose_b
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  target {
    %g = graph.matmul %w, %y transpose_a
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }

// Twice.
// CHECK: {{^}}refuted wrong_adjoint_of_matmul_rhs_shared{{$}}
rule.rule @wrong_adjoint_of_matmul_rhs_shared(%x: [k, n], %l: [b, m, k], %y: [b, m, n]) -> []
  source {
    %a = graph.matmul %l, %x
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  target {
    %0 = graph.reshape %l shape = [b * m, k]
    %1 = graph.reshape %y shape = [b * m, n]
    %h = graph.matmul %0, %1 transpose_a
    %g = graph.add %h, %h
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  where [m >= 1]

// With the kernel mirrored.
// CHECK: {{^}}refuted wrong_adjoint_of_conv_input{{$}}
rule.rule @wrong_adjoint_of_conv_input(%x: [n, c, h, w], %k: [o, c, r, s], %y: [n, o, (h + t + b - d * (r - 1) - 1) floordiv u + 1, (w + l + e - f * (s - 1) - 1) floordiv v + 1]) -> []
  source {
    %a = graph.conv %x, %k strides = [u, v] pads = [t, l, b, e] dilations = [d, f] groups = 1 channels_first
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2, 3]
    rule.yield %s
  }
  target {
    %f = graph.reverse %k axes = [2]
    %g = graph.conv_transpose %y, %f strides = [u, v] pads = [t, l, b, e] dilations = [d, f] output_padding = [(h + t + b - d * (r - 1) - 1) mod u, (w + l + e - f * (s - 1) - 1) mod v] groups = 1 : (tensor<?x?x?x?xf32, #graph.dims<n, o, (h + t + b - d * (r - 1) - 1) floordiv u + 1, (w + l + e - f * (s - 1) - 1) floordiv v + 1>>, tensor<?x?x?x?xf32, #graph.dims<o, c, r, s>>) -> tensor<?x?x?x?xf32, #graph.dims<n, c, h, w>>
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1, 2, 3]
    rule.yield %s
  }

// With the kernel mirrored.
// CHECK: {{^}}refuted wrong_adjoint_of_conv_input_groups{{$}}
rule.rule @wrong_adjoint_of_conv_input_groups(%x: [n, 2 * i, h], %k: [o, i, r], %y: [n, o, (h + t + b - d * (r - 1) - 1) floordiv u + 1]) -> []
  source {
    %a = graph.conv %x, %k strides = [u] pads = [t, b] dilations = [d] groups = 2 channels_first
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  target {
    %f = graph.reverse %k axes = [2]
    %g = graph.conv_transpose %y, %f strides = [u] pads = [t, b] dilations = [d] output_padding = [(h + t + b - d * (r - 1) - 1) mod u] groups = 2 : (tensor<?x?x?xf32, #graph.dims<n, o, (h + t + b - d * (r - 1) - 1) floordiv u + 1>>, tensor<?x?x?xf32, #graph.dims<o, i, r>>) -> tensor<?x?x?xf32, #graph.dims<n, 2 * i, h>>
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  where [2 divides o, o >= 1, i >= 1]

// With the kernel mirrored.
// CHECK: {{^}}refuted wrong_adjoint_of_conv_weight{{$}}
rule.rule @wrong_adjoint_of_conv_weight(%x: [o, i, r, s], %z: [n, i, h, w], %y: [n, o, (h + t + b - d * (r - 1) - 1) floordiv u + 1, (w + l + e - f * (s - 1) - 1) floordiv v + 1]) -> []
  source {
    %a = graph.conv %z, %x strides = [u, v] pads = [t, l, b, e] dilations = [d, f] groups = 1 channels_first
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2, 3]
    rule.yield %s
  }
  target {
    %h = graph.conv_backward_weight %z, %y kernel = [r, s] strides = [u, v] pads = [t, l] dilations = [d, f] groups = 1
    %g = graph.reverse %h axes = [3]
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1, 2, 3]
    rule.yield %s
  }

// The channels of one group are taken from all.
// CHECK: {{^}}refuted wrong_adjoint_of_conv_weight_groups{{$}}
rule.rule @wrong_adjoint_of_conv_weight_groups(%x: [o, i, r], %z: [n, 2 * i, h], %y: [n, o, (h + t + b - d * (r - 1) - 1) floordiv u + 1]) -> []
  source {
    %a = graph.conv %z, %x strides = [u] pads = [t, b] dilations = [d] groups = 2 channels_first
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  target {
    %z4 = graph.reshape %z shape = [n, i, 2, h]
    %zt = graph.transpose %z4 perm = [0, 2, 1, 3]
    %0 = graph.reshape %zt shape = [n, 2 * i, h]
    %g = graph.conv_backward_weight %0, %y kernel = [r] strides = [u] pads = [t] dilations = [d] groups = 2
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  where [2 divides o]

// Without the padding at the begin.
// CHECK: {{^}}refuted wrong_adjoint_of_conv_backward_weight_input{{$}}
rule.rule @wrong_adjoint_of_conv_backward_weight_input(%x: [n, i, h], %z: [n, o, m], %y: [o, i, r]) -> []
  source {
    %a = graph.conv_backward_weight %x, %z kernel = [r] strides = [u] pads = [t] dilations = [d] groups = 1
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  target {
    %g = graph.conv_transpose %z, %y strides = [u] pads = [0, max(u * (m - 1) + d * (r - 1) + 1 - h, 0)] dilations = [d] output_padding = [max(u * (m - 1) + d * (r - 1) + 1 - h, 0) - u * (m - 1) - d * (r - 1) - 1 + h] groups = 1
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  where [m >= 1]

// With the kernel mirrored.
// CHECK: {{^}}refuted wrong_adjoint_of_conv_backward_weight_cotangent{{$}}
rule.rule @wrong_adjoint_of_conv_backward_weight_cotangent(%x: [n, o, m], %z: [n, i, h], %y: [o, i, r]) -> []
  source {
    %a = graph.conv_backward_weight %z, %x kernel = [r] strides = [u] pads = [t] dilations = [d] groups = 1
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  target {
    %k = graph.reverse %y axes = [2]
    %0 = graph.conv %z, %k strides = [u] pads = [t, max(u * (m - 1) + d * (r - 1) + 1 - h - t, 0)] dilations = [d] groups = 1 channels_first
    %g = graph.slice %0 starts = [0, 0, 0] sizes = [n, o, m] steps = [1, 1, 1]
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  where [m >= 1]

// With the kernel mirrored.
// CHECK: {{^}}refuted wrong_adjoint_of_conv_transpose_input{{$}}
rule.rule @wrong_adjoint_of_conv_transpose_input(%x: [n, c, h, w], %k: [c, o, r, s], %y: [n, o, u * (h - 1) + p + d * (r - 1) + 1 - t - b, v * (w - 1) + q + f * (s - 1) + 1 - l - e]) -> []
  source {
    %a = graph.conv_transpose %x, %k strides = [u, v] pads = [t, l, b, e] dilations = [d, f] output_padding = [p, q] groups = 1
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2, 3]
    rule.yield %s
  }
  target {
    %f = graph.reverse %k axes = [3]
    %0 = graph.conv %y, %f strides = [u, v] pads = [t, l, b, e] dilations = [d, f] groups = 1 channels_first
    %g = graph.slice %0 starts = [0, 0, 0, 0] sizes = [n, c, h, w] steps = [1, 1, 1, 1]
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1, 2, 3]
    rule.yield %s
  }
  where [h >= 1, w >= 1]

// With the kernel mirrored.
// CHECK: {{^}}refuted wrong_adjoint_of_conv_transpose_weight{{$}}
rule.rule @wrong_adjoint_of_conv_transpose_weight(%x: [c, o, r, s], %z: [n, c, h, w], %y: [n, o, u * (h - 1) + p + d * (r - 1) + 1 - t - b, v * (w - 1) + q + f * (s - 1) + 1 - l - e]) -> []
  source {
    %a = graph.conv_transpose %z, %x strides = [u, v] pads = [t, l, b, e] dilations = [d, f] output_padding = [p, q] groups = 1
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2, 3]
    rule.yield %s
  }
  target {
    %h = graph.conv_backward_weight %y, %z kernel = [r, s] strides = [u, v] pads = [t, l] dilations = [d, f] groups = 1
    %g = graph.reverse %h axes = [2]
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1, 2, 3]
    rule.yield %s
  }
  where [h >= 1, w >= 1]

// The sum instead of the mean.
// CHECK: {{^}}refuted wrong_adjoint_of_avg_pool{{$}}
rule.rule @wrong_adjoint_of_avg_pool(%x: [n, c, h, w], %y: [n, c, (h + t + b - d * (r - 1) - 1) floordiv u + 1, (w + l + e - f * (s - 1) - 1) floordiv v + 1]) -> []
  source {
    %a = graph.avg_pool %x kernel = [r, s] strides = [u, v] pads = [t, l, b, e] dilations = [d, f] channels_first count_include_pad
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2, 3]
    rule.yield %s
  }
  target {
    %1 = graph.constant dense<1.0> : tensor<f32>
    %k = graph.broadcast %1 shape = [c, 1, r, s]
    %z = graph.broadcast %1 shape = [r, s]
    %q = graph.reduce_sum %z axes = [0, 1]
    %qb = graph.broadcast %q shape = [n, c, (h + t + b - d * (r - 1) - 1) floordiv u + 1, (w + l + e - f * (s - 1) - 1) floordiv v + 1]
    %d = graph.div %y, %qb
    %g = graph.conv_transpose %y, %k strides = [u, v] pads = [t, l, b, e] dilations = [d, f] output_padding = [(h + t + b - d * (r - 1) - 1) mod u, (w + l + e - f * (s - 1) - 1) mod v] groups = c : (tensor<?x?x?x?xf32, #graph.dims<n, c, (h + t + b - d * (r - 1) - 1) floordiv u + 1, (w + l + e - f * (s - 1) - 1) floordiv v + 1>>, tensor<?x1x?x?xf32, #graph.dims<c, 1, r, s>>) -> tensor<?x?x?x?xf32, #graph.dims<n, c, h, w>>
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1, 2, 3]
    rule.yield %s
  }
  where [r >= 1, s >= 1, c >= 1]

// The pads are exchanged.
// CHECK: {{^}}refuted wrong_adjoint_of_conv_input_last{{$}}
rule.rule @wrong_adjoint_of_conv_input_last(%x: [n, h, c], %k: [o, c, r], %y: [n, (h + t + b - d * (r - 1) - 1) floordiv u + 1, o]) -> []
  source {
    %a = graph.conv %x, %k strides = [u] pads = [t, b] dilations = [d] groups = 1 channels_last
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  target {
    %g = graph.conv_transpose %y, %k strides = [u] pads = [b, t] dilations = [d] output_padding = [-((b + d - d * r + h + t - 1) floordiv (u)) * u + b + d - d * r + h + t - 1] groups = 1 channels_last
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }

// The padding is that of the other end.
// CHECK: {{^}}refuted wrong_adjoint_of_conv_weight_last{{$}}
rule.rule @wrong_adjoint_of_conv_weight_last(%x: [o, i, r], %z: [n, h, i], %y: [n, (h + t + b - d * (r - 1) - 1) floordiv u + 1, o]) -> []
  source {
    %a = graph.conv %z, %x strides = [u] pads = [t, b] dilations = [d] groups = 1 channels_last
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  target {
    %g = graph.conv_backward_weight %z, %y kernel = [r] strides = [u] pads = [b] dilations = [d] groups = 1 channels_last
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }

// The pads are exchanged.
// CHECK: {{^}}refuted wrong_adjoint_of_avg_pool_last{{$}}
rule.rule @wrong_adjoint_of_avg_pool_last(%x: [n, h, c], %y: [n, (h + t + b - r) floordiv u + 1, c]) -> []
  source {
    %a = graph.avg_pool %x kernel = [r] strides = [u] pads = [t, b] dilations = [1] channels_last count_include_pad
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  target {
    %0 = graph.transpose %y perm = [0, 2, 1]
    %1 = graph.constant dense<1.0> : tensor<f32>
    %2 = graph.broadcast %1 shape = [r]
    %3 = graph.reduce_sum %2 axes = [0]
    %4 = graph.broadcast %3 shape = [n, c, ((b + h - r + t) floordiv (u)) + 1]
    %5 = graph.div %0, %4
    %6 = graph.constant dense<1.0> : tensor<f32>
    %7 = graph.broadcast %6 shape = [c, 1, r]
    %8 = graph.conv_transpose %5, %7 strides = [u] pads = [b, t] dilations = [1] output_padding = [-((b + h - r + t) floordiv (u)) * u + b + h - r + t] groups = c
    %g = graph.transpose %8 perm = [0, 2, 1]
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  where [r >= 1, c >= 1]

// The sum of every window.
// CHECK: {{^}}refuted wrong_adjoint_of_avg_pool_valid{{$}}
rule.rule @wrong_adjoint_of_avg_pool_valid(%x: [n, c, h], %y: [n, c, (h - r) floordiv u + 1]) -> []
  source {
    %a = graph.avg_pool %x kernel = [r] strides = [u] pads = [0, 0] dilations = [1] channels_first
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  target {
    %0 = graph.constant dense<1.0> : tensor<f32>
    %1 = graph.broadcast %0 shape = [r]
    %2 = graph.reduce_sum %1 axes = [0]
    %3 = graph.broadcast %2 shape = [n, c, ((h - r) floordiv (u)) + 1]
    %4 = graph.mul %y, %3
    %5 = graph.constant dense<1.0> : tensor<f32>
    %6 = graph.broadcast %5 shape = [c, 1, r]
    %g = graph.conv_transpose %4, %6 strides = [u] pads = [0, 0] dilations = [1] output_padding = [-((h - r) floordiv (u)) * u + h - r] groups = c
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  where [c >= 1, r >= 1]

// CHECK: {{^}}0 proved, 44 refuted
