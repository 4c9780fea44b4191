//===- OperandTypes.cpp - checks that inference and verifiers share -------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperandTypes.h"

#include "InferenceChecks.h"

using namespace mlir;
using namespace tenon::graph;

bool tenon::graph::isElementType(Type type) {
  if (!type)
    return false;
  if (isa<Float64Type, Float32Type, Float16Type, BFloat16Type>(type))
    return true;
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer)
    return false;
  if (integer.isUnsigned())
    return integer.getWidth() == 8;
  return integer.isSignless() &&
         llvm::is_contained({1u, 8u, 32u, 64u}, integer.getWidth());
}

LogicalResult tenon::graph::checkTensors(std::optional<Location> loc,
                                         ValueRange operands) {
  for (auto [number, operand] : llvm::enumerate(operands)) {
    auto tensor = dyn_cast<RankedTensorType>(operand.getType());
    if (!tensor || !isElementType(tensor.getElementType()))
      return emitOptionalError(loc, "operand #", number,
                               ": expected a ranked tensor of an element type "
                               "of the graph dialect, but got ",
                               operand.getType());
  }
  return success();
}

LogicalResult tenon::graph::checkAscendingAxes(std::optional<Location> loc,
                                               DimsAttr axes, int64_t rank) {
  if (static_cast<int64_t>(axes.size()) > rank)
    return emitOptionalError(loc, "axes: expected at most ", rank, ", but got ",
                             axes.size());
  int64_t previous = -1;
  for (const SymInt &axis : axes.getEntries()) {
    std::optional<int64_t> constant = axis.getConstant();
    if (!constant)
      continue;
    if (failed(checkAxis(loc, *constant, rank)))
      return failure();
    if (*constant <= previous)
      return emitOptionalError(loc, "axes: expected ascending, but got ",
                               *constant, " after ", previous);
    previous = *constant;
  }
  return success();
}

std::string tenon::graph::describe(const Shape &shape) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '[';
  llvm::interleaveComma(shape, os);
  os << ']';
  return text;
}

FailureOr<Shape> tenon::graph::unifyShapes(std::optional<Location> loc,
                                           StringRef nameA, const Shape &a,
                                           StringRef nameB, const Shape &b) {
  Shape result;
  bool differs = a.size() != b.size();
  for (size_t axis = 0; !differs && axis < a.size(); ++axis) {
    FailureOr<SymInt> size = unify(a[axis], b[axis], loc);
    if (failed(size))
      differs = true;
    else
      result.push_back(*size);
  }
  if (!differs)
    return result;
  return emitOptionalError(loc, nameB, ": expected shape ", describe(a),
                           " like ", nameA, ", but got ", describe(b));
}
