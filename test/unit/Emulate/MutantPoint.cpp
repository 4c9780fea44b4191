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
//   accessed: they hold for no element more. The same is true of a loop that
//   ends at the least of several bounds, where one of these is another: such
//   bounds save work.
// - Short cuts that are taken less often. A branch that accesses nothing is
//   such a one where its condition is false; that they are taken too often is
//   a fault.
// - Numbers that are compared for equality: of threads that have the same
//   result, any may store it.
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
  void visitConstant(OpOperand &operand);
  void visitCondition(Value condition, bool isBranch);
  void visitShortCut(Value condition);
  void add(Fault fault, unsigned variant, const Twine &text) {
    points.push_back({fault, number, variant, text.str()});
  }

  Ranges ranges;
  llvm::DenseMap<Operation *, unsigned> numbers;
  llvm::DenseSet<Operation *> seen;
  unsigned number = 0;
};
} // namespace

/// Whether loops end there: at the least of several bounds.
static bool isLoopBound(Operation *op) {
  return isa<arith::MinSIOp>(op) &&
         llvm::any_of(op->getUsers(), [&](Operation *user) {
           auto loop = dyn_cast<scf::ForOp>(user);
           return isLoopBound(user) ||
                  (loop && loop.getUpperBound() == op->getResult(0));
         });
}

/// Constants that an offset is computed with.
void Lister::visitOffset(Value offset) {
  Operation *op = offset.getDefiningOp();
  if (!op || !isa<arith::ArithDialect>(op->getDialect()) ||
      isa<arith::CmpIOp>(op) || isLoopBound(op) || !seen.insert(op).second)
    return;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isLengthOfParts(op))
      visitConstant(operand);
    visitOffset(operand.get());
  }
}

/// The operand, if it is a constant.
void Lister::visitConstant(OpOperand &operand) {
  APInt value;
  Operation *op = operand.getOwner();
  unsigned index = operand.getOperandNumber();
  if (!matchPattern(operand.get(), m_ConstantInt(&value)) ||
      value.getBitWidth() == 1 || ranges.keepsResult(op, index))
    return;
  points.push_back({Fault::Index, numbers.lookup(op), index,
                    "constant " + std::to_string(value.getSExtValue()) +
                        " of " + op->getName().getStringRef().str()});
}

/// Whether a number is made of the thread, sizes and counters of loops alone.
static bool isPosition(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return value.getType().isIntOrIndex();
  if (isa<gpu::ThreadIdOp, gpu::BlockIdOp>(op))
    return true;
  return isa<arith::ArithDialect>(op->getDialect()) &&
         op->getResult(0).getType().isIntOrIndex() &&
         llvm::all_of(op->getOperands(), isPosition);
}

static bool isLess(arith::CmpIOp comparison) {
  return comparison.getPredicate() == arith::CmpIPredicate::slt ||
         comparison.getPredicate() == arith::CmpIPredicate::ult;
}

/// The comparisons of a condition, and the constants that they are made with.
/// `isBranch`: what if the condition is true is a fault of its own.
void Lister::visitCondition(Value condition, bool isBranch) {
  Operation *op = condition.getDefiningOp();
  if (!op || !isPosition(condition))
    return;
  if (isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op))
    for (Value operand : op->getOperands())
      visitCondition(operand, false);
  auto comparison = dyn_cast<arith::CmpIOp>(op);
  if (!comparison || !seen.insert(op).second)
    return;
  bool isTrue = ranges.isAlways(condition, true);
  bool isFalse = ranges.isAlways(condition, false);
  if (!isTrue && !isBranch)
    points.push_back(
        {Fault::Mask, numbers.lookup(op), Point::True, "comparison is true"});
  if (!isFalse)
    points.push_back(
        {Fault::Mask, numbers.lookup(op), Point::False, "comparison is false"});
  if (!isLess(comparison))
    return;
  if (!isFalse)
    visitOffset(comparison.getLhs());
  if (isTrue)
    return;
  if (!ranges.keepsOrder(comparison))
    visitConstant(op->getOpOperand(1));
  visitOffset(comparison.getRhs());
}

/// Whether a branch only computes: then its other way is a short cut.
static bool hasShortCut(scf::IfOp branch) {
  return !hasAccess(branch) && branch->getNumResults() != 0;
}

/// Whether a number only matters in that short cuts are taken where it is large
/// enough.
static bool leadsToShortCut(Value number) {
  return llvm::all_of(number.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<arith::AddIOp>(user))
      return leadsToShortCut(user->getResult(0));
    auto comparison = dyn_cast<arith::CmpIOp>(user);
    return comparison && isLess(comparison) && use.getOperandNumber() == 0 &&
           llvm::all_of(user->getUsers(), [](Operation *branch) {
             return isa<scf::IfOp>(branch) &&
                    hasShortCut(cast<scf::IfOp>(branch));
           });
  });
}

/// Whether no short cut is taken because the condition is true: then the number
/// is the least possible.
static bool isShortCut(arith::SelectOp select) {
  return matchPattern(select.getTrueValue(), m_Zero()) &&
         isa_and_nonnull<arith::RemUIOp>(
             select.getFalseValue().getDefiningOp()) &&
         leadsToShortCut(select.getResult());
}

/// The value that is taken if the condition is false.
void Lister::visitShortCut(Value condition) {
  auto comparison = condition.getDefiningOp<arith::CmpIOp>();
  if (!comparison || !isLess(comparison))
    return;
  points.push_back(
      {Fault::Mask, numbers.lookup(comparison), Point::False, "short cut"});
  visitOffset(comparison.getLhs());
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
  if (ranges.isNeverRun(op))
    return;
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
    if (hasAccess(op) && !ranges.isAlways(branch.getCondition(), true) &&
        !isCoveredByTail(branch))
      add(Fault::Mask, Point::True,
          branch.elseBlock() ? "with another way" : "");
    if (hasShortCut(branch))
      visitShortCut(branch.getCondition());
    else
      visitCondition(branch.getCondition(), hasAccess(op));
  } else if (auto select = dyn_cast<arith::SelectOp>(op)) {
    if (isShortCut(select))
      visitShortCut(select.getCondition());
    else
      visitCondition(select.getCondition(), false);
  } else if (isa<arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp,
                 arith::MaxUIOp>(op)) {
    if (!isLoopBound(op)) {
      add(Fault::Mask, Point::FirstOperand, "first operand of a bound");
      add(Fault::Mask, Point::SecondOperand, "second operand of a bound");
    }
  } else if (isa<NVVM::CpAsyncWaitGroupOp>(op)) {
    add(Fault::AsyncWait, 0, "removed");
    add(Fault::AsyncWait, 1, "one copy fewer");
  } else if (isa<NVVM::CpAsyncCommitGroupOp>(op)) {
    add(Fault::AsyncWait, 0, "group not ended");
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
    loop.getBody()->walk(
        [&](NVVM::CpAsyncOp copy) { hasMask |= bool(copy.getCpSize()); });
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
