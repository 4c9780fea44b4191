//===- CompiledOp.cpp - ops as sequences of loop programs -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Interpret/CompiledOp.h"
#include "ConstantElements.h"
#include "LoopProgram.h"
#include "OpSpecialization.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tenon::graph;
using namespace tenon::interpret;

/// Values are numbered: the operands first, then the results of the steps.
struct CompiledOp::Steps {
  struct Step {
    ConcreteForm form;
    loops::Program program;
    SmallVector<unsigned> operands;
  };

  explicit Steps(Domain domain) : arithmetic(domain) {}

  LogicalResult addBlock(Block &block, ArrayRef<unsigned> arguments,
                         ValueRange wanted, SmallVectorImpl<unsigned> &results);
  FailureOr<SmallVector<unsigned>> add(Operation *op,
                                       ArrayRef<unsigned> operands);
  LogicalResult addForm(Operation *op, const IndexForm &form,
                        ArrayRef<unsigned> operands);

  unsigned addValue(Tensor tensor) {
    values.push_back(std::move(tensor));
    return values.size() - 1;
  }

  Arithmetic arithmetic;
  /// A tensor per value. Those of operands and results have only the shape;
  /// constants have their elements.
  std::vector<Tensor> values;
  unsigned numOperands = 0;
  std::vector<std::pair<unsigned, Step>>
      steps; // by the value that they compute
  SmallVector<unsigned> results;
};

CompiledOp::CompiledOp(std::unique_ptr<Steps> steps)
    : steps(std::move(steps)) {}
CompiledOp::~CompiledOp() = default;
CompiledOp::CompiledOp(CompiledOp &&) noexcept = default;
CompiledOp &CompiledOp::operator=(CompiledOp &&) noexcept = default;

LogicalResult CompiledOp::Steps::addForm(Operation *op, const IndexForm &form,
                                         ArrayRef<unsigned> operands) {
  std::string error;
  FailureOr<ConcreteForm> concrete = concretize(form, {}, error);
  if (failed(concrete))
    return op->emitError(error);
  FailureOr<Tensor> result =
      Tensor::allocate(concrete->elementType, concrete->shape);
  if (failed(result))
    return op->emitError("expected a result that fits into memory");
  SmallVector<Tensor> shapes;
  for (unsigned operand : operands)
    shapes.push_back(values[operand]);
  Step step{*concrete, loops::compile(*concrete, shapes, arithmetic),
            SmallVector<unsigned>(operands)};
  steps.push_back({addValue(*result), std::move(step)});
  return success();
}

FailureOr<SmallVector<unsigned>>
CompiledOp::Steps::add(Operation *op, ArrayRef<unsigned> operands) {
  ElementsAttr elements;
  if (matchPattern(op, m_Constant(&elements))) {
    FailureOr<Tensor> tensor =
        evaluateConstant(op, elements, arithmetic.getDomain());
    if (failed(tensor))
      return failure();
    return SmallVector<unsigned>{addValue(*tensor)};
  }
  SmallVector<Tensor> shapes;
  for (unsigned operand : operands)
    shapes.push_back(values[operand]);
  FailureOr<SpecializedOp> special = specialize(op, shapes, {});
  if (failed(special))
    return failure();
  SmallVector<unsigned> found;
  if (auto primitive = dyn_cast<IndexFormInterface>(special->op)) {
    for (const IndexForm &form : primitive.getIndexForms()) {
      if (failed(addForm(op, form, operands)))
        return failure();
      found.push_back(values.size() - 1);
    }
    return found;
  }
  auto composite = dyn_cast<DecomposableInterface>(special->op);
  if (!composite)
    return op->emitError()
           << "expected an op with an index form or a decomposition";
  OpBuilder builder(special->op);
  SmallVector<Value> meaning = composite.decompose(builder);
  if (meaning.size() != special->op->getNumResults())
    return op->emitError("can't be decomposed");
  special->op->erase();
  if (failed(addBlock(*special->block, operands, meaning, found)))
    return failure();
  return found;
}

LogicalResult CompiledOp::Steps::addBlock(Block &block,
                                          ArrayRef<unsigned> arguments,
                                          ValueRange wanted,
                                          SmallVectorImpl<unsigned> &found) {
  llvm::DenseMap<Value, unsigned> numbers;
  for (auto [argument, number] :
       llvm::zip_equal(block.getArguments(), arguments))
    numbers[argument] = number;
  for (Operation &op : block) {
    SmallVector<unsigned> operands;
    for (Value operand : op.getOperands())
      operands.push_back(numbers.lookup(operand));
    FailureOr<SmallVector<unsigned>> own = add(&op, operands);
    if (failed(own))
      return failure();
    for (auto [result, number] : llvm::zip_equal(op.getResults(), *own))
      numbers[result] = number;
  }
  for (Value value : wanted)
    found.push_back(numbers.lookup(value));
  return success();
}

FailureOr<CompiledOp> CompiledOp::compile(Operation *op, Domain domain) {
  auto steps = std::make_unique<Steps>(domain);
  SmallVector<unsigned> operands;
  for (Type type : op->getOperandTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !tensor.hasStaticShape())
      return op->emitError() << "expected a static shape, but got " << type;
    FailureOr<Tensor> shape =
        Tensor::allocate(tensor.getElementType(), tensor.getShape());
    if (failed(shape))
      return op->emitError("expected operands that fit into memory");
    operands.push_back(steps->addValue(*shape));
  }
  steps->numOperands = operands.size();
  FailureOr<SmallVector<unsigned>> results = steps->add(op, operands);
  if (failed(results))
    return failure();
  steps->results = *results;
  return CompiledOp(std::move(steps));
}

FailureOr<SmallVector<Tensor>> CompiledOp::evaluate(ArrayRef<Tensor> operands,
                                                    std::string &error) const {
  std::vector<Tensor> values = steps->values;
  std::copy(operands.begin(), operands.end(), values.begin());
  for (const auto &[number, step] : steps->steps) {
    FailureOr<Tensor> result =
        Tensor::allocate(step.form.elementType, step.form.shape);
    if (failed(result)) {
      error = "expected a result that fits into memory";
      return failure();
    }
    SmallVector<Tensor, 4> inputs;
    for (unsigned operand : step.operands)
      inputs.push_back(values[operand]);
    if (failed(loops::runProgram(step.program, inputs, steps->arithmetic,
                                 /*threads=*/1, *result, error)))
      return failure();
    values[number] = *result;
  }
  SmallVector<Tensor> results;
  for (unsigned number : steps->results)
    results.push_back(values[number]);
  return results;
}
