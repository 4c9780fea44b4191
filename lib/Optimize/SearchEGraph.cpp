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

namespace {
class Searcher {
public:
  Searcher(func::FuncOp function, ArrayRef<rule::RulePattern> rules,
           const cost::CostModel &costs, const OptimizeOptions &options)
      : function(function), rules(rules), costs(costs), options(options),
        graph(function.getContext()) {}

  FailureOr<SearchResult> run(llvm::function_ref<void()> whenFired,
                              std::string &reason);

private:
  std::optional<Extraction> extract(const KernelGraph &kernels);
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
  bool exact = options.extractor == Extractor::Ilp ||
               (options.extractor == Extractor::Automatic &&
                kernels.problem.nodes.size() <= options.ilpNodes);
  if (!exact || !greedy) {
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

void Searcher::addCandidate(const KernelGraph &kernels,
                            const Extraction &choice) {
  SmallVector<Operation *> ops = getChosenOps(kernels, choice);
  FailureOr<OwningOpRef<func::FuncOp>> built =
      buildFunction(function, graph, ops);
  if (failed(built))
    return;
  Candidate candidate;
  candidate.seconds = choice.cost;
  candidate.log = describeDerivation(function, graph, ops);
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

FailureOr<SearchResult> Searcher::run(llvm::function_ref<void()> whenFired,
                                      std::string &reason) {
  if (failed(graph.addBody(function.getBody(), reason)))
    return failure();
  addFact("e-nodes of the model", Twine(graph.getNumNodes()));
  egraph::SaturateOptions saturate;
  const size_t modelNodes = std::max<size_t>(graph.getNumNodes(), 1);
  saturate.newNodes = options.newNodes.value_or(
      std::min<size_t>(6 * modelNodes + 500, kMostNewNodes));
  saturate.iterations = options.iterations;
  report(egraph::saturate(graph, rules, saturate));
  if (llvm::none_of(result.rules,
                    [](const RuleUse &use) { return use.tried > 0; })) {
    result.notes.push_back("kept the input: no rule fires");
    return std::move(result);
  }
  whenFired();
  KernelGraph kernels = buildKernelGraph(graph, costs);
  if (options.costSeed)
    randomizeCosts(kernels, *options.costSeed);
  addFact("fused kernels among the nodes", Twine(kernels.numFused));
  std::optional<Extraction> best = extract(kernels);
  if (!best) {
    reason = "no graph could be extracted";
    return failure();
  }
  const size_t most = std::max<size_t>(kMostCandidateNodes / modelNodes, 2);
  unsigned count = std::min<size_t>(std::max(1u, options.candidates), most);
  if (count < options.candidates)
    result.notes.push_back(("the model is large: " + Twine(count) + " of " +
                            Twine(options.candidates) +
                            " candidates were looked at")
                               .str());
  for (const Extraction &choice :
       egraph::extractCandidates(kernels.problem, *best, count))
    addCandidate(kernels, choice);
  if (result.candidates.empty())
    result.notes.push_back("kept the input: no candidate could be built");
  return std::move(result);
}

FailureOr<SearchResult> optimize::searchEGraph(
    func::FuncOp function, ArrayRef<rule::RulePattern> rules,
    const cost::CostModel &costs, const OptimizeOptions &options,
    llvm::function_ref<void()> whenFired, std::string &reason) {
  return Searcher(function, rules, costs, options).run(whenFired, reason);
}

double optimize::estimateFunction(func::FuncOp function,
                                  const cost::CostModel &costs) {
  EGraph graph(function.getContext());
  std::string reason;
  if (failed(graph.addBody(function.getBody(), reason)))
    return 0;
  KernelGraph kernels = buildKernelGraph(graph, costs);
  std::optional<Extraction> choice = egraph::extractGreedy(kernels.problem);
  if (!choice)
    return 0;
  double seconds = 0;
  for (unsigned node : choice->nodes)
    seconds += costs.estimate(kernels.work[node]).seconds;
  return seconds;
}
