//===- SearchBacktrack.cpp - best-first search with backtracking ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Implements TASO (SOSP'19), algorithm 2: the cheapest graph is taken from a
// queue and rewritten by every rule at every match. Rewritten graphs that cost
// less than alpha times the best known graph are added to the queue, so that a
// step may increase the cost.
//
//===----------------------------------------------------------------------===//

#include "Derivation.h"
#include "Search.h"
#include "SearchBacktrackCost.h"
#include "SearchBacktrackQueue.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::optimize;
using namespace tenon::optimize::backtrack;
using rule::RuleMatch;
using rule::RulePattern;

/// The maximum number of known graphs, which bounds the memory.
static constexpr size_t kMostKnown = 1 << 22;
/// The maximum number of matches of one rule that are tried in one graph.
static constexpr unsigned kMostMatches = 200;
/// The maximum size of a graph relative to the input, as in TASO.
static constexpr size_t kMostGrowth = 2;

namespace {
class BacktrackSearch {
public:
  BacktrackSearch(func::FuncOp function, ArrayRef<RulePattern> rules,
                  const cost::CostModel &costs, const OptimizeOptions &options)
      : function(function), rules(rules), costs(costs), options(options),
        kinds(costs), cost(costs, kinds),
        queue(std::max(1u, options.candidates)) {}

  FailureOr<SearchResult> run(std::string &reason);

private:
  struct Counts {
    uint64_t taken = 0, generated = 0, known = 0, dear = 0, large = 0,
             underived = 0;
  };

  std::shared_ptr<Graph> start();
  std::shared_ptr<Graph> build(const Entry &entry);
  void search();
  void expand(const std::shared_ptr<Graph> &graph);
  bool tryMatch(const std::shared_ptr<Graph> &graph, unsigned rule,
                RuleMatch &&match);
  void addCandidate(const Entry &entry);
  void report();
  void addFact(StringRef name, const Twine &value) {
    result.facts.push_back({name.str(), value.str()});
  }

  func::FuncOp function;
  ArrayRef<RulePattern> rules;
  const cost::CostModel &costs;
  const OptimizeOptions &options;
  KindTable kinds;
  GraphCost cost;
  Outliner outliner;
  Outline outline;
  SearchResult result;
  Counts counts;
  std::string stopped;
  size_t mostNodes = 0;
  double bestSeconds = 0;
  EntryQueue queue;
  llvm::DenseSet<uint64_t> known;
};
} // namespace

/// Returns the input, without unused ops and without duplicates.
std::shared_ptr<Graph> BacktrackSearch::start() {
  std::shared_ptr<Graph> input = makeGraph(function, kinds);
  if (!outliner.run(*input, {}, outline))
    return nullptr;
  bestSeconds = cost.estimate(*input, outline);
  known.insert(outline.hash >> 2);
  mostNodes = kMostGrowth * outline.order.size();
  return queue.own(materialize(*input, outline, nullptr));
}

static std::shared_ptr<const Step> describeStep(const Entry &entry) {
  auto step = std::make_shared<Step>();
  const Graph &from = *entry.from;
  step->before = from.last;
  step->number = from.last ? from.last->number + 1 : 0;
  step->rule = entry.rule;
  for (Operation *op : entry.match.ops) {
    int giver = from.givers[from.ids.lookup(op->getResult(0))];
    step->ops.push_back(from.nodes[giver].origin);
  }
  step->symbols = entry.match.symbols;
  step->leadingAxes = entry.match.batch.size();
  return step;
}

std::shared_ptr<Graph> BacktrackSearch::build(const Entry &entry) {
  Rewrite rewrite(*entry.from, kinds, rules[entry.rule].getRule().op,
                  entry.match);
  outliner.run(*entry.from, rewrite.getReplaced(), outline);
  return queue.own(materialize(*entry.from, outline, describeStep(entry)));
}

/// Tries to apply the rule, and returns true if it is applicable.
bool BacktrackSearch::tryMatch(const std::shared_ptr<Graph> &graph,
                               unsigned number, RuleMatch &&match) {
  Rewrite rewrite(*graph, kinds, rules[number].getRule().op, match);
  if (!rewrite.isValid() ||
      !outliner.run(*graph, rewrite.getReplaced(), outline))
    return false;
  ++counts.generated;
  if (known.contains(outline.hash >> 2)) {
    ++counts.known;
    return true;
  }
  if (known.size() < kMostKnown)
    known.insert(outline.hash >> 2);
  if (outline.order.size() > mostNodes) {
    ++counts.large;
    return true;
  }
  double seconds = cost.estimate(*graph, outline);
  if (!(seconds < options.alpha * bestSeconds)) {
    ++counts.dear;
    return true;
  }
  auto entry = std::make_shared<Entry>();
  entry->seconds = seconds;
  entry->number = counts.generated;
  entry->from = graph;
  entry->rule = number;
  entry->match = std::move(match);
  bestSeconds = std::min(bestSeconds, seconds);
  queue.insert(std::move(entry));
  return true;
}

