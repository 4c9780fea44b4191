//===- ModelTest.cpp - tests of loading and running ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestProgram.h"

#include "tenon/Artifact/Json.h"
#include "tenon/Artifact/Philox.h"
#include "tenon/Artifact/SafetensorsWriter.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <malloc.h>
#include <new>
#include <thread>

using namespace tenon;
using namespace tenon::runtime;
using artifact::Status;

static std::atomic<long> allocations{0};

// Counts what our code allocates (oneDNN and libgomp use malloc). Sanitizers
// have operators of their own, which libraries that are opened later mix with
// these.
#if !defined(__has_feature) || !__has_feature(address_sanitizer)
void *operator new(size_t bytes) {
  ++allocations;
  if (void *memory = std::malloc(bytes))
    return memory;
  throw std::bad_alloc();
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }
#endif

/// out[i] = in[i] + 1 over floats.
static void addOne(const int64_t *, void *const *buffers, void *, int64_t lo,
                   int64_t hi) {
  const float *in = static_cast<const float *>(buffers[0]);
  float *out = static_cast<float *>(buffers[1]);
  for (int64_t i = lo; i < hi; ++i)
    out[i] = in[i] + 1;
}

/// out[i] = a[i] * b[i].
static void multiply(const int64_t *, void *const *buffers, void *, int64_t lo,
                     int64_t hi) {
  const float *a = static_cast<const float *>(buffers[0]);
  const float *b = static_cast<const float *>(buffers[1]);
  float *out = static_cast<float *>(buffers[2]);
  for (int64_t i = lo; i < hi; ++i)
    out[i] = a[i] * b[i];
}

static std::unique_ptr<Model> load(const tenon_program &program,
                                   tenon_options options = {},
                                   const std::string &params = "") {
  auto model = Model::load(program, options, params);
  EXPECT_TRUE(model) << model.error();
  return model ? std::move(*model) : nullptr;
}

static std::string loadError(const tenon_program &program,
                             tenon_options options = {},
                             const std::string &params = "") {
  auto model = Model::load(program, options, params);
  return model ? "" : model.error();
}

/// y[8] = (x[8] + 1) + 1 through an arena buffer.
static void makeStatic(TestProgram &test) {
  int32_t x = test.addInput("x", {8});
  int32_t y = test.addOutput("y", {8});
  int32_t t = test.addArena(32, 64, 0, 1);
  test.addKernel("first", {x, t}, addOne, 8);
  test.addKernel("second", {t, y}, addOne, 8);
  test.entry.arena_bytes = 128;
}

TEST(Model, RunsSteps) {
  TestProgram test;
  makeStatic(test);
  for (int32_t threads : {1, 2}) {
    tenon_options options = {};
    options.threads = threads;
    auto model = load(test.get(), options);
    TestTensor x({8}, 5), y({8}, NAN);
    Status status = run(*model, {&x}, {&y});
    ASSERT_TRUE(status) << status.error();
    EXPECT_EQ(y.data, std::vector<float>(8, 7));
    EXPECT_EQ(model->memoryBytes(), 128u);
    EXPECT_EQ(*model->traceJson(), nullptr);
  }
}

TEST(Model, ChecksVersionAndProcessor) {
  TestProgram test;
  makeStatic(test);
  const tenon_program *programs[] = {&test.get(), nullptr};
  tenon_artifact artifact = {77, "{}", nullptr, programs};
  auto wrong = Model::load(artifact, {});
  EXPECT_EQ(wrong ? "" : wrong.error(),
            "the artifact has the ABI version 77, but this runtime has 5");
  test.program.cpu_features = 1u << 30;
  EXPECT_EQ(loadError(test.get()),
            "this processor lacks features that the artifact requires: an "
            "instruction set that this version does not know");
}

