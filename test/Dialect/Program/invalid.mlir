// RUN: tenon-opt %s --split-input-file --verify-diagnostics

// A run is what an entry is for.
program.target cpu {
  // expected-error @+1 {{'program.entry' op has no 'program.run'}}
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
  }
}

// -----

// Names must be distinct.
program.target cpu {
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    // expected-error @+1 {{'program.input' op has the duplicate name 'x'}}
    %z = program.input "x" : tensor<4xf32>
    program.run {
    }
  }
}

// -----

program.target cpu {
  %w = program.parameter "w" : tensor<4xf32>
  // expected-error @+1 {{'program.parameter' op has the duplicate name 'w'}}
  %v = program.parameter "w" : tensor<4xf32>
}

// -----

program.target cpu {
  %s = program.state "s" : tensor<4xf32>
  // expected-error @+1 {{'program.state' op has the duplicate name 's'}}
  %t = program.state "s" : tensor<4xi32>
}

// -----

program.target cpu {
  program.entry @main {
    %y = program.output "y" : tensor<4xf32>
    // expected-error @+1 {{'program.output' op has the duplicate name 'y'}}
    %z = program.output "y" : tensor<4xf32>
    program.run {
    }
  }
}

// -----

program.target cpu {
  // expected-note @+1 {{see existing symbol definition here}}
  program.entry @main {
    program.run {
    }
  }
  // expected-error @+1 {{redefinition of symbol named 'main'}}
  program.entry @main {
    program.run {
    }
  }
}

// -----

// What entries share has known sizes.
program.target cpu {
  // expected-error @+1 {{'program.parameter' op attribute 'type' failed to satisfy constraint: type attribute of statically shaped tensor of any type values}}
  %w = program.parameter "w" : tensor<?xf32, #graph.dims<n>>
}

// -----

program.target cpu {
  // expected-error @+1 {{'program.state' op attribute 'type' failed to satisfy constraint: type attribute of statically shaped tensor of any type values}}
  %s = program.state "s" : tensor<?xf32, #graph.dims<n>>
}

// -----

program.target cpu {
  // expected-error @+1 {{'program.prepared' op attribute 'type' failed to satisfy constraint: type attribute of statically shaped tensor of any type values}}
  %p = program.prepared : tensor<?xf32, #graph.dims<n>>
}

// -----

program.target cpu {
  program.entry @main symbols ["n"] {
    // expected-error @+1 {{'program.findings' op attribute 'type' failed to satisfy constraint: type attribute of statically shaped tensor of any type values}}
    %f = program.findings : tensor<?x2xi64, #graph.dims<n, 2>>
    program.run {
    }
  }
}

// -----

// Those of an entry are known by name.
program.target cpu {
  program.entry @main symbols ["n"] {
    // expected-error @+1 {{'program.input' op has an axis of unknown size}}
    %x = program.input "x" : tensor<4x?xf32>
    program.run {
    }
  }
}

// -----

program.target cpu {
  program.entry @main symbols ["n"] {
    // expected-error @+1 {{'program.arena' op has an axis of unknown size}}
    %a = program.arena : tensor<?x?xf32, #graph.dims<n, ?>> live 0 to 0
    program.run {
    }
  }
}

// -----

program.target cpu {
  program.prepare {
    // expected-error @+1 {{'program.arena' op has an axis of unknown size}}
    %a = program.arena : tensor<?xf32> live 0 to 0
  }
}

// -----

// Elements lie in memory.
program.target cpu {
  program.entry @main {
    // expected-error @+1 {{'program.output' op has elements of type 'complex<f32>', which have no memory layout}}
    %y = program.output "y" : tensor<4xcomplex<f32>>
    program.run {
    }
  }
}

// -----

program.target cpu {
  // expected-error @+1 {{'program.parameter' op has elements of type 'index', which have no memory layout}}
  %w = program.parameter "w" : tensor<4xindex>
}

// -----

program.target cpu {
  // expected-error @+1 {{'program.constant' op has elements of type 'index', which have no memory layout}}
  %c = program.constant dense<1> : tensor<4xindex>
}

// -----

