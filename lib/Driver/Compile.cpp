//===- Compile.cpp - from a model's file to an artifact ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compilation.h"
#include "OptimizePhase.h"
#include "PlacementReport.h"
#include "tenon/Backend/Backend.h"
#include "tenon/Dialect/Graph/Transforms/Entries.h"
#include "tenon/Dialect/Graph/Transforms/IndexChecks.h"
#include "tenon/Dialect/Graph/Transforms/Passes.h"
#include "tenon/Dialect/Kernel/IR/Kernel.h"
#include "tenon/Dialect/Program/IR/Program.h"
#include "tenon/Driver/CompilePlan.h"
#include "tenon/Driver/Targets.h"
#include "tenon/Emit/Emit.h"
#include "tenon/Import/OnnxExport.h"
#include "tenon/Place/Passes.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace tenon;
namespace path = llvm::sys::path;

/// The options for one of the artifact's programs. If there are two, a pin and
/// a plan of one backend concern the program of that backend's device; names of
/// none are left in, to be refused.
static CompileOptions getOptionsFor(const Policy &unit,
                                    const CompileOptions &options,
                                    MLIRContext &context) {
  CompileOptions own = options;
  own.policy = unit;
  if (unit.isForGpu() && own.optimize.profile == "cpu")
    own.optimize.profile = "h100";
  if (!options.forBoth)
    return own;
  auto &registry = backend::BackendRegistry::get(&context);
  auto isOther = [&](StringRef name) {
    std::optional<Device> named = registry.getDevice(name);
    return named && *named != unit.device;
  };
  llvm::erase_if(own.pins,
                 [&](const auto &pin) { return isOther(pin.second); });
  StringRef plan = own.plan;
  if (plan.consume_front("all:") && isOther(plan))
    own.plan = "mixed";
  return own;
}

Compilation::Compilation(const CompileOptions &options, MLIRContext &context)
    : options(options), context(context), handler(sources, &context),
      makesRoom(&context,
                [this](Diagnostic &) {
                  if (progress)
                    progress->makeRoom();
                  return failure(); // others print it
                }),
      progress(options.progress ? std::make_unique<Progress>("tenon-compile")
                                : nullptr),
      times(progress.get()) {}

/// What the user did not state, the module may. Then one program after the
/// other has options of its own.
void Compilation::makeUnits() {
  policy = options.policy;
  bool forBoth = options.forBoth;
  carried = kernel::getPolicy(*model.module);
  if (kernel::hasPolicy(*model.module)) {
    if (!options.stated.fp)
      policy.fp = carried.fp;
    if (!options.stated.precision)
      policy.precision = carried.precision;
    if (!options.stated.targets) {
      policy.device = carried.device;
      policy.archs = carried.archs;
      policy.host = carried.host;
    }
    // Of a module that goes on for a CPU.
    if (!options.stated.precision && !policy.isForGpu() && !forBoth &&
        policy.precision == Precision::TF32)
      policy.precision = Precision::F32;
  }
  for (const Policy &unit : listUnits(policy, forBoth)) {
    units.push_back(getOptionsFor(unit, options, context));
    for (std::string *file :
         {&units.back().optimize.log, &units.back().optimize.report})
      *file = outputs.find(*file);
  }
}

LogicalResult Compilation::import() {
  ModelInputOptions input;
  input.path = options.input;
  input.binds = options.binds;
  input.verifyEach = options.verifyEach;
  input.weights = options.weights;
  input.isOwn = options.isOwn;
  if (!toStandardOutput()) {
    // In the folder of the result, so that it can be moved and need not be
    // copied.
    FailureOr<std::string> pending =
        outputs.add(besideOutput(".safetensors"), context);
    if (failed(pending))
      return failure();
    weights = input.paramsPath = *pending;
    input.paramsName = path::filename(besideOutput(".safetensors")).str();
  } else {
    input.paramsName = (path::stem(options.input) + ".safetensors").str();
  }
  FailureOr<ModelInput> read = readModel(input, sources, context);
  if (failed(read))
    return failure();
  model = std::move(*read);
  for (auto function : model.module->getOps<func::FuncOp>())
    if (!function.isExternal())
      counts.ops += function.getBody().front().getOperations().size() - 1;
  return checkFiles();
}

/// From here on, functions are pure: states are arguments and results.
LogicalResult Compilation::functionalize() {
  PassManager passes(model.module.get()->getName());
  passes.enableVerifier(options.verifyEach);
  passes.addPass(graph::createGraphFunctionalizeState());
  return passes.run(*model.module);
}

