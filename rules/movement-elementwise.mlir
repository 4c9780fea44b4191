// Transposes, reshapes, broadcasts and slices around functions of elements
// (entries 59 and 64).
//
// Transposes, reshapes and broadcasts move behind a function, towards the
// results: of two operands that are moved alike one result is left to move, and a
// function is applied before an element is repeated. Slices move before it, so
// that it is applied to what is read only. Permutations and leading axes are as in
// movement.mlir.
//
// `tenon-rules prove rules/movement-elementwise.mlir` proves them for all sizes.

rule.rule @relu_of_transposed_10(%x: [a, b]) -> [b, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0]
    %1 = graph.relu %0
    rule.yield %1
  }
  target {
    %0 = graph.relu %x
    %1 = graph.transpose %0 perm = [1, 0]
    rule.yield %1
  }

rule.rule @relu_of_transposed_102(%x: [a, b, c]) -> [b, a, c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2]
    %1 = graph.relu %0
    rule.yield %1
  }
  target {
    %0 = graph.relu %x
    %1 = graph.transpose %0 perm = [1, 0, 2]
    rule.yield %1
  }

rule.rule @relu_of_transposed_120(%x: [a, b, c]) -> [b, c, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0]
    %1 = graph.relu %0
    rule.yield %1
  }
  target {
    %0 = graph.relu %x
    %1 = graph.transpose %0 perm = [1, 2, 0]
    rule.yield %1
  }

rule.rule @relu_of_transposed_201(%x: [a, b, c]) -> [c, a, b]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1]
    %1 = graph.relu %0
    rule.yield %1
  }
  target {
    %0 = graph.relu %x
    %1 = graph.transpose %0 perm = [2, 0, 1]
    rule.yield %1
  }

rule.rule @sigmoid_of_transposed_10(%x: [a, b]) -> [b, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0]
    %1 = graph.sigmoid %0
    rule.yield %1
  }
  target {
    %0 = graph.sigmoid %x
    %1 = graph.transpose %0 perm = [1, 0]
    rule.yield %1
  }

rule.rule @sigmoid_of_transposed_102(%x: [a, b, c]) -> [b, a, c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2]
    %1 = graph.sigmoid %0
    rule.yield %1
  }
  target {
    %0 = graph.sigmoid %x
    %1 = graph.transpose %0 perm = [1, 0, 2]
    rule.yield %1
  }

rule.rule @sigmoid_of_transposed_120(%x: [a, b, c]) -> [b, c, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0]
    %1 = graph.sigmoid %0
    rule.yield %1
  }
  target {
    %0 = graph.sigmoid %x
    %1 = graph.transpose %0 perm = [1, 2, 0]
    rule.yield %1
  }

rule.rule @sigmoid_of_transposed_201(%x: [a, b, c]) -> [c, a, b]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1]
    %1 = graph.sigmoid %0
    rule.yield %1
  }
  target {
    %0 = graph.sigmoid %x
    %1 = graph.transpose %0 perm = [2, 0, 1]
    rule.yield %1
  }

rule.rule @tanh_of_transposed_10(%x: [a, b]) -> [b, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0]
    %1 = graph.tanh %0
    rule.yield %1
  }
  target {
    %0 = graph.tanh %x
    %1 = graph.transpose %0 perm = [1, 0]
    rule.yield %1
  }

rule.rule @tanh_of_transposed_102(%x: [a, b, c]) -> [b, a, c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2]
    %1 = graph.tanh %0
    rule.yield %1
  }
  target {
    %0 = graph.tanh %x
    %1 = graph.transpose %0 perm = [1, 0, 2]
    rule.yield %1
  }

rule.rule @tanh_of_transposed_120(%x: [a, b, c]) -> [b, c, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0]
    %1 = graph.tanh %0
    rule.yield %1
  }
  target {
    %0 = graph.tanh %x
    %1 = graph.transpose %0 perm = [1, 2, 0]
    rule.yield %1
  }

rule.rule @tanh_of_transposed_201(%x: [a, b, c]) -> [c, a, b]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1]
    %1 = graph.tanh %0
    rule.yield %1
  }
  target {
    %0 = graph.tanh %x
    %1 = graph.transpose %0 perm = [2, 0, 1]
    rule.yield %1
  }

rule.rule @gelu_of_transposed_10(%x: [a, b]) -> [b, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0]
    %1 = graph.gelu %0
    rule.yield %1
  }
  target {
    %0 = graph.gelu %x
    %1 = graph.transpose %0 perm = [1, 0]
    rule.yield %1
  }

rule.rule @gelu_of_transposed_102(%x: [a, b, c]) -> [b, a, c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2]
    %1 = graph.gelu %0
    rule.yield %1
  }
  target {
    %0 = graph.gelu %x
    %1 = graph.transpose %0 perm = [1, 0, 2]
    rule.yield %1
  }

rule.rule @gelu_of_transposed_120(%x: [a, b, c]) -> [b, c, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0]
    %1 = graph.gelu %0
    rule.yield %1
  }
  target {
    %0 = graph.gelu %x
    %1 = graph.transpose %0 perm = [1, 2, 0]
    rule.yield %1
  }

rule.rule @gelu_of_transposed_201(%x: [a, b, c]) -> [c, a, b]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1]
    %1 = graph.gelu %0
    rule.yield %1
  }
  target {
    %0 = graph.gelu %x
    %1 = graph.transpose %0 perm = [2, 0, 1]
    rule.yield %1
  }

