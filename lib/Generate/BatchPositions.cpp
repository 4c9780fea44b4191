//===- BatchPositions.cpp - reads at the positions of samples -------------===//
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
/// Each sample reads its own elements; if `isWrong`, those of another. Indices
/// are valid either way.
struct Positions {
  using G = BatchGenerator;

  template <bool isWrong> static Value position(G &g, const SymInt &number) {
    return isWrong ? g.wrongPosition(number) : g.position(number);
  }

  /// A shape of indices, in which `axis` has the samples.
  static Shape anyIndices(G &g, const SymInt &number, unsigned &axis) {
    axis = 0;
    switch (g.below(6)) {
    case 0:
      return {number, SymInt(g.between(1, 3))};
    case 1:
      return {number, SymInt(1), SymInt(g.between(1, 3))};
    case 2:
      axis = 1;
      return {SymInt(g.between(1, 3)), number};
    default:
      return {number};
    }
  }

  static Value gather(G &g, const Sampled &x, Value indices) {
    return g.build("gather", {x.value, indices}, {g.integer("axis", x.axis)});
  }

  template <bool isWrong> static bool gatherOwn(G &g) {
    Sampled x = g.pickSampled();
    if (!x || !x.isEach() || rankOf(x.value) > 3)
      return false;
    unsigned axis;
    SymInt number = g.numberOf(x);
    Shape shape = anyIndices(g, number, axis);
    Value at = g.spread(position<isWrong>(g, number), shape, axis);
    return g.put(gather(g, x, at), x.axis + axis, 1);
  }

  template <bool isWrong> static bool elementsOwn(G &g) {
    Sampled x = g.pickSampled();
    if (!x || !x.isEach())
      return false;
    Value at = position<isWrong>(g, g.numberOf(x));
    return g.put(g.build("gather_elements",
                         {x.value, g.spread(at, x.getShape(), x.axis)},
                         {g.integer("axis", x.axis)}),
                 x);
  }

  /// Tuples of a sample and an index.
  template <bool isWrong> static bool takeOwn(G &g) {
    Sampled x = g.pickSampled(2);
    if (!x || !x.isEach() || x.axis > 1 || !sizeOf(x.value, 1 - x.axis) ||
        *sizeOf(x.value, 1 - x.axis) < 1)
      return false;
    unsigned axis;
    Shape shape = anyIndices(g, g.numberOf(x), axis);
    Value sample = g.spread(position<isWrong>(g, g.numberOf(x)), shape, axis);
    Value other = g.bounded(shape, *sizeOf(x.value, 1 - x.axis));
    if (!sample || !other)
      return false;
    shape.push_back(SymInt(1));
    Value first = g.reshape(x.axis == 0 ? sample : other, shape);
    Value second = g.reshape(x.axis == 0 ? other : sample, shape);
    Value tuples = g.build("concat", {first, second},
                           {g.integer("axis", shape.size() - 1)});
    return g.put(
        g.build("gather_nd", {x.value, tuples}, {g.integer("batch_dims", 0)}),
        axis, 1);
  }

  /// The same with an axis of the op for the samples.
  static bool takeBatched(G &g) {
    Sampled x = g.pickSampled(2);
    if (!x || !x.isPlain() || x.axis != 0 || !sizeOf(x.value, 1) ||
        *sizeOf(x.value, 1) < 1)
      return false;
    Shape shape = {x.getShape()[0], SymInt(g.between(1, 2)), SymInt(1)};
    if (!x.isEach())
      return false;
    return g.put(g.build("gather_nd",
                         {x.value, g.bounded(shape, *sizeOf(x.value, 1))},
                         {g.integer("batch_dims", 1)}),
                 0, 1);
  }