/// Before anything is rewritten. What is placed already brings its checks.
LogicalResult Compilation::extractChecks() {
  if (isPlaced())
    return success();
  for (func::FuncOp entry : graph::getEntries(*model.module)) {
    FailureOr<OwningOpRef<func::FuncOp>> found =
        graph::extractIndexChecks(entry);
    if (failed(found))
      return failure();
    if (*found)
      checks[entry.getName()] = std::move(*found);
  }
  return success();
}

LogicalResult Compilation::loadCosts() {
  FailureOr<Costs> loaded = tenon::loadCosts(getOptions().optimize, context);
  if (failed(loaded))
    return failure();
  costs = std::move(*loaded);
  return success();
}

PlacePipelineOptions Compilation::getPlaceOptions() const {
  PlacePipelineOptions place;
  place.costs = costs.place;
  place.plan = getOptions().plan;
  place.unadmitted = options.unadmitted;
  place.quiet = options.quietPlace;
  place.isPlaced = isPlaced();
  place.without = getOptions().without;
  place.pins = getOptions().pins;
  place.policy = getOptions().policy;
  place.hasPrecision = hasPrecision();
  return place;
}

bool Compilation::isPlaced() const {
  WalkResult result = model.module.get()->walk(
      [](kernel::CallOp) { return WalkResult::interrupt(); });
  return result.wasInterrupted();
}

LogicalResult Compilation::optimize() {
  if (!options.optimize.report.empty())
    page.emplace();
  // A plan is for the unchanged graph.
  if (options.optimize.engine == OptimizeEngine::Off || isPlaced()) {
    if (page)
      describeUnchanged(*model.module, getOptions(), getPlaceOptions(), costs,
                        *page);
    return setPrecision();
  }
  FailureOr<double> searchSeconds =
      runOptimizePhase(*model.module, getOptions(), getPlaceOptions(), costs,
                       page ? &*page : nullptr);
  if (failed(searchSeconds))
    return failure();
  times.addSearch(*searchSeconds);
  return success(succeeded(verify(*model.module)) && succeeded(setPrecision()));
}

/// Says of a module that its f32 tensors have the types of a precision.
static constexpr StringLiteral kPrecisionAttrName = "graph.precision";

bool Compilation::hasPrecision() const {
  auto stored = (*model.module)->getAttrOfType<StringAttr>(kPrecisionAttrName);
  return stored && stored.getValue() == getName(policy.precision);
}

/// After the rules, which are theorems of f32.
LogicalResult Compilation::setPrecision() {
  PlacePipelineOptions placeOptions = getPlaceOptions();
  if (!policy.storesHalf() || placeOptions.hasPrecision)
    return success();
  StringRef name = getName(policy.precision);
  if (Attribute other = (*model.module)->getAttr(kPrecisionAttrName))
    return error() << "precision " << name
                   << ": expected a model that is not stored in another "
                      "precision yet, but got "
                   << other;
  if (placeOptions.isPlaced)
    return error() << "precision " << name
                   << ": expected a model that is not placed yet, whose "
                      "kernels were chosen by their types";
  PassManager passes(model.module.get()->getName());
  passes.enableVerifier(options.verifyEach);
  buildPrecisionPipeline(passes, placeOptions);
  if (failed(passes.run(*model.module)) || failed(verify(*model.module)))
    return failure();
  (*model.module)->setAttr(kPrecisionAttrName, StringAttr::get(&context, name));
  return success();
}

