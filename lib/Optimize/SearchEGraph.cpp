//===- SearchEGraph.cpp - equality saturation and extraction --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Derivation.h"
#include "KernelGraph.h"
#include "Search.h"
#include "tenon/EGraph/Extract.h"
#include "tenon/EGraph/Saturate.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::optimize;
using egraph::EGraph;
using egraph::Extraction;

/// The maximum number of nodes that a search may add to the e-graph, for a
/// model of any size.
static constexpr size_t kMostNewNodes = 20000;
/// A search that has added 3 n + 500 nodes to a model of n, and predicts no
/// gain, ends. None of 87 models on a CPU, an A100 and an H100 gained after
/// placement what was not predicted there.
static constexpr size_t kEarlyNodes = 500, kEarlyNodesPerNode = 3;
/// A smaller fraction of the cost is no gain of time.
static constexpr double kLeastFraction = 1e-6;
/// The maximum product of the numbers of candidates and of nodes, because each
/// candidate is built and placed.
static constexpr size_t kMostCandidateNodes = 16000;
namespace {
class Searcher {
public:
  Searcher(func::FuncOp function, ArrayRef<rule::RulePattern> rules,
           const cost::CostModel &costs, const OptimizeOptions &options)
      : function(function), rules(rules), costs(costs), options(options),
        graph(function.getContext()) {}

  FailureOr<SearchResult> run(const SearchCalls &calls, std::string &reason);

private:
  std::function<bool()> stopEarly();
  struct Extracted {
    KernelGraph kernels;
    Extraction best;
    StringRef how;
  };
  std::optional<Extracted> extract();
  unsigned countCandidates(const Extraction &best, const Extraction &model);
  void addCandidate(const KernelGraph &kernels, const Extraction &choice);
  void report(const egraph::Saturation &saturation);
  void addFact(StringRef name, const Twine &value) {
    result.facts.push_back({name.str(), value.str()});
  }

  func::FuncOp function;
  ArrayRef<rule::RulePattern> rules;
  const cost::CostModel &costs;
  const OptimizeOptions &options;
  EGraph graph;
  SearchResult result;
  std::optional<Extraction> model;
  /// The final choice, if the search ended early.
  std::optional<Extracted> early;
};
} // namespace

/// Whether to end the saturation, which is asked between its rounds.
std::function<bool()> Searcher::stopEarly() {
  if (options.leastGain < 0 || options.memoryLimit != 0 || options.costSeed ||
      options.extraction != Extractor::Greedy)
    return {};
  const size_t first =
      graph.getNumNodes() * (1 + kEarlyNodesPerNode) + kEarlyNodes;
  return [this, first, asked = false]() mutable {
    if (asked || graph.getNumNodes() < first)
      return false;
    asked = true;
    early = extract();
    if (early && early->best.cost >= model->cost * (1 - kLeastFraction))
      return true;
    early.reset();
    return false;
  };
}

std::optional<Searcher::Extracted> Searcher::extract() {
  KernelGraph kernels = buildKernelGraph(graph, costs);
  if (options.costSeed)
    randomizeCosts(kernels, *options.costSeed);
  std::optional<Extraction> best = egraph::extractGreedy(kernels.problem);
  if (!best)
    return std::nullopt;
  StringRef how = "greedy with local improvement";
  if (options.extraction == Extractor::Ilp && egraph::hasIlpSolver()) {
    std::optional<Extraction> exact =
        egraph::extractIlp(kernels.problem, {}, &*best);
    how = exact && exact->optimal ? "ILP, proved optimal"
                                  : "ILP, not proved optimal";
    if (exact && exact->cost <= best->cost)
      best = std::move(exact);
  } else if (options.extraction == Extractor::Ilp) {
    result.notes.push_back("this build has no ILP solver (CBC): extraction was "
                           "greedy");
  }
  return Extracted{std::move(kernels), std::move(*best), how};
}

/// Returns the number of choices to compare by their placement: 0 if the best
/// is not predicted to be cheaper. Kernels and ops cost 1e-12 s more than they
/// take (KernelGraph.cpp), so that fewer are cheaper.
unsigned Searcher::countCandidates(const Extraction &best,
                                   const Extraction &model) {
  if (best.cost >= model.cost && options.leastGain >= 0 &&
      options.memoryLimit == 0)
    return 0;
  const size_t modelNodes = std::max(graph.getNumModelTerms(), 1u);
  const size_t most = std::max<size_t>(kMostCandidateNodes / modelNodes, 2);
  unsigned count = std::min<size_t>(std::max(1u, options.candidates), most);
  if (count < options.candidates)
    result.notes.push_back(("the model is large: " + Twine(count) + " of " +
                            Twine(options.candidates) +
                            " candidates were looked at")
                               .str());
  return count;
}

