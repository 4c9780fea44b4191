//===- ProverMode.cpp - tenon-fuzz --prover -------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProverMode.h"
#include "FireRule.h"
#include "OptimizerModes.h"

#include "tenon/Artifact/TemporaryFolder.h"
#include "tenon/Generate/Mutator.h"
#include "tenon/Generate/NearIdentities.h"
#include "tenon/Generate/RuleVariants.h"
#include "tenon/ProofKernel/Retype.h"
#include "tenon/Prove/Check.h"
#include "tenon/Prove/Prove.h"
#include "tenon/Prove/Range.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace mlir;
using namespace tenon;
using namespace tenon::fuzz;
using rule::RuleOp;

/// How often a rule of one seed is tried to be made.
static constexpr unsigned kAttempts = 40;
/// Expressions among which near identities are sought, per element type.
static constexpr unsigned kExpressions = 600;
/// Seeds that share their expressions.
static constexpr uint64_t kSharing = 500;
/// Mutants of one rule that are kept.
static constexpr uint64_t kMutants = 60;
/// One of so many true rules is fired in models.
static constexpr uint64_t kFiredOf = 5;

namespace {
/// What makes a rule false.
enum class Kind { Mutant, Hidden, Integers, Reals };

/// A rule that does not hold: of numbers, or (`amongNumbers` is false) because
/// its target is none somewhere where its source is one. Then it may be proved
/// in the class rule::NeedsFinite.
using FalseRule = generate::NearIdentities::Pair;

class ProverFuzzer {
public:
  ProverFuzzer(const CommandLine &line, MLIRContext &context,
               const optimize::RuleSet &rules, std::string scratch)
      : line(line), context(context), scratch(std::move(scratch)) {
    for (const rule::ProvedRule &rule : rules.getRules())
      base.push_back(rule.op);
  }

  int run();

private:
  FalseRule makeFalse(Kind kind, uint64_t seed, std::mt19937_64 &random);
  FalseRule makeNear(bool ofReals, uint64_t seed, std::mt19937_64 &random);
  RuleOp pick(std::mt19937_64 &random) { return base[random() % base.size()]; }
  RuleOp pickMutant(RuleOp rule, std::mt19937_64 &random);
  void runFalse(uint64_t seed);
  void runTrue(uint64_t seed);
  std::string findOverclaim(RuleOp rule, const rule::Certificate &certificate,
                            uint64_t seed) const;
  rule::Certificate prove(RuleOp rule) const;
  void fire(RuleOp rule, const rule::Certificate &certificate, uint64_t seed);
  void report(StringRef what, uint64_t seed, RuleOp rule, StringRef why);

  const CommandLine &line;
  MLIRContext &context;
  std::string scratch;
  std::shared_ptr<prove::SolverMemory> memory =
      std::make_shared<prove::SolverMemory>();
  std::vector<RuleOp> base;
  std::map<Operation *, std::vector<OwningOpRef<RuleOp>>> mutants;
  /// By the group of seeds and the element type.
  std::map<std::string, std::unique_ptr<generate::NearIdentities>> near;
  std::map<Kind, unsigned> counts, proved;
  unsigned numTrue = 0, numTrueProved = 0, overclaims = 0;
  /// Models in which true rules fired, and those that differ then.
  unsigned firings = 0, wrongFirings = 0;
  std::map<std::string, unsigned> reasons;
};
} // namespace

static StringRef stringify(Kind kind) {
  switch (kind) {
  case Kind::Mutant:
    return "mutants";
  case Kind::Hidden:
    return "hidden behind an index";
  case Kind::Integers:
    return "of integers";
  case Kind::Reals:
    return "of reals";
  }
  llvm_unreachable("unknown kind");
}

RuleOp ProverFuzzer::pickMutant(RuleOp rule, std::mt19937_64 &random) {
  auto [it, isNew] = mutants.try_emplace(rule.getOperation());
  if (isNew)
    it->second = generate::Mutator(kMutants).mutate(rule);
  if (it->second.empty())
    return {};
  return *it->second[random() % it->second.size()];
}

FalseRule ProverFuzzer::makeNear(bool ofReals, uint64_t seed,
                                 std::mt19937_64 &random) {
  Builder builder(&context);
  Type elements[] = {builder.getI8Type(), builder.getIntegerType(8, false),
                     builder.getI32Type(), builder.getI64Type()};
  Type element = ofReals ? Type(builder.getF32Type())
                         : elements[random() % std::size(elements)];
  std::string key;
  llvm::raw_string_ostream(key) << seed / kSharing << element;
  std::unique_ptr<generate::NearIdentities> &found = near[key];
  if (!found)
    found = std::make_unique<generate::NearIdentities>(
        &context, element, seed / kSharing, kExpressions);
  return found->next(random);
}

