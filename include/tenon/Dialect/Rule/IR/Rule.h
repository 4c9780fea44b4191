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

/// A tensor type as rules write it: `[m, k]` for f32, `[m, k] of i64`, or any
/// type in full.
mlir::ParseResult parseShortType(mlir::AsmParser &parser, mlir::Type &type);
void printShortType(mlir::AsmPrinter &printer, mlir::Type type);

/// A condition over integers, `k >= 1`.
mlir::FailureOr<ConditionAttr> parseCondition(mlir::AsmParser &parser);

/// The symbols of a type's sizes or of the `#graph.dims` attributes of an op.
void visitSymbols(mlir::Type type,
                  llvm::function_ref<void(llvm::StringRef)> visit);
void visitSymbols(mlir::Operation *op,
                  llvm::function_ref<void(llvm::StringRef)> visit);

/// Whether operands of f32 stand for other element types, too: not where an op
/// names types, as constants and casts do, or has a number that f16 has not.
bool hasGenericElements(RuleOp rule);

/// A hash (SHA-256, hexadecimal) of what a verified rule states: of its text
/// without name, locations and comments. Equal statements have equal hashes.
std::string hashStatement(RuleOp rule);

} // namespace tenon::rule

#endif // TENON_DIALECT_RULE_IR_RULE_H
