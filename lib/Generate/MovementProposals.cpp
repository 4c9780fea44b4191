//===- MovementProposals.cpp - operands of ops that move data -----------===//
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
struct Movements {
  using G = GraphGenerator;
  using Attributes = G::Attributes;

  static bool transpose(G &g) {
    Value x = g.pickAny(2);
    if (!x)
      return false;
    SmallVector<int64_t> perm =
        llvm::to_vector(llvm::seq<int64_t>(0, rankOf(x)));
    std::shuffle(perm.begin(), perm.end(), g.random);
    return g.add("transpose", {x}, {g.ints("perm", perm)});
  }

  static bool reshape(G &g) {
    Value x = g.pickAny();
    if (!x)
      return false;
    Shape shape = getShape(x);
    for (unsigned steps = g.between(1, 2); steps > 0; --steps) {
      size_t axis = shape.empty() ? 0 : g.below(shape.size());
      if (shape.size() >= 2 && g.chance(50)) {
        axis = std::min(axis, shape.size() - 2);
        shape[axis] = shape[axis] * shape[axis + 1];
        shape.erase(shape.begin() + axis + 1);
        continue;
      }
      std::optional<int64_t> size =
          shape.empty() ? std::nullopt : shape[axis].getConstant();
      int64_t factor = size && *size > 0 && *size % 2 == 0   ? 2
                       : size && *size > 0 && *size % 3 == 0 ? 3
                                                             : 1;
      if (factor == 1) {
        shape.insert(shape.begin() + axis, SymInt(1));
      } else {
        shape[axis] = SymInt(*size / factor);
        shape.insert(shape.begin() + axis, SymInt(factor));
      }
    }
    return shape.size() <= 5 &&
           g.add("reshape", {x}, {g.sizes("shape", shape)});
  }

  static bool broadcast(G &g) {
    Value x = g.pickAny(0, 3);
    if (!x)
      return false;
    Shape shape = getShape(x);
    for (SymInt &size : shape)
      if (size.getConstant() == 1)
        size = SymInt(g.between(1, 4));
    if (shape.size() < 4)
      shape.insert(shape.begin(), SymInt(g.between(1, 4)));
    return g.add("broadcast", {x}, {g.sizes("shape", shape)});
  }

  static bool tile(G &g) {
    Value x = g.pickAny(1);
    if (!x)
      return false;
    SmallVector<int64_t> repeats(rankOf(x), 1);
    repeats[g.below(repeats.size())] = g.between(1, 3);
    return g.add("tile", {x}, {g.ints("repeats", repeats)});
  }

  static bool slice(G &g) {
    Value x = g.pickAny(1);
    if (!x)
      return false;
    Shape starts, taken;
    SmallVector<int64_t> steps;
    for (const SymInt &size : getShape(x)) {
      std::optional<int64_t> known = size.getConstant();
      int64_t step = known && *known > 0 && g.chance(60)
                         ? g.pick<int64_t>({1, 2, -1, -2})
                         : 0;
      if (step == 0) {
        steps.push_back(1);
        starts.push_back(SymInt(0));
        taken.push_back(size);
        continue;
      }
      int64_t stride = std::abs(step);
      int64_t count = g.between(1, (*known - 1) / stride + 1);
      int64_t span = (count - 1) * stride;
      int64_t low = g.below(*known - span);
      steps.push_back(step);
      starts.push_back(SymInt(step > 0 ? low : low + span));
      taken.push_back(SymInt(count));
    }
    return g.add("slice", {x},
                 {g.sizes("starts", starts), g.sizes("sizes", taken),
                  g.ints("steps", steps)});
  }

  static bool concat(G &g) {
    Value x = g.pickAny(1);
    if (!x)
      return false;
    SmallVector<Value> inputs = {x};
    for (unsigned more = g.between(0, 2); more > 0; --more)
      inputs.push_back(g.pickSame(x));
    return g.add("concat", inputs, {g.integer("axis", g.below(rankOf(x)))});
  }

  static bool split(G &g) {
    Value x = g.pickAny(1);
    if (!x)
      return false;
    int64_t axis = g.below(rankOf(x));
    std::optional<int64_t> size = sizeOf(x, axis);
    if (!size || *size < 2)
      return false;
    int64_t first = g.between(1, *size - 1);
    return g.add(
        "split", {x},
        {g.integer("axis", axis), g.ints("sizes", {first, *size - first})});
  }

