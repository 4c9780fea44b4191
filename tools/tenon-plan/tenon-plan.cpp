//===- tenon-plan.cpp - plans pipelines for several devices ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "PlanOutput.h"
#include "tenon/Artifact/OutputFile.h"
#include "tenon/Dialect/Program/IR/Program.h"
#include "tenon/Driver/Certificate.h"
#include "tenon/Driver/CompileModule.h"
#include "tenon/Driver/KernelCosts.h"
#include "tenon/Driver/Ranks.h"
#include "tenon/Driver/Registration.h"
#include "tenon/Parallelize/Baselines.h"
#include "tenon/Parallelize/PipeProgram.h"
#include "tenon/Support/File.h"
#include "tenon/Support/Progress.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::parallelize;

static int fail(const std::string &message) {
  llvm::errs() << "tenon-plan: error: " << message << "\n";
  return 1;
}

static PlannerOptions getPlannerOptions(const CommandLine &line,
                                        const ModelGraph &model) {
  PlannerOptions options;
  options.training = {line.miniBatch, line.stateFactor, line.forwardOnly,
                      model.givenBytes};
  options.evenParts = model.hasBatchStatistics;
  if (line.microBatch)
    options.leastMicroBatch = options.mostMicroBatch = line.microBatch;
  options.mostK = line.mostK;
  options.sameMicroBatch = line.sameMicroBatch;
  options.mayRecompute = !line.neverRecompute;
  options.mayBeEager = !line.neverEager;
  if (line.budget)
    options.budget = *line.budget;
  return options;
}

static std::optional<Evaluation> makePlan(const CommandLine &line,
                                          const ModelGraph &model,
                                          const Cluster &cluster,
                                          std::string &reason) {
  const OperatorGraph &graph = model.graph;
  PlannerOptions options = getPlannerOptions(line, model);
  Progress progress("tenon-plan");
  options.progress = [&](const std::string &text) { progress.enter(text); };
  switch (line.planner) {
  case PlannerKind::Graph:
    return planGraph(graph, cluster, options, reason);
  case PlannerKind::Sequential:
    return planSequential(graph, cluster, options, reason);
  case PlannerKind::PipeDream:
    return planPipeDream(graph, cluster, options, reason);
  case PlannerKind::Piper:
    return planPiper(graph, cluster, options, reason);
  }
  llvm_unreachable("unknown planner");
}

static FailureOr<ModelGraph> readModelGraph(ModuleOp module,
                                            const CommandLine &line,
                                            const ClusterDescription &cluster,
                                            std::optional<KernelCosts> &costs) {
  auto model = module.lookupSymbol<func::FuncOp>("main");
  if (!model)
    return module.emitError("expected a function 'main'");
  ModelOptions options;
  options.device = cluster.device;
  options.miniBatch = line.miniBatch;
  options.leastShare = 1.0 / line.operators;
  options.batch.isTraining = !line.forwardOnly;
  options.batch.batchNormPerMicroBatch = line.perMicroBatchNorm;
  if (costs)
    options.measure = [&](func::FuncOp model, const cost::Sizes &sizes) {
      return costs->measure(model, sizes);
    };
  FailureOr<ModelGraph> graph = buildModelGraph(model, options);
  if (succeeded(graph) && costs &&
      costs->countMeasured() + costs->countScaled() == 0)
    return model.emitError() << "'" << line.costs << "' has none of its "
                             << costs->countKernels() << " kernels";
  return graph;
}

static llvm::Expected<MeasuredRun> readRun(const CommandLine &line,
                                           const ModelGraph &model) {
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> trace =
      readInputFile(line.measured);
  if (!trace)
    return trace.takeError();
  auto fail = [&](llvm::Error error) {
    return llvm::createStringError("'" + line.measured +
                                   "': " + llvm::toString(std::move(error)));
  };
  llvm::Expected<MeasuredRun> run = readMeasuredRun((*trace)->getBuffer());
  if (!run)
    return fail(run.takeError());
  if (llvm::Error error = checkModel(*run, model, line.forwardOnly))
    return fail(std::move(error));
  return run;
}

