// RUN: tenon-opt %s --program-lower-kernels | FileCheck %s
// RUN: tenon-opt %s --kernel-set-target="targets=cpu:x86-64-v4 fp=strict" --program-lower-kernels | FileCheck %s --check-prefix=STRICT
// A kernel of loops; its exponential becomes a polynomial, which may be
// contracted unless the mode is strict.

// CHECK-LABEL: program.target cpu
// CHECK: llvm.func @exp({{.*}}) attributes {{.*}}prefer_vector_width = "256"
// CHECK-NOT: math.exp
// CHECK: llvm.fmul {{.*}}fastmathFlags = #llvm.fastmath<contract>
// CHECK: llvm.intr.maximum
// CHECK-NOT: scf.for

// STRICT: llvm.func @exp({{.*}}) attributes {{.*}}prefer_vector_width = "512"
// STRICT-NOT: contract

// Kernels in the LLVM dialect stay.
// CHECK: llvm.func @done(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
program.target cpu {
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    %y = program.output "y" : tensor<4xf32>
    program.run {
      program.launch "exp" @kernels::@exp(%x, %y) extent(4)
      program.launch "done" @kernels::@done(%x, %y) extent(4)
    }
  }
  builtin.module @kernels {
    func.func @exp(%symbols: !llvm.ptr, %buffers: !llvm.ptr, %scratch: !llvm.ptr, %lo: i64, %hi: i64) {
      %from = llvm.load %buffers : !llvm.ptr -> !llvm.ptr
      %begin = arith.index_cast %lo : i64 to index
      %end = arith.index_cast %hi : i64 to index
      %one = arith.constant 1 : index
      %zero = arith.constant 0.0 : f32
      scf.for %i = %begin to %end step %one {
        %at = arith.index_cast %i : index to i64
        %place = llvm.getelementptr %from[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %value = llvm.load %place : !llvm.ptr -> f32
        %exp = math.exp %value : f32
        %most = arith.maximumf %exp, %zero : f32
        llvm.store %most, %place : f32, !llvm.ptr
      }
      return
    }
    llvm.func @done(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
  }
}
