// CastOp::fold (lib/Dialect/Graph/IR/ElementwiseFolds.cpp): a cast through a type that
// has all values of the first one does nothing. So a second cast starts from the first
// type, and a cast back to it gives the operand.
//
// A rule for each pair of types of which the second has all values of the first, and
// each third type. Pairs with i1 are missing: the prover knows no law for them.
//
// `tenon-rules prove rules/passes/casts.mlir` proves them for all sizes.

rule.rule @cast_ui8_i32_back(%x: [n] of ui8) -> [n] of ui8
  source {
    %0 = graph.cast %x to i32
    %1 = graph.cast %0 to ui8
    rule.yield %1
  }
  target {
    rule.yield %x
  }

rule.rule @cast_ui8_i32_i8(%x: [n] of ui8) -> [n] of i8
  source {
    %0 = graph.cast %x to i32
    %1 = graph.cast %0 to i8
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to i8
    rule.yield %0
  }

rule.rule @cast_ui8_i32_i64(%x: [n] of ui8) -> [n] of i64
  source {
    %0 = graph.cast %x to i32
    %1 = graph.cast %0 to i64
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to i64
    rule.yield %0
  }

rule.rule @cast_ui8_i32_f16(%x: [n] of ui8) -> [n] of f16
  source {
    %0 = graph.cast %x to i32
    %1 = graph.cast %0 to f16
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to f16
    rule.yield %0
  }

rule.rule @cast_ui8_i32_bf16(%x: [n] of ui8) -> [n] of bf16
  source {
    %0 = graph.cast %x to i32
    %1 = graph.cast %0 to bf16
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to bf16
    rule.yield %0
  }

rule.rule @cast_ui8_i32_f32(%x: [n] of ui8) -> [n] of f32
  source {
    %0 = graph.cast %x to i32
    %1 = graph.cast %0 to f32
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to f32
    rule.yield %0
  }

rule.rule @cast_ui8_i32_f64(%x: [n] of ui8) -> [n] of f64
  source {
    %0 = graph.cast %x to i32
    %1 = graph.cast %0 to f64
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to f64
    rule.yield %0
  }

rule.rule @cast_ui8_i64_back(%x: [n] of ui8) -> [n] of ui8
  source {
    %0 = graph.cast %x to i64
    %1 = graph.cast %0 to ui8
    rule.yield %1
  }
  target {
    rule.yield %x
  }

rule.rule @cast_ui8_i64_i8(%x: [n] of ui8) -> [n] of i8
  source {
    %0 = graph.cast %x to i64
    %1 = graph.cast %0 to i8
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to i8
    rule.yield %0
  }

rule.rule @cast_ui8_i64_i32(%x: [n] of ui8) -> [n] of i32
  source {
    %0 = graph.cast %x to i64
    %1 = graph.cast %0 to i32
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to i32
    rule.yield %0
  }

rule.rule @cast_ui8_i64_f16(%x: [n] of ui8) -> [n] of f16
  source {
    %0 = graph.cast %x to i64
    %1 = graph.cast %0 to f16
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to f16
    rule.yield %0
  }

rule.rule @cast_ui8_i64_bf16(%x: [n] of ui8) -> [n] of bf16
  source {
    %0 = graph.cast %x to i64
    %1 = graph.cast %0 to bf16
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to bf16
    rule.yield %0
  }

rule.rule @cast_ui8_i64_f32(%x: [n] of ui8) -> [n] of f32
  source {
    %0 = graph.cast %x to i64
    %1 = graph.cast %0 to f32
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to f32
    rule.yield %0
  }

rule.rule @cast_ui8_i64_f64(%x: [n] of ui8) -> [n] of f64
  source {
    %0 = graph.cast %x to i64
    %1 = graph.cast %0 to f64
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to f64
    rule.yield %0
  }

