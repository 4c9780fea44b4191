//===- tenon-compare.cpp - the first value that differs ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "ArtifactSide.h"
#include "ModelSide.h"
#include "TextReport.h"

#include "tenon/Artifact/OutputFile.h"
#include "tenon/Artifact/Safetensors.h"
#include "tenon/Compare/Comparison.h"
#include "tenon/Driver/Registration.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::compare;
using artifact::TensorData;

static int fail(const Twine &message) {
  llvm::errs() << "tenon-compare: error: " << message << "\n";
  return 1;
}

namespace {
/// One use of the tool.
class Session {
public:
  explicit Session(const Arguments &arguments) : arguments(arguments) {
    registerAllDialects(registry);
  }

  int run();

private:
  /// An artifact or a model, opened.
  struct Build {
    std::string path;
    std::unique_ptr<ModelSide> model;
    std::optional<ArtifactSide> artifact;

    const Signature &getSignature() const {
      return model ? model->getSignature() : artifact->getSignature();
    }
  };

  bool open(const std::string &path, Build &build);
  std::optional<Trace> trace(Build &build);
  bool judgeByModel(Build &run, Build &reference);
  bool judgeByRun(Build &run, Build &reference);
  void add(const Build &run, const Build &reference, const Trace &trace,
           const Comparison &comparison, ModelSide *model);
  int finish();

  const Arguments &arguments;
  DialectRegistry registry;
  std::vector<TensorData> inputs;
  report::CompareReport report;
};
} // namespace

bool Session::open(const std::string &path, Build &build) {
  build.path = path;
  if (isModelFile(path)) {
    build.model = std::make_unique<ModelSide>(registry);
    return succeeded(build.model->open(path, arguments));
  }
  auto opened = ArtifactSide::open(path, arguments);
  if (!opened) {
    fail(opened.error());
    return false;
  }
  build.artifact = std::move(*opened);
  return true;
}

std::optional<Trace> Session::trace(Build &build) {
  std::optional<Trace> result;
  if (build.model) {
    if (FailureOr<Trace> run = build.model->run(inputs); succeeded(run))
      result = std::move(*run);
  } else {
    auto run = build.artifact->run(inputs, arguments);
    if (run)
      result = std::move(*run);
    else
      fail("'" + build.path + "': " + run.error());
  }
  if (result)
    result->name = build.path;
  return result;
}

static std::string describeOrigin(const TracedValue &value) {
  std::string text = value.origin.describe();
  if (!value.step.empty())
    text += ", of step '" + value.step + "'";
  return text + ": " + artifact::formatType(value.data.dtype, value.data.shape);
}

static report::ComparedRow makeRow(const ComparedValue &value,
                                   const TracedValue &traced) {
  const Difference &local = value.local;
  report::ComparedRow row;
  row.op = value.origin.op;
  row.places = value.origin.places;
  row.output = value.output;
  row.step = traced.step;
  row.type = artifact::formatType(traced.data.dtype, value.shape);
  row.agrees = local.agrees();
  row.elements = local.elements;
  row.beyond = local.beyond;
  row.specials = local.specials;
  row.undecided = local.undecided;
  row.maxError = local.maxError;
  row.maxRelative = local.maxRelative;
  row.largest = local.largest;
  row.bound = local.bound;
  row.overBound = local.getOverBound();
  row.grown = value.whole.getRelative();
  if (local.first >= 0)
    row.first = formatIndex(local.first, value.shape);
  if (local.worst >= 0)
    row.worst = formatIndex(local.worst, value.shape);
  row.firstGot = local.firstGot;
  row.firstExpected = local.firstExpected;
  row.worstGot = local.worstGot;
  row.worstExpected = local.worstExpected;
  return row;
}

void Session::add(const Build &run, const Build &reference, const Trace &trace,
                  const Comparison &comparison, ModelSide *model) {
  report::RunComparison result;
  result.run = run.path;
  result.reference = reference.path;
  result.isByModel = model;
  for (const ComparedValue &value : comparison.values)
    result.rows.push_back(makeRow(value, trace.values[value.number]));
  for (size_t number : comparison.unmatched)
    result.unmatched.push_back(describeOrigin(trace.values[number]));
  result.first = comparison.first;
  result.grownOutput = comparison.grownOutput;
  auto list = [&](const std::vector<Origin> &origins,
                  std::vector<report::SuspectedOp> &ops) {
    for (const Origin &origin : origins) {
      report::SuspectedOp &op = ops.emplace_back();
      op.op = origin.op;
      op.places = origin.places;
      if (model && !origin.places.empty())
        op.source = model->getLine(origin.places.front());
    }
  };
  list(comparison.suspects, result.suspects);
  list(comparison.reads, result.reads);
  report.comparisons.push_back(std::move(result));
}