TEST(Model, TheMostDemandingProgramRuns) {
  TestProgram plain, better, best;
  const tenon_program *programs[] = {&plain.get(), &best.get(), &better.get(),
                                     nullptr};
  for (TestProgram *each : {&plain, &better, &best})
    makeStatic(*each);
  plain.program.target = "plain";
  better.program.target = "better";
  better.program.cpu_features = TENON_CPU_X86_64_V2;
  best.program.target = "best";
  best.program.cpu_features = 1u << 30;
  tenon_artifact artifact = {TENON_ABI_VERSION, "{}", nullptr, programs};
  auto model = Model::load(artifact, {});
  ASSERT_TRUE(model) << model.error();
  EXPECT_STREQ((*model)->target(), "better");

  ::setenv("TENON_CPU", "x86-64-v2", 1);
  plain.program.cpu_features = TENON_CPU_X86_64_V3;
  better.program.cpu_features = TENON_CPU_X86_64_V4;
  auto none = Model::load(artifact, {});
  ::unsetenv("TENON_CPU");
  EXPECT_EQ(none ? "" : none.error(),
            "TENON_CPU: x86-64-v2 excludes all programs of the artifact; the "
            "least demanding is for plain");
}

TEST(Model, ChecksTables) {
  TestProgram outside;
  makeStatic(outside);
  outside.entry.arena_bytes = 64;
  EXPECT_EQ(loadError(outside.get()),
            "the artifact is damaged: buffer 2 lies outside of the arena");
  TestProgram unknown;
  makeStatic(unknown);
  unknown.addKernel("third", {9}, addOne, 1);
  EXPECT_EQ(loadError(unknown.get()),
            "the artifact is damaged: step 'third' names buffer 9");
}

/// What happens to a call after `change`.
template <typename Change> static std::string callError(Change change) {
  TestProgram test;
  makeStatic(test);
  auto model = load(test.get());
  TestTensor x({8}), y({8});
  std::vector<tenon_tensor> in = list({&x}), out = list({&y});
  change(in, out);
  return model->run(in.data(), in.size(), out.data(), out.size()).error();
}

TEST(Model, ChecksCalls) {
  using List = std::vector<tenon_tensor>;
  int64_t other[] = {7, 7}, strides[] = {-1}, fine[] = {1};
  EXPECT_EQ(callError([](List &in, List &) { in.clear(); }),
            "expected 1 inputs, but got 0");
  EXPECT_EQ(callError([](List &, List &out) { out.clear(); }),
            "expected 1 outputs, but got 0");
  EXPECT_EQ(callError([&](List &in, List &) { in[0].ndim = 2; }),
            "input 'x': expected rank 1, but got 2");
  EXPECT_EQ(callError([&](List &in, List &) { in[0].shape = nullptr; }),
            "input 'x': its shape is null");
  EXPECT_EQ(callError([&](List &in, List &) { in[0].shape = other; }),
            "input 'x': axis 0: expected size 8, but got 7");
  EXPECT_EQ(callError([&](List &, List &out) { out[0].shape = other; }),
            "output 'y': axis 0: expected size 8, but got 7");
  EXPECT_EQ(callError([](List &in, List &) {
              in[0].dtype = {TENON_DL_FLOAT, 64, 1};
            }),
            "input 'x': expected element type f32, but got f64");
  EXPECT_EQ(callError([](List &in, List &) {
              in[0].dtype = {TENON_DL_FLOAT, 32, 4};
            }),
            "input 'x': expected element type f32, but got code 2 with 32 bits "
            "and 4 lanes");
  EXPECT_EQ(callError([](List &in, List &) { in[0].device_type = 2; }),
            "input 'x': expected data in host memory (device type 1), but got "
            "device type 2");
  EXPECT_EQ(callError([](List &in, List &) { in[0].data = nullptr; }),
            "input 'x': its data is null");
  EXPECT_EQ(callError([&](List &in, List &) { in[0].strides = strides; }),
            "input 'x': axis 0: expected a stride of at least 0 that fits in "
            "memory, but got -1");
  EXPECT_EQ(callError([&](List &in, List &) { in[0].strides = fine; }), "");
  EXPECT_EQ(callError([](List &, List &out) { out[0].byte_offset = 2; }),
            "output 'y': expected data aligned to its elements of 4 bytes");
  EXPECT_EQ(callError([](List &in, List &out) { out[0].data = in[0].data; }),
            "output 'y' overlaps input 'x': expected separate memory");
}

//===----------------------------------------------------------------------===//
// Dynamic sizes
//===----------------------------------------------------------------------===//

