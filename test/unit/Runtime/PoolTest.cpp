//===- PoolTest.cpp - tests of pools of threads -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatmulModel.h"

#include <atomic>
#include <condition_variable>
#include <malloc.h>
#include <mutex>
#include <set>
#include <thread>

using namespace tenon;
using namespace tenon::runtime;
using artifact::Status;

extern "C" {
int32_t tenon_runtime_create_pool(int32_t, tenon_executor **);
void tenon_runtime_free_pool(tenon_executor *);
const char *tenon_runtime_last_error(void);
}

namespace {
struct PoolTest : ::testing::Test {
  tenon_executor *pool = nullptr;
  void create(int32_t threads) {
    ASSERT_EQ(tenon_runtime_create_pool(threads, &pool), 0)
        << tenon_runtime_last_error();
  }
};
} // namespace

TEST_F(PoolTest, CallsEveryTaskOnce) {
  for (int32_t threads : {1, 2, 5}) {
    create(threads);
    EXPECT_EQ(pool->threads, threads);
    std::vector<std::thread> callers;
    for (int caller = 0; caller < 8; ++caller)
      callers.emplace_back([&] {
        for (int round = 0; round < 300; ++round) {
          std::atomic<int> calls[7] = {};
          pool->parallel_for(
              pool->context, 7,
              [](void *data, int32_t index) {
                ++static_cast<std::atomic<int> *>(data)[index];
              },
              calls);
          for (std::atomic<int> &count : calls)
            ASSERT_EQ(count, 1);
        }
      });
    for (std::thread &caller : callers)
      caller.join();
    tenon_runtime_free_pool(pool);
  }
}

TEST_F(PoolTest, UsesItsThreads) {
  create(3);
  struct Meeting {
    std::mutex mutex;
    std::condition_variable all;
    std::set<std::thread::id> threads;
  } meeting;
  // Each task waits until three threads are there.
  pool->parallel_for(
      pool->context, 3,
      [](void *data, int32_t) {
        auto &meeting = *static_cast<Meeting *>(data);
        std::unique_lock<std::mutex> lock(meeting.mutex);
        meeting.threads.insert(std::this_thread::get_id());
        meeting.all.notify_all();
        meeting.all.wait(lock, [&] { return meeting.threads.size() == 3; });
      },
      &meeting);
  EXPECT_EQ(meeting.threads.size(), 3u);
  tenon_runtime_free_pool(pool);
}

TEST_F(PoolTest, IsSharedByInstances) {
  MatmulModel matmul;
  create(2);
  tenon_load_options options = matmul.drawn();
  options.executor = pool;
  std::vector<std::unique_ptr<Model>> models;
  for (int i = 0; i < 8; ++i) {
    auto model = load(matmul.test.get(), options);
    ASSERT_TRUE(model) << model.error();
    models.push_back(std::move(*model));
  }
  // Instances continue to use a pool that was freed.
  tenon_runtime_free_pool(pool);
  std::vector<float> expected = resultOf(*models[0]);
  std::vector<std::thread> callers;
  for (int i = 0; i < 8; ++i)
    callers.emplace_back([&, i] {
      for (int round = 0; round < 30; ++round)
        ASSERT_EQ(resultOf(*models[i]), expected);
    });
  for (std::thread &caller : callers)
    caller.join();
  models.clear();
}

TEST_F(PoolTest, SteadyHeap) {
  MatmulModel matmul;
  create(2);
  tenon_load_options options = matmul.drawn();
  options.executor = pool;
  auto model = load(matmul.test.get(), options);
  ASSERT_TRUE(model) << model.error();
  TestTensor x({64, 96}), y({64, 128});
  for (int i = 0; i < 10; ++i)
    ASSERT_TRUE(run(**model, {&x}, {&y}));
  size_t before = ::mallinfo2().uordblks;
  for (int i = 0; i < 1000; ++i)
    ASSERT_TRUE(run(**model, {&x}, {&y}));
  EXPECT_EQ(::mallinfo2().uordblks, before);
  tenon_runtime_free_pool(pool);
}

TEST_F(PoolTest, Errors) {
  EXPECT_NE(tenon_runtime_create_pool(0, &pool), 0);
  EXPECT_STREQ(tenon_runtime_last_error(),
               "threads: expected 1 to 4096, but got 0");
  EXPECT_EQ(pool, nullptr);
  EXPECT_NE(tenon_runtime_create_pool(2, nullptr), 0);
  EXPECT_STREQ(tenon_runtime_last_error(), "the pointer to the pool is null");
  tenon_runtime_free_pool(nullptr);
}
