//===- Options.cpp - the command line of tenon-profile --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "tenon/Driver/Targets.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace tenon;
using llvm::StringRef;

void printHelp() {
  llvm::outs()
      << R"(Measures what the kernels of models cost, each where it stands in its model.

usage: tenon-profile MODEL... -o COSTS.json [options]
       tenon-profile MODEL... --target=cuda:sm_80,... --emit-bundle DIR [options]
       tenon-profile --print-costs MODEL... [options]
       tenon-profile --merge A.json B.json... -o C.json

Models are .onnx, .mlir or .mlirbc. Each is compiled, run on random inputs, and
the times of its steps are kept by kernel: equal kernels share one entry.

  -o FILE              the costs
  --target=T           cpu:x86-64-v3 (default), cpu:x86-64-v4, cpu:native; with
                       --emit-bundle and --print-costs also GPUs, such as
                       cuda:sm_80,cuda:sm_90
  --emit-bundle DIR    for GPUs: measure nothing, but make a folder of what is to
                       be measured; on the machine with the GPU, DIR/run
                       -o COSTS.json measures it, and needs nothing but DIR, the
                       driver, and the libraries that are called
  --threads=N          threads that run a model (default 1)
  --repeat=N           measured runs of each model (default 20); three more
                       before them are not counted
  --plans=N            plans under which a model is measured at most (default 24),
                       until every kernel that placement may choose was; 1: only
                       as the model would be placed, without costs and with them
  --resume             extend FILE: kernels that it has are not measured again
  --bind SYMBOL=SIZE   fix a dimension of the models (repeatable); to be
                       measured, a model must have none left
  --backend=F.so       load a backend from a plug-in (repeatable); its patterns
                       are first compared with the interpreter, and measured
                       where they agree
  --limit=SECONDS      after which a kernel of a plug-in hangs (default 30)
  --without=BACKEND    do not use a backend, such as onednn (repeatable)
  --place=PLAN         mixed (default), or all:BACKEND: the plan that is printed,
                       or measured with --plans=1; or unmeasured: one with as
                       many kernels as possible that --costs lacks
  --optimize=ENGINE    rewrite the graphs before: egraph, backtrack, off (default)
  --rules=DIR          by which rules (default: Tenon's own)
  --precision=P        f32 (default), f16, bf16, and on GPUs tf32, as
                       tenon-compile takes it
  --profile=P          what predicts the costs: cpu (default; h100 for GPUs),
                       a100, h100, h200, t4 or a JSON file of one profile
  --print-costs        measure nothing: print the cost of every kernel, term by
                       term
  --costs=FILE         with --print-costs: costs that were measured come first
  --merge              join files of costs of one device; of two entries of a
                       kernel, the one with more runs stays
  --version, --help

exit status: 0 success, 1 a model can't be measured or files don't fit, 2 wrong
usage
)";
}

namespace {
class Parser {
public:
  explicit Parser(llvm::ArrayRef<char *> arguments) : arguments(arguments) {}

  std::optional<CommandLine> parse();

private:
  bool fail(const llvm::Twine &message) {
    llvm::errs() << "tenon-profile: error: " << message
                 << "\nsee tenon-profile --help\n";
    return false;
  }
  bool parseSwitch(StringRef name);
  bool parseOption(StringRef name, StringRef value);
  bool parseCount(StringRef name, StringRef value, unsigned most,
                  unsigned &out);
  bool check();
  bool checkTargets();

  llvm::ArrayRef<char *> arguments;
  CommandLine line;
  std::string target = "cpu:x86-64-v3";
};
} // namespace

static bool isSwitch(StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases(
          {"--help", "-h", "--version", "--resume", "--merge", "--print-costs"},
          true)
      .Default(false);
}

static bool takesValue(StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"-o", "--target", "--threads", "--repeat", "--bind"}, true)
      .Cases({"--plans", "--place", "--limit", "--precision"}, true)
      .Cases({"--without", "--optimize", "--rules", "--profile"}, true)
      .Cases({"--costs", "--backend", "--emit-bundle"}, true)
      .Default(false);
}

bool Parser::parseSwitch(StringRef name) {
  if (name == "--merge" || name == "--print-costs") {
    if (line.mode != CommandLine::Mode::Measure)
      return fail("--merge and --print-costs exclude each other");
    line.mode = name == "--merge" ? CommandLine::Mode::Merge
                                  : CommandLine::Mode::PrintCosts;
  }
  line.resume |= name == "--resume";
  line.help |= name == "--help" || name == "-h";
  line.version |= name == "--version";
  return true;
}

bool Parser::parseCount(StringRef name, StringRef value, unsigned most,
                        unsigned &out) {
  return (!value.getAsInteger(10, out) && out > 0 && out <= most) ||
         fail(name + ": expected a number from 1 to " + llvm::Twine(most) +
              ", but got '" + value + "'");
}