program.target cpu {
  program.prepare {
    // expected-error @+1 {{'program.arena' op has elements of type 'index', which have no memory layout}}
    %a = program.arena : tensor<4xindex> live 0 to 0
  }
}

// -----

// A state begins with a value of its type.
program.target cpu {
  // expected-error @+1 {{'program.state' op has type 'tensor<4xf32>', but its initial value 'tensor<4xf64>'}}
  %s = program.state "s" : tensor<4xf32> = dense<0.0> : tensor<4xf64>
}

// -----

program.target cpu {
  // expected-error @+1 {{'program.state' op has type 'tensor<4xf32>', but its initial value 'tensor<2x2xf32>'}}
  %s = program.state "s" : tensor<4xf32> = dense<0.0> : tensor<2x2xf32>
}

// -----

program.target cpu {
  program.entry @main {
    // expected-error @+1 {{'program.input' op donates to output 1 of 1}}
    %x = program.input "x" : tensor<4xf32> donates 1
    %y = program.output "y" : tensor<4xf32>
    program.run {
    }
  }
}

// -----

// Sizes follow from the symbols of the entry.
program.target cpu {
  program.entry @main symbols ["n"] {
    // expected-error @+1 {{'program.input' op has a size over 'm', which is not a symbol of the entry}}
    %x = program.input "x" : tensor<?xf32, #graph.dims<m>>
    program.run {
    }
  }
}

// -----

program.target cpu {
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    %y = program.output "y" : tensor<4xf32>
    program.run {
      // expected-error @+1 {{'program.launch' op has a size over 'n', which is not a symbol of the entry}}
      program.launch "k" @kernels::@k(%x, %y) extent(n)
    }
  }
  builtin.module @kernels {
    llvm.func @k(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
  }
}

// -----

program.target cpu {
  // expected-error @+1 {{'program.entry' op has the symbol "n" twice}}
  program.entry @main symbols ["n", "n"] {
    %x = program.input "x" : tensor<4xf32>
    program.run {
    }
  }
}

// -----

program.target cpu {
  program.entry @main symbols ["n"] {
    // expected-error @+1 {{'program.require' op has a size over 'm', which is not a symbol of the entry}}
    program.require "expected m" (n - m)
    program.run {
    }
  }
}

// -----

// A run has to know what they are.
program.target cpu {
  // expected-error @+1 {{'program.entry' op has the symbol 'm', which is not the size of an input's axis}}
  program.entry @main symbols ["n", "m"] {
    %x = program.input "x" : tensor<?x?xf32, #graph.dims<n, 2 * m>>
    program.run {
    }
  }
}

// -----

// Each entry has symbols of its own.
program.target cpu {
  program.entry @one symbols ["n"] {
    %x = program.input "x" : tensor<?xf32, #graph.dims<n>>
    program.run {
    }
  }
  program.entry @two symbols ["m"] {
    // expected-error @+1 {{'program.input' op has a size over 'n', which is not a symbol of the entry}}
    %x = program.input "x" : tensor<?xf32, #graph.dims<n>>
    program.run {
    }
  }
}

// -----

// At load, nothing is known.
program.target cpu {
  program.prepare {
    // expected-error @+1 {{'program.arena' op has a size over 'n', which is not a symbol of the entry}}
    %a = program.arena : tensor<?xf32, #graph.dims<n>> live 0 to 0
  }
}

// -----

program.target cpu {
  // expected-error @+1 {{'program.prepare' op has a size over 'n', which is not a symbol of the entry}}
  program.prepare scratch(n) {
  }
}

// -----

