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

#include "mlir/Dialect/Func/IR/FuncOps.h"

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

LogicalResult tenon::checkGraph(ModuleOp module) {
  FailureOr<func::FuncOp> main = getMain(module);
  if (failed(main))
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
