//===- HostTest.cpp - tests of what a host provides -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatmulModel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <dirent.h>
#include <thread>

using namespace tenon;
using namespace tenon::runtime;
using artifact::Status;

static size_t countThreads() {
  size_t count = 0;
  DIR *folder = ::opendir("/proc/self/task");
  while (dirent *entry = ::readdir(folder))
    count += entry->d_name[0] != '.';
  ::closedir(folder);
  return count;
}

//===----------------------------------------------------------------------===//
// Executors
//===----------------------------------------------------------------------===//

namespace {
/// Tasks on the calling thread, from the last to the first.
struct BackwardExecutor {
  int loops = 0, tasks = 0, users = 0, skipped = 0;
  bool isStuck = false; // calls the first task again and again
  tenon_executor get(int32_t threads) {
    return {this, threads,
            [](void *context, int32_t count, void (*task)(void *, int32_t),
               void *data) {
              auto &self = *static_cast<BackwardExecutor *>(context);
              ++self.loops;
              for (int32_t i = count; i-- > self.skipped; ++self.tasks)
                task(data, self.isStuck ? 0 : i);
            },
            [](void *context) {
              ++static_cast<BackwardExecutor *>(context)->users;
              return int32_t(0);
            },
            [](void *context) {
              --static_cast<BackwardExecutor *>(context)->users;
            }};
  }
};
} // namespace

TEST(Executor, RunsEverything) {
  MatmulModel matmul;
  auto plain = load(matmul.test.get(), matmul.drawn());
  ASSERT_TRUE(plain) << plain.error();
  std::vector<float> expected = resultOf(**plain);
  // A thread that has no team yet, so that one would be seen.
  std::thread([&] {
    size_t threads = countThreads();
    BackwardExecutor host;
    tenon_executor executor = host.get(3);
    tenon_load_options options = matmul.drawn();
    options.executor = &executor;
    {
      auto model = load(matmul.test.get(), options);
      ASSERT_TRUE(model) << model.error();
      EXPECT_EQ(host.users, 1);
      EXPECT_GT(host.loops, 0);
      host.loops = host.tasks = 0;
      std::vector<float> result = resultOf(**model);
      for (size_t i = 0; i < result.size(); ++i)
        ASSERT_NEAR(result[i], expected[i], 1e-3);
      // The library's call is one task.
      EXPECT_EQ(host.loops, 2);
      EXPECT_EQ(host.tasks, 1 + 3);
      host.skipped = 1;
      TestTensor x({64, 96}), y({64, 128});
      EXPECT_EQ(run(**model, {&x}, {&y}).error(),
                "the host's executor did not call a task");
      host.skipped = 0;
      host.isStuck = true;
      EXPECT_EQ(run(**model, {&x}, {&y}).error(),
                "the host's executor did not call every task of a loop once");
      host.isStuck = false;
      EXPECT_EQ(run(**model, {&x}, {&y}).error(), "");
    }
    EXPECT_EQ(host.users, 0);
    EXPECT_EQ(countThreads(), threads);
  }).join();
}

TEST(Executor, MayRunOtherInstances) {
  // A loop of one instance runs another on the same thread, as a host does that
  // has its waiting threads do other work.
  MatmulModel matmul;
  tenon_load_options options = matmul.drawn();
  options.options.threads = 2;
  auto inner = load(matmul.test.get(), options);
  ASSERT_TRUE(inner) << inner.error();
  struct Host {
    Model *inner = nullptr;
    std::vector<float> expected;
  } host{nullptr, resultOf(**inner)};
  tenon_executor executor = {&host, 2,
                             [](void *context, int32_t count,
                                void (*task)(void *, int32_t), void *data) {
                               auto &host = *static_cast<Host *>(context);
                               if (host.inner)
                                 EXPECT_EQ(resultOf(*host.inner),
                                           host.expected);
                               for (int32_t i = 0; i < count; ++i)
                                 task(data, i);
                             },
                             nullptr, nullptr};
  options.options.threads = 0;
  options.executor = &executor;
  auto outer = load(matmul.test.get(), options);
  ASSERT_TRUE(outer) << outer.error();
  host.inner = inner->get();
  std::vector<float> result = resultOf(**outer);
  for (size_t i = 0; i < result.size(); ++i)
    ASSERT_NEAR(result[i], host.expected[i], 1e-3);
}

