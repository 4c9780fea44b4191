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

!ab = tensor<?x?xf32, #graph.dims<a, b>>
!ba = tensor<?x?xf32, #graph.dims<b, a>>
rule.rule @relu_of_transposed_10(%x: [a, b]) -> [b, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!ab) -> !ba
    %1 = graph.relu %0 : !ba
    rule.yield %1 : [b, a]
  }
  target {
    %0 = graph.relu %x : !ab
    %1 = graph.transpose %0 perm = [1, 0] : (!ab) -> !ba
    rule.yield %1 : [b, a]
  }

!abc = tensor<?x?x?xf32, #graph.dims<a, b, c>>
!bac = tensor<?x?x?xf32, #graph.dims<b, a, c>>
rule.rule @relu_of_transposed_102(%x: [a, b, c]) -> [b, a, c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!abc) -> !bac
    %1 = graph.relu %0 : !bac
    rule.yield %1 : [b, a, c]
  }
  target {
    %0 = graph.relu %x : !abc
    %1 = graph.transpose %0 perm = [1, 0, 2] : (!abc) -> !bac
    rule.yield %1 : [b, a, c]
  }

!bca = tensor<?x?x?xf32, #graph.dims<b, c, a>>
rule.rule @relu_of_transposed_120(%x: [a, b, c]) -> [b, c, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!abc) -> !bca
    %1 = graph.relu %0 : !bca
    rule.yield %1 : [b, c, a]
  }
  target {
    %0 = graph.relu %x : !abc
    %1 = graph.transpose %0 perm = [1, 2, 0] : (!abc) -> !bca
    rule.yield %1 : [b, c, a]
  }

!cab = tensor<?x?x?xf32, #graph.dims<c, a, b>>
rule.rule @relu_of_transposed_201(%x: [a, b, c]) -> [c, a, b]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!abc) -> !cab
    %1 = graph.relu %0 : !cab
    rule.yield %1 : [c, a, b]
  }
  target {
    %0 = graph.relu %x : !abc
    %1 = graph.transpose %0 perm = [2, 0, 1] : (!abc) -> !cab
    rule.yield %1 : [c, a, b]
  }

rule.rule @sigmoid_of_transposed_10(%x: [a, b]) -> [b, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!ab) -> !ba
    %1 = graph.sigmoid %0 : !ba
    rule.yield %1 : [b, a]
  }
  target {
    %0 = graph.sigmoid %x : !ab
    %1 = graph.transpose %0 perm = [1, 0] : (!ab) -> !ba
    rule.yield %1 : [b, a]
  }

rule.rule @sigmoid_of_transposed_102(%x: [a, b, c]) -> [b, a, c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!abc) -> !bac
    %1 = graph.sigmoid %0 : !bac
    rule.yield %1 : [b, a, c]
  }
  target {
    %0 = graph.sigmoid %x : !abc
    %1 = graph.transpose %0 perm = [1, 0, 2] : (!abc) -> !bac
    rule.yield %1 : [b, a, c]
  }

rule.rule @sigmoid_of_transposed_120(%x: [a, b, c]) -> [b, c, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!abc) -> !bca
    %1 = graph.sigmoid %0 : !bca
    rule.yield %1 : [b, c, a]
  }
  target {
    %0 = graph.sigmoid %x : !abc
    %1 = graph.transpose %0 perm = [1, 2, 0] : (!abc) -> !bca
    rule.yield %1 : [b, c, a]
  }

rule.rule @sigmoid_of_transposed_201(%x: [a, b, c]) -> [c, a, b]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!abc) -> !cab
    %1 = graph.sigmoid %0 : !cab
    rule.yield %1 : [c, a, b]
  }
  target {
    %0 = graph.sigmoid %x : !abc
    %1 = graph.transpose %0 perm = [2, 0, 1] : (!abc) -> !cab
    rule.yield %1 : [c, a, b]
  }

rule.rule @tanh_of_transposed_10(%x: [a, b]) -> [b, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!ab) -> !ba
    %1 = graph.tanh %0 : !ba
    rule.yield %1 : [b, a]
  }
  target {
    %0 = graph.tanh %x : !ab
    %1 = graph.transpose %0 perm = [1, 0] : (!ab) -> !ba
    rule.yield %1 : [b, a]
  }

rule.rule @tanh_of_transposed_102(%x: [a, b, c]) -> [b, a, c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!abc) -> !bac
    %1 = graph.tanh %0 : !bac
    rule.yield %1 : [b, a, c]
  }
  target {
    %0 = graph.tanh %x : !abc
    %1 = graph.transpose %0 perm = [1, 0, 2] : (!abc) -> !bac
    rule.yield %1 : [b, a, c]
  }

rule.rule @tanh_of_transposed_120(%x: [a, b, c]) -> [b, c, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!abc) -> !bca
    %1 = graph.tanh %0 : !bca
    rule.yield %1 : [b, c, a]
  }
  target {
    %0 = graph.tanh %x : !abc
    %1 = graph.transpose %0 perm = [1, 2, 0] : (!abc) -> !bca
    rule.yield %1 : [b, c, a]
  }

rule.rule @tanh_of_transposed_201(%x: [a, b, c]) -> [c, a, b]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!abc) -> !cab
    %1 = graph.tanh %0 : !cab
    rule.yield %1 : [c, a, b]
  }
  target {
    %0 = graph.tanh %x : !abc
    %1 = graph.transpose %0 perm = [2, 0, 1] : (!abc) -> !cab
    rule.yield %1 : [c, a, b]
  }

rule.rule @gelu_of_transposed_10(%x: [a, b]) -> [b, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!ab) -> !ba
    %1 = graph.gelu %0 : !ba
    rule.yield %1 : [b, a]
  }
  target {
    %0 = graph.gelu %x : !ab
    %1 = graph.transpose %0 perm = [1, 0] : (!ab) -> !ba
    rule.yield %1 : [b, a]
  }

rule.rule @gelu_of_transposed_102(%x: [a, b, c]) -> [b, a, c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!abc) -> !bac
    %1 = graph.gelu %0 : !bac
    rule.yield %1 : [b, a, c]
  }
  target {
    %0 = graph.gelu %x : !abc
    %1 = graph.transpose %0 perm = [1, 0, 2] : (!abc) -> !bac
    rule.yield %1 : [b, a, c]
  }

rule.rule @gelu_of_transposed_120(%x: [a, b, c]) -> [b, c, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!abc) -> !bca
    %1 = graph.gelu %0 : !bca
    rule.yield %1 : [b, c, a]
  }
  target {
    %0 = graph.gelu %x : !abc
    %1 = graph.transpose %0 perm = [1, 2, 0] : (!abc) -> !bca
    rule.yield %1 : [b, c, a]
  }

rule.rule @gelu_of_transposed_201(%x: [a, b, c]) -> [c, a, b]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!abc) -> !cab
    %1 = graph.gelu %0 : !cab
    rule.yield %1 : [c, a, b]
  }
  target {
    %0 = graph.gelu %x : !abc
    %1 = graph.transpose %0 perm = [2, 0, 1] : (!abc) -> !cab
    rule.yield %1 : [c, a, b]
  }

rule.rule @exp_of_transposed_10(%x: [a, b]) -> [b, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!ab) -> !ba
    %1 = graph.exp %0 : !ba
    rule.yield %1 : [b, a]
  }
  target {
    %0 = graph.exp %x : !ab
    %1 = graph.transpose %0 perm = [1, 0] : (!ab) -> !ba
    rule.yield %1 : [b, a]
  }

