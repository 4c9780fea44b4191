//===- BatchLosses.cpp - sums and means over samples ----------------------===//
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
using G = BatchGenerator;

/// Reduces some axes, without keeping them.
Value reduce(G &g, StringRef op, Value x, ArrayRef<int64_t> axes) {
  return x ? g.build(op, {x}, {g.ints("axes", axes)}) : Value();
}

SmallVector<int64_t> allAxes(Value x) {
  return llvm::to_vector(llvm::seq<int64_t>(0, rankOf(x)));
}

/// Each puts a value that is pooled.
struct Losses {
  /// Over all axes, or over that of the samples alone.
  static bool pool(G &g) {
    Sampled x = g.pickSampled();
    if (!x)
      return false;
    bool isMean = g.chance(60);
    SmallVector<int64_t> axes = allAxes(x.value);
    if (g.chance(30))
      axes = {static_cast<int64_t>(x.axis)};
    return g.putPooled(
        reduce(g, isMean ? "reduce_mean" : "reduce_sum", x.value, axes),
        isMean ? Pooling::Mean : Pooling::Sum);
  }

  /// First over other axes, then over the samples.
  static bool poolInSteps(G &g) {
    Sampled x = g.pickSampled(2);
    std::optional<unsigned> axis;
    if (!x || !(axis = g.pickOther(x)))
      return false;
    Value part = reduce(g, g.chance(50) ? "reduce_mean" : "reduce_sum", x.value,
                        {static_cast<int64_t>(*axis)});
    if (!part)
      return false;
    bool isMean = g.chance(60);
    return g.putPooled(
        reduce(g, isMean ? "reduce_mean" : "reduce_sum", part, allAxes(part)),
        isMean ? Pooling::Mean : Pooling::Sum);
  }

  /// A product that sums over the samples.
  static bool contract(G &g) {
    Sampled x = g.pickSampled(2);
    if (!x || rankOf(x.value) != 2 || !x.isPlain())
      return false;
    Value y = g.pickLike(x).value;
    return g.putPooled(
        g.build("matmul", {x.value, y},
                {g.attribute(x.axis == 0 ? "transpose_a" : "transpose_b",
                             g.builder.getUnitAttr())}),
        Pooling::Sum);
  }

  static bool squareErrors(G &g) {
    Sampled x = g.pickSampled();
    if (!x)
      return false;
    bool isMean = g.chance(60);
    return g.putPooled(
        g.build("mse_loss", {x.value, g.pickLike(x).value},
                {g.attribute("reduction", LossReductionAttr::get(
                                              x.value.getContext(),
                                              isMean ? LossReduction::Mean
                                                     : LossReduction::Sum))}),
        isMean ? Pooling::Mean : Pooling::Sum);
  }

  /// The mean or sum of several elements that are pooled.
  static bool reduceMore(G &g) {
    Value p = g.pickPooled();
    if (!p || rankOf(p) == 0)
      return false;
    return g.putPooled(
        reduce(g, g.chance(50) ? "reduce_mean" : "reduce_sum", p, allAxes(p)),
        g.getPooling(p));
  }

  static bool scale(G &g) {
    Value p = g.pickPooled();
    if (!p)
      return false;
    Value factor = g.newWhole(getShape(p));
    return factor && g.putPooled(g.chance(30) ? g.build("neg", {p})
                                              : g.build("mul", {p, factor}),
                                 g.getPooling(p));
  }

  static bool addPooled(G &g) {
    Value p = g.pickPooled(), q = g.pickPooled();
    return p && p.getType() == q.getType() &&
           g.getPooling(p) == g.getPooling(q) &&
           g.putPooled(g.build(g.chance(50) ? "add" : "sub", {p, q}),
                       g.getPooling(p));
  }

  /// A penalty, which counts once in a mean.
  static bool addWhole(G &g) {
    Value p = g.pickPooled();
    return p && g.getPooling(p) == Pooling::Mean &&
           g.putPooled(g.build("add", {p, g.newWhole(getShape(p))}),
                       Pooling::Mean);
  }