/// The elements at which the source is a number and the target is not.
static bool isUndefined(const rule::Counterexample &difference) {
  StringRef target = difference.target;
  return target.contains("nan") || target.contains("inf");
}

/// Null where what was made may be true.
FalseRule ProverFuzzer::makeFalse(Kind kind, uint64_t seed,
                                  std::mt19937_64 &random) {
  if (kind == Kind::Integers || kind == Kind::Reals)
    return makeNear(kind == Kind::Reals, seed, random);
  RuleOp rule = pick(random);
  RuleOp wrong = pickMutant(rule, random);
  if (!wrong)
    return {};
  OwningOpRef<RuleOp> result;
  prove::CheckOptions options;
  options.instances = 12;
  options.seed = seed;
  if (kind == Kind::Hidden) {
    static constexpr int64_t sizes[] = {20, 21, 32, 40};
    int64_t size = sizes[random() % std::size(sizes)];
    result = generate::hideBehindIndex(rule, wrong, size, random);
    options.large = size + 1;
  } else {
    result = generate::makeVariant(wrong, pick(random), random);
  }
  if (!result)
    return {};
  rule::Certificate none;
  none.floatClass = rule::NeedsFinite;
  prove::CheckResult checked = prove::checkRule(*result, none, options).front();
  if (!checked.difference)
    return {};
  return {std::move(result), !isUndefined(*checked.difference)};
}

rule::Certificate ProverFuzzer::prove(RuleOp rule) const {
  prove::ProveOptions options;
  options.refute = false;
  options.memory = memory;
  return prove::proveRule(rule, options);
}

void ProverFuzzer::report(StringRef what, uint64_t seed, RuleOp rule,
                          StringRef why) {
  llvm::outs() << what << " " << seed << ": " << why.split('\n').first << "\n";
  std::string path = line.outputs + "/" + what.split(' ').first.lower() + "-" +
                     std::to_string(seed) + ".mlir";
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  if (code) {
    llvm::errs() << "tenon-fuzz: error: " << path << ": " << code.message()
                 << "\n";
    return;
  }
  os << rule << "\n";
  llvm::outs() << "  written to " << path << "\n";
  llvm::outs().flush();
}

void ProverFuzzer::runFalse(uint64_t seed) {
  std::mt19937_64 random(2 * seed + 1);
  static constexpr Kind kinds[] = {Kind::Mutant, Kind::Mutant, Kind::Hidden,
                                   Kind::Integers, Kind::Reals};
  Kind kind = kinds[seed % std::size(kinds)];
  FalseRule made;
  for (unsigned attempt = 0; attempt < kAttempts && !made.rule; ++attempt)
    made = makeFalse(kind, seed, random);
  if (!made.rule)
    return;
  if (line.print) {
    llvm::outs() << "// " << seed << ": false, " << stringify(kind) << "\n"
                 << *made.rule << "\n";
    return;
  }
  ++counts[kind];
  rule::Certificate certificate = prove(*made.rule);
  if (certificate.status != rule::Status::Proved ||
      (!made.amongNumbers && certificate.floatClass & rule::NeedsFinite))
    return;
  ++proved[kind];
  report("FALSE rule proved", seed, *made.rule,
         rule::stringifyFloatClass(certificate.floatClass));
}

/// Finds types in which a rule loses accuracy, although its class is without
/// changes-range.
static std::string findRangeOverclaim(RuleOp rule,
                                      const rule::Certificate &certificate) {
  MLIRContext *context = rule.getContext();
  const std::pair<StringRef, Type> types[] = {
      {"f32", Float32Type::get(context)},
      {"f16", Float16Type::get(context)},
      {"bf16", BFloat16Type::get(context)}};
  for (const auto &[name, type] : types) {
    bool isOther = name != "f32";
    if (certificate.rangeChanges.count(name.str()) ||
        (isOther && !rule::hasGenericElements(rule)))
      continue;
    OwningOpRef<RuleOp> typed = prove::getRetyped(rule, type);
    std::optional<std::string> change =
        typed ? prove::findRangeChange(*typed, certificate.floatClass &
                                                   rule::NeedsFinite)
              : std::nullopt;
    if (change)
      return ("changes the range in " + name + ": " + *change).str();
  }
  return "";
}

/// Finds proved rules that claim too much: bit-exact results, integers, or that
/// they keep the range.
std::string ProverFuzzer::findOverclaim(RuleOp rule,
                                        const rule::Certificate &certificate,
                                        uint64_t seed) const {
  prove::CheckOptions options;
  options.instances = 8;
  options.seed = seed;
  for (const prove::CheckResult &checked :
       prove::checkRule(rule, certificate, options))
    if (checked.difference && !(certificate.floatClass & rule::NeedsFinite &&
                                isUndefined(*checked.difference)))
      return checked.arithmetic + ": " + checked.difference->str();
  std::string range = findRangeOverclaim(rule, certificate);
  if (!range.empty() || certificate.elements == "real")
    return range;
  OwningOpRef<RuleOp> integers =
      prove::getRetyped(rule, IntegerType::get(&context, 8));
  if (!integers)
    return "";
  for (const prove::CheckResult &checked :
       prove::checkRule(*integers, certificate, options))
    if (checked.difference)
      return "in i8: " + checked.difference->str();
  return "";
}

