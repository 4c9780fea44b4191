// RUN: tenon-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{expected 2 entries in #graph.dims, one per axis, but got 1}}
func.func private @count(tensor<?x4xf32, #graph.dims<n>>)

// -----

// expected-error@+1 {{axis 1 is 4 in the type, but 5 in #graph.dims}}
func.func private @static(tensor<?x4xf32, #graph.dims<n, 5>>)

// -----

// expected-error@+1 {{axis 0 is dynamic in the type, but 3 in #graph.dims}}
func.func private @dynamic(tensor<?x4xf32, #graph.dims<3, 4>>)

// -----

// expected-error@+1 {{axis 0 is 3 in the type, but n in #graph.dims}}
func.func private @symbol(tensor<3xf32, #graph.dims<n>>)

// -----

// expected-error@+1 {{division by zero}}
func.func private @division(tensor<?xf32, #graph.dims<n floordiv 0>>)

// -----

// expected-error@+1 {{expected a size: an integer, a symbol or '?'}}
func.func private @text(tensor<?xf32, #graph.dims<n + >>)

// -----

// expected-error@+1 {{'graph.donate' of argument 0 names result 1, but the function has 1 results}}
func.func @donate_number(%x: tensor<2xf32> {graph.donate = 1 : i64}) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}

// -----

// expected-error@+1 {{'graph.donate': argument 0 has type 'tensor<2xf32>', but result 0 has type 'tensor<3xf32>'}}
func.func private @donate_type(tensor<2xf32> {graph.donate = 0 : i64}) -> tensor<3xf32>

// -----

// expected-error@+1 {{'graph.donate' must be a result number on a function argument}}
func.func private @donate_kind(tensor<2xf32> {graph.donate = "y"}) -> tensor<2xf32>

// -----

// expected-error@+1 {{'graph.name' must be a string}}
func.func private @name_kind(tensor<2xf32> {graph.name = 1 : i64})

// -----

// expected-error@+1 {{unknown attribute 'graph.donated' of the graph dialect on argument 0}}
func.func private @unknown(tensor<2xf32> {graph.donated = 1 : i64})

// -----

// expected-error@+1 {{'graph.params' must be a string on a module}}
func.func private @params() attributes {graph.params = "w"}

// -----

// expected-error@+1 {{'graph.check' of result 0: expected a dictionary of a reader, axes and two ends of a range per axis, but got 1 : i64}}
func.func private @check_kind() -> (tensor<2xi64> {graph.check = 1 : i64})

// -----

// expected-error@+1 {{'graph.check' of result 0: expected a dictionary of a reader, axes and two ends of a range per axis, but got}}
func.func private @check_ranges() -> (tensor<2xi64> {graph.check = {reader = "r", axes = array<i64: 0, 1>, ranges = #graph.dims<0, 2>}})

// -----

// expected-error@+1 {{'graph.check' of result 0: expected a tensor of integers, but got 'tensor<2xf32>'}}
func.func private @check_element() -> (tensor<2xf32> {graph.check = {reader = "r", axes = array<i64: 0>, ranges = #graph.dims<0, 2>}})

// -----

// expected-error@+1 {{'graph.check' of result 0: expected it after all results without the attribute}}
func.func private @check_place() -> (tensor<2xi64> {graph.check = {reader = "r", axes = array<i64: 0>, ranges = #graph.dims<0, 2>}}, tensor<2xf32>)

// -----

// expected-error@+1 {{'graph.precision' must be "f16" or "bf16" on a module}}
module attributes {graph.precision = "tf32"} {
}

// -----

// expected-error@+1 {{'graph.precision' must be "f16" or "bf16" on a module}}
module attributes {graph.precision = 16 : i32} {
}

// -----

// expected-error@+1 {{'graph.index_checks' must be a unit on a module inside of a module}}
func.func private @index_checks() attributes {graph.index_checks}

// -----

// expected-error@+1 {{'graph.check' of result 0: expected symbols of the arguments' sizes, but got 'q'}}
func.func private @check_symbols(tensor<?xf32, #graph.dims<n>>) -> (tensor<2xi64> {graph.check = {reader = "r", axes = array<i64: 0>, ranges = #graph.dims<-q, n>}})

// -----

// expected-error@+1 {{'graph.check' of result 0: expected 'ignored' to be a 64-bit integer, but got "a"}}
func.func private @check_ignored() -> (tensor<2xi64> {graph.check = {reader = "r", axes = array<i64: 0>, ranges = #graph.dims<0, 2>, ignored = "a"}})
