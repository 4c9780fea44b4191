//===- LibraryCallTest.cpp - tests of oneDNN calls ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallReference.h"

#include <gtest/gtest.h>

#include <malloc.h>

using namespace tenon;
using namespace tenon::runtime;
using artifact::Status;

TEST(LibraryCall, Matmul) {
  for (bool constant : {false, true})
    for (int32_t threads : {1, 2}) {
      EXPECT_EQ(
          CallRun(matmul({5, 7}, {7, 3}, {5, 3}, constant)).check(threads), "");
      EXPECT_EQ(
          CallRun(matmul({1, 70}, {70, 33}, {1, 33}, constant)).check(threads),
          "");
      EXPECT_EQ(CallRun(matmul({64, 96}, {96, 128}, {64, 128}, constant))
                    .check(threads),
                "");
    }
}

// oneDNN 2.6.3 does both with the parameters of the first.
TEST(LibraryCall, PostOpsOfOneKindDiffer) {
  Case test = matmul({5, 16}, {16, 16}, {5, 16}, false);
  test.postOps = {{TENON_POST_OP_LINEAR, 3, 0}, {TENON_POST_OP_LINEAR, 1, 5}};
  EXPECT_EQ(CallRun(test).check(), "");
  test.postOps = {{TENON_POST_OP_CLIP, -0.5, 0.5},
                  {TENON_POST_OP_CLIP, -0.25, 2}};
  EXPECT_EQ(CallRun(test).check(), "");
  Case window = conv({1, 16, 6, 6}, {16, 16, 3, 3}, {1, 1}, {1, 1}, {1, 1},
                     {1, 1}, 1, true);
  window.postOps = test.postOps;
  EXPECT_EQ(CallRun(window).check(), "");
}

TEST(LibraryCall, MatmulTransposed) {
  for (bool constant : {false, true}) {
    Case test = matmul({5, 7}, {7, 3}, {5, 3}, constant);
    test.rhs.order = {1, 0};
    EXPECT_EQ(CallRun(test).check(), "");
    test.lhs.order = {1, 0};
    EXPECT_EQ(CallRun(test).check(), "");
    test.resultOrder = {1, 0};
    EXPECT_EQ(CallRun(test).check(), "");
  }
}

TEST(LibraryCall, MatmulBatches) {
  for (bool constant : {false, true}) {
    // A weight without batches, a full one, and broadcasts both ways.
    EXPECT_EQ(
        CallRun(matmul({2, 3, 5, 7}, {7, 4}, {2, 3, 5, 4}, constant)).check(),
        "");
    EXPECT_EQ(
        CallRun(matmul({2, 3, 5, 7}, {2, 3, 7, 4}, {2, 3, 5, 4}, constant))
            .check(),
        "");
    EXPECT_EQ(CallRun(matmul({2, 1, 5, 7}, {3, 7, 4}, {2, 3, 5, 4}, constant))
                  .check(),
              "");
    EXPECT_EQ(
        CallRun(matmul({5, 7}, {2, 3, 7, 4}, {2, 3, 5, 4}, constant)).check(),
        "");
    // Attention: [batch, heads, sequence, size] taken from
    // [batch, sequence, heads, size], keys transposed.
    Case test = matmul({2, 3, 5, 8}, {2, 3, 8, 6}, {2, 3, 5, 6}, constant);
    test.lhs.order = {0, 2, 1, 3};
    test.rhs.order = {0, 3, 1, 2};
    EXPECT_EQ(CallRun(test).check(), "");
    // Batches that cannot become rows, with a weight that has none.
    test = matmul({2, 3, 5, 7}, {7, 4}, {2, 3, 5, 4}, constant);
    test.lhs.order = {0, 2, 1, 3};
    EXPECT_EQ(CallRun(test).check(), "");
  }
}

TEST(LibraryCall, MatmulPostOps) {
  const int32_t eltwise[] = {
      TENON_POST_OP_RELU, TENON_POST_OP_GELU_ERF, TENON_POST_OP_GELU_TANH,
      TENON_POST_OP_TANH, TENON_POST_OP_SIGMOID,  TENON_POST_OP_CLIP,
      TENON_POST_OP_ELU,  TENON_POST_OP_SWISH,    TENON_POST_OP_LINEAR,
      TENON_POST_OP_EXP,  TENON_POST_OP_ABS,      TENON_POST_OP_HARD_SWISH,
      TENON_POST_OP_MISH};
  for (int32_t kind : eltwise) {
    Case test = matmul({5, 7}, {7, 19}, {5, 19}, true);
    test.bias = {{{19}}};
    test.postOps = {{kind, kind == TENON_POST_OP_CLIP ? -0.5f : 0.3f, 0.7f}};
    EXPECT_EQ(CallRun(test).check(), "") << kind;
    // After a broadcast that oneDNN does not do well, by the runtime's loops.
    test.postOps.insert(test.postOps.begin(),
                        {TENON_POST_OP_MUL, 0, 0, {{{5, 1}}}});
    EXPECT_EQ(CallRun(test).check(), "") << kind;
  }
  Case root = matmul({5, 7}, {7, 19}, {5, 19}, true);
  root.postOps = {{TENON_POST_OP_ABS}, {TENON_POST_OP_SQRT}};
  EXPECT_EQ(CallRun(root).check(), "");
}

