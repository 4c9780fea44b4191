//===- Targets.h - targets as command lines name them ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_KERNEL_IR_TARGETS_H
#define TENON_DIALECT_KERNEL_IR_TARGETS_H

#include "tenon/Dialect/Kernel/IR/Kernel.h"

#include "llvm/Support/Error.h"

#include <optional>
#include <string>

namespace tenon::kernel {

/// The targets if neither a command line nor a module states them.
inline constexpr llvm::StringLiteral kUsualTargets =
    "cpu:x86-64-v3,cpu:x86-64-v4";

/// Reads a list such as "cpu:x86-64-v3,cpu:x86-64-v4+avx512bf16,cuda:sm_80".
/// `cpu:native` is the highest level that this machine has, with all that it
/// has beyond it, tuned for it. Devices of one kind follow each other, that of
/// the first one first, and CPUs the least demanding first.
llvm::Expected<llvm::SmallVector<DeviceTarget>>
parseTargets(llvm::StringRef text, mlir::MLIRContext *context);

/// A target of devices that parseTargets knows.
TargetAttr makeTarget(mlir::MLIRContext *context, llvm::StringRef targets,
                      Numerics numerics = {});

/// The target as far as a command line states it.
struct TargetOptions {
  /// A list for parseTargets; empty: that of the module.
  std::string targets;
  /// That, if the module says nothing either.
  std::string usual = kUsualTargets.str();
  /// nullopt: those of the module, or else the default.
  std::optional<FpMode> fp;
  std::optional<Precision> precision;
};

/// The target that `options` state, completed by what `module` says. Fails with
/// a diagnostic.
mlir::FailureOr<TargetAttr> completeTarget(mlir::ModuleOp module,
                                           const TargetOptions &options);

} // namespace tenon::kernel

#endif // TENON_DIALECT_KERNEL_IR_TARGETS_H
