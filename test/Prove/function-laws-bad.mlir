// Negative tests for function-laws.mlir: many hold for real numbers alone, or for
// signed or unsigned integers alone.
// RUN: not tenon-rules prove %s 2>&1 | FileCheck %s
// The proofs themselves find none of them, without trying small sizes first.
// RUN: not tenon-rules prove --without-refuting %s 2>&1 | FileCheck %s --check-prefix=PROOF
// PROOF: 0 proved, 45 unknown
// REQUIRES: z3

// CHECK: refuted cube_is_square
rule.rule @cube_is_square(%x: [n]) -> [n]
  source {
    %c0 = graph.constant dense<3.0> : tensor<f32>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.pow %x, %b0
    rule.yield %0
  }
  target {
    %0 = graph.mul %x, %x
    rule.yield %0
  }

// CHECK: refuted power_two_thirds
rule.rule @power_two_thirds(%x: [n]) -> [n]
  source {
    %c0 = graph.constant dense<1.5> : tensor<f32>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.pow %x, %b0
    rule.yield %0
  }
  target {
    %0 = graph.sqrt %x
    rule.yield %0
  }

// P2 is about positive bases.
// CHECK: refuted power_of_any_base
rule.rule @power_of_any_base(%x: [n], %y: [n]) -> [n]
  source {
    %0 = graph.abs %x
    %1 = graph.pow %0, %y
    %2 = graph.log %1
    rule.yield %2
  }
  target {
    %0 = graph.log %x
    %1 = graph.mul %0, %y
    rule.yield %1
  }

// CHECK: refuted root_of_square
rule.rule @root_of_square(%x: [n]) -> [n]
  source {
    %0 = graph.mul %x, %x
    %1 = graph.sqrt %0
    rule.yield %1
  }
  target {
    rule.yield %x
  }

// CHECK: refuted root_of_product
rule.rule @root_of_product(%x: [n], %y: [n]) -> [n]
  source {
    %0 = graph.mul %x, %x
    %1 = graph.mul %0, %y
    %2 = graph.sqrt %1
    rule.yield %2
  }
  target {
    %0 = graph.sqrt %y
    %1 = graph.mul %x, %0
    rule.yield %1
  }

// CHECK: refuted root_of_four
rule.rule @root_of_four(%x: [n]) -> [n]
  source {
    %c0 = graph.constant dense<4.0> : tensor<f32>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.mul %x, %x
    %1 = graph.mul %0, %b0
    %2 = graph.sqrt %1
    rule.yield %2
  }
  target {
    %c0 = graph.constant dense<4.0> : tensor<f32>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.abs %x
    %1 = graph.mul %0, %b0
    rule.yield %1
  }

// CHECK: refuted abs_of_sum
rule.rule @abs_of_sum(%x: [n], %y: [n]) -> [n]
  source {
    %0 = graph.add %x, %y
    %1 = graph.abs %0
    rule.yield %1
  }
  target {
    %0 = graph.abs %x
    %1 = graph.abs %y
    %2 = graph.add %0, %1
    rule.yield %2
  }

// Squares of integers wrap.
// CHECK: refuted abs_is_identity
rule.rule @abs_is_identity(%x: [n] of i8) -> [n] of i8
  source {
    %0 = graph.mul %x, %x
    %1 = graph.abs %0
    rule.yield %1
  }
  target {
    %0 = graph.mul %x, %x
    rule.yield %0
  }

// A3 is of real numbers.
// CHECK: refuted abs_of_wrapped_product
rule.rule @abs_of_wrapped_product(%x: [n] of i8, %y: [n] of i8) -> [n] of i8
  source {
    %0 = graph.mul %x, %y
    %1 = graph.abs %0
    rule.yield %1
  }
  target {
    %0 = graph.abs %x
    %1 = graph.abs %y
    %2 = graph.mul %0, %1
    rule.yield %2
  }

// What is unsigned is its absolute value, negated or not.
// CHECK: refuted abs_of_unsigned
rule.rule @abs_of_unsigned(%x: [n] of ui8) -> [n] of ui8
  source {
    %0 = graph.neg %x
    %1 = graph.abs %0
    rule.yield %1
  }
  target {
    %0 = graph.abs %x
    rule.yield %0
  }

