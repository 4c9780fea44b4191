//===- PlacementMode.cpp - tenon-fuzz --placement -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlacementMode.h"
// The problem that is solved is placement's own.
#include "../../lib/Place/Candidates.h"
#include "../../lib/Place/Outline.h"

#include "tenon/Driver/Pipelines.h"
#include "tenon/Generate/GraphGenerator.h"

#include "mlir/Pass/PassManager.h"

#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::fuzz;
using place::CandidateSet;
using place::CoverOption;
using place::CoverProblem;

/// Problems with more covers are skipped: all of them are tried.
static constexpr uint64_t kMostCovers = 20000;
static constexpr unsigned kDraws = 4;

namespace {
class PlacementFuzzer {
public:
  PlacementFuzzer(const CommandLine &line, MLIRContext &context,
                  cost::DeviceProfile profile)
      : line(line), context(context), costs(std::move(profile)) {}

  int run();

private:
  void runCase(ModuleOp module, uint64_t seed);
  void checkCandidates(const CandidateSet &candidates, uint64_t seed);
  void check(const CoverProblem &problem, uint64_t seed, const Twine &name);
  void fail(uint64_t seed, const Twine &text) {
    ++wrong;
    llvm::outs() << "MISMATCH " << seed << ": " << text << "\n";
  }

  const CommandLine &line;
  MLIRContext &context;
  cost::CostModel costs;
  unsigned wrong = 0, problems = 0, choosy = 0, skipped = 0;
  size_t mostItems = 0, mostOptions = 0;
};
} // namespace

/// Whether every item is in one of the candidates, and these can run one after
/// another. The solver's own test is not asked.
static std::string checkSubgraphs(const CoverProblem &problem,
                                  ArrayRef<const CoverOption *> subgraphs) {
  SmallVector<int> owner(problem.users.size(), -1);
  for (auto [number, subgraph] : llvm::enumerate(subgraphs))
    for (unsigned item : subgraph->items) {
      if (owner[item] != -1)
        return "an op is in two pieces";
      owner[item] = number;
    }
  if (llvm::is_contained(owner, -1))
    return "an op is in no piece";
  // Candidates whose operands are complete run, until none is left.
  std::set<std::pair<int, int>> needs;
  for (auto [item, users] : llvm::enumerate(problem.users))
    for (unsigned user : users)
      if (owner[item] != owner[user])
        needs.emplace(owner[user], owner[item]);
  std::set<int> done;
  for (bool any = true; any;) {
    any = false;
    for (int subgraph = 0; subgraph < static_cast<int>(subgraphs.size());
         ++subgraph) {
      auto need = needs.lower_bound({subgraph, -1});
      bool waits = need != needs.end() && need->first == subgraph;
      if (waits || !done.insert(subgraph).second)
        continue;
      any = true;
      for (auto it = needs.begin(); it != needs.end();)
        it = it->second == subgraph ? needs.erase(it) : std::next(it);
    }
  }
  return done.size() == subgraphs.size() ? "" : "pieces need each other";
}

/// Whether no value that leaves the candidate returns to it; else the error.
static std::string checkConvex(const CoverProblem &problem,
                               const CoverOption &subgraph) {
  std::vector<CoverOption> rest;
  for (unsigned item = 0; item < problem.users.size(); ++item)
    if (!llvm::is_contained(subgraph.items, item))
      rest.push_back({{item}});
  std::vector<const CoverOption *> subgraphs = {&subgraph};
  for (const CoverOption &single : rest)
    subgraphs.push_back(&single);
  return checkSubgraphs(problem, subgraphs);
}

/// Checks every candidate by itself: it is convex, and its backend can run it.
void PlacementFuzzer::checkCandidates(const CandidateSet &candidates,
                                      uint64_t seed) {
  const CoverProblem &problem = candidates.getProblem();
  auto &registry = backend::BackendRegistry::get(&context);
  for (auto [candidate, option] :
       llvm::zip(candidates.getCandidates(), problem.options)) {
    std::string name = (candidate.backend + " " + candidate.pattern).str();
    if (std::string text = checkConvex(problem, option); !text.empty())
      fail(seed, name + ", by itself: " + text);
    const backend::Backend *backend = registry.lookup(candidate.backend);
    if (!backend)
      continue;
    kernel::CallOp call =
        place::createCall(candidate.ops, candidate.backend, candidate.pattern);
    if (failed(backend->describe(call, Numerics())))
      fail(seed, name + " can't be run by it");
    call.erase();
  }
}

