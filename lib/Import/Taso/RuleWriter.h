//===- RuleWriter.h - printing TASO's rules in the rule dialect -----------===//
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

/// Prints rules one after the other, each preceded by the type aliases that it
/// is the first to use.
class RuleWriter {
public:
  explicit RuleWriter(llvm::raw_ostream &os) : os(os) {}

  void write(const Rule &rule, const RuleShapes &shapes);

private:
  /// The alias of a tensor type, such as `!m_k`.
  std::string getAlias(const graph::Shape &shape);
  /// A type in the syntax of rules: `[m, k]`, or the alias if that is long.
  std::string getShortType(const graph::Shape &shape);
  void writeSide(const Rule &rule, const RuleShapes &shapes, bool isSource,
                 llvm::raw_ostream &body);

  llvm::raw_ostream &os;
  /// Aliases by the text of their type.
  llvm::StringMap<std::string> aliases;
  llvm::StringSet<> aliasNames;
  /// Aliases that the next rule needs.
  std::string newAliases;
};

} // namespace tenon::taso

#endif // TENON_LIB_IMPORT_TASO_RULEWRITER_H
