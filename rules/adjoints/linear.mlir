// The adjoints of reductions, scans and products, as movement.mlir explains.
//
// `tenon-rules prove rules/adjoints/linear.mlir` proves them for all sizes.

// Every element counts once.
rule.rule @adjoint_of_reduce_sum(%x: [m, n], %y: [m]) -> []
  source {
    %a = graph.reduce_sum %x axes = [1]
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0]
    rule.yield %s
  }
  target {
    %r = graph.reshape %y shape = [m, 1]
    %g = graph.broadcast %r shape = [m, n]
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }

// Each rank gives to all. What is differentiated is the sum over the ranks, so
// that products are summed over them, too.
rule.rule @adjoint_of_all_reduce(%x: [n], %y: [n]) -> []
  source {
    %a = graph.all_reduce %x over ["ranks"]
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0]
    %t = graph.all_reduce %s over ["ranks"]
    rule.yield %t
  }
  target {
    %g = graph.all_reduce %y over ["ranks"]
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0]
    %t = graph.all_reduce %s over ["ranks"]
    rule.yield %t
  }

// A running sum from the other end.
rule.rule @adjoint_of_cumsum(%x: [m, n], %y: [m, n]) -> []
  source {
    %a = graph.cumsum %x axis = 1 
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

// The same the other way round.
rule.rule @adjoint_of_cumsum_reverse(%x: [m, n], %y: [m, n]) -> []
  source {
    %a = graph.cumsum %x axis = 1 reverse
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

// The same without the element itself.
rule.rule @adjoint_of_cumsum_exclusive(%x: [m, n], %y: [m, n]) -> []
  source {
    %a = graph.cumsum %x axis = 1 exclusive 
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %g = graph.cumsum %y axis = 1 exclusive reverse
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }

// The same without the element itself, the other way round.
rule.rule @adjoint_of_cumsum_exclusive_reverse(%x: [m, n], %y: [m, n]) -> []
  source {
    %a = graph.cumsum %x axis = 1 exclusive reverse
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %g = graph.cumsum %y axis = 1 exclusive 
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }

// A scale.
rule.rule @adjoint_of_mul(%x: [n], %c: [n], %y: [n]) -> []
  source {
    %a = graph.mul %x, %c
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0]
    rule.yield %s
  }
  target {
    %g = graph.mul %y, %c
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0]
    rule.yield %s
  }

// A change of sign.
rule.rule @adjoint_of_neg(%x: [n], %y: [n]) -> []
  source {
    %a = graph.neg %x
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0]
    rule.yield %s
  }
  target {
    %g = graph.neg %y
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0]
    rule.yield %s
  }

// Of the left operand: the cotangent times the transposed right operand.
rule.rule @adjoint_of_matmul_lhs(%x: [b, m, k], %w: [b, k, n], %y: [b, m, n]) -> []
  source {
    %a = graph.matmul %x, %w
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

// The same where the left operand is given transposed.
rule.rule @adjoint_of_matmul_lhs_transposed(%x: [k, m], %w: [k, n], %y: [m, n]) -> []
  source {
    %a = graph.matmul %x, %w transpose_a
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %g = graph.matmul %w, %y transpose_b
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }

// The same where the right operand is given transposed.
rule.rule @adjoint_of_matmul_lhs_rhs_transposed(%x: [b, m, k], %w: [b, n, k], %y: [b, m, n]) -> []
  source {
    %a = graph.matmul %x, %w transpose_b
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

// The same where one matrix serves all batches.
rule.rule @adjoint_of_matmul_lhs_broadcast(%x: [m, k], %w: [b, k, n], %y: [b, m, n]) -> []
  source {
    %a = graph.matmul %x, %w
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  target {
    %0 = graph.matmul %y, %w transpose_b
    %g = graph.reduce_sum %0 axes = [0]
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }

// Of the right operand: the transposed left operand times the cotangent.
rule.rule @adjoint_of_matmul_rhs(%x: [b, k, n], %w: [b, m, k], %y: [b, m, n]) -> []
  source {
    %a = graph.matmul %w, %x
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

// The same where the right operand is given transposed.
rule.rule @adjoint_of_matmul_rhs_transposed(%x: [b, n, k], %w: [b, m, k], %y: [b, m, n]) -> []
  source {
    %a = graph.matmul %w, %x transpose_b
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  target {
    %g = graph.matmul %y, %w transpose_a
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }

// The same where one matrix serves all batches: the batches become rows, and one
// product sums over them.
rule.rule @adjoint_of_matmul_rhs_shared(%x: [k, n], %l: [b, m, k], %y: [b, m, n]) -> []
  source {
    %a = graph.matmul %l, %x
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  target {
    %0 = graph.reshape %l shape = [b * m, k]
    %1 = graph.reshape %y shape = [b * m, n]
    %g = graph.matmul %0, %1 transpose_a
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  where [m >= 1]
