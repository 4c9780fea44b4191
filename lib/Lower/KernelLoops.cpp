//===- KernelLoops.cpp - the loops of one kernel loop in one row ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelLoops.h"
#include "AffineOffsets.h"
#include "BlockedReduction.h"
#include "Guards.h"
#include "HoistReductions.h"
#include "LoopSegments.h"
#include "Reciprocals.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

namespace {
bool usesVars(const Expr &root, llvm::function_ref<bool(unsigned)> which) {
  bool found = false;
  walk(root, [&](Expr node) {
    found |= node.getKind() == ExprKind::Var && which(node->var);
    // A condition that depends on data cannot be hoisted out of the loop
    // either.
    found |= node.getKind() == ExprKind::Load;
  });
  return found;
}

/// Returns true if the reduction is a maximum or minimum of few terms. One that
/// propagates NaN takes several dependent instructions per term. With too few
/// terms for vectors along the reduction, vectors of neighbouring results are
/// faster.
bool isWindowOfExtrema(const Expr &reduce) {
  constexpr int64_t kFew = 8;
  if ((reduce->reduce != ReduceKind::Max &&
       reduce->reduce != ReduceKind::Min) ||
      reduce->vars.empty())
    return false;
  const Expr &extent = reduce->operands[reduce->vars.size() - 1];
  return extent.getKind() == ExprKind::Size &&
         extent->size.getConstant().value_or(kFew) < kFew;
}

/// Emits the loops of one kernel loop. The position in the loop nest is kept in
/// the emitter's variables.
class KernelLoopEmitter {
public:
  KernelLoopEmitter(const LoopPlan &plan, unsigned number, Value pointer,
                    Value base, bool regroups, Window window)
      : plan(plan), kernelLoop(plan.loops[number]), pointer(pointer),
        base(base), regroups(regroups), window(window),
        rank(kernelLoop.shape.size()) {}

  void run(ExprEmitter &row) {
    const Expr &body = kernelLoop.body;
    if (body.getKind() == ExprKind::Reduce && rank > plan.numRowDims &&
        !runsAlongMemory(body))
      emitAccumulation(row);
    else
      emitPointwise(row, plan.numRowDims, body, 0);
  }

private:
  bool runsAlongMemory(const Expr &reduce) const;
  void emitPointwise(ExprEmitter &outer, unsigned axis, const Expr &body,
                     unsigned depth);
  void emitSegments(ExprEmitter &outer, const Expr &body);
  void emitAccumulation(ExprEmitter &row);
  void emitInner(ExprEmitter &outer, unsigned axis, const Bounds &bounds,
                 llvm::function_ref<void(ExprEmitter &, Value)> inside);
  void loop(ExprEmitter &outer, Value from, Value to, unsigned var,
            llvm::function_ref<void(ExprEmitter &)> inside);
  /// Emits the position in the kernel loop's storage of the element at the
  /// inner variables.
  Value offset(ExprEmitter &at);
  bool isKept(const Expr &element) const;
  void storeElement(ExprEmitter &at, const Expr &element);

  const LoopPlan &plan;
  const KernelLoop &kernelLoop;
  Value pointer, base;
  /// Whether sums may be reassociated, which changes their rounding.
  bool regroups;
  Window window;
  unsigned rank;
};
} // namespace

/// Returns true if the innermost reduction variable, rather than the innermost
/// result variable, traverses contiguous memory.
bool KernelLoopEmitter::runsAlongMemory(const Expr &reduce) const {
  if (isWindowOfExtrema(reduce))
    return false;
  bool result = false, reduction = false;
  walk(reduce->operands.back(), [&](Expr node) {
    if (node.getKind() != ExprKind::Load)
      return;
    std::optional<AffineForm> form = getAffineForm(node->operands[0]);
    if (!form)
      return;
    result |= form->coefficient(rank - 1) == SymInt(1);
    if (!reduce->vars.empty())
      reduction |= form->coefficient(reduce->vars.back()) == SymInt(1);
  });
  return reduction && !result;
}

