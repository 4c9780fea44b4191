//===- BatchCutTest.cpp - theorems on the samples of a batch --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/ProofKernel/BatchCut.h"
#include "tenon/Prove/Prove.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

namespace {
class BatchCut : public testing::Test {
protected:
  BatchCut() {
    context.loadDialect<func::FuncDialect, GraphDialect, rule::RuleDialect>();
  }

  /// The status of the theorem that the samples of all values are along axis 0,
  /// where they are not said to be elsewhere (`results`: of the op). The
  /// function has one op.
  std::string prove(const std::string &operands, const std::string &op,
                    std::vector<std::pair<unsigned, SampleAxis>> others = {},
                    SampleAxis results = {}) {
    std::string text =
        "func.func @main(" + operands + ") {\n" + op + "\nreturn\n}";
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    auto function = *module->getOps<func::FuncOp>().begin();
    Block &body = function.getBody().front();
    BatchAxes axes;
    axes.size = SymInt::symbol("n");
    for (Value argument : body.getArguments())
      axes.axes[argument] = {};
    for (auto &[number, axis] : others)
      if (number < body.getNumArguments())
        axes.axes[body.getArgument(number)] = axis;
      else
        axes.axes.erase(body.getArgument(number - 100));
    Operation &first = body.front();
    for (Value result : first.getResults())
      axes.axes[result] = results;
    OwningOpRef<rule::RuleOp> theorem = prove::makeBatchRule(&first, axes);
    if (!theorem)
      return "none";
    if (failed(verify(*theorem)))
      return "wrong";
    return rule::stringify(prove::proveRule(*theorem).status).str();
  }

  /// The status of the theorem that the last op's result is pooled, where the
  /// samples of the arguments are along axis 0, but those in `pooled` are
  /// pooled and those in `whole` have none.
  std::string provePooled(const std::string &text, Pooling result,
                          std::vector<std::pair<unsigned, Pooling>> pooled = {},
                          std::vector<unsigned> whole = {}) {
    module = parseSourceString<ModuleOp>(
        "func.func @main(" + text + "\nreturn\n}", &context);
    EXPECT_TRUE(module) << text;
    auto function = *module->getOps<func::FuncOp>().begin();
    Block &body = function.getBody().front();
    BatchAxes axes;
    axes.size = SymInt::symbol("n");
    for (Value argument : body.getArguments())
      axes.axes[argument] = {};
    for (auto [number, pooling] : pooled) {
      axes.axes.erase(body.getArgument(number));
      axes.pooled[body.getArgument(number)] = pooling;
    }
    for (unsigned number : whole)
      axes.axes.erase(body.getArgument(number));
    Operation *last = body.getTerminator()->getPrevNode();
    axes.pooled[last->getResult(0)] = result;
    OwningOpRef<rule::RuleOp> theorem = prove::makePoolingRule(last, axes);
    if (!theorem || failed(verify(*theorem)))
      return "wrong";
    return rule::stringify(prove::proveRule(*theorem).status).str();
  }

  /// Number of an argument that has no samples.
  static constexpr unsigned kWhole = 100;

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};
} // namespace

TEST_F(BatchCut, OfEachSampleTheSame) {
  EXPECT_EQ(prove("%x: tensor<?x4xf32, #graph.dims<n, 4>>",
                  "%0 = graph.relu %x : tensor<?x4xf32, #graph.dims<n, 4>>"),
            "proved");
  EXPECT_EQ(
      prove("%x: tensor<?x4xf32, #graph.dims<n, 4>>, %w: tensor<4x3xf32>",
            "%0 = graph.matmul %x, %w : (tensor<?x4xf32, #graph.dims<n, 4>>, "
            "tensor<4x3xf32>) -> tensor<?x3xf32, #graph.dims<n, 3>>",
            {{kWhole + 1, {}}}),
      "proved");
  EXPECT_EQ(prove("%x: tensor<?x4xf32, #graph.dims<n, 4>>",
                  "%0 = graph.softmax %x axis = 1 : tensor<?x4xf32, "
                  "#graph.dims<n, 4>>"),
            "proved");
}

