//===- RuleForms.cpp - what the two sides of a rule mean ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuleForms.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::prove;
using graph::Expr;
using graph::ExprKind;
using graph::IndexForm;
using graph::Shape;

/// Composites that stand in each other's decomposition end after this many.
static constexpr unsigned maxExpansions = 256;

bool prove::expandComposites(Region &region, std::string &reason) {
  // What fails inside is a reason, not an error of the user's file.
  ScopedDiagnosticHandler quiet(region.getContext(), [&](Diagnostic &d) {
    if (reason.empty())
      reason = d.str();
    return success();
  });
  for (unsigned count = 0; count < maxExpansions; ++count) {
    graph::DecomposableInterface composite;
    for (Operation &op : region.front().without_terminator()) {
      composite = dyn_cast<graph::DecomposableInterface>(op);
      if (composite)
        break;
      if (!isa<graph::IndexFormInterface, graph::ConstantOp>(op)) {
        reason =
            ("'" + op.getName().getStringRef() + "' has no index form").str();
        return false;
      }
    }
    if (!composite)
      return true;
    OpBuilder builder(composite);
    SmallVector<Value> values = composite.decompose(builder);
    if (values.size() != composite->getNumResults()) {
      if (reason.empty())
        reason = ("'" + composite->getName().getStringRef() +
                  "' can't be decomposed with symbolic sizes")
                     .str();
      return false;
    }
    composite->replaceAllUsesWith(values);
    composite->erase();
  }
  reason = "composite ops stand in each other's decomposition";
  return false;
}

/// The form of a constant: a number, or a choice by the index.
static std::optional<IndexForm> getConstantForm(graph::ConstantOp op,
                                                std::string &reason) {
  auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!elements || (!elements.isSplat() && elements.getNumElements() > 64)) {
    reason = "a constant has too many elements";
    return std::nullopt;
  }
  Type type = elements.getElementType();
  IndexForm form{graph::getShape(op.getResult()), type, {}};
  auto getNumber = [&](Attribute value) {
    if (auto number = dyn_cast<FloatAttr>(value))
      return Expr::constant(number.getValueAsDouble(), type);
    APInt integer = cast<IntegerAttr>(value).getValue();
    return Expr::constantInt(type.isUnsignedInteger() || type.isInteger(1)
                                 ? integer.getZExtValue()
                                 : integer.getSExtValue(),
                             type);
  };
  if (elements.isSplat()) {
    form.body = getNumber(elements.getSplatValue<Attribute>());
    return form;
  }
  SmallVector<Attribute> values =
      llvm::to_vector(elements.getValues<Attribute>());
  ArrayRef<int64_t> sizes = cast<ShapedType>(elements.getType()).getShape();
  form.body = getNumber(values.back());
  for (size_t number = values.size() - 1; number-- > 0;) {
    Expr here = Expr::always();
    size_t rest = number;
    for (size_t axis = sizes.size(); axis-- > 0;) {
      here = Expr::logicalAnd(
          here, Expr::equal(Expr::var(axis), Expr::index(rest % sizes[axis])));
      rest /= sizes[axis];
    }
    form.body = Expr::select(here, getNumber(values[number]), form.body);
  }
  return form;
}

