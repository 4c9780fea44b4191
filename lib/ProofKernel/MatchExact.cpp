//===- MatchExact.cpp - matching of identical operations ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatchExact.h"

#include "llvm/ADT/STLExtras.h"

using namespace tenon;
using namespace tenon::prove;
using graph::Expr;
using graph::ExprKind;
using graph::ScalarFn;

/// The maximum number of node comparisons, since cases multiply.
static constexpr unsigned maxSteps = 4096;

namespace {
class ExactMatcher {
public:
  ExactMatcher(Solver &solver, unsigned next)
      : solver(solver), normalizer(next, Normalizer::Mode::Exact) {}

  bool match(const Expr &a, const Expr &b, const FormulaRef &context);

private:
  bool follows(const FormulaRef &context, const FormulaRef &goal) {
    return goal && solver.follows(context, goal) == Solver::Answer::Yes;
  }
  bool matchIndex(const Expr &a, const Expr &b, const FormulaRef &context);
  bool matchReduce(const Expr &a, const Expr &b, const FormulaRef &context);
  bool matchOperands(const Expr &a, const Expr &b, const FormulaRef &context);

  Solver &solver;
  Normalizer normalizer;
  unsigned steps = 0;
};
} // namespace

bool ExactMatcher::matchIndex(const Expr &a, const Expr &b,
                              const FormulaRef &context) {
  std::optional<Pieces> left = normalizer.getIndex(a);
  std::optional<Pieces> right = normalizer.getIndex(b);
  if (!left || !right)
    return false;
  for (auto &[leftGuard, x] : *left)
    for (auto &[rightGuard, y] : *right)
      if (!follows(Formula::conjunction(
                       context, Formula::conjunction(leftGuard, rightGuard)),
                   Formula::equal(x, y)))
        return false;
  return true;
}

bool ExactMatcher::matchReduce(const Expr &a, const Expr &b,
                               const FormulaRef &context) {
  if (a->reduce != b->reduce || a->vars.size() != b->vars.size())
    return false;
  // Use one name for both sides' variables; each ranges over the same box. No
  // variable of `a` is bound in `b`.
  unsigned highest = 0;
  for (unsigned var : b->vars)
    highest = std::max(highest, var + 1);
  llvm::SmallVector<Expr> names(highest);
  FormulaRef inside = context;
  for (auto [n, var] : llvm::enumerate(a->vars)) {
    Expr other = graph::substituteVars(b->operands[n], names);
    if (!matchIndex(a->operands[n], other, inside))
      return false;
    names[b->vars[n]] = Expr::var(var);
    Expr at = Expr::var(var);
    FormulaRef box = normalizer.getCondition(Expr::logicalAnd(
        Expr::lessEqual(Expr::index(0), at), Expr::less(at, a->operands[n])));
    if (!box)
      return false;
    inside = Formula::conjunction(inside, box);
  }
  size_t count = a->operands.size();
  FormulaRef leftGuard = normalizer.getCondition(a->operands[count - 2]);
  FormulaRef rightGuard = normalizer.getCondition(
      graph::substituteVars(b->operands[count - 2], names));
  if (!leftGuard || !rightGuard ||
      !follows(Formula::conjunction(inside, leftGuard), rightGuard) ||
      !follows(Formula::conjunction(inside, rightGuard), leftGuard))
    return false;
  return match(a->operands.back(),
               graph::substituteVars(b->operands.back(), names),
               Formula::conjunction(inside, leftGuard));
}

bool ExactMatcher::matchOperands(const Expr &a, const Expr &b,
                                 const FormulaRef &context) {
  if (a->operands.size() != b->operands.size())
    return false;
  for (const auto &[x, y] : llvm::zip(a->operands, b->operands))
    if (!match(x, y, context))
      return false;
  return true;
}

bool ExactMatcher::match(const Expr &a, const Expr &b,
                         const FormulaRef &context) {
  if (++steps > maxSteps)
    return false;
  if (a.getPointer() == b.getPointer() || context->isFalse())
    return true;
  // Decide the selections, or match both cases.
  for (bool first : {true, false}) {
    const Expr &side = first ? a : b;
    if (side.getKind() != ExprKind::Select)
      continue;
    FormulaRef condition = normalizer.getCondition(side->operands[0]);
    if (!condition)
      return false;
    bool matched = true;
    for (bool value : {true, false}) {
      FormulaRef inside = Formula::conjunction(
          context, value ? condition : Formula::negation(condition));
      if (solver.isImpossible(inside))
        continue;
      const Expr &kept = side->operands[value ? 1 : 2];
      matched =
          matched && (first ? match(kept, b, inside) : match(a, kept, inside));
    }
    return matched;
  }
  if (a.getKind() != b.getKind() || a->type != b->type)
    return false;
  switch (a.getKind()) {
  case ExprKind::Load:
    if (a->operand != b->operand)
      return false;
    for (const auto &[x, y] : llvm::zip(a->operands, b->operands))
      if (!matchIndex(x, y, context))
        return false;
    return true;
  case ExprKind::Constant:
    return a->integer == b->integer && llvm::bit_cast<uint64_t>(a->number) ==
                                           llvm::bit_cast<uint64_t>(b->number);
  case ExprKind::Apply:
    if (a->fn != b->fn)
      return false;
    if (matchOperands(a, b, context))
      return true;
    switch (a->fn) {
    case ScalarFn::Add:
    case ScalarFn::Mul:
      // The operation is commutative bit by bit, except for the payload of NaN.
      return match(a->operands[0], b->operands[1], context) &&
             match(a->operands[1], b->operands[0], context);
    default:
      return false;
    }
  case ExprKind::Cast:
    return matchOperands(a, b, context);
  case ExprKind::FromIndex:
    return matchIndex(a->operands[0], b->operands[0], context);
  case ExprKind::Reduce:
    return matchReduce(a, b, context);
  default:
    return false;
  }
}

bool prove::matchExact(Solver &solver, unsigned next, const Expr &a,
                       const Expr &b, const FormulaRef &context) {
  return ExactMatcher(solver, next).match(a, b, context);
}
