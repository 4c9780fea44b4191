//===- CheckProof.cpp - tenon-rules check-proof ---------------------------===//
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
#include "tenon/ProofKernel/Kernel.h"
#include "tenon/Prove/FileWork.h"
#include "tenon/Prove/Prove.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::tools;
using rule::Certificate;

namespace {
#define GEN_CHECKPROOF_DECL
#include "tenon-rules/Options.inc"

/// One run of the command.
class ProofChecker : CheckProofLine {
public:
  std::optional<int> parse(ArrayRef<const char *> arguments);
  int run();

private:
  /// A rule, and what the threads found.
  struct Job {
    rule::RuleOp rule;
    std::optional<Certificate> certificate;
    std::string wrong;
    unsigned questions = 0;
    uint64_t used = 0, work = 0;
  };

  bool readFile(const std::string &path);
  void check(rule::RuleOp rule, size_t item);
  bool report(Job &job) const;

  std::vector<std::string> paths;
  std::shared_ptr<prove::SolverMemory> memory =
      std::make_shared<prove::SolverMemory>();
  RuleFiles reader;
  std::vector<RuleFile> files;
  std::vector<RuleWorkers::Item> items;
  std::vector<Job> jobs;               // as `items`
  std::optional<prove::FileWork> work; // once the limit is known
  Progress progress;
};
} // namespace

#define GEN_CHECKPROOF_DEF
#include "tenon-rules/Options.inc"

std::optional<int> ProofChecker::parse(ArrayRef<const char *> arguments) {
  artifact::OptionTable table;
  if (std::optional<int> status =
          parseOptions(static_cast<int>(arguments.size()),
                       const_cast<char **>(arguments.data()),
                       static_cast<CheckProofLine &>(*this), table))
    return status;
  if (llvm::is_contained(inputs, "-"))
    return artifact::rejectUsage(
        kCheckProofLineTool, "certificates lie beside a file: '-' has none");
  if (!RuleFiles::expand(inputs, paths))
    return 1;
  return std::nullopt;
}

bool ProofChecker::readFile(const std::string &path) {
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
void ProofChecker::check(rule::RuleOp rule, size_t item) {
  Job &job = jobs[item];
  if (!job.certificate || work->isSpent(job.rule))
    return;
  prove::Solver solver(rlimit, memory);
  job.wrong = prove::checkCertificate(solver, rule, *job.certificate);
  job.questions = solver.getNumQuestions();
  job.used = solver.getUsed();
  job.work = solver.getWork();
}

bool ProofChecker::report(Job &job) const {
  StringRef name = job.rule.getSymName();
  if (!job.certificate) {
    job.rule.emitError() << "rule '" << name
                         << "' has no certificate, or one that was edited";
    return false;
  }
  if (!job.wrong.empty()) {
    job.rule.emitError() << "rule '" << name
                         << "': its certificate does not hold: " << job.wrong;
    return false;
  }
  llvm::outs() << "holds " << name << " ("
               << rule::stringifyFloatClass(job.certificate->floatClass)
               << "; elements: " << job.certificate->elements << "; "
               << job.questions << " questions, rlimit " << job.used << ")\n";
  return true;
}

int ProofChecker::run() {
  bool success = true;
  for (const std::string &path : paths)
    success &= readFile(path);
  work.emplace(rlimit);
  RuleWorkers workers(
      files, items, [&](rule::RuleOp rule, size_t item) { check(rule, item); });
  size_t numHeld = 0;
  for (auto [number, job] : llvm::enumerate(jobs)) {
    progress.show("[" + Twine(number + 1) + "/" + Twine(jobs.size()) + "] " +
                  files[items[number].file].path + ": " +
                  job.rule.getSymName());
    workers.wait(number);
    progress.clear();
    if (work->isSpent(job.rule))
      job.wrong = prove::fileWorkSpent.str();
    work->add(job.rule, job.work);
    numHeld += report(job);
  }
  llvm::outs() << numHeld << " of " << jobs.size() << " certificates hold\n";
  return success && numHeld == jobs.size() ? 0 : 1;
}

int tools::runCheckProof(ArrayRef<const char *> arguments) {
  ProofChecker checker;
  if (std::optional<int> status = checker.parse(arguments))
    return *status;
  return checker.run();
}
