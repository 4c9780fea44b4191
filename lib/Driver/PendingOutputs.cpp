//===- PendingOutputs.cpp - the files of one compilation ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PendingOutputs.h"
#include "Costs.h"
#include "tenon/Driver/DataFolders.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace tenon;

FailureOr<std::string> PendingOutputs::add(const std::string &path,
                                           MLIRContext &context) {
  for (const auto &[known, file] : files)
    if (known == path)
      return file.getPath();
  auto file = artifact::PendingFile::create(path);
  if (!file) {
    emitError(UnknownLoc::get(&context)) << file.error();
    return failure();
  }
  files.emplace_back(path, std::move(*file));
  return files.back().second.getPath();
}

std::string PendingOutputs::find(const std::string &path) const {
  for (const auto &[known, file] : files)
    if (known == path)
      return file.getPath();
  return path;
}

std::vector<artifact::FinishedFile>
PendingOutputs::finish(const std::string &except) const {
  std::vector<artifact::FinishedFile> finished;
  for (const auto &[path, file] : files)
    if (path != except && llvm::sys::fs::exists(file.getPath()))
      finished.push_back(file.finish());
  return finished;
}

std::vector<artifact::FinishedFile>
PendingOutputs::finishOnly(const std::string &only) const {
  for (const auto &[path, file] : files)
    if (path == only && llvm::sys::fs::exists(file.getPath()))
      return {file.finish()};
  return {};
}

std::vector<std::string> tenon::listInputs(const CompileOptions &options) {
  std::vector<std::string> inputs = {options.input};
  if (!options.weights.empty())
    inputs.push_back(options.weights);
  for (StringRef value : {options.costs, options.profile})
    for (const DeviceCosts &part : splitByDevice(value))
      inputs.push_back(part.name);
  for (StringRef bind : options.binds)
    if (auto [name, value] = bind.split("=@"); !value.empty())
      inputs.push_back(value.str());
  std::vector<std::string> folders(options.search.rules.begin(),
                                   options.search.rules.end());
  if (folders.empty())
    folders = {findRulesFolder()};
  for (const std::string &rules : folders) {
    if (rules.empty())
      continue;
    inputs.push_back(rules);
    std::error_code code;
    for (llvm::sys::fs::directory_iterator it(rules, code), end;
         it != end && !code; it.increment(code)) {
      StringRef path = it->path();
      if (path.ends_with(".mlir") || path.ends_with(".proved.json"))
        inputs.push_back(path.str());
    }
  }
  return inputs;
}

std::vector<artifact::PlannedOutput>
tenon::listOutputs(const CompileOptions &options) {
  std::vector<artifact::PlannedOutput> outputs;
  if (!options.output.empty() && options.output != "-")
    outputs.push_back({"-o", options.output});
  if (!options.log.empty())
    outputs.push_back({"--log", options.log});
  if (!options.report.empty())
    outputs.push_back({"--report", options.report});
  if (!options.rewritesReport.empty())
    outputs.push_back({"--prove-rewrites", options.rewritesReport});
  return outputs;
}
