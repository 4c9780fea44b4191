//===- StateFile.h - saved states -----------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_STATEFILE_H
#define TENON_LIB_RUNTIME_STATEFILE_H

#include "tenon/Artifact/Program.h"
#include "tenon/Artifact/Status.h"

#include <string>
#include <vector>

namespace tenon::runtime {

/// A tensor of static shape with its bytes.
struct StateContent {
  const tenon_value *value;
  std::vector<char> data;
};

/// Writes a .safetensors file. An existing file is replaced when the new one is
/// complete; on failure, nothing changes.
artifact::Status writeStateFile(const std::string &path,
                                const std::vector<StateContent> &states);

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_STATEFILE_H
