//===- Discover.cpp - tenon-rules discover --------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CandidateProver.h"
#include "CommandLine.h"
#include "Commands.h"
#include "RuleFiles.h"

#include "tenon/Discover/Discovery.h"
#include "tenon/Driver/Registration.h"
#include "tenon/Prove/Prove.h"
#include "tenon/Support/File.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <chrono>

using namespace mlir;
using namespace tenon;
using namespace tenon::tools;
using discover::Verdict;
using rule::Certificate;

static constexpr StringLiteral helpText =
    R"(Finds rules between graphs of some ops, and proves them for all sizes.

usage: tenon-rules discover --ops OP,OP... --max-ops N -o OUT.mlir [options]

  --ops OP,...      ops of the graph dialect, without its prefix
  --max-ops N       the most ops of either side (1 to 6)
  -o FILE           the rules that are proved, with certificates beside them
                    (FILE.proved.json for FILE.mlir)
  --report FILE     what was enumerated, and every candidate with its verdict
  --seed N          of the tensors that tell graphs apart (default 1)
  --resume DIR      keep proofs in this folder, and use those that are there:
                    after an interruption the same command writes the same files
  --rlimit N        bound of one question to the solver (default 1500000)
  --help

exit status: 0 what was found is written, 1 an error, 2 wrong usage
)";

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
           !rule.isImplied;
  };
  os << llvm::count_if(report.rules, isOfBasis)
     << " of them, in one direction, imply all that are proved\n";
}

int tools::runDiscover(ArrayRef<const char *> arguments) {
  CommandLine line("discover", helpText, /*expected=*/"");
  std::string ops, output, reportPath, resume;
  uint64_t maxOps = 0, rlimit = prove::ProveOptions().rlimit;
  discover::DiscoveryOptions options;
  line.add("--ops", ops);
  line.add("--max-ops", maxOps);
  line.add("-o", output);
  line.add("--report", reportPath);
  line.add("--resume", resume);
  line.add("--seed", options.seed);
  line.add("--rlimit", rlimit);
  if (std::optional<int> status = line.parse(arguments))
    return *status;
  if (ops.empty())
    return line.reject("no ops are given (--ops)");
  if (maxOps < 1 || maxOps >= discover::Terms::maxOps)
    return line.reject("--max-ops: expected a number from 1 to " +
                       Twine(discover::Terms::maxOps - 1));
  if (output.empty())
    return line.reject("no output is given (-o)");
  if (!checkOutput("-o", output, {}) ||
      !checkOutput("--report", reportPath, {}))
    return 1;
  for (StringRef name : llvm::split(ops, ','))
    options.ops.push_back(name.str());
  options.maxOps = maxOps;

  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry);
  CandidateProver prover(rlimit);
  if (!resume.empty() && !prover.resume(resume))
    return 1;
  Timing timing;
  std::string error;
  auto found = discover::discover(
      &context, options,
      [&](ArrayRef<std::string> rules) { return prover.prove(rules); },
      [&](const Twine &activity, double share) {
        timing.show(activity, share);
      },
      error);
  timing.clear();
  if (failed(found))
    return line.reject("--ops: " + error);

  std::string rules, report;
  llvm::raw_string_ostream os(report);
  std::vector<Certificate> certificates;
  print(*found, llvm::outs());
  print(*found, os);
  for (const discover::FoundRule &rule : found->rules) {
    os << "\n"
       << rule.name << ": " << stringify(rule.verdict)
       << (rule.reason.empty() ? "" : ": ") << rule.reason << "\n"
       << rule.text;
    if (rule.verdict != Verdict::Proved)
      continue;
    rules += (rule.isImplied ? "// Follows from other rules.\n" : "") +
             rule.text + "\n";
    certificates.push_back(prover.get(rule.text));
    certificates.back().name = rule.name;
  }
  if (!writeFile(output, rules) ||
      (!reportPath.empty() && !writeFile(reportPath, report)))
    return 1;
  if (llvm::Error failed = rule::writeCertificates(
          rule::getCertificatePath(output), certificates)) {
    reportError(llvm::toString(std::move(failed)));
    return 1;
  }
  return 0;
}
