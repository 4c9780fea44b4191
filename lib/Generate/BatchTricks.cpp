//===- BatchTricks.cpp - how the number of samples may matter -------------===//
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
/// Each puts a result that is claimed to be one of samples, or claims another
/// value to be the same for all of them. Not all of these claims are false.
struct Tricks {
  using G = BatchGenerator;
  using Attributes = G::Attributes;

  //===--------------------------------------------------------------------===//
  // The number in another axis
  //===--------------------------------------------------------------------===//

  static bool broadcast(G &g) {
    Sampled x = g.pickSampled();
    if (!x || rankOf(x.value) > 3)
      return false;
    unsigned place = g.between(0, rankOf(x.value));
    if (g.chance(80))
      x = g.insertAxis(x, place);
    if (!x)
      return false;
    Shape shape = x.getShape();
    bool isThere = place < shape.size() && shape[place].getConstant() == 1;
    if (isThere)
      shape[place] = g.anyCounted();
    else
      shape.insert(shape.begin(), g.anyCounted());
    return g.put(g.build("broadcast", {x.value}, {g.sizes("shape", shape)}),
                 x.axis + !isThere, x.rows, x.outer);
  }

  /// The same, but the result is said to have a size that is equal.
  static bool hideSize(G &g) {
    Sampled x = g.pickSampled();
    if (!x || rankOf(x.value) > 3)
      return false;
    SymInt other = SymInt::symbol("m");
    x = g.insertAxis(x, g.between(0, rankOf(x.value)));
    Shape shape = x ? x.getShape() : Shape();
    auto one = llvm::find_if(
        shape, [](const SymInt &size) { return size.getConstant() == 1; });
    if (!x || one == shape.end())
      return false;
    *one = g.n;
    Value result = g.build("broadcast", {x.value}, {g.sizes("shape", shape)});
    if (!result)
      return false;
    *one = other;
    result.setType(getTensorType(shape, g.f32()));
    g.newWhole({other});
    return g.put(result, x);
  }

  static bool tile(G &g) {
    Sampled x = g.pickSampled(2);
    std::optional<unsigned> axis;
    if (!x || !(axis = g.pickOther(x)))
      return false;
    Shape repeats(rankOf(x.value), SymInt(1));
    repeats[*axis] = g.anyCounted();
    return g.put(g.build("tile", {x.value}, {g.sizes("repeats", repeats)}), x);
  }

  static bool concat(G &g) {
    Sampled x = g.pickSampled(2);
    std::optional<unsigned> axis;
    if (!x || !(axis = g.pickOther(x)))
      return false;
    Shape shape = x.getShape();
    shape[*axis] = g.anyCounted();
    Value more = g.repeat(g.newWhole({}), shape, x);
    return more &&
           g.put(g.build("concat", {x.value, more}, {g.integer("axis", *axis)}),
                 x);
  }

  static bool pad(G &g) {
    Sampled x = g.pickSampled(2);
    std::optional<unsigned> axis;
    if (!x || !(axis = g.pickOther(x)))
      return false;
    Shape low(rankOf(x.value), SymInt(0)), high = low;
    (g.chance(50) ? low : high)[*axis] = g.anyCounted();
    return g.put(
        g.build("pad", {x.value},
                {g.sizes("low", low), g.sizes("high", high),
                 g.attribute("mode", PadModeAttr::get(x.value.getContext(),
                                                      PadMode::Constant)),
                 g.real("value", 0.5)}),
        x);
  }

  static bool slice(G &g) {
    Sampled x = g.pickSampled(2);
    std::optional<unsigned> axis;
    if (!x || !(axis = g.pickOther(x)))
      return false;
    Shape sizes = x.getShape(), starts(sizes.size(), SymInt(0));
    SymInt size = sizes[*axis];
    if (g.chance(50)) {
      starts[*axis] = SymInt::min(g.anyCounted(), size - SymInt(1));
      sizes[*axis] = SymInt(1);
    } else {
      sizes[*axis] = SymInt::min(g.anyCounted(), size);
    }
    SmallVector<int64_t> steps(sizes.size(), 1);
    return g.put(g.build("slice", {x.value},
                         {g.sizes("starts", starts), g.sizes("sizes", sizes),
                          g.ints("steps", steps)}),
                 x);
  }

  /// A product with a matrix of so many columns.
  static bool matmul(G &g) {
    Sampled x = g.pickSampled(2);
    if (!x || x.axis + 1 == rankOf(x.value))
      return false;
    Value weight =
        g.iota({x.getShape().back(), g.anyCounted()}, g.below(2), g.f32());
    return weight && g.put(g.build("matmul", {x.value, weight}), x);
  }

