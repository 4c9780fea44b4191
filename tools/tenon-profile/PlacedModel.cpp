//===- PlacedModel.cpp - the kernels of a model, as they are placed -------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlacedModel.h"

#include "tenon/Support/ParseModule.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tenon;

double PlacedModel::sumOfCosts() const {
  double sum = 0;
  for (const KernelSite &site : sites)
    sum += site.cost.seconds;
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

bool optimizeModel(const CompileOptions &options, const Workspace &workspace,
                   MLIRContext &context) {
  CompileOptions phase = options;
  phase.output = workspace.path("model.mlirbc");
  phase.isForOwnUse = true;
  phase.stopAfter = CompilePhase::Optimize;
  return succeeded(compile(phase, context));
}

std::optional<PlacedModel>
placeModel(const CompileOptions &options, const std::string &plan,
           const std::string &costsFile, const cost::CostModel &costs,
           const cost::Sizes &sizes, const Workspace &workspace,
           MLIRContext &context) {
  CompileOptions phase = options;
  phase.input = workspace.path("model.mlirbc");
  phase.isOwn = phase.isForOwnUse = true;
  // The graph is optimized, and its dimensions are bound, already.
  phase.binds.clear();
  phase.optimize.engine = OptimizeEngine::Off;
  phase.optimize.costs = costsFile;
  phase.plan = plan;
  // They were told of when they were judged.
  phase.quietPlace = true;
  phase.output = workspace.path("placed.mlirbc");
  phase.stopAfter = CompilePhase::Place;
  if (failed(compile(phase, context)))
    return std::nullopt;
  OwningOpRef<ModuleOp> module = parseModuleFile(phase.output, &context);
  if (!module)
    return std::nullopt;

  PlacedModel model;
  model.path = options.input;
  unsigned number = 0;
  module->walk([&](kernel::CallOp call) {
    unsigned position = number++;
    // It runs at load.
    if (costs.isFree(call))
      return;
    model.sites.push_back(
        {cost::getKernelKey(call, sizes), cost::getKernelName(call),
         call.getBackend().str(), call.getPattern().str(), position,
         costs.estimate(call), costs.estimateRoofline(call).seconds});
  });
  if (auto main = module->lookupSymbol<func::FuncOp>("main")) {
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

static std::string getSiteName(unsigned number) {
  return "site " + std::to_string(number);
}

/// Names steps as lowering does: by location and pattern.
std::string getStepName(const KernelSite &site) {
  return getSiteName(site.number) + " (" + site.pattern + ")";
}

bool nameSteps(const Workspace &workspace, MLIRContext &context) {
  std::string path = workspace.path("placed.mlirbc");
  OwningOpRef<ModuleOp> module = parseModuleFile(path, &context);
  if (!module)
    return false;
  unsigned number = 0;
  module->walk([&](kernel::CallOp call) {
    call->setLoc(
        NameLoc::get(StringAttr::get(&context, getSiteName(number++))));
  });
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  return !code && succeeded(writeBytecodeToFile(*module, os)) &&
         !os.has_error();
}

bool compileModel(const CompileOptions &options, const PlacedModel &model,
                  const Workspace &workspace, MLIRContext &context) {
  CompileOptions phase = options;
  phase.input = workspace.path("placed.mlirbc");
  phase.isOwn = phase.isForOwnUse = true;
  phase.output = workspace.path(model.artifact + ".so");
  phase.binds.clear();
  phase.optimize = {};
  return succeeded(compile(phase, context));
}