/// Fires the rule as a compile does, in a model with numbers and in one with
/// symbols.
void ProverFuzzer::fire(RuleOp rule, const rule::Certificate &certificate,
                        uint64_t seed) {
  std::mt19937_64 random(seed);
  RuleFile file(rule, scratch, memory);
  if (!file.isValid())
    return report("UNREADABLE rule", seed, rule, "it can't be read again");
  file.setCertificate(certificate);
  for (bool symbolic : {false, true}) {
    MatchedModel model = drawMatchedModel(file.getRule(), symbolic, random);
    OwningOpRef<ModuleOp> after;
    if (model.module)
      after = fireByPass(file, *model.module);
    if (!after)
      continue;
    ++firings;
    uint64_t compared = 0;
    std::string why = compareModels(model, *after, certificate.floatClass,
                                    /*draws=*/3, random, compared);
    if (why.empty())
      continue;
    ++wrongFirings;
    report("WRONG firing", seed, rule, why);
    llvm::outs() << *model.module << "\n";
  }
}

void ProverFuzzer::runTrue(uint64_t seed) {
  std::mt19937_64 random(2 * seed);
  prove::CheckOptions options;
  options.instances = 3;
  options.seed = seed;
  OwningOpRef<RuleOp> rule;
  for (unsigned attempt = 0; attempt < kAttempts && !rule; ++attempt) {
    RuleOp original = pick(random);
    rule = generate::makeVariant(original, pick(random), random);
    // A theorem about no size at all is none.
    if (rule && !prove::checkRule(*rule, {}, options).front().problem.empty())
      rule = {};
  }
  if (!rule)
    return;
  if (line.print) {
    llvm::outs() << "// " << seed << ": true\n" << *rule << "\n";
    return;
  }
  ++numTrue;
  rule::Certificate certificate = prove(*rule);
  if (certificate.status != rule::Status::Proved) {
    ++reasons[certificate.reason.substr(0, 60)];
    if (line.outputs != ".")
      report("unproved", seed, *rule, certificate.reason);
    return;
  }
  ++numTrueProved;
  if (seed % kFiredOf == 0)
    fire(*rule, certificate, seed);
  std::string overclaim = findOverclaim(*rule, certificate, seed);
  if (overclaim.empty())
    return;
  ++overclaims;
  report("OVERCLAIMED rule", seed, *rule, overclaim);
}

int ProverFuzzer::run() {
  for (unsigned number = 0; number < line.count; ++number) {
    uint64_t seed = line.seed + number;
    runFalse(seed);
    runTrue(seed);
    if (llvm::sys::Process::StandardErrIsDisplayed())
      llvm::errs() << "\r\033[K[" << number + 1 << "/" << line.count << "]";
  }
  if (line.print)
    return 0;
  if (llvm::sys::Process::StandardErrIsDisplayed())
    llvm::errs() << "\r\033[K";
  unsigned numFalse = 0, numFalseProved = 0;
  std::string kinds;
  for (const auto &[kind, count] : counts) {
    numFalse += count;
    numFalseProved += proved[kind];
    kinds += (kinds.empty() ? "" : ", ") + std::to_string(count) + " " +
             stringify(kind).str();
  }
  llvm::outs() << firings
               << " firings of true rules in models: " << wrongFirings
               << " wrong\n"
               << numFalse << " false rules (" << kinds
               << "): " << numFalseProved << " proved\n"
               << numTrue << " true rules: " << numTrueProved << " proved ("
               << llvm::format("%.1f",
                               numTrue ? 100.0 * numTrueProved / numTrue : 0.0)
               << " %), " << overclaims << " claim more than holds\n";
  for (const auto &[reason, count] : reasons)
    llvm::outs() << "  " << count << " not proved: " << reason << "\n";
  return numFalseProved != 0 || overclaims != 0 || wrongFirings != 0 ||
         20 * numTrueProved < 19 * numTrue;
}

int tenon::fuzz::runProver(const CommandLine &line, MLIRContext &context) {
  FailureOr<optimize::RuleSet> rules = loadRules(line, context);
  if (failed(rules))
    return 1;
  auto scratch = artifact::TemporaryFolder::createForScratch();
  if (!scratch) {
    llvm::errs() << "tenon-fuzz: error: can't create a folder: "
                 << scratch.error() << "\n";
    return 1;
  }
  return ProverFuzzer(line, context, *rules, scratch->getPath()).run();
}
