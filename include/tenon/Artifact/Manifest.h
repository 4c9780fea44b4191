//===- Manifest.h - what an artifact says of itself -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The JSON text that `tenon_manifest` returns. docs/formats.md shows an
// example.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_ARTIFACT_MANIFEST_H
#define TENON_ARTIFACT_MANIFEST_H

#include "tenon/Artifact/DType.h"
#include "tenon/Artifact/Status.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::artifact {

/// One axis: a constant size, the name of a symbol, or (neither) a computed
/// size.
struct ManifestDim {
  int64_t size = -1;
  std::string symbol;
};

struct ManifestValue {
  std::string name;
  DType dtype = DType::F32;
  std::vector<ManifestDim> shape;
  /// Inputs only: the output that may take over its storage, or -1.
  int32_t donatedTo = -1;

  /// Constant sizes, and -1 for the others.
  std::vector<int64_t> staticShape() const;
  /// "f32 nx3x224x224".
  std::string formatType() const;
};

/// One of the programs of an artifact.
struct ManifestTarget {
  std::string name;   // "cuda:sm_80"
  std::string device; // "cpu" or "cuda"
};

/// What a caller can run.
struct ManifestEntry {
  std::string name;
  std::vector<std::string> symbols;
  std::vector<ManifestValue> inputs;
  std::vector<ManifestValue> outputs;
};

struct Manifest {
  std::string name;
  std::string compiler; // "tenon 0.1.0"
  std::string target;   // "cpu:x86-64-v3": the first
  /// All, where the artifact says so.
  std::vector<ManifestTarget> targets;
  std::vector<std::string> symbols;
  std::vector<ManifestValue> inputs;
  std::vector<ManifestValue> outputs;
  std::vector<ManifestValue> parameters;
  /// All, where the artifact says so; the lists above are those of the first.
  std::vector<ManifestEntry> entries;
  std::vector<ManifestValue> states;
  /// File name of the weights beside the artifact; empty: none.
  std::string parametersFile;

  /// The target that tenon_options.device chooses (of several for CUDA, the
  /// first).
  const std::string &targetOn(int32_t device) const;

  /// Makes the lists of symbols, inputs and outputs those of an entry.
  Status selectEntry(std::string_view entry);
};

/// Members that it does not know are skipped: the compiler may add some.
Expected<Manifest> parseManifest(std::string_view text);

} // namespace tenon::artifact

#endif // TENON_ARTIFACT_MANIFEST_H
