//===- TransposeOp.cpp - graph.transpose ----------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormExpressions.h"
#include "InferenceChecks.h"
#include "MovementFolds.h"

using namespace mlir;
using namespace tenon::graph;

LogicalResult TransposeOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> location,
                                            Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  FailureOr<Shape> x = checkTensor(location, adaptor.getX().getType(), "x");
  if (failed(x))
    return failure();
  FailureOr<SmallVector<int64_t>> perm =
      checkAxes(location, adaptor.getPerm(), x->size(), "perm");
  if (failed(perm) || failed(checkCount(location, adaptor.getPerm(), x->size(),
                                        "entries in perm")))
    return failure();
  Shape shape;
  for (int64_t axis : *perm)
    shape.push_back((*x)[axis]);
  types.push_back(
      getTensorType(shape, getElementTypeOrSelf(adaptor.getX().getType())));
  return success();
}

SmallVector<IndexForm> TransposeOp::getIndexForms() {
  SmallVector<int64_t> perm = *getPerm().getConstants();
  SmallVector<Expr> indices(perm.size());
  for (auto [axis, source] : llvm::enumerate(perm))
    indices[source] = Expr::var(axis);
  Expr body = loadOf(getX(), 0, indices);
  return {{getResultShape(*this), body->type, body}};
}

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  std::optional<SmallVector<int64_t>> perm = getPerm().getConstants();
  if (perm && llvm::equal(*perm, llvm::seq<int64_t>(0, perm->size())) &&
      getX().getType() == getType())
    return getX();
  return foldMovement(getOperation(), adaptor.getOperands());
}
