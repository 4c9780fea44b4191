// 64 MiB on each of two ranks, added up.
func.func @main(%x: tensor<16777216xf32> {graph.name = "x"}) -> (tensor<16777216xf32> {graph.name = "y"})
    attributes {pipe.mesh = #pipe.mesh<"data" = 2>} {
  %0 = graph.all_reduce %x over ["data"] : tensor<16777216xf32>
  return %0 : tensor<16777216xf32>
}