rule.rule @exp_of_transposed_102(%x: [a, b, c]) -> [b, a, c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!abc) -> !bac
    %1 = graph.exp %0 : !bac
    rule.yield %1 : [b, a, c]
  }
  target {
    %0 = graph.exp %x : !abc
    %1 = graph.transpose %0 perm = [1, 0, 2] : (!abc) -> !bac
    rule.yield %1 : [b, a, c]
  }

rule.rule @exp_of_transposed_120(%x: [a, b, c]) -> [b, c, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!abc) -> !bca
    %1 = graph.exp %0 : !bca
    rule.yield %1 : [b, c, a]
  }
  target {
    %0 = graph.exp %x : !abc
    %1 = graph.transpose %0 perm = [1, 2, 0] : (!abc) -> !bca
    rule.yield %1 : [b, c, a]
  }

rule.rule @exp_of_transposed_201(%x: [a, b, c]) -> [c, a, b]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!abc) -> !cab
    %1 = graph.exp %0 : !cab
    rule.yield %1 : [c, a, b]
  }
  target {
    %0 = graph.exp %x : !abc
    %1 = graph.transpose %0 perm = [2, 0, 1] : (!abc) -> !cab
    rule.yield %1 : [c, a, b]
  }

rule.rule @add_of_transposed_10(%x: [a, b], %y: [a, b]) -> [b, a]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!ab) -> !ba
    %1 = graph.transpose %y perm = [1, 0] : (!ab) -> !ba
    %2 = graph.add %0, %1 : !ba
    rule.yield %2 : [b, a]
  }
  target {
    %0 = graph.add %x, %y : !ab
    %1 = graph.transpose %0 perm = [1, 0] : (!ab) -> !ba
    rule.yield %1 : [b, a]
  }

rule.rule @add_of_transposed_102(%x: [a, b, c], %y: [a, b, c]) -> [b, a, c]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!abc) -> !bac
    %1 = graph.transpose %y perm = [1, 0, 2] : (!abc) -> !bac
    %2 = graph.add %0, %1 : !bac
    rule.yield %2 : [b, a, c]
  }
  target {
    %0 = graph.add %x, %y : !abc
    %1 = graph.transpose %0 perm = [1, 0, 2] : (!abc) -> !bac
    rule.yield %1 : [b, a, c]
  }

rule.rule @add_of_transposed_120(%x: [a, b, c], %y: [a, b, c]) -> [b, c, a]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!abc) -> !bca
    %1 = graph.transpose %y perm = [1, 2, 0] : (!abc) -> !bca
    %2 = graph.add %0, %1 : !bca
    rule.yield %2 : [b, c, a]
  }
  target {
    %0 = graph.add %x, %y : !abc
    %1 = graph.transpose %0 perm = [1, 2, 0] : (!abc) -> !bca
    rule.yield %1 : [b, c, a]
  }

rule.rule @add_of_transposed_201(%x: [a, b, c], %y: [a, b, c]) -> [c, a, b]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!abc) -> !cab
    %1 = graph.transpose %y perm = [2, 0, 1] : (!abc) -> !cab
    %2 = graph.add %0, %1 : !cab
    rule.yield %2 : [c, a, b]
  }
  target {
    %0 = graph.add %x, %y : !abc
    %1 = graph.transpose %0 perm = [2, 0, 1] : (!abc) -> !cab
    rule.yield %1 : [c, a, b]
  }

rule.rule @sub_of_transposed_10(%x: [a, b], %y: [a, b]) -> [b, a]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!ab) -> !ba
    %1 = graph.transpose %y perm = [1, 0] : (!ab) -> !ba
    %2 = graph.sub %0, %1 : !ba
    rule.yield %2 : [b, a]
  }
  target {
    %0 = graph.sub %x, %y : !ab
    %1 = graph.transpose %0 perm = [1, 0] : (!ab) -> !ba
    rule.yield %1 : [b, a]
  }

rule.rule @sub_of_transposed_102(%x: [a, b, c], %y: [a, b, c]) -> [b, a, c]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!abc) -> !bac
    %1 = graph.transpose %y perm = [1, 0, 2] : (!abc) -> !bac
    %2 = graph.sub %0, %1 : !bac
    rule.yield %2 : [b, a, c]
  }
  target {
    %0 = graph.sub %x, %y : !abc
    %1 = graph.transpose %0 perm = [1, 0, 2] : (!abc) -> !bac
    rule.yield %1 : [b, a, c]
  }

rule.rule @sub_of_transposed_120(%x: [a, b, c], %y: [a, b, c]) -> [b, c, a]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!abc) -> !bca
    %1 = graph.transpose %y perm = [1, 2, 0] : (!abc) -> !bca
    %2 = graph.sub %0, %1 : !bca
    rule.yield %2 : [b, c, a]
  }
  target {
    %0 = graph.sub %x, %y : !abc
    %1 = graph.transpose %0 perm = [1, 2, 0] : (!abc) -> !bca
    rule.yield %1 : [b, c, a]
  }

rule.rule @sub_of_transposed_201(%x: [a, b, c], %y: [a, b, c]) -> [c, a, b]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!abc) -> !cab
    %1 = graph.transpose %y perm = [2, 0, 1] : (!abc) -> !cab
    %2 = graph.sub %0, %1 : !cab
    rule.yield %2 : [c, a, b]
  }
  target {
    %0 = graph.sub %x, %y : !abc
    %1 = graph.transpose %0 perm = [2, 0, 1] : (!abc) -> !cab
    rule.yield %1 : [c, a, b]
  }

rule.rule @mul_of_transposed_10(%x: [a, b], %y: [a, b]) -> [b, a]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!ab) -> !ba
    %1 = graph.transpose %y perm = [1, 0] : (!ab) -> !ba
    %2 = graph.mul %0, %1 : !ba
    rule.yield %2 : [b, a]
  }
  target {
    %0 = graph.mul %x, %y : !ab
    %1 = graph.transpose %0 perm = [1, 0] : (!ab) -> !ba
    rule.yield %1 : [b, a]
  }

rule.rule @mul_of_transposed_102(%x: [a, b, c], %y: [a, b, c]) -> [b, a, c]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!abc) -> !bac
    %1 = graph.transpose %y perm = [1, 0, 2] : (!abc) -> !bac
    %2 = graph.mul %0, %1 : !bac
    rule.yield %2 : [b, a, c]
  }
  target {
    %0 = graph.mul %x, %y : !abc
    %1 = graph.transpose %0 perm = [1, 0, 2] : (!abc) -> !bac
    rule.yield %1 : [b, a, c]
  }

rule.rule @mul_of_transposed_120(%x: [a, b, c], %y: [a, b, c]) -> [b, c, a]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!abc) -> !bca
    %1 = graph.transpose %y perm = [1, 2, 0] : (!abc) -> !bca
    %2 = graph.mul %0, %1 : !bca
    rule.yield %2 : [b, c, a]
  }
  target {
    %0 = graph.mul %x, %y : !abc
    %1 = graph.transpose %0 perm = [1, 2, 0] : (!abc) -> !bca
    rule.yield %1 : [b, c, a]
  }

rule.rule @mul_of_transposed_201(%x: [a, b, c], %y: [a, b, c]) -> [c, a, b]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!abc) -> !cab
    %1 = graph.transpose %y perm = [2, 0, 1] : (!abc) -> !cab
    %2 = graph.mul %0, %1 : !cab
    rule.yield %2 : [c, a, b]
  }
  target {
    %0 = graph.mul %x, %y : !abc
    %1 = graph.transpose %0 perm = [2, 0, 1] : (!abc) -> !cab
    rule.yield %1 : [c, a, b]
  }

