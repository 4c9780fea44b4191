//===- Retype.h - rules of other element types ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PROOFKERNEL_RETYPE_H
#define TENON_PROOFKERNEL_RETYPE_H

#include "tenon/Dialect/Rule/IR/Rule.h"

namespace tenon::prove {

/// A copy of `rule`, which has generic elements, in which `element` stands for
/// f32. Null where its ops are not for these elements.
mlir::OwningOpRef<rule::RuleOp> getRetyped(rule::RuleOp rule,
                                           mlir::Type element);

} // namespace tenon::prove

#endif // TENON_PROOFKERNEL_RETYPE_H
