//===- Model.cpp - sizes, memory and calls on every device --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Runtime/Model.h"

#include "ModelImpl.h"

#include "tenon/Runtime/ArenaPlan.h"

#include <algorithm>

using namespace tenon::artifact;

namespace tenon::runtime {

/// Sizes beyond this come from overflow.
static constexpr int64_t maxBytes = int64_t(1) << 48;

Status Model::Impl::evaluateSizes() {
  const int64_t *symbols = binding.symbols();
  if (program.buffer_bytes)
    program.buffer_bytes(symbols, byteSizes.data());
  for (int64_t bytes : byteSizes)
    if (bytes < 0 || bytes > maxBytes)
      return makeError("a buffer would need ", bytes,
                       " bytes for inputs of this shape");
  if (program.step_extents)
    program.step_extents(symbols, extents.data());
  return Status::success();
}

Expected<int64_t> Model::Impl::placeArena(int32_t firstStep, int32_t endStep,
                                          std::vector<int64_t> &offsets) const {
  offsets.assign(program.num_buffers, -1);
  std::vector<ArenaItem> items;
  std::vector<int32_t> buffers;
  for (int32_t i = 0; i < program.num_buffers; ++i) {
    const tenon_buffer &buffer = program.buffers[i];
    if (buffer.kind != TENON_BUFFER_ARENA)
      continue;
    if (program.arena_bytes >= 0) {
      offsets[i] = buffer.offset;
      continue;
    }
    if (buffer.first_step < firstStep || buffer.last_step >= endStep)
      continue;
    if (byteSizes[i] < 0)
      return makeError("the artifact is damaged: a buffer of prepare has no "
                       "static size");
    items.push_back({byteSizes[i], buffer.first_step, buffer.last_step});
    buffers.push_back(i);
  }
  if (program.arena_bytes >= 0)
    return program.arena_bytes;
  std::vector<int64_t> places;
  int64_t bytes = planArena(items, places);
  for (size_t i = 0; i < buffers.size(); ++i)
    offsets[buffers[i]] = places[i];
  return bytes;
}

Expected<int64_t> Model::Impl::evaluateScratch() const {
  int64_t bytes = program.scratch_bytes;
  if (bytes >= 0)
    return bytes;
  bytes = 0;
  if (program.scratch_size)
    program.scratch_size(binding.symbols(), &bytes);
  if (bytes < 0 || bytes > maxBytes)
    return makeError(
        program.device == TENON_PROGRAM_CUDA ? "kernels" : "a thread",
        " would need ", bytes, " bytes of scratch for inputs of this shape");
  return bytes;
}

std::vector<int32_t> Model::Impl::findLastPrepareUses() const {
  std::vector<int32_t> last(program.num_buffers, -1);
  for (int32_t i = 0; i < program.num_prepare_steps; ++i)
    for (int32_t j = 0; j < program.steps[i].num_buffers; ++j)
      last[program.steps[i].buffers[j]] = i;
  return last;
}

Status Model::Impl::inferShapes(const tenon_tensor *inputs, size_t numInputs,
                                tenon_tensor *outputs, size_t numOutputs) {
  bool changed;
  if (Status status = binding.bind(inputs, numInputs, changed); !status)
    return status;
  // The plan is made for other sizes.
  if (changed)
    planned = false;
  if (numOutputs != static_cast<size_t>(program.num_outputs))
    return makeError("expected ", program.num_outputs, " outputs, but got ",
                     numOutputs);
  if (numOutputs > 0 && !outputs)
    return makeError("the list of outputs is null");
  for (int32_t i = 0; i < program.num_outputs; ++i) {
    const tenon_value &value = program.outputs[i];
    if (value.rank > 0 && !outputs[i].shape)
      return makeError("output '", value.name, "': its shape is null");
    outputs[i].ndim = value.rank;
    outputs[i].dtype = value.dtype;
    std::copy(binding.outputSizes(i), binding.outputSizes(i) + value.rank,
              outputs[i].shape);
  }
  return Status::success();
}

Model::Model(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Model::~Model() = default;

Status Model::inferShapes(const tenon_tensor *inputs, size_t numInputs,
                          tenon_tensor *outputs, size_t numOutputs) {
  return impl->inferShapes(inputs, numInputs, outputs, numOutputs);
}

Status Model::run(const tenon_tensor *inputs, size_t numInputs,
                  tenon_tensor *outputs, size_t numOutputs) {
  return impl->run(inputs, numInputs, outputs, numOutputs);
}

const char *Model::traceJson() { return impl->traceJson(); }
uint64_t Model::memoryBytes() const { return impl->memoryBytes(); }

} // namespace tenon::runtime
