//===- Targets.h - what one artifact is compiled for ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DRIVER_TARGETS_H
#define TENON_DRIVER_TARGETS_H

#include "tenon/Emit/Target.h"

#include <string>
#include <vector>

namespace tenon {

/// A list of targets. One artifact holds a program for the CPU, one for NVIDIA
/// GPUs (with machine code for each architecture), or both.
struct TargetList {
  /// Of the program for the CPU, and of the host code of the other.
  emit::Target host;
  bool forCpu = true;
  /// Architectures of GPUs, such as sm_80; empty: no such program.
  std::vector<std::string> cudaArchs;
  /// Whether the program for GPUs is the one that is used by default.
  bool cudaFirst = false;

  bool isSingle() const { return forCpu != !cudaArchs.empty(); }
};

/// Reads a list such as cpu:x86-64-v3,cuda:sm_80,cuda:sm_90, in which the first
/// is the default. Host code of a list without a CPU is for cpu:x86-64-v3.
/// Fails on targets that are not known, and on two CPUs.
llvm::Expected<TargetList> parseTargets(llvm::StringRef text);

} // namespace tenon

#endif // TENON_DRIVER_TARGETS_H
