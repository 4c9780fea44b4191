//===- Instantiate.cpp - one side of a rule at given sizes ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Rule/IR/Instantiate.h"

#include "tenon/Dialect/Graph/IR/Compose.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::rule;
using graph::DimsAttr;
using graph::SymInt;

DimsAttr rule::substitute(DimsAttr dims, const SymbolMap &symbols) {
  SmallVector<SymInt> entries;
  for (const SymInt &entry : dims.getEntries())
    entries.push_back(
        entry.substitute([&](StringRef name) -> std::optional<SymInt> {
          auto it = symbols.find(name.str());
          if (it == symbols.end())
            return std::nullopt;
          return it->second;
        }));
  return DimsAttr::get(dims.getContext(), entries);
}

static DimsAttr prepend(ArrayRef<SymInt> front, DimsAttr dims) {
  SmallVector<SymInt> entries(front.begin(), front.end());
  llvm::append_range(entries, dims.getEntries());
  return DimsAttr::get(dims.getContext(), entries);
}

/// Adds `count` to every entry, since the axes follow `count` further axes.
static DimsAttr shiftAxes(DimsAttr axes, int64_t count) {
  SmallVector<SymInt> entries;
  for (const SymInt &entry : axes.getEntries())
    entries.push_back(entry + SymInt(count));
  return DimsAttr::get(axes.getContext(), entries);
}

FailureOr<DictionaryAttr>
rule::getInstanceAttributes(Operation *op, const SymbolMap &symbols,
                            ArrayRef<bool> lifted, ArrayRef<SymInt> batch,
                            bool &resultLifted, std::string &reason) {
  MLIRContext *context = op->getContext();
  NamedAttrList attributes;
  for (NamedAttribute attribute : op->getAttrDictionary()) {
    Attribute value = attribute.getValue();
    if (auto dims = dyn_cast<DimsAttr>(value))
      value = substitute(dims, symbols);
    attributes.append(attribute.getName(), value);
  }
  resultLifted = llvm::is_contained(lifted, true);
  if (!resultLifted)
    return attributes.getDictionary(context);

  int64_t count = batch.size();
  bool all = !llvm::is_contained(lifted, false);
  auto dims = [&](StringRef name) {
    return cast<DimsAttr>(attributes.get(name));
  };
  auto prependEach = [&](StringRef name, int64_t value) {
    SmallVector<SymInt> front(count, SymInt(value));
    attributes.set(name, prepend(front, dims(name)));
  };
  auto axis = op->getAttrOfType<IntegerAttr>("axis");

  // Batches of a matmul broadcast and are aligned at the right, so an operand
  // that is not lifted must not have more axes than the other has without the
  // batch.
  if (auto matmul = dyn_cast<graph::MatmulOp>(op)) {
    int64_t left = cast<RankedTensorType>(matmul.getLhs().getType()).getRank();
    int64_t right = cast<RankedTensorType>(matmul.getRhs().getType()).getRank();
    if (all ? left == right : lifted[0] ? left >= right : right >= left)
      return attributes.getDictionary(context);
  } else if (all && isa<graph::ElementwiseInterface>(op)) {
    return attributes.getDictionary(context);
  } else if (all && isa<graph::ConcatOp, graph::SplitOp, graph::CumsumOp,
                        graph::CumprodOp>(op)) {
    attributes.set("axis",
                   IntegerAttr::get(axis.getType(), axis.getInt() + count));
    return attributes.getDictionary(context);
  } else if (isa<graph::TransposeOp>(op)) {
    SmallVector<SymInt> front;
    for (int64_t number = 0; number < count; ++number)
      front.push_back(SymInt(number));
    attributes.set("perm", prepend(front, shiftAxes(dims("perm"), count)));
    return attributes.getDictionary(context);
  } else if (isa<graph::ReduceSumOp, graph::ReduceProdOp, graph::ReduceMaxOp,
                 graph::ReduceMinOp, graph::ReduceMeanOp, graph::ReverseOp>(
                 op)) {
    attributes.set("axes", shiftAxes(dims("axes"), count));
    return attributes.getDictionary(context);
  } else if (isa<graph::SliceOp>(op)) {
    prependEach("starts", 0);
    prependEach("steps", 1);
    attributes.set("sizes", prepend(batch, dims("sizes")));
    return attributes.getDictionary(context);
  } else if (auto pad = dyn_cast<graph::PadOp>(op);
             pad && pad.getMode() == graph::PadMode::Constant) {
    prependEach("low", 0);
    prependEach("high", 0);
    return attributes.getDictionary(context);
  } else if (isa<graph::ReshapeOp>(op)) {
    attributes.set("shape", prepend(batch, dims("shape")));
    return attributes.getDictionary(context);
  }
  reason = ("'" + op->getName().getStringRef() +
            "' does not pass leading axes through")
               .str();
  return failure();
}

