//===- RuleParts.h - rules taken apart and put together ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_GENERATE_RULEPARTS_H
#define TENON_LIB_GENERATE_RULEPARTS_H

#include "tenon/Dialect/Rule/IR/Instantiate.h"

#include "mlir/IR/OwningOpRef.h"

#include <set>

namespace tenon::generate {

using Values = mlir::FailureOr<llvm::SmallVector<mlir::Value>>;
/// Builds the results of a side (0: source, 1: target).
using SideBuilder = llvm::function_ref<Values(mlir::OpBuilder &, unsigned side,
                                              mlir::ValueRange operands)>;

/// The signature and the conditions of a rule.
struct Head {
  llvm::SmallVector<mlir::Type> types;
  llvm::SmallVector<std::string> names;
  llvm::SmallVector<mlir::Attribute> conditions, valueConditions;
  llvm::SmallVector<int64_t> lifted;
};

Head getHead(rule::RuleOp rule);
/// The symbols, in the order of their names.
std::set<std::string> getSymbols(rule::RuleOp rule);
graph::SymInt substitute(const graph::SymInt &size,
                         const rule::SymbolMap &symbols);
/// Replaces symbols in types and conditions.
void substitute(Head &head, const rule::SymbolMap &symbols);
mlir::Region &getSide(rule::RuleOp rule, unsigned side);
Values buildSide(mlir::OpBuilder &builder, rule::RuleOp rule, unsigned side,
                 mlir::ValueRange operands,
                 const rule::SymbolMap &symbols = {});
/// Builds a rule, with the name of `like`. Returns null if it is not valid.
mlir::OwningOpRef<rule::RuleOp> build(rule::RuleOp like, const Head &head,
                                      SideBuilder buildOne);
/// Builds an op of the graph dialect. Returns null if an operand is null, or if
/// the op is not valid.
mlir::Value buildOp(mlir::OpBuilder &builder, llvm::StringRef name,
                    mlir::ValueRange operands,
                    llvm::ArrayRef<mlir::NamedAttribute> attributes = {});
/// An attribute of sizes.
mlir::NamedAttribute getSizes(mlir::Builder &builder, llvm::StringRef name,
                              llvm::ArrayRef<graph::SymInt> sizes);
/// Returns true if a condition on the elements of an operand exists.
bool isConstrained(rule::RuleOp rule, unsigned operand);
/// `name`, or a similar one that is not taken; it is taken then.
std::string makeFresh(llvm::StringRef name, std::set<std::string> &taken);

} // namespace tenon::generate

#endif // TENON_LIB_GENERATE_RULEPARTS_H
