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

/// A value in double, with a bound on its difference from a computation in the
/// element's own type (forward error analysis).
struct BoundedValue {
  Cell cell{};
  double error = 0;
  /// The computation may have taken another branch than the doubles, or
  /// overflowed its type, so no bound holds.
  bool excluded = false;
};

/// Half the distance from 1 to the next number of the type.
double unitRoundoff(Kind kind);

BoundedValue boundConstant(Kind kind, double number, int64_t integer);
BoundedValue boundApply(ScalarFn fn, Kind kind, const BoundedValue &a,
                        const BoundedValue &b);
/// The result of an undecided choice between two elements, of which the doubles
/// selected `chosen`. It has a bound only if the choice is continuous, as in a
/// relu near 0, since then the error of a wrong choice is small.
BoundedValue boundChoice(Kind kind, const BoundedValue &chosen,
                         const BoundedValue &other);
BoundedValue boundCast(Kind from, Kind to, const BoundedValue &value);

/// A reduction in progress, in an unknown order.
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
  bool isFinite = true; // for all terms so far
  bool isCoarse = true; // for all terms so far: their sums are exact
};

} // namespace tenon::interpret

#endif // TENON_LIB_INTERPRET_ERRORBOUNDS_H