void BacktrackSearch::expand(const std::shared_ptr<Graph> &graph) {
  rule::BlockView view(graph->getBlock());
  for (unsigned number = 0; number < rules.size(); ++number) {
    const RulePattern &pattern = rules[number];
    RuleUse &use = result.rules[number];
    // Collect the matches first, because trying one adds readers of its
    // operands to the use lists that matching traverses.
    std::vector<RuleMatch> matches;
    pattern.visitMatches(view, [&](const RuleMatch &match) {
      if (matches.size() == kMostMatches) {
        ++use.leftOut;
        return true;
      }
      matches.push_back(match);
      return false;
    });
    for (RuleMatch &match : matches) {
      rule::RuleOp op = pattern.getRule().op;
      bool applies = rule::hasTargetSymbols(op, match.symbols) &&
                     rule::checkConditions(op, match, view) &&
                     tryMatch(graph, number, std::move(match));
      ++(applies ? use.tried : use.refused);
    }
  }
}

void BacktrackSearch::search() {
  std::shared_ptr<Graph> graph = start();
  stopped = "graphs";
  while (graph) {
    ++counts.taken;
    expand(graph);
    if (queue.empty()) {
      stopped = "nothing left to rewrite";
      return;
    }
    if (counts.taken >= options.graphs)
      return;
    graph = build(*queue.takeCheapest());
  }
}

void BacktrackSearch::addCandidate(const Entry &entry) {
  std::shared_ptr<Graph> graph = build(entry);
  std::vector<DerivationStep> steps;
  for (const Step *step = graph->last.get(); step; step = step->before.get())
    steps.push_back({&rules[step->rule],
                     describeFiring(rules[step->rule].getRule(), step->symbols,
                                    step->leadingAxes, step->ops)});
  std::reverse(steps.begin(), steps.end());
  std::vector<OpRef> ops;
  for (const Node &node : graph->nodes)
    ops.push_back(node.origin);
  FailureOr<Candidate> candidate = derive(function, steps, ops);
  if (failed(candidate)) {
    ++counts.underived;
    return;
  }
  candidate->seconds =
      estimateFunction(candidate->function.get(), costs, /*isolated=*/false);
  auto dearer = llvm::find_if(result.candidates, [&](const Candidate &other) {
    return other.seconds > candidate->seconds;
  });
  result.candidates.insert(dearer, std::move(*candidate));
}

void BacktrackSearch::report() {
  addFact("graphs taken up", Twine(counts.taken));
  addFact("graphs generated", Twine(counts.generated));
  addFact("known before", Twine(counts.known));
  addFact("too dear", Twine(counts.dear));
  addFact("too large", Twine(counts.large));
  addFact("stopped", stopped);
  unsigned cut = llvm::count_if(
      result.rules, [](const RuleUse &use) { return use.leftOut > 0; });
  std::string left;
  auto add = [&](const Twine &text) {
    left += (left.empty() ? "" : ", ") + text.str();
  };
  if (stopped == "graphs")
    add("the search stopped at its budget with " + Twine(queue.size()) +
        " graphs waiting");
  if (queue.getNumDropped())
    add(Twine(queue.getNumDropped()) + " that waited were dropped");
  if (cut)
    add("limits left out matches of " + Twine(cut) + " rules");
  if (!left.empty())
    result.notes.push_back("not everything was explored: " + left);
  if (counts.underived)
    result.notes.push_back(Twine(counts.underived).str() +
                           " graphs could not be derived again");
}

FailureOr<SearchResult> BacktrackSearch::run(std::string &reason) {
  for (Operation &op : function.getBody().front().without_terminator()) {
    if (op.getNumRegions() || op.getNumSuccessors() ||
        !isMemoryEffectFree(&op)) {
      reason = ("'" + op.getName().getStringRef() + "' has a region or effects")
                   .str();
      return failure();
    }
  }
  for (const RulePattern &pattern : rules) {
    rule::RuleOp op = pattern.getRule().op;
    result.rules.emplace_back().rule = op.getSymName().str();
  }
  if (options.graphs == 0) {
    result.notes.push_back("nothing was explored: the budget is 0 graphs");
    return std::move(result);
  }
  search();
  for (const std::shared_ptr<Entry> &entry : queue.getBest())
    addCandidate(*entry);
  report();
  return std::move(result);
}

FailureOr<SearchResult>
optimize::searchBacktrack(func::FuncOp function,
                          ArrayRef<rule::RulePattern> rules,
                          const cost::CostModel &costs,
                          const OptimizeOptions &options, std::string &reason) {
  return BacktrackSearch(function, rules, costs, options).run(reason);
}
