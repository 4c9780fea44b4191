// Laws of functions: roots, powers, absolute values, maxima, odd and even functions,
// bits and casts (A1 to A5, P1, P2, F1 to F3, I1 to I6, M2 to M6, C2 to C4 of Laws.h).
// RUN: tenon-rules prove %s | FileCheck %s
// REQUIRES: z3

// CHECK: proved pow_zero (reassociates, changes-range; elements: real;
rule.rule @pow_zero(%x: [n]) -> [n]
  source {
    %c0 = graph.constant dense<0.0> : tensor<f32>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.pow %x, %b0
    rule.yield %0
  }
  target {
    %c0 = graph.constant dense<1.0> : tensor<f32>
    %b0 = graph.broadcast %c0 shape = [n]
    rule.yield %b0
  }

// CHECK: proved pow_one (reassociates, changes-range; elements: real;
rule.rule @pow_one(%x: [n]) -> [n]
  source {
    %c0 = graph.constant dense<1.0> : tensor<f32>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.pow %x, %b0
    rule.yield %0
  }
  target {
    rule.yield %x
  }

// CHECK: proved pow_two (reassociates, changes-range; elements: real;
rule.rule @pow_two(%x: [n]) -> [n]
  source {
    %c0 = graph.constant dense<2.0> : tensor<f32>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.pow %x, %b0
    rule.yield %0
  }
  target {
    %0 = graph.mul %x, %x
    rule.yield %0
  }

// CHECK: proved pow_three (reassociates, changes-range; elements: real;
rule.rule @pow_three(%x: [n]) -> [n]
  source {
    %c0 = graph.constant dense<3.0> : tensor<f32>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.pow %x, %b0
    rule.yield %0
  }
  target {
    %0 = graph.mul %x, %x
    %1 = graph.mul %0, %x
    rule.yield %1
  }

// CHECK: proved pow_minus_one (reassociates, needs-finite, changes-range; elements: real;
rule.rule @pow_minus_one(%x: [n]) -> [n]
  source {
    %c0 = graph.constant dense<-1.0> : tensor<f32>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.pow %x, %b0
    rule.yield %0
  }
  target {
    %0 = graph.reciprocal %x
    rule.yield %0
  }

// CHECK: proved pow_half (reassociates, changes-range; elements: real;
rule.rule @pow_half(%x: [n]) -> [n]
  source {
    %c0 = graph.constant dense<0.5> : tensor<f32>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.pow %x, %b0
    rule.yield %0
  }
  target {
    %0 = graph.sqrt %x
    rule.yield %0
  }
  where [is_positive(%x)]

// CHECK: proved pow_exp (reassociates, needs-finite, changes-range; elements: real;
rule.rule @pow_exp(%x: [n], %y: [n]) -> [n]
  source {
    %0 = graph.exp %x
    %1 = graph.pow %0, %y
    rule.yield %1
  }
  target {
    %0 = graph.mul %x, %y
    %1 = graph.exp %0
    rule.yield %1
  }

// CHECK: proved log_pow (reassociates, needs-finite, changes-range; elements: real;
rule.rule @log_pow(%x: [n], %y: [n]) -> [n]
  source {
    %0 = graph.pow %x, %y
    %1 = graph.log %0
    rule.yield %1
  }
  target {
    %0 = graph.log %x
    %1 = graph.mul %y, %0
    rule.yield %1
  }
  where [is_positive(%x)]

// CHECK: proved sqrt_mul_sqrt (reassociates; elements: real;
rule.rule @sqrt_mul_sqrt(%x: [n]) -> [n]
  source {
    %0 = graph.sqrt %x
    %1 = graph.mul %0, %0
    rule.yield %1
  }
  target {
    rule.yield %x
  }
  where [is_positive(%x)]

// CHECK: proved rsqrt_mul_rsqrt (reassociates; elements: real;
rule.rule @rsqrt_mul_rsqrt(%x: [n]) -> [n]
  source {
    %0 = graph.rsqrt %x
    %1 = graph.mul %0, %0
    rule.yield %1
  }
  target {
    %0 = graph.reciprocal %x
    rule.yield %0
  }
  where [is_positive(%x)]

