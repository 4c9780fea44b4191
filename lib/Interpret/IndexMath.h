//===- IndexMath.h - index expressions as linear sums ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_INTERPRET_INDEXMATH_H
#define TENON_LIB_INTERPRET_INDEXMATH_H

#include "tenon/Dialect/Graph/IR/IndexForm.h"
#include "llvm/ADT/DenseMap.h"

namespace tenon::interpret {

/// Rounds towards negative infinity. Division by zero gives 0: forms divide by
/// sizes, and elements of empty tensors are never evaluated.
inline int64_t floorDiv(int64_t a, int64_t b) {
  if (b == 0)
    return 0;
  int64_t quotient = a / b;
  return (a % b != 0) && ((a < 0) != (b < 0)) ? quotient - 1 : quotient;
}
inline int64_t floorMod(int64_t a, int64_t b) {
  return b == 0 ? 0 : a - floorDiv(a, b) * b;
}

/// The range of an index expression, including both ends. Empty if low > high.
struct Interval {
  int64_t low, high;
  static Interval everything() { return {INT64_MIN, INT64_MAX}; }
  bool isBounded() const { return low != INT64_MIN && high != INT64_MAX; }
  bool isInside(int64_t from, int64_t to) const {
    return low >= from && high <= to;
  }
};

/// Computes ranges of the index expressions of one form with constant sizes.
class Intervals {
public:
  /// Result variables range over [0, shape[axis]).
  Intervals(llvm::ArrayRef<int64_t> shape, const graph::Expr &body);
  Interval of(const graph::Expr &index);

private:
  Interval compute(const graph::Expr &index);
  llvm::DenseMap<unsigned, Interval> vars;
  llvm::DenseMap<const graph::ExprNode *, Interval> known;
  /// Keeps expressions alive whose ranges are stored by address.
  std::vector<graph::Expr> kept;
};

/// constant + sum of coefficient * term, where each term is a variable or
/// another index expression. Terms are distinct, and coefficients are not zero.
struct NumericIndex {
  int64_t constant = 0;
  llvm::SmallVector<std::pair<graph::Expr, int64_t>, 4> terms;

  void add(const graph::Expr &term, int64_t coefficient);
  void add(const NumericIndex &other, int64_t factor);
};

/// With `intervals`, remainders are expanded, x mod n = x - n * (x div n), and
/// quotients are merged if terms cancel, as in the offset of a reshaped
/// element.
NumericIndex linearize(const graph::Expr &index,
                       Intervals *intervals = nullptr);

/// Collects the free variables of an expression.
void collectVars(const graph::Expr &expr,
                 llvm::SmallVectorImpl<unsigned> &vars);

} // namespace tenon::interpret

#endif // TENON_LIB_INTERPRET_INDEXMATH_H
