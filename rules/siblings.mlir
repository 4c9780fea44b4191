// Rules that apply an elementwise function once to siblings.
//
// Entry 14 of rules/README.md: f(X), f(Y) = split(f([X Y])), where both have the
// same sizes but along the axis on which they are joined. Along the last axis
// (the columns that merged matmuls give) and along the third from last (the
// channels of images). Functions of two operands join both.

!m = tensor<?xf32, #graph.dims<m>>
!p = tensor<?xf32, #graph.dims<p>>
!mp = tensor<?xf32, #graph.dims<m + p>>
!chw = tensor<?x?x?xf32, #graph.dims<c, h, w>>
!phw = tensor<?x?x?xf32, #graph.dims<p, h, w>>
!cp_h_w = tensor<?x?x?xf32, #graph.dims<c + p, h, w>>

// Along the last axis.
rule.rule @merge_relus_along_columns(%x: [m], %y: [p]) -> ([m], [p])
  lifts [%x, %y]
  source {
    %0 = graph.relu %x : !m
    %1 = graph.relu %y : !p
    rule.yield %0, %1 : [m], [p]
  }
  target {
    %xy = graph.concat %x, %y axis = 0 : (!m, !p) -> !mp
    %2 = graph.relu %xy : !mp
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p] : (!mp) -> (!m, !p)
    rule.yield %0, %1 : [m], [p]
  }

rule.rule @merge_sigmoids_along_columns(%x: [m], %y: [p]) -> ([m], [p])
  lifts [%x, %y]
  source {
    %0 = graph.sigmoid %x : !m
    %1 = graph.sigmoid %y : !p
    rule.yield %0, %1 : [m], [p]
  }
  target {
    %xy = graph.concat %x, %y axis = 0 : (!m, !p) -> !mp
    %2 = graph.sigmoid %xy : !mp
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p] : (!mp) -> (!m, !p)
    rule.yield %0, %1 : [m], [p]
  }

rule.rule @merge_tanhs_along_columns(%x: [m], %y: [p]) -> ([m], [p])
  lifts [%x, %y]
  source {
    %0 = graph.tanh %x : !m
    %1 = graph.tanh %y : !p
    rule.yield %0, %1 : [m], [p]
  }
  target {
    %xy = graph.concat %x, %y axis = 0 : (!m, !p) -> !mp
    %2 = graph.tanh %xy : !mp
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p] : (!mp) -> (!m, !p)
    rule.yield %0, %1 : [m], [p]
  }

rule.rule @merge_gelus_along_columns(%x: [m], %y: [p]) -> ([m], [p])
  lifts [%x, %y]
  source {
    %0 = graph.gelu %x : !m
    %1 = graph.gelu %y : !p
    rule.yield %0, %1 : [m], [p]
  }
  target {
    %xy = graph.concat %x, %y axis = 0 : (!m, !p) -> !mp
    %2 = graph.gelu %xy : !mp
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p] : (!mp) -> (!m, !p)
    rule.yield %0, %1 : [m], [p]
  }

rule.rule @merge_tanh_gelus_along_columns(%x: [m], %y: [p]) -> ([m], [p])
  lifts [%x, %y]
  source {
    %0 = graph.gelu %x tanh : !m
    %1 = graph.gelu %y tanh : !p
    rule.yield %0, %1 : [m], [p]
  }
  target {
    %xy = graph.concat %x, %y axis = 0 : (!m, !p) -> !mp
    %2 = graph.gelu %xy tanh : !mp
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p] : (!mp) -> (!m, !p)
    rule.yield %0, %1 : [m], [p]
  }

rule.rule @merge_silus_along_columns(%x: [m], %y: [p]) -> ([m], [p])
  lifts [%x, %y]
  source {
    %0 = graph.silu %x : !m
    %1 = graph.silu %y : !p
    rule.yield %0, %1 : [m], [p]
  }
  target {
    %xy = graph.concat %x, %y axis = 0 : (!m, !p) -> !mp
    %2 = graph.silu %xy : !mp
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p] : (!mp) -> (!m, !p)
    rule.yield %0, %1 : [m], [p]
  }

