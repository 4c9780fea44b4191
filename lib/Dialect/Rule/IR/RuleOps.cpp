//===- RuleOps.cpp - syntax and verification of rules ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Rule/IR/Certificate.h"
#include "tenon/Dialect/Rule/IR/Rule.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/SHA256.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::rule;
using graph::SymInt;

static ParseResult parseShortTypes(OpAsmParser &parser,
                                   SmallVectorImpl<Type> &types) {
  return parser.parseCommaSeparatedList(
      [&]() { return parseShortType(parser, types.emplace_back()); });
}

static void printShortTypes(OpAsmPrinter &printer, Operation *,
                            TypeRange types) {
  llvm::interleaveComma(types, printer.getStream(),
                        [&](Type type) { printShortType(printer, type); });
}

#define GET_OP_CLASSES
#include "tenon/Dialect/Rule/IR/RuleOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Accessors
//===----------------------------------------------------------------------===//

SmallVector<Type> RuleOp::getResultTypeList() {
  return llvm::to_vector(getResultTypes().getAsValueRange<TypeAttr>());
}

YieldOp RuleOp::getSourceYield() {
  return cast<YieldOp>(getSource().front().getTerminator());
}

YieldOp RuleOp::getTargetYield() {
  return cast<YieldOp>(getTarget().front().getTerminator());
}

StringRef RuleOp::getArgumentName(unsigned number) {
  return cast<StringAttr>(getArgumentNames()[number]).getValue();
}

SmallVector<ConditionAttr> RuleOp::getConditionList() {
  return llvm::to_vector(getConditions().getAsRange<ConditionAttr>());
}

SmallVector<ValueConditionAttr> RuleOp::getValueConditionList() {
  if (std::optional<ArrayAttr> conditions = getValueConditions())
    return llvm::to_vector(conditions->getAsRange<ValueConditionAttr>());
  return {};
}

std::string RuleOp::str(ValueConditionAttr condition) {
  return (stringifyValueKind(condition.getKind()) + "(%" +
          getArgumentName(condition.getOperand()) + ")")
      .str();
}

void RuleOp::getAsmBlockArgumentNames(Region &region,
                                      OpAsmSetValueNameFn setName) {
  // The verifier may not have run yet.
  for (auto [argument, name] :
       llvm::zip(region.getArguments(), getArgumentNames()))
    if (auto text = dyn_cast<StringAttr>(name))
      setName(argument, text.getValue());
}

void rule::visitSymbols(Type type, function_ref<void(StringRef)> visit) {
  if (isa<RankedTensorType>(type))
    for (const SymInt &size : graph::getShape(type))
      size.visitSymbols(visit);
}

void rule::visitSymbols(Operation *op, function_ref<void(StringRef)> visit) {
  op->getAttrDictionary().walk([&](graph::DimsAttr dims) {
    for (const SymInt &entry : dims.getEntries())
      entry.visitSymbols(visit);
  });
}

std::string rule::hashStatement(RuleOp rule) {
  OwningOpRef<RuleOp> copy(rule.clone());
  copy->setSymName("rule");
  copy->getOperation()->setDiscardableAttrs(
      DictionaryAttr::get(rule.getContext()));
  std::string text;
  llvm::raw_string_ostream os(text);
  copy->print(os, getHashedPrinting());
  std::array<uint8_t, 32> hash = llvm::SHA256::hash(ArrayRef<uint8_t>(
      reinterpret_cast<const uint8_t *>(text.data()), text.size()));
  return llvm::toHex(hash, /*LowerCase=*/true);
}

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

/// The number of the operand of that name.
static ParseResult parseOperandNumber(OpAsmParser &parser,
                                      ArrayRef<OpAsmParser::Argument> arguments,
                                      int64_t &number) {
  SMLoc loc = parser.getCurrentLocation();
  OpAsmParser::UnresolvedOperand operand;
  if (parser.parseOperand(operand, /*allowResultNumber=*/false))
    return failure();
  for (auto [n, argument] : llvm::enumerate(arguments))
    if (argument.ssaName.name == operand.name) {
      number = n;
      return success();
    }
  return parser.emitError(loc, "expected an operand of the rule, but got '")
         << operand.name << "'";
}

/// `[k >= 1, is_zero(%w)]`: conditions over integers and over elements, in any
/// order.
static ParseResult
parseConditions(OpAsmParser &parser, ArrayRef<OpAsmParser::Argument> arguments,
                SmallVectorImpl<Attribute> &conditions,
                SmallVectorImpl<Attribute> &valueConditions) {
  auto parseOne = [&]() -> ParseResult {
    StringRef keyword;
    if (succeeded(parser.parseOptionalKeyword(
            &keyword, {"is_zero", "is_ones", "is_identity", "is_positive"}))) {
      int64_t number = 0;
      if (parser.parseLParen() ||
          parseOperandNumber(parser, arguments, number) || parser.parseRParen())
        return failure();
      valueConditions.push_back(ValueConditionAttr::get(
          parser.getContext(), *symbolizeValueKind(keyword), number));
      return success();
    }
    FailureOr<ConditionAttr> condition = parseCondition(parser);
    if (failed(condition))
      return failure();
    conditions.push_back(*condition);
    return success();
  };
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne);
}

