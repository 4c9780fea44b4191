//===- Prove.cpp - tenon-rules prove --------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "RuleFiles.h"
#include "RuleWorkers.h"

#include "tenon/Artifact/InputFiles.h"
#include "tenon/Artifact/OptionTable.h"
#include "tenon/Artifact/OutputFile.h"
#include "tenon/ProofKernel/Kernel.h"
#include "tenon/Prove/FileWork.h"
#include "tenon/Prove/Prove.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::tools;
using prove::Necessity;
using rule::Certificate;
using rule::Status;
namespace json = llvm::json;

namespace {
#define GEN_PROVE_DECL
#include "tenon-rules/Options.inc"

/// One run of the command.
class Prover : ProveLine {
public:
  std::optional<int> parse(ArrayRef<const char *> arguments);
  int run();

private:
  using Known = llvm::StringMap<Certificate>;
  /// A rule, and what the threads found.
  struct Job {
    rule::RuleOp rule;
    prove::ProveOptions options;
    /// The job with an equal statement, which does the work.
    std::optional<size_t> equalTo;
    std::optional<Certificate> certificate;
    uint64_t work = 0;
    std::vector<Necessity> conditions;
  };

  void addJobs(size_t file);
  void work(rule::RuleOp rule, size_t item);
  bool finishFile(size_t file, RuleWorkers &workers, size_t &next);
  void report(rule::RuleOp rule, const Certificate &certificate);
  json::Array reportNecessity(const Job &job);
  std::string getDumpPrefix(StringRef rule);
  void summarize() const;

  std::vector<std::string> paths;
  RuleFiles reader;
  std::vector<RuleFile> files;
  std::vector<Known> known; // per file
  std::vector<RuleWorkers::Item> items;
  std::vector<Job> jobs;                   // as `items`
  std::optional<prove::FileWork> fileWork; // once the limit is known
  Progress progress;
  json::Array results;
  llvm::StringSet<> dumped;
  std::map<Status, unsigned> counts;
  unsigned numBad = 0;
  std::map<Necessity::Verdict, unsigned> conditions;
};
} // namespace

#define GEN_PROVE_DEF
#include "tenon-rules/Options.inc"

std::optional<int> Prover::parse(ArrayRef<const char *> arguments) {
  artifact::OptionTable table;
  if (std::optional<int> status =
          parseOptions(static_cast<int>(arguments.size()),
                       const_cast<char **>(arguments.data()),
                       static_cast<ProveLine &>(*this), table))
    return status;
  options.refute = !withoutRefuting;
  if (!RuleFiles::expand(inputs, paths))
    return 1;
  if (cached && llvm::is_contained(paths, "-"))
    return artifact::rejectUsage(kProveLineTool,
                                 "--cached needs the name of a file, not '-'");
  return std::nullopt;
}

/// Where the questions about a rule go; rules of several files may share a
/// name, which need not be the name of a file either.
std::string Prover::getDumpPrefix(StringRef rule) {
  std::string name = rule.str();
  for (char &c : name)
    if (!llvm::isAlnum(c) && c != '_' && c != '-' && c != '.')
      c = '_';
  std::string unique = name;
  for (unsigned number = 2; !dumped.insert(unique).second; ++number)
    unique = name + "." + std::to_string(number);
  return dumpFolder + "/" + unique;
}

/// All rules of a file; what is known of them needs no proof.
void Prover::addJobs(size_t file) {
  llvm::StringMap<size_t> first;
  for (auto [number, rule] :
       llvm::enumerate(files[file].module->getOps<rule::RuleOp>())) {
    Job job;
    job.rule = rule;
    job.options = options;
    if (cached) {
      std::string statement = rule::hashStatement(rule);
      auto [it, isNew] = first.try_emplace(statement, jobs.size());
      if (!isNew)
        job.equalTo = it->second;
      else if (auto found = known[file].find(statement);
               found != known[file].end())
        job.certificate = found->second;
    }
    if (!job.equalTo && !dumpFolder.empty())
      job.options.dumpPrefix = getDumpPrefix(rule.getSymName());
    items.push_back({file, number});
    jobs.push_back(std::move(job));
  }
}

/// By any thread.
void Prover::work(rule::RuleOp rule, size_t item) {
  Job &job = jobs[item];
  if (job.equalTo || fileWork->isSpent(job.rule))
    return;
  if (job.certificate) {
    prove::Solver solver(options.rlimit, options.memory);
    if (!prove::checkCertificate(solver, rule, *job.certificate).empty())
      job.certificate.reset();
    job.work += solver.getWork();
  }
  if (!job.certificate)
    job.certificate = prove::proveRule(rule, job.options, &job.work);
  if (necessity && job.certificate->status == Status::Proved)
    job.conditions =
        prove::checkNecessity(rule, *job.certificate, job.options, job.work);
}

void Prover::report(rule::RuleOp rule, const Certificate &certificate) {
  llvm::outs() << llvm::formatv(
      "{0,-11} {1}", rule::stringify(certificate.status), certificate.name);
  if (certificate.status == Status::Proved) {
    llvm::outs() << " (" << rule::stringifyFloatClass(certificate.floatClass)
                 << "; elements: " << certificate.elements;
    for (const auto &[type, where] : certificate.rangeChanges)
      if (type != "f32")
        llvm::outs() << "; changes-range in " << type;
    if (!certificate.lifted.empty())
      llvm::outs() << "; leading axes: "
                   << (certificate.liftProved ? "proved" : "not proved");
    llvm::outs() << "; " << certificate.obligations << " questions, rlimit "
                 << certificate.rlimit << ")";
  }
  llvm::outs() << "\n";
  llvm::outs().flush();
  if (certificate.status != Status::Proved)
    rule.emitError() << "rule '" << certificate.name << "' is "
                     << (certificate.status == Status::Refuted ? "false: "
                                                               : "not proved: ")
                     << certificate.reason;
  else if (!certificate.lifted.empty() && !certificate.liftProved)
    rule.emitError() << "rule '" << certificate.name
                     << "' is proved, but not with leading axes: "
                     << certificate.liftReason;
}

