//===- Options.cpp - the command line of tenon-profile --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "tenon/Driver/CompileFlags.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tenon;
using artifact::makeError;
using artifact::Status;

void printHelp() {
  llvm::outs()
      << R"(Measures what the kernels of models cost, each where it stands in its model.

usage: tenon-profile MODEL... -o COSTS.json [options]
       tenon-profile MODEL... --target=cuda:sm_80,... --emit-bundle DIR [options]
       tenon-profile --calibrate [-o PROFILE.json] [options]
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
  --optimize=WHAT      rewrite the graphs before: egraph, off (default)
  --rules=DIR          by which rules (default: Tenon's own)
  --precision=P        f32 (default), f16, bf16, and on GPUs tf32, as
                       tenon-compile takes it
  --profile=P          what predicts the costs: cpu, a100, h100, h200 or a JSON
                       file of one profile (default: as the target)
  --calibrate          measure kernels of all kinds, which takes some three
                       minutes, and write the rates of this machine's CPU where
                       tenon-compile finds them; with -o, to a file for its
                       --profile
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

static void addOwnFlags(artifact::OptionTable &table, CommandLine &line) {
  table.addText("-o", line.output);
  table.addText("--emit-bundle", line.bundle);
  table.addText("--profile", line.profile);
  table.addText("--costs", line.costs);
  table.addTexts("--backend", line.backends, "the name of a file");
  table.addNumber("--threads", line.threads, 1u, 4096u);
  table.addNumber("--repeat", line.repeat, 1u, 1000000u);
  table.addNumber("--plans", line.plans, 1u, 1000u);
  table.addNumber("--limit", line.limitSeconds, 1u, 86400u);
  table.addSwitch("--resume", line.resume);
  using Mode = CommandLine::Mode;
  for (auto [name, mode] : {std::pair("--merge", Mode::Merge),
                            std::pair("--print-costs", Mode::PrintCosts),
                            std::pair("--calibrate", Mode::Calibrate)})
    table.addSwitch(name, [&line, mode = mode]() -> Status {
      if (line.mode != Mode::Measure)
        return makeError(
            "--merge, --print-costs and --calibrate exclude each other");
      line.mode = mode;
      return Status::success();
    });
}

/// What `tenon-compile` finds by itself holds for the whole machine; other
/// profiles are files that the user names.
static std::string checkCalibrate(const CommandLine &line) {
  if (!line.inputs.empty())
    return "--calibrate measures its own models, but got '" +
           line.inputs.front() + "'";
  for (llvm::StringRef name : line.compile.given) {
    if (llvm::is_contained({"--calibrate", "-o", "--repeat", "--plans"}, name))
      continue;
    if (!llvm::is_contained(
            {"--target", "--threads", "--without", "--backend", "--limit"},
            name))
      return name.str() + " is not available with --calibrate";
    if (line.output.empty())
      return name.str() +
             ": tenon-compile uses the rates of one thread of this "
             "machine by itself: expected -o FILE";
  }
  return "";
}

/// Checks that involve more than one option. Returns what is wrong, or an empty
/// text.
static std::string checkModes(CommandLine &line) {
  if (!line.bundle.empty()) {
    if (line.mode != CommandLine::Mode::Measure)
      return "--emit-bundle is only available when measuring";
    line.mode = CommandLine::Mode::Bundle;
  }
  bool bundles = line.mode == CommandLine::Mode::Bundle;
  bool prints = line.mode == CommandLine::Mode::PrintCosts;
  if (line.mode == CommandLine::Mode::Calibrate)
    return checkCalibrate(line);
  if (line.inputs.empty())
    return line.mode == CommandLine::Mode::Merge
               ? "expected the names of files of costs"
               : "expected the name of a model";
  if (line.output.empty() && !prints && !bundles)
    return "expected -o FILE";
  if (!line.output.empty() && bundles)
    return "-o is for " + line.bundle + "/run: --emit-bundle writes no costs";
  if (!line.output.empty() && prints)
    return "--print-costs writes no file: -o is not available with it";
  if (!line.costs.empty() && !prints)
    return "--costs requires --print-costs";
  if (line.resume && line.mode != CommandLine::Mode::Measure)
    return "--resume is only available when measuring";
  return "";
}

static std::string checkMode(const CommandLine &line,
                             llvm::ArrayRef<Device> kinds,
                             const std::string &target) {
  bool hasGpus = kinds.front() == Device::Cuda;
  if (line.mode == CommandLine::Mode::Calibrate && hasGpus)
    return "--calibrate measures this machine's CPU, but got --target=" +
           target;
  if (kinds.size() > 1)
    return "--target: costs are those of one device, but got '" + target + "'";
  if (line.devices.size() > 1 && !hasGpus)
    return "--target: costs are those of one CPU, but got '" + target + "'";
  if (line.mode == CommandLine::Mode::Bundle && !hasGpus)
    return "--emit-bundle: expected targets for GPUs, such as "
           "--target=cuda:sm_80,cuda:sm_90, but got '" +
           target + "'";
  if (line.mode == CommandLine::Mode::Measure && hasGpus)
    return "--target=" + target +
           ": costs of GPUs are measured where they are: use --emit-bundle DIR "
           "in place of -o, then run DIR/run there";
  return "";
}

/// The level that artifacts run on this machine.
static std::string getBestLevel(mlir::MLIRContext &context) {
  auto native = kernel::parseTargets("cpu:native", &context);
  if (native)
    return ("cpu:" + mlir::cast<kernel::CpuAttr>(native->front()).getLevel())
        .str();
  llvm::consumeError(native.takeError());
  return "cpu:x86-64-v2";
}

std::string checkCommandLine(CommandLine &line, mlir::MLIRContext &context) {
  kernel::TargetOptions &target = line.compile.target;
  if (line.mode == CommandLine::Mode::Calibrate && target.targets.empty())
    target.usual = getBestLevel(context);
  // What is printed may be of the model's own device.
  if (line.mode != CommandLine::Mode::PrintCosts && target.targets.empty())
    target.targets = target.usual;
  llvm::Expected<std::vector<Device>> kinds =
      checkTargets(line.compile, context);
  if (!kinds)
    return llvm::toString(kinds.takeError());
  const std::string &text =
      target.targets.empty() ? target.usual : target.targets;
  line.devices = llvm::cantFail(kernel::parseTargets(text, &context));
  std::string wrong = checkMode(line, *kinds, text);
  return wrong.empty() ? checkBackendNames(line.compile, context) : wrong;
}

std::optional<CommandLine> parseCommandLine(int argc, char **argv) {
  CommandLine line;
  line.compile.target.usual = "cpu:x86-64-v3";
  artifact::OptionTable table;
  for (const char *name : {"--help", "-h"})
    table.addSwitch(name, line.help);
  table.addSwitch("--version", line.version);
  table.addText("--target", line.compile.target.targets, "a list of devices");
  addCompileFlags(table, line.compile, /*plans=*/{"unmeasured"}, "SYMBOL=SIZE");
  addOwnFlags(table, line);

  auto fail = [](const std::string &message) {
    llvm::errs() << "tenon-profile: error: " << message
                 << "\nsee tenon-profile --help\n";
    return std::nullopt;
  };
  auto takeFile = [&](std::string_view name) {
    line.inputs.emplace_back(name);
    return Status::success();
  };
  if (Status status = table.parse(argc, argv, takeFile); !status)
    return fail(status.error());
  if (line.help || line.version)
    return line;
  line.compile.given = table.getGiven();
  if (std::string wrong = checkModes(line); !wrong.empty())
    return fail(wrong);
  // In the compiler's form.
  line.compile.optimize.profile = line.profile;
  line.compile.optimize.costs = line.costs;
  return line;
}
