//===- PredictionTest.cpp - what is predicted before placement ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelGraph.h"
#include "ModelOptions.h"
#include "tenon/Dialect/Rule/IR/Rule.h"
#include "tenon/EGraph/Extract.h"
#include "tenon/EGraph/Saturate.h"
#include "tenon/Optimize/Optimize.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::optimize;

namespace {
class Prediction : public ::testing::Test {
protected:
  Prediction() : costs(llvm::cantFail(cost::getProfile("cpu"))) {
    context.loadDialect<graph::GraphDialect, rule::RuleDialect,
                        func::FuncDialect>();
    rules = std::move(*RuleSet::load(&context, {TENON_TEST_RULES}, {}, {}));
  }

  /// Optimizes a function, and returns how many functions were scored.
  unsigned countScored(StringRef text, const OptimizeOptions &options = {}) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    unsigned scored = 0;
    FailureOr<OptimizeResult> result = optimizeFunction(
        *module->getOps<func::FuncOp>().begin(), *rules, costs, options,
        [&](ArrayRef<func::FuncOp> functions) {
          Score score;
          score.seconds = scored++ == 0 ? 100 : bestSeconds;
          scored += functions.size() - 1;
          return std::vector<std::optional<Score>>(functions.size(), score);
        });
    EXPECT_TRUE(succeeded(result));
    fired = llvm::any_of(result->rules,
                         [](const RuleUse &use) { return use.tried > 0; });
    return scored;
  }

  MLIRContext context;
  cost::CostModel costs;
  std::optional<RuleSet> rules;
  bool fired = false;
  /// The score of each candidate; the input takes 100.
  double bestSeconds = 100;
};

constexpr char sumText[] = R"(
  func.func @main(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %0 = graph.add %x, %y : tensor<64x64xf32>
    return %0 : tensor<64x64xf32>
  })";
} // namespace

TEST_F(Prediction, NothingIsScoredWithoutGain) {
  EXPECT_EQ(countScored(sumText), 0u);
  EXPECT_TRUE(fired); // commute_sum
}

TEST_F(Prediction, CandidatesAreScoredIfALossIsAccepted) {
  OptimizeOptions options;
  options.leastGain = -10000;
  EXPECT_GT(countScored(sumText, options), 1u);
}

TEST_F(Prediction, CandidatesAreScoredIfMemoryIsLimited) {
  OptimizeOptions options;
  options.memoryLimit = 1000;
  EXPECT_GT(countScored(sumText, options), 1u);
}

TEST_F(Prediction, FewerFreeOpsAreScoredOnce) {
  EXPECT_EQ(countScored(R"(
    func.func @main(%x: tensor<512x512xf32>) -> tensor<512x512xf32> {
      %0 = graph.transpose %x perm = [1, 0] : (tensor<512x512xf32>) -> tensor<512x512xf32>
      %1 = graph.transpose %0 perm = [1, 0] : (tensor<512x512xf32>) -> tensor<512x512xf32>
      %2 = graph.reverse %1 axes = [0] : tensor<512x512xf32>
      return %2 : tensor<512x512xf32>
    })"),
            2u);
}

// Two products that can be merged, and one that takes much longer.
constexpr char productsText[] = R"(
  func.func @main(%x: tensor<64x512xf32>, %y: tensor<512x512xf32>, %z: tensor<512x512xf32>,
                  %w: tensor<2048x2048xf32>) -> (tensor<64x512xf32>, tensor<2048x2048xf32>) {
    %0 = graph.matmul %x, %y : (tensor<64x512xf32>, tensor<512x512xf32>) -> tensor<64x512xf32>
    %1 = graph.matmul %x, %z : (tensor<64x512xf32>, tensor<512x512xf32>) -> tensor<64x512xf32>
    %2 = graph.add %0, %1 : tensor<64x512xf32>
    %3 = graph.matmul %w, %w : (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
    return %2, %3 : tensor<64x512xf32>, tensor<2048x2048xf32>
  })";

// A small predicted gain: the input and the best choice are scored, and the
// others if that gains half of what is asked for.
TEST_F(Prediction, TheOthersAreScoredIfTheBestGains) {
  bestSeconds = 100;
  EXPECT_EQ(countScored(productsText), 2u);
  bestSeconds = 99.1;
  EXPECT_EQ(countScored(productsText), 2u);
  bestSeconds = 98.9;
  EXPECT_GT(countScored(productsText), 2u);
}

TEST_F(Prediction, TheOthersAreScoredIfAGainIsPredicted) {
  std::string text = productsText;
  for (size_t at; (at = text.find("2048")) != std::string::npos;)
    text.replace(at, 4, "16");
  EXPECT_GT(countScored(text), 2u);
}

// Ops that rules write may be inlined in place of an op of the model. The
// kernels of the model must stay.
TEST_F(Prediction, TheBestChoiceIsNotWorseThanTheInput) {
  zoo::ModelOptions sizes;
  sizes.batch = 1;
  zoo::Module module = zoo::buildSqueezeNet(&context, sizes);
  egraph::EGraph graph(&context);
  std::string reason;
  auto function = *module->getOps<func::FuncOp>().begin();
  ASSERT_TRUE(succeeded(graph.addBody(function.getBody(), reason)));
  auto input = egraph::extractGreedy(buildKernelGraph(graph, costs).problem);
  std::vector<rule::RulePattern> patterns;
  for (const rule::ProvedRule &rule : rules->getRules())
    patterns.emplace_back(rule, rule::RulePattern::Check::Nothing);
  egraph::saturate(graph, patterns, {});
  auto best = egraph::extractGreedy(buildKernelGraph(graph, costs).problem);
  ASSERT_TRUE(input && best);
  EXPECT_LE(best->cost, input->cost * (1 + 1e-9));
}

// The search in a model that has nothing to gain ends early, if a gain is
// wanted.
TEST_F(Prediction, ASearchWithoutGainEndsEarly) {
  zoo::ModelOptions sizes;
  sizes.batch = 1;
  auto getStop = [&](double leastGain) {
    zoo::Module module = zoo::buildResNet18(&context, sizes);
    OptimizeOptions options;
    options.leastGain = leastGain;
    FailureOr<OptimizeResult> result = optimizeFunction(
        *module->getOps<func::FuncOp>().begin(), *rules, costs, options);
    EXPECT_TRUE(succeeded(result));
    for (const auto &[name, value] : result->facts)
      if (name == "stopped")
        return value;
    return std::string();
  };
  EXPECT_EQ(getStop(2), "done");
  EXPECT_EQ(getStop(-100), "nodes");
}
