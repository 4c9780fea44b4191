// Negative tests for rules/adjoints/resize.mlir: each must be refuted.
// RUN: not tenon-rules prove %s 2>&1 | FileCheck %s
// The proofs themselves find none of them, without trying small sizes first.
// RUN: not tenon-rules prove --without-refuting %s 2>&1 | FileCheck %s --check-prefix=PROOF
// PROOF: {{^}}0 proved, 10 unknown
// REQUIRES: z3
// REQUIRES: full

// Rounded up.
// CHECK: {{^}}refuted wrong_adjoint_of_resize_nearest{{$}}
rule.rule @wrong_adjoint_of_resize_nearest(%x: [n, h], %y: [n, 2 * h]) -> []
  source {
    %a = graph.resize %x shape = [n, 2 * h] scales = [1.0, 2.0] nearest asymmetric floor cubic_coeff = -7.5e-01
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %0 = graph.iota shape = [h, h] axis = 0 of i64
    %1 = graph.iota shape = [h, h] axis = 1 of i64
    %2 = graph.equal %0, %1
    %3 = graph.cast %2 to f32
    %4 = graph.resize %3 shape = [h, 2 * h] scales = [1.0, 2.0] nearest asymmetric ceil cubic_coeff = -7.5e-01
    %g = graph.matmul %y, %4 transpose_b
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  where [h >= 1]

// Another scale.
// CHECK: {{^}}refuted wrong_adjoint_of_resize_nearest_any{{$}}
rule.rule @wrong_adjoint_of_resize_nearest_any(%x: [n, h], %y: [n, k]) -> []
  source {
    %a = graph.resize %x shape = [n, k] scales = [1.0, 1.7] nearest half_pixel round_prefer_ceil cubic_coeff = -7.5e-01
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %0 = graph.iota shape = [h, h] axis = 0 of i64
    %1 = graph.iota shape = [h, h] axis = 1 of i64
    %2 = graph.equal %0, %1
    %3 = graph.cast %2 to f32
    %4 = graph.resize %3 shape = [h, k] scales = [1.0, 1.6] nearest half_pixel round_prefer_ceil cubic_coeff = -7.5e-01
    %g = graph.matmul %y, %4 transpose_b
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  where [h >= 1]

// The scale of one axis for both.
// CHECK: {{^}}refuted wrong_adjoint_of_resize_nearest_two{{$}}
rule.rule @wrong_adjoint_of_resize_nearest_two(%x: [n, h, w], %y: [n, k, l]) -> []
  source {
    %a = graph.resize %x shape = [n, k, l] scales = [1.0, 1.7, 1.5] nearest asymmetric floor cubic_coeff = -7.5e-01
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  target {
    %0 = graph.iota shape = [h, h] axis = 0 of i64
    %1 = graph.iota shape = [h, h] axis = 1 of i64
    %2 = graph.equal %0, %1
    %3 = graph.cast %2 to f32
    %4 = graph.resize %3 shape = [h, k] scales = [1.0, 1.7] nearest asymmetric floor cubic_coeff = -7.5e-01
    %5 = graph.transpose %y perm = [0, 2, 1]
    %6 = graph.matmul %5, %4 transpose_b
    %7 = graph.transpose %6 perm = [0, 2, 1]
    %8 = graph.iota shape = [w, w] axis = 0 of i64
    %9 = graph.iota shape = [w, w] axis = 1 of i64
    %10 = graph.equal %8, %9
    %11 = graph.cast %10 to f32
    %12 = graph.resize %11 shape = [w, l] scales = [1.0, 1.7] nearest asymmetric floor cubic_coeff = -7.5e-01
    %g = graph.matmul %7, %12 transpose_b
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  where [h >= 1, w >= 1]

// Other coordinates.
// CHECK: {{^}}refuted wrong_adjoint_of_resize_linear{{$}}
rule.rule @wrong_adjoint_of_resize_linear(%x: [n, h], %y: [n, k]) -> []
  source {
    %a = graph.resize %x shape = [n, k] scales = [1.0, 2.0] linear half_pixel round_prefer_floor cubic_coeff = -7.5e-01
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %0 = graph.iota shape = [h, h] axis = 0 of i64
    %1 = graph.iota shape = [h, h] axis = 1 of i64
    %2 = graph.equal %0, %1
    %3 = graph.cast %2 to f32
    %4 = graph.resize %3 shape = [h, k] scales = [1.0, 2.0] linear asymmetric round_prefer_floor cubic_coeff = -7.5e-01
    %g = graph.matmul %y, %4 transpose_b
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  where [h >= 1]

// The nearest element along one axis.
// CHECK: {{^}}refuted wrong_adjoint_of_resize_linear_two{{$}}
rule.rule @wrong_adjoint_of_resize_linear_two(%x: [n, h, w], %y: [n, k, l]) -> []
  source {
    %a = graph.resize %x shape = [n, k, l] scales = [1.0, 2.0, 1.5] linear asymmetric round_prefer_floor cubic_coeff = -7.5e-01
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  target {
    %0 = graph.iota shape = [h, h] axis = 0 of i64
    %1 = graph.iota shape = [h, h] axis = 1 of i64
    %2 = graph.equal %0, %1
    %3 = graph.cast %2 to f32
    %4 = graph.resize %3 shape = [h, k] scales = [1.0, 2.0] linear asymmetric round_prefer_floor cubic_coeff = -7.5e-01
    %5 = graph.transpose %y perm = [0, 2, 1]
    %6 = graph.matmul %5, %4 transpose_b
    %7 = graph.transpose %6 perm = [0, 2, 1]
    %8 = graph.iota shape = [w, w] axis = 0 of i64
    %9 = graph.iota shape = [w, w] axis = 1 of i64
    %10 = graph.equal %8, %9
    %11 = graph.cast %10 to f32
    %12 = graph.resize %11 shape = [w, l] scales = [1.0, 1.5] nearest asymmetric round_prefer_floor cubic_coeff = -7.5e-01
    %g = graph.matmul %7, %12 transpose_b
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  where [h >= 1, w >= 1]

// Other weights.
// CHECK: {{^}}refuted wrong_adjoint_of_resize_cubic{{$}}
rule.rule @wrong_adjoint_of_resize_cubic(%x: [n, h], %y: [n, k]) -> []
  source {
    %a = graph.resize %x shape = [n, k] scales = [1.0, 2.0] cubic half_pixel round_prefer_floor cubic_coeff = -7.5e-01
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %0 = graph.iota shape = [h, h] axis = 0 of i64
    %1 = graph.iota shape = [h, h] axis = 1 of i64
    %2 = graph.equal %0, %1
    %3 = graph.cast %2 to f32
    %4 = graph.resize %3 shape = [h, k] scales = [1.0, 2.0] cubic half_pixel round_prefer_floor cubic_coeff = -5.0e-01
    %g = graph.matmul %y, %4 transpose_b
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  where [h >= 1]

// The taps outside keep their weight.
// CHECK: {{^}}refuted wrong_adjoint_of_resize_exclude{{$}}
rule.rule @wrong_adjoint_of_resize_exclude(%x: [n, h], %y: [n, k]) -> []
  source {
    %a = graph.resize %x shape = [n, k] scales = [1.0, 2.0] linear half_pixel round_prefer_floor cubic_coeff = -7.5e-01 exclude_outside
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %0 = graph.iota shape = [h, h] axis = 0 of i64
    %1 = graph.iota shape = [h, h] axis = 1 of i64
    %2 = graph.equal %0, %1
    %3 = graph.cast %2 to f32
    %4 = graph.resize %3 shape = [h, k] scales = [1.0, 2.0] linear half_pixel round_prefer_floor cubic_coeff = -7.5e-01
    %g = graph.matmul %y, %4 transpose_b
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  where [h >= 1]

// Corners are not on corners.
// CHECK: {{^}}refuted wrong_adjoint_of_resize_align{{$}}
rule.rule @wrong_adjoint_of_resize_align(%x: [n, h], %y: [n, k]) -> []
  source {
    %a = graph.resize %x shape = [n, k] scales = [1.0, 2.0] linear align_corners round_prefer_floor cubic_coeff = -7.5e-01
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %0 = graph.iota shape = [h, h] axis = 0 of i64
    %1 = graph.iota shape = [h, h] axis = 1 of i64
    %2 = graph.equal %0, %1
    %3 = graph.cast %2 to f32
    %4 = graph.resize %3 shape = [h, k] scales = [1.0, 2.0] linear half_pixel round_prefer_floor cubic_coeff = -7.5e-01
    %g = graph.matmul %y, %4 transpose_b
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  where [h >= 1]

// From the first element.
// CHECK: {{^}}refuted wrong_adjoint_of_resize_symmetric{{$}}
rule.rule @wrong_adjoint_of_resize_symmetric(%x: [n, h], %y: [n, k]) -> []
  source {
    %a = graph.resize %x shape = [n, k] scales = [1.0, 2.0] cubic half_pixel_symmetric round_prefer_floor cubic_coeff = -7.5e-01
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %0 = graph.iota shape = [h, h] axis = 0 of i64
    %1 = graph.iota shape = [h, h] axis = 1 of i64
    %2 = graph.equal %0, %1
    %3 = graph.cast %2 to f32
    %4 = graph.resize %3 shape = [h, k] scales = [1.0, 2.0] cubic half_pixel round_prefer_floor cubic_coeff = -7.5e-01
    %g = graph.matmul %y, %4 transpose_b
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  where [h >= 1]

// A single element is in the middle.
// CHECK: {{^}}refuted wrong_adjoint_of_resize_pytorch{{$}}
rule.rule @wrong_adjoint_of_resize_pytorch(%x: [n, h], %y: [n, k]) -> []
  source {
    %a = graph.resize %x shape = [n, k] scales = [1.0, 0.4] cubic pytorch_half_pixel round_prefer_floor cubic_coeff = -7.5e-01
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %0 = graph.iota shape = [h, h] axis = 0 of i64
    %1 = graph.iota shape = [h, h] axis = 1 of i64
    %2 = graph.equal %0, %1
    %3 = graph.cast %2 to f32
    %4 = graph.resize %3 shape = [h, k] scales = [1.0, 0.4] cubic half_pixel round_prefer_floor cubic_coeff = -7.5e-01
    %g = graph.matmul %y, %4 transpose_b
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  where [h >= 1]

// CHECK: {{^}}0 proved, 10 refuted
