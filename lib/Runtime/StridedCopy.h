//===- StridedCopy.h - copies of tensors with gaps ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_STRIDEDCOPY_H
#define TENON_LIB_RUNTIME_STRIDEDCOPY_H

#include "tenon/Artifact/ABI.h"

#include <cstdint>
#include <functional>

namespace tenon::runtime {

/// Returns whether two elements of a nonempty tensor share an address. Strides
/// must not be negative.
bool hasSharedElements(int32_t rank, const int64_t *sizes,
                       const int64_t *strides);

/// Calls `visit` for each run that is contiguous both in the tensor and in a
/// dense copy of it, with its offsets in both and its length, in elements. The
/// tensor must not be empty.
void forEachRun(const tenon_tensor &tensor,
                const std::function<void(int64_t inTensor, int64_t inCopy,
                                         int64_t length)> &visit);

/// Copy between a tensor in host memory, of any strides, and dense memory.
void gather(const tenon_tensor &tensor, char *dense);
void scatter(const char *dense, const tenon_tensor &tensor);

/// Returns whether two tensors with such strides have an element in common;
/// `bytes` is the element size of each.
bool haveCommonElements(const tenon_tensor &a, const tenon_tensor &b);

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_STRIDEDCOPY_H
