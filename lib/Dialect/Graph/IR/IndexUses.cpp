//===- IndexUses.cpp - operands that are indices, and their ranges --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/IR/IndexUses.h"
#include "tenon/Dialect/Graph/IR/Graph.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace tenon::graph;

/// If the type is signed, negative indices count from the end.
static IndexRange wrapping(Value indices, int64_t axis, const SymInt &size) {
  bool isSigned = !isUnsigned(getElementTypeOrSelf(indices.getType()));
  return {axis, isSigned ? -size : SymInt(0), size};
}

static IndexUse alongAxis(Value x, Value indices, int64_t axis) {
  return {indices, {wrapping(indices, axis, getShape(x)[axis])}, std::nullopt};
}

/// The last axis of `indices` has tuples that index the axes from `first` on.
static IndexUse tuples(Value x, Value indices, int64_t first) {
  IndexUse use{indices, {}, std::nullopt};
  int64_t length = *getShape(indices).back().getConstant();
  for (int64_t axis = first; axis < first + length; ++axis)
    use.ranges.push_back(wrapping(indices, axis, getShape(x)[axis]));
  return use;
}

/// Labels are classes; they do not count from the end.
static IndexUse labels(Value scores, Value labels,
                       std::optional<int64_t> ignored) {
  return {labels, {{1, SymInt(0), getShape(scores)[1]}}, ignored};
}

SmallVector<IndexUse, 1> tenon::graph::getIndexUses(Operation *op) {
  using Uses = SmallVector<IndexUse, 1>;
  return llvm::TypeSwitch<Operation *, Uses>(op)
      .Case<GatherOp, GatherElementsOp, ScatterElementsOp>([](auto at) {
        return Uses{alongAxis(at.getX(), at.getIndices(), at.getAxis())};
      })
      .Case([](GatherNdOp gather) {
        return Uses{
            tuples(gather.getX(), gather.getIndices(), gather.getBatchDims())};
      })
      .Case([](ScatterNdOp scatter) {
        return Uses{tuples(scatter.getX(), scatter.getIndices(), 0)};
      })
      .Case<EmbeddingOp, EmbeddingBagOp>([](auto embedding) {
        return Uses{alongAxis(embedding.getTable(), embedding.getIndices(), 0)};
      })
      .Case([](NllLossOp loss) {
        return Uses{labels(loss.getLogProbs(), loss.getLabels(),
                           loss.getIgnoreIndex())};
      })
      .Case([](SoftmaxCrossEntropyOp loss) {
        return Uses{
            labels(loss.getScores(), loss.getLabels(), loss.getIgnoreIndex())};
      })
      .Default(Uses());
}

std::string tenon::graph::describeReader(Operation *op) {
  std::string kind = op->getName().stripDialect().str(), name, place;
  op->getLoc()->walk([&](Location loc) {
    if (auto named = dyn_cast<NameLoc>(loc); named && name.empty())
      name = named.getName().str();
    if (auto line = dyn_cast<FileLineColLoc>(loc); line && place.empty())
      place = (llvm::sys::path::filename(line.getFilename().getValue()) + ":" +
               Twine(line.getLine()) + ":" + Twine(line.getColumn()))
                  .str();
    return WalkResult::advance();
  });
  // Names given by the importer end with the operator.
  if (StringRef(name).ends_with(")"))
    return "'" + name + "'";
  if (!name.empty())
    return "'" + name + "' (" + kind + ")";
  return place.empty() ? kind : kind + " at " + place;
}
