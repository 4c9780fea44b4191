//===- EquationsTest.cpp - statements for all sizes, and rewriting --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Discover/Equations.h"
#include "SmallTerms.h"
#include "tenon/Discover/Statements.h"

using namespace tenon::discover;
using namespace tenon::discover::test;

namespace {
class EquationsTest : public ::testing::Test {
protected:
  Generalized state(const Candidate &candidate, bool lifts = false) {
    std::string reason;
    auto stated = generalize(&graphs.context, *graphs.terms, candidate, "rule",
                             {lifts, /*sharesWeights=*/false, {}}, reason);
    EXPECT_TRUE(succeeded(stated)) << reason;
    return std::move(*stated);
  }
  std::string head(const Candidate &candidate, bool lifts = false) {
    std::string text = writeRule(*state(candidate, lifts).rule);
    return text.substr(0, text.find('\n'));
  }

  SmallTerms graphs{{"add", "matmul", "relu", "concat", "split"}};
  ValueId x = graphs.input(0), y = graphs.input(1), z = graphs.input(2);
  Candidate associative = {
      {graphs.make("matmul", {graphs.make("matmul", {x, y}), z})},
      {graphs.make("matmul", {x, graphs.make("matmul", {y, z})})}};
};
} // namespace

TEST_F(EquationsTest, SizesAreSymbols) {
  EXPECT_EQ(head(associative), "rule.rule @rule(%x: [m, k], %y: [k, k2], %z: "
                               "[k2, k3]) -> [m, k3]");
}

TEST_F(EquationsTest, OperandsOfSumsHaveOneShape) {
  Candidate commutes = {{graphs.make("add", {x, y})},
                        {graphs.make("add", {y, x})}};
  EXPECT_EQ(head(commutes),
            "rule.rule @rule(%x: [m, k], %y: [m, k]) -> [m, k]");
  // All leading axes are alike.
  EXPECT_EQ(head(commutes, /*lifts=*/true),
            "rule.rule @rule(%x: [k], %y: [k]) -> [k] lifts [%x, %y]");
}

TEST_F(EquationsTest, PartsOfASplitAreBoundByItsSizes) {
  // The first part of three tensors may reach into the second.
  ValueId all = graphs.make("concat", {x, graphs.make("concat", {y, z})});
  Candidate candidate = {
      {graphs.make("split", {all}, 0, 0)},
      {graphs.make("concat", {x, graphs.make("split", {y}, 0, 0)})}};
  std::string text = writeRule(*state(candidate).rule);
  EXPECT_NE(text.find("sizes = [p, "), std::string::npos) << text;
  EXPECT_NE(text.find("where [p >= m"), std::string::npos) << text;
}

TEST_F(EquationsTest, TargetsSplitWhereSourcesDo) {
  // Columns that trade places, or rows of the other factor.
  auto trade = [&](ValueId of, unsigned axis) {
    return graphs.make("concat",
                       {graphs.make("split", {of}, axis, /*result=*/1),
                        graphs.make("split", {of}, axis, /*result=*/0)},
                       axis);
  };
  Candidate candidate = {{graphs.make("matmul", {trade(x, 1), y})},
                         {graphs.make("matmul", {x, trade(y, 0)})}};
  Generalized stated = state(candidate);
  EXPECT_EQ(stated.numPairings, 1u);
  std::string text = writeRule(*stated.rule);
  EXPECT_NE(text.find("axis = 1 sizes = [p, p2]"), std::string::npos) << text;
  EXPECT_NE(text.find("axis = 0 sizes = [p, p2]"), std::string::npos) << text;
}

TEST_F(EquationsTest, SizesMayHaveToBePositive) {
  Candidate commutes = {{graphs.make("add", {x, y})},
                        {graphs.make("add", {y, x})}};
  std::string reason;
  auto stated = generalize(&graphs.context, *graphs.terms, commutes, "rule",
                           {/*lifts=*/true, /*sharesWeights=*/false,
                            /*positive=*/{"k"}},
                           reason);
  ASSERT_TRUE(succeeded(stated)) << reason;
  EXPECT_NE(writeRule(*stated->rule).find("where [k >= 1]"), std::string::npos);
  // An equation with a condition rewrites where that holds.
  Equations equations(*graphs.terms);
  equations.add(commutes, *stated);
  EXPECT_EQ(equations.normalize(graphs.make("add", {y, x})),
            equations.normalize(graphs.make("add", {x, y})));
}

TEST_F(EquationsTest, TargetsReadWhatSourcesDo) {
  std::string reason;
  EXPECT_TRUE(failed(
      generalize(&graphs.context, *graphs.terms,
                 {{graphs.make("relu", {x})}, {graphs.make("add", {x, y})}},
                 "rule", {false, {}}, reason)));
  EXPECT_EQ(reason, "the target reads what the source does not");
}

TEST_F(EquationsTest, InstancesRewriteToWhatComesFirst) {
  Equations equations(*graphs.terms);
  equations.add(associative, state(associative));
  ValueId sum = graphs.make("add", {x, x});
  ValueId left = graphs.make("matmul", {graphs.make("matmul", {sum, y}), x});
  ValueId right = graphs.make("matmul", {sum, graphs.make("matmul", {y, x})});
  ValueId first = graphs.terms->compare(left, right) < 0 ? left : right;
  EXPECT_EQ(equations.normalize(left), first);
  EXPECT_EQ(equations.normalize(right), first);
  EXPECT_FALSE(equations.rewriteRoot(first));
  EXPECT_FALSE(equations.rewriteRoot(sum));
}

TEST_F(EquationsTest, NumbersAreChecked) {
  SmallTerms others({"conv", "add"});
  ValueId a = others.image(0), b = others.image(1), k = others.kernel(0);
  // Stride 2 with pads, and stride 1 without, give images of one size.
  auto conv = [&](ValueId image, unsigned choice) {
    return others.make("conv", {image, k}, choice);
  };
  Candidate linear = {{others.make("add", {conv(a, 2), conv(b, 2)})},
                      {conv(others.make("add", {a, b}), 2)}};
  std::string reason;
  auto stated =
      generalize(&others.context, *others.terms, linear, "rule", {}, reason);
  ASSERT_TRUE(succeeded(stated)) << reason;
  Equations equations(*others.terms);
  equations.add(linear, *stated);
  ValueId mixed = others.make("add", {conv(a, 2), conv(b, 1)});
  EXPECT_EQ(equations.normalize(mixed), mixed);
  EXPECT_EQ(equations.normalize(linear.source.front()), linear.target.front());
  // Equal strides are one symbol: any will do.
  ValueId same = others.make("add", {conv(a, 0), conv(b, 0)});
  EXPECT_EQ(equations.normalize(same), conv(others.make("add", {a, b}), 0));
}