/// Of several entries, each has some of the ops that pins name.
LogicalResult Compilation::checkPins() {
  SmallVector<func::FuncOp> entries = graph::getEntries(*model.module);
  if (entries.size() == 1)
    return success();
  for (const auto &[name, backend] : getOptions().pins) {
    WalkResult found = model.module->walk([&, name = name](Operation *op) {
      return !isa<ModuleOp, func::FuncOp>(op) && place::isNamedBy(op, name)
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
    if (!found.wasInterrupted())
      return error() << "pin '" << name << "=" << backend
                     << "' names no op of the model";
  }
  return success();
}

LogicalResult Compilation::place() {
  PlacePipelineOptions placeOptions = getPlaceOptions();
  if (failed(checkPins()))
    return failure();
  placeOptions.sharesPins = graph::getEntries(*model.module).size() > 1;
  placeOptions.explain = page || options.stopAfter == CompilePhase::Place;
  for (func::FuncOp entry : graph::getEntries(*model.module))
    if (auto found = checks.find(entry.getName()); found != checks.end())
      graph::addIndexChecks(entry, *found->second);
  PassManager passes(model.module.get()->getName());
  passes.enableVerifier(options.verifyEach);
  buildPlacePipeline(passes, placeOptions);
  if (failed(passes.run(*model.module)) || failed(verify(*model.module)) ||
      failed(checkPlaced(*model.module)))
    return failure();
  SmallVector<func::FuncOp> entries = graph::getEntries(*model.module);
  if (page)
    page->placement =
        describePlacement(entries.front(), *costs.place, getOptions().plan);
  if (!options.quietPlace && !getOptions().policy.isForGpu())
    for (func::FuncOp entry : entries)
      remarkMissing(entry, *costs.place);
  // What is compiled is the same, with a report or without.
  if (options.stopAfter != CompilePhase::Place)
    dropExplanations(*model.module);
  return success();
}

LogicalResult Compilation::emitArtifact() {
  emit::EmitOptions emitOptions;
  emitOptions.policy = policy;
  emitOptions.symbolPrefix = options.symbolPrefix;
  emitOptions.toolVersion = options.toolVersion;
  emitOptions.paramsSource = model.paramsPath;
  // Only what this run wrote itself: never the file of an .mlir model.
  emitOptions.ownsParamsSource =
      !weights.empty() && model.paramsPath == weights;
  emitOptions.threads = options.threads;
  emitOptions.finishedFiles = outputs.finish(besideOutput(".safetensors"));
  emitOptions.onPhase = [&](emit::EmitPhase phase) {
    switch (phase) {
    case emit::EmitPhase::Translate:
      return times.enter(Phase::Translate);
    case emit::EmitPhase::Codegen:
      return times.enter(Phase::Codegen);
    case emit::EmitPhase::Link:
      return times.enter(Phase::Link);
    case emit::EmitPhase::Weights:
      return times.enter(Phase::Weights);
    }
  };
  emit::EmitStatistics statistics;
  LogicalResult result =
      options.emit == EmitKind::Object
          ? emit::emitObjectFile(*programs, emitOptions, options.output,
                                 &statistics)
          : emit::emitSharedLibrary(*programs, emitOptions, options.output,
                                    &statistics);
  times.add(Phase::Translate, statistics.translateSeconds);
  times.add(Phase::Codegen, statistics.codegenSeconds);
  times.add(Phase::Link, statistics.linkSeconds);
  times.add(Phase::Weights, statistics.weightsSeconds);
  return result;
}

LogicalResult Compilation::run() {
  LogicalResult result = failure();
  if (succeeded(checkFiles()) && succeeded(prepareOutputs()))
    result = runPhases();
  progress.reset();
  if (options.timing)
    times.printRuns(llvm::errs());
  if (options.timeReport)
    times.printReport(llvm::errs(), counts);
  return result;
}

LogicalResult Compilation::runPhases() {
  if (failed(times.time(Phase::Import, [&] { return import(); })))
    return failure();
  makeUnits();
  if (isLowered(*model.module))
    return finishLowered();
  if (options.stopAfter >= CompilePhase::Optimize && failed(functionalize()))
    return failure();
  if (failed(extractChecks()))
    return failure();
  if (units.size() > 1)
    imported = model.module->clone();
  if (options.stopAfter >= CompilePhase::Optimize)
    kernel::setPolicy(*model.module, getOptions().policy);
  if (failed(loadCosts()))
    return failure();
  if (options.stopAfter >= CompilePhase::Optimize &&
      failed(times.time(Phase::Optimize, [&] { return optimize(); })))
    return failure();
  bool isWhole = options.stopAfter == CompilePhase::Emit;
  bool isGraph = options.stopAfter <= CompilePhase::Optimize ||
                 (isWhole && options.emit == EmitKind::Mlir);
  bool isOnnx = isWhole && options.emit == EmitKind::Onnx;
  if ((isGraph || isOnnx) && failed(writeReport()))
    return failure();
  if (isGraph)
    return finishModule(*model.module);
  if (isOnnx)
    return times.time(Phase::Export, [&] {
      OnnxExportOptions onnx;
      onnx.paramsPath = model.paramsPath;
      onnx.force = options.force;
      onnx.finishedFiles = outputs.finish(besideOutput(".safetensors"));
      return exportOnnx(*model.module, options.output, onnx);
    });
  if (failed(lowerForDevices()))
    return failure();
  if (options.stopAfter != CompilePhase::Emit)
    return finishModule(*model.module);
  return emitArtifact();
}

LogicalResult tenon::compile(const CompileOptions &options,
                             MLIRContext &context) {
  if (isPlanOutput(options))
    return compilePlan(options, context);
  return Compilation(options, context).run();
}
