//===- Subproblems.h - plans of some samples on more and more devices -*- C++
//-*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The search of planGraph. A subproblem is a number of devices (the first ones
// of the cluster), a number of samples, and a limit of memory. None of them
// depends on the number of devices or the memory that there are: with more of
// these, there are the same subproblems and more, and so no worse plan.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PARALLELIZE_SUBPROBLEMS_H
#define TENON_LIB_PARALLELIZE_SUBPROBLEMS_H

#include "Draft.h"
#include "Evaluator.h"
#include "LimitedChains.h"
#include "StageTable.h"

#include <map>
#include <set>

namespace tenon::parallelize {

/// The cuts of a graph for all numbers of devices.
class StageTables {
public:
  StageTables(const OperatorGraph &graph, OperatorSets &sets,
              double stateFactor, unsigned numDevices);

  /// Cuts for `count` devices whose stages have this micro-batch, by the
  /// estimated seconds of so many samples.
  void addCuts(unsigned count, int64_t microBatch, int64_t samples,
               std::multimap<double, Draft> &cuts);
  /// Cuts whose stages have equally many bytes, or as much of bytes and of
  /// work, with the least micro-batch.
  void addSmallCuts(unsigned count, std::vector<Draft> &cuts);

private:
  /// What stages have equally much of: the shares of bytes in a sum with work.
  static constexpr double kShares[] = {0, 0.5, 1};
  struct Key {
    size_t share, tree;
    unsigned unit;
    int64_t microBatch;

    bool operator<(const Key &other) const {
      return std::tie(share, tree, unit, microBatch) <
             std::tie(other.share, other.tree, other.unit, other.microBatch);
    }
  };

  void visitCuts(size_t share, unsigned count, int64_t microBatch,
                 llvm::function_ref<void(double, unsigned, Draft)> visit);

  /// The graph, and those whose times are shares of bytes and of work.
  std::vector<OperatorGraph> graphs;
  OperatorSets &sets;
  const unsigned numDevices;
  std::vector<SeriesParallel> trees;
  std::map<Key, std::unique_ptr<StageTable>> tables;
};

/// A draft that fits into the cluster, on the first `count` devices.
struct FoundDraft {
  Draft draft;
  unsigned count = 0;
  double secondsPerSample = 0;
  int64_t mostBytes = 0;
};

class Subproblems {
public:
  Subproblems(const OperatorGraph &graph, const Cluster &cluster,
              const PlannerOptions &options, OperatorSets &sets,
              StageTables &tables)
      : graph(graph), cluster(cluster), options(options), sets(sets),
        tables(tables), evaluator(graph, cluster, options.training, sets),
        chains(graph, cluster.count, options, sets) {}

  /// Searches plans of the first `count` devices, and begins with those of the
  /// call before.
  void solve(unsigned count);
  /// The fastest drafts that fit into the cluster.
  std::vector<FoundDraft> takeFound();
  /// The fastest draft whatever it needs; empty if there is none.
  const FoundDraft &getFastest() const { return fastest; }

private:
  struct Rated {
    Draft draft;
    Evaluator::Rating rating;
  };

  /// Adds the fastest chain that fits into the limit.
  void addChain(std::vector<Rated> &starts);
  Draft getDataParallel(int64_t microBatch) const;
  /// Rates a draft, unless that was done in this subproblem, it is no plan, or
  /// it can be shown to be no better than another one.
  std::optional<Rated> rate(Draft draft, const Rated *other);
  bool isBetter(const Rated &one, const Rated &other) const;
  /// Changes one thing at a time as long as that makes it better.
  Rated refine(Rated best, const PlannerOptions &options);
  /// Counts bytes whose bounds are above the limit.
  Rated countBytes(Rated rated);
  /// The best of the refined starts.
  std::optional<Rated> search(std::vector<Rated> &starts);

  const OperatorGraph &graph;
  const Cluster &cluster;
  const PlannerOptions options;
  OperatorSets &sets;
  StageTables &tables;
  Evaluator evaluator;
  LimitedChains chains;
  /// Of the subproblem at hand.
  unsigned count = 0;
  int64_t limit = 0, budget = 0;
  /// The limits that drafts were last rated for, by hash.
  llvm::DenseMap<uint64_t, int64_t> seen;
  /// The best plans of the one before.
  std::vector<Rated> carried;
  /// The fastest that fit into the cluster's memory (0), and into each limit
  /// below it, by number of devices and of stages, the power of 2 below their
  /// micro-batches, and whether they use all devices: other mini-batches may
  /// want others.
  std::map<std::tuple<int64_t, unsigned, size_t, unsigned, bool>, FoundDraft>
      found;
  FoundDraft fastest;
};

} // namespace tenon::parallelize

#endif // TENON_LIB_PARALLELIZE_SUBPROBLEMS_H
