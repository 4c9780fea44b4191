//===- BlockedReduction.cpp - reductions with results in registers --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockedReduction.h"
#include "LoopSegments.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

namespace {
/// The maximum number of terms that are emitted one by one, so that they share
/// their loads.
constexpr int64_t kMostUnrolled = 24;
/// The minimum number of rows that must remain for threads if one row dimension
/// becomes the pixel dimension.
constexpr int64_t kFewestRows = 4;
constexpr int64_t kMostScratch = 256 * 1024;

bool contains(const Expr &expr, unsigned var) {
  bool found = false;
  walk(expr, [&](Expr node) {
    found |= node.getKind() == ExprKind::Var && node->var == var;
  });
  return found;
}
} // namespace

/// Some adjacent vectors of one or more pixels.
struct BlockedReduction::Block {
  Value column; // the first column
  int64_t vectors, pixels;
};

BlockedReduction::BlockedReduction(const LoopPlan &plan, unsigned number,
                                   unsigned vectorBits, Columns columns)
    : plan(plan), kernelLoop(plan.loops[number]) {
  possible = vectorBits != 0 && analyze(vectorBits, columns);
}

Expr BlockedReduction::extent(unsigned var) const {
  auto *at = llvm::find(kernelLoop.body->vars, var);
  return kernelLoop.body->operands[at - kernelLoop.body->vars.begin()];
}

bool BlockedReduction::analyze(unsigned vectorBits, Columns columns) {
  const Expr &reduce = kernelLoop.body;
  Type type = kernelLoop.elementType;
  unsigned rank = kernelLoop.shape.size();
  if (reduce.getKind() != ExprKind::Reduce || rank <= plan.numRowDims ||
      !(type.isF32() || type.isF64()) || reduce->type != type)
    return false;
  lane = rank - 1;
  lanes = vectorBits / type.getIntOrFloatBitWidth();
  std::optional<int64_t> width = kernelLoop.shape[lane].getConstant();
  from = columns.from;
  to = columns.to.value_or(width.value_or(0));
  // What narrower vectors leave no remainder of takes longer with wider ones.
  if (vectorBits > 256 && (to - from) % lanes != 0)
    lanes /= 2;
  if (!width || to - from < lanes)
    return false;
  if (rank - plan.numRowDims > 1)
    pixel = rank - 2;
  for (const Expr &extent : ArrayRef<Expr>(reduce->operands).drop_back(2))
    if (extent.getKind() != ExprKind::Size)
      return false;
  term.emplace(reduce, lane, lanes, type);
  if (!term->analyze())
    return false;
  bool met = true;
  forEachConjunct(reduce->operands[reduce->vars.size()],
                  [&](Expr condition) { met &= analyzeGuard(condition); });
  if (!met)
    return false;
  chooseOrder();
  // Half of the registers hold results, and the others hold temporary values.
  // If all vectors read the same elements, blocks are two vectors wide. A block
  // of one pixel is wide enough for its sums not to wait for each other.
  int64_t registers = vectorBits > 256 ? 16 : 8;
  vectors = term->hasSplat() ? 2 : 1;
  pixels = term->hasSplat() ? registers / 2 : registers * 3 / 4;
  wide = 8;
  return true;
}

/// Accepts a comparison that is linear in the pixel and in the variables of the
/// reduction.
bool BlockedReduction::analyzeGuard(const Expr &condition) {
  if (condition.getKind() != ExprKind::IndexLess &&
      condition.getKind() != ExprKind::IndexLessEqual)
    return false;
  std::optional<AffineForm> form = getAffineForm(condition->operands[0]);
  std::optional<AffineForm> right = getAffineForm(condition->operands[1]);
  if (!form || !right)
    return false;
  for (const auto &[var, coefficient] : right->coefficients)
    form->coefficients[var] = form->coefficient(var) - coefficient;
  form->constant = form->constant - right->constant;
  if (form->coefficient(lane) != SymInt(0))
    return false;
  for (unsigned var : kernelLoop.body->vars) {
    std::optional<int64_t> scale = form->coefficient(var).getConstant();
    if (!scale ||
        (*scale != 0 && llvm::is_contained(term->constantVars(), var)))
      return false;
    if (*scale > 0)
      form->constant =
          form->constant + SymInt(*scale) * (extent(var)->size - SymInt(1));
    form->coefficients.erase(var);
  }
  guards.push_back(condition);
  bool onPixel = pixel && form->coefficient(*pixel) != SymInt(0);
  Expr hardest = condition.getKind() == ExprKind::IndexLess
                     ? Expr::less(toExpr(*form), Expr::index(0))
                     : Expr::lessEqual(toExpr(*form), Expr::index(0));
  Bounds bounds;
  if (onPixel && !tighten(bounds, hardest, *pixel))
    return false;
  (onPixel ? pixelGuards : rowGuards).push_back(hardest);
  return true;
}

