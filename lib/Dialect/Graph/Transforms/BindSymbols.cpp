//===- BindSymbols.cpp - numbers in place of symbols ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/Transforms/BindSymbols.h"
#include "tenon/Dialect/Graph/Analysis/BatchAxes.h"
#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Dialect/Graph/IR/SizeConditions.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tenon;

/// Replaces symbols in types and attributes. Sizes that become constant move
/// from the encoding into the type.
static void replaceSymbols(
    Operation *root,
    llvm::function_ref<std::optional<graph::SymInt>(StringRef)> lookup) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](graph::DimsAttr dims) -> Attribute {
    graph::Shape entries = dims.getEntries();
    for (graph::SymInt &entry : entries)
      entry = entry.substitute(lookup);
    return graph::DimsAttr::get(dims.getContext(), entries);
  });
  replacer.addReplacement(
      [&](RankedTensorType type) -> std::optional<std::pair<Type, WalkResult>> {
        if (!isa_and_nonnull<graph::DimsAttr>(type.getEncoding()))
          return std::nullopt;
        graph::Shape shape = graph::getShape(type);
        for (graph::SymInt &size : shape)
          size = size.substitute(lookup);
        return std::pair<Type, WalkResult>(
            graph::getTensorType(shape, type.getElementType()),
            WalkResult::skip());
      });
  replacer.recursivelyReplaceElementsIn(root, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

LogicalResult tenon::graph::bindSymbols(
    ModuleOp module,
    const std::vector<std::pair<std::string, int64_t>> &values) {
  llvm::StringSet<> seen;
  replaceSymbols(module, [&](StringRef name) -> std::optional<graph::SymInt> {
    seen.insert(name);
    for (const auto &[symbol, value] : values)
      if (name == symbol)
        return graph::SymInt(value);
    return std::nullopt;
  });
  for (const auto &[symbol, value] : values)
    if (!seen.contains(symbol))
      return module.emitError("bind: the model has no dimension '")
             << symbol << "'";
  return success();
}

/// The symbol that a condition makes equal to `number`: the condition is
/// min(d, -d) >= 0, where d is the difference of both.
static std::optional<StringRef> getEqual(const graph::SymInt &condition,
                                         const graph::SymInt &number) {
  const auto &terms = condition.getTerms();
  if (terms.size() != 1 || terms.front().second != 1 ||
      terms.front().first.atoms.size() != 1)
    return std::nullopt;
  const graph::SymInt::Atom &atom = *terms.front().first.atoms.front();
  if (atom.kind != graph::SymInt::AtomKind::Min ||
      !(*atom.lhs + *atom.rhs == graph::SymInt(0)))
    return std::nullopt;
  for (const graph::SymInt &other : {*atom.lhs + number, *atom.rhs + number})
    if (std::optional<StringRef> symbol = other.getSymbol())
      return symbol;
  return std::nullopt;
}

SmallVector<std::string> tenon::graph::unifySampleSymbols(
    func::FuncOp model, llvm::function_ref<bool(StringRef)> isSamples) {
  SmallVector<std::string> names;
  graph::SymInt number = graph::getSampleNumber(model.front());
  if (!number.getSymbol())
    return names;
  auto add = [&](std::optional<StringRef> symbol) {
    if (symbol && *symbol != *number.getSymbol() &&
        !llvm::is_contained(names, *symbol))
      names.push_back(symbol->str());
  };
  for (const graph::SizeCondition &condition :
       graph::collectSizeConditions(model))
    add(getEqual(condition.value, number));
  for (BlockArgument argument : model.getArguments())
    if (graph::Shape shape = graph::getShape(argument);
        !shape.empty() && !llvm::is_contained(shape, number))
      if (std::optional<StringRef> symbol = shape.front().getSymbol();
          symbol && isSamples(*symbol))
        add(symbol);
  if (!names.empty())
    replaceSymbols(model, [&](StringRef name) {
      return llvm::is_contained(names, name) ? std::optional(number)
                                             : std::nullopt;
    });
  return names;
}
