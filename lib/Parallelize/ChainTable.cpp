//===- ChainTable.cpp - the best cuts into chains of stages ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChainTable.h"
#include "StageTimes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <tuple>

using namespace tenon::parallelize;

static constexpr double kNever = std::numeric_limits<double>::infinity();
/// Steps that a part counts for which is kept, so that memory is bounded, too.
static constexpr uint64_t kStoredSteps = 64;

/// Chains are cut as if all devices were the least.
static Cluster::Device getLeastDevice(const Cluster &cluster) {
  std::vector<unsigned> all(cluster.count);
  std::iota(all.begin(), all.end(), 0);
  return cluster.getLeast(all);
}

/// The slowest link.
static Cluster::Wire getWire(const Cluster &cluster) {
  Cluster::Wire wire =
      cluster.count > cluster.perNode ? cluster.between : cluster.inside;
  wire.bytesPerSecond *= getLeastDevice(cluster).linkSpeed;
  return wire;
}

namespace {
/// A number of devices of a part that fits into memory.
struct Way {
  unsigned units = 0;
  double seconds = 0;
  /// The most stages that may be after it.
  unsigned mostAfter = 0;
};

/// The operators between two downsets: `before`, and one that has them, too.
struct Part {
  unsigned before = 0;
  std::vector<Way> ways;
  std::vector<unsigned> operators;
  /// Seconds of all tasks.
  TaskCost cost;
  OperatorBytes bytes;
  /// Bytes for each sample that it reads of the operators before.
  double inputBytes = 0;
};

struct Entry {
  double seconds = kNever;
  const Part *part = nullptr;
  unsigned units = 0;
};

class ChainTable {
public:
  ChainTable(const OperatorGraph &graph, const Cluster &cluster,
             const TrainingOptions &training, const ChainOptions &options,
             uint64_t &budget)
      : graph(graph), cluster(cluster), training(training), options(options),
        budget(budget), readers(graph.size()), wire(getWire(cluster)),
        least(getLeastDevice(cluster)) {
    for (auto [op, node] : llvm::enumerate(graph))
      for (unsigned operand : node.operands)
        readers[operand].push_back(op);
    if (!options.allOrders)
      findMostAfter();
  }

  /// The best cut over at most so many units.
  std::optional<ChainCut> cut(unsigned units);

private:
  unsigned getNumber(const llvm::BitVector &set);
  const std::vector<Part> &getParts(unsigned set);
  void addParts(llvm::BitVector &rest, Part part,
                llvm::DenseSet<llvm::BitVector> &seen,
                std::vector<Part> &found);
  double getInputBytes(const Part &part, const llvm::BitVector &before) const;
  /// The least seconds for a sample that a part of this cost can have.
  double getLeast(const TaskCost &cost) const;
  /// The least that the slowest of several parts can have, which have this cost
  /// together: all devices are busy, and none waits.
  double getLeast(const TaskCost &cost, unsigned units) const;
  TaskCost getCost(unsigned op) const;
  double getSeconds(const Part &part, unsigned units) const;
  std::vector<Way> getWays(const Part &part) const;
  void findMostAfter();
  const Entry &solve(unsigned set, unsigned units, unsigned after);

  const OperatorGraph &graph;
  const Cluster &cluster;
  const TrainingOptions &training;
  const ChainOptions &options;
  uint64_t &budget;
  std::vector<std::vector<unsigned>> readers;
  Cluster::Wire wire;
  Cluster::Device least;

  /// More stages after one need no more memory.
  unsigned mostAfter = std::numeric_limits<unsigned>::max();
  std::vector<llvm::BitVector> sets;
  /// By set: the costs of its operators together.
  std::vector<TaskCost> costs;
  llvm::DenseMap<llvm::BitVector, unsigned> numbers;
  std::vector<std::unique_ptr<std::vector<Part>>> parts;
  std::map<std::tuple<unsigned, unsigned, unsigned>, Entry> entries;
};
} // namespace

unsigned ChainTable::getNumber(const llvm::BitVector &set) {
  auto [place, isNew] = numbers.try_emplace(set, sets.size());
  if (isNew) {
    sets.push_back(set);
    costs.emplace_back();
    for (unsigned op : set.set_bits())
      costs.back() += getCost(op);
    parts.emplace_back();
  }
  return place->second;
}

