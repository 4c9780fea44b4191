//===- BatchAxes.cpp - which axes hold the samples ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/Analysis/BatchAxes.h"
#include "tenon/Dialect/Graph/IR/IndexForm.h"
#include "tenon/Dialect/Graph/IR/SizeFacts.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

/// Whether a variable occurs in an expression outside of its loads.
static bool occursOutsideOfLoads(const Expr &expr, unsigned var) {
  llvm::DenseSet<const ExprNode *> seen;
  auto occurs = [&](auto &occurs, const Expr &node) -> bool {
    if (node.getKind() == ExprKind::Load ||
        !seen.insert(node.getPointer()).second)
      return false;
    if (node.getKind() == ExprKind::Var)
      return node->var == var;
    return llvm::any_of(node->operands, [&](const Expr &operand) {
      return occurs(occurs, operand);
    });
  };
  return occurs(occurs, expr);
}

static bool isVar(const Expr &expr, unsigned var) {
  return expr.getKind() == ExprKind::Var && expr->var == var;
}

namespace {
class Finder {
public:
  /// `outer`: the op that errors are about, if the block is its meaning.
  Finder(const BatchOptions &options, BatchAxes &found, Operation *outer)
      : options(options), found(found), outer(outer) {}

  LogicalResult visit(Operation *op);

private:
  InFlightDiagnostic fail(Operation *op) {
    return (outer ? outer : op)
        ->emitOpError("couples the samples of a batch: ");
  }
  LogicalResult visitReshape(ReshapeOp op);
  LogicalResult visitForm(Operation *op, unsigned result,
                          const IndexForm &form);
  LogicalResult visitComposite(DecomposableInterface op);
  /// Whether the samples are along `axis` of a result. Operands that must have
  /// equal rows then are added to `uniform`.
  bool carriesSamples(Operation *op, const IndexForm &form, unsigned axis,
                      SymInt &rows,
                      SmallVectorImpl<std::pair<Value, unsigned>> &uniform);
  /// Makes `axis` of a value without samples one that has equal rows for each
  /// of them, if it has.
  bool makeUniform(Value value, const SampleAxis &axis);
  bool isUniform(Value value, unsigned axis,
                 SmallVectorImpl<std::pair<Value, unsigned>> &operands);
  bool usesNumberOfSamples(const Expr &body) const;

  const BatchOptions &options;
  BatchAxes &found;
  Operation *outer;
};
} // namespace

/// Such as the divisor of a mean, which changes if the batch is cut.
bool Finder::usesNumberOfSamples(const Expr &body) const {
  std::optional<StringRef> symbol = found.size.getSymbol();
  bool uses = false;
  if (symbol)
    walk(body, [&](Expr node) {
      if (node.getKind() == ExprKind::Size)
        node->size.visitSymbols(
            [&](StringRef name) { uses |= name == *symbol; });
    });
  return uses;
}

bool Finder::isUniform(Value value, unsigned axis,
                       SmallVectorImpl<std::pair<Value, unsigned>> &operands) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (auto constant = dyn_cast<ConstantOp>(op))
    return isa<SplatElementsAttr>(constant.getValue());
  auto primitive = dyn_cast<IndexFormInterface>(op);
  if (!primitive)
    return false;
  IndexForm form =
      primitive.getIndexForms()[cast<OpResult>(value).getResultNumber()];
  bool fits = !occursOutsideOfLoads(form.body, axis);
  walk(form.body, [&](Expr node) {
    if (node.getKind() != ExprKind::Load)
      return;
    for (auto [place, index] : llvm::enumerate(node->operands)) {
      if (isVar(index, axis))
        operands.emplace_back(op->getOperand(node->operand), place);
      else
        fits &= !occursOutsideOfLoads(index, axis);
    }
  });
  return fits;
}

bool Finder::makeUniform(Value value, const SampleAxis &axis) {
  if (std::optional<SampleAxis> known = found.get(value))
    return known->axis == axis.axis && provablyEqual(known->rows, axis.rows);
  SmallVector<std::pair<Value, unsigned>> operands;
  if (!isUniform(value, axis.axis, operands))
    return false;
  for (auto [operand, place] : operands)
    if (!makeUniform(operand, {place, axis.rows, true}))
      return false;
  found.axes[value] = axis;
  return true;
}

bool Finder::carriesSamples(
    Operation *op, const IndexForm &form, unsigned axis, SymInt &rows,
    SmallVectorImpl<std::pair<Value, unsigned>> &uniform) {
  bool fits = !occursOutsideOfLoads(form.body, axis), isFirst = true;
  walk(form.body, [&](Expr node) {
    if (node.getKind() != ExprKind::Load)
      return;
    Value operand = op->getOperand(node->operand);
    std::optional<SampleAxis> samples = found.get(operand);
    if (samples) {
      fits &= isVar(node->operands[samples->axis], axis);
      fits &= isFirst || provablyEqual(rows, samples->rows);
      rows = samples->rows;
      isFirst = false;
    }
    for (auto [place, index] : llvm::enumerate(node->operands)) {
      if (samples && place == samples->axis)
        continue;
      if (!samples && isVar(index, axis))
        uniform.emplace_back(operand, place);
      else
        fits &= !occursOutsideOfLoads(index, axis);
    }
  });
  return fits && !isFirst && provablyEqual(form.shape[axis], found.size * rows);
}