// The least integer is its own negative.
// CHECK: refuted sign_is_odd
rule.rule @sign_is_odd(%x: [n] of i8) -> [n] of i8
  source {
    %0 = graph.neg %x
    %1 = graph.sign %0
    rule.yield %1
  }
  target {
    %0 = graph.sign %x
    %1 = graph.neg %0
    rule.yield %1
  }

// CHECK: refuted sign_times_value
rule.rule @sign_times_value(%x: [n]) -> [n]
  source {
    %0 = graph.sign %x
    %1 = graph.mul %0, %x
    rule.yield %1
  }
  target {
    rule.yield %x
  }

// M6 is of real numbers.
// CHECK: refuted opposite_of_maximum
rule.rule @opposite_of_maximum(%x: [n] of i8, %y: [n] of i8) -> [n] of i8
  source {
    %0 = graph.neg %x
    %1 = graph.neg %y
    %2 = graph.maximum %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.minimum %x, %y
    %1 = graph.neg %0
    rule.yield %1
  }

// M5, too.
// CHECK: refuted shifted_maximum
rule.rule @shifted_maximum(%x: [n] of i8, %y: [n] of i8, %z: [n] of i8) -> [n] of i8
  source {
    %0 = graph.add %x, %z
    %1 = graph.add %y, %z
    %2 = graph.maximum %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.maximum %x, %y
    %1 = graph.add %0, %z
    rule.yield %1
  }

// CHECK: refuted maximum_of_opposites
rule.rule @maximum_of_opposites(%x: [n]) -> [n]
  source {
    %0 = graph.neg %x
    %1 = graph.maximum %x, %0
    rule.yield %1
  }
  target {
    %0 = graph.neg %x
    %1 = graph.abs %0
    %2 = graph.neg %1
    rule.yield %2
  }

// CHECK: refuted smaller_constant
rule.rule @smaller_constant(%x: [n]) -> [n]
  source {
    %c0 = graph.constant dense<1.0> : tensor<f32>
    %b0 = graph.broadcast %c0 shape = [n]
    %c1 = graph.constant dense<3.0> : tensor<f32>
    %b1 = graph.broadcast %c1 shape = [n]
    %0 = graph.maximum %x, %b0
    %1 = graph.maximum %0, %b1
    rule.yield %1
  }
  target {
    %c0 = graph.constant dense<1.0> : tensor<f32>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.maximum %x, %b0
    rule.yield %0
  }

// 100 + 100 is -56 in 8 bits.
// CHECK: refuted wrapped_constant
rule.rule @wrapped_constant(%x: [n] of i8) -> [n] of i8
  source {
    %c0 = graph.constant dense<100> : tensor<i8>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.add %b0, %b0
    %1 = graph.maximum %x, %0
    rule.yield %1
  }
  target {
    %c0 = graph.constant dense<100> : tensor<i8>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.add %b0, %b0
    rule.yield %0
  }

// CHECK: refuted wrapped_constants
rule.rule @wrapped_constants(%x: [n] of i8) -> [n] of i8
  source {
    %c0 = graph.constant dense<100> : tensor<i8>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.add %b0, %b0
    %1 = graph.maximum %x, %0
    %2 = graph.maximum %1, %b0
    rule.yield %2
  }
  target {
    %c0 = graph.constant dense<100> : tensor<i8>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.add %b0, %b0
    %1 = graph.maximum %x, %0
    rule.yield %1
  }

// CHECK: refuted choice_of_smaller
rule.rule @choice_of_smaller(%x: [n], %y: [n]) -> [n]
  source {
    %0 = graph.less %x, %y
    %1 = graph.where %0, %x, %y
    rule.yield %1
  }
  target {
    %0 = graph.maximum %x, %y
    rule.yield %0
  }

// CHECK: refuted choice_of_others
rule.rule @choice_of_others(%x: [n], %y: [n], %z: [n]) -> [n]
  source {
    %0 = graph.less %x, %y
    %1 = graph.where %0, %x, %z
    rule.yield %1
  }
  target {
    %0 = graph.minimum %x, %y
    rule.yield %0
  }

// CHECK: refuted cosine_is_odd
rule.rule @cosine_is_odd(%x: [n]) -> [n]
  source {
    %0 = graph.neg %x
    %1 = graph.cos %0
    rule.yield %1
  }
  target {
    %0 = graph.cos %x
    %1 = graph.neg %0
    rule.yield %1
  }

