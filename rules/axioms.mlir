// The 44 axioms that TASO takes as true, and its 3 lemmas, as theorems of what
// the ops mean: for all sizes, where TASO tests them at sizes up to 4.
// (Jia et al., TASO, SOSP 2019; verify/verify.py of its repository.)
//
// They are meant for provers and searches, not for firing until none applies:
// several undo themselves. An axiom that is a rule of the library is named here,
// and stated there.

!bp_o_H_W = tensor<?x?x?x?xf32, #graph.dims<b + p, o, (h + e + i - d * (r - 1) - 1) floordiv s + 1, (w + f + j - l * (t - 1) - 1) floordiv u + 1>>
!b_op_H_W = tensor<?x?x?x?xf32, #graph.dims<b, o + p, (h + e + i - d * (r - 1) - 1) floordiv s + 1, (w + f + j - l * (t - 1) - 1) floordiv u + 1>>
!b_o_H1_W1 = tensor<?x?x?x?xf32, #graph.dims<b, o, (h + e + i - r) floordiv s + 1, (w + f + j - t) floordiv u + 1>>

//===----------------------------------------------------------------------===//
// Elementwise (5). Multiplication distributes over addition:
// @factor_sum_of_products.
//===----------------------------------------------------------------------===//

// Addition is associative.
rule.rule @associate_sums(%a: [n], %b: [n], %c: [n]) -> [n]
  lifts [%a, %b, %c]
  source {
    %0 = graph.add %b, %c
    %1 = graph.add %a, %0
    rule.yield %1
  }
  target {
    %0 = graph.add %a, %b
    %1 = graph.add %0, %c
    rule.yield %1
  }

// Addition is commutative.
rule.rule @commute_sum(%a: [n], %b: [n]) -> [n]
  lifts [%a, %b]
  source {
    %0 = graph.add %a, %b
    rule.yield %0
  }
  target {
    %0 = graph.add %b, %a
    rule.yield %0
  }

// Multiplication is associative.
rule.rule @associate_products(%a: [n], %b: [n], %c: [n]) -> [n]
  lifts [%a, %b, %c]
  source {
    %0 = graph.mul %b, %c
    %1 = graph.mul %a, %0
    rule.yield %1
  }
  target {
    %0 = graph.mul %a, %b
    %1 = graph.mul %0, %c
    rule.yield %1
  }

// Multiplication is commutative.
rule.rule @commute_product(%a: [n], %b: [n]) -> [n]
  lifts [%a, %b]
  source {
    %0 = graph.mul %a, %b
    rule.yield %0
  }
  target {
    %0 = graph.mul %b, %a
    rule.yield %0
  }

//===----------------------------------------------------------------------===//
// Multiplication by a scalar (8). It moves across a matmul:
// @scale_of_lhs_to_matmul, @scale_of_matmul_to_rhs. It may sit on either operand
// of a convolution, or on its result: @scale_of_input_to_conv,
// @scale_of_conv_to_weight.
//===----------------------------------------------------------------------===//

// It is associative.
rule.rule @associate_scales(%a: [m, n], %s: [], %t: []) -> [m, n]
  source {
    %ss = graph.broadcast %s shape = [m, n]
    %0 = graph.mul %a, %ss
    %ts = graph.broadcast %t shape = [m, n]
    %1 = graph.mul %0, %ts
    rule.yield %1
  }
  target {
    %st = graph.mul %s, %t
    %sts = graph.broadcast %st shape = [m, n]
    %0 = graph.mul %a, %sts
    rule.yield %0
  }

// It distributes over addition.
rule.rule @scale_of_sum(%a: [m, n], %b: [m, n], %s: []) -> [m, n]
  source {
    %0 = graph.add %a, %b
    %ss = graph.broadcast %s shape = [m, n]
    %1 = graph.mul %0, %ss
    rule.yield %1
  }
  target {
    %ss = graph.broadcast %s shape = [m, n]
    %0 = graph.mul %a, %ss
    %1 = graph.mul %b, %ss
    %2 = graph.add %0, %1
    rule.yield %2
  }

