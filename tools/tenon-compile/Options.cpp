//===- Options.cpp - the command line of tenon-compile -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "Training.h"

#include "tenon/Driver/CompileFlags.h"
#include "tenon/Driver/MlirOptions.h"
#include "tenon/Support/EnumChoices.h"

#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace tenon;
using artifact::makeError;
using artifact::Status;
using llvm::StringRef;

static Status parseFp(std::string_view value, CompileArguments &line) {
  line.target.fp = parseFpMode(value);
  if (line.target.fp)
    return Status::success();
  return makeError("expected ", kFpModes.str(), ", but got '", value, "'");
}

static Status parsePrecisionOf(std::string_view value, CompileArguments &line) {
  return parsePrecisionOption(value, line.target.precision);
}

static Status parseBind(std::string_view value, CompileArguments &line) {
  return parseBindOption(value, "SYMBOL=SIZE or INPUT=@FILE", line.binds);
}

static Status parsePlacement(std::string_view value, CompileArguments &line) {
  return parsePlanOption(value, {"mixed"}, line.place.plan);
}

static Status parsePin(std::string_view value, CompileArguments &line) {
  auto [op, backend] = StringRef(value).rsplit('=');
  if (op.empty() || backend.empty())
    return makeError("expected OP=BACKEND, but got '", value, "'");
  line.place.pins.emplace_back(value);
  return Status::success();
}

static Status parseSymbolPrefix(std::string_view text, CompileArguments &line) {
  StringRef value = text;
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  if (value.empty() || llvm::isDigit(value.front()) ||
      !llvm::all_of(value, isWord) || value.starts_with("tenon_runtime"))
    return makeError("expected a name in C, which does not begin with "
                     "tenon_runtime, but got '",
                     text, "'");
  line.symbolPrefix = text;
  return Status::success();
}

static Status parseProveRewrites(std::string_view value,
                                 CompileArguments &line) {
  line.proveRewrites = true;
  line.rewritesReport = value;
  return Status::success();
}

static Status parseTrain(std::string_view value, CompileArguments &line);

#define GEN_COMPILE_DEF
#include "tenon/Driver/CompileOptions.h.inc"

static Status parseTrain(std::string_view value, CompileArguments &line) {
  artifact::OptionTable table;
  addGraphTrainOptions(table, line);
  line.trains = true;
  line.trainFile = StringRef(value).ends_with(".json") ? value : "";
  return line.trainFile.empty()
             ? artifact::OptionTable::choose(
                   value, getChoices<differentiate::Loss>(), line.training.loss)
             : readTraining(line.trainFile, table);
}

/// Checks that involve more than one option. Returns what is wrong, or an empty
/// text.
static std::string check(const CompileOptions &options) {
  if (std::string wrong = checkTraining(options); !wrong.empty())
    return wrong;
  if (llvm::StringRef(options.output).ends_with(".plan.json"))
    return "-o: plans are compiled to libraries now; expected NAME.so, but got "
           "'" +
           options.output + "'";
  if (options.trains && options.emit == EmitKind::Onnx)
    return "--train: ONNX has no states that training could change";
  bool mlir =
      options.stopAfter < CompilePhase::Emit || options.emit == EmitKind::Mlir;
  if (options.listsWeights && options.output == "-")
    return "--train-list: standard output is that of -o already";
  if (!mlir && (options.output.empty() || options.output == "-") &&
      !(options.listsWeights && options.output.empty()))
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
      (!options.log.empty() || !options.report.empty()))
    return "--log and --report: expected a CPU or GPUs as --target, or "
           "--stop-after=optimize, but got both";
  return checkBackendNames(options, context);
}

std::optional<int> parseCommandLine(int argc, char **argv, CommandLine &line) {
  CompileOptions &options = line.compile;
  std::vector<char *> own(argv, argv + argc);
  line.mlir = takeMlirOptions(own);
  artifact::OptionTable table;
  // Gradients below 6e-8 are 0 in f16. A factor that is stated is no NaN.
  const double unstated = std::numeric_limits<double>::quiet_NaN();
  options.training.lossScale = unstated;
  if (std::optional<int> status = parseOptions(static_cast<int>(own.size()),
                                               own.data(), options, table))
    return status;
  if (std::isnan(options.training.lossScale))
    options.training.lossScale =
        options.target.precision == Precision::F16 ? 65536 : 0;
  options.given = table.getGiven();
  std::string wrong = check(options);
  if (wrong.empty())
    return std::nullopt;
  return artifact::rejectUsage(kCompileArgumentsTool, wrong);
}