rule.rule @merge_hard_swishes_along_columns(%x: [m], %y: [p]) -> ([m], [p])
  lifts [%x, %y]
  source {
    %0 = graph.hard_swish %x : !m
    %1 = graph.hard_swish %y : !p
    rule.yield %0, %1 : [m], [p]
  }
  target {
    %xy = graph.concat %x, %y axis = 0 : (!m, !p) -> !mp
    %2 = graph.hard_swish %xy : !mp
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p] : (!mp) -> (!m, !p)
    rule.yield %0, %1 : [m], [p]
  }

rule.rule @merge_exps_along_columns(%x: [m], %y: [p]) -> ([m], [p])
  lifts [%x, %y]
  source {
    %0 = graph.exp %x : !m
    %1 = graph.exp %y : !p
    rule.yield %0, %1 : [m], [p]
  }
  target {
    %xy = graph.concat %x, %y axis = 0 : (!m, !p) -> !mp
    %2 = graph.exp %xy : !mp
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p] : (!mp) -> (!m, !p)
    rule.yield %0, %1 : [m], [p]
  }

rule.rule @merge_negations_along_columns(%x: [m], %y: [p]) -> ([m], [p])
  lifts [%x, %y]
  source {
    %0 = graph.neg %x : !m
    %1 = graph.neg %y : !p
    rule.yield %0, %1 : [m], [p]
  }
  target {
    %xy = graph.concat %x, %y axis = 0 : (!m, !p) -> !mp
    %2 = graph.neg %xy : !mp
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p] : (!mp) -> (!m, !p)
    rule.yield %0, %1 : [m], [p]
  }

rule.rule @merge_sums_along_columns(%x: [m], %y: [m], %u: [p], %v: [p]) -> ([m], [p])
  lifts [%x, %y, %u, %v]
  source {
    %0 = graph.add %x, %y : !m
    %1 = graph.add %u, %v : !p
    rule.yield %0, %1 : [m], [p]
  }
  target {
    %xu = graph.concat %x, %u axis = 0 : (!m, !p) -> !mp
    %yv = graph.concat %y, %v axis = 0 : (!m, !p) -> !mp
    %2 = graph.add %xu, %yv : !mp
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p] : (!mp) -> (!m, !p)
    rule.yield %0, %1 : [m], [p]
  }

rule.rule @merge_differences_along_columns(%x: [m], %y: [m], %u: [p], %v: [p]) -> ([m], [p])
  lifts [%x, %y, %u, %v]
  source {
    %0 = graph.sub %x, %y : !m
    %1 = graph.sub %u, %v : !p
    rule.yield %0, %1 : [m], [p]
  }
  target {
    %xu = graph.concat %x, %u axis = 0 : (!m, !p) -> !mp
    %yv = graph.concat %y, %v axis = 0 : (!m, !p) -> !mp
    %2 = graph.sub %xu, %yv : !mp
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p] : (!mp) -> (!m, !p)
    rule.yield %0, %1 : [m], [p]
  }

rule.rule @merge_products_along_columns(%x: [m], %y: [m], %u: [p], %v: [p]) -> ([m], [p])
  lifts [%x, %y, %u, %v]
  source {
    %0 = graph.mul %x, %y : !m
    %1 = graph.mul %u, %v : !p
    rule.yield %0, %1 : [m], [p]
  }
  target {
    %xu = graph.concat %x, %u axis = 0 : (!m, !p) -> !mp
    %yv = graph.concat %y, %v axis = 0 : (!m, !p) -> !mp
    %2 = graph.mul %xu, %yv : !mp
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p] : (!mp) -> (!m, !p)
    rule.yield %0, %1 : [m], [p]
  }

rule.rule @merge_quotients_along_columns(%x: [m], %y: [m], %u: [p], %v: [p]) -> ([m], [p])
  lifts [%x, %y, %u, %v]
  source {
    %0 = graph.div %x, %y : !m
    %1 = graph.div %u, %v : !p
    rule.yield %0, %1 : [m], [p]
  }
  target {
    %xu = graph.concat %x, %u axis = 0 : (!m, !p) -> !mp
    %yv = graph.concat %y, %v axis = 0 : (!m, !p) -> !mp
    %2 = graph.div %xu, %yv : !mp
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p] : (!mp) -> (!m, !p)
    rule.yield %0, %1 : [m], [p]
  }