/// Where the seconds come from.
static std::string describeCosts(const CommandLine &line,
                                 const ClusterDescription &cluster,
                                 const std::optional<KernelCosts> &kernels,
                                 const std::optional<MeasuredRun> &run) {
  std::string costs = "roofline of '" + cluster.device.name + "'";
  if (kernels)
    costs = "kernels of '" + line.costs + "' (of " +
            std::to_string(kernels->countKernels()) + ", " +
            std::to_string(kernels->countMeasured()) + " measured, " +
            std::to_string(kernels->countScaled()) +
            " scaled from other sizes), others by the " + costs;
  if (run) {
    size_t count = 0;
    for (const RunTasks &tasks : run->tasks)
      count += tasks.count;
    costs += " scaled to " + std::to_string(count) + " tasks of " +
             std::to_string(run->plan.stages.size()) + " stages in '" +
             line.measured + "'";
  }
  return costs + "; links and memory of '" + cluster.name + "' (" +
         cluster.source + ")";
}

/// Writes a text that `write` makes, if a file is asked for.
static llvm::Error
writeText(const std::string &path,
          llvm::function_ref<void(llvm::raw_ostream &)> write) {
  if (path.empty())
    return llvm::Error::success();
  std::string text;
  llvm::raw_string_ostream os(text);
  write(os);
  return writeOutputFile(path, text);
}

static llvm::Error writeFiles(const Planned &planned) {
  const CommandLine &line = planned.line;
  if (llvm::Error error = writeText(line.json, [&](llvm::raw_ostream &os) {
        writePlanJson(planned, os);
      }))
    return error;
  if (line.trace.empty() && line.report.empty())
    return llvm::Error::success();
  report::Timeline timeline = makeTimeline(planned);
  if (llvm::Error error = writeText(line.trace, [&](llvm::raw_ostream &os) {
        report::writeTimelineTrace(timeline, os);
      }))
    return error;
  if (llvm::Error error = writeText(line.report, [&](llvm::raw_ostream &os) {
        report::writeTimelineHtml(timeline, os);
      }))
    return error;
  return llvm::Error::success();
}

/// Where the weights of an ONNX model go: beside the plan, whose other files
/// get their names later. Empty if there are none to write.
static std::string getWeightsPath(const CommandLine &line) {
  if (llvm::sys::path::extension(line.input) != ".onnx" ||
      line.output.empty() || line.output == "-")
    return "";
  llvm::SmallString<128> weights(line.output);
  llvm::sys::path::replace_extension(weights, "safetensors");
  return weights.str().str();
}

/// Replaces the model by a pipe.program, adds and checks what its ranks run in
/// inference, and writes the module, after the weights that it names.
static LogicalResult
writeProgram(ModuleOp module, const Planned &planned,
             const std::vector<artifact::FinishedFile> &weights) {
  const CommandLine &line = planned.line;
  auto model = module.lookupSymbol<func::FuncOp>("main");
  if (std::optional<int64_t> size = planned.model.batchAxes.size.getConstant())
    return model.emitError()
           << "-o: expected a symbol as the number of samples, which tasks "
              "have fewer of than the mini-batch has, but got "
           << *size;
  TrainingOptions training{line.miniBatch, line.stateFactor, line.forwardOnly,
                           planned.model.givenBytes};
  FailureOr<pipe::ProgramOp> program = buildPipeProgram(
      model, planned.model, planned.plan, planned.cluster.cluster, training);
  if (failed(program))
    return failure();
  model.erase();
  FailureOr<PipelineModel> pipeline = readPipeline(*program);
  if (failed(pipeline))
    return failure();
  writeSchedule(*program, *pipeline, planned.plan.schedule);
  // What ranks do in training depends on the loss, which is not known here.
  if (line.forwardOnly) {
    if (failed(addRanks(*program, nullptr)) || failed(verify(module)))
      return failure();
    llvm::outs() << "checked: the programs of " << program->getRanks()
                 << " ranks end, and compute the model\n";
  } else if (failed(verify(module))) {
    return failure();
  }
  if (artifact::Status status = artifact::putInPlace(weights); !status) {
    fail(status.error());
    return failure();
  }
  if (llvm::Error error = writeText(line.output, [&](llvm::raw_ostream &os) {
        module.print(os);
        os << "\n";
      })) {
    fail(llvm::toString(std::move(error)));
    return failure();
  }
  return success();
}

