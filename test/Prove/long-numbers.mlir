// A question in which the solver's numbers grow without end, which its count of
// steps does not see: the rule is given up after seconds.
// RUN: not timeout 50 tenon-rules prove --without-refuting %s 2>&1 | FileCheck %s
// REQUIRES: z3
// REQUIRES: full

// CHECK: unknown add_inputs_of_avg_pools
// CHECK: error: {{.*}}result 0: the solver{{ gave up|'s limit for this rule was reached}}
rule.rule @add_inputs_of_avg_pools(%x: [i1, v0, batch1_, q_], %y: [i1, v0, batch1_, q_], %x_: [m_], %y_: [p]) -> ([i1, v0, ((batch1 - batch1 * r0 + batch1_ + i + i1_ - 1) floordiv (v0__)) + 1, ((m + q + q_ + v0_ - v0_ * x - 1) floordiv (v0___)) + 1], [m_], [p])
  source {
    %0 = graph.reverse %x_ axes = [0]
    %1 = graph.avg_pool %x kernel = [r0, x] strides = [v0__, v0___] pads = [i1_, m, i, q] dilations = [batch1, v0_]  channels_first count_include_pad
    %2 = graph.avg_pool %y kernel = [r0, x] strides = [v0__, v0___] pads = [i1_, m, i, q] dilations = [batch1, v0_]  channels_first count_include_pad
    %3 = graph.add %1, %2
    %4 = graph.tanh %0
    %5 = graph.tanh %y_
    rule.yield %3, %4, %5
  }
  target {
    %0 = graph.reverse %x_ axes = [0]
    %1 = graph.add %x, %y
    %2 = graph.avg_pool %1 kernel = [r0, x] strides = [v0__, v0___] pads = [i1_, m, i, q] dilations = [batch1, v0_]  channels_first
    %3 = graph.concat %0, %y_ axis = 0
    %4 = graph.tanh %3
    %5:2 = graph.split %4 axis = 0 sizes = [m_, p]
    rule.yield %2, %5#0, %5#1
  }
