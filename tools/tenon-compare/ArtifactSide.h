//===- ArtifactSide.h - an artifact that is compared ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_COMPARE_ARTIFACTSIDE_H
#define TENON_TOOLS_TENON_COMPARE_ARTIFACTSIDE_H

#include "Side.h"
#include "tenon/Artifact/ArtifactLibrary.h"

#include "tenon/Artifact/Status.h"
#include "tenon/Compare/Trace.h"

namespace tenon::compare {

/// A library, loaded until the process ends.
class ArtifactSide {
public:
  /// Refuses artifacts that do not show their values.
  static artifact::Expected<ArtifactSide> open(const std::string &path,
                                               const Arguments &arguments);

  const Signature &getSignature() const { return signature; }
  /// The weights beside the artifact; empty: it has none.
  std::string getParamsPath() const;
  artifact::Expected<Trace> run(std::vector<artifact::TensorData> inputs,
                                const Arguments &arguments);

private:
  std::string path;
  artifact::ArtifactLibrary library;
  decltype(&::tenon_observe) observe = nullptr;
  Signature signature;
};

} // namespace tenon::compare

#endif // TENON_TOOLS_TENON_COMPARE_ARTIFACTSIDE_H
