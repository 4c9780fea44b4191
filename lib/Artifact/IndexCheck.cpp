//===- IndexCheck.cpp - checks of run-time indices ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/IndexCheck.h"
#include "tenon/Artifact/Status.h"

#include <algorithm>

namespace tenon::artifact {

std::optional<WrongIndex> findWrongIndex(const int64_t *words, int64_t parts) {
  for (int64_t part = 0; part < parts; ++part)
    if (words[2 * part] != INT64_MAX)
      return WrongIndex{words[2 * part], words[2 * part + 1]};
  return std::nullopt;
}

std::string describe(const IndexLimits &limits, const WrongIndex &wrong) {
  const IndexBound &bound = limits.boundOf(wrong.position);
  std::string text = bound.end > bound.low
                         ? concat("expected indices from ", bound.low, " to ",
                                  bound.end - 1, " for axis ", bound.axis)
                         : concat("expected no index for axis ", bound.axis,
                                  ", which has no elements");
  if (limits.ignored)
    text += concat(" (or ", *limits.ignored, ", which is ignored)");
  std::vector<int64_t> at(limits.shape.size());
  int64_t rest = wrong.position;
  for (size_t axis = at.size(); axis-- > 0;) {
    int64_t size = std::max<int64_t>(limits.shape[axis], 1);
    at[axis] = rest % size;
    rest /= size;
  }
  text += concat(", but got ", wrong.value);
  for (size_t axis = 0; axis < at.size(); ++axis)
    text += concat(axis ? ", " : " at [", at[axis]);
  return at.empty() ? text : text + "]";
}

} // namespace tenon::artifact
