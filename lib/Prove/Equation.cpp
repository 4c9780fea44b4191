//===- Equation.cpp - that two values are equal, as a rule ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules are made to be matched, so their source must use every operand, yield
// results of ops, and name every symbol. An equation need not. Where it does
// not, the rule gets further results that are the same on both sides: an
// operand itself, or an operand of a size that is such a symbol.
//
//===----------------------------------------------------------------------===//

#include "Equation.h"
#include "tenon/Dialect/Graph/IR/Graph.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

#include <thread>

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::prove;

namespace {
class StatementBuilder {
public:
  StatementBuilder(const Equation &equation, ArrayRef<SizeCondition> facts)
      : equation(equation), facts(facts), builder(equation.after.getContext()) {
  }

  OwningOpRef<rule::RuleOp> build();

private:
  void listOperands();
  void nameSymbols();
  Value withType(Value value, Type type);
  Value getImage(Value value, ArrayRef<int64_t> view, ArrayRef<int64_t> perm,
                 Type type);
  Value cloneCone(const Cone &cone, Value root, IRMapping &map);
  void addSide(Region &side, bool isSource, ArrayRef<unsigned> further,
               bool namesTypes);
  OwningOpRef<rule::RuleOp> make(ArrayRef<unsigned> further, bool namesTypes);
  SmallVector<Attribute> getConditions();

  const Equation &equation;
  ArrayRef<SizeCondition> facts;
  OpBuilder builder;
  llvm::SetVector<Value> operands;
  SmallVector<Type> types;
  llvm::StringSet<> symbols;
};
} // namespace

void StatementBuilder::listOperands() {
  for (Value leaf : equation.sourceLeaves)
    operands.insert(leaf);
  for (const Image &leaf : equation.targetLeaves)
    operands.insert(leaf.value);
  for (Value operand : operands)
    types.push_back(operand.getType());
}

/// Adds operands whose sizes are the symbols that are no whole size of an
/// operand. Those of ops' attributes are not looked for: an operand too many
/// does no harm.
void StatementBuilder::nameSymbols() {
  llvm::SetVector<StringRef> used;
  llvm::StringSet<> named;
  auto use = [&](StringRef symbol) {
    used.insert(symbol);
    symbols.insert(symbol);
  };
  for (Type type : types) {
    rule::visitSymbols(type, use);
    for (const SymInt &size : getShape(type))
      if (std::optional<StringRef> symbol = size.getSymbol())
        named.insert(*symbol);
  }
  for (const Cone *cone : {&equation.source, &equation.target})
    for (Operation *op : cone->ops) {
      rule::visitSymbols(op, use);
      for (Type type : op->getResultTypes())
        rule::visitSymbols(type, use);
    }
  for (StringRef symbol : used)
    if (!named.contains(symbol))
      types.push_back(
          getTensorType({SymInt::symbol(symbol)}, builder.getI1Type()));
}

Value StatementBuilder::withType(Value value, Type type) {
  return ReshapeOp::create(builder, builder.getUnknownLoc(), type, value,
                           DimsAttr::get(type.getContext(), getShape(type)));
}

/// The value with its axes permuted, as a value of `type`.
Value StatementBuilder::getImage(Value value, ArrayRef<int64_t> view,
                                 ArrayRef<int64_t> perm, Type type) {
  if (!view.empty())
    value = withType(value, RankedTensorType::get(
                                view, getElementTypeOrSelf(value.getType())));
  if (!perm.empty())
    value = TransposeOp::create(builder, builder.getUnknownLoc(), value,
                                getInts(builder.getContext(), perm));
  return value.getType() == type ? value : withType(value, type);
}

Value StatementBuilder::cloneCone(const Cone &cone, Value root,
                                  IRMapping &map) {
  for (Operation *op : cone.ops) {
    Operation *copy = builder.clone(*op, map);
    copy->setLoc(builder.getUnknownLoc());
    copy->setDiscardableAttrs(builder.getDictionaryAttr({}));
  }
  return map.lookup(root);
}