/// Ranks of an artifact, without planning.
static int check(const CommandLine &line) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadDialect<pipe::PipeDialect, program::ProgramDialect>();
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  return succeeded(checkArtifact(line.input, context, llvm::outs())) ? 0 : 1;
}

int main(int argc, char **argv) {
  artifact::prepareStreams();
  llvm::InitLLVM init(argc, argv);
  artifact::prepareSignals("tenon-plan");
  CommandLine line;
  if (std::optional<int> status = parse(argc, argv, line))
    return *status;
  if (line.check)
    return check(line);
  std::vector<artifact::PlannedOutput> outputs;
  auto addOutput = [&](const char *option, const std::string &path) {
    if (!path.empty() && path != "-")
      outputs.push_back({option, path});
  };
  addOutput("-o", line.output);
  const std::string weightsPath = getWeightsPath(line);
  if (!weightsPath.empty())
    outputs.push_back({"-o", weightsPath, /*isCompanion=*/true});
  addOutput("--json", line.json);
  addOutput("--trace", line.trace);
  addOutput("--report", line.report);
  std::vector<std::string> inputs = {line.input};
  if (!line.cluster.empty())
    inputs.push_back(line.cluster);
  if (!line.costs.empty())
    inputs.push_back(line.costs);
  if (artifact::Status status =
          artifact::checkOutputs(outputs, inputs, line.force);
      !status)
    return fail(status.error());

  ClusterDescription cluster = getDefaultCluster(line.devices);
  if (!line.cluster.empty()) {
    llvm::Expected<ClusterDescription> read =
        readCluster(line.cluster, line.devices);
    if (!read)
      return fail(llvm::toString(read.takeError()));
    cluster = std::move(*read);
  }
  std::optional<KernelCosts> kernels;
  if (!line.costs.empty()) {
    llvm::Expected<KernelCosts> read =
        KernelCosts::read(line.costs, cluster.device);
    if (!read)
      return fail(llvm::toString(read.takeError()));
    kernels = std::move(*read);
  }
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadDialect<pipe::PipeDialect, program::ProgramDialect>();
  context.printOpOnDiagnostic(false);
  CompileOptions read;
  read.input = line.input;
  read.binds = line.binds;
  read.trains = !line.forwardOnly;
  std::optional<artifact::PendingFile> pending;
  if (!weightsPath.empty()) {
    auto created = artifact::PendingFile::create(weightsPath);
    if (!created)
      return fail(created.error());
    pending.emplace(std::move(*created));
  }
  std::string params;
  FailureOr<OwningOpRef<ModuleOp>> module =
      readModule(read, pending ? pending->getPath() : "", params, context);
  if (failed(module))
    return 1;
  std::vector<artifact::FinishedFile> weights;
  if (pending && !params.empty()) {
    weights.push_back(pending->finish());
    (*module)->getOperation()->setAttr(
        "graph.params",
        StringAttr::get(&context, llvm::sys::path::filename(weightsPath)));
  }
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  FailureOr<ModelGraph> model =
      readModelGraph(**module, line, cluster, kernels);
  if (failed(model))
    return 1;
  std::optional<MeasuredRun> run;
  const OperatorGraph predicted = model->graph;
  if (!line.measured.empty()) {
    llvm::Expected<MeasuredRun> read = readRun(line, *model);
    if (!read)
      return fail(llvm::toString(read.takeError()));
    run = std::move(*read);
    model->graph = fitCosts(predicted, cluster.cluster, *run);
  }
  std::string reason;
  std::optional<Evaluation> plan =
      makePlan(line, *model, cluster.cluster, reason);
  if (!plan)
    return fail(reason);
  Planned planned{line,
                  cluster,
                  *model,
                  *plan,
                  llvm::sys::path::stem(line.input).str(),
                  getIdleShares(*plan, cluster.cluster.count),
                  getPlannerOptions(line, *model).training,
                  describeCosts(line, cluster, kernels, run)};
  if (run)
    printComparison(predicted, planned, *run, llvm::outs());
  printPlan(planned, llvm::outs());
  if (llvm::Error error = writeFiles(planned))
    return fail(llvm::toString(std::move(error)));
  if (!line.output.empty() && failed(writeProgram(**module, planned, weights)))
    return 1;
  return 0;
}
