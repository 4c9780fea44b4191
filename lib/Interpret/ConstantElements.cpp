//===- ConstantElements.cpp - constant elements of a module ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConstantElements.h"
#include "Arithmetic.h"
#include "tenon/Dialect/Graph/IR/Graph.h"

using namespace mlir;
using namespace tenon::graph;
using namespace tenon::interpret;

FailureOr<Tensor> tenon::interpret::outOfMemory(Operation *op, Type type) {
  return op->emitError() << "expected a tensor that fits into memory, but got "
                         << type;
}

FailureOr<Tensor> tenon::interpret::evaluateConstant(Operation *op,
                                                     ElementsAttr elements,
                                                     Domain domain) {
  auto type = dyn_cast<RankedTensorType>(elements.getType());
  auto dense = dyn_cast<DenseElementsAttr>(elements);
  if (!type || !dense || !isElementType(type.getElementType()))
    return op->emitError() << "expected dense elements of a graph type, but "
                              "got "
                           << elements.getType();
  FailureOr<Tensor> tensor =
      Tensor::allocate(type.getElementType(), type.getShape());
  if (failed(tensor))
    return outOfMemory(op, type);
  Cell *cell = tensor->data();
  Kind kind = kindOf(type.getElementType());
  if (isFloatKind(kind)) {
    for (APFloat value : dense.getValues<APFloat>()) {
      bool losesInfo;
      value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                    &losesInfo);
      (cell++)->number = value.convertToDouble();
    }
    return toDomain(*tensor, domain);
  }
  for (const APInt &value : dense.getValues<APInt>())
    (cell++)->integer = kind == Kind::I1 || kind == Kind::UI8
                            ? static_cast<int64_t>(value.getZExtValue())
                            : value.getSExtValue();
  return tensor;
}
