//===- Contracts.cpp - what holds between the phases ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Contracts.h"
#include "tenon/Dialect/Graph/Analysis/Views.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"
#include "tenon/Dialect/Graph/Transforms/Entries.h"
#include "tenon/Dialect/Graph/Transforms/IndexChecks.h"
#include "tenon/Dialect/Kernel/IR/Kernel.h"
#include "tenon/Dialect/Program/IR/Program.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace tenon;

/// An entry has one block, and takes and gives tensors.
static LogicalResult checkEntry(func::FuncOp entry) {
  if (!entry.isPublic())
    return entry.emitError("is private; expected functions of a model to be "
                           "its entries, which are public");
  // They would be taken for modules of the program (see program.target).
  if (entry.getName() == "kernels" || entry.getName() == "references")
    return entry.emitError("expected another name of an entry than '")
           << entry.getName() << "'";
  if (entry.isExternal() || !entry.getBody().hasOneBlock())
    return entry.emitError("expected @")
           << entry.getName() << " to have one block";
  for (auto [what, types] : {std::pair("argument", entry.getArgumentTypes()),
                             std::pair("result", entry.getResultTypes())})
    for (Type type : types)
      if (!isa<RankedTensorType>(type))
        return entry.emitError("expected each ")
               << what << " of @" << entry.getName()
               << " to be a ranked tensor, but got " << type;
  return success();
}

/// The functions of a model, which beside them holds states alone.
static FailureOr<SmallVector<func::FuncOp>> checkEntries(ModuleOp module) {
  ModuleOp checks = graph::getIndexChecks(module);
  for (Operation &op : *module.getBody()) {
    auto function = dyn_cast<func::FuncOp>(op);
    if (!function && !isa<graph::StateOp, program::RanksOp>(op) &&
        &op != checks)
      return op.emitOpError("does not belong in a model; expected functions "
                            "and states");
    if (function && failed(checkEntry(function)))
      return failure();
  }
  SmallVector<func::FuncOp> entries = graph::getEntries(module);
  if (entries.empty())
    return module.emitError(
        "model has no function; expected a public one, such as @main");
  return entries;
}

/// The functions that compute checked indices become a part of the entries.
static LogicalResult checkIndexChecks(ModuleOp checks) {
  for (Operation &op : *checks.getBody()) {
    auto function = dyn_cast<func::FuncOp>(op);
    if (!function)
      return op.emitOpError("does not belong among checks of indices; expected "
                            "functions");
    if (failed(checkEntry(function)))
      return failure();
    for (Operation &inner : function.getBody().front())
      if (!isa<func::ReturnOp>(inner) &&
          !isa_and_nonnull<graph::GraphDialect>(inner.getDialect()))
        return inner.emitOpError("does not belong among checks of indices; "
                                 "expected graph ops");
  }
  return success();
}

/// Inputs and outputs are given by name: by `graph.name`, or without it by
/// number (arg0, result0), as the manifest writes it.
static LogicalResult checkNames(func::FuncOp entry) {
  llvm::StringMap<unsigned> inputs, outputs;
  auto add = [&](llvm::StringMap<unsigned> &names, StringRef what,
                 StringAttr stated, StringRef prefix,
                 unsigned number) -> LogicalResult {
    std::string name = llvm::json::fixUTF8(
        stated ? stated.str() : (prefix + Twine(number)).str());
    auto [known, isNew] = names.try_emplace(name, number);
    if (isNew)
      return success();
    return entry.emitError()
           << what << "s " << known->second << " and " << number
           << " are both named '" << name << "'; expected names that differ";
  };
  for (unsigned i = 0; i < graph::countOwnArguments(entry); ++i)
    if (failed(add(inputs, "input",
                   entry.getArgAttrOfType<StringAttr>(i, "graph.name"), "arg",
                   i)))
      return failure();
  for (unsigned i = 0; i < graph::countOwnResults(entry); ++i)
    if (failed(add(outputs, "output",
                   entry.getResultAttrOfType<StringAttr>(i, "graph.name"),
                   "result", i)))
      return failure();
  WalkResult walked = entry.walk([&](graph::ParameterOp op) {
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

LogicalResult tenon::checkLowered(ModuleOp module) {
  for (Operation &op : *module.getBody())
    if (!isa<program::TargetOp>(op))
      return op.emitOpError("does not belong in a lowered model");
  return success();
}

LogicalResult tenon::checkGraph(ModuleOp module) {
  FailureOr<SmallVector<func::FuncOp>> entries = checkEntries(module);
  if (failed(entries))
    return failure();
  if (ModuleOp checks = graph::getIndexChecks(module);
      checks && failed(checkIndexChecks(checks)))
    return failure();
  // Report all errors at once, because the user wants to know everything that
  // is missing.
  bool valid = true;
  for (func::FuncOp entry : *entries) {
    if (failed(checkNames(entry)))
      return failure();
    for (Operation &op : entry.getBody().front()) {
      // A module that was placed before has calls.
      if (isa<func::ReturnOp, kernel::CallOp>(op) ||
          isa_and_nonnull<graph::GraphDialect>(op.getDialect()))
        continue;
      op.emitError("expected only graph ops in a model, but got '")
          << op.getName() << "'";
      valid = false;
    }
  }
  return success(valid);
}

bool tenon::isPlaced(ModuleOp module) {
  return module.walk([](kernel::CallOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// Whether an op is one of those that placement leaves outside of calls.
static bool isPastPlacement(Operation &op) {
  return isa<func::ReturnOp, kernel::CallOp, graph::ConstantOp,
             graph::ParameterOp>(op) ||
         graph::isView(&op);
}

bool tenon::isFullyPlaced(ModuleOp module) {
  return isPlaced(module) &&
         llvm::all_of(graph::getEntries(module), [](func::FuncOp entry) {
           return llvm::all_of(entry.getBody().front(), isPastPlacement);
         });
}

LogicalResult tenon::checkPlaced(ModuleOp module) {
  if (ModuleOp checks = graph::getIndexChecks(module))
    return checks.emitError("checks of indices are no part of the entries yet; "
                            "run --graph-add-index-checks first");
  FailureOr<SmallVector<func::FuncOp>> entries = checkEntries(module);
  if (failed(entries))
    return failure();
  for (func::FuncOp entry : *entries)
    for (Operation &op : entry.getBody().front())
      if (!isPastPlacement(op))
        return op.emitError("'") << op.getName() << "' was given to no backend";
  return success();
}
