//===- RooflineTest.cpp - costs against sums by hand ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestModule.h"
#include "tenon/Backend/BuiltIn.h"
#include "tenon/Cost/CostModel.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::cost;
using tenon::cost::test::getContext;
using tenon::cost::test::TestModule;

static DeviceProfile profile(StringRef name) {
  llvm::Expected<DeviceProfile> found = getProfile(name);
  EXPECT_TRUE(static_cast<bool>(found));
  return std::move(*found);
}

/// The figures of the A100, in flops per second, bytes per second, and bytes.
static constexpr double kPeak = 19.5e12, kMemory = 2.039e12, kCache = 4.078e12;
static constexpr double kLaunch = 2e-6;
/// Half a wave of 108 multiprocessors: 64 x 64 tiles, 256 deep.
static constexpr double kHalfPeak = 108.0 * 64 * 64 * 256 * 2;

TEST(Roofline, Matmul) {
  TestModule module("%a: tensor<128x256xf32>, %b: tensor<256x64xf32>", R"(
    %0 = graph.matmul %a, %b
        : (tensor<128x256xf32>, tensor<256x64xf32>) -> tensor<128x64xf32>)");
  CostModel costs(profile("a100"));
  Work work = costs.getWork(module.get<graph::MatmulOp>());
  EXPECT_EQ(work.matrixFlops, 2.0 * 128 * 64 * 256);
  EXPECT_EQ(work.vectorFlops, 0);
  EXPECT_EQ(work.bytesRead, (128 * 256 + 256 * 64) * 4.0);
  EXPECT_EQ(work.bytesWritten, 128 * 64 * 4.0);
  EXPECT_EQ(work.bits, 32u);
  Cost cost = costs.estimate(work);
  // 11.8 us of compute, as it is too small to fill the device; 0.06 of memory.
  double compute = (2.0 * 128 * 64 * 256 + kHalfPeak) / kPeak;
  EXPECT_DOUBLE_EQ(cost.seconds, compute + kLaunch);
  EXPECT_FALSE(cost.measured);
  ASSERT_EQ(cost.terms.size(), 2u);
  EXPECT_EQ(cost.terms[0].name, "compute");
  EXPECT_EQ(cost.terms[1].name, "launch");
  EXPECT_EQ(cost.str(), "13.83 us = 11.83 compute + 2 launch");
}

TEST(Roofline, HalfPeakIsReachedAtItsSize) {
  CostModel costs(profile("a100"));
  Work work;
  work.matrixFlops = kHalfPeak;
  EXPECT_DOUBLE_EQ(costs.estimate(work).seconds - kLaunch,
                   kHalfPeak / (kPeak / 2));
}

TEST(Roofline, MatmulOfBatchesAndTransposedOperands) {
  TestModule module("%a: tensor<3x1x16x8xf32>, %b: tensor<5x32x16xf32>", R"(
    %0 = graph.matmul %a, %b transpose_a transpose_b
        : (tensor<3x1x16x8xf32>, tensor<5x32x16xf32>) -> tensor<3x5x8x32xf32>)");
  Work work = CostModel(profile("a100")).getWork(module.get<graph::MatmulOp>());
  EXPECT_EQ(work.matrixFlops, 2.0 * 3 * 5 * 8 * 32 * 16);
}

TEST(Roofline, ConvOfGroupsAndBatches) {
  TestModule module("%x: tensor<2x64x56x56xf32>, %w: tensor<128x16x3x3xf32>",
                    R"(
    %0 = graph.conv %x, %w strides = [2, 2] pads = [1, 1, 1, 1]
        dilations = [1, 1] groups = 4 channels_first
        : (tensor<2x64x56x56xf32>, tensor<128x16x3x3xf32>)
        -> tensor<2x128x28x28xf32>)");
  CostModel costs(profile("a100"));
  Work work = costs.getWork(module.get<graph::ConvOp>());
  // Every element of the result is a sum over 16 channels and 3 x 3.
  double flops = 2.0 * (2 * 128 * 28 * 28) * (16 * 3 * 3);
  EXPECT_EQ(work.matrixFlops, flops);
  EXPECT_EQ(work.bytesRead, (2 * 64 * 56 * 56 + 128 * 16 * 9) * 4.0);
  EXPECT_EQ(work.bytesWritten, 2 * 128 * 28 * 28 * 4.0);
  EXPECT_DOUBLE_EQ(costs.estimate(work).seconds,
                   (flops + kHalfPeak) / kPeak + kLaunch);
}

