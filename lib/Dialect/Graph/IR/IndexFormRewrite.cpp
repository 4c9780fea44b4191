//===- IndexFormRewrite.cpp - traversal and substitution ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/IR/IndexForm.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <functional>

using namespace tenon::graph;

namespace {
/// Rebuilds with the folding builders, so that substituted constants fold.
Expr rebuild(const Expr &old, llvm::ArrayRef<Expr> operands) {
  switch (old.getKind()) {
  case ExprKind::Size:
  case ExprKind::Var:
  case ExprKind::Constant:
  case ExprKind::True:
    return old;
  case ExprKind::IndexAdd:
    return Expr::addIndex(operands[0], operands[1]);
  case ExprKind::IndexMul:
    return Expr::mulIndex(operands[0], operands[1]);
  case ExprKind::IndexFloorDiv:
    return Expr::floorDivIndex(operands[0], operands[1]);
  case ExprKind::IndexMod:
    return Expr::modIndex(operands[0], operands[1]);
  case ExprKind::IndexMin:
    return Expr::minIndex(operands[0], operands[1]);
  case ExprKind::IndexMax:
    return Expr::maxIndex(operands[0], operands[1]);
  case ExprKind::IndexSelect:
    return Expr::selectIndex(operands[0], operands[1], operands[2]);
  case ExprKind::FromElement:
    return Expr::fromElement(operands[0]);
  case ExprKind::Load:
    return Expr::load(old->operand, operands, old->type);
  case ExprKind::Apply:
    return Expr::apply(old->fn, operands);
  case ExprKind::Cast:
    return Expr::cast(operands[0], old->type);
  case ExprKind::FromIndex:
    return Expr::fromIndex(operands[0], old->type);
  case ExprKind::Select:
    return Expr::select(operands[0], operands[1], operands[2]);
  case ExprKind::Reduce:
    return Expr::reduce(old->reduce, old->vars, operands.drop_back(2),
                        operands[operands.size() - 2], operands.back());
  case ExprKind::IndexLess:
    return Expr::less(operands[0], operands[1]);
  case ExprKind::IndexLessEqual:
    return Expr::lessEqual(operands[0], operands[1]);
  case ExprKind::IndexEqual:
    return Expr::equal(operands[0], operands[1]);
  case ExprKind::And:
    return Expr::logicalAnd(operands[0], operands[1]);
  case ExprKind::Or:
    return Expr::logicalOr(operands[0], operands[1]);
  case ExprKind::Not:
    return Expr::logicalNot(operands[0]);
  case ExprKind::FromBoolElement:
    return Expr::fromBool(operands[0]);
  }
  llvm_unreachable("unknown kind of expression");
}

class Rewriter {
public:
  explicit Rewriter(llvm::function_ref<Expr(Expr)> replace)
      : replace(replace) {}

  Expr run(const Expr &expr) {
    auto [it, inserted] = done.try_emplace(expr.getPointer());
    if (!inserted)
      return it->second;
    Expr result = replace(expr);
    if (!result) {
      llvm::SmallVector<Expr, 4> operands;
      bool changed = false;
      for (const Expr &operand : expr->operands) {
        operands.push_back(run(operand));
        changed |= operands.back().getPointer() != operand.getPointer();
      }
      result = changed ? rebuild(expr, operands) : expr;
    }
    done[expr.getPointer()] = result;
    return result;
  }

private:
  llvm::function_ref<Expr(Expr)> replace;
  llvm::DenseMap<const ExprNode *, Expr> done;
};

void walkOnce(const Expr &expr, llvm::DenseSet<const ExprNode *> &seen,
              llvm::function_ref<void(Expr)> visit) {
  if (!seen.insert(expr.getPointer()).second)
    return;
  for (const Expr &operand : expr->operands)
    walkOnce(operand, seen, visit);
  visit(expr);
}
} // namespace

Expr tenon::graph::rewrite(Expr expr, llvm::function_ref<Expr(Expr)> replace) {
  return Rewriter(replace).run(expr);
}

void tenon::graph::walk(Expr expr, llvm::function_ref<void(Expr)> visit) {
  llvm::DenseSet<const ExprNode *> seen;
  walkOnce(expr, seen, visit);
}