  static bool pad(G &g) {
    Value x = g.pickAny(1);
    if (!x)
      return false;
    auto mode = static_cast<PadMode>(g.below(4));
    SmallVector<int64_t> low, high;
    for (const SymInt &size : getShape(x)) {
      std::optional<int64_t> known = size.getConstant();
      int64_t most = 2;
      if (mode != PadMode::Constant && (!known || *known == 0))
        most = 0;
      else if (mode == PadMode::Reflect || mode == PadMode::Wrap)
        most = std::min<int64_t>(2, *known - 1);
      low.push_back(g.between(0, most));
      high.push_back(g.between(0, most));
    }
    double value = isFloat(elementOf(x)) ? g.number(-2, 2) : g.below(2);
    return g.add("pad", {x},
                 {g.ints("low", low), g.ints("high", high),
                  g.attribute("mode", PadModeAttr::get(x.getContext(), mode)),
                  g.real("value", value)});
  }

  static bool reverse(G &g) {
    Value x = g.pickAny(1);
    if (!x)
      return false;
    SmallVector<int64_t> axes;
    for (int64_t axis = 0; axis < rankOf(x); ++axis)
      if (g.chance(50))
        axes.push_back(axis);
    return g.add("reverse", {x}, {g.ints("axes", axes)});
  }

  static bool resize(G &g) {
    Value x = g.pickFloat(2);
    if (!x)
      return false;
    Shape shape = getShape(x);
    SmallVector<double> scales(shape.size(), 1.0);
    auto mode = static_cast<ResizeMode>(g.below(3));
    for (size_t axis = shape.size() - 2; axis < shape.size(); ++axis) {
      std::optional<int64_t> size = shape[axis].getConstant();
      double scale = g.pick({0.5, 1.0, 1.5, 2.0});
      if (!size || *size * scale < 1)
        continue;
      scales[axis] = scale;
      shape[axis] = SymInt(static_cast<int64_t>(*size * scale));
    }
    MLIRContext *context = x.getContext();
    Attributes attributes = {
        g.sizes("shape", shape),
        g.attribute("scales", DenseF64ArrayAttr::get(context, scales)),
        g.attribute("mode", ResizeModeAttr::get(context, mode)),
        g.attribute("coordinates",
                    ResizeCoordinatesAttr::get(
                        context, static_cast<ResizeCoordinates>(g.below(5)))),
        g.attribute("rounding",
                    ResizeRoundingAttr::get(
                        context, static_cast<ResizeRounding>(g.below(4)))),
        g.real("cubic_coeff", -0.75)};
    if (mode == ResizeMode::Cubic)
      g.maybe(attributes, "exclude_outside");
    return g.add("resize", {x}, attributes);
  }

  //===--------------------------------------------------------------------===//
  // Gather and scatter
  //===--------------------------------------------------------------------===//

  static Type indexType(G &g) {
    return g.chance(70) ? Type(g.builder.getI64Type())
                        : Type(g.builder.getI32Type());
  }

  static bool gather(G &g) {
    Value x = g.pickAny(1);
    if (!x)
      return false;
    SmallVector<int64_t> shape;
    for (unsigned rank = g.between(0, 2); rank > 0; --rank)
      shape.push_back(g.between(1, 4));
    int64_t axis = g.below(rankOf(x));
    // Negative ones count from the end. If nothing else is known about the
    // size, there is one element.
    int64_t size = getShape(x)[axis].getConstant().value_or(1);
    Value indices = g.newIntegers(shape, indexType(g), -size,
                                  std::max<int64_t>(size - 1, -size));
    return g.add("gather", {x, indices}, {g.integer("axis", axis)});
  }

  static std::optional<SmallVector<int64_t>> constantShape(Value x) {
    auto type = cast<RankedTensorType>(x.getType());
    if (!type.hasStaticShape() || type.getNumElements() == 0)
      return std::nullopt;
    return llvm::to_vector(type.getShape());
  }

