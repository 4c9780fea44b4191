//===- ArtifactLibrary.h - an artifact, loaded as a library -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_ARTIFACT_ARTIFACTLIBRARY_H
#define TENON_ARTIFACT_ARTIFACTLIBRARY_H

#include "tenon/Artifact/ABI.h"
#include "tenon/Artifact/Manifest.h"
#include "tenon/Artifact/Status.h"

#include <string>

namespace tenon::artifact {

/// The C functions of one artifact and what it says of itself. The library
/// stays loaded until the process ends.
struct ArtifactLibrary {
  decltype(&::tenon_load) load = nullptr;
  /// Null in artifacts of an older version.
  decltype(&::tenon_load_with) loadWith = nullptr;
  decltype(&::tenon_infer_shapes) inferShapes = nullptr;
  decltype(&::tenon_run) run = nullptr;
  /// From ABI version 3 on; null: the artifact is older.
  decltype(&::tenon_infer_entry_shapes) inferEntryShapes = nullptr;
  decltype(&::tenon_run_entry) runEntry = nullptr;
  decltype(&::tenon_get_state) getState = nullptr;
  decltype(&::tenon_save_states) saveStates = nullptr;
  decltype(&::tenon_restore_states) restoreStates = nullptr;
  decltype(&::tenon_trace_json) traceJson = nullptr;
  decltype(&::tenon_memory_bytes) memoryBytes = nullptr;
  /// From ABI version 4 on.
  decltype(&::tenon_target) target = nullptr;
  /// From ABI version 5 on, but for the first artifacts of that version.
  decltype(&::tenon_plan_memory) planMemory = nullptr;
  decltype(&::tenon_tables) tables = nullptr;
  decltype(&::tenon_unload) unload = nullptr;
  decltype(&::tenon_last_error) lastError = nullptr;
  uint32_t version = 0; // of the ABI
  Manifest manifest;

  /// Reads the file's tables first, so that a library that is not an artifact
  /// is refused before any of its code runs.
  static Expected<ArtifactLibrary> open(const std::string &path);

  /// Loads an instance. Returns what the artifact's function does. Without
  /// `loadWith`, only the first part of the options counts.
  int32_t create(tenon_load_options options, tenon_model *&model) const;

  /// The target of the instance's code, which older artifacts do not tell:
  /// their only one for the device.
  std::string getTarget(tenon_model *model, int32_t device) const;
};

} // namespace tenon::artifact

#endif // TENON_ARTIFACT_ARTIFACTLIBRARY_H
