//===- Options.cpp - the command line of tenon-compile -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "TrainFlags.h"

#include "tenon/Driver/CompileFlags.h"
#include "tenon/Driver/MlirOptions.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tenon;
using artifact::makeError;
using artifact::Status;
using llvm::StringRef;

void printHelp() {
  llvm::outs() << R"(Compiles a model ahead of time into a native library.

usage: tenon-compile MODEL.onnx|MODEL.mlir|MODEL.mlirbc -o OUT.so [options]

Writes OUT.so (the C ABI of OUT.h), OUT.h, and OUT.safetensors with the weights.
The .mlir may also be a plan of tenon-plan, for several ranks.

  -o FILE              the result; for MLIR, "-" is standard output
  --force              replace OUT.h and OUT.safetensors even if Tenon did not
                       write them
  --params=FILE        the weights of an .mlir model (default: those that it
                       names, in its own folder)
  --target=T[,T]       cpu:x86-64-v2, cpu:x86-64-v3, cpu:x86-64-v4, cpu:native,
                       cuda:sm_80, cuda:sm_90, ...: one artifact for all of them,
                       which runs on the kind of the first by default, and on a
                       CPU with the highest level that it has (default:
                       cpu:x86-64-v3,cpu:x86-64-v4)
  --optimize=WHAT      egraph (default): rewrite the graph by proved rules (by
                       equality saturation) where that is predicted to be
                       faster; off
  --rules=DIR          the rules (default: Tenon's own)
  --profile=DEVICE     what costs are of: cpu, a100, h100, h200 or a JSON file
                       (default: as the target); of a CPU and GPUs together
                       also cuda=DEVICE,cpu=DEVICE
  --costs=F.json       measured costs (tenon-profile), or cuda=F.json,cpu=F.json;
                       none: not even the rates of this machine (tenon-profile
                       --calibrate), which are used where neither costs nor a
                       profile of a CPU are given
  --extraction=KIND    auto (default): greedy, or ilp: exact, may take long
  --budget=N           e-nodes beyond the model's
  --least-gain=PERCENT predicted gain from which a rewritten graph is taken
                       (default 2; -100: always, to measure it)
  --memory-limit=BYTES the most that the graph's tensors may need at once
  --log=F.json         write what fired (tenon-rules replay checks it)
  --report=F           write a page about it and about which backend runs what
                       (F.html), or its data (F.json)
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
  --train=LOSS         compile the entries train_step, evaluate and predict:
                       result (the model's result is the loss), cross-entropy,
                       mean-squared, binary-cross-entropy; run them by tenon-run
                       --train (docs/training.md)
  --train=F.json       the same, with the loss and the options below in a file
  --train-optimizer=O  sgd (default), adam, adamw, lion
  --train-OPTION=V     of the loss: of (a result), class-axis; of the optimizer:
                       learning-rate, momentum, beta1, beta2, epsilon,
                       weight-decay, clip, schedule (constant, linear, cosine),
                       warmup, steps, accumulate, loss-scale,
                       loss-scale-growth; batch-norm-momentum; seed (of
                       dropout); patterns of parameters (repeatable): freeze,
                       no-decay, include (what is taken for a buffer)
  --train-list         print each weight, whether it is trained, and why not;
                       without -o, do nothing else
  --recompute=WHAT     of train_step, to save memory: none (default); sqrt: keep as
                       little as possible for the backward pass, and compute
                       the rest again; a number of bytes to keep
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
  --verify-each        verify the module after every pass, not only at the end
  --prove-rewrites     prove what each pass between import and placement does to
                       this model, and print a table; what is not proved is a
                       remark (docs/proofs.md); =F.json writes it to a file
  --timing             say on standard error how long each phase took
  --time-report        the same as a table that sums to the whole time, and what
                       was done, in numbers
  --mlir-OPTION        MLIR's own options of passes, such as
                       --mlir-print-ir-after-all, --mlir-print-ir-before=PASS,
                       --mlir-timing, --mlir-pass-statistics,
                       --mlir-pass-pipeline-crash-reproducer=F.mlir (which
                       tenon-opt --run-reproducer runs); and of modules, such as
                       --mlir-print-debuginfo
  --debug-only=FLAG    what passes do and why, in builds with assertions
  --version, --help

The last value of an option counts, unless it is repeatable. A model that is placed
or lowered already refuses options of the phases behind it.

A terminal is told, from five seconds on, what goes on.

exit status: 0 success, 1 the model can't be compiled, 2 wrong usage
)";
}

/// The options of one compilation that tenon-profile does not have.
static void addOwnFlags(artifact::OptionTable &table, CompileOptions &options) {
  OptimizePhaseOptions &optimize = options.optimize;
  table.addText("--profile", optimize.profile, "a device");
  table.addText("--costs", optimize.costs, "the name of a file, or none");
  table.addText("--log", optimize.log);
  table.addText("--report", optimize.report);
  table.addChoice("--extraction", optimize.exact,
                  {{"auto", false}, {"ilp", true}});
  table.add("--budget", [&optimize](std::string_view value) -> Status {
    unsigned budget = 0;
    if (StringRef(value).getAsInteger(10, budget) || budget > 10000000)
      return makeError("expected a number from 0 to 10000000, but got '", value,
                       "'");
    optimize.budget = budget;
    return Status::success();
  });
  table.add("--least-gain", [&optimize](std::string_view value) -> Status {
    double percent = 0;
    if (StringRef(value).getAsDouble(percent) ||
        !(percent >= -100 && percent <= 100))
      return makeError("expected a number from -100 to 100, but got '", value,
                       "'");
    optimize.leastGain = percent / 100;
    return Status::success();
  });
  table.add("--memory-limit", [&optimize](std::string_view value) -> Status {
    if (StringRef(value).getAsInteger(10, optimize.memoryLimit))
      return makeError("expected a number of bytes, but got '", value, "'");
    return Status::success();
  });
  table.add("--fp", [&options](std::string_view value) -> Status {
    std::optional<FpMode> mode = parseFpMode(value);
    if (!mode)
      return makeError("expected ", kFpModes.str(), ", but got '", value, "'");
    options.target.fp = *mode;
    return Status::success();
  });
  table.addOptional("--fold-weights", [](std::string_view) -> Status {
    return makeError("was removed: what depends only on weights is always "
                     "computed at load");
  });
  table.addChoice("--emit", options.emit,
                  {{"so", EmitKind::SharedLibrary},
                   {"obj", EmitKind::Object},
                   {"mlir", EmitKind::Mlir},
                   {"onnx", EmitKind::Onnx}});
  table.addChoice("--stop-after", options.stopAfter,
                  {{"import", CompilePhase::Import},
                   {"optimize", CompilePhase::Optimize},
                   {"place", CompilePhase::Place},
                   {"lower", CompilePhase::Lower}});
  table.add("--symbol-prefix", [&options](std::string_view text) -> Status {
    StringRef value = text;
    auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
    if (value.empty() || llvm::isDigit(value.front()) ||
        !llvm::all_of(value, isWord) || value.starts_with("tenon_runtime"))
      return makeError("expected a name in C, which does not begin with "
                       "tenon_runtime, but got '",
                       text, "'");
    options.symbolPrefix = text;
    return Status::success();
  });
  table.add("--pin", [&options](std::string_view value) -> Status {
    auto [op, backend] = StringRef(value).rsplit('=');
    if (op.empty() || backend.empty())
      return makeError("expected OP=BACKEND, but got '", value, "'");
    options.pins.emplace_back(op.str(), backend.str());
    return Status::success();
  });
  table.addText("--params", options.weights, "the name of a file");
  table.addText("--dump-kernels", options.dumpKernels, "a folder");
  table.addNumber("--threads", options.threads, 1u, 1024u);
  table.addSwitch("--verify-each", options.verifyEach);
  table.addSwitch("--timing", options.timing);
  table.addSwitch("--time-report", options.timeReport);
  table.addOptional("--prove-rewrites",
                    [&options](std::string_view value) -> Status {
                      options.proveRewrites = true;
                      options.rewritesReport = value;
                      return Status::success();
                    });
  table.addSwitch("--unadmitted", options.unadmitted);
  table.addSwitch("--force", options.force);
}

/// Checks that involve more than one option. Returns what is wrong, or an empty
/// text.
static std::string check(const CommandLine &line, const TrainFlags &train) {
  const CompileOptions &options = line.compile;
  if (options.input.empty())
    return "expected the name of a model";
  if (std::string wrong = checkTrainFlags(train); !wrong.empty())
    return wrong;
  if (llvm::StringRef(options.output).ends_with(".plan.json"))
    return "-o: plans are compiled to libraries now; expected NAME.so, but got "
           "'" +
           options.output + "'";
  if (train.isOn && options.emit == EmitKind::Onnx)
    return "--train: ONNX has no states that training could change";
  bool mlir =
      options.stopAfter < CompilePhase::Emit || options.emit == EmitKind::Mlir;
  if (train.lists && options.output == "-")
    return "--train-list: standard output is that of -o already";
  if (!mlir && (options.output.empty() || options.output == "-") &&
      !(train.lists && options.output.empty()))
    return "expected -o FILE";
  if (!options.output.empty() && options.output != "-" &&
      options.output == options.input)
    return "-o: the result would replace the model '" + options.input + "'";
  return "";
}

std::string checkCommandLine(const CommandLine &line,
                             mlir::MLIRContext &context) {
  const CompileOptions &options = line.compile;
  llvm::Expected<std::vector<Device>> kinds = checkTargets(options, context);
  if (!kinds)
    return llvm::toString(kinds.takeError());
  // Each device has a graph of its own after the import.
  bool several = kinds->size() > 1;
  if (several && options.stopAfter == CompilePhase::Place)
    return "--stop-after=place: expected a CPU or GPUs as --target, but got "
           "both";
  if (several && options.stopAfter != CompilePhase::Optimize &&
      (!options.optimize.log.empty() || !options.optimize.report.empty()))
    return "--log and --report: expected a CPU or GPUs as --target, or "
           "--stop-after=optimize, but got both";
  return checkBackendNames(options, context);
}

std::optional<CommandLine> parseCommandLine(int argc, char **argv) {
  CommandLine line;
  CompileOptions &options = line.compile;
  options.optimize.isOn = true;
  options.optimize.required = false;
  artifact::OptionTable table;
  for (const char *name : {"--help", "-h"})
    table.addSwitch(name, line.help);
  table.addSwitch("--version", line.version);
  table.addText("-o", options.output, "the name of a file");
  table.addText("--target", options.target.targets, "a list of devices");
  table.addTexts("--backend", line.backends, "the name of a file");
  addCompileFlags(table, options, /*plans=*/{}, "SYMBOL=SIZE or INPUT=@FILE");
  addOwnFlags(table, options);
  TrainFlags train;
  addTrainFlags(table, train);

  auto takeModel = [&](std::string_view name) -> Status {
    if (!options.input.empty())
      return makeError("expected one model, but got '", options.input,
                       "' and '", name, "'");
    options.input = name;
    return Status::success();
  };
  auto fail = [](const std::string &message) {
    llvm::errs() << "tenon-compile: error: " << message
                 << "\nsee tenon-compile --help\n";
    return std::nullopt;
  };
  std::vector<char *> own(argv, argv + argc);
  line.mlir = takeMlirOptions(own);
  if (Status status =
          table.parse(static_cast<int>(own.size()), own.data(), takeModel);
      !status)
    return fail(status.error());
  if (line.help || line.version)
    return line;
  options.given = table.getGiven();
  // Gradients below 6e-8 are 0 in f16.
  if (options.target.precision == Precision::F16 && !train.hasLossScale)
    train.options.lossScale = 65536;
  if (std::string wrong = check(line, train); !wrong.empty())
    return fail(wrong);
  if (train.isOn)
    options.train = std::move(train.options);
  options.listsWeights = train.lists;
  return line;
}