// Negative tests: an op that mixes samples is not proved, whatever is claimed.
TEST_F(BatchCut, OfOtherSamples) {
  EXPECT_EQ(prove("%x: tensor<?x4xf32, #graph.dims<n, 4>>",
                  "%0 = graph.reverse %x axes = [0] : tensor<?x4xf32, "
                  "#graph.dims<n, 4>>"),
            "refuted");
  EXPECT_NE(prove("%x: tensor<?x4xf32, #graph.dims<n, 4>>",
                  "%0 = graph.softmax %x axis = 0 : tensor<?x4xf32, "
                  "#graph.dims<n, 4>>"),
            "proved");
  EXPECT_NE(prove("%x: tensor<?x4xf32, #graph.dims<n, 4>>",
                  "%0 = graph.cumsum %x axis = 0 : tensor<?x4xf32, "
                  "#graph.dims<n, 4>>"),
            "proved");
  // The second operand has a value for each sample, but is said to be whole.
  EXPECT_NE(prove("%x: tensor<?x4xf32, #graph.dims<n, 4>>, %y: "
                  "tensor<?x4xf32, #graph.dims<n, 4>>",
                  "%0 = graph.add %x, %y : tensor<?x4xf32, #graph.dims<n, 4>>",
                  {{kWhole + 1, {}}}),
            "proved");
  // Samples along another axis than is said.
  EXPECT_NE(prove("%x: tensor<?x?xf32, #graph.dims<n, n>>",
                  "%0 = graph.transpose %x perm = [1, 0] : (tensor<?x?xf32, "
                  "#graph.dims<n, n>>) -> tensor<?x?xf32, #graph.dims<n, n>>"),
            "proved");
}

// Negative tests: the part is the op for fewer samples, in all of its sizes.
// Samples have one row, or three of them, for which the theorem is about rows.
TEST_F(BatchCut, OfAnotherAxis) {
  SampleAxis three{0, 3, false};
  for (const char *size : {"n", "2 * n", "n + 1", "max(2, n)", "min(3, n)",
                           "n floordiv 2", "n + k"}) {
    std::string text = size;
    EXPECT_EQ(prove("%x: tensor<?x1xf32, #graph.dims<n, 1>>",
                    "%0 = graph.broadcast %x shape = [n, " + text +
                        "] : (tensor<?x1xf32, #graph.dims<n, 1>>) -> "
                        "tensor<?x?xf32, #graph.dims<n, " +
                        text + ">>"),
              "wrong")
        << size;
    EXPECT_EQ(prove("%x: tensor<?x1xf32, #graph.dims<3 * n, 1>>",
                    "%0 = graph.broadcast %x shape = [3 * n, " + text +
                        "] : (tensor<?x1xf32, #graph.dims<3 * n, 1>>) -> "
                        "tensor<?x?xf32, #graph.dims<3 * n, " +
                        text + ">>",
                    {{0, three}}, three),
              "wrong")
        << size;
  }
  // The result is said to have another size, which is the number of samples.
  for (const char *result : {"m", "n"})
    EXPECT_NE(prove("%x: tensor<?x1xf32, #graph.dims<3 * n, 1>>, "
                    "%y: tensor<?xf32, #graph.dims<m>>",
                    std::string("%0 = graph.broadcast %x shape = [3 * n, n] : "
                                "(tensor<?x1xf32, #graph.dims<3 * n, 1>>) -> "
                                "tensor<?x?xf32, #graph.dims<3 * n, ") +
                        result + ">>",
                    {{0, three}, {kWhole + 1, {}}}, three),
              "proved");
  // A position that depends on their number.
  EXPECT_NE(prove("%x: tensor<?x4xf32, #graph.dims<3 * n, 4>>",
                  "%0 = graph.slice %x starts = [0, min(n, 3)] sizes = "
                  "[3 * n, 1] steps = [1, 1] : (tensor<?x4xf32, #graph.dims<3 "
                  "* n, 4>>) -> tensor<?x1xf32, #graph.dims<3 * n, 1>>",
                  {{0, three}}, three),
            "proved");
  EXPECT_EQ(prove("%x: tensor<?x4xf32, #graph.dims<3 * n, 4>>",
                  "%0 = graph.slice %x starts = [0, 3] sizes = [3 * n, 1] "
                  "steps = [1, 1] : (tensor<?x4xf32, #graph.dims<3 * n, 4>>) "
                  "-> tensor<?x1xf32, #graph.dims<3 * n, 1>>",
                  {{0, three}}, three),
            "proved");
}

