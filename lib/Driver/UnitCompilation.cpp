//===- UnitCompilation.cpp - the phases of one program --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnitCompilation.h"
#include "ModelInput.h"
#include "OptimizePhase.h"
#include "PlacementReport.h"
#include "tenon/Dialect/Graph/Transforms/Entries.h"
#include "tenon/Dialect/Kernel/IR/Kernel.h"
#include "tenon/Dialect/Program/IR/Program.h"
#include "tenon/Emit/GpuImages.h"
#include "tenon/Lower/Lower.h"
#include "tenon/Lower/Passes.h"
#include "tenon/Place/Passes.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace tenon;

//===----------------------------------------------------------------------===//
// The table of phases
//===----------------------------------------------------------------------===//

/// What a phase leaves is what the next one needs.
struct UnitCompilation::PhaseEntry {
  CompilePhase phase;
  /// Under which it is timed; none: what runs is timed by itself.
  std::optional<Phase> timed;
  LogicalResult (*needs)(ModuleOp);
  LogicalResult (UnitCompilation::*run)();
};

ArrayRef<UnitCompilation::PhaseEntry> UnitCompilation::getPhases() {
  static const PhaseEntry phases[] = {
      {CompilePhase::Optimize, Phase::Optimize, checkGraph,
       &UnitCompilation::optimize},
      {CompilePhase::Place, Phase::Place, checkGraph, &UnitCompilation::place},
      {CompilePhase::Lower, Phase::Lower, checkPlaced, &UnitCompilation::lower},
      {CompilePhase::Emit, std::nullopt, checkLowered,
       &UnitCompilation::assemble},
  };
  return phases;
}

CompilePhase tenon::getLastPhase(const CompileOptions &options) {
  bool isGraph =
      options.emit == EmitKind::Mlir || options.emit == EmitKind::Onnx;
  return options.stopAfter == CompilePhase::Emit && isGraph
             ? CompilePhase::Optimize
             : options.stopAfter;
}

