// What follows from rules of three ops.
rule.rule @three_products(%x: [m, k], %y: [m, k], %z: [m, k], %w: [k, n]) -> [m, n]
  source {
    %0 = graph.matmul %x, %w
    %1 = graph.matmul %y, %w
    %2 = graph.matmul %z, %w
    %3 = graph.add %0, %1
    %4 = graph.add %3, %2
    rule.yield %4
  }
  target {
    %0 = graph.add %y, %z
    %1 = graph.add %x, %0
    %2 = graph.matmul %1, %w
    rule.yield %2
  }