void KernelLoopEmitter::loop(ExprEmitter &outer, Value from, Value to,
                             unsigned var,
                             llvm::function_ref<void(ExprEmitter &)> inside) {
  OpBuilder &b = outer.builder;
  Value one = arith::ConstantIndexOp::create(b, outer.loc, 1);
  auto forOp = scf::ForOp::create(b, outer.loc, from, to, one);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(forOp.getBody());
  ExprEmitter inner = outer.nested();
  inner.setVar(var, forOp.getInductionVar());
  inside(inner);
}

Value KernelLoopEmitter::offset(ExprEmitter &at) {
  Expr position = Expr::index(0);
  SymInt stride = 1;
  for (unsigned axis = rank; axis-- > plan.numRowDims;) {
    position = Expr::addIndex(
        Expr::mulIndex(Expr::var(axis), Expr::size(stride)), position);
    stride = stride * kernelLoop.shape[axis];
  }
  return arith::AddIOp::create(at.builder, at.loc, base,
                               at.emitIndex(position));
}

/// Returns true if the element is already stored at its destination. A kernel
/// loop that overwrites an input loads only these elements from it.
bool KernelLoopEmitter::isKept(const Expr &element) const {
  return kernelLoop.inPlaceOf >= 0 && element.getKind() == ExprKind::Load &&
         element->operand == static_cast<unsigned>(kernelLoop.inPlaceOf);
}

/// Stores the element at the inner variables if that changes it: an in-place
/// update of one position does not write the other elements.
void KernelLoopEmitter::storeElement(ExprEmitter &at, const Expr &element) {
  if (isKept(element))
    return;
  bool keepsThen =
      element.getKind() == ExprKind::Select && isKept(element->operands[1]);
  bool keepsElse =
      element.getKind() == ExprKind::Select && isKept(element->operands[2]);
  if (!keepsThen && !keepsElse) {
    Value value = at.emitElement(element);
    at.store(value, pointer, offset(at), kernelLoop.elementType);
    return;
  }
  auto branch =
      scf::IfOp::create(at.builder, at.loc, at.emitBool(element->operands[0]),
                        /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(at.builder);
  at.builder.setInsertionPointToStart(keepsThen ? branch.elseBlock()
                                                : branch.thenBlock());
  ExprEmitter inner = at.nested();
  storeElement(inner, element->operands[keepsThen ? 2 : 1]);
}

/// Emits the innermost loop, split at the positions where a condition on its
/// variable changes, so that no segment branches (concatenation and padding
/// along the last axis).
void KernelLoopEmitter::emitSegments(ExprEmitter &outer, const Expr &body) {
  unsigned var = rank - 1;
  OpBuilder &b = outer.builder;
  auto emit = [&](Value from, Value to, const Expr &element) {
    if (isKept(element))
      return;
    if (window.from) {
      from = arith::MaxSIOp::create(b, outer.loc, from, window.from);
      to = arith::MinSIOp::create(b, outer.loc, to, window.to);
    }
    SmallVector<Expr> invariants =
        findInvariantReductions(element, [&](const Expr &node) {
          return node.getKind() == ExprKind::Var && node->var == var;
        });
    SmallVector<Expr> divisors;
    if (regroups)
      divisors = findSharedDivisors(element, var);
    emitAfterInvariants(outer, from, to, invariants, [&](ExprEmitter &at) {
      emitWithReciprocals(at, from, to, divisors, [&](ExprEmitter &within) {
        loop(within, from, to, var,
             [&](ExprEmitter &inner) { storeElement(inner, element); });
      });
    });
  };
  SmallVector<Segment> segments =
      cutAtConditions(body, var, kernelLoop.shape[var]);
  if (segments.empty()) {
    emit(arith::ConstantIndexOp::create(b, outer.loc, 0),
         outer.emitSize(kernelLoop.shape[var]), body);
    return;
  }
  for (const Segment &segment : segments)
    emit(arith::ConstantIndexOp::create(b, outer.loc, segment.from),
         arith::ConstantIndexOp::create(b, outer.loc, segment.to),
         segment.element);
}

void KernelLoopEmitter::emitPointwise(ExprEmitter &outer, unsigned axis,
                                      const Expr &body, unsigned depth) {
  OpBuilder &b = outer.builder;
  if (axis == rank) {
    storeElement(outer, body);
    return;
  }
  if (axis + 1 < rank) {
    loop(outer, arith::ConstantIndexOp::create(b, outer.loc, 0),
         outer.emitSize(kernelLoop.shape[axis]), axis, [&](ExprEmitter &inner) {
           emitPointwise(inner, axis + 1, body, depth);
         });
    return;
  }
  // A condition that is invariant in the innermost loop becomes a branch around
  // it.
  constexpr unsigned kMostBranches = 4;
  Expr fixed;
  if (depth < kMostBranches)
    forEachComparison(body, [&](Expr comparison) {
      if (!fixed &&
          !usesVars(comparison, [&](unsigned var) { return var >= rank - 1; }))
        fixed = comparison;
    });
  if (!fixed) {
    emitSegments(outer, body);
    return;
  }
  auto branch = scf::IfOp::create(b, outer.loc, outer.emitBool(fixed),
                                  /*withElseRegion=*/true);
  for (bool side : {true, false}) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(side ? branch.thenBlock() : branch.elseBlock());
    Expr resolved = resolveSelects(body, [&](Expr comparison) {
      return comparison.getPointer() == fixed.getPointer()
                 ? std::optional<bool>(side)
                 : std::nullopt;
    });
    ExprEmitter inner = outer.nested();
    emitPointwise(inner, axis, resolved, depth + 1);
  }
}