// It moves across an elementwise product.
rule.rule @scale_of_product(%a: [m, n], %b: [m, n], %s: []) -> [m, n]
  source {
    %0 = graph.mul %a, %b
    %ss = graph.broadcast %s shape = [m, n]
    %1 = graph.mul %0, %ss
    rule.yield %1
  }
  target {
    %ss = graph.broadcast %s shape = [m, n]
    %0 = graph.mul %b, %ss
    %1 = graph.mul %a, %0
    rule.yield %1
  }

// It commutes with a transpose.
rule.rule @scale_of_transpose(%a: [m, n], %s: []) -> [n, m]
  source {
    %0 = graph.transpose %a perm = [1, 0]
    %ss = graph.broadcast %s shape = [n, m]
    %1 = graph.mul %0, %ss
    rule.yield %1
  }
  target {
    %ss = graph.broadcast %s shape = [m, n]
    %0 = graph.mul %a, %ss
    %1 = graph.transpose %0 perm = [1, 0]
    rule.yield %1
  }

// It commutes with a concatenation.
rule.rule @concat_of_scales(%a: [m, n], %b: [p, n], %s: []) -> [m + p, n]
  source {
    %as = graph.broadcast %s shape = [m, n]
    %0 = graph.mul %a, %as
    %bs = graph.broadcast %s shape = [p, n]
    %1 = graph.mul %b, %bs
    %2 = graph.concat %0, %1 axis = 0
    rule.yield %2
  }
  target {
    %ab = graph.concat %a, %b axis = 0
    %ss = graph.broadcast %s shape = [m + p, n]
    %0 = graph.mul %ab, %ss
    rule.yield %0
  }

//===----------------------------------------------------------------------===//
// Relu (3). It commutes with a transpose: @relu_of_transposed_10. That a relu
// after a convolution is a convolution with the flag "relu" says nothing here: no
// op of the graph dialect has such a flag, so both are the same graph.
//===----------------------------------------------------------------------===//

// It commutes with a concatenation.
rule.rule @concat_of_relus(%a: [m, n], %b: [p, n]) -> [m + p, n]
  lifts [%a, %b]
  source {
    %0 = graph.relu %a
    %1 = graph.relu %b
    %2 = graph.concat %0, %1 axis = 0
    rule.yield %2
  }
  target {
    %ab = graph.concat %a, %b axis = 0
    %0 = graph.relu %ab
    rule.yield %0
  }

//===----------------------------------------------------------------------===//
// Linearity of convolution (3): @add_of_convs_sharing_input,
// @add_of_convs_sharing_weight, @add_of_convs_to_conv_of_concats.
//===----------------------------------------------------------------------===//

//===----------------------------------------------------------------------===//
// Concatenation (7). The sum of two matmuls is the matmul of concatenated
// operands: @add_of_matmuls_to_matmul_of_concats.
//===----------------------------------------------------------------------===//

// It commutes with addition.
rule.rule @concat_of_sums(%a: [m, n], %b: [m, n], %c: [p, n], %d: [p, n]) -> [m + p, n]
  lifts [%a, %b, %c, %d]
  source {
    %0 = graph.add %a, %b
    %1 = graph.add %c, %d
    %2 = graph.concat %0, %1 axis = 0
    rule.yield %2
  }
  target {
    %ac = graph.concat %a, %c axis = 0
    %bd = graph.concat %b, %d axis = 0
    %0 = graph.add %ac, %bd
    rule.yield %0
  }

// It commutes with elementwise multiplication.
rule.rule @concat_of_products(%a: [m, n], %b: [m, n], %c: [p, n], %d: [p, n]) -> [m + p, n]
  lifts [%a, %b, %c, %d]
  source {
    %0 = graph.mul %a, %b
    %1 = graph.mul %c, %d
    %2 = graph.concat %0, %1 axis = 0
    rule.yield %2
  }
  target {
    %ac = graph.concat %a, %c axis = 0
    %bd = graph.concat %b, %d axis = 0
    %0 = graph.mul %ac, %bd
    rule.yield %0
  }

