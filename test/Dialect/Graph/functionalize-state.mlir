// RUN: tenon-opt %s --graph-functionalize-state | FileCheck %s
// A second run has nothing to do.
// RUN: tenon-opt %s --graph-functionalize-state --graph-functionalize-state | FileCheck %s

// The declarations stay, and give the order.
// CHECK: graph.state @a : tensor<2xf32>
// CHECK: graph.state @b : tensor<2xf32> = dense<1.000000e+00>
graph.state @a : tensor<2xf32>
graph.state @b : tensor<2xf32> = dense<1.0>
graph.state @c : tensor<1xi64>

// CHECK-LABEL: func.func @reads(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2xf32> {graph.donate = 0 : i64, graph.name = "x"}, %[[B:[^:]*]]: tensor<2xf32> {graph.state = @b})
// CHECK-SAME: -> (tensor<2xf32> {graph.name = "y"})
// CHECK-NEXT: %[[Y:.*]] = graph.add %[[X]], %[[B]]
// CHECK-NEXT: return %[[Y]] : tensor<2xf32>
func.func @reads(%x: tensor<2xf32> {graph.name = "x", graph.donate = 0 : i64}) -> (tensor<2xf32> {graph.name = "y"}) {
  %0 = graph.read_state @b : tensor<2xf32>
  %1 = graph.add %x, %0 : tensor<2xf32>
  return %1 : tensor<2xf32>
}

// What is written only is an argument all the same.
// CHECK-LABEL: func.func @writes(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2xf32>, %{{.*}}: tensor<2xf32> {graph.state = @a})
// CHECK-SAME: -> (tensor<2xf32> {graph.state = @a})
// CHECK-NEXT: return %[[X]]
func.func @writes(%x: tensor<2xf32>) {
  graph.write_state @a, %x : tensor<2xf32>
  return
}

// Reads give the last write before them, and the last write counts.
// CHECK-LABEL: func.func @order(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2xf32>, %[[A:[^:]*]]: tensor<2xf32> {graph.state = @a}, %[[B:[^:]*]]: tensor<2xf32> {graph.state = @b})
// CHECK-SAME: -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32> {graph.state = @a}, tensor<2xf32> {graph.state = @b})
// CHECK-NEXT: %[[S:.*]] = graph.add %[[B]], %[[A]]
// CHECK-NEXT: %[[P:.*]] = graph.mul %[[X]], %[[S]]
// CHECK-NEXT: return %[[B]], %[[P]], %[[P]], %[[X]]
func.func @order(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %b = graph.read_state @b : tensor<2xf32>
  %a = graph.read_state @a : tensor<2xf32>
  graph.write_state @b, %x : tensor<2xf32>
  %0 = graph.add %b, %a : tensor<2xf32>
  graph.write_state @a, %0 : tensor<2xf32>
  %a1 = graph.read_state @a : tensor<2xf32>
  %b1 = graph.read_state @b : tensor<2xf32>
  %1 = graph.mul %b1, %a1 : tensor<2xf32>
  graph.write_state @a, %1 : tensor<2xf32>
  %a2 = graph.read_state @a : tensor<2xf32>
  return %b, %a2 : tensor<2xf32>, tensor<2xf32>
}

// A state that is handed on unchanged.
// CHECK-LABEL: func.func @swap(
// CHECK-SAME: %[[A:[^:]*]]: tensor<2xf32> {graph.state = @a}, %[[B:[^:]*]]: tensor<2xf32> {graph.state = @b})
// CHECK-NEXT: return %[[B]], %[[A]]
func.func @swap() {
  %a = graph.read_state @a : tensor<2xf32>
  %b = graph.read_state @b : tensor<2xf32>
  graph.write_state @a, %b : tensor<2xf32>
  graph.write_state @b, %a : tensor<2xf32>
  return
}

// Results of states come before those of checks.
// CHECK-LABEL: func.func @checked(
// CHECK-SAME: %[[I:[^:]*]]: tensor<1xi64>, %[[P:[^:]*]]: tensor<1xi64> {graph.state = @c})
// CHECK-SAME: -> (tensor<1xi64>, tensor<1xi64> {graph.state = @c}, tensor<1xi64> {graph.check = {{.*}}})
// CHECK-NEXT: return %[[I]], %[[I]], %[[P]]
func.func @checked(%i: tensor<1xi64>) -> (tensor<1xi64>, tensor<1xi64> {graph.check = {reader = "r", axes = array<i64: 0>, ranges = #graph.dims<0, 2>}}) {
  %p = graph.read_state @c : tensor<1xi64>
  graph.write_state @c, %i : tensor<1xi64>
  return %i, %p : tensor<1xi64>, tensor<1xi64>
}

// CHECK-LABEL: func.func @pure(%{{.*}}: tensor<2xf32>) -> tensor<2xf32>
func.func @pure(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}

// CHECK-LABEL: func.func private @outside(tensor<2xf32>)
func.func private @outside(tensor<2xf32>)
