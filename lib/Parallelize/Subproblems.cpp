//===- Subproblems.cpp - plans of some samples on more and more devices ---===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Subproblems.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

using namespace tenon::parallelize;
using llvm::isPowerOf2_32;

/// The most units that devices are given out in, and the most stages in a row,
/// of the dynamic programming.
static constexpr unsigned kMostUnits = 64, kMostDepth = 16;
/// Samples that are taken to be in flight where bytes are compared.
static constexpr int64_t kFlying = 4;
/// How many of its cuts are simulated for a number of devices, and how many
/// plans the local search begins from.
static constexpr size_t kSimulated = 16, kRefined = 3;
/// Of plans with more stages, the local search takes any better neighbour
/// instead of the best.
static constexpr size_t kFewStages = 4;
static constexpr double kNever = std::numeric_limits<double>::infinity();
static constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();
/// Limits of memory from a number of bytes to twice as many, for few devices
/// and powers of 2, and for others.
static constexpr double kManyLimits = 4, kFewLimits = 2;
static constexpr unsigned kFewDevices = 8;
/// How much more is simulated for powers of 2, which many clusters have, and
/// how much less with a limit of memory than without.
static constexpr int64_t kMore = 32, kLess = 4;

/// The graph with times that are the shares which operators have of all bytes
/// and of all work. Bytes do not become less with more devices.
static OperatorGraph weigh(const OperatorGraph &graph, double stateFactor,
                           double share) {
  auto getBytes = [&](const Operator &op) {
    return static_cast<double>(op.weightBytes) * (1 + stateFactor) +
           static_cast<double>(op.savedBytes * kFlying);
  };
  double bytes = 0, work = 0;
  for (unsigned op = 0; op < graph.size(); ++op) {
    bytes += getBytes(graph[op]);
    work += getSecondsPerSample(graph, {op});
  }
  OperatorGraph weighed = graph;
  for (unsigned op = 0; op < graph.size(); ++op) {
    weighed[op].forward = {share * getBytes(graph[op]) / std::max(bytes, 1.0),
                           (1 - share) * getSecondsPerSample(graph, {op}) /
                               std::max(work, 1e-300),
                           0};
    weighed[op].backwardInput = weighed[op].backwardWeight = {};
  }
  return weighed;
}

StageTables::StageTables(const OperatorGraph &graph, OperatorSets &sets,
                         double stateFactor, unsigned numDevices)
    : sets(sets), numDevices(numDevices) {
  for (double share : kShares)
    graphs.push_back(share == 0 ? graph : weigh(graph, stateFactor, share));
  trees.push_back(decompose(graph));
  // Parts are small that take less than half the time which one of so many
  // devices has.
  constexpr double kDevices = 32;
  trees.push_back(absorbSmallParts(
      graph, trees.front(),
      getSecondsPerSample(graph, trees.front().operators) / (2 * kDevices)));
}

void StageTables::visitCuts(
    size_t share, unsigned count, int64_t microBatch,
    llvm::function_ref<void(double, unsigned, Draft)> visit) {
  unsigned unit = 1;
  while (count > kMostUnits * unit)
    unit *= 2;
  unsigned numUnits = std::min(numDevices / unit, kMostUnits);
  unsigned mostDepth = std::min<unsigned>(
      {numUnits, kMostDepth, static_cast<unsigned>(graphs[0].size())});
  for (size_t tree = 0; tree < trees.size(); ++tree) {
    std::unique_ptr<StageTable> &table =
        tables[{share, tree, unit, microBatch}];
    if (!table)
      table = std::make_unique<StageTable>(
          graphs[share], trees[tree], microBatch, numUnits, unit, mostDepth);
    double before = -1;
    unsigned units = count / unit;
    for (unsigned depth = 1; depth <= std::min(mostDepth, units); ++depth) {
      double seconds = table->getSeconds(units, depth);
      if (seconds == before || seconds > 1e300)
        continue;
      before = seconds;
      Draft draft;
      for (StageCut &cut : table->getCut(units, depth)) {
        DraftStage stage;
        stage.set = sets.get(std::move(cut.operators));
        stage.numDevices = cut.numDevices;
        stage.microBatch = microBatch;
        draft.push_back(stage);
      }
      sortStages(draft);
      visit(seconds, depth, std::move(draft));
    }
  }
}

