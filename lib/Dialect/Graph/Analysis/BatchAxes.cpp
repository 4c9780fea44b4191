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

/// Whether a variable occurs in an expression, also in the indices of loads.
static bool occurs(const Expr &expr, unsigned var) {
  bool found = false;
  walk(expr, [&](Expr node) {
    found |= node.getKind() == ExprKind::Var && node->var == var;
  });
  return found;
}

static bool isVar(const Expr &expr, unsigned var) {
  return expr.getKind() == ExprKind::Var && expr->var == var;
}

namespace {
/// What an element at index v of an axis is computed from.
struct Reads {
  /// The rows of a sample, if operands with samples are read, all at index v.
  std::optional<SymInt> rows;
  /// Operands without samples that must have equal rows along an axis.
  SmallVector<std::pair<Value, unsigned>> uniform;
  /// Operands without samples that are read whatever v is.
  SmallVector<Value> whole;
  /// Whether their number matters, as for the divisor of a mean.
  bool usesNumber = false;
};

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
  std::optional<SampleAxis> getReshaped(const SampleAxis &samples,
                                        const Shape &from,
                                        const Shape &to) const;
  LogicalResult visitForm(Operation *op, unsigned result,
                          const IndexForm &form);
  LogicalResult visitComposite(DecomposableInterface op);
  bool read(Operation *op, const Expr &expr, unsigned axis, Reads &reads);
  /// Makes `axis` of a value without samples one that has equal rows for each
  /// of them, if it has.
  bool makeUniform(Value value, const SampleAxis &axis);
  bool tryUniform(Value value, unsigned axis);
  /// Whether a value is the same however many samples there are.
  bool isIndependent(Value value);
  bool usesSymbol(const SymInt &size) const;
  /// The rows that each sample has along an axis of this size.
  std::optional<SymInt> getRows(const SymInt &size) const;

  const BatchOptions &options;
  BatchAxes &found;
  Operation *outer;
  llvm::DenseMap<Value, bool> independent;
};
} // namespace

bool Finder::usesSymbol(const SymInt &size) const {
  bool uses = false;
  if (std::optional<StringRef> symbol = found.size.getSymbol())
    size.visitSymbols([&](StringRef name) { uses |= name == *symbol; });
  return uses;
}

std::optional<SymInt> Finder::getRows(const SymInt &size) const {
  std::optional<StringRef> symbol = found.size.getSymbol();
  SymInt rows = symbol ? size.substitute([&](StringRef name) {
    return name == *symbol ? std::optional<SymInt>(1) : std::nullopt;
  })
                       : size.floorDiv(found.size);
  return provablyEqual(found.size * rows, size) ? std::optional(rows)
                                                : std::nullopt;
}

/// If the number of samples is a constant, what is not cut keeps its sizes.
bool Finder::isIndependent(Value value) {
  if (found.size.isConstant())
    return true;
  auto [place, isNew] = independent.try_emplace(value, true);
  if (!isNew)
    return place->second;
  bool result = llvm::none_of(
      getShape(value), [&](const SymInt &size) { return usesSymbol(size); });
  Operation *op = value.getDefiningOp();
  if (op && result) {
    for (Value operand : op->getOperands())
      result &= isIndependent(operand);
    for (NamedAttribute attribute : op->getAttrs())
      if (auto dims = dyn_cast<DimsAttr>(attribute.getValue()))
        for (const SymInt &entry : dims.getEntries())
          result &= !usesSymbol(entry);
  }
  independent[value] = result;
  return result;
}

/// Collects what an expression reads; fails if index v decides something else
/// than which samples are read.
bool Finder::read(Operation *op, const Expr &expr, unsigned axis,
                  Reads &reads) {
  if (expr.getKind() == ExprKind::Var)
    return expr->var != axis;
  reads.usesNumber |=
      expr.getKind() == ExprKind::Size && usesSymbol(expr->size);
  if (expr.getKind() != ExprKind::Load)
    return llvm::all_of(expr->operands, [&](const Expr &operand) {
      return read(op, operand, axis, reads);
    });
  Value operand = op->getOperand(expr->operand);
  std::optional<SampleAxis> samples;
  if (found.hasSamples(operand))
    samples = found.get(operand);
  bool isUniform = false;
  for (auto [place, index] : llvm::enumerate(expr->operands)) {
    if (samples && place == samples->axis) {
      if (!isVar(index, axis) ||
          (reads.rows && !provablyEqual(*reads.rows, samples->rows)))
        return false;
      reads.rows = samples->rows;
      continue;
    }
    if (!samples && isVar(index, axis)) {
      reads.uniform.emplace_back(operand, place);
      isUniform = true;
      continue;
    }
    // If all rows are equal, it does not matter which of them is read.
    if (!samples && occurs(index, axis) && tryUniform(operand, place)) {
      isUniform = true;
      continue;
    }
    if (!read(op, index, axis, reads))
      return false;
  }
  if (!samples && !isUniform)
    reads.whole.push_back(operand);
  return true;
}

