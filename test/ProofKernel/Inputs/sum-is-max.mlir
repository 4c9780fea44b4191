!n = tensor<?xf32, #graph.dims<n>>
!s = tensor<f32>
rule.rule @sum_is_max(%x: [], %y: [], %z: [n]) -> ([], [])
  source {
    %a = graph.reduce_sum %z axes = [0] : (!n) -> !s
    %b = graph.reduce_max %z axes = [0] : (!n) -> !s
    %m = graph.maximum %y, %a : !s
    %q = graph.div %x, %m : !s
    rule.yield %q, %b : [], []
  }
  target {
    %a = graph.reduce_sum %z axes = [0] : (!n) -> !s
    %b = graph.reduce_max %z axes = [0] : (!n) -> !s
    %m = graph.maximum %y, %b : !s
    %q = graph.div %x, %m : !s
    rule.yield %q, %b : [], []
  }
rule.rule @min_is_max(%x: [], %y: [], %z: [n]) -> ([], [])
  source {
    %a = graph.reduce_min %z axes = [0] : (!n) -> !s
    %b = graph.reduce_max %z axes = [0] : (!n) -> !s
    %m = graph.maximum %y, %a : !s
    %q = graph.pow %m, %x : !s
    rule.yield %q, %b : [], []
  }
  target {
    %a = graph.reduce_min %z axes = [0] : (!n) -> !s
    %b = graph.reduce_max %z axes = [0] : (!n) -> !s
    %m = graph.maximum %y, %b : !s
    %q = graph.pow %m, %x : !s
    rule.yield %q, %b : [], []
  }
