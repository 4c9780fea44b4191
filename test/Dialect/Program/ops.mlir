// What is printed is read again, as text and as bytecode.
// RUN: tenon-opt %s > %t.mlir
// RUN: tenon-opt %t.mlir | diff - %t.mlir
// RUN: tenon-opt %s --emit-bytecode -o %t.mlirbc
// RUN: tenon-opt %t.mlirbc | diff - %t.mlir
// RUN: FileCheck %s < %t.mlir

// CHECK: program.target cpu @first {
program.target cpu @first {
  // CHECK: program.entry @main symbols ["n", "m"] scratch(64 * n) {
  program.entry @main symbols ["n", "m"] scratch(64 * n) {
    // CHECK: %[[X:.*]] = program.input "x" : tensor<?x?xf32, #graph.dims<n, m>> donates 0
    %x = program.input "x" : tensor<?x?xf32, #graph.dims<n, m>> donates 0
    // CHECK: %[[IDS:.*]] = program.input "ids" : tensor<2x3xi64>
    %ids = program.input "ids" : tensor<2x3xi64>
    // CHECK: %[[Y:.*]] = program.output "y" : tensor<?x?xf32, #graph.dims<n, m>>
    %y = program.output "y" : tensor<?x?xf32, #graph.dims<n, m>>
    // CHECK: %[[W:.*]] = program.parameter "w" : tensor<4x4xf32>
    %w = program.parameter "w" : tensor<4x4xf32>
    // CHECK: %[[C:.*]] = program.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
    %c = program.constant dense<[1.0, 2.0]> : tensor<2xf32>
    // CHECK: %[[P:.*]] = program.prepared(64) live 0 to 3
    %p = program.prepared(64) live 0 to 3
    // CHECK: %[[A:.*]] = program.arena(4 * m * n) live 2 to 4
    %a = program.arena(4 * m * n) live 2 to 4
    // CHECK: %[[F:.*]] = program.findings(16)
    %f = program.findings(16)
    // CHECK: program.require "expected n of at least 2"(n - 2)
    program.require "expected n of at least 2" (n - 2)
    // CHECK: program.prepare {
    program.prepare {
      // CHECK-NEXT: program.launch "pack" @kernels::@pack(%[[W]], %[[C]], %[[P]]) extent(1)
      program.launch "pack" @kernels::@pack(%w, %c, %p) extent(1)
    }
    // CHECK: program.run {
    program.run {
      // CHECK-NEXT: program.launch "look" @kernels::@look(%[[IDS]], %[[F]]) extent(1)
      program.launch "look" @kernels::@look(%ids, %f) extent(1)
      // CHECK-NEXT: program.check "gather" %[[F]] of "ids" shape [2, 3] parts 1 ignored -1 [#program.range<axis 0, -n to n>]
      program.check "gather" %f of "ids" shape [2, 3] parts 1 ignored -1
        [#program.range<axis 0, -n to n>]
      // CHECK-NEXT: program.launch "relu" @kernels::@relu(%[[X]], %[[A]]) extent(n) grain 16
      program.launch "relu" @kernels::@relu(%x, %a) extent(n) grain 16
      // CHECK-NEXT: program.call "dense" onednn matmul(%[[A]], %[[P]], %[[C]], %[[X]], %[[Y]])
      // CHECK-SAME: constant_weight, has_bias,
      // CHECK-SAME: orders = [array<i32>, array<i32: 1, 0>, array<i32>, array<i32>, array<i32>]
      // CHECK-SAME: posts = [#program.post<clip(0.000000e+00, 6.000000e+00)>, #program.post<add>, #program.post<gelu_erf>]
      // CHECK-SAME: : tensor<?x4xf32, #graph.dims<n, 4>>, tensor<4x4xf32>,
      program.call "dense" onednn matmul(%a, %p, %c, %x, %y)
        {constant_weight, has_bias,
         orders = [array<i32>, array<i32: 1, 0>, array<i32>, array<i32>, array<i32>],
         posts = [#program.post<clip(0.0, 6.0)>, #program.post<add>,
                  #program.post<gelu_erf>]}
        : tensor<?x4xf32, #graph.dims<n, 4>>, tensor<4x4xf32>, tensor<4xf32>,
          tensor<?x4xf32, #graph.dims<n, 4>>, tensor<?x4xf32, #graph.dims<n, 4>>
      // CHECK-NEXT: program.plugin "mine" "lib" "relu"(%[[A]], %[[Y]]) file "liblib.so" version "1.0"
      // CHECK-SAME: hash 7 items(n) lifted [true, true] constant [false, false] results 1
      // CHECK-SAME: symbols ["m"] values <m> : tensor<?xf32, #graph.dims<m>>, tensor<?xf32, #graph.dims<m>>
      program.plugin "mine" "lib" "relu"(%a, %y) file "liblib.so" version "1.0"
        hash 7 items(n) lifted [true, true] constant [false, false] results 1
        symbols ["m"] values <m>
        : tensor<?xf32, #graph.dims<m>>, tensor<?xf32, #graph.dims<m>>
    }
  }
  builtin.module @kernels {
    llvm.func @pack(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
    llvm.func @look(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
    llvm.func @relu(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
  }
}

// CHECK: program.target cuda @second {
program.target cuda @second {
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    %y = program.output "y" : tensor<4xf32>
    // CHECK: %[[A:.*]] = program.arena(16) live 0 to 1 at 0
    %a = program.arena(16) live 0 to 1 at 0
    // CHECK: program.arena(16) live 1 to 2 at 16
    %b = program.arena(16) live 1 to 2 at 16
    // CHECK: program.arena(16) live 2 to 2 at 0
    %d = program.arena(16) live 2 to 2 at 0
    program.run {
      // CHECK: program.launch "relu" @kernels::@kernels::@relu(%{{.*}}, %[[A]]) extent(4) block 128 shared 0
      program.launch "relu" @kernels::@kernels::@relu(%x, %a) extent(4) block 128 shared 0
      // CHECK: program.copy "copy to b" %[[A]] to
      program.copy "copy to b" %a to %b
      // CHECK: program.call "softmax" cudnn softmax({{.*}}) reference @references::@step2 : tensor<4xf32>, tensor<4xf32>
      program.call "softmax" cudnn softmax(%b, %y) reference @references::@step2
        : tensor<4xf32>, tensor<4xf32>
    }
  }
  builtin.module @kernels attributes {gpu.container_module} {
    gpu.module @kernels {
      llvm.func @relu(!llvm.ptr, !llvm.ptr)
    }
  }
  builtin.module @references {
    func.func private @step2(tensor<4xf32>) -> tensor<4xf32>
  }
}
