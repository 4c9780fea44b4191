//===- MatrixTest.cpp - matrix products against plain ones ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestKernel.h"

#include "llvm/ADT/APFloat.h"

using namespace tenon::emulate;

namespace {
/// The bits of a small integer in the 16-bit type.
uint16_t makeBits(bool isHalf, double number) {
  llvm::APFloat value(number);
  bool inexact;
  value.convert(isHalf ? llvm::APFloat::IEEEhalf() : llvm::APFloat::BFloat(),
                llvm::APFloat::rmNearestTiesToEven, &inexact);
  return value.bitcastToAPInt().getZExtValue();
}

/// Numbers that differ in all places, and whose products are exact.
double getLeft(int row, int k) { return (row * 7 + k * 5) % 31 - 15; }
double getRight(int k, int column) { return (k * 3 + column * 11) % 29 - 14; }

/// Code that loads the elements of a fragment one by one: the `count` numbers
/// at `memory`, row-major in rows of `stride`, at the places given as text.
class Fragment {
public:
  Fragment(std::string name, std::string type, std::string memory, int stride)
      : name(name), type(type), memory(memory), stride(stride) {}

  /// The element at row `row` + (a value), column `column` + (a value).
  void add(const char *rowValue, int row, const char *columnValue, int column) {
    std::string id = "%" + name + std::to_string(count++), at = id + "_";
    code += at + "r0 = arith.constant " + std::to_string(row) + " : i64\n" +
            at + "r = arith.addi " + rowValue + ", " + at + "r0 : i64\n" + at +
            "c0 = arith.constant " + std::to_string(column) + " : i64\n" + at +
            "c = arith.addi " + columnValue + ", " + at + "c0 : i64\n" + at +
            "n = arith.constant " + std::to_string(stride) + " : i64\n" + at +
            "m = arith.muli " + at + "r, " + at + "n : i64\n" + at +
            "i = arith.addi " + at + "m, " + at + "c : i64\n" + at +
            "p = llvm.getelementptr " + memory + "[" + at +
            "i] : (!llvm.ptr, i64) -> !llvm.ptr, " + type + "\n";
    pointers.push_back(at + "p");
    elements.push_back(id);
  }
  std::string load(const std::string &vector) {
    std::string all;
    for (size_t i = 0; i < pointers.size(); ++i) {
      code += elements[i] + " = llvm.load " + pointers[i] + " : !llvm.ptr -> " +
              type + "\n";
      all += (i ? ", " : "") + elements[i];
    }
    return code + "%" + name + " = vector.from_elements " + all + " : " +
           vector + "\n";
  }

  std::string name, type, memory, code;
  int stride, count = 0;
  std::vector<std::string> pointers, elements;
};

/// A kernel of one product, written from the layouts of the PTX ISA.
std::string makeProduct(const std::string &type, int depth,
                        const std::string &output) {
  bool wide = type == "f32";
  int pair = wide ? 1 : 2;
  Fragment a("a", type, "%pa", depth), b("b", type, "%pb", 8),
      c("old", output, "%pc", 8);
  for (int k = 0; k < depth; k += 4 * pair)
    for (int row : {0, 8})
      for (int i = 0; i < pair; ++i)
        a.add("%group", row, wide ? "%in" : "%in2", k + i);
  for (int k = 0; k < depth; k += 4 * pair)
    for (int i = 0; i < pair; ++i)
      b.add(wide ? "%in" : "%in2", k + i, "%group", 0);
  for (int row : {0, 8})
    for (int i = 0; i < 2; ++i)
      c.add("%group", row, "%in2", i);
  auto vector = [&](int rows, int columns, const std::string &element) {
    return "vector<" + std::to_string(rows) + "x" + std::to_string(columns) +
           "x" + element + ">";
  };
  std::string va = vector(depth / 2 / pair, pair, type);
  std::string vb = vector(depth / 4 / pair, pair, type);
  std::string vc = vector(2, 2, output);
  std::string code =
      "(%pa: !llvm.ptr, %pb: !llvm.ptr, %pc: !llvm.ptr) kernel {\n"
      "%t = gpu.thread_id x\n%lane = arith.index_cast %t : index to i64\n"
      "%c2 = arith.constant 2 : i64\n%c4 = arith.constant 4 : i64\n"
      "%group = arith.divui %lane, %c4 : i64\n"
      "%in = arith.remui %lane, %c4 : i64\n"
      "%in2 = arith.muli %in, %c2 : i64\n" +
      a.load(va) + b.load(vb) + c.load(vc) +
      "%d = nvgpu.mma.sync (%a, %b, %old) {mmaShape = [16, 8, " +
      std::to_string(depth) + "]" + (wide ? ", tf32Enabled" : "") + "} : (" +
      va + ", " + vb + ", " + vc + ") -> " + vc + "\n";
  for (int i = 0; i < 4; ++i) {
    std::string id = "%d" + std::to_string(i);
    code += id + " = vector.extract %d[" + std::to_string(i / 2) + ", " +
            std::to_string(i % 2) + "] : " + output + " from " + vc +
            "\nllvm.store " + id + ", " + c.pointers[i] + " : " + output +
            ", !llvm.ptr\n";
  }
  return code + "gpu.return\n}";
}

void checkProduct(const std::string &type, int depth,
                  const std::string &output) {
  SCOPED_TRACE(type + " " + std::to_string(depth) + " " + output);
  TestKernel kernel(makeProduct(type, depth, output));
  ASSERT_EQ(kernel.compileError, "");
  bool isHalf = type == "f16";
  std::vector<uint16_t> a16, b16, c16(16 * 8);
  std::vector<float> a32, b32, c32(16 * 8);
  for (int row = 0; row < 16; ++row)
    for (int k = 0; k < depth; ++k) {
      a16.push_back(makeBits(isHalf, getLeft(row, k)));
      // The bits that tf32 cuts off.
      a32.push_back(getLeft(row, k) * 1.000001);
    }
  for (int k = 0; k < depth; ++k)
    for (int column = 0; column < 8; ++column) {
      b16.push_back(makeBits(isHalf, getRight(k, column)));
      b32.push_back(getRight(k, column));
    }
  for (int i = 0; i < 16 * 8; ++i)
    c32[i] = i, c16[i] = makeBits(true, i);
  bool wide = type == "f32";
  Pointer a = wide ? kernel.allocate<float>("a", llvm::ArrayRef(a32))
                   : kernel.allocate<uint16_t>("a", llvm::ArrayRef(a16));
  Pointer b = wide ? kernel.allocate<float>("b", llvm::ArrayRef(b32))
                   : kernel.allocate<uint16_t>("b", llvm::ArrayRef(b16));
  Pointer c = output == "f32"
                  ? kernel.allocate<float>("c", llvm::ArrayRef(c32))
                  : kernel.allocate<uint16_t>("c", llvm::ArrayRef(c16));
  ASSERT_EQ(kernel.launch(1, 32, {a, b, c}), "");
  for (int row = 0; row < 16; ++row)
    for (int column = 0; column < 8; ++column) {
      double sum = row * 8 + column;
      for (int k = 0; k < depth; ++k)
        sum += getLeft(row, k) * getRight(k, column);
      int place = row * 8 + column;
      if (output == "f32")
        EXPECT_EQ(kernel.read<float>(c)[place], sum) << row << " " << column;
      else
        EXPECT_EQ(kernel.read<uint16_t>(c)[place], makeBits(true, sum))
            << row << " " << column;
    }
  EXPECT_EQ(kernel.statistics.matrixProducts, 1u);
}
} // namespace