bool Finder::tryUniform(Value value, unsigned axis) {
  std::optional<SymInt> rows = getRows(getShape(value)[axis]);
  if (!rows)
    return false;
  llvm::DenseMap<Value, SampleAxis> before = found.axes;
  if (makeUniform(value, {axis, *rows, true}))
    return true;
  found.axes = std::move(before);
  return false;
}

bool Finder::makeUniform(Value value, const SampleAxis &axis) {
  if (std::optional<SampleAxis> known = found.get(value))
    return known->axis == axis.axis && provablyEqual(known->rows, axis.rows);
  if (!provablyEqual(getShape(value)[axis.axis], found.size * axis.rows))
    return false;
  Operation *op = value.getDefiningOp();
  if (auto constant = dyn_cast_or_null<ConstantOp>(op)) {
    if (!isa<SplatElementsAttr>(constant.getValue()))
      return false;
    found.axes[value] = axis;
    return true;
  }
  if (auto reshape = dyn_cast_or_null<ReshapeOp>(op)) {
    std::optional<SampleAxis> from = getReshaped(
        axis, getShape(reshape.getResult()), getShape(reshape.getOperand()));
    if (!from || !makeUniform(reshape.getOperand(), *from))
      return false;
    found.axes[value] = axis;
    return true;
  }
  auto primitive = dyn_cast_or_null<IndexFormInterface>(op);
  if (!primitive)
    return false;
  IndexForm form =
      primitive.getIndexForms()[cast<OpResult>(value).getResultNumber()];
  Reads reads;
  if (!read(op, form.body, axis.axis, reads) || reads.rows || reads.usesNumber)
    return false;
  for (auto [operand, place] : reads.uniform)
    if (!makeUniform(operand, {place, axis.rows, true}))
      return false;
  if (!llvm::all_of(reads.whole,
                    [&](Value operand) { return isIndependent(operand); }))
    return false;
  found.axes[value] = axis;
  return true;
}

LogicalResult Finder::visitForm(Operation *op, unsigned result,
                                const IndexForm &form) {
  auto getNumber = [&](Value operand) {
    return llvm::find(op->getOperands(), operand).getIndex();
  };
  for (unsigned axis = 0; axis < form.shape.size(); ++axis) {
    Reads reads;
    if (!read(op, form.body, axis, reads) || !reads.rows ||
        !provablyEqual(form.shape[axis], found.size * *reads.rows))
      continue;
    if (reads.usesNumber)
      return fail(op) << "it uses their number";
    for (auto [operand, place] : reads.uniform)
      if (!makeUniform(operand, {place, *reads.rows, true}))
        return fail(op) << "it reads other values for each sample of operand #"
                        << getNumber(operand) << ", which has none";
    for (Value operand : reads.whole)
      if (!isIndependent(operand))
        return fail(op) << "operand #" << getNumber(operand)
                        << " depends on their number";
    found.axes[op->getResult(result)] = {axis, *reads.rows, false};
    return success();
  }
  return fail(op) << "no axis of result #" << result
                  << " depends on one sample only";
}

/// What belongs to a sample stays in its place, if as many elements are before
/// and behind it.
std::optional<SampleAxis> Finder::getReshaped(const SampleAxis &samples,
                                              const Shape &from,
                                              const Shape &to) const {
  auto getProduct = [](ArrayRef<SymInt> sizes) {
    SymInt product = 1;
    for (const SymInt &size : sizes)
      product = product * size;
    return product;
  };
  SymInt before = getProduct(ArrayRef(from).take_front(samples.axis));
  SymInt behind =
      samples.rows * getProduct(ArrayRef(from).drop_front(samples.axis + 1));
  for (unsigned axis = 0; axis < to.size(); ++axis) {
    std::optional<SymInt> rows = getRows(to[axis]);
    if (rows &&
        provablyEqual(getProduct(ArrayRef(to).take_front(axis)), before) &&
        provablyEqual(*rows * getProduct(ArrayRef(to).drop_front(axis + 1)),
                      behind))
      return SampleAxis{axis, *rows, samples.isUniform};
  }
  return std::nullopt;
}

LogicalResult Finder::visitReshape(ReshapeOp op) {
  std::optional<SampleAxis> reshaped =
      getReshaped(*found.get(op.getOperand()), getShape(op.getOperand()),
                  getShape(op.getResult()));
  if (!reshaped)
    return fail(op)
           << "it merges them with an axis before them, or splits them";
  found.axes[op.getResult()] = *reshaped;
  return success();
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
