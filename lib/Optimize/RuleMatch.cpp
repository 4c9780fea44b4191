//===- RuleMatch.cpp - places where a rule applies ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Optimize/RuleMatch.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::optimize;
using graph::DimsAttr;
using graph::Shape;
using graph::SymInt;

namespace {
/// What is bound so far. Copied where the search branches: rules are small.
struct State {
  llvm::DenseMap<Value, Value> values;
  llvm::DenseMap<Operation *, Operation *> ops;
  llvm::SmallPtrSet<Operation *, 8> taken;
  rule::SymbolMap symbols;
  std::optional<Shape> batch;
  /// The model's element type by the rule's.
  llvm::DenseMap<Type, Type> elements;
};

class Matcher {
public:
  Matcher(const ProvedRule &rule, Block &block,
          llvm::function_ref<bool(const RuleMatch &)> visit);

  bool run() { return matchRoot(0, State()); }

private:
  bool matchRoot(unsigned number, const State &state);
  SmallVector<Operation *> getCandidates(Operation *root, const State &state);
  bool matchOp(Operation *pattern, Operation *op, State &state);
  bool matchValue(Value pattern, Value value, State &state);
  bool matchArgument(BlockArgument pattern, Value value, State &state);
  bool matchElement(Type pattern, Type element, State &state);
  bool matchAttributes(Operation *pattern, Operation *op, State &state);
  bool unify(const SymInt &pattern, const SymInt &size, State &state);
  bool isLifted(unsigned argument) {
    return liftable &&
           llvm::is_contained(op.getLifted(), static_cast<int64_t>(argument));
  }
  bool finish(const State &state);

  const ProvedRule &rule;
  Block &block;
  llvm::function_ref<bool(const RuleMatch &)> visit;
  rule::RuleOp op;
  bool liftable;
  /// Ops that give the source's results, in the order of the results.
  llvm::SetVector<Operation *> roots;
};
} // namespace

Matcher::Matcher(const ProvedRule &rule, Block &block,
                 llvm::function_ref<bool(const RuleMatch &)> visit)
    : rule(rule), block(block), visit(visit), op(rule.op),
      liftable(rule.certificate.liftProved) {
  for (Value value : op.getSourceYield().getOperands())
    roots.insert(value.getDefiningOp());
}

/// A symbol takes what stands in its place; everything else must be equal for
/// all values of the model's symbols.
bool Matcher::unify(const SymInt &pattern, const SymInt &size, State &state) {
  if (std::optional<StringRef> symbol = pattern.getSymbol()) {
    auto [it, inserted] = state.symbols.try_emplace(symbol->str(), size);
    if (inserted)
      return true;
    return it->second == size;
  }
  SymInt expected =
      pattern.substitute([&](StringRef name) -> std::optional<SymInt> {
        auto it = state.symbols.find(name.str());
        // Bound later, as a size that stands alone: checked in `finish`.
        if (it == state.symbols.end())
          return SymInt::unknown();
        return it->second;
      });
  return expected.isUnknown() || expected == size;
}

bool Matcher::matchElement(Type pattern, Type element, State &state) {
  auto [it, inserted] = state.elements.try_emplace(pattern, element);
  if (!inserted)
    return it->second == element;
  if (pattern == element)
    return true;
  // f32 stands for real numbers; for integers too, where the proof used the
  // laws of rings only.
  if (!pattern.isF32())
    return false;
  bool hasTypes = false;
  for (Region *side : {&op.getSource(), &op.getTarget()})
    side->walk([&](Operation *inner) {
      hasTypes |= isa<graph::ConstantOp>(inner);
      for (NamedAttribute attribute : inner->getAttrDictionary())
        hasTypes |= isa<TypeAttr>(attribute.getValue());
    });
  if (hasTypes)
    return false;
  return isa<FloatType>(element) || rule.certificate.elements != "real";
}

bool Matcher::matchArgument(BlockArgument pattern, Value value, State &state) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  auto patternType = cast<RankedTensorType>(pattern.getType());
  if (!type ||
      !matchElement(patternType.getElementType(), type.getElementType(), state))
    return false;
  int64_t further = type.getRank() - patternType.getRank();
  if (further < 0 || (further > 0 && !isLifted(pattern.getArgNumber())))
    return false;
  Shape sizes = graph::getShape(type);
  if (isLifted(pattern.getArgNumber())) {
    Shape batch(sizes.begin(), sizes.begin() + further);
    if (state.batch && *state.batch != batch)
      return false;
    state.batch = batch;
  }
  for (auto [expected, size] :
       llvm::zip(graph::getShape(patternType),
                 ArrayRef<SymInt>(sizes).drop_front(further)))
    if (!unify(expected, size, state))
      return false;
  return true;
}

bool Matcher::matchValue(Value pattern, Value value, State &state) {
  auto [it, inserted] = state.values.try_emplace(pattern, value);
  if (!inserted)
    return it->second == value;
  if (auto argument = dyn_cast<BlockArgument>(pattern))
    return matchArgument(argument, value, state);
  auto result = cast<OpResult>(pattern);
  auto found = dyn_cast<OpResult>(value);
  if (!found || found.getResultNumber() != result.getResultNumber())
    return false;
  return matchOp(result.getOwner(), found.getOwner(), state);
}

bool Matcher::matchAttributes(Operation *pattern, Operation *candidate,
                              State &state) {
  SmallVector<bool> lifted;
  for (Value operand : pattern->getOperands()) {
    Value bound = state.values.lookup(operand);
    lifted.push_back(cast<RankedTensorType>(bound.getType()).getRank() !=
                     cast<RankedTensorType>(operand.getType()).getRank());
  }
  bool resultLifted = false;
  std::string reason;
  FailureOr<DictionaryAttr> expected = rule::getInstanceAttributes(
      pattern, {}, lifted, state.batch.value_or(Shape()), resultLifted, reason);
  if (failed(expected))
    return false;
  DictionaryAttr actual = candidate->getAttrDictionary();
  for (NamedAttribute attribute : *expected) {
    Attribute value = actual.get(attribute.getName());
    auto dims = dyn_cast<DimsAttr>(attribute.getValue());
    auto found = dyn_cast_or_null<DimsAttr>(value);
    if (!dims || !found) {
      if (value != attribute.getValue())
        return false;
      continue;
    }
    if (dims.size() != found.size())
      return false;
    for (auto [entry, size] : llvm::zip(dims.getEntries(), found.getEntries()))
      if (!unify(entry, size, state))
        return false;
  }
  // What the pattern does not have, such as a transpose flag, the op may not
  // have either; attributes of other dialects say nothing.
  for (NamedAttribute attribute : actual)
    if (!expected->contains(attribute.getName()) &&
        !attribute.getName().strref().contains('.'))
      return false;
  return true;
}

bool Matcher::matchOp(Operation *pattern, Operation *candidate, State &state) {
  if (Operation *bound = state.ops.lookup(pattern))
    return bound == candidate;
  if (candidate->getName() != pattern->getName() ||
      candidate->getBlock() != &block ||
      candidate->getNumOperands() != pattern->getNumOperands() ||
      candidate->getNumResults() != pattern->getNumResults() ||
      !state.taken.insert(candidate).second)
    return false;
  state.ops[pattern] = candidate;
  for (auto [expected, operand] :
       llvm::zip(pattern->getOperands(), candidate->getOperands()))
    if (!matchValue(expected, operand, state))
      return false;
  for (auto [expected, result] :
       llvm::zip(pattern->getResults(), candidate->getResults())) {
    state.values[expected] = result;
    if (!matchElement(
            cast<RankedTensorType>(expected.getType()).getElementType(),
            cast<RankedTensorType>(result.getType()).getElementType(), state))
      return false;
  }
  return matchAttributes(pattern, candidate, state);
}

/// Ops that may be `root`: users of a value that it reads, if one is bound.
SmallVector<Operation *> Matcher::getCandidates(Operation *root,
                                                const State &state) {
  SmallVector<Operation *> candidates;
  for (Value operand : root->getOperands()) {
    Value bound = state.values.lookup(operand);
    if (!bound)
      continue;
    llvm::SetVector<Operation *> users;
    for (Operation *user : bound.getUsers())
      if (user->getBlock() == &block && user->getName() == root->getName())
        users.insert(user);
    candidates = users.takeVector();
    // Uses are listed in no order that means anything.
    llvm::sort(candidates, [](Operation *a, Operation *b) {
      return a->isBeforeInBlock(b);
    });
    return candidates;
  }
  for (Operation &candidate : block)
    if (candidate.getName() == root->getName())
      candidates.push_back(&candidate);
  return candidates;
}

bool Matcher::finish(const State &state) {
  RuleMatch match;
  match.symbols = state.symbols;
  match.batch = state.batch.value_or(Shape());
  match.ops = state.ops;
  auto lookup = [&](StringRef name) -> std::optional<SymInt> {
    auto it = state.symbols.find(name.str());
    if (it == state.symbols.end())
      return std::nullopt;
    return it->second;
  };
  for (BlockArgument argument : op.getSource().getArguments()) {
    Value bound = state.values.lookup(argument);
    match.operands.push_back(bound);
    int64_t further = cast<RankedTensorType>(bound.getType()).getRank() -
                      cast<RankedTensorType>(argument.getType()).getRank();
    match.lifted.push_back(further > 0);
    // Sizes such as `2 * m` once more, now that `m` is known. Symbols that a
    // proof takes to be at least 0 must be.
    graph::Shape sizes = graph::getShape(bound);
    for (auto [expected, size] :
         llvm::zip(graph::getShape(argument),
                   ArrayRef<SymInt>(sizes).drop_front(further)))
      if (!expected.getSymbol() && !(expected.substitute(lookup) == size))
        return false;
  }
  for (const auto &[name, value] : match.symbols)
    if (!value.isUnknown() && value.lowerBound().value_or(-1) < 0)
      return false;
  for (auto [pattern, candidate] : state.ops) {
    bool resultLifted = false;
    std::string reason;
    SmallVector<bool> lifted;
    for (auto [expected, operand] :
         llvm::zip(pattern->getOperands(), candidate->getOperands()))
      lifted.push_back(cast<RankedTensorType>(operand.getType()).getRank() !=
                       cast<RankedTensorType>(expected.getType()).getRank());
    FailureOr<DictionaryAttr> expected = rule::getInstanceAttributes(
        pattern, match.symbols, lifted, match.batch, resultLifted, reason);
    if (failed(expected))
      return false;
    for (NamedAttribute attribute : *expected)
      if (auto dims = dyn_cast<DimsAttr>(attribute.getValue()))
        if (dims != candidate->getAttr(attribute.getName()))
          return false;
  }
  for (Value value : op.getSourceYield().getOperands())
    match.results.push_back(state.values.lookup(value));
  return visit(match);
}

bool Matcher::matchRoot(unsigned number, const State &state) {
  if (number == roots.size())
    return finish(state);
  Operation *root = roots[number];
  if (state.ops.count(root))
    return matchRoot(number + 1, state);
  for (Operation *candidate : getCandidates(root, state)) {
    State next = state;
    if (matchOp(root, candidate, next) && matchRoot(number + 1, next))
      return true;
  }
  return false;
}

bool optimize::visitMatches(const ProvedRule &rule, Block &block,
                            llvm::function_ref<bool(const RuleMatch &)> visit) {
  return Matcher(rule, block, visit).run();
}

/// Whether one element of a constant is as `kind` asks for it.
static bool isAsStated(rule::ValueKind kind, Attribute element, bool diagonal) {
  auto isNumber = [&](double number) {
    if (auto real = dyn_cast<FloatAttr>(element))
      return real.getValue().bitwiseIsEqual(
          FloatAttr::get(real.getType(), number).getValue());
    return cast<IntegerAttr>(element).getValue() ==
           static_cast<int64_t>(number);
  };
  switch (kind) {
  case rule::ValueKind::Zero:
    return isNumber(0); // not -0, which x + 0 = x does not hold for
  case rule::ValueKind::Ones:
    return isNumber(1);
  case rule::ValueKind::Identity:
    return isNumber(diagonal ? 1 : 0);
  case rule::ValueKind::Positive:
    if (auto real = dyn_cast<FloatAttr>(element))
      return real.getValue().isFinite() && real.getValueAsDouble() > 0;
    return cast<IntegerAttr>(element).getValue().isStrictlyPositive();
  }
  llvm_unreachable("unknown kind of condition");
}

/// Whether the values that `value` has in every run are known, and as `kind`
/// asks for them.
static bool holdsForValue(rule::ValueKind kind, Value value) {
  // What only moves elements keeps a condition that is the same for all.
  while (
      kind != rule::ValueKind::Identity &&
      isa_and_nonnull<graph::BroadcastOp, graph::ReshapeOp, graph::TransposeOp>(
          value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  auto constant = value.getDefiningOp<graph::ConstantOp>();
  auto elements =
      constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : nullptr;
  if (!elements)
    return false;
  if (kind != rule::ValueKind::Identity) {
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

bool optimize::checkConditions(rule::RuleOp rule, const RuleMatch &match) {
  auto lookup = [&](StringRef name) -> std::optional<SymInt> {
    auto it = match.symbols.find(name.str());
    return it == match.symbols.end() ? SymInt::unknown() : it->second;
  };
  for (rule::ConditionAttr condition : rule.getConditionList())
    if (condition.evaluate(lookup) != true)
      return false;
  for (rule::ValueConditionAttr condition : rule.getValueConditionList())
    if (!holdsForValue(condition.getKind(),
                       match.operands[condition.getOperand()]))
      return false;
  return true;
}
