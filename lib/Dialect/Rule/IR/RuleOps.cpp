//===- RuleOps.cpp - syntax of rules and patterns -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/IR/TypeSyntax.h"
#include "tenon/Dialect/Rule/IR/Certificate.h"
#include "tenon/Dialect/Rule/IR/Rule.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
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

/// Parses `: [n], [m]`; may be omitted if the body knows the types.
static ParseResult
parseYieldTypes(OpAsmParser &parser,
                SmallVectorImpl<OpAsmParser::UnresolvedOperand> &values,
                SmallVectorImpl<Type> &types) {
  graph::BodyTypes *body = graph::BodyTypes::find(parser);
  if (succeeded(parser.parseOptionalColon()))
    return parseShortTypes(parser, types);
  if (!body)
    return parser.parseColon(); // reports the missing colon
  for (const OpAsmParser::UnresolvedOperand &value : values)
    if (body->lookup(parser, value, types.emplace_back()))
      return failure();
  return success();
}

static void printYieldTypes(OpAsmPrinter &printer, Operation *op, OperandRange,
                            TypeRange types) {
  printer << ": ";
  printShortTypes(printer, op, types);
}

#define GET_OP_CLASSES
#include "tenon/Dialect/Rule/IR/RuleOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Accessors
//===----------------------------------------------------------------------===//

YieldOp RuleOp::getSourceYield() {
  return cast<YieldOp>(getSource().front().getTerminator());
}

YieldOp RuleOp::getTargetYield() {
  return cast<YieldOp>(getTarget().front().getTerminator());
}

static SmallVector<std::string> listSymbols(SourceInterface statement) {
  llvm::SetVector<StringRef> seen;
  auto add = [&](StringRef symbol) { seen.insert(symbol); };
  for (Type type : statement.getArgumentTypes())
    visitSymbols(type, add);
  statement.getSource().walk([&](Operation *op) { visitSymbols(op, add); });
  return llvm::to_vector(
      llvm::map_range(seen, [](StringRef name) { return name.str(); }));
}

SmallVector<std::string> RuleOp::getSymbols() { return listSymbols(*this); }

SmallVector<std::string> PatternOp::getSymbols() { return listSymbols(*this); }

static void nameArguments(SourceInterface statement, Region &region,
                          OpAsmSetValueNameFn setName) {
  // The verifier may not have run yet.
  for (auto [argument, name] :
       llvm::zip(region.getArguments(), statement.getArgumentNames()))
    if (auto text = dyn_cast<StringAttr>(name))
      setName(argument, text.getValue());
}

void RuleOp::getAsmBlockArgumentNames(Region &region,
                                      OpAsmSetValueNameFn setName) {
  nameArguments(*this, region, setName);
}

void PatternOp::getAsmBlockArgumentNames(Region &region,
                                         OpAsmSetValueNameFn setName) {
  nameArguments(*this, region, setName);
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

/// Whether an attribute is a number that is 0 or infinite in only some
/// floating-point types.
static bool dependsOnType(Attribute attribute) {
  auto number = dyn_cast<FloatAttr>(attribute);
  return number &&
         llvm::any_of(
             ArrayRef{&APFloat::IEEEhalf(), &APFloat::BFloat(),
                      &APFloat::IEEEsingle()},
             [&](const llvm::fltSemantics *type) {
               APFloat element = number.getValue();
               bool loses;
               element.convert(*type, APFloat::rmNearestTiesToEven, &loses);
               return element.isZero() != number.getValue().isZero() ||
                      element.isFinite() != number.getValue().isFinite();
             });
}

bool rule::hasGenericElements(RuleOp rule) {
  bool namesTypes = false;
  for (Region *side : {&rule.getSource(), &rule.getTarget()})
    side->walk([&](Operation *op) {
      namesTypes |=
          isa<graph::ConstantOp>(op) ||
          llvm::any_of(op->getAttrDictionary(), [](NamedAttribute a) {
            return isa<TypeAttr>(a.getValue()) || dependsOnType(a.getValue());
          });
    });
  return !namesTypes && llvm::any_of(rule.getArgumentTypes(), [](Type type) {
    return cast<RankedTensorType>(type).getElementType().isF32();
  });
}

std::string rule::hashStatement(RuleOp rule) {
  OwningOpRef<RuleOp> copy(rule.clone());
  copy->setSymName("rule");
  copy->getOperation()->setDiscardableAttrs(
      DictionaryAttr::get(rule.getContext()));
  std::string text;
  llvm::raw_string_ostream os(text);
  copy->print(os, getHashedPrinting().assumeVerified());
  std::array<uint8_t, 32> hash = llvm::SHA256::hash(ArrayRef<uint8_t>(
      reinterpret_cast<const uint8_t *>(text.data()), text.size()));
  return llvm::toHex(hash, /*LowerCase=*/true);
}

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

/// Parses the name of an operand and returns the operand's number.
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
  return parser.emitError(loc, "expected one of the operands, but got '")
         << operand.name << "'";
}