rule.rule @exp_of_transposed_10(%x: [a, b]) -> [b, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0]
    %1 = graph.exp %0
    rule.yield %1
  }
  target {
    %0 = graph.exp %x
    %1 = graph.transpose %0 perm = [1, 0]
    rule.yield %1
  }

rule.rule @exp_of_transposed_102(%x: [a, b, c]) -> [b, a, c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2]
    %1 = graph.exp %0
    rule.yield %1
  }
  target {
    %0 = graph.exp %x
    %1 = graph.transpose %0 perm = [1, 0, 2]
    rule.yield %1
  }

rule.rule @exp_of_transposed_120(%x: [a, b, c]) -> [b, c, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0]
    %1 = graph.exp %0
    rule.yield %1
  }
  target {
    %0 = graph.exp %x
    %1 = graph.transpose %0 perm = [1, 2, 0]
    rule.yield %1
  }

rule.rule @exp_of_transposed_201(%x: [a, b, c]) -> [c, a, b]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1]
    %1 = graph.exp %0
    rule.yield %1
  }
  target {
    %0 = graph.exp %x
    %1 = graph.transpose %0 perm = [2, 0, 1]
    rule.yield %1
  }

rule.rule @add_of_transposed_10(%x: [a, b], %y: [a, b]) -> [b, a]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 0]
    %1 = graph.transpose %y perm = [1, 0]
    %2 = graph.add %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.add %x, %y
    %1 = graph.transpose %0 perm = [1, 0]
    rule.yield %1
  }

rule.rule @add_of_transposed_102(%x: [a, b, c], %y: [a, b, c]) -> [b, a, c]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2]
    %1 = graph.transpose %y perm = [1, 0, 2]
    %2 = graph.add %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.add %x, %y
    %1 = graph.transpose %0 perm = [1, 0, 2]
    rule.yield %1
  }

rule.rule @add_of_transposed_120(%x: [a, b, c], %y: [a, b, c]) -> [b, c, a]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0]
    %1 = graph.transpose %y perm = [1, 2, 0]
    %2 = graph.add %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.add %x, %y
    %1 = graph.transpose %0 perm = [1, 2, 0]
    rule.yield %1
  }

rule.rule @add_of_transposed_201(%x: [a, b, c], %y: [a, b, c]) -> [c, a, b]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1]
    %1 = graph.transpose %y perm = [2, 0, 1]
    %2 = graph.add %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.add %x, %y
    %1 = graph.transpose %0 perm = [2, 0, 1]
    rule.yield %1
  }

rule.rule @sub_of_transposed_10(%x: [a, b], %y: [a, b]) -> [b, a]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 0]
    %1 = graph.transpose %y perm = [1, 0]
    %2 = graph.sub %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.sub %x, %y
    %1 = graph.transpose %0 perm = [1, 0]
    rule.yield %1
  }

rule.rule @sub_of_transposed_102(%x: [a, b, c], %y: [a, b, c]) -> [b, a, c]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2]
    %1 = graph.transpose %y perm = [1, 0, 2]
    %2 = graph.sub %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.sub %x, %y
    %1 = graph.transpose %0 perm = [1, 0, 2]
    rule.yield %1
  }

rule.rule @sub_of_transposed_120(%x: [a, b, c], %y: [a, b, c]) -> [b, c, a]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0]
    %1 = graph.transpose %y perm = [1, 2, 0]
    %2 = graph.sub %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.sub %x, %y
    %1 = graph.transpose %0 perm = [1, 2, 0]
    rule.yield %1
  }

rule.rule @sub_of_transposed_201(%x: [a, b, c], %y: [a, b, c]) -> [c, a, b]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1]
    %1 = graph.transpose %y perm = [2, 0, 1]
    %2 = graph.sub %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.sub %x, %y
    %1 = graph.transpose %0 perm = [2, 0, 1]
    rule.yield %1
  }

rule.rule @mul_of_transposed_10(%x: [a, b], %y: [a, b]) -> [b, a]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 0]
    %1 = graph.transpose %y perm = [1, 0]
    %2 = graph.mul %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.mul %x, %y
    %1 = graph.transpose %0 perm = [1, 0]
    rule.yield %1
  }

rule.rule @mul_of_transposed_102(%x: [a, b, c], %y: [a, b, c]) -> [b, a, c]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2]
    %1 = graph.transpose %y perm = [1, 0, 2]
    %2 = graph.mul %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.mul %x, %y
    %1 = graph.transpose %0 perm = [1, 0, 2]
    rule.yield %1
  }

rule.rule @mul_of_transposed_120(%x: [a, b, c], %y: [a, b, c]) -> [b, c, a]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0]
    %1 = graph.transpose %y perm = [1, 2, 0]
    %2 = graph.mul %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.mul %x, %y
    %1 = graph.transpose %0 perm = [1, 2, 0]
    rule.yield %1
  }

rule.rule @mul_of_transposed_201(%x: [a, b, c], %y: [a, b, c]) -> [c, a, b]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1]
    %1 = graph.transpose %y perm = [2, 0, 1]
    %2 = graph.mul %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.mul %x, %y
    %1 = graph.transpose %0 perm = [2, 0, 1]
    rule.yield %1
  }

rule.rule @div_of_transposed_10(%x: [a, b], %y: [a, b]) -> [b, a]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 0]
    %1 = graph.transpose %y perm = [1, 0]
    %2 = graph.div %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.div %x, %y
    %1 = graph.transpose %0 perm = [1, 0]
    rule.yield %1
  }

