//===- HypothesisMode.cpp - tenon-fuzz --hypotheses -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FireRule.h"
#include "OptimizerJudge.h"
#include "OptimizerModes.h"

#include "tenon/Artifact/TemporaryFolder.h"
#include "tenon/Generate/SizeRules.h"
#include "tenon/ProofKernel/CheckOps.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::fuzz;
using rule::RuleOp;

/// How often a rule of one seed is tried to be made.
static constexpr unsigned kAttempts = 60;
/// Models of each rule, and how many of them have symbolic sizes.
static constexpr unsigned kModels = 9, kSymbolic = 3;

namespace {
struct Counts {
  unsigned rules = 0;
  /// Rules that differ in a model that their source matches, and those that do
  /// where their hypotheses hold.
  unsigned isFalse = 0, falseWhereAssumed = 0;
  unsigned trueProved = 0, falseProved = 0;
  /// Of proved rules: models that the source matches, and what came of them.
  unsigned matched = 0, refused = 0, fired = 0, symbolic = 0, optimized = 0;
  unsigned wrong = 0;
  uint64_t compared = 0;
};

/// What a seed gives: models, each with what the rule makes of it if nothing is
/// asked of sizes.
struct Case {
  std::unique_ptr<RuleFile> file;
  std::vector<MatchedModel> models;
  std::vector<OwningOpRef<ModuleOp>> rewritten;
  /// Whether the source matches, though the target may not be valid.
  std::vector<char> matches;
};

class HypothesisFuzzer {
public:
  HypothesisFuzzer(const CommandLine &line, const optimize::RuleSet &rules,
                   const cost::CostModel &costs, std::string scratch)
      : line(line), costs(costs), scratch(std::move(scratch)) {
    for (const rule::ProvedRule &rule : rules.getRules())
      base.push_back(rule.op);
  }

  int run();

private:
  OwningOpRef<RuleOp> make(bool divides);
  bool makeCase(bool divides, Case &made);
  void runCase(bool divides, uint64_t seed);
  bool differs(Case &made, size_t number, ModuleOp after);
  void runProved(Case &made, Counts &sum, uint64_t seed);
  void runOptimizer(Case &made, Counts &sum, uint64_t seed);
  void fail(Case &made, size_t number, ModuleOp after, StringRef why,
            Counts &sum, uint64_t seed);
  static void print(StringRef what, const Counts &sum);

  const CommandLine &line;
  const cost::CostModel &costs;
  std::string scratch;
  std::shared_ptr<prove::SolverMemory> memory =
      std::make_shared<prove::SolverMemory>();
  std::vector<RuleOp> base;
  std::mt19937_64 random;
  Counts counts[2];
};
} // namespace

/// Whether ops of the source treat a size of 1 as another size.
static bool hasBranches(RuleOp rule) {
  for (Operation &op : rule.getSource().front().without_terminator())
    if (isa<graph::MatmulOp, graph::BroadcastOp, graph::ReshapeOp,
            graph::AttentionOp, graph::AttentionPartialOp, graph::LayerNormOp,
            graph::RmsNormOp, graph::GroupNormOp, graph::BatchNormOp>(op))
      return true;
  return false;
}

OwningOpRef<RuleOp> HypothesisFuzzer::make(bool divides) {
  RuleOp rule = base[random() % base.size()];
  for (unsigned attempt = 0; attempt < 3 && !divides && !hasBranches(rule);
       ++attempt)
    rule = base[random() % base.size()];
  if (divides)
    return generate::addDivisor(rule, random);
  return random() % 2 ? generate::splitSymbols(rule, random)
                      : generate::makeSizeRule(rule, random);
}

