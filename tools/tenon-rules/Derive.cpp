//===- Derive.cpp - tenon-rules derive ------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Commands.h"
#include "RuleFiles.h"

#include "tenon/Discover/Derivations.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::tools;
using rule::Certificate;
using rule::Status;

static constexpr StringLiteral helpText =
    R"(Derives rules from others, which are proved.

usage: tenon-rules derive FILE... --from RULES [options]

  --from FILE       the rules that may be used: those that FILE.proved.json
                    beside FILE.mlir says are proved
  --max-steps N     a derivation has at most so many rewrites (default 8)
  --nodes N         e-nodes of a search, beside those of the rule (default 4000)
  --help

For each rule of the FILEs, one line tells the rules whose rewrites, of either
side, make both sides equal.

exit status: 0 all rules are derived, 1 some are not, 2 wrong usage
)";

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
  CommandLine line("derive", helpText);
  std::string from;
  uint64_t maxSteps = 8, nodes = 4000;
  line.add("--from", from);
  line.add("--max-steps", maxSteps);
  line.add("--nodes", nodes);
  if (std::optional<int> status = line.parse(arguments))
    return *status;
  if (from.empty())
    return line.reject("no rules are given (--from)");
  std::vector<std::string> paths, sources;
  if (!RuleFiles::expand(line.files, paths) ||
      !RuleFiles::expand({from}, sources))
    return 1;

  RuleFiles reader;
  discover::Derivations derivations(&reader.getContext());
  for (const std::string &source : sources)
    if (!readProved(reader, source, derivations))
      return 1;
  discover::DerivationLimits limits;
  limits.iterations = maxSteps;
  limits.newNodes = nodes;
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
      ++(steps->size() <= maxSteps ? derived : longer);
      llvm::outs() << steps->size() << " steps: " << llvm::join(*steps, ", ")
                   << "\n";
    }
  }
  llvm::outs() << derived << " derived, " << longer << " in more than "
               << maxSteps << " steps, " << others << " not derived\n";
  return success && longer + others == 0 ? 0 : 1;
}
