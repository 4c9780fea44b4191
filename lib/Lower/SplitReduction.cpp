//===- SplitReduction.cpp - reductions in parts ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SplitReduction.h"
#include "tenon/Dialect/Graph/Analysis/SizeEstimate.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

std::optional<int64_t> tenon::lower::countTerms(const Expr &reduce) {
  int64_t terms = 1;
  for (const Expr &extent :
       ArrayRef<Expr>(reduce->operands).take_front(reduce->vars.size())) {
    if (extent.getKind() != ExprKind::Size)
      return std::nullopt;
    terms *= estimateSize(extent->size);
  }
  return terms;
}

std::optional<unsigned> tenon::lower::findLongestAxis(const Expr &reduce) {
  if (reduce->vars.empty() || !countTerms(reduce))
    return std::nullopt;
  unsigned longest = 0;
  for (unsigned axis = 1; axis < reduce->vars.size(); ++axis)
    if (estimateSize(reduce->operands[axis]->size) >
        estimateSize(reduce->operands[longest]->size))
      longest = axis;
  return longest;
}

int64_t tenon::lower::toEqualParts(const SymInt &extent, int64_t parts) {
  if (std::optional<int64_t> size = extent.getConstant())
    for (int64_t fewer = parts; fewer > parts / 2; --fewer)
      if (*size % fewer == 0)
        return fewer;
  return parts;
}

std::pair<KernelLoop, KernelLoop>
tenon::lower::splitReduction(const KernelLoop &loop, unsigned axis,
                             int64_t parts, unsigned number,
                             unsigned freshVar) {
  const Expr &reduce = loop.body;
  unsigned rank = loop.shape.size();
  size_t depth = reduce->vars.size();
  const SymInt &extent = reduce->operands[axis]->size;
  SymInt chunk = extent.ceilDiv(parts);
  // The part's number becomes variable 0, so that the other variables move up
  // by one.
  SmallVector<Expr> moved;
  for (unsigned var = 0; var < rank; ++var)
    moved.push_back(Expr::var(var + 1));
  unsigned bound = freshVar;
  Expr renamed = substituteVars(renameBound(reduce, bound), moved);
  unsigned var = renamed->vars[axis];
  Expr index = Expr::addIndex(Expr::mulIndex(Expr::var(0), Expr::size(chunk)),
                              Expr::var(var));
  auto within = [&](Expr expr) {
    return rewrite(expr, [&](Expr node) -> Expr {
      if (node.getKind() == ExprKind::Var && node->var == var)
        return index;
      return {};
    });
  };
  Expr guard = within(renamed->operands[depth]);
  if (chunk * SymInt(parts) != extent) {
    Expr exists = Expr::less(index, Expr::size(extent));
    guard = guard.getKind() == ExprKind::True ? exists
                                              : Expr::logicalAnd(exists, guard);
  }
  Expr body = within(renamed->operands[depth + 1]);
  // Partial sums of 16-bit types are kept in f32.
  Type type = reduce->type;
  bool widens = type.isF16() || type.isBF16();
  if (widens) {
    type = Float32Type::get(type.getContext());
    body = Expr::cast(body, type);
  }
  SmallVector<Expr> extents;
  for (size_t i = 0; i < depth; ++i)
    extents.push_back(i == axis ? Expr::size(chunk)
                                : within(renamed->operands[i]));
  KernelLoop partial;
  partial.shape.push_back(parts);
  partial.shape.append(loop.shape.begin(), loop.shape.end());
  partial.elementType = type;
  partial.body =
      Expr::reduce(reduce->reduce, renamed->vars, extents, guard, body);

  KernelLoop joined = loop;
  SmallVector<Expr> indices{Expr::var(bound)};
  for (unsigned var = 0; var < rank; ++var)
    indices.push_back(Expr::var(var));
  joined.body = Expr::reduce(reduce->reduce, {bound}, {Expr::index(parts)},
                             Expr::always(), Expr::load(number, indices, type));
  if (widens)
    joined.body = Expr::cast(joined.body, reduce->type);
  return {std::move(partial), std::move(joined)};
}
