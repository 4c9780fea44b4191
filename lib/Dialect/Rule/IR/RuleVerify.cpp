//===- RuleVerify.cpp - verification of rules and patterns ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Rule/IR/Instantiate.h"
#include "tenon/Dialect/Rule/IR/Rule.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::rule;
using graph::SymInt;

/// Checks a side of a rule: graph ops between the rule's operands and a yield
/// of its results.
static LogicalResult verifySide(SourceInterface rule, Region &region,
                                StringRef side) {
  SmallVector<Type> types = rule.getResultTypeList();
  auto yield = dyn_cast<YieldOp>(region.front().back());
  if (!yield)
    return rule->emitOpError()
           << side << " must end in 'rule.yield', but ends in '"
           << region.front().back().getName() << "'";
  if (TypeRange(region.getArgumentTypes()) != rule.getArgumentTypes())
    return rule->emitOpError()
           << "expected " << side << " to have the operands of source";
  if (yield.getNumOperands() != types.size())
    return yield.emitOpError()
           << "expected " << types.size() << " results, but got "
           << yield.getNumOperands();
  for (auto [number, both] :
       llvm::enumerate(llvm::zip(yield.getOperandTypes(), types)))
    if (std::get<0>(both) != std::get<1>(both))
      return yield.emitOpError()
             << "result " << number << " of the "
             << rule->getName().stripDialect() << " has type "
             << std::get<1>(both) << ", but " << side << " yields "
             << std::get<0>(both);
  for (Operation &op : region.front().without_terminator()) {
    if (!isa_and_nonnull<graph::GraphDialect>(op.getDialect()) ||
        isa<graph::ParameterOp>(op))
      return op.emitOpError("is not allowed in a ")
             << rule->getName().stripDialect();
    for (Type type : op.getResultTypes())
      for (const SymInt &size : graph::getShape(type))
        if (size.isUnknown())
          return op.emitOpError()
                 << "expected known sizes in a "
                 << rule->getName().stripDialect() << ", but got " << type;
  }
  return success();
}

/// Checks that a match of the source binds all operands and symbols of the
/// rule.
static LogicalResult verifyBindings(SourceInterface rule) {
  Block &source = rule.getSource().front();
  llvm::StringSet<> bound, used;
  auto bind = [&](const SymInt &entry) {
    if (std::optional<StringRef> symbol = entry.getSymbol())
      bound.insert(*symbol);
  };
  for (BlockArgument argument : source.getArguments()) {
    if (argument.use_empty())
      return rule->emitOpError()
             << "operand '%" << rule.getArgumentName(argument.getArgNumber())
             << "' is not used by the source, so no match can bind it";
    for (const SymInt &size : graph::getShape(argument)) {
      if (size.isUnknown())
        return rule->emitOpError()
               << "expected known sizes of operand '%"
               << rule.getArgumentName(argument.getArgNumber()) << "', but got "
               << argument.getType();
      bind(size);
    }
  }
  for (Operation &op : source.without_terminator())
    op.getAttrDictionary().walk([&](graph::DimsAttr dims) {
      for (const SymInt &entry : dims.getEntries())
        bind(entry);
    });
  std::string missing;
  auto check = [&](StringRef symbol) {
    if (missing.empty() && !bound.contains(symbol))
      missing = symbol.str();
  };
  rule->walk([&](Operation *op) {
    if (op != rule)
      visitSymbols(op, check);
    for (Type type : op->getResultTypes())
      visitSymbols(type, check);
  });
  for (Type type : rule.getArgumentTypes())
    visitSymbols(type, check);
  for (ConditionAttr condition : rule.getConditionList()) {
    condition.getLhs().visitSymbols(check);
    condition.getRhs().visitSymbols(check);
  }
  if (!missing.empty())
    return rule->emitOpError()
           << "symbol '" << missing
           << "' is neither a whole size of an operand nor a "
           << "whole parameter in the source, so no match can bind it";
  return success();
}

/// Checks that the results of the source depend on each of its ops. Otherwise,
/// an op could match unrelated ops.
static LogicalResult verifyConnected(SourceInterface rule) {
  llvm::DenseSet<Operation *> needed;
  SmallVector<Operation *> work;
  for (Value value : rule.getSource().front().getTerminator()->getOperands()) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return rule->emitOpError(
          "expected the source to yield results of ops, but got an operand");
    work.push_back(op);
  }
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    if (!needed.insert(op).second)
      continue;
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        work.push_back(producer);
  }
  for (Operation &op : rule.getSource().front().without_terminator())
    if (!needed.contains(&op))
      return op.emitOpError("does not contribute to a result of the source");
  return success();
}