// CHECK: refuted tangent_is_even
rule.rule @tangent_is_even(%x: [n]) -> [n]
  source {
    %0 = graph.neg %x
    %1 = graph.tanh %0
    rule.yield %1
  }
  target {
    %0 = graph.tanh %x
    rule.yield %0
  }

// CHECK: refuted erfinv_is_even
rule.rule @erfinv_is_even(%x: [n]) -> [n]
  source {
    %0 = graph.neg %x
    %1 = graph.erfinv %0
    rule.yield %1
  }
  target {
    %0 = graph.erfinv %x
    rule.yield %0
  }

// CHECK: refuted floor_is_odd
rule.rule @floor_is_odd(%x: [n]) -> [n]
  source {
    %0 = graph.neg %x
    %1 = graph.floor %0
    rule.yield %1
  }
  target {
    %0 = graph.floor %x
    %1 = graph.neg %0
    rule.yield %1
  }

// CHECK: refuted floor_of_half
rule.rule @floor_of_half(%x: [n]) -> [n]
  source {
    %c0 = graph.constant dense<0.5> : tensor<f32>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.floor %x
    %1 = graph.mul %0, %b0
    %2 = graph.floor %1
    rule.yield %2
  }
  target {
    %c0 = graph.constant dense<0.5> : tensor<f32>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.floor %x
    %1 = graph.mul %0, %b0
    rule.yield %1
  }

// CHECK: refuted not_is_negative
rule.rule @not_is_negative(%x: [n] of i8) -> [n] of i8
  source {
    %0 = graph.bit_not %x
    rule.yield %0
  }
  target {
    %0 = graph.neg %x
    rule.yield %0
  }

// CHECK: refuted xor_of_one
rule.rule @xor_of_one(%x: [n] of i8) -> [n] of i8
  source {
    %0 = graph.bit_xor %x, %x
    rule.yield %0
  }
  target {
    rule.yield %x
  }

// CHECK: refuted or_is_and
rule.rule @or_is_and(%x: [n] of i8, %y: [n] of i8) -> [n] of i8
  source {
    %0 = graph.bit_or %x, %y
    %1 = graph.bit_and %0, %x
    rule.yield %1
  }
  target {
    %0 = graph.bit_and %x, %y
    rule.yield %0
  }

// CHECK: refuted xor_thrice
rule.rule @xor_thrice(%x: [n] of i8, %y: [n] of i8) -> [n] of i8
  source {
    %0 = graph.bit_xor %x, %y
    %1 = graph.bit_xor %0, %x
    %2 = graph.bit_xor %1, %x
    rule.yield %2
  }
  target {
    rule.yield %y
  }

// CHECK: refuted mask_of_unsigned
rule.rule @mask_of_unsigned(%x: [n] of ui8) -> [n] of ui8
  source {
    %c0 = graph.constant dense<127> : tensor<ui8>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.bit_and %x, %b0
    rule.yield %0
  }
  target {
    rule.yield %x
  }

// CHECK: refuted ones_of_unsigned
rule.rule @ones_of_unsigned(%x: [n] of ui8) -> [n] of ui8
  source {
    %c0 = graph.constant dense<255> : tensor<ui8>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.bit_xor %x, %b0
    rule.yield %0
  }
  target {
    %0 = graph.neg %x
    rule.yield %0
  }

// CHECK: refuted shift_too_far
rule.rule @shift_too_far(%x: [n] of i8) -> [n] of i8
  source {
    %c0 = graph.constant dense<8> : tensor<i8>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.shift_left %x, %b0
    rule.yield %0
  }
  target {
    rule.yield %x
  }

// I5 is of unsigned integers: -1 / 8 is 0.
// CHECK: refuted shift_right_as_quotient
rule.rule @shift_right_as_quotient(%x: [n] of i8) -> [n] of i8
  source {
    %c0 = graph.constant dense<8> : tensor<i8>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.div %x, %b0
    rule.yield %0
  }
  target {
    %c0 = graph.constant dense<3> : tensor<i8>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.shift_right %x, %b0
    rule.yield %0
  }

