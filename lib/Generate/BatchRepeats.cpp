//===- BatchRepeats.cpp - values that are repeated for each sample --------===//
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

/// Only constants and symbols may be sizes of inputs.
static Shape toInputShape(Shape shape) {
  for (SymInt &size : shape)
    if (!size.isConstant() && !size.getSymbol())
      size = SymInt(1);
  return shape;
}

Value BatchGenerator::uniform(const Shape &shape, const Sampled &x) {
  SymInt size = shape[x.axis], number = numberOf(x);
  std::optional<int64_t> rows = x.rows.getConstant(),
                         outer = x.outer.getConstant();
  Shape row = toInputShape(shape), wide = shape;
  for (unsigned axis = 0; axis < row.size(); ++axis)
    if (axis == x.axis || chance(20))
      row[axis] = SymInt(1);
  switch (below(12)) {
  case 0:
    return newConstant(shape, f32(), 0.5);
  case 1:
    wide[x.axis] = size + SymInt(1);
    return sliceAxis(broadcast(newWhole(row), wide), x.axis, below(2), size);
  case 2: {
    wide.insert(wide.begin() + x.axis, SymInt(2));
    row.insert(row.begin() + x.axis, SymInt(between(1, 2)));
    Value batch =
        sliceAxis(broadcast(newWhole(row), wide), x.axis, below(2), 1);
    return batch ? reshape(batch, shape) : Value();
  }
  case 3: {
    // Rows of a sample, or of a batch, that differ.
    if (!rows || !outer)
      return {};
    row[x.axis] = SymInt(*outer);
    row.insert(row.begin() + x.axis + 1, {SymInt(1), SymInt(*rows)});
    wide[x.axis] = SymInt(*outer);
    wide.insert(wide.begin() + x.axis + 1, {number, SymInt(*rows)});
    Value split = broadcast(newWhole(row), wide);
    return split ? reshape(split, shape) : Value();
  }
  case 4: {
    if (!rows || !x.isPlain())
      return {};
    row = toInputShape(shape);
    if (row.size() != shape.size())
      return {};
    row[x.axis] = SymInt(*rows);
    Shape repeats(shape.size(), SymInt(1));
    for (unsigned axis = 0; axis < shape.size(); ++axis)
      if (axis == x.axis)
        repeats[axis] = number;
      else if (!(row[axis] == shape[axis]))
        return {};
    return build("tile", {newWhole(row)}, {sizes("repeats", repeats)});
  }
  case 5: {
    // With the samples last, at first.
    if (shape.size() < 2)
      return {};
    SmallVector<int64_t> perm =
        llvm::to_vector(llvm::seq<int64_t>(0, shape.size()));
    std::swap(perm[x.axis], perm.back());
    std::swap(row[x.axis], row.back());
    std::swap(wide[x.axis], wide.back());
    Value last = broadcast(newWhole(row), wide);
    return build("transpose", {last}, {ints("perm", perm)});
  }
  case 6:
    if (shape.size() < 2)
      return {};
    return iota(shape, x.axis == 0 ? shape.size() - 1 : 0, f32());
  case 7: {
    if (shape.size() < 3)
      return {};
    SmallVector<unsigned> others;
    for (unsigned axis = 0; axis < shape.size(); ++axis)
      if (axis != x.axis)
        others.push_back(axis);
    return toNumbers(build("less_equal", {iota(shape, others[0], i64()),
                                          iota(shape, others[1], i64())}));
  }
  case 8:
    return build("tanh", {broadcast(newWhole(row), shape)});
  default:
    return broadcast(newWhole(row), shape);
  }
}

namespace {
struct Repeats {
  using G = BatchGenerator;

  static bool add(G &g) {
    Sampled x = g.pickSampled();
    return x && g.combine(x, g.uniform(x.getShape(), x));
  }

  static bool choose(G &g) {
    Sampled x = g.pickSampled();
    if (!x)
      return false;
    Value mask = g.build("less", {g.uniform(x.getShape(), x),
                                  g.newConstant(x.getShape(), g.f32(), 0.25)});
    return mask &&
           g.put(g.build("where", {mask, x.value, g.pickLike(x).value}), x);
  }

  /// A token in front of those of each sample, or behind them.
  static bool concat(G &g) {
    Sampled x = g.pickSampled(2);
    std::optional<unsigned> axis;
    if (!x || !(axis = g.pickOther(x)))
      return false;
    Shape shape = x.getShape();
    shape[*axis] = SymInt(g.between(1, 2));
    Value more = g.uniform(shape, x);
    bool isFirst = g.chance(50);
    return more &&
           g.put(g.build("concat",
                         {isFirst ? more : x.value, isFirst ? x.value : more},
                         {g.integer("axis", *axis)}),
                 x);
  }

  /// A product with a matrix for each sample.
  static bool matmul(G &g) {
    Sampled x = g.pickSampled(3);
    if (!x || x.axis + 2 >= rankOf(x.value))
      return false;
    Shape shape = x.getShape();
    bool isFirst = g.chance(50);
    if (isFirst) {
      shape.back() = shape[shape.size() - 2];
      shape[shape.size() - 2] = SymInt(g.between(1, 3));
    } else {
      shape[shape.size() - 2] = shape.back();
      shape.back() = SymInt(g.between(1, 3));
    }
    Value weight = g.uniform(shape, x);
    return weight && g.put(g.build("matmul", {isFirst ? weight : x.value,
                                              isFirst ? x.value : weight}),
                           x);
  }

  /// Queries that all samples have.
  static bool attention(G &g) {
    Sampled x = g.pickSampled(3);
    if (!x || x.axis + 2 >= rankOf(x.value))
      return false;
    Shape shape = x.getShape();
    shape[shape.size() - 2] = SymInt(g.between(1, 3));
    Value queries = g.uniform(shape, x);
    return queries &&
           g.put(g.build("attention", {queries, x.value, g.pickLike(x).value},
                         {g.real("scale", 0.5)}),
                 x);
  }

  /// The same indices for all samples.
  static bool elements(G &g) {
    Sampled x = g.pickSampled(2);
    std::optional<unsigned> axis;
    if (!x || !(axis = g.pickOther(x, /*isConstant=*/true)) ||
        *sizeOf(x.value, *axis) < 1)
      return false;
    Shape shape = x.getShape();
    shape[*axis] = SymInt(g.between(1, 3));
    Shape thin(shape.size(), SymInt(1));
    thin[*axis] = shape[*axis];
    Value indices = g.bounded(thin, *sizeOf(x.value, *axis));
    indices = indices ? g.broadcast(indices, shape) : Value();
    return g.put(g.build("gather_elements", {x.value, indices},
                         {g.integer("axis", *axis)}),
                 x);
  }

  static bool returnRepeated(G &g) {
    Sampled x = g.pickSampled();
    Value repeated = x ? g.uniform(x.getShape(), x) : Value();
    if (!repeated)
      return false;
    g.claimUniform(repeated, x.axis, x.rows, x.outer);
    g.alsoReturn(repeated);
    return true;
  }
};
} // namespace

ArrayRef<BatchGenerator::Step> tenon::generate::listRepeats() {
  using S = Repeats;
  static const BatchGenerator::Step steps[] = {
      {"add", S::add},
      {"choose", S::choose},
      {"concat", S::concat},
      {"matmul", S::matmul},
      {"attention", S::attention},
      {"elements", S::elements},
      {"return", S::returnRepeated},
  };
  return steps;
}
