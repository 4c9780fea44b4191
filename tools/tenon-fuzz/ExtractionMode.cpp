//===- ExtractionMode.cpp - tenon-fuzz --extraction -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The problem that extraction solves is the optimizer's own.
#include "../../lib/Optimize/KernelGraph.h"
#include "OptimizerModes.h"

#include "tenon/EGraph/Extract.h"
#include "tenon/EGraph/Saturate.h"

#include "llvm/Support/Format.h"

#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::fuzz;
using egraph::Extraction;
using egraph::ExtractionProblem;

/// Problems with more choices are skipped: all of them are tried.
static constexpr double kMostChoices = 1e9;

namespace {
class ExtractionFuzzer {
public:
  ExtractionFuzzer(const CommandLine &line, MLIRContext &context,
                   const optimize::RuleSet &rules)
      : line(line), context(context), allowed(listAllowedRules(line, rules)) {
    for (const rule::ProvedRule *rule : allowed)
      patterns.emplace_back(*rule);
  }

  int run();

private:
  bool addProfile(StringRef name);
  void runCase(ModuleOp module, uint64_t seed);
  void check(const ExtractionProblem &problem, uint64_t seed,
             const Twine &profile);

  const CommandLine &line;
  MLIRContext &context;
  std::vector<const rule::ProvedRule *> allowed;
  std::vector<rule::RulePattern> patterns;
  std::vector<cost::CostModel> models;
  unsigned problems = 0, skipped = 0, unproved = 0, wrong = 0, choosy = 0,
           greedyBest = 0;
  size_t mostNodes = 0;
  double loss = 0, mostLoss = 0;
};
} // namespace

bool ExtractionFuzzer::addProfile(StringRef name) {
  llvm::Expected<cost::DeviceProfile> profile = cost::getProfile(name);
  if (!profile) {
    llvm::errs() << "tenon-fuzz: error: " << llvm::toString(profile.takeError())
                 << "\n";
    return false;
  }
  models.emplace_back(std::move(*profile));
  return true;
}

/// How many ways there are to give every class that roots need a node, at most.
static double countChoices(const ExtractionProblem &problem) {
  std::vector<unsigned> givers(problem.numClasses);
  for (const egraph::ExtractionNode &node : problem.nodes)
    for (unsigned output : node.outputs)
      ++givers[output];
  double choices = 1;
  for (unsigned count : givers)
    choices *= std::max(count, 1u);
  return choices;
}

void ExtractionFuzzer::check(const ExtractionProblem &problem, uint64_t seed,
                             const Twine &profile) {
  double choices = countChoices(problem);
  if (choices > kMostChoices) {
    ++skipped;
    return;
  }
  ++problems;
  choosy += choices > 1;
  mostNodes = std::max(mostNodes, problem.nodes.size());
  std::optional<Extraction> best = egraph::extractBruteForce(problem);
  std::optional<Extraction> greedy = egraph::extractGreedy(problem);
  std::optional<Extraction> ilp = egraph::extractIlp(problem);
  std::string text;
  if (!best || !greedy || !ilp)
    text = "an engine gives no choice";
  for (const auto &[name, choice] :
       {std::pair("greedy", &greedy), std::pair("ILP", &ilp)})
    if (text.empty() &&
        !(text = egraph::checkExtraction(problem, **choice)).empty())
      text = (name + Twine(": ") + text).str();
  if (text.empty() && std::abs(ilp->cost - best->cost) > 1e-9 * best->cost)
    text = "ILP costs " + std::to_string(ilp->cost * 1e6) + " us, the best " +
           std::to_string(best->cost * 1e6) + " us";
  if (!text.empty()) {
    ++wrong;
    llvm::outs() << "MISMATCH " << seed << ", " << profile << ": " << text
                 << "\n";
    return;
  }
  unproved += !ilp->optimal;
  double worse = best->cost > 0 ? greedy->cost / best->cost - 1 : 0;
  greedyBest += worse < 1e-9;
  loss += worse;
  mostLoss = std::max(mostLoss, worse);
}

void ExtractionFuzzer::runCase(ModuleOp module, uint64_t seed) {
  egraph::EGraph graph(&context);
  std::string reason;
  auto function = module.lookupSymbol<func::FuncOp>("main");
  if (failed(graph.addBody(function.getBody(), reason))) {
    ++wrong;
    llvm::outs() << "MISMATCH " << seed << ": " << reason << "\n";
    return;
  }
  egraph::SaturateOptions saturate;
  saturate.newNodes = line.newNodes ? line.newNodes : 40;
  egraph::saturate(graph, patterns, saturate);
  for (const cost::CostModel &costs : models) {
    optimize::KernelGraph kernels = optimize::buildKernelGraph(graph, costs);
    check(kernels.problem, seed, costs.getProfile().name);
    // Costs that make cycles and sharing matter more than devices do.
    optimize::randomizeCosts(kernels, seed);
    check(kernels.problem, seed, costs.getProfile().name + ", random costs");
  }
}

int ExtractionFuzzer::run() {
  for (StringRef name : {"cpu", "h100"})
    if (!addProfile(name))
      return 1;
  for (unsigned number = 0; number < line.count; ++number) {
    uint64_t seed = line.seed + number;
    OwningOpRef<ModuleOp> module =
        generatePlanted(line, context, allowed, seed);
    runCase(*module, seed);
  }
  llvm::outs() << line.count << " graphs: " << wrong << " mismatches in "
               << problems << " problems of up to " << mostNodes << " nodes, "
               << choosy << " of them with a choice; " << skipped
               << " skipped as too large to try all; ILP proved all but "
               << unproved << "; greedy found the best of " << greedyBest
               << ", and lost "
               << llvm::format("%.3f %% on average, %.2f %% at most\n",
                               problems ? 100 * loss / problems : 0.0,
                               100 * mostLoss);
  return wrong != 0;
}

int tenon::fuzz::runExtraction(const CommandLine &line, MLIRContext &context) {
  if (!egraph::hasIlpSolver()) {
    llvm::errs() << "tenon-fuzz: error: this build has no ILP solver\n";
    return 1;
  }
  FailureOr<optimize::RuleSet> rules = loadRules(line, context);
  return failed(rules) ? 1 : ExtractionFuzzer(line, context, *rules).run();
}
