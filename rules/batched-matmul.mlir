// Rules about batches of products of matrices.
//
// Entries 16 and 17 of rules/README.md.

// 16. Products of equally large matrices are one batched product.
rule.rule @stack_matmuls(%a: [m, k], %b: [k, n], %c: [m, k], %d: [k, n]) -> ([m, n], [m, n])
  lifts [%a, %b, %c, %d]
  source {
    %0 = graph.matmul %a, %b
    %1 = graph.matmul %c, %d
    rule.yield %0, %1
  }
  target {
    %a1 = graph.reshape %a shape = [1, m, k]
    %b1 = graph.reshape %b shape = [1, k, n]
    %c1 = graph.reshape %c shape = [1, m, k]
    %d1 = graph.reshape %d shape = [1, k, n]
    %ac = graph.concat %a1, %c1 axis = 0
    %bd = graph.concat %b1, %d1 axis = 0
    %y = graph.matmul %ac, %bd
    %y0, %y1 = graph.split %y axis = 0 sizes = [1, 1]
    %0 = graph.reshape %y0 shape = [m, n]
    %1 = graph.reshape %y1 shape = [m, n]
    rule.yield %0, %1
  }

// Two batches are one: with the rule above, any number of products.
rule.rule @join_batched_matmuls(%a: [p, m, k], %b: [p, k, n], %c: [q, m, k], %d: [q, k, n]) -> ([p, m, n], [q, m, n])
  lifts [%a, %b, %c, %d]
  source {
    %0 = graph.matmul %a, %b
    %1 = graph.matmul %c, %d
    rule.yield %0, %1
  }
  target {
    %ac = graph.concat %a, %c axis = 0
    %bd = graph.concat %b, %d axis = 0
    %y = graph.matmul %ac, %bd
    %0, %1 = graph.split %y axis = 0 sizes = [p, q]
    rule.yield %0, %1
  }

// 17. A batch of matrices times one matrix: the batch is folded into the rows.
rule.rule @fold_batch_into_rows(%a: [b, m, k], %w: [k, n]) -> [b, m, n]
  lifts [%a]
  source {
    %0 = graph.matmul %a, %w
    rule.yield %0
  }
  target {
    %rows = graph.reshape %a shape = [b * m, k]
    %y = graph.matmul %rows, %w
    %0 = graph.reshape %y shape = [b, m, n]
    rule.yield %0
  }

// The same where the matrix was repeated for the batch.
rule.rule @fold_repeated_operand(%a: [b, m, k], %w: [k, n]) -> [b, m, n]
  source {
    %ww = graph.broadcast %w shape = [b, k, n]
    %0 = graph.matmul %a, %ww
    rule.yield %0
  }
  target {
    %rows = graph.reshape %a shape = [b * m, k]
    %y = graph.matmul %rows, %w
    %0 = graph.reshape %y shape = [b, m, n]
    rule.yield %0
  }