program.target cpu {
  %w = program.parameter "w" : tensor<4xf32>
  %p = program.prepared : tensor<4xf32>
  program.prepare {
    // expected-error @+1 {{'program.launch' op has a size over 'n', which is not a symbol of the entry}}
    program.launch "k" @kernels::@k(%w, %p) extent(n)
  }
  builtin.module @kernels {
    llvm.func @k(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
  }
}

// -----

// The load comes first, once.
program.target cpu {
  program.entry @main {
    program.run {
    }
  }
  // expected-error @+1 {{'program.prepare' op must occur once, before all entries}}
  program.prepare {
  }
}

// -----

program.target cpu {
  program.prepare {
  }
  // expected-error @+1 {{'program.prepare' op must occur once, before all entries}}
  program.prepare {
  }
}

// -----

program.target cpu {
  %w = program.parameter "w" : tensor<4xf32>
  %p = program.prepared : tensor<4xf32>
  program.prepare {
    program.copy "c" %w to %p
    // expected-error @+1 {{'program.arena' op must precede the steps}}
    %a = program.arena : tensor<4xf32> live 0 to 0
  }
}

// -----

program.target cpu {
  program.prepare {
    // expected-error @+1 {{'arith.constant' op is not allowed in 'program.prepare'}}
    %c = arith.constant 1 : i32
  }
}

// -----

program.target cpu {
  // expected-error @+1 {{'arith.constant' op is not allowed in 'program.target'}}
  %c = arith.constant 1 : i32
}

// -----

program.target cpu {
  // expected-error @+1 {{'program.input' op expects parent op to be one of 'program.entry, program.ranks'}}
  %x = program.input "x" : tensor<4xf32>
}

// -----

program.target cpu {
  program.entry @main {
    // expected-error @+1 {{'program.parameter' op expects parent op 'program.target'}}
    %w = program.parameter "w" : tensor<4xf32>
    program.run {
    }
  }
}

// -----

program.target cpu {
  // expected-error @+1 {{'program.arena' op expects parent op to be one of 'program.entry, program.prepare, program.rank'}}
  %a = program.arena : tensor<4xf32> live 0 to 0
}

// -----

program.target cpu {
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    %y = program.output "y" : tensor<4xf32>
    program.run {
    }
    // expected-error @+1 {{'program.run' op must occur once in an entry}}
    program.run {
    }
  }
}

// -----

program.target cpu {
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    // expected-error @+1 {{'arith.constant' op is not allowed in 'program.entry'}}
    %c = arith.constant 1 : i32
    program.run {
    }
  }
}

// -----

// Buffers live as long as they are used.
program.target cpu {
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    %y = program.output "y" : tensor<4xf32>
    %a = program.arena : tensor<4xf32> live 0 to 0
    program.run {
      program.copy "a" %x to %a
      // expected-error @+1 {{'program.copy' op is step 1, but uses a buffer that is live from step 0 to 0}}
      program.copy "b" %a to %y
    }
  }
}

// -----

// Those of load are counted from its first.
program.target cpu {
  %w = program.parameter "w" : tensor<4xf32>
  %p = program.prepared : tensor<4xf32>
  program.prepare {
    %a = program.arena : tensor<4xf32> live 0 to 0
    program.copy "a" %w to %a
    // expected-error @+1 {{'program.copy' op is step 1, but uses a buffer that is live from step 0 to 0}}
    program.copy "b" %a to %p
  }
}

// -----

program.target cpu {
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    // expected-error @+1 {{'program.arena' op is live from step 1 to 0, but the number of steps is 1}}
    %a = program.arena : tensor<4xf32> live 1 to 0
    program.run {
      program.copy "a" %x to %x
    }
  }
}

// -----

program.target cpu {
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    // expected-error @+1 {{'program.arena' op is live from step 0 to 1, but the number of steps is 1}}
    %a = program.arena : tensor<4xf32> live 0 to 1
    program.run {
      program.copy "a" %x to %x
    }
  }
}

// -----

program.target cpu {
  program.prepare {
    // expected-error @+1 {{'program.arena' op is live from step -1 to 0, but the number of steps is 0}}
    %a = program.arena : tensor<4xf32> live -1 to 0
  }
}

// -----

// Places of buffers that live at once.
program.target cpu {
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    %y = program.output "y" : tensor<4xf32>
    // expected-note @+1 {{the other buffer}}
    %a = program.arena : tensor<4xf32> live 0 to 1 at 0
    // expected-error @+1 {{'program.arena' op overlaps a buffer that is live at the same time}}
    %b = program.arena : tensor<4xf32> live 1 to 2 at 8
    program.run {
      program.copy "a" %x to %a
      program.copy "b" %a to %b
      program.copy "c" %b to %y
    }
  }
}

