//===- Branches.cpp - models of parallel branches -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The models of GraphPipe (Jeon et al., ASPLOS 2025, appendix A.2). The paper
// states the sizes of the branches; docs/zoo.md lists what it leaves open and
// what is chosen here.
//
//===----------------------------------------------------------------------===//

#include "ModelOptions.h"

#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::zoo;

namespace {
/// A small one keeps the elements of a head.
struct MmtSizes {
  explicit MmtSizes(const ModelOptions &options)
      : branches(options.branches.value_or(options.pick(4, 2))),
        layers(options.pickLayers(8, 2)),
        width(options.width.value_or(options.pick(1024, 128))),
        heads(options.heads.value_or(options.pick(16, 2))),
        sequence(
            options.sequence.getConstant().value_or(options.pick(256, 16))) {}

  int64_t branches, layers, width, heads, sequence;
};

/// The branches and the trunk of dlrm and candle-uno are dense layers.
struct DenseSizes {
  explicit DenseSizes(const ModelOptions &options)
      : branches(options.branches.value_or(options.pick(7, 2))),
        layers(options.pickLayers(4, 2)),
        trunkLayers(options.trunkLayers.value_or(options.pick(4, 2))),
        width(options.width.value_or(options.pick(4096, 64))) {}

  int64_t branches, layers, trunkLayers, width;
};
constexpr double kEpsilon = 1e-5;
} // namespace

std::string tenon::zoo::checkMmt(const ModelOptions &options) {
  MmtSizes sizes(options);
  if (sizes.width % sizes.heads == 0)
    return "";
  return "expected a width that is a multiple of the number of heads, but got "
         "a width of " +
         std::to_string(sizes.width) + " and " + std::to_string(sizes.heads) +
         " heads";
}

/// Adds the inputs NAME.0, NAME.1, and so on, one for each branch.
static void addInputs(SmallVectorImpl<ModelBuilder::Input> &inputs,
                      StringRef name, int64_t count, const Shape &shape,
                      Type type) {
  for (int64_t branch = 0; branch < count; ++branch)
    inputs.push_back({(name + "." + Twine(branch)).str(), shape, type});
}

/// [n, s, width] -> [n, heads, s, width / heads].
static Value splitHeads(ModelBuilder &b, Value x, int64_t heads) {
  Shape shape = getShape(x);
  int64_t width = *shape[2].getConstant();
  x = b.reshape(x, {shape[0], shape[1], heads, width / heads});
  return b.transpose(x, {0, 2, 1, 3});
}

/// An encoder layer that normalizes after each addition, as in bert-base:
/// [n, s, width] -> [n, s, width].
static Value buildTransformerLayer(ModelBuilder &b, Value x, const Twine &name,
                                   const MmtSizes &sizes) {
  auto project = [&](const Twine &part) {
    return splitHeads(b, b.linear(x, name + ".attention." + part, sizes.width),
                      sizes.heads);
  };
  Value q = project("query"), k = project("key"), v = project("value");
  double scale = 1.0 / std::sqrt(double(sizes.width / sizes.heads));
  Value y = b.op<AttentionOp>(q, k, v, /*mask=*/Value(), llvm::APFloat(scale),
                              /*causal=*/false);
  y = b.reshape(b.transpose(y, {0, 2, 1, 3}), getShape(x));
  y = b.linear(y, name + ".attention.output", sizes.width);
  x = b.layerNorm(b.add(y, x), name + ".attention.norm", kEpsilon);
  y = b.op<GeluOp>(b.linear(x, name + ".feed_forward.0", 4 * sizes.width),
                   /*tanh=*/false);
  y = b.linear(y, name + ".feed_forward.1", sizes.width);
  return b.layerNorm(b.add(y, x), name + ".feed_forward.norm", kEpsilon);
}

