//===- Shrink.cpp - smaller graphs that still fail ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shrink.h"

#include "tenon/Dialect/Graph/IR/Graph.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tenon;

static func::FuncOp mainOf(ModuleOp module) {
  return module.lookupSymbol<func::FuncOp>("main");
}

/// Removes ops and arguments that nothing uses. What is left keeps its name, on
/// which its random values depend.
static void tidy(func::FuncOp function) {
  Block &body = function.getBody().front();
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (!op.hasTrait<OpTrait::IsTerminator>() && op.use_empty())
      op.erase();
  for (unsigned number = body.getNumArguments(); number-- > 0;)
    if (body.getArgument(number).use_empty())
      (void)function.eraseArgument(number);
}

/// Drops a result of the function.
static void eraseResult(func::FuncOp function, unsigned number) {
  function.getBody().front().getTerminator()->eraseOperand(number);
  (void)function.eraseResult(number);
}

/// A name for one more argument.
static std::string newName(func::FuncOp function) {
  unsigned largest = 0;
  for (unsigned number = 0; number < function.getNumArguments(); ++number) {
    unsigned used;
    StringRef name =
        function.getArgAttrOfType<StringAttr>(number, "graph.name");
    if (!name.drop_front().getAsInteger(10, used))
      largest = std::max(largest, used);
  }
  return "x" + std::to_string(largest + 1);
}

/// Sizes that inputs can have: constants and plain symbols.
static bool canBeInput(Type type) {
  return llvm::all_of(graph::getShape(type), [](const graph::SymInt &size) {
    return size.isConstant() || size.getSymbol();
  });
}

/// Makes the results of the op number `position` inputs; false when they can't
/// be.
static bool cutAt(func::FuncOp function, unsigned position) {
  Block &body = function.getBody().front();
  Operation *op = &*std::next(body.begin(), position);
  if (op->hasTrait<OpTrait::IsTerminator>() || op->getNumOperands() == 0)
    return false;
  for (Value result : op->getResults())
    if (!canBeInput(result.getType()))
      return false;
  Builder builder(function.getContext());
  for (Value result : op->getResults()) {
    unsigned number = function.getNumArguments();
    (void)function.insertArgument(
        number, result.getType(),
        builder.getDictionaryAttr(builder.getNamedAttr(
            "graph.name", builder.getStringAttr(newName(function)))),
        op->getLoc());
    result.replaceAllUsesWith(body.getArgument(number));
  }
  // A result that is an input says nothing.
  Operation *terminator = body.getTerminator();
  for (unsigned number = terminator->getNumOperands(); number-- > 0;)
    if (isa<BlockArgument>(terminator->getOperand(number)))
      eraseResult(function, number);
  return terminator->getNumOperands() != 0;
}

OwningOpRef<ModuleOp>
tenon::fuzz::shrink(ModuleOp module, llvm::function_ref<bool(ModuleOp)> fails) {
  OwningOpRef<ModuleOp> best = module.clone();
  auto attempt = [&](llvm::function_ref<bool(func::FuncOp)> change) {
    OwningOpRef<ModuleOp> candidate = best->clone();
    if (!change(mainOf(*candidate)))
      return false;
    tidy(mainOf(*candidate));
    if (!fails(*candidate))
      return false;
    best = std::move(candidate);
    return true;
  };
  // One result is enough, mostly.
  unsigned results = mainOf(*best).getNumResults();
  for (unsigned kept = 0; kept < results && results > 1; ++kept)
    if (attempt([&](func::FuncOp function) {
          for (unsigned number = results; number-- > 0;)
            if (number != kept)
              eraseResult(function, number);
          return true;
        }))
      break;
  bool changed = true;
  while (changed) {
    changed = false;
    unsigned count = std::distance(mainOf(*best).getBody().front().begin(),
                                   mainOf(*best).getBody().front().end());
    // Late ops first: cutting there drops most.
    for (unsigned position = count; position-- > 0;) {
      if (position >= static_cast<unsigned>(
                          std::distance(mainOf(*best).getBody().front().begin(),
                                        mainOf(*best).getBody().front().end())))
        continue;
      changed |= attempt(
          [&](func::FuncOp function) { return cutAt(function, position); });
    }
  }
  return best;
}
