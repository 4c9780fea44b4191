//===- OwnKernels.cpp - pieces of own code as steps -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackWeights.h"
#include "ProgramLowering.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

FailureOr<kernel::StagePlan> tenon::lower::planKernel(kernel::CallOp call) {
  SmallVector<Operation *> ops;
  for (Operation &op : call.getBodyBlock().without_terminator())
    ops.push_back(&op);
  SmallVector<Value> inputs(call.getBodyBlock().getArguments());
  SmallVector<Value> outputs(call.getYielded());
  return kernel::planStages(ops, inputs, outputs);
}

LogicalResult ProgramLowering::buildOwnKernel(kernel::CallOp call, Step &step,
                                              ArrayRef<Overwrite> overwrites) {
  if (options.forGpu &&
      useGpuAttention(call, step, prepared.contains(call.getResult(0))))
    return success();
  FailureOr<kernel::StagePlan> plan = planKernel(call);
  if (failed(plan)) {
    for (Operation &op : call.getBodyBlock().without_terminator())
      if (!isa<IndexFormInterface, ConstantOp>(op))
        return op.emitOpError() << "has no code generator yet";
    return call.emitOpError() << "can't be planned as one kernel";
  }
  for (const Overwrite &overwrite : overwrites)
    for (kernel::Stage &stage : plan->stages)
      if (stage.output == static_cast<int>(overwrite.result))
        stage.inPlaceOf = static_cast<int>(overwrite.input);
  if (options.forGpu) {
    useGpuKernels(call.getLoc(), *plan, step,
                  prepared.contains(call.getResult(0)));
    return success();
  }
  packInputs(call, *plan, step);
  useKernel(call.getLoc(), std::move(*plan), step);
  return success();
}

/// Steps of preparation that put weights as the kernel reads them best.
void ProgramLowering::packInputs(kernel::CallOp call, kernel::StagePlan &plan,
                                 Step &step) {
  auto isConstant = [&](unsigned input) {
    return prepared.contains(call.getInputs()[input]);
  };
  if (!options.reassociate || prepared.contains(call.getResult(0)))
    return;
  SmallVector<Shape, 0> shapes = plan.inputShapes;
  for (const PackedInput &packed :
       packWeights(plan, options.vectorBits, isConstant)) {
    unsigned from = step.buffers[packed.input];
    auto [it, inserted] = packedBuffers.try_emplace(
        {from, std::vector<unsigned>(packed.order.begin(), packed.order.end())},
        0);
    if (inserted) {
      Value weights = call.getInputs()[packed.input];
      it->second = addBuffer(BufferKind::Prepared, 0, weights.getType());
      Step pack;
      pack.name = "pack " + step.name;
      pack.buffers = {from, it->second};
      useKernel(call.getLoc(),
                planTranspose(shapes[packed.input],
                              getElementTypeOrSelf(weights.getType()),
                              packed.order),
                pack);
      prepareSteps.push_back(std::move(pack));
    }
    step.buffers[packed.input] = it->second;
  }
}

void ProgramLowering::useKernel(Location loc, kernel::StagePlan plan,
                                Step &step) {
  // Layers of one model repeat their kernels: equal plans share one function.
  auto [it, inserted] = kernels.try_emplace(plan.describe(), Kernel{});
  Kernel &kernel = it->second;
  if (inserted) {
    kernel.name = "k" + std::to_string(kernels.size() - 1);
    kernel.built = buildKernel(*program.kernels, loc, kernel.name,
                               std::move(plan), program.symbols, options);
    program.scratchBytes =
        SymInt::max(program.scratchBytes, kernel.built.scratchBytes);
  }
  step.kernel = kernel.name;
  step.extent = kernel.built.extent;
  step.grain = kernel.built.grain;
}

/// Adds the steps of a piece whose last kernel becomes `step` itself. The
/// buffers of `step` are the piece's inputs and outputs.
void ProgramLowering::useGpuKernels(Location loc, const kernel::StagePlan &plan,
                                    Step &step, bool prepares) {
  GpuParts cut = cutForGpu(plan, options);
  SmallVector<unsigned> buffers = step.buffers;
  for (const auto &[shape, type] : cut.temporaries) {
    Buffer temporary;
    temporary.kind = BufferKind::Arena;
    temporary.bytes = byteWidth(type);
    for (const SymInt &size : shape)
      temporary.bytes = temporary.bytes * size;
    program.buffers.push_back(std::move(temporary));
    buffers.push_back(program.buffers.size() - 1);
  }
  for (auto [number, part] : llvm::enumerate(cut.parts)) {
    auto [it, inserted] = kernels.try_emplace(part.plan.describe(), Kernel{});
    Kernel &kernel = it->second;
    if (inserted) {
      kernel.name = "k" + std::to_string(kernels.size() - 1);
      GpuKernelPlace place{gpuModule, loc, kernel.name, program.symbols,
                           options};
      kernel.gpu = buildGpuKernel(place, part.plan);
    }
    Step launch;
    launch.name = step.name;
    launch.kernel = kernel.name;
    launch.extent = kernel.gpu.blocks;
    launch.blockThreads = kernel.gpu.blockThreads;
    launch.sharedBytes = kernel.gpu.sharedBytes;
    for (unsigned buffer : part.buffers)
      launch.buffers.push_back(buffers[buffer]);
    if (number + 1 == cut.parts.size())
      step = std::move(launch);
    else
      (prepares ? prepareSteps : runSteps).push_back(std::move(launch));
  }
}
