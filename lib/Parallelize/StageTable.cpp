//===- StageTable.cpp - the best cuts of series-parallel graphs -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageTable.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

#include <limits>

using namespace tenon::parallelize;

static constexpr double kNever = std::numeric_limits<double>::infinity();

namespace {
/// How an entry is reached: from the entry of a shorter prefix of the parts.
struct Step {
  /// The parts [begin, end) are one stage, or the one part is cut by itself.
  unsigned begin = 0;
  uint16_t units = 0;
  uint8_t depth = 0;
  bool isStage = true;
};

/// The entries of a prefix of a node's parts, by units and depth.
struct Entries {
  std::vector<double> seconds;
  std::vector<Step> steps;
};

/// What is known of a node.
struct Node {
  const SeriesParallel *tree = nullptr;
  /// The nodes of its parts that can be cut.
  std::vector<std::unique_ptr<Node>> parts;
  /// prefixes[n] is of the first n parts.
  std::vector<Entries> prefixes;
};
} // namespace

struct StageTable::Impl {
  const OperatorGraph &graph;
  int64_t microBatch;
  unsigned numUnits, unit, maxDepth;
  std::unique_ptr<Node> root;

  size_t at(unsigned units, unsigned depth) const {
    return size_t(units) * (maxDepth + 1) + depth;
  }

  /// The time of a stage for a sample, by the logarithm of its units.
  std::vector<double> getStageSeconds(llvm::ArrayRef<TaskCost> costs) const {
    std::vector<double> seconds;
    for (unsigned units = 1; units <= numUnits; units *= 2) {
      int64_t devices = int64_t(units) * unit;
      double samples = std::ceil(static_cast<double>(microBatch) /
                                 static_cast<double>(devices));
      double sum = 0;
      for (const TaskCost &cost : costs)
        sum += cost.getSeconds(samples);
      seconds.push_back(microBatch >= devices
                            ? sum / static_cast<double>(microBatch)
                            : kNever);
    }
    return seconds;
  }

  TaskCost getCost(const SeriesParallel &part) const {
    TaskCost sum;
    for (unsigned op : part.operators)
      for (const TaskCost &cost : {graph[op].forward, graph[op].backwardInput,
                                   graph[op].backwardWeight})
        sum += cost;
    return sum;
  }

  void improve(Entries &entries, size_t place, double seconds,
               const Step &step) const {
    if (seconds < entries.seconds[place]) {
      entries.seconds[place] = seconds;
      entries.steps[place] = step;
    }
  }

  std::unique_ptr<Node> build(const SeriesParallel &tree);
  /// Extends prefixes by a stage of the parts [begin, end).
  void addStages(Node &node, unsigned begin, unsigned end, TaskCost cost);
  /// Extends the prefix of `number` parts by the cuts of the next.
  void addPart(Node &node, unsigned number);
  void collect(const Node &node, unsigned units, unsigned depth,
               std::vector<StageCut> &cut) const;
};

void StageTable::Impl::addStages(Node &node, unsigned begin, unsigned end,
                                 TaskCost cost) {
  bool isSeries = node.tree->kind != SeriesParallel::Kind::Parallel;
  const Entries &from = node.prefixes[begin];
  Entries &to = node.prefixes[end];
  std::vector<double> own = getStageSeconds(cost);
  for (unsigned log = 0; log < own.size(); ++log) {
    unsigned used = 1u << log;
    if (own[log] == kNever)
      continue;
    for (unsigned units = used; units <= numUnits; ++units)
      for (unsigned depth = 1; depth <= maxDepth; ++depth) {
        if (own[log] >= to.seconds[at(units, depth)])
          break; // Deeper cuts are as fast or faster.
        unsigned before = isSeries ? depth - 1 : depth;
        double seconds =
            std::max(own[log], from.seconds[at(units - used, before)]);
        improve(to, at(units, depth), seconds,
                {begin, static_cast<uint16_t>(used), 1, true});
      }
  }
}

