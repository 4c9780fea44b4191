// An activation of a part is the part of an activation: where siblings were merged and split
// again, it moves before the split. Found, and proved, by
//
//   tenon-rules discover --ops split,relu,sigmoid,tanh,silu --max-ops 2 -o found.mlir
//
// of which these are the rules that lower the cost of nasrnn (benchmarks/results/discovery.md).

rule.rule @"split-relu-is-relu-split"(%x: [p + p2, k]) -> [p, k] lifts [%x]
  source {
    %0:2 = graph.split %x axis = 0 sizes = [p, p2]
    %1 = graph.relu %0#0
    rule.yield %1
  }
  target {
    %0 = graph.relu %x
    %1:2 = graph.split %0 axis = 0 sizes = [p, p2]
    rule.yield %1#0
  }

rule.rule @"split-relu-is-relu-split-2"(%x: [p + p2, k]) -> [p2, k] lifts [%x]
  source {
    %0:2 = graph.split %x axis = 0 sizes = [p, p2]
    %1 = graph.relu %0#1
    rule.yield %1
  }
  target {
    %0 = graph.relu %x
    %1:2 = graph.split %0 axis = 0 sizes = [p, p2]
    rule.yield %1#1
  }

rule.rule @"split-relu-is-relu-split-3"(%x: [p + p2]) -> [p] lifts [%x]
  source {
    %0:2 = graph.split %x axis = 0 sizes = [p, p2]
    %1 = graph.relu %0#0
    rule.yield %1
  }
  target {
    %0 = graph.relu %x
    %1:2 = graph.split %0 axis = 0 sizes = [p, p2]
    rule.yield %1#0
  }

rule.rule @"split-relu-is-relu-split-4"(%x: [p + p2]) -> [p2] lifts [%x]
  source {
    %0:2 = graph.split %x axis = 0 sizes = [p, p2]
    %1 = graph.relu %0#1
    rule.yield %1
  }
  target {
    %0 = graph.relu %x
    %1:2 = graph.split %0 axis = 0 sizes = [p, p2]
    rule.yield %1#1
  }

rule.rule @"split-sigmoid-is-sigmoid-split"(%x: [p + p2, k]) -> [p, k] lifts [%x]
  source {
    %0:2 = graph.split %x axis = 0 sizes = [p, p2]
    %1 = graph.sigmoid %0#0
    rule.yield %1
  }
  target {
    %0 = graph.sigmoid %x
    %1:2 = graph.split %0 axis = 0 sizes = [p, p2]
    rule.yield %1#0
  }

rule.rule @"split-sigmoid-is-sigmoid-split-2"(%x: [p + p2, k]) -> [p2, k] lifts [%x]
  source {
    %0:2 = graph.split %x axis = 0 sizes = [p, p2]
    %1 = graph.sigmoid %0#1
    rule.yield %1
  }
  target {
    %0 = graph.sigmoid %x
    %1:2 = graph.split %0 axis = 0 sizes = [p, p2]
    rule.yield %1#1
  }

rule.rule @"split-sigmoid-is-sigmoid-split-3"(%x: [p + p2]) -> [p] lifts [%x]
  source {
    %0:2 = graph.split %x axis = 0 sizes = [p, p2]
    %1 = graph.sigmoid %0#0
    rule.yield %1
  }
  target {
    %0 = graph.sigmoid %x
    %1:2 = graph.split %0 axis = 0 sizes = [p, p2]
    rule.yield %1#0
  }

rule.rule @"split-sigmoid-is-sigmoid-split-4"(%x: [p + p2]) -> [p2] lifts [%x]
  source {
    %0:2 = graph.split %x axis = 0 sizes = [p, p2]
    %1 = graph.sigmoid %0#1
    rule.yield %1
  }
  target {
    %0 = graph.sigmoid %x
    %1:2 = graph.split %0 axis = 0 sizes = [p, p2]
    rule.yield %1#1
  }

rule.rule @"split-tanh-is-tanh-split"(%x: [p + p2, k]) -> [p, k] lifts [%x]
  source {
    %0:2 = graph.split %x axis = 0 sizes = [p, p2]
    %1 = graph.tanh %0#0
    rule.yield %1
  }
  target {
    %0 = graph.tanh %x
    %1:2 = graph.split %0 axis = 0 sizes = [p, p2]
    rule.yield %1#0
  }

rule.rule @"split-tanh-is-tanh-split-2"(%x: [p + p2, k]) -> [p2, k] lifts [%x]
  source {
    %0:2 = graph.split %x axis = 0 sizes = [p, p2]
    %1 = graph.tanh %0#1
    rule.yield %1
  }
  target {
    %0 = graph.tanh %x
    %1:2 = graph.split %0 axis = 0 sizes = [p, p2]
    rule.yield %1#1
  }

rule.rule @"split-tanh-is-tanh-split-3"(%x: [p + p2]) -> [p] lifts [%x]
  source {
    %0:2 = graph.split %x axis = 0 sizes = [p, p2]
    %1 = graph.tanh %0#0
    rule.yield %1
  }
  target {
    %0 = graph.tanh %x
    %1:2 = graph.split %0 axis = 0 sizes = [p, p2]
    rule.yield %1#0
  }

rule.rule @"split-tanh-is-tanh-split-4"(%x: [p + p2]) -> [p2] lifts [%x]
  source {
    %0:2 = graph.split %x axis = 0 sizes = [p, p2]
    %1 = graph.tanh %0#1
    rule.yield %1
  }
  target {
    %0 = graph.tanh %x
    %1:2 = graph.split %0 axis = 0 sizes = [p, p2]
    rule.yield %1#1
  }

rule.rule @"split-silu-is-silu-split"(%x: [p + p2, k]) -> [p, k] lifts [%x]
  source {
    %0:2 = graph.split %x axis = 0 sizes = [p, p2]
    %1 = graph.silu %0#0
    rule.yield %1
  }
  target {
    %0 = graph.silu %x
    %1:2 = graph.split %0 axis = 0 sizes = [p, p2]
    rule.yield %1#0
  }

rule.rule @"split-silu-is-silu-split-2"(%x: [p + p2, k]) -> [p2, k] lifts [%x]
  source {
    %0:2 = graph.split %x axis = 0 sizes = [p, p2]
    %1 = graph.silu %0#1
    rule.yield %1
  }
  target {
    %0 = graph.silu %x
    %1:2 = graph.split %0 axis = 0 sizes = [p, p2]
    rule.yield %1#1
  }

rule.rule @"split-silu-is-silu-split-3"(%x: [p + p2]) -> [p] lifts [%x]
  source {
    %0:2 = graph.split %x axis = 0 sizes = [p, p2]
    %1 = graph.silu %0#0
    rule.yield %1
  }
  target {
    %0 = graph.silu %x
    %1:2 = graph.split %0 axis = 0 sizes = [p, p2]
    rule.yield %1#0
  }

rule.rule @"split-silu-is-silu-split-4"(%x: [p + p2]) -> [p2] lifts [%x]
  source {
    %0:2 = graph.split %x axis = 0 sizes = [p, p2]
    %1 = graph.silu %0#1
    rule.yield %1
  }
  target {
    %0 = graph.silu %x
    %1:2 = graph.split %0 axis = 0 sizes = [p, p2]
    rule.yield %1#1
  }

