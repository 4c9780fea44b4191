//===- CompositeProposals.cpp - operands for norms and the like ---------===//
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
struct CompositeProposals {
  using G = GraphGenerator;
  using Attributes = G::Attributes;

  static bool isNamed(const SymInt &size) {
    return size.isConstant() || size.getSymbol();
  }
  static NamedAttribute epsilon(G &g) { return g.real("epsilon", 1e-3); }

  static bool alongAxis(G &g, StringRef name) {
    Value x = g.pickFloat(1);
    return x &&
           g.add(name, {x}, {g.integer("axis", g.below(getShape(x).size()))});
  }

  static bool layerNorm(G &g, bool isRms) {
    Value x = g.pickFloat(1);
    if (!x)
      return false;
    Shape shape = getShape(x);
    int64_t axis = g.below(shape.size());
    Shape normalized(shape.begin() + axis, shape.end());
    for (const SymInt &size : normalized)
      if (!isNamed(size))
        return false;
    SmallVector<Value> operands = {x, g.newWeight(normalized, elementOf(x))};
    if (!isRms && g.chance(60))
      operands.push_back(g.newWeight(normalized, elementOf(x)));
    return g.add(isRms ? "rms_norm" : "layer_norm", operands,
                 {g.integer("axis", axis), epsilon(g)}) != nullptr;
  }

  static bool batchNorm(G &g) {
    Value x = g.pickFloat(2);
    if (!x)
      return false;
    int64_t axis = g.chance(80) ? 1 : getShape(x).size() - 1;
    Shape channels = {getShape(x)[axis]};
    if (!channels[0].isConstant())
      return false;
    SmallVector<Value> operands = {x};
    for (unsigned number = 0; number < 3; ++number)
      operands.push_back(g.newWeight(channels, elementOf(x)));
    // A variance is not negative; those of the weights are drawn so.
    Value variance = g.build("abs", {g.newWeight(channels, elementOf(x))});
    operands.push_back(variance);
    return g.add("batch_norm", operands,
                 {g.integer("axis", axis), epsilon(g)}) != nullptr;
  }

  static bool groupNorm(G &g, bool isInstance) {
    Value x = g.pickFloat(3);
    if (!x)
      return false;
    std::optional<int64_t> channels = getShape(x)[1].getConstant();
    if (!channels || *channels == 0)
      return false;
    Shape shape = {SymInt(*channels)};
    SmallVector<Value> operands = {x, g.newWeight(shape, elementOf(x)),
                                   g.newWeight(shape, elementOf(x))};
    if (isInstance)
      return g.add("instance_norm", operands, {epsilon(g)}) != nullptr;
    int64_t groups = *channels % 2 == 0 ? 2 : 1;
    return g.add("group_norm", operands,
                 {g.integer("groups", groups), epsilon(g)}) != nullptr;
  }

  static bool attention(G &g, bool isPartial) {
    Value q = g.pickFloat(3, 4);
    if (!q)
      return false;
    Shape shape = getShape(q);
    for (const SymInt &size : shape)
      if (!isNamed(size))
        return false;
    size_t rank = shape.size();
    Shape key = shape, value = shape;
    SymInt keys = g.chance(50) ? shape[rank - 2] : SymInt(g.between(1, 7));
    key[rank - 2] = value[rank - 2] = keys;
    value[rank - 1] = SymInt(g.between(1, 6));
    if (std::optional<int64_t> heads = shape[rank - 3].getConstant();
        !isPartial && heads && *heads % 2 == 0 && g.chance(40))
      key[rank - 3] = value[rank - 3] = SymInt(*heads / 2);
    SmallVector<Value> operands = {q, g.newInput(key, elementOf(q)),
                                   g.newInput(value, elementOf(q))};
    if (g.chance(40))
      operands.push_back(g.newInput({shape[rank - 2], keys}, elementOf(q)));
    Attributes attributes = {g.real("scale", 0.5)};
    // A query that sees no key has no result.
    if (!isPartial && keys == shape[rank - 2])
      g.maybe(attributes, "causal");
    Operation *op = g.add(isPartial ? "attention_partial" : "attention",
                          operands, attributes);
    if (!op || !isPartial || g.chance(30))
      return op != nullptr;
    Operation *other = g.add(
        "attention_partial",
        {q, g.newInput(key, elementOf(q)), g.newInput(value, elementOf(q))},
        {g.real("scale", 0.5)});
    return other &&
           g.add("attention_merge", {op->getResult(0), op->getResult(1),
                                     other->getResult(0), other->getResult(1)});
  }

