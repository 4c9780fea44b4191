// The same bytes from other folders and other numbers of threads.
// RUN: rm -rf %t && mkdir -p %t/a %t/b
// RUN: tenon-compile %s -o %t/a/m.so --threads=1
// RUN: cd %t/b && tenon-compile %s -o m.so
// RUN: cmp %t/a/m.so %t/b/m.so
// RUN: cmp %t/a/m.h %t/b/m.h

// Nothing but the C ABI is exported, and nothing else is written.
// RUN: %llvm_tools/llvm-nm -D --defined-only %t/a/m.so \
// RUN:   | FileCheck %s --check-prefix=EXPORTS
// RUN: ls %t/a | FileCheck %s --check-prefix=FILES

// EXPORTS-COUNT-28: T tenon_{{[a-z_]+}}
// EXPORTS-NOT: {{.}}
// FILES: {{^}}m.h
// FILES-NEXT: {{^}}m.so
// FILES-NOT: {{.}}

// RUN: FileCheck %s --check-prefix=HEADER < %t/a/m.h
// HEADER: Written by tenon-compile {{.*}} for cpu:x86-64-v3 and cpu:x86-64-v4. The model's inputs:
// HEADER-NEXT: 0: x: f32 [n, 4]
// HEADER-NEXT: outputs:
// HEADER-NEXT: 0: y: f32 [n, 4]
// HEADER-NEXT: Sizes that a caller chooses: n
// HEADER: int32_t tenon_run(

// An object file holds the tables, which a runtime can be linked to.
// RUN: tenon-compile %s -o %t/m.o --emit=obj
// RUN: %llvm_tools/llvm-nm %t/m.o | FileCheck %s --check-prefix=OBJECT
// Only the functions are seen from outside.
// OBJECT: t k0
// OBJECT: T tenon_abi_version
// OBJECT: U tenon_runtime_run

// Another target gives another library.
// RUN: tenon-compile %s -o %t/b/m.so --target=cpu:x86-64-v4
// RUN: not cmp %t/a/m.so %t/b/m.so

func.func @main(%x: tensor<?x4xf32, #graph.dims<n, 4>> {graph.name = "x"})
    -> (tensor<?x4xf32, #graph.dims<n, 4>> {graph.name = "y"}) {
  %0 = graph.relu %x : tensor<?x4xf32, #graph.dims<n, 4>>
  %1 = graph.exp %0 : tensor<?x4xf32, #graph.dims<n, 4>>
  return %1 : tensor<?x4xf32, #graph.dims<n, 4>>
}
