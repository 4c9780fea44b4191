//===- RuleMatch.cpp - places where a rule applies ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Backtracking over goals: each binds a value of the pattern to a value of the
// graph, or compares the attributes of an op whose operands are bound. What was
// bound is undone by a trail.
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Rule/Match/RuleMatch.h"
#include "RulePattern.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::rule;
using graph::DimsAttr;
using graph::Shape;
using graph::SymInt;

namespace {
/// A size of the graph. Nearly all are constant, and a constant `SymInt` is not
/// free to make.
struct Size {
  std::optional<int64_t> constant;
  SymInt other;

  Size(int64_t value) : constant(value) {}
  Size(SymInt value) : constant(value.getConstant()) {
    if (!constant)
      other = std::move(value);
  }
  SymInt get() const { return constant ? SymInt(*constant) : other; }
  bool operator==(const Size &size) const {
    return constant || size.constant ? constant == size.constant
                                     : other == size.other;
  }
};

/// The sizes of a tensor, or the entries of an attribute, without those that
/// are not asked for.
class Sizes {
public:
  explicit Sizes(RankedTensorType type)
      : dims(dyn_cast_or_null<DimsAttr>(type.getEncoding())),
        values(dims ? dims.getValues() : type.getShape()) {}
  explicit Sizes(DimsAttr dims) : dims(dims), values(dims.getValues()) {}

  size_t size() const { return values.size(); }
  Size operator[](size_t position) const {
    if (!ShapedType::isDynamic(values[position]))
      return Size(values[position]);
    return Size(dims ? dims.getEntry(position) : SymInt::unknown());
  }

private:
  DimsAttr dims;
  ArrayRef<int64_t> values;
};

class Matcher {
public:
  Matcher(const RulePattern::Impl &pattern, const MatchView &view,
          const MatchFilter &filter,
          llvm::function_ref<bool(const RuleMatch &)> visit)
      : pattern(pattern), view(view), filter(filter), visit(visit),
        values(pattern.values.size()), ops(pattern.ops.size()),
        symbols(pattern.symbols.size()) {}

  bool run() { return matchRoot(0); }

private:
  /// A value to bind, or (with `op` set) an op's attributes to compare.
  struct Goal {
    unsigned number;
    Value value;
    bool attributes = false;
  };
  struct Mark {
    size_t values, ops, symbols, elements, goals;
    bool batch;
  };

  bool matchRoot(unsigned number);
  SmallVector<Operation *> getCandidates(unsigned number, unsigned position);
  bool proceed(size_t next, llvm::function_ref<bool()> then);
  bool bindOp(unsigned number, Operation *candidate);
  bool matchArgument(const PatternValue &expected, Value value);
  bool matchElement(Type expected, Type element);
  bool matchAttributes(unsigned number);
  bool unify(const SymPattern &expected, const Size &size);
  bool isStillExpected(const SymPattern &expected, const Size &size);
  bool isLifted(unsigned value) const;
  bool checkExpressions();
  bool finish();
  std::optional<SymInt> lookup(StringRef name) const;
  SymbolMap getSymbols() const;

  void bindValue(unsigned number, Value value) {
    values[number] = value;
    valueTrail.push_back(number);
  }
  Mark mark() const {
    return {valueTrail.size(), opTrail.size(), symbolTrail.size(),
            elements.size(),   goals.size(),   batch.has_value()};
  }
  void undo(const Mark &to);

  const RulePattern::Impl &pattern;
  const MatchView &view;
  const MatchFilter &filter;
  llvm::function_ref<bool(const RuleMatch &)> visit;

  std::vector<Value> values;
  std::vector<Operation *> ops;
  std::vector<std::optional<Size>> symbols;
  std::optional<Shape> batch;
  SmallVector<std::pair<Type, Type>> elements;
  SmallVector<Goal> goals;
  SmallVector<unsigned> valueTrail, opTrail, symbolTrail;
};
} // namespace

void Matcher::undo(const Mark &to) {
  while (valueTrail.size() > to.values)
    values[valueTrail.pop_back_val()] = Value();
  while (opTrail.size() > to.ops)
    ops[opTrail.pop_back_val()] = nullptr;
  while (symbolTrail.size() > to.symbols)
    symbols[symbolTrail.pop_back_val()].reset();
  elements.truncate(to.elements);
  goals.truncate(to.goals);
  if (!to.batch)
    batch.reset();
}