// CHECK: proved sqrt_of_square (reassociates, changes-range; elements: real;
rule.rule @sqrt_of_square(%x: [n]) -> [n]
  source {
    %0 = graph.mul %x, %x
    %1 = graph.sqrt %0
    rule.yield %1
  }
  target {
    %0 = graph.abs %x
    rule.yield %0
  }

// CHECK: proved abs_abs (reassociates; elements: real;
rule.rule @abs_abs(%x: [n]) -> [n]
  source {
    %0 = graph.abs %x
    %1 = graph.abs %0
    rule.yield %1
  }
  target {
    %0 = graph.abs %x
    rule.yield %0
  }

// CHECK: proved abs_neg (reassociates; elements: real;
rule.rule @abs_neg(%x: [n]) -> [n]
  source {
    %0 = graph.neg %x
    %1 = graph.abs %0
    rule.yield %1
  }
  target {
    %0 = graph.abs %x
    rule.yield %0
  }

// CHECK: proved abs_square (reassociates; elements: real;
rule.rule @abs_square(%x: [n]) -> [n]
  source {
    %0 = graph.mul %x, %x
    %1 = graph.abs %0
    rule.yield %1
  }
  target {
    %0 = graph.mul %x, %x
    rule.yield %0
  }

// CHECK: proved abs_exp (reassociates; elements: real;
rule.rule @abs_exp(%x: [n]) -> [n]
  source {
    %0 = graph.exp %x
    %1 = graph.abs %0
    rule.yield %1
  }
  target {
    %0 = graph.exp %x
    rule.yield %0
  }

// CHECK: proved abs_mul (reassociates; elements: real;
rule.rule @abs_mul(%x: [n], %y: [n]) -> [n]
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

// CHECK: proved sign_abs (reassociates, changes-range; elements: real;
rule.rule @sign_abs(%x: [n]) -> [n]
  source {
    %0 = graph.sign %x
    %1 = graph.abs %x
    %2 = graph.mul %0, %1
    rule.yield %2
  }
  target {
    rule.yield %x
  }

// CHECK: proved max_consts (reassociates; elements: real;
rule.rule @max_consts(%x: [n]) -> [n]
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
    %c0 = graph.constant dense<3.0> : tensor<f32>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.maximum %x, %b0
    rule.yield %0
  }

// CHECK: proved clamp_clamp (reassociates; elements: real;
rule.rule @clamp_clamp(%x: [n]) -> [n]
  source {
    %0 = graph.clip %x low = 0.0, high = 6.0
    %1 = graph.clip %0 low = -1.0, high = 4.0
    rule.yield %1
  }
  target {
    %0 = graph.clip %x low = 0.0, high = 4.0
    rule.yield %0
  }

// CHECK: proved neg_max (reassociates; elements: real;
rule.rule @neg_max(%x: [n], %y: [n]) -> [n]
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

// CHECK: proved max_add (reassociates, changes-range; elements: real;
rule.rule @max_add(%x: [n], %y: [n], %z: [n]) -> [n]
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

// CHECK: proved less_select_max (reassociates, changes-range; elements: real;
rule.rule @less_select_max(%x: [n] of i32, %y: [n] of i32) -> [n] of i32
  source {
    %0 = graph.less %x, %y
    %1 = graph.where %0, %y, %x
    rule.yield %1
  }
  target {
    %0 = graph.maximum %x, %y
    rule.yield %0
  }

// CHECK: proved less_select_min (reassociates, changes-range; elements: real;
rule.rule @less_select_min(%x: [n] of i32, %y: [n] of i32) -> [n] of i32
  source {
    %0 = graph.less %x, %y
    %1 = graph.where %0, %x, %y
    rule.yield %1
  }
  target {
    %0 = graph.minimum %x, %y
    rule.yield %0
  }

// CHECK: proved xor_self (reassociates, changes-range; elements: real;
rule.rule @xor_self(%x: [n] of i32) -> [n] of i32
  source {
    %0 = graph.bit_xor %x, %x
    rule.yield %0
  }
  target {
    %c0 = graph.constant dense<0> : tensor<i32>
    %b0 = graph.broadcast %c0 shape = [n]
    rule.yield %b0
  }

// CHECK: proved and_self_int (reassociates, changes-range; elements: real;
rule.rule @and_self_int(%x: [n] of i32) -> [n] of i32
  source {
    %0 = graph.bit_and %x, %x
    rule.yield %0
  }
  target {
    rule.yield %x
  }

