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
#include <vector>

namespace tenon::runtime {

/// Returns whether two elements of a nonempty tensor share an address. Strides
/// must not be negative.
bool hasSharedElements(int32_t rank, const int64_t *sizes,
                       const int64_t *strides);

/// Returns the strides of a tensor, also if it states none because it is dense.
std::vector<int64_t> listStrides(const tenon_tensor &tensor);

using RunVisitor =
    std::function<void(int64_t inFirst, int64_t inSecond, int64_t length)>;
/// Calls `visit` for each run that is contiguous in two tensors of one shape,
/// with its offsets in both and its length, in elements. The tensors must not
/// be empty.
void forEachRun(const tenon_tensor &first, const tenon_tensor &second,
                const RunVisitor &visit);
/// The same for a tensor and a dense copy of it.
void forEachRun(const tenon_tensor &tensor, const RunVisitor &visit);

/// Copy between a tensor in host memory, of any strides, and dense memory. The
/// tensor must not be empty.
void gather(const tenon_tensor &tensor, char *dense);
void scatter(const char *dense, const tenon_tensor &tensor);
/// Copies between tensors in host memory of one shape, which must not be empty.
void copyStrided(const tenon_tensor &from, const tenon_tensor &to);

/// Returns whether two tensors with such strides have an element in common;
/// `bytes` is the element size of each.
bool haveCommonElements(const tenon_tensor &a, const tenon_tensor &b);

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_STRIDEDCOPY_H
