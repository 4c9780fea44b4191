//===- ElementwiseOps.td - elementwise graph ops --------------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_GRAPH_ELEMENTWISE_OPS_TD
#define TENON_GRAPH_ELEMENTWISE_OPS_TD

include "tenon/Dialect/Graph/IR/GraphOpsBase.td"

// All operands have equal shapes; broadcasting is graph.broadcast. Integer
// arithmetic wraps; integers divided by 0 give 0, and so do their remainders.
class Graph_Elementwise<string mnemonic, list<Trait> traits = []>
    : Graph_InferOp<mnemonic,
        [DeclareOpInterfaceMethods<Graph_ElementwiseInterface>,
         Graph_IndexFormInterface] # traits> {
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::tenon::graph::IndexForm> getIndexForms() {
      return ::tenon::graph::elementwiseIndexForms(getOperation());
    }
  }];
}

class Graph_Unary<string mnemonic, Type type, string text,
                  list<Trait> traits = []> : Graph_Elementwise<mnemonic, traits> {
  let summary = text;
  let arguments = (ins type:$x);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$x attr-dict custom<OperandTypes>(ref($x), type($x))";
}

class Graph_Binary<string mnemonic, Type type, string text,
                   list<Trait> traits = []>
    : Graph_Elementwise<mnemonic, traits # [TypesMatchWith<
        "operands have one type", "lhs", "rhs", "$_self">]> {
  let summary = text;
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict custom<OperandTypes>(ref($lhs), type($lhs))";
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

def Graph_NegOp : Graph_Unary<"neg", Graph_NumTensor, "-x"> { let hasFolder = 1; }
def Graph_AbsOp : Graph_Unary<"abs", Graph_NumTensor, "the absolute value">;
def Graph_SignOp : Graph_Unary<"sign", Graph_NumTensor, "-1, 0 or 1; NaN stays NaN">;
def Graph_ReciprocalOp : Graph_Unary<"reciprocal", Graph_FloatTensor, "1 / x">;
def Graph_FloorOp : Graph_Unary<"floor", Graph_FloatTensor, "rounds down">;
def Graph_CeilOp : Graph_Unary<"ceil", Graph_FloatTensor, "rounds up">;
def Graph_RoundOp : Graph_Unary<"round", Graph_FloatTensor, "rounds to nearest, ties to even">;
def Graph_SqrtOp : Graph_Unary<"sqrt", Graph_FloatTensor, "the square root">;
def Graph_RsqrtOp : Graph_Unary<"rsqrt", Graph_FloatTensor, "1 / sqrt(x)">;
def Graph_ExpOp : Graph_Unary<"exp", Graph_FloatTensor, "e to the x">;
def Graph_LogOp : Graph_Unary<"log", Graph_FloatTensor, "the natural logarithm">;
def Graph_SinOp : Graph_Unary<"sin", Graph_FloatTensor, "sine">;
def Graph_CosOp : Graph_Unary<"cos", Graph_FloatTensor, "cosine">;
def Graph_TanOp : Graph_Unary<"tan", Graph_FloatTensor, "tangent">;
def Graph_AsinOp : Graph_Unary<"asin", Graph_FloatTensor, "arc sine">;
def Graph_AcosOp : Graph_Unary<"acos", Graph_FloatTensor, "arc cosine">;
def Graph_AtanOp : Graph_Unary<"atan", Graph_FloatTensor, "arc tangent">;
def Graph_SinhOp : Graph_Unary<"sinh", Graph_FloatTensor, "hyperbolic sine">;
def Graph_CoshOp : Graph_Unary<"cosh", Graph_FloatTensor, "hyperbolic cosine">;
def Graph_TanhOp : Graph_Unary<"tanh", Graph_FloatTensor, "hyperbolic tangent">;
def Graph_AsinhOp : Graph_Unary<"asinh", Graph_FloatTensor, "inverse hyperbolic sine">;
def Graph_AcoshOp : Graph_Unary<"acosh", Graph_FloatTensor, "inverse hyperbolic cosine">;
def Graph_AtanhOp : Graph_Unary<"atanh", Graph_FloatTensor, "inverse hyperbolic tangent">;
def Graph_ErfOp : Graph_Unary<"erf", Graph_FloatTensor, "the Gauss error function">;

def Graph_AddOp : Graph_Binary<"add", Graph_NumTensor, "lhs + rhs", [Commutative]> { let hasFolder = 1; }
def Graph_SubOp : Graph_Binary<"sub", Graph_NumTensor, "lhs - rhs"> { let hasFolder = 1; }
def Graph_MulOp : Graph_Binary<"mul", Graph_NumTensor, "lhs * rhs", [Commutative]> { let hasFolder = 1; }
def Graph_DivOp : Graph_Binary<"div", Graph_NumTensor, "lhs / rhs; integers truncate towards zero"> { let hasFolder = 1; }
def Graph_PowOp : Graph_Binary<"pow", Graph_NumTensor, "lhs to the rhs; integers to a negative power truncate">;
def Graph_ModOp : Graph_Binary<"mod", Graph_NumTensor, "the remainder with the divisor's sign">;
def Graph_FmodOp : Graph_Binary<"fmod", Graph_NumTensor, "the remainder with the dividend's sign">;
def Graph_MaximumOp : Graph_Binary<"maximum", Graph_NumTensor, "the larger; NaN wins", [Commutative]>;
def Graph_MinimumOp : Graph_Binary<"minimum", Graph_NumTensor, "the smaller; NaN wins", [Commutative]>;

//===----------------------------------------------------------------------===//
// Logic, bits, comparison
//===----------------------------------------------------------------------===//

def Graph_NotOp : Graph_Unary<"not", Graph_BoolTensor, "logical negation">;
def Graph_AndOp : Graph_Binary<"and", Graph_BoolTensor, "logical conjunction", [Commutative]>;
def Graph_OrOp : Graph_Binary<"or", Graph_BoolTensor, "logical disjunction", [Commutative]>;
def Graph_XorOp : Graph_Binary<"xor", Graph_BoolTensor, "exclusive or", [Commutative]>;
def Graph_BitNotOp : Graph_Unary<"bit_not", Graph_IntTensor, "complements every bit">;
def Graph_BitAndOp : Graph_Binary<"bit_and", Graph_IntTensor, "bitwise and", [Commutative]>;
def Graph_BitOrOp : Graph_Binary<"bit_or", Graph_IntTensor, "bitwise or", [Commutative]>;
def Graph_BitXorOp : Graph_Binary<"bit_xor", Graph_IntTensor, "bitwise exclusive or", [Commutative]>;
def Graph_ShiftLeftOp : Graph_Binary<"shift_left", Graph_IntTensor, "lhs << rhs; 0 where rhs is not below the width">;
def Graph_ShiftRightOp : Graph_Binary<"shift_right", Graph_IntTensor, "lhs >> rhs (arithmetic where signed)">;
def Graph_EqualOp : Graph_Binary<"equal", Graph_Tensor, "lhs == rhs, as i1", [Commutative]>;
def Graph_LessOp : Graph_Binary<"less", Graph_NumTensor, "lhs < rhs, as i1">;
def Graph_LessEqualOp : Graph_Binary<"less_equal", Graph_NumTensor, "lhs <= rhs, as i1">;
def Graph_IsNanOp : Graph_Unary<"is_nan", Graph_FloatTensor, "whether x is NaN, as i1">;

def Graph_IsInfOp : Graph_Elementwise<"is_inf"> {
  let summary = "whether x is infinite, as i1";
  let arguments = (ins Graph_FloatTensor:$x, UnitAttr:$only_positive,
                       UnitAttr:$only_negative);
  let results = (outs Graph_BoolTensor:$result);
  let assemblyFormat = [{
    $x (`only_positive` $only_positive^)? (`only_negative` $only_negative^)?
    attr-dict custom<OperandTypes>(ref($x), type($x))
  }];
}

def Graph_WhereOp : Graph_Elementwise<"where"> {
  let summary = "then where the condition holds, else otherwise";
  let arguments = (ins Graph_BoolTensor:$condition, Graph_Tensor:$then,
                       Graph_Tensor:$otherwise);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $condition `,` $then `,` $otherwise attr-dict
    custom<OperandTypes>(ref($condition), type($condition), ref($then),
                         type($then), ref($otherwise), type($otherwise))
  }];
}