void StatementBuilder::addSide(Region &side, bool isSource,
                               ArrayRef<unsigned> further, bool namesTypes) {
  Location loc = builder.getUnknownLoc();
  Block &block = side.emplaceBlock();
  for (Type type : types)
    block.addArgument(type, loc);
  builder.setInsertionPointToStart(&block);
  llvm::DenseMap<Value, Value> arguments;
  for (auto [operand, argument] : llvm::zip(operands, block.getArguments()))
    arguments[operand] = argument;
  IRMapping map;
  SmallVector<Value> results;
  Type type = equation.after.getType();
  if (isSource) {
    for (auto [leaf, origin] :
         llvm::zip(equation.source.leaves, equation.sourceLeaves))
      map.map(leaf, getImage(arguments.lookup(origin), {}, {}, leaf.getType()));
    Value value = cloneCone(equation.source, equation.before, map);
    value = getImage(value, {}, equation.perm, type);
    results.push_back(isa<BlockArgument>(value) ? withType(value, type)
                                                : value);
  } else {
    for (auto [leaf, image] :
         llvm::zip(equation.target.leaves, equation.targetLeaves))
      map.map(leaf, getImage(arguments.lookup(image.value), image.view,
                             image.perm, leaf.getType()));
    results.push_back(cloneCone(equation.target, equation.after, map));
  }
  for (unsigned number : further) {
    Value argument = block.getArgument(number);
    results.push_back(isSource ? withType(argument, argument.getType())
                               : argument);
  }
  if (namesTypes)
    results.push_back(ConstantOp::create(
        builder, loc,
        cast<ElementsAttr>(DenseElementsAttr::get(
            RankedTensorType::get({}, builder.getI1Type()), false))));
  rule::YieldOp::create(builder, loc, results);
}

/// Facts that mention no other symbols.
SmallVector<Attribute> StatementBuilder::getConditions() {
  SmallVector<Attribute> conditions;
  for (const SizeCondition &fact : facts) {
    bool isKnown = true;
    fact.value.visitSymbols(
        [&](StringRef symbol) { isKnown &= symbols.contains(symbol); });
    if (isKnown)
      conditions.push_back(rule::ConditionAttr::get(
          builder.getContext(), rule::ConditionKind::AtLeast, fact.value,
          SymInt(0)));
  }
  return conditions;
}

OwningOpRef<rule::RuleOp> StatementBuilder::make(ArrayRef<unsigned> further,
                                                 bool namesTypes) {
  SmallVector<Attribute> names, results;
  for (unsigned number = 0; number < types.size(); ++number)
    names.push_back(builder.getStringAttr("x" + Twine(number)));
  results.push_back(TypeAttr::get(equation.after.getType()));
  for (unsigned number : further)
    results.push_back(TypeAttr::get(types[number]));
  if (namesTypes)
    results.push_back(
        TypeAttr::get(RankedTensorType::get({}, builder.getI1Type())));
  builder.clearInsertionPoint();
  OwningOpRef<rule::RuleOp> statement = rule::RuleOp::create(
      builder, builder.getUnknownLoc(), "rewrite",
      builder.getArrayAttr(results), builder.getArrayAttr(names),
      ArrayRef<int64_t>(), builder.getArrayAttr(getConditions()), ArrayAttr());
  addSide(statement->getSource(), /*isSource=*/true, further, namesTypes);
  addSide(statement->getTarget(), /*isSource=*/false, further, namesTypes);
  return statement;
}

OwningOpRef<rule::RuleOp> StatementBuilder::build() {
  listOperands();
  nameSymbols();
  OwningOpRef<rule::RuleOp> statement =
      make(/*further=*/{}, /*namesTypes=*/false);
  SmallVector<unsigned> unused;
  for (BlockArgument argument : statement->getSource().getArguments())
    if (argument.use_empty())
      unused.push_back(argument.getArgNumber());
  // A constant makes the rule one of the types that it states, so that nothing
  // is proved of others.
  bool isGeneric = rule::hasGenericElements(*statement);
  return unused.empty() && !isGeneric ? std::move(statement)
                                      : make(unused, isGeneric);
}

OwningOpRef<rule::RuleOp> prove::makeStatement(const Equation &equation,
                                               ArrayRef<SizeCondition> facts,
                                               std::string &reason) {
  // A compile without rules has not loaded it.
  equation.after.getContext()->loadDialect<rule::RuleDialect>();
  OwningOpRef<rule::RuleOp> statement =
      StatementBuilder(equation, facts).build();
  ScopedDiagnosticHandler quiet(
      statement->getContext(),
      [&reason, thread = std::this_thread::get_id()](Diagnostic &diagnostic) {
        if (thread != std::this_thread::get_id())
          return failure();
        if (reason.empty())
          reason = diagnostic.str();
        return success();
      });
  if (succeeded(verify(*statement)))
    return statement;
  return {};
}
