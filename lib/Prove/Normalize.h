//===- Normalize.h - index forms to sums of products ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PROVE_NORMALIZE_H
#define TENON_LIB_PROVE_NORMALIZE_H

#include "SumForm.h"

#include "llvm/ADT/DenseMap.h"

namespace tenon::prove {

class Laws;

/// An index or condition by cases: exactly one of the guards holds.
using Pieces = std::vector<std::pair<FormulaRef, SymInt>>;

/// Turns expressions into normal forms. Index variable n becomes "%n".
class Normalizer {
public:
  /// Fresh index variables are numbered from `next` on. With `laws`, functions
  /// are rewritten by them.
  explicit Normalizer(unsigned next, Laws *laws = nullptr)
      : next(next), laws(laws) {}

  /// Each gives nothing, and sets `reason`, for what it can't express.
  std::optional<Pieces> getIndex(const graph::Expr &index);
  FormulaRef getCondition(const graph::Expr &condition);
  std::optional<SumForm> getSum(const graph::Expr &element);

  /// The product, multiplied out.
  std::optional<SumForm> multiply(const SumForm &a, const SumForm &b);

  std::string getFreshVar() { return getVarName(next++); }
  /// The term with fresh names for all variables that it binds.
  Term freshen(const Term &term);

  std::string reason;
  /// What was used of the laws of real numbers (rule::FloatClass).
  unsigned floatClass = 0;
  /// Whether all that was used holds in any commutative ring.
  bool ringOnly = true;

private:
  std::optional<SumForm> compute(const graph::Expr &element);
  std::optional<SumForm> getLoad(const graph::Expr &load);
  std::optional<SumForm> getApply(const graph::Expr &apply);
  std::optional<SumForm> getReduce(const graph::Expr &reduce);
  std::optional<SumForm> getOpaque(Factor factor, std::vector<SumForm> args,
                                   unsigned depth = 0);
  bool splitExtremum(Factor reduce, std::vector<SumForm> &parts);
  std::optional<SumForm> reciprocal(const SumForm &form);
  SumForm guard(const SumForm &form, const FormulaRef &condition);
  bool merge(SumForm &sum);
  std::nullopt_t fail(std::string why) {
    if (reason.empty())
      reason = std::move(why);
    return std::nullopt;
  }

  unsigned next;
  Laws *laws;
  llvm::DenseMap<const graph::ExprNode *, SumForm> done;
  /// Keeps memoized nodes alive, so that no other gets their address.
  std::vector<graph::Expr> kept;
};

} // namespace tenon::prove

#endif // TENON_LIB_PROVE_NORMALIZE_H