static LogicalResult verifyValueConditions(SourceInterface rule) {
  llvm::DenseSet<unsigned> seen;
  for (ValueConditionAttr condition : rule.getValueConditionList()) {
    unsigned number = condition.getOperand();
    if (number >= rule.getSource().getNumArguments())
      return rule->emitOpError()
             << "expected operand numbers below "
             << rule.getSource().getNumArguments()
             << " in 'value_conditions', but got " << number;
    auto type = cast<RankedTensorType>(rule.getArgumentTypes()[number]);
    if (!graph::isFloat(type.getElementType()))
      return rule->emitOpError()
             << "condition '" << rule.str(condition)
             << "': expected floating-point elements, but got "
             << type.getElementType();
    if (!seen.insert(number).second)
      return rule->emitOpError()
             << "condition '" << rule.str(condition)
             << "': expected at most one condition over the operand's elements";
    if (condition.getKind() != ValueKind::Identity)
      continue;
    graph::Shape shape = graph::getShape(type);
    if (shape.size() != 2 || !(shape[0] == shape[1]))
      return rule->emitOpError()
             << "condition '" << rule.str(condition)
             << "': expected a square matrix, but got " << type;
    if (llvm::is_contained(rule.getLifted(), static_cast<int64_t>(number)))
      return rule->emitOpError()
             << "condition '" << rule.str(condition)
             << "': expected a matrix, but the operand is lifted";
  }
  return success();
}

/// Checks the common requirements of rules and patterns.
static LogicalResult verifySource(SourceInterface rule) {
  // An empty name would be printed in a form that can't be parsed.
  if (SymbolTable::getSymbolName(rule).empty())
    return rule->emitOpError("expected a name, but got an empty one");
  if (rule.getResultTypes().empty())
    return rule->emitOpError("expected at least 1 result, but got 0");
  if (rule.getArgumentNames().size() != rule.getSource().getNumArguments())
    return rule->emitOpError()
           << "expected " << rule.getSource().getNumArguments()
           << " names of operands, but got " << rule.getArgumentNames().size();
  for (Type type : rule.getArgumentTypes())
    if (!isa<RankedTensorType>(type))
      return rule->emitOpError() << "expected ranked tensors, but got " << type;
  llvm::DenseSet<int64_t> seen;
  for (int64_t number : rule.getLifted())
    if (number < 0 || number >= rule.getSource().getNumArguments() ||
        !seen.insert(number).second)
      return rule->emitOpError() << "expected distinct operand numbers below "
                                 << rule.getSource().getNumArguments()
                                 << " in 'lifted', but got " << number;
  return verifySide(rule, rule.getSource(), "source");
}

LogicalResult RuleOp::verifyRegions() {
  if (failed(verifySource(*this)) ||
      failed(verifySide(*this, getTarget(), "target")) ||
      failed(verifyConnected(*this)) || failed(verifyValueConditions(*this)))
    return failure();
  return verifyBindings(*this);
}

/// Checks that every result has the further axes of the lifted operands. (For
/// rules, the proof checks this.)
static LogicalResult verifyLifting(PatternOp pattern) {
  if (pattern.getLifted().empty())
    return success();
  llvm::DenseSet<Value> lifted;
  for (int64_t number : pattern.getLifted())
    lifted.insert(pattern.getSource().getArgument(number));
  graph::Shape batch{SymInt(2)};
  Block &source = pattern.getSource().front();
  for (Operation &op : source.without_terminator()) {
    SmallVector<bool> operands;
    for (Value operand : op.getOperands())
      operands.push_back(lifted.contains(operand));
    bool resultLifted = false;
    std::string reason;
    if (failed(getInstanceAttributes(&op, {}, operands, batch, resultLifted,
                                     reason)))
      return op.emitOpError("does not pass the pattern's leading axes through");
    if (resultLifted)
      lifted.insert(op.result_begin(), op.result_end());
  }
  for (auto [number, value] :
       llvm::enumerate(source.getTerminator()->getOperands()))
    if (!lifted.contains(value))
      return pattern.emitOpError()
             << "result " << number
             << " does not have the pattern's leading axes";
  return success();
}

LogicalResult PatternOp::verifyRegions() {
  if (failed(verifySource(*this)) || failed(verifyConnected(*this)) ||
      failed(verifyValueConditions(*this)) || failed(verifyBindings(*this)))
    return failure();
  return verifyLifting(*this);
}
