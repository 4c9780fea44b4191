//===- SitePosts.h - what follows a call, in oneDNN's terms ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_SITEPOSTS_H
#define TENON_LIB_RUNTIME_SITEPOSTS_H

#include "SiteOperands.h"

namespace tenon::runtime {

/// Whether the axes of an operand lie in memory in the result's order.
bool isOrderedLike(const SiteOperand &operand, const SiteOperand &result);

/// Whether an operand has the result's sizes, or one element per channel (axis
/// 1 of a convolution, the last of a matmul), or one element.
bool isPlainBroadcast(const SiteOperand &operand, const SiteOperand &result,
                      size_t channelAxis);

/// Whether oneDNN, doing these posts, gives a number for NaN: its relu and clip
/// turn NaN into their lower bound, its exp into infinity, and its max and min
/// give the buffer's element where the accumulated value is NaN (2.6.3).
bool dropsNan(const tenon_site &site, int32_t firstPosts);

/// The posts before the first that is an eltwise operation of a kind that came
/// before with other parameters: oneDNN's code uses the first one's for both
/// (2.6.3, matmul and pools, AVX2 and AVX-512).
int32_t countDistinct(const tenon_site &site);

/// Appends the first `count` posts of a site, whose operands begin with number
/// `operand`.
artifact::Status addPosts(const OneDnn &dnnl, const tenon_site &site,
                          const std::vector<SiteOperand> &operands,
                          size_t operand, int32_t count, dnnl_post_ops_t posts);

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_SITEPOSTS_H
