//===- ContractionKernel.cpp - the kernel of a contraction ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each step waits for the other threads once. If elements are copied to shared
// memory unchanged, asynchronous copies load the tiles of the next steps into
// further buffers. Otherwise, the tiles of the next step are loaded into
// registers while the current tiles are multiplied, and are then stored in the
// other of two buffers.
//
//===----------------------------------------------------------------------===//

#include "ContractionLoad.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

namespace {
/// Blocks that run at the same time should have tiles in few rows and columns:
/// groups of this many rows of tiles are traversed column by column.
constexpr int64_t kRasterRows = 8;
/// The number of buffers for asynchronous copies: enough for three steps to be
/// in flight.
constexpr int64_t kMostBuffers = 4;

class ContractionKernel {
public:
  ContractionKernel(const GpuKernelPlace &place, const LoopPlan &plan,
                    const Contraction &contraction)
      : plan(plan), contraction(contraction), tile(chooseTile(contraction)),
        kernel(place, plan, tile.threads), rows(countOf(contraction.rows)),
        columns(countOf(contraction.columns)),
        terms(countOf(contraction.terms)), tilesDown(rows.ceilDiv(tile.rows)),
        tilesAcross(columns.ceilDiv(tile.columns)),
        a(kernel, contraction.a, tile.rows, tile.terms, rows, terms,
          contraction.useTensorCores),
        b(kernel, contraction.b, tile.columns, tile.terms, columns, terms,
          contraction.useTensorCores),
        product(contraction.useTensorCores
                    ? createMatrixProduct(kernel, tile, a.getLayout(),
                                          b.getLayout(), contraction.a.type)
                    : createScalarProduct(kernel, tile, a.getLayout(),
                                          b.getLayout())) {}

  GpuKernel run();

private:
  void boundRegisters();
  void locateBlock(ExprEmitter &sizes);
  /// Emits the sums, from tiles that are copied directly to shared memory, or
  /// through registers.
  SmallVector<Value> emitCopied(ExprEmitter &sizes);
  SmallVector<Value> emitLoaded(ExprEmitter &sizes);
  int64_t countBuffers() const;
  void emitEpilogue(const ExprEmitter &sizes, ValueRange sums);
  int64_t chooseLanes(int64_t groupSize) const;
  void emitGroup(const ExprEmitter &at, Value column, ArrayRef<Value> sums,
                 int64_t lanes);
  void emitElements(const ExprEmitter &at, Value column, ValueRange sums);

  const LoopPlan &plan;
  const Contraction &contraction;
  const ContractionTile tile;
  GpuKernelBuilder kernel;
  const SymInt rows, columns, terms, tilesDown, tilesAcross;
  FactorTile a, b;
  std::unique_ptr<TileProduct> product;
  Value batch, firstRow, firstColumn; // of the block
};
} // namespace

/// For large tiles, the assembler allocates more than half of the registers. It
/// needs them only if elements have complex addresses or epilogues. Without a
/// bound, only one block would run on a multiprocessor.
void ContractionKernel::boundRegisters() {
  auto isEven = [](const SymInt &size, int64_t part) {
    return getDivisor(size) % part == 0;
  };
  bool isSimple = contraction.useTensorCores && tile.threads == 256 &&
                  isEven(rows, tile.rows) && isEven(columns, tile.columns);
  for (const ContractionFactor *factor : {&contraction.a, &contraction.b})
    isSimple &=
        factor->element.getKind() == ExprKind::Load &&
        factor->guard.getKind() == ExprKind::True &&
        analyzeAccess(*factor, kWidestAccess / byteWidth(factor->type)).lanes >
            1;
  for (const KernelLoop &kernelLoop : contraction.epilogue.loops)
    walk(kernelLoop.body, [&](Expr node) {
      isSimple &=
          node.getKind() != ExprKind::Apply ||
          llvm::is_contained({ScalarFn::Add, ScalarFn::Sub, ScalarFn::Mul,
                              ScalarFn::Max, ScalarFn::Min},
                             node->fn);
    });
  if (isSimple)
    kernel.builder.getInsertionBlock()->getParentOp()->setAttr(
        NVVM::NVVMDialect::getMinctasmAttrName(),
        kernel.builder.getI32IntegerAttr(2));
}

/// Computes which tile the block has.
void ContractionKernel::locateBlock(ExprEmitter &sizes) {
  OpBuilder &builder = kernel.builder;
  Value down = sizes.emitSize(tilesDown), across = sizes.emitSize(tilesAcross);
  Value inMatrix = kernel.block;
  batch = kernel.constant(0);
  if (countOf(contraction.batch).getConstant() != 1) {
    Value tiles = kernel.mul(down, across);
    batch = kernel.div(kernel.block, tiles);
    inMatrix = kernel.rem(kernel.block, tiles);
  }
  Value most = kernel.constant(kRasterRows);
  Value perBand = kernel.mul(most, across);
  Value bandRow = kernel.mul(kernel.div(inMatrix, perBand), most);
  Value inBand = kernel.rem(inMatrix, perBand);
  Value left = arith::SubIOp::create(builder, kernel.loc, down, bandRow);
  Value high = arith::MinUIOp::create(builder, kernel.loc, left, most);
  Value row = kernel.add(bandRow, kernel.rem(inBand, high));
  firstRow = kernel.mul(row, kernel.constant(tile.rows));
  firstColumn =
      kernel.mul(kernel.div(inBand, high), kernel.constant(tile.columns));
}

