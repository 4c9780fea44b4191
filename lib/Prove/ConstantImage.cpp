//===- ConstantImage.cpp - constants that were moved ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConstantImage.h"
#include "tenon/Dialect/Graph/IR/Graph.h"

#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::prove;

/// The most axes of more than one element.
static constexpr size_t maxAxes = 4;

static DenseElementsAttr getElements(Value value) {
  auto constant = value.getDefiningOp<graph::ConstantOp>();
  return constant ? dyn_cast<DenseElementsAttr>(constant.getValue())
                  : DenseElementsAttr();
}

static SmallVector<int64_t> dropOnes(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> kept;
  llvm::copy_if(shape, std::back_inserter(kept),
                [](int64_t size) { return size != 1; });
  return kept;
}

/// Whether `to`, of the sizes `shape` permuted, has the elements of `from`.
static bool isTransposed(ArrayRef<char> from, ArrayRef<char> to,
                         ArrayRef<int64_t> shape, ArrayRef<int64_t> perm,
                         size_t width) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t axis = shape.size(); axis-- > 1;)
    strides[axis - 1] = strides[axis] * shape[axis];
  SmallVector<int64_t> at(shape.size(), 0);
  for (size_t number = 0; number * width < to.size(); ++number) {
    int64_t offset = 0;
    for (auto [position, axis] : llvm::enumerate(perm))
      offset += at[position] * strides[axis];
    if (from.slice(offset * width, width) != to.slice(number * width, width))
      return false;
    for (size_t axis = perm.size(); axis-- > 0;) {
      if (++at[axis] < shape[perm[axis]])
        break;
      at[axis] = 0;
    }
  }
  return true;
}

std::optional<Image> prove::getConstantImage(Value original, Value value) {
  DenseElementsAttr from = getElements(original), to = getElements(value);
  if (!from || !to || from.isSplat() || to.isSplat() ||
      from.getElementType() != to.getElementType() ||
      from.getRawData().size() != to.getRawData().size() ||
      from.getElementType().getIntOrFloatBitWidth() % 8 != 0)
    return std::nullopt;
  SmallVector<int64_t> shape = dropOnes(from.getType().getShape());
  SmallVector<int64_t> moved = dropOnes(to.getType().getShape());
  size_t width = from.getElementType().getIntOrFloatBitWidth() / 8;
  // Elements in the same order are a reshape, whatever the sizes.
  if (from.getRawData() == to.getRawData())
    return Image{original, {}, {}};
  if (shape.size() > maxAxes || shape.size() != moved.size())
    return std::nullopt;
  Perm perm = llvm::to_vector<4>(llvm::seq<int64_t>(0, shape.size()));
  do {
    bool fits = llvm::all_of(llvm::enumerate(perm), [&](auto one) {
      return shape[one.value()] == moved[one.index()];
    });
    if (fits &&
        isTransposed(from.getRawData(), to.getRawData(), shape, perm, width))
      return Image{original, perm, shape};
  } while (std::next_permutation(perm.begin(), perm.end()));
  return std::nullopt;
}
