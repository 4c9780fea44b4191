// Negative tests for rules/discovered.mlir: the other part, or another function, of the
// whole. Each is refuted.
// RUN: not tenon-rules prove %s 2>&1 | FileCheck %s
// The proofs themselves find none of them, without trying small sizes first.
// RUN: not tenon-rules prove --without-refuting --rlimit 100000 %s 2>&1 | FileCheck %s --check-prefix=PROOF
// PROOF: 0 proved, 16 unknown
// REQUIRES: z3

// CHECK: error: rule 'split_relu_is_relu_split_wrong' is false
rule.rule @split_relu_is_relu_split_wrong(%x: [p + p2, k]) -> [p, k] lifts [%x]
  source {
    %0:2 = graph.split %x axis = 0 sizes = [p, p2]
    %1 = graph.relu %0#0
    rule.yield %1
  }
  target {
    %0 = graph.neg %x
    %1:2 = graph.split %0 axis = 0 sizes = [p, p2]
    rule.yield %1#0
  }

// CHECK: error: rule 'split_relu_is_relu_split_2_wrong' is false
rule.rule @split_relu_is_relu_split_2_wrong(%x: [p + p2, k]) -> [p2, k] lifts [%x]
  source {
    %0:2 = graph.split %x axis = 0 sizes = [p, p2]
    %1 = graph.relu %0#1
    rule.yield %1
  }
  target {
    %0 = graph.neg %x
    %1:2 = graph.split %0 axis = 0 sizes = [p, p2]
    rule.yield %1#1
  }

// CHECK: error: rule 'split_relu_is_relu_split_3_wrong' is false
rule.rule @split_relu_is_relu_split_3_wrong(%x: [p + p2]) -> [p] lifts [%x]
  source {
    %0:2 = graph.split %x axis = 0 sizes = [p, p2]
    %1 = graph.relu %0#0
    rule.yield %1
  }
  target {
    %0 = graph.neg %x
    %1:2 = graph.split %0 axis = 0 sizes = [p, p2]
    rule.yield %1#0
  }

// CHECK: error: rule 'split_relu_is_relu_split_4_wrong' is false
rule.rule @split_relu_is_relu_split_4_wrong(%x: [p + p2]) -> [p2] lifts [%x]
  source {
    %0:2 = graph.split %x axis = 0 sizes = [p, p2]
    %1 = graph.relu %0#1
    rule.yield %1
  }
  target {
    %0 = graph.neg %x
    %1:2 = graph.split %0 axis = 0 sizes = [p, p2]
    rule.yield %1#1
  }

// CHECK: error: rule 'split_sigmoid_is_sigmoid_split_wrong' is false
rule.rule @split_sigmoid_is_sigmoid_split_wrong(%x: [p + p2, k]) -> [p, k] lifts [%x]
  source {
    %0:2 = graph.split %x axis = 0 sizes = [p, p2]
    %1 = graph.sigmoid %0#0
    rule.yield %1
  }
  target {
    %0 = graph.tanh %x
    %1:2 = graph.split %0 axis = 0 sizes = [p, p2]
    rule.yield %1#0
  }

// CHECK: error: rule 'split_sigmoid_is_sigmoid_split_2_wrong' is false
rule.rule @split_sigmoid_is_sigmoid_split_2_wrong(%x: [p + p2, k]) -> [p2, k] lifts [%x]
  source {
    %0:2 = graph.split %x axis = 0 sizes = [p, p2]
    %1 = graph.sigmoid %0#1
    rule.yield %1
  }
  target {
    %0 = graph.tanh %x
    %1:2 = graph.split %0 axis = 0 sizes = [p, p2]
    rule.yield %1#1
  }

// CHECK: error: rule 'split_sigmoid_is_sigmoid_split_3_wrong' is false
rule.rule @split_sigmoid_is_sigmoid_split_3_wrong(%x: [p + p2]) -> [p] lifts [%x]
  source {
    %0:2 = graph.split %x axis = 0 sizes = [p, p2]
    %1 = graph.sigmoid %0#0
    rule.yield %1
  }
  target {
    %0 = graph.tanh %x
    %1:2 = graph.split %0 axis = 0 sizes = [p, p2]
    rule.yield %1#0
  }