std::optional<SymInt> Matcher::lookup(StringRef name) const {
  auto it = llvm::find(pattern.symbols, name);
  if (it == pattern.symbols.end())
    return std::nullopt;
  const std::optional<Size> &bound = symbols[it - pattern.symbols.begin()];
  if (!bound)
    return std::nullopt;
  return bound->get();
}

SymbolMap Matcher::getSymbols() const {
  SymbolMap map;
  for (auto [name, value] : llvm::zip(pattern.symbols, symbols))
    if (value)
      map.emplace(name, value->get());
  return map;
}

/// A symbol takes what stands in its place; everything else must be equal for
/// all values of the model's symbols. Expressions wait until the end, when
/// their symbols are bound.
bool Matcher::unify(const SymPattern &expected, const Size &size) {
  if (expected.constant)
    return size.constant == expected.constant;
  if (expected.symbol < 0)
    return true;
  std::optional<Size> &bound = symbols[expected.symbol];
  if (bound)
    return *bound == size;
  bound = size;
  symbolTrail.push_back(expected.symbol);
  return true;
}

bool Matcher::isStillExpected(const SymPattern &expected, const Size &size) {
  if (expected.constant || expected.symbol >= 0)
    return true; // compared before
  if (size.constant)
    if (std::optional<int64_t> value = expected.expression.evaluate(
            [&](StringRef name) -> std::optional<int64_t> {
              auto it = llvm::find(pattern.symbols, name);
              if (it == pattern.symbols.end())
                return std::nullopt;
              const auto &bound = symbols[it - pattern.symbols.begin()];
              return bound ? bound->constant : std::nullopt;
            }))
      return value == size.constant;
  return expected.expression.substitute(
             [&](StringRef name) { return lookup(name); }) == size.get();
}

bool Matcher::matchElement(Type expected, Type element) {
  for (auto [known, bound] : elements)
    if (known == expected)
      return bound == element;
  if (!pattern.fitsElement(expected, element))
    return false;
  elements.push_back({expected, element});
  return true;
}

bool Matcher::matchArgument(const PatternValue &expected, Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return false;
  int64_t further = type.getRank() - expected.rank;
  if (further < 0 || (further > 0 && !expected.lifted) ||
      !matchElement(expected.element, type.getElementType()))
    return false;
  Sizes sizes(type);
  if (expected.lifted) {
    Shape front;
    for (int64_t axis = 0; axis < further; ++axis)
      front.push_back(sizes[axis].get());
    if (batch && *batch != front)
      return false;
    if (!batch)
      batch = std::move(front);
  }
  for (auto [axis, size] : llvm::enumerate(expected.sizes))
    if (!unify(size, sizes[further + axis]))
      return false;
  return true;
}

bool Matcher::isLifted(unsigned value) const {
  return cast<RankedTensorType>(values[value].getType()).getRank() !=
         pattern.values[value].rank;
}

bool Matcher::matchAttributes(unsigned number) {
  const PatternOp &expected = pattern.ops[number];
  DictionaryAttr actual = view.getAttributes(ops[number]);
  SmallVector<bool> lifted;
  for (unsigned operand : expected.operands)
    lifted.push_back(isLifted(operand));
  // What the pattern does not have, such as a transpose flag, the op may not
  // have either; attributes of other dialects say nothing.
  auto isForeign = [](NamedAttribute attribute) {
    return attribute.getName().strref().contains('.');
  };
  if (!llvm::is_contained(lifted, true)) {
    size_t own = 0;
    for (NamedAttribute attribute : actual)
      own += !isForeign(attribute);
    if (own != expected.attributes.size())
      return false;
    for (const PatternAttribute &attribute : expected.attributes) {
      Attribute value = actual.get(attribute.name);
      if (value == attribute.value && !attribute.isDims)
        continue;
      auto dims = dyn_cast_or_null<DimsAttr>(value);
      if (!dims || !attribute.isDims || dims.size() != attribute.entries.size())
        return false;
      Sizes sizes(dims);
      for (auto [position, entry] : llvm::enumerate(attribute.entries))
        if (!unify(entry, sizes[position]))
          return false;
    }
    return true;
  }
  bool resultLifted = false;
  std::string reason;
  FailureOr<DictionaryAttr> instance = getInstanceAttributes(
      expected.op, {}, lifted, batch.value_or(Shape()), resultLifted, reason);
  if (failed(instance))
    return false;
  for (NamedAttribute attribute : actual)
    if (!instance->contains(attribute.getName()) && !isForeign(attribute))
      return false;
  for (NamedAttribute attribute : *instance) {
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
    // Those of the further axes are the model's own, of which some may be named
    // as symbols of the rule are.
    size_t front =
        dims.size() -
        cast<DimsAttr>(expected.op->getAttr(attribute.getName())).size();
    for (size_t position = 0; position < dims.size(); ++position) {
      Size entry(dims.getEntry(position)), size(found.getEntry(position));
      SymPattern parsed;
      parsed.constant = entry.constant;
      if (position < front) {
        if (!(entry == size))
          return false;
        continue;
      }
      if (std::optional<StringRef> symbol = entry.other.getSymbol())
        parsed.symbol =
            llvm::find(pattern.symbols, *symbol) - pattern.symbols.begin();
      if (!unify(parsed, size))
        return false;
    }
  }
  return true;
}

bool Matcher::bindOp(unsigned number, Operation *candidate) {
  const PatternOp &expected = pattern.ops[number];
  if (ops[number])
    return ops[number] == candidate;
  if (candidate->getName() != expected.name ||
      candidate->getNumOperands() != expected.operands.size() ||
      candidate->getNumResults() != expected.results.size() ||
      (filter.fixed.empty() ? llvm::is_contained(ops, candidate)
                            : filter.fixed[number] != candidate))
    return false;
  ops[number] = candidate;
  opTrail.push_back(number);
  for (auto [result, value] :
       llvm::zip(expected.results, candidate->getResults())) {
    Value canonical = view.find(value);
    if (values[result] && values[result] != canonical)
      return false;
    if (!matchElement(
            pattern.values[result].element,
            cast<RankedTensorType>(canonical.getType()).getElementType()))
      return false;
    if (!values[result])
      bindValue(result, canonical);
  }
  // In reverse: the last goal is taken first.
  goals.push_back({number, Value(), true});
  for (auto [operand, value] : llvm::reverse(
           llvm::zip_equal(expected.operands, candidate->getOperands())))
    goals.push_back({operand, view.find(value)});
  return true;
}

bool Matcher::proceed(size_t base, llvm::function_ref<bool()> then) {
  if (goals.size() == base)
    return then();
  Goal goal = goals.pop_back_val();
  // The goals below stay for the alternatives of what comes before.
  SmallVector<Goal> rest(goals.begin() + base, goals.end());
  Mark before = mark();
  auto restore = [&]() {
    undo(before);
    goals.truncate(base);
    goals.append(rest.begin(), rest.end());
  };
  bool stop = false;
  if (goal.attributes) {
    if (matchAttributes(goal.number))
      stop = proceed(base, then);
  } else if (values[goal.number] && pattern.values[goal.number].op < 0) {
    if (values[goal.number] == goal.value)
      stop = proceed(base, then);
  } else if (pattern.values[goal.number].op < 0) {
    bindValue(goal.number, goal.value);
    if (matchArgument(pattern.values[goal.number], goal.value))
      stop = proceed(base, then);
  } else {
    const PatternValue &expected = pattern.values[goal.number];
    if (values[goal.number]) {
      if (values[goal.number] == goal.value)
        stop = proceed(base, then);
    } else {
      for (OpResult producer : view.getProducers(goal.value)) {
        if (producer.getResultNumber() != expected.number)
          continue;
        if (bindOp(expected.op, producer.getOwner()) &&
            values[goal.number] == goal.value && proceed(base, then)) {
          stop = true;
          break;
        }
        restore();
      }
    }
  }
  if (!stop)
    restore();
  goals.push_back(goal);
  return stop;
}