/// Returns false if no model was found that the source matches.
bool HypothesisFuzzer::makeCase(bool divides, Case &made) {
  OwningOpRef<RuleOp> rule = make(divides);
  if (!rule)
    return false;
  made.file = std::make_unique<RuleFile>(*rule, scratch, memory);
  if (!made.file->isValid())
    return false;
  bool matches = false;
  for (unsigned number = 0; number < kModels; ++number) {
    MatchedModel model =
        drawMatchedModel(made.file->getRule(), number < kSymbolic, random);
    if (!model.module) {
      if (number == kSymbolic)
        return false;
      continue;
    }
    bool matched = false;
    made.rewritten.push_back(
        fireUnproved(made.file->getRule(), {}, *model.module, matched));
    made.matches.push_back(matched);
    matches |= matched;
    made.models.push_back(std::move(model));
  }
  return matches;
}

void HypothesisFuzzer::fail(Case &made, size_t number, ModuleOp after,
                            StringRef why, Counts &sum, uint64_t seed) {
  ++sum.wrong;
  std::string path = line.outputs + "/wrong-" + std::to_string(seed) + "." +
                     std::to_string(number);
  llvm::outs() << "WRONG " << seed << ": " << why.split('\n').first
               << "\n  written to " << path
               << ".rule.mlir, .mlir, .after.mlir\n";
  llvm::outs().flush();
  auto write = [&](const std::string &to, Operation *op) {
    std::error_code code;
    llvm::raw_fd_ostream os(to, code);
    if (code)
      llvm::errs() << "tenon-fuzz: error: " << to << ": " << code.message()
                   << "\n";
    else
      os << "// " << why.split('\n').first << "\n" << *op << "\n";
  };
  write(path + ".rule.mlir", made.file->getRule());
  write(path + ".mlir", *made.models[number].module);
  if (after)
    write(path + ".after.mlir", after);
}

/// Whether numbers differ.
bool HypothesisFuzzer::differs(Case &made, size_t number, ModuleOp after) {
  uint64_t compared = 0;
  const MatchedModel &model = made.models[number];
  return !compareModels(model, after, rule::NeedsFinite,
                        model.isSymbolic ? 6 : 2, random, compared)
              .empty();
}

void HypothesisFuzzer::runProved(Case &made, Counts &sum, uint64_t seed) {
  for (size_t number = 0; number < made.models.size(); ++number) {
    if (!made.rewritten[number])
      continue;
    const MatchedModel &model = made.models[number];
    ++sum.matched;
    OwningOpRef<ModuleOp> after;
    if (line.ignoreHypotheses)
      after = made.rewritten[number]->clone();
    else
      after = fireByPass(*made.file, *model.module);
    if (!after) {
      ++sum.refused;
      continue;
    }
    ++sum.fired;
    sum.symbolic += model.isSymbolic;
    std::string why =
        compareModels(model, *after, made.file->getCertificate().floatClass,
                      model.isSymbolic ? 8 : 2, random, sum.compared);
    if (!why.empty())
      fail(made, number, *after, why, sum, seed);
  }
}

/// The first and the last model, by the search of a compile.
void HypothesisFuzzer::runOptimizer(Case &made, Counts &sum, uint64_t seed) {
  optimize::RuleJudge judge;
  FailureOr<optimize::RuleSet> rules = optimize::RuleSet::load(
      made.file->getRule().getContext(), {made.file->getPath()}, {}, judge);
  if (failed(rules))
    return;
  optimize::OptimizeOptions options;
  options.fp = FpMode::Finite;
  options.newNodes = 60;
  OptimizerJudge optimizer(*rules, costs, options);
  for (size_t number : {size_t(0), made.models.size() - 1}) {
    const MatchedModel &model = made.models[number];
    if (!made.rewritten[number])
      continue;
    Rewriting rewriting = optimizer.judge(*model.module, seed);
    sum.optimized += rewriting.result.log.firings.size();
    std::string why = rewriting.problem;
    if (why.empty() && !rewriting.result.log.firings.empty())
      why = compareModels(model, *rewriting.after,
                          made.file->getCertificate().floatClass, 2, random,
                          sum.compared);
    if (!why.empty())
      fail(made, number, *rewriting.after, why, sum, seed);
  }
}

