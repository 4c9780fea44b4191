//===- PhaseTimes.cpp - how long the phases of a compilation take ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PhaseTimes.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <map>

using namespace tenon;

/// One word for reports and progress, and the line of --timing.
static std::pair<const char *, const char *> getNames(Phase phase) {
  switch (phase) {
  case Phase::Import:
    return {"import", "import"};
  case Phase::Optimize:
    return {"optimize", "optimize"};
  case Phase::Place:
    return {"place", "place"};
  case Phase::Lower:
    return {"lower", "lower"};
  case Phase::Assemble:
    return {"assemble", "assemble for GPUs"};
  case Phase::Translate:
    return {"translate", "translate to LLVM IR"};
  case Phase::Codegen:
    return {"codegen", "optimize and generate code"};
  case Phase::Link:
    return {"link", "link"};
  case Phase::Weights:
    return {"weights", "write weights"};
  case Phase::Export:
    return {"export", "export"};
  }
  llvm_unreachable("unknown phase");
}

void PhaseTimes::enter(Phase phase) {
  if (progress)
    progress->enter(getNames(phase).first);
}

void PhaseTimes::printRuns(llvm::raw_ostream &os) const {
  double total = 0;
  for (const auto &[phase, seconds] : runs) {
    os << llvm::format("%9.3f s  ", seconds) << getNames(phase).second << "\n";
    total += seconds;
  }
  os << llvm::format("%9.3f s  total\n", total);
}

void PhaseTimes::printReport(llvm::raw_ostream &os) const {
  // In whole milliseconds, so that the lines sum to the last one as printed.
  auto toMilliseconds = [](double seconds) {
    return static_cast<int64_t>(seconds * 1000);
  };
  int64_t total = toMilliseconds(
      std::chrono::duration<double>(Clock::now() - start).count());
  std::map<Phase, double> sums;
  for (const auto &[phase, seconds] : runs)
    sums[phase] += seconds;
  auto print = [&](const char *name, int64_t milliseconds) {
    os << llvm::format("%9.3f s %5.1f %%  %s\n", milliseconds / 1000.0,
                       total ? 100.0 * milliseconds / total : 0.0, name);
  };
  os << "time report:\n";
  int64_t other = total;
  for (const auto &[phase, seconds] : sums) {
    print(getNames(phase).first, toMilliseconds(seconds));
    other -= toMilliseconds(seconds);
  }
  print("other", std::max<int64_t>(other, 0));
  print("total", total);
  os << "work: " << counts.ops << " ops, " << counts.steps << " steps, "
     << counts.kernels << " kernels, " << counts.buffers << " buffers\n";
  if (search)
    os << llvm::format("rules: %.3f s, search: %.3f s of optimize\n", rules,
                       *search);
}
