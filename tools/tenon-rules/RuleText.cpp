//===- RuleText.cpp - where rules stand in a text -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuleText.h"

#include "llvm/ADT/StringExtras.h"

using namespace tenon;
using namespace tenon::tools;

static constexpr llvm::StringLiteral keyword("rule.rule");

std::vector<RuleText> tools::findRules(llvm::StringRef text) {
  std::vector<RuleText> rules;
  unsigned depth = 0;
  bool isOpen = false;
  auto end = [&](size_t position) {
    if (isOpen)
      rules.back().end = position;
    isOpen = false;
  };
  for (size_t at = 0; at < text.size(); ++at) {
    bool beginsLine = at == 0 || text[at - 1] == '\n';
    if (text.substr(at).starts_with("//")) {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    switch (text[at]) {
    case '"':
      // A string ends on its line.
      while (++at < text.size() && text[at] != '"' && text[at] != '\n')
        at += text[at] == '\\';
      continue;
    case '(':
    case '[':
    case '{':
      ++depth;
      continue;
    case ')':
    case ']':
    case '}':
      depth -= depth > 0;
      continue;
    case '!':
    case '#':
      // The definition of an alias.
      if (beginsLine)
        end(at);
      continue;
    default:
      break;
    }
    bool isKeyword = text.substr(at).starts_with(keyword) &&
                     (at == 0 || llvm::isSpace(text[at - 1])) &&
                     !llvm::isAlnum(text.substr(at + keyword.size()).empty()
                                        ? ' '
                                        : text[at + keyword.size()]);
    if (!isKeyword || (depth > 0 && !beginsLine))
      continue;
    end(at);
    depth = 0;
    rules.push_back({at, text.size()});
    isOpen = true;
    at += keyword.size() - 1;
  }
  return rules;
}

std::string tools::blankRules(llvm::StringRef text,
                              llvm::ArrayRef<RuleText> rules,
                              llvm::ArrayRef<bool> kept) {
  std::string result = text.str();
  for (size_t number = 0; number < rules.size(); ++number)
    for (size_t at = rules[number].begin;
         !kept[number] && at < rules[number].end; ++at)
      if (result[at] != '\n')
        result[at] = ' ';
  return result;
}
