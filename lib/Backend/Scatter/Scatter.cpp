//===- Scatter.cpp - scatters as loops over updates -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Generated code computes every element of a result by itself, and for a
// scatter it looks through all updates for those of the element. The runtime
// goes through the updates once.
//
//===----------------------------------------------------------------------===//

#include "tenon/Backend/BuiltIn.h"
#include "tenon/Backend/Operands.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::backend;

/// Returns why a scatter is not supported; empty if it is.
template <typename OpTy> static StringRef getRefusal(OpTy op) {
  if (op.getReduction() != ScatterReduction::Add)
    return "expected the reduction add";
  Type element = getElementTypeOrSelf(op.getResult().getType());
  if (!element.isF32() && !element.isF64())
    return "expected elements of f32 or f64";
  for (Value value : {op.getX(), op.getIndices(), op.getUpdates()})
    for (const SymInt &size : getShape(value))
      if (size.isUnknown())
        return "expected sizes that depend only on the inputs' sizes";
  return "";
}

static StringRef getRefusal(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case<ScatterElementsOp, ScatterNdOp>(
          [](auto scatter) { return getRefusal(scatter); })
      .Default([](auto) { return "expected a scatter"; });
}

namespace {
class ScatterBackend : public Backend {
public:
  StringRef getName() const override { return kernel::kScatterBackend; }
  /// The runtime has it.
  std::string getVersion() const override { return "1"; }
  bool isTrusted() const override { return true; }
  /// The updates of an element are added in their order, and then to `x`.
  bool isStrict() const override { return true; }
  void match(Block &block, SmallVectorImpl<Subgraph> &subgraphs) const override;
  FailureOr<LibraryCall> describe(kernel::CallOp call,
                                  const Numerics &numerics) const override;
  void adjustWork(kernel::CallOp call, const cost::SizeValues &sizes,
                  cost::Work &work) const override;
};
} // namespace

void ScatterBackend::match(Block &block,
                           SmallVectorImpl<Subgraph> &subgraphs) const {
  for (Operation &op : block)
    if (getRefusal(&op).empty())
      subgraphs.push_back({{&op}, op.getName().stripDialect().str()});
}

FailureOr<LibraryCall> ScatterBackend::describe(kernel::CallOp call,
                                                const Numerics &) const {
  Block &block = call.getBodyBlock();
  Operation *op = &block.front();
  if (block.getOperations().size() != 2 ||
      call.getYielded() != ValueRange(op->getResults()))
    return call.emitOpError()
           << "has a region that scatter does not support: expected one op";
  if (StringRef refusal = getRefusal(op); !refusal.empty())
    return op->emitOpError() << "is not supported by scatter: " << refusal;
  LibraryCall built;
  built.library = program::Library::Scatter;
  built.primitive = program::ScatterNdAttr::get(call.getContext());
  if (auto elements = dyn_cast<ScatterElementsOp>(op))
    built.primitive = program::ScatterElementsAttr::get(
        call.getContext(), static_cast<int64_t>(elements.getAxis()));
  SmallVector<Value> values(op->getOperands());
  values.push_back(op->getResult(0));
  for (Value value : values)
    built.operands.push_back(
        {getElementTypeOrSelf(value.getType()), getShape(value), {}});
  FailureOr<SmallVector<unsigned>> numbers =
      numberInputs(call, SmallVector<Value>(op->getOperands()));
  if (failed(numbers))
    return failure();
  built.inputs = std::move(*numbers);
  return built;
}

/// An addition for each update, and one for each element.
void ScatterBackend::adjustWork(kernel::CallOp call,
                                const cost::SizeValues &sizes,
                                cost::Work &work) const {
  Operation *op = &call.getBodyBlock().front();
  if (!getRefusal(op).empty()) // the plan was edited
    return;
  auto count = [&](Value value) {
    return sizes.getElements(cast<RankedTensorType>(value.getType()));
  };
  work.vectorFlops = count(op->getOperand(2)) + count(op->getResult(0));
}

/// "scatter", for scatters of f32 and f64 that add.
std::unique_ptr<Backend> tenon::backend::createScatterBackend() {
  return std::make_unique<ScatterBackend>();
}