ParseResult RuleOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  StringAttr name;
  if (parser.parseSymbolName(name, getSymNameAttrName(result.name),
                             result.attributes))
    return failure();

  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Attribute> names;
  auto parseArgument = [&]() -> ParseResult {
    OpAsmParser::Argument &argument = arguments.emplace_back();
    if (parser.parseArgument(argument) || parser.parseColon() ||
        parseShortType(parser, argument.type))
      return failure();
    names.push_back(builder.getStringAttr(argument.ssaName.name.drop_front()));
    return success();
  };
  SmallVector<Type> types;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren,
                                     parseArgument) ||
      parser.parseArrow())
    return failure();
  if (succeeded(parser.parseOptionalLParen())) {
    if (parseShortTypes(parser, types) || parser.parseRParen())
      return failure();
  } else if (parseShortType(parser, types.emplace_back())) {
    return failure();
  }

  SmallVector<int64_t> lifted;
  if (succeeded(parser.parseOptionalKeyword("lifts"))) {
    auto parseLifted = [&]() {
      return parseOperandNumber(parser, arguments, lifted.emplace_back());
    };
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                       parseLifted))
      return failure();
  }

  if (parser.parseKeyword("source") ||
      parser.parseRegion(*result.addRegion(), arguments,
                         /*enableNameShadowing=*/true) ||
      parser.parseKeyword("target") ||
      parser.parseRegion(*result.addRegion(), arguments,
                         /*enableNameShadowing=*/true))
    return failure();
  SmallVector<Attribute> conditions, valueConditions;
  if (succeeded(parser.parseOptionalKeyword("where")) &&
      parseConditions(parser, arguments, conditions, valueConditions))
    return failure();
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();

  result.addAttribute(getResultTypesAttrName(result.name),
                      builder.getTypeArrayAttr(types));
  result.addAttribute(getArgumentNamesAttrName(result.name),
                      builder.getArrayAttr(names));
  result.addAttribute(getLiftedAttrName(result.name),
                      builder.getDenseI64ArrayAttr(lifted));
  result.addAttribute(getConditionsAttrName(result.name),
                      builder.getArrayAttr(conditions));
  if (!valueConditions.empty())
    result.addAttribute(getValueConditionsAttrName(result.name),
                        builder.getArrayAttr(valueConditions));
  return success();
}

void RuleOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  printer << '(';
  llvm::interleaveComma(getSource().getArguments(), printer.getStream(),
                        [&](BlockArgument argument) {
                          printer << argument << ": ";
                          printShortType(printer, argument.getType());
                        });
  printer << ") -> ";
  SmallVector<Type> types = getResultTypeList();
  if (types.size() == 1) {
    printShortType(printer, types.front());
  } else {
    printer << '(';
    printShortTypes(printer, *this, types);
    printer << ')';
  }
  if (!getLifted().empty()) {
    printer << " lifts [";
    llvm::interleaveComma(
        getLifted(), printer.getStream(),
        [&](int64_t number) { printer << getSource().getArgument(number); });
    printer << ']';
  }
  for (auto [keyword, region] :
       {std::pair<StringRef, Region *>("source", &getSource()),
        std::pair<StringRef, Region *>("target", &getTarget())}) {
    printer.increaseIndent();
    printer.printNewline();
    printer << keyword << ' ';
    printer.printRegion(*region, /*printEntryBlockArgs=*/false);
    printer.decreaseIndent();
  }
  SmallVector<ValueConditionAttr> values = getValueConditionList();
  if (!getConditions().empty() || !values.empty()) {
    printer.increaseIndent();
    printer.printNewline();
    printer << "where [";
    StringRef separator = "";
    for (ConditionAttr condition : getConditionList()) {
      printer << separator << condition.str();
      separator = ", ";
    }
    for (ValueConditionAttr condition : values) {
      printer << separator << stringifyValueKind(condition.getKind()) << '('
              << getSource().getArgument(condition.getOperand()) << ')';
      separator = ", ";
    }
    printer << ']';
    printer.decreaseIndent();
  }
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {getSymNameAttrName(), getResultTypesAttrName(),
       getArgumentNamesAttrName(), getLiftedAttrName(), getConditionsAttrName(),
       getValueConditionsAttrName()});
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// What both sides of a rule must be: graph ops between the rule's operands
/// and a yield of its results.
static LogicalResult verifySide(RuleOp rule, Region &region, StringRef side) {
  SmallVector<Type> types = rule.getResultTypeList();
  auto yield = dyn_cast<YieldOp>(region.front().back());
  if (!yield)
    return rule.emitOpError()
           << side << " must end in 'rule.yield', but ends in '"
           << region.front().back().getName() << "'";
  if (TypeRange(region.getArgumentTypes()) != rule.getArgumentTypes())
    return rule.emitOpError() << side << " has other operands than source";
  if (yield.getNumOperands() != types.size())
    return yield.emitOpError()
           << "expected " << types.size() << " results, but got "
           << yield.getNumOperands();
  for (auto [number, both] :
       llvm::enumerate(llvm::zip(yield.getOperandTypes(), types)))
    if (std::get<0>(both) != std::get<1>(both))
      return yield.emitOpError()
             << "result " << number << " of the rule has type "
             << std::get<1>(both) << ", but " << side << " yields "
             << std::get<0>(both);
  for (Operation &op : region.front().without_terminator()) {
    if (!isa<graph::GraphDialect>(op.getDialect()) ||
        isa<graph::ParameterOp>(op))
      return op.emitOpError("can't stand in a rule");
    for (Type type : op.getResultTypes())
      for (const SymInt &size : graph::getShape(type))
        if (size.isUnknown())
          return op.emitOpError()
                 << "expected known sizes in a rule, but got " << type;
  }
  return success();
}

