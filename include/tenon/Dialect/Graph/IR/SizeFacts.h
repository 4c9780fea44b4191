//===- SizeFacts.h - provable facts about sizes ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SymInt's normal form decides only the equality of polynomials. These queries
// also handle floordiv, max and min: a claim is proved by showing with MLIR's
// Presburger library that no assignment contradicts it. Every symbol is a size
// and so at least 0; a divisor is not 0.
//
// If a query returns false, the claim was not proved: it may be false for some
// sizes, or beyond the procedure. The work is bounded by counts, so that
// answers do not depend on the machine. Nothing is ever proved about an unknown
// size.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_IR_SIZEFACTS_H
#define TENON_DIALECT_GRAPH_IR_SIZEFACTS_H

#include "tenon/Dialect/Graph/IR/SymInt.h"

namespace tenon::graph {

/// Proves a >= b for all sizes.
bool provablyAtLeast(const SymInt &a, const SymInt &b);
/// Proves a == b for all sizes. Unlike `operator==`, which compares normal
/// forms and is consistent with hashes, this compares values.
bool provablyEqual(const SymInt &a, const SymInt &b);
/// Proves a != b for all sizes.
bool provablyUnequal(const SymInt &a, const SymInt &b);

/// Returns an expression of the same value, for all sizes, that is no longer
/// than `value`: a linear expression, one of the maxima and minima inside
/// `value`, or an operand of its maxima, minima and floordivs, if that provably
/// equals `value`; otherwise `value`.
SymInt simplify(const SymInt &value);

/// During its lifetime, queries of this thread assume that `value` is at least
/// 0, and so does the construction of maxima and minima. For expressions that
/// are used only if the assumption holds.
class SizeAssumption {
public:
  explicit SizeAssumption(const SymInt &value);
  ~SizeAssumption();
  SizeAssumption(const SizeAssumption &) = delete;
  SizeAssumption &operator=(const SizeAssumption &) = delete;
};

} // namespace tenon::graph

#endif // TENON_DIALECT_GRAPH_IR_SIZEFACTS_H
