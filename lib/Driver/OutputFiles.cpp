//===- OutputFiles.cpp - the files that a compilation writes
//------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FileCompilation.h"
#include "tenon/Artifact/SafetensorsWriter.h"
#include "tenon/Dialect/Pipe/Transforms/Passes.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <filesystem>

using namespace mlir;
using namespace tenon;
namespace path = llvm::sys::path;
namespace fs = std::filesystem;

/// Before the import with what the command line names; after it again, with
/// what the model does.
LogicalResult FileCompilation::checkFiles() {
  std::vector<artifact::PlannedOutput> planned = listOutputs(options);
  std::vector<std::string> inputs = listInputs(options);
  llvm::append_range(inputs, model.filesRead);
  if (!model.paramsPath.empty() && model.paramsPath != weights)
    inputs.push_back(model.paramsPath);
  bool isArtifact = !writesMlir() && options.emit != EmitKind::Onnx;
  if (isArtifact)
    planned.push_back({"-o", besideOutput(".h"), /*isCompanion=*/true});
  if (isArtifact && options.emit == EmitKind::SharedLibrary && model.module &&
      pipe::getProgram(*model.module))
    planned.push_back({"-o", getCertificatePath(), /*isCompanion=*/true});
  if (writesWeights())
    planned.push_back(
        {"-o", besideOutput(".safetensors"), /*isCompanion=*/true});
  if (auto status = artifact::checkOutputs(planned, inputs, options.force);
      !status)
    return error() << status.error();
  return success();
}

/// Whether weights are written beside the output, which is known once the model
/// is read. Those of an .mlir model that lie there already stay.
bool FileCompilation::writesWeights() const {
  if (toStandardOutput() || (!writesMlir() && options.emit == EmitKind::Onnx))
    return false;
  if (path::extension(options.input) == ".onnx")
    return !model.paramsPath.empty();
  return !model.paramsPath.empty() &&
         (writesMlir() ? !isReachable()
                       : !llvm::sys::fs::equivalent(
                             model.paramsPath, besideOutput(".safetensors")));
}

/// The weights as `graph.params` of the output can name them: from its folder.
std::string FileCompilation::getRelativeWeights() const {
  std::error_code code;
  fs::path folder = fs::path(options.output).parent_path();
  fs::path file =
      fs::relative(model.paramsPath, folder.empty() ? "." : folder, code);
  return code ? "" : file.generic_string();
}

/// Whether an .mlir model at the output may name the weights where they are.
bool FileCompilation::isReachable() const {
  std::string name = getRelativeWeights();
  return !name.empty() && *fs::path(name).begin() != "..";
}

/// Log and report get their names together with the result.
LogicalResult FileCompilation::prepareOutputs() {
  auto normalize = [](StringRef name) {
    SmallString<256> absolute = name;
    llvm::sys::fs::make_absolute(absolute);
    path::remove_dots(absolute, /*remove_dot_dot=*/true);
    return absolute;
  };
  if (!options.dumpKernels.empty() &&
      normalize(options.dumpKernels) == normalize(options.output))
    return error() << "--dump-kernels: '" << options.dumpKernels
                   << "' is also the output of -o";
  if (!options.dumpKernels.empty())
    if (auto status =
            artifact::prepareOutputFolder(options.dumpKernels, options.force);
        !status)
      return error() << status.error();
  for (const std::string &file :
       {options.log, options.report, options.rewritesReport})
    if (!file.empty() && !artifact::isWrittenInPlace(file) &&
        failed(outputs.add(file, context)))
      return failure();
  return success();
}

/// Where `graph.params` points to depends on where the module is.
LogicalResult FileCompilation::writeParams(ModuleOp module) {
  if (model.paramsPath.empty() || model.paramsPath == weights ||
      toStandardOutput())
    return success();
  std::string name = getRelativeWeights();
  if (!isReachable()) {
    FailureOr<std::string> copy =
        outputs.add(besideOutput(".safetensors"), context);
    if (failed(copy))
      return failure();
    if (auto status = artifact::copySafetensors(model.paramsPath, *copy);
        !status)
      return error() << status.error();
    name = path::filename(besideOutput(".safetensors")).str();
  }
  module->setAttr("graph.params", StringAttr::get(&context, name));
  return success();
}

LogicalResult FileCompilation::writeModule(ModuleOp module) {
  if (failed(writeParams(module)))
    return failure();
  OpPrintingFlags flags;
  if (toStandardOutput()) {
    module->print(llvm::outs(), flags);
    llvm::outs() << "\n";
    llvm::outs().flush();
    if (std::error_code code = llvm::outs().error()) {
      llvm::outs().clear_error();
      return error() << "can't write to standard output: " << code.message();
    }
    return success();
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  if (path::extension(options.output) == ".mlirbc") {
    if (failed(writeBytecodeToFile(module, os)))
      return failure();
  } else {
    module->print(os, flags);
    os << "\n";
  }
  std::string file = options.output;
  if (!artifact::isWrittenInPlace(file)) {
    FailureOr<std::string> pending = outputs.add(file, context);
    if (failed(pending))
      return failure();
    file = std::move(*pending);
  }
  if (auto status = artifact::writeFile(file, text.data(), text.size());
      !status)
    return error() << status.error();
  return success();
}

/// The module last: its weights are there when it is.
LogicalResult FileCompilation::finishModule(ModuleOp module) {
  if (failed(writeModule(module)))
    return failure();
  std::vector<artifact::FinishedFile> files = outputs.finish(options.output);
  llvm::append_range(files, outputs.finishOnly(options.output));
  if (auto status = artifact::putInPlace(files); !status)
    return error() << status.error();
  return success();
}

/// The log and the report, which get their names together with the result.
LogicalResult FileCompilation::writeTexts(const CompiledModule &compiled) {
  for (const auto &[file, text] :
       {std::pair(options.log, compiled.log),
        std::pair(options.report, compiled.report),
        std::pair(options.rewritesReport, compiled.rewrites)})
    if (!text.empty())
      if (auto status =
              artifact::writeFile(outputs.find(file), text.data(), text.size());
          !status)
        return error() << status.error();
  return success();
}
