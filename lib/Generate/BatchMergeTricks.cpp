//===- BatchMergeTricks.cpp - merged axes that mix samples ----------------===//
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
struct MergeTricks {
  using G = BatchGenerator;

  /// Splits a merged axis as if the samples were first, or last.
  static bool mixSplit(G &g) {
    Sampled x = g.pickMerged();
    if (!x || x.isPlain())
      return false;
    Shape shape = x.getShape();
    shape[x.axis] = g.numberOf(x);
    shape.insert(shape.begin() + x.axis + 1, x.outer * x.rows);
    return g.put(g.reshape(x.value, shape), x.axis, 1);
  }

  /// Takes an axis behind the samples for one before them.
  static bool mixMerge(G &g) {
    Sampled x = g.pickSampled(2);
    if (!x || x.axis + 1 == rankOf(x.value))
      return false;
    SymInt behind = x.getShape()[x.axis + 1];
    Sampled merged = g.merge(x, 0, 1);
    return merged && g.put(g.build("neg", {merged.value}), x.axis, x.rows,
                           behind * x.outer);
  }

  static bool alongMerged(G &g) {
    Sampled x = g.pickMerged();
    if (!x)
      return false;
    if (g.chance(25))
      return g.put(g.build("reverse", {x.value}, {g.ints("axes", {x.axis})}),
                   x);
    return g.put(
        g.build(g.pick<StringRef>({"softmax", "cumsum", "log_softmax"}),
                {x.value}, {g.integer("axis", x.axis)}),
        x);
  }

  static bool totalMerged(G &g) {
    Sampled x = g.pickMerged();
    if (!x)
      return false;
    Value sum =
        g.build(g.pick<StringRef>({"reduce_mean", "reduce_max"}), {x.value},
                {g.ints("axes", {x.axis}),
                 g.attribute("keepdims", g.builder.getUnitAttr())});
    return sum && g.combine(x, g.repeat(sum, x.getShape(), x));
  }

  /// Batches that begin a sample late.
  static bool sliceLate(G &g) {
    Sampled x = g.pickMerged();
    std::optional<int64_t> outer = x ? x.outer.getConstant() : std::nullopt;
    if (!outer || *outer < 2)
      return false;
    SymInt count = SymInt(*outer - 1);
    return g.put(
        g.sliceAxis(x.value, x.axis, x.rows, count * g.numberOf(x) * x.rows),
        x.axis, x.rows, count);
  }

  /// Every second index, which is that of another sample.
  static bool sliceWide(G &g) {
    Sampled x = g.pickMerged();
    std::optional<int64_t> outer = x ? x.outer.getConstant() : std::nullopt;
    if (!outer || *outer % 2 != 0 || *outer == 0)
      return false;
    SymInt count = SymInt(*outer / 2);
    return g.put(g.sliceAxis(x.value, x.axis, 0, count * g.numberOf(x) * x.rows,
                             /*step=*/2),
                 x.axis, x.rows, count);
  }

  /// Moves all indices on by one, around the end or not.
  static bool shift(G &g) {
    Sampled x = g.chance(60) ? g.pickMerged() : g.pickSampled();
    if (!x)
      return false;
    SymInt size = x.getShape()[x.axis];
    Value first = g.sliceAxis(x.value, x.axis, 0, 1);
    if (g.chance(50))
      first = g.chance(50) && first
                  ? g.build("neg", {first})
                  : g.sliceAxis(x.value, x.axis, size - SymInt(1), 1);
    Value rest = g.sliceAxis(x.value, x.axis, 0, size - SymInt(1));
    return first && rest &&
           g.put(g.build("concat", {first, rest}, {g.integer("axis", x.axis)}),
                 x);
  }

  /// The products of all rows with one another, or attention over them.
  static bool attendAll(G &g) {
    Sampled x = g.pickMerged();
    if (!x || x.axis + 2 != rankOf(x.value))
      return false;
    Value scores =
        g.build("matmul", {x.value, x.value},
                {g.attribute("transpose_b", g.builder.getUnitAttr())});
    Value weights =
        scores && g.chance(70)
            ? g.build("softmax", {scores}, {g.integer("axis", x.axis + 1)})
            : scores;
    return g.put(g.build("matmul", {weights, x.value}), x);
  }
};
} // namespace

ArrayRef<BatchGenerator::Step> tenon::generate::listMergeTricks() {
  using T = MergeTricks;
  static const BatchGenerator::Step tricks[] = {
      {"mix split", T::mixSplit},
      {"mix merge", T::mixMerge},
      {"along merged", T::alongMerged},
      {"total merged", T::totalMerged},
      {"slice late", T::sliceLate},
      {"slice wide", T::sliceWide},
      {"shift", T::shift},
      {"attend all", T::attendAll},
  };
  return tricks;
}
