//===- ApplyMatch.cpp - replacing matches by a rule's target --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Rule/Match/RuleMatch.h"

#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::rule;

/// Whether one of `operands` is computed from one of `results`: then the target
/// would have to precede its own operand.
static bool dependOnResults(ValueRange operands, ValueRange results) {
  llvm::SmallPtrSet<Operation *, 16> behind;
  SmallVector<Operation *> work;
  for (Value result : results)
    work.push_back(result.getDefiningOp());
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    if (!behind.insert(op).second)
      continue;
    for (Operation *user : op->getUsers())
      work.push_back(user);
  }
  return llvm::any_of(operands, [&](Value operand) {
    Operation *op = operand.getDefiningOp();
    return op && behind.contains(op);
  });
}

LogicalResult rule::applyMatch(RuleOp rule, const RuleMatch &match,
                               SmallVectorImpl<Operation *> *built) {
  if (dependOnResults(match.operands, match.results) ||
      !hasTargetSymbols(rule, match.symbols))
    return failure();
  Block *block = match.results.front().getDefiningOp()->getBlock();
  Operation *last = nullptr;
  for (Value operand : match.operands) {
    Operation *op = operand.getDefiningOp();
    if (op && op->getBlock() == block && (!last || last->isBeforeInBlock(op)))
      last = op;
  }
  OpBuilder builder(block->getParentOp()->getContext());
  if (last)
    builder.setInsertionPointAfter(last);
  else
    builder.setInsertionPointToStart(block);

  // Collect the locations of the source's ops.
  SmallVector<Location> locations;
  for (Operation *op : match.ops)
    locations.push_back(op->getLoc());
  Location loc = builder.getFusedLoc(locations);

  std::string reason;
  FailureOr<SmallVector<Value>> values =
      instantiate(builder, loc, rule.getTarget(), match.operands, match.symbols,
                  match.lifted, match.batch, reason);
  if (failed(values))
    return failure();
  SmallVector<Operation *> target;
  for (Operation *op = last ? last->getNextNode() : &block->front();
       op != &*builder.getInsertionPoint(); op = op->getNextNode())
    target.push_back(op);
  bool fits = llvm::all_of(llvm::zip(*values, match.results), [](auto both) {
    return graph::areCompatible(std::get<0>(both).getType(),
                                std::get<1>(both).getType());
  });
  if (!fits) {
    for (Operation *op : llvm::reverse(target))
      op->erase();
    return failure();
  }
  if (built)
    built->append(target.begin(), target.end());

  bool ordered = true;
  for (auto [value, result] : llvm::zip(*values, match.results)) {
    // The model's types may be more specific than the inferred ones. A yielded
    // operand keeps its type.
    if (value.getType() != result.getType() &&
        !llvm::is_contained(match.operands, value))
      value.setType(result.getType());
    for (Operation *user : result.getUsers())
      if (Operation *op = value.getDefiningOp())
        ordered &=
            op->getBlock() != user->getBlock() || op->isBeforeInBlock(user);
    Value replaced = result;
    replaced.replaceAllUsesWith(value);
  }
  // In the reverse order of the source, users come before their operands.
  for (Operation *op : llvm::reverse(match.ops))
    if (op->use_empty() && isMemoryEffectFree(op))
      op->erase();
  if (!ordered)
    sortTopologically(block);
  return success();
}
