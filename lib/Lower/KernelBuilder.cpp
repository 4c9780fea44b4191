//===- KernelBuilder.cpp - the function of a generated kernel -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"
#include "AffineOffsets.h"
#include "BlockedReduction.h"
#include "HoistReductions.h"
#include "KernelLoops.h"
#include "RowWork.h"
#include "StreamedReduction.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tenon/Dialect/Graph/Analysis/SizeEstimate.h"

#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

namespace {
constexpr int64_t kAlignment = 64;
/// The minimum number of results of a single row that one thread computes.
constexpr int64_t kColumns = 64;
/// Nanoseconds of work that a thread should have. Waking a thread takes half a
/// microsecond if it still spins, and tens of microseconds if it sleeps or
/// another process occupies its core.
constexpr double kWorthwhile = 10000;

/// Builds the two functions of a kernel: an outer one with the runtime's
/// signature, which loads the pointers, and an inner one whose arguments are
/// marked noalias (LLVM inlines it and keeps this information).
class KernelBuilder {
public:
  KernelBuilder(ModuleOp module, Location loc, StringRef name, LoopPlan plan,
                ArrayRef<std::string> symbols, const LowerOptions &options)
      : module(module), loc(loc), name(name.str()), plan(std::move(plan)),
        symbols(symbols), options(options), builder(module.getContext()) {
    pointerType = LLVM::LLVMPointerType::get(module.getContext());
  }

  BuiltKernel run();

private:
  void planScratch();
  void buildInner();
  void buildOuter();
  SymInt rows() const;
  bool splitsColumns() const;
  /// The width of vectors for sums that may be reassociated.
  unsigned vectorBits() const {
    return options.numerics.mayReassociate() ? options.vectorBits : 0;
  }

  ModuleOp module;
  Location loc;
  std::string name;
  LoopPlan plan;
  ArrayRef<std::string> symbols;
  const LowerOptions &options;
  OpBuilder builder;
  Type pointerType;
  /// For every row-local kernel loop, its offset in the thread's scratch
  /// memory.
  SmallVector<SymInt, 0> scratchOffsets;
  bool streams = false; // rows are added to the results as a whole
  BuiltKernel result;
};
} // namespace

SymInt KernelBuilder::rows() const {
  SymInt product = 1;
  for (const SymInt &size : plan.rowShape())
    product = product * size;
  return product;
}

/// Returns true if threads share the results of a single row, as in a product
/// of a vector and a matrix.
bool KernelBuilder::splitsColumns() const {
  const KernelLoop &kernelLoop = plan.loops.front();
  return plan.loops.size() == 1 && rows().getConstant() == 1 &&
         kernelLoop.body.getKind() == ExprKind::Reduce &&
         kernelLoop.shape.size() == plan.numRowDims + 1;
}

void KernelBuilder::planScratch() {
  SymInt offset = 0;
  for (auto [number, kernelLoop] : llvm::enumerate(plan.loops)) {
    scratchOffsets.push_back(offset);
    if (kernelLoop.output >= 0)
      continue;
    SymInt bytes =
        plan.innerSize(number) * SymInt(byteWidth(kernelLoop.elementType));
    offset = offset + bytes.ceilDiv(kAlignment) * SymInt(kAlignment);
  }
  result.scratchBytes = offset;
}

