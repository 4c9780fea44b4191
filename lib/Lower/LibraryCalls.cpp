//===- LibraryCalls.cpp - steps that call libraries -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramLowering.h"
#include "tenon/Backend/Backend.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

FailureOr<backend::LibraryCall>
ProgramLowering::describeLibraryCall(kernel::CallOp call) const {
  auto &registry = backend::BackendRegistry::get(call.getContext());
  const backend::Backend *library = registry.lookup(call.getBackend());
  if (!library)
    return call.emitOpError()
           << "is placed on the backend '" << call.getBackend()
           << "', but there are only " << registry.getNames(getDevice());
  if (library->getDevice() != getDevice())
    return call.emitOpError()
           << "is placed on the backend '" << call.getBackend()
           << (options.isForGpu() ? "', which has no code for GPUs"
                                  : "', which has code only for GPUs");
  return library->describe(call, options.numerics);
}

LogicalResult ProgramLowering::buildLibraryCall(kernel::CallOp call,
                                                backend::LibraryCall built,
                                                Step &step) {
  if (built.plugin) {
    buildPluginCall(call, std::move(built), step);
    return success();
  }
  SmallVector<Value> buffers;
  for (unsigned input : built.inputs)
    buffers.push_back(step.buffers[input]);
  buffers.push_back(step.buffers.back());
  step.buffers = std::move(buffers);
  bool hasConstantWeight =
      isa<program::MatmulAttr, program::ConvAttr, program::ConvTransposeAttr>(
          built.primitive) &&
      prepared.contains(call.getInputs()[built.inputs[1]]);
  if (!built.weightOrder.empty() && failed(reorderWeight(call, built, step)))
    return failure();
  target.addLibraryCall(step, built, hasConstantWeight,
                        options.isForGpu() ? keepReference(call, built) : "");
  return success();
}

/// Reorders the weight of a library call into the library's layout, in a step
/// of the prepare function. The library needs no code for this step.
LogicalResult ProgramLowering::reorderWeight(kernel::CallOp call,
                                             const backend::LibraryCall &built,
                                             Step &step) {
  Value weight = call.getInputs()[built.inputs[1]];
  if (!prepared.contains(weight))
    return call.emitOpError()
           << "is placed on the backend '" << call.getBackend()
           << "', which needs a weight that exists once the "
              "model is loaded";
  step.buffers[1] =
      packWeight(weight, step.buffers[1], built.weightOrder, step);
  return success();
}

/// Records the function that a library computes, over the operands as the step
/// passes them, for runtimes without the library. Returns the function's name.
std::string ProgramLowering::keepReference(kernel::CallOp call,
                                           const backend::LibraryCall &built) {
  MLIRContext *context = call.getContext();
  Block *references = target.getReferences().getBody();
  OpBuilder builder = OpBuilder::atBlockEnd(references);
  Block &body = call.getBodyBlock();
  SmallVector<Type> types;
  for (unsigned input : built.inputs)
    types.push_back(body.getArgument(input).getType());
  auto reordered = [&](unsigned operand) {
    return operand == 1 && !built.weightOrder.empty();
  };
  SmallVector<int64_t> back(built.weightOrder.size());
  if (!built.weightOrder.empty()) {
    auto type = cast<RankedTensorType>(types[1]);
    Shape shape;
    for (auto [axis, source] : llvm::enumerate(built.weightOrder)) {
      shape.push_back(getShape(type)[source]);
      back[source] = axis;
    }
    types[1] = getTensorType(shape, type.getElementType());
  }
  std::string name =
      "call" + std::to_string(llvm::range_size(references->getOperations()));
  auto reference = func::FuncOp::create(
      builder, call.getLoc(), name,
      builder.getFunctionType(types, call.getResultTypes()));
  Block *entry = reference.addEntryBlock();
  builder.setInsertionPointToEnd(entry);
  IRMapping map;
  for (auto [operand, input] : llvm::enumerate(built.inputs)) {
    Value value = entry->getArgument(operand);
    if (reordered(operand))
      value = TransposeOp::create(builder, call.getLoc(),
                                  body.getArgument(input).getType(), value,
                                  getInts(context, back));
    map.map(body.getArgument(input), value);
  }
  for (Operation &op : body.without_terminator())
    builder.clone(op, map);
  SmallVector<Value> results;
  for (Value yielded : call.getYielded())
    results.push_back(map.lookup(yielded));
  func::ReturnOp::create(builder, call.getLoc(), results);
  return name;
}

void ProgramLowering::buildPluginCall(kernel::CallOp call,
                                      backend::LibraryCall built, Step &step) {
  backend::PluginCall &plugin = *built.plugin;
  SmallVector<Value> buffers;
  for (auto [number, input] : llvm::enumerate(built.inputs)) {
    buffers.push_back(step.buffers[input]);
    plugin.operands[number].isConstant =
        prepared.contains(call.getInputs()[input]);
  }
  for (unsigned output : built.outputs)
    buffers.push_back(step.buffers[call.getNumOperands() + output]);
  step.buffers = std::move(buffers);
  target.addPluginCall(step, plugin);
}
