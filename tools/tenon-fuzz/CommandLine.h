//===- CommandLine.h - options of tenon-fuzz ------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_FUZZ_COMMANDLINE_H
#define TENON_TOOLS_TENON_FUZZ_COMMANDLINE_H

#include "tenon/Support/Numerics.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"

#include <climits>
#include <optional>
#include <string>
#include <vector>

namespace tenon::fuzz {

#define GEN_FUZZ_DECL
#include "tenon-fuzz/Options.inc"

struct CommandLine : FuzzLine {
  /// How many ops the graph of a seed has.
  unsigned getOps(uint64_t seed) const {
    return fewest + seed * 2654435761u % (most - fewest + 1);
  }
};

std::optional<int> parse(int argc, char **argv, CommandLine &line);

} // namespace tenon::fuzz

#endif // TENON_TOOLS_TENON_FUZZ_COMMANDLINE_H
