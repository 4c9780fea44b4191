//===- Prove.h - tenon-rules prove ----------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_RULES_PROVE_H
#define TENON_TOOLS_RULES_PROVE_H

#include "tenon/Prove/Prove.h"

namespace tenon::tools {

struct ProveCommand {
  std::vector<std::string> files;
  std::string jsonPath; // empty: no JSON
  prove::ProveOptions options;
  bool cached = false;
};

/// Proves all rules of all files. Returns the exit status: 0 when every one is
/// proved.
int runProve(const ProveCommand &command);

} // namespace tenon::tools

#endif // TENON_TOOLS_RULES_PROVE_H