// CHECK: refuted remainder_as_mask
rule.rule @remainder_as_mask(%x: [n] of i8) -> [n] of i8
  source {
    %c0 = graph.constant dense<8> : tensor<i8>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.fmod %x, %b0
    rule.yield %0
  }
  target {
    %c0 = graph.constant dense<7> : tensor<i8>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.bit_and %x, %b0
    rule.yield %0
  }

// CHECK: refuted remainder_of_six
rule.rule @remainder_of_six(%x: [n] of ui8) -> [n] of ui8
  source {
    %c0 = graph.constant dense<6> : tensor<ui8>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.fmod %x, %b0
    rule.yield %0
  }
  target {
    %c0 = graph.constant dense<5> : tensor<ui8>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.bit_and %x, %b0
    rule.yield %0
  }

// CHECK: refuted negative_power_of_two
rule.rule @negative_power_of_two(%x: [n] of i8) -> [n] of i8
  source {
    %c0 = graph.constant dense<-8> : tensor<i8>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.mod %x, %b0
    rule.yield %0
  }
  target {
    %c0 = graph.constant dense<7> : tensor<i8>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.bit_and %x, %b0
    rule.yield %0
  }

// CHECK: refuted narrow_and_back
rule.rule @narrow_and_back(%x: [n] of i32) -> [n] of i32
  source {
    %0 = graph.cast %x to i8
    %1 = graph.cast %0 to i32
    rule.yield %1
  }
  target {
    rule.yield %x
  }

// CHECK: refuted signs_of_widths
rule.rule @signs_of_widths(%x: [n] of ui8) -> [n] of i32
  source {
    %0 = graph.cast %x to i8
    %1 = graph.cast %0 to i32
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to i32
    rule.yield %0
  }

// C4 is of sums and products.
// CHECK: refuted narrow_quotient
rule.rule @narrow_quotient(%x: [n] of i32, %y: [n] of i32) -> [n] of i8
  source {
    %0 = graph.div %x, %y
    %1 = graph.cast %0 to i8
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to i8
    %1 = graph.cast %y to i8
    %2 = graph.div %0, %1
    rule.yield %2
  }

// CHECK: refuted wide_sum
rule.rule @wide_sum(%x: [n] of i8, %y: [n] of i8) -> [n] of i32
  source {
    %0 = graph.add %x, %y
    %1 = graph.cast %0 to i32
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to i32
    %1 = graph.cast %y to i32
    %2 = graph.add %0, %1
    rule.yield %2
  }

// A cast of floats saturates, one of integers wraps.
// CHECK: refuted saturated_cast
rule.rule @saturated_cast(%x: [n]) -> [n] of i8
  source {
    %c0 = graph.constant dense<1000.0> : tensor<f32>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.mul %x, %b0
    %1 = graph.cast %0 to i32
    %2 = graph.cast %1 to i8
    rule.yield %2
  }
  target {
    %c0 = graph.constant dense<1000.0> : tensor<f32>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.mul %x, %b0
    %1 = graph.cast %0 to i8
    rule.yield %1
  }

// CHECK: refuted over_float_to_unsigned
rule.rule @over_float_to_unsigned(%x: [n] of i8) -> [n] of ui8
  source {
    %0 = graph.cast %x to f32
    %1 = graph.cast %0 to ui8
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to ui8
    rule.yield %0
  }

// CHECK: refuted over_double_to_narrow
rule.rule @over_double_to_narrow(%x: [n] of i32) -> [n] of i8
  source {
    %0 = graph.cast %x to f64
    %1 = graph.cast %0 to i8
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to i8
    rule.yield %0
  }

// CHECK: refuted over_half_to_signed
rule.rule @over_half_to_signed(%x: [n] of ui8) -> [n] of i8
  source {
    %0 = graph.cast %x to f16
    %1 = graph.cast %0 to i8
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to i8
    rule.yield %0
  }

// Together with C4.
// CHECK: refuted over_double_in_sum
rule.rule @over_double_in_sum(%x: [n] of i32, %y: [n] of i32) -> [n] of i8
  source {
    %0 = graph.cast %x to f64
    %1 = graph.cast %0 to i8
    %2 = graph.cast %y to i8
    %3 = graph.add %1, %2
    rule.yield %3
  }
  target {
    %0 = graph.add %x, %y
    %1 = graph.cast %0 to i8
    rule.yield %1
  }
