//===- OpProposals.cpp - operands and attributes that fit an op ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpProposals.h"

using namespace mlir;
using namespace tenon::generate;
using namespace tenon::graph;

namespace {
/// One function per way to add an op; each says whether it fitted.
struct Proposals {
  using G = GraphGenerator;
  using Attributes = G::Attributes;

  //===--------------------------------------------------------------------===//
  // Elementwise
  //===--------------------------------------------------------------------===//

  static bool binary(G &g, StringRef name, Value x) {
    return x && g.add(name, {x, g.pickSame(x)}) != nullptr;
  }

  /// A divisor that is not 0: division by zero has no value to compare.
  static bool division(G &g, StringRef name) {
    Value x = g.pickNumber();
    if (!x || isFloat(elementOf(x)))
      return binary(g, name, x);
    Value divisor = g.newConstant(getShape(x), elementOf(x), g.between(1, 5));
    return divisor && g.add(name, {x, divisor});
  }

  static bool power(G &g) {
    Value x = g.pickNumber();
    if (!x)
      return false;
    // For signed integers, the undefined power of 0 is 0.
    Type element = elementOf(x);
    double exponent = isFloat(element) ? g.pick({0.5, 2.0, 3.0, -1.0, 1.5})
                      : element.isUnsignedInteger()
                          ? g.pick({0.0, 2.0, 3.0, 200.0})
                          : g.pick({0.0, 2.0, 3.0, -1.0});
    Value y = g.newConstant(getShape(x), elementOf(x), exponent);
    return y && g.add("pow", {x, y});
  }

  static bool shift(G &g, StringRef name) {
    Value x = g.pickInteger();
    if (!x)
      return false;
    Value amount = g.newConstant(getShape(x), elementOf(x), g.between(0, 9));
    return amount && g.add(name, {x, amount});
  }

  static bool logic(G &g, StringRef name) {
    Value x = g.pickValue(
        [](RankedTensorType type) { return isBool(type.getElementType()); },
        [&] { return g.i1(); });
    if (!x)
      return false;
    return name == "not" ? g.add(name, {x}) != nullptr : binary(g, name, x);
  }

  static bool where(G &g) {
    Value x = g.pickAny();
    if (!x)
      return false;
    Value y = g.pickSame(x);
    Value condition = isBool(elementOf(x)) ? x : g.build("less", {x, y});
    return condition && g.add("where", {condition, x, y});
  }

  static bool cast(G &g) {
    Value x = g.pickAny();
    Type element = g.forcedElement;
    g.forcedElement = {};
    Type to = g.chance(50)   ? g.anyFloat()
              : g.chance(80) ? g.anyInteger()
                             : g.i1();
    g.forcedElement = element;
    return x && to != elementOf(x) &&
           g.add("cast", {x}, {g.attribute("to", TypeAttr::get(to))});
  }

  static bool activation(G &g, StringRef name, ArrayRef<StringRef> reals) {
    Attributes attributes;
    for (StringRef real : reals)
      attributes.push_back(g.real(real, g.number(0.25, 1.5)));
    return g.add(name, {g.pickFloat()}, attributes);
  }

  //===--------------------------------------------------------------------===//
  // Reductions
  //===--------------------------------------------------------------------===//

  static bool reduce(G &g, StringRef name, Value x) {
    if (!x)
      return false;
    SmallVector<int64_t> axes;
    for (int64_t axis = 0; axis < rankOf(x); ++axis)
      if (g.chance(50))
        axes.push_back(axis);
    Attributes attributes = {g.ints("axes", axes)};
    g.maybe(attributes, "keepdims");
    return g.add(name, {x}, attributes);
  }

  static bool argReduce(G &g, StringRef name) {
    Value x = g.pickNumber(1);
    if (!x)
      return false;
    Attributes attributes = {g.integer("axis", g.below(rankOf(x)))};
    g.maybe(attributes, "keepdims");
    g.maybe(attributes, "select_last");
    return g.add(name, {x}, attributes);
  }

