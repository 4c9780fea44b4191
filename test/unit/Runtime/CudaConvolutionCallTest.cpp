//===- CudaConvolutionCallTest.cpp - tests of calls of cuDNN --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaLibrarySupport.h"

using namespace tenon;
using namespace tenon::runtime;
using artifact::Status;

namespace {
class CudaConvolution : public CudaLibraryTest {
protected:
  CudaConvolution()
      : CudaLibraryTest("cudnn", "TENON_CUDNN", "tenon_fake_cudnn") {}

  static Case window(Sizes in, Sizes weight, Sizes strides, Sizes dilations,
                     Sizes pads, int64_t groups) {
    Case test = channelsLast(conv(std::move(in), std::move(weight),
                                  std::move(strides), std::move(dilations),
                                  pads, pads, groups, /*constant=*/true));
    test.library = TENON_LIBRARY_CUDNN;
    test.rhs.order = {0, 2, 3, 1};
    return test;
  }
  static Case usual() {
    return window({2, 8, 7, 6}, {16, 8, 3, 3}, {1, 1}, {1, 1}, {1, 1}, 1);
  }
  static Case biased() {
    Case test = usual();
    test.bias = {{{16}}};
    return test;
  }
  /// The algorithm that a case runs with.
  int algorithmOf(const Case &test) {
    EXPECT_EQ(check(test), "");
    return called->algorithm;
  }
};
} // namespace

TEST_F(CudaConvolution, Windows) {
  EXPECT_EQ(check(usual()), "");
  EXPECT_EQ(
      check(window({1, 3, 9, 8}, {6, 3, 3, 2}, {2, 3}, {1, 1}, {1, 0}, 1)), "");
  EXPECT_EQ(
      check(window({1, 4, 9, 9}, {8, 4, 3, 3}, {1, 1}, {2, 3}, {2, 3}, 1)), "");
  EXPECT_EQ(
      check(window({3, 8, 5, 5}, {4, 8, 1, 1}, {2, 2}, {1, 1}, {0, 0}, 1)), "");
  // Groups, down to one channel each.
  EXPECT_EQ(
      check(window({1, 8, 6, 6}, {12, 2, 3, 3}, {1, 1}, {1, 1}, {1, 1}, 4)),
      "");
  EXPECT_EQ(
      check(window({1, 8, 6, 6}, {8, 1, 3, 3}, {1, 1}, {1, 1}, {1, 1}, 8)), "");
}

TEST_F(CudaConvolution, Epilogues) {
  // As versions refuse what they don't fuse: not supported, a bad parameter.
  for (int refusal : {0, 3000, 2000})
    for (bool adds : {false, true})
      for (bool activates : {false, true}) {
        *called = FakeLibrary();
        called->refuseFused = refusal;
        Case test = biased();
        if (adds)
          test.postOps.push_back({TENON_POST_OP_ADD,
                                  0,
                                  0,
                                  {Operand{test.result, test.resultOrder}}});
        if (activates)
          test.postOps.push_back({TENON_POST_OP_RELU});
        EXPECT_EQ(check(test), "") << refusal << adds << activates;
        EXPECT_EQ(called->fusedRuns > 0, refusal == 0);
        // An algorithm that fuses activations alone.
        called->fusedRuns = 0;
        called->algorithms = {0};
        EXPECT_EQ(check(test), "") << refusal << adds << activates;
        EXPECT_EQ(called->fusedRuns > 0, refusal == 0 && activates);
      }
  Case test = usual();
  test.postOps = {{TENON_POST_OP_RELU}};
  EXPECT_EQ(check(test),
            "step 'call': its library does not support this epilogue");
  test.bias = {{{16}}};
  test.postOps = {{TENON_POST_OP_GELU_TANH}};
  EXPECT_EQ(check(test),
            "step 'call': its library does not support this epilogue");
}

TEST_F(CudaConvolution, ReluKeepsNan) {
  for (int refusal : {0, 3000}) {
    called->refuseFused = refusal;
    Case test = biased();
    test.postOps = {{TENON_POST_OP_RELU}};
    CallRun run(test);
    ASSERT_EQ(run.check(), "");
    run.test.lhs.data.assign(run.test.lhs.data.size(), NAN);
    std::vector<float> result(CallRun::count(run.test.result));
    ASSERT_TRUE(run.call(result));
    for (float value : result)
      ASSERT_TRUE(std::isnan(value));
  }
}

