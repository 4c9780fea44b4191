//===- BatchRepeatTricks.cpp - rows that are not those of each sample -----===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BatchGenerator.h"

using namespace mlir;
using namespace tenon::generate;
using namespace tenon::graph;

namespace {
/// Each combines samples with what has other rows for some of them.
struct RepeatTricks {
  using G = BatchGenerator;

  /// The shape of x with other sizes in place of the axis of samples. Empty if
  /// no input may have it.
  static Shape withRows(const Sampled &x, ArrayRef<SymInt> rows) {
    Shape shape = x.getShape();
    for (auto [axis, size] : llvm::enumerate(shape))
      if (axis != x.axis && !size.isConstant() && !size.getSymbol())
        return {};
    shape.erase(shape.begin() + x.axis);
    shape.insert(shape.begin() + x.axis, rows.begin(), rows.end());
    return shape;
  }

  /// Two rows, the first half of which is read as those of the samples.
  static bool tile(G &g) {
    Sampled x = g.pickSampled();
    Shape pair = x ? withRows(x, {SymInt(2)}) : Shape();
    if (pair.empty())
      return false;
    SymInt size = x.getShape()[x.axis];
    Shape repeats(pair.size(), SymInt(1));
    repeats[x.axis] = size;
    Value both =
        g.build("tile", {g.newWhole(pair)}, {g.sizes("repeats", repeats)});
    return g.combine(
        x, g.sliceAxis(both, x.axis, g.pick({SymInt(0), size}), size));
  }

  /// Two batches that are read in turn.
  static bool interleave(G &g) {
    Sampled x = g.pickSampled();
    SymInt size = x ? x.getShape()[x.axis] : SymInt(0);
    Shape pair = x ? withRows(x, {SymInt(2), SymInt(1)}) : Shape();
    if (pair.empty())
      return false;
    Shape merged = withRows(x, {SymInt(2) * size});
    Value both = g.broadcast(g.newWhole(pair), withRows(x, {SymInt(2), size}));
    both = both ? g.reshape(both, merged) : Value();
    return g.combine(x, g.sliceAxis(both, x.axis, g.below(2), size, 2));
  }

  static bool count(G &g) {
    Sampled x = g.pickSampled();
    Shape row = x ? withRows(x, {SymInt(1)}) : Shape();
    if (row.empty())
      return false;
    Value all = g.broadcast(g.newWhole(row), x.getShape());
    return g.combine(x, g.build("cumsum", {all}, {g.integer("axis", x.axis)}));
  }

  /// One sample has another row than the others.
  static bool first(G &g) {
    Sampled x = g.pickSampled();
    Shape row = x ? withRows(x, {SymInt(1)}) : Shape();
    if (row.empty())
      return false;
    SymInt size = x.getShape()[x.axis];
    Value one = g.newWhole(row);
    Value others = g.broadcast(g.newWhole(row), x.getShape());
    bool isFirst = g.chance(50);
    Value all =
        g.build("concat", {isFirst ? one : others, isFirst ? others : one},
                {g.integer("axis", x.axis)});
    return g.combine(x,
                     g.sliceAxis(all, x.axis, SymInt(isFirst ? 0 : 1), size));
  }

  static bool sum(G &g) {
    Sampled x = g.pickSampled();
    Shape row = x ? withRows(x, {SymInt(1)}) : Shape();
    if (row.empty())
      return false;
    Value all = g.broadcast(g.newWhole(row), x.getShape());
    Value total = g.build("reduce_sum", {all},
                          {g.ints("axes", {x.axis}),
                           g.attribute("keepdims", g.builder.getUnitAttr())});
    return total && g.combine(x, g.broadcast(total, x.getShape()));
  }

  /// The elements of a batch under another shape.
  static bool mix(G &g) {
    Sampled x = g.pickSampled(2);
    std::optional<unsigned> axis;
    if (!x || !(axis = g.pickOther(x)))
      return false;
    Shape row = withRows(x, {SymInt(1)}), other = x.getShape();
    if (row.empty())
      return false;
    std::swap(row[*axis], row[x.axis]);
    std::swap(other[*axis], other[x.axis]);
    Value all = g.broadcast(g.newWhole(row), other);
    return all && g.combine(x, g.reshape(all, x.getShape()));
  }
};
} // namespace

ArrayRef<BatchGenerator::Step> tenon::generate::listRepeatTricks() {
  using T = RepeatTricks;
  static const BatchGenerator::Step tricks[] = {
      {"tile", T::tile},   {"interleave", T::interleave},
      {"count", T::count}, {"first", T::first},
      {"sum", T::sum},     {"mix", T::mix},
  };
  return tricks;
}
