//===- Instantiate.h - one side of a rule at given sizes ------------------===//
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

/// The values of a rule's symbols.
using SymbolMap = std::map<std::string, graph::SymInt>;

/// `dims` with symbols replaced.
graph::DimsAttr substitute(graph::DimsAttr dims, const SymbolMap &symbols);

/// The attributes of `op`, an op of a rule, if operands have further leading
/// axes: those of the sizes `batch`, for operands whose `lifted` is set.
/// `resultLifted` is set if the results have these axes, too. Fails, with a
/// reason, for ops that don't pass leading axes through unchanged.
mlir::FailureOr<mlir::DictionaryAttr>
getInstanceAttributes(mlir::Operation *op, const SymbolMap &symbols,
                      llvm::ArrayRef<bool> lifted,
                      llvm::ArrayRef<graph::SymInt> batch, bool &resultLifted,
                      std::string &reason);

/// Builds the ops of `side` (source or target of a rule) for `operands`, with
/// symbols replaced. Operands whose `lifted` is set have further leading axes,
/// all the same. Types are inferred. Fails, with a reason, if an op does not
/// lift or is not valid for these operands; ops built so far are erased.
/// `mesh`: the names of the leading axes, if these are of a mesh; collectives
/// become what they mean over its ranks, and operands that are not lifted are
/// the same on all of them.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
instantiate(mlir::OpBuilder &builder, mlir::Location loc, mlir::Region &side,
            mlir::ValueRange operands, const SymbolMap &symbols,
            llvm::ArrayRef<bool> lifted, llvm::ArrayRef<graph::SymInt> batch,
            std::string &reason, llvm::ArrayRef<mlir::StringAttr> mesh = {});

} // namespace tenon::rule

#endif // TENON_DIALECT_RULE_IR_INSTANTIATE_H