  static bool gatherElements(G &g) {
    Value x = g.pickAny(1);
    if (!x || !constantShape(x))
      return false;
    SmallVector<int64_t> shape = *constantShape(x);
    int64_t axis = g.below(shape.size()), size = shape[axis];
    for (int64_t &extent : shape)
      extent = g.between(1, extent);
    Value indices = g.newIntegers(shape, indexType(g), -size, size - 1);
    return g.add("gather_elements", {x, indices}, {g.integer("axis", axis)});
  }

  /// Index tuples into the first `depth` axes.
  static Value tuples(G &g, ArrayRef<int64_t> shape, int64_t count,
                      int64_t depth) {
    int64_t least = *std::min_element(shape.begin(), shape.begin() + depth);
    return g.newIntegers({count, depth}, indexType(g), -least, least - 1);
  }

  static bool gatherNd(G &g) {
    Value x = g.pickAny(1);
    if (!x || !constantShape(x))
      return false;
    SmallVector<int64_t> shape = *constantShape(x);
    Value indices =
        tuples(g, shape, g.between(1, 4), g.between(1, shape.size()));
    return g.add("gather_nd", {x, indices}, {g.integer("batch_dims", 0)});
  }

  static NamedAttribute scatterReduction(G &g, Value x) {
    auto kind =
        static_cast<ScatterReduction>(isBool(elementOf(x)) ? 0 : g.below(5));
    return g.attribute("reduction",
                       ScatterReductionAttr::get(x.getContext(), kind));
  }

  static bool scatterElements(G &g) {
    Value x = g.pickAny(1, 3);
    if (!x || !constantShape(x))
      return false;
    SmallVector<int64_t> shape = *constantShape(x);
    int64_t axis = g.below(shape.size()), size = shape[axis];
    for (int64_t &extent : shape)
      extent = g.between(1, std::min<int64_t>(extent, 4));
    Value indices = g.newIntegers(shape, indexType(g), -size, size - 1);
    Shape updates(shape.begin(), shape.end());
    return g.add("scatter_elements",
                 {x, indices, g.newInput(updates, elementOf(x))},
                 {g.integer("axis", axis), scatterReduction(g, x)});
  }

  static bool scatterNd(G &g) {
    Value x = g.pickAny(1, 3);
    if (!x || !constantShape(x))
      return false;
    SmallVector<int64_t> shape = *constantShape(x);
    int64_t depth = g.between(1, shape.size()), count = g.between(1, 4);
    Shape updates = {SymInt(count)};
    for (int64_t size : ArrayRef<int64_t>(shape).drop_front(depth))
      updates.push_back(SymInt(size));
    return g.add(
        "scatter_nd",
        {x, tuples(g, shape, count, depth), g.newInput(updates, elementOf(x))},
        {scatterReduction(g, x)});
  }

  static bool iota(G &g) {
    Shape shape = g.anyShape(1, 3, 5);
    // A size that is a symbol needs an input that binds it.
    for (SymInt &size : shape)
      if (!size.isConstant())
        size = SymInt(3);
    Type element = g.chance(50) ? g.anyFloat() : g.anyInteger();
    if (g.forcedElement && g.forcedElement != element)
      return false;
    Value positions = g.build("iota", {},
                              {g.sizes("shape", shape),
                               g.integer("axis", g.below(shape.size())),
                               g.attribute("element", TypeAttr::get(element))});
    // A value that depends on no input is folded: combine it with an input.
    return positions && g.add("add", {positions, g.newInput(shape, element)});
  }
};
} // namespace

void tenon::generate::listMovements(std::vector<GraphGenerator::Kind> &kinds) {
  using P = Movements;
  auto kind = [&](StringRef name, std::function<bool(GraphGenerator &)> add) {
    kinds.push_back({name.str(), std::move(add)});
  };
  kind("transpose", P::transpose);
  kind("reshape", P::reshape);
  kind("broadcast", P::broadcast);
  kind("tile", P::tile);
  kind("slice", P::slice);
  kind("concat", P::concat);
  kind("split", P::split);
  kind("pad", P::pad);
  kind("reverse", P::reverse);
  kind("resize", P::resize);
  kind("gather", P::gather);
  kind("gather_elements", P::gatherElements);
  kind("gather_nd", P::gatherNd);
  kind("scatter_elements", P::scatterElements);
  kind("scatter_nd", P::scatterNd);
  kind("iota", P::iota);
}
