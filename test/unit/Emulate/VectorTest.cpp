//===- VectorTest.cpp - vectors, structs and bits -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestKernel.h"

using namespace tenon::emulate;

namespace {
/// Eight floats made by `body` as %y : vector<8xf32> from %x = 0, 1, ..., 7,
/// with %t the number 2.
std::vector<float> compute(const std::string &body,
                           std::string *error = nullptr) {
  TestKernel kernel("(%in: !llvm.ptr, %out: !llvm.ptr, %t: index) kernel {\n"
                    "%x = llvm.load %in : !llvm.ptr -> vector<8xf32>\n" +
                    body +
                    "\nllvm.store %y, %out : vector<8xf32>, !llvm.ptr\n"
                    "gpu.return\n}");
  Pointer in = kernel.allocate<float>(
      "in", llvm::ArrayRef<float>{0, 1, 2, 3, 4, 5, 6, 7});
  Pointer out = kernel.allocate<float>("out", 8);
  std::string text = kernel.launch(1, 1, {in, out, 2});
  if (error)
    *error = text;
  else
    EXPECT_EQ(text, "");
  return kernel.read<float>(out);
}
using Floats = std::vector<float>;
} // namespace

TEST(Vector, ExtractAndInsert) {
  EXPECT_EQ(compute(R"(
    %a = vector.extract %x[%t] : f32 from vector<8xf32>
    %b = vector.extract %x[7] : f32 from vector<8xf32>
    %c = vector.insert %b, %x[%t] : f32 into vector<8xf32>
    %y = vector.insert %a, %c[0] : f32 into vector<8xf32>)"),
            (Floats{2, 1, 7, 3, 4, 5, 6, 7}));
  EXPECT_EQ(compute(R"(
    %m = vector.shape_cast %x : vector<8xf32> to vector<4x2xf32>
    %a = vector.extract %m[%t] : vector<2xf32> from vector<4x2xf32>
    %n = vector.insert %a, %m[0] : vector<2xf32> into vector<4x2xf32>
    %c = arith.constant dense<[8.0, 9.0]> : vector<2xf32>
    %o = vector.insert %c, %n[%t] : vector<2xf32> into vector<4x2xf32>
    %one = arith.constant 1 : index
    %d = arith.subi %t, %one : index
    %b = vector.extract %o[1, %d] : f32 from vector<4x2xf32>
    %p = vector.insert %b, %o[3, 1] : f32 into vector<4x2xf32>
    %y = vector.shape_cast %p : vector<4x2xf32> to vector<8xf32>)"),
            (Floats{4, 5, 2, 3, 8, 9, 6, 3}));
}

TEST(Vector, PositionOutside) {
  std::string error;
  compute(R"(
    %c7 = arith.constant 7 : index
    %j = arith.addi %t, %c7 : index
    %a = vector.extract %x[%j] : f32 from vector<8xf32>
    %y = vector.insert %a, %x[0] : f32 into vector<8xf32>)",
          &error);
  expectPart(error, "out of bounds: thread (0,0,0) of block (0,0,0) takes "
                    "element 9 of a vector of 8");
}

TEST(Vector, SlicesAndShuffles) {
  EXPECT_EQ(compute(R"(
    %m = vector.shape_cast %x : vector<8xf32> to vector<2x4xf32>
    %s = vector.extract_strided_slice %m
        {offsets = [0, 1], sizes = [2, 2], strides = [1, 1]}
        : vector<2x4xf32> to vector<2x2xf32>
    %n = vector.insert_strided_slice %s, %m
        {offsets = [0, 2], strides = [1, 1]}
        : vector<2x2xf32> into vector<2x4xf32>
    %y = vector.shape_cast %n : vector<2x4xf32> to vector<8xf32>)"),
            (Floats{0, 1, 1, 2, 4, 5, 5, 6}));
  EXPECT_EQ(compute(R"(
    %m = vector.shape_cast %x : vector<8xf32> to vector<2x4xf32>
    %t0 = vector.transpose %m, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
    %y = vector.shape_cast %t0 : vector<4x2xf32> to vector<8xf32>)"),
            (Floats{0, 4, 1, 5, 2, 6, 3, 7}));
  EXPECT_EQ(compute(R"(
    %y = vector.shuffle %x, %x [7, 6, 5, 4, 11, 10, 9, 8]
        : vector<8xf32>, vector<8xf32>)"),
            (Floats{7, 6, 5, 4, 3, 2, 1, 0}));
}

