//===- Gpt2.cpp - GPT-2, for prompts and step by step ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelBuilder.h"

#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::zoo;

namespace {
/// GPT-2 (Radford et al., 2019), the smallest of its published configurations,
/// or less. Names and shapes of parameters are those of the published weights.
struct Gpt2 {
  static constexpr int64_t head = 64;
  static constexpr double epsilon = 1e-5;
  int64_t layers, heads, hidden, vocabulary, positions;

  /// Keys and values, [n, heads, s, head].
  struct Cached {
    Value key, value;
  };

  ModelBuilder &b;
  Value words, places;

  Gpt2(ModelBuilder &b, const ModelOptions &options)
      : layers(options.pickLayers(12, 2)), heads(options.pick(12, 3)),
        hidden(heads * head), vocabulary(options.pick(50257, 257)),
        positions(options.pick(1024, 64)), b(b) {}

  /// The tables, once the function is begun.
  void declareTables() {
    words = b.parameter("wte.weight", {vocabulary, hidden});
    places = b.parameter("wpe.weight", {positions, hidden});
  }

  /// x W + b: the published weights are [in, out].
  Value project(Value x, const Twine &name, int64_t features);
  /// Part `number` of q, k, v side by side, as [n, heads, s, head].
  Value takeHeads(Value joint, int64_t number);
  /// `attend` gets q, k and v, and gives what attention does with them.
  Value buildLayer(Value x, const Twine &name,
                   llvm::function_ref<Value(Value, Cached)> attend);
  Value buildLogits(Value x);
};
} // namespace

Value Gpt2::project(Value x, const Twine &name, int64_t features) {
  int64_t in = *getShape(x).back().getConstant();
  Value weight = b.parameter(name + ".weight", {in, features});
  Value y = b.op<MatmulOp>(x, weight, /*transpose_a=*/false,
                           /*transpose_b=*/false);
  return b.add(y, b.broadcastLike(b.parameter(name + ".bias", {features}), y));
}

Value Gpt2::takeHeads(Value joint, int64_t number) {
  MLIRContext *c = joint.getContext();
  Shape shape = getShape(joint);
  Value part =
      b.op<SliceOp>(joint, getInts(c, {0, 0, number * hidden}),
                    DimsAttr::get(c, Shape{shape[0], shape[1], hidden}),
                    getInts(c, {1, 1, 1}));
  part = b.reshape(part, {shape[0], shape[1], heads, head});
  return b.transpose(part, {0, 2, 1, 3});
}

Value Gpt2::buildLayer(Value x, const Twine &name,
                       llvm::function_ref<Value(Value, Cached)> attend) {
  Value y = b.layerNorm(x, name + ".ln_1", epsilon);
  y = project(y, name + ".attn.c_attn", 3 * hidden);
  Value q = takeHeads(y, 0), k = takeHeads(y, 1), v = takeHeads(y, 2);
  y = b.transpose(attend(q, {k, v}), {0, 2, 1, 3});
  y = b.reshape(y, getShape(x));
  x = b.add(x, project(y, name + ".attn.c_proj", hidden));
  y = b.layerNorm(x, name + ".ln_2", epsilon);
  y = project(y, name + ".mlp.c_fc", 4 * hidden);
  y = b.op<GeluOp>(y, /*tanh=*/true);
  return b.add(x, project(y, name + ".mlp.c_proj", hidden));
}

/// The table of words is the last matrix, too.
Value Gpt2::buildLogits(Value x) {
  x = b.layerNorm(x, "ln_f", epsilon);
  return b.op<MatmulOp>(x, words, /*transpose_a=*/false, /*transpose_b=*/true);
}

