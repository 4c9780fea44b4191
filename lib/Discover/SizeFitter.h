//===- SizeFitter.h - sums of sizes that explain numbers ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DISCOVER_SIZEFITTER_H
#define TENON_LIB_DISCOVER_SIZEFITTER_H

#include "tenon/Dialect/Rule/IR/Rule.h"

#include <map>
#include <string>
#include <vector>

namespace tenon::discover {

/// Explains numbers that were seen at several choices of a rule's symbols: by a
/// number, or by a sum of at most three of its symbols, sizes and numbers, and
/// a small constant.
class SizeFitter {
public:
  explicit SizeFitter(rule::RuleOp rule);

  /// The summands at one choice of the symbols.
  using Sizes = std::vector<int64_t>;
  Sizes evaluate(const std::map<std::string, int64_t> &values) const;

  struct Sample {
    const Sizes *sizes;
    int64_t wanted;
  };
  /// The sum that most samples have, the shortest of several; none if no sum
  /// has more than half of them.
  std::optional<graph::SymInt> fit(llvm::ArrayRef<Sample> samples) const;

private:
  std::vector<graph::SymInt> summands;
};

} // namespace tenon::discover

#endif // TENON_LIB_DISCOVER_SIZEFITTER_H
