//===- KernelKind.cpp - kernels that differ only in sizes -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Cost/CostDatabase.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

/// Returns the word that ends at `end`.
static StringRef getWordBefore(StringRef text, size_t end) {
  size_t begin = end;
  while (begin > 0 && (isAlnum(text[begin - 1]) || text[begin - 1] == '_'))
    --begin;
  return text.slice(begin, end);
}

static bool isElementType(StringRef word) {
  word.consume_front("u");
  word.consume_front("b");
  return (word.consume_front("f") || word.consume_front("i") ||
          word.consume_front("s")) &&
         !word.empty() && all_of(word, isDigit);
}

/// Attributes of graph ops that repeat the sizes of their results.
static bool isSizes(StringRef name) {
  return name == "sizes" || name == "shape" || name == "starts" ||
         name == "ends" || name == "limits";
}

/// A product with a single row uses a different algorithm than one with several
/// rows, and its time is the time to read the weight.
static bool isMatrixOfOneRow(StringRef sizes) {
  StringRef rows = sizes.rsplit(',').first;
  return rows.size() < sizes.size() &&
         (rows == "1" || StringRef(rows).ends_with(",1"));
}

std::string tenon::cost::getKernelKind(StringRef key) {
  std::string kind;
  for (size_t i = 0; i < key.size(); ++i) {
    kind += key[i];
    if (key[i] != '[')
      continue;
    size_t end = key.find(']', i);
    if (end == StringRef::npos)
      continue;
    bool isAttribute = i > 0 && key[i - 1] == '=';
    StringRef word = getWordBefore(key, isAttribute ? i - 1 : i);
    bool isWeight = key.take_front(i - word.size()).ends_with("weight ");
    if (isAttribute ? !isSizes(word) : isWeight || !isElementType(word))
      continue;
    // Keep the rank.
    StringRef sizes = key.slice(i + 1, end);
    kind += std::string(sizes.count(','), ',');
    if (!isAttribute && isMatrixOfOneRow(sizes))
      kind.insert(kind.size() - 1, "1");
    i = end - 1;
  }
  return kind;
}
