//===- Cpu.h - instruction sets of the processor --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_RUNTIME_CPU_H
#define TENON_RUNTIME_CPU_H

#include "tenon/Artifact/Status.h"

#include <cstdint>
#include <string>

namespace tenon::runtime {

/// Returns what this machine has of the TENON_CPU_ bits `wanted`, if the
/// operating system saves the registers: one bit for each TENON_CPU_FLAG of
/// Cpus.def. If tiles (AMX) are wanted, asks for the permission to use them,
/// which then holds for the process.
uint64_t detectCpu(uint32_t wanted);

/// The TENON_CPU_ bits that `level` allows, which is x86-64-v2, x86-64-v3 or
/// x86-64-v4 (the value of the environment variable TENON_CPU), and all bits if
/// it is null or empty. Fails for any other text.
artifact::Expected<uint32_t> getCpuLimit(const char *level);

/// Returns an empty string if the instruction sets of `present` (from
/// `detectCpu`) cover the TENON_CPU_ bits of `required`; otherwise the names of
/// the missing ones, such as "x86-64-v3 (avx2, fma)".
std::string missingCpuFeatures(uint32_t required, uint64_t present);

} // namespace tenon::runtime

#endif // TENON_RUNTIME_CPU_H
