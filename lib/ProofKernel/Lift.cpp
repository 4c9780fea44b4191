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
#include "llvm/ADT/SetVector.h"

#include <set>

using namespace mlir;
using namespace tenon;
using namespace tenon::prove;
using graph::SymInt;
using rule::RuleOp;

/// New symbols, which the rule does not have: `prefix` with a number.
static SmallVector<SymInt> makeSymbols(RuleOp rule, StringRef prefix,
                                       unsigned count,
                                       std::vector<std::string> &names) {
  std::set<std::string> taken;
  auto add = [&](StringRef symbol) { taken.insert(symbol.str()); };
  for (Type type : rule.getArgumentTypes())
    rule::visitSymbols(type, add);
  rule.getSource().walk([&](Operation *op) { rule::visitSymbols(op, add); });
  names.clear();
  SmallVector<SymInt> symbols;
  for (unsigned number = 1; number <= count; ++number) {
    std::string name = (prefix + Twine(number)).str();
    while (!taken.insert(name).second)
      name += "_";
    names.push_back(name);
    symbols.push_back(SymInt::symbol(name));
  }
  return symbols;
}

/// Returns null, with a reason, if an op does not pass the axes through.
static OwningOpRef<RuleOp> addAxes(RuleOp rule, ArrayRef<bool> lifted,
                                   ArrayRef<SymInt> batch,
                                   ArrayRef<StringAttr> mesh,
                                   std::string &reason) {
  MLIRContext *context = rule.getContext();
  OwningOpRef<RuleOp> copy(rule.clone());
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
                          {}, lifted, batch, reason, mesh);
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

OwningOpRef<RuleOp> prove::getLiftedRule(RuleOp rule, unsigned count,
                                         std::vector<std::string> &names,
                                         std::string &reason) {
  SmallVector<SymInt> batch = makeSymbols(rule, "batch", count, names);
  SmallVector<bool> lifted(rule.getSource().getNumArguments(), false);
  for (int64_t number : rule.getLifted())
    lifted[number] = true;
  return addAxes(rule, lifted, batch, {}, reason);
}

OwningOpRef<RuleOp> prove::getRuleOverRanks(RuleOp rule, std::string &reason) {
  llvm::SetVector<StringAttr> mesh;
  rule.walk([&](graph::CollectiveInterface op) {
    for (auto axis : op.getMeshAxes().getAsRange<StringAttr>())
      mesh.insert(axis);
  });
  if (mesh.empty())
    return OwningOpRef<RuleOp>(rule.clone());
  for (rule::ValueConditionAttr condition : rule.getValueConditionList())
    if (condition.getKind() == rule::ValueKind::Identity) {
      reason = "'is_identity' in a rule about ranks is not supported";
      return {};
    }
  std::vector<std::string> names;
  SmallVector<SymInt> sizes = makeSymbols(rule, "ranks", mesh.size(), names);
  SmallVector<bool> lifted(rule.getSource().getNumArguments(), true);
  return addAxes(rule, lifted, sizes, mesh.getArrayRef(), reason);
}
