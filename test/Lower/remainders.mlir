// A remainder has the sign of its divisor, even if their product is too small
// to have one.
// REQUIRES: avx2

// DEFINE: %{inputs} = --input random:1:uniform\(-1e-30,1e-30\) --input random:2:uniform\(1e-20,2e-20\)
// RUN: tenon-interpret %s %{inputs} --output y=@%t.npy --output z=@%t.z.npy
// RUN: tenon-compile %s -o %t.so
// RUN: tenon-run %t.so %{inputs} --expect y=@%t.npy --expect z=@%t.z.npy

func.func @main(%x: tensor<19xf32>, %d: tensor<19xf32>) ->
    (tensor<19xf32> {graph.name = "y"}, tensor<19xf32> {graph.name = "z"}) {
  %0 = graph.mod %x, %d : tensor<19xf32>
  %y = graph.div %0, %d : tensor<19xf32>
  %e = graph.neg %d : tensor<19xf32>
  %1 = graph.mod %x, %e : tensor<19xf32>
  %z = graph.div %1, %d : tensor<19xf32>
  return %y, %z : tensor<19xf32>, tensor<19xf32>
}