void StageTable::Impl::addPart(Node &node, unsigned number) {
  const Node *part = node.parts[number].get();
  if (!part)
    return;
  bool isSeries = node.tree->kind == SeriesParallel::Kind::Series;
  const Entries &own = part->prefixes.back(), &from = node.prefixes[number];
  Entries &to = node.prefixes[number + 1];
  for (unsigned units = 2; units <= numUnits; ++units)
    for (unsigned used = 2; used <= units; ++used)
      for (unsigned deep = 1; deep <= maxDepth; ++deep) {
        double seconds = own.seconds[at(used, deep)];
        // More devices and deeper cuts are as fast or faster: neither a part
        // that is no faster than with less of them nor one that is slower than
        // what there is makes anything better.
        if (seconds == own.seconds[at(used, deep - 1)] ||
            seconds == own.seconds[at(used - 1, deep)] ||
            seconds >= to.seconds[at(units, deep)])
          continue;
        // In series, depths add; in parallel, both are as deep.
        for (unsigned depth = deep; depth <= maxDepth; ++depth) {
          unsigned before = isSeries ? depth - deep : depth;
          improve(to, at(units, depth),
                  std::max(seconds, from.seconds[at(units - used, before)]),
                  {number, static_cast<uint16_t>(used),
                   static_cast<uint8_t>(deep), false});
        }
      }
}

std::unique_ptr<Node> StageTable::Impl::build(const SeriesParallel &tree) {
  auto node = std::make_unique<Node>();
  node->tree = &tree;
  size_t count = std::max<size_t>(tree.parts.size(), 1);
  std::vector<TaskCost> costs;
  for (size_t number = 0; number < count; ++number) {
    const SeriesParallel &part = tree.parts.empty() ? tree : tree.parts[number];
    costs.push_back(getCost(part));
    node->parts.push_back(part.parts.empty() ? nullptr : build(part));
  }
  size_t numEntries = at(numUnits, maxDepth) + 1;
  node->prefixes.resize(count + 1);
  for (Entries &entries : node->prefixes) {
    entries.seconds.assign(numEntries, kNever);
    entries.steps.resize(numEntries);
  }
  node->prefixes[0].seconds.assign(numEntries, 0);
  for (unsigned end = 1; end <= count; ++end) {
    TaskCost sum;
    for (unsigned begin = end; begin-- > 0;) {
      sum += costs[begin];
      addStages(*node, begin, end, sum);
    }
    addPart(*node, end - 1);
  }
  return node;
}

void StageTable::Impl::collect(const Node &node, unsigned units, unsigned depth,
                               std::vector<StageCut> &cut) const {
  bool isParallel = node.tree->kind == SeriesParallel::Kind::Parallel;
  unsigned end = node.prefixes.size() - 1;
  while (end > 0) {
    const Step &step = node.prefixes[end].steps[at(units, depth)];
    if (step.isStage) {
      StageCut stage;
      stage.numDevices = step.units * unit;
      for (unsigned part = step.begin; part < end; ++part) {
        const SeriesParallel &tree =
            node.tree->parts.empty() ? *node.tree : node.tree->parts[part];
        llvm::append_range(stage.operators, tree.operators);
      }
      llvm::sort(stage.operators);
      cut.push_back(std::move(stage));
    } else {
      collect(*node.parts[step.begin], step.units, step.depth, cut);
    }
    units -= step.units;
    if (!isParallel)
      depth -= step.depth;
    end = step.begin;
  }
}

StageTable::StageTable(const OperatorGraph &graph, const SeriesParallel &root,
                       int64_t microBatch, unsigned numUnits, unsigned unit,
                       unsigned maxDepth)
    : impl(new Impl{graph, microBatch, numUnits, unit, maxDepth, nullptr}) {
  impl->root = impl->build(root);
}

StageTable::~StageTable() = default;

double StageTable::getSeconds(unsigned numUnits, unsigned depth) const {
  return impl->root->prefixes.back().seconds[impl->at(numUnits, depth)];
}

std::vector<StageCut> StageTable::getCut(unsigned numUnits,
                                         unsigned depth) const {
  std::vector<StageCut> cut;
  impl->collect(*impl->root, numUnits, depth, cut);
  return cut;
}