TEST(Vector, BroadcastAndReduction) {
  EXPECT_EQ(compute(R"(
    %c = arith.constant 1.0 : f32
    %s = vector.reduction <add>, %x, %c : vector<8xf32> into f32
    %v = vector.broadcast %s : f32 to vector<8xf32>
    %y = vector.fma %x, %x, %v : vector<8xf32>)"),
            (Floats{29, 30, 33, 38, 45, 54, 65, 78}));
  EXPECT_EQ(compute(R"(
    %p = vector.extract_strided_slice %x
        {offsets = [3], sizes = [2], strides = [1]}
        : vector<8xf32> to vector<2xf32>
    %a, %b = vector.to_elements %p : vector<2xf32>
    %r = vector.from_elements %b, %a : vector<2xf32>
    %w = vector.broadcast %r : vector<2xf32> to vector<4x2xf32>
    %y = vector.shape_cast %w : vector<4x2xf32> to vector<8xf32>)"),
            (Floats{4, 3, 4, 3, 4, 3, 4, 3}));
}

TEST(Vector, Bits) {
  // Pairs of halves make 32 bits, the first in the low ones.
  EXPECT_EQ(compute(R"(
    %h = arith.truncf %x : vector<8xf32> to vector<8xf16>
    %w = vector.bitcast %h : vector<8xf16> to vector<4xi32>
    %a = vector.extract %w[1] : i32 from vector<4xi32>
    %p = llvm.bitcast %a : i32 to vector<2xf16>
    %b = vector.extract %p[1] : f16 from vector<2xf16>
    %f = arith.extf %b : f16 to f32
    %c16 = arith.constant 16 : i32
    %hi = arith.shrui %a, %c16 : i32
    %hf = arith.uitofp %hi : i32 to f32
    %q = vector.bitcast %w : vector<4xi32> to vector<8xf16>
    %z = arith.extf %q : vector<8xf16> to vector<8xf32>
    %z1 = vector.insert %f, %z[0] : f32 into vector<8xf32>
    %y = vector.insert %hf, %z1[1] : f32 into vector<8xf32>)"),
            (Floats{3, 0x4200, 2, 3, 4, 5, 6, 7}));
}

TEST(Vector, PoisonThatIsFilled) {
  EXPECT_EQ(compute(R"(
    %p = ub.poison : vector<8xf32>
    %a = vector.insert_strided_slice %x, %p {offsets = [0], strides = [1]}
        : vector<8xf32> into vector<8xf32>
    %u = llvm.mlir.undef : !llvm.struct<(i32, vector<8xf32>)>
    %v = llvm.insertvalue %a, %u[1] : !llvm.struct<(i32, vector<8xf32>)>
    %y = llvm.extractvalue %v[1] : !llvm.struct<(i32, vector<8xf32>)>)"),
            (Floats{0, 1, 2, 3, 4, 5, 6, 7}));
  std::string error;
  compute(R"(
    %p = ub.poison : vector<8xf32>
    %a = vector.extract %x[3] : f32 from vector<8xf32>
    %y = vector.insert %a, %p[3] : f32 into vector<8xf32>)",
          &error);
  expectPart(error, "uninitialized: ");
}

TEST(Vector, AddressesOfStructs) {
  TestKernel kernel(R"((%out: !llvm.ptr, %i: i64) kernel {
    %x = arith.constant 1 : i8
    %p = llvm.getelementptr %out[%i, 1, %i] : (!llvm.ptr, i64, i64)
        -> !llvm.ptr, !llvm.struct<(i8, array<3 x i32>)>
    llvm.store %x, %p : i8, !llvm.ptr
    gpu.return
  })");
  Pointer out = kernel.allocate<uint8_t>("out", 64);
  ASSERT_EQ(kernel.launch(1, 1, {out, 2}), "");
  EXPECT_EQ(kernel.read<uint8_t>(out)[2 * 16 + 4 + 2 * 4], 1);
}
