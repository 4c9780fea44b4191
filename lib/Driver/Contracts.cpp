//===- Contracts.cpp - what holds between the stages ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelInput.h"
#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Dialect/Kernel/IR/Kernel.h"
#include "tenon/Dialect/Program/IR/Program.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace tenon;

/// The one function of a model.
static FailureOr<func::FuncOp> getMain(ModuleOp module) {
  func::FuncOp main;
  for (Operation &op : *module.getBody()) {
    auto function = dyn_cast<func::FuncOp>(op);
    if (!function)
      return op.emitOpError("does not belong in a model; expected one "
                            "func.func @main");
    if (main)
      return function.emitOpError("is a second function of the model; expected "
                                  "one func.func @main");
    main = function;
  }
  if (!main)
    return module.emitError("model has no function; expected func.func @main");
  if (main.getName() != "main")
    return main.emitError("expected the model's function to be @main, but got "
                          "@")
           << main.getName();
  if (main.isExternal() || !main.getBody().hasOneBlock())
    return main.emitError("expected @main to have one block");
  for (auto [what, types] : {std::pair("argument", main.getArgumentTypes()),
                             std::pair("result", main.getResultTypes())})
    for (Type type : types)
      if (!isa<RankedTensorType>(type))
        return main.emitError("expected each ")
               << what << " of @main to be a ranked tensor, but got " << type;
  return main;
}

/// Inputs and outputs are given by name: by `graph.name`, or without it by
/// number (arg0, result0), as the manifest writes it.
static LogicalResult checkNames(func::FuncOp main) {
  llvm::StringMap<unsigned> inputs, outputs;
  auto add = [&](llvm::StringMap<unsigned> &names, StringRef what,
                 StringAttr stated, StringRef prefix,
                 unsigned number) -> LogicalResult {
    std::string name = llvm::json::fixUTF8(
        stated ? stated.str() : (prefix + Twine(number)).str());
    auto [known, isNew] = names.try_emplace(name, number);
    if (isNew)
      return success();
    return main.emitError()
           << what << "s " << known->second << " and " << number
           << " are both named '" << name << "'; expected names that differ";
  };
  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    if (failed(add(inputs, "input",
                   main.getArgAttrOfType<StringAttr>(i, "graph.name"), "arg",
                   i)))
      return failure();
  for (unsigned i = 0; i < main.getNumResults(); ++i)
    if (failed(add(outputs, "output",
                   main.getResultAttrOfType<StringAttr>(i, "graph.name"),
                   "result", i)))
      return failure();
  WalkResult walked = main.walk([&](graph::ParameterOp op) {
    auto known = inputs.find(llvm::json::fixUTF8(op.getName()));
    if (known == inputs.end())
      return WalkResult::advance();
    op.emitError() << "a parameter and input " << known->second
                   << " are both named '" << op.getName()
                   << "'; expected names that differ";
    return WalkResult::interrupt();
  });
  return failure(walked.wasInterrupted());
}

bool tenon::isLowered(ModuleOp module) {
  return !module.getOps<program::TargetOp>().empty();
}

LogicalResult tenon::checkGraph(ModuleOp module) {
  FailureOr<func::FuncOp> main = getMain(module);
  if (failed(main) || failed(checkNames(*main)))
    return failure();
  // All at once: a person wants to know what is missing, not what is first.
  bool valid = true;
  for (Operation &op : main->getBody().front()) {
    // Calls are there where somebody goes on from a placed module.
    if (isa<func::ReturnOp, kernel::CallOp>(op) ||
        isa_and_nonnull<graph::GraphDialect>(op.getDialect()))
      continue;
    op.emitError("expected only graph ops in a model, but got '")
        << op.getName() << "'";
    valid = false;
  }
  return success(valid);
}

LogicalResult tenon::checkPlaced(ModuleOp module) {
  FailureOr<func::FuncOp> main = getMain(module);
  if (failed(main))
    return failure();
  for (Operation &op : main->getBody().front())
    if (!isa<func::ReturnOp, kernel::CallOp, graph::ConstantOp,
             graph::ParameterOp, graph::ReshapeOp>(op))
      return op.emitError("'") << op.getName() << "' was given to no backend";
  return success();
}
