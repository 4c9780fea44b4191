// RUN: tenon-opt %s --graph-compose-movement --split-input-file | FileCheck %s
// RUN: tenon-opt %s --graph-compose-movement --split-input-file \
// RUN:   | tenon-opt --graph-compose-movement --split-input-file | FileCheck %s

// One head of a packed projection: three copies become a slice and a transpose,
// which one kernel does.
// CHECK-LABEL: func.func @packed
// CHECK: %[[PARTS:.*]] = graph.reshape %{{.*}} shape = [5, 3, 4, 2]
// CHECK-NEXT: %[[PART:.*]] = graph.slice %[[PARTS]] starts = [0, 1, 0, 0] sizes = [5, 1, 4, 2] steps = [1, 1, 1, 1]
// CHECK-NEXT: %[[MOVED:.*]] = graph.transpose %[[PART]] perm = [1, 2, 0, 3]
// CHECK-NEXT: %[[HEADS:.*]] = graph.reshape %[[MOVED]] shape = [4, 5, 2]
// CHECK-NEXT: return %[[HEADS]]
func.func @packed(%x: tensor<5x1x24xf32>) -> tensor<4x5x2xf32> {
  %0 = graph.reshape %x shape = [1, 5, 1, 3, 8] : (tensor<5x1x24xf32>) -> tensor<1x5x1x3x8xf32>
  %1 = graph.transpose %0 perm = [3, 1, 2, 0, 4] : (tensor<1x5x1x3x8xf32>) -> tensor<3x5x1x1x8xf32>
  %2 = graph.slice %1 starts = [1, 0, 0, 0, 0] sizes = [1, 5, 1, 1, 8] steps = [1, 1, 1, 1, 1] : (tensor<3x5x1x1x8xf32>) -> tensor<1x5x1x1x8xf32>
  %3 = graph.reshape %2 shape = [5, 4, 2] : (tensor<1x5x1x1x8xf32>) -> tensor<5x4x2xf32>
  %4 = graph.transpose %3 perm = [1, 0, 2] : (tensor<5x4x2xf32>) -> tensor<4x5x2xf32>
  return %4 : tensor<4x5x2xf32>
}

// -----