// A convolution of inputs joined along the batch.
rule.rule @conv_of_concat_along_batch(%x: [b, c, h, w], %y: [p, c, h, w], %v: [o, c, r, t]) -> !bp_o_H_W
  source {
    %xy = graph.concat %x, %y axis = 0
    %0 = graph.conv %xy, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first
    rule.yield %0
  }
  target {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first
    %1 = graph.conv %y, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first
    %2 = graph.concat %0, %1 axis = 0
    rule.yield %2
  }

// A convolution with weights joined along the output channels.
rule.rule @conv_with_concat_of_weights(%x: [b, c, h, w], %v: [o, c, r, t], %z: [p, c, r, t]) -> !b_op_H_W
  source {
    %vz = graph.concat %v, %z axis = 0
    %0 = graph.conv %x, %vz strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first
    rule.yield %0
  }
  target {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first
    %1 = graph.conv %x, %z strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first
    %2 = graph.concat %0, %1 axis = 1
    rule.yield %2
  }

// A matmul with a right operand joined along the columns.
rule.rule @matmul_with_concat_of_columns(%a: [m, k], %b: [k, n], %c: [k, p]) -> [m, n + p]
  lifts [%a]
  source {
    %bc = graph.concat %b, %c axis = 1
    %0 = graph.matmul %a, %bc
    rule.yield %0
  }
  target {
    %0 = graph.matmul %a, %b
    %1 = graph.matmul %a, %c
    %2 = graph.concat %0, %1 axis = 1
    rule.yield %2
  }

// Two by two blocks: joined by rows first or by columns first.
rule.rule @concat_of_concats(%a: [m, n], %b: [m, q], %c: [p, n], %d: [p, q]) -> [m + p, n + q]
  lifts [%a, %b, %c, %d]
  source {
    %ab = graph.concat %a, %b axis = 1
    %cd = graph.concat %c, %d axis = 1
    %0 = graph.concat %ab, %cd axis = 0
    rule.yield %0
  }
  target {
    %ac = graph.concat %a, %c axis = 0
    %bd = graph.concat %b, %d axis = 0
    %0 = graph.concat %ac, %bd axis = 1
    rule.yield %0
  }

//===----------------------------------------------------------------------===//
// Matmul (2). It is associative: @associate_matmuls_to_left, _to_right. It
// distributes over addition on the right: @add_of_matmuls_sharing_lhs.
//===----------------------------------------------------------------------===//

//===----------------------------------------------------------------------===//
// Split (2). The first part of a concatenation of two is the first, and the
// second the second: @split_of_concat_1 to _3.
//===----------------------------------------------------------------------===//

//===----------------------------------------------------------------------===//
// Transpose (5). It undoes itself: @transposes_cancel_10_10. It reverses a matmul:
// @transpose_of_matmul, @matmul_of_transposes. It turns a concatenation of rows
// into one of columns: @concat_of_transposed_10_along_1. It commutes with addition
// and elementwise multiplication: @add_of_transposed_10, @mul_of_transposed_10.
//===----------------------------------------------------------------------===//

//===----------------------------------------------------------------------===//
// Pools (4, and a lemma). They commute with concatenation along the channels and
// the batch: @merge_avg_pools_along_channels, @merge_max_pools_along_batch,
// @merge_max_pools_along_channels; the lemma: @merge_avg_pools_along_batch.
//===----------------------------------------------------------------------===//

// A convolution with the pool kernel, which has 1 / 9 where the channels are the
// same, is the average pool. TASO's average counts the padding.
rule.rule @conv_with_pool_kernel(%x: [b, c, h, w], %same: [c, c]) -> [b, c, h, w]
  source {
    %nine = graph.constant dense<9.0> : tensor<f32>
    %nines = graph.broadcast %nine shape = [c, c]
    %ninth = graph.div %same, %nines
    %middle = graph.reshape %ninth shape = [c, c, 1, 1]
    %kernel = graph.broadcast %middle shape = [c, c, 3, 3]
    %0 = graph.conv %x, %kernel strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_first
    rule.yield %0
  }
  target {
    %0 = graph.avg_pool %x kernel = [3, 3] strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] channels_first count_include_pad
    rule.yield %0
  }
  where [is_identity(%same)]

