// RUN: tenon-opt %s --kernel-order-calls | FileCheck %s

// Sums of gradients stand where what they add up is complete. The first of two that read the same frees
// nothing, but takes nothing either.
// CHECK-LABEL: func.func @gradients
// CHECK: "exp"
// CHECK: "first"
// CHECK: "second"
// CHECK: "neg"
// CHECK: "third"
func.func @gradients(%x: tensor<4x8xf32>, %s: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %0 = kernel.call "cpu" "exp" (%x) {
  ^bb0(%a0: tensor<4x8xf32>):
    %e = graph.exp %a0 : tensor<4x8xf32>
    kernel.yield %e : tensor<4x8xf32>
  } : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = kernel.call "cpu" "neg" (%x) {
  ^bb0(%a0: tensor<4x8xf32>):
    %e = graph.neg %a0 : tensor<4x8xf32>
    kernel.yield %e : tensor<4x8xf32>
  } : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = kernel.call "cpu" "first" (%s, %0) {
  ^bb0(%a0: tensor<8xf32>, %a1: tensor<4x8xf32>):
    %e = graph.reduce_sum %a1 axes = [0] : (tensor<4x8xf32>) -> tensor<8xf32>
    %f = graph.add %a0, %e : tensor<8xf32>
    kernel.yield %f : tensor<8xf32>
  } : (tensor<8xf32>, tensor<4x8xf32>) -> tensor<8xf32>
  %3 = kernel.call "cpu" "second" (%s, %0) {
  ^bb0(%a0: tensor<8xf32>, %a1: tensor<4x8xf32>):
    %e = graph.reduce_sum %a1 axes = [0] : (tensor<4x8xf32>) -> tensor<8xf32>
    %f = graph.add %a0, %e : tensor<8xf32>
    kernel.yield %f : tensor<8xf32>
  } : (tensor<8xf32>, tensor<4x8xf32>) -> tensor<8xf32>
  %4 = kernel.call "cpu" "third" (%s, %1) {
  ^bb0(%a0: tensor<8xf32>, %a1: tensor<4x8xf32>):
    %e = graph.reduce_sum %a1 axes = [0] : (tensor<4x8xf32>) -> tensor<8xf32>
    %f = graph.add %a0, %e : tensor<8xf32>
    kernel.yield %f : tensor<8xf32>
  } : (tensor<8xf32>, tensor<4x8xf32>) -> tensor<8xf32>
  return %2, %3, %4 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// What frees less than it takes stays: both would live beside "neg".
// CHECK-LABEL: func.func @larger
// CHECK: "sum"
// CHECK: "neg"
// CHECK: "exp"
// CHECK: "broadcast"
func.func @larger(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = kernel.call "cpu" "sum" (%x) {
  ^bb0(%a0: tensor<4x8xf32>):
    %e = graph.reduce_sum %a0 axes = [0] : (tensor<4x8xf32>) -> tensor<8xf32>
    kernel.yield %e : tensor<8xf32>
  } : (tensor<4x8xf32>) -> tensor<8xf32>
  %1 = kernel.call "cpu" "neg" (%x) {
  ^bb0(%a0: tensor<4x8xf32>):
    %e = graph.neg %a0 : tensor<4x8xf32>
    kernel.yield %e : tensor<4x8xf32>
  } : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = kernel.call "cpu" "exp" (%1) {
  ^bb0(%a0: tensor<4x8xf32>):
    %e = graph.exp %a0 : tensor<4x8xf32>
    kernel.yield %e : tensor<4x8xf32>
  } : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = kernel.call "cpu" "broadcast" (%0) {
  ^bb0(%a0: tensor<8xf32>):
    %e = graph.broadcast %a0 shape = [4, 8] : (tensor<8xf32>) -> tensor<4x8xf32>
    kernel.yield %e : tensor<4x8xf32>
  } : (tensor<8xf32>) -> tensor<4x8xf32>
  %4 = kernel.call "cpu" "last" (%3) {
  ^bb0(%a0: tensor<4x8xf32>):
    %e = graph.exp %a0 : tensor<4x8xf32>
    kernel.yield %e : tensor<4x8xf32>
  } : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %2, %4 : tensor<4x8xf32>, tensor<4x8xf32>
}

// It stays behind another reader of what it frees, also of a view.
// CHECK-LABEL: func.func @view
// CHECK: "exp"
// CHECK: "neg"
// CHECK: "last"
// CHECK: graph.reshape
// CHECK: "other"
// CHECK: "sum"
func.func @view(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<8xf32>) {
  %0 = kernel.call "cpu" "exp" (%x) {
  ^bb0(%a0: tensor<4x8xf32>):
    %e = graph.exp %a0 : tensor<4x8xf32>
    kernel.yield %e : tensor<4x8xf32>
  } : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = kernel.call "cpu" "neg" (%x) {
  ^bb0(%a0: tensor<4x8xf32>):
    %e = graph.neg %a0 : tensor<4x8xf32>
    kernel.yield %e : tensor<4x8xf32>
  } : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = graph.reshape %0 shape = [32] : (tensor<4x8xf32>) -> tensor<32xf32>
  %3 = graph.reshape %2 shape = [4, 8] : (tensor<32xf32>) -> tensor<4x8xf32>
  %4 = kernel.call "cpu" "other" (%3) {
  ^bb0(%a0: tensor<4x8xf32>):
    %e = graph.neg %a0 : tensor<4x8xf32>
    kernel.yield %e : tensor<4x8xf32>
  } : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %5 = kernel.call "cpu" "last" (%1) {
  ^bb0(%a0: tensor<4x8xf32>):
    %e = graph.neg %a0 : tensor<4x8xf32>
    kernel.yield %e : tensor<4x8xf32>
  } : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %6 = kernel.call "cpu" "sum" (%0) {
  ^bb0(%a0: tensor<4x8xf32>):
    %e = graph.reduce_sum %a0 axes = [0] : (tensor<4x8xf32>) -> tensor<8xf32>
    kernel.yield %e : tensor<8xf32>
  } : (tensor<4x8xf32>) -> tensor<8xf32>
  return %4, %5, %6 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<8xf32>
}

// A new state stays behind the readers of the old one, whose memory it takes.
// CHECK-LABEL: func.func @state
// CHECK: "exp"
// CHECK: "other"
// CHECK: "new"
func.func @state(%x: tensor<4x8xf32>, %s: tensor<4x8xf32> {graph.state = @s}) -> (tensor<4x8xf32>, tensor<4x8xf32> {graph.state = @s}) {
  %0 = kernel.call "cpu" "exp" (%x) {
  ^bb0(%a0: tensor<4x8xf32>):
    %e = graph.exp %a0 : tensor<4x8xf32>
    kernel.yield %e : tensor<4x8xf32>
  } : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = kernel.call "cpu" "other" (%s) {
  ^bb0(%a0: tensor<4x8xf32>):
    %e = graph.neg %a0 : tensor<4x8xf32>
    kernel.yield %e : tensor<4x8xf32>
  } : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = kernel.call "cpu" "new" (%s, %0) {
  ^bb0(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>):
    %e = graph.add %a0, %a1 : tensor<4x8xf32>
    kernel.yield %e : tensor<4x8xf32>
  } : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1, %2 : tensor<4x8xf32>, tensor<4x8xf32>
}
graph.state @s : tensor<4x8xf32>

// CHECK: func.func private @declared
func.func private @declared(tensor<4x8xf32>) -> tensor<4x8xf32>

// CHECK-LABEL: func.func @none
func.func @none(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  return %x : tensor<4x8xf32>
}
