//===- IndexCheck.h - checks of run-time indices --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops that read or write at run-time indices (gather, scatter, labels of a
// loss) require every index to be within the bounds of an axis. Generated code
// records an index that is not; this file turns it into a message, which is the
// same on every device and in the interpreter.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_ARTIFACT_INDEXCHECK_H
#define TENON_ARTIFACT_INDEXCHECK_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tenon::artifact {

/// The allowed values of an index: [low, end) addresses the axis `axis` of a
/// tensor.
struct IndexBound {
  int64_t axis, low, end;
};

/// The indices that one op reads. With several bounds, entry i of the last axis
/// of the index tensor has bound i.
struct IndexLimits {
  std::vector<int64_t> shape; // of the index tensor
  std::vector<IndexBound> bounds;
  /// A value that means "no index" and is always allowed.
  std::optional<int64_t> ignored;

  const IndexBound &boundOf(int64_t position) const {
    return bounds[static_cast<size_t>(position) % bounds.size()];
  }
  bool admits(int64_t position, int64_t index) const {
    const IndexBound &bound = boundOf(position);
    return (index >= bound.low && index < bound.end) || index == ignored;
  }
};

/// An element of the index tensor, by row-major position, that violates its
/// bound.
struct WrongIndex {
  int64_t position, value;
};

/// A check kernel writes, for each part of the index tensor, the row-major
/// position of the first wrong index (INT64_MAX: none) and its value.
std::optional<WrongIndex> findWrongIndex(const int64_t *words, int64_t parts);

/// For example "expected indices from -3 to 2 for axis 0, but got 7 at [0, 1]".
std::string describe(const IndexLimits &limits, const WrongIndex &wrong);

} // namespace tenon::artifact

#endif // TENON_ARTIFACT_INDEXCHECK_H
