//===- SampleSteps.cpp - ops that do with each sample the same ------------===//
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
/// Each puts a result beside what it was given, and says whether it fitted.
struct Steps {
  using G = BatchGenerator;
  using Attributes = G::Attributes;

  //===--------------------------------------------------------------------===//
  // Element by element
  //===--------------------------------------------------------------------===//

  static bool unary(G &g) {
    Sampled x = g.pickSampled();
    return x && g.put(g.build(g.pick<StringRef>(
                                  {"relu", "neg", "abs", "tanh", "sigmoid"}),
                              {x.value}),
                      x);
  }

  static bool binary(G &g) {
    Sampled x = g.pickSampled();
    return x && g.combine(x, g.pickLike(x).value);
  }

  /// A bias that is the same for all rows.
  static bool bias(G &g) {
    Sampled x = g.pickSampled();
    if (!x)
      return false;
    Shape shape = x.getShape(), small = shape;
    for (unsigned axis = 0; axis < small.size(); ++axis)
      if (axis == x.axis || !small[axis].isConstant() || g.chance(30))
        small[axis] = SymInt(1);
    if (g.chance(50))
      small = Shape(small.begin() + x.axis + g.below(2), small.end());
    return g.combine(x, g.repeat(g.newWhole(small), shape, x));
  }

  /// A bias whose rows differ, in the same way for each sample.
  static bool rowBias(G &g) {
    Sampled x = g.pickSampled();
    if (!x || x.axis != 0 || !x.isPlain() || !x.rows.isConstant())
      return false;
    Shape shape = x.getShape(), rows = shape;
    rows[0] = x.rows;
    for (const SymInt &size : rows)
      if (!size.isConstant())
        return false;
    Shape each = rows;
    each.insert(each.begin(), g.numberOf(x));
    Value repeated = g.repeat(g.newWhole(rows), each, {x.value, 0, 1});
    Value merged = g.build("reshape", {repeated}, {g.sizes("shape", shape)});
    g.claimUniform(merged, 0, x.rows);
    return g.combine(x, merged);
  }

  static bool positions(G &g) {
    Sampled x = g.pickSampled(2);
    std::optional<unsigned> axis;
    if (!x || !(axis = g.pickOther(x)))
      return false;
    Value positions = g.iota(x.getShape(), *axis, g.f32());
    g.claimUniform(positions, x.axis, x.rows, x.outer);
    return g.combine(x, positions);
  }

  static bool choose(G &g) {
    Sampled x = g.pickSampled();
    if (!x)
      return false;
    Value less = g.build("less", {x.value, g.pickLike(x).value});
    return g.put(less, x) &&
           g.put(g.build("where", {less, x.value, g.pickLike(x).value}), x);
  }

  //===--------------------------------------------------------------------===//
  // Movement
  //===--------------------------------------------------------------------===//

  static bool transpose(G &g) {
    Sampled x = g.pickSampled(2);
    if (!x)
      return false;
    SmallVector<int64_t> perm =
        llvm::to_vector(llvm::seq<int64_t>(0, rankOf(x.value)));
    std::shuffle(perm.begin(), perm.end(), g.random);
    unsigned axis = llvm::find(perm, int64_t(x.axis)) - perm.begin();
    return g.put(g.build("transpose", {x.value}, {g.ints("perm", perm)}), axis,
                 x.rows, x.outer);
  }

  /// The rows of samples, and what is behind them, become more rows.
  static bool merge(G &g) {
    Sampled x = g.pickSampled(2);
    Shape shape = x ? x.getShape() : Shape();
    if (!x || x.axis + 1 == shape.size())
      return false;
    SymInt behind = shape[x.axis + 1];
    shape[x.axis] = shape[x.axis] * behind;
    shape.erase(shape.begin() + x.axis + 1);
    return g.put(g.build("reshape", {x.value}, {g.sizes("shape", shape)}),
                 x.axis, x.rows * behind, x.outer);
  }

  static bool splitRows(G &g) {
    Sampled x = g.pickSampled();
    std::optional<int64_t> rows = x ? x.rows.getConstant() : std::nullopt;
    if (!rows || *rows < 2)
      return false;
    Shape shape = x.getShape();
    shape[x.axis] = x.outer * g.numberOf(x);
    shape.insert(shape.begin() + x.axis + 1, SymInt(*rows));
    return g.put(g.build("reshape", {x.value}, {g.sizes("shape", shape)}),
                 x.axis, 1, x.outer);
  }

  static bool insert(G &g) {
    Sampled x = g.pickSampled();
    return x && rankOf(x.value) < 4 &&
           g.insertAxis(x, g.between(0, rankOf(x.value)));
  }

