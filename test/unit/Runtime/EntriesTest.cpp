//===- EntriesTest.cpp - tests of entries and states ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaTestSupport.h"

#include "tenon/Artifact/SafetensorsWriter.h"

#include <malloc.h>
#include <thread>

using namespace tenon;
using namespace tenon::runtime;
using artifact::Status;

static const float start[4] = {1, 2, 3, 4};

/// state[i] += x[i], and y[i] = state[i].
static void accumulate(const int64_t *, void *const *buffers, void *,
                       int64_t lo, int64_t hi) {
  const float *x = static_cast<const float *>(buffers[0]);
  float *state = static_cast<float *>(buffers[1]);
  float *y = static_cast<float *>(buffers[2]);
  for (int64_t i = lo; i < hi; ++i)
    y[i] = state[i] += x[i];
}

/// out[i] = 2 * in[i].
static void twice(const int64_t *, void *const *buffers, void *, int64_t lo,
                  int64_t hi) {
  const float *in = static_cast<const float *>(buffers[0]);
  float *out = static_cast<float *>(buffers[1]);
  for (int64_t i = lo; i < hi; ++i)
    out[i] = 2 * in[i];
}

/// Entry "add" accumulates in the state "sum"; "peek" gives twice its values,
/// through a dynamic arena, as often as the input n has elements.
static void makeTwoEntries(TestProgram &test) {
  int32_t sum = test.addState("sum", {4}, start);
  test.addState("unused", {2, 3});
  int32_t x = test.addInput("x", {4}), y = test.addOutput("y", {4});
  test.addKernel("accumulate", {x, sum, y}, accumulate, 4);
  test.setValue(y, "add/y", {4});
  test.entry.name = "add";
  test.startEntry("peek");
  test.addSymbol("n");
  test.addInput("n", {-1});
  int32_t z = test.addOutput("z", {4});
  int32_t t = test.addArena(-1, -1, 1, 2);
  test.setValue(t, "peek/t", {4});
  test.setValue(z, "peek/z", {2, INT64_MIN});
  test.addKernel("first", {sum, t}, twice, 4);
  test.addKernel("second", {t, z}, twice, 4);
  test.entry.arena_bytes = -1;
  test.entry.buffer_bytes = [](const int64_t *n, int64_t *out) {
    out[4] = 4 * n[0];
    out[6] = 16 * (n[0] + 1);
  };
}

namespace {
class Entries : public ::testing::Test {
protected:
  TestProgram test;
  std::unique_ptr<Model> model;
  TestTensor x{{4}, 10}, y{{4}}, n{{3}}, z{{4}};
  std::string path = ::testing::TempDir() + "tenon-" +
                     std::to_string(::getpid()) + "-states.safetensors";

  void SetUp() override {
    makeTwoEntries(test);
    load();
  }
  void TearDown() override { std::remove(path.c_str()); }
  void load() {
    auto loaded = Model::load(test.get(), {}, "");
    ASSERT_TRUE(loaded) << loaded.error();
    model = std::move(*loaded);
  }
  Status runEntry(const char *entry, TestTensor &input, TestTensor &output) {
    std::vector<tenon_tensor> in = list({&input}), out = list({&output});
    return model->run(entry, in.data(), 1, out.data(), 1);
  }
  std::vector<float> stateValues() {
    TestTensor values({4});
    tenon_tensor view = values.get();
    Status status = model->getState("sum", &view);
    EXPECT_TRUE(status) << status.error();
    return values.data;
  }
};
} // namespace

TEST_F(Entries, ShareStates) {
  ASSERT_TRUE(run(*model, {&x}, {&y})); // the first
  EXPECT_EQ(y.data, (std::vector<float>{11, 12, 13, 14}));
  ASSERT_TRUE(runEntry("peek", n, z));
  EXPECT_EQ(z.data, (std::vector<float>{44, 48, 52, 56}));
  // The arena moves when another entry, or the same, needs more.
  TestTensor many({100000});
  for (TestTensor *count : {&many, &n, &many}) {
    ASSERT_TRUE(runEntry("add", x, y));
    z.data.assign(4, NAN);
    ASSERT_TRUE(runEntry("peek", *count, z));
    EXPECT_EQ(z.data[3], 4 * y.data[3]);
  }
  EXPECT_EQ(runEntry("peak", n, z).error(),
            "the model has no entry 'peak', only 'add', 'peek'");
  EXPECT_EQ(runEntry("peek", x, y).ok(), true);
  EXPECT_EQ(runEntry("add", n, y).error(),
            "input 'x': axis 0: expected size 4, but got 3");
}