/// [n, in] -> [n, width], through `layers` linear layers with ReLU.
static Value buildDenseLayers(ModelBuilder &b, Value x, const Twine &name,
                              int64_t layers, int64_t width) {
  for (int64_t layer = 0; layer < layers; ++layer)
    x = b.relu(b.linear(x, name + ".layer." + Twine(layer), width));
  return x;
}

/// The concatenation of branches [n, ...], the trunk and one output: [n, 1].
static Value buildTrunk(ModelBuilder &b, ArrayRef<Value> branches,
                        const DenseSizes &sizes) {
  Value x = b.op<ConcatOp>(ValueRange(branches), /*axis=*/1);
  x = buildDenseLayers(b, x, "trunk", sizes.trunkLayers, sizes.width);
  return b.linear(x, "head", 1);
}

/// A multi-modal transformer: branches [n, s, width], one per modality, are
/// concatenated to [n, s, branches * width]; a linear head gives [n, s, 1].
OwningOpRef<ModuleOp> tenon::zoo::buildMmt(MLIRContext *context,
                                           const ModelOptions &options) {
  ModelBuilder b(context);
  MmtSizes sizes(options);
  SmallVector<ModelBuilder::Input> inputs;
  addInputs(inputs, "input", sizes.branches,
            {options.batch, sizes.sequence, sizes.width}, b.f32());
  SmallVector<Value> values = b.begin(inputs);
  for (auto [branch, x] : llvm::enumerate(values)) {
    std::string name = ("branch." + Twine(branch) + ".layer.").str();
    for (int64_t layer = 0; layer < sizes.layers; ++layer)
      x = buildTransformerLayer(b, x, name + Twine(layer), sizes);
  }
  Value joint = b.op<ConcatOp>(ValueRange(values), /*axis=*/2);
  return b.finish({{"output", b.linear(joint, "head", 1)}});
}

/// A recommender: dense branches [n, width], and sparse branches that look up
/// the rows of bags of indices [n, bag] and concatenate them to [n, bag * dim].
OwningOpRef<ModuleOp> tenon::zoo::buildDlrm(MLIRContext *context,
                                            const ModelOptions &options) {
  ModelBuilder b(context);
  DenseSizes sizes(options);
  int64_t rows = options.pick(1000000, 1000), dim = options.pick(64, 8);
  int64_t bag = options.pick(100, 10);
  SmallVector<ModelBuilder::Input> inputs;
  addInputs(inputs, "dense", sizes.branches, {options.batch, sizes.width},
            b.f32());
  addInputs(inputs, "sparse", sizes.branches, {options.batch, bag}, b.i64());
  SmallVector<Value> values = b.begin(inputs);
  ArrayRef<Value> arguments(values);
  SmallVector<Value> branches;
  for (auto [branch, x] : llvm::enumerate(arguments.take_front(sizes.branches)))
    branches.push_back(buildDenseLayers(b, x, "dense." + Twine(branch),
                                        sizes.layers, sizes.width));
  for (auto [branch, x] :
       llvm::enumerate(arguments.take_back(sizes.branches))) {
    Value table =
        b.parameter("sparse." + Twine(branch) + ".table", {rows, dim});
    branches.push_back(
        b.reshape(b.op<EmbeddingOp>(table, x), {options.batch, bag * dim}));
  }
  return b.finish({{"output", buildTrunk(b, branches, sizes)}});
}

/// A drug response predictor: dense branches [n, width], one per feature.
OwningOpRef<ModuleOp> tenon::zoo::buildCandleUno(MLIRContext *context,
                                                 const ModelOptions &options) {
  ModelBuilder b(context);
  DenseSizes sizes(options);
  SmallVector<ModelBuilder::Input> inputs;
  addInputs(inputs, "input", sizes.branches, {options.batch, sizes.width},
            b.f32());
  SmallVector<Value> values = b.begin(inputs);
  for (auto [branch, x] : llvm::enumerate(values))
    x = buildDenseLayers(b, x, "branch." + Twine(branch), sizes.layers,
                         sizes.width);
  return b.finish({{"output", buildTrunk(b, values, sizes)}});
}
