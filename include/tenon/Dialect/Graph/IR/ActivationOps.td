//===- ActivationOps.td - activation functions ----------------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Activations of several steps compute f16 and bf16 in f32.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_GRAPH_ACTIVATION_OPS_TD
#define TENON_GRAPH_ACTIVATION_OPS_TD

include "tenon/Dialect/Graph/IR/ElementwiseBase.td"

//===----------------------------------------------------------------------===//
// Without parameters
//===----------------------------------------------------------------------===//

def Graph_ReluOp : Graph_Unary<"relu", Graph_NumTensor, "max(x, 0)", [{
    `result[i] = max(x[i], 0)`. NaN stays NaN.}]>;

def Graph_SigmoidOp : Graph_UnaryInSteps<"sigmoid", "1 / (1 + exp(-x))", [{
    `result[i] = 1 / (1 + exp(-x[i]))`: 0 of -infinity, 1 of +infinity.}]>;

def Graph_SiluOp : Graph_UnaryInSteps<"silu", "x * sigmoid(x)", [{
    `result[i] = x[i] / (1 + exp(-x[i]))`, as the product of `x[i]` and its
    sigmoid: NaN of -infinity.}]>;

def Graph_SoftplusOp : Graph_UnaryInSteps<"softplus",
    "log(1 + exp(x)), without overflow", [{
    `result[i] = log(1 + exp(-|x[i]|)) + max(x[i], 0)`: 0 of -infinity,
    +infinity of +infinity.}]>;

def Graph_SoftsignOp : Graph_UnaryInSteps<"softsign", "x / (1 + |x|)", [{
    `result[i] = x[i] / (1 + |x[i]|)`: NaN of infinities.}]>;

def Graph_MishOp : Graph_UnaryInSteps<"mish", "x * tanh(softplus(x))", [{
    `result[i] = x[i] * tanh(softplus(x[i]))`, with the formula of
    `graph.softplus`: NaN of -infinity.}]>;

def Graph_HardSwishOp : Graph_UnaryInSteps<"hard_swish",
    "x * clip(x / 6 + 1 / 2, 0, 1)", [{
    `result[i] = x[i] * min(max(x[i] / 6 + 1 / 2, 0), 1)`: NaN of -infinity.}]>;

def Graph_PreluOp : Graph_Binary<"prelu", Graph_NumTensor,
                                 "lhs where not below 0, else rhs * lhs", [{
    `result[i]` is `rhs[i] * lhs[i]` if `lhs[i] < 0`, else `lhs[i]`. `rhs` is
    the slope. Integers wrap.}]>;

//===----------------------------------------------------------------------===//
// With parameters
//===----------------------------------------------------------------------===//

class Graph_Activation<string mnemonic, string text, dag parameters,
                       string format, string values, string meaning,
                       bit inSteps = 1>
    : Graph_Elementwise<mnemonic> {
  let summary = text;
  let description = Graph_UnaryText<mnemonic,
      !if(inSteps, Graph_InSteps<meaning>.text, meaning), values,
      "tensor<4xf32>", /*isPredicate=*/0>.text;
  let arguments = !con((ins Graph_FloatTensor:$x), parameters);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = "$x " # format # " attr-dict custom<OperandTypes>(ref($x), type($x))";
}

def Graph_GeluOp : Graph_Activation<"gelu",
    "x * Phi(x), by erf or by its tanh approximation",
    (ins UnitAttr:$tanh), "(`tanh` $tanh^)?", " tanh", [{
    `result[i] = x[i] / 2 * (1 + erf(x[i] / sqrt(2)))`, with `tanh` instead
    `x[i] / 2 * (1 + tanh(sqrt(2 / pi) * (x[i] + 0.044715 * x[i] ^ 3)))`.
    NaN of -infinity.}]>;

def Graph_LeakyReluOp : Graph_Activation<"leaky_relu",
    "x where not below 0, else alpha * x",
    (ins F64Attr:$alpha), "`alpha` `=` $alpha", " alpha = 0.01", [{
    `result[i]` is `alpha * x[i]` if `x[i] < 0`, else `x[i]`.}]>;

def Graph_EluOp : Graph_Activation<"elu",
    "x where above 0, else alpha * (exp(x) - 1)",
    (ins F64Attr:$alpha), "`alpha` `=` $alpha", " alpha = 1.0", [{
    `result[i]` is `x[i]` if `x[i] > 0`, else `alpha * (exp(x[i]) - 1)`.}]>;

def Graph_CeluOp : Graph_Activation<"celu",
    "max(0, x) + min(0, alpha * (exp(x / alpha) - 1))",
    (ins F64Attr:$alpha), "`alpha` `=` $alpha", " alpha = 2.0", [{
    `result[i] = max(x[i], 0) + min(alpha * (exp(x[i] / alpha) - 1), 0)`.}]>;

def Graph_SeluOp : Graph_Activation<"selu",
    "gamma * (x where above 0, else alpha * (exp(x) - 1))",
    (ins F64Attr:$alpha, F64Attr:$gamma),
    "`alpha` `=` $alpha `,` `gamma` `=` $gamma",
    " alpha = 1.67326, gamma = 1.0507", [{
    `result[i]` is `gamma * x[i]` if `x[i] > 0`, else
    `gamma * (alpha * (exp(x[i]) - 1))`.}]>;

def Graph_HardSigmoidOp : Graph_Activation<"hard_sigmoid",
    "clip(alpha * x + beta, 0, 1)",
    (ins F64Attr:$alpha, F64Attr:$beta),
    "`alpha` `=` $alpha `,` `beta` `=` $beta", " alpha = 0.2, beta = 0.5", [{
    `result[i] = min(max(alpha * x[i] + beta, 0), 1)`. NaN stays NaN.}]>;

def Graph_ThresholdedReluOp : Graph_Activation<"thresholded_relu",
    "x where above alpha, else 0",
    (ins F64Attr:$alpha), "`alpha` `=` $alpha", " alpha = 1.0", [{
    `result[i]` is `x[i]` if `x[i] > alpha`, else 0, which NaN gives as well.}]>;

def Graph_ShrinkOp : Graph_Activation<"shrink",
    "x + bias below -lambda, x - bias above lambda, else 0",
    (ins F64Attr:$lambda, F64Attr:$bias),
    "`lambda` `=` $lambda `,` `bias` `=` $bias", " lambda = 0.5, bias = 0.1", [{
    `result[i]` is `x[i] + bias` if `x[i] < -lambda`, `x[i] - bias` if
    `x[i] > lambda`, else 0, which NaN gives as well.}]>;

def Graph_ClipOp : Graph_Activation<"clip",
    "min(max(x, low), high); NaN stays NaN",
    (ins F64Attr:$low, F64Attr:$high),
    "`low` `=` $low `,` `high` `=` $high", " low = 0.0, high = 6.0", [{
    `result[i] = min(max(x[i], low), high)`, with both bounds rounded to the
    element type. If `low > high`, every number gives `high`.}],
    /*inSteps=*/0>;

#endif // TENON_GRAPH_ACTIVATION_OPS_TD
