//===- CpuSequenceModels.cpp - models on the CPU for sequences of calls ---===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SequenceModel.h"

#include "tenon/Artifact/Backend.h"

using namespace tenon::artifact;

namespace tenon::runtime {

/// More than there are addresses.
static constexpr int64_t impossibleBytes = int64_t(1) << 48;
/// A size for which models need that.
static constexpr int64_t impossibleSize = 39;

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// out[i] = in[i] + 1.
static void addOne(const int64_t *, void *const *buffers, void *, int64_t lo,
                   int64_t hi) {
  for (int64_t i = lo; i < hi; ++i)
    static_cast<float *>(buffers[1])[i] =
        static_cast<const float *>(buffers[0])[i] + 1;
}

/// out[i] = a[i] * b[i], by way of scratch memory.
static void multiply(const int64_t *, void *const *buffers, void *scratch,
                     int64_t lo, int64_t hi) {
  float *partial = static_cast<float *>(scratch);
  for (int64_t i = lo; i < hi; ++i) {
    partial[i % 16] = static_cast<const float *>(buffers[0])[i];
    static_cast<float *>(buffers[2])[i] =
        partial[i % 16] * static_cast<const float *>(buffers[1])[i];
  }
}

/// y[n, m] = (x[n, m] + 1) * z[n, m], for n of at most 40.
static void makeKernels(SequenceModel &model) {
  model.name = "kernels";
  TestProgram &test = model.test;
  test.addSymbol("n");
  test.addSymbol("m");
  int32_t x = test.addInput("x", {-1, -2}), z = test.addInput("z", {-1, -2});
  int32_t y = test.addOutput("y", {-1, -2});
  int32_t t = test.addArena(-1, -1, 0, 1);
  test.addKernel("plus", {x, t}, addOne, -1);
  test.addKernel("times", {t, z, y}, multiply, -1);
  test.entry.arena_bytes = test.entry.scratch_bytes = -1;
  test.entry.scratch_size = [](const int64_t *s, int64_t *out) {
    out[0] = s[0] == 37 ? impossibleBytes : 64 + s[0];
  };
  test.entry.buffer_bytes = [](const int64_t *s, int64_t *out) {
    out[0] = out[1] = out[2] = out[3] = 4 * s[0] * s[1];
    if (s[0] == impossibleSize)
      out[3] = impossibleBytes;
  };
  test.entry.step_extents = [](const int64_t *s, int64_t *out) {
    out[0] = out[1] = s[0] == 38 ? -1 : s[0] * s[1];
  };
  static const char *const conditions[] = {"n of at most 40"};
  test.entry.num_conditions = 1;
  test.entry.conditions = conditions;
  test.entry.condition_values = [](const int64_t *s, int64_t *out) {
    out[0] = 40 - s[0];
  };
  model.sizes = {{1, 1}, {3, 5}, {8, 4}, {0, 4}, {7, 0}, {33, 9}, {40, 300}};
  model.refused = {{41, 3}, {1000, 1}};
  model.unplannable = {{impossibleSize, 2}, {38, 2}, {37, 2}};
}

/// y[n] = x[n] + 1 and d[n] = c[n], in place if the caller likes.
static void makeDonated(SequenceModel &model) {
  model.name = "donated";
  TestProgram &test = model.test;
  test.addSymbol("n");
  int32_t x = test.addInput("x", {-1}), c = test.addInput("c", {-1});
  int32_t y = test.addOutput("y", {-1}), d = test.addOutput("d", {-1});
  test.addKernel("plus", {x, y}, addOne, -1);
  test.addCopy("copy", c, d);
  test.setDonations({0, 1});
  test.entry.buffer_bytes = [](const int64_t *s, int64_t *out) {
    out[0] = out[1] = out[2] = out[3] = 4 * s[0];
  };
  test.entry.step_extents = [](const int64_t *s, int64_t *out) {
    out[0] = out[1] = s[0];
  };
  model.isDonated = true;
  model.sizes = {{0}, {1}, {2}, {100}, {5000}};
}

/// Static sizes: everything is planned at load.
static void makeStatic(SequenceModel &model) {
  model.name = "static";
  TestProgram &test = model.test;
  int32_t x = test.addInput("x", {8}), y = test.addOutput("y", {8});
  int32_t t = test.addArena(32, 64, 0, 1);
  test.addKernel("first", {x, t}, addOne, 8);
  test.addKernel("second", {t, y}, addOne, 8);
  test.entry.arena_bytes = 128;
  model.sizes = {{}};
}

//===----------------------------------------------------------------------===//
// Libraries
//===----------------------------------------------------------------------===//

/// y[n, 24] = relu((x[n, 40] + 1) * p[40, 24] + bias), where p is prepared and
/// packed.
static void makeMatmul(SequenceModel &model) {
  model.name = "matmul";
  TestProgram &test = model.test;
  test.addSymbol("n");
  int32_t x = test.addInput("x", {-1, 40}), y = test.addOutput("y", {-1, 24});
  int32_t w = test.addParam("w", {40, 24}), p = test.addPrepared(40 * 24 * 4);
  int32_t t = test.addArena(-1, -1, 1, 2), bias = model.constant(24, 5);
  tenon_call &call = model.call(
      TENON_PRIMITIVE_MATMUL, {model.operand({-1, 40}), model.operand({40, 24}),
                               model.operand({24}), model.operand({-1, 24})});
  model.postOps.push_back({{TENON_POST_OP_RELU, 0, 0}});
  call.num_post_ops = call.constant_weight = 1;
  call.post_ops = model.postOps.back().data();
  test.addKernel("prepare", {w, p}, addOne, 40 * 24);
  test.addKernel("plus", {x, t}, addOne, -1);
  test.addLibrary("matmul", {t, p, bias, y}, call);
  test.numPrepareSteps = 1;
  test.entry.arena_bytes = -1;
  test.entry.buffer_bytes = [](const int64_t *s, int64_t *out) {
    out[0] = out[4] = s[0] * 40 * 4;
    out[1] = s[0] * 24 * 4;
    out[2] = out[3] = 40 * 24 * 4;
    out[5] = 24 * 4;
    if (s[0] == impossibleSize)
      out[4] = impossibleBytes;
  };
  test.entry.step_extents = [](const int64_t *s, int64_t *out) {
    out[0] = 40 * 24;
    out[1] = 40 * s[0];
    out[2] = 1;
  };
  model.options.random_params = 1;
  model.sizes = {{0}, {1}, {2}, {3}, {8}, {17}, {64}, {260}};
  model.unplannable = {{impossibleSize}};
}

/// y = layer norm of softmax of x[b, m, 16] * w[b, 16, 24].
static void makeRows(SequenceModel &model) {
  model.name = "rows";
  TestProgram &test = model.test;
  test.addSymbol("b");
  test.addSymbol("m");
  int32_t x = test.addInput("x", {-1, -2, 16});
  int32_t w = test.addInput("w", {-1, 16, 24});
  int32_t y = test.addOutput("y", {-1, -2, 24});
  int32_t t = test.addArena(-1, -1, 0, 1), u = test.addArena(-1, -1, 1, 2);
  int32_t scale = model.constant(24, 6), shift = model.constant(24, 7);
  auto rows = [&] { return model.operand({-1, -2, 24}); };
  tenon_call &product =
      model.call(TENON_PRIMITIVE_MATMUL, {model.operand({-1, -2, 16}),
                                          model.operand({-1, 16, 24}), rows()});
  tenon_call &softmax = model.call(TENON_PRIMITIVE_SOFTMAX, {rows(), rows()});
  tenon_call &norm =
      model.call(TENON_PRIMITIVE_LAYER_NORM,
                 {rows(), model.operand({24}), model.operand({24}), rows()});
  static const tenon_layer_norm epsilon = {1e-5f};
  norm.fields = &epsilon;
  test.addLibrary("product", {x, w, t}, product);
  test.addLibrary("softmax", {t, u}, softmax);
  test.addLibrary("norm", {u, scale, shift, y}, norm);
  test.entry.arena_bytes = -1;
  test.entry.buffer_bytes = [](const int64_t *s, int64_t *out) {
    out[0] = s[0] * s[1] * 16 * 4;
    out[1] = s[0] * 16 * 24 * 4;
    out[2] = out[3] = out[4] = s[0] * s[1] * 24 * 4;
    out[5] = out[6] = 24 * 4;
    if (s[0] == impossibleSize)
      out[3] = impossibleBytes;
  };
  model.sizes = {{1, 1}, {2, 3}, {4, 8}, {0, 3}, {3, 0}, {5, 33}, {9, 70}};
  model.unplannable = {{impossibleSize, 1}};
}

static const int64_t ones[] = {1, 1}, threes[] = {3, 3};

/// Windows of 3x3 with pads.
static const tenon_convolution padded = {2, ones, ones, ones, ones, 1, 0};
static const tenon_pool pool = {2, threes, ones, ones, 0};

/// y = mean(max(relu(conv(x[n, h, 8, 16])))), channels last.
static void makeConv(SequenceModel &model) {
  model.name = "conv";
  TestProgram &test = model.test;
  test.addSymbol("n");
  test.addSymbol("h");
  int32_t x = test.addInput("x", {-1, -2, 8, 16});
  int32_t y = test.addOutput("y", {-1, -2, 8, 16});
  int32_t w = model.constant(16 * 16 * 9, 8);
  int32_t t = test.addArena(-1, -1, 0, 1), u = test.addArena(-1, -1, 1, 2);
  auto image = [&] { return model.operand({-1, 16, -2, 8}, {0, 2, 3, 1}); };
  tenon_call &conv = model.call(
      TENON_PRIMITIVE_CONV, {image(), model.operand({16, 16, 3, 3}), image()});
  model.postOps.push_back({{TENON_POST_OP_RELU, 0, 0}});
  conv.num_post_ops = conv.constant_weight = 1;
  conv.post_ops = model.postOps.back().data();
  tenon_call &largest =
      model.call(TENON_PRIMITIVE_MAX_POOL, {image(), image()});
  tenon_call &mean = model.call(TENON_PRIMITIVE_AVG_POOL, {image(), image()});
  conv.fields = &padded;
  largest.fields = &pool;
  mean.fields = &pool;
  test.addLibrary("conv", {x, w, t}, conv);
  test.addLibrary("largest", {t, u}, largest);
  test.addLibrary("mean", {u, y}, mean);
  test.entry.arena_bytes = -1;
  test.entry.buffer_bytes = [](const int64_t *s, int64_t *out) {
    out[0] = out[1] = out[3] = out[4] = s[0] * s[1] * 8 * 16 * 4;
    out[2] = 16 * 16 * 9 * 4;
    if (s[0] == impossibleSize)
      out[3] = impossibleBytes;
  };
  model.sizes = {{1, 4}, {2, 5}, {0, 4}, {2, 0}, {3, 8}, {1, 17}, {6, 12}};
  model.unplannable = {{impossibleSize, 1}};
}

/// y[n, h, 10, 32] = relu(conv(x[n, h, 10, 16]) + bias) by Winograd.
static void makeWinograd(SequenceModel &model) {
  model.name = "winograd";
  TestProgram &test = model.test;
  test.addSymbol("n");
  test.addSymbol("h");
  int32_t x = test.addInput("x", {-1, -2, 10, 16});
  int32_t y = test.addOutput("y", {-1, -2, 10, 32});
  int32_t w = model.constant(32 * 16 * 9, 9), bias = model.constant(32, 10);
  std::vector<int32_t> last = {0, 2, 3, 1};
  tenon_call &call = model.call(
      TENON_PRIMITIVE_CONV,
      {model.operand({-1, 16, -2, 10}, last), model.operand({32, 16, 3, 3}),
       model.operand({32}), model.operand({-1, 32, -2, 10}, last)});
  model.postOps.push_back({{TENON_POST_OP_RELU, 0, 0}});
  call.library = TENON_LIBRARY_WINOGRAD;
  call.num_post_ops = call.constant_weight = 1;
  call.post_ops = model.postOps.back().data();
  call.fields = &padded;
  test.addLibrary("conv", {x, w, bias, y}, call);
  test.entry.buffer_bytes = [](const int64_t *s, int64_t *out) {
    out[0] = s[0] * s[1] * 10 * 16 * 4;
    out[1] = s[0] * s[1] * 10 * 32 * 4;
    out[2] = 32 * 16 * 9 * 4;
    out[3] = 32 * 4;
  };
  model.sizes = {{1, 8}, {2, 6}, {0, 8}, {3, 11}, {1, 40}, {4, 20}};
}

/// y[b, 3] = p[3] + 1 - (x[b, 3] + 1) + 1, the difference by a plug-in.
static void makePlugin(SequenceModel &model) {
  model.name = "plug-in";
  TestProgram &test = model.test;
  test.addSymbol("b");
  int32_t x = test.addInput("x", {-1, 3}), y = test.addOutput("y", {-1, 3});
  int32_t p = model.constant(3, 11);
  int32_t t = test.addArena(-1, -1, 0, 1), u = test.addArena(-1, -1, 1, 2);
  tenon_dtype f32 = {TENON_DL_FLOAT, 32, 1};
  model.pluginOperands = {{f32, 1, 1, 0}, {f32, 1, 0, 1}, {f32, 1, 1, 0}};
  tenon_plugin_call &call = model.plugin;
  static const char *const names[] = {"n"};
  call.backend = "counting";
  call.file = "counting.so";
  call.pattern = "difference";
  call.patterns_hash = tenon_plugin_hash("difference");
  call.num_operands = 2;
  call.num_results = 1;
  call.operands = model.pluginOperands.data();
  call.num_symbols = 1;
  call.symbol_names = names;
  call.sizes = [](const int64_t *s, int64_t *sizes) {
    sizes[0] = s[0];
    for (int i = 1; i < 5; ++i)
      sizes[i] = 3;
  };
  test.addKernel("before", {x, t}, addOne, -1);
  test.addPlugin("difference", {t, p, u}, call);
  test.addKernel("after", {u, y}, addOne, -1);
  test.entry.arena_bytes = -1;
  test.entry.buffer_bytes = [](const int64_t *s, int64_t *out) {
    out[0] = out[1] = out[3] = out[4] = s[0] * 3 * 4;
    out[2] = 3 * 4;
  };
  test.entry.step_extents = [](const int64_t *s, int64_t *out) {
    out[0] = out[2] = s[0] * 3;
    out[1] = 1;
  };
  model.canFailStep = true;
  model.sizes = {{0}, {1}, {2}, {4}, {9}, {50}};
  // The plug-in refuses the one, and asks for too much for the other.
  model.unplannable = {{77}, {78}};
}

std::deque<SequenceModel> &cpuSequenceModels(int32_t threads) {
  static std::map<int32_t, std::deque<SequenceModel>> all;
  std::deque<SequenceModel> &models = all[threads];
  if (models.empty())
    for (auto make : {makeKernels, makeDonated, makeStatic, makeMatmul,
                      makeRows, makeConv, makeWinograd, makePlugin}) {
      SequenceModel &model = models.emplace_back();
      make(model);
      model.options.threads = threads;
      model.test.get();
    }
  return models;
}

} // namespace tenon::runtime
