// Attention is one kernel: scores stay in registers, and a softmax that goes
// along scales what it has added up.
// REQUIRES: slow
// RUN: split-file %s %t
// RUN: tenon-compile %t/f16.mlir --target=cuda:sm_80 --stop-after=place -o - | FileCheck %s --check-prefix=PLACED
// RUN: tenon-compile %t/f16.mlir --target=cuda:sm_80 --stop-after=lower -o - | FileCheck %s --check-prefix=F16
// RUN: tenon-compile %t/f32.mlir --target=cuda:sm_80 --stop-after=lower -o - | FileCheck %s --check-prefix=F32
// RUN: tenon-compile %t/f32.mlir --target=cuda:sm_80 --precision=tf32 --stop-after=lower -o - | FileCheck %s --check-prefix=TF32
// RUN: tenon-compile %t/decode.mlir --target=cuda:sm_80 --stop-after=lower -o - | FileCheck %s --check-prefix=DECODE

// What has no such kernel becomes what it means: numbers of 64 bits, long
// queries, strict arithmetic; and whatever is for a CPU.
// RUN: tenon-compile %t/others.mlir --target=cuda:sm_80 --stop-after=place -o - | FileCheck %s --check-prefix=OTHER
// RUN: tenon-compile %t/f32.mlir --target=cuda:sm_80 --fp=strict --stop-after=place -o - | FileCheck %s --check-prefix=OTHER
// RUN: tenon-compile %t/f32.mlir --stop-after=place -o - | FileCheck %s --check-prefix=OTHER
// OTHER-NOT: graph.attention
// OTHER: graph.matmul
// OTHER-NOT: graph.attention

// The placed module is one that the interpreter takes, and its kernels run.
// RUN: tenon-compile %t/decode.mlir --target=cuda:sm_80 --stop-after=place -o %t/placed.mlir
// RUN: tenon-interpret %t/decode.mlir --input random:1 --input random:2 --input random:3 --output @%t/y.npy
// RUN: tenon-interpret %t/placed.mlir --input random:1 --input random:2 --input random:3 --expect @%t/y.npy --rtol 1e-6
// RUN: tenon-interpret %t/placed.mlir --emulate --input random:1 --input random:2 --input random:3 --expect @%t/y.npy --rtol 1e-5 | FileCheck %s --check-prefix=EMULATED
// EMULATED: emulated 2 kernels in 2 launches

// Placed for sums that may be regrouped, but lowered for others.
// RUN: not tenon-interpret %t/placed.mlir --emulate=strict --input random:1 --input random:2 --input random:3 2>&1 | FileCheck %s --check-prefix=STRICT
// STRICT: 'graph.attention' op has no code generator yet

// A key that weighs little counts with all its digits, also in f16.
// RUN: tenon-compile %t/digits.mlir --target=cuda:sm_80 --stop-after=place -o %t/digits.placed.mlir
// RUN: tenon-interpret %t/keys.mlir --output k=@%t/k.npy --output v=@%t/v.npy --output q=@%t/q.npy
// DEFINE: %{digits} = --input q=@%t/q.npy --input k=@%t/k.npy --input v=@%t/v.npy
// RUN: tenon-interpret %t/digits.mlir %{digits} --output @%t/d.npy
// RUN: tenon-interpret %t/digits.placed.mlir --emulate %{digits} --expect @%t/d.npy --rtol 2e-3 | FileCheck %s --check-prefix=DIGITS
// DIGITS: ok {{.*}} expected 7.9

// PLACED: kernel.call "cuda" "attention"
// PLACED-NEXT: ^bb0
// PLACED-NEXT: graph.attention {{.*}} causal
// PLACED-NEXT: kernel.yield

// F16: gpu.func @k0
// F16-SAME: known_block_size = array<i32: 128, 1, 1>
// F16: nvvm.ldmatrix
// F16: scf.for
// F16: nvvm.cp.async.wait.group 0
// F16: gpu.barrier
// F16: nvvm.cp.async.shared.global
// F16: nvgpu.mma.sync{{.*}}mmaShape = [16, 8, 16]{{.*}} -> vector<2x2xf32>
// F16: math.exp2
// F16: gpu.return

