//===- ProductForm.cpp - matching sums of products ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductForm.h"

using namespace mlir;
using namespace tenon::graph;
using namespace tenon::interpret;

static int64_t evaluateIndex(const Expr &index, ArrayRef<int64_t> vars) {
  auto operand = [&](unsigned number) {
    return evaluateIndex(index->operands[number], vars);
  };
  switch (index.getKind()) {
  case ExprKind::Size:
    return *index->size.getConstant();
  case ExprKind::Var:
    return vars[index->var];
  case ExprKind::IndexAdd:
    return operand(0) + operand(1);
  case ExprKind::IndexMul:
    return operand(0) * operand(1);
  case ExprKind::IndexFloorDiv:
    return floorDiv(operand(0), operand(1));
  case ExprKind::IndexMod:
    return floorMod(operand(0), operand(1));
  case ExprKind::IndexMin:
    return std::min(operand(0), operand(1));
  case ExprKind::IndexMax:
    return std::max(operand(0), operand(1));
  default:
    llvm_unreachable("not plain arithmetic");
  }
}

int64_t tenon::interpret::evaluateLinear(const NumericIndex &sum,
                                         ArrayRef<int64_t> vars) {
  int64_t value = sum.constant;
  for (const auto &[term, factor] : sum.terms)
    value += factor * evaluateIndex(term, vars);
  return value;
}

namespace {
/// An index of a load's axis, or the left side of a condition.
struct Quantity {
  NumericIndex sum;
  Expr expr;
};

class Matcher {
public:
  Matcher(const ConcreteForm &form, ArrayRef<Tensor> operands,
          const Arithmetic &arithmetic)
      : form(form), operands(operands), arithmetic(arithmetic),
        intervals(form.shape, form.body) {}

  std::optional<ProductForm> run() {
    Expr sum = form.body;
    SmallVector<Kind, 2> casts;
    for (; sum.getKind() == ExprKind::Cast; sum = sum->operands[0])
      casts.push_back(kindOf(sum->type));
    if (sum.getKind() != ExprKind::Reduce || sum->reduce != ReduceKind::Sum)
      return std::nullopt;
    result.casts.assign(casts.rbegin(), casts.rend());
    result.kind = kindOf(sum->type);
    if (!isSupported(result.kind) || !matchBox(sum))
      return std::nullopt;
    Expr product = sum->operands.back();
    if (product.getKind() != ExprKind::Apply || product->fn != ScalarFn::Mul ||
        !matchGuard(sum->operands[sum->vars.size()]))
      return std::nullopt;
    for (unsigned side = 0; side < 2; ++side)
      if (!matchLoad(product->operands[side], side))
        return std::nullopt;
    // The factor whose axes come first provides the rows.
    unsigned row = firstLane(0) <= firstLane(1) ? 0 : 1;
    result.firstLaneAxis = firstLane(row);
    int64_t lanes = 1;
    for (int64_t size :
         ArrayRef<int64_t>(form.shape).drop_front(result.firstLaneAxis))
      lanes *= size;
    if (lanes < 2 || !splitFactors(row))
      return std::nullopt;
    return result;
  }

private:
  bool isSupported(Kind kind) const {
    if (arithmetic.isField() || kind == Kind::I1)
      return false;
    // Types that are narrower than f32 and rounded at every step have no
    // machine type here.
    return !arithmetic.rounds(kind) || kind == Kind::F32;
  }

  bool matchBox(const Expr &sum) {
    int64_t terms = 1;
    for (auto [number, var] : llvm::enumerate(sum->vars)) {
      const Expr &extent = sum->operands[number];
      if (extent.getKind() != ExprKind::Size)
        return false;
      result.vars.push_back(var);
      result.extents.push_back(*extent->size.getConstant());
      if (result.extents.back() <= 0)
        return false;
      terms *= result.extents.back();
      if (terms > (int64_t(1) << 22))
        return false;
    }
    return terms > 1;
  }

  bool isTerm(unsigned var) const {
    return llvm::is_contained(result.vars, var);
  }

  /// Whether this is plain arithmetic, without opaque terms that mix variables
  /// of the result with those of the sum.
  bool isSplittable(const NumericIndex &sum) {
    for (const auto &[term, factor] : sum.terms) {
      bool isPlain = true;
      walk(term, [&](Expr node) {
        isPlain &= node.getKind() != ExprKind::FromElement &&
                   node.getKind() != ExprKind::IndexSelect;
      });
      if (!isPlain)
        return false;
      SmallVector<unsigned> vars;
      collectVars(term, vars);
      if (llvm::any_of(vars, [&](unsigned var) { return isTerm(var); }) &&
          llvm::any_of(vars, [&](unsigned var) { return !isTerm(var); }))
        return false;
    }
    return true;
  }

  bool matchGuard(const Expr &guard) {
    switch (guard.getKind()) {
    case ExprKind::True:
      return true;
    case ExprKind::And:
      return matchGuard(guard->operands[0]) && matchGuard(guard->operands[1]);
    case ExprKind::IndexLess:
    case ExprKind::IndexLessEqual:
    case ExprKind::IndexEqual: {
      NumericIndex difference = linearize(guard->operands[1]);
      difference.add(linearize(guard->operands[0]), -1);
      if (guard.getKind() == ExprKind::IndexLess)
        difference.constant -= 1;
      if (!isSplittable(difference))
        return false;
      guards.push_back({difference, guard.getKind() == ExprKind::IndexEqual});
      return true;
    }
    default:
      return false;
    }
  }