rule.rule @cast_ui8_f16_back(%x: [n] of ui8) -> [n] of ui8
  source {
    %0 = graph.cast %x to f16
    %1 = graph.cast %0 to ui8
    rule.yield %1
  }
  target {
    rule.yield %x
  }

rule.rule @cast_ui8_bf16_back(%x: [n] of ui8) -> [n] of ui8
  source {
    %0 = graph.cast %x to bf16
    %1 = graph.cast %0 to ui8
    rule.yield %1
  }
  target {
    rule.yield %x
  }

rule.rule @cast_ui8_f32_back(%x: [n] of ui8) -> [n] of ui8
  source {
    %0 = graph.cast %x to f32
    %1 = graph.cast %0 to ui8
    rule.yield %1
  }
  target {
    rule.yield %x
  }

rule.rule @cast_ui8_f64_back(%x: [n] of ui8) -> [n] of ui8
  source {
    %0 = graph.cast %x to f64
    %1 = graph.cast %0 to ui8
    rule.yield %1
  }
  target {
    rule.yield %x
  }

rule.rule @cast_i8_i32_ui8(%x: [n] of i8) -> [n] of ui8
  source {
    %0 = graph.cast %x to i32
    %1 = graph.cast %0 to ui8
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to ui8
    rule.yield %0
  }

rule.rule @cast_i8_i32_back(%x: [n] of i8) -> [n] of i8
  source {
    %0 = graph.cast %x to i32
    %1 = graph.cast %0 to i8
    rule.yield %1
  }
  target {
    rule.yield %x
  }

rule.rule @cast_i8_i32_i64(%x: [n] of i8) -> [n] of i64
  source {
    %0 = graph.cast %x to i32
    %1 = graph.cast %0 to i64
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to i64
    rule.yield %0
  }

rule.rule @cast_i8_i32_f16(%x: [n] of i8) -> [n] of f16
  source {
    %0 = graph.cast %x to i32
    %1 = graph.cast %0 to f16
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to f16
    rule.yield %0
  }

rule.rule @cast_i8_i32_bf16(%x: [n] of i8) -> [n] of bf16
  source {
    %0 = graph.cast %x to i32
    %1 = graph.cast %0 to bf16
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to bf16
    rule.yield %0
  }

rule.rule @cast_i8_i32_f32(%x: [n] of i8) -> [n] of f32
  source {
    %0 = graph.cast %x to i32
    %1 = graph.cast %0 to f32
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to f32
    rule.yield %0
  }

rule.rule @cast_i8_i32_f64(%x: [n] of i8) -> [n] of f64
  source {
    %0 = graph.cast %x to i32
    %1 = graph.cast %0 to f64
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to f64
    rule.yield %0
  }

rule.rule @cast_i8_i64_ui8(%x: [n] of i8) -> [n] of ui8
  source {
    %0 = graph.cast %x to i64
    %1 = graph.cast %0 to ui8
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to ui8
    rule.yield %0
  }

rule.rule @cast_i8_i64_back(%x: [n] of i8) -> [n] of i8
  source {
    %0 = graph.cast %x to i64
    %1 = graph.cast %0 to i8
    rule.yield %1
  }
  target {
    rule.yield %x
  }

rule.rule @cast_i8_i64_i32(%x: [n] of i8) -> [n] of i32
  source {
    %0 = graph.cast %x to i64
    %1 = graph.cast %0 to i32
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to i32
    rule.yield %0
  }

rule.rule @cast_i8_i64_f16(%x: [n] of i8) -> [n] of f16
  source {
    %0 = graph.cast %x to i64
    %1 = graph.cast %0 to f16
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to f16
    rule.yield %0
  }

rule.rule @cast_i8_i64_bf16(%x: [n] of i8) -> [n] of bf16
  source {
    %0 = graph.cast %x to i64
    %1 = graph.cast %0 to bf16
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to bf16
    rule.yield %0
  }