Expr tenon::graph::substituteVars(Expr expr,
                                  llvm::ArrayRef<Expr> replacements) {
  return rewrite(expr, [&](Expr node) -> Expr {
    if (node.getKind() == ExprKind::Var && node->var < replacements.size())
      return replacements[node->var];
    return {};
  });
}

Expr tenon::graph::renameBound(Expr expr, unsigned &next) {
  // A variable is bound by only one reduction, so one map serves the whole
  // expression. Shared reductions keep one name, which is sound, since neither
  // contains the other.
  llvm::DenseMap<unsigned, unsigned> names;
  walk(expr, [&](Expr node) {
    if (node.getKind() == ExprKind::Reduce)
      for (unsigned var : node->vars)
        if (names.try_emplace(var, next).second)
          ++next;
  });
  if (names.empty())
    return expr;
  llvm::DenseMap<const ExprNode *, Expr> done;
  std::function<Expr(Expr)> rename = [&](Expr node) -> Expr {
    return rewrite(node, [&](Expr inner) -> Expr {
      if (inner.getKind() == ExprKind::Var) {
        auto it = names.find(inner->var);
        return it == names.end() ? Expr() : Expr::var(it->second);
      }
      if (inner.getKind() != ExprKind::Reduce)
        return {};
      auto [it, inserted] = done.try_emplace(inner.getPointer());
      if (!inserted)
        return it->second;
      llvm::SmallVector<unsigned, 4> vars;
      for (unsigned var : inner->vars)
        vars.push_back(names.lookup(var));
      llvm::SmallVector<Expr, 4> operands;
      for (const Expr &operand : inner->operands)
        operands.push_back(rename(operand));
      Expr result = Expr::reduce(
          inner->reduce, vars, llvm::ArrayRef<Expr>(operands).drop_back(2),
          operands[operands.size() - 2], operands.back());
      done[inner.getPointer()] = result;
      return result;
    });
  };
  return rename(expr);
}

/// Renumbers operands, including those of loads in indices.
static Expr mapLoads(Expr expr, llvm::ArrayRef<unsigned> operandMap) {
  return rewrite(expr, [&](Expr node) -> Expr {
    if (node.getKind() != ExprKind::Load)
      return {};
    llvm::SmallVector<Expr, 4> indices;
    for (const Expr &index : node->operands)
      indices.push_back(mapLoads(index, operandMap));
    return Expr::load(operandMap[node->operand], indices, node->type);
  });
}

IndexForm tenon::graph::inlineProducer(const IndexForm &consumer,
                                       unsigned operand,
                                       const IndexForm &producer,
                                       llvm::ArrayRef<unsigned> operandMap) {
  // Bound variables of every inlined copy get numbers above all others.
  unsigned next = consumer.shape.size();
  auto raise = [&](Expr node) {
    if (node.getKind() == ExprKind::Var)
      next = std::max(next, node->var + 1);
    for (unsigned var : node->vars)
      next = std::max(next, var + 1);
  };
  walk(consumer.body, raise);
  next = std::max<unsigned>(next, producer.shape.size());
  walk(producer.body, raise);
  Expr renumbered = rewrite(producer.body, [](Expr) { return Expr(); });

  llvm::DenseMap<const ExprNode *, Expr> done;
  std::function<Expr(Expr)> inlineLoads = [&](Expr root) -> Expr {
    return rewrite(root, [&](Expr node) -> Expr {
      if (node.getKind() != ExprKind::Load || node->operand != operand)
        return {};
      auto [it, inserted] = done.try_emplace(node.getPointer());
      if (!inserted)
        return it->second;
      llvm::SmallVector<Expr, 4> indices;
      for (const Expr &index : node->operands)
        indices.push_back(inlineLoads(index));
      Expr body = renameBound(renumbered, next);
      body = mapLoads(body, operandMap);
      Expr result = substituteVars(body, indices);
      done[node.getPointer()] = result;
      return result;
    });
  };
  return {consumer.shape, consumer.elementType, inlineLoads(consumer.body)};
}