rule.rule @div_of_transposed_10(%x: [a, b], %y: [a, b]) -> [b, a]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!ab) -> !ba
    %1 = graph.transpose %y perm = [1, 0] : (!ab) -> !ba
    %2 = graph.div %0, %1 : !ba
    rule.yield %2 : [b, a]
  }
  target {
    %0 = graph.div %x, %y : !ab
    %1 = graph.transpose %0 perm = [1, 0] : (!ab) -> !ba
    rule.yield %1 : [b, a]
  }

rule.rule @div_of_transposed_102(%x: [a, b, c], %y: [a, b, c]) -> [b, a, c]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!abc) -> !bac
    %1 = graph.transpose %y perm = [1, 0, 2] : (!abc) -> !bac
    %2 = graph.div %0, %1 : !bac
    rule.yield %2 : [b, a, c]
  }
  target {
    %0 = graph.div %x, %y : !abc
    %1 = graph.transpose %0 perm = [1, 0, 2] : (!abc) -> !bac
    rule.yield %1 : [b, a, c]
  }

rule.rule @div_of_transposed_120(%x: [a, b, c], %y: [a, b, c]) -> [b, c, a]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!abc) -> !bca
    %1 = graph.transpose %y perm = [1, 2, 0] : (!abc) -> !bca
    %2 = graph.div %0, %1 : !bca
    rule.yield %2 : [b, c, a]
  }
  target {
    %0 = graph.div %x, %y : !abc
    %1 = graph.transpose %0 perm = [1, 2, 0] : (!abc) -> !bca
    rule.yield %1 : [b, c, a]
  }

rule.rule @div_of_transposed_201(%x: [a, b, c], %y: [a, b, c]) -> [c, a, b]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!abc) -> !cab
    %1 = graph.transpose %y perm = [2, 0, 1] : (!abc) -> !cab
    %2 = graph.div %0, %1 : !cab
    rule.yield %2 : [c, a, b]
  }
  target {
    %0 = graph.div %x, %y : !abc
    %1 = graph.transpose %0 perm = [2, 0, 1] : (!abc) -> !cab
    rule.yield %1 : [c, a, b]
  }

rule.rule @maximum_of_transposed_10(%x: [a, b], %y: [a, b]) -> [b, a]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!ab) -> !ba
    %1 = graph.transpose %y perm = [1, 0] : (!ab) -> !ba
    %2 = graph.maximum %0, %1 : !ba
    rule.yield %2 : [b, a]
  }
  target {
    %0 = graph.maximum %x, %y : !ab
    %1 = graph.transpose %0 perm = [1, 0] : (!ab) -> !ba
    rule.yield %1 : [b, a]
  }

rule.rule @maximum_of_transposed_102(%x: [a, b, c], %y: [a, b, c]) -> [b, a, c]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!abc) -> !bac
    %1 = graph.transpose %y perm = [1, 0, 2] : (!abc) -> !bac
    %2 = graph.maximum %0, %1 : !bac
    rule.yield %2 : [b, a, c]
  }
  target {
    %0 = graph.maximum %x, %y : !abc
    %1 = graph.transpose %0 perm = [1, 0, 2] : (!abc) -> !bac
    rule.yield %1 : [b, a, c]
  }

rule.rule @maximum_of_transposed_120(%x: [a, b, c], %y: [a, b, c]) -> [b, c, a]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!abc) -> !bca
    %1 = graph.transpose %y perm = [1, 2, 0] : (!abc) -> !bca
    %2 = graph.maximum %0, %1 : !bca
    rule.yield %2 : [b, c, a]
  }
  target {
    %0 = graph.maximum %x, %y : !abc
    %1 = graph.transpose %0 perm = [1, 2, 0] : (!abc) -> !bca
    rule.yield %1 : [b, c, a]
  }

rule.rule @maximum_of_transposed_201(%x: [a, b, c], %y: [a, b, c]) -> [c, a, b]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!abc) -> !cab
    %1 = graph.transpose %y perm = [2, 0, 1] : (!abc) -> !cab
    %2 = graph.maximum %0, %1 : !cab
    rule.yield %2 : [c, a, b]
  }
  target {
    %0 = graph.maximum %x, %y : !abc
    %1 = graph.transpose %0 perm = [2, 0, 1] : (!abc) -> !cab
    rule.yield %1 : [c, a, b]
  }

!ab_i1 = tensor<?x?xi1, #graph.dims<a, b>>
!ba_i1 = tensor<?x?xi1, #graph.dims<b, a>>
rule.rule @where_of_transposed_10(%k: [a, b] of i1, %x: [a, b], %y: [a, b]) -> [b, a]
  lifts [%k, %x, %y]
  source {
    %0 = graph.transpose %k perm = [1, 0] : (!ab_i1) -> !ba_i1
    %1 = graph.transpose %x perm = [1, 0] : (!ab) -> !ba
    %2 = graph.transpose %y perm = [1, 0] : (!ab) -> !ba
    %3 = graph.where %0, %1, %2 : !ba_i1, !ba, !ba
    rule.yield %3 : [b, a]
  }
  target {
    %0 = graph.where %k, %x, %y : !ab_i1, !ab, !ab
    %1 = graph.transpose %0 perm = [1, 0] : (!ab) -> !ba
    rule.yield %1 : [b, a]
  }

!abc_i1 = tensor<?x?x?xi1, #graph.dims<a, b, c>>
!bac_i1 = tensor<?x?x?xi1, #graph.dims<b, a, c>>
rule.rule @where_of_transposed_102(%k: [a, b, c] of i1, %x: [a, b, c], %y: [a, b, c]) -> [b, a, c]
  lifts [%k, %x, %y]
  source {
    %0 = graph.transpose %k perm = [1, 0, 2] : (!abc_i1) -> !bac_i1
    %1 = graph.transpose %x perm = [1, 0, 2] : (!abc) -> !bac
    %2 = graph.transpose %y perm = [1, 0, 2] : (!abc) -> !bac
    %3 = graph.where %0, %1, %2 : !bac_i1, !bac, !bac
    rule.yield %3 : [b, a, c]
  }
  target {
    %0 = graph.where %k, %x, %y : !abc_i1, !abc, !abc
    %1 = graph.transpose %0 perm = [1, 0, 2] : (!abc) -> !bac
    rule.yield %1 : [b, a, c]
  }

!bca_i1 = tensor<?x?x?xi1, #graph.dims<b, c, a>>
rule.rule @where_of_transposed_120(%k: [a, b, c] of i1, %x: [a, b, c], %y: [a, b, c]) -> [b, c, a]
  lifts [%k, %x, %y]
  source {
    %0 = graph.transpose %k perm = [1, 2, 0] : (!abc_i1) -> !bca_i1
    %1 = graph.transpose %x perm = [1, 2, 0] : (!abc) -> !bca
    %2 = graph.transpose %y perm = [1, 2, 0] : (!abc) -> !bca
    %3 = graph.where %0, %1, %2 : !bca_i1, !bca, !bca
    rule.yield %3 : [b, c, a]
  }
  target {
    %0 = graph.where %k, %x, %y : !abc_i1, !abc, !abc
    %1 = graph.transpose %0 perm = [1, 2, 0] : (!abc) -> !bca
    rule.yield %1 : [b, c, a]
  }

!cab_i1 = tensor<?x?x?xi1, #graph.dims<c, a, b>>
rule.rule @where_of_transposed_201(%k: [a, b, c] of i1, %x: [a, b, c], %y: [a, b, c]) -> [c, a, b]
  lifts [%k, %x, %y]
  source {
    %0 = graph.transpose %k perm = [2, 0, 1] : (!abc_i1) -> !cab_i1
    %1 = graph.transpose %x perm = [2, 0, 1] : (!abc) -> !cab
    %2 = graph.transpose %y perm = [2, 0, 1] : (!abc) -> !cab
    %3 = graph.where %0, %1, %2 : !cab_i1, !cab, !cab
    rule.yield %3 : [c, a, b]
  }
  target {
    %0 = graph.where %k, %x, %y : !abc_i1, !abc, !abc
    %1 = graph.transpose %0 perm = [2, 0, 1] : (!abc) -> !cab
    rule.yield %1 : [c, a, b]
  }