TEST(Matrix, Half) {
  checkProduct("f16", 16, "f32");
  checkProduct("f16", 16, "f16");
  checkProduct("f16", 8, "f32");
  checkProduct("f16", 8, "f16");
}

TEST(Matrix, Brain) {
  checkProduct("bf16", 16, "f32");
  checkProduct("bf16", 8, "f32");
}

TEST(Matrix, Tf32) {
  checkProduct("f32", 8, "f32");
  checkProduct("f32", 4, "f32");
}

TEST(Matrix, NotTheWholeWarp) {
  std::string source = makeProduct("f16", 16, "f32");
  TestKernel kernel(source);
  Pointer a = kernel.memory.allocate("a", 512);
  Pointer b = kernel.memory.allocate("b", 256);
  Pointer c = kernel.memory.allocate("c", 512);
  expectPart(kernel.launch(1, 16, {a, b, c}),
             "divergent: thread (0,0,0) of block (0,0,0) runs a matrix product "
             "that lane 16 of its warp does not take part in");
}

namespace {
/// A 16x16 by 16x8 product of halves whose fragments come from shared memory.
/// Thread i writes row i % 16 of A and row i of B (16 rows of 8), both padded.
std::string makeLoadMatrix(const char *barrier, int rowBytes) {
  std::string row = std::to_string(rowBytes);
  return std::string(
             R"((%pa: !llvm.ptr, %pb: !llvm.ptr, %pc: !llvm.ptr) kernel {
    %t = gpu.thread_id x
    %lane = arith.index_cast %t : index to i64
    %c1 = arith.constant 1 : i64
    %c2 = arith.constant 2 : i64
    %c4 = arith.constant 4 : i64
    %c8 = arith.constant 8 : i64
    %c16 = arith.constant 16 : i64
    %row16 = arith.remui %lane, %c16 : i64
    %half = arith.divui %lane, %c16 : i64
    %sa = llvm.mlir.addressof @as : !llvm.ptr<3>
    %sb = llvm.mlir.addressof @bs : !llvm.ptr<3>
    %ga0 = llvm.getelementptr %pa[%row16] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<16 x f16>
    %hb = arith.muli %half, %c8 : i64
    %ga = llvm.getelementptr %ga0[%hb] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %xa = llvm.load %ga : !llvm.ptr -> vector<8xf16>
    %la0 = llvm.getelementptr %sa[%row16] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, !llvm.array<)") +
         row + R"( x i8>
    %la = llvm.getelementptr %la0[%hb] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f16
    llvm.store %xa, %la {alignment = 2 : i64} : vector<8xf16>, !llvm.ptr<3>
    %low = arith.cmpi ult, %lane, %c16 : i64
    scf.if %low {
      %gb = llvm.getelementptr %pb[%lane] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<8 x f16>
      %xb = llvm.load %gb : !llvm.ptr -> vector<8xf16>
      %lb = llvm.getelementptr %sb[%lane] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, !llvm.array<16 x i8>
      llvm.store %xb, %lb : vector<8xf16>, !llvm.ptr<3>
    }
    )" + barrier +
         R"(
    %ra = nvvm.ldmatrix %la {num = 4 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
    %lb16 = llvm.getelementptr %sb[%row16] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, !llvm.array<16 x i8>
    %rb = nvvm.ldmatrix %lb16 {num = 2 : i32, layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32)>
    %a0 = llvm.extractvalue %ra[0] : !llvm.struct<(i32, i32, i32, i32)>
    %a1 = llvm.extractvalue %ra[1] : !llvm.struct<(i32, i32, i32, i32)>
    %a2 = llvm.extractvalue %ra[2] : !llvm.struct<(i32, i32, i32, i32)>
    %a3 = llvm.extractvalue %ra[3] : !llvm.struct<(i32, i32, i32, i32)>
    %b0 = llvm.extractvalue %rb[0] : !llvm.struct<(i32, i32)>
    %b1 = llvm.extractvalue %rb[1] : !llvm.struct<(i32, i32)>
    %ai = vector.from_elements %a0, %a1, %a2, %a3 : vector<4x1xi32>
    %bi = vector.from_elements %b0, %b1 : vector<2x1xi32>
    %a = vector.bitcast %ai : vector<4x1xi32> to vector<4x2xf16>
    %b = vector.bitcast %bi : vector<2x1xi32> to vector<2x2xf16>
    %z = arith.constant dense<0.0> : vector<2x2xf32>
    %d = nvgpu.mma.sync (%a, %b, %z) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    %group = arith.divui %lane, %c4 : i64
    %in = arith.remui %lane, %c4 : i64
    %in2 = arith.muli %in, %c2 : i64
    %g8 = arith.addi %group, %c8 : i64
    %q0 = llvm.getelementptr %pc[%group, %in2] : (!llvm.ptr, i64, i64) -> !llvm.ptr, !llvm.array<8 x f32>
    %q1 = llvm.getelementptr %pc[%g8, %in2] : (!llvm.ptr, i64, i64) -> !llvm.ptr, !llvm.array<8 x f32>
    %d0 = vector.extract %d[0] : vector<2xf32> from vector<2x2xf32>
    %d1 = vector.extract %d[1] : vector<2xf32> from vector<2x2xf32>
    llvm.store %d0, %q0 : vector<2xf32>, !llvm.ptr
    llvm.store %d1, %q1 : vector<2xf32>, !llvm.ptr
    gpu.return
  })";
}

