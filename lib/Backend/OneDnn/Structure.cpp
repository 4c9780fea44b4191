//===- Structure.cpp - subgraphs of a given form --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Structure.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::backend;

bool tenon::backend::isF32(Value value) {
  return getElementTypeOrSelf(value.getType()).isF32();
}

/// Returns the constant that defines a value, possibly through a broadcast.
static ConstantOp getConstant(Value value) {
  if (auto broadcast = value.getDefiningOp<BroadcastOp>())
    value = broadcast.getX();
  return value.getDefiningOp<ConstantOp>();
}

std::optional<double> tenon::backend::getSplat(Value value) {
  ConstantOp constant = getConstant(value);
  if (!constant)
    return std::nullopt;
  auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
  if (!elements || !elements.isSplat() ||
      !isa<FloatType>(elements.getElementType()))
    return std::nullopt;
  return elements.getSplatValue<APFloat>().convertToDouble();
}

void Structure::add(Operation *op) {
  if (!llvm::is_contained(ops, op))
    ops.push_back(op);
}

Value Structure::takeRows(Value value) {
  auto broadcast = take<BroadcastOp>(value);
  if (!broadcast)
    return {};
  Shape narrow = getShape(broadcast.getX()), wide = getShape(value);
  bool isRows = narrow.size() == wide.size() && !wide.empty() &&
                narrow.back().getConstant() == 1 &&
                ArrayRef<SymInt>(narrow).drop_back() ==
                    ArrayRef<SymInt>(wide).drop_back();
  return isRows ? broadcast.getX() : Value();
}

Value Structure::takeVector(Value value) {
  Shape wide = getShape(value);
  if (wide.size() == 1)
    return value;
  auto broadcast = take<BroadcastOp>(value);
  if (!broadcast)
    return {};
  Shape narrow = getShape(broadcast.getX());
  bool isVector =
      !narrow.empty() && narrow.back() == wide.back() &&
      llvm::all_of(ArrayRef<SymInt>(narrow).drop_back(),
                   [](const SymInt &size) { return size.getConstant() == 1; });
  return isVector ? broadcast.getX() : Value();
}

std::optional<double> Structure::takeSplat(Value value) {
  std::optional<double> splat = getSplat(value);
  if (!splat)
    return std::nullopt;
  add(value.getDefiningOp());
  add(getConstant(value));
  return splat;
}

std::optional<double> Structure::takeSplatOf(Operation *op, Value &other) {
  for (unsigned number : {0, 1})
    if (std::optional<double> splat = takeSplat(op->getOperand(number))) {
      other = op->getOperand(1 - number);
      return splat;
    }
  return std::nullopt;
}

Value Structure::takeSum(Value value) {
  auto sum = take<ReduceSumOp>(value);
  return sum && isAlongLast(sum) ? sum.getX() : Value();
}

bool Structure::isClosed() const {
  llvm::SmallPtrSet<Operation *, 16> members(ops.begin(), ops.end());
  for (Operation *op : ArrayRef<Operation *>(ops).drop_front())
    for (Operation *user : op->getUsers())
      if (!members.contains(user))
        return false;
  return true;
}