double ChainTable::getInputBytes(const Part &part,
                                 const llvm::BitVector &before) const {
  llvm::BitVector read(graph.size());
  for (unsigned op : part.operators)
    for (unsigned operand : graph[op].operands)
      if (before.test(operand))
        read.set(operand);
  double bytes = 0;
  for (unsigned op : read.set_bits())
    bytes += static_cast<double>(graph[op].resultBytes);
  return bytes;
}

double ChainTable::getLeast(const TaskCost &cost) const {
  double size = static_cast<double>(options.microBatch);
  double devices = options.mayReplicate
                       ? std::min(static_cast<double>(cluster.count), size)
                       : 1;
  return cost.getSeconds(size / devices) / size / least.speed;
}

double ChainTable::getLeast(const TaskCost &cost, unsigned units) const {
  double size = static_cast<double>(options.microBatch);
  return (cost.fixed + cost.perSample * size) / size /
         (static_cast<double>(units) * options.unit) / least.speed;
}

TaskCost ChainTable::getCost(unsigned op) const {
  TaskCost cost = graph[op].forward;
  if (!training.forwardOnly) {
    cost += graph[op].backwardInput;
    cost += graph[op].backwardWeight;
  }
  return cost;
}

/// Adds the parts that have all of `part`, and more of the operators of `rest`,
/// the downset before it.
void ChainTable::addParts(llvm::BitVector &rest, Part part,
                          llvm::DenseSet<llvm::BitVector> &seen,
                          std::vector<Part> &found) {
  if (budget == 0 || !seen.insert(rest).second)
    return;
  --budget;
  if (!part.operators.empty()) {
    part.before = getNumber(rest);
    part.inputBytes = getInputBytes(part, rest);
    part.ways = getWays(part);
    if (!part.ways.empty()) {
      // In their own order, there are few.
      if (options.allOrders)
        budget -= std::min<uint64_t>(budget, kStoredSteps);
      found.push_back(part);
    }
  }
  for (int op = rest.find_last(); op >= 0; op = rest.find_prev(op)) {
    if (llvm::any_of(readers[op], [&](unsigned by) { return rest.test(by); }))
      continue;
    Part next = part;
    next.operators.push_back(op);
    next.bytes.add(graph[op]);
    next.cost += getCost(op);
    if (getLeast(next.cost) <= options.bound) {
      rest.reset(op);
      addParts(rest, std::move(next), seen, found);
      rest.set(op);
    }
    // In their own order, only the last operator may be next.
    if (!options.allOrders)
      break;
  }
}

const std::vector<Part> &ChainTable::getParts(unsigned set) {
  if (!parts[set]) {
    auto found = std::make_unique<std::vector<Part>>();
    llvm::BitVector rest = sets[set];
    llvm::DenseSet<llvm::BitVector> seen;
    addParts(rest, {}, seen, *found);
    // addParts may have added sets, which moves what `parts` holds.
    parts[set] = std::move(found);
  }
  return *parts[set];
}

double ChainTable::getSeconds(const Part &part, unsigned units) const {
  double size = static_cast<double>(options.microBatch);
  double devices = static_cast<double>(units) * options.unit;
  double weights = static_cast<double>(part.bytes.weights);
  double reduce = 2 * (devices - 1) *
                  (wire.latency + weights / devices / wire.bytesPerSecond);
  double seconds = part.cost.getSeconds(size / devices) / size / least.speed;
  if (!training.forwardOnly)
    seconds += reduce / static_cast<double>(training.miniBatch);
  double link = part.inputBytes > 0 ? wire.latency / size +
                                          part.inputBytes / wire.bytesPerSecond
                                    : 0;
  return std::max(seconds, link);
}

std::vector<Way> ChainTable::getWays(const Part &part) const {
  std::vector<Way> ways;
  OperatorSet set;
  set.bytes = part.bytes;
  StageView view;
  view.set = &set;
  view.microBatch = options.microBatch;
  unsigned mostAfter = std::min<int64_t>(
      graph.size(), (training.miniBatch - 1) / options.microBatch);
  for (unsigned units = 1; units <= cluster.count / options.unit; ++units) {
    int64_t devices = int64_t(units) * options.unit;
    // Uneven shares are more ways than its search has steps for.
    if (options.microBatch % devices != 0 ||
        (!options.mayReplicate && devices > 1))
      continue;
    Way way{units, getSeconds(part, units), 0};
    if (way.seconds > options.bound)
      continue;
    view.numDevices = devices;
    auto isFitting = [&](unsigned after) {
      unsigned inFlight = training.forwardOnly ? 1 : after + 1;
      return getStageBytes(training, view, inFlight * options.microBatch,
                           static_cast<int64_t>(part.inputBytes)) <=
             least.memoryBytes;
    };
    if (!isFitting(0))
      continue;
    // With all samples in flight, it does not matter how many are after it.
    if (isFitting(mostAfter)) {
      way.mostAfter = std::numeric_limits<unsigned>::max();
    } else {
      unsigned end = mostAfter;
      while (end - way.mostAfter > 1) {
        unsigned middle = (way.mostAfter + end) / 2;
        (isFitting(middle) ? way.mostAfter : end) = middle;
      }
    }
    ways.push_back(way);
  }
  return ways;
}

