//===- BatchSizes.cpp - sizes that depend on the number of samples --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BatchFinder.h"
#include "tenon/Dialect/Graph/Analysis/SimplifyIndices.h"
#include "tenon/Dialect/Graph/IR/ElementRange.h"
#include "tenon/Dialect/Graph/IR/Progression.h"
#include "tenon/Dialect/Graph/IR/SizeFacts.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

bool BatchAxes::dependsOnNumber(const SymInt &value) const {
  std::optional<StringRef> symbol = size.getSymbol();
  bool occurs = false;
  if (symbol)
    value.visitSymbols([&](StringRef name) { occurs |= name == *symbol; });
  if (!occurs)
    return false;
  // No symbol of a model has a name of this form.
  SymInt other = SymInt::symbol((*symbol + "'").str());
  return !provablyEqual(value, value.substitute([&](StringRef name) {
    return name == *symbol ? std::optional(other) : std::nullopt;
  }));
}

bool Counts::contains(Value value) {
  auto [place, isNew] = known.try_emplace(value, false);
  if (!isNew)
    return place->second;
  Operation *op = value.getDefiningOp();
  Type element = getElementTypeOrSelf(value.getType());
  bool result = isa<IntegerType>(element) && !isBool(element);
  if (auto constant = dyn_cast_or_null<ConstantOp>(op))
    result = result && getProgression(constant);
  else
    result = result && isa_and_nonnull<IndexFormInterface>(op) &&
             llvm::all_of(op->getOperands(),
                          [&](Value operand) { return contains(operand); });
  known[value] = result;
  return result;
}

bool graph::isBoundedIndex(Value value) {
  if (!getElementTypeOrSelf(value.getType()).isInteger(64))
    return false;
  while (isa_and_nonnull<BroadcastOp, ReshapeOp, TransposeOp, SliceOp>(
      value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return isa_and_nonnull<MinimumOp, MaximumOp>(value.getDefiningOp());
}

std::optional<SymInt> BatchFinder::getRows(const SymInt &size) const {
  std::optional<StringRef> symbol = found.size.getSymbol();
  SymInt rows = symbol ? size.substitute([&](StringRef name) {
    return name == *symbol ? std::optional<SymInt>(1) : std::nullopt;
  })
                       : size.floorDiv(found.size);
  return provablyEqual(found.size * rows, size) ? std::optional(rows)
                                                : std::nullopt;
}

/// The shape that follows from the operands and attributes of an op. The stated
/// one may have other names for equal sizes.
static std::optional<Shape> getInferredShape(OpResult result) {
  Operation *op = result.getOwner();
  auto inference = dyn_cast<InferTypeOpInterface>(op);
  SmallVector<Type> types;
  if (!inference || failed(inference.inferReturnTypes(
                        op->getContext(), std::nullopt, op->getOperands(),
                        op->getRawDictionaryAttrs(), op->getPropertiesStorage(),
                        op->getRegions(), types)))
    return std::nullopt;
  return getShape(types[result.getResultNumber()]);
}

std::optional<std::pair<unsigned, SymInt>>
BatchFinder::findWrongSize(Value value, const SampleAxis &samples) const {
  Shape stated = getShape(value);
  for (auto [axis, size] : llvm::enumerate(stated))
    if (axis != samples.axis && found.dependsOnNumber(size))
      return std::pair(axis, size);
  auto result = dyn_cast<OpResult>(value);
  std::optional<Shape> inferred;
  if (result)
    inferred = getInferredShape(result);
  if (!inferred)
    return std::nullopt;
  bool usesNumber = false;
  result.getOwner()->getAttrDictionary().walk([&](DimsAttr dims) {
    for (const SymInt &entry : dims.getEntries())
      usesNumber |= found.dependsOnNumber(entry);
  });
  for (auto [axis, size] : llvm::enumerate(*inferred)) {
    bool depends = size.isUnknown() ? usesNumber : found.dependsOnNumber(size);
    bool isTheirs = axis == samples.axis;
    if (isTheirs ? !size.isUnknown() && !depends &&
                       found.dependsOnNumber(stated[axis])
                 : depends)
      return std::pair(axis, size);
  }
  return std::nullopt;
}

LogicalResult BatchFinder::checkSizes(OpResult result,
                                      const SampleAxis &samples) {
  auto wrong = findWrongSize(result, samples);
  if (!wrong)
    return success();
  std::string value =
      outer ? "a value that it computes"
            : "result #" + std::to_string(result.getResultNumber());
  std::string place = ("axis " + Twine(wrong->first) + " of " + value).str();
  Operation *op = result.getOwner();
  if (wrong->second.isUnknown())
    return notProved(op, place + " has an unknown size, which may contain "
                                 "their number");
  return couple(op, place + " has size " + wrong->second.str() +
                        (wrong->first == samples.axis
                             ? ", which is the same for another number of them"
                             : ", which contains their number"));
}

LogicalResult BatchFinder::checkArguments(Block &body) {
  for (BlockArgument argument : body.getArguments()) {
    std::optional<SampleAxis> samples = found.get(argument);
    for (auto [axis, size] : llvm::enumerate(getShape(argument)))
      if (!(samples && axis == samples->axis) && found.dependsOnNumber(size))
        return emitError(argument.getLoc())
               << "argument #" << argument.getArgNumber()
               << " can't be cut into samples: axis " << axis << " has size "
               << size.str() << ", which contains their number";
  }
  return success();
}

bool BatchFinder::isInRange(const IndexUse &use, size_t entry,
                            const IndexRange &range) {
  Shape shape = getShape(use.indices);
  SmallVector<Expr> at;
  for (unsigned axis = 0; axis < shape.size(); ++axis)
    at.push_back(Expr::var(axis));
  if (use.ranges.size() > 1)
    at.back() = Expr::index(entry);
  Expr element = forms.getElement(use.indices, at);
  if (!element)
    return false;
  Expr index = Expr::fromElement(element);
  IndexRanges ranges(shape, index);
  IndexInterval known =
      ranges.get(getLinearIndex(simplifyIndices(index, ranges), &ranges));
  return known.low && provablyAtLeast(*known.low, range.low) && known.high &&
         provablyAtLeast(range.end - SymInt(1), *known.high);
}

Value BatchFinder::findCountedIndices(Operation *op) {
  for (const IndexUse &use : getIndexUses(op))
    for (auto [entry, range] : llvm::enumerate(use.ranges)) {
      if (!found.dependsOnNumber(range.end))
        continue;
      ElementRange known = getElementRange(use.indices);
      bool isKnown = known.low && isKnownLessEqual(range.low, *known.low) &&
                     known.high &&
                     isKnownLessEqual(*known.high, range.end - SymInt(1));
      if (!isKnown && !isInRange(use, entry, range))
        return use.indices;
    }
  return {};
}
