//===- GeneratedKernels.cpp - steps that run generated kernels ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackWeights.h"
#include "ProgramLowering.h"
#include "StreamedReduction.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

FailureOr<kernel::LoopPlan> tenon::lower::planKernel(kernel::CallOp call) {
  SmallVector<Operation *> ops;
  for (Operation &op : call.getBodyBlock().without_terminator())
    ops.push_back(&op);
  SmallVector<Value> inputs(call.getBodyBlock().getArguments());
  SmallVector<Value> outputs(call.getYielded());
  return kernel::planLoops(ops, inputs, outputs);
}

LogicalResult
ProgramLowering::buildGeneratedKernel(kernel::CallOp call, Step &step,
                                      ArrayRef<Overwrite> overwrites) {
  if (options.isForGpu() && useGpuAttention(call, step))
    return success();
  FailureOr<kernel::LoopPlan> plan = planKernel(call);
  if (failed(plan)) {
    for (Operation &op : call.getBodyBlock().without_terminator())
      if (!isa<IndexFormInterface, ConstantOp>(op))
        return op.emitOpError() << "has no code generator yet";
    return call.emitOpError() << "can't be planned as one kernel";
  }
  for (const Overwrite &overwrite : overwrites)
    for (kernel::KernelLoop &loop : plan->loops)
      if (loop.output == static_cast<int>(overwrite.result))
        loop.inPlaceOf = static_cast<int>(overwrite.input);
  if (options.isForGpu()) {
    useGpuKernels(*plan, step);
    return success();
  }
  packInputs(call, *plan, step);
  useCpuKernels(std::move(*plan), step);
  return success();
}

/// Returns the copy of a weight with its axes in another order, and adds the
/// prepare step that makes it if there is none yet.
Value ProgramLowering::packWeight(Value weight, Value buffer,
                                  ArrayRef<unsigned> order, const Step &step) {
  Shape shape = getShape(weight), packed;
  for (unsigned axis : order)
    packed.push_back(shape[axis]);
  Type element = getElementTypeOrSelf(weight.getType());
  RankedTensorType type = getTensorType(packed, element);
  Value &to = target.getPacked(buffer, type, order);
  if (to)
    return to;
  to = target.addPrepared(step.loc, type);
  Step pack{"pack " + step.name, step.loc, {buffer, to}, true};
  kernel::LoopPlan copy = planTranspose(shape, element, order);
  if (options.isForGpu())
    useGpuKernels(copy, pack);
  else
    target.addLaunch(pack, target.useKernel(step.loc, copy, true));
  return to;
}

/// Lets the kernel read weights in the layout that it reads fastest.
void ProgramLowering::packInputs(kernel::CallOp call, kernel::LoopPlan &plan,
                                 Step &step) {
  auto isConstant = [&](unsigned input) {
    return prepared.contains(call.getInputs()[input]);
  };
  if (!options.numerics.mayReassociate() || step.prepares)
    return;
  for (const PackedInput &packed :
       packWeights(plan, options.vectorBits, isConstant)) {
    Value &buffer = step.buffers[packed.input];
    buffer =
        packWeight(call.getInputs()[packed.input], buffer, packed.order, step);
  }
}

/// Adds the steps of a generated kernel, whose inputs and outputs are the
/// buffers of `step`.
void ProgramLowering::useCpuKernels(kernel::LoopPlan plan, const Step &step) {
  auto launch = [&](kernel::LoopPlan part, const Step &at) {
    target.addLaunch(at,
                     target.useKernel(at.loc, std::move(part), at.prepares));
  };
  std::optional<SplitPlan> split;
  if (options.numerics.mayReassociate())
    split = splitStreamed(plan);
  if (!split)
    return launch(std::move(plan), step);
  Step partial = step, joined = step;
  Value parts = target.addArena(
      step.loc, getTensorType(split->shape, split->type), step.prepares);
  partial.buffers.back() = parts;
  joined.buffers = {parts, step.buffers.back()};
  launch(std::move(split->partial), partial);
  launch(std::move(split->joined), joined);
}

/// The same for a GPU.
void ProgramLowering::useGpuKernels(const kernel::LoopPlan &plan,
                                    const Step &step) {
  GpuParts cut = cutForGpu(plan, options);
  SmallVector<Value> buffers = step.buffers;
  for (const auto &[shape, type] : cut.temporaries)
    buffers.push_back(
        target.addArena(step.loc, getTensorType(shape, type), step.prepares));
  for (const GpuPart &part : cut.parts) {
    Step launched{step.name, step.loc, {}, step.prepares};
    for (unsigned buffer : part.buffers)
      launched.buffers.push_back(buffers[buffer]);
    target.addLaunch(
        launched, target.useGpuKernel(step.loc, part.plan.describe(),
                                      [&](const GpuKernelPlace &place) {
                                        return buildGpuKernel(place, part.plan);
                                      }));
  }
}
