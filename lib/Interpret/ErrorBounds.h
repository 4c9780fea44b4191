//===- ErrorBounds.h - numbers with error bounds ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_INTERPRET_ERRORBOUNDS_H
#define TENON_LIB_INTERPRET_ERRORBOUNDS_H

#include "Arithmetic.h"

namespace tenon::interpret {

/// A value in double, and how far from it a computation in the element's own
/// type may be (forward error analysis).
struct BoundedValue {
  Cell cell{};
  double error = 0;
  /// The computation may have taken another branch than the doubles did, or
  /// have left the range of its type: no bound holds.
  bool excluded = false;
};

/// Half the distance from 1 to the next number of the type.
double unitRoundoff(Kind kind);

BoundedValue boundConstant(Kind kind, double number, int64_t integer);
BoundedValue boundApply(ScalarFn fn, Kind kind, const BoundedValue &a,
                        const BoundedValue &b);
/// What an undecided choice of one of two elements gives, `chosen` by the
/// doubles. Bounded only where the choice is continuous, as in a relu near 0:
/// then it hardly matters.
BoundedValue boundChoice(Kind kind, const BoundedValue &chosen,
                         const BoundedValue &other);
BoundedValue boundCast(Kind from, Kind to, const BoundedValue &value);

/// A reduction in progress, whose order is not known.
class BoundedReduction {
public:
  BoundedReduction(ReduceKind reduce, Kind kind);
  void add(const BoundedValue &value);
  BoundedValue finish() const;

private:
  ReduceKind reduce;
  Kind kind;
  BoundedValue total;
  double magnitudes = 0, errors = 0;
  double low, high; // of the result, for max and min
  int64_t count = 0;
  bool isFinite = true; // every term so far
  bool isCoarse = true; // every term so far: sums of them are exact
};

} // namespace tenon::interpret

#endif // TENON_LIB_INTERPRET_ERRORBOUNDS_H
