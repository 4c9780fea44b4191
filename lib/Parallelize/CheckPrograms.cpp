//===- CheckPrograms.cpp - proof that rank programs end -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Parallelize/CheckPrograms.h"
#include "CheckTasks.h"
#include "ProgramText.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace tenon::parallelize;

namespace {
class Checker {
public:
  Checker(const Pipeline &pipeline, const LaneRanks &laneRanks,
          const RankPrograms &programs, std::string &reason,
          std::vector<StepRef> &where)
      : pipeline(pipeline), laneRanks(laneRanks), programs(programs),
        reason(reason), where(where) {}

  bool checkRanks();
  bool matchTransfers();
  bool matchCollectives();
  bool checkOrder();

private:
  bool fail(std::string text, std::vector<StepRef> steps = {}) {
    reason = std::move(text);
    where = std::move(steps);
    return false;
  }
  std::string getText(const StepRef &step) const {
    return getStepText(step.first, step.second,
                       programs[step.first][step.second]);
  }
  size_t getNode(const StepRef &step, bool isEnd) const {
    return 2 * (firstSteps[step.first] + step.second) + isEnd;
  }
  bool failByCycle(const std::vector<std::vector<size_t>> &before,
                   const std::vector<bool> &isDone);

  const Pipeline &pipeline;
  const LaneRanks &laneRanks;
  const RankPrograms &programs;
  std::string &reason;
  std::vector<StepRef> &where;
  /// The number of steps of all ranks before each.
  std::vector<size_t> firstSteps;
  /// Steps of which each must begin before any may end.
  std::vector<std::vector<StepRef>> meetings;
};
} // namespace

bool Checker::checkRanks() {
  if (!isValid(pipeline, reason))
    return false;
  if (laneRanks.size() != pipeline.getNumLanes())
    return fail("expected ranks for " + std::to_string(pipeline.getNumLanes()) +
                " lanes, but got " + std::to_string(laneRanks.size()));
  for (auto [number, stage] : llvm::enumerate(pipeline.stages)) {
    size_t count = laneRanks[stage.lane].size();
    if (count == 0 || stage.microBatch % static_cast<int64_t>(count) != 0)
      return fail("stage " + std::to_string(number) + ": " +
                  std::to_string(count) +
                  " ranks can't share a micro-batch of " +
                  std::to_string(stage.microBatch));
  }
  std::vector<bool> found(programs.size(), false);
  for (const std::vector<unsigned> &ranks : laneRanks)
    for (unsigned rank : ranks) {
      if (rank >= programs.size() || found[rank])
        return fail(
            "rank " + std::to_string(rank) +
            (rank < programs.size() ? " is in two lanes" : " has no program"));
      found[rank] = true;
    }
  size_t count = 0;
  for (auto [rank, steps] : llvm::enumerate(programs)) {
    if (!found[rank])
      return fail("rank " + std::to_string(rank) + " is in no lane");
    firstSteps.push_back(count);
    count += steps.size();
    for (auto [number, step] : llvm::enumerate(steps)) {
      if (step.kind != Step::Kind::Group &&
          (step.task.stage >= pipeline.stages.size() ||
           !llvm::is_contained(laneRanks[pipeline.stages[step.task.stage].lane],
                               rank)))
        return fail(getText({rank, number}) +
                        ": the rank does not run this stage",
                    {{rank, number}});
      if (step.kind != Step::Kind::Group && !step.transfers.empty())
        return fail(getText({rank, number}) + " has transfers",
                    {{rank, number}});
      for (const Transfer &transfer : step.transfers)
        if (transfer.peer >= programs.size() || transfer.peer == rank ||
            transfer.link >= pipeline.links.size() || transfer.begin < 0 ||
            transfer.end > pipeline.miniBatch || transfer.begin >= transfer.end)
          return fail(getText({rank, number}) + ": " +
                          getTransferText(transfer) + " is not possible",
                      {{rank, number}});
    }
  }
  return true;
}

bool Checker::matchTransfers() {
  struct End {
    StepRef step;
    const Transfer *transfer;
  };
  std::map<std::pair<unsigned, unsigned>, std::vector<End>> sent, received;
  for (auto [rank, steps] : llvm::enumerate(programs))
    for (auto [number, step] : llvm::enumerate(steps))
      for (const Transfer &transfer : step.transfers) {
        std::pair<unsigned, unsigned> way(rank, transfer.peer);
        if (!transfer.isSend)
          std::swap(way.first, way.second);
        (transfer.isSend ? sent : received)[way].push_back(
            {{rank, number}, &transfer});
      }
  for (auto *one : {&sent, &received})
    for (auto &[way, ends] : *one) {
      std::vector<End> &others = (one == &sent ? received : sent)[way];
      if (ends.size() > others.size()) {
        const End &alone = ends[others.size()];
        return fail(
            getText(alone.step) + ": " + getTransferText(*alone.transfer) +
                " has no other end: message " + std::to_string(others.size()) +
                " from rank " + std::to_string(way.first) + " to rank " +
                std::to_string(way.second),
            {alone.step});
      }
    }
  for (auto &[way, ends] : sent) {
    const std::vector<End> &others = received[way];
    for (auto [number, end] : llvm::enumerate(ends)) {
      Transfer expected = *end.transfer;
      expected.isSend = false;
      expected.peer = way.first;
      if (!(*others[number].transfer == expected))
        return fail("message " + std::to_string(number) + " from rank " +
                        std::to_string(way.first) + " to rank " +
                        std::to_string(way.second) + ": " + getText(end.step) +
                        ": " + getTransferText(*end.transfer) + ", but " +
                        getText(others[number].step) + ": " +
                        getTransferText(*others[number].transfer),
                    {end.step, others[number].step});
      meetings.push_back({end.step, others[number].step});
    }
  }
  return true;
}

