//===- ForkTest.cpp - tests of instances in forked processes --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestProgram.h"

#include "Pool.h"
#include "Process.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <functional>
#include <optional>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace tenon;
using namespace tenon::runtime;
using artifact::Status;

static constexpr int64_t rows = 96;

/// out[i] = in[i] + 1.
static void addOne(const int64_t *, void *const *buffers, void *, int64_t lo,
                   int64_t hi) {
  for (int64_t i = lo; i < hi; ++i)
    static_cast<float *>(buffers[1])[i] =
        static_cast<const float *>(buffers[0])[i] + 1;
}

static std::atomic<int> arrived{0}, mayGoOn{0};

static void waitForTest(const int64_t *, void *const *, void *, int64_t,
                        int64_t) {
  ++arrived;
  while (mayGoOn == 0)
    std::this_thread::yield();
}

namespace {
/// y[96, 96] = (x + 1) * w by oneDNN, which is worth two threads.
class Fork : public ::testing::Test {
protected:
  TestProgram test;
  int64_t shape[2] = {rows, rows};
  tenon_call_operand operand = {{TENON_DL_FLOAT, 32, 1}, 2, shape, nullptr};
  tenon_call_operand operands[3] = {operand, operand, operand};
  tenon_call table = {};
  std::vector<float> identity;

  void SetUp() override {
    identity.assign(rows * rows, 0);
    for (int64_t i = 0; i < rows; ++i)
      identity[static_cast<size_t>(i * (rows + 1))] = 2;
    table.num_operands = 3;
    table.operands = operands;
    table.constant_weight = 1;
    int32_t x = test.addInput("x", {rows, rows});
    int32_t y = test.addOutput("y", {rows, rows});
    int32_t w = test.addConstant(identity.data(), rows * rows * 4);
    int32_t t = test.addArena(rows * rows * 4, 0, 0, 1);
    test.entry.arena_bytes = rows * rows * 4;
    test.addKernel("first", {x, t}, addOne, rows * rows);
    test.addLibrary("matmul", {t, w, y}, table);
  }

  /// A program whose load waits for `mayGoOn`.
  static void makeSlow(TestProgram &slow) {
    arrived = mayGoOn = 0;
    int32_t x = slow.addInput("x", {4}), y = slow.addOutput("y", {4});
    int32_t p = slow.addPrepared(16);
    slow.addKernel("prepare", {p}, waitForTest, 1);
    slow.addKernel("first", {x, y}, addOne, 4);
    slow.numPrepareSteps = 1;
  }

