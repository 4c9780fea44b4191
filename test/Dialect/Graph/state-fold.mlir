// Rewrites keep what runs see: reads stay between the writes around them, and
// writes stay.
// RUN: tenon-opt %s --canonicalize --cse | FileCheck %s

graph.state @a : tensor<2xf32>
graph.state @b : tensor<2xf32>

// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  // Equal reads with no write between are one; what no op needs is not read.
  // CHECK-NEXT: %[[FIRST:.*]] = graph.read_state @a
  %0 = graph.read_state @a : tensor<2xf32>
  %1 = graph.read_state @a : tensor<2xf32>
  %unused = graph.read_state @b : tensor<2xf32>
  // CHECK-NEXT: %[[SUM:.*]] = graph.add %[[FIRST]], %[[FIRST]]
  %2 = graph.add %0, %1 : tensor<2xf32>
  // CHECK-NEXT: graph.write_state @a, %[[SUM]]
  graph.write_state @a, %2 : tensor<2xf32>
  // CHECK-NEXT: %[[SECOND:.*]] = graph.read_state @a
  %3 = graph.read_state @a : tensor<2xf32>
  // CHECK-NEXT: graph.write_state @a, %{{.*}}
  // CHECK-NEXT: graph.write_state @a, %{{.*}}
  // CHECK-NEXT: graph.write_state @b, %{{.*}}
  graph.write_state @a, %x : tensor<2xf32>
  graph.write_state @a, %x : tensor<2xf32>
  graph.write_state @b, %x : tensor<2xf32>
  // CHECK-NEXT: %[[THIRD:.*]] = graph.read_state @a
  // CHECK-NEXT: return %[[FIRST]], %[[SECOND]], %[[THIRD]]
  %4 = graph.read_state @a : tensor<2xf32>
  return %0, %3, %4 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
