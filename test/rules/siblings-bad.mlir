// Negative tests for rules/siblings.mlir: each must be refuted. Operands are joined in
// the other order than the result is split, or two functions differ.
// RUN: not tenon-rules prove %s 2>&1 | FileCheck %s
// The proofs themselves find none of them, without trying small sizes first.
// RUN: not tenon-rules prove --without-refuting %s 2>&1 | FileCheck %s --check-prefix=PROOF
// PROOF: 0 proved, 28 unknown
// REQUIRES: z3

!m = tensor<?xf32, #graph.dims<m>>
!p = tensor<?xf32, #graph.dims<p>>
!mp = tensor<?xf32, #graph.dims<m + p>>
!chw = tensor<?x?x?xf32, #graph.dims<c, h, w>>
!phw = tensor<?x?x?xf32, #graph.dims<p, h, w>>
!cp_h_w = tensor<?x?x?xf32, #graph.dims<c + p, h, w>>

// CHECK: refuted swap_relus_along_columns
rule.rule @swap_relus_along_columns(%x: [m], %y: [p]) -> ([m], [p])
  lifts [%x, %y]
  source {
    %0 = graph.relu %x : !m
    %1 = graph.relu %y : !p
    rule.yield %0, %1 : [m], [p]
  }
  target {
    %xy = graph.concat %y, %x axis = 0 : (!p, !m) -> !mp
    %2 = graph.relu %xy : !mp
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p] : (!mp) -> (!m, !p)
    rule.yield %0, %1 : [m], [p]
  }

// CHECK: refuted swap_sigmoids_along_columns
rule.rule @swap_sigmoids_along_columns(%x: [m], %y: [p]) -> ([m], [p])
  lifts [%x, %y]
  source {
    %0 = graph.sigmoid %x : !m
    %1 = graph.sigmoid %y : !p
    rule.yield %0, %1 : [m], [p]
  }
  target {
    %xy = graph.concat %y, %x axis = 0 : (!p, !m) -> !mp
    %2 = graph.sigmoid %xy : !mp
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p] : (!mp) -> (!m, !p)
    rule.yield %0, %1 : [m], [p]
  }

// CHECK: refuted swap_tanhs_along_columns
rule.rule @swap_tanhs_along_columns(%x: [m], %y: [p]) -> ([m], [p])
  lifts [%x, %y]
  source {
    %0 = graph.tanh %x : !m
    %1 = graph.tanh %y : !p
    rule.yield %0, %1 : [m], [p]
  }
  target {
    %xy = graph.concat %y, %x axis = 0 : (!p, !m) -> !mp
    %2 = graph.tanh %xy : !mp
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p] : (!mp) -> (!m, !p)
    rule.yield %0, %1 : [m], [p]
  }

// CHECK: refuted swap_gelus_along_columns
rule.rule @swap_gelus_along_columns(%x: [m], %y: [p]) -> ([m], [p])
  lifts [%x, %y]
  source {
    %0 = graph.gelu %x : !m
    %1 = graph.gelu %y : !p
    rule.yield %0, %1 : [m], [p]
  }
  target {
    %xy = graph.concat %y, %x axis = 0 : (!p, !m) -> !mp
    %2 = graph.gelu %xy : !mp
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p] : (!mp) -> (!m, !p)
    rule.yield %0, %1 : [m], [p]
  }

// CHECK: refuted swap_tanh_gelus_along_columns
rule.rule @swap_tanh_gelus_along_columns(%x: [m], %y: [p]) -> ([m], [p])
  lifts [%x, %y]
  source {
    %0 = graph.gelu %x tanh : !m
    %1 = graph.gelu %y tanh : !p
    rule.yield %0, %1 : [m], [p]
  }
  target {
    %xy = graph.concat %y, %x axis = 0 : (!p, !m) -> !mp
    %2 = graph.gelu %xy tanh : !mp
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p] : (!mp) -> (!m, !p)
    rule.yield %0, %1 : [m], [p]
  }