// CHECK: proved or_self_int (reassociates, changes-range; elements: real;
rule.rule @or_self_int(%x: [n] of i32) -> [n] of i32
  source {
    %0 = graph.bit_or %x, %x
    rule.yield %0
  }
  target {
    rule.yield %x
  }

// CHECK: proved and_zero_int (reassociates, changes-range; elements: real;
rule.rule @and_zero_int(%x: [n] of i32) -> [n] of i32
  source {
    %c0 = graph.constant dense<0> : tensor<i32>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.bit_and %x, %b0
    rule.yield %0
  }
  target {
    %c0 = graph.constant dense<0> : tensor<i32>
    %b0 = graph.broadcast %c0 shape = [n]
    rule.yield %b0
  }

// CHECK: proved or_zero_int (reassociates, changes-range; elements: real;
rule.rule @or_zero_int(%x: [n] of i32) -> [n] of i32
  source {
    %c0 = graph.constant dense<0> : tensor<i32>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.bit_or %x, %b0
    rule.yield %0
  }
  target {
    rule.yield %x
  }

// CHECK: proved and_ones_int (reassociates, changes-range; elements: real;
rule.rule @and_ones_int(%x: [n] of i32) -> [n] of i32
  source {
    %c0 = graph.constant dense<-1> : tensor<i32>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.bit_and %x, %b0
    rule.yield %0
  }
  target {
    rule.yield %x
  }

// CHECK: proved xor_ones_int (reassociates, changes-range; elements: real;
rule.rule @xor_ones_int(%x: [n] of i32) -> [n] of i32
  source {
    %c0 = graph.constant dense<-1> : tensor<i32>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.bit_xor %x, %b0
    rule.yield %0
  }
  target {
    %0 = graph.bit_not %x
    rule.yield %0
  }

// CHECK: proved bit_not_not (reassociates, changes-range; elements: real;
rule.rule @bit_not_not(%x: [n] of i32) -> [n] of i32
  source {
    %0 = graph.bit_not %x
    %1 = graph.bit_not %0
    rule.yield %1
  }
  target {
    rule.yield %x
  }

// CHECK: proved bit_not_neg (reassociates, changes-range; elements: real;
rule.rule @bit_not_neg(%x: [n] of i32) -> [n] of i32
  source {
    %0 = graph.bit_not %x
    rule.yield %0
  }
  target {
    %c0 = graph.constant dense<-1> : tensor<i32>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.neg %x
    %1 = graph.add %0, %b0
    rule.yield %1
  }

// CHECK: proved and_assoc_const (reassociates, changes-range; elements: real;
rule.rule @and_assoc_const(%x: [n] of i32) -> [n] of i32
  source {
    %c0 = graph.constant dense<12> : tensor<i32>
    %b0 = graph.broadcast %c0 shape = [n]
    %c1 = graph.constant dense<10> : tensor<i32>
    %b1 = graph.broadcast %c1 shape = [n]
    %0 = graph.bit_and %x, %b0
    %1 = graph.bit_and %0, %b1
    rule.yield %1
  }
  target {
    %c0 = graph.constant dense<8> : tensor<i32>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.bit_and %x, %b0
    rule.yield %0
  }

// CHECK: proved shl_as_mul (reassociates, changes-range; elements: real;
rule.rule @shl_as_mul(%x: [n] of i32) -> [n] of i32
  source {
    %c0 = graph.constant dense<3> : tensor<i32>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.shift_left %x, %b0
    rule.yield %0
  }
  target {
    %c0 = graph.constant dense<8> : tensor<i32>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.mul %x, %b0
    rule.yield %0
  }

// CHECK: proved shl_zero (reassociates, changes-range; elements: real;
rule.rule @shl_zero(%x: [n] of i32) -> [n] of i32
  source {
    %c0 = graph.constant dense<0> : tensor<i32>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.shift_left %x, %b0
    rule.yield %0
  }
  target {
    rule.yield %x
  }

// CHECK: proved shr_zero (reassociates, changes-range; elements: real;
rule.rule @shr_zero(%x: [n] of i32) -> [n] of i32
  source {
    %c0 = graph.constant dense<0> : tensor<i32>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.shift_right %x, %b0
    rule.yield %0
  }
  target {
    rule.yield %x
  }

