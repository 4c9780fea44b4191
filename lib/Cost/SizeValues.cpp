//===- SizeValues.cpp - numeric values of sizes ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Cost/SizeValues.h"

#include <algorithm>

using namespace mlir;
using namespace tenon;
using namespace tenon::cost;

double SizeValues::get(const graph::SymInt &size) const {
  std::optional<int64_t> value =
      size.evaluate([&](StringRef symbol) -> std::optional<int64_t> {
        auto it = sizes.find(symbol.str());
        return it == sizes.end() ? defaultSize : it->second;
      });
  // The size is unknown, or invalid for these values.
  return static_cast<double>(std::max<int64_t>(value.value_or(defaultSize), 1));
}

double SizeValues::get(graph::DimsAttr list, size_t position) const {
  int64_t value = list.getValues()[position];
  return ShapedType::isDynamic(value) ? get(list.getEntry(position))
                                      : static_cast<double>(value);
}

double SizeValues::getProduct(graph::DimsAttr list) const {
  double product = 1;
  for (size_t i = 0; i < list.size(); ++i)
    product *= get(list, i);
  return product;
}

double SizeValues::getSize(RankedTensorType type, int64_t axis) const {
  if (axis < 0)
    axis += type.getRank();
  int64_t size = type.getDimSize(axis);
  if (!ShapedType::isDynamic(size))
    return static_cast<double>(size);
  if (auto dims = dyn_cast_or_null<graph::DimsAttr>(type.getEncoding()))
    return get(dims.getEntry(axis));
  return static_cast<double>(defaultSize);
}

double SizeValues::getElements(RankedTensorType type, int64_t first) const {
  double elements = 1;
  for (int64_t axis = first; axis < type.getRank(); ++axis)
    elements *= getSize(type, axis);
  return elements;
}

unsigned tenon::cost::getStoredBits(Type elementType) {
  // i1 is stored as a byte.
  return std::max(8u, elementType.getIntOrFloatBitWidth());
}
