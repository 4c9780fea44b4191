!n = tensor<?xf32, #graph.dims<n>>
!cn = tensor<?xi1, #graph.dims<n>>
!s = tensor<f32>
rule.rule @binder(%y: [n], %z: [n], %v: [n], %u: [n]) -> []
  source {
    %t = graph.reduce_sum %z axes = [0] : (!n) -> !s
    %tb = graph.broadcast %t shape = [n] : (!s) -> !n
    %c = graph.less %y, %tb : !n
    %us = graph.reduce_sum %u axes = [0] : (!n) -> !s
    %e = graph.exp %us : !s
    %eb = graph.broadcast %e shape = [n] : (!s) -> !n
    %q = graph.where %c, %eb, %v : !cn, !n, !n
    %r = graph.reduce_sum %q axes = [0] : (!n) -> !s
    rule.yield %r : []
  }
  target {
    %t = graph.reduce_sum %z axes = [0] : (!n) -> !s
    %tb = graph.broadcast %t shape = [n] : (!s) -> !n
    %c = graph.less %y, %tb : !n
    %us = graph.reduce_sum %u axes = [0] : (!n) -> !s
    %e = graph.exp %us : !s
    %eb = graph.broadcast %e shape = [n] : (!s) -> !n
    %q = graph.where %c, %eb, %v : !cn, !n, !n
    %r = graph.reduce_sum %q axes = [0] : (!n) -> !s
    rule.yield %r : []
  }
