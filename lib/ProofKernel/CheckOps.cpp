//===- CheckOps.cpp - assumptions of rules and validity of ops ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/ProofKernel/CheckOps.h"
#include "tenon/ProofKernel/DataIndices.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::prove;
using graph::Expr;
using graph::ExprKind;
using graph::IndexForm;
using graph::Shape;

SmallVector<graph::SizeCondition> prove::getSizeConditions(Region &side) {
  SmallVector<graph::SizeCondition> conditions;
  llvm::StringSet<> seen;
  for (Operation &op : side.front().without_terminator())
    for (graph::SizeCondition &condition : graph::collectSizeConditions(&op))
      if (seen.insert(condition.value.str()).second)
        conditions.push_back(std::move(condition));
  return conditions;
}

FormulaRef prove::getFormula(rule::ConditionAttr condition) {
  SymInt a = condition.getLhs(), b = condition.getRhs();
  switch (condition.getKind()) {
  case rule::ConditionKind::Equal:
    return Formula::equal(a, b);
  case rule::ConditionKind::AtLeast:
    return Formula::lessEqual(b, a);
  case rule::ConditionKind::Divides:
    return Formula::conjunction(Formula::less(SymInt(0), a),
                                a.getConstant() == 0
                                    ? Formula::never()
                                    : Formula::equal(b.mod(a), SymInt(0)));
  }
  llvm_unreachable("unknown kind of condition");
}

/// Visits the divisors in `size`, inner ones first. Each must be at least 1;
/// otherwise `size` is undefined.
static void visitDivisors(const SymInt &size,
                          llvm::function_ref<void(const SymInt &)> visit) {
  for (const auto &[monomial, coefficient] : size.getTerms())
    for (const SymInt::AtomRef &atom : monomial.atoms) {
      if (atom->kind == SymInt::AtomKind::Symbol)
        continue;
      visitDivisors(*atom->lhs, visit);
      visitDivisors(*atom->rhs, visit);
      if (atom->kind == SymInt::AtomKind::FloorDiv)
        visit(*atom->rhs);
    }
}

/// Visits the divisors in all sizes that an op states.
static void visitDivisors(Operation &op,
                          llvm::function_ref<void(const SymInt &)> visit) {
  for (Type type : op.getResultTypes())
    for (const SymInt &size : graph::getShape(type))
      visitDivisors(size, visit);
  for (NamedAttribute attribute : op.getAttrDictionary())
    if (auto dims = dyn_cast<graph::DimsAttr>(attribute.getValue()))
      for (const SymInt &size : dims.getEntries())
        visitDivisors(size, visit);
}

/// The condition that the sizes of an op are defined.
static FormulaRef getDefined(Operation &op) {
  FormulaRef result = Formula::always();
  visitDivisors(op, [&](const SymInt &divisor) {
    result = Formula::conjunction(result, Formula::less(SymInt(0), divisor));
  });
  return result;
}

std::vector<SymInt> prove::getHypotheses(rule::RuleOp rule) {
  std::vector<SymInt> hypotheses;
  llvm::StringSet<> seen;
  auto add = [&](const SymInt &value) {
    std::optional<int64_t> constant = value.getConstant();
    if ((!constant || *constant < 0) && seen.insert(value.str()).second)
      hypotheses.push_back(value);
  };
  auto addDivisor = [&](const SymInt &divisor) { add(divisor - SymInt(1)); };
  for (const std::string &symbol : rule.getSymbols())
    add(SymInt::symbol(symbol));
  for (Type type : rule.getArgumentTypes())
    for (const SymInt &size : graph::getShape(type))
      visitDivisors(size, addDivisor);
  for (Operation &op : rule.getSource().front().without_terminator())
    visitDivisors(op, addDivisor);
  for (rule::ConditionAttr condition : rule.getConditionList())
    for (const SymInt &side : {condition.getLhs(), condition.getRhs()})
      visitDivisors(side, addDivisor);
  for (const graph::SizeCondition &condition :
       getSizeConditions(rule.getSource())) {
    visitDivisors(condition.value, addDivisor);
    add(condition.value);
  }
  for (Type type : rule.getArgumentTypes())
    for (const SymInt &size : graph::getShape(type))
      add(size);
  return hypotheses;
}

