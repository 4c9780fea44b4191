//===- BatchSymbols.cpp - arguments with another symbol for samples -------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops with operands of n and of m samples are valid if n is m, which is checked
// when the model is given its inputs.
//
//===----------------------------------------------------------------------===//

#include "BatchGenerator.h"

using namespace mlir;
using namespace tenon::generate;
using namespace tenon::graph;

namespace {
struct Symbols {
  using G = BatchGenerator;

  /// The shape of x with the other symbol. Empty if no input may have it.
  static Shape getOther(G &g, const Sampled &x) {
    if (!x || !x.isEach())
      return {};
    Shape shape = x.getShape();
    for (const SymInt &size : shape)
      if (!size.isConstant() && !size.getSymbol())
        return {};
    shape[x.axis] = g.numberOf(x) == g.n ? g.m : g.n;
    return shape;
  }

  /// An argument of the shape of x, but with the other symbol.
  static Sampled newOther(G &g, const Sampled &x) {
    Shape shape = getOther(g, x);
    return shape.empty() ? Sampled() : g.putNew(g.newWhole(shape), x.axis, 1);
  }

  /// The same value with the symbol of x, as elementwise ops expect it.
  static Value adapt(G &g, Value y, const Sampled &x) {
    if (!y)
      return {};
    return g.chance(70) ? g.broadcast(y, x.getShape())
                        : g.reshape(y, x.getShape());
  }

  /// A result has the symbol of either operand.
  static bool putBoth(G &g, StringRef name, Value a, Value b,
                      const Sampled &like, G::Attributes attributes = {}) {
    if (g.chance(50))
      std::swap(a, b);
    return g.put(g.build(name, {a, b}, std::move(attributes)), like);
  }

  //===--------------------------------------------------------------------===//
  // The same for each sample
  //===--------------------------------------------------------------------===//

  static bool alone(G &g) {
    Shape shape = {g.m};
    for (unsigned rank = g.between(0, 2); rank > 0; --rank)
      shape.push_back(SymInt(g.between(1, 3)));
    return g.put(g.newWhole(shape), 0, 1);
  }

  static bool meet(G &g) {
    Sampled x = g.pickSampled(), y = newOther(g, x);
    Value adapted = y ? adapt(g, y.value, x) : Value();
    return adapted && putBoth(g, g.pick<StringRef>({"add", "mul", "maximum"}),
                              x.value, adapted, x);
  }

  static bool choose(G &g) {
    Sampled x = g.pickSampled(), y = newOther(g, x);
    Value adapted = y ? adapt(g, y.value, x) : Value();
    Value less = adapted ? g.build("less", {adapted, x.value}) : Value();
    return less &&
           g.put(g.build("where", {less, x.value, g.pickLike(x).value}), x);
  }

  static bool concat(G &g) {
    Sampled x = g.pickSampled(2), y = newOther(g, x);
    std::optional<unsigned> axis;
    return y && (axis = g.pickOther(x)) &&
           putBoth(g, "concat", x.value, y.value, x,
                   {g.integer("axis", *axis)});
  }

  static bool matmul(G &g) {
    Sampled x = g.pickSampled(3), y = newOther(g, x);
    return y && x.axis + 2 < rankOf(x.value) &&
           putBoth(g, "matmul", x.value, y.value, x,
                   {g.attribute("transpose_b", g.builder.getUnitAttr())});
  }

  static bool attention(G &g) {
    Sampled x = g.pickSampled(3), y = newOther(g, x);
    return y && x.axis + 2 < rankOf(x.value) &&
           g.put(g.build("attention", {x.value, y.value, y.value},
                         {g.real("scale", 0.5)}),
                 x);
  }

  static bool takeBatched(G &g) {
    Sampled x = g.pickSampled(2);
    if (!x || x.axis != 0 || !x.isEach() || sizeOf(x.value, 1).value_or(0) < 1)
      return false;
    Shape shape = {g.numberOf(x) == g.n ? g.m : g.n, SymInt(1)};
    return g.put(g.build("gather_nd",
                         {x.value, g.bounded(shape, *sizeOf(x.value, 1))},
                         {g.integer("batch_dims", 1)}),
                 0, 1);
  }

