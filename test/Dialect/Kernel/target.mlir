// RUN: tenon-opt %s --split-input-file | tenon-opt --split-input-file | FileCheck %s
// RUN: tenon-opt %S/Inputs/empty.mlir --kernel-set-target --emit-bytecode -o %t.mlirbc && tenon-opt %t.mlirbc | FileCheck %s --check-prefix=BYTES
// BYTES: #kernel.target<[#kernel.cpu<"x86-64-v3">, #kernel.cpu<"x86-64-v4">], #kernel.numerics<fp = reassociate, precision = f32>>

// CHECK: module @usual attributes {kernel.target = #kernel.target<[#kernel.cpu<"x86-64-v3">, #kernel.cpu<"x86-64-v4">], #kernel.numerics<fp = reassociate, precision = f32>>} {
module @usual attributes {kernel.target = #kernel.target<[#kernel.cpu<"x86-64-v3">, #kernel.cpu<"x86-64-v4">], #kernel.numerics<fp = reassociate, precision = f32>>} {
}

// -----

// What follows from the level is not printed.
// CHECK: module @level attributes {kernel.target = #kernel.target<[#kernel.cpu<"x86-64-v2">], #kernel.numerics<fp = strict, precision = bf16>>} {
module @level attributes {kernel.target = #kernel.target<[#kernel.cpu<"x86-64-v2", features = [], vector_bits = 128, tune = "", triple = "x86_64-unknown-linux-gnu">], #kernel.numerics<fp = strict, precision = bf16>>} {
}

// -----

// CHECK: module @native attributes {kernel.target = #kernel.target<[#kernel.cpu<"x86-64-v4", features = ["avx512bf16", "avx512fp16"], vector_bits = 256, tune = "znver4">], #kernel.numerics<fp = finite, precision = f16>>} {
module @native attributes {kernel.target = #kernel.target<[#kernel.cpu<"x86-64-v4", tune = "znver4", features = ["avx512bf16", "avx512fp16"], vector_bits = 256>], #kernel.numerics<fp = finite, precision = f16>>} {
}

// -----

// CHECK: module @both attributes {kernel.target = #kernel.target<[#kernel.cuda<"sm_80">, #kernel.cpu<"x86-64-v3">, #kernel.cuda<"sm_90">], #kernel.numerics<fp = reassociate, precision = tf32>>} {
module @both attributes {kernel.target = #kernel.target<[#kernel.cuda<"sm_80">, #kernel.cpu<"x86-64-v3">, #kernel.cuda<"sm_90">], #kernel.numerics<fp = reassociate, precision = tf32>>} {
}
