//===- ElementwiseOps.td - arithmetic and functions -----------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_GRAPH_ELEMENTWISE_OPS_TD
#define TENON_GRAPH_ELEMENTWISE_OPS_TD

include "tenon/Dialect/Graph/IR/ElementwiseBase.td"

//===----------------------------------------------------------------------===//
// Arithmetic of one operand
//===----------------------------------------------------------------------===//

def Graph_NegOp : Graph_Unary<"neg", Graph_NumTensor, "-x", [{
    `result[i] = -x[i]`. The sign of zeros, infinities and NaN changes as well.
    Integers wrap: of a signed type's least value, the result is that value.}]> {
  let hasFolder = 1;
}

def Graph_AbsOp : Graph_Unary<"abs", Graph_NumTensor, "the absolute value", [{
    `result[i] = |x[i]|`. NaN stays NaN. Integers wrap: of a signed type's
    least value, the result is that value.}]>;

def Graph_SignOp : Graph_Unary<"sign", Graph_NumTensor,
                               "-1, 0 or 1; NaN stays NaN", [{
    `result[i]` is 1 if `x[i] > 0`, -1 if `x[i] < 0`, and `x[i]` otherwise,
    which is a zero of either sign or NaN.}]>;

def Graph_ReciprocalOp : Graph_Unary<"reciprocal", Graph_FloatTensor, "1 / x", [{
    `result[i] = 1 / x[i]`. A zero gives the infinity of its sign, and an
    infinity the zero of its sign.}]>;

def Graph_FloorOp : Graph_Unary<"floor", Graph_FloatTensor, "rounds down", [{
    `result[i]` is the largest integer not above `x[i]`. Infinities and NaN
    stay.}]>;

def Graph_CeilOp : Graph_Unary<"ceil", Graph_FloatTensor, "rounds up", [{
    `result[i]` is the least integer not below `x[i]`. Infinities and NaN
    stay.}]>;

def Graph_RoundOp : Graph_Unary<"round", Graph_FloatTensor,
                                "rounds to nearest, ties to even", [{
    `result[i]` is the integer nearest to `x[i]`; halfway between two integers,
    it is the even one: 0.5 gives 0, and 1.5 gives 2. Infinities and NaN stay.}]>;

//===----------------------------------------------------------------------===//
// Functions of real numbers
//===----------------------------------------------------------------------===//

def Graph_SqrtOp : Graph_Unary<"sqrt", Graph_FloatTensor, "the square root", [{
    `result[i] = sqrt(x[i])`. The result is NaN if `x[i] < 0`, and -0 of -0.}]>;

def Graph_RsqrtOp : Graph_UnaryInSteps<"rsqrt", "1 / sqrt(x)", [{
    `result[i] = 1 / sqrt(x[i])`. A zero gives the infinity of its sign, and
    elements below 0 give NaN.}]>;

def Graph_ExpOp : Graph_Unary<"exp", Graph_FloatTensor, "e to the x", [{
    `result[i] = e ^ x[i]`. Large elements give infinity, and -infinity gives
    0.}]>;

def Graph_LogOp : Graph_Unary<"log", Graph_FloatTensor,
                              "the natural logarithm", [{
    `result[i] = ln(x[i])`. Zeros give -infinity, and elements below 0 NaN.}]>;

def Graph_SinOp : Graph_Unary<"sin", Graph_FloatTensor, "sine", [{
    `result[i] = sin(x[i])`, with `x[i]` in radians. Infinities give NaN.}]>;

def Graph_CosOp : Graph_Unary<"cos", Graph_FloatTensor, "cosine", [{
    `result[i] = cos(x[i])`, with `x[i]` in radians. Infinities give NaN.}]>;

def Graph_TanOp : Graph_Unary<"tan", Graph_FloatTensor, "tangent", [{
    `result[i] = tan(x[i])`, with `x[i]` in radians. Infinities give NaN.}]>;

def Graph_AsinOp : Graph_Unary<"asin", Graph_FloatTensor, "arc sine", [{
    `result[i] = arcsin(x[i])`, from -pi / 2 to pi / 2. The result is NaN if
    `|x[i]| > 1`.}]>;

def Graph_AcosOp : Graph_Unary<"acos", Graph_FloatTensor, "arc cosine", [{
    `result[i] = arccos(x[i])`, from 0 to pi. The result is NaN if
    `|x[i]| > 1`.}]>;

def Graph_AtanOp : Graph_Unary<"atan", Graph_FloatTensor, "arc tangent", [{
    `result[i] = arctan(x[i])`, from -pi / 2 to pi / 2, which infinities give.}]>;

def Graph_SinhOp : Graph_Unary<"sinh", Graph_FloatTensor, "hyperbolic sine", [{
    `result[i] = (e ^ x[i] - e ^ -x[i]) / 2`. Large elements give the infinity
    of their sign.}]>;

def Graph_CoshOp : Graph_Unary<"cosh", Graph_FloatTensor, "hyperbolic cosine", [{
    `result[i] = (e ^ x[i] + e ^ -x[i]) / 2`. Elements of large absolute value
    give infinity.}]>;

def Graph_TanhOp : Graph_Unary<"tanh", Graph_FloatTensor, "hyperbolic tangent", [{
    `result[i] = sinh(x[i]) / cosh(x[i])`, from -1 to 1, which infinities
    give.}]>;

def Graph_AsinhOp : Graph_Unary<"asinh", Graph_FloatTensor,
                                "inverse hyperbolic sine", [{
    `result[i] = arsinh(x[i]) = ln(x[i] + sqrt(x[i] ^ 2 + 1))`. Infinities
    stay.}]>;

def Graph_AcoshOp : Graph_Unary<"acosh", Graph_FloatTensor,
                                "inverse hyperbolic cosine", [{
    `result[i] = arcosh(x[i]) = ln(x[i] + sqrt(x[i] ^ 2 - 1))`. The result is
    NaN if `x[i] < 1`.}]>;

def Graph_AtanhOp : Graph_Unary<"atanh", Graph_FloatTensor,
                                "inverse hyperbolic tangent", [{
    `result[i] = artanh(x[i]) = ln((1 + x[i]) / (1 - x[i])) / 2`. Elements 1
    and -1 give the infinity of their sign, and the result is NaN if
    `|x[i]| > 1`.}]>;

def Graph_ErfOp : Graph_Unary<"erf", Graph_FloatTensor,
                              "the Gauss error function", [{
    `result[i]` is `2 / sqrt(pi)` times the integral of `e ^ -t^2` over `t`
    from 0 to `x[i]`: from -1 to 1, which infinities give.}]>;
def Graph_ErfInvOp : Graph_Unary<"erfinv", Graph_FloatTensor,
                                 "the inverse error function", [{
    `erf(result[i])` is `x[i]`. 1 and -1 give infinities; numbers outside of
    [-1, 1] give NaN. f16 and bf16 are computed in f32 and rounded once.}]>;

//===----------------------------------------------------------------------===//
// Arithmetic of two operands
//===----------------------------------------------------------------------===//

def Graph_AddOp : Graph_Binary<"add", Graph_NumTensor, "lhs + rhs", [{
    `result[i] = lhs[i] + rhs[i]`. Integers wrap.}], [Commutative]> {
  let hasFolder = 1;
}

def Graph_SubOp : Graph_Binary<"sub", Graph_NumTensor, "lhs - rhs", [{
    `result[i] = lhs[i] - rhs[i]`. Integers wrap. Equal infinities give NaN.}]> {
  let hasFolder = 1;
}

def Graph_MulOp : Graph_Binary<"mul", Graph_NumTensor, "lhs * rhs", [{
    `result[i] = lhs[i] * rhs[i]`. Integers wrap. An infinity times 0 gives
    NaN.}], [Commutative]> {
  let hasFolder = 1;
}

def Graph_DivOp : Graph_Binary<"div", Graph_NumTensor,
                               "lhs / rhs; integers truncate towards zero", [{
    `result[i] = lhs[i] / rhs[i]`. Floating-point elements divided by 0 give
    an infinity, or NaN of 0 / 0. Integers divided by 0 give 0; the least
    value of a signed type divided by -1 wraps to itself.}]> {
  let hasFolder = 1;
}

def Graph_PowOp : Graph_Binary<"pow", Graph_NumTensor,
    "lhs to the rhs; integers to a negative power truncate", [{
    `result[i] = lhs[i] ^ rhs[i]`. For floating-point elements as C's `pow`:
    anything to the 0, NaN included, is 1, and a number below 0 to a power that
    is no integer is NaN. Integers wrap; to a power below 0 they give 1 of 1,
    1 or -1 of -1, and 0 of all else, 0 included.}]>;

def Graph_ModOp : Graph_Binary<"mod", Graph_NumTensor,
                               "the remainder with the divisor's sign", [{
    `result[i] = lhs[i] - rhs[i] * floor(lhs[i] / rhs[i])`, without rounding of
    the quotient. For a divisor of 0, integers give 0 and floating-point
    elements NaN, which an infinite `lhs[i]` gives as well.}]>;

def Graph_FmodOp : Graph_Binary<"fmod", Graph_NumTensor,
                                "the remainder with the dividend's sign", [{
    `result[i] = lhs[i] - rhs[i] * trunc(lhs[i] / rhs[i])`, without rounding of
    the quotient. For a divisor of 0, integers give 0 and floating-point
    elements NaN, which an infinite `lhs[i]` gives as well.}]>;

def Graph_MaximumOp : Graph_Binary<"maximum", Graph_NumTensor,
                                   "the larger; NaN wins", [{
    `result[i] = max(lhs[i], rhs[i])`; NaN if one of them is NaN. Which zero the
    result is of -0 and +0 is unspecified.}], [Commutative]>;

def Graph_MinimumOp : Graph_Binary<"minimum", Graph_NumTensor,
                                   "the smaller; NaN wins", [{
    `result[i] = min(lhs[i], rhs[i])`; NaN if one of them is NaN. Which zero the
    result is of -0 and +0 is unspecified.}], [Commutative]>;

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

def Graph_CastOp : Graph_Elementwise<"cast"> {
  let summary = "converts every element to another type";
  let description = [{
    `result[i]` is `x[i]` as a number of type `to`:

    - Float to float and integer to float round to nearest, ties to even; what
      is beyond the range becomes an infinity.
    - Float to integer truncates towards zero and saturates; NaN gives 0.
    - Integer to integer wraps.
    - To i1: whether the element is not 0 (of NaN: true). From i1: 0 or 1.

    Constraints:

    1. `to` is f64, f32, f16, bf16, i64, i32, i8, ui8 or i1.
    2. `result` has the shape of `x` and elements of type `to`.

    Example:

    ```mlir
    func.func @cast(%x: tensor<4xf32>) -> tensor<4xi32> {
      %0 = graph.cast %x to i32 : tensor<4xf32>
      return %0 : tensor<4xi32>
    }
    ```
  }];
  let arguments = (ins Graph_Tensor:$x, TypeAttr:$to);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$x `to` $to attr-dict custom<OperandTypes>(ref($x), type($x))";
  let hasFolder = 1;
}

#endif // TENON_GRAPH_ELEMENTWISE_OPS_TD
