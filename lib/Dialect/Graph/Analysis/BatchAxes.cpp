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

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

static unsigned getNumber(Operation *op, Value operand) {
  return llvm::find(op->getOperands(), operand).getIndex();
}

static SymInt getProduct(ArrayRef<SymInt> sizes) {
  SymInt product = 1;
  for (const SymInt &size : sizes)
    product = product * size;
  return product;
}

/// a / b, if that is exact for all sizes.
static std::optional<SymInt> divide(const SymInt &a, const SymInt &b) {
  SymInt quotient = a.floorDiv(b);
  return provablyEqual(quotient * b, a) ? std::optional(quotient)
                                        : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Refusals
//===----------------------------------------------------------------------===//

LogicalResult BatchFinder::couple(Operation *op, const Twine &reason) {
  refusal = {op, true, reason.str()};
  return failure();
}

LogicalResult BatchFinder::notProved(Operation *op, const Twine &reason) {
  refusal = {op, false, reason.str()};
  return failure();
}

void BatchFinder::report() {
  refusal.op->emitOpError(refusal.couples
                              ? "couples the samples of a batch: "
                              : "is not proved to treat each sample of a "
                                "batch by itself: ")
      << refusal.reason;
}

/// A remedy if indices are data.
static constexpr char kOwnAxis[] =
    ": an axis for the samples, as of gather_nd with batch_dims, would do";

LogicalResult BatchFinder::refuseForm(OpResult result, const IndexForm &form) {
  Operation *op = result.getOwner();
  std::optional<std::pair<bool, std::string>> reason;
  llvm::SmallSetVector<unsigned, 2> axes; // of the result, that samples have
  walk(form.body, [&](Expr load) {
    if (reason || load.getKind() != ExprKind::Load)
      return;
    Value operand = op->getOperand(load->operand);
    std::optional<SampleAxis> samples = found.get(operand);
    if (!samples || samples->isUniform)
      return;
    Expr index = load->operands[samples->axis];
    if (index.getKind() == ExprKind::Var && index->var < form.shape.size()) {
      axes.insert(index->var);
      return;
    }
    bool isBound = false;
    Value indices;
    walk(index, [&](Expr node) {
      isBound |=
          node.getKind() == ExprKind::Var && node->var >= form.shape.size();
      if (node.getKind() == ExprKind::Load)
        indices = op->getOperand(node->operand);
    });
    std::string place = ("axis " + Twine(samples->axis) + " of operand #" +
                         Twine(getNumber(op, operand)))
                            .str();
    if (indices)
      reason = {false, "indices in operand #" +
                           std::to_string(getNumber(op, indices)) +
                           " decide which samples it reads, along " + place +
                           kOwnAxis};
    else if (isBound)
      reason = {true, "it computes results from all samples, along " + place};
    else
      reason = {true, "it moves samples to other places, along " + place};
  });
  if (!reason && axes.size() > 1)
    return couple(op, "it combines each sample with all, along axes " +
                          Twine(axes[0]) + " and " + Twine(axes[1]) +
                          " of result #" + Twine(result.getResultNumber()));
  if (reason)
    return reason->first ? couple(op, reason->second)
                         : notProved(op, reason->second);
  return notProved(op, "no axis of result #" + Twine(result.getResultNumber()) +
                           " has each sample where operands have it");
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

LogicalResult BatchFinder::visitForm(OpResult result, const IndexForm &form) {
  Operation *op = result.getOwner();
  // The forms of its operands may decide which elements the op reads.
  auto unlessOpen = [&](LogicalResult refused) {
    return success(succeeded(refused) || visitOpen(result));
  };
  for (unsigned axis = 0; axis < form.shape.size(); ++axis) {
    Reads reads;
    if (!read(op, form.body, axis, reads) || !reads.samples)
      continue;
    SampleAxis samples = *reads.samples;
    samples.axis = axis;
    if (!provablyEqual(form.shape[axis],
                       samples.outer * found.size * samples.rows))
      continue;
    if (reads.usesNumber)
      return unlessOpen(couple(op, "it uses their number"));
    for (auto [operand, place] : reads.uniform)
      if (!makeUniform(operand, {place, samples.rows, true, samples.outer}))
        return unlessOpen(
            notProved(op, "it reads other values for each sample of operand #" +
                              Twine(getNumber(op, operand)) +
                              ", which has none: it should be the same for all "
                              "of them, or an input that has them"));
    for (Value operand : reads.whole)
      if (!isIndependent(operand))
        return unlessOpen(
            notProved(op, "operand #" + Twine(getNumber(op, operand)) +
                              " depends on their number, of which it should "
                              "know nothing"));
    found.axes[result] = samples;
    return checkSizes(result, samples);
  }
  return unlessOpen(refuseForm(result, form));
}

bool BatchFinder::visitOpen(OpResult result) {
  Expr open = forms.get(result);
  if (!open)
    return false;
  SmallVector<SymInt> outers;
  for (int64_t blocks = 1; blocks <= kMostBlocks; ++blocks)
    outers.push_back(blocks);
  walk(open, [&](Expr load) {
    if (load.getKind() != ExprKind::Load)
      return;
    std::optional<SampleAxis> samples = found.get(forms.getLeaf(load->operand));
    for (int64_t blocks = 1; samples && blocks <= kMostBlocks; ++blocks)
      if (SymInt all = samples->outer * SymInt(blocks);
          !llvm::is_contained(outers, all))
        outers.push_back(all);
  });
  for (auto [axis, size] : llvm::enumerate(getShape(result))) {
    std::optional<SymInt> all = getRows(size);
    for (const SymInt &blocks : outers) {
      std::optional<SymInt> rows = all ? divide(*all, blocks) : std::nullopt;
      if (!rows)
        continue;
      SampleAxis samples{static_cast<unsigned>(axis), *rows, false, blocks};
      std::optional<Reads> reads = readOpen(getShape(result), open, samples);
      if (!reads || !reads->samples || findWrongSize(result, samples) ||
          !llvm::all_of(reads->whole,
                        [&](Value leaf) { return isIndependent(leaf); }))
        continue;
      found.axes[result] = samples;
      return true;
    }
  }
  return false;
}

/// The elements of a sample stay in their place if as many others are before
/// and behind them.
std::optional<SampleAxis> BatchFinder::getReshaped(const SampleAxis &samples,
                                                   const Shape &from,
                                                   const Shape &to) const {
  SymInt before =
      getProduct(ArrayRef(from).take_front(samples.axis)) * samples.outer;
  SymInt behind =
      samples.rows * getProduct(ArrayRef(from).drop_front(samples.axis + 1));
  for (unsigned axis = 0; axis < to.size(); ++axis) {
    SymInt first = getProduct(ArrayRef(to).take_front(axis)),
           last = getProduct(ArrayRef(to).drop_front(axis + 1));
    // Without a quotient, which sizes of 0 have not.
    std::optional<SymInt> all = getRows(to[axis]);
    if (all && provablyEqual(first, before) &&
        provablyEqual(*all * last, behind))
      return SampleAxis{axis, *all, samples.isUniform};
    std::optional<SymInt> outer = divide(before, first);
    std::optional<SymInt> rows = divide(behind, last);
    if (outer && rows && provablyEqual(*outer * found.size * *rows, to[axis]))
      return SampleAxis{axis, *rows, samples.isUniform, *outer};
  }
  return std::nullopt;
}

LogicalResult BatchFinder::visitReshape(ReshapeOp op) {
  std::optional<SampleAxis> reshaped =
      getReshaped(*found.get(op.getOperand()), getShape(op.getOperand()),
                  getShape(op.getResult()));
  if (!reshaped)
    return notProved(op, "it makes axes in which a sample has parts");
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
    if (std::optional<Pooling> pooling = found.getPooling(operand))
      inner.pooled[arguments.back()] = *pooling;
  }
  OpBuilder builder(op->getContext());
  builder.setInsertionPointToStart(&block);
  auto copy = cast<DecomposableInterface>(builder.clone(*op.getOperation()));
  copy->setOperands(arguments);
  SmallVector<Value> values = copy.decompose(builder);
  if (values.size() != op->getNumResults())
    return notProved(op, "its meaning needs a size that has no name");
  copy->erase();
  BatchFinder finder(options, inner, outer ? outer : op.getOperation(), this);
  for (auto [argument, operand] : llvm::zip(arguments, op->getOperands())) {
    finder.independent[argument] = isIndependent(operand);
    finder.operands[argument] = operand;
    if (auto reason = reasons.find(operand); reason != reasons.end())
      finder.reasons[argument] = reason->second;
  }
  auto getOwn = [&](const Refusal &reason) {
    return reason.op->getBlock() == &block
               ? Refusal{op, reason.couples, reason.reason}
               : reason;
  };
  auto refuse = [&](const Refusal &reason) {
    refusal = getOwn(reason);
    return failure();
  };
  for (Operation &step : block)
    if (failed(finder.visit(&step)))
      return refuse(finder.refusal);
  for (auto [result, value] : llvm::zip(op->getResults(), values)) {
    if (inner.uncut.contains(value))
      return refuse(finder.reasons[value]);
    if (std::optional<Pooling> pooling = inner.getPooling(value)) {
      found.pooled[result] = *pooling;
      reasons[result] = getOwn(finder.reasons[value]);
    }
    if (std::optional<SampleAxis> samples = inner.get(value)) {
      found.axes[result] = *samples;
      if (failed(checkSizes(result, *samples)))
        return failure();
    }
  }
  return success();
}

/// Values that are returned without samples must be the same for all of them,
/// have equal rows for each, or be numbers that are pooled.
LogicalResult BatchFinder::visitReturned(Operation *end) {
  for (auto [number, value] : llvm::enumerate(end->getOperands())) {
    Operation *op = value.getDefiningOp();
    std::string output = ("it computes output #" + Twine(number)).str();
    bool isNumber = getShape(value).empty() &&
                    isa<FloatType>(getElementTypeOrSelf(value.getType()));
    if (found.getPooling(value) && isNumber)
      continue;
    if (found.uncut.contains(value) || found.getPooling(value)) {
      refusal = reasons[value];
      if (found.getPooling(value))
        refusal.reason += "; a sum or a mean over samples may be output #" +
                          std::to_string(number) +
                          " if it is one number of a floating-point type";
      return failure();
    }
    if (found.get(value) || isIndependent(value))
      continue;
    Shape shape = getShape(value);
    auto isCounted = [&](const SymInt &size) {
      return found.dependsOnNumber(size);
    };
    auto first = llvm::find_if(shape, isCounted);
    unsigned axis = first - shape.begin();
    if (first == shape.end())
      return notProved(op, output + ", which depends on their number");
    if (tryUniform(value, axis))
      continue;
    return notProved(op, output + ", which contains their number in axis " +
                             Twine(axis) + ", of size " + first->str() +
                             ", but has no equal rows for each of them");
  }
  return success();
}

bool BatchFinder::leaveUncut(Operation *op) {
  auto isIndex = [&](OpResult result) {
    return isa<IntegerType>(getElementTypeOrSelf(result.getType())) &&
           forms.get(result);
  };
  if (refusal.couples || !llvm::all_of(op->getResults(), isIndex))
    return false;
  for (OpResult result : op->getResults()) {
    found.axes.erase(result);
    found.uncut.insert(result);
    reasons[result] = refusal;
  }
  return true;
}

LogicalResult BatchFinder::visitOp(Operation *op) {
  auto primitive = dyn_cast<IndexFormInterface>(op);
  if (Value indices = findCountedIndices(op))
    return notProved(op, "operand #" + Twine(getNumber(op, indices)) +
                             " has indices, and which are valid depends on "
                             "their number" +
                             kOwnAxis);
  for (Value operand : op->getOperands()) {
    if (found.getPooling(operand) && primitive) {
      refusal = reasons[operand];
      return failure();
    }
    if (!found.uncut.contains(operand))
      continue;
    if (primitive && llvm::all_of(op->getResults(), [&](OpResult result) {
          return visitOpen(result);
        }))
      return success();
    refusal = reasons[operand];
    return failure();
  }
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return visitReshape(reshape);
  if (primitive) {
    for (auto [result, form] :
         llvm::zip(op->getResults(), primitive.getIndexForms()))
      if (failed(visitForm(result, form)))
        return failure();
    return success();
  }
  if (auto composite = dyn_cast<DecomposableInterface>(op))
    return visitComposite(composite);
  return notProved(op, "it has no index form");
}

LogicalResult BatchFinder::visit(Operation *op) {
  if (isa<ReadStateOp, WriteStateOp>(op))
    return couple(op, "a state is one for all of them");
  if (op->hasTrait<OpTrait::IsTerminator>())
    return visitReturned(op);
  if (llvm::none_of(op->getOperands(),
                    [&](Value operand) { return found.hasSamples(operand); }))
    return success();
  if (options.isTraining && isa<DropoutOp>(op))
    return couple(op, "in training, it draws by the position in the batch");
  if (options.isTraining && isa<BatchNormOp>(op) &&
      !options.batchNormPerMicroBatch)
    return couple(op, "in training, it uses the statistics of the batch; "
                      "those of each micro-batch need "
                      "--batch-norm=per-micro-batch");
  return success(succeeded(visitOp(op)) || leaveUncut(op) || pool(op));
}

LogicalResult BatchFinder::run(Block &body) {
  if (failed(checkArguments(body)))
    return failure();
  for (Operation &op : body)
    if (failed(visit(&op))) {
      report();
      return failure();
    }
  return success();
}

SymInt graph::getSampleNumber(Block &body) {
  Shape first;
  if (body.getNumArguments() > 0)
    first = getShape(body.getArgument(0));
  if (first.empty())
    return SymInt();
  if (first.front().isConstant())
    for (Value argument : body.getArguments())
      for (const SymInt &size : getShape(argument))
        if (size.getSymbol())
          return size;
  return first.front();
}

FailureOr<BatchAxes> graph::getArgumentBatchAxes(Block &body, Location loc) {
  BatchAxes axes;
  axes.size = getSampleNumber(body);
  if (body.getNumArguments() == 0 || getShape(body.getArgument(0)).empty()) {
    emitError(loc) << "expected a first argument whose axis 0 has the samples";
    return failure();
  }
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
  // A part has a sample.
  SizeAssumption atLeastOne(axes.size - SymInt(1));
  return BatchFinder(options, axes).run(body);
}
