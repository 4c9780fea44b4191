//===- CheckProof.cpp - tenon-rules check-proof ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Commands.h"
#include "RuleFiles.h"
#include "RuleWorkers.h"

#include "tenon/ProofKernel/Kernel.h"
#include "tenon/Prove/FileWork.h"
#include "tenon/Prove/Prove.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::tools;
using rule::Certificate;

static constexpr StringLiteral helpText =
    R"(Checks the certificates beside rules, without a search: the proof kernel
reads each witness, and the solver answers what it asks (docs/proofs.md).

usage: tenon-rules check-proof FILE... [options]

  --rlimit N        bound of one question, in the solver's own count; of all
                    about a rule, 3 N (default 1500000; 0: no bound)
  --help

A FILE holds rules (see docs/rules.md); a folder stands for its *.mlir files.

exit status: 0 every rule has a certificate that holds, 1 some have not, 2 wrong
usage
)";

namespace {
/// One run of the command.
class ProofChecker {
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
  uint64_t rlimit = prove::defaultRlimit;
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

std::optional<int> ProofChecker::parse(ArrayRef<const char *> arguments) {
  CommandLine line("check-proof", helpText);
  line.add("--rlimit", rlimit);
  if (std::optional<int> status = line.parse(arguments))
    return status;
  if (llvm::is_contained(line.files, "-"))
    return line.reject("certificates lie beside a file: '-' has none");
  if (!RuleFiles::expand(line.files, paths))
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