rule.rule @div_of_transposed_102(%x: [a, b, c], %y: [a, b, c]) -> [b, a, c]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2]
    %1 = graph.transpose %y perm = [1, 0, 2]
    %2 = graph.div %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.div %x, %y
    %1 = graph.transpose %0 perm = [1, 0, 2]
    rule.yield %1
  }

rule.rule @div_of_transposed_120(%x: [a, b, c], %y: [a, b, c]) -> [b, c, a]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0]
    %1 = graph.transpose %y perm = [1, 2, 0]
    %2 = graph.div %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.div %x, %y
    %1 = graph.transpose %0 perm = [1, 2, 0]
    rule.yield %1
  }

rule.rule @div_of_transposed_201(%x: [a, b, c], %y: [a, b, c]) -> [c, a, b]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1]
    %1 = graph.transpose %y perm = [2, 0, 1]
    %2 = graph.div %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.div %x, %y
    %1 = graph.transpose %0 perm = [2, 0, 1]
    rule.yield %1
  }

rule.rule @maximum_of_transposed_10(%x: [a, b], %y: [a, b]) -> [b, a]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 0]
    %1 = graph.transpose %y perm = [1, 0]
    %2 = graph.maximum %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.maximum %x, %y
    %1 = graph.transpose %0 perm = [1, 0]
    rule.yield %1
  }

rule.rule @maximum_of_transposed_102(%x: [a, b, c], %y: [a, b, c]) -> [b, a, c]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2]
    %1 = graph.transpose %y perm = [1, 0, 2]
    %2 = graph.maximum %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.maximum %x, %y
    %1 = graph.transpose %0 perm = [1, 0, 2]
    rule.yield %1
  }

rule.rule @maximum_of_transposed_120(%x: [a, b, c], %y: [a, b, c]) -> [b, c, a]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0]
    %1 = graph.transpose %y perm = [1, 2, 0]
    %2 = graph.maximum %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.maximum %x, %y
    %1 = graph.transpose %0 perm = [1, 2, 0]
    rule.yield %1
  }

rule.rule @maximum_of_transposed_201(%x: [a, b, c], %y: [a, b, c]) -> [c, a, b]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1]
    %1 = graph.transpose %y perm = [2, 0, 1]
    %2 = graph.maximum %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.maximum %x, %y
    %1 = graph.transpose %0 perm = [2, 0, 1]
    rule.yield %1
  }

rule.rule @where_of_transposed_10(%k: [a, b] of i1, %x: [a, b], %y: [a, b]) -> [b, a]
  lifts [%k, %x, %y]
  source {
    %0 = graph.transpose %k perm = [1, 0]
    %1 = graph.transpose %x perm = [1, 0]
    %2 = graph.transpose %y perm = [1, 0]
    %3 = graph.where %0, %1, %2
    rule.yield %3
  }
  target {
    %0 = graph.where %k, %x, %y
    %1 = graph.transpose %0 perm = [1, 0]
    rule.yield %1
  }

rule.rule @where_of_transposed_102(%k: [a, b, c] of i1, %x: [a, b, c], %y: [a, b, c]) -> [b, a, c]
  lifts [%k, %x, %y]
  source {
    %0 = graph.transpose %k perm = [1, 0, 2]
    %1 = graph.transpose %x perm = [1, 0, 2]
    %2 = graph.transpose %y perm = [1, 0, 2]
    %3 = graph.where %0, %1, %2
    rule.yield %3
  }
  target {
    %0 = graph.where %k, %x, %y
    %1 = graph.transpose %0 perm = [1, 0, 2]
    rule.yield %1
  }

rule.rule @where_of_transposed_120(%k: [a, b, c] of i1, %x: [a, b, c], %y: [a, b, c]) -> [b, c, a]
  lifts [%k, %x, %y]
  source {
    %0 = graph.transpose %k perm = [1, 2, 0]
    %1 = graph.transpose %x perm = [1, 2, 0]
    %2 = graph.transpose %y perm = [1, 2, 0]
    %3 = graph.where %0, %1, %2
    rule.yield %3
  }
  target {
    %0 = graph.where %k, %x, %y
    %1 = graph.transpose %0 perm = [1, 2, 0]
    rule.yield %1
  }

rule.rule @where_of_transposed_201(%k: [a, b, c] of i1, %x: [a, b, c], %y: [a, b, c]) -> [c, a, b]
  lifts [%k, %x, %y]
  source {
    %0 = graph.transpose %k perm = [2, 0, 1]
    %1 = graph.transpose %x perm = [2, 0, 1]
    %2 = graph.transpose %y perm = [2, 0, 1]
    %3 = graph.where %0, %1, %2
    rule.yield %3
  }
  target {
    %0 = graph.where %k, %x, %y
    %1 = graph.transpose %0 perm = [2, 0, 1]
    rule.yield %1
  }

// Reshapes of operands.
rule.rule @relu_of_reshaped_1_2(%x: [p * q]) -> [p, q]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [p, q]
    %1 = graph.relu %0
    rule.yield %1
  }
  target {
    %0 = graph.relu %x
    %1 = graph.reshape %0 shape = [p, q]
    rule.yield %1
  }

rule.rule @relu_of_reshaped_2_1(%x: [a, b]) -> [a * b]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [a * b]
    %1 = graph.relu %0
    rule.yield %1
  }
  target {
    %0 = graph.relu %x
    %1 = graph.reshape %0 shape = [a * b]
    rule.yield %1
  }

