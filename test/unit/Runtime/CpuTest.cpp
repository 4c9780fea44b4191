//===- CpuTest.cpp - tests of processor features ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Runtime/Cpu.h"
#include "tenon/Artifact/Program.h"

#include <gtest/gtest.h>

using namespace tenon::runtime;

TEST(Cpu, NamesWhatIsMissing) {
  EXPECT_EQ(missingCpuFeatures(0, 0), "");
  EXPECT_EQ(missingCpuFeatures(TENON_CPU_X86_64_V3, 0),
            "x86-64-v3 (avx, avx2, bmi, bmi2, f16c, fma, lzcnt, movbe)");
  EXPECT_EQ(missingCpuFeatures(TENON_CPU_AVX512_BF16, 0), "avx512bf16");
  EXPECT_EQ(
      missingCpuFeatures(TENON_CPU_AVX512_BF16 | TENON_CPU_AVX512_FP16, 0),
      "avx512bf16, avx512fp16");
  EXPECT_EQ(missingCpuFeatures(TENON_CPU_AMX, 0),
            "amx (amx-bf16, amx-int8, amx-tile)");
  EXPECT_EQ(missingCpuFeatures(~0u, ~uint64_t(0)),
            "an instruction set that this version does not know");
}

TEST(Cpu, ALevelAllowsThoseBelow) {
  EXPECT_EQ(*getCpuLimit(nullptr), ~0u);
  EXPECT_EQ(*getCpuLimit(""), ~0u);
  EXPECT_EQ(*getCpuLimit("x86-64-v2"), uint32_t(TENON_CPU_X86_64_V2));
  EXPECT_EQ(*getCpuLimit("x86-64-v4"),
            uint32_t(TENON_CPU_X86_64_V2 | TENON_CPU_X86_64_V3 |
                     TENON_CPU_X86_64_V4));
  for (const char *wrong : {"avx512bf16", "v3", "cpu:x86-64-v3", "x86-64-v5"}) {
    auto limit = getCpuLimit(wrong);
    ASSERT_FALSE(limit);
    EXPECT_EQ(limit.error(),
              std::string("TENON_CPU: expected x86-64-v2, x86-64-v3 or "
                          "x86-64-v4, but got '") +
                  wrong + "'");
  }
}

TEST(Cpu, AgreesWithTheCompilersView) {
  uint64_t present = detectCpu(~0u);
  auto has = [&](uint32_t level) {
    return missingCpuFeatures(level, present).empty();
  };
  EXPECT_EQ(has(TENON_CPU_X86_64_V2), __builtin_cpu_supports("sse4.2") != 0);
  EXPECT_EQ(has(TENON_CPU_X86_64_V3), __builtin_cpu_supports("avx2") &&
                                          __builtin_cpu_supports("fma") &&
                                          __builtin_cpu_supports("bmi2"));
  EXPECT_EQ(has(TENON_CPU_X86_64_V4), __builtin_cpu_supports("avx512f") &&
                                          __builtin_cpu_supports("avx512vl") &&
                                          __builtin_cpu_supports("avx512bw"));
  EXPECT_EQ(has(TENON_CPU_AVX512_BF16),
            __builtin_cpu_supports("avx512bf16") != 0);
  EXPECT_EQ(has(TENON_CPU_AVX512_VNNI),
            __builtin_cpu_supports("avx512vnni") != 0);
  // It is there, and may not be permitted.
  EXPECT_LE(has(TENON_CPU_AMX), __builtin_cpu_supports("amx-tile") != 0);
  EXPECT_EQ(detectCpu(0), 0u);
}
