//===- Models.cpp - the models by name, and what each can be given --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Models.h"

using namespace tenon;
using namespace tenon::zoo;

using llvm::ArrayRef;
using llvm::StringRef;

namespace {
/// The option for one of `Sizes`.
struct SizeOption {
  Sizes size;
  const char *name;
  std::optional<int64_t> ModelOptions::*value;
};
} // namespace

static constexpr SizeOption sizeOptions[] = {
    {Layers, "--layers", &ModelOptions::layers},
    {Branches, "--branches", &ModelOptions::branches},
    {Width, "--width", &ModelOptions::width},
    {Heads, "--heads", &ModelOptions::heads},
    {TrunkLayers, "--trunk-layers", &ModelOptions::trunkLayers},
};

static constexpr Model models[] = {
    {"mlp", buildMlp},
    {"resnet18", buildResNet18},
    {"resnet50", buildResNet50},
    {"squeezenet", buildSqueezeNet},
    {"vgg19", buildVgg19},
    {"csrnet", buildCsrNet},
    {"resnext50", buildResNeXt50},
    {"inception-v3", buildInceptionV3},
    {"nasnet-a", buildNasNetA},
    {"nasrnn", buildNasRnn},
    {"bert-base", buildBertBase, Layers, 512, 64},
    {"gpt2", buildGpt2, Layers, 1024, 64, buildGpt2Cached},
    {"gpt2-decode", buildGpt2Decode, Layers, 1024, 64},
    {"mmt", buildMmt, Layers | Branches | Width | Heads, 4096, 4096,
     /*buildCached=*/nullptr, checkMmt},
    {"dlrm", buildDlrm, Layers | Branches | Width | TrunkLayers},
    {"candle-uno", buildCandleUno, Layers | Branches | Width | TrunkLayers},
};

const Model *tenon::zoo::findModel(StringRef name) {
  const Model *model = llvm::find_if(
      models, [&](const Model &known) { return known.name == name; });
  return model == std::end(models) ? nullptr : model;
}

artifact::Status tenon::zoo::checkOptions(const Model &model,
                                          const ModelOptions &options) {
  using artifact::makeError;
  std::string name = "'" + model.name.str() + "'";
  std::optional<int64_t> sequence = options.sequence.getConstant();
  int64_t longest =
      options.pick(model.longestSequence, model.longestSmallSequence);
  int64_t cache = options.cache.value_or(0);
  if (sequence && longest == 0)
    return makeError(name, " has no sequence");
  if (options.cache && !model.buildCached)
    return makeError(name, " has no form with caches, but '--cache' is ",
                     cache);
  if (cache > longest)
    return makeError(name, " has ", longest, " positions, but '--cache' is ",
                     cache);
  if (sequence && *sequence > options.cache.value_or(*sequence))
    return makeError("'--cache' is ", cache, ", but '--sequence' is ",
                     *sequence);
  for (const SizeOption &option : sizeOptions)
    if (options.*option.value && !(model.sizes & option.size))
      return makeError(name, " has no option '", option.name, "', but '",
                       option.name, "' is ", *(options.*option.value));
  if (sequence && *sequence > longest)
    return makeError(name, " has ", longest, " positions, but '--sequence' is ",
                     *sequence);
  if (std::string reason = model.check ? model.check(options) : "";
      !reason.empty())
    return makeError(name, ": ", reason);
  return artifact::Status::success();
}
