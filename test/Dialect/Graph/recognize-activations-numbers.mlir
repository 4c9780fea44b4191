// RUN: tenon-opt %s --graph-recognize-activations --canonicalize | FileCheck %s
// RUN: tenon-opt %s --graph-recognize-activations=reassociate=false --canonicalize | FileCheck %s --check-prefix=STRICT

// A number stands for a constant of an activation only if both round to the
// same element of the type. For each type, the first function has such numbers;
// in the second one, each activation has a number that is the next element.

// CHECK-LABEL: func.func @same_f32
// CHECK-COUNT-2: graph.gelu %{{[a-z0-9]+}} :
// CHECK: graph.gelu %{{[a-z0-9]+}} tanh
// CHECK-COUNT-4: graph.hard_swish
// CHECK-NEXT: return
// STRICT-LABEL: func.func @same_f32
// STRICT-NOT: graph.{{gelu|hard_swish}}
func.func @same_f32(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %c0 = graph.constant dense<1.41421354> : tensor<4xf32>
  %c1 = graph.constant dense<1.0> : tensor<4xf32>
  %c2 = graph.constant dense<0.5> : tensor<4xf32>
  %c3 = graph.constant dense<0.707106769> : tensor<4xf32>
  %c4 = graph.constant dense<0.0447149985> : tensor<4xf32>
  %c5 = graph.constant dense<0.797884583> : tensor<4xf32>
  %c6 = graph.constant dense<3.0> : tensor<4xf32>
  %c7 = graph.constant dense<6.0> : tensor<4xf32>
  %c8 = graph.constant dense<0.166666672> : tensor<4xf32>
  %0 = graph.div %x, %c0 : tensor<4xf32>
  %1 = graph.erf %0 : tensor<4xf32>
  %2 = graph.add %1, %c1 : tensor<4xf32>
  %3 = graph.mul %x, %c2 : tensor<4xf32>
  %4 = graph.mul %3, %2 : tensor<4xf32>
  %5 = graph.mul %x, %c3 : tensor<4xf32>
  %6 = graph.erf %5 : tensor<4xf32>
  %7 = graph.add %6, %c1 : tensor<4xf32>
  %8 = graph.mul %x, %c2 : tensor<4xf32>
  %9 = graph.mul %8, %7 : tensor<4xf32>
  %10 = graph.mul %x, %x : tensor<4xf32>
  %11 = graph.mul %10, %x : tensor<4xf32>
  %12 = graph.mul %11, %c4 : tensor<4xf32>
  %13 = graph.add %x, %12 : tensor<4xf32>
  %14 = graph.mul %13, %c5 : tensor<4xf32>
  %15 = graph.tanh %14 : tensor<4xf32>
  %16 = graph.add %15, %c1 : tensor<4xf32>
  %17 = graph.mul %x, %16 : tensor<4xf32>
  %18 = graph.mul %17, %c2 : tensor<4xf32>
  %19 = graph.add %x, %c6 : tensor<4xf32>
  %20 = graph.clip %19 low = 0.0, high = 6.0 : tensor<4xf32>
  %21 = graph.mul %x, %20 : tensor<4xf32>
  %22 = graph.div %21, %c7 : tensor<4xf32>
  %23 = graph.add %x, %c6 : tensor<4xf32>
  %24 = graph.clip %23 low = 0.0, high = 6.0 : tensor<4xf32>
  %25 = graph.mul %x, %24 : tensor<4xf32>
  %26 = graph.mul %25, %c8 : tensor<4xf32>
  %27 = graph.add %x, %c6 : tensor<4xf32>
  %28 = graph.clip %27 low = 0.0, high = 6.0 : tensor<4xf32>
  %29 = graph.div %28, %c7 : tensor<4xf32>
  %30 = graph.mul %29, %x : tensor<4xf32>
  %31 = graph.hard_sigmoid %x alpha = 0.166666672, beta = 0.5 : tensor<4xf32>
  %32 = graph.mul %x, %31 : tensor<4xf32>
  return %4, %9, %18, %22, %26, %30, %32 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @next_f32
// CHECK-NOT: graph.{{gelu|hard_swish}}
// CHECK: return
func.func @next_f32(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %c0 = graph.constant dense<1.41421366> : tensor<4xf32>
  %c1 = graph.constant dense<1.0> : tensor<4xf32>
  %c2 = graph.constant dense<0.5> : tensor<4xf32>
  %c3 = graph.constant dense<0.707106828> : tensor<4xf32>
  %c4 = graph.constant dense<1.41421354> : tensor<4xf32>
  %c5 = graph.constant dense<0.50000006> : tensor<4xf32>
  %c6 = graph.constant dense<0.0447150022> : tensor<4xf32>
  %c7 = graph.constant dense<0.797884583> : tensor<4xf32>
  %c8 = graph.constant dense<0.0447149985> : tensor<4xf32>
  %c9 = graph.constant dense<0.797884643> : tensor<4xf32>
  %c10 = graph.constant dense<3.0> : tensor<4xf32>
  %c11 = graph.constant dense<6.0000005> : tensor<4xf32>
  %c12 = graph.constant dense<0.166666657> : tensor<4xf32>
  %c13 = graph.constant dense<6.0> : tensor<4xf32>
  %c14 = graph.constant dense<3.0000002> : tensor<4xf32>
  %0 = graph.div %x, %c0 : tensor<4xf32>
  %1 = graph.erf %0 : tensor<4xf32>
  %2 = graph.add %1, %c1 : tensor<4xf32>
  %3 = graph.mul %x, %c2 : tensor<4xf32>
  %4 = graph.mul %3, %2 : tensor<4xf32>
  %5 = graph.mul %x, %c3 : tensor<4xf32>
  %6 = graph.erf %5 : tensor<4xf32>
  %7 = graph.add %6, %c1 : tensor<4xf32>
  %8 = graph.mul %x, %c2 : tensor<4xf32>
  %9 = graph.mul %8, %7 : tensor<4xf32>
  %10 = graph.div %x, %c4 : tensor<4xf32>
  %11 = graph.erf %10 : tensor<4xf32>
  %12 = graph.add %11, %c1 : tensor<4xf32>
  %13 = graph.mul %x, %c5 : tensor<4xf32>
  %14 = graph.mul %13, %12 : tensor<4xf32>
  %15 = graph.mul %x, %x : tensor<4xf32>
  %16 = graph.mul %15, %x : tensor<4xf32>
  %17 = graph.mul %16, %c6 : tensor<4xf32>
  %18 = graph.add %x, %17 : tensor<4xf32>
  %19 = graph.mul %18, %c7 : tensor<4xf32>
  %20 = graph.tanh %19 : tensor<4xf32>
  %21 = graph.add %20, %c1 : tensor<4xf32>
  %22 = graph.mul %x, %21 : tensor<4xf32>
  %23 = graph.mul %22, %c2 : tensor<4xf32>
  %24 = graph.mul %x, %x : tensor<4xf32>
  %25 = graph.mul %24, %x : tensor<4xf32>
  %26 = graph.mul %25, %c8 : tensor<4xf32>
  %27 = graph.add %x, %26 : tensor<4xf32>
  %28 = graph.mul %27, %c9 : tensor<4xf32>
  %29 = graph.tanh %28 : tensor<4xf32>
  %30 = graph.add %29, %c1 : tensor<4xf32>
  %31 = graph.mul %x, %30 : tensor<4xf32>
  %32 = graph.mul %31, %c2 : tensor<4xf32>
  %33 = graph.add %x, %c10 : tensor<4xf32>
  %34 = graph.clip %33 low = 0.0, high = 6.0 : tensor<4xf32>
  %35 = graph.mul %x, %34 : tensor<4xf32>
  %36 = graph.div %35, %c11 : tensor<4xf32>
  %37 = graph.add %x, %c10 : tensor<4xf32>
  %38 = graph.clip %37 low = 0.0, high = 6.0 : tensor<4xf32>
  %39 = graph.mul %x, %38 : tensor<4xf32>
  %40 = graph.mul %39, %c12 : tensor<4xf32>
  %41 = graph.hard_sigmoid %x alpha = 0.166666657, beta = 0.5 : tensor<4xf32>
  %42 = graph.mul %x, %41 : tensor<4xf32>
  %43 = graph.add %x, %c10 : tensor<4xf32>
  %44 = graph.clip %43 low = 0.0, high = 6.0000005 : tensor<4xf32>
  %45 = graph.mul %x, %44 : tensor<4xf32>
  %46 = graph.div %45, %c13 : tensor<4xf32>
  %47 = graph.add %x, %c14 : tensor<4xf32>
  %48 = graph.clip %47 low = 0.0, high = 6.0 : tensor<4xf32>
  %49 = graph.mul %x, %48 : tensor<4xf32>
  %50 = graph.div %49, %c13 : tensor<4xf32>
  %51 = graph.add %x, %c10 : tensor<4xf32>
  %52 = graph.clip %51 low = 0.0, high = 6.0 : tensor<4xf32>
  %53 = graph.mul %52, %c12 : tensor<4xf32>
  %54 = graph.mul %53, %x : tensor<4xf32>
  return %4, %9, %14, %23, %32, %36, %40, %42, %46, %50, %54 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @same_f64
// CHECK-COUNT-2: graph.gelu %{{[a-z0-9]+}} :
// CHECK: graph.gelu %{{[a-z0-9]+}} tanh
// CHECK-COUNT-4: graph.hard_swish
// CHECK-NEXT: return
// STRICT-LABEL: func.func @same_f64
// STRICT-NOT: graph.{{gelu|hard_swish}}
func.func @same_f64(%x: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) {
  %c0 = graph.constant dense<1.4142135623730951> : tensor<4xf64>
  %c1 = graph.constant dense<1.0> : tensor<4xf64>
  %c2 = graph.constant dense<0.5> : tensor<4xf64>
  %c3 = graph.constant dense<0.70710678118654757> : tensor<4xf64>
  %c4 = graph.constant dense<0.044715> : tensor<4xf64>
  %c5 = graph.constant dense<0.79788456080286541> : tensor<4xf64>
  %c6 = graph.constant dense<3.0> : tensor<4xf64>
  %c7 = graph.constant dense<6.0> : tensor<4xf64>
  %c8 = graph.constant dense<0.16666666666666666> : tensor<4xf64>
  %0 = graph.div %x, %c0 : tensor<4xf64>
  %1 = graph.erf %0 : tensor<4xf64>
  %2 = graph.add %1, %c1 : tensor<4xf64>
  %3 = graph.mul %x, %c2 : tensor<4xf64>
  %4 = graph.mul %3, %2 : tensor<4xf64>
  %5 = graph.mul %x, %c3 : tensor<4xf64>
  %6 = graph.erf %5 : tensor<4xf64>
  %7 = graph.add %6, %c1 : tensor<4xf64>
  %8 = graph.mul %x, %c2 : tensor<4xf64>
  %9 = graph.mul %8, %7 : tensor<4xf64>
  %10 = graph.mul %x, %x : tensor<4xf64>
  %11 = graph.mul %10, %x : tensor<4xf64>
  %12 = graph.mul %11, %c4 : tensor<4xf64>
  %13 = graph.add %x, %12 : tensor<4xf64>
  %14 = graph.mul %13, %c5 : tensor<4xf64>
  %15 = graph.tanh %14 : tensor<4xf64>
  %16 = graph.add %15, %c1 : tensor<4xf64>
  %17 = graph.mul %x, %16 : tensor<4xf64>
  %18 = graph.mul %17, %c2 : tensor<4xf64>
  %19 = graph.add %x, %c6 : tensor<4xf64>
  %20 = graph.clip %19 low = 0.0, high = 6.0 : tensor<4xf64>
  %21 = graph.mul %x, %20 : tensor<4xf64>
  %22 = graph.div %21, %c7 : tensor<4xf64>
  %23 = graph.add %x, %c6 : tensor<4xf64>
  %24 = graph.clip %23 low = 0.0, high = 6.0 : tensor<4xf64>
  %25 = graph.mul %x, %24 : tensor<4xf64>
  %26 = graph.mul %25, %c8 : tensor<4xf64>
  %27 = graph.add %x, %c6 : tensor<4xf64>
  %28 = graph.clip %27 low = 0.0, high = 6.0 : tensor<4xf64>
  %29 = graph.div %28, %c7 : tensor<4xf64>
  %30 = graph.mul %29, %x : tensor<4xf64>
  %31 = graph.hard_sigmoid %x alpha = 0.16666666666666666, beta = 0.5 : tensor<4xf64>
  %32 = graph.mul %x, %31 : tensor<4xf64>
  return %4, %9, %18, %22, %26, %30, %32 : tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>
}

// CHECK-LABEL: func.func @next_f64
// CHECK-NOT: graph.{{gelu|hard_swish}}
// CHECK: return
func.func @next_f64(%x: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) {
  %c0 = graph.constant dense<1.4142135381698608> : tensor<4xf64>
  %c1 = graph.constant dense<1.0> : tensor<4xf64>
  %c2 = graph.constant dense<0.5> : tensor<4xf64>
  %c3 = graph.constant dense<0.70710676908493042> : tensor<4xf64>
  %c4 = graph.constant dense<1.4142135623730951> : tensor<4xf64>
  %c5 = graph.constant dense<0.50000000000000011> : tensor<4xf64>
  %c6 = graph.constant dense<0.044714998453855515> : tensor<4xf64>
  %c7 = graph.constant dense<0.79788456080286541> : tensor<4xf64>
  %c8 = graph.constant dense<0.044715> : tensor<4xf64>
  %c9 = graph.constant dense<0.79788456080286552> : tensor<4xf64>
  %c10 = graph.constant dense<3.0> : tensor<4xf64>
  %c11 = graph.constant dense<6.0000000000000009> : tensor<4xf64>
  %c12 = graph.constant dense<0.1666666716337204> : tensor<4xf64>
  %0 = graph.div %x, %c0 : tensor<4xf64>
  %1 = graph.erf %0 : tensor<4xf64>
  %2 = graph.add %1, %c1 : tensor<4xf64>
  %3 = graph.mul %x, %c2 : tensor<4xf64>
  %4 = graph.mul %3, %2 : tensor<4xf64>
  %5 = graph.mul %x, %c3 : tensor<4xf64>
  %6 = graph.erf %5 : tensor<4xf64>
  %7 = graph.add %6, %c1 : tensor<4xf64>
  %8 = graph.mul %x, %c2 : tensor<4xf64>
  %9 = graph.mul %8, %7 : tensor<4xf64>
  %10 = graph.div %x, %c4 : tensor<4xf64>
  %11 = graph.erf %10 : tensor<4xf64>
  %12 = graph.add %11, %c1 : tensor<4xf64>
  %13 = graph.mul %x, %c5 : tensor<4xf64>
  %14 = graph.mul %13, %12 : tensor<4xf64>
  %15 = graph.mul %x, %x : tensor<4xf64>
  %16 = graph.mul %15, %x : tensor<4xf64>
  %17 = graph.mul %16, %c6 : tensor<4xf64>
  %18 = graph.add %x, %17 : tensor<4xf64>
  %19 = graph.mul %18, %c7 : tensor<4xf64>
  %20 = graph.tanh %19 : tensor<4xf64>
  %21 = graph.add %20, %c1 : tensor<4xf64>
  %22 = graph.mul %x, %21 : tensor<4xf64>
  %23 = graph.mul %22, %c2 : tensor<4xf64>
  %24 = graph.mul %x, %x : tensor<4xf64>
  %25 = graph.mul %24, %x : tensor<4xf64>
  %26 = graph.mul %25, %c8 : tensor<4xf64>
  %27 = graph.add %x, %26 : tensor<4xf64>
  %28 = graph.mul %27, %c9 : tensor<4xf64>
  %29 = graph.tanh %28 : tensor<4xf64>
  %30 = graph.add %29, %c1 : tensor<4xf64>
  %31 = graph.mul %x, %30 : tensor<4xf64>
  %32 = graph.mul %31, %c2 : tensor<4xf64>
  %33 = graph.add %x, %c10 : tensor<4xf64>
  %34 = graph.clip %33 low = 0.0, high = 6.0 : tensor<4xf64>
  %35 = graph.mul %x, %34 : tensor<4xf64>
  %36 = graph.div %35, %c11 : tensor<4xf64>
  %37 = graph.add %x, %c10 : tensor<4xf64>
  %38 = graph.clip %37 low = 0.0, high = 6.0 : tensor<4xf64>
  %39 = graph.mul %x, %38 : tensor<4xf64>
  %40 = graph.mul %39, %c12 : tensor<4xf64>
  %41 = graph.hard_sigmoid %x alpha = 0.1666666716337204, beta = 0.5 : tensor<4xf64>
  %42 = graph.mul %x, %41 : tensor<4xf64>
  return %4, %9, %14, %23, %32, %36, %40, %42 : tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>
}

// CHECK-LABEL: func.func @same_f16
// CHECK-COUNT-2: graph.gelu %{{[a-z0-9]+}} :
// CHECK: graph.gelu %{{[a-z0-9]+}} tanh
// CHECK-COUNT-4: graph.hard_swish
// CHECK-NEXT: return
// STRICT-LABEL: func.func @same_f16
// STRICT-NOT: graph.{{gelu|hard_swish}}
func.func @same_f16(%x: tensor<4xf16>) -> (tensor<4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xf16>) {
  %c0 = graph.constant dense<1.41421> : tensor<4xf16>
  %c1 = graph.constant dense<1.0> : tensor<4xf16>
  %c2 = graph.constant dense<0.5> : tensor<4xf16>
  %c3 = graph.constant dense<0.7071> : tensor<4xf16>
  %c4 = graph.constant dense<0.044715> : tensor<4xf16>
  %c5 = graph.constant dense<0.79788> : tensor<4xf16>
  %c6 = graph.constant dense<3.0> : tensor<4xf16>
  %c7 = graph.constant dense<6.0> : tensor<4xf16>
  %c8 = graph.constant dense<0.16667> : tensor<4xf16>
  %0 = graph.div %x, %c0 : tensor<4xf16>
  %1 = graph.erf %0 : tensor<4xf16>
  %2 = graph.add %1, %c1 : tensor<4xf16>
  %3 = graph.mul %x, %c2 : tensor<4xf16>
  %4 = graph.mul %3, %2 : tensor<4xf16>
  %5 = graph.mul %x, %c3 : tensor<4xf16>
  %6 = graph.erf %5 : tensor<4xf16>
  %7 = graph.add %6, %c1 : tensor<4xf16>
  %8 = graph.mul %x, %c2 : tensor<4xf16>
  %9 = graph.mul %8, %7 : tensor<4xf16>
  %10 = graph.mul %x, %x : tensor<4xf16>
  %11 = graph.mul %10, %x : tensor<4xf16>
  %12 = graph.mul %11, %c4 : tensor<4xf16>
  %13 = graph.add %x, %12 : tensor<4xf16>
  %14 = graph.mul %13, %c5 : tensor<4xf16>
  %15 = graph.tanh %14 : tensor<4xf16>
  %16 = graph.add %15, %c1 : tensor<4xf16>
  %17 = graph.mul %x, %16 : tensor<4xf16>
  %18 = graph.mul %17, %c2 : tensor<4xf16>
  %19 = graph.add %x, %c6 : tensor<4xf16>
  %20 = graph.clip %19 low = 0.0, high = 6.0 : tensor<4xf16>
  %21 = graph.mul %x, %20 : tensor<4xf16>
  %22 = graph.div %21, %c7 : tensor<4xf16>
  %23 = graph.add %x, %c6 : tensor<4xf16>
  %24 = graph.clip %23 low = 0.0, high = 6.0 : tensor<4xf16>
  %25 = graph.mul %x, %24 : tensor<4xf16>
  %26 = graph.mul %25, %c8 : tensor<4xf16>
  %27 = graph.add %x, %c6 : tensor<4xf16>
  %28 = graph.clip %27 low = 0.0, high = 6.0 : tensor<4xf16>
  %29 = graph.div %28, %c7 : tensor<4xf16>
  %30 = graph.mul %29, %x : tensor<4xf16>
  %31 = graph.hard_sigmoid %x alpha = 0.166666672, beta = 0.5 : tensor<4xf16>
  %32 = graph.mul %x, %31 : tensor<4xf16>
  return %4, %9, %18, %22, %26, %30, %32 : tensor<4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xf16>
}

// CHECK-LABEL: func.func @next_f16
// CHECK-NOT: graph.{{gelu|hard_swish}}
// CHECK: return
func.func @next_f16(%x: tensor<4xf16>) -> (tensor<4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xf16>) {
  %c0 = graph.constant dense<1.41503906> : tensor<4xf16>
  %c1 = graph.constant dense<1.0> : tensor<4xf16>
  %c2 = graph.constant dense<0.5> : tensor<4xf16>
  %c3 = graph.constant dense<0.70751953> : tensor<4xf16>
  %c4 = graph.constant dense<1.41421> : tensor<4xf16>
  %c5 = graph.constant dense<0.50048828> : tensor<4xf16>
  %c6 = graph.constant dense<0.04473876> : tensor<4xf16>
  %c7 = graph.constant dense<0.79788> : tensor<4xf16>
  %c8 = graph.constant dense<0.044715> : tensor<4xf16>
  %c9 = graph.constant dense<0.79833984> : tensor<4xf16>
  %c10 = graph.constant dense<3.0> : tensor<4xf16>
  %c11 = graph.constant dense<6.00390625> : tensor<4xf16>
  %c12 = graph.constant dense<0.16674804> : tensor<4xf16>
  %c13 = graph.constant dense<6.0> : tensor<4xf16>
  %c14 = graph.constant dense<3.00195313> : tensor<4xf16>
  %0 = graph.div %x, %c0 : tensor<4xf16>
  %1 = graph.erf %0 : tensor<4xf16>
  %2 = graph.add %1, %c1 : tensor<4xf16>
  %3 = graph.mul %x, %c2 : tensor<4xf16>
  %4 = graph.mul %3, %2 : tensor<4xf16>
  %5 = graph.mul %x, %c3 : tensor<4xf16>
  %6 = graph.erf %5 : tensor<4xf16>
  %7 = graph.add %6, %c1 : tensor<4xf16>
  %8 = graph.mul %x, %c2 : tensor<4xf16>
  %9 = graph.mul %8, %7 : tensor<4xf16>
  %10 = graph.div %x, %c4 : tensor<4xf16>
  %11 = graph.erf %10 : tensor<4xf16>
  %12 = graph.add %11, %c1 : tensor<4xf16>
  %13 = graph.mul %x, %c5 : tensor<4xf16>
  %14 = graph.mul %13, %12 : tensor<4xf16>
  %15 = graph.mul %x, %x : tensor<4xf16>
  %16 = graph.mul %15, %x : tensor<4xf16>
  %17 = graph.mul %16, %c6 : tensor<4xf16>
  %18 = graph.add %x, %17 : tensor<4xf16>
  %19 = graph.mul %18, %c7 : tensor<4xf16>
  %20 = graph.tanh %19 : tensor<4xf16>
  %21 = graph.add %20, %c1 : tensor<4xf16>
  %22 = graph.mul %x, %21 : tensor<4xf16>
  %23 = graph.mul %22, %c2 : tensor<4xf16>
  %24 = graph.mul %x, %x : tensor<4xf16>
  %25 = graph.mul %24, %x : tensor<4xf16>
  %26 = graph.mul %25, %c8 : tensor<4xf16>
  %27 = graph.add %x, %26 : tensor<4xf16>
  %28 = graph.mul %27, %c9 : tensor<4xf16>
  %29 = graph.tanh %28 : tensor<4xf16>
  %30 = graph.add %29, %c1 : tensor<4xf16>
  %31 = graph.mul %x, %30 : tensor<4xf16>
  %32 = graph.mul %31, %c2 : tensor<4xf16>
  %33 = graph.add %x, %c10 : tensor<4xf16>
  %34 = graph.clip %33 low = 0.0, high = 6.0 : tensor<4xf16>
  %35 = graph.mul %x, %34 : tensor<4xf16>
  %36 = graph.div %35, %c11 : tensor<4xf16>
  %37 = graph.add %x, %c10 : tensor<4xf16>
  %38 = graph.clip %37 low = 0.0, high = 6.0 : tensor<4xf16>
  %39 = graph.mul %x, %38 : tensor<4xf16>
  %40 = graph.mul %39, %c12 : tensor<4xf16>
  %41 = graph.hard_sigmoid %x alpha = 0.166666657, beta = 0.5 : tensor<4xf16>
  %42 = graph.mul %x, %41 : tensor<4xf16>
  %43 = graph.add %x, %c10 : tensor<4xf16>
  %44 = graph.clip %43 low = 0.0, high = 6.00390625 : tensor<4xf16>
  %45 = graph.mul %x, %44 : tensor<4xf16>
  %46 = graph.div %45, %c13 : tensor<4xf16>
  %47 = graph.add %x, %c14 : tensor<4xf16>
  %48 = graph.clip %47 low = 0.0, high = 6.0 : tensor<4xf16>
  %49 = graph.mul %x, %48 : tensor<4xf16>
  %50 = graph.div %49, %c13 : tensor<4xf16>
  %51 = graph.add %x, %c10 : tensor<4xf16>
  %52 = graph.clip %51 low = 0.0, high = 6.0 : tensor<4xf16>
  %53 = graph.mul %52, %c12 : tensor<4xf16>
  %54 = graph.mul %53, %x : tensor<4xf16>
  return %4, %9, %14, %23, %32, %36, %40, %42, %46, %50, %54 : tensor<4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xf16>
}

// CHECK-LABEL: func.func @same_bf16
// CHECK-COUNT-2: graph.gelu %{{[a-z0-9]+}} :
// CHECK: graph.gelu %{{[a-z0-9]+}} tanh
// CHECK-COUNT-4: graph.hard_swish
// CHECK-NEXT: return
// STRICT-LABEL: func.func @same_bf16
// STRICT-NOT: graph.{{gelu|hard_swish}}
func.func @same_bf16(%x: tensor<4xbf16>) -> (tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>) {
  %c0 = graph.constant dense<1.41421> : tensor<4xbf16>
  %c1 = graph.constant dense<1.0> : tensor<4xbf16>
  %c2 = graph.constant dense<0.5> : tensor<4xbf16>
  %c3 = graph.constant dense<0.7071> : tensor<4xbf16>
  %c4 = graph.constant dense<0.0447> : tensor<4xbf16>
  %c5 = graph.constant dense<0.798> : tensor<4xbf16>
  %c6 = graph.constant dense<3.0> : tensor<4xbf16>
  %c7 = graph.constant dense<6.0> : tensor<4xbf16>
  %c8 = graph.constant dense<0.167> : tensor<4xbf16>
  %0 = graph.div %x, %c0 : tensor<4xbf16>
  %1 = graph.erf %0 : tensor<4xbf16>
  %2 = graph.add %1, %c1 : tensor<4xbf16>
  %3 = graph.mul %x, %c2 : tensor<4xbf16>
  %4 = graph.mul %3, %2 : tensor<4xbf16>
  %5 = graph.mul %x, %c3 : tensor<4xbf16>
  %6 = graph.erf %5 : tensor<4xbf16>
  %7 = graph.add %6, %c1 : tensor<4xbf16>
  %8 = graph.mul %x, %c2 : tensor<4xbf16>
  %9 = graph.mul %8, %7 : tensor<4xbf16>
  %10 = graph.mul %x, %x : tensor<4xbf16>
  %11 = graph.mul %10, %x : tensor<4xbf16>
  %12 = graph.mul %11, %c4 : tensor<4xbf16>
  %13 = graph.add %x, %12 : tensor<4xbf16>
  %14 = graph.mul %13, %c5 : tensor<4xbf16>
  %15 = graph.tanh %14 : tensor<4xbf16>
  %16 = graph.add %15, %c1 : tensor<4xbf16>
  %17 = graph.mul %x, %16 : tensor<4xbf16>
  %18 = graph.mul %17, %c2 : tensor<4xbf16>
  %19 = graph.add %x, %c6 : tensor<4xbf16>
  %20 = graph.clip %19 low = 0.0, high = 6.0 : tensor<4xbf16>
  %21 = graph.mul %x, %20 : tensor<4xbf16>
  %22 = graph.div %21, %c7 : tensor<4xbf16>
  %23 = graph.add %x, %c6 : tensor<4xbf16>
  %24 = graph.clip %23 low = 0.0, high = 6.0 : tensor<4xbf16>
  %25 = graph.mul %x, %24 : tensor<4xbf16>
  %26 = graph.mul %25, %c8 : tensor<4xbf16>
  %27 = graph.add %x, %c6 : tensor<4xbf16>
  %28 = graph.clip %27 low = 0.0, high = 6.0 : tensor<4xbf16>
  %29 = graph.div %28, %c7 : tensor<4xbf16>
  %30 = graph.mul %29, %x : tensor<4xbf16>
  %31 = graph.hard_sigmoid %x alpha = 0.166666672, beta = 0.5 : tensor<4xbf16>
  %32 = graph.mul %x, %31 : tensor<4xbf16>
  return %4, %9, %18, %22, %26, %30, %32 : tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>
}

// CHECK-LABEL: func.func @next_bf16
// CHECK-NOT: graph.{{gelu|hard_swish}}
// CHECK: return
func.func @next_bf16(%x: tensor<4xbf16>) -> (tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>) {
  %c0 = graph.constant dense<1.421875> : tensor<4xbf16>
  %c1 = graph.constant dense<1.0> : tensor<4xbf16>
  %c2 = graph.constant dense<0.5> : tensor<4xbf16>
  %c3 = graph.constant dense<0.7109375> : tensor<4xbf16>
  %c4 = graph.constant dense<1.41421> : tensor<4xbf16>
  %c5 = graph.constant dense<0.50390625> : tensor<4xbf16>
  %c6 = graph.constant dense<0.04492187> : tensor<4xbf16>
  %c7 = graph.constant dense<0.798> : tensor<4xbf16>
  %c8 = graph.constant dense<0.0447> : tensor<4xbf16>
  %c9 = graph.constant dense<0.80078125> : tensor<4xbf16>
  %c10 = graph.constant dense<3.0> : tensor<4xbf16>
  %c11 = graph.constant dense<6.03125> : tensor<4xbf16>
  %c12 = graph.constant dense<0.16796875> : tensor<4xbf16>
  %0 = graph.div %x, %c0 : tensor<4xbf16>
  %1 = graph.erf %0 : tensor<4xbf16>
  %2 = graph.add %1, %c1 : tensor<4xbf16>
  %3 = graph.mul %x, %c2 : tensor<4xbf16>
  %4 = graph.mul %3, %2 : tensor<4xbf16>
  %5 = graph.mul %x, %c3 : tensor<4xbf16>
  %6 = graph.erf %5 : tensor<4xbf16>
  %7 = graph.add %6, %c1 : tensor<4xbf16>
  %8 = graph.mul %x, %c2 : tensor<4xbf16>
  %9 = graph.mul %8, %7 : tensor<4xbf16>
  %10 = graph.div %x, %c4 : tensor<4xbf16>
  %11 = graph.erf %10 : tensor<4xbf16>
  %12 = graph.add %11, %c1 : tensor<4xbf16>
  %13 = graph.mul %x, %c5 : tensor<4xbf16>
  %14 = graph.mul %13, %12 : tensor<4xbf16>
  %15 = graph.mul %x, %x : tensor<4xbf16>
  %16 = graph.mul %15, %x : tensor<4xbf16>
  %17 = graph.mul %16, %c6 : tensor<4xbf16>
  %18 = graph.add %x, %17 : tensor<4xbf16>
  %19 = graph.mul %18, %c7 : tensor<4xbf16>
  %20 = graph.tanh %19 : tensor<4xbf16>
  %21 = graph.add %20, %c1 : tensor<4xbf16>
  %22 = graph.mul %x, %21 : tensor<4xbf16>
  %23 = graph.mul %22, %c2 : tensor<4xbf16>
  %24 = graph.mul %x, %x : tensor<4xbf16>
  %25 = graph.mul %24, %x : tensor<4xbf16>
  %26 = graph.mul %25, %c8 : tensor<4xbf16>
  %27 = graph.add %x, %26 : tensor<4xbf16>
  %28 = graph.mul %27, %c9 : tensor<4xbf16>
  %29 = graph.tanh %28 : tensor<4xbf16>
  %30 = graph.add %29, %c1 : tensor<4xbf16>
  %31 = graph.mul %x, %30 : tensor<4xbf16>
  %32 = graph.mul %31, %c2 : tensor<4xbf16>
  %33 = graph.add %x, %c10 : tensor<4xbf16>
  %34 = graph.clip %33 low = 0.0, high = 6.0 : tensor<4xbf16>
  %35 = graph.mul %x, %34 : tensor<4xbf16>
  %36 = graph.div %35, %c11 : tensor<4xbf16>
  %37 = graph.add %x, %c10 : tensor<4xbf16>
  %38 = graph.clip %37 low = 0.0, high = 6.0 : tensor<4xbf16>
  %39 = graph.mul %x, %38 : tensor<4xbf16>
  %40 = graph.mul %39, %c12 : tensor<4xbf16>
  %41 = graph.hard_sigmoid %x alpha = 0.166666657, beta = 0.5 : tensor<4xbf16>
  %42 = graph.mul %x, %41 : tensor<4xbf16>
  return %4, %9, %14, %23, %32, %36, %40, %42 : tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>
}

// Numbers of one product are one number if their product is exact.
// CHECK-LABEL: func.func @products
// CHECK-NEXT: %[[A:.*]] = graph.gelu
// CHECK-NEXT: %[[B:.*]] = graph.hard_swish
// CHECK-NEXT: %[[C:.*]] = graph.silu
// CHECK-NEXT: return %[[A]], %[[B]], %[[C]]
// STRICT-LABEL: func.func @products
// STRICT-NOT: graph.{{gelu|hard_swish|silu}}
func.func @products(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %c0 = graph.constant dense<1.41421354> : tensor<4xf32>
  %c1 = graph.constant dense<1.0> : tensor<4xf32>
  %c2 = graph.constant dense<3.0> : tensor<4xf32>
  %c3 = graph.constant dense<6.0> : tensor<4xf32>
  %c4 = graph.constant dense<1.5> : tensor<4xf32>
  %c5 = graph.constant dense<4.0> : tensor<4xf32>
  %0 = graph.div %x, %c0 : tensor<4xf32>
  %1 = graph.erf %0 : tensor<4xf32>
  %2 = graph.add %1, %c1 : tensor<4xf32>
  %3 = graph.div %x, %c3 : tensor<4xf32>
  %4 = graph.mul %3, %2 : tensor<4xf32>
  %5 = graph.mul %4, %c2 : tensor<4xf32>
  %6 = graph.add %x, %c2 : tensor<4xf32>
  %7 = graph.clip %6 low = 0.0, high = 6.0 : tensor<4xf32>
  %8 = graph.div %7, %c4 : tensor<4xf32>
  %9 = graph.mul %x, %8 : tensor<4xf32>
  %10 = graph.div %9, %c5 : tensor<4xf32>
  %11 = graph.sigmoid %x : tensor<4xf32>
  %12 = graph.div %x, %c2 : tensor<4xf32>
  %13 = graph.mul %12, %11 : tensor<4xf32>
  %14 = graph.mul %13, %c2 : tensor<4xf32>
  return %5, %10, %14 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// No element of f32 is a tenth.
// CHECK-LABEL: func.func @other_products
// CHECK-NOT: graph.{{gelu|hard_swish|silu}}
// CHECK: return
func.func @other_products(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %c0 = graph.constant dense<1.41421354> : tensor<4xf32>
  %c1 = graph.constant dense<1.0> : tensor<4xf32>
  %c2 = graph.constant dense<0.1> : tensor<4xf32>
  %c3 = graph.constant dense<5.0> : tensor<4xf32>
  %c4 = graph.constant dense<3.0> : tensor<4xf32>
  %c5 = graph.constant dense<0.6> : tensor<4xf32>
  %c6 = graph.constant dense<10.0> : tensor<4xf32>
  %0 = graph.div %x, %c0 : tensor<4xf32>
  %1 = graph.erf %0 : tensor<4xf32>
  %2 = graph.add %1, %c1 : tensor<4xf32>
  %3 = graph.mul %x, %c2 : tensor<4xf32>
  %4 = graph.mul %3, %2 : tensor<4xf32>
  %5 = graph.mul %4, %c3 : tensor<4xf32>
  %6 = graph.add %x, %c4 : tensor<4xf32>
  %7 = graph.clip %6 low = 0.0, high = 6.0 : tensor<4xf32>
  %8 = graph.div %7, %c5 : tensor<4xf32>
  %9 = graph.mul %x, %8 : tensor<4xf32>
  %10 = graph.div %9, %c6 : tensor<4xf32>
  %11 = graph.sigmoid %x : tensor<4xf32>
  %12 = graph.mul %x, %c2 : tensor<4xf32>
  %13 = graph.mul %12, %11 : tensor<4xf32>
  %14 = graph.mul %13, %c6 : tensor<4xf32>
  return %5, %10, %14 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