  /// What one trick did is undone by a sum or a maximum.
  static bool broadcastAndReduce(G &g) {
    Sampled x = g.pickSampled();
    if (!x || rankOf(x.value) > 3)
      return false;
    Shape shape = x.getShape();
    shape.insert(shape.begin(), g.anyCounted());
    Value more = g.build("broadcast", {x.value}, {g.sizes("shape", shape)});
    return g.put(more, x.axis + 1, x.rows, x.outer) &&
           g.put(g.build(g.pick<StringRef>(
                             {"reduce_sum", "reduce_max", "reduce_mean"}),
                         {more}, {g.ints("axes", {0})}),
                 x);
  }

  //===--------------------------------------------------------------------===//
  // The number as a value
  //===--------------------------------------------------------------------===//

  /// A scalar that is the number of samples, or follows from it.
  static Value number(G &g) {
    if (g.chance(30))
      return g.build("reduce_max", {g.iota({g.anyCounted()}, 0, g.f32())},
                     {g.ints("axes", {0})});
    Value ones = g.newConstant({g.anyCounted()}, g.f32(), 1);
    return g.build("reduce_sum", {ones}, {g.ints("axes", {0})});
  }

  static bool scale(G &g) {
    Sampled x = g.pickSampled();
    return x && g.combine(x, g.repeat(number(g), x.getShape(), x));
  }

  /// As an operand of a composite.
  static bool norm(G &g) {
    Sampled x = g.pickSampled(2);
    std::optional<int64_t> size =
        x ? x.getShape().back().getConstant() : std::nullopt;
    int64_t last = x ? rankOf(x.value) - 1 : 0;
    if (!size || x.axis == last)
      return false;
    Value factors =
        g.build("broadcast", {number(g)}, {g.sizes("shape", {SymInt(*size)})});
    SmallVector<Value> operands = {x.value, factors};
    return factors &&
           g.put(g.build(g.pick<StringRef>({"rms_norm", "layer_norm"}),
                         operands,
                         {g.integer("axis", last), g.real("epsilon", 1e-3)}),
                 x);
  }

  static bool weight(G &g) {
    Sampled x = g.pickSampled(2);
    std::optional<int64_t> size =
        x ? x.getShape().back().getConstant() : std::nullopt;
    if (!size || x.axis + 1 == rankOf(x.value))
      return false;
    Value more = g.build("broadcast", {number(g)},
                         {g.sizes("shape", {SymInt(*size), SymInt(2)})});
    return more && g.put(g.build("matmul", {x.value, more}), x);
  }

  //===--------------------------------------------------------------------===//
  // Other samples
  //===--------------------------------------------------------------------===//

  static bool position(G &g) {
    Sampled x = g.pickSampled();
    if (!x)
      return false;
    Value positions = g.iota(x.getShape(), x.axis, g.f32());
    g.claimUniform(positions, x.axis, x.rows, x.outer);
    return g.combine(x, positions);
  }

  static bool alongSamples(G &g) {
    Sampled x = g.pickSampled();
    if (!x)
      return false;
    if (g.chance(40))
      return g.put(g.build("reverse", {x.value}, {g.ints("axes", {x.axis})}),
                   x);
    return g.put(g.build(g.pick<StringRef>({"softmax", "cumsum"}), {x.value},
                         {g.integer("axis", x.axis)}),
                 x);
  }

  static bool total(G &g) {
    Sampled x = g.pickSampled();
    if (!x)
      return false;
    Value sum =
        g.build(g.pick<StringRef>({"reduce_sum", "reduce_max"}), {x.value},
                {g.ints("axes", {x.axis}),
                 g.attribute("keepdims", g.builder.getUnitAttr())});
    return sum && g.combine(x, g.repeat(sum, x.getShape(), x));
  }

  /// The samples go another way through a reshape.
  static bool mix(G &g) {
    Sampled x = g.pickSampled(2);
    if (!x)
      return false;
    Shape shape = x.getShape();
    SymInt rows = shape[x.axis];
    shape.erase(shape.begin() + x.axis);
    unsigned axis = g.below(shape.size() + 1);
    shape.insert(shape.begin() + axis, rows);
    return g.put(g.build("reshape", {x.value}, {g.sizes("shape", shape)}), axis,
                 x.rows, x.outer);
  }

  //===--------------------------------------------------------------------===//
  // Arguments, indices and results
  //===--------------------------------------------------------------------===//

