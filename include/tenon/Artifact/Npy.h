//===- Npy.h - the file format of NumPy arrays ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html,
// versions 1.0 to 3.0. Arrays in Fortran order are converted to row-major.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_ARTIFACT_NPY_H
#define TENON_ARTIFACT_NPY_H

#include "tenon/Artifact/Status.h"
#include "tenon/Artifact/TensorData.h"

#include <cstdint>
#include <string>

namespace tenon::artifact {

/// NumPy types that Tenon lacks (i16, u16, u32, u64, complex, text) and
/// big-endian data are refused by name.
/// Where the elements of a file's array are.
struct NpyLayout {
  DType dtype;
  std::vector<int64_t> shape;
  /// Whether the first axis is the innermost one.
  bool isColumnMajor;
  size_t offset; // of the first element, in bytes from the start of the file
};

/// Fails if the data does not have the size that the header states. Bytes of
/// booleans may be any but 0 for true.
Expected<NpyLayout> parseNpyLayout(const uint8_t *bytes, size_t size);

Expected<TensorData> readNpy(const std::string &path);
Expected<TensorData> parseNpy(const uint8_t *bytes, size_t size);

/// Refuses bf16, which NumPy lacks.
Status writeNpy(const std::string &path, const TensorData &tensor);
Expected<std::string> formatNpy(const TensorData &tensor);

} // namespace tenon::artifact

#endif // TENON_ARTIFACT_NPY_H
