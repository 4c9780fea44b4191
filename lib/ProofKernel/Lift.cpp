//===- Lift.cpp - adding leading axes to rules ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/ProofKernel/Lift.h"

#include "tenon/Dialect/Rule/IR/Instantiate.h"

#include "mlir/IR/Builders.h"

#include <set>

using namespace mlir;
using namespace tenon;
using namespace tenon::prove;
using graph::SymInt;
using rule::RuleOp;

OwningOpRef<RuleOp> prove::getLiftedRule(RuleOp rule, unsigned count,
                                         std::vector<std::string> &names,
                                         std::string &reason) {
  MLIRContext *context = rule.getContext();
  OwningOpRef<RuleOp> copy(rule.clone());
  std::set<std::string> taken;
  auto add = [&](StringRef symbol) { taken.insert(symbol.str()); };
  for (Type type : rule.getArgumentTypes())
    rule::visitSymbols(type, add);
  rule.getSource().walk([&](Operation *op) { rule::visitSymbols(op, add); });
  names.clear();
  SmallVector<SymInt> batch;
  for (unsigned number = 0; number < count; ++number) {
    std::string name = "batch" + std::to_string(number + 1);
    while (!taken.insert(name).second)
      name += "_";
    names.push_back(name);
    batch.push_back(SymInt::symbol(name));
  }
  SmallVector<bool> lifted(rule.getSource().getNumArguments(), false);
  for (int64_t number : rule.getLifted())
    lifted[number] = true;
  SmallVector<Attribute> types;
  bool first = true;
  for (auto [from, to] :
       {std::pair<Region *, Region *>(&rule.getSource(), &copy->getSource()),
        std::pair<Region *, Region *>(&rule.getTarget(), &copy->getTarget())}) {
    Block &block = to->front();
    while (!block.empty())
      block.back().erase();
    for (auto [number, argument] : llvm::enumerate(block.getArguments())) {
      if (!lifted[number])
        continue;
      auto type = cast<RankedTensorType>(argument.getType());
      graph::Shape shape(batch.begin(), batch.end());
      llvm::append_range(shape, graph::getShape(type));
      argument.setType(graph::getTensorType(shape, type.getElementType()));
    }
    OpBuilder builder(context);
    builder.setInsertionPointToEnd(&block);
    auto values =
        rule::instantiate(builder, rule.getLoc(), *from, block.getArguments(),
                          {}, lifted, batch, reason);
    if (failed(values))
      return {};
    rule::YieldOp::create(builder, rule.getLoc(), *values);
    for (auto [number, value] : llvm::enumerate(*values)) {
      auto attribute = TypeAttr::get(value.getType());
      if (first)
        types.push_back(attribute);
      else if (types[number] != attribute) {
        reason = "the sides have different types with leading axes";
        return {};
      }
    }
    first = false;
  }
  copy->setResultTypesAttr(ArrayAttr::get(context, types));
  return copy;
}
