//===- Options.cpp - the command line of tenon-profile --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "tenon/Driver/CompileFlags.h"
#include "tenon/Support/EnumChoices.h"

#include "llvm/ADT/STLExtras.h"

using namespace tenon;
using artifact::makeError;
using artifact::Status;

/// Sets one of the modes, which exclude each other.
template <ProfileArguments::Mode mode>
static Status setMode(ProfileArguments &line) {
  if (line.mode != ProfileArguments::Mode::Measure)
    return makeError(
        "--merge, --print-costs and --calibrate exclude each other");
  line.mode = mode;
  return Status::success();
}

static Status parseBind(std::string_view value, ProfileArguments &line) {
  return parseBindOption(value, "SYMBOL=SIZE", line.compile.binds);
}

static Status parsePlacement(std::string_view value, ProfileArguments &line) {
  return parsePlanOption(value, {"mixed", "unmeasured"},
                         line.compile.place.plan);
}

static Status parsePrecisionOf(std::string_view value, ProfileArguments &line) {
  return parsePrecisionOption(value, line.compile.target.precision);
}

#define GEN_PROFILE_DEF
#include "tenon-profile/Options.inc"

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
  if (!line.compile.costs.empty() && !prints)
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

std::optional<int> parseCommandLine(int argc, char **argv, CommandLine &line) {
  line.compile.target.usual = "cpu:x86-64-v3";
  line.compile.optimizes = false;
  artifact::OptionTable table;
  if (std::optional<int> status = parseOptions(argc, argv, line, table))
    return status;
  line.compile.given = table.getGiven();
  std::string wrong = checkModes(line);
  if (wrong.empty())
    return std::nullopt;
  return artifact::rejectUsage(kProfileArgumentsTool, wrong);
}
