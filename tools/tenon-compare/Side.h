//===- Side.h - one of the builds that are compared ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_COMPARE_SIDE_H
#define TENON_TOOLS_TENON_COMPARE_SIDE_H

#include "Arguments.h"

#include "tenon/Artifact/Manifest.h"
#include "tenon/Compare/Trace.h"

#include <string>
#include <vector>

namespace tenon::compare {

/// Inputs and outputs as both kinds of builds state them.
struct Signature {
  std::vector<artifact::ManifestValue> inputs, outputs;
};

/// An error that says what two builds do not have in common; `a` and `b` are
/// their files.
artifact::Status checkSignatures(const std::string &a, const Signature &first,
                                 const std::string &b, const Signature &second);

/// The inputs that the command line gives, in order. Inputs from files and with
/// a shape of their own come first: they say what the dimensions are that
/// others share by name.
artifact::Expected<std::vector<artifact::TensorData>>
loadInputs(const Arguments &arguments, const Signature &signature);

} // namespace tenon::compare

#endif // TENON_TOOLS_TENON_COMPARE_SIDE_H