LogicalResult Finder::visitForm(Operation *op, unsigned result,
                                const IndexForm &form) {
  for (unsigned axis = 0; axis < form.shape.size(); ++axis) {
    SymInt rows;
    SmallVector<std::pair<Value, unsigned>> uniform;
    if (!carriesSamples(op, form, axis, rows, uniform))
      continue;
    if (usesNumberOfSamples(form.body))
      return fail(op) << "it uses their number";
    for (auto [operand, place] : uniform)
      if (!makeUniform(operand, {place, rows, true}))
        return fail(op) << "it reads other values for each sample of operand #"
                        << llvm::find(op->getOperands(), operand).getIndex()
                        << ", which has none";
    found.axes[op->getResult(result)] = {axis, rows, false};
    return success();
  }
  return fail(op) << "no axis of result #" << result
                  << " depends on one sample only";
}

/// What belongs to a sample stays in its place, if as many elements are before
/// and behind it.
LogicalResult Finder::visitReshape(ReshapeOp op) {
  SampleAxis samples = *found.get(op.getOperand());
  auto getProduct = [](ArrayRef<SymInt> sizes) {
    SymInt product = 1;
    for (const SymInt &size : sizes)
      product = product * size;
    return product;
  };
  Shape from = getShape(op.getOperand()), to = getShape(op.getResult());
  SymInt before = getProduct(ArrayRef(from).take_front(samples.axis));
  SymInt behind =
      samples.rows * getProduct(ArrayRef(from).drop_front(samples.axis + 1));
  for (unsigned axis = 0; axis < to.size(); ++axis) {
    if (!provablyEqual(getProduct(ArrayRef(to).take_front(axis)), before))
      continue;
    // The axis may have what is behind it in part: its size is that many rows.
    SymInt own = getProduct(ArrayRef(to).drop_front(axis + 1));
    for (const SymInt &rows :
         {SymInt(1), samples.rows, behind, behind.floorDiv(own)})
      if (provablyEqual(rows * own, behind) &&
          provablyEqual(to[axis], found.size * rows)) {
        found.axes[op.getResult()] = {axis, rows, false};
        return success();
      }
  }
  return fail(op) << "it merges them with an axis before them, or splits them";
}

LogicalResult Finder::visitComposite(DecomposableInterface op) {
  // Its meaning, in a block of its own.
  Block block;
  BatchAxes inner;
  inner.size = found.size;
  SmallVector<Value> arguments;
  for (Value operand : op->getOperands()) {
    arguments.push_back(block.addArgument(operand.getType(), op->getLoc()));
    if (std::optional<SampleAxis> samples = found.get(operand))
      inner.axes[arguments.back()] = *samples;
  }
  OpBuilder builder(op->getContext());
  builder.setInsertionPointToStart(&block);
  auto copy = cast<DecomposableInterface>(builder.clone(*op.getOperation()));
  copy->setOperands(arguments);
  SmallVector<Value> values = copy.decompose(builder);
  if (values.size() != op->getNumResults())
    return fail(op) << "its meaning needs a size that has no name";
  copy->erase();
  Finder finder(options, inner, outer ? outer : op.getOperation());
  for (Operation &step : block)
    if (failed(finder.visit(&step)))
      return failure();
  for (auto [result, value] : llvm::zip(op->getResults(), values))
    if (std::optional<SampleAxis> samples = inner.get(value))
      found.axes[result] = *samples;
  return success();
}

LogicalResult Finder::visit(Operation *op) {
  if (isa<ReadStateOp, WriteStateOp>(op))
    return fail(op) << "a state is one for all of them";
  bool hasSamples = llvm::any_of(op->getOperands(), [&](Value operand) {
    return found.hasSamples(operand);
  });
  if (!hasSamples || op->hasTrait<OpTrait::IsTerminator>())
    return success();
  if (options.isTraining && isa<DropoutOp>(op))
    return fail(op) << "in training, it draws by the position in the batch";
  if (options.isTraining && isa<BatchNormOp>(op) &&
      !options.batchNormPerMicroBatch)
    return fail(op) << "in training, it uses the statistics of the batch; "
                       "those of each micro-batch need "
                       "--batch-norm=per-micro-batch";
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return visitReshape(reshape);
  if (auto primitive = dyn_cast<IndexFormInterface>(op)) {
    for (auto [result, form] : llvm::enumerate(primitive.getIndexForms()))
      if (failed(visitForm(op, result, form)))
        return failure();
    return success();
  }
  if (auto composite = dyn_cast<DecomposableInterface>(op))
    return visitComposite(composite);
  return fail(op) << "it has no index form that says otherwise";
}

FailureOr<BatchAxes> graph::getArgumentBatchAxes(Block &body, Location loc) {
  Shape first;
  if (body.getNumArguments() > 0)
    first = getShape(body.getArgument(0));
  if (first.empty()) {
    emitError(loc) << "expected a first argument whose axis 0 has the samples";
    return failure();
  }
  BatchAxes axes;
  axes.size = first.front();
  for (Value argument : body.getArguments()) {
    Shape shape = getShape(argument);
    for (unsigned axis = 0; axis < shape.size(); ++axis) {
      if (axis > 0 && axes.size.isConstant())
        break;
      if (!(shape[axis] == axes.size))
        continue;
      axes.axes[argument] = {axis, 1, false};
      break;
    }
  }
  return axes;
}

LogicalResult graph::findBatchAxes(Block &body, const BatchOptions &options,
                                   BatchAxes &axes) {
  Finder finder(options, axes, nullptr);
  for (Operation &op : body)
    if (failed(finder.visit(&op)))
      return failure();
  return success();
}