void StageTables::addCuts(unsigned count, int64_t microBatch, int64_t samples,
                          std::multimap<double, Draft> &cuts) {
  visitCuts(0, count, microBatch,
            [&](double seconds, unsigned depth, Draft draft) {
              // The pipeline fills and drains for as long as it is deep.
              double filled = static_cast<double>(samples) +
                              static_cast<double>(microBatch) * (depth - 1);
              cuts.emplace(seconds * filled, std::move(draft));
            });
}

void StageTables::addSmallCuts(unsigned count, std::vector<Draft> &cuts) {
  for (size_t share = 1; share < graphs.size(); ++share)
    visitCuts(share, count, kMostUnits, [&](double, unsigned, Draft draft) {
      unsigned most = 1;
      for (const DraftStage &stage : draft)
        most = std::max(most, stage.numDevices);
      for (DraftStage &stage : draft)
        stage.microBatch = most;
      cuts.push_back(std::move(draft));
    });
}

bool Subproblems::isBetter(const Rated &one, const Rated &other) const {
  // Among equally fast plans, the one with fewer stages is better, and the one
  // that needs less memory.
  auto getKey = [&](const Rated &rated) {
    return std::make_tuple(rated.rating.getOverflow(limit),
                           rated.rating.seconds, rated.draft.size(),
                           rated.rating.mostBytes);
  };
  return getKey(one) < getKey(other);
}

std::optional<Subproblems::Rated> Subproblems::rate(Draft draft,
                                                    const Rated *other) {
  auto [place, isNew] = seen.try_emplace(getHash(draft), limit);
  if (!isNew && std::exchange(place->second, limit) == limit)
    return std::nullopt;
  std::optional<std::vector<StageView>> views =
      placeStages(draft, cluster, count);
  if (!views)
    return std::nullopt;
  auto samples = static_cast<double>(options.training.miniBatch);
  if (other && other->rating.getOverflow(limit) == 0) {
    double bound = evaluator.getBound(*views);
    if (bound >= other->rating.seconds) {
      --budget;
      seen.erase(place);
      return std::nullopt;
    }
  }
  budget -= kPlanSteps;
  std::optional<Evaluator::Rating> rating = evaluator.rate(*views, limit);
  if (!rating)
    return std::nullopt;
  budget -= rating->numTasks;
  Rated rated{std::move(draft), *rating};
  double seconds = rating->seconds / samples;
  if (fastest.draft.empty() || seconds < fastest.secondsPerSample)
    fastest = {rated.draft, count, seconds, rating->mostBytes};
  auto keep = [&](int64_t under) {
    FoundDraft &own =
        found
            .try_emplace({under, count, rated.draft.size(),
                          llvm::Log2_64(rated.draft.front().microBatch),
                          countDevices(rated.draft) == count},
                         FoundDraft{{}, count, kNever, 0})
            .first->second;
    return seconds < own.secondsPerSample ? &own : nullptr;
  };
  if (FoundDraft *own = keep(0); own && evaluator.isFitting(*views, *rating))
    *own = {rated.draft, count, seconds, rating->mostBytes};
  if (limit <= evaluator.getLimit() && rating->getOverflow(limit) == 0)
    if (FoundDraft *own = keep(limit))
      *own = {rated.draft, count, seconds, rating->mostBytes};
  return rated;
}

Subproblems::Rated Subproblems::refine(Rated best,
                                       const PlannerOptions &options) {
  for (bool improved = true; improved && budget > 0;) {
    improved = false;
    bool isSmall = best.draft.size() <= kFewStages;
    Rated next = best;
    visitNeighbours(graph, sets, best.draft, count, options, [&](Draft draft) {
      std::optional<Rated> rated = rate(std::move(draft), &next);
      if (rated && isBetter(*rated, next)) {
        next = std::move(*rated);
        improved = true;
      }
      return budget > 0 && (isSmall || !improved);
    });
    best = std::move(next);
  }
  return best;
}

Subproblems::Rated Subproblems::countBytes(Rated rated) {
  Evaluator::Rating &rating = rated.rating;
  if (rating.mostBytes > limit && rating.mostLimit >= rating.mostBytes)
    rating = *evaluator.rate(*placeStages(rated.draft, cluster, count), limit);
  return rated;
}