void BlockedReduction::chooseOrder() {
  ArrayRef<unsigned> vars = kernelLoop.body->vars;
  ArrayRef<unsigned> members = term->constantVars();
  auto count = [&](unsigned var) {
    return extent(var)->size.getConstant().value_or(kMostUnrolled + 1);
  };
  auto isMember = [&](unsigned var) {
    return llvm::is_contained(members, var);
  };
  auto isGuarded = [&](unsigned var) {
    return llvm::any_of(
        guards, [&](const Expr &guard) { return contains(guard, var); });
  };
  // Without guards, the last variables are unrolled inside the loops over
  // members, so that adjacent pixels share their loads.
  int64_t unrolled = 1;
  for (unsigned var : members)
    unrolled *= count(var);
  SmallVector<unsigned> last;
  for (unsigned var : llvm::reverse(vars)) {
    if (isMember(var))
      continue;
    if (unrolled * count(var) > kMostUnrolled)
      break;
    unrolled *= count(var);
    last.insert(last.begin(), var);
  }
  for (unsigned var : vars)
    if (!isMember(var) && !llvm::is_contained(last, var))
      freeOrder.push_back(var);
  llvm::append_range(freeOrder, members);
  llvm::append_range(freeOrder, last);
  freeConstants = members.size() + last.size();
  // With guards, the guarded variables come first, so that each guard is
  // evaluated once for all terms for which it is the same.
  for (bool guarded : {true, false})
    for (unsigned var : vars)
      if (!isMember(var) && isGuarded(var) == guarded) {
        guardedOrder.push_back(var);
        guardedVars += guarded;
      }
  llvm::append_range(guardedOrder, members);
  guardedConstants = members.size();
}

Value BlockedReduction::offset(ExprEmitter &at) {
  Expr position = Expr::index(0);
  SymInt stride = 1;
  for (unsigned axis = lane + 1; axis-- > plan.numRowDims;) {
    position = Expr::addIndex(
        Expr::mulIndex(Expr::var(axis), Expr::size(stride)), position);
    stride = stride * kernelLoop.shape[axis];
  }
  return arith::AddIOp::create(at.builder, at.loc, base,
                               at.emitIndex(position));
}

static void emitLoop(const ExprEmitter &outer, Value from, Value to,
                     int64_t step, unsigned var,
                     llvm::function_ref<void(ExprEmitter &)> inside) {
  OpBuilder &b = outer.builder;
  Value by = arith::ConstantIndexOp::create(b, outer.loc, step);
  auto loop = scf::ForOp::create(b, outer.loc, from, to, by);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  ExprEmitter inner = outer.nested();
  inner.setVar(var, loop.getInductionVar());
  inside(inner);
}

void BlockedReduction::emit(const ExprEmitter &row, Value results,
                            Value start) {
  pointer = results;
  base = start;
  emitColumns(row, plan.numRowDims);
}

void BlockedReduction::emitColumns(const ExprEmitter &outer, unsigned axis) {
  OpBuilder &b = outer.builder;
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, outer.loc, value);
  };
  if (axis < (pixel ? *pixel : lane)) {
    ExprEmitter sizes = outer.nested();
    emitLoop(outer, constant(0), sizes.emitSize(kernelLoop.shape[axis]), 1,
             axis, [&](ExprEmitter &inner) { emitColumns(inner, axis + 1); });
    return;
  }
  int64_t count = to - from, step = lanes * wide, full = count / step * step;
  if (full > 0)
    emitLoop(outer, constant(from), constant(from + full), step, lane,
             [&](ExprEmitter &inner) {
               Value column = inner.emitIndex(Expr::var(lane));
               emitPixels(inner, {column, wide, 1});
             });
  if (int64_t rest = (count - full) / lanes)
    emitPixels(outer, {constant(from + full), rest, 1});
  emitTail(outer, from + count / lanes * lanes);
}

/// Emits the columns that do not fill a vector.
void BlockedReduction::emitTail(const ExprEmitter &outer, int64_t first) {
  if (first == to)
    return;
  OpBuilder &b = outer.builder;
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, outer.loc, value);
  };
  auto results = [&](const ExprEmitter &at) {
    emitLoop(
        at, constant(first), constant(to), 1, lane, [&](ExprEmitter &inner) {
          Value value = inner.emitElement(kernelLoop.body);
          inner.store(value, pointer, offset(inner), kernelLoop.elementType);
        });
  };
  if (!pixel)
    return results(outer);
  ExprEmitter sizes = outer.nested();
  emitLoop(outer, constant(0), sizes.emitSize(kernelLoop.shape[*pixel]), 1,
           *pixel, results);
}