TEST(Executor, IsChecked) {
  MatmulModel matmul;
  tenon_program &program = matmul.test.get();
  tenon_executor executor = {};
  executor.threads = 2;
  tenon_load_options options = matmul.drawn();
  options.executor = &executor;
  EXPECT_EQ(loadError(program, options), "executor: its parallel_for is null");
  BackwardExecutor host;
  executor = host.get(0);
  EXPECT_EQ(loadError(program, options),
            "executor: threads: expected 1 to 4096, but got 0");
  executor = host.get(2);
  options.options.threads = 2;
  EXPECT_EQ(loadError(program, options),
            "threads: expected 0, because the executor sets the number of "
            "threads, but got 2");
  options.options.threads = 0;
  executor.retain = [](void *) { return int32_t(1); };
  EXPECT_EQ(loadError(program, options),
            "executor: retain failed; a pool can only be used in the process "
            "that created it");
  EXPECT_EQ(host.users, 0);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

namespace {
struct CountingAllocator {
  std::atomic<int64_t> bytes{0}, blocks{0}, most{0};
  bool isCrooked = false, isEmpty = false;
  tenon_allocator get() {
    return {this,
            [](void *context, size_t bytes, size_t alignment) -> void * {
              auto &self = *static_cast<CountingAllocator *>(context);
              if (self.isEmpty)
                return nullptr;
              self.bytes += int64_t(bytes);
              self.most = std::max<int64_t>(self.most, self.bytes);
              ++self.blocks;
              void *data = nullptr;
              if (::posix_memalign(&data, alignment, bytes + alignment) != 0)
                return nullptr;
              std::memset(data, 0xee, bytes);
              return static_cast<char *>(data) + (self.isCrooked ? 8 : 0);
            },
            [](void *context, void *data, size_t bytes) {
              auto &self = *static_cast<CountingAllocator *>(context);
              self.bytes -= int64_t(bytes);
              --self.blocks;
              std::free(static_cast<char *>(data) - (self.isCrooked ? 8 : 0));
            }};
  }
};
} // namespace

TEST(Allocator, ServesTheInstance) {
  MatmulModel matmul;
  auto plain = load(matmul.test.get(), matmul.drawn());
  ASSERT_TRUE(plain) << plain.error();
  CountingAllocator host;
  tenon_allocator allocator = host.get();
  tenon_load_options options = matmul.drawn();
  options.allocator = &allocator;
  {
    auto model = load(matmul.test.get(), options);
    ASSERT_TRUE(model) << model.error();
    EXPECT_EQ(resultOf(**model), resultOf(**plain));
    EXPECT_EQ(uint64_t(host.bytes), (*model)->memoryBytes());
    EXPECT_EQ((*plain)->memoryBytes(), (*model)->memoryBytes());
  }
  EXPECT_EQ(host.bytes, 0);
  EXPECT_EQ(host.blocks, 0);
  host.isCrooked = true;
  EXPECT_EQ(loadError(matmul.test.get(), options),
            "allocator: expected memory at a multiple of 64 for a drawn "
            "parameter");
  host.isCrooked = false;
  host.isEmpty = true;
  EXPECT_EQ(loadError(matmul.test.get(), options),
            "out of memory: a drawn parameter needs 49152 bytes");
  allocator.free = nullptr;
  EXPECT_EQ(loadError(matmul.test.get(), options),
            "allocator: one of its functions is null");
  EXPECT_EQ(host.bytes, 0);
}

TEST(MemoryLimit, IsKept) {
  MatmulModel matmul;
  CountingAllocator host;
  tenon_allocator allocator = host.get();
  tenon_load_options options = matmul.drawn();
  options.allocator = &allocator;
  ASSERT_TRUE(load(matmul.test.get(), options));
  options.memory_limit = uint64_t(host.most);
  EXPECT_EQ(loadError(matmul.test.get(), options), "");
  options.memory_limit = uint64_t(host.most) - 1;
  EXPECT_NE(loadError(matmul.test.get(), options), "");
  options.memory_limit = 1000;
  EXPECT_EQ(loadError(matmul.test.get(), options),
            "out of memory: a drawn parameter needs 49152 bytes in addition to "
            "the 0 in use, but memory_limit is 1000");
  EXPECT_EQ(host.bytes, 0);
}

TEST(MemoryLimit, OfARun) {
  TestProgram test;
  test.addSymbol("n");
  int32_t x = test.addInput("x", {-1}), y = test.addOutput("y", {-1});
  int32_t t = test.addArena(-1, -1, 0, 1);
  test.addKernel("first", {x, t}, MatmulModel::addOne, -1);
  test.addKernel("second", {t, y}, MatmulModel::addOne, -1);
  test.entry.arena_bytes = -1;
  test.entry.buffer_bytes = [](const int64_t *n, int64_t *out) {
    out[0] = out[1] = out[2] = 4 * n[0];
  };
  test.entry.step_extents = [](const int64_t *n, int64_t *out) {
    out[0] = out[1] = n[0];
  };
  tenon_load_options options = {};
  options.memory_limit = 4096;
  auto model = load(test.get(), options);
  ASSERT_TRUE(model) << model.error();
  for (int round = 0; round < 2; ++round) {
    TestTensor small({1000}, 1), result({1000}), large({1100}), none({1100});
    ASSERT_TRUE(run(**model, {&small}, {&result}));
    EXPECT_EQ(result.data[999], 3);
    EXPECT_EQ(run(**model, {&large}, {&none}).error(),
              "out of memory: the arena needs 4416 bytes in addition to the 0 "
              "in use, but memory_limit is 4096");
  }
}
