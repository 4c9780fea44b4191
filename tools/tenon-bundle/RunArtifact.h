//===- RunArtifact.h - an artifact, in a process of its own ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_BUNDLE_RUNARTIFACT_H
#define TENON_TOOLS_TENON_BUNDLE_RUNARTIFACT_H

#include "BundleFile.h"
#include "TraceTimes.h"

namespace tenon::bundle {

struct RunOptions {
  /// The folder of the bundle, and one for temporary files.
  std::string folder, temporary;
  /// Runs that are counted.
  int repeat = 20;
  int device = 0;
  /// After which a run counts as one that hangs.
  int limitSeconds = 600;
};

/// Runs it under tenon-run --trace, on random inputs and weights: times do not
/// depend on them. Fails with what tenon-run says.
artifact::Expected<CallTimes> measure(const Artifact &artifact,
                                      const RunOptions &options);

} // namespace tenon::bundle

#endif // TENON_TOOLS_TENON_BUNDLE_RUNARTIFACT_H