TEST(LibraryCall, MatmulBinaryPostOps) {
  const int32_t binary[] = {TENON_POST_OP_ADD, TENON_POST_OP_MUL,
                            TENON_POST_OP_SUB, TENON_POST_OP_DIV,
                            TENON_POST_OP_MAX, TENON_POST_OP_MIN};
  for (int32_t kind : binary)
    for (Sizes dims : {Sizes{2, 5, 19}, Sizes{5, 19}, Sizes{19}, Sizes{1},
                       Sizes{}, Sizes{2, 5, 1}, Sizes{5, 1}, Sizes{2, 1, 19}})
      for (bool constant : {false, true}) {
        Case test = matmul({2, 5, 7}, {7, 19}, {2, 5, 19}, constant);
        test.bias = {{{19}}};
        test.postOps = {{kind, 0, 0, {{dims}}}, {TENON_POST_OP_RELU}};
        EXPECT_EQ(CallRun(test).check(), "")
            << kind << " " << artifact::formatShape(dims);
      }
}

TEST(LibraryCall, MatmulPostOpsThatLieOtherwise) {
  Case test = matmul({6, 7}, {7, 19}, {6, 19}, true);
  test.postOps = {{TENON_POST_OP_ADD, 0, 0, {Operand{{6, 19}, {1, 0}}}},
                  {TENON_POST_OP_RELU}};
  EXPECT_EQ(CallRun(test).check(), "");
  // The result goes back from heads to positions; the operand does not.
  test = matmul({2, 3, 5, 8}, {2, 3, 8, 6}, {2, 3, 5, 6}, false);
  test.resultOrder = {0, 2, 1, 3};
  test.postOps = {{TENON_POST_OP_ADD, 0, 0, {Operand{{2, 3, 5, 6}}}},
                  {TENON_POST_OP_MUL, 0, 0, {Operand{{2, 1, 1, 6}}}},
                  {TENON_POST_OP_SUB, 0, 0, {Operand{{2, 1, 5, 6}}}}};
  EXPECT_EQ(CallRun(test).check(), "");
}

TEST(LibraryCall, Conv) {
  for (bool constant : {false, true})
    for (bool last : {false, true}) {
      auto check = [&](Case test) {
        return CallRun(last ? channelsLast(test) : test).check();
      };
      // Plain, strided and padded unevenly, dilated, 1x1, three channels.
      EXPECT_EQ(check(conv({1, 16, 8, 8}, {32, 16, 3, 3}, {1, 1}, {1, 1},
                           {1, 1}, {1, 1}, 1, constant)),
                "");
      EXPECT_EQ(check(conv({2, 5, 9, 8}, {6, 5, 3, 2}, {2, 3}, {1, 1}, {1, 0},
                           {0, 2}, 1, constant)),
                "");
      EXPECT_EQ(check(conv({1, 4, 12, 12}, {8, 4, 3, 3}, {1, 1}, {2, 3}, {2, 3},
                           {2, 3}, 1, constant)),
                "");
      EXPECT_EQ(check(conv({1, 8, 7, 7}, {16, 8, 1, 1}, {2, 2}, {1, 1}, {0, 0},
                           {0, 0}, 1, constant)),
                "");
      EXPECT_EQ(check(conv({1, 3, 14, 14}, {16, 3, 7, 7}, {2, 2}, {1, 1},
                           {3, 3}, {3, 3}, 1, constant)),
                "");
    }
}

