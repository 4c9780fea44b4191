// Activations that are spelled out, as --graph-recognize-activations writes them
// (lib/Dialect/Graph/Transforms/RecognizeActivations.cpp).
//
// A constant here is the element of f32 that a model has in its place; the op's own
// formula has the same one. So a rule holds for the forms in which the formula has
// that constant: x * 0.70710677, not x / 1.4142135. (In the other form, the number
// is another real number, which stands for the same one: see the description of the
// pass.)
//
// Hard swish is missing: x * clip(x + 3, 0, 6) / 6 equals x * clip(x / 6 + 1 / 2, 0, 1),
// but the prover knows no law that takes a factor out of a maximum.
//
// `tenon-rules prove rules/passes/recognize-activations.mlir` proves them.

// RecognizeProduct::recognize: x * sigmoid(x).
rule.rule @silu_spelled_out(%x: [n]) -> [n]
  lifts [%x]
  source {
    %0 = graph.sigmoid %x
    %1 = graph.mul %x, %0
    rule.yield %1
  }
  target {
    %0 = graph.silu %x
    rule.yield %0
  }

rule.rule @silu_spelled_out_first(%x: [n]) -> [n]
  lifts [%x]
  source {
    %0 = graph.sigmoid %x
    %1 = graph.mul %0, %x
    rule.yield %1
  }
  target {
    %0 = graph.silu %x
    rule.yield %0
  }

// x * tanh(softplus(x)).
rule.rule @mish_spelled_out(%x: [n]) -> [n]
  lifts [%x]
  source {
    %0 = graph.softplus %x
    %1 = graph.tanh %0
    %2 = graph.mul %x, %1
    rule.yield %2
  }
  target {
    %0 = graph.mish %x
    rule.yield %0
  }

// x / 2 * (1 + erf(x * sqrt(1 / 2))), where the half stands anywhere (getGeluKind).
rule.rule @gelu_spelled_out(%x: [n]) -> [n]
  source {
    %cr = graph.constant dense<0.707106769> : tensor<f32>
    %root = graph.broadcast %cr shape = [n]
    %c1 = graph.constant dense<1.0> : tensor<f32>
    %one = graph.broadcast %c1 shape = [n]
    %ch = graph.constant dense<0.5> : tensor<f32>
    %half = graph.broadcast %ch shape = [n]
    %0 = graph.mul %x, %root
    %1 = graph.erf %0
    %2 = graph.add %1, %one
    %3 = graph.mul %x, %2
    %4 = graph.mul %3, %half
    rule.yield %4
  }
  target {
    %0 = graph.gelu %x
    rule.yield %0
  }

rule.rule @gelu_spelled_out_half_first(%x: [n]) -> [n]
  source {
    %cr = graph.constant dense<0.707106769> : tensor<f32>
    %root = graph.broadcast %cr shape = [n]
    %c1 = graph.constant dense<1.0> : tensor<f32>
    %one = graph.broadcast %c1 shape = [n]
    %ch = graph.constant dense<0.5> : tensor<f32>
    %half = graph.broadcast %ch shape = [n]
    %0 = graph.mul %x, %root
    %1 = graph.erf %0
    %2 = graph.add %1, %one
    %3 = graph.mul %x, %half
    %4 = graph.mul %3, %2
    rule.yield %4
  }
  target {
    %0 = graph.gelu %x
    rule.yield %0
  }

// x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x ^ 3))) (isTanhArgument), with
// x ^ 3 as two products or as a power (isCube).
rule.rule @gelu_tanh_spelled_out(%x: [n]) -> [n]
  source {
    %cs = graph.constant dense<0.797884583> : tensor<f32>
    %root = graph.broadcast %cs shape = [n]
    %cc = graph.constant dense<0.0447149985> : tensor<f32>
    %small = graph.broadcast %cc shape = [n]
    %c1 = graph.constant dense<1.0> : tensor<f32>
    %one = graph.broadcast %c1 shape = [n]
    %ch = graph.constant dense<0.5> : tensor<f32>
    %half = graph.broadcast %ch shape = [n]
    %0 = graph.mul %x, %x
    %1 = graph.mul %0, %x
    %2 = graph.mul %1, %small
    %3 = graph.add %x, %2
    %4 = graph.mul %3, %root
    %5 = graph.tanh %4
    %6 = graph.add %5, %one
    %7 = graph.mul %x, %6
    %8 = graph.mul %7, %half
    rule.yield %8
  }
  target {
    %0 = graph.gelu %x tanh
    rule.yield %0
  }

rule.rule @gelu_tanh_of_power(%x: [n]) -> [n]
  source {
    %cs = graph.constant dense<0.797884583> : tensor<f32>
    %root = graph.broadcast %cs shape = [n]
    %cc = graph.constant dense<0.0447149985> : tensor<f32>
    %small = graph.broadcast %cc shape = [n]
    %c1 = graph.constant dense<1.0> : tensor<f32>
    %one = graph.broadcast %c1 shape = [n]
    %ch = graph.constant dense<0.5> : tensor<f32>
    %half = graph.broadcast %ch shape = [n]
    %c3 = graph.constant dense<3.0> : tensor<f32>
    %three = graph.broadcast %c3 shape = [n]
    %0 = graph.pow %x, %three
    %1 = graph.mul %0, %small
    %2 = graph.add %x, %1
    %3 = graph.mul %2, %root
    %4 = graph.tanh %3
    %5 = graph.add %4, %one
    %6 = graph.mul %x, %half
    %7 = graph.mul %6, %5
    rule.yield %7
  }
  target {
    %0 = graph.gelu %x tanh
    rule.yield %0
  }
