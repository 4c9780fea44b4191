//===- MemoryTest.cpp - accesses that memory does not allow ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestKernel.h"

using namespace tenon::emulate;

namespace {
/// out[t] = in[t + shift] * 2
const char twice[] = R"((%in: !llvm.ptr, %out: !llvm.ptr, %shift: i64) kernel {
  %b = gpu.block_id x
  %n = gpu.block_dim x
  %t = gpu.thread_id x
  %f = arith.muli %b, %n : index
  %i = arith.addi %f, %t : index
  %ii = arith.index_cast %i : index to i64
  %j = arith.addi %ii, %shift : i64
  %p = llvm.getelementptr %in[%j] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %q = llvm.getelementptr %out[%ii] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %x = llvm.load %p : !llvm.ptr -> f32
  %y = arith.addf %x, %x : f32
  llvm.store %y, %q : f32, !llvm.ptr
  gpu.return
})";
} // namespace

TEST(Memory, Elementwise) {
  TestKernel kernel(twice);
  std::vector<float> numbers(100);
  for (int i = 0; i < 100; ++i)
    numbers[i] = i;
  Pointer in = kernel.allocate<float>("in", llvm::ArrayRef(numbers));
  Pointer out = kernel.allocate<float>("out", 100);
  EXPECT_EQ(kernel.memory.findUninitialized(out), 0u);
  ASSERT_EQ(kernel.launch(2, 50, {in, out, int64_t(0)}), "");
  std::vector<float> results = kernel.read<float>(out);
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(results[i], 2 * i);
  EXPECT_FALSE(kernel.memory.findUninitialized(out));
  EXPECT_EQ(kernel.statistics.globalReadBytes, 400u);
  EXPECT_EQ(kernel.statistics.globalWrittenBytes, 400u);
}

TEST(Memory, OutOfBounds) {
  TestKernel kernel(twice);
  std::vector<float> numbers(64);
  Pointer in = kernel.allocate<float>("in", llvm::ArrayRef(numbers));
  Pointer out = kernel.allocate<float>("out", 63);
  std::string error = kernel.launch(2, 32, {in, out, int64_t(1)});
  EXPECT_EQ(kernel.kind, ErrorKind::OutOfBounds);
  expectPart(error, "out of bounds: thread (31,0,0) of block (1,0,0) reads 4 "
                    "bytes at @in+256, which has 256 bytes");
  error = kernel.launch(2, 32, {in, out, int64_t(-1)});
  expectPart(error, "thread (0,0,0) of block (0,0,0) reads 4 bytes at @in-4");
  error = kernel.launch(2, 32, {in, out, int64_t(0)});
  expectPart(error, "thread (31,0,0) of block (1,0,0) writes 4 bytes at "
                    "@out+252, which has 252 bytes");
  error = kernel.launch(2, 32, {Pointer(), out, int64_t(0)});
  expectPart(error, "reads 4 bytes at the null pointer");
}

TEST(Memory, ReleasedAndReadOnly) {
  TestKernel kernel(twice);
  std::vector<float> numbers(32);
  Pointer in = kernel.allocate<float>("in", llvm::ArrayRef(numbers));
  AllocationOptions options;
  options.readOnly = true;
  Pointer weights = kernel.memory.allocate("weights", 128, options);
  std::string error = kernel.launch(1, 32, {in, weights, int64_t(0)});
  EXPECT_EQ(kernel.kind, ErrorKind::ReadOnly);
  expectPart(error, "writes 4 bytes at @weights+0, which is read-only");
  kernel.memory.release(in);
  error = kernel.launch(1, 32, {in, weights, int64_t(0)});
  expectPart(error, "an address of no memory");
}

TEST(Memory, Uninitialized) {
  TestKernel kernel(twice);
  Pointer in = kernel.allocate<float>("in", 32);
  Pointer out = kernel.allocate<float>("out", 32);
  std::string error = kernel.launch(1, 32, {in, out, int64_t(0)});
  EXPECT_EQ(kernel.kind, ErrorKind::Uninitialized);
  expectPart(error, "reads 4 bytes at @in+0, which were never written");
  std::vector<uint8_t> bytes(126);
  kernel.memory.write(in, bytes);
  error = kernel.launch(1, 32, {in, out, int64_t(0)});
  expectPart(error, "uninitialized: thread (31,0,0) of block (0,0,0) reads 4 "
                    "bytes at @in+124, of which the byte at @in+126 was never "
                    "written");
  kernel.memory.write(in + 126, llvm::ArrayRef(bytes).take_front(2));
  EXPECT_EQ(kernel.launch(1, 32, {in, out, int64_t(0)}), "");
  kernel.memory.forget(in);
  EXPECT_NE(kernel.launch(1, 32, {in, out, int64_t(0)}), "");
}

