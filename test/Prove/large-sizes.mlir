// Rules that are wrong at large sizes only, or at integers that wrap: sizes
// beside the numbers of a rule, and the ends of integer types, are tried too.
// RUN: not tenon-rules prove %s 2>&1 | FileCheck %s
// REQUIRES: z3

// For n < 24, zeros are part of the mean.
// CHECK: refuted norm_of_padded
rule.rule @norm_of_padded(%x: [m, n], %g: [n]) -> [m, n]
  source {
    %0 = graph.layer_norm %x, %g axis = 1 epsilon = 1.0e-5 : (tensor<?x?xf32, #graph.dims<m, n>>, tensor<?xf32, #graph.dims<n>>) -> tensor<?x?xf32, #graph.dims<m, n>>
    rule.yield %0 : [m, n]
  }
  target {
    %0 = graph.pad %x low = [0, 0] high = [0, max(n, 24) - 24] constant value = 0.0 : (tensor<?x?xf32, #graph.dims<m, n>>) -> tensor<?x?xf32, #graph.dims<m, n + max(n, 24) - 24>>
    %1 = graph.pad %g low = [0] high = [max(n, 24) - 24] constant value = 0.0 : (tensor<?xf32, #graph.dims<n>>) -> tensor<?xf32, #graph.dims<n + max(n, 24) - 24>>
    %2 = graph.layer_norm %0, %1 axis = 1 epsilon = 1.0e-5 : (tensor<?x?xf32, #graph.dims<m, n + max(n, 24) - 24>>, tensor<?xf32, #graph.dims<n + max(n, 24) - 24>>) -> tensor<?x?xf32, #graph.dims<m, n + max(n, 24) - 24>>
    %3 = graph.slice %2 starts = [0, 0] sizes = [m, n] steps = [1, 1] : (tensor<?x?xf32, #graph.dims<m, n + max(n, 24) - 24>>) -> tensor<?x?xf32, #graph.dims<m, n>>
    rule.yield %3 : [m, n]
  }
  where [n >= 1]

// CHECK: refuted index_wraps
rule.rule @index_wraps(%x: [n], %y: [n]) -> [n]
  source {
    %0 = graph.iota shape = [n] axis = 0 of i8 : () -> tensor<?xi8, #graph.dims<n>>
    %1 = graph.constant dense<0> : tensor<i8>
    %2 = graph.broadcast %1 shape = [n] : (tensor<i8>) -> tensor<?xi8, #graph.dims<n>>
    %3 = graph.less %0, %2 : tensor<?xi8, #graph.dims<n>>
    %4 = graph.where %3, %x, %y : tensor<?xi1, #graph.dims<n>>, tensor<?xf32, #graph.dims<n>>, tensor<?xf32, #graph.dims<n>>
    rule.yield %4 : [n]
  }
  target {
    rule.yield %y : [n]
  }

// CHECK: refuted lowest_has_no_absolute_value
rule.rule @lowest_has_no_absolute_value(%x: [n] of i32, %y: [n], %z: [n]) -> [n]
  source {
    %0 = graph.abs %x : tensor<?xi32, #graph.dims<n>>
    %1 = graph.constant dense<0> : tensor<i32>
    %2 = graph.broadcast %1 shape = [n] : (tensor<i32>) -> tensor<?xi32, #graph.dims<n>>
    %3 = graph.less %0, %2 : tensor<?xi32, #graph.dims<n>>
    %4 = graph.where %3, %y, %z : tensor<?xi1, #graph.dims<n>>, tensor<?xf32, #graph.dims<n>>, tensor<?xf32, #graph.dims<n>>
    rule.yield %4 : [n]
  }
  target {
    rule.yield %z : [n]
  }

// CHECK: refuted sum_beyond_largest
rule.rule @sum_beyond_largest(%x: [n] of ui8, %y: [n], %z: [n]) -> [n]
  source {
    %0 = graph.constant dense<1> : tensor<ui8>
    %1 = graph.broadcast %0 shape = [n] : (tensor<ui8>) -> tensor<?xui8, #graph.dims<n>>
    %2 = graph.add %x, %1 : tensor<?xui8, #graph.dims<n>>
    %3 = graph.less %2, %x : tensor<?xui8, #graph.dims<n>>
    %4 = graph.where %3, %y, %z : tensor<?xi1, #graph.dims<n>>, tensor<?xf32, #graph.dims<n>>, tensor<?xf32, #graph.dims<n>>
    rule.yield %4 : [n]
  }
  target {
    rule.yield %z : [n]
  }
