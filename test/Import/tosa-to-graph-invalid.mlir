// RUN: tenon-opt %s --tosa-to-graph --split-input-file --verify-diagnostics

// All that is refused is reported in one run.
func.func @quantized(%x: tensor<4xi8>, %t: tensor<256xi8>, %y: tensor<4xf32>) -> (tensor<4xi8>, tensor<4xi8>, tensor<4xf32>) {
  %one = "tosa.const"() <{values = dense<1> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-error @+1 {{'tosa.negate' is not supported: quantized: a zero point is not the constant 0}}
  %0 = tosa.negate %x, %one, %one : (tensor<4xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4xi8>
  // expected-error @+1 {{'tosa.table' is not supported: quantized}}
  %1 = tosa.table %x, %t : (tensor<4xi8>, tensor<256xi8>) -> tensor<4xi8>
  // expected-error @+1 {{'tosa.maximum' is not supported: nan_mode IGNORE}}
  %2 = tosa.maximum %y, %y {nan_mode = IGNORE} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xi8>, tensor<4xi8>, tensor<4xf32>
}

// -----

func.func @clz(%x: tensor<4xi32>) -> tensor<4xi32> {
  // expected-error @+1 {{'tosa.clz' is not supported: it has no counterpart in the graph dialect}}
  %0 = tosa.clz %x : (tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

// expected-error @+1 {{argument 0 has type 'tensor<*xf32>'; expected a ranked tensor}}
func.func @unranked(%x: tensor<*xf32>) -> tensor<*xf32> {
  %0 = tosa.exp %x : (tensor<*xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}