rule.rule @relu_of_reshaped_2_2(%x: [a, b]) -> [p, q]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [p, q]
    %1 = graph.relu %0
    rule.yield %1
  }
  target {
    %0 = graph.relu %x
    %1 = graph.reshape %0 shape = [p, q]
    rule.yield %1
  }

rule.rule @sigmoid_of_reshaped_1_2(%x: [p * q]) -> [p, q]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [p, q]
    %1 = graph.sigmoid %0
    rule.yield %1
  }
  target {
    %0 = graph.sigmoid %x
    %1 = graph.reshape %0 shape = [p, q]
    rule.yield %1
  }

rule.rule @sigmoid_of_reshaped_2_1(%x: [a, b]) -> [a * b]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [a * b]
    %1 = graph.sigmoid %0
    rule.yield %1
  }
  target {
    %0 = graph.sigmoid %x
    %1 = graph.reshape %0 shape = [a * b]
    rule.yield %1
  }

rule.rule @tanh_of_reshaped_1_2(%x: [p * q]) -> [p, q]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [p, q]
    %1 = graph.tanh %0
    rule.yield %1
  }
  target {
    %0 = graph.tanh %x
    %1 = graph.reshape %0 shape = [p, q]
    rule.yield %1
  }

rule.rule @tanh_of_reshaped_2_1(%x: [a, b]) -> [a * b]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [a * b]
    %1 = graph.tanh %0
    rule.yield %1
  }
  target {
    %0 = graph.tanh %x
    %1 = graph.reshape %0 shape = [a * b]
    rule.yield %1
  }

rule.rule @gelu_of_reshaped_1_2(%x: [p * q]) -> [p, q]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [p, q]
    %1 = graph.gelu %0
    rule.yield %1
  }
  target {
    %0 = graph.gelu %x
    %1 = graph.reshape %0 shape = [p, q]
    rule.yield %1
  }

rule.rule @gelu_of_reshaped_2_1(%x: [a, b]) -> [a * b]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [a * b]
    %1 = graph.gelu %0
    rule.yield %1
  }
  target {
    %0 = graph.gelu %x
    %1 = graph.reshape %0 shape = [a * b]
    rule.yield %1
  }

rule.rule @add_of_reshaped_1_2(%x: [p * q], %y: [p * q]) -> [p, q]
  lifts [%x, %y]
  source {
    %0 = graph.reshape %x shape = [p, q]
    %1 = graph.reshape %y shape = [p, q]
    %2 = graph.add %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.add %x, %y
    %1 = graph.reshape %0 shape = [p, q]
    rule.yield %1
  }

rule.rule @add_of_reshaped_2_1(%x: [a, b], %y: [a, b]) -> [a * b]
  lifts [%x, %y]
  source {
    %0 = graph.reshape %x shape = [a * b]
    %1 = graph.reshape %y shape = [a * b]
    %2 = graph.add %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.add %x, %y
    %1 = graph.reshape %0 shape = [a * b]
    rule.yield %1
  }

rule.rule @add_of_reshaped_2_2(%x: [a, b], %y: [a, b]) -> [p, q]
  lifts [%x, %y]
  source {
    %0 = graph.reshape %x shape = [p, q]
    %1 = graph.reshape %y shape = [p, q]
    %2 = graph.add %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.add %x, %y
    %1 = graph.reshape %0 shape = [p, q]
    rule.yield %1
  }

rule.rule @mul_of_reshaped_1_2(%x: [p * q], %y: [p * q]) -> [p, q]
  lifts [%x, %y]
  source {
    %0 = graph.reshape %x shape = [p, q]
    %1 = graph.reshape %y shape = [p, q]
    %2 = graph.mul %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.mul %x, %y
    %1 = graph.reshape %0 shape = [p, q]
    rule.yield %1
  }

rule.rule @mul_of_reshaped_2_1(%x: [a, b], %y: [a, b]) -> [a * b]
  lifts [%x, %y]
  source {
    %0 = graph.reshape %x shape = [a * b]
    %1 = graph.reshape %y shape = [a * b]
    %2 = graph.mul %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.mul %x, %y
    %1 = graph.reshape %0 shape = [a * b]
    rule.yield %1
  }

// 64. Broadcasts of operands: the function is applied before elements are repeated.
rule.rule @relu_of_repeated_number(%x: []) -> [a]
  source {
    %0 = graph.broadcast %x shape = [a]
    %1 = graph.relu %0
    rule.yield %1
  }
  target {
    %0 = graph.relu %x
    %1 = graph.broadcast %0 shape = [a]
    rule.yield %1
  }

rule.rule @relu_of_repeated_number_2(%x: []) -> [a, b]
  source {
    %0 = graph.broadcast %x shape = [a, b]
    %1 = graph.relu %0
    rule.yield %1
  }
  target {
    %0 = graph.relu %x
    %1 = graph.broadcast %0 shape = [a, b]
    rule.yield %1
  }

rule.rule @relu_of_repeated_number_3(%x: []) -> [a, b, c]
  source {
    %0 = graph.broadcast %x shape = [a, b, c]
    %1 = graph.relu %0
    rule.yield %1
  }
  target {
    %0 = graph.relu %x
    %1 = graph.broadcast %0 shape = [a, b, c]
    rule.yield %1
  }

