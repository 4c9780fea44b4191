//===- Model.h - one loaded instance of a program -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the functions of ABI.h do, for any program and with errors as values.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_RUNTIME_MODEL_H
#define TENON_RUNTIME_MODEL_H

#include "tenon/Artifact/Program.h"
#include "tenon/Artifact/Status.h"

#include <memory>
#include <string>

namespace tenon::runtime {

/// Everything that `program` points to outlives the instance. One instance runs
/// one call at a time: while one is under way, another thread's calls fail.
/// Several instances may run at once. An instance is of the process that loaded
/// it: in a forked child, its calls fail, and it frees nothing.
class Model {
public:
  /// Loads the parameters and runs the prepare steps. `paramsPath` is used
  /// where `options` name no other source of parameters; it may be empty.
  static artifact::Expected<std::unique_ptr<Model>>
  load(const tenon_program &program, const tenon_options &options,
       const std::string &paramsPath);

  /// As above, for the one of `programs` (null-terminated, never empty) that
  /// `options.device` asks for. Of several for CUDA, the first that has an
  /// image for the device.
  static artifact::Expected<std::unique_ptr<Model>>
  load(const tenon_program *const *programs, const tenon_options &options,
       const std::string &paramsPath);

  /// No call is under way.
  ~Model();

  /// Frees an instance, which may be null; if another thread is in a call of
  /// it, as soon as that ends.
  static void unload(std::unique_ptr<Model> model);

  artifact::Status inferShapes(const tenon_tensor *inputs, size_t numInputs,
                               tenon_tensor *outputs, size_t numOutputs);
  /// Checks the whole call before it does anything. If the call is refused, or
  /// fails later, the instance stays fit for the next one.
  artifact::Status run(const tenon_tensor *inputs, size_t numInputs,
                       tenon_tensor *outputs, size_t numOutputs);

  /// Null when tracing is off. Valid until the next call.
  artifact::Expected<const char *> traceJson();
  /// Arena, prepared buffers, packed weights, drawn parameters and scratch, at
  /// the end of the last run or load. Any thread may ask at any time.
  uint64_t memoryBytes() const;

  class Impl; // ModelImpl.h

private:
  class Use;

  explicit Model(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace tenon::runtime

#endif // TENON_RUNTIME_MODEL_H
