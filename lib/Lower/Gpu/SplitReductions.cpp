//===- SplitReductions.cpp - reductions with too few results --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../RowWork.h"
#include "GpuParts.h"
#include "tenon/Dialect/Graph/Analysis/SizeEstimate.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

/// The numbers of threads and of blocks that keep a large GPU busy.
static constexpr int64_t kWantedThreads = 128 * 1024;
static constexpr int64_t kWantedBlocks = 512;
/// The minimum number of terms of a thread, and of a team.
static constexpr int64_t kThreadTerms = 64;
static constexpr int64_t kTeamTerms = 4096;

/// Returns into how many parts the axis of a reduction is divided; 1 if it is
/// not divided.
static int64_t chooseParts(const KernelLoop &loop, unsigned axis) {
  int64_t results = 1, terms = 1;
  for (const SymInt &size : loop.shape)
    results *= std::max<int64_t>(estimateSize(size), 1);
  for (const Expr &extent :
       ArrayRef<Expr>(loop.body->operands).take_front(loop.body->vars.size()))
    terms *= estimateSize(extent->size);
  bool alongMemory = reducesAlongMemory(loop);
  int64_t wanted = alongMemory ? kWantedBlocks : kWantedThreads;
  int64_t least = alongMemory ? kTeamTerms : kThreadTerms;
  const SymInt &extent = loop.body->operands[axis]->size;
  int64_t parts =
      std::min({estimateSize(extent), terms / least, wanted / results});
  // Equal parts need no guard, so that wide accesses can read them.
  if (std::optional<int64_t> size = extent.getConstant())
    for (int64_t fewer = parts; fewer > parts / 2; --fewer)
      if (*size % fewer == 0) {
        parts = fewer;
        break;
      }
  // Two kernels instead of one must be worth a launch.
  return parts >= 4 ? parts : 1;
}

/// Splits the kernel loop into two: partial results, along a new leading axis,
/// and their combination. `number` is the number of the load of the former.
static std::pair<KernelLoop, KernelLoop> split(const KernelLoop &loop,
                                               unsigned axis, int64_t parts,
                                               unsigned number,
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

bool tenon::lower::splitReductions(LoopPlan &plan,
                                   const LowerOptions &options) {
  SmallVector<KernelLoop, 0> loops;
  SmallVector<unsigned> moved;         // new number by old number
  constexpr unsigned kFreshVar = 4096; // above all planned variables
  bool changed = false;
  for (auto [number, original] : llvm::enumerate(plan.loops)) {
    KernelLoop loop = original;
    loop.body = rewriteLoads(loop.body, [&](unsigned load) {
      return load < plan.numInputs
                 ? load
                 : plan.numInputs + moved[load - plan.numInputs];
    });
    std::optional<unsigned> axis;
    if (loop.body.getKind() == ExprKind::Reduce &&
        !isContraction(plan, number, options))
      axis = findLongestAxis(loop.body);
    int64_t parts = 1;
    if (axis)
      parts = chooseParts(loop, *axis);
    if (parts > 1) {
      changed = true;
      auto [partial, joined] =
          split(loop, *axis, parts, plan.numInputs + loops.size(),
                kFreshVar * (loops.size() + 1));
      loops.push_back(std::move(partial));
      loop = std::move(joined);
    }
    moved.push_back(loops.size());
    loops.push_back(std::move(loop));
  }
  if (changed)
    plan.loops = std::move(loops);
  return changed;
}