FailureOr<SmallVector<Value>>
rule::instantiate(OpBuilder &builder, Location loc, Region &side,
                  ValueRange operands, const SymbolMap &symbols,
                  ArrayRef<bool> lifted, ArrayRef<SymInt> batch,
                  std::string &reason, ArrayRef<StringAttr> mesh) {
  IRMapping mapping;
  llvm::DenseMap<Value, bool> isLifted;
  for (auto [number, argument] : llvm::enumerate(side.getArguments())) {
    mapping.map(argument, operands[number]);
    isLifted[argument] = lifted[number];
  }
  // A failure is reported as the reason, not as an error in the model.
  ScopedDiagnosticHandler quiet(builder.getContext(), [&](Diagnostic &d) {
    if (reason.empty())
      reason = d.str();
    return success();
  });
  Operation *before = builder.getInsertionPoint() == builder.getBlock()->begin()
                          ? nullptr
                          : &*std::prev(builder.getInsertionPoint());
  auto giveUp = [&]() {
    while (builder.getInsertionPoint() != builder.getBlock()->begin() &&
           &*std::prev(builder.getInsertionPoint()) != before)
      std::prev(builder.getInsertionPoint())->erase();
    return failure();
  };
  auto stack = [&](Value value) {
    graph::Shape shape(batch.begin(), batch.end());
    llvm::append_range(shape, graph::getShape(value));
    return graph::Compose(builder, loc).broadcast(value, shape);
  };
  for (Operation &op : side.front().without_terminator()) {
    bool hasLifted = llvm::any_of(
        op.getOperands(), [&](Value value) { return isLifted.lookup(value); });
    auto collective = dyn_cast<graph::CollectiveInterface>(op);
    for (Value operand : op.getOperands())
      if (!mesh.empty() && (hasLifted || collective) &&
          !isLifted.lookup(operand)) {
        mapping.map(operand, stack(mapping.lookup(operand)));
        isLifted[operand] = true;
      }
    if (!mesh.empty() && collective) {
      SmallVector<Value> inputs;
      for (Value operand : op.getOperands())
        inputs.push_back(mapping.lookup(operand));
      for (auto [from, to] : llvm::zip_equal(
               op.getResults(),
               collective.decomposeOverRanks(builder, inputs, mesh))) {
        mapping.map(from, to);
        isLifted[from] = true;
      }
      continue;
    }
    SmallVector<bool> operandLifted;
    for (Value operand : op.getOperands())
      operandLifted.push_back(isLifted.lookup(operand));
    bool resultLifted = false;
    FailureOr<DictionaryAttr> attributes = getInstanceAttributes(
        &op, symbols, operandLifted, batch, resultLifted, reason);
    if (failed(attributes))
      return giveUp();
    SmallVector<Value> inputs;
    for (Value operand : op.getOperands())
      inputs.push_back(mapping.lookup(operand));

    OperationState state(loc, op.getName());
    state.addOperands(inputs);
    state.addAttributes(attributes->getValue());
    if (auto inferable = state.name.getInterface<InferTypeOpInterface>()) {
      // Inference reads properties from the op's own storage.
      if (state.name.getOpPropertyByteSize()) {
        Operation *typed = op.clone(Operation::CloneOptions(false, false));
        LogicalResult converted = state.name.setOpPropertiesFromAttribute(
            typed->getName(), typed->getPropertiesStorage(), *attributes,
            [&]() { return emitError(loc); });
        if (succeeded(converted))
          converted = inferable->inferReturnTypes(
              builder.getContext(), loc, inputs, *attributes,
              typed->getPropertiesStorage(), {}, state.types);
        typed->destroy();
        if (failed(converted))
          return giveUp();
      } else if (failed(inferable->inferReturnTypes(
                     builder.getContext(), loc, inputs, *attributes,
                     OpaqueProperties(nullptr), {}, state.types))) {
        return giveUp();
      }
    } else {
      state.addTypes(op.getResultTypes());
    }
    // The size has no value here, such as a quotient by 0.
    auto isUnknown = [](const SymInt &size) { return size.isUnknown(); };
    bool hasUnknown = llvm::any_of(state.types, [&](Type type) {
      return llvm::any_of(graph::getShape(type), isUnknown);
    });
    for (NamedAttribute attribute : *attributes)
      if (auto dims = dyn_cast<DimsAttr>(attribute.getValue()))
        hasUnknown |= llvm::any_of(dims.getEntries(), isUnknown);
    if (hasUnknown) {
      reason = ("a size of '" + op.getName().getStringRef() + "' is not known")
                   .str();
      return giveUp();
    }
    Operation *copy = builder.create(state);
    if (failed(verify(copy, /*verifyRecursively=*/false)))
      return giveUp();
    for (auto [from, to] : llvm::zip(op.getResults(), copy->getResults())) {
      mapping.map(from, to);
      isLifted[from] = resultLifted;
    }
  }
  SmallVector<Value> results;
  for (Value value : side.front().getTerminator()->getOperands())
    results.push_back(mapping.lookup(value));
  return results;
}
