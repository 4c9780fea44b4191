//===- CheckProgramsTest.cpp - rank programs that end, and others ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Parallelize/CheckPrograms.h"
#include "Execute.h"
#include "Pipelines.h"
#include "tenon/Parallelize/Schedules.h"

#include "gtest/gtest.h"

#include <random>

using namespace tenon::parallelize;

namespace {
struct Case {
  Pipeline pipeline;
  LaneRanks laneRanks;
  RankPrograms programs;
};

class Draw {
public:
  explicit Draw(uint64_t seed) : random(seed) {}

  /// A number in [0, count).
  size_t below(size_t count) { return random() % count; }

  Case makeCase();
  /// Changes one thing, or nothing.
  void mutate(RankPrograms &programs);
  /// Swaps two groups of a rank: all messages keep their ends.
  void reorder(RankPrograms &programs);

private:
  std::mt19937_64 random;
};
} // namespace

Case Draw::makeCase() {
  Case result;
  Pipeline &pipeline = result.pipeline;
  pipeline.miniBatch = 8;
  unsigned numStages = 1 + below(5), numRanks = 0;
  for (unsigned stage = 0; stage < numStages; ++stage) {
    addStage(pipeline, int64_t(1) << below(4));
    pipeline.stages[stage].forward *= 1 + static_cast<double>(below(3));
    int64_t ranks = pipeline.stages[stage].microBatch > 1 ? 1 + below(2) : 1;
    result.laneRanks.emplace_back();
    while (ranks-- > 0)
      result.laneRanks.back().push_back(numRanks++);
    for (unsigned from = 0; from < stage; ++from)
      if (below(2) == 0)
        pipeline.links.push_back({from, stage, static_cast<double>(below(3)),
                                  static_cast<double>(below(2))});
  }
  Schedule schedule;
  if (below(4) == 0) {
    schedule = makeForwardSchedule(pipeline);
  } else if (below(4) == 0) {
    schedule = makeGPipeSchedule(pipeline);
  } else if (below(3) == 0) {
    std::string reason;
    ListOptions options{std::vector<int64_t>(numStages, 8), below(2) == 0};
    schedule = *makeListSchedule(pipeline, options, reason);
  } else {
    std::vector<int64_t> ks;
    for (unsigned stage = 0; stage < numStages; ++stage)
      ks.push_back(1 + below(2));
    schedule = makeAlternatingSchedule(pipeline, ks, getInFlight(pipeline, ks));
  }
  std::string reason;
  std::optional<Simulation> simulation = simulate(pipeline, schedule, reason);
  EXPECT_TRUE(simulation) << reason;
  if (simulation)
    result.programs =
        makeRankPrograms(pipeline, schedule, *simulation, result.laneRanks);
  return result;
}

void Draw::mutate(RankPrograms &programs) {
  std::vector<Step> &steps = programs[below(programs.size())];
  if (steps.empty())
    return;
  size_t at = below(steps.size());
  Step &step = steps[at];
  bool isGroup = !step.transfers.empty();
  size_t one = isGroup ? below(step.transfers.size()) : 0;
  switch (below(10)) {
  case 0:
    return std::swap(step, steps[below(steps.size())]);
  case 1:
    if (at + 1 < steps.size())
      std::swap(step, steps[at + 1]);
    return;
  case 2:
    steps.erase(steps.begin() + at);
    return;
  case 3: {
    Step copy = step;
    steps.insert(steps.begin() + below(steps.size()), copy);
    return;
  }
  case 4:
    if (isGroup)
      step.transfers.erase(step.transfers.begin() + one);
    return;
  case 5:
    if (isGroup)
      step.transfers.push_back(step.transfers[one]);
    return;
  case 6:
    if (isGroup)
      step.transfers[one].peer = below(programs.size());
    return;
  case 7:
    if (isGroup)
      step.transfers[one].end += below(2) == 0 ? 1 : -1;
    return;
  case 8: // Two groups become one.
    if (isGroup && at + 1 < steps.size() && !steps[at + 1].transfers.empty()) {
      for (const Transfer &transfer : steps[at + 1].transfers)
        step.transfers.push_back(transfer);
      steps.erase(steps.begin() + at + 1);
    }
    return;
  case 9: { // A step at another place.
    Step moved = step;
    steps.erase(steps.begin() + at);
    steps.insert(steps.begin() + below(steps.size() + 1), moved);
    return;
  }
  }
}

