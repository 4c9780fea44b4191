//===- LibraryCalls.cpp - pieces of libraries as steps --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackWeights.h"
#include "ProgramLowering.h"
#include "tenon/Backend/Backend.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

LogicalResult ProgramLowering::buildLibraryCall(kernel::CallOp call,
                                                Step &step) {
  auto &registry = backend::BackendRegistry::get(call.getContext());
  const backend::Backend *library = registry.lookup(call.getBackend());
  if (!library)
    return call.emitOpError()
           << "is placed on the backend '" << call.getBackend()
           << "', but there are only " << registry.getNames(getDevice());
  if (library->getDevice() != getDevice())
    return call.emitOpError()
           << "is placed on the backend '" << call.getBackend()
           << (options.forGpu ? "', which has no code for GPUs"
                              : "', which has code for GPUs alone");
  FailureOr<backend::LibraryCall> built = library->describe(call);
  if (failed(built))
    return failure();
  if (built->plugin)
    return buildPluginCall(call, std::move(*built), step);
  step.kind = StepKind::Library;
  step.site = std::move(built->site);
  SmallVector<unsigned> buffers;
  for (unsigned input : built->inputs)
    buffers.push_back(step.buffers[input]);
  buffers.push_back(step.buffers.back());
  step.buffers = std::move(buffers);
  step.site.constantWeight =
      backend::hasWeight(step.site.kind) &&
      prepared.contains(call.getInputs()[built->inputs[1]]);
  step.site.tf32 = options.tf32;
  if (!built->weightOrder.empty() && failed(reorderWeight(call, *built, step)))
    return failure();
  if (options.forGpu)
    keepReference(call, *built, step);
  return success();
}

/// Puts the weight of a library call in the order that the library wants: a
/// step of preparation, for which the library needs no code.
LogicalResult ProgramLowering::reorderWeight(kernel::CallOp call,
                                             const backend::LibraryCall &built,
                                             Step &step) {
  Value weight = call.getInputs()[built.inputs[1]];
  if (!prepared.contains(weight))
    return call.emitOpError()
           << "is placed on the backend '" << call.getBackend()
           << "', which needs a weight that exists once the "
              "model is loaded";
  ArrayRef<unsigned> order = built.weightOrder;
  unsigned from = step.buffers[1];
  auto [it, inserted] = packedBuffers.try_emplace(
      {from, std::vector<unsigned>(order.begin(), order.end())}, 0);
  if (inserted) {
    it->second = addBuffer(BufferKind::Prepared, 0, weight.getType());
    Step pack;
    pack.name = "pack " + step.name;
    pack.buffers = {from, it->second};
    useGpuKernels(
        call.getLoc(),
        planTranspose(getShape(weight), getElementTypeOrSelf(weight), order),
        pack, /*prepares=*/true);
    prepareSteps.push_back(std::move(pack));
  }
  step.buffers[1] = it->second;
  return success();
}

/// What a library computes, on the operands as the step has them, for whoever
/// runs the program without the library.
void ProgramLowering::keepReference(kernel::CallOp call,
                                    const backend::LibraryCall &built,
                                    Step &step) {
  MLIRContext *context = call.getContext();
  if (!program.references)
    program.references = ModuleOp::create(function.getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(program.references->getBody());
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
  step.reference =
      "step" + std::to_string(program.steps.size() + prepareSteps.size() +
                              runSteps.size());
  auto reference = func::FuncOp::create(
      builder, call.getLoc(), step.reference,
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
}

LogicalResult ProgramLowering::buildPluginCall(kernel::CallOp call,
                                               backend::LibraryCall built,
                                               Step &step) {
  step.kind = StepKind::Plugin;
  step.plugin = std::move(*built.plugin);
  SmallVector<unsigned> buffers;
  for (auto [number, input] : llvm::enumerate(built.inputs)) {
    buffers.push_back(step.buffers[input]);
    step.plugin.operands[number].isConstant =
        prepared.contains(call.getInputs()[input]);
  }
  for (unsigned output : built.outputs)
    buffers.push_back(step.buffers[call.getNumOperands() + output]);
  step.buffers = std::move(buffers);
  return success();
}
