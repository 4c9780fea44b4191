//===- SizeFacts.h - what holds of sizes for all values of symbols --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SymInt's normal form decides equality of polynomials only. These queries also
// see through floordiv, max and min: a claim is proved by showing, with MLIR's
// Presburger library, that no assignment contradicts it. Every symbol is a size
// and so at least 0; a divisor is not 0.
//
// A query that gives false was not proved: it may be false for some sizes, or
// beyond the procedure, whose work is bounded by counts, so that answers do not
// depend on the machine. Nothing is ever proved of an unknown size.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_IR_SIZEFACTS_H
#define TENON_DIALECT_GRAPH_IR_SIZEFACTS_H

#include "tenon/Dialect/Graph/IR/SymInt.h"

namespace tenon::graph {

/// a >= b for all sizes.
bool provablyAtLeast(const SymInt &a, const SymInt &b);
/// a == b for all sizes. Unlike `operator==`, which is about the normal forms
/// and agrees with hashes, this is about values.
bool provablyEqual(const SymInt &a, const SymInt &b);
/// a != b for all sizes.
bool provablyUnequal(const SymInt &a, const SymInt &b);

/// An expression of the same value, for all sizes, that is no longer: a linear
/// expression, or one of the maxima and minima inside `value`, if that is all
/// that `value` comes to.
SymInt simplify(const SymInt &value);

/// While it lives, queries of its thread take `value` to be at least 0, and so
/// do the maxima and minima that are made: for expressions that are used only
/// where that holds.
class SizeAssumption {
public:
  explicit SizeAssumption(const SymInt &value);
  ~SizeAssumption();
  SizeAssumption(const SizeAssumption &) = delete;
  SizeAssumption &operator=(const SizeAssumption &) = delete;
};

} // namespace tenon::graph

#endif // TENON_DIALECT_GRAPH_IR_SIZEFACTS_H
