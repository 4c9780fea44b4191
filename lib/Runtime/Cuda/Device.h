//===- Device.h - one CUDA device and memory on it ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_CUDA_DEVICE_H
#define TENON_LIB_RUNTIME_CUDA_DEVICE_H

#include "../Memory.h"
#include "Driver.h"

namespace tenon::runtime::cuda {

/// A device with its primary context, which all models of a process share, and
/// a stream that belongs to one model.
class Device {
public:
  /// `otherwise` has the same meaning as for Driver::open. `isPlanned`: no
  /// device is opened, and its memory is only counted.
  static artifact::Expected<std::unique_ptr<Device>>
  open(int32_t number, const std::string &otherwise, bool isPlanned);
  ~Device();
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;

  const Driver &driver() const { return functions; }
  Stream stream() const { return ownStream; }
  int32_t number() const { return ordinal; }
  /// The compute capability.
  int major() const { return capabilityMajor; }
  int minor() const { return capabilityMinor; }
  int64_t maxSharedBytes() const { return sharedBytes; }
  /// For example "CUDA device 0 (NVIDIA T4, sm_75)".
  const std::string &name() const { return text; }

  /// Returns "CUDA device 0 (...): WHAT: CUDA_ERROR_...". Remembers a fatal
  /// error.
  artifact::Error fail(Result result, const std::string &what);
  /// The first fatal error; empty if there was none.
  const std::string &lost() const { return fatal; }
  /// Returns whether its context was destroyed with everything in it, so that
  /// nothing is left to free.
  bool isGone() const { return contextIsGone; }

  /// Counts memory from now on; `counted` must outlive all blocks.
  void limitMemory(HostMemory &counted) { memory = &counted; }
  HostMemory *countedMemory() const { return memory; }

  /// Waits for all work of the stream.
  artifact::Status wait(const std::string &what);

private:
  friend class ContextScope;
  Device() = default;

  Driver functions;
  int32_t ordinal = 0;
  DeviceNumber device = 0;
  Context context = nullptr;
  Stream ownStream = nullptr;
  int capabilityMajor = 0, capabilityMinor = 0;
  int64_t sharedBytes = 0;
  HostMemory *memory = nullptr;
  std::string text;
  std::string fatal;
  bool contextIsGone = false;
};

/// How many devices the driver finds; fails if there is none. `otherwise` has
/// the same meaning as for Driver::open.
artifact::Expected<int32_t> countDevices(const Driver &driver,
                                         const std::string &otherwise);

/// Makes the device's context current for this thread during its lifetime, and
/// restores the previous context afterwards.
class ContextScope {
public:
  explicit ContextScope(Device &device);
  ~ContextScope();
  ContextScope(const ContextScope &) = delete;
  ContextScope &operator=(const ContextScope &) = delete;

  /// Fails if the context cannot be used, for example because another library
  /// has reset the device. The device is then lost.
  artifact::Status status() const;

private:
  Device &device;
  bool isPushed = false;
};

/// On every exit from the scope, waits for all work of the device's stream,
/// unless it is told that there is none left.
class StreamDrain {
public:
  explicit StreamDrain(Device &device) : device(&device) {}
  ~StreamDrain() {
    if (device)
      device->driver().streamSynchronize(device->stream());
  }
  StreamDrain(const StreamDrain &) = delete;
  StreamDrain &operator=(const StreamDrain &) = delete;

  void done() { device = nullptr; }

private:
  Device *device;
};

/// Memory of a device, aligned to 256 bytes. The device's context must be
/// current when it is allocated and freed.
class DeviceBlock {
public:
  /// `what` names the use in the message, such as "the arena", and is a
  /// constant.
  static artifact::Expected<DeviceBlock> allocate(Device &device, int64_t bytes,
                                                  const char *what);

  DeviceBlock() = default;
  DeviceBlock(DeviceBlock &&other) noexcept { swap(other); }
  DeviceBlock &operator=(DeviceBlock &&other) noexcept {
    DeviceBlock moved(static_cast<DeviceBlock &&>(other));
    swap(moved);
    return *this;
  }
  ~DeviceBlock();

  DeviceAddress data() const { return begin; }
  int64_t size() const { return bytes; }

private:
  void swap(DeviceBlock &other);

  Device *device = nullptr;
  const char *what = "";
  DeviceAddress begin = 0;
  int64_t bytes = 0;
};

/// Pinned host memory, which the device can copy from and to asynchronously.
class PinnedBlock {
public:
  static artifact::Expected<PinnedBlock> allocate(Device &device,
                                                  int64_t bytes);

  PinnedBlock() = default;
  PinnedBlock(PinnedBlock &&other) noexcept { swap(other); }
  PinnedBlock &operator=(PinnedBlock &&other) noexcept {
    PinnedBlock moved(static_cast<PinnedBlock &&>(other));
    swap(moved);
    return *this;
  }
  ~PinnedBlock();

  char *data() const { return begin; }
  int64_t size() const { return bytes; }

private:
  void swap(PinnedBlock &other);

  Device *device = nullptr;
  char *begin = nullptr;
  int64_t bytes = 0;
};

} // namespace tenon::runtime::cuda

#endif // TENON_LIB_RUNTIME_CUDA_DEVICE_H