def Graph_CastOp : Graph_Elementwise<"cast"> {
  let summary = "converts every element to another type";
  let description = [{
    Float to integer truncates towards zero and saturates, NaN gives 0; integer
    to integer wraps; to i1: whether the element is not 0 (of NaN: true).
  }];
  let arguments = (ins Graph_Tensor:$x, TypeAttr:$to);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$x `to` $to attr-dict custom<OperandTypes>(ref($x), type($x))";
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Activations: those of several steps compute f16 and bf16 in f32
//===----------------------------------------------------------------------===//

def Graph_ReluOp : Graph_Unary<"relu", Graph_NumTensor, "max(x, 0)">;
def Graph_SigmoidOp : Graph_Unary<"sigmoid", Graph_FloatTensor, "1 / (1 + exp(-x))">;
def Graph_SiluOp : Graph_Unary<"silu", Graph_FloatTensor, "x * sigmoid(x)">;
def Graph_SoftplusOp : Graph_Unary<"softplus", Graph_FloatTensor, "log(1 + exp(x)), without overflow">;
def Graph_SoftsignOp : Graph_Unary<"softsign", Graph_FloatTensor, "x / (1 + |x|)">;
def Graph_MishOp : Graph_Unary<"mish", Graph_FloatTensor, "x * tanh(softplus(x))">;
def Graph_HardSwishOp : Graph_Unary<"hard_swish", Graph_FloatTensor, "x * clip(x / 6 + 1 / 2, 0, 1)">;
def Graph_PreluOp : Graph_Binary<"prelu", Graph_NumTensor, "lhs where not below 0, else rhs * lhs">;

class Graph_Activation<string mnemonic, string text, dag parameters, string format>
    : Graph_Elementwise<mnemonic> {
  let summary = text;
  let arguments = !con((ins Graph_FloatTensor:$x), parameters);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = "$x " # format # " attr-dict custom<OperandTypes>(ref($x), type($x))";
}

def Graph_GeluOp : Graph_Activation<"gelu",
    "x * Phi(x), by erf or by its tanh approximation",
    (ins UnitAttr:$tanh), "(`tanh` $tanh^)?">;
def Graph_LeakyReluOp : Graph_Activation<"leaky_relu", "x where not below 0, else alpha * x",
    (ins F64Attr:$alpha), "`alpha` `=` $alpha">;
def Graph_EluOp : Graph_Activation<"elu", "x where above 0, else alpha * (exp(x) - 1)",
    (ins F64Attr:$alpha), "`alpha` `=` $alpha">;
def Graph_CeluOp : Graph_Activation<"celu", "max(0, x) + min(0, alpha * (exp(x / alpha) - 1))",
    (ins F64Attr:$alpha), "`alpha` `=` $alpha">;
def Graph_SeluOp : Graph_Activation<"selu", "gamma * (x where above 0, else alpha * (exp(x) - 1))",
    (ins F64Attr:$alpha, F64Attr:$gamma), "`alpha` `=` $alpha `,` `gamma` `=` $gamma">;
def Graph_HardSigmoidOp : Graph_Activation<"hard_sigmoid", "clip(alpha * x + beta, 0, 1)",
    (ins F64Attr:$alpha, F64Attr:$beta), "`alpha` `=` $alpha `,` `beta` `=` $beta">;
def Graph_ThresholdedReluOp : Graph_Activation<"thresholded_relu", "x where above alpha, else 0",
    (ins F64Attr:$alpha), "`alpha` `=` $alpha">;
def Graph_ShrinkOp : Graph_Activation<"shrink",
    "x + bias below -lambda, x - bias above lambda, else 0",
    (ins F64Attr:$lambda, F64Attr:$bias), "`lambda` `=` $lambda `,` `bias` `=` $bias">;
def Graph_ClipOp : Graph_Activation<"clip", "min(max(x, low), high); NaN stays NaN",
    (ins F64Attr:$low, F64Attr:$high), "`low` `=` $low `,` `high` `=` $high">;

#endif // TENON_GRAPH_ELEMENTWISE_OPS_TD