  std::unique_ptr<Model> load(int32_t threads) {
    tenon_options options = {};
    options.threads = threads;
    auto model = Model::load(test.get(), options, "");
    EXPECT_TRUE(model) << model.error();
    return model ? std::move(*model) : nullptr;
  }
  static std::string call(Model &model) {
    TestTensor x({rows, rows}, 3), y({rows, rows}, NAN);
    Status status = run(model, {&x}, {&y});
    if (!status)
      return status.error();
    for (float value : y.data)
      if (value != 8)
        return "a wrong result: " + std::to_string(value);
    return "";
  }
  /// Calls `check` in a forked child that has 20 seconds; what it says.
  static std::string inChild(const std::function<std::string()> &check) {
    int pipes[2];
    EXPECT_EQ(::pipe(pipes), 0);
    pid_t child = ::fork();
    if (child == 0) {
      ::alarm(20);
      std::string said = check();
      ssize_t written = ::write(pipes[1], said.data(), said.size());
      ::_exit(written < 0);
    }
    ::close(pipes[1]);
    std::string text;
    char buffer[512];
    for (ssize_t count; (count = ::read(pipes[0], buffer, sizeof buffer)) > 0;)
      text.append(buffer, static_cast<size_t>(count));
    ::close(pipes[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (status != 0)
      text += " (status " + std::to_string(status) + ")";
    return text;
  }
};
} // namespace

TEST_F(Fork, InstanceOfTheParentIsRefused) {
  for (int32_t threads : {1, 2}) {
    auto model = load(threads);
    ASSERT_EQ(call(*model), "");
    uint64_t bytes = model->memoryBytes();
    EXPECT_EQ(inChild([&]() -> std::string {
                std::string said = call(*model);
                tenon_tensor none = {};
                if (model->inferShapes(&none, 1, &none, 1).error() != said ||
                    model->traceJson().error() != said)
                  return "other calls are not refused";
                if (model->memoryBytes() != bytes)
                  return "memory differs";
                model.reset();
                return said;
              }),
              "the instance was created before fork, by the parent of this "
              "process: load the model again in the child");
    EXPECT_EQ(inChild([&]() -> std::string {
                Model::unload(std::move(model));
                return "unloaded";
              }),
              "unloaded");
    // The parent goes on.
    EXPECT_EQ(call(*model), "");
  }
}

TEST_F(Fork, NewInstancesOfAChildRun) {
  for (int32_t threads : {1, 2}) {
    auto model = load(threads);
    ASSERT_EQ(call(*model), "");
    for (int32_t childThreads : {1, 2, 5})
      EXPECT_EQ(inChild([&] {
                  auto own = load(childThreads);
                  std::string said = own ? call(*own) + call(*own) : "load";
                  // On a thread that began in the child, too.
                  std::thread([&] { said += call(*own); }).join();
                  own.reset();
                  // And in a child of it.
                  said += inChild([&] {
                    auto next = load(childThreads);
                    return next ? call(*next) : "load";
                  });
                  return said;
                }),
                "");
    EXPECT_EQ(call(*model), "");
  }
}

/// Whether this process may load a model.
static std::string checkLocks() {
  return checkForkedLocks() ? "free" : "refused";
}

TEST_F(Fork, PoolOfTheParentIsRefused) {
  artifact::Expected<Pool *> pool = Pool::create(2);
  ASSERT_TRUE(pool) << pool.error();
  auto loadWithPool = [&]() -> std::string {
    LoadSettings settings;
    settings.options.executor = (*pool)->getExecutor();
    const tenon_program *programs[] = {&test.get(), nullptr};
    auto model = Model::load(programs, settings);
    return model ? call(**model) : model.error();
  };
  EXPECT_EQ(loadWithPool(), "");
  EXPECT_EQ(inChild([&]() -> std::string {
              std::string said = loadWithPool();
              (*pool)->release();
              artifact::Expected<Pool *> own = Pool::create(2);
              if (!own)
                return own.error();
              pool = *own;
              std::string now = loadWithPool();
              (*own)->release();
              return now.empty() ? said : now;
            }),
            "executor: retain failed; a pool can only be used in the process "
            "that created it");
  EXPECT_EQ(loadWithPool(), "");
  (*pool)->release();
}

TEST_F(Fork, WithinLibraryWork) {
  EXPECT_EQ(checkLocks(), "free");
  std::optional<LibraryWork> outer(std::in_place), inner(std::in_place);
  auto check = [&] {
    std::string said = checkLocks();
    // The child unwinds, begins work of its own, and has children.
    outer.reset();
    LibraryWork own;
    said += " " + checkLocks() + " " + inChild(checkLocks);
    inner.reset();
    return said + " " + checkLocks();
  };
  EXPECT_EQ(inChild(check), "refused refused refused refused");
  inner.reset();
  EXPECT_EQ(inChild(check), "refused refused refused refused");
  EXPECT_EQ(checkLocks(), "free");
  outer.reset();
  EXPECT_EQ(inChild([&] {
              std::string said = checkLocks();
              LibraryWork own;
              return said + " " + checkLocks() + " " + inChild(checkLocks);
            }),
            "free free refused");
}

TEST_F(Fork, SeveralAtATime) {
  std::atomic<bool> ends{false};
  std::vector<std::thread> workers, forkers;
  for (int worker = 0; worker < 2; ++worker)
    workers.emplace_back([&] {
      while (!ends)
        LibraryWork work;
    });
  for (int forker = 0; forker < 3; ++forker)
    forkers.emplace_back([&] {
      for (int round = 0; round < 30; ++round) {
        std::string said = inChild(checkLocks);
        EXPECT_TRUE(said == "free" || said == "refused") << said;
      }
    });
  for (std::thread &forker : forkers)
    forker.join();
  ends = true;
  for (std::thread &worker : workers)
    worker.join();
  EXPECT_EQ(inChild(checkLocks), "free");
}

TEST_F(Fork, WhileAnotherThreadLoads) {
  TestProgram slow;
  makeSlow(slow);
  tenon_program &program = slow.get();
  std::thread loader([&] {
    tenon_options options = {};
    options.threads = 1;
    EXPECT_TRUE(Model::load(program, options, ""));
  });
  while (arrived == 0)
    std::this_thread::yield();
  EXPECT_EQ(inChild([&]() -> std::string {
              tenon_options options = {};
              options.threads = 1;
              mayGoOn = 1;
              auto model = Model::load(program, options, "");
              return model ? "loaded" : model.error();
            }),
            "this process was forked while its parent loaded or planned a "
            "model, and may wait forever for locks of libraries: fork at "
            "another time, or call exec in the child");
  mayGoOn = 1;
  loader.join();
  EXPECT_EQ(inChild([&] { return load(2) ? "loaded" : "failed"; }), "loaded");
}

/// libgomp would end the process.
TEST_F(Fork, MoreThreadsThanTheSystemStarts) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  GTEST_SKIP() << "sanitizers need more addresses";
#endif
#endif
  std::string said = inChild([&]() -> std::string {
    // Some of 4096 stacks fit.
    rlimit limit = {rlim_t(1) << 30, rlim_t(1) << 30};
    if (::setrlimit(RLIMIT_AS, &limit) != 0)
      return "no limit";
    tenon_options options = {};
    options.threads = 4096;
    auto model = Model::load(test.get(), options, "");
    if (model)
      return "loaded";
    // Fewer are possible.
    auto own = load(2);
    return model.error() + (own ? call(*own) : "not loaded");
  });
  EXPECT_EQ(said.rfind("threads: expected as many as the system can start, but "
                       "got 4096, of which it started ",
                       0),
            0u)
      << said;
  EXPECT_NE(said.find("Resource temporarily unavailable"), std::string::npos)
      << said;
  EXPECT_EQ(said.find("loaded"), std::string::npos) << said;
}

TEST(Process, KnowsWhatItIs) {
  EXPECT_FALSE(isForkedChild());
  EXPECT_FALSE(isStaticProgram());
  EXPECT_TRUE(isInheritedThread());
  std::thread([] { EXPECT_FALSE(isInheritedThread()); }).join();
  ProcessMark mark;
  EXPECT_TRUE(mark.isOurs());
  pid_t child = ::fork();
  if (child == 0)
    ::_exit(mark.isOurs() || ProcessMark().isOurs() == mark.isOurs() ||
            !isForkedChild());
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(mark.isOurs());
}
