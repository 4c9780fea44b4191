//===- RuleOps.td - rules -------------------------------------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_RULE_OPS_TD
#define TENON_RULE_OPS_TD

include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tenon/Dialect/Rule/IR/RuleDialect.td"
include "tenon/Dialect/Rule/IR/RuleInterfaces.td"

class Rule_Op<string mnemonic, list<Trait> traits = []>
    : Op<Rule_Dialect, mnemonic, traits>;

def Rule_ConditionArrayAttr
    : TypedArrayAttrBase<Rule_ConditionAttr, "conditions">;

def Rule_ValueConditionArrayAttr
    : TypedArrayAttrBase<Rule_ValueConditionAttr, "conditions over elements">;

/// What states graphs over operands with names.
class Rule_Statement<string mnemonic> : Rule_Op<mnemonic, [IsolatedFromAbove,
    Symbol, Rule_SourceInterface,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeArrayAttr:$result_types,
                       StrArrayAttr:$argument_names,
                       DenseI64ArrayAttr:$lifted,
                       Rule_ConditionArrayAttr:$conditions,
                       OptionalAttr<Rule_ValueConditionArrayAttr>
                           :$value_conditions);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}

def Rule_RuleOp : Rule_Statement<"rule"> {
  let summary = "two graphs that compute the same, under conditions";
  let description = [{
    Where a model holds the source, the target may stand instead. Both regions
    get the rule's operands as arguments and yield its results. A tensor type is
    written as its sizes, `[m, 2 * k]`, which stands for f32 elements, read as
    real numbers; other types are written `[m, k] of i64` or in full.

    `where` lists conditions over the symbols. They are assumed by the proof and
    checked where the rule fires. Sizes are assumed to be at least 0. It also
    lists conditions over the elements of operands: `is_zero(%w)`, `is_ones(%w)`,
    `is_identity(%w)` (of a square matrix) and `is_positive(%w)`.

    `lifts` lists operands that may have further leading axes: the rule then
    holds, with these axes in front of every result, for matmuls of any rank.

    Constraints:

    1. The name is not empty, there is at least 1 result, and no size is `?`.
    2. Both sides hold ops of the graph dialect, but not `graph.parameter`, and
       end in `rule.yield` of values of the result types.
    3. The source uses every operand, yields results of ops only, and has no op
       that contributes to none of them.
    4. Each symbol stands alone as a size of an operand or as a parameter of an op
       of the source.
    5. An operand has at most one condition over its elements, which are of
       floating-point type; `is_identity` is of a square matrix that is not
       lifted.
    6. `lifts` names distinct operands.

    Example:

    ```mlir
    rule.rule @double_negation(%x: [n]) -> [n]
      source {
        %0 = graph.neg %x : tensor<?xf32, #graph.dims<n>>
        %1 = graph.neg %0 : tensor<?xf32, #graph.dims<n>>
        rule.yield %1 : [n]
      }
      target {
        rule.yield %x : [n]
      }
    ```
  }];
  let regions = (region SizedRegion<1>:$source, SizedRegion<1>:$target);
  let extraClassDeclaration = [{
    YieldOp getSourceYield();
    YieldOp getTargetYield();
    /// Symbols, in the order of PatternOp::getSymbols. The verifier ensures that
    /// the target and the conditions have no others.
    ::llvm::SmallVector<std::string> getSymbols();
  }];
}

def Rule_PatternOp : Rule_Statement<"pattern"> {
  let summary = "a graph that a backend can compute, under conditions";
  let description = [{
    The kernel of a backend computes the results of the source from its operands,
    for all values of the symbols that satisfy the conditions. The syntax is that
    of a rule without target. Element types are exact: `[m, k]` is of f32.

    `lifts` lists operands that may have further leading axes, all the same: the
    results then have them too, and the kernel computes them item by item.

    Constraints:

    1. Those of `rule.rule` for the source, operands, symbols and conditions.
    2. If operands are lifted, every result has their further axes.

    Example:

    ```mlir
    rule.pattern @matmul(%a: [m, k], %b: [k, n]) -> [m, n]
      lifts [%a, %b]
      source {
        %0 = graph.matmul %a, %b : (tensor<?x?xf32, #graph.dims<m, k>>, tensor<?x?xf32, #graph.dims<k, n>>) -> tensor<?x?xf32, #graph.dims<m, n>>
        rule.yield %0 : [m, n]
      }
      where [k >= 1]
    ```
  }];
  let regions = (region SizedRegion<1>:$source);
  let extraClassDeclaration = [{
    /// Symbols in the order in which they appear: in the sizes of the operands,
    /// then in the attributes of the source's ops, op by op, of each op in the
    /// order of the attributes' names.
    ::llvm::SmallVector<std::string> getSymbols();
  }];
}

def Rule_YieldOp : Rule_Op<"yield", [Pure, Terminator, ReturnLike,
                                     ParentOneOf<["RuleOp", "PatternOp"]>]> {
  let summary = "the results of one side of a rule, or of a pattern";
  let description = [{
    Types are those of the values, written as in the rule's head.

    Constraints:

    1. The op ends a region of a `rule.rule` or a `rule.pattern`.
    2. The values have the types of its results.

    Example:

    ```mlir
    rule.rule @double_reverse(%x: [n]) -> [n]
      source {
        %0 = graph.reverse %x axes = [0]
        %1 = graph.reverse %0 axes = [0]
        rule.yield %1
      }
      target {
        rule.yield %x
      }
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$values);
  let assemblyFormat = [{
    ($values^ custom<YieldTypes>(ref($values), type($values)))? attr-dict
  }];
}

#endif // TENON_RULE_OPS_TD
