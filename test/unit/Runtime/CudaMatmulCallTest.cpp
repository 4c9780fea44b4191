//===- CudaMatmulCallTest.cpp - tests of calls of cuBLASLt ----------------===//
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
class CudaMatmul : public CudaLibraryTest {
protected:
  CudaMatmul()
      : CudaLibraryTest("cublaslt", "TENON_CUBLASLT", "tenon_fake_cublaslt") {}

  static Case product(Sizes lhs, Sizes rhs, Sizes result) {
    Case test = matmul(std::move(lhs), std::move(rhs), std::move(result),
                       /*constant=*/false);
    test.library = TENON_LIBRARY_CUBLASLT;
    return test;
  }
};
} // namespace

TEST_F(CudaMatmul, Products) {
  EXPECT_EQ(check(product({5, 7}, {7, 3}, {5, 3})), "");
  EXPECT_EQ(check(product({1, 16}, {16, 9}, {1, 9})), "");
  EXPECT_EQ(check(product({9, 1}, {1, 4}, {9, 4})), "");
  EXPECT_EQ(check(product({9, 4}, {4, 1}, {9, 1})), "");
  Case test = product({5, 7}, {7, 3}, {5, 3});
  test.rhs.constant = true;
  EXPECT_EQ(check(test), "");
  test.rhs.order = {1, 0};
  EXPECT_EQ(check(test), "");
  test.lhs.order = {1, 0};
  EXPECT_EQ(check(test), "");
  test.rhs.order = {};
  EXPECT_EQ(check(test), "");
}

TEST_F(CudaMatmul, Batches) {
  // A matrix for all: batches are rows, and there is one product.
  EXPECT_EQ(check(product({2, 3, 5, 7}, {1, 1, 7, 4}, {2, 3, 5, 4})), "");
  EXPECT_EQ(check(product({2, 3, 5, 7}, {2, 3, 7, 4}, {2, 3, 5, 4})), "");
  EXPECT_EQ(check(product({1, 1, 5, 7}, {2, 3, 7, 4}, {2, 3, 5, 4})), "");
  EXPECT_EQ(check(product({3, 1, 7}, {3, 7, 4}, {3, 1, 4})), "");
  Case test = product({3, 5, 8}, {3, 8, 6}, {3, 5, 6});
  test.rhs.order = {0, 2, 1};
  EXPECT_EQ(check(test), "");
  // Heads of attention, as they lie in [1, sequence, heads, size].
  test = product({1, 3, 5, 8}, {1, 3, 8, 6}, {1, 3, 5, 6});
  test.lhs.order = {0, 2, 1, 3};
  test.rhs.order = {0, 3, 1, 2};
  test.resultOrder = {0, 2, 1, 3};
  EXPECT_EQ(check(test), "");
  // One of two batch axes is broadcast: there is no single stride.
  EXPECT_EQ(
      check(product({2, 1, 5, 7}, {2, 3, 7, 4}, {2, 3, 5, 4})),
      "step 'call': expected operands whose batches have one constant stride");
}

TEST_F(CudaMatmul, Epilogues) {
  for (bool biased : {false, true})
    for (bool adds : {false, true})
      for (int32_t activation :
           {-1, int(TENON_POST_OP_RELU), int(TENON_POST_OP_GELU_TANH)})
        for (int64_t batch : {1, 3}) {
          Case test = product({batch, 5, 7}, {batch, 7, 6}, {batch, 5, 6});
          if (biased)
            test.bias = {{{6}}};
          if (adds)
            test.postOps.push_back(
                {TENON_POST_OP_ADD, 0, 0, {Operand{test.result}}});
          if (activation >= 0)
            test.postOps.push_back({activation});
          EXPECT_EQ(check(test), "") << biased << adds << activation << batch;
        }
  Case test = product({5, 7}, {7, 6}, {5, 6});
  for (std::vector<PostOp> postOps :
       {std::vector<PostOp>{{TENON_POST_OP_TANH}},
        std::vector<PostOp>{{TENON_POST_OP_GELU_ERF}},
        std::vector<PostOp>{{TENON_POST_OP_RELU}, {TENON_POST_OP_RELU}}}) {
    test.postOps = postOps;
    EXPECT_EQ(check(test),
              "step 'call': its library does not support this epilogue");
  }
  test.postOps = {{TENON_POST_OP_ADD, 0, 0, {Operand{{5, 6}, {1, 0}}}}};
  EXPECT_EQ(
      check(test),
      "step 'call': expected the added tensor to have the result's layout");
}

