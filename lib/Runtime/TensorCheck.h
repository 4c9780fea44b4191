//===- TensorCheck.h - checks of one tensor of a caller -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_TENSORCHECK_H
#define TENON_LIB_RUNTIME_TENSORCHECK_H

#include "tenon/Artifact/Program.h"
#include "tenon/Artifact/Status.h"

#include <cstdint>
#include <string>

namespace tenon::runtime {

/// The address range of a tensor, from its first to its last element. Both are
/// 0 if it has no elements.
struct TensorRange {
  uintptr_t begin = 0;
  uintptr_t end = 0;
  bool isDense = true; // row-major, without gaps
};

/// What a tensor is checked against.
struct TensorExpectation {
  const tenon_value &value;
  const char *what; // such as "input"
  const int64_t *sizes;
  int32_t cudaDevice; // the device whose memory it may be in; -1: none
  bool isWritten;
};

/// Checks the type, sizes, strides, device and data of a tensor. Allocates only
/// for error messages, and for written tensors with unusual strides.
artifact::Status checkTensor(const TensorExpectation &expected,
                             const tenon_tensor &tensor, TensorRange &range);

/// For example "input 'x'".
std::string quoted(const char *what, const char *name);

/// For example "f32", or DLPack's code for a type that has no name.
std::string dtypeText(tenon_dtype dtype);

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_TENSORCHECK_H
