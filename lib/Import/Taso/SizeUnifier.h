//===- SizeUnifier.h - sizes that ops force to be equal -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_IMPORT_TASO_SIZEUNIFIER_H
#define TENON_LIB_IMPORT_TASO_SIZEUNIFIER_H

#include "tenon/Dialect/Graph/IR/SymInt.h"

#include <string>
#include <vector>

namespace tenon::taso {

/// Solves equations of sizes for as many of its unknowns as needed, so that
/// what stays free is as general as the equations allow. An equation whose
/// solution would be a difference (a = b + c - d) waits, as others often settle
/// it: a + d = b + c and a + c = b + d make a = b and c = d.
class SizeUnifier {
public:
  using SymInt = graph::SymInt;
  enum class Result {
    Solved,
    /// Nothing to solve it for yet.
    Waits,
    /// No sizes satisfy it.
    Contradiction,
    /// Its numbers are beyond what is computed with.
    TooLarge
  };

  /// A new unknown; `name` must be new.
  SymInt makeUnknown(const std::string &name);

  /// Makes a = b. With `allowDifferences` also where an unknown becomes a
  /// difference; that it is not negative is then up to the caller (see
  /// getDifferences).
  Result makeEqual(const SymInt &a, const SymInt &b,
                   bool allowDifferences = false);

  /// `size` in terms of unknowns that are free.
  SymInt resolve(const SymInt &size) const;

  /// What has to be at least 0.
  const std::vector<SymInt> &getDifferences() const { return differences; }

private:
  /// False when a size became too large.
  bool substitute(const std::string &name, const SymInt &value);

  struct Unknown {
    std::string name;
    SymInt value;
  };
  /// In the order of their making. Values never mention a solved unknown.
  std::vector<Unknown> unknowns;
  std::vector<SymInt> differences;
};

} // namespace tenon::taso

#endif // TENON_LIB_IMPORT_TASO_SIZEUNIFIER_H
