//===- Optimize.cpp - the search for a cheaper graph ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Optimize/Optimize.h"
#include "Search.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"

#include <chrono>
#include <future>

using namespace mlir;
using namespace tenon;
using namespace tenon::optimize;

StringRef optimize::getName(Extractor extractor) {
  switch (extractor) {
  case Extractor::Greedy:
    return "greedy";
  case Extractor::Ilp:
    return "ilp";
  }
  llvm_unreachable("unknown extractor");
}

ArrayRef<Extractor> optimize::getAll(Extractor) {
  static constexpr Extractor all[] = {Extractor::Greedy, Extractor::Ilp};
  return all;
}

/// Returns the rules that the mode allows to fire.
static std::vector<const rule::ProvedRule *>
listAllowed(const RuleSet &rules, func::FuncOp function, unsigned allowed) {
  std::vector<const rule::ProvedRule *> list;
  SmallVector<Type> elements = getFloatElements(function);
  for (const rule::ProvedRule &rule : rules.getRules())
    if ((rule.certificate.getFloatClass(elements) & ~allowed) == 0)
      list.push_back(&rule);
  return list;
}

/// Returns the rules that can match. Others would change how far the search
/// looks, and so its result.
static std::vector<const rule::ProvedRule *>
listReachable(ArrayRef<const rule::ProvedRule *> rules, func::FuncOp function) {
  llvm::StringSet<> ops;
  function.walk(
      [&](Operation *op) { ops.insert(op->getName().getStringRef()); });
  std::vector<RuleOps> opsOf;
  for (const rule::ProvedRule *rule : rules)
    opsOf.push_back(getOps(rule->op));
  std::vector<const rule::ProvedRule *> list;
  llvm::BitVector reachable = findReachable(opsOf, ops);
  for (unsigned number : reachable.set_bits())
    list.push_back(rules[number]);
  return list;
}

/// Checks the certificates of the rules that a log depends on, which are few of
/// the hundreds that match. Removes invalid ones from the list, with a warning,
/// and returns true if there are any.
static bool dropUnproved(std::vector<const rule::ProvedRule *> &rules,
                         const FunctionLog &log) {
  llvm::StringSet<> fired;
  for (const LoggedFiring &firing : log.firings)
    fired.insert(firing.statement);
  size_t before = rules.size();
  llvm::erase_if(rules, [&](const rule::ProvedRule *rule) {
    return rule->check && fired.contains(rule->certificate.statement) &&
           !rule->check->holds(rule->op, rule->certificate);
  });
  return rules.size() < before;
}

static std::string formatTime(double seconds) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::format("%.1f us", seconds * 1e6);
  return text;
}

namespace {
/// Chooses the best candidate, or none.
class Choice {
public:
  Choice(const OptimizeOptions &options, OptimizeResult &result)
      : options(options), result(result) {}

  Candidate *choose(std::vector<Candidate> &candidates, const Scorer &scorer);
  bool isPromising(const Candidate &best) const;

private:
  bool fits(uint64_t bytes) const {
    return options.memoryLimit == 0 || bytes <= options.memoryLimit;
  }
  /// Returns true if `seconds` are sufficiently less than `before`.
  bool isCheaper(double seconds, double before) const {
    return options.isGain(seconds, before);
  }
  Candidate *keepBaseline(ArrayRef<Candidate *> candidates, Candidate *wanted);

  const OptimizeOptions &options;
  OptimizeResult &result;
};
} // namespace

/// The predictions for kernels without measurements may be too low, and among
/// many candidates, the one that seems best is likely to have such an error.
/// The candidate that would be chosen without measured costs is therefore
/// replaced by `wanted` only if the upper bound of the latter is below the
/// lower bound of the former. Null stands for the input.
Candidate *Choice::keepBaseline(ArrayRef<Candidate *> candidates,
                                Candidate *wanted) {
  auto getScore = [&](const Candidate *candidate) -> const Score & {
    return candidate ? *candidate->score : *result.before;
  };
  Candidate *baseline = nullptr;
  for (Candidate *candidate : candidates)
    if (!baseline || getScore(candidate).unmeasuredSeconds <
                         getScore(baseline).unmeasuredSeconds)
      baseline = candidate;
  if (baseline && !isCheaper(getScore(baseline).unmeasuredSeconds,
                             getScore(nullptr).unmeasuredSeconds))
    baseline = nullptr;
  if (wanted == baseline || getScore(wanted).high <= getScore(baseline).low)
    return wanted;
  result.notes.push_back(
      std::string(baseline ? "took" : "kept the input:") +
      " what is best without measured costs, since the predictions for " +
      (wanted ? "the best candidate" : "the input") + ", of " +
      formatTime(getScore(wanted).low) + " to " +
      formatTime(getScore(wanted).high) + ", are not certain to be less than " +
      formatTime(getScore(baseline).low));
  return baseline;
}

