//===- Cpu.cpp - instruction sets of the processor ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Runtime/Cpu.h"

#include "tenon/Artifact/Program.h"
#include "tenon/Artifact/TilePermission.h"

#include <cpuid.h>
#include <cstring>

namespace tenon::runtime {

namespace {
enum Register { Eax, Ebx, Ecx, Edx };

/// Registers that the operating system must save: bits of XCR0.
enum { NoState = 0, AvxState = 0x6, Avx512State = 0xe6, TileState = 0x60000 };

struct Feature {
  const char *name;
  uint32_t level; // the TENON_CPU_ bit that requires it
  uint32_t leaf, subleaf;
  Register where;
  int bit;
  uint32_t state;
};
} // namespace

static constexpr Feature features[] = {
#define TENON_CPU_FLAG(NAME, flag, leaf, subleaf, where, bit, state)           \
  {flag, TENON_CPU_##NAME, leaf, subleaf, where, bit, state},
#include "tenon/Artifact/Cpus.def"
};

/// Levels and their extensions.
static constexpr struct {
  uint32_t level;
  const char *name;
  bool isLevel;
} levels[] = {
#define TENON_CPU_LEVEL(NAME, number, name, vectorBits)                        \
  {TENON_CPU_##NAME, name, true},
#define TENON_CPU_EXTENSION(NAME, number, name, LEVEL)                         \
  {TENON_CPU_##NAME, name, false},
#include "tenon/Artifact/Cpus.def"
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

uint64_t detectCpu(uint32_t wanted) {
  uint32_t saved = savedState();
  uint64_t present = 0;
  for (const Feature &feature : features) {
    if (!(wanted & feature.level))
      continue;
    unsigned registers[4] = {0, 0, 0, 0};
    if (!__get_cpuid_count(feature.leaf, feature.subleaf, &registers[Eax],
                           &registers[Ebx], &registers[Ecx], &registers[Edx]))
      continue;
    if ((registers[feature.where] >> feature.bit & 1) &&
        (saved & feature.state) == feature.state &&
        (feature.state != TileState || artifact::askForTiles()))
      present |= uint64_t(1) << (&feature - features);
  }
  return present;
}

artifact::Expected<uint32_t> getCpuLimit(const char *level) {
  if (!level || !*level)
    return ~0u;
  uint32_t allowed = 0;
  std::string names, last;
  for (const auto &known : levels) {
    if (!known.isLevel)
      continue;
    allowed |= known.level;
    if (std::strcmp(known.name, level) == 0)
      return allowed;
    names += (names.empty() || last.empty() ? "" : ", ") + last;
    last = known.name;
  }
  return artifact::makeError("TENON_CPU: expected ", names, " or ", last,
                             ", but got '", level, "'");
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
