!x = tensor<?x4x16xf32, #graph.dims<n, 4, 16>>
!q = tensor<?x4x5xf32, #graph.dims<n, 4, 5>>
!k = tensor<?x4x6xf32, #graph.dims<n, 4, 6>>
!v = tensor<?x4x7xf32, #graph.dims<n, 4, 7>>
func.func @main(%x: !x {graph.name = "x"}) -> (!q {graph.name = "q"}, !k {graph.name = "k"}, !v {graph.name = "v"}) {
  %wq = graph.parameter @q : tensor<16x5xf32>
  %0 = graph.matmul %x, %wq : (!x, tensor<16x5xf32>) -> !q
  %wk = graph.parameter @k : tensor<16x6xf32>
  %1 = graph.matmul %x, %wk : (!x, tensor<16x6xf32>) -> !k
  %wv = graph.parameter @v : tensor<16x7xf32>
  %2 = graph.matmul %x, %wv : (!x, tensor<16x7xf32>) -> !v
  return %0, %1, %2 : !q, !k, !v
}
