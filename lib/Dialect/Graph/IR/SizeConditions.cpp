//===- SizeConditions.cpp - conditions on sizes at run time ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/IR/SizeConditions.h"
#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Dialect/Graph/IR/SizeFacts.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tenon::graph;

Conditions tenon::graph::getConditions(std::optional<Location> location) {
  return location
             ? OpaqueLoc::getUnderlyingLocationOrNull<Conditions>(*location)
             : nullptr;
}

void tenon::graph::requireNotNegative(Conditions conditions,
                                      const SymInt &value, const Twine &text) {
  if (conditions && !value.isUnknown() && !provablyAtLeast(value, SymInt(0)))
    conditions->push_back({value, text.str()});
}

void tenon::graph::requireNotNegative(std::optional<Location> location,
                                      const SymInt &value, const Twine &text) {
  requireNotNegative(getConditions(location), value, text);
}

void tenon::graph::requireNotNegativeIfAny(std::optional<Location> location,
                                           const SymInt &count,
                                           const SymInt &value,
                                           const Twine &text) {
  if (Conditions conditions = getConditions(location))
    requireNotNegative(
        conditions,
        provablyAtLeast(count, SymInt(1)) ? value : SymInt::max(value, -count),
        text);
}

void tenon::graph::requireEqual(std::optional<Location> location,
                                const SymInt &expected, const SymInt &found) {
  Conditions conditions = getConditions(location);
  if (!conditions || provablyEqual(expected, found))
    return;
  SymInt difference = expected - found;
  requireNotNegative(conditions, SymInt::min(difference, -difference),
                     "expected size " + expected.str() + ", but got " +
                         found.str());
}

/// Repeats the inference of an op, which records its conditions.
static SmallVector<SizeCondition> inferAgain(InferTypeOpInterface op) {
  SmallVector<SizeCondition> found;
  Location location = OpaqueLoc::get<Conditions>(&found, op->getLoc());
  SmallVector<Type> inferred;
  if (succeeded(op.inferReturnTypes(
          op->getContext(), location, op->getOperands(),
          op->getRawDictionaryAttrs(), op->getPropertiesStorage(),
          op->getRegions(), inferred)))
    (void)areCompatible(inferred, op->getResultTypes(), location);
  return found;
}

/// The name of a location: a model's node, even if ops were fused.
static StringRef getName(Location location) {
  StringRef name;
  location->walk([&](Location inner) {
    if (auto named = dyn_cast<NameLoc>(inner)) {
      name = named.getName().getValue();
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return name;
}

static constexpr StringLiteral attrName = "graph.conditions";

/// An entry is [#graph.dims<value>, "text"].
static std::optional<SizeCondition> readCondition(Attribute attr) {
  auto entry = dyn_cast<ArrayAttr>(attr);
  if (!entry || entry.size() != 2)
    return std::nullopt;
  auto value = dyn_cast<DimsAttr>(entry[0]);
  auto text = dyn_cast<StringAttr>(entry[1]);
  if (!value || !text || value.size() != 1)
    return std::nullopt;
  return SizeCondition{value.getEntries()[0], text.getValue().str()};
}

bool tenon::graph::isSizeConditions(Attribute attr) {
  auto entries = dyn_cast<ArrayAttr>(attr);
  return entries && llvm::all_of(entries, [](Attribute entry) {
           return readCondition(entry).has_value();
         });
}

SmallVector<SizeCondition>
tenon::graph::collectSizeConditions(Operation *root) {
  SmallVector<SizeCondition> conditions;
  llvm::StringSet<> seen;
  auto add = [&](SizeCondition condition) {
    if (!provablyAtLeast(condition.value, SymInt(0)) &&
        seen.insert(condition.value.str()).second)
      conditions.push_back(std::move(condition));
  };
  if (auto recorded = root->getAttrOfType<ArrayAttr>(attrName))
    for (Attribute entry : recorded)
      if (std::optional<SizeCondition> condition = readCondition(entry))
        add(std::move(*condition));
  root->walk([&](InferTypeOpInterface op) {
    for (SizeCondition &condition : inferAgain(op)) {
      StringRef node = getName(op->getLoc());
      std::string text = node.empty() ? "" : ("node '" + node + "': ").str();
      text += (op->getName().getStringRef() + ": " + condition.text).str();
      add({std::move(condition.value), std::move(text)});
    }
  });
  return conditions;
}

void tenon::graph::recordSizeConditions(Operation *root,
                                        ArrayRef<SizeCondition> further) {
  MLIRContext *context = root->getContext();
  SmallVector<SizeCondition> all(further.begin(), further.end());
  llvm::append_range(all, collectSizeConditions(root));
  SmallVector<Attribute> entries;
  llvm::StringSet<> seen;
  for (const SizeCondition &condition : all)
    if (!provablyAtLeast(condition.value, SymInt(0)) &&
        seen.insert(condition.value.str()).second)
      entries.push_back(
          ArrayAttr::get(context, {DimsAttr::get(context, {condition.value}),
                                   StringAttr::get(context, condition.text)}));
  if (entries.empty())
    root->removeAttr(attrName);
  else
    root->setAttr(attrName, ArrayAttr::get(context, entries));
}
