//===- NormalizeIndices.cpp - normalizing indices and conditions to cases -===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/ProofKernel/Normalize.h"

#include "llvm/ADT/STLExtras.h"

using namespace tenon;
using namespace tenon::prove;
using graph::Expr;
using graph::ExprKind;

/// The maximum number of cases of an index.
static constexpr size_t maxPieces = 2048;

std::optional<Pieces> Normalizer::getIndex(const Expr &index) {
  llvm::ArrayRef<Expr> operands = index->operands;
  switch (index.getKind()) {
  case ExprKind::Size:
    if (index->size.isUnknown())
      return fail("a size is not known");
    return Pieces{{Formula::always(), index->size}};
  case ExprKind::Var:
    return Pieces{{Formula::always(), SymInt::symbol(getVarName(index->var))}};
  case ExprKind::IndexSelect: {
    FormulaRef condition = getCondition(operands[0]);
    std::optional<Pieces> then = getIndex(operands[1]);
    std::optional<Pieces> otherwise = getIndex(operands[2]);
    if (!condition || !then || !otherwise)
      return std::nullopt;
    Pieces pieces;
    for (auto &[guard, term] : *then)
      pieces.emplace_back(Formula::conjunction(condition, guard), term);
    condition = Formula::negation(condition);
    for (auto &[guard, term] : *otherwise)
      pieces.emplace_back(Formula::conjunction(condition, guard), term);
    return pieces;
  }
  case ExprKind::FromElement:
    return fail("an index depends on data");
  default:
    break;
  }
  std::optional<Pieces> left = getIndex(operands[0]);
  std::optional<Pieces> right = getIndex(operands[1]);
  if (!left || !right)
    return std::nullopt;
  Pieces pieces;
  for (auto &[leftGuard, a] : *left)
    for (auto &[rightGuard, b] : *right) {
      FormulaRef guard = Formula::conjunction(leftGuard, rightGuard);
      if (guard->isFalse())
        continue;
      switch (index.getKind()) {
      case ExprKind::IndexAdd:
        pieces.emplace_back(guard, a + b);
        break;
      case ExprKind::IndexMul:
        pieces.emplace_back(guard, a * b);
        break;
      case ExprKind::IndexFloorDiv:
        pieces.emplace_back(guard, a.floorDiv(b));
        break;
      case ExprKind::IndexMod:
        pieces.emplace_back(guard, a.mod(b));
        break;
      case ExprKind::IndexMin:
      case ExprKind::IndexMax: {
        bool isMin = index.getKind() == ExprKind::IndexMin;
        FormulaRef first = Formula::lessEqual(isMin ? a : b, isMin ? b : a);
        pieces.emplace_back(Formula::conjunction(guard, first), a);
        pieces.emplace_back(
            Formula::conjunction(guard, Formula::negation(first)), b);
        break;
      }
      default:
        llvm_unreachable("not an index");
      }
      if (pieces.back().second.isUnknown())
        return fail("an index overflows 64 bits or divides by zero");
      if (pieces.size() > maxPieces)
        return fail("an index falls into too many cases");
    }
  return pieces;
}

FormulaRef Normalizer::getCondition(const Expr &condition) {
  llvm::ArrayRef<Expr> operands = condition->operands;
  switch (condition.getKind()) {
  case ExprKind::True:
    return Formula::always();
  case ExprKind::Not: {
    FormulaRef a = getCondition(operands[0]);
    return a ? Formula::negation(a) : nullptr;
  }
  case ExprKind::And:
  case ExprKind::Or: {
    FormulaRef a = getCondition(operands[0]), b = getCondition(operands[1]);
    if (!a || !b)
      return nullptr;
    return condition.getKind() == ExprKind::And ? Formula::conjunction(a, b)
                                                : Formula::disjunction(a, b);
  }
  case ExprKind::FromBoolElement:
    return getTruth(operands[0]);
  default:
    break;
  }
  std::optional<Pieces> left = getIndex(operands[0]);
  std::optional<Pieces> right = getIndex(operands[1]);
  if (!left || !right)
    return nullptr;
  FormulaRef result = Formula::never();
  for (auto &[leftGuard, a] : *left)
    for (auto &[rightGuard, b] : *right) {
      FormulaRef holds = condition.getKind() == ExprKind::IndexLess
                             ? Formula::less(a, b)
                         : condition.getKind() == ExprKind::IndexLessEqual
                             ? Formula::lessEqual(a, b)
                             : Formula::equal(a, b);
      result = Formula::disjunction(
          result, Formula::conjunction(
                      Formula::conjunction(leftGuard, rightGuard), holds));
    }
  // An unknown condition can be neither assumed nor negated.
  if (result->isUnknown()) {
    fail("an index overflows 64 bits or divides by zero");
    return nullptr;
  }
  return result;
}
