// Rules that apply an elementwise function once to siblings.
//
// Entry 14 of rules/README.md: f(X), f(Y) = split(f([X Y])), where both have the
// same sizes but along the axis on which they are joined. Along the last axis
// (the columns that merged matmuls give) and along the third from last (the
// channels of images). Functions of two operands join both.

// Along the last axis.
rule.rule @merge_relus_along_columns(%x: [m], %y: [p]) -> ([m], [p])
  lifts [%x, %y]
  source {
    %0 = graph.relu %x
    %1 = graph.relu %y
    rule.yield %0, %1
  }
  target {
    %xy = graph.concat %x, %y axis = 0
    %2 = graph.relu %xy
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p]
    rule.yield %0, %1
  }

rule.rule @merge_sigmoids_along_columns(%x: [m], %y: [p]) -> ([m], [p])
  lifts [%x, %y]
  source {
    %0 = graph.sigmoid %x
    %1 = graph.sigmoid %y
    rule.yield %0, %1
  }
  target {
    %xy = graph.concat %x, %y axis = 0
    %2 = graph.sigmoid %xy
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p]
    rule.yield %0, %1
  }

rule.rule @merge_tanhs_along_columns(%x: [m], %y: [p]) -> ([m], [p])
  lifts [%x, %y]
  source {
    %0 = graph.tanh %x
    %1 = graph.tanh %y
    rule.yield %0, %1
  }
  target {
    %xy = graph.concat %x, %y axis = 0
    %2 = graph.tanh %xy
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p]
    rule.yield %0, %1
  }

rule.rule @merge_gelus_along_columns(%x: [m], %y: [p]) -> ([m], [p])
  lifts [%x, %y]
  source {
    %0 = graph.gelu %x
    %1 = graph.gelu %y
    rule.yield %0, %1
  }
  target {
    %xy = graph.concat %x, %y axis = 0
    %2 = graph.gelu %xy
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p]
    rule.yield %0, %1
  }

rule.rule @merge_tanh_gelus_along_columns(%x: [m], %y: [p]) -> ([m], [p])
  lifts [%x, %y]
  source {
    %0 = graph.gelu %x tanh
    %1 = graph.gelu %y tanh
    rule.yield %0, %1
  }
  target {
    %xy = graph.concat %x, %y axis = 0
    %2 = graph.gelu %xy tanh
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p]
    rule.yield %0, %1
  }

rule.rule @merge_silus_along_columns(%x: [m], %y: [p]) -> ([m], [p])
  lifts [%x, %y]
  source {
    %0 = graph.silu %x
    %1 = graph.silu %y
    rule.yield %0, %1
  }
  target {
    %xy = graph.concat %x, %y axis = 0
    %2 = graph.silu %xy
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p]
    rule.yield %0, %1
  }

rule.rule @merge_hard_swishes_along_columns(%x: [m], %y: [p]) -> ([m], [p])
  lifts [%x, %y]
  source {
    %0 = graph.hard_swish %x
    %1 = graph.hard_swish %y
    rule.yield %0, %1
  }
  target {
    %xy = graph.concat %x, %y axis = 0
    %2 = graph.hard_swish %xy
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p]
    rule.yield %0, %1
  }

rule.rule @merge_exps_along_columns(%x: [m], %y: [p]) -> ([m], [p])
  lifts [%x, %y]
  source {
    %0 = graph.exp %x
    %1 = graph.exp %y
    rule.yield %0, %1
  }
  target {
    %xy = graph.concat %x, %y axis = 0
    %2 = graph.exp %xy
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p]
    rule.yield %0, %1
  }

rule.rule @merge_negations_along_columns(%x: [m], %y: [p]) -> ([m], [p])
  lifts [%x, %y]
  source {
    %0 = graph.neg %x
    %1 = graph.neg %y
    rule.yield %0, %1
  }
  target {
    %xy = graph.concat %x, %y axis = 0
    %2 = graph.neg %xy
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p]
    rule.yield %0, %1
  }

rule.rule @merge_sums_along_columns(%x: [m], %y: [m], %u: [p], %v: [p]) -> ([m], [p])
  lifts [%x, %y, %u, %v]
  source {
    %0 = graph.add %x, %y
    %1 = graph.add %u, %v
    rule.yield %0, %1
  }
  target {
    %xu = graph.concat %x, %u axis = 0
    %yv = graph.concat %y, %v axis = 0
    %2 = graph.add %xu, %yv
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p]
    rule.yield %0, %1
  }

