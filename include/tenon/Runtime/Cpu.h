//===- Cpu.h - what the processor can do --------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_RUNTIME_CPU_H
#define TENON_RUNTIME_CPU_H

#include <cstdint>
#include <string>

namespace tenon::runtime {

/// Instruction sets of this machine, where the operating system saves their
/// registers too: one bit per entry of the list in Cpu.cpp.
uint64_t detectCpu();

/// Empty when the instruction sets of `present` (from `detectCpu`) cover the
/// TENON_CPU_ bits of `required`; else the names of what is missing, such as
/// "x86-64-v3 (avx2, fma)".
std::string missingCpuFeatures(uint32_t required, uint64_t present);

} // namespace tenon::runtime

#endif // TENON_RUNTIME_CPU_H
