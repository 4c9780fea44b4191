//===- Mutate.cpp - tenon-rules mutate ------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "RuleFiles.h"

#include "tenon/Artifact/OptionTable.h"
#include "tenon/Generate/Mutator.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::tools;
using rule::RuleOp;

namespace {
#define GEN_MUTATE_DECL
#include "tenon-rules/Options.inc"
} // namespace

#define GEN_MUTATE_DEF
#include "tenon-rules/Options.inc"

int tools::runMutate(ArrayRef<const char *> arguments) {
  MutateLine line;
  artifact::OptionTable table;
  if (std::optional<int> status =
          parseOptions(static_cast<int>(arguments.size()),
                       const_cast<char **>(arguments.data()), line, table))
    return *status;
  if (line.output.empty())
    return artifact::rejectUsage(kMutateLineTool,
                                 "expected the name of the output (-o)");
  std::vector<std::string> files;
  if (!RuleFiles::expand(line.inputs, files) ||
      !checkOutput("-o", line.output, files))
    return 1;
  RuleFiles reader;
  generate::Mutator mutator(line.limit);
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
  if (!writeFile(line.output, text))
    return 1;
  llvm::errs() << count << " mutants of " << rules << " rules\n";
  return 0;
}
