//===- IntegerOrder.cpp - comparisons of integer elements -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/ProofKernel/IntegerOrder.h"

#include "llvm/ADT/StringRef.h"

using namespace tenon;
using namespace tenon::prove;
using graph::ScalarFn;

/// A sum of so many indices with so large coefficients is within i64 if indices
/// are below 2^44; beyond, elements wrap.
static constexpr size_t mostTerms = 8;
static constexpr int64_t largestCoefficient = int64_t(1) << 15;
static constexpr int64_t largestConstant = int64_t(1) << 31;

/// Whether the sum is within i64 for all indices and sizes that tensors have.
/// Products are not: those of elements may be of any size.
static bool isBounded(const SymInt &sum) {
  if (sum.isUnknown() || sum.getTerms().size() > mostTerms)
    return false;
  for (const auto &[monomial, coefficient] : sum.getTerms()) {
    int64_t largest =
        monomial.atoms.empty() ? largestConstant : largestCoefficient;
    if (monomial.atoms.size() > 1 || coefficient > largest ||
        coefficient < -largest)
      return false;
    for (const SymInt::AtomRef &atom : monomial.atoms)
      if (atom->kind != SymInt::AtomKind::Symbol &&
          (!isBounded(*atom->lhs) || !isBounded(*atom->rhs)))
        return false;
  }
  return true;
}

std::optional<SymInt> prove::getIndexNumber(const SumForm &element,
                                            mlir::Type type) {
  if (!type.isInteger(64) || type.isUnsignedInteger())
    return std::nullopt;
  SymInt sum(0);
  for (const Term &term : element.terms) {
    if (!term.vars.empty() || !term.factors.empty() || !term.domain->isTrue() ||
        term.denominator != 1)
      return std::nullopt;
    sum = sum + SymInt(term.numerator) * term.scale;
  }
  return isBounded(sum) ? std::optional(sum) : std::nullopt;
}

static IntegerSide getSide(const SumForm &form, mlir::Type type) {
  if (std::optional<SymInt> index = getIndexNumber(form, type))
    return {index, ""};
  return {std::nullopt, "int(" + getCanonicalText(form) + ")"};
}

std::optional<IntegerLess> prove::getIntegerLess(const SumForm &element) {
  const Factor *less = getOnlyFactor(element);
  if (!less || less->kind != Factor::Kind::Apply ||
      less->fn != ScalarFn::Less || !less->argType.isInteger(64) ||
      less->argType.isUnsignedInteger())
    return std::nullopt;
  return IntegerLess{getSide(less->args[0], less->argType),
                     getSide(less->args[1], less->argType)};
}
