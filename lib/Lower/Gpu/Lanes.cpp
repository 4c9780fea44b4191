//===- Lanes.cpp - wide accesses to neighbouring elements -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lanes.h"

#include "tenon/Dialect/Graph/Analysis/LinearIndex.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <numeric>

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

/// Larger divisors are not useful.
static constexpr int64_t kMostDivisor = 1 << 20;

int64_t tenon::lower::getDivisor(const SymInt &size) {
  if (size.isUnknown())
    return 1;
  int64_t divisor = 0;
  for (const auto &[monomial, coefficient] : size.getTerms())
    divisor = std::gcd(divisor, coefficient);
  return divisor == 0 ? kMostDivisor : divisor;
}

static bool dependsOn(const Expr &root, const LaneVar &lane) {
  bool found = false;
  walk(root, [&](Expr node) {
    found |= node.getKind() == ExprKind::Var && node->var == lane.var;
    found |=
        node.getKind() == ExprKind::Load && node->operand >= lane.firstVarying;
  });
  return found;
}

LaneIndex tenon::lower::analyzeLanes(const Expr &index, const LaneVar &lane) {
  LinearIndex linear = getLinearIndex(index);
  std::optional<int64_t> stride = linear.getCoefficient(lane.var).getConstant();
  if (!stride)
    return {};
  // Every number divides 0.
  int64_t divisor =
      linear.constant == SymInt(0) ? 0 : getDivisor(linear.constant);
  for (const LinearIndex::Term &term : linear.terms) {
    bool isLane =
        term.index.getKind() == ExprKind::Var && term.index->var == lane.var;
    if (!isLane && dependsOn(term.index, lane))
      return {};
    int64_t factor = getDivisor(term.coefficient) * (isLane ? lane.count : 1);
    divisor = std::gcd(divisor, factor);
  }
  return {*stride, divisor == 0 ? kMostDivisor : divisor};
}

static bool isIndexSelect(const Expr &node) {
  return node.getKind() == ExprKind::Select &&
         node->operands[0].getKind() != ExprKind::FromBoolElement;
}

/// Calls `visit` for every load that is executed regardless of conditions on
/// indices.
static void forEachLoad(const Expr &root,
                        llvm::function_ref<void(const Expr &)> visit) {
  llvm::DenseSet<const ExprNode *> seen;
  std::function<void(const Expr &)> descend = [&](const Expr &node) {
    if (!seen.insert(node.getPointer()).second)
      return;
    for (const Expr &operand : node->operands)
      descend(operand);
    if (node.getKind() == ExprKind::Load)
      visit(node);
  };
  descend(root);
}

int64_t tenon::lower::countLanes(const LoopPlan &plan, LaneVar lane) {
  int64_t widest = 1;
  for (const KernelLoop &loop : plan.loops) {
    widest = std::max(widest, byteWidth(loop.elementType));
    forEachLoad(loop.body, [&](const Expr &load) {
      widest = std::max(widest, byteWidth(load->type));
    });
  }
  // For one-byte elements, more than 4 per thread gain nothing.
  int64_t most = std::min<int64_t>(kWidestAccess / widest, 8);
  int64_t best = 1;
  for (int64_t lanes = 2; lanes <= most; lanes *= 2) {
    unsigned wide = 0, narrow = 0;
    for (const KernelLoop &loop : plan.loops)
      forEachLoad(loop.body, [&](const Expr &load) {
        if (load->operand >= plan.numInputs)
          return;
        lane.count = lanes;
        LaneIndex index = analyzeLanes(load->operands[0], lane);
        if (index.stride == 0 ||
            (index.stride == 1 && index.divisor % lanes == 0))
          ++wide;
        else
          ++narrow;
      });
    if (narrow == 0)
      best = lanes;
  }
  return best;
}

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

LaneEmitter::LaneEmitter(GpuKernelBuilder &kernel, const ExprEmitter &at,
                         const LaneVar &var, Value first)
    : kernel(kernel), var(var) {
  for (int64_t lane = 0; lane < var.count; ++lane) {
    lanes.push_back(at.nested());
    lanes.back().setVar(
        var.var, lane == 0 ? first : kernel.add(first, kernel.constant(lane)));
  }
}

