//===- StepBatching.cpp - batching the steps of a loop --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepBatching.h"

#include "tenon/Dialect/Graph/IR/SizeFacts.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "llvm/ADT/TypeSwitch.h"

#include <optional>

using namespace mlir;
using namespace tenon;
using namespace tenon::onnx;
using namespace tenon::graph;

bool StepBatching::mentionsStep(const SymInt &value) const {
  bool found = false;
  value.visitSymbols([&](StringRef name) { found |= name == step; });
  return found;
}

bool StepBatching::mentionsStep(Operation *op) const {
  bool found = false;
  AttrTypeWalker walker;
  walker.addWalk([&](DimsAttr dims) {
    found |= llvm::any_of(dims.getEntries(), [&](const SymInt &entry) {
      return mentionsStep(entry);
    });
  });
  walker.walk(op->getAttrDictionary());
  for (Type type : op->getResultTypes())
    walker.walk(type);
  return found;
}

Shape StepBatching::withSteps(ArrayRef<SymInt> shape) const {
  Shape result = {numSteps};
  result.append(shape.begin(), shape.end());
  return result;
}

Value StepBatching::get(Value value) {
  auto found = batched.find(value);
  if (found != batched.end())
    return found->second;
  return b.broadcast(value, withSteps(getShape(value)));
}

/// Builds x[c + d * step : ...] for all steps by one gather of the windows'
/// positions.
Value StepBatching::window(SliceOp op) {
  Shape starts = op.getStarts().getEntries(),
        sizes = op.getSizes().getEntries(), steps = op.getSteps().getEntries();
  int64_t axis = -1;
  for (auto [i, start] : llvm::enumerate(starts)) {
    if (mentionsStep(sizes[i]) || mentionsStep(steps[i]) ||
        (mentionsStep(start) && axis >= 0))
      return b.error("slices whose sizes differ from step to step, or on two "
                     "axes, can't be computed for all steps at once");
    if (mentionsStep(start))
      axis = i;
  }
  // Slice the other axes first, and keep all of this one.
  auto whole = prefixes.find(op.getX());
  Value x = whole == prefixes.end() ? op.getX() : whole->second;
  SymInt start = starts[axis], size = sizes[axis], by = steps[axis];
  starts[axis] = SymInt(0);
  sizes[axis] = getShape(x)[axis];
  steps[axis] = SymInt(1);
  x = b.op<SliceOp>({x}, {b.dims("starts", starts), b.dims("sizes", sizes),
                          b.dims("steps", steps)});
  auto at = [&](int64_t number) {
    return start.substitute([&](StringRef name) -> std::optional<SymInt> {
      return name == step ? std::optional<SymInt>(number) : std::nullopt;
    });
  };
  SymInt first = at(0), rise = at(1) - first;
  if (!provablyEqual(start, first + rise * SymInt::symbol(step)))
    return b.error("a slice that begins at " + start.str() +
                   " can't be computed for all steps at once");
  Type i64 = b.getBuilder().getI64Type();
  Shape both = {numSteps, size};
  auto count = [&](int64_t along, const SymInt &scale) {
    return b.mul(b.iota(both, along, i64), b.broadcast(b.size(scale), both));
  };
  Value positions = b.add(b.add(count(0, rise), count(1, by)), b.size(first));
  Value windows = b.gather(x, positions, axis);
  return moveStepsToFront(windows, axis);
}

/// Transposes [before, steps, after] to [steps, before, after].
Value StepBatching::moveStepsToFront(Value value, int64_t axis) {
  if (!value || axis == 0)
    return value;
  SmallVector<int64_t> perm = {axis};
  for (int64_t i = 0, rank = rankOf(value); i < rank; ++i)
    if (i != axis)
      perm.push_back(i);
  return b.transpose(value, perm);
}