  static bool topK(G &g) {
    Value x = g.pickNumber(1);
    if (!x)
      return false;
    int64_t axis = g.below(rankOf(x));
    std::optional<int64_t> size = sizeOf(x, axis);
    if (!size || *size < 1)
      return false;
    Attributes attributes = {g.integer("axis", axis),
                             g.ints("k", {g.between(1, *size)})};
    g.maybe(attributes, "smallest");
    return g.add("top_k", {x}, attributes);
  }

  static bool scan(G &g, StringRef name) {
    Value x = g.pickNumber(1);
    if (!x)
      return false;
    Attributes attributes = {g.integer("axis", g.below(rankOf(x)))};
    g.maybe(attributes, "exclusive");
    g.maybe(attributes, "reverse");
    return g.add(name, {x}, attributes);
  }

  //===--------------------------------------------------------------------===//
  // Matmul, convolutions, pooling
  //===--------------------------------------------------------------------===//

  static bool matmul(G &g) {
    Value x = g.pickNumber(2, 4);
    if (!x)
      return false;
    Attributes attributes;
    bool transposeA = g.chance(30), transposeB = g.chance(40);
    if (transposeA)
      attributes.push_back(g.attribute("transpose_a", g.builder.getUnitAttr()));
    if (transposeB)
      attributes.push_back(g.attribute("transpose_b", g.builder.getUnitAttr()));
    Shape shape = getShape(x);
    SymInt depth = shape[shape.size() - (transposeA ? 2 : 1)];
    if (!depth.isConstant() && !depth.getSymbol())
      return false;
    Shape other = {depth, SymInt(g.between(1, 9))};
    if (transposeB)
      std::swap(other[0], other[1]);
    if (g.chance(40))
      for (size_t axis = shape.size() - 2; axis-- > 0;)
        other.insert(other.begin(), g.chance(30) ? SymInt(1) : shape[axis]);
    for (const SymInt &size : other)
      if (!size.isConstant() && !size.getSymbol())
        return false;
    return g.add("matmul", {x, g.newWeight(other, elementOf(x))}, attributes);
  }

  struct Windows {
    SmallVector<int64_t> kernel, strides, pads, dilations;
  };
  static Windows windows(G &g, unsigned count) {
    Windows w;
    for (unsigned axis = 0; axis < count; ++axis) {
      w.kernel.push_back(g.between(1, 3));
      w.strides.push_back(g.between(1, 2));
      w.dilations.push_back(g.chance(20) ? 2 : 1);
      w.pads.push_back(g.below(w.kernel.back()));
    }
    for (unsigned axis = 0; axis < count; ++axis)
      w.pads.push_back(g.below(w.kernel[axis]));
    return w;
  }

  static NamedAttribute layout(G &g, bool last) {
    return g.attribute("layout", LayoutAttr::get(g.builder.getContext(),
                                                 last ? Layout::ChannelsLast
                                                      : Layout::ChannelsFirst));
  }

  static bool conv(G &g, bool transposed) {
    Value x = transposed     ? g.pickFloat(3, 4)
              : g.chance(80) ? g.pickFloat(3, 5)
                             : g.pickNumber(3, 4);
    if (!x)
      return false;
    bool last = g.chance(40);
    unsigned count = rankOf(x) - 2;
    std::optional<int64_t> channels = sizeOf(x, last ? count + 1 : 1);
    if (!channels || *channels == 0)
      return false;
    int64_t groups = g.chance(30)                         ? *channels
                     : *channels % 2 == 0 && g.chance(30) ? 2
                                                          : 1;
    int64_t out = groups * g.between(1, 4);
    Windows w = windows(g, count);
    Shape weight = {SymInt(transposed ? *channels : out),
                    SymInt((transposed ? out : *channels) / groups)};
    for (int64_t size : w.kernel)
      weight.push_back(SymInt(size));
    Attributes attributes = {
        g.ints("strides", w.strides), g.ints("pads", w.pads),
        g.ints("dilations", w.dilations), g.ints("groups", {groups})};
    if (transposed) {
      SmallVector<int64_t> padding;
      for (int64_t stride : w.strides)
        padding.push_back(g.below(stride));
      attributes.push_back(g.ints("output_padding", padding));
    }
    attributes.push_back(layout(g, last));
    return g.add(transposed ? "conv_transpose" : "conv",
                 {x, g.newWeight(weight, elementOf(x))}, attributes);
  }

