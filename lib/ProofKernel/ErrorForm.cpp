//===- ErrorForm.cpp - bounds of rounding errors --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ErrorForm.h"

#include "tenon/Dialect/Graph/IR/Graph.h"

#include <cmath>

using namespace tenon;
using namespace tenon::prove;
using graph::Expr;
using graph::ExprKind;
using graph::ReduceKind;
using graph::ScalarFn;

static Expr getAbs(const Expr &x) { return Expr::apply(ScalarFn::Abs, {x}); }
static Expr getProduct(const Expr &a, const Expr &b) {
  return Expr::apply(ScalarFn::Mul, {a, b});
}

/// A function of all of `values` of which nothing is known, so that it equals
/// another one only if these are equal. Proofs know nothing of remainders.
static Expr getUnknown(unsigned tag, llvm::ArrayRef<Expr> values) {
  Expr result = Expr::constant(tag, values.front()->type);
  for (const Expr &value : values)
    result = Expr::apply(ScalarFn::Fmod, {result, value});
  return result;
}
static unsigned getTag(ScalarFn fn) { return static_cast<unsigned>(fn) + 2; }

/// Whether nothing below `expr` is rounded: it consists of indices, integers,
/// and comparisons of elements as they were read.
static bool isExact(const Expr &expr) {
  bool exact = true;
  graph::walk(expr, [&](Expr node) {
    if (node.getSort() == graph::ExprSort::Element &&
        graph::isFloat(node->type))
      exact &= node.getKind() == ExprKind::Load ||
               node.getKind() == ExprKind::Constant;
  });
  return exact;
}

/// |x|, as far as factors go, or for Upper something larger.
Expr ErrorForms::getSize(const Expr &element) {
  const Bound &bound = compute(element);
  if (bound.isSize)
    return bound.error;
  llvm::ArrayRef<Expr> operands = element->operands;
  if (kind == Tight)
    return getAbs(element);
  if (element.getKind() == ExprKind::Cast)
    return Expr::cast(getSize(operands[0]), element->type);
  if (element.getKind() == ExprKind::Select)
    return Expr::select(operands[0], getSize(operands[1]),
                        getSize(operands[2]));
  if (element.getKind() == ExprKind::Reduce &&
      element->reduce == ReduceKind::Sum)
    return Expr::reduce(ReduceKind::Sum, element->vars, operands.drop_back(2),
                        operands.drop_back().back(), getSize(operands.back()));
  if (element.getKind() != ExprKind::Apply)
    return getAbs(element);
  const ScalarFn fn = element->fn;
  if (fn == ScalarFn::Add || fn == ScalarFn::Sub)
    return Expr::apply(ScalarFn::Add,
                       {getSize(operands[0]), getSize(operands[1])});
  if (fn == ScalarFn::Mul)
    return getProduct(getSize(operands[0]), getSize(operands[1]));
  return fn == ScalarFn::Neg ? getSize(operands[0]) : getAbs(element);
}

const ErrorForms::Bound &ErrorForms::compute(const Expr &element) {
  auto it = done.find(element.getPointer());
  if (it != done.end())
    return it->second.second;
  Bound bound;
  switch (element.getKind()) {
  case ExprKind::Load:
    if (llvm::all_of(element->operands, isExact))
      bound = {Expr::load(element->operand + absoluteOperands,
                          element->operands, element->type),
               true};
    break;
  case ExprKind::Constant:
    // An infinity that is meant is exact.
    if (std::isinf(element->number))
      bound = {Expr::constant(0, element->type), false};
    else if (!std::isnan(element->number))
      bound = {Expr::constant(std::abs(element->number), element->type), true};
    break;
  case ExprKind::FromIndex:
    if (isExact(element->operands[0]))
      bound = {isNotNegative(element) ? element : getAbs(element), true};
    break;
  case ExprKind::Cast: {
    const Expr &from = element->operands[0];
    if (!graph::isFloat(from->type)) {
      if (isExact(from))
        bound = {isNotNegative(element) ? element : getAbs(element), true};
    } else if (const Bound &inner = compute(from); inner.error) {
      bound = {Expr::cast(inner.error, element->type), inner.isRelative,
               inner.isSize};
    }
    break;
  }
  case ExprKind::Select: {
    const Bound &then = compute(element->operands[1]);
    const Bound &otherwise = compute(element->operands[2]);
    if (then.error && otherwise.error && isExact(element->operands[0]))
      bound = {Expr::select(element->operands[0], then.error, otherwise.error),
               then.isRelative && otherwise.isRelative,
               then.isSize && otherwise.isSize};
    break;
  }
  case ExprKind::Reduce:
    bound = computeReduce(element);
    break;
  case ExprKind::Apply:
    if (llvm::all_of(element->operands, [&](const Expr &operand) {
          return graph::isFloat(operand->type) && compute(operand).error;
        }))
      bound = computeApply(element);
    break;
  default:
    break;
  }
  // What cancels is smaller than its elements, which only Upper ignores.
  bound.isSize = bound.isRelative || (bound.isSize && kind == Upper);
  return done.try_emplace(element.getPointer(), element, bound)
      .first->second.second;
}