/// Emits loops over the inner dimensions, the last of them within `bounds`.
void KernelLoopEmitter::emitInner(
    ExprEmitter &outer, unsigned axis, const Bounds &bounds,
    llvm::function_ref<void(ExprEmitter &, Value)> inside) {
  if (axis == rank) {
    inside(outer, offset(outer));
    return;
  }
  Expr from = Expr::index(0), to = Expr::size(kernelLoop.shape[axis]);
  if (axis + 1 == rank) {
    from = bounds.from ? Expr::maxIndex(from, bounds.from) : from;
    to = bounds.to ? Expr::minIndex(to, bounds.to) : to;
  }
  Value first = outer.emitIndex(from), end = outer.emitIndex(to);
  if (axis + 1 == rank && window.from) {
    first =
        arith::MaxSIOp::create(outer.builder, outer.loc, first, window.from);
    end = arith::MinSIOp::create(outer.builder, outer.loc, end, window.to);
  }
  loop(outer, first, end, axis,
       [&](ExprEmitter &inner) { emitInner(inner, axis + 1, bounds, inside); });
}

/// Emits a reduction with the result's inner dimensions as the innermost loops:
/// the row of results is the accumulator, and vectorizes.
void KernelLoopEmitter::emitAccumulation(ExprEmitter &row) {
  const Expr &reduce = kernelLoop.body;
  OpBuilder &b = row.builder;
  Type type = kernelLoop.elementType;
  emitInner(row, plan.numRowDims, Bounds(), [&](ExprEmitter &at, Value where) {
    at.store(emitNeutral(b, at.loc, reduce->reduce, type), pointer, where,
             type);
  });
  const Expr &body = reduce->operands.back();
  // Conditions of the guard on the innermost variable become bounds of its
  // loop, so that the loop does not branch. Conditions on outer variables are
  // evaluated outside.
  Bounds bounds;
  Expr outside = Expr::always(), within = Expr::always();
  forEachConjunct(reduce->operands[reduce->vars.size()], [&](Expr condition) {
    bool isInner = usesVars(condition, [&](unsigned var) {
      return var >= plan.numRowDims && var < rank;
    });
    if (!isInner)
      outside = Expr::logicalAnd(outside, condition);
    else if (!tighten(bounds, condition, rank - 1))
      within = Expr::logicalAnd(within, condition);
  });
  auto accumulate = [&](ExprEmitter &at, Value where) {
    Value value = at.load(pointer, where, type);
    Value joined =
        at.combine(reduce->reduce, type, value, at.emitElement(body));
    at.store(joined, pointer, where, type);
  };
  auto guarded = [&](ExprEmitter &at, const Expr &guard,
                     llvm::function_ref<void(ExprEmitter &)> inside) {
    if (guard.getKind() == ExprKind::True)
      return inside(at);
    auto branch = scf::IfOp::create(b, at.loc, at.emitBool(guard),
                                    /*withElseRegion=*/false);
    OpBuilder::InsertionGuard restore(b);
    b.setInsertionPointToStart(branch.thenBlock());
    ExprEmitter inner = at.nested();
    inside(inner);
  };
  std::function<void(ExprEmitter &, unsigned)> nest = [&](ExprEmitter &outer,
                                                          unsigned depth) {
    if (depth < reduce->vars.size()) {
      loop(outer, arith::ConstantIndexOp::create(b, outer.loc, 0),
           outer.emitIndex(reduce->operands[depth]), reduce->vars[depth],
           [&](ExprEmitter &inner) { nest(inner, depth + 1); });
      return;
    }
    guarded(outer, outside, [&](ExprEmitter &at) {
      emitInner(at, plan.numRowDims, bounds,
                [&](ExprEmitter &inner, Value where) {
                  guarded(inner, within, [&](ExprEmitter &innermost) {
                    accumulate(innermost, where);
                  });
                });
    });
  };
  nest(row, 0);
}