void KernelBuilder::buildInner() {
  Type i64 = builder.getI64Type(), index = builder.getIndexType();
  SmallVector<Type> types(symbols.size(), i64);
  types.append(plan.numInputs + plan.loops.size(), pointerType);
  types.append({i64, i64});
  builder.setInsertionPointToEnd(module.getBody());
  auto function = func::FuncOp::create(builder, loc, name + ".rows",
                                       builder.getFunctionType(types, {}));
  function.setPrivate();
  for (unsigned i = 0; i < plan.numInputs + plan.loops.size(); ++i)
    function.setArgAttr(symbols.size() + i, "llvm.noalias",
                        builder.getUnitAttr());
  Block *entry = function.addEntryBlock();
  builder.setInsertionPointToStart(entry);

  EmitContext context;
  // In strict mode, every product is rounded before it is added.
  context.fastMath =
      options.numerics.mayReassociate()
          ? arith::FastMathFlags::contract | arith::FastMathFlags::reassoc
          : arith::FastMathFlags::none;
  auto toIndex = [&](Value value) -> Value {
    return arith::IndexCastOp::create(builder, loc, index, value);
  };
  for (auto [number, symbol] : llvm::enumerate(symbols))
    context.symbols[symbol] = toIndex(entry->getArgument(number));
  for (unsigned i = 0; i < plan.numInputs + plan.loops.size(); ++i)
    context.pointers.push_back(entry->getArgument(symbols.size() + i));
  // An input that a result overwrites is read through the result's pointer,
  // because the arguments are marked noalias.
  for (auto [number, kernelLoop] : llvm::enumerate(plan.loops))
    if (kernelLoop.inPlaceOf >= 0)
      context.pointers[kernelLoop.inPlaceOf] =
          context.pointers[plan.numInputs + number];
  unsigned last = entry->getNumArguments();
  Value lo = toIndex(entry->getArgument(last - 2));
  Value hi = toIndex(entry->getArgument(last - 1));

  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  ExprEmitter sizes(builder, loc, context);
  SmallVector<Value> innerSizes;
  for (unsigned number = 0; number < plan.loops.size(); ++number)
    innerSizes.push_back(sizes.emitSize(plan.innerSize(number)));
  SmallVector<Value> rowSizes;
  for (const SymInt &size : plan.rowShape())
    rowSizes.push_back(sizes.emitSize(size));

  // Reductions that are the same for all rows: they contain neither a row
  // variable nor a result of an earlier kernel loop of the same row.
  SmallVector<Expr> invariants;
  for (const KernelLoop &kernelLoop : plan.loops)
    llvm::append_range(
        invariants,
        findInvariantReductions(kernelLoop.body, [&](const Expr &node) {
          return (node.getKind() == ExprKind::Var &&
                  node->var < kernelLoop.shape.size()) ||
                 (node.getKind() == ExprKind::Load &&
                  node->operand >= plan.numInputs);
        }));
  auto emitRow = [&](const ExprEmitter &outside, Value number, Window window) {
    ExprEmitter row = outside.nested();
    Value rest = number;
    for (unsigned axis = plan.numRowDims; axis-- > 1;) {
      // Sizes and positions are not negative, so that the cheaper unsigned
      // division is correct.
      row.setVar(axis,
                 arith::RemUIOp::create(builder, loc, rest, rowSizes[axis]));
      rest = arith::DivUIOp::create(builder, loc, rest, rowSizes[axis]);
    }
    if (plan.numRowDims > 0)
      row.setVar(0, rest);
    for (auto [loopNumber, kernelLoop] : llvm::enumerate(plan.loops)) {
      Value base = zero;
      if (kernelLoop.output >= 0)
        base =
            arith::MulIOp::create(builder, loc, number, innerSizes[loopNumber]);
      emitKernelLoop(row, plan, loopNumber,
                     context.pointers[plan.numInputs + loopNumber], base,
                     vectorBits(), window);
    }
  };
  auto emitLoop = [&](Value from, Value to, Value step,
                      llvm::function_ref<void(Value)> body) {
    auto loop = scf::ForOp::create(builder, loc, from, to, step);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    body(loop.getInductionVar());
  };
  if (streams && !splitsColumns()) {
    emitLoop(lo, hi, one, [&](Value number) {
      emitRow(sizes, number, Window{zero, innerSizes.front()});
    });
  } else if (splitsColumns()) {
    Value width = arith::ConstantIndexOp::create(builder, loc, kColumns);
    Value from = arith::MulIOp::create(builder, loc, lo, width);
    Value to = arith::MinSIOp::create(
        builder, loc, arith::MulIOp::create(builder, loc, hi, width),
        innerSizes.front());
    emitRow(sizes, zero, Window{from, to});
  } else if (runsAcrossMemory(plan)) {
    // A block is as wide as the number of floats in a cache line.
    Value block = arith::ConstantIndexOp::create(builder, loc, 16);
    auto end = [&](Value from, Value limit) -> Value {
      return arith::MinSIOp::create(
          builder, loc, arith::AddIOp::create(builder, loc, from, block),
          limit);
    };
    emitLoop(lo, hi, block, [&](Value firstRow) {
      emitLoop(zero, innerSizes.front(), block, [&](Value first) {
        emitLoop(firstRow, end(firstRow, hi), one, [&](Value number) {
          emitRow(sizes, number, Window{first, end(first, innerSizes.front())});
        });
      });
    });
  } else {
    emitAfterInvariants(sizes, lo, hi, invariants, [&](ExprEmitter &outside) {
      emitLoop(lo, hi, one,
               [&](Value number) { emitRow(outside, number, Window()); });
    });
  }
  builder.setInsertionPointToEnd(entry);
  func::ReturnOp::create(builder, loc);
}