  /// Rows of samples, counted through all of them.
  template <bool isWrong> static bool takeFlat(G &g) {
    Sampled x = g.pickSampled();
    if (x && x.isEach())
      x = x.axis + 1 < rankOf(x.value) ? g.merge(x, 0, 1) : Sampled();
    std::optional<int64_t> rows = x ? x.rows.getConstant() : std::nullopt;
    if (!rows || *rows < 1 || !x.isPlain())
      return false;
    SymInt number = g.numberOf(x);
    Shape shape = {number};
    if (g.chance(40))
      shape.push_back(SymInt(g.between(1, 3)));
    int64_t how = isWrong ? g.below(6) : -1, stride = *rows;
    Value sample = how == 0 ? g.wrongPosition(number) : g.position(number);
    Value row = g.bounded(shape, how == 1 ? 2 * *rows : *rows);
    Value first;
    if (how == 2)
      ++stride;
    if (how < 0 && g.chance(30))
      first = g.spread(g.sliceAxis(g.iota({number * *rows}, 0, g.i64()), 0, 0,
                                   number, *rows),
                       shape, 0);
    else
      first =
          g.build("mul", {g.spread(sample, shape, 0), g.fill(shape, stride)});
    if (how == 3) {
      // As if the rows came before the samples.
      Value count =
          g.build("reduce_sum", {g.fill({number}, 1)}, {g.ints("axes", {0})});
      row = count ? g.build("mul", {row, g.broadcast(count, shape)}) : Value();
      first = g.spread(sample, shape, 0);
    }
    Value index = g.build("add", {first, row});
    if (how > 3 && index)
      index = g.build(how == 4 ? "add" : "sub", {index, g.fill(shape, 1)});
    if (how == 1 || how == 2 || how == 4) {
      Value last = g.build("reduce_max", {g.iota({number * *rows}, 0, g.i64())},
                           {g.ints("axes", {0})});
      index = index && last
                  ? g.build("minimum", {index, g.broadcast(last, shape)})
                  : Value();
    }
    return g.put(gather(g, x, index), x.axis, 1);
  }

  /// Indices of a merged axis, all of them or those of one batch.
  template <bool isWrong> static bool takeMerged(G &g) {
    Sampled x = g.pickMerged();
    std::optional<int64_t> outer = x ? x.outer.getConstant() : std::nullopt;
    if (!outer || *outer < 1 || !(x.rows == SymInt(1)) || rankOf(x.value) > 3)
      return false;
    SymInt number = g.numberOf(x), all = x.outer * number;
    int64_t batch = g.below(*outer);
    if (!isWrong && g.chance(25))
      return g.put(gather(g, x, g.position(all)), x);
    if (!isWrong && g.chance(30)) {
      Value count = g.build("reduce_sum", {g.fill({number}, batch)},
                            {g.ints("axes", {0})});
      if (!count)
        return false;
      Value at =
          g.build("add", {g.position(number), g.broadcast(count, {number})});
      return g.put(gather(g, x, at), x.axis, 1);
    }
    Shape shape = {x.outer, number};
    if (isWrong)
      std::swap(shape[0], shape[1]);
    Value grid = g.position(all);
    grid = grid ? g.reshape(grid, shape) : Value();
    if (g.chance(50))
      return g.put(gather(g, x, grid), x.axis + !isWrong, 1);
    grid = g.sliceAxis(grid, isWrong, SymInt(batch), 1);
    return grid && g.put(gather(g, x, g.reshape(grid, {number})), x.axis, 1);
  }

  //===--------------------------------------------------------------------===//
  // Others
  //===--------------------------------------------------------------------===//

  /// The number of a sample for that of a row.
  static bool gatherRows(G &g) {
    Sampled x = g.pickSampled();
    std::optional<int64_t> rows = x ? x.rows.getConstant() : std::nullopt;
    if (!rows || *rows < 2)
      return false;
    return g.put(gather(g, x, g.position(g.numberOf(x))), x.axis, 1);
  }

  /// A row of a table of another size for each sample.
  static bool table(G &g) {
    int64_t size = g.between(2, 3);
    Value table = g.newWhole({SymInt(size), SymInt(g.between(1, 3))});
    Value at = g.position(g.n);
    at = at ? g.build("minimum", {at, g.fill({g.n}, size - 1)}) : Value();
    return at &&
           g.put(g.build("gather", {table, at}, {g.integer("axis", 0)}), 0, 1);
  }
};
} // namespace

ArrayRef<BatchGenerator::Step> tenon::generate::listPositions() {
  using S = Positions;
  static const BatchGenerator::Step steps[] = {
      {"gather own", S::gatherOwn<false>},
      {"elements own", S::elementsOwn<false>},
      {"take own", S::takeOwn<false>},
      {"take batched", S::takeBatched},
      {"take flat", S::takeFlat<false>},
      {"take merged", S::takeMerged<false>},
  };
  return steps;
}

ArrayRef<BatchGenerator::Step> tenon::generate::listPositionTricks() {
  using T = Positions;
  static const BatchGenerator::Step tricks[] = {
      {"gather other", T::gatherOwn<true>},
      {"elements other", T::elementsOwn<true>},
      {"take other", T::takeOwn<true>},
      {"take flat", T::takeFlat<true>},
      {"take merged", T::takeMerged<true>},
      {"gather rows", T::gatherRows},
      {"table", T::table},
  };
  return tricks;
}
