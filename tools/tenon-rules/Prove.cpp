//===- Prove.cpp - tenon-rules prove --------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prove.h"

#include "tenon/Driver/Registration.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace tenon;
using rule::Certificate;
using rule::Status;
namespace json = llvm::json;

namespace {
/// One run of the command.
class Prover {
public:
  explicit Prover(const tools::ProveCommand &command)
      : command(command), sources(std::make_shared<llvm::SourceMgr>()),
        handler(*sources, &context) {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.disableMultithreading();
    context.printOpOnDiagnostic(false);
  }

  int run();

private:
  bool proveFile(const std::string &path);
  Certificate proveOne(rule::RuleOp rule,
                       const llvm::StringMap<Certificate> &known);
  bool writeJSON();

  const tools::ProveCommand &command;
  MLIRContext context;
  std::shared_ptr<llvm::SourceMgr> sources;
  SourceMgrDiagnosticHandler handler;
  json::Array results;
  std::map<Status, unsigned> counts;
};
} // namespace

Certificate Prover::proveOne(rule::RuleOp rule,
                             const llvm::StringMap<Certificate> &known) {
  auto it = known.find(rule::hashStatement(rule));
  if (it != known.end()) {
    Certificate certificate = it->second;
    certificate.name = rule.getSymName().str();
    return certificate;
  }
  return prove::proveRule(rule, command.options);
}

bool Prover::proveFile(const std::string &path) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(path, &message);
  if (!buffer) {
    llvm::errs() << "tenon-rules: " << message << "\n";
    return false;
  }
  // One buffer per file, so that locations name it.
  sources->AddNewSourceBuffer(std::move(buffer), {});
  auto fileSources = std::make_shared<llvm::SourceMgr>();
  fileSources->AddNewSourceBuffer(openInputFile(path, &message), {});
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(fileSources, &context);
  if (!module)
    return false;

  std::string certificatePath = rule::getCertificatePath(path);
  llvm::StringMap<Certificate> known;
  if (command.cached) {
    auto read = rule::readCertificates(certificatePath);
    if (!read) {
      llvm::errs() << "tenon-rules: " << llvm::toString(read.takeError())
                   << "\n";
      return false;
    }
    known = std::move(*read);
  }

  bool allProved = true;
  std::vector<Certificate> certificates;
  for (auto rule : module->getOps<rule::RuleOp>()) {
    Certificate certificate = proveOne(rule, known);
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
    if (certificate.status != Status::Proved) {
      rule.emitError() << "rule '" << certificate.name << "' is "
                       << (certificate.status == Status::Refuted
                               ? "false: "
                               : "not proved: ")
                       << certificate.reason;
      allProved = false;
    } else if (!certificate.lifted.empty() && !certificate.liftProved) {
      rule.emitError() << "rule '" << certificate.name
                       << "' is proved, but not with leading axes: "
                       << certificate.liftReason;
      allProved = false;
    }
    ++counts[certificate.status];
    json::Value value = certificate.toJSON();
    value.getAsObject()->insert({"file", path});
    results.push_back(std::move(value));
    certificates.push_back(std::move(certificate));
  }
  if (certificates.empty()) {
    llvm::errs() << "tenon-rules: '" << path << "' has no rules\n";
    return false;
  }
  if (command.cached)
    if (llvm::Error error =
            rule::writeCertificates(certificatePath, certificates)) {
      llvm::errs() << "tenon-rules: " << llvm::toString(std::move(error))
                   << "\n";
      return false;
    }
  return allProved;
}

bool Prover::writeJSON() {
  std::string message;
  std::unique_ptr<llvm::ToolOutputFile> file =
      openOutputFile(command.jsonPath, &message);
  if (!file) {
    llvm::errs() << "tenon-rules: " << message << "\n";
    return false;
  }
  file->os() << llvm::formatv(
      "{0:2}\n", json::Value(json::Object{{"schema_version", 1},
                                          {"solver", prove::getSolverVersion()},
                                          {"rules", std::move(results)}}));
  file->os().flush();
  if (file->os().has_error()) {
    llvm::errs() << "tenon-rules: can't write '" << command.jsonPath
                 << "': " << file->os().error().message() << "\n";
    file->os().clear_error();
    return false;
  }
  file->keep();
  return true;
}

int Prover::run() {
  if (!command.options.dumpFolder.empty())
    if (std::error_code error =
            llvm::sys::fs::create_directories(command.options.dumpFolder)) {
      llvm::errs() << "tenon-rules: can't create '"
                   << command.options.dumpFolder << "': " << error.message()
                   << "\n";
      return 1;
    }
  bool success = true;
  for (const std::string &path : command.files)
    success &= proveFile(path);
  llvm::outs() << counts[Status::Proved] << " proved";
  for (Status status :
       {Status::Refuted, Status::Unknown, Status::Unsupported, Status::Error})
    if (counts[status])
      llvm::outs() << ", " << counts[status] << " " << rule::stringify(status);
  llvm::outs() << "\n";
  if (!command.jsonPath.empty())
    success &= writeJSON();
  return success ? 0 : 1;
}

int tools::runProve(const ProveCommand &command) {
  return Prover(command).run();
}