void BlockedReduction::emitPixels(const ExprEmitter &outer,
                                  const Block &block) {
  OpBuilder &b = outer.builder;
  Location loc = outer.loc;
  ExprEmitter at = outer.nested();
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value end = pixel ? at.emitSize(kernelLoop.shape[*pixel]) : one;
  // Emits several pixels with fewer vectors at a time.
  auto emitHigh = [&](ExprEmitter &some) {
    int64_t full = block.vectors / vectors * vectors;
    auto column = [&](int64_t further) -> Value {
      return arith::AddIOp::create(
          b, loc, block.column,
          arith::ConstantIndexOp::create(b, loc, further * lanes));
    };
    emitLoop(some, block.column, column(full), vectors * lanes, lane,
             [&](ExprEmitter &inner) {
               Value first = inner.emitIndex(Expr::var(lane));
               emitBlock(inner, {first, vectors, pixels}, false);
             });
    if (full < block.vectors)
      emitBlock(some, {column(full), block.vectors - full, pixels}, false);
  };
  // If the row has all terms, all pixels of [from, to) have them.
  auto withAllTerms = [&](ExprEmitter &inner) {
    if (!pixel)
      return emitBlock(inner, block, /*guarded=*/false);
    Bounds bounds;
    for (const Expr &guard : pixelGuards)
      tighten(bounds, guard, *pixel);
    auto clamp = [&](const Expr &bound, Value low) -> Value {
      Value above = arith::MaxSIOp::create(b, loc, low, inner.emitIndex(bound));
      return arith::MinSIOp::create(b, loc, above, end);
    };
    Value from = bounds.from ? clamp(bounds.from, zero) : zero;
    Value to = bounds.to ? clamp(bounds.to, from) : end;
    if (bounds.from)
      emitGuarded(inner, block, zero, from);
    Value size = arith::SubIOp::create(b, loc, to, from);
    Value step = arith::ConstantIndexOp::create(b, loc, pixels);
    Value blocks = arith::DivUIOp::create(b, loc, size, step);
    Value last = arith::AddIOp::create(
        b, loc, from, arith::MulIOp::create(b, loc, blocks, step));
    emitLoop(inner, from, last, pixels, *pixel, emitHigh);
    emitLoop(inner, last, to, 1, *pixel,
             [&](ExprEmitter &single) { emitBlock(single, block, false); });
    if (bounds.to)
      emitGuarded(inner, block, to, end);
  };
  if (rowGuards.empty())
    return withAllTerms(at);
  Expr all = Expr::always();
  for (const Expr &guard : rowGuards)
    all = Expr::logicalAnd(all, guard);
  auto branch = scf::IfOp::create(b, loc, at.emitBool(all),
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard restore(b);
  b.setInsertionPointToStart(branch.thenBlock());
  ExprEmitter inner = at.nested();
  withAllTerms(inner);
  b.setInsertionPointToStart(branch.elseBlock());
  emitGuarded(at, block, zero, end);
}

/// Emits pixels that may lack some of the terms, one by one.
void BlockedReduction::emitGuarded(const ExprEmitter &outer, const Block &block,
                                   Value from, Value to) {
  if (!pixel)
    return emitBlock(outer, block, /*guarded=*/true);
  emitLoop(outer, from, to, 1, *pixel,
           [&](ExprEmitter &inner) { emitBlock(inner, block, true); });
}

void BlockedReduction::emitBlock(const ExprEmitter &outer, const Block &block,
                                 bool guarded) {
  OpBuilder &b = outer.builder;
  Location loc = outer.loc;
  Value neutral = emitSplat(
      b, loc,
      emitNeutral(b, loc, kernelLoop.body->reduce, kernelLoop.elementType),
      term->type());
  llvm::DenseMap<unsigned, int64_t> constants;
  Results results =
      emitTerms(outer, block, guarded, guarded ? guardedOrder : freeOrder,
                Results(block.vectors * block.pixels, neutral), constants);
  for (int64_t p = 0; p < block.pixels; ++p)
    for (int64_t v = 0; v < block.vectors; ++v) {
      ExprEmitter at = outer.nested();
      at.setVar(lane, block.column);
      int64_t further = v * lanes;
      Value to = offset(at);
      if (pixel)
        further += p * *kernelLoop.shape[lane].getConstant();
      to = arith::AddIOp::create(
          b, loc, to, arith::ConstantIndexOp::create(b, loc, further));
      at.storeVector(results[p * block.vectors + v], pointer, to);
    }
}

/// Emits the loops over the variables of `order`, which carry the results.
BlockedReduction::Results
BlockedReduction::emitTerms(const ExprEmitter &at, const Block &block,
                            bool guarded, ArrayRef<unsigned> order,
                            Results results,
                            llvm::DenseMap<unsigned, int64_t> &constants) {
  OpBuilder &b = at.builder;
  Location loc = at.loc;
  size_t done = (guarded ? guardedOrder : freeOrder).size() - order.size();
  if (guarded && done == guardedVars) {
    // All variables that the guards use are known here.
    Expr condition = Expr::always();
    for (const Expr &guard : guards)
      condition = Expr::logicalAnd(condition, guard);
    ExprEmitter here = at.nested();
    auto branch =
        scf::IfOp::create(b, loc, TypeRange(ValueRange(results)),
                          here.emitBool(condition), /*withElseRegion=*/true);
    OpBuilder::InsertionGuard restore(b);
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, loc, results);
    b.setInsertionPointToStart(branch.thenBlock());
    ExprEmitter inner = here.nested();
    // The guards are evaluated, so emit the rest in this order as if there were
    // none.
    size_t asked = std::exchange(guardedVars, guardedOrder.size() + 1);
    scf::YieldOp::create(
        b, loc,
        emitTerms(inner, block, guarded, order, std::move(results), constants));
    guardedVars = asked;
    return Results(branch.getResults());
  }
  if (order.empty())
    return emitTerm(at, block, std::move(results), constants);
  unsigned var = order.front();
  if (order.size() <= (guarded ? guardedConstants : freeConstants)) {
    int64_t count = *extent(var)->size.getConstant();
    for (int64_t i = 0; i < count; ++i) {
      constants[var] = i;
      results = emitTerms(at, block, guarded, order.drop_front(),
                          std::move(results), constants);
    }
    constants.erase(var);
    return results;
  }
  ExprEmitter sizes = at.nested();
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value count = sizes.emitIndex(extent(var));
  auto loop = scf::ForOp::create(b, loc, zero, count, one, results);
  OpBuilder::InsertionGuard restore(b);
  b.setInsertionPointToStart(loop.getBody());
  ExprEmitter inner = at.nested();
  inner.setVar(var, loop.getInductionVar());
  Results carried(loop.getRegionIterArgs());
  scf::YieldOp::create(b, loc,
                       emitTerms(inner, block, guarded, order.drop_front(),
                                 std::move(carried), constants));
  return Results(loop.getResults());
}

