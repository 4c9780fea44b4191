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

class Rule_Op<string mnemonic, list<Trait> traits = []>
    : Op<Rule_Dialect, mnemonic, traits>;

def Rule_ConditionArrayAttr
    : TypedArrayAttrBase<Rule_ConditionAttr, "conditions">;

def Rule_ValueConditionArrayAttr
    : TypedArrayAttrBase<Rule_ValueConditionAttr, "conditions over elements">;

def Rule_RuleOp : Rule_Op<"rule", [IsolatedFromAbove, Symbol,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
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
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeArrayAttr:$result_types,
                       StrArrayAttr:$argument_names,
                       DenseI64ArrayAttr:$lifted,
                       Rule_ConditionArrayAttr:$conditions,
                       OptionalAttr<Rule_ValueConditionArrayAttr>
                           :$value_conditions);
  let regions = (region SizedRegion<1>:$source, SizedRegion<1>:$target);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::TypeRange getArgumentTypes() {
      return getSource().getArgumentTypes();
    }
    ::llvm::SmallVector<::mlir::Type> getResultTypeList();
    YieldOp getSourceYield();
    YieldOp getTargetYield();
    ::llvm::StringRef getArgumentName(unsigned number);
    ::llvm::SmallVector<ConditionAttr> getConditionList();
    ::llvm::SmallVector<ValueConditionAttr> getValueConditionList();
    /// As in the text of the rule: `is_zero(%w)`.
    std::string str(ValueConditionAttr condition);
  }];
}

def Rule_YieldOp : Rule_Op<"yield", [Pure, Terminator, ReturnLike,
                                     HasParent<"RuleOp">]> {
  let summary = "the results of one side of a rule";
  let arguments = (ins Variadic<AnyRankedTensor>:$values);
  let assemblyFormat = [{
    ($values^ `:` custom<ShortTypes>(type($values)))? attr-dict
  }];
}

#endif // TENON_RULE_OPS_TD