rule.rule @relu_of_repeated_row(%x: [b]) -> [a, b]
  source {
    %0 = graph.broadcast %x shape = [a, b]
    %1 = graph.relu %0
    rule.yield %1
  }
  target {
    %0 = graph.relu %x
    %1 = graph.broadcast %0 shape = [a, b]
    rule.yield %1
  }

rule.rule @relu_of_repeated_column(%x: [a, 1]) -> [a, b]
  source {
    %0 = graph.broadcast %x shape = [a, b]
    %1 = graph.relu %0
    rule.yield %1
  }
  target {
    %0 = graph.relu %x
    %1 = graph.broadcast %0 shape = [a, b]
    rule.yield %1
  }

rule.rule @relu_of_repeated_channels(%x: [b, 1, 1]) -> [a, b, c, d]
  source {
    %0 = graph.broadcast %x shape = [a, b, c, d]
    %1 = graph.relu %0
    rule.yield %1
  }
  target {
    %0 = graph.relu %x
    %1 = graph.broadcast %0 shape = [a, b, c, d]
    rule.yield %1
  }

rule.rule @exp_of_repeated_number(%x: []) -> [a]
  source {
    %0 = graph.broadcast %x shape = [a]
    %1 = graph.exp %0
    rule.yield %1
  }
  target {
    %0 = graph.exp %x
    %1 = graph.broadcast %0 shape = [a]
    rule.yield %1
  }

rule.rule @exp_of_repeated_number_2(%x: []) -> [a, b]
  source {
    %0 = graph.broadcast %x shape = [a, b]
    %1 = graph.exp %0
    rule.yield %1
  }
  target {
    %0 = graph.exp %x
    %1 = graph.broadcast %0 shape = [a, b]
    rule.yield %1
  }

rule.rule @exp_of_repeated_number_3(%x: []) -> [a, b, c]
  source {
    %0 = graph.broadcast %x shape = [a, b, c]
    %1 = graph.exp %0
    rule.yield %1
  }
  target {
    %0 = graph.exp %x
    %1 = graph.broadcast %0 shape = [a, b, c]
    rule.yield %1
  }

rule.rule @exp_of_repeated_row(%x: [b]) -> [a, b]
  source {
    %0 = graph.broadcast %x shape = [a, b]
    %1 = graph.exp %0
    rule.yield %1
  }
  target {
    %0 = graph.exp %x
    %1 = graph.broadcast %0 shape = [a, b]
    rule.yield %1
  }

rule.rule @exp_of_repeated_column(%x: [a, 1]) -> [a, b]
  source {
    %0 = graph.broadcast %x shape = [a, b]
    %1 = graph.exp %0
    rule.yield %1
  }
  target {
    %0 = graph.exp %x
    %1 = graph.broadcast %0 shape = [a, b]
    rule.yield %1
  }

rule.rule @exp_of_repeated_channels(%x: [b, 1, 1]) -> [a, b, c, d]
  source {
    %0 = graph.broadcast %x shape = [a, b, c, d]
    %1 = graph.exp %0
    rule.yield %1
  }
  target {
    %0 = graph.exp %x
    %1 = graph.broadcast %0 shape = [a, b, c, d]
    rule.yield %1
  }

rule.rule @neg_of_repeated_number(%x: []) -> [a]
  source {
    %0 = graph.broadcast %x shape = [a]
    %1 = graph.neg %0
    rule.yield %1
  }
  target {
    %0 = graph.neg %x
    %1 = graph.broadcast %0 shape = [a]
    rule.yield %1
  }

rule.rule @neg_of_repeated_number_2(%x: []) -> [a, b]
  source {
    %0 = graph.broadcast %x shape = [a, b]
    %1 = graph.neg %0
    rule.yield %1
  }
  target {
    %0 = graph.neg %x
    %1 = graph.broadcast %0 shape = [a, b]
    rule.yield %1
  }

rule.rule @neg_of_repeated_number_3(%x: []) -> [a, b, c]
  source {
    %0 = graph.broadcast %x shape = [a, b, c]
    %1 = graph.neg %0
    rule.yield %1
  }
  target {
    %0 = graph.neg %x
    %1 = graph.broadcast %0 shape = [a, b, c]
    rule.yield %1
  }

rule.rule @neg_of_repeated_row(%x: [b]) -> [a, b]
  source {
    %0 = graph.broadcast %x shape = [a, b]
    %1 = graph.neg %0
    rule.yield %1
  }
  target {
    %0 = graph.neg %x
    %1 = graph.broadcast %0 shape = [a, b]
    rule.yield %1
  }

rule.rule @neg_of_repeated_column(%x: [a, 1]) -> [a, b]
  source {
    %0 = graph.broadcast %x shape = [a, b]
    %1 = graph.neg %0
    rule.yield %1
  }
  target {
    %0 = graph.neg %x
    %1 = graph.broadcast %0 shape = [a, b]
    rule.yield %1
  }

rule.rule @neg_of_repeated_channels(%x: [b, 1, 1]) -> [a, b, c, d]
  source {
    %0 = graph.broadcast %x shape = [a, b, c, d]
    %1 = graph.neg %0
    rule.yield %1
  }
  target {
    %0 = graph.neg %x
    %1 = graph.broadcast %0 shape = [a, b, c, d]
    rule.yield %1
  }

