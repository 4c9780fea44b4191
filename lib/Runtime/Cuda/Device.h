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
/// a stream of one model's own.
class Device {
public:
  /// `otherwise` is as for Driver::open.
  static artifact::Expected<std::unique_ptr<Device>>
  open(int32_t number, const std::string &otherwise);
  ~Device();
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;

  const Driver &driver() const { return functions; }
  Stream stream() const { return ownStream; }
  int32_t number() const { return ordinal; }
  /// Compute capability.
  int major() const { return capabilityMajor; }
  int minor() const { return capabilityMinor; }
  int64_t maxSharedBytes() const { return sharedBytes; }
  /// "CUDA device 0 (NVIDIA T4, sm_75)".
  const std::string &name() const { return text; }

  /// "CUDA device 0 (...): WHAT: CUDA_ERROR_...". Remembers a fatal error.
  artifact::Error fail(Result result, const std::string &what);
  /// The first fatal error; empty: none.
  const std::string &lost() const { return fatal; }
  /// Whether its context is gone, with all that was in it: nothing is left to
  /// be given back.
  bool isGone() const { return contextIsGone; }

  /// Counts memory from now on; it outlives all blocks.
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

/// Makes the device's context the current one of this thread for a while; what
/// was current before is so again.
class ContextScope {
public:
  explicit ContextScope(Device &device);
  ~ContextScope();
  ContextScope(const ContextScope &) = delete;
  ContextScope &operator=(const ContextScope &) = delete;

  /// Fails where the context can't be used (somebody may have reset the
  /// device), which is lost then.
  artifact::Status status() const;

private:
  Device &device;
  bool isPushed = false;
};

/// Waits at its end for all work of the device's stream, however the scope is
/// left, unless it is told that there is none any more.
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

/// Memory of a device, aligned to 256 bytes. Made and freed while the device's
/// context is current.
class DeviceBlock {
public:
  /// `what` names the use in the message: "the arena".
  static artifact::Expected<DeviceBlock> allocate(Device &device, int64_t bytes,
                                                  const std::string &what);

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
  DeviceAddress begin = 0;
  int64_t bytes = 0;
};

/// Host memory that the device copies from and to while the host goes on.
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
