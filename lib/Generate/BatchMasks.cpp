//===- BatchMasks.cpp - masks that positions of samples decide ------------===//
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
/// Masks that are the same for all samples, or depend on each; if `isWrong`, on
/// which it is.
struct Masks {
  using G = BatchGenerator;

  /// Chooses elements of x by a mask of its shape, or adds the mask.
  static bool apply(G &g, const Sampled &x, Value mask) {
    if (!mask)
      return false;
    if (g.chance(30))
      return g.combine(x, g.toNumbers(mask));
    Value other = g.pickLike(x).value;
    if (other == x.value || g.chance(50))
      other = g.newConstant(x.getShape(), g.f32(), -3);
    if (g.chance(30))
      mask = g.build("not", {mask});
    return other && g.put(g.build("where", {mask, x.value, other}), x);
  }

  /// Compares indices along the axis of the samples with themselves.
  template <bool isWrong> static bool equal(G &g) {
    Sampled x = g.pickSampled();
    if (!x)
      return false;
    Shape shape = x.getShape();
    SymInt size = shape[x.axis];
    Value a = g.position(size), b = g.position(size);
    if (isWrong)
      b = g.wrongPosition(size);
    if (!a || !b)
      return false;
    bool later = !isWrong && g.chance(30);
    if (later)
      b = g.build("add", {b, g.fill({size}, 1)});
    StringRef compare =
        later ? "less" : g.pick<StringRef>({"equal", "less_equal"});
    if (g.chance(40))
      return apply(g, x, g.spread(g.build(compare, {a, b}), shape, x.axis));
    return apply(g, x,
                 g.build(compare, {g.spread(a, shape, x.axis),
                                   g.spread(b, shape, x.axis)}));
  }

  /// Whether an element is before the end of its sample.
  template <bool isWrong> static bool lengths(G &g) {
    Sampled x = g.pickSampled(2);
    std::optional<unsigned> axis;
    if (!x || !x.isEach() || !(axis = g.pickOther(x, /*isConstant=*/true)))
      return false;
    Shape shape = x.getShape();
    SymInt number = g.numberOf(x), size = shape[*axis];
    Value ends =
        g.spread(g.newIndices({number}, size + SymInt(1)), shape, x.axis);
    Value at;
    if (isWrong) {
      at = g.spread(g.position(number), shape, x.axis);
    } else if (x.axis < *axis && g.chance(30)) {
      // The index among all elements, less that of the sample's first one.
      Shape thin(shape.size(), SymInt(1));
      thin[x.axis] = number;
      thin[*axis] = size;
      Value all = g.iota({number * size}, 0, g.i64());
      Value first = g.build(
          "mul", {g.position(number), g.fill({number}, *size.getConstant())});
      at = g.build("sub", {all ? g.reshape(all, thin) : Value(),
                           g.spread(first, thin, x.axis)});
      at = at ? g.broadcast(at, shape) : Value();
    } else if (g.chance(50)) {
      at = g.iota(shape, *axis, g.i64());
    } else {
      at = g.spread(g.iota({size}, 0, g.i64()), shape, *axis);
    }
    return apply(g, x, g.build("less", {at, ends}));
  }

  /// A mask that is read at pairs of a sample and an element.
  template <bool isWrong> static bool pairs(G &g) {
    Sampled x = g.pickSampled(2);
    Shape shape = x ? x.getShape() : Shape();
    if (!x || !x.isEach() || x.axis + 1 == shape.size() ||
        !shape.back().isConstant())
      return false;
    SymInt number = g.numberOf(x);
    Shape known = {number, shape.back() + SymInt(g.below(2))};
    Sampled scores = g.putNew(g.newWhole(known), 0, 1);
    Value mask =
        g.build("less", {scores.value, g.newConstant(known, g.f32(), 0.25)});
    Value sample = g.spread(
        isWrong ? g.wrongPosition(number) : g.position(number), shape, x.axis);
    Value element =
        g.spread(g.iota({shape.back()}, 0, g.i64()), shape, shape.size() - 1);
    if (!sample || !element)
      return false;
    Shape each = shape;
    each.push_back(SymInt(1));
    Value tuples =
        g.build("concat", {g.reshape(sample, each), g.reshape(element, each)},
                {g.integer("axis", shape.size())});
    return apply(
        g, x,
        g.build("gather_nd", {mask, tuples}, {g.integer("batch_dims", 0)}));
  }

  //===--------------------------------------------------------------------===//
  // Others
  //===--------------------------------------------------------------------===//

  /// The first samples, every second one, the first half, or the last one.
  static bool some(G &g) {
    Sampled x = g.pickSampled();
    if (!x)
      return false;
    Shape shape = {x.getShape()[x.axis]};
    Value at = g.position(shape[0]), mask;
    auto last = [&] {
      Value all = g.build("reduce_max", {g.iota(shape, 0, g.i64())},
                          {g.ints("axes", {0})});
      return all ? g.broadcast(all, shape) : Value();
    };
    switch (g.below(4)) {
    case 0:
      mask = g.build(g.pick<StringRef>({"less", "equal", "less_equal"}),
                     {at, g.fill(shape, g.between(1, 2))});
      break;
    case 1:
      mask = g.build(
          "equal", {g.build("mod", {at, g.fill(shape, 2)}), g.fill(shape, 0)});
      break;
    case 2:
      mask = g.build("less", {g.build("add", {at, at}), last()});
      break;
    default:
      mask = g.build("equal", {at, last()});
    }
    return apply(g, x, g.spread(mask, x.getShape(), x.axis));
  }

  /// Compares numbers of a sample with its index.
  static bool values(G &g) {
    Sampled x = g.pickSampled();
    if (!x)
      return false;
    Shape shape = x.getShape();
    Value at = g.spread(g.toNumbers(g.position(shape[x.axis])), shape, x.axis);
    return apply(g, x, g.build("less", {at, x.value}));
  }
};
} // namespace

ArrayRef<BatchGenerator::Step> tenon::generate::listMasks() {
  using S = Masks;
  static const BatchGenerator::Step steps[] = {
      {"equal", S::equal<false>},
      {"lengths", S::lengths<false>},
      {"pairs", S::pairs<false>},
  };
  return steps;
}

ArrayRef<BatchGenerator::Step> tenon::generate::listMaskTricks() {
  using T = Masks;
  static const BatchGenerator::Step tricks[] = {
      {"equal", T::equal<true>}, {"lengths", T::lengths<true>},
      {"pairs", T::pairs<true>}, {"some", T::some},
      {"values", T::values},
  };
  return tricks;
}
