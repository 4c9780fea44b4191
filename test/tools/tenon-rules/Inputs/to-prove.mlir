!n = tensor<?xf32, #graph.dims<n>>
!p = tensor<?xf32, #graph.dims<p>>
!np = tensor<?xf32, #graph.dims<n + p>>
!one = tensor<f32>

rule.rule @merge(%x: [n], %y: [p]) -> [n + p]
  source {
    %0 = graph.concat %x, %y axis = 0 : (!n, !p) -> !np
    %1 = graph.neg %0 : !np
    rule.yield %1 : [n + p]
  }
  target {
    %0 = graph.neg %x : !n
    %1 = graph.neg %y : !p
    %2 = graph.concat %0, %1 axis = 0 : (!n, !p) -> !np
    rule.yield %2 : [n + p]
  }

rule.rule @regroup(%x: [n], %y: [n], %z: [n]) -> [n]
  source {
    %0 = graph.add %x, %y : !n
    %1 = graph.add %0, %z : !n
    rule.yield %1 : [n]
  }
  target {
    %0 = graph.add %y, %z : !n
    %1 = graph.add %x, %0 : !n
    rule.yield %1 : [n]
  }

rule.rule @shift(%x: [n], %y: [p]) -> []
  source {
    %0 = graph.concat %x, %y axis = 0 : (!n, !p) -> !np
    %1 = graph.reduce_sum %0 axes = [0] : (!np) -> !one
    rule.yield %1 : []
  }
  target {
    %0 = graph.reduce_sum %x axes = [0] : (!n) -> !one
    %1 = graph.reduce_sum %y axes = [0] : (!p) -> !one
    %2 = graph.add %1, %0 : !one
    rule.yield %2 : []
  }

rule.rule @shift_of_sum(%x: [n]) -> [n]
  source {
    %0 = graph.exp %x : !n
    %1 = graph.mul %0, %0 : !n
    rule.yield %1 : [n]
  }
  target {
    %0 = graph.add %x, %x : !n
    %1 = graph.exp %0 : !n
    rule.yield %1 : [n]
  }
