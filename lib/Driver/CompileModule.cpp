//===- CompileModule.cpp - from a module in memory to programs ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Driver/CompileModule.h"
#include "LateOptions.h"
#include "ModelInput.h"
#include "UnitCompilation.h"
#include "tenon/Backend/Backend.h"
#include "tenon/Dialect/Kernel/IR/Kernel.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace tenon;

//===----------------------------------------------------------------------===//
// Units
//===----------------------------------------------------------------------===//

/// The options for one of the artifact's programs. If there are several, a pin
/// and a plan of one backend concern the program of that backend's device;
/// names of none are left in, to be refused.
static CompileOptions getOptionsFor(Device device,
                                    const CompileOptions &options,
                                    MLIRContext &context) {
  CompileOptions own = options;
  auto &registry = backend::BackendRegistry::get(&context);
  auto isOther = [&](StringRef name) {
    std::optional<Device> named = registry.getDevice(name);
    return named && *named != device;
  };
  llvm::erase_if(own.place.pins, [&](StringRef pin) {
    return isOther(pin.rsplit('=').second);
  });
  StringRef plan = own.place.plan;
  if (plan.consume_front("all:") && isOther(plan))
    own.place.plan = "mixed";
  return own;
}

//===----------------------------------------------------------------------===//
// The loop over units
//===----------------------------------------------------------------------===//

static std::string print(const report::OptimizeReport &page, StringRef file) {
  return llvm::sys::path::extension(file) == ".json"
             ? llvm::formatv("{0:2}\n", report::toJson(page)).str()
             : report::renderHtml(page);
}

static FailureOr<CompiledModule> compileUnits(OwningOpRef<ModuleOp> module,
                                              const CompileOptions &options,
                                              PhaseTimes *given,
                                              prove::RewriteProver *prover) {
  PhaseTimes unused(nullptr);
  PhaseTimes &times = given ? *given : unused;
  CompiledModule compiled;
  const CompilePhase last = getLastPhase(options);
  FailureOr<kernel::TargetAttr> target =
      kernel::completeTarget(*module, options.target);
  if (failed(target) || failed(checkLateOptions(*module, options, *target)))
    return failure();
  kernel::setTarget(*module, *target);
  SmallVector<kernel::TargetAttr, 4> units = target->getUnits();
  SmallVector<Device> devices;
  for (kernel::TargetAttr unit : units)
    devices.push_back(unit.getDevice());
  // Programs are there, for whichever devices; an imported module is for all.
  if (isLowered(*module) || last == CompilePhase::Import)
    units = {*target};
  if (units.size() > 1 && last == CompilePhase::Place)
    return module->emitError(
        "--stop-after=place: expected a model for CPUs or "
        "for GPUs, but it is for both; --target says which");
  if (units.size() > 1 && last != CompilePhase::Optimize &&
      (!options.log.empty() || !options.report.empty()))
    return module->emitError(
        "--log and --report: expected a model for CPUs or "
        "for GPUs, or --stop-after=optimize, but it is for "
        "both; --target says which");
  if (units.size() > 1 && last == CompilePhase::Optimize)
    emitRemark(module->getLoc())
        << "the graph for " << getName(units.front().getDevice())
        << " is written; that for " << getName(units.back().getDevice())
        << " is another one (--target=" << getName(units.back().getDevice())
        << ":... writes it)";
  // Before Lower, one graph is written: that of the default unit.
  if (last < CompilePhase::Lower)
    units.resize(1);
  for (auto [number, own] : llvm::enumerate(units)) {
    OwningOpRef<ModuleOp> copy = number + 1 < units.size()
                                     ? OwningOpRef<ModuleOp>(module->clone())
                                     : std::move(module);
    kernel::setTarget(*copy, own);
    CompileOptions unitOptions =
        devices.size() == 1
            ? options
            : getOptionsFor(own.getDevice(), options, *copy->getContext());
    UnitCompilation unit(*copy, unitOptions, devices, times, prover);
    if (failed(unit.run()))
      return failure();
    if (compiled.module) {
      compiled.module->getBody()->getOperations().splice(
          compiled.module->getBody()->end(), copy->getBody()->getOperations());
      continue;
    }
    compiled.module = std::move(copy);
    compiled.log = unit.getLog();
    if (unit.getPage())
      compiled.report = print(*unit.getPage(), options.report);
  }
  if (last >= CompilePhase::Lower)
    kernel::setTarget(*compiled.module, *target);
  return compiled;
}

FailureOr<CompiledModule> tenon::compileModule(OwningOpRef<ModuleOp> module,
                                               const CompileOptions &options,
                                               PhaseTimes *times) {
  if (!options.proveRewrites)
    return compileUnits(std::move(module), options, times, nullptr);
  SingleThread single(*module->getContext());
  prove::RewriteProver prover;
  FailureOr<CompiledModule> compiled =
      compileUnits(std::move(module), options, times, &prover);
  if (failed(compiled))
    return failure();
  const prove::RewriteReport &report = prover.getReport();
  report.emitOpen();
  if (options.rewritesReport.empty())
    report.print(llvm::errs());
  else
    compiled->rewrites = llvm::formatv("{0:2}\n", report.toJSON()).str();
  return report.isRefuted() ? FailureOr<CompiledModule>() : std::move(compiled);
}
