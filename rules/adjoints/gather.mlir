// The adjoints of gathers and scatters. Indices are any integers.
//
// A rule states <A x, y> = <x, G y>, as in movement.mlir, which says how to read it.
//
// `tenon-rules prove rules/adjoints/gather.mlir` proves them for all sizes.

// What reads an element gives to it. Indices below 0 count from the end for both ops, but a gather
// clamps those out of range, where a scatter drops them.
rule.rule @adjoint_of_gather(%x: [n, m], %i: [k] of i64, %y: [k, m]) -> []
  source {
    %a = graph.gather %x, %i axis = 0
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %0 = graph.iota shape = [n + 1] axis = 0 of i64
    %1 = graph.slice %0 starts = [n] sizes = [1] steps = [1]
    %2 = graph.reshape %1 shape = []
    %3 = graph.broadcast %2 shape = [k]
    %4 = graph.constant dense<1> : tensor<i64>
    %5 = graph.broadcast %4 shape = [k]
    %6 = graph.sub %3, %5
    %7 = graph.neg %3
    %8 = graph.maximum %i, %7
    %9 = graph.minimum %8, %6
    %10 = graph.reshape %9 shape = [k, 1]
    %11 = graph.constant dense<0.0> : tensor<f32>
    %12 = graph.broadcast %11 shape = [n, m]
    %g = graph.scatter_nd %12, %10, %y add
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }

// Along another axis, at indices of two axes.
rule.rule @adjoint_of_gather_axis(%x: [m, n], %i: [k, l] of i64, %y: [m, k, l]) -> []
  source {
    %a = graph.gather %x, %i axis = 1
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  target {
    %0 = graph.transpose %y perm = [1, 2, 0]
    %1 = graph.iota shape = [n + 1] axis = 0 of i64
    %2 = graph.slice %1 starts = [n] sizes = [1] steps = [1]
    %3 = graph.reshape %2 shape = []
    %4 = graph.broadcast %3 shape = [k, l]
    %5 = graph.constant dense<1> : tensor<i64>
    %6 = graph.broadcast %5 shape = [k, l]
    %7 = graph.sub %4, %6
    %8 = graph.neg %4
    %9 = graph.maximum %i, %8
    %10 = graph.minimum %9, %7
    %11 = graph.reshape %10 shape = [k, l, 1]
    %12 = graph.constant dense<0.0> : tensor<f32>
    %13 = graph.broadcast %12 shape = [n, m]
    %14 = graph.scatter_nd %13, %11, %0 add
    %g = graph.transpose %14 perm = [1, 0]
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }

// Each element at an index of its own.
rule.rule @adjoint_of_gather_elements(%x: [n, m], %i: [k, m] of i64, %y: [k, m]) -> []
  source {
    %a = graph.gather_elements %x, %i axis = 0
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %0 = graph.iota shape = [n + 1] axis = 0 of i64
    %1 = graph.slice %0 starts = [n] sizes = [1] steps = [1]
    %2 = graph.reshape %1 shape = []
    %3 = graph.broadcast %2 shape = [k, m]
    %4 = graph.constant dense<1> : tensor<i64>
    %5 = graph.broadcast %4 shape = [k, m]
    %6 = graph.sub %3, %5
    %7 = graph.neg %3
    %8 = graph.maximum %i, %7
    %9 = graph.minimum %8, %6
    %10 = graph.constant dense<0.0> : tensor<f32>
    %11 = graph.broadcast %10 shape = [n, m]
    %g = graph.scatter_elements %11, %9, %y axis = 0 add
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }

// Along the last axis, of the first rows.
rule.rule @adjoint_of_gather_elements_last(%x: [p, n], %i: [m, k] of i64, %y: [m, k]) -> []
  source {
    %a = graph.gather_elements %x, %i axis = 1
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %0 = graph.iota shape = [n + 1] axis = 0 of i64
    %1 = graph.slice %0 starts = [n] sizes = [1] steps = [1]
    %2 = graph.reshape %1 shape = []
    %3 = graph.broadcast %2 shape = [m, k]
    %4 = graph.constant dense<1> : tensor<i64>
    %5 = graph.broadcast %4 shape = [m, k]
    %6 = graph.sub %3, %5
    %7 = graph.neg %3
    %8 = graph.maximum %i, %7
    %9 = graph.minimum %8, %6
    %10 = graph.constant dense<0.0> : tensor<f32>
    %11 = graph.broadcast %10 shape = [p, n]
    %g = graph.scatter_elements %11, %9, %y axis = 1 add
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  where [p >= m]

// Positions on two axes.
rule.rule @adjoint_of_gather_nd(%x: [n, m, l], %i: [k, 2] of i64, %y: [k, l]) -> []
  source {
    %a = graph.gather_nd %x, %i batch_dims = 0
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %0 = graph.slice %i starts = [0, 0] sizes = [k, 1] steps = [1, 1]
    %1 = graph.iota shape = [n + 1] axis = 0 of i64
    %2 = graph.slice %1 starts = [n] sizes = [1] steps = [1]
    %3 = graph.reshape %2 shape = []
    %4 = graph.broadcast %3 shape = [k, 1]
    %5 = graph.constant dense<1> : tensor<i64>
    %6 = graph.broadcast %5 shape = [k, 1]
    %7 = graph.sub %4, %6
    %8 = graph.neg %4
    %9 = graph.maximum %0, %8
    %10 = graph.minimum %9, %7
    %11 = graph.slice %i starts = [0, 1] sizes = [k, 1] steps = [1, 1]
    %12 = graph.iota shape = [m + 1] axis = 0 of i64
    %13 = graph.slice %12 starts = [m] sizes = [1] steps = [1]
    %14 = graph.reshape %13 shape = []
    %15 = graph.broadcast %14 shape = [k, 1]
    %16 = graph.constant dense<1> : tensor<i64>
    %17 = graph.broadcast %16 shape = [k, 1]
    %18 = graph.sub %15, %17
    %19 = graph.neg %15
    %20 = graph.maximum %11, %19
    %21 = graph.minimum %20, %18
    %22 = graph.concat %10, %21 axis = 1
    %23 = graph.constant dense<0.0> : tensor<f32>
    %24 = graph.broadcast %23 shape = [n, m, l]
    %g = graph.scatter_nd %24, %22, %y add
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }

// A batch of positions.
rule.rule @adjoint_of_gather_nd_batch(%x: [b, n, l], %i: [b, k, 1] of i64, %y: [b, k, l]) -> []
  source {
    %a = graph.gather_nd %x, %i batch_dims = 1
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  target {
    %0 = graph.iota shape = [b, k, 1] axis = 0 of i64
    %1 = graph.iota shape = [n + 1] axis = 0 of i64
    %2 = graph.slice %1 starts = [n] sizes = [1] steps = [1]
    %3 = graph.reshape %2 shape = []
    %4 = graph.broadcast %3 shape = [b, k, 1]
    %5 = graph.constant dense<1> : tensor<i64>
    %6 = graph.broadcast %5 shape = [b, k, 1]
    %7 = graph.sub %4, %6
    %8 = graph.neg %4
    %9 = graph.maximum %i, %8
    %10 = graph.minimum %9, %7
    %11 = graph.concat %0, %10 axis = 2
    %12 = graph.constant dense<0.0> : tensor<f32>
    %13 = graph.broadcast %12 shape = [b, n, l]
    %g = graph.scatter_nd %13, %11, %y add
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }

// Elements to which others are added keep their cotangent.
rule.rule @adjoint_of_scatter_elements_input(%x: [n, m], %i: [k, m] of i64, %y: [n, m]) -> []
  source {
    %0 = graph.constant dense<0.0> : tensor<f32>
    %z = graph.broadcast %0 shape = [k, m]
    %a = graph.scatter_elements %x, %i, %z axis = 0 add
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %p = graph.mul %x, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }

// An update has the cotangent of the element to which it is added, or 0 if it is dropped.
rule.rule @adjoint_of_scatter_elements(%x: [k, m], %i: [k, m] of i64, %y: [n, m]) -> []
  source {
    %0 = graph.constant dense<0.0> : tensor<f32>
    %z = graph.broadcast %0 shape = [n, m]
    %a = graph.scatter_elements %z, %i, %x axis = 0 add
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %0 = graph.iota shape = [n + 1] axis = 0 of i64
    %1 = graph.slice %0 starts = [n] sizes = [1] steps = [1]
    %2 = graph.reshape %1 shape = []
    %3 = graph.broadcast %2 shape = [k, m]
    %4 = graph.less %i, %3
    %5 = graph.neg %3
    %6 = graph.less_equal %5, %i
    %7 = graph.and %4, %6
    %8 = graph.gather_elements %y, %i axis = 0
    %9 = graph.constant dense<0.0> : tensor<f32>
    %10 = graph.broadcast %9 shape = [k, m]
    %g = graph.where %7, %8, %10
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  where [n >= 1]

// Along the last axis, of the first rows.
rule.rule @adjoint_of_scatter_elements_last(%x: [m, k], %i: [m, k] of i64, %y: [p, n]) -> []
  source {
    %0 = graph.constant dense<0.0> : tensor<f32>
    %z = graph.broadcast %0 shape = [p, n]
    %a = graph.scatter_elements %z, %i, %x axis = 1 add
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %0 = graph.iota shape = [n + 1] axis = 0 of i64
    %1 = graph.slice %0 starts = [n] sizes = [1] steps = [1]
    %2 = graph.reshape %1 shape = []
    %3 = graph.broadcast %2 shape = [m, k]
    %4 = graph.less %i, %3
    %5 = graph.neg %3
    %6 = graph.less_equal %5, %i
    %7 = graph.and %4, %6
    %8 = graph.gather_elements %y, %i axis = 1
    %9 = graph.constant dense<0.0> : tensor<f32>
    %10 = graph.broadcast %9 shape = [m, k]
    %g = graph.where %7, %8, %10
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  where [n >= 1, p >= m]

// Slices to which others are added keep their cotangent.
rule.rule @adjoint_of_scatter_nd_input(%x: [n, m], %i: [k, 1] of i64, %y: [n, m]) -> []
  source {
    %0 = graph.constant dense<0.0> : tensor<f32>
    %z = graph.broadcast %0 shape = [k, m]
    %a = graph.scatter_nd %x, %i, %z add
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %p = graph.mul %x, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }

// Slices at positions on one axis.
rule.rule @adjoint_of_scatter_nd(%x: [k, m], %i: [k, 1] of i64, %y: [n, m]) -> []
  source {
    %0 = graph.constant dense<0.0> : tensor<f32>
    %z = graph.broadcast %0 shape = [n, m]
    %a = graph.scatter_nd %z, %i, %x add
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %0 = graph.iota shape = [n + 1] axis = 0 of i64
    %1 = graph.slice %0 starts = [n] sizes = [1] steps = [1]
    %2 = graph.reshape %1 shape = []
    %3 = graph.broadcast %2 shape = [k, 1]
    %4 = graph.less %i, %3
    %5 = graph.neg %3
    %6 = graph.less_equal %5, %i
    %7 = graph.and %4, %6
    %8 = graph.broadcast %7 shape = [k, m]
    %9 = graph.gather_nd %y, %i batch_dims = 0
    %10 = graph.constant dense<0.0> : tensor<f32>
    %11 = graph.broadcast %10 shape = [k, m]
    %g = graph.where %8, %9, %11
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  where [n >= 1]

// Positions on two axes.
rule.rule @adjoint_of_scatter_nd_two(%x: [k, l], %i: [k, 2] of i64, %y: [n, m, l]) -> []
  source {
    %0 = graph.constant dense<0.0> : tensor<f32>
    %z = graph.broadcast %0 shape = [n, m, l]
    %a = graph.scatter_nd %z, %i, %x add
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1, 2]
    rule.yield %s
  }
  target {
    %0 = graph.slice %i starts = [0, 0] sizes = [k, 1] steps = [1, 1]
    %1 = graph.iota shape = [n + 1] axis = 0 of i64
    %2 = graph.slice %1 starts = [n] sizes = [1] steps = [1]
    %3 = graph.reshape %2 shape = []
    %4 = graph.broadcast %3 shape = [k, 1]
    %5 = graph.less %0, %4
    %6 = graph.neg %4
    %7 = graph.less_equal %6, %0
    %8 = graph.and %5, %7
    %9 = graph.slice %i starts = [0, 1] sizes = [k, 1] steps = [1, 1]
    %10 = graph.iota shape = [m + 1] axis = 0 of i64
    %11 = graph.slice %10 starts = [m] sizes = [1] steps = [1]
    %12 = graph.reshape %11 shape = []
    %13 = graph.broadcast %12 shape = [k, 1]
    %14 = graph.less %9, %13
    %15 = graph.neg %13
    %16 = graph.less_equal %15, %9
    %17 = graph.and %14, %16
    %18 = graph.and %8, %17
    %19 = graph.broadcast %18 shape = [k, l]
    %20 = graph.gather_nd %y, %i batch_dims = 0
    %21 = graph.constant dense<0.0> : tensor<f32>
    %22 = graph.broadcast %21 shape = [k, l]
    %g = graph.where %19, %20, %22
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  where [n >= 1, m >= 1]

// Elements that are replaced get 0.
rule.rule @adjoint_of_scatter_replacing_input(%x: [n, m], %i: [k, m] of i64, %y: [n, m]) -> []
  source {
    %0 = graph.constant dense<0.0> : tensor<f32>
    %z = graph.broadcast %0 shape = [k, m]
    %a = graph.scatter_elements %x, %i, %z axis = 0 none
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %0 = graph.constant dense<0.0> : tensor<f32>
    %1 = graph.broadcast %0 shape = [k, m]
    %g = graph.scatter_elements %y, %i, %1 axis = 0 none
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }

// Slices that are replaced get 0.
rule.rule @adjoint_of_scatter_nd_replacing_input(%x: [n, m], %i: [k, 1] of i64, %y: [n, m]) -> []
  source {
    %0 = graph.constant dense<0.0> : tensor<f32>
    %z = graph.broadcast %0 shape = [k, m]
    %a = graph.scatter_nd %x, %i, %z none
    %p = graph.mul %a, %y
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
  target {
    %0 = graph.constant dense<0.0> : tensor<f32>
    %1 = graph.broadcast %0 shape = [k, m]
    %g = graph.scatter_nd %y, %i, %1 none
    %p = graph.mul %x, %g
    %s = graph.reduce_sum %p axes = [0, 1]
    rule.yield %s
  }
