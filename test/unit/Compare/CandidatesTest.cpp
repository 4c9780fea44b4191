//===- CandidatesTest.cpp - values found by their origin -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Compare/Candidates.h"

#include <gtest/gtest.h>

using namespace tenon;
using namespace tenon::compare;

namespace {
TracedValue traced(llvm::StringRef origin, int64_t elements,
                   artifact::DType dtype = artifact::DType::F32) {
  TracedValue value;
  value.origin = parseOrigin(origin);
  value.data = *artifact::TensorData::zeros(dtype, {elements});
  return value;
}

Label label(llvm::StringRef origin, int64_t elements, bool isOwn = true,
            bool isLast = true) {
  return {parseOrigin(origin), elements, true, isOwn, isLast};
}

/// "2!" for a certain candidate, "2" for another one.
std::string find(const std::vector<TracedValue> &values,
                 const std::vector<Label> &labels, bool isOfModel = false) {
  Trace trace;
  trace.isOfModel = isOfModel;
  trace.values = values;
  std::string text;
  for (const Candidates &candidates : findCandidates(trace, labels)) {
    text += text.empty() ? "" : "; ";
    for (const Candidate &candidate : candidates.list)
      text += (&candidate == candidates.list.data() ? "" : " ") +
              std::to_string(candidate.label) +
              (candidate.isCertain ? "!" : "");
  }
  return text;
}
} // namespace

TEST(Origin, IsReadFromItsEnd) {
  Origin origin = parseOrigin("a name (Relu)\tm.mlir:3:4 graph.topk#1");
  EXPECT_EQ(origin.places,
            (std::vector<std::string>{"a name (Relu)", "m.mlir:3:4"}));
  EXPECT_EQ(origin.op, "graph.topk");
  EXPECT_EQ(origin.result, 1u);
  EXPECT_EQ(parseOrigin("graph.relu").op, "graph.relu");
  EXPECT_TRUE(parseOrigin("graph.relu").places.empty());
  EXPECT_EQ(parseOrigin("").op, "");
}

TEST(Candidates, SamePlaceAndOpAreCertain) {
  EXPECT_EQ(find({traced("a graph.relu", 4)},
                 {label("b graph.relu", 4), label("a graph.relu", 4)}),
            "1!");
}

TEST(Candidates, AnotherOpOfThePlaceIsNot) {
  // A kernel may show what the model does not have, such as a transpose.
  EXPECT_EQ(find({traced("a graph.transpose", 4)}, {label("a graph.conv", 4)}),
            "0");
  EXPECT_EQ(find({traced("a graph.sigmoid", 4)}, {label("a graph.relu", 4)},
                 /*isOfModel=*/true),
            "0!");
}

TEST(Candidates, HaveTheElementsAndTheirKind) {
  EXPECT_EQ(find({traced("a graph.relu", 5)}, {label("a graph.relu", 4)}), "");
  EXPECT_EQ(find({traced("a graph.relu", 4, artifact::DType::I32)},
                 {label("a graph.relu", 4)}),
            "");
}

TEST(Candidates, FusedPlacesShareOne) {
  EXPECT_EQ(find({traced("a\tb graph.add", 4)},
                 {label("a graph.add", 4), label("b graph.add", 4),
                  label("c graph.add", 4)}),
            "0 1");
}

TEST(Candidates, RepeatedOnesGoByTheirOrder) {
  EXPECT_EQ(find({traced("a graph.add", 4), traced("a graph.add", 4)},
                 {label("a graph.add", 4), label("a graph.add", 4)}),
            "0 1; 1 0");
  // Not if there are more of them here than there.
  EXPECT_EQ(find({traced("a graph.add", 4)},
                 {label("a graph.add", 4), label("a graph.add", 4)}),
            "0 1");
}

TEST(Candidates, WithinACompositeOnlyTheLastIsCertain) {
  EXPECT_EQ(
      find({traced("n graph.mul", 4), traced("n graph.add", 4)},
           {label("n graph.mul", 4, false, false),
            label("n graph.batch_norm", 4), label("n graph.add", 4, false)}),
      "0 1 2; 2! 0 1");
}

TEST(Candidates, LinesCountIfFilesDiffer) {
  EXPECT_EQ(find({traced("b.mlir:2:3 graph.relu", 4)},
                 {label("a.mlir:2:3 graph.relu", 4)}),
            "0!");
  EXPECT_EQ(find({traced("b.mlir:2:3 graph.relu", 4),
                  traced("c.mlir:9:9 graph.add", 4)},
                 {label("a.mlir:2:3 graph.relu", 4)}),
            "0; ");
}

TEST(Candidates, LinesThatMovedDoNotCount) {
  // The second file has one more line at its top.
  std::vector<Label> labels = {label("a.mlir:1:1 graph.relu", 4),
                               label("a.mlir:2:1 graph.add", 4),
                               label("a.mlir:3:1 graph.tanh", 4)};
  EXPECT_EQ(find({traced("b.mlir:2:1 graph.relu", 4),
                  traced("b.mlir:3:1 graph.add", 4),
                  traced("b.mlir:4:1 graph.exp", 4)},
                 labels, /*isOfModel=*/true),
            "0!; 1!; ");
}

TEST(Candidates, WithoutPlacesTheOpIsAHint) {
  EXPECT_EQ(find({traced("x graph.relu", 4)},
                 {label("y graph.relu", 4), label("z graph.add", 4)}),
            "0");
  EXPECT_EQ(find({traced("", 4)}, {label("y graph.relu", 4)}), "");
}
