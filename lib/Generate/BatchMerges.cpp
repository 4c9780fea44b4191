//===- BatchMerges.cpp - samples in the middle of an axis -----------------===//
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

//===----------------------------------------------------------------------===//
// Axes
//===----------------------------------------------------------------------===//

Sampled BatchGenerator::merge(const Sampled &x, unsigned before,
                              unsigned behind) {
  if (!x)
    return {};
  Shape shape = x.getShape(), merged(shape.begin(), shape.end());
  SymInt outer = x.outer, rows = x.rows;
  unsigned first = x.axis - before, last = x.axis + behind;
  for (unsigned axis = first; axis < x.axis; ++axis)
    outer = shape[axis] * outer;
  for (unsigned axis = x.axis + 1; axis <= last; ++axis)
    rows = rows * shape[axis];
  merged.erase(merged.begin() + first, merged.begin() + last + 1);
  merged.insert(merged.begin() + first, outer * numberOf(x) * rows);
  return putNew(reshape(x.value, merged), first, rows, outer);
}

Sampled BatchGenerator::unmerge(const Sampled &x) {
  if (!x)
    return {};
  Shape shape = x.getShape();
  SymInt outer = x.outer, inner = 1, rows = x.rows;
  std::optional<int64_t> size = outer.getConstant();
  if (size && *size % 2 == 0 && *size > 2 && chance(50)) {
    outer = SymInt(*size / 2);
    inner = SymInt(2);
  }
  bool splits = !(rows == SymInt(1)) && chance(60);
  shape[x.axis] = inner * numberOf(x) * (splits ? SymInt(1) : rows);
  shape.insert(shape.begin() + x.axis, outer);
  if (splits)
    shape.insert(shape.begin() + x.axis + 2, rows);
  return putNew(reshape(x.value, shape), x.axis + 1, splits ? SymInt(1) : rows,
                inner);
}

Sampled BatchGenerator::transpose(const Sampled &x, ArrayRef<int64_t> perm) {
  if (!x || rankOf(x.value) != static_cast<int64_t>(perm.size()))
    return {};
  unsigned axis = llvm::find(perm, int64_t(x.axis)) - perm.begin();
  return putNew(build("transpose", {x.value}, {ints("perm", perm)}), axis,
                x.rows, x.outer);
}

Sampled BatchGenerator::exchange(const Sampled &x, unsigned a, unsigned b) {
  if (!x)
    return {};
  SmallVector<int64_t> perm =
      llvm::to_vector(llvm::seq<int64_t>(0, rankOf(x.value)));
  std::swap(perm[a], perm[b]);
  return transpose(x, perm);
}

