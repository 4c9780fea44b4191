//===- ModelGraphTest.cpp - operators and costs of models -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Parallelize/ModelGraph.h"
#include "tenon/Parallelize/SeriesParallel.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/DenseSet.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::parallelize;

namespace {
class ModelGraphs : public testing::Test {
protected:
  ModelGraphs() {
    context.loadDialect<func::FuncDialect, graph::GraphDialect>();
    // A flop takes a second, and a kernel 100 more.
    options.device.matrixFlops32 = options.device.matrixFlops16 = 1;
    options.device.vectorFlops = 1;
    options.device.memoryBandwidth = options.device.cacheBandwidth = 1e30;
    options.device.launchSeconds = 100;
    options.miniBatch = 8;
    options.leastShare = 0;
  }

  ModelGraph build(StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    FailureOr<ModelGraph> built =
        buildModelGraph(*module->getOps<func::FuncOp>().begin(), options);
    EXPECT_TRUE(succeeded(built));
    return succeeded(built) ? std::move(*built) : ModelGraph();
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  ModelOptions options;
};
} // namespace

static const char kTwoProducts[] = R"mlir(
func.func @main(%x: tensor<?x8xf32, #graph.dims<n, 8>>) -> tensor<?x4xf32, #graph.dims<n, 4>> {
  %w = graph.parameter @w : tensor<8x16xf32>
  %0 = graph.matmul %x, %w : (tensor<?x8xf32, #graph.dims<n, 8>>, tensor<8x16xf32>) -> tensor<?x16xf32, #graph.dims<n, 16>>
  %1 = graph.relu %0 : tensor<?x16xf32, #graph.dims<n, 16>>
  %v = graph.parameter @v : tensor<16x4xf32>
  %2 = graph.matmul %1, %v : (tensor<?x16xf32, #graph.dims<n, 16>>, tensor<16x4xf32>) -> tensor<?x4xf32, #graph.dims<n, 4>>
  return %2 : tensor<?x4xf32, #graph.dims<n, 4>>
}
)mlir";

TEST_F(ModelGraphs, MeasuredKernels) {
  // By samples: the first kernel has a line from 16 to 64, and another start;
  // the second one, for the relu and its operand, grows fast at first. The last
  // product is in none.
  std::map<int64_t, std::pair<double, double>> seconds = {
      {1, {6, 1}}, {16, {10, 40}}, {64, {34, 64}}};
  options.batch.isTraining = true;
  options.measure = [&](func::FuncOp model, const cost::Sizes &sizes) {
    auto ops =
        llvm::map_to_vector(model.front(), [](Operation &op) { return &op; });
    auto [first, second] = seconds.at(sizes.at("n"));
    // A parameter is in a kernel, but has no samples.
    return FailureOr<std::vector<MeasuredKernel>>(
        {{{ops[0], ops[1]}, first}, {{ops[1], ops[2]}, second}});
  };
  ModelGraph model = build(kTwoProducts);
  const Operator &first = model.graph[0], &relu = model.graph[1],
                 &last = model.graph[2];
  // The rooflines for 16 samples, 100 + 16 * 256 and 100 + 16 * 16.
  double part = 4196.0 / (4196 + 356);
  EXPECT_NEAR(relu.forward.getSeconds(1), 1 - part, 1e-9);
  EXPECT_NEAR(relu.forward.getSeconds(16), (1 - part) * 16, 1e-9);
  EXPECT_NEAR(relu.forward.getSeconds(64), (1 - part) * 64, 1e-9);
  // Sums of both kernels.
  EXPECT_NEAR(first.forward.getSeconds(1), 6 + part, 1e-9);
  EXPECT_NEAR(first.forward.getSeconds(64), 34 + part * 64, 1e-9);
  EXPECT_NEAR(first.backwardWeight.getSeconds(64), 34 + part * 64, 1e-9);
  EXPECT_NEAR(last.forward.getSeconds(16), 100 + 16 * 2 * 16 * 4, 1e-6);

  // Slow starts are kept.
  seconds = {{1, {6, 0}}, {16, {10, 0}}, {64, {34, 0}}};
  model = build(kTwoProducts);
  for (auto [samples, measured] : seconds)
    EXPECT_NEAR(model.graph[0].forward.getSeconds(static_cast<double>(samples)),
                measured.first, 1e-9);

  // Inference computes at load what has no kernel.
  options.batch.isTraining = false;
  model = build(kTwoProducts);
  EXPECT_EQ(model.graph[2].forward.getSeconds(16), 0);
  options.measure = [](func::FuncOp, const cost::Sizes &) {
    return FailureOr<std::vector<MeasuredKernel>>();
  };
  EXPECT_TRUE(failed(
      buildModelGraph(*module->getOps<func::FuncOp>().begin(), options)));
}

TEST_F(ModelGraphs, MeasuredKernelsLeaveOperators) {
  options.leastShare = 0.5;
  ModelGraph predicted = build(kTwoProducts);
  options.measure = [&](func::FuncOp model, const cost::Sizes &) {
    return FailureOr<std::vector<MeasuredKernel>>(
        {{{&*std::next(model.front().begin(), 2)}, 1e9}});
  };
  EXPECT_EQ(build(kTwoProducts).digest, predicted.digest);
}

TEST_F(ModelGraphs, Costs) {
  ModelGraph model = build(kTwoProducts);
  ASSERT_EQ(model.graph.size(), 3u);
  const Operator &first = model.graph[0], &relu = model.graph[1],
                 &last = model.graph[2];
  // 2 * 8 * 16 flops for a sample. The model's input has no gradient.
  EXPECT_NEAR(first.forward.perSample, 256, 1e-6);
  EXPECT_NEAR(first.forward.fixed, 100, 1e-6);
  EXPECT_EQ(first.backwardInput.getSeconds(1), 0);
  EXPECT_NEAR(first.backwardWeight.perSample, 256, 1e-6);
  EXPECT_EQ(first.weightBytes, 8 * 16 * 4);
  EXPECT_EQ(first.resultBytes, 16 * 4);
  // The input, which is read again for the gradient of the weights.
  EXPECT_EQ(first.savedBytes, 8 * 4);
  EXPECT_EQ(relu.weightBytes, 0);
  EXPECT_NEAR(relu.backwardInput.fixed, 100, 1e-6);
  EXPECT_EQ(relu.backwardWeight.getSeconds(1), 0);
  // The result of the relu, for its own gradient and for the last product's.
  EXPECT_EQ(relu.savedBytes, 16 * 4);
  EXPECT_EQ(relu.operands, std::vector<unsigned>{0});
  EXPECT_NEAR(last.backwardInput.perSample, 2 * 16 * 4, 1e-6);
  EXPECT_NEAR(last.backwardWeight.perSample, 2 * 16 * 4, 1e-6);
  EXPECT_EQ(last.savedBytes, 0);
  EXPECT_EQ(last.resultBytes, 0);
  EXPECT_EQ(model.names, (std::vector<std::string>{"w", "graph.relu", "v"}));
  // Inference writes a result, and reads one that is not an input. A function
  // of elements is computed in place.
  EXPECT_EQ(first.forwardWorkBytes, 16 * 4);
  EXPECT_EQ(relu.forwardWorkBytes, 16 * 4);
  EXPECT_EQ(last.forwardWorkBytes, 16 * 4 + 4 * 4);
  // In training, the result's gradient and that of an operand.
  EXPECT_EQ(first.backwardWorkBytes, 2 * 16 * 4);
  // A product adds to the sum of gradients itself.
  EXPECT_EQ(first.gradientBytes, 0);
}

TEST_F(ModelGraphs, SmallOpsAreMerged) {
  options.leastShare = 0.6;
  ModelGraph model = build(kTwoProducts);
  ASSERT_EQ(model.graph.size(), 2u);
  size_t numOps = 0;
  for (const auto &ops : model.ops)
    numOps += ops.size();
  EXPECT_EQ(numOps, 3u);
  options.leastShare = 1;
  EXPECT_EQ(build(kTwoProducts).graph.size(), 1u);
}

// Operators that read the same parameter may be in different stages, each of
// which has it; a stage with both has it once.
TEST_F(ModelGraphs, SharedParameters) {
  ModelGraph model = build(R"mlir(
func.func @main(%x: tensor<?x8xf32, #graph.dims<n, 8>>) -> (tensor<?x8xf32, #graph.dims<n, 8>>, tensor<?x8xf32, #graph.dims<n, 8>>) {
  %w = graph.parameter @w : tensor<8x8xf32>
  %0 = graph.matmul %x, %w : (tensor<?x8xf32, #graph.dims<n, 8>>, tensor<8x8xf32>) -> tensor<?x8xf32, #graph.dims<n, 8>>
  %1 = graph.relu %0 : tensor<?x8xf32, #graph.dims<n, 8>>
  %t = graph.transpose %w perm = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = graph.matmul %1, %t : (tensor<?x8xf32, #graph.dims<n, 8>>, tensor<8x8xf32>) -> tensor<?x8xf32, #graph.dims<n, 8>>
  %3 = graph.neg %0 : tensor<?x8xf32, #graph.dims<n, 8>>
  return %2, %3 : tensor<?x8xf32, #graph.dims<n, 8>>, tensor<?x8xf32, #graph.dims<n, 8>>
}
)mlir");
  ASSERT_EQ(model.graph.size(), 4u);
  EXPECT_EQ(model.sharedParameters, std::vector<std::string>{"w"});
  std::vector<std::pair<unsigned, int64_t>> w = {{0, 256}};
  EXPECT_EQ(model.graph[0].sharedParameters, w);
  EXPECT_EQ(model.graph[2].sharedParameters, w);
  EXPECT_TRUE(model.graph[1].sharedParameters.empty());
  Cluster cluster;
  cluster.count = 2;
  cluster.memoryBytes = 1 << 20;
  TrainingOptions training;
  training.miniBatch = 4;
  std::string reason;
  auto getPlan = [&](std::vector<std::vector<unsigned>> stages) {
    Plan plan;
    for (auto &operators : stages) {
      plan.emplace_back();
      plan.back().operators = operators;
      plan.back().devices = {static_cast<unsigned>(plan.size()) - 1};
      plan.back().microBatch = 4;
    }
    return evaluate(model.graph, cluster, training, plan, reason);
  };
  std::optional<Evaluation> one = getPlan({{0, 1, 2, 3}});
  std::optional<Evaluation> two = getPlan({{0, 1, 3}, {2}});
  ASSERT_TRUE(one && two) << reason;
  // Both gradients of w are held before they are added.
  EXPECT_EQ(model.graph[0].gradientBytes, 2 * 256);
  EXPECT_LT(one->stageBytes[0], two->stageBytes[0] + two->stageBytes[1]);
}

// A value in which parts of the samples are not contiguous is not passed on.
TEST_F(ModelGraphs, MergedAxes) {
  ModelGraph model = build(R"mlir(
func.func @main(%y: tensor<?x8xf32, #graph.dims<n, 8>>, %x: tensor<2x?x8xf32, #graph.dims<2, n, 8>>) -> tensor<2x?x8xf32, #graph.dims<2, n, 8>> {
  %0 = graph.relu %x : tensor<2x?x8xf32, #graph.dims<2, n, 8>>
  %1 = graph.reshape %0 shape = [2 * n, 8] : (tensor<2x?x8xf32, #graph.dims<2, n, 8>>) -> tensor<?x8xf32, #graph.dims<2 * n, 8>>
  %2 = graph.neg %1 : tensor<?x8xf32, #graph.dims<2 * n, 8>>
  %3 = graph.reshape %2 shape = [2, n, 8] : (tensor<?x8xf32, #graph.dims<2 * n, 8>>) -> tensor<2x?x8xf32, #graph.dims<2, n, 8>>
  %4 = graph.exp %3 : tensor<2x?x8xf32, #graph.dims<2, n, 8>>
  return %4 : tensor<2x?x8xf32, #graph.dims<2, n, 8>>
}
)mlir");
  ASSERT_EQ(model.graph.size(), 3u);
  EXPECT_EQ(model.ops[1].size(), 3u);
}

TEST_F(ModelGraphs, Branches) {
  std::string body, types;
  for (unsigned branch = 0; branch < 3; ++branch) {
    std::string value = "%x";
    for (unsigned layer = 0; layer < 3; ++layer) {
      std::string name = std::to_string(branch) + std::to_string(layer);
      body += "%w" + name + " = graph.parameter @w" + name +
              " : tensor<8x8xf32>\n%a" + name + " = graph.matmul " + value +
              ", %w" + name +
              " : (tensor<?x8xf32, #graph.dims<n, 8>>, tensor<8x8xf32>) -> "
              "tensor<?x8xf32, #graph.dims<n, 8>>\n%b" +
              name + " = graph.relu %a" + name +
              " : tensor<?x8xf32, #graph.dims<n, 8>>\n";
      value = "%b" + name;
    }
  }
  for (double share : {0.0, 0.12, 0.3}) {
    options.leastShare = share;
    ModelGraph model = build(
        "func.func @main(%x: tensor<?x8xf32, #graph.dims<n, 8>>) -> "
        "tensor<?x24xf32, #graph.dims<n, 24>> {\n" +
        body +
        "%0 = graph.concat %b02, %b12, %b22 axis = 1 : (tensor<?x8xf32, "
        "#graph.dims<n, 8>>, tensor<?x8xf32, #graph.dims<n, 8>>, "
        "tensor<?x8xf32, #graph.dims<n, 8>>) -> tensor<?x24xf32, "
        "#graph.dims<n, 24>>\nreturn %0 : tensor<?x24xf32, #graph.dims<n, "
        "24>>\n}");
    SeriesParallel tree = decompose(model.graph);
    EXPECT_TRUE(tree.isExact);
    ASSERT_EQ(tree.kind, SeriesParallel::Kind::Series) << share;
    EXPECT_EQ(tree.parts[0].kind, SeriesParallel::Kind::Parallel);
    EXPECT_EQ(tree.parts[0].parts.size(), 3u);
    llvm::DenseSet<Operation *> seen;
    for (size_t number = 0; number < model.graph.size(); ++number) {
      for (Operation *op : model.ops[number])
        EXPECT_TRUE(seen.insert(op).second);
      for (unsigned operand : model.graph[number].operands)
        EXPECT_LT(operand, number);
    }
    EXPECT_EQ(seen.size(), 19u);
  }
}
