//===- SeriesParallelTest.cpp - series-parallel decomposition -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Parallelize/SeriesParallel.h"

#include "gtest/gtest.h"

using namespace tenon::parallelize;

/// Such as "0 (1 | 2) 3"; a series that hides parallel operators is in
/// brackets.
static std::string getText(const SeriesParallel &node) {
  if (node.kind == SeriesParallel::Kind::Leaf)
    return std::to_string(node.operators[0]);
  bool isSeries = node.kind == SeriesParallel::Kind::Series;
  std::string text;
  for (const SeriesParallel &part : node.parts)
    text += (text.empty() ? "" : isSeries ? " " : " | ") + getText(part);
  return isSeries ? node.isExact ? text : "[" + text + "]" : "(" + text + ")";
}

static std::string show(std::vector<std::vector<unsigned>> operands) {
  OperatorGraph graph;
  for (std::vector<unsigned> &of : operands) {
    graph.emplace_back();
    graph.back().operands = std::move(of);
  }
  return getText(decompose(graph));
}

TEST(SeriesParallel, Decompose) {
  EXPECT_EQ(show({{}}), "0");
  EXPECT_EQ(show({{}, {0}, {1}}), "0 1 2");
  EXPECT_EQ(show({{}, {}, {}}), "(0 | 1 | 2)");
  EXPECT_EQ(show({{}, {0}, {0}, {1, 2}}), "0 (1 | 2) 3");
  // A skip connection hides nothing.
  EXPECT_EQ(show({{}, {0}, {0, 1}, {0, 2}}), "0 1 2 3");
  // Branches of several operators, numbered in turn.
  EXPECT_EQ(show({{}, {}, {0}, {1}, {2, 3}, {4}}), "(0 2 | 1 3) 4 5");
  // Branches within branches.
  EXPECT_EQ(show({{}, {0}, {0}, {1}, {1}, {3, 4}, {2, 5}}),
            "0 (1 (3 | 4) 5 | 2) 6");
  // Each of two sources gives to both sinks.
  EXPECT_EQ(show({{}, {}, {0, 1}, {0, 1}}), "(0 | 1) (2 | 3)");
  // The N: 1 is not before 2.
  EXPECT_EQ(show({{}, {}, {0}, {0, 1}}), "[0 1 2 3]");
  EXPECT_EQ(show({{}, {0}, {0}, {1}, {1, 2}, {3, 4}}), "0 [1 2 3 4] 5");
}

// A small operator that joins branches is a part of the last one then.
TEST(SeriesParallel, SmallPartsAreAbsorbed) {
  OperatorGraph graph(5);
  graph[1].operands = graph[2].operands = {0};
  graph[3].operands = {1, 2};
  graph[4].operands = {3};
  for (unsigned op : {1, 2, 4})
    graph[op].forward.perSample = 4;
  graph[0].forward.perSample = graph[3].forward.perSample = 1;
  SeriesParallel tree = absorbSmallParts(graph, decompose(graph), 2);
  ASSERT_EQ(tree.kind, SeriesParallel::Kind::Series);
  ASSERT_EQ(tree.parts.size(), 2u);
  ASSERT_EQ(tree.parts[0].kind, SeriesParallel::Kind::Parallel);
  EXPECT_EQ(tree.parts[0].operators, (std::vector<unsigned>{0, 1, 2, 3}));
  ASSERT_EQ(tree.parts[0].parts.size(), 2u);
  EXPECT_EQ(tree.parts[0].parts[0].operators, (std::vector<unsigned>{0, 1}));
  EXPECT_EQ(tree.parts[0].parts[1].operators, (std::vector<unsigned>{2, 3}));
  EXPECT_EQ(tree.parts[1].operators, std::vector<unsigned>{4});
  // None is small.
  EXPECT_EQ(absorbSmallParts(graph, decompose(graph), 1).parts.size(), 4u);
}
