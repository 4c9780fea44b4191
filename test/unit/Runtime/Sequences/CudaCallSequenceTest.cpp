//===- CudaCallSequenceTest.cpp - random sequences of calls on CUDA -------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On the driver for tests, whose memory, launches, copies, captures and
// libraries fail when a sequence says so.
//
//===----------------------------------------------------------------------===//

#include "Sequence.h"

#include "../CudaTestSupport.h"
#include "../FakeCuda/FakeLibrary.h"

using namespace tenon;
using namespace tenon::runtime;
using artifact::Status;

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

static constexpr int64_t impossibleBytes = int64_t(1) << 48;

/// y[n] = (x[n] + 1) * 2 by way of the arena and the workspace.
static void makeKernels(SequenceModel &model) {
  model.name = "kernels";
  TestProgram &test = model.test;
  test.addSymbol("n");
  int32_t x = test.addInput("x", {-1}), y = test.addOutput("y", {-1});
  int32_t t = test.addArena(-1, -1, 0, 1);
  test.addLaunch("first", {x, t}, "add_one", -1);
  test.addLaunch("second", {t, y}, "twice_through_workspace", -1);
  test.entry.arena_bytes = test.entry.scratch_bytes = -1;
  test.entry.buffer_bytes = [](const int64_t *s, int64_t *out) {
    out[0] = out[1] = out[2] = 4 * s[0];
    if (s[0] == 37)
      out[2] = impossibleBytes;
  };
  test.entry.scratch_size = [](const int64_t *s, int64_t *out) {
    out[0] = s[0] == 38 ? impossibleBytes : 4 * s[0];
  };
  test.entry.step_extents = [](const int64_t *s, int64_t *out) {
    out[0] = (s[0] + 7) / 8;
    out[1] = s[0] == 39 ? int64_t(1) << 31 : out[0];
  };
  test.addImage("sm_80", dynamicImage);
  model.sizes = {{0}, {1}, {8}, {9}, {100}, {301}, {700}};
  model.unplannable = {{37}, {38}, {39}};
}

/// y[n] = x[n] + 1 and d[n] = c[n], in place if the caller likes.
static void makeDonated(SequenceModel &model) {
  model.name = "donated";
  TestProgram &test = model.test;
  test.addSymbol("n");
  int32_t x = test.addInput("x", {-1}), c = test.addInput("c", {-1});
  int32_t y = test.addOutput("y", {-1}), d = test.addOutput("d", {-1});
  test.addLaunch("plus", {x, y}, "add_one", -1);
  test.addCopy("copy", c, d);
  test.setDonations({0, 1});
  test.entry.buffer_bytes = [](const int64_t *s, int64_t *out) {
    out[0] = out[1] = out[2] = out[3] = 4 * s[0];
  };
  test.entry.step_extents = [](const int64_t *s, int64_t *out) {
    out[0] = (s[0] + 7) / 8;
    out[1] = 1;
  };
  test.addImage("sm_80", dynamicImage);
  model.isDonated = true;
  model.sizes = {{0}, {1}, {5}, {64}, {500}};
}

/// y[8] = x[8] + prepared: everything is planned at load.
static void makePrepared(SequenceModel &model) {
  model.name = "prepared";
  TestProgram &test = model.test;
  int32_t x = test.addInput("x", {8}), y = test.addOutput("y", {8});
  int32_t w = test.addParam("w", {8}), p = test.addPrepared(32);
  test.addLaunch("prepare", {w, p}, "add_one", 1);
  test.addLaunch("run", {x, p, y}, "add", 1);
  test.numPrepareSteps = 1;
  test.entry.arena_bytes = 64;
  test.addImage("sm_80", staticImage);
  model.options.random_params = 1;
  model.sizes = {{}};
}