// -----

program.target cpu {
  program.entry @main symbols ["n"] {
    %x = program.input "x" : tensor<?xf32, #graph.dims<n>>
    // expected-error @+1 {{'program.arena' op has an offset, but no constant size}}
    %a = program.arena : tensor<?xf32, #graph.dims<n>> live 0 to 0 at 0
    program.run {
    }
  }
}

// -----

program.target cpu {
  program.entry @main {
    // expected-error @+1 {{'program.arena' op has the invalid offset -64}}
    %a = program.arena : tensor<4xf32> live 0 to 0 at -64
    program.run {
    }
  }
}

// -----

program.target cpu {
  program.entry @main {
    // expected-error @+1 {{'program.arena' op has the invalid offset 9223372036854775807}}
    %a = program.arena : tensor<4xf32> live 0 to 0 at 9223372036854775807
    program.run {
    }
  }
}

// -----

program.target cpu {
  program.prepare {
    // expected-note @+1 {{the other buffer}}
    %a = program.arena : tensor<4xf32> live 0 to 0 at 0
    // expected-error @+1 {{'program.arena' op overlaps a buffer that is live at the same time}}
    %b = program.arena : tensor<16xi8> live 0 to 0 at 15
  }
}

// -----

// Kernels are there.
program.target cpu {
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    %y = program.output "y" : tensor<4xf32>
    program.run {
      // expected-error @+1 {{'program.launch' op launches @kernels::@none, which is not in its target}}
      program.launch "k" @kernels::@none(%x, %y) extent(1)
    }
  }
  builtin.module @kernels {
    llvm.func @k(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
  }
}

// -----

program.target cpu {
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    %y = program.output "y" : tensor<4xf32>
    program.run {
      // expected-error @+1 {{'program.launch' op expected a grain of at least 1, but got 0}}
      program.launch "k" @kernels::@k(%x, %y) extent(1) grain 0
    }
  }
  builtin.module @kernels {
    llvm.func @k(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
  }
}

// -----

program.target cpu {
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    %y = program.output "y" : tensor<4xf32>
    program.run {
      // expected-error @+1 {{'program.launch' op expected no number of threads per block for a CPU}}
      program.launch "k" @kernels::@k(%x, %y) extent(1) block 32
    }
  }
  builtin.module @kernels {
    llvm.func @k(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
  }
}

// -----

program.target cuda {
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    %y = program.output "y" : tensor<4xf32>
    program.run {
      // expected-error @+1 {{'program.launch' op expected the number of threads per block}}
      program.launch "k" @kernels::@k(%x, %y) extent(1)
    }
  }
  builtin.module @kernels {
    llvm.func @k(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
  }
}

// -----

program.target cuda {
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    %y = program.output "y" : tensor<4xf32>
    program.run {
      // expected-error @+1 {{'program.launch' op expected blocks of 1 to 1024 threads, but got 2048}}
      program.launch "k" @kernels::@k(%x, %y) extent(1) block 2048
    }
  }
  builtin.module @kernels {
    llvm.func @k(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
  }
}

// -----

program.target cuda {
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    %y = program.output "y" : tensor<4xf32>
    program.run {
      // expected-error @+1 {{'program.launch' op a block can't have -1 bytes of shared memory}}
      program.launch "k" @kernels::@k(%x, %y) extent(1) block 32 shared -1
    }
  }
  builtin.module @kernels {
    llvm.func @k(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
  }
}

// -----

// Calls have the buffers that the library reads.
program.target cpu {
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    %y = program.output "y" : tensor<4xf32>
    program.run {
      // expected-error @+1 {{'program.call' op expected 3 or more buffers, but got 2}}
      program.call "m" onednn #program.matmul(%x, %y) : tensor<4x4xf32>, tensor<4x4xf32>
    }
  }
}

// -----

program.target cpu {
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    %y = program.output "y" : tensor<4xf32>
    program.run {
      // expected-error @+1 {{'program.call' op expected 4 or more buffers, but got 3}}
      program.call "m" onednn #program.matmul(%x, %x, %y) {posts = [#program.post<add>]} : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
    }
  }
}

