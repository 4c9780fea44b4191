// What abi2.so was compiled from, by the last commit whose artifacts have the
// ABI version 2 (CHANGELOG.md tells when it was raised):
//   tenon-compile abi2.mlir -o abi2.so && strip abi2.so

func.func @main(%x: tensor<?x4xf32, #graph.dims<n, 4>> {graph.name = "x"})
    -> (tensor<?x4xf32, #graph.dims<n, 4>> {graph.name = "y"}) {
  %0 = graph.relu %x : tensor<?x4xf32, #graph.dims<n, 4>>
  %1 = graph.exp %0 : tensor<?x4xf32, #graph.dims<n, 4>>
  return %1 : tensor<?x4xf32, #graph.dims<n, 4>>
}
