// The engine that takes graphs from a queue (TASO, SOSP'19, algorithm 2).
// REQUIRES: z3
// RUN: split-file %s %t
// RUN: tenon-rules prove --cached %t/rules.mlir

// A rewrite that first becomes costlier is found only if alpha allows it.
// RUN: tenon-opt %t/detour.mlir --graph-optimize="engine=backtrack profile=t4 rules=%t/rules.mlir graphs=20 alpha=1.05 log=%t/log.json" | FileCheck %t/detour.mlir --check-prefix=RELAXED
// RUN: FileCheck %t/detour.mlir --check-prefix=LOG < %t/log.json
// RUN: tenon-opt %t/detour.mlir --graph-optimize="engine=backtrack profile=t4 rules=%t/rules.mlir graphs=20 alpha=1.0" | FileCheck %t/detour.mlir --check-prefix=DIRECT

// No rule applies, or none may be tried: the graph does not change.
// RUN: tenon-opt %t/none.mlir --graph-optimize="engine=backtrack profile=t4 rules=%t/rules.mlir" | FileCheck %t/none.mlir
// RUN: tenon-compile %t/none.mlir --optimize=backtrack --rules=%t --profile=t4 --report=%t/none.json --stop-after=optimize -o %t.out.mlir
// RUN: FileCheck %t/none.mlir --check-prefix=REPORT < %t/none.json
// RUN: tenon-compile %t/detour.mlir --optimize=backtrack --rules=%t --profile=t4 --budget=0 --report=%t/zero.json --stop-after=optimize -o %t.out.mlir
// RUN: FileCheck %t/detour.mlir --check-prefix=ZERO < %t/zero.json

// Ops that do the same count once, and ops that nothing reads not at all.
// RUN: tenon-opt %t/twice.mlir --graph-optimize="engine=backtrack profile=t4 rules=%t/rules.mlir names=relu_of_negations" | FileCheck %t/twice.mlir

//--- rules.mlir
!n = tensor<?xf32, #graph.dims<n>>

rule.rule @relu_twice(%x: [n]) -> [n]
  lifts [%x]
  source {
    %0 = graph.relu %x : !n
    rule.yield %0 : [n]
  }
  target {
    %0 = graph.relu %x : !n
    %1 = graph.relu %0 : !n
    rule.yield %1 : [n]
  }

rule.rule @negations_of_relus(%x: [n]) -> [n]
  lifts [%x]
  source {
    %0 = graph.relu %x : !n
    %1 = graph.relu %0 : !n
    %2 = graph.neg %1 : !n
    %3 = graph.neg %2 : !n
    rule.yield %3 : [n]
  }
  target {
    %0 = graph.relu %x : !n
    rule.yield %0 : [n]
  }

rule.rule @relu_of_negations(%x: [n]) -> [n]
  lifts [%x]
  source {
    %0 = graph.neg %x : !n
    %1 = graph.neg %0 : !n
    %2 = graph.relu %1 : !n
    rule.yield %2 : [n]
  }
  target {
    %0 = graph.relu %x : !n
    rule.yield %0 : [n]
  }

//--- detour.mlir
// RELAXED-LABEL: func.func @main
// RELAXED-SAME:    rule = "relu_twice"
// RELAXED-SAME:    rule = "negations_of_relus"
// RELAXED:         %[[Y:.*]] = graph.matmul
// RELAXED-NEXT:    %[[R:.*]] = graph.relu %[[Y]]
// RELAXED-NEXT:    return %[[R]]
//
// DIRECT-LABEL: func.func @main
// DIRECT-NOT:     rule =
// DIRECT:         graph.relu
// DIRECT-NEXT:    graph.neg
// DIRECT-NEXT:    graph.neg
//
// LOG: "engine": "backtrack"
//
// ZERO: nothing was explored: the budget is 0 graphs
func.func @main(%x: tensor<1024x1024xf32>, %y: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %0 = graph.matmul %x, %y : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %1 = graph.relu %0 : tensor<1024x1024xf32>
  %2 = graph.neg %1 : tensor<1024x1024xf32>
  %3 = graph.neg %2 : tensor<1024x1024xf32>
  return %3 : tensor<1024x1024xf32>
}

//--- none.mlir
// CHECK-LABEL: func.func @main
// CHECK-NEXT:    graph.tanh
// CHECK-NEXT:    graph.tanh
// CHECK-NEXT:    return
//
// REPORT: nothing left to rewrite
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = graph.tanh %x : tensor<8xf32>
  %1 = graph.tanh %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}

//--- twice.mlir
// CHECK-LABEL: func.func @twice
// CHECK-NEXT:    %[[R:.*]] = graph.relu %arg0
// CHECK-NEXT:    return %[[R]], %[[R]]
func.func @twice(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = graph.neg %x : tensor<8xf32>
  %1 = graph.neg %x : tensor<8xf32>
  %2 = graph.neg %0 : tensor<8xf32>
  %3 = graph.neg %1 : tensor<8xf32>
  %4 = graph.relu %2 : tensor<8xf32>
  %5 = graph.relu %3 : tensor<8xf32>
  %6 = graph.tanh %x : tensor<8xf32>
  return %4, %5 : tensor<8xf32>, tensor<8xf32>
}
