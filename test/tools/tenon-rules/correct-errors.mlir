// What `tenon-rules correct` can't complete, it says, rule by rule, and writes nothing of.
// RUN: rm -rf %t && mkdir %t
// RUN: not tenon-rules correct %s -o %t/out.mlir --instances 300 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=OUT --allow-empty < %t/out.mlir
// OUT-NOT: rule.rule
// RUN: %python %S/../tenon-compile/Inputs/exit_status.py 2 tenon-rules correct %s 2>&1 | FileCheck %s --check-prefix=NO-OUTPUT
// NO-OUTPUT: error: no output is given (-o)
// RUN: %python %S/../tenon-compile/Inputs/exit_status.py 2 tenon-rules correct %s -o %t/o.mlir --instances 0 2>&1 | FileCheck %s --check-prefix=NO-INSTANCES
// NO-INSTANCES: error: --instances: expected a number from 1 to 100000, but got '0'
// RUN: not tenon-rules correct %s -o %t/o.mlir --regions %t/o.mlir 2>&1 | FileCheck %s --check-prefix=SAME
// SAME: error: {{.*}}o.mlir: two outputs would be written to it
// REQUIRES: z3

// CHECK: [[@LINE+1]]:1: error: rule 'everywhere': it is not known where its sides differ: they differ everywhere
rule.rule @everywhere(%x: [], %y: []) -> []
  source {
    %0 = graph.add %x, %y
    rule.yield %0
  }
  target {
    %0 = graph.sub %x, %y
    rule.yield %0
  }

// CHECK: [[@LINE+1]]:1: error: rule 'two_results': it is not known where its sides differ: the rule has several results
rule.rule @two_results(%x: [n], %y: [n]) -> ([n], [n])
  source {
    %0 = graph.add %x, %y
    %1 = graph.mul %x, %y
    rule.yield %0, %1
  }
  target {
    %0 = graph.add %y, %x
    rule.yield %0, %0
  }

// CHECK: [[@LINE+1]]:1: error: rule 'not_of_a_field': it is not known where its sides differ: not all ops are those of a field
rule.rule @not_of_a_field(%x: [n]) -> [n]
  source {
    %0 = graph.exp %x
    rule.yield %0
  }
  target {
    rule.yield %x
  }

// Where it differs is known, but what is reversed has no part that is computed alone.
// CHECK: [[@LINE+1]]:1: error: rule 'no_part_alone' has no correction: no part of 'graph.reverse' can be computed alone
rule.rule @no_part_alone(%x: [n]) -> [n]
  source {
    %0 = graph.reverse %x axes = [0]
    rule.yield %0
  }
  target {
    %0 = graph.reverse %x axes = [0]
    %1 = graph.slice %0 starts = [1] sizes = [n - 1] steps = [1]
    %2 = graph.pad %1 low = [1] high = [0] constant value = 0.0
    rule.yield %2
  }
  where [n >= 1]
