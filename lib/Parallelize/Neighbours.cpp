//===- Neighbours.cpp - plans that differ by a change ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Draft.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>

using namespace tenon::parallelize;

namespace {
class Neighbours {
public:
  Neighbours(const OperatorGraph &graph, const Draft &draft,
             unsigned mostDevices, const PlannerOptions &options)
      : graph(graph), draft(draft), options(options), mostDevices(mostDevices),
        stageOf(graph.size()) {
    for (auto [number, stage] : llvm::enumerate(draft))
      for (unsigned op : stage.operators)
        stageOf[op] = number;
    for (auto [op, node] : llvm::enumerate(graph))
      for (unsigned operand : node.operands)
        if (stageOf[operand] != stageOf[op])
          links.insert({stageOf[operand], stageOf[op]});
  }

  std::vector<Draft> find() {
    changeStages();
    for (unsigned one = 0; one < draft.size(); ++one)
      for (unsigned two = one + 1; two < draft.size(); ++two)
        if (isSmall() || links.count({one, two}) || links.count({two, one})) {
          join(one, two);
          cutAgain(one, two);
        }
    for (unsigned stage = 0; stage < draft.size(); ++stage)
      split(stage);
    return std::move(found);
  }

private:
  /// Plans of so many stages are searched more thoroughly, and so are stages of
  /// so many operators.
  static constexpr size_t kSmall = 4, kFewOperators = 8;

  void add(Draft next) {
    unsigned devices = 0;
    for (const DraftStage &stage : next) {
      if (!isAllowed(stage, options) ||
          (options.sameMicroBatch &&
           stage.microBatch != next.front().microBatch))
        return;
      devices += stage.numDevices;
    }
    if (devices > mostDevices)
      return;
    sortStages(next);
    found.push_back(std::move(next));
  }

  /// Stages that compute equally much in the same way, such as those of equal
  /// branches: one of them alone is never the slowest.
  std::vector<std::vector<unsigned>> getClasses() const {
    std::map<std::tuple<double, double, unsigned, int64_t, int64_t, int>,
             std::vector<unsigned>>
        classes;
    for (auto [number, stage] : llvm::enumerate(draft)) {
      double fixed = 0, perSample = 0;
      for (unsigned op : stage.operators)
        for (const TaskCost &cost : {graph[op].forward, graph[op].backwardInput,
                                     graph[op].backwardWeight}) {
          fixed += cost.fixed;
          perSample += cost.perSample;
        }
      int mode = stage.recompute + 2 * stage.offload + 4 * stage.eager;
      classes[{fixed, perSample, stage.numDevices, stage.microBatch, stage.k,
               mode}]
          .push_back(number);
    }
    std::vector<std::vector<unsigned>> found;
    for (auto &[key, stages] : classes)
      found.push_back(std::move(stages));
    return found;
  }

  /// Changes how stages run: all of them, those of a class, one, or two.
  void changeStages();

  bool isSmall() const { return draft.size() <= kSmall; }

  /// Micro-batches to try where a stage changes: of small plans, several.
  std::vector<int64_t> getSizes(int64_t one, int64_t two) const {
    if (!isSmall())
      return one == two ? std::vector<int64_t>{one}
                        : std::vector<int64_t>{one, two};
    std::vector<int64_t> sizes;
    for (int64_t size = std::max<int64_t>(1, std::min(one, two) / 2);
         size <= 4 * std::max(one, two); size *= 2)
      sizes.push_back(size);
    return sizes;
  }

  /// Joins two stages.
  void join(unsigned one, unsigned two) {
    for (unsigned devices : {draft[one].numDevices, draft[two].numDevices,
                             2 * draft[one].numDevices})
      for (int64_t size :
           getSizes(draft[one].microBatch, draft[two].microBatch)) {
        Draft next = draft;
        DraftStage &joined = next[one];
        llvm::append_range(joined.operators, draft[two].operators);
        llvm::sort(joined.operators);
        joined.numDevices = devices;
        joined.microBatch = size;
        next.erase(next.begin() + two);
        add(std::move(next));
      }
  }

  /// The ways in which the operators of two stages may be cut: what is before
  /// the cut.
  std::vector<std::vector<unsigned>>
  getCuts(const std::vector<unsigned> &operators) const {
    std::vector<std::vector<unsigned>> cuts;
    size_t count = operators.size();
    if (count > kFewOperators) {
      for (size_t place = 1; place < count; ++place)
        cuts.emplace_back(operators.begin(), operators.begin() + place);
      return cuts;
    }
    for (unsigned set = 1; set + 1 < 1u << count; ++set) {
      std::vector<unsigned> before;
      bool isClosed = true;
      for (size_t n = 0; n < count; ++n) {
        if (!(set >> n & 1))
          continue;
        before.push_back(operators[n]);
        for (unsigned operand : graph[operators[n]].operands)
          isClosed &= !llvm::is_contained(operators, operand) ||
                      llvm::is_contained(before, operand);
      }
      if (isClosed)
        cuts.push_back(std::move(before));
    }
    return cuts;
  }

