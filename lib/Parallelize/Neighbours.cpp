//===- Neighbours.cpp - plans that differ by a change ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Draft.h"
#include "tenon/Parallelize/SeriesParallel.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

using namespace tenon::parallelize;

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

/// Devices of the second stage of a pair for the first one.
static const std::pair<Change, Change> kTrades[] = {
    {[](DraftStage &stage) { stage.numDevices *= 2; },
     [](DraftStage &stage) { stage.numDevices /= 2; }},
    {[](DraftStage &stage) { ++stage.numDevices; },
     [](DraftStage &stage) { --stage.numDevices; }}};

namespace {
/// Stages that compute equally much in the same way, such as those of equal
/// branches, change together: one of them alone is never the slowest.
class Neighbours {
public:
  Neighbours(const OperatorGraph &graph, OperatorSets &sets, const Draft &draft,
             unsigned mostDevices, const PlannerOptions &options,
             llvm::function_ref<bool(Draft)> visit)
      : graph(graph), sets(sets), draft(draft), options(options), visit(visit),
        mostDevices(mostDevices) {
    findClasses();
    findPairs();
  }

  void find();

private:
  /// So few operators are cut in all ways, and of so few stages, those without
  /// a link are pairs, too.
  static constexpr size_t kFewOperators = 8, kFewStages = 4;
  using Stages = std::vector<unsigned>;
  /// Disjoint pairs of stages that are alike.
  using Pairs = std::vector<std::pair<unsigned, unsigned>>;

  void findClasses();
  void findPairs();
  void add(Draft next);
  void change(const Stages &stages);
  void changePairs(const Pairs &pairs);
  void join(const Pairs &pairs);
  std::vector<Stages> getCuts(const Stages &operators, const Stages &now) const;
  void cutAgain(const Pairs &pairs);
  void split(const Stages &stages);
  void interleave();

  const OperatorGraph &graph;
  OperatorSets &sets;
  const Draft &draft;
  const PlannerOptions &options;
  const llvm::function_ref<bool(Draft)> visit;
  const unsigned mostDevices;
  std::vector<Stages> classes;
  std::vector<unsigned> classOf;
  std::vector<Pairs> pairs;
  bool isDone = false;
};
} // namespace

void Neighbours::findClasses() {
  std::map<std::tuple<double, double, size_t, unsigned, int64_t, int64_t, int>,
           Stages>
      found;
  for (auto [number, stage] : llvm::enumerate(draft)) {
    double fixed = 0, perSample = 0;
    for (unsigned op : stage.set->operators)
      for (const TaskCost &cost : {graph[op].forward, graph[op].backwardInput,
                                   graph[op].backwardWeight}) {
        fixed += cost.fixed;
        perSample += cost.perSample;
      }
    int mode = stage.recompute + 2 * stage.offload + 4 * stage.eager;
    found[{fixed, perSample, stage.set->operators.size(), stage.numDevices,
           stage.microBatch, stage.k, mode}]
        .push_back(number);
  }
  classOf.resize(draft.size());
  for (auto &[key, stages] : found) {
    for (unsigned stage : stages)
      classOf[stage] = classes.size();
    classes.push_back(std::move(stages));
  }
}

void Neighbours::findPairs() {
  std::vector<unsigned> stageOf(graph.size());
  for (auto [number, stage] : llvm::enumerate(draft))
    for (unsigned op : stage.set->operators)
      stageOf[op] = number;
  std::set<std::pair<unsigned, unsigned>> links;
  for (auto [op, node] : llvm::enumerate(graph))
    for (unsigned operand : node.operands)
      if (stageOf[operand] != stageOf[op])
        links.insert(std::minmax(stageOf[operand], stageOf[op]));
  if (draft.size() <= kFewStages)
    for (unsigned one = 0; one < draft.size(); ++one)
      for (unsigned two = one + 1; two < draft.size(); ++two)
        links.insert({one, two});
  std::map<std::pair<unsigned, unsigned>, Pairs> found;
  for (auto [one, two] : links) {
    Pairs &alike = found[{classOf[one], classOf[two]}];
    unsigned first = one, second = two;
    if (llvm::none_of(alike, [&](auto pair) {
          return pair.first == first || pair.second == first ||
                 pair.first == second || pair.second == second;
        }))
      alike.push_back({one, two});
  }
  for (auto &[key, alike] : found)
    pairs.push_back(std::move(alike));
}

