//===- RaceTest.cpp - what barriers order, and what they do not -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestKernel.h"

using namespace tenon::emulate;

namespace {
const char sharedFloats[] =
    "llvm.mlir.global internal @sums() {addr_space = 3 : i32, "
    "alignment = 16 : i64} : !llvm.array<1024 x i8>";

/// The sum of 256 numbers by a tree in shared memory. `before` and `inside`
/// are where its barriers stand.
std::string makeTree(const char *before, const char *inside) {
  return std::string(R"((%in: !llvm.ptr, %out: !llvm.ptr) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c128 = arith.constant 128 : index
    %t = gpu.thread_id x
    %ti = arith.index_cast %t : index to i64
    %from = llvm.getelementptr %in[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %from : !llvm.ptr -> f32
    %base = llvm.mlir.addressof @sums : !llvm.ptr<3>
    %mine = llvm.getelementptr %base[%ti] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
    llvm.store %x, %mine : f32, !llvm.ptr<3>
    )") + before +
         R"(
    scf.for %i = %c0 to %c8 step %c1 {
      %half = arith.shrui %c128, %i : index
      %isLow = arith.cmpi ult, %t, %half : index
      scf.if %isLow {
        %o = arith.addi %t, %half : index
        %oi = arith.index_cast %o : index to i64
        %other = llvm.getelementptr %base[%oi] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
        %a = llvm.load %mine : !llvm.ptr<3> -> f32
        %b = llvm.load %other : !llvm.ptr<3> -> f32
        %s = arith.addf %a, %b : f32
        llvm.store %s, %mine : f32, !llvm.ptr<3>
      }
      )" +
         inside +
         R"(
    }
    %isFirst = arith.cmpi eq, %t, %c0 : index
    scf.if %isFirst {
      %sum = llvm.load %base : !llvm.ptr<3> -> f32
      llvm.store %sum, %out : f32, !llvm.ptr
    }
    gpu.return
  })";
}

std::string runTree(const char *before, const char *inside, float *sum) {
  TestKernel kernel(makeTree(before, inside), sharedFloats);
  std::vector<float> numbers(256);
  for (int i = 0; i < 256; ++i)
    numbers[i] = i;
  Pointer in = kernel.allocate<float>("in", llvm::ArrayRef(numbers));
  Pointer out = kernel.allocate<float>("out", 1);
  std::string error = kernel.launch(1, 256, {in, out});
  *sum = kernel.read<float>(out)[0];
  if (error.empty())
    EXPECT_EQ(kernel.statistics.barriers, 9u);
  return error;
}
} // namespace

TEST(Race, TreeWithBarriersIsRight) {
  float sum;
  EXPECT_EQ(runTree("gpu.barrier", "gpu.barrier", &sum), "");
  EXPECT_EQ(sum, 255 * 128.0f);
}

TEST(Race, TreeWithoutFirstBarrier) {
  float sum;
  std::string error = runTree("", "gpu.barrier", &sum);
  // Warps run one after the other, so that no warp has written yet.
  expectPart(error, "uninitialized: thread (0,0,0) of block (0,0,0) reads 4 "
                    "bytes at @sums+512, which were never written");
}

TEST(Race, TreeWithoutBarrierInLoop) {
  float sum;
  std::string error = runTree("gpu.barrier", "", &sum);
  expectPart(error, "race: thread (0,0,0) of block (0,0,0) reads 4 bytes at "
                    "@sums+64, which thread (16,0,0) wrote since the last "
                    "barrier; in kernel @k at llvm.load, loc(\"kernel.mlir\"");
}

