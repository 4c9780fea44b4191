//===- GpuContractionTest.cpp - sums of products as GPU kernels -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuContractionCase.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/IR/Verifier.h"
#include "gtest/gtest.h"

using namespace tenon;
using namespace tenon::lower;

namespace {
using Case = GpuContractionCase;

std::string tensor(const std::string &sizes, const std::string &type) {
  return "tensor<" + sizes + "x" + type + ">";
}

/// A matmul of two tensors.
Case matmul(const std::string &a, const std::string &b, const std::string &to,
            const std::string &type, const std::string &flags = "",
            LowerOptions options = Case::forGpu()) {
  std::string ta = tensor(a, type), tb = tensor(b, type), tc = tensor(to, type);
  return Case("(%a: " + ta + ", %b: " + tb + ") -> " + tc,
              "%0 = graph.matmul %a, %b " + flags + " : (" + ta + ", " + tb +
                  ") -> " + tc + "\nreturn %0 : " + tc,
              options);
}

const char *const kTransposes[] = {"", "transpose_a", "transpose_b",
                                   "transpose_a transpose_b"};

void testTransposes(const std::string &type, LowerOptions options) {
  // Multiples of tiles, of accesses, and of nothing.
  struct Sizes {
    const char *mk, *km, *kn, *nk, *mn;
  };
  for (const Sizes &sizes :
       {Sizes{"64x64", "64x64", "64x64", "64x64", "64x64"},
        Sizes{"40x72", "72x40", "72x56", "56x72", "40x56"},
        Sizes{"37x41", "41x37", "41x45", "45x41", "37x45"}})
    for (const char *flags : kTransposes) {
      std::string text = flags;
      bool a = text.find("_a") != std::string::npos;
      bool b = text.find("_b") != std::string::npos;
      SCOPED_TRACE(type + " " + sizes.mk + " " + flags);
      matmul(a ? sizes.km : sizes.mk, b ? sizes.nk : sizes.kn, sizes.mn, type,
             flags, options)
          .run();
    }
}

TEST(GpuContractionTest, MultipliesF32) {
  testTransposes("f32", Case::forGpu());
}
TEST(GpuContractionTest, MultipliesStrictly) {
  testTransposes("f32", Case::strictly());
}
TEST(GpuContractionTest, MultipliesTf32) {
  testTransposes("f32", Case::withTf32());
}
TEST(GpuContractionTest, MultipliesF16) {
  testTransposes("f16", Case::forGpu());
}
TEST(GpuContractionTest, MultipliesBf16) {
  testTransposes("bf16", Case::forGpu());
}
TEST(GpuContractionTest, MultipliesF16WithoutTensorCoresIfStrict) {
  Case strict = matmul("40x72", "72x56", "40x56", "f16", "", Case::strictly());
  EXPECT_FALSE(strict.getContraction().useTensorCores);
  strict.run();
}

TEST(GpuContractionTest, RoundsAsItsTypesDo) {
  matmul("37x41", "41x45", "37x45", "f32").runAny(1e-6);
  matmul("37x41", "41x45", "37x45", "f32", "", Case::strictly()).runAny(1e-6);
  // Rounded, not cut off: errors of both signs, which cancel in part.
  matmul("37x41", "41x45", "37x45", "f32", "", Case::withTf32())
      .runAny(1.0 / 4096);
  matmul("37x41", "41x45", "37x45", "bf16").runAny(1e-6);
}

/// Every tile, by sizes that it is chosen for.
TEST(GpuContractionTest, HasTilesOfManySizes) {
  for (const char *type : {"f32", "tf32", "f16"}) {
    bool tf32 = std::string(type) == "tf32";
    for (auto [m, n] :
         {std::pair(1536, 1536), std::pair(2048, 448), std::pair(448, 2048),
          std::pair(640, 640), std::pair(16, 4096), std::pair(4096, 16),
          std::pair(32, 2048), std::pair(2048, 32), std::pair(32, 32)}) {
      SCOPED_TRACE(std::string(type) + " " + std::to_string(m) + " " +
                   std::to_string(n));
      std::string rows = std::to_string(m), columns = std::to_string(n);
      Case large = matmul(rows + "x16", "16x" + columns, rows + "x" + columns,
                          tf32 ? "f32" : type, "",
                          tf32 ? Case::withTf32() : Case::forGpu());
      ASSERT_TRUE(large.matches());
      large.run();
    }
  }
}

TEST(GpuContractionTest, HasBatches) {
  // Both factors have the first axis of the first one only.
  matmul("3x20x24", "3x24x36", "3x20x36", "f32").run();
  matmul("2x3x20x24", "3x24x36", "2x3x20x36", "f32").run();
  matmul("2x3x20x24", "24x36", "2x3x20x36", "f16").run();
  matmul("20x24", "5x24x36", "5x20x36", "bf16").run();
  matmul("1x20x24", "1x24x36", "1x20x36", "f16").run();
}

TEST(GpuContractionTest, ComputesFactorsAsTheyAreRead) {
  for (const char *type : {"f32", "f16", "bf16"}) {
    SCOPED_TRACE(type);
    std::string a = tensor("40x72", type), b = tensor("72x56", type),
                c = tensor("40x56", type);
    Case("(%a: " + a + ", %b: " + b + ") -> " + c,
         "%0 = graph.relu %a : " + a + "\n%1 = graph.add %b, %b : " + b +
             "\n%2 = graph.matmul %0, %1 : (" + a + ", " + b + ") -> " + c +
             "\nreturn %2 : " + c)
        .run();
    // Odd sizes: one element at a time.
    std::string d = tensor("41x33", type), e = tensor("33x35", type),
                f = tensor("41x35", type);
    Case("(%a: " + d + ", %b: " + e + ") -> " + f,
         "%0 = graph.relu %a : " + d + "\n%2 = graph.matmul %0, %b : (" + d +
             ", " + e + ") -> " + f + "\nreturn %2 : " + f)
        .run();
  }
}

TEST(GpuContractionTest, ComputesFromTheSumWhatFollows) {
  for (const char *type : {"f32", "f16", "bf16"})
    for (const char *columns : {"56", "45"}) {
      SCOPED_TRACE(std::string(type) + " " + columns);
      std::string n = columns;
      std::string a = tensor("40x72", type), b = tensor("72x" + n, type),
                  c = tensor("40x" + n, type), bias = tensor(n, type);
      std::string body =
          "%0 = graph.matmul %a, %b : (" + a + ", " + b + ") -> " + c +
          "\n%1 = graph.broadcast %bias shape = [40, " + n + "] : (" + bias +
          ") -> " + c + "\n%2 = graph.add %0, %1 : " + c +
          "\n%3 = graph.relu %2 : " + c + "\n%4 = graph.add %3, %r : " + c;
      std::string arguments = "(%a: " + a + ", %b: " + b + ", %bias: " + bias +
                              ", %r: " + c + ") -> ";
      Case(arguments + c, body + "\nreturn %4 : " + c).run();
      // What it follows from is a result too.
      Case(arguments + "(" + c + ", " + c + ")",
           body + "\nreturn %4, %0 : " + c + ", " + c)
          .run();
    }
}

TEST(GpuContractionTest, ReadsFactorsFromElsewhere) {
  auto check = [](const std::string &name, const std::string &a,
                  const std::string &op, const std::string &moved) {
    for (const char *type : {"f32", "f16", "bf16"}) {
      SCOPED_TRACE(name + " " + type);
      std::string from = tensor(a, type), to = tensor(moved, type),
                  b = tensor("24x36", type), c = tensor("32x36", type);
      std::string ops = op;
      for (const auto &[mark, text] :
           {std::pair<std::string, std::string>("FROM", from),
            {"TO", to},
            {"TYPE", type}})
        for (size_t at; (at = ops.find(mark)) != std::string::npos;)
          ops.replace(at, mark.size(), text);
      Case("(%a: " + from + ", %b: " + b + ") -> " + c,
           ops + "\n%2 = graph.matmul %1, %b : (" + to + ", " + b + ") -> " +
               c + "\nreturn %2 : " + c)
          .run();
    }
  };
  check("transpose", "24x32",
        "%1 = graph.transpose %a perm = [1, 0] : (FROM) -> TO", "32x24");
  check("heads", "4x3x8x8",
        "%0 = graph.transpose %a perm = [0, 2, 1, 3] : (FROM) -> "
        "tensor<4x8x3x8xTYPE>\n%1 = graph.reshape %0 shape = [32, 24] : "
        "(tensor<4x8x3x8xTYPE>) -> TO",
        "32x24");
  check("pad", "30x22",
        "%1 = graph.pad %a low = [1, 2] high = [1, 0] constant value = 0.5 : "
        "(FROM) -> TO",
        "32x24");
  check("concat", "32x12",
        "%1 = graph.concat %a, %a axis = 1 : (FROM, FROM) -> TO", "32x24");
  check("slice", "40x60",
        "%1 = graph.slice %a starts = [3, 4] sizes = [32, 24] steps = [1, 2] : "
        "(FROM) -> TO",
        "32x24");
}

TEST(GpuContractionTest, WritesOtherTypes) {
  std::string body = "%0 = graph.matmul %a, %b : (tensor<40x72xf16>, "
                     "tensor<72x56xf16>) -> tensor<40x56xf16>\n";
  std::string arguments = "(%a: tensor<40x72xf16>, %b: tensor<72x56xf16>) -> ";
  Case(arguments + "tensor<40x56xf32>",
       body + "%1 = graph.cast %0 to f32 : tensor<40x56xf16>\n"
              "return %1 : tensor<40x56xf32>")
      .run();
  Case(arguments + "tensor<40x56xi1>",
       body + "%1 = graph.less %0, %0 : tensor<40x56xf16>\n"
              "return %1 : tensor<40x56xi1>")
      .run();
  // A factor of each type.
  Case("(%a: tensor<40x72xf16>, %b: tensor<72x56xf32>) -> tensor<40x56xf32>",
       "%0 = graph.cast %a to f32 : tensor<40x72xf16>\n"
       "%1 = graph.matmul %0, %b : (tensor<40x72xf32>, tensor<72x56xf32>) -> "
       "tensor<40x56xf32>\nreturn %1 : tensor<40x56xf32>",
       Case::withTf32())
      .run();
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

Case convolution(const std::string &input, const std::string &weight,
                 const std::string &to, const std::string &type,
                 const std::string &how,
                 LowerOptions options = Case::forGpu()) {
  std::string tx = tensor(input, type), tw = tensor(weight, type),
              ty = tensor(to, type);
  return Case("(%x: " + tx + ", %w: " + tw + ") -> " + ty,
              "%0 = graph.conv %x, %w " + how + " : (" + tx + ", " + tw +
                  ") -> " + ty + "\nreturn %0 : " + ty,
              options);
}

TEST(GpuContractionTest, ConvolvesImages) {
  struct Shape {
    const char *name, *x, *w, *y, *how;
  };
  for (const Shape &shape :
       {Shape{"padded", "2x8x9x10", "12x8x3x3", "2x12x9x10",
              "strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups "
              "= 1 channels_first"},
        Shape{"strided", "2x3x17x15", "8x3x5x3", "2x8x8x8",
              "strides = [2, 2] pads = [1, 1, 1, 1] dilations = [1, 1] groups "
              "= 1 channels_first"},
        Shape{"dilated", "1x4x14x12", "8x4x3x3", "1x8x10x8",
              "strides = [1, 1] pads = [0, 0, 0, 0] dilations = [2, 2] groups "
              "= 1 channels_first"},
        Shape{"grouped", "2x16x8x8", "24x8x3x3", "2x24x8x8",
              "strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups "
              "= 2 channels_first"},
        Shape{"pointwise", "2x16x6x6", "24x16x1x1", "2x24x6x6",
              "strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] groups "
              "= 1 channels_first"},
        Shape{"channels last", "2x9x10x8", "12x8x3x3", "2x9x10x12",
              "strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups "
              "= 1 channels_last"},
        Shape{"many channels last", "1x6x5x64", "40x64x3x3", "1x3x3x40",
              "strides = [2, 2] pads = [1, 1, 1, 1] dilations = [1, 1] groups "
              "= 1 channels_last"},
        Shape{"grouped channels last", "2x7x6x16", "8x8x3x2", "2x7x7x8",
              "strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups "
              "= 2 channels_last"},
        Shape{"one axis", "2x8x33", "16x8x5", "2x16x16",
              "strides = [2] pads = [0, 2] dilations = [1] groups = 1 "
              "channels_first"}}) {
    for (const char *type : {"f32", "f16", "bf16"}) {
      SCOPED_TRACE(std::string(shape.name) + " " + type);
      convolution(shape.x, shape.w, shape.y, type, shape.how).run();
    }
    SCOPED_TRACE(shape.name);
    convolution(shape.x, shape.w, shape.y, "f32", shape.how, Case::withTf32())
        .run();
  }
}

TEST(GpuContractionTest, ConvolvesBackwards) {
  Case("(%x: tensor<2x8x5x6xf32>, %w: tensor<8x12x3x3xf32>) -> "
       "tensor<2x12x9x11xf32>",
       "%0 = graph.conv_transpose %x, %w strides = [2, 2] pads = [1, 1, 1, 1] "
       "dilations = [1, 1] output_padding = [0, 0] groups = 1 : "
       "(tensor<2x8x5x6xf32>, tensor<8x12x3x3xf32>) -> tensor<2x12x9x11xf32>\n"
       "return %0 : tensor<2x12x9x11xf32>")
      .run();
}

//===----------------------------------------------------------------------===//
// Symbolic sizes
//===----------------------------------------------------------------------===//

TEST(GpuContractionTest, TakesSizesWhenItRuns) {
  for (const char *type : {"f32", "f16"}) {
    SCOPED_TRACE(type);
    std::string t = type;
    std::string a = "tensor<?x?x?x" + t + ", #graph.dims<b, m, k>>",
                b = "tensor<?x?x?x" + t + ", #graph.dims<b, k, n>>",
                c = "tensor<?x?x?x" + t + ", #graph.dims<b, m, n>>";
    Case any("(%a: " + a + ", %b: " + b + ") -> " + c,
             "%0 = graph.matmul %a, %b : (" + a + ", " + b + ") -> " + c +
                 "\nreturn %0 : " + c);
    any.run({{"b", 2}, {"m", 37}, {"k", 19}, {"n", 70}});
    any.run({{"b", 1}, {"m", 1}, {"k", 1}, {"n", 1}});
    any.run({{"b", 1}, {"m", 3}, {"k", 0}, {"n", 5}});
  }
  Case image("(%x: tensor<?x3x?x?xf32, #graph.dims<n, 3, h, w>>, %w: "
             "tensor<8x3x3x3xf32>) -> tensor<?x8x?x?xf32, #graph.dims<n, 8, "
             "((h + 1) floordiv (2)), w>>",
             "%0 = graph.conv %x, %w strides = [2, 1] pads = [1, 1, 1, 1] "
             "dilations = [1, 1] groups = 1 channels_first : "
             "(tensor<?x3x?x?xf32, #graph.dims<n, 3, h, w>>, "
             "tensor<8x3x3x3xf32>) -> tensor<?x8x?x?xf32, #graph.dims<n, 8, "
             "((h + 1) floordiv (2)), w>>\nreturn %0 : tensor<?x8x?x?xf32, "
             "#graph.dims<n, 8, ((h + 1) floordiv (2)), w>>");
  image.run({{"n", 2}, {"h", 9}, {"w", 7}});
  image.run({{"n", 1}, {"h", 1}, {"w", 1}});
}

TEST(GpuContractionTest, ReadsWidelyWhereSizesAreMultiples) {
  std::string a = "tensor<?x64xf16, #graph.dims<8 * m, 64>>",
              b = "tensor<64x48xf16>",
              c = "tensor<?x48xf16, #graph.dims<8 * m, 48>>";
  Case any("(%a: " + a + ", %b: " + b + ") -> " + c,
           "%0 = graph.matmul %a, %b : (" + a + ", " + b + ") -> " + c +
               "\nreturn %0 : " + c);
  ASSERT_TRUE(any.matches());
  EXPECT_EQ(analyzeAccess(any.getContraction().a, 8).lanes, 8);
  EXPECT_EQ(analyzeAccess(any.getContraction().b, 8).lanes, 8);
  any.run({{"m", 5}});
}

//===----------------------------------------------------------------------===//
// What it leaves to others
//===----------------------------------------------------------------------===//

TEST(GpuContractionTest, Declines) {
  EXPECT_FALSE(matmul("1x64", "64x64", "1x64", "f32").matches());
  EXPECT_FALSE(matmul("64x64", "64x1", "64x1", "f32").matches());
  EXPECT_FALSE(matmul("64x3", "3x64", "64x64", "f32").matches());
  EXPECT_FALSE(matmul("64x64", "64x64", "64x64", "i32").matches());
  EXPECT_FALSE(matmul("64x64", "64x64", "64x64", "f64").matches());
  std::string how = "strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] "
                    "groups = 8 channels_first";
  // Each channel by itself.
  EXPECT_FALSE(
      convolution("2x8x9x9", "8x1x3x3", "2x8x9x9", "f32", how).matches());
  // Beyond the edge, zero times an infinity would be added.
  how = "strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 "
        "channels_first";
  EXPECT_FALSE(
      convolution("2x8x9x9", "8x8x3x3", "2x8x9x9", "f32", how, Case::strictly())
          .matches());
}

//===----------------------------------------------------------------------===//
// What becomes of it
//===----------------------------------------------------------------------===//

TEST(GpuContractionTest, LowersMatrixProducts) {
  for (const char *type : {"f32", "f16", "bf16"}) {
    Case lowered =
        matmul("64x64", "64x64", "64x64", type, "", Case::withTf32());
    ASSERT_TRUE(lowered.matches());
    lowerMatrixProducts(lowered.getModule());
    EXPECT_TRUE(succeeded(mlir::verify(lowered.getModule())));
    unsigned before = 0, after = 0;
    lowered.getModule().walk([&](mlir::Operation *op) {
      before += mlir::isa<mlir::nvgpu::MmaSyncOp>(op);
      after += mlir::isa<mlir::NVVM::MmaOp>(op);
    });
    EXPECT_EQ(before, 0u);
    EXPECT_GT(after, 0u);
  }
}

//===----------------------------------------------------------------------===//
// What the emulator sees
//===----------------------------------------------------------------------===//

TEST(GpuContractionTest, NeedsEachBarrier) {
  for (int number : {0, 1}) {
    Case broken = matmul("64x64", "64x64", "64x64", "f32");
    ASSERT_TRUE(broken.matches());
    std::vector<mlir::gpu::BarrierOp> barriers;
    broken.getKernel().walk(
        [&](mlir::gpu::BarrierOp barrier) { barriers.push_back(barrier); });
    ASSERT_EQ(barriers.size(), 2u);
    barriers[number].erase();
    EXPECT_EQ(broken.launch().substr(0, 4), "race") << number;
  }
}

} // namespace
