// RUN: tenon-opt %s | tenon-opt | FileCheck %s
// RUN: tenon-opt --emit-bytecode %s | tenon-opt | FileCheck %s

// CHECK: graph.state @position : tensor<1xi64>{{$}}
graph.state @position : tensor<1xi64>
// CHECK: graph.state @scale : tensor<2xf32> = dense<[1.000000e+00, 2.000000e+00]>{{$}}
graph.state @scale : tensor<2xf32> = dense<[1.0, 2.0]>
// CHECK: graph.state @h.0.key : tensor<f16> = dense<0.000000e+00> {note = "n"}
graph.state @h.0.key : tensor<f16> = dense<0.0> {note = "n"}
// CHECK: graph.state @seen : tensor<3xi1> = dense<[true, false, true]>
graph.state @seen : tensor<3xi1> = dense<[true, false, true]>
// CHECK: graph.state @none : tensor<0x2xui8> = dense<>
graph.state @none : tensor<0x2xui8> = dense<>

// CHECK: graph.state @trained : tensor<2xf32> = @fc.weight{{$}}
graph.state @trained : tensor<2xf32> = @fc.weight
// CHECK: graph.state @odd : tensor<2xf32> = @"fc weight" {note = "n"}
graph.state @odd : tensor<2xf32> = @"fc weight" {note = "n"}

// CHECK-LABEL: func.func @step
func.func @step() -> tensor<1xi64> {
  // CHECK: %[[P:.*]] = graph.read_state @position : tensor<1xi64>
  %0 = graph.read_state @position : tensor<1xi64>
  // CHECK: %[[SUM:.*]] = graph.add %[[P]], %[[P]]
  %1 = graph.add %0, %0 : tensor<1xi64>
  // CHECK: graph.write_state @position, %[[SUM]] : tensor<1xi64>
  graph.write_state @position, %1 : tensor<1xi64>
  return %1 : tensor<1xi64>
}

// The form with states as arguments and results.
// CHECK-LABEL: func.func @taken
// CHECK-SAME: %{{.*}}: tensor<2xf32> {graph.name = "x"}, %{{.*}}: tensor<2xf32> {graph.state = @scale}
// CHECK-SAME: -> (tensor<2xf32> {graph.name = "y"}, tensor<2xf32> {graph.state = @scale})
func.func @taken(%x: tensor<2xf32> {graph.name = "x"},
                 %scale: tensor<2xf32> {graph.state = @scale})
    -> (tensor<2xf32> {graph.name = "y"},
        tensor<2xf32> {graph.state = @scale}) {
  return %scale, %x : tensor<2xf32>, tensor<2xf32>
}