  /// Repeats along a new first axis, or one of size 1.
  static bool repeat(G &g) {
    Sampled x = g.pickSampled();
    if (!x || rankOf(x.value) > 3)
      return false;
    Shape shape = x.getShape();
    for (unsigned axis = 0; axis < shape.size(); ++axis)
      if (axis != x.axis && shape[axis].getConstant() == 1)
        shape[axis] = SymInt(g.between(1, 3));
    shape.insert(shape.begin(), SymInt(g.between(1, 3)));
    return g.put(g.build("broadcast", {x.value}, {g.sizes("shape", shape)}),
                 x.axis + 1, x.rows, x.outer);
  }

  static bool slice(G &g) {
    Sampled x = g.pickSampled(2);
    std::optional<unsigned> axis;
    if (!x || !(axis = g.pickOther(x, /*isConstant=*/true)))
      return false;
    Shape sizes = x.getShape(), starts(sizes.size(), SymInt(0));
    int64_t size = *sizes[*axis].getConstant();
    int64_t start = g.below(size + 1);
    starts[*axis] = SymInt(start);
    sizes[*axis] = SymInt(g.between(0, size - start));
    SmallVector<int64_t> steps(sizes.size(), 1);
    return g.put(g.build("slice", {x.value},
                         {g.sizes("starts", starts), g.sizes("sizes", sizes),
                          g.ints("steps", steps)}),
                 x);
  }

  static bool concat(G &g) {
    Sampled x = g.pickSampled(2);
    std::optional<unsigned> axis;
    if (!x || !(axis = g.pickOther(x)))
      return false;
    return g.put(g.build("concat", {x.value, g.pickLike(x).value},
                         {g.integer("axis", *axis)}),
                 x);
  }

  static bool split(G &g) {
    Sampled x = g.pickSampled(2);
    std::optional<unsigned> axis;
    if (!x || !(axis = g.pickOther(x, /*isConstant=*/true)) ||
        sizeOf(x.value, *axis) < 2)
      return false;
    Operation *op = g.add("split", {x.value},
                          {g.integer("axis", *axis),
                           g.ints("sizes", {1, *sizeOf(x.value, *axis) - 1})});
    return op && g.put(op->getResult(0), x) && g.put(op->getResult(1), x);
  }

  static bool pad(G &g) {
    Sampled x = g.pickSampled(2);
    std::optional<unsigned> axis;
    if (!x || !(axis = g.pickOther(x)))
      return false;
    SmallVector<int64_t> low(rankOf(x.value), 0), high = low;
    low[*axis] = g.below(2);
    high[*axis] = g.below(3);
    return g.put(
        g.build("pad", {x.value},
                {g.ints("low", low), g.ints("high", high),
                 g.attribute("mode", PadModeAttr::get(x.value.getContext(),
                                                      PadMode::Constant)),
                 g.real("value", 0.5)}),
        x);
  }

  static bool reverse(G &g) {
    Sampled x = g.pickSampled(2);
    std::optional<unsigned> axis;
    return x && (axis = g.pickOther(x)) &&
           g.put(g.build("reverse", {x.value}, {g.ints("axes", {*axis})}), x);
  }

  //===--------------------------------------------------------------------===//
  // Along other axes
  //===--------------------------------------------------------------------===//

  static bool reduce(G &g) {
    Sampled x = g.pickSampled(2);
    std::optional<unsigned> axis;
    if (!x || !(axis = g.pickOther(x)))
      return false;
    Attributes attributes = {g.ints("axes", {*axis})};
    bool keeps = g.chance(50);
    if (keeps)
      attributes.push_back(g.attribute("keepdims", g.builder.getUnitAttr()));
    return g.put(g.build(g.pick<StringRef>({"reduce_sum", "reduce_max",
                                            "reduce_mean", "reduce_min"}),
                         {x.value}, attributes),
                 x.axis - (!keeps && *axis < x.axis), x.rows, x.outer);
  }

  static bool alongAxis(G &g) {
    Sampled x = g.pickSampled(2);
    std::optional<unsigned> axis;
    return x && (axis = g.pickOther(x)) &&
           g.put(g.build(g.pick<StringRef>(
                             {"softmax", "cumsum", "log_softmax", "hardmax"}),
                         {x.value}, {g.integer("axis", *axis)}),
                 x);
  }

  static bool norm(G &g) {
    Sampled x = g.pickSampled(2);
    std::optional<int64_t> size =
        x ? x.getShape().back().getConstant() : std::nullopt;
    int64_t last = x ? rankOf(x.value) - 1 : 0;
    if (!size || x.axis == last)
      return false;
    SmallVector<Value> operands = {x.value, g.newWhole({SymInt(*size)})};
    return g.put(g.build(g.pick<StringRef>({"rms_norm", "layer_norm"}),
                         operands,
                         {g.integer("axis", last), g.real("epsilon", 1e-3)}),
                 x);
  }

