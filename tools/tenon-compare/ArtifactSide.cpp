//===- ArtifactSide.cpp - an artifact that is compared -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArtifactSide.h"

using namespace tenon;
using namespace tenon::artifact;
using namespace tenon::compare;

struct ArtifactSide::Library {};

Expected<ArtifactSide> ArtifactSide::open(const std::string &path,
                                          const Arguments &arguments) {
  return makeError("'", path, "': artifacts of ABI 2 do not show their values");
}

Expected<Trace> ArtifactSide::run(std::vector<TensorData> inputs,
                                  const Arguments &arguments) {
  return makeError("'", path, "': artifacts of ABI 2 do not show their values");
}