void HypothesisFuzzer::runCase(bool divides, uint64_t seed) {
  random.seed(2 * seed + divides);
  Case made;
  bool isMade = false;
  for (unsigned attempt = 0; attempt < kAttempts && !isMade; ++attempt) {
    made = {};
    isMade = makeCase(divides, made);
  }
  if (!isMade)
    return;
  RuleOp rule = made.file->getRule();
  if (line.print) {
    llvm::outs() << "// " << seed << (divides ? ": divisors" : ": split sizes")
                 << "\n"
                 << rule << "\n";
    return;
  }
  Counts &sum = counts[divides];
  ++sum.rules;
  std::vector<graph::SymInt> hypotheses = prove::getHypotheses(rule);
  bool isFalse = false;
  std::optional<size_t> whereAssumed;
  for (size_t number = 0; number < made.models.size(); ++number) {
    // A target that is not valid is no rewriting of a model, but a rule is true
    // only if it is valid. (Not all sizes of symbols can be decided.)
    bool isValid = static_cast<bool>(made.rewritten[number]);
    if (!made.matches[number] || (!isValid && made.models[number].isSymbolic) ||
        (isValid && !differs(made, number, *made.rewritten[number])))
      continue;
    isFalse = true;
    // With leading axes, the hypotheses are others.
    if (!made.models[number].batch.empty())
      continue;
    bool matches = false;
    fireUnproved(rule, hypotheses, *made.models[number].module, matches);
    if (matches)
      whereAssumed = number;
  }
  sum.isFalse += isFalse;
  sum.falseWhereAssumed += whereAssumed.has_value();
  if (made.file->prove().status != rule::Status::Proved)
    return;
  ++(isFalse ? sum.falseProved : sum.trueProved);
  if (whereAssumed)
    fail(made, *whereAssumed, {}, "proved, but false where it may fire", sum,
         seed);
  runProved(made, sum, seed);
  if (!line.ignoreHypotheses)
    runOptimizer(made, sum, seed);
}

void HypothesisFuzzer::print(StringRef what, const Counts &sum) {
  unsigned numTrue = sum.rules - sum.isFalse;
  llvm::outs() << sum.rules << " rules with " << what << ": " << sum.isFalse
               << " false in a model that they match (" << sum.falseWhereAssumed
               << " where their hypotheses hold), " << sum.falseProved
               << " of them proved for others; " << sum.trueProved << " of "
               << numTrue << " true ones proved ("
               << llvm::format("%.1f",
                               numTrue ? 100.0 * sum.trueProved / numTrue : 0.0)
               << " %)\n  " << sum.matched
               << " models that proved ones match: " << sum.refused
               << " refused by hypotheses, " << sum.fired << " fired ("
               << sum.symbolic << " of symbolic sizes), " << sum.optimized
               << " firings of the optimizer; " << sum.compared
               << " comparisons, " << sum.wrong << " wrong\n";
}

int HypothesisFuzzer::run() {
  for (unsigned number = 0; number < line.count; ++number) {
    for (bool divides : {false, true})
      runCase(divides, line.seed + number);
    if (llvm::sys::Process::StandardErrIsDisplayed())
      llvm::errs() << "\r\033[K[" << number + 1 << "/" << line.count << "]";
  }
  if (line.print)
    return 0;
  print("split sizes", counts[0]);
  print("divisors", counts[1]);
  return counts[0].wrong + counts[1].wrong != 0;
}

int tenon::fuzz::runHypotheses(const CommandLine &line, MLIRContext &context) {
  FailureOr<optimize::RuleSet> rules = loadRules(line, context);
  llvm::Expected<cost::DeviceProfile> profile = cost::getProfile("cpu");
  auto scratch = artifact::TemporaryFolder::createForScratch();
  if (!profile || !scratch) {
    llvm::errs() << "tenon-fuzz: error: "
                 << (profile ? scratch.error()
                             : llvm::toString(profile.takeError()))
                 << "\n";
    return 1;
  }
  if (failed(rules))
    return 1;
  cost::CostModel costs(std::move(*profile));
  return HypothesisFuzzer(line, *rules, costs, scratch->getPath()).run();
}
