//===- Manifest.h - the description that an artifact carries --------------===//
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

/// One axis: a constant size, the name of a symbol, or neither for a computed
/// size.
struct ManifestDim {
  int64_t size = -1;
  std::string symbol;
};

struct ManifestValue {
  std::string name;
  DType dtype = DType::F32;
  std::vector<ManifestDim> shape;
  /// Inputs only: the output that may reuse its storage, or -1.
  int32_t donatedTo = -1;

  /// Returns the sizes; -1 for sizes that are not constant.
  std::vector<int64_t> staticShape() const;
  /// For example "f32 nx3x224x224".
  std::string formatType() const;
};

/// One of the programs of an artifact.
struct ManifestTarget {
  std::string name;   // "cuda:sm_80"
  std::string device; // "cpu" or "cuda"
};

/// An entry that a caller can run.
struct ManifestEntry {
  std::string name;
  std::vector<std::string> symbols;
  std::vector<ManifestValue> inputs;
  std::vector<ManifestValue> outputs;
};

struct Manifest {
  std::string name;
  std::string compiler; // "tenon 0.1.0"
  std::string target;   // the first target, such as "cpu:x86-64-v3"
  /// All targets, if the artifact lists them.
  std::vector<ManifestTarget> targets;
  std::vector<std::string> symbols;
  std::vector<ManifestValue> inputs;
  std::vector<ManifestValue> outputs;
  std::vector<ManifestValue> parameters;
  /// All entries, if the artifact lists them; the lists above belong to the
  /// first.
  std::vector<ManifestEntry> entries;
  std::vector<ManifestValue> states;
  /// The ranks of a pipeline; 0: it is none.
  int64_t ranks = 0;
  /// Beside the artifact, what was proved of it; empty: it has none.
  std::string certificateFile;
  std::string certificateDigest;
  /// What the ranks run, as JSON; empty if it is not known.
  std::string plan;
  /// File name of the weights beside the artifact; empty if there are none.
  std::string parametersFile;

  /// Returns the target that tenon_options.device selects; if there are several
  /// for CUDA, the first of them.
  const std::string &targetOn(int32_t device) const;

  /// Replaces the lists of symbols, inputs and outputs by those of an entry.
  Status selectEntry(std::string_view entry);
};

/// Skips unknown members: the compiler may add some.
Expected<Manifest> parseManifest(std::string_view text);

} // namespace tenon::artifact

#endif // TENON_ARTIFACT_MANIFEST_H
