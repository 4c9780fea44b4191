//===- RuleVariants.h - rules that follow from other rules ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_GENERATE_RULEVARIANTS_H
#define TENON_GENERATE_RULEVARIANTS_H

#include "tenon/Dialect/Rule/IR/Rule.h"

#include "mlir/IR/OwningOpRef.h"

#include <random>

namespace tenon::generate {

/// Changes `rule` in random steps that preserve its truth: symbols and operands
/// are renamed, also to names that are used elsewhere; an op is applied to an
/// operand or a result on both sides; operands are identified; a symbol is
/// replaced by a number or another symbol; the rule is stated together with
/// `partner`, or its result is an operand of `partner`. Rules with equal
/// operands and results get equal steps from equal states of `random`. Returns
/// null if the result is not a valid rule.
mlir::OwningOpRef<rule::RuleOp>
makeVariant(rule::RuleOp rule, rule::RuleOp partner, std::mt19937_64 &random);

/// Returns the rule whose target is that of `rule` at the first `size`
/// positions along an axis of its first result, and that of `wrong` elsewhere.
/// Both rules must have the same source. Returns null if the result has no
/// axis, or its elements are not numbers.
mlir::OwningOpRef<rule::RuleOp> hideBehindIndex(rule::RuleOp rule,
                                                rule::RuleOp wrong,
                                                int64_t size,
                                                std::mt19937_64 &random);

} // namespace tenon::generate

#endif // TENON_GENERATE_RULEVARIANTS_H
