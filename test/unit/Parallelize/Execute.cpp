//===- Execute.cpp - rank programs, executed step by step -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execute.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

using namespace tenon::parallelize;

namespace {
/// A sample that a rank has: of a link's values or gradients.
struct Fact {
  unsigned link;
  bool isGradient;
  int64_t sample;

  bool operator<(const Fact &other) const {
    return std::tie(link, isGradient, sample) <
           std::tie(other.link, other.isGradient, other.sample);
  }
};

struct Rank {
  size_t next = 0;
  bool begun = false;
  std::vector<Transfer> pending;
  std::set<Fact> computed, received;
  /// What was computed: stage, kind, sample.
  std::multiset<std::tuple<unsigned, TaskKind, int64_t>> tasks;
  /// For each stage, how many gradients of samples were summed, and how often.
  std::map<unsigned, size_t> sums, numSums;
};

class Execution {
public:
  Execution(const Pipeline &pipeline, const LaneRanks &laneRanks,
            const RankPrograms &programs, bool withData)
      : pipeline(pipeline), laneRanks(laneRanks), programs(programs),
        withData(withData), ranks(programs.size()) {}

  std::string run() {
    for (bool changed = true; changed && wrong.empty();) {
      changed = false;
      for (unsigned rank = 0; rank < ranks.size() && wrong.empty(); ++rank)
        changed |= advance(rank);
    }
    if (!wrong.empty())
      return "wrong: " + wrong;
    for (unsigned rank = 0; rank < ranks.size(); ++rank)
      if (ranks[rank].next < programs[rank].size())
        return "hangs: rank " + std::to_string(rank) + " at step " +
               std::to_string(ranks[rank].next);
    if (withData)
      judge();
    return wrong.empty() ? "" : "wrong: " + wrong;
  }

private:
  const Step *at(unsigned rank) const {
    return ranks[rank].next < programs[rank].size()
               ? &programs[rank][ranks[rank].next]
               : nullptr;
  }
  void end(unsigned rank) {
    ++ranks[rank].next;
    ranks[rank].begun = false;
  }

  bool advance(unsigned rank) {
    const Step *step = at(rank);
    if (!step)
      return false;
    switch (step->kind) {
    case Step::Kind::Compute:
      if (withData)
        compute(rank, *step);
      end(rank);
      return true;
    case Step::Kind::Group:
      return communicate(rank, *step);
    case Step::Kind::ReduceGradients:
      return reduce(rank, *step);
    }
    return false;
  }

  void compute(unsigned rank, const Step &step) {
    Rank &state = ranks[rank];
    bool isForward = step.task.kind == TaskKind::Forward;
    for (int64_t sample = step.begin; sample < step.end; ++sample) {
      if (step.task.kind != TaskKind::BackwardWeight)
        for (unsigned link = 0; link < pipeline.links.size(); ++link) {
          const Link &of = pipeline.links[link];
          Fact fact{link, !isForward, sample};
          if ((isForward ? of.to : of.from) == step.task.stage &&
              !state.computed.count(fact) && !state.received.count(fact))
            wrong = "rank " + std::to_string(rank) + " reads what is not there";
        }
      if (!isForward &&
          !state.tasks.count({step.task.stage,
                              step.task.kind == TaskKind::BackwardWeight
                                  ? TaskKind::BackwardInput
                                  : TaskKind::Forward,
                              sample}))
        wrong = "backward before forward";
      state.tasks.insert({step.task.stage, step.task.kind, sample});
      if (step.task.kind != TaskKind::BackwardWeight)
        for (unsigned link = 0; link < pipeline.links.size(); ++link) {
          const Link &of = pipeline.links[link];
          if ((isForward ? of.from : of.to) == step.task.stage)
            state.computed.insert({link, !isForward, sample});
        }
    }
  }

  /// The first transfer of a rank's current group in one direction to a peer.
  std::optional<size_t> findFirst(unsigned rank, unsigned peer, bool isSend) {
    const Step *step = at(rank);
    if (!step || step->kind != Step::Kind::Group || !ranks[rank].begun)
      return std::nullopt;
    for (size_t n = 0; n < ranks[rank].pending.size(); ++n)
      if (ranks[rank].pending[n].peer == peer &&
          ranks[rank].pending[n].isSend == isSend)
        return n;
    return std::nullopt;
  }

