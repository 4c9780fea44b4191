//===- RowKernel.cpp - kernels with a team of threads per row -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../RowWork.h"
#include "GpuParts.h"
#include "Lanes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "tenon/Dialect/Graph/Analysis/SizeEstimate.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

/// The number of threads of a block if its teams are warps.
static constexpr int64_t kThreads = 256;
/// The number of work items of a row up to which a warp computes it.
static constexpr int64_t kWarpWork = 1024;

namespace {
/// Computes the kernel loops of a plan row by row. A team, which is a warp or a
/// block, computes one row. Its threads divide the terms of a reduction to one
/// value, and the elements of every other kernel loop. Row-local results are in
/// shared memory, and single values are in registers of all threads.
class RowKernel {
public:
  RowKernel(const GpuKernelPlace &place, const LoopPlan &plan)
      : plan(plan), teamThreads(chooseTeam(plan)),
        kernel(place, plan, std::max(teamThreads, kThreads)) {}

  GpuKernel run();

private:
  static int64_t chooseTeam(const LoopPlan &plan);
  bool isSingle(unsigned number) const {
    return plan.innerSize(number).getConstant() == 1;
  }
  bool isRead(unsigned number) const;
  void allocateScratch();
  void emitRow(ExprEmitter &row);
  Value emitShared(ExprEmitter &row, const Expr &reduce);
  Value joinTeam(ExprEmitter &at, const Expr &reduce, Value value);
  void emitElements(ExprEmitter &row, unsigned number);
  void emitTeamBarrier() {
    teamThreads == kWarp ? kernel.emitWarpBarrier() : kernel.emitBarrier();
  }
  Expr position(unsigned number) const;

  const LoopPlan &plan;
  int64_t teamThreads;
  GpuKernelBuilder kernel;
  Value member, team; // member in the team; team in the block
};
} // namespace

int64_t RowKernel::chooseTeam(const LoopPlan &plan) {
  int64_t rows = 1, work = 1;
  for (const SymInt &size : plan.rowShape())
    rows *= estimateSize(size);
  for (auto [number, loop] : llvm::enumerate(plan.loops)) {
    int64_t items = estimateSize(plan.innerSize(number));
    if (loop.body.getKind() == ExprKind::Reduce && items == 1)
      for (const Expr &extent : ArrayRef<Expr>(loop.body->operands)
                                    .take_front(loop.body->vars.size()))
        items *=
            extent.getKind() == ExprKind::Size ? estimateSize(extent->size) : 1;
    work = std::max(work, items);
  }
  // If there are few rows, each gets more threads.
  if (work <= kWarpWork && (rows >= 1024 || work <= 128))
    return kWarp;
  return work <= 16384 ? kThreads : 1024;
}

bool RowKernel::isRead(unsigned number) const {
  bool found = false;
  for (const KernelLoop &loop :
       ArrayRef<KernelLoop>(plan.loops).drop_front(number + 1))
    walk(loop.body, [&](Expr node) {
      found |= node.getKind() == ExprKind::Load &&
               node->operand == plan.numInputs + number;
    });
  return found;
}

/// Allocates the shared memory of row-local kernel loops, for each team.
void RowKernel::allocateScratch() {
  for (auto [number, loop] : llvm::enumerate(plan.loops)) {
    if (loop.output >= 0 || isSingle(number))
      continue;
    int64_t bytes =
        *plan.innerSize(number).getConstant() * byteWidth(loop.elementType);
    bytes = (bytes + kWidestAccess - 1) / kWidestAccess * kWidestAccess;
    int64_t teams = kernel.blockThreads / teamThreads;
    Value base = kernel.allocateShared(bytes * teams);
    Value offset = arith::IndexCastOp::create(
        kernel.builder, kernel.loc, kernel.builder.getI64Type(),
        kernel.mul(team, kernel.constant(bytes)));
    kernel.context.pointers[plan.numInputs + number] = LLVM::GEPOp::create(
        kernel.builder, kernel.loc, base.getType(), kernel.builder.getI8Type(),
        base, ArrayRef<LLVM::GEPArg>{offset});
  }
}

/// Returns the position of a kernel loop's element in its storage.
Expr RowKernel::position(unsigned number) const {
  const KernelLoop &loop = plan.loops[number];
  return getPosition(loop.shape, loop.output >= 0 ? 0 : plan.numRowDims);
}