/// Returns the number of neighbours along the last column variable for which
/// all accesses are wide.
int64_t ContractionKernel::chooseLanes(int64_t groupSize) const {
  const LoopVar &loop = contraction.columns.back();
  int64_t widest = 1;
  for (const KernelLoop &kernelLoop : contraction.epilogue.loops) {
    // With wide accesses, unchanged neighbours would be written, too.
    if (kernelLoop.inPlaceOf >= 0)
      return 1;
    if (kernelLoop.output >= 0)
      widest = std::max(widest, byteWidth(kernelLoop.elementType));
    walk(kernelLoop.body, [&](Expr node) {
      if (node.getKind() == ExprKind::Load && node->operand < plan.numInputs)
        widest = std::max(widest, byteWidth(node->type));
    });
  }
  for (int64_t lanes = std::min(groupSize, kWidestAccess / widest); lanes > 1;
       lanes /= 2) {
    LaneIndex index = analyzeLanes(contraction.position, {loop.var, lanes});
    if (index.stride == 1 && index.divisor % lanes == 0 &&
        getDivisor(loop.size) % lanes == 0)
      return lanes;
  }
  return 1;
}

void ContractionKernel::emitElements(const ExprEmitter &at, Value column,
                                     ValueRange sums) {
  ExprEmitter own = at.nested();
  decompose(kernel, own, column, contraction.columns);
  LaneVar lane;
  lane.var = contraction.columns.back().var;
  lane.count = static_cast<int64_t>(sums.size());
  lane.firstVarying = plan.numInputs;
  LaneEmitter lanes(kernel, own, lane, own.emitIndex(Expr::var(lane.var)));
  lanes.setValues(contraction.sum, SmallVector<Value>(sums));
  ArrayRef<KernelLoop> loops = contraction.epilogue.loops;
  for (auto [number, kernelLoop] : llvm::enumerate(loops)) {
    SmallVector<Value> values = lanes.emit(kernelLoop.body);
    if (kernelLoop.output >= 0)
      lanes.store(values, kernel.context.pointers[plan.numInputs + number],
                  contraction.position, kernelLoop.elementType);
    for (const KernelLoop &reader : loops.drop_front(number + 1))
      walk(reader.body, [&, number = number](Expr node) {
        if (node.getKind() == ExprKind::Load &&
            node->operand == plan.numInputs + number)
          lanes.setValues(node, values);
      });
  }
}

/// Emits a group of neighbouring results. `at` has the variables of the row.
void ContractionKernel::emitGroup(const ExprEmitter &at, Value column,
                                  ArrayRef<Value> sums, int64_t lanes) {
  std::optional<int64_t> count = columns.getConstant();
  for (size_t first = 0; first < sums.size(); first += lanes) {
    Value own = kernel.add(column, kernel.constant(first));
    auto emit = [&] {
      emitElements(at, own, ValueRange(sums.slice(first, lanes)));
    };
    if (count && *count % tile.columns == 0)
      emit();
    else
      kernel.emitIf(kernel.less(own, at.nested().emitSize(columns)), emit);
  }
}

void ContractionKernel::emitEpilogue(const ExprEmitter &sizes,
                                     ValueRange sums) {
  int64_t size = product->groupSize(), lanes = chooseLanes(size);
  SmallVector<Value> all(sums);
  std::optional<int64_t> count = rows.getConstant();
  for (int64_t number = 0; number < product->groupRows(); ++number) {
    Value row = kernel.add(firstRow, product->row(number));
    auto emit = [&] {
      ExprEmitter at = sizes.nested();
      decompose(kernel, at, row, contraction.rows);
      for (int64_t group = 0; group < product->groupColumns(); ++group)
        emitGroup(at, kernel.add(firstColumn, product->column(group)),
                  ArrayRef<Value>(all).slice(
                      (number * product->groupColumns() + group) * size, size),
                  lanes);
    };
    if (count && *count % tile.rows == 0)
      emit();
    else
      kernel.emitIf(kernel.less(row, sizes.nested().emitSize(rows)), emit);
  }
}

int64_t ContractionKernel::countBuffers() const {
  int64_t bytes = a.getLayout().bytes + b.getLayout().bytes;
  assert(2 * bytes <= kStaticShared && "tiles too large");
  if (!a.canCopy() || !b.canCopy())
    return 2;
  int64_t steps = kMostBuffers;
  if (std::optional<int64_t> count = terms.getConstant())
    steps = llvm::divideCeil(*count, tile.terms);
  return std::clamp<int64_t>(steps, 2,
                             std::min(kMostBuffers, kStaticShared / bytes));
}