  bool communicate(unsigned rank, const Step &step) {
    Rank &state = ranks[rank];
    bool changed = false;
    if (!state.begun) {
      state.begun = changed = true;
      state.pending = step.transfers;
      for (const Transfer &transfer : step.transfers) {
        if (!withData)
          break;
        if (transfer.peer == rank)
          wrong = "a rank sends to itself";
        if (transfer.begin < 0 || transfer.begin >= transfer.end ||
            transfer.end > pipeline.miniBatch)
          wrong = "samples that do not exist";
        if (transfer.isSend)
          for (int64_t s = transfer.begin; s < transfer.end; ++s)
            if (!state.computed.count({transfer.link, transfer.isGradient, s}))
              wrong = "rank " + std::to_string(rank) +
                      " sends what was not computed";
      }
      if (!wrong.empty())
        return true;
    }
    for (bool isSend : {true, false})
      for (unsigned peer = 0; peer < ranks.size(); ++peer) {
        std::optional<size_t> own = findFirst(rank, peer, isSend);
        std::optional<size_t> other = findFirst(peer, rank, !isSend);
        if (!own || !other)
          continue;
        Transfer expected = state.pending[*own];
        expected.isSend = !isSend;
        expected.peer = rank;
        if (!(ranks[peer].pending[*other] == expected)) {
          wrong = "two ends of a message differ";
          return true;
        }
        Rank &receiver = isSend ? ranks[peer] : state;
        for (int64_t s = expected.begin; withData && s < expected.end; ++s)
          if (!receiver.received.insert({expected.link, expected.isGradient, s})
                   .second)
            wrong = "received twice";
        state.pending.erase(state.pending.begin() + *own);
        ranks[peer].pending.erase(ranks[peer].pending.begin() + *other);
        changed = true;
      }
    if (state.pending.empty()) {
      end(rank);
      return true;
    }
    return changed;
  }

  bool reduce(unsigned rank, const Step &step) {
    ranks[rank].begun = true;
    const std::vector<unsigned> &others =
        laneRanks[pipeline.stages[step.task.stage].lane];
    for (unsigned other : others) {
      const Step *theirs = at(other);
      if (!theirs || theirs->kind != Step::Kind::ReduceGradients ||
          !ranks[other].begun)
        return false;
      if (theirs->task.stage != step.task.stage) {
        wrong = "collectives differ";
        return true;
      }
    }
    for (unsigned other : others) {
      // What is summed is all that the rank ever computes of the gradients.
      ranks[other].sums[step.task.stage] =
          countGradients(other, step.task.stage);
      ++ranks[other].numSums[step.task.stage];
      end(other);
    }
    return true;
  }

  size_t countGradients(unsigned rank, unsigned stage) const {
    size_t count = 0;
    for (const auto &[of, kind, sample] : ranks[rank].tasks)
      count += of == stage &&
               (kind == TaskKind::Backward || kind == TaskKind::BackwardWeight);
    return count;
  }

  void judge() {
    bool isTraining = false;
    for (const Rank &rank : ranks)
      for (const auto &[stage, kind, sample] : rank.tasks)
        isTraining |= kind != TaskKind::Forward;
    for (unsigned lane = 0; lane < laneRanks.size(); ++lane)
      for (unsigned place = 0; place < laneRanks[lane].size(); ++place)
        for (unsigned stage = 0; stage < pipeline.stages.size(); ++stage)
          for (int64_t s = 0; s < pipeline.miniBatch; ++s) {
            int64_t size = pipeline.stages[stage].microBatch;
            int64_t share = size / int64_t(laneRanks[lane].size());
            bool isOwn = pipeline.stages[stage].lane == lane &&
                         s % size / share == place;
            const auto &tasks = ranks[laneRanks[lane][place]].tasks;
            size_t whole = tasks.count({stage, TaskKind::Backward, s});
            size_t input = tasks.count({stage, TaskKind::BackwardInput, s});
            size_t weight = tasks.count({stage, TaskKind::BackwardWeight, s});
            Rank &rank = ranks[laneRanks[lane][place]];
            bool sums = isTraining && laneRanks[lane].size() > 1 &&
                        pipeline.stages[stage].lane == lane;
            if (rank.numSums[stage] != sums ||
                (sums && rank.sums[stage] !=
                             countGradients(laneRanks[lane][place], stage)))
              wrong = "gradients are not summed";
            if (tasks.count({stage, TaskKind::Forward, s}) != isOwn ||
                whole + input != (isOwn && isTraining) || input != weight)
              wrong = "a sample is not computed exactly once";
          }
  }

  const Pipeline &pipeline;
  const LaneRanks &laneRanks;
  const RankPrograms &programs;
  const bool withData;
  std::vector<Rank> ranks;
  std::string wrong;
};
} // namespace

std::string tenon::parallelize::execute(const Pipeline &pipeline,
                                        const LaneRanks &laneRanks,
                                        const RankPrograms &programs,
                                        bool withData) {
  return Execution(pipeline, laneRanks, programs, withData).run();
}
