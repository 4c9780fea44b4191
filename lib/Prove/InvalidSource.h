//===- InvalidSource.h - sizes at which a source means nothing ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PROVE_INVALIDSOURCE_H
#define TENON_LIB_PROVE_INVALIDSOURCE_H

#include "tenon/Dialect/Rule/IR/Certificate.h"
#include "tenon/Dialect/Rule/IR/Rule.h"

namespace tenon::prove {

/// Small sizes that satisfy the conditions of `rule` at which its source is not
/// valid, if any are found.
std::optional<rule::Counterexample> findInvalidSource(rule::RuleOp rule);

} // namespace tenon::prove

#endif // TENON_LIB_PROVE_INVALIDSOURCE_H
