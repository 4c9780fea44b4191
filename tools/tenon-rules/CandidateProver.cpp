//===- CandidateProver.cpp - proofs that outlive an interruption ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CandidateProver.h"
#include "RuleWorkers.h"

#include "tenon/ProofKernel/Kernel.h"
#include "tenon/ProofKernel/Solver.h"
#include "tenon/Prove/Prove.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::tools;
using discover::Verdict;
using rule::Certificate;
using rule::Status;

/// The bound of a proof is a part of what was asked.
static bool isOfThisVersion(const llvm::json::Object &line, uint64_t rlimit) {
  return line.getInteger("rlimit") == static_cast<int64_t>(rlimit) &&
         line.getString("solver") == prove::getSolverVersion() &&
         line.getInteger("kernel") == prove::kernelVersion;
}

/// Only what is proved has a certificate; of other rules, the reason is known.
static std::optional<Certificate> readLine(const llvm::json::Object &line) {
  if (const llvm::json::Value *certificate = line.get("certificate"))
    return Certificate::fromJSON(*certificate);
  Certificate other;
  auto refuted = line.getBoolean("refuted");
  auto reason = line.getString("reason");
  if (!refuted || !reason)
    return std::nullopt;
  other.status = *refuted ? Status::Refuted : Status::Unknown;
  other.reason = reason->str();
  return other;
}

bool CandidateProver::resume(const std::string &folder) {
  if (std::error_code error = llvm::sys::fs::create_directories(folder)) {
    reportError(folder + ": can't be created: " + error.message());
    return false;
  }
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, "proofs.jsonl");
  size_t end = 0;
  if (auto buffer = llvm::MemoryBuffer::getFile(path)) {
    StringRef rest = (*buffer)->getBuffer();
    while (rest.contains('\n')) {
      auto [line, after] = rest.split('\n');
      auto value = llvm::json::parse(line);
      auto *object = value ? value->getAsObject() : nullptr;
      auto text = object ? object->getString("rule") : std::nullopt;
      auto certificate = object ? readLine(*object) : std::nullopt;
      if (!value)
        llvm::consumeError(value.takeError());
      if (!text || !certificate) {
        reportError(path + ": is damaged; remove it to begin again");
        return false;
      }
      if (isOfThisVersion(*object, rlimit))
        certificates[text->str()] = std::move(*certificate);
      end += line.size() + 1;
      rest = after;
    }
  }
  // What follows the last line end was being written.
  if (llvm::sys::fs::exists(path)) {
    int file;
    if (!llvm::sys::fs::openFileForReadWrite(path, file,
                                             llvm::sys::fs::CD_OpenExisting,
                                             llvm::sys::fs::OF_None)) {
      (void)llvm::sys::fs::resize_file(file, end);
      llvm::sys::Process::SafelyCloseFileDescriptor(file);
    }
  }
  std::error_code error;
  log = std::make_unique<llvm::raw_fd_ostream>(path, error,
                                               llvm::sys::fs::OF_Append);
  if (error) {
    reportError(path + ": can't be written: " + error.message());
    return false;
  }
  return true;
}

void CandidateProver::append(const std::string &text,
                             const Certificate &certificate) {
  if (!log)
    return;
  llvm::json::Object line{{"rule", text},
                          {"rlimit", static_cast<int64_t>(rlimit)},
                          {"solver", prove::getSolverVersion()},
                          {"kernel", prove::kernelVersion}};
  if (certificate.status == Status::Proved) {
    line["certificate"] = certificate.toJSON();
  } else {
    line["refuted"] = certificate.status == Status::Refuted;
    line["reason"] = certificate.reason;
  }
  *log << llvm::json::Value(std::move(line)) << "\n";
  log->flush();
}

void CandidateProver::proveMissing(ArrayRef<std::string> rules) {
  std::vector<RuleFile> files;
  std::vector<RuleWorkers::Item> items;
  for (const std::string &text : rules) {
    if (certificates.count(text))
      continue;
    RuleFile file;
    file.path = "candidate";
    file.text = text;
    items.push_back({files.size(), 0});
    files.push_back(std::move(file));
  }
  std::vector<Certificate> found(files.size());
  prove::ProveOptions options;
  options.rlimit = rlimit;
  options.memory = std::make_shared<prove::SolverMemory>();
  {
    RuleWorkers workers(files, items, [&](rule::RuleOp rule, size_t item) {
      found[item] = prove::proveRule(rule, options);
    });
    for (size_t item = 0; item < items.size(); ++item)
      workers.wait(item);
  }
  for (auto [file, certificate] : llvm::zip_equal(files, found)) {
    append(file.text.str(), certificate);
    certificates[file.text.str()] = std::move(certificate);
  }
}

/// A rule is proved with all leading axes that it states.
static std::pair<Verdict, std::string> judge(const Certificate &certificate) {
  if (certificate.status == Status::Refuted)
    return {Verdict::Refuted, certificate.reason};
  if (certificate.status != Status::Proved)
    return {Verdict::Unknown, certificate.reason};
  if (!certificate.lifted.empty() && !certificate.liftProved)
    return {Verdict::Unknown, "with leading axes: " + certificate.liftReason};
  return {Verdict::Proved, ""};
}

std::vector<std::pair<Verdict, std::string>>
CandidateProver::prove(ArrayRef<std::string> rules) {
  proveMissing(rules);
  std::vector<std::pair<Verdict, std::string>> verdicts;
  for (const std::string &text : rules)
    verdicts.push_back(judge(certificates.at(text)));
  return verdicts;
}