// CHECK: refuted swap_silus_along_columns
rule.rule @swap_silus_along_columns(%x: [m], %y: [p]) -> ([m], [p])
  lifts [%x, %y]
  source {
    %0 = graph.silu %x : !m
    %1 = graph.silu %y : !p
    rule.yield %0, %1 : [m], [p]
  }
  target {
    %xy = graph.concat %y, %x axis = 0 : (!p, !m) -> !mp
    %2 = graph.silu %xy : !mp
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p] : (!mp) -> (!m, !p)
    rule.yield %0, %1 : [m], [p]
  }

// CHECK: refuted swap_hard_swishes_along_columns
rule.rule @swap_hard_swishes_along_columns(%x: [m], %y: [p]) -> ([m], [p])
  lifts [%x, %y]
  source {
    %0 = graph.hard_swish %x : !m
    %1 = graph.hard_swish %y : !p
    rule.yield %0, %1 : [m], [p]
  }
  target {
    %xy = graph.concat %y, %x axis = 0 : (!p, !m) -> !mp
    %2 = graph.hard_swish %xy : !mp
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p] : (!mp) -> (!m, !p)
    rule.yield %0, %1 : [m], [p]
  }

// CHECK: refuted swap_exps_along_columns
rule.rule @swap_exps_along_columns(%x: [m], %y: [p]) -> ([m], [p])
  lifts [%x, %y]
  source {
    %0 = graph.exp %x : !m
    %1 = graph.exp %y : !p
    rule.yield %0, %1 : [m], [p]
  }
  target {
    %xy = graph.concat %y, %x axis = 0 : (!p, !m) -> !mp
    %2 = graph.exp %xy : !mp
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p] : (!mp) -> (!m, !p)
    rule.yield %0, %1 : [m], [p]
  }

// CHECK: refuted swap_negations_along_columns
rule.rule @swap_negations_along_columns(%x: [m], %y: [p]) -> ([m], [p])
  lifts [%x, %y]
  source {
    %0 = graph.neg %x : !m
    %1 = graph.neg %y : !p
    rule.yield %0, %1 : [m], [p]
  }
  target {
    %xy = graph.concat %y, %x axis = 0 : (!p, !m) -> !mp
    %2 = graph.neg %xy : !mp
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p] : (!mp) -> (!m, !p)
    rule.yield %0, %1 : [m], [p]
  }

// CHECK: refuted swap_sums_along_columns
rule.rule @swap_sums_along_columns(%x: [m], %y: [m], %u: [p], %v: [p]) -> ([m], [p])
  lifts [%x, %y, %u, %v]
  source {
    %0 = graph.add %x, %y : !m
    %1 = graph.add %u, %v : !p
    rule.yield %0, %1 : [m], [p]
  }
  target {
    %xu = graph.concat %x, %u axis = 0 : (!m, !p) -> !mp
    %yv = graph.concat %v, %y axis = 0 : (!p, !m) -> !mp
    %2 = graph.add %xu, %yv : !mp
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p] : (!mp) -> (!m, !p)
    rule.yield %0, %1 : [m], [p]
  }

// CHECK: refuted swap_differences_along_columns
rule.rule @swap_differences_along_columns(%x: [m], %y: [m], %u: [p], %v: [p]) -> ([m], [p])
  lifts [%x, %y, %u, %v]
  source {
    %0 = graph.sub %x, %y : !m
    %1 = graph.sub %u, %v : !p
    rule.yield %0, %1 : [m], [p]
  }
  target {
    %xu = graph.concat %x, %u axis = 0 : (!m, !p) -> !mp
    %yv = graph.concat %v, %y axis = 0 : (!p, !m) -> !mp
    %2 = graph.sub %xu, %yv : !mp
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p] : (!mp) -> (!m, !p)
    rule.yield %0, %1 : [m], [p]
  }