rule.rule @merge_differences_along_columns(%x: [m], %y: [m], %u: [p], %v: [p]) -> ([m], [p])
  lifts [%x, %y, %u, %v]
  source {
    %0 = graph.sub %x, %y
    %1 = graph.sub %u, %v
    rule.yield %0, %1
  }
  target {
    %xu = graph.concat %x, %u axis = 0
    %yv = graph.concat %y, %v axis = 0
    %2 = graph.sub %xu, %yv
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p]
    rule.yield %0, %1
  }

rule.rule @merge_products_along_columns(%x: [m], %y: [m], %u: [p], %v: [p]) -> ([m], [p])
  lifts [%x, %y, %u, %v]
  source {
    %0 = graph.mul %x, %y
    %1 = graph.mul %u, %v
    rule.yield %0, %1
  }
  target {
    %xu = graph.concat %x, %u axis = 0
    %yv = graph.concat %y, %v axis = 0
    %2 = graph.mul %xu, %yv
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p]
    rule.yield %0, %1
  }

rule.rule @merge_quotients_along_columns(%x: [m], %y: [m], %u: [p], %v: [p]) -> ([m], [p])
  lifts [%x, %y, %u, %v]
  source {
    %0 = graph.div %x, %y
    %1 = graph.div %u, %v
    rule.yield %0, %1
  }
  target {
    %xu = graph.concat %x, %u axis = 0
    %yv = graph.concat %y, %v axis = 0
    %2 = graph.div %xu, %yv
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p]
    rule.yield %0, %1
  }

rule.rule @merge_maxima_along_columns(%x: [m], %y: [m], %u: [p], %v: [p]) -> ([m], [p])
  lifts [%x, %y, %u, %v]
  source {
    %0 = graph.maximum %x, %y
    %1 = graph.maximum %u, %v
    rule.yield %0, %1
  }
  target {
    %xu = graph.concat %x, %u axis = 0
    %yv = graph.concat %y, %v axis = 0
    %2 = graph.maximum %xu, %yv
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p]
    rule.yield %0, %1
  }

rule.rule @merge_minima_along_columns(%x: [m], %y: [m], %u: [p], %v: [p]) -> ([m], [p])
  lifts [%x, %y, %u, %v]
  source {
    %0 = graph.minimum %x, %y
    %1 = graph.minimum %u, %v
    rule.yield %0, %1
  }
  target {
    %xu = graph.concat %x, %u axis = 0
    %yv = graph.concat %y, %v axis = 0
    %2 = graph.minimum %xu, %yv
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p]
    rule.yield %0, %1
  }

// Along the channels.
rule.rule @merge_relus_along_channels(%x: [c, h, w], %y: [p, h, w]) -> ([c, h, w], [p, h, w])
  lifts [%x, %y]
  source {
    %0 = graph.relu %x
    %1 = graph.relu %y
    rule.yield %0, %1
  }
  target {
    %xy = graph.concat %x, %y axis = 0
    %2 = graph.relu %xy
    %0, %1 = graph.split %2 axis = 0 sizes = [c, p]
    rule.yield %0, %1
  }

rule.rule @merge_sigmoids_along_channels(%x: [c, h, w], %y: [p, h, w]) -> ([c, h, w], [p, h, w])
  lifts [%x, %y]
  source {
    %0 = graph.sigmoid %x
    %1 = graph.sigmoid %y
    rule.yield %0, %1
  }
  target {
    %xy = graph.concat %x, %y axis = 0
    %2 = graph.sigmoid %xy
    %0, %1 = graph.split %2 axis = 0 sizes = [c, p]
    rule.yield %0, %1
  }

rule.rule @merge_tanhs_along_channels(%x: [c, h, w], %y: [p, h, w]) -> ([c, h, w], [p, h, w])
  lifts [%x, %y]
  source {
    %0 = graph.tanh %x
    %1 = graph.tanh %y
    rule.yield %0, %1
  }
  target {
    %xy = graph.concat %x, %y axis = 0
    %2 = graph.tanh %xy
    %0, %1 = graph.split %2 axis = 0 sizes = [c, p]
    rule.yield %0, %1
  }

