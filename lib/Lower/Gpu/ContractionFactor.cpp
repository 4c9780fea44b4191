//===- ContractionFactor.cpp - a factor of a sum of products --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Guards.h"
#include "Contraction.h"
#include "Lanes.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

SymInt tenon::lower::countOf(ArrayRef<LoopVar> vars) {
  SymInt count = 1;
  for (const LoopVar &loop : vars)
    count = count * loop.size;
  return count;
}

//===----------------------------------------------------------------------===//
// One variable for several
//===----------------------------------------------------------------------===//

namespace {
/// How a factor uses its variables.
struct FactorUses {
  SmallVector<AffineForm, 0> offsets;
  llvm::DenseSet<unsigned> others; // has uses that are not affine in an offset
};
} // namespace

static void collectUses(const Expr &root, FactorUses &uses) {
  llvm::DenseSet<const ExprNode *> seen;
  std::function<void(const Expr &)> visit = [&](const Expr &node) {
    if (!seen.insert(node.getPointer()).second)
      return;
    if (node.getKind() == ExprKind::Load)
      if (std::optional<AffineForm> form = getAffineForm(node->operands[0])) {
        uses.offsets.push_back(std::move(*form));
        return;
      }
    if (node.getKind() == ExprKind::Var)
      uses.others.insert(node->var);
    for (const Expr &operand : node->operands)
      visit(operand);
  };
  visit(root);
}

static bool isOneWith(const LoopVar &outer, const LoopVar &inner,
                      const FactorUses &uses) {
  if (uses.others.contains(outer.var) || uses.others.contains(inner.var))
    return false;
  return llvm::all_of(uses.offsets, [&](const AffineForm &offset) {
    return offset.coefficient(outer.var) ==
           offset.coefficient(inner.var) * inner.size;
  });
}

static void mergeVars(LoopVars &vars, const FactorUses &uses,
                      llvm::DenseSet<unsigned> &gone) {
  LoopVars merged;
  for (const LoopVar &loop : vars) {
    if (!merged.empty() && isOneWith(merged.back(), loop, uses)) {
      gone.insert(merged.back().var);
      merged.back() = {loop.var, merged.back().size * loop.size};
    } else {
      merged.push_back(loop);
    }
  }
  vars = std::move(merged);
}

//===----------------------------------------------------------------------===//
// Rows apart from terms
//===----------------------------------------------------------------------===//

static Expr splitIndex(const Expr &index, ArrayRef<LoopVar> terms) {
  std::optional<AffineForm> form = getAffineForm(index);
  if (!form)
    return index;
  AffineForm ofTerms;
  for (const LoopVar &term : terms) {
    auto it = form->coefficients.find(term.var);
    if (it == form->coefficients.end())
      continue;
    ofTerms.coefficients.insert(*it);
    form->coefficients.erase(it);
  }
  return Expr::addIndex(toExpr(*form), toExpr(ofTerms));
}

void tenon::lower::simplifyFactor(ContractionFactor &factor) {
  FactorUses uses;
  collectUses(factor.element, uses);
  collectUses(factor.guard, uses);
  llvm::DenseSet<unsigned> gone;
  mergeVars(factor.batch, uses, gone);
  mergeVars(factor.rows, uses, gone);
  mergeVars(factor.terms, uses, gone);
  auto simplify = [&](const Expr &root) {
    Expr merged = rewrite(root, [&](Expr node) -> Expr {
      // The inner variable covers both, and the outer one stays 0.
      if (node.getKind() == ExprKind::Var && gone.contains(node->var))
        return Expr::index(0);
      return {};
    });
    return rewrite(merged, [&](Expr node) -> Expr {
      if (node.getKind() == ExprKind::Load) {
        if (getAffineForm(node->operands[0]))
          return Expr::load(node->operand,
                            {splitIndex(node->operands[0], factor.terms)},
                            node->type);
      } else if (node.getKind() == ExprKind::IndexLess) {
        return Expr::less(splitIndex(node->operands[0], factor.terms),
                          splitIndex(node->operands[1], factor.terms));
      } else if (node.getKind() == ExprKind::IndexLessEqual) {
        return Expr::lessEqual(splitIndex(node->operands[0], factor.terms),
                               splitIndex(node->operands[1], factor.terms));
      }
      return {};
    });
  };
  factor.element = simplify(factor.element);
  factor.guard = simplify(factor.guard);
}

//===----------------------------------------------------------------------===//
// Access
//===----------------------------------------------------------------------===//

/// Returns true if chunks of `lanes` neighbours along the variable can be read
/// by wide accesses. The guard then holds for all or none of them.
static bool canBeWide(const ContractionFactor &factor, const LoopVar &loop,
                      int64_t lanes) {
  if (getDivisor(loop.size) % lanes != 0 || usesVar(factor.guard, loop.var))
    return false;
  bool fits = true, isWide = false;
  walk(factor.element, [&](Expr node) {
    if (node.getKind() != ExprKind::Load)
      return;
    LaneIndex index = analyzeLanes(node->operands[0], {loop.var, lanes});
    if (index.stride == 0)
      return;
    if (index.stride == 1 && index.divisor % lanes == 0 &&
        byteWidth(node->type) * lanes <= kWidestAccess)
      isWide = true;
    else
      fits = false;
  });
  return fits && isWide;
}

/// Shorter runs of neighbours in memory do not count as contiguous.
static constexpr int64_t kLeastRun = 8;

static FactorAccess analyzeAlong(const ContractionFactor &factor,
                                 bool alongTerms, int64_t mostLanes) {
  FactorAccess access;
  access.alongTerms = alongTerms;
  const LoopVars &vars = alongTerms ? factor.terms : factor.rows;
  if (vars.empty())
    return access;
  const LoopVar &loop = vars.back();
  std::optional<int64_t> size = loop.size.getConstant();
  if (!size || *size >= kLeastRun)
    walk(factor.element, [&](Expr node) {
      if (node.getKind() == ExprKind::Load)
        access.isCoalesced |=
            analyzeLanes(node->operands[0], {loop.var}).stride == 1;
    });
  for (int64_t lanes = mostLanes; lanes > 1; lanes /= 2)
    if (canBeWide(factor, loop, lanes)) {
      access.lanes = lanes;
      break;
    }
  return access;
}

FactorAccess tenon::lower::analyzeAccess(const ContractionFactor &factor,
                                         int64_t mostLanes) {
  FactorAccess terms = analyzeAlong(factor, true, mostLanes);
  FactorAccess rows = analyzeAlong(factor, false, mostLanes);
  if (terms.lanes != rows.lanes)
    return terms.lanes > rows.lanes ? terms : rows;
  // Along terms, a thread has elements of many rows. If it reads single
  // elements under a guard, it would keep too many values for each of them.
  bool prefersTerms = factor.guard.getKind() == ExprKind::True &&
                      terms.isCoalesced && !rows.isCoalesced;
  return prefersTerms ? terms : rows;
}
