//===- Recompute.cpp - parts of a forward pass that are computed twice ----===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recompute.h"
#include "ForwardGraph.h"

#include "tenon/Differentiate/RecomputePlan.h"
#include "tenon/Differentiate/Training.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/FormatVariadic.h"

#define DEBUG_TYPE "graph-recompute"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::differentiate;

std::string tenon::differentiate::checkRecompute(StringRef option) {
  int64_t bytes;
  if (option == "none" || option == "sqrt" ||
      (!option.getAsInteger(10, bytes) && bytes >= 0))
    return "";
  return llvm::formatv("recompute: expected none, sqrt or a number of bytes, "
                       "but got '{0}'",
                       option);
}

//===----------------------------------------------------------------------===//
// Copies of segments
//===----------------------------------------------------------------------===//

namespace {
/// Builds the second computation of segments.
class Copies {
public:
  Copies(const ForwardGraph &forward, const RecomputePlan &plan,
         ArrayRef<unsigned> places)
      : forward(forward) {
    for (const ForwardSegment &segment : plan.segments)
      if (segment.again)
        for (unsigned place : {segment.begin, segment.end})
          for (Value value : forward.getBoundary(places[place]))
            held.insert(value);
  }

  /// Copies the segment of the ops [begin, end) of the forward pass, after
  /// those of later segments.
  void build(unsigned begin, unsigned end);

  unsigned numOps = 0;
  double work = 0;

private:
  SmallVector<Operation *> findOps(unsigned begin, unsigned end,
                                   ArrayRef<Value> needed) const;
  Value findGate(Operation *before) const;

  const ForwardGraph &forward;
  /// What segments start with, which the backward pass can read.
  llvm::DenseSet<Value> held;
};
} // namespace

/// The ops of a segment that compute values from what is held, in order.
SmallVector<Operation *> Copies::findOps(unsigned begin, unsigned end,
                                         ArrayRef<Value> needed) const {
  llvm::DenseSet<Operation *> found;
  SmallVector<Value> work(needed);
  while (!work.empty()) {
    Value value = work.pop_back_val();
    Operation *op = value.getDefiningOp();
    std::optional<unsigned> number = forward.getNumber(op);
    if (!number || *number < begin || *number >= end || held.contains(value) ||
        !found.insert(op).second)
      continue;
    llvm::append_range(work, op->getOperands());
  }
  SmallVector<Operation *> ops;
  for (unsigned number = begin; number < end; ++number)
    if (Operation *op = forward.getOps()[number]; found.contains(op))
      ops.push_back(op);
  return ops;
}

/// A value of the backward pass that is computed before `before`, which should
/// need it: then no memory is kept for the order alone.
Value Copies::findGate(Operation *before) const {
  for (Value operand : before->getOperands())
    if (forward.isBackward(operand))
      return operand;
  for (Operation *op = before->getPrevNode(); op; op = op->getPrevNode())
    if (op->getNumResults() > 0 && forward.isBackward(op->getResult(0)))
      return op->getResult(0);
  return {};
}

void Copies::build(unsigned begin, unsigned end) {
  SmallVector<Value> needed;
  Operation *first = nullptr;
  for (unsigned number = begin; number < end; ++number)
    for (Value value : forward.getOps()[number]->getResults()) {
      if (held.contains(value) || isView(value.getDefiningOp()))
        continue;
      SmallVector<OpOperand *> uses = forward.getBackwardUses(value);
      if (uses.empty())
        continue;
      needed.push_back(value);
      for (OpOperand *use : uses)
        if (!first || use->getOwner()->isBeforeInBlock(first))
          first = use->getOwner();
    }
  Value gate = first ? findGate(first) : Value();
  // Without a gate, the backward pass begins here: nothing would be saved.
  if (!gate)
    return;
  OpBuilder builder(first);
  IRMapping mapping;
  for (Operation *op : findOps(begin, end, needed)) {
    for (Value operand : op->getOperands())
      if (!mapping.contains(operand) && forward.isDynamic(operand))
        mapping.map(operand, OptimizationBarrierOp::create(
                                 builder, op->getLoc(), operand, gate));
    builder.clone(*op, mapping);
    numOps += !isView(op);
    work += forward.getWork(op);
  }
  for (Value value : needed)
    for (OpOperand *use : forward.getBackwardUses(value))
      use->set(mapping.lookup(value));
  LDBG() << "computes ops " << begin << " to " << end - 1 << " again before "
         << first->getName() << " at " << first->getLoc();
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

static FailureOr<int64_t> findLimit(func::FuncOp function, StringRef option,
                                    ArrayRef<ForwardStep> steps,
                                    const ForwardGraph &forward) {
  int64_t least = findLeastBytes(steps), limit;
  if (option.getAsInteger(10, limit))
    return least; // sqrt
  if (!forward.hasKnownSizes())
    return function.emitError() << "recompute: expected sizes that are "
                                   "numbers, to compare them with "
                                << limit << " bytes";
  if (limit < least)
    return function.emitError()
           << "recompute: expected at least " << least
           << " bytes, which the backward pass needs with every op computed "
              "twice, but got "
           << limit;
  return limit;
}

static std::string formatBytes(int64_t bytes) {
  return llvm::formatv("{0:f1} MB", bytes / 1e6);
}

LogicalResult tenon::differentiate::recompute(func::FuncOp function,
                                              ArrayRef<Operation *> ops,
                                              StringRef option,
                                              unsigned &numOps) {
  llvm::DenseSet<Operation *> isForward(ops.begin(), ops.end());
  Operation *last = nullptr;
  for (Operation &op : function.front().without_terminator())
    if (isForward.contains(&op))
      last = &op;
  if (option == "none" || !last)
    return success();
  ForwardGraph forward(function.front(), last);
  SmallVector<unsigned> places = forward.findPlaces();
  std::vector<ForwardStep> steps = forward.getSteps(places);
  FailureOr<int64_t> limit = findLimit(function, option, steps, forward);
  if (failed(limit))
    return failure();
  std::optional<RecomputePlan> plan = planRecompute(steps, *limit);
  if (!plan)
    return function.emitError()
           << "recompute: no plan keeps at most " << *limit << " bytes";
  Copies copies(forward, *plan, places);
  for (const ForwardSegment &segment : llvm::reverse(plan->segments))
    if (segment.again)
      copies.build(places[segment.begin], places[segment.end]);
  numOps += copies.numOps;
  int64_t all = 0;
  for (const ForwardStep &step : steps)
    all += step.saved;
  double share =
      forward.getAllWork() > 0 ? copies.work / forward.getAllWork() : 0;
  emitRemark(function.getLoc())
      << "recompute: keeps " << formatBytes(plan->bytes) << " of "
      << formatBytes(all) << " for the backward pass, and computes "
      << copies.numOps << " of " << forward.getOps().size() << " ops twice, "
      << llvm::formatv("{0:f1}", 100 * share).str() << " % more work"
      << (plan->isExact ? "" : " (not the least)");
  return success();
}
