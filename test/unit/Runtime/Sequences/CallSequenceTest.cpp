//===- CallSequenceTest.cpp - random sequences of calls on the CPU
//----------===//
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

#include "FailingMemory.h"
#include "Sequence.h"

#include <algorithm>
#include <cstdlib>
#include <thread>

using namespace tenon;
using namespace tenon::runtime;
using artifact::Status;

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
      auto &models = cpuSequenceModels(draw(random, 8) == 0 ? 2 : 1);
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

/// Whichever block of memory is missing while other sizes are planned: the call
/// fails or not, and the sizes before still run.
TEST_F(CallSequence, EveryBlockIsMissedOnce) {
  auto call = [](SequenceModel &model, Model &instance, const Sizes &symbols) {
    Call made(model, symbols, Content::Numbers);
    Status status = made.run(instance);
    EXPECT_TRUE(status) << model.name << ": " << status.error();
    EXPECT_EQ(made.compare(), "") << model.name;
  };
  int failed = 0;
  for (SequenceModel &model : cpuSequenceModels(1))
    for (const Sizes &first : model.sizes)
      for (const Sizes &second : model.sizes)
        for (int number = 1; number <= 3; ++number) {
          auto instance = model.load();
          ASSERT_TRUE(instance) << instance.error();
          call(model, **instance, first);
          Call other(model, second, Content::Numbers);
          {
            FailingMemory memory(number, /*further=*/0, /*onlyBlocks=*/true);
            Status status = other.run(**instance);
            EXPECT_EQ(status.ok(), memory.failures() == 0)
                << model.name << ": " << status.error();
            failed += !status;
          }
          call(model, **instance, first);
          call(model, **instance, second);
        }
  EXPECT_GT(failed, 100);
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
          SharedCalls(models[number],
                      seed + static_cast<uint64_t>(part * 4 + i), counts)
              .call(*shared[number]);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  expectAllHappened();
}
