// Stages without a mini-batch: tensors pass as a whole, also a scalar, an empty tensor, and one within
// a rank. Rank 1 reads the results of rank 0 in another order than they are made.
module {
  pipe.program @main(%x: tensor<?x6xf32, #graph.dims<n, 6>>) -> (tensor<?x6xf32, #graph.dims<n, 6>>, tensor<?x6xf32, #graph.dims<n, 6>>, tensor<f32>)
      inputs ["x"] outputs ["sum", "twice", "mean"] ranks 3 {
    %0 = pipe.stage @twice on 0 (%a = %x : tensor<?x6xf32, #graph.dims<n, 6>>) -> tensor<?x6xf32, #graph.dims<n, 6>> {
      %1 = graph.add %a, %a : tensor<?x6xf32, #graph.dims<n, 6>>
      pipe.yield %1 : tensor<?x6xf32, #graph.dims<n, 6>>
    }
    %1:2 = pipe.stage @parts on 0 (%a = %0 : tensor<?x6xf32, #graph.dims<n, 6>>, %b = %x : tensor<?x6xf32, #graph.dims<n, 6>>) -> (tensor<f32>, tensor<0x6xf32>) {
      %2 = graph.sub %a, %b : tensor<?x6xf32, #graph.dims<n, 6>>
      %3 = graph.reduce_mean %2 axes = [0, 1] : (tensor<?x6xf32, #graph.dims<n, 6>>) -> tensor<f32>
      %4 = graph.slice %b starts = [0, 0] sizes = [0, 6] steps = [1, 1] : (tensor<?x6xf32, #graph.dims<n, 6>>) -> tensor<0x6xf32>
      pipe.yield %3, %4 : tensor<f32>, tensor<0x6xf32>
    }
    %2 = pipe.stage @late on 1 (%a = %1#0 : tensor<f32>, %b = %1#1 : tensor<0x6xf32>) -> tensor<6xf32> {
      %3 = graph.broadcast %a shape = [6] : (tensor<f32>) -> tensor<6xf32>
      %4 = graph.reduce_sum %b axes = [0] : (tensor<0x6xf32>) -> tensor<6xf32>
      %5 = graph.add %3, %4 : tensor<6xf32>
      pipe.yield %5 : tensor<6xf32>
    }
    %3 = pipe.stage @early on 1 (%a = %0 : tensor<?x6xf32, #graph.dims<n, 6>>) -> tensor<?x6xf32, #graph.dims<n, 6>> {
      %4 = graph.neg %a : tensor<?x6xf32, #graph.dims<n, 6>>
      pipe.yield %4 : tensor<?x6xf32, #graph.dims<n, 6>>
    }
    %4 = pipe.stage @join on 2 (%a = %2 : tensor<6xf32>, %b = %3 : tensor<?x6xf32, #graph.dims<n, 6>>, %c = %1#0 : tensor<f32>) -> tensor<?x6xf32, #graph.dims<n, 6>> {
      %w = graph.parameter @w : tensor<6xf32>
      %5 = graph.mul %a, %w : tensor<6xf32>
      %6 = graph.broadcast %5 shape = [n, 6] : (tensor<6xf32>) -> tensor<?x6xf32, #graph.dims<n, 6>>
      %7 = graph.add %6, %b : tensor<?x6xf32, #graph.dims<n, 6>>
      %8 = graph.broadcast %c shape = [n, 6] : (tensor<f32>) -> tensor<?x6xf32, #graph.dims<n, 6>>
      %9 = graph.mul %7, %8 : tensor<?x6xf32, #graph.dims<n, 6>>
      pipe.yield %9 : tensor<?x6xf32, #graph.dims<n, 6>>
    }
    pipe.yield %4, %0, %1#0 : tensor<?x6xf32, #graph.dims<n, 6>>, tensor<?x6xf32, #graph.dims<n, 6>>, tensor<f32>
  }
}
