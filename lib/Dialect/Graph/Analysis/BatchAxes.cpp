//===- BatchAxes.cpp - which axes hold the samples ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/Analysis/BatchAxes.h"
#include "BatchFinder.h"
#include "tenon/Dialect/Graph/IR/SizeFacts.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

static unsigned getNumber(Operation *op, Value operand) {
  return llvm::find(op->getOperands(), operand).getIndex();
}

LogicalResult BatchFinder::visitForm(Operation *op, unsigned result,
                                     const IndexForm &form) {
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
                        << getNumber(op, operand) << ", which has none";
    for (Value operand : reads.whole)
      if (!isIndependent(operand))
        return fail(op) << "operand #" << getNumber(op, operand)
                        << " depends on their number";
    SampleAxis samples{axis, *reads.rows, false};
    found.axes[op->getResult(result)] = samples;
    return checkSizes(op->getResult(result), samples);
  }
  return fail(op) << "no axis of result #" << result
                  << " depends on one sample only";
}

/// What belongs to a sample stays in its place, if as many elements are before
/// and behind it.
std::optional<SampleAxis> BatchFinder::getReshaped(const SampleAxis &samples,
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

LogicalResult BatchFinder::visitReshape(ReshapeOp op) {
  std::optional<SampleAxis> reshaped =
      getReshaped(*found.get(op.getOperand()), getShape(op.getOperand()),
                  getShape(op.getResult()));
  if (!reshaped)
    return fail(op)
           << "it merges them with an axis before them, or splits them";
  found.axes[op.getResult()] = *reshaped;
  return checkSizes(cast<OpResult>(op.getResult()), *reshaped);
}

LogicalResult BatchFinder::visitComposite(DecomposableInterface op) {
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
  BatchFinder finder(options, inner, outer ? outer : op.getOperation());
  for (auto [argument, operand] : llvm::zip(arguments, op->getOperands()))
    finder.independent[argument] = isIndependent(operand);
  for (Operation &step : block)
    if (failed(finder.visit(&step)))
      return failure();
  for (auto [result, value] : llvm::zip(op->getResults(), values))
    if (std::optional<SampleAxis> samples = inner.get(value)) {
      found.axes[result] = *samples;
      if (failed(checkSizes(result, *samples)))
        return failure();
    }
  return success();
}

/// What is returned without samples must be the same for all of them, or have
/// equal rows for each.
LogicalResult BatchFinder::visitReturned(Operation *end) {
  for (auto [number, value] : llvm::enumerate(end->getOperands())) {
    if (found.get(value) || isIndependent(value))
      continue;
    Shape shape = getShape(value);
    auto isCounted = [&](const SymInt &size) {
      return found.dependsOnNumber(size);
    };
    auto first = llvm::find_if(shape, isCounted);
    unsigned axis = first - shape.begin();
    if (first != shape.end() && tryUniform(value, axis))
      continue;
    InFlightDiagnostic diagnostic = fail(value.getDefiningOp());
    diagnostic << "it computes output #" << number << ", which ";
    if (first == shape.end())
      return diagnostic << "depends on their number";
    return diagnostic << "contains their number in axis " << axis
                      << ", of size " << first->str()
                      << ", but has no equal rows for each of them";
  }
  return success();
}

LogicalResult BatchFinder::visit(Operation *op) {
  if (isa<ReadStateOp, WriteStateOp>(op))
    return fail(op) << "a state is one for all of them";
  bool hasSamples = llvm::any_of(op->getOperands(), [&](Value operand) {
    return found.hasSamples(operand);
  });
  if (op->hasTrait<OpTrait::IsTerminator>())
    return visitReturned(op);
  if (!hasSamples)
    return success();
  if (options.isTraining && isa<DropoutOp>(op))
    return fail(op) << "in training, it draws by the position in the batch";
  if (options.isTraining && isa<BatchNormOp>(op) &&
      !options.batchNormPerMicroBatch)
    return fail(op) << "in training, it uses the statistics of the batch; "
                       "those of each micro-batch need "
                       "--batch-norm=per-micro-batch";
  if (Value indices = findCountedIndices(op))
    return fail(op) << "operand #" << getNumber(op, indices)
                    << " has indices, and which are valid depends on their "
                       "number";
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
  BatchFinder finder(options, axes, nullptr);
  if (failed(finder.checkArguments(body)))
    return failure();
  for (Operation &op : body)
    if (failed(finder.visit(&op)))
      return failure();
  return success();
}