std::string runLoadMatrix(const char *barrier, int rowBytes, bool check) {
  std::string globals =
      "llvm.mlir.global internal @as() {addr_space = 3 : i32, alignment = 16 : "
      "i64} : !llvm.array<1024 x i8>\n"
      "llvm.mlir.global internal @bs() {addr_space = 3 : i32, alignment = 16 : "
      "i64} : !llvm.array<256 x i8>";
  TestKernel kernel(makeLoadMatrix(barrier, rowBytes), globals);
  EXPECT_EQ(kernel.compileError, "");
  std::vector<uint16_t> a, b;
  for (int row = 0; row < 16; ++row)
    for (int k = 0; k < 16; ++k)
      a.push_back(makeBits(true, getLeft(row, k)));
  for (int k = 0; k < 16; ++k)
    for (int column = 0; column < 8; ++column)
      b.push_back(makeBits(true, getRight(k, column)));
  Pointer pa = kernel.allocate<uint16_t>("a", llvm::ArrayRef(a));
  Pointer pb = kernel.allocate<uint16_t>("b", llvm::ArrayRef(b));
  Pointer pc = kernel.allocate<float>("c", 128);
  std::string error = kernel.launch(1, 32, {pa, pb, pc});
  for (int row = 0; check && row < 16; ++row)
    for (int column = 0; column < 8; ++column) {
      double sum = 0;
      for (int k = 0; k < 16; ++k)
        sum += getLeft(row, k) * getRight(k, column);
      EXPECT_EQ(kernel.read<float>(pc)[row * 8 + column], sum)
          << row << " " << column;
    }
  return error;
}
} // namespace

TEST(Matrix, LoadedFromSharedMemory) {
  EXPECT_EQ(runLoadMatrix("gpu.barrier", 48, /*check=*/true), "");
}

TEST(Matrix, LoadNeedsBarrier) {
  expectPart(runLoadMatrix("", 48, false), "race: thread (1,0,0) of block "
                                           "(0,0,0) reads 4 bytes at @as+4");
}

TEST(Matrix, LoadOfUnalignedRows) {
  expectPart(runLoadMatrix("gpu.barrier", 40, false),
             "misaligned: thread (1,0,0) of block (0,0,0) reads 16 bytes at "
             "@as+40");
}