rule.rule @cast_i8_i64_f32(%x: [n] of i8) -> [n] of f32
  source {
    %0 = graph.cast %x to i64
    %1 = graph.cast %0 to f32
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to f32
    rule.yield %0
  }

rule.rule @cast_i8_i64_f64(%x: [n] of i8) -> [n] of f64
  source {
    %0 = graph.cast %x to i64
    %1 = graph.cast %0 to f64
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to f64
    rule.yield %0
  }

rule.rule @cast_i8_f16_back(%x: [n] of i8) -> [n] of i8
  source {
    %0 = graph.cast %x to f16
    %1 = graph.cast %0 to i8
    rule.yield %1
  }
  target {
    rule.yield %x
  }

rule.rule @cast_i8_bf16_back(%x: [n] of i8) -> [n] of i8
  source {
    %0 = graph.cast %x to bf16
    %1 = graph.cast %0 to i8
    rule.yield %1
  }
  target {
    rule.yield %x
  }

rule.rule @cast_i8_f32_back(%x: [n] of i8) -> [n] of i8
  source {
    %0 = graph.cast %x to f32
    %1 = graph.cast %0 to i8
    rule.yield %1
  }
  target {
    rule.yield %x
  }

rule.rule @cast_i8_f64_back(%x: [n] of i8) -> [n] of i8
  source {
    %0 = graph.cast %x to f64
    %1 = graph.cast %0 to i8
    rule.yield %1
  }
  target {
    rule.yield %x
  }

rule.rule @cast_i32_i64_ui8(%x: [n] of i32) -> [n] of ui8
  source {
    %0 = graph.cast %x to i64
    %1 = graph.cast %0 to ui8
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to ui8
    rule.yield %0
  }

rule.rule @cast_i32_i64_i8(%x: [n] of i32) -> [n] of i8
  source {
    %0 = graph.cast %x to i64
    %1 = graph.cast %0 to i8
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to i8
    rule.yield %0
  }

rule.rule @cast_i32_i64_back(%x: [n] of i32) -> [n] of i32
  source {
    %0 = graph.cast %x to i64
    %1 = graph.cast %0 to i32
    rule.yield %1
  }
  target {
    rule.yield %x
  }

rule.rule @cast_i32_i64_f16(%x: [n] of i32) -> [n] of f16
  source {
    %0 = graph.cast %x to i64
    %1 = graph.cast %0 to f16
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to f16
    rule.yield %0
  }

rule.rule @cast_i32_i64_bf16(%x: [n] of i32) -> [n] of bf16
  source {
    %0 = graph.cast %x to i64
    %1 = graph.cast %0 to bf16
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to bf16
    rule.yield %0
  }

rule.rule @cast_i32_i64_f32(%x: [n] of i32) -> [n] of f32
  source {
    %0 = graph.cast %x to i64
    %1 = graph.cast %0 to f32
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to f32
    rule.yield %0
  }

rule.rule @cast_i32_i64_f64(%x: [n] of i32) -> [n] of f64
  source {
    %0 = graph.cast %x to i64
    %1 = graph.cast %0 to f64
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to f64
    rule.yield %0
  }

rule.rule @cast_i32_f64_back(%x: [n] of i32) -> [n] of i32
  source {
    %0 = graph.cast %x to f64
    %1 = graph.cast %0 to i32
    rule.yield %1
  }
  target {
    rule.yield %x
  }

rule.rule @cast_f16_f32_ui8(%x: [n] of f16) -> [n] of ui8
  source {
    %0 = graph.cast %x to f32
    %1 = graph.cast %0 to ui8
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to ui8
    rule.yield %0
  }

rule.rule @cast_f16_f32_i8(%x: [n] of f16) -> [n] of i8
  source {
    %0 = graph.cast %x to f32
    %1 = graph.cast %0 to i8
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to i8
    rule.yield %0
  }