/// Whether candidates that are predicted to be worse than `best`, which itself
/// is predicted to gain little, may be chosen: none of 87 models on a CPU, an
/// A100 and an H100 has one that gains enough if the best does not. Measured
/// costs may differ.
bool Choice::isPromising(const Candidate &best) const {
  if (options.leastGain < 0 || !result.before || !best.score ||
      best.score->notMeasured < best.score->kernels ||
      !fits(result.before->peakBytes) || !fits(best.score->peakBytes))
    return true;
  return options.isGain(best.score->seconds, result.before->seconds, 0.5);
}

Candidate *Choice::choose(std::vector<Candidate> &candidates,
                          const Scorer &scorer) {
  double before = result.beforeSeconds;
  bool beforeFits = true;
  if (scorer) {
    if (result.before) {
      before = result.before->seconds;
      beforeFits = fits(result.before->peakBytes);
    }
    std::vector<Candidate *> rest;
    std::vector<func::FuncOp> functions;
    for (Candidate &candidate : candidates)
      if (!candidate.score) {
        rest.push_back(&candidate);
        functions.push_back(*candidate.function);
      }
    if (!rest.empty())
      for (auto [candidate, score] : llvm::zip_equal(rest, scorer(functions)))
        candidate->score = score;
  }
  Candidate *best = nullptr;
  double bestSeconds = 0;
  SmallVector<Candidate *> scored;
  unsigned tooLarge = 0, notLowered = 0;
  for (Candidate &candidate : candidates) {
    double seconds = candidate.seconds;
    if (scorer) {
      if (!candidate.score) {
        ++notLowered;
        continue;
      }
      seconds = candidate.score->seconds;
      if (!fits(candidate.score->peakBytes)) {
        ++tooLarge;
        continue;
      }
    }
    scored.push_back(&candidate);
    if (!best || seconds < bestSeconds) {
      best = &candidate;
      bestSeconds = seconds;
    }
  }
  if (tooLarge)
    result.notes.push_back(std::to_string(tooLarge) +
                           " candidates need more memory than the limit");
  if (notLowered)
    result.notes.push_back(std::to_string(notLowered) +
                           " candidates could not be lowered");
  if (!best) {
    result.notes.push_back("kept the input: no candidate is left");
    return nullptr;
  }
  bool isBetter = !beforeFits || isCheaper(bestSeconds, before);
  Candidate *chosen = isBetter ? best : nullptr;
  // A search that accepts a loss looks for kernels to be measured.
  if (scorer && result.before && beforeFits && options.leastGain >= 0)
    chosen = keepBaseline(scored, chosen);
  if (!isBetter && !chosen)
    result.notes.push_back("kept the input: the best candidate is predicted to "
                           "take " +
                           formatTime(bestSeconds) + ", the input " +
                           formatTime(before));
  return chosen;
}

