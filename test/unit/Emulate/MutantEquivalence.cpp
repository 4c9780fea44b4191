//===- MutantEquivalence.cpp - changes that change nothing ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MutantEquivalence.h"

#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mutant;

bool mutant::isAccess(Operation *op) {
  return isa<LLVM::LoadOp, LLVM::StoreOp, NVVM::CpAsyncOp, NVVM::LdMatrixOp>(
      op);
}

bool mutant::hasAccess(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return isAccess(inner) ? WalkResult::interrupt()
                               : WalkResult::advance();
      })
      .wasInterrupted();
}

bool mutant::isBarrier(Operation *op) {
  return isa<gpu::BarrierOp, NVVM::SyncWarpOp>(op);
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

Ranges::Ranges(Operation *kernels) {
  dataflow::loadBaselineAnalyses(solver);
  solver.load<dataflow::IntegerRangeAnalysis>();
  if (failed(solver.initializeAndRun(kernels)))
    llvm::report_fatal_error("no ranges");
}

static std::optional<ConstantIntRanges> lookUp(const DataFlowSolver &solver,
                                               Value value) {
  const auto *state =
      solver.lookupState<dataflow::IntegerValueRangeLattice>(value);
  if (!state || state->getValue().isUninitialized())
    return std::nullopt;
  return state->getValue().getValue();
}

bool Ranges::isAlways(Value condition, bool value) const {
  std::optional<ConstantIntRanges> range = lookUp(solver, condition);
  return range && range->getConstantValue() == APInt(1, value);
}

bool Ranges::isNeverRun(Operation *op) const {
  for (Operation *parent; (parent = op->getParentOp()); op = parent)
    if (auto branch = dyn_cast<scf::IfOp>(parent))
      if (isAlways(branch.getCondition(), op->getBlock() != branch.thenBlock()))
        return true;
  return false;
}

bool Ranges::keepsResult(Operation *op, unsigned number) const {
  if (isa<arith::RemUIOp>(op) && number == 1) {
    std::optional<ConstantIntRanges> dividend =
        lookUp(solver, op->getOperand(0));
    std::optional<ConstantIntRanges> divisor =
        lookUp(solver, op->getOperand(1));
    if (dividend && divisor && dividend->umax().ult(divisor->umin()))
      return true;
  }
  auto inferable = dyn_cast<InferIntRangeInterface>(op);
  std::optional<ConstantIntRanges> before = lookUp(solver, op->getResult(0));
  if (!inferable || !before || !before->getConstantValue())
    return false;
  SmallVector<ConstantIntRanges> operands;
  for (Value operand : op->getOperands()) {
    std::optional<ConstantIntRanges> range = lookUp(solver, operand);
    if (!range)
      return false;
    operands.push_back(*range);
  }
  operands[number] =
      ConstantIntRanges::constant(*operands[number].getConstantValue() + 1);
  bool isSame = false;
  inferable.inferResultRanges(
      operands, [&](Value, const ConstantIntRanges &after) {
        isSame = after.getConstantValue() == before->getConstantValue();
      });
  return isSame;
}

/// Known bits of a number.
llvm::KnownBits Ranges::getBits(Value value) const {
  std::optional<ConstantIntRanges> range = lookUp(solver, value);
  unsigned width = ConstantIntRanges::getStorageBitwidth(value.getType());
  llvm::KnownBits bits(width);
  if (range)
    bits.Zero.setHighBits(range->umax().countl_zero());
  Operation *op = value.getDefiningOp();
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return llvm::KnownBits::makeConstant(constant);
  if (!isa_and_nonnull<arith::AddIOp, arith::MulIOp>(op))
    return bits;
  llvm::KnownBits left = getBits(op->getOperand(0));
  llvm::KnownBits right = getBits(op->getOperand(1));
  return bits.unionWith(isa<arith::AddIOp>(op)
                            ? llvm::KnownBits::add(left, right)
                            : llvm::KnownBits::mul(left, right));
}

bool Ranges::keepsOrder(arith::CmpIOp less) const {
  APInt bound;
  if (!matchPattern(less.getRhs(), m_ConstantInt(&bound)))
    return false;
  llvm::KnownBits bits = getBits(less.getLhs());
  std::optional<ConstantIntRanges> range = lookUp(solver, less.getLhs());
  return bits.Zero.intersects(bound) || bits.One.intersects(~bound) ||
         (range && (range->umax().ult(bound) || range->umin().ugt(bound)));
}

//===----------------------------------------------------------------------===//
// Equal expressions
//===----------------------------------------------------------------------===//

/// Whether two values are computed alike: equal in each thread, or over the
/// same iterations of two loops.
static bool isSame(Value a, Value b) {
  if (a == b)
    return true;
  auto blockA = dyn_cast<BlockArgument>(a), blockB = dyn_cast<BlockArgument>(b);
  if (blockA && blockB) {
    auto loopA = dyn_cast<scf::ForOp>(blockA.getOwner()->getParentOp());
    auto loopB = dyn_cast<scf::ForOp>(blockB.getOwner()->getParentOp());
    return loopA && loopB && a == loopA.getInductionVar() &&
           b == loopB.getInductionVar() &&
           isSame(loopA.getLowerBound(), loopB.getLowerBound()) &&
           isSame(loopA.getUpperBound(), loopB.getUpperBound()) &&
           isSame(loopA.getStep(), loopB.getStep());
  }
  Operation *opA = a.getDefiningOp(), *opB = b.getDefiningOp();
  if (!opA || !opB || opA->getName() != opB->getName() ||
      opA->getAttrDictionary() != opB->getAttrDictionary() ||
      opA->getPropertiesAsAttribute() != opB->getPropertiesAsAttribute() ||
      a.getType() != b.getType() || opA->getNumRegions() != 0 ||
      !isMemoryEffectFree(opA))
    return false;
  return llvm::all_of(
      llvm::zip_equal(opA->getOperands(), opB->getOperands()),
      [](auto pair) { return isSame(std::get<0>(pair), std::get<1>(pair)); });
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

namespace {
struct Access {
  Value address;
  Type type; // of what is accessed; null for copies
  bool isWrite, isBefore;
};
} // namespace

/// The base of an address: an argument, or a variable's symbol.
static void *findBase(Value address) {
  while (Operation *op = address.getDefiningOp()) {
    if (auto variable = dyn_cast<LLVM::AddressOfOp>(op))
      return const_cast<void *>(
          variable.getGlobalNameAttr().getAsOpaquePointer());
    if (!isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp>(op))
      return nullptr;
    address = op->getOperand(0);
  }
  return address.getAsOpaquePointer();
}

bool mutant::isRedundantBarrier(Operation *barrier) {
  Operation *function = barrier->getParentOfType<gpu::GPUFuncOp>();
  for (Operation *op = barrier->getParentOp(); op != function;
       op = op->getParentOp())
    if (!isa<scf::IfOp>(op))
      return false;
  llvm::MapVector<void *, SmallVector<Access>> accesses;
  bool isBefore = true, isUnknown = false;
  auto note = [&](Value address, Type type, bool isWrite) {
    void *base = findBase(address);
    isUnknown |= !base;
    accesses[base].push_back({address, type, isWrite, isBefore});
  };
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == barrier)
      isBefore = false;
    else if (auto load = dyn_cast<LLVM::LoadOp>(op))
      note(load.getAddr(), load.getType(), false);
    else if (auto store = dyn_cast<LLVM::StoreOp>(op))
      note(store.getAddr(), store.getValue().getType(), true);
    else
      isUnknown |= isAccess(op);
  });
  if (isUnknown)
    return false;
  for (const auto &[base, list] : accesses)
    for (const Access &first : list)
      for (const Access &second : list) {
        if (!first.isBefore || second.isBefore ||
            (!first.isWrite && !second.isWrite))
          continue;
        if (first.type != second.type || !isSame(first.address, second.address))
          return false;
      }
  return true;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

