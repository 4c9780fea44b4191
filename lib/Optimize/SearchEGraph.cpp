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
/// The maximum product of the numbers of candidates and of nodes, because each
/// candidate is built and placed.
static constexpr size_t kMostCandidateNodes = 16000;
/// A smaller fraction of the cost is no gain of time: kernels and ops cost
/// 1e-12 s more than they take (KernelGraph.cpp), so that fewer are better.
static constexpr double kLeastFraction = 1e-6;

namespace {
class Searcher {
public:
  Searcher(func::FuncOp function, ArrayRef<rule::RulePattern> rules,
           const cost::CostModel &costs, const OptimizeOptions &options)
      : function(function), rules(rules), costs(costs), options(options),
        graph(function.getContext()) {}

  FailureOr<SearchResult> run(llvm::function_ref<void()> beforeScores,
                              std::string &reason);

private:
  std::optional<Extraction> extract(const KernelGraph &kernels);
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
};
} // namespace

std::optional<Extraction> Searcher::extract(const KernelGraph &kernels) {
  std::optional<Extraction> greedy = egraph::extractGreedy(kernels.problem);
  if (options.extractor == Extractor::Greedy || !greedy) {
    addFact("extraction", "greedy with local improvement");
    return greedy;
  }
  if (!egraph::hasIlpSolver()) {
    result.notes.push_back("this build has no ILP solver (CBC): extraction was "
                           "greedy");
    return greedy;
  }
  std::optional<Extraction> best =
      egraph::extractIlp(kernels.problem, {}, &*greedy);
  addFact("extraction", best && best->optimal ? "ILP, proved optimal"
                                              : "ILP, not proved optimal");
  return best && best->cost <= greedy->cost ? best : greedy;
}

/// Returns the number of choices to compare by their placement: 1 if the best
/// is not predicted to take less time than the model. It may still have fewer
/// ops.
unsigned Searcher::countCandidates(const Extraction &best,
                                   const Extraction &model) {
  bool mayGain = best.cost < model.cost * (1 - kLeastFraction) ||
                 options.leastGain < 0 || options.memoryLimit != 0;
  if (!mayGain)
    return 1;
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
  if (saturation.stopped != "saturated" || leftOut)
    result.notes.push_back(
        ("not everything was explored: the search stopped at its budget of " +
         Twine(saturation.stopped) + ", and limits left out matches of " +
         Twine(leftOut) + " rules")
            .str());
}

FailureOr<SearchResult> Searcher::run(llvm::function_ref<void()> beforeScores,
                                      std::string &reason) {
  if (failed(graph.addBody(function.getBody(), reason)))
    return failure();
  addFact("e-nodes of the model", Twine(graph.getNumNodes()));
  egraph::SaturateOptions saturate;
  saturate.newNodes = options.newNodes.value_or(
      std::min<size_t>(6 * graph.getNumNodes() + 500, kMostNewNodes));
  saturate.iterations = options.iterations;
  // The input is extracted before rules merge its own values.
  KernelGraph own = buildKernelGraph(graph, costs);
  std::optional<Extraction> model = egraph::extractGreedy(own.problem);
  if (!model) {
    reason = "the input could not be extracted";
    return failure();
  }
  for (unsigned node : model->nodes)
    result.modelSeconds += costs.estimate(own.work[node]).seconds;
  report(egraph::saturate(graph, rules, saturate));
  if (llvm::none_of(result.rules,
                    [](const RuleUse &use) { return use.tried > 0; })) {
    result.notes.push_back("kept the input: no rule fires");
    return std::move(result);
  }
  KernelGraph kernels = buildKernelGraph(graph, costs);
  if (options.costSeed)
    randomizeCosts(kernels, *options.costSeed);
  addFact("fused kernels among the nodes", Twine(kernels.numFused));
  std::optional<Extraction> best = extract(kernels);
  if (!best) {
    reason = "no graph could be extracted";
    return failure();
  }
  // The scorer may work on the input while candidates are extracted.
  const unsigned count = countCandidates(*best, *model);
  if (count > 1)
    beforeScores();
  for (const Extraction &choice :
       egraph::extractCandidates(kernels.problem, *best, count))
    addCandidate(kernels, choice);
  if (result.candidates.empty())
    result.notes.push_back("kept the input: no other graph is predicted to be "
                           "cheaper before placement");
  else if (count == 1)
    beforeScores();
  return std::move(result);
}

FailureOr<SearchResult> optimize::searchEGraph(
    func::FuncOp function, ArrayRef<rule::RulePattern> rules,
    const cost::CostModel &costs, const OptimizeOptions &options,
    llvm::function_ref<void()> beforeScores, std::string &reason) {
  return Searcher(function, rules, costs, options).run(beforeScores, reason);
}