// Reshapes of operands.

!pxq = tensor<?xf32, #graph.dims<p * q>>
!pq = tensor<?x?xf32, #graph.dims<p, q>>
rule.rule @relu_of_reshaped_1_2(%x: [p * q]) -> [p, q]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [p, q] : (!pxq) -> !pq
    %1 = graph.relu %0 : !pq
    rule.yield %1 : [p, q]
  }
  target {
    %0 = graph.relu %x : !pxq
    %1 = graph.reshape %0 shape = [p, q] : (!pxq) -> !pq
    rule.yield %1 : [p, q]
  }

!axb = tensor<?xf32, #graph.dims<a * b>>
rule.rule @relu_of_reshaped_2_1(%x: [a, b]) -> [a * b]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [a * b] : (!ab) -> !axb
    %1 = graph.relu %0 : !axb
    rule.yield %1 : [a * b]
  }
  target {
    %0 = graph.relu %x : !ab
    %1 = graph.reshape %0 shape = [a * b] : (!ab) -> !axb
    rule.yield %1 : [a * b]
  }

rule.rule @relu_of_reshaped_2_2(%x: [a, b]) -> [p, q]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [p, q] : (!ab) -> !pq
    %1 = graph.relu %0 : !pq
    rule.yield %1 : [p, q]
  }
  target {
    %0 = graph.relu %x : !ab
    %1 = graph.reshape %0 shape = [p, q] : (!ab) -> !pq
    rule.yield %1 : [p, q]
  }

rule.rule @sigmoid_of_reshaped_1_2(%x: [p * q]) -> [p, q]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [p, q] : (!pxq) -> !pq
    %1 = graph.sigmoid %0 : !pq
    rule.yield %1 : [p, q]
  }
  target {
    %0 = graph.sigmoid %x : !pxq
    %1 = graph.reshape %0 shape = [p, q] : (!pxq) -> !pq
    rule.yield %1 : [p, q]
  }

rule.rule @sigmoid_of_reshaped_2_1(%x: [a, b]) -> [a * b]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [a * b] : (!ab) -> !axb
    %1 = graph.sigmoid %0 : !axb
    rule.yield %1 : [a * b]
  }
  target {
    %0 = graph.sigmoid %x : !ab
    %1 = graph.reshape %0 shape = [a * b] : (!ab) -> !axb
    rule.yield %1 : [a * b]
  }

rule.rule @tanh_of_reshaped_1_2(%x: [p * q]) -> [p, q]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [p, q] : (!pxq) -> !pq
    %1 = graph.tanh %0 : !pq
    rule.yield %1 : [p, q]
  }
  target {
    %0 = graph.tanh %x : !pxq
    %1 = graph.reshape %0 shape = [p, q] : (!pxq) -> !pq
    rule.yield %1 : [p, q]
  }

rule.rule @tanh_of_reshaped_2_1(%x: [a, b]) -> [a * b]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [a * b] : (!ab) -> !axb
    %1 = graph.tanh %0 : !axb
    rule.yield %1 : [a * b]
  }
  target {
    %0 = graph.tanh %x : !ab
    %1 = graph.reshape %0 shape = [a * b] : (!ab) -> !axb
    rule.yield %1 : [a * b]
  }

rule.rule @gelu_of_reshaped_1_2(%x: [p * q]) -> [p, q]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [p, q] : (!pxq) -> !pq
    %1 = graph.gelu %0 : !pq
    rule.yield %1 : [p, q]
  }
  target {
    %0 = graph.gelu %x : !pxq
    %1 = graph.reshape %0 shape = [p, q] : (!pxq) -> !pq
    rule.yield %1 : [p, q]
  }

rule.rule @gelu_of_reshaped_2_1(%x: [a, b]) -> [a * b]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [a * b] : (!ab) -> !axb
    %1 = graph.gelu %0 : !axb
    rule.yield %1 : [a * b]
  }
  target {
    %0 = graph.gelu %x : !ab
    %1 = graph.reshape %0 shape = [a * b] : (!ab) -> !axb
    rule.yield %1 : [a * b]
  }

rule.rule @add_of_reshaped_1_2(%x: [p * q], %y: [p * q]) -> [p, q]
  lifts [%x, %y]
  source {
    %0 = graph.reshape %x shape = [p, q] : (!pxq) -> !pq
    %1 = graph.reshape %y shape = [p, q] : (!pxq) -> !pq
    %2 = graph.add %0, %1 : !pq
    rule.yield %2 : [p, q]
  }
  target {
    %0 = graph.add %x, %y : !pxq
    %1 = graph.reshape %0 shape = [p, q] : (!pxq) -> !pq
    rule.yield %1 : [p, q]
  }

rule.rule @add_of_reshaped_2_1(%x: [a, b], %y: [a, b]) -> [a * b]
  lifts [%x, %y]
  source {
    %0 = graph.reshape %x shape = [a * b] : (!ab) -> !axb
    %1 = graph.reshape %y shape = [a * b] : (!ab) -> !axb
    %2 = graph.add %0, %1 : !axb
    rule.yield %2 : [a * b]
  }
  target {
    %0 = graph.add %x, %y : !ab
    %1 = graph.reshape %0 shape = [a * b] : (!ab) -> !axb
    rule.yield %1 : [a * b]
  }

rule.rule @add_of_reshaped_2_2(%x: [a, b], %y: [a, b]) -> [p, q]
  lifts [%x, %y]
  source {
    %0 = graph.reshape %x shape = [p, q] : (!ab) -> !pq
    %1 = graph.reshape %y shape = [p, q] : (!ab) -> !pq
    %2 = graph.add %0, %1 : !pq
    rule.yield %2 : [p, q]
  }
  target {
    %0 = graph.add %x, %y : !ab
    %1 = graph.reshape %0 shape = [p, q] : (!ab) -> !pq
    rule.yield %1 : [p, q]
  }

rule.rule @mul_of_reshaped_1_2(%x: [p * q], %y: [p * q]) -> [p, q]
  lifts [%x, %y]
  source {
    %0 = graph.reshape %x shape = [p, q] : (!pxq) -> !pq
    %1 = graph.reshape %y shape = [p, q] : (!pxq) -> !pq
    %2 = graph.mul %0, %1 : !pq
    rule.yield %2 : [p, q]
  }
  target {
    %0 = graph.mul %x, %y : !pxq
    %1 = graph.reshape %0 shape = [p, q] : (!pxq) -> !pq
    rule.yield %1 : [p, q]
  }

rule.rule @mul_of_reshaped_2_1(%x: [a, b], %y: [a, b]) -> [a * b]
  lifts [%x, %y]
  source {
    %0 = graph.reshape %x shape = [a * b] : (!ab) -> !axb
    %1 = graph.reshape %y shape = [a * b] : (!ab) -> !axb
    %2 = graph.mul %0, %1 : !axb
    rule.yield %2 : [a * b]
  }
  target {
    %0 = graph.mul %x, %y : !ab
    %1 = graph.reshape %0 shape = [a * b] : (!ab) -> !axb
    rule.yield %1 : [a * b]
  }

// 64. Broadcasts of operands: the function is applied before elements are repeated.

