//===- MutantPlant.cpp - kernels with a fault -----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MutantEquivalence.h"
#include "MutantPoint.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace mutant;

Operation *mutant::findStoreBefore(Operation *barrier) {
  for (Operation *op = barrier->getPrevNode(); op; op = op->getPrevNode()) {
    if (isBarrier(op) || !op->use_empty())
      return nullptr;
    WalkResult result = op->walk([](LLVM::StoreOp store) {
      auto type = cast<LLVM::LLVMPointerType>(store.getAddr().getType());
      return type.getAddressSpace() == 3 ? WalkResult::interrupt()
                                         : WalkResult::advance();
    });
    if (result.wasInterrupted())
      return op;
  }
  return nullptr;
}

static void shiftIndex(OpBuilder &builder, Operation *op, unsigned variant) {
  auto increase = [&](Value value) -> Value {
    Value one = arith::ConstantOp::create(
        builder, op->getLoc(), builder.getIntegerAttr(value.getType(), 1));
    return arith::AddIOp::create(builder, op->getLoc(), value, one);
  };
  auto address = dyn_cast<LLVM::GEPOp>(op);
  if (!address) {
    op->setOperand(variant, increase(op->getOperand(variant)));
    return;
  }
  unsigned dynamic = 0;
  for (auto [number, index] : llvm::enumerate(address.getIndices())) {
    auto value = dyn_cast<Value>(index);
    if (number == variant) {
      if (value) {
        address.getDynamicIndicesMutable()[dynamic].set(increase(value));
      } else {
        SmallVector<int32_t> constants(address.getRawConstantIndices());
        ++constants[number];
        address.setRawConstantIndices(constants);
      }
    }
    dynamic += bool(value);
  }
}

static void plantAt(Operation *op, const Point &point) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  auto constant = [&](Type type, int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(type, value));
  };
  switch (point.fault) {
  case Fault::Barrier:
    return op->erase();
  case Fault::Index:
    return shiftIndex(builder, op, point.variant);
  case Fault::Mask: {
    if (point.variant == Point::FirstOperand ||
        point.variant == Point::SecondOperand)
      return op->getResult(0).replaceAllUsesWith(
          op->getOperand(point.variant == Point::SecondOperand));
    Value decided = constant(builder.getI1Type(), point.variant == Point::True);
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return branch.getConditionMutable().assign(decided);
    return op->getResult(0).replaceAllUsesWith(decided);
  }
  case Fault::AsyncWait: {
    if (point.variant == 0)
      return op->erase();
    auto wait = cast<NVVM::CpAsyncWaitGroupOp>(op);
    return wait.setN(wait.getN() + 1);
  }
  case Fault::Shuffle: {
    auto shuffle = cast<gpu::ShuffleOp>(op);
    Type type = builder.getI32Type();
    if (point.variant == 1)
      return shuffle.getWidthMutable().assign(constant(type, 16));
    APInt mask;
    matchPattern(shuffle.getOffset(), m_ConstantInt(&mask));
    int64_t other = mask == 1 ? 2 : mask.getZExtValue() / 2;
    return shuffle.getOffsetMutable().assign(constant(type, other));
  }
  case Fault::Store:
    if (point.variant == 1)
      return findStoreBefore(op)->moveAfter(op);
    return op->erase();
  case Fault::Loop: {
    auto loop = cast<scf::ForOp>(op);
    Value bound = loop.getUpperBound();
    Value other =
        point.variant == 0
            ? Value(arith::SubIOp::create(builder, loc, bound, loop.getStep()))
            : arith::AddIOp::create(builder, loc, bound, loop.getStep());
    return loop.setUpperBound(other);
  }
  }
}

OwningOpRef<ModuleOp> mutant::plant(ModuleOp kernels, const Point &point) {
  OwningOpRef<ModuleOp> copy = kernels.clone();
  unsigned number = 0;
  Operation *found = nullptr;
  copy->walk([&](Operation *op) {
    if (number++ == point.op)
      found = op;
  });
  plantAt(found, point);
  if (failed(verify(*copy)))
    return nullptr;
  return copy;
}
