//===- Target.h - the CPU that code is generated for ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_EMIT_TARGET_H
#define TENON_EMIT_TARGET_H

#include "tenon/Support/Policy.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <memory>
#include <string>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace tenon::emit {

/// A CPU, with the names that LLVM and the runtime use.
struct Target {
  /// As in a policy (Policy::host), e.g. "cpu:x86-64-v3".
  std::string name = "cpu:x86-64-v3";
  /// LLVM's names of the instruction set, of additional features ("+a,+b"), and
  /// of the processor whose timings are used.
  std::string cpu = "x86-64-v3";
  std::string features;
  std::string tuneCpu = "x86-64-v3";
  /// TENON_CPU_* bits: the features that a machine must have to run the code.
  uint32_t cpuFeatures = 0;
  /// The widest vectors, and those that LLVM makes where nothing else is said.
  unsigned vectorBits = 256;
  unsigned preferredBits = 256;
};

/// Parses one target: cpu:x86-64-v2, cpu:x86-64-v3, cpu:x86-64-v4 or cpu:native
/// (the highest of these levels that this machine supports, tuned for it).
/// Fails for any other text.
llvm::Expected<Target> parseTarget(llvm::StringRef text);

/// Creates LLVM's code generator for the target, for position-independent code.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(const Target &target, FpMode fp);

} // namespace tenon::emit

#endif // TENON_EMIT_TARGET_H