/// y[n, 4] = relu(x[n, 8] * w + b) by cuBLASLt.
static void makeMatmul(SequenceModel &model) {
  model.name = "matmul";
  TestProgram &test = model.test;
  test.addSymbol("n");
  int32_t x = test.addInput("x", {-1, 8}), y = test.addOutput("y", {-1, 4});
  int32_t w = model.constant(32, 3), bias = model.constant(4, 4);
  tenon_call &call = model.call(TENON_PRIMITIVE_MATMUL,
                                {model.operand({-1, 8}), model.operand({8, 4}),
                                 model.operand({4}), model.operand({-1, 4})});
  call.library = TENON_LIBRARY_CUBLASLT;
  model.postOps.push_back({{TENON_POST_OP_RELU, 0, 0}});
  call.num_post_ops = call.constant_weight = 1;
  call.post_ops = model.postOps.back().data();
  test.addLibrary("matmul", {x, w, bias, y}, call);
  test.entry.buffer_bytes = [](const int64_t *s, int64_t *out) {
    out[0] = 32 * s[0];
    out[1] = 16 * s[0];
    out[2] = 128;
    out[3] = 16;
  };
  model.sizes = {{0}, {1}, {2}, {7}, {30}};
}

static const int64_t ones[] = {1, 1};
static const tenon_convolution padded = {2, ones, ones, ones, ones, 1, 0};

/// y[n, 5, 5, 4] = relu(conv(x[n, 5, 5, 4]) + b) by cuDNN.
static void makeConv(SequenceModel &model) {
  model.name = "conv";
  TestProgram &test = model.test;
  test.addSymbol("n");
  int32_t x = test.addInput("x", {-1, 5, 5, 4});
  int32_t y = test.addOutput("y", {-1, 5, 5, 4});
  int32_t w = model.constant(4 * 4 * 9, 5), bias = model.constant(4, 6);
  std::vector<int32_t> last = {0, 2, 3, 1};
  tenon_call &call = model.call(
      TENON_PRIMITIVE_CONV,
      {model.operand({-1, 4, 5, 5}, last), model.operand({4, 4, 3, 3}, last),
       model.operand({4}), model.operand({-1, 4, 5, 5}, last)});
  call.library = TENON_LIBRARY_CUDNN;
  model.postOps.push_back({{TENON_POST_OP_RELU, 0, 0}});
  call.num_post_ops = call.constant_weight = 1;
  call.post_ops = model.postOps.back().data();
  call.fields = &padded;
  test.addLibrary("conv", {x, w, bias, y}, call);
  test.entry.buffer_bytes = [](const int64_t *s, int64_t *out) {
    out[0] = out[1] = 400 * s[0];
    out[2] = 4 * 4 * 9 * 4;
    out[3] = 16;
  };
  model.sizes = {{0}, {1}, {2}, {5}};
}

//===----------------------------------------------------------------------===//
// Sequences
//===----------------------------------------------------------------------===//

namespace {
/// What fails when a sequence says so, and memory on the device.
struct Device {
  FakeCuda *fake;
  FakeLibrary *blas, *dnn;
  FakeCuda *(*forget)(); // a fatal error
  std::deque<DeviceTensor> slots;

  void mend() {
    fake->failAllocation = fake->failLaunch = fake->failCopy = 0;
    fake->launchError = 719;
    fake->failCapture = false;
    fake->invalidateCaptures = 0;
    blas->failRun = dnn->failRun = blas->failSearch = dnn->failSearch = 0;
  }
};

class CudaSequence : public Sequence {
public:
  CudaSequence(SequenceModel &model, uint64_t seed, SequenceCounts &counts,
               Device &device)
      : Sequence(model, seed, counts), device(device) {}

private:
  static constexpr size_t slotFloats = 4096;

  void step() override {
    size_t kind = draw(random, 100);
    if (kind < 70)
      return Sequence::step();
    if (kind < 73)
      return loseDevice();
    callWithFault();
  }

  /// Some in host memory, some on the device, and of these some not aligned as
  /// kernels need it.
  void placeTensors(Call &call) override {
    std::vector<size_t> slots;
    for (size_t i = 0; i < device.slots.size(); ++i)
      slots.push_back(i);
    for (size_t i = 0; i < call.countTensors(); ++i) {
      // Seldom others than before: then a run is a graph.
      if (draw(random, 4) == 0)
        std::swap(slots[i], slots[i + draw(random, slots.size() - i)]);
      size_t offset = draw(random, 6) == 0;
      if (draw(random, 2) && call.roomFor(i) + offset <= slotFloats)
        call.moveToDevice(i, device.slots[slots[i]].data() + offset);
    }
    Sequence::placeTensors(call);
  }