// CHECK: error: rule 'split_sigmoid_is_sigmoid_split_4_wrong' is false
rule.rule @split_sigmoid_is_sigmoid_split_4_wrong(%x: [p + p2]) -> [p2] lifts [%x]
  source {
    %0:2 = graph.split %x axis = 0 sizes = [p, p2]
    %1 = graph.sigmoid %0#1
    rule.yield %1
  }
  target {
    %0 = graph.tanh %x
    %1:2 = graph.split %0 axis = 0 sizes = [p, p2]
    rule.yield %1#1
  }

// CHECK: error: rule 'split_tanh_is_tanh_split_wrong' is false
rule.rule @split_tanh_is_tanh_split_wrong(%x: [p + p2, k]) -> [p, k] lifts [%x]
  source {
    %0:2 = graph.split %x axis = 0 sizes = [p, p2]
    %1 = graph.tanh %0#0
    rule.yield %1
  }
  target {
    %0 = graph.sigmoid %x
    %1:2 = graph.split %0 axis = 0 sizes = [p, p2]
    rule.yield %1#0
  }

// CHECK: error: rule 'split_tanh_is_tanh_split_2_wrong' is false
rule.rule @split_tanh_is_tanh_split_2_wrong(%x: [p + p2, k]) -> [p2, k] lifts [%x]
  source {
    %0:2 = graph.split %x axis = 0 sizes = [p, p2]
    %1 = graph.tanh %0#1
    rule.yield %1
  }
  target {
    %0 = graph.sigmoid %x
    %1:2 = graph.split %0 axis = 0 sizes = [p, p2]
    rule.yield %1#1
  }

// CHECK: error: rule 'split_tanh_is_tanh_split_3_wrong' is false
rule.rule @split_tanh_is_tanh_split_3_wrong(%x: [p + p2]) -> [p] lifts [%x]
  source {
    %0:2 = graph.split %x axis = 0 sizes = [p, p2]
    %1 = graph.tanh %0#0
    rule.yield %1
  }
  target {
    %0 = graph.sigmoid %x
    %1:2 = graph.split %0 axis = 0 sizes = [p, p2]
    rule.yield %1#0
  }

// CHECK: error: rule 'split_tanh_is_tanh_split_4_wrong' is false
rule.rule @split_tanh_is_tanh_split_4_wrong(%x: [p + p2]) -> [p2] lifts [%x]
  source {
    %0:2 = graph.split %x axis = 0 sizes = [p, p2]
    %1 = graph.tanh %0#1
    rule.yield %1
  }
  target {
    %0 = graph.sigmoid %x
    %1:2 = graph.split %0 axis = 0 sizes = [p, p2]
    rule.yield %1#1
  }

// CHECK: error: rule 'split_silu_is_silu_split_wrong' is false
rule.rule @split_silu_is_silu_split_wrong(%x: [p + p2, k]) -> [p, k] lifts [%x]
  source {
    %0:2 = graph.split %x axis = 0 sizes = [p, p2]
    %1 = graph.silu %0#0
    rule.yield %1
  }
  target {
    %0 = graph.relu %x
    %1:2 = graph.split %0 axis = 0 sizes = [p, p2]
    rule.yield %1#0
  }

// CHECK: error: rule 'split_silu_is_silu_split_2_wrong' is false
rule.rule @split_silu_is_silu_split_2_wrong(%x: [p + p2, k]) -> [p2, k] lifts [%x]
  source {
    %0:2 = graph.split %x axis = 0 sizes = [p, p2]
    %1 = graph.silu %0#1
    rule.yield %1
  }
  target {
    %0 = graph.relu %x
    %1:2 = graph.split %0 axis = 0 sizes = [p, p2]
    rule.yield %1#1
  }

// CHECK: error: rule 'split_silu_is_silu_split_3_wrong' is false
rule.rule @split_silu_is_silu_split_3_wrong(%x: [p + p2]) -> [p] lifts [%x]
  source {
    %0:2 = graph.split %x axis = 0 sizes = [p, p2]
    %1 = graph.silu %0#0
    rule.yield %1
  }
  target {
    %0 = graph.relu %x
    %1:2 = graph.split %0 axis = 0 sizes = [p, p2]
    rule.yield %1#0
  }

// CHECK: error: rule 'split_silu_is_silu_split_4_wrong' is false
rule.rule @split_silu_is_silu_split_4_wrong(%x: [p + p2]) -> [p2] lifts [%x]
  source {
    %0:2 = graph.split %x axis = 0 sizes = [p, p2]
    %1 = graph.silu %0#1
    rule.yield %1
  }
  target {
    %0 = graph.relu %x
    %1:2 = graph.split %0 axis = 0 sizes = [p, p2]
    rule.yield %1#1
  }