// CHECK: proved div_minus_one_int (reassociates, changes-range; elements: real;
rule.rule @div_minus_one_int(%x: [n] of i32) -> [n] of i32
  source {
    %c0 = graph.constant dense<-1> : tensor<i32>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.div %x, %b0
    rule.yield %0
  }
  target {
    %0 = graph.neg %x
    rule.yield %0
  }

// CHECK: proved umod_pow2 (reassociates, changes-range; elements: real;
rule.rule @umod_pow2(%x: [n] of ui8) -> [n] of ui8
  source {
    %c0 = graph.constant dense<8> : tensor<ui8>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.fmod %x, %b0
    rule.yield %0
  }
  target {
    %c0 = graph.constant dense<7> : tensor<ui8>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.bit_and %x, %b0
    rule.yield %0
  }

// CHECK: proved udiv_pow2 (reassociates, changes-range; elements: real;
rule.rule @udiv_pow2(%x: [n] of ui8) -> [n] of ui8
  source {
    %c0 = graph.constant dense<8> : tensor<ui8>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.div %x, %b0
    rule.yield %0
  }
  target {
    %c0 = graph.constant dense<3> : tensor<ui8>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.shift_right %x, %b0
    rule.yield %0
  }

// CHECK: proved convert_wide_back (reassociates, changes-range; elements: real;
rule.rule @convert_wide_back(%x: [n] of i32) -> [n] of i32
  source {
    %0 = graph.cast %x to i64
    %1 = graph.cast %0 to i32
    rule.yield %1
  }
  target {
    rule.yield %x
  }

// CHECK: proved convert_f16_back (reassociates; elements: real;
rule.rule @convert_f16_back(%x: [n] of f16) -> [n] of f16
  source {
    %0 = graph.cast %x to f32
    %1 = graph.cast %0 to f16
    rule.yield %1
  }
  target {
    rule.yield %x
  }

// CHECK: proved convert_add_narrow (reassociates, changes-range; elements: real;
rule.rule @convert_add_narrow(%x: [n] of i32, %y: [n] of i32) -> [n] of i32
  source {
    %0 = graph.cast %x to i64
    %1 = graph.cast %y to i64
    %2 = graph.add %0, %1
    %3 = graph.cast %2 to i32
    rule.yield %3
  }
  target {
    %0 = graph.add %x, %y
    rule.yield %0
  }

// CHECK: proved floor_floor (reassociates, changes-range; elements: real;
rule.rule @floor_floor(%x: [n]) -> [n]
  source {
    %0 = graph.floor %x
    %1 = graph.floor %0
    rule.yield %1
  }
  target {
    %0 = graph.floor %x
    rule.yield %0
  }

// CHECK: proved floor_of_int (reassociates, changes-range; elements: real;
rule.rule @floor_of_int(%x: [n] of i32) -> [n]
  source {
    %0 = graph.cast %x to f64
    %1 = graph.floor %0
    %2 = graph.cast %1 to f32
    rule.yield %2
  }
  target {
    %0 = graph.cast %x to f64
    %1 = graph.cast %0 to f32
    rule.yield %1
  }

// CHECK: proved tanh_neg (reassociates, changes-range; elements: real;
rule.rule @tanh_neg(%x: [n]) -> [n]
  source {
    %0 = graph.neg %x
    %1 = graph.tanh %0
    rule.yield %1
  }
  target {
    %0 = graph.tanh %x
    %1 = graph.neg %0
    rule.yield %1
  }

// CHECK: proved erfinv_neg (reassociates, changes-range; elements: real;
rule.rule @erfinv_neg(%x: [n]) -> [n]
  source {
    %0 = graph.neg %x
    %1 = graph.erfinv %0
    rule.yield %1
  }
  target {
    %0 = graph.erfinv %x
    %1 = graph.neg %0
    rule.yield %1
  }

// CHECK: proved cos_neg (reassociates, changes-range; elements: real;
rule.rule @cos_neg(%x: [n]) -> [n]
  source {
    %0 = graph.neg %x
    %1 = graph.cos %0
    rule.yield %1
  }
  target {
    %0 = graph.cos %x
    rule.yield %0
  }

