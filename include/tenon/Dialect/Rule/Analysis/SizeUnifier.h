//===- SizeUnifier.h - unification of sizes -------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_RULE_ANALYSIS_SIZEUNIFIER_H
#define TENON_DIALECT_RULE_ANALYSIS_SIZEUNIFIER_H

#include "tenon/Dialect/Graph/IR/SymInt.h"

#include <string>
#include <vector>

namespace tenon::rule {

/// Solves equations of sizes for as few of the unknowns as needed, so that the
/// result is as general as the equations allow. An equation whose solution
/// would be a difference (a = b + c - d) waits, since other equations often
/// resolve it: a + d = b + c and a + c = b + d give a = b and c = d.
class SizeUnifier {
public:
  using SymInt = graph::SymInt;
  enum class Result {
    Solved,
    /// It can't be solved for any unknown yet.
    Waits,
    /// No sizes satisfy it.
    Contradiction,
    /// Its numbers exceed the supported range.
    TooLarge
  };

  /// Creates a new unknown; `name` must be new.
  SymInt makeUnknown(const std::string &name);

  /// Adds the equation a = b. With `allowDifferences`, an unknown may become a
  /// difference; the caller must then ensure that it is not negative (see
  /// getDifferences).
  Result makeEqual(const SymInt &a, const SymInt &b,
                   bool allowDifferences = false);

  /// `size` in terms of free unknowns.
  SymInt resolve(const SymInt &size) const;

  /// Differences that must be at least 0.
  const std::vector<SymInt> &getDifferences() const { return differences; }

private:
  /// Returns false if a size became too large.
  bool substitute(const std::string &name, const SymInt &value);

  struct Unknown {
    std::string name;
    SymInt value;
  };
  /// In the order of creation. Values never contain a solved unknown.
  std::vector<Unknown> unknowns;
  std::vector<SymInt> differences;
};

} // namespace tenon::rule

#endif // TENON_DIALECT_RULE_ANALYSIS_SIZEUNIFIER_H