!scalar = tensor<f32>
!a = tensor<?xf32, #graph.dims<a>>
rule.rule @relu_of_repeated_number(%x: []) -> [a]
  source {
    %0 = graph.broadcast %x shape = [a] : (!scalar) -> !a
    %1 = graph.relu %0 : !a
    rule.yield %1 : [a]
  }
  target {
    %0 = graph.relu %x : !scalar
    %1 = graph.broadcast %0 shape = [a] : (!scalar) -> !a
    rule.yield %1 : [a]
  }

rule.rule @relu_of_repeated_number_2(%x: []) -> [a, b]
  source {
    %0 = graph.broadcast %x shape = [a, b] : (!scalar) -> !ab
    %1 = graph.relu %0 : !ab
    rule.yield %1 : [a, b]
  }
  target {
    %0 = graph.relu %x : !scalar
    %1 = graph.broadcast %0 shape = [a, b] : (!scalar) -> !ab
    rule.yield %1 : [a, b]
  }

rule.rule @relu_of_repeated_number_3(%x: []) -> [a, b, c]
  source {
    %0 = graph.broadcast %x shape = [a, b, c] : (!scalar) -> !abc
    %1 = graph.relu %0 : !abc
    rule.yield %1 : [a, b, c]
  }
  target {
    %0 = graph.relu %x : !scalar
    %1 = graph.broadcast %0 shape = [a, b, c] : (!scalar) -> !abc
    rule.yield %1 : [a, b, c]
  }

!b = tensor<?xf32, #graph.dims<b>>
rule.rule @relu_of_repeated_row(%x: [b]) -> [a, b]
  source {
    %0 = graph.broadcast %x shape = [a, b] : (!b) -> !ab
    %1 = graph.relu %0 : !ab
    rule.yield %1 : [a, b]
  }
  target {
    %0 = graph.relu %x : !b
    %1 = graph.broadcast %0 shape = [a, b] : (!b) -> !ab
    rule.yield %1 : [a, b]
  }

!a1 = tensor<?x1xf32, #graph.dims<a, 1>>
rule.rule @relu_of_repeated_column(%x: [a, 1]) -> [a, b]
  source {
    %0 = graph.broadcast %x shape = [a, b] : (!a1) -> !ab
    %1 = graph.relu %0 : !ab
    rule.yield %1 : [a, b]
  }
  target {
    %0 = graph.relu %x : !a1
    %1 = graph.broadcast %0 shape = [a, b] : (!a1) -> !ab
    rule.yield %1 : [a, b]
  }

!b11 = tensor<?x1x1xf32, #graph.dims<b, 1, 1>>
!abcd = tensor<?x?x?x?xf32, #graph.dims<a, b, c, d>>
rule.rule @relu_of_repeated_channels(%x: [b, 1, 1]) -> [a, b, c, d]
  source {
    %0 = graph.broadcast %x shape = [a, b, c, d] : (!b11) -> !abcd
    %1 = graph.relu %0 : !abcd
    rule.yield %1 : [a, b, c, d]
  }
  target {
    %0 = graph.relu %x : !b11
    %1 = graph.broadcast %0 shape = [a, b, c, d] : (!b11) -> !abcd
    rule.yield %1 : [a, b, c, d]
  }

rule.rule @exp_of_repeated_number(%x: []) -> [a]
  source {
    %0 = graph.broadcast %x shape = [a] : (!scalar) -> !a
    %1 = graph.exp %0 : !a
    rule.yield %1 : [a]
  }
  target {
    %0 = graph.exp %x : !scalar
    %1 = graph.broadcast %0 shape = [a] : (!scalar) -> !a
    rule.yield %1 : [a]
  }

rule.rule @exp_of_repeated_number_2(%x: []) -> [a, b]
  source {
    %0 = graph.broadcast %x shape = [a, b] : (!scalar) -> !ab
    %1 = graph.exp %0 : !ab
    rule.yield %1 : [a, b]
  }
  target {
    %0 = graph.exp %x : !scalar
    %1 = graph.broadcast %0 shape = [a, b] : (!scalar) -> !ab
    rule.yield %1 : [a, b]
  }

rule.rule @exp_of_repeated_number_3(%x: []) -> [a, b, c]
  source {
    %0 = graph.broadcast %x shape = [a, b, c] : (!scalar) -> !abc
    %1 = graph.exp %0 : !abc
    rule.yield %1 : [a, b, c]
  }
  target {
    %0 = graph.exp %x : !scalar
    %1 = graph.broadcast %0 shape = [a, b, c] : (!scalar) -> !abc
    rule.yield %1 : [a, b, c]
  }

rule.rule @exp_of_repeated_row(%x: [b]) -> [a, b]
  source {
    %0 = graph.broadcast %x shape = [a, b] : (!b) -> !ab
    %1 = graph.exp %0 : !ab
    rule.yield %1 : [a, b]
  }
  target {
    %0 = graph.exp %x : !b
    %1 = graph.broadcast %0 shape = [a, b] : (!b) -> !ab
    rule.yield %1 : [a, b]
  }

rule.rule @exp_of_repeated_column(%x: [a, 1]) -> [a, b]
  source {
    %0 = graph.broadcast %x shape = [a, b] : (!a1) -> !ab
    %1 = graph.exp %0 : !ab
    rule.yield %1 : [a, b]
  }
  target {
    %0 = graph.exp %x : !a1
    %1 = graph.broadcast %0 shape = [a, b] : (!a1) -> !ab
    rule.yield %1 : [a, b]
  }

rule.rule @exp_of_repeated_channels(%x: [b, 1, 1]) -> [a, b, c, d]
  source {
    %0 = graph.broadcast %x shape = [a, b, c, d] : (!b11) -> !abcd
    %1 = graph.exp %0 : !abcd
    rule.yield %1 : [a, b, c, d]
  }
  target {
    %0 = graph.exp %x : !b11
    %1 = graph.broadcast %0 shape = [a, b, c, d] : (!b11) -> !abcd
    rule.yield %1 : [a, b, c, d]
  }

rule.rule @neg_of_repeated_number(%x: []) -> [a]
  source {
    %0 = graph.broadcast %x shape = [a] : (!scalar) -> !a
    %1 = graph.neg %0 : !a
    rule.yield %1 : [a]
  }
  target {
    %0 = graph.neg %x : !scalar
    %1 = graph.broadcast %0 shape = [a] : (!scalar) -> !a
    rule.yield %1 : [a]
  }

rule.rule @neg_of_repeated_number_2(%x: []) -> [a, b]
  source {
    %0 = graph.broadcast %x shape = [a, b] : (!scalar) -> !ab
    %1 = graph.neg %0 : !ab
    rule.yield %1 : [a, b]
  }
  target {
    %0 = graph.neg %x : !scalar
    %1 = graph.broadcast %0 shape = [a, b] : (!scalar) -> !ab
    rule.yield %1 : [a, b]
  }

rule.rule @neg_of_repeated_number_3(%x: []) -> [a, b, c]
  source {
    %0 = graph.broadcast %x shape = [a, b, c] : (!scalar) -> !abc
    %1 = graph.neg %0 : !abc
    rule.yield %1 : [a, b, c]
  }
  target {
    %0 = graph.neg %x : !scalar
    %1 = graph.broadcast %0 shape = [a, b, c] : (!scalar) -> !abc
    rule.yield %1 : [a, b, c]
  }

rule.rule @neg_of_repeated_row(%x: [b]) -> [a, b]
  source {
    %0 = graph.broadcast %x shape = [a, b] : (!b) -> !ab
    %1 = graph.neg %0 : !ab
    rule.yield %1 : [a, b]
  }
  target {
    %0 = graph.neg %x : !b
    %1 = graph.broadcast %0 shape = [a, b] : (!b) -> !ab
    rule.yield %1 : [a, b]
  }

