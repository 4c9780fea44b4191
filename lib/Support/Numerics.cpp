//===- Numerics.cpp - what a compilation may do to numbers ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Support/Numerics.h"

#include "llvm/Support/ErrorHandling.h"

using namespace tenon;
using llvm::StringRef;

StringRef tenon::getName(FpMode mode) {
  switch (mode) {
  case FpMode::Strict:
    return "strict";
  case FpMode::Reassociate:
    return "reassociate";
  case FpMode::Finite:
    return "finite";
  }
  llvm_unreachable("unknown floating-point mode");
}

StringRef tenon::getName(Precision precision) {
  switch (precision) {
  case Precision::F32:
    return "f32";
  case Precision::TF32:
    return "tf32";
  case Precision::F16:
    return "f16";
  case Precision::BF16:
    return "bf16";
  }
  llvm_unreachable("unknown precision");
}

StringRef tenon::getName(Device device) {
  switch (device) {
  case Device::Cpu:
    return "cpu";
  case Device::Cuda:
    return "cuda";
  }
  llvm_unreachable("unknown device");
}

llvm::ArrayRef<FpMode> tenon::getAll(FpMode) {
  static constexpr FpMode all[] = {FpMode::Strict, FpMode::Reassociate,
                                   FpMode::Finite};
  return all;
}

llvm::ArrayRef<Precision> tenon::getAll(Precision) {
  static constexpr Precision all[] = {Precision::F32, Precision::TF32,
                                      Precision::F16, Precision::BF16};
  return all;
}

template <typename T>
static std::optional<T> parseName(StringRef name, llvm::ArrayRef<T> values) {
  for (T value : values)
    if (name == getName(value))
      return value;
  return std::nullopt;
}

std::optional<FpMode> tenon::parseFpMode(StringRef name) {
  return parseName(name, getAll(FpMode()));
}

std::optional<Precision> tenon::parsePrecision(StringRef name) {
  return parseName(name, getAll(Precision()));
}

std::optional<Device> tenon::parseDevice(StringRef name) {
  return parseName<Device>(name, {Device::Cpu, Device::Cuda});
}
