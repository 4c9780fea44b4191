//===- Derive.cpp - tenon-rules derive ------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "RuleFiles.h"

#include "tenon/Artifact/OptionTable.h"
#include "tenon/Discover/Derivations.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::tools;
using rule::Certificate;
using rule::Status;

namespace {
#define GEN_DERIVE_DECL
#include "tenon-rules/Options.inc"
} // namespace

#define GEN_DERIVE_DEF
#include "tenon-rules/Options.inc"

/// The rules of a file that are proved.
static bool readProved(RuleFiles &reader, const std::string &path,
                       discover::Derivations &into) {
  RuleFile file = reader.read(path);
  llvm::StringMap<Certificate> known;
  if (!file.module || file.numBad > 0 ||
      !RuleFiles::readCertificates(path, known))
    return false;
  for (rule::RuleOp rule : file.module->getOps<rule::RuleOp>()) {
    auto found = known.find(rule::hashStatement(rule));
    if (found != known.end() && found->second.status == Status::Proved)
      into.add(OwningOpRef<rule::RuleOp>(rule.clone()),
               found->second.liftProved);
  }
  if (into.size() > 0)
    return true;
  reportError(path + ": no rule is proved (tenon-rules prove --cached " + path +
              ")");
  return false;
}

int tools::runDerive(ArrayRef<const char *> arguments) {
  DeriveLine line;
  artifact::OptionTable table;
  if (std::optional<int> status =
          parseOptions(static_cast<int>(arguments.size()),
                       const_cast<char **>(arguments.data()), line, table))
    return *status;
  if (line.from.empty())
    return artifact::rejectUsage(kDeriveLineTool,
                                 "no rules are given (--from)");
  std::vector<std::string> paths, sources;
  if (!RuleFiles::expand(line.inputs, paths) ||
      !RuleFiles::expand({line.from}, sources))
    return 1;

  RuleFiles reader;
  discover::Derivations derivations(&reader.getContext());
  for (const std::string &source : sources)
    if (!readProved(reader, source, derivations))
      return 1;
  discover::DerivationLimits limits;
  limits.iterations = line.maxSteps;
  limits.newNodes = line.nodes;
  unsigned derived = 0, longer = 0, others = 0;
  bool success = true;
  for (const std::string &path : paths) {
    RuleFile file = reader.read(path);
    success &= file.module && file.numBad == 0;
    if (!file.module)
      continue;
    for (rule::RuleOp rule : file.module->getOps<rule::RuleOp>()) {
      auto steps = derivations.deriveShortly(rule, limits);
      llvm::outs() << rule.getSymName() << ": ";
      if (!steps) {
        ++others;
        llvm::outs() << "not derived\n";
        continue;
      }
      ++(steps->size() <= line.maxSteps ? derived : longer);
      llvm::outs() << steps->size() << " steps: " << llvm::join(*steps, ", ")
                   << "\n";
    }
  }
  llvm::outs() << derived << " derived, " << longer << " in more than "
               << line.maxSteps << " steps, " << others << " not derived\n";
  return success && longer + others == 0 ? 0 : 1;
}