rule.rule @neg_of_repeated_column(%x: [a, 1]) -> [a, b]
  source {
    %0 = graph.broadcast %x shape = [a, b] : (!a1) -> !ab
    %1 = graph.neg %0 : !ab
    rule.yield %1 : [a, b]
  }
  target {
    %0 = graph.neg %x : !a1
    %1 = graph.broadcast %0 shape = [a, b] : (!a1) -> !ab
    rule.yield %1 : [a, b]
  }

rule.rule @neg_of_repeated_channels(%x: [b, 1, 1]) -> [a, b, c, d]
  source {
    %0 = graph.broadcast %x shape = [a, b, c, d] : (!b11) -> !abcd
    %1 = graph.neg %0 : !abcd
    rule.yield %1 : [a, b, c, d]
  }
  target {
    %0 = graph.neg %x : !b11
    %1 = graph.broadcast %0 shape = [a, b, c, d] : (!b11) -> !abcd
    rule.yield %1 : [a, b, c, d]
  }

rule.rule @rsqrt_of_repeated_number(%x: []) -> [a]
  source {
    %0 = graph.broadcast %x shape = [a] : (!scalar) -> !a
    %1 = graph.rsqrt %0 : !a
    rule.yield %1 : [a]
  }
  target {
    %0 = graph.rsqrt %x : !scalar
    %1 = graph.broadcast %0 shape = [a] : (!scalar) -> !a
    rule.yield %1 : [a]
  }

rule.rule @rsqrt_of_repeated_number_2(%x: []) -> [a, b]
  source {
    %0 = graph.broadcast %x shape = [a, b] : (!scalar) -> !ab
    %1 = graph.rsqrt %0 : !ab
    rule.yield %1 : [a, b]
  }
  target {
    %0 = graph.rsqrt %x : !scalar
    %1 = graph.broadcast %0 shape = [a, b] : (!scalar) -> !ab
    rule.yield %1 : [a, b]
  }

rule.rule @rsqrt_of_repeated_number_3(%x: []) -> [a, b, c]
  source {
    %0 = graph.broadcast %x shape = [a, b, c] : (!scalar) -> !abc
    %1 = graph.rsqrt %0 : !abc
    rule.yield %1 : [a, b, c]
  }
  target {
    %0 = graph.rsqrt %x : !scalar
    %1 = graph.broadcast %0 shape = [a, b, c] : (!scalar) -> !abc
    rule.yield %1 : [a, b, c]
  }

rule.rule @rsqrt_of_repeated_row(%x: [b]) -> [a, b]
  source {
    %0 = graph.broadcast %x shape = [a, b] : (!b) -> !ab
    %1 = graph.rsqrt %0 : !ab
    rule.yield %1 : [a, b]
  }
  target {
    %0 = graph.rsqrt %x : !b
    %1 = graph.broadcast %0 shape = [a, b] : (!b) -> !ab
    rule.yield %1 : [a, b]
  }

rule.rule @rsqrt_of_repeated_column(%x: [a, 1]) -> [a, b]
  source {
    %0 = graph.broadcast %x shape = [a, b] : (!a1) -> !ab
    %1 = graph.rsqrt %0 : !ab
    rule.yield %1 : [a, b]
  }
  target {
    %0 = graph.rsqrt %x : !a1
    %1 = graph.broadcast %0 shape = [a, b] : (!a1) -> !ab
    rule.yield %1 : [a, b]
  }

rule.rule @rsqrt_of_repeated_channels(%x: [b, 1, 1]) -> [a, b, c, d]
  source {
    %0 = graph.broadcast %x shape = [a, b, c, d] : (!b11) -> !abcd
    %1 = graph.rsqrt %0 : !abcd
    rule.yield %1 : [a, b, c, d]
  }
  target {
    %0 = graph.rsqrt %x : !b11
    %1 = graph.broadcast %0 shape = [a, b, c, d] : (!b11) -> !abcd
    rule.yield %1 : [a, b, c, d]
  }

rule.rule @add_of_repeated_number(%x: [], %y: []) -> [a]
  source {
    %0 = graph.broadcast %x shape = [a] : (!scalar) -> !a
    %1 = graph.broadcast %y shape = [a] : (!scalar) -> !a
    %2 = graph.add %0, %1 : !a
    rule.yield %2 : [a]
  }
  target {
    %0 = graph.add %x, %y : !scalar
    %1 = graph.broadcast %0 shape = [a] : (!scalar) -> !a
    rule.yield %1 : [a]
  }

rule.rule @add_of_repeated_number_2(%x: [], %y: []) -> [a, b]
  source {
    %0 = graph.broadcast %x shape = [a, b] : (!scalar) -> !ab
    %1 = graph.broadcast %y shape = [a, b] : (!scalar) -> !ab
    %2 = graph.add %0, %1 : !ab
    rule.yield %2 : [a, b]
  }
  target {
    %0 = graph.add %x, %y : !scalar
    %1 = graph.broadcast %0 shape = [a, b] : (!scalar) -> !ab
    rule.yield %1 : [a, b]
  }

rule.rule @add_of_repeated_number_3(%x: [], %y: []) -> [a, b, c]
  source {
    %0 = graph.broadcast %x shape = [a, b, c] : (!scalar) -> !abc
    %1 = graph.broadcast %y shape = [a, b, c] : (!scalar) -> !abc
    %2 = graph.add %0, %1 : !abc
    rule.yield %2 : [a, b, c]
  }
  target {
    %0 = graph.add %x, %y : !scalar
    %1 = graph.broadcast %0 shape = [a, b, c] : (!scalar) -> !abc
    rule.yield %1 : [a, b, c]
  }

rule.rule @add_of_repeated_row(%x: [b], %y: [b]) -> [a, b]
  source {
    %0 = graph.broadcast %x shape = [a, b] : (!b) -> !ab
    %1 = graph.broadcast %y shape = [a, b] : (!b) -> !ab
    %2 = graph.add %0, %1 : !ab
    rule.yield %2 : [a, b]
  }
  target {
    %0 = graph.add %x, %y : !b
    %1 = graph.broadcast %0 shape = [a, b] : (!b) -> !ab
    rule.yield %1 : [a, b]
  }

rule.rule @add_of_repeated_column(%x: [a, 1], %y: [a, 1]) -> [a, b]
  source {
    %0 = graph.broadcast %x shape = [a, b] : (!a1) -> !ab
    %1 = graph.broadcast %y shape = [a, b] : (!a1) -> !ab
    %2 = graph.add %0, %1 : !ab
    rule.yield %2 : [a, b]
  }
  target {
    %0 = graph.add %x, %y : !a1
    %1 = graph.broadcast %0 shape = [a, b] : (!a1) -> !ab
    rule.yield %1 : [a, b]
  }

rule.rule @add_of_repeated_channels(%x: [b, 1, 1], %y: [b, 1, 1]) -> [a, b, c, d]
  source {
    %0 = graph.broadcast %x shape = [a, b, c, d] : (!b11) -> !abcd
    %1 = graph.broadcast %y shape = [a, b, c, d] : (!b11) -> !abcd
    %2 = graph.add %0, %1 : !abcd
    rule.yield %2 : [a, b, c, d]
  }
  target {
    %0 = graph.add %x, %y : !b11
    %1 = graph.broadcast %0 shape = [a, b, c, d] : (!b11) -> !abcd
    rule.yield %1 : [a, b, c, d]
  }