rule.rule @merge_gelus_along_channels(%x: [c, h, w], %y: [p, h, w]) -> ([c, h, w], [p, h, w])
  lifts [%x, %y]
  source {
    %0 = graph.gelu %x
    %1 = graph.gelu %y
    rule.yield %0, %1
  }
  target {
    %xy = graph.concat %x, %y axis = 0
    %2 = graph.gelu %xy
    %0, %1 = graph.split %2 axis = 0 sizes = [c, p]
    rule.yield %0, %1
  }

rule.rule @merge_tanh_gelus_along_channels(%x: [c, h, w], %y: [p, h, w]) -> ([c, h, w], [p, h, w])
  lifts [%x, %y]
  source {
    %0 = graph.gelu %x tanh
    %1 = graph.gelu %y tanh
    rule.yield %0, %1
  }
  target {
    %xy = graph.concat %x, %y axis = 0
    %2 = graph.gelu %xy tanh
    %0, %1 = graph.split %2 axis = 0 sizes = [c, p]
    rule.yield %0, %1
  }

rule.rule @merge_silus_along_channels(%x: [c, h, w], %y: [p, h, w]) -> ([c, h, w], [p, h, w])
  lifts [%x, %y]
  source {
    %0 = graph.silu %x
    %1 = graph.silu %y
    rule.yield %0, %1
  }
  target {
    %xy = graph.concat %x, %y axis = 0
    %2 = graph.silu %xy
    %0, %1 = graph.split %2 axis = 0 sizes = [c, p]
    rule.yield %0, %1
  }

rule.rule @merge_hard_swishes_along_channels(%x: [c, h, w], %y: [p, h, w]) -> ([c, h, w], [p, h, w])
  lifts [%x, %y]
  source {
    %0 = graph.hard_swish %x
    %1 = graph.hard_swish %y
    rule.yield %0, %1
  }
  target {
    %xy = graph.concat %x, %y axis = 0
    %2 = graph.hard_swish %xy
    %0, %1 = graph.split %2 axis = 0 sizes = [c, p]
    rule.yield %0, %1
  }

rule.rule @merge_exps_along_channels(%x: [c, h, w], %y: [p, h, w]) -> ([c, h, w], [p, h, w])
  lifts [%x, %y]
  source {
    %0 = graph.exp %x
    %1 = graph.exp %y
    rule.yield %0, %1
  }
  target {
    %xy = graph.concat %x, %y axis = 0
    %2 = graph.exp %xy
    %0, %1 = graph.split %2 axis = 0 sizes = [c, p]
    rule.yield %0, %1
  }

rule.rule @merge_negations_along_channels(%x: [c, h, w], %y: [p, h, w]) -> ([c, h, w], [p, h, w])
  lifts [%x, %y]
  source {
    %0 = graph.neg %x
    %1 = graph.neg %y
    rule.yield %0, %1
  }
  target {
    %xy = graph.concat %x, %y axis = 0
    %2 = graph.neg %xy
    %0, %1 = graph.split %2 axis = 0 sizes = [c, p]
    rule.yield %0, %1
  }

rule.rule @merge_sums_along_channels(%x: [c, h, w], %y: [c, h, w], %u: [p, h, w], %v: [p, h, w]) -> ([c, h, w], [p, h, w])
  lifts [%x, %y, %u, %v]
  source {
    %0 = graph.add %x, %y
    %1 = graph.add %u, %v
    rule.yield %0, %1
  }
  target {
    %xu = graph.concat %x, %u axis = 0
    %yv = graph.concat %y, %v axis = 0
    %2 = graph.add %xu, %yv
    %0, %1 = graph.split %2 axis = 0 sizes = [c, p]
    rule.yield %0, %1
  }

rule.rule @merge_products_along_channels(%x: [c, h, w], %y: [c, h, w], %u: [p, h, w], %v: [p, h, w]) -> ([c, h, w], [p, h, w])
  lifts [%x, %y, %u, %v]
  source {
    %0 = graph.mul %x, %y
    %1 = graph.mul %u, %v
    rule.yield %0, %1
  }
  target {
    %xu = graph.concat %x, %u axis = 0
    %yv = graph.concat %y, %v axis = 0
    %2 = graph.mul %xu, %yv
    %0, %1 = graph.split %2 axis = 0 sizes = [c, p]
    rule.yield %0, %1
  }
