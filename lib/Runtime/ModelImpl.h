//===- ModelImpl.h - the device-independent part of an instance -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_MODELIMPL_H
#define TENON_LIB_RUNTIME_MODELIMPL_H

#include "DedicatedThread.h"
#include "EntryState.h"
#include "HostExecutor.h"
#include "InstanceLock.h"
#include "Parameters.h"
#include "Trace.h"

#include "tenon/Runtime/Model.h"
#include "tenon/Runtime/Parallel.h"

#include <atomic>
#include <memory>
#include <vector>

namespace tenon::runtime {

/// A loaded instance on any device: its program, its entries, parameters on the
/// host, and the trace. Model ensures that only one function that changes it is
/// called at a time.
class Model::Impl {
public:
  virtual ~Impl();

  /// The lock of all calls.
  InstanceLock lock;

  /// Calls `function`, which may start threads, on a thread that can start
  /// them.
  template <typename Function>
  artifact::Status onDedicatedThread(Function function) {
    if (threads <= 1 || executor.get() ||
        (mayStartTeam(threads) && (!isInChild || !isInheritedThread())))
      return function();
    artifact::Status status;
    dedicatedThread.run([&] { status = function(); });
    return status;
  }

  /// Adopts the allocator and executor that the host provides.
  artifact::Status adoptHost();
  /// Checks the program, loads the parameters, and prepares the device.
  artifact::Status load();
  /// Null: the first entry.
  artifact::Expected<EntryState *> findEntry(const char *name);
  artifact::Status inferShapes(EntryState &entry, const tenon_tensor *inputs,
                               size_t numInputs, tenon_tensor *outputs,
                               size_t numOutputs);
  virtual artifact::Status run(EntryState &entry, const tenon_tensor *inputs,
                               size_t numInputs, tenon_tensor *outputs,
                               size_t numOutputs) = 0;
  /// Plans for the shapes of these inputs.
  virtual artifact::Status
  planFor(EntryState &entry, const tenon_tensor *inputs, size_t numInputs) = 0;
  /// Like `run`, but without waiting; `finish` waits for it.
  virtual artifact::Status runOnStream(EntryState &, const tenon_tensor *,
                                       size_t, tenon_tensor *, size_t, void *) {
    return artifact::makeError(
        "run_on_stream: expected a program on cuda, but got one on the cpu");
  }
  virtual artifact::Status finish() { return artifact::Status::success(); }
  virtual artifact::Status reserveStaging(int64_t) {
    return artifact::Status::success();
  }
  artifact::Status getState(const char *name, const tenon_tensor *tensor);
  artifact::Status setState(const char *name, const tenon_tensor *tensor);
  artifact::Expected<void *> locateState(const char *name);
  virtual artifact::Status resetStates();
  virtual artifact::Status saveStates(const char *path);
  virtual artifact::Status restoreStates(const char *path);
  /// Null: no observer.
  virtual artifact::Status observe(tenon_observer callback, void *context) {
    observer = callback;
    observerContext = context;
    return artifact::Status::success();
  }
  virtual const char *traceJson() { return tracing ? trace.json() : nullptr; }
  /// Counts what a plan of memory leaves out.
  virtual void countUnplanned(tenon_memory_plan &plan) const;
  /// Updates the memory count if memory was allocated or freed since the last
  /// update.
  void recordMemory();
  /// Returns the last memory count. May be called from any thread.
  uint64_t recordedMemory() const { return recorded; }
  const char *target() const { return program.target; }

protected:
  virtual uint64_t memoryBytes() const = 0;
  /// `cudaDevice`: the device whose memory tensors may be in; -1: none.
  Impl(const tenon_program &program, const LoadSettings &settings,
       int32_t cudaDevice);

  /// Creates everything that does not depend on a call; parameters are loaded.
  virtual artifact::Status prepare() = 0;

  /// Copies a state, which must have elements, to or from dense host memory.
  virtual artifact::Status readState(int32_t state, void *data) = 0;
  virtual artifact::Status writeState(int32_t state, const void *data) = 0;
  /// Makes a state, which must have elements, zero.
  virtual artifact::Status clearState(int32_t state);
  /// Where a state is on the device.
  virtual artifact::Expected<void *> placeOfState(int32_t) {
    return artifact::makeError("the program's states are in host memory");
  }
  /// Returns a buffer's content on the host, valid until the next step.
  virtual artifact::Expected<const void *> fetchBuffer(int32_t buffer) = 0;
  /// Reports to the observer the values that a step has written.
  artifact::Status report(const EntryState &entry, int32_t step);

  EntryState &prepareEntry() { return *entries.back(); }
  const EntryState &entryOfStep(int32_t step) const;

  /// Computes the byte sizes and extents of the entry for its symbols.
  artifact::Status evaluateSizes(const EntryState &entry);
  /// Places the arena buffers of an entry: writes their offsets, by buffer, and
  /// returns the size of the arena. `byteSizes` must be known.
  artifact::Expected<int64_t> placeArena(const EntryState &entry,
                                         std::vector<int64_t> &offsets) const;
  /// Computes tenon_entry.scratch_bytes for the symbols.
  artifact::Expected<int64_t> evaluateScratch(const EntryState &entry) const;
  /// Fails if the check has found an invalid index; `words` are the values that
  /// its step wrote.
  artifact::Status examineCheck(int32_t check, const int64_t *words) const;
  /// Returns, by buffer, the last prepare step that uses it, or -1.
  std::vector<int32_t> findLastPrepareUses() const;

  const tenon_program &program;
  const LoadSettings settings; // its pointers are valid only while loading
  HostExecutor executor;
  HostMemory memory;
  SharedWeights weights{memory};
  std::vector<std::unique_ptr<EntryState>> entries; // prepare last
  int threads;
  bool tracing;
  Trace trace;
  Parameters parameters{program, memory, weights};
  std::vector<int64_t> byteSizes;   // by buffer; -1: not known yet
  std::vector<int64_t> extents;     // by step
  std::vector<int32_t> checkOfStep; // by step: the check that it computes, or
                                    // -1
  tenon_observer observer = nullptr;
  void *observerContext = nullptr;

private:
  artifact::Expected<int32_t> findState(const char *name) const;
  artifact::Status resetToParameter(int32_t state);
  bool isReported(const EntryState &entry, int32_t step, int32_t buffer) const;
  void numberChecks();
  artifact::Status openWeights();
  artifact::Status loadParameters();

  const bool isInChild; // whether this is a forked child
  DedicatedThread dedicatedThread;
  std::atomic<uint64_t> recorded{0};
  uint64_t recordedChanges = 0;
};

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_MODELIMPL_H