/// Emits a part of a reduction's results.
static void emitSegment(const ExprEmitter &row, const LoopPlan &part,
                        unsigned number, Value pointer, Value base,
                        unsigned vectorBits, const Segment &segment) {
  BlockedReduction blocked(part, number, vectorBits,
                           Columns{segment.from, segment.to});
  if (blocked.isPossible())
    return blocked.emit(row, pointer, base);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(row.builder, row.loc, value);
  };
  ExprEmitter at = row.nested();
  Window window{constant(segment.from), constant(segment.to)};
  KernelLoopEmitter(part, number, pointer, base, vectorBits != 0, window)
      .run(at);
}

void tenon::lower::emitKernelLoop(ExprEmitter row, const LoopPlan &plan,
                                  unsigned kernelLoop, Value pointer,
                                  Value base, unsigned vectorBits,
                                  Window window) {
  // A window is used for a single row, in which no element is read twice.
  if (!window.from) {
    BlockedReduction blocked(plan, kernelLoop, vectorBits);
    if (blocked.isPossible())
      return blocked.emit(row, pointer, base);
    SmallVector<Segment> segments = cutReduction(plan, kernelLoop);
    for (const Segment &segment : segments) {
      LoopPlan part = plan;
      part.loops[kernelLoop].body = segment.element;
      emitSegment(row, part, kernelLoop, pointer, base, vectorBits, segment);
    }
    if (!segments.empty())
      return;
  }
  KernelLoopEmitter(plan, kernelLoop, pointer, base, vectorBits != 0, window)
      .run(row);
}

bool tenon::lower::runsAcrossMemory(const LoopPlan &plan) {
  unsigned inner = plan.numRowDims;
  if (plan.loops.size() != 1 || inner == 0 ||
      plan.loops.front().shape.size() != inner + 1)
    return false;
  bool across = false, reduces = false;
  walk(plan.loops.front().body, [&](Expr node) {
    reduces |= node.getKind() == ExprKind::Reduce;
    if (node.getKind() != ExprKind::Load)
      return;
    std::optional<AffineForm> form = getAffineForm(node->operands[0]);
    across |= form && form->coefficient(inner - 1) == SymInt(1) &&
              form->coefficient(inner) != SymInt(0);
  });
  return across && !reduces;
}
