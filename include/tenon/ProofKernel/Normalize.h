//===- Normalize.h - normalizing index forms to sums of products ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PROOFKERNEL_NORMALIZE_H
#define TENON_PROOFKERNEL_NORMALIZE_H

#include "tenon/ProofKernel/SumForm.h"

#include <set>

namespace tenon::prove {

class ElementSigns;
class Laws;

/// A case distinction for an index or condition: exactly one of the guards
/// holds.
using Pieces = std::vector<std::pair<FormulaRef, SymInt>>;

/// Converts expressions to normal forms. Index variable n becomes "%n".
class Normalizer {
public:
  enum class Mode {
    /// Operations are not changed: equal forms are the same operations on the
    /// same values.
    Exact,
    /// Sums and products are polynomials.
    Sums,
    /// Also, quotients are products with reciprocals, where 1/0 counts as 0.
    Quotients,
    /// Also, functions are rewritten by laws.
    Laws
  };

  /// Fresh index variables are numbered from `next` on. `laws` is needed for
  /// quotients and laws. With `signs`, functions that are not defined
  /// everywhere are known to be real numbers if their arguments have the
  /// required signs.
  explicit Normalizer(unsigned next, Mode mode = Mode::Exact,
                      Laws *laws = nullptr, ElementSigns *signs = nullptr)
      : next(next), mode(mode), known(laws),
        laws(mode == Mode::Laws ? laws : nullptr), signs(signs) {}

  /// Each returns nothing, and sets `reason`, for unsupported expressions.
  std::optional<Pieces> getIndex(const graph::Expr &index);
  FormulaRef getCondition(const graph::Expr &condition);
  /// The condition under which an i1 element is true.
  FormulaRef getTruth(const graph::Expr &element);
  std::optional<SumForm> getSum(const graph::Expr &element);

  /// The maximum or minimum, by `factor.fn`, of elements without cases.
  std::optional<SumForm> getExtremum(Factor factor, std::vector<SumForm> args,
                                     unsigned depth = 0);
  /// The product, multiplied out.
  std::optional<SumForm> multiply(const SumForm &a, const SumForm &b);

  std::string getFreshVar() { return getVarName(next++); }
  /// Renames all bound variables to fresh names.
  Term freshen(const Term &term, Substitution names = {});
  Factor freshen(const Factor &factor, Substitution names = {});
  SumForm freshen(const SumForm &form, const Substitution &names = {});

  std::string reason;
  /// The properties of real numbers that were used (rule::FloatClass).
  unsigned floatClass = 0;
  /// Whether all used properties hold in any commutative ring.
  bool ringOnly = true;
  /// Whether a quotient was kept as a function of two arguments.
  bool keptQuotient = false;
  /// What all elements so far took, in the unit of Solver::getWork.
  uint64_t getWork() const { return 20 * allParts; }

private:
  /// The number of terms and factors in all elements so far.
  size_t allParts = 0;
  std::optional<SumForm> compute(const graph::Expr &element);
  std::optional<SumForm> computeElement(const graph::Expr &element);
  FormulaRef getTruth(SumForm element);
  FormulaRef getComparison(const graph::Expr &comparison);
  FormulaRef getLess(const SumForm &a, const SumForm &b, mlir::Type type);
  SumForm getConstant(const graph::Expr &constant);
  std::optional<SumForm> getLoad(const graph::Expr &load);
  std::optional<SumForm> getApply(const graph::Expr &apply);
  /// Returns the same operations on the same values, in any mode.
  std::optional<SumForm> getExact(const graph::Expr &element);
  std::optional<SumForm> getReduce(const graph::Expr &reduce);
  std::optional<SumForm> getOpaque(Factor factor, std::vector<SumForm> args,
                                   unsigned depth = 0);
  std::optional<SumForm> getPower(const graph::Expr &power);
  std::optional<SumForm> getChoice(const graph::Expr &select);
  bool splitExtremum(Factor reduce, std::vector<SumForm> &parts);
  std::optional<SumForm> reciprocal(const SumForm &form, mlir::Type type);
  SumForm guard(const SumForm &form, const FormulaRef &condition);
  bool merge(SumForm &sum);
  std::nullopt_t fail(std::string why) {
    if (reason.empty())
      reason = std::move(why);
    return std::nullopt;
  }

  unsigned next;
  Mode mode;
  Laws *known;
  /// Null if functions are not rewritten.
  Laws *laws;
  ElementSigns *signs;
  std::map<std::pair<const graph::ExprNode *, Mode>, SumForm> done;
  std::set<std::pair<const graph::ExprNode *, Mode>> refused;
  /// Keeps memoized nodes alive, so that no other node gets the same address.
  std::vector<graph::Expr> kept;
};

} // namespace tenon::prove

#endif // TENON_PROOFKERNEL_NORMALIZE_H
