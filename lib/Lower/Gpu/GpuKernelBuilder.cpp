//===- GpuKernelBuilder.cpp - construction of GPU kernels -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuKernelBuilder.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

/// The address space of shared memory in NVVM.
constexpr unsigned kSharedSpace = 3;

GpuKernelBuilder::GpuKernelBuilder(const GpuKernelPlace &place,
                                   const LoopPlan &plan, int64_t blockThreads)
    : place(place), builder(place.loc.getContext()), loc(place.loc),
      blockThreads(blockThreads) {
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  unsigned numOutputs = 0;
  bool overwrites = false;
  for (const KernelLoop &kernelLoop : plan.loops) {
    numOutputs = std::max<unsigned>(numOutputs, kernelLoop.output + 1);
    overwrites |= kernelLoop.inPlaceOf >= 0;
  }
  unsigned numBuffers = plan.numInputs + numOutputs;
  SmallVector<Type> types(numBuffers + 1, pointer);
  types.append(place.symbols.size(), builder.getI64Type());
  builder.setInsertionPointToEnd(this->place.module.getBody());
  function = gpu::GPUFuncOp::create(builder, loc, place.name,
                                    builder.getFunctionType(types, {}));
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                    builder.getUnitAttr());
  function.setKnownBlockSizeAttr(
      builder.getDenseI32ArrayAttr({static_cast<int32_t>(blockThreads), 1, 1}));
  // Without this bound, ptxas spills some registers to run more blocks at once.
  function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                    builder.getI32IntegerAttr(1));
  // An input that a result overwrites is read through the result's pointer.
  for (unsigned i = 0; i < numBuffers; ++i) {
    function.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(),
                        builder.getUnitAttr());
    if (i < plan.numInputs)
      function.setArgAttr(i, LLVM::LLVMDialect::getReadonlyAttrName(),
                          builder.getUnitAttr());
  }

  Block &body = function.getBody().front();
  builder.setInsertionPointToStart(&body);
  // In strict mode, every product is rounded before it is added.
  context.fastMath =
      place.options.numerics.mayReassociate()
          ? arith::FastMathFlags::contract | arith::FastMathFlags::reassoc
          : arith::FastMathFlags::none;
  // 16-bit types are only stored. Computing in f32 is as fast and more exact.
  context.roundsEach = !place.options.numerics.mayReassociate();
  for (unsigned i = 0; i < plan.numInputs; ++i)
    context.pointers.push_back(body.getArgument(i));
  for (const KernelLoop &kernelLoop : plan.loops)
    context.pointers.push_back(
        kernelLoop.output < 0
            ? Value()
            : body.getArgument(plan.numInputs + kernelLoop.output));
  if (overwrites)
    for (auto [number, kernelLoop] : llvm::enumerate(plan.loops))
      if (kernelLoop.inPlaceOf >= 0)
        context.pointers[kernelLoop.inPlaceOf] =
            context.pointers[plan.numInputs + number];
  for (auto [number, symbol] : llvm::enumerate(place.symbols))
    context.symbols[symbol] =
        arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                   body.getArgument(numBuffers + 1 + number));
  thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  block = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
}

GpuKernel GpuKernelBuilder::finish(SymInt blocks) {
  builder.setInsertionPointToEnd(&function.getBody().front());
  gpu::ReturnOp::create(builder, loc);
  GpuKernel result;
  result.name = place.name;
  result.blocks = std::move(blocks);
  result.blockThreads = blockThreads;
  return result;
}

Value GpuKernelBuilder::allocateShared(int64_t bytes) {
  Type array = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes);
  std::string name = place.name + "_shared" + std::to_string(numShared++);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(function);
    LLVM::GlobalOp::create(builder, loc, array, /*isConstant=*/false,
                           LLVM::Linkage::Internal, name, Attribute(),
                           kWidestAccess, kSharedSpace);
  }
  return LLVM::AddressOfOp::create(
      builder, loc,
      LLVM::LLVMPointerType::get(builder.getContext(), kSharedSpace), name);
}

void GpuKernelBuilder::emitBarrier() { gpu::BarrierOp::create(builder, loc); }

void GpuKernelBuilder::emitWarpBarrier() {
  Value all =
      arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(-1));
  NVVM::SyncWarpOp::create(builder, loc, all);
}

void GpuKernelBuilder::emitAsyncCopy(Value to, Value from, int64_t bytes,
                                     Value exists) {
  Type global = LLVM::LLVMPointerType::get(builder.getContext(), 1);
  from = LLVM::AddrSpaceCastOp::create(builder, loc, global, from);
  Value size;
  if (exists) {
    auto count = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(builder, loc,
                                       builder.getI32IntegerAttr(value));
    };
    size =
        arith::SelectOp::create(builder, loc, exists, count(bytes), count(0));
  }
  NVVM::CpAsyncOp::create(builder, loc, to, from, static_cast<uint32_t>(bytes),
                          bytes == kWidestAccess
                              ? NVVM::LoadCacheModifierKind::CG
                              : NVVM::LoadCacheModifierKind::CA,
                          size);
}

void GpuKernelBuilder::emitAsyncGroup() {
  NVVM::CpAsyncCommitGroupOp::create(builder, loc);
}

void GpuKernelBuilder::emitAsyncWait(int64_t groups) {
  NVVM::CpAsyncWaitGroupOp::create(builder, loc, groups);
}

Value GpuKernelBuilder::emitShuffleXor(Value value, int64_t bits) {
  Type type = value.getType();
  unsigned width = type.getIntOrFloatBitWidth();
  Value sent = value;
  // Shuffles move 32 or 64 bits.
  if (width < 32)
    sent = arith::ExtUIOp::create(builder, loc, builder.getI32Type(), value);
  Value received =
      gpu::ShuffleOp::create(builder, loc, sent, static_cast<int32_t>(bits),
                             static_cast<int32_t>(kWarp), gpu::ShuffleMode::XOR)
          .getShuffleResult();
  return width < 32 ? arith::TruncIOp::create(builder, loc, type, received)
                    : received;
}

Value GpuKernelBuilder::constant(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}
Value GpuKernelBuilder::add(Value a, Value b) {
  return arith::AddIOp::create(builder, loc, a, b);
}
Value GpuKernelBuilder::mul(Value a, Value b) {
  return arith::MulIOp::create(builder, loc, a, b);
}
Value GpuKernelBuilder::div(Value a, Value b) {
  return arith::DivUIOp::create(builder, loc, a, b);
}
Value GpuKernelBuilder::rem(Value a, Value b) {
  return arith::RemUIOp::create(builder, loc, a, b);
}
Value GpuKernelBuilder::less(Value a, Value b) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, a, b);
}

void GpuKernelBuilder::emitIf(Value condition, llvm::function_ref<void()> then,
                              llvm::function_ref<void()> otherwise) {
  auto branch = scf::IfOp::create(builder, loc, condition,
                                  /*withElseRegion=*/bool(otherwise));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  then();
  if (!otherwise)
    return;
  builder.setInsertionPointToStart(branch.elseBlock());
  otherwise();
}

SmallVector<Value> GpuKernelBuilder::emitFor(
    Value from, Value to, Value step, ValueRange carried,
    llvm::function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  auto loop = scf::ForOp::create(builder, loc, from, to, step, carried);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> results =
      body(loop.getInductionVar(), loop.getRegionIterArgs());
  // A loop that carries no values already has a terminator.
  if (!carried.empty())
    scf::YieldOp::create(builder, loc, results);
  return SmallVector<Value>(loop.getResults());
}
