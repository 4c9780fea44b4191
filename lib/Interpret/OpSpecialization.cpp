//===- OpSpecialization.cpp - ops with the sizes of a run -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpSpecialization.h"
#include "tenon/Dialect/Graph/IR/Graph.h"

#include "mlir/Interfaces/InferTypeOpInterface.h"

using namespace mlir;
using namespace tenon::graph;
using namespace tenon::interpret;

static std::optional<int64_t> evaluateSize(const SymInt &size,
                                           const Symbols &symbols) {
  return size.evaluate([&](StringRef name) -> std::optional<int64_t> {
    auto it = symbols.find(name);
    if (it == symbols.end())
      return std::nullopt;
    return it->second;
  });
}

static void specializeAttributes(Operation *op, const Symbols &symbols) {
  for (NamedAttribute attribute : op->getAttrDictionary()) {
    auto dims = dyn_cast<DimsAttr>(attribute.getValue());
    if (!dims || dims.getConstants())
      continue;
    Shape entries = dims.getEntries();
    for (SymInt &entry : entries)
      if (std::optional<int64_t> value = evaluateSize(entry, symbols))
        entry = SymInt(*value);
    op->setAttr(attribute.getName(), DimsAttr::get(op->getContext(), entries));
  }
}

/// Merges the inferred type of a result with the stated one.
static FailureOr<RankedTensorType> joinTypes(Operation *op, unsigned number,
                                             Type inferred, Type stated,
                                             const Symbols &symbols) {
  auto type = dyn_cast<RankedTensorType>(stated);
  if (!type || !isa<RankedTensorType>(inferred))
    return op->emitError() << "result " << number
                           << ": expected a ranked tensor, but got " << stated;
  Shape found = getShape(inferred), expected = getShape(stated);
  if (found.size() != expected.size())
    return op->emitError() << "result " << number << ": expected rank "
                           << expected.size() << ", but got rank "
                           << found.size();
  SmallVector<int64_t> sizes;
  for (auto [axis, size] : llvm::enumerate(found)) {
    std::optional<int64_t> actual = evaluateSize(size, symbols);
    std::optional<int64_t> wanted = evaluateSize(expected[axis], symbols);
    if (!actual && !wanted)
      return op->emitError()
             << "size '" << expected[axis].str() << "' of axis " << axis
             << " of result " << number << " is not known";
    if (actual && wanted && *actual != *wanted)
      return op->emitError()
             << "axis " << axis << " of result " << number << ": expected size "
             << *wanted << ", but got " << *actual;
    sizes.push_back(actual ? *actual : *wanted);
    if (sizes.back() < 0)
      return op->emitError() << "axis " << axis << " of result " << number
                             << ": expected a size, but got " << sizes.back();
  }
  return RankedTensorType::get(sizes, type.getElementType());
}

FailureOr<SpecializedOp> tenon::interpret::specialize(Operation *op,
                                                      ArrayRef<Tensor> operands,
                                                      const Symbols &symbols) {
  SpecializedOp result;
  result.block = std::make_unique<Block>();
  result.op = op->clone();
  for (auto [number, tensor] : llvm::enumerate(operands))
    result.op->setOperand(
        number, result.block->addArgument(tensor.getType(), op->getLoc()));
  result.block->push_back(result.op);
  specializeAttributes(result.op, symbols);

  SmallVector<Type> inferred(result.op->getResultTypes());
  if (auto infer = dyn_cast<InferTypeOpInterface>(result.op)) {
    inferred.clear();
    if (failed(infer.inferReturnTypes(
            op->getContext(), op->getLoc(), result.op->getOperands(),
            result.op->getAttrDictionary(), result.op->getPropertiesStorage(),
            result.op->getRegions(), inferred)))
      return failure();
  }
  for (unsigned number = 0; number < op->getNumResults(); ++number) {
    FailureOr<RankedTensorType> type = joinTypes(
        op, number, inferred[number], op->getResultTypes()[number], symbols);
    if (failed(type))
      return failure();
    result.op->getResult(number).setType(*type);
  }
  return result;
}
