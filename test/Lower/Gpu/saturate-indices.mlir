// RUN: tenon-opt %s --gpu-saturate-indices | FileCheck %s
// RUN: tenon-opt %s --gpu-saturate-indices --gpu-saturate-indices | FileCheck %s --check-prefix=TWICE

// What 32 bits may not hold keeps its order with everything that they do.
// CHECK-LABEL: @wide
// CHECK-SAME: (%[[X:.*]]: i64)
// CHECK: %[[MOST:.*]] = arith.constant 2147483647 : i64
// CHECK: %[[BELOW:.*]] = arith.minsi %[[X]], %[[MOST]]
// CHECK: %[[LEAST:.*]] = arith.constant -2147483648 : i64
// CHECK: %[[INSIDE:.*]] = arith.maxsi %[[BELOW]], %[[LEAST]]
// CHECK: arith.index_cast %[[INSIDE]] : i64 to index
func.func @wide(%x: i64) -> index {
  %0 = arith.index_cast %x : i64 to index
  return %0 : index
}

// CHECK-LABEL: @unsigned
// CHECK: arith.constant 2147483647 : i32
// CHECK: arith.minui
// CHECK-NOT: arith.max
// CHECK: arith.index_castui
func.func @unsigned(%x: i32) -> index {
  %0 = arith.index_castui %x : i32 to index
  return %0 : index
}

// CHECK-LABEL: @narrow
// CHECK-NOT: arith.m
func.func @narrow(%x: i32, %y: i16, %z: i8) -> (index, index, index) {
  %0 = arith.index_cast %x : i32 to index
  %1 = arith.index_castui %y : i16 to index
  %2 = arith.index_cast %z : i8 to index
  return %0, %1, %2 : index, index, index
}

// What was an index fits, and so does an index that becomes a number.
// CHECK-LABEL: @index
// CHECK-NOT: arith.m
func.func @index(%x: index) -> index {
  %0 = arith.index_cast %x : index to i64
  %1 = arith.index_cast %0 : i64 to index
  return %1 : index
}

// Nothing is brought into range that is.
// TWICE-LABEL: @wide
// TWICE-COUNT-1: arith.minsi
// TWICE: return
