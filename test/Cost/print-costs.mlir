// Costs are printed term by term.
// RUN: rm -rf %t && split-file %s %t
// RUN: tenon-profile --print-costs %t/main.mlir --profile=t4 --bind n=8 | FileCheck %s --check-prefix=T4
// RUN: tenon-profile --print-costs %t/main.mlir --bind n=8 | FileCheck %s --check-prefix=CPU

// 2 * 8 * 512 * 512 flops of matrix work and the ramp of half a wave (83886080
// flops) at 8.1 TFLOPS, and 4096 of the relu: 10.87 us. Memory is less.
// T4: model '{{.*}}main.mlir', profile 't4'
// T4-NEXT: 1 x onednn matmul+relu f32[8,512]: 15.87 us = 10.87 compute + 5 launch
// 4096 floats read and 8 written, at 1.28 TB/s.
// T4-NEXT: 1 x cpu reduce_sum f32[8]: 5.013 us = 0.01283 memory + 5 launch
// T4-NEXT: 2 kernels: 20.9 us
// T4-NOT: measured

// CPU: profile 'cpu'
// CPU-NEXT: 1 x onednn matmul+relu f32[8,512]: {{[0-9.]+}} us = {{[0-9.]+}} {{compute|memory}} + 0.2 launch + 1 library

// A dimension without a size counts as 16.
// RUN: tenon-profile --print-costs %t/main.mlir --profile=t4 | FileCheck %s --check-prefix=SYMBOL
// SYMBOL: 1 x onednn matmul+relu f32[n,512]: 16.39 us = 11.39 compute + 5 launch

// A profile of one's own; costs that lack a kernel.
// RUN: tenon-profile --print-costs %t/main.mlir --bind n=8 --place=all:onednn --profile=%t/mine.json --costs=%t/costs.json | FileCheck %s --check-prefix=OWN
// OWN: profile 'mine'
// OWN-NEXT: 1 x onednn matmul+relu f32[8,512]: 4.198 us = 4.198 compute + 0 launch
// OWN-NEXT: 1 x cpu reduce_sum f32[8]: 1.5 us measured
// OWN-NEXT: 2 kernels: 5.7 us; 1 of 2 distinct ones were not measured

// Errors name the file and the member.
// RUN: not tenon-profile --print-costs %t/main.mlir --profile=t5 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: no device profile 't5': expected cpu, a100, h100, h200, t4, v100, or a JSON file of one profile
// RUN: sed -e s/fused/melted/ %t/mine.json > %t/bad.json
// RUN: not tenon-profile --print-costs %t/main.mlir --profile=%t/bad.json 2>&1 | FileCheck %s --check-prefix=MEMBER
// MEMBER: error: '{{.*}}bad.json': 'semantics': expected "isolated" or "fused", but got "melted"
// RUN: not tenon-profile --print-costs %t/main.mlir --costs=%t/mine.json 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: error: '{{.*}}mine.json': unknown member 'cache_bandwidth'
// RUN: not tenon-profile --print-costs %t/none.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: can't open '{{.*}}none.mlir': no such file

//--- main.mlir
func.func @main(%x: tensor<?x512xf32, #graph.dims<n, 512>> {graph.name = "x"})
    -> (tensor<?xf32, #graph.dims<n>> {graph.name = "y"},
        tensor<?x512xf32, #graph.dims<n, 512>> {graph.name = "z"}) {
  %w = graph.parameter @w : tensor<512x512xf32>
  %0 = graph.matmul %x, %w
      : (tensor<?x512xf32, #graph.dims<n, 512>>, tensor<512x512xf32>)
      -> tensor<?x512xf32, #graph.dims<n, 512>>
  %1 = graph.relu %0 : tensor<?x512xf32, #graph.dims<n, 512>>
  %2 = graph.reduce_sum %1 axes = [1]
      : (tensor<?x512xf32, #graph.dims<n, 512>>) -> tensor<?xf32, #graph.dims<n>>
  return %2, %1 : tensor<?xf32, #graph.dims<n>>, tensor<?x512xf32, #graph.dims<n, 512>>
}
//--- mine.json
{"schema_version": 1, "name": "mine", "source": "by hand", "semantics": "fused",
 "matrix_flops_32": 1e12, "matrix_flops_16": 1e12, "vector_flops": 1e12,
 "memory_bandwidth": 1e12, "cache_bandwidth": 1e12, "cache_bytes": 0,
 "weight_bandwidth": 0, "weight_seconds": 0, "launch_seconds": 0, "half_peak_flops": 0, "own_matrix_flops": 0, "library_seconds": 0}
//--- costs.json
{"schema_version": 1,
 "device": {"target": "cpu:x86-64-v3", "processor": "a processor", "threads": 1,
            "versions": {}},
 "entries": [
  {"kernel": "cpu reduce_sum: f32[8,512]; reduce_sum(0) axes=[1] f32[8]; yield 1",
   "median": 1.5e-6, "low": 1e-6, "high": 2e-6, "runs": 20}]}
