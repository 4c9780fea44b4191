//===- MatchSizes.cpp - matching sizes and attributes ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Matcher.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::rule;
using graph::DimsAttr;
using graph::Shape;
using graph::SymInt;

std::optional<SymInt> Matcher::lookup(StringRef name) const {
  auto it = llvm::find(pattern.symbols, name);
  if (it == pattern.symbols.end())
    return std::nullopt;
  const std::optional<Size> &bound = symbols[it - pattern.symbols.begin()];
  if (!bound)
    return std::nullopt;
  return bound->get();
}

std::optional<int64_t> Matcher::lookupConstant(StringRef name) const {
  auto it = llvm::find(pattern.symbols, name);
  if (it == pattern.symbols.end())
    return std::nullopt;
  const std::optional<Size> &bound = symbols[it - pattern.symbols.begin()];
  return bound ? bound->constant : std::nullopt;
}

SymbolMap Matcher::getSymbols() const {
  SymbolMap map;
  for (auto [name, value] : llvm::zip(pattern.symbols, symbols))
    if (value)
      map.emplace(name, value->get());
  return map;
}

/// A symbol is bound to the size in its place. Everything else must be equal
/// for all values of the model's symbols. Expressions are checked at the end,
/// when their symbols are bound.
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
    return true; // was compared before
  if (size.constant)
    if (std::optional<int64_t> value = expected.expression.evaluate(
            [&](StringRef name) { return lookupConstant(name); }))
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

bool Matcher::matchArgument(const SourceValue &expected, Value value) {
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
  for (auto [axis, expectedSize] : llvm::enumerate(expected.sizes)) {
    Size size = sizes[further + axis];
    size.ofTensor = true;
    if (!unify(expectedSize, size))
      return false;
  }
  return true;
}

bool Matcher::isLifted(unsigned value) const {
  return cast<RankedTensorType>(values[value].getType()).getRank() !=
         pattern.values[value].rank;
}

/// Symbols are not replaced.
FailureOr<DictionaryAttr> Matcher::getInstance(unsigned number,
                                               ArrayRef<bool> lifted) {
  Shape front = batch.value_or(Shape());
  for (const Instance &known : instances)
    if (known.number == number && ArrayRef<bool>(known.lifted) == lifted &&
        known.batch == front)
      return known.attributes;
  bool resultLifted = false;
  std::string reason;
  FailureOr<DictionaryAttr> attributes = getInstanceAttributes(
      pattern.ops[number].op, {}, lifted, front, resultLifted, reason);
  instances.push_back({number,
                       SmallVector<bool, 4>(lifted.begin(), lifted.end()),
                       std::move(front), attributes});
  return attributes;
}

bool Matcher::matchAttributes(unsigned number) {
  const SourceOp &expected = pattern.ops[number];
  DictionaryAttr actual = view.getAttributes(ops[number]);
  SmallVector<bool> lifted;
  for (unsigned operand : expected.operands)
    lifted.push_back(isLifted(operand));
  // Attributes that the pattern does not have, such as a transpose flag, must
  // be absent from the op; attributes of other dialects are ignored.
  auto isForeign = [](NamedAttribute attribute) {
    return attribute.getName().strref().contains('.');
  };
  if (!llvm::is_contained(lifted, true)) {
    size_t own = 0;
    for (NamedAttribute attribute : actual)
      own += !isForeign(attribute);
    if (own != expected.attributes.size())
      return false;
    for (const SourceAttribute &attribute : expected.attributes) {
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
  FailureOr<DictionaryAttr> instance = getInstance(number, lifted);
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
    // The entries of the further axes use the model's own symbols, some of
    // which may have the same name as symbols of the rule.
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

bool Matcher::checkExpressions() {
  for (unsigned argument : pattern.arguments) {
    const SourceValue &expected = pattern.values[argument];
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
    if (llvm::all_of(expected.attributes, [](const SourceAttribute &one) {
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
      for (const SourceAttribute &attribute : expected.attributes) {
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
