//===- CompilerPasses.cpp - passes that the named pipelines are made of ---===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Passes that run other passes choose them by the module's target.
//
//===----------------------------------------------------------------------===//

#include "Contracts.h"
#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Dialect/Graph/Transforms/Entries.h"
#include "tenon/Dialect/Program/IR/Program.h"
#include "tenon/Driver/Passes.h"
#include "tenon/Driver/Pipelines.h"
#include "tenon/Emit/GpuImages.h"
#include "tenon/Lower/Lower.h"
#include "tenon/Place/Passes.h"

#include "mlir/Pass/PassManager.h"

namespace tenon {
#define GEN_PASS_DEF_TENONCANONICALFORM
#define GEN_PASS_DEF_TENONSETPRECISION
#define GEN_PASS_DEF_TENONPREPARE
#define GEN_PASS_DEF_TENONLOWER
#define GEN_PASS_DEF_TENONASSEMBLE
#include "tenon/Driver/Passes.h.inc"
} // namespace tenon

using namespace mlir;
using namespace tenon;

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

/// Says of a module that its f32 tensors have the types of a precision.
static constexpr StringLiteral kPrecisionAttrName = "graph.precision";

/// The target of a module of one unit; null after a diagnostic.
static kernel::TargetAttr getUnit(ModuleOp module) {
  kernel::TargetAttr target = kernel::getTarget(module);
  if (target.getUnits().size() == 1)
    return target;
  module.emitError(
      "expected a module for CPUs or for GPUs, each of which has a "
      "graph of its own, but got both");
  return {};
}

static bool hasPrecision(ModuleOp module, Numerics numerics) {
  auto stored = module->getAttrOfType<StringAttr>(kPrecisionAttrName);
  return stored && stored.getValue() == getName(numerics.precision);
}

namespace {
struct TenonCanonicalFormPass
    : tenon::impl::TenonCanonicalFormBase<TenonCanonicalFormPass> {
  void runOnOperation() override {
    OpPassManager passes(ModuleOp::getOperationName());
    buildCanonicalPipeline(passes,
                           kernel::getTarget(getOperation()).getNumerics().fp);
    if (failed(runPipeline(passes, getOperation())))
      signalPassFailure();
  }
};

struct TenonSetPrecisionPass
    : tenon::impl::TenonSetPrecisionBase<TenonSetPrecisionPass> {
  void runOnOperation() override {
    if (failed(run(getOperation())))
      signalPassFailure();
  }

private:
  LogicalResult run(ModuleOp module) {
    kernel::TargetAttr target = kernel::getTarget(module);
    const Numerics numerics = target.getNumerics();
    StringRef name = tenon::getName(numerics.precision);
    Attribute stored = module->getAttr(kPrecisionAttrName);
    if (hasPrecision(module, numerics) || (!stored && !numerics.storesHalf()))
      return success();
    if (stored)
      return module.emitError()
             << "precision " << name
             << ": expected a model that is not stored in another precision "
                "yet, but got "
             << stored;
    if (isPlaced(module))
      return module.emitError()
             << "precision " << name
             << ": expected a model that is not placed yet, whose kernels were "
                "chosen by their types";
    OpPassManager passes(ModuleOp::getOperationName());
    buildPrecisionPipeline(passes, PlacePipelineOptions(target));
    if (failed(runPipeline(passes, module)))
      return failure();
    module->setAttr(kPrecisionAttrName,
                    StringAttr::get(module.getContext(), name));
    return success();
  }
};

struct TenonPreparePass : tenon::impl::TenonPrepareBase<TenonPreparePass> {
  using TenonPrepareBase::TenonPrepareBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    kernel::TargetAttr target = getUnit(module);
    if (!target || failed(checkPins(module)))
      return signalPassFailure();
    // A placed graph must not change any more.
    if (isPlaced(module))
      return;
    PlacePipelineOptions options(target);
    options.hasPrecision = hasPrecision(module, target.getNumerics());
    OpPassManager passes(ModuleOp::getOperationName());
    buildPreparePipeline(passes, options);
    if (failed(runPipeline(passes, module)))
      signalPassFailure();
  }

private:
  /// Each entry may lack ops that pins name, but not all of them. One entry is
  /// checked where it is placed, when decomposed ops are there.
  LogicalResult checkPins(ModuleOp module) {
    SmallVector<func::FuncOp> entries = graph::getEntries(module);
    if (entries.size() == 1)
      return success();
    for (StringRef pin : pins) {
      StringRef name = pin.rsplit('=').first;
      bool found = llvm::any_of(entries, [&](func::FuncOp entry) {
        return entry
            .walk([&](Operation *op) {
              return op != entry && place::isNamedBy(op, name)
                         ? WalkResult::interrupt()
                         : WalkResult::advance();
            })
            .wasInterrupted();
      });
      if (!found)
        return module.emitError()
               << "pin '" << pin << "' names no op of the model";
    }
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

struct TenonLowerPass : tenon::impl::TenonLowerBase<TenonLowerPass> {
  using TenonLowerBase::TenonLowerBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    TenonLowerBase::getDependentDialects(registry);
    lower::registerDialects(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    kernel::TargetAttr target = getUnit(module);
    if (!target || failed(checkPlaced(module)))
      return signalPassFailure();
    lower::LowerOptions options;
    options.numerics = target.getNumerics();
    options.device = target.getDevice();
    // Each CPU has code of its own.
    SmallVector<kernel::CpuAttr> cpus = {target.getHost()};
    if (!target.isForGpu())
      cpus.assign(target.getCpus());
    SmallVector<OwningOpRef<ModuleOp>> programs;
    for (kernel::CpuAttr cpu : cpus) {
      options.vectorBits = cpu.getVectorBits();
      FailureOr<OwningOpRef<ModuleOp>> lowered =
          lower::lowerProgram(module, options);
      if (failed(lowered))
        return signalPassFailure();
      if (cpu != target.getHost())
        for (auto program : lowered->get().getOps<program::TargetOp>())
          program.setHostAttr(cpu);
      programs.push_back(std::move(*lowered));
    }
    module.getBody()->clear();
    for (OwningOpRef<ModuleOp> &program : programs)
      module.getBody()->getOperations().splice(
          module.getBody()->end(), program->getBody()->getOperations());
    // The graph is not needed any more; the name of its weights is.
    for (NamedAttribute attribute :
         SmallVector<NamedAttribute>(module->getDiscardableAttrs()))
      if (!llvm::is_contained(
              {"graph.params", "graph.version", "kernel.target"},
              attribute.getName().strref()))
        module->removeDiscardableAttr(attribute.getName());
    graph::setVersion(module);
    kernel::setTarget(module, target);
    if (!name.empty())
      module.setSymName(name);
  }
};

struct TenonAssemblePass : tenon::impl::TenonAssembleBase<TenonAssemblePass> {
  using TenonAssembleBase::TenonAssembleBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    std::vector<std::string> archs;
    for (kernel::CudaAttr gpu : kernel::getTarget(module).getGpus())
      archs.push_back(gpu.getArch().str());
    for (auto program : module.getOps<program::TargetOp>()) {
      if (program.getDevice() != Device::Cuda)
        continue;
      if (failed(emit::assembleKernels(program, archs)) ||
          (!dump.empty() &&
           failed(emit::dumpKernels(
               program, module.getSymName().value_or("model"), dump))))
        return signalPassFailure();
    }
  }
};
} // namespace
