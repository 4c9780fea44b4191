//===- DType.h - element types --------------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_ARTIFACT_DTYPE_H
#define TENON_ARTIFACT_DTYPE_H

#include "tenon/Artifact/ABI.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tenon::artifact {

/// The element types of tensors. All are little-endian in memory and in files;
/// bool is one byte, 0 or 1.
enum class DType : uint8_t { F64, F32, F16, BF16, I64, I32, I8, U8, Bool };

/// Returns "f64", "f32", "f16", "bf16", "i64", "i32", "i8", "u8" or "bool".
const char *dtypeName(DType dtype);
/// The reverse of `dtypeName`; also accepts "i1" for bool.
std::optional<DType> parseDType(std::string_view name);

/// The size of an element in bytes.
size_t dtypeSize(DType dtype);
bool isFloat(DType dtype);

/// Conversion to and from DLPack's types.
tenon_dtype toDLDType(DType dtype);
std::optional<DType> fromDLDType(tenon_dtype dtype);

/// Conversions of the 16-bit floats. Conversions to 16 bits round once, to
/// nearest with ties to even; overflow gives infinity and NaN stays NaN.
float halfToFloat(uint16_t bits);
float bfloatToFloat(uint16_t bits);
uint16_t toHalf(double value);
uint16_t toBfloat(double value);

} // namespace tenon::artifact

#endif // TENON_ARTIFACT_DTYPE_H