TEST_F(CudaMatmul, RoundsFactorsOnlyWhereItMay) {
  Case test = product({5, 64}, {64, 6}, {5, 6});
  test.tolerance = 1e-6;
  EXPECT_EQ(check(test), "");
  test.tf32 = true;
  EXPECT_NE(check(test), "");
  test.tolerance = 2e-3;
  EXPECT_EQ(check(test), "");
}

TEST_F(CudaMatmul, EmptyResultsAndSums) {
  EXPECT_EQ(check(product({0, 7}, {7, 3}, {0, 3})), "");
  EXPECT_EQ(called->runs, 0);
  Case test = product({2, 4, 0}, {1, 0, 3}, {2, 4, 3});
  test.postOps = {{TENON_POST_OP_GELU_TANH}};
  EXPECT_EQ(check(test), "");
  EXPECT_EQ(called->runs, 0);
  EXPECT_GT(fake->memsets, 0);
  test.bias = {{{3}}};
  EXPECT_EQ(check(test),
            "step 'call': an empty sum can't have a bias or a residual");
}

TEST_F(CudaMatmul, Halves) {
  for (bool isHalf : {true, false}) {
    auto store = isHalf ? toHalf : toBFloat;
    auto read = isHalf ? fromHalf : fromBFloat;
    tenon_dtype dtype = {uint8_t(isHalf ? TENON_DL_FLOAT : TENON_DL_BFLOAT), 16,
                         1};
    artifact::DType type =
        isHalf ? artifact::DType::F16 : artifact::DType::BF16;
    TestProgram program;
    int32_t x = program.addInput("x", {4, 40}, type),
            w = program.addInput("w", {40, 3}, type),
            b = program.addInput("b", {3}, type),
            y = program.addOutput("y", {4, 3}, type);
    int64_t sizes[][2] = {{4, 40}, {40, 3}, {3, 0}, {4, 3}};
    tenon_call_operand operands[4];
    for (int i = 0; i < 4; ++i)
      operands[i] = {dtype, i == 2 ? 1 : 2, sizes[i], nullptr};
    tenon_post_op relu = {TENON_POST_OP_RELU, 0, 0};
    tenon_call call = {};
    call.library = TENON_LIBRARY_CUBLASLT;
    call.num_operands = 4;
    call.operands = operands;
    call.num_post_ops = 1;
    tenon_matmul matmul = {};
    call.fields = &matmul;
    call.post_ops = &relu;
    program.addLibrary("m", {x, w, b, y}, call);
    program.program.device = TENON_PROGRAM_CUDA;
    auto model = load(program.get());
    ASSERT_TRUE(model);
    std::vector<uint16_t> data[4];
    for (int i = 0; i < 4; ++i)
      for (int64_t j = 0; j < sizes[i][0] * std::max<int64_t>(sizes[i][1], 1);
           ++j)
        data[i].push_back(store(float((j * 37 + i * 11) % 23) / 8 - 1));
    tenon_tensor tensors[4];
    for (int i = 0; i < 4; ++i)
      tensors[i] = {data[i].data(), 1,        0,       i == 2 ? 1 : 2,
                    dtype,          sizes[i], nullptr, 0};
    for (int run = 0; run < 3; ++run) {
      Status status = model->run(tensors, 3, tensors + 3, 1);
      ASSERT_TRUE(status) << status.error();
      for (int64_t i = 0; i < 4; ++i)
        for (int64_t j = 0; j < 3; ++j) {
          float sum = read(data[2][j]);
          for (int64_t k = 0; k < 40; ++k)
            sum += read(data[0][i * 40 + k]) * read(data[1][k * 3 + j]);
          EXPECT_EQ(data[3][i * 3 + j], store(std::max(sum, 0.0f)));
        }
    }
  }
}