TEST(Memory, UninitializedShared) {
  TestKernel kernel(R"((%out: !llvm.ptr, %doesWrite: i1) kernel {
    %s = llvm.mlir.addressof @buffer : !llvm.ptr<3>
    %x = arith.constant 1.0 : f32
    %b = gpu.block_id x
    scf.if %doesWrite {
      llvm.store %x, %s : f32, !llvm.ptr<3>
    }
    %y = llvm.load %s : !llvm.ptr<3> -> f32
    %bi = arith.index_cast %b : index to i64
    %p = llvm.getelementptr %out[%bi] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %y, %p : f32, !llvm.ptr
    gpu.return
  })",
                    "llvm.mlir.global external @buffer() {addr_space = 3 : "
                    "i32, alignment = 16 : i64} : !llvm.array<0 x i8>");
  Pointer out = kernel.allocate<float>("out", 2);
  kernel.config.dynamicSharedBytes = 16;
  EXPECT_EQ(kernel.launch(2, 1, {out, 1}), "");
  // The contents of an earlier launch are lost.
  expectPart(kernel.launch(2, 1, {out, 0}),
             "uninitialized: thread (0,0,0) of block (0,0,0) reads 4 bytes at "
             "@buffer+0, which were never written");
  kernel.config.dynamicSharedBytes = 0;
  expectPart(kernel.launch(2, 1, {out, 1}), "out of bounds: ");
}

TEST(Memory, Misaligned) {
  const char *text = R"((%in: !llvm.ptr, %out: !llvm.ptr, %shift: i64) kernel {
    %p = llvm.getelementptr %in[%shift] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %p ALIGNMENT : !llvm.ptr -> vector<4xf32>
    llvm.store %x, %out : vector<4xf32>, !llvm.ptr
    gpu.return
  })";
  auto run = [&](const char *alignment, int64_t shift, uint64_t ofMemory) {
    std::string source = text;
    source.replace(source.find("ALIGNMENT"), 9, alignment);
    TestKernel kernel(source);
    AllocationOptions options;
    options.alignment = ofMemory;
    Pointer in = kernel.memory.allocate("in", 64, options);
    Pointer out = kernel.allocate<float>("out", 4);
    return kernel.launch(1, 1, {in, out, shift});
  };
  EXPECT_EQ(run("", 4, 256), "");
  expectPart(run("", 1, 256), "misaligned: thread (0,0,0) of block (0,0,0) "
                              "reads 16 bytes at @in+4: expected an address "
                              "that is a multiple of 16");
  EXPECT_EQ(run("{alignment = 4 : i64}", 1, 256), "");
  expectPart(run("{alignment = 32 : i64}", 0, 16), "misaligned: ");
}

TEST(Memory, BadLaunch) {
  TestKernel kernel(R"((%in: !llvm.ptr, %x: f32) kernel attributes
      {known_block_size = array<i32: 32, 1, 1>} {
    gpu.return
  })");
  Pointer in = kernel.allocate<float>("in", 4);
  EXPECT_EQ(kernel.launch(1, 32, {in, 1.0f}), "");
  expectPart(kernel.launch(1, 64, {in, 1.0f}),
             "bad launch: kernel @k: expected blocks of size 32 in dimension "
             "0, but got 64");
  expectPart(kernel.launch(1, 32, {in}), "expected 2 arguments, but got 1");
  expectPart(kernel.launch(1, 32, {in, 1}),
             "argument 1: expected a float, but got an integer");
  expectPart(kernel.launch(0, 32, {in, 1.0f}), "at least one block");
}

TEST(Memory, UnknownOp) {
  TestKernel kernel(R"((%in: !llvm.ptr) kernel {
    %m = memref.alloca() : memref<4xf32>
    gpu.return
  })");
  expectPart(kernel.compileError, "unsupported: the emulator does not know the "
                                  "type memref<4xf32>; in kernel @k at "
                                  "memref.alloca, loc(\"kernel.mlir\":");
  TestKernel other(R"((%x: i64) kernel {
    %y = llvm.intr.ctpop(%x) : (i64) -> i64
    gpu.return
  })");
  expectPart(
      other.compileError,
      "unsupported: the emulator does not know the op 'llvm.intr.ctpop'");
}