TEST_F(Entries, InferShapesAndPlan) {
  TestTensor big({50000});
  std::vector<tenon_tensor> in = list({&big}), out = list({&z});
  ASSERT_TRUE(model->inferShapes("peek", in.data(), 1, out.data(), 1));
  uint64_t before = model->memoryBytes();
  Status status = model->plan("peek", in.data(), 1);
  ASSERT_TRUE(status) << status.error();
  EXPECT_GE(model->memoryBytes(), before + 16 * 50001);
  uint64_t planned = model->memoryBytes();
  ASSERT_TRUE(runEntry("peek", big, z));
  EXPECT_EQ(model->memoryBytes(), planned);
  EXPECT_EQ(model->plan("no", in.data(), 1).error(),
            "the model has no entry 'no', only 'add', 'peek'");
  EXPECT_EQ(model->plan("peek", nullptr, 0).error(),
            "expected 1 inputs, but got 0");
}

TEST_F(Entries, StatesAreSetAndReset) {
  EXPECT_EQ(stateValues(), (std::vector<float>{1, 2, 3, 4}));
  TestTensor values({4}, 7);
  tenon_tensor view = values.get();
  ASSERT_TRUE(model->setState("sum", &view));
  ASSERT_TRUE(run(*model, {&x}, {&y}));
  EXPECT_EQ(y.data[0], 17);
  // Every other element.
  TestTensor wide({8}, -1);
  int64_t size = 4, stride = 2;
  tenon_tensor strided = wide.get();
  strided.shape = &size;
  strided.strides = &stride;
  ASSERT_TRUE(model->getState("sum", &strided));
  EXPECT_EQ(wide.data, (std::vector<float>{17, -1, 17, -1, 17, -1, 17, -1}));
  wide.data[2] = 5;
  ASSERT_TRUE(model->setState("sum", &strided));
  EXPECT_EQ(stateValues(), (std::vector<float>{17, 5, 17, 17}));
  ASSERT_TRUE(model->resetStates());
  EXPECT_EQ(stateValues(), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(model->getState("mean", &view).error(),
            "the model has no state 'mean', only 'sum', 'unused'");
  EXPECT_EQ(model->setState(nullptr, &view).error(),
            "the name of the state is null");
  EXPECT_EQ(model->setState("sum", nullptr).error(),
            "state 'sum': the tensor is null");
  view.dtype.code = TENON_DL_INT;
  EXPECT_EQ(model->setState("sum", &view).error(),
            "state 'sum': expected element type f32, but got i32");
  tenon_tensor wrong = n.get();
  EXPECT_EQ(model->getState("sum", &wrong).error(),
            "state 'sum': axis 0: expected size 4, but got 3");
}

TEST_F(Entries, StatesAreSavedAndRestored) {
  ASSERT_TRUE(run(*model, {&x}, {&y}));
  for (int round = 0; round < 2; ++round) {
    Status status = model->saveStates(path.c_str());
    ASSERT_TRUE(status) << status.error();
  }
  load();
  EXPECT_EQ(stateValues()[0], 1);
  Status status = model->restoreStates(path.c_str());
  ASSERT_TRUE(status) << status.error();
  EXPECT_EQ(stateValues(), (std::vector<float>{11, 12, 13, 14}));

  auto restoreOther =
      [&](std::vector<artifact::SafetensorsWriter::Declaration> tensors) {
        auto writer = artifact::SafetensorsWriter::create(path, tensors);
        EXPECT_TRUE(writer);
        std::vector<char> zeros(1000);
        for (auto &tensor : tensors) {
          size_t bytes = artifact::dtypeSize(tensor.dtype);
          for (int64_t extent : tensor.shape)
            bytes *= static_cast<size_t>(extent);
          EXPECT_TRUE(writer->write(tensor.name, zeros.data(), bytes));
        }
        EXPECT_TRUE(writer->finish());
        Status restored = model->restoreStates(path.c_str());
        EXPECT_EQ(stateValues(), (std::vector<float>{11, 12, 13, 14}));
        return restored.error();
      };
  using artifact::DType;
  EXPECT_EQ(restoreOther({{"sum", DType::F32, {4}}}),
            "state 'unused' is missing in '" + path + "'");
  EXPECT_EQ(restoreOther({{"sum", DType::F32, {4}},
                          {"unused", DType::F32, {2, 3}},
                          {"x", DType::F32, {1}}}),
            "states: '" + path +
                "': the model has no state 'x', only 'sum', 'unused'");
  EXPECT_EQ(
      restoreOther({{"sum", DType::F32, {4}}, {"unused", DType::F32, {3, 2}}}),
      "state 'unused' in '" + path + "': expected f32 2x3, but got f32 3x2");
  EXPECT_EQ(model->restoreStates("/nonexistent").error(),
            "states: cannot open '/nonexistent': No such file or directory");
  EXPECT_EQ(model->saveStates("/nonexistent/file").error(),
            "states: cannot write '/nonexistent/file': No such file or "
            "directory");
  EXPECT_EQ(model->saveStates("/").error(),
            "states: cannot write '/': it is not a regular file");
  EXPECT_EQ(model->saveStates(nullptr).error(),
            "states: expected a file, but got no name");
}

TEST_F(Entries, SteadyHeap) {
  for (int i = 0; i < 100; ++i)
    ASSERT_TRUE(runEntry("add", x, y) && runEntry("peek", n, z));
  size_t before = ::mallinfo2().uordblks;
  for (int i = 0; i < 10000; ++i)
    if (!runEntry("add", x, y) || !runEntry("peek", n, z))
      FAIL();
  EXPECT_EQ(::mallinfo2().uordblks, before);
}

namespace {
struct Observed {
  std::string text;
  Model *model = nullptr;
  static void note(void *context, const tenon_observed_step *step) {
    auto &self = *static_cast<Observed *>(context);
    self.text +=
        artifact::concat(step->entry, " ", step->step, " ", step->name, ":");
    for (int32_t i = 0; i < step->num_values; ++i) {
      const tenon_observed_value &value = step->values[i];
      const tenon_tensor &tensor = value.tensor;
      self.text += artifact::concat(
          " ", value.origin, " ",
          artifact::formatShape({tensor.shape, tensor.shape + tensor.ndim}),
          " ", int64_t(static_cast<const float *>(tensor.data)[0]));
    }
    self.text += "\n";
    if (self.model)
      self.text += self.model->resetStates().error() + "\n";
  }
};
} // namespace

TEST_F(Entries, AreObserved) {
  Observed observed;
  ASSERT_TRUE(model->observe(Observed::note, &observed));
  ASSERT_TRUE(runEntry("add", x, y) && runEntry("peek", n, z));
  EXPECT_EQ(observed.text, "add 0 accumulate: add/y 4 11\n"
                           "peek 0 first: peek/t 4 22\n"
                           "peek 1 second: peek/z 2x2 44\n");
  observed = {"", model.get()};
  ASSERT_TRUE(runEntry("add", x, y));
  EXPECT_EQ(observed.text,
            "add 0 accumulate: add/y 4 21\nthe instance is in use by another "
            "thread: load an instance for each thread, or make one call at a "
            "time\n");
  observed = {};
  ASSERT_TRUE(model->observe(nullptr, nullptr));
  ASSERT_TRUE(runEntry("add", x, y));
  EXPECT_EQ(observed.text, "");
}

TEST_F(Entries, RunOnStreamNeedsCuda) {
  std::vector<tenon_tensor> in = list({&x}), out = list({&y});
  EXPECT_EQ(
      model->runOnStream("add", in.data(), 1, out.data(), 1, nullptr).error(),
      "run_on_stream: expected a program on cuda, but got one on the cpu");
  EXPECT_TRUE(model->finish());
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

TEST(EntryTables, AreChecked) {
  auto error = [](auto change) {
    TestProgram test;
    makeTwoEntries(test);
    tenon_program program = test.get();
    std::vector<tenon_entry> entries(program.entries,
                                     program.entries + program.num_entries);
    program.entries = entries.data();
    std::vector<tenon_buffer> buffers(program.buffers,
                                      program.buffers + program.num_buffers);
    program.buffers = buffers.data();
    change(program, entries, buffers);
    auto model = Model::load(program, {}, "");
    return model ? "" : model.error();
  };
  using Entry = std::vector<tenon_entry>;
  using Buffers = std::vector<tenon_buffer>;
  EXPECT_EQ(
      error([](tenon_program &p, Entry &, Buffers &) { p.num_entries = 0; }),
      "the artifact is damaged: it has no entry");
  EXPECT_EQ(
      error([](tenon_program &, Entry &e, Buffers &) { e[1].name = "add"; }),
      "the artifact is damaged: two entries have the name 'add'");
  EXPECT_EQ(error([](tenon_program &, Entry &e, Buffers &) {
              e[1].first_buffer += 1;
            }),
            "the artifact is damaged: peek has the buffers [5, 7) and the "
            "steps [1, 3), but expected them to begin at 4 and 1");
  EXPECT_EQ(error([](tenon_program &, Entry &e, Buffers &) {
              e[0].end_buffer = e[1].first_buffer = 3;
            }),
            "the artifact is damaged: step 'accumulate' uses buffer 3 of "
            "another entry");
  EXPECT_EQ(
      error([](tenon_program &p, Entry &, Buffers &) { p.num_steps += 1; }),
      "the artifact is damaged: it has 7 buffers and 4 steps, but its entries "
      "cover 7 and 3");
  EXPECT_EQ(error([](tenon_program &, Entry &, Buffers &b) { b[0].index = 2; }),
            "the artifact is damaged: buffer 0 has the index 2");
  EXPECT_EQ(
      error([](tenon_program &, Entry &, Buffers &b) { b[0].bytes = 20; }),
      "the artifact is damaged: buffer 0 has another size than its "
      "state");
}

//===----------------------------------------------------------------------===//
// On CUDA
//===----------------------------------------------------------------------===//

using CudaEntries = CudaTest;

TEST_F(CudaEntries, RunInTurnsAndAreObserved) {
  TestProgram test;
  // "a": y = (x + 1) * 2; "b": a state is counted up, and given.
  int32_t sum = test.addState("sum", {8}, nullptr);
  int32_t x = test.addInput("x", {8}), y = test.addOutput("y", {8});
  int32_t t = test.addArena(32, 256, 0, 1);
  test.setValue(t, "a/t", {8});
  test.addLaunch("first", {x, t}, "add_one", 1);
  test.addLaunch("second", {t, y}, "twice_through_workspace", 2, 4);
  test.entry.name = "a";
  test.entry.arena_bytes = 512;
  test.entry.scratch_bytes = 32;
  test.startEntry("b");
  int32_t z = test.addOutput("z", {8});
  test.addLaunch("count", {sum, sum}, "add_one", 1);
  test.addCopy("give", sum, z);
  test.setValue(z, "b/z", {8});
  test.entry.arena_bytes = 1024;
  test.entry.scratch_bytes = 32;
  test.program.device = TENON_PROGRAM_CUDA;
  test.addImage("sm_80", staticImage);
  auto model = load(test.get());
  ASSERT_TRUE(model);
  TestTensor in({8}, 1), out({8}), count({8});
  std::vector<tenon_tensor> counts = list({&count});
  for (int i = 1; i <= 3; ++i) {
    out.data.assign(8, NAN);
    ASSERT_TRUE(run(*model, {&in}, {&out}));
    EXPECT_EQ(out.data[7], 4);
    Status status = model->run("b", nullptr, 0, counts.data(), 1);
    ASSERT_TRUE(status) << status.error();
    EXPECT_EQ(count.data[5], float(i));
  }
  EXPECT_EQ(fake->captures, 2);
  Observed observed;
  ASSERT_TRUE(model->observe(Observed::note, &observed));
  Status status = run(*model, {&in}, {&out});
  ASSERT_TRUE(status) << status.error();
  status = model->run("b", nullptr, 0, counts.data(), 1);
  ASSERT_TRUE(status) << status.error();
  EXPECT_EQ(observed.text, "a 0 first: a/t 8 2\na 1 second:\nb 0 count:\n"
                           "b 1 give: b/z 8 4\n");
  ASSERT_TRUE(model->observe(nullptr, nullptr) && model->resetStates() &&
              model->run("b", nullptr, 0, counts.data(), 1));
  EXPECT_EQ(count.data[0], 1);
  TestTensor values({8}, 40);
  tenon_tensor view = values.get();
  ASSERT_TRUE(model->setState("sum", &view) &&
              model->run("b", nullptr, 0, counts.data(), 1) &&
              model->getState("sum", &view));
  EXPECT_EQ(values.data[3], 41);
}

/// A state "w" that starts as the parameter "p", which no step reads, and an
/// entry that doubles it through "y".
static void makeTrained(TestProgram &test) {
  test.addParam("p", {8});
  int32_t w = test.addState("w", {8}, nullptr, artifact::DType::F32, 0);
  int32_t y = test.addOutput("y", {8});
  test.addCopy("give", w, y);
}

static std::vector<float> valuesOf(Model &model, const char *state) {
  TestTensor values({8});
  tenon_tensor view = values.get();
  Status status = model.getState(state, &view);
  EXPECT_TRUE(status) << status.error();
  return values.data;
}

/// Overwrites the state, resets it, and expects what it had after loading.
static void expectReset(Model &model) {
  std::vector<float> first = valuesOf(model, "w");
  EXPECT_NE(first[0], 0);
  EXPECT_NE(first[0], first[7]);
  for (int round = 0; round < 2; ++round) {
    TestTensor other({8}, 40);
    tenon_tensor view = other.get();
    ASSERT_TRUE(model.setState("w", &view));
    EXPECT_EQ(valuesOf(model, "w")[0], other.data[0]);
    Status status = model.resetStates();
    ASSERT_TRUE(status) << status.error();
    EXPECT_EQ(valuesOf(model, "w"), first);
  }
}

TEST(States, StartAsParameters) {
  TestProgram test;
  makeTrained(test);
  tenon_options options = {};
  options.random_params = 1;
  auto model = Model::load(test.get(), options, "");
  ASSERT_TRUE(model) << model.error();
  expectReset(**model);
}

TEST_F(CudaEntries, StatesStartAsParameters) {
  TestProgram test;
  makeTrained(test);
  test.program.device = TENON_PROGRAM_CUDA;
  test.addImage("sm_80", staticImage);
  tenon_options options = {};
  options.random_params = 1;
  auto model = load(test.get(), options);
  ASSERT_TRUE(model);
  expectReset(*model);
}

TEST(States, StartAsParametersThatExistAndFit) {
  for (int32_t param : {-2, 1, 7}) {
    TestProgram test;
    test.addParam("p", {8});
    test.addState("w", {8}, nullptr, artifact::DType::F32, param);
    test.addCopy("give", test.addInput("x", {8}), test.addOutput("y", {8}));
    auto model = Model::load(test.get(), {}, "");
    ASSERT_FALSE(model);
    EXPECT_NE(model.error().find("state 'w' starts as parameter"),
              std::string::npos)
        << model.error();
  }
  TestProgram test;
  test.addParam("p", {4});
  test.addState("w", {8}, nullptr, artifact::DType::F32, 0);
  test.addCopy("give", test.addInput("x", {8}), test.addOutput("y", {8}));
  auto model = Model::load(test.get(), {}, "");
  ASSERT_FALSE(model);
  EXPECT_NE(model.error().find("'p', which has another size"),
            std::string::npos)
      << model.error();
}