  /// With an input for the cotangent: 0 to 2 positions more than the input
  /// has, or fewer.
  static bool backwardWeight(G &g) {
    Value x = g.pickFloat(3, 4);
    if (!x)
      return false;
    bool last = g.chance(50);
    unsigned count = rankOf(x) - 2, channel = last ? count + 1 : 1;
    std::optional<int64_t> channels = sizeOf(x, channel);
    if (!channels || *channels == 0)
      return false;
    int64_t groups = g.chance(30) ? *channels : 1;
    Shape shape = getShape(x);
    shape[channel] = SymInt(groups * g.between(1, 3));
    for (unsigned axis = last ? 1 : 2; axis < (last ? 1 : 2) + count; ++axis)
      shape[axis] = SymInt(g.between(1, 6));
    Windows w = windows(g, count);
    w.pads.resize(count);
    return g.add("conv_backward_weight", {x, g.newWeight(shape, elementOf(x))},
                 {g.ints("kernel", w.kernel), g.ints("strides", w.strides),
                  g.ints("pads", w.pads), g.ints("dilations", w.dilations),
                  g.ints("groups", {groups}), layout(g, last)});
  }

  static bool randomBits(G &g) {
    Value x = g.pickInteger();
    if (!x)
      return false;
    Type i64 = g.builder.getI64Type();
    if (elementOf(x) != i64) {
      Operation *cast =
          g.add("cast", {x}, {g.attribute("to", TypeAttr::get(i64))});
      if (!cast)
        return false;
      x = cast->getResult(0);
    }
    return g.add("random_bits", {x, x}, {});
  }

  static bool barrier(G &g) {
    return g.add("optimization_barrier", {g.pickAny(), g.pickAny()}, {});
  }

  static bool dropout(G &g) {
    return g.add("dropout", {g.pickFloat()},
                 {g.real("ratio", g.number(0, 0.9)),
                  g.attribute("stream", g.builder.getStringAttr("d"))});
  }

  static bool pool(G &g, StringRef name) {
    bool isMax = name == "max_pool" || name == "argmax_pool";
    Value x = isMax ? g.pickNumber(3, 5) : g.pickFloat(3, 5);
    if (!x)
      return false;
    Windows w = windows(g, rankOf(x) - 2);
    Attributes attributes = {
        g.ints("kernel", w.kernel), g.ints("strides", w.strides),
        g.ints("pads", w.pads), g.ints("dilations", w.dilations),
        layout(g, g.chance(40))};
    g.maybe(attributes, "ceil_mode");
    if (name == "argmax_pool")
      g.maybe(attributes, "column_major");
    if (name == "avg_pool")
      g.maybe(attributes, "count_include_pad");
    if (name == "lp_pool")
      attributes.push_back(g.integer("p", g.between(1, 3)));
    return g.add(name, {x}, attributes);
  }

  static bool lrn(G &g) {
    return g.add("lrn", {g.pickFloat(3, 4)},
                 {g.integer("size", g.between(1, 4)),
                  g.real("alpha", g.number(0.125, 1)),
                  g.real("beta", g.number(0.25, 1)),
                  g.real("bias", g.number(1, 2))});
  }
};
} // namespace

