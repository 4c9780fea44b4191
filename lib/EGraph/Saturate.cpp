//===- Saturate.cpp - application of rules to an e-graph ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/EGraph/Saturate.h"
#include "Siblings.h"

#include "llvm/ADT/Hashing.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::egraph;
using rule::RuleMatch;
using rule::RulePattern;

namespace {
/// The state of a rule: the matches that an iteration may apply, and pauses.
struct Schedule {
  unsigned limit = 0;
  unsigned pausedUntil = 0;
  unsigned pauses = 0;
  bool growing = false;
  /// The number, from 1 on, of the last iteration that found all matches.
  unsigned complete = 0;
};

class Saturator {
public:
  Saturator(EGraph &graph, ArrayRef<RulePattern> patterns,
            const SaturateOptions &options);
  Saturation run();

private:
  void findFresh();
  std::vector<RuleMatch> collect(unsigned number, unsigned iteration, bool all);
  unsigned applyAll(unsigned number, ArrayRef<RuleMatch> matches);
  /// Returns a hash of a rule and the ops that it matches.
  uint64_t hash(unsigned number, ArrayRef<Operation *> ops) const;
  bool isFull() const {
    return graph.getNumNodes() >= startNodes + options.newNodes;
  }

  EGraph &graph;
  ArrayRef<RulePattern> patterns;
  const SaturateOptions &options;
  unsigned startNodes, depth = 1;
  Saturation report;
  std::vector<Schedule> schedules;
  /// For each op above a change of the last iteration, the number of ops in
  /// between. A pattern of depth d has new matches only at ops with less than
  /// d.
  llvm::DenseMap<Operation *, unsigned> fresh;
  /// Matches that were applied: hashes of a rule and its ops.
  llvm::DenseSet<uint64_t> tried;
  SiblingChoice siblings;
};
} // namespace

/// Returns a rough estimate of an op's time, which distinguishes rules that
/// save work from others.
static double weigh(Region &side) {
  double sum = 0;
  for (Operation &op : side.front().without_terminator()) {
    if (isa<graph::MatmulOp, graph::ConvOp, graph::ConvTransposeOp,
            graph::ConvBackwardWeightOp, graph::AttentionOp>(op))
      sum += 4;
    else if (isa<graph::ReshapeOp, graph::SplitOp, graph::SliceOp,
                 graph::BroadcastOp, graph::ConstantOp>(op))
      sum += 0.5;
    else if (isa<graph::ConcatOp, graph::PadOp, graph::TransposeOp>(op))
      sum += 1;
    else
      sum += 2;
  }
  return sum;
}

Saturator::Saturator(EGraph &graph, ArrayRef<RulePattern> patterns,
                     const SaturateOptions &options)
    : graph(graph), patterns(patterns), options(options),
      startNodes(graph.getNumNodes()), siblings(graph, patterns) {
  report.rules.resize(patterns.size());
  for (const RulePattern &pattern : patterns) {
    rule::RuleOp op = pattern.getRule().op;
    double source = weigh(op.getSource()), target = weigh(op.getTarget());
    Schedule schedule;
    schedule.growing = target > source;
    schedule.limit = target < source    ? options.reducing
                     : schedule.growing ? options.growing
                                        : options.neutral;
    schedules.push_back(schedule);
    depth = std::max(depth, pattern.getDepth());
  }
}

/// Finds the ops for new matches: a match is new only if an op of it, or an
/// equality, is new.
void Saturator::findFresh() {
  fresh.clear();
  SmallVector<Operation *> level;
  auto add = [&](Operation *op, unsigned distance,
                 SmallVector<Operation *> &to) {
    if (fresh.try_emplace(op, distance).second)
      to.push_back(op);
  };
  for (Value value : graph.takeChanged()) {
    for (OpResult producer : graph.getProducers(value))
      add(producer.getOwner(), 0, level);
    for (Operation *user : value.getUsers())
      add(user, 0, level);
  }
  for (unsigned distance = 1; distance < depth; ++distance) {
    SmallVector<Operation *> above;
    for (Operation *op : level)
      for (Value result : op->getResults())
        for (Operation *user : graph.find(result).getUsers())
          add(user, distance, above);
    level = std::move(above);
  }
}

uint64_t Saturator::hash(unsigned number, ArrayRef<Operation *> ops) const {
  llvm::hash_code code = llvm::hash_value(number);
  for (Operation *op : ops)
    code = llvm::hash_combine(code, graph.getTerm(op));
  // DenseSet reserves the two largest keys.
  return static_cast<uint64_t>(code) >> 2;
}

