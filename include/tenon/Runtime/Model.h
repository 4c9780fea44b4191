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
/// one call at a time; several may run at once.
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

  ~Model();

  artifact::Status inferShapes(const tenon_tensor *inputs, size_t numInputs,
                               tenon_tensor *outputs, size_t numOutputs);
  artifact::Status run(const tenon_tensor *inputs, size_t numInputs,
                       tenon_tensor *outputs, size_t numOutputs);

  /// Null when tracing is off.
  const char *traceJson();
  /// Arena, prepared buffers, packed weights, drawn parameters and scratch.
  uint64_t memoryBytes() const;

  class Impl; // ModelImpl.h

private:
  explicit Model(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace tenon::runtime

#endif // TENON_RUNTIME_MODEL_H
