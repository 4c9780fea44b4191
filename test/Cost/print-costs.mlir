// Costs are printed term by term.
// RUN: rm -rf %t && split-file %s %t
// RUN: tenon-profile --print-costs %t/main.mlir --profile=%tenon_src/test/Inputs/gpu-like-cpu.json --place=all:onednn --bind n=8 | FileCheck %s --check-prefix=H100
// RUN: tenon-profile --print-costs %t/main.mlir --bind n=8 | FileCheck %s --check-prefix=CPU

// 2 * 8 * 512 * 512 flops of matrix work and the ramp of half a wave (276824064
// flops) at 67 TFLOPS, and 4096 of the relu: 4.194 us. Memory is less.
// H100: model '{{.*}}main.mlir', profile 'gpu-like-cpu'
// H100-NEXT: 1 x onednn matmul+relu f32[8,512]: 6.194 us = 4.194 compute + 2 launch
// 4096 floats read and 8 written, at 6.7 TB/s.
// H100-NEXT: 1 x cpu reduce_sum f32[8]: 2.002 us = 0.00245 memory + 2 launch
// H100-NEXT: 2 kernels: 8.2 us
// H100-NOT: measured

// CPU: profile 'cpu'
// CPU-NEXT: 1 x onednn matmul+relu f32[8,512]: {{[0-9.]+}} us = {{[0-9.]+}} {{compute|memory}} + 0.2 launch + 1 library

// A dimension without a size counts as 16.
// RUN: tenon-profile --print-costs %t/main.mlir --profile=%tenon_src/test/Inputs/gpu-like-cpu.json --place=all:onednn | FileCheck %s --check-prefix=SYMBOL
// SYMBOL: 1 x onednn matmul+relu f32[n,512]: 6.257 us = 4.257 compute + 2 launch

// A profile of one's own; costs that lack a kernel.
// RUN: tenon-profile --print-costs %t/main.mlir --bind n=8 --place=all:onednn --profile=%t/mine.json --costs=%t/costs.json | FileCheck %s --check-prefix=OWN
// OWN: profile 'mine'
// OWN-NEXT: 1 x onednn matmul+relu f32[8,512]: 4.198 us = 4.198 compute + 0 launch
// OWN-NEXT: 1 x cpu reduce_sum f32[8]: 1.5 us measured
// OWN-NEXT: 2 kernels: 5.7 us; 1 of 2 distinct ones were not measured

// Errors name the file and the member.
// RUN: not tenon-profile --print-costs %t/main.mlir --profile=t4 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: no device profile 't4': expected cpu, a100, h100, h200, or a JSON file of one profile
// RUN: sed -e 's/"name"/"semantics": "fused", "name"/' %t/mine.json > %t/old.json
// RUN: not tenon-profile --print-costs %t/main.mlir --profile=%t/old.json 2>&1 | FileCheck %s --check-prefix=MEMBER
// MEMBER: error: '{{.*}}old.json': 'semantics' was removed, because all profiles count fused kernels: delete the member, or write the file again (tenon-profile --calibrate)
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
{"schema_version": 1, "name": "mine", "source": "by hand",
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