/// With `all`, finds the matches that earlier iterations left out, too.
std::vector<RuleMatch> Saturator::collect(unsigned number, unsigned iteration,
                                          bool all) {
  const RulePattern &pattern = patterns[number];
  Schedule &schedule = schedules[number];
  RuleCount &count = report.rules[number];
  std::vector<RuleMatch> matches;
  bool single = pattern.getNumRoots() == 1;
  // Collect all pairs of siblings before choosing the best. For other rules,
  // collect only as many matches as may be applied.
  unsigned limit = schedule.limit;
  unsigned most = single ? limit : 16 * limit;
  // Siblings are compared again, since those that were left out may be best
  // now.
  const bool any = all && !(single && schedule.complete == iteration);
  auto isFresh = [&](Operation *op) {
    if (any)
      return true;
    auto it = fresh.find(op);
    return it != fresh.end() && it->second < pattern.getDepth();
  };
  auto isRoot = [&](Operation *op) {
    return single ? isFresh(op) : siblings.isFree(number, op);
  };
  auto related = [&](OperationName name, Operation *first) {
    return siblings.getRelated(name, first);
  };
  auto accept = [&](ArrayRef<Operation *> ops) {
    return !tried.contains(hash(number, ops)) &&
           (single || llvm::any_of(ops, isFresh));
  };
  rule::MatchFilter filter;
  filter.accept = accept;
  filter.root = isRoot;
  filter.shares = options.provesEquality;
  if (!pattern.isConnected())
    filter.related = related;
  bool cut = pattern.visitMatches(
      graph,
      [&](const RuleMatch &match) {
        matches.push_back(match);
        return matches.size() >= most;
      },
      filter);
  if (!single)
    matches = siblings.choose(number, pattern, std::move(matches));
  if (cut || matches.size() > limit) {
    count.leftOut += std::max<size_t>(matches.size(), limit) - limit + 1;
    matches.resize(std::min<size_t>(matches.size(), limit));
    ++schedule.pauses;
    schedule.pausedUntil = iteration + (1u << schedule.pauses);
  } else if (any || schedule.complete == iteration) {
    schedule.complete = iteration + 1;
  }
  return matches;
}

/// Returns the number of matches that changed the graph.
unsigned Saturator::applyAll(unsigned number, ArrayRef<RuleMatch> matches) {
  RuleCount &count = report.rules[number];
  unsigned changed = 0;
  for (const RuleMatch &match : matches) {
    if (isFull()) {
      ++count.leftOut;
      continue;
    }
    if (!tried.insert(hash(number, match.ops)).second)
      continue;
    Applied applied = graph.apply(patterns[number].getRule(), match);
    changed += applied == Applied::Changed;
    count.refused += applied == Applied::Refused;
  }
  count.fired += changed;
  return changed;
}

Saturation Saturator::run() {
  report.stopped = "iterations";
  if (options.newNodes == 0 || options.iterations == 0) {
    report.stopped = options.newNodes == 0 ? "nodes" : "iterations";
    return std::move(report);
  }
  // Rules that make the graph larger wait until no other rule applies.
  // Otherwise they would exhaust the budget before the rules that save work
  // have been applied.
  bool growing = options.provesEquality;
  for (unsigned iteration = 0; iteration < options.iterations; ++iteration) {
    findFresh();
    bool paused = false;
    unsigned changed = 0;
    std::vector<std::vector<RuleMatch>> found(patterns.size());
    for (unsigned number = 0; number < patterns.size(); ++number) {
      if ((schedules[number].growing && !growing) ||
          (options.mayFire && !options.mayFire(number)))
        continue;
      if (schedules[number].pausedUntil > iteration)
        paused = true;
      else
        found[number] = collect(number, iteration, growing);
    }
    for (unsigned number = 0; number < patterns.size(); ++number)
      changed += applyAll(number, found[number]);
    graph.rebuild();
    graph.removeSelfLoops();
    ++report.iterations;
    if (isFull()) {
      report.stopped = "nodes";
      break;
    }
    if (!changed && !paused && growing) {
      report.stopped = "saturated";
      break;
    }
    if (options.isDone && options.isDone()) {
      report.stopped = "done";
      break;
    }
    growing = !changed || options.provesEquality;
  }
  return std::move(report);
}

Saturation egraph::saturate(EGraph &graph, ArrayRef<RulePattern> patterns,
                            const SaturateOptions &options) {
  return Saturator(graph, patterns, options).run();
}
