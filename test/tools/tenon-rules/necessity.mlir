// Each condition is dropped once. What the rule is wrong without is needed; the
// others are reported, as what the ops of the source ask for anyway.
// RUN: tenon-rules prove --necessity %s --json %t.json > %t.out 2> %t.err
// RUN: FileCheck %s < %t.out
// RUN: FileCheck %s --check-prefix=ERR < %t.err
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// REQUIRES: z3

!n = tensor<?xf32, #graph.dims<n>>
!p = tensor<?xf32, #graph.dims<p>>
!q = tensor<?xf32, #graph.dims<q>>

// CHECK: proved slice_of_slice
// ERR: necessity.mlir:[[@LINE+3]]:1: warning: rule 'slice_of_slice' does not need its condition 'n >= p + s'
// JSON: "condition": "n >= p + s"
// JSON-NEXT: "verdict": "not-needed"
rule.rule @slice_of_slice(%a: [n]) -> [q]
  source {
    %0 = graph.slice %a starts = [s] sizes = [p] steps = [1] : (!n) -> !p
    %1 = graph.slice %0 starts = [t] sizes = [q] steps = [1] : (!p) -> !q
    rule.yield %1 : [q]
  }
  target {
    %0 = graph.slice %a starts = [s + t] sizes = [q] steps = [1] : (!n) -> !q
    rule.yield %0 : [q]
  }
  where [n >= s + p]

// CHECK: proved slice_of_all
// ERR: warning: rule 'slice_of_all' does not need its condition 'p >= s': the other conditions and the ops of the source imply it
// ERR-NOT: warning
// JSON: "condition": "s == 0"
// JSON-NEXT: "reason": "with {{.*}} in the source, but {{.*}} in the target
// JSON-NEXT: "verdict": "needed"
// JSON: "verdict": "not-needed"
rule.rule @slice_of_all(%a: [p + 1]) -> [p]
  source {
    %0 = graph.slice %a starts = [s] sizes = [p] steps = [1] : (tensor<?xf32, #graph.dims<p + 1>>) -> !p
    rule.yield %0 : [p]
  }
  target {
    %0 = graph.slice %a starts = [0] sizes = [p] steps = [1] : (tensor<?xf32, #graph.dims<p + 1>>) -> !p
    rule.yield %0 : [p]
  }
  where [s == 0, p >= s]

// CHECK: 2 proved
// CHECK-NEXT: 1 conditions needed, 2 not needed, 0 undecided
