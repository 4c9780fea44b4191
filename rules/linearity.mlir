// Rules about sums: products and convolutions are linear in either operand,
// and products of matrices associate.
//
// Entries 18 to 29 of rules/README.md. They hold for real numbers and for
// wrapping integers; in floating point most regroup sums (class
// `reassociates`). Sums and products of more than two are brought into these
// forms by firing on two of them, and then on the result and the next.

!boHW = tensor<?x?x?x?xf32, #graph.dims<b, o, (h + e + i - d * (r - 1) - 1) floordiv s + 1, (w + f + j - l * (t - 1) - 1) floordiv u + 1>>

// 18. A B + C D = [A C] [B; D].
rule.rule @add_of_matmuls_to_matmul_of_concats(%a: [m, k], %b: [k, n], %c: [m, l], %d: [l, n]) -> [m, n]
  lifts [%a, %c]
  source {
    %0 = graph.matmul %a, %b
    %1 = graph.matmul %c, %d
    %2 = graph.add %0, %1
    rule.yield %2
  }
  target {
    %ac = graph.concat %a, %c axis = 1
    %bd = graph.concat %b, %d axis = 0
    %0 = graph.matmul %ac, %bd
    rule.yield %0
  }

// 19. conv(X, V) + conv(Y, Z) = conv([X Y], [V Z]), joined along the input
// channels. One group: several would share out the joined channels otherwise.
rule.rule @add_of_convs_to_conv_of_concats(%x: [b, c, h, w], %y: [b, p, h, w], %v: [o, c, r, t], %z: [o, p, r, t]) -> !boHW
  source {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first
    %1 = graph.conv %y, %z strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first
    %2 = graph.add %0, %1
    rule.yield %2
  }
  target {
    %xy = graph.concat %x, %y axis = 1
    %vz = graph.concat %v, %z axis = 1
    %0 = graph.conv %xy, %vz strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = 1 channels_first
    rule.yield %0
  }

// 20. conv(X, V) + conv(X, Z) = conv(X, V + Z). Where the weights are
// constants, their sum is one too.
rule.rule @add_of_convs_sharing_input(%x: [b, g * c, h, w], %v: [o, c, r, t], %z: [o, c, r, t]) -> !boHW
  source {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = g channels_first
    %1 = graph.conv %x, %z strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = g channels_first
    %2 = graph.add %0, %1
    rule.yield %2
  }
  target {
    %vz = graph.add %v, %z
    %0 = graph.conv %x, %vz strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = g channels_first
    rule.yield %0
  }

// 21. conv(X, V) + conv(Y, V) = conv(X + Y, V).
rule.rule @add_of_convs_sharing_weight(%x: [b, g * c, h, w], %y: [b, g * c, h, w], %v: [o, c, r, t]) -> !boHW
  source {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = g channels_first
    %1 = graph.conv %y, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = g channels_first
    %2 = graph.add %0, %1
    rule.yield %2
  }
  target {
    %xy = graph.add %x, %y
    %0 = graph.conv %xy, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = g channels_first
    rule.yield %0
  }

// 22. A B + A C = A (B + C).
rule.rule @add_of_matmuls_sharing_lhs(%a: [m, k], %b: [k, n], %c: [k, n]) -> [m, n]
  lifts [%a]
  source {
    %0 = graph.matmul %a, %b
    %1 = graph.matmul %a, %c
    %2 = graph.add %0, %1
    rule.yield %2
  }
  target {
    %bc = graph.add %b, %c
    %0 = graph.matmul %a, %bc
    rule.yield %0
  }

// 23. A C + B C = (A + B) C.
rule.rule @add_of_matmuls_sharing_rhs(%a: [m, k], %b: [m, k], %c: [k, n]) -> [m, n]
  lifts [%a, %b]
  source {
    %0 = graph.matmul %a, %c
    %1 = graph.matmul %b, %c
    %2 = graph.add %0, %1
    rule.yield %2
  }
  target {
    %ab = graph.add %a, %b
    %0 = graph.matmul %ab, %c
    rule.yield %0
  }

// 24. (A B) C = A (B C). Which is cheaper follows from the sizes; the two
// directions undo each other.
rule.rule @associate_matmuls_to_right(%a: [m, k], %b: [k, l], %c: [l, n]) -> [m, n]
  lifts [%a]
  source {
    %0 = graph.matmul %a, %b
    %1 = graph.matmul %0, %c
    rule.yield %1
  }
  target {
    %0 = graph.matmul %b, %c
    %1 = graph.matmul %a, %0
    rule.yield %1
  }

rule.rule @associate_matmuls_to_left(%a: [m, k], %b: [k, l], %c: [l, n]) -> [m, n]
  lifts [%a]
  source {
    %0 = graph.matmul %b, %c
    %1 = graph.matmul %a, %0
    rule.yield %1
  }
  target {
    %0 = graph.matmul %a, %b
    %1 = graph.matmul %0, %c
    rule.yield %1
  }

// 25. A product of any number of matrices, in any order of evaluation: the two
// rules above lead from every order to every other. One instance for four, in
// one step.
rule.rule @balance_matmul_chain(%a: [m, k], %b: [k, l], %c: [l, p], %d: [p, n]) -> [m, n]
  lifts [%a]
  source {
    %0 = graph.matmul %a, %b
    %1 = graph.matmul %0, %c
    %2 = graph.matmul %1, %d
    rule.yield %2
  }
  target {
    %0 = graph.matmul %a, %b
    %1 = graph.matmul %c, %d
    %2 = graph.matmul %0, %1
    rule.yield %2
  }

