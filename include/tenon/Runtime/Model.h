//===- Model.h - one loaded instance of a program -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Implements the functions of ABI.h for any program, with errors as values.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_RUNTIME_MODEL_H
#define TENON_RUNTIME_MODEL_H

#include "tenon/Artifact/Program.h"
#include "tenon/Artifact/Status.h"

#include <memory>
#include <string>

namespace tenon::runtime {

class HostMemory;

/// How to load an instance.
struct LoadSettings {
  tenon_load_options options = {};
  std::string paramsPath; // used if `options` name no other source; may be
                          // empty
  std::string folder;     // the artifact's folder; empty: unknown
  /// Counts what the instance takes, in place of a limit of its own. Null: the
  /// instance has the limit of the options.
  HostMemory *memory = nullptr;
  /// If `memory` is planned (Memory.h), nothing is read or computed; weights
  /// that would be read in place are counted here.
  HostMemory *inPlace = nullptr;
  bool isPlanned() const { return inPlace != nullptr; }
  int32_t plannedRank = 0; // of a pipeline
};

/// `program` and everything it points to must outlive the instance. An instance
/// runs one call at a time: calls of other threads fail meanwhile. Several
/// instances may run at once. An instance belongs to the process that loaded
/// it: in a forked child, its calls fail, and it frees nothing.
class Model {
public:
  /// Loads the parameters and runs the prepare steps of the program in
  /// `programs` (null-terminated, never empty) that `settings` select. If
  /// several are for CUDA, this is the first one that has an image for the
  /// device.
  static artifact::Expected<std::unique_ptr<Model>>
  load(const tenon_program *const *programs, const LoadSettings &settings);

  /// Like the above, but with the weights beside the artifact by default. Fails
  /// if its tables have another version.
  static artifact::Expected<std::unique_ptr<Model>>
  load(const tenon_artifact &artifact, const tenon_load_options &options);

  static artifact::Expected<std::unique_ptr<Model>>
  load(const tenon_program &program, const tenon_options &options,
       const std::string &paramsPath) {
    const tenon_program *programs[] = {&program, nullptr};
    return load(programs, options, paramsPath);
  }
  static artifact::Expected<std::unique_ptr<Model>>
  load(const tenon_program *const *programs, const tenon_options &options,
       const std::string &paramsPath) {
    LoadSettings settings;
    settings.options.options = options;
    settings.paramsPath = paramsPath;
    return load(programs, settings);
  }

  /// Plans the memory of an instance, as tenon_plan_memory does.
  static artifact::Status planMemory(const tenon_artifact &artifact,
                                     const tenon_load_options &options,
                                     int32_t rank, tenon_memory_plan &plan);

  /// No call may be in progress.
  ~Model();

  /// Frees an instance, which may be null. If another thread is in a call of
  /// it, it is freed when that call ends.
  static void unload(std::unique_ptr<Model> model);

  /// For the entry of this name; null: the first entry.
  artifact::Status inferShapes(const char *entry, const tenon_tensor *inputs,
                               size_t numInputs, tenon_tensor *outputs,
                               size_t numOutputs);
  artifact::Status inferShapes(const tenon_tensor *inputs, size_t numInputs,
                               tenon_tensor *outputs, size_t numOutputs) {
    return inferShapes(nullptr, inputs, numInputs, outputs, numOutputs);
  }
  /// Checks the whole call before it changes anything. If the call is refused
  /// or fails later, the instance can take the next call.
  artifact::Status run(const char *entry, const tenon_tensor *inputs,
                       size_t numInputs, tenon_tensor *outputs,
                       size_t numOutputs);
  artifact::Status run(const tenon_tensor *inputs, size_t numInputs,
                       tenon_tensor *outputs, size_t numOutputs) {
    return run(nullptr, inputs, numInputs, outputs, numOutputs);
  }
  /// Like the functions of ABI.h.
  artifact::Status plan(const char *entry, const tenon_tensor *inputs,
                        size_t numInputs);
  artifact::Status runOnStream(const char *entry, const tenon_tensor *inputs,
                               size_t numInputs, tenon_tensor *outputs,
                               size_t numOutputs, void *stream);
  artifact::Status finish();
  artifact::Status getState(const char *name, const tenon_tensor *tensor);
  artifact::Status setState(const char *name, const tenon_tensor *tensor);
  /// Where a state is on the device, as long as the instance lives. Fails for
  /// programs on the CPU.
  artifact::Expected<void *> locateState(const char *name);
  artifact::Status resetStates();
  artifact::Status saveStates(const char *path);
  artifact::Status restoreStates(const char *path);
  artifact::Status observe(tenon_observer observer, void *context);

  /// Returns null if tracing is off. Valid until the next call.
  artifact::Expected<const char *> traceJson();
  /// Returns the bytes of the arena, prepared buffers, packed weights, drawn
  /// parameters and scratch at the end of the last run or load. May be called
  /// from any thread at any time.
  uint64_t memoryBytes() const;

  /// Returns the target of the program that the instance runs, such as
  /// "cpu:x86-64-v4". Valid as long as the instance.
  const char *target() const;

  class Impl; // ModelImpl.h

  void countUnplanned(tenon_memory_plan &plan) const;

  /// From now on, tensors with gaps need memory beyond this only if they have
  /// more bytes.
  artifact::Status reserveStaging(int64_t bytes);

private:
  class Use;
  template <typename Function> artifact::Status withUse(Function function);
  template <typename Function>
  artifact::Status withEntry(const char *name, Function function);

  explicit Model(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace tenon::runtime

#endif // TENON_RUNTIME_MODEL_H
