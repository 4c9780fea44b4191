//===- Device.cpp - one CUDA device and memory on it --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"

#include <utility>

using namespace tenon::artifact;

namespace tenon::runtime::cuda {

Expected<int32_t> countDevices(const Driver &driver,
                               const std::string &otherwise) {
  int count = 0;
  if (Result code = driver.deviceGetCount(&count); code != Success)
    return makeError("the driver can't count its CUDA devices: ",
                     driver.describe(code), otherwise);
  if (count == 0)
    return noDevice(otherwise);
  return count;
}

Expected<std::unique_ptr<Device>>
Device::open(int32_t number, const std::string &otherwise, bool isPlanned) {
  Expected<Driver> driver = isPlanned ? Expected<Driver>(Driver::makePlanned())
                                      : Driver::open(otherwise);
  if (!driver)
    return driver.takeError();
  std::unique_ptr<Device> result(new Device());
  Device &device = *result;
  device.functions = *driver;
  device.ordinal = number;
  const Driver &cu = device.functions;
  device.text = concat("CUDA device ", number);
  Expected<int32_t> count = countDevices(cu, otherwise);
  if (!count)
    return count.takeError();
  if (number < 0 || number >= *count)
    return makeError("CUDA device ", number,
                     " does not exist: the driver finds ", *count,
                     *count == 1 ? " device" : " devices", ", counted from 0");
  char name[128] = "";
  int shared = 0;
  if (Result code = cu.deviceGet(&device.device, number); code != Success)
    return device.fail(code, "it can't be used");
  Result code = cu.deviceGetName(name, sizeof name, device.device);
  auto query = [&](int attribute, int &value) {
    if (code == Success)
      code = cu.deviceGetAttribute(&value, attribute, device.device);
  };
  query(ComputeCapabilityMajor, device.capabilityMajor);
  query(ComputeCapabilityMinor, device.capabilityMinor);
  query(MaxSharedBytesPerBlock, shared);
  if (code != Success)
    return device.fail(code, "its attributes can't be queried");
  device.sharedBytes = shared;
  device.text += concat(" (", name, ", sm_", device.capabilityMajor,
                        device.capabilityMinor, ")");
  if (Result code = cu.primaryCtxRetain(&device.context, device.device);
      code != Success)
    return device.fail(code, "its context can't be made");
  ContextScope scope(device);
  if (Status status = scope.status(); !status)
    return status.takeError();
  if (Result code = cu.streamCreate(&device.ownStream, StreamNonBlocking);
      code != Success)
    return device.fail(code, "no stream can be made");
  return result;
}

Device::~Device() {
  if (!context)
    return;
  if (ownStream) {
    ContextScope scope(*this);
    if (!isGone())
      functions.streamDestroy(ownStream);
  }
  functions.primaryCtxRelease(device);
}

Error Device::fail(Result result, const std::string &what) {
  Error error = makeError(text, ": ", what, ": ", functions.describe(result));
  if (isFatal(result) && fatal.empty())
    fatal = error.message;
  return error;
}

Status Device::wait(const std::string &what) {
  if (Result code = functions.streamSynchronize(ownStream); code != Success)
    return fail(code, what);
  return Status::success();
}

ContextScope::ContextScope(Device &device) : device(device) {
  if (device.isGone())
    return;
  Result code = device.functions.ctxPush(device.context);
  isPushed = code == Success;
  if (isPushed)
    return;
  device.contextIsGone = true;
  Error error = device.fail(code, "its context can't be used any more");
  if (device.fatal.empty())
    device.fatal = error.message;
}

ContextScope::~ContextScope() {
  // Popping otherwise would remove the caller's own context.
  Context popped;
  if (isPushed)
    device.functions.ctxPop(&popped);
}

Status ContextScope::status() const {
  return isPushed ? Status::success() : Status(makeError(device.fatal));
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Expected<DeviceBlock> DeviceBlock::allocate(Device &device, int64_t bytes,
                                            const char *what) {
  DeviceBlock block;
  if (bytes <= 0)
    return block;
  const Driver &cu = device.driver();
  if (HostMemory *memory = device.countedMemory())
    if (Status status = memory->take(bytes, what); !status)
      return status.takeError();
  Result code = cu.memAlloc(&block.begin, static_cast<size_t>(bytes));
  if (code != Success && device.countedMemory())
    device.countedMemory()->give(bytes, what);
  if (code == OutOfMemory) {
    size_t free = 0, total = 0;
    cu.memGetInfo(&free, &total);
    return makeError("out of memory on ", device.name(), ": ", what, " needs ",
                     bytes, " bytes, but ", free, " of ", total, " are free");
  }
  if (code != Success)
    return device.fail(
        code, concat(what, " of ", bytes, " bytes can't be allocated"));
  block.device = &device;
  block.what = what;
  block.bytes = bytes;
  noteMemoryChange();
  return block;
}

DeviceBlock::~DeviceBlock() {
  if (!device)
    return;
  noteMemoryChange();
  if (HostMemory *memory = device->countedMemory())
    memory->give(bytes, what);
  if (!device->isGone())
    device->driver().memFree(begin);
}

void DeviceBlock::swap(DeviceBlock &other) {
  std::swap(device, other.device);
  std::swap(what, other.what);
  std::swap(begin, other.begin);
  std::swap(bytes, other.bytes);
}

static constexpr const char *pinnedUse = "copies of inputs and outputs";

Expected<PinnedBlock> PinnedBlock::allocate(Device &device, int64_t bytes) {
  PinnedBlock block;
  if (bytes <= 0)
    return block;
  if (HostMemory *counted = device.countedMemory())
    if (Status status = counted->take(bytes, pinnedUse); !status)
      return status.takeError();
  void *memory = nullptr;
  Result code =
      device.driver().memAllocHost(&memory, static_cast<size_t>(bytes));
  if (code != Success && device.countedMemory())
    device.countedMemory()->give(bytes, pinnedUse);
  if (code != Success)
    return device.fail(code, concat("inputs and outputs need ", bytes,
                                    " bytes of page-locked host memory"));
  block.begin = static_cast<char *>(memory);
  block.device = &device;
  block.bytes = bytes;
  noteMemoryChange();
  return block;
}

PinnedBlock::~PinnedBlock() {
  if (!device)
    return;
  noteMemoryChange();
  if (HostMemory *memory = device->countedMemory())
    memory->give(bytes, pinnedUse);
  if (!device->isGone())
    device->driver().memFreeHost(begin);
}

void PinnedBlock::swap(PinnedBlock &other) {
  std::swap(device, other.device);
  std::swap(begin, other.begin);
  std::swap(bytes, other.bytes);
}

} // namespace tenon::runtime::cuda
