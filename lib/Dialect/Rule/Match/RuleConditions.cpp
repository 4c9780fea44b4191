//===- RuleConditions.cpp - conditions of rules ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Rule/Match/RuleMatch.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::rule;
using graph::SymInt;

/// Whether one element of a constant satisfies `kind`.
static bool isAsStated(ValueKind kind, Attribute element, bool diagonal) {
  auto isNumber = [&](double number) {
    if (auto real = dyn_cast<FloatAttr>(element))
      return real.getValue().bitwiseIsEqual(
          FloatAttr::get(real.getType(), number).getValue());
    return cast<IntegerAttr>(element).getValue() ==
           static_cast<int64_t>(number);
  };
  switch (kind) {
  case ValueKind::Zero:
    return isNumber(0); // excludes -0, for which x + 0 = x is wrong
  case ValueKind::Ones:
    return isNumber(1);
  case ValueKind::Identity:
    return isNumber(diagonal ? 1 : 0);
  case ValueKind::Positive:
    if (auto real = dyn_cast<FloatAttr>(element))
      return real.getValue().isFinite() && real.getValueAsDouble() > 0;
    return cast<IntegerAttr>(element).getValue().isStrictlyPositive();
  }
  llvm_unreachable("unknown kind of condition");
}

using Support = SmallVectorImpl<std::pair<Value, OpResult>>;

static bool isAsStated(ValueKind kind, DenseElementsAttr elements) {
  if (kind != ValueKind::Identity) {
    if (elements.isSplat())
      return isAsStated(kind, elements.getSplatValue<Attribute>(), false);
    return llvm::all_of(
        elements.getValues<Attribute>(),
        [&](Attribute element) { return isAsStated(kind, element, false); });
  }
  int64_t columns = elements.getType().getShape().back();
  for (auto [n, element] : llvm::enumerate(elements.getValues<Attribute>()))
    if (!isAsStated(kind, element,
                    static_cast<int64_t>(n) / columns ==
                        static_cast<int64_t>(n) % columns))
      return false;
  return true;
}

/// Whether the elements of `value` are known for every run and satisfy `kind`.
/// `seen` ends the search in cycles of an e-graph.
static bool holdsForValue(ValueKind kind, Value value, const MatchView &view,
                          llvm::SmallPtrSetImpl<Operation *> &seen,
                          Support *support) {
  for (OpResult result : view.getProducers(view.find(value))) {
    Operation *op = result.getOwner();
    if (!seen.insert(op).second)
      continue;
    size_t known = support ? support->size() : 0;
    if (support)
      support->push_back({value, result});
    if (auto constant = dyn_cast<graph::ConstantOp>(op)) {
      auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
      if (elements && isAsStated(kind, elements))
        return true;
    } else if (kind != ValueKind::Identity &&
               isa<graph::BroadcastOp, graph::ReshapeOp, graph::TransposeOp>(
                   op)) {
      // Data movement preserves a condition that is the same for all elements.
      if (holdsForValue(kind, op->getOperand(0), view, seen, support))
        return true;
    }
    if (support)
      support->truncate(known);
  }
  return false;
}

bool rule::checkSizeConditions(SourceInterface source, const RuleMatch &match) {
  auto lookup = [&](StringRef name) -> std::optional<SymInt> {
    auto it = match.symbols.find(name.str());
    return it == match.symbols.end() ? SymInt::unknown() : it->second;
  };
  return llvm::all_of(source.getConditionList(), [&](ConditionAttr condition) {
    return condition.evaluate(lookup) == true;
  });
}

bool rule::checkConditions(SourceInterface source, const RuleMatch &match,
                           const MatchView &view, Support *support) {
  if (!checkSizeConditions(source, match))
    return false;
  for (ValueConditionAttr condition : source.getValueConditionList()) {
    llvm::SmallPtrSet<Operation *, 8> seen;
    if (!holdsForValue(condition.getKind(),
                       match.operands[condition.getOperand()], view, seen,
                       support))
      return false;
  }
  return true;
}

bool rule::hasTargetSymbols(RuleOp rule, const SymbolMap &symbols) {
  bool known = true;
  rule.getTarget().walk([&](Operation *op) {
    visitSymbols(op, [&](StringRef name) {
      auto it = symbols.find(name.str());
      known &= it != symbols.end() && !it->second.isUnknown();
    });
  });
  return known;
}
