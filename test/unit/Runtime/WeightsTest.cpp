//===- WeightsTest.cpp - tests of shared weights --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestProgram.h"

#include "tenon/Artifact/File.h"
#include "tenon/Artifact/SafetensorsWriter.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <thread>
#include <unistd.h>

using namespace tenon;
using namespace tenon::runtime;
using artifact::Expected;
using artifact::Status;

extern "C" {
int32_t tenon_runtime_open_weights(const tenon_weights_options *,
                                   tenon_weights **);
void tenon_runtime_close_weights(tenon_weights *);
const char *tenon_runtime_last_error(void);
}

static constexpr int64_t rows = 64, inner = 96, columns = 128;
static constexpr int64_t weightBytes = inner * columns * 4;

static std::atomic<int> prepared{0};

/// out[i] = 2 * in[i].
static void twice(const int64_t *, void *const *buffers, void *, int64_t lo,
                  int64_t hi) {
  const float *in = static_cast<const float *>(buffers[0]);
  float *out = static_cast<float *>(buffers[1]);
  for (int64_t i = lo; i < hi; ++i)
    out[i] = 2 * in[i];
  prepared += lo == 0;
}

/// y = x * (2 w) in two ways: of the parameter w, doubled by prepare, and of w
/// itself, doubled after. `dynamic`: of n rows.
struct ProductModel {
  TestProgram test;
  int64_t lhs[2] = {rows, inner}, rhs[2] = {inner, columns},
          result[2] = {rows, columns};
  tenon_call_operand operands[3];
  tenon_call call = {};

  explicit ProductModel(bool isPrepared, bool isDynamic = false) {
    lhs[0] = result[0] = isDynamic ? -1 : rows;
    const int64_t *shapes[] = {lhs, rhs, result};
    for (int i = 0; i < 3; ++i)
      operands[i] = {{TENON_DL_FLOAT, 32, 1}, 2, shapes[i], nullptr};
    call.primitive = TENON_PRIMITIVE_MATMUL;
    call.num_operands = 3;
    call.operands = operands;
    call.constant_weight = 1;
    if (isDynamic)
      test.addSymbol("n");
    int32_t x = test.addInput("x", {lhs[0], inner});
    int32_t y = test.addOutput("y", {lhs[0], columns});
    int32_t w = test.addParam("w", {inner, columns});
    if (isPrepared) {
      int32_t p = test.addPrepared(weightBytes);
      test.addKernel("prepare", {w, p}, twice, inner * columns);
      test.addLibrary("matmul", {x, p, y}, call);
      test.numPrepareSteps = 1;
    } else {
      int32_t t = test.addArena(rows * columns * 4, 0, 0, 1);
      test.addLibrary("matmul", {x, w, t}, call);
      test.addKernel("twice", {t, y}, twice, rows * columns);
      test.entry.arena_bytes = rows * columns * 4;
    }
    test.entry.buffer_bytes = isDynamic ? [](const int64_t *n, int64_t *out) {
      out[0] = 4 * n[0] * inner;
      out[1] = 4 * n[0] * columns;
    } : tenon_sizes_fn(nullptr);
  }
};

namespace {
class Weights : public ::testing::Test {
protected:
  std::string path = ::testing::TempDir() + "tenon-" +
                     std::to_string(::getpid()) + "-shared.safetensors";
  std::vector<float> values = std::vector<float>(inner * columns);
  tenon_weights *weights = nullptr;

  void SetUp() override {
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = float(i % 7) - 3;
    writeFile();
    prepared = 0;
  }
  void TearDown() override {
    tenon_runtime_close_weights(weights);
    std::remove(path.c_str());
  }
  void writeFile() {
    auto writer = artifact::SafetensorsWriter::create(
        path, {{"w", artifact::DType::F32, {inner, columns}}});
    ASSERT_TRUE(writer && writer->write("w", values.data(), weightBytes) &&
                writer->finish());
  }
  std::string openError(tenon_weights_options options) {
    options.struct_size = sizeof options;
    tenon_runtime_close_weights(weights);
    if (tenon_runtime_open_weights(&options, &weights) == 0)
      return "";
    EXPECT_EQ(weights, nullptr);
    return tenon_runtime_last_error();
  }
  Expected<std::unique_ptr<Model>> load(ProductModel &product,
                                        tenon_load_options options = {}) {
    if (weights && !options.options.params_path)
      options.weights = weights;
    LoadSettings settings;
    settings.options = options;
    const tenon_program *programs[] = {&product.test.get(), nullptr};
    return Model::load(programs, settings);
  }
  tenon_load_options ofFile() const {
    tenon_load_options options = {};
    options.options.params_path = path.c_str();
    return options;
  }
  void expectRuns(Model &model, int64_t n = rows) {
    TestTensor x({n, inner}, 1), y({n, columns}, NAN);
    x.data[3] = 5;
    Status status = run(model, {&x}, {&y});
    ASSERT_TRUE(status) << status.error();
    for (int64_t row : {int64_t(0), n - 1})
      for (int64_t column = 0; column < columns; ++column) {
        float sum = 0;
        for (int64_t k = 0; k < inner; ++k)
          sum += x.data[row * inner + k] * values[k * columns + column];
        ASSERT_NEAR(y.data[row * columns + column], 2 * sum, 1e-3);
      }
  }
};

/// Memory of derived data.
struct CountingAllocator {
  std::atomic<int64_t> bytes{0};
  tenon_allocator get() {
    return {this,
            [](void *context, size_t bytes, size_t alignment) {
              static_cast<CountingAllocator *>(context)->bytes +=
                  int64_t(bytes);
              return std::aligned_alloc(alignment, (bytes + alignment - 1) /
                                                       alignment * alignment);
            },
            [](void *context, void *data, size_t bytes) {
              static_cast<CountingAllocator *>(context)->bytes -=
                  int64_t(bytes);
              std::free(data);
            }};
  }
};
} // namespace