// F32: gpu.func @k0
// F32-NOT: nvgpu.mma.sync
// F32: math.fma
// F32: math.exp2
// F32: gpu.return

// TF32: gpu.func @k0
// TF32: nvgpu.mma.sync{{.*}}mmaShape = [16, 8, 8], tf32Enabled
// TF32: gpu.return

// Many keys for one query: blocks share them.
// DECODE: gpu.func @k0
// DECODE: gpu.func @k1

//--- f16.mlir
func.func @main(%q: tensor<4x12x512x64xf16>, %k: tensor<4x12x512x64xf16>,
                %v: tensor<4x12x512x64xf16>) -> tensor<4x12x512x64xf16> {
  %0 = graph.attention %q, %k, %v scale = 0.125 causal
    : (tensor<4x12x512x64xf16>, tensor<4x12x512x64xf16>, tensor<4x12x512x64xf16>) -> tensor<4x12x512x64xf16>
  return %0 : tensor<4x12x512x64xf16>
}

//--- f32.mlir
func.func @main(%q: tensor<4x12x512x64xf32>, %k: tensor<4x12x512x64xf32>,
                %v: tensor<4x12x512x64xf32>) -> tensor<4x12x512x64xf32> {
  %0 = graph.attention %q, %k, %v scale = 0.125
    : (tensor<4x12x512x64xf32>, tensor<4x12x512x64xf32>, tensor<4x12x512x64xf32>) -> tensor<4x12x512x64xf32>
  return %0 : tensor<4x12x512x64xf32>
}

//--- decode.mlir
func.func @main(%q: tensor<1x8x1x64xf32>, %k: tensor<1x2x500x64xf32>,
                %v: tensor<1x2x500x64xf32>) -> tensor<1x8x1x64xf32> {
  %m = graph.constant dense<0.5> : tensor<1x1x1x500xf32>
  %0 = graph.attention %q, %k, %v, %m scale = 0.125
    : (tensor<1x8x1x64xf32>, tensor<1x2x500x64xf32>, tensor<1x2x500x64xf32>, tensor<1x1x1x500xf32>) -> tensor<1x8x1x64xf32>
  return %0 : tensor<1x8x1x64xf32>
}

//--- others.mlir
func.func @main(%q: tensor<1x2x5x16xf64>, %r: tensor<1x2x5x320xf32>) -> (tensor<1x2x5x16xf64>, tensor<1x2x5x320xf32>) {
  %0 = graph.attention %q, %q, %q scale = 0.125
    : (tensor<1x2x5x16xf64>, tensor<1x2x5x16xf64>, tensor<1x2x5x16xf64>) -> tensor<1x2x5x16xf64>
  %1 = graph.attention %r, %r, %r scale = 0.125
    : (tensor<1x2x5x320xf32>, tensor<1x2x5x320xf32>, tensor<1x2x5x320xf32>) -> tensor<1x2x5x320xf32>
  return %0, %1 : tensor<1x2x5x16xf64>, tensor<1x2x5x320xf32>
}

//--- digits.mlir
!t = tensor<1x1x2x8xf16>
func.func @main(%q: !t {graph.name = "q"}, %k: !t {graph.name = "k"}, %v: !t {graph.name = "v"}) -> !t {
  %0 = graph.attention %q, %k, %v scale = 1.0 : (!t, !t, !t) -> !t
  return %0 : !t
}

//--- keys.mlir
!t = tensor<1x1x2x8xf16>
func.func @main() -> (!t {graph.name = "q"}, !t {graph.name = "k"}, !t {graph.name = "v"}) {
  %q = graph.constant dense<[[[[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]]]> : !t
  %k = graph.constant dense<[[[[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [-13.6, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]]]> : !t
  %v = graph.constant dense<[[[[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [64.0, 64.0, 64.0, 64.0, 64.0, 64.0, 64.0, 64.0]]]]> : !t
  return %q, %k, %v : !t, !t, !t
}