Sampled BatchGenerator::pickMerged() {
  for (unsigned attempt = 0; attempt < 6; ++attempt)
    if (Sampled x = pickSampled(); x && !x.isPlain())
      return x;
  Sampled x = pickSampled(2);
  if (x && x.axis == 0)
    x = exchange(x, 0, 1);
  return x && x.axis > 0 ? merge(x, 1, 0) : Sampled();
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

namespace {
/// Steps that merge samples with axes before them, split them again, or move
/// whole batches along the merged axis.
struct Merges {
  using G = BatchGenerator;

  static Sampled dense(G &g, const Sampled &x) {
    std::optional<int64_t> size =
        x ? x.getShape().back().getConstant() : std::nullopt;
    if (!size || x.axis + 1 == rankOf(x.value))
      return x;
    Value weight = g.newWhole({SymInt(*size), SymInt(g.between(1, 3))});
    return g.putNew(g.build("matmul", {x.value, weight}), x.axis, x.rows,
                    x.outer);
  }

  static bool mergeBefore(G &g) {
    Sampled x = g.pickSampled(2);
    return x && x.axis > 0 && g.merge(x, g.between(1, x.axis), 0);
  }

  static bool mergeAround(G &g) {
    Sampled x = g.pickSampled(3);
    if (!x || x.axis == 0 || x.axis + 1 == rankOf(x.value))
      return false;
    return bool(g.merge(x, g.between(1, x.axis),
                        g.between(1, rankOf(x.value) - 1 - x.axis)));
  }

  /// Everything in one axis, in one step or two.
  static bool flatten(G &g) {
    Sampled x = g.pickSampled(2);
    if (!x)
      return false;
    if (g.chance(40) && x.axis > 0)
      x = g.merge(x, x.axis, 0);
    return x &&
           g.merge(x, x.axis, rankOf(x.value) - 1 - x.axis).value != nullptr;
  }

  static bool split(G &g) {
    Sampled x = g.pickMerged();
    return x && !x.isPlain() && g.unmerge(x);
  }

  /// Merges the sequence, which is first, with the batch, and splits them again
  /// behind a linear layer.
  static bool sequenceFirst(G &g) {
    Sampled x = g.pickSampled(3);
    if (!x || x.axis + 1 == rankOf(x.value))
      return false;
    bool wasFirst = x.axis == 0;
    x = wasFirst ? g.exchange(x, 0, 1) : x;
    x = dense(g, g.merge(x, 1, 0));
    x = x && g.chance(50)
            ? g.putNew(g.build("tanh", {x.value}), x.axis, x.rows, x.outer)
            : x;
    x = x && g.chance(80) && !x.isPlain() ? g.unmerge(x) : x;
    if (x && wasFirst && x.axis == 1 && g.chance(60))
      x = g.exchange(x, 0, 1);
    return bool(x);
  }

  /// Attention whose heads are before the samples in one axis, or behind them.
  static bool heads(G &g) {
    Sampled x = g.pickSampled(3);
    if (!x || rankOf(x.value) != 3 || x.axis != 0 || !x.isEach())
      return false;
    Shape shape = x.getShape();
    shape.insert(shape.begin() + 2, SymInt(2));
    Value pair = g.broadcast(
        g.reshape(x.value, {shape[0], shape[1], SymInt(1), shape[3]}), shape);
    bool areFirst = g.chance(60);
    Sampled y = g.putNew(pair, 0, 1);
    y = g.transpose(y, areFirst ? ArrayRef<int64_t>{2, 0, 1, 3}
                                : ArrayRef<int64_t>{0, 2, 1, 3});
    y = g.merge(y, areFirst, !areFirst);
    if (!y)
      return false;
    Value scores =
        g.build("matmul", {y.value, y.value},
                {g.attribute("transpose_b", g.builder.getUnitAttr())});
    Value weights = g.build("softmax", {scores}, {g.integer("axis", 2)});
    y = g.putNew(g.build("matmul", {weights, y.value}), 0, y.rows, y.outer);
    if (y && areFirst && g.chance(70))
      y = g.transpose(g.unmerge(y), {1, 2, 0, 3});
    return bool(y);
  }

  /// Two batches one behind the other, as for guidance without a classifier.
  static bool concatBatches(G &g) {
    Sampled x = g.pickSampled();
    return x && g.put(g.build("concat", {x.value, g.pickLike(x).value},
                              {g.integer("axis", x.axis)}),
                      x.axis, x.rows, SymInt(2) * x.outer);
  }

  static bool tileBatches(G &g) {
    Sampled x = g.pickSampled();
    if (!x)
      return false;
    SmallVector<int64_t> repeats(rankOf(x.value), 1);
    repeats[x.axis] = g.between(2, 3);
    return g.put(g.build("tile", {x.value}, {g.ints("repeats", repeats)}),
                 x.axis, x.rows, SymInt(repeats[x.axis]) * x.outer);
  }

  /// Some of the batches that an axis has.
  static bool sliceBatches(G &g) {
    Sampled x = g.pickMerged();
    std::optional<int64_t> outer = x ? x.outer.getConstant() : std::nullopt;
    if (!outer || *outer < 2)
      return false;
    SymInt batch = g.numberOf(x) * x.rows;
    int64_t first = g.below(*outer), count = g.between(1, *outer - first);
    return g.put(g.sliceAxis(x.value, x.axis, SymInt(first) * batch,
                             SymInt(count) * batch),
                 x.axis, x.rows, SymInt(count));
  }

  /// One row of each sample.
  static bool sliceRows(G &g) {
    Sampled x = g.pickSampled();
    std::optional<int64_t> rows = x ? x.rows.getConstant() : std::nullopt;
    if (!rows || *rows < 2)
      return false;
    return g.put(g.sliceAxis(x.value, x.axis, SymInt(g.below(*rows)),
                             x.outer * g.numberOf(x), *rows),
                 x.axis, 1, x.outer);
  }

  /// A product whose columns are the samples.
  static bool columns(G &g) {
    Sampled x = g.pickSampled(2);
    if (!x)
      return false;
    if (x.axis + 1 != rankOf(x.value))
      x = g.exchange(x, x.axis, rankOf(x.value) - 1);
    if (!x || rankOf(x.value) != 2 || !sizeOf(x.value, 0))
      return false;
    Value weight =
        g.newWhole({SymInt(g.between(1, 3)), SymInt(*sizeOf(x.value, 0))});
    return g.put(g.build("matmul", {weight, x.value}), x);
  }
};
} // namespace

ArrayRef<BatchGenerator::Step> tenon::generate::listMerges() {
  using S = Merges;
  static const BatchGenerator::Step steps[] = {
      {"merge before", S::mergeBefore},
      {"merge around", S::mergeAround},
      {"flatten", S::flatten},
      {"split", S::split},
      {"sequence first", S::sequenceFirst},
      {"heads", S::heads},
      {"concat batches", S::concatBatches},
      {"tile batches", S::tileBatches},
      {"slice batches", S::sliceBatches},
      {"slice rows", S::sliceRows},
      {"columns", S::columns},
  };
  return steps;
}
