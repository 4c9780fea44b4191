//===- Refute.h - finding counterexamples to rules ------------------------===//
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
/// the conditions. If all ops are ring or field operations, this is done in the
/// prime field of 2^61 - 1 elements, where a difference is also a difference
/// over the reals (except with a probability of about 2^-50); otherwise in f64
/// with a large tolerance. Returns the first difference, and sets `evaluated`
/// to the number of choices at which both sides could be evaluated.
///
/// If the target is not a number (a division by zero, the logarithm of -1) but
/// the source is, that is a difference. With `anyUndefined`, for rules without
/// a proof, the converse is a difference, too. Ends early when the trials take
/// too long; adds the steps of what was computed to `steps`
/// (tenon/Prove/Instances.h).
std::optional<rule::Counterexample> refute(rule::RuleOp rule, unsigned trials,
                                           unsigned &evaluated,
                                           bool anyUndefined, uint64_t &steps);

} // namespace tenon::prove

#endif // TENON_LIB_PROVE_REFUTE_H
