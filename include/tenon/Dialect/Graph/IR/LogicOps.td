//===- LogicOps.td - logic, bits, comparison ------------------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_GRAPH_LOGIC_OPS_TD
#define TENON_GRAPH_LOGIC_OPS_TD

include "tenon/Dialect/Graph/IR/ElementwiseBase.td"

def Graph_NotOp : Graph_Unary<"not", Graph_BoolTensor, "logical negation", [{
    `result[i]` is true if `x[i]` is false.}]>;

def Graph_AndOp : Graph_Binary<"and", Graph_BoolTensor, "logical conjunction", [{
    `result[i]` is true if both `lhs[i]` and `rhs[i]` are.}], [Commutative]>;

def Graph_OrOp : Graph_Binary<"or", Graph_BoolTensor, "logical disjunction", [{
    `result[i]` is true if `lhs[i]`, `rhs[i]` or both are.}], [Commutative]>;

def Graph_XorOp : Graph_Binary<"xor", Graph_BoolTensor, "exclusive or", [{
    `result[i]` is true if exactly one of `lhs[i]` and `rhs[i]` is.}],
    [Commutative]>;

def Graph_BitNotOp : Graph_Unary<"bit_not", Graph_IntTensor,
                                 "complements every bit", [{
    `result[i]` has the bits that `x[i]` has not: -1 - `x[i]` of signed types,
    255 - `x[i]` of ui8.}]>;

def Graph_BitAndOp : Graph_Binary<"bit_and", Graph_IntTensor, "bitwise and", [{
    `result[i]` has the bits that both `lhs[i]` and `rhs[i]` have.}],
    [Commutative]>;

def Graph_BitOrOp : Graph_Binary<"bit_or", Graph_IntTensor, "bitwise or", [{
    `result[i]` has the bits that `lhs[i]`, `rhs[i]` or both have.}],
    [Commutative]>;

def Graph_BitXorOp : Graph_Binary<"bit_xor", Graph_IntTensor,
                                  "bitwise exclusive or", [{
    `result[i]` has the bits that exactly one of `lhs[i]` and `rhs[i]` has.}],
    [Commutative]>;

def Graph_ShiftLeftOp : Graph_Binary<"shift_left", Graph_IntTensor,
    "lhs << rhs; 0 where rhs is not below the width", [{
    `result[i] = lhs[i] * 2 ^ rhs[i]`, wrapped to the width of the type. The
    result is 0 if `rhs[i]` is below 0 or not below the width.}]>;

def Graph_ShiftRightOp : Graph_Binary<"shift_right", Graph_IntTensor,
    "lhs >> rhs (arithmetic where signed)", [{
    `result[i] = floor(lhs[i] / 2 ^ rhs[i])`. If `rhs[i]` is below 0 or not
    below the width of the type, the result is 0, or -1 if `lhs[i] < 0`.}]>;

def Graph_RandomBitsOp : Graph_Binary<"random_bits", Graph_I64Tensor,
    "64 random bits for a counter and a key", [{
    `result[i]` has the first two words of the block that Philox 4x32-10
    (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011)
    gives for the counter `lhs[i]` and the key `rhs[i]`, the first word in the
    low bits.}]>;

def Graph_EqualOp : Graph_Binary<"equal", Graph_Tensor, "lhs == rhs, as i1", [{
    `result[i]` is true if `lhs[i] = rhs[i]`. NaN equals nothing, itself
    included; -0 equals +0.}], [Commutative], 1>;

def Graph_LessOp : Graph_Binary<"less", Graph_NumTensor, "lhs < rhs, as i1", [{
    `result[i]` is true if `lhs[i] < rhs[i]`, and false if one of them is
    NaN.}], [], 1>;

def Graph_LessEqualOp : Graph_Binary<"less_equal", Graph_NumTensor,
                                     "lhs <= rhs, as i1", [{
    `result[i]` is true if `lhs[i] <= rhs[i]`, and false if one of them is
    NaN.}], [], 1>;

def Graph_IsNanOp : Graph_Unary<"is_nan", Graph_FloatTensor,
                                "whether x is NaN, as i1", [{
    `result[i]` is true if `x[i]` is NaN.}], 1>;

def Graph_IsInfOp : Graph_Elementwise<"is_inf"> {
  let summary = "whether x is infinite, as i1";
  let description = [{
    `result[i]` is true if `x[i]` is an infinity: with `only_positive` only of
    +infinity, with `only_negative` only of -infinity, and with both never.

    Constraints:

    1. `result` has the shape of `x` and elements of i1.

    Example:

    ```mlir
    func.func @is_inf(%x: tensor<4xf32>) -> tensor<4xi1> {
      %0 = graph.is_inf %x only_negative : tensor<4xf32>
      return %0 : tensor<4xi1>
    }
    ```
  }];
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
  let description = [{
    `result[i]` is `then[i]` if `condition[i]` is true, else `otherwise[i]`.
    The element that is not chosen has no influence, even if it is NaN.

    Constraints:

    1. `condition`, `then` and `otherwise` have one shape.
    2. `then` and `otherwise` have one element type.
    3. `result` has this shape and element type.

    Example:

    ```mlir
    func.func @where(%c: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
      %0 = graph.where %c, %x, %y : tensor<4xi1>, tensor<4xf32>, tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins Graph_BoolTensor:$condition, Graph_Tensor:$then,
                       Graph_Tensor:$otherwise);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $condition `,` $then `,` $otherwise attr-dict
    custom<OperandTypes>(ref($condition), type($condition), ref($then),
                         type($then), ref($otherwise), type($otherwise))
  }];
}

#endif // TENON_GRAPH_LOGIC_OPS_TD
