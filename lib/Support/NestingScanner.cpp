//===- NestingScanner.cpp - finding text that cannot be parsed ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NestingScanner.h"
#include "tenon/Support/ParseModule.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace tenon;
using llvm::StringRef;

bool tenon::isSpecialFile(StringRef name) {
  llvm::sys::fs::file_status status;
  return !llvm::sys::fs::status(name, status) &&
         !llvm::sys::fs::is_regular_file(status) &&
         !llvm::sys::fs::is_directory(status);
}

void NestingScanner::skipString() {
  std::string value;
  while (++position < text.size() && text[position] != '"' &&
         text[position] != '\n') {
    char c = text[position];
    if (c == '\\' && llvm::isHexDigit(peek()) && llvm::isHexDigit(peek(2))) {
      c = static_cast<char>(llvm::hexFromNibbles(peek(), peek(2)));
      position += 2;
    } else if (c == '\\') {
      c = peek();
      ++position;
    }
    // Longer strings are not file names; do not copy large constants here.
    if (value.size() < 5000)
      value += c;
  }
  size_t colon = skipBlank(position + 1);
  bool isLocation = false;
  if (colon < text.size() && text[colon] == ':') {
    size_t line = skipBlank(colon + 1);
    isLocation = line < text.size() && llvm::isDigit(text[line]);
  }
  hasSpecialFile |=
      isLocation && locations.insert(value).second && isSpecialFile(value);
}

size_t NestingScanner::skipBlank(size_t from) const {
  for (;;) {
    from = std::min(text.find_first_not_of(" \t\r\n", from), text.size());
    if (!text.substr(from).starts_with("//"))
      return from;
    from = std::min(text.find('\n', from), text.size());
  }
}

/// Reads a word whose first character is at the position; moves the position to
/// its last character.
StringRef NestingScanner::takeWord() {
  size_t end = position + 1;
  while (end < text.size() &&
         (llvm::isAlnum(text[end]) || StringRef("_$.").contains(text[end])))
    ++end;
  StringRef word = text.slice(position, end);
  position = end - 1;
  return word;
}

void NestingScanner::closeBracket(char bracket) {
  // A "<" may be a comparison, which has no closing bracket.
  if (bracket == '>') {
    if (!brackets.empty() && brackets.back().close == '>')
      brackets.pop_back();
    return;
  }
  for (size_t i = brackets.size(); i-- > 0;)
    if (brackets[i].close == bracket) {
      brackets.truncate(i);
      return;
    }
}

/// Reads `#`, `!`, `%`, `^` or `@` and the following name: digits, or a word
/// that may contain dashes.
StringRef NestingScanner::takeSigilName() {
  bool isNumber = llvm::isDigit(peek());
  size_t end = position + 1;
  while (end < text.size() &&
         (isNumber ? llvm::isDigit(text[end])
                   : llvm::isAlnum(text[end]) ||
                         StringRef("_$.-").contains(text[end])))
    ++end;
  StringRef name = text.slice(position, end);
  position = end - 1;
  return name;
}

/// Reads `#name` or `!name`: a use, or the beginning of a definition, up to its
/// `=` (returns true).
bool NestingScanner::takeAlias() {
  StringRef name = takeSigilName();
  size_t after = skipBlank(position + 1);
  if (brackets.empty() && after < text.size() && text[after] == '=' &&
      text.substr(after, 2) != "==") {
    endDefinition();
    position = after;
    defined = name;
    definedDepth = 1;
    return true;
  }
  auto known = aliases.find(name);
  if (known != aliases.end())
    usedDepth = known->second;
  return false;
}

void NestingScanner::endDefinition() {
  if (!defined.empty())
    aliases[defined] = definedDepth;
  defined = "";
}

/// Ends a definition at the end of a line, outside of brackets, unless the next
/// character can't begin a new item.
void NestingScanner::endLine() {
  if (brackets.empty() && !defined.empty() && !isOpen) {
    size_t next = skipBlank(position);
    bool goesOn =
        next < text.size() && StringRef("-:<([{,").contains(text[next]);
    // Skip all the blank lines at once.
    if (goesOn)
      position = next - 1;
    else
      endDefinition();
  }
  if (!brackets.empty() && brackets.back().close == '}')
    brackets.back().operators = 0;
}

const char *NestingScanner::check() {
  unsigned depth = brackets.size() + usedDepth;
  usedDepth = 0;
  if (!defined.empty())
    definedDepth = std::max(definedDepth, depth + 1);
  if (depth > maxNesting)
    return "expected at most 256 nested levels";
  if (hasSpecialFile)
    return "expected a location in a regular file";
  if (hasLongNumber)
    return "expected at most 4096 characters in a number or shape";
  if (!brackets.empty() && brackets.back().operators > maxOperators)
    return "expected at most 4096 operators in one expression";
  return nullptr;
}

/// Reads a number or a shape whose first character is at the position.
void NestingScanner::takeNumber() {
  const size_t limit = std::min(position + maxNumber + 1, text.size());
  size_t end = position;
  while (end < limit && (llvm::isAlnum(text[end]) || text[end] == '?' ||
                         llvm::isSpace(text[end])))
    ++end;
  // Spaces are allowed between sizes.
  hasLongNumber |= end - position > maxNumber;
  while (position + 1 < end && !llvm::isSpace(text[position + 1]))
    ++position;
}

const char *NestingScanner::run() {
  for (; position < text.size(); ++position) {
    char c = text[position];
    bool opens = false;
    auto countOperator = [&] {
      if (!brackets.empty())
        ++brackets.back().operators;
    };
    switch (c) {
    case ' ':
    case '\t':
    case '\r':
      continue;
    case '\n':
      endLine();
      continue;
    case '"':
      skipString();
      break;
    case '/':
      if (peek() != '/')
        break;
      if (!splitMarker.empty() &&
          text.substr(position).starts_with(splitMarker)) {
        brackets.clear();
        aliases.clear();
        defined = "";
      }
      skipLine();
      --position;
      continue;
    case '(':
      open(')');
      break;
    case '[':
      open(']');
      break;
    case '{':
      open('}');
      break;
    case '<':
      if (peek() != '=')
        open('>');
      break;
    case ')':
    case ']':
    case '}':
      closeBracket(c);
      break;
    case '>':
      if (peek() != '=')
        closeBracket(c);
      break;
    case '-':
      if (peek() == '>') {
        ++position;
        opens = true;
      } else {
        countOperator();
      }
      break;
    case ':':
      opens = true;
      break;
    case '+':
    case '*':
      countOperator();
      break;
    case ',':
      if (!brackets.empty())
        brackets.back().operators = 0;
      break;
    case '#':
    case '!':
      if (llvm::isAlnum(peek()) || StringRef("_$.-").contains(peek()))
        opens = takeAlias();
      break;
    case '%':
    case '^':
      takeSigilName();
      break;
    default:
      if (llvm::isDigit(c) || c == '?') {
        takeNumber();
      } else if (llvm::isAlpha(c) || c == '_' || c == '@') {
        StringRef word = takeWord();
        if (word == "floordiv" || word == "ceildiv" || word == "mod")
          countOperator();
      }
    }
    isOpen = opens;
    if (const char *problem = check())
      return problem;
  }
  return nullptr;
}
