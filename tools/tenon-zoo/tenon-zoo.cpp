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

static constexpr StringLiteral helpText =
    R"(Writes a well-known model as graph ops.

usage: tenon-zoo NAME [options]

  NAME                  mlp, resnet18, resnet50, squeezenet, vgg19, csrnet,
                        resnext50, inception-v3, nasnet-a, nasrnn, bert-base,
                        gpt2, gpt2-decode, mmt, dlrm, candle-uno
  -o FILE               the module (default: standard output)
  --batch B             a number (default: dynamic, the dimension n)
  --sequence S          language models: a number (default: dynamic, s); of
                        gpt2-decode: the positions that its caches hold; of
                        mmt: 1 to 4096 (default 256)
  --cache C             gpt2: two entries, prefill and decode, over states that
                        hold keys and values of up to C positions; of one text
                        unless --batch says more
  --layers N            language models: so many blocks, 1 to 1000 (default: as
                        published), to see how costs grow; mmt, dlrm and
                        candle-uno: layers per branch (default 8, 4 and 4)
  --branches N          mmt: parallel branches, 1 to 64 (default 4); candle-uno:
                        the same (default 7); dlrm: dense branches, and as many
                        sparse ones (default 7)
  --width W             mmt: width of the layers, 1 to 16384 (default 1024);
                        dlrm and candle-uno: the same (default 4096)
  --heads H             mmt: heads of attention, 1 to 128, a divisor of the
                        width (default 16)
  --trunk-layers N      dlrm and candle-uno: layers after the branches are
                        concatenated, 1 to 1000 (default 4)
  --small               less of everything, in the same structure: few blocks of
                        each kind, channels and positions, and small images
  --params FILE         also write weights, drawn as random:SEED draws them
  --seed SEED           of --params (default 0)
  --version, --help

resnext50, nasnet-a and nasrnn are as TASO ran them, inception-v3 as TENSAT did:
without batch norm and classifier. gpt2 reads a prompt, gpt2-decode takes one
token a step and updates caches of keys and values that it is given. gpt2 --cache
keeps them in states: prefill resets them and reads a prompt, decode takes one
token per step; both give the logits after the last token and the most likely
token.

mmt, dlrm and candle-uno are as GraphPipe ran them, with one output; docs/zoo.md
states their layers, and what the paper leaves open.

A --small model is not the start of the full one: its weights are its own.

Without --params the module has no weights: give tenon-run --params random:SEED.

exit status: 0 success, 1 a file can't be written, 2 wrong usage
)";

static int wrongUsage(const Twine &message) {
  llvm::errs() << "tenon-zoo: error: " << message << "\nsee tenon-zoo --help\n";
  return 2;
}

static int fail(const Twine &message) {
  llvm::errs() << "tenon-zoo: error: " << message << "\n";
  return 1;
}

namespace {
struct CommandLine {
  std::string model, output = "-", params;
  uint64_t seed = 0;
  ModelOptions options;
};
} // namespace

/// A status to exit with, or nullopt to go on.
static std::optional<int> parse(int argc, char **argv, CommandLine &line) {
  using artifact::OptionTable;
  using artifact::Status;
  OptionTable table;
  bool help = false, version = false;
  table.addSwitch("--help", help);
  table.addSwitch("--version", version);
  table.addSwitch("--small", line.options.small);
  table.addText("-o", line.output, "a file name");
  table.addText("--params", line.params, "a file name");
  table.addNumber<uint64_t>("--seed", line.seed, 0, UINT64_MAX);
  // The bounds keep every model's numbers of elements below 2^63.
  auto addSize = [&](const char *name, int64_t most, auto set) {
    table.add(name, [most, set](std::string_view value) {
      int64_t size = 0;
      Status status = OptionTable::parseNumber<int64_t>(value, 1, most, size);
      if (status)
        set(size);
      return status;
    });
  };
  ModelOptions &options = line.options;
  addSize("--batch", INT32_MAX, [&](int64_t n) { options.batch = n; });
  addSize("--sequence", INT32_MAX, [&](int64_t n) { options.sequence = n; });
  addSize("--cache", INT32_MAX, [&](int64_t n) { options.cache = n; });
  for (const SizeOption &option : getSizeOptions())
    addSize(
        option.name, option.most,
        [&options, value = option.value](int64_t n) { options.*value = n; });
  Status parsed = table.parse(argc, argv, [&](std::string_view name) -> Status {
    if (!line.model.empty())
      return artifact::makeError("expected one model, but got '", line.model,
                                 "' and '", name, "'");
    line.model = name;
    return Status::success();
  });
  if (!parsed)
    return wrongUsage(parsed.error());
  if (help)
    llvm::outs() << helpText;
  else if (version)
    llvm::outs() << "tenon-zoo " << TENON_VERSION << "\n";
  if (help || version)
    return 0;
  return std::nullopt;
}

/// Draws every parameter as tenon-run's `--params random:SEED` does.
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
  if (std::optional<int> status = parse(argc, argv, line))
    return *status;
  if (line.model.empty())
    return wrongUsage("expected a model");
  const Model *model = findModel(line.model);
  if (!model)
    return wrongUsage("unknown model '" + line.model + "'");
  if (artifact::Status status = checkOptions(*model, line.options); !status)
    return wrongUsage(status.error());

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
