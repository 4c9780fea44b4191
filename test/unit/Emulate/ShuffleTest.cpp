//===- ShuffleTest.cpp - exchange of values in a warp ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestKernel.h"

using namespace tenon::emulate;

namespace {
/// Each of 64 threads stores %y : f32, made from %x = its index and others'.
std::vector<float> exchange(const std::string &body, std::string *error,
                            unsigned threads = 64) {
  TestKernel kernel("(%out: !llvm.ptr) kernel {\n%t = gpu.thread_id x\n"
                    "%i = arith.index_cast %t : index to i32\n"
                    "%lane = gpu.lane_id\n"
                    "%x = arith.sitofp %i : i32 to f32\n"
                    "%zero = arith.constant 0.0 : f32\n"
                    "%w16 = arith.constant 16 : i32\n"
                    "%w = arith.constant 32 : i32\n"
                    "%o1 = arith.constant 1 : i32\n"
                    "%q = llvm.getelementptr %out[%i] : (!llvm.ptr, i32) -> "
                    "!llvm.ptr, f32\n" +
                    body +
                    "\nllvm.store %y, %q : f32, !llvm.ptr\ngpu.return\n}");
  Pointer out = kernel.allocate<float>("out", 64);
  *error = kernel.launch(1, threads, {out});
  return kernel.read<float>(out);
}
} // namespace

TEST(Shuffle, ButterflySumsTheWarp) {
  std::string error, body = "%s0 = arith.addf %x, %zero : f32\n";
  for (int step = 0; step < 5; ++step) {
    std::string k = std::to_string(step), next = std::to_string(step + 1);
    body += "%d" + k + " = arith.constant " + std::to_string(1 << step) +
            " : i32\n%v" + k + ", %p" + k + " = gpu.shuffle xor %s" + k +
            ", %d" + k + ", %w : f32\n%s" + next + " = arith.addf %s" + k +
            ", %v" + k + " : f32\n";
  }
  std::vector<float> sums =
      exchange(body + "%y = arith.addf %s5, %zero : f32", &error);
  ASSERT_EQ(error, "");
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(sums[i], i < 32 ? 496 : 496 + 32 * 32);
}

TEST(Shuffle, Modes) {
  std::string error;
  // A source that does not exist gives no value, but may be replaced.
  std::vector<float> numbers =
      exchange("%v, %p = gpu.shuffle down %x, %o1, %w : f32\n"
               "%y = arith.select %p, %v, %zero : f32",
               &error);
  ASSERT_EQ(error, "");
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(numbers[i], i % 32 == 31 ? 0 : i + 1);
  numbers = exchange("%v, %p = gpu.shuffle up %x, %o1, %w : f32\n"
                     "%y = arith.select %p, %v, %zero : f32",
                     &error);
  ASSERT_EQ(error, "");
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(numbers[i], i % 32 == 0 ? 0 : i - 1);
  numbers = exchange("%y, %p = gpu.shuffle idx %x, %o1, %w : f32", &error);
  ASSERT_EQ(error, "");
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(numbers[i], i / 32 * 32 + 1);
}

TEST(Shuffle, NoSource) {
  std::string error;
  exchange("%y, %p = gpu.shuffle down %x, %o1, %w : f32", &error);
  expectPart(error, "uninitialized: thread (31,0,0) of block (0,0,0) uses an "
                    "undefined value (poison)");
}

TEST(Shuffle, WrongWidth) {
  std::string error;
  exchange("%y, %p = gpu.shuffle xor %x, %o1, %w16 : f32", &error);
  expectPart(error, "divergent: thread (16,0,0) of block (0,0,0) runs a "
                    "shuffle of the first 16 lanes of its warp");
  // Half a warp may shuffle by itself, in its own width only.
  const char *half = "%c16 = arith.constant 16 : index\n"
                     "%low = arith.cmpi ult, %lane, %c16 : index\n"
                     "%y = scf.if %low -> f32 {\n"
                     "  %v, %p = gpu.shuffle xor %x, %o1, ";
  const char *rest = " : f32\n  scf.yield %v : f32\n} else {\n"
                     "  scf.yield %x : f32\n}";
  std::vector<float> numbers =
      exchange(std::string(half) + "%w16" + rest, &error);
  ASSERT_EQ(error, "");
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(numbers[i], i % 32 < 16 ? (i ^ 1) : i);
  exchange(std::string(half) + "%w" + rest, &error);
  expectPart(error, "divergent: thread (0,0,0) of block (0,0,0) runs a shuffle "
                    "of width 32 that thread (16,0,0) does not take part in");
}

TEST(Shuffle, LaneWithoutThread) {
  std::string error;
  exchange("%c8 = arith.constant 8 : i32\n"
           "%y, %p = gpu.shuffle xor %x, %c8, %w : f32",
           &error, 40);
  EXPECT_EQ(error, "divergent: thread (32,0,0) of block (0,0,0) reads lane 8 "
                   "of its warp in a shuffle, which has no thread" +
                       error.substr(error.find("; in kernel")));
}

TEST(Shuffle, DoesNotOrderMemory) {
  std::string error;
  exchange("%p = llvm.getelementptr %out[%o1] : (!llvm.ptr, i32) -> !llvm.ptr, "
           "f32\n"
           "%c0 = arith.constant 0 : i32\n"
           "%is = arith.cmpi eq, %i, %c0 : i32\n"
           "scf.if %is {\n  llvm.store %x, %p : f32, !llvm.ptr\n}\n"
           "%y, %valid = gpu.shuffle idx %x, %o1, %w : f32",
           &error);
  expectPart(error, "race: thread (1,0,0) of block (0,0,0) writes 4 bytes at "
                    "@out+4, which thread (0,0,0) wrote since the last");
}