  /// Cuts the operators of two stages elsewhere, and gives them other numbers
  /// of devices.
  void cutAgain(unsigned one, unsigned two) {
    const DraftStage &a = draft[one], &b = draft[two];
    std::vector<unsigned> all = a.operators;
    llvm::append_range(all, b.operators);
    llvm::sort(all);
    std::set<std::pair<unsigned, unsigned>> devices = {
        {a.numDevices, b.numDevices}, {b.numDevices, a.numDevices}};
    if (isSmall())
      for (unsigned x = 1; x <= 2 * a.numDevices; x *= 2)
        for (unsigned y = 1; y <= 2 * b.numDevices; y *= 2)
          devices.insert({x, y});
    std::vector<int64_t> sizes = getSizes(a.microBatch, b.microBatch);
    for (const std::vector<unsigned> &before : getCuts(all)) {
      Draft next = draft;
      next[one].operators = before;
      next[two].operators.clear();
      for (unsigned op : all)
        if (!llvm::is_contained(before, op))
          next[two].operators.push_back(op);
      for (auto [x, y] : devices)
        for (int64_t size : sizes)
          for (int64_t other : sizes) {
            if (!isSmall() && size != other)
              continue;
            next[one].numDevices = x;
            next[two].numDevices = y;
            next[one].microBatch = size;
            next[two].microBatch = other;
            addModes(next, one, two);
          }
    }
  }

  /// Adds a draft with what its two stages have of k and recomputation, also
  /// the other way round and the same for both.
  void addModes(Draft next, unsigned one, unsigned two) {
    const DraftStage a = draft[one], b = draft[two];
    for (const DraftStage *first : {&a, &b})
      for (const DraftStage *second : {&a, &b}) {
        next[one].k = first->k;
        next[two].k = second->k;
        for (bool swapped : {false, true}) {
          next[one].recompute = swapped ? b.recompute : a.recompute;
          next[two].recompute = swapped ? a.recompute : b.recompute;
          add(next);
          if (a.recompute == b.recompute)
            break;
        }
        if (a.k == b.k)
          return;
      }
  }

  /// Cuts a stage in two, at each place in the order of its operators.
  void split(unsigned number) {
    const DraftStage &stage = draft[number];
    for (size_t place = 1; place < stage.operators.size(); ++place)
      for (unsigned devices :
           {stage.numDevices, std::max(1u, stage.numDevices / 2)}) {
        Draft next = draft;
        DraftStage rest = stage;
        next[number].operators.resize(place);
        rest.operators.erase(rest.operators.begin(),
                             rest.operators.begin() + place);
        next[number].numDevices = rest.numDevices = devices;
        next.push_back(std::move(rest));
        add(std::move(next));
        if (stage.numDevices == 1)
          break;
      }
  }

  const OperatorGraph &graph;
  const Draft &draft;
  const PlannerOptions &options;
  unsigned mostDevices;
  std::vector<unsigned> stageOf;
  std::set<std::pair<unsigned, unsigned>> links;
  std::vector<Draft> found;
};
} // namespace

using Change = void (*)(DraftStage &);

static const Change kChanges[] = {
    [](DraftStage &stage) { stage.microBatch *= 2; },
    [](DraftStage &stage) { stage.microBatch /= 2; },
    [](DraftStage &stage) { stage.k *= 2; },
    [](DraftStage &stage) { stage.k /= 2; },
    [](DraftStage &stage) { stage.eager = !stage.eager; },
    [](DraftStage &stage) {
      stage.recompute = !stage.recompute;
      stage.offload = false;
    },
    [](DraftStage &stage) {
      stage.offload = !stage.offload;
      stage.recompute = false;
    },
    [](DraftStage &stage) { stage.numDevices *= 2; },
    [](DraftStage &stage) { stage.numDevices /= 2; },
    [](DraftStage &stage) {
      stage.numDevices *= 2;
      stage.microBatch *= 2;
    },
    [](DraftStage &stage) {
      stage.numDevices /= 2;
      stage.microBatch /= 2;
    },
    [](DraftStage &stage) { ++stage.numDevices; },
    [](DraftStage &stage) { --stage.numDevices; }};

void Neighbours::changeStages() {
  std::vector<std::vector<unsigned>> groups = getClasses();
  groups.emplace_back();
  for (unsigned stage = 0; stage < draft.size(); ++stage)
    groups.back().push_back(stage);
  for (unsigned stage = 0; stage < draft.size(); ++stage)
    groups.push_back({stage});
  for (const std::vector<unsigned> &group : groups)
    for (Change change : kChanges) {
      Draft next = draft;
      for (unsigned stage : group)
        change(next[stage]);
      add(std::move(next));
    }
  for (unsigned one = 0; one < draft.size(); ++one)
    for (unsigned two = 0; two < draft.size(); ++two) {
      // Of small plans, all pairs; of others, devices of one for another.
      if (one == two ||
          (!isSmall() && !links.count({one, two}) && !links.count({two, one})))
        continue;
      for (auto [number, change] : llvm::enumerate(kChanges))
        for (auto [otherNumber, other] : llvm::enumerate(kChanges)) {
          bool isTrade = number == 7 && otherNumber == 8;
          if (!isTrade && !(isSmall() && one < two))
            continue;
          Draft next = draft;
          change(next[one]);
          other(next[two]);
          add(std::move(next));
        }
    }
}

std::vector<Draft>
tenon::parallelize::getNeighbours(const OperatorGraph &graph,
                                  const Draft &draft, unsigned mostDevices,
                                  const PlannerOptions &options) {
  return Neighbours(graph, draft, mostDevices, options).find();
}
