//===- RuleFiles.cpp - files of rules and diagnostics about them ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuleFiles.h"
#include "RuleText.h"

#include "tenon/Artifact/OutputFile.h"
#include "tenon/Driver/Registration.h"
#include "tenon/Optimize/RuleSet.h"
#include "tenon/Support/File.h"
#include "tenon/Support/ParseModule.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::tools;

void tools::reportError(const Twine &message) {
  llvm::errs() << "tenon-rules: error: " << message << "\n";
}

bool tools::writeFile(const std::string &path, StringRef text) {
  if (llvm::Error error = writeOutputFile(path, text)) {
    reportError(llvm::toString(std::move(error)));
    return false;
  }
  return true;
}

bool tools::checkOutput(StringRef option, const std::string &path,
                        const std::vector<std::string> &inputs) {
  if (path.empty() || path == "-")
    return true;
  auto status =
      artifact::checkOutputs({{option.str(), path}}, inputs, /*force=*/false);
  if (!status)
    reportError(status.error());
  return status.ok();
}

bool tools::checkDistinct(const std::vector<std::string> &outputs) {
  for (size_t number = 0; number < outputs.size(); ++number)
    for (size_t other = 0; other < number; ++other) {
      const std::string &path = outputs[number];
      if (path.empty() || path == "-" ||
          (path != outputs[other] &&
           !llvm::sys::fs::equivalent(path, outputs[other])))
        continue;
      reportError(path + ": two outputs would be written to it");
      return false;
    }
  return true;
}

RuleFiles::RuleFiles() : handler(sources, &context) {
  DialectRegistry registry;
  registerAllDialects(registry);
  context.appendDialectRegistry(registry);
  context.disableMultithreading();
  context.printOpOnDiagnostic(false);
}

bool RuleFiles::expand(const std::vector<std::string> &paths,
                       std::vector<std::string> &files) {
  for (const std::string &path : paths) {
    if (!llvm::sys::fs::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    llvm::Expected<std::vector<std::string>> found =
        optimize::listRuleFiles(path);
    if (!found) {
      reportError(llvm::toString(found.takeError()));
      return false;
    }
    if (found->empty()) {
      reportError("folder '" + path + "' has no *.mlir files");
      return false;
    }
    files.insert(files.end(), found->begin(), found->end());
  }
  return true;
}

OwningOpRef<ModuleOp> RuleFiles::parse(StringRef text, StringRef name,
                                       bool quietly) {
  llvm::SourceMgr fileSources;
  fileSources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(text, name), {});
  std::optional<ScopedDiagnosticHandler> quiet;
  if (quietly)
    quiet.emplace(&context, [](Diagnostic &) { return success(); });
  return parseModule(fileSources, &context);
}

/// Each rule is tried by itself, and those that are not valid are reported.
void RuleFiles::readGoodRules(RuleFile &file, StringRef name) {
  StringRef text = file.text;
  std::vector<RuleText> rules = findRules(text);
  SmallVector<bool> isGood(rules.size(), false);
  auto parseAlone = [&](size_t number, bool quietly) {
    SmallVector<bool> alone(rules.size(), false);
    alone[number] = true;
    return static_cast<bool>(
        parse(blankRules(text, rules, alone), name, quietly));
  };
  for (size_t number = 0; number < rules.size(); ++number)
    isGood[number] = parseAlone(number, /*quietly=*/true);
  // The error may be outside of the rules.
  if (!llvm::is_contained(isGood, true)) {
    parse(text, name, /*quietly=*/false);
    return;
  }
  for (size_t number = 0; number < rules.size(); ++number)
    if (!isGood[number])
      parseAlone(number, /*quietly=*/false);
  file.numBad = llvm::count(isGood, false);
  file.text = texts.emplace_back(blankRules(text, rules, isGood));
  file.module = parse(file.text, name, /*quietly=*/false);
}

RuleFile RuleFiles::read(const std::string &path) {
  RuleFile file{path, {}, {}};
  auto read = readInputFile(path);
  if (!read) {
    reportError(llvm::toString(read.takeError()));
    return file;
  }
  std::unique_ptr<llvm::MemoryBuffer> buffer = std::move(*read);
  // The handler finds the lines of a diagnostic by the name of the file.
  unsigned number = sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(buffer->getBuffer(),
                                           buffer->getBufferIdentifier()),
      {});
  file.text = sources.getMemoryBuffer(number)->getBuffer();
  llvm::StringRef name = buffer->getBufferIdentifier();
  file.module = parse(file.text, name, /*quietly=*/true);
  if (!file.module)
    readGoodRules(file, name);
  if (file.module && file.module->getOps<rule::RuleOp>().empty()) {
    reportError("'" + path + "' has no rules");
    file.module = {};
  }
  return file;
}

bool RuleFiles::readCertificates(const std::string &path,
                                 llvm::StringMap<rule::Certificate> &into) {
  auto read = rule::readCertificates(rule::getCertificatePath(path));
  if (!read) {
    reportError(llvm::toString(read.takeError()));
    return false;
  }
  into = std::move(*read);
  return true;
}

Progress::Progress()
    : isTerminal(llvm::sys::Process::StandardErrIsDisplayed()) {}

void Progress::show(const Twine &text) {
  if (!isTerminal)
    return;
  llvm::errs() << "\r\033[K" << text;
  isShown = true;
}

void Progress::clear() {
  if (isShown)
    llvm::errs() << "\r\033[K";
  isShown = false;
}