void Neighbours::find() {
  Stages all(draft.size());
  std::iota(all.begin(), all.end(), 0);
  change(all);
  for (const Stages &stages : classes)
    if (stages.size() < all.size())
      change(stages);
  if (draft.size() > 1) {
    Draft next = draft;
    for (DraftStage &stage : next)
      stage.splitBackward = !stage.splitBackward;
    add(std::move(next));
  }
  for (const Pairs &alike : pairs)
    changePairs(alike);
  for (const Pairs &alike : pairs) {
    cutAgain(alike);
    join(alike);
  }
  for (const Stages &stages : classes)
    split(stages);
  interleave();
}

void Neighbours::add(Draft next) {
  if (isDone)
    return;
  const DraftStage &first = next.front();
  bool takesTurns = first.perDevice > 1;
  for (const DraftStage &stage : next)
    if (!isAllowed(stage, options) ||
        (takesTurns && stage.numDevices != first.numDevices) ||
        ((options.sameMicroBatch || takesTurns) &&
         stage.microBatch != first.microBatch))
      return;
  if (next.size() % first.perDevice != 0 || countDevices(next) > mostDevices)
    return;
  sortStages(next);
  isDone = !visit(std::move(next));
}

void Neighbours::change(const Stages &stages) {
  for (Change change : kChanges) {
    if (isDone)
      return;
    Draft next = draft;
    for (unsigned stage : stages)
      change(next[stage]);
    add(std::move(next));
  }
}

void Neighbours::changePairs(const Pairs &alike) {
  auto change = [&](Change first, Change second) {
    if (isDone)
      return;
    Draft next = draft;
    for (auto [one, two] : alike) {
      first(next[one]);
      second(next[two]);
    }
    add(std::move(next));
  };
  for (auto [more, less] : kTrades) {
    change(more, less);
    change(less, more);
  }
  // Which of them chooses its devices first.
  Stages order(draft.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](unsigned a, unsigned b) {
    return draft[a].turn < draft[b].turn;
  });
  Draft next = draft;
  for (auto [turn, stage] : llvm::enumerate(order))
    next[stage].turn = turn;
  for (auto [one, two] : alike)
    std::swap(next[one].turn, next[two].turn);
  add(std::move(next));
}

static std::vector<unsigned> getUnion(const DraftStage &one,
                                      const DraftStage &two) {
  std::vector<unsigned> all = one.set->operators;
  llvm::append_range(all, two.set->operators);
  llvm::sort(all);
  return all;
}

void Neighbours::join(const Pairs &alike) {
  const DraftStage &a = draft[alike.front().first],
                   &b = draft[alike.front().second];
  for (unsigned devices : {a.numDevices, b.numDevices, 2 * a.numDevices})
    for (int64_t size : {a.microBatch, b.microBatch}) {
      if (isDone)
        return;
      Draft next = draft;
      for (auto [first, second] : alike) {
        next[first].set = sets.get(getUnion(draft[first], draft[second]));
        next[first].numDevices = devices;
        next[first].microBatch = size;
        next[second].set = nullptr;
      }
      llvm::erase_if(next, [](const DraftStage &stage) { return !stage.set; });
      add(std::move(next));
    }
}

/// The ways in which the operators of two stages may be cut: the places in
/// their order of those before the cut. If there are many, those that follow
/// this order, and those with one operator more or less than `now`.
std::vector<Neighbours::Stages> Neighbours::getCuts(const Stages &operators,
                                                    const Stages &now) const {
  std::vector<Stages> cuts;
  unsigned count = operators.size();
  // The places of the operands of each.
  std::vector<Stages> reads(count);
  for (unsigned place = 0; place < count; ++place)
    for (unsigned operand : graph[operators[place]].operands)
      if (auto other = llvm::lower_bound(operators, operand);
          other != operators.end() && *other == operand)
        reads[place].push_back(other - operators.begin());
  std::vector<bool> isBefore(count, false);
  // Adds a cut before which no operator reads one behind it.
  auto add = [&] {
    Stages before;
    for (unsigned place = 0; place < count; ++place) {
      if (!isBefore[place])
        continue;
      before.push_back(place);
      for (unsigned read : reads[place])
        if (!isBefore[read])
          return;
    }
    if (!before.empty() && before.size() < count)
      cuts.push_back(std::move(before));
  };
  if (count <= kFewOperators) {
    for (unsigned set = 1; set + 1 < 1u << count; ++set) {
      for (unsigned place = 0; place < count; ++place)
        isBefore[place] = set >> place & 1;
      add();
    }
    return cuts;
  }
  for (unsigned place = 0; place + 1 < count; ++place) {
    isBefore[place] = true;
    add();
  }
  for (unsigned place = 0; place < count; ++place)
    isBefore[place] = llvm::binary_search(now, operators[place]);
  for (unsigned place = 0; place < count; ++place) {
    isBefore[place] = !isBefore[place];
    add();
    isBefore[place] = !isBefore[place];
  }
  return cuts;
}

