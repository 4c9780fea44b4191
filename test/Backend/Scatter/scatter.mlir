// Scatters that add, against the interpreter: equal and negative indices, axes
// that are shorter in the updates, slices, several indexed axes, f64, and sizes
// of 0.
// RUN: tenon-compile %s --optimize=off --place=all:scatter -o %t.so
// RUN: tenon-compile %s --optimize=off --stop-after=place --place=all:scatter | FileCheck %s
// The sums are those of the index form: strict code uses the library, too.
// RUN: tenon-compile %s --optimize=off --stop-after=place --fp=strict --place=all:scatter | FileCheck %s
// RUN: tenon-compile %s --optimize=off --stop-after=place --without=scatter | FileCheck %s --check-prefix=WITHOUT
// WITHOUT-NOT: "scatter"

// DEFINE: %{inputs} = --input n=random:1:3x4x5 --input i=random:2:2x6x5:int(-4,4) --input u=random:3:2x6x5 --input r=random:4:7x3 --input j=random:5:9:int(-7,7) --input v=random:6:9x3 --input k=random:7:9x2:int(0,3) --input w=random:8:9 --input x=random:9:4x400 --input z=random:10:50:int(0,4) --input y=random:11:50x400
// RUN: tenon-interpret %s %{inputs} --output a=@%t.a.npy --output b=@%t.b.npy --output c=@%t.c.npy --output d=@%t.d.npy
// RUN: tenon-run %t.so %{inputs} --threads 2 --expect a=@%t.a.npy --expect b=@%t.b.npy --expect c=@%t.c.npy --expect d=@%t.d.npy --rtol 1e-6 --trace=%t.json
// RUN: grep -q '"scatter"' %t.json
// One and three threads write the same bytes.
// RUN: tenon-run %t.so %{inputs} --threads 1 --output a=@%t.1a.npy --output d=@%t.1d.npy
// RUN: tenon-run %t.so %{inputs} --threads 3 --output a=@%t.3a.npy --output d=@%t.3d.npy
// RUN: cmp %t.1a.npy %t.3a.npy && cmp %t.1d.npy %t.3d.npy
// Nothing to add, and nothing to add to.
// REDEFINE: %{inputs} = --input n=random:1:3x4x0 --input i=random:2:2x0x0:int(-4,4) --input u=random:3:2x0x0 --input r=random:4:7x3 --input j=random:5:0:int(-7,7) --input v=random:6:0x3 --input k=random:7:0x2:int(0,3) --input w=random:8:0 --input x=random:9:4x0 --input z=random:10:50:int(0,4) --input y=random:11:50x0
// RUN: tenon-interpret %s %{inputs} --output b=@%t.b.npy --output c=@%t.c.npy
// RUN: tenon-run %t.so %{inputs} --expect b=@%t.b.npy --expect c=@%t.c.npy
// An index out of range is an error, as in generated code.
// RUN: not tenon-run %t.so --input n=random:1:3x4x5 --input i=random:2:2x6x5:int(4,5) --input u=random:3:2x6x5 --input r=random:4:7x3 --input j=random:5:9:int(-7,7) --input v=random:6:9x3 --input k=random:7:9x2:int(0,3) --input w=random:8:9 --input x=random:9:4x400 --input z=random:10:50:int(0,4) --input y=random:11:50x400 2>&1 | FileCheck %s --check-prefix=RANGE
// RANGE: error: scatter_elements at scatter.mlir:{{.*}}: expected indices from -4 to 3 for axis 1, but got 4 at [0, 0, 0] of input 'i'

// CHECK-COUNT-4: kernel.call "scatter"
func.func @main(%n: tensor<?x4x?xf32, #graph.dims<a, 4, b>> {graph.name = "n"},
    %i: tensor<?x?x?xi64, #graph.dims<c, d, b>> {graph.name = "i"},
    %u: tensor<?x?x?xf32, #graph.dims<c, d, b>> {graph.name = "u"},
    %r: tensor<7x3xf64> {graph.name = "r"}, %j: tensor<?xi32, #graph.dims<e>> {graph.name = "j"},
    %v: tensor<?x3xf64, #graph.dims<e, 3>> {graph.name = "v"},
    %k: tensor<?x2xi64, #graph.dims<e, 2>> {graph.name = "k"},
    %w: tensor<?xf64, #graph.dims<e>> {graph.name = "w"},
    %x: tensor<4x?xf32, #graph.dims<4, f>> {graph.name = "x"}, %z: tensor<50xi32> {graph.name = "z"},
    %y: tensor<50x?xf32, #graph.dims<50, f>> {graph.name = "y"})
    -> (tensor<?x4x?xf32, #graph.dims<a, 4, b>> {graph.name = "a"}, tensor<7x3xf64> {graph.name = "b"},
        tensor<7x3xf64> {graph.name = "c"}, tensor<4x?xf32, #graph.dims<4, f>> {graph.name = "d"}) {
  %0 = graph.scatter_elements %n, %i, %u axis = 1 add : (tensor<?x4x?xf32, #graph.dims<a, 4, b>>, tensor<?x?x?xi64, #graph.dims<c, d, b>>, tensor<?x?x?xf32, #graph.dims<c, d, b>>) -> tensor<?x4x?xf32, #graph.dims<a, 4, b>>
  %jr = graph.reshape %j shape = [e, 1] : (tensor<?xi32, #graph.dims<e>>) -> tensor<?x1xi32, #graph.dims<e, 1>>
  %1 = graph.scatter_nd %r, %jr, %v add : (tensor<7x3xf64>, tensor<?x1xi32, #graph.dims<e, 1>>, tensor<?x3xf64, #graph.dims<e, 3>>) -> tensor<7x3xf64>
  %2 = graph.scatter_nd %r, %k, %w add : (tensor<7x3xf64>, tensor<?x2xi64, #graph.dims<e, 2>>, tensor<?xf64, #graph.dims<e>>) -> tensor<7x3xf64>
  %zr = graph.reshape %z shape = [50, 1] : (tensor<50xi32>) -> tensor<50x1xi32>
  %3 = graph.scatter_nd %x, %zr, %y add : (tensor<4x?xf32, #graph.dims<4, f>>, tensor<50x1xi32>, tensor<50x?xf32, #graph.dims<50, f>>) -> tensor<4x?xf32, #graph.dims<4, f>>
  return %0, %1, %2, %3 : tensor<?x4x?xf32, #graph.dims<a, 4, b>>, tensor<7x3xf64>, tensor<7x3xf64>, tensor<4x?xf32, #graph.dims<4, f>>
}
