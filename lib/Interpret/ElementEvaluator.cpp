//===- ElementEvaluator.cpp - single elements of a graph's values ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Interpret/ElementEvaluator.h"
#include "ConstantElements.h"
#include "FormEvaluators.h"
#include "FormRecursion.h"
#include "tenon/Dialect/Graph/IR/Graph.h"

using namespace mlir;
using namespace tenon::graph;
using namespace tenon::interpret;

/// A result of an op: a constant's elements, or an index form.
struct ElementEvaluator::Result {
  Tensor constant;
  ConcreteForm form;
};

/// One evaluation of an op's index form, at one index.
class ElementEvaluator::Frame final : public FormRecursion {
public:
  Frame(ElementEvaluator &owner, Operation *op, const Arithmetic &arithmetic,
        ArrayRef<int64_t> at)
      : FormRecursion(arithmetic), owner(owner), op(op) {
    vars.assign(at.begin(), at.end());
  }

private:
  Cell load(const Expr &expr, ArrayRef<int64_t> indices) override {
    std::optional<Cell> cell =
        owner.evaluate(op->getOperand(expr->operand), indices);
    failed |= !cell;
    return cell.value_or(Cell{});
  }

  ElementEvaluator &owner;
  Operation *op;
};

const std::vector<ElementEvaluator::Result> *
ElementEvaluator::getResults(Operation *op) {
  auto found = results.find(op);
  if (found != results.end())
    return found->second.get();
  auto own = std::make_shared<std::vector<Result>>();
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    FailureOr<Tensor> tensor =
        evaluateConstant(op, constant.getValue(), domain);
    if (mlir::failed(tensor))
      return nullptr;
    own->push_back({std::move(*tensor), {}});
  } else if (auto primitive = dyn_cast<IndexFormInterface>(op)) {
    for (const IndexForm &form : primitive.getIndexForms()) {
      std::string error;
      FailureOr<ConcreteForm> concrete = concretize(form, symbols, error);
      if (mlir::failed(concrete))
        return nullptr;
      own->push_back({{}, std::move(*concrete)});
    }
  } else {
    return nullptr;
  }
  return (results[op] = std::move(own)).get();
}

std::optional<Cell> ElementEvaluator::evaluate(Value value,
                                               ArrayRef<int64_t> index) {
  Operation *op = value.getDefiningOp();
  const std::vector<Result> *all = op ? getResults(op) : nullptr;
  if ((op && !all) || steps == 0)
    failed = true;
  if (failed)
    return std::nullopt;
  --steps;
  if (!op)
    return getArgument(cast<BlockArgument>(value).getArgNumber(), index);
  const Result &result = (*all)[cast<OpResult>(value).getResultNumber()];
  ArrayRef<int64_t> shape = result.constant ? result.constant.getShape()
                                            : ArrayRef(result.form.shape);
  int64_t offset = 0;
  for (auto [at, size] : llvm::zip(index, shape)) {
    if (at < 0 || at >= size) {
      failed = true;
      return std::nullopt;
    }
    offset = offset * size + at;
  }
  if (result.constant)
    return result.constant.data()[offset];
  auto key = std::make_pair(value.getAsOpaquePointer(), index.vec());
  if (auto found = known.find(key); found != known.end())
    return found->second;
  Arithmetic arithmetic(domain);
  Cell cell = Frame(*this, op, arithmetic, index).element(result.form.body);
  if (failed)
    return std::nullopt;
  known.emplace(std::move(key), cell);
  return cell;
}