rule.rule @cast_f16_f32_i32(%x: [n] of f16) -> [n] of i32
  source {
    %0 = graph.cast %x to f32
    %1 = graph.cast %0 to i32
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to i32
    rule.yield %0
  }

rule.rule @cast_f16_f32_i64(%x: [n] of f16) -> [n] of i64
  source {
    %0 = graph.cast %x to f32
    %1 = graph.cast %0 to i64
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to i64
    rule.yield %0
  }

rule.rule @cast_f16_f32_back(%x: [n] of f16) -> [n] of f16
  source {
    %0 = graph.cast %x to f32
    %1 = graph.cast %0 to f16
    rule.yield %1
  }
  target {
    rule.yield %x
  }

rule.rule @cast_f16_f32_bf16(%x: [n] of f16) -> [n] of bf16
  source {
    %0 = graph.cast %x to f32
    %1 = graph.cast %0 to bf16
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to bf16
    rule.yield %0
  }

rule.rule @cast_f16_f32_f64(%x: [n] of f16) -> [n] of f64
  source {
    %0 = graph.cast %x to f32
    %1 = graph.cast %0 to f64
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to f64
    rule.yield %0
  }

rule.rule @cast_f16_f64_ui8(%x: [n] of f16) -> [n] of ui8
  source {
    %0 = graph.cast %x to f64
    %1 = graph.cast %0 to ui8
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to ui8
    rule.yield %0
  }

rule.rule @cast_f16_f64_i8(%x: [n] of f16) -> [n] of i8
  source {
    %0 = graph.cast %x to f64
    %1 = graph.cast %0 to i8
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to i8
    rule.yield %0
  }

rule.rule @cast_f16_f64_i32(%x: [n] of f16) -> [n] of i32
  source {
    %0 = graph.cast %x to f64
    %1 = graph.cast %0 to i32
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to i32
    rule.yield %0
  }

rule.rule @cast_f16_f64_i64(%x: [n] of f16) -> [n] of i64
  source {
    %0 = graph.cast %x to f64
    %1 = graph.cast %0 to i64
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to i64
    rule.yield %0
  }

rule.rule @cast_f16_f64_back(%x: [n] of f16) -> [n] of f16
  source {
    %0 = graph.cast %x to f64
    %1 = graph.cast %0 to f16
    rule.yield %1
  }
  target {
    rule.yield %x
  }

rule.rule @cast_f16_f64_bf16(%x: [n] of f16) -> [n] of bf16
  source {
    %0 = graph.cast %x to f64
    %1 = graph.cast %0 to bf16
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to bf16
    rule.yield %0
  }

rule.rule @cast_f16_f64_f32(%x: [n] of f16) -> [n] of f32
  source {
    %0 = graph.cast %x to f64
    %1 = graph.cast %0 to f32
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to f32
    rule.yield %0
  }

rule.rule @cast_bf16_f32_ui8(%x: [n] of bf16) -> [n] of ui8
  source {
    %0 = graph.cast %x to f32
    %1 = graph.cast %0 to ui8
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to ui8
    rule.yield %0
  }

rule.rule @cast_bf16_f32_i8(%x: [n] of bf16) -> [n] of i8
  source {
    %0 = graph.cast %x to f32
    %1 = graph.cast %0 to i8
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to i8
    rule.yield %0
  }

rule.rule @cast_bf16_f32_i32(%x: [n] of bf16) -> [n] of i32
  source {
    %0 = graph.cast %x to f32
    %1 = graph.cast %0 to i32
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to i32
    rule.yield %0
  }

rule.rule @cast_bf16_f32_i64(%x: [n] of bf16) -> [n] of i64
  source {
    %0 = graph.cast %x to f32
    %1 = graph.cast %0 to i64
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to i64
    rule.yield %0
  }

rule.rule @cast_bf16_f32_f16(%x: [n] of bf16) -> [n] of f16
  source {
    %0 = graph.cast %x to f32
    %1 = graph.cast %0 to f16
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to f16
    rule.yield %0
  }