FormulaRef prove::getAssumptions(rule::RuleOp rule) {
  FormulaRef result = Formula::always();
  for (const SymInt &value : getHypotheses(rule))
    result = Formula::conjunction(result, Formula::nonNegative(value));
  for (rule::ConditionAttr condition : rule.getConditionList())
    result = Formula::conjunction(result, getFormula(condition));
  return result;
}

OperandSigns prove::getOperandSigns(rule::RuleOp rule) {
  OperandSigns signs;
  for (rule::ValueConditionAttr condition : rule.getValueConditionList())
    if (condition.getKind() == rule::ValueKind::Positive)
      signs.positive.insert(condition.getOperand());
  for (auto norm : rule.getSource().getOps<graph::BatchNormOp>())
    if (auto variance = dyn_cast<BlockArgument>(norm.getVariance()))
      signs.notNegative.insert(variance.getArgNumber());
  return signs;
}

FormulaRef prove::getIndexDomain(const Shape &shape) {
  FormulaRef result = Formula::always();
  for (auto [axis, size] : llvm::enumerate(shape)) {
    SymInt at = SymInt::symbol(getVarName(axis));
    result = Formula::conjunction(
        result, Formula::conjunction(Formula::nonNegative(at),
                                     Formula::less(at, size)));
  }
  return result;
}

namespace {
/// Checks that loads are inside their operands, along every path.
class BoundsChecker {
public:
  BoundsChecker(Solver &solver, Operation *op, unsigned next)
      : solver(solver), normalizer(next), op(op) {}

  Validity check(const Expr &expr, const FormulaRef &context);
  std::string reason;

private:
  Validity checkAll(ArrayRef<Expr> operands, const FormulaRef &context) {
    for (const Expr &operand : operands)
      if (Validity answer = check(operand, context); answer != Validity::Valid)
        return answer;
    return Validity::Valid;
  }
  Validity checkLoad(const Expr &load, const FormulaRef &context);
  Validity unsupported() {
    reason = normalizer.reason;
    return Validity::Unsupported;
  }

  Solver &solver;
  Normalizer normalizer;
  Operation *op;
};
} // namespace

Validity BoundsChecker::checkLoad(const Expr &load, const FormulaRef &context) {
  Shape shape = graph::getShape(op->getOperand(load->operand));
  for (auto [axis, index] : llvm::enumerate(load->operands)) {
    std::optional<Pieces> pieces = normalizer.getIndex(index);
    if (!pieces)
      return unsupported();
    for (auto &[guard, at] : *pieces) {
      FormulaRef inside = Formula::conjunction(Formula::nonNegative(at),
                                               Formula::less(at, shape[axis]));
      Solver::Answer answer =
          solver.follows(Formula::conjunction(context, guard), inside);
      if (answer == Solver::Answer::Yes)
        continue;
      reason = "operand " + std::to_string(load->operand) + " of '" +
               op->getName().getStringRef().str() + "' may be read at " +
               at.str() + " on axis " + std::to_string(axis) +
               ", outside of its size " + shape[axis].str();
      return answer == Solver::Answer::No ? Validity::Invalid
                                          : Validity::Unknown;
    }
  }
  return Validity::Valid;
}

Validity BoundsChecker::check(const Expr &expr, const FormulaRef &context) {
  switch (expr.getKind()) {
  case ExprKind::Load:
    if (Validity answer = checkAll(expr->operands, context);
        answer != Validity::Valid)
      return answer;
    return checkLoad(expr, context);
  case ExprKind::Select:
  case ExprKind::IndexSelect: {
    FormulaRef condition = normalizer.getCondition(expr->operands[0]);
    if (!condition)
      return unsupported();
    Validity answer =
        check(expr->operands[1], Formula::conjunction(context, condition));
    if (answer != Validity::Valid)
      return answer;
    return check(expr->operands[2],
                 Formula::conjunction(context, Formula::negation(condition)));
  }
  case ExprKind::Reduce: {
    FormulaRef inside = context;
    for (auto [number, var] : llvm::enumerate(expr->vars)) {
      Expr at = Expr::var(var);
      FormulaRef box = normalizer.getCondition(
          Expr::logicalAnd(Expr::lessEqual(Expr::index(0), at),
                           Expr::less(at, expr->operands[number])));
      if (!box)
        return unsupported();
      inside = Formula::conjunction(inside, box);
    }
    FormulaRef guard =
        normalizer.getCondition(expr->operands[expr->operands.size() - 2]);
    if (!guard)
      return unsupported();
    return check(expr->operands.back(), Formula::conjunction(inside, guard));
  }
  default:
    return checkAll(expr->operands, context);
  }
}

