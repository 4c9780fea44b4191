// Rules that are not proved, or not there.
// RUN: split-file %s %t
// RUN: not tenon-opt %t/model.mlir --graph-apply-rules="rules=%t/none.mlir" 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not tenon-opt %t/model.mlir --graph-apply-rules="rules=%t/wrong.mlir" 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not tenon-opt %t/model.mlir --graph-apply-rules="rules=%t/right.mlir names=missing" 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not tenon-opt %t/model.mlir --graph-apply-rules="rules=%t/right.mlir fp=fast" 2>&1 | FileCheck %s --check-prefix=FP
// RUN: not tenon-opt %t/model.mlir --graph-apply-rules="rules=%t/endless.mlir max-firings=10" 2>&1 | FileCheck %s --check-prefix=ENDLESS
// RUN: not tenon-opt %t/model.mlir --graph-apply-rules="rules=%t/growing.mlir" 2>&1 | FileCheck %s --check-prefix=GROWING
// REQUIRES: z3

// NONE: error: can't read rules from '{{.*}}none.mlir': no such file or folder
// WRONG: wrong.mlir:2:1: error: rule 'wrong' can't be used: it is not proved (refuted): with n = {{[0-9]+}}, result 0 at [0] is {{-?[0-9]+}} in the source, but {{-?[0-9]+}} in the target
// NAME: error: no rule 'missing' in the files of rules
// FP: for the --fp option: expected strict, reassociate or finite, but got 'fast'
// ENDLESS: error: rules still apply after 10 rewrites: do they undo each other?
// GROWING: error: rules still apply after the function grew from 3 to {{[0-9]+}} ops: do they apply to their own targets?

// A certificate is for one statement: an edit of the rule makes it void.
// RUN: tenon-rules prove --cached %t/right.mlir
// RUN: tenon-opt %t/model.mlir --graph-apply-rules="rules=%t/right.mlir" | FileCheck %s --check-prefix=RIGHT
// RUN: sed -e 's/graph.neg %%0/graph.abs %%0/' %t/right.mlir > %t/edited.mlir
// RUN: cp %t/right.proved.json %t/edited.proved.json
// RUN: not tenon-opt %t/model.mlir --graph-apply-rules="rules=%t/edited.mlir" 2>&1 | FileCheck %s --check-prefix=EDITED
// RIGHT-NOT: graph.neg
// EDITED: rule 'double_negation' can't be used: it is not proved (refuted)

//--- model.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.neg %x : tensor<4xf32>
  %1 = graph.neg %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

//--- right.mlir
!n = tensor<?xf32, #graph.dims<n>>
rule.rule @double_negation(%x: [n]) -> [n]
  source {
    %0 = graph.neg %x : !n
    %1 = graph.neg %0 : !n
    rule.yield %1 : [n]
  }
  target {
    rule.yield %x : [n]
  }

//--- wrong.mlir
!n = tensor<?xf32, #graph.dims<n>>
rule.rule @wrong(%x: [n]) -> [n]
  source {
    %0 = graph.neg %x : !n
    rule.yield %0 : [n]
  }
  target {
    rule.yield %x : [n]
  }

//--- endless.mlir
!n = tensor<?xf32, #graph.dims<n>>
rule.rule @endless(%x: [n]) -> [n]
  source {
    %0 = graph.neg %x : !n
    rule.yield %0 : [n]
  }
  target {
    %0 = graph.neg %x : !n
    rule.yield %0 : [n]
  }

//--- growing.mlir
!n = tensor<?xf32, #graph.dims<n>>
rule.rule @growing(%x: [n]) -> [n]
  source {
    %0 = graph.neg %x : !n
    rule.yield %0 : [n]
  }
  target {
    %0 = graph.neg %x : !n
    %1 = graph.neg %0 : !n
    %2 = graph.neg %1 : !n
    rule.yield %2 : [n]
  }
