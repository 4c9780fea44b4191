//===- ConstantOps.cpp - constants and parameters -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperandTypes.h"

using namespace mlir;
using namespace tenon::graph;

LogicalResult
ConstantOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                             ValueRange, DictionaryAttr attributes,
                             OpaqueProperties properties, RegionRange,
                             SmallVectorImpl<Type> &types) {
  ElementsAttr value;
  if (properties)
    value = properties.as<Properties *>()->value;
  else if (attributes)
    value = attributes.getAs<ElementsAttr>("value");
  if (!value)
    return emitOptionalError(loc, "expected a value");
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !isElementType(type.getElementType()))
    return emitOptionalError(loc,
                             "value: expected a ranked tensor of an element "
                             "type of the graph dialect, but got ",
                             value.getType());
  types.push_back(type);
  return success();
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

bool ParameterOp::isTrainable() {
  return isFloat(getElementTypeOrSelf(getType())) && !getBuffer();
}

LogicalResult ParameterOp::verify() {
  if (getName().empty())
    return emitOpError("expected a name");
  if (!getType().hasStaticShape())
    return emitOpError("expected a static shape, but got ") << getType();
  return success();
}
