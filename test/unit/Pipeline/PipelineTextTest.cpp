//===- PipelineTextTest.cpp - the description of a pipeline ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/Pipeline.h"

#include "gtest/gtest.h"

using namespace tenon::artifact;

static Pipeline makePipeline() {
  Pipeline pipeline;
  pipeline.miniBatch = 4;
  pipeline.isTraining = true;
  pipeline.lossStage = 1;
  pipeline.target = {0, 1};
  pipeline.numInputs = 1;
  pipeline.numLinks = 1;
  PipelineOperand input, operand;
  input.name = "x \"quoted\"";
  input.dtype = DType::I64;
  input.shape = {1, 3};
  input.samples = {0, 1};
  input.input = 0;
  PipelineResult result;
  result.name = "s0.0";
  result.shape = {3, 2};
  result.samples = {1, 2};
  static_cast<PipelineValue &>(operand) = result;
  operand.stage = 0;
  operand.result = 0;
  operand.link = 0;
  PipelineResult output;
  output.name = "y";
  output.outputs = {0};
  pipeline.stages = {{"s0", {0}, {0, 0, 0}, {input}, {result}},
                     {"s1", {1}, {1e-3, 0.5, 2}, {operand}, {output}}};
  pipeline.ranks = {{{"forward", 0, 0, 4, {}},
                     {"transfer", -1, 0, 0, {{true, 1, 0, false, 0, 4}}}},
                    {{"transfer", -1, 0, 0, {{false, 0, 0, false, 0, 4}}},
                     {"forward", 1, 0, 4, {}},
                     {"reduce", 1, 0, 0, {}}}};
  return pipeline;
}

TEST(PipelineText, ReadsBack) {
  std::string text = makePipeline().toJson();
  Expected<Pipeline> read = parsePipeline(text);
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->toJson(), text);
  EXPECT_EQ(read->stages[1].operands[0].getShape(3),
            (std::vector<int64_t>{3, 6}));
}

/// Every number that is out of its range is an error, and never a crash.
TEST(PipelineText, ChangedNumbersAreRefusedOrRead) {
  std::string text = makePipeline().toJson();
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] < '0' || text[at] > '9')
      continue;
    for (const char *other : {"-7", "9999999999", "null", "\"\"", "[]"}) {
      std::string changed = text;
      changed.replace(at, 1, other);
      (void)parsePipeline(changed);
    }
  }
  for (size_t length = 0; length < text.size(); ++length)
    if (length + 1 < text.size())
      EXPECT_FALSE(parsePipeline(text.substr(0, length)));
}

TEST(PipelineText, ErrorsNameTheMember) {
  Pipeline pipeline = makePipeline();
  pipeline.ranks[0][1].transfers[0].peer = 2;
  EXPECT_EQ(parsePipeline(pipeline.toJson()).error(),
            "the description of the pipeline has no valid 'transfers'");
  pipeline = makePipeline();
  pipeline.stages[1].operands[0].stage = 1;
  EXPECT_EQ(parsePipeline(pipeline.toJson()).error(),
            "the description of the pipeline has no valid 'stage'");
  pipeline = makePipeline();
  pipeline.stages[0].operands[0].shape = {1, int64_t(1) << 50};
  EXPECT_EQ(parsePipeline(pipeline.toJson()).error(),
            "the description of the pipeline has no valid 'shape'");
  pipeline.stages.clear();
  EXPECT_FALSE(parsePipeline(pipeline.toJson()));
  pipeline = makePipeline();
  pipeline.lossStage = -1;
  EXPECT_EQ(parsePipeline(pipeline.toJson()).error(),
            "the description of the pipeline has no valid 'loss_stage'");
}
