rule.rule @commutes(%x: [n], %y: [n]) -> [n]
  source {
    // NULL
    %0 = graph.add %x, %y // NULL
    rule.yield %0
  }
  target {
    %0 = graph.add %y, %x
    rule.yield %0
  }