rule.rule @merge_maxima_along_columns(%x: [m], %y: [m], %u: [p], %v: [p]) -> ([m], [p])
  lifts [%x, %y, %u, %v]
  source {
    %0 = graph.maximum %x, %y : !m
    %1 = graph.maximum %u, %v : !p
    rule.yield %0, %1 : [m], [p]
  }
  target {
    %xu = graph.concat %x, %u axis = 0 : (!m, !p) -> !mp
    %yv = graph.concat %y, %v axis = 0 : (!m, !p) -> !mp
    %2 = graph.maximum %xu, %yv : !mp
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p] : (!mp) -> (!m, !p)
    rule.yield %0, %1 : [m], [p]
  }

rule.rule @merge_minima_along_columns(%x: [m], %y: [m], %u: [p], %v: [p]) -> ([m], [p])
  lifts [%x, %y, %u, %v]
  source {
    %0 = graph.minimum %x, %y : !m
    %1 = graph.minimum %u, %v : !p
    rule.yield %0, %1 : [m], [p]
  }
  target {
    %xu = graph.concat %x, %u axis = 0 : (!m, !p) -> !mp
    %yv = graph.concat %y, %v axis = 0 : (!m, !p) -> !mp
    %2 = graph.minimum %xu, %yv : !mp
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p] : (!mp) -> (!m, !p)
    rule.yield %0, %1 : [m], [p]
  }

// Along the channels.
rule.rule @merge_relus_along_channels(%x: [c, h, w], %y: [p, h, w]) -> ([c, h, w], [p, h, w])
  lifts [%x, %y]
  source {
    %0 = graph.relu %x : !chw
    %1 = graph.relu %y : !phw
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }
  target {
    %xy = graph.concat %x, %y axis = 0 : (!chw, !phw) -> !cp_h_w
    %2 = graph.relu %xy : !cp_h_w
    %0, %1 = graph.split %2 axis = 0 sizes = [c, p] : (!cp_h_w) -> (!chw, !phw)
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }

rule.rule @merge_sigmoids_along_channels(%x: [c, h, w], %y: [p, h, w]) -> ([c, h, w], [p, h, w])
  lifts [%x, %y]
  source {
    %0 = graph.sigmoid %x : !chw
    %1 = graph.sigmoid %y : !phw
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }
  target {
    %xy = graph.concat %x, %y axis = 0 : (!chw, !phw) -> !cp_h_w
    %2 = graph.sigmoid %xy : !cp_h_w
    %0, %1 = graph.split %2 axis = 0 sizes = [c, p] : (!cp_h_w) -> (!chw, !phw)
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }

rule.rule @merge_tanhs_along_channels(%x: [c, h, w], %y: [p, h, w]) -> ([c, h, w], [p, h, w])
  lifts [%x, %y]
  source {
    %0 = graph.tanh %x : !chw
    %1 = graph.tanh %y : !phw
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }
  target {
    %xy = graph.concat %x, %y axis = 0 : (!chw, !phw) -> !cp_h_w
    %2 = graph.tanh %xy : !cp_h_w
    %0, %1 = graph.split %2 axis = 0 sizes = [c, p] : (!cp_h_w) -> (!chw, !phw)
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }

rule.rule @merge_gelus_along_channels(%x: [c, h, w], %y: [p, h, w]) -> ([c, h, w], [p, h, w])
  lifts [%x, %y]
  source {
    %0 = graph.gelu %x : !chw
    %1 = graph.gelu %y : !phw
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }
  target {
    %xy = graph.concat %x, %y axis = 0 : (!chw, !phw) -> !cp_h_w
    %2 = graph.gelu %xy : !cp_h_w
    %0, %1 = graph.split %2 axis = 0 sizes = [c, p] : (!cp_h_w) -> (!chw, !phw)
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }

rule.rule @merge_tanh_gelus_along_channels(%x: [c, h, w], %y: [p, h, w]) -> ([c, h, w], [p, h, w])
  lifts [%x, %y]
  source {
    %0 = graph.gelu %x tanh : !chw
    %1 = graph.gelu %y tanh : !phw
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }
  target {
    %xy = graph.concat %x, %y axis = 0 : (!chw, !phw) -> !cp_h_w
    %2 = graph.gelu %xy tanh : !cp_h_w
    %0, %1 = graph.split %2 axis = 0 sizes = [c, p] : (!cp_h_w) -> (!chw, !phw)
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }

rule.rule @merge_silus_along_channels(%x: [c, h, w], %y: [p, h, w]) -> ([c, h, w], [p, h, w])
  lifts [%x, %y]
  source {
    %0 = graph.silu %x : !chw
    %1 = graph.silu %y : !phw
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }
  target {
    %xy = graph.concat %x, %y axis = 0 : (!chw, !phw) -> !cp_h_w
    %2 = graph.silu %xy : !cp_h_w
    %0, %1 = graph.split %2 axis = 0 sizes = [c, p] : (!cp_h_w) -> (!chw, !phw)
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }

rule.rule @merge_hard_swishes_along_channels(%x: [c, h, w], %y: [p, h, w]) -> ([c, h, w], [p, h, w])
  lifts [%x, %y]
  source {
    %0 = graph.hard_swish %x : !chw
    %1 = graph.hard_swish %y : !phw
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }
  target {
    %xy = graph.concat %x, %y axis = 0 : (!chw, !phw) -> !cp_h_w
    %2 = graph.hard_swish %xy : !cp_h_w
    %0, %1 = graph.split %2 axis = 0 sizes = [c, p] : (!cp_h_w) -> (!chw, !phw)
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }

rule.rule @merge_exps_along_channels(%x: [c, h, w], %y: [p, h, w]) -> ([c, h, w], [p, h, w])
  lifts [%x, %y]
  source {
    %0 = graph.exp %x : !chw
    %1 = graph.exp %y : !phw
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }
  target {
    %xy = graph.concat %x, %y axis = 0 : (!chw, !phw) -> !cp_h_w
    %2 = graph.exp %xy : !cp_h_w
    %0, %1 = graph.split %2 axis = 0 sizes = [c, p] : (!cp_h_w) -> (!chw, !phw)
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }

rule.rule @merge_negations_along_channels(%x: [c, h, w], %y: [p, h, w]) -> ([c, h, w], [p, h, w])
  lifts [%x, %y]
  source {
    %0 = graph.neg %x : !chw
    %1 = graph.neg %y : !phw
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }
  target {
    %xy = graph.concat %x, %y axis = 0 : (!chw, !phw) -> !cp_h_w
    %2 = graph.neg %xy : !cp_h_w
    %0, %1 = graph.split %2 axis = 0 sizes = [c, p] : (!cp_h_w) -> (!chw, !phw)
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }

rule.rule @merge_sums_along_channels(%x: [c, h, w], %y: [c, h, w], %u: [p, h, w], %v: [p, h, w]) -> ([c, h, w], [p, h, w])
  lifts [%x, %y, %u, %v]
  source {
    %0 = graph.add %x, %y : !chw
    %1 = graph.add %u, %v : !phw
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }
  target {
    %xu = graph.concat %x, %u axis = 0 : (!chw, !phw) -> !cp_h_w
    %yv = graph.concat %y, %v axis = 0 : (!chw, !phw) -> !cp_h_w
    %2 = graph.add %xu, %yv : !cp_h_w
    %0, %1 = graph.split %2 axis = 0 sizes = [c, p] : (!cp_h_w) -> (!chw, !phw)
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }

rule.rule @merge_products_along_channels(%x: [c, h, w], %y: [c, h, w], %u: [p, h, w], %v: [p, h, w]) -> ([c, h, w], [p, h, w])
  lifts [%x, %y, %u, %v]
  source {
    %0 = graph.mul %x, %y : !chw
    %1 = graph.mul %u, %v : !phw
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }
  target {
    %xu = graph.concat %x, %u axis = 0 : (!chw, !phw) -> !cp_h_w
    %yv = graph.concat %y, %v axis = 0 : (!chw, !phw) -> !cp_h_w
    %2 = graph.mul %xu, %yv : !cp_h_w
    %0, %1 = graph.split %2 axis = 0 sizes = [c, p] : (!cp_h_w) -> (!chw, !phw)
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }
