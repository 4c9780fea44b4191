//===- SplitRules.cpp - rules with symbols split --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuleParts.h"
#include "tenon/Generate/SizeRules.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::generate;
using graph::DimsAttr;
using graph::Shape;
using graph::SymInt;
using rule::RuleOp;
using rule::SymbolMap;

namespace {
class Splitter {
public:
  Splitter(RuleOp original, std::mt19937_64 &random)
      : random(random), rule(original.clone()), head(getHead(original)) {}

  OwningOpRef<RuleOp> run();

private:
  bool chance(unsigned percent) { return random() % 100 < percent; }
  bool split(StringRef symbol);
  void splitSide(unsigned side, StringRef symbol);
  SymInt choose(const SymInt &size, StringRef symbol);
  bool fit(OpBuilder &builder, MutableArrayRef<Value> values);

  std::mt19937_64 &random;
  /// Its sizes are those of the result, its types are not.
  OwningOpRef<RuleOp> rule;
  Head head;
  std::set<std::string> taken;
  std::string fresh;
  /// Of 100 occurrences, how many get the new symbol.
  unsigned share = 50;
  unsigned kept = 0, replaced = 0;
  SmallVector<Type> sourceTypes;
};
} // namespace

/// `size` with one of both symbols in place of `symbol`.
SymInt Splitter::choose(const SymInt &size, StringRef symbol) {
  bool occurs = false;
  size.visitSymbols([&](StringRef name) { occurs |= name == symbol; });
  if (!occurs)
    return size;
  if (!chance(share)) {
    ++kept;
    return size;
  }
  ++replaced;
  return size.substitute([&](StringRef name) -> std::optional<SymInt> {
    return name == symbol ? std::optional<SymInt>(SymInt::symbol(fresh))
                          : std::nullopt;
  });
}

void Splitter::splitSide(unsigned side, StringRef symbol) {
  for (Operation &op : getSide(*rule, side).front().without_terminator())
    for (NamedAttribute attribute : op.getAttrDictionary()) {
      auto dims = dyn_cast<DimsAttr>(attribute.getValue());
      if (!dims)
        continue;
      SmallVector<SymInt> entries;
      for (const SymInt &entry : dims.getEntries())
        entries.push_back(choose(entry, symbol));
      op.setAttr(attribute.getName(), DimsAttr::get(op.getContext(), entries));
    }
}

/// Returns false if all occurrences in the source have the same symbol again.
bool Splitter::split(StringRef symbol) {
  fresh.clear();
  for (unsigned number = 1; fresh.empty(); ++number)
    if (std::string name = (symbol + "_" + Twine(number)).str();
        taken.insert(name).second)
      fresh = name;
  share = 30 + random() % 41;
  kept = replaced = 0;
  for (Type &type : head.types) {
    Shape shape;
    for (const SymInt &size : graph::getShape(type))
      shape.push_back(choose(size, symbol));
    type = graph::getTensorType(shape,
                                cast<RankedTensorType>(type).getElementType());
  }
  splitSide(0, symbol);
  bool isSplit = kept > 0 && replaced > 0;
  // Most targets have one of both throughout.
  share = chance(70) ? 100 * chance(50) : 50;
  splitSide(1, symbol);
  SmallVector<Attribute> conditions;
  for (Attribute attribute : head.conditions) {
    auto condition = cast<rule::ConditionAttr>(attribute);
    if (chance(15))
      continue;
    conditions.push_back(
        rule::ConditionAttr::get(condition.getContext(), condition.getKind(),
                                 choose(condition.getLhs(), symbol),
                                 choose(condition.getRhs(), symbol)));
  }
  head.conditions = std::move(conditions);
  return isSplit;
}

/// Gives the target's results the types of the source's.
bool Splitter::fit(OpBuilder &builder, MutableArrayRef<Value> values) {
  for (auto [value, type] : llvm::zip(values, sourceTypes)) {
    if (value.getType() == type)
      continue;
    Shape wanted = graph::getShape(type);
    value = buildOp(builder, chance(75) ? "broadcast" : "reshape", {value},
                    {getSizes(builder, "shape", wanted)});
    if (!value || value.getType() != type)
      return false;
  }
  return true;
}

OwningOpRef<RuleOp> Splitter::run() {
  taken = getSymbols(*rule);
  std::vector<std::string> names(taken.begin(), taken.end());
  if (names.empty())
    return {};
  bool isSplit = false;
  unsigned splits = 1 + chance(35);
  for (unsigned attempt = 0; attempt < 6 && splits > 0; ++attempt)
    if (split(names[random() % names.size()])) {
      isSplit = true;
      --splits;
    }
  if (!isSplit)
    return {};
  // Reductions of both sides hide a difference of types.
  bool sums = chance(50), ofAll = chance(50);
  StringRef reduction = chance(75) ? "reduce_sum" : "reduce_mean";
  int64_t axis = random() % 4;
  RuleOp parts = *rule;
  return build(
      parts, head,
      [&](OpBuilder &builder, unsigned side, ValueRange operands) -> Values {
        Values values = buildSide(builder, parts, side, operands);
        if (failed(values))
          return failure();
        for (Value &value : *values) {
          auto type = cast<RankedTensorType>(value.getType());
          if (!sums || type.getRank() == 0 ||
              !isa<FloatType>(type.getElementType()))
            continue;
          SmallVector<SymInt> axes = {SymInt(axis % type.getRank())};
          for (int64_t other = 0; ofAll && other < type.getRank(); ++other)
            if (other != axis % type.getRank())
              axes.push_back(SymInt(other));
          llvm::sort(axes, [](const SymInt &a, const SymInt &b) {
            return *a.getConstant() < *b.getConstant();
          });
          value = buildOp(builder, reduction, {value},
                          {getSizes(builder, "axes", axes)});
          if (!value)
            return failure();
        }
        if (side == 0)
          llvm::append_range(sourceTypes, ValueRange(*values).getTypes());
        else if (!fit(builder, *values))
          return failure();
        return values;
      });
}

OwningOpRef<RuleOp> generate::splitSymbols(RuleOp rule,
                                           std::mt19937_64 &random) {
  return Splitter(rule, random).run();
}
