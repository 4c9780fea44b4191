//===- Gpt2.cpp - GPT-2, for prompts and step by step ---------------------===//
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
  /// Leaves out positions that the caches can't hold: a run past the capacity
  /// fails when it looks its position up, with an error that names the limit.
  void limitPlaces(int64_t capacity) {
    MLIRContext *c = places.getContext();
    if (capacity < positions)
      places =
          b.op<SliceOp>(places, getInts(c, {0, 0}),
                        getInts(c, {capacity, hidden}), getInts(c, {1, 1}));
  }
  /// Those of a text from its beginning.
  Value slicePlaces(const SymInt &count) {
    MLIRContext *c = places.getContext();
    return b.op<SliceOp>(places, getInts(c, {0, 0}),
                         DimsAttr::get(c, Shape{count, hidden}),
                         getInts(c, {1, 1}));
  }

  /// x W + b: the published weights are [in, out].
  Value project(Value x, const Twine &name, int64_t features);
  /// Part `number` of q, k, v side by side, as [n, heads, s, head].
  Value takeHeads(Value joint, int64_t number);
  /// `attend` gets q, k and v, and gives what attention does with them.
  Value buildLayer(Value x, const Twine &name,
                   llvm::function_ref<Value(Value, Cached)> attend);
  Value buildLogits(Value x);

  // With caches of keys and values in states.
  /// Shared by the entries: a sequence's keys and values so far.
  static std::string nameCache(int64_t layer, StringRef part) {
    return "cache." + std::to_string(layer) + "." + part.str();
  }
  void declareCaches(int64_t batch, int64_t capacity);
  /// Starts a cache anew with `entries`; its later rows stay.
  void startCache(StringRef name, Value entries);
  /// Puts one entry at `position`; gives the whole cache.
  Value growCache(StringRef name, Value entry, Value position);
  /// Ends an entry: the logits after the last position of `x`, and the token
  /// that they favour.
  void endEntry(Value x);
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
  x = b.add(x, b.broadcastLike(model.slicePlaces(s), x));
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

void Gpt2::declareCaches(int64_t batch, int64_t capacity) {
  for (int64_t layer = 0; layer < layers; ++layer)
    for (StringRef part : {"key", "value"})
      b.state(nameCache(layer, part), {batch, heads, capacity, head}, b.f32());
  // Tokens that the caches hold.
  b.state("position", {1}, b.i64());
}

void Gpt2::startCache(StringRef name, Value entries) {
  MLIRContext *c = entries.getContext();
  Value old = b.readState(name);
  Shape rest = getShape(old);
  SymInt count = getShape(entries)[2];
  rest[2] = rest[2] - count;
  old = b.op<SliceOp>(old, DimsAttr::get(c, Shape{0, 0, count, 0}),
                      DimsAttr::get(c, rest), getInts(c, {1, 1, 1, 1}));
  b.writeState(name, b.op<ConcatOp>(ValueRange{entries, old}, /*axis=*/2));
}

/// A run checks the position: behind the last row it fails, and names the
/// limit.
Value Gpt2::growCache(StringRef name, Value entry, Value position) {
  Value indices = b.broadcastLike(b.reshape(position, {1, 1, 1, 1}), entry);
  Value cache = b.op<ScatterElementsOp>(b.readState(name), indices, entry,
                                        /*axis=*/2, ScatterReduction::None);
  b.writeState(name, cache);
  return cache;
}

void Gpt2::endEntry(Value x) {
  MLIRContext *c = x.getContext();
  Shape shape = getShape(x);
  Value last = b.op<SliceOp>(
      x, DimsAttr::get(c, Shape{0, shape[1] - SymInt(1), 0}),
      DimsAttr::get(c, Shape{shape[0], 1, hidden}), getInts(c, {1, 1, 1}));
  Value logits = b.reshape(buildLogits(last), {shape[0], vocabulary});
  Value token = b.op<ArgmaxOp>(logits, /*axis=*/1, /*keepdims=*/true,
                               /*select_last=*/false);
  b.end({{"logits", logits}, {"token", token}});
}

/// GPT-2 as a program of two entries. `prefill` begins a text, `decode`
/// continues it token by token. The contents of the caches from the position on
/// must be finite, and are not used.
OwningOpRef<ModuleOp> tenon::zoo::buildGpt2Cached(MLIRContext *context,
                                                  const ModelOptions &options) {
  ModelBuilder b(context);
  Gpt2 model(b, options);
  int64_t batch = options.batch.getConstant().value_or(1);
  int64_t capacity = *options.cache;
  SymInt s = options.sequence;
  llvm::APFloat scale(1 / std::sqrt(double(Gpt2::head)));
  model.declareCaches(batch, capacity);

  Value tokens =
      b.begin({{"input_ids", {batch, s}, b.i64()}}, "prefill").front();
  model.declareTables();
  model.limitPlaces(capacity);
  Value x = b.op<EmbeddingOp>(model.words, tokens);
  x = b.add(x, b.broadcastLike(model.slicePlaces(s), x));
  for (int64_t layer = 0; layer < model.layers; ++layer)
    x = model.buildLayer(x, "h." + Twine(layer), [&](Value q, Gpt2::Cached kv) {
      model.startCache(Gpt2::nameCache(layer, "key"), kv.key);
      model.startCache(Gpt2::nameCache(layer, "value"), kv.value);
      return b.op<AttentionOp>(q, kv.key, kv.value, /*mask=*/Value(), scale,
                               /*causal=*/true);
    });
  // The number s as a tensor.
  Value count = b.op<IotaOp>(DimsAttr::get(context, Shape{s + SymInt(1)}),
                             /*axis=*/0, b.i64());
  b.writeState("position",
               b.op<SliceOp>(count, DimsAttr::get(context, Shape{s}),
                             getInts(context, {1}), getInts(context, {1})));
  model.endEntry(x);

  tokens = b.begin({{"input_ids", {batch, 1}, b.i64()}}, "decode").front();
  model.declareTables();
  model.limitPlaces(capacity);
  x = b.op<EmbeddingOp>(model.words, tokens);
  Value position = b.readState("position");
  Value place = b.op<EmbeddingOp>(model.places, position);
  x = b.add(x, b.broadcastLike(b.reshape(place, {1, 1, model.hidden}), x));
  Value index = b.op<IotaOp>(getInts(context, {capacity}), /*axis=*/0, b.i64());
  Value seen = b.op<LessEqualOp>(index, b.broadcastLike(position, index));
  Value zero = b.op<BroadcastOp>(b.scalar(0.0), getInts(context, {capacity}));
  Value large = b.broadcastLike(b.scalar(-10000.0), zero);
  Value mask = b.reshape(b.op<WhereOp>(seen, zero, large), {1, 1, 1, capacity});
  for (int64_t layer = 0; layer < model.layers; ++layer)
    x = model.buildLayer(x, "h." + Twine(layer), [&](Value q, Gpt2::Cached kv) {
      Value key =
          model.growCache(Gpt2::nameCache(layer, "key"), kv.key, position);
      Value value =
          model.growCache(Gpt2::nameCache(layer, "value"), kv.value, position);
      return b.op<AttentionOp>(q, key, value, mask, scale, /*causal=*/false);
    });
  b.writeState("position", b.add(position, b.integers({1})));
  model.endEntry(x);
  return b.take();
}
