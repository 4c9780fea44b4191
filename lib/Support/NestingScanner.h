//===- NestingScanner.h - finding text that cannot be parsed --------------===//
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

/// Tracks the brackets of a text without parsing the rest.
class NestingScanner {
public:
  /// A comment that begins with `splitMarker`, if that is not empty, begins
  /// another text.
  explicit NestingScanner(llvm::StringRef text,
                          llvm::StringRef splitMarker = "")
      : text(text), splitMarker(splitMarker) {}

  /// Returns the error, which begins at `position`; null if there is none.
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
  /// Returns the position of the first character, starting at `from`, that is
  /// neither space nor comment.
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
  /// The nesting depth of each alias.
  llvm::StringMap<unsigned> aliases;
  /// The files that locations refer to.
  llvm::StringSet<> locations;
  bool hasSpecialFile = false, hasLongNumber = false;
  /// The alias that is being defined; empty if none.
  llvm::StringRef defined;
  unsigned definedDepth = 0, usedDepth = 0;
  /// Whether the preceding token requires a type or a value to follow.
  bool isOpen = false;
};

/// Returns whether reading this file for a diagnostic would block or never end:
/// MLIR opens the files of locations, to show the line.
bool isSpecialFile(llvm::StringRef name);

} // namespace tenon

#endif // TENON_LIB_SUPPORT_NESTINGSCANNER_H
