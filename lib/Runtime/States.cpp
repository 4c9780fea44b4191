//===- States.cpp - the states of an instance -----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelImpl.h"
#include "StateFile.h"
#include "StridedCopy.h"
#include "Tables.h"
#include "TensorCheck.h"

#include "tenon/Artifact/DType.h"
#include "tenon/Artifact/Safetensors.h"
#include "tenon/Artifact/TensorData.h"

#include <cstddef>
#include <cstring>

using namespace tenon::artifact;

namespace tenon::runtime {

static size_t bytesOf(const tenon_state &state) {
  // This cannot fail, because the tables were checked.
  Expected<int64_t> bytes = countBytes(state.value);
  return bytes ? static_cast<size_t>(*bytes) : 0;
}

static DType typeOf(const tenon_value &value) {
  return fromDLDType(value.dtype).value_or(DType::U8);
}

static std::vector<int64_t> shapeOf(const tenon_value &value) {
  return {value.shape, value.shape + value.rank};
}

Expected<int32_t> Model::Impl::findState(const char *name) const {
  if (!name)
    return makeError("the name of the state is null");
  std::string known;
  for (int32_t i = 0; i < program.num_states; ++i) {
    const char *present = program.states[i].value.name;
    if (std::strcmp(present, name) == 0)
      return i;
    known += concat(i > 0 ? ", '" : "'", present, "'");
  }
  return makeError("the model has no state '", name, "'",
                   known.empty() ? "" : ", only ", known);
}

/// Checks a tensor that is copied to or from a state.
static Status checkStateTensor(const tenon_value &value,
                               const tenon_tensor *tensor, bool isWritten,
                               TensorRange &range) {
  if (!tensor)
    return makeError(quoted("state", value.name), ": the tensor is null");
  return checkTensor(
      {value, "state", value.shape, /*cudaDevice=*/-1, isWritten}, *tensor,
      range);
}

Expected<void *> Model::Impl::locateState(const char *name) {
  Expected<int32_t> state = findState(name);
  return state ? placeOfState(*state) : state.takeError();
}

Status Model::Impl::getState(const char *name, const tenon_tensor *tensor) {
  Expected<int32_t> state = findState(name);
  if (!state)
    return state.takeError();
  TensorRange range;
  if (Status status = checkStateTensor(program.states[*state].value, tensor,
                                       /*isWritten=*/true, range);
      !status)
    return status;
  if (range.begin == range.end)
    return Status::success();
  if (range.isDense)
    return readState(*state, reinterpret_cast<void *>(range.begin));
  std::vector<char> data(bytesOf(program.states[*state]));
  if (Status status = readState(*state, data.data()); !status)
    return status;
  scatter(data.data(), *tensor);
  return Status::success();
}

Status Model::Impl::setState(const char *name, const tenon_tensor *tensor) {
  Expected<int32_t> state = findState(name);
  if (!state)
    return state.takeError();
  TensorRange range;
  if (Status status = checkStateTensor(program.states[*state].value, tensor,
                                       /*isWritten=*/false, range);
      !status)
    return status;
  if (range.begin == range.end)
    return Status::success();
  if (range.isDense)
    return writeState(*state, reinterpret_cast<const void *>(range.begin));
  std::vector<char> data(bytesOf(program.states[*state]));
  gather(*tensor, data.data());
  return writeState(*state, data.data());
}

Status Model::Impl::resetStates() {
  for (int32_t i = 0; i < program.num_states; ++i) {
    const tenon_state &state = program.states[i];
    size_t bytes = bytesOf(state);
    if (bytes == 0)
      continue;
    if (state.param >= 0) {
      if (Status status = resetToParameter(i); !status)
        return status;
      continue;
    }
    if (Status status =
            state.initial ? writeState(i, state.initial) : clearState(i);
        !status)
      return status;
  }
  return Status::success();
}

Status Model::Impl::clearState(int32_t state) {
  std::vector<char> zeros(bytesOf(program.states[state]));
  return writeState(state, zeros.data());
}

/// Parameters that no step reads are not loaded: they are for this copy alone,
/// one at a time. Pages of a file are dropped in any case.
Status Model::Impl::resetToParameter(int32_t state) {
  int32_t param = program.states[state].param;
  bool wasThere = parameters.data(param);
  if (Status status = parameters.reload(param); !status)
    return status;
  Status status = writeState(state, parameters.data(param));
  if (wasThere)
    parameters.drop(param);
  else
    parameters.release(param);
  return status;
}

Status Model::Impl::saveStates(const char *path) {
  if (!path || !*path)
    return makeError("states: expected a file, but got no name");
  std::vector<StateContent> contents;
  for (int32_t i = 0; i < program.num_states; ++i) {
    StateContent content{&program.states[i].value,
                         std::vector<char>(bytesOf(program.states[i]))};
    if (!content.data.empty())
      if (Status status = readState(i, content.data.data()); !status)
        return status;
    contents.push_back(std::move(content));
  }
  if (Status status = writeStateFile(path, contents); !status)
    return makeError("states: ", status.error());
  return Status::success();
}

Status Model::Impl::restoreStates(const char *path) {
  if (!path || !*path)
    return makeError("states: expected a file, but got no name");
  Expected<SafetensorsFile> file = SafetensorsFile::open(path);
  if (!file)
    return makeError("states: ", file.error());
  for (const SafetensorsEntry &entry : file->entries())
    if (Expected<int32_t> state = findState(entry.name.c_str()); !state)
      return makeError("states: '", path, "': ", state.error());
  for (int32_t i = 0; i < program.num_states; ++i) {
    const tenon_value &value = program.states[i].value;
    const SafetensorsEntry *entry = file->find(value.name);
    if (!entry)
      return makeError("state '", value.name, "' is missing in '", path, "'");
    if (entry->dtype != typeOf(value) || entry->shape != shapeOf(value))
      return makeError("state '", value.name, "' in '", path, "': expected ",
                       formatType(typeOf(value), shapeOf(value)), ", but got ",
                       formatType(entry->dtype, entry->shape));
  }
  std::vector<char> aligned;
  for (int32_t i = 0; i < program.num_states; ++i) {
    const SafetensorsEntry *entry = file->find(program.states[i].value.name);
    if (entry->bytes == 0)
      continue;
    // A file may place a tensor anywhere.
    const void *data = file->data(*entry);
    if (reinterpret_cast<uintptr_t>(data) % alignof(std::max_align_t) != 0) {
      aligned.assign(static_cast<const char *>(data),
                     static_cast<const char *>(data) + entry->bytes);
      data = aligned.data();
    }
    if (Status status = writeState(i, data); !status)
      return status;
  }
  return Status::success();
}

} // namespace tenon::runtime
