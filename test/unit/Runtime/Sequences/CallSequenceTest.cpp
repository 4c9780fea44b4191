//===- CallSequenceTest.cpp - random sequences of calls on the CPU ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Results are compared bit for bit with those of new instances, which run the
// same code on the same sizes with as many threads.
//
//===----------------------------------------------------------------------===//

#include "Sequence.h"

#include <algorithm>
#include <cstdlib>
#include <thread>

using namespace tenon;
using namespace tenon::runtime;

namespace {
/// Calls of an instance that other threads call, too.
class SharedCalls : public Sequence {
public:
  using Sequence::Sequence;
  void call(Model &shared) { callRight(shared, /*mayBeInUse=*/true); }
};

class CallSequence : public testing::Test {
protected:
  void SetUp() override {
    ::setenv("TENON_BACKENDS", TENON_FIXTURES "/counting.so", 1);
  }

  void runMany(int count, uint64_t seed) {
    for (int i = 0; i < count && !HasFailure(); ++i) {
      uint64_t own = seed + static_cast<uint64_t>(i) * 104729;
      Random random(static_cast<unsigned>(own));
      // On one thread or two; with two, this machine may be slower.
      auto &models = cpuSequenceModels(draw(random, 4) == 0 ? 2 : 1);
      Sequence(pick(random, models), own, counts).run();
    }
  }
  void expectAllHappened() {
    if (countSequences() < 300)
      return;
    for (std::atomic<int> *count :
         {&counts.right, &counts.refused, &counts.unplannable,
          &counts.failedSteps, &counts.failedMemory, &counts.inferred,
          &counts.loaded})
      EXPECT_GT(*count, 10);
  }

  SequenceCounts counts;
};
} // namespace

TEST_F(CallSequence, OneThread) {
  runMany(countSequences(), sequenceSeed(1));
  expectAllHappened();
}

/// Each thread has its instances, and all share some.
TEST_F(CallSequence, ManyThreads) {
  cpuSequenceModels(2);
  auto &models = cpuSequenceModels(1);
  std::vector<std::unique_ptr<Model>> shared;
  for (SequenceModel &model : models) {
    auto made = model.load();
    ASSERT_TRUE(made) << made.error();
    shared.push_back(std::move(*made));
  }
  constexpr int callers = 4;
  std::vector<std::thread> threads;
  for (int caller = 0; caller < callers; ++caller)
    threads.emplace_back([&, caller] {
      uint64_t seed = sequenceSeed(static_cast<uint64_t>(2 + caller));
      int count = std::max(1, countSequences() / callers);
      for (int part = 0; part < count && !HasFailure(); ++part) {
        runMany(1, seed + static_cast<uint64_t>(part) * 15485863);
        size_t number = (seed + static_cast<uint64_t>(part)) % models.size();
        for (int i = 0; i < 4; ++i)
          SharedCalls(models[number], seed + static_cast<uint64_t>(part * 4 + i),
                      counts)
              .call(*shared[number]);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  expectAllHappened();
}
