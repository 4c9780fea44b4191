// RUN: tenon-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{expected a mesh with an axis}}
#mesh = #pipe.mesh<>
module attributes {m = #mesh} {}

// -----

// expected-error @+1 {{expected a mesh with an axis}}
#mesh = #pipe.mesh<memory_bytes = [1]>
module attributes {m = #mesh} {}

// -----

// expected-error @+1 {{expected axes of a mesh with distinct names}}
#mesh = #pipe.mesh<"a" = 2, "a" = 3>
module attributes {m = #mesh} {}

// -----

// expected-error @+1 {{expected axes of a mesh with distinct names}}
#mesh = #pipe.mesh<"" = 2>
module attributes {m = #mesh} {}

// -----

// expected-error @+1 {{expected sizes of at least 1 and fewer than 2^31 positions of a mesh, but axis "a" has 0}}
#mesh = #pipe.mesh<"a" = 0>
module attributes {m = #mesh} {}

// -----

// expected-error @+1 {{expected sizes of at least 1 and fewer than 2^31 positions of a mesh, but axis "b" has 65536}}
#mesh = #pipe.mesh<"a" = 65536, "b" = 65536>
module attributes {m = #mesh} {}

// -----

// expected-error @+1 {{expected sizes of at least 1 and fewer than 2^31 positions of a mesh, but axis "a" has 4611686018427387904}}
#mesh = #pipe.mesh<"a" = 4611686018427387904, "b" = 4>
module attributes {m = #mesh} {}

// -----

// expected-error @+1 {{expected 'memory_bytes' of at least 1, one for all of the mesh or 4}}
#mesh = #pipe.mesh<"a" = 4, memory_bytes = [1, 2, 3]>
module attributes {m = #mesh} {}

// -----

// expected-error @+1 {{expected 'memory_bytes' of at least 1, one for all of the mesh or 2}}
#mesh = #pipe.mesh<"a" = 2, memory_bytes = [1, 0]>
module attributes {m = #mesh} {}

// -----

// expected-error @+1 {{expected 'link_seconds' and 'link_bytes_per_second' for each of 2 axes}}
#mesh = #pipe.mesh<"a" = 2, "b" = 2, link_seconds = [0.0], link_bytes_per_second = [1.0]>
module attributes {m = #mesh} {}

// -----

// expected-error @+1 {{expected 'link_seconds' and 'link_bytes_per_second' for each of 1 axes}}
#mesh = #pipe.mesh<"a" = 2, link_seconds = [0.0]>
module attributes {m = #mesh} {}

// -----

// expected-error @+1 {{expected 'link_seconds' of at least 0}}
#mesh = #pipe.mesh<"a" = 2, link_seconds = [-1.0], link_bytes_per_second = [1.0]>
module attributes {m = #mesh} {}

// -----

// expected-error @+1 {{expected 'link_bytes_per_second' above 0}}
#mesh = #pipe.mesh<"a" = 2, link_seconds = [0.0], link_bytes_per_second = [0.0]>
module attributes {m = #mesh} {}

// -----

// expected-error @+1 {{expected an axis, 'memory_bytes', 'link_seconds' or 'link_bytes_per_second'}}
#mesh = #pipe.mesh<"a" = 2, cost = 3>
module attributes {m = #mesh} {}

// -----

// expected-error @+1 {{'memory_bytes' is given twice}}
#mesh = #pipe.mesh<"a" = 2, memory_bytes = [1], memory_bytes = [2]>
module attributes {m = #mesh} {}

// -----

// expected-error @+1 {{expected 'pipe.mesh', a mesh, at functions alone, but got 'pipe.mesh'}}
module attributes {pipe.mesh = #pipe.mesh<"a" = 2>} {}

// -----

// expected-error @+1 {{expected 'pipe.mesh', a mesh, at functions alone, but got 'pipe.ranks'}}
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {pipe.ranks = 4 : i64} {
  return %x : tensor<4xf32>
}

// -----

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {pipe.mesh = #pipe.mesh<"a" = 2>} {
  // expected-error @+1 {{'graph.all_reduce' op the mesh of its function has no axis 'b'}}
  %0 = graph.all_reduce %x over ["b"] : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'graph.all_reduce' op expected an axis to sum over}}
  %0 = graph.all_reduce %x over [] : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'graph.all_reduce' op expected distinct axes with names}}
  %0 = graph.all_reduce %x over ["a", "a"] : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f(%x: tensor<4xi1>) -> tensor<4xi1> {
  // expected-error @+1 {{'graph.all_reduce' op operand #0 must be ranked tensor}}
  %0 = graph.all_reduce %x over ["a"] : tensor<4xi1>
  return %0 : tensor<4xi1>
}
