// Indices that depend on data: gathers and scatters with what is around them.
// RUN: tenon-rules prove %s | FileCheck %s
// REQUIRES: z3

// A gather of one element is that element. It is a sum in the proof, so that no
// rule with one is exact.
// CHECK: {{^}}proved neg_of_gather (reassociates, needs-finite;
rule.rule @neg_of_gather(%x: [m, k], %i: [n] of i64) -> [n, k]
  source {
    %0 = graph.gather %x, %i axis = 0
    %1 = graph.neg %0
    rule.yield %1
  }
  target {
    %0 = graph.neg %x
    %1 = graph.gather %0, %i axis = 0
    rule.yield %1
  }

// CHECK: {{^}}proved gather_of_product
rule.rule @gather_of_product(%x: [m, k], %w: [k, l], %i: [n] of i64) -> [n, l]
  source {
    %0 = graph.matmul %x, %w
    %1 = graph.gather %0, %i axis = 0
    rule.yield %1
  }
  target {
    %0 = graph.gather %x, %i axis = 0
    %1 = graph.matmul %0, %w
    rule.yield %1
  }

// Of an axis of one element, every index reads that one.
// CHECK: {{^}}proved gather_of_one
rule.rule @gather_of_one(%x: [1, k], %i: [n] of i64) -> [n, k]
  source {
    %0 = graph.gather %x, %i axis = 0
    rule.yield %0
  }
  target {
    %0 = graph.reshape %x shape = [1, k]
    %1 = graph.broadcast %0 shape = [n, k]
    rule.yield %1
  }

// Clamped twice.
// CHECK: {{^}}proved gather_at_clamped
rule.rule @gather_at_clamped(%x: [5, k], %i: [n] of i64) -> [n, k]
  source {
    %0 = graph.gather %x, %i axis = 0
    rule.yield %0
  }
  target {
    %0 = graph.constant dense<4> : tensor<i64>
    %1 = graph.broadcast %0 shape = [n]
    %2 = graph.minimum %i, %1
    %3 = graph.gather %x, %2 axis = 0
    rule.yield %3
  }

// Two scatters that add.
// CHECK: {{^}}proved scatters_that_add
rule.rule @scatters_that_add(%x: [m, k], %i: [n] of i64, %u: [n, k], %v: [n, k]) -> [m, k]
  source {
    %0 = graph.reshape %i shape = [n, 1]
    %1 = graph.scatter_nd %x, %0, %u add
    %2 = graph.scatter_nd %1, %0, %v add
    rule.yield %2
  }
  target {
    %0 = graph.reshape %i shape = [n, 1]
    %1 = graph.add %u, %v
    %2 = graph.scatter_nd %x, %0, %1 add
    rule.yield %2
  }
