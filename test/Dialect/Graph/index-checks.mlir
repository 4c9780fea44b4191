// Indices that a run has to check are kept beside the model, and added to it.
// RUN: tenon-opt %s --split-input-file --graph-extract-index-checks | FileCheck %s
// RUN: tenon-opt %s --split-input-file --graph-extract-index-checks --graph-extract-index-checks | FileCheck %s
// RUN: tenon-opt %s --split-input-file --graph-extract-index-checks --graph-add-index-checks | FileCheck %s --check-prefix=ADDED
// RUN: tenon-opt %s --split-input-file --graph-extract-index-checks --graph-add-index-checks --graph-extract-index-checks --graph-add-index-checks | FileCheck %s --check-prefix=ADDED

// CHECK-LABEL: module @rows
// CHECK: func.func @main(%{{.*}}: tensor<8xf32>, %{{.*}}: tensor<1xi64>) -> tensor<1xf32> {
// CHECK: module attributes {graph.index_checks} {
// CHECK-NEXT: func.func @main(%{{.*}}: tensor<8xf32>, %[[I:.*]]: tensor<1xi64>) -> (tensor<1xi64> {graph.check = {axes = array<i64: 0>, ranges = #graph.dims<-8, 8>, reader = {{.*}}}})
// CHECK-NEXT: return %[[I]]
// ADDED-LABEL: module @rows
// ADDED-NOT: graph.index_checks
// ADDED: func.func @main(%{{.*}}: tensor<8xf32>, %[[I:.*]]: tensor<1xi64>) -> (tensor<1xf32>, tensor<1xi64> {graph.check = {{.*}}}) {
// ADDED: return %{{.*}}, %[[I]]
module @rows {
  func.func @main(%x: tensor<8xf32>, %i: tensor<1xi64>) -> tensor<1xf32> {
    %0 = graph.gather %x, %i axis = 0 : (tensor<8xf32>, tensor<1xi64>) -> tensor<1xf32>
    return %0 : tensor<1xf32>
  }
  func.func @none(%x: tensor<8xf32>) -> tensor<8xf32> {
    return %x : tensor<8xf32>
  }
}

// -----

// CHECK-LABEL: module @none
// CHECK-NOT: graph.index_checks
// ADDED-LABEL: module @none
module @none {
  func.func @main(%x: tensor<8xf32>) -> tensor<1xf32> {
    %i = graph.constant dense<[7]> : tensor<1xi64>
    %0 = graph.gather %x, %i axis = 0 : (tensor<8xf32>, tensor<1xi64>) -> tensor<1xf32>
    return %0 : tensor<1xf32>
  }
}

// -----

// Arguments of states are those of the entry; the inner module has no states.
// CHECK-LABEL: module @states
// CHECK: module attributes {graph.index_checks} {
// CHECK-NEXT: func.func @main(%{{.*}}: tensor<8xf32>, %[[S:.*]]: tensor<1xi64>) -> (tensor<1xi64> {graph.check
// CHECK-NEXT: return %[[S]]
// ADDED-LABEL: module @states
// ADDED: func.func @main(%{{.*}}: tensor<8xf32>, %{{.*}}: tensor<1xi64> {graph.state = @s}) -> (tensor<1xf32>, tensor<1xi64> {graph.check
module @states {
  graph.state @s : tensor<1xi64>
  func.func @main(%x: tensor<8xf32>, %i: tensor<1xi64> {graph.state = @s}) -> tensor<1xf32> {
    %0 = graph.gather %x, %i axis = 0 : (tensor<8xf32>, tensor<1xi64>) -> tensor<1xf32>
    return %0 : tensor<1xf32>
  }
}

// -----

// An entry that has no function in the inner module gets one.
// CHECK-LABEL: module @more
// CHECK: module attributes {graph.index_checks} {
// CHECK-NEXT: func.func @main
// CHECK: func.func @other
// ADDED-LABEL: module @more
module @more {
  func.func @main(%x: tensor<8xf32>, %i: tensor<1xi64>) -> tensor<1xf32> {
    %0 = graph.gather %x, %i axis = 0 : (tensor<8xf32>, tensor<1xi64>) -> tensor<1xf32>
    return %0 : tensor<1xf32>
  }
  func.func @other(%x: tensor<4xf32>, %i: tensor<1xi64>) -> tensor<1xf32> {
    %0 = graph.gather %x, %i axis = 0 : (tensor<4xf32>, tensor<1xi64>) -> tensor<1xf32>
    return %0 : tensor<1xf32>
  }
  module attributes {graph.index_checks} {
    func.func @main(%x: tensor<8xf32>, %i: tensor<1xi64>) -> (tensor<1xi64> {graph.check = {axes = array<i64: 0>, ranges = #graph.dims<-8, 8>, reader = "r"}}) {
      return %i : tensor<1xi64>
    }
  }
}
