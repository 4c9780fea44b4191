//===- Operands.cpp - operands of library calls ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Backend/Operands.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::backend;

static TransposeOp getOnlyTranspose(Value value) {
  auto transpose = value.getDefiningOp<TransposeOp>();
  return transpose && transpose->hasOneUse() &&
                 transpose.getPerm().getConstants()
             ? transpose
             : TransposeOp();
}

std::pair<TransposeOp, TransposeOp>
tenon::backend::getOperandTransposes(MatmulOp root) {
  return {getOnlyTranspose(root.getLhs()),
          root.getLhs() == root.getRhs() ? TransposeOp()
                                         : getOnlyTranspose(root.getRhs())};
}

CallOperand tenon::backend::viewMatmulOperand(Value value,
                                              TransposeOp transpose,
                                              bool isTransposed, size_t rank) {
  CallOperand operand;
  operand.elementType = getElementTypeOrSelf(value.getType());
  operand.shape = getShape(value);
  size_t own = operand.shape.size();
  operand.order.resize(own);
  for (size_t axis = 0; axis < own; ++axis)
    operand.order[axis] = axis;
  if (transpose)
    // Axis i of the value is axis perm[i] in memory.
    for (auto [axis, inMemory] :
         llvm::enumerate(*transpose.getPerm().getConstants()))
      operand.order[inMemory] = axis;
  if (isTransposed) {
    std::swap(operand.shape[own - 1], operand.shape[own - 2]);
    for (int32_t &axis : operand.order)
      axis = axis + 1 == int32_t(own)   ? axis - 1
             : axis + 2 == int32_t(own) ? axis + 1
                                        : axis;
  }
  for (; own < rank; ++own) {
    operand.shape.insert(operand.shape.begin(), SymInt(1));
    for (int32_t &axis : operand.order)
      ++axis;
    operand.order.insert(operand.order.begin(), 0);
  }
  return operand;
}

FailureOr<SmallVector<unsigned>>
tenon::backend::numberInputs(kernel::CallOp call, ArrayRef<Value> inputs) {
  SmallVector<unsigned> numbers;
  for (Value input : inputs) {
    auto argument = dyn_cast<BlockArgument>(input);
    if (!argument)
      return call.emitOpError() << "has an operand of a library call that is "
                                   "computed inside the region";
    numbers.push_back(argument.getArgNumber());
  }
  return numbers;
}
