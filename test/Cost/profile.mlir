// Kernels are measured where they stand in a model; equal ones share an entry.
// REQUIRES: avx2
// REQUIRES: slow
// RUN: rm -rf %t && mkdir %t
// RUN: tenon-profile %s -o %t/costs.json --repeat=5 --plans=1 > %t/table.txt
// RUN: FileCheck %s --check-prefix=TABLE < %t/table.txt
// RUN: FileCheck %s --check-prefix=JSON < %t/costs.json

// The layers are one kernel at two places; ops that depend only on weights run
// at load, and a copy to an output is not a kernel.
// TABLE: model '{{.*}}profile.mlir', times in microseconds
// TABLE-NEXT: count predicted measured sum kernel
// TABLE-DAG: 2 {{[0-9. ]+}} onednn matmul+add+relu f32[64,256]
// TABLE-DAG: 1 {{[0-9. ]+}} cpu {{.*}}reduce_sum{{.*}} f32[64]
// TABLE: 3 {{[0-9. ]+}} in all, 2 distinct; predicted / measured {{[0-9.]+}}

// JSON: "schema_version": 1
// JSON: "device": {"processor":"{{.+}}","target":"cpu:x86-64-v3","threads":1,"versions":{{{.*}}"tenon":"{{[0-9.]+}}"{{.*}}}}
// JSON: {"kernel": "cpu {{.*}}reduce_sum{{[^"]*}}", "median": {{[0-9.e-]+}}, "low": {{[0-9.e-]+}}, "high": {{[0-9.e-]+}}, "runs": 5,
// JSON: {"kernel": "onednn matmul+add+relu: weight f32[256], f32[64,256], weight f32[256,256]; {{[^"]*}}", {{.*}} "runs": 10,

// The file serves the cost model.
// RUN: tenon-profile --print-costs %s --costs=%t/costs.json | FileCheck %s --check-prefix=COSTS
// COSTS: 2 x onednn matmul+add+relu f32[64,256]: {{[0-9.]+}} us measured
// COSTS: 3 kernels: {{.*}}; 0 of 2 distinct ones were not measured

// The entries of the file do not change with another number of runs, or a new
// model.
// RUN: cp %t/costs.json %t/before.json
// RUN: tenon-profile %s -o %t/costs.json --repeat=9 --plans=1 --resume
// RUN: cmp %t/before.json %t/costs.json
// RUN: sed -e "s/graph.relu/graph.tanh/" %s > %t/other.mlir
// RUN: tenon-profile %t/other.mlir -o %t/costs.json --repeat=9 --plans=1 --resume
// RUN: FileCheck %s --check-prefix=RESUMED < %t/costs.json
// RESUMED: "kernel": "cpu {{.*}}reduce_sum{{.*}} "runs": 5,
// RESUMED: "kernel": "onednn matmul+add+relu: {{.*}} "runs": 10,
// RESUMED: "kernel": "onednn matmul+add+tanh: {{.*}} "runs": {{9|18}},

// Without --resume the file is replaced.
// RUN: tenon-profile %t/other.mlir -o %t/costs.json --repeat=2 --plans=1 --without=onednn
// RUN: FileCheck %s --check-prefix=ANEW < %t/costs.json
// ANEW-NOT: onednn matmul

// Costs of different devices are not mixed.
// RUN: sed -e 's/"processor":"[^"]*"/"processor":"another one"/' %t/before.json > %t/another.json
// RUN: cp %t/another.json %t/kept.json
// RUN: not tenon-profile %s -o %t/another.json --resume 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: not tenon-profile %s -o %t/before.json --threads=2 --resume 2>&1 | FileCheck %s --check-prefix=THREADS
// DEVICE: error: costs of different devices can't be mixed: 'cpu:x86-64-v3 on {{.*}}' and 'cpu:x86-64-v3 on another one, 1 thread, {{.*}}'
// THREADS: can't be mixed: '{{.*}}, 2 threads, {{.*}}' and '{{.*}}, 1 thread, {{.*}}'
// RUN: cmp %t/another.json %t/kept.json

// By default all that placement may choose is measured, and runs as a whole; then
// nothing is missing, whatever the plan.
// RUN: tenon-profile %s -o %t/all.json --repeat=3 > %t/all.txt
// RUN: FileCheck %s --check-prefix=ALL < %t/all.json
// ALL-DAG: "kernel": "onednn matmul: {{.*}}, "roofline": {{[0-9.e-]+}}}
// ALL-DAG: "kernel": "onednn matmul+add: {{.*}}, "roofline": {{[0-9.e-]+}}}
// ALL-DAG: "kernel": "onednn matmul+add+relu: {{.*}}, "roofline": {{[0-9.e-]+}}}
// ALL: "plans": [
// ALL-DAG: {"graph": "[[GRAPH:[0-9a-f]+]]", "plan": "all:onednn", "kernels": "{{[0-9a-f]+}}", "num_kernels": {{[0-9]}}, "sum": {{[0-9.e-]+}}, "measured": {{[0-9.e-]+}}}
// ALL-DAG: "plan": "all:cpu",
// RUN: tenon-profile --print-costs %s --costs=%t/all.json | FileCheck %s --check-prefix=KNOWN
// RUN: tenon-profile --print-costs %s --costs=%t/all.json --place=all:cpu | FileCheck %s --check-prefix=KNOWN
// KNOWN: 0 of {{[0-9]}} distinct ones were not measured
// The same costs give the same bytes.
// RUN: mkdir %t/again && tenon-compile %s --costs=%t/all.json -o %t/again/m.so
// RUN: tenon-compile %s --costs=%t/all.json -o %t/m.so && cmp %t/m.so %t/again/m.so

func.func @main(%x: tensor<64x256xf32> {graph.name = "x"})
    -> (tensor<64xf32> {graph.name = "y"}, tensor<64x256xf32> {graph.name = "z"}, tensor<64x256xf32> {graph.name = "v"}) {
  %w1 = graph.parameter @w1 : tensor<256x256xf32>
  %w2 = graph.parameter @w2 : tensor<256x256xf32>
  %b = graph.parameter @b : tensor<256xf32>
  %c = graph.exp %b : tensor<256xf32>
  %d = graph.broadcast %c shape = [64, 256] : (tensor<256xf32>) -> tensor<64x256xf32>
  %0 = graph.matmul %x, %w1 : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  %1 = graph.add %0, %d : tensor<64x256xf32>
  %2 = graph.relu %1 : tensor<64x256xf32>
  %3 = graph.matmul %2, %w2 : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  %4 = graph.add %3, %d : tensor<64x256xf32>
  %5 = graph.relu %4 : tensor<64x256xf32>
  %6 = graph.reduce_sum %5 axes = [1] : (tensor<64x256xf32>) -> tensor<64xf32>
  return %6, %x, %5 : tensor<64xf32>, tensor<64x256xf32>, tensor<64x256xf32>
}