TEST_F(Weights, OfAFileAreShared) {
  for (bool isPrepared : {false, true}) {
    ProductModel product(isPrepared);
    CountingAllocator host;
    tenon_allocator allocator = host.get();
    tenon_weights_options options = {};
    options.path = path.c_str();
    options.allocator = &allocator;
    ASSERT_EQ(openError(options), "");
    prepared = 0;
    std::vector<std::unique_ptr<Model>> models;
    int64_t one = 0;
    for (int i = 0; i < 10; ++i) {
      auto model = load(product);
      ASSERT_TRUE(model) << model.error();
      expectRuns(**model);
      models.push_back(std::move(*model));
      if (i == 0)
        one = host.bytes;
      EXPECT_EQ(host.bytes, one);
      EXPECT_GE(int64_t(models[i]->memoryBytes()), one);
    }
    // Without AVX-512 the library reads the file's weights unchanged.
    if (isPrepared || one != 0) {
      EXPECT_GE(one, weightBytes);
    }
    EXPECT_LE(one, weightBytes * 11 / 10);
    EXPECT_EQ(prepared, isPrepared ? 1 : prepared.load());
    // Closed before the models.
    tenon_runtime_close_weights(weights);
    weights = nullptr;
    expectRuns(*models[9]);
    models.pop_back();
    EXPECT_EQ(host.bytes, one);
    models.clear();
    EXPECT_EQ(host.bytes, 0);
  }
}

TEST_F(Weights, OfOneFileAreSharedUnasked) {
  ProductModel product(/*isPrepared=*/true);
  auto first = load(product, ofFile()), second = load(product, ofFile());
  ASSERT_TRUE(first && second);
  EXPECT_EQ(prepared, 1);
  expectRuns(**first);
  expectRuns(**second);
  // After a change, it is another file.
  values[0] = 100;
  writeFile();
  auto third = load(product, ofFile());
  ASSERT_TRUE(third) << third.error();
  EXPECT_EQ(prepared, 2);
  expectRuns(**third);
  // An allocator of its own shares nothing.
  CountingAllocator host;
  tenon_allocator allocator = host.get();
  tenon_load_options options = ofFile();
  options.allocator = &allocator;
  auto own = load(product, options);
  ASSERT_TRUE(own) << own.error();
  EXPECT_EQ(prepared, 3);
  EXPECT_EQ(uint64_t(host.bytes), (*own)->memoryBytes());
  expectRuns(**own);
}

TEST_F(Weights, AreMadeAgain) {
  // Other instances need, in another layout, a weight that the first has packed
  // and freed.
  ProductModel product(/*isPrepared=*/true, /*isDynamic=*/true);
  auto first = load(product, ofFile());
  ASSERT_TRUE(first) << first.error();
  expectRuns(**first, 64);
  auto second = load(product, ofFile());
  ASSERT_TRUE(second) << second.error();
  for (int64_t n : {1, 3, 64, 200}) {
    expectRuns(**second, n);
    expectRuns(**first, n);
  }
  first->reset();
  expectRuns(**second, 7);
  auto third = load(product, ofFile());
  ASSERT_TRUE(third) << third.error();
  expectRuns(**third, 5);
}

