//===- LinearIndex.cpp - index expressions as sums of multiples -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/Analysis/LinearIndex.h"
#include "tenon/Dialect/Graph/IR/SizeFacts.h"

#include "llvm/ADT/STLExtras.h"

using namespace tenon;
using namespace tenon::graph;

bool graph::isSameIndex(const Expr &a, const Expr &b) {
  if (a.getPointer() == b.getPointer())
    return true;
  if (a.getKind() != b.getKind())
    return false;
  switch (a.getKind()) {
  case ExprKind::Size:
    return a->size == b->size;
  case ExprKind::Var:
    return a->var == b->var;
  case ExprKind::IndexAdd:
  case ExprKind::IndexMul:
  case ExprKind::IndexFloorDiv:
  case ExprKind::IndexMod:
  case ExprKind::IndexMin:
  case ExprKind::IndexMax:
    return isSameIndex(a->operands[0], b->operands[0]) &&
           isSameIndex(a->operands[1], b->operands[1]);
  default:
    return false;
  }
}

bool graph::usesVar(const Expr &root, unsigned var) {
  bool found = false;
  walk(root, [&](Expr node) {
    found |= node.getKind() == ExprKind::Var && node->var == var;
  });
  return found;
}

unsigned graph::countOwnIndices(const Expr &load) {
  unsigned count = 0;
  while (count < load->operands.size() &&
         load->operands[count].getKind() == ExprKind::Var &&
         load->operands[count]->var == count)
    ++count;
  return count;
}

bool graph::loadsOwnIndex(const Expr &load, size_t rank) {
  return load->operands.size() == rank && countOwnIndices(load) == rank;
}

//===----------------------------------------------------------------------===//
// Linear forms
//===----------------------------------------------------------------------===//

bool LinearIndex::isAffine() const {
  return llvm::all_of(terms, [](const Term &term) {
    return term.index.getKind() == ExprKind::Var;
  });
}

SymInt LinearIndex::getCoefficient(unsigned var) const {
  for (const Term &term : terms)
    if (term.index.getKind() == ExprKind::Var && term.index->var == var)
      return term.coefficient;
  return 0;
}

void LinearIndex::add(const Expr &index, const SymInt &factor) {
  if (factor == SymInt(0))
    return;
  for (auto it = terms.begin(); it != terms.end(); ++it) {
    if (!isSameIndex(it->index, index))
      continue;
    it->coefficient = it->coefficient + factor;
    if (it->coefficient == SymInt(0))
      terms.erase(it);
    return;
  }
  terms.push_back({index, factor});
}

void LinearIndex::add(const LinearIndex &other, const SymInt &factor) {
  constant = constant + other.constant * factor;
  for (const Term &term : other.terms)
    add(term.index, term.coefficient * factor);
}

Expr LinearIndex::getExpr() const {
  Expr sum = Expr::index(0);
  for (const Term &term : terms)
    sum = Expr::addIndex(
        sum, Expr::mulIndex(term.index, Expr::size(term.coefficient)));
  return Expr::addIndex(sum, Expr::size(constant));
}

std::optional<AffineForm> graph::getAffineForm(const Expr &index) {
  LinearIndex linear = getLinearIndex(index);
  if (!linear.isAffine())
    return std::nullopt;
  AffineForm form;
  form.constant = linear.constant;
  for (const LinearIndex::Term &term : linear.terms)
    form.coefficients[term.index->var] = term.coefficient;
  return form;
}

/// Splits `index` into `divisor` * quotient + rest, by the coefficients that
/// are multiples of the divisor.
static std::pair<LinearIndex, LinearIndex> splitBy(const LinearIndex &index,
                                                   const SymInt &divisor) {
  LinearIndex quotient, rest;
  auto divide = [&](const SymInt &value) -> std::optional<SymInt> {
    SymInt result = value.floorDiv(divisor);
    if (result * divisor == value)
      return result;
    return std::nullopt;
  };
  for (const LinearIndex::Term &term : index.terms) {
    if (std::optional<SymInt> factor = divide(term.coefficient))
      quotient.add(term.index, *factor);
    else
      rest.add(term.index, term.coefficient);
  }
  const SymInt::Terms &own = index.constant.getTerms(),
                      &all = divisor.getTerms();
  if (std::optional<SymInt> factor = divide(index.constant)) {
    quotient.constant = *factor;
  } else {
    // 5 n = 2 (2 n) + n.
    if (own.size() == 1 && all.size() == 1 &&
        own.front().first == all.front().first && own.front().second > 0 &&
        all.front().second > 0)
      quotient.constant = own.front().second / all.front().second;
    rest.constant = index.constant - quotient.constant * divisor;
  }
  return {quotient, rest};
}

static bool isWithin(const IndexInterval &interval, const SymInt &size) {
  return interval.low && interval.high &&
         provablyAtLeast(*interval.low, SymInt(0)) &&
         provablyAtLeast(size - 1, *interval.high);
}

/// The linear form of a quotient or a remainder.
static LinearIndex divide(const Expr &index, const IndexRanges &ranges) {
  LinearIndex result;
  bool isQuotient = index.getKind() == ExprKind::IndexFloorDiv;
  const Expr &divisorExpr = index->operands[1];
  if (divisorExpr.getKind() != ExprKind::Size ||
      !provablyAtLeast(divisorExpr->size, SymInt(1))) {
    result.add(index, 1);
    return result;
  }
  const SymInt &divisor = divisorExpr->size;
  auto [quotient, rest] =
      splitBy(getLinearIndex(index->operands[0], &ranges), divisor);
  bool isRemainder = isWithin(ranges.get(rest), divisor);
  if (isQuotient) {
    result = quotient;
    if (!isRemainder)
      result.add(Expr::floorDivIndex(rest.getExpr(), divisorExpr), 1);
    return result;
  }
  if (isRemainder)
    return rest;
  result.add(Expr::modIndex(rest.getExpr(), divisorExpr), 1);
  return result;
}

LinearIndex graph::getLinearIndex(const Expr &index,
                                  const IndexRanges *ranges) {
  LinearIndex result;
  switch (index.getKind()) {
  case ExprKind::Size:
    result.constant = index->size;
    return result;
  case ExprKind::IndexAdd:
    result = getLinearIndex(index->operands[0], ranges);
    result.add(getLinearIndex(index->operands[1], ranges), 1);
    return result;
  case ExprKind::IndexMul: {
    LinearIndex a = getLinearIndex(index->operands[0], ranges);
    LinearIndex b = getLinearIndex(index->operands[1], ranges);
    if (!a.terms.empty())
      std::swap(a, b);
    if (!a.terms.empty())
      break;
    result.add(b, a.constant);
    return result;
  }
  case ExprKind::IndexFloorDiv:
  case ExprKind::IndexMod:
    if (ranges)
      return divide(index, *ranges);
    break;
  default:
    break;
  }
  result.add(index, 1);
  return result;
}
