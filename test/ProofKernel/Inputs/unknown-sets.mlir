!s = tensor<f32>
!s1 = tensor<1xf32>
!t2 = tensor<2xf32>
!t3 = tensor<3xf32>
!t4 = tensor<4xf32>
!t5 = tensor<5xf32>
!t8 = tensor<8xf32>
rule.rule @unknown_sets(%y: [], %z: []) -> ([], [])
  source {
    %y4 = graph.broadcast %y shape = [4] : (!s) -> !t4
    %z4 = graph.broadcast %z shape = [4] : (!s) -> !t4
    %c1 = graph.concat %y4, %z4 axis = 0 : (!t4, !t4) -> !t8
    %s1 = graph.slice %c1 starts = [0] sizes = [2] steps = [4] : (!t8) -> !t2
    %r1 = graph.reduce_max %s1 axes = [0] : (!t2) -> !s
    %y5 = graph.broadcast %y shape = [5] : (!s) -> !t5
    %z3 = graph.broadcast %z shape = [3] : (!s) -> !t3
    %c2 = graph.concat %y5, %z3 axis = 0 : (!t5, !t3) -> !t8
    %s2 = graph.slice %c2 starts = [0] sizes = [2] steps = [4] : (!t8) -> !t2
    %r2 = graph.reduce_max %s2 axes = [0] : (!t2) -> !s
    rule.yield %r1, %r2 : [], []
  }
  target {
    %y4 = graph.broadcast %y shape = [4] : (!s) -> !t4
    %z4 = graph.broadcast %z shape = [4] : (!s) -> !t4
    %c1 = graph.concat %y4, %z4 axis = 0 : (!t4, !t4) -> !t8
    %s1 = graph.slice %c1 starts = [0] sizes = [2] steps = [4] : (!t8) -> !t2
    %r1 = graph.reduce_max %s1 axes = [0] : (!t2) -> !s
    %y5 = graph.broadcast %y shape = [5] : (!s) -> !t5
    %z3 = graph.broadcast %z shape = [3] : (!s) -> !t3
    %c2 = graph.concat %y5, %z3 axis = 0 : (!t5, !t3) -> !t8
    %s2 = graph.slice %c2 starts = [0] sizes = [2] steps = [4] : (!t8) -> !t2
    %r2 = graph.reduce_max %s2 axes = [0] : (!t2) -> !s
    rule.yield %r2, %r1 : [], []
  }