// CHECK: proved sign_sign (reassociates, changes-range; elements: real;
rule.rule @sign_sign(%x: [n]) -> [n]
  source {
    %0 = graph.sign %x
    %1 = graph.sign %0
    rule.yield %1
  }
  target {
    %0 = graph.sign %x
    rule.yield %0
  }

// CHECK: proved min_as_where (reassociates, needs-finite, changes-range; elements: real;
rule.rule @min_as_where(%x: [n], %y: [n]) -> [n]
  source {
    %0 = graph.less_equal %x, %y
    %1 = graph.where %0, %x, %y
    rule.yield %1
  }
  target {
    %0 = graph.minimum %x, %y
    rule.yield %0
  }

// CHECK: proved abs_as_max (reassociates, changes-range; elements: real;
rule.rule @abs_as_max(%x: [n]) -> [n]
  source {
    %0 = graph.neg %x
    %1 = graph.maximum %x, %0
    rule.yield %1
  }
  target {
    %0 = graph.abs %x
    rule.yield %0
  }

// CHECK: proved over_float_to_wide (reassociates, changes-range; elements: real;
rule.rule @over_float_to_wide(%x: [n] of i8) -> [n] of i32
  source {
    %0 = graph.cast %x to f32
    %1 = graph.cast %0 to i32
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to i32
    rule.yield %0
  }

// CHECK: proved over_double_to_float (reassociates, changes-range; elements: real;
rule.rule @over_double_to_float(%x: [n] of i32) -> [n] of f32
  source {
    %0 = graph.cast %x to f64
    %1 = graph.cast %0 to f32
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to f32
    rule.yield %0
  }

// CHECK: proved over_wide_to_narrow (reassociates, changes-range; elements: real;
rule.rule @over_wide_to_narrow(%x: [n] of i32) -> [n] of i8
  source {
    %0 = graph.cast %x to i64
    %1 = graph.cast %0 to i8
    rule.yield %1
  }
  target {
    %0 = graph.cast %x to i8
    rule.yield %0
  }

// CHECK: proved xor_of_three (reassociates, changes-range; elements: real;
rule.rule @xor_of_three(%x: [n] of i8) -> [n] of i8
  source {
    %0 = graph.bit_xor %x, %x
    %1 = graph.bit_xor %0, %x
    rule.yield %1
  }
  target {
    rule.yield %x
  }

// CHECK: proved or_true (reassociates, changes-range; elements: real;
rule.rule @or_true(%x: [n] of i1) -> [n] of i1
  source {
    %c0 = graph.constant dense<true> : tensor<i1>
    %b0 = graph.broadcast %c0 shape = [n]
    %0 = graph.or %x, %b0
    rule.yield %0
  }
  target {
    %c0 = graph.constant dense<true> : tensor<i1>
    %b0 = graph.broadcast %c0 shape = [n]
    rule.yield %b0
  }

// No denominator is looked for: the law finds the reciprocal, which comes first.
// CHECK: proved reciprocal_first (reassociates, needs-finite, changes-range; elements: real; 0 questions
rule.rule @reciprocal_first(%x: [n]) -> [n]
  source {
    %c0 = graph.constant dense<1.0> : tensor<f32>
    %b0 = graph.broadcast %c0 shape = [n]
    %e = graph.exp %x
    %0 = graph.add %e, %b0
    %r = graph.sqrt %0
    %i = graph.div %b0, %r
    %1 = graph.mul %i, %r
    rule.yield %1
  }
  target {
    %c0 = graph.constant dense<1.0> : tensor<f32>
    %b0 = graph.broadcast %c0 shape = [n]
    rule.yield %b0
  }

// CHECK: proved root_of_square_times_power (reassociates, changes-range; elements: real;
rule.rule @root_of_square_times_power(%x: [n], %y: [n]) -> [n]
  source {
    %0 = graph.mul %x, %x
    %e = graph.exp %y
    %1 = graph.mul %0, %e
    %2 = graph.sqrt %1
    rule.yield %2
  }
  target {
    %0 = graph.abs %x
    %e = graph.exp %y
    %1 = graph.sqrt %e
    %2 = graph.mul %0, %1
    rule.yield %2
  }
