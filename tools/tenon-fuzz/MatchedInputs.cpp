//===- MatchedInputs.cpp - inputs of models that rules match --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatchedModels.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::fuzz;
using graph::SymInt;
using interpret::Tensor;

/// The elements that one input may have.
static constexpr int64_t kElements = 9000;

FailureOr<SmallVector<Tensor>>
fuzz::drawMatchedInputs(const MatchedModel &model, std::mt19937_64 &random) {
  static constexpr int64_t sizes[] = {0, 1, 1, 2, 2, 3, 4, 5, 6};
  std::map<std::string, int64_t> values;
  for (StringRef name : {"s", "t"})
    values[name.str()] = sizes[random() % std::size(sizes)];
  auto lookup = [&](StringRef name) -> std::optional<int64_t> {
    auto it = values.find(name.str());
    return it == values.end() ? std::nullopt
                              : std::optional<int64_t>(it->second);
  };
  for (const auto &[name, bound] : model.bounds) {
    std::optional<int64_t> least = bound.evaluate(lookup);
    if (!least || *least < 0)
      return failure();
    values[name] = *least + random() % 3;
  }
  SmallVector<Tensor> inputs;
  for (auto [number, type] :
       llvm::enumerate(model.getMain().getArgumentTypes())) {
    SmallVector<int64_t> shape;
    int64_t count = 1;
    for (const SymInt &size : graph::getShape(type)) {
      shape.push_back(*size.evaluate(lookup));
      count *= std::max<int64_t>(shape.back(), 1);
    }
    if (count > kElements)
      return failure();
    Type element = getElementTypeOrSelf(type);
    FailureOr<Tensor> tensor = Tensor::allocate(element, shape);
    if (failed(tensor))
      return failure();
    for (int64_t n = 0; n < tensor->getNumElements(); ++n) {
      interpret::Cell &cell = tensor->data()[n];
      int64_t drawn = static_cast<int64_t>(random() % 4095) - 2047;
      if (isa<FloatType>(element))
        cell.number = drawn / 1024.0;
      else if (element.isInteger(1))
        cell.integer = drawn & 1;
      else
        cell.integer = drawn % (element.isUnsignedInteger() ? 4 : 5);
      if (element.isUnsignedInteger())
        cell.integer = std::abs(cell.integer);
      if (model.notNegative.count(number) && isa<FloatType>(element))
        cell.number = std::abs(cell.number);
    }
    inputs.push_back(std::move(*tensor));
  }
  return inputs;
}
