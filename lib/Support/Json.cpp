//===- Json.cpp - JSON texts from other programs --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Support/Json.h"

using namespace tenon;

static bool isTooDeep(llvm::StringRef text) {
  unsigned depth = 0;
  bool quoted = false;
  for (size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    if (quoted && c == '\\')
      ++at;
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted && (c == '[' || c == '{') && ++depth > 64)
      return true;
    else if (!quoted && (c == ']' || c == '}') && depth > 0)
      --depth;
  }
  return false;
}

llvm::Expected<llvm::json::Value> tenon::parseJson(llvm::StringRef text) {
  if (isTooDeep(text))
    return llvm::createStringError("expected at most 64 nested levels");
  return llvm::json::parse(text);
}