  static bool reshape(G &g) {
    Value p = g.pickPooled();
    if (!p || rankOf(p) > 2)
      return false;
    Shape shape = getShape(p);
    shape.insert(shape.begin(), SymInt(1));
    return g.putPooled(g.reshape(p, shape), g.getPooling(p));
  }

  //===--------------------------------------------------------------------===//
  // Tricks
  //===--------------------------------------------------------------------===//

  static bool notLinear(G &g) {
    Value p = g.pickPooled();
    return p &&
           g.putPooled(
               g.build(g.pick<StringRef>({"tanh", "abs", "exp", "relu"}), {p}),
               g.getPooling(p));
  }

  static bool multiply(G &g) {
    Value p = g.pickPooled(), q = g.pickPooled();
    return p && p.getType() == q.getType() &&
           g.putPooled(g.build(g.chance(50) ? "mul" : "div", {p, q}),
                       g.getPooling(p));
  }

  /// A sum, of which a constant would count once for each part.
  static bool addToSum(G &g) {
    Value p = g.pickPooled();
    return p && g.getPooling(p) == Pooling::Sum &&
           g.putPooled(g.build("add", {p, g.newWhole(getShape(p))}),
                       Pooling::Sum);
  }

  static bool otherPooling(G &g) {
    Value p = g.pickPooled(), q = g.pickPooled();
    return p && p.getType() == q.getType() &&
           g.getPooling(p) != g.getPooling(q) &&
           g.putPooled(g.build("add", {p, q}), g.getPooling(p));
  }

  static bool extremum(G &g) {
    Sampled x = g.pickSampled();
    return x &&
           g.putPooled(reduce(g, g.chance(50) ? "reduce_max" : "reduce_prod",
                              x.value, allAxes(x.value)),
                       Pooling::Mean);
  }

  /// A scalar that is added to each sample again.
  static bool giveBack(G &g) {
    Sampled x = g.pickSampled();
    Value p = g.pickPooled();
    if (!x || !p || rankOf(p) != 0)
      return false;
    Value all = g.broadcast(p, x.getShape());
    return all && g.put(g.build("add", {x.value, all}), x);
  }

  /// The mean of the elements that a mask has.
  static bool maskedMean(G &g) {
    Sampled x = g.pickSampled();
    if (!x)
      return false;
    Value mask = g.build("sigmoid", {g.pickLike(x).value});
    Value kept = mask ? g.build("mul", {x.value, mask}) : Value();
    if (!kept)
      return false;
    Value sum = reduce(g, "reduce_sum", kept, allAxes(kept));
    Value count = reduce(g, "reduce_sum", mask, allAxes(mask));
    return sum && count &&
           g.putPooled(g.build("div", {sum, count}), Pooling::Mean);
  }

  static bool meanByOtherNumber(G &g) {
    Sampled x = g.pickSampled();
    if (!x)
      return false;
    Value ones = g.broadcast(g.newWhole({}), {g.anyCounted()});
    Value sum = reduce(g, "reduce_sum", x.value, allAxes(x.value));
    Value number = ones ? reduce(g, "reduce_sum", ones, {0}) : Value();
    return sum && number &&
           g.putPooled(g.build("div", {sum, number}), Pooling::Mean);
  }
};
} // namespace

ArrayRef<BatchGenerator::Step> tenon::generate::listLosses() {
  static const BatchGenerator::Step steps[] = {
      {"pool", Losses::pool},
      {"pool in steps", Losses::poolInSteps},
      {"contract", Losses::contract},
      {"square errors", Losses::squareErrors},
      {"reduce more", Losses::reduceMore},
      {"scale", Losses::scale},
      {"add pooled", Losses::addPooled},
      {"add whole", Losses::addWhole},
      {"reshape", Losses::reshape}};
  return steps;
}

ArrayRef<BatchGenerator::Step> tenon::generate::listLossTricks() {
  static const BatchGenerator::Step tricks[] = {
      {"not linear", Losses::notLinear},
      {"multiply", Losses::multiply},
      {"add to sum", Losses::addToSum},
      {"other pooling", Losses::otherPooling},
      {"extremum", Losses::extremum},
      {"give back", Losses::giveBack},
      {"masked mean", Losses::maskedMean},
      {"mean by other number", Losses::meanByOtherNumber}};
  return tricks;
}