TEST(Roofline, ConvTranspose) {
  TestModule module("%x: tensor<1x8x10x10xf32>, %w: tensor<8x6x4x4xf32>", R"(
    %0 = graph.conv_transpose %x, %w strides = [2, 2] pads = [1, 1, 1, 1]
        dilations = [1, 1] output_padding = [0, 0] groups = 2
        : (tensor<1x8x10x10xf32>, tensor<8x6x4x4xf32>)
        -> tensor<1x12x20x20xf32>)");
  Work work =
      CostModel(profile("a100")).getWork(module.get<graph::ConvTransposeOp>());
  // Every element of the input goes into 6 channels and 4 x 4.
  EXPECT_EQ(work.matrixFlops, 2.0 * (8 * 10 * 10) * (6 * 4 * 4));
}

TEST(Roofline, ConvBackwardWeight) {
  TestModule module("%x: tensor<2x8x10x10xf32>, %y: tensor<2x6x5x5xf32>", R"(
    %0 = graph.conv_backward_weight %x, %y kernel = [3, 3] strides = [2, 2]
        pads = [1, 1] dilations = [1, 1] groups = 2
        : (tensor<2x8x10x10xf32>, tensor<2x6x5x5xf32>) -> tensor<6x4x3x3xf32>)");
  Work work = CostModel(profile("a100"))
                  .getWork(module.get<graph::ConvBackwardWeightOp>());
  // Every element of the cotangent goes into 4 channels and 3 x 3 taps.
  EXPECT_EQ(work.matrixFlops, 2.0 * (2 * 6 * 5 * 5) * (4 * 3 * 3));
}

TEST(Roofline, DoublesRunAtHalfOfThePeak) {
  TestModule module("%a: tensor<512x512xf64>", R"(
    %0 = graph.matmul %a, %a
        : (tensor<512x512xf64>, tensor<512x512xf64>) -> tensor<512x512xf64>)");
  CostModel costs(profile("a100"));
  double flops = 2.0 * 512 * 512 * 512;
  EXPECT_DOUBLE_EQ(
      costs.estimate(costs.getWork(module.get<graph::MatmulOp>())).seconds,
      (flops + kHalfPeak) / (kPeak / 2) + kLaunch);
}

TEST(Roofline, ReluIsBoundByMemory) {
  TestModule module("%x: tensor<2048x4096xf32>, %s: tensor<256x256xf32>", R"(
    %0 = graph.relu %x : tensor<2048x4096xf32>
    %1 = graph.neg %s : tensor<256x256xf32>)");
  CostModel costs(profile("a100"));
  Cost large = costs.estimate(costs.getWork(module.get<graph::ReluOp>()));
  EXPECT_DOUBLE_EQ(large.seconds, 2 * 2048 * 4096 * 4 / kMemory + kLaunch);
  EXPECT_EQ(large.terms[0].name, "memory");
  // Half a mebibyte lies in the cache.
  Cost small = costs.estimate(costs.getWork(module.get<graph::NegOp>()));
  EXPECT_DOUBLE_EQ(small.seconds, 2 * 256 * 256 * 4 / kCache + kLaunch);
}

TEST(Roofline, HalvesHaveTheirOwnPeak) {
  TestModule module("%a: tensor<512x512xf16>", R"(
    %0 = graph.matmul %a, %a
        : (tensor<512x512xf16>, tensor<512x512xf16>) -> tensor<512x512xf16>)");
  CostModel costs(profile("a100"));
  Work work = costs.getWork(module.get<graph::MatmulOp>());
  EXPECT_EQ(work.bits, 16u);
  // Both operands are one tensor.
  EXPECT_EQ(work.bytesRead, 512 * 512 * 2.0);
  EXPECT_DOUBLE_EQ(costs.estimate(work).seconds,
                   (2.0 * 512 * 512 * 512 + kHalfPeak) / 312e12 + kLaunch);
}

