// RUN: tenon-opt %s --kernel-set-target | FileCheck %s
// CHECK: #kernel.target<[#kernel.cuda<"sm_80">, #kernel.cpu<"x86-64-v2">], #kernel.numerics<fp = strict, precision = tf32>>
// RUN: tenon-opt %s "--kernel-set-target=fp=finite precision=f16" | FileCheck %s --check-prefix=NUMERICS
// NUMERICS: #kernel.target<[#kernel.cuda<"sm_80">, #kernel.cpu<"x86-64-v2">], #kernel.numerics<fp = finite, precision = f16>>

// Devices of one kind follow each other; the least demanding CPU is the first.
// RUN: tenon-opt %s "--kernel-set-target=targets=cuda:sm_90,cpu:x86-64-v4+avx512bf16,cuda:sm_80,cpu:x86-64-v3" | FileCheck %s --check-prefix=LIST
// LIST: #kernel.target<[#kernel.cuda<"sm_90">, #kernel.cuda<"sm_80">, #kernel.cpu<"x86-64-v3">, #kernel.cpu<"x86-64-v4", features = ["avx512bf16"]>], #kernel.numerics<fp = strict, precision = tf32>>

// CPUs do not round factors.
// RUN: tenon-opt %s --kernel-set-target=targets=cpu:x86-64-v3 | FileCheck %s --check-prefix=CPU
// CPU: #kernel.target<[#kernel.cpu<"x86-64-v3">], #kernel.numerics<fp = strict, precision = f32>>

// RUN: tenon-opt %S/Inputs/empty.mlir --kernel-set-target | FileCheck %s --check-prefix=USUAL
// USUAL: #kernel.target<[#kernel.cpu<"x86-64-v3">, #kernel.cpu<"x86-64-v4">], #kernel.numerics<fp = reassociate, precision = f32>>

// RUN: tenon-opt %s --kernel-set-target=targets=cpu:native | FileCheck %s --check-prefix=NATIVE
// NATIVE: #kernel.target<[#kernel.cpu<"x86-64-v{{[234]}}", {{.*}}tune = "{{.+}}">]

// RUN: not tenon-opt %s --kernel-set-target=targets=cpu:z80 2>&1 | FileCheck %s --check-prefix=LEVEL
// LEVEL: error: expected the target cpu:x86-64-v2, cpu:x86-64-v3, cpu:x86-64-v4 or cpu:native, but got 'cpu:z80'
// RUN: not tenon-opt %s --kernel-set-target=targets=cpu:x86-64-v4+avx9 2>&1 | FileCheck %s --check-prefix=FEATURE
// FEATURE: error: target 'cpu:x86-64-v4+avx9': expected a feature 'avx512bf16', 'avx512fp16', 'avx512vnni', 'amx' of x86-64-v4, but got 'avx9' of x86-64-v4
// RUN: not tenon-opt %s --kernel-set-target=targets=cpu:x86-64-v3+avx512bf16 2>&1 | FileCheck %s --check-prefix=BELOW
// BELOW: error: target 'cpu:x86-64-v3+avx512bf16': expected a feature {{.*}} of x86-64-v4, but got 'avx512bf16' of x86-64-v3
// RUN: not tenon-opt %s --kernel-set-target=targets=cuda:sm_1 2>&1 | FileCheck %s --check-prefix=ARCH
// ARCH: error: target 'cuda:sm_1': expected one of cuda:sm_80, {{.*}}cuda:sm_120
// RUN: not tenon-opt %s --kernel-set-target=targets=tpu 2>&1 | FileCheck %s --check-prefix=KIND
// KIND: error: expected the target cpu:LEVEL or cuda:ARCH, such as cpu:x86-64-v3, but got 'tpu'
// RUN: not tenon-opt %s --kernel-set-target=targets=cuda:sm_80,cuda:sm_80 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: target 'cuda:sm_80' is given more than once
// RUN: not tenon-opt %s --kernel-set-target=fp=fast 2>&1 | FileCheck %s --check-prefix=FP
// FP: error: fp: expected strict, reassociate or finite, but got 'fast'
// RUN: not tenon-opt %s --kernel-set-target=precision=f64 2>&1 | FileCheck %s --check-prefix=PRECISION
// PRECISION: error: precision: expected f32, tf32, f16 or bf16, but got 'f64'
// RUN: not tenon-opt %s "--kernel-set-target=targets=cpu:x86-64-v3 precision=tf32" 2>&1 | FileCheck %s --check-prefix=TF32
// TF32: error: tf32 is a precision of CUDA targets; expected one of them, such as #kernel.cuda<"sm_80">
module attributes {kernel.target = #kernel.target<[#kernel.cuda<"sm_80">, #kernel.cpu<"x86-64-v2">], #kernel.numerics<fp = strict, precision = tf32>>} {
}