  static bool repeat(G &g) {
    Sampled x = g.pickSampled();
    Shape shape = getOther(g, x);
    if (shape.empty())
      return false;
    Value whole = g.broadcast(g.newWhole({}), shape);
    return g.combine(x, adapt(g, whole, x));
  }

  /// Compares the positions of samples.
  static bool positions(G &g) {
    Sampled x = g.pickSampled();
    Shape shape = getOther(g, x);
    if (shape.empty())
      return false;
    Value a = adapt(g, g.spread(g.position(shape[x.axis]), shape, x.axis), x);
    Value b = g.spread(g.position(g.numberOf(x)), x.getShape(), x.axis);
    Value mask = g.build("equal", {b, a});
    return mask &&
           g.put(g.build("where", {mask, x.value, g.pickLike(x).value}), x);
  }

  //===--------------------------------------------------------------------===//
  // Others
  //===--------------------------------------------------------------------===//

  /// Samples meet others.
  static bool meetOther(G &g) {
    Sampled x = g.pickSampled(), y = newOther(g, x);
    if (!y)
      return false;
    Value other;
    if (g.chance(50)) {
      other = g.build("reverse", {y.value}, {g.ints("axes", {y.axis})});
    } else {
      Value row = g.sliceAxis(y.value, y.axis, 0, 1);
      other = row ? g.broadcast(row, y.getShape()) : Value();
    }
    return g.combine(x, adapt(g, other, x));
  }

  static bool total(G &g) {
    Sampled x = g.pickSampled(), y = newOther(g, x);
    if (!y)
      return false;
    Value sum =
        g.build(g.pick<StringRef>({"reduce_mean", "reduce_sum", "reduce_max"}),
                {y.value},
                {g.ints("axes", {y.axis}),
                 g.attribute("keepdims", g.builder.getUnitAttr())});
    return sum && g.combine(x, g.broadcast(sum, x.getShape()));
  }

  /// Each sample attends to all others.
  static bool attendAll(G &g) {
    Sampled x = g.pickSampled(2), y = newOther(g, x);
    if (!y || x.axis + 2 != rankOf(x.value))
      return false;
    Value scores =
        g.build("matmul", {x.value, y.value},
                {g.attribute("transpose_b", g.builder.getUnitAttr())});
    Value weights =
        g.build("softmax", {scores}, {g.integer("axis", x.axis + 1)});
    return g.put(g.build("matmul", {weights, y.value}), x);
  }

  /// The other symbol as a number.
  static bool number(G &g) {
    Sampled x = g.pickSampled();
    if (!x)
      return false;
    g.putNew(g.newWhole({g.m}), 0, 1);
    Value ones = g.newConstant({g.m}, g.f32(), 1);
    Value count = g.build("reduce_sum", {ones}, {g.ints("axes", {0})});
    return count && g.combine(x, g.broadcast(count, x.getShape()));
  }
};
} // namespace

ArrayRef<BatchGenerator::Step> tenon::generate::listSymbols() {
  using S = Symbols;
  static const BatchGenerator::Step steps[] = {
      {"alone", S::alone},
      {"meet", S::meet},
      {"choose", S::choose},
      {"concat", S::concat},
      {"matmul", S::matmul},
      {"attention", S::attention},
      {"take batched", S::takeBatched},
      {"repeat", S::repeat},
      {"positions", S::positions},
  };
  return steps;
}

ArrayRef<BatchGenerator::Step> tenon::generate::listSymbolTricks() {
  using T = Symbols;
  static const BatchGenerator::Step tricks[] = {
      {"meet other", T::meetOther},
      {"total", T::total},
      {"attend all", T::attendAll},
      {"number", T::number},
  };
  return tricks;
}
