//===- LinearIndex.h - index expressions as sums of multiples -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one linear normal form of index expressions (IndexForm.h), and ranges of
// the values that they take. Coefficients and bounds may be symbolic.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_ANALYSIS_LINEARINDEX_H
#define TENON_DIALECT_GRAPH_ANALYSIS_LINEARINDEX_H

#include "tenon/Dialect/Graph/IR/IndexForm.h"

#include "llvm/ADT/DenseMap.h"

#include <map>
#include <optional>

namespace tenon::graph {

/// Whether two index expressions are built alike. Expressions with loads are
/// equal only if they are the same expression.
bool isSameIndex(const Expr &a, const Expr &b);

/// Whether `root` contains variable `var`, in the indices of loads as well.
bool usesVar(const Expr &root, unsigned var);

/// Whether a load of rank `rank` reads at the variables 0 to rank - 1, in
/// order.
bool loadsOwnIndex(const Expr &load, size_t rank);

/// How many leading indices of a load are the variables 0, 1, ..., in order.
unsigned countOwnIndices(const Expr &load);

/// The sum of a constant and of multiples of distinct index expressions, which
/// are variables or expressions without a linear form.
struct LinearIndex {
  struct Term {
    Expr index;
    SymInt coefficient; // not 0
  };
  llvm::SmallVector<Term, 4> terms;
  SymInt constant = 0;

  /// Whether all terms are multiples of variables.
  bool isAffine() const;
  /// The coefficient of a variable; 0 if no term is a multiple of it. A term
  /// without a linear form may still depend on the variable.
  SymInt getCoefficient(unsigned var) const;
  /// Adds `factor` * `index`, which has no linear form of its own.
  void add(const Expr &index, const SymInt &factor);
  void add(const LinearIndex &other, const SymInt &factor);
  Expr getExpr() const;
};

/// A sum of variables times sizes, plus a size, in the order of the variables.
struct AffineForm {
  std::map<unsigned, SymInt> coefficients;
  SymInt constant = 0;

  SymInt coefficient(unsigned var) const {
    auto it = coefficients.find(var);
    return it == coefficients.end() ? SymInt(0) : it->second;
  }
};

/// The affine form of an index expression; nothing if its linear form has a
/// term that is not a variable.
std::optional<AffineForm> getAffineForm(const Expr &index);

/// The values that an index takes: low <= index <= high, with both ends. A
/// bound that is absent is not known.
struct IndexInterval {
  std::optional<SymInt> low, high;
};

/// The values of the variables of an index form. They are known because
/// elements are computed only at indices of the result and of reductions.
class IndexRanges {
public:
  /// Result variables 0, 1, ... range over [0, shape[axis]), and those that
  /// reductions in `body` bind over [0, extent).
  IndexRanges(llvm::ArrayRef<SymInt> shape, const Expr &body);

  IndexInterval get(const Expr &index) const;
  /// Of a sum, from the ranges of its terms.
  IndexInterval get(const LinearIndex &index) const;
  /// The extent of a variable, if it is a size.
  std::optional<SymInt> getExtent(unsigned var) const;

private:
  llvm::DenseMap<unsigned, SymInt> extents;
};

/// The linear form of an index expression. With `ranges`, quotients and
/// remainders are resolved if the ranges decide them: (4 * i + j) floordiv 4 is
/// i, and (4 * i + j) mod 4 is j, if 0 <= j < 4.
LinearIndex getLinearIndex(const Expr &index,
                           const IndexRanges *ranges = nullptr);

} // namespace tenon::graph

#endif // TENON_DIALECT_GRAPH_ANALYSIS_LINEARINDEX_H