void Searcher::addCandidate(const KernelGraph &kernels,
                            const Extraction &choice) {
  SmallVector<Operation *> ops = getChosenOps(kernels, choice);
  FunctionLog log = describeDerivation(function, graph, ops);
  if (log.firings.empty())
    return; // the input
  FailureOr<OwningOpRef<func::FuncOp>> built =
      buildFunction(function, graph, ops);
  if (failed(built))
    return;
  Candidate candidate;
  candidate.seconds = choice.cost;
  candidate.log = std::move(log);
  candidate.function = std::move(*built);
  result.candidates.push_back(std::move(candidate));
}

void Searcher::report(const egraph::Saturation &saturation) {
  unsigned leftOut = 0;
  for (auto [pattern, count] : llvm::zip(rules, saturation.rules)) {
    RuleUse use;
    rule::RuleOp op = pattern.getRule().op;
    use.rule = op.getSymName().str();
    use.tried = count.fired;
    use.refused = count.refused;
    use.leftOut = count.leftOut;
    leftOut += count.leftOut > 0;
    result.rules.push_back(std::move(use));
  }
  // Report the rules that used most of the budget.
  std::vector<const RuleUse *> most;
  for (const RuleUse &use : result.rules)
    if (use.tried)
      most.push_back(&use);
  llvm::sort(most, [](const RuleUse *a, const RuleUse *b) {
    return std::pair(b->tried, a) < std::pair(a->tried, b);
  });
  std::string list;
  for (const RuleUse *use : ArrayRef<const RuleUse *>(most).take_front(12))
    list += (list.empty() ? "" : ", ") + use->rule + " " +
            std::to_string(use->tried);
  addFact("rules applied most", list);
  addFact("iterations", Twine(saturation.iterations));
  addFact("stopped", saturation.stopped);
  addFact("e-nodes", Twine(graph.getNumNodes()));
  addFact("e-classes", Twine(graph.getNumClasses()));
  if (saturation.stopped == "done")
    result.notes.push_back(
        "the search ended early, since it predicted no gain");
  else if (saturation.stopped != "saturated" || leftOut)
    result.notes.push_back(
        ("not everything was explored: the search stopped at its budget of " +
         Twine(saturation.stopped) + ", and limits left out matches of " +
         Twine(leftOut) + " rules")
            .str());
}

FailureOr<SearchResult> Searcher::run(const SearchCalls &calls,
                                      std::string &reason) {
  if (failed(graph.addBody(function.getBody(), reason)))
    return failure();
  addFact("e-nodes of the model", Twine(graph.getNumNodes()));
  egraph::SaturateOptions saturate;
  saturate.newNodes =
      options.newNodes >= 0
          ? std::min<int64_t>(options.newNodes,
                              std::numeric_limits<unsigned>::max())
          : std::min<size_t>(6 * graph.getNumNodes() + 500, kMostNewNodes);
  saturate.iterations = options.iterations;
  // The input is extracted before rules merge its own values.
  KernelGraph own = buildKernelGraph(graph, costs);
  model = egraph::extractGreedy(own.problem);
  if (!model) {
    reason = "the input could not be extracted";
    return failure();
  }
  for (unsigned node : model->nodes)
    result.modelSeconds += costs.estimate(own.work[node]).seconds;
  saturate.isDone = stopEarly();
  report(egraph::saturate(graph, rules, saturate));
  if (llvm::none_of(result.rules,
                    [](const RuleUse &use) { return use.tried > 0; })) {
    result.notes.push_back("kept the input: no rule fires");
    return std::move(result);
  }
  std::optional<Extracted> found = early ? std::move(early) : extract();
  if (!found) {
    reason = "no graph could be extracted";
    return failure();
  }
  const auto &[kernels, best, how] = *found;
  addFact("extraction", how);
  addFact("fused kernels among the nodes", Twine(kernels.numFused));
  const unsigned count = countCandidates(best, *model);
  if (count > 0) {
    calls.beforeScores();
    addCandidate(kernels, best);
  }
  if (count > 1 && (result.candidates.empty() ||
                    options.isGain(best.cost, model->cost, 0.5) ||
                    calls.isPromising(result.candidates.front()))) {
    // Among equal scores, the first is chosen.
    SmallVector<Candidate> made;
    llvm::move(result.candidates, std::back_inserter(made));
    result.candidates.clear();
    for (const Extraction &choice :
         egraph::extractCandidates(kernels.problem, best, count))
      if (choice.nodes != best.nodes)
        addCandidate(kernels, choice);
      else if (!made.empty())
        result.candidates.push_back(made.pop_back_val());
  }
  if (result.candidates.empty())
    result.notes.push_back("kept the input: no other graph is predicted to be "
                           "cheaper before placement");
  return std::move(result);
}

FailureOr<SearchResult>
optimize::searchEGraph(func::FuncOp function, ArrayRef<rule::RulePattern> rules,
                       const cost::CostModel &costs,
                       const OptimizeOptions &options, const SearchCalls &calls,
                       std::string &reason) {
  return Searcher(function, rules, costs, options).run(calls, reason);
}