/// y[n, 2] = (x[n, 2] + 1) * z[n, 2] through a dynamic arena.
static void makeDynamic(TestProgram &test) {
  test.addSymbol("n");
  int32_t x = test.addInput("x", {-1, 2});
  int32_t z = test.addInput("z", {-1, 2});
  int32_t y = test.addOutput("y", {-1, 2});
  int32_t t = test.addArena(-1, -1, 0, 1);
  test.addKernel("plus", {x, t}, addOne, -1);
  test.addKernel("times", {t, z, y}, multiply, -1);
  test.entry.arena_bytes = -1;
  test.entry.buffer_bytes = [](const int64_t *n, int64_t *out) {
    out[0] = out[1] = out[2] = out[3] = 8 * n[0];
  };
  test.entry.step_extents = [](const int64_t *n, int64_t *out) {
    out[0] = out[1] = 2 * n[0];
  };
  test.entry.dims = [](const int64_t *n, int64_t *out) {
    out[0] = out[2] = out[4] = n[0];
    out[1] = out[3] = out[5] = 2;
  };
}

TEST(Model, PlansForEverySize) {
  TestProgram test;
  makeDynamic(test);
  auto model = load(test.get());
  for (int64_t n : {3, 100, 3, 0, 1000, 1}) {
    TestTensor x({n, 2}, 2), z({n, 2}, 5), y({n, 2});
    Status status = run(*model, {&x, &z}, {&y});
    ASSERT_TRUE(status) << status.error();
    for (float value : y.data)
      EXPECT_EQ(value, 15);
  }
  TestTensor x({3, 2}), z({4, 2}), y({3, 2});
  EXPECT_EQ(run(*model, {&x, &z}, {&y}).error(),
            "input 'z': axis 0: expected size 3 (dimension 'n', as in input "
            "'x'), but got 4");
  TestTensor w({3, 2}), wrong({4, 2});
  EXPECT_EQ(run(*model, {&x, &w}, {&wrong}).error(),
            "output 'y': axis 0: expected size 3, but got 4");
  Status status = run(*model, {&x, &w}, {&y});
  EXPECT_TRUE(status) << status.error();
}

TEST(Model, InfersShapes) {
  TestProgram test;
  makeDynamic(test);
  auto model = load(test.get());
  TestTensor x({6, 2}), z({6, 2});
  std::vector<tenon_tensor> in = list({&x, &z});
  int64_t shape[2] = {0, 0};
  tenon_tensor out = {};
  out.shape = shape;
  Status status = model->inferShapes(in.data(), 2, &out, 1);
  ASSERT_TRUE(status) << status.error();
  EXPECT_EQ(out.ndim, 2);
  EXPECT_EQ(out.dtype.bits, 32);
  EXPECT_EQ(shape[0], 6);
  EXPECT_EQ(shape[1], 2);
  // A plan made before is not used for the new sizes.
  TestTensor y({6, 2});
  EXPECT_TRUE(run(*model, {&x, &z}, {&y}));
}

TEST(Model, RefusesImpossibleSizes) {
  TestProgram test;
  makeDynamic(test);
  auto model = load(test.get());
  TestTensor x({1, 2}), z({1, 2}), y({1, 2});
  x.shape[0] = int64_t(1) << 60;
  EXPECT_EQ(run(*model, {&x, &z}, {&y}).error(),
            "input 'x': axis 0: expected a size of at least 0 that fits in "
            "memory, but got 1152921504606846976");
  x.shape[0] = -1;
  EXPECT_EQ(run(*model, {&x, &z}, {&y}).error(),
            "input 'x': axis 0: expected a size of at least 0 that fits in "
            "memory, but got -1");
}

//===----------------------------------------------------------------------===//
// Parameters and prepare
//===----------------------------------------------------------------------===//

namespace {
/// y[4] = x[4] * (w[4] + 1), where w + 1 is prepared.
class Prepared : public ::testing::Test {
protected:
  TestProgram test;
  std::string path = ::testing::TempDir() + "tenon-" +
                     std::to_string(::getpid()) + "-w.safetensors";

  void SetUp() override {
    int32_t x = test.addInput("x", {4});
    int32_t y = test.addOutput("y", {4});
    int32_t w = test.addParam("w", {4});
    int32_t p = test.addPrepared(16);
    test.addKernel("prepare", {w, p}, addOne, 4);
    test.addKernel("times", {x, p, y}, multiply, 4);
    test.numPrepareSteps = 1;
  }
  void TearDown() override { std::remove(path.c_str()); }

