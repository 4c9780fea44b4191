// Negative tests for rules/movement-elementwise.mlir: each must be refuted.
// RUN: not tenon-rules prove %s 2>/dev/null | FileCheck %s
// The proofs themselves find none of them, without trying small sizes first.
// RUN: not tenon-rules prove --without-refuting %s 2>/dev/null | FileCheck %s --check-prefix=PROOF
// PROOF: 0 proved, 60 unknown
// REQUIRES: z3

!aa = tensor<?x?xf32, #graph.dims<a, a>>
// CHECK: refuted relu_of_transposed_10_wrongly
rule.rule @relu_of_transposed_10_wrongly(%x: [a, a]) -> [a, a]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!aa) -> !aa
    %1 = graph.relu %0 : !aa
    rule.yield %1 : [a, a]
  }
  target {
    %0 = graph.relu %x : !aa
    %1 = graph.transpose %0 perm = [0, 1] : (!aa) -> !aa
    rule.yield %1 : [a, a]
  }

!aaa = tensor<?x?x?xf32, #graph.dims<a, a, a>>
// CHECK: refuted relu_of_transposed_102_wrongly
rule.rule @relu_of_transposed_102_wrongly(%x: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!aaa) -> !aaa
    %1 = graph.relu %0 : !aaa
    rule.yield %1 : [a, a, a]
  }
  target {
    %0 = graph.relu %x : !aaa
    %1 = graph.transpose %0 perm = [0, 1, 2] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }

// CHECK: refuted relu_of_transposed_120_wrongly
rule.rule @relu_of_transposed_120_wrongly(%x: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!aaa) -> !aaa
    %1 = graph.relu %0 : !aaa
    rule.yield %1 : [a, a, a]
  }
  target {
    %0 = graph.relu %x : !aaa
    %1 = graph.transpose %0 perm = [2, 0, 1] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }

// CHECK: refuted relu_of_transposed_201_wrongly
rule.rule @relu_of_transposed_201_wrongly(%x: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!aaa) -> !aaa
    %1 = graph.relu %0 : !aaa
    rule.yield %1 : [a, a, a]
  }
  target {
    %0 = graph.relu %x : !aaa
    %1 = graph.transpose %0 perm = [1, 2, 0] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }

// CHECK: refuted sigmoid_of_transposed_10_wrongly
rule.rule @sigmoid_of_transposed_10_wrongly(%x: [a, a]) -> [a, a]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!aa) -> !aa
    %1 = graph.sigmoid %0 : !aa
    rule.yield %1 : [a, a]
  }
  target {
    %0 = graph.sigmoid %x : !aa
    %1 = graph.transpose %0 perm = [0, 1] : (!aa) -> !aa
    rule.yield %1 : [a, a]
  }

// CHECK: refuted sigmoid_of_transposed_102_wrongly
rule.rule @sigmoid_of_transposed_102_wrongly(%x: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!aaa) -> !aaa
    %1 = graph.sigmoid %0 : !aaa
    rule.yield %1 : [a, a, a]
  }
  target {
    %0 = graph.sigmoid %x : !aaa
    %1 = graph.transpose %0 perm = [0, 1, 2] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }

// CHECK: refuted sigmoid_of_transposed_120_wrongly
rule.rule @sigmoid_of_transposed_120_wrongly(%x: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!aaa) -> !aaa
    %1 = graph.sigmoid %0 : !aaa
    rule.yield %1 : [a, a, a]
  }
  target {
    %0 = graph.sigmoid %x : !aaa
    %1 = graph.transpose %0 perm = [2, 0, 1] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }

// CHECK: refuted sigmoid_of_transposed_201_wrongly
rule.rule @sigmoid_of_transposed_201_wrongly(%x: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!aaa) -> !aaa
    %1 = graph.sigmoid %0 : !aaa
    rule.yield %1 : [a, a, a]
  }
  target {
    %0 = graph.sigmoid %x : !aaa
    %1 = graph.transpose %0 perm = [1, 2, 0] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }

// CHECK: refuted tanh_of_transposed_10_wrongly
rule.rule @tanh_of_transposed_10_wrongly(%x: [a, a]) -> [a, a]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!aa) -> !aa
    %1 = graph.tanh %0 : !aa
    rule.yield %1 : [a, a]
  }
  target {
    %0 = graph.tanh %x : !aa
    %1 = graph.transpose %0 perm = [0, 1] : (!aa) -> !aa
    rule.yield %1 : [a, a]
  }