/// Cuts the operators of two stages elsewhere, and gives them other numbers of
/// devices.
void Neighbours::cutAgain(const Pairs &alike) {
  if (isDone)
    return;
  const DraftStage &a = draft[alike.front().first],
                   &b = draft[alike.front().second];
  std::vector<Stages> all;
  for (auto [one, two] : alike)
    all.push_back(getUnion(draft[one], draft[two]));
  std::set<int64_t> sizes = {a.microBatch, b.microBatch};
  std::set<std::pair<unsigned, unsigned>> devices = {
      {a.numDevices, b.numDevices}, {b.numDevices, a.numDevices}};
  for (const Stages &places : getCuts(all.front(), a.set->operators)) {
    if (isDone)
      return;
    Draft next = draft;
    for (auto [pair, operators] : llvm::zip_equal(alike, all)) {
      Stages before, after;
      auto place = places.begin();
      for (auto [number, op] : llvm::enumerate(operators)) {
        bool isBefore = place != places.end() && *place == number;
        (isBefore ? before : after).push_back(op);
        place += isBefore;
      }
      next[pair.first].set = sets.get(std::move(before));
      next[pair.second].set = sets.get(std::move(after));
    }
    for (int64_t size : sizes)
      for (auto [x, y] : devices) {
        for (auto [one, two] : alike) {
          next[one].numDevices = x;
          next[two].numDevices = y;
          next[one].microBatch = next[two].microBatch = size;
        }
        add(next);
      }
  }
}

/// Cuts stages in two, at each place in the order of their operators.
void Neighbours::split(const Stages &stages) {
  const DraftStage &first = draft[stages.front()];
  for (size_t place = 1; place < first.set->operators.size(); ++place)
    for (unsigned devices :
         {first.numDevices, std::max(1u, first.numDevices / 2)}) {
      if (isDone)
        return;
      Draft next = draft;
      for (unsigned number : stages) {
        const std::vector<unsigned> &all = draft[number].set->operators;
        next.push_back(draft[number]);
        next[number].set = sets.get({all.begin(), all.begin() + place});
        next.back().set = sets.get({all.begin() + place, all.end()});
        next[number].numDevices = next.back().numDevices = devices;
      }
      add(std::move(next));
      if (first.numDevices == 1)
        break;
    }
}

/// Cuts each stage in two halves of the work, each of which runs where the
/// stage beside it did.
void Neighbours::interleave() {
  Draft next;
  for (const DraftStage &stage : draft) {
    const std::vector<unsigned> &all = stage.set->operators;
    if (all.size() < 2)
      return;
    double work = getSecondsPerSample(graph, all);
    size_t place = 1;
    while (place + 1 < all.size() &&
           getSecondsPerSample(graph, {all.begin(), all.begin() + place}) <
               work / 2)
      ++place;
    DraftStage one = stage, two = stage;
    one.set = sets.get({all.begin(), all.begin() + place});
    two.set = sets.get({all.begin() + place, all.end()});
    one.perDevice = two.perDevice = 2 * stage.perDevice;
    next.push_back(one);
    next.push_back(two);
  }
  add(std::move(next));
}

void tenon::parallelize::visitNeighbours(
    const OperatorGraph &graph, OperatorSets &sets, const Draft &draft,
    unsigned mostDevices, const PlannerOptions &options,
    llvm::function_ref<bool(Draft)> visit) {
  Neighbours(graph, sets, draft, mostDevices, options, visit).find();
}
