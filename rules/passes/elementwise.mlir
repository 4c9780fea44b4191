// What canonicalization does to elementwise ops: the folds of
// lib/Dialect/Graph/IR/ElementwiseFolds.cpp that need no constant operands beside
// neutral ones. Each rule names the C++ function whose theorem it is.
//
// `tenon-rules prove rules/passes/elementwise.mlir` proves them for all sizes.

// NegOp::fold.
rule.rule @neg_of_neg(%x: [n]) -> [n]
  lifts [%x]
  source {
    %0 = graph.neg %x
    %1 = graph.neg %0
    rule.yield %1
  }
  target {
    rule.yield %x
  }

// AddOp::fold. Of floats, only -0 is neutral: -0 + 0 is 0.
rule.rule @add_minus_zero(%x: [n]) -> [n]
  source {
    %c = graph.constant dense<-0.0> : tensor<f32>
    %z = graph.broadcast %c shape = [n]
    %0 = graph.add %x, %z
    rule.yield %0
  }
  target {
    rule.yield %x
  }

rule.rule @add_to_minus_zero(%x: [n]) -> [n]
  source {
    %c = graph.constant dense<-0.0> : tensor<f32>
    %z = graph.broadcast %c shape = [n]
    %0 = graph.add %z, %x
    rule.yield %0
  }
  target {
    rule.yield %x
  }

rule.rule @add_zero_of_integers(%x: [n] of i64) -> [n] of i64
  source {
    %c = graph.constant dense<0> : tensor<i64>
    %z = graph.broadcast %c shape = [n]
    %0 = graph.add %x, %z
    rule.yield %0
  }
  target {
    rule.yield %x
  }

// SubOp::fold.
rule.rule @sub_zero(%x: [n]) -> [n]
  source {
    %c = graph.constant dense<0.0> : tensor<f32>
    %z = graph.broadcast %c shape = [n]
    %0 = graph.sub %x, %z
    rule.yield %0
  }
  target {
    rule.yield %x
  }

rule.rule @sub_of_itself_of_integers(%x: [n] of i64) -> [n] of i64
  source {
    %0 = graph.sub %x, %x
    rule.yield %0
  }
  target {
    %c = graph.constant dense<0> : tensor<i64>
    %z = graph.broadcast %c shape = [n]
    rule.yield %z
  }

// MulOp::fold.
rule.rule @mul_one(%x: [n]) -> [n]
  source {
    %c = graph.constant dense<1.0> : tensor<f32>
    %o = graph.broadcast %c shape = [n]
    %0 = graph.mul %x, %o
    rule.yield %0
  }
  target {
    rule.yield %x
  }

rule.rule @mul_one_of_integers(%x: [n] of i64) -> [n] of i64
  source {
    %c = graph.constant dense<1> : tensor<i64>
    %o = graph.broadcast %c shape = [n]
    %0 = graph.mul %o, %x
    rule.yield %0
  }
  target {
    rule.yield %x
  }

rule.rule @mul_zero_of_integers(%x: [n] of i64) -> [n] of i64
  source {
    %c = graph.constant dense<0> : tensor<i64>
    %z = graph.broadcast %c shape = [n]
    %0 = graph.mul %x, %z
    rule.yield %0
  }
  target {
    %c = graph.constant dense<0> : tensor<i64>
    %z = graph.broadcast %c shape = [n]
    rule.yield %z
  }

// DivOp::fold.
rule.rule @div_by_one(%x: [n]) -> [n]
  source {
    %c = graph.constant dense<1.0> : tensor<f32>
    %o = graph.broadcast %c shape = [n]
    %0 = graph.div %x, %o
    rule.yield %0
  }
  target {
    rule.yield %x
  }

rule.rule @div_by_one_of_integers(%x: [n] of i64) -> [n] of i64
  source {
    %c = graph.constant dense<1> : tensor<i64>
    %o = graph.broadcast %c shape = [n]
    %0 = graph.div %x, %o
    rule.yield %0
  }
  target {
    rule.yield %x
  }

// CastOp::fold: a cast through a type that has all values of the first one.
rule.rule @cast_to_own_type(%x: [n]) -> [n]
  source {
    %0 = graph.cast %x to f32
    rule.yield %0
  }
  target {
    rule.yield %x
  }