TEST_F(CudaConvolution, OnlyTheFirstCallGivesUpToFuse) {
  ::setenv("TENON_CUDA_GRAPH", "0", 1);
  CallRun run(biased());
  ASSERT_EQ(run.check(), "");
  called->refuseFused = 3000;
  EXPECT_EQ(run.compare(),
            "step 'call': cuDNN: it can't be run: CUDNN_STATUS_NOT_SUPPORTED "
            "(as the fake library says)");
}

TEST_F(CudaConvolution, LostDeviceIsNoRefusal) {
  called->refuseFused = 5000;
  EXPECT_EQ(check(biased()), "CUDA device 0 (Fake A, sm_80): step 'call' "
                             "failed: CUDA_ERROR_ILLEGAL_ADDRESS (as the fake "
                             "driver says)");
  get<FakeCuda *()>("tenon_fake_cuda")();
}

TEST_F(CudaConvolution, Algorithms) {
  // Heuristics that list nothing of use don't end it.
  called->findsNothing = true;
  EXPECT_EQ(algorithmOf(usual()), 1);
  called->unable = {1};
  EXPECT_EQ(algorithmOf(usual()), 0);
  Case exact = usual();
  exact.tolerance = 1e-6;
  EXPECT_EQ(check(exact), "");
  *called = FakeLibrary();
  // In their order, but one computes a bias in the same call.
  called->algorithms = {5, 0, 1};
  called->unable = {5};
  EXPECT_EQ(algorithmOf(usual()), 0);
  EXPECT_EQ(algorithmOf(biased()), 1);
  EXPECT_GT(called->fusedRuns, 0);
  Case test = biased();
  test.postOps = {{TENON_POST_OP_RELU}};
  EXPECT_EQ(algorithmOf(test), 0);
  called->unable = {1};
  EXPECT_EQ(algorithmOf(biased()), 5);
}

TEST_F(CudaConvolution, WinogradIsForOneGroupOfF32) {
  for (int algorithm : {6, 7}) {
    called->algorithms = {algorithm, 0};
    EXPECT_EQ(algorithmOf(usual()), algorithm);
    EXPECT_EQ(algorithmOf(window({1, 8, 6, 6}, {12, 2, 3, 3}, {1, 1}, {1, 1},
                                 {1, 1}, 4)),
              0);
  }
}

TEST_F(CudaConvolution, RoundsFactorsOnlyWhereItMay) {
  Case test = usual();
  test.tolerance = 1e-6;
  EXPECT_EQ(check(test), "");
  test.tf32 = true;
  EXPECT_NE(check(test), "");
  test.tolerance = 2e-3;
  EXPECT_EQ(check(test), "");
}

TEST_F(CudaConvolution, Halves) {
  for (bool isHalf : {true, false}) {
    auto store = isHalf ? toHalf : toBFloat;
    auto read = isHalf ? fromHalf : fromBFloat;
    tenon_dtype dtype = {uint8_t(isHalf ? TENON_DL_FLOAT : TENON_DL_BFLOAT), 16,
                         1};
    artifact::DType type =
        isHalf ? artifact::DType::F16 : artifact::DType::BF16;
    TestProgram program;
    // One position: a product of 1x16 by 16x8.
    int32_t x = program.addInput("x", {1, 16, 1, 1}, type),
            w = program.addInput("w", {8, 16, 1, 1}, type),
            y = program.addOutput("y", {1, 8, 1, 1}, type);
    int64_t sizes[][4] = {{1, 16, 1, 1}, {8, 16, 1, 1}, {1, 8, 1, 1}};
    int32_t order[] = {0, 2, 3, 1};
    int64_t ones[] = {1, 1}, zeros[] = {0, 0};
    tenon_call_operand operands[3];
    for (int i = 0; i < 3; ++i)
      operands[i] = {dtype, 4, sizes[i], order};
    tenon_call call = {};
    call.library = TENON_LIBRARY_CUDNN;
    call.primitive = TENON_PRIMITIVE_CONV;
    call.num_operands = 3;
    call.operands = operands;
    tenon_convolution conv = {2, ones, ones, zeros, zeros, 1, 0};
    call.fields = &conv;
    program.addLibrary("c", {x, w, y}, call);
    program.program.device = TENON_PROGRAM_CUDA;
    // Winograd's transforms would round.
    called->algorithms = {6, 7, 0};
    auto model = load(program.get());
    ASSERT_TRUE(model);
    std::vector<uint16_t> data[3];
    for (int i = 0; i < 3; ++i)
      for (int64_t j = 0; j < sizes[i][0] * sizes[i][1]; ++j)
        data[i].push_back(store(float((j * 37 + i * 11) % 23) / 8 - 1));
    tenon_tensor tensors[3];
    for (int i = 0; i < 3; ++i)
      tensors[i] = {data[i].data(), 1, 0, 4, dtype, sizes[i], nullptr, 0};
    Status status = model->run(tensors, 2, tensors + 2, 1);
    ASSERT_TRUE(status) << status.error();
    for (int64_t o = 0; o < 8; ++o) {
      float sum = 0;
      for (int64_t c = 0; c < 16; ++c)
        sum += read(data[0][c]) * read(data[1][o * 16 + c]);
      EXPECT_EQ(data[2][o], store(sum));
    }
    EXPECT_EQ(called->algorithm, 0);
  }
}