json::Array Prover::reportNecessity(const Job &job) {
  json::Array list;
  rule::RuleOp rule = job.rule;
  StringRef name = rule.getSymName();
  for (const Necessity &entry : job.conditions) {
    ++conditions[entry.verdict];
    json::Object object{{"condition", entry.condition},
                        {"verdict", stringify(entry.verdict)}};
    if (!entry.reason.empty())
      object["reason"] = entry.reason;
    list.push_back(std::move(object));
    if (entry.verdict == Necessity::NotNeeded)
      rule.emitWarning() << "rule '" << name
                         << "' does not need its condition '" << entry.condition
                         << "'" << (entry.reason.empty() ? "" : ": ")
                         << entry.reason;
    else if (entry.verdict == Necessity::Undecided)
      rule.emitWarning() << "rule '" << name << "' may not need its condition '"
                         << entry.condition << "': " << entry.reason;
  }
  return list;
}

/// Reports what the threads find of one file, in the order of its rules.
bool Prover::finishFile(size_t file, RuleWorkers &workers, size_t &next) {
  bool allProved = true;
  std::vector<Certificate> certificates;
  const std::string &path = files[file].path;
  size_t first = next, end = first;
  while (end < items.size() && items[end].file == file)
    ++end;
  for (; next < end; ++next) {
    Job &job = jobs[next];
    progress.show("[" + Twine(next - first + 1) + "/" + Twine(end - first) +
                  "] " + path + ": " + job.rule.getSymName());
    workers.wait(next);
    progress.clear();
    if (job.equalTo) {
      job.certificate = jobs[*job.equalTo].certificate;
      job.conditions = jobs[*job.equalTo].conditions;
    } else if (fileWork->isSpent(job.rule)) {
      job.certificate = prove::getRefusal(job.rule);
      job.conditions.clear();
    } else {
      fileWork->add(job.rule, job.work);
    }
    Certificate certificate = *job.certificate;
    certificate.name = job.rule.getSymName().str();
    report(job.rule, certificate);
    // Only the certificate contains the witness.
    json::Value value = certificate.toJSON();
    for (StringRef member : {"witness", "digest"})
      value.getAsObject()->erase(member);
    value.getAsObject()->insert({"file", path});
    if (necessity && certificate.status == Status::Proved)
      value.getAsObject()->insert({"necessity", reportNecessity(job)});
    results.push_back(std::move(value));
    ++counts[certificate.status];
    allProved &= certificate.status == Status::Proved &&
                 (certificate.lifted.empty() || certificate.liftProved);
    certificates.push_back(std::move(certificate));
  }
  if (cached)
    if (llvm::Error error = rule::writeCertificates(
            rule::getCertificatePath(path), certificates)) {
      reportError(llvm::toString(std::move(error)));
      return false;
    }
  return allProved;
}

void Prover::summarize() const {
  auto count = [](const auto &map, auto key) {
    auto it = map.find(key);
    return it == map.end() ? 0 : it->second;
  };
  llvm::outs() << count(counts, Status::Proved) << " proved";
  for (Status status :
       {Status::Refuted, Status::Unknown, Status::Unsupported, Status::Error})
    if (unsigned number = count(counts, status))
      llvm::outs() << ", " << number << " " << rule::stringify(status);
  if (numBad > 0)
    llvm::outs() << ", " << numBad << " not valid";
  llvm::outs() << "\n";
  if (necessity)
    llvm::outs() << count(conditions, Necessity::Needed)
                 << " conditions needed, "
                 << count(conditions, Necessity::NotNeeded) << " not needed, "
                 << count(conditions, Necessity::Undecided) << " undecided\n";
}

int Prover::run() {
  options.memory = std::make_shared<prove::SolverMemory>();
  if (!checkOutput("--json", jsonPath, paths))
    return 1;
  if (!dumpFolder.empty()) {
    if (auto status =
            artifact::prepareOutputFolder(dumpFolder, /*force=*/false);
        !status) {
      reportError(status.error());
      return 1;
    }
  }
  bool success = true;
  for (const std::string &path : paths) {
    RuleFile file = reader.read(path);
    Known trusted;
    numBad += file.numBad;
    success &= file.numBad == 0;
    if (!file.module ||
        (cached && !RuleFiles::readCertificates(path, trusted))) {
      success = false;
      continue;
    }
    if (cached)
      artifact::releaseInput(rule::getCertificatePath(path));
    files.push_back(std::move(file));
    known.push_back(std::move(trusted));
    addJobs(files.size() - 1);
  }
  fileWork.emplace(options.rlimit);
  {
    RuleWorkers workers(files, items, [&](rule::RuleOp rule, size_t item) {
      work(rule, item);
    });
    size_t next = 0;
    for (size_t file = 0; file < files.size(); ++file)
      success &= finishFile(file, workers, next);
  }
  summarize();
  if (!jsonPath.empty())
    success &= writeFile(
        jsonPath,
        llvm::formatv("{0:2}\n", json::Value(json::Object{
                                     {"schema_version", 1},
                                     {"solver", prove::getSolverVersion()},
                                     {"rules", std::move(results)}}))
            .str());
  return success ? 0 : 1;
}

int tools::runProve(ArrayRef<const char *> arguments) {
  Prover prover;
  if (std::optional<int> status = prover.parse(arguments))
    return *status;
  return prover.run();
}
