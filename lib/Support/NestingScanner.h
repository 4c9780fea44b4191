//===- NestingScanner.h - what of a text can be parsed -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_SUPPORT_NESTINGSCANNER_H
#define TENON_LIB_SUPPORT_NESTINGSCANNER_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace tenon {

/// Follows the brackets of a text, without understanding more of it.
class NestingScanner {
public:
  /// Where a comment begins with `splitMarker`, if that is not empty, another
  /// text begins.
  explicit NestingScanner(llvm::StringRef text,
                          llvm::StringRef splitMarker = "")
      : text(text), splitMarker(splitMarker) {}

  /// What is wrong, which begins at `position`; null: nothing.
  const char *run();
  size_t position = 0;

private:
  struct Bracket {
    char close;
    unsigned operators;
  };
  char peek(size_t ahead = 1) const {
    return position + ahead < text.size() ? text[position + ahead] : '\0';
  }
  void skipLine() {
    position = std::min(text.find('\n', position), text.size());
  }
  void skipString();
  /// The position of the first character from `from` on that is neither space
  /// nor comment.
  size_t skipBlank(size_t from) const;
  llvm::StringRef takeWord();
  llvm::StringRef takeSigilName();
  void open(char close) { brackets.push_back({close, 0}); }
  void closeBracket(char bracket);
  bool takeAlias();
  void takeNumber();
  void endDefinition();
  void endLine();
  const char *check();

  llvm::StringRef text, splitMarker;
  llvm::SmallVector<Bracket, 64> brackets;
  /// How deep what an alias stands for is nested.
  llvm::StringMap<unsigned> aliases;
  /// The files that locations name.
  llvm::StringSet<> locations;
  bool hasSpecialFile = false, hasLongNumber = false;
  /// The alias that is being defined; empty: none.
  llvm::StringRef defined;
  unsigned definedDepth = 0, usedDepth = 0;
  /// What stands before says that a type or a value follows.
  bool isOpen = false;
};

/// Whether a diagnostic in this file would have its reader wait or never end:
/// MLIR opens what locations name, to show the line.
bool isSpecialFile(llvm::StringRef name);

} // namespace tenon

#endif // TENON_LIB_SUPPORT_NESTINGSCANNER_H