/// How many stages may be after a part at most, where that matters.
void ChainTable::findMostAfter() {
  llvm::BitVector set(graph.size(), true);
  mostAfter = 0;
  for (unsigned op = graph.size(); op-- > 0; set.reset(op))
    for (const Part &part : getParts(getNumber(set)))
      for (const Way &way : part.ways)
        if (way.mostAfter != std::numeric_limits<unsigned>::max())
          mostAfter = std::max(mostAfter, way.mostAfter + 1);
}

/// The best cut of a downset over at most `units`, before `after` stages.
const Entry &ChainTable::solve(unsigned set, unsigned units, unsigned after) {
  after = std::min(after, mostAfter);
  auto [place, isNew] = entries.try_emplace({set, units, after});
  // References into a map stay valid.
  Entry &entry = place->second;
  if (!isNew || budget == 0)
    return entry;
  if (sets[set].none()) {
    entry.seconds = 0;
    return entry;
  }
  for (const Part &part : getParts(set)) {
    budget -= budget > 0;
    // In their own order, the parts after it have more.
    if (!options.allOrders && getLeast(part.cost, units) >= entry.seconds)
      break;
    for (const Way &way : part.ways) {
      // Steps do not depend on how many devices there are.
      if (budget == 0 || way.units > units)
        break;
      unsigned left = units - way.units;
      if (way.seconds >= entry.seconds || after > way.mostAfter ||
          (sets[part.before].any() &&
           (left == 0 || getLeast(costs[part.before], left) >= entry.seconds)))
        continue;
      --budget;
      double rest = solve(part.before, left, after + 1).seconds;
      double seconds = std::max(way.seconds, rest);
      if (seconds < entry.seconds) {
        entry.seconds = seconds;
        entry.part = &part;
        entry.units = way.units;
      }
    }
  }
  return entry;
}

std::optional<ChainCut> ChainTable::cut(unsigned units) {
  unsigned set = getNumber(llvm::BitVector(graph.size(), true)), after = 0;
  ChainCut cut;
  cut.numDevices = units * options.unit;
  cut.seconds = solve(set, units, after).seconds;
  if (budget == 0 || cut.seconds == kNever)
    return std::nullopt;
  while (sets[set].any()) {
    const Entry &entry = solve(set, units, after++);
    std::vector<unsigned> operators = entry.part->operators;
    llvm::sort(operators);
    cut.stages.emplace_back(std::move(operators), entry.units * options.unit);
    set = entry.part->before;
    units -= entry.units;
  }
  std::reverse(cut.stages.begin(), cut.stages.end());
  return cut;
}

std::vector<ChainCut> tenon::parallelize::cutIntoChains(
    const OperatorGraph &graph, const Cluster &cluster,
    const TrainingOptions &training, const ChainOptions &options,
    uint64_t &budget) {
  std::vector<ChainCut> cuts;
  unsigned most = cluster.count / options.unit;
  auto getFirst = [&](unsigned units) {
    Cluster first = cluster;
    first.count = units * options.unit;
    return first;
  };
  for (unsigned units = options.fewerDevices ? 1 : most; units <= most;) {
    // One table for numbers of devices with the same least one.
    Cluster first = getFirst(units);
    unsigned end = units + 1;
    for (; end <= most; ++end) {
      Cluster next = getFirst(end);
      bool isAlike =
          (next.count > cluster.perNode) == (first.count > cluster.perNode) &&
          getLeastDevice(next) == getLeastDevice(first);
      if (!isAlike)
        break;
    }
    Cluster group = getFirst(end - 1);
    ChainTable table(graph, group, training, options, budget);
    for (; units < end; ++units) {
      std::optional<ChainCut> cut = table.cut(units);
      if (budget == 0)
        return cuts;
      if (cut && (cuts.empty() || cut->stages != cuts.back().stages))
        cuts.push_back(std::move(*cut));
    }
  }
  return cuts;
}
