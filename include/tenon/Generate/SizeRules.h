//===- SizeRules.h - rules that are true for some sizes -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Proofs assume what the ops of a source require of their sizes, and a source
// can also match where that does not hold: an op may broadcast a size of 1 for
// which a proof has the other size, and a divisor may be negative. These rules
// are often true for what a proof assumes, and false elsewhere.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_GENERATE_SIZERULES_H
#define TENON_GENERATE_SIZERULES_H

#include "tenon/Dialect/Rule/IR/Rule.h"

#include "mlir/IR/OwningOpRef.h"

#include <random>

namespace tenon::generate {

/// Returns `rule` with one or two of its symbols split: some of their
/// occurrences in the operands and the source have a symbol of its own. The
/// types of the target's results are made those of the source's. New symbols
/// are named after the old ones (`n_1` after `n`). Null if no symbol can be
/// split, or the result is not valid.
mlir::OwningOpRef<rule::RuleOp> splitSymbols(rule::RuleOp rule,
                                             std::mt19937_64 &random);

/// Returns a rule that leaves out a broadcast, a reshape or a slice before
/// sums, norms, products of matrices and the like. `like` gives the name. Null
/// if the result is not valid.
mlir::OwningOpRef<rule::RuleOp> makeSizeRule(rule::RuleOp like,
                                             std::mt19937_64 &random);

/// Returns `rule`, or a rule about one operand, with sizes or parameters that
/// are divided by a size that may be 0 or negative, and often with sums over
/// axes that have elements only then. Null if the result is not valid.
mlir::OwningOpRef<rule::RuleOp> addDivisor(rule::RuleOp rule,
                                           std::mt19937_64 &random);

} // namespace tenon::generate

#endif // TENON_GENERATE_SIZERULES_H
