//===- LimitedChainsTest.cpp - chains against all cuts --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parallelize/LimitedChains.h"
#include "DrawnPlans.h"

#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

#include <limits>
#include <set>

using namespace tenon::parallelize;

static constexpr double kNever = std::numeric_limits<double>::infinity();

namespace {
struct Case {
  OperatorGraph graph;
  PlannerOptions options;
  OperatorSets sets{graph};

  /// The seconds of a stage; infinite if it needs more than a limit.
  double getSeconds(const DraftStage &stage, int64_t numFlying,
                    int64_t limit) const {
    StageView view;
    static_cast<StageMode &>(view) = stage;
    view.set = stage.set;
    unsigned begin = stage.set->operators.front();
    std::set<unsigned> read;
    for (unsigned op : stage.set->operators)
      for (unsigned operand : graph[op].operands)
        if (operand < begin)
          read.insert(operand);
    int64_t inputBytes = 0;
    for (unsigned operand : read)
      inputBytes += graph[operand].resultBytes;
    if (getStageBytes(options.training, view, numFlying, inputBytes) > limit)
      return kNever;
    Stage times = getStageTimes(graph, {}, options.training, view);
    return times.forward + times.backwardInput + times.backwardWeight;
  }

  /// The seconds of the slowest stage of a chain.
  double getSeconds(const Draft &draft, int64_t limit) const {
    double slowest = 0;
    for (size_t stage = 0; stage < draft.size(); ++stage) {
      auto after = static_cast<int64_t>(draft.size() - 1 - stage);
      int64_t numFlying = options.training.forwardOnly
                              ? 1
                              : std::min(after + 1, options.training.miniBatch);
      slowest = std::max(slowest, getSeconds(draft[stage], numFlying, limit));
    }
    return slowest;
  }

  /// The least seconds of all chains of at most so many stages.
  double searchAll(unsigned count, int64_t limit) {
    unsigned size = graph.size();
    double best = kNever;
    for (uint64_t ends = 0; ends < uint64_t(1) << (size - 1); ++ends)
      for (uint64_t modes = 0; modes < uint64_t(1) << size; ++modes) {
        Draft draft;
        std::vector<unsigned> operators;
        for (unsigned op = 0; op < size; ++op) {
          operators.push_back(op);
          if (op + 1 < size && !(ends >> op & 1))
            continue;
          DraftStage stage;
          stage.set = sets.get(std::exchange(operators, {}));
          stage.recompute = modes >> draft.size() & 1;
          draft.push_back(stage);
        }
        bool hasOther = modes >> draft.size() != 0 ||
                        (options.training.forwardOnly && modes != 0);
        if (draft.size() <= count && !hasOther)
          best = std::min(best, getSeconds(draft, limit));
      }
    return best;
  }
};
} // namespace

TEST(LimitedChains, AreTheFastestOfAllThatFit) {
  unsigned numFound = 0, numMissing = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    std::mt19937_64 random(seed);
    Case drawn;
    drawn.graph = drawGraph(random, 1 + random() % 6);
    drawn.options.training = {static_cast<int64_t>(1 + random() % 8), 1};
    drawn.options.training.forwardOnly = random() % 4 == 0;
    unsigned numDevices = 1 + random() % 5;
    LimitedChains chains(drawn.graph, numDevices, drawn.options, drawn.sets);
    for (int64_t limit : {100, 200, 300, 100000})
      for (unsigned count = 1; count <= numDevices; ++count) {
        double best = drawn.searchAll(count, limit);
        std::optional<Draft> chain = chains.get(count, limit);
        ASSERT_EQ(chain.has_value(), best < kNever) << "seed " << seed;
        ++(chain ? numFound : numMissing);
        if (!chain)
          continue;
        EXPECT_LE(chain->size(), count);
        llvm::sort(*chain, [](const DraftStage &one, const DraftStage &other) {
          return one.set->operators < other.set->operators;
        });
        EXPECT_DOUBLE_EQ(drawn.getSeconds(*chain, limit), best)
            << "seed " << seed << ", limit " << limit;
      }
  }
  EXPECT_GT(numFound, 50u);
  EXPECT_GT(numMissing, 50u);
}
