//===- AsyncCopyTest.cpp - copies that are waited for, and others ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestKernel.h"

using namespace tenon::emulate;

namespace {
/// 32 threads copy 16 bytes each in two groups, wait, and read what their
/// neighbour copied.
std::string makeKernel(const char *wait, const char *barrier) {
  return std::string(R"((%in: !llvm.ptr, %out: !llvm.ptr, %size: i32) kernel {
    %t = gpu.thread_id x
    %c31 = arith.constant 31 : index
    %mirror = arith.subi %c31, %t : index
    %i = arith.index_cast %t : index to i64
    %m = arith.index_cast %mirror : index to i64
    %from0 = llvm.getelementptr %in[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<2 x i32>
    %from1 = llvm.getelementptr %from0[256] : (!llvm.ptr) -> !llvm.ptr, i8
    %g0 = llvm.addrspacecast %from0 : !llvm.ptr to !llvm.ptr<1>
    %g1 = llvm.addrspacecast %from1 : !llvm.ptr to !llvm.ptr<1>
    %s = llvm.mlir.addressof @tile : !llvm.ptr<3>
    %to0 = llvm.getelementptr %s[%i] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
    %to1 = llvm.getelementptr %to0[32] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
    nvvm.cp.async.shared.global %to0, %g0, 8, cache = ca, %size : !llvm.ptr<3>, !llvm.ptr<1>, i32
    nvvm.cp.async.commit.group
    nvvm.cp.async.shared.global %to1, %g1, 8, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
    nvvm.cp.async.commit.group
    )") + wait +
         "\n" + barrier + R"(
    %p = llvm.getelementptr %s[%m] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
    %q = llvm.getelementptr %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %x = llvm.load %p : !llvm.ptr<3> -> i64
    nvvm.cp.async.wait.group 0
    llvm.store %x, %q : i64, !llvm.ptr
    gpu.return
  })";
}

std::string run(const char *wait, const char *barrier, int size,
                std::vector<int64_t> *results = nullptr) {
  TestKernel kernel(makeKernel(wait, barrier),
                    "llvm.mlir.global internal @tile() {addr_space = 3 : i32, "
                    "alignment = 16 : i64} : !llvm.array<512 x i8>");
  EXPECT_EQ(kernel.compileError, "");
  std::vector<int64_t> numbers(64);
  for (int i = 0; i < 64; ++i)
    numbers[i] = (int64_t(i) << 32) + i + 1;
  Pointer in = kernel.allocate<int64_t>("in", llvm::ArrayRef(numbers));
  Pointer out = kernel.allocate<int64_t>("out", 32);
  std::string error = kernel.launch(1, 32, {in, out, size});
  if (results)
    *results = kernel.read<int64_t>(out);
  return error;
}
} // namespace

TEST(AsyncCopy, FirstGroupWaitedFor) {
  std::vector<int64_t> results;
  ASSERT_EQ(run("nvvm.cp.async.wait.group 1", "gpu.barrier", 8, &results), "");
  for (int i = 0; i < 32; ++i)
    EXPECT_EQ(results[i], (int64_t(31 - i) << 32) + 32 - i);
}

TEST(AsyncCopy, FilledWithZeros) {
  std::vector<int64_t> results;
  ASSERT_EQ(run("nvvm.cp.async.wait.group 1", "gpu.barrier", 4, &results), "");
  for (int i = 0; i < 32; ++i)
    EXPECT_EQ(results[i], 32 - i);
  ASSERT_EQ(run("nvvm.cp.async.wait.group 1", "gpu.barrier", 0, &results), "");
  EXPECT_EQ(results[5], 0);
  expectPart(run("nvvm.cp.async.wait.group 1", "gpu.barrier", 12),
             "copies 12 bytes to a target of 8");
}

TEST(AsyncCopy, NotWaitedFor) {
  const char *text = "asynchronous copy: thread (0,0,0) of block (0,0,0) reads "
                     "8 bytes at @tile+248, the target of a copy that thread "
                     "(31,0,0) has not waited for";
  expectPart(run("", "gpu.barrier", 8), text);
  // Two groups may be under way, so that the first need not have arrived.
  expectPart(run("nvvm.cp.async.wait.group 2", "gpu.barrier", 8), text);
}

TEST(AsyncCopy, TargetOverwritten) {
  expectPart(
      run("llvm.store %i, %to1 : i64, !llvm.ptr<3>\n"
          "nvvm.cp.async.wait.group 1",
          "gpu.barrier", 8),
      "asynchronous copy: thread (0,0,0) of block (0,0,0) writes 8 bytes "
      "at @tile+256, the target of a copy that thread (0,0,0) has not "
      "waited for");
}

TEST(AsyncCopy, WaitIsNoBarrier) {
  expectPart(run("nvvm.cp.async.wait.group 1", "", 8),
             "race: thread (0,0,0) of block (0,0,0) reads 8 bytes at "
             "@tile+248, which thread (31,0,0) wrote since the last barrier");
}

TEST(AsyncCopy, NeverWaitedFor) {
  std::string source = makeKernel("nvvm.cp.async.wait.group 1", "gpu.barrier");
  source.erase(source.rfind("nvvm.cp.async.wait.group 0"), 26);
  TestKernel kernel(source,
                    "llvm.mlir.global internal @tile() {addr_space = 3 : i32, "
                    "alignment = 16 : i64} : !llvm.array<512 x i8>");
  Pointer in = kernel.memory.allocate("in", 512);
  Pointer out = kernel.allocate<int64_t>("out", 32);
  expectPart(kernel.launch(1, 32, {in, out, 8}),
             "asynchronous copy: thread (0,0,0) of block (0,0,0) ends without "
             "a wait for its copy of 8 bytes to @tile+256; in kernel @k at "
             "nvvm.cp.async.shared.global");
}
