//===- InputSpec.h - inputs named on a command line -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text after --input and --expect of every tool:
//
//   [NAME=]@F.pb | [NAME=]@F.npy |
//   [NAME=]random:SEED[:SHAPE][:normal|uniform(a,b)|int(a,b)]
//
// with SHAPE such as 1x3x224x224 ("scalar" for rank 0). Texts without NAME are
// assigned to the inputs in order. Distributions are those of Philox.h;
// int(a,b) and uniform(a,b) exclude b.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_ARTIFACT_INPUTSPEC_H
#define TENON_ARTIFACT_INPUTSPEC_H

#include "tenon/Artifact/Philox.h"
#include "tenon/Artifact/Status.h"
#include "tenon/Artifact/TensorData.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::artifact {

struct InputSpec {
  std::string name; // empty: assigned by position
  std::string path; // empty: random values
  uint64_t seed = 0;
  std::optional<std::vector<int64_t>> shape;
  std::optional<Distribution> distribution;
};

/// Errors state the text and what was expected.
Expected<InputSpec> parseInputSpec(std::string_view text);

/// Parses "1x3x224x224" or "scalar".
Expected<std::vector<int64_t>> parseShape(std::string_view text);

/// Returns the spec for each of `names`, in that order; null if there is none.
/// Errors: duplicate names, a name that does not exist, an input given twice,
/// more specs than names. `what` is "input" or "output".
Expected<std::vector<const InputSpec *>>
assignSpecs(const std::vector<InputSpec> &specs,
            const std::vector<std::string> &names, std::string_view what);

/// Returns the file's tensor, or random values of `dtype`. A random tensor has
/// the spec's shape, or else `shape`; unknown (negative) sizes in it are then
/// an error, which names `what`, such as "input 'x'". `name` is the name of the
/// random stream.
Expected<TensorData> loadInput(const InputSpec &spec, std::string_view what,
                               std::string_view name, DType dtype,
                               const std::vector<int64_t> &shape);

/// Reads a tensor file; the format, .pb or .npy, follows from the file
/// extension.
Expected<TensorData> readTensorFile(const std::string &path);
/// Writes .pb or .npy, depending on the file extension; `name` is stored in a
/// .pb.
Status writeTensorFile(const std::string &path, const std::string &name,
                       const TensorData &tensor);

} // namespace tenon::artifact

#endif // TENON_ARTIFACT_INPUTSPEC_H