// CHECK: refuted swap_products_along_columns
rule.rule @swap_products_along_columns(%x: [m], %y: [m], %u: [p], %v: [p]) -> ([m], [p])
  lifts [%x, %y, %u, %v]
  source {
    %0 = graph.mul %x, %y : !m
    %1 = graph.mul %u, %v : !p
    rule.yield %0, %1 : [m], [p]
  }
  target {
    %xu = graph.concat %x, %u axis = 0 : (!m, !p) -> !mp
    %yv = graph.concat %v, %y axis = 0 : (!p, !m) -> !mp
    %2 = graph.mul %xu, %yv : !mp
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p] : (!mp) -> (!m, !p)
    rule.yield %0, %1 : [m], [p]
  }

// CHECK: refuted swap_quotients_along_columns
rule.rule @swap_quotients_along_columns(%x: [m], %y: [m], %u: [p], %v: [p]) -> ([m], [p])
  lifts [%x, %y, %u, %v]
  source {
    %0 = graph.div %x, %y : !m
    %1 = graph.div %u, %v : !p
    rule.yield %0, %1 : [m], [p]
  }
  target {
    %xu = graph.concat %x, %u axis = 0 : (!m, !p) -> !mp
    %yv = graph.concat %v, %y axis = 0 : (!p, !m) -> !mp
    %2 = graph.div %xu, %yv : !mp
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p] : (!mp) -> (!m, !p)
    rule.yield %0, %1 : [m], [p]
  }

// CHECK: refuted swap_maxima_along_columns
rule.rule @swap_maxima_along_columns(%x: [m], %y: [m], %u: [p], %v: [p]) -> ([m], [p])
  lifts [%x, %y, %u, %v]
  source {
    %0 = graph.maximum %x, %y : !m
    %1 = graph.maximum %u, %v : !p
    rule.yield %0, %1 : [m], [p]
  }
  target {
    %xu = graph.concat %x, %u axis = 0 : (!m, !p) -> !mp
    %yv = graph.concat %v, %y axis = 0 : (!p, !m) -> !mp
    %2 = graph.maximum %xu, %yv : !mp
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p] : (!mp) -> (!m, !p)
    rule.yield %0, %1 : [m], [p]
  }

// CHECK: refuted swap_minima_along_columns
rule.rule @swap_minima_along_columns(%x: [m], %y: [m], %u: [p], %v: [p]) -> ([m], [p])
  lifts [%x, %y, %u, %v]
  source {
    %0 = graph.minimum %x, %y : !m
    %1 = graph.minimum %u, %v : !p
    rule.yield %0, %1 : [m], [p]
  }
  target {
    %xu = graph.concat %x, %u axis = 0 : (!m, !p) -> !mp
    %yv = graph.concat %v, %y axis = 0 : (!p, !m) -> !mp
    %2 = graph.minimum %xu, %yv : !mp
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p] : (!mp) -> (!m, !p)
    rule.yield %0, %1 : [m], [p]
  }

// CHECK: refuted swap_relus_along_channels
rule.rule @swap_relus_along_channels(%x: [c, h, w], %y: [p, h, w]) -> ([c, h, w], [p, h, w])
  lifts [%x, %y]
  source {
    %0 = graph.relu %x : !chw
    %1 = graph.relu %y : !phw
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }
  target {
    %xy = graph.concat %y, %x axis = 0 : (!phw, !chw) -> !cp_h_w
    %2 = graph.relu %xy : !cp_h_w
    %0, %1 = graph.split %2 axis = 0 sizes = [c, p] : (!cp_h_w) -> (!chw, !phw)
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }

// CHECK: refuted swap_sigmoids_along_channels
rule.rule @swap_sigmoids_along_channels(%x: [c, h, w], %y: [p, h, w]) -> ([c, h, w], [p, h, w])
  lifts [%x, %y]
  source {
    %0 = graph.sigmoid %x : !chw
    %1 = graph.sigmoid %y : !phw
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }
  target {
    %xy = graph.concat %y, %x axis = 0 : (!phw, !chw) -> !cp_h_w
    %2 = graph.sigmoid %xy : !cp_h_w
    %0, %1 = graph.split %2 axis = 0 sizes = [c, p] : (!cp_h_w) -> (!chw, !phw)
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }

// CHECK: refuted swap_tanhs_along_channels
rule.rule @swap_tanhs_along_channels(%x: [c, h, w], %y: [p, h, w]) -> ([c, h, w], [p, h, w])
  lifts [%x, %y]
  source {
    %0 = graph.tanh %x : !chw
    %1 = graph.tanh %y : !phw
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }
  target {
    %xy = graph.concat %y, %x axis = 0 : (!phw, !chw) -> !cp_h_w
    %2 = graph.tanh %xy : !cp_h_w
    %0, %1 = graph.split %2 axis = 0 sizes = [c, p] : (!cp_h_w) -> (!chw, !phw)
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }

// CHECK: refuted swap_gelus_along_channels
rule.rule @swap_gelus_along_channels(%x: [c, h, w], %y: [p, h, w]) -> ([c, h, w], [p, h, w])
  lifts [%x, %y]
  source {
    %0 = graph.gelu %x : !chw
    %1 = graph.gelu %y : !phw
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }
  target {
    %xy = graph.concat %y, %x axis = 0 : (!phw, !chw) -> !cp_h_w
    %2 = graph.gelu %xy : !cp_h_w
    %0, %1 = graph.split %2 axis = 0 sizes = [c, p] : (!cp_h_w) -> (!chw, !phw)
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }

// CHECK: refuted swap_tanh_gelus_along_channels
rule.rule @swap_tanh_gelus_along_channels(%x: [c, h, w], %y: [p, h, w]) -> ([c, h, w], [p, h, w])
  lifts [%x, %y]
  source {
    %0 = graph.gelu %x tanh : !chw
    %1 = graph.gelu %y tanh : !phw
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }
  target {
    %xy = graph.concat %y, %x axis = 0 : (!phw, !chw) -> !cp_h_w
    %2 = graph.gelu %xy tanh : !cp_h_w
    %0, %1 = graph.split %2 axis = 0 sizes = [c, p] : (!cp_h_w) -> (!chw, !phw)
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }

// CHECK: refuted swap_silus_along_channels
rule.rule @swap_silus_along_channels(%x: [c, h, w], %y: [p, h, w]) -> ([c, h, w], [p, h, w])
  lifts [%x, %y]
  source {
    %0 = graph.silu %x : !chw
    %1 = graph.silu %y : !phw
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }
  target {
    %xy = graph.concat %y, %x axis = 0 : (!phw, !chw) -> !cp_h_w
    %2 = graph.silu %xy : !cp_h_w
    %0, %1 = graph.split %2 axis = 0 sizes = [c, p] : (!cp_h_w) -> (!chw, !phw)
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }

// CHECK: refuted swap_hard_swishes_along_channels
rule.rule @swap_hard_swishes_along_channels(%x: [c, h, w], %y: [p, h, w]) -> ([c, h, w], [p, h, w])
  lifts [%x, %y]
  source {
    %0 = graph.hard_swish %x : !chw
    %1 = graph.hard_swish %y : !phw
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }
  target {
    %xy = graph.concat %y, %x axis = 0 : (!phw, !chw) -> !cp_h_w
    %2 = graph.hard_swish %xy : !cp_h_w
    %0, %1 = graph.split %2 axis = 0 sizes = [c, p] : (!cp_h_w) -> (!chw, !phw)
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }

// CHECK: refuted swap_exps_along_channels
rule.rule @swap_exps_along_channels(%x: [c, h, w], %y: [p, h, w]) -> ([c, h, w], [p, h, w])
  lifts [%x, %y]
  source {
    %0 = graph.exp %x : !chw
    %1 = graph.exp %y : !phw
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }
  target {
    %xy = graph.concat %y, %x axis = 0 : (!phw, !chw) -> !cp_h_w
    %2 = graph.exp %xy : !cp_h_w
    %0, %1 = graph.split %2 axis = 0 sizes = [c, p] : (!cp_h_w) -> (!chw, !phw)
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }

