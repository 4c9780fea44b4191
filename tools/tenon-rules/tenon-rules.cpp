//===- tenon-rules.cpp - proves rewrite rules -----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "tenon/Artifact/TemporaryFolder.h"
#include "tenon/ProofKernel/Solver.h"

#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

#if defined(__GLIBC__)
#include <malloc.h>
#endif

using namespace llvm;
using namespace tenon;

static constexpr StringLiteral helpText =
    R"(Proves rewrite rules for all sizes, and checks them.

usage: tenon-rules COMMAND FILE... [options]

  prove             prove rules, or find sizes at which they are wrong
  check-proof       check the certificates of rules, without a search
  check             run both sides of proved rules at random sizes
  mutate            make wrong rules of right ones
  correct           complete rules that are equal in a part of the result
  derive            derive rules from others, which are proved
  discover          find rules between graphs of some ops, and prove them
  archive           put rules into one file that loads at once
  equal             prove that two modules compute the same
  replay            check a log of the optimizer, step by step
  COMMAND --help    the options of a command
  --version, --help

A FILE holds rules (see docs/rules.md); a folder stands for its *.mlir files.

exit status: 0 all is well, 1 a rule is not, 2 wrong usage
)";

static constexpr struct {
  StringLiteral name;
  int (*run)(ArrayRef<const char *> arguments);
} commands[] = {
    {"prove", tools::runProve},       {"check-proof", tools::runCheckProof},
    {"check", tools::runCheck},       {"mutate", tools::runMutate},
    {"correct", tools::runCorrect},   {"derive", tools::runDerive},
    {"discover", tools::runDiscover}, {"archive", tools::runArchive},
    {"equal", tools::runEqual},       {"replay", tools::runReplay},
};

int main(int argc, char **argv) {
  artifact::prepareStreams();
  InitLLVM init(argc, argv);
  artifact::prepareSignals("tenon-rules");
#if defined(__GLIBC__)
  // Every question has a context of its own in the solver, which takes 10 MB.
  // Giving them back to the system each time takes longer than the question.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
  StringRef first = argc > 1 ? argv[1] : "";
  if (first == "--help" || first == "-h") {
    outs() << helpText;
    return 0;
  }
  if (first == "--version") {
    std::string solver = prove::getSolverVersion();
    outs() << "tenon-rules " << TENON_VERSION << " ("
           << (solver.empty() ? "no solver" : solver) << ")\n";
    return 0;
  }
  for (const auto &command : commands)
    if (first == command.name)
      return command.run(ArrayRef<const char *>(argv + 1, argc - 1));
  errs() << "tenon-rules: error: ";
  if (first.empty())
    errs() << "expected a command";
  else if (first.starts_with("-"))
    errs() << "unknown option '" << first << "'";
  else if (first == "import-taso")
    errs() << "import-taso was removed: TASO's rules are in "
              "test/rules/Inputs/taso.mlir of the source tree";
  else
    errs() << "unknown command '" << first << "'";
  errs() << "\nsee tenon-rules --help\n";
  return 2;
}
