//===- RuleForms.cpp - index forms of both sides of a rule ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/ProofKernel/RuleForms.h"
#include "tenon/Dialect/Graph/Analysis/SimplifyIndices.h"
#include "tenon/Dialect/Graph/IR/Progression.h"
#include "tenon/Dialect/Graph/IR/SizeFacts.h"
#include "tenon/ProofKernel/DataIndices.h"

#include "mlir/IR/Builders.h"

#include <thread>

using namespace mlir;
using namespace tenon;
using namespace tenon::prove;
using graph::Expr;
using graph::ExprKind;
using graph::IndexForm;
using graph::Shape;

/// The maximum number of expansions, in case decompositions are recursive.
static constexpr unsigned maxExpansions = 256;

/// The maximum number of nodes in the expressions of all ops of a side, which
/// are kept until the side is composed.
static constexpr size_t maxNodes = 200000;

bool prove::expandComposites(Region &region, std::string &reason) {
  // A failure inside is reported as a reason, not as an error in the user's
  // file.
  ScopedDiagnosticHandler quiet(
      region.getContext(),
      [&reason, thread = std::this_thread::get_id()](Diagnostic &d) {
        if (thread != std::this_thread::get_id())
          return failure();
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
  reason = "decompositions of composite ops are recursive";
  return false;
}

/// The form of a constant: a number, a progression of the index, or a selection
/// by it.
static std::optional<IndexForm> getConstantForm(graph::ConstantOp op,
                                                std::string &reason) {
  if (Expr element = graph::getProgression(op))
    return IndexForm{graph::getShape(op.getResult()), element->type, element};
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

/// The element, at its own index, of an operand whose values a condition
/// states; null if it may be any number.
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

/// Until they are inlined, loads of an op's own operands have numbers above
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

static bool hasLoads(const Expr &expr) {
  bool has = false;
  graph::walk(expr,
              [&](Expr node) { has |= node.getKind() == ExprKind::Load; });
  return has;
}

/// Whether an expression has positions of elements, such as a sum of ones.
static bool hasPositions(const Expr &expr) {
  bool has = false;
  graph::walk(expr, [&](Expr node) {
    has |= node.getKind() == ExprKind::FromIndex ||
           (node.getKind() == ExprKind::Reduce && node->type.isInteger(64) &&
            !hasLoads(node));
  });
  return has;
}

/// The operands that an op reads as indices, and that are computed from
/// positions.
static SmallVector<unsigned>
findPositions(Operation *op, const IndexForm &form,
              const llvm::DenseMap<Value, IndexForm> &forms) {
  SmallVector<unsigned> found;
  graph::walk(form.body, [&](Expr node) {
    if (node.getKind() != ExprKind::FromElement)
      return;
    graph::walk(node, [&](Expr load) {
      if (load.getKind() == ExprKind::Load &&
          !llvm::is_contained(found, load->operand) &&
          hasPositions(forms.lookup(op->getOperand(load->operand)).body))
        found.push_back(load->operand);
    });
  });
  return found;
}

/// An op's form, whose loads of its own operands are renumbered, without
/// indices that depend on data. Those that are known from positions are no
/// data.
static IndexForm resolveIndices(Operation *op, const IndexForm &form,
                                ArrayRef<unsigned> positions,
                                const llvm::DenseMap<Value, IndexForm> &forms,
                                ArrayRef<unsigned> identity, bool &readsData) {
  if (!positions.empty()) {
    IndexForm known = form;
    for (unsigned number : positions)
      known =
          graph::inlineProducer(known, ownOperands + number,
                                forms.lookup(op->getOperand(number)), identity);
    known.body = graph::simplifyIndices(
        known.body, graph::IndexRanges(known.shape, known.body));
    bool reads = false, remains = false;
    known = getFormWithoutData(op, known, ownOperands, reads);
    graph::walk(known.body, [&](Expr node) {
      remains |= node.getKind() == ExprKind::FromElement;
    });
    if (!remains) {
      readsData |= reads;
      return known;
    }
  }
  return getFormWithoutData(op, form, ownOperands, readsData);
}

/// The form of an op over the rule's operands.
static IndexForm compose(Operation *op, const IndexForm &form,
                         const llvm::DenseMap<Value, IndexForm> &forms,
                         ArrayRef<unsigned> identity, bool &readsData) {
  SmallVector<unsigned> positions = findPositions(op, form, forms);
  IndexForm composed = form;
  composed.body = renumberLoads(form.body, ownOperands);
  composed =
      resolveIndices(op, composed, positions, forms, identity, readsData);
  for (auto [number, operand] : llvm::enumerate(op->getOperands()))
    composed = graph::inlineProducer(composed, ownOperands + number,
                                     forms.lookup(operand), identity);
  if (hasPositions(composed.body))
    composed.body = graph::simplifyIndices(
        composed.body, graph::IndexRanges(composed.shape, composed.body),
        /*mayReadData=*/false);
  return composed;
}

std::optional<SmallVector<IndexForm>> prove::composeForms(Region &region,
                                                          bool &readsData,
                                                          size_t &nodes,
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
  std::vector<std::unique_ptr<graph::SizeAssumption>> assumptions;
  for (rule::ConditionAttr condition : rule.getConditionList())
    if (condition.getKind() == rule::ConditionKind::AtLeast)
      assumptions.push_back(std::make_unique<graph::SizeAssumption>(
          condition.getLhs() - condition.getRhs()));
  for (rule::ValueConditionAttr condition : rule.getValueConditionList()) {
    IndexForm &form = forms[region.getArgument(condition.getOperand())];
    if (Expr stated = getStatedElement(condition.getKind(), form.elementType))
      form.body = stated;
  }
  const size_t most = nodes + maxNodes;
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
      IndexForm composed = compose(&op, form, forms, identity, readsData);
      // Each use of a value has a copy of its form.
      graph::walk(composed.body, [&](Expr) { ++nodes; });
      if (nodes > most) {
        reason = "the elements of all ops have too many parts";
        return std::nullopt;
      }
      forms[result] = composed;
    }
  }
  SmallVector<IndexForm> results;
  for (Value value : region.front().getTerminator()->getOperands())
    results.push_back(forms.lookup(value));
  return results;
}

unsigned prove::getNextVar(ArrayRef<IndexForm> forms) {
  unsigned next = 0;
  for (const IndexForm &form : forms) {
    next = std::max<unsigned>(next, form.shape.size());
    graph::walk(form.body, [&](Expr node) {
      if (node.getKind() == ExprKind::Var)
        next = std::max(next, node->var + 1);
      for (unsigned var : node->vars)
        next = std::max(next, var + 1);
    });
  }
  return next;
}
