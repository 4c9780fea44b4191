//===- StepTablesTest.cpp - emitted calls of libraries, and checks --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoadedTables.h"
#include "tenon/Artifact/PluginCall.h"

#include "gtest/gtest.h"

using namespace tenon;
using namespace tenon::emit;
using namespace tenon::emit::test;
using graph::SymInt;

TEST(StepTables, ChecksAreOfTheirStep) {
  std::string text = makeTwoEntries();
  text = substitute(text, R"(    program.require)", R"(
    %f = program.findings : tensor<2x2xi64>
    program.require)");
  text = substitute(text, R"(      program.copy "copy to z")", R"(
      program.launch "look" @kernels::@look(%x, %f) extent(2)
      program.check "gather" %f of "x" shape [m, 2] parts 2 ignored -1
        [#program.range<axis 1, -k to k>, #program.range<axis 0, 0 to m>]
      program.check "scatter" %f shape [4] parts 2
        [#program.range<axis 0, 0 to 4>]
      program.copy "copy to z")");
  text = substitute(text, "live 0 to 1\n    %y = program.output \"z\"",
                    "live 0 to 2\n    %y = program.output \"z\"");
  LoadedTables loaded(substitute(text, "llvm.func @add", R"(
    llvm.func @look(%a: !llvm.ptr, %b: !llvm.ptr, %c: !llvm.ptr,
                    %d: i64, %e: i64) {
      llvm.return
    }
    llvm.func @add)"));
  ASSERT_TRUE(loaded.table);
  const tenon_program &table = *loaded.table;
  ASSERT_EQ(table.num_checks, 2);
  const tenon_check &check = table.checks[0];
  EXPECT_STREQ(check.reader, "gather");
  EXPECT_STREQ(check.input, "x");
  EXPECT_EQ(check.rank, 2);
  EXPECT_EQ(check.num_ranges, 2);
  EXPECT_EQ(check.axes[0], 1);
  EXPECT_EQ(check.axes[1], 0);
  ASSERT_TRUE(check.ignored);
  EXPECT_EQ(*check.ignored, -1);
  EXPECT_EQ(check.parts, 2);
  EXPECT_STREQ(table.steps[check.step].name, "look");
  EXPECT_EQ(table.buffers[check.buffer].kind, TENON_BUFFER_CHECK);
  EXPECT_EQ(table.buffers[check.buffer].bytes, 32);
  int64_t symbols[] = {5, 7}, out[6] = {};
  check.sizes(symbols, out);
  EXPECT_EQ(std::vector<int64_t>(out, out + 6),
            (std::vector<int64_t>{5, 2, -7, 7, 0, 5}));
  EXPECT_EQ(table.checks[1].input, nullptr);
  EXPECT_EQ(table.checks[1].ignored, nullptr);
  EXPECT_EQ(table.checks[1].step, check.step);
}

TEST(StepTables, LibraryCall) {
  LoadedTables loaded(addStep(SymInt::symbol("n"), R"(
      program.call "graph.conv" onednn
        #program.conv<strides = [1, 2], dilations = [3, 4],
                      pads_begin = [5, 6], pads_end = [7, 8], groups = 9>
        (%x, %times, %y) {
        orders = [array<i32: 0, 2, 3, 1>, array<i32>, array<i32>],
        posts = [#program.post<clip(0.5, 6.0)>], constant_weight
      } : tensor<?x3x8x8xf32, #graph.dims<n, 3, 8, 8>>, tensor<6x3x3x3xf32>,
          tensor<?x6x8x8xf32, #graph.dims<2 * n, 6, 8, 8>>)"));
  ASSERT_TRUE(loaded.table);
  const tenon_step &read = loaded.table->steps[2];
  EXPECT_EQ(read.kind, TENON_STEP_LIBRARY);
  EXPECT_EQ(read.kernel, nullptr);
  ASSERT_TRUE(read.call);
  const tenon_call &call = *read.call;
  EXPECT_EQ(call.library, TENON_LIBRARY_ONEDNN);
  EXPECT_EQ(call.primitive, TENON_PRIMITIVE_CONV);
  ASSERT_EQ(call.num_operands, 3);
  EXPECT_EQ(call.operands[0].rank, 4);
  EXPECT_EQ(call.operands[0].shape[0], -1);
  EXPECT_EQ(call.operands[0].order[3], 1);
  EXPECT_EQ(call.operands[1].order, nullptr);
  EXPECT_EQ(call.operands[1].dtype.code, TENON_DL_FLOAT);
  EXPECT_EQ(call.operands[2].shape[0], INT64_MIN);
  EXPECT_EQ(call.operands[2].shape[1], 6);
  ASSERT_EQ(call.num_post_ops, 1);
  EXPECT_EQ(call.post_ops[0].kind, TENON_POST_OP_CLIP);
  EXPECT_EQ(call.post_ops[0].alpha, 0.5f);
  EXPECT_EQ(call.post_ops[0].beta, 6.0f);
  ASSERT_TRUE(call.fields);
  const auto &conv = *static_cast<const tenon_convolution *>(call.fields);
  EXPECT_EQ(conv.num_spatial, 2);
  EXPECT_EQ(conv.strides[1], 2);
  EXPECT_EQ(conv.dilations[0], 3);
  EXPECT_EQ(conv.pads_begin[1], 6);
  EXPECT_EQ(conv.pads_end[0], 7);
  EXPECT_EQ(conv.groups, 9);
  EXPECT_EQ(conv.tf32, 0);
  EXPECT_EQ(call.constant_weight, 1);
  ASSERT_TRUE(call.sizes);
  int64_t symbols[] = {21}, size = 0;
  call.sizes(symbols, &size);
  EXPECT_EQ(size, 42);
}

/// Emits a call of a primitive with these buffers, and returns its fields.
template <typename Fields, typename Check>
static void checkFields(const char *primitive, const char *buffers,
                        const char *types, int32_t number, Check check) {
  LoadedTables loaded(addStep(4, "program.call \"call\" onednn #program." +
                                     std::string(primitive) + buffers + " : " +
                                     types));
  ASSERT_TRUE(loaded.table) << primitive;
  const tenon_call &call = *loaded.table->steps[2].call;
  EXPECT_EQ(call.primitive, number);
  ASSERT_TRUE(call.fields) << primitive;
  check(*static_cast<const Fields *>(call.fields));
}

TEST(StepTables, FieldsOfPrimitives) {
  const char *two = "tensor<1x3x8x8xf32>, tensor<1x3x4x2xf32>";
  for (bool countsPads : {false, true})
    checkFields<tenon_pool>(
        countsPads ? "avg_pool<window = [2, 3], strides = [4, 5], "
                     "pads_begin = [6, 7], counts_pads = true>"
                   : "avg_pool<window = [2, 3], strides = [4, 5], "
                     "pads_begin = [6, 7]>",
        "(%x, %y)", two, TENON_PRIMITIVE_AVG_POOL, [&](const tenon_pool &pool) {
          EXPECT_EQ(pool.num_spatial, 2);
          EXPECT_EQ(pool.window[1], 3);
          EXPECT_EQ(pool.strides[0], 4);
          EXPECT_EQ(pool.pads_begin[1], 7);
          EXPECT_EQ(pool.counts_pads, countsPads);
        });
  checkFields<tenon_lrn>("lrn<window = 5, alpha = 1.0, beta = 2.0, k = 3.0>",
                         "(%x, %y)", two, TENON_PRIMITIVE_LRN,
                         [](const tenon_lrn &lrn) {
                           EXPECT_EQ(lrn.window, 5);
                           EXPECT_EQ(lrn.alpha, 1);
                           EXPECT_EQ(lrn.beta, 2);
                           EXPECT_EQ(lrn.k, 3);
                         });
  checkFields<tenon_layer_norm>(
      "layer_norm<epsilon = 4.0>", "(%x, %y)", two, TENON_PRIMITIVE_LAYER_NORM,
      [](const tenon_layer_norm &norm) { EXPECT_EQ(norm.epsilon, 4); });
  checkFields<tenon_matmul>(
      "matmul<tf32 = true>", "(%x, %x, %y)",
      "tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>",
      TENON_PRIMITIVE_MATMUL,
      [](const tenon_matmul &matmul) { EXPECT_EQ(matmul.tf32, 1); });
  LoadedTables plain(
      addStep(4, "program.call \"call\" onednn #program.softmax(%x, %y) : "
                 "tensor<4x4xf32>, tensor<4x4xf32>"));
  ASSERT_TRUE(plain.table);
  EXPECT_EQ(plain.table->steps[2].call->fields, nullptr);
}

TEST(StepTables, CallOfAPlugin) {
  LoadedTables loaded(addStep(SymInt::symbol("n"), R"(
      program.plugin "p" "mine" "relu"(%x, %plus, %y) file "libmine.so"
        version "1" hash 7 items(n) lifted [true, false, true]
        constant [false, true, false] results 1 symbols ["a", "b"]
        values <2 * n, 5>
        : tensor<4xf32>, tensor<1xf32>, tensor<?x3xf32, #graph.dims<2 * n, 3>>)"));
  ASSERT_TRUE(loaded.table);
  const tenon_step &step = loaded.table->steps[2];
  EXPECT_STREQ(step.name, "p");
  EXPECT_EQ(step.kind, TENON_STEP_PLUGIN);
  EXPECT_EQ(step.num_buffers, 3);
  EXPECT_EQ(step.call, nullptr);
  ASSERT_TRUE(step.plugin);
  const tenon_plugin_call &call = *step.plugin;
  EXPECT_STREQ(call.backend, "mine");
  EXPECT_STREQ(call.file, "libmine.so");
  EXPECT_STREQ(call.pattern, "relu");
  EXPECT_EQ(call.patterns_hash, 7u);
  EXPECT_EQ(call.num_operands, 2);
  EXPECT_EQ(call.num_results, 1);
  EXPECT_EQ(call.operands[0].is_lifted, 1);
  EXPECT_EQ(call.operands[1].is_lifted, 0);
  EXPECT_EQ(call.operands[1].is_constant, 1);
  EXPECT_EQ(call.operands[2].rank, 2);
  ASSERT_EQ(call.num_symbols, 2);
  EXPECT_STREQ(call.symbol_names[1], "b");
  int64_t symbols[] = {21}, out[7] = {};
  call.sizes(symbols, out);
  EXPECT_EQ(std::vector<int64_t>(out, out + 7),
            (std::vector<int64_t>{21, 42, 5, 4, 1, 42, 3}));
}

TEST(StepTables, ChecksOfTheLoad) {
  std::string text = substitute(makeTwoEntries(), "  program.prepare {", R"(
  %f = program.prepared : tensor<1x2xi64>
  program.prepare {)");
  text = substitute(text, R"(    program.copy "copy to p")", R"(
    program.launch "look" @kernels::@scale(%w, %ten, %f) extent(1)
    program.check "gather" %f shape [4] parts 1 [#program.range<axis 0, 0 to 9>]
    program.copy "copy to p")");
  LoadedTables loaded(substitute(text, "live 0 to 1 at 0", "live 0 to 2 at 0"));
  ASSERT_TRUE(loaded.table);
  const tenon_program &table = *loaded.table;
  ASSERT_EQ(table.num_checks, 1);
  EXPECT_EQ(table.prepare.end_step, 3);
  EXPECT_EQ(table.checks[0].step, 1);
  const tenon_buffer &findings = table.buffers[table.checks[0].buffer];
  EXPECT_EQ(findings.kind, TENON_BUFFER_PREPARED);
  EXPECT_EQ(findings.bytes, 16);
  // The steps of an entry are counted from the end of the load.
  EXPECT_EQ(table.entries[0].first_step, 3);
  EXPECT_EQ(table.buffers[table.entries[0].first_buffer + 1].first_step, 3);
}
