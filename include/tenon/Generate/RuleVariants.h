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

/// Changes `rule` in random steps that keep it true if it is: symbols and
/// operands are renamed, to names in use elsewhere too; an op is applied to an
/// operand or a result of both sides; operands become one; a symbol becomes a
/// number or another symbol; the rule is stated together with `partner`, or its
/// result is an operand of `partner`. Rules with equal operands and results get
/// equal steps from equal states of `random`. Null if what comes out states
/// nothing valid.
mlir::OwningOpRef<rule::RuleOp>
makeVariant(rule::RuleOp rule, rule::RuleOp partner, std::mt19937_64 &random);

/// The rule whose target is that of `rule` at the first `size` places along an
/// axis of its first result, and that of `wrong` elsewhere. Both have one
/// source. Null where the result has no axis, or is not of numbers.
mlir::OwningOpRef<rule::RuleOp> hideBehindIndex(rule::RuleOp rule,
                                                rule::RuleOp wrong,
                                                int64_t size,
                                                std::mt19937_64 &random);

} // namespace tenon::generate

#endif // TENON_GENERATE_RULEVARIANTS_H
