//===- CompileLower.cpp - from placed modules to programs -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compilation.h"
#include "tenon/Dialect/Kernel/IR/Kernel.h"
#include "tenon/Dialect/Program/IR/Program.h"
#include "tenon/Driver/GpuImages.h"
#include "tenon/Emit/Target.h"
#include "tenon/Lower/Passes.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tenon;
namespace path = llvm::sys::path;

LogicalResult Compilation::lower() {
  lower::LowerOptions lowerOptions;
  lowerOptions.policy = getOptions().policy;
  llvm::Expected<emit::Target> host =
      emit::parseTarget(lowerOptions.policy.host);
  if (!host)
    return error() << llvm::toString(host.takeError());
  lowerOptions.vectorBits = host->vectorBits;
  FailureOr<OwningOpRef<ModuleOp>> lowered =
      lower::lowerProgram(*model.module, lowerOptions);
  if (failed(lowered))
    return failure();
  PassManager passes(lowered->get()->getName());
  passes.enableVerifier(options.verifyEach);
  passes.addPass(lower::createProgramExpandSplats());
  passes.addPass(lower::createProgramPlanArena());
  if (failed(passes.run(**lowered)))
    return failure();
  lowered->get().setSymName(path::stem(options.input));
  // The graph is not needed any more; the name of its weights is.
  if (Attribute params = model.module->getOperation()->getAttr("graph.params"))
    lowered->get()->setAttr("graph.params", params);
  kernel::setPolicy(**lowered, lowerOptions.policy);
  model.module = std::move(*lowered);
  return verify(*model.module);
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

/// Puts the lowered module's target behind those that are there.
LogicalResult Compilation::keepProgram() {
  OwningOpRef<ModuleOp> module = std::move(model.module);
  SmallVector<program::TargetOp> targets;
  llvm::append_range(targets, module->getOps<program::TargetOp>());
  for (program::TargetOp target : targets) {
    countWork(target, counts);
    if (target.getDevice() != Device::Cuda)
      continue;
    if (failed(times.time(Phase::Assemble, [&] {
          return assembleKernels(target, policy.archs);
        })))
      return failure();
    if (!options.dumpKernels.empty() &&
        failed(dumpKernels(target, module->getSymName().value_or("model"),
                           options.dumpKernels)))
      return failure();
  }
  if (!programs) {
    programs = std::move(module);
    return success();
  }
  for (program::TargetOp target : targets) {
    target->remove();
    programs->push_back(target);
  }
  return success();
}

/// One program after the other: what follows the import depends on the device.
LogicalResult Compilation::lowerForDevices() {
  for (unit = 0; unit < units.size(); ++unit) {
    bool second = unit > 0;
    if (second) {
      model.module = std::move(imported);
      kernel::setPolicy(*model.module, getOptions().policy);
    }
    if (second && failed(loadCosts()))
      return failure();
    if (second &&
        failed(times.time(Phase::Optimize, [&] { return optimize(); })))
      return failure();
    if (failed(times.time(Phase::Place, [&] { return place(); })) ||
        failed(writeReport()))
      return failure();
    if (options.stopAfter == CompilePhase::Place)
      return success();
    if (failed(times.time(Phase::Lower, [&] { return lower(); })))
      return failure();
    if (options.stopAfter != CompilePhase::Lower && failed(keepProgram()))
      return failure();
  }
  return success();
}

/// From a module that Lower has made.
LogicalResult Compilation::finishLowered() {
  if (options.stopAfter != CompilePhase::Emit || options.emit == EmitKind::Mlir)
    return finishModule(*model.module);
  if (!options.optimize.report.empty() || !options.optimize.log.empty())
    return error() << "a lowered model has no choices left to report or log";
  if (options.emit == EmitKind::Onnx)
    return error() << "a program has no form in ONNX any more";
  if (policy.precision != carried.precision)
    return error() << "precision " << getName(policy.precision)
                   << ": expected a model that is not lowered yet";
  for (auto target : model.module->getOps<program::TargetOp>()) {
    if (llvm::none_of(units, [&](const CompileOptions &unit) {
          return unit.policy.device == target.getDevice();
        }))
      return target.emitError() << "expected a target of the program's device, "
                                << getName(target.getDevice());
  }
  if (failed(keepProgram()))
    return failure();
  return emitArtifact();
}