TEST_F(Weights, OfTwoProgramsAtOnce) {
  ProductModel plain(false), doubled(true);
  tenon_weights_options options = {};
  options.path = path.c_str();
  ASSERT_EQ(openError(options), "");
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i)
    threads.emplace_back([&, i] {
      for (int round = 0; round < 10; ++round) {
        LoadSettings settings;
        settings.options.weights = weights;
        settings.options.options.threads = 1;
        ProductModel own(i % 2);
        const tenon_program *programs[] = {&own.test.get(), nullptr};
        auto model = Model::load(programs, settings);
        ASSERT_TRUE(model) << model.error();
        expectRuns(**model);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST_F(Weights, OfMemory) {
  auto bytes = artifact::readFile(path);
  ASSERT_TRUE(bytes);
  tenon_weights_options options = {};
  options.data = bytes->data();
  options.bytes = bytes->size();
  ASSERT_EQ(openError(options), "");
  for (bool isPrepared : {false, true}) {
    ProductModel product(isPrepared);
    auto first = load(product), second = load(product);
    ASSERT_TRUE(first && second);
    expectRuns(**first);
    expectRuns(**second);
  }
  // The caller's memory is as before.
  EXPECT_EQ(*bytes, *artifact::readFile(path));
  options.bytes = 20;
  EXPECT_EQ(openError(options).find("weights: 'the caller's memory' is not a "
                                    "valid safetensors file: "),
            0u);
}

namespace {
struct Reader {
  const std::vector<float> *values;
  int calls = 0;
  enum { Fill, Give, Crooked, Fail } way = Fill;
  static int32_t read(void *context, const char *name, tenon_tensor *tensor,
                      char *reason, size_t bytes) {
    auto &self = *static_cast<Reader *>(context);
    ++self.calls;
    EXPECT_STREQ(name, "w");
    EXPECT_EQ(tensor->ndim, 2);
    EXPECT_EQ(tensor->shape[1], columns);
    EXPECT_EQ(tensor->dtype.bits, 32);
    char *data =
        reinterpret_cast<char *>(const_cast<float *>(self.values->data()));
    switch (self.way) {
    case Fill:
      std::memcpy(tensor->data, data, weightBytes);
      return 0;
    case Give:
      tensor->data = data;
      return 0;
    case Crooked:
      tensor->data = data + 1;
      return 0;
    default:
      std::snprintf(reason, bytes, "no key");
      return 1;
    }
  }
};
} // namespace

TEST_F(Weights, OfAFunction) {
  Reader reader{&values};
  CountingAllocator host;
  tenon_allocator allocator = host.get();
  tenon_weights_options options = {};
  options.read = Reader::read;
  options.context = &reader;
  options.allocator = &allocator;
  for (auto way : {Reader::Fill, Reader::Give})
    for (bool isPrepared : {false, true}) {
      reader.way = way;
      ASSERT_EQ(openError(options), "");
      ProductModel product(isPrepared);
      auto first = load(product), second = load(product);
      ASSERT_TRUE(first) << first.error();
      ASSERT_TRUE(second) << second.error();
      expectRuns(**first);
      expectRuns(**second);
      // Only the packed weights are kept.
      EXPECT_LE(host.bytes, weightBytes * 11 / 10);
      first->reset();
      second->reset();
      EXPECT_EQ(host.bytes, 0);
    }
  ProductModel product(false);
  reader.way = Reader::Crooked;
  EXPECT_EQ(load(product).error(), "parameter 'w': the caller gave memory that "
                                   "is not aligned to its elements");
  reader.way = Reader::Fail;
  EXPECT_EQ(load(product).error(),
            "parameter 'w': the caller's read function failed: no key");
  EXPECT_EQ(host.bytes, 0);
}

TEST_F(Weights, AreCountedInTheLimit) {
  ProductModel product(true);
  auto first = load(product, ofFile());
  ASSERT_TRUE(first);
  tenon_load_options options = ofFile();
  options.memory_limit = 1000;
  auto model = load(product, options);
  ASSERT_FALSE(model);
  EXPECT_NE(model.error().find("but memory_limit is 1000"), std::string::npos)
      << model.error();
  expectRuns(**first);
}

TEST_F(Weights, Errors) {
  tenon_weights_options options = {};
  EXPECT_EQ(openError(options),
            "weights: expected one of path, data and read, but got 0");
  options.path = "";
  EXPECT_EQ(openError(options),
            "weights: path: expected a file, but got an empty name");
  options.path = "/nonexistent";
  EXPECT_EQ(openError(options),
            "weights: cannot open '/nonexistent': No such file or directory");
  options.data = "x";
  EXPECT_EQ(openError(options),
            "weights: expected one of path, data and read, but got 2");
  EXPECT_NE(tenon_runtime_open_weights(nullptr, &weights), 0);
  EXPECT_STREQ(tenon_runtime_last_error(),
               "the options of the weights are null");
  EXPECT_NE(tenon_runtime_open_weights(&options, nullptr), 0);
  EXPECT_STREQ(tenon_runtime_last_error(),
               "the pointer to the weights is null");
  options = {};
  EXPECT_NE(tenon_runtime_open_weights(&options, &weights), 0);
  EXPECT_STREQ(tenon_runtime_last_error(),
               "tenon_weights_options.struct_size: expected "
               "sizeof(tenon_weights_options), but got 0");
  options.path = path.c_str();
  ASSERT_EQ(openError(options), "");
  ProductModel product(false);
  tenon_load_options both = {};
  both.weights = weights;
  both.options.random_params = 1;
  EXPECT_EQ(
      load(product, both).error(),
      "weights: expected neither params_path nor random_params in addition");
}