rule.rule @rsqrt_of_repeated_number(%x: []) -> [a]
  source {
    %0 = graph.broadcast %x shape = [a]
    %1 = graph.rsqrt %0
    rule.yield %1
  }
  target {
    %0 = graph.rsqrt %x
    %1 = graph.broadcast %0 shape = [a]
    rule.yield %1
  }

rule.rule @rsqrt_of_repeated_number_2(%x: []) -> [a, b]
  source {
    %0 = graph.broadcast %x shape = [a, b]
    %1 = graph.rsqrt %0
    rule.yield %1
  }
  target {
    %0 = graph.rsqrt %x
    %1 = graph.broadcast %0 shape = [a, b]
    rule.yield %1
  }

rule.rule @rsqrt_of_repeated_number_3(%x: []) -> [a, b, c]
  source {
    %0 = graph.broadcast %x shape = [a, b, c]
    %1 = graph.rsqrt %0
    rule.yield %1
  }
  target {
    %0 = graph.rsqrt %x
    %1 = graph.broadcast %0 shape = [a, b, c]
    rule.yield %1
  }

rule.rule @rsqrt_of_repeated_row(%x: [b]) -> [a, b]
  source {
    %0 = graph.broadcast %x shape = [a, b]
    %1 = graph.rsqrt %0
    rule.yield %1
  }
  target {
    %0 = graph.rsqrt %x
    %1 = graph.broadcast %0 shape = [a, b]
    rule.yield %1
  }

rule.rule @rsqrt_of_repeated_column(%x: [a, 1]) -> [a, b]
  source {
    %0 = graph.broadcast %x shape = [a, b]
    %1 = graph.rsqrt %0
    rule.yield %1
  }
  target {
    %0 = graph.rsqrt %x
    %1 = graph.broadcast %0 shape = [a, b]
    rule.yield %1
  }

rule.rule @rsqrt_of_repeated_channels(%x: [b, 1, 1]) -> [a, b, c, d]
  source {
    %0 = graph.broadcast %x shape = [a, b, c, d]
    %1 = graph.rsqrt %0
    rule.yield %1
  }
  target {
    %0 = graph.rsqrt %x
    %1 = graph.broadcast %0 shape = [a, b, c, d]
    rule.yield %1
  }

rule.rule @add_of_repeated_number(%x: [], %y: []) -> [a]
  source {
    %0 = graph.broadcast %x shape = [a]
    %1 = graph.broadcast %y shape = [a]
    %2 = graph.add %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.add %x, %y
    %1 = graph.broadcast %0 shape = [a]
    rule.yield %1
  }

rule.rule @add_of_repeated_number_2(%x: [], %y: []) -> [a, b]
  source {
    %0 = graph.broadcast %x shape = [a, b]
    %1 = graph.broadcast %y shape = [a, b]
    %2 = graph.add %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.add %x, %y
    %1 = graph.broadcast %0 shape = [a, b]
    rule.yield %1
  }

rule.rule @add_of_repeated_number_3(%x: [], %y: []) -> [a, b, c]
  source {
    %0 = graph.broadcast %x shape = [a, b, c]
    %1 = graph.broadcast %y shape = [a, b, c]
    %2 = graph.add %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.add %x, %y
    %1 = graph.broadcast %0 shape = [a, b, c]
    rule.yield %1
  }

rule.rule @add_of_repeated_row(%x: [b], %y: [b]) -> [a, b]
  source {
    %0 = graph.broadcast %x shape = [a, b]
    %1 = graph.broadcast %y shape = [a, b]
    %2 = graph.add %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.add %x, %y
    %1 = graph.broadcast %0 shape = [a, b]
    rule.yield %1
  }

rule.rule @add_of_repeated_column(%x: [a, 1], %y: [a, 1]) -> [a, b]
  source {
    %0 = graph.broadcast %x shape = [a, b]
    %1 = graph.broadcast %y shape = [a, b]
    %2 = graph.add %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.add %x, %y
    %1 = graph.broadcast %0 shape = [a, b]
    rule.yield %1
  }

rule.rule @add_of_repeated_channels(%x: [b, 1, 1], %y: [b, 1, 1]) -> [a, b, c, d]
  source {
    %0 = graph.broadcast %x shape = [a, b, c, d]
    %1 = graph.broadcast %y shape = [a, b, c, d]
    %2 = graph.add %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.add %x, %y
    %1 = graph.broadcast %0 shape = [a, b, c, d]
    rule.yield %1
  }

rule.rule @mul_of_repeated_number(%x: [], %y: []) -> [a]
  source {
    %0 = graph.broadcast %x shape = [a]
    %1 = graph.broadcast %y shape = [a]
    %2 = graph.mul %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.mul %x, %y
    %1 = graph.broadcast %0 shape = [a]
    rule.yield %1
  }

rule.rule @mul_of_repeated_number_2(%x: [], %y: []) -> [a, b]
  source {
    %0 = graph.broadcast %x shape = [a, b]
    %1 = graph.broadcast %y shape = [a, b]
    %2 = graph.mul %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.mul %x, %y
    %1 = graph.broadcast %0 shape = [a, b]
    rule.yield %1
  }

rule.rule @mul_of_repeated_number_3(%x: [], %y: []) -> [a, b, c]
  source {
    %0 = graph.broadcast %x shape = [a, b, c]
    %1 = graph.broadcast %y shape = [a, b, c]
    %2 = graph.mul %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.mul %x, %y
    %1 = graph.broadcast %0 shape = [a, b, c]
    rule.yield %1
  }