void Draw::reorder(RankPrograms &programs) {
  for (unsigned attempt = 0; attempt < 20; ++attempt) {
    std::vector<Step> &steps = programs[below(programs.size())];
    if (steps.empty())
      continue;
    Step &a = steps[below(steps.size())], &b = steps[below(steps.size())];
    auto share = [](const Transfer &x, const Transfer &y) {
      return x.peer == y.peer && x.isSend == y.isSend;
    };
    bool ordered = a.transfers.empty() || b.transfers.empty() || &a == &b;
    for (const Transfer &x : a.transfers)
      for (const Transfer &y : b.transfers)
        ordered |= share(x, y);
    if (!ordered)
      return std::swap(a, b);
  }
}

static std::string check(const Case &given) {
  std::string reason;
  return checkPrograms(given.pipeline, given.laneRanks, given.programs, reason)
             ? ""
             : reason;
}

TEST(CheckPrograms, MadeProgramsEnd) {
  for (uint64_t seed = 0; seed < 500; ++seed) {
    Case made = Draw(seed).makeCase();
    EXPECT_EQ(check(made), "") << "seed " << seed;
    EXPECT_EQ(execute(made.pipeline, made.laneRanks, made.programs), "")
        << "seed " << seed;
  }
}

// The check and an execution by the rules of rendezvous agree on what is
// changed at random.
TEST(CheckPrograms, MutantsAreJudgedAsTheyRun) {
  unsigned accepted = 0, cycles = 0, refused = 0;
  for (uint64_t seed = 0; seed < 6000; ++seed) {
    Draw draw(seed);
    Case made = draw.makeCase();
    if (seed % 2 == 0)
      draw.reorder(made.programs);
    else
      draw.mutate(made.programs);
    if (seed % 3 == 0)
      draw.mutate(made.programs);
    std::string reason = check(made);
    std::string seen = execute(made.pipeline, made.laneRanks, made.programs);
    EXPECT_EQ(reason.empty(), seen.empty())
        << "seed " << seed << ": check: " << reason << "; run: " << seen;
    bool isCycle = reason.find("do not end") != std::string::npos;
    (reason.empty() ? accepted : isCycle ? cycles : refused) += 1;
    if (isCycle) {
      std::string run =
          execute(made.pipeline, made.laneRanks, made.programs, false);
      EXPECT_EQ(run.substr(0, 5), "hangs") << "seed " << seed;
    }
  }
  EXPECT_GE(accepted, 200u);
  EXPECT_GE(cycles, 200u);
  EXPECT_GE(refused, 1000u);
}

//===----------------------------------------------------------------------===//
// What the check says
//===----------------------------------------------------------------------===//

/// The programs of a pipeline's GPipe schedule.
static Case makeGPipe(Pipeline pipeline, LaneRanks laneRanks) {
  Schedule schedule = makeGPipeSchedule(pipeline);
  std::string reason;
  Simulation simulation = *simulate(pipeline, schedule, reason);
  RankPrograms programs =
      makeRankPrograms(pipeline, schedule, simulation, laneRanks);
  return {std::move(pipeline), std::move(laneRanks), std::move(programs)};
}

/// Two stages on two ranks, which exchange two micro-batches of one sample.
static Case makeTwoRanks() {
  return makeGPipe(makeChain({1, 1}, 2), {{0}, {1}});
}

/// One stage of micro-batches of two samples on two ranks.
static Case makeSharedStage() { return makeGPipe(makeChain({2}, 4), {{0, 1}}); }