// CHECK: refuted swap_negations_along_channels
rule.rule @swap_negations_along_channels(%x: [c, h, w], %y: [p, h, w]) -> ([c, h, w], [p, h, w])
  lifts [%x, %y]
  source {
    %0 = graph.neg %x : !chw
    %1 = graph.neg %y : !phw
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }
  target {
    %xy = graph.concat %y, %x axis = 0 : (!phw, !chw) -> !cp_h_w
    %2 = graph.neg %xy : !cp_h_w
    %0, %1 = graph.split %2 axis = 0 sizes = [c, p] : (!cp_h_w) -> (!chw, !phw)
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }

// CHECK: refuted swap_sums_along_channels
rule.rule @swap_sums_along_channels(%x: [c, h, w], %y: [c, h, w], %u: [p, h, w], %v: [p, h, w]) -> ([c, h, w], [p, h, w])
  lifts [%x, %y, %u, %v]
  source {
    %0 = graph.add %x, %y : !chw
    %1 = graph.add %u, %v : !phw
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }
  target {
    %xu = graph.concat %x, %u axis = 0 : (!chw, !phw) -> !cp_h_w
    %yv = graph.concat %v, %y axis = 0 : (!phw, !chw) -> !cp_h_w
    %2 = graph.add %xu, %yv : !cp_h_w
    %0, %1 = graph.split %2 axis = 0 sizes = [c, p] : (!cp_h_w) -> (!chw, !phw)
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }

// CHECK: refuted swap_products_along_channels
rule.rule @swap_products_along_channels(%x: [c, h, w], %y: [c, h, w], %u: [p, h, w], %v: [p, h, w]) -> ([c, h, w], [p, h, w])
  lifts [%x, %y, %u, %v]
  source {
    %0 = graph.mul %x, %y : !chw
    %1 = graph.mul %u, %v : !phw
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }
  target {
    %xu = graph.concat %x, %u axis = 0 : (!chw, !phw) -> !cp_h_w
    %yv = graph.concat %v, %y axis = 0 : (!phw, !chw) -> !cp_h_w
    %2 = graph.mul %xu, %yv : !cp_h_w
    %0, %1 = graph.split %2 axis = 0 sizes = [c, p] : (!cp_h_w) -> (!chw, !phw)
    rule.yield %0, %1 : [c, h, w], [p, h, w]
  }

// Different functions.
// CHECK: refuted merge_relu_and_sigmoid
rule.rule @merge_relu_and_sigmoid(%x: [m], %y: [p]) -> ([m], [p])
  lifts [%x, %y]
  source {
    %0 = graph.relu %x : !m
    %1 = graph.sigmoid %y : !p
    rule.yield %0, %1 : [m], [p]
  }
  target {
    %xy = graph.concat %x, %y axis = 0 : (!m, !p) -> !mp
    %2 = graph.relu %xy : !mp
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p] : (!mp) -> (!m, !p)
    rule.yield %0, %1 : [m], [p]
  }

// Other attributes.
// CHECK: refuted merge_gelu_and_tanh_gelu
rule.rule @merge_gelu_and_tanh_gelu(%x: [m], %y: [p]) -> ([m], [p])
  lifts [%x, %y]
  source {
    %0 = graph.gelu %x : !m
    %1 = graph.gelu %y tanh : !p
    rule.yield %0, %1 : [m], [p]
  }
  target {
    %xy = graph.concat %x, %y axis = 0 : (!m, !p) -> !mp
    %2 = graph.gelu %xy : !mp
    %0, %1 = graph.split %2 axis = 0 sizes = [m, p] : (!mp) -> (!m, !p)
    rule.yield %0, %1 : [m], [p]
  }

// CHECK: 0 proved, 28 refuted