rule.rule @mul_of_repeated_row(%x: [b], %y: [b]) -> [a, b]
  source {
    %0 = graph.broadcast %x shape = [a, b]
    %1 = graph.broadcast %y shape = [a, b]
    %2 = graph.mul %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.mul %x, %y
    %1 = graph.broadcast %0 shape = [a, b]
    rule.yield %1
  }

rule.rule @mul_of_repeated_column(%x: [a, 1], %y: [a, 1]) -> [a, b]
  source {
    %0 = graph.broadcast %x shape = [a, b]
    %1 = graph.broadcast %y shape = [a, b]
    %2 = graph.mul %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.mul %x, %y
    %1 = graph.broadcast %0 shape = [a, b]
    rule.yield %1
  }

rule.rule @mul_of_repeated_channels(%x: [b, 1, 1], %y: [b, 1, 1]) -> [a, b, c, d]
  source {
    %0 = graph.broadcast %x shape = [a, b, c, d]
    %1 = graph.broadcast %y shape = [a, b, c, d]
    %2 = graph.mul %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.mul %x, %y
    %1 = graph.broadcast %0 shape = [a, b, c, d]
    rule.yield %1
  }

// Slices of results: the function is applied to what is read only.
rule.rule @slice_of_relu_1(%x: [a]) -> [p]
  lifts [%x]
  source {
    %0 = graph.relu %x
    %1 = graph.slice %0 starts = [s] sizes = [p] steps = [v]
    rule.yield %1
  }
  target {
    %0 = graph.slice %x starts = [s] sizes = [p] steps = [v]
    %1 = graph.relu %0
    rule.yield %1
  }

rule.rule @slice_of_relu_2(%x: [a, b]) -> [p, q]
  lifts [%x]
  source {
    %0 = graph.relu %x
    %1 = graph.slice %0 starts = [s, t] sizes = [p, q] steps = [1, 1]
    rule.yield %1
  }
  target {
    %0 = graph.slice %x starts = [s, t] sizes = [p, q] steps = [1, 1]
    %1 = graph.relu %0
    rule.yield %1
  }

rule.rule @slice_of_relu_3(%x: [a, b, c]) -> [p, q, r]
  lifts [%x]
  source {
    %0 = graph.relu %x
    %1 = graph.slice %0 starts = [s, t, u] sizes = [p, q, r] steps = [1, 1, 1]
    rule.yield %1
  }
  target {
    %0 = graph.slice %x starts = [s, t, u] sizes = [p, q, r] steps = [1, 1, 1]
    %1 = graph.relu %0
    rule.yield %1
  }

rule.rule @slice_of_sigmoid_1(%x: [a]) -> [p]
  lifts [%x]
  source {
    %0 = graph.sigmoid %x
    %1 = graph.slice %0 starts = [s] sizes = [p] steps = [v]
    rule.yield %1
  }
  target {
    %0 = graph.slice %x starts = [s] sizes = [p] steps = [v]
    %1 = graph.sigmoid %0
    rule.yield %1
  }

rule.rule @slice_of_sigmoid_2(%x: [a, b]) -> [p, q]
  lifts [%x]
  source {
    %0 = graph.sigmoid %x
    %1 = graph.slice %0 starts = [s, t] sizes = [p, q] steps = [1, 1]
    rule.yield %1
  }
  target {
    %0 = graph.slice %x starts = [s, t] sizes = [p, q] steps = [1, 1]
    %1 = graph.sigmoid %0
    rule.yield %1
  }

rule.rule @slice_of_tanh_1(%x: [a]) -> [p]
  lifts [%x]
  source {
    %0 = graph.tanh %x
    %1 = graph.slice %0 starts = [s] sizes = [p] steps = [v]
    rule.yield %1
  }
  target {
    %0 = graph.slice %x starts = [s] sizes = [p] steps = [v]
    %1 = graph.tanh %0
    rule.yield %1
  }

rule.rule @slice_of_tanh_2(%x: [a, b]) -> [p, q]
  lifts [%x]
  source {
    %0 = graph.tanh %x
    %1 = graph.slice %0 starts = [s, t] sizes = [p, q] steps = [1, 1]
    rule.yield %1
  }
  target {
    %0 = graph.slice %x starts = [s, t] sizes = [p, q] steps = [1, 1]
    %1 = graph.tanh %0
    rule.yield %1
  }

rule.rule @slice_of_gelu_1(%x: [a]) -> [p]
  lifts [%x]
  source {
    %0 = graph.gelu %x
    %1 = graph.slice %0 starts = [s] sizes = [p] steps = [v]
    rule.yield %1
  }
  target {
    %0 = graph.slice %x starts = [s] sizes = [p] steps = [v]
    %1 = graph.gelu %0
    rule.yield %1
  }

rule.rule @slice_of_gelu_2(%x: [a, b]) -> [p, q]
  lifts [%x]
  source {
    %0 = graph.gelu %x
    %1 = graph.slice %0 starts = [s, t] sizes = [p, q] steps = [1, 1]
    rule.yield %1
  }
  target {
    %0 = graph.slice %x starts = [s, t] sizes = [p, q] steps = [1, 1]
    %1 = graph.gelu %0
    rule.yield %1
  }

rule.rule @slice_of_add_1(%x: [a], %y: [a]) -> [p]
  lifts [%x, %y]
  source {
    %0 = graph.add %x, %y
    %1 = graph.slice %0 starts = [s] sizes = [p] steps = [v]
    rule.yield %1
  }
  target {
    %0 = graph.slice %x starts = [s] sizes = [p] steps = [v]
    %1 = graph.slice %y starts = [s] sizes = [p] steps = [v]
    %2 = graph.add %0, %1
    rule.yield %2
  }