TEST(CheckPrograms, NamesTheCycle) {
  Case made = makeTwoRanks();
  EXPECT_EQ(check(made), "");
  // Rank 1 sends its first gradients before it receives the second values,
  // while rank 0 sends those first.
  made.pipeline.links.push_back({0, 1});
  auto send = [](unsigned peer, unsigned link, bool isGradient) {
    Step step;
    step.kind = Step::Kind::Group;
    step.transfers = {{true, peer, link, isGradient, 0, 1}};
    return step;
  };
  auto receive = [&](unsigned peer, unsigned link, bool isGradient) {
    Step step = send(peer, link, isGradient);
    step.transfers[0].isSend = false;
    return step;
  };
  made.programs = {{send(1, 0, false), receive(1, 1, true)},
                   {send(0, 1, true), receive(0, 0, false)}};
  const char *steps[] = {
      "step 0 of rank 0 (sends values of link 0, samples 0 to 0, to rank 1)",
      "step 1 of rank 1 (receives values of link 0, samples 0 to 0, from rank "
      "0)",
      "step 0 of rank 1 (sends gradients of link 1, samples 0 to 0, to rank 0)",
      "step 1 of rank 0 (receives gradients of link 1, samples 0 to 0, from "
      "rank 1)"};
  std::string cycle = std::string("the programs do not end: ") + steps[0];
  for (unsigned n : {1, 2, 3, 0})
    cycle += std::string(" waits for ") + steps[n] + (n ? ", which" : "");
  EXPECT_EQ(check(made), cycle);
  // In one group each, they meet.
  made.programs[0][0].transfers.push_back(made.programs[0][1].transfers[0]);
  made.programs[1][0].transfers.push_back(made.programs[1][1].transfers[0]);
  made.programs[0].pop_back();
  made.programs[1].pop_back();
  EXPECT_EQ(check(made).find("do not end"), std::string::npos);
}

TEST(CheckPrograms, GradientsAreSummed) {
  Case good = makeSharedStage(), bad = good;
  EXPECT_EQ(check(good), "");
  for (std::vector<Step> &steps : bad.programs)
    steps.pop_back();
  EXPECT_EQ(check(bad), "rank 0 does not sum the gradients of stage 0");
  bad = good;
  for (std::vector<Step> &steps : bad.programs)
    std::swap(steps[3], steps[4]);
  EXPECT_EQ(check(bad), "step 3 of rank 0 (gradients of stage 0): those of "
                        "micro-batch 1 were not computed");
  bad = good;
  for (std::vector<Step> &steps : bad.programs)
    steps.push_back(steps.back());
  EXPECT_EQ(check(bad),
            "step 5 of rank 0 (gradients of stage 0) for the second time");
}

TEST(CheckPrograms, LanesShareEvenly) {
  Case bad = makeSharedStage();
  bad.pipeline.stages[0].microBatch = 1;
  EXPECT_EQ(check(bad), "stage 0: 2 ranks can't share a micro-batch of 1");
  bad = makeSharedStage();
  bad.laneRanks.clear();
  EXPECT_EQ(check(bad), "expected ranks for 1 lanes, but got 0");
  bad = makeSharedStage();
  bad.laneRanks = {{}};
  EXPECT_EQ(check(bad), "stage 0: 0 ranks can't share a micro-batch of 2");
  bad = makeSharedStage();
  bad.pipeline.stages[0].microBatch = 3;
  EXPECT_EQ(check(bad),
            "stage 0: expected a micro-batch that divides 4, but got 3");
  bad = makeSharedStage();
  bad.programs[0][0].task.microBatch = INT64_MAX / 2;
  EXPECT_NE(check(bad).find("there is no such micro-batch"), std::string::npos);
  bad = makeSharedStage();
  bad.programs[0][0].transfers.emplace_back();
  EXPECT_NE(check(bad).find("has transfers"), std::string::npos);
}

TEST(CheckPrograms, NamesWhatIsWrong) {
  Case good = makeTwoRanks(), bad = good;
  bad.programs[1].erase(bad.programs[1].begin());
  EXPECT_EQ(check(bad), "step 3 of rank 0 (sends values of link 0, samples 1 "
                        "to 1, to rank 1): sends values of link 0, samples 1 "
                        "to 1, to rank 1 has no other end: message 1 from rank "
                        "0 to rank 1");
  bad = good;
  bad.programs[0].erase(bad.programs[0].begin());
  EXPECT_EQ(check(bad),
            "step 0 of rank 0 (sends values of link 0, samples 0 to 0, to rank "
            "1): sends values of link 0, samples 0 to 0, to rank 1, which were "
            "not computed");
  bad = good;
  bad.programs[0].push_back(bad.programs[0][0]);
  EXPECT_EQ(check(bad),
            "step 8 of rank 0 (forward 0 of stage 0) for the second time");
  bad = good;
  bad.programs[1].pop_back();
  bad.programs[1].pop_back();
  EXPECT_NE(check(bad), "");
  bad = good;
  bad.laneRanks[1] = {0};
  EXPECT_EQ(check(bad), "rank 0 is in two lanes");
}
