//===- ParallelTest.cpp - tests of loops over threads -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Runtime/Parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

using namespace tenon;
using namespace tenon::runtime;

extern "C" {
int omp_get_dynamic(void);
void omp_set_dynamic(int);
}

namespace {
struct Count {
  std::vector<std::atomic<int>> hits;
  std::atomic<int> parts{0};
  std::atomic<int> mostThreads{0};

  explicit Count(size_t size) : hits(size) {}

  static void body(void *data, int thread, int64_t lo, int64_t hi) {
    Count &count = *static_cast<Count *>(data);
    ++count.parts;
    int seen = count.mostThreads;
    while (thread + 1 > seen &&
           !count.mostThreads.compare_exchange_weak(seen, thread + 1))
      ;
    for (int64_t i = lo; i < hi; ++i)
      ++count.hits[static_cast<size_t>(i)];
  }
};
} // namespace

TEST(Parallel, EveryIterationRunsOnce) {
  for (int threads : {1, 2, 3, 5})
    for (int64_t extent : {0, 1, 2, 3, 7, 100, 101}) {
      Count count(static_cast<size_t>(extent));
      parallelFor(extent, 1, threads, Count::body, &count);
      for (std::atomic<int> &hits : count.hits)
        EXPECT_EQ(hits, 1);
      EXPECT_LE(count.mostThreads, threads);
    }
}

TEST(Parallel, SmallLoopsStayOnOneThread) {
  Count count(100);
  parallelFor(100, 51, 4, Count::body, &count);
  EXPECT_EQ(count.parts, 1);
  Count split(100);
  parallelFor(100, 50, 2, Count::body, &split);
  EXPECT_EQ(split.parts, 2);
}

TEST(Parallel, NestedLoopsDoNotSpread) {
  auto outer = [](void *, int, int64_t lo, int64_t hi) {
    for (int64_t i = lo; i < hi; ++i) {
      Count count(10);
      parallelFor(10, 1, 4, Count::body, &count);
      EXPECT_EQ(count.parts, 1);
    }
  };
  parallelFor(4, 1, 2, outer, nullptr);
}

TEST(Parallel, ThreadScopeRestores) {
  int before = defaultThreads();
  {
    ThreadScope scope(before + 3);
    EXPECT_EQ(defaultThreads(), before + 3);
  }
  EXPECT_EQ(defaultThreads(), before);
}

TEST(Parallel, TeamsAreAsLargeAsAskedFor) {
  omp_set_dynamic(1);
  EXPECT_EQ(startTeam(4), 4);
  {
    ThreadScope scope(4);
    EXPECT_FALSE(omp_get_dynamic());
  }
  EXPECT_TRUE(omp_get_dynamic());
  omp_set_dynamic(0);
  EXPECT_EQ(startTeam(1), 1);
}

TEST(Parallel, RegionsHaveNoTeamsWithin) {
  EXPECT_TRUE(mayStartTeam(3));
  auto inside = [](void *, int, int64_t, int64_t) {
    EXPECT_FALSE(mayStartTeam(3));
    EXPECT_EQ(startTeam(3), 1);
  };
  parallelFor(2, 1, 2, inside, nullptr);
}

TEST(Parallel, ThreadsThatCannotStartAreAnError) {
  for (const char *bytes : {"4000G", " 4000 g", "4000000000"}) {
    ::setenv("OMP_STACKSIZE", bytes, 1);
    artifact::Status status = checkThreads(mostThreads);
    ASSERT_FALSE(status);
    EXPECT_NE(std::string(status.error()).find("of which it started 0"),
              std::string::npos)
        << status.error();
  }
  // libgomp skips values that it cannot read.
  for (const char *unreadable : {"many", "4000Gb", "4000 G b"}) {
    ::setenv("OMP_STACKSIZE", unreadable, 1);
    EXPECT_TRUE(checkThreads(9)) << unreadable;
  }
  ::unsetenv("OMP_STACKSIZE");
}

TEST(Parallel, CallersDoNotMeet) {
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 3; ++caller)
    callers.emplace_back([] {
      for (int round = 0; round < 200; ++round) {
        Count count(64);
        parallelFor(64, 1, 2, Count::body, &count);
        for (std::atomic<int> &hits : count.hits)
          ASSERT_EQ(hits, 1);
      }
    });
  for (std::thread &caller : callers)
    caller.join();
}
