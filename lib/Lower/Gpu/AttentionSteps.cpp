//===- AttentionSteps.cpp - attention in a program for GPUs ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ProgramLowering.h"
#include "Attention.h"

#include "tenon/Dialect/Kernel/Analysis/AttentionPiece.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

bool tenon::lower::hasGpuKernel(Operation *composite,
                                const LowerOptions &options) {
  auto attention = dyn_cast<AttentionOp>(composite);
  return attention && matchAttention(attention, options).has_value();
}

/// Takes a piece that is an attention, with transposes or without, whose
/// buffers `step` has; `step` becomes its last kernel. False: the piece is
/// something else.
bool ProgramLowering::useGpuAttention(kernel::CallOp call, Step &step,
                                      bool prepares) {
  auto ops = call.getBodyBlock().getOps<AttentionOp>();
  if (ops.empty())
    return false;
  AttentionOp op = *ops.begin();
  kernel::AttentionPiece piece = kernel::matchAttentionPiece(op);
  size_t count = llvm::range_size(call.getBodyBlock().without_terminator());
  std::optional<AttentionForm> form = matchAttention(op, options);
  if (!form || piece.ops().size() != count)
    return false;
  form->interleaved.q = bool(piece.q);
  form->interleaved.k = bool(piece.k);
  form->interleaved.v = bool(piece.v);
  form->interleaved.result = bool(piece.result);
  AttentionTile tile = chooseAttentionTile(*form, options);
  SmallVector<unsigned> inputs;
  for (Value operand : op->getOperands()) {
    if (auto transpose = operand.getDefiningOp<TransposeOp>())
      operand = transpose.getX();
    inputs.push_back(step.buffers[cast<BlockArgument>(operand).getArgNumber()]);
  }
  unsigned result = step.buffers[call.getInputs().size()];

  auto addTemporary = [&](const SymInt &elements) -> unsigned {
    Buffer temporary;
    temporary.kind = BufferKind::Arena;
    temporary.bytes = elements * byteWidth(Float32Type::get(op.getContext()));
    program.buffers.push_back(std::move(temporary));
    return program.buffers.size() - 1;
  };
  auto launch =
      [&](const std::string &key, ArrayRef<unsigned> buffers,
          llvm::function_ref<GpuKernel(const GpuKernelPlace &)> build) {
        auto [it, inserted] = kernels.try_emplace(key, Kernel{});
        Kernel &kernel = it->second;
        if (inserted) {
          kernel.name = "k" + std::to_string(kernels.size() - 1);
          kernel.gpu = build({gpuModule, call.getLoc(), kernel.name,
                              program.symbols, options});
        }
        Step launched;
        launched.name = step.name;
        launched.kernel = kernel.name;
        launched.extent = kernel.gpu.blocks;
        launched.blockThreads = kernel.gpu.blockThreads;
        launched.sharedBytes = kernel.gpu.sharedBytes;
        launched.buffers.assign(buffers.begin(), buffers.end());
        return launched;
      };

  std::string key = describeAttention(*form, tile);
  SmallVector<unsigned> buffers = inputs, parts;
  if (tile.splits > 1) {
    SymInt rows = form->matrices() * form->rows() * tile.splits;
    parts = {addTemporary(rows * form->valueDepth), addTemporary(rows * 2)};
    buffers.append(parts);
  } else {
    buffers.push_back(result);
  }
  Step attend = launch(key, buffers, [&](const GpuKernelPlace &place) {
    return buildAttention(place, *form, tile);
  });
  if (tile.splits == 1) {
    step = std::move(attend);
    return true;
  }
  (prepares ? prepareSteps : runSteps).push_back(std::move(attend));
  parts.push_back(result);
  step = launch("merge " + key, parts, [&](const GpuKernelPlace &place) {
    return buildAttentionMerge(place, *form, tile);
  });
  return true;
}
