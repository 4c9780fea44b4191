//===- PointKernel.cpp - kernels with a few elements per thread -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuParts.h"
#include "Lanes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

static constexpr int64_t kThreads = 256;

namespace {
/// All kernel loops have the same shape. A thread computes `lanes` neighbours
/// along the last axis through all kernel loops.
class PointKernel {
public:
  PointKernel(const GpuKernelPlace &place, const LoopPlan &plan)
      : plan(plan), shape(plan.loops.front().shape), rank(shape.size()),
        kernel(place, plan, kThreads) {}

  GpuKernel run();

private:
  int64_t chooseLanes() const;
  void emitGroup(ExprEmitter &at, Value first, int64_t lanes);
  void storeLoop(LaneEmitter &at, unsigned number, ArrayRef<Value> values);
  bool isKept(const KernelLoop &loop, const Expr &element) const;

  const LoopPlan &plan;
  const Shape &shape;
  unsigned rank;
  GpuKernelBuilder kernel;
};
} // namespace

int64_t PointKernel::chooseLanes() const {
  // With wide accesses, unchanged neighbours would be written, too.
  for (const KernelLoop &loop : plan.loops)
    if (loop.inPlaceOf >= 0)
      return 1;
  if (rank == 0)
    return 1;
  int64_t lanes = countLanes(plan, {rank - 1, 1, plan.numInputs});
  // If there is one axis, the elements after the last full group are computed
  // one by one.
  while (rank > 1 && lanes > 1 && getDivisor(shape.back()) % lanes != 0)
    lanes /= 2;
  return lanes;
}

/// Returns true if the element is already stored at its destination.
bool PointKernel::isKept(const KernelLoop &loop, const Expr &element) const {
  return loop.inPlaceOf >= 0 && element.getKind() == ExprKind::Load &&
         element->operand == static_cast<unsigned>(loop.inPlaceOf);
}

void PointKernel::storeLoop(LaneEmitter &at, unsigned number,
                            ArrayRef<Value> values) {
  const KernelLoop &loop = plan.loops[number];
  at.store(values, kernel.context.pointers[plan.numInputs + number],
           getPosition(shape), loop.elementType);
}

void PointKernel::emitGroup(ExprEmitter &at, Value first, int64_t lanes) {
  unsigned var = rank == 0 ? 0 : rank - 1;
  LaneEmitter group(kernel, at, {var, lanes, plan.numInputs}, first);
  for (auto [number, loop] : llvm::enumerate(plan.loops)) {
    const Expr &body = loop.body;
    bool keepsThen =
        body.getKind() == ExprKind::Select && isKept(loop, body->operands[1]);
    bool keepsElse =
        body.getKind() == ExprKind::Select && isKept(loop, body->operands[2]);
    if (plan.loops.size() == 1 && (keepsThen || keepsElse)) {
      // An in-place update of few elements does not write the other elements.
      ExprEmitter scalar = at.nested();
      scalar.setVar(var, first);
      auto write = [&, number = number] {
        LaneEmitter inner(kernel, at, {var, 1}, first);
        storeLoop(
            inner, number,
            inner.emit(plan.loops[number].body->operands[keepsThen ? 2 : 1]));
      };
      if (keepsElse)
        kernel.emitIf(scalar.emitBool(body->operands[0]), write);
      else
        kernel.emitIf(scalar.emitBool(body->operands[0]), [] {}, write);
      return;
    }
    SmallVector<Value> values = group.emit(body);
    if (loop.output >= 0)
      storeLoop(group, number, values);
    for (const KernelLoop &reader :
         ArrayRef<KernelLoop>(plan.loops).drop_front(number + 1))
      walk(reader.body, [&, number = number](Expr node) {
        if (node.getKind() == ExprKind::Load &&
            node->operand == plan.numInputs + number)
          group.setValues(node, values);
      });
  }
}

GpuKernel PointKernel::run() {
  int64_t lanes = chooseLanes();
  SymInt count = 1;
  for (const SymInt &size : shape)
    count = count * size;
  SymInt groups = count.ceilDiv(lanes);
  ExprEmitter sizes(kernel.builder, kernel.loc, kernel.context);
  Value number =
      kernel.add(kernel.mul(kernel.block, kernel.constant(kernel.blockThreads)),
                 kernel.thread);
  auto body = [&] {
    ExprEmitter at = sizes.nested();
    if (rank == 0)
      return emitGroup(at, number, 1);
    Value rest = number;
    SymInt last = rank == 1 ? groups : shape.back().floorDiv(lanes);
    Value group = rest;
    for (unsigned axis = rank; axis-- > 0;) {
      Value size = sizes.emitSize(axis + 1 == rank ? last : shape[axis]);
      Value index = axis == 0 ? rest : kernel.rem(rest, size);
      if (axis + 1 == rank)
        group = index;
      else
        at.setVar(axis, index);
      if (axis > 0)
        rest = kernel.div(rest, size);
    }
    Value first = kernel.mul(group, kernel.constant(lanes));
    bool whole = lanes == 1 || rank > 1 || count.mod(lanes) == SymInt(0);
    if (whole)
      return emitGroup(at, first, lanes);
    Value limit = sizes.emitSize(count);
    Value end = kernel.add(first, kernel.constant(lanes));
    Value inside = arith::CmpIOp::create(kernel.builder, kernel.loc,
                                         arith::CmpIPredicate::ule, end, limit);
    kernel.emitIf(
        inside, [&] { emitGroup(at, first, lanes); },
        [&] {
          kernel.emitFor(first, limit, kernel.constant(1), {},
                         [&](Value position, ValueRange) {
                           emitGroup(at, position, 1);
                           return SmallVector<Value>();
                         });
        });
  };
  if (groups.mod(kThreads) == SymInt(0))
    body();
  else
    kernel.emitIf(kernel.less(number, sizes.emitSize(groups)), body);
  return kernel.finish(groups.ceilDiv(kThreads));
}

GpuKernel tenon::lower::buildPointKernel(const GpuKernelPlace &place,
                                         const LoopPlan &plan) {
  return PointKernel(place, plan).run();
}