TEST(Race, BetweenBlocks) {
  TestKernel kernel(R"((%out: !llvm.ptr) kernel {
    %b = gpu.block_id x
    %bi = arith.index_cast %b : index to i32
    llvm.store %bi, %out : i32, !llvm.ptr
    gpu.return
  })");
  Pointer out = kernel.allocate<int>("out", 1);
  EXPECT_EQ(kernel.launch(1, 1, {out}), "");
  // Launches are ordered.
  EXPECT_EQ(kernel.launch(1, 1, {out}), "");
  std::string error = kernel.launch(2, 1, {out});
  EXPECT_EQ(kernel.kind, ErrorKind::Race);
  expectPart(error, "thread (0,0,0) of block (1,0,0) writes 4 bytes at @out+0, "
                    "which thread (0,0,0) of block (0,0,0) wrote in the same "
                    "launch");
}

TEST(Race, ReadInAnotherBlock) {
  // Block 0 reads what block 1 writes.
  TestKernel kernel(R"((%out: !llvm.ptr) kernel {
    %b = gpu.block_id x
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %first = arith.cmpi eq, %b, %c0 : index
    %x = scf.if %first -> i32 {
      %old = llvm.load %out : !llvm.ptr -> i32
      scf.yield %old : i32
    } else {
      llvm.store %zero, %out : i32, !llvm.ptr
      scf.yield %zero : i32
    }
    gpu.return
  })");
  Pointer out = kernel.allocate<int>("out", llvm::ArrayRef<int>{1});
  EXPECT_EQ(kernel.launch(1, 1, {out}), "");
  expectPart(kernel.launch(2, 1, {out}), "race: ");
}

TEST(Race, NeighbouringBytesAreNone) {
  TestKernel kernel(R"((%out: !llvm.ptr, %step: i64) kernel {
    %t = gpu.thread_id x
    %ti = arith.index_cast %t : index to i64
    %o = arith.muli %ti, %step : i64
    %b = arith.trunci %ti : i64 to i8
    %p = llvm.getelementptr %out[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    llvm.store %b, %p : i8, !llvm.ptr
    gpu.return
  })");
  Pointer out = kernel.allocate<uint8_t>("out", 7);
  EXPECT_EQ(kernel.launch(1, 7, {out, int64_t(1)}), "");
  EXPECT_EQ(kernel.read<uint8_t>(out),
            (std::vector<uint8_t>{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_FALSE(kernel.memory.findUninitialized(out));
  expectPart(kernel.launch(1, 7, {out, int64_t(0)}), "race: ");
}

TEST(Race, WriteAfterOthersReads) {
  // All threads read the same number, then one of them writes it.
  const char *text = R"((%out: !llvm.ptr) kernel {
    %%t = gpu.thread_id x
    %%c1 = arith.constant 1 : index
    %%x = llvm.load %%out : !llvm.ptr -> i32
    %s
    %%is = arith.cmpi eq, %%t, %%c1 : index
    scf.if %%is {
      llvm.store %%x, %%out : i32, !llvm.ptr
    }
    gpu.return
  })";
  for (bool barrier : {false, true}) {
    std::string source = text;
    for (size_t at; (at = source.find("%%")) != std::string::npos;)
      source.erase(at, 1);
    size_t at = source.find("%s");
    source.replace(at, 2, barrier ? "gpu.barrier" : "");
    TestKernel kernel(source);
    Pointer out = kernel.allocate<int>("out", llvm::ArrayRef<int>{1});
    std::string error = kernel.launch(1, 64, {out});
    if (barrier)
      EXPECT_EQ(error, "");
    else
      expectPart(error, "race: thread (1,0,0) of block (0,0,0) writes 4 bytes "
                        "at @out+0, which thread (0,0,0) read since");
  }
}

TEST(Race, WriteAfterReadsOfTwoBlocks) {
  // Both blocks read; the last one writes after its barrier.
  TestKernel kernel(R"((%out: !llvm.ptr) kernel {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %n = gpu.grid_dim x
    %c1 = arith.constant 1 : index
    %last = arith.subi %n, %c1 : index
    %x = llvm.load %out : !llvm.ptr -> i32
    gpu.barrier
    %isLast = arith.cmpi eq, %b, %last : index
    %isOne = arith.cmpi eq, %t, %c1 : index
    %writes = arith.andi %isLast, %isOne : i1
    scf.if %writes {
      llvm.store %x, %out : i32, !llvm.ptr
    }
    gpu.return
  })");
  Pointer out = kernel.allocate<int>("out", llvm::ArrayRef<int>{1});
  EXPECT_EQ(kernel.launch(1, 64, {out}), "");
  expectPart(kernel.launch(2, 64, {out}),
             "race: thread (1,0,0) of block (1,0,0) writes 4 bytes at @out+0, "
             "which a thread of another block read in the same launch");
}

