//===- RuleDialect.td - the rule dialect ----------------------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_RULE_DIALECT_TD
#define TENON_RULE_DIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Rule_Dialect : Dialect {
  let name = "rule";
  let cppNamespace = "::tenon::rule";
  let summary = "rewrites of tensor graphs, as theorems to be proved";
  let description = [{
    A rule states that two graphs compute the same for all sizes that satisfy
    its conditions. Sizes and integer parameters are symbols; both sides are
    ops of the graph dialect, so a rule means what its ops mean and nothing
    else. See docs/rules.md.
  }];
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::tenon::graph::GraphDialect"];
}

def Rule_ConditionKind : I32EnumAttr<"ConditionKind", "how two integers relate", [
    I32EnumAttrCase<"Equal", 0, "eq">,
    I32EnumAttrCase<"AtLeast", 1, "ge">,
    I32EnumAttrCase<"Divides", 2, "divides">]> {
  let cppNamespace = "::tenon::rule";
  let genSpecializedAttr = 0;
}

def Rule_ConditionAttr : AttrDef<Rule_Dialect, "Condition"> {
  let mnemonic = "condition";
  let summary = "a condition over the integers of a rule";
  let description = [{
    `a == b`, `a >= b` (in rules also written `a > b`, `a <= b`, `a < b`; as an
    attribute of its own `a eq b`, `a ge b`), or `a divides b`, which means that
    a is at least 1 and b a multiple of it.

    Example: `#rule.condition<g divides c>`.
  }];
  let parameters = (ins "ConditionKind":$kind,
                        "::tenon::graph::DimsAttr":$sides);
  let builders = [
    AttrBuilder<(ins "ConditionKind":$kind, "const ::tenon::graph::SymInt &":$lhs,
                     "const ::tenon::graph::SymInt &":$rhs)>
  ];
  let extraClassDeclaration = [{
    using SymInt = ::tenon::graph::SymInt;
    SymInt getLhs() const { return getSides().getEntry(0); }
    SymInt getRhs() const { return getSides().getEntry(1); }
    /// As in the text of a rule: `k >= 1`.
    std::string str() const;
    /// Returns whether the condition holds for all sizes that the symbols can
    /// have, after `replace`, or nullopt if that cannot be decided.
    std::optional<bool> evaluate(
        ::llvm::function_ref<std::optional<SymInt>(::llvm::StringRef)> replace)
        const;
  }];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Rule_ValueKind : I32EnumAttr<"ValueKind", "what holds for all elements", [
    I32EnumAttrCase<"Zero", 0, "is_zero">,
    I32EnumAttrCase<"Ones", 1, "is_ones">,
    I32EnumAttrCase<"Identity", 2, "is_identity">,
    I32EnumAttrCase<"Positive", 3, "is_positive">]> {
  let cppNamespace = "::tenon::rule";
  let genSpecializedAttr = 0;
}

def Rule_ValueConditionAttr : AttrDef<Rule_Dialect, "ValueCondition"> {
  let mnemonic = "value_condition";
  let summary = "a condition over the elements of an operand of a rule";
  let description = [{
    All elements of the operand of this number are (positive) zero, are one, are
    finite and above zero; or the operand is the identity matrix. In rules
    written with the operand's name, `is_zero(%w)`.

    Example: `#rule.value_condition<is_zero 1>`.
  }];
  let parameters = (ins EnumParameter<Rule_ValueKind>:$kind,
                        "unsigned":$operand);
  let assemblyFormat = "`<` $kind $operand `>`";
}

#endif // TENON_RULE_DIALECT_TD
