// RUN: tenon-opt %s | tenon-opt | FileCheck %s
// RUN: tenon-opt %s --emit-bytecode | tenon-opt | FileCheck %s
// RUN: tenon-opt %s --mlir-print-op-generic | tenon-opt | FileCheck %s

// CHECK: func.func @sum({{.*}}) -> tensor<?x3xf32, #graph.dims<n, 3>> attributes {pipe.mesh = #pipe.mesh<"data" = 2, "stage" = 4>}
func.func @sum(%x: tensor<?x3xf32, #graph.dims<n, 3>>) -> tensor<?x3xf32, #graph.dims<n, 3>>
    attributes {pipe.mesh = #pipe.mesh<"data"=2, "stage"=4>} {
  // CHECK: graph.all_reduce %{{.*}} over ["stage", "data"] : tensor<?x3xf32, #graph.dims<n, 3>>
  %0 = graph.all_reduce %x over ["stage", "data"] : tensor<?x3xf32, #graph.dims<n, 3>>
  return %0 : tensor<?x3xf32, #graph.dims<n, 3>>
}

// CHECK: @numbers() attributes {pipe.mesh = #pipe.mesh<"node" = 2, "device" = 2, memory_bytes = [1, 2, 3, 4], link_seconds = [1.000000e-05, 0.000000e+00], link_bytes_per_second = [1.250000e+10, 3.000000e-01]>}
func.func @numbers() attributes {pipe.mesh = #pipe.mesh<"node" = 2, "device" = 2, memory_bytes = [1, 2, 3, 4],
    link_bytes_per_second = [1.25e10, 0.3], link_seconds = [1.0e-5, 0.0]>} {
  return
}

// CHECK: @exact() attributes {pipe.mesh = #pipe.mesh<"d" = 2, link_seconds = [0.12345678901234], link_bytes_per_second = [1.000000e+300]>}
func.func @exact() attributes {pipe.mesh = #pipe.mesh<"d" = 2, link_seconds = [0.12345678901234], link_bytes_per_second = [1.0e300]>} {
  return
}

// CHECK: @small() attributes {pipe.mesh = #pipe.mesh<"d" = 2, link_seconds = [5.000000e-60], link_bytes_per_second = [123456789.123]>}
func.func @small() attributes {pipe.mesh = #pipe.mesh<"d" = 2, link_seconds = [5.0e-60], link_bytes_per_second = [123456789.123]>} {
  return
}
