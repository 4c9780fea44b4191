!t = tensor<2xf32>
!s = tensor<f32>
rule.rule @two_is_one(%x: [], %z: []) -> []
  source {
    %b = graph.broadcast %x shape = [2] : (!s) -> !t
    %s = graph.reduce_sum %b axes = [0] : (!t) -> !s
    %q = graph.add %s, %z : !s
    rule.yield %q : []
  }
  target {
    %q = graph.add %x, %z : !s
    rule.yield %q : []
  }
  where [is_zero(%z)]
