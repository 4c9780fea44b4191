//===- PostOps.h - post-ops as oneDNN attributes --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_ONEDNN_POSTOPS_H
#define TENON_LIB_RUNTIME_ONEDNN_POSTOPS_H

#include "Operands.h"

namespace tenon::runtime {

/// Returns whether the axes of an operand have the result's order in memory.
bool isOrderedLike(const CallOperand &operand, const CallOperand &result);

/// Returns whether an operand has the result's sizes, or one element per
/// channel (axis 1 of a convolution, the last axis of a matmul), or one
/// element.
bool isPlainBroadcast(const CallOperand &operand, const CallOperand &result,
                      size_t channelAxis);

/// Returns whether oneDNN's post-ops turn NaN into a number: its relu and clip
/// turn NaN into their lower bound, its exp into infinity, and its max and min
/// return the buffer's element if the accumulated value is NaN (2.6.3).
bool dropsNan(const tenon_call &call, int32_t firstPostOps);

/// Counts the post-ops before the first eltwise operation whose kind occurred
/// before with other parameters: oneDNN's code uses the parameters of the first
/// one for both (2.6.3, matmul and pools, AVX2 and AVX-512).
int32_t countDistinct(const tenon_call &call);

/// Appends the first `count` post-ops of a call, whose operands begin with
/// number `operand`.
artifact::Status addPostOps(const OneDnn &dnnl, const tenon_call &call,
                            const std::vector<CallOperand> &operands,
                            size_t operand, int32_t count,
                            dnnl_post_ops_t postOps);

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_ONEDNN_POSTOPS_H