LogicalResult UnitCompilation::run() {
  CompilePhase last = getLastPhase(options);
  bool lowered = isLowered(*module);
  if (!lowered && failed(loadCosts()))
    return failure();
  for (const PhaseEntry &entry : getPhases()) {
    if (lowered && entry.phase <= CompilePhase::Lower)
      continue;
    if (failed(entry.needs(*module)))
      return failure();
    if (entry.phase > last)
      break;
    LogicalResult result =
        entry.timed
            ? times.time(*entry.timed, [&] { return (this->*entry.run)(); })
            : (this->*entry.run)();
    if (failed(result) || failed(verify(*module)))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// What they share
//===----------------------------------------------------------------------===//

LogicalResult UnitCompilation::loadCosts() {
  FailureOr<Costs> loaded = tenon::loadCosts(options.optimize, target, devices,
                                             *module->getContext());
  if (failed(loaded))
    return failure();
  costs = std::move(*loaded);
  return success();
}

LogicalResult UnitCompilation::runPasses(PassManager &passes) {
  passes.enableVerifier(options.verifyEach);
  if (prover)
    proveRewrites(passes, *prover);
  return passes.run(*module);
}

PlacePipelineOptions UnitCompilation::getPlaceOptions() const {
  PlacePipelineOptions place(target);
  place.costs = costs.model;
  place.plan = options.plan;
  place.unadmitted = options.unadmitted;
  place.quiet = options.quietPlace;
  place.isPlaced = isPlaced(*module);
  place.without = options.without;
  place.pins = options.pins;
  place.hasPrecision = hasPrecision();
  return place;
}

//===----------------------------------------------------------------------===//
// Optimize
//===----------------------------------------------------------------------===//

LogicalResult UnitCompilation::optimize() {
  if (!options.optimize.report.empty())
    page.emplace();
  // A placed graph must not change any more.
  if (!options.optimize.isOn || isPlaced(*module)) {
    if (page)
      describeUnchanged(*module, options, getPlaceOptions(), costs, *page);
    return setPrecision();
  }
  FailureOr<OptimizeOutcome> outcome =
      runOptimizePhase(*module, options, getPlaceOptions(), costs,
                       page ? &*page : nullptr, prover);
  if (failed(outcome))
    return failure();
  times.addSearch(outcome->ruleSeconds, outcome->searchSeconds);
  log = std::move(outcome->log);
  return success(succeeded(verify(*module)) && succeeded(setPrecision()));
}

/// Says of a module that its f32 tensors have the types of a precision.
static constexpr StringLiteral kPrecisionAttrName = "graph.precision";

bool UnitCompilation::hasPrecision() const {
  auto stored = (*module)->getAttrOfType<StringAttr>(kPrecisionAttrName);
  return stored && stored.getValue() == getName(target.getNumerics().precision);
}

/// After the rules, which are theorems of f32.
LogicalResult UnitCompilation::setPrecision() {
  PlacePipelineOptions placeOptions = getPlaceOptions();
  Attribute other = (*module)->getAttr(kPrecisionAttrName);
  bool isOther = other && options.target.precision;
  if (placeOptions.hasPrecision ||
      (!target.getNumerics().storesHalf() && !isOther))
    return success();
  StringRef name = getName(target.getNumerics().precision);
  if (other)
    return error() << "precision " << name
                   << ": expected a model that is not stored in another "
                      "precision yet, but got "
                   << other;
  if (placeOptions.isPlaced)
    return error() << "precision " << name
                   << ": expected a model that is not placed yet, whose "
                      "kernels were chosen by their types";
  PassManager passes(module.get()->getName());
  buildPrecisionPipeline(passes, placeOptions);
  if (failed(runPasses(passes)))
    return failure();
  (*module)->setAttr(kPrecisionAttrName,
                     StringAttr::get(module->getContext(), name));
  return success();
}

//===----------------------------------------------------------------------===//
// Place
//===----------------------------------------------------------------------===//

/// Of several entries, each has some of the ops that pins name.
LogicalResult UnitCompilation::checkPins() {
  SmallVector<func::FuncOp> entries = graph::getEntries(*module);
  if (entries.size() == 1)
    return success();
  for (const auto &[name, backend] : options.pins) {
    bool found = llvm::any_of(entries, [&, name = name](func::FuncOp entry) {
      return entry
          .walk([&](Operation *op) {
            return op != entry && place::isNamedBy(op, name)
                       ? WalkResult::interrupt()
                       : WalkResult::advance();
          })
          .wasInterrupted();
    });
    if (!found)
      return error() << "pin '" << name << "=" << backend
                     << "' names no op of the model";
  }
  return success();
}

LogicalResult UnitCompilation::place() {
  PlacePipelineOptions placeOptions = getPlaceOptions();
  if (failed(checkPins()))
    return failure();
  placeOptions.sharesPins = graph::getEntries(*module).size() > 1;
  placeOptions.explain = page || options.stopAfter == CompilePhase::Place;
  PassManager passes(module.get()->getName());
  buildPlacePipeline(passes, placeOptions);
  if (failed(runPasses(passes)))
    return failure();
  SmallVector<func::FuncOp> entries = graph::getEntries(*module);
  if (page)
    page->placement =
        describePlacement(entries.front(), *costs.model, options.plan);
  if (!options.quietPlace && !target.isForGpu())
    for (func::FuncOp entry : entries)
      remarkMissing(entry, *costs.model);
  // What is compiled is the same, with a report or without.
  if (options.stopAfter != CompilePhase::Place)
    dropExplanations(*module);
  return success();
}

//===----------------------------------------------------------------------===//
// Lower and assemble
//===----------------------------------------------------------------------===//

void tenon::appendTargets(OwningOpRef<ModuleOp> module, ModuleOp programs) {
  SmallVector<program::TargetOp> targets(module->getOps<program::TargetOp>());
  for (program::TargetOp target : targets) {
    target->remove();
    programs.push_back(target);
  }
}

FailureOr<OwningOpRef<ModuleOp>>
UnitCompilation::lowerFor(kernel::CpuAttr cpu) {
  lower::LowerOptions lowerOptions;
  lowerOptions.numerics = target.getNumerics();
  lowerOptions.device = target.getDevice();
  lowerOptions.vectorBits = cpu.getVectorBits();
  FailureOr<OwningOpRef<ModuleOp>> lowered =
      lower::lowerProgram(*module, lowerOptions);
  if (failed(lowered))
    return failure();
  PassManager passes(lowered->get()->getName());
  passes.enableVerifier(options.verifyEach);
  passes.addPass(lower::createProgramExpandSplats());
  passes.addPass(lower::createProgramPlanArena());
  if (failed(passes.run(**lowered)))
    return failure();
  return lowered;
}

LogicalResult UnitCompilation::lower() {
  FailureOr<OwningOpRef<ModuleOp>> lowered = lowerFor(target.getHost());
  if (failed(lowered))
    return failure();
  for (kernel::CpuAttr cpu : target.getCpus()) {
    if (cpu == target.getHost())
      continue;
    FailureOr<OwningOpRef<ModuleOp>> other = lowerFor(cpu);
    if (failed(other))
      return failure();
    for (auto program : other->get().getOps<program::TargetOp>())
      program.setHostAttr(cpu);
    appendTargets(std::move(*other), lowered->get());
  }
  lowered->get().setSymName(llvm::sys::path::stem(options.input));
  // The graph is not needed any more; the name of its weights is.
  if (Attribute params = (*module)->getAttr("graph.params"))
    lowered->get()->setAttr("graph.params", params);
  kernel::setTarget(**lowered, target);
  module = std::move(*lowered);
  return success();
}

static void countWork(program::TargetOp target, WorkCounts &counts) {
  llvm::StringSet<> kernels;
  target->walk([&](Operation *op) {
    if (auto launch = dyn_cast<program::LaunchOp>(op))
      kernels.insert(launch.getKernel().getLeafReference());
    counts.steps += isa<program::LaunchOp, program::CallOp, program::PluginOp,
                        program::CopyOp>(op);
    counts.buffers += op->getNumResults() == 1 &&
                      isa<program::BufferType>(op->getResult(0).getType());
  });
  counts.kernels += kernels.size();
}

/// Kernels for GPUs become what a driver loads.
LogicalResult UnitCompilation::assemble() {
  std::vector<std::string> archs;
  for (kernel::CudaAttr gpu : target.getGpus())
    archs.push_back(gpu.getArch().str());
  for (auto program : module->getOps<program::TargetOp>()) {
    // Programs for several CPUs do the same.
    if (!program.getHost())
      countWork(program, times.counts);
    if (program.getDevice() != Device::Cuda)
      continue;
    if (failed(times.time(Phase::Assemble, [&] {
          return emit::assembleKernels(program, archs);
        })))
      return failure();
    if (!options.dumpKernels.empty() &&
        failed(emit::dumpKernels(program,
                                 module->getSymName().value_or("model"),
                                 options.dumpKernels)))
      return failure();
  }
  return success();
}