TEST_F(CudaConvolution, SteadyStateOnlyLaunchesTheGraph) {
  Case test = usual();
  test.bias = {{{16}}};
  test.postOps = {{TENON_POST_OP_RELU}};
  CallRun run(test);
  ASSERT_EQ(run.check(), "");
  ASSERT_EQ(run.compare(), "");
  FakeCuda before = *fake;
  FakeLibrary calls = *called;
  EXPECT_EQ(calls.searches, 1);
  EXPECT_EQ(calls.captured, 1);
  for (int i = 0; i < 10; ++i)
    ASSERT_EQ(run.compare(), "");
  EXPECT_EQ(fake->allocations, before.allocations);
  EXPECT_EQ(fake->graphLaunches, before.graphLaunches + 10);
  EXPECT_EQ(called->searches, 1);
  EXPECT_EQ(called->runs, calls.runs);
}

TEST_F(CudaConvolution, Errors) {
  Case test = usual();
  called->findsNothing = true;
  called->unable = {0, 1};
  EXPECT_EQ(check(test),
            "step 'call': cuDNN has no deterministic algorithm for this "
            "convolution within 33554432 bytes of workspace; compile with "
            "--without=cudnn");
  *called = FakeLibrary();
  called->failSearch = 4000;
  EXPECT_EQ(check(test),
            "step 'call': cuDNN: no algorithm can be found: "
            "CUDNN_STATUS_INTERNAL_ERROR (as the fake library says)");
  called->failSearch = 0;
  called->failRun = 4000;
  EXPECT_EQ(check(test),
            "step 'call': cuDNN: it can't be run: CUDNN_STATUS_INTERNAL_ERROR "
            "(as the fake library says)");
  called->failRun = 0;
  test.bias = {{{16}}};
  test.postOps = {
      {TENON_POST_OP_ADD, 0, 0, {Operand{test.result, test.resultOrder}}},
      {TENON_POST_OP_RELU}};
  called->refuseFused = 2000;
  called->failActivation = 3000;
  EXPECT_EQ(check(test),
            "step 'call': cuDNN: its relu can't be computed: "
            "CUDNN_STATUS_NOT_SUPPORTED (as the fake library says)");
  called->failAdd = 2000;
  EXPECT_EQ(check(test), "step 'call': cuDNN: its bias can't be added: "
                         "CUDNN_STATUS_BAD_PARAM (as the fake library says)");
  *called = FakeLibrary();
  test = usual();
  test.rhs.order = {};
  EXPECT_EQ(check(test),
            "step 'call': expected two spatial axes, and channels last");
  EXPECT_EQ(
      check(window({2, 8, 0, 6}, {16, 8, 1, 1}, {1, 1}, {1, 1}, {1, 1}, 1)),
      "step 'call': cuDNN does not support operands without elements; compile "
      "with --without=cudnn");
  EXPECT_EQ(
      check(window({0, 8, 7, 6}, {16, 8, 3, 3}, {1, 1}, {1, 1}, {1, 1}, 1)),
      "");
  ::setenv("TENON_CUDNN", "/nonexistent/libcudnn.so.9", 1);
  EXPECT_EQ(check(usual()),
            "this artifact calls cuDNN, but /nonexistent/libcudnn.so.9 can't "
            "be opened: /nonexistent/libcudnn.so.9: cannot open shared object "
            "file: No such file or directory; install it, or compile with "
            "--without=cudnn");
}
