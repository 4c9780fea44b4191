// RUN: tenon-opt %s --split-input-file --verify-diagnostics --pipe-to-program --program-plan-arena \
// RUN:   | FileCheck %s

// Independent sums over the same axes are one step; ranks differ in parts and groups only.
// CHECK-LABEL: program.ranks @main {
// CHECK:       %[[X:.*]] = program.input "x" : tensor<4x3xf32>
// CHECK:       %[[Y:.*]] = program.output "y" : tensor<4x3xf32>
// CHECK:       program.rank 0 {
// CHECK:         %[[PART:.*]] = program.part %[[X]] axis 0 at 0 : tensor<1x3xf32>
// CHECK:         program.run {
// CHECK-NEXT:      program.task @main.0(%[[PART]]) to(%[[A:.*]], %[[B:.*]])
// CHECK-NEXT:      %[[T:.*]] = program.all_reduce(%[[A]], %[[B]]) among [0, 2] tag 0 group 0
// CHECK-NEXT:      program.wait %[[T]]
// CHECK-NEXT:      program.task @main.1(%[[A]], %[[B]]) to(%[[C:.*]])
// CHECK-NEXT:      %[[U:.*]] = program.all_reduce(%[[C]]) among [0, 1, 2, 3] tag 2 group 1
// CHECK-NEXT:      program.wait %[[U]]
// CHECK-NEXT:      program.task @main.2(%[[C]], %[[PART]]) to(%{{.*}})
// CHECK:       program.rank 3 {
// CHECK:         program.part %[[X]] axis 0 at 3 : tensor<1x3xf32>
// CHECK:         program.all_reduce(%{{.*}}, %{{.*}}) among [1, 3] tag 0 group 0
// CHECK-LABEL: func.func @main.0(
// CHECK-SAME:    tensor<1x3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
func.func @main(%x: tensor<3xf32> {graph.name = "x"}) -> (tensor<3xf32> {graph.name = "y"})
    attributes {pipe.mesh = #pipe.mesh<"data" = 2, "stage" = 2>} {
  %0 = graph.neg %x : tensor<3xf32>
  %1 = graph.all_reduce %x over ["data"] : tensor<3xf32>
  %2 = graph.all_reduce %0 over ["data"] : tensor<3xf32>
  %3 = graph.mul %1, %2 : tensor<3xf32>
  %4 = graph.all_reduce %3 over ["stage", "data"] : tensor<3xf32>
  %5 = graph.sub %4, %x : tensor<3xf32>
  return %5 : tensor<3xf32>
}

// -----

// The only rank along an axis sums nothing.
// CHECK-LABEL: program.ranks @main {
// CHECK:         program.run {
// CHECK-NEXT:      program.task @main.0
// CHECK-NEXT:      program.task @main.1
// CHECK-NEXT:    }
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> attributes {pipe.mesh = #pipe.mesh<"a" = 1, "b" = 2>} {
  %0 = graph.all_reduce %x over ["a"] : tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// expected-error @+1 {{has a mesh; expected numbers as sizes of its inputs, but got 'tensor<?xf32, #graph.dims<n>>'; bind its symbols}}
func.func @main(%x: tensor<?xf32, #graph.dims<n>>) -> tensor<?xf32, #graph.dims<n>> attributes {pipe.mesh = #pipe.mesh<"a" = 2>} {
  %0 = graph.all_reduce %x over ["a"] : tensor<?xf32, #graph.dims<n>>
  return %0 : tensor<?xf32, #graph.dims<n>>
}

// -----

func.func @main(%x: tensor<3xi32>) -> tensor<3xi32> attributes {pipe.mesh = #pipe.mesh<"a" = 2>} {
  // expected-error @+1 {{'graph.all_reduce' op has code for f32 and f64 only, but got 'tensor<3xi32>'}}
  %0 = graph.all_reduce %x over ["a"] : tensor<3xi32>
  return %0 : tensor<3xi32>
}

// -----

func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> attributes {pipe.mesh = #pipe.mesh<"a" = 2>} {
  return %x : tensor<3xf32>
}
// expected-error @+1 {{has no mesh, as other functions have}}
func.func @other(%x: tensor<3xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}

// -----

func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> attributes {pipe.mesh = #pipe.mesh<"a" = 2>} {
  return %x : tensor<3xf32>
}
// expected-error @+1 {{expected the mesh of the first function, #pipe.mesh<"a" = 2>, but got #pipe.mesh<"a" = 3>}}
func.func @other(%x: tensor<3xf32>) -> tensor<3xf32> attributes {pipe.mesh = #pipe.mesh<"a" = 3>} {
  return %x : tensor<3xf32>
}

// -----

// expected-error @+1 {{expected a mesh of at most 4096 ranks, but got 4097}}
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> attributes {pipe.mesh = #pipe.mesh<"a" = 4097>} {
  return %x : tensor<3xf32>
}

// -----

graph.state @s : tensor<3xf32>
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> attributes {pipe.mesh = #pipe.mesh<"a" = 2>} {
  // expected-error @+1 {{'graph.write_state' op is not supported in a function with a mesh}}
  graph.write_state @s, %x : tensor<3xf32>
  return %x : tensor<3xf32>
}
