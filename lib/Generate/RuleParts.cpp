//===- RuleParts.cpp - rules taken apart and put together ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuleParts.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::generate;
using graph::Shape;
using graph::SymInt;
using rule::RuleOp;
using rule::SymbolMap;

Head generate::getHead(RuleOp rule) {
  Head head;
  llvm::append_range(head.types, rule.getArgumentTypes());
  for (size_t number = 0; number < head.types.size(); ++number)
    head.names.push_back(rule.getArgumentName(number).str());
  llvm::append_range(head.conditions, rule.getConditions());
  llvm::append_range(head.valueConditions, rule.getValueConditionList());
  llvm::append_range(head.lifted, rule.getLifted());
  return head;
}

std::set<std::string> generate::getSymbols(RuleOp rule) {
  SmallVector<std::string> symbols = rule.getSymbols();
  return {symbols.begin(), symbols.end()};
}

SymInt generate::substitute(const SymInt &size, const SymbolMap &symbols) {
  return size.substitute([&](StringRef name) -> std::optional<SymInt> {
    auto it = symbols.find(name.str());
    if (it == symbols.end())
      return std::nullopt;
    return it->second;
  });
}

void generate::substitute(Head &head, const SymbolMap &symbols) {
  for (Type &type : head.types) {
    Shape shape;
    for (const SymInt &size : graph::getShape(type))
      shape.push_back(substitute(size, symbols));
    type = graph::getTensorType(shape,
                                cast<RankedTensorType>(type).getElementType());
  }
  for (Attribute &attribute : head.conditions) {
    auto condition = cast<rule::ConditionAttr>(attribute);
    attribute =
        rule::ConditionAttr::get(condition.getContext(), condition.getKind(),
                                 substitute(condition.getLhs(), symbols),
                                 substitute(condition.getRhs(), symbols));
  }
}

Region &generate::getSide(RuleOp rule, unsigned side) {
  return side == 0 ? rule.getSource() : rule.getTarget();
}

Values generate::buildSide(OpBuilder &builder, RuleOp rule, unsigned side,
                           ValueRange operands, const SymbolMap &symbols) {
  std::string reason;
  SmallVector<bool> lifted(operands.size(), false);
  return rule::instantiate(builder, rule.getLoc(), getSide(rule, side),
                           operands, symbols, lifted, {}, reason);
}

OwningOpRef<RuleOp> generate::build(RuleOp like, const Head &head,
                                    SideBuilder buildOne) {
  MLIRContext *context = like.getContext();
  ScopedDiagnosticHandler quiet(context,
                                [](Diagnostic &) { return success(); });
  OwningOpRef<RuleOp> rule(like.clone());
  SmallVector<Attribute> types;
  for (unsigned side : {0, 1}) {
    Block &block = getSide(*rule, side).front();
    while (!block.empty())
      block.back().erase();
    block.eraseArguments(0, block.getNumArguments());
    for (Type type : head.types)
      block.addArgument(type, like.getLoc());
    OpBuilder builder = OpBuilder::atBlockEnd(&block);
    Values values = buildOne(builder, side, block.getArguments());
    if (failed(values) || llvm::is_contained(*values, Value()))
      return {};
    rule::YieldOp::create(builder, like.getLoc(), *values);
    if (side == 0)
      for (Value value : *values)
        types.push_back(TypeAttr::get(value.getType()));
  }
  Builder builder(context);
  SmallVector<StringRef> names(head.names.begin(), head.names.end());
  rule->setResultTypesAttr(builder.getArrayAttr(types));
  rule->setArgumentNamesAttr(builder.getStrArrayAttr(names));
  rule->setConditionsAttr(builder.getArrayAttr(head.conditions));
  rule->setLiftedAttr(builder.getDenseI64ArrayAttr(head.lifted));
  if (head.valueConditions.empty())
    rule->removeValueConditionsAttr();
  else
    rule->setValueConditionsAttr(builder.getArrayAttr(head.valueConditions));
  if (failed(verify(*rule)))
    return {};
  return rule;
}

Value generate::buildOp(OpBuilder &builder, StringRef name, ValueRange operands,
                        ArrayRef<NamedAttribute> attributes) {
  if (llvm::is_contained(operands, Value()))
    return {};
  OperationState state(builder.getUnknownLoc(), ("graph." + name).str());
  state.addOperands(operands);
  state.addAttributes(attributes);
  SmallVector<Type> types;
  // Inference reads properties, which an op of its own holds.
  Operation *draft = Operation::create(state);
  auto infer = dyn_cast<InferTypeOpInterface>(draft);
  bool fits =
      infer && succeeded(infer.inferReturnTypes(
                   builder.getContext(), state.location, draft->getOperands(),
                   draft->getAttrDictionary(), draft->getPropertiesStorage(),
                   draft->getRegions(), types));
  draft->destroy();
  if (!fits)
    return {};
  state.addTypes(types);
  Operation *op = builder.create(state);
  if (succeeded(verify(op)))
    return op->getResult(0);
  op->erase();
  return {};
}

NamedAttribute generate::getSizes(Builder &builder, StringRef name,
                                  ArrayRef<SymInt> sizes) {
  return builder.getNamedAttr(
      name, graph::DimsAttr::get(builder.getContext(), sizes));
}

bool generate::isConstrained(RuleOp rule, unsigned operand) {
  for (rule::ValueConditionAttr condition : rule.getValueConditionList())
    if (condition.getOperand() == operand)
      return true;
  for (unsigned side : {0, 1})
    for (auto norm : getSide(rule, side).getOps<graph::BatchNormOp>())
      if (norm.getVariance() == getSide(rule, side).getArgument(operand))
        return true;
  return false;
}

std::string generate::makeFresh(StringRef name, std::set<std::string> &taken) {
  std::string fresh = name.str();
  while (!taken.insert(fresh).second)
    fresh += "_";
  return fresh;
}
