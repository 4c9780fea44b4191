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

// Without a choice of what is read through, there is one cover by kernels.
TEST_P(BacktrackCost, EqualsExtractionOfIsolatedOps) {
  zoo::Module module = GetParam().build(&getContext(), getSmallSizes());
  cost::CostModel costs = getCosts("t4");
  std::optional<double> extracted =
      estimateFunction(getFunction(module), costs, /*isolated=*/false);
  ASSERT_TRUE(extracted);
  EXPECT_NEAR(estimateDirectly(getFunction(module), costs) / *extracted, 1,
              1e-9);
}

// With it, extraction is a heuristic too.
TEST_P(BacktrackCost, IsNearExtractionOfFusedOps) {
  zoo::Module module = GetParam().build(&getContext(), getSmallSizes());
  cost::CostModel costs = getCosts("cpu");
  std::optional<double> extracted =
      estimateFunction(getFunction(module), costs, /*isolated=*/false);
  ASSERT_TRUE(extracted);
  EXPECT_NEAR(estimateDirectly(getFunction(module), costs) / *extracted, 1,
              0.05);
}

TEST_P(BacktrackCost, Tmp) {
  zoo::Module module = GetParam().build(&getContext(), getSmallSizes());
  cost::CostModel costs = getCosts("cpu");
  auto t0=std::chrono::steady_clock::now();
  auto e = estimateFunction(getFunction(module), costs, false);
  auto t1=std::chrono::steady_clock::now();
  double d = estimateDirectly(getFunction(module), costs);
  auto t2=std::chrono::steady_clock::now();
  printf("TMP %s %g %g %g  ms %g %g\n", GetParam().name, *e, d, d / *e, std::chrono::duration<double>(t1-t0).count()*1e3, std::chrono::duration<double>(t2-t1).count()*1e3);
}
INSTANTIATE_TEST_SUITE_P(Zoo, BacktrackCost, testing::ValuesIn(cases),
                         [](const auto &info) { return info.param.name; });