/// y[n, 3] = relu(x[n, 4] * w[4, 3]).
static void makeRows(TestProgram &program) {
  static const int64_t x[] = {-1, 4}, w[] = {4, 3}, y[] = {-1, 3};
  static const tenon_dtype f32 = {TENON_DL_FLOAT, 32, 1};
  static const tenon_call_operand operands[] = {
      {f32, 2, x, nullptr}, {f32, 2, w, nullptr}, {f32, 2, y, nullptr}};
  static const tenon_post_op relu = {TENON_POST_OP_RELU, 0, 0};
  static const tenon_call call = [] {
    static const tenon_matmul exact = {0};
    tenon_call call = {};
    call.fields = &exact;
    call.library = TENON_LIBRARY_CUBLASLT;
    call.num_operands = 3;
    call.operands = operands;
    call.num_post_ops = 1;
    call.post_ops = &relu;
    return call;
  }();
  program.addSymbol("n");
  int32_t in = program.addInput("x", {-1, 4}),
          out = program.addOutput("y", {-1, 3});
  static const float weight[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  int32_t constant = program.addConstant(weight, sizeof weight);
  program.addLibrary("product", {in, constant, out}, call);
  program.entry.buffer_bytes = [](const int64_t *symbols, int64_t *bytes) {
    bytes[0] = 16 * symbols[0];
    bytes[1] = 12 * symbols[0];
    bytes[2] = 48;
  };
  program.program.device = TENON_PROGRAM_CUDA;
}

TEST_F(CudaMatmul, SteadyStateSearchesAndAllocatesNothing) {
  TestProgram program;
  makeRows(program);
  auto model = load(program.get());
  // The workspace is there before the first call.
  EXPECT_EQ(fake->liveBytes, (int64_t(32) << 20) + 256);
  auto expectRun = [&](int64_t n) {
    TestTensor x({n, 4}, 1), y({n, 3}, NAN);
    Status status = run(*model, {&x}, {&y});
    ASSERT_TRUE(status) << status.error();
    EXPECT_EQ(y.data[0], 22);
    EXPECT_EQ(y.data[static_cast<size_t>(3 * n - 1)], 30);
  };
  for (int64_t n : {7, 3, 5, 7, 3, 5, 7, 3, 5})
    expectRun(n);
  EXPECT_EQ(called->searches, 3);
  EXPECT_EQ(called->captured, 3);
  EXPECT_EQ(called->workspaceLimit, int64_t(32) << 20);
  FakeCuda before = *fake;
  long runs = called->runs;
  for (int i = 0; i < 20; ++i)
    expectRun(3 + 2 * (i % 3));
  EXPECT_EQ(fake->allocations, before.allocations);
  EXPECT_EQ(fake->captures, before.captures);
  EXPECT_EQ(fake->graphLaunches, before.graphLaunches + 20);
  EXPECT_EQ(called->searches, 3);
  EXPECT_EQ(called->runs, runs);
}

TEST_F(CudaMatmul, TensorsOfCallersMayLieAnywhere) {
  TestProgram program;
  makeRows(program);
  auto model = load(program.get());
  std::vector<float> values(4 * 5 + 1, 1);
  values[0] = 100;
  DeviceTensor x(library, values), y(library, std::vector<float>(15));
  tenon_tensor in = x.get(), out = y.get();
  int64_t inSizes[] = {5, 4}, outSizes[] = {5, 3};
  in.ndim = out.ndim = 2;
  in.shape = inSizes;
  out.shape = outSizes;
  in.byte_offset = 4;
  for (int i = 0; i < 4; ++i) {
    Status status = model->run(&in, 1, &out, 1);
    ASSERT_TRUE(status) << status.error();
    EXPECT_EQ(y.values()[0], 22);
    EXPECT_EQ(y.values()[14], 30);
  }
  EXPECT_EQ(called->searches, 1);
}

TEST_F(CudaMatmul, Traces) {
  TestProgram program;
  makeRows(program);
  tenon_options options = {};
  options.trace = 1;
  auto model = load(program.get(), options);
  TestTensor x({2, 4}, 1), y({2, 3});
  ASSERT_TRUE(run(*model, {&x}, {&y}));
  EXPECT_EQ(fake->graphLaunches, 0);
  // A library's first call is not in a graph.
  ASSERT_TRUE(run(*model, {&x}, {&y}));
  EXPECT_EQ(fake->graphLaunches, 1);
  std::string json = *model->traceJson();
  EXPECT_NE(json.find("cublaslt"), std::string::npos) << json;
  EXPECT_NE(json.find("algorithm 42"), std::string::npos) << json;
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

TEST_F(CudaMatmul, LibraryThatIsNotThere) {
  TestProgram program;
  makeRows(program);
  ::setenv("TENON_CUBLASLT", "/nonexistent/libcublasLt.so.13", 1);
  EXPECT_EQ(loadError(program.get()),
            "this artifact calls cuBLASLt, but /nonexistent/libcublasLt.so.13 "
            "can't be opened: /nonexistent/libcublasLt.so.13: cannot open "
            "shared object file: No such file or directory; install it, or "
            "compile with --without=cublaslt");
  ::setenv("TENON_CUBLASLT", "libm.so.6", 1);
  EXPECT_EQ(loadError(program.get()), "the library cuBLASLt (libm.so.6) is too "
                                      "old: it lacks cublasLtGetVersion");
}

TEST_F(CudaMatmul, LibraryThatIsTooOld) {
  TestProgram program;
  makeRows(program);
  called->version = 120099;
  std::string error = loadError(program.get());
  EXPECT_EQ(
      error.substr(error.rfind('/')),
      "/libtenon_fake_cublaslt.so) is too old: expected version 12.1.0 or "
      "later, but got 12.0.99, whose products of 16-bit matrices can be wrong");
  called->version = 120100;
  EXPECT_EQ(loadError(program.get()), "");
}

TEST_F(CudaMatmul, LibraryThatFails) {
  TestProgram program;
  makeRows(program);
  called->failCreate = 14;
  EXPECT_NE(loadError(program.get())
                .find(") does not start: CUBLAS_STATUS_INTERNAL_ERROR (as the "
                      "fake library says)"),
            std::string::npos);
  called->failCreate = 0;
  auto model = load(program.get());
  TestTensor x({2, 4}, 1), y({2, 3});
  called->failSearch = 14;
  EXPECT_EQ(run(*model, {&x}, {&y}).error(),
            "step 'product': cuBLASLt: no algorithm can be found: "
            "CUBLAS_STATUS_INTERNAL_ERROR (as the fake library says)");
  called->failSearch = 0;
  called->findsNothing = true;
  EXPECT_EQ(run(*model, {&x}, {&y}).error(),
            "step 'product': cuBLASLt has no algorithm for this product within "
            "33554432 bytes of workspace; compile with --without=cublaslt");
  called->findsNothing = false;
  for (int i = 0; i < 3; ++i) {
    called->failRun = 14;
    EXPECT_EQ(run(*model, {&x}, {&y}).error(),
              "step 'product': cuBLASLt: it can't be run: "
              "CUBLAS_STATUS_INTERNAL_ERROR (as the fake library says)");
    called->failRun = 0;
    ASSERT_TRUE(run(*model, {&x}, {&y}));
    EXPECT_EQ(y.data[0], 22);
    x = TestTensor({2 + i, 4}, 1);
    y = TestTensor({2 + i, 3});
  }
}

TEST_F(CudaMatmul, NoMemoryForTheWorkspace) {
  TestProgram program;
  makeRows(program);
  fake->failAllocation = 1;
  std::string error = loadError(program.get());
  EXPECT_NE(error.find("the workspace of libraries needs 33554432 bytes"),
            std::string::npos)
      << error;
}
