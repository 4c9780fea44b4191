//===- LimitedChains.cpp - chains of stages that need few bytes -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LimitedChains.h"

#include "llvm/ADT/BitVector.h"

#include <algorithm>
#include <limits>
#include <numeric>

using namespace tenon::parallelize;

static constexpr double kNever = std::numeric_limits<double>::infinity();
/// Stages of the longest chain.
static constexpr size_t kMostStages = 64;

LimitedChains::LimitedChains(const OperatorGraph &graph, unsigned numDevices,
                             const PlannerOptions &given, OperatorSets &sets)
    : graph(graph), options(given), sets(sets),
      mostStages(std::min<size_t>({graph.size(), numDevices, kMostStages})),
      microBatch(getMicroBatchSizes(given).front()) {}

LimitedChains::Table LimitedChains::build(int64_t limit) const {
  const TrainingOptions &training = options.training;
  const auto samples = static_cast<double>(microBatch);
  const int64_t mostFlying =
      training.forwardOnly ? 1 : (training.miniBatch - 1) / microBatch + 1;
  const size_t row = mostStages + 1;
  Table table((graph.size() + 1) * row, Entry{kNever});
  table[graph.size() * row].seconds = 0;
  for (unsigned begin = graph.size(); begin-- > 0;) {
    OperatorSet set;
    StageView view;
    view.set = &set;
    view.microBatch = microBatch;
    llvm::BitVector read(begin);
    double seconds = 0, forward = 0;
    int64_t inputBytes = 0;
    auto getBytes = [&](int64_t numFlying) {
      return getStageBytes(training, view, numFlying * microBatch, inputBytes);
    };
    for (unsigned end = begin; end < graph.size();) {
      const Operator &op = graph[end++];
      set.bytes.add(op);
      for (unsigned operand : op.operands)
        if (operand < begin && !read.test(operand)) {
          read.set(operand);
          inputBytes += graph[operand].resultBytes;
        }
      forward += op.forward.getSeconds(samples);
      seconds += op.forward.getSeconds(samples);
      if (!training.forwardOnly)
        seconds += op.backwardInput.getSeconds(samples) +
                   op.backwardWeight.getSeconds(samples);
      bool fitsAny = false;
      for (bool recompute : {false, true}) {
        if (recompute && (training.forwardOnly || !options.mayRecompute))
          continue;
        view.recompute = recompute;
        double own = recompute ? seconds + forward : seconds;
        // Bytes grow by as much for each micro-batch in flight.
        int64_t one = getBytes(1), each = getBytes(2) - one;
        if (one > limit)
          continue;
        fitsAny = true;
        size_t most = mostStages;
        if (each > 0 && one + each * (mostFlying - 1) > limit)
          most = std::min<size_t>(most, 1 + (limit - one) / each);
        for (size_t stages = 1; stages <= most; ++stages) {
          double rest = table[end * row + stages - 1].seconds;
          Entry &entry = table[begin * row + stages];
          if (std::max(own, rest) < entry.seconds)
            entry = {std::max(own, rest), end, recompute};
        }
      }
      // With more operators, it needs more.
      if (!fitsAny)
        break;
    }
  }
  return table;
}

std::optional<Draft> LimitedChains::get(unsigned count, int64_t limit) {
  auto [place, isNew] = tables.try_emplace(limit);
  if (isNew)
    place->second = build(limit);
  const Table &table = place->second;
  const size_t row = mostStages + 1;
  size_t stages = 1;
  for (size_t number = 2; number <= std::min<size_t>(count, mostStages);
       ++number)
    if (table[number].seconds < table[stages].seconds)
      stages = number;
  if (table[stages].seconds == kNever)
    return std::nullopt;
  Draft draft;
  for (unsigned begin = 0; begin < graph.size(); --stages) {
    const Entry &entry = table[begin * row + stages];
    std::vector<unsigned> operators(entry.end - begin);
    std::iota(operators.begin(), operators.end(), begin);
    DraftStage stage;
    stage.set = sets.get(std::move(operators));
    stage.microBatch = microBatch;
    stage.recompute = entry.recompute;
    draft.push_back(stage);
    begin = entry.end;
  }
  sortStages(draft);
  return draft;
}
