//===- PlacedModel.cpp - the kernels of a model, as they are placed -------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlacedModel.h"
#include "tenon/Cost/KernelClass.h"
#include "tenon/Dialect/Graph/Analysis/Views.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace tenon;

double PlacedModel::sumOfCosts() const {
  double sum = 0;
  for (const PlacedCall &call : calls)
    sum += call.cost.seconds;
  return sum;
}

static std::string findSymbol(func::FuncOp function) {
  std::string found;
  for (Type type : function.getArgumentTypes())
    for (const graph::SymInt &size : graph::getShape(type))
      if (found.empty() && !size.isConstant())
        found = size.str();
  return found;
}

std::optional<OptimizedModel> optimizeModel(const CompileOptions &options,
                                            const Workspace &workspace,
                                            MLIRContext &context) {
  CompileOptions phase = options;
  phase.stopAfter = CompilePhase::Optimize;
  OptimizedModel optimized;
  FailureOr<OwningOpRef<ModuleOp>> read = readModule(
      phase, workspace.path("model.safetensors"), optimized.params, context);
  if (failed(read))
    return std::nullopt;
  optimized.stated = kernel::findTarget(**read);
  FailureOr<CompiledModule> compiled = compileModule(std::move(*read), phase);
  if (failed(compiled))
    return std::nullopt;
  optimized.module = std::move(compiled->module);
  return optimized;
}

std::optional<PlacedModel>
placeModel(const OptimizedModel &optimized, const CompileOptions &options,
           const std::string &plan, const std::string &costsFile,
           const cost::CostModel &costs, const cost::Sizes &sizes) {
  CompileOptions phase = options;
  // Each model was checked when it was optimized.
  phase.given.clear();
  // The graph is optimized already.
  phase.optimizes = false;
  phase.costs = costsFile;
  phase.place.plan = plan;
  // They were told of when they were judged.
  phase.quietPlace = true;
  phase.stopAfter = CompilePhase::Place;
  FailureOr<CompiledModule> compiled = compileModule(
      OwningOpRef<ModuleOp>(optimized.module.get().clone()), phase);
  if (failed(compiled))
    return std::nullopt;

  PlacedModel model;
  model.module = std::move(compiled->module);
  model.path = options.input;
  unsigned number = 0;
  model.module->walk([&](kernel::CallOp call) {
    unsigned position = number++;
    // It runs at load.
    if (costs.isFree(call))
      return;
    model.calls.push_back(
        {cost::getKernelKey(call, sizes), cost::getKernelName(call),
         call.getBackend().str(), call.getPattern().str(), position,
         costs.estimate(call), costs.estimateRoofline(call).seconds,
         cost::getKernelClass(call), costs.getWork(call),
         llvm::any_of(call.getInputs(), [](Value input) {
           return isa<BlockArgument>(graph::getStorage(input));
         })});
  });
  if (auto main = model.module->lookupSymbol<func::FuncOp>("main")) {
    model.unboundSymbol = findSymbol(main);
    auto getText = [&](StringRef name) {
      auto text = main->getAttrOfType<StringAttr>(name);
      return text ? text.str() : std::string();
    };
    model.graph = getText("place.graph");
    model.kernels = getText("place.kernels");
  }
  return model;
}

static std::string getCallName(unsigned number) {
  return "call " + std::to_string(number);
}

/// Names steps as lowering does: by location and pattern.
std::string getStepName(const PlacedCall &call) {
  return getCallName(call.number) + " (" + call.pattern + ")";
}

void nameSteps(PlacedModel &model) {
  unsigned number = 0;
  model.module->walk([&](kernel::CallOp call) {
    call->setLoc(NameLoc::get(
        StringAttr::get(call.getContext(), getCallName(number++))));
  });
}

bool compileModel(const CompileOptions &options,
                  const OptimizedModel &optimized, PlacedModel &model,
                  const Workspace &workspace) {
  CompileOptions phase = options;
  phase.given.clear();
  phase.optimizes = false;
  // The plan is there, and so are its costs.
  phase.profile.clear();
  phase.costs.clear();
  phase.calibration.clear();
  FailureOr<CompiledModule> compiled =
      compileModule(std::move(model.module), phase);
  return succeeded(compiled) &&
         succeeded(emitModule(*compiled, phase, optimized.params,
                              workspace.path(model.artifact + ".so")));
}
