// Sizes of the inputs bind the dimension symbols.
// RUN: tenon-interpret %s --input random:1:2x3:int(5,6) --input random:1:6:int(1,2) | FileCheck %s
// RUN: not tenon-interpret %s --input random:1:2x3 --input random:1:5 2>&1 | FileCheck %s --check-prefix=CONFLICT
// RUN: not tenon-interpret %s --input random:1:2x4 --input random:1:6 2>&1 | FileCheck %s --check-prefix=STATIC
// RUN: not tenon-interpret %s --input random:1:2 --input random:1:6 2>&1 | FileCheck %s --check-prefix=RANK

func.func @main(%x: tensor<?x3xi32, #graph.dims<n, 3>> {graph.name = "x"},
                %y: tensor<?xi32, #graph.dims<3 * n>> {graph.name = "y"})
    -> (tensor<?xi32, #graph.dims<3 * n>> {graph.name = "sum"}) {
  %0 = graph.reshape %x shape = [3 * n] : (tensor<?x3xi32, #graph.dims<n, 3>>) -> tensor<?xi32, #graph.dims<3 * n>>
  %1 = graph.add %0, %y : tensor<?xi32, #graph.dims<3 * n>>
  return %1 : tensor<?xi32, #graph.dims<3 * n>>
}

// CHECK: sum = i32 6 [6, 6, 6, 6, 6, 6]
// CONFLICT: error: axis 0 of input 'y': expected size 3 * n = 6, but got 5
// STATIC: error: axis 1 of input 'x': expected size 3, but got 4
// RANK: error: input 'x': expected {{.*}}2
