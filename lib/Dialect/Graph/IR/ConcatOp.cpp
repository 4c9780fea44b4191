//===- ConcatOp.cpp - graph.concat ----------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormExpressions.h"
#include "InferenceChecks.h"
#include "MovementFolds.h"
#include "tenon/Dialect/Graph/IR/SizeFacts.h"

using namespace mlir;
using namespace tenon::graph;

LogicalResult ConcatOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> location,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  ValueRange inputs = adaptor.getInputs();
  if (inputs.empty())
    return emitOptionalError(location, "expected at least 1 input, but got 0");
  FailureOr<Shape> shape =
      checkTensor(location, inputs[0].getType(), "input 0");
  if (failed(shape) ||
      failed(checkAxis(location, adaptor.getAxis(), shape->size())))
    return failure();
  uint64_t joined = adaptor.getAxis();
  for (size_t number = 1; number < inputs.size(); ++number) {
    std::string name = "input " + std::to_string(number);
    FailureOr<Shape> other =
        checkTensor(location, inputs[number].getType(), name);
    if (failed(other) ||
        failed(checkSameElement(location, inputs[0].getType(),
                                inputs[number].getType(), "input 0", name)))
      return failure();
    if (other->size() != shape->size())
      return emitOptionalError(location, "expected ", name, " of rank ",
                               shape->size(), ", but got rank ", other->size());
    for (size_t axis = 0; axis < shape->size(); ++axis) {
      if (axis == joined) {
        SymInt sum = (*shape)[axis] + (*other)[axis];
        if (failed(checkFits(location, sum, {(*shape)[axis], (*other)[axis]},
                             "size of axis " + Twine(axis))))
          return failure();
        (*shape)[axis] = simplify(sum);
        continue;
      }
      FailureOr<SymInt> both =
          checkEqual(location, (*shape)[axis], (*other)[axis],
                     "axis " + Twine(axis) + " of " + name);
      if (failed(both))
        return failure();
      (*shape)[axis] = *both;
    }
  }
  types.push_back(
      getTensorType(*shape, getElementTypeOrSelf(inputs[0].getType())));
  return success();
}

/// Selects the input at an index. Many inputs are selected by binary search, so
/// that neither evaluation nor a walk of the form is linear in depth.
static Expr joinPieces(ArrayRef<Expr> pieces, ArrayRef<SymInt> ends,
                       uint64_t axis) {
  constexpr size_t kFew = 24;
  if (pieces.size() == 1)
    return pieces.front();
  size_t first = pieces.size() > kFew ? pieces.size() / 2 : 1;
  return Expr::select(
      Expr::less(Expr::var(axis), Expr::size(ends[first - 1])),
      joinPieces(pieces.take_front(first), ends.take_front(first), axis),
      joinPieces(pieces.drop_front(first), ends.drop_front(first), axis));
}

SmallVector<IndexForm> ConcatOp::getIndexForms() {
  Shape shape = getResultShape(*this);
  uint64_t axis = getAxis();
  SmallVector<Expr> pieces;
  Shape ends;
  SymInt offset;
  for (auto [number, input] : llvm::enumerate(getInputs())) {
    SmallVector<Expr> at = getVars(shape.size());
    at[axis] = Expr::addIndex(at[axis], Expr::size(-offset));
    pieces.push_back(loadOf(input, number, at));
    offset = offset + getShape(input)[axis];
    ends.push_back(offset);
  }
  Expr body = joinPieces(pieces, ends, axis);
  return {{shape, body->type, body}};
}

OpFoldResult ConcatOp::fold(FoldAdaptor adaptor) {
  // Empty inputs contribute nothing.
  Value only;
  size_t others = 0;
  for (Value input : getInputs()) {
    if (getShape(input)[getAxis()].getConstant() == 0)
      continue;
    only = input;
    ++others;
  }
  if (others == 1 && only.getType() == getType())
    return only;
  return foldMovement(getOperation(), adaptor.getOperands());
}
