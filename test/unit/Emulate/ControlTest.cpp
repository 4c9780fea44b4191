//===- ControlTest.cpp - loops, branches and barriers in them -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestKernel.h"

using namespace tenon::emulate;

namespace {
/// The numbers that 40 threads compute as %y : i64 from their index %i : i64.
std::vector<int64_t> compute(const std::string &body, std::string *error) {
  TestKernel kernel("(%out: !llvm.ptr) kernel {\n%t = gpu.thread_id x\n"
                    "%i = arith.index_cast %t : index to i64\n"
                    "%c0 = arith.constant 0 : i64\n"
                    "%c1 = arith.constant 1 : i64\n"
                    "%q = llvm.getelementptr %out[%i] : (!llvm.ptr, i64) -> "
                    "!llvm.ptr, i64\n" +
                    body +
                    "\nllvm.store %y, %q : i64, !llvm.ptr\ngpu.return\n}");
  Pointer out = kernel.allocate<int64_t>("out", 40);
  kernel.config.instructionBudget = 1000000;
  *error = kernel.launch(1, 40, {out});
  return kernel.read<int64_t>(out);
}

void expectNumbers(const std::string &body, int64_t (*expected)(int64_t)) {
  std::string error;
  std::vector<int64_t> numbers = compute(body, &error);
  ASSERT_EQ(error, "");
  for (int64_t i = 0; i < 40; ++i)
    EXPECT_EQ(numbers[i], expected(i)) << i;
}
} // namespace

TEST(Control, LoopsOfDifferentLengths) {
  // Fibonacci: what is carried changes places.
  expectNumbers(R"(
    %x, %y = scf.for %k = %c0 to %i step %c1 iter_args(%a = %c0, %b = %c1)
        -> (i64, i64) : i64 {
      %s = arith.addi %a, %b : i64
      scf.yield %b, %s : i64, i64
    })",
                [](int64_t i) {
                  int64_t a = 0, b = 1;
                  for (; i > 0; --i)
                    std::tie(a, b) = std::make_pair(b, a + b);
                  return b;
                });
}

TEST(Control, NestedBranches) {
  expectNumbers(
      R"(
    %c10 = arith.constant 10 : i64
    %c3 = arith.constant 3 : i64
    %low = arith.cmpi slt, %i, %c10 : i64
    %y = scf.if %low -> i64 {
      %r = arith.remsi %i, %c3 : i64
      %isZero = arith.cmpi eq, %r, %c0 : i64
      %z = scf.if %isZero -> i64 {
        scf.yield %c3 : i64
      } else {
        %n = scf.for %k = %c0 to %i step %c1 iter_args(%a = %c0) -> i64 : i64 {
          %s = arith.addi %a, %k : i64
          scf.yield %s : i64
        }
        scf.yield %n : i64
      }
      scf.yield %z : i64
    } else {
      scf.yield %i : i64
    })",
      [](int64_t i) {
        return i >= 10 ? i : i % 3 == 0 ? int64_t(3) : i * (i - 1) / 2;
      });
}

TEST(Control, While) {
  // Steps of Collatz' sequence.
  expectNumbers(R"(
    %c2 = arith.constant 2 : i64
    %c3 = arith.constant 3 : i64
    %start = arith.addi %i, %c1 : i64
    %last, %y = scf.while (%n = %start, %k = %c0) : (i64, i64) -> (i64, i64) {
      %more = arith.cmpi sgt, %n, %c1 : i64
      scf.condition(%more) %n, %k : i64, i64
    } do {
    ^bb0(%n: i64, %k: i64):
      %r = arith.remsi %n, %c2 : i64
      %odd = arith.cmpi eq, %r, %c1 : i64
      %half = arith.divsi %n, %c2 : i64
      %triple = arith.muli %n, %c3 : i64
      %up = arith.addi %triple, %c1 : i64
      %next = arith.select %odd, %up, %half : i64
      %count = arith.addi %k, %c1 : i64
      scf.yield %next, %count : i64, i64
    })",
                [](int64_t i) {
                  int64_t n = i + 1, count = 0;
                  for (; n > 1; ++count)
                    n = n % 2 ? 3 * n + 1 : n / 2;
                  return count;
                });
}

