!n = tensor<?xf32, #graph.dims<n>>
!np = tensor<?xf32, #graph.dims<n + p>>

rule.rule @negate_twice(%x: [n]) -> [n]
  source {
    %0 = graph.neg %x : !n
    %1 = graph.neg %0 : !n
    rule.yield %1 : [n]
  }
  target {
    rule.yield %x : [n]
  }

rule.rule @slice_of_concat(%x: [n], %y: [p]) -> [n]
  source {
    %0 = graph.concat %x, %y axis = 0 : (!n, tensor<?xf32, #graph.dims<p>>) -> !np
    %1 = graph.slice %0 starts = [0] sizes = [n] steps = [1] : (!np) -> !n
    rule.yield %1 : [n]
  }
  target {
    rule.yield %x : [n]
  }
