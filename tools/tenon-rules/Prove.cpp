//===- Prove.cpp - tenon-rules prove --------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Commands.h"
#include "RuleFiles.h"

#include "tenon/Prove/Prove.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::tools;
using prove::Necessity;
using rule::Certificate;
using rule::Status;
namespace json = llvm::json;

static constexpr StringLiteral helpText =
    R"(Proves rules for all sizes, or finds sizes at which they are wrong.

usage: tenon-rules prove FILE... [options]

  --json FILE       write the results as JSON too
  --cached          trust F.proved.json beside F.mlir for every rule whose
                    statement it has a certificate for, and write it anew
  --necessity       drop each condition: warn of those that are not needed
  --rlimit N        bound of one question, in the solver's own count
                    (default 20000000)
  --dump-smt DIR    write every question to the solver as SMT-LIB
  --help

A FILE holds rules (see docs/rules.md); a folder stands for its *.mlir files.

exit status: 0 all rules are proved, 1 some are not, 2 wrong usage
)";

namespace {
/// One run of the command.
class Prover {
public:
  std::optional<int> parse(ArrayRef<const char *> arguments);
  int run();

private:
  bool proveFile(const std::string &path);
  Certificate proveOne(rule::RuleOp rule,
                       const llvm::StringMap<Certificate> &known);
  void report(rule::RuleOp rule, const Certificate &certificate);
  json::Array reportNecessity(rule::RuleOp rule,
                              const Certificate &certificate);
  std::string getDumpPrefix(StringRef rule);
  void summarize() const;

  std::vector<std::string> files;
  std::string jsonPath, dumpFolder;
  prove::ProveOptions options;
  bool cached = false, necessity = false;

  RuleFiles reader;
  Progress progress;
  json::Array results;
  llvm::StringSet<> dumped;
  std::map<Status, unsigned> counts;
  std::map<Necessity::Verdict, unsigned> conditions;
};
} // namespace

std::optional<int> Prover::parse(ArrayRef<const char *> arguments) {
  CommandLine line("prove", helpText);
  bool withoutRefuting = false;
  line.add("--json", jsonPath);
  line.add("--cached", cached);
  line.add("--necessity", necessity);
  line.add("--rlimit", options.rlimit);
  line.add("--dump-smt", dumpFolder);
  // For tests: a proof of a wrong rule would show.
  line.add("--without-refuting", withoutRefuting);
  if (std::optional<int> status = line.parse(arguments))
    return status;
  options.refute = !withoutRefuting;
  if (!RuleFiles::expand(line.files, files))
    return 1;
  if (cached && llvm::is_contained(files, "-"))
    return line.reject("--cached needs the name of a file, not '-'");
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

Certificate Prover::proveOne(rule::RuleOp rule,
                             const llvm::StringMap<Certificate> &known) {
  auto it = known.find(rule::hashStatement(rule));
  if (it != known.end()) {
    Certificate certificate = it->second;
    certificate.name = rule.getSymName().str();
    return certificate;
  }
  if (!dumpFolder.empty())
    options.dumpPrefix = getDumpPrefix(rule.getSymName());
  return prove::proveRule(rule, options);
}

void Prover::report(rule::RuleOp rule, const Certificate &certificate) {
  llvm::outs() << llvm::formatv(
      "{0,-11} {1}", rule::stringify(certificate.status), certificate.name);
  if (certificate.status == Status::Proved) {
    llvm::outs() << " (" << rule::stringifyFloatClass(certificate.floatClass)
                 << "; elements: " << certificate.elements;
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

json::Array Prover::reportNecessity(rule::RuleOp rule,
                                    const Certificate &certificate) {
  json::Array list;
  progress.show("dropping conditions of " + rule.getSymName());
  std::vector<Necessity> entries =
      prove::checkNecessity(rule, certificate, options);
  progress.clear();
  for (const Necessity &entry : entries) {
    ++conditions[entry.verdict];
    json::Object object{{"condition", entry.condition},
                        {"verdict", stringify(entry.verdict)}};
    if (!entry.reason.empty())
      object["reason"] = entry.reason;
    list.push_back(std::move(object));
    if (entry.verdict == Necessity::NotNeeded)
      rule.emitWarning() << "rule '" << certificate.name
                         << "' does not need its condition '" << entry.condition
                         << "'" << (entry.reason.empty() ? "" : ": ")
                         << entry.reason;
    else if (entry.verdict == Necessity::Undecided)
      rule.emitWarning() << "rule '" << certificate.name
                         << "' may not need its condition '" << entry.condition
                         << "': " << entry.reason;
  }
  return list;
}

bool Prover::proveFile(const std::string &path) {
  OwningOpRef<ModuleOp> module = reader.read(path);
  llvm::StringMap<Certificate> known;
  if (!module || (cached && !RuleFiles::readCertificates(path, known)))
    return false;

  bool allProved = true;
  std::vector<Certificate> certificates;
  auto rules = module->getOps<rule::RuleOp>();
  size_t count = std::distance(rules.begin(), rules.end());
  for (auto rule : rules) {
    progress.show("[" + Twine(certificates.size() + 1) + "/" + Twine(count) +
                  "] " + path + ": " + rule.getSymName());
    Certificate certificate = proveOne(rule, known);
    progress.clear();
    report(rule, certificate);
    json::Value value = certificate.toJSON();
    value.getAsObject()->insert({"file", path});
    if (necessity && certificate.status == Status::Proved)
      value.getAsObject()->insert(
          {"necessity", reportNecessity(rule, certificate)});
    results.push_back(std::move(value));
    ++counts[certificate.status];
    // An equal statement further on is proved too.
    if (cached && certificate.status == Status::Proved)
      known[certificate.statement] = certificate;
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
  llvm::outs() << "\n";
  if (necessity)
    llvm::outs() << count(conditions, Necessity::Needed)
                 << " conditions needed, "
                 << count(conditions, Necessity::NotNeeded) << " not needed, "
                 << count(conditions, Necessity::Undecided) << " undecided\n";
}

int Prover::run() {
  if (!dumpFolder.empty()) {
    std::error_code error = llvm::sys::fs::create_directories(dumpFolder);
    if (!error && !llvm::sys::fs::is_directory(dumpFolder))
      error = std::make_error_code(std::errc::not_a_directory);
    if (error) {
      reportError("can't create folder '" + dumpFolder +
                  "': " + error.message());
      return 1;
    }
  }
  bool success = true;
  for (const std::string &path : files)
    success &= proveFile(path);
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
