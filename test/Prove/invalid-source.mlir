// A rule states that its source is valid wherever its conditions hold: sizes at
// which it is not refute the rule.
// RUN: not tenon-rules prove %s --json %t.json 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// REQUIRES: z3

!n = tensor<?xf32, #graph.dims<n>>
!p = tensor<?xf32, #graph.dims<p>>

// CHECK: refuted slice_beyond_the_end
// CHECK: error: rule 'slice_beyond_the_end' is false: with n = {{.*}}, the source is not valid ({{.*}}) (is a condition missing?)
// JSON: "target": ""
// JSON: "text": "with n = {{.*}}, the source is not valid (
rule.rule @slice_beyond_the_end(%a: [n]) -> [p]
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