void LaneEmitter::setValues(const Expr &part, ArrayRef<Value> values) {
  for (auto [lane, value] : llvm::zip(lanes, values))
    lane.setValue(part, value);
  prepared.insert(part.getPointer());
}

SmallVector<Value> LaneEmitter::emit(const Expr &element) {
  prepare(element);
  Values values;
  for (ExprEmitter &lane : lanes)
    values.push_back(lane.emitElement(element));
  return values;
}

void LaneEmitter::prepare(const Expr &root) {
  if (!prepared.insert(root.getPointer()).second)
    return;
  switch (root.getKind()) {
  case ExprKind::Load:
    for (const Expr &index : root->operands)
      prepare(index);
    return prepareLoad(root);
  case ExprKind::Reduce:
    return prepareReduce(root);
  case ExprKind::Select:
    if (isIndexSelect(root)) {
      prepare(root->operands[0]);
      return prepareSelect(root);
    }
    break;
  case ExprKind::IndexSelect:
  case ExprKind::And:
  case ExprKind::Or:
    // The other operands may be read only if the first operand permits it.
    return prepare(root->operands[0]);
  default:
    break;
  }
  for (const Expr &operand : root->operands)
    prepare(operand);
}

void LaneEmitter::prepareLoad(const Expr &load) {
  OpBuilder &b = kernel.builder;
  Location loc = kernel.loc;
  LaneIndex index = analyzeLanes(load->operands[0], var);
  ExprEmitter &first = lanes.front();
  Value pointer = kernel.context.pointers[load->operand];
  if (!pointer || !index.stride)
    return;
  if (*index.stride == 0 && !dependsOn(load, var)) {
    Value value = first.emitElement(load);
    return setValues(load, Values(lanes.size(), value));
  }
  if (*index.stride != 1 || index.divisor % size() != 0 || size() == 1)
    return;
  Type memory = memoryType(load->type);
  Value position = arith::IndexCastOp::create(
      b, loc, b.getI64Type(), first.emitIndex(load->operands[0]));
  Value address = LLVM::GEPOp::create(b, loc, pointer.getType(), memory,
                                      pointer, ArrayRef<LLVM::GEPArg>{position},
                                      LLVM::GEPNoWrapFlags::inbounds);
  Value wide = LLVM::LoadOp::create(
      b, loc, VectorType::get({size()}, memory), address,
      static_cast<unsigned>(size() * byteWidth(load->type)));
  Values values;
  for (int64_t lane = 0; lane < size(); ++lane)
    values.push_back(first.fromMemory(
        vector::ExtractOp::create(b, loc, wide, lane), load->type));
  setValues(load, values);
}

/// Returns true if a condition is the same in all lanes.
bool LaneEmitter::isSame(const Expr &condition) const {
  switch (condition.getKind()) {
  case ExprKind::True:
    return true;
  case ExprKind::And:
  case ExprKind::Or:
  case ExprKind::Not:
    return llvm::all_of(condition->operands,
                        [&](const Expr &part) { return isSame(part); });
  case ExprKind::IndexLess: {
    // The bound of a < b falls between two groups of lanes.
    LaneIndex a = analyzeLanes(condition->operands[0], var);
    LaneIndex b = analyzeLanes(condition->operands[1], var);
    int64_t count = lanes.size();
    if (a.stride == 1 && b.stride == 0 && a.divisor % count == 0 &&
        b.divisor % count == 0)
      return true;
    break;
  }
  default:
    break;
  }
  return !dependsOn(condition, var);
}

SmallVector<Value>
LaneEmitter::emitBranch(Value condition, Type type,
                        llvm::function_ref<Values(LaneEmitter &)> then,
                        llvm::function_ref<Values(LaneEmitter &)> otherwise) {
  SmallVector<Type> types(lanes.size(), type);
  auto branch = scf::IfOp::create(kernel.builder, kernel.loc, types, condition,
                                  /*withElseRegion=*/true);
  auto fill = [&](Block *block,
                  llvm::function_ref<Values(LaneEmitter &)> side) {
    OpBuilder::InsertionGuard guard(kernel.builder);
    kernel.builder.setInsertionPointToEnd(block);
    LaneEmitter inner = *this;
    Values values = side(inner);
    scf::YieldOp::create(kernel.builder, kernel.loc, values);
  };
  fill(branch.thenBlock(), then);
  fill(branch.elseBlock(), otherwise);
  return Values(branch.getResults());
}