bool Session::judgeByModel(Build &run, Build &reference) {
  std::optional<Trace> traced = trace(run);
  std::optional<ReferenceGraph> graph;
  if (!traced || failed(reference.model->judge(inputs, graph)))
    return false;
  FailureOr<Comparison> comparison =
      compareWithModel(*traced, *graph, arguments.options);
  if (failed(comparison))
    return false;
  add(run, reference, *traced, *comparison, reference.model.get());
  return true;
}

bool Session::judgeByRun(Build &run, Build &reference) {
  std::optional<Trace> traced = trace(run), expected = trace(reference);
  if (!traced || !expected)
    return false;
  MLIRContext context(MLIRContext::Threading::DISABLED);
  auto comparison =
      compareTraces(*traced, *expected, &context, arguments.options);
  if (!comparison) {
    fail(comparison.error());
    return false;
  }
  add(run, reference, *traced, *comparison, nullptr);
  return true;
}

int Session::finish() {
  // Values without a counterpart do not count as agreement.
  for (const report::RunComparison &comparison : report.comparisons)
    if (comparison.rows.empty())
      return fail("'" + comparison.run + "' and '" + comparison.reference +
                  "' have no values in common");
  printReport(report, llvm::outs());
  auto write = [](const std::string &path, const std::string &text) {
    if (path.empty())
      return true;
    auto status = artifact::writeFile(path, text.data(), text.size());
    if (!status)
      fail(status.error());
    return status.ok();
  };
  if (!write(arguments.json,
             arguments.json.empty()
                 ? ""
                 : llvm::formatv("{0:2}\n", report::toJson(report)).str()) ||
      !write(arguments.report,
             arguments.report.empty() ? "" : report::renderHtml(report)))
    return 1;
  return report.agrees() ? 0 : 1;
}

int Session::run() {
  Build first, second, judge;
  if (!open(arguments.builds[0], first) || !open(arguments.builds[1], second))
    return 1;
  if (!arguments.model.empty() && !open(arguments.model, judge))
    return 1;
  std::vector<artifact::PlannedOutput> outputs;
  if (!arguments.json.empty())
    outputs.push_back({"--json", arguments.json});
  if (!arguments.report.empty())
    outputs.push_back({"--report", arguments.report});
  std::vector<std::string> read = {arguments.builds[0], arguments.builds[1],
                                   arguments.model, arguments.paramsPath};
  for (const artifact::InputSpec &spec : arguments.inputs)
    read.push_back(spec.path);
  for (const Build *build : {&first, &second, &judge})
    if (build->model)
      read.push_back(build->model->getParamsPath());
    else if (build->artifact)
      read.push_back(build->artifact->getParamsPath());
  if (auto status = artifact::checkOutputs(outputs, read, /*force=*/false);
      !status)
    return fail(status.error());

  // Also where neither side needs weights.
  if (!arguments.paramsPath.empty())
    if (auto file = artifact::SafetensorsFile::open(arguments.paramsPath);
        !file)
      return fail("--params: " + file.error());

  Build &giver = judge.model ? judge : first;
  for (const Build *build : {&first, &second})
    if (auto status = checkSignatures(giver.path, giver.getSignature(),
                                      build->path, build->getSignature());
        !status)
      return fail(status.error());
  auto loaded = loadInputs(arguments, giver.getSignature());
  if (!loaded)
    return fail(loaded.error());
  inputs = std::move(*loaded);
  report.title = arguments.builds[0] + " and " + arguments.builds[1];
  for (auto [value, data] : llvm::zip(giver.getSignature().inputs, inputs))
    report.facts.emplace_back("input '" + value.name + "'",
                              artifact::formatType(data.dtype, data.shape));

  bool done = judge.model
                  ? judgeByModel(first, judge) && judgeByModel(second, judge)
              : first.model  ? judgeByModel(second, first)
              : second.model ? judgeByModel(first, second)
                             : judgeByRun(second, first);
  return done ? finish() : 1;
}

int main(int argc, char **argv) {
  artifact::prepareStreams();
  llvm::InitLLVM init(argc, argv);
  artifact::prepareSignals("tenon-compare");
  Arguments arguments;
  if (std::optional<int> status = parseArguments(argc, argv, arguments))
    return *status;
  return Session(arguments).run();
}