// CHECK: refuted tanh_of_transposed_102_wrongly
rule.rule @tanh_of_transposed_102_wrongly(%x: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!aaa) -> !aaa
    %1 = graph.tanh %0 : !aaa
    rule.yield %1 : [a, a, a]
  }
  target {
    %0 = graph.tanh %x : !aaa
    %1 = graph.transpose %0 perm = [0, 1, 2] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }

// CHECK: refuted tanh_of_transposed_120_wrongly
rule.rule @tanh_of_transposed_120_wrongly(%x: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!aaa) -> !aaa
    %1 = graph.tanh %0 : !aaa
    rule.yield %1 : [a, a, a]
  }
  target {
    %0 = graph.tanh %x : !aaa
    %1 = graph.transpose %0 perm = [2, 0, 1] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }

// CHECK: refuted tanh_of_transposed_201_wrongly
rule.rule @tanh_of_transposed_201_wrongly(%x: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!aaa) -> !aaa
    %1 = graph.tanh %0 : !aaa
    rule.yield %1 : [a, a, a]
  }
  target {
    %0 = graph.tanh %x : !aaa
    %1 = graph.transpose %0 perm = [1, 2, 0] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }

// CHECK: refuted gelu_of_transposed_10_wrongly
rule.rule @gelu_of_transposed_10_wrongly(%x: [a, a]) -> [a, a]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!aa) -> !aa
    %1 = graph.gelu %0 : !aa
    rule.yield %1 : [a, a]
  }
  target {
    %0 = graph.gelu %x : !aa
    %1 = graph.transpose %0 perm = [0, 1] : (!aa) -> !aa
    rule.yield %1 : [a, a]
  }

// CHECK: refuted gelu_of_transposed_102_wrongly
rule.rule @gelu_of_transposed_102_wrongly(%x: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!aaa) -> !aaa
    %1 = graph.gelu %0 : !aaa
    rule.yield %1 : [a, a, a]
  }
  target {
    %0 = graph.gelu %x : !aaa
    %1 = graph.transpose %0 perm = [0, 1, 2] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }

// CHECK: refuted gelu_of_transposed_120_wrongly
rule.rule @gelu_of_transposed_120_wrongly(%x: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!aaa) -> !aaa
    %1 = graph.gelu %0 : !aaa
    rule.yield %1 : [a, a, a]
  }
  target {
    %0 = graph.gelu %x : !aaa
    %1 = graph.transpose %0 perm = [2, 0, 1] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }

// CHECK: refuted gelu_of_transposed_201_wrongly
rule.rule @gelu_of_transposed_201_wrongly(%x: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!aaa) -> !aaa
    %1 = graph.gelu %0 : !aaa
    rule.yield %1 : [a, a, a]
  }
  target {
    %0 = graph.gelu %x : !aaa
    %1 = graph.transpose %0 perm = [1, 2, 0] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }

// CHECK: refuted exp_of_transposed_10_wrongly
rule.rule @exp_of_transposed_10_wrongly(%x: [a, a]) -> [a, a]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!aa) -> !aa
    %1 = graph.exp %0 : !aa
    rule.yield %1 : [a, a]
  }
  target {
    %0 = graph.exp %x : !aa
    %1 = graph.transpose %0 perm = [0, 1] : (!aa) -> !aa
    rule.yield %1 : [a, a]
  }

// CHECK: refuted exp_of_transposed_102_wrongly
rule.rule @exp_of_transposed_102_wrongly(%x: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!aaa) -> !aaa
    %1 = graph.exp %0 : !aaa
    rule.yield %1 : [a, a, a]
  }
  target {
    %0 = graph.exp %x : !aaa
    %1 = graph.transpose %0 perm = [0, 1, 2] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }

// CHECK: refuted exp_of_transposed_120_wrongly
rule.rule @exp_of_transposed_120_wrongly(%x: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!aaa) -> !aaa
    %1 = graph.exp %0 : !aaa
    rule.yield %1 : [a, a, a]
  }
  target {
    %0 = graph.exp %x : !aaa
    %1 = graph.transpose %0 perm = [2, 0, 1] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }

// CHECK: refuted exp_of_transposed_201_wrongly
rule.rule @exp_of_transposed_201_wrongly(%x: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!aaa) -> !aaa
    %1 = graph.exp %0 : !aaa
    rule.yield %1 : [a, a, a]
  }
  target {
    %0 = graph.exp %x : !aaa
    %1 = graph.transpose %0 perm = [1, 2, 0] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }

// CHECK: refuted add_of_transposed_10_differently
rule.rule @add_of_transposed_10_differently(%x: [a, a], %y: [a, a]) -> [a, a]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!aa) -> !aa
    %1 = graph.transpose %y perm = [0, 1] : (!aa) -> !aa
    %2 = graph.add %0, %1 : !aa
    rule.yield %2 : [a, a]
  }
  target {
    %0 = graph.add %x, %y : !aa
    %1 = graph.transpose %0 perm = [1, 0] : (!aa) -> !aa
    rule.yield %1 : [a, a]
  }

// CHECK: refuted add_of_transposed_102_differently
rule.rule @add_of_transposed_102_differently(%x: [a, a, a], %y: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!aaa) -> !aaa
    %1 = graph.transpose %y perm = [0, 1, 2] : (!aaa) -> !aaa
    %2 = graph.add %0, %1 : !aaa
    rule.yield %2 : [a, a, a]
  }
  target {
    %0 = graph.add %x, %y : !aaa
    %1 = graph.transpose %0 perm = [1, 0, 2] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }

// CHECK: refuted add_of_transposed_120_differently
rule.rule @add_of_transposed_120_differently(%x: [a, a, a], %y: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!aaa) -> !aaa
    %1 = graph.transpose %y perm = [2, 0, 1] : (!aaa) -> !aaa
    %2 = graph.add %0, %1 : !aaa
    rule.yield %2 : [a, a, a]
  }
  target {
    %0 = graph.add %x, %y : !aaa
    %1 = graph.transpose %0 perm = [1, 2, 0] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }

// CHECK: refuted add_of_transposed_201_differently
rule.rule @add_of_transposed_201_differently(%x: [a, a, a], %y: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!aaa) -> !aaa
    %1 = graph.transpose %y perm = [1, 2, 0] : (!aaa) -> !aaa
    %2 = graph.add %0, %1 : !aaa
    rule.yield %2 : [a, a, a]
  }
  target {
    %0 = graph.add %x, %y : !aaa
    %1 = graph.transpose %0 perm = [2, 0, 1] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }

// CHECK: refuted sub_of_transposed_10_differently
rule.rule @sub_of_transposed_10_differently(%x: [a, a], %y: [a, a]) -> [a, a]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!aa) -> !aa
    %1 = graph.transpose %y perm = [0, 1] : (!aa) -> !aa
    %2 = graph.sub %0, %1 : !aa
    rule.yield %2 : [a, a]
  }
  target {
    %0 = graph.sub %x, %y : !aa
    %1 = graph.transpose %0 perm = [1, 0] : (!aa) -> !aa
    rule.yield %1 : [a, a]
  }

// CHECK: refuted sub_of_transposed_102_differently
rule.rule @sub_of_transposed_102_differently(%x: [a, a, a], %y: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!aaa) -> !aaa
    %1 = graph.transpose %y perm = [0, 1, 2] : (!aaa) -> !aaa
    %2 = graph.sub %0, %1 : !aaa
    rule.yield %2 : [a, a, a]
  }
  target {
    %0 = graph.sub %x, %y : !aaa
    %1 = graph.transpose %0 perm = [1, 0, 2] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }

// CHECK: refuted sub_of_transposed_120_differently
rule.rule @sub_of_transposed_120_differently(%x: [a, a, a], %y: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!aaa) -> !aaa
    %1 = graph.transpose %y perm = [2, 0, 1] : (!aaa) -> !aaa
    %2 = graph.sub %0, %1 : !aaa
    rule.yield %2 : [a, a, a]
  }
  target {
    %0 = graph.sub %x, %y : !aaa
    %1 = graph.transpose %0 perm = [1, 2, 0] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }

// CHECK: refuted sub_of_transposed_201_differently
rule.rule @sub_of_transposed_201_differently(%x: [a, a, a], %y: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!aaa) -> !aaa
    %1 = graph.transpose %y perm = [1, 2, 0] : (!aaa) -> !aaa
    %2 = graph.sub %0, %1 : !aaa
    rule.yield %2 : [a, a, a]
  }
  target {
    %0 = graph.sub %x, %y : !aaa
    %1 = graph.transpose %0 perm = [2, 0, 1] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }

// CHECK: refuted mul_of_transposed_10_differently
rule.rule @mul_of_transposed_10_differently(%x: [a, a], %y: [a, a]) -> [a, a]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!aa) -> !aa
    %1 = graph.transpose %y perm = [0, 1] : (!aa) -> !aa
    %2 = graph.mul %0, %1 : !aa
    rule.yield %2 : [a, a]
  }
  target {
    %0 = graph.mul %x, %y : !aa
    %1 = graph.transpose %0 perm = [1, 0] : (!aa) -> !aa
    rule.yield %1 : [a, a]
  }

// CHECK: refuted mul_of_transposed_102_differently
rule.rule @mul_of_transposed_102_differently(%x: [a, a, a], %y: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!aaa) -> !aaa
    %1 = graph.transpose %y perm = [0, 1, 2] : (!aaa) -> !aaa
    %2 = graph.mul %0, %1 : !aaa
    rule.yield %2 : [a, a, a]
  }
  target {
    %0 = graph.mul %x, %y : !aaa
    %1 = graph.transpose %0 perm = [1, 0, 2] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }

// CHECK: refuted mul_of_transposed_120_differently
rule.rule @mul_of_transposed_120_differently(%x: [a, a, a], %y: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!aaa) -> !aaa
    %1 = graph.transpose %y perm = [2, 0, 1] : (!aaa) -> !aaa
    %2 = graph.mul %0, %1 : !aaa
    rule.yield %2 : [a, a, a]
  }
  target {
    %0 = graph.mul %x, %y : !aaa
    %1 = graph.transpose %0 perm = [1, 2, 0] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }

// CHECK: refuted mul_of_transposed_201_differently
rule.rule @mul_of_transposed_201_differently(%x: [a, a, a], %y: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!aaa) -> !aaa
    %1 = graph.transpose %y perm = [1, 2, 0] : (!aaa) -> !aaa
    %2 = graph.mul %0, %1 : !aaa
    rule.yield %2 : [a, a, a]
  }
  target {
    %0 = graph.mul %x, %y : !aaa
    %1 = graph.transpose %0 perm = [2, 0, 1] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }

// CHECK: refuted div_of_transposed_10_differently
rule.rule @div_of_transposed_10_differently(%x: [a, a], %y: [a, a]) -> [a, a]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!aa) -> !aa
    %1 = graph.transpose %y perm = [0, 1] : (!aa) -> !aa
    %2 = graph.div %0, %1 : !aa
    rule.yield %2 : [a, a]
  }
  target {
    %0 = graph.div %x, %y : !aa
    %1 = graph.transpose %0 perm = [1, 0] : (!aa) -> !aa
    rule.yield %1 : [a, a]
  }

// CHECK: refuted div_of_transposed_102_differently
rule.rule @div_of_transposed_102_differently(%x: [a, a, a], %y: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!aaa) -> !aaa
    %1 = graph.transpose %y perm = [0, 1, 2] : (!aaa) -> !aaa
    %2 = graph.div %0, %1 : !aaa
    rule.yield %2 : [a, a, a]
  }
  target {
    %0 = graph.div %x, %y : !aaa
    %1 = graph.transpose %0 perm = [1, 0, 2] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }

// CHECK: refuted div_of_transposed_120_differently
rule.rule @div_of_transposed_120_differently(%x: [a, a, a], %y: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!aaa) -> !aaa
    %1 = graph.transpose %y perm = [2, 0, 1] : (!aaa) -> !aaa
    %2 = graph.div %0, %1 : !aaa
    rule.yield %2 : [a, a, a]
  }
  target {
    %0 = graph.div %x, %y : !aaa
    %1 = graph.transpose %0 perm = [1, 2, 0] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }

