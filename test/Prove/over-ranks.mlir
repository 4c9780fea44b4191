// RUN: not tenon-rules prove %s | FileCheck %s

// REQUIRES: z3

// Rules about ranks are proved for all of any mesh.

// CHECK: proved {{.*}}sum_of_sums
rule.rule @sum_of_sums(%x: [n], %y: [n]) -> [n]
  source {
    %a = graph.all_reduce %x over ["data"]
    %b = graph.all_reduce %y over ["data"]
    %c = graph.add %a, %b
    rule.yield %c
  }
  target {
    %a = graph.add %x, %y
    %b = graph.all_reduce %a over ["data"]
    rule.yield %b
  }

// CHECK: proved {{.*}}one_axis_at_a_time
rule.rule @one_axis_at_a_time(%x: [n]) -> [n]
  source {
    %a = graph.all_reduce %x over ["data", "stage"]
    rule.yield %a
  }
  target {
    %a = graph.all_reduce %x over ["stage"]
    %b = graph.all_reduce %a over ["data"]
    rule.yield %b
  }

// CHECK: proved {{.*}}sum_moves_out_of_transpose
rule.rule @sum_moves_out_of_transpose(%x: [m, n]) -> [n, m]
  source {
    %a = graph.all_reduce %x over ["data"]
    %b = graph.transpose %a perm = [1, 0]
    rule.yield %b
  }
  target {
    %a = graph.transpose %x perm = [1, 0]
    %b = graph.all_reduce %a over ["data"]
    rule.yield %b
  }

// A matmul by the same weights is linear, but each rank has its own.
// CHECK: refuted {{.*}}sum_moves_out_of_matmul
rule.rule @sum_moves_out_of_matmul(%x: [m, k], %w: [k, n]) -> [m, n]
  source {
    %a = graph.all_reduce %x over ["data"]
    %b = graph.matmul %a, %w
    rule.yield %b
  }
  target {
    %a = graph.matmul %x, %w
    %b = graph.all_reduce %a over ["data"]
    rule.yield %b
  }

// CHECK: refuted {{.*}}sum_of_products
rule.rule @sum_of_products(%x: [n], %y: [n]) -> [n]
  source {
    %a = graph.mul %x, %y
    %b = graph.all_reduce %a over ["data"]
    rule.yield %b
  }
  target {
    %a = graph.all_reduce %x over ["data"]
    %b = graph.all_reduce %y over ["data"]
    %c = graph.mul %a, %b
    rule.yield %c
  }

// CHECK: refuted {{.*}}sum_twice
rule.rule @sum_twice(%x: [n]) -> [n]
  source {
    %a = graph.all_reduce %x over ["data"]
    %b = graph.all_reduce %a over ["data"]
    rule.yield %b
  }
  target {
    %a = graph.all_reduce %x over ["data"]
    rule.yield %a
  }

// CHECK: refuted {{.*}}another_axis
rule.rule @another_axis(%x: [n]) -> [n]
  source {
    %a = graph.all_reduce %x over ["data"]
    rule.yield %a
  }
  target {
    %a = graph.all_reduce %x over ["stage"]
    rule.yield %a
  }