/// Runs one search with these rules. The function that it chooses is returned
/// in `taken`, and described by the result's log.
static OptimizeResult
searchOnce(func::FuncOp function, ArrayRef<const rule::ProvedRule *> rules,
           const cost::CostModel &costs, const OptimizeOptions &options,
           const Scorer &scorer, OwningOpRef<func::FuncOp> &taken) {
  OptimizeResult result;
  std::string reason;
  result.log = describeUnchanged(function);
  if (function.isExternal() || !function.getBody().hasOneBlock()) {
    result.notes.push_back("kept the input: it has no body of one block");
    return result;
  }
  std::vector<rule::RulePattern> patterns;
  for (const rule::ProvedRule *rule : listReachable(rules, function))
    patterns.emplace_back(*rule, rule::RulePattern::Check::Nothing);

  // The input is scored while candidates are extracted.
  std::future<std::optional<Score>> before;
  auto scoreInput = [&] {
    if (scorer)
      before = std::async(function.getContext()->isMultithreadingEnabled()
                              ? std::launch::async
                              : std::launch::deferred,
                          [&] { return scorer(function).front(); });
  };
  using Clock = std::chrono::steady_clock;
  Clock::duration scoring{};
  auto isPromising = [&](Candidate &best) {
    if (!scorer)
      return false; // the best is chosen
    auto start = Clock::now();
    result.before = before.get();
    best.score = scorer(*best.function).front();
    scoring = Clock::now() - start;
    return Choice(options, result).isPromising(best);
  };
  auto start = Clock::now();
  FailureOr<SearchResult> found = searchEGraph(
      function, patterns, costs, options, {scoreInput, isPromising}, reason);
  result.searchSeconds =
      std::chrono::duration<double>(Clock::now() - start - scoring).count();
  if (failed(found)) {
    result.notes.push_back("kept the input: " + reason);
    return result;
  }
  result.beforeSeconds = result.afterSeconds = found->modelSeconds;
  result.rules = std::move(found->rules);
  result.facts = std::move(found->facts);
  llvm::append_range(result.notes, found->notes);
  if (before.valid())
    result.before = before.get();
  if (found->candidates.empty())
    return result;
  Candidate *best = Choice(options, result).choose(found->candidates, scorer);
  if (!best)
    return result;
  result.changed = true;
  result.after = best->score;
  result.afterSeconds = best->seconds;
  std::string input = std::move(result.log.input);
  result.log = std::move(best->log);
  result.log.input = std::move(input);
  result.log.result = hashFunction(best->function.get());
  for (const LoggedFiring &firing : result.log.firings)
    for (RuleUse &use : result.rules)
      if (use.rule == firing.rule) {
        ++use.fired;
        break;
      }
  taken = std::move(best->function);
  return result;
}

FailureOr<OptimizeResult> optimize::optimizeFunction(
    func::FuncOp function, const RuleSet &rules, const cost::CostModel &costs,
    const OptimizeOptions &options, const Scorer &scorer) {
  std::vector<const rule::ProvedRule *> list =
      listAllowed(rules, function, getAllowedClass(options.fp));
  OptimizeResult result;
  OwningOpRef<func::FuncOp> taken;
  // Each search after the first has fewer rules.
  do
    result = searchOnce(function, list, costs, options, scorer, taken);
  while (dropUnproved(list, result.log));
  if (result.changed)
    function.getBody().takeBody(taken->getBody());
  return result;
}

/// Returns the firings as an attribute. The ops of the result are not included,
/// because the function contains them.
static Attribute toAttribute(const FunctionLog &log, MLIRContext *context) {
  Builder builder(context);
  SmallVector<Attribute> entries;
  for (const LoggedFiring &firing : log.firings) {
    SmallVector<NamedAttribute> symbols;
    for (const auto &[name, value] : firing.symbols)
      symbols.push_back(
          builder.getNamedAttr(name, builder.getStringAttr(value)));
    std::vector<std::string> names;
    for (const OpRef &ref : firing.ops)
      names.push_back(ref.str());
    SmallVector<StringRef> ops(names.begin(), names.end());
    entries.push_back(builder.getDictionaryAttr(
        {builder.getNamedAttr("rule", builder.getStringAttr(firing.rule)),
         builder.getNamedAttr("statement",
                              builder.getStringAttr(firing.statement)),
         builder.getNamedAttr("ops", builder.getStrArrayAttr(ops)),
         builder.getNamedAttr("symbols", builder.getDictionaryAttr(symbols)),
         builder.getNamedAttr("leading_axes",
                              builder.getI64IntegerAttr(firing.leadingAxes))}));
  }
  return builder.getArrayAttr(entries);
}

FailureOr<std::vector<OptimizeResult>>
optimize::optimizeModule(ModuleOp module, const RuleSet &rules,
                         const cost::CostModel &costs,
                         const OptimizeOptions &options, const Scorer &scorer) {
  std::vector<OptimizeResult> results;
  for (auto function : module.getOps<func::FuncOp>()) {
    FailureOr<OptimizeResult> result =
        optimizeFunction(function, rules, costs, options, scorer);
    if (failed(result))
      return failure();
    if (!result->log.firings.empty())
      function->setAttr("rule.log",
                        toAttribute(result->log, module.getContext()));
    results.push_back(std::move(*result));
  }
  return results;
}

RuleLog optimize::getLog(ArrayRef<OptimizeResult> results,
                         const OptimizeOptions &options) {
  RuleLog log;
  log.fp = options.fp;
  for (const OptimizeResult &result : results)
    log.functions.push_back(result.log);
  return log;
}