  bool matchLoad(Expr factor, unsigned side) {
    Kind to = result.kind;
    while (factor.getKind() == ExprKind::Cast) {
      Kind from = kindOf(factor->operands[0]->type);
      // Only casts that change nothing, or only bits above those of the sum.
      if (isFloatKind(from) != isFloatKind(to) || from == Kind::I1 ||
          (arithmetic.rounds(kindOf(factor->type)) &&
           kindOf(factor->type) != Kind::F32) ||
          (arithmetic.rounds(Kind::F32) && from == Kind::F64))
        return false;
      factor = factor->operands[0];
    }
    if (factor.getKind() != ExprKind::Load)
      return false;
    loads[side] = factor;
    for (const Expr &index : factor->operands) {
      NumericIndex sum = linearize(index);
      if (!isSplittable(sum))
        return false;
      indices[side].push_back({sum, index});
    }
    return true;
  }

  /// The first axis from which on the load does not depend on the result.
  size_t firstLane(unsigned side) {
    size_t first = 0;
    for (const Quantity &index : indices[side])
      for (const auto &[term, factor] : index.sum.terms) {
        SmallVector<unsigned> vars;
        collectVars(term, vars);
        for (unsigned var : vars)
          if (!isTerm(var) && form.shape[var] != 1)
            first = std::max<size_t>(first, var + 1);
      }
    return first;
  }

  enum class Part { Outer, Lane, Term, Mixed };

  Part partOf(const Expr &term) {
    SmallVector<unsigned> vars;
    collectVars(term, vars);
    if (vars.empty())
      return Part::Outer;
    auto part = [&](unsigned var) {
      return isTerm(var)                  ? Part::Term
             : var < result.firstLaneAxis ? Part::Outer
                                          : Part::Lane;
    };
    for (unsigned var : vars)
      if (part(var) != part(vars.front()))
        return Part::Mixed;
    return part(vars.front());
  }

  bool split(const NumericIndex &sum, SplitIndex &parts) {
    parts.outer.constant = sum.constant;
    for (const auto &[term, factor] : sum.terms) {
      switch (partOf(term)) {
      case Part::Outer:
        parts.outer.add(term, factor);
        break;
      case Part::Lane:
        parts.lane.add(term, factor);
        break;
      case Part::Term:
        parts.term.add(term, factor);
        break;
      case Part::Mixed:
        return false;
      }
    }
    return true;
  }

  bool splitFactors(unsigned row) {
    ProductForm::Factor *factors[2];
    factors[row] = &result.row;
    factors[1 - row] = &result.lane;
    SmallVector<bool> isLaneGuard;
    for (const auto &[sum, isEqual] : guards) {
      SplitCondition condition{{}, isEqual};
      if (!split(sum, condition.index))
        return false;
      isLaneGuard.push_back(!condition.index.lane.terms.empty());
      factors[isLaneGuard.back() ? 1 - row : row]->conditions.push_back(
          condition);
    }
    for (unsigned side = 0; side < 2; ++side) {
      ArrayRef<int64_t> shape = operands[loads[side]->operand].getShape();
      NumericIndex offset;
      int64_t stride = 1;
      for (size_t axis = shape.size(); axis-- > 0;) {
        const Quantity &index = indices[side][axis];
        if (!isInside(index, shape[axis], isLaneGuard, side != row))
          return false;
        offset.add(index.sum, stride);
        stride *= shape[axis];
      }
      factors[side]->operand = loads[side]->operand;
      if (!split(offset, factors[side]->offset))
        return false;
    }
    // A lane of the row factor must have size 1.
    return result.row.offset.lane.terms.empty() ||
           llvm::all_of(result.row.offset.lane.terms, [&](const auto &entry) {
             return entry.first.getKind() == ExprKind::Var &&
                    form.shape[entry.first->var] == 1;
           });
  }

  /// Whether the index is in range wherever the factor's own conditions hold.
  bool isInside(const Quantity &index, int64_t size, ArrayRef<bool> isLaneGuard,
                bool isLane) {
    Interval interval = intervals.of(index.expr);
    bool low = interval.low >= 0, high = interval.high < size;
    for (auto [guard, ofLane] : llvm::zip(guards, isLaneGuard)) {
      if (ofLane != isLane || guard.second)
        continue;
      NumericIndex below = guard.first, above = guard.first;
      below.add(index.sum, -1); // guard = index + constant
      above.add(index.sum, 1);  // guard = constant - index
      low |= below.terms.empty() && below.constant <= 0;
      high |= above.terms.empty() && above.constant <= size - 1;
    }
    return low && high;
  }

  const ConcreteForm &form;
  ArrayRef<Tensor> operands;
  const Arithmetic &arithmetic;
  Intervals intervals;
  ProductForm result;
  Expr loads[2];
  SmallVector<Quantity> indices[2];
  SmallVector<std::pair<NumericIndex, bool>> guards;
};
} // namespace

std::optional<ProductForm>
tenon::interpret::matchProduct(const ConcreteForm &form,
                               ArrayRef<Tensor> operands,
                               const Arithmetic &arithmetic) {
  return Matcher(form, operands, arithmetic).run();
}
