//===- GraphAssembly.cpp - parts of the graph dialect's syntax ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/IR/GraphAssembly.h"
#include "tenon/Dialect/Graph/IR/Graph.h"

using namespace mlir;
using namespace tenon::graph;

/// Parsing more deeply nested sizes would exhaust the stack.
static constexpr unsigned maxDepth = 100;

static FailureOr<SymInt> parseSum(AsmParser &parser, unsigned depth);

static FailureOr<SymInt> parsePrimary(AsmParser &parser, unsigned depth) {
  if (depth == 0)
    return parser.emitError(parser.getCurrentLocation(),
                            "expected a size nested less than ")
           << maxDepth << " times";
  if (succeeded(parser.parseOptionalQuestion()))
    return SymInt::unknown();
  if (succeeded(parser.parseOptionalLParen())) {
    FailureOr<SymInt> value = parseSum(parser, depth - 1);
    if (failed(value) || parser.parseRParen())
      return failure();
    return value;
  }
  // Parse the minus sign before integers, whose parser rejects a minus sign
  // without a digit.
  if (succeeded(parser.parseOptionalMinus())) {
    FailureOr<SymInt> value = parsePrimary(parser, depth - 1);
    if (failed(value))
      return failure();
    return -*value;
  }
  int64_t constant;
  OptionalParseResult integer = parser.parseOptionalInteger(constant);
  if (integer.has_value()) {
    if (failed(*integer))
      return failure();
    return SymInt(constant);
  }
  StringRef name;
  if (parser.parseOptionalKeyword(&name))
    return parser.emitError(parser.getCurrentLocation(),
                            "expected a size: an integer, a symbol or '?'");
  bool isMax = name == "max", isMin = name == "min";
  if ((isMax || isMin) && succeeded(parser.parseOptionalLParen())) {
    FailureOr<SymInt> a = parseSum(parser, depth - 1);
    if (failed(a) || parser.parseComma())
      return failure();
    FailureOr<SymInt> b = parseSum(parser, depth - 1);
    if (failed(b) || parser.parseRParen())
      return failure();
    return isMax ? SymInt::max(*a, *b) : SymInt::min(*a, *b);
  }
  return SymInt::symbol(name);
}

static FailureOr<SymInt> parseProduct(AsmParser &parser, unsigned depth) {
  FailureOr<SymInt> product = parsePrimary(parser, depth);
  while (succeeded(product)) {
    SMLoc loc = parser.getCurrentLocation();
    StringRef op;
    if (succeeded(parser.parseOptionalStar()))
      op = "*";
    else if (parser.parseOptionalKeyword(&op, {"floordiv", "ceildiv", "mod"}))
      break;
    FailureOr<SymInt> next = parsePrimary(parser, depth);
    if (failed(next))
      return failure();
    if (op != "*" && next->getConstant() == 0)
      return parser.emitError(loc, "division by zero");
    if (op == "*")
      product = *product * *next;
    else if (op == "floordiv")
      product = product->floorDiv(*next);
    else if (op == "ceildiv")
      product = product->ceilDiv(*next);
    else
      product = product->mod(*next);
  }
  return product;
}

static FailureOr<SymInt> parseSum(AsmParser &parser, unsigned depth) {
  FailureOr<SymInt> sum = parseProduct(parser, depth);
  while (succeeded(sum)) {
    bool plus = succeeded(parser.parseOptionalPlus());
    if (!plus && parser.parseOptionalMinus())
      break;
    FailureOr<SymInt> next = parseProduct(parser, depth);
    if (failed(next))
      return failure();
    sum = plus ? *sum + *next : *sum - *next;
  }
  return sum;
}

FailureOr<SymInt> tenon::graph::parseSymInt(AsmParser &parser) {
  return parseSum(parser, maxDepth);
}

ParseResult tenon::graph::parseInts(OpAsmParser &parser, DimsAttr &ints) {
  SmallVector<SymInt> entries;
  auto parseEntry = [&]() {
    FailureOr<SymInt> entry = parseSymInt(parser);
    if (succeeded(entry))
      entries.push_back(*entry);
    return LogicalResult(entry);
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseEntry))
    return failure();
  ints = DimsAttr::get(parser.getContext(), entries);
  return success();
}

void tenon::graph::printInts(OpAsmPrinter &printer, Operation *,
                             DimsAttr ints) {
  printer << '[';
  llvm::interleaveComma(ints.getEntries(), printer.getStream());
  printer << ']';
}

ParseResult tenon::graph::parseInt(OpAsmParser &parser, DimsAttr &ints) {
  FailureOr<SymInt> entry = parseSymInt(parser);
  if (failed(entry))
    return failure();
  ints = DimsAttr::get(parser.getContext(), ArrayRef<SymInt>(*entry));
  return success();
}

void tenon::graph::printInt(OpAsmPrinter &printer, Operation *, DimsAttr ints) {
  llvm::interleaveComma(ints.getEntries(), printer.getStream());
}

OptionalParseResult tenon::graph::parseOptionalLayout(OpAsmParser &parser,
                                                      LayoutAttr &layout) {
  for (Layout value : {Layout::ChannelsFirst, Layout::ChannelsLast})
    if (succeeded(parser.parseOptionalKeyword(stringifyLayout(value)))) {
      layout = LayoutAttr::get(parser.getContext(), value);
      return success();
    }
  return std::nullopt;
}

void tenon::graph::printOptionalLayout(OpAsmPrinter &printer, Operation *,
                                       LayoutAttr layout) {
  printer << stringifyLayout(layout.getValue());
}
