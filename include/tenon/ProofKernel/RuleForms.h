//===- RuleForms.h - what the two sides of a rule mean --------------------===//
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

/// Replaces composite ops below `region` by what they mean, until only
/// primitives are left. False, with a reason, where an op has no index form.
bool expandComposites(mlir::Region &region, std::string &reason);

/// The index form of every result that `region`, a side of a rule, yields, over
/// its arguments; those whose elements a condition states are replaced by them.
/// Requires that expandComposites succeeded.
std::optional<llvm::SmallVector<graph::IndexForm>>
composeForms(mlir::Region &region, std::string &reason);

} // namespace tenon::prove

#endif // TENON_PROOFKERNEL_RULEFORMS_H
