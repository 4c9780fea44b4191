//===- Tables.cpp - checks of a program's tables --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tables.h"

#include "tenon/Artifact/DType.h"
#include "tenon/Artifact/TensorData.h"

#include <cstring>

using namespace tenon::artifact;

namespace tenon::runtime {

namespace {
class TableCheck {
public:
  explicit TableCheck(const tenon_program &program) : program(program) {}
  Status run() const;

private:
  template <typename... Parts> static Error damaged(const Parts &...parts) {
    return makeError("the artifact is damaged: ", concat(parts...));
  }
  Status checkRanges() const;
  Status checkStates() const;
  /// Checks the buffers [first, end); `entry` is null for those that all
  /// entries share.
  Status checkBuffers(int32_t first, int32_t end,
                      const tenon_entry *entry) const;
  Status checkSteps(const tenon_entry &entry) const;
  Status checkIndexChecks() const;

  const tenon_program &program;
};
} // namespace

static bool isLaunch(const tenon_gpu_launch *launch) {
  return launch && launch->kernel && launch->block_threads > 0 &&
         launch->shared_bytes >= 0;
}

Expected<int64_t> countBytes(const tenon_value &value) {
  std::optional<DType> dtype = fromDLDType(value.dtype);
  if (!dtype)
    return makeError("'", value.name, "' has an unknown element type");
  std::vector<int64_t> shape(value.shape, value.shape + value.rank);
  Expected<int64_t> count = countElements(shape, dtypeSize(*dtype));
  if (!count)
    return makeError("'", value.name, "': ", count.error());
  return *count * static_cast<int64_t>(dtypeSize(*dtype));
}

/// Checks that prepare and the entries have consecutive ranges of the steps,
/// and of the buffers that follow the shared ones.
Status TableCheck::checkRanges() const {
  if (program.num_entries < 1)
    return damaged("it has no entry");
  int32_t buffer = program.prepare.first_buffer, step = 0;
  if (buffer < 0)
    return damaged("the buffers of prepare begin at ", buffer);
  auto follow = [&](const tenon_entry &entry, const char *name) -> Status {
    if (entry.first_buffer != buffer || entry.end_buffer < buffer ||
        entry.first_step != step || entry.end_step < step)
      return damaged(name, " has the buffers [", entry.first_buffer, ", ",
                     entry.end_buffer, ") and the steps [", entry.first_step,
                     ", ", entry.end_step, "), but expected them to begin at ",
                     buffer, " and ", step);
    buffer = entry.end_buffer;
    step = entry.end_step;
    return Status::success();
  };
  if (Status status = follow(program.prepare, "prepare"); !status)
    return status;
  for (int32_t i = 0; i < program.num_entries; ++i) {
    const char *name = program.entries[i].name;
    if (!name)
      return damaged("entry ", i, " has no name");
    for (int32_t j = 0; j < i; ++j)
      if (std::strcmp(program.entries[j].name, name) == 0)
        return damaged("two entries have the name '", name, "'");
    // Otherwise, it would be run as an entry without steps.
    if (program.entries[i].ranks && program.num_ranks < 1)
      return damaged("entry '", name, "' is of ranks, but there are none");
    if (Status status = follow(program.entries[i], name); !status)
      return status;
  }
  if (buffer != program.num_buffers || step != program.num_steps)
    return damaged("it has ", program.num_buffers, " buffers and ",
                   program.num_steps, " steps, but its entries cover ", buffer,
                   " and ", step);
  return Status::success();
}

Status TableCheck::checkStates() const {
  for (int32_t i = 0; i < program.num_states; ++i) {
    const tenon_value &value = program.states[i].value;
    if (!value.name)
      return damaged("state ", i, " has no name");
    if (Expected<int64_t> bytes = countBytes(value); !bytes)
      return damaged("state ", bytes.error());
    for (int32_t j = 0; j < i; ++j)
      if (std::strcmp(program.states[j].value.name, value.name) == 0)
        return damaged("two states have the name '", value.name, "'");
    int32_t param = program.states[i].param;
    if (param == -1)
      continue;
    if (param < 0 || param >= program.num_params)
      return damaged("state '", value.name, "' starts as parameter ", param,
                     " of ", program.num_params);
    Expected<int64_t> bytes = countBytes(program.params[param]);
    if (!bytes || *bytes != *countBytes(value))
      return damaged("state '", value.name, "' starts as the parameter '",
                     program.params[param].name, "', which has another size");
  }
  return Status::success();
}

Status TableCheck::checkBuffers(int32_t first, int32_t end,
                                const tenon_entry *entry) const {
  for (int32_t i = first; i < end; ++i) {
    const tenon_buffer &buffer = program.buffers[i];
    int32_t limit = INT32_MAX;
    bool isShared = true;
    switch (buffer.kind) {
    case TENON_BUFFER_INPUT:
      limit = entry ? entry->num_inputs : 0;
      isShared = false;
      break;
    case TENON_BUFFER_OUTPUT:
      limit = entry ? entry->num_outputs : 0;
      isShared = false;
      break;
    case TENON_BUFFER_PARAM:
      limit = program.num_params;
      break;
    case TENON_BUFFER_CHECK:
      limit = program.num_checks;
      isShared = false;
      break;
    case TENON_BUFFER_STATE:
      limit = program.num_states;
      break;
    case TENON_BUFFER_CONSTANT:
    case TENON_BUFFER_PREPARED:
      break;
    case TENON_BUFFER_ARENA:
      isShared = false;
      break;
    default:
      return damaged("buffer ", i, " has the unknown kind ", buffer.kind);
    }
    if (!entry && !isShared)
      return damaged("buffer ", i, ", which all entries share, has the kind ",
                     buffer.kind);
    if (limit != INT32_MAX && (buffer.index < 0 || buffer.index >= limit))
      return damaged("buffer ", i, " has the index ", buffer.index);
    if (buffer.bytes < 0 && (!entry || !entry->buffer_bytes))
      return damaged("buffer ", i, " has no size");
    if (buffer.kind == TENON_BUFFER_PREPARED && buffer.bytes < 0)
      return damaged("prepared buffer ", i, " has no static size");
    if (buffer.kind == TENON_BUFFER_STATE) {
      Expected<int64_t> bytes = countBytes(program.states[buffer.index].value);
      if (!bytes || *bytes != buffer.bytes)
        return damaged("buffer ", i, " has another size than its state");
    }
    if (buffer.kind == TENON_BUFFER_ARENA && entry->arena_bytes >= 0 &&
        (buffer.bytes < 0 || buffer.offset < 0 ||
         buffer.offset + buffer.bytes > entry->arena_bytes))
      return damaged("buffer ", i, " lies outside of the arena");
  }
  return Status::success();
}

Status TableCheck::checkSteps(const tenon_entry &entry) const {
  bool isCuda = program.device == TENON_PROGRAM_CUDA;
  for (int32_t i = entry.first_step; i < entry.end_step; ++i) {
    const tenon_step &step = program.steps[i];
    for (int32_t j = 0; j < step.num_buffers; ++j) {
      int32_t buffer = step.buffers[j];
      if (buffer < 0 || buffer >= program.num_buffers)
        return damaged("step '", step.name, "' names buffer ", buffer);
      bool isOwn = buffer >= entry.first_buffer && buffer < entry.end_buffer;
      if (!isOwn && buffer >= program.prepare.first_buffer)
        return damaged("step '", step.name, "' uses buffer ", buffer,
                       " of another entry");
    }
    bool good = step.kind == TENON_STEP_KERNEL
                    ? (isCuda ? isLaunch(step.launch) : step.kernel != nullptr)
                : step.kind == TENON_STEP_LIBRARY ? step.call != nullptr
                : step.kind == TENON_STEP_PLUGIN
                    ? step.plugin != nullptr
                    : step.kind == TENON_STEP_COPY && step.num_buffers == 2;
    if (!good)
      return damaged("step '", step.name, "' is incomplete");
    if (step.extent < 0 && !entry.step_extents)
      return damaged("step '", step.name, "' has no extent");
  }
  return Status::success();
}

Status TableCheck::checkIndexChecks() const {
  for (int32_t i = 0; i < program.num_checks; ++i) {
    const tenon_check &check = program.checks[i];
    bool isInside = check.buffer >= 0 && check.buffer < program.num_buffers &&
                    check.step >= 0 && check.step < program.num_steps;
    if (!isInside || !check.sizes || check.rank < 0 || check.num_ranges < 1 ||
        check.parts < 1 ||
        program.buffers[check.buffer].bytes != 16 * check.parts)
      return damaged("check ", i, " is incomplete");
    const tenon_buffer &buffer = program.buffers[check.buffer];
    bool isOfRun = check.step >= program.prepare.end_step;
    if (isOfRun ? buffer.kind != TENON_BUFFER_CHECK || buffer.index != i
                : buffer.kind != TENON_BUFFER_PREPARED)
      return damaged("check ", i, " reads buffer ", check.buffer);
  }
  return Status::success();
}

Status TableCheck::run() const {
  Status status = checkRanges();
  if (status)
    status = checkStates();
  const tenon_entry &prepare = program.prepare;
  if (status && (prepare.num_symbols != 0 || prepare.num_inputs != 0 ||
                 prepare.num_outputs != 0))
    status = damaged("prepare has symbols, inputs or outputs");
  if (status)
    status = checkBuffers(0, prepare.first_buffer, nullptr);
  for (int32_t i = -1; status && i < program.num_entries; ++i) {
    const tenon_entry &entry = i < 0 ? prepare : program.entries[i];
    status = checkBuffers(entry.first_buffer, entry.end_buffer, &entry);
    if (status)
      status = checkSteps(entry);
  }
  return status ? checkIndexChecks() : status;
}

Status checkTables(const tenon_program &program) {
  return TableCheck(program).run();
}

} // namespace tenon::runtime
