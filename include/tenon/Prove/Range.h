//===- Range.h - finding rules that lose accuracy -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PROVE_RANGE_H
#define TENON_PROVE_RANGE_H

#include "tenon/Dialect/Rule/IR/Rule.h"

#include <optional>
#include <string>

namespace tenon::prove {

/// A test of what the kernel derives (tenon/ProofKernel/CheckRange.h): looks
/// for inputs at which the target of `rule` loses accuracy, although both sides
/// are equal over the reals: its error is more than 100 times the source's.
/// Tries some small sizes, in the types of the rule's statement, on operands of
/// up to 1e4 (1e2 if the rule has f16) that are uniform, of all magnitudes, or
/// with a mean much larger than their spread; and on operands so large that
/// products of two of them overflow (where only an overflow of the target
/// counts, if no value that the source computes overflows; not of a rule that
/// needs finite values). Returns a description of the inputs, or
/// nothing if there are none.
///
/// The error of a side is the largest difference of a result's elements from
/// the source's in f64. The source's error is taken to be at least what one
/// rounding of each operand and of the result would cause. Operands are results
/// of other computations, and without this lower bound, a sum that happens to
/// round nothing would make every regrouping of it a loss. A target that is not
/// finite where the source is finite has an unbounded error. Elements at which
/// the source is not finite are skipped.
std::optional<std::string> findRangeChange(rule::RuleOp rule, bool needsFinite);

} // namespace tenon::prove

#endif // TENON_PROVE_RANGE_H