/// A select whose condition is the same in all lanes becomes one branch
/// (concatenation, padding).
void LaneEmitter::prepareSelect(const Expr &select) {
  bool guards = false;
  for (unsigned side : {1u, 2u})
    walk(select->operands[side], [&](Expr node) {
      guards |= node.getKind() == ExprKind::Load ||
                node.getKind() == ExprKind::Reduce;
    });
  if (!guards || !isSame(select->operands[0]))
    return;
  Value condition = lanes.front().emitBool(select->operands[0]);
  setValues(select,
            emitBranch(
                condition, computeType(select->type),
                [&](LaneEmitter &at) { return at.emit(select->operands[1]); },
                [&](LaneEmitter &at) { return at.emit(select->operands[2]); }));
}

/// Emits one loop nest with an accumulator per lane.
void LaneEmitter::prepareReduce(const Expr &reduce) {
  size_t depth = reduce->vars.size();
  const Expr &guard = reduce->operands[depth];
  const Expr &body = reduce->operands[depth + 1];
  if (!isSame(guard))
    return;
  for (const Expr &extent : ArrayRef<Expr>(reduce->operands).take_front(depth))
    if (dependsOn(extent, var))
      return;
  Value neutral =
      emitNeutral(kernel.builder, kernel.loc, reduce->reduce, reduce->type);
  auto join = [&](LaneEmitter &at, ValueRange carried) {
    Values values = at.emit(body);
    for (auto [lane, value, sum] : llvm::zip(at.lanes, values, carried))
      value = lane.combine(reduce->reduce, reduce->type, sum, value);
    return values;
  };
  std::function<Values(LaneEmitter &, unsigned, ValueRange)> nest =
      [&](LaneEmitter &at, unsigned number, ValueRange carried) -> Values {
    if (number == depth) {
      if (guard.getKind() == ExprKind::True)
        return join(at, carried);
      Values sums(carried);
      return at.emitBranch(
          at.lanes.front().emitBool(guard), sums.front().getType(),
          [&](LaneEmitter &inner) { return join(inner, sums); },
          [&](LaneEmitter &) { return sums; });
    }
    Value extent = at.lanes.front().emitIndex(reduce->operands[number]);
    return kernel.emitFor(kernel.constant(0), extent, kernel.constant(1),
                          carried, [&](Value position, ValueRange inside) {
                            LaneEmitter inner = at;
                            for (ExprEmitter &lane : inner.lanes)
                              lane.setVar(reduce->vars[number], position);
                            return nest(inner, number + 1, inside);
                          });
  };
  setValues(reduce, nest(*this, 0, Values(lanes.size(), neutral)));
}

void LaneEmitter::store(ArrayRef<Value> values, Value pointer,
                        const Expr &position, Type type) {
  ExprEmitter &first = lanes.front();
  if (values.size() == 1)
    return first.store(values[0], pointer, first.emitIndex(position), type);
  OpBuilder &b = kernel.builder;
  Type memory = memoryType(type);
  Values raw;
  for (auto [lane, value] : llvm::zip(lanes, values))
    raw.push_back(lane.toMemory(value, type));
  auto wideType = VectorType::get({size()}, memory);
  Value wide = vector::FromElementsOp::create(b, kernel.loc, wideType, raw);
  Value offset = arith::IndexCastOp::create(b, kernel.loc, b.getI64Type(),
                                            first.emitIndex(position));
  Value address = LLVM::GEPOp::create(b, kernel.loc, pointer.getType(), memory,
                                      pointer, ArrayRef<LLVM::GEPArg>{offset},
                                      LLVM::GEPNoWrapFlags::inbounds);
  LLVM::StoreOp::create(b, kernel.loc, wide, address,
                        static_cast<unsigned>(size() * byteWidth(type)));
}
