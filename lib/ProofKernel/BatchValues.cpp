//===- BatchValues.cpp - what a cut along a batch does to values ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BatchValues.h"
#include "tenon/Dialect/Rule/IR/Rule.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::prove;

RankedTensorType prove::replaceSizes(RankedTensorType type,
                                     ReplaceSize replace) {
  Shape shape = getShape(type);
  for (SymInt &size : shape)
    size = replace(size);
  return getTensorType(shape, type.getElementType());
}

Operation *prove::cloneWithSizes(OpBuilder &builder, Operation *op,
                                 IRMapping &values, ReplaceSize replace) {
  Operation *copy = builder.clone(*op, values);
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](DimsAttr dims) -> Attribute {
    Shape entries = dims.getEntries();
    for (SymInt &entry : entries)
      entry = replace(entry);
    return DimsAttr::get(dims.getContext(), entries);
  });
  replacer.addReplacement(
      [&](RankedTensorType type) -> std::optional<std::pair<Type, WalkResult>> {
        if (!isa_and_nonnull<DimsAttr>(type.getEncoding()))
          return std::nullopt;
        return std::pair<Type, WalkResult>(replaceSizes(type, replace),
                                           WalkResult::skip());
      });
  replacer.recursivelyReplaceElementsIn(copy, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  return copy;
}

Value prove::sliceSamples(OpBuilder &builder, Value value,
                          const SampleAxis &samples, const SymInt &all,
                          const SymInt &begin, const SymInt &count) {
  MLIRContext *context = builder.getContext();
  Location loc = value.getLoc();
  auto type = cast<RankedTensorType>(value.getType());
  Shape sizes = getShape(type);
  unsigned axis = samples.axis;
  if (!samples.isContiguous()) {
    sizes.insert(sizes.begin() + axis, samples.outer);
    sizes[++axis] = all * samples.rows;
    value =
        ReshapeOp::create(builder, loc, value, DimsAttr::get(context, sizes));
  }
  Shape starts(sizes.size(), SymInt(0)), steps(sizes.size(), SymInt(1));
  starts[axis] = begin * samples.rows;
  sizes[axis] = count * samples.rows;
  value = SliceOp::create(
      builder, loc, getTensorType(sizes, type.getElementType()), value,
      DimsAttr::get(context, starts), DimsAttr::get(context, sizes),
      DimsAttr::get(context, steps));
  if (samples.isContiguous())
    return value;
  sizes[axis] = samples.outer * sizes[axis];
  sizes.erase(sizes.begin() + samples.axis);
  return ReshapeOp::create(builder, loc, value, DimsAttr::get(context, sizes));
}

SymInt prove::replaceNumber(const SymInt &value, const SymInt &number,
                            const SymInt &other) {
  StringRef name = *number.getSymbol();
  return value.substitute([&](StringRef symbol) {
    return symbol == name ? std::optional(other) : std::nullopt;
  });
}

SymInt prove::getUnusedSymbol(ArrayRef<Operation *> ops, StringRef name) {
  llvm::StringSet<> used;
  auto add = [&](StringRef symbol) { used.insert(symbol); };
  for (Operation *op : ops) {
    rule::visitSymbols(op, add);
    for (Type type : op->getOperandTypes())
      rule::visitSymbols(type, add);
    for (Type type : op->getResultTypes())
      rule::visitSymbols(type, add);
  }
  std::string text = name.str();
  while (used.contains(text))
    text += "_";
  return SymInt::symbol(text);
}

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
  auto isOwn = [&](Value value) { return !isKnown(value); };
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
