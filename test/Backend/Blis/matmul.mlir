// Matmuls of f64 against the interpreter: batches that are broadcast, both
// transposed flags, transposes of operands, more rows and columns than one block,
// vectors, and sizes of 0.
// RUN: tenon-compile %s --optimize=off --place=all:blis -o %t.so
// RUN: tenon-compile %s --optimize=off --stop-after=place --place=all:blis | FileCheck %s
// RUN: tenon-compile %s --optimize=off --stop-after=place --without=blis | FileCheck %s --check-prefix=WITHOUT
// RUN: tenon-compile %s --optimize=off --stop-after=place --fp=strict | FileCheck %s --check-prefix=WITHOUT
// WITHOUT-NOT: blis

// DEFINE: %{sizes} = 3x5x7
// DEFINE: %{compare} = tenon-interpret %s --params random:1 --input x=random:1:%{sizes} --output a=@%t.a.npy --output b=@%t.b.npy --output c=@%t.c.npy --output d=@%t.d.npy --output e=@%t.e.npy && env OMP_NUM_THREADS=2 tenon-run %t.so --params random:1 --input x=random:1:%{sizes} --expect a=@%t.a.npy --expect b=@%t.b.npy --expect c=@%t.c.npy --expect d=@%t.d.npy --expect e=@%t.e.npy --rtol 1e-12 --trace=%t.json
// RUN: %{compare}
// RUN: grep -q '"blis"' %t.json
// REDEFINE: %{sizes} = 1x300x200
// RUN: %{compare}
// REDEFINE: %{sizes} = 2x193x1
// RUN: %{compare}
// REDEFINE: %{sizes} = 2x1x385
// RUN: %{compare}
// REDEFINE: %{sizes} = 0x4x3
// RUN: %{compare}
// A sum over nothing is 0.
// REDEFINE: %{sizes} = 2x3x0
// RUN: %{compare}

// One and four threads write the same bytes.
// RUN: tenon-run %t.so --params random:1 --input x=random:1:2x500x300 --threads 1 --output a=@%t.one.npy --output d=@%t.one2.npy
// RUN: tenon-run %t.so --params random:1 --input x=random:1:2x500x300 --threads 4 --output a=@%t.four.npy --output d=@%t.four2.npy
// RUN: cmp %t.one.npy %t.four.npy && cmp %t.one2.npy %t.four2.npy

// A library of that name which is not BLIS.
// RUN: rm -rf %t.dir && mkdir %t.dir && cp %t.so %t.dir/libblis.so.4
// RUN: not env LD_LIBRARY_PATH=%t.dir tenon-run %t.so --params random:1 --input x=random:1:1x1x1 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: {{.*}}step '{{.*}}': cannot use libblis.so.4: expected bli_dgemm with sizes of 64 bits

!x = tensor<?x?x?xf64, #graph.dims<b, m, k>>
!xt = tensor<?x?x?xf64, #graph.dims<b, k, m>>
!p = tensor<?x?x?xf64, #graph.dims<b, m, m>>
!q = tensor<?x?x?xf64, #graph.dims<b, k, k>>

func.func @main(%x: !x {graph.name = "x"})
    -> (!p {graph.name = "a"}, !q {graph.name = "b"}, tensor<2x?x?x?xf64, #graph.dims<2, b, k, m>> {graph.name = "c"}, tensor<?x33xf64, #graph.dims<b * m, 33>> {graph.name = "d"}, tensor<?x?x?xf64, #graph.dims<m, b, b>> {graph.name = "e"}) {
  // CHECK: kernel.call "blis" "matmul"
  %a = graph.matmul %x, %x transpose_b : (!x, !x) -> !p
  // CHECK: kernel.call "blis" "matmul"
  %b = graph.matmul %x, %x transpose_a : (!x, !x) -> !q
  // A batch of one for all, of a weight.
  // CHECK: kernel.call "blis" "matmul"
  %w = graph.parameter @w : tensor<2x1x1x1xf64>
  %ws = graph.broadcast %w shape = [2, 1, k, k] : (tensor<2x1x1x1xf64>) -> tensor<2x1x?x?xf64, #graph.dims<2, 1, k, k>>
  %xt = graph.transpose %x perm = [0, 2, 1] : (!x) -> !xt
  %c = graph.matmul %ws, %xt : (tensor<2x1x?x?xf64, #graph.dims<2, 1, k, k>>, !xt) -> tensor<2x?x?x?xf64, #graph.dims<2, b, k, m>>
  // CHECK: kernel.call "blis" "matmul"
  %rows = graph.reshape %x shape = [b * m, k] : (!x) -> tensor<?x?xf64, #graph.dims<b * m, k>>
  %v = graph.parameter @v : tensor<1x33xf64>
  %vs = graph.broadcast %v shape = [k, 33] : (tensor<1x33xf64>) -> tensor<?x33xf64, #graph.dims<k, 33>>
  %d = graph.matmul %rows, %vs : (tensor<?x?xf64, #graph.dims<b * m, k>>, tensor<?x33xf64, #graph.dims<k, 33>>) -> tensor<?x33xf64, #graph.dims<b * m, 33>>
  // Both operands through transposes, with rows that have gaps.
  // CHECK: kernel.call "blis" "transpose+transpose+matmul"
  %left = graph.transpose %x perm = [1, 0, 2] : (!x) -> tensor<?x?x?xf64, #graph.dims<m, b, k>>
  %right = graph.transpose %x perm = [1, 2, 0] : (!x) -> tensor<?x?x?xf64, #graph.dims<m, k, b>>
  %e = graph.matmul %left, %right : (tensor<?x?x?xf64, #graph.dims<m, b, k>>, tensor<?x?x?xf64, #graph.dims<m, k, b>>) -> tensor<?x?x?xf64, #graph.dims<m, b, b>>
  return %a, %b, %c, %d, %e : !p, !q, tensor<2x?x?x?xf64, #graph.dims<2, b, k, m>>, tensor<?x33xf64, #graph.dims<b * m, 33>>, tensor<?x?x?xf64, #graph.dims<m, b, b>>
}