// CHECK: refuted div_of_transposed_201_differently
rule.rule @div_of_transposed_201_differently(%x: [a, a, a], %y: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!aaa) -> !aaa
    %1 = graph.transpose %y perm = [1, 2, 0] : (!aaa) -> !aaa
    %2 = graph.div %0, %1 : !aaa
    rule.yield %2 : [a, a, a]
  }
  target {
    %0 = graph.div %x, %y : !aaa
    %1 = graph.transpose %0 perm = [2, 0, 1] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }

// CHECK: refuted maximum_of_transposed_10_differently
rule.rule @maximum_of_transposed_10_differently(%x: [a, a], %y: [a, a]) -> [a, a]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!aa) -> !aa
    %1 = graph.transpose %y perm = [0, 1] : (!aa) -> !aa
    %2 = graph.maximum %0, %1 : !aa
    rule.yield %2 : [a, a]
  }
  target {
    %0 = graph.maximum %x, %y : !aa
    %1 = graph.transpose %0 perm = [1, 0] : (!aa) -> !aa
    rule.yield %1 : [a, a]
  }

// CHECK: refuted maximum_of_transposed_102_differently
rule.rule @maximum_of_transposed_102_differently(%x: [a, a, a], %y: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!aaa) -> !aaa
    %1 = graph.transpose %y perm = [0, 1, 2] : (!aaa) -> !aaa
    %2 = graph.maximum %0, %1 : !aaa
    rule.yield %2 : [a, a, a]
  }
  target {
    %0 = graph.maximum %x, %y : !aaa
    %1 = graph.transpose %0 perm = [1, 0, 2] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }

// CHECK: refuted maximum_of_transposed_120_differently
rule.rule @maximum_of_transposed_120_differently(%x: [a, a, a], %y: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!aaa) -> !aaa
    %1 = graph.transpose %y perm = [2, 0, 1] : (!aaa) -> !aaa
    %2 = graph.maximum %0, %1 : !aaa
    rule.yield %2 : [a, a, a]
  }
  target {
    %0 = graph.maximum %x, %y : !aaa
    %1 = graph.transpose %0 perm = [1, 2, 0] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }

// CHECK: refuted maximum_of_transposed_201_differently
rule.rule @maximum_of_transposed_201_differently(%x: [a, a, a], %y: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!aaa) -> !aaa
    %1 = graph.transpose %y perm = [1, 2, 0] : (!aaa) -> !aaa
    %2 = graph.maximum %0, %1 : !aaa
    rule.yield %2 : [a, a, a]
  }
  target {
    %0 = graph.maximum %x, %y : !aaa
    %1 = graph.transpose %0 perm = [2, 0, 1] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }

!aa_i1 = tensor<?x?xi1, #graph.dims<a, a>>
// CHECK: refuted where_of_transposed_10_swapped
rule.rule @where_of_transposed_10_swapped(%k: [a, a] of i1, %x: [a, a], %y: [a, a]) -> [a, a]
  source {
    %0 = graph.transpose %k perm = [1, 0] : (!aa_i1) -> !aa_i1
    %1 = graph.transpose %x perm = [1, 0] : (!aa) -> !aa
    %2 = graph.transpose %y perm = [1, 0] : (!aa) -> !aa
    %3 = graph.where %0, %1, %2 : !aa_i1, !aa, !aa
    rule.yield %3 : [a, a]
  }
  target {
    %0 = graph.where %k, %y, %x : !aa_i1, !aa, !aa
    %1 = graph.transpose %0 perm = [1, 0] : (!aa) -> !aa
    rule.yield %1 : [a, a]
  }

!aaa_i1 = tensor<?x?x?xi1, #graph.dims<a, a, a>>
// CHECK: refuted where_of_transposed_102_swapped
rule.rule @where_of_transposed_102_swapped(%k: [a, a, a] of i1, %x: [a, a, a], %y: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %k perm = [1, 0, 2] : (!aaa_i1) -> !aaa_i1
    %1 = graph.transpose %x perm = [1, 0, 2] : (!aaa) -> !aaa
    %2 = graph.transpose %y perm = [1, 0, 2] : (!aaa) -> !aaa
    %3 = graph.where %0, %1, %2 : !aaa_i1, !aaa, !aaa
    rule.yield %3 : [a, a, a]
  }
  target {
    %0 = graph.where %k, %y, %x : !aaa_i1, !aaa, !aaa
    %1 = graph.transpose %0 perm = [1, 0, 2] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }

// CHECK: refuted where_of_transposed_120_swapped
rule.rule @where_of_transposed_120_swapped(%k: [a, a, a] of i1, %x: [a, a, a], %y: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %k perm = [1, 2, 0] : (!aaa_i1) -> !aaa_i1
    %1 = graph.transpose %x perm = [1, 2, 0] : (!aaa) -> !aaa
    %2 = graph.transpose %y perm = [1, 2, 0] : (!aaa) -> !aaa
    %3 = graph.where %0, %1, %2 : !aaa_i1, !aaa, !aaa
    rule.yield %3 : [a, a, a]
  }
  target {
    %0 = graph.where %k, %y, %x : !aaa_i1, !aaa, !aaa
    %1 = graph.transpose %0 perm = [1, 2, 0] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }

// CHECK: refuted where_of_transposed_201_swapped
rule.rule @where_of_transposed_201_swapped(%k: [a, a, a] of i1, %x: [a, a, a], %y: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %k perm = [2, 0, 1] : (!aaa_i1) -> !aaa_i1
    %1 = graph.transpose %x perm = [2, 0, 1] : (!aaa) -> !aaa
    %2 = graph.transpose %y perm = [2, 0, 1] : (!aaa) -> !aaa
    %3 = graph.where %0, %1, %2 : !aaa_i1, !aaa, !aaa
    rule.yield %3 : [a, a, a]
  }
  target {
    %0 = graph.where %k, %y, %x : !aaa_i1, !aaa, !aaa
    %1 = graph.transpose %0 perm = [2, 0, 1] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }

!mm = tensor<?x?xf32, #graph.dims<m, m>>
!mxm = tensor<?xf32, #graph.dims<m * m>>
// CHECK: refuted relu_of_reshaped_2_2_transposed
rule.rule @relu_of_reshaped_2_2_transposed(%x: [m, m]) -> [m, m]
  source {
    %0 = graph.reshape %x shape = [m * m] : (!mm) -> !mxm
    %1 = graph.relu %0 : !mxm
    %2 = graph.reshape %1 shape = [m, m] : (!mxm) -> !mm
    rule.yield %2 : [m, m]
  }
  target {
    %0 = graph.relu %x : !mm
    %1 = graph.transpose %0 perm = [1, 0] : (!mm) -> !mm
    rule.yield %1 : [m, m]
  }

// CHECK: refuted add_of_reshaped_2_2_transposed
rule.rule @add_of_reshaped_2_2_transposed(%x: [m, m], %y: [m, m]) -> [m * m]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!mm) -> !mm
    %1 = graph.reshape %0 shape = [m * m] : (!mm) -> !mxm
    %2 = graph.reshape %y shape = [m * m] : (!mm) -> !mxm
    %3 = graph.add %1, %2 : !mxm
    rule.yield %3 : [m * m]
  }
  target {
    %0 = graph.add %x, %y : !mm
    %1 = graph.reshape %0 shape = [m * m] : (!mm) -> !mxm
    rule.yield %1 : [m * m]
  }

!a1 = tensor<?x1xf32, #graph.dims<a, 1>>
!a = tensor<?xf32, #graph.dims<a>>
// CHECK: refuted relu_of_repeated_column_as_row
rule.rule @relu_of_repeated_column_as_row(%x: [a, 1]) -> [a, a]
  source {
    %0 = graph.broadcast %x shape = [a, a] : (!a1) -> !aa
    %1 = graph.relu %0 : !aa
    rule.yield %1 : [a, a]
  }
  target {
    %0 = graph.reshape %x shape = [a] : (!a1) -> !a
    %1 = graph.relu %0 : !a
    %2 = graph.broadcast %1 shape = [a, a] : (!a) -> !aa
    rule.yield %2 : [a, a]
  }

// CHECK: refuted exp_of_repeated_column_as_row
rule.rule @exp_of_repeated_column_as_row(%x: [a, 1]) -> [a, a]
  source {
    %0 = graph.broadcast %x shape = [a, a] : (!a1) -> !aa
    %1 = graph.exp %0 : !aa
    rule.yield %1 : [a, a]
  }
  target {
    %0 = graph.reshape %x shape = [a] : (!a1) -> !a
    %1 = graph.exp %0 : !a
    %2 = graph.broadcast %1 shape = [a, a] : (!a) -> !aa
    rule.yield %2 : [a, a]
  }

