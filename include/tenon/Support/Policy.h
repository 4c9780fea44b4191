//===- Policy.h - how a model is compiled ---------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The policy of a compilation: what it may do to floating-point numbers, and
// which device it is for. Command lines, options of passes and the attribute
// `kernel.target` of a module are read into this type, which every room of the
// compiler takes; no room has another type or spelling of it.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_SUPPORT_POLICY_H
#define TENON_SUPPORT_POLICY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <string>
#include <vector>

namespace tenon {

/// What rewriting and generated code may do to floating-point arithmetic. Each
/// mode allows what the ones before it allow.
enum class FpMode {
  /// Every operation is computed once and rounded once, in the model's order.
  Strict,
  /// Sums may be regrouped, and divisions by one number may become products.
  Reassociate,
  /// Infinities and NaN may be ignored.
  Finite
};

/// What f32 tensors are computed and stored in. TF32 rounds only the factors of
/// sums of products, and only in kernels for GPUs.
enum class Precision { F32, TF32, F16, BF16 };

/// What a program runs on.
enum class Device { Cpu, Cuda };

/// The names on command lines, in options of passes, in attributes and in
/// files.
llvm::StringRef getName(FpMode mode);
llvm::StringRef getName(Precision precision);
llvm::StringRef getName(Device device);

/// Reads a name; std::nullopt for any other text.
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

/// All names for diagnostics, such as "strict, reassociate or finite".
inline constexpr llvm::StringLiteral kFpModes = "strict, reassociate or finite";
inline constexpr llvm::StringLiteral kPrecisions = "f32, tf32, f16 or bf16";
inline constexpr llvm::StringLiteral kDevices = "cpu or cuda";

/// How one program is compiled.
struct Policy {
  FpMode fp = FpMode::Reassociate;
  Precision precision = Precision::F32;
  Device device = Device::Cpu;
  /// Architectures of GPUs, such as sm_80; empty if there is no program for
  /// GPUs.
  std::vector<std::string> archs;
  /// The CPU that host code is generated for: that of a program for the CPU,
  /// and the code around the kernels of one for GPUs.
  std::string host = "cpu:x86-64-v3";

  bool isForGpu() const { return device == Device::Cuda; }
  /// Whether sums may be computed in another order than the model's.
  bool mayReassociate() const { return fp != FpMode::Strict; }
  /// Whether the factors of f32 products that are summed may be rounded to tf32
  /// (8 bits of exponent, 10 of mantissa), which tensor cores take.
  bool mayRoundFactors() const {
    return isForGpu() && precision == Precision::TF32;
  }
  /// Whether f32 tensors are stored in 16 bits.
  bool storesHalf() const {
    return precision == Precision::F16 || precision == Precision::BF16;
  }

  bool operator==(const Policy &other) const;
  bool operator!=(const Policy &other) const { return !(*this == other); }
};

} // namespace tenon

#endif // TENON_SUPPORT_POLICY_H
