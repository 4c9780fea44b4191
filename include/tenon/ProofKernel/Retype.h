//===- Retype.h - changing the element types of rules ---------------------===//
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

/// Returns a copy of `rule`, which has generic elements, with `element` instead
/// of f32. Returns null if its ops do not support these elements.
mlir::OwningOpRef<rule::RuleOp> getRetyped(rule::RuleOp rule,
                                           mlir::Type element);

} // namespace tenon::prove

#endif // TENON_PROOFKERNEL_RETYPE_H
