//===- OptimizerMode.cpp - tenon-fuzz --optimize --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OptimizerJudge.h"
#include "OptimizerModes.h"
#include "Shrink.h"

#include "tenon/Driver/DataFolders.h"
#include "tenon/Generate/RulePlanter.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/Process.h"

#include <map>

using namespace mlir;
using namespace tenon;
using namespace tenon::fuzz;

/// Seeds of costs that are tried for a graph that is being shrunk: its kernels
/// have other numbers than those of the graph that failed.
static constexpr uint64_t kShrinkTries = 6;

FailureOr<optimize::RuleSet> tenon::fuzz::loadRules(const CommandLine &line,
                                                    MLIRContext &context) {
  std::string path = line.rules.empty() ? findRulesFolder() : line.rules;
  if (path.empty())
    return emitError(UnknownLoc::get(&context))
           << "Tenon's rules were not found beside the program: give --rules";
  return optimize::RuleSet::load(&context, {path}, {}, {});
}

std::vector<const rule::ProvedRule *>
tenon::fuzz::listAllowedRules(const CommandLine &line,
                              const optimize::RuleSet &rules) {
  unsigned allowed = optimize::getAllowedClass(line.fp);
  std::vector<const rule::ProvedRule *> list;
  for (const rule::ProvedRule &rule : rules.getRules())
    if ((rule.certificate.floatClass & ~allowed) == 0)
      list.push_back(&rule);
  return list;
}

OwningOpRef<ModuleOp>
tenon::fuzz::generatePlanted(const CommandLine &line, MLIRContext &context,
                             ArrayRef<const rule::ProvedRule *> rules,
                             uint64_t seed) {
  generate::GraphGenerator generator(&context, seed, line.dynamic && seed % 2);
  return generator.generate(
      line.getOps(seed), [&](generate::GraphGenerator &g) {
        return generate::RulePlanter(g, *rules[g.below(rules.size())]).plant();
      });
}

static optimize::OptimizeOptions getOptions(const CommandLine &line) {
  optimize::OptimizeOptions options;
  options.fp = line.fp;
  options.newNodes = line.newNodes ? line.newNodes : 400;
  return options;
}

namespace {
class OptimizerFuzzer {
public:
  OptimizerFuzzer(const CommandLine &line, MLIRContext &context,
                  const optimize::RuleSet &rules, const cost::CostModel &costs)
      : line(line), context(context), allowed(listAllowedRules(line, rules)),
        judge(rules, costs, getOptions(line)) {}

  int run();

private:
  void runCase(ModuleOp module, uint64_t seed);
  void add(const Rewriting &rewriting, uint64_t seed);
  void fail(ModuleOp module, uint64_t seed, Rewriting rewriting);
  void write(const std::string &path, llvm::function_ref<void(raw_ostream &)>);
  void summarize() const;

  const CommandLine &line;
  MLIRContext &context;
  std::vector<const rule::ProvedRule *> allowed;
  OptimizerJudge judge;
  unsigned graphs = 0, rewritten = 0, invalid = 0, mismatches = 0;
  uint64_t firings = 0;
  Comparison sum;
  /// By name, in results and in searches.
  std::map<std::string, unsigned> fired, tried;
  /// By reason: the seeds.
  std::map<std::string, std::vector<uint64_t>> refusals;
};
} // namespace

void OptimizerFuzzer::add(const Rewriting &rewriting, uint64_t seed) {
  if (!rewriting.refusal.empty())
    refusals[rewriting.refusal].push_back(seed);
  rewritten += !rewriting.result.log.firings.empty();
  firings += rewriting.result.log.firings.size();
  for (const optimize::RuleUse &use : rewriting.result.rules) {
    if (use.fired)
      fired[use.rule] += use.fired;
    if (use.tried)
      tried[use.rule] += use.tried;
  }
  const Comparison &one = rewriting.comparison;
  sum.inField += one.inField;
  sum.bounded += one.bounded;
  sum.bitForBit += one.bitForBit;
  sum.elements += one.elements;
  sum.excluded += one.excluded;
  invalid += one.isInvalid;
}

void OptimizerFuzzer::write(const std::string &path,
                            llvm::function_ref<void(raw_ostream &)> print) {
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  if (code) {
    llvm::errs() << "tenon-fuzz: error: " << path << ": " << code.message()
                 << "\n";
    return;
  }
  print(os);
}

