// RUN: tenon-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{expected a size nested less than 100 times}}
func.func private @deep(tensor<?xf32, #graph.dims<((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((n))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))>>)

// -----

// expected-error@+1 {{division by zero}}
func.func private @zero(tensor<?xf32, #graph.dims<n floordiv (2 - 2)>>)

// -----

// expected-error@+1 {{expected a size: an integer, a symbol or '?'}}
func.func private @nothing(tensor<?xf32, #graph.dims<n + >>)

// -----

// The least integer has no negative; it counts as unknown.
func.func private @least(tensor<?xf32, #graph.dims<(-9223372036854775807 - 1) floordiv (0 - 1)>>)

// -----

// expected-error@+1 {{expected 2 entries in #graph.dims, one per axis, but got 1}}
func.func private @count(tensor<?x2xf32, #graph.dims<n>>)

// -----

// expected-error@+1 {{axis 0 is 3 in the type, but 4 in #graph.dims}}
func.func private @size(tensor<3x?xf32, #graph.dims<4, n>>)
