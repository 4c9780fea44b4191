// False rules about indices that depend on data, and about integers that wrap.
// RUN: not tenon-rules prove --without-refuting %s 2>&1 | FileCheck %s
// RUN: not tenon-rules prove --without-refuting %s 2>&1 | FileCheck %s --check-prefix=COUNT
// REQUIRES: z3
// COUNT: {{^}}0 proved, 6 un

// -1 is the last element, and 5 is the last one, too.
rule.rule @gather_of_absolute(%x: [5, k], %i: [n] of i64) -> [n, k]
  source {
    %0 = graph.gather %x, %i axis = 0
    rule.yield %0
  }
  target {
    %0 = graph.abs %i
    %1 = graph.gather %x, %0 axis = 0
    rule.yield %1
  }

// 4 is clamped to 3.
rule.rule @gather_at_clamped_too_low(%x: [5, k], %i: [n] of i64) -> [n, k]
  source {
    %0 = graph.gather %x, %i axis = 0
    rule.yield %0
  }
  target {
    %0 = graph.constant dense<3> : tensor<i64>
    %1 = graph.broadcast %0 shape = [n]
    %2 = graph.minimum %i, %1
    %3 = graph.gather %x, %2 axis = 0
    rule.yield %3
  }

// The axis may have no elements, of which a gather reads none.
// CHECK: target is not valid for all sizes: graph.gather: axis 0 of x: expected elements to gather, but got size m
rule.rule @gather_of_nothing(%x: [m, k], %i: [n] of i64) -> [n, k]
  source {
    %0 = graph.reduce_sum %x axes = [0]
    %1 = graph.broadcast %0 shape = [n, k]
    %2 = graph.cast %i to f32
    %3 = graph.reshape %2 shape = [n, 1]
    %4 = graph.broadcast %3 shape = [n, k]
    %5 = graph.add %1, %4
    rule.yield %5
  }
  target {
    %0 = graph.reduce_sum %x axes = [0]
    %1 = graph.broadcast %0 shape = [n, k]
    %2 = graph.cast %i to f32
    %3 = graph.reshape %2 shape = [n, 1]
    %4 = graph.broadcast %3 shape = [n, k]
    %5 = graph.add %1, %4
    %6 = graph.gather %x, %i axis = 0
    %7 = graph.sub %6, %6
    %8 = graph.add %5, %7
    rule.yield %8
  }

// The last update wins.
rule.rule @scatters_that_replace(%x: [m, k], %i: [n] of i64, %u: [n, k], %v: [n, k]) -> [m, k]
  source {
    %0 = graph.reshape %i shape = [n, 1]
    %1 = graph.scatter_nd %x, %0, %u none
    %2 = graph.scatter_nd %1, %0, %v none
    rule.yield %2
  }
  target {
    %0 = graph.reshape %i shape = [n, 1]
    %1 = graph.scatter_nd %x, %0, %u none
    rule.yield %1
  }

// 92682 * 92682 * 2^30 is beyond 64 bits.
rule.rule @square_of_index(%x: [n]) -> [n]
  source {
    %i = graph.iota shape = [n] axis = 0 of i64
    %0 = graph.constant dense<1073741824> : tensor<i64>
    %c = graph.broadcast %0 shape = [n]
    %s = graph.mul %i, %i
    %t = graph.mul %s, %c
    %1 = graph.constant dense<0> : tensor<i64>
    %z = graph.broadcast %1 shape = [n]
    %l = graph.less %t, %z
    %m = graph.neg %x
    %r = graph.where %l, %m, %x
    rule.yield %r
  }
  target {
    rule.yield %x
  }

// i + 1 may be the least integer.
rule.rule @next_is_larger(%x: [n], %i: [n] of i64) -> [n]
  source {
    %0 = graph.constant dense<1> : tensor<i64>
    %one = graph.broadcast %0 shape = [n]
    %j = graph.add %i, %one
    %l = graph.less %i, %j
    %m = graph.neg %x
    %r = graph.where %l, %x, %m
    rule.yield %r
  }
  target {
    rule.yield %x
  }