// 26. A low-rank update beside a weight: W X + B (A X) = [W B] [X; A X].
rule.rule @low_rank_update_to_matmul(%w: [m, k], %x: [k, n], %a: [q, k], %b: [m, q]) -> [m, n]
  source {
    %0 = graph.matmul %w, %x
    %ax = graph.matmul %a, %x
    %1 = graph.matmul %b, %ax
    %2 = graph.add %0, %1
    rule.yield %2
  }
  target {
    %wb = graph.concat %w, %b axis = 1
    %ax = graph.matmul %a, %x
    %xax = graph.concat %x, %ax axis = 0
    %0 = graph.matmul %wb, %xax
    rule.yield %0
  }

// The same with the weights on the right: X W + (X A) B = [X X A] [W; B].
rule.rule @low_rank_update_on_right_to_matmul(%x: [m, k], %w: [k, n], %a: [k, q], %b: [q, n]) -> [m, n]
  lifts [%x]
  source {
    %0 = graph.matmul %x, %w
    %xa = graph.matmul %x, %a
    %1 = graph.matmul %xa, %b
    %2 = graph.add %0, %1
    rule.yield %2
  }
  target {
    %xa = graph.matmul %x, %a
    %xxa = graph.concat %x, %xa axis = 1
    %wb = graph.concat %w, %b axis = 0
    %0 = graph.matmul %xxa, %wb
    rule.yield %0
  }

// 27. A scale moves across a product: (s A) B = s (A B) = A (s B).
rule.rule @scale_of_lhs_to_matmul(%s: [], %a: [m, k], %b: [k, n]) -> [m, n]
  source {
    %0 = graph.broadcast %s shape = [m, k]
    %1 = graph.mul %a, %0
    %2 = graph.matmul %1, %b
    rule.yield %2
  }
  target {
    %0 = graph.matmul %a, %b
    %1 = graph.broadcast %s shape = [m, n]
    %2 = graph.mul %0, %1
    rule.yield %2
  }

rule.rule @scale_of_matmul_to_rhs(%s: [], %a: [m, k], %b: [k, n]) -> [m, n]
  source {
    %0 = graph.matmul %a, %b
    %1 = graph.broadcast %s shape = [m, n]
    %2 = graph.mul %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.broadcast %s shape = [k, n]
    %1 = graph.mul %b, %0
    %2 = graph.matmul %a, %1
    rule.yield %2
  }

// The same for convolutions.
rule.rule @scale_of_input_to_conv(%q: [], %x: [b, g * c, h, w], %v: [o, c, r, t]) -> !boHW
  source {
    %0 = graph.broadcast %q shape = [b, g * c, h, w]
    %1 = graph.mul %x, %0
    %2 = graph.conv %1, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = g channels_first
    rule.yield %2
  }
  target {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = g channels_first
    %1 = graph.broadcast %q shape = [b, o, (h + e + i - d * (r - 1) - 1) floordiv s + 1, (w + f + j - l * (t - 1) - 1) floordiv u + 1]
    %2 = graph.mul %0, %1
    rule.yield %2
  }

rule.rule @scale_of_conv_to_weight(%q: [], %x: [b, g * c, h, w], %v: [o, c, r, t]) -> !boHW
  source {
    %0 = graph.conv %x, %v strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = g channels_first
    %1 = graph.broadcast %q shape = [b, o, (h + e + i - d * (r - 1) - 1) floordiv s + 1, (w + f + j - l * (t - 1) - 1) floordiv u + 1]
    %2 = graph.mul %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.broadcast %q shape = [o, c, r, t]
    %1 = graph.mul %v, %0
    %2 = graph.conv %x, %1 strides = [s, u] pads = [e, f, i, j] dilations = [d, l] groups = g channels_first
    rule.yield %2
  }

// 28. A common factor.
rule.rule @factor_sum_of_products(%a: [n], %b: [n], %c: [n]) -> [n]
  lifts [%a, %b, %c]
  source {
    %0 = graph.mul %a, %b
    %1 = graph.mul %a, %c
    %2 = graph.add %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.add %b, %c
    %1 = graph.mul %a, %0
    rule.yield %1
  }

// 29. The transpose of a product is the product of the transposes in the other
// order, in both directions.
rule.rule @transpose_of_matmul(%a: [m, k], %b: [k, n]) -> [n, m]
  source {
    %0 = graph.matmul %a, %b
    %1 = graph.transpose %0 perm = [1, 0]
    rule.yield %1
  }
  target {
    %0 = graph.transpose %b perm = [1, 0]
    %1 = graph.transpose %a perm = [1, 0]
    %2 = graph.matmul %0, %1
    rule.yield %2
  }

rule.rule @matmul_of_transposes(%a: [k, m], %b: [n, k]) -> [m, n]
  source {
    %0 = graph.transpose %a perm = [1, 0]
    %1 = graph.transpose %b perm = [1, 0]
    %2 = graph.matmul %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.matmul %b, %a
    %1 = graph.transpose %0 perm = [1, 0]
    rule.yield %1
  }

// Transposes of one operand go into the matmul, which reads either layout.
rule.rule @transpose_of_lhs_into_matmul(%a: [k, m], %b: [k, n]) -> [m, n]
  source {
    %0 = graph.transpose %a perm = [1, 0]
    %1 = graph.matmul %0, %b
    rule.yield %1
  }
  target {
    %0 = graph.matmul %a, %b transpose_a
    rule.yield %0
  }

rule.rule @transpose_of_rhs_into_matmul(%a: [m, k], %b: [n, k]) -> [m, n]
  lifts [%a]
  source {
    %0 = graph.transpose %b perm = [1, 0]
    %1 = graph.matmul %a, %0
    rule.yield %1
  }
  target {
    %0 = graph.matmul %a, %b transpose_b
    rule.yield %0
  }