rule.rule @slice_of_add_2(%x: [a, b], %y: [a, b]) -> [p, q]
  lifts [%x, %y]
  source {
    %0 = graph.add %x, %y
    %1 = graph.slice %0 starts = [s, t] sizes = [p, q] steps = [1, 1]
    rule.yield %1
  }
  target {
    %0 = graph.slice %x starts = [s, t] sizes = [p, q] steps = [1, 1]
    %1 = graph.slice %y starts = [s, t] sizes = [p, q] steps = [1, 1]
    %2 = graph.add %0, %1
    rule.yield %2
  }

rule.rule @slice_of_add_3(%x: [a, b, c], %y: [a, b, c]) -> [p, q, r]
  lifts [%x, %y]
  source {
    %0 = graph.add %x, %y
    %1 = graph.slice %0 starts = [s, t, u] sizes = [p, q, r] steps = [1, 1, 1]
    rule.yield %1
  }
  target {
    %0 = graph.slice %x starts = [s, t, u] sizes = [p, q, r] steps = [1, 1, 1]
    %1 = graph.slice %y starts = [s, t, u] sizes = [p, q, r] steps = [1, 1, 1]
    %2 = graph.add %0, %1
    rule.yield %2
  }

rule.rule @slice_of_sub_1(%x: [a], %y: [a]) -> [p]
  lifts [%x, %y]
  source {
    %0 = graph.sub %x, %y
    %1 = graph.slice %0 starts = [s] sizes = [p] steps = [v]
    rule.yield %1
  }
  target {
    %0 = graph.slice %x starts = [s] sizes = [p] steps = [v]
    %1 = graph.slice %y starts = [s] sizes = [p] steps = [v]
    %2 = graph.sub %0, %1
    rule.yield %2
  }

rule.rule @slice_of_sub_2(%x: [a, b], %y: [a, b]) -> [p, q]
  lifts [%x, %y]
  source {
    %0 = graph.sub %x, %y
    %1 = graph.slice %0 starts = [s, t] sizes = [p, q] steps = [1, 1]
    rule.yield %1
  }
  target {
    %0 = graph.slice %x starts = [s, t] sizes = [p, q] steps = [1, 1]
    %1 = graph.slice %y starts = [s, t] sizes = [p, q] steps = [1, 1]
    %2 = graph.sub %0, %1
    rule.yield %2
  }

rule.rule @slice_of_mul_1(%x: [a], %y: [a]) -> [p]
  lifts [%x, %y]
  source {
    %0 = graph.mul %x, %y
    %1 = graph.slice %0 starts = [s] sizes = [p] steps = [v]
    rule.yield %1
  }
  target {
    %0 = graph.slice %x starts = [s] sizes = [p] steps = [v]
    %1 = graph.slice %y starts = [s] sizes = [p] steps = [v]
    %2 = graph.mul %0, %1
    rule.yield %2
  }

rule.rule @slice_of_mul_2(%x: [a, b], %y: [a, b]) -> [p, q]
  lifts [%x, %y]
  source {
    %0 = graph.mul %x, %y
    %1 = graph.slice %0 starts = [s, t] sizes = [p, q] steps = [1, 1]
    rule.yield %1
  }
  target {
    %0 = graph.slice %x starts = [s, t] sizes = [p, q] steps = [1, 1]
    %1 = graph.slice %y starts = [s, t] sizes = [p, q] steps = [1, 1]
    %2 = graph.mul %0, %1
    rule.yield %2
  }

rule.rule @slice_of_mul_3(%x: [a, b, c], %y: [a, b, c]) -> [p, q, r]
  lifts [%x, %y]
  source {
    %0 = graph.mul %x, %y
    %1 = graph.slice %0 starts = [s, t, u] sizes = [p, q, r] steps = [1, 1, 1]
    rule.yield %1
  }
  target {
    %0 = graph.slice %x starts = [s, t, u] sizes = [p, q, r] steps = [1, 1, 1]
    %1 = graph.slice %y starts = [s, t, u] sizes = [p, q, r] steps = [1, 1, 1]
    %2 = graph.mul %0, %1
    rule.yield %2
  }

rule.rule @slice_of_div_1(%x: [a], %y: [a]) -> [p]
  lifts [%x, %y]
  source {
    %0 = graph.div %x, %y
    %1 = graph.slice %0 starts = [s] sizes = [p] steps = [v]
    rule.yield %1
  }
  target {
    %0 = graph.slice %x starts = [s] sizes = [p] steps = [v]
    %1 = graph.slice %y starts = [s] sizes = [p] steps = [v]
    %2 = graph.div %0, %1
    rule.yield %2
  }

rule.rule @slice_of_div_2(%x: [a, b], %y: [a, b]) -> [p, q]
  lifts [%x, %y]
  source {
    %0 = graph.div %x, %y
    %1 = graph.slice %0 starts = [s, t] sizes = [p, q] steps = [1, 1]
    rule.yield %1
  }
  target {
    %0 = graph.slice %x starts = [s, t] sizes = [p, q] steps = [1, 1]
    %1 = graph.slice %y starts = [s, t] sizes = [p, q] steps = [1, 1]
    %2 = graph.div %0, %1
    rule.yield %2
  }