  void setFault() {
    int number = 1 + static_cast<int>(draw(random, 4));
    switch (draw(random, 6)) {
    case 0:
      device.fake->failAllocation = number;
      return;
    case 1:
      device.fake->failLaunch = number;
      device.fake->launchError = 1;
      return;
    case 2:
      device.fake->failCopy = number;
      return;
    case 3:
      device.fake->failCapture = true;
      return;
    case 4:
      device.fake->invalidateCaptures = number;
      return;
    default:
      bool isSearch = draw(random, 2);
      for (FakeLibrary *library : {device.blas, device.dnn})
        (isSearch ? library->failSearch : library->failRun) =
            library == device.blas ? 14 : 4000;
    }
  }

  /// The right result, or an error.
  void callWithFault() {
    Call call(model, pick(random, model.sizes), drawContent());
    placeTensors(call);
    setFault();
    Status status = call.run(*instance);
    device.mend();
    counts.failedSteps += !status;
    if (status)
      expectNone(call.compare(), "a call with a fault");
  }

  /// Nothing runs any more, and a new instance does.
  void loseDevice() {
    Call call(model, pick(random, model.sizes), Content::Numbers);
    device.fake->failLaunch = 1;
    Status lost = call.run(*instance);
    device.mend();
    // A model that launches no kernels loses nothing.
    if (lost)
      return expectNone(call.compare(), "a device that is not lost");
    for (int i = 0; i < 2; ++i) {
      Call next(model, pick(random, model.sizes), Content::Numbers);
      EXPECT_EQ(next.run(*instance).error(),
                "the model can't run any more: " + lost.error());
      expectNone(next.compareUntouched(), "a call of a lost device");
    }
    Model::unload(std::move(instance));
    device.forget();
    load();
  }

  Device &device;
};

class CudaCallSequence : public CudaTest {
protected:
  CudaCallSequence() {
    device.fake = fake;
    device.forget = get<FakeCuda *()>("tenon_fake_cuda");
    device.blas = open("cublaslt", "TENON_CUBLASLT", "tenon_fake_cublaslt");
    device.dnn = open("cudnn", "TENON_CUDNN", "tenon_fake_cudnn");
    for (int i = 0; i < 8; ++i)
      device.slots.emplace_back(library, std::vector<float>(4096));
    for (auto make : {makeKernels, makeKernels, makeKernels, makeDonated,
                      makeDonated, makePrepared, makeMatmul, makeConv}) {
      SequenceModel &model = models.emplace_back();
      make(model);
      model.test.program.device = TENON_PROGRAM_CUDA;
      model.test.get();
      // The driver for tests is for one thread at a time.
      for (const Sizes &symbols : model.sizes)
        for (Content content : {Content::Numbers, Content::WithNan})
          model.expected(symbols, content);
    }
  }
  ~CudaCallSequence() override {
    device.slots.clear();
    EXPECT_EQ(device.blas->alive + device.dnn->alive, 0);
    for (void *handle : handles)
      ::dlclose(handle);
    ::unsetenv("TENON_CUBLASLT");
    ::unsetenv("TENON_CUDNN");
  }

  FakeLibrary *open(const char *name, const char *variable,
                    const char *function) {
    std::string path =
        std::string(TENON_FIXTURES) + "/libtenon_fake_" + name + ".so";
    ::setenv(variable, path.c_str(), 1);
    void *handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
      ADD_FAILURE() << ::dlerror();
      std::abort();
    }
    handles.push_back(handle);
    FakeLibrary *found =
        reinterpret_cast<FakeLibrary *(*)()>(::dlsym(handle, function))();
    *found = FakeLibrary();
    return found;
  }

  std::vector<void *> handles;
  Device device;
  std::deque<SequenceModel> models;
  SequenceCounts counts;
};
} // namespace

TEST_F(CudaCallSequence, OneThread) {
  uint64_t seed = sequenceSeed(100);
  int count = countSequences();
  for (int i = 0; i < count && !HasFailure(); ++i) {
    uint64_t own = seed + static_cast<uint64_t>(i) * 104729;
    Random random(static_cast<unsigned>(own));
    CudaSequence(pick(random, models), own, counts, device).run();
  }
  if (count < 300)
    return;
  for (std::atomic<int> *number :
       {&counts.right, &counts.refused, &counts.unplannable,
        &counts.failedSteps, &counts.failedMemory, &counts.inferred,
        &counts.loaded})
    EXPECT_GT(*number, 10);
}
