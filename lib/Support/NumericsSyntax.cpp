//===- NumericsSyntax.cpp - the words of numerics in attributes -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Support/NumericsSyntax.h"

using namespace mlir;
using namespace tenon;

template <typename T>
static ParseResult parseOneOf(AsmParser &parser, T &result, StringRef names,
                              std::optional<T> (*parseName)(StringRef)) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (parser.parseKeyword(&word))
    return failure();
  std::optional<T> value = parseName(word);
  if (!value)
    return parser.emitError(loc)
           << "expected " << names << ", but got '" << word << "'";
  result = *value;
  return success();
}

ParseResult tenon::parseWord(AsmParser &parser, FpMode &mode) {
  return parseOneOf(parser, mode, kFpModes, parseFpMode);
}

ParseResult tenon::parseWord(AsmParser &parser, Precision &precision) {
  return parseOneOf(parser, precision, kPrecisions, parsePrecision);
}

ParseResult tenon::parseWord(AsmParser &parser, Device &device) {
  return parseOneOf(parser, device, kDevices, parseDevice);
}