SmallVector<Operation *> Matcher::getCandidates(unsigned number,
                                                unsigned position) {
  const PatternOp &root = pattern.ops[number];
  if (!filter.fixed.empty())
    return {filter.fixed[number]};
  for (unsigned operand : root.operands)
    if (values[operand])
      return view.getReaders(values[operand], root.name);
  if (position > 0 && filter.related)
    return filter.related(root.name, ops[pattern.roots.front()]);
  SmallVector<Operation *> candidates;
  for (Operation *candidate : view.getOps(root.name))
    candidates.push_back(candidate);
  return candidates;
}

bool Matcher::checkExpressions() {
  for (unsigned argument : pattern.arguments) {
    const PatternValue &expected = pattern.values[argument];
    if (llvm::all_of(expected.sizes, [](const SymPattern &size) {
          return size.constant || size.symbol >= 0;
        }))
      continue;
    Sizes sizes(cast<RankedTensorType>(values[argument].getType()));
    int64_t further = sizes.size() - expected.rank;
    for (auto [axis, size] : llvm::enumerate(expected.sizes))
      if (!isStillExpected(size, sizes[further + axis]))
        return false;
  }
  for (auto [number, expected] : llvm::enumerate(pattern.ops)) {
    if (llvm::all_of(expected.attributes, [](const PatternAttribute &one) {
          return llvm::all_of(one.entries, [](const SymPattern &size) {
            return size.constant || size.symbol >= 0;
          });
        }))
      continue;
    SmallVector<bool> lifted;
    for (unsigned operand : expected.operands)
      lifted.push_back(isLifted(operand));
    DictionaryAttr actual = view.getAttributes(ops[number]);
    if (!llvm::is_contained(lifted, true)) {
      for (const PatternAttribute &attribute : expected.attributes) {
        if (!attribute.isDims)
          continue;
        Sizes sizes(cast<DimsAttr>(actual.get(attribute.name)));
        for (auto [position, entry] : llvm::enumerate(attribute.entries))
          if (!isStillExpected(entry, sizes[position]))
            return false;
      }
      continue;
    }
    bool resultLifted = false;
    std::string reason;
    FailureOr<DictionaryAttr> instance =
        getInstanceAttributes(expected.op, getSymbols(), lifted,
                              batch.value_or(Shape()), resultLifted, reason);
    if (failed(instance))
      return false;
    for (NamedAttribute attribute : *instance)
      if (isa<DimsAttr>(attribute.getValue()) &&
          attribute.getValue() != actual.get(attribute.getName()))
        return false;
  }
  return true;
}

bool Matcher::finish() {
  // Symbols that a proof takes to be at least 0 must be.
  for (const std::optional<Size> &value : symbols)
    if (value &&
        (value->constant ? *value->constant < 0
                         : !value->other.isUnknown() &&
                               value->other.lowerBound().value_or(-1) < 0))
      return false;
  if ((filter.accept && !filter.accept(ops)) || !checkExpressions())
    return false;
  RuleMatch match;
  match.symbols = getSymbols();
  match.batch = batch.value_or(Shape());
  match.ops.assign(ops.begin(), ops.end());
  for (unsigned argument : pattern.arguments) {
    match.operands.push_back(values[argument]);
    match.lifted.push_back(isLifted(argument));
  }
  for (unsigned result : pattern.results)
    match.results.push_back(values[result]);
  return visit(match);
}

bool Matcher::matchRoot(unsigned position) {
  if (position == pattern.roots.size())
    return finish();
  unsigned number = pattern.roots[position];
  if (ops[number])
    return matchRoot(position + 1);
  for (Operation *candidate : getCandidates(number, position)) {
    if (filter.root && !filter.root(candidate))
      continue;
    Mark before = mark();
    bool stop = bindOp(number, candidate) &&
                proceed(before.goals, [&] { return matchRoot(position + 1); });
    undo(before);
    if (stop)
      return true;
  }
  return false;
}

bool RulePattern::visitMatches(
    const MatchView &view, llvm::function_ref<bool(const RuleMatch &)> visit,
    const MatchFilter &filter) const {
  return Matcher(*impl, view, filter, visit).run();
}