namespace {
/// Threads write their index, and read what their neighbour at distance `far`
/// and the first lane of their warp wrote; then they write what was read.
std::string runWarpBarrier(const char *first, const char *second, int far) {
  TestKernel kernel(std::string(R"((%out: !llvm.ptr, %far: i64) kernel {
    %t = gpu.thread_id x
    %all = arith.constant -1 : i32
    %i = arith.index_cast %t : index to i64
    %s = llvm.mlir.addressof @sums : !llvm.ptr<3>
    %o = arith.xori %i, %far : i64
    %p = llvm.getelementptr %s[%i] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
    %q = llvm.getelementptr %s[%o] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
    llvm.store %i, %p : i64, !llvm.ptr<3>
    )") + first + R"(
    %x = llvm.load %q : !llvm.ptr<3> -> i64
    %c32 = arith.constant 32 : i64
    %front = arith.andi %i, %c32 : i64
    %z = llvm.getelementptr %s[%front] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
    %y = llvm.load %z : !llvm.ptr<3> -> i64
    )" + second + R"(
    llvm.store %x, %p : i64, !llvm.ptr<3>
    %r = llvm.getelementptr %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    llvm.store %x, %r : i64, !llvm.ptr
    gpu.return
  })",
                    sharedFloats);
  Pointer out = kernel.allocate<int64_t>("out", 64);
  std::string error = kernel.launch(1, 64, {out, int64_t(far)});
  for (int i = 0; error.empty() && i < 64; ++i)
    EXPECT_EQ(kernel.read<int64_t>(out)[i], i ^ far);
  return error;
}
} // namespace

TEST(Race, WarpBarrier) {
  const char *warp = "nvvm.bar.warp.sync %all : i32";
  const char *block = "gpu.barrier";
  EXPECT_EQ(runWarpBarrier(block, block, 32), "");
  EXPECT_EQ(runWarpBarrier(block, block, 1), "");
  // It orders the lanes of a warp, and no others. All lanes read some places.
  EXPECT_EQ(runWarpBarrier(warp, warp, 1), "");
  expectPart(runWarpBarrier(warp, block, 32), "uninitialized: ");
  expectPart(runWarpBarrier(block, warp, 32),
             "race: thread (32,0,0) of block (0,0,0) reads 8 bytes at @sums+0, "
             "which thread (0,0,0) wrote since the last barrier");
  expectPart(runWarpBarrier("", warp, 1), "race: ");
  expectPart(runWarpBarrier(warp, "", 1), "race: ");
  expectPart(runWarpBarrier(block, "", 1), "race: ");
}

TEST(Race, WarpBarrierIsNoneForOtherWarps) {
  TestKernel kernel(R"(() kernel {
    %t = gpu.thread_id x
    %all = arith.constant -1 : i32
    %i = arith.index_cast %t : index to i64
    %s = llvm.mlir.addressof @sums : !llvm.ptr<3>
    %p = llvm.getelementptr %s[%i] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
    llvm.store %i, %p : i64, !llvm.ptr<3>
    nvvm.bar.warp.sync %all : i32
    %x = llvm.load %s : !llvm.ptr<3> -> i64
    gpu.return
  })",
                    sharedFloats);
  EXPECT_EQ(kernel.launch(1, 32, {}), "");
  expectPart(kernel.launch(1, 64, {}),
             "race: thread (32,0,0) of block (0,0,0) reads 8 bytes at @sums+0, "
             "which thread (0,0,0) wrote since the last barrier");
}
