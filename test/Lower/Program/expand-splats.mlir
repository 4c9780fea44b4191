// Large constants of one value are filled at load, by a kernel per element size.
// RUN: tenon-opt %s --split-input-file --program-expand-splats > %t.mlir
// RUN: FileCheck %s < %t.mlir
// What is done is done once.
// RUN: tenon-opt %t.mlir --split-input-file --program-expand-splats | diff %t.mlir -
// The places of buffers are those of the shifted lifetimes.
// RUN: tenon-opt %s --split-input-file --program-expand-splats --program-plan-arena \
// RUN:   | FileCheck %s --check-prefix=PLACED

// CHECK-LABEL: program.target cpu
program.target cpu {
  // CHECK: %[[W:.*]] = program.parameter "w"
  %w = program.parameter "w" : tensor<16xf32>
  // CHECK-NEXT: %[[V1:.*]] = program.constant dense<2.500000e+00> : tensor<1xf32>
  // CHECK-NEXT: %[[F1:.*]] = program.prepared : tensor<128x128xf32>
  %a = program.constant dense<2.5> : tensor<128x128xf32>
  // Smaller ones, and those of several values, stay.
  // CHECK-NEXT: %[[SMALL:.*]] = program.constant dense<2.500000e+00> : tensor<16383xf32>
  %small = program.constant dense<2.5> : tensor<16383xf32>
  // CHECK-NEXT: %[[V2:.*]] = program.constant dense<true> : tensor<1xi1>
  // CHECK-NEXT: %[[F2:.*]] = program.prepared : tensor<65536xi1>
  %b = program.constant dense<true> : tensor<65536xi1>
  // CHECK-NEXT: %[[V3:.*]] = program.constant dense<0> : tensor<1xi32>
  // CHECK-NEXT: %[[F3:.*]] = program.prepared : tensor<20000xi32>
  %c = program.constant dense<0> : tensor<20000xi32>
  // CHECK-NEXT: %[[TWO:.*]] = program.constant dense<[1.000000e+00, 2.000000e+00]>
  %two = program.constant dense<[1.0, 2.0]> : tensor<2xf32>
  // CHECK-NEXT: %[[P:.*]] = program.prepared : tensor<16xf32>
  %p = program.prepared : tensor<16xf32>
  // CHECK-NEXT: program.prepare {
  program.prepare {
    // CHECK-NEXT: %[[Q:.*]] = program.arena : tensor<16xf32> live 3 to 4{{$}}
    // PLACED: program.arena : tensor<16xf32> live 3 to 4 at 0
    %q = program.arena : tensor<16xf32> live 0 to 1
    // CHECK-NEXT: program.launch "graph.constant" @kernels::@tenon.fill32(%[[F1]], %[[V1]]) extent(16384) grain 1048576
    // CHECK-NEXT: program.launch "graph.constant" @kernels::@tenon.fill8(%[[F2]], %[[V2]]) extent(65536) grain 1048576
    // CHECK-NEXT: program.launch "graph.constant" @kernels::@tenon.fill32(%[[F3]], %[[V3]]) extent(20000) grain 1048576
    // CHECK-NEXT: program.launch "pack" @kernels::@k(%[[W]], %[[F1]], %[[Q]]) extent(1)
    program.launch "pack" @kernels::@k(%w, %a, %q) extent(1)
    // CHECK-NEXT: program.copy "copy" %[[Q]] to %[[P]]
    program.copy "copy" %q to %p
  }
  program.entry @main {
    // PLACED: program.arena : tensor<16xf32> live 0 to 1 at 0
    // CHECK: %[[T:.*]] = program.arena : tensor<16xf32> live 0 to 1{{$}}
    %t = program.arena : tensor<16xf32> live 0 to 1
    %y = program.output "y" : tensor<16xf32>
    program.run {
      // CHECK: program.launch "k" @kernels::@k(%[[F1]], %[[SMALL]], %[[T]])
      program.launch "k" @kernels::@k(%a, %small, %t) extent(1)
      program.launch "k" @kernels::@k(%p, %t, %y) extent(1)
    }
  }
  program.entry @other {
    program.run {
      // CHECK: program.launch "k" @kernels::@k(%[[F1]], %[[F2]], %[[F3]])
      program.launch "k" @kernels::@k(%a, %b, %c) extent(1)
    }
  }
  builtin.module @kernels {
    llvm.func @k(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
  }
  // CHECK: llvm.func @tenon.fill32(
  // CHECK: llvm.store %{{.*}}, %{{.*}} : i32, !llvm.ptr
  // CHECK: llvm.func @tenon.fill8(
  // CHECK: llvm.store %{{.*}}, %{{.*}} : i8, !llvm.ptr
  // CHECK-NOT: llvm.func
}

// -----

// If there are no steps of load, they are created before the entries.
// CHECK-LABEL: program.target cpu
program.target cpu {
  // CHECK: %[[V:.*]] = program.constant dense<1.000000e+00> : tensor<1xf64>
  // CHECK-NEXT: %[[F:.*]] = program.prepared : tensor<8192xf64>
  %c = program.constant dense<1.0> : tensor<8192xf64>
  // CHECK-NEXT: program.prepare {
  // CHECK-NEXT: program.launch "graph.constant" @kernels::@tenon.fill64(%[[F]], %[[V]])
  // CHECK-NEXT: }
  // CHECK-NEXT: program.entry @main
  program.entry @main {
    %y = program.output "y" : tensor<8192xf64>
    program.run {
      // CHECK: program.launch "k" @kernels::@k(%[[F]],
      program.launch "k" @kernels::@k(%c, %y) extent(1)
    }
  }
  builtin.module @kernels {
    llvm.func @k(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
  }
}

// -----

// What is only copied is filled where it goes.
// CHECK-LABEL: program.target cpu
program.target cpu {
  // CHECK: %[[V:.*]] = program.constant dense<1.000000e+00> : tensor<1xf64>
  // CHECK-NOT: program.prepare
  %c = program.constant dense<1.0> : tensor<8192xf64>
  program.entry @main {
    // CHECK: %[[Y:.*]] = program.output "y" : tensor<8192xf64>
    %y = program.output "y" : tensor<8192xf64>
    program.run {
      // CHECK-NEXT: program.run {
      // CHECK-NEXT: program.launch "graph.constant" @kernels::@tenon.fill64(%[[Y]], %[[V]]) extent(8192) grain 1048576
      // CHECK-NEXT: }
      program.copy "copy to y" %c to %y
    }
  }
  builtin.module @kernels {
  }
}

// -----

// A scatter onto one reads one element. Updates are read whole.
// CHECK-LABEL: program.target cpu
program.target cpu {
  // CHECK: %[[V:.*]] = program.constant dense<1.000000e+00> : tensor<1xf64>
  // CHECK-NEXT: %[[F:.*]] = program.prepared : tensor<64x128xf64>
  %c = program.constant dense<1.0> : tensor<64x128xf64>
  program.entry @main {
    %i = program.input "i" : tensor<64x1xi64>
    %y = program.output "y" : tensor<64x128xf64>
    program.run {
      // CHECK: program.call "scatter_nd" scatter #program.scatter_nd(%[[V]], %{{.*}}, %[[F]], %{{.*}}) : tensor<1x1xf64>, tensor<64x1xi64>, tensor<64x128xf64>, tensor<64x128xf64>
      program.call "scatter_nd" scatter #program.scatter_nd(%c, %i, %c, %y) : tensor<64x128xf64>, tensor<64x1xi64>, tensor<64x128xf64>, tensor<64x128xf64>
    }
  }
  builtin.module @kernels {
  }
}

// -----

// Nothing of a GPU's.
// CHECK-LABEL: program.target cuda
program.target cuda {
  // CHECK-NEXT: program.constant dense<1.000000e+00> : tensor<8192xf64>
  %c = program.constant dense<1.0> : tensor<8192xf64>
  // CHECK-NOT: program.prepare
  program.entry @main {
    %y = program.output "y" : tensor<8192xf64>
    program.run {
      program.copy "copy to y" %c to %y
    }
  }
  builtin.module @kernels {
  }
}
