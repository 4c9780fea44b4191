//===- CudaModelState.cpp - states and observed values on the device ------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaModel.h"

#include "../Tables.h"

#include <cstring>

using namespace tenon::artifact;

namespace tenon::runtime::cuda {

Status CudaModel::loadStates() {
  for (int32_t i = 0; i < program.num_states; ++i) {
    Expected<int64_t> bytes = countBytes(program.states[i].value);
    if (!bytes)
      return bytes.takeError();
    Expected<DeviceBlock> block =
        DeviceBlock::allocate(*device, *bytes, "a state");
    if (!block)
      return block.takeError();
    stateData.push_back(std::move(*block));
  }
  for (int32_t i = 0; i < program.num_buffers; ++i)
    if (program.buffers[i].kind == TENON_BUFFER_STATE)
      addresses[i] = residentAddresses[i] =
          stateData[program.buffers[i].index].data();
  return resetStates();
}

Expected<PinnedBlock> CudaModel::fetch(DeviceAddress from, int64_t bytes,
                                       const char *failure) {
  Expected<PinnedBlock> block = PinnedBlock::allocate(*device, bytes);
  if (!block || bytes == 0)
    return block;
  if (Result code = device->driver().copyToHost(
          block->data(), from, static_cast<size_t>(bytes), device->stream());
      code != Success)
    return device->fail(code, failure);
  if (Status status = device->wait(failure); !status)
    return status.takeError();
  return block;
}

Status CudaModel::readState(int32_t state, void *data) {
  ContextScope scope(*device);
  if (Status status = scope.status(); !status)
    return status;
  if (Status status = settle(); !status)
    return status;
  const DeviceBlock &block = stateData[state];
  Expected<PinnedBlock> copy =
      fetch(block.data(), block.size(), "a state can't be copied from it");
  if (!copy)
    return copy.takeError();
  std::memcpy(data, copy->data(), static_cast<size_t>(block.size()));
  return Status::success();
}

Status CudaModel::writeState(int32_t state, const void *data) {
  ContextScope scope(*device);
  if (Status status = scope.status(); !status)
    return status;
  if (Status status = settle(); !status)
    return status;
  const DeviceBlock &block = stateData[state];
  if (Result code = device->driver().copyToDevice(
          block.data(), data, static_cast<size_t>(block.size()),
          device->stream());
      code != Success)
    return device->fail(code, "a state can't be copied to it");
  return device->wait("a state can't be copied to it");
}

Expected<void *> CudaModel::placeOfState(int32_t state) {
  return reinterpret_cast<void *>(stateData[state].data());
}

Expected<const void *> CudaModel::fetchBuffer(int32_t buffer) {
  Expected<PinnedBlock> copy =
      fetch(addresses[buffer], byteSizes[buffer], "a step of the run failed");
  if (!copy)
    return copy.takeError();
  // Values that were fetched earlier for the same step stay valid.
  fetched.push_back(std::move(*copy));
  return static_cast<const void *>(fetched.back().data());
}

} // namespace tenon::runtime::cuda
