//===- Check.cpp - tenon-rules check --------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "RuleFiles.h"
#include "RuleWorkers.h"

#include "tenon/Artifact/OptionTable.h"
#include "tenon/Prove/Check.h"
#include "tenon/Prove/Prove.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::tools;
using prove::CheckResult;
using rule::Certificate;
using rule::Status;

namespace {
#define GEN_CHECK_DECL
#include "tenon-rules/Options.inc"

/// One run of the command.
class RuleChecker : CheckLine {
public:
  std::optional<int> parse(ArrayRef<const char *> arguments);
  int run();

private:
  /// A rule, and what the threads found.
  struct Job {
    rule::RuleOp rule;
    std::optional<Certificate> certificate;
    std::vector<CheckResult> results;
  };

  bool readFile(const std::string &path);
  void work(rule::RuleOp rule, Job &job) const;
  bool finish(const Job &job);

  std::vector<std::string> paths;
  RuleFiles reader;
  std::vector<RuleFile> files;
  std::vector<RuleWorkers::Item> items;
  std::vector<Job> jobs; // as `items`
  Progress progress;
  uint64_t instances = 0, failures = 0;
};
} // namespace

#define GEN_CHECK_DEF
#include "tenon-rules/Options.inc"

std::optional<int> RuleChecker::parse(ArrayRef<const char *> arguments) {
  artifact::OptionTable table;
  if (std::optional<int> status =
          parseOptions(static_cast<int>(arguments.size()),
                       const_cast<char **>(arguments.data()),
                       static_cast<CheckLine &>(*this), table))
    return status;
  if (!RuleFiles::expand(inputs, paths))
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

bool RuleChecker::readFile(const std::string &path) {
  RuleFile file = reader.read(path);
  llvm::StringMap<Certificate> known;
  if (!file.module || !RuleFiles::readCertificates(path, known))
    return false;
  for (auto [number, rule] :
       llvm::enumerate(file.module->getOps<rule::RuleOp>())) {
    Job job;
    job.rule = rule;
    if (auto it = known.find(rule::hashStatement(rule)); it != known.end())
      job.certificate = it->second;
    items.push_back({files.size(), number});
    jobs.push_back(std::move(job));
  }
  bool isWhole = file.numBad == 0;
  files.push_back(std::move(file));
  return isWhole;
}

/// By any thread.
void RuleChecker::work(rule::RuleOp rule, Job &job) const {
  if (!job.certificate)
    job.certificate = prove::proveRule(rule);
  if (job.certificate->status == Status::Proved)
    job.results = prove::checkRule(rule, *job.certificate, options);
}

/// Whether both sides agree.
bool RuleChecker::finish(const Job &job) {
  if (job.certificate->status != Status::Proved) {
    rule::RuleOp rule = job.rule;
    rule.emitError() << "rule '" << rule.getSymName()
                     << "' is not proved, and so not checked: "
                     << job.certificate->reason;
    return false;
  }
  bool agrees = true;
  for (const CheckResult &result : job.results) {
    report(job.rule, result);
    instances += result.instances;
    agrees &= !result.difference && result.problem.empty();
  }
  return agrees;
}

int RuleChecker::run() {
  bool success = true;
  for (const std::string &path : paths)
    success &= readFile(path);
  RuleWorkers workers(files, items, [&](rule::RuleOp rule, size_t item) {
    work(rule, jobs[item]);
  });
  for (auto [number, job] : llvm::enumerate(jobs)) {
    progress.show("[" + Twine(number + 1) + "/" + Twine(jobs.size()) + "] " +
                  files[items[number].file].path + ": " +
                  job.rule.getSymName());
    workers.wait(number);
    progress.clear();
    failures += !finish(job);
  }
  llvm::outs() << jobs.size() << " rules, " << instances << " instances, "
               << failures << " rules that differ or are not checked\n";
  return success && failures == 0 ? 0 : 1;
}

int tools::runCheck(ArrayRef<const char *> arguments) {
  RuleChecker checker;
  if (std::optional<int> status = checker.parse(arguments))
    return *status;
  return checker.run();
}
