//===- RuleForms.h - index forms of both sides of a rule ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PROOFKERNEL_RULEFORMS_H
#define TENON_PROOFKERNEL_RULEFORMS_H

#include "tenon/Dialect/Graph/IR/IndexForm.h"
#include "tenon/Dialect/Rule/IR/Rule.h"

namespace tenon::prove {

/// Replaces composite ops below `region` by their decomposition, until only
/// primitives are left. Returns false, with a reason, if an op has no index
/// form.
bool expandComposites(mlir::Region &region, std::string &reason);

/// What a node of composed forms counts as work (Solver::charge).
constexpr uint64_t nodeWork = 10;

/// Returns the index form of every result that `region`, a side of a rule,
/// yields, over its arguments. Arguments whose elements a condition states are
/// replaced by these elements. Sets `readsData` if an index depended on data
/// (DataIndices.h). Requires that expandComposites succeeded. Fails if the
/// forms of all ops together have too many nodes, whose number is added to
/// `nodes`.
std::optional<llvm::SmallVector<graph::IndexForm>>
composeForms(mlir::Region &region, bool &readsData, size_t &nodes,
             std::string &reason);

/// Returns the number of the first index variable that no form uses.
unsigned getNextVar(llvm::ArrayRef<graph::IndexForm> forms);

} // namespace tenon::prove

#endif // TENON_PROOFKERNEL_RULEFORMS_H
