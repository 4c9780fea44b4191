//===- StreamedReduction.cpp - reductions bound by memory -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StreamedReduction.h"
#include "AffineOffsets.h"
#include "SplitReduction.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

/// The minimum number of bytes of a matrix, and the numbers of bytes of its
/// rows. Blocks of columns read narrower rows as a whole, and of wider ones
/// pieces that are as fast to read; their results would not stay in a cache.
constexpr int64_t kFewestBytes = 256 * 1024, kNarrowest = 1024,
                  kWidest = 64 * 1024;
/// The maximum number of parts, and the minimum number of terms of each: the
/// results of all parts are written and read once more.
constexpr int64_t kMostParts = 16, kFewestTerms = 16;

/// Returns true if the load reads other elements for all values of all
/// variables, along memory in `lane`.
static bool readsOnce(const Expr &load, const KernelLoop &loop, unsigned lane) {
  std::optional<AffineForm> form = getAffineForm(load->operands[0]);
  if (!form || form->coefficient(lane) != SymInt(1))
    return false;
  std::optional<int64_t> width = loop.shape[lane].getConstant();
  if (!width)
    return false;
  SmallVector<std::pair<int64_t, int64_t>> strides; // with sizes
  auto add = [&](unsigned var, const SymInt &size) {
    if (size == SymInt(1))
      return true;
    std::optional<int64_t> stride = form->coefficient(var).getConstant();
    strides.emplace_back(stride.value_or(0), size.getConstant().value_or(0));
    return stride && *stride > 0 && size.getConstant();
  };
  for (unsigned var = 0; var < lane; ++var)
    if (!add(var, loop.shape[var]))
      return false;
  const Expr &reduce = loop.body;
  for (auto [number, var] : llvm::enumerate(reduce->vars))
    if (!add(var, reduce->operands[number]->size))
      return false;
  llvm::sort(strides);
  int64_t within = *width;
  for (auto [stride, size] : strides) {
    if (stride < within)
      return false;
    within = stride * size;
  }
  return true;
}

bool tenon::lower::isStreamed(const LoopPlan &plan) {
  const KernelLoop &loop = plan.loops.front();
  if (plan.loops.size() != 1 || loop.body.getKind() != ExprKind::Reduce ||
      loop.shape.size() != plan.numRowDims + 1 ||
      !loop.elementType.isIntOrFloat())
    return false;
  unsigned lane = plan.numRowDims;
  int64_t bytes = loop.elementType.getIntOrFloatBitWidth() / 8;
  std::optional<int64_t> width = loop.shape[lane].getConstant();
  std::optional<int64_t> terms = countTerms(loop.body);
  if (!width || !terms || *width * bytes < kNarrowest ||
      *width * bytes > kWidest)
    return false;
  int64_t size = *width * *terms * bytes;
  for (const SymInt &rows : plan.rowShape())
    size *= rows.getConstant().value_or(1);
  if (size < kFewestBytes)
    return false;
  // All other loads must be the same for all columns.
  bool once = false, others = true;
  walk(loop.body->operands.back(), [&](Expr node) {
    if (node.getKind() != ExprKind::Load)
      return;
    bool varies = false;
    walk(node->operands[0], [&](Expr inner) {
      varies |= inner.getKind() == ExprKind::Var && inner->var == lane;
    });
    if (!varies)
      return;
    bool reads = readsOnce(node, loop, lane);
    once |= reads;
    others &= reads;
  });
  return once && others;
}

std::optional<SplitPlan> tenon::lower::splitStreamed(const LoopPlan &plan) {
  if (plan.loops.size() != 1)
    return std::nullopt;
  for (const SymInt &size : plan.rowShape())
    if (size != SymInt(1))
      return std::nullopt;
  LoopPlan linear = plan;
  linearizeLoads(linear);
  if (!isStreamed(linear))
    return std::nullopt;
  const KernelLoop &loop = plan.loops.front();
  unsigned axis = *findLongestAxis(loop.body);
  const SymInt &extent = loop.body->operands[axis]->size;
  int64_t parts = toEqualParts(
      extent, std::min(kMostParts, *extent.getConstant() / kFewestTerms));
  if (parts < 2)
    return std::nullopt;
  constexpr unsigned kFreshVar = 4096; // above all planned variables
  auto [partial, joined] =
      splitReduction(loop, axis, parts, /*number=*/0, kFreshVar);
  SplitPlan split;
  split.shape = partial.shape;
  split.type = partial.elementType;
  split.joined.numInputs = 1;
  split.joined.inputShapes = {partial.shape};
  split.joined.numRowDims = plan.numRowDims;
  joined.inPlaceOf = partial.inPlaceOf = -1;
  partial.output = 0;
  split.joined.loops.push_back(std::move(joined));
  split.partial = plan;
  ++split.partial.numRowDims;
  split.partial.loops = {std::move(partial)};
  return split;
}
