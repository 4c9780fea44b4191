// What the ops of a source ask of sizes is assumed: a rule fires where its source
// is computed. What those of a target ask for has to follow.
// RUN: not tenon-rules prove %s 2>&1 | FileCheck %s
// RUN: not tenon-rules prove --without-refuting %s 2>&1 | FileCheck %s --check-prefix=PROOF
// REQUIRES: z3

!n = tensor<?xf32, #graph.dims<n>>
!p = tensor<?xf32, #graph.dims<p>>
!x = tensor<?x?x?xf32, #graph.dims<n, c, w>>

// CHECK: proved slice_of_neg
rule.rule @slice_of_neg(%a: [n]) -> [p]
  source {
    %0 = graph.slice %a starts = [s] sizes = [p] steps = [1] : (!n) -> !p
    %1 = graph.neg %0 : !p
    rule.yield %1 : [p]
  }
  target {
    %0 = graph.neg %a : !n
    %1 = graph.slice %0 starts = [s] sizes = [p] steps = [1] : (!n) -> !p
    rule.yield %1 : [p]
  }

// Of no elements there is no window.
// CHECK: refuted neg_to_pool
// CHECK: error: rule 'neg_to_pool' is false: with {{.*}}w = 0, the target is not valid (kernel on spatial axis 0: expected at most 0 elements, the padded input, but got 1){{$}}
// PROOF: rule 'neg_to_pool' is not proved: target is not valid for all sizes: graph.avg_pool: kernel on spatial axis 0: expected at most w elements, the padded input, but got 1 (is a condition missing?)
rule.rule @neg_to_pool(%a: [n, c, w]) -> [n, c, w]
  source {
    %0 = graph.neg %a : !x
    rule.yield %0 : [n, c, w]
  }
  target {
    %0 = graph.neg %a : !x
    %1 = graph.avg_pool %0 kernel = [1] strides = [1] pads = [0, 0] dilations = [1] channels_first : (!x) -> !x
    rule.yield %1 : [n, c, w]
  }

// CHECK: proved neg_of_some_to_pool
rule.rule @neg_of_some_to_pool(%a: [n, c, w]) -> [n, c, w]
  source {
    %0 = graph.neg %a : !x
    rule.yield %0 : [n, c, w]
  }
  target {
    %0 = graph.neg %a : !x
    %1 = graph.avg_pool %0 kernel = [1] strides = [1] pads = [0, 0] dilations = [1] channels_first : (!x) -> !x
    rule.yield %1 : [n, c, w]
  }
  where [w >= 1]

// Nothing is divided by 0, also where what is made of it is multiplied by 0.
// CHECK: refuted pad_by_remainder
// PROOF: rule 'pad_by_remainder' is not proved: target is not valid for all sizes: a size of 'graph.pad' may divide by 0 (is a condition missing?)
rule.rule @pad_by_remainder(%a: [n], %b: [k]) -> ([n], [k])
  source {
    %0 = graph.neg %a : tensor<?xf32, #graph.dims<n>>
    %1 = graph.neg %b : tensor<?xf32, #graph.dims<k>>
    rule.yield %0, %1 : [n], [k]
  }
  target {
    %0 = graph.pad %a low = [n mod k] high = [0] constant value = 0.0 : (tensor<?xf32, #graph.dims<n>>) -> tensor<?xf32, #graph.dims<n + n mod k>>
    %1 = graph.slice %0 starts = [n mod k] sizes = [n] steps = [1] : (tensor<?xf32, #graph.dims<n + n mod k>>) -> tensor<?xf32, #graph.dims<n>>
    %2 = graph.neg %1 : tensor<?xf32, #graph.dims<n>>
    %3 = graph.neg %b : tensor<?xf32, #graph.dims<k>>
    rule.yield %2, %3 : [n], [k]
  }