//===----------------------------------------------------------------------===//
// Constants (4, and two lemmas)
//===----------------------------------------------------------------------===//

// A convolution with the identity kernel, which has 1 in the middle where the
// channels are the same, is the identity.
rule.rule @conv_with_identity_kernel(%x: [b, c, h, w], %same: [c, c]) -> [b, c, h, w]
  source {
    %middle = graph.reshape %same shape = [c, c, 1, 1]
    %kernel = graph.pad %middle low = [0, 0, 1, 1] high = [0, 0, 1, 1] constant value = 0.0
    %0 = graph.conv %x, %kernel strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_first
    rule.yield %0
  }
  target {
    rule.yield %x
  }
  where [is_identity(%same)]

// A matmul with the identity matrix, on the right and (a lemma) on the left.
rule.rule @matmul_with_identity(%a: [m, n], %identity: [n, n]) -> [m, n]
  lifts [%a]
  source {
    %0 = graph.matmul %a, %identity
    rule.yield %0
  }
  target {
    rule.yield %a
  }
  where [is_identity(%identity)]

rule.rule @matmul_of_identity(%identity: [m, m], %a: [m, n]) -> [m, n]
  source {
    %0 = graph.matmul %identity, %a
    rule.yield %0
  }
  target {
    rule.yield %a
  }
  where [is_identity(%identity)]

// The identity matrix is its transpose (a lemma).
rule.rule @transpose_of_identity(%identity: [n, n]) -> [n, n]
  source {
    %0 = graph.transpose %identity perm = [1, 0]
    rule.yield %0
  }
  target {
    rule.yield %identity
  }
  where [is_identity(%identity)]

// An elementwise product with ones.
rule.rule @product_with_ones(%a: [n], %ones: [n]) -> [n]
  source {
    %0 = graph.mul %a, %ones
    rule.yield %0
  }
  target {
    rule.yield %a
  }
  where [is_ones(%ones)]

// The average pool of the identity kernel is the pool kernel. (It is so for any
// matrix in place of the identity.)
rule.rule @avg_pool_of_identity_kernel(%same: [c, c]) -> [c, c, 3, 3]
  source {
    %middle = graph.reshape %same shape = [c, c, 1, 1]
    %kernel = graph.pad %middle low = [0, 0, 1, 1] high = [0, 0, 1, 1] constant value = 0.0
    %0 = graph.avg_pool %kernel kernel = [3, 3] strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] channels_first count_include_pad
    rule.yield %0
  }
  target {
    %nine = graph.constant dense<9.0> : tensor<f32>
    %nines = graph.broadcast %nine shape = [c, c]
    %ninth = graph.div %same, %nines
    %middle = graph.reshape %ninth shape = [c, c, 1, 1]
    %kernel = graph.broadcast %middle shape = [c, c, 3, 3]
    rule.yield %kernel
  }

//===----------------------------------------------------------------------===//
// Enlarged kernels (1)
//===----------------------------------------------------------------------===//

// Zeros around a kernel, and as much more padding, change nothing. One row or
// column on each side at a time.
rule.rule @enlarge_kernel_by_one(%x: [b, c, h, w], %v: [o, c, r, t]) -> !b_o_H1_W1
  source {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [1, 1] groups = 1 channels_first
    rule.yield %0
  }
  target {
    %larger = graph.pad %v low = [0, 0, 1, 1] high = [0, 0, 1, 1] constant value = 0.0
    %0 = graph.conv %x, %larger strides = [s, u] pads = [e + 1, f + 1, i + 1, j + 1] dilations = [1, 1] groups = 1 channels_first
    rule.yield %0
  }
