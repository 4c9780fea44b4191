//===- SizeArithmetic.cpp - exact quotients of sizes ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SizeArithmetic.h"

#include "../GraphBuilder.h"

#include "tenon/Dialect/Graph/IR/SizeFacts.h"

using namespace tenon;
using namespace tenon::onnx;
using graph::Shape;
using graph::SymInt;

bool tenon::onnx::isAtLeast(const SymInt &value, int64_t least) {
  return graph::provablyAtLeast(value, SymInt(least));
}

std::optional<SymInt> tenon::onnx::divideExactly(const SymInt &total,
                                                 const SymInt &divisor) {
  if (total.isUnknown() || divisor.getTerms().size() != 1)
    return std::nullopt;
  if (divisor.getConstant() == 1)
    return total;
  const auto &[factors, scale] = *divisor.getTerms().begin();
  SymInt quotient(0);
  for (const auto &[monomial, coefficient] : total.getTerms()) {
    if (coefficient % scale)
      return std::nullopt;
    std::vector<SymInt::AtomRef> rest = monomial.atoms;
    for (const SymInt::AtomRef &factor : factors.atoms) {
      auto found = llvm::find_if(rest, [&](const SymInt::AtomRef &atom) {
        return atom->text == factor->text;
      });
      if (found == rest.end())
        return std::nullopt;
      rest.erase(found);
    }
    SymInt term(coefficient / scale);
    for (const SymInt::AtomRef &atom : rest) {
      switch (atom->kind) {
      case SymInt::AtomKind::Symbol:
        term = term * SymInt::symbol(atom->name);
        break;
      case SymInt::AtomKind::FloorDiv:
        term = term * atom->lhs->floorDiv(*atom->rhs);
        break;
      case SymInt::AtomKind::Max:
        term = term * SymInt::max(*atom->lhs, *atom->rhs);
        break;
      case SymInt::AtomKind::Min:
        term = term * SymInt::min(*atom->lhs, *atom->rhs);
        break;
      }
    }
    quotient = quotient + term;
  }
  return quotient;
}

std::optional<SymInt> tenon::onnx::remainingSize(llvm::ArrayRef<SymInt> from,
                                                 llvm::ArrayRef<SymInt> to) {
  // Cancel equal sizes of both sides, including sums.
  Shape left(from.begin(), from.end()), right;
  for (const SymInt &size : to) {
    auto found = llvm::find_if(left, [&](const SymInt &other) {
      return graph::provablyEqual(size, other);
    });
    if (found != left.end() && size.getConstant() != 0)
      left.erase(found);
    else
      right.push_back(size);
  }
  SymInt divisor = product(right);
  if (divisor.getConstant() == 0 || divisor.isUnknown())
    return std::nullopt;
  return divideExactly(product(left), divisor);
}