ErrorForms::Bound ErrorForms::computeReduce(const Expr &reduce) {
  const Expr &body = reduce->operands.back();
  const Bound inner = compute(body);
  size_t count = reduce->operands.size();
  llvm::ArrayRef<Expr> operands = reduce->operands;
  if (!inner.error || !llvm::all_of(operands.drop_back(), isExact))
    return {};
  auto over = [&](ReduceKind kind, const Expr &values) {
    return Expr::reduce(kind, reduce->vars, operands.take_front(count - 2),
                        operands[count - 2], values);
  };
  switch (reduce->reduce) {
  case ReduceKind::Sum:
    return {over(ReduceKind::Sum, inner.error),
            inner.isRelative && isNotNegative(body), inner.isSize};
  case ReduceKind::Prod:
    if (inner.isRelative)
      return {over(ReduceKind::Prod, inner.error), true};
    return {over(ReduceKind::Prod, getUnknown(0, {body, inner.error})), false};
  case ReduceKind::Max:
  case ReduceKind::Min:
    if (inner.isRelative)
      return {getAbs(reduce), true};
    return {over(ReduceKind::Max, getUnknown(1, {body, inner.error})), false};
  }
  llvm_unreachable("unknown reduction");
}

ErrorForms::Bound ErrorForms::computeSum(const Expr &a, const Expr &b,
                                         bool subtracts) {
  const Bound left = compute(a), right = compute(b);
  return {Expr::apply(ScalarFn::Add, {left.error, right.error}),
          left.isRelative && right.isRelative && !subtracts &&
              isNotNegative(a) && isNotNegative(b),
          left.isSize && right.isSize};
}

ErrorForms::Bound ErrorForms::computeProduct(const Expr &a, const Expr &b) {
  const Bound left = compute(a), right = compute(b);
  // One of the two is enough, since a bound is at least the absolute value.
  if (left.isSize || right.isSize)
    return {getProduct(left.error, right.error),
            left.isRelative && right.isRelative, left.isSize && right.isSize};
  return {Expr::apply(ScalarFn::Add, {getProduct(getSize(a), right.error),
                                      getProduct(left.error, getSize(b))}),
          false};
}

ErrorForms::Bound ErrorForms::computeQuotient(const Expr &a, const Expr &b) {
  const Bound left = compute(a), right = compute(b);
  if (right.isRelative)
    return {Expr::apply(ScalarFn::Div, {left.error, right.error}),
            left.isRelative, left.isSize};
  // The error of 1 / b.
  Expr inverse = getUnknown(getTag(ScalarFn::Div), {b, right.error});
  Expr error = getProduct(getSize(a), inverse);
  if (!left.isRelative)
    error = Expr::apply(
        ScalarFn::Add,
        {error, Expr::apply(ScalarFn::Div, {left.error, getAbs(b)})});
  return {error, false};
}

/// A function whose error depends on its arguments and on their errors.
ErrorForms::Bound ErrorForms::computeOpaque(const Expr &apply) {
  llvm::SmallVector<Expr> values;
  for (const Expr &operand : apply->operands) {
    values.push_back(operand);
    values.push_back(compute(operand).error);
  }
  return {getUnknown(getTag(apply->fn), values), false};
}

ErrorForms::Bound ErrorForms::computeApply(const Expr &apply) {
  llvm::ArrayRef<Expr> args = apply->operands;
  const Bound first = compute(args[0]);
  const bool allRelative = llvm::all_of(
      args, [&](const Expr &arg) { return compute(arg).isRelative; });
  const ScalarFn fn = apply->fn;
  if (fn == ScalarFn::Add || fn == ScalarFn::Sub)
    return computeSum(args[0], args[1], fn == ScalarFn::Sub);
  if (fn == ScalarFn::Mul)
    return computeProduct(args[0], args[1]);
  if (fn == ScalarFn::Div)
    return computeQuotient(args[0], args[1]);
  if (fn == ScalarFn::Neg || fn == ScalarFn::Abs)
    return first;
  if (fn == ScalarFn::Sqrt && first.isRelative)
    return {Expr::apply(ScalarFn::Sqrt, {first.error}), true};
  if ((fn == ScalarFn::Max || fn == ScalarFn::Min) && allRelative)
    return {getAbs(apply), true};
  if (graph::getFacts(fn).isPredicate)
    return {};
  return computeOpaque(apply);
}