Value StepBatching::batch(Operation *op) {
  SmallVector<Value> operands;
  auto getAll = [&] {
    for (Value operand : op->getOperands())
      operands.push_back(get(operand));
    return !llvm::is_contained(operands, Value());
  };
  auto shifted = [&](DimsAttr axes) {
    SmallVector<int64_t> result(axes.getValues());
    for (int64_t &axis : result)
      ++axis;
    return result;
  };
  auto withFirst = [&](DimsAttr dims, const SymInt &first) {
    SmallVector<SymInt> result = {first};
    llvm::append_range(result, dims.getEntries());
    return result;
  };
  if (isa<ElementwiseInterface>(op))
    return getAll() ? b.copy(op, operands, {}) : Value();
  if (auto slice = dyn_cast<SliceOp>(op)) {
    if (!isBatched(slice.getX()))
      return window(slice);
    if (mentionsStep(op))
      return {};
    return b.op<SliceOp>(
        {get(slice.getX())},
        {b.dims("starts", withFirst(slice.getStarts(), 0)),
         b.dims("sizes", withFirst(slice.getSizes(), numSteps)),
         b.dims("steps", withFirst(slice.getSteps(), 1))});
  }
  if (mentionsStep(op))
    return {};
  if (auto axes = op->getAttrOfType<DimsAttr>("axes");
      axes && op->getNumOperands() == 1 &&
      op->getName().getStringRef().starts_with("graph.reduce_"))
    return getAll() ? b.copy(op, operands, {b.dims("axes", shifted(axes))})
                    : Value();
  return TypeSwitch<Operation *, Value>(op)
      .Case([&](ReshapeOp reshape) {
        return b.reshape(get(reshape.getX()),
                         withSteps(getShape(reshape.getResult())));
      })
      .Case([&](BroadcastOp broadcast) {
        Value x = get(broadcast.getX());
        Shape shape = getShape(broadcast.getResult()),
              from = getShape(broadcast.getX());
        Shape aligned(shape.size() - from.size(), SymInt(1));
        llvm::append_range(aligned, from);
        return b.broadcast(b.reshape(x, withSteps(aligned)), withSteps(shape));
      })
      .Case([&](TransposeOp transpose) {
        SmallVector<int64_t> perm = {0};
        llvm::append_range(perm, shifted(transpose.getPerm()));
        return b.transpose(get(transpose.getX()), perm);
      })
      .Case([&](ConcatOp concat) {
        return getAll() ? b.concat(operands, concat.getAxis() + 1) : Value();
      })
      .Case([&](MatmulOp matmul) {
        // Batch axes are aligned at their ends, so that the step must not
        // become one of them.
        int64_t rank = rankOf(matmul.getResult());
        for (Value operand : op->getOperands()) {
          Shape aligned(rank - rankOf(operand), SymInt(1));
          llvm::append_range(aligned, getShape(operand));
          operands.push_back(b.reshape(get(operand), withSteps(aligned)));
        }
        return b.copy(op, operands, {});
      })
      .Case([&](GatherOp gather) {
        int64_t axis = gather.getAxis();
        if (!isBatched(gather.getIndices()))
          return b.gather(get(gather.getX()), gather.getIndices(), axis + 1);
        if (isBatched(gather.getX()))
          return Value();
        return moveStepsToFront(
            b.gather(gather.getX(), get(gather.getIndices()), axis), axis);
      })
      .Default([](Operation *) { return Value(); });
}

bool StepBatching::add(Operation *op) {
  if (llvm::none_of(op->getOperands(),
                    [&](Value operand) { return isBatched(operand); }) &&
      !mentionsStep(op))
    return true;
  // The numbers up to that of the step, of which parts are taken, begin the
  // numbers of all steps.
  if (auto iota = dyn_cast<IotaOp>(op)) {
    Shape shape = getShape(iota.getResult());
    if (shape.size() == 1 && shape[0] == SymInt::symbol(step) + SymInt(1)) {
      prefixes[iota.getResult()] =
          b.iota({numSteps}, 0, elementTypeOf(iota.getResult()));
      return true;
    }
  }
  Value result = op->getNumResults() == 1 ? batch(op) : Value();
  if (!result) {
    if (!b.hasFailed())
      b.error("the number of steps depends on sizes, and " +
              op->getName().getStringRef() +
              " in the body can't be computed for all steps at once");
    return false;
  }
  batched[op->getResult(0)] = result;
  return true;
}
