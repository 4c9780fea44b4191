// A module is cut down to what still shows the failure: here, an exp.
// RUN: rm -rf %t && mkdir -p %t
// RUN: printf '#!/bin/sh\n! %%s "$1" | grep -q graph.exp\n' "tenon-opt" > %t/fails.sh
// RUN: chmod +x %t/fails.sh
// RUN: tenon-reduce %s -reduction-tree='traversal-mode=0 test=%t/fails.sh' | FileCheck %s
// RUN: tenon-reduce --version | FileCheck %s --check-prefix=VERSION
// VERSION: tenon-reduce 0.

// CHECK-NOT: @unrelated
// CHECK-LABEL: func.func @shows
// CHECK: graph.exp
// CHECK-NOT: @unrelated

func.func @unrelated(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.abs %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @shows(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.exp %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @unrelated_too(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.neg %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