bool Parser::parseOption(StringRef name, StringRef value) {
  if (name == "--threads")
    return parseCount(name, value, 4096, line.threads);
  if (name == "--repeat")
    return parseCount(name, value, 1000000, line.repeat);
  if (name == "--plans")
    return parseCount(name, value, 1000, line.plans);
  if (name == "--limit")
    return parseCount(name, value, 86400, line.limitSeconds);
  if (name == "--target") {
    target = value.str();
    return true;
  }
  if (name == "--bind") {
    line.compile.binds.push_back(value.str());
    return value.contains('=') ||
           fail("--bind: expected SYMBOL=SIZE, but got '" + value + "'");
  }
  if (name == "--without") {
    line.compile.without.push_back(value.str());
    return !value.empty() || fail("--without: expected the name of a backend");
  }
  if (name == "--place") {
    line.compile.plan = value.str();
    return value == "mixed" || value == "unmeasured" ||
           (value.starts_with("all:") && value.size() > 4) ||
           fail(
               "--place: expected mixed, unmeasured or all:BACKEND, but got '" +
               value + "'");
  }
  if (name == "--backend") {
    line.backends.push_back(value.str());
    return !value.empty() || fail("--backend: expected the name of a file");
  }
  if (name == "--precision") {
    std::optional<Precision> precision = parsePrecision(value);
    if (!precision)
      return fail("--precision: expected " + kPrecisions + ", but got '" +
                  value + "'");
    line.compile.policy.precision = *precision;
    line.compile.stated.precision = true;
    return true;
  }
  if (name == "--optimize") {
    auto engine = llvm::StringSwitch<std::optional<OptimizeEngine>>(value)
                      .Case("off", OptimizeEngine::Off)
                      .Case("egraph", OptimizeEngine::EGraph)
                      .Case("backtrack", OptimizeEngine::Backtrack)
                      .Default(std::nullopt);
    if (!engine)
      return fail("--optimize: expected off, egraph or backtrack, but got '" +
                  value + "'");
    line.compile.optimize.engine = *engine;
    return true;
  }
  std::string &text = name == "-o"              ? line.output
                      : name == "--rules"       ? line.compile.optimize.rules
                      : name == "--profile"     ? line.profile
                      : name == "--emit-bundle" ? line.bundle
                                                : line.costs;
  text = value.str();
  return !value.empty() || fail(name + ": expected a value");
}

/// Checks that involve more than one option.
bool Parser::check() {
  if (line.help || line.version)
    return true;
  if (!line.bundle.empty()) {
    if (line.mode != CommandLine::Mode::Measure)
      return fail("--emit-bundle is only available when measuring");
    line.mode = CommandLine::Mode::Bundle;
  }
  bool bundles = line.mode == CommandLine::Mode::Bundle;
  bool prints = line.mode == CommandLine::Mode::PrintCosts;
  if (line.inputs.empty())
    return fail(line.mode == CommandLine::Mode::Merge
                    ? "expected the names of files of costs"
                    : "expected the name of a model");
  if (line.output.empty() && !prints && !bundles)
    return fail("expected -o FILE");
  if (!line.output.empty() && bundles)
    return fail("-o is for " + line.bundle +
                "/run: --emit-bundle writes no costs");
  if (!line.output.empty() && prints)
    return fail("--print-costs writes no file: -o is not available with it");
  if (!line.costs.empty() && !prints)
    return fail("--costs requires --print-costs");
  if (line.resume && line.mode != CommandLine::Mode::Measure)
    return fail("--resume is only available when measuring");
  return checkTargets();
}

bool Parser::checkTargets() {
  Policy &policy = line.compile.policy;
  if (llvm::Error error = parseTargets(target, policy, line.compile.forBoth))
    return fail("--target: " + llvm::toString(std::move(error)));
  bool hasGpus = policy.isForGpu();
  if (line.compile.forBoth)
    return fail("--target: costs are those of one device, but got '" + target +
                "'");
  if (line.mode == CommandLine::Mode::Bundle && !hasGpus)
    return fail("--emit-bundle: expected targets for GPUs, such as "
                "--target=cuda:sm_80,cuda:sm_90, but got '" +
                target + "'");
  if (line.mode == CommandLine::Mode::Measure && hasGpus)
    return fail("--target=" + target +
                ": costs of GPUs are measured where they are: use "
                "--emit-bundle DIR in place of -o, then run DIR/run there");
  if (policy.precision == Precision::TF32 && !hasGpus)
    return fail("--precision: tf32 is a precision of CUDA targets; expected "
                "--target=cuda:..., but got '" +
                target + "'");
  // In the compiler's form.
  if (hasGpus && line.profile == "cpu")
    line.profile = "h100";
  line.compile.optimize.profile = line.profile;
  line.compile.optimize.costs = line.costs;
  return true;
}

std::optional<CommandLine> Parser::parse() {
  line.compile.stated.fp = line.compile.stated.precision = false;
  bool onlyOperands = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    StringRef argument = arguments[i];
    if (onlyOperands || !argument.starts_with("-")) {
      line.inputs.push_back(argument.str());
      continue;
    }
    if (argument == "--") {
      onlyOperands = true;
      continue;
    }
    auto [name, value] = argument.split('=');
    bool attached = name.size() != argument.size();
    if (isSwitch(name) && !attached) {
      if (!parseSwitch(name))
        return std::nullopt;
      continue;
    }
    if (!takesValue(name)) {
      fail("unknown option '" + argument + "'");
      return std::nullopt;
    }
    if (!attached) {
      if (i + 1 == arguments.size()) {
        fail(name + ": expected a value");
        return std::nullopt;
      }
      value = arguments[++i];
    }
    if (!parseOption(name, value))
      return std::nullopt;
  }
  if (!check())
    return std::nullopt;
  return std::move(line);
}

std::optional<CommandLine> parseCommandLine(int argc, char **argv) {
  return Parser(llvm::ArrayRef(argv, argc).drop_front()).parse();
}