/// Combines the values of a team's threads; all threads get the result.
Value RowKernel::joinTeam(ExprEmitter &at, const Expr &reduce, Value value) {
  auto join = [&](Value a, Value b) {
    return at.combine(reduce->reduce, reduce->type, a, b);
  };
  for (int64_t bits = kWarp / 2; bits > 0; bits /= 2)
    value = join(value, kernel.emitShuffleXor(value, bits));
  if (teamThreads == kWarp)
    return value;
  Type type = value.getType();
  int64_t warps = teamThreads / kWarp;
  Value partial = kernel.allocateShared(warps * byteWidth(type));
  Value lane = kernel.rem(member, kernel.constant(kWarp));
  Value isFirst =
      arith::CmpIOp::create(kernel.builder, kernel.loc,
                            arith::CmpIPredicate::eq, lane, kernel.constant(0));
  kernel.emitIf(isFirst, [&] {
    at.store(value, partial, kernel.div(member, kernel.constant(kWarp)), type);
  });
  emitTeamBarrier();
  Value joined;
  for (int64_t warp = 0; warp < warps; ++warp) {
    Value part = at.load(partial, kernel.constant(warp), type);
    joined = joined ? join(joined, part) : part;
  }
  return joined;
}

/// Emits a reduction to one value of the row, whose terms the team divides.
Value RowKernel::emitShared(ExprEmitter &row, const Expr &reduce) {
  size_t depth = reduce->vars.size();
  const Expr &guard = reduce->operands[depth];
  const Expr &body = reduce->operands[depth + 1];
  Value neutral =
      emitNeutral(kernel.builder, kernel.loc, reduce->reduce, reduce->type);
  if (depth == 0)
    return row.emitGuarded(guard, body, neutral);
  unsigned last = reduce->vars.back();
  const SymInt &lastExtent = reduce->operands[depth - 1]->size;
  LoopPlan terms = plan;
  terms.loops.assign(1, KernelLoop{{}, reduce->type, body});
  int64_t lanes = countLanes(terms, {last});
  while (lanes > 1 && (guard.getKind() != ExprKind::True ||
                       getDivisor(lastExtent) % lanes != 0))
    lanes /= 2;
  SymInt groups = lastExtent.floorDiv(lanes);
  for (const Expr &extent :
       ArrayRef<Expr>(reduce->operands).take_front(depth - 1))
    groups = groups * extent->size;
  SmallVector<Value> sums = kernel.emitFor(
      member, row.emitSize(groups), kernel.constant(teamThreads),
      SmallVector<Value>(lanes, neutral), [&](Value number, ValueRange sums) {
        ExprEmitter at = row.nested();
        Value rest = number, first;
        for (size_t i = depth; i-- > 0;) {
          Value size = at.emitSize(i + 1 == depth ? lastExtent.floorDiv(lanes)
                                                  : reduce->operands[i]->size);
          Value index = i == 0 ? rest : kernel.rem(rest, size);
          if (i + 1 == depth)
            first = kernel.mul(index, kernel.constant(lanes));
          else
            at.setVar(reduce->vars[i], index);
          if (i > 0)
            rest = kernel.div(rest, size);
        }
        SmallVector<Value> values;
        if (guard.getKind() == ExprKind::True) {
          values = LaneEmitter(kernel, at, {last, lanes}, first).emit(body);
        } else {
          at.setVar(last, first);
          values.push_back(at.emitGuarded(guard, body, neutral));
        }
        for (auto [value, sum] : llvm::zip(values, sums))
          value = at.combine(reduce->reduce, reduce->type, sum, value);
        return values;
      });
  Value sum = sums[0];
  for (Value other : ArrayRef<Value>(sums).drop_front())
    sum = row.combine(reduce->reduce, reduce->type, sum, other);
  return joinTeam(row, reduce, sum);
}

