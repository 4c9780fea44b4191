//===- ModelFile.cpp - reads the model to interpret ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelFile.h"

#include "tenon/Dialect/Pipe/Transforms/Passes.h"
#include "tenon/Import/Onnx.h"
#include "tenon/Support/ParseModule.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace tenon;
namespace path = llvm::sys::path;

LogicalResult ModelFile::read(CommandLine &line, llvm::SourceMgr &sources,
                              MLIRContext &context) {
  if (path::extension(line.model) == ".onnx")
    return readOnnx(line, context);
  if (!line.binds.empty() || !line.sizes.empty())
    return emitError(UnknownLoc::get(&context))
           << "--bind is for ONNX models, but got '" << line.model << "'";
  module = parseModuleFile(line.model, &context, &sources);
  if (!module)
    return failure();
  // Inputs and outputs are then those of all ranks.
  for (auto function : module->getOps<func::FuncOp>())
    if (pipe::findMesh(function) && failed(pipe::stackRanks(function)))
      return failure();
  // Random ones need no file.
  if (line.paramsSeed)
    return success();
  FailureOr<std::string> weights =
      findWeights(*module, line.model, line.paramsPath);
  if (failed(weights))
    return failure();
  paramsPath = std::move(*weights);
  return success();
}

/// Integer inputs that are small enough to be the parameters of shapes.
static std::map<std::string, artifact::TensorData>
findShapeParameters(const CommandLine &line,
                    const std::vector<std::string> &names) {
  std::map<std::string, artifact::TensorData> found;
  for (auto [number, spec] : llvm::enumerate(line.inputs)) {
    if (spec.path.empty() || (spec.name.empty() && number >= names.size()))
      continue;
    auto tensor = artifact::readTensorFile(spec.path);
    if (!tensor || tensor->numElements() > 64 ||
        artifact::isFloat(tensor->dtype))
      continue;
    found[spec.name.empty() ? names[number] : spec.name] = std::move(*tensor);
  }
  return found;
}

LogicalResult ModelFile::readOnnx(CommandLine &line, MLIRContext &context) {
  OnnxImportOptions options;
  options.discardParams = line.paramsSeed.has_value();
  options.sizes = line.sizes;
  Location loc = UnknownLoc::get(&context);
  if (!options.discardParams) {
    auto folder = artifact::TemporaryFolder::createForScratch();
    if (!folder)
      return emitError(loc)
             << "can't create a temporary folder: " << folder.error();
    temporary.emplace(std::move(*folder));
    paramsPath = options.paramsPath = temporary->getFile("safetensors");
  }
  for (const auto &[name, file] : line.binds) {
    auto tensor = artifact::readTensorFile(file);
    if (!tensor)
      return emitError(loc) << "--bind " << name << ": " << tensor.error();
    options.binds[name] = std::move(*tensor);
  }
  auto names = listOnnxInputs(line.model, &context);
  if (failed(names))
    return failure();

  // First without fixing anything. What that says is reported only when
  // there is nothing else to try.
  std::map<std::string, artifact::TensorData> shapes =
      findShapeParameters(line, *names);
  if (shapes.empty() || !line.binds.empty()) {
    auto imported = importOnnx(line.model, &context, options);
    if (failed(imported))
      return failure();
    module = std::move(*imported);
    return success();
  }
  {
    ScopedDiagnosticHandler silence(&context,
                                    [](Diagnostic &) { return success(); });
    auto imported = importOnnx(line.model, &context, options);
    if (succeeded(imported)) {
      module = std::move(*imported);
      return success();
    }
  }
  options.binds = shapes;
  auto imported = importOnnx(line.model, &context, options);
  if (failed(imported))
    return failure();
  module = std::move(*imported);
  // Fixed inputs are not arguments any more. The others keep their order.
  std::vector<artifact::InputSpec> rest;
  for (auto [number, spec] : llvm::enumerate(line.inputs)) {
    artifact::InputSpec named = spec;
    if (named.name.empty() && number < names->size())
      named.name = (*names)[number];
    if (!shapes.count(named.name))
      rest.push_back(named);
  }
  line.inputs = rest;
  return success();
}
