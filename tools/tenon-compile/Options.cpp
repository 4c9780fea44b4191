//===- Options.cpp - the command line of tenon-compile -------------------===//
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
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace tenon;
using llvm::StringRef;

void printHelp() {
  llvm::outs() << R"(Compiles a model ahead of time into a native library.

usage: tenon-compile MODEL.onnx|MODEL.mlir|MODEL.mlirbc -o OUT.so [options]

Writes OUT.so (the C ABI of OUT.h), OUT.h, and OUT.safetensors with the weights.

  -o FILE              the result; for MLIR, "-" is standard output
  --force              replace OUT.h and OUT.safetensors even if Tenon did not
                       write them
  --params=FILE        the weights of an .mlir model (default: those that it
                       names, in its own folder)
  --target=T[,T]       cpu:x86-64-v3 (default), cpu:x86-64-v4, cpu:native,
                       cuda:sm_80, cuda:sm_90, ...: one artifact for all of them,
                       which runs on the first by default
  --optimize=ENGINE    rewrite the graph by proved rules where that is predicted
                       to be faster: egraph (default; equality saturation),
                       backtrack (TASO's search), off
  --rules=DIR          the rules (default: Tenon's own)
  --profile=DEVICE     what costs are of: cpu (default), t4, ... or a JSON file
  --costs=F.json       measured costs (tenon-profile)
  --extraction=KIND    auto (default), or ilp: exact at any size
  --budget=N           e-nodes beyond the model's, or graphs of backtrack
  --least-gain=PERCENT predicted gain from which a rewritten graph is taken
                       (default 2; -100: always, to measure it)
  --memory-limit=BYTES the most that the graph's tensors may need at once
  --log=F.json         write what fired (tenon-rules replay checks it)
  --report=F           write a page about it and about which backend runs what
                       (F.html), or its data (F.json)
  -o NAME.plan.json    of a pipe.program: NAME.STAGE.so for each stage, and the
                       plan; --log and --report give F.STAGE.json for each
  --fp=MODE            strict, reassociate (default): sums may be regrouped, and
                       divisions by one number become products,
                       finite: also infinities and NaN may be ignored
  --precision=TYPE     what f32 tensors are computed and stored in: f32 (default);
                       f16, bf16: matmuls, convolutions and what follows them,
                       but not sums, norms, exponentials and losses; tf32: f32,
                       but CUDA targets round the factors of matmuls
  --pin OP=BACKEND     run an op, by its name in the model or by its kind (such as
                       conv), on a backend: cpu, onednn, ...; of CUDA
                       targets cuda, cublaslt, cudnn (repeatable)
  --without=BACKEND    do not use a backend, such as onednn (repeatable)
  --backend=F.so       load a backend from a plug-in (repeatable), beside those of
                       TENON_BACKENDS and of Tenon (docs/backends.md)
  --place=PLAN         mixed (default): the cheapest plan by the costs;
                       all:BACKEND: the backend wherever it can
  --unadmitted         also use patterns of plug-ins that --costs says nothing
                       of: to try a plug-in before tenon-profile admits it
  --fold-weights=load  compute values that depend only on weights at load
  --bind SYMBOL=SIZE   fix a dimension of the model (repeatable)
  --bind INPUT=@FILE   fix an input of an .onnx model to a tensor in a .pb or
                       .npy file (repeatable)
  --emit=KIND          so (default), obj, mlir, onnx
  --symbol-prefix=P    the artifact's functions are P_load, P_run and so on
                       instead of tenon_load, tenon_run (so that several
                       models can be linked into one program)
  --stop-after=PHASE   import, optimize, place or lower: write the module as it
                       is then (to standard output without -o)
  --dump-kernels=DIR   also write the kernels for GPUs: as MLIR, PTX, and machine
                       code of each architecture
  --threads=N          threads of the compiler (default 2)
  --verify-each        verify the module after every pass
  --timing             say on standard error how long each phase took
  --time-report        the same as a table that sums to the whole time, and what
                       was done, in numbers
  --version, --help

A terminal is told, from five seconds on, what goes on.

exit status: 0 success, 1 the model can't be compiled, 2 wrong usage
)";
}

namespace {
class Parser {
public:
  Parser(llvm::ArrayRef<char *> arguments) : arguments(arguments) {}

  std::optional<CommandLine> parse();

private:
  bool fail(const llvm::Twine &message) {
    llvm::errs() << "tenon-compile: error: " << message
                 << "\nsee tenon-compile --help\n";
    return false;
  }
  bool unavailable(const llvm::Twine &what) {
    return fail(what + " is not available in this version");
  }
  bool parseOption(StringRef name, StringRef value);
  bool parseTargets(StringRef value);
  bool parseChoice(StringRef name, StringRef value);
  bool check();

  llvm::ArrayRef<char *> arguments;
  CommandLine line;
  std::string targets = "cpu:x86-64-v3";
};
} // namespace

/// Options without a value.
static bool isSwitch(StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"--help", "-h", "--version", "--verify-each", "--timing",
              "--time-report", "--unadmitted", "--force"},
             true)
      .Default(false);
}