// -----

program.target cpu {
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    %y = program.output "y" : tensor<4xf32>
    program.run {
      // expected-error @+1 {{'program.call' op expected 2 or more buffers, but got 5}}
      program.call "l" onednn #program.layer_norm<epsilon = 1.0>(%x, %x, %x, %x, %y) : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
    }
  }
}

// -----

program.target cpu {
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    %y = program.output "y" : tensor<4xf32>
    program.run {
      // expected-error @+1 {{'program.call' op expected a type for each of its 2 buffers, but got 1}}
      program.call "s" onednn #program.softmax(%x, %y) : tensor<4x4xf32>
    }
  }
}

// -----

program.target cpu {
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    %y = program.output "y" : tensor<4xf32>
    program.run {
      // expected-error @+1 {{'program.call' op expected types of tensors, but got 'i32'}}
      program.call "s" onednn #program.softmax(%x, %y) : i32, i32
    }
  }
}

// -----

program.target cpu {
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    %y = program.output "y" : tensor<4xf32>
    program.run {
      // expected-error @+1 {{'program.call' op expected an order of 2 axes, but got array<i32: 0, 0>}}
      program.call "s" onednn #program.softmax(%x, %y) {orders = [array<i32: 0, 0>, array<i32>]} : tensor<4x4xf32>, tensor<4x4xf32>
    }
  }
}

// -----

program.target cpu {
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    %y = program.output "y" : tensor<4xf32>
    program.run {
      // expected-error @+1 {{'program.call' op expected an order for each of its 2 buffers, but got 1}}
      program.call "s" onednn #program.softmax(%x, %y) {orders = [array<i32>]} : tensor<4x4xf32>, tensor<4x4xf32>
    }
  }
}

// -----

program.target cpu {
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    %y = program.output "y" : tensor<4xf32>
    program.run {
      // expected-error @+1 {{'program.call' op expected lists of 1 numbers, but got #program.conv<strides = [1], dilations = [1, 1], pads_begin = [0], pads_end = [0]>}}
      program.call "c" onednn #program.conv<strides = [1], dilations = [1, 1], pads_begin = [0], pads_end = [0]>(%x, %x, %y) : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
    }
  }
}

// -----

program.target cpu {
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    %y = program.output "y" : tensor<4xf32>
    program.run {
      // expected-error @+1 {{'program.call' op expected tensors of rank 3, but got 'tensor<4x4xf32>'}}
      program.call "c" onednn #program.conv<strides = [1], dilations = [1], pads_begin = [0], pads_end = [0]>(%x, %x, %y) : tensor<4x4xf32>, tensor<4x4x1xf32>, tensor<4x4x1xf32>
    }
  }
}

// -----

program.target cpu {
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    %y = program.output "y" : tensor<4xf32>
    program.run {
      // expected-error @+1 {{'program.call' op expected tensors of rank 3, but got 'tensor<f32>'}}
      program.call "c" onednn #program.conv<strides = [1], dilations = [1], pads_begin = [0], pads_end = [0]>(%x, %x, %y) : tensor<4x4x1xf32>, tensor<4x4x1xf32>, tensor<f32>
    }
  }
}

// -----

program.target cpu {
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    %y = program.output "y" : tensor<4xf32>
    program.run {
      // expected-error @+1 {{'program.call' op expected tensors of rank 3, but got 'tensor<4xf32>'}}
      program.call "c" onednn #program.max_pool<window = [1], strides = [1], pads_begin = [0]>(%x, %y) : tensor<4xf32>, tensor<4x1x1xf32>
    }
  }
}

// -----

program.target cpu {
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    %y = program.output "y" : tensor<4xf32>
    program.run {
      // expected-error @+1 {{'program.call' op expected an odd number of channels, but got 4}}
      program.call "c" onednn #program.lrn<window = 4, alpha = 1.0, beta = 0.75, k = 1.0>(%x, %y) : tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>
    }
  }
}

// -----

