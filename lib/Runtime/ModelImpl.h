//===- ModelImpl.h - what all instances have ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_MODELIMPL_H
#define TENON_LIB_RUNTIME_MODELIMPL_H

#include "EntryState.h"
#include "HostExecutor.h"
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

/// One loaded instance, whatever it runs on: its program, its entries,
/// parameters on the host, and the trace. Of the functions that change it, one
/// at a time is called (Model sees to that).
class Model::Impl {
public:
  virtual ~Impl();

  /// Of all calls.
  InstanceLock lock;

  /// Calls `function`, which may start threads, on a thread that may.
  template <typename Function> artifact::Status onOwnThread(Function function) {
    if (threads <= 1 || executor.get() ||
        (mayStartTeam(threads) && (!isInChild || !isInheritedThread())))
      return function();
    artifact::Status status;
    ownThread.run([&] { status = function(); });
    return status;
  }

  /// Takes what the host provides for the instance.
  artifact::Status adoptHost();
  /// Checks the program, loads the parameters, and prepares the device.
  artifact::Status load();
  /// Null: the first.
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
  /// As `run`, without waiting, and the wait for it.
  virtual artifact::Status runOnStream(EntryState &, const tenon_tensor *,
                                       size_t, tenon_tensor *, size_t, void *) {
    return artifact::makeError(
        "run_on_stream: expected a program on cuda, but got one on the cpu");
  }
  virtual artifact::Status finish() { return artifact::Status::success(); }
  artifact::Status getState(const char *name, const tenon_tensor *tensor);
  artifact::Status setState(const char *name, const tenon_tensor *tensor);
  artifact::Status resetStates();
  artifact::Status saveStates(const char *path);
  artifact::Status restoreStates(const char *path);
  /// Null: no observer.
  void observe(tenon_observer callback, void *context) {
    observer = callback;
    observerContext = context;
  }
  const char *traceJson() { return tracing ? trace.json() : nullptr; }
  /// Counts the memory again if any was given or taken since it did so last.
  void recordMemory();
  /// What it counted; from every thread.
  uint64_t recordedMemory() const { return recorded; }

protected:
  virtual uint64_t memoryBytes() const = 0;
  /// `cudaDevice`: the device whose memory tensors may lie in; -1: none.
  Impl(const tenon_program &program, const LoadSettings &settings,
       int32_t cudaDevice);

  /// Makes all that does not depend on a call; parameters are there.
  virtual artifact::Status prepare() = 0;

  /// Copies a state, which has elements, to or from dense memory of the host.
  virtual artifact::Status readState(int32_t state, void *data) = 0;
  virtual artifact::Status writeState(int32_t state, const void *data) = 0;
  /// A buffer's content on the host, valid until the next step.
  virtual artifact::Expected<const void *> fetchBuffer(int32_t buffer) = 0;
  /// Tells the observer what a step has written.
  artifact::Status report(const EntryState &entry, int32_t step);

  EntryState &prepareEntry() { return *entries.back(); }
  const EntryState &entryOfStep(int32_t step) const;

  /// Byte sizes and extents of the entry for its symbols.
  artifact::Status evaluateSizes(const EntryState &entry);
  /// Places the arena buffers of an entry: writes their offsets, by buffer, and
  /// returns how long the arena has to be. `byteSizes` are known.
  artifact::Expected<int64_t> placeArena(const EntryState &entry,
                                         std::vector<int64_t> &offsets) const;
  /// tenon_entry.scratch_bytes for them.
  artifact::Expected<int64_t> evaluateScratch(const EntryState &entry) const;
  /// Fails if the check has found a wrong index; `words` is what its step
  /// wrote.
  artifact::Status examineCheck(int32_t check, const int64_t *words) const;
  /// By buffer: the last prepare step that uses it, or -1.
  std::vector<int32_t> findLastPrepareUses() const;

  const tenon_program &program;
  const LoadSettings settings; // what they point to ends with the load
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
  std::vector<int32_t> checkOfStep; // by step: the check it is for, or -1
  tenon_observer observer = nullptr;
  void *observerContext = nullptr;

private:
  artifact::Expected<int32_t> findState(const char *name) const;
  bool isReported(const EntryState &entry, int32_t step, int32_t buffer) const;
  void numberChecks();
  artifact::Status openWeights();
  artifact::Status loadParameters();

  const bool isInChild; // that was forked
  OwnThread ownThread;
  std::atomic<uint64_t> recorded{0};
  uint64_t recordedChanges = 0;
};

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_MODELIMPL_H