std::optional<Subproblems::Rated>
Subproblems::search(std::vector<Rated> &starts) {
  std::stable_sort(starts.begin(), starts.end(),
                   [&](const Rated &one, const Rated &other) {
                     return isBetter(one, other);
                   });
  // First the best of those with equally many stages, then others.
  std::set<size_t> numStages;
  std::stable_partition(starts.begin(), starts.end(), [&](const Rated &start) {
    return numStages.insert(start.draft.size()).second;
  });
  int64_t left = options.budget;
  if (limit != kNoLimit)
    left /= kLess;
  else if (isPowerOf2_32(count))
    left *= kMore;
  int64_t share = left / static_cast<int64_t>(kRefined);
  PlannerOptions same = options;
  same.sameMicroBatch = true;
  std::optional<Rated> best;
  for (const Rated &start : starts) {
    if (left <= 0)
      break;
    budget = share = std::min(share, left);
    // First as if the user had asked for one micro-batch size: what this finds
    // is not lost by having more to choose from.
    Rated refined = refine(countBytes(start), same);
    refined = refine(std::move(refined), options);
    left -= share - budget;
    if (!best || isBetter(refined, *best))
      best = std::move(refined);
  }
  return best;
}

/// All operators on all devices, of which cuts use powers of 2.
Draft Subproblems::getDataParallel(int64_t microBatch) const {
  std::vector<unsigned> operators(graph.size());
  std::iota(operators.begin(), operators.end(), 0);
  DraftStage stage;
  stage.set = sets.get(std::move(operators));
  stage.numDevices = count;
  stage.microBatch = microBatch;
  return {stage};
}

void Subproblems::addChain(std::vector<Rated> &starts) {
  if (std::optional<Draft> chain = chains.get(count, limit))
    if (std::optional<Rated> start = rate(std::move(*chain), nullptr))
      starts.push_back(std::move(*start));
}

void Subproblems::solve(unsigned number) {
  count = number;
  seen.clear();
  limit = kNoLimit;
  auto areAllowed = [&](const Draft &draft) {
    return llvm::all_of(draft, [&](const DraftStage &stage) {
      return isAllowed(stage, options);
    });
  };
  std::multimap<double, Draft> cuts;
  for (int64_t size : getTriedMicroBatchSizes(options))
    tables.addCuts(count, size, options.training.miniBatch, cuts);
  std::vector<Rated> starts;
  for (const Rated &rated : carried)
    if (std::optional<Rated> start = rate(rated.draft, nullptr))
      starts.push_back(std::move(*start));
  std::vector<Draft> drafts;
  for (auto &[seconds, draft] : cuts)
    if (drafts.size() < kSimulated && areAllowed(draft))
      drafts.push_back(std::move(draft));
  tables.addSmallCuts(count, drafts);
  for (int64_t size : getTriedMicroBatchSizes(options))
    if (Draft draft = getDataParallel(size); size >= count && areAllowed(draft))
      rate(std::move(draft), nullptr);
  for (Draft &draft : drafts)
    if (areAllowed(draft))
      if (std::optional<Rated> start = rate(std::move(draft), nullptr))
        starts.push_back(std::move(*start));
  carried.clear();
  // From what needs the most memory to the last limit that a plan fits.
  for (;;) {
    std::optional<Rated> best = search(starts);
    if (!best || best->rating.getOverflow(limit) > 0)
      break;
    carried.push_back(*best);
    starts.push_back(*best);
    // The next limit below what it needs.
    double each =
        count <= kFewDevices || isPowerOf2_32(count) ? kManyLimits : kFewLimits;
    double octaves = std::log2(static_cast<double>(best->rating.mostBytes));
    limit = static_cast<int64_t>(
        std::exp2(std::ceil(octaves * each - 1e-6 - 1) / each));
    if (best->rating.mostBytes < 4)
      break;
    addChain(starts);
  }
  // At last the memory that there is, so that nothing else depends on it: plans
  // that just fit are the fastest.
  if (carried.empty() ||
      carried.front().rating.mostBytes <= evaluator.getLimit() ||
      limit >= evaluator.getLimit())
    return;
  limit = evaluator.getLimit();
  addChain(starts);
  search(starts);
}

std::vector<FoundDraft> Subproblems::takeFound() {
  std::vector<FoundDraft> all;
  std::set<std::pair<unsigned, uint64_t>> isTaken;
  for (auto &[key, own] : found)
    if (!own.draft.empty() &&
        isTaken.insert({own.count, getHash(own.draft)}).second)
      all.push_back(std::move(own));
  return all;
}