/// The tiles of a step are in the buffer whose number is that of the step
/// modulo the number of buffers.
SmallVector<Value> ContractionKernel::emitCopied(ExprEmitter &sizes) {
  int64_t buffers = countBuffers(), bytesA = a.getLayout().bytes;
  int64_t bufferBytes = bytesA + b.getLayout().bytes;
  Value shared = kernel.allocateShared(buffers * bufferBytes);
  Value steps = sizes.emitSize(terms.ceilDiv(tile.terms));
  Value zero = kernel.constant(0), one = kernel.constant(1);
  auto bufferOf = [&](Value step) {
    Value number = kernel.rem(step, kernel.constant(buffers));
    return offsetAddress(kernel, shared,
                         kernel.mul(number, kernel.constant(bufferBytes)));
  };
  auto begin = [&](Value step) {
    kernel.emitIf(kernel.less(step, steps), [&] {
      Value firstTerm = kernel.mul(step, kernel.constant(tile.terms));
      Value buffer = bufferOf(step);
      a.copy(firstTerm, buffer);
      b.copy(firstTerm, offsetAddress(kernel, buffer, bytesA));
    });
    // Create a group even if nothing is copied, so that every step has one.
    kernel.emitAsyncGroup();
  };
  for (int64_t step = 0; step + 1 < buffers; ++step)
    begin(kernel.constant(step));
  Value none = arith::ConstantOp::create(kernel.builder, kernel.loc,
                                         kernel.builder.getF32FloatAttr(0.0f));
  SmallVector<Value> sums(product->countSums(), none);
  sums = kernel.emitFor(
      zero, steps, one, sums, [&](Value step, ValueRange carried) {
        kernel.emitAsyncWait(buffers - 2);
        // After the barrier, all threads have this step's tiles and have
        // finished with those of the previous step, whose buffer is filled
        // next.
        kernel.emitBarrier();
        begin(kernel.add(step, kernel.constant(buffers - 1)));
        Value buffer = bufferOf(step);
        return product->step(buffer, offsetAddress(kernel, buffer, bytesA),
                             carried);
      });
  return sums;
}

SmallVector<Value> ContractionKernel::emitLoaded(ExprEmitter &sizes) {
  int64_t bytesA = a.getLayout().bytes;
  int64_t bufferBytes = bytesA + b.getLayout().bytes;
  Value shared = kernel.allocateShared(2 * bufferBytes);
  auto store = [&](Value buffer) {
    Value address = offsetAddress(
        kernel, shared, kernel.mul(buffer, kernel.constant(bufferBytes)));
    a.store(address);
    b.store(offsetAddress(kernel, address, bytesA));
  };
  Value zero = kernel.constant(0), one = kernel.constant(1);
  Value two = kernel.constant(2);
  a.load(zero);
  b.load(zero);
  store(zero);
  kernel.emitBarrier();
  Value none = arith::ConstantOp::create(kernel.builder, kernel.loc,
                                         kernel.builder.getF32FloatAttr(0.0f));
  SmallVector<Value> sums(product->countSums(), none);
  Value steps = sizes.emitSize(terms.ceilDiv(tile.terms));
  return kernel.emitFor(
      zero, steps, one, sums, [&](Value step, ValueRange carried) {
        Value next = kernel.add(step, one);
        Value firstTerm = kernel.mul(next, kernel.constant(tile.terms));
        a.load(firstTerm);
        b.load(firstTerm);
        Value address = offsetAddress(
            kernel, shared,
            kernel.mul(kernel.rem(step, two), kernel.constant(bufferBytes)));
        SmallVector<Value> added = product->step(
            address, offsetAddress(kernel, address, bytesA), carried);
        store(kernel.rem(next, two));
        kernel.emitBarrier();
        return added;
      });
}

GpuKernel ContractionKernel::run() {
  ExprEmitter sizes(kernel.builder, kernel.loc, kernel.context);
  boundRegisters();
  locateBlock(sizes);
  a.prepare(sizes, batch, firstRow);
  b.prepare(sizes, batch, firstColumn);
  product->prepare();
  SmallVector<Value> sums =
      a.canCopy() && b.canCopy() ? emitCopied(sizes) : emitLoaded(sizes);
  ExprEmitter inBatch = sizes.nested();
  decompose(kernel, inBatch, batch, contraction.batch);
  emitEpilogue(inBatch, sums);
  return kernel.finish(tilesDown * tilesAcross * countOf(contraction.batch));
}

GpuKernel tenon::lower::buildContraction(const GpuKernelPlace &place,
                                         const LoopPlan &plan,
                                         const Contraction &contraction) {
  return ContractionKernel(place, plan, contraction).run();
}