TEST(Control, BranchesOfBlocks) {
  expectNumbers(R"(
    %c7 = arith.constant 7 : i64
    %low = arith.cmpi slt, %i, %c7 : i64
    cf.cond_br %low, ^low(%c1 : i64), ^high
  ^low(%a: i64):
    %b = arith.addi %a, %i : i64
    cf.br ^end(%b : i64)
  ^high:
    cf.br ^end(%c7 : i64)
  ^end(%y: i64):
    gpu.barrier)",
                [](int64_t i) { return i < 7 ? i + 1 : int64_t(7); });
}

TEST(Control, EndlessLoop) {
  std::string error;
  compute(R"(
    %y = scf.for %k = %c0 to %c1 step %c0 iter_args(%a = %c0) -> i64 : i64 {
      scf.yield %a : i64
    })",
          &error);
  expectPart(error, "instruction budget: thread (0,0,0) of block (0,0,0) runs "
                    "on after 1000000 instructions");
}

TEST(Control, DivergentBarrier) {
  std::string error;
  // Not for all lanes of a warp.
  compute(R"(
    %low = arith.cmpi eq, %i, %c1 : i64
    %y = arith.addi %i, %i : i64
    scf.if %low {
      gpu.barrier
    })",
          &error);
  expectPart(error, "divergent: thread (1,0,0) of block (0,0,0) waits at a "
                    "barrier that thread (0,0,0) does not reach with it; in "
                    "kernel @k at gpu.barrier");
  // Not for all warps.
  compute(R"(
    %c32 = arith.constant 32 : i64
    %low = arith.cmpi slt, %i, %c32 : i64
    %y = arith.addi %i, %i : i64
    scf.if %low {
      gpu.barrier
    })",
          &error);
  expectPart(error, "divergent: thread (0,0,0) of block (0,0,0) waits at a "
                    "barrier, while thread (32,0,0) has returned");
  // Each at another one.
  compute(R"(
    %c32 = arith.constant 32 : i64
    %low = arith.cmpi slt, %i, %c32 : i64
    %y = arith.addi %i, %i : i64
    scf.if %low {
      gpu.barrier
    } else {
      gpu.barrier
    })",
          &error);
  expectPart(error, "while thread (32,0,0) waits at another barrier");
}

TEST(Control, BlocksInThreeDimensions) {
  TestKernel kernel(R"((%out: !llvm.ptr) kernel {
    %sum0 = gpu.grid_dim y
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %bz = gpu.block_id z
    %gx = gpu.grid_dim x
    %gy = gpu.grid_dim y
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %nx = gpu.block_dim x
    %ny = gpu.block_dim y
    %r0 = arith.muli %bz, %gy : index
    %r1 = arith.addi %r0, %by : index
    %r2 = arith.muli %r1, %gx : index
    %r3 = arith.addi %r2, %bx : index
    %r4 = arith.muli %r3, %ny : index
    %r5 = arith.addi %r4, %ty : index
    %r6 = arith.muli %r5, %nx : index
    %r7 = arith.addi %r6, %tx : index
    %i = arith.index_cast %r7 : index to i64
    %q = llvm.getelementptr %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    llvm.store %i, %q : i64, !llvm.ptr
    gpu.return
  })");
  Pointer out = kernel.allocate<int64_t>("out", 2 * 3 * 4 * 5 * 6);
  kernel.config.grid = {2, 3, 4};
  kernel.config.block = {5, 6, 1};
  ASSERT_EQ(kernel.launch({out}), "");
  std::vector<int64_t> numbers = kernel.read<int64_t>(out);
  for (size_t i = 0; i < numbers.size(); ++i)
    EXPECT_EQ(numbers[i], static_cast<int64_t>(i));
}