/// An element of an operand whose values a condition states, at its own index;
/// nothing where it may be any number.
static Expr getStatedElement(rule::ValueKind kind, Type type) {
  switch (kind) {
  case rule::ValueKind::Zero:
    return Expr::constant(0, type);
  case rule::ValueKind::Ones:
    return Expr::constant(1, type);
  case rule::ValueKind::Identity:
    return Expr::select(Expr::equal(Expr::var(0), Expr::var(1)),
                        Expr::constant(1, type), Expr::constant(0, type));
  case rule::ValueKind::Positive:
    return {};
  }
  llvm_unreachable("unknown kind of condition");
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

/// Loads of an op's own operands, before they are inlined, have numbers above
/// those of the rule's operands.
static constexpr unsigned ownOperands = 1u << 20;

static Expr renumberLoads(const Expr &expr, unsigned offset) {
  return graph::rewrite(expr, [&](Expr node) -> Expr {
    if (node.getKind() != ExprKind::Load)
      return {};
    SmallVector<Expr> indices;
    for (const Expr &index : node->operands)
      indices.push_back(renumberLoads(index, offset));
    return Expr::load(node->operand + offset, indices, node->type);
  });
}

std::optional<SmallVector<IndexForm>> prove::composeForms(Region &region,
                                                          std::string &reason) {
  llvm::DenseMap<Value, IndexForm> forms;
  SmallVector<unsigned> identity;
  for (BlockArgument argument : region.getArguments()) {
    IndexForm form{graph::getShape(argument),
                   cast<RankedTensorType>(argument.getType()).getElementType(),
                   {}};
    SmallVector<Expr> at;
    for (size_t axis = 0; axis < form.shape.size(); ++axis)
      at.push_back(Expr::var(axis));
    form.body = Expr::load(argument.getArgNumber(), at, form.elementType);
    forms[argument] = form;
    identity.push_back(argument.getArgNumber());
  }
  auto rule = cast<rule::RuleOp>(region.getParentOp());
  for (rule::ValueConditionAttr condition : rule.getValueConditionList()) {
    IndexForm &form = forms[region.getArgument(condition.getOperand())];
    if (Expr stated = getStatedElement(condition.getKind(), form.elementType))
      form.body = stated;
  }
  for (Operation &op : region.front().without_terminator()) {
    if (auto constant = dyn_cast<graph::ConstantOp>(op)) {
      std::optional<IndexForm> form = getConstantForm(constant, reason);
      if (!form)
        return std::nullopt;
      forms[constant.getResult()] = *form;
      continue;
    }
    auto primitive = cast<graph::IndexFormInterface>(op);
    for (auto [result, form] :
         llvm::zip(op.getResults(), primitive.getIndexForms())) {
      IndexForm composed = form;
      composed.body = renumberLoads(form.body, ownOperands);
      for (auto [number, operand] : llvm::enumerate(op.getOperands()))
        composed = graph::inlineProducer(composed, ownOperands + number,
                                         forms.lookup(operand), identity);
      forms[result] = composed;
    }
  }
  SmallVector<IndexForm> results;
  for (Value value : region.front().getTerminator()->getOperands())
    results.push_back(forms.lookup(value));
  return results;
}

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

/// The divisors in `size` are at least 1, without which it is no number.
static FormulaRef getDefined(const SymInt &size) {
  FormulaRef result = Formula::always();
  for (const auto &[monomial, coefficient] : size.getTerms())
    for (const SymInt::AtomRef &atom : monomial.atoms) {
      if (atom->kind == SymInt::AtomKind::Symbol)
        continue;
      if (atom->kind == SymInt::AtomKind::FloorDiv)
        result =
            Formula::conjunction(result, Formula::less(SymInt(0), *atom->rhs));
      result = Formula::conjunction(
          result,
          Formula::conjunction(getDefined(*atom->lhs), getDefined(*atom->rhs)));
    }
  return result;
}

/// The same of all sizes that an op states.
static FormulaRef getDefined(Operation &op) {
  FormulaRef result = Formula::always();
  for (Type type : op.getResultTypes())
    for (const SymInt &size : graph::getShape(type))
      result = Formula::conjunction(result, getDefined(size));
  for (NamedAttribute attribute : op.getAttrDictionary())
    if (auto dims = dyn_cast<graph::DimsAttr>(attribute.getValue()))
      for (const SymInt &size : dims.getEntries())
        result = Formula::conjunction(result, getDefined(size));
  return result;
}

FormulaRef prove::getAssumptions(rule::RuleOp rule) {
  FormulaRef result = Formula::always();
  for (Operation &op : rule.getSource().front().without_terminator())
    result = Formula::conjunction(result, getDefined(op));
  for (const graph::SizeCondition &condition :
       getSizeConditions(rule.getSource()))
    result =
        Formula::conjunction(result, Formula::nonNegative(condition.value));
  for (Type type : rule.getArgumentTypes())
    for (const SymInt &size : graph::getShape(type))
      result = Formula::conjunction(result, Formula::nonNegative(size));
  for (rule::ConditionAttr condition : rule.getConditionList())
    result = Formula::conjunction(result, getFormula(condition));
  return result;
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
/// Checks that loads lie inside their operands, along every path.
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

/// Whether the stated sizes of the results are those that follow from the
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
    reason = ("a size of '" + op.getName().getStringRef() +
              "' divides by what may be 0")
                 .str();
    return defined == Solver::Answer::No ? Validity::Invalid
                                         : Validity::Unknown;
  }
  for (auto [result, type] : llvm::zip(op.getResults(), inferred)) {
    Shape stated = graph::getShape(result), meant = graph::getShape(type);
    for (auto [axis, both] : llvm::enumerate(llvm::zip(stated, meant))) {
      auto &[ours, theirs] = both;
      if (ours.isUnknown() || theirs.isUnknown()) {
        reason = ("'" + op.getName().getStringRef() +
                  "' has a size of which nothing is known")
                     .str();
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
    for (const IndexForm &form : primitive.getIndexForms()) {
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
