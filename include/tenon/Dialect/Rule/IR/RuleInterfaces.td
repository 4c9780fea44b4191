//===- RuleInterfaces.td - what can be matched ----------------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_RULE_INTERFACES_TD
#define TENON_RULE_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Rule_SourceInterface : OpInterface<"SourceInterface"> {
  let cppNamespace = "::tenon::rule";
  let description = [{
    A graph over operands with names, which can be looked for in a model under
    conditions: the source of a rule, or a pattern.
  }];
  let methods = [
    InterfaceMethod<"The graph.", "::mlir::Region &", "getSource">,
    InterfaceMethod<"Numbers of the operands that may have further axes.",
                    "::llvm::ArrayRef<int64_t>", "getLifted">,
    InterfaceMethod<"Names of the operands.", "::mlir::ArrayAttr",
                    "getArgumentNames">,
    InterfaceMethod<"Types of the results.", "::mlir::ArrayAttr",
                    "getResultTypes">,
    InterfaceMethod<"Conditions over sizes.", "::mlir::ArrayAttr",
                    "getConditions">,
    InterfaceMethod<"Conditions over elements.",
                    "std::optional<::mlir::ArrayAttr>", "getValueConditions">
  ];
  let extraSharedClassDeclaration = [{
    ::mlir::TypeRange getArgumentTypes() {
      return $_op.getSource().getArgumentTypes();
    }
    ::llvm::SmallVector<::mlir::Type> getResultTypeList() {
      return ::llvm::to_vector(
          $_op.getResultTypes().template getAsValueRange<::mlir::TypeAttr>());
    }
    ::llvm::StringRef getArgumentName(unsigned number) {
      return ::llvm::cast<::mlir::StringAttr>($_op.getArgumentNames()[number])
          .getValue();
    }
    ::llvm::SmallVector<ConditionAttr> getConditionList() {
      return ::llvm::to_vector(
          $_op.getConditions().template getAsRange<ConditionAttr>());
    }
    ::llvm::SmallVector<ValueConditionAttr> getValueConditionList() {
      if (std::optional<::mlir::ArrayAttr> list = $_op.getValueConditions())
        return ::llvm::to_vector(
            list->template getAsRange<ValueConditionAttr>());
      return {};
    }
    /// As in the text: `is_zero(%w)`.
    std::string str(ValueConditionAttr condition) {
      return (stringifyValueKind(condition.getKind()) + "(%" +
              getArgumentName(condition.getOperand()) + ")")
          .str();
    }
  }];
}

#endif // TENON_RULE_INTERFACES_TD
