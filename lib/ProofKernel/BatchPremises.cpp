//===- BatchPremises.cpp - what theorems on samples presume ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/ProofKernel/BatchCut.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::prove;

namespace {
/// What the theorems of ops presume, read off the types and attributes.
class Premises {
public:
  explicit Premises(const BatchAxes &axes)
      : axes(axes), symbol(*axes.size.getSymbol()) {}

  LogicalResult check(Block &body);

private:
  bool usesNumber(const SymInt &size) const;
  /// The first axis of a value that has the number of samples in its size, but
  /// is not an axis of so many samples; std::nullopt if there is none.
  std::optional<unsigned> findOtherAxis(Value value) const;
  /// Whether a value is the same whatever the number of samples is.
  bool isSame(Value value);
  bool isPartOrSame(Value value) { return axes.get(value) || isSame(value); }
  LogicalResult checkOp(Operation *op);

  const BatchAxes &axes;
  StringRef symbol;
  llvm::DenseMap<Value, bool> same;
};
} // namespace

bool Premises::usesNumber(const SymInt &size) const {
  bool uses = false;
  size.visitSymbols([&](StringRef name) { uses |= name == symbol; });
  return uses;
}

std::optional<unsigned> Premises::findOtherAxis(Value value) const {
  std::optional<SampleAxis> samples = axes.get(value);
  for (auto [axis, size] : llvm::enumerate(getShape(value))) {
    bool isTheirs = samples && axis == samples->axis;
    if (isTheirs
            ? usesNumber(samples->rows) || !(size == axes.size * samples->rows)
            : usesNumber(size))
      return axis;
  }
  return std::nullopt;
}

bool Premises::isSame(Value value) {
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

LogicalResult Premises::checkOp(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>()) {
    for (auto [number, value] : llvm::enumerate(op->getOperands()))
      if (!isPartOrSame(value))
        return op->emitOpError() << kBatchUnknown << "operand #" << number
                                 << " depends on the number of samples";
    return success();
  }
  if (!isPure(op))
    return op->emitOpError() << kBatchUnknown << "it has effects";
  bool hasSamples = false;
  for (OpResult result : op->getResults()) {
    if (!axes.get(result))
      continue;
    hasSamples = true;
    if (std::optional<unsigned> axis = findOtherAxis(result))
      return op->emitOpError() << kBatchUnknown << "the size of axis " << *axis
                               << " of result #" << result.getResultNumber()
                               << ", " << getShape(result)[*axis].str()
                               << ", contains the number of samples";
  }
  for (auto [number, operand] : llvm::enumerate(op->getOperands()))
    if (hasSamples && !isPartOrSame(operand))
      return op->emitOpError() << kBatchUnknown << "operand #" << number
                               << " depends on the number of samples";
  return success();
}

LogicalResult Premises::check(Block &body) {
  for (BlockArgument argument : body.getArguments())
    if (std::optional<unsigned> axis = findOtherAxis(argument))
      return emitError(argument.getLoc())
             << "argument #" << argument.getArgNumber()
             << " is not known to be cut into samples: the size of axis "
             << *axis << ", " << getShape(argument)[*axis].str()
             << ", contains their number";
  for (Operation &op : body)
    if (failed(checkOp(&op)))
      return failure();
  return success();
}

LogicalResult prove::checkBatchPremises(Block &body, const BatchAxes &axes) {
  return Premises(axes).check(body);
}