  void write(const char *name, artifact::DType dtype,
             std::vector<int64_t> shape) {
    auto writer =
        artifact::SafetensorsWriter::create(path, {{name, dtype, shape}});
    ASSERT_TRUE(writer) << writer.error();
    float values[] = {1, 2, 3, 4};
    ASSERT_TRUE(writer->write(name, values, 16));
    Status status = writer->finish();
    ASSERT_TRUE(status) << status.error();
  }
};
} // namespace

TEST_F(Prepared, FromFile) {
  write("w", artifact::DType::F32, {4});
  auto model = load(test.get(), {}, path);
  TestTensor x({4}, 10), y({4});
  Status status = run(*model, {&x}, {&y});
  ASSERT_TRUE(status) << status.error();
  EXPECT_EQ(y.data, (std::vector<float>{20, 30, 40, 50}));
  // An explicit path comes before the one beside the artifact.
  tenon_options options = {};
  options.params_path = "/nonexistent.safetensors";
  EXPECT_EQ(loadError(test.get(), options, path),
            "parameters: cannot open '/nonexistent.safetensors': No such file "
            "or directory");
}

TEST_F(Prepared, ChecksTheFile) {
  EXPECT_EQ(loadError(test.get()),
            "the model has 1 parameters, but no file of them was given");
  write("v", artifact::DType::F32, {4});
  EXPECT_EQ(loadError(test.get(), {}, path),
            "parameter 'w' is missing in '" + path + "'");
  write("w", artifact::DType::F32, {2, 2});
  EXPECT_EQ(loadError(test.get(), {}, path),
            "parameter 'w' in '" + path + "': expected f32 4, but got f32 2x2");
  write("w", artifact::DType::I32, {4});
  EXPECT_EQ(loadError(test.get(), {}, path),
            "parameter 'w' in '" + path + "': expected f32 4, but got i32 4");
}

TEST_F(Prepared, FromSeed) {
  tenon_options options = {};
  options.random_params = 1;
  options.random_seed = 9;
  auto model = load(test.get(), options);
  float w[4];
  artifact::fillRandom(w, artifact::DType::F32, 0, 4,
                       artifact::streamKey(9, "w"),
                       artifact::Distribution::uniform(0.5, 1.5));
  TestTensor x({4}, 1), y({4});
  ASSERT_TRUE(run(*model, {&x}, {&y}));
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(y.data[i], w[i] + 1);
}

TEST_F(Prepared, ReadsMisalignedParameters) {
  // A file of another writer: w begins at an odd byte.
  std::string header = "{\"b\":{\"dtype\":\"U8\",\"shape\":[1],"
                       "\"data_offsets\":[0,1]},\"w\":{\"dtype\":\"F32\","
                       "\"shape\":[4],\"data_offsets\":[1,17]}}";
  std::string text(8, '\0');
  text[0] = static_cast<char>(header.size());
  text += header + '\0';
  float values[] = {1, 2, 3, 4};
  text.append(reinterpret_cast<const char *>(values), 16);
  ASSERT_TRUE(artifact::writeFile(path, text.data(), text.size()));
  auto model = load(test.get(), {}, path);
  TestTensor x({4}, 10), y({4});
  ASSERT_TRUE(run(*model, {&x}, {&y}));
  EXPECT_EQ(y.data, (std::vector<float>{20, 30, 40, 50}));
}

//===----------------------------------------------------------------------===//
// Copies, donation, scratch, trace
//===----------------------------------------------------------------------===//

TEST(Model, CopiesAndDonates) {
  TestProgram test;
  int32_t x = test.addInput("x", {3});
  int32_t y = test.addOutput("y", {3});
  test.addCopy("copy", x, y);
  test.setDonations({0});
  auto model = load(test.get());
  TestTensor a({3}, 4), b({3});
  ASSERT_TRUE(run(*model, {&a}, {&b}));
  EXPECT_EQ(b.data, a.data);
  Status status = run(*model, {&a}, {&a});
  EXPECT_TRUE(status) << status.error();
  std::vector<tenon_tensor> in = list({&a}), out = list({&a});
  std::vector<float> longer(4);
  in[0].data = longer.data();
  out[0].data = longer.data() + 1;
  EXPECT_EQ(model->run(in.data(), 1, out.data(), 1).error(),
            "output 'y' partly overlaps input 'x': expected the same memory or "
            "no overlap");
}