rule.rule @cast_bf16_f32_back(%x: [n] of bf16) -> [n] of bf16
  source {
    %0 = graph.cast %x to f32
    %1 = graph.cast %0 to bf16
    rule.yield %1
  }
  target {
    rule.yield %x
  }

rule.rule @cast_bf16_f32_f64(%x: [n] of bf16) -> [n] of f64
  source {
    %0 = graph.cast %x to f32
    %1 = graph.cast %0 to f64
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to f64
    rule.yield %0
  }

rule.rule @cast_bf16_f64_ui8(%x: [n] of bf16) -> [n] of ui8
  source {
    %0 = graph.cast %x to f64
    %1 = graph.cast %0 to ui8
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to ui8
    rule.yield %0
  }

rule.rule @cast_bf16_f64_i8(%x: [n] of bf16) -> [n] of i8
  source {
    %0 = graph.cast %x to f64
    %1 = graph.cast %0 to i8
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to i8
    rule.yield %0
  }

rule.rule @cast_bf16_f64_i32(%x: [n] of bf16) -> [n] of i32
  source {
    %0 = graph.cast %x to f64
    %1 = graph.cast %0 to i32
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to i32
    rule.yield %0
  }

rule.rule @cast_bf16_f64_i64(%x: [n] of bf16) -> [n] of i64
  source {
    %0 = graph.cast %x to f64
    %1 = graph.cast %0 to i64
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to i64
    rule.yield %0
  }

rule.rule @cast_bf16_f64_f16(%x: [n] of bf16) -> [n] of f16
  source {
    %0 = graph.cast %x to f64
    %1 = graph.cast %0 to f16
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to f16
    rule.yield %0
  }

rule.rule @cast_bf16_f64_back(%x: [n] of bf16) -> [n] of bf16
  source {
    %0 = graph.cast %x to f64
    %1 = graph.cast %0 to bf16
    rule.yield %1
  }
  target {
    rule.yield %x
  }

rule.rule @cast_bf16_f64_f32(%x: [n] of bf16) -> [n] of f32
  source {
    %0 = graph.cast %x to f64
    %1 = graph.cast %0 to f32
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to f32
    rule.yield %0
  }

rule.rule @cast_f32_f64_ui8(%x: [n] of f32) -> [n] of ui8
  source {
    %0 = graph.cast %x to f64
    %1 = graph.cast %0 to ui8
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to ui8
    rule.yield %0
  }

rule.rule @cast_f32_f64_i8(%x: [n] of f32) -> [n] of i8
  source {
    %0 = graph.cast %x to f64
    %1 = graph.cast %0 to i8
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to i8
    rule.yield %0
  }

rule.rule @cast_f32_f64_i32(%x: [n] of f32) -> [n] of i32
  source {
    %0 = graph.cast %x to f64
    %1 = graph.cast %0 to i32
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to i32
    rule.yield %0
  }

rule.rule @cast_f32_f64_i64(%x: [n] of f32) -> [n] of i64
  source {
    %0 = graph.cast %x to f64
    %1 = graph.cast %0 to i64
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to i64
    rule.yield %0
  }

rule.rule @cast_f32_f64_f16(%x: [n] of f32) -> [n] of f16
  source {
    %0 = graph.cast %x to f64
    %1 = graph.cast %0 to f16
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to f16
    rule.yield %0
  }

rule.rule @cast_f32_f64_bf16(%x: [n] of f32) -> [n] of bf16
  source {
    %0 = graph.cast %x to f64
    %1 = graph.cast %0 to bf16
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to bf16
    rule.yield %0
  }

rule.rule @cast_f32_f64_back(%x: [n] of f32) -> [n] of f32
  source {
    %0 = graph.cast %x to f64
    %1 = graph.cast %0 to f32
    rule.yield %1
  }
  target {
    rule.yield %x
  }
