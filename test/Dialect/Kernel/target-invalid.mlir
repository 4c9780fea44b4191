// RUN: tenon-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{expected strict, reassociate or finite, but got 'fast'}}
module attributes {kernel.target = #kernel.target<fp = fast>} {
}

// -----

// expected-error @+1 {{expected f32, tf32, f16 or bf16, but got 'f64'}}
module attributes {kernel.target = #kernel.target<precision = f64>} {
}

// -----

// expected-error @+1 {{expected cpu or cuda, but got 'gpu'}}
module attributes {kernel.target = #kernel.target<device = gpu>} {
}

// -----

// expected-error @+1 {{expected device, fp, precision, archs, host or levels, but got 'chip'}}
module attributes {kernel.target = #kernel.target<chip = cpu>} {
}

// -----

// expected-error @+1 {{'fp' is given twice}}
module attributes {kernel.target = #kernel.target<fp = strict, fp = strict>} {
}

// -----

// expected-error @+1 {{archs are for the device cuda, but got the device cpu}}
module attributes {kernel.target = #kernel.target<archs = ["sm_80"]>} {
}

// -----

// expected-error @+1 {{the precision tf32 is for the device cuda, but got the device cpu}}
module attributes {kernel.target = #kernel.target<precision = tf32>} {
}

// -----

// expected-error @+1 {{expected an architecture such as "sm_80", but got "80"}}
module attributes {kernel.target = #kernel.target<device = cuda, archs = ["80"]>} {
}

// -----

// expected-error @+1 {{the architecture "sm_80" is given twice}}
module attributes {kernel.target = #kernel.target<device = cuda, archs = ["sm_80", "sm_80"]>} {
}

// -----

// expected-error @+1 {{expected a host such as "cpu:x86-64-v3", but got "x86-64-v3"}}
module attributes {kernel.target = #kernel.target<host = "x86-64-v3">} {
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
  func.func private @f() attributes {kernel.target = #kernel.target<>}
}

// -----

// expected-error @+1 {{levels are for the device cpu, but got the device cuda}}
module attributes {kernel.target = #kernel.target<device = cuda, levels = ["cpu:x86-64-v4"]>} {
}

// -----

// expected-error @+1 {{the CPU "cpu:x86-64-v3" is given twice}}
module attributes {kernel.target = #kernel.target<levels = ["cpu:x86-64-v3"]>} {
}

// -----

// expected-error @+1 {{expected a level such as "cpu:x86-64-v4", but got "x86-64-v4"}}
module attributes {kernel.target = #kernel.target<levels = ["x86-64-v4"]>} {
}
