//===- Discover.cpp - tenon-rules discover --------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CandidateProver.h"
#include "Commands.h"
#include "ModelGuide.h"
#include "RuleFiles.h"

#include "tenon/Artifact/OptionTable.h"
#include "tenon/Discover/Discovery.h"
#include "tenon/Discover/OpSet.h"
#include "tenon/Driver/Registration.h"
#include "tenon/Prove/Prove.h"
#include "tenon/Support/File.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <chrono>
#include <set>

using namespace mlir;
using namespace tenon;
using namespace tenon::tools;
using discover::Verdict;
using rule::Certificate;

namespace {
/// Tells how long what is done now may still take.
class Timing {
public:
  void show(const Twine &activity, double share) {
    // A share that falls belongs to something else.
    if (share < last || share == 0)
      start = Clock::now();
    last = share;
    double seconds =
        std::chrono::duration<double>(Clock::now() - start).count();
    progress.show(llvm::formatv("{0}, {1:P0}, {2:F0} s left", activity.str(),
                                share,
                                share > 0 ? seconds * (1 - share) / share : 0.0)
                      .str());
  }
  void clear() { progress.clear(); }

private:
  using Clock = std::chrono::steady_clock;
  Progress progress;
  Clock::time_point start = Clock::now();
  double last = 0;
};
} // namespace

static StringRef stringify(Verdict verdict) {
  switch (verdict) {
  case Verdict::Proved:
    return "proved";
  case Verdict::Refuted:
    return "refuted";
  case Verdict::Unknown:
    return "unknown";
  case Verdict::NotStated:
    return "not stated";
  }
  llvm_unreachable("all verdicts are handled");
}

static void print(const discover::DiscoveryReport &report,
                  llvm::raw_ostream &os) {
  auto line = [&](const Twine &name, const discover::LevelReport &level) {
    os << llvm::formatv("{0,6} {1,10} {2,10} {3,6} {4,11} {5,9} {6,8} {7,9} "
                        "{8,6} {9,7:F1}\n",
                        name.str(), level.generated, level.rewritten,
                        level.leftOpen, level.candidates, level.followed,
                        level.derived, level.accepted, level.representatives,
                        level.seconds);
  };
  os << "   ops  generated  rewritten   open  candidates  followed  derived  "
        "accepted  "
        " kept seconds\n";
  for (const discover::LevelReport &level : report.levels)
    line(Twine(level.numOps), level);
  line("splits", report.splits);
  std::map<Verdict, unsigned> counts;
  for (const discover::FoundRule &rule : report.rules)
    ++counts[rule.verdict];
  os << llvm::formatv(
      "{0} proved, {1} refuted, {2} unknown, {3} not stated; enumeration "
      "{4:F1} s, derivations {5:F1} s, proofs {6:F1} s\n",
      counts[Verdict::Proved], counts[Verdict::Refuted],
      counts[Verdict::Unknown], counts[Verdict::NotStated],
      report.enumerationSeconds, report.derivationSeconds, report.proofSeconds);
  auto isOfBasis = [](const discover::FoundRule &rule) {
    return rule.verdict == Verdict::Proved && !rule.isReverse &&
           !rule.isImplied && !rule.sharesWeights;
  };
  os << llvm::count_if(report.rules, isOfBasis)
     << " of them, in one direction, imply all that are proved\n";
}

namespace {
#define GEN_DISCOVER_DECL
#include "tenon-rules/Options.inc"

/// One run of the command.
class RuleFinder : DiscoverLine {
public:
  std::optional<int> parse(ArrayRef<const char *> arguments);
  int run();

private:
  struct Rule {
    std::string name, text;
    bool isImplied;
  };

  bool discover(const std::vector<std::string> &ops);
  bool discoverForModel();
  bool keepGains(ModelGuide &guide);
  void add(const discover::FoundRule &rule);
  bool write();

  std::vector<std::string> ops;
  std::unique_ptr<MLIRContext> context;
  std::optional<CandidateProver> prover;
  std::vector<Rule> rules;
  /// Statements without their names, and names.
  std::set<std::string> statements, names;
  std::string report;
};
} // namespace

#define GEN_DISCOVER_DEF
#include "tenon-rules/Options.inc"

std::optional<int> RuleFinder::parse(ArrayRef<const char *> arguments) {
  artifact::OptionTable table;
  if (std::optional<int> status =
          parseOptions(static_cast<int>(arguments.size()),
                       const_cast<char **>(arguments.data()),
                       static_cast<DiscoverLine &>(*this), table))
    return status;
  auto reject = [](const char *message) {
    return artifact::rejectUsage(kDiscoverLineTool, message);
  };
  if (opList.empty() && model.empty())
    return reject("no ops are given (--ops)");
  if (model.empty() && (!costs.empty() || profile != "cpu"))
    return reject("--costs and --profile are of a model (--for)");
  if (maxOps == 0)
    return reject("expected --max-ops N");
  if (output.empty())
    return reject("no output is given (-o)");
  std::vector<std::string> inputs;
  if (!model.empty())
    inputs.push_back(model);
  if (!checkOutput("-o", output, inputs) ||
      !checkOutput("--report", reportPath, inputs) ||
      !checkDistinct({output, rule::getCertificatePath(output), reportPath}))
    return 1;
  if (opList.empty())
    opList = "concat,split";
  for (StringRef name : llvm::split(opList, ','))
    ops.push_back(name.str());
  options.maxOps = maxOps;

  DialectRegistry registry;
  registerAllDialects(registry);
  context = std::make_unique<MLIRContext>(registry);
  prover.emplace(rlimit);
  if (!resume.empty() && !prover->resume(resume))
    return 1;
  return std::nullopt;
}

