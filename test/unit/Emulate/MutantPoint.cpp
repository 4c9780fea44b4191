//===- MutantPoint.cpp - single faults for kernels ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Changes that provably change nothing are no faults, and are not listed:
//
// - Barriers, conditions and constants of which MutantEquivalence.h proves it.
// - Stores of global memory behind a barrier: no other thread reads them there.
// - Addresses that nothing is read from or written to.
// - A loop that runs once more, where conditions in its body say what is
//   accessed: they hold for no element more.
// - Masks of shuffles are replaced by the next smaller power of two (1 by 2).
//   A butterfly of masks that are still independent, as with 17 for 16, would
//   reach all lanes all the same.
//
//===----------------------------------------------------------------------===//

#include "MutantPoint.h"
#include "MutantEquivalence.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace mutant;

const char *mutant::getName(Fault fault) {
  static const char *const names[kNumFaults] = {
      "barrier", "index", "mask", "async wait", "shuffle", "store", "loop"};
  return names[static_cast<unsigned>(fault)];
}

/// Whether some access is at an address that is made of this one.
static bool isAccessed(Value address) {
  return llvm::any_of(address.getUsers(), [](Operation *user) {
    return isAccess(user) || (isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp>(user) &&
                              isAccessed(user->getResult(0)));
  });
}

/// The op before a barrier that stores in shared memory, if it can be moved.
static Operation *findStoreBefore(Operation *barrier) {
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

namespace {
class Lister {
public:
  explicit Lister(ModuleOp kernels) : ranges(kernels) {}

  std::vector<Point> points;
  std::vector<Point> redundant;

  void visit(Operation *op, unsigned number);

private:
  void visitAddress(LLVM::GEPOp address);
  void visitOffset(Value offset);
  void add(Fault fault, unsigned variant, const Twine &text) {
    points.push_back({fault, number, variant, text.str()});
  }

  Ranges ranges;
  llvm::DenseMap<Operation *, unsigned> numbers;
  llvm::DenseSet<Operation *> seen;
  unsigned number = 0;
};
} // namespace

/// Constants that an offset is computed with.
void Lister::visitOffset(Value offset) {
  Operation *op = offset.getDefiningOp();
  if (!op || !isa<arith::ArithDialect>(op->getDialect()) ||
      !seen.insert(op).second)
    return;
  for (OpOperand &operand : op->getOpOperands()) {
    APInt value;
    if (matchPattern(operand.get(), m_ConstantInt(&value))) {
      if (value.getBitWidth() > 1 && !isa<arith::CmpIOp>(op) &&
          !ranges.keepsResult(op, operand.getOperandNumber()))
        points.push_back({Fault::Index, numbers.lookup(op),
                          operand.getOperandNumber(),
                          "constant " + std::to_string(value.getSExtValue()) +
                              " of " + op->getName().getStringRef().str()});
    } else {
      visitOffset(operand.get());
    }
  }
}

void Lister::visitAddress(LLVM::GEPOp address) {
  if (!isAccessed(address.getResult()))
    return;
  for (auto [number, index] : llvm::enumerate(address.getIndices())) {
    if (auto constant = dyn_cast<IntegerAttr>(index)) {
      add(Fault::Index, number, "offset " + Twine(constant.getInt()));
      continue;
    }
    add(Fault::Index, number, "offset");
    visitOffset(cast<Value>(index));
  }
}

void Lister::visit(Operation *op, unsigned opNumber) {
  number = opNumber;
  numbers[op] = number;
  if (isBarrier(op)) {
    if (isRedundantBarrier(op)) {
      redundant.push_back(
          {Fault::Barrier, number, 0, op->getName().getStringRef().str()});
      return;
    }
    add(Fault::Barrier, 0, op->getName().getStringRef());
    if (findStoreBefore(op))
      add(Fault::Store, 1, "behind a barrier");
  } else if (auto address = dyn_cast<LLVM::GEPOp>(op)) {
    visitAddress(address);
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    if (hasAccess(op) && !ranges.isAlwaysTrue(branch.getCondition()) &&
        !isCoveredByTail(branch))
      add(Fault::Mask, 0, branch.elseBlock() ? "with another way" : "");
  } else if (isa<NVVM::CpAsyncWaitGroupOp>(op)) {
    add(Fault::AsyncWait, 0, "removed");
    add(Fault::AsyncWait, 1, "one copy fewer");
  } else if (auto shuffle = dyn_cast<gpu::ShuffleOp>(op)) {
    APInt mask;
    if (matchPattern(shuffle.getOffset(), m_ConstantInt(&mask)))
      add(Fault::Shuffle, 0, "mask " + Twine(mask.getZExtValue()));
    add(Fault::Shuffle, 1, "width");
  } else if (isa<LLVM::StoreOp>(op)) {
    add(Fault::Store, 0, "removed");
  } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
    bool hasMask = false;
    loop.getBody()->walk([&](scf::IfOp mask) { hasMask |= hasAccess(mask); });
    add(Fault::Loop, 0, "one iteration fewer");
    if (!hasMask && hasAccess(op))
      add(Fault::Loop, 1, "one iteration more");
  }
}

std::vector<Point> mutant::listPoints(ModuleOp kernels,
                                      std::vector<Point> *redundant) {
  Lister lister(kernels);
  unsigned number = 0;
  kernels.walk([&](Operation *op) { lister.visit(op, number++); });
  if (redundant)
    llvm::append_range(*redundant, lister.redundant);
  return std::move(lister.points);
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
  case Fault::Mask:
    return cast<scf::IfOp>(op).getConditionMutable().assign(
        constant(builder.getI1Type(), 1));
  case Fault::AsyncWait: {
    auto wait = cast<NVVM::CpAsyncWaitGroupOp>(op);
    if (point.variant == 0)
      return op->erase();
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
    Value change = constant(bound.getType(), point.variant == 0 ? -1 : 1);
    return loop.setUpperBound(
        arith::AddIOp::create(builder, loc, bound, change));
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