/// Reads a prompt: the logits of every position, and the keys and values to go
/// on from. No mask of the prompts' lengths is needed: what follows a token has
/// no effect on it.
OwningOpRef<ModuleOp> tenon::zoo::buildGpt2(MLIRContext *context,
                                            const ModelOptions &options) {
  ModelBuilder b(context);
  Gpt2 model(b, options);
  SymInt n = options.batch, s = options.sequence;
  Value tokens = b.begin({{"input_ids", {n, s}, b.i64()}}).front();
  model.declareTables();
  Value x = b.op<EmbeddingOp>(model.words, tokens);
  Value places = b.op<SliceOp>(model.places, getInts(context, {0, 0}),
                               DimsAttr::get(context, Shape{s, model.hidden}),
                               getInts(context, {1, 1}));
  x = b.add(x, b.broadcastLike(places, x));
  llvm::APFloat scale(1 / std::sqrt(double(Gpt2::head)));
  SmallVector<std::pair<std::string, Value>> results;
  for (int64_t layer = 0; layer < model.layers; ++layer) {
    std::string present = "present." + std::to_string(layer);
    x = model.buildLayer(x, "h." + Twine(layer), [&](Value q, Gpt2::Cached kv) {
      results.emplace_back(present + ".key", kv.key);
      results.emplace_back(present + ".value", kv.value);
      return b.op<AttentionOp>(q, kv.key, kv.value, /*mask=*/Value(), scale,
                               /*causal=*/true);
    });
  }
  results.insert(results.begin(), {"logits", model.buildLogits(x)});
  return b.finish(results);
}

/// Takes one token of every sequence a step further. `position` says where in
/// the caches its key and value go, and thereby how many tokens came before;
/// what the caches hold from there on must be finite, and does not matter.
OwningOpRef<ModuleOp> tenon::zoo::buildGpt2Decode(MLIRContext *context,
                                                  const ModelOptions &options) {
  ModelBuilder b(context);
  Gpt2 model(b, options);
  SymInt n = options.batch, s = options.sequence;
  SmallVector<ModelBuilder::Input> inputs{{"input_ids", {n, 1}, b.i64()},
                                          {"position", {n}, b.i64()}};
  for (int64_t layer = 0; layer < model.layers; ++layer)
    for (int64_t part = 0; part < 2; ++part)
      inputs.push_back(
          {"past." + std::to_string(layer) + (part == 0 ? ".key" : ".value"),
           {n, model.heads, s, Gpt2::head},
           b.f32(),
           /*donatedTo=*/1 + 2 * layer + part});
  SmallVector<Value> arguments = b.begin(inputs);
  model.declareTables();
  Value x = b.op<EmbeddingOp>(model.words, arguments[0]);
  Value place = b.op<EmbeddingOp>(model.places, arguments[1]);
  x = b.add(x, b.reshape(place, getShape(x)));

  Value index =
      b.op<IotaOp>(DimsAttr::get(context, Shape{n, s}), /*axis=*/1, b.i64());
  Value position = b.broadcastLike(b.reshape(arguments[1], {n, 1}), index);
  Value here = b.reshape(b.op<EqualOp>(index, position), {n, 1, s, 1});
  here = b.broadcastLike(here, arguments[2]);
  Value seen = b.op<LessEqualOp>(index, position);
  Value zero =
      b.op<BroadcastOp>(b.scalar(0.0), DimsAttr::get(context, Shape{n, s}));
  Value large = b.broadcastLike(b.scalar(-10000.0), zero);
  Value mask = b.reshape(b.op<WhereOp>(seen, zero, large), {n, 1, 1, s});

  llvm::APFloat scale(1 / std::sqrt(double(Gpt2::head)));
  SmallVector<std::pair<std::string, Value>> results;
  for (int64_t layer = 0; layer < model.layers; ++layer) {
    auto update = [&](Value cache, Value entry) {
      return b.op<WhereOp>(here, b.broadcastLike(entry, cache), cache);
    };
    std::string present = "present." + std::to_string(layer);
    x = model.buildLayer(x, "h." + Twine(layer), [&](Value q, Gpt2::Cached kv) {
      Value key = update(arguments[2 + 2 * layer], kv.key);
      Value value = update(arguments[3 + 2 * layer], kv.value);
      results.emplace_back(present + ".key", key);
      results.emplace_back(present + ".value", value);
      return b.op<AttentionOp>(q, key, value, mask, scale, /*causal=*/false);
    });
  }
  results.insert(results.begin(), {"logits", model.buildLogits(x)});
  return b.finish(results);
}
