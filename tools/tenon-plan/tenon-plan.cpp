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
#include "tenon/Driver/CompileModule.h"
#include "tenon/Driver/Registration.h"
#include "tenon/Parallelize/Baselines.h"
#include "tenon/Support/File.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::parallelize;

static int fail(const std::string &message) {
  llvm::errs() << "tenon-plan: error: " << message << "\n";
  return 1;
}

static PlannerOptions getPlannerOptions(const CommandLine &line) {
  PlannerOptions options;
  options.training = {line.miniBatch, line.stateFactor, line.forwardOnly};
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
                                          const OperatorGraph &graph,
                                          const Cluster &cluster,
                                          std::string &reason) {
  PlannerOptions options = getPlannerOptions(line);
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
                                            const ClusterDescription &cluster) {
  auto model = module.lookupSymbol<func::FuncOp>("main");
  if (!model)
    return module.emitError("expected a function 'main'");
  ModelOptions options;
  options.device = cluster.device;
  options.miniBatch = line.miniBatch;
  options.leastShare = 1.0 / line.operators;
  options.batch.isTraining = !line.forwardOnly;
  options.batch.batchNormPerMicroBatch = line.perMicroBatchNorm;
  return buildModelGraph(model, options);
}

int main(int argc, char **argv) {
  artifact::prepareStreams();
  llvm::InitLLVM init(argc, argv);
  artifact::prepareSignals("tenon-plan");
  CommandLine line;
  if (std::optional<int> status = parse(argc, argv, line))
    return *status;
  std::vector<artifact::PlannedOutput> outputs;
  auto addOutput = [&](const char *option, const std::string &path) {
    if (!path.empty() && path != "-")
      outputs.push_back({option, path});
  };
  addOutput("-o", line.output);
  addOutput("--json", line.json);
  addOutput("--trace", line.trace);
  addOutput("--report", line.report);
  std::vector<std::string> inputs = {line.input};
  if (!line.cluster.empty())
    inputs.push_back(line.cluster);
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
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  CompileOptions read;
  read.input = line.input;
  read.binds = line.binds;
  std::string params;
  FailureOr<OwningOpRef<ModuleOp>> module =
      readModule(read, /*paramsPath=*/"", params, context);
  if (failed(module))
    return 1;
  FailureOr<ModelGraph> model = readModelGraph(**module, line, cluster);
  if (failed(model))
    return 1;
  std::string reason;
  std::optional<Evaluation> plan =
      makePlan(line, model->graph, cluster.cluster, reason);
  if (!plan)
    return fail(reason);
  Planned planned{line, cluster, *model, *plan,
                  llvm::sys::path::stem(line.input).str()};
  printPlan(planned, llvm::outs());
  if (!line.json.empty()) {
    std::string text;
    llvm::raw_string_ostream os(text);
    writePlanJson(planned, os);
    if (llvm::Error error = writeOutputFile(line.json, text))
      return fail(llvm::toString(std::move(error)));
  }
  return 0;
}
