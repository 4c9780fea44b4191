//===- BatchValues.cpp - what a cut along a batch does to values ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BatchValues.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::prove;

bool BatchValues::usesNumber(const SymInt &size) const {
  bool uses = false;
  size.visitSymbols([&](StringRef name) { uses |= name == symbol; });
  return uses;
}

std::optional<unsigned> BatchValues::findOtherAxis(Value value) const {
  std::optional<SampleAxis> samples = axes.get(value);
  for (auto [axis, size] : llvm::enumerate(getShape(value))) {
    bool isTheirs = samples && axis == samples->axis;
    if (isTheirs ? usesNumber(samples->rows) || usesNumber(samples->outer) ||
                       !(size == samples->outer * axes.size * samples->rows)
                 : usesNumber(size))
      return axis;
  }
  return std::nullopt;
}

bool BatchValues::isSame(Value value) {
  if (auto known = same.find(value); known != same.end())
    return known->second;
  bool result = !axes.get(value) && !findOtherAxis(value);
  if (Operation *op = value.getDefiningOp(); op && result) {
    result = isa_and_nonnull<GraphDialect>(op->getDialect()) && isPure(op) &&
             op->getNumRegions() == 0;
    op->getAttrDictionary().walk([&](DimsAttr dims) {
      for (const SymInt &entry : dims.getEntries())
        result &= !usesNumber(entry);
    });
    for (Value operand : op->getOperands())
      result = result && isSame(operand);
  }
  same[value] = result;
  return result;
}

SmallVector<Operation *> BatchValues::getCone(Operation *op,
                                              SmallVectorImpl<Value> &leaves) {
  llvm::SetVector<Operation *> cone;
  cone.insert(op);
  auto isOwn = [&](Value value) { return !isPartOrSame(value); };
  if (llvm::any_of(op->getOperands(), isOwn))
    for (size_t next = 0; next < cone.size(); ++next)
      for (Value operand : cone[next]->getOperands())
        if (Operation *producer = operand.getDefiningOp();
            producer && (isOwn(operand) || isBoundedIndex(operand) ||
                         counts.contains(operand)))
          cone.insert(producer);
  SmallVector<Operation *> ops = cone.takeVector();
  llvm::sort(ops,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  llvm::SetVector<Value> read;
  for (Operation *one : ops)
    for (Value operand : one->getOperands())
      if (!llvm::is_contained(ops, operand.getDefiningOp()))
        read.insert(operand);
  leaves.assign(read.begin(), read.end());
  return ops;
}
