//===- ModelImpl.h - what all instances have ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_MODELIMPL_H
#define TENON_LIB_RUNTIME_MODELIMPL_H

#include "CallState.h"
#include "InstanceLock.h"
#include "OwnThread.h"
#include "Parameters.h"
#include "Trace.h"

#include "tenon/Runtime/Model.h"
#include "tenon/Runtime/Parallel.h"

#include <atomic>
#include <memory>
#include <vector>

namespace tenon::runtime {

/// One loaded instance, whatever it runs on: its program, the sizes of a call,
/// parameters on the host, and the trace. Of the functions that change it, one
/// at a time is called (Model sees to that).
class Model::Impl {
public:
  virtual ~Impl();

  /// Of all calls.
  InstanceLock lock;

  /// Calls `function`, which may start threads, on a thread that may.
  template <typename Function> artifact::Status onOwnThread(Function function) {
    if (threads <= 1 ||
        (mayStartTeam(threads) && (!isInChild || !isInheritedThread())))
      return function();
    artifact::Status status;
    ownThread.run([&] { status = function(); });
    return status;
  }

  /// Checks the program, loads the parameters, and prepares the device.
  artifact::Status load(const tenon_options &options,
                        const std::string &paramsPath);
  artifact::Status inferShapes(const tenon_tensor *inputs, size_t numInputs,
                               tenon_tensor *outputs, size_t numOutputs);
  virtual artifact::Status run(const tenon_tensor *inputs, size_t numInputs,
                               tenon_tensor *outputs, size_t numOutputs) = 0;
  const char *traceJson() { return tracing ? trace.json() : nullptr; }
  /// Counts the memory again if any was given or taken since it did so last.
  void recordMemory();
  /// What it counted; from every thread.
  uint64_t recordedMemory() const { return recorded; }

protected:
  virtual uint64_t memoryBytes() const = 0;
  /// `cudaDevice`: the device whose memory tensors may lie in; -1: none.
  Impl(const tenon_program &program, const tenon_options &options,
       int32_t cudaDevice);

  /// Makes all that does not depend on a call; parameters are there.
  virtual artifact::Status prepare() = 0;

  /// Byte sizes and extents for the symbols of `state`.
  artifact::Status evaluateSizes();
  /// Places the arena buffers of the steps [firstStep, endStep): writes their
  /// offsets, by buffer, and returns how long the arena has to be. `byteSizes`
  /// are known.
  artifact::Expected<int64_t> placeArena(int32_t firstStep, int32_t endStep,
                                         std::vector<int64_t> &offsets) const;
  /// tenon_program.scratch_bytes for them.
  artifact::Expected<int64_t> evaluateScratch() const;
  /// Fails if the check has found a wrong index; `words` is what its step
  /// wrote.
  artifact::Status examineCheck(int32_t check, const int64_t *words) const;
  /// By buffer: the last prepare step that uses it, or -1.
  std::vector<int32_t> findLastPrepareUses() const;

  const tenon_program &program;
  CallState state;
  int threads;
  bool tracing;
  Trace trace;
  Parameters parameters;
  std::vector<int64_t> byteSizes;   // by buffer; -1: not known yet
  std::vector<int64_t> extents;     // by step
  std::vector<int32_t> checkOfStep; // by step: the check it is for, or -1

private:
  artifact::Status checkTables() const;
  artifact::Status checkIndexChecks() const;
  void numberChecks();
  artifact::Status loadParameters(const tenon_options &options,
                                  const std::string &paramsPath);

  const bool isInChild; // that was forked
  OwnThread ownThread;
  std::atomic<uint64_t> recorded{0};
  uint64_t recordedChanges = 0;
};

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_MODELIMPL_H
