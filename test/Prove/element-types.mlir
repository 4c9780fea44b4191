// What holds for real numbers, or for one type, is not proved of others.
// RUN: not tenon-rules prove --without-refuting %s 2>&1 | FileCheck %s
// REQUIRES: z3

!n = tensor<?xf32, #graph.dims<n>>
!ni8 = tensor<?xi8, #graph.dims<n>>
!ni32 = tensor<?xi32, #graph.dims<n>>
!nn = tensor<?x?xf32, #graph.dims<n, n>>
!nni1 = tensor<?x?xi1, #graph.dims<n, n>>

// An index of 8 bits wraps.
// CHECK: unknown narrow_triangle
rule.rule @narrow_triangle(%x: [n, n], %y: [n, n]) -> [n, n]
  source {
    %0 = graph.iota shape = [n, n] axis = 1 of i8 : () -> tensor<?x?xi8, #graph.dims<n, n>>
    %1 = graph.iota shape = [n, n] axis = 0 of i8 : () -> tensor<?x?xi8, #graph.dims<n, n>>
    %2 = graph.less_equal %0, %1 : tensor<?x?xi8, #graph.dims<n, n>>
    %3 = graph.where %2, %x, %y : !nni1, !nn, !nn
    rule.yield %3 : [n, n]
  }
  target {
    %0 = graph.iota shape = [n, n] axis = 1 of ui8 : () -> tensor<?x?xui8, #graph.dims<n, n>>
    %1 = graph.iota shape = [n, n] axis = 0 of ui8 : () -> tensor<?x?xui8, #graph.dims<n, n>>
    %2 = graph.less_equal %0, %1 : tensor<?x?xui8, #graph.dims<n, n>>
    %3 = graph.where %2, %x, %y : !nni1, !nn, !nn
    rule.yield %3 : [n, n]
  }

// One of 16 bits rounds.
// CHECK: unknown narrow_equality
rule.rule @narrow_equality(%x: [n, n], %y: [n, n]) -> [n, n]
  source {
    %0 = graph.iota shape = [n, n] axis = 1 of bf16 : () -> tensor<?x?xbf16, #graph.dims<n, n>>
    %1 = graph.iota shape = [n, n] axis = 0 of bf16 : () -> tensor<?x?xbf16, #graph.dims<n, n>>
    %2 = graph.equal %0, %1 : tensor<?x?xbf16, #graph.dims<n, n>>
    %3 = graph.where %2, %x, %y : !nni1, !nn, !nn
    rule.yield %3 : [n, n]
  }
  target {
    %0 = graph.iota shape = [n, n] axis = 1 of i64 : () -> tensor<?x?xi64, #graph.dims<n, n>>
    %1 = graph.iota shape = [n, n] axis = 0 of i64 : () -> tensor<?x?xi64, #graph.dims<n, n>>
    %2 = graph.equal %0, %1 : tensor<?x?xi64, #graph.dims<n, n>>
    %3 = graph.where %2, %x, %y : !nni1, !nn, !nn
    rule.yield %3 : [n, n]
  }

// CHECK: unknown cast_index
rule.rule @cast_index(%x: [n] of f16) -> [n] of f16
  source {
    %0 = graph.iota shape = [n] axis = 0 of f16 : () -> tensor<?xf16, #graph.dims<n>>
    %1 = graph.mul %0, %x : tensor<?xf16, #graph.dims<n>>
    rule.yield %1 : [n] of f16
  }
  target {
    %0 = graph.iota shape = [n] axis = 0 of i8 : () -> !ni8
    %1 = graph.cast %0 to f16 : !ni8
    %2 = graph.mul %1, %x : tensor<?xf16, #graph.dims<n>>
    rule.yield %2 : [n] of f16
  }

// A constant that f16 does not hold.
// CHECK: unknown cast_constant
rule.rule @cast_constant(%x: [n] of f16) -> [n] of f16
  source {
    %0 = graph.constant dense<2049> : tensor<i64>
    %1 = graph.cast %0 to f16 : tensor<i64>
    %2 = graph.broadcast %1 shape = [n] : (tensor<f16>) -> tensor<?xf16, #graph.dims<n>>
    %3 = graph.mul %2, %x : tensor<?xf16, #graph.dims<n>>
    rule.yield %3 : [n] of f16
  }
  target {
    %0 = graph.constant dense<2049> : tensor<i32>
    %1 = graph.cast %0 to f32 : tensor<i32>
    %2 = graph.broadcast %1 shape = [n] : (tensor<f32>) -> !n
    %3 = graph.cast %x to f32 : tensor<?xf16, #graph.dims<n>>
    %4 = graph.mul %2, %3 : !n
    %5 = graph.cast %4 to f16 : !n
    rule.yield %5 : [n] of f16
  }

