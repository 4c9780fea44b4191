//===- Cpu.cpp - instruction sets of the processor ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Runtime/Cpu.h"

#include "tenon/Artifact/Program.h"

#include <cpuid.h>
#include <cstring>

namespace tenon::runtime {

namespace {
enum Register { Eax, Ebx, Ecx, Edx };

/// Registers that the operating system must save: bits of XCR0.
enum { NoState = 0, AvxState = 0x6, Avx512State = 0xe6 };

struct Feature {
  const char *name;
  uint32_t level; // the TENON_CPU_ bit that requires it
  uint32_t leaf, subleaf;
  Register where;
  int bit;
  uint32_t state;
};
} // namespace

// From the x86-64 psABI, "micro-architecture levels", and Intel's manual for
// CPUID.
static constexpr Feature features[] = {
    {"cx16", TENON_CPU_X86_64_V2, 1, 0, Ecx, 13, NoState},
    {"lahf", TENON_CPU_X86_64_V2, 0x80000001, 0, Ecx, 0, NoState},
    {"popcnt", TENON_CPU_X86_64_V2, 1, 0, Ecx, 23, NoState},
    {"sse3", TENON_CPU_X86_64_V2, 1, 0, Ecx, 0, NoState},
    {"sse4.1", TENON_CPU_X86_64_V2, 1, 0, Ecx, 19, NoState},
    {"sse4.2", TENON_CPU_X86_64_V2, 1, 0, Ecx, 20, NoState},
    {"ssse3", TENON_CPU_X86_64_V2, 1, 0, Ecx, 9, NoState},
    {"avx", TENON_CPU_X86_64_V3, 1, 0, Ecx, 28, AvxState},
    {"avx2", TENON_CPU_X86_64_V3, 7, 0, Ebx, 5, AvxState},
    {"bmi1", TENON_CPU_X86_64_V3, 7, 0, Ebx, 3, NoState},
    {"bmi2", TENON_CPU_X86_64_V3, 7, 0, Ebx, 8, NoState},
    {"f16c", TENON_CPU_X86_64_V3, 1, 0, Ecx, 29, AvxState},
    {"fma", TENON_CPU_X86_64_V3, 1, 0, Ecx, 12, AvxState},
    {"lzcnt", TENON_CPU_X86_64_V3, 0x80000001, 0, Ecx, 5, NoState},
    {"movbe", TENON_CPU_X86_64_V3, 1, 0, Ecx, 22, NoState},
    {"avx512f", TENON_CPU_X86_64_V4, 7, 0, Ebx, 16, Avx512State},
    {"avx512bw", TENON_CPU_X86_64_V4, 7, 0, Ebx, 30, Avx512State},
    {"avx512cd", TENON_CPU_X86_64_V4, 7, 0, Ebx, 28, Avx512State},
    {"avx512dq", TENON_CPU_X86_64_V4, 7, 0, Ebx, 17, Avx512State},
    {"avx512vl", TENON_CPU_X86_64_V4, 7, 0, Ebx, 31, Avx512State},
    {"avx512bf16", TENON_CPU_AVX512_BF16, 7, 1, Eax, 5, Avx512State},
    {"avx512fp16", TENON_CPU_AVX512_FP16, 7, 0, Edx, 23, Avx512State},
};

static constexpr struct {
  uint32_t level;
  const char *name;
} levels[] = {
    {TENON_CPU_X86_64_V2, "x86-64-v2"},
    {TENON_CPU_X86_64_V3, "x86-64-v3"},
    {TENON_CPU_X86_64_V4, "x86-64-v4"},
    {TENON_CPU_AVX512_BF16, "avx512bf16"},
    {TENON_CPU_AVX512_FP16, "avx512fp16"},
};

/// Returns which registers the operating system saves.
static uint32_t savedState() {
  unsigned eax, ebx, ecx, edx;
  if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !(ecx & (1u << 27)))
    return 0;
  unsigned low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

uint64_t detectCpu() {
  uint32_t saved = savedState();
  uint64_t present = 0;
  for (const Feature &feature : features) {
    unsigned registers[4] = {0, 0, 0, 0};
    if (!__get_cpuid_count(feature.leaf, feature.subleaf, &registers[Eax],
                           &registers[Ebx], &registers[Ecx], &registers[Edx]))
      continue;
    if ((registers[feature.where] >> feature.bit & 1) &&
        (saved & feature.state) == feature.state)
      present |= uint64_t(1) << (&feature - features);
  }
  return present;
}

artifact::Expected<uint32_t> getCpuLimit(const char *level) {
  if (!level || !*level)
    return ~0u;
  uint32_t allowed = 0;
  for (const auto &known : levels) {
    allowed |= known.level;
    if (known.level > TENON_CPU_X86_64_V4)
      break;
    if (std::strcmp(known.name, level) == 0)
      return allowed;
  }
  return artifact::makeError(
      "TENON_CPU: expected x86-64-v2, x86-64-v3 or x86-64-v4, but got '", level,
      "'");
}

std::string missingCpuFeatures(uint32_t required, uint64_t present) {
  std::string missing;
  for (const auto &level : levels) {
    if (!(required & level.level))
      continue;
    required &= ~level.level;
    std::string names;
    for (const Feature &feature : features) {
      if (feature.level != level.level ||
          (present >> (&feature - features) & 1))
        continue;
      if (!names.empty())
        names += ", ";
      names += feature.name;
    }
    if (names.empty())
      continue;
    if (!missing.empty())
      missing += ", ";
    missing += level.name;
    if (names != level.name)
      missing += " (" + names + ")";
  }
  if (required != 0) {
    if (!missing.empty())
      missing += ", ";
    missing += "an instruction set that this version does not know";
  }
  return missing;
}

} // namespace tenon::runtime