TEST(Roofline, SymbolsHaveSizes) {
  TestModule module("%a: tensor<?x8xf32, #graph.dims<n, 8>>", R"(
    %0 = graph.relu %a : tensor<?x8xf32, #graph.dims<n, 8>>)");
  auto relu = module.get<graph::ReluOp>();
  EXPECT_EQ(CostModel(profile("a100"), nullptr, {{"n", 100}})
                .getWork(relu)
                .bytesWritten,
            100 * 8 * 4.0);
  EXPECT_EQ(CostModel(profile("a100")).getWork(relu).bytesWritten,
            16 * 8 * 4.0);
  EXPECT_EQ(CostModel(profile("a100"), nullptr, {{"m", 100}}, 7)
                .getWork(relu)
                .bytesWritten,
            7 * 8 * 4.0);
}

TEST(Roofline, OnlyReshapesAreFree) {
  TestModule module("%x: tensor<8x8xf32>", R"(
    %0 = graph.slice %x starts = [0, 0] sizes = [4, 8] steps = [1, 1]
        : (tensor<8x8xf32>) -> tensor<4x8xf32>
    %1:2 = graph.split %x axis = 0 sizes = [4, 4]
        : (tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
    %2 = graph.reshape %x shape = [64] : (tensor<8x8xf32>) -> tensor<64xf32>
    %3 = graph.broadcast %x shape = [2, 8, 8]
        : (tensor<8x8xf32>) -> tensor<2x8x8xf32>)");
  CostModel costs(profile("cpu"));
  for (Operation *op : {module.get<graph::SliceOp>().getOperation(),
                        module.get<graph::SplitOp>().getOperation(),
                        module.get<graph::BroadcastOp>().getOperation()}) {
    EXPECT_FALSE(costs.isFree(op));
    EXPECT_GT(costs.estimate(costs.getWork(op)).seconds, 0);
  }
  EXPECT_TRUE(costs.isFree(module.get<graph::ReshapeOp>()));
}

TEST(Roofline, WeightsAreComputedAtLoad) {
  TestModule module("%x: tensor<4xf32>", R"(
    %w = graph.parameter @w : tensor<4xf32>
    %c = graph.constant dense<2.0> : tensor<4xf32>
    %0 = graph.mul %w, %c : tensor<4xf32>
    %1 = graph.exp %0 : tensor<4xf32>
    %2 = graph.add %1, %x : tensor<4xf32>)");
  CostModel costs(profile("a100"));
  EXPECT_TRUE(costs.isFree(module.get<graph::ParameterOp>()));
  EXPECT_TRUE(costs.isFree(module.get<graph::ConstantOp>()));
  EXPECT_TRUE(costs.isFree(module.get<graph::ExpOp>()));
  EXPECT_FALSE(costs.isFree(module.get<graph::AddOp>()));
}

static constexpr const char *kKernel = R"(
    %0 = kernel.call "onednn" "matmul+add+relu" (%x, %w) {
    ^bb0(%a: tensor<8x16xf32>, %b: tensor<16x16xf32>):
      %1 = graph.matmul %a, %b
          : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %2 = graph.add %1, %a : tensor<8x16xf32>
      %3 = graph.relu %2 : tensor<8x16xf32>
      kernel.yield %3 : tensor<8x16xf32>
    } : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>)";

TEST(Roofline, KernelReadsOperandsOnce) {
  TestModule module("%x: tensor<8x16xf32>, %w: tensor<16x16xf32>", kKernel);
  CostModel costs(profile("cpu"));
  auto call = module.get<kernel::CallOp>();
  Work work = costs.getWork(call);
  EXPECT_EQ(work.matrixFlops, 2.0 * 8 * 16 * 16);
  EXPECT_EQ(work.vectorFlops, 2.0 * 8 * 16);
  EXPECT_EQ(work.bytesRead, (8 * 16 + 16 * 16) * 4.0);
  EXPECT_EQ(work.bytesWritten, 8 * 16 * 4.0);
  // A library takes a start of its own; generated code does matrix work more
  // slowly.
  EXPECT_EQ(costs.estimate(call).seconds,
            costs.estimate(work).seconds + profile("cpu").librarySeconds);
  call.setBackend("cpu");
  EXPECT_GT(costs.estimate(call).seconds, costs.estimate(work).seconds);
}

TEST(Roofline, WinogradMultipliesLess) {
  llvm::cantFail(backend::BackendRegistry::get(&getContext())
                     .add(backend::createWinogradBackend()));
  auto getWork = [](StringRef size, StringRef backend) {
    std::string x = ("tensor<2x" + size + "x" + size + "x64xf32>").str();
    std::string text =
        "%0 = kernel.call \"" + backend.str() + "\" \"conv\"(%x, %w) {\n" +
        "^bb0(%a: " + x + ", %b: tensor<64x32x3x3xf32>):\n" +
        "%1 = graph.conv %a, %b strides = [1, 1] pads = [1, 1, 1, 1] "
        "dilations = [1, 1] groups = 2 channels_last : (" +
        x + ", tensor<64x32x3x3xf32>) -> " + x + "\nkernel.yield %1 : " + x +
        "\n} : (" + x + ", tensor<64x32x3x3xf32>) -> " + x;
    TestModule module("%x: " + x + ", %w: tensor<64x32x3x3xf32>", text);
    return CostModel(profile("cpu")).getWork(module.get<kernel::CallOp>());
  };
  Work plain = getWork("28", "onednn"), fast = getWork("28", "winograd");
  EXPECT_EQ(plain.matrixFlops, 2.0 * 2 * 28 * 28 * 64 * 32 * 9);
  // 2 x 7 x 7 tiles of 6 x 6 points, each a product of groups of 32 channels;
  // and the transformed weights are read, like 31 tiles.
  EXPECT_EQ(fast.matrixFlops, 2.0 * 36 * (98 + 31) * 64 * 32);
  EXPECT_EQ(fast.vectorFlops - plain.vectorFlops, 14.0 * 36 * 98 * (64 + 64));
  EXPECT_EQ(fast.bytesWritten, plain.bytesWritten);
  // A single tile of 2 x 2 has fewer points.
  EXPECT_EQ(getWork("2", "winograd").matrixFlops,
            2.0 * 16 * (2 + 31) * 64 * 32);
}

TEST(Roofline, OtherSizesScaleWhatWasMeasured) {
  const char *larger = R"(
    %0 = kernel.call "onednn" "matmul" (%x, %w) {
    ^bb0(%a: tensor<SIZEx16xf32>, %b: tensor<16x16xf32>):
      %1 = graph.matmul %a, %b : (tensor<SIZEx16xf32>, tensor<16x16xf32>) -> tensor<SIZEx16xf32>
      kernel.yield %1 : tensor<SIZEx16xf32>
    } : (tensor<SIZEx16xf32>, tensor<16x16xf32>) -> tensor<SIZEx16xf32>)";
  auto make = [&](const std::string &size) {
    std::string body = larger;
    for (size_t at; (at = body.find("SIZE")) != std::string::npos;)
      body.replace(at, 4, size);
    return TestModule("%x: tensor<" + size + "x16xf32>, %w: tensor<16x16xf32>",
                      body);
  };
  TestModule first = make("64"), second = make("256"), between = make("128");
  CostDatabase database({"cpu:x86-64-v3", "a processor", 1, {}});
  CostModel costs(profile("cpu"), &database);
  for (auto [module, ratio] : {std::pair(&first, 2.0), {&second, 4.0}}) {
    auto call = module->get<kernel::CallOp>();
    double roofline = costs.estimateRoofline(call).seconds;
    database.add(getKernelKey(call, {}), {ratio * roofline, ratio * roofline,
                                          ratio * roofline, 5, roofline});
  }
  auto call = between.get<kernel::CallOp>();
  Cost cost = costs.estimate(call);
  EXPECT_TRUE(cost.scaled);
  EXPECT_FALSE(cost.measured);
  EXPECT_GT(cost.seconds, 2 * costs.estimateRoofline(call).seconds);
  EXPECT_LT(cost.seconds, 4 * costs.estimateRoofline(call).seconds);
}

TEST(Roofline, MeasuredComesFirst) {
  TestModule module("%x: tensor<8x16xf32>, %w: tensor<16x16xf32>", kKernel);
  auto call = module.get<kernel::CallOp>();
  CostDatabase database({"cpu:x86-64-v3", "a processor", 1, {}});
  CostModel costs(profile("cpu"), &database);
  EXPECT_FALSE(costs.estimate(call).measured);
  database.add(getKernelKey(call, {}), {3.12e-5, 3e-5, 4e-5, 20});
  Cost cost = costs.estimate(call);
  EXPECT_TRUE(cost.measured);
  EXPECT_EQ(cost.seconds, 3.12e-5);
  EXPECT_EQ(cost.str(), "31.2 us measured");
}

TEST(Roofline, GatherReadsWhatItPicks) {
  TestModule module("%t: tensor<30000x64xf32>, %i: tensor<10xi64>", R"(
    %0 = graph.gather %t, %i axis = 0
        : (tensor<30000x64xf32>, tensor<10xi64>) -> tensor<10x64xf32>)");
  Work work = CostModel(profile("cpu")).getWork(module.get<graph::GatherOp>());
  EXPECT_EQ(work.bytesRead, 10 * 64 * 4.0 + 10 * 8);
}
