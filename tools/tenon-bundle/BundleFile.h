//===- BundleFile.h - what a bundle holds ---------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_BUNDLE_BUNDLEFILE_H
#define TENON_TOOLS_TENON_BUNDLE_BUNDLEFILE_H

#include "tenon/Artifact/Status.h"

#include <string>
#include <vector>

namespace tenon::bundle {

/// A kernel of a model, as it was placed.
struct Call {
  /// The key of its entry in the file of costs.
  std::string kernel;
  /// The steps of an artifact that are its launches have this name.
  std::string step;
  /// The predicted seconds of the profile; 0 if there is no prediction.
  double roofline = 0;
};

struct Artifact {
  /// In the folder of the bundle.
  std::string file;
  /// For display: the model's file, and its placement plan.
  std::string model, plan;
  std::vector<Call> calls;
};

struct Bundle {
  /// The version of the compiler.
  std::string version;
  /// Architectures: "sm_80".
  std::vector<std::string> targets;
  std::vector<Artifact> artifacts;
};

/// Reads bundle.json. Errors name the file and what is wrong with it.
artifact::Expected<Bundle> readBundle(const std::string &path);

} // namespace tenon::bundle

#endif // TENON_TOOLS_TENON_BUNDLE_BUNDLEFILE_H
