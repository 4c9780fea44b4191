//===- BacktrackCostTest.cpp - two ways to what a graph costs -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search.h"
#include "SearchBacktrackCost.h"
#include "TestContext.h"

using namespace tenon;
using namespace tenon::optimize;
using namespace tenon::optimize::test;

static double estimateDirectly(mlir::func::FuncOp function,
                               const cost::CostModel &costs) {
  backtrack::KindTable kinds(costs);
  auto graph = backtrack::makeGraph(function, kinds);
  backtrack::Outline outline;
  EXPECT_TRUE(backtrack::Outliner().run(*graph, {}, outline));
  return backtrack::GraphCost(costs, kinds).estimate(*graph, outline);
}

namespace {
struct Case {
  const char *name;
  zoo::ModelFunction build;
};
class BacktrackCost : public testing::TestWithParam<Case> {};
} // namespace

static const Case cases[] = {{"mlp", zoo::buildMlp},
                             {"resnet50", zoo::buildResNet50},
                             {"squeezenet", zoo::buildSqueezeNet},
                             {"vgg19", zoo::buildVgg19},
                             {"resnext50", zoo::buildResNeXt50},
                             {"inception", zoo::buildInceptionV3},
                             {"nasnet", zoo::buildNasNetA},
                             {"nasrnn", zoo::buildNasRnn},
                             {"bert", zoo::buildBertBase}};

// Without a choice of what is read through, there is one cover by kernels. (The
// search counts a little for each op, however cheap.)
TEST_P(BacktrackCost, EqualsExtractionOfIsolatedOps) {
  zoo::Module module = GetParam().build(&getContext(), getSmallSizes());
  cost::CostModel costs = getCosts("t4");
  double extracted =
      estimateFunction(getFunction(module), costs, /*isolated=*/false);
  ASSERT_GT(extracted, 0);
  EXPECT_NEAR(estimateDirectly(getFunction(module), costs) / extracted, 1,
              1e-6);
}

// With it, both are heuristics, and either may be the better one.
TEST_P(BacktrackCost, IsNearExtractionOfFusedOps) {
  zoo::Module module = GetParam().build(&getContext(), getSmallSizes());
  cost::CostModel costs = getCosts("cpu");
  double extracted =
      estimateFunction(getFunction(module), costs, /*isolated=*/false);
  ASSERT_GT(extracted, 0);
  EXPECT_NEAR(estimateDirectly(getFunction(module), costs) / extracted, 1,
              0.01);
}

INSTANTIATE_TEST_SUITE_P(Zoo, BacktrackCost, testing::ValuesIn(cases),
                         [](const auto &info) { return info.param.name; });
