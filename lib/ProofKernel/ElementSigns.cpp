//===- ElementSigns.cpp - signs of elements before normalization ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/ProofKernel/ElementSigns.h"

#include "tenon/Dialect/Graph/IR/Graph.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

#include <cmath>

using namespace tenon;
using namespace tenon::prove;
using graph::Expr;
using graph::ExprKind;
using graph::ReduceKind;
using graph::ScalarFn;

/// Whether two expressions are identical, including the names of bound
/// variables.
static bool areSame(const Expr &a, const Expr &b) {
  if (a.getPointer() == b.getPointer())
    return true;
  return a->kind == b->kind && a->type == b->type && a->size == b->size &&
         a->var == b->var && a->operand == b->operand &&
         llvm::bit_cast<uint64_t>(a->number) ==
             llvm::bit_cast<uint64_t>(b->number) &&
         a->integer == b->integer && a->fn == b->fn && a->reduce == b->reduce &&
         a->vars == b->vars && llvm::equal(a->operands, b->operands, areSame);
}

/// Bound variables get numbers above all others.
bool prove::isSquare(const Expr &a, const Expr &b) {
  constexpr unsigned above = 1u << 30;
  unsigned first = above, second = above;
  return areSame(graph::renameBound(a, first), graph::renameBound(b, second));
}

bool ElementSigns::has(Sign sign, const Expr &element) {
  if (!graph::isFloat(element->type))
    return false;
  auto key = std::make_pair(element.getPointer(), static_cast<unsigned>(sign));
  auto it = done.find(key);
  if (it != done.end())
    return it->second;
  bool result = compute(sign, element);
  kept.push_back(element);
  done[key] = result;
  return result;
}

bool ElementSigns::compute(Sign sign, const Expr &element) {
  switch (element.getKind()) {
  case ExprKind::Load:
    return sign == Real || operands.positive.count(element->operand) ||
           (sign == NotNegative &&
            operands.notNegative.count(element->operand));
  case ExprKind::Constant:
    return std::isfinite(element->number) &&
           (sign == Real || element->number > 0 ||
            (sign == NotNegative && element->number == 0));
  case ExprKind::FromIndex:
    return sign == Real || hasSize(sign, element);
  case ExprKind::Cast: {
    const Expr &from = element->operands[0];
    if (graph::isFloat(from->type))
      // A small number may be rounded to 0.
      return has(sign, from) && sign != Positive;
    return sign == Real || (from->type.isInteger(64) && hasSize(sign, from));
  }
  case ExprKind::Select:
    return has(sign, element->operands[1]) && has(sign, element->operands[2]);
  case ExprKind::Reduce:
    // A sum of no elements is 0, a product is 1, and a maximum is infinite.
    return (element->reduce == ReduceKind::Sum && sign != Positive &&
            has(sign, element->operands.back())) ||
           (element->reduce == ReduceKind::Prod &&
            has(sign, element->operands.back()));
  case ExprKind::Apply:
    return computeApply(sign, element);
  default:
    return false;
  }
}

/// Whether an element that is a size is at least 0 or, for Positive, 1.
bool ElementSigns::hasSize(Sign sign, const Expr &element) {
  if (element.getKind() != ExprKind::FromIndex ||
      element->operands[0].getKind() != ExprKind::Size)
    return false;
  SymInt least(sign == Positive ? 1 : 0);
  return solver.follows(
             known, Formula::lessEqual(least, element->operands[0]->size)) ==
         Solver::Answer::Yes;
}

bool ElementSigns::computeApply(Sign sign, const Expr &apply) {
  llvm::ArrayRef<Expr> args = apply->operands;
  auto all = [&](Sign asked) {
    return llvm::all_of(args, [&](const Expr &arg) { return has(asked, arg); });
  };
  switch (apply->fn) {
  case ScalarFn::Add:
    if (sign != Positive)
      return all(sign);
    return all(NotNegative) &&
           (has(Positive, args[0]) || has(Positive, args[1]));
  case ScalarFn::Mul:
    return all(sign) || (sign == NotNegative && isSquare(args[0], args[1]) &&
                         has(Real, args[0]));
  case ScalarFn::Div:
    return has(Positive, args[1]) && has(sign, args[0]);
  case ScalarFn::Sqrt:
    return has(sign == Positive ? Positive : NotNegative, args[0]);
  case ScalarFn::Log:
    return sign == Real && has(Positive, args[0]);
  case ScalarFn::Exp:
  case ScalarFn::Cosh:
    return has(Real, args[0]);
  case ScalarFn::Abs:
    return has(sign == Positive ? Positive : Real, args[0]);
  case ScalarFn::Max:
    return all(Real) &&
           (sign == Real || has(sign, args[0]) || has(sign, args[1]));
  case ScalarFn::Min:
    return all(sign);
  default:
    // A function of all real numbers.
    return sign == Real && graph::getFacts(apply->fn).domain.isReals() &&
           all(Real);
  }
}
