//===- BindSymbols.cpp - numbers in place of symbols ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/Transforms/BindSymbols.h"
#include "tenon/Dialect/Graph/IR/Graph.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tenon;

LogicalResult tenon::graph::bindSymbols(
    ModuleOp module,
    const std::vector<std::pair<std::string, int64_t>> &values) {
  auto lookup = [&](StringRef name) -> std::optional<graph::SymInt> {
    for (const auto &[symbol, value] : values)
      if (name == symbol)
        return graph::SymInt(value);
    return std::nullopt;
  };
  llvm::StringSet<> seen;
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](graph::DimsAttr dims) -> Attribute {
    graph::Shape entries = dims.getEntries();
    for (graph::SymInt &entry : entries) {
      entry.visitSymbols([&](StringRef symbol) { seen.insert(symbol); });
      entry = entry.substitute(lookup);
    }
    return graph::DimsAttr::get(dims.getContext(), entries);
  });
  // Sizes that become constants move from the encoding into the type.
  replacer.addReplacement(
      [&](RankedTensorType type) -> std::optional<std::pair<Type, WalkResult>> {
        if (!isa_and_nonnull<graph::DimsAttr>(type.getEncoding()))
          return std::nullopt;
        graph::Shape shape = graph::getShape(type);
        for (graph::SymInt &size : shape) {
          size.visitSymbols([&](StringRef symbol) { seen.insert(symbol); });
          size = size.substitute(lookup);
        }
        return std::pair<Type, WalkResult>(
            graph::getTensorType(shape, type.getElementType()),
            WalkResult::skip());
      });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  for (const auto &[symbol, value] : values)
    if (!seen.contains(symbol))
      return module.emitError("bind: the model has no dimension '")
             << symbol << "'";
  return success();
}
