// The device is the model's own, unless --target states one.
// RUN: tenon-profile --print-costs %s | FileCheck %s
// CHECK: profile 'a100'
// CHECK-NEXT: 1 x cublaslt matmul
// RUN: tenon-profile --print-costs %s --precision=tf32 | FileCheck %s
// RUN: tenon-profile --print-costs %s --profile=h100 | FileCheck %s --check-prefix=H100
// H100: profile 'h100'
// H100-NEXT: 1 x cublaslt matmul
// RUN: tenon-profile --print-costs %s --target=cpu:x86-64-v3 | FileCheck %s --check-prefix=CPU
// CPU: profile 'cpu'
// CPU-NEXT: 1 x onednn matmul
// RUN: not tenon-profile %s -o %t.json 2>&1 | FileCheck %s --check-prefix=MEASURE
// MEASURE: error: '{{.*}}target-of-model.mlir' is for GPUs, whose costs are measured where they are: expected --target=cuda:... and --emit-bundle DIR in place of -o; then run DIR/run there

// The precision that only GPUs have, too.
// RUN: tenon-compile %s --precision=tf32 --stop-after=optimize -o - | FileCheck %s --check-prefix=TF32
// TF32: kernel.target = #kernel.target<[#kernel.cuda<"sm_80">], #kernel.numerics<fp = reassociate, precision = tf32>>
// RUN: sed 's/^\(module.*\)cuda<"sm_80">/\1cpu<"x86-64-v3">/' %s > %t.mlir
// RUN: not tenon-compile %t.mlir --precision=tf32 --stop-after=optimize -o - 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: tf32 is a precision of CUDA targets; expected one of them, such as #kernel.cuda<"sm_80">
module attributes {kernel.target = #kernel.target<[#kernel.cuda<"sm_80">], #kernel.numerics<fp = reassociate, precision = f32>>} {
  func.func @main(%x: tensor<512x512xf32>) -> tensor<512x512xf32> {
    %0 = graph.matmul %x, %x : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    return %0 : tensor<512x512xf32>
  }
}