/// Emits the elements of a kernel loop, which the threads of the team divide.
void RowKernel::emitElements(ExprEmitter &row, unsigned number) {
  const KernelLoop &loop = plan.loops[number];
  unsigned rank = loop.shape.size(), var = rank - 1;
  LoopPlan alone = plan;
  alone.loops.assign(1, loop);
  int64_t lanes = loop.inPlaceOf >= 0 ? 1 : countLanes(alone, {var});
  while (lanes > 1 && getDivisor(loop.shape.back()) % lanes != 0)
    lanes /= 2;
  SymInt last = loop.shape.back().floorDiv(lanes), groups = last;
  for (unsigned axis = plan.numRowDims; axis + 1 < rank; ++axis)
    groups = groups * loop.shape[axis];
  kernel.emitFor(
      member, row.emitSize(groups), kernel.constant(teamThreads), {},
      [&](Value item, ValueRange) {
        ExprEmitter at = row.nested();
        Value rest = item, first;
        for (unsigned axis = rank; axis-- > plan.numRowDims;) {
          Value size = at.emitSize(axis == var ? last : loop.shape[axis]);
          Value index = axis == plan.numRowDims ? rest : kernel.rem(rest, size);
          if (axis == var)
            first = kernel.mul(index, kernel.constant(lanes));
          else
            at.setVar(axis, index);
          if (axis > plan.numRowDims)
            rest = kernel.div(rest, size);
        }
        LaneEmitter group(kernel, at, {var, lanes}, first);
        group.store(group.emit(loop.body),
                    kernel.context.pointers[plan.numInputs + number],
                    position(number), loop.elementType);
        return SmallVector<Value>();
      });
  if (isRead(number))
    emitTeamBarrier();
}

void RowKernel::emitRow(ExprEmitter &row) {
  for (auto [number, loop] : llvm::enumerate(plan.loops)) {
    if (!isSingle(number)) {
      // Wait until all threads have read the elements that are overwritten.
      if (loop.inPlaceOf >= 0 && number > 0)
        emitTeamBarrier();
      emitElements(row, number);
      continue;
    }
    // The inner axes have one element.
    for (unsigned axis = plan.numRowDims; axis < loop.shape.size(); ++axis)
      row.setVar(axis, kernel.constant(0));
    Value value = loop.body.getKind() == ExprKind::Reduce
                      ? emitShared(row, loop.body)
                      : row.nested().emitElement(loop.body);
    // All threads have read the old value, here or before.
    if (loop.inPlaceOf >= 0)
      emitTeamBarrier();
    if (loop.output >= 0) {
      Value isFirst = arith::CmpIOp::create(kernel.builder, kernel.loc,
                                            arith::CmpIPredicate::eq, member,
                                            kernel.constant(0));
      ExprEmitter at = row.nested();
      Value offset = at.emitIndex(position(number));
      kernel.emitIf(isFirst, [&, number = number] {
        at.store(value, kernel.context.pointers[plan.numInputs + number],
                 offset, plan.loops[number].elementType);
      });
    }
    for (const KernelLoop &reader :
         ArrayRef<KernelLoop>(plan.loops).drop_front(number + 1))
      walk(reader.body, [&, number = number](Expr node) {
        if (node.getKind() == ExprKind::Load &&
            node->operand == plan.numInputs + number)
          row.setValue(node, value);
      });
  }
}

GpuKernel RowKernel::run() {
  int64_t teams = kernel.blockThreads / teamThreads;
  Value width = kernel.constant(teamThreads);
  member = teams == 1 ? kernel.thread : kernel.rem(kernel.thread, width);
  team = kernel.div(kernel.thread, width);
  allocateScratch();
  SymInt rows = 1;
  for (const SymInt &size : plan.rowShape())
    rows = rows * size;
  ExprEmitter sizes(kernel.builder, kernel.loc, kernel.context);
  Value number =
      kernel.add(kernel.mul(kernel.block, kernel.constant(teams)), team);
  auto body = [&] {
    ExprEmitter row = sizes.nested();
    Value rest = number;
    for (unsigned axis = plan.numRowDims; axis-- > 1;) {
      Value size = row.emitSize(plan.rowShape()[axis]);
      row.setVar(axis, kernel.rem(rest, size));
      rest = kernel.div(rest, size);
    }
    if (plan.numRowDims > 0)
      row.setVar(0, rest);
    emitRow(row);
  };
  if (teams == 1 || rows.mod(teams) == SymInt(0))
    body();
  else
    kernel.emitIf(kernel.less(number, sizes.emitSize(rows)), body);
  return kernel.finish(rows.ceilDiv(teams));
}

GpuKernel tenon::lower::buildRowKernel(const GpuKernelPlace &place,
                                       const LoopPlan &plan) {
  return RowKernel(place, plan).run();
}
