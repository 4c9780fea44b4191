//===- Progression.cpp - constants that follow from their index -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/IR/Progression.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

/// The elements, if each is a number of 64 bits with a sign.
static std::optional<SmallVector<int64_t>> getIntegers(ConstantOp constant) {
  auto elements = dyn_cast<DenseIntElementsAttr>(constant.getValue());
  if (!elements || isBool(elements.getElementType()))
    return std::nullopt;
  bool isUnsigned = elements.getElementType().isUnsignedInteger();
  SmallVector<int64_t> numbers;
  auto add = [&](const APInt &element) {
    numbers.push_back(isUnsigned ? static_cast<int64_t>(element.getZExtValue())
                                 : element.getSExtValue());
    return numbers.back() >= 0 || !isUnsigned;
  };
  if (elements.isSplat())
    return add(elements.getSplatValue<APInt>()) ? std::optional(numbers)
                                                : std::nullopt;
  for (const APInt &element : elements.getValues<APInt>())
    if (!add(element))
      return std::nullopt;
  return numbers;
}

Expr graph::getProgression(ConstantOp constant) {
  std::optional<SmallVector<int64_t>> numbers = getIntegers(constant);
  if (!numbers || numbers->empty())
    return {};
  auto type = cast<RankedTensorType>(constant.getType());
  if (numbers->size() == 1)
    return Expr::constantInt(numbers->front(), type.getElementType());
  // The steps are known from the elements next to the first one.
  SmallVector<int64_t> steps(type.getRank(), 0);
  int64_t stride = 1;
  for (int64_t axis = type.getRank(); axis-- > 0;) {
    if (type.getDimSize(axis) > 1 &&
        llvm::SubOverflow((*numbers)[stride], numbers->front(), steps[axis]))
      return {};
    stride *= type.getDimSize(axis);
  }
  for (auto [number, element] : llvm::enumerate(*numbers)) {
    int64_t expected = numbers->front(), product;
    auto rest = static_cast<int64_t>(number);
    for (int64_t axis = type.getRank(); axis-- > 0;) {
      int64_t size = type.getDimSize(axis);
      if (llvm::MulOverflow(steps[axis], rest % size, product) ||
          llvm::AddOverflow(expected, product, expected))
        return {};
      rest /= size;
    }
    if (expected != element)
      return {};
  }
  Expr index = Expr::index(numbers->front());
  for (auto [axis, step] : llvm::enumerate(steps))
    if (step != 0)
      index = Expr::addIndex(
          index, Expr::mulIndex(Expr::var(axis), Expr::index(step)));
  return Expr::fromIndex(index, type.getElementType());
}
