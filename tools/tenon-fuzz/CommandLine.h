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

#include <optional>
#include <string>
#include <vector>

namespace tenon::fuzz {

struct CommandLine {
  uint64_t seed = 0;
  unsigned count = 100, fewest = 0, most = 0;
  bool dynamic = false, eachOp = false, evaluators = false, optimize = false,
       extraction = false, placement = false, assemble = false, prover = false,
       differentiate = false, batch = false, hypotheses = false,
       ignoreHypotheses = false, print = false, allowRefusals = false,
       shrink = true;
  std::string only, outputs = ".", tools;
  std::vector<std::string> compileFlags;
  /// The rules of the optimizer; empty: the folder that comes with Tenon.
  std::string rules;
  FpMode fp = FpMode::Reassociate;
  /// The numerics of kernels that are emulated; std::nullopt: none are.
  std::optional<Numerics> emulation;
  /// 0: as the mode has it.
  unsigned newNodes = 0;

  /// How many ops the graph of a seed has.
  unsigned getOps(uint64_t seed) const {
    return fewest + seed * 2654435761u % (most - fewest + 1);
  }
};

/// Reads the arguments; an exit status if there is nothing else to do.
std::optional<int> parse(int argc, char **argv, CommandLine &line);

} // namespace tenon::fuzz

#endif // TENON_TOOLS_TENON_FUZZ_COMMANDLINE_H