/// Options of the contract that belong to parts that do not exist yet.
static bool isPlanned(StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"--train", "--train-optimizer", "--recompute"}, true)
      .Default(false);
}

static bool takesValue(StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"-o", "--target", "--optimize", "--fp", "--precision"}, true)
      .Cases({"--pin", "--without", "--place", "--fold-weights", "--bind"},
             true)
      .Cases({"--emit", "--symbol-prefix"}, true)
      .Cases({"--stop-after", "--threads", "--rules", "--profile"}, true)
      .Cases({"--costs", "--extraction", "--budget", "--memory-limit",
              "--least-gain"},
             true)
      .Cases({"--backend", "--log", "--report", "--dump-kernels", "--params"},
             true)
      .Default(false);
}

bool Parser::parseTargets(StringRef value) {
  if (llvm::Error error =
          tenon::parseTargets(value, line.compile.policy, line.compile.forBoth))
    return fail("--target: " + llvm::toString(std::move(error)));
  return true;
}

bool Parser::parseChoice(StringRef name, StringRef value) {
  auto wrong = [&](StringRef expected) {
    return fail(name + ": expected " + expected + ", but got '" + value + "'");
  };
  CompileOptions &options = line.compile;
  if (name == "--optimize") {
    auto engine = llvm::StringSwitch<std::optional<OptimizeEngine>>(value)
                      .Case("off", OptimizeEngine::Off)
                      .Case("egraph", OptimizeEngine::EGraph)
                      .Case("backtrack", OptimizeEngine::Backtrack)
                      .Default(std::nullopt);
    if (!engine)
      return wrong("off, egraph or backtrack");
    options.optimize.engine = *engine;
    options.optimize.required = true;
    return true;
  }
  if (name == "--extraction") {
    options.optimize.exact = value == "ilp";
    return value == "auto" || value == "ilp" || wrong("auto or ilp");
  }
  if (name == "--fp") {
    std::optional<FpMode> mode = parseFpMode(value);
    if (!mode)
      return wrong(kFpModes);
    options.policy.fp = *mode;
    options.stated.fp = true;
    return true;
  }
  if (name == "--precision") {
    std::optional<Precision> precision = parsePrecision(value);
    if (!precision)
      return wrong(kPrecisions);
    options.policy.precision = *precision;
    options.stated.precision = true;
    return true;
  }
  if (name == "--fold-weights") {
    if (value == "compile")
      return unavailable("--fold-weights=compile");
    return value == "load" || wrong("load or compile");
  }
  if (name == "--emit") {
    auto kind = llvm::StringSwitch<std::optional<EmitKind>>(value)
                    .Case("so", EmitKind::SharedLibrary)
                    .Case("obj", EmitKind::Object)
                    .Case("mlir", EmitKind::Mlir)
                    .Case("onnx", EmitKind::Onnx)
                    .Default(std::nullopt);
    if (!kind)
      return wrong("so, obj, mlir or onnx");
    options.emit = *kind;
    return true;
  }
  if (name == "--symbol-prefix") {
    options.symbolPrefix = value.str();
    auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
    return (!value.empty() && !llvm::isDigit(value.front()) &&
            llvm::all_of(value, isWord) &&
            !value.starts_with("tenon_runtime")) ||
           wrong("a name in C, which does not begin with tenon_runtime");
  }
  auto phase = llvm::StringSwitch<std::optional<CompilePhase>>(value)
                   .Case("import", CompilePhase::Import)
                   .Case("optimize", CompilePhase::Optimize)
                   .Case("place", CompilePhase::Place)
                   .Case("lower", CompilePhase::Lower)
                   .Default(std::nullopt);
  if (!phase)
    return wrong("import, optimize, place or lower");
  options.stopAfter = *phase;
  return true;
}

/// Options whose value is a name of a file or device; nullptr for others.
static std::string *findText(OptimizePhaseOptions &options, StringRef name) {
  return llvm::StringSwitch<std::string *>(name)
      .Case("--rules", &options.rules)
      .Case("--profile", &options.profile)
      .Case("--costs", &options.costs)
      .Case("--log", &options.log)
      .Case("--report", &options.report)
      .Default(nullptr);
}