  static Value table(G &g) {
    Type element = g.anyFloat();
    if (g.forcedElement && element != g.forcedElement)
      return {};
    return g.newWeight({SymInt(g.between(3, 9)), SymInt(g.between(1, 8))},
                       element);
  }

  static Value indices(G &g, unsigned minRank, int64_t end) {
    SmallVector<int64_t> shape;
    for (unsigned rank = g.between(minRank, 2); rank > 0; --rank)
      shape.push_back(g.between(1, 4));
    return g.newIntegers(
        shape, g.chance(70) ? g.builder.getI64Type() : g.builder.getI32Type(),
        0, end - 1);
  }

  static bool embedding(G &g, bool isBag) {
    Value weights = table(g);
    if (!weights)
      return false;
    Value rows = indices(g, 1, *getShape(weights)[0].getConstant());
    Attributes attributes;
    if (isBag)
      attributes.push_back(g.attribute(
          "mode", BagModeAttr::get(weights.getContext(),
                                   static_cast<BagMode>(g.below(3)))));
    return g.add(isBag ? "embedding_bag" : "embedding", {weights, rows},
                 attributes) != nullptr;
  }

  static NamedAttribute lossReduction(G &g) {
    return g.attribute(
        "reduction",
        LossReductionAttr::get(g.builder.getContext(),
                               static_cast<LossReduction>(g.below(3))));
  }

  static bool mse(G &g) {
    Value x = g.pickFloat();
    return x && g.add("mse_loss", {x, g.pickSame(x)}, {lossReduction(g)});
  }

  static bool labelLoss(G &g, StringRef name) {
    Value x = g.pickFloat(2, 3);
    if (!x || !::mlir::cast<RankedTensorType>(x.getType()).hasStaticShape())
      return false;
    SmallVector<int64_t> shape(
        ::mlir::cast<RankedTensorType>(x.getType()).getShape());
    int64_t classes = shape[1];
    if (classes < 1)
      return false;
    shape.erase(shape.begin() + 1);
    SmallVector<Value> operands = {
        x, g.newIntegers(shape, g.builder.getI64Type(), 0, classes - 1)};
    if (g.chance(40))
      operands.push_back(
          g.build("abs", {g.newWeight({SymInt(classes)}, elementOf(x))}));
    Attributes attributes = {lossReduction(g)};
    if (g.chance(30))
      attributes.push_back(g.integer("ignore_index", g.below(classes)));
    return g.add(name, operands, attributes) != nullptr;
  }
};
} // namespace

void tenon::generate::listComposites(std::vector<GraphGenerator::Kind> &kinds) {
  using G = GraphGenerator;
  using P = CompositeProposals;
  auto kind = [&](StringRef name, std::function<bool(G &)> add) {
    kinds.push_back({name.str(), std::move(add)});
  };
  for (StringRef name : {"softmax", "log_softmax", "hardmax"})
    kind(name, [name](G &g) { return P::alongAxis(g, name); });
  kind("layer_norm", [](G &g) { return P::layerNorm(g, false); });
  kind("rms_norm", [](G &g) { return P::layerNorm(g, true); });
  kind("batch_norm", P::batchNorm);
  kind("group_norm", [](G &g) { return P::groupNorm(g, false); });
  kind("instance_norm", [](G &g) { return P::groupNorm(g, true); });
  kind("attention", [](G &g) { return P::attention(g, false); });
  kind("attention_partial", [](G &g) { return P::attention(g, true); });
  kind("embedding", [](G &g) { return P::embedding(g, false); });
  kind("embedding_bag", [](G &g) { return P::embedding(g, true); });
  kind("mse_loss", P::mse);
  for (StringRef name : {"nll_loss", "softmax_cross_entropy"})
    kind(name, [name](G &g) { return P::labelLoss(g, name); });
}