TEST(Model, ScratchIsPerThreadAndAligned) {
  TestProgram test;
  int32_t y = test.addOutput("y", {64});
  auto kernel = [](const int64_t *, void *const *buffers, void *scratch,
                   int64_t lo, int64_t hi) {
    EXPECT_EQ(reinterpret_cast<uintptr_t>(scratch) % 64, 0u);
    float *mine = static_cast<float *>(scratch);
    for (int round = 0; round < 1000; ++round)
      for (int64_t i = lo; i < hi; ++i)
        mine[i % 25] = static_cast<float>(i);
    for (int64_t i = lo; i < hi; ++i) {
      mine[i % 25] = static_cast<float>(i);
      static_cast<float *>(buffers[0])[i] = mine[i % 25];
    }
  };
  test.addKernel("fill", {y}, kernel, 64);
  test.entry.scratch_bytes = 100;
  tenon_options options = {};
  options.threads = 4;
  auto model = load(test.get(), options);
  EXPECT_EQ(model->memoryBytes(), 512u);
  TestTensor out({64});
  ASSERT_TRUE(run(*model, {}, {&out}));
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(out.data[i], i);
}

TEST(Model, Traces) {
  TestProgram test;
  makeStatic(test);
  tenon_options options = {};
  options.trace = 1;
  auto model = load(test.get(), options);
  TestTensor x({8}), y({8});
  ASSERT_TRUE(run(*model, {&x}, {&y}));
  ASSERT_TRUE(run(*model, {&x}, {&y}));
  auto json = artifact::parseJson(*model->traceJson());
  ASSERT_TRUE(json) << json.error();
  const artifact::JsonValue *events = json->find("traceEvents");
  ASSERT_TRUE(events);
  ASSERT_EQ(events->array.size(), 4u);
  EXPECT_EQ(events->array[1].find("name")->string, "second");
  EXPECT_EQ(events->array[1].find("cat")->string, "kernel");
  EXPECT_EQ(events->array[1].find("ph")->string, "X");
  // Steps of a run are counted anew in each.
  for (int event = 0; event < 4; ++event)
    EXPECT_EQ(events->array[event].find("args")->find("step")->number,
              event % 2);
}

//===----------------------------------------------------------------------===//
// Steady state
//===----------------------------------------------------------------------===//

TEST(Model, HeapStaysConstant) {
  // Threads of other tests may hold the cores: fewer rounds with two.
  for (int rounds : {10000, 500})
    for (bool dynamic : {false, true}) {
      TestProgram test;
      dynamic ? makeDynamic(test) : makeStatic(test);
      tenon_options options = {};
      options.threads = rounds == 10000 ? 1 : 2;
      auto model = load(test.get(), options);
      TestTensor a(dynamic ? std::vector<int64_t>{4, 2}
                           : std::vector<int64_t>{8}),
          b = a, c = a;
      std::vector<tenon_tensor> in = dynamic ? list({&a, &b}) : list({&a});
      std::vector<tenon_tensor> out = list({&c});
      auto call = [&] {
        return model->run(in.data(), in.size(), out.data(), 1).ok();
      };
      for (int i = 0; i < 10; ++i)
        ASSERT_TRUE(call());
      size_t before = ::mallinfo2().uordblks;
      long allocated = allocations;
      for (int i = 0; i < rounds; ++i)
        if (!call())
          FAIL();
      EXPECT_EQ(::mallinfo2().uordblks, before);
      EXPECT_EQ(allocations, allocated);
    }
}

TEST(Model, InstancesRunAtTheSameTime) {
  TestProgram test;
  makeDynamic(test);
  tenon_program &program = test.get();
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 2; ++caller)
    callers.emplace_back([&, caller] {
      tenon_options options = {};
      options.threads = 2;
      auto model = load(program, options);
      for (int round = 0; round < 200; ++round) {
        int64_t n = 1 + (round * 7 + caller) % 13;
        TestTensor x({n, 2}, static_cast<float>(caller)), z({n, 2}, 2);
        TestTensor y({n, 2});
        Status status = run(*model, {&x, &z}, {&y});
        ASSERT_TRUE(status) << status.error();
        for (float value : y.data)
          ASSERT_EQ(value, 2 * (caller + 1));
      }
    });
  for (std::thread &caller : callers)
    caller.join();
}
