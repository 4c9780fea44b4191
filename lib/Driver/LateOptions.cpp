//===- LateOptions.cpp - options of phases that are done ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LateOptions.h"
#include "ModelInput.h"
#include "tenon/Backend/Backend.h"
#include "tenon/Dialect/Kernel/IR/Kernel.h"
#include "tenon/Dialect/Program/IR/Program.h"
#include "tenon/Place/Passes.h"

using namespace mlir;
using namespace tenon;

/// What a module has behind it.
enum class Past { Optimize, Place, Lower };

static std::optional<Past> findPast(ModuleOp module) {
  if (isLowered(module))
    return Past::Lower;
  if (isFullyPlaced(module))
    return Past::Place;
  // The rest of a plan that was written in part is placed; the graph stays.
  if (isPlaced(module))
    return Past::Optimize;
  return std::nullopt;
}

/// Options, and the first state of a module that has no use for them.
static constexpr std::pair<StringLiteral, Past> kLateOptions[] = {
#define TENON_LATE_OPTION(name, past) {name, past},
#define GEN_COMPILE_LATE
#include "tenon/Driver/CompileOptions.h.inc"
};

static StringRef describe(Past past) {
  return past == Past::Lower ? "lowered" : "placed";
}

/// Refuses options of phases that are behind a module.
static LogicalResult checkGiven(ModuleOp module, const CompileOptions &options,
                                Past past) {
  for (const auto &[name, late] : kLateOptions) {
    if (late > past || !options.given.count(name.str()))
      continue;
    // It asks for what happens.
    if (name == "--optimize" && !options.optimizes)
      continue;
    return module.emitError() << name << ": expected a model that is not "
                              << describe(late) << " yet";
  }
  return success();
}

/// Refuses pins of ops that are on another backend already.
static LogicalResult checkPins(ModuleOp module, const CompileOptions &options) {
  WalkResult result = module.walk([&](kernel::CallOp call) {
    return call.walk([&](Operation *op) {
      for (StringRef pin : options.place.pins)
        if (auto [name, backend] = pin.rsplit('=');
            op != call && backend != call.getBackend() &&
            place::isNamedBy(op, name)) {
          op->emitError() << "--pin: '" << pin
                          << "' names an op that is placed on "
                          << call.getBackend() << " already";
          return WalkResult::interrupt();
        }
      return WalkResult::advance();
    });
  });
  return failure(result.wasInterrupted());
}

/// Costs of a placed model are only shown.
static LogicalResult checkCosts(ModuleOp module, const CompileOptions &options,
                                Past past) {
  if (past != Past::Place || options.stopAfter == CompilePhase::Place ||
      !options.report.empty())
    return success();
  for (const char *name : {"--costs", "--profile"})
    if (options.given.count(name))
      return module.emitError()
             << name
             << ": expected a model that is not placed yet, or --report";
  return success();
}

/// Refuses another mode than the one that kernels were chosen for.
static LogicalResult checkMode(ModuleOp module, const CompileOptions &options,
                               Past past) {
  FpMode carried = kernel::getTarget(module).getNumerics().fp;
  if (!options.target.fp || *options.target.fp == carried)
    return success();
  return module.emitError()
         << "--fp: expected " << getName(carried)
         << ", which the kernels of this " << describe(past)
         << " model were chosen for, but got " << getName(*options.target.fp);
}

/// Refuses calls of backends whose device is another one. What is unknown has
/// an error of its own, at lowering.
static LogicalResult checkDevices(ModuleOp module, kernel::TargetAttr target) {
  auto &registry = backend::BackendRegistry::get(module.getContext());
  WalkResult result = module.walk([&](kernel::CallOp call) {
    std::optional<Device> device = registry.getDevice(call.getBackend());
    if (!device || *device == target.getDevice())
      return WalkResult::advance();
    call.emitOpError() << "is placed on the backend '" << call.getBackend()
                       << (target.isForGpu()
                               ? "', which has no code for GPUs"
                               : "', which has code only for GPUs");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

static std::string join(ArrayRef<kernel::CpuAttr> cpus) {
  return llvm::join(
      llvm::map_range(cpus,
                      [](kernel::CpuAttr cpu) { return cpu.getTargetName(); }),
      ",");
}

/// Refuses CPUs that a program has no code for. Code for one CPU may be written
/// for another, if it does not say itself which it is for.
static LogicalResult checkCpus(ModuleOp lowered, kernel::TargetAttr target) {
  SmallVector<kernel::CpuAttr, 4> stated = target.getCpus(), known;
  kernel::CpuAttr host = kernel::getTarget(lowered).getHost();
  bool isFree = true;
  for (auto program : lowered.getOps<program::TargetOp>())
    if (program.getDevice() == Device::Cpu) {
      known.push_back(program.getHost().value_or(host));
      isFree &= !program.getHost();
    }
  if ((isFree && stated.size() == 1 && known.size() <= 1) ||
      std::is_permutation(stated.begin(), stated.end(), known.begin(),
                          known.end()))
    return success();
  return lowered.emitError()
         << "--target: expected the CPUs of the lowered model, " << join(known)
         << ", but got " << join(stated);
}

/// Refuses what a program can't be compiled to any more.
static LogicalResult checkProgram(ModuleOp lowered,
                                  const CompileOptions &options,
                                  kernel::TargetAttr target) {
  if (options.emit == EmitKind::Onnx)
    return lowered.emitError()
           << "--emit=onnx: a program has no form in ONNX any more";
  Precision precision = target.getNumerics().precision;
  if (precision != kernel::getTarget(lowered).getNumerics().precision)
    return lowered.emitError() << "--precision=" << getName(precision)
                               << ": expected a model that is not lowered yet";
  llvm::SmallSetVector<Device, 2> given, wanted;
  for (kernel::TargetAttr unit : target.getUnits())
    wanted.insert(unit.getDevice());
  for (auto program : lowered.getOps<program::TargetOp>()) {
    given.insert(program.getDevice());
    if (!wanted.contains(program.getDevice()))
      return program.emitError()
             << "expected a target of the program's device, "
             << getName(program.getDevice());
  }
  for (Device device : wanted)
    if (!given.contains(device))
      return lowered.emitError()
             << "--target: expected targets of the program's device, "
             << getName(given.front()) << ", but got " << getName(device);
  if (!options.target.targets.empty() && wanted.contains(Device::Cpu))
    return checkCpus(lowered, target);
  return success();
}

LogicalResult tenon::checkLateOptions(ModuleOp module,
                                      const CompileOptions &options,
                                      kernel::TargetAttr target) {
  std::optional<Past> past = findPast(module);
  if (!past)
    return success();
  if (failed(checkGiven(module, options, *past)) ||
      failed(checkPins(module, options)) ||
      failed(checkCosts(module, options, *past)) ||
      failed(checkMode(module, options, *past)))
    return failure();
  if (*past == Past::Lower)
    return checkProgram(module, options, target);
  return target.getUnits().size() > 1 ? success()
                                      : checkDevices(module, target);
}