Validity prove::checkSizeConditions(Solver &solver, Region &region,
                                    const FormulaRef &assumptions,
                                    std::string &reason) {
  for (const graph::SizeCondition &condition : getSizeConditions(region)) {
    Solver::Answer answer =
        solver.follows(assumptions, Formula::nonNegative(condition.value));
    if (answer == Solver::Answer::Yes)
      continue;
    reason = condition.text;
    return answer == Solver::Answer::No ? Validity::Invalid : Validity::Unknown;
  }
  return Validity::Valid;
}

/// Whether the stated sizes of the results equal the sizes inferred from the
/// operands, for all values of the symbols.
static Validity checkShapes(Solver &solver, Operation &op,
                            const FormulaRef &assumptions,
                            std::string &reason) {
  auto inferable = dyn_cast<InferTypeOpInterface>(op);
  SmallVector<Type> inferred;
  if (!inferable ||
      failed(inferable.inferReturnTypes(
          op.getContext(), op.getLoc(), op.getOperands(),
          op.getAttrDictionary(), op.getPropertiesStorage(), op.getRegions(),
          inferred)) ||
      inferred.size() != op.getNumResults()) {
    reason =
        ("the type of '" + op.getName().getStringRef() + "' can't be inferred")
            .str();
    return Validity::Unsupported;
  }
  Solver::Answer defined = solver.follows(assumptions, getDefined(op));
  if (defined != Solver::Answer::Yes) {
    reason = ("a size of '" + op.getName().getStringRef() + "' may divide by 0")
                 .str();
    return defined == Solver::Answer::No ? Validity::Invalid
                                         : Validity::Unknown;
  }
  for (auto [result, type] : llvm::zip(op.getResults(), inferred)) {
    Shape stated = graph::getShape(result), meant = graph::getShape(type);
    for (auto [axis, both] : llvm::enumerate(llvm::zip(stated, meant))) {
      auto &[ours, theirs] = both;
      if (ours.isUnknown() || theirs.isUnknown()) {
        reason =
            ("'" + op.getName().getStringRef() + "' has an unknown size").str();
        return Validity::Unsupported;
      }
      FormulaRef valid = Formula::conjunction(Formula::equal(ours, theirs),
                                              Formula::nonNegative(ours));
      Solver::Answer answer = solver.follows(assumptions, valid);
      if (answer == Solver::Answer::Yes)
        continue;
      reason = "axis " + std::to_string(axis) + " of the result of '" +
               op.getName().getStringRef().str() + "': expected the size " +
               ours.str() + ", at least 0, but it is " + theirs.str();
      return answer == Solver::Answer::No ? Validity::Invalid
                                          : Validity::Unknown;
    }
  }
  return Validity::Valid;
}

Validity prove::checkOps(Solver &solver, Region &region,
                         const FormulaRef &assumptions, std::string &reason) {
  for (Operation &op : region.front().without_terminator()) {
    auto primitive = dyn_cast<graph::IndexFormInterface>(op);
    if (!primitive)
      continue;
    if (Validity answer = checkShapes(solver, op, assumptions, reason);
        answer != Validity::Valid)
      return answer;
    // What is read at an index that depends on data lies inside by the
    // definition of DataIndices.h, if the axis has the elements that the op
    // requires (checkSizeConditions).
    bool readsData = false;
    for (const IndexForm &form : getFormsWithoutData(primitive, readsData)) {
      unsigned next = form.shape.size();
      graph::walk(form.body, [&](Expr node) {
        for (unsigned var : node->vars)
          next = std::max(next, var + 1);
      });
      BoundsChecker checker(solver, &op, next);
      Validity answer = checker.check(
          form.body,
          Formula::conjunction(assumptions, getIndexDomain(form.shape)));
      if (answer != Validity::Valid) {
        reason = checker.reason;
        return answer;
      }
    }
  }
  return Validity::Valid;
}
