//===- TransposeKernel.cpp - transposes with tiles in shared memory -------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../AffineOffsets.h"
#include "../RowWork.h"
#include "GpuParts.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "tenon/Dialect/Graph/Analysis/SizeEstimate.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

static constexpr int64_t kTile = 32;
static constexpr int64_t kThreads = 256;
/// The number of rows of a tile that a block accesses at once.
static constexpr int64_t kRows = kThreads / kTile;
/// The minimum size of both axes for which tiles are beneficial.
static constexpr int64_t kLeastSize = 16;

/// Returns the loads that are contiguous along axis `var` and that no condition
/// guards.
static SmallVector<Expr> findLoadsAlong(const KernelLoop &loop,
                                        unsigned numInputs, unsigned var) {
  unsigned last = loop.shape.size() - 1;
  SmallVector<Expr> loads;
  llvm::DenseSet<const ExprNode *> seen;
  std::function<void(const Expr &)> descend = [&](const Expr &node) {
    if (!seen.insert(node.getPointer()).second)
      return;
    if (node.getKind() == ExprKind::Load) {
      std::optional<AffineForm> form = getAffineForm(node->operands[0]);
      if (node->operand < numInputs && form &&
          form->coefficient(var) == SymInt(1) &&
          form->coefficient(last) != SymInt(0) &&
          form->coefficient(last) != SymInt(1))
        loads.push_back(node);
      return;
    }
    bool guards = node.getKind() == ExprKind::Select &&
                  node->operands[0].getKind() != ExprKind::FromBoolElement;
    if (!guards && node.getKind() != ExprKind::Reduce)
      for (const Expr &operand : node->operands)
        descend(operand);
  };
  descend(loop.body);
  return loads;
}

static bool hasReduce(const Expr &root) {
  bool found = false;
  walk(root, [&](Expr node) { found |= node.getKind() == ExprKind::Reduce; });
  return found;
}

std::optional<unsigned> tenon::lower::findTransposedAxis(const LoopPlan &plan) {
  const KernelLoop &loop = plan.loops.front();
  unsigned rank = loop.shape.size();
  if (plan.loops.size() != 1 || rank < 2 || loop.inPlaceOf >= 0 ||
      hasReduce(loop.body) || estimateSize(loop.shape[rank - 1]) < kLeastSize)
    return std::nullopt;
  for (unsigned var = 0; var + 1 < rank; ++var)
    if (estimateSize(loop.shape[var]) >= kLeastSize &&
        !findLoadsAlong(loop, plan.numInputs, var).empty())
      return var;
  return std::nullopt;
}

namespace {
/// A block computes a tile of two axes: the last, along which the result is
/// contiguous, and the one along which the transposed operands are contiguous.
/// It reads these operands contiguously into shared memory, whose rows are
/// padded by one element to avoid bank conflicts when columns are read.
class TransposeKernel {
public:
  TransposeKernel(const GpuKernelPlace &place, const LoopPlan &plan,
                  unsigned axis)
      : plan(plan), loop(plan.loops.front()), rank(loop.shape.size()),
        axis(axis), kernel(place, plan, kThreads) {}

  GpuKernel run();

private:
  void emitRows(llvm::function_ref<void(Value)> body);
  Value inTile(Value row, Value column);

  const LoopPlan &plan;
  const KernelLoop &loop;
  unsigned rank, axis;
  GpuKernelBuilder kernel;
  Value lane, warp; // along a row of the tile; across rows
};
} // namespace

/// Calls `body` for each row of the tile in which this thread takes part.
void TransposeKernel::emitRows(llvm::function_ref<void(Value)> body) {
  for (int64_t row = 0; row < kTile; row += kRows)
    body(kernel.add(warp, kernel.constant(row)));
}

Value TransposeKernel::inTile(Value row, Value column) {
  return kernel.add(kernel.mul(row, kernel.constant(kTile + 1)), column);
}

GpuKernel TransposeKernel::run() {
  ExprEmitter sizes(kernel.builder, kernel.loc, kernel.context);
  lane = kernel.rem(kernel.thread, kernel.constant(kTile));
  warp = kernel.div(kernel.thread, kernel.constant(kTile));
  SymInt columns = loop.shape.back().ceilDiv(kTile);
  SymInt rows = loop.shape[axis].ceilDiv(kTile);
  SymInt blocks = rows * columns;
  // Locate the block's tile, also on the other axes.
  ExprEmitter at = sizes.nested();
  Value rest = kernel.block;
  Value count = sizes.emitSize(columns);
  Value firstColumn =
      kernel.mul(kernel.rem(rest, count), kernel.constant(kTile));
  rest = kernel.div(rest, count);
  count = sizes.emitSize(rows);
  Value firstRow = kernel.mul(kernel.rem(rest, count), kernel.constant(kTile));
  rest = kernel.div(rest, count);
  for (unsigned other = rank - 1; other-- > 0;) {
    if (other == axis)
      continue;
    blocks = blocks * loop.shape[other];
    Value size = sizes.emitSize(loop.shape[other]);
    at.setVar(other, kernel.rem(rest, size));
    rest = kernel.div(rest, size);
  }
  Value numColumns = sizes.emitSize(loop.shape.back());
  Value numRows = sizes.emitSize(loop.shape[axis]);
  auto both = [&](Value a, Value b) -> Value {
    return arith::AndIOp::create(kernel.builder, kernel.loc, a, b);
  };

  SmallVector<Expr> loads = findLoadsAlong(loop, plan.numInputs, axis);
  SmallVector<Value> tiles;
  for (const Expr &load : loads)
    tiles.push_back(
        kernel.allocateShared(kTile * (kTile + 1) * byteWidth(load->type)));
  emitRows([&](Value column) {
    Value rowIndex = kernel.add(firstRow, lane);
    Value columnIndex = kernel.add(firstColumn, column);
    Value inside = both(kernel.less(rowIndex, numRows),
                        kernel.less(columnIndex, numColumns));
    kernel.emitIf(inside, [&] {
      ExprEmitter element = at.nested();
      element.setVar(axis, rowIndex);
      element.setVar(rank - 1, columnIndex);
      for (auto [load, tile] : llvm::zip(loads, tiles))
        element.store(element.emitElement(load), tile, inTile(column, lane),
                      load->type);
    });
  });
  kernel.emitBarrier();
  emitRows([&](Value row) {
    Value rowIndex = kernel.add(firstRow, row);
    Value columnIndex = kernel.add(firstColumn, lane);
    Value inside = both(kernel.less(rowIndex, numRows),
                        kernel.less(columnIndex, numColumns));
    kernel.emitIf(inside, [&] {
      ExprEmitter element = at.nested();
      element.setVar(axis, rowIndex);
      element.setVar(rank - 1, columnIndex);
      for (auto [load, tile] : llvm::zip(loads, tiles))
        element.setValue(load,
                         element.load(tile, inTile(lane, row), load->type));
      Value value = element.emitElement(loop.body);
      element.store(value, kernel.context.pointers[plan.numInputs],
                    element.emitIndex(getPosition(loop.shape)),
                    loop.elementType);
    });
  });
  return kernel.finish(blocks);
}

GpuKernel tenon::lower::buildTransposeKernel(const GpuKernelPlace &place,
                                             const LoopPlan &plan,
                                             unsigned axis) {
  return TransposeKernel(place, plan, axis).run();
}