rule.rule @mul_of_repeated_number(%x: [], %y: []) -> [a]
  source {
    %0 = graph.broadcast %x shape = [a] : (!scalar) -> !a
    %1 = graph.broadcast %y shape = [a] : (!scalar) -> !a
    %2 = graph.mul %0, %1 : !a
    rule.yield %2 : [a]
  }
  target {
    %0 = graph.mul %x, %y : !scalar
    %1 = graph.broadcast %0 shape = [a] : (!scalar) -> !a
    rule.yield %1 : [a]
  }

rule.rule @mul_of_repeated_number_2(%x: [], %y: []) -> [a, b]
  source {
    %0 = graph.broadcast %x shape = [a, b] : (!scalar) -> !ab
    %1 = graph.broadcast %y shape = [a, b] : (!scalar) -> !ab
    %2 = graph.mul %0, %1 : !ab
    rule.yield %2 : [a, b]
  }
  target {
    %0 = graph.mul %x, %y : !scalar
    %1 = graph.broadcast %0 shape = [a, b] : (!scalar) -> !ab
    rule.yield %1 : [a, b]
  }

rule.rule @mul_of_repeated_number_3(%x: [], %y: []) -> [a, b, c]
  source {
    %0 = graph.broadcast %x shape = [a, b, c] : (!scalar) -> !abc
    %1 = graph.broadcast %y shape = [a, b, c] : (!scalar) -> !abc
    %2 = graph.mul %0, %1 : !abc
    rule.yield %2 : [a, b, c]
  }
  target {
    %0 = graph.mul %x, %y : !scalar
    %1 = graph.broadcast %0 shape = [a, b, c] : (!scalar) -> !abc
    rule.yield %1 : [a, b, c]
  }

rule.rule @mul_of_repeated_row(%x: [b], %y: [b]) -> [a, b]
  source {
    %0 = graph.broadcast %x shape = [a, b] : (!b) -> !ab
    %1 = graph.broadcast %y shape = [a, b] : (!b) -> !ab
    %2 = graph.mul %0, %1 : !ab
    rule.yield %2 : [a, b]
  }
  target {
    %0 = graph.mul %x, %y : !b
    %1 = graph.broadcast %0 shape = [a, b] : (!b) -> !ab
    rule.yield %1 : [a, b]
  }

rule.rule @mul_of_repeated_column(%x: [a, 1], %y: [a, 1]) -> [a, b]
  source {
    %0 = graph.broadcast %x shape = [a, b] : (!a1) -> !ab
    %1 = graph.broadcast %y shape = [a, b] : (!a1) -> !ab
    %2 = graph.mul %0, %1 : !ab
    rule.yield %2 : [a, b]
  }
  target {
    %0 = graph.mul %x, %y : !a1
    %1 = graph.broadcast %0 shape = [a, b] : (!a1) -> !ab
    rule.yield %1 : [a, b]
  }

rule.rule @mul_of_repeated_channels(%x: [b, 1, 1], %y: [b, 1, 1]) -> [a, b, c, d]
  source {
    %0 = graph.broadcast %x shape = [a, b, c, d] : (!b11) -> !abcd
    %1 = graph.broadcast %y shape = [a, b, c, d] : (!b11) -> !abcd
    %2 = graph.mul %0, %1 : !abcd
    rule.yield %2 : [a, b, c, d]
  }
  target {
    %0 = graph.mul %x, %y : !b11
    %1 = graph.broadcast %0 shape = [a, b, c, d] : (!b11) -> !abcd
    rule.yield %1 : [a, b, c, d]
  }

// Slices of results: the function is applied to what is read only.

!p = tensor<?xf32, #graph.dims<p>>
rule.rule @slice_of_relu_1(%x: [a]) -> [p]
  lifts [%x]
  source {
    %0 = graph.relu %x : !a
    %1 = graph.slice %0 starts = [s] sizes = [p] steps = [v] : (!a) -> !p
    rule.yield %1 : [p]
  }
  target {
    %0 = graph.slice %x starts = [s] sizes = [p] steps = [v] : (!a) -> !p
    %1 = graph.relu %0 : !p
    rule.yield %1 : [p]
  }

rule.rule @slice_of_relu_2(%x: [a, b]) -> [p, q]
  lifts [%x]
  source {
    %0 = graph.relu %x : !ab
    %1 = graph.slice %0 starts = [s, t] sizes = [p, q] steps = [1, 1] : (!ab) -> !pq
    rule.yield %1 : [p, q]
  }
  target {
    %0 = graph.slice %x starts = [s, t] sizes = [p, q] steps = [1, 1] : (!ab) -> !pq
    %1 = graph.relu %0 : !pq
    rule.yield %1 : [p, q]
  }

!pqr = tensor<?x?x?xf32, #graph.dims<p, q, r>>
rule.rule @slice_of_relu_3(%x: [a, b, c]) -> [p, q, r]
  lifts [%x]
  source {
    %0 = graph.relu %x : !abc
    %1 = graph.slice %0 starts = [s, t, u] sizes = [p, q, r] steps = [1, 1, 1] : (!abc) -> !pqr
    rule.yield %1 : [p, q, r]
  }
  target {
    %0 = graph.slice %x starts = [s, t, u] sizes = [p, q, r] steps = [1, 1, 1] : (!abc) -> !pqr
    %1 = graph.relu %0 : !pqr
    rule.yield %1 : [p, q, r]
  }

rule.rule @slice_of_sigmoid_1(%x: [a]) -> [p]
  lifts [%x]
  source {
    %0 = graph.sigmoid %x : !a
    %1 = graph.slice %0 starts = [s] sizes = [p] steps = [v] : (!a) -> !p
    rule.yield %1 : [p]
  }
  target {
    %0 = graph.slice %x starts = [s] sizes = [p] steps = [v] : (!a) -> !p
    %1 = graph.sigmoid %0 : !p
    rule.yield %1 : [p]
  }

rule.rule @slice_of_sigmoid_2(%x: [a, b]) -> [p, q]
  lifts [%x]
  source {
    %0 = graph.sigmoid %x : !ab
    %1 = graph.slice %0 starts = [s, t] sizes = [p, q] steps = [1, 1] : (!ab) -> !pq
    rule.yield %1 : [p, q]
  }
  target {
    %0 = graph.slice %x starts = [s, t] sizes = [p, q] steps = [1, 1] : (!ab) -> !pq
    %1 = graph.sigmoid %0 : !pq
    rule.yield %1 : [p, q]
  }

rule.rule @slice_of_tanh_1(%x: [a]) -> [p]
  lifts [%x]
  source {
    %0 = graph.tanh %x : !a
    %1 = graph.slice %0 starts = [s] sizes = [p] steps = [v] : (!a) -> !p
    rule.yield %1 : [p]
  }
  target {
    %0 = graph.slice %x starts = [s] sizes = [p] steps = [v] : (!a) -> !p
    %1 = graph.tanh %0 : !p
    rule.yield %1 : [p]
  }

rule.rule @slice_of_tanh_2(%x: [a, b]) -> [p, q]
  lifts [%x]
  source {
    %0 = graph.tanh %x : !ab
    %1 = graph.slice %0 starts = [s, t] sizes = [p, q] steps = [1, 1] : (!ab) -> !pq
    rule.yield %1 : [p, q]
  }
  target {
    %0 = graph.slice %x starts = [s, t] sizes = [p, q] steps = [1, 1] : (!ab) -> !pq
    %1 = graph.tanh %0 : !pq
    rule.yield %1 : [p, q]
  }

rule.rule @slice_of_gelu_1(%x: [a]) -> [p]
  lifts [%x]
  source {
    %0 = graph.gelu %x : !a
    %1 = graph.slice %0 starts = [s] sizes = [p] steps = [v] : (!a) -> !p
    rule.yield %1 : [p]
  }
  target {
    %0 = graph.slice %x starts = [s] sizes = [p] steps = [v] : (!a) -> !p
    %1 = graph.gelu %0 : !p
    rule.yield %1 : [p]
  }