void PlacementFuzzer::check(const CoverProblem &problem, uint64_t seed,
                            const Twine &name) {
  std::optional<place::Cover> cover = place::solveCover(problem);
  if (!cover)
    return fail(seed, name + ": there is no cover");
  std::vector<const CoverOption *> subgraphs;
  double sum = 0;
  for (unsigned option : cover->options) {
    subgraphs.push_back(&problem.options[option]);
    sum += problem.options[option].cost;
  }
  if (std::string text = checkSubgraphs(problem, subgraphs); !text.empty())
    return fail(seed, name + ": " + text);
  if (std::abs(sum - cover->cost) > 1e-9 * sum)
    return fail(seed, name + ": the pieces cost " + Twine(std::to_string(sum)) +
                          ", not " + std::to_string(cover->cost));
  std::optional<place::Cover> best =
      place::enumerateCovers(problem, kMostCovers);
  if (!best) {
    ++skipped;
    return;
  }
  ++problems;
  choosy += problem.options.size() > problem.users.size();
  mostItems = std::max(mostItems, problem.users.size());
  mostOptions = std::max(mostOptions, problem.options.size());
  if (!cover->isOptimal)
    fail(seed, name + ": the cover is not proved to be the best");
  if (std::abs(best->cost - cover->cost) > 1e-9 * best->cost)
    fail(seed, name + ": the cover costs " +
                   Twine(std::to_string(cover->cost)) + ", the best " +
                   std::to_string(best->cost));
}

/// Costs that make fusion and its absence worth about the same, with ties; and
/// candidates that no backend has, two of which often depend on each other.
static void randomize(CoverProblem &problem, uint64_t seed) {
  constexpr unsigned kInvented = 6;
  std::mt19937_64 random(seed);
  unsigned size = problem.users.size();
  for (unsigned number = 0; number < kInvented && size > 1; ++number) {
    unsigned first = random() % (size - 1);
    unsigned second = first + 1 + random() % std::min(size - 1 - first, 6u);
    CoverOption option{{first, second}};
    if (checkConvex(problem, option).empty())
      problem.options.push_back(std::move(option));
  }
  double exponent = static_cast<double>(random() % 3) / 2;
  for (CoverOption &option : problem.options)
    option.cost = static_cast<double>(1 + random() % 16) *
                  std::pow(option.items.size(), exponent);
}

void PlacementFuzzer::runCase(ModuleOp module, uint64_t seed) {
  PassManager passes(&context);
  buildPreparePipeline(passes, PlacePipelineOptions(kernel::getTarget(module)));
  if (failed(passes.run(module)))
    return fail(seed, "the graph can't be prepared");
  auto function = module.lookupSymbol<func::FuncOp>("main");
  Block &block = function.getBody().front();
  place::duplicateShared(block);
  place::CandidateRules rules;
  rules.allowsBackend = [](const backend::Backend &) { return true; };
  rules.allowsPattern = [](const backend::Backend &, StringRef) {
    return true;
  };
  rules.getPin = [](Operation *) { return StringRef(); };
  CandidateSet candidates(block, costs, rules);
  check(candidates.getProblem(), seed, "by the roofline");
  if (auto cover = place::solveCover(candidates.getProblem()))
    if (candidates.refine(cover->options))
      check(candidates.getProblem(), seed, "by the roofline, refined");
  checkCandidates(candidates, seed);
  for (unsigned draw = 0; draw < kDraws; ++draw) {
    CoverProblem problem = candidates.getProblem();
    randomize(problem, seed * kDraws + draw);
    check(problem, seed, "by random costs " + Twine(draw));
  }
}

int PlacementFuzzer::run() {
  for (unsigned number = 0; number < line.count; ++number) {
    uint64_t seed = line.seed + number;
    generate::GraphGenerator generator(&context, seed,
                                       line.dynamic && seed % 2);
    OwningOpRef<ModuleOp> module = generator.generate(line.getOps(seed));
    runCase(*module, seed);
  }
  llvm::outs() << line.count << " graphs: " << wrong << " mismatches in "
               << problems << " problems of up to " << mostItems << " ops and "
               << mostOptions << " pieces, " << choosy
               << " of them with a choice; " << skipped
               << " skipped as too large to try all\n";
  return wrong != 0;
}

int tenon::fuzz::runPlacement(const CommandLine &line, MLIRContext &context) {
  llvm::Expected<cost::DeviceProfile> profile = cost::getProfile("cpu");
  if (!profile) {
    llvm::errs() << "tenon-fuzz: error: " << llvm::toString(profile.takeError())
                 << "\n";
    return 1;
  }
  return PlacementFuzzer(line, context, std::move(*profile)).run();
}
