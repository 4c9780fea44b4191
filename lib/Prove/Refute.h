//===- Refute.h - places where the two sides of a rule differ -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PROVE_REFUTE_H
#define TENON_LIB_PROVE_REFUTE_H

#include "tenon/Dialect/Rule/IR/Certificate.h"
#include "tenon/Dialect/Rule/IR/Rule.h"

namespace tenon::prove {

/// Evaluates both sides at `trials` small choices of the symbols that satisfy
/// the conditions. In the prime field of 2^61 - 1 elements where all ops are
/// ring or field operations, so that a difference is a difference for real
/// numbers too (up to a chance of about 2^-50), else in doubles with a wide
/// tolerance. Gives the first difference; sets `evaluated` to the number of
/// choices at which both sides could be evaluated.
///
/// A target that is no number (a division by zero, the logarithm of -1) where
/// the source is one is a difference; with `anyUndefined`, for rules that no
/// proof was found of, the converse too.
std::optional<rule::Counterexample> refute(rule::RuleOp rule, unsigned trials,
                                           unsigned &evaluated,
                                           bool anyUndefined = false);

} // namespace tenon::prove

#endif // TENON_LIB_PROVE_REFUTE_H
