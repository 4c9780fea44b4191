// Partial rules: where both sides differ is found, that they are equal elsewhere is
// proved, and so is the rule with a correction.
// RUN: rm -rf %t && mkdir %t
// RUN: tenon-rules correct %s -o %t/out.mlir --regions %t/regions.mlir --instances 1200 | FileCheck %s
// RUN: FileCheck %s --check-prefix=OUT < %t/out.mlir
// RUN: tenon-rules check-proof %t/out.mlir %t/regions.mlir | FileCheck %s --check-prefix=PROOFS
// RUN: tenon-rules check %t/out.mlir
// Two files may have rules of one name: those that are written have two.
// RUN: mkdir %t/a %t/b
// RUN: grep -A 9 "^rule.rule @sums_commute" %s > %t/a/sums.mlir && cp %t/a/sums.mlir %t/b/
// RUN: tenon-rules correct %t/a/sums.mlir %t/b/sums.mlir -o %t/twice.mlir --instances 100
// RUN: tenon-rules check-proof %t/twice.mlir | FileCheck %s --check-prefix=TWICE
// TWICE: holds sums_commute (
// TWICE: holds sums_commute_2 (
// TWICE: 2 of 2 certificates hold
// REQUIRES: z3
// REQUIRES: slow

// PROOFS: {{^}}12 of 12 certificates hold

// A convolution over batches that are laid end to end. Every element of the boxes
// differs at all sizes that were tried.
// CHECK: fold_batch_into_axis: differs in [0:n - 1, 0:o, h - r + t + 1:h], [1:n, 0:o, 0:t] ([[ALL:[0-9]+]] of their [[ALL]] elements)
// CHECK-NEXT: equal elsewhere: proved
// CHECK-NEXT: @fold_batch_into_axis: proved, 5 pieces
// CHECK-NEXT: @fold_batch_into_axis_along_axis_0: proved, 3 pieces
// OUT: rule.rule @fold_batch_into_axis(
// OUT: graph.slice %x starts = [1, 0, 0] sizes = [n - 1, c, r - 1]
// OUT-NEXT: graph.conv {{.*}} pads = [t, 0]
// OUT: where [n >= 1, t >= 1, h + 1 >= r, r >= t + 2]
// OUT: rule.rule @fold_batch_into_axis_along_axis_0(
// OUT: graph.slice %x starts = [0, 0, 0] sizes = [n, c, r - 1]
rule.rule @fold_batch_into_axis(%x: [n, c, h], %k: [o, c, r]) -> [n, o, h]
  source {
    %0 = graph.conv %x, %k strides = [1] pads = [t, r - 1 - t] dilations = [1] groups = 1 channels_first
    rule.yield %0
  }
  target {
    %0 = graph.transpose %x perm = [1, 0, 2]
    %1 = graph.reshape %0 shape = [1, c, n * h]
    %2 = graph.conv %1, %k strides = [1] pads = [t, r - 1 - t] dilations = [1] groups = 1 channels_first
    %3 = graph.reshape %2 shape = [o, n, h]
    %4 = graph.transpose %3 perm = [1, 0, 2]
    rule.yield %4
  }
  where [n >= 1]

// A product whose last columns are zeros: the correction computes only these, through a
// sum and a transposition.
// CHECK: columns_of_others: differs in [0:m, n - 2:n] ([[ALL:[0-9]+]] of their [[ALL]] elements)
// CHECK-NEXT: equal elsewhere: proved
// CHECK-NEXT: @columns_of_others: proved, 2 pieces
// OUT: rule.rule @columns_of_others(
// OUT: graph.slice %u starts = [n - 2, 0] sizes = [2, k]
// OUT: graph.slice %v starts = [0, n - 2] sizes = [k, 2]
rule.rule @columns_of_others(%x: [m, k], %u: [n, k], %v: [k, n]) -> [m, n]
  source {
    %0 = graph.transpose %u perm = [1, 0]
    %1 = graph.add %0, %v
    %2 = graph.matmul %x, %1
    rule.yield %2
  }
  target {
    %0 = graph.transpose %u perm = [1, 0]
    %1 = graph.add %0, %v
    %2 = graph.slice %1 starts = [0, 0] sizes = [k, n - 2] steps = [1, 1]
    %3 = graph.matmul %x, %2
    %4 = graph.pad %3 low = [0, 0] high = [0, 2] constant value = 0.0
    rule.yield %4
  }
  where [n >= 2]

// A sum that needs no correction.
// CHECK: sums_commute: no difference found, proved
// OUT: rule.rule @sums_commute(
rule.rule @sums_commute(%x: [n], %y: [n]) -> [n]
  source {
    %0 = graph.add %x, %y
    rule.yield %0
  }
  target {
    %0 = graph.add %y, %x
    rule.yield %0
  }

// A product whose right operand is transposed, with a batch: rows of both operands.
// CHECK: rows_of_transposed: differs in [0:b, 0:m, n - 1:n] ([[ALL:[0-9]+]] of their [[ALL]] elements)
// CHECK: @rows_of_transposed: proved, 2 pieces
// OUT: rule.rule @rows_of_transposed(
// OUT: graph.slice %w starts = [n - 1, 0] sizes = [1, k]
// OUT: graph.matmul {{.*}} transpose_a transpose_b
rule.rule @rows_of_transposed(%x: [b, k, m], %w: [n, k]) -> [b, m, n]
  source {
    %0 = graph.transpose %w perm = [1, 0]
    %1 = graph.transpose %0 perm = [1, 0]
    %2 = graph.matmul %x, %1 transpose_a transpose_b
    rule.yield %2
  }
  target {
    %0 = graph.slice %w starts = [0, 0] sizes = [n - 1, k] steps = [1, 1]
    %1 = graph.matmul %x, %0 transpose_a transpose_b
    %2 = graph.pad %1 low = [0, 0, 0] high = [0, 0, 1] constant value = 0.0
    rule.yield %2
  }
  where [n >= 1]

// The end of an axis of fixed size.
// CHECK: fixed_end: differs in [0:m, 5:6]
// CHECK: @fixed_end: proved, 2 pieces
// OUT: rule.rule @fixed_end(
rule.rule @fixed_end(%x: [m, 6], %y: [m, 6]) -> [m, 6]
  source {
    %0 = graph.add %x, %y
    rule.yield %0
  }
  target {
    %0 = graph.add %x, %y
    %1 = graph.slice %0 starts = [0, 0] sizes = [m, 5] steps = [1, 1]
    %2 = graph.pad %1 low = [0, 0] high = [0, 1] constant value = 0.0
    rule.yield %2
  }
