// The adjoints of ops that move elements.
//
// A rule states <A x, y> = <x, G y> for an op A: the sum of the products of what A
// makes of x with y equals the sum of the products of x with what G makes of y. So G
// turns the cotangent of A's result into that of x. G is what
// `tenon-opt --graph-differentiate` builds (AdjointRulesTest.cpp compares both, op by
// op). These rules are not for the optimizer, which reads only the folder above.
//
// `tenon-rules prove rules/adjoints/movement.mlir` proves them for all sizes.

// The inverse permutation.
rule.rule @adjoint_of_transpose(%x: [k, m, n], %y: [n, k, m]) -> []
  source {
    %a = graph.transpose %x perm = [2, 0, 1]
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  target {
    %g = graph.transpose %y perm = [1, 2, 0]
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }

// The elements stay in their order. (Without any, both sums are 0.)
rule.rule @adjoint_of_reshape_split(%x: [m, k * n], %y: [m, k, n]) -> []
  source {
    %a = graph.reshape %x shape = [m, k, n]
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  target {
    %g = graph.reshape %y shape = [m, k * n]
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  where [n >= 1]

// The same where axes are joined.
rule.rule @adjoint_of_reshape_join(%x: [m, k, n], %y: [m, k * n]) -> []
  source {
    %a = graph.reshape %x shape = [m, k * n]
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %g = graph.reshape %y shape = [m, k, n]
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  where [n >= 1]

// What reads one element gives to it.
rule.rule @adjoint_of_broadcast_axis(%x: [n], %y: [m, n]) -> []
  source {
    %a = graph.broadcast %x shape = [m, n]
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %g = graph.reduce_sum %y axes = [0]
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0]
    rule.yield %s
  }

// The same along an axis of size 1.
rule.rule @adjoint_of_broadcast_one(%x: [m, 1], %y: [m, n]) -> []
  source {
    %a = graph.broadcast %x shape = [m, n]
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %r = graph.reduce_sum %y axes = [1]
    %g = graph.reshape %r shape = [m, 1]
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }

// The sum over the repeats.
rule.rule @adjoint_of_tile(%x: [m, n], %y: [r * m, q * n]) -> []
  source {
    %a = graph.tile %x repeats = [r, q]
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %0 = graph.reshape %y shape = [r, m, q, n]
    %g = graph.reduce_sum %0 axes = [0, 2]
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  where [m >= 1, n >= 1]

// Its own adjoint.
rule.rule @adjoint_of_reverse(%x: [m, n], %y: [m, n]) -> []
  source {
    %a = graph.reverse %x axes = [1]
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %g = graph.reverse %y axes = [1]
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }

// Zeros where nothing was read. (An empty slice may start anywhere.)
rule.rule @adjoint_of_slice(%x: [m, n], %y: [k, p]) -> []
  source {
    %a = graph.slice %x starts = [b, c] sizes = [k, p] steps = [1, 1]
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %0 = graph.pad %y low = [b, 0] high = [m - b - k, 0] constant value = 0.0 : (tensor<?x?xf32, #graph.dims<k, p>>) -> tensor<?x?xf32, #graph.dims<m, p>>
    %g = graph.pad %0 low = [0, c] high = [0, n - c - p] constant value = 0.0 : (tensor<?x?xf32, #graph.dims<m, p>>) -> tensor<?x?xf32, #graph.dims<m, n>>
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  where [k >= 1, p >= 1]

// The same for elements that are read backwards.
rule.rule @adjoint_of_slice_back(%x: [m], %y: [k]) -> []
  source {
    %a = graph.slice %x starts = [b] sizes = [k] steps = [-1]
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0]
    rule.yield %s
  }
  target {
    %0 = graph.reverse %y axes = [0]
    %g = graph.pad %0 low = [b - k + 1] high = [m - b - 1] constant value = 0.0 : (tensor<?xf32, #graph.dims<k>>) -> tensor<?xf32, #graph.dims<m>>
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0]
    rule.yield %s
  }
  where [k >= 1]

// Zeros between the elements, too.
rule.rule @adjoint_of_slice_strided(%x: [m], %y: [k]) -> []
  source {
    %a = graph.slice %x starts = [b] sizes = [k] steps = [3]
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0]
    rule.yield %s
  }
  target {
    %c = graph.reshape %y shape = [k, 1]
    %0 = graph.pad %c low = [0, 0] high = [0, 2] constant value = 0.0
    %1 = graph.reshape %0 shape = [3 * k]
    %2 = graph.slice %1 starts = [0] sizes = [max(3 * k - 2, 0)] steps = [1]
    %g = graph.pad %2 low = [b] high = [m - b - max(3 * k - 2, 0)] constant value = 0.0 : (tensor<?xf32, #graph.dims<max(3 * k - 2, 0)>>) -> tensor<?xf32, #graph.dims<m>>
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0]
    rule.yield %s
  }
  where [k >= 1]

// Parts that are not used have the cotangent 0.
rule.rule @adjoint_of_split(%x: [m, n + k], %y: [m, n]) -> []
  source {
    %a, %b = graph.split %x axis = 1 sizes = [n, k]
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %c = graph.constant dense<0.0> : tensor<f32>
    %z = graph.broadcast %c shape = [m, k]
    %g = graph.concat %y, %z axis = 1
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }

// A slice for each operand.
rule.rule @adjoint_of_concat(%x: [m, n], %z: [m, k], %y: [m, n + k]) -> []
  source {
    %a = graph.concat %x, %z axis = 1
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %g = graph.slice %y starts = [0, 0] sizes = [m, n] steps = [1, 1]
    %h = graph.slice %y starts = [0, n] sizes = [m, k] steps = [1, 1]
    %p = graph.mul %x, %g
    %q = graph.mul %z, %h
    %s = graph.reduce_sum %p axes = [0, 1]
    %t = graph.reduce_sum %q axes = [0, 1]
    %u = graph.add %s, %t
    rule.yield %u
  }

// The slice without the padding.
rule.rule @adjoint_of_pad_constant(%x: [m, n], %y: [m + a + b, n + c + d]) -> []
  source {
    %a = graph.pad %x low = [a, c] high = [b, d] constant value = 0.0
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %0 = graph.slice %y starts = [a, 0] sizes = [m, n + c + d] steps = [1, 1]
    %g = graph.slice %0 starts = [0, c] sizes = [m, n] steps = [1, 1]
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }

// Padding gives to the elements that it mirrors, backwards.
rule.rule @adjoint_of_pad_reflect(%x: [n], %y: [n + a + b]) -> []
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
    %hs = graph.reverse %h axes = [0]
    %hp = graph.pad %hs low = [n - b - 1] high = [1] constant value = 0.0 : (tensor<?xf32, #graph.dims<b>>) -> tensor<?xf32, #graph.dims<n>>
    %g = graph.add %j, %hp
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0]
    rule.yield %s
  }
  where [a < n, b < n]

// Padding gives to the first and the last element.
rule.rule @adjoint_of_pad_edge(%x: [n], %y: [n + a + b]) -> []
  source {
    %a = graph.pad %x low = [a] high = [b] edge value = 0.0
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0]
    rule.yield %s
  }
  target {
    %i = graph.slice %y starts = [a + 1] sizes = [n - 1] steps = [1]
    %ip = graph.pad %i low = [1] high = [0] constant value = 0.0 : (tensor<?xf32, #graph.dims<n - 1>>) -> tensor<?xf32, #graph.dims<n>>
    %l = graph.slice %y starts = [0] sizes = [a + 1] steps = [1]
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

// The sum over whole periods, of which the first and the last are filled up with zeros.
rule.rule @adjoint_of_pad_wrap(%x: [n], %y: [n + a + b]) -> []
  source {
    %a = graph.pad %x low = [a] high = [b] wrap value = 0.0
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0]
    rule.yield %s
  }
  target {
    %o = graph.pad %y low = [(-a) mod n] high = [(-((-a) mod n) - n - a - b) mod n] constant value = 0.0
    %r = graph.reshape %o shape = [((-a) mod n + n + a + b + (-((-a) mod n) - n - a - b) mod n) floordiv n, n]
    %g = graph.reduce_sum %r axes = [0]
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0]
    rule.yield %s
  }
  where [n >= 1]

// Elements that were not chosen get 0.
rule.rule @adjoint_of_where(%x: [n], %c: [n] of i1, %y: [n]) -> []
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
    %g = graph.where %c, %y, %z
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0]
    rule.yield %s
  }