// Sizes are symbols: the batch and the heads are one axis in between.
// CHECK-LABEL: func.func @symbols
// CHECK: %[[PARTS:.*]] = graph.reshape %{{.*}} shape = [17, n, 4, 16]
// CHECK-NEXT: %[[MOVED:.*]] = graph.transpose %[[PARTS]] perm = [1, 2, 0, 3]
// CHECK-NEXT: return %[[MOVED]]
func.func @symbols(%x: tensor<17x?x64xf32, #graph.dims<17, n, 64>>) -> tensor<?x4x17x16xf32, #graph.dims<n, 4, 17, 16>> {
  %0 = graph.reshape %x shape = [17, 4 * n, 16] : (tensor<17x?x64xf32, #graph.dims<17, n, 64>>) -> tensor<17x?x16xf32, #graph.dims<17, 4 * n, 16>>
  %1 = graph.transpose %0 perm = [1, 0, 2] : (tensor<17x?x16xf32, #graph.dims<17, 4 * n, 16>>) -> tensor<?x17x16xf32, #graph.dims<4 * n, 17, 16>>
  %2 = graph.reshape %1 shape = [n, 4, 17, 16] : (tensor<?x17x16xf32, #graph.dims<4 * n, 17, 16>>) -> tensor<?x4x17x16xf32, #graph.dims<n, 4, 17, 16>>
  %3 = graph.transpose %2 perm = [0, 1, 2, 3] : (tensor<?x4x17x16xf32, #graph.dims<n, 4, 17, 16>>) -> tensor<?x4x17x16xf32, #graph.dims<n, 4, 17, 16>>
  return %3 : tensor<?x4x17x16xf32, #graph.dims<n, 4, 17, 16>>
}

// -----

// What is moved back is not moved at all.
// CHECK-LABEL: func.func @back
// CHECK-NEXT: %[[Y:.*]] = graph.reshape %{{.*}} shape = [6, 20]
// CHECK-NEXT: return %[[Y]]
func.func @back(%x: tensor<2x3x4x5xf32>) -> tensor<6x20xf32> {
  %0 = graph.transpose %x perm = [2, 3, 0, 1] : (tensor<2x3x4x5xf32>) -> tensor<4x5x2x3xf32>
  %1 = graph.reshape %0 shape = [20, 6] : (tensor<4x5x2x3xf32>) -> tensor<20x6xf32>
  %2 = graph.transpose %1 perm = [1, 0] : (tensor<20x6xf32>) -> tensor<6x20xf32>
  return %2 : tensor<6x20xf32>
}

// -----

// A part of merged axes is a part of one if it ends where that one does, and a
// part of an axis may be split later.
// CHECK-LABEL: func.func @blocks
// CHECK: %[[PARTS:.*]] = graph.reshape %{{.*}} shape = [7, 4, 3, 5]
// CHECK-NEXT: %[[PART:.*]] = graph.slice %[[PARTS]] starts = [0, 2, 0, 0] sizes = [7, 2, 3, 5] steps = [1, 1, 1, 1]
// CHECK-NEXT: %[[MOVED:.*]] = graph.transpose %[[PART]] perm = [1, 2, 0, 3]
// CHECK-NEXT: return %[[MOVED]]
func.func @blocks(%x: tensor<7x60xf32>) -> tensor<2x3x7x5xf32> {
  %0 = graph.slice %x starts = [0, 30] sizes = [7, 30] steps = [1, 1] : (tensor<7x60xf32>) -> tensor<7x30xf32>
  %1 = graph.reshape %0 shape = [7, 6, 5] : (tensor<7x30xf32>) -> tensor<7x6x5xf32>
  %2 = graph.transpose %1 perm = [1, 0, 2] : (tensor<7x6x5xf32>) -> tensor<6x7x5xf32>
  %3 = graph.reshape %2 shape = [2, 3, 35] : (tensor<6x7x5xf32>) -> tensor<2x3x35xf32>
  %4 = graph.reshape %3 shape = [2, 3, 7, 5] : (tensor<2x3x35xf32>) -> tensor<2x3x7x5xf32>
  return %4 : tensor<2x3x7x5xf32>
}

// -----

// An axis of 12 is 4 times 3, then 2 times 6: what stands between is moved.
// CHECK-LABEL: func.func @other_places
// CHECK-COUNT-2: graph.transpose
func.func @other_places(%x: tensor<4x3xf32>) -> tensor<6x2xf32> {
  %0 = graph.transpose %x perm = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
  %1 = graph.reshape %0 shape = [2, 6] : (tensor<3x4xf32>) -> tensor<2x6xf32>
  %2 = graph.transpose %1 perm = [1, 0] : (tensor<2x6xf32>) -> tensor<6x2xf32>
  return %2 : tensor<6x2xf32>
}

// -----

// Sizes that have no names, or are 0, stay.
// CHECK-LABEL: func.func @unnamed
// CHECK-COUNT-2: graph.transpose
func.func @unnamed(%x: tensor<?x3x4xf32>) -> tensor<3x4x?xf32> {
  %0 = graph.transpose %x perm = [1, 0, 2] : (tensor<?x3x4xf32>) -> tensor<3x?x4xf32>
  %1 = graph.slice %0 starts = [0, 0, 0] sizes = [3, 1, 4] steps = [1, 1, 1] : (tensor<3x?x4xf32>) -> tensor<3x1x4xf32>
  %2 = graph.concat %0, %1 axis = 1 : (tensor<3x?x4xf32>, tensor<3x1x4xf32>) -> tensor<3x?x4xf32>
  %3 = graph.transpose %2 perm = [0, 2, 1] : (tensor<3x?x4xf32>) -> tensor<3x4x?xf32>
  return %3 : tensor<3x4x?xf32>
}

// CHECK-LABEL: func.func @empty
// CHECK: return
func.func @empty(%x: tensor<0x3x4xf32>) -> tensor<4x0xf32> {
  %0 = graph.transpose %x perm = [2, 0, 1] : (tensor<0x3x4xf32>) -> tensor<4x0x3xf32>
  %1 = graph.reshape %0 shape = [4, 0] : (tensor<4x0x3xf32>) -> tensor<4x0xf32>
  return %1 : tensor<4x0xf32>
}

// -----

// A batch that a projection reads second stays first: its rows are moved where
// the heads are.
// CHECK-LABEL: func.func @rows
// CHECK-SAME: (%[[X:.*]]: tensor<?x17x8xf32, {{.*}}>, %[[W:[a-z0-9]+]]: tensor<8x12xf32>
// CHECK-NEXT: %[[Y:.*]] = graph.matmul %[[X]], %[[W]]
// CHECK-NEXT: %[[B:.*]] = graph.broadcast %{{.*}} shape = [n, 17, 12]
// CHECK-NEXT: %[[Z:.*]] = graph.add %[[Y]], %[[B]]
// CHECK-NEXT: %[[R:.*]] = graph.reshape %[[Z]] shape = [n, 17, 4, 3]
// CHECK-NEXT: %[[H:.*]] = graph.transpose %[[R]] perm = [0, 2, 1, 3]
// CHECK-NEXT: return %[[H]]
func.func @rows(%x: tensor<?x17x8xf32, #graph.dims<n, 17, 8>>, %w: tensor<8x12xf32>, %b: tensor<12xf32>) -> tensor<?x4x17x3xf32, #graph.dims<n, 4, 17, 3>> {
  %0 = graph.transpose %x perm = [1, 0, 2] : (tensor<?x17x8xf32, #graph.dims<n, 17, 8>>) -> tensor<17x?x8xf32, #graph.dims<17, n, 8>>
  %1 = graph.matmul %0, %w : (tensor<17x?x8xf32, #graph.dims<17, n, 8>>, tensor<8x12xf32>) -> tensor<17x?x12xf32, #graph.dims<17, n, 12>>
  %2 = graph.broadcast %b shape = [17, n, 12] : (tensor<12xf32>) -> tensor<17x?x12xf32, #graph.dims<17, n, 12>>
  %3 = graph.add %1, %2 : tensor<17x?x12xf32, #graph.dims<17, n, 12>>
  %4 = graph.reshape %3 shape = [17, 4 * n, 3] : (tensor<17x?x12xf32, #graph.dims<17, n, 12>>) -> tensor<17x?x3xf32, #graph.dims<17, 4 * n, 3>>
  %5 = graph.transpose %4 perm = [1, 0, 2] : (tensor<17x?x3xf32, #graph.dims<17, 4 * n, 3>>) -> tensor<?x17x3xf32, #graph.dims<4 * n, 17, 3>>
  %6 = graph.reshape %5 shape = [n, 4, 17, 3] : (tensor<?x17x3xf32, #graph.dims<4 * n, 17, 3>>) -> tensor<?x4x17x3xf32, #graph.dims<n, 4, 17, 3>>
  return %6 : tensor<?x4x17x3xf32, #graph.dims<n, 4, 17, 3>>
}

// -----

// Where the order of rows is that of the result, nothing is gained.
// CHECK-LABEL: func.func @rows_stay
// CHECK: graph.transpose
// CHECK-NEXT: graph.matmul
// CHECK-NEXT: return
func.func @rows_stay(%x: tensor<5x7x8xf32>, %w: tensor<8x12xf32>) -> tensor<7x5x12xf32> {
  %0 = graph.transpose %x perm = [1, 0, 2] : (tensor<5x7x8xf32>) -> tensor<7x5x8xf32>
  %1 = graph.matmul %0, %w : (tensor<7x5x8xf32>, tensor<8x12xf32>) -> tensor<7x5x12xf32>
  return %1 : tensor<7x5x12xf32>
}

// -----

// A part of a part, without any transpose, is read where it is used: others may
// share the first.
// CHECK-LABEL: func.func @parts_of_parts
// CHECK-COUNT-3: graph.slice
func.func @parts_of_parts(%x: tensor<6x2x12xf32>) -> (tensor<2x8xf32>, tensor<2x4xf32>) {
  %0 = graph.slice %x starts = [3, 0, 0] sizes = [1, 2, 12] steps = [1, 1, 1] : (tensor<6x2x12xf32>) -> tensor<1x2x12xf32>
  %1 = graph.reshape %0 shape = [2, 12] : (tensor<1x2x12xf32>) -> tensor<2x12xf32>
  %2 = graph.slice %1 starts = [0, 0] sizes = [2, 8] steps = [1, 1] : (tensor<2x12xf32>) -> tensor<2x8xf32>
  %3 = graph.slice %1 starts = [0, 8] sizes = [2, 4] steps = [1, 1] : (tensor<2x12xf32>) -> tensor<2x4xf32>
  return %2, %3 : tensor<2x8xf32>, tensor<2x4xf32>
}

// -----

// Parts of a split are slices.
// CHECK-LABEL: func.func @split
// CHECK-NOT: graph.split
// CHECK: %[[PARTS:.*]] = graph.reshape %{{.*}} shape = [n, 5, 12, 2]
// CHECK-NEXT: %[[Q:.*]] = graph.slice %[[PARTS]] starts = [0, 0, 0, 0] sizes = [n, 5, 4, 2]
// CHECK-NEXT: graph.transpose %[[Q]] perm = [0, 2, 1, 3]
// CHECK: %[[V:.*]] = graph.slice %{{.*}} starts = [0, 0, 8, 0] sizes = [n, 5, 4, 2]
// CHECK-NEXT: graph.transpose %[[V]] perm = [0, 2, 1, 3]
func.func @split(%x: tensor<?x5x24xf32, #graph.dims<n, 5, 24>>) -> (tensor<?x4x5x2xf32, #graph.dims<n, 4, 5, 2>>, tensor<?x4x5x2xf32, #graph.dims<n, 4, 5, 2>>) {
  %q, %k, %v = graph.split %x axis = 2 sizes = [8, 8, 8] : (tensor<?x5x24xf32, #graph.dims<n, 5, 24>>) -> (tensor<?x5x8xf32, #graph.dims<n, 5, 8>>, tensor<?x5x8xf32, #graph.dims<n, 5, 8>>, tensor<?x5x8xf32, #graph.dims<n, 5, 8>>)
  %0 = graph.reshape %q shape = [n, 5, 4, 2] : (tensor<?x5x8xf32, #graph.dims<n, 5, 8>>) -> tensor<?x5x4x2xf32, #graph.dims<n, 5, 4, 2>>
  %1 = graph.transpose %0 perm = [0, 2, 1, 3] : (tensor<?x5x4x2xf32, #graph.dims<n, 5, 4, 2>>) -> tensor<?x4x5x2xf32, #graph.dims<n, 4, 5, 2>>
  %2 = graph.reshape %v shape = [n, 5, 4, 2] : (tensor<?x5x8xf32, #graph.dims<n, 5, 8>>) -> tensor<?x5x4x2xf32, #graph.dims<n, 5, 4, 2>>
  %3 = graph.transpose %2 perm = [0, 2, 1, 3] : (tensor<?x5x4x2xf32, #graph.dims<n, 5, 4, 2>>) -> tensor<?x4x5x2xf32, #graph.dims<n, 4, 5, 2>>
  return %1, %3 : tensor<?x4x5x2xf32, #graph.dims<n, 4, 5, 2>>, tensor<?x4x5x2xf32, #graph.dims<n, 4, 5, 2>>
}
