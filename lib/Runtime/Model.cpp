//===- Model.cpp - device-independent calls of an instance ----------------===//
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
#include <cstring>

using namespace tenon::artifact;

namespace tenon::runtime {

/// Larger sizes result from overflow.
static constexpr int64_t maxBytes = int64_t(1) << 48;

Expected<EntryState *> Model::Impl::findEntry(const char *name) {
  if (!name)
    return entries.front().get();
  std::string known;
  for (int32_t i = 0; i < program.num_entries; ++i) {
    if (std::strcmp(program.entries[i].name, name) == 0)
      return entries[i].get();
    known += concat(i > 0 ? ", '" : "'", program.entries[i].name, "'");
  }
  return makeError("the model has no entry '", name, "', only ", known);
}

const EntryState &Model::Impl::entryOfStep(int32_t step) const {
  for (const std::unique_ptr<EntryState> &entry : entries)
    if (step >= entry->table.first_step && step < entry->table.end_step)
      return *entry;
  return *entries.back();
}

Status Model::Impl::evaluateSizes(const EntryState &entry) {
  const tenon_entry &table = entry.table;
  if (table.buffer_bytes)
    table.buffer_bytes(entry.symbols(), byteSizes.data() + table.first_buffer);
  for (int32_t i = table.first_buffer; i < table.end_buffer; ++i)
    if (byteSizes[i] < 0 || byteSizes[i] > maxBytes)
      return makeError("a buffer would need ", byteSizes[i],
                       " bytes for inputs of this shape");
  if (table.step_extents)
    table.step_extents(entry.symbols(), extents.data() + table.first_step);
  for (int32_t i = table.first_step; i < table.end_step; ++i)
    if (program.steps[i].kind == TENON_STEP_KERNEL &&
        (extents[i] < 0 || extents[i] > maxBytes))
      return makeError("step '", program.steps[i].name, "' would need ",
                       extents[i], " iterations for inputs of this shape");
  return Status::success();
}

Expected<int64_t> Model::Impl::placeArena(const EntryState &entry,
                                          std::vector<int64_t> &offsets) const {
  const tenon_entry &table = entry.table;
  std::vector<ArenaItem> items;
  std::vector<int32_t> buffers;
  for (int32_t i = table.first_buffer; i < table.end_buffer; ++i) {
    const tenon_buffer &buffer = program.buffers[i];
    offsets[i] = -1;
    if (buffer.kind != TENON_BUFFER_ARENA)
      continue;
    if (table.arena_bytes >= 0) {
      offsets[i] = buffer.offset;
      continue;
    }
    if (buffer.last_step < buffer.first_step)
      return makeError("the artifact is damaged: buffer ", i,
                       " ends before it begins");
    items.push_back({byteSizes[i], buffer.first_step, buffer.last_step});
    buffers.push_back(i);
  }
  if (table.arena_bytes >= 0)
    return table.arena_bytes;
  std::vector<int64_t> places;
  int64_t bytes = planArena(items, places);
  for (size_t i = 0; i < buffers.size(); ++i)
    offsets[buffers[i]] = places[i];
  return bytes;
}

Expected<int64_t> Model::Impl::evaluateScratch(const EntryState &entry) const {
  int64_t bytes = entry.table.scratch_bytes;
  if (bytes >= 0)
    return bytes;
  bytes = 0;
  if (entry.table.scratch_size)
    entry.table.scratch_size(entry.symbols(), &bytes);
  if (bytes < 0 || bytes > maxBytes)
    return makeError(
        program.device == TENON_PROGRAM_CUDA ? "kernels" : "a thread",
        " would need ", bytes, " bytes of scratch for inputs of this shape");
  return bytes;
}

std::vector<int32_t> Model::Impl::findLastPrepareUses() const {
  std::vector<int32_t> last(program.num_buffers, -1);
  for (int32_t i = 0; i < program.prepare.end_step; ++i)
    for (int32_t j = 0; j < program.steps[i].num_buffers; ++j)
      last[program.steps[i].buffers[j]] = i;
  return last;
}

Status Model::Impl::inferShapes(EntryState &entry, const tenon_tensor *inputs,
                                size_t numInputs, tenon_tensor *outputs,
                                size_t numOutputs) {
  const tenon_entry &table = entry.table;
  if (Status status = entry.call.checkInputs(inputs, numInputs); !status)
    return status;
  if (numOutputs != static_cast<size_t>(table.num_outputs))
    return makeError("expected ", table.num_outputs, " outputs, but got ",
                     numOutputs);
  if (numOutputs > 0 && !outputs)
    return makeError("the list of outputs is null");
  for (int32_t i = 0; i < table.num_outputs; ++i)
    if (table.outputs[i].rank > 0 && !outputs[i].shape)
      return makeError("output '", table.outputs[i].name,
                       "': its shape is null");
  for (int32_t i = 0; i < table.num_outputs; ++i) {
    const tenon_value &value = table.outputs[i];
    outputs[i].ndim = value.rank;
    outputs[i].dtype = value.dtype;
    const int64_t *sizes = entry.call.outputSizes(i);
    std::copy(sizes, sizes + value.rank, outputs[i].shape);
  }
  return Status::success();
}

void Model::Impl::countUnplanned(tenon_memory_plan &plan) const {
  for (int32_t i = 0; i < program.num_entries; ++i)
    plan.num_open_entries += program.entries[i].num_symbols > 0;
  for (int32_t i = 0; i < program.num_steps; ++i)
    plan.num_plugin_steps += program.steps[i].kind == TENON_STEP_PLUGIN;
}

void Model::Impl::recordMemory() {
  // Read the counter first, so that memory that another instance allocates
  // meanwhile counts as a later change.
  uint64_t changes = memoryChanges();
  if (changes == recordedChanges)
    return;
  recordedChanges = changes;
  recorded = memoryBytes();
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Holds an instance for a call, from `enter` to the end of the scope.
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
  // In a forked child, the resources that libraries and drivers hold for the
  // instance belong to the parent. Its memory is shared with the parent until
  // written, and is freed when this process ends.
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

template <typename Function> Status Model::withUse(Function function) {
  Use use(*this);
  return use.status() ? function() : use.status();
}

void Model::countUnplanned(tenon_memory_plan &plan) const {
  impl->countUnplanned(plan);
}

Status Model::reserveStaging(int64_t bytes) {
  return withUse([&] { return impl->reserveStaging(bytes); });
}

Status Model::inferShapes(const char *entry, const tenon_tensor *inputs,
                          size_t numInputs, tenon_tensor *outputs,
                          size_t numOutputs) {
  Use use(*this);
  if (!use.status())
    return use.status();
  Expected<EntryState *> found = impl->findEntry(entry);
  if (!found)
    return found.takeError();
  return impl->inferShapes(**found, inputs, numInputs, outputs, numOutputs);
}

/// Makes a call that may plan and run steps of an entry.
template <typename Function>
Status Model::withEntry(const char *name, Function function) {
  return withUse([&]() -> Status {
    Expected<EntryState *> entry = impl->findEntry(name);
    if (!entry)
      return entry.takeError();
    Status status = impl->onDedicatedThread([&] { return function(**entry); });
    impl->recordMemory();
    return status;
  });
}

Status Model::run(const char *entry, const tenon_tensor *inputs,
                  size_t numInputs, tenon_tensor *outputs, size_t numOutputs) {
  return withEntry(entry, [&](EntryState &state) {
    return impl->run(state, inputs, numInputs, outputs, numOutputs);
  });
}

Status Model::plan(const char *entry, const tenon_tensor *inputs,
                   size_t numInputs) {
  return withEntry(entry, [&](EntryState &state) {
    return impl->planFor(state, inputs, numInputs);
  });
}

Status Model::runOnStream(const char *entry, const tenon_tensor *inputs,
                          size_t numInputs, tenon_tensor *outputs,
                          size_t numOutputs, void *stream) {
  return withEntry(entry, [&](EntryState &state) {
    return impl->runOnStream(state, inputs, numInputs, outputs, numOutputs,
                             stream);
  });
}

Status Model::finish() {
  return withUse([&] { return impl->finish(); });
}

Status Model::getState(const char *name, const tenon_tensor *tensor) {
  return withUse([&] { return impl->getState(name, tensor); });
}

Status Model::setState(const char *name, const tenon_tensor *tensor) {
  return withUse([&] { return impl->setState(name, tensor); });
}

Expected<void *> Model::locateState(const char *name) {
  Use use(*this);
  return use.status() ? impl->locateState(name)
                      : makeError(use.status().error());
}

Status Model::resetStates() {
  return withUse([&] { return impl->resetStates(); });
}

Status Model::saveStates(const char *path) {
  return withUse([&] { return impl->saveStates(path); });
}

Status Model::restoreStates(const char *path) {
  return withUse([&] { return impl->restoreStates(path); });
}

Status Model::observe(tenon_observer observer, void *context) {
  return withUse([&] { return impl->observe(observer, context); });
}

Expected<const char *> Model::traceJson() {
  Use use(*this);
  if (!use.status())
    return makeError(use.status().error());
  return impl->traceJson();
}

uint64_t Model::memoryBytes() const { return impl->recordedMemory(); }

const char *Model::target() const { return impl->target(); }

} // namespace tenon::runtime