static std::string reduceAll(const std::string &op) {
  return "%x: tensor<?x4xf32, #graph.dims<n, 4>>) {\n%0 = graph." + op +
         " %x axes = [0, 1] : (tensor<?x4xf32, #graph.dims<n, 4>>) -> "
         "tensor<f32>";
}

TEST_F(BatchCut, OfSumsAndMeans) {
  EXPECT_EQ(provePooled(reduceAll("reduce_sum"), Pooling::Sum), "proved");
  EXPECT_EQ(provePooled(reduceAll("reduce_mean"), Pooling::Mean), "proved");
  std::string two = "%x: tensor<f32>, %y: tensor<f32>) {\n%0 = graph.";
  std::string rest = " %x, %y : tensor<f32>";
  for (Pooling one : {Pooling::Sum, Pooling::Mean})
    EXPECT_EQ(provePooled(two + "add" + rest, one, {{0, one}, {1, one}}),
              "proved");
  EXPECT_EQ(
      provePooled(two + "mul" + rest, Pooling::Mean, {{0, Pooling::Mean}}, {1}),
      "proved");
  EXPECT_EQ(
      provePooled(two + "add" + rest, Pooling::Mean, {{0, Pooling::Mean}}, {1}),
      "proved");
}

// Negative tests: of what is no sum, or the other one, whatever is claimed.
TEST_F(BatchCut, OfNoSumsAndMeans) {
  EXPECT_NE(provePooled(reduceAll("reduce_sum"), Pooling::Mean), "proved");
  EXPECT_NE(provePooled(reduceAll("reduce_mean"), Pooling::Sum), "proved");
  for (Pooling claimed : {Pooling::Sum, Pooling::Mean}) {
    for (const char *op : {"reduce_max", "reduce_prod", "reduce_l2"})
      EXPECT_NE(provePooled(reduceAll(op), claimed), "proved") << op;
    std::string two = "%x: tensor<f32>, %y: tensor<f32>) {\n%0 = graph.";
    std::string rest = " %x, %y : tensor<f32>";
    for (const char *op : {"mul", "div", "maximum"})
      EXPECT_NE(
          provePooled(two + op + rest, claimed, {{0, claimed}, {1, claimed}}),
          "proved")
          << op;
    EXPECT_NE(provePooled(two + "add" + rest, claimed,
                          {{0, Pooling::Sum}, {1, Pooling::Mean}}),
              "proved");
    EXPECT_NE(provePooled("%x: tensor<f32>) {\n%0 = graph.exp %x : tensor<f32>",
                          claimed, {{0, claimed}}),
              "proved");
  }
  // A constant counts once for each part of a sum.
  EXPECT_NE(provePooled("%x: tensor<f32>, %y: tensor<f32>) {\n%0 = graph.add "
                        "%x, %y : tensor<f32>",
                        Pooling::Sum, {{0, Pooling::Sum}}, {1}),
            "proved");
}

// An op with samples reads what all of them made: a part would read only what
// it made itself.
TEST_F(BatchCut, OfWhatReadsASum) {
  module = parseSourceString<ModuleOp>(R"mlir(
func.func @main(%x: tensor<?xf32, #graph.dims<n>>) -> tensor<?xf32, #graph.dims<n>> {
  %0 = graph.reduce_sum %x axes = [0] : (tensor<?xf32, #graph.dims<n>>) -> tensor<f32>
  %1 = graph.broadcast %0 shape = [n] : (tensor<f32>) -> tensor<?xf32, #graph.dims<n>>
  %2 = graph.add %x, %1 : tensor<?xf32, #graph.dims<n>>
  return %2 : tensor<?xf32, #graph.dims<n>>
})mlir",
                                       &context);
  ASSERT_TRUE(module);
  auto function = *module->getOps<func::FuncOp>().begin();
  Block &body = function.getBody().front();
  BatchAxes axes;
  axes.size = SymInt::symbol("n");
  axes.axes[body.getArgument(0)] = {};
  axes.axes[body.getTerminator()->getOperand(0)] = {};
  axes.pooled[body.front().getResult(0)] = Pooling::Sum;
  ScopedDiagnosticHandler silence(&context,
                                  [](Diagnostic &) { return success(); });
  EXPECT_TRUE(failed(prove::checkBatchPremises(body, axes)));
}
