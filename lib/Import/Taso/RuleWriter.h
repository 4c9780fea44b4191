//===- RuleWriter.h - TASO's rules as text of the rule dialect ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_IMPORT_TASO_RULEWRITER_H
#define TENON_LIB_IMPORT_TASO_RULEWRITER_H

#include "RuleShapes.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

namespace tenon::taso {

/// Writes rules one after the other, each below the type aliases that it is the
/// first to use.
class RuleWriter {
public:
  explicit RuleWriter(llvm::raw_ostream &os) : os(os) {}

  void write(const Rule &rule, const RuleShapes &shapes);

private:
  /// The alias of a tensor type, such as `!m_k`.
  std::string getAlias(const graph::Shape &shape);
  /// As rules write types: `[m, k]`, or the alias where that is long.
  std::string getShortType(const graph::Shape &shape);
  void writeSide(const Rule &rule, const RuleShapes &shapes, bool isSource,
                 llvm::raw_ostream &body);

  llvm::raw_ostream &os;
  /// By the type's text.
  llvm::StringMap<std::string> aliases;
  llvm::StringSet<> aliasNames;
  /// Aliases that the next rule needs.
  std::string newAliases;
};

} // namespace tenon::taso

#endif // TENON_LIB_IMPORT_TASO_RULEWRITER_H