TEST(LibraryCall, ConvGroupsAndRanks) {
  for (bool last : {false, true}) {
    auto check = [&](Case test) {
      return CallRun(last ? channelsLast(test) : test).check();
    };
    EXPECT_EQ(check(conv({1, 16, 8, 8}, {32, 4, 3, 3}, {1, 1}, {1, 1}, {1, 1},
                         {1, 1}, 4, true)),
              "");
    EXPECT_EQ(check(conv({1, 16, 8, 8}, {16, 1, 3, 3}, {2, 2}, {1, 1}, {1, 1},
                         {1, 1}, 16, true)),
              "");
    EXPECT_EQ(check(conv({1, 6, 8, 8}, {9, 2, 3, 3}, {1, 1}, {1, 1}, {0, 0},
                         {0, 0}, 3, false)),
              "");
    EXPECT_EQ(check(conv({2, 4, 20}, {8, 4, 5}, {2}, {1}, {2}, {2}, 1, true)),
              "");
    EXPECT_EQ(check(conv({1, 4, 5, 6, 7}, {8, 4, 2, 3, 2}, {1, 2, 1}, {1, 1, 2},
                         {0, 1, 1}, {1, 1, 0}, 1, true)),
              "");
  }
  // A weight that lies as [spatial..., c, o], as some exporters write it.
  Case test = conv({1, 16, 8, 8}, {32, 16, 3, 3}, {1, 1}, {1, 1}, {1, 1},
                   {1, 1}, 1, true);
  test.rhs.order = {2, 3, 1, 0};
  EXPECT_EQ(CallRun(test).check(), "");
  test = conv({1, 16, 8, 8}, {32, 4, 3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 4,
              true);
  test.rhs.order = {2, 3, 1, 0};
  EXPECT_EQ(CallRun(test).check(), "");
}

TEST(LibraryCall, ConvPostOps) {
  for (bool last : {false, true}) {
    // Bias, residual, activation; then what broadcasts.
    for (Sizes dims :
         {Sizes{1, 32, 8, 8}, Sizes{1, 32, 1, 1}, Sizes{32, 1, 1}, Sizes{}}) {
      Case test = conv({1, 16, 8, 8}, {32, 16, 3, 3}, {1, 1}, {1, 1}, {1, 1},
                       {1, 1}, 1, true);
      if (last)
        test = channelsLast(test);
      test.bias = {{{32}}};
      Operand residual{dims};
      if (last && dims.size() == 4)
        residual.order = {0, 2, 3, 1};
      test.postOps = {{TENON_POST_OP_ADD, 0, 0, {residual}},
                      {TENON_POST_OP_RELU}};
      EXPECT_EQ(CallRun(test).check(), "")
          << last << " " << artifact::formatShape(dims);
    }
  }
  Case test = conv({1, 16, 8, 8}, {32, 16, 3, 3}, {1, 1}, {1, 1}, {1, 1},
                   {1, 1}, 1, true);
  test.postOps = {{TENON_POST_OP_ADD, 0, 0, {Operand{{7, 8}}}}};
  EXPECT_EQ(CallRun(test).check(),
            "step 'call': expected operand 2 to broadcast to 1x32x8x8, but got "
            "1x1x7x8");
}

// A convolution that is a matrix product runs as one if it has some post-ops.
TEST(LibraryCall, ConvAsMatmul) {
  for (int64_t batch : {1, 3})
    for (bool biased : {false, true})
      for (bool constant : {false, true}) {
        Case test = channelsLast(conv({batch, 16, 5, 6}, {32, 16, 1, 1}, {1, 1},
                                      {1, 1}, {0, 0}, {0, 0}, 1, constant));
        if (biased)
          test.bias = {{{32}}};
        Operand residual{test.result, test.resultOrder};
        test.postOps = {{TENON_POST_OP_MUL, 0, 0, {Operand{{32, 1, 1}}}},
                        {TENON_POST_OP_ADD, 0, 0, {residual}},
                        {TENON_POST_OP_SUB, 0, 0, {Operand{{}}}},
                        {TENON_POST_OP_RELU}};
        EXPECT_EQ(CallRun(test).check(), "");
        // The residual lies otherwise: not a product.
        test.postOps[1].operand[0].order.clear();
        EXPECT_EQ(CallRun(test).check(), "");
        // A broadcast along an axis that the product has not.
        test.postOps[2].operand[0].dims = {1, 6};
        EXPECT_EQ(CallRun(test).check(), "");
      }
  Case dense = channelsLast(conv({1, 16, 5, 6}, {32, 16, 1, 1}, {1, 2}, {1, 1},
                                 {0, 0}, {0, 0}, 1, true));
  dense.postOps = {
      {TENON_POST_OP_ADD, 0, 0, {Operand{dense.result, dense.resultOrder}}}};
  EXPECT_EQ(CallRun(dense).check(), "");
}

TEST(LibraryCall, ConvTranspose) {
  for (bool last : {false, true})
    for (bool constant : {false, true}) {
      auto check = [&](Case test) {
        return CallRun(last ? channelsLast(test) : test).check();
      };
      EXPECT_EQ(check(conv({1, 8, 5, 5}, {8, 6, 3, 3}, {2, 2}, {1, 1}, {1, 1},
                           {1, 1}, 1, constant, true)),
                "");
      EXPECT_EQ(check(conv({2, 8, 5, 4}, {8, 6, 3, 2}, {2, 3}, {1, 1}, {1, 0},
                           {0, 1}, 1, constant, true, {1, 2})),
                "");
      EXPECT_EQ(check(conv({1, 8, 5, 5}, {8, 3, 3, 3}, {1, 1}, {2, 2}, {0, 0},
                           {0, 0}, 4, constant, true)),
                "");
      EXPECT_EQ(check(conv({1, 4, 9}, {4, 6, 4}, {2}, {1}, {1}, {1}, 1,
                           constant, true)),
                "");
    }
  Case test = conv({1, 8, 5, 5}, {8, 6, 3, 3}, {2, 2}, {1, 1}, {1, 1}, {1, 1},
                   1, true, true);
  test.bias = {{{6}}};
  test.postOps = {{TENON_POST_OP_RELU}};
  EXPECT_EQ(CallRun(test).check(), "");
  test.postOps = {{TENON_POST_OP_ADD, 0, 0, {Operand{test.result}}}};
  EXPECT_EQ(CallRun(test).check(), "");
}

TEST(LibraryCall, EmptyResultsAndSums) {
  EXPECT_EQ(CallRun(matmul({0, 7}, {7, 3}, {0, 3}, true)).check(), "");
  for (bool constant : {false, true}) {
    EXPECT_EQ(CallRun(matmul({2, 0}, {0, 3}, {2, 3}, constant)).check(), "");
    Case product = matmul({4, 2, 0}, {0, 3}, {4, 2, 3}, constant);
    product.bias = {{{3}}};
    product.postOps = {{TENON_POST_OP_ADD, 0, 0, {Operand{{2, 1}}}},
                       {TENON_POST_OP_RELU}};
    EXPECT_EQ(CallRun(product).check(), "");
    for (bool last : {false, true})
      for (bool transposed : {false, true}) {
        // No positions but those of the pads; no channels.
        Case test = transposed
                        ? conv({2, 8, 0, 5}, {8, 6, 3, 3}, {2, 2}, {1, 1},
                               {0, 1}, {0, 1}, 1, constant, true, {1, 1})
                        : conv({2, 8, 0, 5}, {6, 8, 3, 3}, {1, 1}, {1, 1},
                               {2, 1}, {2, 1}, 1, constant);
        test.bias = {{{6}}};
        test.postOps = {{TENON_POST_OP_MUL, 0, 0, {Operand{{6, 1, 1}}}},
                        {TENON_POST_OP_LINEAR, 2, 1}};
        EXPECT_EQ(CallRun(last ? channelsLast(test) : test).check(), "");
      }
    Case test = conv({1, 0, 5, 5}, {6, 0, 3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1},
                     1, constant);
    test.bias = {{{6}}};
    EXPECT_EQ(CallRun(test).check(), "");
  }
}

TEST(LibraryCall, RefusesUnknownTypes) {
  TestProgram program;
  int64_t shape[] = {2, 2};
  tenon_call_operand operands[3];
  for (tenon_call_operand &operand : operands)
    operand = {{TENON_DL_FLOAT, 64, 1}, 2, shape, nullptr};
  tenon_call call = {};
  call.num_operands = 3;
  call.operands = operands;
  int32_t x = program.addInput("x", {2, 2}, artifact::DType::F64);
  int32_t y = program.addOutput("y", {2, 2}, artifact::DType::F64);
  program.addLibrary("m", {x, x, y}, call);
  EXPECT_EQ(Model::load(program.get(), {}, "").error(),
            "step 'm': oneDNN has no element type with code 2 and 64 bits");
  for (tenon_call_operand &operand : operands)
    operand.dtype = {TENON_DL_FLOAT, 32, 1};
  call.num_operands = 4;
  EXPECT_EQ(Model::load(program.get(), {}, "").error(),
            "step 'm': expected 4 operands, but got 4 operands and 3 buffers");
}

TEST(LibraryCall, HeapStaysConstant) {
  Case test = conv({1, 16, 8, 8}, {32, 16, 3, 3}, {1, 1}, {1, 1}, {1, 1},
                   {1, 1}, 1, true);
  test.postOps = {{TENON_POST_OP_RELU}};
  CallRun call(channelsLast(test));
  ASSERT_EQ(call.check(), "");
  std::vector<float> actual(CallRun::count(test.result));
  for (int i = 0; i < 10; ++i)
    ASSERT_TRUE(call.call(actual));
  // Threads of the library may allocate something once, late; a leak grows in
  // every round.
  size_t grown = 1;
  for (int round = 0; round < 5 && grown > 0; ++round) {
    size_t before = ::mallinfo2().uordblks;
    for (int i = 0; i < 5000; ++i)
      if (!call.call(actual))
        FAIL();
    grown = ::mallinfo2().uordblks - before;
  }
  EXPECT_EQ(grown, 0u);
}
