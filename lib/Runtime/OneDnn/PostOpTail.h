//===- PostOpTail.h - post-ops that oneDNN does not compute ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// oneDNN does not support some post-ops of library calls, or only in its
// reference code, which is a thousand times slower: binary operations whose
// broadcast is not per channel. They are applied to the result here, row by
// row.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_ONEDNN_POSTOPTAIL_H
#define TENON_LIB_RUNTIME_ONEDNN_POSTOPTAIL_H

#include "Operands.h"

#include <cstdint>
#include <vector>

namespace tenon::runtime {

/// A sequence of post-ops on f32 results of at most `maxRank` axes.
class PostOpTail {
public:
  static constexpr int64_t maxRank = 12;

  /// Starts with the result, which is operand `position` of its step.
  void start(const CallOperand &result, int32_t position);
  /// Adds a post-op. `operand`, broadcast to the result, is operand `position`
  /// of the step; null for post-ops that read none. Returns false if its type
  /// or sizes do not fit.
  bool add(const tenon_post_op &postOp, const CallOperand *operand,
           int32_t position);

  bool isEmpty() const { return postOps.empty(); }
  /// Applies all post-ops in place, on the calling thread's team.
  void run(void *const *buffers) const;
  /// Like `run`, but only on rows [lo, hi); a row is the innermost axis in
  /// memory, of axes with equal strides that of one element.
  void runRows(void *const *buffers, int64_t lo, int64_t hi) const;

private:
  struct Entry {
    tenon_post_op postOp;
    int32_t position;
    int64_t strides[maxRank]; // in elements, 0 where broadcast
  };
  struct Call;

  static void runPart(void *data, int thread, int64_t lo, int64_t hi);

  bool supported = false;
  int32_t resultPosition = 0;
  int64_t rank = 0;
  /// Axes in the order of the result's memory, the innermost last.
  std::vector<int64_t> axes, dims, strides;
  std::vector<Entry> postOps;
};

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_ONEDNN_POSTOPTAIL_H