bool mutant::isLengthOfParts(Operation *op) {
  Value length = op->getResult(0), first, end;
  for (Operation *user : op->getUsers()) {
    if (isa<arith::MulIOp>(user) && !first)
      first = user->getResult(0);
    else if (isa<arith::AddIOp>(user) && !end)
      end = user->getResult(0);
    else
      return false;
  }
  if (!first || !end || !end.hasOneUse() ||
      !llvm::is_contained(end.getDefiningOp()->getOperands(), first) ||
      !llvm::is_contained(end.getDefiningOp()->getOperands(), length))
    return false;
  auto bound = dyn_cast<arith::MinSIOp>(*end.user_begin());
  return bound && llvm::any_of(bound->getUsers(), [&](Operation *user) {
           auto loop = dyn_cast<scf::ForOp>(user);
           return loop && loop.getLowerBound() == first &&
                  loop.getUpperBound() == bound.getResult();
         });
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

static bool isConstant(Value value, int64_t expected) {
  APInt number;
  return matchPattern(value, m_ConstantInt(&number)) &&
         number.getSExtValue() == expected;
}

/// The x of x * factor, if that is what it is.
static Value getScaled(Value value, int64_t factor) {
  auto product = value.getDefiningOp<arith::MulIOp>();
  return product && isConstant(product.getRhs(), factor) ? product.getLhs()
                                                         : Value();
}

bool mutant::isCoveredByTail(scf::IfOp branch) {
  auto outer = branch.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!outer || outer.getPredicate() != arith::CmpIPredicate::ult)
    return false;
  // ceil(n / lanes) is written as -floor(-n / lanes).
  Value quotient = getScaled(outer.getRhs(), -1);
  auto division = quotient ? quotient.getDefiningOp<arith::FloorDivSIOp>()
                           : arith::FloorDivSIOp();
  Value count = division ? getScaled(division.getLhs(), -1) : Value();
  APInt lanes;
  if (!count || !matchPattern(division.getRhs(), m_ConstantInt(&lanes)))
    return false;
  scf::IfOp inner;
  for (Operation &op : *branch.thenBlock()) {
    if (!hasAccess(&op))
      continue;
    if (inner || !isa<scf::IfOp>(op))
      return false;
    inner = cast<scf::IfOp>(op);
  }
  if (!inner || !inner.elseBlock())
    return false;
  auto isFirst = [&](Value value) {
    Value scaled = getScaled(value, lanes.getSExtValue());
    return scaled && isSame(scaled, outer.getLhs());
  };
  auto fits = inner.getCondition().getDefiningOp<arith::CmpIOp>();
  auto end =
      fits ? fits.getLhs().getDefiningOp<arith::AddIOp>() : arith::AddIOp();
  if (!end || fits.getPredicate() != arith::CmpIPredicate::ule ||
      !isFirst(end.getLhs()) ||
      !isConstant(end.getRhs(), lanes.getSExtValue()) ||
      !isSame(fits.getRhs(), count))
    return false;
  return llvm::all_of(*inner.elseBlock(), [&](Operation &op) {
    auto loop = dyn_cast<scf::ForOp>(op);
    return !hasAccess(&op) || (loop && isFirst(loop.getLowerBound()) &&
                               isSame(loop.getUpperBound(), count));
  });
}