void KernelBuilder::buildOuter() {
  Type i64 = builder.getI64Type();
  builder.setInsertionPointToEnd(module.getBody());
  auto function = func::FuncOp::create(
      builder, loc, name,
      builder.getFunctionType({pointerType, pointerType, pointerType, i64, i64},
                              {}));
  Block *entry = function.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  auto element = [&](Value base, Type type, int32_t position) -> Value {
    Value address = LLVM::GEPOp::create(builder, loc, pointerType, type, base,
                                        ArrayRef<LLVM::GEPArg>{position});
    return LLVM::LoadOp::create(builder, loc, type, address);
  };
  SmallVector<Value> operands;
  EmitContext context;
  for (auto [number, symbol] : llvm::enumerate(symbols)) {
    Value value = element(entry->getArgument(0), i64, number);
    operands.push_back(value);
    context.symbols[symbol] =
        arith::IndexCastOp::create(builder, loc, builder.getIndexType(), value);
  }
  for (unsigned i = 0; i < plan.numInputs; ++i)
    operands.push_back(element(entry->getArgument(1), pointerType, i));
  ExprEmitter sizes(builder, loc, context);
  for (auto [number, kernelLoop] : llvm::enumerate(plan.loops)) {
    if (kernelLoop.output >= 0) {
      operands.push_back(element(entry->getArgument(1), pointerType,
                                 plan.numInputs + kernelLoop.output));
      continue;
    }
    Value offset = arith::IndexCastOp::create(
        builder, loc, i64, sizes.emitSize(scratchOffsets[number]));
    operands.push_back(LLVM::GEPOp::create(
        builder, loc, pointerType, builder.getI8Type(), entry->getArgument(2),
        ArrayRef<LLVM::GEPArg>{offset}));
  }
  operands.push_back(entry->getArgument(3));
  operands.push_back(entry->getArgument(4));
  func::CallOp::create(builder, loc, name + ".rows", TypeRange(), operands);
  func::ReturnOp::create(builder, loc);
}

BuiltKernel KernelBuilder::run() {
  LoopPlan linear = plan;
  linearizeLoads(linear);
  streams = vectorBits() != 0 && isStreamed(linear);
  if (streams) {
    plan = std::move(linear);
  } else {
    plan = withPixels(std::move(plan), vectorBits());
    linearizeLoads(plan);
  }
  mergeDimensions(plan);
  planScratch();
  buildInner();
  buildOuter();
  double time = estimateRowTime(plan);
  result.extent = rows();
  if (splitsColumns()) {
    result.extent = plan.innerSize(0).ceilDiv(SymInt(kColumns));
    time /= static_cast<double>(estimateSize(result.extent));
  }
  result.grain = static_cast<int64_t>(std::ceil(kWorthwhile / time));
  return result;
}

BuiltKernel tenon::lower::buildKernel(ModuleOp module, Location loc,
                                      StringRef name, LoopPlan plan,
                                      ArrayRef<std::string> symbols,
                                      const LowerOptions &options) {
  return KernelBuilder(module, loc, name, std::move(plan), symbols, options)
      .run();
}