// Squares of integers wrap: 16 * 16 is 0 in i8.
// CHECK: unknown square_is_not_negative
rule.rule @square_is_not_negative(%x: [n] of i8, %y: [n], %z: [n]) -> [n]
  source {
    %0 = graph.constant dense<1> : tensor<i8>
    %1 = graph.broadcast %0 shape = [n] : (tensor<i8>) -> !ni8
    %2 = graph.mul %x, %x : !ni8
    %3 = graph.add %1, %2 : !ni8
    %4 = graph.constant dense<0> : tensor<i8>
    %5 = graph.broadcast %4 shape = [n] : (tensor<i8>) -> !ni8
    %6 = graph.equal %3, %5 : !ni8
    %7 = graph.where %6, %y, %z : tensor<?xi1, #graph.dims<n>>, !n, !n
    rule.yield %7 : [n]
  }
  target {
    rule.yield %z : [n]
  }

// As many ones as are counted: 256 are 0.
// CHECK: unknown count_is_not_zero
rule.rule @count_is_not_zero(%y: [], %z: []) -> []
  source {
    %0 = graph.constant dense<1> : tensor<ui8>
    %1 = graph.broadcast %0 shape = [n] : (tensor<ui8>) -> tensor<?xui8, #graph.dims<n>>
    %2 = graph.reduce_sum %1 axes = [0] : (tensor<?xui8, #graph.dims<n>>) -> tensor<ui8>
    %3 = graph.constant dense<0> : tensor<ui8>
    %4 = graph.equal %2, %3 : tensor<ui8>
    %5 = graph.where %4, %y, %z : tensor<i1>, tensor<f32>, tensor<f32>
    rule.yield %5 : []
  }
  target {
    rule.yield %z : []
  }
  where [n >= 1]

// Sums wrap alike, whatever their order.
// CHECK: proved integers_regroup (reassociates, changes-range; elements: ring;
rule.rule @integers_regroup(%a: [n] of i8, %b: [n] of i8, %c: [n] of i8) -> [n] of i8
  source {
    %0 = graph.add %a, %b : !ni8
    %1 = graph.mul %0, %c : !ni8
    rule.yield %1 : [n] of i8
  }
  target {
    %0 = graph.mul %a, %c : !ni8
    %1 = graph.mul %c, %b : !ni8
    %2 = graph.add %0, %1 : !ni8
    rule.yield %2 : [n] of i8
  }

// Quotients truncate.
// CHECK: unknown integer_quotients
rule.rule @integer_quotients(%a: [n] of i32, %b: [n] of i32, %c: [n] of i32) -> [n] of i32
  source {
    %0 = graph.add %a, %b : !ni32
    %1 = graph.div %0, %c : !ni32
    rule.yield %1 : [n] of i32
  }
  target {
    %0 = graph.div %a, %c : !ni32
    %1 = graph.div %b, %c : !ni32
    %2 = graph.add %0, %1 : !ni32
    rule.yield %2 : [n] of i32
  }

// Integers have no halves: a number that is padded with is converted.
// CHECK: proved padded_by_halves (reassociates; elements: real;
rule.rule @padded_by_halves(%x: [n], %y: [n]) -> [n + a]
  source {
    %0 = graph.pad %x low = [a] high = [0] constant value = 0.5 : (!n) -> tensor<?xf32, #graph.dims<n + a>>
    %1 = graph.pad %y low = [a] high = [0] constant value = 0.5 : (!n) -> tensor<?xf32, #graph.dims<n + a>>
    %2 = graph.add %0, %1 : tensor<?xf32, #graph.dims<n + a>>
    rule.yield %2 : [n + a]
  }
  target {
    %0 = graph.add %x, %y : !n
    %1 = graph.pad %0 low = [a] high = [0] constant value = 1.0 : (!n) -> tensor<?xf32, #graph.dims<n + a>>
    rule.yield %1 : [n + a]
  }

// CHECK: proved padded_by_ones (reassociates; elements: ring;
rule.rule @padded_by_ones(%x: [n], %y: [n]) -> [n + a]
  source {
    %0 = graph.pad %x low = [a] high = [0] constant value = 1.0 : (!n) -> tensor<?xf32, #graph.dims<n + a>>
    %1 = graph.pad %y low = [a] high = [0] constant value = 1.0 : (!n) -> tensor<?xf32, #graph.dims<n + a>>
    %2 = graph.add %0, %1 : tensor<?xf32, #graph.dims<n + a>>
    rule.yield %2 : [n + a]
  }
  target {
    %0 = graph.add %x, %y : !n
    %1 = graph.pad %0 low = [a] high = [0] constant value = 2.0 : (!n) -> tensor<?xf32, #graph.dims<n + a>>
    rule.yield %1 : [n + a]
  }

// What is asked decides, so it is part of what must be the same: here it is
// only regrouped.
// CHECK: proved regrouped_condition (reassociates, changes-range; elements: real;
rule.rule @regrouped_condition(%a: [n], %b: [n], %c: [n], %y: [n], %z: [n]) -> [n]
  source {
    %0 = graph.add %a, %b : !n
    %1 = graph.add %0, %c : !n
    %2 = graph.less %1, %a : !n
    %3 = graph.where %2, %y, %z : tensor<?xi1, #graph.dims<n>>, !n, !n
    rule.yield %3 : [n]
  }
  target {
    %0 = graph.add %b, %c : !n
    %1 = graph.add %a, %0 : !n
    %2 = graph.less %1, %a : !n
    %3 = graph.where %2, %y, %z : tensor<?xi1, #graph.dims<n>>, !n, !n
    rule.yield %3 : [n]
  }

// CHECK: proved moved_condition (exact; elements: any;
rule.rule @moved_condition(%a: [m, n], %y: [m, n], %z: [m, n]) -> [n, m]
  source {
    %0 = graph.less %a, %y : tensor<?x?xf32, #graph.dims<m, n>>
    %1 = graph.where %0, %y, %z : tensor<?x?xi1, #graph.dims<m, n>>, tensor<?x?xf32, #graph.dims<m, n>>, tensor<?x?xf32, #graph.dims<m, n>>
    %2 = graph.transpose %1 perm = [1, 0] : (tensor<?x?xf32, #graph.dims<m, n>>) -> tensor<?x?xf32, #graph.dims<n, m>>
    rule.yield %2 : [n, m]
  }
  target {
    %0 = graph.transpose %a perm = [1, 0] : (tensor<?x?xf32, #graph.dims<m, n>>) -> tensor<?x?xf32, #graph.dims<n, m>>
    %1 = graph.transpose %y perm = [1, 0] : (tensor<?x?xf32, #graph.dims<m, n>>) -> tensor<?x?xf32, #graph.dims<n, m>>
    %2 = graph.transpose %z perm = [1, 0] : (tensor<?x?xf32, #graph.dims<m, n>>) -> tensor<?x?xf32, #graph.dims<n, m>>
    %3 = graph.less %0, %1 : tensor<?x?xf32, #graph.dims<n, m>>
    %4 = graph.where %3, %1, %2 : tensor<?x?xi1, #graph.dims<n, m>>, tensor<?x?xf32, #graph.dims<n, m>>, tensor<?x?xf32, #graph.dims<n, m>>
    rule.yield %4 : [n, m]
  }

// exp is for floating-point types alone.
// CHECK: proved exp_of_transposed (exact; elements: real;
rule.rule @exp_of_transposed(%a: [m, n]) -> [n, m]
  source {
    %0 = graph.exp %a : tensor<?x?xf32, #graph.dims<m, n>>
    %1 = graph.transpose %0 perm = [1, 0] : (tensor<?x?xf32, #graph.dims<m, n>>) -> tensor<?x?xf32, #graph.dims<n, m>>
    rule.yield %1 : [n, m]
  }
  target {
    %0 = graph.transpose %a perm = [1, 0] : (tensor<?x?xf32, #graph.dims<m, n>>) -> tensor<?x?xf32, #graph.dims<n, m>>
    %1 = graph.exp %0 : tensor<?x?xf32, #graph.dims<n, m>>
    rule.yield %1 : [n, m]
  }

// In f16, 4096 * 100 is infinite.
// CHECK: proved scaled_in_f16 (reassociates, changes-range;
rule.rule @scaled_in_f16(%y: [n] of f16) -> [n] of f16
  source {
    %0 = graph.constant dense<4.0> : tensor<f16>
    %1 = graph.broadcast %0 shape = [n] : (tensor<f16>) -> tensor<?xf16, #graph.dims<n>>
    %2 = graph.mul %y, %1 : tensor<?xf16, #graph.dims<n>>
    rule.yield %2 : [n] of f16
  }
  target {
    %0 = graph.constant dense<4096.0> : tensor<f16>
    %1 = graph.broadcast %0 shape = [n] : (tensor<f16>) -> tensor<?xf16, #graph.dims<n>>
    %2 = graph.mul %y, %1 : tensor<?xf16, #graph.dims<n>>
    %3 = graph.constant dense<0.0009765625> : tensor<f16>
    %4 = graph.broadcast %3 shape = [n] : (tensor<f16>) -> tensor<?xf16, #graph.dims<n>>
    %5 = graph.mul %2, %4 : tensor<?xf16, #graph.dims<n>>
    rule.yield %5 : [n] of f16
  }

// What an attribute says is rounded as an element is: 1e-60 is 0.
// CHECK: unknown sign_of_tiny_pad
rule.rule @sign_of_tiny_pad(%y: [n]) -> [n + 1]
  source {
    %c = graph.pad %y low = [0] high = [1] constant value = 1.0e-60
    %e = graph.sign %c
    rule.yield %e
  }
  target {
    %e = graph.sign %y
    %c = graph.pad %e low = [0] high = [1] constant value = 1.0
    rule.yield %c
  }

// CHECK: unknown sign_of_small_pad_of_halves
rule.rule @sign_of_small_pad_of_halves(%y: [n] of f16) -> [n + 1] of f16
  source {
    %c = graph.pad %y low = [0] high = [1] constant value = 1.0e-12
    %e = graph.sign %c
    rule.yield %e
  }
  target {
    %e = graph.sign %y
    %c = graph.pad %e low = [0] high = [1] constant value = 1.0
    rule.yield %c
  }

// Numbers that are one in f32 are two in f64.
// CHECK: unknown threshold_of_f32
// CHECK: (with numbers rounded to f64)
rule.rule @threshold_of_f32(%x: [n]) -> [n]
  source {
    %0 = graph.thresholded_relu %x alpha = 0.3
    rule.yield %0
  }
  target {
    %0 = graph.thresholded_relu %x alpha = 0.30000001
    rule.yield %0
  }

// CHECK: unknown pad_of_f32
// CHECK: (with numbers rounded to f64)
rule.rule @pad_of_f32(%x: [n], %w: [n + 1], %y: [n + 1], %z: [n + 1]) -> [n + 1]
  source {
    %0 = graph.pad %x low = [1] high = [0] constant value = 2.0
    %1 = graph.less %w, %0
    %2 = graph.where %1, %y, %z
    rule.yield %2
  }
  target {
    %0 = graph.pad %x low = [1] high = [0] constant value = 2.00000001
    %1 = graph.less %w, %0
    %2 = graph.where %1, %y, %z
    rule.yield %2
  }

// The epsilon becomes a constant, which f32 has rounded.
// CHECK: unknown epsilon_of_f32
// CHECK: (with numbers rounded to f64)
rule.rule @epsilon_of_f32(%x: [n, c], %s: [c], %b: [c], %m: [c], %v: [c]) -> [n, c]
  source {
    %0 = graph.batch_norm %x, %s, %b, %m, %v axis = 1 epsilon = 0.1
    rule.yield %0
  }
  target {
    %0 = graph.batch_norm %x, %s, %b, %m, %v axis = 1 epsilon = 0.100000001490116
    rule.yield %0
  }

// CHECK: proved{{ +}}same_in_both
rule.rule @same_in_both(%x: [n]) -> [n]
  source {
    %0 = graph.neg %x
    %1 = graph.neg %0
    %2 = graph.thresholded_relu %1 alpha = 0.3
    rule.yield %2
  }
  target {
    %0 = graph.thresholded_relu %x alpha = 0.3
    rule.yield %0
  }