  static bool argument(G &g) {
    Shape shape = {g.n, SymInt(g.between(1, 3))};
    shape.insert(shape.begin() + g.below(3), g.anyCounted());
    unsigned axis = llvm::find(shape, g.n) - shape.begin();
    // A size that follows from others can't be computed back.
    return g.put(g.newWhole(shape), axis, 1);
  }

  static bool wholeArgument(G &g) {
    SymInt size = g.anyCounted();
    if (size == g.n)
      return false;
    Value argument = g.newWhole({size, SymInt(2)});
    if (g.chance(50))
      g.alsoReturn(g.build("relu", {argument}));
    return true;
  }

  static bool lookUp(G &g) {
    SymInt size = g.pick<SymInt>({g.n, SymInt(2) * g.n, g.n + SymInt(1)});
    Shape row = {SymInt(g.between(1, 3))};
    Value table = g.repeat(g.newWhole(row), {size, row[0]}, {{}, 0, 1});
    return table && g.put(g.build("gather", {table, g.newIndices({g.n}, size)},
                                  {g.integer("axis", 0)}),
                          0, 1);
  }

  /// Combines x with a number for each sample.
  static bool combineEach(G &g, const Sampled &x, Value each) {
    Shape shape(rankOf(x.value), SymInt(1));
    shape[0] = g.n;
    Value row = g.build("reshape", {each}, {g.sizes("shape", shape)});
    g.claimUniform(each, 0, 1);
    g.claimUniform(row, 0, 1);
    return row && g.combine(x, g.repeat(row, x.getShape(), x));
  }

  /// A row of a table of equal ones, which is not there for fewer samples.
  static bool lookUpRow(G &g) {
    Sampled x = g.pickSampled();
    if (!x || x.axis != 0 || !x.isEach())
      return false;
    Value table = g.repeat(g.newWhole({}), {g.n}, x);
    Value row = g.newConstant({g.n}, g.builder.getI64Type(), g.below(2));
    g.claimUniform(row, 0, 1);
    return combineEach(g, x,
                       g.build("gather", {table, row}, {g.integer("axis", 0)}));
  }

  /// Rows that alternate, from the last one on.
  static bool lookUpBackwards(G &g) {
    Sampled x = g.pickSampled();
    if (!x || x.axis != 0 || !x.isEach())
      return false;
    Value pairs =
        g.repeat(g.newWhole({SymInt(2)}), {g.n, SymInt(2)}, {{}, 0, 1});
    Value table =
        g.build("reshape", {pairs}, {g.sizes("shape", {SymInt(2) * g.n})});
    g.claimUniform(table, 0, 2);
    Value last = g.build("reverse", {g.iota({g.n}, 0, g.builder.getI64Type())},
                         {g.ints("axes", {0})});
    return combineEach(
        g, x, g.build("gather", {table, last}, {g.integer("axis", 0)}));
  }

  static bool returnCounted(G &g) {
    Value counted = g.chance(40) ? number(g)
                    : g.chance(50)
                        ? g.iota({g.n, SymInt(2)}, g.below(2), g.f32())
                        : g.iota({g.anyCounted()}, 0, g.f32());
    if (counted)
      g.alsoReturn(counted);
    return counted != nullptr;
  }

  static bool returnRepeated(G &g) {
    Shape shape = {g.n, SymInt(2)};
    if (g.chance(40))
      shape.push_back(g.n);
    Value repeated =
        g.build("broadcast", {g.newWhole({})}, {g.sizes("shape", shape)});
    g.claimUniform(repeated, 0, 1);
    if (repeated)
      g.alsoReturn(repeated);
    return repeated != nullptr;
  }
};
} // namespace

ArrayRef<BatchGenerator::Step> tenon::generate::listTricks() {
  using T = Tricks;
  static const BatchGenerator::Step tricks[] = {
      {"broadcast", T::broadcast},
      {"hide size", T::hideSize},
      {"tile", T::tile},
      {"concat", T::concat},
      {"pad", T::pad},
      {"slice", T::slice},
      {"matmul", T::matmul},
      {"broadcast and reduce", T::broadcastAndReduce},
      {"scale", T::scale},
      {"norm", T::norm},
      {"weight", T::weight},
      {"position", T::position},
      {"along samples", T::alongSamples},
      {"total", T::total},
      {"mix", T::mix},
      {"argument", T::argument},
      {"whole argument", T::wholeArgument},
      {"look up", T::lookUp},
      {"look up row", T::lookUpRow},
      {"look up backwards", T::lookUpBackwards},
      {"return counted", T::returnCounted},
      {"return repeated", T::returnRepeated},
  };
  return tricks;
}
