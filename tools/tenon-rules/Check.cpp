//===- Check.cpp - tenon-rules check --------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Commands.h"
#include "RuleFiles.h"

#include "tenon/Prove/Check.h"
#include "tenon/Prove/Prove.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::tools;
using prove::CheckResult;
using rule::Certificate;
using rule::Status;

static constexpr StringLiteral helpText =
    R"(Runs both sides of proved rules at random sizes, and compares the results:
exactly in a prime field where all ops are ring or field operations, within
error bounds in f64 elsewhere, bit for bit in f32 where the class is exact.
Rules that lift operands are run with one and two further axes too.

usage: tenon-rules check FILE... [options]

  --instances N     at how many choices of sizes (default 200)
  --seed S          of these choices (default 1)
  --help

A FILE holds rules (see docs/rules.md); a folder stands for its *.mlir files.
Certificates beside the files are trusted; rules without one are proved first.

exit status: 0 both sides agree, 1 some differ or are not proved, 2 wrong usage
)";

namespace {
/// One run of the command.
class RuleChecker {
public:
  std::optional<int> parse(ArrayRef<const char *> arguments);
  int run();

private:
  bool checkFile(const std::string &path);
  bool checkRule(rule::RuleOp rule, const llvm::StringMap<Certificate> &known);

  std::vector<std::string> files;
  prove::CheckOptions options;
  RuleFiles reader;
  Progress progress;
  uint64_t rules = 0, instances = 0, failures = 0;
};
} // namespace

std::optional<int> RuleChecker::parse(ArrayRef<const char *> arguments) {
  CommandLine line("check", helpText);
  line.add("--instances", options.instances);
  line.add("--seed", options.seed);
  if (std::optional<int> status = line.parse(arguments))
    return status;
  if (options.instances == 0 || options.instances > 1'000'000)
    return line.reject("--instances: expected 1 to 1000000, but got '" +
                       Twine(options.instances) + "'");
  if (!RuleFiles::expand(line.files, files))
    return 1;
  return std::nullopt;
}

static void report(rule::RuleOp rule, const CheckResult &result) {
  llvm::outs() << (result.difference         ? "differs "
                   : !result.problem.empty() ? "unchecked "
                                             : "agrees  ")
               << rule.getSymName();
  if (result.leadingAxes)
    llvm::outs() << " with " << result.leadingAxes
                 << (result.leadingAxes == 1 ? " leading axis"
                                             : " leading axes");
  llvm::outs() << " (" << result.instances << " instances";
  for (auto [number, text] :
       {std::pair<uint64_t, StringRef>{result.inField, " in the field"},
        {result.inF64, " in f64"},
        {result.bitForBit, " bit for bit in f32"}})
    if (number)
      llvm::outs() << "; " << number << text;
  llvm::outs() << ")\n";
  llvm::outs().flush();
  InFlightDiagnostic error = rule.emitError()
                             << "rule '" << rule.getSymName() << "'";
  if (result.difference)
    error << " differs" << (result.arithmetic.empty() ? "" : " ")
          << result.arithmetic << ": " << result.difference->str();
  else if (!result.problem.empty())
    error << " can't be checked: " << result.problem;
  else
    error.abandon();
}

bool RuleChecker::checkRule(rule::RuleOp rule,
                            const llvm::StringMap<Certificate> &known) {
  auto it = known.find(rule::hashStatement(rule));
  Certificate certificate =
      it != known.end() ? it->second : prove::proveRule(rule);
  ++rules;
  if (certificate.status != Status::Proved) {
    progress.clear();
    rule.emitError() << "rule '" << rule.getSymName()
                     << "' is not proved, and so not checked: "
                     << certificate.reason;
    return false;
  }
  bool agrees = true;
  for (const CheckResult &result :
       prove::checkRule(rule, certificate, options)) {
    progress.clear();
    report(rule, result);
    instances += result.instances;
    agrees &= !result.difference && result.problem.empty();
  }
  return agrees;
}

bool RuleChecker::checkFile(const std::string &path) {
  OwningOpRef<ModuleOp> module = reader.read(path);
  llvm::StringMap<Certificate> known;
  if (!module || !RuleFiles::readCertificates(path, known))
    return false;
  bool success = true;
  for (auto rule : module->getOps<rule::RuleOp>()) {
    progress.show("[" + Twine(rules + 1) + "] " + path + ": " +
                  rule.getSymName());
    bool agrees = checkRule(rule, known);
    failures += !agrees;
    success &= agrees;
  }
  return success;
}

int RuleChecker::run() {
  bool success = true;
  for (const std::string &path : files)
    success &= checkFile(path);
  progress.clear();
  llvm::outs() << rules << " rules, " << instances << " instances, " << failures
               << " rules that differ or are not checked\n";
  return success ? 0 : 1;
}

int tools::runCheck(ArrayRef<const char *> arguments) {
  RuleChecker checker;
  if (std::optional<int> status = checker.parse(arguments))
    return *status;
  return checker.run();
}
