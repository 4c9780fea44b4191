// Rules that make one product of matrices of several that share an operand.
//
// Entries 1 to 4 of rules/README.md. More than three are merged a few at a time:
// the result of one firing shares its operand with the next.
//
// `tenon-rules prove rules/matmul.mlir` proves them for all sizes.

// Three matmuls that share their left operand are one with three times the
// columns: the query, key and value projections of attention.
rule.rule @merge_three_matmuls_sharing_lhs(%x: [m, k], %a: [k, n], %b: [k, p], %c: [k, q]) -> ([m, n], [m, p], [m, q])
  lifts [%x]
  source {
    %0 = graph.matmul %x, %a
    %1 = graph.matmul %x, %b
    %2 = graph.matmul %x, %c
    rule.yield %0, %1, %2
  }
  target {
    %abc = graph.concat %a, %b, %c axis = 1
    %y = graph.matmul %x, %abc
    %0, %1, %2 = graph.split %y axis = 1 sizes = [n, p, q]
    rule.yield %0, %1, %2
  }

// Two matmuls that share their left operand.
rule.rule @merge_matmuls_sharing_lhs(%x: [m, k], %a: [k, n], %b: [k, p]) -> ([m, n], [m, p])
  lifts [%x]
  source {
    %0 = graph.matmul %x, %a
    %1 = graph.matmul %x, %b
    rule.yield %0, %1
  }
  target {
    %ab = graph.concat %a, %b axis = 1
    %y = graph.matmul %x, %ab
    %0, %1 = graph.split %y axis = 1 sizes = [n, p]
    rule.yield %0, %1
  }

// The same for weights that are held transposed, as PyTorch holds them.
rule.rule @merge_three_transposed_matmuls_sharing_lhs(%x: [m, k], %a: [n, k], %b: [p, k], %c: [q, k]) -> ([m, n], [m, p], [m, q])
  lifts [%x]
  source {
    %0 = graph.matmul %x, %a transpose_b
    %1 = graph.matmul %x, %b transpose_b
    %2 = graph.matmul %x, %c transpose_b
    rule.yield %0, %1, %2
  }
  target {
    %abc = graph.concat %a, %b, %c axis = 0
    %y = graph.matmul %x, %abc transpose_b
    %0, %1, %2 = graph.split %y axis = 1 sizes = [n, p, q]
    rule.yield %0, %1, %2
  }

rule.rule @merge_transposed_matmuls_sharing_lhs(%x: [m, k], %a: [n, k], %b: [p, k]) -> ([m, n], [m, p])
  lifts [%x]
  source {
    %0 = graph.matmul %x, %a transpose_b
    %1 = graph.matmul %x, %b transpose_b
    rule.yield %0, %1
  }
  target {
    %ab = graph.concat %a, %b axis = 0
    %y = graph.matmul %x, %ab transpose_b
    %0, %1 = graph.split %y axis = 1 sizes = [n, p]
    rule.yield %0, %1
  }

// Two matmuls that share their right operand: their left operands are joined
// along the rows.
rule.rule @merge_matmuls_sharing_rhs(%x: [m, k], %y: [p, k], %w: [k, n]) -> ([m, n], [p, n])
  lifts [%x, %y]
  source {
    %0 = graph.matmul %x, %w
    %1 = graph.matmul %y, %w
    rule.yield %0, %1
  }
  target {
    %xy = graph.concat %x, %y axis = 0
    %z = graph.matmul %xy, %w
    %0, %1 = graph.split %z axis = 0 sizes = [m, p]
    rule.yield %0, %1
  }

rule.rule @merge_transposed_matmuls_sharing_rhs(%x: [m, k], %y: [p, k], %w: [n, k]) -> ([m, n], [p, n])
  lifts [%x, %y]
  source {
    %0 = graph.matmul %x, %w transpose_b
    %1 = graph.matmul %y, %w transpose_b
    rule.yield %0, %1
  }
  target {
    %xy = graph.concat %x, %y axis = 0
    %z = graph.matmul %xy, %w transpose_b
    %0, %1 = graph.split %z axis = 0 sizes = [m, p]
    rule.yield %0, %1
  }

// Matmuls with biases that share their left operand: the biases are joined too.
// Without and with one axis for batches.
rule.rule @merge_biased_matmuls_sharing_lhs(%x: [m, k], %a: [k, n], %u: [n], %b: [k, p], %v: [p]) -> ([m, n], [m, p])
  source {
    %xa = graph.matmul %x, %a
    %us = graph.broadcast %u shape = [m, n]
    %0 = graph.add %xa, %us
    %xb = graph.matmul %x, %b
    %vs = graph.broadcast %v shape = [m, p]
    %1 = graph.add %xb, %vs
    rule.yield %0, %1
  }
  target {
    %ab = graph.concat %a, %b axis = 1
    %uv = graph.concat %u, %v axis = 0
    %xab = graph.matmul %x, %ab
    %uvs = graph.broadcast %uv shape = [m, n + p]
    %y = graph.add %xab, %uvs
    %0, %1 = graph.split %y axis = 1 sizes = [n, p]
    rule.yield %0, %1
  }

rule.rule @merge_biased_batched_matmuls_sharing_lhs(%x: [q, m, k], %a: [k, n], %u: [n], %b: [k, p], %v: [p]) -> ([q, m, n], [q, m, p])
  source {
    %xa = graph.matmul %x, %a
    %us = graph.broadcast %u shape = [q, m, n]
    %0 = graph.add %xa, %us
    %xb = graph.matmul %x, %b
    %vs = graph.broadcast %v shape = [q, m, p]
    %1 = graph.add %xb, %vs
    rule.yield %0, %1
  }
  target {
    %ab = graph.concat %a, %b axis = 1
    %uv = graph.concat %u, %v axis = 0
    %xab = graph.matmul %x, %ab
    %uvs = graph.broadcast %uv shape = [q, m, n + p]
    %y = graph.add %xab, %uvs
    %0, %1 = graph.split %y axis = 2 sizes = [n, p]
    rule.yield %0, %1
  }
