// RUN: tenon-opt %s --pipe-inline | FileCheck %s
// RUN: rm -rf %t && mkdir -p %t
// RUN: tenon-interpret %s --entry rows --output result0=@%t/x.npy
// RUN: tenon-interpret %s --entry sums --input x=@%t/x.npy | FileCheck %s --check-prefix=SUMS
// RUN: tenon-interpret %s --entry all --input x=@%t/x.npy | FileCheck %s --check-prefix=ALL
// RUN: tenon-interpret %s --entry one --input x=random:1 --output result0=@%t/one.npy
// RUN: tenon-interpret %s --entry one --input x=@%t/one.npy --expect result0=@%t/one.npy --rtol 0
// RUN: not tenon-interpret %s --entry none --input x=random:1 2>&1 | FileCheck %s --check-prefix=NONE

func.func @rows() -> tensor<4x2xf32> {
  %0 = graph.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]> : tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// Four ranks of two elements: rows 0 and 2, 1 and 3 differ along "data".
// CHECK:       func.func @sums(%{{.*}}: tensor<4x2xf32> {graph.name = "x"}) -> tensor<4x2xf32> {
// SUMS: result0 = f32 4x2 [6, 8, 10, 12, 6, 8, 10, 12]
func.func @sums(%x: tensor<2xf32> {graph.name = "x"}) -> tensor<2xf32>
    attributes {pipe.mesh = #pipe.mesh<"data" = 2, "stage" = 2>} {
  %0 = graph.all_reduce %x over ["data"] : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// ALL: result0 = f32 4x2 [17, 22, 19, 24, 21, 26, 23, 28]
func.func @all(%x: tensor<2xf32> {graph.name = "x"}) -> tensor<2xf32>
    attributes {pipe.mesh = #pipe.mesh<"data" = 2, "stage" = 2>} {
  %0 = graph.all_reduce %x over ["stage", "data"] : tensor<2xf32>
  %1 = graph.add %0, %x : tensor<2xf32>
  return %1 : tensor<2xf32>
}

func.func @one(%x: tensor<2xf32> {graph.name = "x"}) -> tensor<2xf32>
    attributes {pipe.mesh = #pipe.mesh<"data" = 1>} {
  %0 = graph.all_reduce %x over ["data"] : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// NONE: error: 'graph.all_reduce' op needs the ranks of a mesh, which this function does not have
func.func @none(%x: tensor<1xf32> {graph.name = "x"}) -> tensor<1xf32> {
  %0 = graph.all_reduce %x over ["data"] : tensor<1xf32>
  return %0 : tensor<1xf32>
}