void OptimizerFuzzer::fail(ModuleOp module, uint64_t seed,
                           Rewriting rewriting) {
  ++mismatches;
  llvm::outs() << "MISMATCH " << seed << ": " << rewriting.problem << "\n";
  OwningOpRef<ModuleOp> small = module.clone();
  if (!line.noShrink)
    small = shrink(module, [&](ModuleOp candidate) {
      for (uint64_t number = 0; number < kShrinkTries; ++number) {
        Rewriting again = judge.judge(candidate, seed + number);
        if (again.problem.empty())
          continue;
        rewriting = std::move(again);
        return true;
      }
      return false;
    });
  std::string path = line.outputs + "/fuzz-" + std::to_string(seed);
  write(path + ".mlir", [&](raw_ostream &os) {
    SmallVector<StringRef> lines;
    StringRef(rewriting.problem).trim().split(lines, '\n');
    for (StringRef part : lines)
      os << "// " << part << "\n";
    os << *small << "\n";
  });
  write(path + ".after.mlir",
        [&](raw_ostream &os) { os << *rewriting.after << "\n"; });
  write(path + ".log.json",
        [&](raw_ostream &os) { os << judge.formatLog(rewriting); });
  llvm::outs() << "  written to " << path << ".mlir, .after.mlir, .log.json\n";
  llvm::outs().flush();
}

void OptimizerFuzzer::runCase(ModuleOp module, uint64_t seed) {
  ++graphs;
  Rewriting rewriting = judge.judge(module, seed);
  add(rewriting, seed);
  if (!rewriting.problem.empty())
    fail(module, seed, std::move(rewriting));
}

void OptimizerFuzzer::summarize() const {
  for (const auto &[reason, seeds] : refusals)
    llvm::outs() << "no candidate for " << seeds.size()
                 << " graphs, the first of seed " << seeds.front() << ": "
                 << reason << "\n";
  std::string never;
  unsigned missing = 0;
  for (const rule::ProvedRule *rule : allowed) {
    std::string name = rule::RuleOp(rule->op).getSymName().str();
    if (fired.count(name))
      continue;
    ++missing;
    never += "  " + name + (tried.count(name) ? " (in searches only)\n" : "\n");
  }
  if (missing)
    llvm::outs() << "rules that fired in no result:\n" << never;
  llvm::outs() << graphs << " graphs, " << rewritten << " rewritten by "
               << firings << " firings of " << allowed.size() - missing
               << " of " << allowed.size() << " rules: " << mismatches
               << " mismatches, " << invalid
               << " invalid at their sizes; results compared: " << sum.inField
               << " in the field, " << sum.bounded << " within bounds, "
               << sum.bitForBit << " bit by bit; " << sum.excluded << " of "
               << sum.elements
               << " elements excluded as near ties or infinities ("
               << llvm::format("%.2f", sum.elements
                                           ? 100.0 * sum.excluded / sum.elements
                                           : 0.0)
               << " %)\n";
}

int OptimizerFuzzer::run() {
  for (unsigned number = 0; number < line.count; ++number) {
    uint64_t seed = line.seed + number;
    OwningOpRef<ModuleOp> module =
        generatePlanted(line, context, allowed, seed);
    if (line.print) {
      llvm::outs() << "// " << seed << "\n" << *module << "\n";
      continue;
    }
    runCase(*module, seed);
    if (llvm::sys::Process::StandardErrIsDisplayed())
      llvm::errs() << "\r\033[K[" << number + 1 << "/" << line.count << "] "
                   << mismatches << " mismatches";
  }
  if (line.print)
    return 0;
  if (llvm::sys::Process::StandardErrIsDisplayed())
    llvm::errs() << "\r\033[K";
  summarize();
  return mismatches != 0;
}

int tenon::fuzz::runOptimizer(const CommandLine &line, MLIRContext &context) {
  FailureOr<optimize::RuleSet> rules = loadRules(line, context);
  llvm::Expected<cost::DeviceProfile> profile = cost::getProfile("cpu");
  if (!profile) {
    llvm::errs() << "tenon-fuzz: error: " << llvm::toString(profile.takeError())
                 << "\n";
    return 1;
  }
  if (failed(rules))
    return 1;
  cost::CostModel costs(std::move(*profile));
  return OptimizerFuzzer(line, context, *rules, costs).run();
}