// CHECK: refuted neg_of_repeated_column_as_row
rule.rule @neg_of_repeated_column_as_row(%x: [a, 1]) -> [a, a]
  source {
    %0 = graph.broadcast %x shape = [a, a] : (!a1) -> !aa
    %1 = graph.neg %0 : !aa
    rule.yield %1 : [a, a]
  }
  target {
    %0 = graph.reshape %x shape = [a] : (!a1) -> !a
    %1 = graph.neg %0 : !a
    %2 = graph.broadcast %1 shape = [a, a] : (!a) -> !aa
    rule.yield %2 : [a, a]
  }

// CHECK: refuted rsqrt_of_repeated_column_as_row
rule.rule @rsqrt_of_repeated_column_as_row(%x: [a, 1]) -> [a, a]
  source {
    %0 = graph.broadcast %x shape = [a, a] : (!a1) -> !aa
    %1 = graph.rsqrt %0 : !aa
    rule.yield %1 : [a, a]
  }
  target {
    %0 = graph.reshape %x shape = [a] : (!a1) -> !a
    %1 = graph.rsqrt %0 : !a
    %2 = graph.broadcast %1 shape = [a, a] : (!a) -> !aa
    rule.yield %2 : [a, a]
  }

// CHECK: refuted add_of_repeated_column_as_row
rule.rule @add_of_repeated_column_as_row(%x: [a, 1], %y: [a]) -> [a, a]
  source {
    %0 = graph.broadcast %x shape = [a, a] : (!a1) -> !aa
    %1 = graph.broadcast %y shape = [a, a] : (!a) -> !aa
    %2 = graph.add %0, %1 : !aa
    rule.yield %2 : [a, a]
  }
  target {
    %0 = graph.reshape %x shape = [a] : (!a1) -> !a
    %1 = graph.add %0, %y : !a
    %2 = graph.broadcast %1 shape = [a, a] : (!a) -> !aa
    rule.yield %2 : [a, a]
  }

// CHECK: refuted mul_of_repeated_column_as_row
rule.rule @mul_of_repeated_column_as_row(%x: [a, 1], %y: [a]) -> [a, a]
  source {
    %0 = graph.broadcast %x shape = [a, a] : (!a1) -> !aa
    %1 = graph.broadcast %y shape = [a, a] : (!a) -> !aa
    %2 = graph.mul %0, %1 : !aa
    rule.yield %2 : [a, a]
  }
  target {
    %0 = graph.reshape %x shape = [a] : (!a1) -> !a
    %1 = graph.mul %0, %y : !a
    %2 = graph.broadcast %1 shape = [a, a] : (!a) -> !aa
    rule.yield %2 : [a, a]
  }

!ab = tensor<?x?xf32, #graph.dims<a, b>>
!pq = tensor<?x?xf32, #graph.dims<p, q>>
// CHECK: refuted slice_of_relu_2_from_start
rule.rule @slice_of_relu_2_from_start(%x: [a, b]) -> [p, q]
  source {
    %0 = graph.relu %x : !ab
    %1 = graph.slice %0 starts = [s, t] sizes = [p, q] steps = [1, 1] : (!ab) -> !pq
    rule.yield %1 : [p, q]
  }
  target {
    %0 = graph.slice %x starts = [0, 0] sizes = [p, q] steps = [1, 1] : (!ab) -> !pq
    %1 = graph.relu %0 : !pq
    rule.yield %1 : [p, q]
  }

// CHECK: refuted slice_of_sigmoid_2_from_start
rule.rule @slice_of_sigmoid_2_from_start(%x: [a, b]) -> [p, q]
  source {
    %0 = graph.sigmoid %x : !ab
    %1 = graph.slice %0 starts = [s, t] sizes = [p, q] steps = [1, 1] : (!ab) -> !pq
    rule.yield %1 : [p, q]
  }
  target {
    %0 = graph.slice %x starts = [0, 0] sizes = [p, q] steps = [1, 1] : (!ab) -> !pq
    %1 = graph.sigmoid %0 : !pq
    rule.yield %1 : [p, q]
  }

