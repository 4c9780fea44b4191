//===- Mutate.cpp - tenon-rules mutate ------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Commands.h"
#include "RuleFiles.h"

#include "tenon/Generate/Mutator.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::tools;
using rule::RuleOp;

static constexpr StringLiteral helpText =
    R"(Makes wrong rules of right ones, to see whether a prover tells them apart.
Each mutant has one edit in its target (operands or results swapped, another
operand, op, axis, number or flag) or lacks a condition. A few mutants are true:
the operands of a sum may be swapped.

usage: tenon-rules mutate FILE... -o OUT.mlir [options]

  -o OUT.mlir       the mutants; "-" is standard output
  --limit N         at most N mutants of a rule, of all kinds (default: all)
  --help

A FILE holds rules (see docs/rules.md); a folder stands for its *.mlir files.

exit status: 0 mutants are written, 1 a file can't be read, 2 wrong usage
)";

int tools::runMutate(ArrayRef<const char *> arguments) {
  CommandLine line("mutate", helpText);
  std::string output;
  uint64_t limit = std::numeric_limits<uint64_t>::max();
  line.add("-o", output);
  line.add("--limit", limit);
  if (std::optional<int> status = line.parse(arguments))
    return *status;
  if (output.empty())
    return line.reject("expected the name of the output (-o)");
  std::vector<std::string> files;
  if (!RuleFiles::expand(line.files, files) ||
      !checkOutput("-o", output, files))
    return 1;
  RuleFiles reader;
  generate::Mutator mutator(limit);
  OwningOpRef<ModuleOp> mutants(
      ModuleOp::create(UnknownLoc::get(&reader.getContext())));
  unsigned rules = 0, count = 0;
  for (const std::string &path : files) {
    RuleFile file = reader.read(path);
    if (!file.module || file.numBad > 0)
      return 1;
    for (auto rule : file.module->getOps<RuleOp>()) {
      for (OwningOpRef<RuleOp> &mutant : mutator.mutate(rule)) {
        mutants->push_back(mutant.release());
        ++count;
      }
      ++rules;
    }
  }
  std::string text;
  llvm::raw_string_ostream(text) << *mutants << "\n";
  if (!writeFile(output, text))
    return 1;
  llvm::errs() << count << " mutants of " << rules << " rules\n";
  return 0;
}
