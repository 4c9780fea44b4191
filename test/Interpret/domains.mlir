// What the domains round, and what they don't.
// RUN: tenon-interpret %s | FileCheck %s --check-prefix=F64
// RUN: tenon-interpret %s --domain=f32 | FileCheck %s --check-prefix=F32
// RUN: tenon-interpret %s --domain=field:1 | FileCheck %s --check-prefix=FIELD

func.func @main() -> (tensor<1xf32> {graph.name = "small"}, tensor<1xf16> {graph.name = "half"},
                      tensor<1xf32> {graph.name = "third"}) {
  // 2^-30 is lost beside 1 in single precision.
  %one = graph.constant dense<1.0> : tensor<1xf32>
  %tiny = graph.constant dense<9.3132257461547852e-10> : tensor<1xf32>
  %0 = graph.add %one, %tiny : tensor<1xf32>
  %1 = graph.sub %0, %one : tensor<1xf32>
  // 2049 is no half-precision number.
  %a = graph.constant dense<2048.0> : tensor<1xf16>
  %b = graph.constant dense<1.0> : tensor<1xf16>
  %2 = graph.add %a, %b : tensor<1xf16>
  %3 = graph.sub %2, %a : tensor<1xf16>
  %c = graph.constant dense<3.0> : tensor<1xf32>
  %4 = graph.div %one, %c : tensor<1xf32>
  %5 = graph.mul %4, %c : tensor<1xf32>
  return %1, %3, %5 : tensor<1xf32>, tensor<1xf16>, tensor<1xf32>
}

// F64: small = f32 1 [9.31322575e-10]
// F64: half = f16 1 [1]
// F32: small = f32 1 [0]
// F32: half = f16 1 [0]
// In the field, 2^-30 is the inverse of 2^30: 2^31, because 2^61 = 1.
// FIELD: small = i64 1 [2147483648]
// FIELD: half = i64 1 [1]
// FIELD: third = i64 1 [1]