/// That a match of the source binds all operands and symbols of the rule.
static LogicalResult verifyBindings(RuleOp rule) {
  Block &source = rule.getSource().front();
  llvm::StringSet<> bound, used;
  auto bind = [&](const SymInt &entry) {
    if (std::optional<StringRef> symbol = entry.getSymbol())
      bound.insert(*symbol);
  };
  for (BlockArgument argument : source.getArguments()) {
    if (argument.use_empty())
      return rule.emitOpError()
             << "operand '%" << rule.getArgumentName(argument.getArgNumber())
             << "' is not used by the source, so that no match can bind it";
    for (const SymInt &size : graph::getShape(argument)) {
      if (size.isUnknown())
        return rule.emitOpError()
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
  rule.walk([&](Operation *op) {
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
    return rule.emitOpError()
           << "symbol '" << missing << "' stands alone neither as a size of an "
           << "operand nor as a parameter in the source, so that no match can "
           << "bind it";
  return success();
}

/// That every op of the source is needed for its results: the others could be
/// matched to nothing in particular.
static LogicalResult verifyConnected(RuleOp rule) {
  llvm::DenseSet<Operation *> needed;
  SmallVector<Operation *> work;
  for (Value value : rule.getSourceYield().getOperands()) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return rule.emitOpError("yields an operand from the source, so that "
                              "nothing is replaced");
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
      return op.emitOpError("contributes to no result of the source");
  return success();
}

static LogicalResult verifyValueConditions(RuleOp rule) {
  llvm::DenseSet<unsigned> seen;
  for (ValueConditionAttr condition : rule.getValueConditionList()) {
    unsigned number = condition.getOperand();
    if (number >= rule.getSource().getNumArguments())
      return rule.emitOpError() << "expected operand numbers below "
                                << rule.getSource().getNumArguments()
                                << " in 'value_conditions', but got " << number;
    auto type = cast<RankedTensorType>(rule.getArgumentTypes()[number]);
    if (!graph::isFloat(type.getElementType()))
      return rule.emitOpError()
             << "condition '" << rule.str(condition)
             << "': expected floating-point elements, but got "
             << type.getElementType();
    if (!seen.insert(number).second)
      return rule.emitOpError()
             << "condition '" << rule.str(condition)
             << "': the operand has another condition over its elements";
    if (condition.getKind() != ValueKind::Identity)
      continue;
    graph::Shape shape = graph::getShape(type);
    if (shape.size() != 2 || !(shape[0] == shape[1]))
      return rule.emitOpError()
             << "condition '" << rule.str(condition)
             << "': expected a square matrix, but got " << type;
    if (llvm::is_contained(rule.getLifted(), static_cast<int64_t>(number)))
      return rule.emitOpError()
             << "condition '" << rule.str(condition)
             << "': expected a matrix, but the rule lifts the operand";
  }
  return success();
}

LogicalResult RuleOp::verifyRegions() {
  if (getResultTypes().empty())
    return emitOpError("expected at least 1 result, but got 0");
  if (getArgumentNames().size() != getSource().getNumArguments())
    return emitOpError() << "expected " << getSource().getNumArguments()
                         << " names of operands, but got "
                         << getArgumentNames().size();
  for (Type type : getArgumentTypes())
    if (!isa<RankedTensorType>(type))
      return emitOpError() << "expected ranked tensors, but got " << type;
  llvm::DenseSet<int64_t> seen;
  for (int64_t number : getLifted())
    if (number < 0 || number >= getSource().getNumArguments() ||
        !seen.insert(number).second)
      return emitOpError() << "expected distinct operand numbers below "
                           << getSource().getNumArguments()
                           << " in 'lifted', but got " << number;
  if (failed(verifySide(*this, getSource(), "source")) ||
      failed(verifySide(*this, getTarget(), "target")))
    return failure();
  if (failed(verifyConnected(*this)) || failed(verifyValueConditions(*this)))
    return failure();
  return verifyBindings(*this);
}
