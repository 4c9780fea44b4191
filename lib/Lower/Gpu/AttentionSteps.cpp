//===- AttentionSteps.cpp - steps that run attention on GPUs --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ProgramLowering.h"
#include "Attention.h"

#include "tenon/Dialect/Kernel/Analysis/AttentionSubgraph.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

bool tenon::lower::hasGpuKernel(Operation *composite,
                                const LowerOptions &options) {
  auto attention = dyn_cast<AttentionOp>(composite);
  return attention && matchAttention(attention, options).has_value();
}

/// Adds the steps of a kernel.call that is an attention, with or without
/// transposes, and whose buffers are those of `step`. Returns false if the call
/// computes anything else.
bool ProgramLowering::useGpuAttention(kernel::CallOp call, const Step &step) {
  auto ops = call.getBodyBlock().getOps<AttentionOp>();
  if (ops.empty())
    return false;
  AttentionOp op = *ops.begin();
  kernel::AttentionSubgraph subgraph = kernel::matchAttentionSubgraph(op);
  size_t count = llvm::range_size(call.getBodyBlock().without_terminator());
  std::optional<AttentionForm> form = matchAttention(op, options);
  if (!form || subgraph.ops().size() != count)
    return false;
  form->interleaved.q = bool(subgraph.q);
  form->interleaved.k = bool(subgraph.k);
  form->interleaved.v = bool(subgraph.v);
  form->interleaved.result = bool(subgraph.result);
  AttentionTile tile = chooseAttentionTile(*form, options);
  SmallVector<Value> inputs;
  for (Value operand : op->getOperands()) {
    if (auto transpose = operand.getDefiningOp<TransposeOp>())
      operand = transpose.getX();
    inputs.push_back(step.buffers[cast<BlockArgument>(operand).getArgNumber()]);
  }
  Value result = step.buffers[call.getInputs().size()];

  auto addTemporary = [&](const SymInt &elements) {
    return target.addArena(
        step.loc,
        getTensorType({elements}, Float32Type::get(call.getContext())),
        step.prepares);
  };
  auto launch =
      [&](const std::string &key, ArrayRef<Value> buffers,
          llvm::function_ref<GpuKernel(const GpuKernelPlace &)> build) {
        Step launched{step.name, step.loc, SmallVector<Value>(buffers),
                      step.prepares};
        target.addLaunch(launched, target.useGpuKernel(step.loc, key, build));
      };

  std::string key = describeAttention(*form, tile);
  SmallVector<Value> buffers = inputs, parts;
  if (tile.splits > 1) {
    SymInt rows = form->matrices() * form->rows() * tile.splits;
    parts = {addTemporary(rows * form->valueDepth), addTemporary(rows * 2)};
    buffers.append(parts);
  } else {
    buffers.push_back(result);
  }
  launch(key, buffers, [&](const GpuKernelPlace &place) {
    return buildAttention(place, *form, tile);
  });
  if (tile.splits == 1)
    return true;
  parts.push_back(result);
  launch("merge " + key, parts, [&](const GpuKernelPlace &place) {
    return buildAttentionMerge(place, *form, tile);
  });
  return true;
}
