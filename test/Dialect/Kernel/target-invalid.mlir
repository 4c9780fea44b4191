// RUN: tenon-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{expected strict, reassociate or finite, but got 'fast'}}
module attributes {kernel.target = #kernel.target<[#kernel.cpu<"x86-64-v3">], #kernel.numerics<fp = fast, precision = f32>>} {
}

// -----

// expected-error @+1 {{expected f32, tf32, f16 or bf16, but got 'f64'}}
module attributes {kernel.target = #kernel.target<[#kernel.cpu<"x86-64-v3">], #kernel.numerics<fp = strict, precision = f64>>} {
}

// -----

// expected-error @+1 {{expected a device, such as #kernel.cpu<"x86-64-v3">, but got "cuda"}}
module attributes {kernel.target = #kernel.target<["cuda"], #kernel.numerics<fp = reassociate, precision = f32>>} {
}

// -----

// expected-error @+1 {{expected a device, such as #kernel.cpu<"x86-64-v3">}}
module attributes {kernel.target = #kernel.target<[], #kernel.numerics<fp = reassociate, precision = f32>>} {
}

// -----

// expected-error @+1 {{#kernel.cuda<"sm_80"> is given twice}}
module attributes {kernel.target = #kernel.target<[#kernel.cuda<"sm_80">, #kernel.cuda<"sm_80">], #kernel.numerics<fp = reassociate, precision = f32>>} {
}

// -----

// expected-error @+1 {{expected a CPU that has all of cpu:x86-64-v4, but got cpu:x86-64-v3}}
module attributes {kernel.target = #kernel.target<[#kernel.cpu<"x86-64-v4">, #kernel.cpu<"x86-64-v3">], #kernel.numerics<fp = reassociate, precision = f32>>} {
}

// -----

// expected-error @+1 {{tf32 is a precision of CUDA targets; expected one of them, such as #kernel.cuda<"sm_80">}}
module attributes {kernel.target = #kernel.target<[#kernel.cpu<"x86-64-v3">], #kernel.numerics<fp = reassociate, precision = tf32>>} {
}

// -----

// expected-error @+1 {{expected an architecture such as "sm_80", but got "80"}}
module attributes {kernel.target = #kernel.target<[#kernel.cuda<"80">], #kernel.numerics<fp = reassociate, precision = f32>>} {
}

// -----

// expected-error @+1 {{expected an architecture such as "sm_80", but got "sm_1"}}
module attributes {kernel.target = #kernel.target<[#kernel.cuda<"sm_1">], #kernel.numerics<fp = reassociate, precision = f32>>} {
}

// -----

// expected-error @+1 {{expected a level "x86-64-v2", "x86-64-v3", "x86-64-v4", but got "z80"}}
module attributes {kernel.target = #kernel.target<[#kernel.cpu<"z80">], #kernel.numerics<fp = reassociate, precision = f32>>} {
}

// -----

// expected-error @+1 {{expected features, vector_bits, tune or triple, but got 'chip'}}
module attributes {kernel.target = #kernel.target<[#kernel.cpu<"x86-64-v3", chip = "a">], #kernel.numerics<fp = reassociate, precision = f32>>} {
}

// -----

// expected-error @+1 {{'tune' is given twice}}
module attributes {kernel.target = #kernel.target<[#kernel.cpu<"x86-64-v3", tune = "a", tune = "b">], #kernel.numerics<fp = reassociate, precision = f32>>} {
}

// -----

// expected-error @+1 {{expected a feature 'avx512bf16', 'avx512fp16', 'avx512vnni', 'amx' of x86-64-v4, but got 'sse9' of x86-64-v4}}
module attributes {kernel.target = #kernel.target<[#kernel.cpu<"x86-64-v4", features = ["sse9"]>], #kernel.numerics<fp = reassociate, precision = f32>>} {
}

// -----

// expected-error @+1 {{expected a feature 'avx512bf16', 'avx512fp16', 'avx512vnni', 'amx' of x86-64-v4, but got 'avx512bf16' of x86-64-v3}}
module attributes {kernel.target = #kernel.target<[#kernel.cpu<"x86-64-v3", features = ["avx512bf16"]>], #kernel.numerics<fp = reassociate, precision = f32>>} {
}

// -----

// expected-error @+1 {{the feature 'avx512bf16' is given twice}}
module attributes {kernel.target = #kernel.target<[#kernel.cpu<"x86-64-v4", features = ["avx512bf16", "avx512bf16"]>], #kernel.numerics<fp = reassociate, precision = f32>>} {
}

// -----

// expected-error @+1 {{expected vectors of 128, 256 or 512 bits, and at most the 256 of x86-64-v3, but got 512}}
module attributes {kernel.target = #kernel.target<[#kernel.cpu<"x86-64-v3", vector_bits = 512>], #kernel.numerics<fp = reassociate, precision = f32>>} {
}

// -----

// expected-error @+1 {{expected vectors of 128, 256 or 512 bits, and at most the 256 of x86-64-v3, but got 0}}
module attributes {kernel.target = #kernel.target<[#kernel.cpu<"x86-64-v3", vector_bits = 0>], #kernel.numerics<fp = reassociate, precision = f32>>} {
}

// -----

// expected-error @+1 {{expected the triple "x86_64-unknown-linux-gnu", but got "riscv64-unknown-linux-gnu"}}
module attributes {kernel.target = #kernel.target<[#kernel.cpu<"x86-64-v3", triple = "riscv64-unknown-linux-gnu">], #kernel.numerics<fp = reassociate, precision = f32>>} {
}

// -----

// expected-error @+1 {{expected 'kernel.target' to be a #kernel.target, but got "cuda"}}
module attributes {kernel.target = "cuda"} {
}

// -----

// expected-error @+1 {{the kernel dialect has no attribute 'kernel.device'}}
module attributes {kernel.device = "cuda"} {
}

// -----

module {
  // expected-error @+1 {{expected 'kernel.target' on a module only}}
  func.func private @f() attributes {kernel.target = #kernel.target<[#kernel.cuda<"sm_80">], #kernel.numerics<fp = strict, precision = f32>>}
}

// -----

// expected-error @+1 {{expected LLVM's name of a processor to tune for, but got "bogus"}}
module attributes {kernel.target = #kernel.target<[#kernel.cpu<"x86-64-v4", tune = "bogus">], #kernel.numerics<fp = reassociate, precision = f32>>} {
}

// -----

// expected-error @+1 {{expected features in the order of their numbers: 'avx512bf16' earlier}}
module attributes {kernel.target = #kernel.target<[#kernel.cpu<"x86-64-v4", features = ["avx512vnni", "avx512bf16"]>], #kernel.numerics<fp = reassociate, precision = f32>>} {
}

// -----

// expected-error @+1 {{two programs for cpu:x86-64-v4: expected CPUs that have different features}}
module attributes {kernel.target = #kernel.target<[#kernel.cpu<"x86-64-v4">, #kernel.cpu<"x86-64-v4", vector_bits = 256>], #kernel.numerics<fp = reassociate, precision = f32>>} {
}