/// A statement is kept once, whichever set of ops it was found with.
void RuleFinder::add(const discover::FoundRule &rule) {
  StringRef text = rule.text;
  if (!statements.insert(text.split('(').second.str()).second)
    return;
  Rule kept{rule.name, rule.text, rule.isImplied};
  for (unsigned number = 2; !names.insert(kept.name).second; ++number)
    kept.name = rule.name + "-" + std::to_string(number);
  if (kept.name != rule.name) {
    kept.text =
        "rule.rule @\"" + kept.name + "\"(" + text.split('(').second.str();
    prover->prove({kept.text});
  }
  rules.push_back(std::move(kept));
}

bool RuleFinder::discover(const std::vector<std::string> &names) {
  Timing timing;
  options.ops = names;
  std::string error;
  auto found = discover::discover(
      context.get(), options,
      [&](ArrayRef<std::string> rules) { return prover->prove(rules); },
      [&](const Twine &activity, double share) {
        timing.show(activity, share);
      },
      error);
  timing.clear();
  if (failed(found)) {
    reportError(error);
    return false;
  }
  llvm::raw_string_ostream os(report);
  print(*found, llvm::outs());
  print(*found, os);
  for (const discover::FoundRule &rule : found->rules) {
    os << "\n"
       << rule.name << ": " << stringify(rule.verdict)
       << (rule.reason.empty() ? "" : ": ") << rule.reason << "\n"
       << rule.text;
    if (rule.verdict == Verdict::Proved)
      add(rule);
  }
  return true;
}

bool RuleFinder::write() {
  std::string text;
  std::vector<Certificate> certificates;
  for (const Rule &rule : rules) {
    text += (rule.isImplied ? "// Follows from other rules.\n" : "") +
            rule.text + "\n";
    certificates.push_back(prover->get(rule.text));
    certificates.back().name = rule.name;
  }
  if (!writeFile(output, text))
    return false;
  if (llvm::Error failed = rule::writeCertificates(
          rule::getCertificatePath(output), certificates)) {
    reportError(llvm::toString(std::move(failed)));
    return false;
  }
  return true;
}

/// Keeps rules by which the optimizer lowers the cost of the model: one of
/// them by itself, or several together.
bool RuleFinder::keepGains(ModelGuide &guide) {
  if (rules.empty()) {
    llvm::outs() << "no rule is proved\n";
    return true;
  }
  auto all = guide.optimize(output, {});
  if (failed(all))
    return false;
  std::string text;
  llvm::raw_string_ostream os(text);
  auto show = [&](const ModelGuide::Gain &gain) {
    os << llvm::formatv("{0:F1} us instead of {1:F1} us, {2} matches\n",
                        gain.after * 1e6, gain.before * 1e6, gain.matches);
  };
  os << "all " << rules.size() << " rules: ";
  show(*all);
  std::vector<Rule> useful;
  for (Rule &rule : rules) {
    if (!llvm::is_contained(all->matching, rule.name))
      continue;
    auto alone = guide.optimize(output, {rule.name});
    if (failed(alone))
      return false;
    // Without firings, another form of the same graph was cheaper.
    if (!alone->fired.empty() && alone->after < alone->before) {
      os << rule.name << ": ";
      show(*alone);
    } else if (llvm::is_contained(all->fired, rule.name)) {
      os << rule.name << ": with others\n";
    } else {
      continue;
    }
    rule.isImplied = false; // the others may not be written
    useful.push_back(std::move(rule));
  }
  rules = std::move(useful);
  llvm::outs() << text;
  report += text;
  return true;
}

bool RuleFinder::discoverForModel() {
  ModelGuide guide(context.get());
  if (!guide.read(model, profile, costs))
    return false;
  std::vector<std::string> more = std::move(ops);
  std::string text;
  auto subgraphs = guide.chooseOps(maxOps, sets);
  if (subgraphs.empty()) {
    reportError(model + ": no function has ops that an enumeration knows");
    return false;
  }
  for (const auto &set : subgraphs) {
    std::vector<std::string> all = set.names;
    for (const std::string &name : more)
      if (!llvm::is_contained(all, name))
        all.push_back(name);
    text = llvm::formatv("{0}: {1} subgraphs, {2:F1} us\n",
                         llvm::join(set.names, ", "), set.count,
                         set.seconds * 1e6);
    llvm::outs() << text;
    report += text;
    if (!discover(all))
      return false;
  }
  return write() && keepGains(guide);
}

int RuleFinder::run() {
  std::string unknown = discover::OpSet().add(context.get(), ops);
  if (!unknown.empty())
    return artifact::rejectUsage(kDiscoverLineTool, "--ops: " + unknown);
  bool success = model.empty() ? discover(ops) : discoverForModel();
  return success && write() &&
                 (reportPath.empty() || writeFile(reportPath, report))
             ? 0
             : 1;
}

int tools::runDiscover(ArrayRef<const char *> arguments) {
  RuleFinder finder;
  if (std::optional<int> status = finder.parse(arguments))
    return *status;
  return finder.run();
}
