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
  const int64_t *symbols = state.symbols();
  if (program.buffer_bytes)
    program.buffer_bytes(symbols, byteSizes.data());
  for (int64_t bytes : byteSizes)
    if (bytes < 0 || bytes > maxBytes)
      return makeError("a buffer would need ", bytes,
                       " bytes for inputs of this shape");
  if (program.step_extents)
    program.step_extents(symbols, extents.data());
  for (int32_t i = 0; i < program.num_steps; ++i)
    if (program.steps[i].kind == TENON_STEP_KERNEL &&
        (extents[i] < 0 || extents[i] > maxBytes))
      return makeError("step '", program.steps[i].name, "' would need ",
                       extents[i], " iterations for inputs of this shape");
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
    if (buffer.last_step < buffer.first_step)
      return makeError("the artifact is damaged: buffer ", i,
                       " ends before it begins");
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
    program.scratch_size(state.symbols(), &bytes);
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
  if (Status status = state.checkInputs(inputs, numInputs); !status)
    return status;
  if (numOutputs != static_cast<size_t>(program.num_outputs))
    return makeError("expected ", program.num_outputs, " outputs, but got ",
                     numOutputs);
  if (numOutputs > 0 && !outputs)
    return makeError("the list of outputs is null");
  for (int32_t i = 0; i < program.num_outputs; ++i)
    if (program.outputs[i].rank > 0 && !outputs[i].shape)
      return makeError("output '", program.outputs[i].name,
                       "': its shape is null");
  for (int32_t i = 0; i < program.num_outputs; ++i) {
    const tenon_value &value = program.outputs[i];
    outputs[i].ndim = value.rank;
    outputs[i].dtype = value.dtype;
    const int64_t *sizes = state.outputSizes(i);
    std::copy(sizes, sizes + value.rank, outputs[i].shape);
  }
  return Status::success();
}

void Model::Impl::recordMemory() {
  // First: memory that another instance takes meanwhile counts as later.
  uint64_t changes = memoryChanges();
  if (changes == recordedChanges)
    return;
  recordedChanges = changes;
  recorded = memoryBytes();
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// A call's use of an instance, from `enter` to the end of its scope.
class Model::Use {
public:
  explicit Use(Model &model)
      : model(model), entered(model.impl->lock.enter()) {}
  ~Use() {
    if (!entered)
      return;
    if (!model.impl->lock.leave())
      delete &model;
  }
  Use(const Use &) = delete;
  Use &operator=(const Use &) = delete;

  const Status &status() const { return entered; }

private:
  Model &model;
  Status entered;
};

Model::Model(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}

Model::~Model() {
  // What libraries and drivers hold for it, they hold in the parent. Memory is
  // shared with it until written, and goes with this process.
  if (!impl->lock.isOurs()) {
    static_cast<void>(impl.release());
    return;
  }
  LibraryWork work;
  impl.reset();
}

void Model::unload(std::unique_ptr<Model> model) {
  if (!model)
    return;
  Model *last = model.release();
  if (!last->impl->lock.isOurs() || last->impl->lock.retire())
    delete last;
}

Status Model::inferShapes(const tenon_tensor *inputs, size_t numInputs,
                          tenon_tensor *outputs, size_t numOutputs) {
  Use use(*this);
  if (!use.status())
    return use.status();
  return impl->inferShapes(inputs, numInputs, outputs, numOutputs);
}

Status Model::run(const tenon_tensor *inputs, size_t numInputs,
                  tenon_tensor *outputs, size_t numOutputs) {
  Use use(*this);
  if (!use.status())
    return use.status();
  Status status = impl->onOwnThread(
      [&] { return impl->run(inputs, numInputs, outputs, numOutputs); });
  impl->recordMemory();
  return status;
}

Expected<const char *> Model::traceJson() {
  Use use(*this);
  if (!use.status())
    return makeError(use.status().error());
  return impl->traceJson();
}

uint64_t Model::memoryBytes() const { return impl->recordedMemory(); }

} // namespace tenon::runtime