bool Checker::matchCollectives() {
  for (const std::vector<unsigned> &ranks : laneRanks) {
    std::vector<std::vector<StepRef>> calls(ranks.size());
    for (auto [number, rank] : llvm::enumerate(ranks))
      for (auto [place, step] : llvm::enumerate(programs[rank]))
        if (step.kind == Step::Kind::ReduceGradients)
          calls[number].push_back({rank, place});
    for (size_t number = 1; number < ranks.size(); ++number) {
      size_t common = std::min(calls[0].size(), calls[number].size());
      for (size_t call = 0; call < common; ++call) {
        const StepRef &a = calls[0][call], &b = calls[number][call];
        if (programs[a.first][a.second].task.stage !=
            programs[b.first][b.second].task.stage)
          return fail("collective " + std::to_string(call) + " is " +
                          getText(a) + ", but " + getText(b),
                      {a, b});
      }
      if (calls[0].size() != calls[number].size())
        return fail("rank " + std::to_string(ranks[0]) + " has " +
                        std::to_string(calls[0].size()) +
                        " collectives, but rank " +
                        std::to_string(ranks[number]) + " has " +
                        std::to_string(calls[number].size()),
                    {{ranks[0], programs[ranks[0]].size()},
                     {ranks[number], programs[ranks[number]].size()}});
    }
    for (size_t call = 0; !calls.empty() && call < calls[0].size(); ++call) {
      meetings.emplace_back();
      for (const std::vector<StepRef> &own : calls)
        meetings.back().push_back(own[call]);
    }
  }
  return true;
}

/// Follows steps that wait for each other until one occurs again. Where several
/// of one rank follow each other, names the first and the last.
bool Checker::failByCycle(const std::vector<std::vector<size_t>> &before,
                          const std::vector<bool> &isDone) {
  size_t node = llvm::find(isDone, false) - isDone.begin();
  std::vector<size_t> path, places(before.size(), before.size());
  while (places[node] == before.size()) {
    places[node] = path.size();
    path.push_back(node);
    node = *llvm::find_if(before[node],
                          [&](size_t other) { return !isDone[other]; });
  }
  path.erase(path.begin(), path.begin() + places[node]);
  std::vector<StepRef> steps;
  for (size_t at : path) {
    if (at >= 2 * (firstSteps.back() + programs.back().size()))
      continue; // a meeting
    unsigned rank =
        llvm::upper_bound(firstSteps, at / 2) - firstSteps.begin() - 1;
    StepRef step(rank, at / 2 - firstSteps[rank]);
    if (!steps.empty() && steps.back() == step)
      continue;
    bool continues = steps.size() > 1 && steps.back().first == rank &&
                     steps[steps.size() - 2].first == rank;
    if (continues)
      steps.back() = step;
    else
      steps.push_back(step);
  }
  if (steps.size() > 1 && steps.front() == steps.back())
    steps.pop_back();
  std::string text = "the programs do not end: " + getText(steps.front());
  for (size_t number = 1; number <= steps.size(); ++number)
    text += " waits for " + getText(steps[number % steps.size()]) +
            (number < steps.size() ? ", which" : "");
  return fail(std::move(text), std::move(steps));
}

bool Checker::checkOrder() {
  size_t numSteps =
      firstSteps.empty() ? 0 : firstSteps.back() + programs.back().size();
  // The begin and the end of each step, then each meeting.
  std::vector<std::vector<size_t>> before(2 * numSteps + meetings.size());
  std::vector<std::vector<size_t>> after(before.size());
  auto order = [&](size_t first, size_t second) {
    before[second].push_back(first);
    after[first].push_back(second);
  };
  for (auto [rank, steps] : llvm::enumerate(programs))
    for (size_t number = 0; number < steps.size(); ++number) {
      order(getNode({rank, number}, false), getNode({rank, number}, true));
      if (number > 0)
        order(getNode({rank, number - 1}, true),
              getNode({rank, number}, false));
    }
  for (auto [number, steps] : llvm::enumerate(meetings))
    for (const StepRef &step : steps) {
      order(getNode(step, false), 2 * numSteps + number);
      order(2 * numSteps + number, getNode(step, true));
    }
  std::vector<size_t> waiting, ready;
  std::vector<bool> isDone(before.size(), false);
  for (auto [node, others] : llvm::enumerate(before)) {
    waiting.push_back(others.size());
    if (others.empty())
      ready.push_back(node);
  }
  size_t done = 0;
  while (!ready.empty()) {
    size_t node = ready.back();
    ready.pop_back();
    isDone[node] = true;
    ++done;
    for (size_t next : after[node])
      if (--waiting[next] == 0)
        ready.push_back(next);
  }
  return done == before.size() || failByCycle(before, isDone);
}

bool tenon::parallelize::checkPrograms(const Pipeline &pipeline,
                                       const LaneRanks &laneRanks,
                                       const RankPrograms &programs,
                                       std::string &reason,
                                       std::vector<StepRef> *where) {
  std::vector<StepRef> steps;
  if (!where)
    where = &steps;
  Checker checker(pipeline, laneRanks, programs, reason, *where);
  return checker.checkRanks() && checker.matchTransfers() &&
         checker.matchCollectives() && checker.checkOrder() &&
         checkTasks(pipeline, laneRanks, programs, reason, *where);
}
