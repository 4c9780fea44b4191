//===- LoadedModel.h - an instance of an artifact -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_RUN_LOADEDMODEL_H
#define TENON_TOOLS_TENON_RUN_LOADEDMODEL_H

#include "CommandLine.h"
#include "tenon/Artifact/ArtifactLibrary.h"

#include "tenon/Artifact/TensorData.h"

namespace tenon::run {

/// An artifact and an instance of it, which is unloaded at the end.
class LoadedModel {
public:
  LoadedModel() = default;
  LoadedModel(const LoadedModel &) = delete;
  LoadedModel &operator=(const LoadedModel &) = delete;
  ~LoadedModel() {
    if (model)
      library.unload(model);
  }

  /// Opens the artifact. Fails if it is older than an option that is stated.
  artifact::Status open(const CommandLine &line);
  /// What `load` asks for.
  tenon_load_options getLoadOptions(const CommandLine &line) const;
  /// Creates the instance, with its weights.
  artifact::Status load(const CommandLine &line);
  artifact::Status restoreStates(const std::string &path,
                                 const std::string &option);
  artifact::Status saveStates(const std::string &path,
                              const std::string &option);

  /// The threads of the instance, or of each of its ranks.
  int32_t getThreads(const CommandLine &line) const;
  /// Where the weights come from, for reports; empty: there are none.
  std::string getWeightsSource(const CommandLine &line) const;
  /// What the last call reported, behind `what`.
  artifact::Error error(const std::string &what) const;

  artifact::ArtifactLibrary library;
  tenon_model *model = nullptr;
};

/// `tensor` keeps its storage.
tenon_tensor view(artifact::TensorData &tensor);

} // namespace tenon::run

#endif // TENON_TOOLS_TENON_RUN_LOADEDMODEL_H