bool Parser::parseOption(StringRef name, StringRef value) {
  CompileOptions &options = line.compile;
  if (std::string *text = findText(options.optimize, name)) {
    *text = value.str();
    return !value.empty() || fail(name + ": expected a value");
  }
  if (name == "--budget") {
    unsigned budget = 0;
    if (value.getAsInteger(10, budget) || budget > 10000000)
      return fail("--budget: expected a number from 0 to 10000000, but got '" +
                  value + "'");
    options.optimize.budget = budget;
    return true;
  }
  if (name == "--least-gain") {
    double percent = 0;
    if (value.getAsDouble(percent) || !(percent >= -100 && percent <= 100))
      return fail(
          "--least-gain: expected a number from -100 to 100, but got '" +
          value + "'");
    options.optimize.leastGain = percent / 100;
    return true;
  }
  if (name == "--memory-limit")
    return !value.getAsInteger(10, options.optimize.memoryLimit) ||
           fail("--memory-limit: expected a number of bytes, but got '" +
                value + "'");
  if (name == "--backend") {
    line.backends.push_back(value.str());
    return !value.empty() || fail("--backend: expected the name of a file");
  }
  if (name == "-o") {
    options.output = value.str();
    return !value.empty() || fail("-o: expected the name of a file");
  }
  if (name == "--params") {
    options.weights = value.str();
    return !value.empty() || fail("--params: expected the name of a file");
  }
  if (name == "--target") {
    targets = value.str();
    options.stated.targets = true;
    return true;
  }
  if (name == "--dump-kernels") {
    options.dumpKernels = value.str();
    return !value.empty() || fail("--dump-kernels: expected a folder");
  }
  if (name == "--pin") {
    auto [op, backend] = value.rsplit('=');
    if (op.empty() || backend.empty())
      return fail("--pin: expected OP=BACKEND, but got '" + value + "'");
    options.pins.emplace_back(op.str(), backend.str());
    return true;
  }
  if (name == "--without") {
    options.without.push_back(value.str());
    return !value.empty() || fail("--without: expected the name of a backend");
  }
  if (name == "--place") {
    options.plan = value.str();
    return value == "mixed" ||
           (value.starts_with("all:") && value.size() > 4) ||
           fail("--place: expected mixed or all:BACKEND, but got '" + value +
                "'");
  }
  if (name == "--bind") {
    options.binds.push_back(value.str());
    return value.contains('=') ||
           fail("--bind: expected SYMBOL=SIZE or INPUT=@FILE, but got '" +
                value + "'");
  }
  if (name == "--threads")
    return (!value.getAsInteger(10, options.threads) && options.threads > 0 &&
            options.threads <= 1024) ||
           fail("--threads: expected a number from 1 to 1024, but got '" +
                value + "'");
  return parseChoice(name, value);
}

/// Checks that involve more than one option.
bool Parser::check() {
  CompileOptions &options = line.compile;
  if (line.help || line.version)
    return true;
  if (options.input.empty())
    return fail("expected the name of a model");
  if (!parseTargets(targets))
    return false;
  // Each device has a graph of its own after the import.
  bool several = options.forBoth;
  if (several && (options.stopAfter == CompilePhase::Place ||
                  options.stopAfter == CompilePhase::Lower))
    return fail("--stop-after=place and lower: expected a CPU or GPUs as "
                "--target, but got both");
  if (several &&
      (!options.optimize.log.empty() || !options.optimize.report.empty()))
    return fail("--log and --report: expected a CPU or GPUs as --target, but "
                "got both");
  if (options.policy.precision == Precision::TF32 &&
      options.policy.archs.empty())
    return fail("--precision: tf32 is a precision of CUDA targets; expected "
                "--target=cuda:..., but got '" +
                targets + "'");
  bool mlir =
      options.stopAfter < CompilePhase::Emit || options.emit == EmitKind::Mlir;
  if (!mlir && (options.output.empty() || options.output == "-"))
    return fail("expected -o FILE");
  if (!options.output.empty() && options.output != "-" &&
      options.output == options.input)
    return fail("-o: the result would replace the model '" + options.input +
                "'");
  return true;
}

std::optional<CommandLine> Parser::parse() {
  line.compile.optimize.engine = OptimizeEngine::EGraph;
  line.compile.optimize.required = false;
  line.compile.stated = {false, false, false};
  bool onlyOperands = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    StringRef argument = arguments[i];
    if (onlyOperands || !argument.starts_with("-") || argument == "-") {
      if (!line.compile.input.empty()) {
        fail("expected one model, but got '" + line.compile.input + "' and '" +
             argument + "'");
        return std::nullopt;
      }
      line.compile.input = argument.str();
      continue;
    }
    if (argument == "--") {
      onlyOperands = true;
      continue;
    }
    auto [name, value] = argument.split('=');
    bool attached = name.size() != argument.size();
    if (isPlanned(name)) {
      unavailable(name);
      return std::nullopt;
    }
    if (isSwitch(name) && !attached) {
      line.help |= name == "--help" || name == "-h";
      line.version |= name == "--version";
      line.compile.verifyEach |= name == "--verify-each";
      line.compile.timing |= name == "--timing";
      line.compile.timeReport |= name == "--time-report";
      line.compile.unadmitted |= name == "--unadmitted";
      line.compile.force |= name == "--force";
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