// CHECK: refuted slice_of_tanh_2_from_start
rule.rule @slice_of_tanh_2_from_start(%x: [a, b]) -> [p, q]
  source {
    %0 = graph.tanh %x : !ab
    %1 = graph.slice %0 starts = [s, t] sizes = [p, q] steps = [1, 1] : (!ab) -> !pq
    rule.yield %1 : [p, q]
  }
  target {
    %0 = graph.slice %x starts = [0, 0] sizes = [p, q] steps = [1, 1] : (!ab) -> !pq
    %1 = graph.tanh %0 : !pq
    rule.yield %1 : [p, q]
  }

// CHECK: refuted slice_of_gelu_2_from_start
rule.rule @slice_of_gelu_2_from_start(%x: [a, b]) -> [p, q]
  source {
    %0 = graph.gelu %x : !ab
    %1 = graph.slice %0 starts = [s, t] sizes = [p, q] steps = [1, 1] : (!ab) -> !pq
    rule.yield %1 : [p, q]
  }
  target {
    %0 = graph.slice %x starts = [0, 0] sizes = [p, q] steps = [1, 1] : (!ab) -> !pq
    %1 = graph.gelu %0 : !pq
    rule.yield %1 : [p, q]
  }

// CHECK: refuted slice_of_add_2_from_start
rule.rule @slice_of_add_2_from_start(%x: [a, b], %y: [a, b]) -> [p, q]
  source {
    %0 = graph.add %x, %y : !ab
    %1 = graph.slice %0 starts = [s, t] sizes = [p, q] steps = [1, 1] : (!ab) -> !pq
    rule.yield %1 : [p, q]
  }
  target {
    %0 = graph.slice %x starts = [0, 0] sizes = [p, q] steps = [1, 1] : (!ab) -> !pq
    %1 = graph.slice %y starts = [0, 0] sizes = [p, q] steps = [1, 1] : (!ab) -> !pq
    %2 = graph.add %0, %1 : !pq
    rule.yield %2 : [p, q]
  }

// CHECK: refuted slice_of_sub_2_from_start
rule.rule @slice_of_sub_2_from_start(%x: [a, b], %y: [a, b]) -> [p, q]
  source {
    %0 = graph.sub %x, %y : !ab
    %1 = graph.slice %0 starts = [s, t] sizes = [p, q] steps = [1, 1] : (!ab) -> !pq
    rule.yield %1 : [p, q]
  }
  target {
    %0 = graph.slice %x starts = [0, 0] sizes = [p, q] steps = [1, 1] : (!ab) -> !pq
    %1 = graph.slice %y starts = [0, 0] sizes = [p, q] steps = [1, 1] : (!ab) -> !pq
    %2 = graph.sub %0, %1 : !pq
    rule.yield %2 : [p, q]
  }

// CHECK: refuted slice_of_mul_2_from_start
rule.rule @slice_of_mul_2_from_start(%x: [a, b], %y: [a, b]) -> [p, q]
  source {
    %0 = graph.mul %x, %y : !ab
    %1 = graph.slice %0 starts = [s, t] sizes = [p, q] steps = [1, 1] : (!ab) -> !pq
    rule.yield %1 : [p, q]
  }
  target {
    %0 = graph.slice %x starts = [0, 0] sizes = [p, q] steps = [1, 1] : (!ab) -> !pq
    %1 = graph.slice %y starts = [0, 0] sizes = [p, q] steps = [1, 1] : (!ab) -> !pq
    %2 = graph.mul %0, %1 : !pq
    rule.yield %2 : [p, q]
  }

// CHECK: refuted slice_of_div_2_from_start
rule.rule @slice_of_div_2_from_start(%x: [a, b], %y: [a, b]) -> [p, q]
  source {
    %0 = graph.div %x, %y : !ab
    %1 = graph.slice %0 starts = [s, t] sizes = [p, q] steps = [1, 1] : (!ab) -> !pq
    rule.yield %1 : [p, q]
  }
  target {
    %0 = graph.slice %x starts = [0, 0] sizes = [p, q] steps = [1, 1] : (!ab) -> !pq
    %1 = graph.slice %y starts = [0, 0] sizes = [p, q] steps = [1, 1] : (!ab) -> !pq
    %2 = graph.div %0, %1 : !pq
    rule.yield %2 : [p, q]
  }

// CHECK: 0 proved, 60 refuted{{$}}
