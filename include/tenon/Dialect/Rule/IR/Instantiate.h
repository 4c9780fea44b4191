//===- Instantiate.h - one side of a rule with given sizes ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_RULE_IR_INSTANTIATE_H
#define TENON_DIALECT_RULE_IR_INSTANTIATE_H

#include "tenon/Dialect/Rule/IR/Rule.h"

namespace tenon::rule {

/// Symbols of a rule and what they stand for.
using SymbolMap = std::map<std::string, graph::SymInt>;

/// `dims` with symbols replaced.
graph::DimsAttr substitute(graph::DimsAttr dims, const SymbolMap &symbols);

/// The attributes of `op`, an op of a rule, for operands that have further
/// leading axes: `batch` (their sizes) for those whose `lifted` is set.
/// `resultLifted` says whether the results have them too. Fails, with a reason,
/// for ops that don't carry leading axes through unchanged.
mlir::FailureOr<mlir::DictionaryAttr>
getInstanceAttributes(mlir::Operation *op, const SymbolMap &symbols,
                      llvm::ArrayRef<bool> lifted,
                      llvm::ArrayRef<graph::SymInt> batch, bool &resultLifted,
                      std::string &reason);

/// Builds the ops of `side` (source or target of a rule) for `operands`, with
/// symbols replaced. Operands may have further leading axes, all the same,
/// where `lifted` is set. Types are inferred. Fails, with a reason, where an op
/// does not lift or is not valid for these operands; ops built so far are
/// erased.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
instantiate(mlir::OpBuilder &builder, mlir::Location loc, mlir::Region &side,
            mlir::ValueRange operands, const SymbolMap &symbols,
            llvm::ArrayRef<bool> lifted, llvm::ArrayRef<graph::SymInt> batch,
            std::string &reason);

} // namespace tenon::rule

#endif // TENON_DIALECT_RULE_IR_INSTANTIATE_H
