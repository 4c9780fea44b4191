//===- Numerics.h - what a compilation may do to numbers ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a compilation may do to floating-point numbers, and the kinds of
// devices. Command lines, options of passes and attributes are read into these
// types. Code that needs only one of these properties takes its enum, such as
// FpMode.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_SUPPORT_NUMERICS_H
#define TENON_SUPPORT_NUMERICS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>

namespace tenon {

/// What rewriting and generated code may do to floating-point arithmetic. Each
/// mode allows what the ones before it allow.
enum class FpMode {
  /// Every operation is computed in the model's order and rounded to its
  /// element type; rewrites preserve every bit. exp, log, tanh and erf of f32
  /// are accurate to a few units in the last place.
  Strict,
  /// Sums and products may be regrouped, products distributed over sums, a
  /// multiplication and an addition fused, and a division of many elements by
  /// the same number replaced by a product with its reciprocal. Kernels may
  /// keep intermediate values wider than 16 bits, and libraries may sum in
  /// their own order. Terms that a guard (padding) excludes may be multiplied
  /// by zero, so that an infinite or NaN factor gives NaN.
  Reassociate,
  /// Rewriting may also assume that no value is infinite or NaN. Code
  /// generation is the same as for Reassociate.
  Finite
};

/// The types in which f32 tensors are computed and stored. With F16 and BF16,
/// the pass --graph-set-precision stores most of them in 16 bits: arguments,
/// results and states stay f32, and sums are accumulated in f32. With TF32,
/// tensors are stored in f32, and kernels for GPUs round the operands of
/// matmuls, convolutions and attention to TF32, except under FpMode::Strict.
/// TF32 is valid only for the device Cuda.
enum class Precision { F32, TF32, F16, BF16 };

/// What a program runs on.
enum class Device { Cpu, Cuda };

/// Return the keyword, such as `tf32`, that command lines, options of passes,
/// attributes and files use.
llvm::StringRef getName(FpMode mode);
llvm::StringRef getName(Precision precision);
llvm::StringRef getName(Device device);

/// Return the value of a keyword, or std::nullopt for any other text.
std::optional<FpMode> parseFpMode(llvm::StringRef name);
std::optional<Precision> parsePrecision(llvm::StringRef name);
std::optional<Device> parseDevice(llvm::StringRef name);

/// All values, in the order in which diagnostics list them. The argument only
/// selects the type.
llvm::ArrayRef<FpMode> getAll(FpMode);
llvm::ArrayRef<Precision> getAll(Precision);

inline llvm::raw_ostream &operator<<(llvm::raw_ostream &os, FpMode mode) {
  return os << getName(mode);
}
inline llvm::raw_ostream &operator<<(llvm::raw_ostream &os,
                                     Precision precision) {
  return os << getName(precision);
}
inline llvm::raw_ostream &operator<<(llvm::raw_ostream &os, Device device) {
  return os << getName(device);
}

/// The keywords of each enum, as diagnostics list them.
inline constexpr llvm::StringLiteral kFpModes = "strict, reassociate or finite";
inline constexpr llvm::StringLiteral kPrecisions = "f32, tf32, f16 or bf16";
inline constexpr llvm::StringLiteral kDevices = "cpu or cuda";

/// How one program computes.
struct Numerics {
  FpMode fp = FpMode::Reassociate;
  Precision precision = Precision::F32;

  /// Whether what FpMode::Reassociate allows may be done.
  bool mayReassociate() const { return fp != FpMode::Strict; }
  /// Whether the f32 operands of matmuls, convolutions and attention may be
  /// rounded to TF32 (8 bits of exponent, 10 of mantissa) for tensor cores, if
  /// the mode also allows reassociation.
  bool mayRoundFactors() const { return precision == Precision::TF32; }
  /// Whether f32 tensors between ops are stored in 16 bits.
  bool storesHalf() const {
    return precision == Precision::F16 || precision == Precision::BF16;
  }
};

} // namespace tenon

#endif // TENON_SUPPORT_NUMERICS_H