  static bool matmul(G &g) {
    Sampled x = g.pickSampled(2);
    std::optional<int64_t> size =
        x ? x.getShape().back().getConstant() : std::nullopt;
    if (!size || x.axis + 1 == rankOf(x.value))
      return false;
    Value weight = g.newWhole({SymInt(*size), SymInt(g.between(1, 3))});
    return g.put(g.build("matmul", {x.value, weight}), x);
  }

  /// The products of a sample's rows with one another.
  static bool matmulWithin(G &g) {
    Sampled x = g.pickSampled(3);
    return x && x.axis + 2 < rankOf(x.value) &&
           g.put(g.build("matmul", {x.value, g.pickLike(x).value},
                         {g.attribute("transpose_b", g.builder.getUnitAttr())}),
                 x);
  }

  static bool conv(G &g) {
    Sampled x = g.pickSampled(3);
    std::optional<int64_t> channels =
        x && rankOf(x.value) == 3 ? sizeOf(x.value, 1) : std::nullopt;
    if (!channels || *channels == 0 || x.axis != 0)
      return false;
    Value weight = g.newWhole({SymInt(2), SymInt(*channels), SymInt(2)});
    return g.put(
        g.build(
            "conv", {x.value, weight},
            {g.ints("strides", {1}), g.ints("pads", {1, g.below(2)}),
             g.ints("dilations", {1}), g.ints("groups", {1}),
             g.attribute("layout", LayoutAttr::get(x.value.getContext(),
                                                   Layout::ChannelsFirst))}),
        x);
  }

  static bool attention(G &g) {
    Sampled x = g.pickSampled(3);
    if (!x || x.axis + 2 >= rankOf(x.value))
      return false;
    return g.put(g.build("attention",
                         {x.value, g.pickLike(x).value, g.pickLike(x).value},
                         {g.real("scale", 0.5)}),
                 x);
  }

  //===--------------------------------------------------------------------===//
  // Indices
  //===--------------------------------------------------------------------===//

  static bool lookUp(G &g) {
    int64_t size = g.between(1, 4);
    Shape shape = {g.n};
    if (g.chance(50))
      shape.push_back(SymInt(g.between(1, 3)));
    Value table = g.newWhole({SymInt(size), SymInt(g.between(1, 3))});
    return g.put(g.build("gather", {table, g.newIndices(shape, SymInt(size))},
                         {g.integer("axis", 0)}),
                 0, 1);
  }

  static bool lookUpLargest(G &g) {
    Sampled x = g.pickSampled(2);
    std::optional<unsigned> axis;
    if (!x || !(axis = g.pickOther(x, /*isConstant=*/true)) ||
        sizeOf(x.value, *axis) < 1)
      return false;
    Value largest = g.build("argmax", {x.value}, {g.integer("axis", *axis)});
    Value table = g.newWhole({SymInt(*sizeOf(x.value, *axis)), SymInt(2)});
    unsigned samples = x.axis - (*axis < x.axis);
    return g.put(largest, samples, x.rows, x.outer) &&
           g.put(g.build("gather", {table, largest}, {g.integer("axis", 0)}),
                 samples, x.rows, x.outer);
  }

  /// A row for each sample from a table with equal rows.
  static bool lookUpOwn(G &g) {
    Sampled x = g.pickSampled(2);
    if (!x || x.axis != 0 || rankOf(x.value) != 2 || !x.isEach() ||
        !sizeOf(x.value, 1))
      return false;
    Value table = g.repeat(g.newWhole({x.getShape()[1]}), x.getShape(), x);
    Value rows =
        g.build("gather", {table, g.iota({g.n}, 0, g.builder.getI64Type())},
                {g.integer("axis", 0)});
    g.claimUniform(rows, 0, 1);
    return g.combine(x, rows);
  }
};
} // namespace

ArrayRef<BatchGenerator::Step> tenon::generate::listSampleSteps() {
  using S = Steps;
  static const BatchGenerator::Step steps[] = {
      {"unary", S::unary},
      {"binary", S::binary},
      {"bias", S::bias},
      {"row bias", S::rowBias},
      {"positions", S::positions},
      {"choose", S::choose},
      {"transpose", S::transpose},
      {"merge", S::merge},
      {"split rows", S::splitRows},
      {"insert", S::insert},
      {"repeat", S::repeat},
      {"slice", S::slice},
      {"concat", S::concat},
      {"split", S::split},
      {"pad", S::pad},
      {"reverse", S::reverse},
      {"reduce", S::reduce},
      {"along axis", S::alongAxis},
      {"norm", S::norm},
      {"matmul", S::matmul},
      {"matmul within", S::matmulWithin},
      {"conv", S::conv},
      {"attention", S::attention},
      {"look up", S::lookUp},
      {"look up largest", S::lookUpLargest},
      {"look up own", S::lookUpOwn},
  };
  return steps;
}
