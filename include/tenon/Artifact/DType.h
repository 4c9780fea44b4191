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

/// "f64", "f32", "f16", "bf16", "i64", "i32", "i8", "u8", "bool".
const char *dtypeName(DType dtype);
/// The reverse of `dtypeName`; "i1" is read as bool too.
std::optional<DType> parseDType(std::string_view name);

/// Bytes of one element.
size_t dtypeSize(DType dtype);
bool isFloat(DType dtype);

/// As DLPack writes it.
tenon_dtype toDLDType(DType dtype);
std::optional<DType> fromDLDType(tenon_dtype dtype);

/// Conversions of the 16-bit floats. To 16 bits they round to nearest, ties to
/// even, in one step; overflow gives infinity and NaN stays NaN.
float halfToFloat(uint16_t bits);
float bfloatToFloat(uint16_t bits);
uint16_t toHalf(double value);
uint16_t toBfloat(double value);

} // namespace tenon::artifact

#endif // TENON_ARTIFACT_DTYPE_H
