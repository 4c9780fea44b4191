//===- Language.cpp - language models -------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelOptions.h"

#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::zoo;

namespace {
/// BERT-base (Devlin et al., NAACL 2019), as in its published configuration.
/// A small one keeps the elements of a head.
struct BertSizes {
  explicit BertSizes(const ModelOptions &options)
      : layers(options.pickLayers(12, 2)) {
    if (!options.small)
      return;
    hidden = 128, heads = 2, feedForward = 512;
    vocabulary = 522, positions = 64;
  }

  int64_t layers, hidden = 768, heads = 12, feedForward = 3072;
  int64_t vocabulary = 30522, positions = 512, segments = 2;
};
constexpr double kEpsilon = 1e-12;
} // namespace

/// [n, s, hidden] -> [n, heads, s, hidden / heads].
static Value splitHeads(ModelBuilder &b, Value x, const BertSizes &sizes) {
  Shape shape = getShape(x);
  x = b.reshape(x,
                {shape[0], shape[1], sizes.heads, sizes.hidden / sizes.heads});
  return b.transpose(x, {0, 2, 1, 3});
}

static Value buildLayer(ModelBuilder &b, Value x, Value mask, const Twine &name,
                        const BertSizes &sizes) {
  auto head = [&](const Twine &part) {
    return splitHeads(
        b, b.linear(x, name + ".attention.self." + part, sizes.hidden), sizes);
  };
  Value q = head("query"), k = head("key"), v = head("value");
  double scale = 1.0 / std::sqrt(double(sizes.hidden / sizes.heads));
  Value attended = b.op<AttentionOp>(q, k, v, mask, llvm::APFloat(scale),
                                     /*causal=*/false);
  attended = b.reshape(b.transpose(attended, {0, 2, 1, 3}), getShape(x));
  Value y = b.linear(attended, name + ".attention.output.dense", sizes.hidden);
  x = b.layerNorm(b.add(y, x), name + ".attention.output.LayerNorm", kEpsilon);
  y = b.op<GeluOp>(b.linear(x, name + ".intermediate.dense", sizes.feedForward),
                   /*tanh=*/false);
  y = b.linear(y, name + ".output.dense", sizes.hidden);
  return b.layerNorm(b.add(y, x), name + ".output.LayerNorm", kEpsilon);
}

OwningOpRef<ModuleOp> tenon::zoo::buildBertBase(MLIRContext *context,
                                                const ModelOptions &options) {
  ModelBuilder b(context);
  BertSizes sizes(options);
  Shape tokens{options.batch, options.sequence};
  SmallVector<Value> inputs = b.begin({{"input_ids", tokens, b.i64()},
                                       {"attention_mask", tokens, b.i64()},
                                       {"token_type_ids", tokens, b.i64()}});
  auto table = [&](const Twine &name, int64_t rows) {
    return b.parameter("embeddings." + name + ".weight", {rows, sizes.hidden});
  };
  Value x =
      b.op<EmbeddingOp>(table("word_embeddings", sizes.vocabulary), inputs[0]);
  x = b.add(x, b.op<EmbeddingOp>(table("token_type_embeddings", sizes.segments),
                                 inputs[2]));
  MLIRContext *c = context;
  Value positions = b.op<SliceOp>(
      table("position_embeddings", sizes.positions), getInts(c, {0, 0}),
      DimsAttr::get(c, Shape{options.sequence, sizes.hidden}),
      getInts(c, {1, 1}));
  x = b.add(x, b.broadcastLike(positions, x));
  x = b.layerNorm(x, "embeddings.LayerNorm", kEpsilon);

  // Keys that don't count get a score that softmax makes 0.
  Value mask = b.op<CastOp>(inputs[1], b.f32());
  Value one = b.broadcastLike(b.scalar(1.0), mask);
  Value large = b.broadcastLike(b.scalar(-10000.0), mask);
  mask = b.op<MulOp>(b.op<SubOp>(one, mask), large);
  mask = b.reshape(mask, {options.batch, 1, 1, options.sequence});
  for (int64_t layer = 0; layer < sizes.layers; ++layer)
    x = buildLayer(b, x, mask, "encoder.layer." + Twine(layer), sizes);

  Value first =
      b.op<SliceOp>(x, getInts(c, {0, 0, 0}),
                    DimsAttr::get(c, Shape{options.batch, 1, sizes.hidden}),
                    getInts(c, {1, 1, 1}));
  first = b.reshape(first, {options.batch, sizes.hidden});
  Value pooled = b.op<TanhOp>(b.linear(first, "pooler.dense", sizes.hidden));
  return b.finish({{"last_hidden_state", x}, {"pooler_output", pooled}});
}
