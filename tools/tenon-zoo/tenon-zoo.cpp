//===- tenon-zoo.cpp - well-known models in the graph dialect -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Models.h"

#include "tenon/Artifact/OptionTable.h"
#include "tenon/Artifact/Philox.h"
#include "tenon/Artifact/SafetensorsWriter.h"
#include "tenon/Support/File.h"

#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::zoo;

static int fail(const Twine &message) {
  llvm::errs() << "tenon-zoo: error: " << message << "\n";
  return 1;
}

namespace {
#define GEN_ZOO_DECL
#include "tenon-zoo/Options.inc"
} // namespace

static artifact::Status parseSize(std::string_view value, graph::SymInt &out) {
  int64_t size = 0;
  artifact::Status status =
      artifact::OptionTable::parseNumber<int64_t>(value, 1, INT32_MAX, size);
  if (status)
    out = size;
  return status;
}

static artifact::Status parseBatch(std::string_view value, CommandLine &line) {
  return parseSize(value, line.options.batch);
}

static artifact::Status parseSequence(std::string_view value,
                                      CommandLine &line) {
  return parseSize(value, line.options.sequence);
}

#define GEN_ZOO_DEF
#include "tenon-zoo/Options.inc"

static artifact::Status writeParams(ModuleOp module, const std::string &path,
                                    uint64_t seed) {
  std::vector<artifact::SafetensorsWriter::Declaration> tensors;
  llvm::StringSet<> seen;
  module.walk([&](graph::ParameterOp op) {
    auto shape = cast<RankedTensorType>(op.getType()).getShape();
    if (seen.insert(op.getName()).second)
      tensors.push_back({op.getName().str(), artifact::DType::F32,
                         std::vector<int64_t>(shape.begin(), shape.end())});
  });
  auto writer = artifact::SafetensorsWriter::create(path, tensors);
  if (!writer)
    return artifact::makeError(writer.error());
  for (const auto &tensor : tensors) {
    int64_t count = 1;
    for (int64_t size : tensor.shape)
      count *= size;
    std::vector<float> data(count);
    artifact::fillRandom(
        data.data(), tensor.dtype, 0, count,
        artifact::streamKey(seed, tensor.name),
        artifact::defaultParameterDistribution(tensor.dtype, tensor.shape));
    if (artifact::Status status =
            writer->write(tensor.name, data.data(), count * sizeof(float));
        !status)
      return status;
  }
  return writer->finish();
}

int main(int argc, char **argv) {
  artifact::prepareStreams();
  llvm::InitLLVM init(argc, argv);
  artifact::prepareSignals("tenon-zoo");
  CommandLine line;
  artifact::OptionTable table;
  if (std::optional<int> status = parseOptions(argc, argv, line, table))
    return *status;
  auto reject = [](const std::string &message) {
    return artifact::rejectUsage(kCommandLineTool, message);
  };
  const Model *model = findModel(line.model);
  if (!model)
    return reject("unknown model '" + line.model + "'");
  if (artifact::Status status = checkOptions(*model, line.options); !status)
    return reject(status.error());

  MLIRContext context;
  ModelFunction build = line.options.cache ? model->buildCached : model->build;
  OwningOpRef<ModuleOp> module = build(&context, line.options);
  if (failed(verify(*module)))
    return 1;
  std::vector<artifact::PlannedOutput> outputs;
  if (line.output != "-")
    outputs.push_back({"-o", line.output});
  if (!line.params.empty())
    outputs.push_back({"--params", line.params});
  if (artifact::Status status =
          artifact::checkOutputs(outputs, {}, /*force=*/false);
      !status)
    return fail(status.error());
  if (!line.params.empty()) {
    if (artifact::Status status = writeParams(*module, line.params, line.seed);
        !status)
      return fail(status.error());
    // A relative path counts from the module's folder.
    StringRef folder = line.output == "-"
                           ? StringRef()
                           : llvm::sys::path::parent_path(line.output);
    std::string stated = line.params;
    if (llvm::sys::path::parent_path(stated) == folder)
      stated = llvm::sys::path::filename(stated).str();
    else if (llvm::SmallString<256> absolute(stated);
             !llvm::sys::fs::make_absolute(absolute))
      stated = absolute.str().str();
    module.get()->setAttr("graph.params", StringAttr::get(&context, stated));
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os);
  os << "\n";
  if (llvm::Error error = writeOutputFile(line.output, text))
    return fail(llvm::toString(std::move(error)));
  return 0;
}