program.target cpu {
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    %y = program.output "y" : tensor<4xf32>
    program.run {
      // expected-error @+1 {{'program.call' op expected an odd number of channels, but got 0}}
      program.call "c" onednn #program.lrn<window = 0, alpha = 1.0, beta = 0.75, k = 1.0>(%x, %y) : tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>
    }
  }
}

// -----

program.target cpu {
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    %y = program.output "y" : tensor<4xf32>
    program.run {
      // expected-error @+1 {{'program.call' op expected matrices, but got 'tensor<f32>'}}
      program.call "c" onednn #program.matmul(%x, %x, %y) : tensor<f32>, tensor<2x2xf32>, tensor<2x2xf32>
    }
  }
}

// -----

program.target cpu {
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    %y = program.output "y" : tensor<4xf32>
    program.run {
      // expected-error @+1 {{'program.call' op can't make 'tensor<2x2xf32>' of 'tensor<2x3xf32>' and 'tensor<4x2xf32>'}}
      program.call "c" onednn #program.matmul(%x, %x, %y) : tensor<2x3xf32>, tensor<4x2xf32>, tensor<2x2xf32>
    }
  }
}

// -----

program.target cpu {
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    %y = program.output "y" : tensor<4xf32>
    program.run {
      // expected-error @+1 {{'program.call' op can't make 'tensor<9x2xf32>' of 'tensor<2x3xf32>' and 'tensor<3x2xf32>'}}
      program.call "c" onednn #program.matmul(%x, %x, %y) : tensor<2x3xf32>, tensor<3x2xf32>, tensor<9x2xf32>
    }
  }
}

// -----

program.target cpu {
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    %y = program.output "y" : tensor<4xf32>
    program.run {
      // expected-error @+1 {{'program.call' op refers to @references::@none, which is not in its target}}
      program.call "s" cudnn #program.softmax(%x, %y) reference @references::@none : tensor<4x4xf32>, tensor<4x4xf32>
    }
  }
}

// -----

program.target cpu {
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    %y = program.output "y" : tensor<4xf32>
    program.run {
      // expected-error @+1 {{expected a function of a library, but got 'sin'}}
      program.call "s" onednn #program.softmax(%x, %y) {posts = [#program.post<sin>]} : tensor<4x4xf32>, tensor<4x4xf32>
    }
  }
}

// -----

program.target cpu {
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    %y = program.output "y" : tensor<4xf32>
    program.run {
      // expected-error @+1 {{expected 2 numbers, but got 1}}
      program.call "s" onednn #program.softmax(%x, %y) {posts = [#program.post<clip(0.0)>]} : tensor<4x4xf32>, tensor<4x4xf32>
    }
  }
}

// -----

// Plug-ins are told everything of each buffer.
program.target cpu {
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    %y = program.output "y" : tensor<4xf32>
    program.run {
      // expected-error @+1 {{'program.plugin' op expected flags 'lifted' and 'constant' for each of 2 buffers, but got 1 and 2}}
      program.plugin "p" "b" "r"(%x, %y) file "f" version "1" hash 1 items(1) lifted [true] constant [false, false] results 1 : tensor<4xf32>, tensor<4xf32>
    }
  }
}

// -----

program.target cpu {
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    %y = program.output "y" : tensor<4xf32>
    program.run {
      // expected-error @+1 {{'program.plugin' op can't have 3 results of 2 buffers}}
      program.plugin "p" "b" "r"(%x, %y) file "f" version "1" hash 1 items(1) lifted [true, true] constant [false, false] results 3 : tensor<4xf32>, tensor<4xf32>
    }
  }
}

// -----

program.target cpu {
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    %y = program.output "y" : tensor<4xf32>
    program.run {
      // expected-error @+1 {{'program.plugin' op expected 1 values of symbols, but got 2}}
      program.plugin "p" "b" "r"(%x, %y) file "f" version "1" hash 1 items(1) lifted [true, true] constant [false, false] results 1 symbols ["a"] values <1, 2> : tensor<4xf32>, tensor<4xf32>
    }
  }
}

// -----