BlockedReduction::Results
BlockedReduction::emitTerm(const ExprEmitter &at, const Block &block,
                           Results results,
                           llvm::DenseMap<unsigned, int64_t> &constants) {
  OpBuilder &b = at.builder;
  for (int64_t v = 0; v < block.vectors; ++v) {
    ExprEmitter inner = at.nested();
    Value further = arith::ConstantIndexOp::create(b, at.loc, v * lanes);
    term->setLane(inner,
                  arith::AddIOp::create(b, at.loc, block.column, further));
    for (int64_t p = 0; p < block.pixels; ++p) {
      if (pixel)
        constants[*pixel] = p;
      Value &result = results[p * block.vectors + v];
      result = inner.combine(kernelLoop.body->reduce, kernelLoop.elementType,
                             result, term->emit(inner, constants));
    }
    if (pixel)
      constants.erase(*pixel);
  }
  return results;
}

LoopPlan tenon::lower::withPixels(LoopPlan plan, unsigned vectorBits) {
  if (plan.numRowDims < 2)
    return plan;
  int64_t rows = 1, scratch = 0;
  for (const SymInt &size : plan.rowShape().drop_back())
    rows *= size.getConstant().value_or(kFewestRows);
  LoopPlan higher = plan;
  --higher.numRowDims;
  for (auto [number, kernelLoop] : llvm::enumerate(higher.loops))
    if (kernelLoop.output < 0) {
      std::optional<int64_t> size = higher.innerSize(number).getConstant();
      scratch +=
          size ? *size * byteWidth(kernelLoop.elementType) : kMostScratch + 1;
    }
  if (rows < kFewestRows || scratch > kMostScratch)
    return plan;
  LoopPlan linear = higher;
  linearizeLoads(linear);
  for (unsigned number = 0; number < linear.loops.size(); ++number) {
    BlockedReduction blocked(linear, number, vectorBits);
    if (blocked.isPossible() && blocked.hasPixels())
      return higher;
    for (const Segment &segment : cutReduction(linear, number)) {
      LoopPlan part = linear;
      part.loops[number].body = segment.element;
      BlockedReduction some(part, number, vectorBits,
                            Columns{segment.from, segment.to});
      if (some.isPossible() && some.hasPixels())
        return higher;
    }
  }
  return plan;
}
