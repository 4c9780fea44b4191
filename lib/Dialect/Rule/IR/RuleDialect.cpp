//===- RuleDialect.cpp - registration, conditions, short types ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/IR/GraphAssembly.h"
#include "tenon/Dialect/Rule/IR/Rule.h"
#include "tenon/Support/DialectVersion.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::rule;
using graph::SymInt;

#include "tenon/Dialect/Rule/IR/RuleDialect.cpp.inc"
#include "tenon/Dialect/Rule/IR/RuleEnums.cpp.inc"

#include "tenon/Dialect/Rule/IR/RuleInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "tenon/Dialect/Rule/IR/RuleAttrs.cpp.inc"

void RuleDialect::initialize() {
  addInterfaces<VersionedBytecode>();
  addOperations<
#define GET_OP_LIST
#include "tenon/Dialect/Rule/IR/RuleOps.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tenon/Dialect/Rule/IR/RuleAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// #rule.condition
//===----------------------------------------------------------------------===//

ConditionAttr ConditionAttr::get(MLIRContext *context, ConditionKind kind,
                                 const SymInt &lhs, const SymInt &rhs) {
  SymInt sides[] = {lhs, rhs};
  return get(context, kind,
             graph::DimsAttr::get(context, ArrayRef<SymInt>(sides)));
}

LogicalResult
ConditionAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                      ConditionKind, graph::DimsAttr sides) {
  if (sides.size() != 2)
    return emitError() << "expected 2 sides of a condition, but got "
                       << sides.size();
  for (const SymInt &side : sides.getEntries())
    if (side.isUnknown())
      return emitError() << "expected a known size in a condition, but got '?'";
  return success();
}

/// Uses words for the relations inside angle brackets, where '>' would end the
/// attribute.
static void printCondition(raw_ostream &os, ConditionAttr condition,
                           bool words = false) {
  condition.getLhs().print(os);
  switch (condition.getKind()) {
  case ConditionKind::Equal:
    os << (words ? " eq " : " == ");
    break;
  case ConditionKind::AtLeast:
    os << (words ? " ge " : " >= ");
    break;
  case ConditionKind::Divides:
    os << " divides ";
    break;
  }
  condition.getRhs().print(os);
}

std::string ConditionAttr::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  printCondition(os, *this);
  return text;
}

std::optional<bool> ConditionAttr::evaluate(
    function_ref<std::optional<SymInt>(StringRef)> replace) const {
  SymInt lhs = getLhs().substitute(replace), rhs = getRhs().substitute(replace);
  if (lhs.isUnknown() || rhs.isUnknown())
    return std::nullopt;
  switch (getKind()) {
  case ConditionKind::Equal:
    if (lhs == rhs)
      return true;
    if (lhs.provablyDiffers(rhs))
      return false;
    return std::nullopt;
  case ConditionKind::AtLeast: {
    SymInt excess = lhs - rhs;
    if (std::optional<int64_t> least = excess.lowerBound();
        least && *least >= 0)
      return true;
    std::optional<int64_t> lack = (-excess).lowerBound();
    if (lack && *lack > 0)
      return false;
    return std::nullopt;
  }
  case ConditionKind::Divides: {
    std::optional<int64_t> least = lhs.lowerBound();
    if (!least || *least < 1) {
      std::optional<int64_t> constant = lhs.getConstant();
      if (constant && *constant < 1)
        return false;
      return std::nullopt;
    }
    SymInt rest = rhs.mod(lhs);
    if (rest == SymInt(0))
      return true;
    if (rest.isConstant())
      return false;
    return std::nullopt;
  }
  }
  llvm_unreachable("unknown kind of condition");
}

FailureOr<ConditionAttr> rule::parseCondition(AsmParser &parser) {
  FailureOr<SymInt> lhs = graph::parseSymInt(parser);
  if (failed(lhs))
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  ConditionKind kind;
  // The strict relations of integers are the others with an offset of 1.
  bool swap = false, strict = false;
  if (succeeded(parser.parseOptionalEqual())) {
    if (parser.parseEqual())
      return failure();
    kind = ConditionKind::Equal;
  } else if (succeeded(parser.parseOptionalGreater())) {
    kind = ConditionKind::AtLeast;
    strict = failed(parser.parseOptionalEqual());
  } else if (succeeded(parser.parseOptionalLess())) {
    kind = ConditionKind::AtLeast;
    swap = true;
    strict = failed(parser.parseOptionalEqual());
  } else if (succeeded(parser.parseOptionalKeyword("divides"))) {
    kind = ConditionKind::Divides;
  } else if (succeeded(parser.parseOptionalKeyword("eq"))) {
    kind = ConditionKind::Equal;
  } else if (succeeded(parser.parseOptionalKeyword("ge"))) {
    kind = ConditionKind::AtLeast;
  } else {
    return parser.emitError(loc, "expected '==', '>=', '>', '<=', '<' or "
                                 "'divides'");
  }
  FailureOr<SymInt> rhs = graph::parseSymInt(parser);
  if (failed(rhs))
    return failure();
  if (swap)
    std::swap(*lhs, *rhs);
  if (strict)
    *rhs = *rhs + SymInt(1);
  SymInt sides[] = {*lhs, *rhs};
  ConditionAttr condition = parser.getChecked<ConditionAttr>(
      loc, parser.getContext(), kind,
      graph::DimsAttr::get(parser.getContext(), ArrayRef<SymInt>(sides)));
  if (!condition)
    return failure();
  return condition;
}

void ConditionAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printCondition(printer.getStream(), *this, /*words=*/true);
  printer << '>';
}

Attribute ConditionAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  FailureOr<ConditionAttr> condition = parseCondition(parser);
  if (failed(condition) || parser.parseGreater())
    return {};
  return *condition;
}

//===----------------------------------------------------------------------===//
// Short syntax of types
//===----------------------------------------------------------------------===//

ParseResult rule::parseShortType(AsmParser &parser, Type &type) {
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalLSquare()))
    return parser.parseType(type);
  SmallVector<SymInt> sizes;
  if (failed(parser.parseOptionalRSquare())) {
    auto parseOne = [&]() {
      FailureOr<SymInt> size = graph::parseSymInt(parser);
      if (succeeded(size))
        sizes.push_back(*size);
      return LogicalResult(size);
    };
    if (parser.parseCommaSeparatedList(parseOne) || parser.parseRSquare())
      return failure();
  }
  for (const SymInt &size : sizes)
    if (size.getConstant().value_or(0) < 0)
      return parser.emitError(loc, "expected a size of at least 0, but got ")
             << size.str();
  Type element = parser.getBuilder().getF32Type();
  if (succeeded(parser.parseOptionalKeyword("of")) && parser.parseType(element))
    return failure();
  if (!graph::isFloat(element) && !isa<IntegerType>(element))
    return parser.emitError(loc,
                            "expected an element type of numbers, but got ")
           << element;
  type = graph::getTensorType(sizes, element);
  return success();
}

void rule::printShortType(AsmPrinter &printer, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || graph::getTensorType(graph::getShape(type),
                                      tensor.getElementType()) != type) {
    printer << type;
    return;
  }
  printer << '[';
  llvm::interleaveComma(graph::getShape(type), printer.getStream());
  printer << ']';
  if (!tensor.getElementType().isF32())
    printer << " of " << tensor.getElementType();
}