/// Parses `[k >= 1, is_zero(%w)]`: conditions over integers and over elements,
/// in any order.
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

/// Parses a statement with one region per keyword.
template <typename StatementOp>
static ParseResult parseStatement(OpAsmParser &parser, OperationState &result,
                                  ArrayRef<StringRef> keywords) {
  Builder &builder = parser.getBuilder();
  StringAttr name;
  if (parser.parseSymbolName(name, StatementOp::getSymNameAttrName(result.name),
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

  for (StringRef keyword : keywords) {
    graph::BodyTypes body(parser);
    for (const OpAsmParser::Argument &argument : arguments)
      body.set(argument.ssaName, argument.type);
    if (parser.parseKeyword(keyword) ||
        parser.parseRegion(*result.addRegion(), arguments,
                           /*enableNameShadowing=*/true))
      return failure();
  }
  SmallVector<Attribute> conditions, valueConditions;
  if (succeeded(parser.parseOptionalKeyword("where")) &&
      parseConditions(parser, arguments, conditions, valueConditions))
    return failure();
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();

  result.addAttribute(StatementOp::getResultTypesAttrName(result.name),
                      builder.getTypeArrayAttr(types));
  result.addAttribute(StatementOp::getArgumentNamesAttrName(result.name),
                      builder.getArrayAttr(names));
  result.addAttribute(StatementOp::getLiftedAttrName(result.name),
                      builder.getDenseI64ArrayAttr(lifted));
  result.addAttribute(StatementOp::getConditionsAttrName(result.name),
                      builder.getArrayAttr(conditions));
  if (!valueConditions.empty())
    result.addAttribute(StatementOp::getValueConditionsAttrName(result.name),
                        builder.getArrayAttr(valueConditions));
  return success();
}

template <typename StatementOp>
static void printStatement(StatementOp statement, OpAsmPrinter &printer,
                           ArrayRef<StringRef> keywords) {
  printer << ' ';
  printer.printSymbolName(statement.getSymName());
  printer << '(';
  llvm::interleaveComma(statement.getSource().getArguments(),
                        printer.getStream(), [&](BlockArgument argument) {
                          printer << argument << ": ";
                          printShortType(printer, argument.getType());
                        });
  printer << ") -> ";
  SmallVector<Type> types = statement.getResultTypeList();
  if (types.size() == 1) {
    printShortType(printer, types.front());
  } else {
    printer << '(';
    printShortTypes(printer, statement, types);
    printer << ')';
  }
  if (!statement.getLifted().empty()) {
    printer << " lifts [";
    llvm::interleaveComma(
        statement.getLifted(), printer.getStream(), [&](int64_t number) {
          printer << statement.getSource().getArgument(number);
        });
    printer << ']';
  }
  for (auto [keyword, region] : llvm::zip(keywords, statement->getRegions())) {
    printer.increaseIndent();
    printer.printNewline();
    printer << keyword << ' ';
    printer.printRegion(region, /*printEntryBlockArgs=*/false);
    printer.decreaseIndent();
  }
  SmallVector<ValueConditionAttr> values = statement.getValueConditionList();
  if (!statement.getConditions().empty() || !values.empty()) {
    printer.increaseIndent();
    printer.printNewline();
    printer << "where [";
    StringRef separator = "";
    for (ConditionAttr condition : statement.getConditionList()) {
      printer << separator << condition.str();
      separator = ", ";
    }
    for (ValueConditionAttr condition : values) {
      printer << separator << stringifyValueKind(condition.getKind()) << '('
              << statement.getSource().getArgument(condition.getOperand())
              << ')';
      separator = ", ";
    }
    printer << ']';
    printer.decreaseIndent();
  }
  printer.printOptionalAttrDictWithKeyword(
      statement->getAttrs(),
      {statement.getSymNameAttrName(), statement.getResultTypesAttrName(),
       statement.getArgumentNamesAttrName(), statement.getLiftedAttrName(),
       statement.getConditionsAttrName(),
       statement.getValueConditionsAttrName()});
}

ParseResult RuleOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseStatement<RuleOp>(parser, result, {"source", "target"});
}

void RuleOp::print(OpAsmPrinter &printer) {
  printStatement(*this, printer, {"source", "target"});
}

ParseResult PatternOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseStatement<PatternOp>(parser, result, {"source"});
}

void PatternOp::print(OpAsmPrinter &printer) {
  printStatement(*this, printer, {"source"});
}