void tenon::generate::listPrimitives(std::vector<GraphGenerator::Kind> &kinds) {
  using G = GraphGenerator;
  using P = Proposals;
  auto kind = [&](StringRef name, std::function<bool(G &)> add) {
    kinds.push_back({name.str(), std::move(add)});
  };
  auto function = [&](StringRef name, ScalarFn fn) {
    if (arity(fn) == 1 && getFacts(fn).types == ScalarFacts::Float)
      kind(name, [name](G &g) { return P::activation(g, name, {}); });
  };
#define SCALAR_OP(OP, FN)                                                      \
  function(OP::getOperationName().drop_front(strlen("graph.")), ScalarFn::FN);
#include "tenon/Dialect/Graph/IR/ScalarFn.def"
  for (StringRef name : {"rsqrt", "reciprocal", "is_inf", "sigmoid", "silu",
                         "softplus", "softsign", "mish", "hard_swish", "gelu"})
    kind(name, [name](G &g) { return P::activation(g, name, {}); });
  for (StringRef name : {"leaky_relu", "elu", "celu", "thresholded_relu"})
    kind(name, [name](G &g) { return P::activation(g, name, {"alpha"}); });
  kind("selu",
       [](G &g) { return P::activation(g, "selu", {"alpha", "gamma"}); });
  kind("hard_sigmoid", [](G &g) {
    return P::activation(g, "hard_sigmoid", {"alpha", "beta"});
  });
  kind("shrink",
       [](G &g) { return P::activation(g, "shrink", {"lambda", "bias"}); });
  kind("clip", [](G &g) {
    return g.add("clip", {g.pickFloat()},
                 {g.real("low", g.number(-1, 0)),
                  g.real("high", g.number(0.25, 2))}) != nullptr;
  });
  for (StringRef name : {"neg", "abs", "sign", "relu"})
    kind(name,
         [name](G &g) { return g.add(name, {g.pickNumber()}) != nullptr; });
  for (StringRef name : {"add", "sub", "mul", "maximum", "minimum", "prelu",
                         "less", "less_equal"})
    kind(name, [name](G &g) { return P::binary(g, name, g.pickNumber()); });
  kind("equal", [](G &g) { return P::binary(g, "equal", g.pickAny()); });
  for (StringRef name : {"div", "mod", "fmod"})
    kind(name, [name](G &g) { return P::division(g, name); });
  kind("pow", P::power);
  for (StringRef name : {"bit_and", "bit_or", "bit_xor"})
    kind(name, [name](G &g) { return P::binary(g, name, g.pickInteger()); });
  kind("bit_not",
       [](G &g) { return g.add("bit_not", {g.pickInteger()}) != nullptr; });
  for (StringRef name : {"shift_left", "shift_right"})
    kind(name, [name](G &g) { return P::shift(g, name); });
  for (StringRef name : {"not", "and", "or", "xor"})
    kind(name, [name](G &g) { return P::logic(g, name); });
  kind("where", P::where);
  kind("cast", P::cast);

  for (StringRef name :
       {"reduce_sum", "reduce_prod", "reduce_mean", "reduce_l1", "reduce_l2",
        "reduce_sum_square", "reduce_log_sum", "reduce_log_sum_exp"})
    kind(name, [name](G &g) { return P::reduce(g, name, g.pickNumber()); });
  for (StringRef name : {"reduce_max", "reduce_min"})
    kind(name, [name](G &g) { return P::reduce(g, name, g.pickAny()); });
  for (StringRef name : {"argmax", "argmin"})
    kind(name, [name](G &g) { return P::argReduce(g, name); });
  kind("top_k", P::topK);
  for (StringRef name : {"cumsum", "cumprod"})
    kind(name, [name](G &g) { return P::scan(g, name); });

  kind("matmul", P::matmul);
  kind("conv", [](G &g) { return P::conv(g, false); });
  kind("conv_transpose", [](G &g) { return P::conv(g, true); });
  kind("conv_backward_weight", P::backwardWeight);
  kind("random_bits", P::randomBits);
  kind("dropout", P::dropout);
  kind("optimization_barrier", P::barrier);
  for (StringRef name : {"max_pool", "argmax_pool", "avg_pool", "lp_pool"})
    kind(name, [name](G &g) { return P::pool(g, name); });
  kind("lrn", P::lrn);
}
