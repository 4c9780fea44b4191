//===- Rule.h - the rule dialect ------------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_RULE_IR_RULE_H
#define TENON_DIALECT_RULE_IR_RULE_H

#include "tenon/Dialect/Graph/IR/Graph.h"

#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tenon::rule {
class YieldOp;
} // namespace tenon::rule

#include "tenon/Dialect/Rule/IR/RuleDialect.h.inc"
#include "tenon/Dialect/Rule/IR/RuleEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "tenon/Dialect/Rule/IR/RuleAttrs.h.inc"

#include "tenon/Dialect/Rule/IR/RuleInterfaces.h.inc"

#define GET_OP_CLASSES
#include "tenon/Dialect/Rule/IR/RuleOps.h.inc"

namespace tenon::rule {

/// A tensor type in the short syntax of rules: `[m, k]` for f32, `[m, k] of
/// i64`, or any type in full.
mlir::ParseResult parseShortType(mlir::AsmParser &parser, mlir::Type &type);
void printShortType(mlir::AsmPrinter &printer, mlir::Type type);

/// A condition over integers, such as `k >= 1`.
mlir::FailureOr<ConditionAttr> parseCondition(mlir::AsmParser &parser);

/// Visits the symbols of a type's sizes or of an op's `#graph.dims` attributes.
void visitSymbols(mlir::Type type,
                  llvm::function_ref<void(llvm::StringRef)> visit);
void visitSymbols(mlir::Operation *op,
                  llvm::function_ref<void(llvm::StringRef)> visit);

/// Whether f32 operands represent other element types as well. This is not so
/// if an op states types, as constants and casts do, or has a number that f16
/// does not hold.
bool hasGenericElements(RuleOp rule);

/// A hash (SHA-256, hexadecimal) of the statement of a verified rule: of its
/// text without name, locations and comments. Equal statements have equal
/// hashes.
std::string hashStatement(RuleOp rule);

} // namespace tenon::rule

#endif // TENON_DIALECT_RULE_IR_RULE_H