rule.rule @slice_of_gelu_2(%x: [a, b]) -> [p, q]
  lifts [%x]
  source {
    %0 = graph.gelu %x : !ab
    %1 = graph.slice %0 starts = [s, t] sizes = [p, q] steps = [1, 1] : (!ab) -> !pq
    rule.yield %1 : [p, q]
  }
  target {
    %0 = graph.slice %x starts = [s, t] sizes = [p, q] steps = [1, 1] : (!ab) -> !pq
    %1 = graph.gelu %0 : !pq
    rule.yield %1 : [p, q]
  }

rule.rule @slice_of_add_1(%x: [a], %y: [a]) -> [p]
  lifts [%x, %y]
  source {
    %0 = graph.add %x, %y : !a
    %1 = graph.slice %0 starts = [s] sizes = [p] steps = [v] : (!a) -> !p
    rule.yield %1 : [p]
  }
  target {
    %0 = graph.slice %x starts = [s] sizes = [p] steps = [v] : (!a) -> !p
    %1 = graph.slice %y starts = [s] sizes = [p] steps = [v] : (!a) -> !p
    %2 = graph.add %0, %1 : !p
    rule.yield %2 : [p]
  }

rule.rule @slice_of_add_2(%x: [a, b], %y: [a, b]) -> [p, q]
  lifts [%x, %y]
  source {
    %0 = graph.add %x, %y : !ab
    %1 = graph.slice %0 starts = [s, t] sizes = [p, q] steps = [1, 1] : (!ab) -> !pq
    rule.yield %1 : [p, q]
  }
  target {
    %0 = graph.slice %x starts = [s, t] sizes = [p, q] steps = [1, 1] : (!ab) -> !pq
    %1 = graph.slice %y starts = [s, t] sizes = [p, q] steps = [1, 1] : (!ab) -> !pq
    %2 = graph.add %0, %1 : !pq
    rule.yield %2 : [p, q]
  }

rule.rule @slice_of_add_3(%x: [a, b, c], %y: [a, b, c]) -> [p, q, r]
  lifts [%x, %y]
  source {
    %0 = graph.add %x, %y : !abc
    %1 = graph.slice %0 starts = [s, t, u] sizes = [p, q, r] steps = [1, 1, 1] : (!abc) -> !pqr
    rule.yield %1 : [p, q, r]
  }
  target {
    %0 = graph.slice %x starts = [s, t, u] sizes = [p, q, r] steps = [1, 1, 1] : (!abc) -> !pqr
    %1 = graph.slice %y starts = [s, t, u] sizes = [p, q, r] steps = [1, 1, 1] : (!abc) -> !pqr
    %2 = graph.add %0, %1 : !pqr
    rule.yield %2 : [p, q, r]
  }

rule.rule @slice_of_sub_1(%x: [a], %y: [a]) -> [p]
  lifts [%x, %y]
  source {
    %0 = graph.sub %x, %y : !a
    %1 = graph.slice %0 starts = [s] sizes = [p] steps = [v] : (!a) -> !p
    rule.yield %1 : [p]
  }
  target {
    %0 = graph.slice %x starts = [s] sizes = [p] steps = [v] : (!a) -> !p
    %1 = graph.slice %y starts = [s] sizes = [p] steps = [v] : (!a) -> !p
    %2 = graph.sub %0, %1 : !p
    rule.yield %2 : [p]
  }

rule.rule @slice_of_sub_2(%x: [a, b], %y: [a, b]) -> [p, q]
  lifts [%x, %y]
  source {
    %0 = graph.sub %x, %y : !ab
    %1 = graph.slice %0 starts = [s, t] sizes = [p, q] steps = [1, 1] : (!ab) -> !pq
    rule.yield %1 : [p, q]
  }
  target {
    %0 = graph.slice %x starts = [s, t] sizes = [p, q] steps = [1, 1] : (!ab) -> !pq
    %1 = graph.slice %y starts = [s, t] sizes = [p, q] steps = [1, 1] : (!ab) -> !pq
    %2 = graph.sub %0, %1 : !pq
    rule.yield %2 : [p, q]
  }

rule.rule @slice_of_mul_1(%x: [a], %y: [a]) -> [p]
  lifts [%x, %y]
  source {
    %0 = graph.mul %x, %y : !a
    %1 = graph.slice %0 starts = [s] sizes = [p] steps = [v] : (!a) -> !p
    rule.yield %1 : [p]
  }
  target {
    %0 = graph.slice %x starts = [s] sizes = [p] steps = [v] : (!a) -> !p
    %1 = graph.slice %y starts = [s] sizes = [p] steps = [v] : (!a) -> !p
    %2 = graph.mul %0, %1 : !p
    rule.yield %2 : [p]
  }

rule.rule @slice_of_mul_2(%x: [a, b], %y: [a, b]) -> [p, q]
  lifts [%x, %y]
  source {
    %0 = graph.mul %x, %y : !ab
    %1 = graph.slice %0 starts = [s, t] sizes = [p, q] steps = [1, 1] : (!ab) -> !pq
    rule.yield %1 : [p, q]
  }
  target {
    %0 = graph.slice %x starts = [s, t] sizes = [p, q] steps = [1, 1] : (!ab) -> !pq
    %1 = graph.slice %y starts = [s, t] sizes = [p, q] steps = [1, 1] : (!ab) -> !pq
    %2 = graph.mul %0, %1 : !pq
    rule.yield %2 : [p, q]
  }

rule.rule @slice_of_mul_3(%x: [a, b, c], %y: [a, b, c]) -> [p, q, r]
  lifts [%x, %y]
  source {
    %0 = graph.mul %x, %y : !abc
    %1 = graph.slice %0 starts = [s, t, u] sizes = [p, q, r] steps = [1, 1, 1] : (!abc) -> !pqr
    rule.yield %1 : [p, q, r]
  }
  target {
    %0 = graph.slice %x starts = [s, t, u] sizes = [p, q, r] steps = [1, 1, 1] : (!abc) -> !pqr
    %1 = graph.slice %y starts = [s, t, u] sizes = [p, q, r] steps = [1, 1, 1] : (!abc) -> !pqr
    %2 = graph.mul %0, %1 : !pqr
    rule.yield %2 : [p, q, r]
  }

rule.rule @slice_of_div_1(%x: [a], %y: [a]) -> [p]
  lifts [%x, %y]
  source {
    %0 = graph.div %x, %y : !a
    %1 = graph.slice %0 starts = [s] sizes = [p] steps = [v] : (!a) -> !p
    rule.yield %1 : [p]
  }
  target {
    %0 = graph.slice %x starts = [s] sizes = [p] steps = [v] : (!a) -> !p
    %1 = graph.slice %y starts = [s] sizes = [p] steps = [v] : (!a) -> !p
    %2 = graph.div %0, %1 : !p
    rule.yield %2 : [p]
  }

rule.rule @slice_of_div_2(%x: [a, b], %y: [a, b]) -> [p, q]
  lifts [%x, %y]
  source {
    %0 = graph.div %x, %y : !ab
    %1 = graph.slice %0 starts = [s, t] sizes = [p, q] steps = [1, 1] : (!ab) -> !pq
    rule.yield %1 : [p, q]
  }
  target {
    %0 = graph.slice %x starts = [s, t] sizes = [p, q] steps = [1, 1] : (!ab) -> !pq
    %1 = graph.slice %y starts = [s, t] sizes = [p, q] steps = [1, 1] : (!ab) -> !pq
    %2 = graph.div %0, %1 : !pq
    rule.yield %2 : [p, q]
  }
