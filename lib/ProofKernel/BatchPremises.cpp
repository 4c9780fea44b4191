//===- BatchPremises.cpp - what theorems on samples presume ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BatchValues.h"
#include "tenon/ProofKernel/BatchCut.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::prove;

namespace {
/// What the theorems of ops presume, read off the types and attributes.
class Premises {
public:
  explicit Premises(const BatchAxes &axes) : axes(axes), values(axes) {}

  LogicalResult check(Block &body);

private:
  LogicalResult checkOp(Operation *op);

  const BatchAxes &axes;
  BatchValues values;
};
} // namespace

LogicalResult Premises::checkOp(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>()) {
    for (auto [number, value] : llvm::enumerate(op->getOperands()))
      if (!values.isKnown(value))
        return op->emitOpError() << kBatchUnknown << "operand #" << number
                                 << " depends on the number of samples";
    return success();
  }
  bool hasSamples = false, hasAxis = false;
  for (OpResult result : op->getResults()) {
    if (!axes.get(result) && !axes.getPooling(result))
      continue;
    hasSamples = true;
    hasAxis |= axes.get(result).has_value();
    if (std::optional<unsigned> axis = values.findOtherAxis(result))
      return op->emitOpError() << kBatchUnknown << "the size of axis " << *axis
                               << " of result #" << result.getResultNumber()
                               << ", " << getShape(result)[*axis].str()
                               << ", contains the number of samples";
  }
  if (!hasSamples)
    return isPure(op) ? success()
                      : op->emitOpError() << kBatchUnknown << "it has effects";
  SmallVector<Value> leaves;
  for (Operation *own : values.getCone(op, leaves))
    if (!isPure(own) || own->getNumRegions() != 0 ||
        !isa_and_nonnull<GraphDialect>(own->getDialect()))
      return own->emitOpError() << kBatchUnknown << "it has effects";
  for (Value leaf : leaves)
    if (hasAxis && axes.getPooling(leaf))
      return op->emitOpError()
             << kBatchUnknown << "it reads what is made of all samples";
    else if (!values.isKnown(leaf))
      return op->emitOpError() << kBatchUnknown << "it reads argument #"
                               << cast<BlockArgument>(leaf).getArgNumber()
                               << ", which depends on the number of samples";
  return success();
}

LogicalResult Premises::check(Block &body) {
  for (BlockArgument argument : body.getArguments())
    if (std::optional<unsigned> axis = values.findOtherAxis(argument))
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
