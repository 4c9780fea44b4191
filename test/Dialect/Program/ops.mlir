// What is printed is read again, as text and as bytecode.
// RUN: tenon-opt %s > %t.mlir
// RUN: tenon-opt %t.mlir | diff - %t.mlir
// RUN: tenon-opt %s --emit-bytecode -o %t.mlirbc
// RUN: tenon-opt %t.mlirbc | diff - %t.mlir
// RUN: FileCheck %s < %t.mlir

// CHECK: program.target cpu {
program.target cpu {
  // CHECK-NEXT: %[[W:.*]] = program.parameter "w" : tensor<4x4xf32>
  %w = program.parameter "w" : tensor<4x4xf32>
  // CHECK-NEXT: %[[C:.*]] = program.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %c = program.constant dense<[1.0, 2.0]> : tensor<2xf32>
  // CHECK-NEXT: %[[S:.*]] = program.state "s" : tensor<2xi64> = dense<[1, 2]> : tensor<2xi64>
  %s = program.state "s" : tensor<2xi64> = dense<[1, 2]> : tensor<2xi64>
  // CHECK-NEXT: %[[CACHE:.*]] = program.state "cache" : tensor<2x64xf16>
  %cache = program.state "cache" : tensor<2x64xf16>
  // CHECK-NEXT: %[[P:.*]] = program.prepared : tensor<4x4xf32>
  %p = program.prepared : tensor<4x4xf32>
  // CHECK-NEXT: program.prepare scratch(128) {
  program.prepare scratch(128) {
    // CHECK-NEXT: %[[Q:.*]] = program.arena : tensor<4x4xf32> live 0 to 1 at 64
    %q = program.arena : tensor<4x4xf32> live 0 to 1 at 64
    // CHECK-NEXT: program.launch "pack" @kernels::@pack(%[[W]], %[[C]], %[[Q]]) extent(1)
    program.launch "pack" @kernels::@pack(%w, %c, %q) extent(1)
    // CHECK-NEXT: program.copy "copy" %[[Q]] to %[[P]]
    program.copy "copy" %q to %p
  }
  // CHECK: program.entry @main symbols ["n", "m"] scratch(64 * n) {
  program.entry @main symbols ["n", "m"] scratch(64 * n) {
    // CHECK-NEXT: %[[X:.*]] = program.input "x" : tensor<?x?xf32, #graph.dims<n, m>> donates 0
    %x = program.input "x" : tensor<?x?xf32, #graph.dims<n, m>> donates 0
    // CHECK-NEXT: %[[IDS:.*]] = program.input "ids" : tensor<2x3xi64>
    %ids = program.input "ids" : tensor<2x3xi64>
    // CHECK-NEXT: %[[Y:.*]] = program.output "y" : tensor<?x?xf32, #graph.dims<n, m>> holds "x.mlir:9:2 graph.relu"
    %y = program.output "y" : tensor<?x?xf32, #graph.dims<n, m>> holds "x.mlir:9:2 graph.relu"
    // CHECK-NEXT: %[[A:.*]] = program.arena : tensor<?x?xf32, #graph.dims<m, n>> live 1 to 3 holds "x.mlir:1:2 graph.relu"
    %a = program.arena : tensor<?x?xf32, #graph.dims<m, n>> live 1 to 3
      holds "x.mlir:1:2 graph.relu"
    // CHECK-NEXT: %[[F:.*]] = program.findings : tensor<1x2xi64>
    %f = program.findings : tensor<1x2xi64>
    // CHECK-NEXT: program.require "expected n of at least 2"(n - 2)
    program.require "expected n of at least 2" (n - 2)
    // CHECK-NEXT: program.run {
    program.run {
      // CHECK-NEXT: program.launch "look" @kernels::@look(%[[IDS]], %[[F]]) extent(1)
      program.launch "look" @kernels::@look(%ids, %f) extent(1)
      // CHECK-NEXT: program.check "gather" %[[F]] of "ids" shape [2, 3] parts 1 ignored -1 [#program.range<axis 0, -n to n>]
      program.check "gather" %f of "ids" shape [2, 3] parts 1 ignored -1
        [#program.range<axis 0, -n to n>]
      // CHECK-NEXT: program.launch "relu" @kernels::@relu(%[[X]], %[[A]]) extent(n) grain 16
      program.launch "relu" @kernels::@relu(%x, %a) extent(n) grain 16
      // CHECK-NEXT: program.call "dense" onednn #program.matmul(%[[A]], %[[P]], %[[C]], %[[X]], %[[Y]])
      // CHECK-SAME: constant_weight,
      // CHECK-SAME: orders = [array<i32>, array<i32: 1, 0>, array<i32>, array<i32>, array<i32>]
      // CHECK-SAME: posts = [#program.post<clip(0.000000e+00, 6.000000e+00)>, #program.post<add>, #program.post<gelu_erf>]
      // CHECK-SAME: : tensor<?x4xf32, #graph.dims<n, 4>>, tensor<4x4xf32>,
      program.call "dense" onednn #program.matmul(%a, %p, %c, %x, %y)
        {constant_weight,
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
  // What another entry uses, too. Its names and symbols are its own.
  // CHECK: program.entry @step symbols ["n"] {
  program.entry @step symbols ["n"] {
    // CHECK-NEXT: %[[X2:.*]] = program.input "x" : tensor<?xi64, #graph.dims<n>>
    %x = program.input "x" : tensor<?xi64, #graph.dims<n>>
    // CHECK-NEXT: %[[Y2:.*]] = program.output "y" : tensor<2xi64>
    %y = program.output "y" : tensor<2xi64>
    // CHECK-NEXT: program.run {
    program.run {
      // CHECK-NEXT: program.launch "next" @kernels::@next(%[[X2]], %[[W]], %[[P]], %[[CACHE]], %[[S]]) extent(n)
      program.launch "next" @kernels::@next(%x, %w, %p, %cache, %s) extent(n)
      // CHECK-NEXT: program.copy "copy to y" %[[S]] to %[[Y2]]
      program.copy "copy to y" %s to %y
    }
  }
  builtin.module @kernels {
    llvm.func @pack(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
    llvm.func @look(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
    llvm.func @relu(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
    llvm.func @next(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
  }
}

// CHECK: program.target cuda attributes {images = [#program.image<"sm_80" cubin "\01\FFELF">, #program.image<"sm_80" ptx ".version 8.0\0A">]} {
program.target cuda attributes {
    images = [#program.image<"sm_80" cubin "\01\FFELF">,
              #program.image<"sm_80" ptx ".version 8.0\0A">]} {
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    %y = program.output "y" : tensor<4xf32>
    // CHECK: %[[A:.*]] = program.arena : tensor<4xf32> live 0 to 1 at 0 holds "x.mlir:1:2 graph.relu"
    %a = program.arena : tensor<4xf32> live 0 to 1 at 0
      holds "x.mlir:1:2 graph.relu"
    // CHECK: program.arena : tensor<4xf32> live 1 to 2 at 16
    %b = program.arena : tensor<4xf32> live 1 to 2 at 16
    // CHECK: program.arena : tensor<4xf32> live 2 to 2 at 0
    %d = program.arena : tensor<4xf32> live 2 to 2 at 0
    program.run {
      // CHECK: program.launch "relu" @kernels::@kernels::@relu(%{{.*}}, %[[A]]) extent(4) block 128 shared 0
      program.launch "relu" @kernels::@kernels::@relu(%x, %a) extent(4) block 128 shared 0
      // CHECK: program.copy "copy to b" %[[A]] to
      program.copy "copy to b" %a to %b
      // CHECK: program.call "softmax" cudnn #program.softmax({{.*}}) reference @references::@step2 : tensor<4xf32>, tensor<4xf32>
      program.call "softmax" cudnn #program.softmax(%b, %y) reference @references::@step2
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
