//===- NaiveEvaluator.cpp - element by element evaluation -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormEvaluators.h"
#include "FormRecursion.h"

using namespace mlir;
using namespace tenon::graph;
using namespace tenon::interpret;

namespace {
class Naive final : public FormRecursion {
public:
  Naive(ArrayRef<Tensor> operands, const Arithmetic &arithmetic,
        uint64_t *stepsLeft, std::string &error)
      : FormRecursion(arithmetic, stepsLeft), operands(operands), error(error) {
  }

  LogicalResult run(const ConcreteForm &form, Tensor &result) {
    vars.assign(form.shape.size(), 0);
    for (int64_t number = 0; number < result.getNumElements(); ++number) {
      int64_t rest = number;
      for (int64_t axis = form.shape.size() - 1; axis >= 0; --axis) {
        vars[axis] = rest % form.shape[axis];
        rest /= form.shape[axis];
      }
      result.data()[number] = element(form.body);
      if (failed) {
        if (error.empty())
          error = "the evaluation takes too many steps";
        return failure();
      }
    }
    return success();
  }

private:
  Cell load(const Expr &expr, ArrayRef<int64_t> indices) override {
    const Tensor &tensor = operands[expr->operand];
    int64_t offset = 0;
    bool inside = true;
    for (auto [index, size] : llvm::zip(indices, tensor.getShape())) {
      inside &= index >= 0 && index < size;
      offset = offset * size + index;
    }
    if (inside)
      return tensor.data()[offset];
    if (!failed)
      error = describeOutside(expr->operand, indices, tensor.getShape());
    failed = true;
    return Cell{};
  }

  ArrayRef<Tensor> operands;
  std::string &error;
};
} // namespace

LogicalResult tenon::interpret::evaluateNaive(const ConcreteForm &form,
                                              ArrayRef<Tensor> operands,
                                              const Arithmetic &arithmetic,
                                              uint64_t *stepsLeft,
                                              Tensor &result,
                                              std::string &error) {
  return Naive(operands, arithmetic, stepsLeft, error).run(form, result);
}