// Findings are read after they are written.
program.target cpu {
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    %y = program.output "y" : tensor<4xf32>
    %f = program.findings : tensor<1x2xi64>
    program.run {
      // expected-error @+1 {{'program.check' op expected to follow the step that writes the findings}}
      program.check "g" %f shape [4] parts 1 [#program.range<axis 0, 0 to 4>]
    }
  }
}

// -----

program.target cpu {
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    %y = program.output "y" : tensor<4xf32>
    program.run {
      program.copy "c" %x to %y
      // expected-error @+1 {{'program.check' op expected findings, but got 'program.input'}}
      program.check "g" %x shape [4] parts 1 [#program.range<axis 0, 0 to 4>]
    }
  }
}

// -----

program.target cpu {
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    %y = program.output "y" : tensor<4xf32>
    %f = program.findings : tensor<1x2xi64>
    program.run {
      program.launch "k" @kernels::@k(%x, %f) extent(1)
      // expected-error @+1 {{'program.check' op expected at least one part}}
      program.check "g" %f shape [4] parts 0 [#program.range<axis 0, 0 to 4>]
    }
  }
  builtin.module @kernels {
    llvm.func @k(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
  }
}

// -----

program.target cpu {
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    %y = program.output "y" : tensor<4xf32>
    %f = program.findings : tensor<1x2xi64>
    program.run {
      program.launch "k" @kernels::@k(%x, %f) extent(1)
      // expected-error @+1 {{'program.check' op expected a range}}
      program.check "g" %f shape [4] parts 1 []
    }
  }
  builtin.module @kernels {
    llvm.func @k(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
  }
}

// -----

// Steps stand in an entry.
func.func @f(%a: !program.buffer) {
  // expected-error @+1 {{'program.copy' op expects parent op to be one of 'program.prepare, program.run'}}
  program.copy "c" %a to %a
  return
}

// -----

// Images are machine code or PTX.
program.target cuda attributes {
    // expected-error @+1 {{expected 'ptx' or 'cubin', but got 'sass'}}
    images = [#program.image<"sm_80" sass "...">]} {
}

// -----

// expected-error @+1 {{'program.target' op attribute 'images' failed to satisfy constraint: images}}
program.target cuda attributes {images = ["sm_80"]} {
}

// -----

// Constants are tensors.
program.target cpu {
  // expected-error @+1 {{'program.constant' op expected a tensor, but got 'vector<2xf32>'}}
  %c = program.constant dense<1.0> : vector<2xf32>
}

// -----

// Buffers are declared.
program.target cpu {
  program.entry @main {
    %y = program.output "y" : tensor<4xf32>
    // expected-error @+1 {{'program.run' op region should have no arguments}}
    program.run {
    ^steps(%x: !program.buffer):
      program.copy "c" %x to %y
    }
  }
}

// -----

program.target cpu {
  // expected-error @+1 {{'program.entry' op region should have no arguments}}
  program.entry @main {
  ^buffers(%x: !program.buffer):
    program.run {
    }
  }
}

// -----

program.target cpu {
  program.entry @main {
    %x = program.input "x" : tensor<4x4xf32>
    program.run {
      // expected-error @+1 {{expected one of onednn winograd cublaslt cudnn blis scatter, but got 'mkl'}}
      program.call "m" mkl #program.matmul(%x, %x, %x) : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
    }
  }
}

// -----

program.target cpu {
  %w = program.parameter "w" : tensor<4xf64>
  // expected-error @+1 {{'program.state' op has type 'tensor<4xf32>', but its source 'tensor<4xf64>'}}
  %s = program.state "s" : tensor<4xf32> from %w
}

// -----

program.target cpu {
  %w = program.constant dense<1.0> : tensor<4xf32>
  // expected-error @+1 {{'program.state' op expected a parameter as its source}}
  %s = program.state "s" : tensor<4xf32> from %w
}

// -----

program.target cpu {
  %w = program.parameter "w" : tensor<4xf32>
  // expected-error @+1 {{'program.state' op expected an initial value or a source, but got both}}
  %s = program.state "s" : tensor<4xf32> = dense<1.0> : tensor<4xf32> from %w
}
