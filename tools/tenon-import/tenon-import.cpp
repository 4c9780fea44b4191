//===- tenon-import.cpp - ONNX models to the graph dialect ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/OutputFile.h"
#include "tenon/Artifact/RunFlags.h"
#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Dialect/Kernel/IR/Kernel.h"
#include "tenon/Import/Onnx.h"
#include "tenon/Import/OnnxExport.h"
#include "tenon/Support/File.h"
#include "tenon/Support/ParseModule.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AsmState.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace tenon;

namespace {
#define GEN_IMPORT_DECL
#include "tenon-import/Options.inc"
} // namespace

#define GEN_IMPORT_DEF
#include "tenon-import/Options.inc"

/// A status to exit with, or nullopt to go on.
static std::optional<int> parse(int argc, char **argv, CommandLine &line) {
  artifact::OptionTable table;
  if (std::optional<int> status = parseOptions(argc, argv, line, table))
    return status;
  if (line.listOperators) {
    listOnnxOperators(llvm::outs());
    return 0;
  }
  if (line.input.empty())
    return artifact::rejectUsage(kCommandLineTool, "expected a model");
  if (line.output.empty())
    return artifact::rejectUsage(kCommandLineTool, "expected -o FILE");
  return std::nullopt;
}

/// The weights' file and what the module calls it: a name relative to the
/// module if both are in one directory.
static void placeParams(const CommandLine &line, OnnxImportOptions &options) {
  namespace path = llvm::sys::path;
  SmallString<128> params(line.params);
  if (params.empty() && line.output != "-") {
    params = line.output;
    path::replace_extension(params, "safetensors");
  }
  options.paramsPath = std::string(params);
  if (params.empty() || path::is_absolute(params) ||
      path::parent_path(params) == path::parent_path(line.output))
    options.paramsName =
        path::is_absolute(params) &&
                path::parent_path(params) != path::parent_path(line.output)
            ? std::string(params)
            : path::filename(params).str();
  else {
    llvm::sys::fs::make_absolute(params);
    options.paramsName = std::string(params);
  }
}

static int fail(const Twine &message) {
  llvm::errs() << "tenon-import: error: " << message << "\n";
  return 1;
}

/// Before the import, and after it with the files beside the model.
static bool checkFiles(const CommandLine &line, std::vector<std::string> inputs,
                       bool hasWeights) {
  std::vector<artifact::PlannedOutput> outputs;
  if (line.output != "-")
    outputs.push_back({"-o", line.output});
  inputs.push_back(line.input);
  for (const auto &[name, file] : line.binds)
    inputs.push_back(file);
  if (line.emit == "onnx") {
    if (!line.params.empty())
      inputs.push_back(line.params);
    if (line.externalData && line.output != "-")
      outputs.push_back({"-o", line.output + ".data", /*isCompanion=*/true});
  } else if (!line.params.empty()) {
    outputs.push_back({"--params", line.params});
  } else if (line.output != "-" && hasWeights) {
    SmallString<128> params(line.output);
    llvm::sys::path::replace_extension(params, "safetensors");
    outputs.push_back({"-o", params.str().str(), /*isCompanion=*/true});
  }
  if (auto status = artifact::checkOutputs(outputs, inputs, line.force);
      !status) {
    fail(status.error());
    return false;
  }
  return true;
}

/// Reads a module and writes it as an ONNX model.
static int emitOnnx(const CommandLine &line, MLIRContext &context,
                    llvm::SourceMgr &sources) {
  // tenon-compile --stop-after=import states the target.
  context.loadDialect<func::FuncDialect, graph::GraphDialect,
                      kernel::KernelDialect>();
  auto module = parseModuleFile(line.input, &context, &sources);
  if (!module)
    return 1;
  OnnxExportOptions options;
  options.externalData = line.externalData;
  options.force = line.force;
  FailureOr<std::string> params = findWeights(*module, line.input, line.params);
  if (failed(params))
    return 1;
  options.paramsPath = *params;
  return failed(exportOnnx(*module, line.output, options)) ? 1 : 0;
}

int main(int argc, char **argv) {
  artifact::prepareStreams();
  llvm::InitLLVM init(argc, argv);
  artifact::prepareSignals("tenon-import");
  CommandLine line;
  if (std::optional<int> status = parse(argc, argv, line))
    return *status;

  MLIRContext context(MLIRContext::Threading::DISABLED);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  if (!checkFiles(line, {}, /*hasWeights=*/false))
    return 1;
  if (line.emit == "onnx")
    return emitOnnx(line, context, sources);
  OnnxImportOptions options;
  placeParams(line, options);
  options.sizes = line.sizes;
  options.trainsBatchNorms = true;
  for (const auto &[name, file] : line.binds) {
    FailureOr<artifact::TensorData> tensor =
        readOnnxTensorFile(file, UnknownLoc::get(&context));
    if (failed(tensor))
      return 1;
    options.binds[name] = std::move(*tensor);
  }
  // Weights and module get their names together.
  std::optional<artifact::PendingFile> weights;
  std::vector<std::string> filesRead;
  options.filesRead = &filesRead;
  if (!options.paramsPath.empty()) {
    auto pending = artifact::PendingFile::create(options.paramsPath);
    if (!pending)
      return fail(pending.error());
    weights.emplace(std::move(*pending));
    if (options.paramsName.empty())
      options.paramsName = llvm::sys::path::filename(options.paramsPath).str();
    options.paramsPath = weights->getPath();
  }
  auto module = importOnnx(line.input, &context, options);
  if (failed(module) ||
      !checkFiles(line, filesRead,
                  weights && llvm::sys::fs::exists(weights->getPath())))
    return 1;

  std::string text;
  llvm::raw_string_ostream os(text);
  OpPrintingFlags flags;
  flags.enableDebugInfo(line.locations);
  (*module)->print(os, flags);
  os << "\n";
  std::vector<artifact::FinishedFile> files;
  if (weights && llvm::sys::fs::exists(weights->getPath()))
    files.push_back(weights->finish());
  if (line.output == "-" || artifact::isWrittenInPlace(line.output)) {
    if (auto status = artifact::putInPlace(files); !status)
      return fail(status.error());
    if (llvm::Error error = writeOutputFile(line.output, text))
      return fail(llvm::toString(std::move(error)));
    return 0;
  }
  auto output = artifact::PendingFile::create(line.output);
  if (!output)
    return fail(output.error());
  if (auto status =
          artifact::writeFile(output->getPath(), text.data(), text.size());
      !status)
    return fail(status.error());
  files.push_back(output->finish());
  if (auto status = artifact::putInPlace(files); !status)
    return fail(status.error());
  return 0;
}
