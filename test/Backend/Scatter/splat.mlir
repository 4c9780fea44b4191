// Scatters onto a large constant of one value read one element in its place:
// against the interpreter, and neither the artifact nor the loaded model has
// the constant.
// RUN: tenon-compile %s --optimize=off --place=all:scatter -o %t.so
// RUN: tenon-compare %t.so %s --input i=random:1:200x90:int\(-300,300\) --input u=random:2:200x90 --input j=random:3:40x1:int\(0,300\) --input v=random:4:40x90
// RUN: tenon-compare %t.so %s --input i=random:1:0x90:int\(-300,300\) --input u=random:2:0x90 --input j=random:3:0x1:int\(0,300\) --input v=random:4:0x90
// RUN: tenon-run %t.so --plan-memory --input i=random:1:200x90:int\(-300,300\) --input u=random:2:200x90 --input j=random:3:40x1:int\(0,300\) --input v=random:4:40x90 > %t.txt
// RUN: FileCheck %s < %t.txt
// CHECK-NOT: {{[2-9][0-9][0-9][0-9][0-9][0-9]}} {{ *}}data derived from weights

func.func @main(%i: tensor<?x90xi64, #graph.dims<a, 90>> {graph.name = "i"}, %u: tensor<?x90xf32, #graph.dims<a, 90>> {graph.name = "u"},
    %j: tensor<?x1xi64, #graph.dims<b, 1>> {graph.name = "j"}, %v: tensor<?x90xf64, #graph.dims<b, 90>> {graph.name = "v"})
    -> (tensor<300x90xf32>, tensor<300x90xf64>) {
  %x = graph.constant dense<2.5> : tensor<300x90xf32>
  %y = graph.constant dense<-1.0> : tensor<300x90xf64>
  %0 = graph.scatter_elements %x, %i, %u axis = 0 add : (tensor<300x90xf32>, tensor<?x90xi64, #graph.dims<a, 90>>, tensor<?x90xf32, #graph.dims<a, 90>>) -> tensor<300x90xf32>
  %1 = graph.scatter_nd %y, %j, %v add : (tensor<300x90xf64>, tensor<?x1xi64, #graph.dims<b, 1>>, tensor<?x90xf64, #graph.dims<b, 90>>) -> tensor<300x90xf64>
  return %0, %1 : tensor<300x90xf32>, tensor<300x90xf64>
}
